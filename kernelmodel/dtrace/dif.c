/*
 * The DIF machine: a plain interpreter, and the reference for anything faster.
 */
#include <time.h>

#include "probectx.h"
#include "sys/thread.h"
#include "dtrace_impl.h"

/* ---- memory ---- */

/* There is no more of it than is left of the principal buffer behind the clause's record. */
static size_t scratch_left(const mstate_t *ms)
{
	const dt_cpu_t *c = ms->ms_cpu;
	size_t used = (size_t)(ms->ms_scratch - c->c_scratch), size = c->c_scratchlen, taken = c->c_buf.b_off;

	if (ms->ms_ecb != NULL)
		taken += ms->ms_ecb->e_pub.dte_size;
	if (ms->ms_state->st_conf.c_bufpolicy != BUF_RING)
		size = size > taken ? size - taken : 0;
	return size > used ? size - used : 0;
}

char *dif_scratch(mstate_t *ms, size_t n)
{
	char *p = ms->ms_scratch;
	size_t left = scratch_left(ms);

	if (n > left || ((n + 7) & ~(size_t)7) > left)
		return NULL;
	ms->ms_scratch += (n + 7) & ~(size_t)7;
	return p;
}

static bool inside(uintptr_t addr, size_t n, const char *base, size_t len)
{
	return addr >= (uintptr_t)base && addr - (uintptr_t)base <= len && n <= len - (addr - (uintptr_t)base);
}

bool dif_canstore(const mstate_t *ms, uintptr_t addr, size_t n)
{
	const dtrace_state_t *st = ms->ms_state;
	const dt_cpu_t *c = ms->ms_cpu;

	return inside(addr, n, c->c_scratch, (size_t)(ms->ms_scratch - c->c_scratch)) ||
	       inside(addr, n, c->c_localdata, st->st_locallen) ||
	       inside(addr, n, st->st_globaldata, st->st_globallen) || dyn_canstore(st->st_dyn, addr, n);
}

/* ---- variables by reference ---- */

/* Store into a variable's memory from src: strings are cut to fit. */
static int copy_in(mstate_t *ms, char *data, uint32_t size, bool string, uint64_t src)
{
	ssize_t len;

	if (string) {
		len = dtrace_copystr(data, (const char *)(uintptr_t)src, size);
		if (len >= 0)
			return 0;
	} else if (dtrace_copyfrom(data, (const void *)(uintptr_t)src, size) == 0) {
		return 0;
	}
	ms->ms_faddr = src;
	return DTRACEFLT_BADADDR;
}

static int var_store(mstate_t *ms, var_t *v, uint64_t val)
{
	if (!v->v_byref) {
		v->v_val = val;
		return 0;
	}
	if (val == 0) {
		if (v->v_string) {
			v->v_val = 0;
			return 0;
		}
		ms->ms_faddr = 0;
		return DTRACEFLT_BADADDR;
	}
	v->v_val = (uintptr_t)v->v_data;
	return copy_in(ms, v->v_data, v->v_size, v->v_string, val);
}

static uint64_t thread_id(void)
{
	return curthread == NULL ? 0 : curthread->t_did;
}

static int dyn_load(mstate_t *ms, uint32_t var, const dynvar_desc_t *dv, uint64_t tid, bool array, uint64_t *val)
{
	/* naming an element that is a struct or array makes it */
	bool make = array && dv->dv_byref && !dv->dv_string;
	int fault = 0;
	char *data;

	state_lock(ms->ms_state);
	data = dyn_find(ms, var, dv, tid, array, make, &fault);
	state_unlock(ms->ms_state);
	*val = data == NULL ? 0 : dv->dv_byref ? (uintptr_t)data : *(uint64_t *)(void *)data;
	return fault;
}

static int dyn_store(mstate_t *ms, uint32_t var, const dynvar_desc_t *dv, uint64_t tid, bool array, uint64_t val)
{
	int fault = 0;
	char *data;

	state_lock(ms->ms_state);
	if (val == 0) {
		dyn_delete(ms, var, tid, array, &fault);
	} else {
		data = dyn_find(ms, var, dv, tid, array, true, &fault);
		if (data != NULL && dv->dv_byref)
			fault = copy_in(ms, data, dv->dv_size, dv->dv_string, val);
		else if (data != NULL)
			*(uint64_t *)(void *)data = val;
	}
	state_unlock(ms->ms_state);
	return fault;
}

