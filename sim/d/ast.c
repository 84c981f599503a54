/*
 * Building the syntax tree.  What is constant is folded here, while parsing:
 * D programs use that to choose actions with `CONSTANT ? printf(...) : 1'.
 */
#include "d/dt_impl.h"

#include <string.h>

node_t *node_new(dt_t *dt, nkind_t kind)
{
	node_t *n = dt_alloc(dt, sizeof(*n));

	n->n_kind = kind;
	n->n_line = dt_here(dt);
	n->n_depth = 1;
	return n;
}

static void deepen(dt_t *dt, node_t *n, const node_t *child)
{
	for (; child != NULL; child = child->n_next)
		n->n_depth = MAX(n->n_depth, child->n_depth + 1);
	if (n->n_depth > DT_MAXDEPTH)
		dt_error(dt, "D_UNKNOWN", dt_here(dt), "program text is nested too deeply");
}

node_t *node_int(dt_t *dt, uint64_t value, ctype_t *type)
{
	node_t *n = node_new(dt, N_INT);

	n->n_value = value;
	n->n_type = type;
	return n;
}

node_t *node_str(dt_t *dt, const char *text)
{
	node_t *n = node_new(dt, N_STR);

	n->n_str = text;
	n->n_type = dt->t.string;
	return n;
}

node_t *node_ident(dt_t *dt, const char *name, int scope)
{
	node_t *n = node_new(dt, N_IDENT);

	n->n_str = name;
	n->n_scope = scope;
	return n;
}

node_t *node_type(dt_t *dt, ctype_t *type)
{
	node_t *n = node_new(dt, N_TYPE);

	n->n_type = type;
	return n;
}

node_t *node_link(node_t *list, node_t *n)
{
	node_t *tail;

	if (list == NULL || n == NULL)
		return list == NULL ? n : list;
	tail = list->n_tail != NULL ? list->n_tail : list;
	tail->n_next = n;
	list->n_tail = n->n_tail != NULL ? n->n_tail : n;
	return list;
}

uint32_t node_count(const node_t *list)
{
	uint32_t n = 0;

	for (; list != NULL; list = list->n_next)
		n++;
	return n;
}

const char *op_name(op_t op)
{
	static const char *const names[] = {
	    [OP_COMMA] = ",",   [OP_ASGN] = "=",     [OP_ADDA] = "+=",       [OP_SUBA] = "-=",
	    [OP_MULA] = "*=",   [OP_DIVA] = "/=",    [OP_MODA] = "%=",       [OP_ANDA] = "&=",
	    [OP_XORA] = "^=",   [OP_ORA] = "|=",     [OP_SHLA] = "<<=",      [OP_SHRA] = ">>=",
	    [OP_COND] = "?:",   [OP_LOR] = "||",     [OP_LXOR] = "^^",       [OP_LAND] = "&&",
	    [OP_OR] = "|",      [OP_XOR] = "^",      [OP_AND] = "&",         [OP_EQ] = "==",
	    [OP_NE] = "!=",     [OP_LT] = "<",       [OP_LE] = "<=",         [OP_GT] = ">",
	    [OP_GE] = ">=",     [OP_SHL] = "<<",     [OP_SHR] = ">>",        [OP_ADD] = "+",
	    [OP_SUB] = "-",     [OP_MUL] = "*",      [OP_DIV] = "/",         [OP_MOD] = "%",
	    [OP_NEG] = "-",     [OP_POS] = "+",      [OP_NOT] = "~",         [OP_LNOT] = "!",
	    [OP_PREINC] = "++", [OP_PREDEC] = "--",  [OP_POSTINC] = "++",    [OP_POSTDEC] = "--",
	    [OP_DEREF] = "*",   [OP_ADDROF] = "&",   [OP_SIZEOF] = "sizeof", [OP_STRINGOF] = "stringof",
	    [OP_CAST] = "()",   [OP_INDEX] = "[",    [OP_PTR] = "->",        [OP_DOT] = ".",
	    [OP_CALL] = "()",   [OP_XLATE] = "xlate"};

	return op < sizeof(names) / sizeof(names[0]) && names[op] != NULL ? names[op] : "?";
}

op_t op_of_assign(op_t op)
{
	switch (op) {
	case OP_ADDA:
		return OP_ADD;
	case OP_SUBA:
		return OP_SUB;
	case OP_MULA:
		return OP_MUL;
	case OP_DIVA:
		return OP_DIV;
	case OP_MODA:
		return OP_MOD;
	case OP_ANDA:
		return OP_AND;
	case OP_XORA:
		return OP_XOR;
	case OP_ORA:
		return OP_OR;
	case OP_SHLA:
		return OP_SHL;
	case OP_SHRA:
		return OP_SHR;
	default:
		return OP_NONE;
	}
}

