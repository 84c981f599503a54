/*
 * Names in expressions: variables, arrays and their keys, aggregations, kernel
 * symbols, args[], and calls.
 */
#include "d/dt_impl.h"

#include <string.h>

static const char *scope_prefix(const node_t *n)
{
	static const char *const prefix[] = {
	    [SC_GLOBAL] = "", [SC_SELF] = "self->", [SC_THIS] = "this->", [SC_AGG] = "@"};

	return prefix[n->n_scope];
}

static _Noreturn void undeclared(dt_t *dt, const node_t *n)
{
	dt_error(dt, "D_VAR_UNDEF", n->n_line, "%s%s has not yet been declared or assigned", scope_prefix(n), n->n_str);
}

static _Noreturn void badref(dt_t *dt, const node_t *n, const ident_t *id, const char *as)
{
	dt_error(dt, "D_IDENT_BADREF", n->n_line, "%s '%s' may not be referenced as %s", dt_ident_kind(id), id->i_name,
		 as);
}

/* ---- kernel symbols ---- */

static node_t *check_symbol(dt_t *dt, node_t *n)
{
	const char *tick = strrchr(n->n_str, '`');
	const char *mod = dt_strndup(dt, n->n_str, (size_t)(tick - n->n_str));
	ident_t *id = dt_alloc(dt, sizeof(*id));

	if (!ctf_lookup_sym(dt, mod, tick + 1, &id->i_sym)) {
		bool known = *mod == '\0' || ctf_module_exists(mod);

		dt_error(dt, "D_IDENT_UNDEF", n->n_line, "failed to resolve %s: Unknown %s name", n->n_str,
			 known ? "symbol" : "module");
	}
	if (id->i_sym.s_type == NULL)
		dt_error(
		    dt, "D_SYM_NOTYPES", n->n_line,
		    "no symbolic type information is available for %s`%s: No type information available for symbol",
		    id->i_sym.s_mod, id->i_sym.s_name);
	id->i_name = n->n_str;
	id->i_kind = ID_SYMBOL;
	id->i_type = id->i_sym.s_type;
	id->i_attr = dt_attr_symbol;
	dt_attr_use(dt, id, n->n_line);
	n->n_kind = N_SYM;
	n->n_id = id;
	n->n_type = id->i_type;
	n->n_lvalue = true;
	return n;
}

/* ---- stability ---- */

static bool is_probe_arg(const ident_t *id)
{
	return id->i_args || (id->i_builtin && id->i_kind == ID_SCALAR && id->i_id <= DIF_VAR_ARG9 &&
			      strncmp(id->i_name, "arg", 3) == 0);
}

static void require(dt_t *dt, dt_attr_t a, const char *what, int line)
{
	dt_attr_t least;

	if (dt->d_opts->o_amin == NULL || dt->d_pcb->p_lib || !dt_attr_parse(dt->d_opts->o_amin, &least))
		return;
	if (a.a_name < least.a_name || a.a_data < least.a_data || a.a_class < least.a_class)
		dt_error(dt, "D_ATTR_MIN", line, "attributes for %s (%s/%s/%s) are less than predefined minimum", what,
			 dt_stability_name(a.a_name), dt_stability_name(a.a_data), dt_class_name(a.a_class));
}

void dt_attr_use(dt_t *dt, const ident_t *id, int line)
{
	pcb_t *p = dt->d_pcb;
	dt_attr_t a = is_probe_arg(id) ? p->p_arg_attr : id->i_attr;
	const char *what;

	if (p->p_inclause)
		p->p_stmt_attr = dt_attr_min(p->p_stmt_attr, a);
	if (id->i_kind == ID_SYMBOL)
		what = dt_sprintf(dt, "symbol %s`%s", id->i_sym.s_mod, id->i_sym.s_name);
	else
		what = dt_sprintf(dt, "%s %s", dt_ident_kind(id), id->i_name);
	require(dt, a, what, line);
}

void dt_attr_use_desc(dt_t *dt, const dtrace_probedesc_t *d, int line)
{
	pcb_t *p = dt->d_pcb;
	dt_attr_t a = dt_attr_probes(d, &p->p_arg_attr);

	p->p_desc_attr = dt_attr_min(p->p_desc_attr, a);
	require(
	    dt, a,
	    dt_sprintf(dt, "probe description %s:%s:%s:%s", d->dtpd_provider, d->dtpd_mod, d->dtpd_func, d->dtpd_name),
	    line);
}

