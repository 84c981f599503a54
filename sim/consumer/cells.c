/*
 * Aggregated cells as numbers and as distributions.
 *
 * A distribution is printed from the first to the last cell that is not zero,
 * and one more on each side.  The three functions differ only in how a cell
 * is labelled, so each gives a struct dist (how many cells, which row shows a
 * zero distribution, what a cell is called) and the rest is common.
 */
#include "cells.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

__extension__ typedef __int128 int128_t;
__extension__ typedef unsigned __int128 uint128_t;

#define LABEL_MAX CELLS_LABEL_MAX
#define QUANT_CELLS 127
#define QUANT_ZERO 63

bool cells_is_dist(const agg_desc_t *d)
{
	return d->ad_func >= AGG_QUANTIZE;
}

/* ---- llquantize geometry: cells lie symmetrically around the one of small values ---- */

typedef struct ll {
	int64_t ll_steps, ll_sf;  /* steps of a magnitude; those below the magnitude's first cell */
	uint32_t ll_per, ll_nmag; /* cells of a magnitude, magnitudes */
	uint32_t ll_mid;          /* index of the middle cell */
} ll_t;

static ll_t ll_geometry(const agg_desc_t *d)
{
	ll_t g;

	g.ll_steps = d->ad_nsteps;
	g.ll_sf = d->ad_nsteps / d->ad_factor;
	g.ll_per = (uint32_t)(g.ll_steps - g.ll_sf);
	g.ll_nmag = (uint32_t)(d->ad_high - d->ad_low + 1);
	g.ll_mid = 1 + g.ll_per * g.ll_nmag;
	return g;
}

static uint64_t ipow(uint64_t base, int exp)
{
	uint64_t r = 1;

	while (exp-- > 0)
		r *= base;
	return r;
}

/* Lower bound of the cell `off' places from the middle (off > 0); *real is false for cells never filled. */
static uint64_t ll_bound(const agg_desc_t *d, const ll_t *g, uint32_t off, bool *real)
{
	uint32_t mag = (off - 1) / g->ll_per;
	int64_t step = (off - 1) % g->ll_per + g->ll_sf;
	int m = d->ad_low + (int)mag;

	*real = true;
	if (mag >= g->ll_nmag)
		return ipow((uint64_t)d->ad_factor, d->ad_high + 1);
	if (step == g->ll_sf)
		return ipow((uint64_t)d->ad_factor, m);
	if (m == 0 && g->ll_sf > 1) {
		*real = step % g->ll_sf == 0;
		return (uint64_t)(step / g->ll_sf);
	}
	return (uint64_t)((uint128_t)ipow((uint64_t)d->ad_factor, m + 1) * (uint64_t)step / (uint64_t)g->ll_steps);
}

uint32_t cells_count(const agg_desc_t *d)
{
	switch (d->ad_func) {
	case AGG_AVG:
		return 2;
	case AGG_STDDEV:
		return 4;
	case AGG_QUANTIZE:
		return QUANT_CELLS;
	case AGG_LQUANTIZE:
		return (uint32_t)(((int64_t)d->ad_limit - d->ad_base) / d->ad_step) + 2;
	case AGG_LLQUANTIZE:
		return 2 * ll_geometry(d).ll_mid + 1;
	default:
		return 1;
	}
}

/* ---- numbers ---- */

static uint64_t isqrt128(uint128_t v)
{
	uint64_t r = 0;

	for (int bit = 63; bit >= 0; bit--) {
		uint64_t t = r | (uint64_t)1 << bit;

		if ((uint128_t)t * t <= v)
			r = t;
	}
	return r;
}

/* The squares are divided by the factor once, the mean as well: so the first implementation that had both. */
static int64_t stddev(const int64_t *cells, uint64_t normal)
{
	int64_t n = cells[0], mean;
	uint128_t squares, meansq;

	if (n == 0)
		return 0;
	squares = (uint128_t)(uint64_t)cells[3] << 64 | (uint64_t)cells[2];
	squares = squares / normal / (uint64_t)n;
	mean = cells[1] / (int64_t)normal / n;
	meansq = (uint128_t)((int128_t)mean * mean);
	return squares > meansq ? (int64_t)isqrt128(squares - meansq) : 0;
}

/* Signed division that cannot trap. */
static int64_t sdiv(int64_t a, int64_t b)
{
	if (b == -1)
		return (int64_t)(0 - (uint64_t)a);
	return a / b;
}

int64_t cells_number(const agg_desc_t *d, const int64_t *cells, uint64_t normal, bool divide_unsigned)
{
	if (normal == 0)
		normal = 1;
	switch (d->ad_func) {
	case AGG_AVG:
		return cells[0] ? sdiv(sdiv(cells[1], (int64_t)normal), cells[0]) : 0;
	case AGG_STDDEV:
		return stddev(cells, normal);
	default:
		return divide_unsigned ? (int64_t)((uint64_t)cells[0] / normal) : sdiv(cells[0], (int64_t)normal);
	}
}

