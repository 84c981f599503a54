/*
 * Sessions: variables, enablings, start and stop.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "machine/machine.h"
#include "dtrace_impl.h"
#include "jit.h"

static uint32_t next_id = 1;
static bool initialized;

/* ---- the tracer as a whole ---- */

int dtrace_init(char *errbuf, size_t errlen)
{
	if (initialized)
		return 0;
	dtrace_fault_init();
	if (patch_init() != 0) {
		(void)snprintf(errbuf, errlen, "out of memory");
		return -1;
	}
	if (ksym_init(errbuf, errlen) != 0) {
		patch_fini();
		return -1;
	}
	provider_init();
	profile_init();
	fbt_init();
	sdt_init();
	syscall_init();
	initialized = true;
	return 0;
}

void dtrace_fini(void)
{
	if (!initialized)
		return;
	syscall_fini();
	sdt_fini();
	fbt_fini();
	profile_fini();
	provider_fini();
	ksym_fini();
	patch_fini();
	initialized = false;
}

/* ---- making and ending a session ---- */

void dtrace_conf_default(dtrace_conf_t *conf)
{
	*conf = (dtrace_conf_t){.c_bufsize = 4 << 20,
				.c_strsize = 256,
				.c_dynvarsize = 1 << 20,
				.c_specsize = 32 << 10,
				.c_nspec = 1,
				.c_ncpu = 1,
				.c_cpu = -1};
}

dtrace_state_t *dtrace_state_create(const dtrace_conf_t *conf)
{
	dtrace_state_t *st = calloc(1, sizeof(*st));

	if (st == NULL)
		return NULL;
	st->st_conf = *conf;
	if (st->st_conf.c_ncpu < 1)
		st->st_conf.c_ncpu = 1;
	if (st->st_conf.c_ncpu > MAXCPU)
		st->st_conf.c_ncpu = MAXCPU;
	if (st->st_conf.c_strsize < 1)
		st->st_conf.c_strsize = 1;
	st->st_id = next_id++;
	st->st_ecbtail = &st->st_ecbs;
	st->st_begincpu = st->st_endcpu = -1;
	return st;
}

static void ecb_unlink(ecb_t *ecb)
{
	dtrace_probe_t *p = ecb->e_pub.dte_probe;
	dtrace_ecb_t **link = &p->dtpr_ecb, *before = NULL;

	for (; *link != NULL && *link != &ecb->e_pub; link = &before->dte_next)
		before = *link;
	if (*link == NULL)
		return;
	*link = ecb->e_pub.dte_next;
	if (p->dtpr_last == &ecb->e_pub)
		p->dtpr_last = before;
}

static void cpu_destroy(dt_cpu_t *c)
{
	uint32_t i;

	buf_destroy(&c->c_buf);
	for (i = 0; i < c->c_naggs; i++)
		agg_destroy(c->c_aggs[i]);
	free(c->c_aggs);
	free(c->c_locals);
	free(c->c_localdata);
	free(c->c_key);
	free(c->c_tmp[0]);
	if (c->c_scratch != NULL)
		munmap(c->c_scratch, c->c_scratchlen);
}

static void disarm(dtrace_state_t *st);

void dtrace_state_destroy(dtrace_state_t *st)
{
	uint32_t i;
	int cpu;
	ecb_t *ecb;

	if (st == NULL)
		return;
	disarm(st);
	jit_destroy(st);
	while ((ecb = st->st_ecbs) != NULL) {
		st->st_ecbs = ecb->e_allnext;
		ecb_unlink(ecb);
		free(ecb->e_steps);
		free(ecb);
	}
	for (cpu = 0; st->st_cpus != NULL && cpu < st->st_conf.c_ncpu; cpu++)
		cpu_destroy(&st->st_cpus[cpu]);
	free(st->st_cpus);
	for (i = 0; st->st_specs != NULL && i < st->st_conf.c_nspec; i++) {
		for (cpu = 0; st->st_specs[i].sp_buf != NULL && cpu < st->st_conf.c_ncpu; cpu++)
			buf_destroy(&st->st_specs[i].sp_buf[cpu]);
		free(st->st_specs[i].sp_buf);
	}
	free(st->st_specs);
	aggregate_fini(st);
	dyn_destroy(st->st_dyn);
	free(st->st_byepid);
	free(st->st_globals);
	free(st->st_globaldata);
	free(st->st_localproto);
	free(st->st_gdyn);
	free(st->st_tdyn);
	free(st);
}

