/* The harness's statistics: quantiles worked out by hand, intervals of samples whose spread is known, verdicts. */
#include <criterion/criterion.h>
#include <math.h>

#include "../stats.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))
#define NEAR(x, y) cr_assert_float_eq(x, y, 1e-12, "%g", (double)(x))

Test(stats, quantiles_are_linear_between_neighbours)
{
	static const double v[] = {1, 2, 4, 8}, one[] = {7};

	NEAR(stats_quantile(v, 4, 0), 1);
	NEAR(stats_quantile(v, 4, 0.25), 1.75); /* 0.75 of the way from 1 to 2 */
	NEAR(stats_quantile(v, 4, 0.5), 3);
	NEAR(stats_quantile(v, 4, 0.75), 5);
	NEAR(stats_quantile(v, 4, 1), 8);
	NEAR(stats_quantile(one, 1, 0.25), 7);
	cr_assert(isnan(stats_quantile(v, 0, 0.5)));
}

Test(stats, order_does_not_matter_and_samples_are_left_alone)
{
	double v[] = {9, 1, 5};

	NEAR(stats_median(v, 3), 5);
	NEAR(stats_quantile_of(v, 3, 0.25), 3);
	NEAR(v[0], 9);
	NEAR(v[1], 1);
}

Test(stats, a_single_wild_round_does_not_move_the_median)
{
	double v[] = {10, 10, 11, 10, 10, 900, 10, 9, 10};

	NEAR(stats_median(v, N(v)), 10);
	cr_assert_leq(stats_median_ci(v, N(v)).hi, 11);
}

Test(stats, constant_samples_have_no_width)
{
	static const double a[] = {6, 6, 6, 6, 6}, b[] = {3, 3, 3, 3, 3};
	interval_t ci = stats_median_ci(a, N(a));

	NEAR(ci.lo, 6);
	NEAR(ci.hi, 6);
	ci = stats_ratio_ci(a, N(a), b, N(b), true);
	NEAR(ci.lo, 2);
	NEAR(ci.hi, 2);
	NEAR(stats_noise(a, a, N(a)), 0);
}

/* 1..25: the median is 13; by the binomial distribution the 95 % interval has its ends at ranks 8 and 18. */
Test(stats, interval_of_the_median_has_the_binomial_s_width)
{
	double v[25];
	interval_t ci;

	for (int i = 0; i < 25; i++)
		v[i] = (i * 7) % 25 + 1;
	ci = stats_median_ci(v, 25);
	cr_assert(ci.lo >= 7 && ci.lo <= 9, "%g", ci.lo);
	cr_assert(ci.hi >= 17 && ci.hi <= 19, "%g", ci.hi);
}

/* A machine that slows down doubles both sides of a round: pairs tell, samples taken apart do not. */
Test(stats, pairs_cancel_what_rounds_have_in_common)
{
	double a[20], b[20];
	interval_t paired, apart;

	for (int i = 0; i < 20; i++) {
		b[i] = 10 + i;
		a[i] = 1.1 * b[i];
	}
	paired = stats_ratio_ci(a, 20, b, 20, true);
	apart = stats_ratio_ci(a, 20, b, 20, false);
	cr_assert_float_eq(paired.lo, 1.1, 1e-9);
	cr_assert_float_eq(paired.hi, 1.1, 1e-9);
	cr_assert_lt(apart.lo, 1);
	cr_assert_gt(apart.hi, 1.2);
	cr_assert_eq(stats_verdict(1.1 * 19.5, 19.5, paired, 1), VERDICT_MORE);
	cr_assert_eq(stats_verdict(1.1 * 19.5, 19.5, apart, 1), VERDICT_NONE);
}

Test(stats, the_same_samples_give_the_same_interval)
{
	static const double a[] = {3, 1, 4, 1, 5, 9, 2, 6}, b[] = {2, 7, 1, 8, 2, 8, 1, 8};
	interval_t x = stats_ratio_ci(a, 8, b, 8, false), y = stats_ratio_ci(a, 8, b, 8, false);

	cr_assert_eq(x.lo, y.lo);
	cr_assert_eq(x.hi, y.hi);
	cr_assert_lt(x.lo, x.hi);
}

Test(stats, noise_is_the_farther_end_of_the_null_difference)
{
	static const double one[] = {10, 12, 10, 12, 10, 12}, two[] = {12, 10, 12, 10, 12, 10};

	/* a resample's medians are 10 and 12, 11 and 11, or 12 and 10 */
	NEAR(stats_noise(one, two, 6), 2);
	cr_assert(isnan(stats_noise(one, two, 0)));
}

Test(stats, a_difference_must_exclude_one_and_exceed_the_noise)
{
	cr_assert_eq(stats_verdict(13, 10, (interval_t){1.2, 1.4}, 1), VERDICT_MORE);
	cr_assert_eq(stats_verdict(13, 10, (interval_t){0.9, 1.4}, 1), VERDICT_NONE, "the interval holds 1");
	cr_assert_eq(stats_verdict(10.5, 10, (interval_t){1.02, 1.08}, 1), VERDICT_NONE, "within the noise");
	cr_assert_eq(stats_verdict(5, 10, (interval_t){0.45, 0.55}, 4.9), VERDICT_LESS);
	cr_assert_eq(stats_verdict(5, 10, (interval_t){0.45, 0.55}, 5.1), VERDICT_NONE);
	cr_assert_eq(stats_verdict(NAN, 10, (interval_t){NAN, NAN}, 1), VERDICT_NONE);
	cr_assert_eq(stats_verdict(20, 10, (interval_t){1.9, 2.1}, NAN), VERDICT_NONE, "noise unknown");
}
