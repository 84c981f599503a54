/*
 * One event of a traced program: what tracing it costs, through the real probe path, beside the hand-written limit and
 * the tables of libraries behind the same hand-written front end.
 */
#include <stdlib.h>
#include <string.h>

#include "cpus.h"
#include "limit.h"
#include "tracer.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

static const char *setup_put(const params_t *p)
{
	const char *why = work_start(WORK_PUT, p);

	return why != NULL ? why : tracer_start();
}

static const char *setup_write(const params_t *p)
{
	const char *why = work_start(WORK_WRITE, p);

	return why != NULL ? why : tracer_start();
}

static void teardown(const params_t *p)
{
	(void)p;
	tracer_stop();
	work_stop();
}

static bool agrees(run_t *r, const tally_t *got)
{
	tally_t want = work_expected(r->r_params, r->r_sent);
	bool same = got->t_keys == want.t_keys && got->t_total == want.t_total && got->t_squares == want.t_squares;

	snprintf(r->r_note, sizeof(r->r_note), "%lu keys, %lu counted%s", got->t_keys, got->t_total,
		 same ? "" : ", not what was sent");
	return same;
}

/* ---- base ---- */

static double time_base(run_t *r)
{
	return work_send(r->r_params, &r->r_sent);
}

static const contender_t base = {.c_name = "untraced", .c_role = ROLE_BASE, .c_time = time_base};

/* ---- by hand ---- */

typedef struct hook_arg {
	hook_t hook;
	const table_ops_t *table;
} hook_arg_t;

static const char *open_hook(run_t *r)
{
	const hook_arg_t *a = r->r_c->c_arg;
	bool table = a->hook == HOOK_TABLE || a->hook == HOOK_MUTEX;

	if (table && a->table == NULL)
		return "not installed when this was built";
	r->r_data = limit_open(a->hook, a->table, r->r_params->p_threads, r->r_params->p_depth);
	return NULL;
}

static double time_hook(run_t *r)
{
	double ns;

	limit_arm(r->r_data, true);
	ns = work_send(r->r_params, &r->r_sent);
	limit_arm(r->r_data, false);
	return ns;
}

static bool exact_hook(run_t *r)
{
	tally_t got;

	limit_tally(r->r_data, &got);
	return agrees(r, &got);
}

static void close_hook(run_t *r)
{
	limit_close(r->r_data);
}

#define HOOK(var, name, role, ...)                                                 \
	static const contender_t var = {.c_name = name,                            \
					.c_role = role,                            \
					.c_arg = &(const hook_arg_t){__VA_ARGS__}, \
					.c_open = open_hook,                       \
					.c_time = time_hook,                       \
					.c_exact = exact_hook,                     \
					.c_close = close_hook}
/* Pieces of the limit find nothing. */
#define PIECE(var, name, what)                                                    \
	static const contender_t var = {.c_name = name,                           \
					.c_role = ROLE_PEER,                      \
					.c_arg = &(const hook_arg_t){what, NULL}, \
					.c_open = open_hook,                      \
					.c_time = time_hook,                      \
					.c_close = close_hook}

HOOK(limit_put, "limit", ROLE_LIMIT, HOOK_PUT, NULL);
HOOK(limit_write, "limit", ROLE_LIMIT, HOOK_WRITE, NULL);
HOOK(peer_open, "khash-like", ROLE_PEER, HOOK_TABLE, &table_open);
HOOK(peer_uthash, "uthash", ROLE_PEER, HOOK_TABLE, &table_uthash);
HOOK(peer_glib, "GHashTable", ROLE_PEER, HOOK_TABLE, &table_glib);
HOOK(peer_ck, "ck_ht", ROLE_PEER, HOOK_TABLE, &table_ck);
HOOK(peer_absl, "absl::flat_hash_map", ROLE_PEER, HOOK_TABLE, &table_absl);
HOOK(mutex_open, "khash-like, mutex", ROLE_PEER, HOOK_MUTEX, &table_open);
HOOK(mutex_absl, "absl, mutex", ROLE_PEER, HOOK_MUTEX, &table_absl);
PIECE(piece_ret, "patched call to ret", HOOK_RET);
PIECE(piece_empty, "+ registers, empty hook", HOOK_EMPTY);
PIECE(piece_inc, "+ a counter", HOOK_INC);
PIECE(piece_walk, "+ five frames", HOOK_WALK);
PIECE(piece_name, "+ name alone", HOOK_NAME);
PIECE(piece_both, "+ frames and name", HOOK_BOTH);
PIECE(piece_hash, "+ hash of them", HOOK_HASH);

/* ---- strsim ---- */

