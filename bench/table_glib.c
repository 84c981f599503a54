/* GLib's GHashTable, with XXH3. */
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "tables.h"

typedef struct entry {
	size_t klen;
	uint64_t count, key[];
} entry_t;

typedef struct gt {
	GHashTable *hash;
	entry_t *probe; /* what is looked up: carries the length */
} gt_t;

static guint entry_hash(gconstpointer p)
{
	const entry_t *e = p;

	return (guint)XXH3_64bits(e->key, e->klen);
}

static gboolean entry_equal(gconstpointer a, gconstpointer b)
{
	const entry_t *x = a, *y = b;

	return memcmp(x->key, y->key, x->klen) == 0;
}

static entry_t *entry_new(size_t klen)
{
	entry_t *e = calloc(1, sizeof(*e) + klen);

	if (e == NULL)
		abort();
	e->klen = klen;
	return e;
}

static void *gt_create(size_t klen)
{
	gt_t *t = calloc(1, sizeof(*t));

	if (t == NULL)
		abort();
	t->hash = g_hash_table_new_full(entry_hash, entry_equal, free, NULL);
	t->probe = entry_new(klen);
	return t;
}

static void gt_count(void *table, const uint64_t *key)
{
	gt_t *t = table;
	entry_t *e;

	memcpy(t->probe->key, key, t->probe->klen);
	e = g_hash_table_lookup(t->hash, t->probe);
	if (e == NULL) {
		e = entry_new(t->probe->klen);
		memcpy(e->key, key, e->klen);
		g_hash_table_insert(t->hash, e, e);
	}
	e->count++;
}

static void gt_walk(void *table, void (*f)(void *, uint64_t), void *arg)
{
	GHashTableIter it;
	gpointer e;

	g_hash_table_iter_init(&it, ((gt_t *)table)->hash);
	while (g_hash_table_iter_next(&it, &e, NULL))
		f(arg, ((entry_t *)e)->count);
}

static void gt_destroy(void *table)
{
	gt_t *t = table;

	g_hash_table_destroy(t->hash);
	free(t->probe);
	free(t);
}

const table_ops_t table_glib = {"GHashTable", gt_create, gt_count, gt_walk, gt_destroy};
