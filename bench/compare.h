/* strbench compare OLD NEW: is each figure better, worse, or is no difference to be seen? */
#ifndef STRSIM_BENCH_COMPARE_H
#define STRSIM_BENCH_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "stats.h"

#define COMPARE_ROUNDS 64

/* A figure of a run, as it stands in the results. */
typedef struct figure {
	char f_bench[160], f_contender[64], f_role[16];
	bool f_valid;
	double f_median, f_noise;
	size_t f_n;
	double f_samples[COMPARE_ROUNDS];
	double f_ref[COMPARE_ROUNDS]; /* the reference's of the same rounds, 1 where there is none */
	bool f_relative;
} figure_t;

typedef struct figures {
	figure_t *v;
	size_t n;
} figures_t;

/* Add the figures of a file of results; -1, said on standard error, when it cannot be opened. */
int figures_load(const char *file, figures_t *all);
/* The last one of that name, NULL when there is none. */
const figure_t *figures_find(const figures_t *all, const char *bench, const char *contender);
void figures_free(figures_t *all);

/* Read a line of results; false when it is no figure. */
bool figure_read(const char *line, figure_t *f);
/* The ratio new / old with its interval, and whether it is a difference. */
verdict_t figure_compare(const figure_t *old, const figure_t *new, double *ratio, interval_t *ci);

#endif