/* ---- variables ---- */

static bool by_reference(const dif_type_t *t)
{
	return t->dt_kind == DIF_STRING || t->dt_kind == DIF_BYTES;
}

static uint32_t count_scope(const dif_vardesc_t *vars, size_t n, dif_scope_t scope)
{
	uint32_t most = 0;
	size_t i;

	for (i = 0; i < n; i++)
		if (vars[i].v_scope == scope && vars[i].v_id + 1 > most)
			most = vars[i].v_id + 1;
	return most;
}

/* Bytes of storage of a variable by reference: with room for a word behind, kept 0, so that strings end. */
static size_t storage(const dif_type_t *t)
{
	return by_reference(t) ? ((size_t)t->dt_size + 15) & ~(size_t)7 : 0;
}

static var_t var_of(const dif_type_t *t)
{
	return (var_t){.v_size = t->dt_size, .v_byref = by_reference(t), .v_string = t->dt_kind == DIF_STRING};
}

/* Give the variables of one scope their places in data, one behind the other. */
static void place(var_t *v, uint32_t n, char *data)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		if (!v[i].v_byref)
			continue;
		v[i].v_data = data;
		v[i].v_val = (uintptr_t)data;
		data += ((size_t)v[i].v_size + 15) & ~(size_t)7;
	}
}

int dtrace_state_vars(dtrace_state_t *st, const dif_vardesc_t *vars, size_t n)
{
	size_t i;

	st->st_nglobals = count_scope(vars, n, DIF_GLOBAL);
	st->st_nlocals = count_scope(vars, n, DIF_LOCAL);
	st->st_ntdyn = count_scope(vars, n, DIF_THREAD);
	st->st_globals = calloc(st->st_nglobals + 1, sizeof(var_t));
	st->st_localproto = calloc(st->st_nlocals + 1, sizeof(var_t));
	st->st_gdyn = calloc(st->st_nglobals + 1, sizeof(dynvar_desc_t));
	st->st_tdyn = calloc(st->st_ntdyn + 1, sizeof(dynvar_desc_t));
	if (st->st_globals == NULL || st->st_localproto == NULL || st->st_gdyn == NULL || st->st_tdyn == NULL)
		return -1;
	for (i = 0; i < n; i++) {
		const dif_vardesc_t *v = &vars[i];
		dynvar_desc_t dv = {.dv_byref = by_reference(&v->v_type),
				    .dv_string = v->v_type.dt_kind == DIF_STRING,
				    .dv_array = v->v_array};

		dv.dv_size = dv.dv_byref ? (uint32_t)storage(&v->v_type) - 8 : 8;
		if (storage(&v->v_type) > st->st_largest)
			st->st_largest = storage(&v->v_type);
		if (v->v_scope == DIF_THREAD) {
			st->st_tdyn[v->v_id] = dv;
		} else if (v->v_scope == DIF_LOCAL) {
			st->st_localproto[v->v_id] = var_of(&v->v_type);
			st->st_locallen += storage(&v->v_type);
		} else {
			st->st_gdyn[v->v_id] = dv;
			if (v->v_array)
				continue;
			st->st_globals[v->v_id] = var_of(&v->v_type);
			st->st_globallen += storage(&v->v_type);
		}
	}
	st->st_globaldata = calloc(1, st->st_globallen + 1);
	if (st->st_globaldata == NULL)
		return -1;
	place(st->st_globals, st->st_nglobals, st->st_globaldata);
	return 0;
}

/* ---- enabling ---- */

typedef struct enabling {
	dtrace_state_t *st;
	const dtrace_ecbdesc_t *desc;
	char *errbuf;
	size_t errlen;
	bool failed;
} enabling_t;

/* A value's alignment in a record. */
static uint32_t alignment(const dtrace_act_t *a)
{
	uint32_t size = a->a_type.dt_size;

	switch (a->a_kind) {
	case ACT_STACK:
	case ACT_USTACK:
		return 8;
	case ACT_EXIT:
		return 4;
	default:
		break;
	}
	if (a->a_type.dt_kind == DIF_STRING)
		return 1;
	if (a->a_type.dt_kind == DIF_BYTES)
		return size % 8 == 0 ? 8 : size % 4 == 0 ? 4 : size % 2 == 0 ? 2 : 1;
	return size == 1 || size == 2 || size == 4 ? size : 8;
}

