/*
 * One event of a traced program: what tracing it costs, through the real probe path, beside the hand-written limit and
 * the tables of libraries behind the same hand-written front end.
 */
#include <stdlib.h>
#include <string.h>

#include "cpus.h"
#include "dtrace.h"
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
	bool alone;  /* one thread */
	bool shared; /* a figure is divided by the threads: time for one event of all */
} hook_arg_t;

/* A contender may use one thread where the others use all. */
static const params_t *params_of(const run_t *r, bool alone)
{
	static params_t one;

	if (!alone)
		return r->r_params;
	one = *r->r_params;
	one.p_threads = 1;
	return &one;
}

static const char *open_hook(run_t *r)
{
	const hook_arg_t *a = r->r_c->c_arg;
	bool table = a->hook == HOOK_TABLE || a->hook == HOOK_MUTEX;

	if (table && a->table == NULL)
		return "not installed when this was built";
	if (a->hook == HOOK_VEC && !limit_has_vectors())
		return "this processor has no AVX-512 with VAES";
	r->r_params = params_of(r, a->alone);
	if (a->shared)
		r->r_scale = r->r_params->p_threads;
	r->r_data = limit_open(a->hook, a->table, (uint32_t)cpus_count(), r->r_params->p_depth);
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
#define PIECE(var, name, what)                                                      \
	static const contender_t var = {.c_name = name,                             \
					.c_role = ROLE_PEER,                        \
					.c_arg = &(const hook_arg_t){.hook = what}, \
					.c_open = open_hook,                        \
					.c_time = time_hook,                        \
					.c_close = close_hook}

HOOK(limit_put, "limit", ROLE_LIMIT, .hook = HOOK_PUT);
HOOK(limit_vec, "limit, AVX-512", ROLE_LIMIT, .hook = HOOK_VEC);
HOOK(limit_write, "limit, scalar", ROLE_LIMIT, .hook = HOOK_WRITE);
HOOK(peer_open, "khash-like", ROLE_PEER, .hook = HOOK_TABLE, .table = &table_open);
HOOK(peer_uthash, "uthash", ROLE_PEER, .hook = HOOK_TABLE, .table = &table_uthash);
HOOK(peer_glib, "GHashTable", ROLE_PEER, .hook = HOOK_TABLE, .table = &table_glib);
HOOK(peer_ck, "ck_ht", ROLE_PEER, .hook = HOOK_TABLE, .table = &table_ck);
HOOK(peer_absl, "absl::flat_hash_map", ROLE_PEER, .hook = HOOK_TABLE, .table = &table_absl);
HOOK(mutex_open, "khash-like, mutex", ROLE_PEER, .hook = HOOK_MUTEX, .table = &table_open);
HOOK(mutex_absl, "absl, mutex", ROLE_PEER, .hook = HOOK_MUTEX, .table = &table_absl);
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
	bool alone, shared, interpret;
} d_arg_t;

