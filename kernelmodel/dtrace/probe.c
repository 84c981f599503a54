/*
 * What happens when a probe fires.
 *
 * Every enabling of the probe is run in turn: its predicate, then its steps.
 * The record is written straight into the buffer and committed at the end, so
 * that a fault leaves nothing behind.  A key is built from its parts in a buffer
 * of the CPU's and looked up; stack parts are walked directly into it.
 *
 * Nothing here allocates, takes a lock (with one CPU), or touches vector
 * registers.
 */
#include "probectx.h"
#include "sys/thread.h"
#include "dtrace_impl.h"
#include "jit.h"

KLOCAL bool probe_inside;

static void fire(dtrace_state_t *only, dtrace_probe_t *probe, const site_t *site, const mstate_t *outer);

/* ---- stacks ---- */

/*
 * The frame pointer chain.  pc runs in the frame at fp; the frame is looked at
 * only if it lies in the stack in use, and each further one must lie higher.  A
 * frame pointer of 0 is the border of the kernel: what runs there is no part of
 * it.
 */
ALWAYS_INLINE uint32_t walk(const site_t *site, uint64_t *pcs, uint32_t max)
{
	uintptr_t fp = site->si_fp, pc = site->si_pc, lo = machine_stklo, hi = machine_stkhi;
	uint32_t n = 0;

	while (n < max && pc != 0 && fp - lo < hi - lo && hi - fp >= 16 && (fp & 7) == 0) {
		const uintptr_t *frame = (const uintptr_t *)fp;

		if (pcs != NULL)
			pcs[n] = pc;
		n++;
		lo = fp + 16;
		fp = frame[0];
		pc = frame[1];
	}
	return n;
}

uint32_t stack_walk(const site_t *site, uint64_t *pcs, uint32_t max)
{
	return walk(site, pcs, max);
}

uint32_t stack_depth(const site_t *site)
{
	return walk(site, NULL, UINT32_MAX);
}

void stack_words(const site_t *site, uint64_t *pcs, uint32_t n)
{
	uint32_t got = walk(site, pcs, n);

	for (; got < n; got++)
		pcs[got] = 0;
}

/* ---- a firing's state ---- */

/* outer: the firing this one happens in (ERROR): clause-local variables and scratch memory stay as they are. */
void mstate_init(mstate_t *ms, dtrace_state_t *st, dtrace_probe_t *probe, const site_t *site, const mstate_t *outer)
{
	dt_cpu_t *c = &st->st_cpus[machine_cpu];
	uint32_t i;

	ms->ms_site = site;
	ms->ms_probe = probe;
	ms->ms_ecb = NULL;
	ms->ms_state = st;
	ms->ms_cpu = c;
	ms->ms_havenow = false;
	ms->ms_scratch = outer == NULL ? c->c_scratch : outer->ms_scratch;
	ms->ms_strtok = NULL;
	ms->ms_ntuple = 0;
	ms->ms_faddr = 0;
	for (i = 0; outer == NULL && i < st->st_nlocals; i++)
		if (!c->c_locals[i].v_byref || c->c_locals[i].v_string)
			c->c_locals[i].v_val = 0;
}

/* ---- faults ---- */

static void clause_fault(mstate_t *ms, const ecb_t *ecb, int action, int fault)
{
	dtrace_state_t *st = ms->ms_state;
	int difoff = ms->ms_fpc == UINT32_MAX ? -1 : (int)ms->ms_fpc * 4;
	uint64_t addr = fault == DTRACEFLT_BADADDR || fault == DTRACEFLT_BADALIGN ? ms->ms_faddr : 0;
	uint64_t args[10] = {
	    st->st_id, ecb->e_pub.dte_epid, (uint64_t)(int64_t)action, (uint64_t)(int64_t)difoff, (uint64_t)fault,
	    addr};
	site_t site = {args, args + 6, ms->ms_site->si_pc, ms->ms_site->si_fp};

	if (ms->ms_probe == dtrace_probe_error) {
		__atomic_fetch_add(&st->st_dblerrors, 1, __ATOMIC_RELAXED);
		return;
	}
	fire(st, dtrace_probe_error, &site, ms);
	buf_error(st, ms->ms_cpu, ecb, action, difoff, fault, addr, mstate_now(ms),
		  st->st_activity == ACTIVITY_COOLDOWN);
}

