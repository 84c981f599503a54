/*
 * In place of sys/sdt.h in the build without probes (make PROBES=), beside which whole/nops measures: no NOP, no record,
 * and no argument loaded into a register.  What computes an argument is still compiled if it does more than that.  The
 * system's <sys/sdt.h>, a byte of NOP at three places for tracers outside, stays.
 *
 * It may be included again where the names have been undefined: no guard.
 */

#define SDT_PROBE0(provider, name) ((void)0)
#define SDT_PROBE1(provider, name, t1, a1) ((void)(a1))
#define SDT_PROBE2(provider, name, t1, a1, t2, a2) ((void)(a1), (void)(a2))
#define SDT_PROBE3(provider, name, t1, a1, t2, a2, t3, a3) ((void)(a1), (void)(a2), (void)(a3))
#define SDT_PROBE4(provider, name, t1, a1, t2, a2, t3, a3, t4, a4) ((void)(a1), (void)(a2), (void)(a3), (void)(a4))
#define SDT_PROBE5(provider, name, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5) \
	((void)(a1), (void)(a2), (void)(a3), (void)(a4), (void)(a5))
#define SDT_PROBE6(provider, name, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6, a6) \
	((void)(a1), (void)(a2), (void)(a3), (void)(a4), (void)(a5), (void)(a6))

#define DTRACE_PROBE(name) SDT_PROBE0("sdt", name)
#define DTRACE_PROBE1(name, ...) SDT_PROBE1("sdt", name, __VA_ARGS__)
#define DTRACE_PROBE2(name, ...) SDT_PROBE2("sdt", name, __VA_ARGS__)
#define DTRACE_PROBE3(name, ...) SDT_PROBE3("sdt", name, __VA_ARGS__)
#define DTRACE_PROBE4(name, ...) SDT_PROBE4("sdt", name, __VA_ARGS__)
#define DTRACE_PROBE5(name, ...) SDT_PROBE5("sdt", name, __VA_ARGS__)
#define DTRACE_MIB(name, amount, addr) ((void)(addr))
#define DTRACE_SYSCALL_ENTRY(num, args) ((void)(num), (void)(args))
#define DTRACE_SYSCALL_RETURN(num, rval, error) ((void)(num), (void)(rval), (void)(error))
