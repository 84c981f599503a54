/*
 * Running a series: rounds, figures, checks, and what is printed of them.
 *
 * A contender's figure of a round is the mean of its two timings (less the base's).  The two timings by themselves give
 * the noise: the difference of a contender from itself.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "stats.h"

#define MAX_CONTENDERS 24
#define MAX_ROUNDS 61
#define WARMUPS 2
#define NARROW 0.04 /* an interval of this half width, as part of the median, is narrow enough */

typedef struct entry {
	run_t run;
	const contender_t *c;
	bool valid;
	double time[2][MAX_ROUNDS]; /* raw */
	double figure[MAX_ROUNDS];  /* of the round */
	double half[2][MAX_ROUNDS]; /* of each half of the round */
} entry_t;

typedef struct field {
	const series_t *s;
	const params_t *p;
	entry_t *e[MAX_CONTENDERS];
	size_t n, rounds;
	entry_t *ref; /* what ratios are to */
} field_t;

/* ---- rounds ---- */

static int time_one(entry_t *e, size_t round, int half)
{
	double t = e->c->c_time(&e->run);

	if (t < 0) {
		e->valid = false;
		t = NAN;
	}
	e->time[half][round] = t;
	return e->valid ? 0 : -1;
}

static void figures(field_t *f, size_t round)
{
	for (size_t i = 0; i < f->n; i++) {
		entry_t *e = f->e[i];
		bool over = f->s->s_kind == SERIES_OVER && i > 0;

		for (int h = 0; h < 2; h++)
			e->half[h][round] = (e->time[h][round] - (over ? f->e[0]->time[h][round] : 0)) / e->run.r_scale;
		e->figure[round] = (e->half[0][round] + e->half[1][round]) / 2;
	}
}

static void one_round(field_t *f, size_t round)
{
	for (size_t i = 0; i < f->n; i++)
		(void)time_one(f->e[i], round, 0);
	for (size_t i = f->n; i-- > 0;)
		(void)time_one(f->e[i], round, 1);
	figures(f, round);
}

static bool narrow(const field_t *f)
{
	for (size_t i = 0; i < f->n; i++) {
		const entry_t *e = f->e[i];
		interval_t ci = stats_median_ci(e->figure, f->rounds);

		if (e->valid && ci.hi - ci.lo > 2 * NARROW * fabs(stats_median(e->figure, f->rounds)))
			return false;
	}
	return true;
}

static void all_rounds(field_t *f)
{
	double budget = f->s->s_budget * options.o_effort;
	size_t least = options.o_effort < 1 ? 5 : 11;
	uint64_t t0;

	t0 = bench_clock(true);
	for (int w = 0; w < WARMUPS && (double)(bench_clock(true) - t0) / 1e9 < budget / 10; w++)
		for (size_t i = 0; i < f->n; i++)
			(void)time_one(f->e[i], 0, 0);
	t0 = bench_clock(true);
	while (f->rounds < MAX_ROUNDS) {
		double spent = (double)(bench_clock(true) - t0) / 1e9;

		/* one that takes long is measured at least thrice */
		if (f->rounds >= 3 && spent > budget)
			break;
		if (f->rounds >= least && f->rounds % 4 == 3 && narrow(f))
			break;
		one_round(f, f->rounds);
		f->rounds++;
	}
}

/* ---- report ---- */

void series_title(const series_t *s, const params_t *p, char *to, size_t size)
{
	int n = snprintf(to, size, "%s", s->s_name);

#define PART(field, fmt)                       \
	if (p->field != 0 && (size_t)n < size) \
	n += snprintf(to + n, size - (size_t)n, " " fmt, p->field)
	PART(p_keys, "keys=%u");
	PART(p_keylen, "keylen=%u");
	PART(p_depth, "depth=%u");
	if (p->p_probes == ALL_PROBES && (size_t)n < size)
		n += snprintf(to + n, size - (size_t)n, " probes=all");
	else
		PART(p_probes, "probes=%u");
	PART(p_modules, "modules=%u");
	PART(p_conns, "conns=%u");
	PART(p_packets, "packets=%lu");
	if (p->p_threads > 1 && (size_t)n < size)
		n += snprintf(to + n, size - (size_t)n, " threads=%u", p->p_threads);
	if (p->p_keys != 0 && p->p_zipf <= 0 && (size_t)n < size)
		snprintf(to + n, size - (size_t)n, " uniform");
#undef PART
}

