/*
 * Symbols of this binary: names and extents from its ELF symbol table; the
 * module of each is the folder under kernelmodel/ of the source that the debug
 * information names for it.
 *
 * At start only the compile units' names and code ranges are read (dwscan.h).
 * Which unit a variable belongs to takes a walk through the units, made when a
 * variable is first asked for.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dtrace_impl.h"
#include "dwscan.h"

/* Code of a module. */
typedef struct range {
	uintptr_t lo, hi;
	const char *mod;
} range_t;

typedef struct ranges {
	range_t *r_at;
	size_t r_n, r_max;
} ranges_t;

static int fd = -1;
static Elf *elf;
static Dwarf *dwarf;
static ksym_t *syms; /* functions and objects by address, then thread-local ones by offset */
static size_t nsyms, naddr;
static uint32_t *byname; /* indices in order of name */
static ranges_t code;
static char **mods;
static size_t nmods;
static int64_t tls_bias; /* from a symbol's value to its distance from the thread pointer */
static bool have_vars;

static const char *intern(const char *name, size_t len)
{
	char **more, *copy;
	size_t i;

	for (i = 0; i < nmods; i++)
		if (strlen(mods[i]) == len && memcmp(mods[i], name, len) == 0)
			return mods[i];
	more = realloc(mods, (nmods + 1) * sizeof(*mods));
	if (more == NULL)
		return NULL;
	mods = more;
	copy = strndup(name, len);
	if (copy != NULL)
		mods[nmods++] = copy;
	return copy;
}

/* Module of a source file, NULL when it is not the kernel's. */
static const char *module_of(const char *file)
{
	static const char top[] = "kernelmodel/";
	const char *p = file, *end, *last = NULL;

	while ((p = strstr(p, top)) != NULL) {
		if (p == file || p[-1] == '/')
			last = p;
		p++;
	}
	if (last == NULL)
		return NULL;
	last += sizeof(top) - 1;
	end = strchr(last, '/');
	return end == NULL ? NULL : intern(last, (size_t)(end - last));
}

/* ---- compile units ---- */

static int range_add(ranges_t *r, uintptr_t lo, uintptr_t hi, const char *mod)
{
	if (r->r_n == r->r_max) {
		size_t max = r->r_max == 0 ? 256 : r->r_max * 2;
		range_t *more = realloc(r->r_at, max * sizeof(*more));

		if (more == NULL)
			return -1;
		r->r_at = more;
		r->r_max = max;
	}
	r->r_at[r->r_n++] = (range_t){lo, hi, mod};
	return 0;
}

/* The last range that starts at or before addr. */
static const range_t *range_before(const ranges_t *r, uintptr_t addr)
{
	size_t lo = 0, hi = r->r_n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (r->r_at[mid].lo <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > 0 ? &r->r_at[lo - 1] : NULL;
}

static int range_order(const void *a, const void *b)
{
	const range_t *x = a, *y = b;

	return (x->lo > y->lo) - (x->lo < y->lo);
}

/* The kernel's units by their offsets in the debug information, and the code that is found to be theirs. */
typedef struct units {
	ranges_t u_units;
	bool u_nomem;
} units_t;

static bool see_unit(void *arg, const char *name, uint64_t off)
{
	units_t *u = arg;
	const char *mod = module_of(name);

	if (mod != NULL && range_add(&u->u_units, off, off, mod) != 0)
		u->u_nomem = true;
	return false;
}

static bool see_code(void *arg, uint64_t unit, uint64_t lo, uint64_t hi)
{
	units_t *u = arg;
	const range_t *r = range_before(&u->u_units, unit);

	if (r != NULL && r->lo == unit && hi > lo && range_add(&code, lo, hi, r->mod) != 0)
		u->u_nomem = true;
	return !u->u_nomem;
}

static int read_units(void)
{
	units_t u = {0};
	const dwscan_t scan = {see_unit, NULL, &u};
	bool ok = dwscan(elf, &scan) && dwscan_code(elf, see_code, &u) && !u.u_nomem;

	free(u.u_units.r_at);
	qsort(code.r_at, code.r_n, sizeof(*code.r_at), range_order);
	return ok ? 0 : -1;
}

static const char *range_module(uintptr_t addr)
{
	const range_t *r = range_before(&code, addr);

	return r != NULL && addr < r->hi ? r->mod : NULL;
}

/* ---- the symbol table ---- */

typedef struct rawsym {
	ksym_t ks;
	bool local;
} rawsym_t;

/* By address; of several names for one thing the one to keep first: functions, global ones, by name. */
static int sym_order(const void *a, const void *b)
{
	const rawsym_t *x = a, *y = b;

	if (x->ks.ks_tls != y->ks.ks_tls)
		return x->ks.ks_tls - y->ks.ks_tls;
	if (x->ks.ks_addr != y->ks.ks_addr)
		return x->ks.ks_addr < y->ks.ks_addr ? -1 : 1;
	if (x->ks.ks_func != y->ks.ks_func)
		return y->ks.ks_func - x->ks.ks_func;
	if (x->local != y->local)
		return x->local - y->local;
	return strcmp(x->ks.ks_name, y->ks.ks_name);
}

static bool raw_of(const GElf_Sym *sym, size_t strndx, rawsym_t *raw)
{
	int type = GELF_ST_TYPE(sym->st_info);

	if (sym->st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_OBJECT && type != STT_TLS))
		return false;
	raw->ks = (ksym_t){.ks_name = elf_strptr(elf, strndx, sym->st_name),
			   .ks_addr = sym->st_value,
			   .ks_size = sym->st_size,
			   .ks_func = type == STT_FUNC,
			   .ks_tls = type == STT_TLS,
			   .ks_tlsoff = type == STT_TLS ? (int64_t)sym->st_value - tls_bias : 0};
	raw->local = GELF_ST_BIND(sym->st_info) == STB_LOCAL;
	return raw->ks.ks_name != NULL;
}

