/* Concurrency Kit's ck_ht, one writer, with XXH3. */
#include <ck_ht.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "tables.h"

typedef struct entry {
	uint64_t count, key[];
} entry_t;

typedef struct ckt {
	ck_ht_t ht;
	size_t klen;
} ckt_t;

static void *ck_alloc(size_t n)
{
	return malloc(n);
}

static void ck_release(void *p, size_t n, bool defer)
{
	(void)n, (void)defer;
	free(p);
}

static struct ck_malloc allocator = {.malloc = ck_alloc, .free = ck_release};

static void ck_hash(ck_ht_hash_t *h, const void *key, size_t len, uint64_t seed)
{
	(void)seed;
	h->value = XXH3_64bits(key, len);
}

static void *ckt_create(size_t klen)
{
	ckt_t *t = calloc(1, sizeof(*t));

	if (t == NULL || !ck_ht_init(&t->ht, CK_HT_MODE_BYTESTRING, ck_hash, &allocator, 128, 1))
		abort();
	t->klen = klen;
	return t;
}

static void ckt_count(void *table, const uint64_t *key)
{
	ckt_t *t = table;
	ck_ht_entry_t at;
	ck_ht_hash_t h;
	entry_t *e;

	ck_ht_hash(&h, &t->ht, key, (uint16_t)t->klen);
	ck_ht_entry_key_set(&at, key, (uint16_t)t->klen);
	if (ck_ht_get_spmc(&t->ht, h, &at)) {
		((entry_t *)ck_ht_entry_value(&at))->count++;
		return;
	}
	e = calloc(1, sizeof(*e) + t->klen);
	if (e == NULL)
		abort();
	memcpy(e->key, key, t->klen);
	e->count = 1;
	ck_ht_entry_set(&at, h, e->key, (uint16_t)t->klen, e);
	if (!ck_ht_put_spmc(&t->ht, h, &at))
		abort();
}

static void ckt_walk(void *table, void (*f)(void *, uint64_t), void *arg)
{
	ck_ht_iterator_t it = CK_HT_ITERATOR_INITIALIZER;
	ck_ht_entry_t *e;

	while (ck_ht_next(&((ckt_t *)table)->ht, &it, &e))
		f(arg, ((entry_t *)ck_ht_entry_value(e))->count);
}

static void ckt_destroy(void *table)
{
	ckt_t *t = table;
	ck_ht_iterator_t it = CK_HT_ITERATOR_INITIALIZER;
	ck_ht_entry_t *e;

	while (ck_ht_next(&t->ht, &it, &e))
		free(ck_ht_entry_value(e));
	ck_ht_destroy(&t->ht);
	free(t);
}

const table_ops_t table_ck = {"ck_ht", ckt_create, ckt_count, ckt_walk, ckt_destroy};