static const char *open_tracer(run_t *r)
{
	const d_arg_t *a = r->r_c->c_arg;
	const char *why = NULL;
	char text[2048];

	r->r_params = params_of(r, a->alone);
	snprintf(text, sizeof(text), a->text, r->r_params->p_depth);
	r->r_data = tracer_open(text, (uint32_t)cpus_count(), a->interpret, &why);
	r->r_scale = a->events * (a->shared ? r->r_params->p_threads : 1);
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

#define PUTNEXTS \
	"fbt:chain:chain_putnext:entry { @[stringof(args[0]->q_qinfo->qi_minfo->mi_idname), stack(%u)] = count(); }"

TRACER(d_putnexts, "strsim", exact_tracer, .text = PUTNEXTS, .counts = true, .events = 1);
TRACER(d_tcpwdist, "strsim", exact_tracer,
       .text = "fbt:chain:chain_output:entry { this->size = msgdsize(args[1]); "
	       "@Size[pid, curpsinfo->pr_psargs] = quantize(this->size); }",
       .counts = true, .events = 1);
TRACER(d_count, "strsim", exact_tracer, .text = "fbt:chain:chain_putnext:entry { @ = count(); }", .events = 1);
TRACER(d_interpreted, "strsim -x jit=off", exact_tracer, .text = PUTNEXTS, .counts = true, .events = 1,
       .interpret = true);
/* An aggregation in a clause that never runs, and a clause whose predicate is always false: nothing is recorded. */
TRACER(d_empty, "strsim", exact_nothing, .text = "fbt:chain:chain_putnext:entry /0/ { @ = count(); }", .events = 1);
/* Ten functions are called in an event: lvl8..lvl1, putnext, leafput. */
TRACER(d_all, "strsim", exact_tracer, .text = "fbt:chain::entry, fbt:chain::return { @[probefunc] = count(); }",
       .events = 20);
static bool is_other(const dtrace_probe_t *p)
{
	return strcmp(p->dtpr_prov->dtpv_name, "fbt") == 0 && strcmp(p->dtpr_mod, "chain") != 0;
}

/* The event's own probe and p_probes - 1 of the model's, evenly over all its functions: none of them fires. */
static char *probes_text(const params_t *p)
{
	uint32_t others = 0, wanted = p->p_probes - 1, taken = 0;
	size_t size = 0;
	char *text;
	FILE *to = open_memstream(&text, &size);

	if (to == NULL)
		abort();
	fprintf(to, "fbt:chain:chain_putnext:entry");
	for (dtrace_id_t id = 1; id <= dtrace_nprobes(); id++)
		others += is_other(dtrace_probe_lookup(id));
	for (dtrace_id_t id = 1, seen = 0; id <= dtrace_nprobes(); id++) {
		const dtrace_probe_t *probe = dtrace_probe_lookup(id);

		if (!is_other(probe) || taken == wanted || (uint64_t)seen++ * wanted < (uint64_t)taken * others)
			continue;
		taken++;
		fprintf(to, ",\nfbt:%s:%s:%s", probe->dtpr_mod, probe->dtpr_func, probe->dtpr_name);
	}
	fprintf(to, " { @[probefunc] = count(); }");
	fclose(to);
	return text;
}

static const char *open_probes(run_t *r)
{
	static params_t found;
	const char *why = NULL;
	char *text = probes_text(r->r_params);

	r->r_data = tracer_open(text, 1, false, &why);
	free(text);
	if (why != NULL)
		return why;
	found = *r->r_params;
	found.p_probes = tracer_probes(r->r_data);
	r->r_params = &found;
	return NULL;
}

static const contender_t d_probes = {.c_name = "strsim",
				     .c_role = ROLE_STRSIM,
				     .c_arg = &(const d_arg_t){.events = 1},
				     .c_open = open_probes,
				     .c_time = time_tracer,
				     .c_exact = exact_tracer,
				     .c_close = close_tracer};

/* Arming and disarming other functions' probes is all that is done: a site that is not enabled costs what it costs. */
TRACER(d_elsewhere, "strsim", exact_nothing, .text = "fbt:genunix:: { @ = count(); }", .events = 1);

/* ---- one thread and two, of the same program: the time that passes for one event of all threads ---- */

static const char *open_one(run_t *r)
{
	r->r_params = params_of(r, true);
	return NULL;
}

static const contender_t one_untraced = {
    .c_name = "untraced, 1 thread", .c_role = ROLE_BASE, .c_open = open_one, .c_time = time_base};
HOOK(one_limit, "limit, 1 thread", ROLE_LIMIT, .hook = HOOK_PUT, .alone = true, .shared = true);
HOOK(two_limit, "limit, 2 threads", ROLE_PEER, .hook = HOOK_PUT, .shared = true);

/* Both of strsim's are one tracer, since an armed probe serves all who have it enabled. */
static tracer_t *both;
static uint64_t both_sent;

static const char *open_both(run_t *r)
{
	const char *why = both == NULL ? open_tracer(r) : NULL;

	if (both == NULL)
		both = r->r_data;
	r->r_data = both;
	r->r_params = params_of(r, ((const d_arg_t *)r->r_c->c_arg)->alone);
	r->r_scale = r->r_params->p_threads;
	return why;
}

static double time_both(run_t *r)
{
	both_sent += r->r_params->p_ops * r->r_params->p_threads;
	return time_tracer(r);
}

static bool exact_both(run_t *r)
{
	static tally_t got;
	static bool whole;

	if (got.t_total == 0)
		whole = tracer_tally(r->r_data, &got);
	snprintf(r->r_note, sizeof(r->r_note), "%lu keys, %lu counted, %lu sent by one and two threads", got.t_keys,
		 got.t_total, both_sent);
	return whole && got.t_total == both_sent && got.t_keys == r->r_params->p_keys;
}

/* Twice, by its two owners. */
static void close_both(run_t *r)
{
	if (both != NULL)
		tracer_close(r->r_data);
	both = NULL;
}

#define BOTH(var, name, ...)                                                    \
	static const contender_t var = {.c_name = name,                         \
					.c_role = ROLE_STRSIM,                  \
					.c_arg = &(const d_arg_t){__VA_ARGS__}, \
					.c_open = open_both,                    \
					.c_time = time_both,                    \
					.c_exact = exact_both,                  \
					.c_close = close_both}
BOTH(one_strsim, "strsim, 1 thread", .text = PUTNEXTS, .events = 1, .alone = true);
BOTH(two_strsim, "strsim, 2 threads", .text = PUTNEXTS, .events = 1);

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
/* Beyond what most tables of libraries are good for. */
static const params_t most_keys[] = {
    {.p_keys = 10000000, .p_depth = 5, .p_threads = 1, .p_ops = 16777216, .p_growth = "keys"},
};
static const params_t probes[] = {
    {.p_keys = 72, .p_probes = 1, USUAL, .p_growth = "probes"},
    {.p_keys = 72, .p_probes = 10, USUAL, .p_growth = "probes"},
    {.p_keys = 72, .p_probes = 100, USUAL, .p_growth = "probes"},
    {.p_keys = 72, .p_probes = 1000, USUAL, .p_growth = "probes"},
    {.p_keys = 72, .p_probes = ALL_PROBES, USUAL, .p_growth = "probes"},
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
    {.p_keys = 72, .p_zipf = 1, .p_depth = 5, .p_threads = 1, .p_ops = 400000, .p_growth = "threads"},
    {.p_keys = 72, .p_zipf = 1, .p_depth = 5, .p_threads = 2, .p_ops = 400000, .p_growth = "threads"},
    {.p_keys = 72, .p_zipf = 1, .p_depth = 5, .p_threads = 4, .p_ops = 400000, .p_growth = "threads"},
    {.p_keys = 72, .p_zipf = 1, .p_depth = 5, .p_threads = 8, .p_ops = 400000, .p_growth = "threads"},
};
static const params_t two_threads[] = {
    {.p_keys = 72, .p_zipf = 1, .p_depth = 5, .p_threads = 2, .p_ops = 400000},
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
    EVENT("event/interpreted", LIST(&base, &limit_put, &d_interpreted), usual, 1, 15, setup_put),
    EVENT("event/tcpwdist", LIST(&base, &limit_vec, &limit_write, &d_tcpwdist), writes, 1, 20, setup_write),
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
    EVENT("event/keys", LIST(&base, &limit_put, &d_putnexts, &peer_absl), most_keys, 0, 60, setup_put),
    EVENT("event/probes", LIST(&base, &limit_put, &d_probes), probes, 0, 10, setup_put),
    EVENT("event/threads", LIST(&base, &limit_put, &d_putnexts, &mutex_open, &mutex_absl), threads, 0, 20, setup_put),
    {"event/scaling", "event of all threads", "ns", SERIES_WHOLE,
     LIST(&one_untraced, &one_limit, &two_limit, &one_strsim, &two_strsim), two_threads, LEN(two_threads), 2, 30,
     setup_put, teardown},
};
const size_t bench_nevents = LEN(bench_events);
