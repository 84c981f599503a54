/*
 * Memory for many small objects, in blocks from the host.
 *
 * A block is cut from its beginning; nothing is given back but all at once, so
 * whoever uses an arena keeps lists of what was freed.  Blocks double up to the
 * size of a huge page and are huge pages from then on: a kernel with a hundred
 * thousand connections touches memory at random, and each small page of it
 * would cost a fault at the beginning and a place in the TLB ever after.
 */
#ifndef STRSIM_MACHINE_ARENA_H
#define STRSIM_MACHINE_ARENA_H

#include <stddef.h>

#define HUGE_BLOCK ((size_t)2 << 20)

typedef struct arena {
	char *ar_at, *ar_end;      /* what is left of the newest block */
	struct arblock *ar_blocks; /* all */
	size_t ar_size;            /* of the newest block */
} arena_t;

/* Bytes that are zero, aligned to 16; size is at most a page.  NULL without memory. */
void *arena_take(arena_t *a, size_t size);
/* Give all of it back: the arena is empty again. */
void arena_fini(arena_t *a);

/* Zeroed memory of its own, in huge pages if bytes is a multiple of HUGE_BLOCK.  NULL without memory. */
void *block_map(size_t bytes);
void block_unmap(void *p, size_t bytes);

#endif
