/*
 * strsim: the command line.
 *
 * As dtrace(1M) does, the words are gone through twice: first the options that
 * choose what is done, and the operands, which become the programs' $1, $2,
 * ...; then everything else.  Programs are compiled in order, then enabled in
 * order, then tracing goes; hence an option after a program still affects it.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "consumer/consume.h"
#include "consumer/cpp.h"
#include "consumer/help.h"
#include "consumer/limits.h"
#include "consumer/list.h"
#include "consumer/msg.h"
#include "consumer/victim.h"
#include "cpus.h"
#include "machine/machine.h"
#include "pace.h"
#include "replay/replay.h"
#include "scenario/scenario.h"
#include "workload.h"

/* Parts that a build may lack. */
#pragma weak replay_create
#pragma weak replay_create_sharded

#define VERSION "Sun D 1.2.2"

LINKER_SET_DECLARE(subcommand);

enum {
	LOPT_HOST = 256,
	LOPT_PROCESSES,
	LOPT_WRITES,
	LOPT_WIRE,
	LOPT_CLOCK,
	LOPT_PACE,
	LOPT_CPUS,
	LOPT_SEED,
	LOPT_LINGER,
	LOPT_LIMIT,
	LOPT_FOLDED,
	LOPT_JSON,
	LOPT_PROGRESS,
	LOPT_NOPROGRESS,
	LOPT_HELP,
	LOPT_VERSION
};

static const char short_options[] = "+3:6:aAb:Bc:CD:ef:FGhHi:I:lL:m:n:o:p:P:qr:s:SU:vVwW:x:X:Z";
static const struct option long_options[] = {
    {"host", required_argument, NULL, LOPT_HOST},
    {"processes", required_argument, NULL, LOPT_PROCESSES},
    {"writes", required_argument, NULL, LOPT_WRITES},
    {"wire", required_argument, NULL, LOPT_WIRE},
    {"clock", required_argument, NULL, LOPT_CLOCK},
    {"cpus", required_argument, NULL, LOPT_CPUS},
    {"seed", required_argument, NULL, LOPT_SEED},
    {"linger", required_argument, NULL, LOPT_LINGER},
    {"limit", required_argument, NULL, LOPT_LIMIT},
    {"folded", required_argument, NULL, LOPT_FOLDED},
    {"json", required_argument, NULL, LOPT_JSON},
    {"progress", no_argument, NULL, LOPT_PROGRESS},
    {"no-progress", no_argument, NULL, LOPT_NOPROGRESS},
    {"help", no_argument, NULL, LOPT_HELP},
    {"version", no_argument, NULL, LOPT_VERSION},
    {"pace", optional_argument, NULL, LOPT_PACE},
    {NULL, 0, NULL, 0},
};

/* One program of the command line. */
typedef struct cmd {
	int c_opt; /* 's', 'n', 'f', 'm', 'P', 'i' */
	const char *c_arg;
	char *c_name; /* for notices */
	dt_program_t *c_prog;
} cmd_t;

typedef struct args {
	int a_argc;
	char **a_argv; /* all words */
	int a_mode;    /* 0, or one of A G h l V */
	bool a_compile_only, a_code, a_verbose;
	cmd_t *a_cmds;
	int a_ncmds;
	char **a_words; /* $0, $1, ... */
	int a_nwords;
	const char *a_output, *a_folded, *a_json;
	replay_opts_t a_replay;
	const char *a_scenario;
	char **a_sargs;
	int a_nsargs;
	scenario_opts_t a_sopts;
	int a_ncpu;
	uint64_t a_seed;
	bool a_seeded, a_realclock;
	double a_pace; /* 0: as fast as the work is done */
	options_t a_op;
} args_t;

static void *must(void *p)
{
	if (!p)
		abort();
	return p;
}

static void append(char ***list, int *n, char *word)
{
	*list = must(realloc(*list, (size_t)(*n + 2) * sizeof(char *)));
	(*list)[(*n)++] = word;
	(*list)[*n] = NULL;
}

