/* A quick pass over DWARF debug information.  See dwscan.h. */
#include "dwscan.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#define MAXABBREV 65536 /* of one unit */

typedef struct section {
	const uint8_t *s_at;
	size_t s_size;
} section_t;

/*
 * One shape of entry.  When all its attributes have fixed sizes, where the
 * interesting ones lie in it is worked out once; else a_specs is read again at
 * each entry.
 */
typedef struct abbrev {
	const uint8_t *a_specs;
	uint16_t a_tag;
	bool a_children, a_decl;
	int16_t a_size;            /* of the attributes, -1: not fixed */
	int16_t a_name, a_sibling; /* where its strp and ref4 lie, -1: none */
} abbrev_t;

typedef struct scan {
	const dwscan_t *c_user;
	section_t c_info, c_abbrev, c_str, c_line_str;
	abbrev_t *c_shapes; /* of the present unit, by code */
	size_t c_nshapes, c_ashapes;
	/* the present unit */
	const uint8_t *c_unit, *c_end;
	unsigned c_addrsize;
	bool c_bad; /* a form that is not known, or an end that came too soon */
} scan_t;

/* What an entry's attributes say. */
typedef struct facts {
	const char *f_name;
	uint64_t f_sibling, f_origin; /* offsets in the unit, 0: none */
	bool f_decl;
} facts_t;

/* ---- bytes ---- */

static uint64_t fixed(scan_t *c, const uint8_t **pp, size_t n, const uint8_t *end)
{
	uint64_t v = 0;

	if ((size_t)(end - *pp) < n) {
		c->c_bad = true;
		*pp = end;
		return 0;
	}
	memcpy(&v, *pp, n);
	*pp += n;
	return v;
}

static uint64_t long_uleb(scan_t *c, const uint8_t **pp, const uint8_t *end)
{
	uint64_t v = 0;
	unsigned shift = 0;
	const uint8_t *p = *pp;

	while (p < end) {
		v |= shift < 64 ? (uint64_t)(*p & 0x7f) << shift : 0;
		shift += 7;
		if ((*p++ & 0x80) == 0) {
			*pp = p;
			return v;
		}
	}
	c->c_bad = true;
	*pp = end;
	return 0;
}

/* Most numbers take one byte. */
static inline uint64_t uleb(scan_t *c, const uint8_t **pp, const uint8_t *end)
{
	if (*pp < end && **pp < 0x80)
		return *(*pp)++;
	return long_uleb(c, pp, end);
}

static void skip(scan_t *c, const uint8_t **pp, uint64_t n)
{
	if ((uint64_t)(c->c_end - *pp) < n) {
		c->c_bad = true;
		n = (uint64_t)(c->c_end - *pp);
	}
	*pp += n;
}

static const char *string_at(const section_t *s, uint64_t off)
{
	if (off >= s->s_size || memchr(s->s_at + off, '\0', s->s_size - off) == NULL)
		return NULL;
	return (const char *)s->s_at + off;
}

static const char *inline_string(scan_t *c, const uint8_t **pp)
{
	const char *s = (const char *)*pp;
	const uint8_t *nul = memchr(*pp, '\0', (size_t)(c->c_end - *pp));

	if (nul == NULL) {
		c->c_bad = true;
		*pp = c->c_end;
		return NULL;
	}
	*pp = nul + 1;
	return s;
}

/* ---- forms ---- */

/* A value that is a block of bytes or a LEB128 number. */
static void pass_variable(scan_t *c, const uint8_t **pp, unsigned form)
{
	switch (form) {
	case DW_FORM_block1:
		skip(c, pp, fixed(c, pp, 1, c->c_end));
		break;
	case DW_FORM_block2:
		skip(c, pp, fixed(c, pp, 2, c->c_end));
		break;
	case DW_FORM_block4:
		skip(c, pp, fixed(c, pp, 4, c->c_end));
		break;
	case DW_FORM_block:
	case DW_FORM_exprloc:
		skip(c, pp, uleb(c, pp, c->c_end));
		break;
	case DW_FORM_string:
		(void)inline_string(c, pp);
		break;
	case DW_FORM_udata:
	case DW_FORM_sdata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
		(void)uleb(c, pp, c->c_end);
		break;
	default:
		c->c_bad = true;
	}
}

/* Bytes of a form of fixed size; -1 when its size is not fixed. */
static int form_size(const scan_t *c, unsigned form)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const:
		return 0;
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_flag:
	case DW_FORM_strx1:
	case DW_FORM_addrx1:
		return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2:
		return 2;
	case DW_FORM_strx3:
	case DW_FORM_addrx3:
		return 3;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_sec_offset:
	case DW_FORM_ref_addr:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
		return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
		return 8;
	case DW_FORM_data16:
		return 16;
	case DW_FORM_addr:
		return (int)c->c_addrsize;
	default:
		return -1;
	}
}

