/*
 * From a checked expression to DIF.
 *
 * Registers are handed out lowest first; an expression leaves its value in one
 * of them.  Values that must outlive the computation of others are held: in
 * their register while there are enough, else in hidden clause-local
 * variables, so that no expression is too complicated.  By-reference values
 * (strings, structs, arrays) are their addresses.
 */
#include "d/dt_impl.h"

#include <string.h>

#define MAXTEXT (1U << 20)
#define KEEPFREE 5 /* registers that one operation may need beside what is held */

typedef struct gen {
	dt_t *dt;
	uint32_t *text;
	size_t len, alen;
	uint64_t *ints;
	size_t nints, aints;
	char *strs;
	size_t strlen, astrs;
	uint16_t used; /* registers */
	uint32_t spilled;
	int depth, line;
} gen_t;

/* A value put aside: a register, or a spill variable + 1. */
typedef struct held {
	int reg;
	uint32_t spill;
} held_t;

static int gen(gen_t *g, const node_t *n);

/* ---- instructions ---- */

static uint32_t emit(gen_t *g, uint32_t instr)
{
	if (g->len >= MAXTEXT)
		dt_error(g->dt, "D_UNKNOWN", g->line, "program is too large");
	g->text = dt_grow(g->dt, g->text, g->len, &g->alen, sizeof(*g->text));
	g->text[g->len] = instr;
	return (uint32_t)g->len++;
}

static void emit3(gen_t *g, enum dif_op op, int r1, int r2, int rd)
{
	emit(g, DIF_INSTR(op, r1, r2, rd));
}

/* A branch whose target comes later: land() fixes it. */
static uint32_t jump(gen_t *g, enum dif_op op)
{
	return emit(g, DIF_INSTR_BR(op, 0));
}

static void land(gen_t *g, uint32_t at)
{
	g->text[at] |= (uint32_t)g->len;
}

static int reg_new(gen_t *g)
{
	for (int r = 1; r < DIF_NREGS; r++) {
		if (!(g->used & 1U << r)) {
			g->used |= (uint16_t)(1U << r);
			return r;
		}
	}
	dt_error(g->dt, "D_UNKNOWN", g->line, "Insufficient registers to generate code");
}

static void reg_free(gen_t *g, int r)
{
	g->used &= (uint16_t) ~(1U << r);
}

static void reg_take(gen_t *g, int r)
{
	g->used |= (uint16_t)(1U << r);
}

static void set_int(gen_t *g, int reg, uint64_t v)
{
	size_t i = 0;

	if (v == 0) {
		emit3(g, DIF_MOV, 0, 0, reg);
		return;
	}
	while (i < g->nints && g->ints[i] != v)
		i++;
	if (i == g->nints) {
		if (i > UINT16_MAX)
			dt_error(g->dt, "D_UNKNOWN", g->line, "program is too large");
		g->ints = dt_grow(g->dt, g->ints, g->nints, &g->aints, sizeof(*g->ints));
		g->ints[g->nints++] = v;
	}
	emit(g, DIF_INSTR_IDX(DIF_SETX, i, reg));
}

static int gen_int(gen_t *g, uint64_t v)
{
	int r = reg_new(g);

	set_int(g, r, v);
	return r;
}

/* Strings are shared; an offset has 16 bits. */
static int gen_string(gen_t *g, const char *s)
{
	size_t len = strlen(s) + 1, at = 0;
	int r = reg_new(g);

	while (at < g->strlen && strcmp(g->strs + at, s) != 0)
		at += strlen(g->strs + at) + 1;
	if (at >= g->strlen) {
		char *p;

		at = g->strlen;
		if (at > UINT16_MAX)
			dt_error(g->dt, "D_UNKNOWN", g->line, "program is too large");
		if (at + len > g->astrs) {
			g->astrs = MAX(g->astrs * 2, at + len);
			p = dt_alloc(g->dt, g->astrs);
			if (at > 0)
				memcpy(p, g->strs, at);
			g->strs = p;
		}
		memcpy(g->strs + at, s, len);
		g->strlen += len;
	}
	emit(g, DIF_INSTR_IDX(DIF_SETS, at, r));
	return r;
}

/* ---- values put aside ---- */