typedef struct d_arg {
	const char *text;
	bool counts;     /* one count an event */
	uint32_t events; /* an operation */
} d_arg_t;

static const char *open_tracer(run_t *r)
{
	const d_arg_t *a = r->r_c->c_arg;
	const char *why = NULL;
	char text[2048];

	snprintf(text, sizeof(text), a->text, r->r_params->p_depth);
	r->r_data = tracer_open(text, r->r_params->p_threads, &why);
	r->r_scale = a->events;
	return why;
}

static double time_tracer(run_t *r)
{
	double ns;

	tracer_arm(r->r_data, true);
	ns = work_send(r->r_params, &r->r_sent);
	tracer_arm(r->r_data, false);
	return ns;
}

/* @[probefunc] and @: as many counts as probes fired. */
static bool exact_total(run_t *r, uint32_t events)
{
	tally_t got;
	bool whole = tracer_tally(r->r_data, &got);
	uint64_t want = r->r_sent * events * r->r_params->p_threads;

	snprintf(r->r_note, sizeof(r->r_note), "%lu counted, %lu fired", got.t_total, want);
	return whole && got.t_total == want;
}

static bool exact_tracer(run_t *r)
{
	const d_arg_t *a = r->r_c->c_arg;
	tally_t got;

	if (!a->counts)
		return exact_total(r, a->events);
	return tracer_tally(r->r_data, &got) & (int)agrees(r, &got);
}

static bool exact_nothing(run_t *r)
{
	tally_t got;
	bool whole = tracer_tally(r->r_data, &got);

	snprintf(r->r_note, sizeof(r->r_note), "%lu records dropped or counted", got.t_total);
	return whole && got.t_total == 0;
}

static void close_tracer(run_t *r)
{
	tracer_close(r->r_data);
}

#define TRACER(var, name, exact, ...)                                           \
	static const contender_t var = {.c_name = name,                         \
					.c_role = ROLE_STRSIM,                  \
					.c_arg = &(const d_arg_t){__VA_ARGS__}, \
					.c_open = open_tracer,                  \
					.c_time = time_tracer,                  \
					.c_exact = exact,                       \
					.c_close = close_tracer}

TRACER(d_putnexts, "strsim", exact_tracer,
       "fbt:chain:chain_putnext:entry { @[stringof(args[0]->q_qinfo->qi_minfo->mi_idname), stack(%u)] = count(); }",
       true, 1);
TRACER(d_tcpwdist, "strsim", exact_tracer,
       "fbt:chain:chain_output:entry { this->size = msgdsize(args[1]); "
       "@Size[pid, curpsinfo->pr_psargs] = quantize(this->size); }",
       true, 1);
TRACER(d_count, "strsim", exact_tracer, "fbt:chain:chain_putnext:entry { @ = count(); }", false, 1);
/* An aggregation in a clause that never runs, and a clause whose predicate is always false: nothing is recorded. */
TRACER(d_empty, "strsim", exact_nothing, "fbt:chain:chain_putnext:entry /0/ { @ = count(); }", false, 1);
/* Ten functions are called in an event: lvl8..lvl1, putnext, leafput. */
TRACER(d_all, "strsim", exact_tracer, "fbt:chain::entry, fbt:chain::return { @[probefunc] = count(); }", false, 20);
TRACER(d_one_of_all, "strsim", exact_tracer,
       "fbt:chain:chain_putnext:entry, fbt:unix::entry { @[probefunc] = count(); }", false, 1);
TRACER(d_many, "strsim", exact_tracer,
       "fbt:chain:chain_putnext:entry, fbt:genunix::, fbt:ip::, fbt:unix::, fbt:ldterm::, fbt:gld:: "
       "{ @[probefunc] = count(); }",
       false, 1);
TRACER(d_one, "strsim", exact_tracer, "fbt:chain:chain_putnext:entry { @[probefunc] = count(); }", false, 1);

/* Arming and disarming other functions' probes is all that is done: a site that is not enabled costs what it costs. */
TRACER(d_elsewhere, "strsim", exact_nothing, "fbt:genunix:: { @ = count(); }", false, 1);

/* ---- series ---- */

#define USUAL .p_zipf = 1, .p_depth = 5, .p_threads = 1, .p_ops = 50000

