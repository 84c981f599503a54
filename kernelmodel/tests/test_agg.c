/* The aggregation core: against a naive model, and values worked out by hand. */
#include <criterion/criterion.h>
#include <string.h>

#include "dtrace/agg.h"

static uint64_t seed = 88172645463325252;

static uint64_t rnd(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	return seed ^= seed << 17;
}

static agg_desc_t desc_of(agg_func_t f, uint32_t nparts, ...)
{
	agg_desc_t d = {.ad_func = f, .ad_nparts = nparts};
	va_list ap;
	uint32_t i;

	va_start(ap, nparts);
	for (i = 0; i < nparts; i++) {
		d.ad_parts[i].ap_kind = va_arg(ap, agg_kind_t);
		d.ad_parts[i].ap_size = va_arg(ap, uint32_t);
	}
	va_end(ap);
	if (f == AGG_LQUANTIZE) {
		d.ad_base = -10;
		d.ad_limit = 31;
		d.ad_step = 4;
	}
	if (f == AGG_LLQUANTIZE) {
		d.ad_factor = 10;
		d.ad_low = 0;
		d.ad_high = 2;
		d.ad_nsteps = 5;
	}
	return d;
}

/* Append the words of a string part. */
static size_t put_str(uint64_t *key, size_t n, const char *s)
{
	size_t words = strlen(s) / 8 + 1;

	memset(key + n, 0, words * 8);
	memcpy(key + n, s, strlen(s));
	return n + words;
}

/* ---- the naive model: a list of entries, cells computed from the definition ---- */

enum { NKEYS = 300, KEYWORDS = 48, CELLS = 128 };

typedef struct model {
	size_t n;
	struct {
		uint64_t key[KEYWORDS];
		size_t klen;
		int64_t cells[CELLS];
		int64_t min, max;
		__extension__ unsigned __int128 squares;
	} e[NKEYS];
} model_t;

static size_t model_key(model_t *m, const uint64_t *key, size_t klen)
{
	size_t i;

	for (i = 0; i < m->n; i++)
		if (m->e[i].klen == klen && memcmp(m->e[i].key, key, klen) == 0)
			return i;
	cr_assert(m->n < NKEYS);
	memset(&m->e[i], 0, sizeof(m->e[i]));
	memcpy(m->e[i].key, key, klen);
	m->e[i].klen = klen;
	m->e[i].min = INT64_MAX;
	m->e[i].max = INT64_MIN;
	m->n++;
	return i;
}

static int model_log2(uint64_t v)
{
	int k = -1;

	for (; v != 0; v /= 2)
		k++;
	return k;
}

static void model_record(model_t *m, const agg_desc_t *d, const uint64_t *key, size_t klen, int64_t v, int64_t incr)
{
	size_t i = model_key(m, key, klen);
	int64_t *c = m->e[i].cells;

	switch (d->ad_func) {
	case AGG_COUNT:
		c[0]++;
		break;
	case AGG_SUM:
		c[0] = (int64_t)((uint64_t)c[0] + (uint64_t)v);
		break;
	case AGG_MIN:
		c[0] = m->e[i].min = v < m->e[i].min ? v : m->e[i].min;
		break;
	case AGG_MAX:
		c[0] = m->e[i].max = v > m->e[i].max ? v : m->e[i].max;
		break;
	case AGG_AVG:
		c[0]++;
		c[1] = (int64_t)((uint64_t)c[1] + (uint64_t)v);
		break;
	case AGG_STDDEV:
		c[0]++;
		c[1] = (int64_t)((uint64_t)c[1] + (uint64_t)v);
		m->e[i].squares += (unsigned long)(v < 0 ? -v : v) * (__extension__(unsigned __int128) 1) *
				   (unsigned long)(v < 0 ? -v : v);
		c[2] = (int64_t)(uint64_t)m->e[i].squares;
		c[3] = (int64_t)(uint64_t)(m->e[i].squares >> 64);
		break;
	case AGG_QUANTIZE:
		c[v == 0 ? 63 : v > 0 ? 64 + model_log2((uint64_t)v) : 62 - model_log2((uint64_t)-v)] += incr;
		break;
	case AGG_LQUANTIZE: /* -10, 31, 4: ten levels, the last ends at 30 */
		c[v < -10 ? 0 : v >= 30 ? 11 : (v + 10) / 4 + 1] += incr;
		break;
	case AGG_LLQUANTIZE: { /* 10, 0, 2, 5: 1 2 4 6 8 10 20 40 ... 800, 1000; 5 buckets a magnitude */
		int64_t a = v < 0 ? -v : v, unit = 1;
		int o = 0;

		if (a >= 1000) {
			o = 16;
		} else if (a > 0) {
			for (o = 1; a >= unit * 10; unit *= 10)
				o += 5;
			o += (int)(a / (unit * 2));
		}
		c[16 + (v < 0 ? -o : o)] += incr;
		break;
	}
	}
}

