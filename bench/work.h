/*
 * The events that the event benchmarks send: a sequence of keys drawn once, so that drawing is not timed, and the loop
 * that sends a stretch of it on each thread.
 */
#ifndef STRSIM_BENCH_WORK_H
#define STRSIM_BENCH_WORK_H

#include "bench.h"

#define WORK_THREADS 8
#define WORK_PSARGS 80

typedef enum { WORK_PUT, WORK_WRITE } work_t;

/* Draw the sequence and start the threads' kernels (sim/cpus.h); NULL, or what failed. */
const char *work_start(work_t what, const params_t *p);
void work_stop(void);
/*
 * Send p_ops events from each of p_threads threads (more may have been started, and are idle then), going on in the sequence where `sent' stands, which is moved; ns for one event of
 * a thread.
 */
double work_send(const params_t *p, uint64_t *sent);
/* What a table must hold when each thread has sent this many. */
tally_t work_expected(const params_t *p, uint64_t sent);
void tally_add(tally_t *t, uint64_t count);

/* The text of a process's arguments, zero-filled; 0..15. */
const char *work_psargs(int proc);

#endif
