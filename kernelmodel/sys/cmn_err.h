/* Messages to the console (cmn_err(9F)): what a Solaris kernel would say there goes to standard error. */
#ifndef STRSIM_SYS_CMN_ERR_H
#define STRSIM_SYS_CMN_ERR_H

#include "sys/types.h"

#define CE_CONT 0  /* as it is */
#define CE_NOTE 1  /* "NOTICE: " */
#define CE_WARN 2  /* "WARNING: " */
#define CE_PANIC 3 /* "panic: ", and the end */

/* One line, without the newline; cut at 255 characters. */
void cmn_err(int level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Who gets the lines of this kernel instead of standard error (NULL: nobody does). */
extern KLOCAL void (*console_func)(const char *line);

#endif
