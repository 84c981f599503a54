/* The index in this binary says what its debug information says. */
#include <criterion/criterion.h>
#include <dwarf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symindex.h"

TestSuite(symindex);

static int fd = -1;
static Elf *elf;

static void open_self(void)
{
	(void)elf_version(EV_CURRENT);
	fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	cr_assert_not_null(elf);
}

static void close_self(void)
{
	elf_end(elf);
	close(fd);
}

static void start(void)
{
	char err[256];

	cr_assert_eq(dtrace_init(err, sizeof(err)), 0, "%s", err);
}

/* ---- the section ---- */

Test(symindex, the_section_is_what_is_made_anew, .init = open_self, .fini = close_self)
{
	const symindex_t *found = symindex_find(elf);
	const char *why;
	size_t len = 0;
	symindex_t *made = symindex_make(elf, &len, &why);

	cr_assert_not_null(found, "the build put no index into this binary");
	cr_assert_not_null(made, "%s", why);
	cr_assert_eq(found->ix_len, len);
	cr_assert_eq(memcmp(found, made, len), 0);
	cr_assert_gt(made->ix_syms.t_n, 1000);
	cr_assert_gt(made->ix_funcs.t_n, 300);
	cr_assert_gt(made->ix_names.t_n, 1000);
	free(made);
}

Test(symindex, the_index_in_use_is_the_section, .init = start, .fini = dtrace_fini)
{
	open_self();
	cr_assert_not_null(symindex());
	cr_assert_eq(memcmp(symindex(), symindex_find(elf), symindex()->ix_len), 0);
	close_self();
}

/* This binary's file in memory, the byte at `at' of its index changed by `by'; is that index still taken? */
static bool taken_when(size_t at, uint8_t by)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *image = malloc((size_t)size), *ix;
	bool taken;
	Elf *mem;

	cr_assert_eq(pread(fd, image, (size_t)size, 0), size);
	mem = elf_memory(image, (size_t)size);
	cr_assert_not_null(mem);
	ix = (char *)(uintptr_t)symindex_find(mem);
	cr_assert_not_null(ix);
	elf_end(mem);
	ix[at] = (char)(ix[at] + by);
	mem = elf_memory(image, (size_t)size);
	taken = symindex_find(mem) != NULL;
	elf_end(mem);
	free(image);
	return taken;
}

Test(symindex, one_of_another_binary_is_not_taken, .init = open_self, .fini = close_self)
{
	cr_assert(taken_when(offsetof(symindex_t, ix_id), 0));
	cr_assert_not(taken_when(offsetof(symindex_t, ix_id), 1), "another build id");
	cr_assert_not(taken_when(offsetof(symindex_t, ix_magic) + 6, 1), "another version");
	cr_assert_not(taken_when(offsetof(symindex_t, ix_len), 8), "another length");
	cr_assert_not(taken_when(offsetof(symindex_t, ix_names.t_n) + 3, 1), "a table that ends behind the section");
	cr_assert_not(taken_when(offsetof(symindex_t, ix_syms.t_off) + 3, 1), "one that begins there");
}

/* ---- against libdw ---- */

/* The folder under kernelmodel/ that a unit's source is in, "" for none. */
static void folder(const char *file, char name[64])
{
	const char *p = strstr(file, "kernelmodel/");
	size_t n = p == NULL ? 0 : strcspn(p + 12, "/");

	*name = '\0';
	if (n > 0 && n < 64 && p[12 + n] == '/')
		((char *)memcpy(name, p + 12, n))[n] = '\0';
}

/* Is the entry at `off' the one, or for types a later description of the one, that the index has for the name? */
static bool in_index(const char *name, Dwarf_Die *die, const char *mod)
{
	const symindex_t *ix = symindex();
	unsigned tag = (unsigned)dwarf_tag(die);
	bool object = tag == DW_TAG_variable || tag == DW_TAG_subprogram;
	size_t n;
	const ixname_t *x = symindex_names(name, &n);

	for (; n > 0; x++, n--) {
		const char *m = symindex_string(ix, symindex_table(ix, ix_mods, ixmod_t)[x->x_mod - 1].x_name);

		if (x->x_tag == tag && strcmp(symindex_string(ix, x->x_name), name) == 0 &&
		    (object ? x->x_off == dwarf_dieoffset(die) && strcmp(m, mod) == 0
			    : x->x_off <= dwarf_dieoffset(die)))
			return true;
	}
	return false;
}

