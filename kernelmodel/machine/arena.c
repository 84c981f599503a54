#include "machine/arena.h"

#include <stdint.h>
#include <sys/mman.h>

#define FIRST_BLOCK ((size_t)64 << 10)
#define GRAIN ((size_t)16)

typedef struct arblock {
	struct arblock *ab_next;
	size_t ab_size;
} arblock_t;

static void *map(size_t bytes, int flags)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	return p != MAP_FAILED ? p : NULL;
}

/* All small pages at once are cheaper than a fault each.  Huge ones need alignment: map more, and let go of both ends. */
void *block_map(size_t bytes)
{
	char *p, *base;

	if (bytes % HUGE_BLOCK != 0)
		return map(bytes, MAP_POPULATE);
	p = map(bytes + HUGE_BLOCK, 0);
	if (p == NULL)
		return NULL;
	base = (char *)(((uintptr_t)p + HUGE_BLOCK - 1) & ~(HUGE_BLOCK - 1));
	if (base != p)
		(void)munmap(p, (size_t)(base - p));
	if (base != p + HUGE_BLOCK)
		(void)munmap(base + bytes, (size_t)(p + HUGE_BLOCK - base));
	(void)madvise(base, bytes, MADV_HUGEPAGE);
	return base;
}

void block_unmap(void *p, size_t bytes)
{
	(void)munmap(p, bytes);
}

static int more(arena_t *a)
{
	size_t size = a->ar_size == 0 ? FIRST_BLOCK : a->ar_size < HUGE_BLOCK ? 2 * a->ar_size : HUGE_BLOCK;
	arblock_t *b = block_map(size);

	if (b == NULL)
		return 0;
	b->ab_next = a->ar_blocks;
	b->ab_size = size;
	a->ar_blocks = b;
	a->ar_size = size;
	a->ar_at = (char *)(b + 1);
	a->ar_end = (char *)b + size;
	return 1;
}

void *arena_take(arena_t *a, size_t size)
{
	void *p;

	size = (size + GRAIN - 1) & ~(GRAIN - 1);
	if ((size_t)(a->ar_end - a->ar_at) < size && !more(a))
		return NULL;
	p = a->ar_at;
	a->ar_at += size;
	return p;
}

void arena_fini(arena_t *a)
{
	arblock_t *b;

	while ((b = a->ar_blocks) != NULL) {
		a->ar_blocks = b->ab_next;
		block_unmap(b, b->ab_size);
	}
	*a = (arena_t){NULL, NULL, NULL, 0};
}
