/*
 * Two runs were made at different times, so their absolute figures differ for reasons of the machine.  Where a figure has
 * a reference (the limit, that ran beside it), figures are divided by their reference's before the runs are compared: a figure is better when it has come nearer to the limit.  Smaller is better everywhere.
 */
#include "compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "jsonl.h"

bool figure_read(const char *line, figure_t *f)
{
	char record[16];
	size_t n;

	memset(f, 0, sizeof(*f));
	jsonl_string(line, "record", record, sizeof(record));
	if (strcmp(record, "figure") != 0)
		return false;
	jsonl_string(line, "bench", f->f_bench, sizeof(f->f_bench));
	jsonl_string(line, "contender", f->f_contender, sizeof(f->f_contender));
	jsonl_string(line, "role", f->f_role, sizeof(f->f_role));
	f->f_valid = jsonl_true(line, "valid");
	f->f_median = jsonl_number(line, "median");
	f->f_noise = jsonl_number(line, "noise");
	f->f_n = jsonl_array(line, "samples", f->f_samples, COMPARE_ROUNDS);
	n = jsonl_array(line, "ref_samples", f->f_ref, COMPARE_ROUNDS);
	f->f_relative = n != 0 && n == f->f_n && stats_median(f->f_ref, n) > 0;
	for (size_t i = 0; !f->f_relative && i < f->f_n; i++)
		f->f_ref[i] = 1;
	if (f->f_relative)
		f->f_noise /= stats_median(f->f_ref, n);
	return true;
}

verdict_t figure_compare(const figure_t *old, const figure_t *new, double *ratio, interval_t *ci)
{
	double noise =
	    fmax(isnan(old->f_noise) ? INFINITY : old->f_noise, isnan(new->f_noise) ? INFINITY : new->f_noise);

	double before = stats_median(old->f_samples, old->f_n) / stats_median(old->f_ref, old->f_n);
	double now = stats_median(new->f_samples, new->f_n) / stats_median(new->f_ref, new->f_n);

	*ratio = now / before;
	*ci = stats_relative_ci(new->f_samples, new->f_ref, new->f_n, old->f_samples, old->f_ref, old->f_n);
	return stats_verdict(now, before, *ci, noise);
}

/* ---- files ---- */

int figures_load(const char *file, figures_t *all)
{
	FILE *in = fopen(file, "r");
	char *line = NULL;
	size_t size = 0;
	figure_t f;

	if (in == NULL) {
		fprintf(stderr, "strbench: cannot open %s\n", file);
		return -1;
	}
	while (getline(&line, &size, in) > 0) {
		if (!figure_read(line, &f))
			continue;
		all->v = realloc(all->v, (all->n + 1) * sizeof(f));
		if (all->v == NULL)
			abort();
		all->v[all->n++] = f;
	}
	free(line);
	fclose(in);
	return 0;
}

const figure_t *figures_find(const figures_t *all, const char *bench, const char *contender)
{
	for (size_t i = all->n; i-- > 0;)
		if (strcmp(all->v[i].f_bench, bench) == 0 && strcmp(all->v[i].f_contender, contender) == 0)
			return &all->v[i];
	return NULL;
}

void figures_free(figures_t *all)
{
	free(all->v);
	*all = (figures_t){NULL, 0};
}

/* 1 when it is worse. */
static int print_one(const figure_t *old, const figure_t *new)
{
	static const char *const words[] = {"no difference", "better", "worse"};
	verdict_t v;
	interval_t ci;
	double ratio;

	printf("%-44s %-20s ", new->f_bench, new->f_contender);
	if (old == NULL || !old->f_valid || !new->f_valid || old->f_relative != new->f_relative) {
		printf("cannot be compared: %s\n", old == NULL     ? "not in the old run"
						   : !old->f_valid ? "void in the old run"
						   : !new->f_valid ? "void in the new run"
								   : "only one has a reference");
		return new->f_valid ? 0 : 1;
	}
	v = figure_compare(old, new, &ratio, &ci);
	printf("%-13s x %.3f (%.3f-%.3f) of the old, noise %.2g, %zu and %zu rounds%s\n", words[v], ratio, ci.lo, ci.hi,
	       fmax(old->f_noise, new->f_noise), old->f_n, new->f_n,
	       new->f_relative ? ", both as multiples of the limit" : "");
	return v == VERDICT_MORE;
}

/* Exit status: 0, 1 when a figure of strsim's is worse or void, 2 for wrong use. */
int compare_main(int argc, char **argv)
{
	figures_t old = {NULL, 0}, new = {NULL, 0};
	int worse = 0;

	if (argc != 3) {
		fprintf(stderr, "usage: strbench compare OLD NEW\n");
		return 2;
	}
	if (figures_load(argv[1], &old) != 0 || figures_load(argv[2], &new) != 0)
		return 2;
	for (size_t i = 0; i < new.n; i++) {
		int one = print_one(figures_find(&old, new.v[i].f_bench, new.v[i].f_contender), &new.v[i]);

		if (strcmp(new.v[i].f_role, "strsim") == 0)
			worse |= one;
	}
	figures_free(&old);
	figures_free(&new);
	return worse;
}