/* ---- plain names ---- */

static node_t *variable_node(node_t *n, ident_t *id)
{
	n->n_kind = N_VAR;
	n->n_id = id;
	n->n_type = id->i_type;
	n->n_lvalue = true;
	n->n_write = id->i_write;
	return n;
}

/* An inline stands for its definition; what is no computation is put in its place. */
static node_t *inline_node(dt_t *dt, node_t *n, ident_t *id)
{
	const node_t *root = id->i_root;
	node_t *copy;

	if (root->n_kind == N_INT || root->n_kind == N_STR || root->n_kind == N_XLATE) {
		copy = dt_alloc(dt, sizeof(*copy));
		*copy = *root;
		copy->n_next = n->n_next;
		copy->n_line = n->n_line;
		return copy;
	}
	n = variable_node(n, id);
	n->n_lvalue = root->n_lvalue;
	n->n_write = root->n_write;
	return n;
}

static node_t *check_agg_name(dt_t *dt, node_t *n, ident_t *id)
{
	n->n_kind = N_AGG;
	n->n_id = id;
	n->n_type = dt->t.dyn;
	n->n_lvalue = true;
	return n;
}

/* A kernel enumerator may be used by its bare name when nothing else has it. */
static node_t *unknown_name(dt_t *dt, node_t *n)
{
	ctype_t *t;
	int64_t v;

	if (n->n_scope == SC_SELF || n->n_scope == SC_THIS)
		undeclared(dt, n);
	if (n->n_scope == SC_GLOBAL && (t = ctf_lookup_enumr(dt, n->n_str, &v)) != NULL) {
		node_t *k = node_int(dt, (uint64_t)v, t);

		k->n_next = n->n_next;
		k->n_checked = true;
		return k;
	}
	dt_error(dt, "D_IDENT_UNDEF", n->n_line, "failed to resolve %s%s: Unknown variable name", scope_prefix(n),
		 n->n_str);
}

ident_t *dt_resolve(dt_t *dt, const node_t *n)
{
	return dt_ident_visible(dt, (id_scope_t)n->n_scope, n->n_str);
}

node_t *dt_check_ident(dt_t *dt, node_t *n)
{
	ident_t *id;

	if (strchr(n->n_str, '`') != NULL && n->n_scope == SC_GLOBAL)
		return check_symbol(dt, n);
	id = dt_resolve(dt, n);
	if (id == NULL)
		return unknown_name(dt, n);
	dt_attr_use(dt, id, n->n_line);
	switch (id->i_kind) {
	case ID_AGG:
		return check_agg_name(dt, n, id);
	case ID_SCALAR:
		if (id->i_builtin)
			dt_ident_proto(dt, id);
		if (id->i_type == NULL)
			undeclared(dt, n);
		return variable_node(n, id);
	case ID_PARAM:
		n = variable_node(n, id);
		n->n_lvalue = false;
		return n;
	case ID_INLINE:
		if (!id->i_haskeys)
			return inline_node(dt, n, id);
		break;
	default:
		break;
	}
	badref(dt, n, id, "scalar");
}

/* The left side of an assignment: a new name becomes a variable, typed later (type NULL) or at once. */
node_t *dt_check_target(dt_t *dt, node_t *n, ctype_t *type)
{
	ident_t *id;

	if (n->n_kind == N_OP2 && n->n_op == OP_INDEX && n->n_left->n_kind == N_IDENT)
		return dt_check_index(dt, n, true, type);
	if (n->n_kind != N_IDENT || strchr(n->n_str, '`') != NULL)
		return dt_check(dt, n);
	id = dt_resolve(dt, n);
	if (id == NULL && n->n_scope == SC_AGG)
		return check_agg_name(dt, n, dt_agg_create(dt, n->n_str));
	if (id == NULL) {
		id = dt_ident_new(dt, dt_scope_hash(dt, (id_scope_t)n->n_scope), n->n_str, ID_SCALAR,
				  (id_scope_t)n->n_scope);
		id->i_write = true;
	}
	if (id->i_kind == ID_SCALAR && id->i_type == NULL && !id->i_builtin) {
		if (type != NULL)
			dt_set_type(dt, id, type, n->n_line);
		n = variable_node(n, id);
		n->n_checked = true;
		return n;
	}
	return dt_check(dt, n);
}

