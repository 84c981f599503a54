/*
 * Kernel memory: the host's malloc, with an account of what is alive and
 * failures on demand.
 *
 * What was freed waits on a list of its size, and the next allocation of that
 * size takes it, still warm: the caller of kmem_free() says the size, so that
 * neither needs a header.  A list holds at most KEEP_BYTES.  With a sanitizer
 * nothing is kept, so that a use after free is seen.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "machine/machine_impl.h"

static KLOCAL size_t alive_bytes, alive_objects;
static KLOCAL long fail_in; /* > 0: the failing one's distance; < 0: of the first of them; 0: none */

#define GRAIN 16     /* sizes are rounded up to this */
#define LARGEST 2048 /* of a list */
#define KEEP_BYTES (64 * 1024)
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define KEEP_FREE 0
#else
#define KEEP_FREE 1
#endif

typedef struct spare {
	struct spare *sp_next;
} spare_t;

static KLOCAL struct {
	spare_t *first;
	size_t bytes;
} spares[LARGEST / GRAIN + 1];

/* The list of a size; 0, which has none, for larger ones. */
static inline size_t list_of(size_t size)
{
	return KEEP_FREE && size <= LARGEST ? (size + GRAIN - 1) / GRAIN : 0;
}

static void *take(size_t size)
{
	size_t i = list_of(size);
	spare_t *sp = spares[i].first;

	if (sp == NULL)
		return malloc(i != 0 ? i * GRAIN : size != 0 ? size : 1);
	spares[i].first = sp->sp_next;
	spares[i].bytes -= i * GRAIN;
	return sp;
}

static void give(void *p, size_t size)
{
	size_t i = list_of(size);
	spare_t *sp = p;

	if (i == 0 || spares[i].bytes >= KEEP_BYTES) {
		free(p);
		return;
	}
	sp->sp_next = spares[i].first;
	spares[i].first = sp;
	spares[i].bytes += i * GRAIN;
}

void kmem_reap(void)
{
	for (size_t i = 0; i <= LARGEST / GRAIN; i++) {
		spare_t *sp;

		while ((sp = spares[i].first) != NULL) {
			spares[i].first = sp->sp_next;
			free(sp);
		}
		spares[i].bytes = 0;
	}
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