/* What of a unit's top level must be found; how many. */
static int check_unit(Dwarf_Die *unit, const char *mod)
{
	Dwarf_Die die;
	int n = 0;

	if (dwarf_child(unit, &die) != 0)
		return 0;
	do {
		const char *name = dwarf_diename(&die);
		const ksym_t *ks;
		Dwarf_Addr pc;

		switch (name == NULL ? 0 : dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			if (dwarf_lowpc(&die, &pc) != 0)
				break;
			ks = ksym_byaddr(pc);
			cr_assert_not_null(ks, "%s", name);
			cr_assert_eq(ks->ks_value, pc);
			cr_assert_str_eq(ksym_mod(ks), mod, "%s", name);
			/* fall through */
		case DW_TAG_structure_type:
		case DW_TAG_union_type:
		case DW_TAG_enumeration_type:
		case DW_TAG_typedef:
		case DW_TAG_base_type:
			cr_assert(in_index(name, &die, mod), "%s", name);
			n++;
			break;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
	return n;
}

Test(symindex, every_function_and_type_of_libdw_s_is_in_it, .init = start, .fini = dtrace_fini)
{
	Dwarf *dw = symindex_dwarf();
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	uint8_t type;
	int n = 0;

	cr_assert_not_null(dw);
	while (dwarf_get_units(dw, cu, &cu, NULL, &type, &unit, NULL) == 0) {
		char mod[64];

		folder(dwarf_diename(&unit), mod);
		if (*mod != '\0' && strcmp(mod, "dtrace") != 0 && strcmp(mod, "tests") != 0)
			n += check_unit(&unit, mod);
	}
	cr_assert_gt(n, 3000);
}

Test(symindex, every_name_in_it_is_one_of_libdw_s, .init = start, .fini = dtrace_fini)
{
	const symindex_t *ix = symindex();
	const ixname_t *x = symindex_table(ix, ix_names, ixname_t);
	Dwarf_Die die, parent;

	for (size_t i = 0; i < ix->ix_names.t_n; i++, x++) {
		const char *name = symindex_string(ix, x->x_name);

		cr_assert_not_null(dwarf_offdie(symindex_dwarf(), x->x_off, &die));
		cr_assert_eq(dwarf_tag(&die), x->x_tag);
		cr_assert_str_eq(dwarf_diename(&die), name);
		if (i > 0)
			cr_assert_leq(strcmp(symindex_string(ix, x[-1].x_name), name), 0);
		if (x->x_tag != DW_TAG_enumerator)
			continue;
		cr_assert_not_null(dwarf_offdie(symindex_dwarf(), x->x_parent, &parent));
		cr_assert_eq(dwarf_tag(&parent), DW_TAG_enumeration_type);
	}
}

Test(symindex, names_that_there_are_not, .init = start, .fini = dtrace_fini)
{
	size_t n = 1;

	(void)symindex_names("no_such_name_at_all", &n);
	cr_assert_eq(n, 0);
	(void)symindex_names("", &n);
	cr_assert_eq(n, 0);
	(void)symindex_names("zzzzzzzzzzzz", &n);
	cr_assert_eq(n, 0);
}

/* ---- probes ---- */

Test(symindex, return_points_lie_in_their_functions, .init = start, .fini = dtrace_fini)
{
	const symindex_t *ix = symindex();
	const ixfunc_t *f = symindex_table(ix, ix_funcs, ixfunc_t);
	const ksym_t *syms = symindex_table(ix, ix_syms, ksym_t);
	uint64_t last = 0;

	for (size_t i = 0; i < ix->ix_funcs.t_n; i++, f++) {
		const ksym_t *ks = &syms[f->x_sym];

		cr_assert_gt(ks->ks_value, last);
		last = ks->ks_value;
		cr_assert_eq(memcmp((void *)ks->ks_value, "\x0f\x1f\x44\0\0", 5), 0);
		for (uint32_t r = 0; r < f->x_nreturns; r++) {
			uint32_t off = symindex_table(ix, ix_returns, uint32_t)[f->x_return + r];

			cr_assert_lt(off + 5, ks->ks_size);
			cr_assert_eq(memcmp((void *)(ks->ks_value + off), "\x0f\x1f\x44\0\0\xc3", 6), 0);
		}
	}
}
