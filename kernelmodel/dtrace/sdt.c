/*
 * sdt and its kin: the points that sys/sdt.h makes.  The provider's name is
 * part of the point; every provider found this way works alike.  The points of
 * system calls are armed for the provider syscall (syscall.c).
 */
#include <stdlib.h>
#include <string.h>

#include "probectx.h"
#include "sys/sdt.h"
#include "dtrace_impl.h"

extern const sdt_site_t __start_sdt_sites[] __attribute__((weak)), __stop_sdt_sites[] __attribute__((weak));

extern const char dtrace_tramp_sdt[];
void dtrace_hook_sdt(const uint64_t *regs, uintptr_t fp);

/* What a point does when it fires: a probe, or one of the two points of system calls. */
typedef struct point {
	uintptr_t p_addr;
	dtrace_probe_t *p_probe;
	enum { POINT_PROBE, POINT_SYSENTRY, POINT_SYSRETURN } p_kind;
	int p_armed;
	const char *p_types[SDT_MAXARGS + 1]; /* of the arguments, NULL ends */
} point_t;

typedef struct sdt_provider {
	dtrace_provider_t sp_prov; /* first */
	char *sp_name;
	struct sdt_provider *sp_next;
} sdt_provider_t;

static point_t *points; /* by address */
static size_t npoints;
static sdt_provider_t *provs;

/* ---- firing ---- */

void dtrace_hook_sdt(const uint64_t *regs, uintptr_t fp)
{
	uintptr_t addr = regs[9] - 5;
	site_t site = {regs, NULL, addr, fp};
	point_t *pt = patch_owner(regs[9]);

	if (pt->p_kind == POINT_PROBE)
		probe_fire(pt->p_probe, &site);
	else if (pt->p_kind == POINT_SYSENTRY)
		syscall_fire_entry(&site);
	else
		syscall_fire_return(&site);
}

/* ---- arming ---- */

static int point_arm(point_t *pt, bool on)
{
	if (on)
		return pt->p_armed++ > 0 ? 0 : patch_call(pt->p_addr, dtrace_tramp_sdt, pt);
	return --pt->p_armed > 0 ? 0 : patch_nop(pt->p_addr);
}

static int sdt_enable(dtrace_probe_t *p)
{
	return point_arm(p->dtpr_arg, true);
}

static void sdt_disable(dtrace_probe_t *p)
{
	(void)point_arm(p->dtpr_arg, false);
}

int sdt_syscall_arm(bool entry, bool on)
{
	size_t i;
	int r = 0;

	for (i = 0; i < npoints; i++)
		if (points[i].p_kind == (entry ? POINT_SYSENTRY : POINT_SYSRETURN))
			r |= point_arm(&points[i], on);
	return r;
}

/* ---- finding the points ---- */

static const char *const *sdt_argtypes(const dtrace_probe_t *p)
{
	const char *const *types = sdt_args(p->dtpr_provider, p->dtpr_name);

	return types != NULL ? types : ((const point_t *)p->dtpr_arg)->p_types;
}

/* The provider of that name, made if it is new.  sdt itself promises nothing about its arguments. */
static const dtrace_provider_t *sdt_provider(const char *name)
{
	sdt_provider_t *sp;

	for (sp = provs; sp != NULL; sp = sp->sp_next)
		if (strcmp(sp->sp_name, name) == 0)
			return &sp->sp_prov;
	sp = calloc(1, sizeof(*sp));
	if (sp == NULL || (sp->sp_name = strdup(name)) == NULL)
		abort();
	sp->sp_prov =
	    (dtrace_provider_t){.dtpv_name = sp->sp_name, .dtpv_enable = sdt_enable, .dtpv_disable = sdt_disable};
	if (strcmp(name, "sdt") != 0) {
		sp->sp_prov.dtpv_argtypes = sdt_argtypes;
		sp->sp_prov.dtpv_stable = true;
	}
	sp->sp_next = provs;
	provs = sp;
	return &sp->sp_prov;
}

static int point_order(const void *a, const void *b)
{
	const point_t *x = a, *y = b;

	return (x->p_addr > y->p_addr) - (x->p_addr < y->p_addr);
}

/* The point at an address that is one. */
static point_t *point_at(uintptr_t addr)
{
	size_t lo = 0, hi = npoints;

	while (lo + 1 < hi) {
		size_t mid = (lo + hi) / 2;

		if (points[mid].p_addr <= addr)
			lo = mid;
		else
			hi = mid;
	}
	return &points[lo];
}

/* "foo__bar" is foo-bar. */
static void probe_name(char *to, size_t len, const char *from)
{
	size_t n = 0;

	while (*from != '\0' && n + 1 < len) {
		if (from[0] == '_' && from[1] == '_') {
			to[n++] = '-';
			from += 2;
		} else {
			to[n++] = *from++;
		}
	}
	to[n] = '\0';
}

static void provide_point(point_t *pt, const sdt_site_t *site)
{
	const char *provider = site->sdt_names, *name = provider + strlen(provider) + 1, *type;
	const ksym_t *ks = ksym_byaddr(site->sdt_addr);
	char text[64];
	size_t i;

	type = name + strlen(name) + 1;
	for (i = 0; i < site->sdt_nargs && i < SDT_MAXARGS; i++, type += strlen(type) + 1)
		pt->p_types[i] = type;
	if (strcmp(provider, "syscall") == 0) {
		pt->p_kind = strcmp(name, "entry") == 0 ? POINT_SYSENTRY : POINT_SYSRETURN;
		return;
	}
	probe_name(text, sizeof(text), name);
	pt->p_probe = dtrace_probe_lookup(dtrace_probe_create(sdt_provider(provider),
							      ks == NULL || ks->ks_mod == 0 ? "" : ksym_mod(ks),
							      ks == NULL ? "" : ksym_name(ks), text, pt));
}

void sdt_init(void)
{
	const sdt_site_t *site, **order;
	size_t n = (size_t)(__stop_sdt_sites - __start_sdt_sites), i, j;

	points = calloc(n + 1, sizeof(*points));
	order = calloc(n + 1, sizeof(*order));
	if (points == NULL || order == NULL)
		abort();
	for (site = __start_sdt_sites; site < __stop_sdt_sites; site++)
		points[npoints++].p_addr = site->sdt_addr;
	qsort(points, npoints, sizeof(*points), point_order);
	for (i = 0; i < n; i++)
		order[point_at(__start_sdt_sites[i].sdt_addr) - points] = &__start_sdt_sites[i];
	for (j = 0; j < npoints; j++)
		provide_point(&points[j], order[j]);
	free(order);
}

void sdt_fini(void)
{
	sdt_provider_t *sp;

	while ((sp = provs) != NULL) {
		provs = sp->sp_next;
		free(sp->sp_name);
		free(sp);
	}
	free(points);
	points = NULL;
	npoints = 0;
}