static size_t random_key(const agg_desc_t *d, uint64_t *key)
{
	static const char *const names[] = {
	    "",
	    "ip",
	    "tcp",
	    "strwhead",
	    "mouse8042",
	    "a name of a good many words",
	    "a name that is much longer than any slot that is kept in place: it has to go elsewhere"};
	size_t n = 0, k;
	uint32_t i;

	for (i = 0; i < d->ad_nparts; i++) {
		const agg_part_t *p = &d->ad_parts[i];

		switch (p->ap_kind) {
		case AGG_INT:
			key[n++] = rnd() % 5;
			break;
		case AGG_STR:
			n = put_str(key, n, names[rnd() % 7]);
			break;
		case AGG_BYTES:
		case AGG_STACK:
			for (k = 0; k < (p->ap_size + 7) / 8; k++)
				key[n++] = k == 1 ? rnd() % 3 : 0;
			break;
		}
	}
	return n * 8;
}

static int compare_entry(void *arg, const uint64_t *key, size_t klen, const int64_t *cells)
{
	model_t *m = arg;
	size_t before = m->n, i = model_key(m, key, klen);

	cr_assert_eq(m->n, before, "a key that was never recorded");
	cr_assert_eq(memcmp(m->e[i].cells, cells, 8), 0);
	for (size_t k = 0; k < CELLS - 1; k++)
		if (m->e[i].cells[k] != 0)
			cr_assert_eq(m->e[i].cells[k], cells[k], "cell %zu: %ld, not %ld", k, cells[k],
				     m->e[i].cells[k]);
	return 0;
}

static void against_model(agg_desc_t d)
{
	static model_t m;
	agg_t *all = agg_create(&d, 0), *part[2] = {agg_create(&d, 0), agg_create(&d, 0)}, *sum = agg_create(&d, 0);
	uint64_t key[KEYWORDS];
	int i;

	m.n = 0;
	cr_assert(all != NULL && sum != NULL);
	for (i = 0; i < 20000; i++) {
		size_t klen = random_key(&d, key);
		int64_t v = (int64_t)rnd() >> (rnd() % 62), incr = (int64_t)(rnd() % 7) - 3;

		if (v == INT64_MIN || v < -(INT64_MAX / 4) || v > INT64_MAX / 4)
			v = 17;
		if (d.ad_func == AGG_LQUANTIZE)
			v %= 50;
		model_record(&m, &d, key, klen, v, incr);
		cr_assert_eq(agg_record(all, key, klen, v, incr), 0);
		cr_assert_eq(agg_record(part[i & 1], key, klen, v, incr), 0);
	}
	cr_assert_eq(agg_nkeys(all), m.n);
	cr_assert_eq(agg_walk(all, compare_entry, &m), 0);
	cr_assert_eq(agg_merge(sum, part[0]), 0);
	cr_assert_eq(agg_merge(sum, part[1]), 0);
	cr_assert_eq(agg_nkeys(sum), m.n);
	cr_assert_eq(agg_walk(sum, compare_entry, &m), 0);
	agg_destroy(all);
	agg_destroy(sum);
	agg_destroy(part[0]);
	agg_destroy(part[1]);
}

