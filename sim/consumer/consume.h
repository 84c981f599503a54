/*
 * The consumer: runs the workload in steps of virtual time and prints what was
 * recorded after each.
 */
#ifndef STRSIM_CONSUME_H
#define STRSIM_CONSUME_H

#include <stdio.h>

#include "aggprint.h"
#include "options.h"
#include "workload.h"

typedef struct consumer {
	dtrace_state_t *cs_st;
	dt_t *cs_dt;
	options_t *cs_op;
	workload_t *cs_workload; /* NULL: only the clock runs */
	const char *cs_outfile;  /* -o, NULL = standard output */
	int cs_ncpu;
	const char *cs_folded, *cs_json; /* further forms of the aggregations, NULL = none */
} consumer_t;

/* Catch SIGINT and SIGTERM (the second one makes the consumer impatient) and ignore SIGPIPE. */
void consume_signals(void);
/* From go to the last aggregation; the exit status. */
int consume_run(consumer_t *cs);

#endif
