/*
 * print(): an object in memory with the names and types of its parts.
 */
#include "d/dt_impl.h"

#include <stdio.h>
#include <string.h>

#define INDENT 44
#define MAXNEST 10

typedef struct printer {
	dt_t *dt;
	const uint8_t *data;
	size_t limit; /* bytes that were recorded */
	void (*out)(void *, const char *, size_t);
	void *arg;
} printer_t;

static bool print_type(printer_t *p, ctype_t *t, const cmember_t *m, uint64_t off, const char *name, int depth);

static void line(printer_t *p, int depth, const char *name, const char *text)
{
	const char *s = dt_sprintf(p->dt, "%*s%s%s%s%s\n", INDENT + depth, "", name != NULL ? "." : "",
				   name != NULL ? name : "", name != NULL ? " = " : "", text);

	p->out(p->arg, s, strlen(s));
}

/* A character as it is, NUL too. */
static void char_line(printer_t *p, int depth, const char *name, char c)
{
	const char *s = dt_sprintf(p->dt, "%*s%s%s%s(char)'", INDENT + depth, "", name != NULL ? "." : "",
				   name != NULL ? name : "", name != NULL ? " = " : "");

	p->out(p->arg, s, strlen(s));
	p->out(p->arg, &c, 1);
	p->out(p->arg, "',\n", 3);
}

static uint64_t fetch(const printer_t *p, uint64_t off, uint64_t size, bool sign)
{
	uint64_t v = 0;

	if (size > 8 || off + size > p->limit)
		return 0;
	memcpy(&v, p->data + off, size);
	if (sign && size < 8 && size > 0)
		v = (uint64_t)((int64_t)(v << (64 - size * 8)) >> (64 - size * 8));
	return v;
}

static bool all_zero(const printer_t *p, uint64_t off, uint64_t size)
{
	for (uint64_t i = off; i < off + size && i < p->limit; i++) {
		if (p->data[i] != 0)
			return false;
	}
	return true;
}

static void print_int(printer_t *p, ctype_t *t, uint64_t off, const char *name, int depth)
{
	dt_t *dt = p->dt;
	uint64_t size = ctf_size(dt, t), v = fetch(p, off, size, ctf_is_signed(dt, t));
	const char *tn = ctf_name(dt, t), *s;

	if (strcmp(tn, "char") == 0) {
		char_line(p, depth, name, (char)v);
		return;
	}
	if (size > 8)
		s = dt_sprintf(dt, "(%s)?(%llu bit value),", tn, (unsigned long long)size * 8);
	else if (ctf_is_signed(dt, t))
		s = dt_sprintf(dt, "(%s)%lld,", tn, (long long)v);
	else
		s = dt_sprintf(dt, "(%s)%llu,", tn, (unsigned long long)v);
	line(p, depth, name, s);
}

static void print_bits(printer_t *p, ctype_t *t, const cmember_t *m, uint64_t off, const char *name, int depth)
{
	uint32_t bytes = (m->m_bitoff + m->m_bitlen + 7) / 8;
	uint64_t v = fetch(p, off, bytes, false) >> m->m_bitoff;

	if (m->m_bitlen < 64)
		v &= ((uint64_t)1 << m->m_bitlen) - 1;
	if (v != 0)
		line(p, depth, name, dt_sprintf(p->dt, "(%s)%llu,", ctf_name(p->dt, t), (unsigned long long)v));
}

static void print_enum(printer_t *p, ctype_t *t, uint64_t off, const char *name, int depth)
{
	ctype_t *r = ctf_resolve(p->dt, t);
	int64_t v = (int64_t)fetch(p, off, r->c_size, true);
	const cenumr_t *e = r->c_enums;

	while (e != NULL && e->e_value != v)
		e = e->e_next;
	if (e != NULL)
		line(p, depth, name, dt_sprintf(p->dt, "(%s)%s,", ctf_name(p->dt, t), e->e_name));
	else
		line(p, depth, name, dt_sprintf(p->dt, "(%s)%lld,", ctf_name(p->dt, t), (long long)v));
}