/* ---- constant folding: 64-bit registers, the type says how to divide, shift and compare ---- */

static uint64_t fold_arith(op_t op, uint64_t a, uint64_t b, bool sign)
{
	int64_t sa = (int64_t)a, sb = (int64_t)b;

	switch (op) {
	case OP_ADD:
		return a + b;
	case OP_SUB:
		return a - b;
	case OP_MUL:
		return a * b;
	case OP_DIV:
		if (sign && sb == -1)
			return 0 - a;
		return sign ? (uint64_t)(sa / sb) : a / b;
	case OP_MOD:
		if (sign && sb == -1)
			return 0;
		return sign ? (uint64_t)(sa % sb) : a % b;
	case OP_AND:
		return a & b;
	case OP_OR:
		return a | b;
	default:
		return a ^ b;
	}
}

static bool fold_compare(op_t op, uint64_t a, uint64_t b, bool sign)
{
	bool less = sign ? (int64_t)a < (int64_t)b : a < b;

	switch (op) {
	case OP_EQ:
		return a == b;
	case OP_NE:
		return a != b;
	case OP_LT:
		return less;
	case OP_LE:
		return less || a == b;
	case OP_GT:
		return !less && a != b;
	default:
		return !less;
	}
}

static node_t *fold2(dt_t *dt, op_t op, const node_t *a, const node_t *b)
{
	ctype_t *t = dt_promote(dt, a->n_type, b->n_type);
	uint64_t x = a->n_value, y = b->n_value;
	bool sign = ctf_is_signed(dt, t);

	switch (op) {
	case OP_ADD:
	case OP_SUB:
	case OP_MUL:
	case OP_DIV:
	case OP_MOD:
	case OP_AND:
	case OP_OR:
	case OP_XOR:
		return node_int(dt, fold_arith(op, x, y, sign), t);
	case OP_SHL:
		return node_int(dt, x << (y & 63), a->n_type);
	case OP_SHR:
		sign = ctf_is_signed(dt, a->n_type);
		return node_int(dt, sign ? (uint64_t)((int64_t)x >> (y & 63)) : x >> (y & 63), a->n_type);
	case OP_EQ:
	case OP_NE:
	case OP_LT:
	case OP_LE:
	case OP_GT:
	case OP_GE:
		return node_int(dt, fold_compare(op, x, y, sign), dt->t.i);
	case OP_LAND:
		return node_int(dt, x != 0 && y != 0, dt->t.i);
	case OP_LOR:
		return node_int(dt, x != 0 || y != 0, dt->t.i);
	case OP_LXOR:
		return node_int(dt, (x != 0) != (y != 0), dt->t.i);
	default:
		return NULL;
	}
}

static node_t *fold1(dt_t *dt, op_t op, const node_t *a)
{
	switch (op) {
	case OP_NEG: {
		uint64_t v = 0 - a->n_value;
		uint32_t bits = ctf_bits(dt, a->n_type);

		if (!ctf_is_signed(dt, a->n_type) && bits < 64)
			v &= ((uint64_t)1 << bits) - 1;
		return node_int(dt, v, a->n_type);
	}
	case OP_POS:
		return node_int(dt, a->n_value, a->n_type);
	case OP_NOT:
		return node_int(dt, ~a->n_value, a->n_type);
	case OP_LNOT:
		return node_int(dt, a->n_value == 0, dt->t.i);
	default:
		return NULL;
	}
}

/* ---- operators ---- */

static node_t *sizeof_type(dt_t *dt, ctype_t *t)
{
	ctype_t *r = ctf_resolve(dt, t);

	if (r->c_kind == CT_VOID || r->c_kind == CT_FUNC || r->c_kind == CT_DYN || r->c_incomplete ||
	    r->c_kind == CT_STACK || r->c_kind == CT_ASSOC)
		dt_error(dt, "D_SIZEOF_TYPE", dt_here(dt), "cannot apply sizeof to an operand of unknown size");
	return node_int(dt, ctf_size(dt, t), dt->t.size);
}

node_t *node_op1(dt_t *dt, op_t op, node_t *a)
{
	node_t *n;

	if (op == OP_SIZEOF && a->n_kind == N_TYPE)
		return sizeof_type(dt, a->n_type);
	if (a->n_kind == N_INT && (n = fold1(dt, op, a)) != NULL)
		return n;
	n = node_new(dt, N_OP1);
	n->n_op = op;
	n->n_left = a;
	deepen(dt, n, a);
	return n;
}