static int bad_data(mstate_t *ms, uint64_t addr)
{
	ms->ms_faddr = addr;
	ms->ms_fpc = UINT32_MAX;
	return DTRACEFLT_BADADDR;
}

/* ---- steps ---- */

ALWAYS_INLINE int evaluate(mstate_t *ms, const dif_t *d, const path_t *path, uint64_t *v)
{
	return LIKELY(path->p_ok) ? path_exec(ms, path, v) : dif_exec(ms, d, v);
}

/* Text at addr as size bytes, filled up with zeroes. */
static int store_string(mstate_t *ms, char *to, size_t size, uint64_t addr)
{
	ssize_t len = dtrace_copystr(to, (const char *)(uintptr_t)addr, size);

	if (len < 0)
		return bad_data(ms, addr);
	mem_zero(to + len, size - (size_t)len);
	return 0;
}

static int store_value(mstate_t *ms, const step_t *s, char *record, uint64_t v)
{
	char *to = record + s->s_offset;

	switch (s->s_type) {
	case DIF_STRING:
		return store_string(ms, to, s->s_size, v);
	case DIF_BYTES:
		return dtrace_copyfrom(to, (const void *)(uintptr_t)v, s->s_size) == 0 ? 0 : bad_data(ms, v);
	default:
		break;
	}
	if (s->s_size == 8)
		*(uint64_t *)(void *)to = v;
	else if (s->s_size == 4)
		*(uint32_t *)(void *)to = (uint32_t)v;
	else
		mem_copy(to, &v, MIN(s->s_size, 8));
	return 0;
}

/* A user stack has no frames in the model: the process and zeroes. */
static void store_ustack(char *to, size_t size)
{
	mem_zero(to, size);
	if (size >= 8 && curthread != NULL)
		*(uint64_t *)(void *)to = (uint64_t)(int64_t)curthread->t_procp->p_pid;
}

/* ---- aggregating ---- */

/* One part of a key at key: its words in *words. */
static int key_part(mstate_t *ms, const step_t *s, uint64_t *key, size_t *words)
{
	uint32_t size = s->s_part.ap_size;
	uint64_t v;
	ssize_t len;
	int fault;

	*words = (size + 7) / 8;
	if (s->s_kind == ACT_STACK) {
		stack_words(ms->ms_site, key, size / 8);
		return 0;
	}
	if (s->s_kind == ACT_USTACK) {
		key[*words - 1] = 0;
		store_ustack((char *)key, size);
		return 0;
	}
	fault = evaluate(ms, s->s_dif, &s->s_path, &v);
	if (UNLIKELY(fault != 0))
		return fault;
	switch (s->s_part.ap_kind) {
	case AGG_INT:
		*key = size == 8 ? v : v & (((uint64_t)1 << size * 8) - 1);
		return 0;
	case AGG_STR:
		len = dtrace_copystr((char *)key, (const char *)(uintptr_t)v, size);
		if (UNLIKELY(len < 0))
			return bad_data(ms, v);
		*words = (size_t)len / 8 + 1;
		/* nothing behind the text: the bytes of its last word from its end on are 0 */
		key[*words - 1] &= ((uint64_t)1 << (len % 8) * 8) - 1;
		key[*words] = 0; /* a copy from across a page border may have gone over */
		return 0;
	default:
		key[*words - 1] = 0;
		return dtrace_copyfrom(key, (const void *)(uintptr_t)v, size) == 0 ? 0 : bad_data(ms, v);
	}
}

