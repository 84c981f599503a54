/*
 * Types of expressions.
 */
#include "d/dt_impl.h"

#include <string.h>

/* ---- rules ---- */

ctype_t *dt_promote(dt_t *dt, ctype_t *a, ctype_t *b)
{
	uint32_t ra = ctf_bits(dt, a) + !ctf_is_signed(dt, a), rb = ctf_bits(dt, b) + !ctf_is_signed(dt, b);

	if (ctf_resolve(dt, a)->c_kind == CT_ENUM)
		a = dt->t.i;
	if (ctf_resolve(dt, b)->c_kind == CT_ENUM)
		b = dt->t.i;
	return ra >= rb ? a : b;
}

static uint64_t extend(uint64_t v, uint32_t bits, bool sign)
{
	if (bits >= 64 || bits == 0)
		return v;
	v <<= 64 - bits;
	return sign ? (uint64_t)((int64_t)v >> (64 - bits)) : v >> (64 - bits);
}

/* Narrower: cut and extended by the new sign; other sign: extended by it from the old width. */
bool dt_conversion(dt_t *dt, ctype_t *from, ctype_t *to, uint32_t *bits, bool *sign)
{
	uint32_t fb = ctf_bits(dt, from), tb = ctf_bits(dt, to);

	*sign = ctf_is_signed(dt, to);
	if (tb < fb)
		*bits = tb;
	else if (*sign != ctf_is_signed(dt, from))
		*bits = fb;
	else
		return false;
	return *bits < 64;
}

uint64_t dt_convert(dt_t *dt, uint64_t v, ctype_t *from, ctype_t *to)
{
	uint32_t bits;
	bool sign;

	return dt_conversion(dt, from, to, &bits, &sign) ? extend(v, bits, sign) : v;
}

bool dt_node_is_dyn(const node_t *n)
{
	return n->n_kind == N_AGG || n->n_kind == N_XLATE || n->n_type->c_kind == CT_DYN;
}

const char *dt_node_type(dt_t *dt, const node_t *n)
{
	if (n->n_kind == N_AGG)
		return "aggregation";
	if (n->n_kind == N_XLATE)
		return ctf_is_sou(dt, n->n_type) ? "translated data" : "pointer to translated data";
	if (n->n_type == NULL)
		return "<DYN>";
	if (n->n_type->c_kind == CT_DYN)
		return "aggregation";
	return ctf_name(dt, n->n_type);
}

static bool is_null(const node_t *n)
{
	return n->n_kind == N_INT && n->n_value == 0;
}

static bool is_string(dt_t *dt, ctype_t *t)
{
	return ctf_resolve(dt, t)->c_kind == CT_STRING;
}

/* Either is a string and both can be read as one. */
static bool string_pair(dt_t *dt, ctype_t *a, ctype_t *b)
{
	return (is_string(dt, a) || is_string(dt, b)) && ctf_is_strcompat(dt, a) && ctf_is_strcompat(dt, b);
}

static bool pointer_pair(dt_t *dt, ctype_t *a, ctype_t *b)
{
	ctype_t *ra, *rb;

	if (!ctf_is_ptr(dt, a) || !ctf_is_ptr(dt, b))
		return false;
	ra = ctf_resolve(dt, ctf_resolve(dt, a)->c_ref);
	rb = ctf_resolve(dt, ctf_resolve(dt, b)->c_ref);
	return ra->c_kind == CT_VOID || rb->c_kind == CT_VOID || ctf_same(dt, ra, rb);
}

bool dt_arg_compat(dt_t *dt, node_t *n, ctype_t *to)
{
	ctype_t *from = n->n_type;

	if (n->n_kind == N_XLATE)
		return ctf_is_sou(dt, from) && ctf_same(dt, from, to);
	if (dt_node_is_dyn(n))
		return false;
	if (ctf_is_int(dt, from) && ctf_is_int(dt, to))
		return true;
	if (is_null(n) && (ctf_resolve(dt, to)->c_kind == CT_PTR || is_string(dt, to)))
		return true;
	if (string_pair(dt, from, to) || pointer_pair(dt, from, to))
		return true;
	return ctf_same(dt, from, to);
}