Test(agg, all_functions_and_key_shapes_equal_the_naive_model)
{
	int f;

	for (f = AGG_COUNT; f <= AGG_LLQUANTIZE; f++) {
		against_model(desc_of((agg_func_t)f, 0));
		against_model(desc_of((agg_func_t)f, 1, AGG_INT, 4));
		against_model(desc_of((agg_func_t)f, 1, AGG_STR, 256));
		against_model(desc_of((agg_func_t)f, 2, AGG_STR, 256, AGG_STACK, 40));
		against_model(desc_of((agg_func_t)f, 2, AGG_INT, 4, AGG_BYTES, 80));
		against_model(desc_of((agg_func_t)f, 3, AGG_STACK, 24, AGG_STR, 256, AGG_INT, 8));
	}
}

/* ---- growth: every key is found, with its own figure ---- */

typedef struct tally {
	size_t keys;
	uint64_t sum;
} tally_t;

static int tally(void *arg, const uint64_t *key, size_t klen, const int64_t *cells)
{
	tally_t *t = arg;

	(void)klen;
	t->keys++;
	t->sum += (uint64_t)cells[0];
	cr_assert_eq((uint64_t)cells[0], key[0] % 7 + 1);
	return 0;
}

static void grow(agg_desc_t d, uint64_t n)
{
	agg_t *agg = agg_create(&d, 0);
	tally_t t;
	uint64_t i, r, key[40], want = 0;

	for (r = 0; r < 7; r++) {
		want = 0;
		for (i = 0; i < n; i++) {
			size_t words = 1;

			key[0] = i;
			if (d.ad_nparts > 1)
				words = put_str(key, 1,
						"some text that takes thirteen words of eight bytes, so that the "
						"key cannot stand in the table itself");
			if (r <= i % 7)
				cr_assert_eq(agg_record(agg, key, words * 8, 0, 0), 0);
			want += (i % 7 < r ? i % 7 : r) + 1;
			if (i % 4096 == 4095)
				cr_assert(agg_lookup(agg, key, words * 8) != NULL);
		}
		if (r < 6)
			continue;
		t = (tally_t){0};
		cr_assert_eq(agg_walk(agg, tally, &t), 0);
		cr_assert_eq(t.keys, n);
		cr_assert_eq(t.sum, want);
		cr_assert_eq(agg_nkeys(agg), n);
	}
	agg_destroy(agg);
}

Test(agg, grows_with_exact_figures)
{
	grow(desc_of(AGG_COUNT, 1, AGG_INT, 8), 200000);
	grow(desc_of(AGG_COUNT, 2, AGG_INT, 8, AGG_STR, 256), 50000);
}

static int count_keys(void *arg, const uint64_t *key, size_t klen, const int64_t *cells)
{
	(void)key;
	(void)klen;
	(void)cells;
	++*(size_t *)arg;
	return 0;
}

/* A walk at any moment of growth gives each key once. */
Test(agg, walks_while_it_grows)
{
	static const uint32_t second[] = {0, 256};
	uint64_t key[16], i;
	size_t seen, words;

	for (size_t s = 0; s < 2; s++) {
		agg_desc_t d = desc_of(AGG_SUM, second[s] ? 2 : 1, AGG_INT, 8, AGG_STR, 256);
		agg_t *agg = agg_create(&d, 0);

		for (i = 0; i < 1500; i++) {
			key[0] = i;
			words = second[s] ? put_str(key, 1,
						    "longer than the words which a slot can take: this goes to the "
						    "other table of the two")
					  : 1;
			cr_assert_eq(agg_record(agg, key, words * 8, (int64_t)i, 0), 0);
			key[0] = i / 2;
			cr_assert_eq(agg_lookup(agg, key, words * 8)[0], (int64_t)(i / 2));
			seen = 0;
			cr_assert_eq(agg_walk(agg, count_keys, &seen), 0);
			cr_assert_eq(seen, i + 1);
		}
		agg_destroy(agg);
	}
}