static const params_t usual[] = {{.p_keys = 72, USUAL}};
static const params_t writes[] = {{.p_keys = 16, USUAL}};
static const params_t keys[] = {
    {.p_keys = 100000, .p_depth = 5, .p_threads = 1, .p_ops = 200000, .p_growth = "keys"},
    {.p_keys = 72, .p_depth = 5, .p_threads = 1, .p_ops = 50000, .p_growth = "keys"},
    {.p_keys = 10, .p_depth = 5, .p_threads = 1, .p_ops = 50000, .p_growth = "keys"},
    {.p_keys = 1000, .p_depth = 5, .p_threads = 1, .p_ops = 50000, .p_growth = "keys"},
    {.p_keys = 10000, .p_depth = 5, .p_threads = 1, .p_ops = 100000, .p_growth = "keys"},
    {.p_keys = 1000000, .p_depth = 5, .p_threads = 1, .p_ops = 4194304 / 4, .p_growth = "keys"},
};
static const params_t depths[] = {
    {.p_keys = 72, .p_zipf = 1, .p_depth = 1, .p_threads = 1, .p_ops = 50000, .p_growth = "depth"},
    {.p_keys = 72, .p_zipf = 1, .p_depth = 2, .p_threads = 1, .p_ops = 50000, .p_growth = "depth"},
    {.p_keys = 72, .p_zipf = 1, .p_depth = 5, .p_threads = 1, .p_ops = 50000, .p_growth = "depth"},
    {.p_keys = 72, .p_zipf = 1, .p_depth = 10, .p_threads = 1, .p_ops = 50000, .p_growth = "depth"},
    {.p_keys = 72, .p_zipf = 1, .p_depth = 20, .p_threads = 1, .p_ops = 50000, .p_growth = "depth"},
    {.p_keys = 72, .p_zipf = 1, .p_depth = 40, .p_threads = 1, .p_ops = 50000, .p_growth = "depth"},
    {.p_keys = 72, .p_zipf = 1, .p_depth = 64, .p_threads = 1, .p_ops = 50000, .p_growth = "depth"},
};
static const params_t threads[] = {
    {.p_keys = 72, .p_zipf = 1, .p_depth = 5, .p_threads = 2, .p_ops = 400000, .p_growth = "threads"},
    {.p_keys = 72, .p_zipf = 1, .p_depth = 5, .p_threads = 4, .p_ops = 400000, .p_growth = "threads"},
    {.p_keys = 72, .p_zipf = 1, .p_depth = 5, .p_threads = 8, .p_ops = 400000, .p_growth = "threads"},
    {.p_keys = 1000000, .p_depth = 5, .p_threads = 2, .p_ops = 1000000},
};

#define LIST(...) ((const contender_t *const[]){__VA_ARGS__, NULL})
#define EVENT(name, list, params, quick, seconds, start)                                                     \
	{                                                                                                    \
		name, "event", "ns", SERIES_OVER, list, params, LEN(params), quick, seconds, start, teardown \
	}

const series_t bench_events[] = {
    EVENT("event/putnexts",
	  LIST(&base, &limit_put, &d_putnexts, &peer_open, &peer_uthash, &peer_glib, &peer_ck, &peer_absl), usual, 1,
	  30, setup_put),
    EVENT("event/tcpwdist", LIST(&base, &limit_write, &d_tcpwdist), writes, 1, 20, setup_write),
    EVENT("event/pieces",
	  LIST(&base, &limit_put, &piece_ret, &piece_empty, &piece_inc, &piece_walk, &piece_name, &piece_both,
	       &piece_hash),
	  usual, 1, 20, setup_put),
    EVENT("event/empty", LIST(&base, &limit_put, &d_empty), usual, 1, 15, setup_put),
    EVENT("event/count", LIST(&base, &limit_put, &d_count), usual, 1, 15, setup_put),
    EVENT("event/allfbt", LIST(&base, &limit_put, &d_all), usual, 1, 15, setup_put),
    EVENT("event/elsewhere", LIST(&base, &limit_put, &d_elsewhere), usual, 1, 15, setup_put),
    EVENT("event/keys",
	  LIST(&base, &limit_put, &d_putnexts, &peer_open, &peer_uthash, &peer_glib, &peer_ck, &peer_absl), keys, 1, 30,
	  setup_put),
    EVENT("event/depth", LIST(&base, &limit_put, &d_putnexts), depths, 0, 10, setup_put),
    EVENT("event/probes-1", LIST(&base, &limit_put, &d_one), usual, 0, 10, setup_put),
    EVENT("event/probes-unix", LIST(&base, &limit_put, &d_one_of_all), usual, 0, 10, setup_put),
    EVENT("event/probes-many", LIST(&base, &limit_put, &d_many), usual, 0, 10, setup_put),
    EVENT("event/threads", LIST(&base, &limit_put, &d_putnexts, &mutex_open, &mutex_absl), threads, 1, 20, setup_put),
};
const size_t bench_nevents = LEN(bench_events);
