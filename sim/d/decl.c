/*
 * Declarations: C's, plus D's variable classes, inlines, translators and
 * providers.
 */
#include "d/dt_impl.h"

#include <string.h>

#define FAIL(dt, tag, ...) dt_error(dt, tag, dt_here(dt), __VA_ARGS__)

/* ---- specifiers ---- */

declspec_t *dt_decl_spec(dt_t *dt)
{
	return dt_alloc(dt, sizeof(declspec_t));
}

void dt_decl_class(dt_t *dt, declspec_t *ds, declclass_t class)
{
	if (ds->ds_class != DC_NONE)
		FAIL(dt, "D_DECL_CLASS", "only one storage class allowed in a declaration");
	ds->ds_class = class;
}

static void check_attrs(dt_t *dt, const declspec_t *ds)
{
	bool sign = ds->ds_signed || ds->ds_unsigned, len = ds->ds_long || ds->ds_longlong;
	bool other =
	    ds->ds_base == DB_VOID || ds->ds_base == DB_FLOAT || ds->ds_base == DB_DOUBLE || ds->ds_base == DB_TYPE;

	if (ds->ds_base == DB_CHAR && (ds->ds_short || len))
		FAIL(dt, "D_DECL_CHARATTR", "invalid type declaration: short and long may not be used with char type");
	if (ds->ds_base == DB_VOID && (sign || ds->ds_short || len))
		FAIL(dt, "D_DECL_VOIDATTR", "invalid type declaration: attributes may not be used with void type");
	if (other && sign)
		FAIL(dt, "D_DECL_SIGNINT",
		     "invalid type declaration: signed and unsigned may only be used with integer type");
	if ((other && ds->ds_base != DB_DOUBLE && (len || ds->ds_short)) ||
	    (ds->ds_base == DB_DOUBLE && (ds->ds_longlong || ds->ds_short)))
		FAIL(dt, "D_DECL_LONGINT",
		     "invalid type declaration: long and long long may only be used with integer or floating-point "
		     "type");
}

void dt_decl_base(dt_t *dt, declspec_t *ds, int base, ctype_t *type)
{
	if (ds->ds_base != DB_NONE)
		FAIL(dt, "D_DECL_COMBO", "invalid type combination");
	if (base == DB_TYPE && type == NULL)
		FAIL(dt, "D_UNKNOWN", "failed to resolve type: Unknown type name");
	ds->ds_base = base;
	ds->ds_type = type;
	check_attrs(dt, ds);
}

void dt_decl_attr(dt_t *dt, declspec_t *ds, char attr)
{
	switch (attr) {
	case 's':
		if (ds->ds_short || ds->ds_long || ds->ds_longlong)
			FAIL(dt, "D_DECL_COMBO", "invalid type combination");
		ds->ds_short = true;
		break;
	case 'l':
		if (ds->ds_short || ds->ds_longlong)
			FAIL(dt, "D_DECL_COMBO", "invalid type combination");
		ds->ds_longlong = ds->ds_long;
		ds->ds_long = !ds->ds_long;
		break;
	case '+':
	case 'u':
		if (ds->ds_signed || ds->ds_unsigned)
			FAIL(dt, "D_DECL_COMBO", "invalid type combination");
		*(attr == '+' ? &ds->ds_signed : &ds->ds_unsigned) = true;
		break;
	case 'c':
		ds->ds_const = true;
		break;
	case 'v':
		ds->ds_volatile = true;
		break;
	case 'r':
		ds->ds_restrict = true;
		break;
	default:
		ds->ds_user = true;
		break;
	}
	check_attrs(dt, ds);
}

