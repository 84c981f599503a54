/* Sessions: enabling, records, buffers, errors, speculation, aggregations, the clock's probes. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "machine/machine.h"
#include "tests/dif_asm.h"

static dtrace_conf_t conf;
static dtrace_state_t *st;
static clause_t clauses[32];
static prog_t progs[64];
static int nclauses, nprogs, enabled;

static const dif_vardesc_t vars[] = {{"x", DIF_GLOBAL, 0, false, {.dt_kind = DIF_INT, .dt_size = 8}},
				     {"l", DIF_LOCAL, 0, false, {.dt_kind = DIF_INT, .dt_size = 8}}};

static void start(void)
{
	char err[256];

	machine_init(0);
	cr_assert_eq(dtrace_init(err, sizeof(err)), 0, "%s", err);
	dtrace_conf_default(&conf);
}

/* With what is in conf now. */
static void session(void)
{
	st = dtrace_state_create(&conf);
	cr_assert_eq(dtrace_state_vars(st, vars, 2), 0);
}

static void finish(void)
{
	dtrace_state_destroy(st);
	machine_fini();
	dtrace_fini();
}

TestSuite(dtrace, .init = start, .fini = finish);

static clause_t *clause(const char *name)
{
	return on(&clauses[nclauses++], "", "", "", name);
}

static prog_t *prog(void)
{
	return &progs[nprogs++];
}

static void record_int(clause_t *c, uint64_t v, uint32_t size)
{
	record(c, constant(prog(), v), DIF_INT, size);
}

static void exit_with(clause_t *c, uint64_t status)
{
	dtrace_act_t *a = action(c, ACT_EXIT, &constant(prog(), status)->d);

	a->a_type = (dif_type_t){.dt_kind = DIF_INT, .dt_size = 4};
}

/* x = v */
static prog_t *assign(prog_t *p, uint64_t v)
{
	setx(p, 1, v);
	opi(p, DIF_STGS, 0, 1);
	ret(p, 1);
	return p;
}

static prog_t *divide_by_zero(prog_t *p)
{
	setx(p, 1, 1);
	op(p, DIF_SDIV, 1, 0, 1);
	ret(p, 1);
	return p;
}

static prog_t *load_null(prog_t *p)
{
	op(p, DIF_LDX, 0, 0, 1);
	ret(p, 1);
	return p;
}

static void enable(void)
{
	char err[256];

	for (; enabled < nclauses; enabled++)
		cr_assert_geq(dtrace_enable(st, &clauses[enabled].desc, err, sizeof(err)), 1, "%s", err);
}

static void go(void)
{
	char err[256];

	enable();
	cr_assert_eq(dtrace_go(st, err, sizeof(err)), 0, "%s", err);
}

/* Records as text: "epid:first integer " or "!epid:action:fault:address ". */
static char seen[4096];
static int stop_after = -1;

static int see(void *arg, const dtrace_rec_t *r)
{
	char one[64];
	uint32_t v = 0;

	(void)arg;
	if (stop_after-- == 0)
		return 7;
	if (r->r_error) {
		snprintf(one, sizeof(one), "!%u:%d:%d:%lx ", r->r_ecb->dte_epid, r->r_action, r->r_fault, r->r_addr);
	} else {
		if (r->r_ecb->dte_size > 4)
			memcpy(&v, r->r_data + r->r_ecb->dte_desc->e_acts->a_offset, 4);
		snprintf(one, sizeof(one), "%u:%u ", r->r_ecb->dte_epid, v);
		cr_assert_eq(*(const uint32_t *)(const void *)r->r_data, r->r_ecb->dte_epid);
	}
	strcat(seen, one);
	return 0;
}

static const char *consume(void)
{
	seen[0] = '\0';
	(void)dtrace_consume(st, 0, see, NULL);
	return seen;
}

/* ---- descriptions ---- */

Test(dtrace, globs)
{
	static const struct {
		const char *pattern, *subject;
		bool match;
	} t[] = {{"abc", "abc", true},
		 {"abc", "abd", false},
		 {"a*", "a", true},
		 {"a*", "abc", true},
		 {"*c", "abc", true},
		 {"*c", "c", true},
		 {"*", "", true},
		 {"a*c", "ac", true},
		 {"a*b*c", "axxbyyc", true},
		 {"a*b*c", "axxcyyb", false},
		 {"?", "x", true},
		 {"?", "", false},
		 {"[abc]x", "bx", true},
		 {"[!abc]x", "bx", false},
		 {"[!abc]x", "dx", true},
		 {"[a-c]", "b", true},
		 {"[a-c]", "d", false},
		 {"[!a-c]", "d", true},
		 {"\\*", "*", true},
		 {"\\*", "x", false},
		 {"tcp_[io]*", "tcp_output", true},
		 {"tcp_[io]*", "tcp_rput", false},
		 {"[a", "a", false},
		 {"a**b", "ab", true},
		 {"*?", "x", true},
		 {"*?", "", false}};

	session();
	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++)
		cr_assert_eq(dtrace_gmatch(t[i].subject, t[i].pattern), t[i].match, "%s %s", t[i].pattern,
			     t[i].subject);
}

