/*
 * The D compiler: from text to enablings (dtrace_ecbdesc_t).
 *
 *	text -> lex.l -> gram.y -> syntax tree (ast) -> checked tree (types,
 *	identifiers, constants folded) -> DIF
 *
 * C types come from the binary's debug information (ctf.c, through libdw).
 */
#ifndef STRSIM_DT_H
#define STRSIM_DT_H

#include "d/attr.h"
#include "dtrace/dtrace.h"

typedef struct dt dt_t; /* one compiler: types, identifiers and options shared by all programs of a run */

/* Which field a lone word of a description is. */
typedef enum { DT_SPEC_NAME, DT_SPEC_FUNC, DT_SPEC_MOD, DT_SPEC_PROVIDER } dt_spec_t;

typedef struct dt_source {
	const char *src_text; /* NUL-terminated */
	const char *src_file; /* script's name, NULL for -n text */
	dt_spec_t src_spec;
	bool src_empty_ok; /* -n: a bare description is a program */
	int src_argc;      /* macro arguments: argv[0] is $0 */
	char **src_argv;
} dt_source_t;

typedef struct dt_program {
	dtrace_ecbdesc_t *p_ecbs;
	char *p_name;
	dt_attr_t p_desc_attr, p_stmt_attr; /* the least of all descriptions, of all that is named otherwise */
	struct dt_program *p_next;
} dt_program_t;

/* Options that act while compiling; run-time ones met in pragmas are passed to opt_set. */
typedef struct dt_options {
	bool o_errtags, o_argref, o_defaultargs, o_zdefs, o_cpp, o_empty, o_destructive, o_verbose;
	bool o_nolibs;
	uint32_t o_version; /* what #pragma D binding gives to a later version is not known; 0: all is */
	const char *o_amin; /* "A/B/C": the least attributes of what a program names, or NULL */
	uint32_t o_stackframes, o_ustackframes, o_jstackframes;
	size_t o_strsize;
	/* #pragma D option: 0, or -1 with a message ("Invalid option name") */
	int (*opt_set)(void *arg, const char *name, const char *value, const char **why);
	void *opt_arg;
	int64_t o_target;        /* $target: pid of the -c or -p process, 0 without */
	const char *o_syslibdir; /* instead of the D libraries that are part of the program, or NULL */
	const char **o_libdirs;  /* further D library directories, NULL-terminated, or NULL */
} dt_options_t;

/* "1.2.1" as a number that orders versions; 0: not a version. */
uint32_t dt_version(const char *s);

/* NULL with errbuf.  opts stays the caller's and is read at each compile. */
dt_t *dt_create(const dt_options_t *opts, char *errbuf, size_t errlen);
void dt_destroy(dt_t *dt);
/*
 * Compile.  NULL: dt_errmsg() has the message as the D sheet (1.5) says: tag, location and text, no newline.
 * The program belongs to dt.
 */
dt_program_t *dt_compile(dt_t *dt, const dt_source_t *src);
const char *dt_errmsg(const dt_t *dt);
/* All variables and aggregations of the programs compiled so far. */
const dif_vardesc_t *dt_vars(const dt_t *dt, size_t *n);
dtrace_aggvar_t *const *dt_aggs(const dt_t *dt, size_t *n);
/* Types of a probe's arguments as C text, for -lv; number of arguments, -1 unknown. */
int dt_probe_argtypes(dt_t *dt, const dtrace_probe_t *probe, const char **types, int max);
/* Enumerator, member and size lookups for print(): the C declaration of a type (dif_type_t.dt_ctype). */
void dt_print_value(dt_t *dt, const void *ctype, const void *data, size_t len,
		    void (*out)(void *, const char *, size_t), void *arg);
/* The generated code as text (-S). */
void dt_disassemble(const dif_t *d, void (*out)(void *, const char *), void *arg);

/* ---- formats, shared with the consumer (sim/consumer/format.c) ---- */

/* NULL: *why and *tag (D_PRINTF_...) are set; `who' is "printf", "printa", ... */
struct dt_format *dt_format_parse(const char *who, const char *fmt, char *why, size_t whylen, const char **tag);
/*
 * Check n arguments' types against the conversions; argument numbers in messages count the format as #1.
 * For printa: the types are the aggregation's keys, naggs > 0 allows %@.  0, or -1 with why and tag.
 */
int dt_format_check(const struct dt_format *f, const char *who, const dif_type_t *args, const bool *isptr, uint32_t n,
		    uint32_t naggs, char *why, size_t whylen, const char **tag);
void dt_format_free(struct dt_format *f);

#endif
