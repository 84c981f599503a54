/*
 * Aggregations in the consumer: order, printing, clear(), trunc(),
 * normalize().
 */
#ifndef STRSIM_AGGPRINT_H
#define STRSIM_AGGPRINT_H

#include "format.h"
#include "options.h"

/* Where aggregations come from: dtrace_agg_snapshot() and so on of a session; tables of their own in tests. */
typedef struct agg_source {
	agg_t *(*as_snapshot)(void *arg, const dtrace_aggvar_t *av);
	void (*as_clear)(void *arg, const dtrace_aggvar_t *av);
	void (*as_remove)(void *arg, const dtrace_aggvar_t *av, const uint64_t *key, size_t klen);
	void *as_arg;
} agg_source_t;

typedef struct aggprint aggprint_t;

/* src and op stay the caller's. */
aggprint_t *aggprint_create(const agg_source_t *src, const options_t *op);
void aggprint_destroy(aggprint_t *ap);

/* printa(); f NULL = default form. */
void aggprint_printa(aggprint_t *ap, const print_ctx_t *ctx, const struct dt_format *f, dtrace_aggvar_t *const *avs,
		     uint32_t navs);
/* At the end: every one of these that was never printed. */
void aggprint_rest(aggprint_t *ap, const print_ctx_t *ctx, dtrace_aggvar_t *const *avs, size_t navs);

void aggprint_clear(aggprint_t *ap, const dtrace_aggvar_t *av);
/* n = 0: all keys; n > 0 keeps the n largest values, n < 0 the -n smallest. */
void aggprint_trunc(aggprint_t *ap, const dtrace_aggvar_t *av, int64_t n);
/* factor 0 or 1: denormalize(). */
void aggprint_normalize(aggprint_t *ap, const dtrace_aggvar_t *av, uint64_t factor);

/* Call f for every entry in printing order, not normalised: for other output forms. */
typedef struct agg_entry {
	const dtrace_aggvar_t *ae_av;
	const uint64_t *ae_key;
	size_t ae_klen;
	const int64_t *ae_cells;
	uint64_t ae_normal;
} agg_entry_t;
void aggprint_walk(aggprint_t *ap, dtrace_aggvar_t *const *avs, size_t navs, void (*f)(void *, const agg_entry_t *),
		   void *arg);
/* Pointers to the parts of a key; the number of parts. */
uint32_t aggprint_keyparts(const dtrace_aggvar_t *av, const uint64_t *key, const void *parts[AGG_MAXPARTS]);

#endif
