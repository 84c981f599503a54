/* Clauses as native code: each does what the interpreter does with it, to the word and to the fault. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <stdio.h>
#include <unistd.h>

#include "dtrace/dtrace_impl.h"
#include "dtrace/jit.h"
#include "dtrace/jit_asm.h"
#include "sys/stream.h"
#include "tests/dif_asm.h"

/* The victim is genunix`msgdsize, called with more arguments than it has: what it does with them is nothing. */
typedef size_t victim_t(const mblk_t *mp, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
			uint64_t, uint64_t);

static dblk_t data = {.db_type = M_DATA};
static uchar_t bytes[16];
static mblk_t block = {.b_rptr = bytes, .b_wptr = bytes + 10, .b_datap = &data};
static char *pages; /* two to be read, then none */
enum { PAGE = 4096 };

static void fire(uint64_t a1, uint64_t a2)
{
	victim_t *volatile victim = (victim_t *)(uintptr_t)msgdsize;

	cr_assert_eq(victim(&block, a1, a2, 13, 14, 15, 16, 17, 18, 19), 10);
}

static void start(void)
{
	char err[256];

	machine_init(0);
	cr_assert_eq(dtrace_init(err, sizeof(err)), 0, "%s", err);
	pages = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	cr_assert_neq(pages, MAP_FAILED);
	cr_assert_eq(mprotect(pages + 2 * PAGE, PAGE, PROT_NONE), 0);
	for (int i = 0; i < 2 * PAGE; i++)
		pages[i] = (char)(i * 37 + 128);
}

static void finish(void)
{
	munmap(pages, 3 * PAGE);
	machine_fini();
	dtrace_fini();
}

TestSuite(jit, .init = start, .fini = finish);

/* ---- a session, both ways ---- */

/* Variables: global x (0), clause-local l (0) and text ls (1). */
static const dif_vardesc_t vars[] = {
    {"x", DIF_GLOBAL, 0, false, {.dt_kind = DIF_INT, .dt_size = 8}},
    {"l", DIF_LOCAL, 0, false, {.dt_kind = DIF_INT, .dt_size = 8}},
    {"ls", DIF_LOCAL, 1, false, {.dt_kind = DIF_STRING, .dt_size = 64}},
};

enum { MAXCLAUSES = 8, MAXAGGS = 8 };
static clause_t clauses[MAXCLAUSES];
static dtrace_aggvar_t aggs[MAXAGGS];
static int nclauses, naggs;
static size_t strsize, aggsize;
static int ncpu = 1;

static clause_t *clause(const char *name)
{
	return on(&clauses[nclauses++], "fbt", "genunix", "msgdsize", name);
}

/* An aggregation by one key. */
static dtrace_aggvar_t *by(agg_func_t f, agg_kind_t kind, uint32_t size)
{
	dtrace_aggvar_t *av = &aggs[naggs++];

	av->av_id = (uint32_t)naggs;
	av->av_desc = (agg_desc_t){.ad_func = f, .ad_nparts = 1};
	av->av_desc.ad_parts[0] = (agg_part_t){kind, size};
	if (f == AGG_LQUANTIZE)
		av->av_desc.ad_limit = av->av_desc.ad_step = 10;
	if (f == AGG_LLQUANTIZE) {
		av->av_desc.ad_factor = av->av_desc.ad_nsteps = 10;
		av->av_desc.ad_high = 3;
	}
	return av;
}

static dtrace_act_t *key_of(clause_t *c, const prog_t *p)
{
	return action(c, ACT_DIFEXPR, &p->d);
}

/* @[key] = count() */
static void count_by(clause_t *c, const prog_t *key, agg_kind_t kind, uint32_t size)
{
	dtrace_aggvar_t *av = by(AGG_COUNT, kind, size);

	key_of(c, key)->a_type = (dif_type_t){.dt_kind = kind == AGG_INT   ? DIF_INT
							 : kind == AGG_STR ? DIF_STRING
									   : DIF_BYTES,
					      .dt_size = size};
	(void)aggregate_by(c, av, 1, NULL);
}

typedef struct outcome {
	char *text; /* everything that can be told of it, line by line */
	size_t len, room;
} outcome_t;

static void tell(outcome_t *o, const void *what, size_t n)
{
	if (o->len + n > o->room) {
		o->room = (o->len + n) * 2;
		o->text = realloc(o->text, o->room);
		cr_assert_not_null(o->text);
	}
	memcpy(o->text + o->len, what, n);
	o->len += n;
}

typedef struct entry {
	uint64_t key[64];
	size_t klen;
	int64_t cells[128];
} entry_t;