static int usage(void)
{
	help_usage(stderr);
	return STATUS_USAGE;
}

/* ---- the two scans ---- */

/*
 * The next option, or -1 at the end; operands met on the way are passed to f.
 * getopt stops at an operand, so it is started again behind it.
 */
static int next_option(int argc, char **argv, void (*f)(args_t *, char *), args_t *a)
{
	for (;;) {
		int at = MAX(optind, 1), c = -1;

		/* getopt would take all words behind `--' for operands, and not forget them when it is started again */
		if (at < argc && strcmp(argv[at], "--") == 0) {
			optind = at + 1;
		} else {
			opterr = at < argc && strncmp(argv[at], "--", 2) == 0; /* of a letter we say it ourselves */
			c = getopt_long(argc, argv, short_options, long_options, NULL);
		}
		if (c != -1 || optind >= argc)
			return c;
		if (f)
			f(a, argv[optind]);
		optind++;
	}
}

static void add_word(args_t *a, char *word)
{
	append(&a->a_words, &a->a_nwords, word);
}

/* Words from the one at optind up to the next option. */
static void take_scenario_args(args_t *a)
{
	while (optind < a->a_argc && a->a_argv[optind][0] != '-')
		append(&a->a_sargs, &a->a_nsargs, a->a_argv[optind++]);
}

static int set_mode(args_t *a, int c)
{
	if (a->a_mode && a->a_mode != c) {
		msg_say("only one of the [-AGhlV] options can be specified at a time\n");
		return STATUS_USAGE;
	}
	a->a_mode = c;
	return 0;
}

/* Modes, operands and wrong options; 0, or the status to exit with. */
static int first_scan(args_t *a)
{
	int c, rc = 0;

	append(&a->a_words, &a->a_nwords, a->a_argv[0]);
	while (rc == 0 && (c = next_option(a->a_argc, a->a_argv, add_word, a)) != -1) {
		switch (c) {
		case 'A':
		case 'G':
		case 'h':
		case 'l':
		case 'V':
			rc = set_mode(a, c);
			break;
		case LOPT_VERSION:
			rc = set_mode(a, 'V');
			break;
		case LOPT_HELP:
			help_print(stdout);
			exit(STATUS_OK);
		case 'e':
			a->a_compile_only = true;
			break;
		case '3':
		case '6':
			if (strcmp(optarg, c == '3' ? "2" : "4") != 0) {
				msg_say("illegal option -- %c%s\n", c, optarg);
				return usage();
			}
			break;
		case 'W':
			a->a_scenario = optarg;
			take_scenario_args(a);
			break;
		case '?':
			if (!opterr)
				msg_say("%s -- %c\n",
					optopt != ':' && strchr(short_options + 1, optopt)
					    ? "option requires an argument"
					    : "illegal option",
					optopt);
			return usage();
		}
	}
	return rc;
}

static void set_option(args_t *a, const char *shown, const char *text)
{
	const char *why;
	size_t len = strcspn(shown, "=");

	if (options_set_text(&a->a_op, text, &why) != 0)
		msg_fatal("failed to set %.*s: %s\n", (int)len, shown, why);
}

/* A flag that stands for a D option with the flag's argument as value. */
static void set_valued(args_t *a, char flag, const char *name, const char *value)
{
	const char *why;

	if (options_set(&a->a_op, name, value, &why) != 0)
		msg_fatal("failed to set -%c %s: %s\n", flag, value ? value : name, why);
}

static void add_cmd(args_t *a, int opt, const char *arg)
{
	a->a_cmds = must(realloc(a->a_cmds, (size_t)(a->a_ncmds + 1) * sizeof(cmd_t)));
	a->a_cmds[a->a_ncmds++] = (cmd_t){.c_opt = opt, .c_arg = arg};
}

