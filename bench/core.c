/*
 * The core by itself, through its public API (agg.h): keys ready in memory are counted, beside the limit's table and
 * those of libraries.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernelmodel/dtrace/agg.h"
#include "limit.h"
#include "work.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))
#define MAX_WORDS 32

static uint64_t *keys; /* p_keys of them, p_keylen bytes each */
static uint32_t *draws, *hits;
static uint64_t ndraws, rng;

static uint64_t draw(void)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return rng;
}

/* Keys alike but for a few words, as stacks are. */
static void make_keys(const params_t *p)
{
	size_t words = p->p_keylen / 8;

	for (uint32_t k = 0; k < p->p_keys; k++)
		for (size_t w = 0; w < words; w++)
			keys[k * words + w] = w % 3 == 0 ? 0x400000 + (uint64_t)k * 16 : 0x500000 + w;
}

static void make_draws(const params_t *p)
{
	double *cdf = malloc(p->p_keys * sizeof(*cdf)), sum = 0;

	if (cdf == NULL)
		abort();
	for (uint32_t k = 0; k < p->p_keys; k++)
		cdf[k] = sum += p->p_zipf > 0 ? pow(k + 1, -p->p_zipf) : 1;
	for (uint64_t i = 0; i < ndraws; i++) {
		double u = (double)(draw() >> 11) / 9007199254740992.0 * sum;
		uint32_t lo = 0, hi = p->p_keys - 1;

		while (lo < hi) {
			uint32_t mid = (lo + hi) / 2;

			if (cdf[mid] < u)
				lo = mid + 1;
			else
				hi = mid;
		}
		draws[i] = lo;
	}
	free(cdf);
}

static const char *setup(const params_t *p)
{
	rng = 88172645463325252ULL;
	ndraws = 1 << 20;
	bench_pin(0);
	keys = malloc((size_t)p->p_keys * p->p_keylen);
	draws = malloc(ndraws * sizeof(*draws));
	hits = calloc(p->p_keys, sizeof(*hits));
	if (keys == NULL || draws == NULL || hits == NULL)
		return "no memory";
	make_keys(p);
	make_draws(p);
	return NULL;
}

static void teardown(const params_t *p)
{
	(void)p;
	free(keys);
	free(draws);
	free(hits);
}

/* ---- base: the keys are only looked at ---- */

static volatile uint64_t sink;

static double time_base(run_t *r)
{
	size_t words = r->r_params->p_keylen / 8;
	uint64_t n = r->r_params->p_ops, t0 = bench_clock(false), sum = 0;

	for (uint64_t i = 0; i < n; i++) {
		const uint64_t *k = keys + draws[(r->r_sent + i) & (ndraws - 1)] * words;

		for (size_t w = 0; w < words; w++)
			sum += k[w];
		__asm__ volatile("" : "+r"(sum));
	}
	t0 = bench_clock(false) - t0;
	sink = sum;
	r->r_sent += n;
	return (double)t0 / (double)n;
}

static const contender_t base = {.c_name = "reading the keys", .c_role = ROLE_BASE, .c_time = time_base};

/* ---- tables ---- */

static const char *open_table(run_t *r)
{
	const table_ops_t *ops = r->r_c->c_arg;

	if (ops == NULL)
		return "not installed when this was built";
	r->r_data = ops->to_create(r->r_params->p_keylen);
	return NULL;
}

static double time_table(run_t *r)
{
	const table_ops_t *ops = r->r_c->c_arg;
	size_t words = r->r_params->p_keylen / 8;
	uint64_t n = r->r_params->p_ops, t0 = bench_clock(false);

	for (uint64_t i = 0; i < n; i++)
		ops->to_count(r->r_data, keys + draws[(r->r_sent + i) & (ndraws - 1)] * words);
	t0 = bench_clock(false) - t0;
	r->r_sent += n;
	return (double)t0 / (double)n;
}

static tally_t expected(const run_t *r)
{
	tally_t t = {0, 0, 0};

	memset(hits, 0, r->r_params->p_keys * sizeof(*hits));
	for (uint64_t i = 0; i < r->r_sent; i++)
		hits[draws[i & (ndraws - 1)]]++;
	for (uint32_t k = 0; k < r->r_params->p_keys; k++) {
		t.t_keys += hits[k] != 0;
		tally_add(&t, hits[k]);
	}
	return t;
}

