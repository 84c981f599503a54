/*
 * The command of -c: a process of the host that bounds the run.  The modelled
 * kernel does not see it; tracing begins before it runs and ends when it has
 * ended.
 */
#ifndef STRSIM_VICTIM_H
#define STRSIM_VICTIM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Make the process of a command (words split at blanks); it waits for victim_go().  Its pid; does not return without
 * one. */
pid_t victim_create(const char *command);
void victim_go(void);
/* Wait for its end, at most ns: true when it has ended, said unless quiet; at once true when there is none. */
bool victim_wait(int64_t ns, bool quiet);
bool victim_exists(void);
/* Tracing has ended: so does the process. */
void victim_kill(void);

#endif
