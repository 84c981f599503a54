/* The real tracer in this process: a D program compiled by strsim's own compiler, armed and disarmed between timings. */
#ifndef STRSIM_BENCH_TRACER_H
#define STRSIM_BENCH_TRACER_H

#include "work.h"

typedef struct tracer tracer_t;

/* dtrace_init() and a compiler, once for a series; NULL, or what failed. */
const char *tracer_start(void);
void tracer_stop(void);
/* Compile, enable and go for so many CPUs, then disarm; interpret: clauses stay bytecode.  NULL with *why. */
tracer_t *tracer_open(const char *d, uint32_t ncpu, bool interpret, const char **why);
void tracer_arm(tracer_t *t, bool on);
/* Stop tracing and add up all aggregations, each cell of a histogram a count.  False: something was dropped. */
bool tracer_tally(tracer_t *t, tally_t *out);
uint32_t tracer_probes(const tracer_t *t);
void tracer_close(tracer_t *t);

#endif
