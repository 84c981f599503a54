/*
 * Kernel memory: the host's malloc, so that sanitizers and valgrind see every
 * object, with an account of what is alive and failures on demand.
 */
#include <stdio.h>
#include <stdlib.h>
#include "machine/machine_impl.h"

static KLOCAL size_t alive_bytes, alive_objects;
static KLOCAL long fail_in; /* > 0: the failing one's distance; < 0: of the first of them; 0: none */

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
	return account(malloc(size != 0 ? size : 1), size, kmflags);
}

void *kmem_zalloc(size_t size, int kmflags)
{
	if ((kmflags & KM_NOSLEEP) && fail_now())
		return NULL;
	return account(calloc(1, size != 0 ? size : 1), size, kmflags);
}

void kmem_free(void *p, size_t size)
{
	if (p == NULL)
		return;
	alive_bytes -= size;
	alive_objects--;
	free(p);
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