/* ---- builtin variables ---- */

hrtime_t mstate_now(mstate_t *ms)
{
	struct timespec ts;

	if (!ms->ms_havenow) {
		ms->ms_havenow = true;
		if (ms->ms_state->st_conf.c_hostclock) {
			(void)clock_gettime(CLOCK_MONOTONIC, &ts);
			ms->ms_now = ts.tv_sec * (hrtime_t)1000000000 + ts.tv_nsec;
		} else {
			ms->ms_now = machine_uptime();
		}
	}
	return ms->ms_now;
}

static uint64_t argument(const mstate_t *ms, uint64_t n)
{
	uint64_t v;

	if (n < 6)
		return ms->ms_site->si_args[n];
	if (n < 10 && ms->ms_site->si_more != NULL && fetch_u64(&v, (uintptr_t)(ms->ms_site->si_more + (n - 6))))
		return v;
	return 0;
}

static uint64_t walltime(mstate_t *ms)
{
	struct timespec ts;

	if (!ms->ms_state->st_conf.c_hostclock)
		return (uint64_t)machine_walltime();
	(void)clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)(ts.tv_sec * 1000000000L + ts.tv_nsec);
}

static uint64_t text(const char *s)
{
	return (uintptr_t)s;
}

/* Of the process: interrupts and the host's own stack belong to process 0. */
uint64_t dif_process_builtin(uint32_t var)
{
	const kthread_t *t = curthread;
	const proc_t *p = t == NULL ? p0 : t->t_procp;

	switch (var) {
	case DIF_VAR_PID:
		return p == NULL ? 0 : (uint64_t)(int64_t)p->p_pid;
	case DIF_VAR_PPID:
		return p == NULL ? 0 : (uint64_t)(int64_t)p->p_ppid;
	case DIF_VAR_TID:
		return t == NULL ? 0 : t->t_tid;
	case DIF_VAR_EXECNAME:
		return text(p == NULL ? "sched" : p->p_user.u_comm);
	case DIF_VAR_UID:
		return p == NULL || p->p_cred == NULL ? 0 : p->p_cred->cr_uid;
	case DIF_VAR_GID:
		return p == NULL || p->p_cred == NULL ? 0 : p->p_cred->cr_gid;
	case DIF_VAR_ERRNO:
		return t == NULL || t->t_lwp == NULL ? 0 : (uint64_t)(int64_t)t->t_lwp->lwp_errno;
	case DIF_VAR_IPL:
		return t == NULL ? 0 : (uint64_t)(int64_t)t->t_intr;
	case DIF_VAR_VTIMESTAMP:
		return t == NULL ? 0 : (uint64_t)t->t_vtime + 1; /* as the time since boot */
	default:
		return 0;
	}
}

uint64_t dif_builtin(mstate_t *ms, uint32_t var)
{
	uint64_t pc;

	if (var <= DIF_VAR_ARG9)
		return argument(ms, var - DIF_VAR_ARG0);
	switch (var) {
	case DIF_VAR_CURTHREAD:
		return (uintptr_t)curthread;
	case DIF_VAR_TIMESTAMP:
		return (uint64_t)mstate_now(ms);
	case DIF_VAR_WALLTIMESTAMP:
		return walltime(ms);
	case DIF_VAR_EPID:
		return ms->ms_ecb == NULL ? 0 : ms->ms_ecb->e_pub.dte_epid;
	case DIF_VAR_ID:
		return ms->ms_probe == NULL ? 0 : ms->ms_probe->dtpr_id;
	case DIF_VAR_CPU:
		return (uint64_t)machine_cpu;
	case DIF_VAR_STACKDEPTH:
		return stack_depth(ms->ms_site);
	case DIF_VAR_CALLER:
		return stack_walk(ms->ms_site, &pc, 1) == 1 ? pc : 0;
	case DIF_VAR_USTACKDEPTH:
	case DIF_VAR_UCALLER:
		return 0; /* user programs are modelled without a stack */
	case DIF_VAR_PROBEPROV:
		return text(ms->ms_probe == NULL ? "" : ms->ms_probe->dtpr_provider);
	case DIF_VAR_PROBEMOD:
		return text(ms->ms_probe == NULL ? "" : ms->ms_probe->dtpr_mod);
	case DIF_VAR_PROBEFUNC:
		return text(ms->ms_probe == NULL ? "" : ms->ms_probe->dtpr_func);
	case DIF_VAR_PROBENAME:
		return text(ms->ms_probe == NULL ? "" : ms->ms_probe->dtpr_name);
	case DIF_VAR_ZONENAME:
		return text("global");
	case DIF_VAR_CWD:
		return text("<unknown>");
	case DIF_VAR_ROOT:
		return text("/");
	default:
		return dif_process_builtin(var);
	}
}

