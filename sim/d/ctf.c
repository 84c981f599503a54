/*
 * Types.  See ctf.h.
 *
 * The index of this binary (symindex.h) says where the debug information
 * describes a name, libdw reads it there.  Entries become types one by one as
 * they are used; members of a struct only when a program looks into it.
 */
#include "d/dt_impl.h"
#include "symindex.h"

#include <dwarf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CTF_HASH 512

typedef struct ctf {
	ctype_t *f_named[CTF_HASH]; /* D's own: typedefs, base types, tags */
	ctype_t *f_canon[CTF_HASH]; /* kernel structs, unions, enums by name */
	struct dietype {
		uint64_t off;
		ctype_t *type;
	} * f_dies; /* open addressing by offset; size a power of two */
	size_t f_ndies, f_adies;
	uint64_t f_tlssize; /* of the binary's thread-local block, rounded up; 0: not asked for yet */
} ctf_t;

static uint32_t hash_name(const char *s)
{
	uint32_t h = 2166136261u;

	while (*s != '\0')
		h = (h ^ (uint8_t)*s++) * 16777619u;
	return h;
}

/* ---- constructors ---- */

static ctype_t *ct_new(dt_t *dt, ctype_kind_t kind)
{
	ctype_t *t = dt_alloc(dt, sizeof(*t));

	t->c_kind = kind;
	return t;
}

static void ct_enter(dt_t *dt, ctype_t *t)
{
	ctype_t **head = &dt->d_ctf->f_named[hash_name(t->c_name) % CTF_HASH];

	t->c_next = *head;
	*head = t;
}

static ctype_t *ct_base(dt_t *dt, ctype_kind_t kind, const char *name, uint32_t size, bool sign)
{
	ctype_t *t = ct_new(dt, kind);

	t->c_name = name;
	t->c_size = size;
	t->c_bits = size * 8;
	t->c_signed = sign;
	ct_enter(dt, t);
	return t;
}

ctype_t *ctf_ptr(dt_t *dt, ctype_t *to)
{
	if (to->c_ptrto == NULL) {
		ctype_t *t = ct_new(dt, CT_PTR);

		t->c_size = 8;
		t->c_bits = 64;
		t->c_ref = to;
		to->c_ptrto = t;
	}
	return to->c_ptrto;
}

ctype_t *ctf_array(dt_t *dt, ctype_t *of, uint64_t n)
{
	ctype_t *t = ct_new(dt, CT_ARRAY);

	t->c_ref = of;
	t->c_nelem = n;
	return t;
}

ctype_t *ctf_qual(dt_t *dt, ctype_kind_t q, ctype_t *of)
{
	ctype_t *t = ct_new(dt, q);

	t->c_ref = of;
	return t;
}

ctype_t *ctf_func(dt_t *dt, ctype_t *result, cparam_t *params, bool varargs)
{
	ctype_t *t = ct_new(dt, CT_FUNC);

	t->c_ref = result;
	t->c_params = params;
	t->c_varargs = varargs;
	return t;
}

ctype_t *ctf_tagged(dt_t *dt, ctype_kind_t kind, const char *tag)
{
	ctype_t *t = ct_new(dt, kind);

	t->c_name = tag;
	t->c_incomplete = true;
	if (kind == CT_ENUM) {
		t->c_size = 4;
		t->c_bits = 32;
		t->c_signed = true;
	}
	if (tag != NULL)
		ct_enter(dt, t);
	return t;
}

void ctf_typedef(dt_t *dt, const char *name, ctype_t *of)
{
	ctype_t *t = ct_new(dt, CT_TYPEDEF);

	t->c_name = name;
	t->c_ref = of;
	ct_enter(dt, t);
}

/* Alignment in a struct declared in D: a struct aligns like its first member. */
static uint64_t ct_align(dt_t *dt, ctype_t *t)
{
	t = ctf_resolve(dt, t);
	for (int i = 0; i < DT_MAXDEPTH; i++) {
		if (t->c_kind == CT_ARRAY)
			t = ctf_resolve(dt, t->c_ref);
		else if ((t->c_kind == CT_STRUCT || t->c_kind == CT_UNION) && t->c_members != NULL)
			t = ctf_resolve(dt, t->c_members->m_type);
		else
			break;
	}
	if (t->c_kind == CT_STRING || ctf_size(dt, t) == 0)
		return 1;
	return ctf_size(dt, t);
}

static uint32_t bitfield_storage(uint32_t bits)
{
	uint32_t bytes = 1;

	while (bytes * 8 < bits)
		bytes *= 2;
	return bytes;
}

