/*
 * The scenario workload: a Lua program that makes processes and tells them
 * what to do (docs/scenarios.md).
 */
#ifndef STRSIM_SCENARIO_H
#define STRSIM_SCENARIO_H

#include "workload.h"

typedef struct scenario_opts {
	/* What a scenario that does not end by itself is stopped at. */
	hrtime_t time;    /* of virtual time; 0 = the default, an hour */
	uint64_t steps;   /* system calls, callbacks and frames; 0 = the default, 20 million */
	const char *wire; /* capture to write, NULL = none */
} scenario_opts_t;

/* file and args stay the caller's.  NULL: no memory. */
workload_t *scenario_create(const char *file, int nargs, char **args, const scenario_opts_t *opts);

#endif
