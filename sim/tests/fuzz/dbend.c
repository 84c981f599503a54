/*
 * dbend: programs that are nearly right.
 */
#include "dgen.h"

#include <stdbool.h>
#include <string.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))

static const char *const words[] = {
    "BEGIN",
    "END",
    "ERROR",
    "tick-1ms",
    "profile-997",
    "fbt:::",
    "syscall:::entry",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "?",
    ":",
    "@",
    "@a",
    "@b[1]",
    "self->x",
    "this->y",
    "self->a[1]",
    "x",
    "a[1]",
    "a[\"s\"]",
    "args[0]",
    "arg0",
    "curthread",
    "curpsinfo",
    "0",
    "1",
    "-1",
    "0x7fffffffffffffff",
    "9223372036854775807",
    "18446744073709551615",
    "\"\"",
    "\"s\"",
    "\"%d\"",
    "\"%s %d %k\"",
    "'a'",
    "NULL",
    "+",
    "-",
    "*",
    "/",
    "%",
    "<<",
    ">>",
    "==",
    "&&",
    "||",
    "^^",
    "!",
    "~",
    "=",
    "+=",
    "++",
    "--",
    "->",
    ".",
    "trace",
    "printf",
    "printa",
    "stack",
    "ustack",
    "count()",
    "sum",
    "quantize",
    "lquantize",
    "llquantize",
    "avg",
    "stddev",
    "min",
    "max",
    "clear",
    "trunc",
    "normalize",
    "strlen",
    "strjoin",
    "substr",
    "index",
    "strtok",
    "strstr",
    "json",
    "lltostr",
    "basename",
    "cleanpath",
    "inet_ntoa",
    "inet_ntop",
    "alloca",
    "bcopy",
    "copyin",
    "copyinstr",
    "msgsize",
    "msgdsize",
    "speculation()",
    "speculate",
    "commit",
    "discard",
    "exit",
    "tracemem",
    "print",
    "stringof",
    "sizeof",
    "offsetof",
    "xlate",
    "translator",
    "inline",
    "struct",
    "union",
    "enum",
    "typedef",
    "int",
    "char",
    "string",
    "void",
    "unsigned",
    "long",
    "int64_t",
    "if",
    "else",
    "provider",
    "#pragma D option quiet\n",
    "#pragma D option strsize=8\n",
    "#pragma D option bufpolicy=ring\n",
    "#pragma D option bufsize=64\n",
    "#pragma D option flowindent\n",
    "#pragma D option dynvarsize=256\n",
    "#pragma D option aggsize=128\n",
    "/*",
    "*/",
    "\n",
    "`putnext",
    "&`putnext",
    "probename",
    "execname",
    "timestamp",
    "epid",
    "$1",
    "$$1",
    "$target",
    "sym",
    "mod",
    "setopt",
};

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* The token at or behind `at': its start, and its length in *len. */
static size_t token(const text_t *t, size_t at, size_t *len)
{
	size_t end;

	while (at > 0 && is_word(t->t_s[at]) && is_word(t->t_s[at - 1]))
		at--;
	for (end = at; end < t->t_len && is_word(t->t_s[end]); end++)
		;
	*len = end > at ? end - at : at < t->t_len;
	return at;
}

/* Replace len bytes at `at'. */
static void replace(text_t *t, size_t at, size_t len, const char *s, size_t n)
{
	if (t->t_len - len + n >= DGEN_MAX)
		return;
	memmove(t->t_s + at + n, t->t_s + at + len, t->t_len - at - len);
	memmove(t->t_s + at, s, n);
	t->t_len += n - len;
	t->t_s[t->t_len] = '\0';
}

static void bend(text_t *t, const text_t *other)
{
	size_t at = t->t_len ? rnd((uint32_t)t->t_len) : 0, len, from;
	const char *w = words[rnd(sizeof(words) / sizeof(words[0]))];
	char copy[256], c;

	at = token(t, at, &len);
	switch (rnd(8)) {
	case 0:
		replace(t, at, len, "", 0);
		break;
	case 1:
	case 2:
		replace(t, at, len, w, strlen(w));
		break;
	case 3:
		replace(t, at, 0, w, strlen(w));
		break;
	case 4:
		c = (char)rnd(256);
		replace(t, at, t->t_len > at, &c, 1);
		break;
	case 5: /* a piece of another program */
		from = other->t_len ? rnd((uint32_t)other->t_len) : 0;
		replace(t, at, 0, other->t_s + from, MIN(other->t_len - from, rnd(80)));
		break;
	case 6: /* a piece of itself */
		from = t->t_len ? rnd((uint32_t)t->t_len) : 0;
		len = MIN(MIN(t->t_len - from, sizeof(copy)), rnd(200));
		memcpy(copy, t->t_s + from, len);
		replace(t, at, 0, copy, len);
		break;
	default: /* the same over and over */
		for (uint32_t n = rnd(20) == 0 ? 3000 : rnd(6); n > 0; n--)
			replace(t, at, 0, w, strlen(w));
		break;
	}
}

void bend_program(text_t *t, const text_t *other)
{
	for (uint32_t n = 1 + rnd(6); n > 0; n--)
		bend(t, other);
	for (size_t i = 0; i < t->t_len; i++)
		if (t->t_s[i] == '\0')
			t->t_s[i] = ' ';
}