static uint32_t spill_var(gen_t *g, uint32_t i)
{
	dt_t *dt = g->dt;

	while (dt->d_nspill <= i) {
		ident_t *id = dt_alloc(dt, sizeof(*id));

		id->i_name = "";
		id->i_kind = ID_SCALAR;
		id->i_scope = SC_THIS;
		id->i_type = dt->t.int64;
		dt_ident_number(dt, id, g->line);
		dt->d_spill = dt_grow(dt, dt->d_spill, dt->d_nspill, &dt->d_aspill, sizeof(ident_t *));
		dt->d_spill[dt->d_nspill++] = id;
	}
	return dt->d_spill[i]->i_id;
}

static held_t hold(gen_t *g, int reg)
{
	held_t h = {.reg = reg};

	if (DIF_NREGS - 1 - __builtin_popcount(g->used) >= KEEPFREE)
		return h;
	emit(g, DIF_INSTR_IDX(DIF_STLS, spill_var(g, g->spilled), reg));
	reg_free(g, reg);
	h.spill = ++g->spilled;
	return h;
}

/* Its register, loaded again if need be; the spill variable stays taken until the last one held is let go. */
static int reload(gen_t *g, held_t h)
{
	int r = h.reg;

	if (h.spill != 0) {
		r = reg_new(g);
		emit(g, DIF_INSTR_IDX(DIF_LDLS, spill_var(g, h.spill - 1), r));
	}
	return r;
}

static int unhold(gen_t *g, held_t h)
{
	int r = reload(g, h);

	if (h.spill != 0)
		g->spilled = h.spill - 1;
	return r;
}

/* ---- memory ---- */

static enum dif_op load_op(uint64_t size, bool sign)
{
	switch (size) {
	case 1:
		return sign ? DIF_LDSB : DIF_LDUB;
	case 2:
		return sign ? DIF_LDSH : DIF_LDUH;
	case 4:
		return sign ? DIF_LDSW : DIF_LDUW;
	default:
		return DIF_LDX;
	}
}

static enum dif_op store_op(uint64_t size)
{
	return size == 1 ? DIF_STB : size == 2 ? DIF_STH : size == 4 ? DIF_STW : DIF_STX;
}

/* Bytes that hold a bit-field. */
static uint32_t bit_storage(const cmember_t *m)
{
	uint32_t bits = m->m_bitoff + m->m_bitlen;

	return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
}

static void shift_const(gen_t *g, enum dif_op op, int reg, uint32_t n)
{
	int r = gen_int(g, n);

	emit3(g, op, reg, r, reg);
	reg_free(g, r);
}

static void extend(gen_t *g, int reg, uint32_t bits, bool sign)
{
	shift_const(g, DIF_SLL, reg, 64 - bits);
	shift_const(g, sign ? DIF_SRA : DIF_SRL, reg, 64 - bits);
}

/* The value at the address in reg, into reg. */
static int load(gen_t *g, int reg, ctype_t *t, const cmember_t *m)
{
	dt_t *dt = g->dt;
	bool sign = ctf_is_signed(dt, t);

	if (m != NULL && m->m_bitlen != 0) {
		emit3(g, load_op(bit_storage(m), false), reg, 0, reg);
		if (m->m_bitoff != 0)
			shift_const(g, DIF_SRL, reg, m->m_bitoff);
		if (m->m_bitlen < 64)
			extend(g, reg, m->m_bitlen, sign);
		return reg;
	}
	if (!ctf_is_byref(dt, t))
		emit3(g, load_op(ctf_size(dt, t), sign), reg, 0, reg);
	return reg;
}

/* Replace the field's bits in what is there. */
static void store_bits(gen_t *g, int addr, int val, const cmember_t *m)
{
	uint64_t ones = m->m_bitlen == 64 ? UINT64_MAX : ((uint64_t)1 << m->m_bitlen) - 1;
	int old = reg_new(g), bits = reg_new(g), mask;

	emit3(g, load_op(bit_storage(m), false), addr, 0, old);
	mask = gen_int(g, ~(ones << m->m_bitoff));
	emit3(g, DIF_AND, old, mask, old);
	set_int(g, mask, ones);
	emit3(g, DIF_AND, val, mask, bits);
	if (m->m_bitoff != 0) {
		set_int(g, mask, m->m_bitoff);
		emit3(g, DIF_SLL, bits, mask, bits);
	}
	emit3(g, DIF_OR, old, bits, old);
	emit3(g, store_op(bit_storage(m)), old, 0, addr);
	reg_free(g, mask);
	reg_free(g, bits);
	reg_free(g, old);
}

