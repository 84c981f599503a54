/*
 * Formats: parse, check, execute.
 *
 * A format is a list of pieces, each some literal text and at most one
 * conversion after it.  What a conversion accepts and how it prints is in one
 * table; sizes and signedness come from the argument's type when it is
 * printed, so %d serves every integer.
 */
#include "format.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <inttypes.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cells.h"

typedef enum {
	CV_SIGNED,
	CV_UNSIGNED,
	CV_CHAR,
	CV_ECHAR,
	CV_STR,
	CV_ESTR,
	CV_HEX,
	CV_ADDR,
	CV_UADDR,
	CV_STACK,
	CV_TIME,
	CV_TIME822,
	CV_HOST,
	CV_PORT,
	CV_FLOAT,
	CV_WCHAR,
	CV_WSTR,
	CV_PERCENT
} conv_kind_t;

typedef struct conv {
	const char *cv_name;
	conv_kind_t cv_kind;
	char cv_c;            /* C conversion */
	uint8_t cv_size;      /* exact size of the argument, 0 = any */
	bool cv_unsigned;     /* argument must be unsigned */
	const char *cv_proto; /* for messages */
} conv_t;

#define P_INT "char, short, int, long, or long long"
#define P_CHR "char, short, or int"
#define P_STR "char [] or string (or use stringof)"
#define P_PTR "pointer or integer"
#define P_FLT "float, double, or long double"

static const conv_t convs[] = {
    {"d", CV_SIGNED, 'd', 0, false, P_INT},
    {"i", CV_SIGNED, 'd', 0, false, P_INT},
    {"o", CV_UNSIGNED, 'o', 0, false, P_INT},
    {"u", CV_UNSIGNED, 'u', 0, false, P_INT},
    {"x", CV_UNSIGNED, 'x', 0, false, P_INT},
    {"X", CV_UNSIGNED, 'X', 0, false, P_INT},
    {"hd", CV_SIGNED, 'd', 2, false, "short"},
    {"hi", CV_SIGNED, 'd', 2, false, "short"},
    {"ho", CV_UNSIGNED, 'o', 2, false, "unsigned short"},
    {"hu", CV_UNSIGNED, 'u', 2, true, "unsigned short"},
    {"hx", CV_UNSIGNED, 'x', 2, false, "short"},
    {"hX", CV_UNSIGNED, 'X', 2, false, "short"},
    {"ld", CV_SIGNED, 'd', 8, false, "long"},
    {"li", CV_SIGNED, 'd', 8, false, "long"},
    {"lo", CV_UNSIGNED, 'o', 8, false, "unsigned long"},
    {"lu", CV_UNSIGNED, 'u', 8, true, "unsigned long"},
    {"lx", CV_UNSIGNED, 'x', 8, false, "long"},
    {"lX", CV_UNSIGNED, 'X', 8, false, "long"},
    {"lld", CV_SIGNED, 'd', 8, false, "long long"},
    {"lli", CV_SIGNED, 'd', 8, false, "long long"},
    {"llo", CV_UNSIGNED, 'o', 8, false, "unsigned long long"},
    {"llu", CV_UNSIGNED, 'u', 8, true, "unsigned long long"},
    {"llx", CV_UNSIGNED, 'x', 8, false, "long long"},
    {"llX", CV_UNSIGNED, 'X', 8, false, "long long"},
    {"c", CV_CHAR, 'c', 0, false, P_CHR},
    {"C", CV_ECHAR, 's', 0, false, P_CHR},
    {"lc", CV_WCHAR, 's', 0, false, P_CHR},
    {"wc", CV_WCHAR, 's', 0, false, P_CHR},
    {"s", CV_STR, 's', 0, false, P_STR},
    {"S", CV_ESTR, 's', 0, false, P_STR},
    {"ls", CV_WSTR, 's', 0, false, "wchar_t []"},
    {"ws", CV_WSTR, 's', 0, false, "wchar_t []"},
    {"p", CV_HEX, 'x', 0, false, P_PTR},
    {"a", CV_ADDR, 's', 0, false, P_PTR},
    {"A", CV_UADDR, 's', 0, false, P_PTR},
    {"k", CV_STACK, 's', 0, false, "stack"},
    {"Y", CV_TIME, 's', 8, false, "int64_t"},
    {"T", CV_TIME822, 's', 8, false, "int64_t"},
    {"I", CV_HOST, 's', 0, false, P_STR},
    {"P", CV_PORT, 's', 2, false, "uint16_t"},
    {"e", CV_FLOAT, 'e', 0, false, P_FLT},
    {"E", CV_FLOAT, 'E', 0, false, P_FLT},
    {"f", CV_FLOAT, 'f', 0, false, P_FLT},
    {"g", CV_FLOAT, 'g', 0, false, P_FLT},
    {"G", CV_FLOAT, 'G', 0, false, P_FLT},
    {"Le", CV_FLOAT, 'e', 16, false, "long double"},
    {"LE", CV_FLOAT, 'E', 16, false, "long double"},
    {"Lf", CV_FLOAT, 'f', 16, false, "long double"},
    {"Lg", CV_FLOAT, 'g', 16, false, "long double"},
    {"LG", CV_FLOAT, 'G', 16, false, "long double"},
    {"%", CV_PERCENT, '%', 0, false, ""},
};

