/*
 * Statically defined tracing (SDT(9)): probe points written into the source.
 *
 *	DTRACE_PROBE2(squeue__enter, squeue_t *, sqp, mblk_t *, mp);
 *
 * becomes the probe sdt:MODULE:FUNCTION:squeue-enter ("__" is written "-"),
 * MODULE and FUNCTION being those of the code the point was compiled into.  A
 * point is a 5-byte NOP, and a record of it in the section sdt_sites, from
 * which the tracer learns of it; while nobody traces it, it costs that NOP and
 * the loading of its arguments into registers.  Arguments must be scalars.
 *
 * SDT_PROBEn() names the provider too, for the providers with a fixed
 * vocabulary (proc, sched, ip, ...).  There may be any number of points of the
 * same name, and they may stand in inline functions and macros.
 */
#ifndef STRSIM_SYS_SDT_H
#define STRSIM_SYS_SDT_H

#include <stdint.h>

/* One point, as the tracer reads it (kernelmodel/dtrace/sdt.c). */
typedef struct sdt_site {
	uintptr_t sdt_addr;    /* of the NOP */
	const char *sdt_names; /* provider NUL name NUL, then the C type of each argument NUL */
	uint64_t sdt_nargs;
} sdt_site_t;

/*
 * The NOP and its record.  The frame address is an operand so that the
 * function has its own frame here: a stack walk starts from it.
 */
#define SDT_ASM(provider, name, nargs, types, ...)                                                        \
	__asm__ volatile("990:\t.byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"                                     \
			 "\t.pushsection sdt_names, \"a\", @progbits\n"                                   \
			 "991:\t.asciz \"" provider "\"\n\t.asciz \"" name "\"\n" types "\t.popsection\n" \
			 "\t.pushsection sdt_sites, \"a\", @progbits\n"                                   \
			 "\t.balign 8\n\t.quad 990b, 991b, " #nargs "\n\t.popsection"                     \
			 :                                                                                \
			 : "r"(__builtin_frame_address(0)), ##__VA_ARGS__                                 \
			 : "memory")
#define SDT_TYPE(t) "\t.asciz \"" #t "\"\n"
/* A scalar as the tracer sees it: 64 bits, sign-extended if it is signed. */
#define SDT_ARG(t, a) ((uint64_t)(t)(a))