/* s is the aggregating step; its keys stand before it.  *at: the step at fault. */
static int aggregate(mstate_t *ms, const step_t *s, const step_t **at)
{
	uint64_t *key = ms->ms_cpu->c_key, value = 0, incr = 1;
	size_t n = 0, words;
	const step_t *part;
	agg_t *agg;
	int fault;

	for (n = 0; n < AGG_PADDED; n++)
		key[n] = 0;
	n = 0;
	for (part = s - s->s_nkeys; part < s; part++) {
		fault = key_part(ms, part, key + n, &words);
		if (UNLIKELY(fault != 0)) {
			*at = part;
			return fault;
		}
		n += words;
	}
	if (s->s_dif != NULL && (fault = evaluate(ms, s->s_dif, &s->s_path, &value)) != 0)
		return fault;
	if (s->s_act->a_incr != NULL && (fault = dif_exec(ms, s->s_act->a_incr, &incr)) != 0)
		return fault;
	agg = ms->ms_cpu->c_aggs[s->s_agg];
	if (UNLIKELY(agg == NULL))
		agg = aggregate_table(ms->ms_state, ms->ms_cpu, s->s_agg);
	if (UNLIKELY(agg == NULL || agg_record_padded(agg, key, n * 8, (int64_t)value, (int64_t)incr) != 0))
		ms->ms_cpu->c_aggdrops++;
	return 0;
}

/* ---- destructive actions ---- */

/*
 * Signals are posted when the machine is back in its outermost loop: posting
 * one may end the very thread that hit the probe.
 */
static KLOCAL struct {
	pid_t pid;
	int sig;
} posted[32];
static KLOCAL int nposted;
static KLOCAL mevent_t post_event;

static void post_signals(void *arg)
{
	int i, n = nposted;

	(void)arg;
	nposted = 0;
	for (i = 0; i < n; i++) {
		proc_t *p = prfind(posted[i].pid);

		if (p != NULL)
			psignal(p, posted[i].sig);
	}
}

static void post(int sig)
{
	if (curthread == NULL || curthread->t_procp == p0 || self_is(curthread) || nposted == 32)
		return;
	posted[nposted].pid = curthread->t_procp->p_pid;
	posted[nposted].sig = sig;
	if (nposted++ == 0)
		event_schedule(&post_event, machine_now(), post_signals, NULL);
}

/*
 * Virtual time stands still while code runs, so a CPU that waits does nothing
 * else than not to run.  The limit is the one of a real machine: half of every second.
 */
static int chill(mstate_t *ms, uint64_t ns)
{
	dt_cpu_t *c = ms->ms_cpu;
	hrtime_t now = mstate_now(ms);

	if (now - c->c_chillmark > CHILL_INTERVAL) {
		c->c_chillmark = now;
		c->c_chilled = 0;
	}
	if (ns > CHILL_MAX || c->c_chilled + (hrtime_t)ns > CHILL_MAX)
		return DTRACEFLT_ILLOP;
	c->c_chilled += (hrtime_t)ns;
	return 0;
}

static int destroy(mstate_t *ms, const step_t *s, uint64_t v)
{
	switch (s->s_kind) {
	case ACT_STOP:
		post(23); /* SIGSTOP of Solaris */
		return 0;
	case ACT_RAISE:
		post((int)v);
		return 0;
	case ACT_CHILL:
		return chill(ms, v);
	default:
		return 0; /* breakpoint and panic have no machine to stop: dtrace_enable()'s caller says so */
	}
}

/* ---- a clause ---- */

static void end_tracing(mstate_t *ms, int status)
{
	dtrace_state_t *st = ms->ms_state;

	jit_unpin(st, ms->ms_cpu);
	if (st->st_conf.c_ncpu > 1 && st->st_activity == ACTIVITY_ACTIVE) {
		ms->ms_cpu->c_exited = CPU_EXITED;
		ms->ms_cpu->c_exitstatus = status;
		return;
	}
	st->st_exitstatus = status;
	st->st_exited = true;
	if (st->st_activity == ACTIVITY_ACTIVE || st->st_activity == ACTIVITY_WARMUP)
		st->st_activity = ACTIVITY_DRAINING;
}

/* The buffer that is full ends tracing, with the fill policy; otherwise the record is lost. */
static void no_room(mstate_t *ms)
{
	if (ms->ms_state->st_conf.c_bufpolicy == BUF_FILL)
		end_tracing(ms, ms->ms_state->st_exitstatus);
	else
		ms->ms_cpu->c_drops++;
}