static entry_t *entries;
static size_t nentries, maxentries;

static int take(void *arg, const uint64_t *key, size_t klen, const int64_t *cells)
{
	uint32_t n = *(uint32_t *)arg;

	if (nentries == maxentries) {
		maxentries = maxentries * 2 + 64;
		entries = realloc(entries, maxentries * sizeof(*entries));
		cr_assert_not_null(entries);
	}
	memset(&entries[nentries], 0, sizeof(*entries));
	memcpy(entries[nentries].key, key, klen);
	memcpy(entries[nentries].cells, cells, n * sizeof(*cells));
	entries[nentries++].klen = klen;
	return 0;
}

static int entry_order(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(entry_t));
}

static int tell_record(void *arg, const dtrace_rec_t *r)
{
	const uint64_t error[] = {r->r_ecb->dte_epid,    r->r_error,           (uint64_t)r->r_action,
				  (uint64_t)r->r_difoff, (uint64_t)r->r_fault, r->r_addr};

	if (r->r_error)
		tell(arg, error, sizeof(error));
	else
		tell(arg, r->r_data, r->r_ecb->dte_size);
	return 0;
}

static dtrace_state_t *st;

static void open_session(bool interpret)
{
	dtrace_conf_t conf;
	char err[256];

	dtrace_conf_default(&conf);
	conf.c_bufsize = 1 << 20;
	conf.c_interpret = interpret;
	conf.c_ncpu = ncpu;
	conf.c_aggsize = aggsize;
	if (strsize != 0)
		conf.c_strsize = strsize;
	st = dtrace_state_create(&conf);
	cr_assert_not_null(st);
	cr_assert_eq(dtrace_state_vars(st, vars, sizeof(vars) / sizeof(*vars)), 0);
	for (int i = 0; i < nclauses; i++)
		cr_assert_eq(dtrace_enable(st, &clauses[i].desc, err, sizeof(err)), 1, "%s", err);
	cr_assert_eq(dtrace_go(st, err, sizeof(err)), 0, "%s", err);
}

static bool is_native(void)
{
	return jit_code(st->st_ecbs->e_pub.dte_probe) != NULL;
}

static outcome_t close_session(void)
{
	outcome_t o = {0};
	dtrace_drops_t drops;

	dtrace_stop(st);
	for (int cpu = 0; cpu < ncpu; cpu++) {
		(void)dtrace_consume(st, cpu, tell_record, &o);
		dtrace_drops(st, cpu, &drops);
		tell(&o, &drops, sizeof(drops));
	}
	for (int i = 0; i < naggs; i++) {
		uint32_t ncells = agg_ncells(&aggs[i].av_desc);

		nentries = 0;
		(void)agg_walk(dtrace_agg_snapshot(st, &aggs[i]), take, &ncells);
		if (nentries > 0)
			qsort(entries, nentries, sizeof(*entries), entry_order);
		tell(&o, &nentries, sizeof(nentries));
		if (nentries > 0)
			tell(&o, entries, nentries * sizeof(*entries));
	}
	dtrace_state_destroy(st);
	return o;
}

/* What the clauses do natively and interpreted is the same; how much came of it. */
static size_t same_both_ways(void (*work)(void), const char *what)
{
	outcome_t ways[2];

	/* from one place, for the sake of the stacks */
	for (int i = 0; i < 2; i++) {
		open_session(i == 1);
		cr_assert_eq(is_native(), i == 0, "%s is not compiled", what);
		work();
		ways[i] = close_session();
	}
	cr_assert_eq(ways[0].len, ways[1].len, "%s: %zu bytes, interpreted %zu", what, ways[0].len, ways[1].len);
	cr_assert_eq(memcmp(ways[0].text, ways[1].text, ways[0].len), 0, "%s differs", what);
	free(ways[1].text);
	free(ways[0].text);
	memset(clauses, 0, sizeof(clauses));
	memset(aggs, 0, sizeof(aggs));
	nclauses = naggs = 0;
	return ways[0].len;
}

/* ---- expressions ---- */

static const uint64_t edges[] = {
    0,      1,      2,          7,          63,         64,        65,        127,       128,       255,
    0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 1UL << 32, 1UL << 62, INT64_MAX, 1UL << 63, (1UL << 63) + 1,
    -64UL,  -2UL,   -1UL};
enum { NEDGES = sizeof(edges) / sizeof(*edges) };

static void all_pairs(void)
{
	for (int i = 0; i < NEDGES; i++)
		for (int k = 0; k < NEDGES; k++)
			fire(edges[i], edges[k]);
}