static int matches(const char *prov, const char *mod, const char *func, const char *name)
{
	dtrace_probedesc_t d = {0, prov, mod, func, name};

	return dtrace_probe_match(&d, NULL, NULL);
}

Test(dtrace, matching)
{
	dtrace_probedesc_t byid = {3, "", "", "", ""}, none = {1000000, "", "", "", ""};

	session();
	cr_assert_str_eq(dtrace_probe_lookup(1)->dtpr_name, "BEGIN");
	cr_assert_str_eq(dtrace_probe_lookup(2)->dtpr_name, "END");
	cr_assert_str_eq(dtrace_probe_lookup(3)->dtpr_name, "ERROR");
	cr_assert_null(dtrace_probe_lookup(0));
	cr_assert_null(dtrace_probe_lookup(dtrace_nprobes() + 1));
	cr_assert_eq(matches("", "", "", "BEGIN"), 1);
	cr_assert_eq(matches("dtrace", "", "", ""), 3);
	cr_assert_eq(matches("dtrace", "", "", "*E*"), 3);
	cr_assert_eq(matches("nosuch", "", "", ""), 0);
	cr_assert_eq(matches("fbt", "unix", "putnext", ""), 2);
	cr_assert_eq(matches("fbt", "genunix", "putnext", ""), 0);
	cr_assert_eq(matches("", "", "putnext", "entry"), 1);
	cr_assert_eq(dtrace_probe_match(&byid, NULL, NULL), 1);
	cr_assert_eq(dtrace_probe_match(&none, NULL, NULL), 0);
	/* nothing given: all that belong to a function */
	cr_assert_eq(matches("", "", "", ""),
		     matches("", "", "*", "*") - matches("dtrace", "", "", "") - matches("profile", "", "", ""));
}

Test(dtrace, rates_are_made_on_demand)
{
	session();
	cr_assert_eq(matches("profile", "", "", "tick-3sec"), 1);
	cr_assert_eq(matches("", "", "", "tick-3sec"), 1);
	cr_assert_eq(matches("profile", "", "", "TICK-3sec"), 0);
	cr_assert_eq(matches("", "", "", "tick-10Hz"), 1);
	cr_assert_eq(matches("", "", "", "profile-1ms"), 1);
	cr_assert_eq(matches("", "", "", "tick-5000hz"), 1);
	cr_assert_eq(matches("", "", "", "tick-5001hz"), 0, "too fast");
	cr_assert_eq(matches("", "", "", "tick-199us"), 0);
	cr_assert_eq(matches("", "", "", "tick-0"), 0);
	cr_assert_eq(matches("", "", "", "tick-1parsec"), 0);
	cr_assert_eq(matches("", "", "", "tick-"), 0);
	cr_assert_eq(matches("", "mod", "", "tick-7s"), 0);
	cr_assert_eq(matches("fbt", "", "", "tick-7s"), 0);
}

/* ---- clauses and records ---- */

Test(dtrace, records_are_laid_out_by_alignment)
{
	static const struct {
		uint32_t size, offset;
	} want[] = {{1, 4}, {8, 8}, {2, 16}, {4, 20}, {1, 24}};
	clause_t *c;

	session();
	c = clause("BEGIN");
	for (int i = 0; i < 5; i++)
		record_int(c, 0x0102030405060708, want[i].size);
	record(c, text(prog(), "seven"), DIF_STRING, 10);
	record(c, text(prog(), "bytes and more"), DIF_BYTES, 6);
	go();
	for (int i = 0; i < 5; i++)
		cr_assert_eq(c->acts[i].a_offset, want[i].offset);
	cr_assert_eq(c->acts[5].a_offset, 25);
	cr_assert_eq(c->acts[6].a_offset, 36);
	cr_assert_eq(dtrace_epid2ecb(st, 1)->dte_size, 42);
	cr_assert_null(dtrace_epid2ecb(st, 0));
	cr_assert_null(dtrace_epid2ecb(st, 2));
	cr_assert_eq(dtrace_begin_cpu(st), 0);
	cr_assert_eq(dtrace_end_cpu(st), -1);
}

