/*
 * Inside ttcompat: the state of a terminal as 4.3BSD and Version 7 saw it, and
 * its translation.
 */
#ifndef STRSIM_TTCOMPAT_H
#define STRSIM_TTCOMPAT_H

#include "sys/stream.h"
#include "sys/ttold.h"

typedef struct compat_state {
	uint_t t_flags;  /* sg_flags, and the local mode word in the upper half */
	uint_t t_xflags; /* what 4.3BSD had no word for */
	uchar_t t_ispeed, t_ospeed;
	uchar_t t_erase, t_kill;
	struct tchars t_tchars; /* 0377: switched off */
	struct ltchars t_ltchars;
} compat_state_t;

/* t_xflags */
#define X_NOISIG 0x01 /* no signals, though not RAW */
#define X_NOPOST 0x02 /* no output processing, though not RAW */
#define X_STOPB 0x04  /* two stop bits */

/*
 * Modes to compatible state and back.  Neither says all that the other can:
 * what one side has no word for stays as it is in *csp, or *t.
 */
void ttcompat_to_compat(const struct termios *t, compat_state_t *csp);
void ttcompat_from_compat(const compat_state_t *csp, struct termios *t);

#endif