/* Operands: arguments, a constant on either side or both, %r0. */
enum { FROM_ARGS, RIGHT_CONST, LEFT_CONST, BOTH_CONST, RIGHT_ZERO, LEFT_ZERO, NSOURCES };

static int operand(prog_t *p, int source, bool left, uint64_t v, int reg)
{
	bool fixed = source == BOTH_CONST || source == (left ? LEFT_CONST : RIGHT_CONST);

	if (source == (left ? LEFT_ZERO : RIGHT_ZERO))
		return 0;
	if (fixed)
		setx(p, reg, v);
	else
		opi(p, DIF_LDV, left ? DIF_VAR_ARG1 : DIF_VAR_ARG2, reg);
	return reg;
}

Test(jit, arithmetic_on_edges)
{
	static prog_t p;
	char what[64];

	for (int o = DIF_OR; o <= DIF_UREM; o++) {
		for (int source = 0; source < NSOURCES; source++) {
			for (int k = 0; k < (source == FROM_ARGS || source > BOTH_CONST ? 1 : NEDGES); k += 2) {
				int left, right;

				memset(&p, 0, sizeof(p));
				left = operand(&p, source, true, edges[k], 1);
				right = operand(&p, source, false, edges[NEDGES - 1 - k], 2);
				op(&p, (enum dif_op)o, left, right, 3);
				ret(&p, 3);
				count_by(clause("entry"), &p, AGG_INT, 8);
				(void)snprintf(what, sizeof(what), "op %d source %d constant %d", o, source, k);
				(void)same_both_ways(all_pairs, what);
			}
		}
	}
}

Test(jit, unary_moves_and_reuse_of_registers)
{
	static prog_t p;

	/* (~arg1 + arg2) ^ 5, through each register there is, and the target one of the sources */
	opi(&p, DIF_LDV, DIF_VAR_ARG1, 1);
	op(&p, DIF_NOT, 1, 0, 1);
	op(&p, DIF_MOV, 1, 0, 2);
	op(&p, DIF_NOT, 0, 0, 3);
	opi(&p, DIF_LDV, DIF_VAR_ARG2, 4);
	op(&p, DIF_ADD, 2, 4, 4);
	setx(&p, 5, 5);
	op(&p, DIF_XOR, 4, 5, 6);
	op(&p, DIF_SUB, 6, 6, 5);
	op(&p, DIF_AND, 6, 3, 6);
	op(&p, DIF_OR, 6, 5, 6);
	ret(&p, 6);
	count_by(clause("entry"), &p, AGG_INT, 8);
	cr_assert_gt(same_both_ways(all_pairs, "a chain"), 0);
}

Test(jit, branches_both_ways_on_edges)
{
	static prog_t p;
	char what[64];

	for (int o = DIF_BA; o <= DIF_BLEU; o++) {
		for (int test = 0; test < 2; test++) {
			uint32_t yes, end;

			memset(&p, 0, sizeof(p));
			opi(&p, DIF_LDV, DIF_VAR_ARG1, 1);
			opi(&p, DIF_LDV, DIF_VAR_ARG2, 2);
			op(&p, test ? DIF_TST : DIF_CMP, 1, test ? 0 : 2, 0);
			yes = br(&p, (enum dif_op)o);
			op(&p, DIF_SUB, 1, 2, 3);
			end = br(&p, DIF_BA);
			aim(&p, yes);
			setx(&p, 3, 77);
			aim(&p, end);
			ret(&p, 3);
			count_by(clause("entry"), &p, AGG_INT, 8);
			(void)snprintf(what, sizeof(what), "branch %d", o);
			(void)same_both_ways(all_pairs, what);
		}
	}
}

/* Addresses: good ones, not aligned, at the border of what can be read and beyond, of no address space. */
static void addresses(void)
{
	for (uint64_t i = 0; i < 24; i++) {
		fire((uintptr_t)pages + i, 0);
		fire((uintptr_t)pages + 2 * PAGE - i, 0);
		fire(i, 0);
		fire((1UL << 63) + i, 0);
		fire(0x123456789abcdef0 + i, 0);
		fire(-i, 0);
	}
}

Test(jit, loads_and_their_faults)
{
	static prog_t p;
	char what[64];

	for (int o = DIF_LDSB; o <= DIF_ULDX; o++) {
		memset(&p, 0, sizeof(p));
		opi(&p, DIF_LDV, DIF_VAR_ARG1, 1);
		op(&p, (enum dif_op)o, 1, 0, 2);
		ret(&p, 2);
		count_by(clause("entry"), &p, AGG_INT, 8);
		(void)snprintf(what, sizeof(what), "load %d", o);
		cr_assert_gt(same_both_ways(addresses, what), 1000);
	}
}