static void add_count(void *arg, uint64_t count)
{
	tally_t *t = arg;

	t->t_keys++;
	tally_add(t, count);
}

static bool exact_table(run_t *r)
{
	const table_ops_t *ops = r->r_c->c_arg;
	tally_t want = expected(r), got = {0, 0, 0};
	bool same;

	ops->to_walk(r->r_data, add_count, &got);
	same = got.t_keys == want.t_keys && got.t_total == want.t_total && got.t_squares == want.t_squares;
	snprintf(r->r_note, sizeof(r->r_note), "%lu keys, %lu counted%s", got.t_keys, got.t_total,
		 same ? "" : ", not what was sent");
	return same;
}

static void close_table(run_t *r)
{
	((const table_ops_t *)r->r_c->c_arg)->to_destroy(r->r_data);
}

#define TABLE(var, name, role, ops)                             \
	static const contender_t var = {.c_name = name,         \
					.c_role = role,         \
					.c_arg = ops,           \
					.c_open = open_table,   \
					.c_time = time_table,   \
					.c_exact = exact_table, \
					.c_close = close_table}
TABLE(core, "strsim agg_record", ROLE_STRSIM, &table_strsim);
TABLE(limit, "limit", ROLE_LIMIT, &table_limit);
TABLE(peer_open, "khash-like", ROLE_PEER, &table_open);
TABLE(peer_uthash, "uthash", ROLE_PEER, &table_uthash);
TABLE(peer_glib, "GHashTable", ROLE_PEER, &table_glib);
TABLE(peer_ck, "ck_ht", ROLE_PEER, &table_ck);
TABLE(peer_absl, "absl::flat_hash_map", ROLE_PEER, &table_absl);

/* ---- a histogram for each key ---- */

static const char *open_quantize(run_t *r)
{
	agg_desc_t desc = {.ad_func = AGG_QUANTIZE, .ad_nparts = 1};

	desc.ad_parts[0] = (agg_part_t){AGG_BYTES, r->r_params->p_keylen};
	r->r_data = agg_create(&desc, 0);
	return r->r_data != NULL ? NULL : "no memory";
}

/* The value is the place in the draw, which the check can tell again. */
static int64_t value_of(uint64_t i)
{
	return (int64_t)(i * 2654435761U % 1461);
}

static double time_quantize(run_t *r)
{
	size_t words = r->r_params->p_keylen / 8;
	uint64_t n = r->r_params->p_ops, t0 = bench_clock(false);

	for (uint64_t i = r->r_sent; i < r->r_sent + n; i++)
		if (agg_record(r->r_data, keys + draws[i & (ndraws - 1)] * words, words * 8, value_of(i), 1) != 0)
			return -1;
	t0 = bench_clock(false) - t0;
	r->r_sent += n;
	return (double)t0 / (double)n;
}

/* Buckets of all keys together, beside those of the values sent. */
static int add_buckets(void *arg, const uint64_t *key, size_t klen, const int64_t *cells)
{
	uint64_t *sum = arg;

	(void)key, (void)klen;
	for (uint32_t b = 0; b < 127; b++)
		sum[b] += (uint64_t)cells[b];
	return 0;
}

static bool exact_quantize(run_t *r)
{
	uint64_t got[127] = {0}, want[127] = {0};
	bool same;

	(void)agg_walk(r->r_data, add_buckets, got);
	for (uint64_t i = 0; i < r->r_sent; i++)
		want[agg_quantize_bucket(value_of(i))]++;
	same = memcmp(got, want, sizeof(got)) == 0 && agg_nkeys(r->r_data) == expected(r).t_keys;
	snprintf(r->r_note, sizeof(r->r_note), "%zu keys, %lu values%s", agg_nkeys(r->r_data), r->r_sent,
		 same ? "" : ", buckets differ");
	return same;
}

static void close_quantize(run_t *r)
{
	agg_destroy(r->r_data);
}

static const contender_t quantize = {.c_name = "strsim agg_record",
				     .c_role = ROLE_STRSIM,
				     .c_open = open_quantize,
				     .c_time = time_quantize,
				     .c_exact = exact_quantize,
				     .c_close = close_quantize};