bool ctf_add_member(dt_t *dt, ctype_t *t, const char *name, ctype_t *type, uint32_t bitlen)
{
	cmember_t *m, **pp = &t->c_members;
	uint64_t size = bitlen != 0 ? bitfield_storage(bitlen) : ctf_size(dt, type);
	uint64_t align = bitlen != 0 ? size : ct_align(dt, type);

	for (; *pp != NULL; pp = &(*pp)->m_next) {
		if (name != NULL && (*pp)->m_name != NULL && strcmp((*pp)->m_name, name) == 0)
			return false;
	}
	m = dt_alloc(dt, sizeof(*m));
	m->m_name = name;
	m->m_type = type;
	m->m_bitlen = bitlen;
	*pp = m;
	if (t->c_kind == CT_UNION) {
		t->c_size = MAX(t->c_size, size);
		return true;
	}
	m->m_off = (t->c_size + align - 1) / align * align;
	t->c_size = m->m_off + size;
	return true;
}

/* ---- reading the debug information ---- */

static ctype_t *die_type(dt_t *dt, Dwarf_Die *die, int depth);

static bool die_flag(Dwarf_Die *die, unsigned int at)
{
	Dwarf_Attribute a;
	bool flag = false;

	return dwarf_attr(die, at, &a) != NULL && dwarf_formflag(&a, &flag) == 0 && flag;
}

static uint64_t die_num(Dwarf_Die *die, unsigned int at, uint64_t otherwise)
{
	Dwarf_Attribute a;
	Dwarf_Word v;

	if (dwarf_attr_integrate(die, at, &a) == NULL || dwarf_formudata(&a, &v) != 0)
		return otherwise;
	return v;
}

static int64_t die_snum(Dwarf_Die *die, unsigned int at)
{
	Dwarf_Attribute a;
	Dwarf_Sword v;

	if (dwarf_attr(die, at, &a) == NULL || dwarf_formsdata(&a, &v) != 0)
		return 0;
	return v;
}

static int tls_size(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];

		if (ph->p_type == PT_TLS)
			*(uint64_t *)arg = (ph->p_memsz + ph->p_align - 1) / ph->p_align * ph->p_align;
	}
	return 1; /* the first object is the program itself */
}

/* Module of an entry of the index. */
static const char *name_mod(const ixname_t *x)
{
	return symindex_string(symindex(), symindex_table(symindex(), ix_mods, ixmod_t)[x->x_mod - 1].x_name);
}

/* The entry of the debug information at an offset. */
static bool die_at(uint64_t off, Dwarf_Die *die)
{
	Dwarf *dw = symindex_dwarf();

	return dw != NULL && dwarf_offdie(dw, off, die) != NULL;
}

/* The entry of that name and tag, a complete one if there is any. */
static const ixname_t *index_find(const char *name, unsigned int tag)
{
	const ixname_t *x, *decl = NULL;
	size_t n;

	for (x = symindex_names(name, &n); n > 0; x++, n--) {
		if (x->x_tag != tag)
			continue;
		if (!x->x_decl)
			return x;
		if (decl == NULL)
			decl = x;
	}
	return decl;
}

static ctype_t **die_slot(dt_t *dt, uint64_t off)
{
	ctf_t *f = dt->d_ctf;
	size_t i;

	if (f->f_ndies * 2 >= f->f_adies) {
		struct dietype *old = f->f_dies;
		size_t n = f->f_adies;

		f->f_adies = n == 0 ? 1024 : n * 2;
		f->f_dies = dt_alloc(dt, f->f_adies * sizeof(*f->f_dies));
		f->f_ndies = 0;
		for (size_t k = 0; k < n; k++) {
			if (old[k].off != 0)
				*die_slot(dt, old[k].off) = old[k].type;
		}
	}
	for (i = off * 0x9e3779b97f4a7c15u >> 32 & (f->f_adies - 1);; i = (i + 1) & (f->f_adies - 1)) {
		if (f->f_dies[i].off == off)
			return &f->f_dies[i].type;
		if (f->f_dies[i].off == 0)
			break;
	}
	f->f_dies[i].off = off;
	f->f_ndies++;
	return &f->f_dies[i].type;
}

/* The type that an entry's DW_AT_type names; none means void. */
static ctype_t *die_ref(dt_t *dt, Dwarf_Die *die, int depth)
{
	Dwarf_Attribute a;
	Dwarf_Die to;

	if (dwarf_attr_integrate(die, DW_AT_type, &a) == NULL || dwarf_formref_die(&a, &to) == NULL)
		return dt->t.v;
	return die_type(dt, &to, depth + 1);
}

static const char *base_name(const char *dw)
{
	static const char *const names[][2] = {
	    {"long int", "long"},           {"long unsigned int", "unsigned long"},
	    {"short int", "short"},         {"short unsigned int", "unsigned short"},
	    {"long long int", "long long"}, {"long long unsigned int", "unsigned long long"},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(dw, names[i][0]) == 0)
			return names[i][1];
	}
	return dw;
}

static ctype_t *named_find(dt_t *dt, const char *name, ctype_kind_t lo, ctype_kind_t hi)
{
	for (ctype_t *t = dt->d_ctf->f_named[hash_name(name) % CTF_HASH]; t != NULL; t = t->c_next) {
		if (t->c_kind >= lo && t->c_kind <= hi && strcmp(t->c_name, name) == 0)
			return t;
	}
	return NULL;
}