Test(agg, removes_and_makes_again)
{
	agg_desc_t d = desc_of(AGG_COUNT, 2, AGG_INT, 4, AGG_STR, 256);
	agg_t *agg = agg_create(&d, 0);
	uint64_t key[40];
	size_t i, words, seen;

	for (int round = 0; round < 3; round++) {
		for (i = 0; i < 3000; i++) {
			key[0] = i;
			words = put_str(
			    key, 1, i % 3 ? "short" : "one that is too long to be kept in place, being of many words");
			cr_assert_eq(agg_record(agg, key, words * 8, 0, 0), 0);
		}
		cr_assert_eq(agg_nkeys(agg), 3000);
		for (i = 0; i < 3000; i++) {
			key[0] = (i * 7) % 3000;
			words = put_str(key, 1,
					key[0] % 3 ? "short"
						   : "one that is too long to be kept in place, being of many words");
			cr_assert_eq(agg_remove(agg, key, words * 8), 1);
			cr_assert_eq(agg_remove(agg, key, words * 8), 0);
			cr_assert_null(agg_lookup(agg, key, words * 8));
			if (i == 1499) { /* the other half is still there, each found */
				for (size_t k = 1500; k < 3000; k++) {
					key[0] = (k * 7) % 3000;
					words = put_str(key, 1,
							key[0] % 3 ? "short"
								   : "one that is too long to be kept in place, "
								     "being of many words");
					cr_assert_not_null(agg_lookup(agg, key, words * 8));
				}
			}
		}
		cr_assert_eq(agg_nkeys(agg), 0);
		seen = 0;
		(void)agg_walk(agg, count_keys, &seen);
		cr_assert_eq(seen, 0);
	}
	agg_destroy(agg);
}

Test(agg, limit_refuses_new_keys_only)
{
	agg_desc_t d = desc_of(AGG_SUM, 1, AGG_INT, 8);
	agg_t *agg = agg_create(&d, 10 * (8 + 8 + 16)), *other = agg_create(&d, 0);
	uint64_t key = 0;

	for (key = 0; key < 10; key++)
		cr_assert_eq(agg_record(agg, &key, 8, 1, 0), 0);
	cr_assert_eq(agg_record(agg, &key, 8, 1, 0), -1);
	cr_assert_eq(agg_record(other, &key, 8, 1, 0), 0);
	cr_assert_eq(agg_merge(agg, other), -1);
	key = 4;
	cr_assert_eq(agg_record(agg, &key, 8, 5, 0), 0);
	cr_assert_eq(*agg_lookup(agg, &key, 8), 6);
	cr_assert_eq(agg_nkeys(agg), 10);
	cr_assert_eq(agg_remove(agg, &key, 8), 1);
	key = 10;
	cr_assert_eq(agg_record(agg, &key, 8, 1, 0), 0);
	agg_empty(agg);
	cr_assert_eq(agg_nkeys(agg), 0);
	cr_assert_eq(agg_bytes(agg), 0);
	cr_assert_eq(agg_record(agg, &key, 8, 1, 0), 0);
	agg_destroy(agg);
	agg_destroy(other);
}

Test(agg, clear_keeps_keys_with_cells_zero)
{
	agg_desc_t d = desc_of(AGG_MIN, 1, AGG_INT, 8);
	agg_t *agg = agg_create(&d, 0);
	uint64_t key = 3;

	cr_assert_eq(agg_record(agg, &key, 8, 70, 0), 0);
	agg_clear(agg);
	cr_assert_eq(*agg_lookup(agg, &key, 8), 0);
	cr_assert_eq(agg_record(agg, &key, 8, 70, 0), 0);
	cr_assert_eq(*agg_lookup(agg, &key, 8), 0);
	cr_assert_eq(agg_record(agg, &key, 8, -70, 0), 0);
	cr_assert_eq(*agg_lookup(agg, &key, 8), -70);
	agg_destroy(agg);
}

