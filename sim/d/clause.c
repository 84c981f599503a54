/*
 * Clauses: probe descriptions, predicates, and for each statement the actions
 * that record what the consumer needs.
 */
#include "d/dt_impl.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- probe descriptions ---- */

static _Noreturn void desc_invalid(dt_t *dt, const char *text, const char *why)
{
	dt_error(dt, "D_PDESC_INVAL", dt_here(dt), "invalid probe description \"%s\": %s", text, why);
}

/* A macro variable may end a field. */
static const char *desc_field(dt_t *dt, const char *text, const char *s, size_t n, size_t max)
{
	const char *field = dt_strndup(dt, s, n), *dollar = strchr(field, '$'), *val;

	if (dollar != NULL) {
		val = dt_macro_text(dt, dollar + 1);
		if (val == NULL)
			desc_invalid(dt, text, "Undefined macro variable in probe description");
		field = dt_sprintf(dt, "%.*s%s", (int)(dollar - field), field, val);
	}
	if (strlen(field) >= max)
		desc_invalid(dt, text, "Probe description component is too long");
	return field;
}

static bool all_digits(const char *s)
{
	if (*s == '\0')
		return false;
	while (isdigit((unsigned char)*s))
		s++;
	return *s == '\0';
}

static void desc_id(dt_t *dt, node_t *n, const char *text)
{
	static const char *const specs[] = {
	    [DT_SPEC_FUNC] = "functions", [DT_SPEC_MOD] = "modules", [DT_SPEC_PROVIDER] = "providers"};
	dt_spec_t spec = dt->d_pcb->p_src->src_spec;
	unsigned long long id = strtoull(text, NULL, 10);
	const dtrace_probe_t *p;

	if (spec != DT_SPEC_NAME)
		dt_error(dt, "D_PDESC_INVAL", dt_here(dt), "probe identifier %s not permitted when specifying %s", text,
			 specs[spec]);
	if (id > UINT32_MAX)
		dt_error(dt, "D_PDESC_INVAL", dt_here(dt), "identifier %s exceeds maximum probe id", text);
	p = dtrace_probe_lookup((dtrace_id_t)id);
	if (p == NULL)
		dt_error(dt, "D_PDESC_INVAL", dt_here(dt), "invalid probe identifier %s: Unknown probe identifier",
			 text);
	n->n_desc->dtpd_id = (dtrace_id_t)id;
	n->n_desc->dtpd_provider = dt_strdup(dt, p->dtpr_provider);
	n->n_desc->dtpd_mod = dt_strdup(dt, p->dtpr_mod);
	n->n_desc->dtpd_func = dt_strdup(dt, p->dtpr_func);
	n->n_desc->dtpd_name = dt_strdup(dt, p->dtpr_name);
}

void dt_desc_parse(dt_t *dt, node_t *n)
{
	static const size_t max[] = {DT_NAMELEN, DT_NAMELEN, DT_FUNCNAMELEN, DT_NAMELEN};
	static const int last[] = {[DT_SPEC_PROVIDER] = 0, [DT_SPEC_MOD] = 1, [DT_SPEC_FUNC] = 2, [DT_SPEC_NAME] = 3};
	const char *text = n->n_str, *end = text + strlen(text), *field[4] = {"", "", "", ""};
	int i = last[dt->d_pcb->p_src->src_spec];

	n->n_desc = dt_alloc(dt, sizeof(*n->n_desc));
	if (all_digits(text)) {
		desc_id(dt, n, text);
		return;
	}
	for (;; i--) {
		const char *s = end;

		while (s > text && s[-1] != ':')
			s--;
		if (i < 0)
			desc_invalid(dt, text, "Overspecified probe description");
		field[i] = desc_field(dt, text, s, (size_t)(end - s), max[i]);
		if (s == text)
			break;
		end = s - 1;
	}
	n->n_desc->dtpd_provider = field[0];
	n->n_desc->dtpd_mod = field[1];
	n->n_desc->dtpd_func = field[2];
	n->n_desc->dtpd_name = field[3];
}

static void matched(void *arg, dtrace_probe_t *p)
{
	pcb_t *pcb = arg;

	if (pcb->p_nprobes++ == 0)
		pcb->p_probe = p;
	pcb->p_stable = pcb->p_stable && p->dtpr_prov->dtpv_stable;
}

static void match(dt_t *dt, const node_t *desc)
{
	pcb_t *p = dt->d_pcb;
	const dtrace_probedesc_t *d = desc->n_desc;

	p->p_desc = d;
	p->p_probe = NULL;
	p->p_nprobes = 0;
	p->p_stable = true;
	dtrace_probe_match(d, matched, p);
	if (p->p_nprobes == 0 && !dt->d_opts->o_zdefs)
		dt_error(dt, "D_PDESC_ZERO", desc->n_line, "probe description %s:%s:%s:%s does not match any probes",
			 d->dtpd_provider, d->dtpd_mod, d->dtpd_func, d->dtpd_name);
	dt_attr_use_desc(dt, d, desc->n_line);
}