static uint64_t get_number(const char *option, const char *text, uint64_t min, uint64_t max)
{
	char *end;
	uint64_t v;

	errno = 0;
	v = strtoull(text, &end, 0);
	if (errno || end == text || *end || *text == '-' || v < min || v > max) {
		msg_say("invalid value for %s: %s\n", option, text);
		exit(STATUS_USAGE);
	}
	return v;
}

/* Seconds of virtual time for one of the host's. */
static double get_speed(const char *text)
{
	char *end;
	double v = strtod(text, &end);

	if (end == text || *end || !(v >= 1e-6 && v <= 1e6)) {
		msg_say("invalid value for --pace: %s (how many times the real speed)\n", text);
		exit(STATUS_USAGE);
	}
	return v;
}

static int get_choice(const char *option, const char *text, const char *first, const char *second)
{
	if (strcmp(text, first) == 0)
		return 0;
	if (strcmp(text, second) == 0)
		return 1;
	msg_say("invalid value for %s: %s (%s or %s)\n", option, text, first, second);
	exit(STATUS_USAGE);
}

/* A time as D rates are written: 5s, 200ms. */
static hrtime_t get_time(const char *option, const char *text)
{
	options_t op;
	const char *why;
	hrtime_t ns;

	options_init(&op);
	if (strcmp(text, "0") == 0)
		return 0;
	if (options_set(&op, "switchrate", text, &why) != 0) {
		msg_say("invalid value for %s: %s\n", option, text);
		exit(STATUS_USAGE);
	}
	ns = op.op_val[OPT_SWITCHRATE];
	options_fini(&op);
	return ns;
}

/* Digits alone are a number of steps, with a unit behind them a time. */
static void set_limit(scenario_opts_t *l, const char *text)
{
	if (text[strspn(text, "0123456789")] == '\0')
		l->steps = get_number("--limit", text, 1, UINT64_MAX);
	else
		l->time = get_time("--limit", text);
}

static void add_capture(args_t *a, const char *file)
{
	replay_opts_t *r = &a->a_replay;

	r->files = must(realloc(r->files, (size_t)(r->nfiles + 1) * sizeof(char *)));
	r->files[r->nfiles++] = file;
}

static void workload_option(args_t *a, int c)
{
	switch (c) {
	case 'r':
		add_capture(a, optarg);
		break;
	case 'W':
		while (optind < a->a_argc && a->a_argv[optind][0] != '-')
			optind++;
		break;
	case LOPT_HOST:
		a->a_replay.host = optarg;
		if (replay_host(optarg) == 0) {
			msg_say("invalid value for --host: %s (not the IPv4 address of a host)\n", optarg);
			exit(STATUS_USAGE);
		}
		break;
	case LOPT_PROCESSES:
		a->a_replay.processes = optarg;
		break;
	case LOPT_WRITES:
		a->a_replay.writes_push = get_choice("--writes", optarg, "segment", "push");
		break;
	case LOPT_WIRE:
		a->a_replay.wire = a->a_sopts.wire = optarg;
		break;
	case LOPT_LINGER:
		a->a_replay.linger = get_time("--linger", optarg);
		break;
	case LOPT_LIMIT:
		set_limit(&a->a_sopts, optarg);
		break;
	case LOPT_PROGRESS:
		a->a_replay.progress = 1;
		break;
	case LOPT_NOPROGRESS:
		a->a_replay.progress = 0;
		break;
	case LOPT_CLOCK:
		a->a_realclock = get_choice("--clock", optarg, "virtual", "real");
		break;
	case LOPT_PACE:
		a->a_pace = optarg ? get_speed(optarg) : 1;
		break;
	case LOPT_CPUS:
		a->a_ncpu = (int)get_number("--cpus", optarg, 1, CPUS_MAX);
		break;
	case LOPT_SEED:
		a->a_seed = get_number("--seed", optarg, 0, UINT64_MAX);
		a->a_seeded = true;
		break;
	case LOPT_FOLDED:
		a->a_folded = optarg;
		break;
	case LOPT_JSON:
		a->a_json = optarg;
		break;
	}
}

