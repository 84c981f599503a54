/* How long service procedures may keep each other busy (genunix/strsched.c). */
#ifndef STRSIM_SYS_STRBUSY_H
#define STRSIM_SYS_STRBUSY_H

#include <stdint.h>

/*
 * From now on to the next call at most n service procedures run: in all of a machine's life any number unless this
 * was called.  After that the machine stops (machine_stop), and instead of being served a queue is emptied, so that
 * streams that feed each other for ever come to rest and can be closed.  For the machine's owner, who draws the line
 * between much to do and no end: call it at every sign of progress.
 */
void str_allow_services(int64_t n);
/* The module or driver whose service procedure was the first that did not run, NULL while there is none. */
const char *str_busy_module(void);

#endif
