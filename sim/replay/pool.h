/*
 * Objects of one size, many of them: an arena and a list of what was freed.
 * With a sanitizer each is malloc's, so that a use after free is seen.
 */
#ifndef STRSIM_REPLAY_POOL_H
#define STRSIM_REPLAY_POOL_H

#include "machine/arena.h"

#include <stddef.h>

typedef struct pool {
	size_t po_size;
	struct poolfree *po_free;
	arena_t po_arena;
} pool_t;

/* An empty pool; it may be made again after pool_fini(). */
void pool_init(pool_t *p, size_t size);
/* An object of zeros; NULL without memory. */
void *pool_get(pool_t *p);
void pool_put(pool_t *p, void *obj);
/* Give back the memory; its objects are gone.  (Under a sanitizer each is an allocation of its own: put them back first.) */
void pool_fini(pool_t *p);

#endif