/* As a predicate, as a key, as what is summed: where it faults is told alike, and the later clause runs. */
Test(jit, faults_of_each_part_of_a_clause)
{
	static prog_t bad, one, part;
	clause_t *c;

	opi(&bad, DIF_LDV, DIF_VAR_ARG1, 1);
	op(&bad, DIF_LDX, 1, 0, 2);
	ret(&bad, 2);
	(void)builtin(&part, DIF_VAR_ARG1);
	(void)constant(&one, 1);
	c = clause("entry");
	c->desc.e_pred = &bad.d;
	count_by(c, &part, AGG_INT, 8);
	count_by(clause("entry"), &bad, AGG_INT, 2);
	c = clause("entry");
	(void)key_of(c, &one);
	(void)aggregate_by(c, by(AGG_SUM, AGG_INT, 4), 1, &bad);
	c = clause("entry");
	(void)key_of(c, &part);
	(void)aggregate_by(c, by(AGG_MAX, AGG_INT, 8), 1, &bad);
	count_by(clause("entry"), &one, AGG_INT, 8);
	cr_assert_gt(same_both_ways(addresses, "parts"), 1000);
}

static void texts(void)
{
	static const size_t lengths[] = {0,  1,  6,  7,  8,  9,  14, 15, 16, 17,  22,  23,
					 24, 25, 30, 31, 32, 33, 40, 63, 64, 255, 256, 300};
	size_t n = sizeof(lengths) / sizeof(*lengths);

	for (size_t i = 0; i < n; i++) {
		for (size_t at = 0; at < 10; at++) {
			char *ends = pages + 2 * PAGE - lengths[i] - 1 - at,
			     *crosses = pages + PAGE - lengths[i] / 2 - at;

			memset(pages, 0, 2 * PAGE);
			memset(ends, 'a', lengths[i]);
			fire((uintptr_t)ends, (uintptr_t)crosses);
			memset(crosses, 'a' + (int)at, lengths[i]);
			fire((uintptr_t)crosses, (uintptr_t)ends);
			/* no end before what cannot be read */
			memset(pages + 2 * PAGE - lengths[i] - at, 'b', lengths[i] + at);
			fire((uintptr_t)pages + 2 * PAGE - lengths[i] - at, (uintptr_t)ends);
		}
	}
	fire(0, 0);
	fire((uintptr_t)pages, 0);
	fire(0, (uintptr_t)pages);
}

Test(jit, texts_as_keys_whatever_their_length)
{
	static const size_t sizes[] = {1, 2, 7, 8, 9, 15, 16, 17, 24, 25, 256};
	static prog_t p, q;
	char what[64];

	(void)builtin(&p, DIF_VAR_ARG1);
	(void)builtin(&q, DIF_VAR_ARG2);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		clause_t *c = clause("entry");
		dtrace_aggvar_t *av = by(AGG_COUNT, AGG_STR, (uint32_t)sizes[i]);

		strsize = sizes[i];
		av->av_desc.ad_nparts = 3;
		av->av_desc.ad_parts[1] = av->av_desc.ad_parts[0];
		av->av_desc.ad_parts[2] = (agg_part_t){AGG_INT, 4};
		(void)key_of(c, &p);
		(void)key_of(c, &q);
		(void)key_of(c, &p);
		(void)aggregate_by(c, av, 3, NULL);
		(void)snprintf(what, sizeof(what), "strsize %zu", sizes[i]);
		cr_assert_gt(same_both_ways(texts, what), 5000);
	}
	strsize = 0;
}

Test(jit, texts_compared)
{
	static prog_t p;
	uint32_t at;

	opi(&p, DIF_LDV, DIF_VAR_ARG1, 1);
	opi(&p, DIF_LDV, DIF_VAR_ARG2, 2);
	op(&p, DIF_SCMP, 1, 2, 0);
	at = br(&p, DIF_BLE);
	setx(&p, 3, 1);
	ret(&p, 3);
	aim(&p, at);
	op(&p, DIF_SCMP, 1, 2, 0);
	at = br(&p, DIF_BE);
	setx(&p, 3, 2);
	ret(&p, 3);
	aim(&p, at);
	setx(&p, 3, 3);
	ret(&p, 3);
	count_by(clause("entry"), &p, AGG_INT, 4);
	cr_assert_gt(same_both_ways(texts, "scmp"), 1000);
}