static void store(gen_t *g, int addr, int val, ctype_t *t, const cmember_t *m)
{
	dt_t *dt = g->dt;

	if (m != NULL && m->m_bitlen != 0) {
		store_bits(g, addr, val, m);
	} else if (ctf_is_byref(dt, t)) {
		int size = gen_int(g, ctf_size(dt, t));

		emit3(g, DIF_COPYS, val, size, addr);
		reg_free(g, size);
	} else {
		emit3(g, store_op(ctf_size(dt, t)), val, 0, addr);
	}
}

/* Conversion of an integer in a register. */
static void convert(gen_t *g, int reg, ctype_t *from, ctype_t *to)
{
	uint32_t bits;
	bool sign;

	if (ctf_is_int(g->dt, from) && ctf_is_int(g->dt, to) && dt_conversion(g->dt, from, to, &bits, &sign))
		extend(g, reg, bits, sign);
}

/* ---- tuples ---- */

static void push(gen_t *g, int reg, ctype_t *t)
{
	dt_t *dt = g->dt;
	ctype_t *r = ctf_resolve(dt, t);
	uint64_t size = ctf_size(dt, t);

	if (r->c_kind == CT_STRING) {
		emit3(g, DIF_PUSHTS, reg, 0, 0);
	} else if (ctf_is_byref(dt, t)) {
		int n = gen_int(g, size);

		emit3(g, DIF_PUSHTR, reg, n, 0);
		reg_free(g, n);
	} else {
		emit3(g, DIF_PUSHTV, reg, 0, size == 1 || size == 2 || size == 4 ? (int)size : 8);
	}
}

/* All keys are computed before any is pushed, since computing one may use the stack. */
static held_t *gen_keys(gen_t *g, const node_t *n)
{
	held_t *h = dt_alloc(g->dt, (node_count(n->n_args) + 1) * sizeof(*h));
	const cparam_t *p = n->n_id->i_keys;
	size_t i = 0;

	for (const node_t *a = n->n_args; a != NULL; a = a->n_next, p = p->p_next) {
		int r = gen(g, a);

		convert(g, r, a->n_type, p->p_type);
		h[i++] = hold(g, r);
	}
	return h;
}

static void push_keys(gen_t *g, const node_t *n, const held_t *h)
{
	const cparam_t *p = n->n_id->i_keys;

	emit3(g, DIF_FLUSHTS, 0, 0, 0);
	for (size_t i = 0; p != NULL; p = p->p_next, i++) {
		int r = reload(g, h[i]);

		push(g, r, p->p_type);
		if (h[i].spill != 0)
			reg_free(g, r);
	}
}

static void drop_keys(gen_t *g, const node_t *n, const held_t *h)
{
	for (size_t i = node_count(n->n_args); i-- > 0;) {
		if (h[i].spill != 0)
			g->spilled = h[i].spill - 1;
		else
			reg_free(g, h[i].reg);
	}
}

/* ---- variables ---- */

static void var_instr(gen_t *g, const ident_t *id, bool st, int reg)
{
	static const enum dif_op ops[3][4] = {
	    [SC_GLOBAL] = {DIF_LDGS, DIF_STGS, DIF_LDGAA, DIF_STGAA},
	    [SC_SELF] = {DIF_LDTS, DIF_STTS, DIF_LDTAA, DIF_STTAA},
	    [SC_THIS] = {DIF_LDLS, DIF_STLS, DIF_LDLS, DIF_STLS},
	};
	int i = (id->i_kind == ID_ARRAY ? 2 : 0) + st;

	emit(g, DIF_INSTR_IDX(ops[id->i_scope][i], id->i_id, reg));
}