void dt_set_type(dt_t *dt, ident_t *id, ctype_t *type, int line)
{
	id->i_type = type;
	dt_ident_number(dt, id, line);
}

/* ---- aggregations ---- */

ident_t *dt_agg_create(dt_t *dt, const char *name)
{
	ident_t *id = dt_ident_new(dt, &dt->d_aggs, name, ID_AGG, SC_AGG);
	dtrace_aggvar_t *av = dt_alloc(dt, sizeof(*av));

	av->av_name = dt_strdup(dt, name);
	av->av_id = (uint32_t)dt->d_naggs + 1;
	id->i_agg = av;
	dt->d_aggtab = dt_grow(dt, dt->d_aggtab, dt->d_naggs, &dt->d_aaggs, sizeof(dtrace_aggvar_t *));
	dt->d_aggtab[dt->d_naggs++] = av;
	return id;
}

/* ---- keys ---- */

node_t *dt_check_args(dt_t *dt, node_t *args)
{
	node_t *first = NULL, **pp = &first;

	while (args != NULL) {
		node_t *next = args->n_next;

		*pp = dt_check(dt, args);
		pp = &(*pp)->n_next;
		*pp = NULL;
		args = next;
	}
	return first;
}

static void check_key_types(dt_t *dt, const node_t *args, const char *what)
{
	int i = 1;

	for (; args != NULL; args = args->n_next, i++) {
		if (dt_node_is_dyn(args) || ctf_resolve(dt, args->n_type)->c_kind == CT_VOID)
			dt_error(dt, "D_KEY_TYPE", args->n_line, "%s expression may not be used as %s index: key #%d",
				 dt_node_type(dt, args), what, i);
	}
}

static int count_params(const cparam_t *p)
{
	int n = 0;

	for (; p != NULL; p = p->p_next)
		n++;
	return n;
}

static void match_keys(dt_t *dt, const node_t *n, const char *name, const cparam_t *keys, const node_t *args)
{
	int want = count_params(keys), got = (int)node_count(args), i = 1;

	if (want != got)
		dt_error(dt, "D_PROTO_LEN", n->n_line, "%s[ ] prototype mismatch: %d key%s passed, %d expected", name,
			 got, got == 1 ? "" : "s", want);
	for (; args != NULL; args = args->n_next, keys = keys->p_next, i++) {
		if (!dt_arg_compat(dt, (node_t *)args, keys->p_type))
			dt_error(dt, "D_PROTO_ARG", args->n_line,
				 "%s[ ] key #%d is incompatible with prototype:\n\tprototype: %s\n\t%9s: %s", name, i,
				 ctf_name(dt, keys->p_type), "key", dt_node_type(dt, args));
	}
}

/* The first use fixes the number and the types of the keys. */
static void bind_keys(dt_t *dt, node_t *n, ident_t *id, const char *name)
{
	cparam_t **pp = &id->i_keys;

	check_key_types(dt, n->n_args, id->i_kind == ID_AGG ? "aggregation" : "associative array");
	if (id->i_haskeys) {
		match_keys(dt, n, name, id->i_keys, n->n_args);
		return;
	}
	id->i_haskeys = true;
	for (const node_t *a = n->n_args; a != NULL; a = a->n_next) {
		*pp = dt_alloc(dt, sizeof(**pp));
		(*pp)->p_type = a->n_type;
		pp = &(*pp)->p_next;
	}
}

void dt_agg_keys(dt_t *dt, node_t *n)
{
	bind_keys(dt, n, n->n_id, dt_sprintf(dt, "@%s", n->n_id->i_name));
}

static node_t *check_agg_index(dt_t *dt, node_t *n)
{
	node_t *name = n->n_left;
	ident_t *id = dt_resolve(dt, name);

	n->n_args = dt_check_args(dt, n->n_args);
	if (id == NULL)
		id = dt_agg_create(dt, name->n_str);
	n->n_left = NULL;
	n->n_op = OP_NONE;
	n = check_agg_name(dt, n, id);
	dt_agg_keys(dt, n);
	return n;
}

/* ---- args[] and uregs[] ---- */

