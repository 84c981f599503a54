#include "validate/expect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "consumer/msg.h"
#include "consumer/options.h"
#include "d/dt.h"
#include "machine/machine.h"
#include "replay/player.h"

/*
 * strsim validate: a capture is pushed through the model under a fixed D
 * program, and every figure is compared with what expect.c says it must be.
 *
 * The program counts by aggregation (that is what is being validated): frames
 * that reached the driver, the kernel's MIB counters, and the writes that
 * reached tcp_output by process.  What each process was given to read is
 * compared by length and hash.
 */

static const char program[] = "mib::: { @mib[probename] = sum(arg0); }"
			      "fbt:gld:gld_recv_tagged:entry { @frames = count(); }"
			      "fbt:ip:tcp_output:entry { this->n = msgdsize(args[1]); @sizes[pid] = quantize(this->n);"
			      " @bytes[pid] = sum(this->n); @writes[pid] = count(); }";

typedef struct reports {
	replay_conn_t *r_conns;
	size_t r_n, r_max;
} reports_t;

typedef struct table {
	int t_bad;
	int t_conndiffs; /* connections shown in detail */
} table_t;

typedef struct session {
	options_t s_op;
	dt_t *s_dt;
	dtrace_state_t *s_st;
	expect_t *s_x;
	reports_t s_reports;
	account_t s_acct;
	table_t s_table;
	bool s_verbose;
} session_t;

/* ---- the table ---- */

static void row(table_t *t, const char *what, uint64_t expected, uint64_t measured)
{
	bool same = expected == measured;

	printf("%-44s %14llu %14llu %s\n", what, (unsigned long long)expected, (unsigned long long)measured,
	       same ? "" : "DIFFERENT");
	t->t_bad += !same;
}

/* ---- reading aggregations ---- */

static const dtrace_aggvar_t *aggvar(const session_t *s, const char *name)
{
	size_t n;
	dtrace_aggvar_t *const *av = dt_aggs(s->s_dt, &n);

	for (size_t i = 0; i < n; i++)
		if (strcmp(av[i]->av_name, name) == 0)
			return av[i];
	return NULL;
}

/* The cells under a key of one integer, or of one string, or none; NULL when it never occurred. */
static const int64_t *cells_int(session_t *s, const char *name, uint64_t key)
{
	return agg_lookup(dtrace_agg_snapshot(s->s_st, aggvar(s, name)), &key, sizeof(key));
}

static uint64_t counter(session_t *s, const char *name)
{
	uint64_t key[16] = {0};
	const int64_t *c;

	memcpy(key, name, strlen(name));
	c = agg_lookup(dtrace_agg_snapshot(s->s_st, aggvar(s, "mib")), key, (strlen(name) / 8 + 1) * 8);
	return c != NULL ? (uint64_t)*c : 0;
}

static uint64_t scalar(session_t *s, const char *name)
{
	const int64_t *c = agg_lookup(dtrace_agg_snapshot(s->s_st, aggvar(s, name)), NULL, 0);

	return c != NULL ? (uint64_t)*c : 0;
}

/* ---- connections ---- */

static void on_conn(void *arg, const replay_conn_t *rc)
{
	reports_t *r = arg;

	if (r->r_n == r->r_max) {
		size_t max = r->r_max * 2 + 64;
		replay_conn_t *p = realloc(r->r_conns, max * sizeof(*p));

		if (p == NULL)
			msg_fatal("out of memory\n");
		r->r_conns = p;
		r->r_max = max;
	}
	r->r_conns[r->r_n++] = *rc;
}

static bool same_conn(const replay_conn_t *rc, const econn_t *c)
{
	return (rc->rc_first & ~(1ULL << 63)) == c->first && rc->rc_hport == c->key.hport &&
	       rc->rc_pport == c->key.pport && rc->rc_paddr == c->key.paddr;
}

static int by_first(const void *a, const void *b)
{
	const replay_conn_t *x = a, *y = b;
	uint64_t m = x->rc_first & ~(1ULL << 63), n = y->rc_first & ~(1ULL << 63);

	if (m != n)
		return m < n ? -1 : 1;
	return (int)x->rc_hport - (int)y->rc_hport;
}

static const replay_conn_t *report_of(const reports_t *r, const econn_t *c)
{
	size_t lo = 0, hi = r->r_n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if ((r->r_conns[mid].rc_first & ~(1ULL << 63)) < c->first)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < r->r_n && (r->r_conns[lo].rc_first & ~(1ULL << 63)) == c->first; lo++)
		if (same_conn(&r->r_conns[lo], c))
			return &r->r_conns[lo];
	return NULL;
}