static int read_symbols(void)
{
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	GElf_Shdr shdr;
	GElf_Sym sym;
	rawsym_t *raw;
	size_t n, i, count = 0;

	while ((scn = elf_nextscn(elf, scn)) != NULL)
		if (gelf_getshdr(scn, &shdr) != NULL && shdr.sh_type == SHT_SYMTAB)
			break;
	if (scn == NULL || (data = elf_getdata(scn, NULL)) == NULL)
		return -1;
	n = shdr.sh_size / shdr.sh_entsize;
	raw = malloc(n * sizeof(*raw));
	if (raw == NULL)
		return -1;
	for (i = 0; i < n; i++)
		if (gelf_getsym(data, (int)i, &sym) != NULL && raw_of(&sym, shdr.sh_link, &raw[count]))
			count++;
	qsort(raw, count, sizeof(*raw), sym_order);
	syms = malloc((count + 1) * sizeof(*syms));
	for (i = 0; syms != NULL && i < count; i++) {
		ksym_t *ks = &raw[i].ks;

		/* further names of the same thing are left out */
		/* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Branch): raw_of() fills all */
		if (nsyms > 0 && !ks->ks_tls && !syms[nsyms - 1].ks_tls && syms[nsyms - 1].ks_addr == ks->ks_addr)
			continue;
		if (ks->ks_func)
			ks->ks_mod = range_module(ks->ks_addr);
		syms[nsyms++] = *ks;
		if (!ks->ks_tls)
			naddr = nsyms;
	}
	free(raw);
	return syms == NULL ? -1 : 0;
}

/* Distance rule of the x86-64 ABI: the thread-local block ends at the thread pointer. */
static void read_tls(void)
{
	GElf_Phdr ph;
	size_t n, i;

	if (elf_getphdrnum(elf, &n) != 0)
		return;
	for (i = 0; i < n; i++) {
		if (gelf_getphdr(elf, (int)i, &ph) == NULL || ph.p_type != PT_TLS)
			continue;
		if (ph.p_align > 1)
			tls_bias = (int64_t)((ph.p_memsz + ph.p_align - 1) & ~(ph.p_align - 1));
		else
			tls_bias = (int64_t)ph.p_memsz;
	}
}

static int name_order(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int c = strcmp(syms[x].ks_name, syms[y].ks_name);

	return c != 0 ? c : (x > y) - (x < y);
}

/* Symbols in order of name, put so when a name is first asked for.  False: no memory. */
static bool index_names(void)
{
	size_t i;

	if (byname != NULL)
		return true;
	byname = malloc((nsyms + 1) * sizeof(*byname));
	if (byname == NULL)
		return false;
	for (i = 0; i < nsyms; i++)
		byname[i] = (uint32_t)i;
	qsort(byname, nsyms, sizeof(*byname), name_order);
	return true;
}

/* ---- variables' modules ---- */

