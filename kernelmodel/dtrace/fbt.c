/*
 * fbt: function boundary tracing.
 *
 * The compiler left a 5-byte NOP at the entry of every function of the model
 * and one before each of its return instructions; the index (symindex.h) has
 * them by function.  A function has one entry probe and one return probe; the
 * latter has as many sites as the function has returns.
 *
 * When an armed site is hit, the address behind it says whose it is (patch.c).
 */
#include <stdlib.h>
#include <string.h>

#include "probectx.h"
#include "dtrace_impl.h"
#include "jit.h"
#include "symindex.h"

extern const char dtrace_tramp_entry[], dtrace_tramp_return[];
void dtrace_hook_entry(const uint64_t *regs, uintptr_t fp);
void dtrace_hook_return(const uint64_t *regs, uintptr_t fp);

typedef struct fbt_func {
	uintptr_t f_addr; /* start of the function */
	dtrace_probe_t *f_entry, *f_return;
	const uint32_t *f_sites; /* of returns, f_nsites of them, from f_addr */
	size_t f_nsites;
} fbt_func_t;

static fbt_func_t **funcs; /* as in the index; NULL: none of its probes was made */

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
		if (patch_call(f->f_addr + f->f_sites[i], code != NULL ? code : dtrace_tramp_return, f) != 0)
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
			(void)patch_nop(f->f_addr + f->f_sites[i]);
}

/* ---- the functions ---- */

static const char *const probe_names[] = {"entry", "return", NULL};

/* The function of the i-th probe; which of its two that is. */
static const ixfunc_t *probe_function(uint32_t i, bool *ret)
{
	uint32_t n = symindex_table(symindex(), ix_probes, uint32_t)[i];

	*ret = n & 1;
	return &symindex_table(symindex(), ix_funcs, ixfunc_t)[n / 2];
}

static void fbt_describe(uint32_t i, dtrace_probedesc_t *pd)
{
	bool ret;
	const ixfunc_t *x = probe_function(i, &ret);
	const ksym_t *ks = &symindex_table(symindex(), ix_syms, ksym_t)[x->x_sym];
	const char *mod = ksym_mod(ks);

	pd->dtpd_mod = mod == NULL ? "" : mod;
	pd->dtpd_func = ksym_name(ks);
	pd->dtpd_name = probe_names[ret];
}

static int probe_order(const void *key, const void *elem)
{
	uint32_t x = *(const uint32_t *)key, y = *(const uint32_t *)elem;

	return (x > y) - (x < y);
}

static int sym_order(const void *key, const void *elem)
{
	uint32_t x = *(const uint32_t *)key, y = ((const ixfunc_t *)elem)->x_sym;

	return (x > y) - (x < y);
}

/* The first probe from i on of the function that a symbol is; it has two at most, side by side. */
static uint32_t symbol_probe(uint32_t i, uint32_t sym)
{
	const symindex_t *ix = symindex();
	const ixfunc_t *functions = symindex_table(ix, ix_funcs, ixfunc_t), *f;
	const uint32_t *probes = symindex_table(ix, ix_probes, uint32_t);
	uint32_t entry, at;

	f = bsearch(&sym, functions, ix->ix_funcs.t_n, sizeof(*f), sym_order);
	if (f == NULL)
		return DTRACE_NOPROBE;
	entry = 2 * (uint32_t)(f - functions);
	at = (uint32_t)((const uint32_t *)bsearch(&entry, probes, ix->ix_probes.t_n, sizeof(*probes), probe_order) -
			probes);
	if (at >= i)
		return at;
	return at + 1 == i && f->x_nreturns > 0 ? i : DTRACE_NOPROBE;
}

static uint32_t fbt_next(uint32_t i, const char *func)
{
	uint32_t next = DTRACE_NOPROBE;
	size_t n;
	const uint32_t *s = ksym_named(func, &n);

	for (; n > 0; n--, s++)
		next = MIN(next, symbol_probe(i, *s));
	return next;
}

static fbt_func_t *function(const ixfunc_t *x)
{
	const symindex_t *ix = symindex();
	fbt_func_t **f = &funcs[x - symindex_table(ix, ix_funcs, ixfunc_t)];

	if (*f == NULL && (*f = malloc(sizeof(**f))) != NULL)
		**f = (fbt_func_t){.f_addr = symindex_table(ix, ix_syms, ksym_t)[x->x_sym].ks_value,
				   .f_sites = symindex_table(ix, ix_returns, uint32_t) + x->x_return,
				   .f_nsites = x->x_nreturns};
	return *f;
}

static void *fbt_made(uint32_t i, dtrace_probe_t *p)
{
	bool ret;
	fbt_func_t *f = function(probe_function(i, &ret));

	if (f != NULL)
		*(ret ? &f->f_return : &f->f_entry) = p;
	return f;
}

const dtrace_provider_t fbt_provider = {.dtpv_name = "fbt",
					.dtpv_enable = fbt_enable,
					.dtpv_disable = fbt_disable,
					.dtpv_names = probe_names,
					.dtpv_describe = fbt_describe,
					.dtpv_next = fbt_next,
					.dtpv_made = fbt_made};

void fbt_init(void)
{
	funcs = calloc(symindex()->ix_funcs.t_n + 1, sizeof(*funcs));
	if (funcs != NULL)
		dtrace_probe_reserve(&fbt_provider, symindex()->ix_probes.t_n);
}

void fbt_fini(void)
{
	size_t i;

	for (i = 0; funcs != NULL && i < symindex()->ix_funcs.t_n; i++)
		free(funcs[i]);
	free(funcs);
	funcs = NULL;
}
