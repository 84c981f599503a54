/*
 * Symbols of this binary: names and extents from its ELF symbol table; the
 * module of each is the folder under kernelmodel/ of the source that the debug
 * information names for it.  They lie in the index (symindex.h) as they are
 * given out.
 */
#include <stdio.h>
#include <string.h>

#include "dtrace_impl.h"
#include "symindex.h"

static const symindex_t *ix;
static const ksym_t *syms;
static size_t nsyms, naddr;

int ksym_init(char *errbuf, size_t errlen)
{
	const char *why;

	if (symindex_open(&why) != 0) {
		(void)snprintf(errbuf, errlen, "%s", why);
		return -1;
	}
	ix = symindex();
	syms = symindex_table(ix, ix_syms, ksym_t);
	nsyms = ix->ix_syms.t_n;
	naddr = ix->ix_naddr;
	return 0;
}

void ksym_fini(void)
{
	symindex_close();
	ix = NULL;
	syms = NULL;
	nsyms = naddr = 0;
}

const char *ksym_name(const ksym_t *ks)
{
	return symindex_string(ix, ks->ks_name);
}

const char *ksym_mod(const ksym_t *ks)
{
	return ks->ks_mod == 0 ? NULL
			       : symindex_string(ix, symindex_table(ix, ix_mods, ixmod_t)[ks->ks_mod - 1].x_name);
}

uintptr_t ksym_addr(const ksym_t *ks)
{
	return ks->ks_tls ? (uintptr_t)__builtin_thread_pointer() + (uintptr_t)(intptr_t)ks->ks_tlsoff : ks->ks_value;
}

const ksym_t *ksym_byaddr(uintptr_t addr)
{
	size_t lo = 0, hi = naddr;
	const ksym_t *ks;
	uintptr_t end;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (syms[mid].ks_value <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == 0)
		return NULL;
	ks = &syms[lo - 1];
	/* what assembly defines may have no size: up to the next symbol */
	end = ks->ks_size != 0 ? ks->ks_value + ks->ks_size : lo < naddr ? syms[lo].ks_value : addr;
	return addr < end ? ks : NULL;
}

const uint32_t *ksym_named(const char *name, size_t *n)
{
	const uint32_t *byname;
	size_t lo = 0, hi = nsyms;

	*n = 0;
	if (ix == NULL)
		return NULL;
	byname = symindex_table(ix, ix_byname, uint32_t);
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (strcmp(ksym_name(&syms[byname[mid]]), name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (hi = lo; hi < nsyms && strcmp(ksym_name(&syms[byname[hi]]), name) == 0; hi++)
		;
	*n = hi - lo;
	return byname + lo;
}

const ksym_t *ksym_byname(const char *mod, const char *name)
{
	const ksym_t *found = NULL;
	size_t n;
	const uint32_t *s = ksym_named(name, &n);

	for (; n > 0; n--, s++) {
		const ksym_t *ks = &syms[*s];

		if (mod != NULL && *mod != '\0') {
			if (ks->ks_mod != 0 && strcmp(ksym_mod(ks), mod) == 0)
				return ks;
		} else if (found == NULL || (found->ks_mod == 0 && ks->ks_mod != 0)) {
			found = ks;
		}
	}
	return found;
}

const ksym_t *ksym_next(const ksym_t *ks)
{
	size_t i = ks == NULL ? 0 : (size_t)(ks - syms) + 1;

	return i < nsyms ? &syms[i] : NULL;
}
