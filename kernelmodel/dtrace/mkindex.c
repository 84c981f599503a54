/*
 * Making the index of a binary (symindex.h) from its symbol table and, with
 * libdw, its debug information.
 *
 * First the compile units: their modules, the code of each, where their
 * variables are, and the named entries at their top levels.  Then the symbols,
 * each with the module whose code or variable it is; then the points for fbt,
 * from the compiler's lists; at last everything is laid out in one piece.
 */
#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "symindex.h"

/* A growing array. */
typedef struct vec {
	char *v_at;
	size_t v_n, v_max, v_size; /* elements, room for them, bytes of one */
} vec_t;

/* Code or a variable of a module. */
typedef struct range {
	uint64_t r_lo, r_hi;
	uint16_t r_mod;
} range_t;

typedef struct rawsym {
	ksym_t s_ks;
	bool s_local;
} rawsym_t;

typedef struct maker {
	Elf *m_elf;
	const char *m_why; /* it failed */
	int64_t m_tlsbias; /* from a thread-local symbol's value to its distance from the thread pointer */
	vec_t m_code;      /* range_t */
	vec_t m_vars[2];   /* range_t: objects by address, thread-local ones by offset */
	vec_t m_syms, m_byname, m_mods, m_funcs, m_returns, m_probes, m_names, m_strings;
	uint32_t *m_hash; /* offsets of strings, less 1; open addressing */
	size_t m_nhash, m_ahash;
	size_t m_naddr;
} maker_t;

/* ---- memory ---- */

/* n more elements, zeroed; NULL: no memory. */
static void *vec_add(maker_t *m, vec_t *v, size_t n)
{
	void *new;

	if (v->v_at == NULL || v->v_n + n > v->v_max) {
		size_t max = v->v_max * 2 + n + 64;
		char *more = realloc(v->v_at, max * v->v_size);

		if (more == NULL) {
			m->m_why = "out of memory";
			return NULL;
		}
		v->v_at = more;
		v->v_max = max;
	}
	new = memset(v->v_at + v->v_n * v->v_size, 0, n * v->v_size);
	v->v_n += n;
	return new;
}

#define VEC_AT(v, type) ((type *)(void *)(v).v_at)

static const char *string_of(const maker_t *m, uint32_t off)
{
	return m->m_strings.v_at + off;
}

static uint32_t hash_text(const char *s)
{
	uint32_t h = 2166136261u;

	while (*s != '\0')
		h = (h ^ (uint8_t)*s++) * 16777619u;
	return h;
}

static uint32_t *string_slot(const maker_t *m, const char *s)
{
	size_t i = hash_text(s) & (m->m_ahash - 1);

	while (m->m_hash[i] != 0 && strcmp(string_of(m, m->m_hash[i] - 1), s) != 0)
		i = (i + 1) & (m->m_ahash - 1);
	return &m->m_hash[i];
}

static bool grow_hash(maker_t *m)
{
	uint32_t *old = m->m_hash;
	size_t n = m->m_ahash, i;

	m->m_ahash = n == 0 ? 4096 : n * 2;
	m->m_hash = calloc(m->m_ahash, sizeof(*m->m_hash));
	if (m->m_hash == NULL) {
		m->m_hash = old;
		m->m_ahash = n;
		m->m_why = "out of memory";
		return false;
	}
	for (i = 0; i < n; i++)
		if (old[i] != 0)
			*string_slot(m, string_of(m, old[i] - 1)) = old[i];
	free(old);
	return true;
}

/* Each string once. */
static uint32_t intern(maker_t *m, const char *s)
{
	size_t len = strlen(s) + 1;
	uint32_t *slot;
	char *to;

	if (m->m_nhash * 2 >= m->m_ahash && !grow_hash(m))
		return 0;
	slot = string_slot(m, s);
	if (*slot == 0 && (to = vec_add(m, &m->m_strings, len)) != NULL) {
		memcpy(to, s, len);
		*slot = (uint32_t)(to - m->m_strings.v_at) + 1;
		m->m_nhash++;
	}
	return *slot == 0 ? 0 : *slot - 1;
}

/* ---- modules ---- */

