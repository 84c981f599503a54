/*
 * What the cells of an aggregation mean: the number they stand for, their
 * order, and the picture of a distribution.
 */
#ifndef STRSIM_CELLS_H
#define STRSIM_CELLS_H

#include "print.h"

/* quantize, lquantize, llquantize. */
bool cells_is_dist(const agg_desc_t *d);
/* Number of cells of an entry. */
uint32_t cells_count(const agg_desc_t *d);
/*
 * The number of a function that is no distribution, divided by the factor `normal' (0 counts as 1).  An
 * unsigned division is asked for by unformatted printing and by unsigned conversions; averages are signed.
 */
int64_t cells_number(const agg_desc_t *d, const int64_t *cells, uint64_t normal, bool divide_unsigned);
/* Place of a value among others, never normalised: compare with cells_compare(). */
typedef struct cells_order {
	int64_t co_high;
	uint64_t co_low;
	int64_t co_zero; /* decides between equal sums of a distribution */
} cells_order_t;
cells_order_t cells_order(const agg_desc_t *d, const int64_t *cells);
/* Negative, 0, positive. */
int cells_compare(const cells_order_t *a, const cells_order_t *b);

/* The distribution: an empty line's newline, header and rows; nothing after the last row. */
void cells_print_dist(const print_ctx_t *ctx, const agg_desc_t *d, const int64_t *cells, uint64_t normal);

/* Text of a cell: its lower bound, or "< N", ">= N" for the open ends. */
#define CELLS_LABEL_MAX 32
void cells_label(const agg_desc_t *d, uint32_t cell, char label[CELLS_LABEL_MAX]);

/* The bar columns of one row: | and 40 columns of @. */
typedef struct bar_scale {
	double bs_total;
	bool bs_pos, bs_neg;
} bar_scale_t;
/* Scale for these n values: their sum, or the greatest when zooming. */
bar_scale_t bar_scale(const int64_t *values, size_t n, bool zoom);
void bar_print(const print_ctx_t *ctx, const bar_scale_t *s, int64_t value, uint64_t normal);

#define DIST_TITLE "------------- Distribution -------------"

#endif