Test(jit, bytes_as_keys)
{
	static const uint32_t sizes[] = {1, 7, 8, 13, 16, 24, 120, 128, 250, 256, 400};
	static prog_t p;
	char what[64];

	(void)builtin(&p, DIF_VAR_ARG1);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		count_by(clause("entry"), &p, AGG_BYTES, sizes[i]);
		(void)snprintf(what, sizeof(what), "%u bytes", sizes[i]);
		cr_assert_gt(same_both_ways(addresses, what), 1000);
	}
}

Test(jit, numbers_as_keys_by_their_size)
{
	static prog_t p;

	(void)builtin(&p, DIF_VAR_ARG1);
	for (uint32_t size = 1; size <= 8; size *= 2)
		count_by(clause("entry"), &p, AGG_INT, size);
	cr_assert_gt(same_both_ways(all_pairs, "sizes"), NEDGES * sizeof(entry_t));
}

static void deep(int n)
{
	if (n > 0)
		deep(n - 1);
	else
		fire(1, 2);
	__asm__ volatile("" : : : "memory");
}

static void depths(void)
{
	for (int i = 0; i < 40; i++)
		deep(i);
}

Test(jit, stacks_of_each_depth)
{
	for (uint32_t depth = 1; depth <= 64; depth += depth < 20 ? 1 : 22) {
		clause_t *c = clause("entry");

		(void)stack_of(c, depth);
		(void)aggregate_by(c, by(AGG_COUNT, AGG_STACK, depth * 8), 1, NULL);
		c = clause("return");
		(void)stack_of(c, depth);
		(void)aggregate_by(c, by(AGG_COUNT, AGG_STACK, depth * 8), 1, NULL);
		(void)same_both_ways(depths, "stack");
	}
}

static void once(void)
{
	fire(1, 2);
}

Test(jit, builtin_variables_at_entry_and_return)
{
	static prog_t p;
	char what[64];

	for (int v = 0; v < DIF_NVARS; v++) {
		memset(&p, 0, sizeof(p));
		(void)builtin(&p, (enum dif_var)v);
		for (int i = 0; i < 2; i++) {
			static prog_t one;

			/* a clause beside it, so that what is not known natively is handed over */
			memset(&one, 0, sizeof(one));
			(void)constant(&one, 1);
			count_by(clause(i == 0 ? "entry" : "return"), &one, AGG_INT, 8);
			count_by(clause(i == 0 ? "entry" : "return"), &p, AGG_INT, 8);
			(void)snprintf(what, sizeof(what), "variable %d", v);
			(void)same_both_ways(once, what);
		}
	}
}

Test(jit, message_sizes)
{
	static prog_t p;

	for (int subr = DIF_SUBR_MSGSIZE; subr <= DIF_SUBR_MSGDSIZE; subr++) {
		for (int v = DIF_VAR_ARG0; v <= DIF_VAR_ARG1; v++) {
			memset(&p, 0, sizeof(p));
			opi(&p, DIF_LDV, (uint32_t)v, 1);
			op(&p, DIF_PUSHTV, 1, 0, 8);
			opi(&p, DIF_CALL, (uint32_t)subr, 2);
			op(&p, DIF_ADD, 1, 2, 3); /* what was known before the call is still */
			op(&p, DIF_SUB, 3, 1, 3);
			ret(&p, 3);
			count_by(clause("entry"), &p, AGG_INT, 8);
			(void)same_both_ways(addresses, "message size");
		}
	}
}

/* Messages of up to seven blocks, the second of each three not data; some with pointers crossed or bad. */
static void messages(void)
{
	static dblk_t kinds[3] = {{.db_type = M_DATA}, {.db_type = M_PROTO}, {.db_type = M_DATA}};
	static mblk_t m[7];

	for (size_t n = 0; n <= 7; n++) {
		for (size_t bad = 0; bad <= 4 * 7; bad++) {
			for (size_t i = 0; i < n; i++)
				m[i] = (mblk_t){.b_rptr = bytes,
						.b_wptr = bytes + i,
						.b_datap = &kinds[i % 3],
						.b_cont = i + 1 < n ? &m[i + 1] : NULL};
			if (bad / 4 < n && bad % 4 == 0)
				m[bad / 4].b_rptr = bytes + 16;
			if (bad / 4 < n && bad % 4 == 1)
				m[bad / 4].b_cont = (mblk_t *)(void *)(pages + 2 * PAGE - 8);
			if (bad / 4 < n && bad % 4 == 2)
				m[bad / 4].b_datap = (dblk_t *)(void *)(pages + 2 * PAGE);
			fire(n == 0 ? 0 : (uintptr_t)m, 0);
		}
	}
}

