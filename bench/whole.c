/*
 * Whole programs over one capture (mktraffic's): libpcap's bare read, tcpdump, tshark, and strsim's replay untraced and
 * under its two scripts.  A figure is processor time, user's and system's, of the process for one packet; or what a
 * probe's event adds to the untraced replay; or memory.  And the start of the program, with and without a script.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "work.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

typedef struct program {
	const char *program; /* must be there, NULL: built here */
	const char *command; /* {B} build folder, {F} capture, {S} script */
	/*
	 * More commands, whose time is added and taken off: a base that starts, compiles and arms as its contender does
	 * is the untraced replay, plus a start with the script, less one without.
	 */
	const char *plus, *minus;
	/* What must be in the output for the run to count; NULL: exit status 0. */
	bool (*good)(const run_t *r, uint64_t *events);
	bool per_event, memory;
} program_t;

static void expand(const char *from, char *to, size_t size)
{
	size_t n = 0;

	while (*from != '\0' && n + 1 < size) {
		const char *text = NULL;

		if (strncmp(from, "{B}", 3) == 0)
			text = options.o_build;
		else if (strncmp(from, "{F}", 3) == 0)
			text = command_file("capture.pcap");
		if (strncmp(from, "{S}", 3) == 0)
			text = command_file("long.d");
		if (text == NULL) {
			to[n++] = *from++;
			continue;
		}
		n += (size_t)snprintf(to + n, size - n, "%s", text);
		from += 3;
	}
	to[n < size ? n : size - 1] = '\0';
}

/* ---- what must come out ---- */

static FILE *output(const char *name)
{
	FILE *in = fopen(command_file(name), "r");

	if (in == NULL)
		abort();
	return in;
}

/* readpcap prints "N packets". */
static bool good_read(const run_t *r, uint64_t *events)
{
	FILE *in = output("out");
	unsigned long n = 0;
	bool ok = fscanf(in, "%lu packets", &n) == 1 && n == r->r_params->p_packets;

	fclose(in);
	*events = n;
	return ok;
}

/* Each line of a table of counts: the count alone, or behind the bar of a histogram. */
static uint64_t sum_counts(void)
{
	FILE *in = output("out");
	char line[512];
	uint64_t sum = 0;

	while (fgets(line, sizeof(line), in) != NULL) {
		char *bar = strchr(line, '|'), *end;
		unsigned long n;

		if (bar != NULL) {
			sum += strtoul(bar + 1 + strspn(bar + 1, "@ "), NULL, 10);
			continue;
		}
		n = strtoul(line, &end, 10);
		if (end != line && end[strspn(end, " \n")] == '\0')
			sum += n;
	}
	fclose(in);
	return sum;
}

/* As many as a bare count of the same probe gives. */
static bool same_as_count(const char *probe, uint64_t *events)
{
	char cmd[1024], full[2048];

	*events = sum_counts();
	snprintf(cmd, sizeof(cmd),
		 "{B}/strsim --no-progress -q -r {F} -n '%s { @ = count(); } END { printa(\"%%@d\\n\", @); }'", probe);
	expand(cmd, full, sizeof(full));
	return *events > 0 && command_run(full).u_status == 0 && sum_counts() == *events;
}

static bool good_putnexts(const run_t *r, uint64_t *events)
{
	(void)r;
	return same_as_count("fbt::putnext:entry", events);
}

static bool good_allfbt(const run_t *r, uint64_t *events)
{
	(void)r;
	return same_as_count("fbt:::", events);
}

static bool good_tcpwdist(const run_t *r, uint64_t *events)
{
	(void)r;
	return same_as_count("fbt:ip:tcp_output:entry", events);
}

/* The replay's own account: every frame of the capture was taken. */
static bool good_replay(const run_t *r, uint64_t *events)
{
	FILE *in = output("err");
	char line[512], want[32];
	bool found = false;

	*events = r->r_params->p_packets;
	snprintf(want, sizeof(want), "%lu frames", (unsigned long)r->r_params->p_packets);
	while (fgets(line, sizeof(line), in) != NULL)
		found |= strstr(line, want) != NULL;
	fclose(in);
	return found;
}

