/*
 * The hooks.  Compiled for general registers only, so that the trampoline need not save the vector registers, and at
 * -O2 without the model's restrictions.
 */
#pragma GCC target("general-regs-only")
#pragma GCC optimize("no-tree-loop-distribute-patterns")

#include "limit_hooks.h"
#include "sys/stream.h"
#include "sys/thread.h"
#include "tables.h"

_Thread_local ltstate_t limit_state __attribute__((tls_model("local-exec")));

#define ARGS const void *a, const void *b, const uint64_t *fp, uint64_t ra
#define UNUSED ((void)a, (void)b, (void)fp, (void)ra)

static const uint64_t mult[7] = {0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9, 0xd6e8feb86659fd93,
				 0xa0761d6478bd642f, 0xe7037ed1a0b428db, 0x8ebc6af09c88c6e3};

/* ---- the key ---- */

/* A word of text, wherever it lies. */
typedef uint64_t __attribute__((aligned(1), may_alias)) text_t;

ALWAYS_INLINE uint64_t zeroes(uint64_t w)
{
	return (w - 0x0101010101010101) & ~w & 0x8080808080808080;
}

/* Up to the first NUL, zero-filled. */
ALWAYS_INLINE uint64_t up_to_nul(uint64_t w, uint64_t z)
{
	return w & (((z & -z) >> 7) - 1);
}

/* A name of up to 15 bytes that lies in memory with 16 to be read. */
ALWAYS_INLINE void take_name(const queue_t *q, uint64_t key[2])
{
	const text_t *s = (const text_t *)q->q_qinfo->qi_minfo->mi_idname;
	uint64_t w = s[0], z = zeroes(w);

	if (LIKELY(z != 0)) {
		key[0] = up_to_nul(w, z);
		key[1] = 0;
		return;
	}
	key[0] = w;
	w = s[1];
	key[1] = up_to_nul(w, zeroes(w));
}

/* Each frame must lie in the stack and above the last one. */
ALWAYS_INLINE void take_stack(const uint64_t *fp, uint64_t ra, uint64_t *st, uint32_t n)
{
	uint64_t lo = machine_stklo, hi = machine_stkhi - 16;
	uint32_t i;

	st[0] = ra;
#pragma GCC unroll 4
	for (i = 1; i < n; i++) {
		if (UNLIKELY((uint64_t)fp - lo >= hi - lo || ((uint64_t)fp & 7) != 0)) {
			for (; i < n; i++)
				st[i] = 0;
			return;
		}
		lo = (uint64_t)fp + 8;
		st[i] = fp[1];
		fp = (const uint64_t *)fp[0];
	}
}

/* ---- the table ---- */

/* Multilinear: independent products, one fold. */
ALWAYS_INLINE uint64_t hash_words(const uint64_t *k, uint32_t n)
{
	uint64_t h = 0;

#pragma GCC unroll 32
	for (uint32_t i = 0; i < n; i++)
		h += k[i] * (mult[i % 7] + 2 * (i / 7));
	h ^= h >> 32;
	return h * 0x9fb21c651e98df25;
}

ALWAYS_INLINE void count_words(ltable_t *t, const uint64_t *k, uint32_t n, uint32_t stride)
{
	uint64_t at = hash_words(k, n) >> t->lt_shift;

	for (;; at = (at + 1) & t->lt_mask) {
		uint64_t *e = t->lt_base + at * stride, differs = 0;

#pragma GCC unroll 32
		for (uint32_t i = 0; i < n; i++)
			differs |= e[i] ^ k[i];
		if (LIKELY(differs == 0 && e[n] != 0)) {
			e[n]++;
			return;
		}
		if (UNLIKELY(e[n] == 0)) {
			ltable_insert(t, k);
			return;
		}
	}
}

uint64_t ltable_hash(const uint64_t *key, uint32_t words)
{
	return words == 7 ? hash_words(key, 7) : hash_words(key, words);
}

