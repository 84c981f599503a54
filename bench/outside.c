/*
 * Tracers that attach from outside to the same program: `strbench target' under bpftrace, uftrace and perf, beside the
 * same program traced by the limit and by strsim.  A timing is one run of the program; what its events took by
 * themselves, in processor time of its thread, is the figure, so that a tracer's own starting does not count.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "kernelmodel/chain/chain.h"
#include "work.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

typedef struct tracer_arg {
	const char *program; /* must be there */
	const char *before, *command, *after;
	/* Counts in what the tracer printed; NULL: the program itself checked. */
	bool (*counts)(tally_t *t);
	bool keys; /* keyed as the limit is */
} tracer_arg_t;

typedef struct seen {
	bool exact;
	uint64_t events, runs;
	char why[80];
} seen_t;

static char self[256];

/* ---- commands ---- */

/*
 * A command with the words of the run put in: {T} the target with its arguments, {B} this binary, {D} the folder for
 * files, {N} the module's name as bpftrace gets at it from arg0, {S} the size of the message in arg1,
 * {L} the library for LTTng.
 */
static void name_text(char *to, size_t size)
{
	snprintf(to, size, "str(*(uint64*)(*(uint64*)(*(uint64*)(arg0+%zu)+%zu)+%zu))", offsetof(queue_t, q_qinfo),
		 offsetof(struct qinit, qi_minfo), offsetof(struct module_info, mi_idname));
}

/* Of one or two blocks. */
static void size_text(char *to, size_t size)
{
	size_t r = offsetof(mblk_t, b_rptr), w = offsetof(mblk_t, b_wptr), c = offsetof(mblk_t, b_cont);

	snprintf(to, size,
		 "*(uint64*)(arg1+%zu) - *(uint64*)(arg1+%zu) + (*(uint64*)(arg1+%zu) == 0 ? 0 : "
		 "*(uint64*)(*(uint64*)(arg1+%zu)+%zu) - *(uint64*)(*(uint64*)(arg1+%zu)+%zu))",
		 w, r, c, c, w, c, r);
}

static void target_text(const run_t *r, char *to, size_t size)
{
	snprintf(to, size, "%s target %s -k %u -n %lu -r 5", self, r->r_params->p_keys == 16 ? "-w" : "",
		 r->r_params->p_keys, (unsigned long)r->r_params->p_ops);
}

static void expand(const run_t *r, const char *from, char *to, size_t size)
{
	char text[512];
	size_t n = 0;

	while (*from != '\0' && n + 1 < size) {
		if (from[0] != '{' || from[1] == '\0' || from[2] != '}') {
			to[n++] = *from++;
			continue;
		}
		if (from[1] == 'T')
			target_text(r, text, sizeof(text));
		else if (from[1] == 'N')
			name_text(text, sizeof(text));
		else if (from[1] == 'S')
			size_text(text, sizeof(text));
		else if (from[1] == 'L')
			snprintf(text, sizeof(text), "%.*s/bench/lttng/put.so", (int)(strrchr(self, '/') - self), self);
		else
			snprintf(text, sizeof(text), "%s", from[1] == 'B' ? self : command_dir());
		n += (size_t)snprintf(to + n, size - n, "%s", text);
		from += 3;
	}
	to[n < size ? n : size - 1] = '\0';
}

static bool read_target(double *ns, uint64_t *sent, uint64_t *keys, int *exact)
{
	FILE *in = fopen(command_file("out"), "r");
	char line[512];
	bool found = false;

	while (in != NULL && fgets(line, sizeof(line), in) != NULL) {
		char *at = strstr(line, "target ns=");

		if (at != NULL && sscanf(at, "target ns=%lf sent=%lu keys=%lu exact=%d", ns, sent, keys, exact) == 4)
			found = true;
	}
	if (in != NULL)
		fclose(in);
	return found;
}

/* ---- what the tracers found ---- */

/* bpftrace: a map's entries end in "]: COUNT", a lone counter is "@: COUNT". */
static bool bpftrace_counts(tally_t *t)
{
	FILE *in = fopen(command_file("out"), "r");
	char line[512];

	while (in != NULL && fgets(line, sizeof(line), in) != NULL) {
		char *at = strstr(line, "]: ");

		if (at == NULL && strncmp(line, "@: ", 3) == 0)
			at = line;
		if (at == NULL)
			continue;
		t->t_keys++;
		tally_add(t, strtoull(strchr(at, ':') + 2, NULL, 10));
	}
	if (in != NULL)
		fclose(in);
	return in != NULL;
}

