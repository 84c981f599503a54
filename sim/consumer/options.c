/*
 * Options: one table says for each name its class, the syntax of its value
 * and where the value goes.
 */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char bad_name[] = "Invalid option name";
static const char bad_value[] = "Invalid value for specified option";
static const char too_large[] = "Value too large for defined data type";
static const char too_late[] = "Operation illegal when tracing is active";
static const char no_pragma[] = "Option cannot be used from within a D program";

typedef enum { COMPILE, NOPRAGMA, DYNAMIC, RUNTIME } opt_class_t;

typedef struct opt opt_t;
typedef int opt_set_f(options_t *op, const opt_t *o, const char *value, const char **why);

struct opt {
	const char *o_name;
	opt_class_t o_class;
	opt_set_f *o_set;
	opt_id_t o_id;       /* value kept in op_val */
	size_t o_flag;       /* or, not 0, offset of a bool in dt_options_t, + 1 */
	const char *o_words; /* legal words, blank-separated */
};

/* ---- value syntax ---- */

static int refuse(const char **why, const char *text)
{
	*why = text;
	return -1;
}

/* An unsigned number in C notation at the start of text; *end is what follows. */
static int parse_number(const char *text, uint64_t *v, const char **end)
{
	char *e;

	if (!isdigit((unsigned char)*text))
		return -1;
	errno = 0;
	*v = strtoull(text, &e, 0);
	*end = e;
	return errno ? -1 : 0;
}

/* Place of word among the blank-separated words, -1 when it is not there. */
static int word_index(const char *words, const char *word, bool any_case)
{
	size_t len = strlen(word);
	int i = 0;

	for (const char *w = words; *w; i++) {
		size_t n = strcspn(w, " ");

		if (n == len && (any_case ? strncasecmp(w, word, n) : strncmp(w, word, n)) == 0)
			return i;
		w += n;
		w += strspn(w, " ");
	}
	return -1;
}

static void store(options_t *op, const opt_t *o, int64_t v)
{
	op->op_val[o->o_id] = v;
	if (o->o_flag)
		*(bool *)((char *)&op->op_dt + o->o_flag - 1) = v > 0;
}

static int set_novalue(options_t *op, const opt_t *o, const char *value, const char **why)
{
	if (value)
		return refuse(why, bad_value);
	store(op, o, 1);
	return 0;
}

static int set_ignored(options_t *op, const opt_t *o, const char *value, const char **why)
{
	(void)value;
	(void)why;
	store(op, o, 1);
	return 0;
}

/* Flags and counts: nothing, a word for yes or no, or a number. */
static int set_flag(options_t *op, const opt_t *o, const char *value, const char **why)
{
	uint64_t v = 1;
	const char *end = "";

	if (value && (*value == '\0' || word_index("no disable disabled false off unset", value, true) >= 0))
		v = 0;
	else if (value && word_index("yes enable enabled true on set", value, true) < 0 &&
		 (parse_number(value, &v, &end) != 0 || *end || v > INT32_MAX))
		return refuse(why, bad_value);
	store(op, o, (int64_t)v);
	return 0;
}

/* Frame counts and the like also go to the compiler. */
static int set_frames(options_t *op, const opt_t *o, const char *value, const char **why)
{
	if (set_flag(op, o, value, why) != 0)
		return -1;
	op->op_dt.o_stackframes = (uint32_t)op->op_val[OPT_STACKFRAMES];
	op->op_dt.o_ustackframes = (uint32_t)op->op_val[OPT_USTACKFRAMES];
	op->op_dt.o_jstackframes = (uint32_t)op->op_val[OPT_JSTACKFRAMES];
	return 0;
}

static int set_size(options_t *op, const opt_t *o, const char *value, const char **why)
{
	static const char units[] = "kmgt";
	const char *end, *unit;
	unsigned shift = 0;
	uint64_t v;

	if (!value || parse_number(value, &v, &end) != 0)
		return refuse(why, bad_value);
	if (*end) {
		unit = strchr(units, tolower((unsigned char)*end));
		if (!unit || end[1])
			return refuse(why, bad_value);
		shift = 10 * (unsigned)(unit - units + 1);
	}
	if (v > (uint64_t)INT64_MAX >> shift)
		return refuse(why, bad_value);
	store(op, o, (int64_t)(v << shift));
	return 0;
}

