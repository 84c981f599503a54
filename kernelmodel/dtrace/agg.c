/*
 * Aggregation tables.
 *
 * Theory.  A key is a row of 64-bit words.  Two kinds of tables hold the
 * entries of one aggregation:
 *
 *  - The inline table, for keys that fit with their cells into a slot of 2, 4,
 *    8 or 16 words.  A slot of 8 words is one cache line, and finding a key
 *    touches that line and no other memory.  A slot is empty when all of its
 *    key words are 0; the one key that consists of zeroes goes to the other
 *    table.
 *  - The long table, for all other keys: slots of (hash, entry), entries in
 *    chunks which never move.
 *
 * Both are open addressing with linear probing.  Which one a key belongs to
 * follows from the key alone.  Keys of one aggregation are prefix-free (each
 * part ends at a place the words before it determine), so comparing the words
 * of the key sought is exact although a slot does not tell its key's length.
 *
 * Growth is incremental: a larger table becomes the current one, and each later
 * new key moves a few slots over.  Until that is done a key missing in the
 * current table is looked for in the old one, and moved when found.  Old slots
 * are left as they are, so that chains stay whole; what is in the current table
 * counts.  Small tables double and stay sparse; large ones grow by a quarter and
 * are filled to five sixths, so that a slot of 8 words takes at most 96 bytes a
 * key.  A slot's place is its hash's place among all hashes, whatever the number
 * of slots, so slots move in order, and the memory of those moved is given back
 * while the rest are still to come.
 *
 * No function that records touches vector registers or allocates except by
 * mmap(), so that recording may be called from a probe without saving them.
 *
 * Order: descriptions and buckets, memory, hashing, inline table, long table,
 * recording, merging, walking and removing.
 */
#include "agg.h"

#include <sys/mman.h>

#pragma GCC target("general-regs-only")
#pragma GCC optimize("no-tree-loop-distribute-patterns")

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define INLINE static inline __attribute__((always_inline))

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

#define QUANTIZE_CELLS 127
#define QUANTIZE_ZERO 63
#define KEY_OVERHEAD 16     /* bytes a key counts against the limit beside its words and cells */
#define MOVES_PER_KEY 64    /* slots moved for each new key while a table grows */
#define SPARSE 1024         /* slots; up to there memory is less dear than a branch foretold wrong */
#define SMALL 4096          /* slots; from there on a table grows by a quarter */
#define RELEASE (2UL << 20) /* bytes of moved slots given back at a time: no huge page is cut */
#define HUGE_PAGE (2UL << 20)
#define LONG_ROOM 12
#define CHUNK_MIN (64UL << 10)
#define CHUNK_MAX (4UL << 20)
#define FREE_CLASSES 128 /* entries of up to this many key words are reused when removed */

/* An array of slots of `width' words; a hash's index is to the number of slots as it is to 2^64. */
typedef struct slots {
	uint64_t *s_base;
	size_t s_n, s_used, s_max;
	uint32_t s_width;
	size_t s_len; /* bytes mapped at s_base */
} slots_t;

/* A pair of them: the current one, and one that is being moved to it. */
typedef struct table {
	slots_t t_cur, t_old;
	size_t t_moved; /* slots of t_old that are done */
	size_t t_freed; /* bytes at the start of t_old that are no longer mapped */
} table_t;

typedef struct entry {
	uint64_t e_hash;
	uint32_t e_nwords, e_room; /* words of the key, and that there are for it: unused ones are 0 */
	uint64_t e_key[];          /* and behind it the cells */
} entry_t;

typedef struct chunk {
	struct chunk *c_next;
	size_t c_size, c_used;
} chunk_t;

struct agg {
	agg_desc_t a_desc;
	uint32_t a_ncells;
	uint32_t a_width;  /* words of an inline slot, 0 = no inline table */
	uint32_t a_inline; /* most key words of an inline slot */
	uint32_t a_room;   /* least words for the key of an entry of the long table */
	table_t a_in, a_long;
	chunk_t *a_chunks;
	entry_t *a_free[FREE_CLASSES + 1];
	size_t a_nkeys, a_limit, a_charged, a_mapped;
	int64_t **a_pins; /* the caller's places of cells */
	size_t a_npins;
};

/* ---- descriptions and buckets ---- */

static uint64_t power(uint64_t base, uint32_t exp)
{
	uint64_t p = 1;

	while (exp-- > 0)
		p *= base;
	return p;
}

static int lquantize_legal(const agg_desc_t *d)
{
	int64_t levels;

	if (d->ad_step <= 0 || d->ad_limit <= d->ad_base)
		return 0;
	levels = ((int64_t)d->ad_limit - d->ad_base) / d->ad_step;
	return levels >= 1 && levels <= 65535;
}

static int llquantize_legal(const agg_desc_t *d)
{
	uint64_t factor = (uint64_t)d->ad_factor, steps = (uint64_t)d->ad_nsteps, whole, p = 1;
	int i;

	if (d->ad_factor < 2 || d->ad_factor > 65535 || d->ad_nsteps < 1 || d->ad_nsteps > 65535 || d->ad_low < 0 ||
	    d->ad_high < d->ad_low || d->ad_high > 65535)
		return 0;
	for (i = 0; i <= d->ad_high; i++)
		if (__builtin_mul_overflow(p, factor, &p))
			return 0;
	if (steps < factor)
		return factor % steps == 0;
	if (steps == factor)
		return 1;
	if (steps % factor != 0)
		return 0;
	/* the steps must cut a power of the factor evenly: the square for magnitude 0, else factor^(low + 1) */
	whole = d->ad_low == 0 ? factor * factor : power(factor, (uint32_t)d->ad_low + 1);
	return whole % steps == 0;
}

/* Buckets of a magnitude, and of one side. */
static uint32_t ll_per(const agg_desc_t *d)
{
	return (uint32_t)(d->ad_nsteps - d->ad_nsteps / d->ad_factor);
}

static uint32_t ll_side(const agg_desc_t *d)
{
	return ll_per(d) * (uint32_t)(d->ad_high - d->ad_low + 1);
}