/* ---- building ---- */

typedef struct build {
	dt_t *dt;
	dtrace_ecbdesc_t *ecb;
	dtrace_act_t **acttail;
	dtrace_stmt_t **stmttail, *stmt;
	int line;
	bool commit, speculate, data; /* what came before: see order_check() */
} build_t;

static dtrace_act_t *add_act(build_t *b, dtrace_actkind_t kind)
{
	dtrace_act_t *a = dt_alloc(b->dt, sizeof(*a));

	a->a_kind = kind;
	a->a_type.dt_kind = DIF_VOID;
	a->a_stmt = b->stmt;
	if (b->stmt->s_nacts++ == 0)
		b->stmt->s_acts = a;
	*b->acttail = a;
	b->acttail = &a->a_next;
	return a;
}

static void add_stmt(build_t *b, dtrace_stmtkind_t kind, int line)
{
	dtrace_stmt_t *s = dt_alloc(b->dt, sizeof(*s));

	s->s_kind = kind;
	s->s_line = b->line = line;
	*b->stmttail = s;
	b->stmttail = &s->s_next;
	b->stmt = s;
}

/* The expression's value, recorded by its type. */
static dtrace_act_t *add_value_as(build_t *b, node_t *n, dif_type_t type)
{
	dtrace_act_t *a = add_act(b, ACT_DIFEXPR);

	a->a_type = type;
	a->a_dif = dt_gen(b->dt, n, &type);
	return a;
}

static dtrace_act_t *add_value(build_t *b, node_t *n)
{
	return add_value_as(b, n, dt_diftype(b->dt, n->n_type));
}

static dif_t *number(build_t *b, node_t *n)
{
	dif_type_t t = dt_diftype(b->dt, n->n_type);

	return dt_gen(b->dt, n, &t);
}

static int nargs(const node_t *call)
{
	return (int)node_count(call->n_args);
}

static const char *plural(int n)
{
	return n == 1 ? "" : "s";
}

static bool is_scalar(dt_t *dt, const node_t *n)
{
	return !dt_node_is_dyn(n) && ctf_is_scalar(dt, n->n_type);
}

/* ---- stacks and symbols, as statements and as keys ---- */

static void add_stack(build_t *b, const node_t *call)
{
	dt_t *dt = b->dt;
	const node_t *a = call->n_args;
	uint64_t depth = dt->d_opts->o_stackframes != 0 ? dt->d_opts->o_stackframes : 20;
	dtrace_act_t *act;

	if (nargs(call) > 1)
		dt_error(dt, "D_STACK_PROTO", a->n_line, "stack( ) prototype mismatch: too many arguments");
	if (a != NULL) {
		if (!node_is_posconst(dt, a))
			dt_error(dt, "D_STACK_SIZE", a->n_line,
				 "stack( ) size must be a non-zero positive integral constant expression");
		depth = a->n_value;
	}
	depth = MIN(depth, UINT16_MAX);
	act = add_act(b, ACT_STACK);
	act->a_arg = depth;
	act->a_type = dt_diftype(dt, dt->t.stack);
	act->a_type.dt_size = (uint32_t)depth * 8;
}

static void add_ustack(build_t *b, const node_t *call)
{
	dt_t *dt = b->dt;
	const node_t *a = call->n_args, *size = a != NULL ? a->n_next : NULL;
	bool java = call->n_id->i_id == DT_ACT_JSTACK;
	uint64_t depth = java ? dt->d_opts->o_jstackframes : dt->d_opts->o_ustackframes, strsize = java ? 512 : 0;
	dtrace_act_t *act;

	if (depth == 0)
		depth = java ? 50 : 20;
	if (a != NULL && !node_is_posconst(dt, a))
		dt_error(dt, "D_USTACK_FRAMES", a->n_line,
			 "ustack( ) argument #1 must be a non-zero positive integer constant");
	if (size != NULL && (size->n_kind != N_INT || (ctf_is_signed(dt, size->n_type) && (int64_t)size->n_value < 0)))
		dt_error(dt, "D_USTACK_STRSIZE", size->n_line,
			 "ustack( ) argument #2 must be a positive integer constant");
	if (size != NULL && size->n_next != NULL)
		dt_error(dt, "D_USTACK_PROTO", size->n_next->n_line,
			 "ustack( ) prototype mismatch: too many arguments");
	if (a != NULL)
		depth = a->n_value;
	if (size != NULL)
		strsize = size->n_value;
	depth = MIN(depth, UINT16_MAX);
	strsize = (MIN(strsize, UINT16_MAX) + 7) & ~(uint64_t)7;
	act = add_act(b, ACT_USTACK);
	act->a_arg = depth;
	act->a_arg2 = strsize;
	act->a_type = dt_diftype(dt, dt->t.stack);
	act->a_type.dt_kind = DIF_USTACK;
	act->a_type.dt_size = (uint32_t)((depth + 1) * 8 + strsize);
}

