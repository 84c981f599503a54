/*
 * Identifiers: builtin variables and functions, and the numbering of the
 * program's own variables.
 */
#include "d/dt_impl.h"

#include <string.h>

/* ---- builtin variables ---- */

static const struct {
	const char *name, *type;
	uint32_t var;
} builtin_vars[] = {
    {"arg0", "int64_t", DIF_VAR_ARG0},
    {"arg1", "int64_t", DIF_VAR_ARG1},
    {"arg2", "int64_t", DIF_VAR_ARG2},
    {"arg3", "int64_t", DIF_VAR_ARG3},
    {"arg4", "int64_t", DIF_VAR_ARG4},
    {"arg5", "int64_t", DIF_VAR_ARG5},
    {"arg6", "int64_t", DIF_VAR_ARG6},
    {"arg7", "int64_t", DIF_VAR_ARG7},
    {"arg8", "int64_t", DIF_VAR_ARG8},
    {"arg9", "int64_t", DIF_VAR_ARG9},
    {"caller", "uintptr_t", DIF_VAR_CALLER},
    {"cpu", "processorid_t", DIF_VAR_CPU},
    {"curthread", "kthread_t *", DIF_VAR_CURTHREAD},
    {"cwd", "string", DIF_VAR_CWD},
    {"epid", "uint_t", DIF_VAR_EPID},
    {"errno", "int", DIF_VAR_ERRNO},
    {"execname", "string", DIF_VAR_EXECNAME},
    {"gid", "gid_t", DIF_VAR_GID},
    {"id", "uint_t", DIF_VAR_ID},
    {"ipl", "uint_t", DIF_VAR_IPL},
    {"pid", "pid_t", DIF_VAR_PID},
    {"ppid", "pid_t", DIF_VAR_PPID},
    {"probefunc", "string", DIF_VAR_PROBEFUNC},
    {"probemod", "string", DIF_VAR_PROBEMOD},
    {"probename", "string", DIF_VAR_PROBENAME},
    {"probeprov", "string", DIF_VAR_PROBEPROV},
    {"root", "string", DIF_VAR_ROOT},
    {"stackdepth", "uint32_t", DIF_VAR_STACKDEPTH},
    {"tid", "id_t", DIF_VAR_TID},
    {"timestamp", "uint64_t", DIF_VAR_TIMESTAMP},
    {"ucaller", "uint64_t", DIF_VAR_UCALLER},
    {"uid", "uid_t", DIF_VAR_UID},
    {"ustackdepth", "uint32_t", DIF_VAR_USTACKDEPTH},
    {"vtimestamp", "uint64_t", DIF_VAR_VTIMESTAMP},
    {"walltimestamp", "int64_t", DIF_VAR_WALLTIMESTAMP},
    {"zonename", "string", DIF_VAR_ZONENAME},
};

/*
 * Functions.  Parameters as C types; "@" is anything, "..." more of anything,
 * and what stands in brackets is optional.  `later': newer than 2006, its
 * messages about the number of arguments tell the truth.
 */