node_t *node_op2(dt_t *dt, op_t op, node_t *a, node_t *b)
{
	bool div = op == OP_DIV || op == OP_MOD || op == OP_DIVA || op == OP_MODA;
	node_t *n;

	if (div && b->n_kind == N_INT && b->n_value == 0)
		dt_error(dt, "D_DIV_ZERO", dt_here(dt), "expression contains division by zero");
	if (op == OP_CAST && b->n_kind == N_INT && ctf_is_int(dt, a->n_type))
		return node_int(dt, dt_convert(dt, b->n_value, b->n_type, a->n_type), a->n_type);
	if (a->n_kind == N_INT && b->n_kind == N_INT && (n = fold2(dt, op, a, b)) != NULL)
		return n;
	n = node_new(dt, N_OP2);
	n->n_op = op;
	n->n_left = a;
	n->n_right = b;
	deepen(dt, n, a);
	deepen(dt, n, b);
	return n;
}

node_t *node_op3(dt_t *dt, node_t *cond, node_t *a, node_t *b)
{
	node_t *n;

	if (cond->n_kind == N_INT)
		return cond->n_value != 0 ? a : b;
	n = node_new(dt, N_OP3);
	n->n_op = OP_COND;
	n->n_left = cond;
	n->n_right = a;
	n->n_third = b;
	deepen(dt, n, cond);
	deepen(dt, n, a);
	deepen(dt, n, b);
	return n;
}

/* Whether a name is a function is settled here, before anything is typed. */
node_t *node_call(dt_t *dt, node_t *func, node_t *args)
{
	ident_t *id;
	node_t *n;

	if (func->n_kind != N_IDENT)
		dt_error(dt, "D_FUNC_IDENT", dt_here(dt), "function designator is not of function type");
	id = dt_ident_lookup(dt_scope_hash(dt, (id_scope_t)func->n_scope), func->n_str);
	if (id == NULL)
		dt_error(dt, "D_FUNC_UNDEF", dt_here(dt), "undefined function name: %s", func->n_str);
	if (id->i_kind != ID_FUNC && id->i_kind != ID_ACTFUNC && id->i_kind != ID_AGGFUNC)
		dt_error(dt, "D_FUNC_IDKIND", dt_here(dt), "%s '%s' may not be referenced as a function",
			 dt_ident_kind(id), id->i_name);
	n = node_new(dt, N_FUNC);
	n->n_id = id;
	n->n_args = args;
	deepen(dt, n, args);
	return n;
}

node_t *node_index(dt_t *dt, node_t *array, node_t *args)
{
	node_t *n = node_new(dt, N_OP2);

	n->n_op = OP_INDEX;
	n->n_left = array;
	n->n_args = args;
	deepen(dt, n, array);
	deepen(dt, n, args);
	return n;
}

node_t *node_offsetof(dt_t *dt, ctype_t *type, const char *member)
{
	const cmember_t *m;
	uint64_t off;

	if (!ctf_is_sou(dt, type))
		dt_error(dt, "D_OFFSETOF_TYPE", dt_here(dt), "offsetof operand must be a struct or union type");
	m = ctf_member(dt, type, member, &off);
	if (m == NULL)
		dt_error(dt, "D_UNKNOWN", dt_here(dt),
			 "failed to determine offset of %s: No member name corresponds to name", member);
	if (m->m_bitlen != 0)
		dt_error(dt, "D_OFFSETOF_BITFIELD", dt_here(dt), "cannot take offset of a bit-field: %s", member);
	return node_int(dt, off, dt->t.size);
}

node_t *node_xlate(dt_t *dt, ctype_t *type, node_t *expr)
{
	node_t *n = node_new(dt, N_XLATE);

	n->n_op = OP_XLATE;
	n->n_type = type;
	n->n_left = expr;
	deepen(dt, n, expr);
	return n;
}

node_t *node_clone(dt_t *dt, const node_t *n, bool list)
{
	node_t *first = NULL, **pp = &first;

	for (; n != NULL; n = n->n_next) {
		node_t *c = dt_alloc(dt, sizeof(*c));

		*c = *n;
		c->n_next = NULL;
		c->n_left = node_clone(dt, n->n_left, false);
		c->n_right = node_clone(dt, n->n_right, n->n_kind == N_CLAUSE);
		c->n_third = node_clone(dt, n->n_third, false);
		c->n_args = node_clone(dt, n->n_args, true);
		*pp = c;
		pp = &c->n_next;
		if (!list)
			break;
	}
	return first;
}

bool node_is_posconst(dt_t *dt, const node_t *n)
{
	return n->n_kind == N_INT && n->n_value != 0 && (!ctf_is_signed(dt, n->n_type) || (int64_t)n->n_value > 0);
}