static bool same_sizes(session_t *s, const econn_t *c, int pid)
{
	const int64_t *q = cells_int(s, "sizes", (uint64_t)pid);

	for (uint32_t b = 0; b < 127; b++) {
		int64_t label = agg_quantize_label(b);
		uint64_t want = label > 0 ? c->sizes[63 - __builtin_clzll((uint64_t)label)] : 0;

		if (want != (q != NULL ? (uint64_t)q[b] : 0))
			return false;
	}
	return true;
}

static uint64_t by_pid(session_t *s, const char *name, int pid)
{
	const int64_t *c = pid != 0 ? cells_int(s, name, (uint64_t)pid) : NULL;

	return c != NULL ? (uint64_t)*c : 0;
}

typedef struct conntotals {
	uint64_t n, same_delivery, same_hash, same_writes, same_sizes;
	uint64_t delivered[2], written[2], writes[2]; /* expected, measured */
} conntotals_t;

static void show_conn(session_t *s, const econn_t *c, const replay_conn_t *rc)
{
	char a[RF_ADDRLEN];

	if (s->s_table.t_conndiffs++ >= 20)
		return;
	printf("  frame %llu, port %u with %s:%u: expected %llu bytes delivered (%016llx) and %llu written in %llu,"
	       " measured %llu (%016llx), %llu in %llu\n",
	       (unsigned long long)c->first, c->key.hport, rf_ntop(c->key.paddr, a), c->key.pport,
	       (unsigned long long)c->delivered, (unsigned long long)c->hash, (unsigned long long)c->written,
	       (unsigned long long)c->writes, (unsigned long long)rc->rc_delivered, (unsigned long long)rc->rc_hash,
	       (unsigned long long)by_pid(s, "bytes", rc->rc_pid), (unsigned long long)by_pid(s, "writes", rc->rc_pid));
}

/* -v: a line for each connection, for people and for comparison with other tools' tables. */
static void list_conn(const econn_t *c, const replay_conn_t *rc, uint64_t bytes, uint64_t writes)
{
	char h[RF_ADDRLEN], p[RF_ADDRLEN];

	printf("connection %s:%u %s:%u received %llu of %llu sent %llu of %llu in %llu writes",
	       rf_ntop(c->key.haddr, h), c->key.hport, rf_ntop(c->key.paddr, p), c->key.pport,
	       (unsigned long long)rc->rc_delivered, (unsigned long long)c->covered, (unsigned long long)bytes,
	       (unsigned long long)c->host_covered, (unsigned long long)writes);
	for (int b = 0; b < 64; b++)
		if (c->sizes[b] != 0)
			printf(" %llu:%llu", 1ULL << b, (unsigned long long)c->sizes[b]);
	printf("%s%s\n", c->why[0] != '\0' ? " # rest: " : "", c->why);
}

static void compare_conn(session_t *s, const econn_t *c, conntotals_t *t)
{
	static const replay_conn_t none = {.rc_hash = REPLAY_FNV};
	const replay_conn_t *rc = report_of(&s->s_reports, c);
	uint64_t bytes, writes;
	bool same;

	if (rc == NULL)
		rc = &none;
	bytes = by_pid(s, "bytes", rc->rc_pid);
	writes = by_pid(s, "writes", rc->rc_pid);
	if (s->s_verbose)
		list_conn(c, rc, bytes, writes);
	t->n++;
	t->delivered[0] += c->delivered;
	t->delivered[1] += rc->rc_delivered;
	t->written[0] += c->written;
	t->written[1] += bytes;
	t->writes[0] += c->writes;
	t->writes[1] += writes;
	t->same_delivery += c->delivered == rc->rc_delivered;
	t->same_hash += c->hash == rc->rc_hash;
	t->same_writes += c->writes == writes && c->written == bytes;
	same = same_sizes(s, c, rc->rc_pid);
	t->same_sizes += same;
	if (!same || c->delivered != rc->rc_delivered || c->hash != rc->rc_hash || c->written != bytes ||
	    c->writes != writes)
		show_conn(s, c, rc);
}

static void compare_conns(session_t *s)
{
	conntotals_t t;
	table_t *tab = &s->s_table;

	memset(&t, 0, sizeof(t));
	if (s->s_reports.r_n != 0)
		qsort(s->s_reports.r_conns, s->s_reports.r_n, sizeof(replay_conn_t), by_first);
	for (const econn_t *c = s->s_x->conns; c != NULL; c = c->next)
		compare_conn(s, c, &t);
	row(tab, "TCP connections", s->s_x->nconns, s->s_reports.r_n);
	row(tab, "  with equal bytes delivered", t.n, t.same_delivery);
	row(tab, "  with equal hash of what was delivered", t.n, t.same_hash);
	row(tab, "  with equal writes", t.n, t.same_writes);
	row(tab, "  with equal distribution of write sizes", t.n, t.same_sizes);
	row(tab, "TCP bytes delivered to processes", t.delivered[0], t.delivered[1]);
	row(tab, "TCP bytes written by processes", t.written[0], t.written[1]);
	row(tab, "TCP writes", t.writes[0], t.writes[1]);
}