/* A parameter of the inline stands for an argument of this use while the definition is generated. */
static int gen_inline(gen_t *g, const node_t *n)
{
	ident_t *id = n->n_id;
	const node_t *a = n->n_args;
	node_t **old = dt_alloc(g->dt, (node_count(a) + 1) * sizeof(*old));
	size_t i = 0;
	int r;

	for (cparam_t *p = id->i_keys; p != NULL && a != NULL; p = p->p_next, a = a->n_next) {
		old[i++] = p->p_id->i_root;
		p->p_id->i_root = (node_t *)a;
	}
	r = gen(g, id->i_root);
	i = 0;
	a = n->n_args;
	for (cparam_t *p = id->i_keys; p != NULL && a != NULL; p = p->p_next, a = a->n_next)
		p->p_id->i_root = old[i++];
	return r;
}

/* args[n] comes as a whole register, whatever the caller left in the bits that its type does not have. */
static int gen_arg(gen_t *g, const node_t *n)
{
	int r = reg_new(g);
	uint32_t bits = ctf_bits(g->dt, n->n_type);

	if (n->n_value < 10) {
		emit(g, DIF_INSTR_IDX(DIF_LDV, DIF_VAR_ARG0 + n->n_value, r));
	} else {
		set_int(g, r, n->n_value);
		emit3(g, DIF_LDGA, r, 0, r);
	}
	if (ctf_is_int(g->dt, n->n_type) && bits < 64)
		extend(g, r, bits, ctf_is_signed(g->dt, n->n_type));
	return r;
}

static int gen_var(gen_t *g, const node_t *n)
{
	const ident_t *id = n->n_id;
	held_t *h = NULL;
	int r;

	if (id->i_kind == ID_INLINE)
		return gen_inline(g, n);
	if (id->i_kind == ID_PARAM) {
		if (id->i_root == NULL)
			dt_error(g->dt, "D_UNKNOWN", g->line, "parameter %s has no value here", id->i_name);
		return gen(g, id->i_root);
	}
	if (id->i_args)
		return gen_arg(g, n);
	if (id->i_uregs) /* user programs of the model have no registers of their own */
		return gen_int(g, 0);
	if (id->i_builtin) {
		r = reg_new(g);
		emit(g, DIF_INSTR_IDX(DIF_LDV, id->i_id, r));
		return r;
	}
	if (id->i_kind == ID_ARRAY) {
		h = gen_keys(g, n);
		push_keys(g, n, h);
		drop_keys(g, n, h);
	}
	r = reg_new(g);
	var_instr(g, id, false, r);
	return r;
}

/* ---- addresses ---- */

static int gen_sym_addr(gen_t *g, const node_t *n)
{
	const csym_t *s = &n->n_id->i_sym;
	int r = gen_int(g, s->s_addr);

	if (!s->s_tls)
		return r;
	emit3(g, DIF_FLUSHTS, 0, 0, 0);
	emit3(g, DIF_PUSHTV, r, 0, 8);
	emit(g, DIF_INSTR_IDX(DIF_CALL, DIF_SUBR_TLSADDR, r));
	return r;
}

/* The address of an lvalue in memory. */
static int gen_addr(gen_t *g, const node_t *n)
{
	int r;

	if (n->n_kind == N_SYM)
		return gen_sym_addr(g, n);
	if (n->n_kind == N_OP1 && n->n_op == OP_DEREF)
		return gen(g, n->n_left);
	if (n->n_kind == N_OP2 && (n->n_op == OP_DOT || n->n_op == OP_PTR)) {
		r = gen(g, n->n_left);
		if (n->n_value != 0) {
			int off = gen_int(g, n->n_value);

			emit3(g, DIF_ADD, r, off, r);
			reg_free(g, off);
		}
		return r;
	}
	if (n->n_kind == N_VAR && n->n_id->i_kind == ID_INLINE && !n->n_id->i_haskeys)
		return gen_addr(g, n->n_id->i_root);
	return gen(g, n);
}

/* ---- operators ---- */

static bool is_string(gen_t *g, const node_t *n)
{
	return ctf_resolve(g->dt, n->n_type)->c_kind == CT_STRING;
}

static uint64_t elem_size(gen_t *g, ctype_t *t)
{
	ctype_t *r = ctf_resolve(g->dt, t);

	if (r->c_kind != CT_PTR && r->c_kind != CT_ARRAY)
		return 1;
	return MAX(ctf_size(g->dt, r->c_ref), 1);
}

static void scale(gen_t *g, int reg, uint64_t size)
{
	int r;

	if (size == 1)
		return;
	r = gen_int(g, size);
	emit3(g, DIF_MUL, reg, r, reg);
	reg_free(g, r);
}

