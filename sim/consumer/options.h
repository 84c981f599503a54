/*
 * D options (-x, #pragma D option, setopt()): names, value syntax, values.
 *
 * Three classes: compile options act in the compiler, run-time options may be
 * set until tracing starts, dynamic options at any time.
 */
#ifndef STRSIM_OPTIONS_H
#define STRSIM_OPTIONS_H

#include "d/dt.h"

typedef enum opt_id {
	OPT_NONE,
	/* run time */
	OPT_AGGSIZE,
	OPT_BUFSIZE,
	OPT_BUFPOLICY,
	OPT_BUFRESIZE,
	OPT_CLEANRATE,
	OPT_CPU,
	OPT_DYNVARSIZE,
	OPT_GRABANON,
	OPT_JSTACKSTRSIZE,
	OPT_NSPEC,
	OPT_SPECSIZE,
	OPT_STATUSRATE,
	OPT_STRSIZE,
	OPT_STACKFRAMES,
	OPT_USTACKFRAMES,
	OPT_JSTACKFRAMES,
	OPT_DESTRUCTIVE,
	OPT_JIT,
	/* dynamic */
	OPT_AGGRATE,
	OPT_AGGSORTKEY,
	OPT_AGGSORTKEYPOS,
	OPT_AGGSORTPOS,
	OPT_AGGSORTREV,
	OPT_FLOWINDENT,
	OPT_QUIET,
	OPT_RAWBYTES,
	OPT_STACKINDENT,
	OPT_SWITCHRATE,
	OPT_AGGZOOM,
	OPT_AGGHIST,
	OPT_AGGPACK,
	OPT_PRINTSIZE,
	OPT_TEMPORAL,
	/* compile options the consumer looks at */
	OPT_DROPTAGS,
	OPT_CPP,
	OPT_CPPHDRS,
	OPT_ENCODING,
	OPT_VERBOSE,
	OPT_QUIETRESIZE,
	OPT_CLOCK,
	OPT_NIDS
} opt_id_t;

enum { CLOCK_VIRTUAL, CLOCK_HOST };
enum { ENCODING_NONE, ENCODING_ASCII, ENCODING_UTF8 };

typedef struct options {
	int64_t op_val[OPT_NIDS];   /* flags 0 or 1, sizes in bytes, rates in nanoseconds; -1 = not set */
	int64_t op_asked[OPT_NIDS]; /* what was asked for where op_val has less or more (limits.h); else 0 */
	dt_options_t op_dt;         /* what the compiler reads */
	bool op_running;            /* tracing has started: run-time options are closed */
	/* preprocessor: its path, arguments in order, standard (a c s t) */
	char *op_cpppath;
	char **op_cppargs;
	int op_ncppargs;
	char op_stdc;
	char **op_libdirs; /* NULL-terminated */
	int op_nlibdirs;
	char *op_syslibdir;
	char *op_amin;
} options_t;

void options_init(options_t *op);
void options_fini(options_t *op);
/* 0, or -1 with the reason in *why (static text).  value NULL = none given. */
int options_set(options_t *op, const char *name, const char *value, const char **why);
/* "name" or "name=value". */
int options_set_text(options_t *op, const char *text, const char **why);
/* The same from a D program: the signature of dt_options_t.opt_set; arg is the options_t. */
int options_pragma(void *arg, const char *name, const char *value, const char **why);
/* A flag: set to anything but 0. */
bool options_flag(const options_t *op, opt_id_t id);

#endif