/* ---- the rest ---- */

static void compare_frames(session_t *s)
{
	const expect_frames_t *f = &s->s_x->frames;
	const account_t *a = &s->s_acct;
	uint64_t sum = 0, sent = 0;
	table_t *t = &s->s_table;

	for (int c = 0; c < NACCT; c++)
		sum += a->a_class[c];
	for (int c = AC_WRITE; c <= AC_LATE; c++)
		sent += a->a_class[c];
	row(t, "frames", f->all, a->a_frames);
	row(t, "  in exactly one class", f->all, sum);
	row(t, "  received", f->received, a->a_class[AC_RECEIVED]);
	row(t, "  sent by the host", f->sent, sent);
	row(t, "  foreign", f->foreign, a->a_class[AC_FOREIGN]);
	row(t, "  unusable", f->dropped, a->a_class[AC_DROPPED]);
	row(t, "  IPv4", f->ipv4, a->a_ipv4);
	row(t, "  IPv6", f->ipv6, a->a_ipv6);
	row(t, "  ARP", f->arp, a->a_arp);
	row(t, "  IPv4 fragments", f->fragments, a->a_fragments);
}

static void compare_kernel(session_t *s)
{
	const expect_t *x = s->s_x;
	table_t *t = &s->s_table;

	row(t, "IPv4 packets received (ipInReceives)", x->ip_received, counter(s, "ipInReceives"));
	row(t, "bad IP headers (ipInHdrErrors)", x->ip_badhdr, counter(s, "ipInHdrErrors"));
	row(t, "bad IP checksums (ipInCksumErrs)", x->ip_badsum, counter(s, "ipInCksumErrs"));
	row(t, "bad TCP checksums (tcpInErrs)", x->tcp_badsum, counter(s, "tcpInErrs"));
	row(t, "bad UDP checksums (udpInCksumErrs)", x->udp_badsum, counter(s, "udpInCksumErrs"));
	row(t, "datagrams reassembled (ipReasmOKs)", x->reassembled, counter(s, "ipReasmOKs"));
	row(t, "UDP datagrams delivered (udpInDatagrams)", x->udp_delivered, counter(s, "udpInDatagrams"));
	row(t, "  read by processes", x->udp_delivered, s->s_acct.a_datagrams);
	row(t, "  bytes", x->udp_delivered_bytes, s->s_acct.a_dgrambytes);
	row(t, "UDP datagrams without a port (udpNoPorts)", x->udp_noport, counter(s, "udpNoPorts"));
	row(t, "UDP datagrams sent (udpOutDatagrams)", x->udp_sends, counter(s, "udpOutDatagrams"));
	row(t, "  bytes", x->udp_send_bytes, s->s_acct.a_sent);
	row(t, "ICMP messages received (icmpInMsgs)", x->icmp_in, counter(s, "icmpInMsgs"));
	row(t, "bad ICMP checksums (icmpInCksumErrs)", x->icmp_badsum, counter(s, "icmpInCksumErrs"));
	row(t, "ICMP echo requests (icmpInEchos)", x->icmp_echo, counter(s, "icmpInEchos"));
	row(t, "pings", x->pingers, s->s_acct.a_ping_procs);
	row(t, "  echo requests sent (rawipOutDatagrams)", x->pings, counter(s, "rawipOutDatagrams"));
	row(t, "  refused (rawipOutErrors)", 0, counter(s, "rawipOutErrors"));
	row(t, "  replies read by processes", x->ping_replies, s->s_acct.a_replies);
	row(t, "frames handed up by the driver", nic_stats(nic_get(0))->ns_rx, scalar(s, "frames"));
}

/* ---- the run ---- */