/* Greatest symbol of syms[lo..hi) that starts at or before addr; hi = none. */
static size_t search(size_t lo, size_t hi, uintptr_t addr)
{
	size_t first = lo, none = hi;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (syms[mid].ks_addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > first ? lo - 1 : none;
}

static void variable(Dwarf_Die *die, const char *mod)
{
	Dwarf_Attribute attr;
	Dwarf_Op *op;
	size_t len, i;

	if (dwarf_attr(die, DW_AT_location, &attr) == NULL || dwarf_getlocation(&attr, &op, &len) != 0 || len == 0)
		return;
	if (op[0].atom == DW_OP_addr) {
		i = search(0, naddr, op[0].number);
		if (i < naddr && syms[i].ks_addr == op[0].number)
			syms[i].ks_mod = mod;
	} else if (len == 2 && (op[1].atom == DW_OP_GNU_push_tls_address || op[1].atom == DW_OP_form_tls_address)) {
		i = search(naddr, nsyms, op[0].number);
		if (i < nsyms && syms[i].ks_addr == op[0].number)
			syms[i].ks_mod = mod;
	}
}

static void read_variables(void)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit, die;
	uint8_t type;

	if (have_vars)
		return;
	have_vars = true;
	dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (dwarf == NULL)
		return;
	while (dwarf_get_units(dwarf, cu, &cu, NULL, &type, &unit, NULL) == 0) {
		const char *name = type == DW_UT_compile ? dwarf_diename(&unit) : NULL;
		const char *mod = name == NULL ? NULL : module_of(name);

		if (mod == NULL || dwarf_child(&unit, &die) != 0)
			continue;
		do {
			if (dwarf_tag(&die) == DW_TAG_variable)
				variable(&die, mod);
		} while (dwarf_siblingof(&die, &die) == 0);
	}
}

/* ---- what others call ---- */

/* A thread-local symbol as this thread sees it. */
static const ksym_t *localise(const ksym_t *ks)
{
	static KLOCAL ksym_t here;

	if (!ks->ks_tls)
		return ks;
	here = *ks;
	here.ks_addr = (uintptr_t)__builtin_thread_pointer() + (uintptr_t)ks->ks_tlsoff;
	return &here;
}

const ksym_t *ksym_byaddr(uintptr_t addr)
{
	size_t i = search(0, naddr, addr);
	uintptr_t end;

	if (i == naddr)
		return NULL;
	/* what assembly defines may have no size: up to the next symbol */
	end = syms[i].ks_size != 0 ? syms[i].ks_addr + syms[i].ks_size : i + 1 < naddr ? syms[i + 1].ks_addr : addr;
	if (addr >= end)
		return NULL;
	if (!syms[i].ks_func)
		read_variables();
	return &syms[i];
}

const ksym_t *ksym_byname(const char *mod, const char *name)
{
	const ksym_t *found = NULL;
	size_t lo = 0, hi = nsyms;

	if (!index_names())
		return NULL;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (strcmp(syms[byname[mid]].ks_name, name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < nsyms && strcmp(syms[byname[lo]].ks_name, name) == 0; lo++) {
		const ksym_t *ks = &syms[byname[lo]];

		if (!ks->ks_func)
			read_variables();
		if (mod != NULL && *mod != '\0') {
			if (ks->ks_mod != NULL && strcmp(ks->ks_mod, mod) == 0)
				return localise(ks);
		} else if (found == NULL || (found->ks_mod == NULL && ks->ks_mod != NULL)) {
			found = ks;
		}
	}
	return found == NULL ? NULL : localise(found);
}

const ksym_t *ksym_next(const ksym_t *ks)
{
	size_t i = ks == NULL ? 0 : (size_t)(ks - syms) + 1;

	read_variables();
	return i < nsyms ? &syms[i] : NULL;
}

void ksym_fini(void)
{
	if (dwarf != NULL)
		dwarf_end(dwarf);
	if (elf != NULL)
		elf_end(elf);
	if (fd != -1)
		close(fd);
	free(syms);
	free(byname);
	free(code.r_at);
	while (nmods > 0)
		free(mods[--nmods]);
	free(mods);
	fd = -1;
	elf = NULL;
	dwarf = NULL;
	syms = NULL;
	byname = NULL;
	code = (ranges_t){0};
	mods = NULL;
	nsyms = naddr = 0;
	have_vars = false;
}

int ksym_init(char *errbuf, size_t errlen)
{
	const char *why = NULL;

	(void)elf_version(EV_CURRENT);
	fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (fd == -1 || (elf = elf_begin(fd, ELF_C_READ_MMAP, NULL)) == NULL)
		why = "cannot read this program's own file";
	else if (read_units() != 0)
		why = "this program has no debug information";
	else {
		read_tls();
		if (read_symbols() != 0)
			why = "this program has no symbol table";
	}
	if (why == NULL)
		return 0;
	(void)snprintf(errbuf, errlen, "%s", why);
	ksym_fini();
	return -1;
}