/* Bytes an action stores, when it is not part of a key. */
static uint32_t stored(const dtrace_act_t *a)
{
	switch (a->a_kind) {
	case ACT_STACK:
		return (uint32_t)a->a_arg * 8;
	case ACT_USTACK:
		return (uint32_t)((a->a_arg + 1) * 8 + a->a_arg2);
	case ACT_EXIT:
		return 4;
	case ACT_DIFEXPR:
		return a->a_type.dt_kind == DIF_VOID ? 0 : a->a_type.dt_size;
	default:
		return 0;
	}
}

static uint32_t count_actions(const dtrace_ecbdesc_t *desc)
{
	const dtrace_act_t *a;
	uint32_t n = 0;

	for (a = desc->e_acts; a != NULL; a = a->a_next)
		n++;
	return n;
}

/* The parts of the aggregation at step i are the steps before it. */
static int plan_aggregation(enabling_t *en, step_t *steps, uint32_t i)
{
	step_t *s = &steps[i];
	const dtrace_aggvar_t *av = s->s_act->a_agg;
	uint32_t k, n = s->s_act->a_ntuple;
	int slot;

	if (n > i || av == NULL || av->av_desc.ad_nparts != n || agg_ncells(&av->av_desc) == 0) {
		(void)snprintf(en->errbuf, en->errlen, "aggregation is not legal");
		return -1;
	}
	slot = aggregate_slot(en->st, av);
	if (slot < 0)
		return -1;
	s->s_agg = (uint32_t)slot;
	s->s_nkeys = n;
	for (k = 0; k < n; k++) {
		steps[i - n + k].s_key = true;
		steps[i - n + k].s_part = av->av_desc.ad_parts[k];
		/* the hidden first member of the key counts as an action */
		steps[i - n + k].s_index++;
	}
	return 0;
}

static int plan_steps(enabling_t *en, step_t *steps)
{
	const dtrace_act_t *a;
	int hidden = 0;
	uint32_t i = 0;

	for (a = en->desc->e_acts; a != NULL; a = a->a_next, i++) {
		step_t *s = &steps[i];

		s->s_kind = a->a_kind;
		s->s_act = a;
		s->s_dif = a->a_dif;
		if (a->a_dif != NULL)
			(void)path_compile(en->st, a->a_dif, &s->s_path);
		s->s_index = (int)i + 1 + hidden;
		s->s_type = a->a_type.dt_kind;
		if (a->a_kind == ACT_AGG) {
			if (plan_aggregation(en, steps, i) != 0)
				return -1;
			s->s_index++;
			hidden++;
		}
	}
	return 0;
}

/* Offsets of what is stored; the record's size, 0 when it stores nothing. */
static uint32_t plan_record(ecb_t *ecb)
{
	uint32_t off = 4, end = 4, i, size, align;
	bool any = false;

	ecb->e_align = 4;
	for (i = 0; i < ecb->e_nsteps; i++) {
		step_t *s = &ecb->e_steps[i];

		if (s->s_kind == ACT_MARK)
			any = true;
		size = s->s_key ? 0 : stored(s->s_act);
		if (size == 0)
			continue;
		any = true;
		align = alignment(s->s_act);
		off = (off + align - 1) & ~(align - 1);
		if (off != end)
			ecb->e_gaps = true;
		if (align > ecb->e_align)
			ecb->e_align = align;
		s->s_offset = off;
		s->s_size = size;
		((dtrace_act_t *)(uintptr_t)s->s_act)->a_offset = off;
		off += size;
		end = off;
	}
	return any ? off : 0;
}

static int verify(enabling_t *en)
{
	const dtrace_act_t *a;

	if (en->desc->e_pred != NULL && dtrace_dif_check(en->st, en->desc->e_pred, en->errbuf, en->errlen) != 0)
		return -1;
	for (a = en->desc->e_acts; a != NULL; a = a->a_next) {
		if (a->a_dif != NULL && dtrace_dif_check(en->st, a->a_dif, en->errbuf, en->errlen) != 0)
			return -1;
		if (a->a_incr != NULL && dtrace_dif_check(en->st, a->a_incr, en->errbuf, en->errlen) != 0)
			return -1;
		if (a->a_dif == NULL && (a->a_kind == ACT_DIFEXPR || a->a_kind == ACT_SPECULATE)) {
			(void)snprintf(en->errbuf, en->errlen, "action without an expression");
			return -1;
		}
	}
	return 0;
}