uint32_t agg_ncells(const agg_desc_t *d)
{
	uint32_t i;

	if (d->ad_nparts > AGG_MAXPARTS)
		return 0;
	for (i = 0; i < d->ad_nparts; i++) {
		const agg_part_t *p = &d->ad_parts[i];

		if (p->ap_size == 0 || (p->ap_kind == AGG_STACK && p->ap_size % 8 != 0))
			return 0;
		if (p->ap_kind == AGG_INT && p->ap_size != 1 && p->ap_size != 2 && p->ap_size != 4 && p->ap_size != 8)
			return 0;
	}
	switch (d->ad_func) {
	case AGG_COUNT:
	case AGG_SUM:
	case AGG_MIN:
	case AGG_MAX:
		return 1;
	case AGG_AVG:
		return 2;
	case AGG_STDDEV:
		return 4;
	case AGG_QUANTIZE:
		return QUANTIZE_CELLS;
	case AGG_LQUANTIZE:
		if (!lquantize_legal(d))
			return 0;
		return (uint32_t)(((int64_t)d->ad_limit - d->ad_base) / d->ad_step) + 2;
	case AGG_LLQUANTIZE:
		return llquantize_legal(d) ? 2 * ll_side(d) + 3 : 0;
	}
	return 0;
}

uint32_t agg_quantize_bucket(int64_t v)
{
	uint32_t log;

	if (v == 0)
		return QUANTIZE_ZERO;
	if (v > 0)
		return QUANTIZE_ZERO + 1 + (63 - (uint32_t)__builtin_clzll((uint64_t)v));
	log = 63 - (uint32_t)__builtin_clzll(-(uint64_t)v);
	return log >= QUANTIZE_ZERO ? 0 : QUANTIZE_ZERO - 1 - log;
}

int64_t agg_quantize_label(uint32_t bucket)
{
	if (bucket == QUANTIZE_ZERO)
		return 0;
	if (bucket > QUANTIZE_ZERO)
		return (int64_t)1 << (bucket - QUANTIZE_ZERO - 1);
	return -((int64_t)1 << (QUANTIZE_ZERO - 1 - bucket));
}

uint32_t agg_lquantize_cell(const agg_desc_t *d, int64_t value)
{
	int64_t v = (int32_t)value, levels = ((int64_t)d->ad_limit - d->ad_base) / d->ad_step, level;

	if (v < d->ad_base)
		return 0;
	level = (v - d->ad_base) / d->ad_step;
	return (uint32_t)(level < levels ? level : levels) + 1;
}

uint32_t agg_llquantize_cell(const agg_desc_t *d, int64_t v)
{
	uint64_t a = v < 0 ? -(uint64_t)v : (uint64_t)v, factor = (uint64_t)d->ad_factor;
	uint64_t low = power(factor, (uint32_t)d->ad_low), next, steps = (uint64_t)d->ad_nsteps, i;
	uint32_t mid = 1 + ll_side(d), offset = ll_side(d) + 1;
	int m;

	if (a < low)
		return mid;
	for (m = d->ad_low; m <= d->ad_high; m++) {
		next = low * factor;
		if (a < next) {
			i = m == 0 ? a * steps / next : a / (next / steps);
			offset = (uint32_t)(m - d->ad_low) * ll_per(d) + (uint32_t)(i - steps / factor) + 1;
			break;
		}
		low = next;
	}
	return v < 0 ? mid - offset : mid + offset;
}

int64_t agg_llquantize_label(const agg_desc_t *d, uint32_t cell)
{
	uint32_t side = ll_side(d), mid = 1 + side, o = cell > mid ? cell - mid : mid - cell, j;
	uint64_t factor = (uint64_t)d->ad_factor, label;
	uint32_t m;

	if (o == 0)
		return 0;
	m = (uint32_t)d->ad_low + (o - 1) / ll_per(d);
	j = (o - 1) % ll_per(d);
	label = power(factor, m);
	if (o <= side && j > 0)
		label = (uint64_t)((u128)((uint64_t)(d->ad_nsteps / d->ad_factor) + j) * factor * label /
				   (uint64_t)d->ad_nsteps);
	return cell > mid ? (int64_t)label : -(int64_t)label;
}

/* ---- memory ---- */

static void *map(agg_t *agg, size_t len)
{
	void *p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	agg->a_mapped += len;
	return p;
}

static void unmap(agg_t *agg, void *p, size_t len)
{
	if (p != NULL) {
		munmap(p, len);
		agg->a_mapped -= len;
	}
}

/* Large arrays start at a huge page's border and ask for them. */
static int slots_map(agg_t *agg, slots_t *s, size_t n, uint32_t width)
{
	size_t bytes = (n * width * 8 + 4095) & ~(size_t)4095, ahead;
	char *p;

	if (bytes < 2 * HUGE_PAGE) {
		p = map(agg, bytes);
	} else {
		p = map(agg, bytes + HUGE_PAGE);
		if (p != NULL) {
			ahead = -(uintptr_t)p & (HUGE_PAGE - 1);
			if (ahead != 0)
				unmap(agg, p, ahead);
			p += ahead;
			if (ahead != HUGE_PAGE)
				unmap(agg, p + bytes, HUGE_PAGE - ahead);
			(void)madvise(p, bytes, MADV_HUGEPAGE);
		}
	}
	if (p == NULL)
		return -1;
	s->s_base = (uint64_t *)(void *)p;
	s->s_len = bytes;
	s->s_n = n;
	s->s_width = width;
	s->s_used = 0;
	s->s_max = n < SPARSE ? n / 8 * 3 : n < SMALL ? n / 8 * 5 : n - n / 6;
	return 0;
}

static void slots_unmap(agg_t *agg, slots_t *s, size_t freed)
{
	if (s->s_len > freed)
		unmap(agg, (char *)s->s_base + freed, s->s_len - freed);
	*s = (slots_t){0};
}

static size_t first_size(uint32_t width)
{
	return 4096 / 8 / width;
}