/* Number of the module of that name, from 1; 0: no memory. */
static uint16_t module_named(maker_t *m, const char *name)
{
	uint32_t s = intern(m, name);
	ixmod_t *x;
	size_t i;

	for (i = 0; i < m->m_mods.v_n; i++)
		if (VEC_AT(m->m_mods, ixmod_t)[i].x_name == s)
			return (uint16_t)(i + 1);
	x = vec_add(m, &m->m_mods, 1);
	if (x == NULL)
		return 0;
	/* the tracer is not part of what it shows */
	*x = (ixmod_t){s, strcmp(name, "dtrace") != 0 && strcmp(name, "tests") != 0};
	return (uint16_t)m->m_mods.v_n;
}

/* Module of a source file, 0 when it is not under kernelmodel/. */
static uint16_t module_of(maker_t *m, const char *file)
{
	static const char top[] = "kernelmodel/";
	const char *p = file, *end, *last = NULL;
	uint16_t mod;
	char *name;

	while ((p = strstr(p, top)) != NULL) {
		if (p == file || p[-1] == '/')
			last = p;
		p++;
	}
	if (last == NULL)
		return 0;
	last += sizeof(top) - 1;
	end = strchr(last, '/');
	if (end == NULL)
		return 0;
	name = strndup(last, (size_t)(end - last));
	if (name == NULL) {
		m->m_why = "out of memory";
		return 0;
	}
	mod = module_named(m, name);
	free(name);
	return mod;
}

/* ---- compile units ---- */

static void add_range(maker_t *m, vec_t *v, uint64_t lo, uint64_t hi, uint16_t mod)
{
	range_t *r = vec_add(m, v, 1);

	if (r != NULL)
		*r = (range_t){lo, hi, mod};
}

static void unit_code(maker_t *m, Dwarf_Die *unit, uint16_t mod)
{
	Dwarf_Addr base, lo, hi;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(unit, at, &base, &lo, &hi)) > 0)
		if (hi > lo)
			add_range(m, &m->m_code, lo, hi, mod);
}

static void variable(maker_t *m, Dwarf_Die *die, uint16_t mod)
{
	Dwarf_Attribute attr;
	Dwarf_Op *op;
	size_t n;

	if (dwarf_attr(die, DW_AT_location, &attr) == NULL || dwarf_getlocation(&attr, &op, &n) != 0 || n == 0)
		return;
	if (op[0].atom == DW_OP_addr)
		add_range(m, &m->m_vars[0], op[0].number, op[0].number + 1, mod);
	else if (n == 2 && (op[1].atom == DW_OP_GNU_push_tls_address || op[1].atom == DW_OP_form_tls_address))
		add_range(m, &m->m_vars[1], op[0].number, op[0].number + 1, mod);
}

static bool declared(Dwarf_Die *die)
{
	Dwarf_Attribute a;
	bool flag = false;

	return dwarf_attr(die, DW_AT_declaration, &a) != NULL && dwarf_formflag(&a, &flag) == 0 && flag;
}

static void add_name(maker_t *m, Dwarf_Die *die, uint16_t mod, Dwarf_Off parent)
{
	const char *name = dwarf_diename(die);
	ixname_t *x = name == NULL ? NULL : vec_add(m, &m->m_names, 1);

	if (x != NULL)
		*x = (ixname_t){.x_name = intern(m, name),
				.x_off = (uint32_t)dwarf_dieoffset(die),
				.x_parent = (uint32_t)parent,
				.x_mod = mod,
				.x_tag = (uint8_t)dwarf_tag(die),
				.x_decl = declared(die)};
}

static void enumerators(maker_t *m, Dwarf_Die *die, uint16_t mod)
{
	Dwarf_Die kid;

	if (dwarf_child(die, &kid) != 0)
		return;
	do {
		if (dwarf_tag(&kid) == DW_TAG_enumerator)
			add_name(m, &kid, mod, dwarf_dieoffset(die));
	} while (dwarf_siblingof(&kid, &kid) == 0);
}

static void top_entry(maker_t *m, Dwarf_Die *die, uint16_t mod)
{
	Dwarf_Attribute a;

	switch (dwarf_tag(die)) {
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_typedef:
	case DW_TAG_base_type:
		add_name(m, die, mod, 0);
		break;
	case DW_TAG_enumeration_type:
		add_name(m, die, mod, 0);
		enumerators(m, die, mod);
		break;
	/* what is only declared has no address */
	case DW_TAG_variable:
		if (dwarf_attr(die, DW_AT_location, &a) != NULL)
			add_name(m, die, mod, 0);
		break;
	case DW_TAG_subprogram:
		if (!declared(die))
			add_name(m, die, mod, 0);
		break;
	default:
		break;
	}
}