Test(jit, messages_of_several_blocks)
{
	static prog_t p;

	for (int subr = DIF_SUBR_MSGSIZE; subr <= DIF_SUBR_MSGDSIZE; subr++) {
		memset(&p, 0, sizeof(p));
		opi(&p, DIF_LDV, DIF_VAR_ARG1, 1);
		op(&p, DIF_PUSHTV, 1, 0, 8);
		opi(&p, DIF_CALL, (uint32_t)subr, 2);
		ret(&p, 2);
		count_by(clause("entry"), &p, AGG_INT, 8);
		cr_assert_gt(same_both_ways(messages, "blocks"), 5 * sizeof(entry_t));
	}
}

/* ---- variables, predicates, several clauses ---- */

Test(jit, variables_are_stored_and_start_anew)
{
	static prog_t count_x, set_l, get_l, get_x;
	clause_t *c;

	opi(&count_x, DIF_LDGS, 0, 1);
	opi(&count_x, DIF_LDV, DIF_VAR_ARG1, 2);
	op(&count_x, DIF_ADD, 1, 2, 1);
	opi(&count_x, DIF_STGS, 0, 1);
	ret(&count_x, 1);
	opi(&set_l, DIF_LDLS, 0, 1);
	opi(&set_l, DIF_LDV, DIF_VAR_ARG2, 2);
	op(&set_l, DIF_ADD, 1, 2, 1);
	opi(&set_l, DIF_STLS, 0, 1);
	ret(&set_l, 1);
	opi(&get_l, DIF_LDLS, 0, 1);
	ret(&get_l, 1);
	opi(&get_x, DIF_LDGS, 0, 1);
	ret(&get_x, 1);
	count_by(clause("entry"), &get_l, AGG_INT, 8); /* 0 each time */
	c = clause("entry");
	(void)action(c, ACT_DIFEXPR, &count_x.d);
	(void)action(c, ACT_DIFEXPR, &set_l.d);
	(void)action(c, ACT_DIFEXPR, &set_l.d);
	count_by(c, &get_l, AGG_INT, 8);
	count_by(clause("entry"), &get_x, AGG_INT, 8);
	cr_assert_gt(same_both_ways(all_pairs, "variables"), NEDGES * sizeof(entry_t));
}

Test(jit, predicates_and_a_clause_that_records_between_others)
{
	static prog_t odd, yes, no, arg;
	clause_t *c;

	opi(&odd, DIF_LDV, DIF_VAR_ARG1, 1);
	setx(&odd, 2, 1);
	op(&odd, DIF_AND, 1, 2, 3);
	ret(&odd, 3);
	(void)constant(&yes, 5);
	(void)constant(&no, 0);
	(void)builtin(&arg, DIF_VAR_ARG2);
	c = clause("entry");
	c->desc.e_pred = &odd.d;
	count_by(c, &arg, AGG_INT, 8);
	c = clause("entry");
	c->desc.e_pred = &yes.d;
	(void)record(c, &arg, DIF_INT, 8);
	count_by(c, &arg, AGG_INT, 1);
	c = clause("entry");
	c->desc.e_pred = &no.d;
	count_by(c, &arg, AGG_INT, 8);
	count_by(clause("entry"), &odd, AGG_INT, 8);
	cr_assert_gt(same_both_ways(all_pairs, "predicates"), (size_t)NEDGES * NEDGES * 16);
}

Test(jit, nothing_runs_after_exit)
{
	static prog_t is2, arg;
	clause_t *c;

	opi(&is2, DIF_LDV, DIF_VAR_ARG1, 1);
	setx(&is2, 2, 2);
	op(&is2, DIF_SUB, 1, 2, 3);
	op(&is2, DIF_TST, 3, 0, 0);
	(void)br(&is2, DIF_BE);
	aim(&is2, is2.d.d_len - 1);
	is2.text[is2.d.d_len - 1] += 2;
	setx(&is2, 4, 0);
	ret(&is2, 4);
	setx(&is2, 4, 1);
	ret(&is2, 4);
	(void)builtin(&arg, DIF_VAR_ARG1);
	count_by(clause("entry"), &arg, AGG_INT, 8);
	c = clause("entry");
	c->desc.e_pred = &is2.d;
	action(c, ACT_EXIT, &arg.d)->a_type = (dif_type_t){.dt_kind = DIF_INT, .dt_size = 4};
	count_by(clause("entry"), &arg, AGG_INT, 8);
	(void)same_both_ways(all_pairs, "exit");
}

static void small_values(void)
{
	for (uint64_t i = 0; i < 40; i++)
		fire(i % 5, i * 3 - 20);
}