static int see_layout(void *arg, const dtrace_rec_t *r)
{
	static const char want[42] = {1,   0,   0, 0, 8, 0, 0, 0, 8,   7,   6,   5,   4,   3,
				      2,   1,   8, 7, 0, 0, 8, 7, 6,   5,   8,   's', 'e', 'v',
				      'e', 'n', 0, 0, 0, 0, 0, 0, 'b', 'y', 't', 'e', 's', ' '};

	++*(int *)arg;
	cr_assert_eq(memcmp(r->r_data, want, sizeof(want)), 0);
	return 0;
}

Test(dtrace, records_hold_the_values_and_zeroes_between)
{
	static const uint32_t sizes[] = {1, 8, 2, 4, 1};
	clause_t *c;
	int n = 0;

	session();
	c = clause("BEGIN");
	for (int i = 0; i < 5; i++)
		record_int(c, 0x0102030405060708, sizes[i]);
	record(c, text(prog(), "seven"), DIF_STRING, 10);
	record(c, text(prog(), "bytes and more"), DIF_BYTES, 6);
	go();
	cr_assert_eq(dtrace_consume(st, 0, see_layout, &n), 0);
	cr_assert_eq(n, 1);
}

Test(dtrace, what_records_nothing_has_no_record)
{
	clause_t *c;

	session();
	action(clause("BEGIN"), ACT_DIFEXPR, &assign(prog(), 5)->d);
	action(clause("BEGIN"), ACT_MARK, NULL); /* the default action: a record of its id alone */
	c = clause("BEGIN");
	c->desc.e_pred = &constant(prog(), 0)->d;
	record_int(c, 1, 4);
	go();
	cr_assert_str_eq(consume(), "2:0 ");
	cr_assert_eq(dtrace_epid2ecb(st, 1)->dte_size, 0);
	cr_assert_eq(dtrace_epid2ecb(st, 2)->dte_size, 4);
}

Test(dtrace, exit_ends_everything_but_end)
{
	clause_t *c;
	int status = -1;

	session();
	c = clause("BEGIN");
	exit_with(c, 3);
	record_int(c, 9, 4); /* the rest of the clause runs */
	record_int(clause("BEGIN"), 1, 4);
	record_int(clause("tick-10ms"), 2, 4);
	record_int(clause("END"), 4, 4);
	go();
	cr_assert(dtrace_exiting(st, &status));
	cr_assert_eq(status, 3);
	machine_run(100000000);
	cr_assert_str_eq(consume(), "1:3 ");
	dtrace_stop(st);
	cr_assert_str_eq(consume(), "4:4 ");
	cr_assert_eq(dtrace_end_cpu(st), 0);
	cr_assert(dtrace_exiting(st, &status));
}

Test(dtrace, exit_in_end_overrides)
{
	int status;

	session();
	exit_with(clause("BEGIN"), 3);
	exit_with(clause("END"), 5);
	go();
	dtrace_stop(st);
	cr_assert(dtrace_exiting(st, &status));
	cr_assert_eq(status, 5);
}

Test(dtrace, destruction_needs_permission)
{
	char err[64];

	session();
	clause("BEGIN")->desc.e_destructive = true;
	action(&clauses[0], ACT_MARK, NULL);
	enable();
	cr_assert_eq(dtrace_go(st, err, sizeof(err)), -1);
	cr_assert_str_eq(err, "Destructive actions not allowed");
}

/* ---- the clock ---- */

Test(dtrace, ticks_fire_by_virtual_time)
{
	clause_t *c;

	session();
	c = clause("tick-10ms");
	record(c, builtin(prog(), DIF_VAR_TIMESTAMP), DIF_INT, 4);
	c = clause("profile-50");
	record(c, builtin(prog(), DIF_VAR_TIMESTAMP), DIF_INT, 4);
	machine_run(5000000);
	go();
	machine_run(34999999);
	/* one interval after the start: at 15 and 25 ms, and at 25 ms, which was scheduled before the other's second */
	cr_assert_str_eq(consume(), "1:15000001 2:25000001 1:25000001 ");
	machine_run(35000000);
	cr_assert_str_eq(consume(), "1:35000001 ");
	dtrace_stop(st);
	machine_run(1000000000);
	cr_assert_str_eq(consume(), "");
	cr_assert_eq(event_next(), INT64_MAX, "a timer was left");
}

