/* What the hooks and their set-up (limit.c) share: a thread's state and the limit's table. */
#ifndef STRSIM_BENCH_LIMIT_HOOKS_H
#define STRSIM_BENCH_LIMIT_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIMIT_WORDS 68 /* of a key: name and 64 frames, at most */
#define LIMIT_PROCS 256

/* Entries of words + 1 words, a power of 2 of them; an entry whose count is 0 is free. */
typedef struct ltable {
	uint64_t *lt_base;
	uint64_t lt_shift, lt_mask, lt_used, lt_limit;
	uint32_t lt_words, lt_stride;
} ltable_t;

/* A process's histogram. */
typedef struct lhist {
	uint64_t lh_pid, lh_text[10]; /* zero-filled */
	uint64_t lh_bucket[65];
} lhist_t;

typedef struct ltstate {
	uint64_t ls_count, ls_name[2], ls_stack[5];
	ltable_t ls_table;
	lhist_t *ls_hist[LIMIT_PROCS];
	uint32_t ls_depth;
	const struct table_ops *ls_ops;
	void *ls_other;
} ltstate_t;

extern _Thread_local ltstate_t limit_state;

void ltable_init(ltable_t *t, uint32_t words, unsigned bits);
/* A new key: grows when it must.  The key's hash is h. */
void ltable_insert(ltable_t *t, const uint64_t *key);
uint64_t ltable_hash(const uint64_t *key, uint32_t words);
void ltable_count(ltable_t *t, const uint64_t *key);
lhist_t *lhist_insert(lhist_t **slot, uint64_t pid, const uint64_t *text);
void limit_lock(void);
void limit_unlock(void);

typedef void limit_hook_t(const void *, const void *, const uint64_t *, uint64_t);
limit_hook_t hook_empty, hook_inc, hook_walk, hook_name, hook_both, hook_hash, hook_put, hook_put_deep, hook_write;
limit_hook_t hook_table, hook_mutex, hook_write_vec;

#endif
