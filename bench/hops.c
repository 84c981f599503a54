/* A message through modules that only pass it on: what one putnext hop costs. */
#include <stdlib.h>

#include "cpus.h"
#include "kernelmodel/chain/pipe.h"
#include "tracer.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

static mblk_t message;
static dblk_t datab = {.db_type = M_DATA};
static uchar_t bytes[64];
static queue_t *straight, *through; /* without modules, and with them */

static const char *setup(const params_t *p)
{
	bench_pin(0);
	cpus_start(1, NULL);
	message = (mblk_t){.b_rptr = bytes, .b_wptr = bytes + sizeof(bytes), .b_datap = &datab};
	straight = chain_pipe_open(0);
	through = chain_pipe_open(p->p_modules);
	if (straight == NULL || through == NULL)
		return "there is no module pipemod";
	return tracer_start();
}

static void teardown(const params_t *p)
{
	(void)p;
	tracer_stop();
	chain_pipe_close(straight);
	chain_pipe_close(through);
	(void)cpus_stop();
}

typedef struct way {
	queue_t **wq;
	const char *d; /* tracing this, or NULL */
	uint64_t arrived;
} way_t;

static double send(run_t *r, queue_t *wq)
{
	uint64_t n = r->r_params->p_ops, t0, before = chain_pipe_arrived();

	t0 = bench_clock(false);
	chain_pipe_send(wq, &message, n);
	t0 = bench_clock(false) - t0;
	r->r_sent += n;
	return chain_pipe_arrived() - before == n ? (double)t0 / (double)n : -1;
}

static double time_straight(run_t *r)
{
	return send(r, straight);
}

static const char *open_way(run_t *r)
{
	const char *why = NULL;

	r->r_scale = r->r_params->p_modules;
	if (r->r_c->c_arg != NULL)
		r->r_data = tracer_open(r->r_c->c_arg, 1, false, &why);
	return why;
}

static double time_way(run_t *r)
{
	double ns;

	if (r->r_data != NULL)
		tracer_arm(r->r_data, true);
	ns = send(r, through);
	if (r->r_data != NULL)
		tracer_arm(r->r_data, false);
	return ns;
}

/* The head's putnext and one of each module. */
static bool exact_way(run_t *r)
{
	uint64_t want = r->r_sent * (r->r_params->p_modules + 1);
	tally_t got;
	bool whole = tracer_tally(r->r_data, &got);

	snprintf(r->r_note, sizeof(r->r_note), "%lu putnexts counted, %lu made", got.t_total, want);
	return whole && got.t_total == want;
}

static void close_way(run_t *r)
{
	if (r->r_data != NULL)
		tracer_close(r->r_data);
}

static const contender_t base = {.c_name = "no module", .c_role = ROLE_BASE, .c_time = time_straight};
static const contender_t untraced = {
    .c_name = "untraced", .c_role = ROLE_LIMIT, .c_open = open_way, .c_time = time_way, .c_close = close_way};
static const contender_t traced = {
    .c_name = "strsim putnexts.d",
    .c_role = ROLE_STRSIM,
    .c_arg = "fbt::putnext:entry { @[stringof(args[0]->q_qinfo->qi_minfo->mi_idname), stack(5)] = count(); }",
    .c_open = open_way,
    .c_time = time_way,
    .c_exact = exact_way,
    .c_close = close_way};

static const params_t modules[] = {
    {.p_modules = 16, .p_threads = 1, .p_ops = 20000, .p_growth = "modules"},
    {.p_modules = 1, .p_threads = 1, .p_ops = 100000, .p_growth = "modules"},
    {.p_modules = 2, .p_threads = 1, .p_ops = 100000, .p_growth = "modules"},
    {.p_modules = 4, .p_threads = 1, .p_ops = 50000, .p_growth = "modules"},
    {.p_modules = 8, .p_threads = 1, .p_ops = 50000, .p_growth = "modules"},
    {.p_modules = 32, .p_threads = 1, .p_ops = 10000, .p_growth = "modules"},
    {.p_modules = 64, .p_threads = 1, .p_ops = 10000, .p_growth = "modules"},
};

const series_t bench_hops[] = {
    {"hop/modules", "module passed", "ns", SERIES_OVER, (const contender_t *const[]){&base, &untraced, &traced, NULL},
     modules, LEN(modules), 1, 8, setup, teardown},
};
const size_t bench_nhops = LEN(bench_hops);
