/* The quick pass over the debug information finds what libdw finds. */
#include <criterion/criterion.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "dwscan.h"

/* All entries of kernel units in one order, from either reader, as a sum that tells them apart and a count. */
typedef struct tally {
	uint64_t t_n, t_kids, t_hash;
} tally_t;

static void tally(tally_t *t, uint64_t off, unsigned tag, bool decl, const char *name, bool kid)
{
	uint64_t h = off * 31 + tag * 2 + decl;

	for (const char *p = name == NULL ? "" : name; *p != '\0'; p++)
		h = h * 131 + (uint8_t)*p;
	t->t_hash = t->t_hash * 1000003 + h;
	t->t_n++;
	t->t_kids += kid;
}

static bool all_units(void *arg, const char *name, uint64_t off)
{
	(void)arg;
	cr_assert_not_null(name);
	(void)off;
	return true;
}

static bool see(void *arg, const dwtop_t *top, uint64_t parent)
{
	tally(arg, top->t_off, top->t_tag, top->t_decl, top->t_name, parent != 0);
	return top->t_tag == DW_TAG_enumeration_type;
}

static bool declared(Dwarf_Die *die)
{
	Dwarf_Attribute a;
	bool flag = false;

	return dwarf_attr(die, DW_AT_declaration, &a) != NULL && dwarf_formflag(&a, &flag) == 0 && flag;
}

static void walk(Dwarf_Die *first, tally_t *t, bool kid)
{
	Dwarf_Die die = *first, in;

	do {
		tally(t, dwarf_dieoffset(&die), (unsigned)dwarf_tag(&die), declared(&die), dwarf_diename(&die), kid);
		if (!kid && dwarf_tag(&die) == DW_TAG_enumeration_type && dwarf_child(&die, &in) == 0)
			walk(&in, t, true);
	} while (dwarf_siblingof(&die, &die) == 0);
}

static Elf *own_file(int *fd)
{
	(void)elf_version(EV_CURRENT);
	*fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	cr_assert_geq(*fd, 0);
	return elf_begin(*fd, ELF_C_READ_MMAP, NULL);
}

Test(dwscan, same_entries_as_libdw)
{
	tally_t quick = {0}, slow = {0};
	const dwscan_t scan = {all_units, see, &quick};
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit, die;
	uint8_t type;
	int fd;
	Elf *elf = own_file(&fd);
	Dwarf *dw = dwarf_begin_elf(elf, DWARF_C_READ, NULL);

	cr_assert(dwscan(elf, &scan));
	while (dwarf_get_units(dw, cu, &cu, NULL, &type, &unit, NULL) == 0)
		if (type == DW_UT_compile && dwarf_child(&unit, &die) == 0)
			walk(&die, &slow, false);
	cr_assert_gt(slow.t_n, 1000);
	cr_assert_gt(slow.t_kids, 10);
	cr_assert_eq(quick.t_n, slow.t_n);
	cr_assert_eq(quick.t_kids, slow.t_kids);
	cr_assert_eq(quick.t_hash, slow.t_hash);
	dwarf_end(dw);
	elf_end(elf);
	close(fd);
}

typedef struct where {
	uint64_t pc, unit;
	int n;
} where_t;

static bool holds(void *arg, uint64_t unit, uint64_t lo, uint64_t hi)
{
	where_t *w = arg;

	if (w->pc >= lo && w->pc < hi) {
		w->unit = unit;
		w->n++;
	}
	return true;
}

static bool unit_of(void *arg, const char *name, uint64_t off)
{
	where_t *w = arg;

	if (off == w->unit)
		w->n += strstr(name, "test_dwscan.c") != NULL;
	return false;
}

Test(dwscan, code_belongs_to_its_unit)
{
	int fd;
	Elf *elf = own_file(&fd);
	where_t w = {.pc = (uint64_t)(uintptr_t)unit_of};
	const dwscan_t scan = {unit_of, NULL, &w};

	cr_assert(dwscan_code(elf, holds, &w));
	cr_assert_eq(w.n, 1);
	cr_assert(dwscan(elf, &scan));
	cr_assert_eq(w.n, 2);
	elf_end(elf);
	close(fd);
}