static dif_kind_t symbol_kind(uint32_t action)
{
	switch (action) {
	case DT_ACT_MOD:
		return DIF_MOD;
	case DT_ACT_USYM:
	case DT_ACT_UFUNC:
		return DIF_USYM;
	case DT_ACT_UMOD:
		return DIF_UMOD;
	case DT_ACT_UADDR:
		return DIF_UADDR;
	default:
		return DIF_SYM;
	}
}

static void add_symbol(build_t *b, const node_t *call)
{
	dif_type_t t = dt_diftype(b->dt, call->n_type);

	t.dt_kind = symbol_kind(call->n_id->i_id);
	t.dt_size = 8;
	add_value_as(b, call->n_args, t);
}

static bool is_call(const node_t *n, id_kind_t kind)
{
	return n->n_kind == N_FUNC && n->n_id->i_kind == kind;
}

/* ---- aggregations ---- */

static agg_part_t key_part(const dif_type_t *t)
{
	agg_part_t p = {AGG_BYTES, t->dt_size};

	switch (t->dt_kind) {
	case DIF_INT:
	case DIF_SYM:
	case DIF_MOD:
	case DIF_USYM:
	case DIF_UMOD:
	case DIF_UADDR:
		p.ap_kind = AGG_INT;
		break;
	case DIF_STRING:
		p.ap_kind = AGG_STR;
		break;
	case DIF_STACK:
		p.ap_kind = AGG_STACK;
		break;
	default:
		break;
	}
	return p;
}

static void add_key(build_t *b, node_t *n, ctype_t *proto)
{
	dt_t *dt = b->dt;
	dtrace_act_t *a;

	if (is_call(n, ID_ACTFUNC)) {
		if (n->n_id->i_id == DT_ACT_STACK)
			add_stack(b, n);
		else if (n->n_id->i_id == DT_ACT_USTACK || n->n_id->i_id == DT_ACT_JSTACK)
			add_ustack(b, n);
		else
			add_symbol(b, n);
		return;
	}
	n = dt_cast_arg(dt, n, proto);
	a = add_value_as(b, n, dt_diftype(dt, proto));
	a->a_type.dt_name = ctf_name(dt, proto);
}

/* All uses of an aggregation share one layout of keys; the deepest stack sets its size. */
static void define_key(build_t *b, dtrace_aggvar_t *av, uint32_t i, const dtrace_act_t *act)
{
	agg_part_t p = key_part(&act->a_type);

	if (i >= AGG_MAXPARTS)
		dt_error(b->dt, "D_UNKNOWN", b->line, "aggregation @%s has more than %d keys", av->av_name,
			 AGG_MAXPARTS);
	if (i < av->av_desc.ad_nparts && av->av_desc.ad_parts[i].ap_size >= p.ap_size)
		return;
	av->av_desc.ad_parts[i] = p;
	av->av_keys[i] = act->a_type;
}

static void agg_statement(build_t *b, node_t *n)
{
	dt_t *dt = b->dt;
	node_t *call = n->n_right, *value = call->n_args, *incr, *next;
	dtrace_aggvar_t *av = n->n_left->n_id->i_agg;
	const cparam_t *p = n->n_left->n_id->i_keys;
	dtrace_act_t *act;
	uint32_t nkeys = 0;

	add_stmt(b, STMT_AGG, n->n_line);
	if (value != NULL && !is_scalar(dt, value))
		dt_error(dt, "D_AGG_SCALAR", call->n_line, "%s( ) argument #1 must be of scalar type",
			 call->n_id->i_name);
	for (node_t *k = n->n_left->n_args; k != NULL; k = next, p = p->p_next, nkeys++) {
		dtrace_act_t **at = b->acttail;

		next = k->n_next;
		add_key(b, k, p->p_type);
		define_key(b, av, nkeys, *at);
	}
	dt_agg_define(dt, call, av, &incr);
	av->av_desc.ad_nparts = nkeys;
	act = add_act(b, ACT_AGG);
	act->a_agg = av;
	act->a_ntuple = nkeys;
	if (value != NULL)
		act->a_dif = number(b, value);
	if (incr != NULL)
		act->a_incr = number(b, incr);
}

/* ---- formats ---- */

static struct dt_format *format(build_t *b, const node_t *call, const node_t *fmt)
{
	dt_t *dt = b->dt;
	const char *who = call->n_id->i_name, *tag = NULL;
	struct dt_format *f;
	char why[1024] = "";