/* ---- errors ---- */

Test(dtrace, a_fault_ends_its_clause_only)
{
	clause_t *c;

	session();
	c = clause("BEGIN");
	action(c, ACT_DIFEXPR, &assign(prog(), 77)->d);
	record_int(c, 1, 4);
	record(c, divide_by_zero(prog()), DIF_INT, 4);
	c = clause("BEGIN"); /* the assignment before the fault remains */
	opi(&progs[nprogs], DIF_LDGS, 0, 1);
	ret(&progs[nprogs], 1);
	record(c, prog(), DIF_INT, 4);
	c = clause("BEGIN");
	c->desc.e_pred = &load_null(prog())->d;
	record_int(c, 1, 4);
	c = clause("BEGIN"); /* a NULL string cannot be recorded */
	record(c, constant(prog(), 0), DIF_STRING, 256);
	go();
	cr_assert_str_eq(consume(), "!1:3:4:0 2:77 !3:0:1:0 !4:1:1:0 ");
}

/* @a["kept"] = count(); trace(*(int *)0): actions 1 to 3 are the aggregation's, one of them hidden. */
Test(dtrace, keys_count_as_actions)
{
	static dtrace_aggvar_t av = {.av_id = 1,
				     .av_desc = {.ad_func = AGG_COUNT, .ad_nparts = 1, .ad_parts = {{AGG_STR, 256}}}};
	clause_t *c;

	session();
	c = clause("BEGIN");
	record(c, text(prog(), "kept"), DIF_STRING, 256);
	aggregate_by(c, &av, 1, NULL);
	record(c, load_null(prog()), DIF_INT, 4);
	c = clause("BEGIN"); /* a fault in a key is that key's */
	action(c, ACT_DIFEXPR, &assign(prog(), 1)->d);
	record(c, load_null(prog()), DIF_STRING, 256);
	aggregate_by(c, &av, 1, NULL);
	c = clause("BEGIN"); /* and one in the value the aggregation's */
	record(c, text(prog(), "kept"), DIF_STRING, 256);
	aggregate_by(c, &av, 1, load_null(prog()));
	go();
	cr_assert_str_eq(consume(), "!1:4:1:0 !2:3:1:0 !3:3:1:0 ");
	cr_assert_eq(agg_nkeys(dtrace_agg_snapshot(st, &av)), 1);
}

Test(dtrace, the_error_probe_tells_what_happened)
{
	clause_t *c;

	session();
	c = clause("BEGIN");
	record_int(c, 1, 4);
	record(c, load_null(prog()), DIF_INT, 4);
	for (uint32_t i = 1; i <= 5; i++) {
		c = clause("ERROR");
		record(c, builtin(prog(), DIF_VAR_ARG0 + i), DIF_INT, 4);
	}
	record_int(clause("BEGIN"), 8, 4);
	go();
	/* epid 1, action 2, DIF offset 0, bad address, 0; then the error itself */
	cr_assert_str_eq(consume(), "2:1 3:2 4:0 5:1 6:0 !1:2:1:0 7:8 ");
}

Test(dtrace, errors_in_the_error_probe_are_counted)
{
	dtrace_drops_t drops;

	session();
	record(clause("BEGIN"), load_null(prog()), DIF_INT, 4);
	record(clause("ERROR"), divide_by_zero(prog()), DIF_INT, 4);
	go();
	cr_assert_str_eq(consume(), "!1:1:1:0 ");
	dtrace_drops(st, 0, &drops);
	cr_assert_eq(drops.d_dblerror, 1);
}

/* ---- buffers ---- */

static void tick_records(void)
{
	clause_t *c = clause("tick-1ms");
	prog_t *p = prog();

	opi(p, DIF_LDGS, 0, 1);
	setx(p, 2, 1);
	op(p, DIF_ADD, 1, 2, 1);
	opi(p, DIF_STGS, 0, 1);
	ret(p, 1);
	record(c, p, DIF_INT, 4);
}

Test(dtrace, a_full_buffer_drops)
{
	dtrace_drops_t drops;

	conf.c_bufsize = 64; /* eight records of eight bytes */
	session();
	tick_records();
	go();
	machine_run(10000000);
	cr_assert_str_eq(consume(), "1:1 1:2 1:3 1:4 1:5 1:6 1:7 1:8 ");
	dtrace_drops(st, 0, &drops);
	cr_assert_eq(drops.d_principal, 2);
	machine_run(12000000);
	cr_assert_str_eq(consume(), "1:9 1:10 ");
}

