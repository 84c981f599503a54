/* uthash (Troy D. Hanson): chained, its own hash. */
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "tables.h"

typedef struct entry {
	UT_hash_handle hh;
	uint64_t count, key[];
} entry_t;

typedef struct ut {
	entry_t *head;
	size_t klen;
} ut_t;

static void *ut_create(size_t klen)
{
	ut_t *t = calloc(1, sizeof(*t));

	if (t == NULL)
		abort();
	t->klen = klen;
	return t;
}

static void ut_count(void *table, const uint64_t *key)
{
	ut_t *t = table;
	entry_t *e;

	HASH_FIND(hh, t->head, key, t->klen, e);
	if (e == NULL) {
		e = calloc(1, sizeof(*e) + t->klen);
		if (e == NULL)
			abort();
		memcpy(e->key, key, t->klen);
		HASH_ADD_KEYPTR(hh, t->head, e->key, t->klen, e);
	}
	e->count++;
}

static void ut_walk(void *table, void (*f)(void *, uint64_t), void *arg)
{
	for (entry_t *e = ((ut_t *)table)->head; e != NULL; e = e->hh.next)
		f(arg, e->count);
}

static void ut_destroy(void *table)
{
	ut_t *t = table;
	entry_t *e = t->head, *next;

	HASH_CLEAR(hh, t->head);
	for (; e != NULL; e = next) {
		next = e->hh.next;
		free(e);
	}
	free(t);
}

const table_ops_t table_uthash = {"uthash", ut_create, ut_count, ut_walk, ut_destroy};
