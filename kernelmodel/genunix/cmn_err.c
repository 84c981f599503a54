/* The console. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "sys/cmn_err.h"

KLOCAL void (*console_func)(const char *line);

void cmn_err(int level, const char *fmt, ...)
{
	static const char *const prefix[] = {"", "NOTICE: ", "WARNING: ", "panic: "};
	char line[256];
	va_list ap;
	int n;

	n = snprintf(line, sizeof(line), "%s", prefix[level]);
	va_start(ap, fmt);
	vsnprintf(line + n, sizeof(line) - (size_t)n, fmt, ap);
	va_end(ap);
	if (console_func != NULL)
		console_func(line);
	else
		fprintf(stderr, "%s\n", line);
	if (level == CE_PANIC)
		abort();
}