static bool both_int(dt_t *dt, const node_t *a, const node_t *b)
{
	return !dt_node_is_dyn(a) && !dt_node_is_dyn(b) && ctf_is_int(dt, a->n_type) && ctf_is_int(dt, b->n_type);
}

static bool scalar(dt_t *dt, const node_t *n)
{
	return !dt_node_is_dyn(n) && ctf_is_scalar(dt, n->n_type);
}

static bool integral(dt_t *dt, const node_t *n)
{
	return !dt_node_is_dyn(n) && ctf_is_int(dt, n->n_type);
}

static bool pointerish(dt_t *dt, const node_t *n)
{
	return !dt_node_is_dyn(n) && ctf_is_ptr(dt, n->n_type);
}

static bool is_action(const node_t *n)
{
	return n->n_kind == N_FUNC && n->n_id->i_kind == ID_ACTFUNC;
}

static _Noreturn void incompatible(dt_t *dt, const node_t *n, const node_t *a, const node_t *b)
{
	dt_error(dt, "D_OP_INCOMPAT", n->n_line, "operands have incompatible types: \"%s\" %s \"%s\"",
		 dt_node_type(dt, a), op_name(n->n_op), dt_node_type(dt, b));
}

/* Of what a pointer points to; 0: nothing that has a size. */
static uint64_t pointee_size(dt_t *dt, ctype_t *t)
{
	ctype_t *r = ctf_resolve(dt, t);

	if (r->c_kind != CT_PTR && r->c_kind != CT_ARRAY)
		return 1;
	r = ctf_resolve(dt, r->c_ref);
	return r->c_kind == CT_FUNC || r->c_kind == CT_VOID ? 0 : MAX(ctf_size(dt, r), 1);
}

/* An integer argument, key, inline or member is converted to the type that is asked for. */
node_t *dt_cast_arg(dt_t *dt, node_t *n, ctype_t *to)
{
	uint32_t bits;
	bool sign;
	node_t *c;

	if (!integral(dt, n) || !ctf_is_int(dt, to))
		return n;
	if (!dt_conversion(dt, n->n_type, to, &bits, &sign) && ctf_bits(dt, n->n_type) == ctf_bits(dt, to))
		return n;
	if (n->n_kind == N_INT)
		c = node_int(dt, dt_convert(dt, n->n_value, n->n_type, to), to);
	else
		c = node_op2(dt, OP_CAST, node_type(dt, to), n);
	c->n_type = to;
	c->n_line = n->n_line;
	c->n_next = n->n_next;
	c->n_checked = true;
	n->n_next = NULL;
	return c;
}

/* ---- one operand ---- */

static void check_incdec(dt_t *dt, node_t *n)
{
	node_t *a = n->n_left = dt_check_target(dt, n->n_left, dt->t.int64);
	const char *op = op_name(n->n_op);

	if (!scalar(dt, a))
		dt_error(dt, "D_OP_SCALAR", n->n_line, "operator %s requires operand of scalar type", op);
	if (pointee_size(dt, a->n_type) == 0)
		dt_error(dt, "D_OP_VFPTR", n->n_line, "operator %s requires an operand of known size", op);
	if (!a->n_lvalue)
		dt_error(dt, "D_OP_LVAL", n->n_line, "operator %s requires modifiable lvalue as an operand", op);
	if (!a->n_write)
		dt_error(dt, "D_OP_WRITE", n->n_line, "operator %s can only be applied to a writable variable", op);
	n->n_type = a->n_type;
}