static void unit_entries(maker_t *m, Dwarf_Die *unit, uint16_t mod)
{
	bool kernel = VEC_AT(m->m_mods, ixmod_t)[mod - 1].x_kernel;
	Dwarf_Die die;

	if (dwarf_child(unit, &die) != 0)
		return;
	do {
		if (dwarf_tag(&die) == DW_TAG_variable)
			variable(m, &die, mod);
		if (kernel)
			top_entry(m, &die, mod);
	} while (dwarf_siblingof(&die, &die) == 0);
}

static int range_order(const void *a, const void *b)
{
	const range_t *x = a, *y = b;

	return (x->r_lo > y->r_lo) - (x->r_lo < y->r_lo);
}

static void sort_ranges(vec_t *v)
{
	if (v->v_n > 0)
		qsort(v->v_at, v->v_n, v->v_size, range_order);
}

static void read_units(maker_t *m)
{
	Dwarf *dw = dwarf_begin_elf(m->m_elf, DWARF_C_READ, NULL);
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	uint8_t type;

	if (dw == NULL) {
		m->m_why = "this program's debug information cannot be read";
		return;
	}
	while (m->m_why == NULL && dwarf_get_units(dw, cu, &cu, NULL, &type, &unit, NULL) == 0) {
		const char *name = type == DW_UT_compile ? dwarf_diename(&unit) : NULL;
		uint16_t mod = name == NULL ? 0 : module_of(m, name);

		if (mod == 0)
			continue;
		unit_code(m, &unit, mod);
		unit_entries(m, &unit, mod);
	}
	(void)dwarf_end(dw);
	sort_ranges(&m->m_code);
	sort_ranges(&m->m_vars[0]);
	sort_ranges(&m->m_vars[1]);
}

/* Module of the range that holds the address, 0 when none does. */
static uint16_t range_module(const vec_t *v, uint64_t addr)
{
	const range_t *r = VEC_AT(*v, range_t);
	size_t lo = 0, hi = v->v_n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (r[mid].r_lo <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > 0 && addr < r[lo - 1].r_hi ? r[lo - 1].r_mod : 0;
}

/* ---- symbols ---- */

/* Distance rule of the x86-64 ABI: the thread-local block ends at the thread pointer. */
static void read_tls(maker_t *m)
{
	GElf_Phdr ph;
	size_t n, i;

	if (elf_getphdrnum(m->m_elf, &n) != 0)
		return;
	for (i = 0; i < n; i++) {
		if (gelf_getphdr(m->m_elf, (int)i, &ph) == NULL || ph.p_type != PT_TLS)
			continue;
		m->m_tlsbias = (int64_t)ph.p_memsz;
		if (ph.p_align > 1)
			m->m_tlsbias = (int64_t)((ph.p_memsz + ph.p_align - 1) & ~(ph.p_align - 1));
	}
}

static const char *sort_strings; /* qsort() has no argument for them */

/* By address; of several names for one thing the one to keep first: functions, global ones, by name. */
static int sym_order(const void *a, const void *b)
{
	const rawsym_t *x = a, *y = b;

	if (x->s_ks.ks_tls != y->s_ks.ks_tls)
		return x->s_ks.ks_tls - y->s_ks.ks_tls;
	if (x->s_ks.ks_value != y->s_ks.ks_value)
		return x->s_ks.ks_value < y->s_ks.ks_value ? -1 : 1;
	if (x->s_ks.ks_func != y->s_ks.ks_func)
		return y->s_ks.ks_func - x->s_ks.ks_func;
	if (x->s_local != y->s_local)
		return x->s_local - y->s_local;
	return strcmp(sort_strings + x->s_ks.ks_name, sort_strings + y->s_ks.ks_name);
}

static void raw_symbol(maker_t *m, vec_t *raw, const GElf_Sym *sym, const char *name)
{
	int type = GELF_ST_TYPE(sym->st_info);
	rawsym_t *r;

	if (name == NULL || sym->st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_OBJECT && type != STT_TLS) ||
	    (r = vec_add(m, raw, 1)) == NULL)
		return;
	r->s_ks = (ksym_t){.ks_name = intern(m, name),
			   .ks_value = sym->st_value,
			   .ks_size = (uint32_t)sym->st_size,
			   .ks_func = type == STT_FUNC,
			   .ks_tls = type == STT_TLS,
			   .ks_tlsoff = type == STT_TLS ? (int32_t)((int64_t)sym->st_value - m->m_tlsbias) : 0};
	r->s_local = GELF_ST_BIND(sym->st_info) == STB_LOCAL;
}