Test(dtrace, a_record_must_fit)
{
	char err[64];

	conf.c_bufsize = 16;
	session();
	record(clause("BEGIN"), text(prog(), "x"), DIF_STRING, 13);
	enable();
	cr_assert_eq(dtrace_go(st, err, sizeof(err)), -1);
	cr_assert_str_eq(err, "Enabling exceeds size of buffer");
}

Test(dtrace, consuming_may_stop_and_go_on)
{
	session();
	tick_records();
	go();
	machine_run(4000000);
	stop_after = 2;
	seen[0] = '\0';
	cr_assert_eq(dtrace_consume(st, 0, see, NULL), 7);
	cr_assert_str_eq(seen, "1:1 1:2 ");
	stop_after = -1;
	machine_run(5000000);
	cr_assert_str_eq(consume(), "1:3 1:4 1:5 ");
}

Test(dtrace, a_ring_keeps_the_newest)
{
	conf.c_bufsize = 64;
	conf.c_bufpolicy = BUF_RING;
	session();
	tick_records();
	record_int(clause("END"), 99, 4);
	go();
	machine_run(30000000);
	cr_assert_str_eq(consume(), "", "nothing before the end");
	dtrace_stop(st);
	cr_assert_str_eq(consume(), "1:24 1:25 1:26 1:27 1:28 1:29 1:30 2:99 ");
	cr_assert_str_eq(consume(), "");
}

/* Records of several sizes: what is kept is a run of whole ones that ends with the newest. */
Test(dtrace, a_ring_of_mixed_records_stays_whole)
{
	char want[4096] = "", one[32];

	conf.c_bufsize = 200;
	conf.c_bufpolicy = BUF_RING;
	session();
	tick_records();
	for (int i = 0; i < 3; i++) {
		clause_t *c = clause("tick-1ms");

		opi(&progs[nprogs], DIF_LDGS, 0, 1);
		ret(&progs[nprogs], 1);
		record(c, prog(), DIF_INT, 4);
		record(c, text(prog(), "pad"), DIF_STRING, (uint32_t)(5 + 9 * i));
		if (i == 2)
			record_int(c, 1, 8);
	}
	go();
	for (int ms = 1; ms <= 97; ms++)
		machine_run(ms * 1000000);
	dtrace_stop(st);
	(void)consume();
	for (int ms = 1; ms <= 97; ms++) {
		for (int e = 1; e <= 4; e++) {
			snprintf(one, sizeof(one), "%d:%d ", e, ms);
			strcat(want, one);
		}
	}
	cr_assert_gt(strlen(seen), 20);
	cr_assert_str_eq(want + strlen(want) - strlen(seen), seen);
}

Test(dtrace, a_full_fill_buffer_ends_tracing)
{
	int status = 9;
	dtrace_drops_t drops;

	conf.c_bufsize = 64;
	conf.c_bufpolicy = BUF_FILL;
	session();
	tick_records();
	record_int(clause("END"), 99, 4);
	go();
	machine_run(5000000);
	cr_assert_not(dtrace_exiting(st, NULL));
	cr_assert_str_eq(consume(), "");
	machine_run(30000000);
	cr_assert(dtrace_exiting(st, &status));
	cr_assert_eq(status, 0);
	dtrace_stop(st);
	cr_assert_str_eq(consume(), "1:1 1:2 1:3 1:4 1:5 1:6 2:99 ");
	dtrace_drops(st, 0, &drops);
	cr_assert_eq(drops.d_principal, 0);
}

Test(dtrace, end_must_fit_a_fill_buffer)
{
	char err[64];

	conf.c_bufsize = 64;
	conf.c_bufpolicy = BUF_FILL;
	session();
	for (int i = 0; i < 9; i++)
		record_int(clause("END"), 1, 4);
	enable();
	cr_assert_eq(dtrace_go(st, err, sizeof(err)), -1);
	cr_assert_str_eq(err, "END enablings exceed size of principal buffer");
}

/* ---- speculation ---- */

/* x = speculation() */
static void speculation(clause_t *c)
{
	prog_t *p = prog();

	opi(p, DIF_CALL, DIF_SUBR_SPECULATION, 1);
	opi(p, DIF_STGS, 0, 1);
	ret(p, 1);
	record(c, p, DIF_INT, 4);
}

static void with_x(clause_t *c, dtrace_actkind_t kind)
{
	prog_t *p = prog();

	opi(p, DIF_LDGS, 0, 1);
	ret(p, 1);
	action(c, kind, &p->d);
}

