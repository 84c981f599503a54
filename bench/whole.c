/*
 * Whole programs over one capture (mktraffic's): libpcap's bare read, tcpdump, tshark, and strsim's replay untraced and
 * under its two scripts.  A figure is processor time, user's and system's, of the process for one packet; or what a
 * probe's event adds to the untraced replay; or memory.
 */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "work.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

typedef struct program {
	const char *program; /* must be there, NULL: built here */
	const char *command; /* {B} build folder, {F} capture, {D} folder for files */
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
	if (p->per_event && events > 0)
		r->r_scale = (double)events / (double)r->r_params->p_packets;
	return NULL;
}

static double time_program(run_t *r)
{
	const program_t *p = r->r_c->c_arg;
	char cmd[1024];
	usage_t u;

	expand(p->command, cmd, sizeof(cmd));
	u = command_run(cmd);
	if (u.u_status != 0)
		return -1;
	return p->memory ? (double)u.u_kib : u.u_seconds * 1e9 / (double)r->r_params->p_packets;
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
PROGRAM(base_untraced, "strsim untraced", ROLE_BASE, .command = UNTRACED, .good = good_replay);
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

static void teardown(const params_t *p)
{
	(void)p;
	command_clean();
}

static const params_t replay[] = {{.p_packets = 100000, .p_conns = 1000}, {.p_packets = 2000000, .p_conns = 1000}};
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
    {"whole/event", "event", "ns", SERIES_OVER, LIST(&base_untraced, &event_putnexts, &event_tcpwdist), replay,
     LEN(replay), 0, 60, setup, teardown},
    {"whole/dissect", "packet", "ns", SERIES_WHOLE, LIST(&read_pcap, &tcpdump_text, &tshark, &putnexts), dissect,
     LEN(dissect), 0, 60, setup, teardown},
    {"whole/conns", "packet", "ns", SERIES_WHOLE, LIST(&read_pcap, &untraced, &putnexts), conns, LEN(conns), 0, 20,
     setup, teardown},
    {"whole/size", "packet", "ns", SERIES_WHOLE, LIST(&read_pcap, &untraced, &putnexts), sizes, LEN(sizes), 0, 20,
     setup, teardown},
    {"whole/memory", "run", "KiB", SERIES_OVER, LIST(&empty_memory, &untraced_memory, &putnexts_memory), sizes,
     LEN(sizes), 0, 10, setup, teardown},
};
const size_t bench_nwhole = LEN(bench_whole);