static void compile(session_t *s)
{
	dt_source_t src = {.src_text = program, .src_empty_ok = true};
	const dif_vardesc_t *vars;
	dtrace_conf_t conf;
	dt_program_t *p;
	char err[256];
	size_t n;

	s->s_op.op_dt.o_zdefs = true;
	s->s_dt = dt_create(&s->s_op.op_dt, err, sizeof(err));
	if (s->s_dt == NULL)
		msg_fatal("failed to initialize the compiler: %s\n", err);
	p = dt_compile(s->s_dt, &src);
	if (p == NULL)
		msg_fatal("validate: %s\n", dt_errmsg(s->s_dt));
	dtrace_conf_default(&conf);
	s->s_st = dtrace_state_create(&conf);
	vars = dt_vars(s->s_dt, &n);
	if (s->s_st == NULL || dtrace_state_vars(s->s_st, vars, n) != 0)
		msg_fatal("out of memory\n");
	for (const dtrace_ecbdesc_t *e = p->p_ecbs; e != NULL; e = e->e_next)
		if (dtrace_enable(s->s_st, e, err, sizeof(err)) < 0)
			msg_fatal("validate: %s\n", err);
}

/* The exit status of the workload. */
static int play(session_t *s, const replay_opts_t *opts)
{
	workload_t *w = replay_create(opts);
	char err[512];
	int status;

	if (w == NULL)
		msg_fatal("out of memory\n");
	replay_on_conn(w, on_conn, &s->s_reports);
	machine_init(0);
	compile(s);
	if (w->w_setup(w, err, sizeof(err)) != 0)
		msg_fatal("%s\n", err);
	if (dtrace_go(s->s_st, err, sizeof(err)) != 0)
		msg_fatal("validate: %s\n", err);
	while (w->w_run(w, INT64_MAX) == 0)
		;
	dtrace_stop(s->s_st);
	s->s_acct = ((player_t *)w->w_data)->pl_acct;
	status = w->w_finish(w);
	return status;
}

static int usage(FILE *fp)
{
	fprintf(fp, "usage: strsim validate [-v] [--host ADDR] [--processes FILE] -r FILE...\n"
		    "Replays the captures and compares every figure with what they are known to contain;\n"
		    "-v lists each connection.\n"
		    "Exit status: 0 all equal, 1 a difference (or a cut file), 2 wrong use.\n");
	return fp == stderr ? STATUS_USAGE : STATUS_OK;
}

static bool parse(int argc, char **argv, replay_opts_t *o, bool *verbose)
{
	for (int i = 1; i < argc; i++) {
		const char **value = strcmp(argv[i], "--host") == 0        ? &o->host
				     : strcmp(argv[i], "--processes") == 0 ? &o->processes
									   : NULL;

		if (value != NULL && i + 1 < argc)
			*value = argv[++i];
		else if (strcmp(argv[i], "-v") == 0)
			*verbose = true;
		else if (strcmp(argv[i], "-r") == 0)
			continue;
		else if (argv[i][0] != '-')
			o->files[o->nfiles++] = argv[i];
		else
			return false;
	}
	return o->nfiles > 0;
}

static int validate(int argc, char **argv)
{
	replay_opts_t opts = {.linger = 2000000000};
	session_t s;
	uint32_t host = 0;
	bool cut = false;
	char err[600];
	int status;

	memset(&s, 0, sizeof(s));
	if (argc == 2 && strcmp(argv[1], "--help") == 0)
		return usage(stdout);
	opts.files = calloc((size_t)argc, sizeof(char *));
	if (opts.files == NULL || !parse(argc, argv, &opts, &s.s_verbose)) {
		free(opts.files);
		return usage(stderr);
	}
	if (opts.host != NULL && (host = replay_host(opts.host)) == 0) {
		msg_say("invalid value for --host: %s (not the IPv4 address of a host)\n", opts.host);
		exit(STATUS_USAGE);
	}
	options_init(&s.s_op);
	s.s_x = expect_compute(opts.files, opts.nfiles, host, &cut, err, sizeof(err));
	if (s.s_x == NULL)
		msg_fatal("%s\n", err);
	if (dtrace_init(err, sizeof(err)) != 0)
		msg_fatal("failed to initialize tracing: %s\n", err);
	status = play(&s, &opts);
	printf("%-44s %14s %14s\n", "figure", "expected", "measured");
	compare_frames(&s);
	compare_kernel(&s);
	compare_conns(&s);
	dtrace_state_destroy(s.s_st);
	dt_destroy(s.s_dt);
	dtrace_fini();
	if (machine_fini() != 0)
		status = STATUS_ERROR;
	expect_free(s.s_x);
	free(s.s_reports.r_conns);
	free(opts.files);
	options_fini(&s.s_op);
	if (s.s_table.t_bad != 0)
		msg_say("validate: %d figures differ\n", s.s_table.t_bad);
	return s.s_table.t_bad != 0 ? STATUS_ERROR : status;
}

static const subcommand_t validate_command = {
    "validate",
    "replay captures and compare every figure with what they are known to contain",
    validate,
};
LINKER_SET(subcommand, validate_command);