/* What a step that evaluates something does with the value. */
static int act(mstate_t *ms, const step_t *s, char *record, uint64_t v)
{
	switch (s->s_kind) {
	case ACT_DIFEXPR:
		return s->s_size != 0 ? store_value(ms, s, record, v) : 0;
	case ACT_EXIT:
		*(uint32_t *)(void *)(record + s->s_offset) = (uint32_t)v;
		end_tracing(ms, (int)v);
		return 0;
	case ACT_COMMIT:
		return spec_commit(ms, v, machine_cpu);
	case ACT_DISCARD:
		return spec_discard(ms, v, machine_cpu);
	case ACT_STACK:
		stack_words(ms->ms_site, (uint64_t *)(void *)(record + s->s_offset), s->s_size / 8);
		return 0;
	case ACT_USTACK:
		store_ustack(record + s->s_offset, s->s_size);
		return 0;
	case ACT_STOP:
	case ACT_RAISE:
	case ACT_BREAKPOINT:
	case ACT_PANIC:
	case ACT_CHILL:
		return destroy(ms, s, v);
	default:
		return 0;
	}
}

/* Where a clause's record is being written. */
typedef struct out {
	buf_t *o_buf;
	char *o_record;
	size_t o_off;
} out_t;

/* Direct the record to a speculative buffer; *ends: the clause ends here, without a record. */
static int speculate(mstate_t *ms, const ecb_t *ecb, uint64_t id, out_t *o, bool *ends)
{
	dtrace_state_t *st = ms->ms_state;
	buf_t *b;
	size_t off;

	*ends = true;
	if (id > st->st_conf.c_nspec)
		return DTRACEFLT_ILLOP;
	b = spec_write(st, id, machine_cpu);
	if (b == NULL)
		return 0;
	off = (b->b_off + ecb->e_align - 1) & ~(size_t)(ecb->e_align - 1);
	if (off + ecb->e_pub.dte_size > b->b_size) {
		__atomic_fetch_add(&st->st_specdrops, 1, __ATOMIC_RELAXED);
		return 0;
	}
	o->o_buf = b;
	o->o_off = off;
	o->o_record = b->b_base + off;
	mem_zero(o->o_record, ecb->e_pub.dte_size);
	*ends = false;
	return 0;
}

ALWAYS_INLINE void run_steps(mstate_t *ms, const ecb_t *ecb, uint32_t from, out_t *o)
{
	const step_t *s = ecb->e_steps + from, *end = ecb->e_steps + ecb->e_nsteps, *at;
	uint32_t size = ecb->e_pub.dte_size;
	uint64_t v = 0;
	bool ends;
	int fault;

	for (; s < end; s++) {
		if (s->s_key)
			continue;
		at = s;
		fault = 0;
		if (s->s_kind == ACT_AGG) {
			fault = aggregate(ms, s, &at);
		} else {
			if (s->s_dif != NULL)
				fault = evaluate(ms, s->s_dif, &s->s_path, &v);
			if (s->s_kind == ACT_SPECULATE) {
				if (fault == 0)
					fault = speculate(ms, ecb, v, o, &ends);
				if (fault == 0 && ends)
					return;
			} else if (fault == 0) {
				fault = act(ms, s, o->o_record, v);
			}
		}
		if (UNLIKELY(fault != 0)) {
			clause_fault(ms, ecb, at->s_index, fault);
			return;
		}
	}
	if (size != 0) {
		*(uint32_t *)(void *)o->o_record = ecb->e_pub.dte_epid;
		buf_commit(o->o_buf, o->o_off, size, mstate_now(ms));
	}
}

/* The steps of a clause from one on; of a clause that records, all. */
ALWAYS_INLINE void run_body(mstate_t *ms, const ecb_t *ecb, uint32_t from)
{
	dtrace_state_t *st = ms->ms_state;
	out_t o = {&ms->ms_cpu->c_buf, NULL, 0};
	ssize_t off;

	if (ecb->e_pub.dte_size != 0) {
		off = buf_reserve(st, o.o_buf, ecb->e_pub.dte_size, ecb->e_align, st->st_activity == ACTIVITY_COOLDOWN);
		if (UNLIKELY(off < 0)) {
			no_room(ms);
			return;
		}
		o.o_off = (size_t)off;
		o.o_record = o.o_buf->b_base + off;
		if (ecb->e_gaps)
			mem_zero(o.o_record, ecb->e_pub.dte_size);
	}
	run_steps(ms, ecb, from, &o);
}