/* Both operands in registers: *a, *b. */
static void gen_both(gen_t *g, const node_t *left, const node_t *right, int *a, int *b)
{
	held_t h = hold(g, gen(g, left));

	*b = gen(g, right);
	*a = unhold(g, h);
}

static enum dif_op arith_op(op_t op, bool sign)
{
	switch (op) {
	case OP_ADD:
		return DIF_ADD;
	case OP_SUB:
		return DIF_SUB;
	case OP_MUL:
		return DIF_MUL;
	case OP_DIV:
		return sign ? DIF_SDIV : DIF_UDIV;
	case OP_MOD:
		return sign ? DIF_SREM : DIF_UREM;
	case OP_AND:
		return DIF_AND;
	case OP_OR:
		return DIF_OR;
	case OP_XOR:
		return DIF_XOR;
	case OP_SHL:
		return DIF_SLL;
	default:
		return sign ? DIF_SRA : DIF_SRL;
	}
}

/* a = a op b, with pointers scaled. */
static void combine(gen_t *g, op_t op, ctype_t *ta, ctype_t *tb, int a, int b)
{
	dt_t *dt = g->dt;
	bool pa = ctf_is_ptr(dt, ta), pb = ctf_is_ptr(dt, tb), sign;
	ctype_t *t = pa || pb ? dt->t.ul : op == OP_SHL || op == OP_SHR ? ta : dt_promote(dt, ta, tb);

	sign = ctf_is_signed(dt, t);
	if (pa && !pb)
		scale(g, b, elem_size(g, ta));
	emit3(g, arith_op(op, sign), a, b, a);
	if (pa && pb && elem_size(g, ta) != 1) {
		int r = gen_int(g, elem_size(g, ta));

		emit3(g, DIF_UDIV, a, r, a);
		reg_free(g, r);
	}
}

static int gen_arith(gen_t *g, const node_t *n)
{
	int a, b;

	gen_both(g, n->n_left, n->n_right, &a, &b);
	combine(g, n->n_op, n->n_left->n_type, n->n_right->n_type, a, b);
	reg_free(g, b);
	return a;
}

static enum dif_op branch_op(op_t op, bool sign)
{
	switch (op) {
	case OP_EQ:
		return DIF_BE;
	case OP_NE:
		return DIF_BNE;
	case OP_LT:
		return sign ? DIF_BL : DIF_BLU;
	case OP_LE:
		return sign ? DIF_BLE : DIF_BLEU;
	case OP_GT:
		return sign ? DIF_BG : DIF_BGU;
	default:
		return sign ? DIF_BGE : DIF_BGEU;
	}
}

static op_t negate(op_t op)
{
	static const op_t no[] = {
	    [OP_EQ] = OP_NE, [OP_NE] = OP_EQ, [OP_LT] = OP_GE, [OP_GE] = OP_LT, [OP_GT] = OP_LE, [OP_LE] = OP_GT};

	return no[op];
}

static bool is_compare(const node_t *n)
{
	return n->n_kind == N_OP2 && n->n_op >= OP_EQ && n->n_op <= OP_GE;
}

/* A branch taken when the comparison is false. */
static uint32_t compare_jump(gen_t *g, const node_t *n)
{
	dt_t *dt = g->dt;
	const node_t *l = n->n_left, *r = n->n_right;
	bool str = is_string(g, l) || is_string(g, r), sign;
	int a, b;

	sign = !str && ctf_is_int(dt, l->n_type) && ctf_is_int(dt, r->n_type) &&
	       ctf_is_signed(dt, dt_promote(dt, l->n_type, r->n_type));
	gen_both(g, l, r, &a, &b);
	emit3(g, str ? DIF_SCMP : DIF_CMP, a, b, 0);
	reg_free(g, a);
	reg_free(g, b);
	return jump(g, branch_op(negate(n->n_op), sign));
}

/* A branch taken when the value is zero. */
static uint32_t false_jump(gen_t *g, const node_t *n)
{
	int r;

	if (is_compare(n))
		return compare_jump(g, n);
	r = gen(g, n);
	emit3(g, DIF_TST, r, 0, 0);
	reg_free(g, r);
	return jump(g, DIF_BE);
}