static void check_deref(dt_t *dt, node_t *n)
{
	const node_t *a = n->n_left;
	ctype_t *to;

	if (!pointerish(dt, a))
		dt_error(dt, "D_DEREF_NONPTR", n->n_line, "cannot dereference non-pointer type");
	to = ctf_resolve(dt, a->n_type)->c_ref;
	if (ctf_resolve(dt, to)->c_kind == CT_VOID)
		dt_error(dt, "D_DEREF_VOID", n->n_line, "cannot dereference pointer to void");
	if (ctf_resolve(dt, to)->c_kind == CT_FUNC)
		dt_error(dt, "D_DEREF_FUNC", n->n_line, "cannot dereference pointer to function");
	if (ctf_is_sou(dt, to) && ctf_resolve(dt, to)->c_incomplete)
		dt_error(dt, "D_OP_INCOMPLETE", n->n_line,
			 "operator * cannot be applied to a forward declaration: no %s definition is available",
			 ctf_name(dt, to));
	n->n_type = to;
	n->n_lvalue = n->n_write = true;
}

static bool is_bitfield(const node_t *n)
{
	return n->n_member != NULL && n->n_member->m_bitlen != 0;
}

static void check_addrof(dt_t *dt, node_t *n)
{
	const node_t *a = n->n_left;

	if ((a->n_kind == N_VAR && a->n_id->i_kind != ID_INLINE) || a->n_kind == N_AGG)
		dt_error(dt, "D_ADDROF_VAR", n->n_line, "cannot take address of dynamic variable");
	if (dt_node_is_dyn(a))
		dt_error(dt, "D_ADDROF_VAR", n->n_line, "cannot take address of dynamic object");
	if (!a->n_lvalue)
		dt_error(dt, "D_ADDROF_LVAL", n->n_line, "unacceptable operand for unary & operator");
	if (is_bitfield(a))
		dt_error(dt, "D_ADDROF_BITFIELD", n->n_line, "cannot take address of bit-field");
	n->n_type = ctf_ptr(dt, a->n_type);
}

static node_t *check_sizeof(dt_t *dt, const node_t *n)
{
	const node_t *a = n->n_left;
	ctype_t *r = ctf_resolve(dt, a->n_type);
	node_t *k;

	if (is_bitfield(a))
		dt_error(dt, "D_SIZEOF_BITFIELD", n->n_line, "cannot apply sizeof to a bit-field");
	if (dt_node_is_dyn(a) || r->c_kind == CT_VOID || r->c_kind == CT_FUNC || r->c_kind == CT_STACK ||
	    r->c_incomplete)
		dt_error(dt, "D_SIZEOF_TYPE", n->n_line, "cannot apply sizeof to an operand of unknown size");
	k = node_int(dt, ctf_size(dt, r), dt->t.size);
	k->n_next = n->n_next;
	return k;
}

static void check_stringof(dt_t *dt, node_t *n)
{
	const node_t *a = n->n_left;
	bool ok = scalar(dt, a) || (!dt_node_is_dyn(a) && ctf_is_strcompat(dt, a->n_type));

	if (!ok)
		dt_error(dt, "D_STRINGOF_TYPE", n->n_line, "cannot apply stringof to a value of type %s",
			 dt_node_type(dt, a));
	n->n_type = dt->t.string;
}

static node_t *check_op1(dt_t *dt, node_t *n)
{
	const char *op = op_name(n->n_op);

	if (n->n_op == OP_PREINC || n->n_op == OP_PREDEC || n->n_op == OP_POSTINC || n->n_op == OP_POSTDEC) {
		check_incdec(dt, n);
		return n;
	}
	n->n_left = dt_check(dt, n->n_left);
	switch (n->n_op) {
	case OP_NEG:
	case OP_POS:
		if (!integral(dt, n->n_left))
			dt_error(dt, "D_OP_ARITH", n->n_line, "operator %s requires an operand of arithmetic type", op);
		n->n_type = n->n_left->n_type;
		break;
	case OP_NOT:
		if (!integral(dt, n->n_left))
			dt_error(dt, "D_OP_INT", n->n_line, "operator %s requires an operand of integral type", op);
		n->n_type = n->n_left->n_type;
		break;
	case OP_LNOT:
		if (!scalar(dt, n->n_left))
			dt_error(dt, "D_OP_SCALAR", n->n_line, "operator %s requires an operand of scalar type", op);
		n->n_type = dt->t.i;
		break;
	case OP_DEREF:
		check_deref(dt, n);
		break;
	case OP_ADDROF:
		check_addrof(dt, n);
		break;
	case OP_SIZEOF:
		return check_sizeof(dt, n);
	default:
		check_stringof(dt, n);
		break;
	}
	return n;
}