/* ---- loads and stores ---- */

int dif_load(mstate_t *ms, uint32_t kind, uint64_t addr, uint64_t *val)
{
	static const uint8_t align[] = {0, 1, 3, 0, 1, 3, 7};
	bool ok;

	if ((addr & align[kind]) != 0) {
		ms->ms_faddr = addr;
		return DTRACEFLT_BADALIGN;
	}
	switch (kind) {
	case 0:
		ok = fetch_s8(val, addr);
		break;
	case 1:
		ok = fetch_s16(val, addr);
		break;
	case 2:
		ok = fetch_s32(val, addr);
		break;
	case 3:
		ok = fetch_u8(val, addr);
		break;
	case 4:
		ok = fetch_u16(val, addr);
		break;
	case 5:
		ok = fetch_u32(val, addr);
		break;
	default:
		ok = fetch_u64(val, addr);
		break;
	}
	if (ok)
		return 0;
	ms->ms_faddr = addr;
	return DTRACEFLT_BADADDR;
}

static int store(mstate_t *ms, uint64_t addr, uint32_t size, uint64_t val)
{
	if ((addr & (size - 1)) != 0) {
		ms->ms_faddr = addr;
		return DTRACEFLT_BADALIGN;
	}
	if (!dif_canstore(ms, addr, size)) {
		ms->ms_faddr = addr;
		return DTRACEFLT_BADADDR;
	}
	mem_copy((void *)(uintptr_t)addr, &val, size);
	return 0;
}

static int copy_bytes(mstate_t *ms, uint64_t to, uint64_t from, uint64_t n)
{
	if (!dif_canstore(ms, to, n)) {
		ms->ms_faddr = to;
		return DTRACEFLT_BADADDR;
	}
	if (dtrace_copyfrom((void *)(uintptr_t)to, (const void *)(uintptr_t)from, n) != 0) {
		ms->ms_faddr = from;
		return DTRACEFLT_BADADDR;
	}
	return 0;
}

static int push(mstate_t *ms, uint8_t kind, uint64_t val, uint64_t size)
{
	if (ms->ms_ntuple == MAXTUPLE || size > UINT32_MAX)
		return DTRACEFLT_TUPOFLOW;
	ms->ms_tuple[ms->ms_ntuple].kind = kind;
	ms->ms_tuple[ms->ms_ntuple].val = val;
	ms->ms_tuple[ms->ms_ntuple].size = (uint32_t)size;
	ms->ms_ntuple++;
	return 0;
}

/* ---- the interpreter ---- */

/* Division as D has it: INT64_MIN / -1 does not trap. */
static uint64_t divide(uint32_t op, uint64_t a, uint64_t b)
{
	switch (op) {
	case DIF_SDIV:
		return b == (uint64_t)-1 ? -a : (uint64_t)((int64_t)a / (int64_t)b);
	case DIF_SREM:
		return b == (uint64_t)-1 ? 0 : (uint64_t)((int64_t)a % (int64_t)b);
	case DIF_UDIV:
		return a / b;
	default:
		return a % b;
	}
}

static bool branch(uint32_t op, uint64_t a, uint64_t b)
{
	switch (op) {
	case DIF_BA:
		return true;
	case DIF_BE:
		return a == b;
	case DIF_BNE:
		return a != b;
	case DIF_BG:
		return (int64_t)a > (int64_t)b;
	case DIF_BGU:
		return a > b;
	case DIF_BGE:
		return (int64_t)a >= (int64_t)b;
	case DIF_BGEU:
		return a >= b;
	case DIF_BL:
		return (int64_t)a < (int64_t)b;
	case DIF_BLU:
		return a < b;
	case DIF_BLE:
		return (int64_t)a <= (int64_t)b;
	default:
		return a <= b;
	}
}