/* False: the limit was reached inside. */
static bool print_members(printer_t *p, const ctype_t *r, uint64_t off, int depth)
{
	for (const cmember_t *m = r->c_members; m != NULL; m = m->m_next) {
		if (off + m->m_off >= p->limit) {
			line(p, depth, NULL, "...");
			return false;
		}
		if (!print_type(p, m->m_type, m, off + m->m_off, m->m_name, depth))
			return false;
	}
	return true;
}

static bool print_sou(printer_t *p, ctype_t *t, uint64_t off, const char *name, int depth)
{
	ctype_t *r = ctf_resolve(p->dt, t);
	const char *tn = ctf_name(p->dt, r->c_name != NULL ? t : r);
	bool more;

	line(p, depth, name, dt_sprintf(p->dt, "(%s) {", tn));
	more = print_members(p, r, off, depth + 1);
	line(p, depth, NULL, depth == 0 ? "}" : "},");
	return more;
}

static bool print_elements(printer_t *p, const ctype_t *r, uint64_t off, int depth)
{
	uint64_t size = ctf_size(p->dt, r->c_ref);
	const ctype_t *e = ctf_resolve(p->dt, r->c_ref);
	bool chars = e->c_kind == CT_INT && e->c_char;

	for (uint64_t i = 0; i < r->c_nelem; i++) {
		if (off + i * size >= p->limit) {
			line(p, depth, NULL, "...");
			return false;
		}
		if (chars && p->data[off + i] == 0)
			break;
		if (!print_type(p, r->c_ref, NULL, off + i * size, NULL, depth))
			return false;
	}
	return true;
}

static bool print_array(printer_t *p, ctype_t *t, uint64_t off, const char *name, int depth)
{
	ctype_t *r = ctf_resolve(p->dt, t);
	const char *tn = ctf_name(p->dt, t);
	bool more;

	if (r->c_nelem == 0) {
		line(p, depth, name, dt_sprintf(p->dt, "(%s) [],", tn));
		return true;
	}
	line(p, depth, name, dt_sprintf(p->dt, "(%s) [", tn));
	more = print_elements(p, r, off, depth + 1);
	line(p, depth, NULL, "],");
	return more;
}

static bool print_type(printer_t *p, ctype_t *t, const cmember_t *m, uint64_t off, const char *name, int depth)
{
	dt_t *dt = p->dt;
	ctype_t *r = ctf_resolve(dt, t);

	if (depth >= MAXNEST) {
		line(p, depth, NULL, "...");
		return true;
	}
	if (m != NULL && m->m_bitlen != 0) {
		print_bits(p, t, m, off, name, depth);
		return true;
	}
	if (depth > 0 && ctf_size(dt, t) > 0 && all_zero(p, off, ctf_size(dt, t)))
		return true;
	switch (r->c_kind) {
	case CT_INT:
		print_int(p, t, off, name, depth);
		return true;
	case CT_ENUM:
		print_enum(p, t, off, name, depth);
		return true;
	case CT_PTR:
		line(p, depth, name,
		     dt_sprintf(dt, "(%s)0x%llx,", ctf_name(dt, t), (unsigned long long)fetch(p, off, 8, false)));
		return true;
	case CT_STRUCT:
	case CT_UNION:
		return print_sou(p, t, off, name, depth);
	case CT_ARRAY:
		return print_array(p, t, off, name, depth);
	default:
		return true;
	}
}

void dt_print_value(dt_t *dt, const void *ctype, const void *data, size_t len,
		    void (*out)(void *, const char *, size_t), void *arg)
{
	printer_t p = {dt, data, len, out, arg};

	if (ctype != NULL)
		print_type(&p, (ctype_t *)ctype, NULL, 0, NULL, 0);
}