/* Keep one of the symbols of each address. */
static void keep_symbols(maker_t *m, const vec_t *raw)
{
	const rawsym_t *r = VEC_AT(*raw, rawsym_t);
	ksym_t *last = NULL;
	size_t i;

	for (i = 0; i < raw->v_n; i++, r++) {
		if (last != NULL && !r->s_ks.ks_tls && !last->ks_tls && last->ks_value == r->s_ks.ks_value)
			continue;
		last = vec_add(m, &m->m_syms, 1);
		if (last == NULL)
			return;
		*last = r->s_ks;
		last->ks_mod = range_module(last->ks_func ? &m->m_code : &m->m_vars[last->ks_tls], last->ks_value);
		if (!last->ks_tls)
			m->m_naddr = m->m_syms.v_n;
	}
}

static void read_symbols(maker_t *m)
{
	vec_t raw = {.v_size = sizeof(rawsym_t)};
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	GElf_Shdr sh;
	GElf_Sym sym;
	size_t i;

	while ((scn = elf_nextscn(m->m_elf, scn)) != NULL)
		if (gelf_getshdr(scn, &sh) != NULL && sh.sh_type == SHT_SYMTAB)
			break;
	if (scn == NULL || (data = elf_getdata(scn, NULL)) == NULL) {
		m->m_why = "this program has no symbol table";
		return;
	}
	for (i = 0; i < sh.sh_size / sh.sh_entsize; i++)
		if (gelf_getsym(data, (int)i, &sym) != NULL)
			raw_symbol(m, &raw, &sym, elf_strptr(m->m_elf, sh.sh_link, sym.st_name));
	sort_strings = m->m_strings.v_at;
	if (m->m_why == NULL && raw.v_n > 0) {
		qsort(raw.v_at, raw.v_n, raw.v_size, sym_order);
		keep_symbols(m, &raw);
	}
	free(raw.v_at);
}

static const ksym_t *sort_syms;

static int byname_order(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int c = strcmp(sort_strings + sort_syms[x].ks_name, sort_strings + sort_syms[y].ks_name);

	return c != 0 ? c : (x > y) - (x < y);
}

static void index_symbols(maker_t *m)
{
	uint32_t *byname = vec_add(m, &m->m_byname, m->m_syms.v_n), i;

	if (byname == NULL)
		return;
	for (i = 0; i < m->m_syms.v_n; i++)
		byname[i] = i;
	sort_syms = VEC_AT(m->m_syms, ksym_t);
	sort_strings = m->m_strings.v_at;
	qsort(byname, m->m_byname.v_n, sizeof(*byname), byname_order);
}

/* ---- named entries ---- */

static int name_order(const void *a, const void *b)
{
	const ixname_t *x = a, *y = b;
	int c = x->x_name == y->x_name ? 0 : strcmp(sort_strings + x->x_name, sort_strings + y->x_name);

	return c != 0 ? c : (x->x_off > y->x_off) - (x->x_off < y->x_off);
}

/* Headers repeat their types in every unit; the first of a name is the one that is found. */
static bool repeated(const ixname_t *first, const ixname_t *end, const ixname_t *x)
{
	if (x->x_tag == DW_TAG_variable || x->x_tag == DW_TAG_subprogram)
		return false;
	for (; first < end; first++)
		if (first->x_tag == x->x_tag && first->x_decl == x->x_decl)
			return true;
	return false;
}

static void index_entries(maker_t *m)
{
	ixname_t *x = VEC_AT(m->m_names, ixname_t), *to = x, *first = x, *end = x + m->m_names.v_n;

	if (x == NULL)
		return;
	sort_strings = m->m_strings.v_at;
	qsort(x, m->m_names.v_n, sizeof(*x), name_order);
	for (; x < end; x++) {
		if (first->x_name != x->x_name)
			first = to;
		if (!repeated(first, to, x))
			*to++ = *x;
	}
	m->m_names.v_n = (size_t)(to - VEC_AT(m->m_names, ixname_t));
}