#define SDT_PROBE0(provider, name) SDT_ASM(provider, #name, 0, "")
#define SDT_PROBE1(provider, name, t1, a1)                             \
	do {                                                           \
		uint64_t sdt_1 = SDT_ARG(t1, a1);                      \
		SDT_ASM(provider, #name, 1, SDT_TYPE(t1), "D"(sdt_1)); \
	} while (0)
#define SDT_PROBE2(provider, name, t1, a1, t2, a2)                                              \
	do {                                                                                    \
		uint64_t sdt_1 = SDT_ARG(t1, a1), sdt_2 = SDT_ARG(t2, a2);                      \
		SDT_ASM(provider, #name, 2, SDT_TYPE(t1) SDT_TYPE(t2), "D"(sdt_1), "S"(sdt_2)); \
	} while (0)
#define SDT_PROBE3(provider, name, t1, a1, t2, a2, t3, a3)                                                  \
	do {                                                                                                \
		uint64_t sdt_1 = SDT_ARG(t1, a1), sdt_2 = SDT_ARG(t2, a2), sdt_3 = SDT_ARG(t3, a3);         \
		SDT_ASM(provider, #name, 3, SDT_TYPE(t1) SDT_TYPE(t2) SDT_TYPE(t3), "D"(sdt_1), "S"(sdt_2), \
			"d"(sdt_3));                                                                        \
	} while (0)
#define SDT_PROBE4(provider, name, t1, a1, t2, a2, t3, a3, t4, a4)                                           \
	do {                                                                                                 \
		uint64_t sdt_1 = SDT_ARG(t1, a1), sdt_2 = SDT_ARG(t2, a2), sdt_3 = SDT_ARG(t3, a3),          \
			 sdt_4 = SDT_ARG(t4, a4);                                                            \
		SDT_ASM(provider, #name, 4, SDT_TYPE(t1) SDT_TYPE(t2) SDT_TYPE(t3) SDT_TYPE(t4), "D"(sdt_1), \
			"S"(sdt_2), "d"(sdt_3), "c"(sdt_4));                                                 \
	} while (0)
#define SDT_PROBE5(provider, name, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5)                                    \
	do {                                                                                                  \
		uint64_t sdt_1 = SDT_ARG(t1, a1), sdt_2 = SDT_ARG(t2, a2), sdt_3 = SDT_ARG(t3, a3),           \
			 sdt_4 = SDT_ARG(t4, a4), sdt_v5 = SDT_ARG(t5, a5);                                   \
		register uint64_t sdt_5 __asm__("r8") = sdt_v5;                                               \
		SDT_ASM(provider, #name, 5, SDT_TYPE(t1) SDT_TYPE(t2) SDT_TYPE(t3) SDT_TYPE(t4) SDT_TYPE(t5), \
			"D"(sdt_1), "S"(sdt_2), "d"(sdt_3), "c"(sdt_4), "r"(sdt_5));                          \
	} while (0)

#define SDT_PROBE6(provider, name, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6, a6)                                 \
	do {                                                                                                       \
		uint64_t sdt_1 = SDT_ARG(t1, a1), sdt_2 = SDT_ARG(t2, a2), sdt_3 = SDT_ARG(t3, a3),                \
			 sdt_4 = SDT_ARG(t4, a4), sdt_v5 = SDT_ARG(t5, a5), sdt_v6 = SDT_ARG(t6, a6);              \
		register uint64_t sdt_5 __asm__("r8") = sdt_v5;                                                    \
		register uint64_t sdt_6 __asm__("r9") = sdt_v6;                                                    \
		SDT_ASM(provider, #name, 6,                                                                        \
			SDT_TYPE(t1) SDT_TYPE(t2) SDT_TYPE(t3) SDT_TYPE(t4) SDT_TYPE(t5) SDT_TYPE(t6), "D"(sdt_1), \
			"S"(sdt_2), "d"(sdt_3), "c"(sdt_4), "r"(sdt_5), "r"(sdt_6));                               \
	} while (0)

#define DTRACE_PROBE(name) SDT_PROBE0("sdt", name)
#define DTRACE_PROBE1(name, ...) SDT_PROBE1("sdt", name, __VA_ARGS__)
#define DTRACE_PROBE2(name, ...) SDT_PROBE2("sdt", name, __VA_ARGS__)
#define DTRACE_PROBE3(name, ...) SDT_PROBE3("sdt", name, __VA_ARGS__)
#define DTRACE_PROBE4(name, ...) SDT_PROBE4("sdt", name, __VA_ARGS__)
#define DTRACE_PROBE5(name, ...) SDT_PROBE5("sdt", name, __VA_ARGS__)

/*
 * A MIB counter's increment: mib:MODULE:FUNCTION:NAME, args[0] = amount,
 * arg1 = address of the counter.  Stands before the addition.
 */
#define DTRACE_MIB(name, amount, addr) SDT_PROBE2("mib", name, int, amount, void *, addr)

/*
 * System calls: one point at the entry (number, its six arguments) and one
 * before the return (number, value, errno or 0) of unix`sys_sysenter serve the
 * probes syscall::NAME:entry and syscall::NAME:return of all calls.
 */
#define DTRACE_SYSCALL_ENTRY(num, args) SDT_PROBE2("syscall", entry, int, num, const int64_t *, args)
#define DTRACE_SYSCALL_RETURN(num, rval, error) SDT_PROBE3("syscall", return, int, num, int64_t, rval, int, error)

#endif