/* ---- two operands ---- */

/* An enumerator's name beside a value of its enum needs no qualification. */
static node_t *check_enum_name(dt_t *dt, node_t *n, const node_t *left, node_t *right)
{
	ctype_t *t = left->n_type;
	int64_t v;

	if (right->n_kind != N_IDENT || right->n_scope != SC_GLOBAL || dt_node_is_dyn(left) ||
	    ctf_resolve(dt, t)->c_kind != CT_ENUM || !ctf_enum_value(dt, t, right->n_str, &v))
		return dt_check(dt, right);
	if (dt_resolve(dt, right) != NULL)
		dt_error(dt, "D_IDENT_AMBIG", n->n_line,
			 "ambiguous use of operator %s: %s is both a %s enum tag and a global %s", op_name(n->n_op),
			 right->n_str, ctf_name(dt, t), dt_ident_kind(dt_resolve(dt, right)));
	return node_int(dt, (uint64_t)v, t);
}

static void check_compare(dt_t *dt, node_t *n)
{
	const node_t *a, *b;
	bool ok;

	n->n_left = dt_check(dt, n->n_left);
	n->n_right = check_enum_name(dt, n, n->n_left, n->n_right);
	a = n->n_left;
	b = n->n_right;
	ok = both_int(dt, a, b);
	if (!ok && !dt_node_is_dyn(a) && !dt_node_is_dyn(b)) {
		ok = string_pair(dt, a->n_type, b->n_type) || pointer_pair(dt, a->n_type, b->n_type) ||
		     (is_null(a) && (pointerish(dt, b) || is_string(dt, b->n_type))) ||
		     (is_null(b) && (pointerish(dt, a) || is_string(dt, a->n_type)));
	}
	if (!ok)
		incompatible(dt, n, a, b);
	n->n_type = dt->t.i;
}

static void check_logical(dt_t *dt, node_t *n)
{
	if (!scalar(dt, n->n_left) || !scalar(dt, n->n_right))
		dt_error(dt, "D_OP_SCALAR", n->n_line, "operator %s requires operands of scalar type",
			 op_name(n->n_op));
	n->n_type = dt->t.i;
}

static void check_integral(dt_t *dt, node_t *n, op_t op)
{
	if (!both_int(dt, n->n_left, n->n_right))
		dt_error(dt, "D_OP_INT", n->n_line, "operator %s requires operands of integral type", op_name(n->n_op));
	n->n_type =
	    op == OP_SHL || op == OP_SHR ? n->n_left->n_type : dt_promote(dt, n->n_left->n_type, n->n_right->n_type);
}

static void check_muldiv(dt_t *dt, node_t *n)
{
	if (!both_int(dt, n->n_left, n->n_right))
		dt_error(dt, "D_OP_ARITH", n->n_line, "operator %s requires operands of arithmetic type",
			 op_name(n->n_op));
	n->n_type = dt_promote(dt, n->n_left->n_type, n->n_right->n_type);
}

/* An array that takes part in arithmetic is a pointer to its first element. */
static ctype_t *decay(dt_t *dt, ctype_t *t)
{
	ctype_t *r = ctf_resolve(dt, t);

	return r->c_kind == CT_ARRAY ? ctf_ptr(dt, r->c_ref) : t;
}