static clause_t *speculated(const char *name, uint64_t v)
{
	clause_t *c = clause(name);

	with_x(c, ACT_SPECULATE);
	record_int(c, v, 4);
	/* the first action stores nothing; see() looks at the first record through it */
	c->acts[0].a_offset = 4;
	return c;
}

Test(dtrace, speculation_is_committed_or_discarded)
{
	dtrace_drops_t drops;

	session();
	speculation(clause("BEGIN"));       /* 1: id 1 */
	speculated("BEGIN", 20);            /* 2 */
	record_int(clause("BEGIN"), 30, 4); /* 3 */
	with_x(clause("BEGIN"), ACT_COMMIT);
	record_int(clause("BEGIN"), 50, 4); /* 5 */
	speculation(clause("BEGIN"));       /* 6: the same buffer again */
	speculated("BEGIN", 70);            /* 7: gone */
	with_x(clause("BEGIN"), ACT_DISCARD);
	speculation(clause("BEGIN")); /* 9: free again */
	speculation(clause("BEGIN")); /* 10: none left: 0 */
	speculated("BEGIN", 110);     /* id 0: silently nothing */
	with_x(clause("BEGIN"), ACT_COMMIT);
	go();
	for (int i = 0; i < nclauses; i++)
		if (clauses[i].acts[0].a_kind == ACT_SPECULATE)
			clauses[i].acts[0].a_offset = 4;
	cr_assert_str_eq(consume(), "1:1 3:30 2:20 5:50 6:1 9:1 10:0 ");
	dtrace_drops(st, 0, &drops);
	cr_assert_eq(drops.d_specunavail, 1);
	cr_assert_eq(drops.d_specbusy, 0);
	cr_assert_eq(drops.d_spec, 0);
}

Test(dtrace, a_full_speculation_drops)
{
	dtrace_drops_t drops;

	conf.c_specsize = 24;
	session();
	speculation(clause("BEGIN"));
	for (uint64_t i = 0; i < 5; i++)
		speculated("BEGIN", i);
	with_x(clause("BEGIN"), ACT_COMMIT);
	go();
	for (int i = 0; i < nclauses; i++)
		if (clauses[i].acts[0].a_kind == ACT_SPECULATE)
			clauses[i].acts[0].a_offset = 4;
	cr_assert_str_eq(consume(), "1:1 2:0 3:1 4:2 ");
	dtrace_drops(st, 0, &drops);
	cr_assert_eq(drops.d_spec, 2);
}

Test(dtrace, a_speculation_that_is_none_is_a_fault)
{
	session();
	action(clause("BEGIN"), ACT_DIFEXPR, &assign(prog(), 2)->d);
	with_x(clause("BEGIN"), ACT_COMMIT);
	with_x(clause("BEGIN"), ACT_DISCARD);
	go();
	cr_assert_str_eq(consume(), "!2:1:3:0 !3:1:3:0 ");
}

/* ---- aggregations ---- */

static int one_entry(void *arg, const uint64_t *key, size_t klen, const int64_t *cells)
{
	snprintf(arg, 128, "%s %zu %ld", (const char *)key, klen, cells[0]);
	return 0;
}

Test(dtrace, keys_are_built_from_their_parts)
{
	static dtrace_aggvar_t av = {.av_id = 1,
				     .av_desc = {.ad_func = AGG_SUM,
						 .ad_nparts = 3,
						 .ad_parts = {{AGG_STR, 256}, {AGG_INT, 2}, {AGG_BYTES, 12}}}};
	uint64_t key[] = {0x7865687361707a7a, 0x6c6c6568, 0xfffe, 0x2064726168636574, 0x656d6f73};
	clause_t *c;
	char out[128] = "";

	session();
	c = clause("BEGIN");
	record(c, text(prog(), "zzpashexhell"), DIF_STRING, 256);
	record(c, constant(prog(), (uint64_t)-2), DIF_INT, 2);
	record(c, text(prog(), "techard somewhere"), DIF_BYTES, 12);
	aggregate_by(c, &av, 3, constant(prog(), 5));
	go();
	(void)agg_walk(dtrace_agg_snapshot(st, &av), one_entry, out);
	cr_assert_str_eq(out, "zzpashexhell 40 5");
	cr_assert_not_null(agg_lookup(dtrace_agg_snapshot(st, &av), key, 40));
	dtrace_agg_clear(st, &av);
	cr_assert_eq(*agg_lookup(dtrace_agg_snapshot(st, &av), key, 40), 0);
	dtrace_agg_remove(st, &av, key, 40);
	cr_assert_eq(agg_nkeys(dtrace_agg_snapshot(st, &av)), 0);
}