static ctype_t *spec_type(dt_t *dt, const declspec_t *ds)
{
	const ctf_base_t *b = &dt->t;
	bool u = ds->ds_unsigned;

	switch (ds->ds_base) {
	case DB_TYPE:
		return ds->ds_type;
	case DB_VOID:
		return b->v;
	case DB_FLOAT:
		return b->flt;
	case DB_DOUBLE:
		return ds->ds_long ? b->ldbl : b->dbl;
	case DB_CHAR:
		return u ? b->uc : b->c;
	default:
		if (ds->ds_short)
			return u ? b->us : b->s;
		if (ds->ds_longlong)
			return u ? b->ull : b->ll;
		if (ds->ds_long)
			return u ? b->ul : b->l;
		return u ? b->ui : b->i;
	}
}

/* ---- declarators ---- */

declr_t *dt_declr(dt_t *dt, const char *name)
{
	declr_t *dr = dt_alloc(dt, sizeof(*dr));

	dr->dr_name = name;
	return dr;
}

declmod_t *dt_declmod(dt_t *dt, int kind)
{
	declmod_t *m = dt_alloc(dt, sizeof(*m));

	m->dm_kind = kind;
	return m;
}

/* Pointers, then arrays and parameters from the right, apply to the base type before what is further inside. */
declr_t *dt_declr_mod(dt_t *dt, declr_t *dr, declmod_t *mod)
{
	if (++dr->dr_depth > DT_MAXDEPTH / 4)
		FAIL(dt, "D_UNKNOWN", "program text is nested too deeply");
	mod->dm_next = dr->dr_mods;
	dr->dr_mods = mod;
	return dr;
}

declmod_t *dt_decl_array(dt_t *dt, node_t *size)
{
	declmod_t *m = dt_declmod(dt, DM_ARRAY);

	if (!node_is_posconst(dt, size))
		FAIL(
		    dt, "D_DECL_ARRSUB",
		    "positive integral constant expression or tuple signature expected as array declaration subscript");
	if (size->n_value > UINT32_MAX)
		FAIL(dt, "D_DECL_ARRBIG", "array dimension too big");
	m->dm_n = size->n_value;
	return m;
}

static ctype_t *apply_mod(dt_t *dt, ctype_t *t, const declmod_t *m)
{
	ctype_t *a;

	if (m->dm_kind != DM_PTR && m->dm_kind != DM_FUNC && ctf_resolve(dt, t)->c_kind == CT_VOID)
		FAIL(dt, "D_DECL_VOIDOBJ", "cannot declare array of void");
	if (t->c_kind == CT_ASSOC)
		FAIL(dt, "D_DECL_DYNOBJ", "cannot declare array of associative arrays");
	switch (m->dm_kind) {
	case DM_PTR:
		t = ctf_ptr(dt, t);
		for (int i = 0; i < MIN(m->dm_nqual, 3); i++)
			t = ctf_qual(dt, m->dm_qual[i], t);
		return t;
	case DM_ARRAY:
	case DM_NOARRAY:
		if (ctf_size(dt, t) != 0 && m->dm_n > UINT32_MAX / ctf_size(dt, t))
			FAIL(dt, "D_DECL_ARRBIG", "array dimension too big");
		return ctf_array(dt, t, m->dm_n);
	case DM_FUNC:
		dt_decl_proto(dt, "function", m->dm_params, m->dm_varargs, 0);
		return ctf_func(dt, t, m->dm_params, m->dm_varargs);
	default:
		dt_decl_proto(dt, "array", m->dm_params, m->dm_varargs, PROTO_NOVARARGS | PROTO_NOVOID);
		a = ctf_array(dt, t, 0);
		a->c_kind = CT_ASSOC;
		a->c_params = m->dm_params;
		return a;
	}
}

ctype_t *dt_decl_type(dt_t *dt, declspec_t *ds, declr_t *dr)
{
	ctype_t *t = spec_type(dt, ds);

	if (ds->ds_const)
		t = ctf_qual(dt, CT_CONST, t);
	if (ds->ds_volatile)
		t = ctf_qual(dt, CT_VOLATILE, t);
	if (dr == NULL)
		return t;
	for (const declmod_t *m = dr->dr_mods; m != NULL; m = m->dm_next)
		t = apply_mod(dt, t, m);
	return t;
}