static ctype_t *die_base(dt_t *dt, Dwarf_Die *die)
{
	const char *name = base_name(dwarf_diename(die) != NULL ? dwarf_diename(die) : "?");
	uint64_t enc = die_num(die, DW_AT_encoding, DW_ATE_unsigned);
	bool flt = enc == DW_ATE_float || enc == DW_ATE_complex_float;
	ctype_t *t = named_find(dt, name, CT_INT, CT_FLOAT);

	if (t != NULL)
		return t;
	t = ct_base(dt, flt ? CT_FLOAT : CT_INT, name, (uint32_t)die_num(die, DW_AT_byte_size, 0),
		    enc == DW_ATE_signed || enc == DW_ATE_signed_char);
	t->c_char = enc == DW_ATE_signed_char || enc == DW_ATE_unsigned_char;
	return t;
}

static ctype_t *die_array(dt_t *dt, Dwarf_Die *die, int depth)
{
	ctype_t *t = die_ref(dt, die, depth);
	uint64_t dims[16];
	int n = 0;
	Dwarf_Die kid;

	if (dwarf_child(die, &kid) == 0) {
		do {
			Dwarf_Attribute a;

			if (dwarf_tag(&kid) != DW_TAG_subrange_type || n == 16)
				continue;
			if (dwarf_attr(&kid, DW_AT_count, &a) != NULL)
				dims[n++] = die_num(&kid, DW_AT_count, 0);
			else if (dwarf_attr(&kid, DW_AT_upper_bound, &a) != NULL)
				dims[n++] = die_num(&kid, DW_AT_upper_bound, (uint64_t)-1) + 1;
			else
				dims[n++] = 0;
		} while (dwarf_siblingof(&kid, &kid) == 0);
	}
	while (n > 0)
		t = ctf_array(dt, t, dims[--n]);
	return t;
}

static ctype_t *die_func(dt_t *dt, Dwarf_Die *die, int depth)
{
	ctype_t *t = ctf_func(dt, die_ref(dt, die, depth), NULL, false);
	cparam_t **pp = &t->c_params;
	Dwarf_Die kid;

	if (dwarf_child(die, &kid) != 0)
		return t;
	do {
		if (dwarf_tag(&kid) == DW_TAG_unspecified_parameters)
			t->c_varargs = true;
		if (dwarf_tag(&kid) != DW_TAG_formal_parameter)
			continue;
		*pp = dt_alloc(dt, sizeof(**pp));
		(*pp)->p_name = dwarf_diename(&kid);
		(*pp)->p_type = die_ref(dt, &kid, depth);
		pp = &(*pp)->p_next;
	} while (dwarf_siblingof(&kid, &kid) == 0);
	return t;
}

/* A struct, union or enum: one type for all units that have the same one, told by name, size and line. */
static ctype_t *die_tagged(dt_t *dt, Dwarf_Die *die, ctype_kind_t kind)
{
	ctf_t *f = dt->d_ctf;
	const char *name = dwarf_diename(die);
	uint64_t size, line;
	ctype_t *t, **head = NULL;
	Dwarf_Die full;

	if (name != NULL && die_flag(die, DW_AT_declaration)) {
		const ixname_t *x = index_find(name, (unsigned int)dwarf_tag(die));

		if (x != NULL && !x->x_decl && die_at(x->x_off, &full))
			die = &full;
	}
	size = die_num(die, DW_AT_byte_size, 0);
	line = die_num(die, DW_AT_decl_line, 0);
	if (name != NULL) {
		head = &f->f_canon[hash_name(name) % CTF_HASH];
		for (t = *head; t != NULL; t = t->c_next) {
			if (t->c_kind == kind && strcmp(t->c_name, name) == 0 && t->c_size == size && t->c_line == line)
				return t;
		}
	}
	t = ct_new(dt, kind);
	t->c_name = name;
	t->c_size = size;
	t->c_line = line;
	t->c_bits = (uint32_t)size * 8;
	t->c_signed = true;
	t->c_incomplete = die_flag(die, DW_AT_declaration);
	t->c_die = t->c_incomplete ? 0 : dwarf_dieoffset(die);
	if (head != NULL) {
		t->c_next = *head;
		*head = t;
	}
	return t;
}

static ctype_t *die_make(dt_t *dt, Dwarf_Die *die, int depth)
{
	ctype_t *t;

	switch (dwarf_tag(die)) {
	case DW_TAG_base_type:
		return die_base(dt, die);
	case DW_TAG_pointer_type:
		return ctf_ptr(dt, die_ref(dt, die, depth));
	case DW_TAG_array_type:
		return die_array(dt, die, depth);
	case DW_TAG_structure_type:
		return die_tagged(dt, die, CT_STRUCT);
	case DW_TAG_union_type:
		return die_tagged(dt, die, CT_UNION);
	case DW_TAG_enumeration_type:
		return die_tagged(dt, die, CT_ENUM);
	case DW_TAG_typedef:
		t = ct_new(dt, CT_TYPEDEF);
		t->c_name = dwarf_diename(die);
		t->c_ref = die_ref(dt, die, depth);
		return t;
	case DW_TAG_const_type:
		return ctf_qual(dt, CT_CONST, die_ref(dt, die, depth));
	case DW_TAG_volatile_type:
		return ctf_qual(dt, CT_VOLATILE, die_ref(dt, die, depth));
	case DW_TAG_restrict_type:
		return ctf_qual(dt, CT_RESTRICT, die_ref(dt, die, depth));
	case DW_TAG_atomic_type:
		return die_ref(dt, die, depth);
	case DW_TAG_subroutine_type:
	case DW_TAG_subprogram:
		return die_func(dt, die, depth);
	default:
		return dt->t.v;
	}
}