/* bpftrace: the buckets of a histogram, "[64, 128)   COUNT |@@@   |"; each key has a line before them. */
static bool bpftrace_buckets(tally_t *t)
{
	FILE *in = fopen(command_file("out"), "r");
	char line[512];

	while (in != NULL && fgets(line, sizeof(line), in) != NULL) {
		char *at = strpbrk(line, ")]");

		t->t_keys += line[0] == '@';
		if ((line[0] == '[' || line[0] == '(') && at != NULL && strchr(at, '|') != NULL)
			tally_add(t, strtoull(at + 1, NULL, 10));
	}
	if (in != NULL)
		fclose(in);
	return in != NULL;
}

/* The command after the run wrote the number into the file `count'. */
static bool file_count(tally_t *t)
{
	FILE *in = fopen(command_file("count"), "r");
	unsigned long n = 0;
	bool ok = in != NULL && fscanf(in, "%lu", &n) == 1;

	tally_add(t, n);
	if (in != NULL)
		fclose(in);
	return ok;
}

/* ---- contenders ---- */

static const char *open_outside(run_t *r)
{
	const tracer_arg_t *a = r->r_c->c_arg;
	static char why[200];
	char cmd[2048];

	if (self[0] == '\0' && readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return "/proc is not there";
	if (a->program != NULL && !command_exists(a->program))
		return "not installed";
	if (a->before != NULL) {
		expand(r, a->before, cmd, sizeof(cmd));
		if (command_run(cmd).u_status != 0) {
			snprintf(why, sizeof(why), "%s cannot set its probe here", a->program);
			return why;
		}
	}
	r->r_data = calloc(1, sizeof(seen_t));
	if (r->r_data == NULL)
		abort();
	((seen_t *)r->r_data)->exact = true;
	return NULL;
}

static void not_exact(seen_t *s, const char *why, uint64_t got, uint64_t want)
{
	s->exact = false;
	snprintf(s->why, sizeof(s->why), "%s: %lu of %lu", why, (unsigned long)got, (unsigned long)want);
}

static double time_outside(run_t *r)
{
	const tracer_arg_t *a = r->r_c->c_arg;
	seen_t *s = r->r_data;
	uint64_t sent = 0, keys = 0;
	char cmd[2048];
	tally_t t = {0, 0, 0};
	double ns = -1;
	int exact = 0;

	expand(r, a->command, cmd, sizeof(cmd));
	(void)command_run(cmd);
	if (!read_target(&ns, &sent, &keys, &exact)) {
		not_exact(s, "the program did not end", 0, 1);
		return -1;
	}
	if (a->after != NULL) {
		expand(r, a->after, cmd, sizeof(cmd));
		(void)command_run(cmd);
	}
	s->runs++;
	s->events += sent;
	if (a->counts == NULL) {
		if (!exact)
			not_exact(s, "not what was sent", 0, sent);
		return ns;
	}
	if (!a->counts(&t) || t.t_total != sent)
		not_exact(s, "events seen", t.t_total, sent);
	else if (a->keys && t.t_keys != keys)
		not_exact(s, "keys", t.t_keys, keys);
	return ns;
}

static bool exact_outside(run_t *r)
{
	const seen_t *s = r->r_data;

	if (s->exact)
		snprintf(r->r_note, sizeof(r->r_note), "%lu events in %lu runs", s->events, s->runs);
	else
		snprintf(r->r_note, sizeof(r->r_note), "%s", s->why);
	return s->exact;
}

static void close_outside(run_t *r)
{
	free(r->r_data);
}

#define OUTSIDE(var, name, role, ...)                                                \
	static const contender_t var = {.c_name = name,                              \
					.c_role = role,                              \
					.c_arg = &(const tracer_arg_t){__VA_ARGS__}, \
					.c_open = open_outside,                      \
					.c_time = time_outside,                      \
					.c_exact = exact_outside,                    \
					.c_close = close_outside}
#define BPFTRACE(probe, action) "BPFTRACE_MAP_KEYS_MAX=1000000 bpftrace -e '" probe " { " action " }' -c '{T}'"
#define USDT "usdt:{B}:strbench:putnext"
#define UPROBE "uprobe:{B}:chain_putnext"

OUTSIDE(base, "untraced", ROLE_BASE, .command = "{T}");
OUTSIDE(limit, "limit", ROLE_LIMIT, .command = "{T} -h limit");
OUTSIDE(strsim, "strsim", ROLE_STRSIM, .command = "{T} -h strsim");
OUTSIDE(bpf_usdt, "bpftrace USDT", ROLE_PEER, .program = "bpftrace",
	.command = BPFTRACE(USDT, "@[{N}, ustack(5)] = count();"), .counts = bpftrace_counts, .keys = true);
OUTSIDE(bpf_uprobe, "bpftrace NOP uprobe", ROLE_PEER, .program = "bpftrace",
	.command = BPFTRACE(UPROBE, "@[{N}, ustack(5)] = count();"), .counts = bpftrace_counts, .keys = true);
OUTSIDE(bpf_hist, "bpftrace NOP hist", ROLE_PEER, .program = "bpftrace",
	.command = BPFTRACE("uprobe:{B}:chain_output", "@[arg0] = hist({S});"), .counts = bpftrace_buckets,
	.keys = true);
OUTSIDE(bpf_usdt_count, "bpftrace USDT @=count()", ROLE_PEER, .program = "bpftrace",
	.command = BPFTRACE(USDT, "@ = count();"), .counts = bpftrace_counts);
OUTSIDE(bpf_uprobe_count, "bpftrace NOP @=count()", ROLE_PEER, .program = "bpftrace",
	.command = BPFTRACE(UPROBE, "@ = count();"), .counts = bpftrace_counts);
OUTSIDE(uftrace, "uftrace record", ROLE_PEER, .program = "uftrace",
	.command = "rm -rf {D}/u; uftrace record --no-libcall -P ^chain_putnext$ -d {D}/u {T}",
	.after = "uftrace report -d {D}/u | awk '$NF == \"chain_putnext\" { print $(NF-1) }' >{D}/count",
	.counts = file_count);
#define LTTNG "export LTTNG_HOME={D}; "
OUTSIDE(
    lttng, "LTTng-UST record", ROLE_PEER, .program = "babeltrace2",
    .before = LTTNG "test -e {L} && (lttng-sessiond --daemonize --no-kernel --pidfile {D}/lttng.pid -q)",
    .command = LTTNG "rm -rf {D}/t; lttng -q create s --output={D}/t && "
		     "lttng -q enable-channel -u c -s s --subbuf-size 4M --num-subbuf 8 && "
		     "lttng -q enable-event -u strbench:put -c c -s s && lttng -q start s && "
		     "{T} -h {L}; lttng -q stop s; lttng -q destroy s",
    .after = "babeltrace2 {D}/t -c sink.utils.counter | awk '/Event message/ { n = $1 } END { print n }' >{D}/count",
    .counts = file_count);
OUTSIDE(perf, "perf record uprobe", ROLE_PEER, .program = "perf",
	.before = "perf probe -q -d 'probe_strbench:*'; perf probe -q -x {B} -a chain_putnext",
	.command = "perf record -q -m 16M -e probe_strbench:chain_putnext -o {D}/perf.data {T}",
	.after = "perf script -i {D}/perf.data -F event | wc -l >{D}/count", .counts = file_count);

/* LTTng's, if it was started. */
static void stop_daemon(void)
{
	char cmd[256];

	snprintf(cmd, sizeof(cmd),
		 "f='%s'; test -s \"$f\" && kill $(cat \"$f\") && "
		 "for i in $(seq 50); do test -e \"$f\" || break; sleep 0.1; done",
		 command_file("lttng.pid"));
	(void)command_run(cmd);
}

static void teardown(const params_t *p)
{
	(void)p;
	if (command_exists("perf"))
		(void)command_run("perf probe -q -d 'probe_strbench:*'");
	stop_daemon();
	command_clean();
}

static const params_t puts72[] = {{.p_keys = 72, .p_zipf = 1, .p_depth = 5, .p_threads = 1, .p_ops = 20000}};

static const params_t writes16[] = {{.p_keys = 16, .p_zipf = 1, .p_depth = 5, .p_threads = 1, .p_ops = 20000}};

#define LIST(...) ((const contender_t *const[]){__VA_ARGS__, NULL})

const series_t bench_outside[] = {
    {"outside/putnexts", "event", "ns", SERIES_OVER, LIST(&base, &limit, &strsim, &bpf_usdt, &bpf_uprobe, &lttng),
     puts72, 1, 1, 90, NULL, teardown},
    {"outside/tcpwdist", "event", "ns", SERIES_OVER, LIST(&base, &limit, &strsim, &bpf_hist), writes16, 1, 0, 60, NULL,
     teardown},
    {"outside/count", "event", "ns", SERIES_OVER,
     LIST(&base, &limit, &bpf_usdt_count, &bpf_uprobe_count, &uftrace, &perf), puts72, 1, 0, 90, NULL, teardown},
};
const size_t bench_noutside = LEN(bench_outside);