static void refuse(const char *what)
{
	msg_fatal("%s\n", what);
}

static void tracing_option(args_t *a, int c)
{
	char text[64];

	switch (c) {
	case '3':
		refuse("-32: programs of the modelled kernel are 64-bit");
		break;
	case 'a':
		set_option(a, "-a", "grabanon");
		break;
	case 'b':
		set_valued(a, 'b', "bufsize", optarg);
		break;
	case 'c':
		a->a_op.op_dt.o_target = victim_create(optarg);
		break;
	case 'C':
		set_option(a, "-C", "cpp");
		break;
	case 'D':
		set_valued(a, 'D', "define", optarg);
		break;
	case 'F':
		set_option(a, "-F", "flowindent");
		break;
	case 'H':
		set_option(a, "-H", "cpphdrs");
		break;
	case 'I':
		set_valued(a, 'I', "incdir", optarg);
		break;
	case 'L':
		set_valued(a, 'L', "libdir", optarg);
		break;
	case 'o':
		a->a_output = optarg;
		break;
	case 'p':
		a->a_op.op_dt.o_target = (int64_t)get_number("-p", optarg, 0, INT32_MAX);
		break;
	case 'q':
		set_option(a, "-q", "quiet");
		break;
	case 'S':
		a->a_code = true;
		break;
	case 'U':
		set_valued(a, 'U', "undef", optarg);
		break;
	case 'v':
		a->a_verbose = true;
		break;
	case 'w':
		set_option(a, "-w", "destructive");
		break;
	case 'x':
		snprintf(text, sizeof(text), "-x %.*s", (int)MIN(strcspn(optarg, "="), 50), optarg);
		set_option(a, text, optarg);
		break;
	case 'X':
		set_valued(a, 'X', "stdc", optarg);
		break;
	case 'Z':
		set_option(a, "-Z", "zdefs");
		break;
	default:
		workload_option(a, c);
	}
}

static void second_scan(args_t *a)
{
	int c;

	optind = 0;
	while ((c = next_option(a->a_argc, a->a_argv, NULL, a)) != -1) {
		if (strchr("sfmnPi", c) && c < 256)
			add_cmd(a, c, optarg);
		else
			tracing_option(a, c);
	}
}

/* ---- compiling ---- */

static char *read_file(const char *name)
{
	FILE *fp = strcmp(name, "-") == 0 ? stdin : fopen(name, "r");
	char *text = NULL;
	size_t len = 0, max = 0, n;

	if (!fp)
		msg_fatal("failed to open %s", name);
	do {
		if (len + 1 >= max)
			text = must(realloc(text, max = max ? 2 * max : 16384));
		n = fread(text + len, 1, max - 1 - len, fp);
		len += n;
	} while (n > 0);
	if (ferror(fp))
		msg_fatal("failed to read %s", name);
	if (fp != stdin)
		fclose(fp);
	text[len] = '\0';
	return text;
}

static void compile_script(args_t *a, dt_t *dt, cmd_t *c)
{
	dt_source_t src = {.src_file = c->c_arg, .src_argc = a->a_nwords, .src_argv = a->a_words};
	char *text = read_file(c->c_arg), err[256];

	c->c_name = must(strdup(c->c_arg));
	if (options_flag(&a->a_op, OPT_CPP)) {
		char *out = cpp_run(&a->a_op, c->c_arg, text, err, sizeof(err));

		if (!out)
			msg_fatal("failed to compile script %s: %s\n", c->c_arg, err);
		free(text);
		text = out;
	}
	src.src_text = text;
	a->a_words[0] = (char *)c->c_arg;
	c->c_prog = dt_compile(dt, &src);
	if (!c->c_prog)
		msg_fatal("failed to compile script %s: %s\n", c->c_arg, dt_errmsg(dt));
	free(text);
}