	f = dt_format_parse(who, fmt->n_str, why, sizeof(why), &tag);
	if (f == NULL)
		dt_error(dt, tag, b->line, "%s", why);
	dt->d_fmts = dt_grow(dt, dt->d_fmts, dt->d_nfmts, &dt->d_afmts, sizeof(struct dt_format *));
	dt->d_fmts[dt->d_nfmts++] = f;
	return f;
}

static void check_format(build_t *b, const node_t *call, const struct dt_format *f, const dif_type_t *types,
			 const bool *isptr, uint32_t n, uint32_t naggs)
{
	const char *tag = NULL;
	char why[1024] = "";

	if (dt_format_check(f, call->n_id->i_name, types, isptr, n, naggs, why, sizeof(why), &tag) != 0)
		dt_error(b->dt, tag, b->line, "%s", why);
}

/* printf and what works like it: a literal format, then values. */
static void format_statement(build_t *b, node_t *call, dtrace_stmtkind_t kind)
{
	dt_t *dt = b->dt;
	const char *who = call->n_id->i_name;
	node_t *fmt = call->n_args, *next;
	uint32_t n = node_count(fmt->n_next), i = 0;
	dif_type_t *types = dt_alloc(dt, (n + 1) * sizeof(*types));
	bool *isptr = dt_alloc(dt, n + 1);

	add_stmt(b, kind, call->n_line);
	if (fmt->n_kind != N_STR)
		dt_error(
		    dt, "D_PRINTF_ARG_FMT", call->n_line,
		    "%s( ) argument #1 is incompatible with prototype:\n\tprototype: string constant\n\t argument: %s",
		    who, dt_node_type(dt, fmt));
	if (kind == STMT_FREOPEN && strcmp(fmt->n_str, ".") == 0)
		dt_error(dt, "D_FREOPEN_INVALID", call->n_line, "freopen( ) argument #1 cannot be \".\"");
	b->stmt->s_fmt = format(b, call, fmt);
	for (const node_t *a = fmt->n_next; a != NULL; a = a->n_next, i++) {
		types[i] = dt_diftype(dt, a->n_type);
		if (dt_node_is_dyn(a))
			types[i] = (dif_type_t){.dt_kind = DIF_VOID, .dt_name = dt_node_type(dt, a)};
		isptr[i] = ctf_resolve(dt, a->n_type)->c_kind == CT_PTR;
	}
	check_format(b, call, b->stmt->s_fmt, types, isptr, n, 0);
	for (node_t *a = fmt->n_next; a != NULL; a = next) {
		next = a->n_next;
		add_value(b, a);
	}
	if (n == 0)
		add_act(b, ACT_MARK);
}

/* ---- actions on aggregations ---- */

static ident_t *agg_arg(build_t *b, const node_t *call, const node_t *a, int nth, const char *tag)
{
	if (a->n_kind != N_AGG)
		dt_error(
		    b->dt, tag, call->n_line,
		    "%s( ) argument #%d is incompatible with prototype:\n\tprototype: aggregation\n\t argument: %s",
		    call->n_id->i_name, nth, dt_node_type(b->dt, a));
	return a->n_id;
}

static void agg_defined(build_t *b, const node_t *call, const ident_t *id, const char *tag)
{
	if (id->i_aggfunc == NULL)
		dt_error(b->dt, tag, call->n_line, "undefined aggregation: @%s", id->i_name);
}

static void set_aggs(build_t *b, dtrace_aggvar_t *av)
{
	dtrace_stmt_t *s = b->stmt;
	dtrace_aggvar_t **aggs = dt_alloc(b->dt, (s->s_naggs + 1) * sizeof(*aggs));

	if (s->s_naggs > 0)
		memcpy(aggs, s->s_aggs, s->s_naggs * sizeof(*aggs));
	aggs[s->s_naggs++] = av;
	s->s_aggs = aggs;
}

/* clear, trunc, normalize, denormalize */
static void aggact_statement(build_t *b, node_t *call, dtrace_stmtkind_t kind, int min, int max)
{
	static const char *const stems[] = {[STMT_CLEAR] = "CLEAR",
					    [STMT_TRUNC] = "TRUNC",
					    [STMT_NORMALIZE] = "NORMALIZE",
					    [STMT_DENORMALIZE] = "NORMALIZE"};
	dt_t *dt = b->dt;
	const char *who = call->n_id->i_name, *stem = stems[kind];
	int n = nargs(call);
	node_t *num = n > 1 ? call->n_args->n_next : NULL;
	ident_t *id;

	add_stmt(b, kind, call->n_line);
	if (n < min || n > max)
		dt_error(dt, dt_sprintf(dt, "D_%s_PROTO", stem), call->n_line,
			 "%s( ) prototype mismatch: %d arg%s passed, %s%d expected", who, n, plural(n),
			 min == max ? ""
			 : n < min  ? "at least "
				    : "no more than ",
			 n < min ? min : max);
	id = agg_arg(b, call, call->n_args, 1, dt_sprintf(dt, "D_%s_AGGARG", stem));
	if (num != NULL && !is_scalar(dt, num))
		dt_error(dt, dt_sprintf(dt, "D_%s_SCALAR", stem), call->n_line,
			 "%s( ) argument #2 must be of scalar type", who);
	agg_defined(b, call, id, dt_sprintf(dt, "D_%s_AGGBAD", stem));
	set_aggs(b, id->i_agg);
	if (num != NULL)
		add_value_as(b, num, dt_diftype(dt, dt->t.int64));
	else
		add_act(b, ACT_MARK);
}