cparam_t *dt_decl_param(dt_t *dt, declspec_t *ds, declr_t *dr)
{
	cparam_t *p = dt_alloc(dt, sizeof(*p));

	if (ds->ds_class != DC_NONE && ds->ds_class != DC_REGISTER)
		FAIL(dt, "D_DECL_PARMCLASS", "inappropriate storage class for function or associative array parameter");
	if (ds->ds_base == DB_NONE && !ds->ds_signed && !ds->ds_unsigned && !ds->ds_short && !ds->ds_long &&
	    !ds->ds_longlong)
		ds->ds_base = DB_INT;
	p->p_type = dt_decl_type(dt, ds, dr);
	p->p_name = dr != NULL ? dr->dr_name : NULL;
	p->p_line = dt_here(dt);
	return p;
}

const cparam_t *dt_param_named(const cparam_t *list, const cparam_t *end, const char *name)
{
	for (; list != end; list = list->p_next) {
		if (list->p_name != NULL && strcmp(list->p_name, name) == 0)
			return list;
	}
	return NULL;
}

void dt_decl_proto(dt_t *dt, const char *kind, cparam_t *params, bool varargs, int flags)
{
	bool sawvoid = false;
	int i = 1;

	for (cparam_t *p = params; p != NULL; p = p->p_next, i++) {
		bool isvoid = ctf_resolve(dt, p->p_type)->c_kind == CT_VOID;

		if (p->p_type->c_kind == CT_ASSOC || (isvoid && (flags & PROTO_NOVOID)))
			dt_error(dt, "D_DECL_PROTO_TYPE", p->p_line,
				 "%s prototype may not use parameter of type %s: %s, parameter #%d", kind,
				 p->p_type->c_kind == CT_ASSOC ? "<DYN>" : ctf_name(dt, p->p_type),
				 p->p_name != NULL ? p->p_name : "(anonymous)", i);
		if (isvoid && p->p_name != NULL)
			dt_error(dt, "D_DECL_PROTO_NAME", p->p_line, "void parameter may not have a name: %s",
				 p->p_name);
		if (p->p_name != NULL && dt_param_named(params, p, p->p_name) != NULL)
			dt_error(dt, "D_DECL_PROTO_FORM", p->p_line,
				 "parameter is already declared in %s prototype: %s, parameter #%d", kind, p->p_name,
				 i);
		sawvoid = sawvoid || isvoid;
	}
	if (varargs && (flags & PROTO_NOVARARGS))
		FAIL(dt, "D_DECL_PROTO_VARARGS", "%s prototype may not use a variable-length argument list", kind);
	if (sawvoid && (params->p_next != NULL || varargs))
		FAIL(dt, "D_DECL_PROTO_VOID", "void must be sole parameter");
}

/* ---- tags, members, enumerators ---- */

ctype_t *dt_decl_tag(dt_t *dt, ctype_kind_t kind, const char *tag)
{
	ctype_t *t = ctf_lookup_tag(dt, kind, tag);

	return t != NULL ? t : ctf_tagged(dt, kind, tag);
}

ctype_t *dt_decl_sou_begin(dt_t *dt, ctype_kind_t kind, const char *tag)
{
	static const char *const words[] = {[CT_STRUCT] = "struct", [CT_UNION] = "union", [CT_ENUM] = "enum"};
	ctype_t *t;

	if (tag == NULL)
		return ctf_tagged(dt, kind, NULL);
	if (strchr(tag, '`') != NULL)
		FAIL(dt, "D_DECL_SCOPE", "D scoping operator may not be used in a type name");
	t = ctf_lookup_tag(dt, kind, tag);
	if (t != NULL && t->c_line == 0 && (!t->c_incomplete || t->c_members != NULL))
		FAIL(dt, "D_DECL_TYPERED", "type redeclared: %s %s", words[kind], tag);
	return t != NULL && t->c_line == 0 ? t : ctf_tagged(dt, kind, tag);
}

