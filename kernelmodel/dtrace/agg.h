/*
 * The aggregation core, a library of its own: tables from a composite key to
 * the cells of an aggregating function.  It knows neither D nor STREAMS.
 *
 * A key is a sequence of parts, each padded to 8-byte words:
 *
 *	AGG_INT		one word: the value, zero-extended from its size
 *	AGG_STR		the text and its NUL, NUL-padded; at most ap_size bytes;
 *			ends at the first word with a NUL in it
 *	AGG_BYTES	ap_size bytes, NUL-padded
 *	AGG_STACK	ap_size / 8 program counters, unused ones 0
 *
 * Keys are compared exactly.  One table is written by one thread; tables of
 * several threads are merged when read.  Nothing here depends on addresses or
 * hash order in the figures: who prints sorts.
 *
 * Cells (64 bit): count, sum, min, max: 1; avg: 2 (count, sum); stddev: 4 (count, sum,
 * low and high word of the sum of squares); quantize: 127; lquantize: levels + 2;
 * llquantize: as agg_ncells() says.
 */
#ifndef STRSIM_AGG_H
#define STRSIM_AGG_H

#include <stddef.h>
#include <stdint.h>

typedef enum agg_func {
	AGG_COUNT,
	AGG_SUM,
	AGG_MIN,
	AGG_MAX,
	AGG_AVG,
	AGG_STDDEV,
	AGG_QUANTIZE,
	AGG_LQUANTIZE,
	AGG_LLQUANTIZE
} agg_func_t;

typedef enum agg_kind { AGG_INT, AGG_STR, AGG_BYTES, AGG_STACK } agg_kind_t;

typedef struct agg_part {
	agg_kind_t ap_kind;
	uint32_t ap_size; /* bytes: 1, 2, 4, 8 (INT); greatest size (others) */
} agg_part_t;

#define AGG_MAXPARTS 32

typedef struct agg_desc {
	agg_func_t ad_func;
	int32_t ad_base, ad_limit, ad_step;            /* lquantize */
	int32_t ad_factor, ad_low, ad_high, ad_nsteps; /* llquantize */
	uint32_t ad_nparts;
	agg_part_t ad_parts[AGG_MAXPARTS];
} agg_desc_t;

typedef struct agg agg_t;

/* Cells of one entry of this kind; 0 when the description is not legal. */
uint32_t agg_ncells(const agg_desc_t *desc);
/* A table whose keys and cells may take `limit' bytes, 16 more for each key (0 = no limit).  NULL: no memory, or not legal. */
agg_t *agg_create(const agg_desc_t *desc, size_t limit);
void agg_destroy(agg_t *agg);
/*
 * Record one event under `key' (klen bytes, a multiple of 8, laid out as above).
 * value: what is summed, compared or bucketed; incr: weight of the quantize family.
 * 0, or -1 when the key is new and the limit is reached (the caller counts a drop).
 */
int agg_record(agg_t *agg, const uint64_t *key, size_t klen, int64_t value, int64_t incr);
/* The same, faster, where key has room for AGG_PADDED words at least and those behind klen are 0. */
#define AGG_PADDED 16
int agg_record_padded(agg_t *agg, const uint64_t *key, size_t klen, int64_t value, int64_t incr);
/*
 * agg_record_padded() made for one description, with weight 1: nwords words of key, those behind them, up to *padded,
 * are 0.  For keys of unlike length the caller's key has room for AGG_PADDED words more than the longest.
 */
typedef int agg_recorder_t(agg_t *agg, const uint64_t *key, size_t nwords, int64_t value);
agg_recorder_t *agg_recorder(const agg_desc_t *desc, uint32_t *padded);
/*
 * Cells of keys that never change need not be looked for each time.  agg_cells() has those of a key, made if absent
 * (NULL: the limit is reached), to be kept in one of n places that the table has been told of: they are all set to NULL
 * when cells move or go.
 */
void agg_pins(agg_t *agg, int64_t **pins, size_t n);
int64_t *agg_cells(agg_t *agg, const uint64_t *key, size_t klen);
/* One event of weight 1 into cells. */
void agg_update(const agg_t *agg, int64_t *cells, int64_t value);
/* Add the cells of one entry to those of `key' in dst (made if absent).  -1: dst's limit was reached. */
int agg_merge_cells(agg_t *dst, const uint64_t *key, size_t klen, const int64_t *cells);
/* Make room for as many entries as `like' has; call it before copying the entries of one table into another. */
void agg_reserve(agg_t *agg, const agg_t *like);
/* Add the entries of src to dst (same description). -1: dst's limit was reached. */
int agg_merge(agg_t *dst, const agg_t *src);
/* Call f for every entry, in no particular order; a non-zero result ends the walk and is returned. */
typedef int agg_walk_f(void *arg, const uint64_t *key, size_t klen, const int64_t *cells);
int agg_walk(const agg_t *agg, agg_walk_f *f, void *arg);
/* Set all cells to 0, keep the keys: clear() of D, after which min() stays at most 0 and max() at least 0. */
void agg_clear(agg_t *agg);
/* Remove all keys. */
void agg_empty(agg_t *agg);
/* Remove one key: 1 if it was there. */
int agg_remove(agg_t *agg, const uint64_t *key, size_t klen);
/* The cells of one key, NULL when absent. */
const int64_t *agg_lookup(const agg_t *agg, const uint64_t *key, size_t klen);
/* Keys held; bytes of memory mapped for them. */
size_t agg_nkeys(const agg_t *agg);
size_t agg_bytes(const agg_t *agg);

/* Bucket index of v for quantize (0..126), and the label of a bucket. */
uint32_t agg_quantize_bucket(int64_t v);
int64_t agg_quantize_label(uint32_t bucket);
/* Cell index of v for lquantize / llquantize descriptions. */
uint32_t agg_lquantize_cell(const agg_desc_t *d, int64_t v);
uint32_t agg_llquantize_cell(const agg_desc_t *d, int64_t v);
/* Lower bound of llquantize cell i (see the D sheet); cells 0 and last are the open ends. */
int64_t agg_llquantize_label(const agg_desc_t *d, uint32_t cell);

#endif