void ltable_count(ltable_t *t, const uint64_t *key)
{
	switch (t->lt_words) {
	case 1:
		count_words(t, key, 1, 2);
		break;
	case 2:
		count_words(t, key, 2, 4);
		break;
	case 4:
		count_words(t, key, 4, 8);
		break;
	case 7:
		count_words(t, key, 7, 8);
		break;
	case 8:
		count_words(t, key, 8, 16);
		break;
	case 16:
		count_words(t, key, 16, 24);
		break;
	case 32:
		count_words(t, key, 32, 40);
		break;
	default:
		count_words(t, key, t->lt_words, t->lt_stride);
	}
}

/* ---- hooks ---- */

void hook_empty(ARGS)
{
	UNUSED;
}

void hook_inc(ARGS)
{
	UNUSED;
	limit_state.ls_count++;
}

void hook_walk(ARGS)
{
	UNUSED;
	take_stack(fp, ra, limit_state.ls_stack, 5);
}

void hook_name(ARGS)
{
	UNUSED;
	take_name(a, limit_state.ls_name);
}

void hook_both(ARGS)
{
	UNUSED;
	take_name(a, limit_state.ls_name);
	take_stack(fp, ra, limit_state.ls_stack, 5);
}

void hook_hash(ARGS)
{
	uint64_t key[7];

	UNUSED;
	take_name(a, key);
	take_stack(fp, ra, key + 2, 5);
	limit_state.ls_count += hash_words(key, 7);
}

void hook_put(ARGS)
{
	uint64_t key[7];

	UNUSED;
	take_name(a, key);
	take_stack(fp, ra, key + 2, 5);
	count_words(&limit_state.ls_table, key, 7, 8);
}

void hook_put_deep(ARGS)
{
	uint64_t key[LIMIT_WORDS];

	UNUSED;
	take_name(a, key);
	take_stack(fp, ra, key + 2, limit_state.ls_depth);
	count_words(&limit_state.ls_table, key, limit_state.ls_table.lt_words, limit_state.ls_table.lt_stride);
}

/* The size of the message, the text of the process's arguments up to its NUL, and the process's histogram. */
void hook_write(ARGS)
{
	const proc_t *p = curthread->t_procp;
	const text_t *s = (const text_t *)p->p_user.u_psargs;
	uint64_t text[10], pid = (uint64_t)p->p_pid, h = pid * mult[0], size = 0, z = 0, at, differs;
	uint32_t n, i;

	UNUSED;
	for (const mblk_t *m = b; m != NULL; m = m->b_cont)
		size += (uint64_t)(m->b_wptr - m->b_rptr);
	for (n = 0; n < 10 && z == 0; n++) {
		z = zeroes(s[n]);
		text[n] = z == 0 ? s[n] : up_to_nul(s[n], z);
		h = (h ^ text[n]) * mult[3];
		h ^= h >> 29;
	}
	for (at = h >> 56;; at = (at + 1) % LIMIT_PROCS) {
		lhist_t *e = limit_state.ls_hist[at];

		if (UNLIKELY(e == NULL)) {
			for (i = n; i < 10; i++)
				text[i] = 0;
			e = lhist_insert(&limit_state.ls_hist[at], pid, text);
		}
		differs = e->lh_pid ^ pid;
		for (i = 0; i < n; i++)
			differs |= e->lh_text[i] ^ text[i];
		if (LIKELY(differs == 0)) {
			e->lh_bucket[size == 0 ? 0 : 64 - __builtin_clzll(size)]++;
			return;
		}
	}
}

/* ---- the same key for the tables of libraries: through the trampoline that saves the vector registers ---- */

void hook_table(ARGS)
{
	uint64_t key[7];

	UNUSED;
	take_name(a, key);
	take_stack(fp, ra, key + 2, 5);
	limit_state.ls_ops->to_count(limit_state.ls_other, key);
}

void hook_mutex(ARGS)
{
	uint64_t key[7];

	UNUSED;
	take_name(a, key);
	take_stack(fp, ra, key + 2, 5);
	limit_lock();
	limit_state.ls_ops->to_count(limit_state.ls_other, key);
	limit_unlock();
}