static int set_strsize(options_t *op, const opt_t *o, const char *value, const char **why)
{
	int64_t old = op->op_val[o->o_id];

	if (set_size(op, o, value, why) != 0)
		return -1;
	if (op->op_val[o->o_id] > UINT32_MAX || op->op_val[o->o_id] == 0) {
		*why = op->op_val[o->o_id] ? too_large : bad_value;
		op->op_val[o->o_id] = old;
		return -1;
	}
	op->op_dt.o_strsize = (size_t)op->op_val[o->o_id];
	return 0;
}

static const struct {
	const char *unit;
	int64_t ns;
} units[] = {
    {"ns", 1},
    {"nsec", 1},
    {"us", 1000},
    {"usec", 1000},
    {"ms", 1000000},
    {"msec", 1000000},
    {"s", 1000000000},
    {"sec", 1000000000},
    {"m", 60000000000},
    {"min", 60000000000},
    {"h", 3600000000000},
    {"hour", 3600000000000},
    {"d", 86400000000000},
    {"day", 86400000000000},
    {"", 1},
};

static int set_rate(options_t *op, const opt_t *o, const char *value, const char **why)
{
	const char *end;
	uint64_t v;

	if (!value || parse_number(value, &v, &end) != 0 || v == 0)
		return refuse(why, bad_value);
	if (strcasecmp(end, "hz") == 0) {
		store(op, o, (int64_t)MAX(1000000000 / v, 1));
		return 0;
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcasecmp(end, units[i].unit) != 0)
			continue;
		if (v > (uint64_t)(INT64_MAX / units[i].ns))
			return refuse(why, bad_value);
		store(op, o, (int64_t)v * units[i].ns);
		return 0;
	}
	return refuse(why, bad_value);
}

static int set_word(options_t *op, const opt_t *o, const char *value, const char **why)
{
	int i = value ? word_index(o->o_words, value, false) : -1;

	if (i < 0)
		return refuse(why, bad_value);
	store(op, o, i);
	return 0;
}

static int set_anyword(options_t *op, const opt_t *o, const char *value, const char **why)
{
	(void)op;
	return value && word_index(o->o_words, value, true) >= 0 ? 0 : refuse(why, bad_value);
}

static int set_positive(options_t *op, const opt_t *o, const char *value, const char **why)
{
	const char *end;
	uint64_t v;

	if (!value || parse_number(value, &v, &end) != 0 || *end || (v == 0 && !o->o_words))
		return refuse(why, bad_value);
	store(op, o, (int64_t)v);
	return 0;
}

static int set_cpu(options_t *op, const opt_t *o, const char *value, const char **why)
{
	if (value && strcmp(value, "all") == 0) {
		store(op, o, -1);
		return 0;
	}
	return set_positive(op, o, value, why);
}

static int set_text(options_t *op, const opt_t *o, const char *value, const char **why)
{
	(void)op;
	(void)o;
	return value ? 0 : refuse(why, bad_value);
}

/* ---- options with a place of their own ---- */

static char *copy(const char *s)
{
	char *c = strdup(s);

	if (!c)
		abort();
	return c;
}

static void append(char ***list, int *n, char *s)
{
	char **l = realloc(*list, (size_t)(*n + 2) * sizeof(*l));

	if (!l)
		abort();
	l[(*n)++] = s;
	l[*n] = NULL;
	*list = l;
}

/* define, undef, incdir: o_words is the preprocessor's flag. */
static int set_cpparg(options_t *op, const opt_t *o, const char *value, const char **why)
{
	char *arg;

	if (!value || !*value)
		return refuse(why, bad_value);
	arg = malloc(strlen(o->o_words) + strlen(value) + 1);
	if (!arg)
		abort();
	strcpy(stpcpy(arg, o->o_words), value);
	append(&op->op_cppargs, &op->op_ncppargs, arg);
	return 0;
}

static int set_cpppath(options_t *op, const opt_t *o, const char *value, const char **why)
{
	(void)o;
	if (!value)
		return refuse(why, bad_value);
	free(op->op_cpppath);
	op->op_cpppath = copy(value);
	return 0;
}

static int set_libdir(options_t *op, const opt_t *o, const char *value, const char **why)
{
	(void)o;
	if (!value)
		return refuse(why, bad_value);
	append(&op->op_libdirs, &op->op_nlibdirs, copy(value));
	op->op_dt.o_libdirs = (const char **)op->op_libdirs;
	return 0;
}

static int set_syslibdir(options_t *op, const opt_t *o, const char *value, const char **why)
{
	(void)o;
	if (!value)
		return refuse(why, bad_value);
	free(op->op_syslibdir);
	op->op_syslibdir = copy(value);
	op->op_dt.o_syslibdir = op->op_syslibdir;
	return 0;
}