static void *chunk_alloc(agg_t *agg, size_t len)
{
	chunk_t *c = agg->a_chunks;
	void *p;

	if (c == NULL || c->c_size - c->c_used < len) {
		size_t size = c == NULL ? CHUNK_MIN : c->c_size * 2 < CHUNK_MAX ? c->c_size * 2 : CHUNK_MAX;

		while (size < len + sizeof(*c))
			size *= 2;
		c = map(agg, size);
		if (c == NULL)
			return NULL;
		c->c_size = size;
		c->c_used = sizeof(*c);
		c->c_next = agg->a_chunks;
		agg->a_chunks = c;
	}
	p = (char *)c + c->c_used;
	c->c_used += len;
	return p;
}

/* ---- hashing ---- */

static const uint64_t multipliers[16] = {
    0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9, 0xd6e8feb86659fd93,
    0xa0761d6478bd642f, 0xe7037ed1a0b428db, 0x8ebc6af09c88c6e3, 0x589965cc75374cc3,
    0x2127599bf4325c37, 0x880355f21e6d1965, 0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53,
    0x87c37b91114253d5, 0x4cf5ad432745937f, 0x52dce729da3ed1a7, 0x38495ab5b3e2e0f3};

/*
 * Multilinear over blocks of 16 words.  Words of 0 at the end of a block do not change it,
 * so that a slot of the inline table hashes like the key in it. */
INLINE uint64_t hash_block(uint64_t h, const uint64_t *w, size_t n)
{
	switch (n) { /* one jump instead of a loop's branches */
#define WORD(k)                             \
	case (k) + 1:                       \
		h += w[k] * multipliers[k]; \
		__attribute__((fallthrough))
		WORD(15);
		WORD(14);
		WORD(13);
		WORD(12);
		WORD(11);
		WORD(10);
		WORD(9);
		WORD(8);
		WORD(7);
		WORD(6);
		WORD(5);
		WORD(4);
		WORD(3);
		WORD(2);
		WORD(1);
		WORD(0);
#undef WORD
	default:
		break;
	}
	h ^= h >> 32;
	return h * 0x9fb21c651e98df25;
}

INLINE uint64_t hash_words(const uint64_t *w, size_t n)
{
	uint64_t h = 0;

	for (; n > 16; w += 16, n -= 16)
		h = hash_block(h, w, 16);
	return hash_block(h, w, n);
}

INLINE size_t place(const slots_t *s, uint64_t hash)
{
	return (size_t)((u128)hash * s->s_n >> 64);
}

INLINE size_t next_place(const slots_t *s, size_t i)
{
	return UNLIKELY(i + 1 == s->s_n) ? 0 : i + 1;
}

INLINE uint64_t differ(const uint64_t *a, const uint64_t *b, size_t n)
{
	uint64_t d = 0;
	size_t i;

#pragma GCC unroll 16
	for (i = 0; i < n; i++)
		d |= a[i] ^ b[i];
	return d;
}

INLINE uint64_t any(const uint64_t *a, size_t n)
{
	uint64_t d = 0;
	size_t i;

#pragma GCC unroll 16
	for (i = 0; i < n; i++)
		d |= a[i];
	return d;
}

INLINE void copy_words(uint64_t *to, const uint64_t *from, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		to[i] = from[i];
}

static void cells_init(const agg_t *agg, int64_t *cells)
{
	uint32_t i;

	for (i = 0; i < agg->a_ncells; i++)
		cells[i] = 0;
	if (agg->a_desc.ad_func == AGG_MIN)
		cells[0] = INT64_MAX;
	if (agg->a_desc.ad_func == AGG_MAX)
		cells[0] = INT64_MIN;
}

/* Does the limit allow one more key of n words?  Then it is charged. */
static int charge(agg_t *agg, size_t n)
{
	size_t cost = (n + agg->a_ncells) * 8 + KEY_OVERHEAD;

	if (agg->a_limit != 0 && agg->a_charged + cost > agg->a_limit)
		return -1;
	agg->a_charged += cost;
	agg->a_nkeys++;
	return 0;
}

static void uncharge(agg_t *agg, size_t n)
{
	agg->a_charged -= (n + agg->a_ncells) * 8 + KEY_OVERHEAD;
	agg->a_nkeys--;
}

/* ---- growth, the same for both tables ---- */

/* Cells move or go. */
static void unpin(const agg_t *agg)
{
	size_t i;

	for (i = 0; i < agg->a_npins; i++)
		agg->a_pins[i] = NULL;
}

static size_t next_size(size_t n, uint32_t width)
{
	if (n == 0)
		return first_size(width);
	return n < SMALL ? n * 2 : n + n / 4;
}

/*
 * Room for one more key in the current slots?  May start to grow.  With no
 * memory to grow, the array is filled up to seven eighths.
 */
static int table_room(agg_t *agg, table_t *t, uint32_t width)
{
	slots_t bigger;

	if (t->t_cur.s_used < t->t_cur.s_max)
		return 0;
	if (t->t_old.s_base == NULL && slots_map(agg, &bigger, next_size(t->t_cur.s_n, width), width) == 0) {
		unpin(agg);
		t->t_old = t->t_cur;
		t->t_cur = bigger;
		t->t_moved = t->t_freed = 0;
		return 0;
	}
	return t->t_cur.s_used < t->t_cur.s_n / 8 * 7 ? 0 : -1;
}

/* At least n slots, by one step of growth; without memory it stays as it is. */
static void table_reserve(agg_t *agg, table_t *t, size_t n, uint32_t width)
{
	slots_t bigger;

	if (n <= t->t_cur.s_n || t->t_old.s_base != NULL || slots_map(agg, &bigger, n, width) != 0)
		return;
	unpin(agg);
	if (t->t_cur.s_n != 0)
		t->t_old = t->t_cur;
	t->t_moved = t->t_freed = 0;
	t->t_cur = bigger;
}