static dt_spec_t spec_of(int opt)
{
	switch (opt) {
	case 'f':
		return DT_SPEC_FUNC;
	case 'm':
		return DT_SPEC_MOD;
	case 'P':
		return DT_SPEC_PROVIDER;
	default:
		return DT_SPEC_NAME;
	}
}

static void compile_text(args_t *a, dt_t *dt, cmd_t *c)
{
	dt_source_t src = {
	    .src_text = c->c_arg,
	    .src_spec = spec_of(c->c_opt),
	    .src_empty_ok = true,
	    .src_argc = a->a_nwords,
	    .src_argv = a->a_words,
	};

	c->c_name = must(strndup(c->c_arg, strcspn(c->c_arg, "{/;")));
	a->a_words[0] = a->a_argv[0];
	c->c_prog = dt_compile(dt, &src);
	if (!c->c_prog)
		msg_fatal("invalid probe specifier %s: %s\n", c->c_arg, dt_errmsg(dt));
}

static void compile_all(args_t *a, dt_t *dt)
{
	for (int i = 0; i < a->a_ncmds; i++) {
		cmd_t *c = &a->a_cmds[i];

		if (c->c_opt == 's')
			compile_script(a, dt, c);
		else
			compile_text(a, dt, c);
		if (a->a_code)
			list_code(stderr, c->c_prog);
	}
}

static const char *cmd_kind(const cmd_t *c)
{
	return c->c_opt == 's' ? "script" : "description";
}

/* ---- modes that trace nothing ---- */

static int list(args_t *a, dt_t *dt)
{
	list_header(stdout);
	for (int i = 0; i < a->a_ncmds; i++)
		list_program(stdout, dt, a->a_cmds[i].c_prog, a->a_verbose);
	if (a->a_ncmds == 0)
		list_probes(stdout, dt, NULL, a->a_verbose);
	if (fflush(stdout) != 0)
		msg_fatal("failed to write output");
	return STATUS_OK;
}

static void stability(args_t *a, dt_t *dt)
{
	for (int i = 0; a->a_verbose && i < a->a_ncmds; i++)
		list_stability(stdout, dt, a->a_cmds[i].c_prog, cmd_kind(&a->a_cmds[i]), a->a_cmds[i].c_name,
			       !a->a_compile_only);
}

/* ---- tracing ---- */

static dtrace_state_t *make_state(args_t *a, dt_t *dt)
{
	const int64_t *v = a->a_op.op_val;
	const dif_vardesc_t *vars;
	dtrace_state_t *st;
	dtrace_conf_t conf;
	size_t n;

	dtrace_conf_default(&conf);
	conf.c_interpret = v[OPT_JIT] == 0;
	conf.c_bufsize = (size_t)v[OPT_BUFSIZE];
	if (v[OPT_AGGSIZE] >= 0)
		conf.c_aggsize = (size_t)v[OPT_AGGSIZE];
	conf.c_strsize = (size_t)v[OPT_STRSIZE];
	conf.c_dynvarsize = (size_t)v[OPT_DYNVARSIZE];
	conf.c_specsize = (size_t)v[OPT_SPECSIZE];
	conf.c_nspec = (uint32_t)v[OPT_NSPEC];
	conf.c_bufpolicy = (dtrace_bufpolicy_t)v[OPT_BUFPOLICY];
	conf.c_destructive = options_flag(&a->a_op, OPT_DESTRUCTIVE);
	conf.c_hostclock = a->a_realclock || v[OPT_CLOCK] == CLOCK_HOST;
	conf.c_ncpu = a->a_ncpu;
	conf.c_cpu = (int)v[OPT_CPU];
	st = dtrace_state_create(&conf);
	vars = dt_vars(dt, &n);
	if (!st || dtrace_state_vars(st, vars, n) != 0)
		msg_fatal("could not enable tracing: %s\n", "out of memory");
	return st;
}

