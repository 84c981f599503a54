/*
 * --cpus N: kernels on host threads.
 *
 * Theory.  A kernel is all thread-local, so each CPU is a host thread: CPU 0
 * the calling one, which also is the consumer, the others threads of their own
 * that do nothing by themselves.  cpus_each() is the only time they run: it has
 * every CPU do one thing and returns when all have done it.  Outside of it all
 * kernels stand still, so buffers are read, probes armed and accounts summed
 * without a lock.
 */
#ifndef STRSIM_CPUS_H
#define STRSIM_CPUS_H

#include "sys/types.h"

#define CPUS_MAX 64

/* Boot n kernels; the random numbers of CPU i begin with *seed + i (NULL: with what a machine without a seed takes). */
void cpus_start(int n, const uint64_t *seed);
/* Run f(arg, cpu) on every CPU at once and wait for all. */
void cpus_each(void (*f)(void *arg, int cpu), void *arg);
int cpus_count(void);
/* Let every kernel's time go on to `until'. */
void cpus_run(hrtime_t until);
/* Shut all kernels down: -1 when one of them leaked something (which is said), else 0. */
int cpus_stop(void);

#endif
