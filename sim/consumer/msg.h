/*
 * What the command says on standard error: "strsim: text".
 */
#ifndef STRSIM_MSG_H
#define STRSIM_MSG_H

#include <stdbool.h>

/* Basename of argv[0]. */
extern const char *msg_program;

enum { STATUS_OK, STATUS_ERROR, STATUS_USAGE };

void msg_init(const char *argv0);
/* A text that does not end in a newline is followed by ": " and the text of errno. */
void msg_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The same unless quiet. */
void msg_notice(bool quiet, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Say it and exit(STATUS_ERROR). */
void msg_fatal(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