static int enable(args_t *a, dtrace_state_t *st, const cmd_t *c)
{
	char err[256];
	int total = 0;

	for (const dtrace_ecbdesc_t *e = c->c_prog->p_ecbs; e; e = e->e_next) {
		int n = dtrace_enable(st, e, err, sizeof(err));

		if (n < 0)
			msg_fatal("failed to enable '%s': %s\n", c->c_name, err);
		total += n;
	}
	msg_notice(options_flag(&a->a_op, OPT_QUIET), "%s '%s' matched %d probe%s\n", cmd_kind(c), c->c_name, total,
		   total == 1 ? "" : "s");
	return total;
}

/* Destructive actions that have nothing to act on here. */
static void warn_destructive(const cmd_t *c)
{
	static const struct {
		dtrace_actkind_t kind;
		const char *text;
	} none[] = {
	    {ACT_BREAKPOINT, "breakpoint( ) does nothing: the modelled kernel has no debugger"},
	    {ACT_PANIC, "panic( ) does nothing: the modelled kernel does not panic"},
	};

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		bool found = false;

		for (const dtrace_ecbdesc_t *e = c->c_prog->p_ecbs; e && !found; e = e->e_next)
			for (const dtrace_act_t *act = e->e_acts; act && !found; act = act->a_next)
				found = act->a_kind == none[i].kind;
		if (found)
			msg_say("%s\n", none[i].text);
	}
}

static void enable_all(args_t *a, dtrace_state_t *st)
{
	int total = 0;

	for (int i = 0; i < a->a_ncmds; i++)
		total += enable(a, st, &a->a_cmds[i]);
	if (total == 0 && a->a_ncmds > 0 && !a->a_op.op_dt.o_zdefs)
		msg_fatal("no probes matched\n");
	msg_notice(options_flag(&a->a_op, OPT_QUIET) || !options_flag(&a->a_op, OPT_DESTRUCTIVE),
		   "allowing destructive actions\n");
	for (int i = 0; i < a->a_ncmds && options_flag(&a->a_op, OPT_DESTRUCTIVE); i++)
		warn_destructive(&a->a_cmds[i]);
}

static void check_cpus(const args_t *a)
{
	if (a->a_ncpu == 1 || (!a->a_scenario && !a->a_replay.wire))
		return;
	if (a->a_scenario)
		msg_say("--cpus: a scenario (-W) runs on one CPU\n");
	else
		msg_say("--cpus: one wire has one CPU: --wire needs --cpus 1\n");
	exit(STATUS_USAGE);
}

static void set_wall_clock(void *arg, int cpu)
{
	(void)cpu;
	machine_set_epoch(*(const int64_t *)arg);
}

/* Without a workload nothing says what day it is but the host's clock. */
static void start_wall_clock(void)
{
	struct timespec ts;
	int64_t now;

	(void)clock_gettime(CLOCK_REALTIME, &ts);
	now = ts.tv_sec * 1000000000L + ts.tv_nsec;
	cpus_each(set_wall_clock, &now);
}

static workload_t *make_replay(args_t *a)
{
	a->a_replay.ncpu = a->a_ncpu;
	if (!replay_create)
		return NULL;
	return a->a_ncpu > 1 ? replay_create_sharded(&a->a_replay) : replay_create(&a->a_replay);
}

static workload_t *make_workload(args_t *a)
{
	workload_t *w = NULL;

	if (a->a_replay.nfiles > 0 && a->a_scenario) {
		msg_say("-r and -W cannot be combined\n");
		exit(STATUS_USAGE);
	}
	check_cpus(a);
	if (a->a_replay.nfiles > 0)
		w = make_replay(a);
	else if (a->a_scenario)
		w = scenario_create(a->a_scenario, a->a_nsargs, a->a_sargs, &a->a_sopts);
	else
		return NULL;
	if (!w)
		msg_fatal("this program was built without %s\n", a->a_scenario ? "scenarios (-W)" : "replay (-r)");
	return w;
}

