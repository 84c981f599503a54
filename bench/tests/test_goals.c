/* When a goal is met, missed, or not to be told. */
#include <criterion/criterion.h>
#include <math.h>

#include "../goals.h"

/* 20 rounds about `level', from `low' to `high' parts of it. */
static figure_t made(double level, double low, double high)
{
	figure_t f = {.f_valid = true, .f_n = 20};

	for (int i = 0; i < 20; i++)
		f.f_samples[i] = level * (low + (high - low) * i / 19);
	return f;
}

static goal_state_t judge(goal_sense_t sense, double goal, const figure_t *f, const figure_t *over)
{
	goal_t g = {.g_scale = 1, .g_sense = sense, .g_value = goal};
	interval_t ci;
	double value;

	return goal_judge(&g, f, over, &value, &ci);
}

Test(goals, met_and_missed_when_the_whole_interval_says_so)
{
	figure_t f = made(10, 0.99, 1.01);

	cr_assert_eq(judge(GOAL_AT_MOST, 11, &f, NULL), GOAL_MET);
	cr_assert_eq(judge(GOAL_AT_MOST, 9, &f, NULL), GOAL_MISSED);
	cr_assert_eq(judge(GOAL_AT_LEAST, 9, &f, NULL), GOAL_MET);
	cr_assert_eq(judge(GOAL_AT_LEAST, 11, &f, NULL), GOAL_MISSED);
}

Test(goals, open_when_the_interval_holds_the_goal)
{
	figure_t f = made(10, 0.5, 1.5);

	cr_assert_eq(judge(GOAL_AT_MOST, 10.1, &f, NULL), GOAL_OPEN);
	cr_assert_eq(judge(GOAL_AT_LEAST, 9.9, &f, NULL), GOAL_OPEN);
}

/* Both drift alike, so the ratio of a round is always 2. */
Test(goals, ratios_are_of_the_same_rounds)
{
	figure_t f = made(10, 0.6, 1.4), over = made(5, 0.6, 1.4);
	goal_t g = {.g_scale = 1, .g_sense = GOAL_AT_MOST, .g_value = 2.1};
	interval_t ci;
	double value;

	cr_assert_eq(goal_judge(&g, &f, &over, &value, &ci), GOAL_MET);
	cr_assert_float_eq(value, 2, 1e-12);
	cr_assert_float_eq(ci.hi, 2, 1e-12);
}

Test(goals, the_unit_is_scaled)
{
	figure_t f = made(65536, 1, 1);
	goal_t g = {.g_scale = 1 / 1024.0, .g_sense = GOAL_AT_MOST, .g_value = 64};
	interval_t ci;
	double value;

	cr_assert_eq(goal_judge(&g, &f, NULL, &value, &ci), GOAL_MET);
	cr_assert_eq(value, 64);
}

Test(goals, void_figures_meet_nothing)
{
	figure_t f = made(10, 1, 1), bad = made(10, 1, 1), shorter = made(10, 1, 1);

	bad.f_valid = false;
	shorter.f_n = 19;
	cr_assert_eq(judge(GOAL_AT_MOST, 100, &bad, NULL), GOAL_VOID);
	cr_assert_eq(judge(GOAL_AT_MOST, 100, &f, &bad), GOAL_VOID);
	cr_assert_eq(judge(GOAL_AT_MOST, 100, &f, &shorter), GOAL_VOID, "not of the same rounds");
}

Test(goals, names_are_whole)
{
	cr_assert(goals_name("event/putnexts keys=72 depth=5"));
	cr_assert_not(goals_name("event/putnexts"));
}