Test(jit, each_aggregating_function_by_constant_and_other_keys)
{
	static prog_t name, arg, value;

	(void)text(&name, "a name of some length");
	(void)builtin(&arg, DIF_VAR_ARG1);
	(void)builtin(&value, DIF_VAR_ARG2);
	for (int f = AGG_COUNT; f <= AGG_LLQUANTIZE; f++) {
		clause_t *c = clause("entry");

		(void)key_of(c, &name);
		(void)aggregate_by(c, by((agg_func_t)f, AGG_STR, 256), 1, f == AGG_COUNT ? NULL : &value);
		c = clause("return");
		(void)key_of(c, &arg);
		(void)aggregate_by(c, by((agg_func_t)f, AGG_INT, 8), 1, f == AGG_COUNT ? NULL : &value);
		c = clause("entry");
		(void)aggregate_by(c, by((agg_func_t)f, AGG_INT, 8), 0, f == AGG_COUNT ? NULL : &value);
		aggs[naggs - 1].av_desc.ad_nparts = 0;
		(void)same_both_ways(small_values, "function");
	}
}

/* ---- cells of constant keys ---- */

static int64_t counted(const dtrace_aggvar_t *av, const char *key)
{
	uint64_t k[16] = {0};
	const int64_t *cells;

	memcpy(k, key, strlen(key));
	cells = agg_lookup(dtrace_agg_snapshot(st, av), k, (strlen(key) / 8 + 1) * 8);
	return cells == NULL ? -1 : *cells;
}

Test(jit, constant_keys_follow_their_cells)
{
	static prog_t func;
	uint64_t key = 'm' | 's' << 8;

	(void)builtin(&func, DIF_VAR_PROBEFUNC);
	count_by(clause("entry"), &func, AGG_STR, 256);
	open_session(false);
	cr_assert(is_native());
	for (int i = 0; i < 3; i++)
		fire(0, 0);
	cr_assert_eq(counted(&aggs[0], "msgdsize"), 3);
	dtrace_agg_clear(st, &aggs[0]);
	fire(0, 0);
	cr_assert_eq(counted(&aggs[0], "msgdsize"), 1);
	/* the table grows: cells move */
	for (uint64_t i = 0; i < 5000; i++) {
		uint64_t k[2] = {key + (i << 16) + (1UL << 48), 0};

		cr_assert_eq(agg_record(st->st_cpus->c_aggs[0], k, 8, 0, 1), 0);
		fire(0, 0);
	}
	cr_assert_eq(counted(&aggs[0], "msgdsize"), 5001);
	cr_assert_eq(agg_nkeys(dtrace_agg_snapshot(st, &aggs[0])), 5001);
	/* they go, and are made again */
	dtrace_agg_remove(st, &aggs[0], (const uint64_t[]){0x657a69736467736d, 0}, 16);
	cr_assert_eq(counted(&aggs[0], "msgdsize"), -1);
	fire(0, 0);
	fire(0, 0);
	cr_assert_eq(counted(&aggs[0], "msgdsize"), 2);
	free(close_session().text);
}

Test(jit, a_full_table_drops_natively_too)
{
	static prog_t func, arg;

	(void)builtin(&func, DIF_VAR_PROBEFUNC);
	(void)builtin(&arg, DIF_VAR_ARG1);
	count_by(clause("entry"), &arg, AGG_INT, 8);
	count_by(clause("entry"), &func, AGG_STR, 256);
	aggsize = 8;
	cr_assert_gt(same_both_ways(all_pairs, "a limit"), 0);
	count_by(clause("entry"), &func, AGG_STR, 256);
	aggsize = 8;
	open_session(false);
	fire(0, 0);
	fire(0, 0);
	cr_assert_eq(st->st_cpus->c_aggdrops, 2);
	free(close_session().text);
	aggsize = 0;
}

/* ---- who is traced ---- */

static void on_cpus(void)
{
	for (machine_cpu = 0; machine_cpu < 4; machine_cpu++)
		for (int i = 0; i <= machine_cpu; i++)
			fire((uint64_t)i, 0);
	machine_cpu = 0;
}