static void check_addsub(dt_t *dt, node_t *n)
{
	node_t *a = n->n_left, *b = n->n_right;

	if (both_int(dt, a, b)) {
		n->n_type = dt_promote(dt, a->n_type, b->n_type);
	} else if (pointerish(dt, a) && integral(dt, b)) {
		n->n_type = decay(dt, a->n_type);
	} else if (n->n_op == OP_ADD && integral(dt, a) && pointerish(dt, b)) {
		n->n_left = b;
		n->n_right = a;
		n->n_type = decay(dt, b->n_type);
	} else if (n->n_op == OP_SUB && pointerish(dt, a) && pointerish(dt, b) &&
		   pointer_pair(dt, a->n_type, b->n_type)) {
		n->n_type = dt->t.l;
	} else {
		incompatible(dt, n, a, b);
	}
}

static void check_cast(dt_t *dt, node_t *n)
{
	ctype_t *to = n->n_left->n_type, *rto = ctf_resolve(dt, to);
	const node_t *a = n->n_right = dt_check(dt, n->n_right);
	bool ok;

	if (dt_node_is_dyn(a))
		ok = rto->c_kind == CT_VOID;
	else if (rto->c_kind == CT_STRING)
		ok = scalar(dt, a) || ctf_is_strcompat(dt, a->n_type);
	else
		ok = rto->c_kind == CT_VOID || (ctf_is_scalar(dt, to) && scalar(dt, a)) ||
		     (rto->c_kind == CT_PTR && (pointerish(dt, a) || is_string(dt, a->n_type))) ||
		     (!ctf_is_ptr(dt, to) && ctf_same(dt, to, a->n_type));
	if (!ok)
		dt_error(dt, "D_CAST_INVAL", n->n_line, "invalid cast expression: \"%s\" to \"%s\"",
			 dt_node_type(dt, a), ctf_name(dt, to));
	n->n_type = to;
}

static void check_comma(dt_t *dt, node_t *n)
{
	if (dt_node_is_dyn(n->n_left) || dt_node_is_dyn(n->n_right))
		dt_error(dt, "D_OP_DYN", n->n_line, "operator , operands cannot be of dynamic type");
	if (is_action(n->n_left) || is_action(n->n_right))
		dt_error(dt, "D_OP_ACT", n->n_line, "operator , operands cannot be actions");
	n->n_type = n->n_right->n_type;
}

/* ---- members ---- */

static node_t *check_xlated_member(dt_t *dt, node_t *n)
{
	const node_t *x = n->n_left;
	const char *name = n->n_right->n_str;
	struct xlmember *m;

	for (m = x->n_xlator->x_members; m != NULL; m = m->xm_next) {
		if (strcmp(m->xm_name, name) == 0)
			break;
	}
	if (m == NULL)
		dt_error(dt, "D_XLATE_NOCONV", n->n_line, "translator does not define conversion for member: %s", name);
	n->n_kind = N_MEMBER;
	n->n_str = name;
	n->n_third = m->xm_expr;
	n->n_right = NULL;
	n->n_type = m->xm_type;
	return n;
}

static node_t *check_member(dt_t *dt, node_t *n)
{
	const char *op = op_name(n->n_op);
	node_t *a = n->n_left = dt_check(dt, n->n_left);
	ctype_t *t = a->n_type, *r = ctf_resolve(dt, t);
	bool arrow = n->n_op == OP_PTR;

	if (n->n_right->n_kind != N_IDENT)
		dt_error(dt, "D_OP_IDENT", n->n_line, "operator %s must be followed by an identifier", op);
	if (a->n_kind == N_XLATE && (arrow ? r->c_kind == CT_PTR : ctf_is_sou(dt, t)))
		return check_xlated_member(dt, n);
	if (arrow && !pointerish(dt, a))
		dt_error(dt, "D_OP_PTR", n->n_line, "operator -> must be applied to a pointer");
	if (arrow) {
		t = r->c_ref;
		r = ctf_resolve(dt, t);
	}
	if (ctf_is_sou(dt, r) && r->c_incomplete)
		dt_error(dt, "D_OP_INCOMPLETE", n->n_line,
			 "operator %s cannot be applied to a forward declaration: no %s definition is available", op,
			 ctf_name(dt, r));
	if (a->n_kind == N_AGG || !ctf_is_sou(dt, r))
		dt_error(dt, "D_OP_SOU", n->n_line,
			 "operator %s cannot be applied to %stype \"%s\"; must be applied to a struct or union%s", op,
			 arrow ? "pointer to " : "", a->n_kind == N_AGG ? "aggregation" : ctf_name(dt, t),
			 arrow ? " pointer" : "");
	n->n_member = ctf_member(dt, r, n->n_right->n_str, &n->n_value);
	if (n->n_member == NULL)
		dt_error(dt, "D_TYPE_MEMBER", n->n_line, "%s is not a member of %s", n->n_right->n_str,
			 ctf_name(dt, r));
	n->n_type = n->n_member->m_type;
	n->n_lvalue = arrow || a->n_lvalue;
	n->n_write = arrow || a->n_write;
	return n;
}