static int count_keys(const ident_t *id)
{
	int n = 0;

	for (const cparam_t *p = id->i_keys; p != NULL; p = p->p_next)
		n++;
	return n;
}

/* Aggregations printed together have the same keys. */
static void match_aggs(build_t *b, const ident_t *first, const ident_t *id, int line)
{
	dt_t *dt = b->dt;
	int n = count_keys(first), m = count_keys(id), i = 1;

	if (n != m)
		dt_error(
		    dt, "D_PRINTA_AGGKEY", line,
		    "printa( ): @%s and @%s do not have matching key signatures: @%s has %d key%s, @%s has %d key%s",
		    first->i_name, id->i_name, first->i_name, n, plural(n), id->i_name, m, plural(m));
	for (const cparam_t *p = first->i_keys, *q = id->i_keys; p != NULL; p = p->p_next, q = q->p_next, i++) {
		node_t probe = {.n_kind = N_VAR, .n_type = q->p_type};

		if (!dt_arg_compat(dt, &probe, p->p_type))
			dt_error(
			    dt, "D_PRINTA_AGGPROTO", line,
			    "printa( ): @%s[ ] key #%d is incompatible with @%s:\n%9s key #%d: %s\n%9s key #%d: %s",
			    id->i_name, i, first->i_name, first->i_name, i, ctf_name(dt, p->p_type), id->i_name, i,
			    ctf_name(dt, q->p_type));
	}
}

/* The keys of an aggregation that this clause fills only later are known by their types. */
static void check_printa_format(build_t *b, const node_t *call, const ident_t *first, uint32_t naggs)
{
	dt_t *dt = b->dt;
	const dtrace_aggvar_t *av = first->i_agg;
	uint32_t n = (uint32_t)count_keys(first), i = 0;
	bool filled = av->av_desc.ad_nparts == n;
	dif_type_t *types = dt_alloc(dt, (n + 1) * sizeof(*types));
	bool *isptr = dt_alloc(dt, n + 1);

	for (const cparam_t *p = first->i_keys; p != NULL; p = p->p_next, i++) {
		types[i] = filled ? av->av_keys[i] : dt_diftype(dt, p->p_type);
		isptr[i] = ctf_resolve(dt, p->p_type)->c_kind == CT_PTR;
	}
	check_format(b, call, b->stmt->s_fmt, types, isptr, n, naggs);
}

static void printa_statement(build_t *b, node_t *call, int descline)
{
	dt_t *dt = b->dt;
	const node_t *a = call->n_args, *fmt = a->n_kind == N_STR ? a : NULL;
	const ident_t *first = NULL;
	int nth = 1;

	add_stmt(b, STMT_PRINTA, call->n_line);
	if (fmt != NULL) {
		a = a->n_next;
		nth = 2;
		if (a == NULL)
			dt_error(dt, "D_PRINTA_PROTO", call->n_line,
				 "printa( ) prototype mismatch: 1 args passed, 2 expected");
	}
	for (; a != NULL; a = a->n_next, nth++) {
		const ident_t *id = agg_arg(b, call, a, nth, "D_PRINTA_AGGARG");

		agg_defined(b, call, id, "D_PRINTA_AGGBAD");
		if (first != NULL)
			match_aggs(b, first, id, fmt != NULL ? call->n_line : descline);
		set_aggs(b, id->i_agg);
		if (first == NULL && fmt != NULL) {
			b->stmt->s_fmt = format(b, call, fmt);
			check_printa_format(b, call, id, node_count(a));
		}
		if (first == NULL)
			first = id;
	}
	add_act(b, ACT_MARK);
}

/* ---- other actions ---- */

static void trace_statement(build_t *b, node_t *call)
{
	dt_t *dt = b->dt;
	node_t *a = call->n_args;

	add_stmt(b, STMT_TRACE, call->n_line);
	if (ctf_resolve(dt, a->n_type)->c_kind == CT_VOID && !dt_node_is_dyn(a))
		dt_error(dt, "D_TRACE_VOID", a->n_line, "trace( ) may not be applied to a void expression");
	if (dt_node_is_dyn(a))
		dt_error(dt, "D_TRACE_DYN", a->n_line, "trace( ) may not be applied to a dynamic expression");
	add_value(b, a);
}