static void table_moved(agg_t *agg, table_t *t, size_t upto)
{
	size_t done = upto * t->t_old.s_width * 8;

	t->t_moved = upto;
	if (upto == t->t_old.s_n) {
		slots_unmap(agg, &t->t_old, t->t_freed);
	} else if (done - t->t_freed >= 2 * RELEASE) {
		unmap(agg, (char *)t->t_old.s_base + t->t_freed, RELEASE);
		t->t_freed += RELEASE;
	}
}

/*
 * Where to look for a hash in the old slots, which are there from t_moved on; what stood before is in the current ones.
 * A chain that began before goes on at t_moved, and so does one that wraps around.
 */
static size_t old_place(const table_t *t, uint64_t hash)
{
	size_t i = place(&t->t_old, hash);

	return i < t->t_moved ? t->t_moved : i;
}

static size_t old_next(const table_t *t, size_t i)
{
	return i + 1 == t->t_old.s_n ? t->t_moved : i + 1;
}

/* ---- the inline table ---- */

INLINE int is_zero(const uint64_t *key, uint32_t keywords)
{
	return UNLIKELY(key[0] == 0) && any(key, keywords) == 0;
}

/*
 * The slot of the key (zero-padded to keywords words), or the empty one where it would go.  width is that of the slots:
 * where it is known to the compiler, it saves a multiplication.
 */
INLINE uint64_t *inline_search(const slots_t *s, uint32_t keywords, uint32_t width, uint64_t hash, const uint64_t *key,
			       int *found)
{
	uint64_t *slot = s->s_base + place(s, hash) * width;
	const uint64_t *end = s->s_base + s->s_n * width;

	/* were it not this slot, it would most likely be the next */
	__builtin_prefetch(slot + width);
	for (;;) {
		if (LIKELY(differ(slot, key, keywords) == 0)) {
			*found = 1;
			return slot;
		}
		if (is_zero(slot, keywords)) {
			*found = 0;
			return slot;
		}
		slot += width;
		if (UNLIKELY(slot == end))
			slot = s->s_base;
	}
}

static __attribute__((noinline)) uint64_t *inline_find(const slots_t *s, uint32_t keywords, uint64_t hash,
						       const uint64_t *key, int *found)
{
	return inline_search(s, keywords, s->s_width, hash, key, found);
}

/* In the old slots: NULL = it is not there. */
static uint64_t *inline_old(const table_t *t, uint32_t keywords, uint64_t hash, const uint64_t *key)
{
	size_t i = old_place(t, hash), left = t->t_old.s_n - t->t_moved;

	for (; left > 0; left--, i = old_next(t, i)) {
		uint64_t *slot = t->t_old.s_base + i * t->t_old.s_width;

		if (any(slot, keywords) == 0)
			break;
		if (differ(slot, key, keywords) == 0)
			return slot;
	}
	return NULL;
}

static void inline_move(agg_t *agg, size_t count)
{
	table_t *t = &agg->a_in;
	size_t i = t->t_moved, end = i + count < t->t_old.s_n ? i + count : t->t_old.s_n;
	int found;

	for (; i < end; i++) {
		uint64_t *from = t->t_old.s_base + i * agg->a_width, *to;

		if (any(from, agg->a_inline) == 0)
			continue;
		to = inline_find(&t->t_cur, agg->a_inline, hash_words(from, agg->a_inline), from, &found);
		if (!found) {
			copy_words(to, from, agg->a_width);
			t->t_cur.s_used++;
		}
	}
	table_moved(agg, t, end);
}

/* A key that is not in the current slots: bring it there.  NULL: it is nowhere and may not be made. */
static __attribute__((noinline)) int64_t *inline_new(agg_t *agg, uint64_t hash, const uint64_t *key, size_t n, int make)
{
	table_t *t = &agg->a_in;
	uint64_t *slot, *old;
	int found = 0;

	if (t->t_old.s_base != NULL) {
		old = inline_old(t, agg->a_inline, hash, key);
		if (old != NULL) {
			slot = inline_find(&t->t_cur, agg->a_inline, hash, key, &found);
			copy_words(slot, old, agg->a_width);
			t->t_cur.s_used++;
			return (int64_t *)slot + agg->a_inline;
		}
	}
	if (!make || table_room(agg, t, agg->a_width) != 0 || charge(agg, n) != 0)
		return NULL;
	if (t->t_old.s_base != NULL)
		inline_move(agg, MOVES_PER_KEY);
	slot = inline_find(&t->t_cur, agg->a_inline, hash, key, &found);
	copy_words(slot, key, n);
	t->t_cur.s_used++;
	cells_init(agg, (int64_t *)slot + agg->a_inline);
	return (int64_t *)slot + agg->a_inline;
}

/* n words of key, zero-padded to keywords. */
INLINE int64_t *inline_cells(agg_t *agg, const uint64_t *key, size_t n, uint32_t keywords, uint32_t width, int make)
{
	uint64_t hash = hash_block(0, key, keywords), *slot;
	int found;

	if (LIKELY(agg->a_in.t_cur.s_base != NULL)) {
		slot = inline_search(&agg->a_in.t_cur, keywords, width, hash, key, &found);
		if (LIKELY(found))
			return (int64_t *)slot + keywords;
	}
	return inline_new(agg, hash, key, n, make);
}

/* ---- the long table: slots are (hash, entry) ---- */

INLINE int64_t *entry_cells(entry_t *e)
{
	return (int64_t *)e->e_key + e->e_room;
}

INLINE uint64_t *long_find(const slots_t *s, uint64_t hash, const uint64_t *key, size_t n)
{
	size_t i = place(s, hash);

	for (;; i = next_place(s, i)) {
		uint64_t *slot = s->s_base + i * 2;
		entry_t *e = (entry_t *)(uintptr_t)slot[1];

		if (e == NULL || (LIKELY(slot[0] == hash) && e->e_nwords == n && differ(e->e_key, key, n) == 0))
			return slot;
	}
}

