/*
 * Inside of the D compiler.
 *
 * A compilation goes through the phases that decide which of several errors is
 * reported: parsing (with everything that is settled while parsing: constants,
 * declarations, inlines, translators, pragmas), then unused pragmas and macro
 * arguments, then clause after clause and description after description: match
 * the probes, check the types, generate code.
 *
 * All memory is in one arena that dt_destroy() frees.  An error ends the
 * compilation with a longjmp to dt_compile().
 */
#ifndef STRSIM_DT_IMPL_H
#define STRSIM_DT_IMPL_H

#include <setjmp.h>
#include <stdarg.h>

#include "d/ast.h"
#include "d/ctf.h"
#include "d/dt.h"

#define DT_MAXDEPTH 1000   /* of nested expressions, types and initial declarators */
#define DT_MAXSTACK 4096   /* of the parser */
#define DT_NAMELEN 64      /* of a name in a probe description, with its NUL */
#define DT_FUNCNAMELEN 128 /* of the function */

/* ---- identifiers ---- */

typedef enum id_kind {
	ID_SCALAR,
	ID_ARRAY, /* associative */
	ID_FUNC,
	ID_ACTFUNC,
	ID_AGG,
	ID_AGGFUNC,
	ID_XLSOU, /* translated struct */
	ID_XLPTR,
	ID_SYMBOL,
	ID_ENUM,
	ID_INLINE,
	ID_PARAM, /* of an inline or a translator: stands for an expression */
} id_kind_t;

/* Actions, in i_id of an ID_ACTFUNC. */
enum {
	DT_ACT_BREAKPOINT,
	DT_ACT_CHILL,
	DT_ACT_CLEAR,
	DT_ACT_COMMIT,
	DT_ACT_COPYOUT,
	DT_ACT_COPYOUTSTR,
	DT_ACT_DENORMALIZE,
	DT_ACT_DISCARD,
	DT_ACT_EXIT,
	DT_ACT_FREOPEN,
	DT_ACT_FTRUNCATE,
	DT_ACT_FUNC,
	DT_ACT_JSTACK,
	DT_ACT_MOD,
	DT_ACT_NORMALIZE,
	DT_ACT_PANIC,
	DT_ACT_PRINT,
	DT_ACT_PRINTA,
	DT_ACT_PRINTF,
	DT_ACT_RAISE,
	DT_ACT_SETOPT,
	DT_ACT_SPECULATE,
	DT_ACT_STACK,
	DT_ACT_STOP,
	DT_ACT_SYM,
	DT_ACT_SYSTEM,
	DT_ACT_TRACE,
	DT_ACT_TRACEMEM,
	DT_ACT_TRUNC,
	DT_ACT_UADDR,
	DT_ACT_UFUNC,
	DT_ACT_UMOD,
	DT_ACT_USTACK,
	DT_ACT_USYM,
};

typedef enum id_scope { SC_GLOBAL, SC_SELF, SC_THIS, SC_AGG } id_scope_t;

struct ident {
	const char *i_name;
	id_kind_t i_kind;
	id_scope_t i_scope;
	uint32_t i_id; /* number of the variable, builtin, subroutine, action or aggregating function */
	bool i_builtin, i_declared, i_write, i_args /* args[] */, i_uregs, i_void_ok;
	ctype_t *i_type; /* NULL: a variable that was not assigned yet */
	cparam_t *i_keys;
	bool i_haskeys;
	const char *i_proto; /* builtins: type, or parameters, as text */
	const char *i_result;
	int i_minargs;
	cparam_t *i_params;
	int i_nparams;
	bool i_varargs, i_later, i_protodone;
	dt_attr_t i_attr;
	node_t *i_root; /* inline: its definition; parameter: the current argument */
	struct xlator *i_xlator;
	int64_t i_value; /* enumerator */
	csym_t i_sym;
	dtrace_aggvar_t *i_agg;
	ident_t *i_aggfunc;
	int i_aggline;
	uint32_t i_version; /* the first version of D that has it (#pragma D binding), or 0 */
	ident_t *i_next;    /* hash chain */
};

/* Grows with the number of its identifiers; of one name the newest is found. */
typedef struct idhash {
	ident_t **h_tab;
	size_t h_size, h_n;
} idhash_t;

typedef struct xlator {
	ctype_t *x_in, *x_out;
	ident_t *x_param;
	struct xlmember {
		const char *xm_name;
		node_t *xm_expr;
		ctype_t *xm_type;
		struct xlmember *xm_next;
	} * x_members;
	bool x_done;
	struct xlator *x_next;
} xlator_t;

typedef struct dt_probe_decl {
	const char *dp_name;
	int dp_line;
	cparam_t *dp_in, *dp_out;
	bool dp_hasout;
	struct dt_probe_decl *dp_next;
} dt_probe_decl_t;