static ctype_t *die_type(dt_t *dt, Dwarf_Die *die, int depth)
{
	uint64_t off = dwarf_dieoffset(die);
	ctype_t **slot = die_slot(dt, off), *t = *slot;

	if (t == NULL) {
		if (depth > DT_MAXDEPTH)
			return dt->t.v;
		t = die_make(dt, die, depth);
		*die_slot(dt, off) = t; /* the table may have moved */
	}
	return t;
}

static void load_bitfield(Dwarf_Die *kid, cmember_t *m, uint64_t typesize)
{
	Dwarf_Attribute a;
	uint64_t bit;

	m->m_bitlen = (uint32_t)die_num(kid, DW_AT_bit_size, 0);
	if (m->m_bitlen == 0 || typesize == 0)
		return;
	if (dwarf_attr(kid, DW_AT_data_bit_offset, &a) != NULL) {
		bit = die_num(kid, DW_AT_data_bit_offset, 0);
		m->m_off = bit / (typesize * 8) * typesize;
		m->m_bitoff = (uint32_t)(bit - m->m_off * 8);
	} else {
		m->m_bitoff = (uint32_t)(typesize * 8 - die_num(kid, DW_AT_bit_offset, 0) - m->m_bitlen);
	}
}

static void load_members(dt_t *dt, ctype_t *t, Dwarf_Die *die)
{
	cmember_t **pp = &t->c_members;
	Dwarf_Die kid;

	if (dwarf_child(die, &kid) != 0)
		return;
	do {
		cmember_t *m;

		if (dwarf_tag(&kid) != DW_TAG_member)
			continue;
		m = dt_alloc(dt, sizeof(*m));
		m->m_name = dwarf_diename(&kid);
		m->m_type = die_ref(dt, &kid, 0);
		m->m_off = die_num(&kid, DW_AT_data_member_location, 0);
		load_bitfield(&kid, m, ctf_size(dt, m->m_type));
		*pp = m;
		pp = &m->m_next;
	} while (dwarf_siblingof(&kid, &kid) == 0);
}

static void load_enumerators(dt_t *dt, ctype_t *t, Dwarf_Die *die)
{
	cenumr_t **pp = &t->c_enums;
	Dwarf_Die kid;

	if (dwarf_child(die, &kid) != 0)
		return;
	do {
		if (dwarf_tag(&kid) != DW_TAG_enumerator)
			continue;
		*pp = dt_alloc(dt, sizeof(**pp));
		(*pp)->e_name = dwarf_diename(&kid);
		(*pp)->e_value = die_snum(&kid, DW_AT_const_value);
		pp = &(*pp)->e_next;
	} while (dwarf_siblingof(&kid, &kid) == 0);
}

/* Members or enumerators of a kernel type, when somebody first looks into it. */
static void load_lazy(dt_t *dt, ctype_t *t)
{
	Dwarf_Die die;

	if (t->c_die == 0 || !die_at(t->c_die, &die))
		return;
	t->c_die = 0;
	if (t->c_kind == CT_ENUM)
		load_enumerators(dt, t, &die);
	else
		load_members(dt, t, &die);
}

/* ---- look-ups ---- */

static ctype_t *name_type(dt_t *dt, const ixname_t *x)
{
	Dwarf_Die die;

	if (x == NULL || !die_at(x->x_off, &die))
		return NULL;
	return die_type(dt, &die, 0);
}

ctype_t *ctf_lookup_typedef(dt_t *dt, const char *name)
{
	const char *tick = strrchr(name, '`');
	ctype_t *t;

	if (tick != NULL)
		name = tick + 1;
	if (strcmp(name, "_Bool") == 0) /* a type by its own name, but no keyword */
		return dt->t.boolean;
	t = named_find(dt, name, CT_TYPEDEF, CT_TYPEDEF);
	if (t == NULL)
		t = name_type(dt, index_find(name, DW_TAG_typedef));
	return t;
}

ctype_t *ctf_lookup_tag(dt_t *dt, ctype_kind_t kind, const char *tag)
{
	static const unsigned int tags[] = {
	    [CT_STRUCT] = DW_TAG_structure_type, [CT_UNION] = DW_TAG_union_type, [CT_ENUM] = DW_TAG_enumeration_type};
	ctype_t *t = named_find(dt, tag, kind, kind);
	const char *tick;

	if (t != NULL)
		return t;
	if ((tick = strrchr(tag, '`')) != NULL)
		tag = tick + 1;
	return name_type(dt, index_find(tag, tags[kind]));
}