static void tracemem_statement(build_t *b, node_t *call)
{
	dt_t *dt = b->dt;
	node_t *a = call->n_args, *size = a->n_next, *limit = size->n_next;
	dif_type_t t = {.dt_kind = DIF_BYTES};

	add_stmt(b, STMT_TRACEMEM, call->n_line);
	if (dt_node_is_dyn(a) || !(ctf_is_int(dt, a->n_type) || ctf_is_ptr(dt, a->n_type)))
		dt_error(dt, "D_TRACEMEM_ADDR", a->n_line,
			 "tracemem( ) argument #1 is incompatible with prototype:\n\tprototype: pointer or integer\n"
			 "\t argument: %s",
			 dt_node_type(dt, a));
	if (size->n_kind != N_INT || (int64_t)size->n_value <= 0 || size->n_value > UINT32_MAX)
		dt_error(dt, "D_TRACEMEM_SIZE", size->n_line,
			 "tracemem( ) argument #2 must be a non-zero positive integral constant expression");
	if (limit != NULL && !is_scalar(dt, limit))
		dt_error(dt, "D_PROTO_ARG", limit->n_line, "tracemem( ) argument #3 must be of scalar type");
	t.dt_size = (uint32_t)size->n_value;
	add_value_as(b, a, t);
	if (limit != NULL)
		add_value_as(b, limit, dt_diftype(dt, dt->t.int64));
}

static void print_statement(build_t *b, node_t *call)
{
	dt_t *dt = b->dt;
	node_t *a = call->n_args;
	ctype_t *r = ctf_resolve(dt, a->n_type),
		*to = r->c_kind == CT_PTR || r->c_kind == CT_ARRAY ? r->c_ref : dt->t.v;
	dif_type_t t = dt_diftype(dt, to);

	add_stmt(b, STMT_PRINT, call->n_line);
	if (ctf_size(dt, to) == 0 || ctf_resolve(dt, to)->c_incomplete)
		dt_error(dt, "D_PRINT_SIZE", call->n_line,
			 "print( ) argument #1 reference has type '%s' with size 0; cannot print( ) it.",
			 ctf_name(dt, to));
	add_value_as(b, a, dt_diftype(dt, dt->t.uint64));
	t.dt_kind = DIF_BYTES;
	add_value_as(b, a, t);
}

static void setopt_statement(build_t *b, node_t *call)
{
	dif_type_t t = dt_diftype(b->dt, b->dt->t.string);

	add_stmt(b, STMT_SETOPT, call->n_line);
	add_value_as(b, call->n_args, t);
	if (call->n_args->n_next != NULL)
		add_value_as(b, call->n_args->n_next, t);
}

static void number_statement(build_t *b, node_t *call, dtrace_stmtkind_t skind, dtrace_actkind_t akind)
{
	dtrace_act_t *a;

	add_stmt(b, skind, call->n_line);
	a = add_act(b, akind);
	if (call->n_args != NULL)
		a->a_dif = number(b, call->n_args);
	if (akind == ACT_EXIT)
		a->a_type = dt_diftype(b->dt, b->dt->t.i);
}

/* copyout() and copyoutstr() are subroutines that only a statement may call. */
static void copyout_statement(build_t *b, node_t *call)
{
	dt_t *dt = b->dt;
	ident_t *id = dt_alloc(dt, sizeof(*id));

	add_stmt(b, STMT_DESTRUCTIVE, call->n_line);
	*id = *call->n_id;
	id->i_kind = ID_FUNC;
	id->i_id = call->n_id->i_id == DT_ACT_COPYOUT ? DIF_SUBR_COPYOUT : DIF_SUBR_COPYOUTSTR;
	call->n_id = id;
	add_value(b, call);
}

static void mark_statement(build_t *b, const node_t *call, dtrace_stmtkind_t kind)
{
	add_stmt(b, kind, call->n_line);
	add_act(b, ACT_MARK);
}

