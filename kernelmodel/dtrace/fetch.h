/*
 * Access to addresses that need not be there.
 *
 * Theory.  Each instruction that may fault is written in assembly, and its
 * address is put into a table beside that of a fix-up.  The handler of SIGSEGV
 * and SIGBUS (fault.c) resumes at the fix-up when the faulting instruction is in
 * the table.  A good access costs one plain instruction; an address is never
 * tested beforehand, so that none (not canonical, unmapped meanwhile) can fool
 * the test.
 */
#ifndef STRSIM_DTRACE_FETCH_H
#define STRSIM_DTRACE_FETCH_H

#include "sys/types.h"

/*
 * *v = the value at addr, extended to 64 bits; false if it cannot be read.
 * u8 u16 u32 u64: zero-extended, s8 s16 s32: sign-extended.
 */
#define FETCH_DEFINE(name, load)                                                          \
	ALWAYS_INLINE bool fetch_##name(uint64_t *v, uintptr_t addr)                      \
	{                                                                                 \
		uint64_t r;                                                               \
                                                                                          \
		__asm__ volatile goto("1:\t" load "\n"                                    \
				      "\t.pushsection dtrace_extable, \"a\", @progbits\n" \
				      "\t.quad 1b, %l[bad]\n"                             \
				      "\t.popsection"                                     \
				      : [r] "=r"(r)                                       \
				      : [a] "r"(addr)                                     \
				      : "memory"                                          \
				      : bad);                                             \
		*v = r;                                                                   \
		return true;                                                              \
	bad:                                                                              \
		return false;                                                             \
	}
FETCH_DEFINE(u8, "movzbl (%[a]), %k[r]")
FETCH_DEFINE(u16, "movzwl (%[a]), %k[r]")
FETCH_DEFINE(u32, "movl (%[a]), %k[r]")
FETCH_DEFINE(u64, "movq (%[a]), %[r]")
FETCH_DEFINE(s8, "movsbq (%[a]), %[r]")
FETCH_DEFINE(s16, "movswq (%[a]), %[r]")
FETCH_DEFINE(s32, "movslq (%[a]), %[r]")

/* Copy n bytes from an address that may be bad: 0, or -1 (then some bytes may have been copied). */
int dtrace_copyfrom(void *dst, const void *src, size_t n);
/* Copy n bytes to an address that may be bad: 0 or -1, likewise. */
int dtrace_copyto(void *dst, const void *src, size_t n);
/*
 * Copy a string from an address that may be bad into dst, at most max - 1 characters and a NUL (max > 0).
 * Its length in dst, or -1.  Up to seven bytes behind the NUL are read (never of another page) and, within max, written.
 */
ssize_t dtrace_copystr(char *dst, const char *src, size_t max);
/*
 * The same, faster, for texts of less than 80 bytes at the entry or return of a function: 80 bytes of dst are written,
 * 0 from the text's end on.  -1: it is not such a text, or cannot be read.
 */
ssize_t dtrace_copytext(void *dst, const void *src);
/* Install the handler; done before main() too.  Whatever is not ours goes to the handler there was before. */
void dtrace_fault_init(void);

#endif