/* ---- buckets ---- */

Test(agg, quantize_buckets_at_every_border)
{
	uint32_t k;

	cr_assert_eq(agg_quantize_bucket(0), 63);
	cr_assert_eq(agg_quantize_label(63), 0);
	for (k = 0; k < 63; k++) {
		int64_t low = (int64_t)1 << k, high = (int64_t)(((uint64_t)1 << (k + 1)) - 1);

		cr_assert_eq(agg_quantize_bucket(low), 64 + k);
		cr_assert_eq(agg_quantize_bucket(high), 64 + k);
		cr_assert_eq(agg_quantize_label(64 + k), low);
		cr_assert_eq(agg_quantize_bucket(-low), 62 - k);
		cr_assert_eq(agg_quantize_bucket(-high), 62 - k);
		cr_assert_eq(agg_quantize_label(62 - k), -low);
	}
	cr_assert_eq(agg_quantize_bucket(INT64_MAX), 126);
	cr_assert_eq(agg_quantize_bucket(INT64_MIN), 0);
}

Test(agg, lquantize_cells)
{
	agg_desc_t d = {.ad_func = AGG_LQUANTIZE, .ad_base = 0, .ad_limit = 10, .ad_step = 4};

	cr_assert_eq(agg_ncells(&d), 4); /* below, 0, 4, 8 and above */
	cr_assert_eq(agg_lquantize_cell(&d, -1), 0);
	cr_assert_eq(agg_lquantize_cell(&d, 0), 1);
	cr_assert_eq(agg_lquantize_cell(&d, 3), 1);
	cr_assert_eq(agg_lquantize_cell(&d, 4), 2);
	cr_assert_eq(agg_lquantize_cell(&d, 7), 2);
	cr_assert_eq(agg_lquantize_cell(&d, 8), 3);
	cr_assert_eq(agg_lquantize_cell(&d, 1000), 3);
	cr_assert_eq(agg_lquantize_cell(&d, (int64_t)1 << 32 | 5), 2, "the value counts as 32 bits");
	d = (agg_desc_t){.ad_func = AGG_LQUANTIZE, .ad_base = -100, .ad_limit = 100, .ad_step = 100};
	cr_assert_eq(agg_lquantize_cell(&d, -105), 0);
	cr_assert_eq(agg_lquantize_cell(&d, -100), 1);
	cr_assert_eq(agg_lquantize_cell(&d, -1), 1);
	cr_assert_eq(agg_lquantize_cell(&d, 99), 2);
	cr_assert_eq(agg_lquantize_cell(&d, 100), 3);
}