static int set_stdc(options_t *op, const opt_t *o, const char *value, const char **why)
{
	if (!value || word_index(o->o_words, value, false) < 0)
		return refuse(why, bad_value);
	op->op_stdc = *value;
	return 0;
}

/* A/B/C: name and data stability, class. */
static int set_amin(options_t *op, const opt_t *o, const char *value, const char **why)
{
	static const char stability[] = "Internal Private Obsolete External Unstable Evolving Stable Standard";
	static const char class[] = "Unknown CPU Platform Group ISA Common";
	char *text, *name, *data, *dep;
	bool ok;

	(void)o;
	if (!value)
		return refuse(why, bad_value);
	text = copy(value);
	name = text;
	data = strchr(name, '/');
	dep = data ? strchr(data + 1, '/') : NULL;
	ok = dep != NULL;
	if (ok) {
		*data++ = '\0';
		*dep++ = '\0';
		ok = word_index(stability, name, true) >= 0 && word_index(stability, data, true) >= 0 &&
		     word_index(class, dep, true) >= 0;
	}
	free(text);
	if (!ok)
		return refuse(why, bad_value);
	free(op->op_amin);
	op->op_amin = copy(value);
	op->op_dt.o_amin = op->op_amin;
	return 0;
}

static int set_version(options_t *op, const opt_t *o, const char *value, const char **why)
{
	static const char newer[] =
	    "1.3 1.4 1.4.1 1.5 1.6 1.6.1 1.6.2 1.6.3 1.7 1.7.1 1.8 1.8.1 1.9 1.9.1 1.10 1.11 1.12 "
	    "1.12.1 1.13 2.0";
	int parts = 1;

	if (!value)
		return refuse(why, bad_value);
	for (const char *p = value; *p; p++) {
		if (*p == '.' && p > value && p[-1] != '.' && p[1])
			parts++;
		else if (!isdigit((unsigned char)*p))
			return refuse(why, "Version is not properly formatted or is too large");
	}
	if (parts > 3 || !*value || strlen(value) > 12)
		return refuse(why, "Version is not properly formatted or is too large");
	if (word_index(o->o_words, value, false) >= 0) {
		op->op_dt.o_version = dt_version(value);
		return 0;
	}
	return refuse(why, word_index(newer, value, false) >= 0 ? "Requested version conflicts with earlier setting"
								: "Requested version is not supported by compiler");
}

/* ---- the table ---- */

#define FLAG(field) (offsetof(dt_options_t, field) + 1)