/* ---- assignment ---- */

static node_t *check_agg_assign(dt_t *dt, node_t *n)
{
	node_t *a = n->n_left;
	ident_t *id = a->n_id, *f;

	n->n_right = dt_check(dt, n->n_right);
	if (n->n_right->n_kind != N_FUNC || n->n_right->n_id->i_kind != ID_AGGFUNC)
		dt_error(dt, "D_AGG_FUNC", n->n_line, "@%s must be assigned the result of an aggregating function",
			 id->i_name);
	f = n->n_right->n_id;
	if (id->i_aggfunc != NULL && id->i_aggfunc != f)
		dt_error(dt, "D_AGG_REDEF", n->n_line,
			 "aggregation redefined: @%s\n\t current: @%s = %s( )\n\tprevious: @%s = %s( ) : line %d",
			 id->i_name, id->i_name, f->i_name, id->i_name, id->i_aggfunc->i_name, id->i_aggline);
	if (a->n_args == NULL)
		dt_agg_keys(dt, a);
	if (id->i_aggfunc == NULL) {
		id->i_aggfunc = f;
		id->i_aggline = n->n_line;
	}
	n->n_type = dt->t.dyn;
	return n;
}

static void check_writable(dt_t *dt, const node_t *n)
{
	const char *op = op_name(n->n_op);

	if (!n->n_left->n_lvalue)
		dt_error(dt, "D_OP_LVAL", n->n_line, "operator %s requires modifiable lvalue as an operand", op);
	if (!n->n_left->n_write)
		dt_error(dt, "D_OP_WRITE", n->n_line, "operator %s can only be applied to a writable variable", op);
}

/* A variable that is assigned for the first time gets the type of what it is given. */
static void infer_type(dt_t *dt, const node_t *n)
{
	node_t *a = n->n_left;
	const node_t *b = n->n_right;

	if (dt_node_is_dyn(b) && !(b->n_kind == N_XLATE && ctf_is_sou(dt, b->n_type)))
		dt_error(dt, "D_OP_INCOMPAT", n->n_line, "operands have incompatible types: \"%s\" %s \"%s\"", "<DYN>",
			 op_name(n->n_op), dt_node_type(dt, b));
	if (ctf_resolve(dt, b->n_type)->c_kind == CT_VOID)
		dt_error(dt, "D_OP_INCOMPAT", n->n_line, "operands have incompatible types: \"%s\" %s \"%s\"", "<DYN>",
			 op_name(n->n_op), dt_node_type(dt, b));
	if (ctf_resolve(dt, b->n_type)->c_kind == CT_ARRAY)
		dt_error(dt, "D_OP_ARRFUN", n->n_line, "operator %s may not be applied to operand of type \"%s\"",
			 op_name(n->n_op), dt_node_type(dt, b));
	dt_set_type(dt, a->n_id, b->n_type, n->n_line);
	a->n_type = b->n_type;
}

