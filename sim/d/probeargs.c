/*
 * Types of probe arguments: of fbt from the function's prototype in the debug
 * information, of other providers as they say.
 */
#include "d/dt_impl.h"

#include <string.h>

#define MAXPROVARGS 16

/* The function that an fbt probe is in. */
static ctype_t *fbt_func(dt_t *dt, const dtrace_probe_t *probe)
{
	csym_t sym;

	if (!ctf_lookup_sym(dt, probe->dtpr_mod, probe->dtpr_func, &sym) || sym.s_type == NULL)
		return NULL;
	return sym.s_type->c_kind == CT_FUNC ? sym.s_type : NULL;
}

static bool is_fbt(const dtrace_probe_t *probe)
{
	return strcmp(probe->dtpr_provider, "fbt") == 0;
}

static const char *const *provider_types(const dtrace_probe_t *probe)
{
	return probe->dtpr_prov->dtpv_argtypes != NULL ? probe->dtpr_prov->dtpv_argtypes(probe) : NULL;
}

static int fbt_nargs(dt_t *dt, const dtrace_probe_t *probe)
{
	ctype_t *f = fbt_func(dt, probe);
	int n = 0;

	if (f == NULL)
		return -1;
	if (strcmp(probe->dtpr_name, "return") == 0)
		return ctf_resolve(dt, f->c_ref)->c_kind == CT_VOID ? 1 : 2;
	for (const cparam_t *p = f->c_params; p != NULL; p = p->p_next)
		n++;
	return n;
}

int dt_probe_nargs(dt_t *dt, const dtrace_probe_t *probe)
{
	const char *const *types;
	int n = 0;

	if (is_fbt(probe))
		return fbt_nargs(dt, probe);
	types = provider_types(probe);
	while (types != NULL && types[n] != NULL)
		n++;
	return n;
}

static ctype_t *fbt_type(dt_t *dt, const dtrace_probe_t *probe, int n)
{
	ctype_t *f = fbt_func(dt, probe);
	const cparam_t *p;

	if (f == NULL)
		return NULL;
	if (strcmp(probe->dtpr_name, "return") == 0)
		return n == 0 ? dt->t.i : f->c_ref;
	for (p = f->c_params; p != NULL && n > 0; p = p->p_next)
		n--;
	return p != NULL ? p->p_type : NULL;
}

/* A provider says "native" or "native : translated". */
bool dt_probe_argtype(dt_t *dt, const dtrace_probe_t *probe, int n, ctype_t **native, ctype_t **xlated)
{
	const char *const *types;
	const char *colon;

	*xlated = NULL;
	if (is_fbt(probe)) {
		*native = fbt_type(dt, probe, n);
		return *native != NULL;
	}
	types = provider_types(probe);
	colon = strchr(types[n], ':');
	if (colon == NULL) {
		*native = ctf_lookup(dt, types[n]);
		return *native != NULL;
	}
	*native = ctf_lookup(dt, dt_strndup(dt, types[n], (size_t)(colon - types[n])));
	*xlated = ctf_lookup(dt, colon + 1);
	return *native != NULL && *xlated != NULL;
}

int dt_probe_argtypes(dt_t *dt, const dtrace_probe_t *probe, const char **types, int max)
{
	int n = dt_probe_nargs(dt, probe);

	for (int i = 0; i < n && i < max; i++) {
		ctype_t *native, *xlated;

		if (dt_probe_argtype(dt, probe, i, &native, &xlated))
			types[i] = ctf_name(dt, xlated != NULL ? xlated : native);
		else
			types[i] = "(unknown)";
	}
	return n;
}