static const opt_t table[] = {
    {"aggpercpu", COMPILE, set_ignored, OPT_NONE, 0, NULL},
    {"amin", COMPILE, set_amin, OPT_NONE, 0, NULL},
    {"argref", COMPILE, set_novalue, OPT_NONE, FLAG(o_argref), NULL},
    {"clock", COMPILE, set_word, OPT_CLOCK, 0, "virtual host"},
    {"cpp", COMPILE, set_novalue, OPT_CPP, FLAG(o_cpp), NULL},
    {"cpphdrs", NOPRAGMA, set_novalue, OPT_CPPHDRS, 0, NULL},
    {"cpppath", NOPRAGMA, set_cpppath, OPT_NONE, 0, NULL},
    {"ctypes", COMPILE, set_text, OPT_NONE, 0, NULL},
    {"debug", COMPILE, set_novalue, OPT_NONE, 0, NULL},
    {"define", NOPRAGMA, set_cpparg, OPT_NONE, 0, "-D"},
    {"defaultargs", COMPILE, set_novalue, OPT_NONE, FLAG(o_defaultargs), NULL},
    {"droptags", COMPILE, set_ignored, OPT_DROPTAGS, 0, NULL},
    {"dtypes", COMPILE, set_text, OPT_NONE, 0, NULL},
    {"empty", COMPILE, set_novalue, OPT_NONE, FLAG(o_empty), NULL},
    {"encoding", COMPILE, set_word, OPT_ENCODING, 0, "none ascii utf8"},
    {"errtags", COMPILE, set_novalue, OPT_NONE, FLAG(o_errtags), NULL},
    {"evaltime", COMPILE, set_word, OPT_NONE, 0, "exec preinit postinit main"},
    {"incdir", NOPRAGMA, set_cpparg, OPT_NONE, 0, "-I"},
    {"iregs", COMPILE, set_positive, OPT_NONE, 0, NULL},
    {"kdefs", COMPILE, set_novalue, OPT_NONE, 0, NULL},
    {"knodefs", COMPILE, set_novalue, OPT_NONE, 0, NULL},
    {"late", COMPILE, set_word, OPT_NONE, 0, "static dynamic"},
    {"lazyload", COMPILE, set_ignored, OPT_NONE, 0, NULL},
    {"ldpath", NOPRAGMA, set_text, OPT_NONE, 0, NULL},
    {"libdir", COMPILE, set_libdir, OPT_NONE, 0, NULL},
    {"linkmode", COMPILE, set_word, OPT_NONE, 0, "kernel primary dynamic static"},
    {"linktype", COMPILE, set_anyword, OPT_NONE, 0, "elf dof"},
    {"maxframes", COMPILE, set_ignored, OPT_NONE, 0, NULL},
    {"nolibs", COMPILE, set_novalue, OPT_NONE, FLAG(o_nolibs), NULL},
    {"noresolve", COMPILE, set_ignored, OPT_NONE, 0, NULL},
    {"pgmax", COMPILE, set_positive, OPT_NONE, 0, "0"},
    {"pspec", COMPILE, set_novalue, OPT_NONE, 0, NULL},
    {"quietresize", COMPILE, set_ignored, OPT_QUIETRESIZE, 0, NULL},
    {"scratchsize", COMPILE, set_ignored, OPT_NONE, 0, NULL},
    {"setenv", COMPILE, set_text, OPT_NONE, 0, NULL},
    {"stdc", NOPRAGMA, set_stdc, OPT_NONE, 0, "a c s t"},
    {"strip", COMPILE, set_novalue, OPT_NONE, 0, NULL},
    {"syslibdir", COMPILE, set_syslibdir, OPT_NONE, 0, NULL},
    {"tree", COMPILE, set_positive, OPT_NONE, 0, NULL},
    {"tregs", COMPILE, set_positive, OPT_NONE, 0, NULL},
    {"udefs", COMPILE, set_novalue, OPT_NONE, 0, NULL},
    {"undef", NOPRAGMA, set_cpparg, OPT_NONE, 0, "-U"},
    {"unodefs", COMPILE, set_novalue, OPT_NONE, 0, NULL},
    {"unsetenv", COMPILE, set_text, OPT_NONE, 0, NULL},
    {"verbose", COMPILE, set_novalue, OPT_VERBOSE, FLAG(o_verbose), NULL},
    {"version", COMPILE, set_version, OPT_NONE, 0, "1.0 1.1 1.2 1.2.1 1.2.2"},
    {"zdefs", COMPILE, set_novalue, OPT_NONE, FLAG(o_zdefs), NULL},

    {"agghist", DYNAMIC, set_flag, OPT_AGGHIST, 0, NULL},
    {"aggpack", DYNAMIC, set_flag, OPT_AGGPACK, 0, NULL},
    {"aggrate", DYNAMIC, set_rate, OPT_AGGRATE, 0, NULL},
    {"aggsortkey", DYNAMIC, set_flag, OPT_AGGSORTKEY, 0, NULL},
    {"aggsortkeypos", DYNAMIC, set_flag, OPT_AGGSORTKEYPOS, 0, NULL},
    {"aggsortpos", DYNAMIC, set_flag, OPT_AGGSORTPOS, 0, NULL},
    {"aggsortrev", DYNAMIC, set_flag, OPT_AGGSORTREV, 0, NULL},
    {"aggzoom", DYNAMIC, set_flag, OPT_AGGZOOM, 0, NULL},
    {"flowindent", DYNAMIC, set_flag, OPT_FLOWINDENT, 0, NULL},
    {"printsize", DYNAMIC, set_size, OPT_PRINTSIZE, 0, NULL},
    {"quiet", DYNAMIC, set_flag, OPT_QUIET, 0, NULL},
    {"rawbytes", DYNAMIC, set_flag, OPT_RAWBYTES, 0, NULL},
    {"stackindent", DYNAMIC, set_flag, OPT_STACKINDENT, 0, NULL},
    {"switchrate", DYNAMIC, set_rate, OPT_SWITCHRATE, 0, NULL},
    {"temporal", DYNAMIC, set_flag, OPT_TEMPORAL, 0, NULL},

    {"aggsize", RUNTIME, set_size, OPT_AGGSIZE, 0, NULL},
    {"bufpolicy", RUNTIME, set_word, OPT_BUFPOLICY, 0, "switch fill ring"},
    {"bufresize", RUNTIME, set_word, OPT_BUFRESIZE, 0, "auto manual"},
    {"bufsize", RUNTIME, set_size, OPT_BUFSIZE, 0, NULL},
    {"cleanrate", RUNTIME, set_rate, OPT_CLEANRATE, 0, NULL},
    {"cpu", RUNTIME, set_cpu, OPT_CPU, 0, "0"},
    {"destructive", RUNTIME, set_flag, OPT_DESTRUCTIVE, FLAG(o_destructive), NULL},
    {"dynvarsize", RUNTIME, set_size, OPT_DYNVARSIZE, 0, NULL},
    {"grabanon", RUNTIME, set_flag, OPT_GRABANON, 0, NULL},
    {"jit", RUNTIME, set_flag, OPT_JIT, 0, NULL},
    {"jstackframes", RUNTIME, set_frames, OPT_JSTACKFRAMES, 0, NULL},
    {"jstackstrsize", RUNTIME, set_size, OPT_JSTACKSTRSIZE, 0, NULL},
    {"nspec", RUNTIME, set_flag, OPT_NSPEC, 0, NULL},
    {"specsize", RUNTIME, set_size, OPT_SPECSIZE, 0, NULL},
    {"stackframes", RUNTIME, set_frames, OPT_STACKFRAMES, 0, NULL},
    {"statusrate", RUNTIME, set_rate, OPT_STATUSRATE, 0, NULL},
    {"strsize", RUNTIME, set_strsize, OPT_STRSIZE, 0, NULL},
    {"ustackframes", RUNTIME, set_frames, OPT_USTACKFRAMES, 0, NULL},
};