/* An element of any type is deleted by a literal 0. */
static bool deletes(dt_t *dt, const node_t *a, const node_t *b)
{
	return a->n_kind == N_VAR && (a->n_id->i_kind == ID_ARRAY || a->n_id->i_scope == SC_SELF) &&
	       !a->n_id->i_builtin && ctf_is_sou(dt, a->n_type) && is_null(b);
}

static node_t *check_assign(dt_t *dt, node_t *n)
{
	node_t *a = n->n_left = dt_check_target(dt, n->n_left, NULL);
	ctype_kind_t k;

	if (a->n_kind == N_AGG)
		return check_agg_assign(dt, n);
	if (a->n_kind == N_OP2 && a->n_op == OP_ASGN && a->n_left->n_kind == N_AGG)
		dt_error(dt, "D_OP_LVAL", n->n_line, "operator = requires modifiable lvalue as an operand");
	n->n_right = a->n_type != NULL ? check_enum_name(dt, n, a, n->n_right) : dt_check(dt, n->n_right);
	if (a->n_type == NULL)
		infer_type(dt, n);
	k = dt_node_is_dyn(a) ? CT_DYN : ctf_resolve(dt, a->n_type)->c_kind;
	if (k == CT_ARRAY || k == CT_FUNC)
		dt_error(dt, "D_OP_ARRFUN", n->n_line, "operator %s may not be applied to operand of type \"%s\"",
			 op_name(n->n_op), dt_node_type(dt, a));
	if (k == CT_DYN || !(dt_arg_compat(dt, n->n_right, a->n_type) || deletes(dt, a, n->n_right)))
		incompatible(dt, n, a, n->n_right);
	check_writable(dt, n);
	n->n_type = a->n_type;
	return n;
}

static void check_opassign_types(dt_t *dt, node_t *n)
{
	node_t *a = n->n_left, *b = n->n_right;
	const char *op = op_name(n->n_op);

	switch (n->n_op) {
	case OP_ADDA:
	case OP_SUBA:
		if (!integral(dt, a) && !(scalar(dt, a) && pointee_size(dt, a->n_type) != 0))
			dt_error(dt, "D_OP_VFPTR", n->n_line,
				 "operator %s requires left-hand scalar operand of known size", op);
		if (!integral(dt, b))
			incompatible(dt, n, a, b);
		break;
	case OP_MULA:
	case OP_DIVA:
		if (!both_int(dt, a, b))
			dt_error(dt, "D_OP_ARITH", n->n_line, "operator %s requires operands of arithmetic type", op);
		break;
	default:
		if (!both_int(dt, a, b))
			dt_error(dt, "D_OP_INT", n->n_line, "operator %s requires operands of integral type", op);
		break;
	}
}

static node_t *check_opassign(dt_t *dt, node_t *n)
{
	node_t *left = n->n_left;
	const node_t *name = left->n_kind == N_OP2 && left->n_op == OP_INDEX ? left->n_left : left;

	if (name->n_kind == N_IDENT && name->n_scope != SC_AGG && strchr(name->n_str, '`') == NULL &&
	    dt_resolve(dt, name) == NULL)
		dt_error(dt, "D_VAR_UNDEF", n->n_line, "%s%s has not yet been declared or assigned",
			 name->n_scope == SC_SELF   ? "self->"
			 : name->n_scope == SC_THIS ? "this->"
						    : "",
			 name->n_str);
	n->n_left = dt_check(dt, left);
	n->n_right = dt_check(dt, n->n_right);
	check_opassign_types(dt, n);
	check_writable(dt, n);
	n->n_type = n->n_left->n_type;
	return n;
}