enum {
	FL_LEFT = 1,
	FL_ZERO = 2,
	FL_PLUS = 4,
	FL_SPACE = 8,
	FL_ALT = 16,
	FL_GROUP = 32,
	FL_AGG = 64,
	FL_DYNWIDTH = 128,
	FL_DYNPREC = 256
};

typedef struct piece {
	char *pf_text; /* literal text before the conversion */
	size_t pf_len;
	const conv_t *pf_conv; /* NULL in the last piece */
	unsigned pf_flags;
	int pf_width, pf_prec; /* prec 0 = none */
} piece_t;

struct dt_format {
	uint32_t f_n;
	piece_t *f_pieces;
};

/* ---- parsing ---- */

typedef struct parser {
	struct dt_format *f;
	char *why;
	size_t whylen;
	const char **tag;
	uint32_t nconv; /* number of the conversion being parsed */
} parser_t;

static int bad(parser_t *p, const char *text, const char *arg)
{
	*p->tag = "D_SYNTAX";
	snprintf(p->why, p->whylen, "format conversion #%u %s%s", p->nconv, text, arg);
	return -1;
}

static const conv_t *find_conv(const char *name)
{
	for (size_t i = 0; i < sizeof(convs) / sizeof(convs[0]); i++)
		if (strcmp(convs[i].cv_name, name) == 0)
			return &convs[i];
	return NULL;
}

static piece_t *add_piece(struct dt_format *f, const char *text, size_t len)
{
	piece_t *p = realloc(f->f_pieces, (f->f_n + 1) * sizeof(*p));
	char *copy = malloc(len + 1);

	if (!p || !copy)
		abort();
	memcpy(copy, text, len);
	copy[len] = '\0';
	f->f_pieces = p;
	p += f->f_n++;
	*p = (piece_t){.pf_text = copy, .pf_len = len};
	return p;
}

static unsigned flag_of(char c)
{
	switch (c) {
	case '-':
		return FL_LEFT;
	case '+':
		return FL_PLUS;
	case ' ':
		return FL_SPACE;
	case '#':
		return FL_ALT;
	case '\'':
		return FL_GROUP;
	case '@':
		return FL_AGG;
	default:
		return 0;
	}
}

static int number(const char **s)
{
	long v = 0;

	while (isdigit((unsigned char)**s)) {
		if (v < 1000000)
			v = v * 10 + (**s - '0');
		(*s)++;
	}
	return (int)v;
}