static const char *desc_text(dt_t *dt)
{
	const dtrace_probedesc_t *d = dt->d_pcb->p_desc;

	return dt_sprintf(dt, "%s:%s:%s:%s", d->dtpd_provider, d->dtpd_mod, d->dtpd_func, d->dtpd_name);
}

static node_t *xlate_node(dt_t *dt, node_t *n, ctype_t *native, ctype_t *to, uint64_t i)
{
	ctype_t *sou = ctf_resolve(dt, to);
	node_t *x;

	if (sou->c_kind == CT_PTR)
		sou = sou->c_ref;
	x = node_xlate(dt, to, n);
	x->n_line = n->n_line;
	x->n_checked = true;
	x->n_xlator = dt_xlator_find(dt, native, sou);
	if (x->n_xlator == NULL)
		dt_error(dt, "D_ARGS_XLATOR", n->n_line, "translator for args[%llu] from %s to %s is not defined",
			 (unsigned long long)i, ctf_name(dt, native), ctf_name(dt, to));
	return x;
}

static node_t *check_probe_arg(dt_t *dt, node_t *n, ident_t *id, const node_t *key)
{
	pcb_t *p = dt->d_pcb;
	dt_argtype_t a;
	int nargs;

	if (!p->p_inclause)
		dt_error(dt, "D_ARGS_NONE", dt_here(dt), "args[ ] may not be referenced outside of a probe clause");
	if (p->p_nprobes > 1 && !p->p_stable)
		dt_error(dt, "D_ARGS_MULTI", n->n_line,
			 "args[ ] may not be referenced because probe description %s matches an unstable set of probes",
			 desc_text(dt));
	nargs = p->p_probe != NULL ? dt_probe_nargs(dt, p->p_probe) : 0;
	if (key->n_value >= (uint64_t)MAX(nargs, 0))
		dt_error(dt, "D_ARGS_IDX", n->n_line, "index %lld is out of range for %s args[ ]",
			 (long long)key->n_value, desc_text(dt));
	if (!dt_probe_argtype(dt, p->p_probe, (int)key->n_value, &a))
		dt_error(dt, "D_ARGS_TYPE", n->n_line, "failed to resolve %s type for args[%lld]",
			 a.at_native != NULL ? "translated" : "native", (long long)key->n_value);
	n->n_kind = N_VAR;
	n->n_op = OP_NONE;
	n->n_left = NULL;
	n->n_id = id;
	n->n_value = (uint64_t)a.at_index;
	n->n_args = NULL;
	n->n_type = a.at_native;
	n->n_lvalue = true;
	n->n_checked = true;
	return a.at_xlated == NULL ? n : xlate_node(dt, n, a.at_native, a.at_xlated, key->n_value);
}

static node_t *check_fixed_array(dt_t *dt, node_t *n, ident_t *id)
{
	uint32_t nkeys = node_count(n->n_args);
	const node_t *key;

	n->n_args = dt_check_args(dt, n->n_args);
	key = n->n_args;
	if (nkeys != 1)
		dt_error(dt, "D_PROTO_LEN", n->n_line, "%s[ ] prototype mismatch: %u arg%s passed, 1 expected",
			 id->i_name, nkeys, nkeys == 1 ? "" : "s");
	if (key->n_kind != N_INT)
		dt_error(
		    dt, "D_PROTO_ARG", key->n_line,
		    "%s[ ] argument #1 is incompatible with prototype:\n\tprototype: integer constant\n\t argument: %s",
		    id->i_name, dt_node_type(dt, key));
	if (id->i_args)
		return check_probe_arg(dt, n, id, key);
	if (ctf_is_signed(dt, key->n_type) && (int64_t)key->n_value < 0)
		dt_error(dt, "D_REGS_IDX", n->n_line, "index %lld is out of range for array uregs",
			 (long long)key->n_value);
	n->n_kind = N_VAR;
	n->n_op = OP_NONE;
	n->n_left = NULL;
	n->n_id = id;
	n->n_type = id->i_type;
	n->n_lvalue = true;
	return n;
}

/* ---- subscripts ---- */