static bool is_incomplete(dt_t *dt, ctype_t *t)
{
	ctype_t *r = ctf_resolve(dt, t);

	return (ctf_is_sou(dt, r) && (r->c_incomplete || r->c_size == 0)) || (r->c_kind == CT_ENUM && r->c_incomplete);
}

static void check_member(dt_t *dt, ctype_t *t, const char *name)
{
	const char *shown = name != NULL ? name : "(anon)";

	if (t->c_kind == CT_ASSOC)
		FAIL(dt, "D_DECL_DYNOBJ", "cannot have dynamic member: %s", shown);
	if (ctf_resolve(dt, t)->c_kind == CT_VOID)
		FAIL(dt, "D_DECL_VOIDOBJ", "cannot have void member: %s", shown);
	for (ctype_t *e = ctf_resolve(dt, t);; e = ctf_resolve(dt, e->c_ref)) {
		if (e->c_kind == CT_ARRAY)
			continue;
		if (is_incomplete(dt, e))
			FAIL(dt, "D_DECL_INCOMPLETE", "incomplete struct/union/enum %s: %s", ctf_name(dt, t), shown);
		break;
	}
}

static uint32_t check_bitfield(dt_t *dt, ctype_t *t, const char *name, const node_t *width)
{
	const char *shown = name != NULL ? name : "(anon)";

	if (name == NULL && width->n_kind == N_INT && width->n_value == 0)
		return 0;
	if (!node_is_posconst(dt, width))
		FAIL(dt, "D_DECL_BFCONST", "positive integral constant expression expected as bit-field size");
	if (ctf_resolve(dt, t)->c_kind != CT_INT)
		FAIL(dt, "D_DECL_BFTYPE", "invalid type for bit-field: %s", shown);
	if (width->n_value > ctf_bits(dt, t))
		FAIL(dt, "D_DECL_BFSIZE", "bit-field too big for type: %s", shown);
	return (uint32_t)width->n_value;
}

void dt_decl_member(dt_t *dt, ctype_t *sou, declspec_t *ds, declr_t *dr, node_t *width)
{
	const char *name = dr != NULL ? dr->dr_name : NULL;
	ctype_t *t = dt_decl_type(dt, ds, dr);
	uint32_t bits = 0;

	if (name != NULL && strchr(name, '`') != NULL)
		FAIL(dt, "D_DECL_SCOPE", "D scoping operator may not be used in a member name (%s)", name);
	check_member(dt, t, name);
	if (width != NULL) {
		bits = check_bitfield(dt, t, name, width);
		if (bits == 0)
			return;
	}
	if (!ctf_add_member(dt, sou, name, t, bits))
		FAIL(dt, "D_UNKNOWN", "failed to define member '%s': Duplicate member name definition", name);
	if (sou->c_size > UINT32_MAX)
		FAIL(dt, "D_DECL_ARRBIG", "array dimension too big");
}

void dt_decl_enumr(dt_t *dt, ctype_t *t, const char *name, node_t *value)
{
	cenumr_t *e, **pp = &t->c_enums;
	int64_t v = 0, other;
	ident_t *id = dt_ident_lookup(&dt->d_globals, name);

	if (strchr(name, '`') != NULL)
		FAIL(dt, "D_DECL_SCOPE", "D scoping operator may not be used in an enumerator name (%s)", name);
	if (value != NULL && value->n_kind != N_INT)
		FAIL(dt, "D_DECL_ENCONST", "enumerator '%s' must be assigned to an integral constant expression", name);
	for (; *pp != NULL; pp = &(*pp)->e_next)
		v = (*pp)->e_value + 1;
	if (value != NULL)
		v = (int64_t)value->n_value;
	if (v > INT32_MAX || v < INT32_MIN)
		FAIL(dt, "D_DECL_ENOFLOW", "enumerator '%s' value overflows INT_MAX (2147483647)", name);
	if (ctf_enum_value(dt, t, name, &other))
		FAIL(dt, "D_UNKNOWN", "failed to define enumerator '%s': Duplicate member name definition", name);
	if (id != NULL && dt->d_pcb->p_inclevel == 0)
		FAIL(dt, "D_DECL_IDRED", "identifier redeclared: %s", name);
	e = *pp = dt_alloc(dt, sizeof(*e));
	e->e_name = name;
	e->e_value = v;
	if (id == NULL) {
		id = dt_ident_new(dt, &dt->d_globals, name, ID_ENUM, SC_GLOBAL);
		id->i_type = t;
		id->i_value = v;
	}
}