static const struct {
	const char *name;
	id_kind_t kind;
	uint32_t id;
	const char *result, *params;
	bool later;
} builtin_funcs[] = {
    {"alloca", ID_FUNC, DIF_SUBR_ALLOCA, "void *", "size_t", false},
    {"basename", ID_FUNC, DIF_SUBR_BASENAME, "string", "const char *", false},
    {"bcopy", ID_FUNC, DIF_SUBR_BCOPY, "void", "void *, void *, size_t", false},
    {"cleanpath", ID_FUNC, DIF_SUBR_CLEANPATH, "string", "const char *", false},
    {"copyin", ID_FUNC, DIF_SUBR_COPYIN, "void *", "uintptr_t, size_t", false},
    {"copyinstr", ID_FUNC, DIF_SUBR_COPYINSTR, "string", "uintptr_t, [size_t]", false},
    {"copyinto", ID_FUNC, DIF_SUBR_COPYINTO, "void", "uintptr_t, size_t, void *", false},
    {"ddi_pathname", ID_FUNC, DIF_SUBR_DDI_PATHNAME, "string", "void *, int64_t", false},
    {"dirname", ID_FUNC, DIF_SUBR_DIRNAME, "string", "const char *", false},
    {"getmajor", ID_FUNC, DIF_SUBR_GETMAJOR, "major_t", "dev_t", false},
    {"getminor", ID_FUNC, DIF_SUBR_GETMINOR, "minor_t", "dev_t", false},
    {"htonl", ID_FUNC, DIF_SUBR_HTONL, "uint32_t", "uint32_t", true},
    {"htonll", ID_FUNC, DIF_SUBR_HTONLL, "uint64_t", "uint64_t", true},
    {"htons", ID_FUNC, DIF_SUBR_HTONS, "uint16_t", "uint16_t", true},
    {"index", ID_FUNC, DIF_SUBR_INDEX, "int", "const char *, const char *, [int]", false},
    {"inet_ntoa", ID_FUNC, DIF_SUBR_INET_NTOA, "string", "ipaddr_t *", true},
    {"inet_ntoa6", ID_FUNC, DIF_SUBR_INET_NTOA6, "string", "void *, [int]", true},
    {"inet_ntop", ID_FUNC, DIF_SUBR_INET_NTOP, "string", "int, void *", true},
    {"json", ID_FUNC, DIF_SUBR_JSON, "string", "const char *, const char *", true},
    {"link_ntop", ID_FUNC, DIF_SUBR_LINK_NTOP, "string", "int, void *", true},
    {"lltostr", ID_FUNC, DIF_SUBR_LLTOSTR, "string", "int64_t, [int]", false},
    {"msgdsize", ID_FUNC, DIF_SUBR_MSGDSIZE, "size_t", "mblk_t *", false},
    {"msgsize", ID_FUNC, DIF_SUBR_MSGSIZE, "size_t", "mblk_t *", false},
    {"mutex_owned", ID_FUNC, DIF_SUBR_MUTEX_OWNED, "int", "void *", false},
    {"mutex_owner", ID_FUNC, DIF_SUBR_MUTEX_OWNER, "kthread_t *", "void *", false},
    {"mutex_type_adaptive", ID_FUNC, DIF_SUBR_MUTEX_TYPE_ADAPTIVE, "int", "void *", false},
    {"mutex_type_spin", ID_FUNC, DIF_SUBR_MUTEX_TYPE_SPIN, "int", "void *", false},
    {"ntohl", ID_FUNC, DIF_SUBR_NTOHL, "uint32_t", "uint32_t", true},
    {"ntohll", ID_FUNC, DIF_SUBR_NTOHLL, "uint64_t", "uint64_t", true},
    {"ntohs", ID_FUNC, DIF_SUBR_NTOHS, "uint16_t", "uint16_t", true},
    {"progenyof", ID_FUNC, DIF_SUBR_PROGENYOF, "int", "pid_t", false},
    {"rand", ID_FUNC, DIF_SUBR_RAND, "int", "", false},
    {"rindex", ID_FUNC, DIF_SUBR_RINDEX, "int", "const char *, const char *, [int]", false},
    {"rw_iswriter", ID_FUNC, DIF_SUBR_RW_ISWRITER, "int", "void *", false},
    {"rw_read_held", ID_FUNC, DIF_SUBR_RW_READ_HELD, "int", "void *", false},
    {"rw_write_held", ID_FUNC, DIF_SUBR_RW_WRITE_HELD, "int", "void *", false},
    {"speculation", ID_FUNC, DIF_SUBR_SPECULATION, "int", "", false},
    {"strchr", ID_FUNC, DIF_SUBR_STRCHR, "string", "const char *, char", false},
    {"strjoin", ID_FUNC, DIF_SUBR_STRJOIN, "string", "const char *, const char *", false},
    {"strlen", ID_FUNC, DIF_SUBR_STRLEN, "size_t", "const char *", false},
    {"strrchr", ID_FUNC, DIF_SUBR_STRRCHR, "string", "const char *, char", false},
    {"strstr", ID_FUNC, DIF_SUBR_STRSTR, "string", "const char *, const char *", false},
    {"strtok", ID_FUNC, DIF_SUBR_STRTOK, "string", "const char *, const char *", false},
    {"strtoll", ID_FUNC, DIF_SUBR_STRTOLL, "int64_t", "const char *, [int]", true},
    {"substr", ID_FUNC, DIF_SUBR_SUBSTR, "string", "const char *, int, [int]", false},
    {"tolower", ID_FUNC, DIF_SUBR_TOLOWER, "string", "const char *", true},
    {"toupper", ID_FUNC, DIF_SUBR_TOUPPER, "string", "const char *", true},

    {"breakpoint", ID_ACTFUNC, DT_ACT_BREAKPOINT, "void", "", false},
    {"chill", ID_ACTFUNC, DT_ACT_CHILL, "void", "int", false},
    {"clear", ID_ACTFUNC, DT_ACT_CLEAR, "void", "...", false},
    {"commit", ID_ACTFUNC, DT_ACT_COMMIT, "void", "int", false},
    {"copyout", ID_ACTFUNC, DT_ACT_COPYOUT, "void", "void *, uintptr_t, size_t", false},
    {"copyoutstr", ID_ACTFUNC, DT_ACT_COPYOUTSTR, "void", "char *, uintptr_t, size_t", false},
    {"denormalize", ID_ACTFUNC, DT_ACT_DENORMALIZE, "void", "...", false},
    {"discard", ID_ACTFUNC, DT_ACT_DISCARD, "void", "int", false},
    {"exit", ID_ACTFUNC, DT_ACT_EXIT, "void", "int", false},
    {"freopen", ID_ACTFUNC, DT_ACT_FREOPEN, "void", "@, ...", false},
    {"ftruncate", ID_ACTFUNC, DT_ACT_FTRUNCATE, "void", "", false},
    {"func", ID_ACTFUNC, DT_ACT_FUNC, "_symaddr", "uintptr_t", false},
    {"jstack", ID_ACTFUNC, DT_ACT_JSTACK, "stack", "...", false},
    {"mod", ID_ACTFUNC, DT_ACT_MOD, "_symaddr", "uintptr_t", false},
    {"normalize", ID_ACTFUNC, DT_ACT_NORMALIZE, "void", "...", false},
    {"panic", ID_ACTFUNC, DT_ACT_PANIC, "void", "", false},
    {"print", ID_ACTFUNC, DT_ACT_PRINT, "void", "void *", true},
    {"printa", ID_ACTFUNC, DT_ACT_PRINTA, "void", "@, ...", false},
    {"printf", ID_ACTFUNC, DT_ACT_PRINTF, "void", "@, ...", false},
    {"raise", ID_ACTFUNC, DT_ACT_RAISE, "void", "int", false},
    {"setopt", ID_ACTFUNC, DT_ACT_SETOPT, "void", "const char *, [const char *]", false},
    {"speculate", ID_ACTFUNC, DT_ACT_SPECULATE, "void", "int", false},
    {"stack", ID_ACTFUNC, DT_ACT_STACK, "stack", "...", false},
    {"stop", ID_ACTFUNC, DT_ACT_STOP, "void", "", false},
    {"sym", ID_ACTFUNC, DT_ACT_SYM, "_symaddr", "uintptr_t", false},
    {"system", ID_ACTFUNC, DT_ACT_SYSTEM, "void", "@, ...", false},
    {"trace", ID_ACTFUNC, DT_ACT_TRACE, "void", "@", false},
    {"tracemem", ID_ACTFUNC, DT_ACT_TRACEMEM, "void", "@, size_t, [@]", true},
    {"trunc", ID_ACTFUNC, DT_ACT_TRUNC, "void", "...", false},
    {"uaddr", ID_ACTFUNC, DT_ACT_UADDR, "_usymaddr", "uintptr_t", false},
    {"ufunc", ID_ACTFUNC, DT_ACT_UFUNC, "_usymaddr", "uintptr_t", false},
    {"umod", ID_ACTFUNC, DT_ACT_UMOD, "_usymaddr", "uintptr_t", false},
    {"ustack", ID_ACTFUNC, DT_ACT_USTACK, "stack", "...", false},
    {"usym", ID_ACTFUNC, DT_ACT_USYM, "_usymaddr", "uintptr_t", false},

    {"avg", ID_AGGFUNC, AGG_AVG, "void", "@", false},
    {"count", ID_AGGFUNC, AGG_COUNT, "void", "", false},
    {"llquantize", ID_AGGFUNC, AGG_LLQUANTIZE, "void", "@, int32_t, int32_t, int32_t, int32_t, ...", true},
    {"lquantize", ID_AGGFUNC, AGG_LQUANTIZE, "void", "@, int32_t, int32_t, ...", false},
    {"max", ID_AGGFUNC, AGG_MAX, "void", "@", false},
    {"min", ID_AGGFUNC, AGG_MIN, "void", "@", false},
    {"quantize", ID_AGGFUNC, AGG_QUANTIZE, "void", "@, ...", false},
    {"stddev", ID_AGGFUNC, AGG_STDDEV, "void", "@", false},
    {"sum", ID_AGGFUNC, AGG_SUM, "void", "@", false},
};