Test(agg, llquantize_cells_and_labels)
{
	/* 10, 0, 2, 5: five steps a magnitude, rows 0 1 2 4 6 8 10 20 ... 800 >= 1000 */
	static const int64_t labels[] = {0, 1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400, 600, 800, 1000};
	agg_desc_t d = {.ad_func = AGG_LLQUANTIZE, .ad_factor = 10, .ad_low = 0, .ad_high = 2, .ad_nsteps = 5};
	uint32_t i;

	cr_assert_eq(agg_ncells(&d), 33);
	for (i = 0; i <= 16; i++) {
		cr_assert_eq(agg_llquantize_label(&d, 16 + i), labels[i]);
		cr_assert_eq(agg_llquantize_label(&d, 16 - i), -labels[i]);
		cr_assert_eq(agg_llquantize_cell(&d, labels[i]), 16 + i);
		cr_assert_eq(agg_llquantize_cell(&d, -labels[i]), 16 - i);
		if (i > 0)
			cr_assert_eq(agg_llquantize_cell(&d, labels[i] - 1), 16 + i - 1);
	}
	cr_assert_eq(agg_llquantize_cell(&d, -300), 16 - 12);
	cr_assert_eq(agg_llquantize_cell(&d, 60), 16 + 9);
	cr_assert_eq(agg_llquantize_cell(&d, 5000), 32);
	cr_assert_eq(agg_llquantize_cell(&d, INT64_MIN), 0);
	/* 10, 0, 2, 2: rows 1 5 10 50 100 500 */
	d.ad_nsteps = 2;
	cr_assert_eq(agg_ncells(&d), 15);
	cr_assert_eq(agg_llquantize_cell(&d, -40), 7 - 3);
	cr_assert_eq(agg_llquantize_label(&d, 7 - 3), -10);
	cr_assert_eq(agg_llquantize_cell(&d, 3), 8);
	cr_assert_eq(agg_llquantize_cell(&d, 5), 9);
	cr_assert_eq(agg_llquantize_label(&d, 9), 5);
	/* 4, 0, 2, 8: 2 buckets a unit below 4, half of them fictitious */
	d = (agg_desc_t){.ad_func = AGG_LLQUANTIZE, .ad_factor = 4, .ad_low = 0, .ad_high = 2, .ad_nsteps = 8};
	cr_assert_eq(agg_ncells(&d), 2 * 18 + 3);
	cr_assert_eq(agg_llquantize_cell(&d, 1), 19 + 1);
	cr_assert_eq(agg_llquantize_cell(&d, 2), 19 + 3);
	cr_assert_eq(agg_llquantize_cell(&d, 3), 19 + 5);
	cr_assert_eq(agg_llquantize_cell(&d, 4), 19 + 7);
	cr_assert_eq(agg_llquantize_label(&d, 19 + 8), 6);
	cr_assert_eq(agg_llquantize_cell(&d, 40), 19 + 16);
	cr_assert_eq(agg_llquantize_label(&d, 19 + 16), 40);
	/* 10, 2, 2, 10 */
	d = (agg_desc_t){.ad_func = AGG_LLQUANTIZE, .ad_factor = 10, .ad_low = 2, .ad_high = 2, .ad_nsteps = 10};
	cr_assert_eq(agg_llquantize_cell(&d, 99), 10);
	cr_assert_eq(agg_llquantize_cell(&d, 250), 12);
	cr_assert_eq(agg_llquantize_label(&d, 12), 200);
	cr_assert_eq(agg_llquantize_cell(&d, -2000), 0);
	cr_assert_eq(agg_llquantize_label(&d, 0), -1000);
	/* a power that needs all 64 bits */
	d = (agg_desc_t){.ad_func = AGG_LLQUANTIZE, .ad_factor = 2, .ad_low = 0, .ad_high = 62, .ad_nsteps = 2};
	cr_assert_eq((uint64_t)agg_llquantize_label(&d, agg_ncells(&d) - 1), (uint64_t)1 << 63);
	cr_assert_eq(agg_llquantize_cell(&d, INT64_MAX), agg_ncells(&d) - 2);
}

Test(agg, refuses_what_is_not_legal)
{
	agg_desc_t d = {.ad_func = AGG_LQUANTIZE, .ad_base = 0, .ad_limit = 0, .ad_step = 1};

	cr_assert_eq(agg_ncells(&d), 0);
	cr_assert_null(agg_create(&d, 0));
	d.ad_limit = 65536;
	cr_assert_eq(agg_ncells(&d), 0);
	d.ad_limit = 65535;
	cr_assert_eq(agg_ncells(&d), 65537);
	d.ad_step = 0;
	cr_assert_eq(agg_ncells(&d), 0);
	d = (agg_desc_t){.ad_func = AGG_LLQUANTIZE, .ad_factor = 10, .ad_low = 0, .ad_high = 19, .ad_nsteps = 10};
	cr_assert_eq(agg_ncells(&d), 0); /* 10^20 is too much */
	d.ad_high = 18;
	cr_assert_neq(agg_ncells(&d), 0);
	d.ad_nsteps = 3;
	cr_assert_eq(agg_ncells(&d), 0);
	d.ad_nsteps = 20;
	cr_assert_neq(agg_ncells(&d), 0); /* 20 divides 100 */
	d.ad_nsteps = 30;
	cr_assert_eq(agg_ncells(&d), 0);
	d = (agg_desc_t){.ad_func = AGG_COUNT, .ad_nparts = 1, .ad_parts = {{AGG_INT, 3}}};
	cr_assert_null(agg_create(&d, 0));
	d.ad_parts[0] = (agg_part_t){AGG_STACK, 12};
	cr_assert_null(agg_create(&d, 0));
	d.ad_nparts = AGG_MAXPARTS + 1;
	cr_assert_null(agg_create(&d, 0));
}