/* ---- contenders ---- */

static const char *open_program(run_t *r)
{
	const program_t *p = r->r_c->c_arg;
	uint64_t events = r->r_params->p_packets;
	char cmd[1024];
	bool ok;

	if (p->program != NULL && !command_exists(p->program))
		return "not installed";
	expand(p->command, cmd, sizeof(cmd));
	ok = command_run(cmd).u_status == 0;
	if (ok && p->good != NULL)
		ok = p->good(r, &events);
	r->r_data = ok ? "" : NULL;
	snprintf(r->r_note, sizeof(r->r_note), ok ? "%lu %s" : "its output is not what it should be: %lu %s", events,
		 p->per_event || p->good == good_putnexts || p->good == good_tcpwdist ? "events" : "packets");
	if (p->good == NULL)
		r->r_note[0] = '\0';
	if (p->per_event && events > 0)
		r->r_scale = (double)events / (double)r->r_params->p_packets;
	return NULL;
}

/* Seconds of processor time, 0 for no command, NAN when it failed. */
static double seconds(const char *command, long *kib)
{
	char cmd[1024];
	usage_t u;

	if (command == NULL)
		return 0;
	expand(command, cmd, sizeof(cmd));
	u = command_run(cmd);
	*kib = u.u_kib;
	return u.u_status == 0 ? u.u_seconds : NAN;
}

static double time_program(run_t *r)
{
	const program_t *p = r->r_c->c_arg;
	uint64_t packets = r->r_params->p_packets;
	long kib, other;
	double s = seconds(p->command, &kib);

	s += seconds(p->plus, &other) - seconds(p->minus, &other);
	if (isnan(s))
		return -1;
	if (p->memory)
		return (double)kib;
	return packets != 0 ? s * 1e9 / (double)packets : s * 1e3;
}

static bool exact_program(run_t *r)
{
	return r->r_data != NULL;
}

#define PROGRAM(var, name, role, ...)                                             \
	static const contender_t var = {.c_name = name,                           \
					.c_role = role,                           \
					.c_arg = &(const program_t){__VA_ARGS__}, \
					.c_open = open_program,                   \
					.c_time = time_program,                   \
					.c_exact = exact_program}
#define STRSIM "{B}/strsim --no-progress "
#define UNTRACED STRSIM "-q -r {F} -n 'BEGIN { }'"
#define PUTNEXTS STRSIM "-r {F} -s fixtures/d/putnexts.d"
#define TCPWDIST STRSIM "-r {F} -s fixtures/d/tcpwdist.d"

PROGRAM(read_pcap, "libpcap read", ROLE_LIMIT, .command = "{B}/bench/readpcap {F}", .good = good_read);
PROGRAM(tcpdump_w, "tcpdump -w", ROLE_PEER, .program = "tcpdump", .command = "tcpdump -r {F} -w /dev/null");
PROGRAM(tcpdump_text, "tcpdump -nn", ROLE_PEER, .program = "tcpdump", .command = "tcpdump -nn -r {F} >/dev/null");
PROGRAM(tshark, "tshark -z conv,tcp", ROLE_PEER, .program = "tshark", .command = "tshark -n -q -z conv,tcp -r {F}");
PROGRAM(untraced, "strsim untraced", ROLE_STRSIM, .command = UNTRACED, .good = good_replay);
PROGRAM(unrelated, "strsim, a probe unfired", ROLE_STRSIM,
	.command = STRSIM "-q -r {F} -n 'fbt::strsetrerror:entry { @ = count(); }'", .good = good_replay);
PROGRAM(putnexts, "strsim putnexts.d", ROLE_STRSIM, .command = PUTNEXTS, .good = good_putnexts);
PROGRAM(tcpwdist, "strsim tcpwdist.d", ROLE_STRSIM, .command = TCPWDIST, .good = good_tcpwdist);
PROGRAM(no_probes, "a build without probes", ROLE_LIMIT,
	.command = "{B}/noprobes/strsim --no-progress -q -r {F} -n 'BEGIN { }'", .good = good_replay);
