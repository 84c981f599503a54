/*
 * Paths: the common DIF programs without an interpreter.
 *
 * Most expressions in probes are an argument, a builtin or a clause-local
 * variable, followed through some pointers: args[0]->q_qinfo->qi_minfo->mi_idname,
 * curthread->t_procp->p_user.u_psargs.  Such a program is one value that has
 * constants added and is replaced by what it points to, in a straight line.  It
 * may end in msgsize() or msgdsize() of the value, and in its assignment to a
 * clause-local variable.
 *
 * path_compile() recognises these by executing the program symbolically: each
 * register is unknown, a constant, or the value as it stands.  What it does not
 * recognise is left to the interpreter.
 */
#include "probectx.h"
#include "dtrace_impl.h"

enum { UNKNOWN, CONSTANT, VALUE };

typedef struct reg {
	uint8_t kind;
	uint64_t n; /* the constant; or what is still to be added to the value */
} reg_t;

typedef struct compiler {
	const dtrace_state_t *st;
	const dif_t *d;
	path_t *p;
	reg_t r[DIF_NREGS];
	bool started, pushed;
	uint64_t pushed_off;
} compiler_t;

/* A load makes a new value: registers that still hold the old one are lost. */
static void new_value(compiler_t *c, uint32_t rd)
{
	int i;

	for (i = 0; i < DIF_NREGS; i++)
		if (c->r[i].kind == VALUE)
			c->r[i].kind = UNKNOWN;
	c->r[rd] = (reg_t){VALUE, 0};
}

static bool start(compiler_t *c, pathstart_t kind, uint32_t what, uint32_t rd)
{
	if (c->started)
		return false;
	c->started = true;
	c->p->p_start = kind;
	c->p->p_what = what;
	c->r[rd] = (reg_t){VALUE, 0};
	return true;
}

static bool add_load(compiler_t *c, uint32_t pc, uint32_t kind, reg_t from, uint32_t rd)
{
	path_t *p = c->p;

	if (from.kind != VALUE || p->p_nloads == PATH_LOADS || p->p_call != 0 || c->pushed ||
	    (int32_t)from.n != (int64_t)from.n)
		return false;
	p->p_loads[p->p_nloads].off = (int32_t)from.n;
	p->p_loads[p->p_nloads].kind = (uint8_t)kind;
	p->p_loads[p->p_nloads].pc = (uint16_t)pc;
	p->p_nloads++;
	new_value(c, rd);
	return true;
}

static bool add(compiler_t *c, reg_t a, reg_t b, uint32_t rd)
{
	if (a.kind == UNKNOWN || b.kind == UNKNOWN || (a.kind == VALUE && b.kind == VALUE))
		return false;
	c->r[rd] = (reg_t){MAX(a.kind, b.kind), a.n + b.n};
	return true;
}

static bool add_call(compiler_t *c, uint32_t pc, uint32_t subr, uint32_t rd)
{
	if ((subr != DIF_SUBR_MSGSIZE && subr != DIF_SUBR_MSGDSIZE) || !c->pushed || c->p->p_call != 0)
		return false;
	c->p->p_call = (uint8_t)subr;
	c->p->p_callpc = (uint16_t)pc;
	c->p->p_calloff = c->pushed_off;
	new_value(c, rd);
	c->pushed = false;
	return true;
}

static bool step(compiler_t *c, uint32_t pc)
{
	uint32_t in = c->d->d_text[pc], o = DIF_OP(in), rd = DIF_RD(in);
	reg_t a = c->r[DIF_R1(in) % DIF_NREGS], b = c->r[DIF_R2(in) % DIF_NREGS];

	switch (o) {
	case DIF_LDV:
		return start(c, DIF_IDX(in) <= DIF_VAR_ARG5 ? PATH_ARG : PATH_BUILTIN, DIF_IDX(in), rd);
	case DIF_LDLS:
		return start(c, PATH_LOCAL, DIF_IDX(in), rd);
	case DIF_LDGS:
		return start(c, PATH_GLOBAL, DIF_IDX(in), rd);
	case DIF_SETX:
		c->r[rd] = (reg_t){CONSTANT, c->d->d_ints[DIF_IDX(in)]};
		return true;
	case DIF_MOV:
		c->r[rd] = a;
		return true;
	case DIF_ADD:
		return add(c, a, b, rd);
	case DIF_FLUSHTS:
		return !c->pushed;
	case DIF_NOP:
		return true;
	case DIF_PUSHTV:
		if (a.kind != VALUE || c->pushed)
			return false;
		c->pushed = true;
		c->pushed_off = a.n;
		return true;
	case DIF_CALL:
		return add_call(c, pc, DIF_IDX(in), rd);
	case DIF_STLS:
		if (c->r[rd].kind != VALUE || c->p->p_store || c->st->st_localproto[DIF_IDX(in)].v_byref)
			return false;
		c->p->p_store = true;
		c->p->p_storevar = DIF_IDX(in);
		c->p->p_storeoff = c->r[rd].n;
		return true;
	default:
		break;
	}
	/* nothing may follow the assignment but the end */
	if (c->p->p_store)
		return false;
	if (o >= DIF_LDSB && o <= DIF_LDX)
		return add_load(c, pc, o - DIF_LDSB, a, rd);
	if (o >= DIF_ULDSB && o <= DIF_ULDX)
		return add_load(c, pc, o - DIF_ULDSB, a, rd);
	return false;
}

bool path_compile(const dtrace_state_t *st, const dif_t *d, path_t *p)
{
	compiler_t c = {.st = st, .d = d, .p = p};
	uint32_t pc;
	reg_t last;

	*p = (path_t){0};
	c.r[0].kind = CONSTANT;
	for (pc = 0; pc + 1 < d->d_len; pc++)
		if (DIF_OP(d->d_text[pc]) == DIF_RET || !step(&c, pc))
			return false;
	last = c.r[DIF_RD(d->d_text[pc])];
	if (!c.started || c.pushed || last.kind != VALUE)
		return false;
	p->p_end = last.n;
	p->p_ok = true;
	return true;
}

int path_exec(mstate_t *ms, const path_t *p, uint64_t *result)
{
	uint64_t v, addr;
	uint32_t i;
	int fault;

	switch (p->p_start) {
	case PATH_ARG:
		v = ms->ms_site->si_args[p->p_what];
		break;
	case PATH_LOCAL:
		v = ms->ms_cpu->c_locals[p->p_what].v_val;
		break;
	case PATH_GLOBAL:
		v = ms->ms_state->st_globals[p->p_what].v_val;
		break;
	default:
		v = dif_builtin(ms, p->p_what);
		break;
	}
	for (i = 0; i < p->p_nloads; i++) {
		addr = v + (uint64_t)(int64_t)p->p_loads[i].off;
		if (LIKELY(p->p_loads[i].kind == DIF_LDX - DIF_LDSB && (addr & 7) == 0) && LIKELY(fetch_u64(&v, addr)))
			continue;
		fault = dif_load(ms, p->p_loads[i].kind, addr, &v);
		if (UNLIKELY(fault != 0)) {
			ms->ms_fpc = p->p_loads[i].pc;
			return fault;
		}
	}
	if (p->p_call != 0) {
		fault = dif_msgsize(ms, v + p->p_calloff, p->p_call == DIF_SUBR_MSGDSIZE, &v);
		if (UNLIKELY(fault != 0)) {
			ms->ms_fpc = p->p_callpc;
			return fault;
		}
	}
	if (p->p_store)
		ms->ms_cpu->c_locals[p->p_storevar].v_val = v + p->p_storeoff;
	*result = v + p->p_end;
	return 0;
}
