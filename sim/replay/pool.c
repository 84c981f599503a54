#include "replay/pool.h"

#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define KEEP_FREE 0
#else
#define KEEP_FREE 1
#endif

typedef struct poolfree {
	struct poolfree *pf_next;
} poolfree_t;

void pool_init(pool_t *p, size_t size)
{
	*p = (pool_t){size < sizeof(poolfree_t) ? sizeof(poolfree_t) : size, NULL, {NULL, NULL, NULL, 0}};
}

void *pool_get(pool_t *p)
{
	poolfree_t *pf = p->po_free;

	if (!KEEP_FREE)
		return calloc(1, p->po_size);
	if (pf == NULL)
		return arena_take(&p->po_arena, p->po_size);
	p->po_free = pf->pf_next;
	return memset(pf, 0, p->po_size);
}

void pool_put(pool_t *p, void *obj)
{
	poolfree_t *pf = obj;

	if (!KEEP_FREE) {
		free(obj);
		return;
	}
	pf->pf_next = p->po_free;
	p->po_free = pf;
}

void pool_fini(pool_t *p)
{
	arena_fini(&p->po_arena);
	p->po_free = NULL;
}
