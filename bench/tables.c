#include "tables.h"

#include <stdlib.h>
#include <string.h>

#include "kernelmodel/dtrace/agg.h"

static void *must(void *p)
{
	if (p == NULL)
		abort();
	return p;
}

/* A hash of bytes good enough for the tables that bring none: multiply and fold over words. */
static uint64_t hash_of(const uint64_t *key, size_t klen)
{
	uint64_t h = klen;

	for (size_t i = 0; i < klen / 8; i++) {
		__uint128_t m = (__uint128_t)(h ^ key[i]) * 0x9e3779b97f4a7c15;

		h = (uint64_t)m ^ (uint64_t)(m >> 64);
	}
	return h;
}

/* ---- strsim's core ---- */

typedef struct core {
	agg_t *agg;
	size_t klen;
} core_t;

static void *core_create(size_t klen)
{
	agg_desc_t desc = {.ad_func = AGG_COUNT, .ad_nparts = 1};
	core_t *c = must(malloc(sizeof(*c)));

	desc.ad_parts[0] = (agg_part_t){AGG_BYTES, (uint32_t)klen};
	c->agg = must(agg_create(&desc, 0));
	c->klen = klen;
	return c;
}

static void core_count(void *table, const uint64_t *key)
{
	core_t *c = table;

	if (agg_record(c->agg, key, c->klen, 1, 1) != 0)
		abort();
}

typedef struct walk {
	void (*f)(void *, uint64_t);
	void *arg;
} walk_t;

static int core_entry(void *arg, const uint64_t *key, size_t klen, const int64_t *cells)
{
	walk_t *w = arg;

	(void)key, (void)klen;
	w->f(w->arg, (uint64_t)cells[0]);
	return 0;
}

static void core_walk(void *table, void (*f)(void *, uint64_t), void *arg)
{
	walk_t w = {f, arg};

	(void)agg_walk(((core_t *)table)->agg, core_entry, &w);
}

static void core_destroy(void *table)
{
	agg_destroy(((core_t *)table)->agg);
	free(table);
}

size_t table_strsim_bytes(void *table, size_t *nkeys)
{
	const core_t *c = table;

	*nkeys = agg_nkeys(c->agg);
	return agg_bytes(c->agg);
}

const table_ops_t table_strsim = {"strsim agg_record", core_create, core_count, core_walk, core_destroy};

/* ---- open addressing with keys by value, as khash keeps them: flags, keys and values apart ---- */

typedef struct open {
	size_t klen, mask, used;
	uint8_t *flags;
	uint64_t *keys, *vals;
} open_t;

static void open_alloc(open_t *o, size_t n)
{
	o->mask = n - 1;
	o->used = 0;
	o->flags = must(calloc(n, 1));
	o->keys = must(malloc(n * o->klen));
	o->vals = must(malloc(n * sizeof(uint64_t)));
}

static void *open_create(size_t klen)
{
	open_t *o = must(calloc(1, sizeof(*o)));

	o->klen = klen;
	open_alloc(o, 64);
	return o;
}

/* The key's slot, or the free one it would take; steps grow by one. */
static size_t open_find(const open_t *o, const uint64_t *key)
{
	size_t at = hash_of(key, o->klen) & o->mask, step = 0;

	while (o->flags[at] != 0 && memcmp((const char *)o->keys + at * o->klen, key, o->klen) != 0)
		at = (at + ++step) & o->mask;
	return at;
}

static void open_put(open_t *o, size_t at, const uint64_t *key, uint64_t val)
{
	o->flags[at] = 1;
	memcpy((char *)o->keys + at * o->klen, key, o->klen);
	o->vals[at] = val;
	o->used++;
}

static void open_free(open_t *o)
{
	free(o->flags);
	free(o->keys);
	free(o->vals);
}

static void open_grow(open_t *o)
{
	open_t old = *o;

	open_alloc(o, (old.mask + 1) * 2);
	for (size_t i = 0; i <= old.mask; i++) {
		const uint64_t *key = old.keys + i * (old.klen / 8);

		if (old.flags[i] != 0)
			open_put(o, open_find(o, key), key, old.vals[i]);
	}
	open_free(&old);
}

static void open_count(void *table, const uint64_t *key)
{
	open_t *o = table;
	size_t at = open_find(o, key);

	if (o->flags[at] != 0) {
		o->vals[at]++;
		return;
	}
	if (o->used * 4 >= (o->mask + 1) * 3) {
		open_grow(o);
		at = open_find(o, key);
	}
	open_put(o, at, key, 1);
}

static void open_walk(void *table, void (*f)(void *, uint64_t), void *arg)
{
	const open_t *o = table;

	for (size_t i = 0; i <= o->mask; i++)
		if (o->flags[i] != 0)
			f(arg, o->vals[i]);
}

static void open_destroy(void *table)
{
	open_free(table);
	free(table);
}

const table_ops_t table_open = {"khash-like", open_create, open_count, open_walk, open_destroy};