static void action_statement(build_t *b, node_t *n, int descline)
{
	switch (n->n_id->i_id) {
	case DT_ACT_BREAKPOINT:
		number_statement(b, n, STMT_DESTRUCTIVE, ACT_BREAKPOINT);
		break;
	case DT_ACT_CHILL:
		number_statement(b, n, STMT_DESTRUCTIVE, ACT_CHILL);
		break;
	case DT_ACT_PANIC:
		number_statement(b, n, STMT_DESTRUCTIVE, ACT_PANIC);
		break;
	case DT_ACT_RAISE:
		number_statement(b, n, STMT_DESTRUCTIVE, ACT_RAISE);
		break;
	case DT_ACT_STOP:
		number_statement(b, n, STMT_DESTRUCTIVE, ACT_STOP);
		break;
	case DT_ACT_COPYOUT:
	case DT_ACT_COPYOUTSTR:
		copyout_statement(b, n);
		break;
	case DT_ACT_CLEAR:
		aggact_statement(b, n, STMT_CLEAR, 1, 1);
		break;
	case DT_ACT_TRUNC:
		aggact_statement(b, n, STMT_TRUNC, 1, 2);
		break;
	case DT_ACT_NORMALIZE:
		aggact_statement(b, n, STMT_NORMALIZE, 2, 2);
		break;
	case DT_ACT_DENORMALIZE:
		aggact_statement(b, n, STMT_DENORMALIZE, 1, 1);
		break;
	case DT_ACT_COMMIT:
		number_statement(b, n, STMT_COMMIT, ACT_COMMIT);
		break;
	case DT_ACT_DISCARD:
		number_statement(b, n, STMT_DISCARD, ACT_DISCARD);
		break;
	case DT_ACT_SPECULATE:
		number_statement(b, n, STMT_SPECULATE, ACT_SPECULATE);
		break;
	case DT_ACT_EXIT:
		number_statement(b, n, STMT_EXIT, ACT_EXIT);
		break;
	case DT_ACT_FREOPEN:
		format_statement(b, n, STMT_FREOPEN);
		break;
	case DT_ACT_SYSTEM:
		format_statement(b, n, STMT_SYSTEM);
		break;
	case DT_ACT_PRINTF:
		format_statement(b, n, STMT_PRINTF);
		break;
	case DT_ACT_PRINTA:
		printa_statement(b, n, descline);
		break;
	case DT_ACT_FTRUNCATE:
		mark_statement(b, n, STMT_FTRUNCATE);
		break;
	case DT_ACT_JSTACK:
	case DT_ACT_USTACK:
		add_stmt(b, n->n_id->i_id == DT_ACT_JSTACK ? STMT_JSTACK : STMT_USTACK, n->n_line);
		add_ustack(b, n);
		break;
	case DT_ACT_STACK:
		add_stmt(b, STMT_STACK, n->n_line);
		add_stack(b, n);
		break;
	case DT_ACT_PRINT:
		print_statement(b, n);
		break;
	case DT_ACT_SETOPT:
		setopt_statement(b, n);
		break;
	case DT_ACT_TRACE:
		trace_statement(b, n);
		break;
	case DT_ACT_TRACEMEM:
		tracemem_statement(b, n);
		break;
	default:
		add_stmt(b, STMT_SYM, n->n_line);
		add_symbol(b, n);
		break;
	}
}

/* ---- the order of speculation, commit and data ---- */

static bool is_destructive(dtrace_stmtkind_t k)
{
	return k == STMT_DESTRUCTIVE || k == STMT_SYSTEM || k == STMT_FREOPEN;
}

static _Noreturn void misplaced(build_t *b, const char *tag, const char *what, const char *after)
{
	dt_error(b->dt, tag, b->line, "%s may not follow %s", what, after);
}

static void order_speculate(build_t *b)
{
	if (b->speculate)
		misplaced(b, "D_SPEC_SPEC", "speculate( )", "speculate( )");
	if (b->commit)
		misplaced(b, "D_SPEC_COMM", "speculate( )", "commit( )");
	if (b->data)
		misplaced(b, "D_SPEC_DREC", "speculate( )", "data-recording action(s)");
	b->speculate = true;
}

static void order_check(build_t *b)
{
	dtrace_stmtkind_t k = b->stmt->s_kind;

	b->ecb->e_destructive = b->ecb->e_destructive || is_destructive(k);
	if (k == STMT_SPECULATE) {
		order_speculate(b);
		return;
	}
	if (k == STMT_COMMIT) {
		if (b->commit)
			misplaced(b, "D_COMM_COMM", "commit( )", "commit( )");
		if (b->data)
			misplaced(b, "D_COMM_DREC", "commit( )", "data-recording action(s)");
		b->commit = true;
		return;
	}
	if (k == STMT_AGG) {
		if (b->speculate)
			misplaced(b, "D_AGG_SPEC", "aggregating actions", "speculate( )");
		if (b->commit)
			misplaced(b, "D_AGG_COMM", "aggregating actions", "commit( )");
		b->data = true;
		return;
	}
	if (b->speculate && is_destructive(k))
		misplaced(b, "D_ACT_SPEC", "destructive actions", "speculate( )");
	if (b->speculate && k == STMT_EXIT)
		misplaced(b, "D_EXIT_SPEC", "exit( )", "speculate( )");
	if (is_destructive(k) || k == STMT_DISCARD || k == STMT_EXPR)
		return;
	if (b->commit)
		misplaced(b, "D_DREC_COMM", "data-recording actions", "commit( )");
	b->data = b->data || !b->speculate;
}

/* ---- clauses ---- */