static node_t *check_array(dt_t *dt, node_t *n, ident_t *id, bool target, ctype_t *type)
{
	if (id->i_args || id->i_uregs)
		return check_fixed_array(dt, n, id);
	n->n_args = dt_check_args(dt, n->n_args);
	bind_keys(dt, n, id, id->i_name);
	if (id->i_type == NULL && !target)
		undeclared(dt, n->n_left);
	if (id->i_type == NULL && type != NULL)
		dt_set_type(dt, id, type, n->n_line);
	n->n_left = NULL;
	n->n_op = OP_NONE;
	return variable_node(n, id);
}

/* The tree with the parameters of an inline replaced by what stands for them. */
static node_t *substitute(dt_t *dt, node_t *n, const cparam_t *params, const node_t *args)
{
	if (n == NULL)
		return NULL;
	if (n->n_kind == N_VAR && n->n_id->i_kind == ID_PARAM) {
		for (; params != NULL && args != NULL; params = params->p_next, args = args->n_next) {
			if (params->p_id == n->n_id) {
				node_t *c = node_clone(dt, args, false);

				c->n_next = n->n_next;
				return c;
			}
		}
		return n;
	}
	n->n_left = substitute(dt, n->n_left, params, args);
	n->n_right = substitute(dt, n->n_right, params, args);
	n->n_third = substitute(dt, n->n_third, params, args);
	for (node_t **a = &n->n_args; *a != NULL; a = &(*a)->n_next)
		*a = substitute(dt, *a, params, args);
	return n;
}

static node_t *check_inline_array(dt_t *dt, node_t *n, ident_t *id)
{
	cparam_t *p = id->i_keys;

	n->n_args = dt_check_args(dt, n->n_args);
	check_key_types(dt, n->n_args, "associative array");
	match_keys(dt, n, id->i_name, id->i_keys, n->n_args);
	for (node_t **a = &n->n_args; *a != NULL; a = &(*a)->n_next, p = p->p_next)
		*a = dt_cast_arg(dt, *a, p->p_type);
	if (id->i_root->n_kind == N_XLATE) {
		node_t *x = substitute(dt, node_clone(dt, id->i_root, false), id->i_keys, n->n_args);

		x->n_next = n->n_next;
		x->n_line = n->n_line;
		return x;
	}
	n->n_left = NULL;
	n->n_op = OP_NONE;
	n = variable_node(n, id);
	n->n_lvalue = id->i_root->n_lvalue;
	n->n_write = id->i_root->n_write;
	return n;
}

static const char *node_name(const node_t *n)
{
	switch (n->n_kind) {
	case N_VAR:
	case N_SYM:
		return n->n_id->i_name;
	default:
		return op_name(n->n_op);
	}
}

/* A subscript of a pointer or of an array in memory: *(base + index). */
static node_t *check_memory_index(dt_t *dt, node_t *n)
{
	node_t *base = dt_check(dt, n->n_left), *index = n->n_args, *sum, *deref;
	ctype_t *r;

	if (dt_node_is_dyn(base) && base->n_kind == N_AGG)
		dt_error(dt, "D_AGG_MDIM", n->n_line, "improper attempt to reference @%s as a multi-dimensional array",
			 base->n_id->i_name);
	if (index->n_next != NULL)
		dt_error(dt, "D_ARR_BADREF", n->n_line, "cannot access %s %s as an associative array",
			 base->n_kind == N_VAR ? dt_ident_kind(base->n_id) : "operator", node_name(base));
	r = ctf_resolve(dt, base->n_type);
	index = dt_check(dt, index);
	if (r->c_kind == CT_ARRAY && r->c_nelem > 1 && index->n_kind == N_INT && index->n_value >= r->c_nelem)
		dt_error(dt, "D_ARR_BOUNDS", n->n_line, "index outside array bounds: %lld, max is %llu",
			 (long long)index->n_value, (unsigned long long)r->c_nelem);
	sum = node_op2(dt, OP_ADD, base, index);
	sum->n_line = n->n_line;
	deref = node_op1(dt, OP_DEREF, sum);
	deref->n_line = n->n_line;
	deref->n_next = n->n_next;
	return dt_check(dt, deref);
}