/* ---- tables ---- */

#define IDHASH 256 /* to begin with */

static size_t hash(const idhash_t *h, const char *s)
{
	uint32_t v = 5381;

	while (*s != '\0')
		v = v * 33 + (uint8_t)*s++;
	return v % h->h_size;
}

/* The order of a chain is kept: the newest of one name stays in front. */
static void grow(dt_t *dt, idhash_t *h)
{
	idhash_t old = *h;

	h->h_size = old.h_size != 0 ? old.h_size * 4 : IDHASH;
	h->h_tab = dt_alloc(dt, h->h_size * sizeof(ident_t *));
	for (size_t i = 0; i < old.h_size; i++) {
		for (ident_t *id = old.h_tab[i], *next; id != NULL; id = next) {
			ident_t **pp = &h->h_tab[hash(h, id->i_name)];

			next = id->i_next;
			while (*pp != NULL)
				pp = &(*pp)->i_next;
			id->i_next = NULL;
			*pp = id;
		}
	}
}

ident_t *dt_ident_lookup(const idhash_t *h, const char *name)
{
	if (h->h_n == 0)
		return NULL;
	for (ident_t *id = h->h_tab[hash(h, name)]; id != NULL; id = id->i_next) {
		if (strcmp(id->i_name, name) == 0)
			return id;
	}
	return NULL;
}