static void statement(build_t *b, node_t *n, int descline)
{
	if (is_call(n, ID_ACTFUNC)) {
		action_statement(b, n, descline);
	} else if (n->n_kind == N_OP2 && n->n_op == OP_ASGN && n->n_left->n_kind == N_AGG) {
		agg_statement(b, n);
	} else if (n->n_kind == N_AGG) {
		dt_error(b->dt, "D_AGG_NULL", n->n_line, "expression has null effect: @%s", n->n_id->i_name);
	} else {
		add_stmt(b, STMT_EXPR, n->n_line);
		add_value_as(b, n, (dif_type_t){.dt_kind = DIF_VOID});
	}
	order_check(b);
}

static dtrace_ecbdesc_t *new_ecb(dt_t *dt, const dtrace_probedesc_t *d)
{
	dtrace_ecbdesc_t *e = dt_alloc(dt, sizeof(*e));

	e->e_text[0] = dt_strdup(dt, d->dtpd_provider);
	e->e_text[1] = dt_strdup(dt, d->dtpd_mod);
	e->e_text[2] = dt_strdup(dt, d->dtpd_func);
	e->e_text[3] = dt_strdup(dt, d->dtpd_name);
	e->e_desc = (dtrace_probedesc_t){d->dtpd_id, e->e_text[0], e->e_text[1], e->e_text[2], e->e_text[3]};
	return e;
}

static void generate(dt_t *dt, const node_t *desc, const node_t *body, dtrace_ecbdesc_t ***tail)
{
	build_t b = {.dt = dt, .ecb = new_ecb(dt, desc->n_desc)};
	node_t *next;

	b.acttail = &b.ecb->e_acts;
	b.stmttail = &b.ecb->e_stmts;
	b.ecb->e_clause = dt->d_nclause;
	if (body->n_left != NULL) {
		dif_type_t t = dt_diftype(dt, body->n_left->n_type);

		b.ecb->e_pred = dt_gen(dt, body->n_left, &t);
	}
	for (node_t *n = body->n_right; n != NULL; n = next) {
		next = n->n_next;
		statement(&b, n, desc->n_line);
	}
	if (body->n_right == NULL) {
		add_stmt(&b, STMT_DEFAULT, desc->n_line);
		add_act(&b, ACT_MARK);
	}
	**tail = b.ecb;
	*tail = &b.ecb->e_next;
}

static void check_actions(dt_t *dt, node_t *body)
{
	dt->d_pcb->p_region = "in action list";
	body->n_right = dt_check_args(dt, body->n_right);
	dt->d_pcb->p_region = NULL;
}

static void check_predicate(dt_t *dt, node_t *body)
{
	if (body->n_left == NULL)
		return;
	dt->d_pcb->p_region = "in predicate";
	body->n_left = dt_check(dt, body->n_left);
	if (!is_scalar(dt, body->n_left))
		dt_error(dt, "D_PRED_SCALAR", body->n_left->n_line, "predicate result must be of scalar type");
	dt->d_pcb->p_region = NULL;
}

/* False: an unknown variable, which the predicate may yet define.  Other errors go up. */
static bool try_actions_first(dt_t *dt, node_t *body)
{
	jmp_buf outer;
	bool ok;

	memcpy(&outer, &dt->d_jmp, sizeof(outer));
	ok = setjmp(dt->d_jmp) == 0;
	if (ok) {
		check_actions(dt, body);
		check_predicate(dt, body);
	}
	memcpy(&dt->d_jmp, &outer, sizeof(outer));
	if (ok)
		return true;
	if (body->n_left == NULL ||
	    (strcmp(dt->d_errtag, "D_IDENT_UNDEF") != 0 && strcmp(dt->d_errtag, "D_VAR_UNDEF") != 0))
		longjmp(dt->d_jmp, 1);
	dt->d_pcb->p_region = NULL;
	return false;
}

/* Predicate and statements of the clause, not yet typed. */
static node_t *clause_body(dt_t *dt, const node_t *clause)
{
	node_t *body = dt_alloc(dt, sizeof(*body));

	body->n_kind = N_CLAUSE;
	body->n_left = node_clone(dt, clause->n_left, false);
	body->n_right = node_clone(dt, clause->n_right, true);
	return body;
}

static node_t *check_clause(dt_t *dt, const node_t *clause)
{
	node_t *body = clause_body(dt, clause);

	if (try_actions_first(dt, body))
		return body;
	body = clause_body(dt, clause);
	check_predicate(dt, body);
	check_actions(dt, body);
	return body;
}

void dt_clause(dt_t *dt, node_t *clause, dtrace_ecbdesc_t ***tail)
{
	dt->d_nclause++;
	for (const node_t *desc = clause->n_args; desc != NULL; desc = desc->n_next) {
		node_t *body;

		match(dt, desc);
		dt->d_pcb->p_inclause = true;
		body = check_clause(dt, clause);
		generate(dt, desc, body, tail);
		dt->d_pcb->p_inclause = false;
	}
}
