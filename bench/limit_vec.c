/*
 * tcpwdist.d's limit where the processor has AVX-512: the text of the arguments, 80 bytes, is taken, cut at its NUL,
 * hashed and compared in vector registers, so that no branch depends on its length.
 *
 * Compiled so that the vector registers 0 to 7, which carry arguments, are not used: the trampoline that saves nothing
 * but general registers serves here too.
 */
#include <cpuid.h>
#include <immintrin.h>

#include "limit.h"
#include "limit_hooks.h"
#include "sys/stream.h"
#include "sys/thread.h"

#define VECTORS __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,aes,vaes")))

typedef struct text {
	__m512i a; /* the first 64 bytes */
	__m128i b; /* the other 16 */
} text_t;

/* What is behind the NUL is zeroed. */
VECTORS ALWAYS_INLINE text_t take_text(const char *s)
{
	__m512i a = _mm512_loadu_si512(s);
	__m128i b = _mm_loadu_si128((const void *)(s + 64));
	uint64_t za = _mm512_testn_epi8_mask(a, a);
	uint32_t zb = _mm_testn_epi8_mask(b, b);

	return (text_t){_mm512_maskz_mov_epi8((za & -za) - 1, a),
			_mm_maskz_mov_epi8((__mmask16)(za != 0 ? 0 : (zb & -zb) - 1), b)};
}

/* One round of AES mixes each quarter; then they are folded, the last with the process's number. */
VECTORS ALWAYS_INLINE uint64_t hash_text(const text_t *t, uint64_t pid)
{
	__m512i x = _mm512_aesenc_epi128(t->a, _mm512_set_epi64(3, 5, 7, 11, 13, 17, 19, 23));
	__m256i y = _mm256_aesenc_epi128(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64(x, 1));
	__m128i z = _mm_aesenc_si128(_mm_xor_si128(_mm256_castsi256_si128(y), t->b), _mm256_extracti64x2_epi64(y, 1));

	return (uint64_t)_mm_cvtsi128_si64(_mm_aesenc_si128(z, _mm_set1_epi64x((long long)pid)));
}

VECTORS ALWAYS_INLINE bool same_text(const text_t *t, const lhist_t *e)
{
	return (_mm512_cmpneq_epi64_mask(t->a, _mm512_loadu_si512(e->lh_text)) |
		_mm_cmpneq_epi64_mask(t->b, _mm_loadu_si128((const void *)(e->lh_text + 8)))) == 0;
}

VECTORS static __attribute__((noinline)) lhist_t *insert(lhist_t **slot, uint64_t pid, const char *s)
{
	uint64_t text[10];
	text_t t = take_text(s);

	_mm512_storeu_si512(text, t.a);
	_mm_storeu_si128((void *)(text + 8), t.b);
	return lhist_insert(slot, pid, text);
}

VECTORS void hook_write_vec(const void *a, const void *b, const uint64_t *fp, uint64_t ra)
{
	const proc_t *p = curthread->t_procp;
	text_t t = take_text(p->p_user.u_psargs);
	uint64_t pid = (uint64_t)p->p_pid, size = 0;
	uint64_t at = hash_text(&t, pid) % LIMIT_PROCS;

	(void)a, (void)fp, (void)ra;
	for (const mblk_t *m = b; m != NULL; m = m->b_cont)
		size += (uint64_t)(m->b_wptr - m->b_rptr);
	for (;; at = (at + 1) % LIMIT_PROCS) {
		lhist_t *e = limit_state.ls_hist[at];

		if (UNLIKELY(e == NULL))
			e = insert(&limit_state.ls_hist[at], pid, p->p_user.u_psargs);
		if (LIKELY(e->lh_pid == pid && same_text(&t, e))) {
			e->lh_bucket[size == 0 ? 0 : 64 - __builtin_clzll(size)]++;
			return;
		}
	}
}

/* The compilers do not all know the name of VAES. */
static bool has_vaes(void)
{
	unsigned int a, b, c, d;

	return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (c & bit_VAES) != 0;
}

bool limit_has_vectors(void)
{
	return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
	       __builtin_cpu_supports("avx512dq") && has_vaes();
}