Test(jit, each_cpu_counts_for_itself)
{
	static prog_t func, arg, cpu;

	ncpu = 3;
	(void)builtin(&func, DIF_VAR_PROBEFUNC);
	(void)builtin(&arg, DIF_VAR_ARG1);
	count_by(clause("entry"), &func, AGG_STR, 256);
	count_by(clause("return"), &func, AGG_STR, 256);
	(void)same_both_ways(on_cpus, "cpus, constant key");
	count_by(clause("entry"), &arg, AGG_INT, 8);
	(void)builtin(&cpu, DIF_VAR_ARG2);
	count_by(clause("entry"), &cpu, AGG_INT, 8);
	(void)same_both_ways(on_cpus, "cpus");
	count_by(clause("entry"), &func, AGG_STR, 256);
	open_session(false);
	on_cpus();
	cr_assert_eq(counted(&aggs[0], "msgdsize"), 1 + 2 + 3); /* the fourth is none of the session's */
	st->st_cpus[1].c_exited = CPU_EXITED;
	jit_unpin(st, &st->st_cpus[1]);
	on_cpus();
	cr_assert_eq(counted(&aggs[0], "msgdsize"), 6 + 1 + 3);
	free(close_session().text);
}

Test(jit, what_the_tracer_hits_itself_is_not_traced)
{
	static prog_t func, arg;

	(void)builtin(&func, DIF_VAR_PROBEFUNC);
	(void)builtin(&arg, DIF_VAR_ARG1);
	count_by(clause("entry"), &func, AGG_STR, 256);
	count_by(clause("return"), &arg, AGG_INT, 8);
	open_session(false);
	probe_inside = true;
	fire(1, 2);
	probe_inside = false;
	cr_assert_eq(counted(&aggs[0], "msgdsize"), -1);
	fire(1, 2);
	cr_assert_eq(probe_inside, false);
	cr_assert_eq(counted(&aggs[0], "msgdsize"), 1);
	free(close_session().text);
}

Test(jit, a_session_that_is_paused_or_ended_does_nothing)
{
	static prog_t func;

	(void)builtin(&func, DIF_VAR_PROBEFUNC);
	count_by(clause("entry"), &func, AGG_STR, 256);
	open_session(false);
	fire(0, 0);
	dtrace_pause(st, true);
	fire(0, 0);
	dtrace_pause(st, false);
	fire(0, 0);
	cr_assert_eq(counted(&aggs[0], "msgdsize"), 2);
	dtrace_stop(st);
	fire(0, 0);
	cr_assert_eq(counted(&aggs[0], "msgdsize"), 2);
	dtrace_state_destroy(st);
}

Test(jit, two_sessions_on_one_probe)
{
	static prog_t func;
	dtrace_state_t *first, *second;

	(void)builtin(&func, DIF_VAR_PROBEFUNC);
	count_by(clause("entry"), &func, AGG_STR, 256);
	open_session(false);
	first = st;
	cr_assert(is_native());
	fire(0, 0);
	open_session(false); /* the same clause again: now neither is native */
	second = st;
	cr_assert(!is_native());
	fire(0, 0);
	st = first;
	cr_assert_eq(counted(&aggs[0], "msgdsize"), 2);
	dtrace_stop(first);
	fire(0, 0);
	cr_assert_eq(counted(&aggs[0], "msgdsize"), 2);
	dtrace_state_destroy(first);
	fire(0, 0);
	st = second;
	cr_assert_eq(counted(&aggs[0], "msgdsize"), 3);
	free(close_session().text);
}

/* ---- no room for code ---- */

static void limit_memory(size_t more)
{
	unsigned long mapped;
	FILE *f = fopen("/proc/self/statm", "r");
	struct rlimit r;

	cr_assert_not_null(f);
	cr_assert_eq(fscanf(f, "%lu", &mapped), 1);
	(void)fclose(f);
	cr_assert_eq(getrlimit(RLIMIT_AS, &r), 0);
	r.rlim_cur = mapped * (size_t)sysconf(_SC_PAGESIZE) + more;
	cr_assert_eq(setrlimit(RLIMIT_AS, &r), 0);
}

Test(jit, without_memory_for_code_clauses_are_interpreted)
{
	static prog_t func;

	(void)builtin(&func, DIF_VAR_PROBEFUNC);
	count_by(clause("entry"), &func, AGG_STR, 256);
	limit_memory(48 << 20);
	open_session(false);
	cr_assert(!is_native());
	fire(0, 0);
	cr_assert_eq(counted(&aggs[0], "msgdsize"), 1);
	free(close_session().text);
}

Test(jit, the_assembler_stops_at_the_end_of_its_room)
{
	uint8_t room[64];
	as_t a = {.as_p = room, .as_end = room + 16};

	memset(room, 0xee, sizeof(room));
	for (int i = 0; i < 8; i++) {
		as_const(&a, RAX, 1UL << 40);
		as_here(&a, as_jump(&a, CC_E));
		as_load(&a, RAX, R12, 1000);
	}
	cr_assert(a.as_full);
	cr_assert_leq(a.as_p, room + 16);
	for (int i = 16; i < 64; i++)
		cr_assert_eq(room[i], 0xee);
}