/* The name with its h, l, L or w prefix; *s stands at its first character. */
static int parse_name(parser_t *p, piece_t *pf, const char **s)
{
	char name[8] = "";
	size_t n = 0;

	while (**s && strchr("hlLw", **s) && n < 3)
		name[n++] = *(*s)++;
	if (**s == '\0')
		return bad(p, "name expected before end of format string", "");
	name[n] = *(*s)++;
	pf->pf_conv = find_conv(name);
	if (!pf->pf_conv)
		return bad(p, "is undefined: %", name);
	return 0;
}

/* Everything after the percent sign. */
static int parse_conv(parser_t *p, piece_t *pf, const char **s)
{
	const char *start = *s;
	bool dots = false;

	for (;; (*s)++) {
		char c = **s;
		unsigned flag = flag_of(c);

		if (flag) {
			pf->pf_flags |= flag;
			if (c == '-')
				pf->pf_flags &= ~(unsigned)FL_ZERO;
		} else if (c == '0' && !dots) {
			pf->pf_flags = (pf->pf_flags | FL_ZERO) & ~(unsigned)FL_LEFT;
		} else if (isdigit((unsigned char)c)) {
			*(dots ? &pf->pf_prec : &pf->pf_width) = number(s);
			(*s)--;
		} else if (c == '?') {
			pf->pf_width = 16;
		} else if (c == '*') {
			unsigned dyn = dots ? FL_DYNPREC : FL_DYNWIDTH;

			if (pf->pf_flags & dyn)
				return bad(p, "has more than one '*' specified for the output precision", "");
			pf->pf_flags |= dyn;
		} else if (c == '.') {
			if (dots)
				return bad(p, "has more than one '.' specified", "");
			dots = true;
		} else if (c == '$') {
			return bad(p, "uses unsupported positional format (%n$)", "");
		} else if (c == '%' && *s != start) {
			return bad(p, "cannot be combined with other format flags: %%", "");
		} else {
			return parse_name(p, pf, s);
		}
	}
}

static int parse(parser_t *p, const char *fmt)
{
	for (const char *s = fmt;;) {
		size_t len = strcspn(s, "%");
		piece_t *pf = add_piece(p->f, s, len);

		s += len;
		if (*s == '\0')
			return 0;
		s++;
		p->nconv++;
		if (parse_conv(p, pf, &s) != 0)
			return -1;
	}
}

struct dt_format *dt_format_parse(const char *who, const char *fmt, char *why, size_t whylen, const char **tag)
{
	struct dt_format *f = calloc(1, sizeof(*f));
	parser_t p = {.f = f, .why = why, .whylen = whylen, .tag = tag};

	if (!f)
		abort();
	if (parse(&p, fmt) != 0) {
		dt_format_free(f);
		return NULL;
	}
	if (*fmt == '\0' && strcmp(who, "freopen") != 0) {
		*tag = "D_PRINTF_FMT_EMPTY";
		snprintf(why, whylen, "%s( ) format string is empty", who);
		dt_format_free(f);
		return NULL;
	}
	return f;
}

void dt_format_free(struct dt_format *f)
{
	if (!f)
		return;
	for (uint32_t i = 0; i < f->f_n; i++)
		free(f->f_pieces[i].pf_text);
	free(f->f_pieces);
	free(f);
}

/* ---- checking ---- */

static bool is_int(const dif_type_t *t, bool isptr)
{
	return t->dt_kind == DIF_INT && !isptr;
}

