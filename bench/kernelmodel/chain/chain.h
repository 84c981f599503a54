/*
 * The traced program of the event benchmarks: a chain of calls like a module's, compiled as the model is.
 *
 * Each of the five callers nearest to chain_putnext() has ten call sites, and a path picks one in each of them (four
 * bits a level, the farthest first), so 10^5 different stacks of five frames can be had.  The folder's name makes it a
 * kernel module of its own for the tracer: fbt:chain:chain_putnext:entry.
 */
#ifndef STRSIM_BENCH_CHAIN_H
#define STRSIM_BENCH_CHAIN_H

#include "sys/stream.h"

void chain_lvl8(queue_t *q, mblk_t *mp, uint64_t path);
/* The same below `depth' more frames. */
void chain_deep(queue_t *q, mblk_t *mp, uint64_t path, uint64_t depth);
int chain_putnext(queue_t *q, mblk_t *mp);
/* A put procedure that only looks at the message. */
int chain_leafput(queue_t *q, mblk_t *mp);
/* A module's output procedure, as tcp_output() is called: the second argument is the message. */
int chain_output(void *conn, mblk_t *mp);
void chain_wlvl3(void *conn, mblk_t *mp);

#endif