static int ecb_register(dtrace_state_t *st, ecb_t *ecb)
{
	dtrace_probe_t *p = ecb->e_pub.dte_probe;

	if (st->st_necbs == st->st_maxecbs) {
		uint32_t max = st->st_maxecbs == 0 ? 16 : st->st_maxecbs * 2;
		ecb_t **more = realloc(st->st_byepid, max * sizeof(*more));

		if (more == NULL)
			return -1;
		st->st_byepid = more;
		st->st_maxecbs = max;
	}
	st->st_byepid[st->st_necbs++] = ecb;
	ecb->e_pub.dte_epid = st->st_necbs;
	*(p->dtpr_ecb != NULL ? &p->dtpr_last->dte_next : &p->dtpr_ecb) = &ecb->e_pub;
	p->dtpr_last = &ecb->e_pub;
	*st->st_ecbtail = ecb;
	st->st_ecbtail = &ecb->e_allnext;
	return 0;
}

static void enable_probe(void *arg, dtrace_probe_t *probe)
{
	enabling_t *en = arg;
	uint32_t n = count_actions(en->desc);
	ecb_t *ecb;

	if (en->failed)
		return;
	ecb = calloc(1, sizeof(*ecb));
	if (ecb != NULL)
		ecb->e_steps = calloc(n + 1, sizeof(step_t));
	if (ecb == NULL || ecb->e_steps == NULL) {
		(void)snprintf(en->errbuf, en->errlen, "out of memory");
		free(ecb);
		en->failed = true;
		return;
	}
	ecb->e_state = en->st;
	ecb->e_pred = en->desc->e_pred;
	if (ecb->e_pred != NULL)
		(void)path_compile(en->st, ecb->e_pred, &ecb->e_predpath);
	ecb->e_nsteps = n;
	ecb->e_pub.dte_probe = probe;
	ecb->e_pub.dte_desc = en->desc;
	if (plan_steps(en, ecb->e_steps) != 0) {
		free(ecb->e_steps);
		free(ecb);
		en->failed = true;
		return;
	}
	ecb->e_pub.dte_size = plan_record(ecb);
	if (ecb_register(en->st, ecb) != 0)
		en->failed = true;
}

int dtrace_enable(dtrace_state_t *st, const dtrace_ecbdesc_t *desc, char *errbuf, size_t errlen)
{
	enabling_t en = {st, desc, errbuf, errlen, false};
	int n;

	if (verify(&en) != 0)
		return -1;
	n = dtrace_probe_match(&desc->e_desc, enable_probe, &en);
	return en.failed ? -1 : n;
}

const dtrace_ecb_t *dtrace_epid2ecb(const dtrace_state_t *st, dtrace_epid_t epid)
{
	return epid == 0 || epid > st->st_necbs ? NULL : &st->st_byepid[epid - 1]->e_pub;
}

/* ---- start ---- */

/* Memory of 0 that shares no line of the cache with any other. */
static void *own_lines(size_t n)
{
	void *p;

	n = (n + CPU_LINES - 1) & ~(size_t)(CPU_LINES - 1);
	p = aligned_alloc(CPU_LINES, n);
	if (p != NULL)
		memset(p, 0, n);
	return p;
}