/* A character array, by its C name: "char [80]", "unsigned char [4]", "uint8_t [6]". */
static bool is_chars(const dif_type_t *t)
{
	static const char *const names[] = {"char [",    "signed char [", "unsigned char [",
					    "uchar_t [", "int8_t [",      "uint8_t ["};

	if (t->dt_kind != DIF_BYTES || !t->dt_name)
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strncmp(t->dt_name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static bool is_symbol(const dif_type_t *t)
{
	return t->dt_kind >= DIF_SYM && t->dt_kind <= DIF_UADDR;
}

static bool conv_accepts(const conv_t *cv, const dif_type_t *t, bool isptr)
{
	switch (cv->cv_kind) {
	case CV_SIGNED:
	case CV_UNSIGNED:
		return is_int(t, isptr) && (cv->cv_size == 0 || cv->cv_size == t->dt_size) &&
		       (!cv->cv_unsigned || !t->dt_signed);
	case CV_CHAR:
	case CV_ECHAR:
	case CV_WCHAR:
		return is_int(t, isptr) && t->dt_size <= 4;
	case CV_STR:
	case CV_ESTR:
	case CV_HOST:
		return t->dt_kind == DIF_STRING || is_chars(t);
	case CV_WSTR:
		return t->dt_kind == DIF_BYTES && t->dt_size % 4 == 0;
	case CV_HEX:
		return t->dt_kind == DIF_INT;
	case CV_ADDR:
	case CV_UADDR:
		return t->dt_kind == DIF_INT || is_symbol(t);
	case CV_STACK:
		return t->dt_kind == DIF_STACK || t->dt_kind == DIF_USTACK;
	case CV_TIME:
	case CV_TIME822:
	case CV_PORT:
		return is_int(t, isptr) && t->dt_size == cv->cv_size;
	case CV_FLOAT:
		return t->dt_name && (strstr(t->dt_name, "float") || strstr(t->dt_name, "double")) &&
		       (cv->cv_size == 0 || cv->cv_size == t->dt_size);
	default:
		return true;
	}
}

typedef struct checker {
	const char *who;
	const dif_type_t *args;
	const bool *isptr;
	uint32_t n, next; /* arguments, the next one not used yet */
	uint32_t naggs;
	char *why;
	size_t whylen;
	const char **tag;
} checker_t;

static int refuse(checker_t *c, const char *tag)
{
	*c->tag = tag;
	return -1;
}

static bool arg_isptr(const checker_t *c, uint32_t i)
{
	return c->isptr && c->isptr[i];
}

static const char *type_name(const dif_type_t *t)
{
	if (t->dt_name)
		return t->dt_name;
	return t->dt_kind == DIF_STRING ? "string" : t->dt_kind == DIF_STACK ? "stack" : "int";
}

/* The integer a "*" needs: star is "*" or ".*". */
static int check_star(checker_t *c, uint32_t nconv, const char *name, const char *star)
{
	uint32_t i = c->next++;

	if (i >= c->n) {
		snprintf(c->why, c->whylen,
			 "%s( ) prototype mismatch: conversion #%u (%%%s) is missing a corresponding \"%s\" argument",
			 c->who, nconv, name, star);
		return refuse(c, "D_PRINTF_DYN_PROTO");
	}
	if (is_int(&c->args[i], arg_isptr(c, i)))
		return 0;
	snprintf(c->why, c->whylen,
		 "%s( ) argument #%u is incompatible with conversion #%u prototype:\n"
		 "\tconversion: %% %s %s\n\t prototype: int\n\t  argument: %s",
		 c->who, i + 2, nconv, star, name, type_name(&c->args[i]));
	return refuse(c, "D_PRINTF_DYN_TYPE");
}

static int check_value(checker_t *c, uint32_t nconv, const piece_t *pf)
{
	static const dif_type_t aggtype = {.dt_kind = DIF_INT, .dt_signed = true, .dt_size = 8, .dt_name = "int64_t"};
	const conv_t *cv = pf->pf_conv;
	const dif_type_t *t = &aggtype;
	bool agg = pf->pf_flags & FL_AGG, isptr = false;
	char what[64] = "aggregating action";

	if (!agg) {
		uint32_t i = c->next++;

		if (i >= c->n) {
			snprintf(
			    c->why, c->whylen,
			    "%s( ) prototype mismatch: conversion #%u (%%%s) is missing a corresponding value argument",
			    c->who, nconv, cv->cv_name);
			return refuse(c, "D_PRINTF_ARG_PROTO");
		}
		t = &c->args[i];
		isptr = arg_isptr(c, i);
		snprintf(what, sizeof(what), "argument #%u", i + 2);
	}
	if (conv_accepts(cv, t, isptr) || (agg && cv->cv_kind == CV_UNSIGNED && cv->cv_size != 2))
		return 0;
	snprintf(c->why, c->whylen,
		 "%s( ) %s is incompatible with conversion #%u prototype:\n"
		 "\tconversion: %%%s\n\t prototype: %s\n\t  argument: %s",
		 c->who, what, nconv, cv->cv_name, cv->cv_proto, type_name(t));
	return refuse(c, "D_PRINTF_ARG_TYPE");
}

static int check_piece(checker_t *c, uint32_t nconv, const piece_t *pf)
{
	const char *name = pf->pf_conv->cv_name;

	if (pf->pf_conv->cv_kind == CV_PERCENT)
		return 0;
	if ((pf->pf_flags & FL_DYNWIDTH) && check_star(c, nconv, name, "*") != 0)
		return -1;
	if ((pf->pf_flags & FL_DYNPREC) && check_star(c, nconv, name, ".*") != 0)
		return -1;
	if ((pf->pf_flags & FL_AGG) && c->naggs == 0) {
		snprintf(c->why, c->whylen, "%%@ conversion requires an aggregation and is not for use with %s( )",
			 c->who);
		return refuse(c, "D_PRINTF_AGG_CONV");
	}
	return check_value(c, nconv, pf);
}

int dt_format_check(const struct dt_format *f, const char *who, const dif_type_t *args, const bool *isptr, uint32_t n,
		    uint32_t naggs, char *why, size_t whylen, const char **tag)
{
	checker_t c = {who, args, isptr, n, 0, naggs, why, whylen, tag};

	for (uint32_t i = 0; i < f->f_n; i++)
		if (f->f_pieces[i].pf_conv && check_piece(&c, i + 1, &f->f_pieces[i]) != 0)
			return -1;
	if (naggs > 0 || c.next >= n)
		return 0;
	snprintf(why, whylen, "%s( ) prototype mismatch: only %u arguments required by this format string", who,
		 c.next);
	return refuse(&c, "D_PRINTF_ARG_EXTRA");
}

/* ---- execution ---- */

/* What the flags and stars came to for one conversion. */
typedef struct spec {
	unsigned flags;
	int width, prec; /* prec -1 = none */
	bool neg_width;  /* a negative "*" */
} spec_t;

/* "%", flags, width and precision from arguments, then tail. */
static void spec_format(const spec_t *s, const char *tail, char buf[32])
{
	char *p = buf;

	*p++ = '%';
	if (s->flags & FL_LEFT)
		*p++ = '-';
	if (s->flags & FL_ZERO)
		*p++ = '0';
	if (s->flags & FL_PLUS)
		*p++ = '+';
	if (s->flags & FL_SPACE)
		*p++ = ' ';
	if (s->flags & FL_ALT)
		*p++ = '#';
	if (s->flags & FL_GROUP)
		*p++ = '\'';
	strcpy(p, s->prec >= 0 ? "*.*" : "*");
	strcat(p, tail);
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void put_string(FILE *fp, const spec_t *s, const char *text)
{
	spec_t plain = *s;
	char fmt[32];

	plain.flags &= FL_LEFT;
	spec_format(&plain, "s", fmt);
	if (s->prec >= 0)
		fprintf(fp, fmt, s->width, s->prec, text);
	else
		fprintf(fp, fmt, s->width, text);
}

static void put_integer(FILE *fp, const spec_t *s, char c, uint64_t v)
{
	spec_t sp = *s;
	char fmt[32], tail[4] = {'l', 'l', c, '\0'};

	if (c != 'd')
		sp.flags &= ~(unsigned)(FL_PLUS | FL_SPACE);
	if (c == 'd' || c == 'u')
		sp.flags &= ~(unsigned)FL_ALT;
	spec_format(&sp, tail, fmt);
	if (sp.prec >= 0)
		fprintf(fp, fmt, sp.width, sp.prec, v);
	else
		fprintf(fp, fmt, sp.width, v);
}

static void put_float(FILE *fp, const spec_t *s, char c, const fmt_val_t *v)
{
	char fmt[32], tail[3] = {'L', c, '\0'};
	long double value = 0;
	double d;
	float f;

	switch (v->fv_type->dt_size) {
	case sizeof(float):
		memcpy(&f, v->fv_data, sizeof(f));
		value = f;
		break;
	case sizeof(double):
		memcpy(&d, v->fv_data, sizeof(d));
		value = d;
		break;
	case sizeof(long double):
		memcpy(&value, v->fv_data, sizeof(value));
		break;
	}
	spec_format(s, tail, fmt);
	if (s->prec >= 0)
		fprintf(fp, fmt, s->width, s->prec, value);
	else
		fprintf(fp, fmt, s->width, value);
}

/* A byte as C writes it; NUL is backslash zero. */
static char *escape(char *p, unsigned char c)
{
	static const char from[] = "\a\b\f\n\r\t\v\"\\", to[] = "abfnrtv\"\\";
	const char *at;

	if (c == '\0')
		return stpcpy(p, "\\0");
	at = strchr(from, c);
	if (at) {
		*p++ = '\\';
		*p++ = to[at - from];
	} else if (isprint(c)) {
		*p++ = (char)c;
	} else {
		p += sprintf(p, "\\%03o", c);
	}
	*p = '\0';
	return p;
}

/* The terminating NUL is a character like the others, and the last one. */
static void put_escaped(FILE *fp, const spec_t *s, const char *data, size_t size)
{
	char *buf = malloc(4 * size + 4), *p = buf;
	size_t i = 0;

	if (!buf)
		return;
	*p = '\0';
	while (i < size) {
		p = escape(p, (unsigned char)data[i]);
		if (data[i++] == '\0')
			break;
	}
	put_string(fp, s, buf);
	free(buf);
}

static void put_text(FILE *fp, const spec_t *s, const char *data, size_t size)
{
	size_t n = strnlen(data, size);
	char *buf = n < size ? NULL : strndup(data, n);

	put_string(fp, s, n < size ? data : buf ? buf : "");
	free(buf);
}

static char *utf8(char *p, uint32_t c)
{
	if (c < 0x80) {
		*p++ = (char)c;
	} else if (c < 0x800) {
		*p++ = (char)(0xc0 | c >> 6);
		*p++ = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		*p++ = (char)(0xe0 | c >> 12);
		*p++ = (char)(0x80 | (c >> 6 & 0x3f));
		*p++ = (char)(0x80 | (c & 0x3f));
	} else {
		*p++ = (char)(0xf0 | (c >> 18 & 7));
		*p++ = (char)(0x80 | (c >> 12 & 0x3f));
		*p++ = (char)(0x80 | (c >> 6 & 0x3f));
		*p++ = (char)(0x80 | (c & 0x3f));
	}
	*p = '\0';
	return p;
}

static void put_wide(FILE *fp, const spec_t *s, const char *data, size_t size)
{
	char *buf = malloc(size + 8), *p = buf;

	if (!buf)
		return;
	*p = '\0';
	for (size_t i = 0; i + 4 <= size; i += 4) {
		uint32_t c;

		memcpy(&c, data + i, 4);
		if (c == 0)
			break;
		p = utf8(p, c);
	}
	put_string(fp, s, buf);
	free(buf);
}

static void put_time(FILE *fp, const spec_t *s, const char *layout, int64_t ns)
{
	int64_t sec = ns / 1000000000 - (ns % 1000000000 < 0);
	time_t t = (time_t)sec;
	struct tm tm;
	char buf[80];

	if (!localtime_r(&t, &tm) || strftime(buf, sizeof(buf), layout, &tm) == 0)
		snprintf(buf, sizeof(buf), "%" PRId64, ns);
	put_string(fp, s, buf);
}

static void put_port(FILE *fp, const spec_t *s, uint16_t port)
{
	struct servent *sv = getservbyport(htons(port), NULL);
	char buf[8];

	snprintf(buf, sizeof(buf), "%u", port);
	put_string(fp, s, sv ? sv->s_name : buf);
}

static void put_stack(FILE *fp, const spec_t *s, const fmt_val_t *v)
{
	bool left = (s->flags & FL_LEFT) || s->neg_width;
	uint32_t words = v->fv_type->dt_size / 8;

	if (v->fv_type->dt_kind == DIF_USTACK)
		print_ustack(fp, v->fv_data, words, left ? s->width : 0, left ? 0 : s->width);
	else
		print_stack(fp, v->fv_data, words, left ? s->width : 0, left ? 0 : s->width);
}

static void put_addr(FILE *fp, const spec_t *s, const fmt_val_t *v)
{
	uint64_t pc = (uint64_t)print_getint(v->fv_type, v->fv_data);
	char buf[SYMTEXT_MAX];

	if (is_symbol(v->fv_type))
		print_kindtext(v->fv_type->dt_kind, pc, buf);
	else
		print_symtext(pc, buf);
	put_string(fp, s, buf);
}

/* An unsigned number of the argument's own size. */
static uint64_t unsigned_value(const fmt_val_t *v)
{
	dif_type_t t = *v->fv_type;

	t.dt_signed = false;
	return (uint64_t)print_getint(&t, v->fv_data);
}

static void put_value(FILE *fp, const spec_t *s, const conv_t *cv, const fmt_val_t *v)
{
	const dif_type_t *t = v->fv_type;
	uint64_t u;
	char buf[24];

	switch (cv->cv_kind) {
	case CV_SIGNED:
		put_integer(fp, s, t->dt_signed ? 'd' : 'u', (uint64_t)print_getint(t, v->fv_data));
		break;
	case CV_UNSIGNED:
	case CV_HEX:
		put_integer(fp, s, cv->cv_c, unsigned_value(v));
		break;
	case CV_CHAR:
		fprintf(fp, s->flags & FL_LEFT ? "%-*c" : "%*c", s->width, (int)(uint8_t)print_getint(t, v->fv_data));
		break;
	case CV_ECHAR:
		escape(buf, (unsigned char)print_getint(t, v->fv_data));
		put_string(fp, s, buf);
		break;
	case CV_STR:
	case CV_HOST:
		put_text(fp, s, v->fv_data, t->dt_size);
		break;
	case CV_ESTR:
		put_escaped(fp, s, v->fv_data, t->dt_size);
		break;
	case CV_ADDR:
		put_addr(fp, s, v);
		break;
	case CV_UADDR:
		snprintf(buf, sizeof(buf), "0x%" PRIx64, unsigned_value(v));
		put_string(fp, s, buf);
		break;
	case CV_STACK:
		put_stack(fp, s, v);
		break;
	case CV_TIME:
		put_time(fp, s, "%Y %b %e %H:%M:%S", print_getint(t, v->fv_data));
		break;
	case CV_TIME822:
		put_time(fp, s, "%a, %d %b %Y %T %Z", print_getint(t, v->fv_data));
		break;
	case CV_PORT:
		put_port(fp, s, (uint16_t)print_getint(t, v->fv_data));
		break;
	case CV_FLOAT:
		put_float(fp, s, cv->cv_c, v);
		break;
	case CV_WCHAR:
		u = unsigned_value(v);
		put_wide(fp, s, (const char *)&u, 4);
		break;
	case CV_WSTR:
		put_wide(fp, s, v->fv_data, t->dt_size);
		break;
	case CV_PERCENT:
		break;
	}
}

static void put_agg(const print_ctx_t *ctx, const spec_t *s, const conv_t *cv, const fmt_agg_t *a)
{
	const agg_desc_t *d = a->fa_desc;
	dif_type_t type = {.dt_kind = DIF_INT, .dt_size = 8, .dt_signed = d->ad_func != AGG_COUNT};
	int64_t value;

	if (cells_is_dist(d)) {
		cells_print_dist(ctx, d, a->fa_cells, a->fa_normal);
		return;
	}
	value = cells_number(d, a->fa_cells, a->fa_normal, cv->cv_kind == CV_UNSIGNED || d->ad_func == AGG_COUNT);
	put_value(ctx->pc_fp, s, cv, &(fmt_val_t){&type, &value});
}

typedef struct run {
	const fmt_val_t *vals;
	uint32_t nvals, next;
	const fmt_agg_t *aggs;
	uint32_t naggs, nextagg;
} run_t;

static int star(run_t *r)
{
	int64_t v;

	if (r->next >= r->nvals)
		return 0;
	v = print_getint(r->vals[r->next].fv_type, r->vals[r->next].fv_data);
	r->next++;
	return (int)MAX(MIN(v, 1000000), -1000000);
}

/* A precision of 0 is none; a negative width is a left-justified one. */
static spec_t resolve(run_t *r, const piece_t *pf)
{
	spec_t s = {.flags = pf->pf_flags, .width = pf->pf_width, .prec = pf->pf_prec};

	if (pf->pf_flags & FL_DYNWIDTH)
		s.width = star(r);
	if (pf->pf_flags & FL_DYNPREC)
		s.prec = star(r);
	if (s.width < 0) {
		s.neg_width = true;
		s.flags = (s.flags | FL_LEFT) & ~(unsigned)FL_ZERO;
		s.width = -s.width;
	}
	if (s.prec <= 0)
		s.prec = -1;
	return s;
}

static void run_piece(const print_ctx_t *ctx, run_t *r, const piece_t *pf)
{
	const conv_t *cv = pf->pf_conv;
	spec_t s;

	fwrite(pf->pf_text, 1, pf->pf_len, ctx->pc_fp);
	if (!cv)
		return;
	if (cv->cv_kind == CV_PERCENT) {
		fputc('%', ctx->pc_fp);
		return;
	}
	s = resolve(r, pf);
	if (pf->pf_flags & FL_AGG) {
		if (r->naggs > 0)
			put_agg(ctx, &s, cv, &r->aggs[MIN(r->nextagg, r->naggs - 1)]);
		r->nextagg++;
	} else if (r->next < r->nvals) {
		put_value(ctx->pc_fp, &s, cv, &r->vals[r->next++]);
	}
}

void fmt_print(const print_ctx_t *ctx, const struct dt_format *f, const fmt_val_t *vals, uint32_t nvals,
	       const fmt_agg_t *aggs, uint32_t naggs)
{
	run_t r = {vals, nvals, 0, aggs, naggs, 0};

	for (uint32_t i = 0; i < f->f_n; i++)
		run_piece(ctx, &r, &f->f_pieces[i]);
}

char *fmt_text(const print_ctx_t *ctx, const struct dt_format *f, const fmt_val_t *vals, uint32_t nvals)
{
	print_ctx_t c = *ctx;
	char *text = NULL;
	size_t len;

	c.pc_fp = open_memstream(&text, &len);
	if (!c.pc_fp)
		return NULL;
	fmt_print(&c, f, vals, nvals, NULL, 0);
	fclose(c.pc_fp);
	return text;
}
