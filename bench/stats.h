/*
 * The statistics of the harness: order statistics, bootstrap confidence intervals, and the verdict on a difference.
 *
 * Times on a shared machine have a long upper tail, so everything is said in medians and quartiles, and confidence
 * intervals come from resampling the rounds (Efron's percentile bootstrap) rather than from a distribution assumed.
 * Resampling draws from a generator of fixed seed: the same samples give the same figures.
 */
#ifndef STRSIM_BENCH_STATS_H
#define STRSIM_BENCH_STATS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct interval {
	double lo, hi;
} interval_t;

typedef enum { VERDICT_NONE, VERDICT_LESS, VERDICT_MORE } verdict_t;

/* The p-quantile (0..1) of n sorted values, linear between neighbours (Hyndman and Fan's type 7); NAN when n is 0. */
double stats_quantile(const double *sorted, size_t n, double p);
/* Quantile of values in any order. */
double stats_quantile_of(const double *v, size_t n, double p);
double stats_median(const double *v, size_t n);
/* 95 % interval of the median. */
interval_t stats_median_ci(const double *v, size_t n);
/*
 * 95 % interval of median(a) / median(b).  paired: a[i] and b[i] are of the same round, and rounds are resampled (na
 * must equal nb); otherwise each is resampled by itself, as for samples of two runs.
 */
interval_t stats_ratio_ci(const double *a, size_t na, const double *b, size_t nb, bool paired);
/*
 * 95 % interval of (median(a) / median(aref)) / (median(b) / median(bref)): two runs, each with its reference beside it.
 * Rounds are resampled with their reference's, so that what is not known of the references counts too.
 */
interval_t stats_relative_ci(const double *a, const double *aref, size_t na, const double *b, const double *bref,
			     size_t nb);
/*
 * How far apart the medians of a thing measured twice in each round may be, in the samples' unit: the farther end of the
 * interval of median(first) - median(second).
 */
double stats_noise(const double *first, const double *second, size_t n);
/*
 * Is a different from b, two medians whose ratio has the interval ci?  Only when the interval does not hold 1 and the
 * medians are farther apart than the noise.
 */
verdict_t stats_verdict(double a, double b, interval_t ci, double noise);

#endif
