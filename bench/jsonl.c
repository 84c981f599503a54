#include "jsonl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What stands behind "name": in the line. */
static const char *value(const char *line, const char *name)
{
	char want[64];
	const char *p;

	snprintf(want, sizeof(want), "\"%s\":", name);
	p = strstr(line, want);
	return p == NULL ? NULL : p + strlen(want);
}

void jsonl_string(const char *line, const char *name, char *to, size_t size)
{
	const char *p = value(line, name);
	size_t n;

	to[0] = '\0';
	if (p == NULL || *p != '"')
		return;
	n = strcspn(p + 1, "\"");
	if (n >= size)
		return;
	memcpy(to, p + 1, n);
	to[n] = '\0';
}

double jsonl_number(const char *line, const char *name)
{
	const char *p = value(line, name);
	char *end;
	double v;

	if (p == NULL)
		return NAN;
	v = strtod(p, &end);
	return end == p ? NAN : v;
}

bool jsonl_true(const char *line, const char *name)
{
	const char *p = value(line, name);

	return p != NULL && strncmp(p, "true", 4) == 0;
}

size_t jsonl_array(const char *line, const char *name, double *to, size_t max)
{
	const char *p = value(line, name);
	size_t n = 0;
	char *end;

	if (p == NULL || *p != '[')
		return 0;
	for (p++; n < max; p = end + 1) {
		double v = strtod(p, &end);

		if (end == p)
			break;
		to[n++] = v;
		if (*end != ',')
			break;
	}
	return n;
}
