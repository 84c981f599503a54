/*
 * Dynamic variables: elements of associative arrays and thread-local variables.
 *
 * Theory.  All of a session's live in one arena of dynvarsize bytes, and are
 * found through a hash table of chains.  The arena is cut into spans, each of
 * which serves elements of one size class; a span belongs to its class for good.
 * So it can be told of any address in the arena whether it lies in an element's
 * data, which is what a D program may store to.
 *
 * An element is its header, its data, and its key: a word for each integer of
 * the tuple, words up to the end for a string, all words for other data.  Keys
 * of one variable have one shape, hence comparing the words is exact.
 *
 * An element given the value 0 is deleted at once and its memory is free for
 * the next one: there is no rinsing and no cleaning, as only one CPU changes the
 * arena at a time.
 */
#include <sys/mman.h>

#include "probectx.h"
#include "dtrace_impl.h"

enum { NCLASSES = 64, MINCLASS = 64, MAXKEYWORDS = 2048 };

typedef struct elem {
	struct elem *e_next; /* of its chain, or of the free list */
	uint64_t e_hash;
	uint64_t e_tid;
	uint32_t e_var;
	uint16_t e_keywords;
	uint16_t e_live;
	uint64_t e_datasize;
	uint64_t e_data[]; /* e_datasize / 8 words, then the key */
} elem_t;

struct dyn {
	char *d_arena;
	size_t d_size, d_span, d_nspans, d_nused;
	uint8_t *d_class; /* of each span */
	elem_t *d_free[NCLASSES];
	size_t d_left[NCLASSES]; /* elements left in the newest span of the class */
	char *d_fresh[NCLASSES]; /* where they are */
	elem_t **d_buckets;
	size_t d_mask;
	void *d_map;
	size_t d_maplen;
	uint64_t d_key[MAXKEYWORDS]; /* the key being looked for */
};

/* Size classes: 64, 96, 128, 192, 256, 384, ... */
static size_t class_size(unsigned class)
{
	size_t size = (size_t)MINCLASS << (class / 2);

	return class % 2 ? size + size / 2 : size;
}

static unsigned class_of(size_t size)
{
	unsigned class = 0;

	while (class_size(class) < size)
		class ++;
	return class;
}