ALWAYS_INLINE void run_clause(mstate_t *ms, const ecb_t *ecb)
{
	uint64_t v;
	int fault;

	if (ecb->e_pred != NULL) {
		fault = evaluate(ms, ecb->e_pred, &ecb->e_predpath, &v);
		if (UNLIKELY(fault != 0)) {
			clause_fault(ms, ecb, 0, fault);
			return;
		}
		if (v == 0)
			return;
	}
	run_body(ms, ecb, 0);
}

bool probe_resume(const ecb_t *ecb, int step, const site_t *site)
{
	dtrace_state_t *st = ecb->e_state;
	dt_cpu_t *c = &st->st_cpus[machine_cpu];
	mstate_t ms;

	ms.ms_scratch = c->c_scratch;
	mstate_init(&ms, st, ecb->e_pub.dte_probe, site, &ms);
	ms.ms_ecb = ecb;
	ms.ms_fpc = UINT32_MAX;
	if (step < 0)
		run_clause(&ms, ecb);
	else
		run_body(&ms, ecb, (uint32_t)step);
	return st->st_activity == ACTIVITY_ACTIVE && !c->c_exited;
}

/* May this probe act in a session that is not simply active? */
static bool allowed(const dtrace_state_t *st, const dtrace_probe_t *probe)
{
	switch (st->st_activity) {
	case ACTIVITY_ACTIVE:
		return probe != dtrace_probe_begin && probe != dtrace_probe_end;
	case ACTIVITY_WARMUP:
		return probe == dtrace_probe_begin || probe == dtrace_probe_error;
	case ACTIVITY_COOLDOWN:
		return probe == dtrace_probe_end || probe == dtrace_probe_error;
	default:
		return false;
	}
}

/* only: the one session whose enablings are meant, NULL = all. */
static void fire(dtrace_state_t *only, dtrace_probe_t *probe, const site_t *site, const mstate_t *outer)
{
	dtrace_ecb_t *e;
	dtrace_state_t *last = NULL;
	mstate_t ms;

	for (e = probe->dtpr_ecb; e != NULL; e = e->dte_next) {
		const ecb_t *ecb = (const ecb_t *)e;
		dtrace_state_t *st = ecb->e_state;

		if ((only != NULL && st != only) || (uint32_t)machine_cpu >= (uint32_t)st->st_conf.c_ncpu)
			continue;
		if (UNLIKELY(st->st_activity != ACTIVITY_ACTIVE)) {
			if (!allowed(st, probe))
				continue;
		} else if (UNLIKELY(st->st_cpus[machine_cpu].c_exited)) {
			continue;
		}
		if (st != last) {
			mstate_init(&ms, st, probe, site, outer);
			last = st;
		}
		ms.ms_ecb = ecb;
		ms.ms_havenow = false;
		ms.ms_fpc = UINT32_MAX;
		run_clause(&ms, ecb);
	}
}

void probe_fire(dtrace_probe_t *probe, const site_t *site)
{
	if (UNLIKELY(probe_inside))
		return;
	probe_inside = true;
	__asm__ volatile("" : : : "memory");
	fire(NULL, probe, site, NULL);
	__asm__ volatile("" : : : "memory");
	probe_inside = false;
}

void probe_fire_own(dtrace_state_t *st, dtrace_probe_t *probe)
{
	static const uint64_t args[10];
	site_t site = {args, args + 6, 0, 0};
	kthread_t *t = curthread, *me = self_thread();

	if (t != NULL)
		me->t_cpu = t->t_cpu;
	curthread = me;
	probe_inside = true;
	fire(st, probe, &site, NULL);
	probe_inside = false;
	curthread = t;
}

void dtrace_probe(dtrace_probe_t *probe, const uint64_t args[10], uintptr_t pc, uintptr_t fp)
{
	site_t site = {args, args + 6, pc, fp};

	probe_fire(probe, &site);
}