ctype_t *ctf_lookup_enumr(dt_t *dt, const char *name, int64_t *value)
{
	const ixname_t *x;
	size_t n;

	for (x = symindex_names(name, &n); n > 0; x++, n--) {
		Dwarf_Die die, kid;

		if (x->x_tag != DW_TAG_enumerator || !die_at(x->x_parent, &die) || !die_at(x->x_off, &kid))
			continue;
		*value = die_snum(&kid, DW_AT_const_value);
		return die_type(dt, &die, 0);
	}
	return NULL;
}

bool ctf_module_exists(const char *mod)
{
	const symindex_t *ix = symindex();
	const ixmod_t *x;

	for (size_t i = 0; ix != NULL && i < ix->ix_mods.t_n; i++) {
		x = &symindex_table(ix, ix_mods, ixmod_t)[i];
		if (x->x_kernel && strcmp(symindex_string(ix, x->x_name), mod) == 0)
			return true;
	}
	return false;
}

/* Where a variable lives: false when the entry is only a declaration. */
static bool var_location(dt_t *dt, Dwarf_Die *die, csym_t *sym)
{
	Dwarf_Attribute a;
	Dwarf_Op *op;
	size_t n;

	if (dwarf_attr(die, DW_AT_location, &a) == NULL || dwarf_getlocation(&a, &op, &n) != 0 || n == 0)
		return false;
	if (op[0].atom == DW_OP_addr) {
		sym->s_addr = op[0].number;
		return true;
	}
	if (n == 2 && (op[1].atom == DW_OP_GNU_push_tls_address || op[1].atom == DW_OP_form_tls_address)) {
		if (dt->d_ctf->f_tlssize == 0)
			dl_iterate_phdr(tls_size, &dt->d_ctf->f_tlssize);
		sym->s_tls = true;
		sym->s_addr = op[0].number - dt->d_ctf->f_tlssize;
		return true;
	}
	return false;
}

static bool name_symbol(dt_t *dt, const ixname_t *x, csym_t *sym)
{
	bool func = x->x_tag == DW_TAG_subprogram;
	Dwarf_Die die;
	Dwarf_Addr pc;

	if (!die_at(x->x_off, &die) || (func ? dwarf_lowpc(&die, &pc) != 0 : !var_location(dt, &die, sym)))
		return false;
	if (func)
		sym->s_addr = pc;
	sym->s_type = func ? die_type(dt, &die, 0) : die_ref(dt, &die, 0);
	sym->s_mod = name_mod(x);
	sym->s_name = symindex_string(symindex(), x->x_name);
	return true;
}

bool ctf_lookup_sym(dt_t *dt, const char *mod, const char *name, csym_t *sym)
{
	const ixname_t *x;
	const ksym_t *ks;
	size_t n;

	memset(sym, 0, sizeof(*sym));
	for (x = symindex_names(name, &n); n > 0; x++, n--) {
		if ((x->x_tag != DW_TAG_variable && x->x_tag != DW_TAG_subprogram) ||
		    (mod != NULL && *mod != '\0' && strcmp(name_mod(x), mod) != 0))
			continue;
		if (name_symbol(dt, x, sym))
			return true;
	}
	/* assembly: an address without a type */
	ks = ksym_byname(mod, name);
	if (ks == NULL || ks->ks_mod == 0)
		return false;
	sym->s_name = ksym_name(ks);
	sym->s_mod = ksym_mod(ks);
	sym->s_addr = ksym_addr(ks);
	sym->s_type = NULL;
	return true;
}

/* ---- properties ---- */

ctype_t *ctf_resolve(dt_t *dt, ctype_t *t)
{
	for (;;) {
		switch (t->c_kind) {
		case CT_TYPEDEF:
		case CT_CONST:
		case CT_VOLATILE:
		case CT_RESTRICT:
			t = t->c_ref;
			break;
		default:
			load_lazy(dt, t);
			return t;
		}
	}
}

uint64_t ctf_size(dt_t *dt, ctype_t *t)
{
	uint64_t n = 1;

	t = ctf_resolve(dt, t);
	while (t->c_kind == CT_ARRAY) {
		n *= t->c_nelem;
		t = ctf_resolve(dt, t->c_ref);
	}
	if (t->c_kind == CT_STRING)
		return n * dt->d_strsize;
	return n * t->c_size;
}

static const cmember_t *member_find(dt_t *dt, ctype_t *t, const char *name, uint64_t *off, int depth)
{
	if (depth > 16)
		return NULL;
	for (const cmember_t *m = t->c_members; m != NULL; m = m->m_next) {
		const cmember_t *in;

		if (m->m_name != NULL) {
			if (strcmp(m->m_name, name) != 0)
				continue;
			*off += m->m_off;
			return m;
		}
		if (!ctf_is_sou(dt, m->m_type))
			continue;
		*off += m->m_off;
		in = member_find(dt, ctf_resolve(dt, m->m_type), name, off, depth + 1);
		if (in != NULL)
			return in;
		*off -= m->m_off;
	}
	return NULL;
}

