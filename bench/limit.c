#include "limit.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cpus.h"
#include "kernelmodel/chain/chain.h"
#include "limit_hooks.h"

extern const char limit_tramp_int[], limit_tramp_all[], limit_tramp_ret[];
extern limit_hook_t *limit_hook;

struct limit {
	hook_t hook;
	const table_ops_t *ops;
	uint32_t nthreads, depth;
	void *shared;
	ltstate_t states[WORK_THREADS]; /* while another contender's turn is on */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void limit_lock(void)
{
	pthread_mutex_lock(&lock);
}

void limit_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

/* ---- the table ---- */

#define HUGE_PAGE ((size_t)2 << 20)

static uint64_t *map_zeroes(size_t n)
{
	size_t len = (n + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
	void *p = aligned_alloc(HUGE_PAGE, len);

	if (p == NULL)
		abort();
	if (len >= 2 * HUGE_PAGE)
		(void)madvise(p, len, MADV_HUGEPAGE);
	memset(p, 0, len);
	return p;
}

void ltable_init(ltable_t *t, uint32_t words, unsigned bits)
{
	uint32_t stride = 2;

	while (stride < words + 1 && stride < 8)
		stride *= 2;
	if (stride < words + 1)
		stride = (words + 8) / 8 * 8;
	*t = (ltable_t){.lt_shift = 64 - bits,
			.lt_mask = ((uint64_t)1 << bits) - 1,
			.lt_limit = (uint64_t)1 << (bits - 1),
			.lt_words = words,
			.lt_stride = stride};
	t->lt_base = map_zeroes(((size_t)stride << bits) * sizeof(uint64_t));
}

static uint64_t *free_slot(ltable_t *t, const uint64_t *key)
{
	uint64_t at = ltable_hash(key, t->lt_words) >> t->lt_shift;

	while (t->lt_base[at * t->lt_stride + t->lt_words] != 0)
		at = (at + 1) & t->lt_mask;
	t->lt_used++;
	return t->lt_base + at * t->lt_stride;
}

static void grow(ltable_t *t)
{
	ltable_t old = *t;

	ltable_init(t, old.lt_words, (unsigned)(64 - old.lt_shift) + 1);
	for (uint64_t i = 0; i <= old.lt_mask; i++) {
		const uint64_t *e = old.lt_base + i * old.lt_stride;

		if (e[old.lt_words] != 0)
			memcpy(free_slot(t, e), e, (old.lt_words + 1) * sizeof(*e));
	}
	free(old.lt_base);
}

void ltable_insert(ltable_t *t, const uint64_t *key)
{
	uint64_t *e;

	if (t->lt_used >= t->lt_limit)
		grow(t);
	e = free_slot(t, key);
	memcpy(e, key, t->lt_words * sizeof(*key));
	e[t->lt_words] = 1;
}

lhist_t *lhist_insert(lhist_t **slot, uint64_t pid, const uint64_t *text)
{
	lhist_t *h = calloc(1, sizeof(*h));

	if (h == NULL)
		abort();
	h->lh_pid = pid;
	memcpy(h->lh_text, text, sizeof(h->lh_text));
	return *slot = h;
}

/* ---- by itself ---- */

static void *limit_create(size_t klen)
{
	ltable_t *t = malloc(sizeof(*t));

	if (t == NULL)
		abort();
	ltable_init(t, (uint32_t)(klen / 8), 8);
	return t;
}

static void limit_count(void *table, const uint64_t *key)
{
	ltable_count(table, key);
}

static void table_walk(const ltable_t *t, void (*f)(void *, uint64_t), void *arg)
{
	for (uint64_t i = 0; t->lt_base != NULL && i <= t->lt_mask; i++)
		if (t->lt_base[i * t->lt_stride + t->lt_words] != 0)
			f(arg, t->lt_base[i * t->lt_stride + t->lt_words]);
}

static void limit_walk(void *table, void (*f)(void *, uint64_t), void *arg)
{
	table_walk(table, f, arg);
}

static void limit_destroy(void *table)
{
	ltable_t *t = table;

	free(t->lt_base);
	free(t);
}

const table_ops_t table_limit = {"limit", limit_create, limit_count, limit_walk, limit_destroy};

/* ---- hooks ---- */

static const struct {
	limit_hook_t *hook;
	bool vectors, write;
} hooks[] = {
    [HOOK_RET] = {NULL, false, false},        [HOOK_EMPTY] = {hook_empty, false, false},
    [HOOK_INC] = {hook_inc, false, false},    [HOOK_WALK] = {hook_walk, false, false},
    [HOOK_NAME] = {hook_name, false, false},  [HOOK_BOTH] = {hook_both, false, false},
    [HOOK_HASH] = {hook_hash, false, false},  [HOOK_PUT] = {hook_put, false, false},
    [HOOK_WRITE] = {hook_write, false, true}, [HOOK_VEC] = {hook_write_vec, false, true},
    [HOOK_TABLE] = {hook_table, true, false}, [HOOK_MUTEX] = {hook_mutex, true, false},
};

static void make_state(void *arg, int cpu)
{
	limit_t *l = arg;
	ltstate_t *s = &l->states[cpu];

	s->ls_depth = l->depth;
	s->ls_ops = l->ops;
	if (l->hook == HOOK_PUT)
		ltable_init(&s->ls_table, l->depth + 2, 8);
	else if (l->hook == HOOK_TABLE)
		s->ls_other = l->ops->to_create(56);
	else
		s->ls_other = l->shared;
}

limit_t *limit_open(hook_t hook, const table_ops_t *table, uint32_t nthreads, uint32_t depth)
{
	limit_t *l = calloc(1, sizeof(*l));

	if (l == NULL)
		abort();
	l->hook = hook;
	l->ops = table;
	l->nthreads = nthreads;
	l->depth = depth;
	if (hook == HOOK_MUTEX)
		l->shared = table->to_create(56);
	cpus_each(make_state, l);
	return l;
}

/* Each thread's state is its own while the contender has its turn. */
static void load_state(void *arg, int cpu)
{
	limit_state = ((limit_t *)arg)->states[cpu];
}

static void save_state(void *arg, int cpu)
{
	((limit_t *)arg)->states[cpu] = limit_state;
}

static void patch_entry(uintptr_t func, const void *target)
{
	static const unsigned char nop[5] = {0x0f, 0x1f, 0x44, 0, 0};
	uintptr_t page = func & ~(uintptr_t)4095;
	unsigned char code[5] = {0xe8};
	int32_t rel = (int32_t)((intptr_t)target - (intptr_t)(func + 5));

	if (mprotect((void *)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
		abort();
	memcpy(code + 1, &rel, 4);
	memcpy((void *)func, target != NULL ? code : nop, 5);
}

void limit_arm(limit_t *l, bool on)
{
	uintptr_t func = hooks[l->hook].write ? (uintptr_t)chain_output : (uintptr_t)chain_putnext;
	const void *tramp = hooks[l->hook].vectors ? limit_tramp_all : limit_tramp_int;

	if (!on) {
		patch_entry(func, NULL);
		cpus_each(save_state, l);
		return;
	}
	limit_hook = hooks[l->hook].hook;
	if (l->hook == HOOK_PUT && l->depth != 5)
		limit_hook = hook_put_deep;
	cpus_each(load_state, l);
	patch_entry(func, l->hook == HOOK_RET ? limit_tramp_ret : tramp);
}

/* ---- results: one table of all threads ---- */

static void add_count(void *arg, uint64_t count)
{
	tally_t *t = arg;

	t->t_keys++;
	tally_add(t, count);
}

static void add_table(ltable_t *all, const ltable_t *t)
{
	for (uint64_t i = 0; i <= t->lt_mask; i++) {
		const uint64_t *e = t->lt_base + i * t->lt_stride;

		for (uint64_t n = e[t->lt_words]; n > 0; n--)
			ltable_count(all, e);
	}
}

static void tally_puts(limit_t *l, tally_t *out)
{
	ltable_t all;

	ltable_init(&all, l->states[0].ls_table.lt_words, 8);
	for (uint32_t t = 0; t < l->nthreads; t++)
		add_table(&all, &l->states[t].ls_table);
	table_walk(&all, add_count, out);
	free(all.lt_base);
}

static void tally_writes(limit_t *l, tally_t *out)
{
	for (int i = 0; i < LIMIT_PROCS; i++) {
		if (l->states[0].ls_hist[i] == NULL)
			continue;
		out->t_keys++;
		for (int b = 0; b < 65; b++)
			tally_add(out, l->states[0].ls_hist[i]->lh_bucket[b]);
	}
}

void limit_tally(limit_t *l, tally_t *out)
{
	*out = (tally_t){0, 0, 0};
	if (l->hook == HOOK_PUT)
		tally_puts(l, out);
	else if (hooks[l->hook].write)
		tally_writes(l, out);
	else if (l->ops != NULL)
		l->ops->to_walk(l->states[0].ls_other, add_count, out);
}

void limit_close(limit_t *l)
{
	for (uint32_t t = 0; t < l->nthreads; t++) {
		free(l->states[t].ls_table.lt_base);
		for (int i = 0; i < LIMIT_PROCS; i++)
			free(l->states[t].ls_hist[i]);
		if (l->hook == HOOK_TABLE)
			l->ops->to_destroy(l->states[t].ls_other);
	}
	if (l->shared != NULL)
		l->ops->to_destroy(l->shared);
	free(l);
}
