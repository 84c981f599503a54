/*
 * The scenario workload: a Lua program that makes processes and tells them
 * what to do.
 */
#ifndef STRSIM_SCENARIO_H
#define STRSIM_SCENARIO_H

#include "workload.h"

/* file and args stay the caller's.  NULL: no memory. */
workload_t *scenario_create(const char *file, int nargs, char **args);

#endif