static const char *role_name(role_t r)
{
	static const char *const names[] = {"base", "limit", "strsim", "peer"};

	return names[r];
}

typedef struct result {
	double median, q1, q3, ratio, noise;
	interval_t ci, ratio_ci;
	verdict_t verdict;
	bool has_ratio;
} result_t;

static void json_samples(FILE *out, const char *name, const double *v, size_t n)
{
	fprintf(out, ",\"%s\":[", name);
	for (size_t i = 0; i < n; i++)
		fprintf(out, "%s%.5g", i > 0 ? "," : "", v[i]);
	fputc(']', out);
}

/* NaN and infinity are no JSON. */
static void json_number(FILE *out, const char *name, double v)
{
	if (isfinite(v))
		fprintf(out, ",\"%s\":%.6g", name, v);
	else
		fprintf(out, ",\"%s\":null", name);
}

/* What the contender took them to be. */
static void json_params(FILE *out, const params_t *p)
{
	fprintf(out,
		",\"keys\":%u,\"zipf\":%g,\"keylen\":%u,\"depth\":%u,\"probes\":%u,\"threads\":%u,\"conns\":%u,"
		"\"packets\":%lu,\"modules\":%u,\"growth\":\"%s\"",
		p->p_keys, p->p_zipf, p->p_keylen, p->p_depth, p->p_probes, p->p_threads, p->p_conns,
		(unsigned long)p->p_packets, p->p_modules, p->p_growth != NULL ? p->p_growth : "");
}

static void json_result(FILE *out, const field_t *f, const entry_t *e, const result_t *r, const char *title)
{
	static const char *const verdicts[] = {"no difference", "less", "more"};

	if (out == NULL)
		return;
	fprintf(out, "{\"record\":\"figure\",\"bench\":\"%s\",\"series\":\"%s\",\"contender\":\"%s\",\"role\":\"%s\"",
		title, f->s->s_name, e->c->c_name, role_name(e->c->c_role));
	fprintf(out, ",\"op\":\"%s\",\"unit\":\"%s\",\"kind\":\"%s\"", f->s->s_op, f->s->s_unit,
		f->s->s_kind == SERIES_OVER ? "over base" : "whole");
	json_params(out, e->run.r_params);
	fprintf(out, ",\"valid\":%s,\"check\":\"%s\",\"rounds\":%zu", e->valid ? "true" : "false", e->run.r_note,
		f->rounds);
	json_number(out, "median", r->median);
	json_number(out, "q1", r->q1);
	json_number(out, "q3", r->q3);
	json_number(out, "lo", r->ci.lo);
	json_number(out, "hi", r->ci.hi);
	json_number(out, "noise", r->noise);
	if (r->has_ratio) {
		fprintf(out, ",\"ratio_to\":\"%s\"", f->ref->c->c_name);
		json_number(out, "ratio", r->ratio);
		json_number(out, "ratio_lo", r->ratio_ci.lo);
		json_number(out, "ratio_hi", r->ratio_ci.hi);
		fprintf(out, ",\"verdict\":\"%s\"", verdicts[r->verdict]);
	}
	json_samples(out, "samples", e->figure, f->rounds);
	if (r->has_ratio)
		json_samples(out, "ref_samples", f->ref->figure, f->rounds);
	fprintf(out, "}\n");
	fflush(out);
}

static result_t result_of(const field_t *f, const entry_t *e)
{
	result_t r = {.median = stats_median(e->figure, f->rounds),
		      .q1 = stats_quantile_of(e->figure, f->rounds, 0.25),
		      .q3 = stats_quantile_of(e->figure, f->rounds, 0.75),
		      .ci = stats_median_ci(e->figure, f->rounds),
		      .noise = stats_noise(e->half[0], e->half[1], f->rounds)};
	double refnoise;

	r.has_ratio = f->ref != NULL && e != f->ref && e->c->c_role != ROLE_BASE && f->ref->valid;
	if (!r.has_ratio)
		return r;
	r.ratio = r.median / stats_median(f->ref->figure, f->rounds);
	r.ratio_ci = stats_ratio_ci(e->figure, f->rounds, f->ref->figure, f->rounds, true);
	refnoise = stats_noise(f->ref->half[0], f->ref->half[1], f->rounds);
	r.verdict =
	    stats_verdict(r.median, stats_median(f->ref->figure, f->rounds), r.ratio_ci, fmax(r.noise, refnoise));
	return r;
}