static const char *form_string(scan_t *c, const uint8_t **pp, unsigned form)
{
	switch (form) {
	case DW_FORM_string:
		return inline_string(c, pp);
	case DW_FORM_strp:
		return string_at(&c->c_str, fixed(c, pp, 4, c->c_end));
	case DW_FORM_line_strp:
		return string_at(&c->c_line_str, fixed(c, pp, 4, c->c_end));
	default:
		c->c_bad = true;
		return NULL;
	}
}

static void pass_form(scan_t *c, const uint8_t **pp, unsigned form)
{
	int n = form_size(c, form);

	if (n >= 0)
		skip(c, pp, (uint64_t)n);
	else
		pass_variable(c, pp, form);
}

/* A reference within the unit; one to elsewhere counts as none. */
static uint64_t form_ref(scan_t *c, const uint8_t **pp, unsigned form)
{
	int n = form_size(c, form);

	if (form == DW_FORM_ref_udata)
		return uleb(c, pp, c->c_end);
	if (form == DW_FORM_ref_addr || form == DW_FORM_ref_sig8 || n < 0) {
		pass_form(c, pp, form);
		return 0;
	}
	return fixed(c, pp, (size_t)n, c->c_end);
}

static void read_attribute(scan_t *c, const uint8_t **pp, unsigned at, unsigned form, facts_t *f)
{
	switch (at) {
	case DW_AT_name:
		f->f_name = form_string(c, pp, form);
		break;
	case DW_AT_sibling:
		f->f_sibling = form_ref(c, pp, form);
		break;
	case DW_AT_abstract_origin:
	case DW_AT_specification:
		f->f_origin = form_ref(c, pp, form);
		break;
	case DW_AT_declaration:
		f->f_decl = true;
		/* fall through */
	default:
		pass_form(c, pp, form);
	}
}

/* ---- shapes ---- */

/* The next attribute of a shape; false at its end. */
static bool next_spec(scan_t *c, const uint8_t **pp, unsigned *at, unsigned *form)
{
	const uint8_t *end = c->c_abbrev.s_at + c->c_abbrev.s_size;

	*at = (unsigned)uleb(c, pp, end);
	*form = (unsigned)uleb(c, pp, end);
	if (*form == DW_FORM_implicit_const)
		(void)uleb(c, pp, end);
	return (*at != 0 || *form != 0) && !c->c_bad;
}

/* Add an attribute to the layout of a shape whose attributes have had fixed sizes so far. */
static void lay_out(const scan_t *c, abbrev_t *a, unsigned at, unsigned form)
{
	int n = form_size(c, form);

	if (at == DW_AT_name && form == DW_FORM_strp)
		a->a_name = a->a_size;
	else if (at == DW_AT_sibling && form == DW_FORM_ref4)
		a->a_sibling = a->a_size;
	else if (at == DW_AT_declaration)
		a->a_decl = true;
	else if (at == DW_AT_name || at == DW_AT_sibling || at == DW_AT_abstract_origin || at == DW_AT_specification)
		n = -1;
	if (n < 0 || a->a_size + n > INT16_MAX)
		a->a_size = -1;
	else
		a->a_size = (int16_t)(a->a_size + n);
}

/* Read the shape at *pp; its code, 0 at the end of the unit's shapes. */
static uint64_t read_shape(scan_t *c, const uint8_t **pp, abbrev_t *a)
{
	const uint8_t *end = c->c_abbrev.s_at + c->c_abbrev.s_size;
	uint64_t code = uleb(c, pp, end);
	unsigned at, form;

	if (code == 0)
		return 0;
	*a = (abbrev_t){.a_tag = (uint16_t)uleb(c, pp, end), .a_name = -1, .a_sibling = -1};
	a->a_children = fixed(c, pp, 1, end) != 0;
	a->a_specs = *pp;
	while (next_spec(c, pp, &at, &form)) {
		if (a->a_size >= 0)
			lay_out(c, a, at, form);
	}
	return c->c_bad ? 0 : code;
}

static bool add_shape(scan_t *c, uint64_t code, const abbrev_t *a)
{
	if (code >= MAXABBREV)
		return false;
	if (code >= c->c_ashapes) {
		size_t n = code < 512 ? 512 : MAXABBREV;
		abbrev_t *more = realloc(c->c_shapes, n * sizeof(*more));

		if (more == NULL)
			return false;
		c->c_shapes = more;
		c->c_ashapes = n;
	}
	while (c->c_nshapes <= code)
		c->c_shapes[c->c_nshapes++] = (abbrev_t){0};
	c->c_shapes[code] = *a;
	return true;
}