static int trace(args_t *a, dt_t *dt)
{
	consumer_t cs = {
	    .cs_dt = dt,
	    .cs_op = &a->a_op,
	    .cs_outfile = a->a_output,
	    .cs_ncpu = a->a_ncpu,
	    .cs_folded = a->a_folded,
	    .cs_json = a->a_json,
	};
	const char *why;
	char err[256];
	int status;

	cs.cs_workload = make_workload(a);
	if (a->a_ncmds == 0 && !cs.cs_workload && !options_flag(&a->a_op, OPT_GRABANON))
		msg_fatal("no probes specified\n");
	cpus_start(a->a_ncpu, a->a_seeded ? &a->a_seed : NULL);
	if (!cs.cs_workload)
		start_wall_clock();
	why = limits_apply(&a->a_op, a->a_ncpu);
	cs.cs_st = make_state(a, dt);
	enable_all(a, cs.cs_st);
	if (why)
		msg_fatal("could not enable tracing: %s\n", why);
	if (a->a_pace > 0 && pace_start(a->a_pace) != 0)
		msg_fatal("--pace: out of memory\n");
	if (cs.cs_workload)
		cs.cs_workload = pace_workload(cs.cs_workload);
	if (cs.cs_workload)
		cs.cs_workload->w_dtrace = cs.cs_st;
	if (cs.cs_workload && cs.cs_workload->w_setup(cs.cs_workload, err, sizeof(err)) != 0)
		msg_fatal("%s\n", err);
	status = consume_run(&cs);
	pace_stop();
	dtrace_state_destroy(cs.cs_st);
	if (cpus_stop() != 0 && status == STATUS_OK)
		status = STATUS_ERROR;
	return status;
}

/* ---- all together ---- */

static int run(args_t *a)
{
	char err[256];
	int status = STATUS_OK;
	dt_t *dt;

	if (dtrace_init(err, sizeof(err)) != 0)
		msg_fatal("failed to initialize tracing: %s\n", err);
	if (a->a_mode == 'l')
		set_option(a, "-Z", "zdefs");
	dt = dt_create(&a->a_op.op_dt, err, sizeof(err));
	if (!dt)
		msg_fatal("failed to initialize the compiler: %s\n", err);
	compile_all(a, dt);
	if (a->a_mode == 'l') {
		status = list(a, dt);
	} else {
		stability(a, dt);
		if (!a->a_compile_only)
			status = trace(a, dt);
	}
	dt_destroy(dt);
	dtrace_fini();
	return status;
}

static void free_args(args_t *a)
{
	for (int i = 0; i < a->a_ncmds; i++)
		free(a->a_cmds[i].c_name);
	free(a->a_cmds);
	free(a->a_words);
	free(a->a_sargs);
	free(a->a_replay.files);
	options_fini(&a->a_op);
}

/* The sub-command of that name, NULL when there is none. */
static const subcommand_t *subcommand(const char *name)
{
	LINKER_SET_FOREACH(pp, subcommand)
	{
		const subcommand_t *sc = *pp;

		if (strcmp(sc->sc_name, name) == 0)
			return sc;
	}
	return NULL;
}

static int command_line(int argc, char **argv)
{
	args_t a = {.a_argc = argc, .a_argv = argv, .a_ncpu = 1, .a_replay = {.progress = -1, .linger = 2000000000}};
	int status;

	options_init(&a.a_op);
	status = first_scan(&a);
	if (status == 0 && a.a_mode == 'V') {
		printf("%s: %s\n", msg_program, VERSION);
	} else if (status == 0) {
		if (a.a_mode && a.a_mode != 'l')
			msg_fatal("-%c: the modelled kernel has no object files and no boot-time tracing\n", a.a_mode);
		second_scan(&a);
		status = run(&a);
	}
	free_args(&a);
	return status;
}

int main(int argc, char **argv)
{
	const subcommand_t *sc;

	msg_init(argv[0]);
	consume_signals();
	if (argc == 1)
		return usage();
	sc = subcommand(argv[1]);
	if (sc)
		return sc->sc_main(argc - 1, argv + 1);
	return command_line(argc, argv);
}