Test(dtrace, aggregation_drops_are_counted)
{
	static dtrace_aggvar_t av = {.av_id = 1,
				     .av_desc = {.ad_func = AGG_COUNT, .ad_nparts = 1, .ad_parts = {{AGG_INT, 8}}}};
	dtrace_drops_t drops;
	clause_t *c;

	conf.c_aggsize = 100; /* three keys of 32 bytes */
	session();
	c = clause("tick-1ms");
	record(c, builtin(prog(), DIF_VAR_TIMESTAMP), DIF_INT, 8);
	aggregate_by(c, &av, 1, NULL);
	go();
	machine_run(10000000);
	cr_assert_eq(agg_nkeys(dtrace_agg_snapshot(st, &av)), 3);
	dtrace_drops(st, 0, &drops);
	cr_assert_eq(drops.d_agg, 7);
}

Test(dtrace, symbols_as_keys_merge_by_function_and_module)
{
	static dtrace_aggvar_t sym = {.av_id = 1,
				      .av_desc = {.ad_func = AGG_COUNT, .ad_nparts = 1, .ad_parts = {{AGG_INT, 8}}},
				      .av_keys = {{.dt_kind = DIF_SYM, .dt_size = 8}}};
	static dtrace_aggvar_t mod = {.av_id = 2,
				      .av_desc = {.ad_func = AGG_COUNT, .ad_nparts = 1, .ad_parts = {{AGG_INT, 8}}},
				      .av_keys = {{.dt_kind = DIF_MOD, .dt_size = 8}}};
	const ksym_t *a = ksym_byname("genunix", "msgdsize"), *b = ksym_byname("genunix", "copymsg");
	uint64_t pcs[] = {ksym_addr(a) + 5, ksym_addr(a) + 9, ksym_addr(b) + 5}, key;

	session();
	for (int i = 0; i < 3; i++) {
		clause_t *c = clause("BEGIN");

		record(c, constant(prog(), pcs[i]), DIF_SYM, 8);
		aggregate_by(c, &sym, 1, NULL);
		c = clause("BEGIN");
		record(c, constant(prog(), pcs[i]), DIF_MOD, 8);
		aggregate_by(c, &mod, 1, NULL);
	}
	go();
	cr_assert_eq(agg_nkeys(dtrace_agg_snapshot(st, &sym)), 2);
	key = ksym_addr(a);
	cr_assert_eq(*agg_lookup(dtrace_agg_snapshot(st, &sym), &key, 8), 2);
	cr_assert_eq(agg_nkeys(dtrace_agg_snapshot(st, &mod)), 1);
	dtrace_agg_remove(st, &sym, &key, 8);
	cr_assert_eq(agg_nkeys(dtrace_agg_snapshot(st, &sym)), 1);
	key = ksym_addr(b);
	cr_assert_eq(*agg_lookup(dtrace_agg_snapshot(st, &sym), &key, 8), 1);
}

Test(dtrace, aggregations_that_are_not_legal_are_refused)
{
	static dtrace_aggvar_t av = {.av_id = 1,
				     .av_desc = {.ad_func = AGG_COUNT, .ad_nparts = 1, .ad_parts = {{AGG_INT, 8}}}};
	char err[64];

	session();
	aggregate_by(clause("BEGIN"), &av, 1, NULL); /* its key is missing */
	cr_assert_eq(dtrace_enable(st, &clauses[0].desc, err, sizeof(err)), -1);
}

/* Clause-local variables live as long as the firing, and ERROR does not disturb them. */
Test(dtrace, locals_are_shared_by_the_clauses_of_a_firing)
{
	clause_t *c;
	prog_t *p;

	session();
	c = clause("tick-1ms"); /* this->l before it is assigned: 0 */
	opi(&progs[nprogs], DIF_LDLS, 0, 1);
	ret(&progs[nprogs], 1);
	record(c, prog(), DIF_INT, 4);
	p = prog();
	setx(p, 1, 6);
	opi(p, DIF_STLS, 0, 1);
	ret(p, 1);
	action(c, ACT_DIFEXPR, &p->d);
	record(clause("tick-1ms"), load_null(prog()), DIF_INT, 4);
	action(clause("ERROR"), ACT_MARK, NULL);
	c = clause("tick-1ms");
	record(c, &progs[0], DIF_INT, 4);
	go();
	machine_run(2000000);
	cr_assert_str_eq(consume(), "1:0 3:0 !2:1:1:0 4:6 1:0 3:0 !2:1:1:0 4:6 ");
}