/* ---- one compilation ---- */

typedef enum { LX_TOP, LX_DESC, LX_PRED, LX_BODY, LX_DECL } lexmode_t;

typedef struct pcb {
	const dt_source_t *p_src;
	bool p_lib;
	const char *p_file; /* of #line, or the library's: shown in messages */
	int p_line;
	const char *p_region; /* "in action list", while types are being checked */
	void *p_scanner;
	/* lexer */
	lexmode_t p_mode;
	size_t p_pos, p_tokpos, p_toklen; /* in the text */
	size_t p_len;
	int p_paren, p_brack, p_brace;
	bool p_typeseen, p_tagnext, p_membernext;
	int p_lasttok;
	bool *p_argused;
	int p_inclevel;
	/* parser */
	node_t *p_items, *p_itemtail;
	bool p_content;
	bool p_split; /* some clause was split: the program needs its ERROR clause */
	uint32_t p_nodes;
	bool p_stmt;
	/* clause being compiled */
	const dtrace_probedesc_t *p_desc;
	const dtrace_probe_t *p_probe;
	int p_nprobes;
	bool p_stable, p_inclause;
	int p_clause;
	dt_attr_t p_desc_attr, p_arg_attr, p_stmt_attr; /* of the program so far; arg: of this description */
} pcb_t;

struct dt {
	struct arena_chunk *d_arena;
	const dt_options_t *d_opts;
	struct ctf *d_ctf;
	ctf_base_t t; /* base types */
	idhash_t d_globals, d_self, d_this, d_aggs;
	xlator_t *d_xlators, *d_xltail;
	node_t *d_providers; /* declarations */
	struct dt_pragma *d_pragmas;
	struct dt_libset *d_libset;
	dif_vardesc_t *d_vars;
	size_t d_nvars, d_avars;
	uint32_t d_nextid[3];
	uint32_t d_nconds;
	dtrace_aggvar_t **d_aggtab;
	size_t d_naggs, d_aaggs;
	uint32_t d_nclause;
	pcb_t *d_pcb;
	jmp_buf d_jmp;
	char *d_err;
	const char *d_errtag;
	size_t d_errsize;
	struct dt_format **d_fmts; /* the consumer's memory, given back by dt_destroy() */
	size_t d_nfmts, d_afmts;
	ident_t **d_spill; /* hidden clause-local variables: see gen.c */
	size_t d_nspill, d_aspill;
	uint64_t d_strsize;
};

/* ---- memory and errors (dt.c) ---- */