Test(agg, stddev_keeps_128_bits)
{
	agg_desc_t d = desc_of(AGG_STDDEV, 0);
	agg_t *agg = agg_create(&d, 0);
	const int64_t *c;

	/* 2^62 squared three times: 3 * 2^124 */
	for (int i = 0; i < 3; i++)
		cr_assert_eq(agg_record(agg, NULL, 0, i == 1 ? -((int64_t)1 << 62) : (int64_t)1 << 62, 0), 0);
	c = agg_lookup(agg, NULL, 0);
	cr_assert_eq(c[0], 3);
	cr_assert_eq(c[1], (int64_t)1 << 62);
	cr_assert_eq(c[2], 0);
	cr_assert_eq(c[3], (int64_t)3 << 60);
	agg_destroy(agg);
}

/* The keys of putnexts.d: a name of up to seven letters and five program counters, which make a slot of 8 words. */
static size_t stack_key(uint64_t *key, uint64_t i)
{
	size_t n = put_str(key, 0, "ldterm"), k;

	for (k = 0; k < 5; k++)
		key[n++] = 0x400000 + i * 16 + k * 0x10000;
	return n * 8;
}

Test(agg, large_tables_take_at_most_100_bytes_a_key)
{
	agg_desc_t d = desc_of(AGG_COUNT, 2, AGG_STR, 256, AGG_STACK, 40);
	agg_t *a = agg_create(&d, 0);
	uint64_t key[16], i, step;
	size_t klen, growing = 0;

	for (i = 0; i < 300000; i++) {
		klen = stack_key(key, i);
		cr_assert_eq(agg_record(a, key, klen, 0, 1), 0);
		if (i < 8192)
			continue;
		/* while it grows, the old slots are there too, less each time */
		cr_assert_leq(agg_bytes(a), 180 * i);
		growing += agg_bytes(a) > 100 * agg_nkeys(a);
		for (step = 1; step <= i; step *= 7) {
			klen = stack_key(key, i - step);
			cr_assert_eq(*agg_lookup(a, key, klen), 1);
		}
		klen = stack_key(key, i + 1);
		cr_assert_null(agg_lookup(a, key, klen));
	}
	cr_assert_leq(growing, 300000 / 10);
	agg_destroy(a);
}

/* Keys of each length, also those that fill their slot, and the padded call beside the other. */
Test(agg, keys_of_each_length_are_found_by_both_calls)
{
	uint64_t key[AGG_PADDED + 24], words;

	for (words = 1; words <= 20; words++) {
		agg_desc_t d = desc_of(AGG_COUNT, 1, AGG_BYTES, (uint32_t)words * 8);
		agg_t *a = agg_create(&d, 0);
		uint64_t i;

		for (i = 0; i < 2000; i++) {
			memset(key, 0, sizeof(key));
			key[words - 1] = i; /* one key of zeroes alone among them */
			cr_assert_eq(agg_record(a, key, words * 8, 0, 1), 0);
			cr_assert_eq(agg_record_padded(a, key, words * 8, 0, 1), 0);
			memset(key + words, 0xff, sizeof(key) - words * 8); /* what is behind a key is not looked at */
			cr_assert_eq(agg_record(a, key, words * 8, 0, 1), 0);
			cr_assert_eq(*agg_lookup(a, key, words * 8), 3);
		}
		cr_assert_eq(agg_nkeys(a), 2000);
		agg_destroy(a);
	}
}