const cmember_t *ctf_member(dt_t *dt, ctype_t *t, const char *name, uint64_t *off)
{
	*off = 0;
	return member_find(dt, ctf_resolve(dt, t), name, off, 0);
}

bool ctf_enum_value(dt_t *dt, ctype_t *t, const char *name, int64_t *value)
{
	t = ctf_resolve(dt, t);
	for (cenumr_t *e = t->c_enums; e != NULL; e = e->e_next) {
		if (strcmp(e->e_name, name) == 0) {
			*value = e->e_value;
			return true;
		}
	}
	return false;
}

bool ctf_is_int(dt_t *dt, ctype_t *t)
{
	ctype_kind_t k = ctf_resolve(dt, t)->c_kind;

	return k == CT_INT || k == CT_ENUM;
}

bool ctf_is_float(dt_t *dt, ctype_t *t)
{
	return ctf_resolve(dt, t)->c_kind == CT_FLOAT;
}

bool ctf_is_arith(dt_t *dt, ctype_t *t)
{
	return ctf_is_int(dt, t) || ctf_is_float(dt, t);
}

bool ctf_is_ptr(dt_t *dt, ctype_t *t)
{
	ctype_kind_t k = ctf_resolve(dt, t)->c_kind;

	return k == CT_PTR || k == CT_ARRAY;
}

bool ctf_is_scalar(dt_t *dt, ctype_t *t)
{
	return ctf_is_int(dt, t) || ctf_resolve(dt, t)->c_kind == CT_PTR;
}

bool ctf_is_sou(dt_t *dt, ctype_t *t)
{
	ctype_kind_t k = ctf_resolve(dt, t)->c_kind;

	return k == CT_STRUCT || k == CT_UNION;
}

static bool is_char(dt_t *dt, ctype_t *t)
{
	t = ctf_resolve(dt, t);
	return t->c_kind == CT_INT && t->c_char;
}

bool ctf_is_char_array(dt_t *dt, ctype_t *t)
{
	t = ctf_resolve(dt, t);
	return t->c_kind == CT_ARRAY && is_char(dt, t->c_ref);
}

bool ctf_is_strcompat(dt_t *dt, ctype_t *t)
{
	t = ctf_resolve(dt, t);
	if (t->c_kind == CT_STRING)
		return true;
	return (t->c_kind == CT_PTR || t->c_kind == CT_ARRAY) && is_char(dt, t->c_ref);
}

bool ctf_is_signed(dt_t *dt, ctype_t *t)
{
	t = ctf_resolve(dt, t);
	return (t->c_kind == CT_INT || t->c_kind == CT_ENUM) && t->c_signed;
}

bool ctf_is_byref(dt_t *dt, ctype_t *t)
{
	switch (ctf_resolve(dt, t)->c_kind) {
	case CT_STRUCT:
	case CT_UNION:
	case CT_ARRAY:
	case CT_STRING:
	case CT_FLOAT:
	case CT_FUNC:
		return true;
	default:
		return false;
	}
}

uint32_t ctf_bits(dt_t *dt, ctype_t *t)
{
	t = ctf_resolve(dt, t);
	return t->c_kind == CT_INT ? t->c_bits : (uint32_t)t->c_size * 8;
}

static bool same_params(dt_t *dt, cparam_t *a, cparam_t *b)
{
	while (a != NULL && b != NULL) {
		if (!ctf_same(dt, a->p_type, b->p_type))
			return false;
		a = a->p_next;
		b = b->p_next;
	}
	return a == b;
}

bool ctf_same(dt_t *dt, ctype_t *a, ctype_t *b)
{
	for (;;) {
		a = ctf_resolve(dt, a);
		b = ctf_resolve(dt, b);
		if (a == b)
			return true;
		if (a->c_kind != b->c_kind)
			return false;
		if (a->c_kind == CT_INT)
			return a->c_bits == b->c_bits && a->c_signed == b->c_signed && a->c_char == b->c_char;
		if (a->c_kind == CT_FUNC &&
		    (!same_params(dt, a->c_params, b->c_params) || a->c_varargs != b->c_varargs))
			return false;
		if (a->c_kind == CT_ARRAY && a->c_nelem != b->c_nelem)
			return false;
		if (a->c_kind != CT_PTR && a->c_kind != CT_ARRAY && a->c_kind != CT_FUNC)
			return false;
		a = a->c_ref;
		b = b->c_ref;
	}
}

/* ---- spelling ---- */

/* A declaration is spelled from the inside out: `in' is what stands around the missing name. */
static const char *spell(dt_t *dt, ctype_t *t, const char *in, int depth);

static const char *spell_params(dt_t *dt, ctype_t *t, int depth)
{
	const char *s = "";

	for (cparam_t *p = t->c_params; p != NULL; p = p->p_next)
		s = dt_sprintf(dt, "%s%s%s", s, *s != '\0' ? ", " : "", spell(dt, p->p_type, "", depth + 1));
	if (t->c_varargs)
		s = dt_sprintf(dt, "%s%s...", s, *s != '\0' ? ", " : "");
	return *s != '\0' ? s : "void";
}