int dif_exec(mstate_t *ms, const dif_t *d, uint64_t *result)
{
	const dtrace_state_t *st = ms->ms_state;
	uint64_t r[DIF_NREGS];
	uint64_t a = 0, b = 0; /* what was compared */
	uint32_t pc, in;
	int fault, order;

	for (pc = 0; pc < DIF_NREGS; pc++)
		r[pc] = 0;
	pc = 0;
	ms->ms_ntuple = 0;
	for (;;) {
		in = d->d_text[pc];
		fault = 0;
		switch (DIF_OP(in)) {
		case DIF_OR:
			r[DIF_RD(in)] = r[DIF_R1(in)] | r[DIF_R2(in)];
			break;
		case DIF_XOR:
			r[DIF_RD(in)] = r[DIF_R1(in)] ^ r[DIF_R2(in)];
			break;
		case DIF_AND:
			r[DIF_RD(in)] = r[DIF_R1(in)] & r[DIF_R2(in)];
			break;
		case DIF_SLL:
			r[DIF_RD(in)] = r[DIF_R1(in)] << (r[DIF_R2(in)] & 63);
			break;
		case DIF_SRL:
			r[DIF_RD(in)] = r[DIF_R1(in)] >> (r[DIF_R2(in)] & 63);
			break;
		case DIF_SRA:
			r[DIF_RD(in)] = (uint64_t)((int64_t)r[DIF_R1(in)] >> (r[DIF_R2(in)] & 63));
			break;
		case DIF_SUB:
			r[DIF_RD(in)] = r[DIF_R1(in)] - r[DIF_R2(in)];
			break;
		case DIF_ADD:
			r[DIF_RD(in)] = r[DIF_R1(in)] + r[DIF_R2(in)];
			break;
		case DIF_MUL:
			r[DIF_RD(in)] = r[DIF_R1(in)] * r[DIF_R2(in)];
			break;
		case DIF_SDIV:
		case DIF_UDIV:
		case DIF_SREM:
		case DIF_UREM:
			if (r[DIF_R2(in)] == 0)
				fault = DTRACEFLT_DIVZERO;
			else
				r[DIF_RD(in)] = divide(DIF_OP(in), r[DIF_R1(in)], r[DIF_R2(in)]);
			break;
		case DIF_NOT:
			r[DIF_RD(in)] = ~r[DIF_R1(in)];
			break;
		case DIF_MOV:
			r[DIF_RD(in)] = r[DIF_R1(in)];
			break;
		case DIF_CMP:
			a = r[DIF_R1(in)];
			b = r[DIF_R2(in)];
			break;
		case DIF_TST:
			a = r[DIF_R1(in)];
			b = 0;
			break;
		case DIF_SCMP:
			fault = dif_strcmp(ms, r[DIF_R1(in)], r[DIF_R2(in)], &order);
			a = (uint64_t)(order + 1); /* right for signed and unsigned branches */
			b = 1;
			break;
		case DIF_BA:
		case DIF_BE:
		case DIF_BNE:
		case DIF_BG:
		case DIF_BGU:
		case DIF_BGE:
		case DIF_BGEU:
		case DIF_BL:
		case DIF_BLU:
		case DIF_BLE:
		case DIF_BLEU:
			if (branch(DIF_OP(in), a, b)) {
				pc = DIF_LABEL(in);
				continue;
			}
			break;
		case DIF_LDSB:
		case DIF_LDSH:
		case DIF_LDSW:
		case DIF_LDUB:
		case DIF_LDUH:
		case DIF_LDUW:
		case DIF_LDX:
			fault = dif_load(ms, DIF_OP(in) - DIF_LDSB, r[DIF_R1(in)], &r[DIF_RD(in)]);
			break;
		case DIF_ULDSB:
		case DIF_ULDSH:
		case DIF_ULDSW:
		case DIF_ULDUB:
		case DIF_ULDUH:
		case DIF_ULDUW:
		case DIF_ULDX:
			fault = dif_load(ms, DIF_OP(in) - DIF_ULDSB, r[DIF_R1(in)], &r[DIF_RD(in)]);
			break;
		case DIF_STB:
		case DIF_STH:
		case DIF_STW:
		case DIF_STX:
			fault = store(ms, r[DIF_RD(in)], 1U << (DIF_OP(in) - DIF_STB), r[DIF_R1(in)]);
			break;
		case DIF_COPYS:
			fault = copy_bytes(ms, r[DIF_RD(in)], r[DIF_R1(in)], r[DIF_R2(in)]);
			break;
		case DIF_ALLOCS: {
			size_t n = r[DIF_R1(in)];
			char *p = dif_scratch(ms, n);

			if (p == NULL) {
				fault = DTRACEFLT_NOSCRATCH;
				break;
			}
			mem_zero(p, n);
			r[DIF_RD(in)] = (uintptr_t)p;
			break;
		}
		case DIF_SETX:
			r[DIF_RD(in)] = d->d_ints[DIF_IDX(in)];
			break;
		case DIF_SETS:
			r[DIF_RD(in)] = (uintptr_t)(d->d_strs + DIF_IDX(in));
			break;
		case DIF_LDV:
			r[DIF_RD(in)] = dif_builtin(ms, DIF_IDX(in));
			break;
		case DIF_LDGA:
			r[DIF_RD(in)] = argument(ms, r[DIF_R1(in)]);
			break;
		case DIF_LDGS:
			r[DIF_RD(in)] = st->st_globals[DIF_IDX(in)].v_val;
			break;
		case DIF_STGS:
			fault = var_store(ms, &st->st_globals[DIF_IDX(in)], r[DIF_RD(in)]);
			break;
		case DIF_LDLS:
			r[DIF_RD(in)] = ms->ms_cpu->c_locals[DIF_IDX(in)].v_val;
			break;
		case DIF_STLS:
			fault = var_store(ms, &ms->ms_cpu->c_locals[DIF_IDX(in)], r[DIF_RD(in)]);
			break;
		case DIF_LDTS:
		case DIF_LDTAA:
			fault = dyn_load(ms, DYN_THREAD(DIF_IDX(in)), &st->st_tdyn[DIF_IDX(in)], thread_id(),
					 DIF_OP(in) == DIF_LDTAA, &r[DIF_RD(in)]);
			break;
		case DIF_STTS:
		case DIF_STTAA:
			fault = dyn_store(ms, DYN_THREAD(DIF_IDX(in)), &st->st_tdyn[DIF_IDX(in)], thread_id(),
					  DIF_OP(in) == DIF_STTAA, r[DIF_RD(in)]);
			break;
		case DIF_LDGAA:
			fault =
			    dyn_load(ms, DYN_GLOBAL(DIF_IDX(in)), &st->st_gdyn[DIF_IDX(in)], 0, true, &r[DIF_RD(in)]);
			break;
		case DIF_STGAA:
			fault =
			    dyn_store(ms, DYN_GLOBAL(DIF_IDX(in)), &st->st_gdyn[DIF_IDX(in)], 0, true, r[DIF_RD(in)]);
			break;
		case DIF_PUSHTV:
			fault = push(ms, TUPLE_INT, r[DIF_R1(in)], DIF_RD(in));
			break;
		case DIF_PUSHTS:
			fault = push(ms, TUPLE_STR, r[DIF_R1(in)], 0);
			break;
		case DIF_PUSHTR:
			fault = push(ms, TUPLE_BYTES, r[DIF_R1(in)], r[DIF_R2(in)]);
			break;
		case DIF_POPTS:
			if (ms->ms_ntuple > 0)
				ms->ms_ntuple--;
			break;
		case DIF_FLUSHTS:
			ms->ms_ntuple = 0;
			break;
		case DIF_CALL:
			fault = dif_subr(ms, DIF_IDX(in), &r[DIF_RD(in)]);
			ms->ms_ntuple = 0;
			break;
		case DIF_RET:
			*result = r[DIF_RD(in)];
			return 0;
		case DIF_NOP:
			break;
		default:
			fault = DTRACEFLT_ILLOP;
			break;
		}
		if (UNLIKELY(fault != 0)) {
			ms->ms_fpc = pc;
			return fault;
		}
		pc++;
	}
}
