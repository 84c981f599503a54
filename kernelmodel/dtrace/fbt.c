/*
 * fbt: function boundary tracing.
 *
 * The compiler left a 5-byte NOP at the entry of every function of the model
 * and one before each of its return instructions, and their addresses in the
 * sections __mcount_loc and __return_loc.  A function has one entry probe and
 * one return probe; the latter has as many sites as the function has returns.
 *
 * When an armed site is hit, the address behind it says whose it is (patch.c).
 */
#include <stdlib.h>
#include <string.h>

#include "probectx.h"
#include "dtrace_impl.h"
#include "jit.h"

extern const uintptr_t __start___mcount_loc[] __attribute__((weak)), __stop___mcount_loc[] __attribute__((weak));
extern const uintptr_t __start___return_loc[] __attribute__((weak)), __stop___return_loc[] __attribute__((weak));

extern const char dtrace_tramp_entry[], dtrace_tramp_return[];
void dtrace_hook_entry(const uint64_t *regs, uintptr_t fp);
void dtrace_hook_return(const uint64_t *regs, uintptr_t fp);

typedef struct fbt_func {
	uintptr_t f_addr; /* start of the function */
	dtrace_probe_t *f_entry, *f_return;
	const uintptr_t *f_sites; /* of returns, f_nsites of them */
	size_t f_nsites;
} fbt_func_t;

static fbt_func_t *funcs;
static size_t nfuncs;
static uintptr_t *sites[2]; /* sorted copies: entries, returns */
static size_t nsites[2];

/* ---- firing ---- */

void dtrace_hook_entry(const uint64_t *regs, uintptr_t fp)
{
	site_t site = {regs, regs + 11, regs[10], fp};

	probe_fire(((fbt_func_t *)patch_owner(regs[9]))->f_entry, &site);
}

void dtrace_hook_return(const uint64_t *regs, uintptr_t fp)
{
	fbt_func_t *f = patch_owner(regs[9]);
	uint64_t args[6] = {regs[9] - f->f_addr, regs[6], 0, 0, 0, 0};
	site_t site = {args, NULL, regs[10], fp};

	probe_fire(f->f_return, &site);
}

bool fbt_isreturn(const dtrace_probe_t *p, uintptr_t *start)
{
	const fbt_func_t *f = p->dtpr_arg;

	*start = f->f_addr;
	return p == f->f_return;
}

/* ---- arming ---- */

static int fbt_enable(dtrace_probe_t *p)
{
	fbt_func_t *f = p->dtpr_arg;
	const void *code = jit_code(p);
	size_t i;

	if (p == f->f_entry)
		return patch_call(f->f_addr, code != NULL ? code : dtrace_tramp_entry, f);
	for (i = 0; i < f->f_nsites; i++)
		if (patch_call(f->f_sites[i], code != NULL ? code : dtrace_tramp_return, f) != 0)
			return -1;
	return 0;
}

static void fbt_disable(dtrace_probe_t *p)
{
	fbt_func_t *f = p->dtpr_arg;
	size_t i;

	if (p == f->f_entry)
		(void)patch_nop(f->f_addr);
	else
		for (i = 0; i < f->f_nsites; i++)
			(void)patch_nop(f->f_sites[i]);
}

const dtrace_provider_t fbt_provider = {.dtpv_name = "fbt", .dtpv_enable = fbt_enable, .dtpv_disable = fbt_disable};

/* ---- finding the functions ---- */

static int addr_order(const void *a, const void *b)
{
	uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;

	return (x > y) - (x < y);
}

/* A sorted copy of one of the compiler's lists. */
static void copy_sites(int which, const uintptr_t *from, const uintptr_t *to)
{
	size_t n = (size_t)(to - from);

	sites[which] = malloc((n + 1) * sizeof(uintptr_t));
	if (sites[which] == NULL || n == 0)
		return;
	memcpy(sites[which], from, n * sizeof(uintptr_t));
	qsort(sites[which], n, sizeof(uintptr_t), addr_order);
	nsites[which] = n;
}

/* Solaris's rules for what cannot be instrumented. */
static bool excluded(const char *name)
{
	if (strncmp(name, "dtrace_", 7) == 0)
		return strncmp(name, "dtrace_safe_", 12) != 0;
	return strcmp(name, "_init") == 0 || strcmp(name, "_fini") == 0 || strncmp(name, "kdi_", 4) == 0 ||
	       strstr(name, "_kdi_") != NULL;
}

static void provide_function(const ksym_t *ks, const uintptr_t *returns, size_t nreturns)
{
	fbt_func_t *f = &funcs[nfuncs];
	const char *mod = ks->ks_mod == NULL ? "" : ks->ks_mod;

	*f = (fbt_func_t){.f_addr = ks->ks_addr, .f_sites = returns, .f_nsites = nreturns};
	f->f_entry = dtrace_probe_lookup(dtrace_probe_create(&fbt_provider, mod, ks->ks_name, "entry", f));
	if (nreturns > 0)
		f->f_return = dtrace_probe_lookup(dtrace_probe_create(&fbt_provider, mod, ks->ks_name, "return", f));
	nfuncs++;
}

void fbt_init(void)
{
	size_t i, r = 0, first;

	copy_sites(0, __start___mcount_loc, __stop___mcount_loc);
	copy_sites(1, __start___return_loc, __stop___return_loc);
	funcs = calloc(nsites[0] + 1, sizeof(*funcs));
	if (funcs == NULL || sites[0] == NULL || sites[1] == NULL)
		return;
	for (i = 0; i < nsites[0]; i++) {
		const ksym_t *ks = ksym_byaddr(sites[0][i]);

		if (ks == NULL || ks->ks_addr != sites[0][i] || excluded(ks->ks_name) || !patch_isnop(sites[0][i]))
			continue;
		while (r < nsites[1] && sites[1][r] < ks->ks_addr)
			r++;
		for (first = r; r < nsites[1] && sites[1][r] < ks->ks_addr + ks->ks_size; r++)
			;
		provide_function(ks, sites[1] + first, r - first);
	}
}

void fbt_fini(void)
{
	free(funcs);
	free(sites[0]);
	free(sites[1]);
	funcs = NULL;
	sites[0] = sites[1] = NULL;
	nfuncs = nsites[0] = nsites[1] = 0;
}