Test(dtrace, two_sessions_have_their_own)
{
	dtrace_state_t *other;
	clause_t c = {0};
	char err[64];
	const char *got;

	session();
	other = dtrace_state_create(&conf);
	cr_assert_eq(dtrace_state_vars(other, vars, 2), 0);
	record(on(&c, "", "", "", "tick-1ms"), constant(prog(), 5), DIF_INT, 4);
	cr_assert_eq(dtrace_enable(other, &c.desc, err, sizeof(err)), 1);
	record_int(clause("tick-1ms"), 7, 4);
	go();
	cr_assert_eq(dtrace_go(other, err, sizeof(err)), 0);
	machine_run(1000000);
	cr_assert_str_eq(consume(), "1:7 ");
	dtrace_state_destroy(other);
	machine_run(2000000);
	got = consume();
	cr_assert_str_eq(got, "1:7 ");
}

/* The consumer removes keys by what a snapshot showed it. */
Test(dtrace, a_snapshot_is_not_the_table_itself)
{
	static dtrace_aggvar_t av = {.av_id = 1,
				     .av_desc = {.ad_func = AGG_COUNT, .ad_nparts = 1, .ad_parts = {{AGG_INT, 8}}}};
	const int64_t *cells;
	uint64_t key;
	agg_t *snap;
	clause_t *c;

	session();
	c = clause("tick-1ms");
	record(c, builtin(prog(), DIF_VAR_TIMESTAMP), DIF_INT, 8);
	aggregate_by(c, &av, 1, NULL);
	go();
	machine_run(100000000);
	snap = dtrace_agg_snapshot(st, &av);
	cr_assert_eq(agg_nkeys(snap), 100);
	for (key = 1000001; key <= 100000001; key += 1000000) { /* the time stamp is 1 at the boot */
		cells = agg_lookup(snap, &key, 8);
		cr_assert_not_null(cells);
		dtrace_agg_remove(st, &av, &key, 8);
		cr_assert_eq(*cells, 1);
	}
	cr_assert_eq(agg_nkeys(snap), 100);
	cr_assert_eq(agg_nkeys(dtrace_agg_snapshot(st, &av)), 0);
}

/* One text is one key, wherever it lies. */
Test(dtrace, a_key_does_not_depend_on_where_its_text_lies)
{
	static dtrace_aggvar_t av = {.av_id = 1,
				     .av_desc = {.ad_func = AGG_COUNT, .ad_nparts = 1, .ad_parts = {{AGG_STR, 256}}}};
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t key[2];
	clause_t *c;
	prog_t *p;

	session();
	c = clause("tick-1ms");
	p = prog();
	opi(p, DIF_LDGS, 0, 1);
	ret(p, 1);
	record(c, p, DIF_STRING, 256);
	aggregate_by(c, &av, 1, NULL);
	/* x, the address, moves on by one each time */
	c = clause("tick-1ms");
	p = prog();
	opi(p, DIF_LDGS, 0, 1);
	setx(p, 2, 1);
	op(p, DIF_ADD, 1, 2, 1);
	opi(p, DIF_STGS, 0, 1);
	ret(p, 1);
	action(c, ACT_DIFEXPR, &p->d);
	c = clause("BEGIN");
	action(c, ACT_DIFEXPR, &assign(prog(), (uintptr_t)pages + 4096 - 40)->d);
	go();
	for (int i = 0; i < 60; i++) {
		memset(pages, '#', 8192);
		memcpy(pages + 4096 - 40 + i, "twelve chars", 13);
		machine_run((i + 1) * 1000000);
	}
	cr_assert_eq(agg_nkeys(dtrace_agg_snapshot(st, &av)), 1);
	memcpy(key, "twelve chars\0\0\0", 16);
	dtrace_agg_remove(st, &av, key, 16);
	cr_assert_eq(agg_nkeys(dtrace_agg_snapshot(st, &av)), 0, "it was there twice");
	for (int i = 0; i < 60; i++) {
		memset(pages, '#', 8192);
		memcpy(pages + 4096 + 20 - i, "shorty", 7);
		progs[1].ints[0] = (uint64_t)-1;
		/* x stands at the end of the first walk, 20 behind the border; back again */
		machine_run((61 + i) * 1000000);
	}
	memcpy(key, "shorty\0", 8);
	dtrace_agg_remove(st, &av, key, 8);
	cr_assert_eq(agg_nkeys(dtrace_agg_snapshot(st, &av)), 0);
}