static int cpu_prepare(dtrace_state_t *st, dt_cpu_t *c)
{
	size_t tmp = ((size_t)st->st_conf.c_strsize + 15) & ~(size_t)7;
	void *scratch;

	if (c->c_tmp[0] == NULL) {
		if (buf_create(&c->c_buf, st->st_conf.c_bufsize) != 0)
			return -1;
		scratch = mmap(NULL, st->st_conf.c_bufsize + 8, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (scratch == MAP_FAILED)
			return -1;
		c->c_scratch = scratch;
		c->c_scratchlen = st->st_conf.c_bufsize;
		c->c_locals = own_lines((st->st_nlocals + 1) * sizeof(var_t));
		c->c_localdata = own_lines(st->st_locallen + 1);
		c->c_tmp[0] = own_lines(3 * tmp);
		if (c->c_locals == NULL || c->c_localdata == NULL || c->c_tmp[0] == NULL)
			return -1;
		c->c_tmp[1] = c->c_tmp[0] + tmp;
		c->c_tmp[2] = c->c_tmp[1] + tmp;
		if (st->st_nlocals > 0)
			memcpy(c->c_locals, st->st_localproto, st->st_nlocals * sizeof(var_t));
		place(c->c_locals, st->st_nlocals, c->c_localdata);
	}
	if (c->c_aggs == NULL || c->c_naggs < st->st_naggs) {
		agg_t **more = realloc(c->c_aggs, (st->st_naggs + 1) * sizeof(*more));
		uint64_t *key = own_lines((st->st_keylen + AGG_PADDED) * 8);

		if (more != NULL)
			c->c_aggs = more;
		if (key != NULL) {
			free(c->c_key);
			c->c_key = key;
		}
		if (more == NULL || key == NULL)
			return -1;
		for (; c->c_naggs < st->st_naggs; c->c_naggs++)
			more[c->c_naggs] = NULL;
	}
	return 0;
}

int state_prepare(dtrace_state_t *st)
{
	uint32_t i;
	int cpu;

	if (st->st_cpus == NULL)
		st->st_cpus = own_lines((size_t)st->st_conf.c_ncpu * sizeof(dt_cpu_t));
	if (st->st_cpus == NULL)
		return -1;
	for (cpu = 0; cpu < st->st_conf.c_ncpu; cpu++)
		if (cpu_prepare(st, &st->st_cpus[cpu]) != 0)
			return -1;
	if (st->st_specs == NULL) {
		st->st_specs = calloc(st->st_conf.c_nspec + (size_t)1, sizeof(spec_t));
		for (i = 0; st->st_specs != NULL && i < st->st_conf.c_nspec; i++)
			if ((st->st_specs[i].sp_buf = calloc((size_t)st->st_conf.c_ncpu, sizeof(buf_t))) == NULL)
				return -1;
	}
	if (st->st_dyn == NULL)
		st->st_dyn = dyn_create(st->st_conf.c_dynvarsize, st->st_largest + st->st_conf.c_strsize);
	return st->st_specs == NULL || st->st_dyn == NULL ? -1 : 0;
}

/* Bytes that END's enablings may need in a buffer. */
static size_t end_size(const dtrace_state_t *st)
{
	const ecb_t *ecb;
	size_t size = 0;

	for (ecb = st->st_ecbs; ecb != NULL; ecb = ecb->e_allnext)
		if (ecb->e_pub.dte_probe == dtrace_probe_end)
			size += ecb->e_pub.dte_size + ecb->e_align;
	return size;
}

static const char *refusal(dtrace_state_t *st)
{
	const ecb_t *ecb;
	int cpu;

	for (ecb = st->st_ecbs; ecb != NULL; ecb = ecb->e_allnext) {
		if (ecb->e_pub.dte_desc->e_destructive && !st->st_conf.c_destructive)
			return "Destructive actions not allowed";
		if (ecb->e_pub.dte_size > st->st_conf.c_bufsize)
			return "Enabling exceeds size of buffer";
	}
	if (state_prepare(st) != 0)
		return "Not enough space";
	for (cpu = 0; cpu < st->st_conf.c_ncpu; cpu++)
		if (st->st_conf.c_cpu >= 0 && st->st_conf.c_cpu != cpu)
			st->st_cpus[cpu].c_exited = CPU_OFF;
	if (st->st_conf.c_bufpolicy == BUF_FILL) {
		if (end_size(st) > st->st_conf.c_bufsize)
			return "END enablings exceed size of principal buffer";
		for (cpu = 0; cpu < st->st_conf.c_ncpu; cpu++)
			st->st_cpus[cpu].c_buf.b_limit = st->st_conf.c_bufsize - end_size(st);
	}
	return NULL;
}

static int arm(dtrace_state_t *st)
{
	ecb_t *ecb;

	for (ecb = st->st_ecbs; ecb != NULL; ecb = ecb->e_allnext) {
		dtrace_probe_t *p = ecb->e_pub.dte_probe;

		if (p->dtpr_armed != 0)
			jit_share(p);
		else if (p->dtpr_prov->dtpv_enable(p) != 0)
			return -1;
		p->dtpr_armed++;
		ecb->e_armed = true;
	}
	return 0;
}

static void disarm(dtrace_state_t *st)
{
	ecb_t *ecb;

	for (ecb = st->st_ecbs; ecb != NULL; ecb = ecb->e_allnext) {
		dtrace_probe_t *p = ecb->e_pub.dte_probe;

		if (ecb->e_armed && --p->dtpr_armed == 0)
			p->dtpr_prov->dtpv_disable(p);
		ecb->e_armed = false;
	}
}

int dtrace_go(dtrace_state_t *st, char *errbuf, size_t errlen)
{
	const char *why = refusal(st);

	if (why != NULL) {
		(void)snprintf(errbuf, errlen, "%s", why);
		return -1;
	}
	st->st_activity = ACTIVITY_WARMUP;
	st->st_begincpu = machine_cpu;
	probe_fire_own(st, dtrace_probe_begin);
	if (st->st_activity == ACTIVITY_WARMUP)
		st->st_activity = st->st_paused ? ACTIVITY_PAUSED : ACTIVITY_ACTIVE;
	jit_compile(st);
	if (arm(st) != 0) {
		disarm(st);
		(void)snprintf(errbuf, errlen, "cannot arm a probe");
		return -1;
	}
	return 0;
}

/* A session that is ending goes on ending. */
void dtrace_pause(dtrace_state_t *st, bool pause)
{
	int cpu;

	for (cpu = 0; pause && st->st_cpus != NULL && cpu < st->st_conf.c_ncpu; cpu++)
		jit_unpin(st, &st->st_cpus[cpu]);
	st->st_paused = pause;
	if (pause && st->st_activity == ACTIVITY_ACTIVE)
		st->st_activity = ACTIVITY_PAUSED;
	else if (!pause && st->st_activity == ACTIVITY_PAUSED)
		st->st_activity = ACTIVITY_ACTIVE;
}

void dtrace_stop(dtrace_state_t *st)
{
	if (st->st_activity == ACTIVITY_NONE || st->st_activity == ACTIVITY_STOPPED)
		return;
	disarm(st);
	st->st_activity = ACTIVITY_COOLDOWN;
	st->st_endcpu = machine_cpu;
	probe_fire_own(st, dtrace_probe_end);
	st->st_activity = ACTIVITY_STOPPED;
}

bool dtrace_exiting(const dtrace_state_t *st, int *status)
{
	int cpu;

	for (cpu = 0; !st->st_exited && st->st_cpus != NULL && cpu < st->st_conf.c_ncpu; cpu++) {
		if (st->st_cpus[cpu].c_exited != CPU_EXITED)
			continue;
		if (status != NULL)
			*status = st->st_cpus[cpu].c_exitstatus;
		return true;
	}
	if (status != NULL)
		*status = st->st_exitstatus;
	return st->st_exited;
}

int dtrace_begin_cpu(const dtrace_state_t *st)
{
	return st->st_begincpu;
}

int dtrace_end_cpu(const dtrace_state_t *st)
{
	return st->st_endcpu;
}

void dtrace_drops(dtrace_state_t *st, int cpu, dtrace_drops_t *out)
{
	*out = (dtrace_drops_t){.d_dyn = st->st_dyndrops,
				.d_spec = st->st_specdrops,
				.d_specbusy = st->st_specbusy,
				.d_specunavail = st->st_specunavail,
				.d_dblerror = st->st_dblerrors};
	if (st->st_cpus != NULL && cpu >= 0 && cpu < st->st_conf.c_ncpu) {
		out->d_principal = st->st_cpus[cpu].c_drops;
		out->d_agg = st->st_cpus[cpu].c_aggdrops;
	}
}

int dif_run(dtrace_state_t *st, const dif_t *d, const uint64_t args[10], uint64_t *result, uint64_t *faddr)
{
	site_t site = {args, args + 6, 0, 0};
	mstate_t ms;
	int fault;

	if (state_prepare(st) != 0)
		return DTRACEFLT_UNKNOWN;
	mstate_init(&ms, st, NULL, &site, NULL);
	fault = dif_exec(&ms, d, result);
	if (faddr != NULL)
		*faddr = ms.ms_faddr;
	return fault;
}
