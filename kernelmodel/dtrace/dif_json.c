/*
 * json(text, path): the value at a path such as a.b[2].c.
 *
 * The text is scanned once, from left to right, value by value; nothing is
 * built.  A text that is malformed before the value ends, or a path that leads
 * nowhere, gives NULL.
 */
#include "probectx.h"
#include "dtrace_impl.h"

enum { MAXDEPTH = 32 };

static const char *blanks(const char *p)
{
	while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')
		p++;
	return p;
}

/* Behind the string that starts at p (a quote); NULL = it does not end. */
static const char *skip_string(const char *p)
{
	for (p++; *p != '"'; p++) {
		if (*p == '\\')
			p++;
		if (*p == '\0')
			return NULL;
	}
	return p + 1;
}

/* Behind a number or one of true, false, null. */
static const char *skip_word(const char *p)
{
	static const char *const words[] = {"true", "false", "null"};
	const char *from = p;
	size_t i, k;

	while ((*p >= '0' && *p <= '9') || *p == '-' || *p == '+' || *p == '.' || *p == 'e' || *p == 'E')
		p++;
	if (p > from && (*from == '-' || (*from >= '0' && *from <= '9')))
		return p;
	for (i = 0; i < 3; i++) {
		for (k = 0; words[i][k] != '\0' && from[k] == words[i][k]; k++)
			;
		if (words[i][k] == '\0')
			return from + k;
	}
	return NULL;
}

static const char *skip_value(const char *p, int depth)
{
	char close;

	p = blanks(p);
	if (*p == '"')
		return skip_string(p);
	if (*p != '{' && *p != '[')
		return skip_word(p);
	if (depth == MAXDEPTH)
		return NULL;
	close = *p == '{' ? '}' : ']';
	p = blanks(p + 1);
	if (*p == close)
		return p + 1;
	for (;;) {
		if (close == '}') {
			if (*p != '"' || (p = skip_string(p)) == NULL)
				return NULL;
			p = blanks(p);
			if (*p++ != ':')
				return NULL;
		}
		p = skip_value(p, depth + 1);
		if (p == NULL)
			return NULL;
		p = blanks(p);
		if (*p == close)
			return p + 1;
		if (*p++ != ',')
			return NULL;
		p = blanks(p);
	}
}

/* The member's value in the object at p, by the name of n characters. */
static const char *member(const char *p, const char *name, size_t n)
{
	const char *key, *end;
	size_t k;

	p = blanks(p);
	if (*p++ != '{')
		return NULL;
	for (;;) {
		p = blanks(p);
		if (*p != '"' || (end = skip_string(p)) == NULL)
			return NULL;
		key = p + 1;
		p = blanks(end);
		if (*p++ != ':')
			return NULL;
		for (k = 0; k < n && key + k < end - 1 && key[k] == name[k]; k++)
			;
		if (k == n && key + n == end - 1)
			return p;
		if ((p = skip_value(p, 0)) == NULL)
			return NULL;
		p = blanks(p);
		if (*p++ != ',')
			return NULL;
	}
}

static const char *element(const char *p, uint64_t i)
{
	p = blanks(p);
	if (*p++ != '[')
		return NULL;
	if (*blanks(p) == ']')
		return NULL;
	for (; i > 0; i--) {
		if ((p = skip_value(p, 0)) == NULL)
			return NULL;
		p = blanks(p);
		if (*p++ != ',')
			return NULL;
	}
	return p;
}

/* Follow the path from the value at p. */
static const char *follow(const char *p, const char *path)
{
	const char *end;
	uint64_t i;

	while (p != NULL && *path != '\0') {
		if (*path == '[') {
			for (i = 0, path++; *path >= '0' && *path <= '9'; path++)
				i = i * 10 + (uint64_t)(*path - '0');
			if (*path++ != ']')
				return NULL;
			p = element(p, i);
		} else {
			for (end = path; *end != '\0' && *end != '.' && *end != '['; end++)
				;
			if (end == path)
				return NULL;
			p = member(p, path, (size_t)(end - path));
			path = end;
		}
		if (*path == '.' && *++path == '\0')
			return NULL;
	}
	return p;
}

int dif_json(mstate_t *ms, uint64_t *result)
{
	char *text = ms->ms_cpu->c_tmp[0], *path = ms->ms_cpu->c_tmp[1], *copy;
	size_t max = ms->ms_state->st_conf.c_strsize, n;
	const char *p, *end;
	int i;

	for (i = 0; i < 2; i++) {
		if (dtrace_copystr(i == 0 ? text : path, (const char *)(uintptr_t)ms->ms_tuple[i].val, max) < 0) {
			ms->ms_faddr = ms->ms_tuple[i].val;
			return DTRACEFLT_BADADDR;
		}
	}
	*result = 0;
	p = follow(text, path);
	if (p == NULL)
		return 0;
	p = blanks(p);
	end = skip_value(p, 0);
	if (end == NULL)
		return 0;
	if (*p == '"') {
		p++;
		end--;
	}
	n = (size_t)(end - p);
	copy = dif_scratch(ms, n + 1);
	if (copy == NULL)
		return DTRACEFLT_NOSCRATCH;
	mem_copy(copy, p, n);
	copy[n] = '\0';
	*result = (uintptr_t)copy;
	return 0;
}
