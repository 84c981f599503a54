/*
 * Figures of the whole system, of which D programs know the names.
 */
#ifndef STRSIM_SYS_SYSTM_H
#define STRSIM_SYS_SYSTM_H

#include "sys/types.h"

#define AVENRUN_N 3

extern const int hz;                    /* clock ticks in a second */
extern const int kmem_flags;            /* what the allocator checks: nothing */
extern const int maxusers;              /* what tables are scaled by */
extern const ulong_t physmem;           /* pages of memory */
extern const int ncpus;                 /* of this kernel; --cpus N runs N kernels */
extern const int avenrun[AVENRUN_N];    /* load averages over 1, 5 and 15 minutes, 8 bits behind the point */
extern const int hp_avenrun[AVENRUN_N]; /* the same, 16 bits */

#endif