static void print_result(const entry_t *e, const result_t *r)
{
	static const char *const verdicts[] = {"no difference seen", "less", "more"};

	printf("  %-24s", e->c->c_name);
	if (!e->valid) {
		printf(" VOID: %s\n", e->run.r_note);
		return;
	}
	printf(" %9.2f [%.2f %.2f]", r->median, r->q1, r->q3);
	if (r->has_ratio)
		printf("  x %.2f (%.2f-%.2f) %s", r->ratio, r->ratio_ci.lo, r->ratio_ci.hi, verdicts[r->verdict]);
	if (e->run.r_note[0] != '\0')
		printf("  {%s}", e->run.r_note);
	printf("\n");
}

static void absent(const field_t *f, const contender_t *c, const char *why, const char *title, FILE *json)
{
	printf("  %-24s absent: %s\n", c->c_name, why);
	if (json == NULL)
		return;
	fprintf(json,
		"{\"record\":\"absent\",\"bench\":\"%s\",\"series\":\"%s\",\"contender\":\"%s\",\"why\":\"%s\"}\n",
		title, f->s->s_name, c->c_name, why);
	fflush(json);
}

/* ---- the series ---- */

/* Is one that must be there absent?  Peers may be, and a limit when another is there (it needs what not every machine has). */
static int open_all(field_t *f, const char *title, FILE *json)
{
	bool limits = false; /* one is declared and absent */
	int missing = 0;

	for (const contender_t *const *c = f->s->s_contenders; *c != NULL && f->n < MAX_CONTENDERS; c++) {
		entry_t *e = calloc(1, sizeof(*e));
		const char *why;

		if (e == NULL)
			abort();
		e->c = *c;
		e->valid = true;
		e->run = (run_t){.r_params = f->p, .r_c = *c, .r_scale = 1};
		why = (*c)->c_open != NULL ? (*c)->c_open(&e->run) : NULL;
		if (why != NULL) {
			absent(f, *c, why, title, json);
			missing |= (*c)->c_role == ROLE_BASE || (*c)->c_role == ROLE_STRSIM;
			limits |= (*c)->c_role == ROLE_LIMIT;
			free(e);
			continue;
		}
		if (f->ref == NULL && (*c)->c_role == ROLE_LIMIT)
			f->ref = e;
		f->e[f->n++] = e;
	}
	return missing | (limits && f->ref == NULL);
}

static int close_all(field_t *f, const char *title, FILE *json)
{
	int bad = 0;

	for (size_t i = 0; i < f->n; i++) {
		entry_t *e = f->e[i];

		if (e->valid && e->c->c_exact != NULL && !e->c->c_exact(&e->run))
			e->valid = false;
	}
	for (size_t i = 0; i < f->n; i++) {
		entry_t *e = f->e[i];
		result_t r = result_of(f, e);

		print_result(e, &r);
		json_result(json, f, e, &r, title);
		bad |= !e->valid;
	}
	for (size_t i = f->n; i-- > 0;) {
		if (f->e[i]->c->c_close != NULL)
			f->e[i]->c->c_close(&f->e[i]->run);
		free(f->e[i]);
	}
	return bad;
}

int series_run(const series_t *s, const params_t *p, FILE *json)
{
	field_t f = {.s = s, .p = p};
	const char *why = s->s_setup != NULL ? s->s_setup(p) : NULL;
	char title[160];
	int bad;

	series_title(s, p, title, sizeof(title));
	printf("%s: %s a %s%s\n", title, s->s_unit, s->s_op, s->s_kind == SERIES_OVER ? ", over the base" : "");
	if (why != NULL) {
		printf("  cannot run: %s\n", why);
		return 1;
	}
	bad = open_all(&f, title, json);
	if (f.n > 0)
		all_rounds(&f);
	bad |= close_all(&f, title, json);
	if (s->s_teardown != NULL)
		s->s_teardown(p);
	printf("  (%zu rounds)\n", f.rounds);
	return bad;
}