PROGRAM(tcpreplay, "tcpreplay to a veth", ROLE_PEER, .program = "tcpreplay",
	.command = "ip netns add strbench && ip -n strbench link add v0 type veth peer name v1 && "
		   "ip -n strbench link set v0 up && ip -n strbench link set v1 up && "
		   "ip netns exec strbench tcpreplay -q --topspeed --preload-pcap -i v0 {F}; rc=$?; "
		   "ip netns del strbench; exit $rc");
#define START STRSIM "-q -n 'BEGIN { exit(0); }'"
#define ALLFBT "-n 'fbt::: { @[probefunc] = count(); } END { printa(\"%@d\\n\", @); }'"
PROGRAM(base_putnexts, "untraced", ROLE_BASE, .command = UNTRACED, .good = good_replay,
	.plus = STRSIM "-q -s fixtures/d/putnexts.d -n 'BEGIN { exit(0); }'", .minus = START);
PROGRAM(base_tcpwdist, "untraced", ROLE_BASE, .command = UNTRACED, .good = good_replay,
	.plus = STRSIM "-q -s fixtures/d/tcpwdist.d -n 'BEGIN { exit(0); }'", .minus = START);
PROGRAM(base_allfbt, "untraced", ROLE_BASE, .command = UNTRACED, .good = good_replay,
	.plus = STRSIM "-q " ALLFBT " -n 'BEGIN { exit(0); }'", .minus = START);
PROGRAM(event_allfbt, "all fbt", ROLE_STRSIM, .command = STRSIM "-q -r {F} " ALLFBT, .good = good_allfbt,
	.per_event = true);
PROGRAM(start, "strsim", ROLE_STRSIM, .command = START);
PROGRAM(nothing, "true", ROLE_BASE, .command = "true");
PROGRAM(compile_nothing, "strsim -e, no script", ROLE_BASE, .command = STRSIM "-e -n 'BEGIN { }'");
PROGRAM(compile, "strsim -e, 500 lines", ROLE_STRSIM, .command = STRSIM "-e -s {S}");
PROGRAM(event_putnexts, "putnexts.d", ROLE_STRSIM, .command = PUTNEXTS, .good = good_putnexts, .per_event = true);
PROGRAM(event_tcpwdist, "tcpwdist.d", ROLE_STRSIM, .command = TCPWDIST, .good = good_tcpwdist, .per_event = true);
PROGRAM(empty_memory, "an empty run", ROLE_BASE, .command = STRSIM "-q -n 'BEGIN { exit(0); }'", .memory = true);
PROGRAM(untraced_memory, "strsim untraced", ROLE_STRSIM, .command = UNTRACED, .good = good_replay, .memory = true);
PROGRAM(putnexts_memory, "strsim putnexts.d", ROLE_STRSIM, .command = PUTNEXTS, .good = good_putnexts, .memory = true);

/* ---- the capture ---- */

static const char *setup(const params_t *p)
{
	char cmd[512];

	bench_pin(0);
	snprintf(cmd, sizeof(cmd), "%s/bench/mktraffic '%s' %lu %u", options.o_build, command_file("capture.pcap"),
		 (unsigned long)p->p_packets, p->p_conns);
	return command_run(cmd).u_status == 0 ? NULL : "the capture cannot be written";
}

/* A script of 500 lines, of what scripts are made of. */
static const char *setup_script(const params_t *p)
{
	FILE *out = fopen(command_file("long.d"), "w");

	(void)p;
	bench_pin(0);
	if (out == NULL)
		return "the script cannot be written";
	for (int i = 0; i < 100; i++)
		fprintf(out,
			"fbt::putnext:entry\n"
			"/arg1 != 0 && strlen(stringof(args[0]->q_qinfo->qi_minfo->mi_idname)) > %d/\n"
			"{ self->low%d = arg0 & 1; this->mod%d = "
			"stringof(args[0]->q_next->q_qinfo->qi_minfo->mi_idname);\n"
			"  @calls%d[this->mod%d, execname, stack(5)] = count(); seen[this->mod%d, %d] = timestamp;\n"
			"  @sizes%d[pid] = lquantize(msgdsize(args[1]), 0, 1500, 100); }\n",
			i % 8, i, i, i, i, i, i, i);
	return fclose(out) == 0 ? NULL : "the script cannot be written";
}

