/*
 * Types of probe arguments: as a provider declaration has them, else of fbt
 * from the function's prototype in the debug information, else as the provider
 * says.
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

static const dt_probe_decl_t *declared(const dt_t *dt, const dtrace_probe_t *probe)
{
	return dt_provider_probe(dt, probe->dtpr_provider, probe->dtpr_name);
}

int dt_probe_nargs(dt_t *dt, const dtrace_probe_t *probe)
{
	const dt_probe_decl_t *d = declared(dt, probe);
	const char *const *types;
	int n = 0;

	if (d != NULL) {
		for (const cparam_t *p = d->dp_hasout ? d->dp_out : d->dp_in; p != NULL; p = p->p_next)
			n++;
		return n;
	}
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

static void declared_type(dt_t *dt, const dt_probe_decl_t *d, int n, dt_argtype_t *a)
{
	const cparam_t *p = d->dp_hasout ? d->dp_out : d->dp_in;

	while (n-- > 0)
		p = p->p_next;
	a->at_native = p->p_type;
	if (!d->dp_hasout)
		return;
	a->at_index = 0;
	for (const cparam_t *in = d->dp_in; in != NULL; in = in->p_next, a->at_index++) {
		if (in->p_name == NULL || strcmp(in->p_name, p->p_name) != 0)
			continue;
		a->at_native = in->p_type;
		a->at_xlated = ctf_same(dt, in->p_type, p->p_type) ? NULL : p->p_type;
		return;
	}
}

/* A provider says "native" or "native : translated". */
static bool stated_type(dt_t *dt, const char *text, dt_argtype_t *a)
{
	const char *colon = strchr(text, ':');

	if (dt_lib_need(dt, text) != 0)
		return false;
	if (colon == NULL) {
		a->at_native = ctf_lookup(dt, text);
		return a->at_native != NULL;
	}
	a->at_native = ctf_lookup(dt, dt_strndup(dt, text, (size_t)(colon - text)));
	a->at_xlated = ctf_lookup(dt, colon + 1);
	return a->at_native != NULL && a->at_xlated != NULL;
}

bool dt_probe_argtype(dt_t *dt, const dtrace_probe_t *probe, int n, dt_argtype_t *a)
{
	const dt_probe_decl_t *d = declared(dt, probe);

	*a = (dt_argtype_t){.at_index = n};
	if (d != NULL) {
		declared_type(dt, d, n, a);
		return true;
	}
	if (!is_fbt(probe))
		return stated_type(dt, provider_types(probe)[n], a);
	a->at_native = fbt_type(dt, probe, n);
	return a->at_native != NULL;
}

static void take_first(void *arg, dtrace_probe_t *p)
{
	const dtrace_probe_t **first = arg;

	if (*first == NULL)
		*first = p;
}

const dtrace_probe_t *dt_probe_first(const dtrace_probedesc_t *pd)
{
	const dtrace_probe_t *first = NULL;

	dtrace_probe_match(pd, take_first, &first);
	return first;
}

int dt_probe_argtypes(dt_t *dt, const dtrace_probe_t *probe, const char **types, int max)
{
	int n = dt_probe_nargs(dt, probe);

	for (int i = 0; i < n && i < max; i++) {
		dt_argtype_t a;

		if (dt_probe_argtype(dt, probe, i, &a))
			types[i] = ctf_name(dt, a.at_xlated != NULL ? a.at_xlated : a.at_native);
		else
			types[i] = "(unknown)";
	}
	return n;
}