/* ---- variables and typedefs ---- */

static void declare_typedef(dt_t *dt, declspec_t *ds, declr_t *dr)
{
	const char *name = dr->dr_name;
	ident_t *id = dt_ident_lookup(&dt->d_globals, name);
	ctype_t *old = ctf_lookup_typedef(dt, name), *t = dt_decl_type(dt, ds, dr);

	if (strchr(name, '`') != NULL)
		FAIL(dt, "D_DECL_SCOPE", "D scoping operator may not be used in a declaration name (%s)", name);
	if (id != NULL)
		FAIL(dt, "D_DECL_IDRED", "global variable identifier redeclared: %s", name);
	if (old != NULL && !ctf_same(dt, old, t))
		FAIL(dt, "D_DECL_IDRED", "typedef redeclared: %s", name);
	if (old == NULL)
		ctf_typedef(dt, name, t);
}

/* A kernel symbol's type is known already: an extern declaration may only repeat it. */
static void declare_extern(dt_t *dt, declspec_t *ds, declr_t *dr)
{
	ctype_t *t = dt_decl_type(dt, ds, dr);
	csym_t sym;

	if (!ctf_lookup_sym(dt, NULL, dr->dr_name, &sym) || sym.s_type == NULL || ctf_same(dt, sym.s_type, t))
		return;
	FAIL(dt, "D_DECL_IDRED", "identifier redeclared: %s`%s\n\t current: %s\n\tprevious: %s", sym.s_mod, sym.s_name,
	     ctf_name(dt, t), ctf_name(dt, sym.s_type));
}

static void check_redeclared(dt_t *dt, const ident_t *id, id_kind_t kind, ctype_t *type, cparam_t *keys)
{
	const char *name = id->i_name, *tname = ctf_name(dt, type);
	const char *old = id->i_type != NULL ? ctf_name(dt, id->i_type) : "<DYN>";
	int i = 1, n = 0, m = 0;

	if (id->i_kind != kind || id->i_type == NULL || strcmp(old, tname) != 0)
		FAIL(dt, "D_DECL_IDRED", "identifier redeclared: %s\n\t current: %s %s\n\tprevious: %s %s", name,
		     kind == ID_ARRAY ? "associative array" : "scalar", tname, dt_ident_kind(id), old);
	if (kind != ID_ARRAY)
		return;
	for (cparam_t *a = keys, *b = id->i_keys; a != NULL && b != NULL; a = a->p_next, b = b->p_next, i++) {
		if (strcmp(ctf_name(dt, a->p_type), ctf_name(dt, b->p_type)) != 0)
			FAIL(dt, "D_DECL_IDRED",
			     "identifier redeclared: %s\n\t current: associative array, key #%d of type %s\n"
			     "\tprevious: associative array, key #%d of type %s",
			     name, i, ctf_name(dt, a->p_type), i, ctf_name(dt, b->p_type));
	}
	for (cparam_t *a = keys; a != NULL; a = a->p_next)
		n++;
	for (cparam_t *b = id->i_keys; b != NULL; b = b->p_next)
		m++;
	if (n != m)
		FAIL(dt, "D_DECL_IDRED",
		     "identifier redeclared: %s\n\t current: associative array of %s, tuple length %d\n"
		     "\tprevious: associative array of %s, tuple length %d",
		     name, tname, n, old, m);
}

