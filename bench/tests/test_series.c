/* How a series is run: contenders of known times, in the order of the calls, and what makes a figure void. */
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../bench.h"
#include "../compare.h"
#include "../jsonl.h"

options_t options = {.o_effort = 1};

/* Time passes only when it is asked for: a second each time. */
static uint64_t now;

uint64_t bench_clock(bool several)
{
	(void)several;
	return now += 1000000000;
}

static char calls[4096]; /* the first letter of who was timed, in order */
static bool exact_answer, peer_is_there;

static double timed(run_t *r, double ns)
{
	strncat(calls, r->r_c->c_name, 1);
	return ns;
}

static double base_time(run_t *r)
{
	return timed(r, 10);
}

static double limit_time(run_t *r)
{
	return timed(r, 14);
}

static double strsim_time(run_t *r)
{
	return timed(r, 18);
}

static double failing_time(run_t *r)
{
	return timed(r, -1);
}

static bool exact(run_t *r)
{
	snprintf(r->r_note, sizeof(r->r_note), "71 of 72 keys");
	return exact_answer;
}

static const char *peer_open(run_t *r)
{
	r->r_scale = 2;
	return peer_is_there ? NULL : "not installed";
}

static const contender_t base = {.c_name = "base", .c_role = ROLE_BASE, .c_time = base_time};
static const contender_t limit = {.c_name = "limit", .c_role = ROLE_LIMIT, .c_time = limit_time};
static const contender_t ours = {.c_name = "strsim", .c_role = ROLE_STRSIM, .c_time = strsim_time, .c_exact = exact};
static const contender_t peer = {.c_name = "peer", .c_role = ROLE_PEER, .c_open = peer_open, .c_time = limit_time};
static const contender_t broken = {.c_name = "broken", .c_role = ROLE_STRSIM, .c_time = failing_time};
static const contender_t absent_limit = {
    .c_name = "absent limit", .c_role = ROLE_LIMIT, .c_open = peer_open, .c_time = limit_time};

static const params_t params = {.p_keys = 72, .p_zipf = 1};

/* Run them; what was written as JSON, the exit status in *rc. */
static char *run(const contender_t *const *list, kind_t kind, double budget, int *rc)
{
	series_t s = {.s_name = "event/x",
		      .s_op = "event",
		      .s_unit = "ns",
		      .s_kind = kind,
		      .s_contenders = list,
		      .s_params = &params,
		      .s_nparams = 1,
		      .s_budget = budget};
	size_t size;
	char *text;
	FILE *json = open_memstream(&text, &size);

	cr_redirect_stdout();
	calls[0] = '\0';
	*rc = series_run(&s, &params, json);
	fclose(json);
	return text;
}

/* The line of one contender. */
static const char *line_of(const char *text, const char *contender)
{
	char want[80];
	const char *at;

	snprintf(want, sizeof(want), "\"contender\":\"%s\"", contender);
	at = strstr(text, want);
	cr_assert(at != NULL, "%s is not in the results", contender);
	while (at > text && at[-1] != '\n')
		at--;
	return at;
}

#define RUN(kind, budget, rc, ...) run((const contender_t *const[]){__VA_ARGS__, NULL}, kind, budget, rc)

Test(series, each_round_goes_there_and_back)
{
	int rc;

	exact_answer = true;
	/* a warm-up would take more than a tenth of the budget; three rounds are made although the time is up */
	free(RUN(SERIES_OVER, 1, &rc, &base, &limit, &ours));
	cr_assert_eq(rc, 0);
	cr_assert_str_eq(calls, "blsslb"
				"blsslb"
				"blsslb");
}

Test(series, figures_are_over_the_base_and_ratios_to_the_limit)
{
	char *text;
	int rc;

	exact_answer = peer_is_there = true;
	text = RUN(SERIES_OVER, 1000, &rc, &base, &limit, &ours, &peer);
	cr_assert_eq(jsonl_number(line_of(text, "base"), "median"), 10);
	cr_assert_eq(jsonl_number(line_of(text, "limit"), "median"), 4);
	cr_assert_eq(jsonl_number(line_of(text, "strsim"), "median"), 8);
	cr_assert_eq(jsonl_number(line_of(text, "strsim"), "ratio"), 2);
	cr_assert_eq(jsonl_number(line_of(text, "peer"), "median"), 2, "scaled");
	cr_assert_eq(jsonl_number(line_of(text, "peer"), "ratio"), 0.5);
	cr_assert_eq(jsonl_number(line_of(text, "strsim"), "rounds"), 11, "nothing varies: the least there may be");
	free(text);
}

Test(series, whole_figures_keep_the_base)
{
	char *text;
	int rc;

	exact_answer = true;
	text = RUN(SERIES_WHOLE, 1, &rc, &base, &limit, &ours);
	cr_assert_eq(jsonl_number(line_of(text, "limit"), "median"), 14);
	cr_assert_float_eq(jsonl_number(line_of(text, "strsim"), "ratio"), 18 / 14.0, 1e-5);
	free(text);
}

Test(series, a_count_that_is_wrong_makes_the_figure_void)
{
	figure_t f;
	char *text;
	int rc;

	exact_answer = false;
	text = RUN(SERIES_OVER, 1, &rc, &base, &limit, &ours);
	cr_assert_eq(rc, 1);
	cr_assert(figure_read(line_of(text, "strsim"), &f));
	cr_assert_not(f.f_valid);
	cr_assert(figure_read(line_of(text, "limit"), &f));
	cr_assert(f.f_valid);
	free(text);
}

Test(series, one_that_cannot_be_timed_is_void)
{
	figure_t f;
	char *text;
	int rc;

	text = RUN(SERIES_OVER, 1, &rc, &base, &limit, &broken);
	cr_assert_eq(rc, 1);
	cr_assert(figure_read(line_of(text, "broken"), &f));
	cr_assert_not(f.f_valid);
	free(text);
}

Test(series, absent_peers_are_named_and_no_failure)
{
	char record[16], *text;
	int rc;

	exact_answer = true;
	peer_is_there = false;
	text = RUN(SERIES_OVER, 1, &rc, &base, &limit, &ours, &peer);
	cr_assert_eq(rc, 0);
	jsonl_string(line_of(text, "peer"), "record", record, sizeof(record));
	cr_assert_str_eq(record, "absent");
	free(text);
}

Test(series, another_limit_may_stand_in_but_one_must_be_there)
{
	char to[16], *text;
	int rc;

	exact_answer = true;
	peer_is_there = false;
	text = RUN(SERIES_OVER, 1, &rc, &base, &absent_limit, &limit, &ours);
	cr_assert_eq(rc, 0);
	jsonl_string(line_of(text, "strsim"), "ratio_to", to, sizeof(to));
	cr_assert_str_eq(to, "limit");
	free(text);
	free(RUN(SERIES_OVER, 1, &rc, &base, &absent_limit, &ours));
	cr_assert_eq(rc, 1);
}