static void teardown(const params_t *p)
{
	(void)p;
	command_clean();
}

static const params_t replay[] = {{.p_packets = 100000, .p_conns = 1000}, {.p_packets = 2000000, .p_conns = 1000}};
static const params_t by_itself[] = {{.p_ops = 1}};
static const params_t dissect[] = {{.p_packets = 100000, .p_conns = 1000}};
static const params_t conns[] = {
    {.p_packets = 100000, .p_conns = 1, .p_growth = "conns"},
    {.p_packets = 100000, .p_conns = 10, .p_growth = "conns"},
    {.p_packets = 100000, .p_conns = 100, .p_growth = "conns"},
    {.p_packets = 100000, .p_conns = 1000, .p_growth = "conns"},
    {.p_packets = 100000, .p_conns = 10000, .p_growth = "conns"},
    {.p_packets = 1000000, .p_conns = 100000, .p_growth = "conns"},
    {.p_packets = 4000000, .p_conns = 1000000, .p_growth = "conns"},
};
static const params_t sizes[] = {
    {.p_packets = 20000, .p_conns = 1000, .p_growth = "packets"},
    {.p_packets = 60000, .p_conns = 1000, .p_growth = "packets"},
    {.p_packets = 200000, .p_conns = 1000, .p_growth = "packets"},
    {.p_packets = 600000, .p_conns = 1000, .p_growth = "packets"},
    {.p_packets = 2000000, .p_conns = 1000, .p_growth = "packets"},
    {.p_packets = 6000000, .p_conns = 1000, .p_growth = "packets"},
};

#define LIST(...) ((const contender_t *const[]){__VA_ARGS__, NULL})

const series_t bench_whole[] = {
    {"whole/replay", "packet", "ns", SERIES_WHOLE,
     LIST(&read_pcap, &tcpdump_w, &untraced, &unrelated, &putnexts, &tcpwdist), replay, LEN(replay), 1, 60, setup,
     teardown},
    {"whole/nops", "packet", "ns", SERIES_WHOLE, LIST(&no_probes, &untraced), replay, LEN(replay), 1, 40, setup,
     teardown},
    {"whole/putnexts", "event", "ns", SERIES_OVER, LIST(&base_putnexts, &event_putnexts), replay, LEN(replay), 0, 40,
     setup, teardown},
    {"whole/tcpwdist", "event", "ns", SERIES_OVER, LIST(&base_tcpwdist, &event_tcpwdist), replay, LEN(replay), 0, 40,
     setup, teardown},
    {"whole/allfbt", "event", "ns", SERIES_OVER, LIST(&base_allfbt, &event_allfbt), replay, LEN(replay), 1, 40, setup,
     teardown},
    {"start/run", "start", "ms", SERIES_OVER, LIST(&nothing, &start), by_itself, LEN(by_itself), 1, 10, setup_script,
     teardown},
    {"start/compile", "script of 500 lines", "ms", SERIES_OVER, LIST(&compile_nothing, &compile), by_itself,
     LEN(by_itself), 1, 10, setup_script, teardown},
    {"whole/dissect", "packet", "ns", SERIES_WHOLE, LIST(&read_pcap, &tcpdump_text, &tshark, &tcpreplay, &putnexts),
     dissect, LEN(dissect), 0, 60, setup, teardown},
    {"whole/conns", "packet", "ns", SERIES_WHOLE, LIST(&read_pcap, &untraced, &putnexts), conns, LEN(conns), 0, 20,
     setup, teardown},
    {"whole/size", "packet", "ns", SERIES_WHOLE, LIST(&read_pcap, &untraced, &putnexts), sizes, LEN(sizes), 0, 20,
     setup, teardown},
    {"whole/memory", "run", "KiB", SERIES_OVER, LIST(&empty_memory, &untraced_memory, &putnexts_memory), sizes,
     LEN(sizes), 0, 10, setup, teardown},
};
const size_t bench_nwhole = LEN(bench_whole);