static bool has_noarray(const declr_t *dr)
{
	for (const declmod_t *m = dr->dr_mods; m != NULL; m = m->dm_next) {
		if (m->dm_kind == DM_NOARRAY)
			return true;
	}
	return false;
}

static void check_name(dt_t *dt, const declspec_t *ds, const declr_t *dr)
{
	const char *name = dr->dr_name;
	const ident_t *id = dt_ident_lookup(&dt->d_globals, name);
	bool global = ds->ds_class == DC_NONE;

	if (strchr(name, '`') != NULL)
		FAIL(dt, "D_DECL_SCOPE", "D scoping operator may not be used in a declaration name (%s)", name);
	if (ds->ds_class == DC_AUTO || ds->ds_class == DC_REGISTER || ds->ds_class == DC_STATIC)
		FAIL(dt, "D_DECL_BADCLASS", "specified storage class not appropriate in D");
	if (has_noarray(dr))
		FAIL(dt, "D_DECL_ARRNULL", "array declaration requires array dimension or tuple signature: %s", name);
	if (global && id != NULL && id->i_builtin)
		FAIL(dt, "D_DECL_IDRED", "built-in identifier redeclared: %s", name);
	if (global && id == NULL && ctf_lookup_typedef(dt, name) != NULL)
		FAIL(dt, "D_DECL_IDRED", "typedef identifier redeclared: %s", name);
}

static void check_object(dt_t *dt, ctype_t *t, const char *name)
{
	if (ctf_resolve(dt, t)->c_kind == CT_VOID)
		FAIL(dt, "D_DECL_VOIDOBJ", "cannot have void object: %s", name);
	if (is_incomplete(dt, t))
		FAIL(dt, "D_DECL_INCOMPLETE", "incomplete struct/union/enum %s: %s", ctf_name(dt, t), name);
}

static void declare_variable(dt_t *dt, declspec_t *ds, declr_t *dr)
{
	id_scope_t scope = ds->ds_class == DC_SELF ? SC_SELF : ds->ds_class == DC_THIS ? SC_THIS : SC_GLOBAL;
	idhash_t *h = dt_scope_hash(dt, scope);
	ident_t *id;
	ctype_t *t;
	bool array;

	check_name(dt, ds, dr);
	t = dt_decl_type(dt, ds, dr);
	array = t->c_kind == CT_ASSOC;
	if (array && scope == SC_THIS)
		FAIL(dt, "D_DECL_LOCASSC", "associative arrays may not be declared as local variables: %s",
		     dr->dr_name);
	id = dt_ident_lookup(h, dr->dr_name);
	if (id != NULL) {
		check_redeclared(dt, id, array ? ID_ARRAY : ID_SCALAR, array ? t->c_ref : t, t->c_params);
		return;
	}
	check_object(dt, array ? t->c_ref : t, dr->dr_name);
	id = dt_ident_new(dt, h, dr->dr_name, array ? ID_ARRAY : ID_SCALAR, scope);
	id->i_write = id->i_declared = true;
	id->i_type = array ? t->c_ref : t;
	id->i_keys = array ? t->c_params : NULL;
	id->i_haskeys = array;
	dt_ident_number(dt, id, dt_here(dt));
}

void dt_decl_var(dt_t *dt, declspec_t *ds, declr_t *dr)
{
	bool func = false;

	for (const declmod_t *m = dr->dr_mods; m != NULL; m = m->dm_next)
		func = m->dm_next == NULL && m->dm_kind == DM_FUNC;
	if (ds->ds_class == DC_TYPEDEF)
		declare_typedef(dt, ds, dr);
	else if (ds->ds_class == DC_EXTERN || func)
		declare_extern(dt, ds, dr);
	else
		declare_variable(dt, ds, dr);
}

void dt_decl_end(dt_t *dt, declspec_t *ds)
{
	if (!ds->ds_tagged)
		FAIL(dt, "D_DECL_USELESS", "useless declaration");
}