static int set(options_t *op, const char *name, const char *value, bool pragma, const char **why)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const opt_t *o = &table[i];

		if (strcmp(o->o_name, name) != 0)
			continue;
		if (pragma && o->o_class == NOPRAGMA)
			return refuse(why, no_pragma);
		if (op->op_running && o->o_class == RUNTIME)
			return refuse(why, too_late);
		/* "none" is how the table spells that no encoding was chosen */
		if (o->o_id == OPT_ENCODING && value && strcmp(value, "none") == 0)
			return refuse(why, bad_value);
		return o->o_set(op, o, value, why);
	}
	return refuse(why, bad_name);
}

int options_set(options_t *op, const char *name, const char *value, const char **why)
{
	return set(op, name, value, false, why);
}

int options_pragma(void *arg, const char *name, const char *value, const char **why)
{
	return set(arg, name, value, true, why);
}

int options_set_text(options_t *op, const char *text, const char **why)
{
	char *name = copy(text), *value = strchr(name, '=');
	int rc;

	if (value)
		*value++ = '\0';
	rc = set(op, name, value, false, why);
	free(name);
	return rc;
}

bool options_flag(const options_t *op, opt_id_t id)
{
	return op->op_val[id] > 0;
}

void options_init(options_t *op)
{
	static const struct {
		opt_id_t id;
		int64_t v;
	} defaults[] = {
	    {OPT_AGGSIZE, -1},
	    {OPT_BUFSIZE, 4 << 20},
	    {OPT_CLEANRATE, 1000000000 / 101},
	    {OPT_CPU, -1},
	    {OPT_DYNVARSIZE, 1 << 20},
	    {OPT_JSTACKFRAMES, 50},
	    {OPT_JSTACKSTRSIZE, 512},
	    {OPT_NSPEC, 1},
	    {OPT_SPECSIZE, 32 << 10},
	    {OPT_STACKFRAMES, 20},
	    {OPT_STATUSRATE, 1000000000},
	    {OPT_STRSIZE, 256},
	    {OPT_USTACKFRAMES, 20},
	    {OPT_AGGRATE, 1000000000},
	    {OPT_JIT, 1},
	    {OPT_STACKINDENT, 14},
	    {OPT_SWITCHRATE, 1000000000},
	    {OPT_PRINTSIZE, 8192},
	};

	memset(op, 0, sizeof(*op));
	for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++)
		op->op_val[defaults[i].id] = defaults[i].v;
	op->op_stdc = 'a';
	op->op_dt.o_stackframes = 20;
	op->op_dt.o_ustackframes = 20;
	op->op_dt.o_jstackframes = 50;
	op->op_dt.o_strsize = 256;
	op->op_dt.opt_set = options_pragma;
	op->op_dt.opt_arg = op;
}

void options_fini(options_t *op)
{
	for (int i = 0; i < op->op_ncppargs; i++)
		free(op->op_cppargs[i]);
	for (int i = 0; i < op->op_nlibdirs; i++)
		free(op->op_libdirs[i]);
	free(op->op_cppargs);
	free(op->op_libdirs);
	free(op->op_syslibdir);
	free(op->op_cpppath);
	free(op->op_amin);
}