static node_t *check_op2(dt_t *dt, node_t *n)
{
	switch (n->n_op) {
	case OP_ASGN:
		return check_assign(dt, n);
	case OP_INDEX:
		return dt_check_index(dt, n, false, NULL);
	case OP_PTR:
	case OP_DOT:
		return check_member(dt, n);
	case OP_CAST:
		check_cast(dt, n);
		return n;
	case OP_EQ:
	case OP_NE:
	case OP_LT:
	case OP_LE:
	case OP_GT:
	case OP_GE:
		check_compare(dt, n);
		return n;
	default:
		break;
	}
	if (op_of_assign(n->n_op) != OP_NONE)
		return check_opassign(dt, n);
	n->n_left = dt_check(dt, n->n_left);
	n->n_right = dt_check(dt, n->n_right);
	switch (n->n_op) {
	case OP_LAND:
	case OP_LOR:
	case OP_LXOR:
		check_logical(dt, n);
		break;
	case OP_MUL:
	case OP_DIV:
		check_muldiv(dt, n);
		break;
	case OP_ADD:
	case OP_SUB:
		check_addsub(dt, n);
		break;
	case OP_COMMA:
		check_comma(dt, n);
		break;
	default:
		check_integral(dt, n, n->n_op);
		break;
	}
	return n;
}

/* ---- ?: and xlate ---- */

static node_t *check_cond(dt_t *dt, node_t *n)
{
	const node_t *a, *b;

	n->n_left = dt_check(dt, n->n_left);
	n->n_right = dt_check(dt, n->n_right);
	n->n_third = dt_check(dt, n->n_third);
	a = n->n_right;
	b = n->n_third;
	if (!scalar(dt, n->n_left))
		dt_error(dt, "D_OP_SCALAR", n->n_line, "operator ?: expression must be of scalar type");
	if (dt_node_is_dyn(a) || dt_node_is_dyn(b))
		dt_error(dt, "D_OP_DYN", n->n_line, "operator ?: operands cannot be of dynamic type");
	if (both_int(dt, a, b))
		n->n_type = dt_promote(dt, a->n_type, b->n_type);
	else if (string_pair(dt, a->n_type, b->n_type) || (is_string(dt, a->n_type) && is_null(b)) ||
		 (is_string(dt, b->n_type) && is_null(a)))
		n->n_type = dt->t.string;
	else if (pointer_pair(dt, a->n_type, b->n_type) || (pointerish(dt, a) && is_null(b)))
		n->n_type = decay(dt, a->n_type);
	else if (is_null(a) && pointerish(dt, b))
		n->n_type = decay(dt, b->n_type);
	else if (ctf_same(dt, a->n_type, b->n_type))
		n->n_type = a->n_type;
	else
		dt_error(dt, "D_OP_INCOMPAT", n->n_line, "operator ?: operands must have compatible types");
	if (is_action(a) || is_action(b))
		dt_error(dt, "D_OP_ACT", n->n_line, "action cannot be used in a conditional context");
	return n;
}

static node_t *check_xlate(dt_t *dt, node_t *n)
{
	ctype_t *to = n->n_type;
	node_t *src = n->n_left = dt_check(dt, n->n_left);

	if (ctf_resolve(dt, to)->c_kind == CT_PTR)
		to = ctf_resolve(dt, to)->c_ref;
	if (!dt_node_is_dyn(src))
		n->n_xlator = dt_xlator_find(dt, src->n_type, to);
	if (n->n_xlator == NULL)
		dt_error(dt, "D_XLATE_NONE", n->n_line, "cannot translate from \"%s\" to \"%s\"", dt_node_type(dt, src),
			 ctf_name(dt, n->n_type));
	return n;
}

static node_t *check_node(dt_t *dt, node_t *n)
{
	switch (n->n_kind) {
	case N_IDENT:
		return dt_check_ident(dt, n);
	case N_FUNC:
		return dt_check_call(dt, n);
	case N_OP1:
		return check_op1(dt, n);
	case N_OP2:
		return check_op2(dt, n);
	case N_OP3:
		return check_cond(dt, n);
	case N_XLATE:
		return check_xlate(dt, n);
	default:
		return n;
	}
}

node_t *dt_check(dt_t *dt, node_t *n)
{
	node_t *next = n->n_next;

	if (n->n_checked)
		return n;
	n = check_node(dt, n);
	n->n_checked = true;
	n->n_next = next;
	return n;
}