/* ---- inlines ---- */

/* Parameters hide everything of their name while the definition is read. */
static ident_t *push_param(dt_t *dt, const char *name, ctype_t *type)
{
	ident_t *id = dt_ident_new(dt, &dt->d_globals, name, ID_PARAM, SC_GLOBAL);

	id->i_type = type;
	return id;
}

static cparam_t *inline_params(const declr_t *dr)
{
	const declmod_t *m = dr->dr_mods;

	while (m != NULL && m->dm_next != NULL)
		m = m->dm_next;
	return m != NULL && m->dm_kind == DM_TUPLE ? m->dm_params : NULL;
}

static void check_inline(dt_t *dt, const declspec_t *ds, const declr_t *dr)
{
	const char *name = dr->dr_name;
	const ident_t *id = dt_ident_lookup(&dt->d_globals, name);

	if (strchr(name, '`') != NULL)
		FAIL(dt, "D_DECL_SCOPE", "D scoping operator may not be used in a declaration name (%s)", name);
	if (ds->ds_class != DC_NONE)
		FAIL(dt, "D_DECL_BADCLASS", "specified storage class not appropriate for inline declaration");
	for (const declmod_t *m = dr->dr_mods; m != NULL; m = m->dm_next) {
		if (m->dm_kind == DM_NOARRAY)
			FAIL(dt, "D_DECL_ARRNULL", "inline declaration requires array tuple signature: %s", name);
		if (m->dm_kind == DM_ARRAY && (m->dm_next == NULL || m->dm_next->dm_kind != DM_PTR))
			FAIL(dt, "D_DECL_ARRNULL", "inline declaration cannot be of scalar array type: %s", name);
	}
	if (id != NULL)
		FAIL(dt, "D_DECL_IDRED", "identifier redefined: %s\n\t current: inline definition\n\tprevious: %s %s",
		     name, dt_ident_kind(id), id->i_kind == ID_INLINE ? "inline" : "");
}

void dt_inline_begin(dt_t *dt, declspec_t *ds, declr_t *dr)
{
	ctype_t *t;

	check_inline(dt, ds, dr);
	t = dt_decl_type(dt, ds, dr);
	if (t->c_kind == CT_ASSOC)
		t = t->c_ref;
	if (ctf_resolve(dt, t)->c_kind == CT_VOID)
		FAIL(dt, "D_DECL_VOIDOBJ", "cannot declare void inline: %s", dr->dr_name);
	if (is_incomplete(dt, t))
		FAIL(dt, "D_DECL_INCOMPLETE", "incomplete struct/union/enum %s: %s", ctf_name(dt, t), dr->dr_name);
	for (cparam_t *p = inline_params(dr); p != NULL; p = p->p_next)
		p->p_id = push_param(dt, p->p_name != NULL ? p->p_name : "", p->p_type);
}

static node_t *inline_root(dt_t *dt, const char *name, ctype_t *t, node_t *expr)
{
	node_t *root = dt_check(dt, expr);
	bool dyn = root->n_kind == N_XLATE;

	if (dyn ? !ctf_same(dt, t, root->n_type) : !dt_arg_compat(dt, root, t))
		FAIL(dt, "D_OP_INCOMPAT", "inline %s definition uses incompatible types: \"%s\" = \"%s\"", name,
		     ctf_name(dt, t), dyn ? ctf_name(dt, root->n_type) : dt_node_type(dt, root));
	if (dyn || ctf_same(dt, t, root->n_type))
		return root;
	if (root->n_kind == N_INT && ctf_is_int(dt, t))
		return node_int(dt, dt_convert(dt, root->n_value, root->n_type, t), t);
	if (!ctf_is_int(dt, t)) {
		if (root->n_kind != N_INT) {
			root = node_clone(dt, root, false);
			root->n_type = t;
		}
		return root;
	}
	return dt_check(dt, node_op2(dt, OP_CAST, node_type(dt, t), root));
}