/* Zeroed; freed by dt_destroy(). */
void *dt_alloc(dt_t *dt, size_t size);
char *dt_strndup(dt_t *dt, const char *s, size_t n);
char *dt_strdup(dt_t *dt, const char *s);
char *dt_sprintf(dt_t *dt, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Grow an arena array of n elements of `size' bytes to hold one more. */
void *dt_grow(dt_t *dt, void *tab, size_t n, size_t *alloced, size_t size);
/* The whole message, without location; text with a trailing newline or not. */
_Noreturn void dt_error(dt_t *dt, const char *tag, int line, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* The same at the lexer's current line. */
#define dt_here(dt) ((dt)->d_pcb->p_line)
/* The last line of the text. */
int dt_last_line(dt_t *dt);

/* ---- lexer, macros and pragmas ---- */

void dt_lex_start(dt_t *dt);
void dt_lex_stop(dt_t *dt);
int dt_lex(dt_t *dt, union dt_token *val);
/* Value of $name, $N, $$N into a token; returns the token's kind. */
int dt_macro(dt_t *dt, const char *text, union dt_token *val);
/* $name in one field of a probe description; NULL: not defined. */
const char *dt_macro_text(dt_t *dt, const char *name);
void dt_macro_check_unused(dt_t *dt);
/* One control line, without its newline. */
void dt_pragma(dt_t *dt, const char *text);
void dt_pragma_check_unused(dt_t *dt);
/* An identifier was defined: pragmas that wait for it are used and take effect. */
void dt_pragma_defined(dt_t *dt, ident_t *id);
/* What an expression names: noted, and D_ATTR_MIN when option amin asks for more. */
void dt_attr_use(dt_t *dt, const ident_t *id, int line);
/* The same of a probe description. */
void dt_attr_use_desc(dt_t *dt, const dtrace_probedesc_t *d, int line);

/* ---- identifiers (ident.c) ---- */

void dt_ident_init(dt_t *dt);
ident_t *dt_ident_lookup(const idhash_t *h, const char *name);
ident_t *dt_ident_new(dt_t *dt, idhash_t *h, const char *name, id_kind_t kind, id_scope_t scope);
idhash_t *dt_scope_hash(dt_t *dt, id_scope_t scope);
/* Word for the kind in messages. */
const char *dt_ident_kind(const ident_t *id);
/* What a program may call by this name: not what came with a later version than the one it asks for. */
ident_t *dt_ident_visible(dt_t *dt, id_scope_t scope, const char *name);
void dt_ident_remove(idhash_t *h, const ident_t *id);
/* Make the prototype of a builtin function usable. */
void dt_ident_proto(dt_t *dt, ident_t *id);
/* Number a D variable, once its type is known. */
void dt_ident_number(dt_t *dt, ident_t *id, int line);
dif_type_t dt_diftype(dt_t *dt, ctype_t *t);

/* ---- probe descriptions (clause.c) ---- */

/* Split an N_DESC into its fields, kept in n_value as a dtrace_probedesc_t. */
void dt_desc_parse(dt_t *dt, node_t *n);

/* ---- declarations (decl.c) ---- */

typedef struct declmod {
	enum { DM_PTR, DM_ARRAY, DM_NOARRAY, DM_TUPLE, DM_FUNC } dm_kind;
	ctype_kind_t dm_qual[3];
	int dm_nqual;
	uint64_t dm_n;
	cparam_t *dm_params;
	bool dm_varargs;
	struct declmod *dm_next;
} declmod_t;

typedef struct declr {
	const char *dr_name; /* NULL: abstract */
	declmod_t *dr_mods;  /* in the order in which they apply to the base type */
	int dr_depth;
} declr_t;

typedef enum { DC_NONE, DC_AUTO, DC_REGISTER, DC_STATIC, DC_EXTERN, DC_TYPEDEF, DC_SELF, DC_THIS } declclass_t;

typedef struct declspec {
	declclass_t ds_class;
	bool ds_signed, ds_unsigned, ds_short, ds_long, ds_longlong;
	bool ds_const, ds_volatile, ds_restrict, ds_user;
	enum { DB_NONE, DB_CHAR, DB_INT, DB_VOID, DB_FLOAT, DB_DOUBLE, DB_TYPE } ds_base;
	ctype_t *ds_type; /* DB_TYPE */
	bool ds_tagged;   /* a struct, union or enum: fine without a declarator */
	const char *ds_ident;
} declspec_t;

declspec_t *dt_decl_spec(dt_t *dt);
void dt_decl_class(dt_t *dt, declspec_t *ds, declclass_t class);
void dt_decl_base(dt_t *dt, declspec_t *ds, int base, ctype_t *type);
void dt_decl_attr(dt_t *dt, declspec_t *ds, char attr);
declr_t *dt_declr(dt_t *dt, const char *name);
declr_t *dt_declr_mod(dt_t *dt, declr_t *dr, declmod_t *mod);
declmod_t *dt_declmod(dt_t *dt, int kind);
/* The array part of a declarator: `[size]'. */
declmod_t *dt_decl_array(dt_t *dt, node_t *size);
ctype_t *dt_decl_type(dt_t *dt, declspec_t *ds, declr_t *dr);
void dt_decl_var(dt_t *dt, declspec_t *ds, declr_t *dr);
void dt_decl_end(dt_t *dt, declspec_t *ds);
ctype_t *dt_decl_sou_begin(dt_t *dt, ctype_kind_t kind, const char *tag);
void dt_decl_member(dt_t *dt, ctype_t *sou, declspec_t *ds, declr_t *dr, node_t *width);
ctype_t *dt_decl_tag(dt_t *dt, ctype_kind_t kind, const char *tag);
void dt_decl_enumr(dt_t *dt, ctype_t *t, const char *name, node_t *value);
cparam_t *dt_decl_param(dt_t *dt, declspec_t *ds, declr_t *dr);
/* Check the parameter list of a function, array (key types) or provider probe. */
void dt_decl_proto(dt_t *dt, const char *kind, cparam_t *params, bool varargs, int flags);
#define PROTO_NOVARARGS 1
#define PROTO_NOVOID 2

void dt_inline_begin(dt_t *dt, declspec_t *ds, declr_t *dr);
void dt_inline_end(dt_t *dt, declspec_t *ds, declr_t *dr, node_t *expr);
xlator_t *dt_xlator_begin(dt_t *dt, ctype_t *out, cparam_t *in);
void dt_xlator_member(dt_t *dt, xlator_t *x, const char *name, node_t *expr);
void dt_xlator_end(dt_t *dt, xlator_t *x);
/* The translator from the type to the struct, or NULL. */
xlator_t *dt_xlator_find(dt_t *dt, ctype_t *from, ctype_t *to);
/* The parameter of that name before `end' (NULL: of the whole list), or NULL. */
const cparam_t *dt_param_named(const cparam_t *list, const cparam_t *end, const char *name);

/* ---- provider declarations (provider.c) ---- */

/* A declaration as a node of the program; what it says is entered by dt_provider_define(). */
node_t *dt_provider(dt_t *dt, const char *name, dt_probe_decl_t *probes);
/* Compare with what is known of the provider; a new one is remembered. */
void dt_provider_define(dt_t *dt, node_t *n);
/* Declared, or one of the kernel's. */
bool dt_provider_exists(dt_t *dt, const char *name);
/* The declaration of a probe, or NULL. */
const dt_probe_decl_t *dt_provider_probe(const dt_t *dt, const char *provider, const char *name);
dt_probe_decl_t *dt_probe_decl(dt_t *dt, const char *name, int line, ctuple_t in, ctuple_t out, bool hasout);

/* ---- trees ---- */

/* check.c: type one expression; the result may be another node. */
node_t *dt_check(dt_t *dt, node_t *n);
node_t *dt_check_ident(dt_t *dt, node_t *n);
/* The target of an assignment; a new variable gets the type, or with NULL none yet. */
node_t *dt_check_target(dt_t *dt, node_t *n, ctype_t *type);
node_t *dt_check_index(dt_t *dt, node_t *n, bool target, ctype_t *type);
node_t *dt_check_call(dt_t *dt, node_t *n);
ident_t *dt_resolve(dt_t *dt, const node_t *n);
void dt_set_type(dt_t *dt, ident_t *id, ctype_t *type, int line);
ident_t *dt_agg_create(dt_t *dt, const char *name);
void dt_agg_keys(dt_t *dt, node_t *n);
bool dt_node_is_dyn(const node_t *n);
node_t *dt_cast_arg(dt_t *dt, node_t *n, ctype_t *to);
/* What a conversion does to a register; false: nothing. */
bool dt_conversion(dt_t *dt, ctype_t *from, ctype_t *to, uint32_t *bits, bool *sign);
/* Compatibility rules. */
bool dt_arg_compat(dt_t *dt, node_t *n, ctype_t *to);
const char *dt_node_type(dt_t *dt, const node_t *n);
/* The type that arithmetic of two types has. */
ctype_t *dt_promote(dt_t *dt, ctype_t *a, ctype_t *b);
/* Value of v after a conversion. */
uint64_t dt_convert(dt_t *dt, uint64_t v, ctype_t *from, ctype_t *to);
node_t *dt_check_args(dt_t *dt, node_t *args);
/* args[] (probeargs.c): number and types of the probe's arguments. */
typedef struct dt_argtype {
	ctype_t *at_native, *at_xlated; /* at_xlated NULL: no translator is applied */
	int at_index;                   /* of the native argument */
} dt_argtype_t;
int dt_probe_nargs(dt_t *dt, const dtrace_probe_t *probe);
/* False: not known. */
bool dt_probe_argtype(dt_t *dt, const dtrace_probe_t *probe, int n, dt_argtype_t *a);
/* The first probe that matches, or NULL. */
const dtrace_probe_t *dt_probe_first(const dtrace_probedesc_t *pd);

/* gen.c: the DIF of one expression, its value in DIF_RET. */
dif_t *dt_gen(dt_t *dt, node_t *expr, const dif_type_t *type);
/* clause.c: all enablings of one clause, appended at *tail. */
void dt_clause(dt_t *dt, node_t *clause, dtrace_ecbdesc_t ***tail);
/* cond.c: a clause with `if' as a list of clauses without; others as they are. */
node_t *dt_split_clause(dt_t *dt, node_t *clause);
/* The clause that notes faults for them. */
node_t *dt_error_clause(dt_t *dt);
/* aggfn.c: check the arguments of an aggregating function, complete the description; *incr is the weight or NULL. */
void dt_agg_define(dt_t *dt, node_t *call, dtrace_aggvar_t *av, node_t **incr);

/* ---- D libraries (library.c) ---- */

/* The libraries that are part of the program (lib.c). */
typedef struct dt_embedded {
	const char *l_name, *l_text;
} dt_embedded_t;
extern const dt_embedded_t dt_libs[];
#define DT_SYSLIBDIR "/usr/lib/dtrace/"

void dt_lib_init(dt_t *dt);
/* Load the libraries that declare words of the text; 0, or -1 with the compiler's message. */
int dt_lib_need(dt_t *dt, const char *text);
/* Load the libraries of the user's directories, once; 0, or -1 with the compiler's message. */
int dt_lib_load_dirs(dt_t *dt);
/* `#pragma D depends_on library': an error when there is none, or it could not be loaded. */
void dt_lib_depend(dt_t *dt, const char *name);
/* dt.c: NULL with the compiler's message. */
dt_program_t *dt_compile_source(dt_t *dt, const dt_source_t *src, bool lib);

#endif