/* Read a unit's shapes: all of them, or (last != 0) up to the one of that code. */
static bool read_shapes(scan_t *c, uint64_t off, uint64_t last)
{
	const uint8_t *p = c->c_abbrev.s_at + off;
	uint64_t code;
	abbrev_t a;

	c->c_nshapes = 0;
	if (off > c->c_abbrev.s_size)
		return false;
	while ((code = read_shape(c, &p, &a)) != 0) {
		if (!add_shape(c, code, &a))
			return false;
		if (code == last)
			break;
	}
	return !c->c_bad;
}

/* ---- entries ---- */

static void read_fixed(scan_t *c, const uint8_t **pp, const abbrev_t *a, facts_t *f)
{
	const uint8_t *p = *pp;

	skip(c, pp, (uint64_t)a->a_size);
	if (c->c_bad)
		return;
	f->f_decl = a->a_decl;
	if (a->a_name >= 0) {
		const uint8_t *at = p + a->a_name;

		f->f_name = string_at(&c->c_str, fixed(c, &at, 4, c->c_end));
	}
	if (a->a_sibling >= 0) {
		const uint8_t *at = p + a->a_sibling;

		f->f_sibling = fixed(c, &at, 4, c->c_end);
	}
}

/* Read the entry at *pp, step behind its attributes.  NULL: the end of a list of siblings, or of what can be read. */
static const abbrev_t *read_entry(scan_t *c, const uint8_t **pp, facts_t *f)
{
	uint64_t code = uleb(c, pp, c->c_end);
	const abbrev_t *a;
	const uint8_t *spec;
	unsigned at, form;

	memset(f, 0, sizeof(*f));
	if (code == 0)
		return NULL;
	if (code >= c->c_nshapes || c->c_shapes[code].a_specs == NULL) {
		c->c_bad = true;
		return NULL;
	}
	a = &c->c_shapes[code];
	if (a->a_size >= 0) {
		read_fixed(c, pp, a, f);
	} else {
		spec = a->a_specs;
		while (next_spec(c, &spec, &at, &form))
			read_attribute(c, pp, at, form, f);
	}
	return c->c_bad ? NULL : a;
}

/* The name of what an entry is an instance of. */
static const char *origin_name(scan_t *c, uint64_t off)
{
	for (int depth = 0; off != 0 && depth < 8 && off < (uint64_t)(c->c_end - c->c_unit); depth++) {
		const uint8_t *p = c->c_unit + off;
		facts_t f;

		if (read_entry(c, &p, &f) == NULL)
			break;
		if (f.f_name != NULL)
			return f.f_name;
		off = f.f_origin;
	}
	return NULL;
}

/* From behind an entry's attributes to behind its children. */
static void pass_children(scan_t *c, const uint8_t **pp, const facts_t *f)
{
	int depth = 1;

	if (f->f_sibling != 0 && f->f_sibling <= (uint64_t)(c->c_end - c->c_unit) && c->c_unit + f->f_sibling > *pp) {
		*pp = c->c_unit + f->f_sibling;
		return;
	}
	while (depth > 0 && *pp < c->c_end && !c->c_bad) {
		facts_t in;
		const abbrev_t *a = read_entry(c, pp, &in);

		if (a == NULL)
			depth--;
		else if (a->a_children)
			depth++;
	}
}

static void siblings(scan_t *c, const uint8_t **pp, uint64_t parent)
{
	while (*pp < c->c_end && !c->c_bad) {
		uint64_t off = (uint64_t)(*pp - c->c_info.s_at);
		facts_t f;
		const abbrev_t *a = read_entry(c, pp, &f);
		bool deeper;

		if (a == NULL)
			return;
		if (f.f_name == NULL && f.f_origin != 0)
			f.f_name = origin_name(c, f.f_origin);
		deeper = c->c_user->s_entry(c->c_user->s_arg, &(dwtop_t){f.f_name, off, a->a_tag, f.f_decl}, parent);
		if (a->a_children && deeper && parent == 0)
			siblings(c, pp, off);
		else if (a->a_children)
			pass_children(c, pp, &f);
	}
}

/* ---- units ---- */