ident_t *dt_ident_new(dt_t *dt, idhash_t *h, const char *name, id_kind_t kind, id_scope_t scope)
{
	ident_t *id = dt_alloc(dt, sizeof(*id)), **head;

	if (h->h_n++ >= h->h_size)
		grow(dt, h);
	head = &h->h_tab[hash(h, name)];
	id->i_name = name;
	id->i_kind = kind;
	id->i_scope = scope;
	id->i_next = *head;
	*head = id;
	id->i_attr = dt_attr_default;
	dt_pragma_defined(dt, id);
	return id;
}

void dt_ident_remove(idhash_t *h, const ident_t *id)
{
	ident_t **pp = &h->h_tab[hash(h, id->i_name)];

	while (*pp != id)
		pp = &(*pp)->i_next;
	*pp = id->i_next;
	h->h_n--;
}

idhash_t *dt_scope_hash(dt_t *dt, id_scope_t scope)
{
	switch (scope) {
	case SC_SELF:
		return &dt->d_self;
	case SC_THIS:
		return &dt->d_this;
	case SC_AGG:
		return &dt->d_aggs;
	default:
		return &dt->d_globals;
	}
}

ident_t *dt_ident_visible(dt_t *dt, id_scope_t scope, const char *name)
{
	ident_t *id = dt_ident_lookup(dt_scope_hash(dt, scope), name);

	return id != NULL && dt->d_opts->o_version != 0 && id->i_version > dt->d_opts->o_version ? NULL : id;
}

const char *dt_ident_kind(const ident_t *id)
{
	switch (id->i_kind) {
	case ID_SCALAR:
		return "scalar";
	case ID_ARRAY:
		return "associative array";
	case ID_FUNC:
		return "function";
	case ID_ACTFUNC:
		return "tracing function";
	case ID_AGG:
		return "aggregation";
	case ID_AGGFUNC:
		return "aggregating function";
	case ID_XLSOU:
		return "translated data";
	case ID_XLPTR:
		return "pointer to translated data";
	case ID_SYMBOL:
		return "external symbol reference";
	case ID_ENUM:
		return "enumerator";
	default:
		return id->i_haskeys ? "associative array" : "scalar";
	}
}

/* Types of builtins are looked up when they are used: a kernel type costs a look at the debug information. */
static ctype_t *builtin_type(dt_t *dt, const char *text)
{
	ctype_t *t = ctf_lookup(dt, text);

	return t != NULL ? t : dt->t.voidptr;
}

static cparam_t *proto_param(dt_t *dt, ident_t *id, const char *s, size_t n)
{
	cparam_t *p;

	while (n > 0 && *s == ' ') {
		s++;
		n--;
	}
	if (n == 3 && memcmp(s, "...", 3) == 0) {
		id->i_varargs = true;
		return NULL;
	}
	p = dt_alloc(dt, sizeof(*p));
	if (*s == '[') {
		s++;
		n -= 2;
	} else {
		id->i_minargs++;
	}
	id->i_nparams++;
	if (*s != '@')
		p->p_type = builtin_type(dt, dt_strndup(dt, s, n));
	return p;
}