/* 1 here, 0 from the branches that land. */
static int gen_bool(gen_t *g, uint32_t f1, uint32_t f2, bool two)
{
	int r = gen_int(g, 1);
	uint32_t end = jump(g, DIF_BA);

	land(g, f1);
	if (two)
		land(g, f2);
	emit3(g, DIF_MOV, 0, 0, r);
	land(g, end);
	return r;
}

static int gen_land(gen_t *g, const node_t *n)
{
	uint32_t f1 = false_jump(g, n->n_left), f2 = false_jump(g, n->n_right);

	return gen_bool(g, f1, f2, true);
}

static int gen_lor(gen_t *g, const node_t *n)
{
	uint32_t no = false_jump(g, n->n_left), yes, f, end;
	int r;

	yes = jump(g, DIF_BA);
	land(g, no);
	f = false_jump(g, n->n_right);
	land(g, yes);
	r = gen_int(g, 1);
	end = jump(g, DIF_BA);
	land(g, f);
	emit3(g, DIF_MOV, 0, 0, r);
	land(g, end);
	return r;
}

static int gen_truth(gen_t *g, const node_t *n)
{
	return gen_bool(g, false_jump(g, n), 0, false);
}

static int gen_lxor(gen_t *g, const node_t *n)
{
	held_t h = hold(g, gen_truth(g, n->n_left));
	int b = gen_truth(g, n->n_right), a = unhold(g, h);

	emit3(g, DIF_XOR, a, b, a);
	reg_free(g, b);
	return a;
}

/* Both branches leave their value in the register that the first one chose. */
static int gen_cond(gen_t *g, const node_t *n)
{
	uint32_t no = false_jump(g, n->n_left), end;
	int a = gen(g, n->n_right), b;

	end = jump(g, DIF_BA);
	land(g, no);
	reg_free(g, a);
	b = gen(g, n->n_third);
	if (b != a) {
		emit3(g, DIF_MOV, b, 0, a);
		reg_free(g, b);
		reg_take(g, a);
	}
	land(g, end);
	return a;
}

static int gen_cast(gen_t *g, const node_t *n)
{
	int r = gen(g, n->n_right);
	ctype_t *from = ctf_resolve(g->dt, n->n_right->n_type);

	/* addresses are cut like unsigned integers */
	convert(g, r, ctf_is_int(g->dt, from) ? from : g->dt->t.ul, n->n_type);
	return r;
}

/* ---- assignment ---- */

/* Is it a variable with a cell of its own, or memory? */
static const node_t *target(const node_t *n)
{
	while (n->n_kind == N_VAR && n->n_id->i_kind == ID_INLINE && !n->n_id->i_haskeys)
		n = n->n_id->i_root;
	return n;
}

static int assign_var(gen_t *g, const node_t *left, const node_t *right)
{
	held_t v, *keys = NULL;
	int r;

	r = gen(g, right);
	if (left->n_id->i_kind == ID_ARRAY) {
		v = hold(g, r);
		keys = gen_keys(g, left);
		push_keys(g, left, keys);
		drop_keys(g, left, keys);
		r = unhold(g, v);
	}
	var_instr(g, left->n_id, true, r);
	return r;
}

static int gen_assign(gen_t *g, const node_t *n)
{
	const node_t *left = target(n->n_left);
	held_t v;
	int r, addr;

	if (left->n_kind == N_VAR)
		return assign_var(g, left, n->n_right);
	v = hold(g, gen(g, n->n_right));
	addr = gen_addr(g, left);
	r = unhold(g, v);
	store(g, addr, r, left->n_type, left->n_member);
	reg_free(g, addr);
	return r;
}

/*
 * left = left op right, computing left's place once.  The right operand is a
 * node, or with NULL the step of an increment.  Returns the new value, or with
 * `post' the old one.
 */
