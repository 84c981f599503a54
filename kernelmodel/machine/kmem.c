/*
 * Kernel memory, with an account of what is alive and failures on demand.
 *
 * Small objects are cut from an arena.  What was freed waits on a list of its
 * size, and the next allocation of that size takes it, still warm: the caller
 * of kmem_free() says the size, so that neither needs a header.  Large objects
 * are the host's malloc's.  With a sanitizer all are, so that a use after free
 * is seen.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "machine/arena.h"
#include "machine/machine_impl.h"

static KLOCAL size_t alive_bytes, alive_objects;
static KLOCAL long fail_in; /* > 0: the failing one's distance; < 0: of the first of them; 0: none */

#define GRAIN 16     /* sizes are rounded up to this */
#define LARGEST 2048 /* of a list */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define KEEP_FREE 0
#else
#define KEEP_FREE 1
#endif

typedef struct spare {
	struct spare *sp_next;
} spare_t;

static KLOCAL arena_t arena;
static KLOCAL spare_t *spares[LARGEST / GRAIN + 1];

/* The list of a size; 0, which has none, for larger ones. */
static inline size_t list_of(size_t size)
{
	return KEEP_FREE && size <= LARGEST ? (size + GRAIN - 1) / GRAIN : 0;
}

static void *take(size_t size)
{
	size_t i = list_of(size);
	spare_t *sp = spares[i];

	if (sp == NULL)
		return i != 0 ? arena_take(&arena, i * GRAIN) : malloc(size != 0 ? size : 1);
	spares[i] = sp->sp_next;
	return sp;
}

static void give(void *p, size_t size)
{
	size_t i = list_of(size);
	spare_t *sp = p;

	if (i == 0) {
		free(p);
		return;
	}
	sp->sp_next = spares[i];
	spares[i] = sp;
}

/* What leaked may still be used. */
void kmem_reap(void)
{
	if (alive_objects != 0)
		return;
	arena_fini(&arena);
	memset(spares, 0, sizeof(spares));
}

static bool fail_now(void)
{
	if (LIKELY(fail_in == 0))
		return false;
	if (fail_in > 0)
		return --fail_in == 0;
	return fail_in == -1 || (fail_in++, false);
}

static void *account(void *p, size_t size, int kmflags)
{
	if (p == NULL) {
		if (kmflags & KM_NOSLEEP)
			return NULL;
		fprintf(stderr, "strsim: no memory for %zu bytes\n", size);
		abort();
	}
	alive_bytes += size;
	alive_objects++;
	return p;
}

void *kmem_alloc(size_t size, int kmflags)
{
	if ((kmflags & KM_NOSLEEP) && fail_now())
		return NULL;
	return account(take(size), size, kmflags);
}

void *kmem_zalloc(size_t size, int kmflags)
{
	void *p;

	if ((kmflags & KM_NOSLEEP) && fail_now())
		return NULL;
	if (list_of(size) == 0)
		return account(calloc(1, size != 0 ? size : 1), size, kmflags);
	p = account(take(size), size, kmflags);
	if (p != NULL)
		memset(p, 0, size);
	return p;
}

void kmem_free(void *p, size_t size)
{
	if (p == NULL)
		return;
	alive_bytes -= size;
	alive_objects--;
	give(p, size);
}

void kmem_fail_nth(long n)
{
	fail_in = n;
}

void kmem_alive(size_t *bytes, size_t *objects)
{
	*bytes = alive_bytes;
	*objects = alive_objects;
}