static const char *spell_base(dt_t *dt, const char *prefix, const char *name, const char *in)
{
	return dt_sprintf(dt, "%s%s%s%s", prefix, name, *in != '\0' ? " " : "", in);
}

/* Without a tag the word alone is the name. */
static const char *spell_tagged(dt_t *dt, const char *word, const ctype_t *t, const char *in)
{
	return t->c_name != NULL ? spell_base(dt, dt_sprintf(dt, "%s ", word), t->c_name, in)
				 : spell_base(dt, "", word, in);
}

static const char *spell(dt_t *dt, ctype_t *t, const char *in, int depth)
{
	bool inner = *in == '*';

	if (depth > 64)
		return spell_base(dt, "", "...", in);
	switch (t->c_kind) {
	case CT_PTR:
		return spell(dt, t->c_ref, dt_sprintf(dt, "*%s", in), depth + 1);
	case CT_ARRAY:
		in = dt_sprintf(dt, inner ? "(%s)[%llu]" : "%s[%llu]", in, (unsigned long long)t->c_nelem);
		return spell(dt, t->c_ref, in, depth + 1);
	case CT_FUNC:
		in = dt_sprintf(dt, inner ? "(%s)(%s)" : "%s(%s)", in, spell_params(dt, t, depth));
		return spell(dt, t->c_ref, in, depth + 1);
	case CT_CONST:
	case CT_VOLATILE:
	case CT_RESTRICT: {
		const char *q = t->c_kind == CT_CONST ? "const" : t->c_kind == CT_VOLATILE ? "volatile" : "restrict";

		if (ctf_resolve(dt, t)->c_kind == CT_PTR && t->c_ref->c_kind == CT_PTR)
			return spell(dt, t->c_ref, spell_base(dt, "", q, in), depth + 1);
		return dt_sprintf(dt, "%s %s", q, spell(dt, t->c_ref, in, depth + 1));
	}
	case CT_STRUCT:
		return spell_tagged(dt, "struct", t, in);
	case CT_UNION:
		return spell_tagged(dt, "union", t, in);
	case CT_ENUM:
		return spell_tagged(dt, "enum", t, in);
	default:
		return spell_base(dt, "", t->c_name != NULL ? t->c_name : "(anon)", in);
	}
}

const char *ctf_name(dt_t *dt, ctype_t *t)
{
	if (t->c_text == NULL)
		t->c_text = spell(dt, t, "", 0);
	return t->c_text;
}

/* ---- C text to type ---- */

static const char *skip_blank(const char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

static const char *word(dt_t *dt, const char **pp)
{
	const char *p = skip_blank(*pp), *start = p;

	while ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') || *p == '_' ||
	       *p == '`')
		p++;
	*pp = p;
	return p == start ? NULL : dt_strndup(dt, start, (size_t)(p - start));
}

/* `unsigned long' and the like: words while they go on making a base type. */
static ctype_t *lookup_base(dt_t *dt, const char *first, const char **pp)
{
	const char *name = first, *p = *pp, *w;
	ctype_t *t = named_find(dt, name, CT_VOID, CT_FLOAT), *longer;

	while ((w = word(dt, &p)) != NULL) {
		name = dt_sprintf(dt, "%s %s", name, w);
		longer = named_find(dt, name, CT_VOID, CT_FLOAT);
		if (longer == NULL)
			break;
		t = longer;
		*pp = p;
	}
	if (t == NULL)
		t = named_find(dt, first, CT_STRING, CT_DYN);
	return t;
}

static ctype_t *lookup_word(dt_t *dt, const char **pp)
{
	const char *w = word(dt, pp);

	if (w == NULL)
		return NULL;
	if (strcmp(w, "struct") == 0 || strcmp(w, "union") == 0 || strcmp(w, "enum") == 0) {
		const char *tag = word(dt, pp);
		ctype_kind_t k = *w == 's' ? CT_STRUCT : *w == 'u' ? CT_UNION : CT_ENUM;

		return tag == NULL ? NULL : ctf_lookup_tag(dt, k, tag);
	}
	if (strcmp(w, "const") == 0) {
		ctype_t *t = lookup_word(dt, pp);

		return t == NULL ? NULL : ctf_qual(dt, CT_CONST, t);
	}
	if (strcmp(w, "unsigned") == 0 && *skip_blank(*pp) != 'c' && *skip_blank(*pp) != 's' &&
	    *skip_blank(*pp) != 'l' && *skip_blank(*pp) != 'i')
		return dt->t.ui;
	ctype_t *t = lookup_base(dt, w, pp);
	return t != NULL ? t : ctf_lookup_typedef(dt, w);
}

