#include "stats.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define RESAMPLES 1000

static int order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double *copy_of(const double *v, size_t n)
{
	double *c = malloc((n + 1) * sizeof(*c));

	if (c == NULL)
		abort();
	if (n != 0)
		memcpy(c, v, n * sizeof(*c));
	return c;
}

double stats_quantile(const double *sorted, size_t n, double p)
{
	double at = p * (double)(n - 1);
	size_t i = (size_t)at;

	if (n == 0)
		return NAN;
	if (i + 1 >= n)
		return sorted[n - 1];
	return sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]);
}

double stats_quantile_of(const double *v, size_t n, double p)
{
	double *c = copy_of(v, n), q;

	qsort(c, n, sizeof(*c), order);
	q = stats_quantile(c, n, p);
	free(c);
	return q;
}

double stats_median(const double *v, size_t n)
{
	return stats_quantile_of(v, n, 0.5);
}

/* ---- resampling ---- */

static uint32_t draw(uint64_t *rng, size_t n)
{
	*rng ^= *rng << 13;
	*rng ^= *rng >> 7;
	*rng ^= *rng << 17;
	return (uint32_t)((*rng >> 32) * n >> 32);
}

static interval_t middle(double *v, size_t n)
{
	interval_t ci;

	qsort(v, n, sizeof(*v), order);
	ci.lo = stats_quantile(v, n, 0.025);
	ci.hi = stats_quantile(v, n, 0.975);
	return ci;
}

interval_t stats_median_ci(const double *v, size_t n)
{
	double *c = copy_of(v, n), medians[RESAMPLES];
	uint64_t rng = 88172645463325252ULL;

	if (n == 0) {
		free(c);
		return (interval_t){NAN, NAN};
	}
	for (size_t r = 0; r < RESAMPLES; r++) {
		for (size_t i = 0; i < n; i++)
			c[i] = v[draw(&rng, n)];
		medians[r] = stats_median(c, n);
	}
	free(c);
	return middle(medians, RESAMPLES);
}

interval_t stats_ratio_ci(const double *a, size_t na, const double *b, size_t nb, bool paired)
{
	double *x = copy_of(a, na), *y = copy_of(b, nb), ratios[RESAMPLES];
	uint64_t rng = 88172645463325252ULL;
	interval_t ci = {NAN, NAN};

	for (size_t r = 0; na != 0 && nb != 0 && r < RESAMPLES; r++) {
		for (size_t i = 0; i < na; i++) {
			size_t k = draw(&rng, na);

			x[i] = a[k];
			if (paired)
				y[i] = b[k];
		}
		for (size_t i = 0; !paired && i < nb; i++)
			y[i] = b[draw(&rng, nb)];
		ratios[r] = stats_median(x, na) / stats_median(y, nb);
	}
	if (na != 0 && nb != 0)
		ci = middle(ratios, RESAMPLES);
	free(x);
	free(y);
	return ci;
}

/* The ratio of the medians of one resample of both. */
static double resampled_ratio(const double *a, const double *ref, size_t n, double *x, double *y, uint64_t *rng)
{
	for (size_t i = 0; i < n; i++) {
		size_t k = draw(rng, n);

		x[i] = a[k];
		y[i] = ref[k];
	}
	return stats_median(x, n) / stats_median(y, n);
}

interval_t stats_relative_ci(const double *a, const double *aref, size_t na, const double *b, const double *bref,
			     size_t nb)
{
	size_t n = na > nb ? na : nb;
	double *x = malloc((n + 1) * sizeof(*x)), *y = malloc((n + 1) * sizeof(*y)), ratios[RESAMPLES];
	uint64_t rng = 88172645463325252ULL;
	interval_t ci = {NAN, NAN};

	if (x == NULL || y == NULL)
		abort();
	for (size_t r = 0; na != 0 && nb != 0 && r < RESAMPLES; r++) {
		ratios[r] = resampled_ratio(a, aref, na, x, y, &rng);
		ratios[r] /= resampled_ratio(b, bref, nb, x, y, &rng);
	}
	if (na != 0 && nb != 0)
		ci = middle(ratios, RESAMPLES);
	free(x);
	free(y);
	return ci;
}

double stats_noise(const double *first, const double *second, size_t n)
{
	double *x = copy_of(first, n), *y = copy_of(second, n), differences[RESAMPLES];
	uint64_t rng = 88172645463325252ULL;
	interval_t ci = {NAN, NAN};

	for (size_t r = 0; n != 0 && r < RESAMPLES; r++) {
		for (size_t i = 0; i < n; i++) {
			size_t k = draw(&rng, n);

			x[i] = first[k];
			y[i] = second[k];
		}
		differences[r] = stats_median(x, n) - stats_median(y, n);
	}
	if (n != 0)
		ci = middle(differences, RESAMPLES);
	free(x);
	free(y);
	return fmax(fabs(ci.lo), fabs(ci.hi));
}

verdict_t stats_verdict(double a, double b, interval_t ci, double noise)
{
	if (!(ci.lo > 1 || ci.hi < 1) || !(fabs(a - b) > noise))
		return VERDICT_NONE;
	return a < b ? VERDICT_LESS : VERDICT_MORE;
}