/* In the old slots: NULL = it is not there. */
static uint64_t *long_old(const table_t *t, uint64_t hash, const uint64_t *key, size_t n)
{
	size_t i = old_place(t, hash), left = t->t_old.s_n - t->t_moved;

	for (; left > 0; left--, i = old_next(t, i)) {
		uint64_t *slot = t->t_old.s_base + i * 2;
		entry_t *e = (entry_t *)(uintptr_t)slot[1];

		if (e == NULL)
			break;
		if (slot[0] == hash && e->e_nwords == n && differ(e->e_key, key, n) == 0)
			return slot;
	}
	return NULL;
}

/* The first empty slot for this hash. */
static uint64_t *long_empty(const slots_t *s, uint64_t hash)
{
	size_t i = place(s, hash);

	while (s->s_base[i * 2 + 1] != 0)
		i = next_place(s, i);
	return s->s_base + i * 2;
}

static void long_put(slots_t *s, uint64_t hash, entry_t *e)
{
	uint64_t *slot = long_empty(s, hash);

	slot[0] = hash;
	slot[1] = (uintptr_t)e;
	s->s_used++;
}

static void long_move(agg_t *agg, size_t count)
{
	table_t *t = &agg->a_long;
	size_t i = t->t_moved, end = i + count < t->t_old.s_n ? i + count : t->t_old.s_n;

	for (; i < end; i++) {
		uint64_t *from = t->t_old.s_base + i * 2;

		/* an entry that was found in the meantime is marked by a hash that is not its own */
		if (from[1] != 0 && from[0] == ((entry_t *)(uintptr_t)from[1])->e_hash)
			long_put(&t->t_cur, from[0], (entry_t *)(uintptr_t)from[1]);
	}
	table_moved(agg, t, end);
}

static entry_t *entry_new(agg_t *agg, const uint64_t *key, size_t n, uint64_t hash)
{
	entry_t *e = n <= FREE_CLASSES ? agg->a_free[n] : NULL;
	size_t room = n < agg->a_room ? agg->a_room : n, i;

	if (e != NULL)
		agg->a_free[n] = (entry_t *)(uintptr_t)e->e_hash;
	else
		e = chunk_alloc(agg, sizeof(*e) + (room + agg->a_ncells) * 8);
	if (e == NULL)
		return NULL;
	e->e_hash = hash;
	e->e_nwords = (uint32_t)n;
	e->e_room = (uint32_t)room;
	copy_words(e->e_key, key, n);
	for (i = n; i < room; i++)
		e->e_key[i] = 0;
	cells_init(agg, entry_cells(e));
	return e;
}

static __attribute__((noinline)) int64_t *long_new(agg_t *agg, uint64_t hash, const uint64_t *key, size_t n, int make)
{
	table_t *t = &agg->a_long;
	uint64_t *slot;
	entry_t *e;

	if (t->t_old.s_base != NULL) {
		slot = long_old(t, hash, key, n);
		if (slot != NULL) {
			e = (entry_t *)(uintptr_t)slot[1];
			long_put(&t->t_cur, hash, e);
			slot[0] = ~hash; /* moved: see long_move() */
			return entry_cells(e);
		}
	}
	if (!make || table_room(agg, t, 2) != 0)
		return NULL;
	if (t->t_old.s_base != NULL)
		long_move(agg, MOVES_PER_KEY);
	if (charge(agg, n) != 0)
		return NULL;
	e = entry_new(agg, key, n, hash);
	if (e == NULL) {
		uncharge(agg, n);
		return NULL;
	}
	long_put(&t->t_cur, hash, e);
	return entry_cells(e);
}

/* A key padded to LONG_ROOM words, of a table with such room: no branch depends on its length. */
INLINE int64_t *long_cells_padded(agg_t *agg, const uint64_t *key, size_t n)
{
	uint64_t hash = hash_block(0, key, LONG_ROOM);
	const slots_t *s = &agg->a_long.t_cur;
	size_t i;

	if (UNLIKELY(s->s_base == NULL))
		return long_new(agg, hash, key, n, 1);
	for (i = place(s, hash);; i = next_place(s, i)) {
		uint64_t *slot = s->s_base + i * 2;
		entry_t *e = (entry_t *)(uintptr_t)slot[1];

		if (UNLIKELY(e == NULL))
			return long_new(agg, hash, key, n, 1);
		if (LIKELY(slot[0] == hash) && LIKELY(differ(e->e_key, key, LONG_ROOM) == 0))
			return entry_cells(e);
	}
}

INLINE int64_t *long_cells(agg_t *agg, const uint64_t *key, size_t n, int make)
{
	uint64_t hash = hash_words(key, n);

	if (LIKELY(agg->a_long.t_cur.s_base != NULL)) {
		entry_t *e = (entry_t *)(uintptr_t)long_find(&agg->a_long.t_cur, hash, key, n)[1];

		if (LIKELY(e != NULL))
			return entry_cells(e);
	}
	return long_new(agg, hash, key, n, make);
}

/* ---- making and recording ---- */

/* Words of an inline slot for this description; 0 = none. */
static uint32_t inline_width(const agg_desc_t *d, uint32_t ncells)
{
	uint32_t least = 0, most = 0, i, want, width;

	if (ncells > 4)
		return 0;
	for (i = 0; i < d->ad_nparts; i++) {
		uint32_t words = (d->ad_parts[i].ap_size + 7) / 8;

		most += words;
		/* strings tend to be short: two words each */
		least += d->ad_parts[i].ap_kind == AGG_STR && words > 2 ? 2 : words;
	}
	want = most + ncells <= 16 ? most : least;
	if (d->ad_nparts == 0)
		return 0;
	for (width = 2; width < want + ncells; width *= 2)
		;
	return width <= 16 ? width : 0;
}

/* Entries with many cells have a key of so many words at least, which can be compared whatever its length. */
static uint32_t long_room(uint32_t ncells)
{
	return ncells > 4 ? LONG_ROOM : 0;
}

