/*
 * A workload: what happens in the modelled kernel while a D program watches.
 *
 * The consumer alternates: let the workload run up to a virtual time, then
 * take and print what was recorded.  A workload runs on the host's own stack
 * and drives the machine (machine_run() and friends) itself.
 */
#ifndef STRSIM_WORKLOAD_H
#define STRSIM_WORKLOAD_H

#include <stdatomic.h>
#include <stddef.h>

#include "sys/types.h"

typedef struct workload {
	const char *w_name;
	/* Before tracing starts: open files, plumb interfaces.  0, or -1 with err set. */
	int (*w_setup)(struct workload *w, char *err, size_t errlen);
	/* Run until that virtual time: 1 = finished, 0 = the time has come, -1 = failed (w_finish() tells). */
	int (*w_run)(struct workload *w, hrtime_t until);
	/* When it will act next, apart from the machine's events; NULL: not known in advance. */
	hrtime_t (*w_next)(struct workload *w);
	/* After tracing: print the account on standard error, free everything; the exit status, 0 for success. */
	int (*w_finish)(struct workload *w);
	void *w_data;
	struct dtrace_state *w_dtrace; /* the session that watches, set before w_setup(); NULL: none */
} workload_t;

/* SIGINT and SIGTERM so far.  When there was one, w_run() comes back as soon as it can, as if its time had come. */
extern atomic_int workload_interrupts;

/* A sub-command (first word of the command line) puts itself into the set "subcommand". */
typedef struct subcommand {
	const char *sc_name;
	const char *sc_summary;                /* one line for --help */
	int (*sc_main)(int argc, char **argv); /* argv[0] is the sub-command's name; the exit status */
} subcommand_t;

#endif
