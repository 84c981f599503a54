/*
 * Types and build attributes that every file of the modelled kernel uses.
 *
 * A kernel instance lives in one host thread and owns all of its mutable
 * state: every file-scope variable that changes is declared KLOCAL, so that
 * --cpus N is N host threads, each with a kernel of its own, and no lock is
 * needed inside the model.
 *
 * Include with quotes ("sys/types.h"): the model's headers are found through
 * -iquote and never shadow the host's <sys/...>.
 */
#ifndef STRSIM_SYS_TYPES_H
#define STRSIM_SYS_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h> /* the host's: pid_t, uid_t, ssize_t, ... */

typedef unsigned char uchar_t;
typedef unsigned short ushort_t;
typedef unsigned int uint_t;
typedef unsigned long ulong_t;
typedef long long longlong_t;
typedef unsigned long long u_longlong_t;
typedef char *caddr_t_;
typedef int64_t hrtime_t; /* nanoseconds of virtual time */
typedef long clock_t_;    /* clock ticks (hz = 100) */
typedef int32_t major_t;
typedef int32_t minor_t;
typedef uint32_t ipaddr_t; /* network byte order */
typedef uint16_t in_port_t;
typedef int32_t zoneid_t;
typedef int32_t processorid_t;
typedef enum { B_FALSE, B_TRUE } boolean_t;

/* State of one kernel instance. */
#define KLOCAL _Thread_local

/* Inlined even with -fno-inline: for accessors that are no functions on Solaris. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Not traced by fbt: machine-level code that has no counterpart on Solaris. */
#define NOTRACE __attribute__((no_instrument_function))

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

#define makedevice(maj, min) ((dev_t)(((uint64_t)(uint32_t)(maj) << 32) | (uint32_t)(min)))
#define getmajor(dev) ((major_t)((uint64_t)(dev) >> 32))
#define getminor(dev) ((minor_t)((uint64_t)(dev)&0xffffffffU))
#define NODEV ((dev_t)-1)

/*
 * Sets built by the linker: an object puts a pointer into a set, the owner of
 * the set walks it.  That is how a module is registered without a list.
 */
#define LINKER_SET(set, sym) \
	static const void *const __set_##set##_##sym __attribute__((section("set_" #set), used)) = &(sym)
#define LINKER_SET_DECLARE(set)                                             \
	extern const void *const __start_set_##set[] __attribute__((weak)); \
	extern const void *const __stop_set_##set[] __attribute__((weak))
#define LINKER_SET_FOREACH(pp, set) for (const void *const *pp = __start_set_##set; pp < __stop_set_##set; pp++)

#endif