dyn_t *dyn_create(size_t size, size_t largest)
{
	size_t span = 4096, buckets = 64, nspans, maplen;
	dyn_t *d;

	while (span < 4 * (largest + 1024))
		span *= 2;
	while (span > size && span > MINCLASS)
		span /= 2;
	while (buckets < size / 128)
		buckets *= 2;
	nspans = size / span;
	maplen = sizeof(*d) + buckets * sizeof(elem_t *) + nspans + 64 + nspans * span;
	d = mmap(NULL, maplen, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (d == MAP_FAILED)
		return NULL;
	d->d_map = d;
	d->d_maplen = maplen;
	d->d_span = span;
	d->d_nspans = nspans;
	d->d_size = nspans * span;
	d->d_buckets = (elem_t **)(d + 1);
	d->d_mask = buckets - 1;
	d->d_class = (uint8_t *)(d->d_buckets + buckets);
	d->d_arena = (char *)(((uintptr_t)(d->d_class + nspans) + 63) & ~(uintptr_t)63);
	return d;
}

void dyn_destroy(dyn_t *d)
{
	if (d != NULL)
		munmap(d->d_map, d->d_maplen);
}

bool dyn_canstore(const dyn_t *d, uintptr_t addr, size_t n)
{
	size_t off, within, size;
	const elem_t *e;

	if (d == NULL || addr < (uintptr_t)d->d_arena || addr >= (uintptr_t)d->d_arena + d->d_nused * d->d_span)
		return false;
	off = addr - (uintptr_t)d->d_arena;
	size = class_size(d->d_class[off / d->d_span]);
	within = off % d->d_span % size;
	e = (const elem_t *)(addr - within);
	return e->e_live && within >= sizeof(*e) && within - sizeof(*e) <= e->e_datasize &&
	       n <= e->e_datasize - (within - sizeof(*e));
}

/* ---- memory ---- */

static elem_t *elem_alloc(dyn_t *d, size_t size)
{
	unsigned class = class_of(size);
	elem_t *e;

	if (class >= NCLASSES || class_size(class) > d->d_span)
		return NULL;
	e = d->d_free[class];
	if (e != NULL) {
		d->d_free[class] = e->e_next;
		return e;
	}
	if (d->d_left[class] == 0) {
		if (d->d_nused == d->d_nspans)
			return NULL;
		d->d_class[d->d_nused] = (uint8_t) class;
		d->d_fresh[class] = d->d_arena + d->d_nused++ * d->d_span;
		d->d_left[class] = d->d_span / class_size(class);
	}
	e = (elem_t *)d->d_fresh[class];
	d->d_fresh[class] += class_size(class);
	d->d_left[class]--;
	return e;
}

static size_t elem_size(const elem_t *e)
{
	return sizeof(*e) + e->e_datasize + (size_t)e->e_keywords * 8;
}

static void elem_free(dyn_t *d, elem_t *e)
{
	unsigned class = class_of(elem_size(e));

	e->e_live = 0;
	e->e_next = d->d_free[class];
	d->d_free[class] = e;
}

/* ---- keys ---- */

/* Words of a string at addr into key: up to its end, at most strsize bytes.  -1 = bad address. */
static ssize_t key_string(mstate_t *ms, uint64_t *key, size_t room, uint64_t addr)
{
	size_t strsize = ms->ms_state->st_conf.c_strsize, words;
	ssize_t len;

	if (addr == 0) {
		*key = 0;
		return 1;
	}
	if (strsize > room * 8)
		strsize = room * 8;
	len = dtrace_copystr((char *)key, (const char *)(uintptr_t)addr, strsize);
	if (len < 0)
		return -1;
	words = (size_t)len / 8 + 1;
	mem_zero((char *)key + len, words * 8 - (size_t)len);
	return (ssize_t)words;
}

/* The tuple as key words: their number, or -1 with the fault. */
static ssize_t key_build(mstate_t *ms, dyn_t *d, int *fault)
{
	size_t n = 0;
	ssize_t k;
	int i;

	for (i = 0; i < ms->ms_ntuple; i++) {
		uint64_t v = ms->ms_tuple[i].val;
		size_t room = MAXKEYWORDS - n, words;

		if (room < 2) {
			*fault = DTRACEFLT_TUPOFLOW;
			return -1;
		}
		switch (ms->ms_tuple[i].kind) {
		case TUPLE_INT:
			d->d_key[n++] = v;
			continue;
		case TUPLE_STR:
			k = key_string(ms, d->d_key + n, room, v);
			break;
		default:
			words = (ms->ms_tuple[i].size + (size_t)7) / 8;
			if (words > room) {
				*fault = DTRACEFLT_TUPOFLOW;
				return -1;
			}
			if (words > 0)
				d->d_key[n + words - 1] = 0;
			k = dtrace_copyfrom(d->d_key + n, (const void *)(uintptr_t)v, ms->ms_tuple[i].size) == 0
				? (ssize_t)words
				: -1;
			break;
		}
		if (k < 0) {
			ms->ms_faddr = v;
			*fault = DTRACEFLT_BADADDR;
			return -1;
		}
		n += (size_t)k;
	}
	return (ssize_t)n;
}

static uint64_t key_hash(uint32_t var, uint64_t tid, const uint64_t *key, size_t n)
{
	uint64_t h = (var + 1) * 0x9e3779b97f4a7c15 + tid * 0xc2b2ae3d27d4eb4f;
	size_t i;

	for (i = 0; i < n; i++) {
		h = (h ^ key[i]) * 0xd6e8feb86659fd93;
		h ^= h >> 32;
	}
	return h ^ h >> 29;
}

static bool elem_is(const elem_t *e, uint32_t var, uint64_t tid, uint64_t hash, const uint64_t *key, size_t n)
{
	const uint64_t *own = e->e_data + e->e_datasize / 8;
	size_t i;

	if (e->e_hash != hash || e->e_var != var || e->e_tid != tid || e->e_keywords != n)
		return false;
	for (i = 0; i < n; i++)
		if (own[i] != key[i])
			return false;
	return true;
}

/* ---- what the DIF machine calls, with the session's lock held ---- */

/* Place in its chain of the element, where there may be none. */
static elem_t **locate(mstate_t *ms, uint32_t var, uint64_t tid, bool array, uint64_t *hashp, size_t *np, int *fault)
{
	dyn_t *d = ms->ms_state->st_dyn;
	ssize_t n = array ? key_build(ms, d, fault) : 0;
	elem_t **link;

	if (n < 0)
		return NULL;
	*np = (size_t)n;
	*hashp = key_hash(var, tid, d->d_key, (size_t)n);
	link = &d->d_buckets[*hashp & d->d_mask];
	while (*link != NULL && !elem_is(*link, var, tid, *hashp, d->d_key, (size_t)n))
		link = &(*link)->e_next;
	return link;
}

char *dyn_find(mstate_t *ms, uint32_t var, const dynvar_desc_t *dv, uint64_t tid, bool array, bool make, int *fault)
{
	dyn_t *d = ms->ms_state->st_dyn;
	size_t n, i, datasize = ((size_t)dv->dv_size + 7) & ~(size_t)7;
	uint64_t hash;
	elem_t **link = locate(ms, var, tid, array, &hash, &n, fault), *e;

	if (link == NULL)
		return NULL;
	if (*link != NULL || !make)
		return *link == NULL ? NULL : (char *)(*link)->e_data;
	e = elem_alloc(d, sizeof(*e) + datasize + n * 8);
	if (e == NULL) {
		ms->ms_state->st_dyndrops++;
		return NULL;
	}
	e->e_next = NULL;
	e->e_hash = hash;
	e->e_tid = tid;
	e->e_var = var;
	e->e_keywords = (uint16_t)n;
	e->e_live = 1;
	e->e_datasize = datasize;
	mem_zero(e->e_data, datasize);
	for (i = 0; i < n; i++)
		e->e_data[datasize / 8 + i] = d->d_key[i];
	*link = e;
	return (char *)e->e_data;
}

void dyn_delete(mstate_t *ms, uint32_t var, uint64_t tid, bool array, int *fault)
{
	size_t n;
	uint64_t hash;
	elem_t **link = locate(ms, var, tid, array, &hash, &n, fault), *e;

	if (link == NULL || (e = *link) == NULL)
		return;
	*link = e->e_next;
	elem_free(ms->ms_state->st_dyn, e);
}
