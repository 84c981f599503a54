/*
 * Pacing: virtual time bound to the host's, at a chosen speed.
 *
 * Normally virtual time goes as fast as the work is done.  With --pace it
 * waits for the host's clock, so that one can look on while a scenario or a
 * capture plays.  What happens, in what order and at which virtual time, is the
 * same: only the moments of waiting are the host's.
 */
#ifndef STRSIM_PACE_H
#define STRSIM_PACE_H

#include "workload.h"

/* From now on `speed' seconds of virtual time take one of the host's.  -1: no memory. */
int pace_start(double speed);
void pace_stop(void);
/* Wait until the host has come to virtual time `until' (at once when not pacing); ended early by a signal. */
void pace_wait(hrtime_t until);
/* A workload that does what w does, in step; w itself when not pacing.  NULL: no memory. */
workload_t *pace_workload(workload_t *w);

#endif
