/*
 * printf() and printa() formats: parsing and checking (declared in d/dt.h,
 * for the compiler) and execution.
 */
#ifndef STRSIM_FORMAT_H
#define STRSIM_FORMAT_H

#include "d/dt.h"
#include "print.h"

/* One argument: what was recorded, or a key. */
typedef struct fmt_val {
	const dif_type_t *fv_type;
	const void *fv_data;
} fmt_val_t;

/* One aggregation's value for %@. */
typedef struct fmt_agg {
	const agg_desc_t *fa_desc;
	const int64_t *fa_cells;
	uint64_t fa_normal;
} fmt_agg_t;

/* Print.  Fewer values than conversions print as nothing; the last aggregation serves further %@. */
void fmt_print(const print_ctx_t *ctx, const struct dt_format *f, const fmt_val_t *vals, uint32_t nvals,
	       const fmt_agg_t *aggs, uint32_t naggs);
/* Into a fresh string (free()), NULL when memory is short. */
char *fmt_text(const print_ctx_t *ctx, const struct dt_format *f, const fmt_val_t *vals, uint32_t nvals);

#endif
