/*
 * Included first (after the host's headers) by files whose code runs where a
 * probe fired: it must not touch vector registers, which the trampolines do not
 * save, nor call functions of the C library that might, such as memcpy().
 */
#ifndef STRSIM_DTRACE_PROBECTX_H
#define STRSIM_DTRACE_PROBECTX_H

#pragma GCC target("general-regs-only")
#pragma GCC optimize("no-tree-loop-distribute-patterns")

#include "sys/types.h"

/* n bytes within this program's own, valid memory; no overlap. */
ALWAYS_INLINE void mem_copy(void *dst, const void *src, size_t n)
{
	void *d = dst;
	const void *s = src;
	size_t words = n / 8, bytes = n % 8;

	/* clang-format off */
	__asm__ volatile("rep movsq" : "+D"(d), "+S"(s), "+c"(words) : : "memory");
	__asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(bytes) : : "memory");
	/* clang-format on */
}

ALWAYS_INLINE void mem_zero(void *dst, size_t n)
{
	/* clang-format off */
	__asm__ volatile("rep stosb" : "+D"(dst), "+c"(n) : "a"(0) : "memory");
	/* clang-format on */
}

#endif