static int modify(gen_t *g, const node_t *left, op_t op, const node_t *right, bool post)
{
	ctype_t *rt = right != NULL ? right->n_type : g->dt->t.i;
	bool var = left->n_kind == N_VAR, array = var && left->n_id->i_kind == ID_ARRAY;
	held_t addr = {0}, *keys = NULL, old;
	int a, b, r;

	if (array) {
		keys = gen_keys(g, left);
		push_keys(g, left, keys);
	} else if (!var) {
		addr = hold(g, gen_addr(g, left));
	}
	if (var) {
		a = reg_new(g);
		var_instr(g, left->n_id, false, a);
	} else {
		r = reload(g, addr);
		a = reg_new(g);
		emit3(g, DIF_MOV, r, 0, a);
		if (addr.spill != 0)
			reg_free(g, r);
		load(g, a, left->n_type, left->n_member);
	}
	old = hold(g, a);
	b = right != NULL ? gen(g, right) : gen_int(g, 1);
	a = unhold(g, old);
	r = reg_new(g);
	emit3(g, DIF_MOV, a, 0, r);
	combine(g, op, left->n_type, rt, r, b);
	reg_free(g, b);
	if (array)
		push_keys(g, left, keys);
	if (var) {
		var_instr(g, left->n_id, true, r);
	} else {
		b = reload(g, addr);
		store(g, b, r, left->n_type, left->n_member);
		if (addr.spill != 0) {
			reg_free(g, b);
			g->spilled = addr.spill - 1;
		} else {
			reg_free(g, addr.reg);
		}
	}
	if (array)
		drop_keys(g, left, keys);
	reg_free(g, post ? r : a);
	return post ? a : r;
}

/* ---- calls and translators ---- */

static int gen_call(gen_t *g, const node_t *n)
{
	dt_t *dt = g->dt;
	const ident_t *id = n->n_id;
	held_t *h = dt_alloc(dt, (node_count(n->n_args) + 1) * sizeof(*h));
	const cparam_t *p = id->i_params;
	size_t i = 0;
	int r;

	if (id->i_kind == ID_ACTFUNC)
		dt_error(dt, "D_CG_EXPR", n->n_line,
			 "tracing function %s( ) may not be called from a D expression (D program context required)",
			 id->i_name);
	if (id->i_kind == ID_AGGFUNC)
		dt_error(dt, "D_CG_DYN", n->n_line, "expression cannot evaluate to result of dynamic type");
	for (const node_t *a = n->n_args; a != NULL; a = a->n_next)
		h[i++] = hold(g, gen(g, a));
	emit3(g, DIF_FLUSHTS, 0, 0, 0);
	i = 0;
	for (const node_t *a = n->n_args; a != NULL; a = a->n_next, p = p->p_next, i++) {
		r = reload(g, h[i]);
		if (p->p_type != NULL && ctf_is_strcompat(dt, p->p_type))
			emit3(g, DIF_PUSHTS, r, 0, 0);
		else
			emit3(g, DIF_PUSHTV, r, 0, 8);
		if (h[i].spill != 0)
			reg_free(g, r);
	}
	drop_keys(g, n, h);
	r = reg_new(g);
	emit(g, DIF_INSTR_IDX(DIF_CALL, id->i_id, r));
	return r;
}

static int gen_xlated(gen_t *g, const node_t *xlate, const node_t *expr, ctype_t *type)
{
	ident_t *param = xlate->n_xlator->x_param;
	node_t *old = param->i_root;
	int r;

	param->i_root = xlate->n_left;
	r = gen(g, expr);
	param->i_root = old;
	convert(g, r, expr->n_type, type);
	return r;
}

/* A whole struct made by a translator, in scratch memory. */
static int gen_xlate(gen_t *g, const node_t *n)
{
	dt_t *dt = g->dt;
	held_t h;
	int size, r;

	if (!ctf_is_sou(dt, n->n_type))
		dt_error(dt, "D_CG_DYN", n->n_line, "expression cannot evaluate to result of dynamic type");
	size = gen_int(g, MAX(ctf_size(dt, n->n_type), 1));
	emit3(g, DIF_ALLOCS, size, 0, size);
	h = hold(g, size);
	for (const struct xlmember *m = n->n_xlator->x_members; m != NULL; m = m->xm_next) {
		uint64_t off;
		const cmember_t *cm = ctf_member(dt, n->n_type, m->xm_name, &off);
		int v = gen_xlated(g, n, m->xm_expr, m->xm_type), at = gen_int(g, off);

		r = reload(g, h);
		emit3(g, DIF_ADD, r, at, at);
		store(g, at, v, m->xm_type, cm);
		reg_free(g, at);
		reg_free(g, v);
		if (h.spill != 0)
			reg_free(g, r);
	}
	return unhold(g, h);
}