node_t *dt_check_index(dt_t *dt, node_t *n, bool target, ctype_t *type)
{
	node_t *left = n->n_left;
	ident_t *id;

	if (left->n_kind != N_IDENT || (strchr(left->n_str, '`') != NULL && left->n_scope == SC_GLOBAL))
		return check_memory_index(dt, n);
	if (left->n_scope == SC_AGG)
		return check_agg_index(dt, n);
	id = dt_resolve(dt, left);
	if (id == NULL && left->n_scope == SC_THIS)
		dt_error(dt, "D_ARR_LOCAL", n->n_line, "local variables may not be used as associative arrays: %s",
			 left->n_str);
	if (id == NULL && target) {
		id = dt_ident_new(dt, dt_scope_hash(dt, (id_scope_t)left->n_scope), left->n_str, ID_ARRAY,
				  (id_scope_t)left->n_scope);
		id->i_write = true;
	}
	if (id == NULL)
		unknown_name(dt, left);
	dt_attr_use(dt, id, left->n_line);
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): unknown_name() does not return */
	if (id->i_kind == ID_ARRAY)
		return check_array(dt, n, id, target, type);
	if (id->i_kind == ID_INLINE && id->i_haskeys)
		return check_inline_array(dt, n, id);
	if (id->i_builtin && id->i_kind == ID_SCALAR)
		dt_ident_proto(dt, id);
	if (id->i_kind == ID_FUNC || id->i_kind == ID_ACTFUNC || id->i_kind == ID_AGGFUNC ||
	    (id->i_type != NULL && !ctf_is_ptr(dt, id->i_type) && id->i_kind != ID_INLINE))
		badref(dt, n, id, "associative array");
	return check_memory_index(dt, n);
}

/* ---- calls ---- */

static void proto_len(dt_t *dt, const node_t *n, const ident_t *id, int got)
{
	const char *least = "";
	int want = id->i_minargs;

	if (got >= id->i_minargs && (id->i_varargs || got <= id->i_nparams))
		return;
	if (id->i_later && got > id->i_nparams) {
		least = "at most ";
		want = id->i_nparams;
		if (id->i_minargs == id->i_nparams)
			least = "";
	} else if (id->i_minargs != id->i_nparams || (id->i_later && id->i_varargs)) {
		least = "at least ";
	}
	dt_error(dt, "D_PROTO_LEN", n->n_line, "%s( ) prototype mismatch: %d arg%s passed, %s%d expected", id->i_name,
		 got, got == 1 ? "" : "s", least, want);
}

/* inet_ntoa6() chooses its form at compile time. */
static void check_constant_args(dt_t *dt, const node_t *n)
{
	const node_t *strict;

	if (n->n_id->i_kind != ID_FUNC || n->n_id->i_id != DIF_SUBR_INET_NTOA6)
		return;
	strict = n->n_args->n_next;
	if (strict != NULL && strict->n_kind != N_INT)
		dt_error(dt, "D_PROTO_ARG", strict->n_line, "%s( ) argument #2 must be an integer constant",
			 n->n_id->i_name);
}

/* An argument of a builtin function keeps its value: lltostr() of a byte 192 is "192". */
static bool widens_unsigned(dt_t *dt, ctype_t *from, ctype_t *to)
{
	return ctf_is_int(dt, from) && ctf_is_int(dt, to) && !ctf_is_signed(dt, from) &&
	       ctf_bits(dt, from) < ctf_bits(dt, to);
}

node_t *dt_check_call(dt_t *dt, node_t *n)
{
	ident_t *id = n->n_id;
	const cparam_t *p;
	int i = 1;

	dt_ident_proto(dt, id);
	n->n_args = dt_check_args(dt, n->n_args);
	proto_len(dt, n, id, (int)node_count(n->n_args));
	p = id->i_params;
	for (node_t **a = &n->n_args; *a != NULL && p != NULL; a = &(*a)->n_next, p = p->p_next, i++) {
		if (p->p_type == NULL)
			continue;
		if (!dt_arg_compat(dt, *a, p->p_type))
			dt_error(dt, "D_PROTO_ARG", (*a)->n_line,
				 "%s( ) argument #%d is incompatible with prototype:\n\tprototype: %s\n\t%9s: %s",
				 id->i_name, i, ctf_name(dt, p->p_type), "argument", dt_node_type(dt, *a));
		if (id->i_kind == ID_FUNC && !widens_unsigned(dt, (*a)->n_type, p->p_type))
			*a = dt_cast_arg(dt, *a, p->p_type);
	}
	check_constant_args(dt, n);
	n->n_type = id->i_type;
	return n;
}