void dt_ident_proto(dt_t *dt, ident_t *id)
{
	cparam_t **pp = &id->i_params;
	const char *s = id->i_proto;

	if (id->i_protodone)
		return;
	id->i_protodone = true;
	if (id->i_kind == ID_SCALAR) {
		id->i_type = builtin_type(dt, id->i_proto);
		return;
	}
	while (*s != '\0') {
		size_t n = strcspn(s, ",");

		if ((*pp = proto_param(dt, id, s, n)) != NULL)
			pp = &(*pp)->p_next;
		s += n + (s[n] == ',');
	}
	id->i_type = builtin_type(dt, id->i_result);
}

void dt_ident_init(dt_t *dt)
{
	ident_t *id;

	for (size_t i = 0; i < sizeof(builtin_vars) / sizeof(builtin_vars[0]); i++) {
		id = dt_ident_new(dt, &dt->d_globals, builtin_vars[i].name, ID_SCALAR, SC_GLOBAL);
		id->i_id = builtin_vars[i].var;
		id->i_builtin = true;
		id->i_proto = builtin_vars[i].type;
		if (id->i_id == DIF_VAR_CURTHREAD)
			id->i_attr.a_data = DT_PRIVATE;
	}
	for (size_t i = 0; i < sizeof(builtin_funcs) / sizeof(builtin_funcs[0]); i++) {
		id = dt_ident_new(dt, &dt->d_globals, builtin_funcs[i].name, builtin_funcs[i].kind, SC_GLOBAL);
		id->i_id = builtin_funcs[i].id;
		id->i_builtin = true;
		id->i_proto = builtin_funcs[i].params;
		id->i_result = builtin_funcs[i].result;
		id->i_later = builtin_funcs[i].later;
	}
	id = dt_ident_new(dt, &dt->d_globals, "args", ID_ARRAY, SC_GLOBAL);
	id->i_builtin = id->i_args = id->i_protodone = true;
	id = dt_ident_new(dt, &dt->d_globals, "uregs", ID_ARRAY, SC_GLOBAL);
	id->i_builtin = id->i_uregs = id->i_protodone = true;
	id->i_type = dt->t.uint64;
}

/* ---- variables ---- */

dif_type_t dt_diftype(dt_t *dt, ctype_t *t)
{
	ctype_t *r = ctf_resolve(dt, t);
	dif_type_t d = {
	    .dt_kind = DIF_INT, .dt_size = (uint32_t)ctf_size(dt, t), .dt_name = ctf_name(dt, t), .dt_ctype = t};

	switch (r->c_kind) {
	case CT_VOID:
		d.dt_kind = DIF_VOID;
		break;
	case CT_INT:
	case CT_ENUM:
		d.dt_signed = r->c_signed;
		break;
	case CT_STRING:
		d.dt_kind = DIF_STRING;
		break;
	case CT_SYMADDR:
		d.dt_kind = DIF_SYM;
		break;
	case CT_USYMADDR:
		d.dt_kind = DIF_USYM;
		break;
	case CT_STACK:
		d.dt_kind = DIF_STACK;
		break;
	case CT_PTR:
		break;
	default:
		d.dt_kind = DIF_BYTES;
		break;
	}
	return d;
}

void dt_ident_number(dt_t *dt, ident_t *id, int line)
{
	static const char *const names[] = {
	    [SC_GLOBAL] = "global", [SC_SELF] = "thread local", [SC_THIS] = "clause local"};
	static const dif_scope_t scopes[] = {[SC_GLOBAL] = DIF_GLOBAL, [SC_SELF] = DIF_THREAD, [SC_THIS] = DIF_LOCAL};
	dif_vardesc_t *v;

	if (dt->d_nextid[id->i_scope] >= 64000)
		dt_error(dt, "D_ID_OFLOW", line, "cannot create %s: limit on number of %s variables exceeded",
			 id->i_name, names[id->i_scope]);
	id->i_id = dt->d_nextid[id->i_scope]++;
	dt->d_vars = dt_grow(dt, dt->d_vars, dt->d_nvars, &dt->d_avars, sizeof(*dt->d_vars));
	v = &dt->d_vars[dt->d_nvars++];
	v->v_name = dt_strdup(dt, id->i_name);
	v->v_scope = scopes[id->i_scope];
	v->v_id = id->i_id;
	v->v_array = id->i_kind == ID_ARRAY;
	v->v_type = dt_diftype(dt, id->i_type);
}