/* ---- order ---- */

static int cmp64(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Sum of label times count; *zero is the cell that decides between equal sums. */
static int128_t weighted_sum(const agg_desc_t *d, const int64_t *cells, int64_t *zero)
{
	uint32_t n = cells_count(d);
	int128_t sum = 0;
	ll_t g;

	switch (d->ad_func) {
	case AGG_QUANTIZE:
		for (uint32_t i = 0; i < n; i++)
			sum += (int128_t)agg_quantize_label(i) * cells[i];
		*zero = cells[QUANT_ZERO];
		break;
	case AGG_LQUANTIZE:
		*zero = 0;
		sum = ((int128_t)d->ad_base - 1) * cells[0];
		for (uint32_t i = 1; i < n; i++) {
			int64_t label = d->ad_base + (int64_t)(i - 1) * d->ad_step;

			if (i == n - 1)
				label++;
			else if (label == 0)
				*zero = cells[i];
			sum += (int128_t)label * cells[i];
		}
		break;
	default:
		g = ll_geometry(d);
		*zero = cells[g.ll_mid];
		for (uint32_t off = 1; off <= g.ll_mid; off++) {
			bool real;
			int128_t label = ll_bound(d, &g, off, &real);

			sum += label * cells[g.ll_mid + off] - label * cells[g.ll_mid - off];
		}
	}
	return sum;
}

cells_order_t cells_order(const agg_desc_t *d, const int64_t *cells)
{
	cells_order_t o = {0};
	int128_t v;

	switch (d->ad_func) {
	case AGG_AVG:
		v = cells_number(d, cells, 1, false);
		break;
	case AGG_STDDEV:
		v = (uint64_t)stddev(cells, 1);
		break;
	case AGG_QUANTIZE:
	case AGG_LQUANTIZE:
	case AGG_LLQUANTIZE:
		v = weighted_sum(d, cells, &o.co_zero);
		break;
	default:
		v = cells[0];
	}
	o.co_high = (int64_t)(v >> 64);
	o.co_low = (uint64_t)v;
	return o;
}

int cells_compare(const cells_order_t *a, const cells_order_t *b)
{
	if (a->co_high != b->co_high)
		return a->co_high < b->co_high ? -1 : 1;
	if (a->co_low != b->co_low)
		return a->co_low < b->co_low ? -1 : 1;
	return cmp64(a->co_zero, b->co_zero);
}

/* ---- bars ---- */

bar_scale_t bar_scale(const int64_t *values, size_t n, bool zoom)
{
	bar_scale_t s = {0};
	double max = 0;

	for (size_t i = 0; i < n; i++) {
		double v = fabs((double)values[i]);

		s.bs_pos |= values[i] > 0;
		s.bs_neg |= values[i] < 0;
		s.bs_total += v;
		max = fmax(max, v);
	}
	if (zoom)
		s.bs_total = max / 0.95;
	return s;
}

static int bar_length(const bar_scale_t *s, int64_t value, int columns)
{
	if (s->bs_total <= 0)
		return 0;
	return MIN((int)(fabs((double)value) * columns / s->bs_total + 0.5), columns);
}

static void put_at(FILE *fp, int n)
{
	while (n-- > 0)
		fputc('@', fp);
}

static void bar_right(FILE *fp, int len, int columns)
{
	fprintf(fp, "%*s", columns - len, "");
	put_at(fp, len);
}

static void bar_left(FILE *fp, int len, int columns)
{
	put_at(fp, len);
	fprintf(fp, "%*s", columns - len, "");
}

/* A block character of `eighths' eighths of a column, in UTF-8. */
static void put_block(FILE *fp, int eighths)
{
	fprintf(fp, "\xe2\x96%c", 0x90 - eighths);
}

static void bar_blocks(FILE *fp, const bar_scale_t *s, int64_t value, int columns)
{
	int eighths = s->bs_total > 0 ? (int)((double)value * columns * 8 / s->bs_total + 0.5) : 0;
	int used = 0;

	eighths = MIN(eighths, columns * 8);
	for (; eighths >= 8; eighths -= 8, used++)
		put_block(fp, 8);
	if (eighths > 0) {
		put_block(fp, eighths);
		used++;
	}
	fprintf(fp, "%*s", columns - used, "");
}

void bar_print(const print_ctx_t *ctx, const bar_scale_t *s, int64_t value, uint64_t normal)
{
	FILE *fp = ctx->pc_fp;

	if (!s->bs_neg) {
		fputc('|', fp);
		if (ctx->pc_utf8)
			bar_blocks(fp, s, value, 40);
		else
			bar_left(fp, bar_length(s, value, 40), 40);
	} else if (!s->bs_pos) {
		bar_right(fp, bar_length(s, value, 40), 40);
		fputc('|', fp);
	} else if (value <= 0) {
		bar_right(fp, bar_length(s, value, 20), 20);
		fprintf(fp, "|%20s", "");
	} else {
		fprintf(fp, "%20s|", "");
		bar_left(fp, bar_length(s, value, 20), 20);
	}
	fprintf(fp, " %-9" PRId64 "\n", (int64_t)((uint64_t)value / (normal ? normal : 1)));
}

/* ---- distributions ---- */

/* Rows first..last are printed; cell texts depend on where the first row is (llquantize). */
typedef struct dist {
	uint32_t ds_ncells;
	uint32_t ds_zfirst, ds_zlast; /* rows of a distribution that is all zero */
	/* Text of cell i; false when it is never filled and not printed. */
	bool (*ds_label)(const agg_desc_t *d, uint32_t i, uint32_t first, char label[LABEL_MAX]);
} dist_t;

static bool quantize_label(const agg_desc_t *d, uint32_t i, uint32_t first, char label[LABEL_MAX])
{
	(void)d;
	(void)first;
	snprintf(label, LABEL_MAX, "%" PRId64, agg_quantize_label(i));
	return true;
}

static bool lquantize_label(const agg_desc_t *d, uint32_t i, uint32_t first, char label[LABEL_MAX])
{
	uint32_t n = cells_count(d);
	int64_t bound = d->ad_base + (int64_t)(i - 1) * d->ad_step;

	(void)first;
	if (i == 0)
		snprintf(label, LABEL_MAX, "< %d", d->ad_base);
	else
		snprintf(label, LABEL_MAX, "%s%" PRId64, i == n - 1 ? ">= " : "", bound);
	return true;
}

static bool llquantize_label(const agg_desc_t *d, uint32_t i, uint32_t first, char label[LABEL_MAX])
{
	ll_t g = ll_geometry(d);
	uint32_t off = i > g.ll_mid ? i - g.ll_mid : g.ll_mid - i;
	char text[2 * LABEL_MAX];
	bool real = true;

	if (off == 0 && d->ad_low == 0)
		snprintf(text, sizeof(text), "0");
	else if (off == 0)
		snprintf(text, sizeof(text), first >= g.ll_mid ? "< %" PRIu64 : "abs() < %" PRIu64,
			 ipow((uint64_t)d->ad_factor, d->ad_low));
	else
		snprintf(text, sizeof(text), "%s%s%" PRIu64,
			 off < g.ll_mid ? ""
			 : i > g.ll_mid ? ">= "
					: "<= ",
			 i > g.ll_mid ? "" : "-", ll_bound(d, &g, off, &real));
	snprintf(label, LABEL_MAX, "%.15s", text);
	return real;
}

static dist_t dist_of(const agg_desc_t *d)
{
	ll_t g;

	switch (d->ad_func) {
	case AGG_QUANTIZE:
		return (dist_t){QUANT_CELLS, QUANT_ZERO - 1, QUANT_ZERO + 1, quantize_label};
	case AGG_LQUANTIZE:
		return (dist_t){cells_count(d), 0, 2, lquantize_label};
	default:
		g = ll_geometry(d);
		return (dist_t){2 * g.ll_mid + 1, g.ll_mid, g.ll_mid + 2, llquantize_label};
	}
}

void cells_label(const agg_desc_t *d, uint32_t cell, char label[CELLS_LABEL_MAX])
{
	dist_of(d).ds_label(d, cell, 0, label);
}

static void dist_range(const dist_t *ds, const int64_t *cells, uint32_t *first, uint32_t *last)
{
	uint32_t lo = 0, hi = ds->ds_ncells - 1;

	while (lo <= hi && cells[lo] == 0)
		lo++;
	if (lo > hi) {
		*first = ds->ds_zfirst;
		*last = MIN(ds->ds_zlast, hi);
		return;
	}
	while (cells[hi] == 0)
		hi--;
	*first = lo > 0 ? lo - 1 : lo;
	*last = hi < ds->ds_ncells - 1 ? hi + 1 : hi;
}

void cells_print_dist(const print_ctx_t *ctx, const agg_desc_t *d, const int64_t *cells, uint64_t normal)
{
	dist_t ds = dist_of(d);
	uint32_t first, last;
	char label[LABEL_MAX];
	bar_scale_t scale;

	dist_range(&ds, cells, &first, &last);
	scale = bar_scale(cells + first, last - first + 1, ctx->pc_zoom);
	fprintf(ctx->pc_fp, "\n%16s %41s %-9s\n", "value", DIST_TITLE, "count");
	/* An end row that has no label of its own takes that of the next outward. */
	while (first > 0 && !ds.ds_label(d, first, first, label))
		first--;
	while (last < ds.ds_ncells - 1 && !ds.ds_label(d, last, first, label))
		last++;
	for (uint32_t i = first; i <= last; i++) {
		if (!ds.ds_label(d, i, first, label))
			continue;
		fprintf(ctx->pc_fp, "%16s ", label);
		bar_print(ctx, &scale, cells[i], normal);
	}
}
