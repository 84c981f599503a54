/*
 * --help and the usage message.
 */
#ifndef STRSIM_HELP_H
#define STRSIM_HELP_H

#include <stdio.h>

/* Short, for standard error. */
void help_usage(FILE *fp);
/* Everything, with examples. */
void help_print(FILE *fp);

#endif
