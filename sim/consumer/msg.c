#include "msg.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *msg_program = "strsim";

void msg_init(const char *argv0)
{
	const char *slash = strrchr(argv0, '/');

	msg_program = slash ? slash + 1 : argv0;
}

static void vsay(const char *fmt, va_list ap)
{
	int err = errno;
	size_t len = strlen(fmt);

	fflush(stdout);
	fprintf(stderr, "%s: ", msg_program);
	vfprintf(stderr, fmt, ap);
	if (len == 0 || fmt[len - 1] != '\n')
		fprintf(stderr, ": %s\n", strerror(err));
}

void msg_say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsay(fmt, ap);
	va_end(ap);
}

void msg_notice(bool quiet, const char *fmt, ...)
{
	va_list ap;

	if (quiet)
		return;
	va_start(ap, fmt);
	vsay(fmt, ap);
	va_end(ap);
}

void msg_fatal(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsay(fmt, ap);
	va_end(ap);
	exit(STATUS_ERROR);
}