/* ---- expressions ---- */

static int gen_op1(gen_t *g, const node_t *n)
{
	int r;

	switch (n->n_op) {
	case OP_PREINC:
	case OP_POSTINC:
		return modify(g, target(n->n_left), OP_ADD, NULL, n->n_op == OP_POSTINC);
	case OP_PREDEC:
	case OP_POSTDEC:
		return modify(g, target(n->n_left), OP_SUB, NULL, n->n_op == OP_POSTDEC);
	case OP_DEREF:
		return load(g, gen(g, n->n_left), n->n_type, NULL);
	case OP_ADDROF:
		return gen_addr(g, n->n_left);
	case OP_NEG:
		r = gen(g, n->n_left);
		emit3(g, DIF_SUB, 0, r, r);
		return r;
	case OP_NOT:
		r = gen(g, n->n_left);
		emit3(g, DIF_NOT, r, 0, r);
		return r;
	case OP_LNOT: {
		uint32_t zero = false_jump(g, n->n_left), end;

		r = gen_int(g, 0);
		end = jump(g, DIF_BA);
		land(g, zero);
		set_int(g, r, 1);
		land(g, end);
		return r;
	}
	default: /* + and stringof: the same register, read differently */
		return gen(g, n->n_left);
	}
}

static int gen_op2(gen_t *g, const node_t *n)
{
	op_t op = op_of_assign(n->n_op);

	switch (n->n_op) {
	case OP_COMMA:
		reg_free(g, gen(g, n->n_left));
		return gen(g, n->n_right);
	case OP_ASGN:
		if (n->n_left->n_kind == N_AGG)
			dt_error(g->dt, "D_CG_DYN", n->n_line, "expression cannot evaluate to result of dynamic type");
		return gen_assign(g, n);
	case OP_LAND:
		return gen_land(g, n);
	case OP_LOR:
		return gen_lor(g, n);
	case OP_LXOR:
		return gen_lxor(g, n);
	case OP_CAST:
		return gen_cast(g, n);
	case OP_PTR:
	case OP_DOT:
		return load(g, gen_addr(g, n), n->n_type, n->n_member);
	default:
		break;
	}
	if (is_compare(n))
		return gen_bool(g, compare_jump(g, n), 0, false);
	if (op != OP_NONE)
		return modify(g, target(n->n_left), op, n->n_right, false);
	return gen_arith(g, n);
}

static int gen_node(gen_t *g, const node_t *n)
{
	switch (n->n_kind) {
	case N_INT:
		return gen_int(g, n->n_value);
	case N_STR:
		return gen_string(g, n->n_str);
	case N_VAR:
		return gen_var(g, n);
	case N_SYM:
		return load(g, gen_sym_addr(g, n), n->n_type, NULL);
	case N_FUNC:
		return gen_call(g, n);
	case N_OP1:
		return gen_op1(g, n);
	case N_OP2:
		return gen_op2(g, n);
	case N_OP3:
		return gen_cond(g, n);
	case N_MEMBER:
		return gen_xlated(g, n->n_left, n->n_third, n->n_type);
	case N_XLATE:
		return gen_xlate(g, n);
	default:
		dt_error(g->dt, "D_CG_DYN", n->n_line, "expression cannot evaluate to result of dynamic type");
	}
}

/* Inlines nest without the parser's seeing it: the depth is watched here as well. */
static int gen(gen_t *g, const node_t *n)
{
	int r;

	if (++g->depth > DT_MAXDEPTH * 2)
		dt_error(g->dt, "D_UNKNOWN", g->line, "program text is nested too deeply");
	r = gen_node(g, n);
	g->depth--;
	return r;
}

dif_t *dt_gen(dt_t *dt, node_t *expr, const dif_type_t *type)
{
	gen_t g = {.dt = dt, .line = expr->n_line};
	dif_t *d = dt_alloc(dt, sizeof(*d));

	emit3(&g, DIF_RET, 0, 0, gen(&g, expr));
	d->d_text = g.text;
	d->d_len = (uint32_t)g.len;
	d->d_ints = g.ints;
	d->d_nints = (uint32_t)g.nints;
	d->d_strs = g.strs;
	d->d_strlen = (uint32_t)g.strlen;
	d->d_rtype = *type;
	return d;
}