/* ---- points for fbt ---- */

/* n bytes of the program's memory as the file has them; NULL: it has none there. */
static const void *memory_at(const maker_t *m, uint64_t addr, size_t n)
{
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(m->m_elf, scn)) != NULL)
		if (gelf_getshdr(scn, &sh) != NULL && (sh.sh_flags & SHF_ALLOC) != 0 && sh.sh_type != SHT_NOBITS &&
		    addr >= sh.sh_addr && addr - sh.sh_addr <= sh.sh_size && sh.sh_size - (addr - sh.sh_addr) >= n)
			break;
	if (scn == NULL || (data = elf_rawdata(scn, NULL)) == NULL || data->d_buf == NULL)
		return NULL;
	return (const char *)data->d_buf + (addr - sh.sh_addr);
}

static int addr_order(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* One of the compiler's lists of points, sorted; empty when there is none. */
static void read_points(maker_t *m, const char *section, vec_t *points)
{
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	GElf_Shdr sh;
	size_t names;
	void *to;

	if (elf_getshdrstrndx(m->m_elf, &names) != 0)
		return;
	while ((scn = elf_nextscn(m->m_elf, scn)) != NULL) {
		const char *name = gelf_getshdr(scn, &sh) == NULL ? NULL : elf_strptr(m->m_elf, names, sh.sh_name);

		if (name != NULL && strcmp(name, section) == 0)
			break;
	}
	if (scn == NULL || (data = elf_rawdata(scn, NULL)) == NULL || data->d_size < 8 ||
	    (to = vec_add(m, points, data->d_size / 8)) == NULL)
		return;
	memcpy(to, data->d_buf, data->d_size / 8 * 8);
	qsort(to, points->v_n, 8, addr_order);
}

/* Solaris's rules for what cannot be instrumented. */
static bool excluded(const char *name)
{
	if (strncmp(name, "dtrace_", 7) == 0)
		return strncmp(name, "dtrace_safe_", 12) != 0;
	return strcmp(name, "_init") == 0 || strcmp(name, "_fini") == 0 || strncmp(name, "kdi_", 4) == 0 ||
	       strstr(name, "_kdi_") != NULL;
}

/* The symbol that starts at an address where fbt can put a call, or -1. */
static ssize_t function_at(const maker_t *m, uint64_t addr)
{
	static const unsigned char nop5[5] = {0x0f, 0x1f, 0x44, 0x00, 0x00};
	const ksym_t *ks = VEC_AT(m->m_syms, ksym_t);
	size_t lo = 0, hi = m->m_naddr;
	const void *text;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (ks[mid].ks_value < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == m->m_naddr || ks[lo].ks_value != addr || excluded(string_of(m, ks[lo].ks_name)))
		return -1;
	text = memory_at(m, addr, sizeof(nop5));
	return text == NULL || memcmp(text, nop5, sizeof(nop5)) != 0 ? -1 : (ssize_t)lo;
}

/* A function and its probes; the return points from returns[] on, of which n are left.  How many are its. */
static size_t add_function(maker_t *m, size_t sym, const uint64_t *returns, size_t n)
{
	const ksym_t *ks = &VEC_AT(m->m_syms, ksym_t)[sym];
	ixfunc_t *f = vec_add(m, &m->m_funcs, 1);
	uint32_t *to, number = (uint32_t)m->m_funcs.v_n - 1;
	size_t i, own = 0;

	while (own < n && returns[own] < ks->ks_value + ks->ks_size)
		own++;
	if (f == NULL)
		return own;
	*f = (ixfunc_t){(uint32_t)sym, (uint32_t)m->m_returns.v_n, (uint32_t)own};
	to = vec_add(m, &m->m_returns, own);
	for (i = 0; to != NULL && i < own; i++)
		to[i] = (uint32_t)(returns[i] - ks->ks_value);
	to = vec_add(m, &m->m_probes, own > 0 ? 2 : 1);
	if (to != NULL) {
		to[0] = 2 * number;
		if (own > 0)
			to[1] = 2 * number + 1;
	}
	return own;
}

static void read_functions(maker_t *m)
{
	vec_t entries = {.v_size = 8}, returns = {.v_size = 8};
	const uint64_t *e, *r;
	size_t i, at = 0;

	read_points(m, "__mcount_loc", &entries);
	read_points(m, "__return_loc", &returns);
	e = VEC_AT(entries, uint64_t);
	r = VEC_AT(returns, uint64_t);
	for (i = 0; i < entries.v_n && m->m_why == NULL; i++) {
		ssize_t sym = function_at(m, e[i]);

		while (at < returns.v_n && r[at] < e[i])
			at++;
		if (sym >= 0)
			at += add_function(m, (size_t)sym, r + at, returns.v_n - at);
	}
	free(entries.v_at);
	free(returns.v_at);
}

/* ---- the whole ---- */

static void maker_init(maker_t *m, Elf *elf)
{
	*m = (maker_t){.m_elf = elf,
		       .m_code = {.v_size = sizeof(range_t)},
		       .m_vars = {{.v_size = sizeof(range_t)}, {.v_size = sizeof(range_t)}},
		       .m_syms = {.v_size = sizeof(ksym_t)},
		       .m_byname = {.v_size = sizeof(uint32_t)},
		       .m_mods = {.v_size = sizeof(ixmod_t)},
		       .m_funcs = {.v_size = sizeof(ixfunc_t)},
		       .m_returns = {.v_size = sizeof(uint32_t)},
		       .m_probes = {.v_size = sizeof(uint32_t)},
		       .m_names = {.v_size = sizeof(ixname_t)},
		       .m_strings = {.v_size = 1}};
}

static void maker_fini(maker_t *m)
{
	free(m->m_code.v_at);
	free(m->m_vars[0].v_at);
	free(m->m_vars[1].v_at);
	free(m->m_syms.v_at);
	free(m->m_byname.v_at);
	free(m->m_mods.v_at);
	free(m->m_funcs.v_at);
	free(m->m_returns.v_at);
	free(m->m_probes.v_at);
	free(m->m_names.v_at);
	free(m->m_strings.v_at);
	free(m->m_hash);
}

/* Append a table to what is laid out; where it is. */
static ixtab_t lay(maker_t *m, vec_t *out, const vec_t *v)
{
	ixtab_t t = {(uint32_t)out->v_n, (uint32_t)v->v_n};
	size_t bytes = v->v_n * v->v_size;
	char *to = vec_add(m, out, (bytes + 7) & ~(size_t)7);

	if (to != NULL && bytes > 0)
		memcpy(to, v->v_at, bytes);
	return t;
}

static symindex_t *lay_out(maker_t *m, size_t *len)
{
	vec_t out = {.v_size = 1};
	symindex_t ix = {.ix_magic = SYMINDEX_MAGIC, .ix_naddr = (uint32_t)m->m_naddr};
	const void *id;
	ssize_t idlen = dwelf_elf_gnu_build_id(m->m_elf, &id);

	if (idlen > 0 && (size_t)idlen <= sizeof(ix.ix_id)) {
		memcpy(ix.ix_id, id, (size_t)idlen);
		ix.ix_idlen = (uint32_t)idlen;
	}
	(void)vec_add(m, &out, sizeof(ix));
	ix.ix_syms = lay(m, &out, &m->m_syms);
	ix.ix_byname = lay(m, &out, &m->m_byname);
	ix.ix_mods = lay(m, &out, &m->m_mods);
	ix.ix_funcs = lay(m, &out, &m->m_funcs);
	ix.ix_returns = lay(m, &out, &m->m_returns);
	ix.ix_probes = lay(m, &out, &m->m_probes);
	ix.ix_names = lay(m, &out, &m->m_names);
	ix.ix_strings = lay(m, &out, &m->m_strings);
	if (m->m_why != NULL) {
		free(out.v_at);
		return NULL;
	}
	*len = out.v_n;
	ix.ix_len = (uint32_t)out.v_n;
	return memcpy(out.v_at, &ix, sizeof(ix));
}

symindex_t *symindex_make(Elf *elf, size_t *len, const char **why)
{
	static void (*const steps[])(maker_t *) = {read_tls,      read_units,    read_symbols,
						   index_symbols, index_entries, read_functions};
	symindex_t *ix = NULL;
	maker_t m;
	size_t i;

	maker_init(&m, elf);
	for (i = 0; i < sizeof(steps) / sizeof(*steps) && m.m_why == NULL; i++)
		steps[i](&m);
	if (m.m_why == NULL)
		ix = lay_out(&m, len);
	*why = m.m_why;
	maker_fini(&m);
	return ix;
}
