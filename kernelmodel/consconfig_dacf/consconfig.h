/*
 * consconfig_dacf: the plumbing of the console's keyboard and mouse.
 */
#ifndef STRSIM_CONSCONFIG_H
#define STRSIM_CONSCONFIG_H

#include "sys/types.h"

/*
 * Begin to plumb: a kernel thread opens conskbd (minor 1, as the console does)
 * and consms, sets the mouse up and links both devices.  It takes about a
 * tenth of a second of virtual time with a mouse that answers, 2.5 s without.
 * Call after machine_init(), once.  machine_fini() undoes it.  0, or ENOMEM.
 */
int consconfig_attach(void);
/* Has it ended, one way or the other? */
bool consconfig_done(void);
/* Is something being plumbed?  Who ends the machine then loses the streams in use: let time pass first. */
bool consconfig_busy(void);
/* 0, or the first error of plumbing. */
int consconfig_error(void);

/*
 * For drivers whose device the console has: take the device of this node from
 * below its multiplexor; link it again (by a thread, soon).  Nothing happens when the console does not have it.
 * consconfig_unlink() sleeps.
 */
void consconfig_unlink(const char *node);
void consconfig_link(const char *node);

#endif