/* The entries of a unit, whose own one is at *pp. */
static bool unit_entries(scan_t *c, const uint8_t **pp, uint64_t off, uint64_t shapes)
{
	const uint8_t *root = *pp;
	uint64_t code = uleb(c, &root, c->c_end);
	const abbrev_t *a;
	facts_t f;

	if (!read_shapes(c, shapes, code))
		return false;
	root = *pp;
	a = read_entry(c, &root, &f);
	if (a == NULL)
		return false;
	if (f.f_name == NULL || !c->c_user->s_unit(c->c_user->s_arg, f.f_name, off) || !a->a_children)
		return true;
	if (!read_shapes(c, shapes, 0))
		return false;
	*pp = root;
	siblings(c, pp, 0);
	return !c->c_bad;
}

/* One unit, *pp at its header.  False: nothing more can be read. */
static bool unit(scan_t *c, const uint8_t **pp)
{
	const uint8_t *all = c->c_info.s_at + c->c_info.s_size;
	uint64_t length, shapes, off = (uint64_t)(*pp - c->c_info.s_at);
	unsigned version, type = DW_UT_compile;

	c->c_unit = *pp;
	c->c_end = all;
	length = fixed(c, pp, 4, all);
	if (c->c_bad || length > (uint64_t)(all - *pp))
		return false;
	c->c_end = *pp + length;
	version = (unsigned)fixed(c, pp, 2, c->c_end);
	if (version == 5) {
		type = (unsigned)fixed(c, pp, 1, c->c_end);
		c->c_addrsize = (unsigned)fixed(c, pp, 1, c->c_end);
		shapes = fixed(c, pp, 4, c->c_end);
	} else {
		shapes = fixed(c, pp, 4, c->c_end);
		c->c_addrsize = (unsigned)fixed(c, pp, 1, c->c_end);
	}
	if (c->c_bad || version < 4 || version > 5 || (type == DW_UT_compile && !unit_entries(c, pp, off, shapes)))
		return false;
	*pp = c->c_end;
	return true;
}

static section_t find_section(Elf *elf, const char *want)
{
	section_t found = {NULL, 0};
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return found;
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		const char *name;
		Elf_Data *data;
		GElf_Shdr sh;

		if (gelf_getshdr(scn, &sh) == NULL || (name = elf_strptr(elf, names, sh.sh_name)) == NULL ||
		    strcmp(name, want) != 0)
			continue;
		if ((sh.sh_flags & SHF_COMPRESSED) == 0 && (data = elf_rawdata(scn, NULL)) != NULL)
			found = (section_t){data->d_buf, data->d_size};
		break;
	}
	return found;
}

bool dwscan(Elf *elf, const dwscan_t *user)
{
	scan_t c = {.c_user = user,
		    .c_info = find_section(elf, ".debug_info"),
		    .c_abbrev = find_section(elf, ".debug_abbrev"),
		    .c_str = find_section(elf, ".debug_str"),
		    .c_line_str = find_section(elf, ".debug_line_str")};
	const uint8_t *p = c.c_info.s_at;
	bool ok = p != NULL && c.c_abbrev.s_at != NULL;

	while (ok && p < c.c_info.s_at + c.c_info.s_size)
		ok = unit(&c, &p);
	free(c.c_shapes);
	return ok;
}

/* One set of .debug_aranges: the code of one unit, pairs of address and length up to a pair of zeros. */
static bool code_set(scan_t *c, const uint8_t **pp, bool (*code)(void *, uint64_t, uint64_t, uint64_t), void *arg)
{
	const uint8_t *set = *pp, *end = c->c_end;
	uint64_t length = fixed(c, pp, 4, end), info, lo, len;

	if (c->c_bad || length > (uint64_t)(end - *pp))
		return false;
	c->c_end = *pp + length;
	skip(c, pp, 2); /* version */
	info = fixed(c, pp, 4, c->c_end);
	if (fixed(c, pp, 2, c->c_end) != 8) /* size of an address, of a segment */
		return false;
	skip(c, pp, (uint64_t)(16 - (*pp - set) % 16) % 16);
	while (*pp < c->c_end && !c->c_bad) {
		lo = fixed(c, pp, 8, c->c_end);
		len = fixed(c, pp, 8, c->c_end);
		if (lo == 0 && len == 0)
			break;
		if (!c->c_bad && !code(arg, info, lo, lo + len))
			return false;
	}
	*pp = c->c_end;
	c->c_end = end;
	return !c->c_bad;
}

bool dwscan_code(Elf *elf, bool (*code)(void *, uint64_t, uint64_t, uint64_t), void *arg)
{
	section_t s = find_section(elf, ".debug_aranges");
	scan_t c = {.c_end = s.s_at + s.s_size};
	const uint8_t *p = s.s_at;
	bool ok = p != NULL;

	while (ok && p < s.s_at + s.s_size)
		ok = code_set(&c, &p, code, arg);
	return ok;
}
