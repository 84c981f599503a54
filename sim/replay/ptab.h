/*
 * Pointers by a number: the replay's tables.
 *
 * Open addressing with the number beside the pointer, so that a look-up reads
 * one cache line of the table and the element that is wanted anyway.  Several
 * elements may have the same number (a hash of a longer key): ptab_find() and
 * ptab_next() go through them.  A table is at most three quarters full; deleting moves
 * what follows up, so no marks are left.
 */
#ifndef STRSIM_REPLAY_PTAB_H
#define STRSIM_REPLAY_PTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct ptslot {
	uint64_t ps_key;
	void *ps_val; /* NULL = free */
} ptslot_t;

typedef struct ptab {
	ptslot_t *pt_slots; /* NULL = empty table */
	size_t pt_mask;     /* number of slots less one */
	size_t pt_count;
	int pt_shift; /* of a product to a slot's number */
} ptab_t;

static inline size_t ptab_home(const ptab_t *t, uint64_t key)
{
	return (key * 0x9e3779b97f4a7c15ULL) >> t->pt_shift;
}

/* The first slot at or behind i with this key, NULL when a free one comes first. */
static inline ptslot_t *ptab_from(const ptab_t *t, size_t i, uint64_t key)
{
	for (; t->pt_slots[i].ps_val != NULL; i = (i + 1) & t->pt_mask)
		if (t->pt_slots[i].ps_key == key)
			return &t->pt_slots[i];
	return NULL;
}

static inline ptslot_t *ptab_find(const ptab_t *t, uint64_t key)
{
	return t->pt_slots == NULL ? NULL : ptab_from(t, ptab_home(t, key), key);
}

/* Another one with the key of slot s. */
static inline ptslot_t *ptab_next(const ptab_t *t, const ptslot_t *s)
{
	return ptab_from(t, ((size_t)(s - t->pt_slots) + 1) & t->pt_mask, s->ps_key);
}

/* The element with this number, for tables whose numbers are the whole key; NULL = none. */
static inline void *ptab_get(const ptab_t *t, uint64_t key)
{
	const ptslot_t *s = ptab_find(t, key);

	return s != NULL ? s->ps_val : NULL;
}

/* Bring the line of the table that a look-up will read. */
static inline void ptab_prefetch(const ptab_t *t, uint64_t key)
{
	if (t->pt_slots != NULL)
		__builtin_prefetch(&t->pt_slots[ptab_home(t, key)]);
}

/* Add an element; false without memory. */
bool ptab_put(ptab_t *t, uint64_t key, void *val);
/* Take out this element, which is in the table. */
void ptab_del(ptab_t *t, uint64_t key, const void *val);
/* Free the table, not its elements: it is empty again. */
void ptab_fini(ptab_t *t);

#endif