agg_t *agg_create(const agg_desc_t *desc, size_t limit)
{
	uint32_t ncells = agg_ncells(desc);
	agg_t *agg;

	if (ncells == 0)
		return NULL;
	agg = mmap(NULL, sizeof(*agg), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (agg == MAP_FAILED)
		return NULL;
	agg->a_desc = *desc;
	agg->a_ncells = ncells;
	agg->a_width = inline_width(desc, ncells);
	agg->a_inline = agg->a_width == 0 ? 0 : agg->a_width - ncells;
	agg->a_room = long_room(ncells);
	agg->a_limit = limit;
	return agg;
}

/* key is zero-padded to AGG_PADDED words if it is shorter. */
INLINE int64_t *find_padded(agg_t *agg, const uint64_t *key, size_t n, int make)
{
	if (LIKELY(agg->a_inline == 7 && n <= 7)) { /* one cache line: everything unrolled */
		if (!is_zero(key, 7))
			return inline_cells(agg, key, n, 7, 8, make);
	} else if (n <= agg->a_inline && !is_zero(key, agg->a_inline)) {
		return inline_cells(agg, key, n, agg->a_inline, agg->a_width, make);
	}
	return long_cells(agg, key, n, make);
}

static void pad(uint64_t *to, const uint64_t *key, size_t n)
{
	size_t i;

	for (i = 0; i < AGG_PADDED; i++)
		to[i] = i < n ? key[i] : 0;
}

static __attribute__((noinline)) int64_t *inline_missing(agg_t *agg, uint64_t hash, const uint64_t *key, size_t n,
							 int make)
{
	uint64_t padded[AGG_PADDED];

	pad(padded, key, n);
	return inline_new(agg, hash, padded, n, make);
}

/* A slot's key is compared up to the sought one's length only: no key is another's beginning. */
INLINE int64_t *inline_exact(agg_t *agg, const uint64_t *key, size_t n, int make)
{
	uint64_t hash = hash_block(0, key, n), *slot;
	const slots_t *s = &agg->a_in.t_cur;
	uint32_t width = agg->a_width, keywords = agg->a_inline;

	if (UNLIKELY(s->s_base == NULL))
		return inline_missing(agg, hash, key, n, make);
	for (slot = s->s_base + place(s, hash) * width;;) {
		if (LIKELY(differ(slot, key, n) == 0))
			return (int64_t *)slot + keywords;
		if (UNLIKELY(slot[0] == 0) && any(slot, keywords) == 0)
			return inline_missing(agg, hash, key, n, make);
		slot += width;
		if (UNLIKELY(slot == s->s_base + s->s_n * width))
			slot = s->s_base;
	}
}

/* The same code for each usual length, which makes its loops straight lines. */
static int64_t *find_cells(agg_t *agg, const uint64_t *key, size_t n, int make)
{
	if (n > agg->a_inline || n == 0 || (UNLIKELY(key[0] == 0) && any(key, n) == 0))
		return long_cells(agg, key, n, make);
	switch (n) {
#define LENGTH(k) \
	case k:   \
		return inline_exact(agg, key, k, make)
		LENGTH(1);
		LENGTH(2);
		LENGTH(3);
		LENGTH(4);
		LENGTH(5);
		LENGTH(6);
		LENGTH(7);
		LENGTH(8);
#undef LENGTH
	default:
		return inline_exact(agg, key, n, make);
	}
}

INLINE void add128(int64_t *cells, u128 v)
{
	u128 sum = ((u128)(uint64_t)cells[1] << 64 | (uint64_t)cells[0]) + v;

	cells[0] = (int64_t)(uint64_t)sum;
	cells[1] = (int64_t)(uint64_t)(sum >> 64);
}

INLINE void add(int64_t *cell, int64_t v)
{
	*cell = (int64_t)((uint64_t)*cell + (uint64_t)v);
}

/* One event into the cells of its key. */
INLINE void update_as(const agg_t *agg, agg_func_t func, int64_t *cells, int64_t value, int64_t incr)
{
	switch (func) {
	case AGG_COUNT:
		add(cells, 1);
		break;
	case AGG_SUM:
		add(cells, value);
		break;
	case AGG_MIN:
		if (value < *cells)
			*cells = value;
		break;
	case AGG_MAX:
		if (value > *cells)
			*cells = value;
		break;
	case AGG_AVG:
		add(cells, 1);
		add(cells + 1, value);
		break;
	case AGG_STDDEV:
		add(cells, 1);
		add(cells + 1, value);
		add128(cells + 2, (u128)((s128)value * value));
		break;
	case AGG_QUANTIZE:
		add(cells + agg_quantize_bucket(value), incr);
		break;
	case AGG_LQUANTIZE:
		add(cells + agg_lquantize_cell(&agg->a_desc, value), incr);
		break;
	case AGG_LLQUANTIZE:
		add(cells + agg_llquantize_cell(&agg->a_desc, value), incr);
		break;
	}
}

INLINE void update(const agg_t *agg, int64_t *cells, int64_t value, int64_t incr)
{
	update_as(agg, agg->a_desc.ad_func, cells, value, incr);
}

int agg_record_padded(agg_t *agg, const uint64_t *key, size_t klen, int64_t value, int64_t incr)
{
	int64_t *cells = find_padded(agg, key, klen / 8, 1);

	if (UNLIKELY(cells == NULL))
		return -1;
	if (LIKELY(agg->a_desc.ad_func == AGG_COUNT))
		add(cells, 1);
	else
		update(agg, cells, value, incr);
	return 0;
}

int agg_record(agg_t *agg, const uint64_t *key, size_t klen, int64_t value, int64_t incr)
{
	int64_t *cells = find_cells(agg, key, klen / 8, 1);

	if (cells == NULL)
		return -1;
	update(agg, cells, value, incr);
	return 0;
}

void agg_pins(agg_t *agg, int64_t **pins, size_t n)
{
	agg->a_pins = pins;
	agg->a_npins = n;
}

int64_t *agg_cells(agg_t *agg, const uint64_t *key, size_t klen)
{
	return find_cells(agg, key, klen / 8, 1);
}

void agg_update(const agg_t *agg, int64_t *cells, int64_t value)
{
	update_as(agg, agg->a_desc.ad_func, cells, value, 1);
}

/* ---- recording, made for one description ---- */

/* Keys that no slot takes, of tables where most are taken by one. */
static __attribute__((noinline)) int64_t *long_cells_of_short(agg_t *agg, const uint64_t *key, size_t n)
{
	return long_cells(agg, key, n, 1);
}

/* keywords: key words of an inline slot that holds one cell, 0 = all keys are long. */
INLINE int record_as(agg_t *agg, agg_func_t func, uint32_t keywords, const uint64_t *key, size_t n, int64_t value)
{
	int64_t *cells;

	if (keywords == 0 && (func == AGG_QUANTIZE || func == AGG_LQUANTIZE) && LIKELY(n <= LONG_ROOM))
		cells = long_cells_padded(agg, key, n);
	else if (keywords == 0)
		cells = long_cells(agg, key, n, 1);
	else if (LIKELY(n <= keywords) && !is_zero(key, keywords))
		cells = inline_cells(agg, key, n, keywords, keywords + 1, 1);
	else
		cells = long_cells_of_short(agg, key, n);
	if (UNLIKELY(cells == NULL))
		return -1;
	update_as(agg, func, cells, value, 1);
	return 0;
}

#define RECORDER(name, func, keywords)                                                 \
	static int name(agg_t *agg, const uint64_t *key, size_t nwords, int64_t value) \
	{                                                                              \
		return record_as(agg, func, keywords, key, nwords, value);             \
	}
RECORDER(count_long, AGG_COUNT, 0)
RECORDER(count_1, AGG_COUNT, 1)
RECORDER(count_3, AGG_COUNT, 3)
RECORDER(count_7, AGG_COUNT, 7)
RECORDER(count_15, AGG_COUNT, 15)
RECORDER(sum_1, AGG_SUM, 1)
RECORDER(sum_3, AGG_SUM, 3)
RECORDER(sum_7, AGG_SUM, 7)
RECORDER(quantize_long, AGG_QUANTIZE, 0)
RECORDER(lquantize_long, AGG_LQUANTIZE, 0)

static int record_any(agg_t *agg, const uint64_t *key, size_t nwords, int64_t value)
{
	return agg_record_padded(agg, key, nwords * 8, value, 1);
}

agg_recorder_t *agg_recorder(const agg_desc_t *desc, uint32_t *padded)
{
	static const struct {
		agg_func_t func;
		uint32_t keywords;
		agg_recorder_t *recorder;
	} made[] = {{AGG_COUNT, 0, count_long},
		    {AGG_COUNT, 1, count_1},
		    {AGG_COUNT, 3, count_3},
		    {AGG_COUNT, 7, count_7},
		    {AGG_COUNT, 15, count_15},
		    {AGG_SUM, 1, sum_1},
		    {AGG_SUM, 3, sum_3},
		    {AGG_SUM, 7, sum_7},
		    {AGG_QUANTIZE, 0, quantize_long},
		    {AGG_LQUANTIZE, 0, lquantize_long}};
	uint32_t ncells = agg_ncells(desc), width = inline_width(desc, ncells), i;

	for (i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
		if (made[i].func != desc->ad_func || made[i].keywords != (width == 0 ? 0 : width - ncells))
			continue;
		if (made[i].keywords == 0 && desc->ad_func != AGG_COUNT && long_room(ncells) == 0)
			continue;
		*padded = made[i].keywords != 0 ? made[i].keywords : long_room(ncells);
		return made[i].recorder;
	}
	*padded = AGG_PADDED;
	return record_any;
}

/* ---- merging ---- */

int agg_merge_cells(agg_t *dst, const uint64_t *key, size_t klen, const int64_t *from)
{
	int64_t *cells = find_cells(dst, key, klen / 8, 1);
	uint32_t i;

	if (cells == NULL)
		return -1;
	switch (dst->a_desc.ad_func) {
	case AGG_MIN:
		if (*from < *cells)
			*cells = *from;
		break;
	case AGG_MAX:
		if (*from > *cells)
			*cells = *from;
		break;
	case AGG_STDDEV:
		add(cells, from[0]);
		add(cells + 1, from[1]);
		add128(cells + 2, (u128)(uint64_t)from[3] << 64 | (uint64_t)from[2]);
		break;
	default:
		for (i = 0; i < dst->a_ncells; i++)
			add(cells + i, from[i]);
		break;
	}
	return 0;
}

static int merge_entry(void *dst, const uint64_t *key, size_t klen, const int64_t *cells)
{
	return agg_merge_cells(dst, key, klen, cells);
}

/*
 * A table is walked in the order of its hashes.  Put into a smaller table in
 * that order, its keys would all crowd into one corner, and each would be
 * looked for past all before it; in a table of the same size they spread.
 */
void agg_reserve(agg_t *agg, const agg_t *like)
{
	table_reserve(agg, &agg->a_in, like->a_in.t_cur.s_n, agg->a_width);
	table_reserve(agg, &agg->a_long, like->a_long.t_cur.s_n, 2);
}

int agg_merge(agg_t *dst, const agg_t *src)
{
	agg_reserve(dst, src);
	return agg_walk(src, merge_entry, dst);
}

/* ---- walking and removing ---- */

/* Words of the key that starts at w: what the description says, strings by their end. */
static size_t key_words(const agg_desc_t *d, const uint64_t *w)
{
	size_t n = 0, i, part;

	for (i = 0; i < d->ad_nparts; i++) {
		part = (d->ad_parts[i].ap_size + 7) / 8;
		if (d->ad_parts[i].ap_kind == AGG_STR) {
			size_t k = 0;

			while (k < part) {
				uint64_t v = w[n + k++];

				if (((v - 0x0101010101010101) & ~v & 0x8080808080808080) != 0)
					break;
			}
			part = k;
		}
		n += part;
	}
	return n;
}

static int walk_inline(const agg_t *agg, const slots_t *s, size_t from, const slots_t *newer, agg_walk_f *f, void *arg)
{
	size_t i;
	int found, r;

	for (i = from; i < s->s_n; i++) {
		const uint64_t *slot = s->s_base + i * s->s_width;

		if (any(slot, agg->a_inline) == 0)
			continue;
		found = 0;
		if (newer != NULL)
			(void)inline_find(newer, agg->a_inline, hash_words(slot, agg->a_inline), slot, &found);
		if (found)
			continue;
		r = f(arg, slot, key_words(&agg->a_desc, slot) * 8, (const int64_t *)slot + agg->a_inline);
		if (r != 0)
			return r;
	}
	return 0;
}

static int walk_long(const slots_t *s, size_t from, agg_walk_f *f, void *arg)
{
	size_t i;
	int r;

	for (i = from; i < s->s_n; i++) {
		entry_t *e = (entry_t *)(uintptr_t)s->s_base[i * 2 + 1];

		if (e == NULL || s->s_base[i * 2] != e->e_hash)
			continue;
		r = f(arg, e->e_key, e->e_nwords * 8, entry_cells(e));
		if (r != 0)
			return r;
	}
	return 0;
}

int agg_walk(const agg_t *agg, agg_walk_f *f, void *arg)
{
	int r = walk_inline(agg, &agg->a_in.t_cur, 0, NULL, f, arg);

	if (r == 0 && agg->a_in.t_old.s_base != NULL)
		r = walk_inline(agg, &agg->a_in.t_old, agg->a_in.t_moved, &agg->a_in.t_cur, f, arg);
	if (r == 0)
		r = walk_long(&agg->a_long.t_cur, 0, f, arg);
	if (r == 0 && agg->a_long.t_old.s_base != NULL)
		r = walk_long(&agg->a_long.t_old, agg->a_long.t_moved, f, arg);
	return r;
}

/* Finish growing. */
static void settle(agg_t *agg)
{
	if (agg->a_in.t_old.s_base != NULL)
		inline_move(agg, agg->a_in.t_old.s_n);
	if (agg->a_long.t_old.s_base != NULL)
		long_move(agg, agg->a_long.t_old.s_n);
}

const int64_t *agg_lookup(const agg_t *agg, const uint64_t *key, size_t klen)
{
	/* making nothing, it changes the place of a key at most */
	return find_cells((agg_t *)(uintptr_t)agg, key, klen / 8, 0);
}

static int zero_entry(void *arg, const uint64_t *key, size_t klen, const int64_t *cells)
{
	int64_t *c = (int64_t *)(uintptr_t)cells;
	uint32_t i;

	(void)key;
	(void)klen;
	for (i = 0; i < ((agg_t *)arg)->a_ncells; i++)
		c[i] = 0;
	return 0;
}

void agg_clear(agg_t *agg)
{
	settle(agg);
	(void)agg_walk(agg, zero_entry, agg);
}

/* Slots from one to another, going up. */
static size_t distance(const slots_t *s, size_t from, size_t to)
{
	return to >= from ? to - from : to + s->s_n - from;
}

/*
 * Take slot i out of its chain: each entry behind it that may stand there
 * moves up.  home(slot) is where an entry would best stand.
 */
static void slots_delete(agg_t *agg, slots_t *s, size_t i, int is_inline)
{
	size_t j = i, home;
	uint64_t *slot;

	for (;;) {
		j = next_place(s, j);
		slot = s->s_base + j * s->s_width;
		if (is_inline ? any(slot, agg->a_inline) == 0 : slot[1] == 0)
			break;
		home = place(s, is_inline ? hash_words(slot, agg->a_inline) : slot[0]);
		if (distance(s, home, j) >= distance(s, i, j)) {
			copy_words(s->s_base + i * s->s_width, slot, s->s_width);
			i = j;
		}
	}
	slot = s->s_base + i * s->s_width;
	for (j = 0; j < s->s_width; j++)
		slot[j] = 0;
	s->s_used--;
}

int agg_remove(agg_t *agg, const uint64_t *key, size_t klen)
{
	uint64_t padded[AGG_PADDED];
	size_t n = klen / 8;
	uint64_t *slot;
	entry_t *e;
	int found;

	unpin(agg);
	settle(agg);
	if (n <= agg->a_inline && any(key, n) != 0) {
		if (agg->a_in.t_cur.s_base == NULL)
			return 0;
		pad(padded, key, n);
		slot = inline_find(&agg->a_in.t_cur, agg->a_inline, hash_words(key, n), padded, &found);
		if (!found)
			return 0;
		slots_delete(agg, &agg->a_in.t_cur, (size_t)(slot - agg->a_in.t_cur.s_base) / agg->a_width, 1);
	} else {
		if (agg->a_long.t_cur.s_base == NULL)
			return 0;
		slot = long_find(&agg->a_long.t_cur, hash_words(key, n), key, n);
		e = (entry_t *)(uintptr_t)slot[1];
		if (e == NULL)
			return 0;
		if (n <= FREE_CLASSES) {
			e->e_hash = (uintptr_t)agg->a_free[n];
			agg->a_free[n] = e;
		}
		slots_delete(agg, &agg->a_long.t_cur, (size_t)(slot - agg->a_long.t_cur.s_base) / 2, 0);
	}
	uncharge(agg, n);
	return 1;
}

void agg_empty(agg_t *agg)
{
	chunk_t *c;
	size_t i;

	unpin(agg);
	slots_unmap(agg, &agg->a_in.t_cur, 0);
	slots_unmap(agg, &agg->a_in.t_old, agg->a_in.t_freed);
	slots_unmap(agg, &agg->a_long.t_cur, 0);
	slots_unmap(agg, &agg->a_long.t_old, agg->a_long.t_freed);
	while ((c = agg->a_chunks) != NULL) {
		agg->a_chunks = c->c_next;
		unmap(agg, c, c->c_size);
	}
	for (i = 0; i <= FREE_CLASSES; i++)
		agg->a_free[i] = NULL;
	agg->a_nkeys = agg->a_charged = 0;
}

void agg_destroy(agg_t *agg)
{
	if (agg == NULL)
		return;
	agg_empty(agg);
	munmap(agg, sizeof(*agg));
}

size_t agg_nkeys(const agg_t *agg)
{
	return agg->a_nkeys;
}

size_t agg_bytes(const agg_t *agg)
{
	return agg->a_mapped;
}