void dt_inline_end(dt_t *dt, declspec_t *ds, declr_t *dr, node_t *expr)
{
	ctype_t *t = dt_decl_type(dt, ds, dr);
	cparam_t *params = inline_params(dr);
	bool array = t->c_kind == CT_ASSOC;
	node_t *root;
	ident_t *id;

	if (array)
		t = t->c_ref;
	root = inline_root(dt, dr->dr_name, t, expr);
	for (cparam_t *p = params; p != NULL; p = p->p_next)
		dt_ident_remove(&dt->d_globals, p->p_id);
	id = dt_ident_new(dt, &dt->d_globals, dr->dr_name, ID_INLINE, SC_GLOBAL);
	id->i_type = t;
	id->i_root = root;
	id->i_haskeys = array;
	id->i_keys = params;
	id->i_builtin = dt->d_pcb->p_lib;
	dt->d_pcb->p_content = true;
}

/* ---- translators ---- */

xlator_t *dt_xlator_begin(dt_t *dt, ctype_t *out, cparam_t *in)
{
	xlator_t *x;

	for (x = dt->d_xlators; x != NULL; x = x->x_next) {
		if (ctf_same(dt, x->x_in, in->p_type) && ctf_same(dt, x->x_out, out))
			FAIL(dt, "D_XLATE_REDECL", "translator from %s to %s has already been declared",
			     ctf_name(dt, in->p_type), ctf_name(dt, out));
	}
	if (!ctf_is_sou(dt, out))
		FAIL(dt, "D_XLATE_SOU", "translator output type must be a struct or union");
	if (is_incomplete(dt, out))
		FAIL(dt, "D_XLATE_SOU", "incomplete struct/union/enum %s", ctf_name(dt, out));
	x = dt_alloc(dt, sizeof(*x));
	x->x_in = in->p_type;
	x->x_out = out;
	x->x_param = push_param(dt, in->p_name, in->p_type);
	if (dt->d_xltail != NULL)
		dt->d_xltail->x_next = x;
	else
		dt->d_xlators = x;
	dt->d_xltail = x;
	dt->d_pcb->p_content = true;
	return x;
}

void dt_xlator_member(dt_t *dt, xlator_t *x, const char *name, node_t *expr)
{
	uint64_t off;
	const cmember_t *m = ctf_member(dt, x->x_out, name, &off);
	struct xlmember *xm;
	node_t *root;

	if (m == NULL)
		FAIL(dt, "D_XLATE_MEMB", "translator member %s is not a member of %s", name, ctf_name(dt, x->x_out));
	root = dt_check(dt, expr);
	if (!dt_arg_compat(dt, root, m->m_type))
		FAIL(dt, "D_XLATE_INCOMPAT", "translator member %s definition uses incompatible types: \"%s\" = \"%s\"",
		     name, ctf_name(dt, m->m_type), dt_node_type(dt, root));
	xm = dt_alloc(dt, sizeof(*xm));
	xm->xm_name = name;
	xm->xm_expr = root;
	xm->xm_type = m->m_type;
	xm->xm_next = x->x_members; /* the last definition of a member is found first */
	x->x_members = xm;
}

void dt_xlator_end(dt_t *dt, xlator_t *x)
{
	dt_ident_remove(&dt->d_globals, x->x_param);
	x->x_done = true;
}

xlator_t *dt_xlator_find(dt_t *dt, ctype_t *from, ctype_t *to)
{
	node_t value = {.n_kind = N_VAR, .n_type = from};

	for (int pass = 0; pass < 3; pass++) {
		for (xlator_t *x = dt->d_xlators; x != NULL; x = x->x_next) {
			bool in = pass == 0   ? x->x_in == from
				  : pass == 1 ? ctf_same(dt, x->x_in, from)
					      : dt_arg_compat(dt, &value, x->x_in);

			if (x->x_done && in && ctf_same(dt, x->x_out, to))
				return x;
		}
	}
	return NULL;
}
