/*
 * Listings: probes (-l), probes with their stability and arguments (-lv),
 * stability of programs (-v), generated code (-S).
 */
#ifndef STRSIM_LIST_H
#define STRSIM_LIST_H

#include <stdio.h>

#include "d/dt.h"

void list_header(FILE *fp);
/* Probes matching a description, NULL = all; the number of them.  verbose adds attributes and argument types. */
int list_probes(FILE *fp, dt_t *dt, const dtrace_probedesc_t *desc, bool verbose);
/* Every description of a program; a message for each that matches nothing. */
void list_program(FILE *fp, dt_t *dt, const dt_program_t *prog, bool verbose);
/*
 * Stability of a program: kind is "script" or "description".  When it will not run (executing false), every
 * clause's probes follow.
 */
void list_stability(FILE *fp, dt_t *dt, const dt_program_t *prog, const char *kind, const char *name, bool executing);
/* The code of every predicate and action. */
void list_code(FILE *fp, const dt_program_t *prog);

#endif