/* ---- memory ---- */

/* The bytes of a key and its count. */
static double bytes_alone(run_t *r)
{
	return r->r_params->p_keylen + 8;
}

/* Mapped by a table of all keys, for one. */
static double bytes_mapped(run_t *r)
{
	size_t words = r->r_params->p_keylen / 8, n;
	void *t = table_strsim.to_create(r->r_params->p_keylen);
	double bytes;

	for (uint32_t k = 0; k < r->r_params->p_keys; k++)
		table_strsim.to_count(t, keys + k * words);
	bytes = (double)table_strsim_bytes(t, &n) / (double)n;
	r->r_sent = n;
	table_strsim.to_destroy(t);
	return bytes;
}

static bool exact_bytes(run_t *r)
{
	snprintf(r->r_note, sizeof(r->r_note), "%lu keys", r->r_sent);
	return r->r_sent == r->r_params->p_keys;
}

static const contender_t key_alone = {.c_name = "key and count", .c_role = ROLE_BASE, .c_time = bytes_alone};
static const contender_t table_bytes = {
    .c_name = "strsim", .c_role = ROLE_STRSIM, .c_time = bytes_mapped, .c_exact = exact_bytes};

/* ---- series ---- */

static const params_t counts[] = {
    {.p_keys = 72, .p_zipf = 1, .p_keylen = 56, .p_ops = 100000, .p_growth = "keys"},
    {.p_keys = 1000, .p_keylen = 56, .p_ops = 100000, .p_growth = "keys"},
    {.p_keys = 100000, .p_keylen = 56, .p_ops = 500000, .p_growth = "keys"},
    {.p_keys = 1000000, .p_keylen = 56, .p_ops = 1000000, .p_growth = "keys"},
};
static const params_t lengths[] = {
    {.p_keys = 72, .p_zipf = 1, .p_keylen = 8, .p_ops = 100000, .p_growth = "keylen"},
    {.p_keys = 72, .p_zipf = 1, .p_keylen = 16, .p_ops = 100000, .p_growth = "keylen"},
    {.p_keys = 72, .p_zipf = 1, .p_keylen = 32, .p_ops = 100000, .p_growth = "keylen"},
    {.p_keys = 72, .p_zipf = 1, .p_keylen = 64, .p_ops = 100000, .p_growth = "keylen"},
    {.p_keys = 72, .p_zipf = 1, .p_keylen = 128, .p_ops = 100000, .p_growth = "keylen"},
    {.p_keys = 72, .p_zipf = 1, .p_keylen = 256, .p_ops = 100000, .p_growth = "keylen"},
};
static const params_t crowds[] = {
    {.p_keys = 100000, .p_keylen = 56, .p_growth = "keys"},
    {.p_keys = 1000000, .p_keylen = 56, .p_growth = "keys"},
    {.p_keys = 10000, .p_keylen = 56, .p_growth = "keys"},
    {.p_keys = 10000000, .p_keylen = 56, .p_growth = "keys"},
};
static const params_t histograms[] = {{.p_keys = 16, .p_zipf = 1, .p_keylen = 88, .p_ops = 100000}};

#define LIST(...) ((const contender_t *const[]){__VA_ARGS__, NULL})

const series_t bench_core[] = {
    {"core/keys", "key counted", "ns", SERIES_OVER,
     LIST(&base, &limit, &core, &peer_open, &peer_uthash, &peer_glib, &peer_ck, &peer_absl), counts, LEN(counts), 1, 20,
     setup, teardown},
    {"core/keylen", "key counted", "ns", SERIES_OVER, LIST(&base, &limit, &core, &peer_open, &peer_absl), lengths,
     LEN(lengths), 0, 8, setup, teardown},
    {"core/memory", "key", "bytes", SERIES_WHOLE, LIST(&key_alone, &table_bytes), crowds, LEN(crowds), 2, 4, setup,
     teardown},
    {"core/quantize", "value", "ns", SERIES_OVER, LIST(&base, &quantize), histograms, LEN(histograms), 1, 10, setup,
     teardown},
};
const size_t bench_ncore = LEN(bench_core);
