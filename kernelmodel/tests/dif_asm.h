/*
 * DIF programs and enablings written by hand, for the tests of the tracer.
 */
#ifndef TESTS_DIF_ASM_H
#define TESTS_DIF_ASM_H

#include <string.h>

#include "dtrace/dtrace.h"

typedef struct prog {
	dif_t d;
	uint32_t text[256];
	uint64_t ints[64];
	char strs[2048];
} prog_t;

static inline void emit(prog_t *p, uint32_t instr)
{
	p->d.d_text = p->text;
	p->d.d_ints = p->ints;
	p->d.d_strs = p->strs;
	p->text[p->d.d_len++] = instr;
}

static inline void op(prog_t *p, enum dif_op o, int r1, int r2, int rd)
{
	emit(p, DIF_INSTR(o, r1, r2, rd));
}

static inline void opi(prog_t *p, enum dif_op o, uint32_t index, int rd)
{
	emit(p, DIF_INSTR_IDX(o, index, rd));
}

static inline void setx(prog_t *p, int rd, uint64_t v)
{
	p->ints[p->d.d_nints] = v;
	opi(p, DIF_SETX, p->d.d_nints++, rd);
}

static inline void sets(prog_t *p, int rd, const char *s)
{
	opi(p, DIF_SETS, p->d.d_strlen, rd);
	memcpy(p->strs + p->d.d_strlen, s, strlen(s) + 1);
	p->d.d_strlen += (uint32_t)strlen(s) + 1;
}

static inline void ret(prog_t *p, int rd)
{
	op(p, DIF_RET, 0, 0, rd);
}

/* A branch to be aimed later. */
static inline uint32_t br(prog_t *p, enum dif_op o)
{
	emit(p, DIF_INSTR_BR(o, 0));
	return p->d.d_len - 1;
}

static inline void aim(prog_t *p, uint32_t at)
{
	p->text[at] |= p->d.d_len;
}

static inline prog_t *constant(prog_t *p, uint64_t v)
{
	setx(p, 1, v);
	ret(p, 1);
	return p;
}

static inline prog_t *text(prog_t *p, const char *s)
{
	sets(p, 1, s);
	ret(p, 1);
	return p;
}

static inline prog_t *builtin(prog_t *p, enum dif_var v)
{
	opi(p, DIF_LDV, v, 1);
	ret(p, 1);
	return p;
}

/* ---- enablings ---- */

typedef struct clause {
	dtrace_ecbdesc_t desc;
	dtrace_act_t acts[16];
	uint32_t nacts;
} clause_t;

static inline clause_t *on(clause_t *c, const char *prov, const char *mod, const char *func, const char *name)
{
	c->desc.e_desc = (dtrace_probedesc_t){0, prov, mod, func, name};
	return c;
}

static inline dtrace_act_t *action(clause_t *c, dtrace_actkind_t kind, const dif_t *d)
{
	dtrace_act_t *a = &c->acts[c->nacts];

	a->a_kind = kind;
	a->a_dif = (dif_t *)(uintptr_t)d;
	a->a_type.dt_kind = DIF_VOID;
	if (c->nacts > 0)
		a[-1].a_next = a;
	c->nacts++;
	c->desc.e_acts = c->acts;
	return a;
}

/* Record the program's value. */
static inline dtrace_act_t *record(clause_t *c, const prog_t *p, dif_kind_t kind, uint32_t size)
{
	dtrace_act_t *a = action(c, ACT_DIFEXPR, &p->d);

	a->a_type = (dif_type_t){.dt_kind = kind, .dt_signed = true, .dt_size = size};
	return a;
}

static inline dtrace_act_t *stack_of(clause_t *c, uint32_t depth)
{
	dtrace_act_t *a = action(c, ACT_STACK, NULL);

	a->a_arg = depth;
	a->a_type = (dif_type_t){.dt_kind = DIF_STACK, .dt_size = depth * 8};
	return a;
}

/* Aggregate by the last n actions. */
static inline dtrace_act_t *aggregate_by(clause_t *c, dtrace_aggvar_t *av, uint32_t n, const prog_t *value)
{
	dtrace_act_t *a = action(c, ACT_AGG, value == NULL ? NULL : &value->d);

	a->a_agg = av;
	a->a_ntuple = n;
	return a;
}

#endif
