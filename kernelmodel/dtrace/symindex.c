/* The index of this binary, in use.  See symindex.h. */
#include "symindex.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The section as it leaves the compiler, to be filled after linking; at run time nothing of it is loaded. */
__asm__(".pushsection " SYMINDEX_SECTION ",\"\",@progbits\n\t.balign 8\n\t.quad 0\n\t.popsection");

static int fd = -1;
static Elf *elf;
static Dwarf *dwarf;
static const symindex_t *present;
static symindex_t *made; /* when it was not found in the file */

/* ---- the section ---- */

static bool within(const symindex_t *ix, ixtab_t t, size_t size)
{
	return t.t_off <= ix->ix_len && t.t_n <= (ix->ix_len - t.t_off) / size;
}

/* Made for this very binary, by this version of mkindex.c, and whole. */
static bool valid(const symindex_t *ix, size_t len, Elf *of)
{
	const void *id;
	ssize_t idlen = dwelf_elf_gnu_build_id(of, &id);

	return len >= sizeof(*ix) && memcmp(ix->ix_magic, SYMINDEX_MAGIC, sizeof(ix->ix_magic)) == 0 &&
	       ix->ix_len == len && idlen > 0 && (size_t)idlen == ix->ix_idlen && ix->ix_idlen <= sizeof(ix->ix_id) &&
	       memcmp(ix->ix_id, id, (size_t)idlen) == 0 && within(ix, ix->ix_syms, sizeof(ksym_t)) &&
	       within(ix, ix->ix_byname, sizeof(uint32_t)) && within(ix, ix->ix_mods, sizeof(ixmod_t)) &&
	       within(ix, ix->ix_funcs, sizeof(ixfunc_t)) && within(ix, ix->ix_returns, sizeof(uint32_t)) &&
	       within(ix, ix->ix_probes, sizeof(uint32_t)) && within(ix, ix->ix_names, sizeof(ixname_t)) &&
	       within(ix, ix->ix_strings, 1);
}

/* A section's contents; false: there is none of that name. */
static bool section(Elf *of, const char *want, Elf_Data **data)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(of, &names) != 0)
		return false;
	while ((scn = elf_nextscn(of, scn)) != NULL) {
		const char *name;
		GElf_Shdr sh;

		if (gelf_getshdr(scn, &sh) == NULL || (name = elf_strptr(of, names, sh.sh_name)) == NULL ||
		    strcmp(name, want) != 0)
			continue;
		*data = elf_rawdata(scn, NULL);
		return *data != NULL && (*data)->d_buf != NULL;
	}
	return false;
}

const symindex_t *symindex_find(Elf *of)
{
	Elf_Data *data;

	if (!section(of, SYMINDEX_SECTION, &data) || (uintptr_t)data->d_buf % _Alignof(symindex_t) != 0 ||
	    !valid(data->d_buf, data->d_size, of))
		return NULL;
	return data->d_buf;
}

/* ---- of this binary ---- */

int symindex_open(const char **why)
{
	Elf_Data *info;
	size_t len;

	(void)elf_version(EV_CURRENT);
	*why = NULL;
	fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (fd == -1 || (elf = elf_begin(fd, ELF_C_READ_MMAP, NULL)) == NULL)
		*why = "cannot read this program's own file";
	else if (!section(elf, ".debug_info", &info))
		*why = "this program has no debug information (was it stripped?)";
	else if ((present = symindex_find(elf)) == NULL)
		present = made = symindex_make(elf, &len, why);
	if (present != NULL)
		return 0;
	symindex_close();
	return -1;
}

void symindex_close(void)
{
	if (dwarf != NULL)
		(void)dwarf_end(dwarf);
	if (elf != NULL)
		(void)elf_end(elf);
	if (fd != -1)
		(void)close(fd);
	free(made);
	fd = -1;
	elf = NULL;
	dwarf = NULL;
	present = made = NULL;
}

const symindex_t *symindex(void)
{
	return present;
}

Dwarf *symindex_dwarf(void)
{
	if (dwarf == NULL && elf != NULL)
		dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	return dwarf;
}

const ixname_t *symindex_names(const char *name, size_t *n)
{
	const ixname_t *tab;
	size_t lo = 0, hi;

	*n = 0;
	if (present == NULL)
		return NULL;
	tab = symindex_table(present, ix_names, ixname_t);
	hi = present->ix_names.t_n;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (strcmp(symindex_string(present, tab[mid].x_name), name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	/* one name is one string */
	while (lo + *n < present->ix_names.t_n &&
	       (*n > 0 ? tab[lo + *n].x_name == tab[lo].x_name
		       : strcmp(symindex_string(present, tab[lo].x_name), name) == 0))
		(*n)++;
	return &tab[lo];
}