ctype_t *ctf_lookup(dt_t *dt, const char *text)
{
	const char *p = text;
	ctype_t *t = lookup_word(dt, &p);
	unsigned long long n;
	int used;

	if (t == NULL)
		return NULL;
	for (;;) {
		p = skip_blank(p);
		if (*p == '*') {
			t = ctf_ptr(dt, t);
			p++;
		} else if (sscanf(p, "[%llu]%n", &n, &used) == 1) {
			t = ctf_array(dt, t, n);
			p += used;
		} else {
			return *p == '\0' ? t : NULL;
		}
	}
}

/* ---- start and end ---- */

static void init_ints(dt_t *dt)
{
	ctf_base_t *b = &dt->t;

	b->v = ct_base(dt, CT_VOID, "void", 0, false);
	b->c = ct_base(dt, CT_INT, "char", 1, true);
	b->s = ct_base(dt, CT_INT, "short", 2, true);
	b->i = ct_base(dt, CT_INT, "int", 4, true);
	b->l = ct_base(dt, CT_INT, "long", 8, true);
	b->ll = ct_base(dt, CT_INT, "long long", 8, true);
	b->uc = ct_base(dt, CT_INT, "unsigned char", 1, false);
	b->us = ct_base(dt, CT_INT, "unsigned short", 2, false);
	b->ui = ct_base(dt, CT_INT, "unsigned int", 4, false);
	b->ul = ct_base(dt, CT_INT, "unsigned long", 8, false);
	b->ull = ct_base(dt, CT_INT, "unsigned long long", 8, false);
	b->boolean = ct_base(dt, CT_INT, "_Bool", 1, false);
	b->c->c_char = b->uc->c_char = true;
	ct_base(dt, CT_INT, "signed char", 1, true)->c_char = true;
	b->flt = ct_base(dt, CT_FLOAT, "float", 4, true);
	b->dbl = ct_base(dt, CT_FLOAT, "double", 8, true);
	b->ldbl = ct_base(dt, CT_FLOAT, "long double", 16, true);
}

static void init_own(dt_t *dt)
{
	ctf_base_t *b = &dt->t;

	b->string = ct_base(dt, CT_STRING, "string", 0, false);
	b->stack = ct_base(dt, CT_STACK, "stack", 0, false);
	b->symaddr = ct_base(dt, CT_SYMADDR, "_symaddr", 8, false);
	b->usymaddr = ct_base(dt, CT_USYMADDR, "_usymaddr", 16, false);
	b->dyn = ct_base(dt, CT_DYN, "<DYN>", 0, false);
	b->charptr = ctf_ptr(dt, b->c);
	b->voidptr = ctf_ptr(dt, b->v);
	b->func = ctf_func(dt, b->v, NULL, false);
}

static void init_typedefs(dt_t *dt)
{
	ctf_base_t *b = &dt->t;
	const struct {
		const char *name;
		ctype_t *of, **save;
	} defs[] = {
	    {"int8_t", b->c, &b->int8},
	    {"int16_t", b->s, &b->int16},
	    {"int32_t", b->i, &b->int32},
	    {"int64_t", b->l, &b->int64},
	    {"uint8_t", b->uc, &b->uint8},
	    {"uint16_t", b->us, &b->uint16},
	    {"uint32_t", b->ui, &b->uint32},
	    {"uint64_t", b->ul, &b->uint64},
	    {"uintptr_t", b->ul, &b->uintptr},
	    {"size_t", b->ul, &b->size},
	    {"intptr_t", b->l, NULL},
	    {"ssize_t", b->l, NULL},
	    {"ptrdiff_t", b->l, NULL},
	    {"uchar_t", b->uc, NULL},
	    {"ushort_t", b->us, NULL},
	    {"uint_t", b->ui, NULL},
	    {"ulong_t", b->ul, NULL},
	    {"longlong_t", b->ll, NULL},
	    {"u_longlong_t", b->ull, NULL},
	    {"id_t", b->i, NULL},
	    {"pid_t", b->i, NULL},
	    {"uid_t", b->i, NULL},
	    {"gid_t", b->i, NULL},
	    {"hrtime_t", b->ll, NULL},
	    {"dev_t", b->ul, NULL},
	    {"major_t", b->ui, NULL},
	    {"minor_t", b->ui, NULL},
	    {"processorid_t", b->i, NULL},
	    {"zoneid_t", b->i, NULL},
	    {"taskid_t", b->i, NULL},
	    {"projid_t", b->i, NULL},
	    {"poolid_t", b->i, NULL},
	    {"psetid_t", b->i, NULL},
	    {"chipid_t", b->i, NULL},
	    {"lgrp_id_t", b->l, NULL},
	    {"ipaddr_t", b->ui, NULL},
	};

	for (size_t i = 0; i < sizeof(defs) / sizeof(defs[0]); i++) {
		ctf_typedef(dt, defs[i].name, defs[i].of);
		if (defs[i].save != NULL)
			*defs[i].save = ctf_lookup_typedef(dt, defs[i].name);
	}
}

void ctf_init(dt_t *dt)
{
	dt->d_ctf = dt_alloc(dt, sizeof(*dt->d_ctf));
	init_ints(dt);
	init_own(dt);
	init_typedefs(dt);
}
