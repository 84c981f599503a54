/*
 * Provider declarations.
 *
 * A declaration says which arguments the probes of a provider have: those that
 * the provider passes (the input prototype) and, after a colon, those that
 * args[] shows (the output prototype), each made by a translator from the input
 * of the same name.  It creates no probes.  The libraries declare the kernel's
 * own providers; a program may repeat what is known, or name a provider of its
 * own.
 */
#include "d/dt_impl.h"

#include <string.h>

#define FAIL(dt, tag, ...) dt_error(dt, tag, dt_here(dt), __VA_ARGS__)

static const char *dashes(dt_t *dt, const char *name)
{
	char *s = dt_strdup(dt, name), *p;

	while ((p = strstr(s, "__")) != NULL) {
		*p = '-';
		memmove(p + 1, p + 2, strlen(p + 2) + 1);
	}
	return s;
}

static int count_params(const cparam_t *p)
{
	int n = 0;

	for (; p != NULL; p = p->p_next)
		n++;
	return n;
}

/* ---- while parsing ---- */

static void check_outputs(dt_t *dt, const cparam_t *in, const cparam_t *out, bool varargs)
{
	int i = 1;

	for (; out != NULL; out = out->p_next, i++) {
		if (out->p_type->c_kind == CT_ASSOC)
			dt_error(dt, "D_DECL_PROTO_TYPE", out->p_line,
				 "probe output prototype may not use parameter of type <DYN>: %s, parameter #%d",
				 out->p_name != NULL ? out->p_name : "(anonymous)", i);
		if (out->p_name != NULL && ctf_resolve(dt, out->p_type)->c_kind == CT_VOID)
			dt_error(dt, "D_DECL_PROTO_NAME", out->p_line, "void parameter may not have a name: %s",
				 out->p_name);
		if (out->p_name == NULL)
			dt_error(dt, "D_DECL_PROTO_NAME", out->p_line,
				 "parameter declaration requires a name: parameter #%d", i);
		if (dt_param_named(in, NULL, out->p_name) == NULL)
			dt_error(dt, "D_DECL_PROTO_FORM", out->p_line,
				 "parameter is not declared in probe output prototype: %s, parameter #%d", out->p_name,
				 i);
	}
	if (varargs)
		FAIL(dt, "D_DECL_PROTO_VARARGS", "probe output prototype may not use a variable-length argument list");
}

static void check_count(dt_t *dt, const char *name, const char *which, const cparam_t *params)
{
	int n = count_params(params);

	if (n > 255)
		FAIL(dt, "D_PROV_PRARGLEN", "probe ::%s %s prototype exceeds 255 parameters: %d params used", name,
		     which, n);
}

dt_probe_decl_t *dt_probe_decl(dt_t *dt, const char *name, int line, ctuple_t in, ctuple_t out, bool hasout)
{
	dt_probe_decl_t *p = dt_alloc(dt, sizeof(*p));

	p->dp_name = name = dashes(dt, name);
	p->dp_line = line;
	if (strchr(name, '`') != NULL)
		FAIL(dt, "D_PROV_BADNAME", "probe name may not contain scoping operator: ::%s", name);
	if (strlen(name) > DT_NAMELEN - 1)
		FAIL(dt, "D_PROV_BADNAME", "probe name may not exceed %d characters: ::%s", DT_NAMELEN - 1, name);
	check_count(dt, name, "input", in.first);
	check_count(dt, name, "output", out.first);
	dt_decl_proto(dt, "probe input", in.first, in.varargs, PROTO_NOVARARGS);
	check_outputs(dt, in.first, out.first, out.varargs);
	/* (void) has no parameters */
	if (in.first != NULL && ctf_resolve(dt, in.first->p_type)->c_kind == CT_VOID)
		in.first = NULL;
	p->dp_in = in.first;
	p->dp_out = out.first;
	p->dp_hasout = hasout;
	return p;
}

static void check_name(dt_t *dt, const char *name)
{
	size_t len = strlen(name);

	if (strchr(name, '`') != NULL)
		FAIL(dt, "D_PROV_BADNAME", "provider name may not contain scoping operator: %s", name);
	if (len > DT_NAMELEN - 1)
		FAIL(dt, "D_PROV_BADNAME", "provider name may not exceed %d characters: %s", DT_NAMELEN - 1, name);
	if (name[len - 1] >= '0' && name[len - 1] <= '9')
		FAIL(dt, "D_PROV_BADNAME", "provider name may not end with a digit: %s", name);
}

static void check_translators(dt_t *dt, const char *name, const dt_probe_decl_t *p)
{
	int i = 1;

	for (const cparam_t *o = p->dp_out; o != NULL; o = o->p_next, i++) {
		const cparam_t *in = dt_param_named(p->dp_in, NULL, o->p_name);
		ctype_t *to = ctf_resolve(dt, o->p_type);

		if (ctf_same(dt, in->p_type, o->p_type))
			continue;
		if (to->c_kind == CT_PTR)
			to = to->c_ref;
		if (dt_xlator_find(dt, in->p_type, to) == NULL)
			dt_error(dt, "D_PROV_PRXLATOR", p->dp_line,
				 "translator for %s:%s output argument #%d from %s to %s is not defined", name,
				 p->dp_name, i, ctf_name(dt, in->p_type), ctf_name(dt, o->p_type));
	}
}

static const dt_probe_decl_t *find_probe(const dt_probe_decl_t *p, const dt_probe_decl_t *end, const char *name)
{
	for (; p != end; p = p->dp_next) {
		if (strcmp(p->dp_name, name) == 0)
			return p;
	}
	return NULL;
}

node_t *dt_provider(dt_t *dt, const char *name, dt_probe_decl_t *probes)
{
	node_t *n = node_new(dt, N_PROVIDER);

	name = dashes(dt, name);
	check_name(dt, name);
	for (const dt_probe_decl_t *p = probes; p != NULL; p = p->dp_next) {
		if (find_probe(probes, p, p->dp_name) != NULL)
			dt_error(dt, "D_PROV_PRDUP", p->dp_line, "probe redeclared: %s:%s", name, p->dp_name);
		check_translators(dt, name, p);
	}
	n->n_str = name;
	n->n_probes = probes;
	return n;
}

/* ---- against what is known ---- */

static _Noreturn void mismatch(dt_t *dt, const char *name, const dt_probe_decl_t *p, const char *now,
			       const char *before)
{
	dt_error(dt, "D_PROV_INCOMPAT", p->dp_line,
		 "provider interface mismatch: %s\n\t current: probe %s:%s %s\n\tprevious: probe %s:%s %s", name, name,
		 p->dp_name, now, name, p->dp_name, before);
}

static void compare_protos(dt_t *dt, const char *name, const dt_probe_decl_t *p, const char *which, const cparam_t *now,
			   const cparam_t *before)
{
	int n = count_params(now), m = count_params(before), i = 1;

	if (n != m)
		dt_error(dt, "D_PROV_INCOMPAT", p->dp_line,
			 "probe %s:%s %s prototype mismatch:\n\t current: %d arg%s\n\tprevious: %d arg%s", name,
			 p->dp_name, which, n, n == 1 ? "" : "s", m, m == 1 ? "" : "s");
	for (; now != NULL; now = now->p_next, before = before->p_next, i++) {
		if (!ctf_same(dt, now->p_type, before->p_type))
			dt_error(dt, "D_PROV_INCOMPAT", p->dp_line,
				 "probe %s:%s %s prototype argument #%d mismatch:\n\t current: %s\n\tprevious: %s",
				 name, p->dp_name, which, i, ctf_name(dt, now->p_type), ctf_name(dt, before->p_type));
	}
}

static void compare(dt_t *dt, const char *name, const dt_probe_decl_t *now, const dt_probe_decl_t *before)
{
	static const char has[] = "has an output prototype", hasnot[] = "has no output prototype";

	compare_protos(dt, name, now, "input", now->dp_in, before->dp_in);
	if (now->dp_hasout != before->dp_hasout)
		mismatch(dt, name, now, now->dp_hasout ? has : hasnot, before->dp_hasout ? has : hasnot);
	compare_protos(dt, name, now, "output", now->dp_out, before->dp_out);
}

/* What the kernel's provider says of a probe, in the form of a declaration; NULL: it has no such probe. */
static const dt_probe_decl_t *kernel_probe(dt_t *dt, const char *prov, const char *name, bool *typed)
{
	dtrace_probedesc_t pd = {.dtpd_provider = prov, .dtpd_mod = "", .dtpd_func = "", .dtpd_name = name};
	dt_probe_decl_t *p = dt_alloc(dt, sizeof(*p));
	cparam_t **pi = &p->dp_in, **po = &p->dp_out;
	const dtrace_probe_t *probe = dt_probe_first(&pd);
	int n;

	if (probe == NULL)
		return NULL;
	n = dt_probe_nargs(dt, probe);
	*typed = n > 0;
	for (int i = 0; i < n; i++) {
		dt_argtype_t a;

		if (!dt_probe_argtype(dt, probe, i, &a)) {
			*typed = false;
			break;
		}
		p->dp_hasout = p->dp_hasout || a.at_xlated != NULL;
		*pi = dt_alloc(dt, sizeof(**pi));
		*po = dt_alloc(dt, sizeof(**po));
		(*pi)->p_type = a.at_native;
		(*po)->p_type = a.at_xlated != NULL ? a.at_xlated : a.at_native;
		pi = &(*pi)->p_next;
		po = &(*po)->p_next;
	}
	if (!p->dp_hasout)
		p->dp_out = NULL;
	return p;
}

static void compare_kernel(dt_t *dt, const node_t *n)
{
	for (const dt_probe_decl_t *p = n->n_probes; p != NULL; p = p->dp_next) {
		bool typed;
		const dt_probe_decl_t *old = kernel_probe(dt, n->n_str, p->dp_name, &typed);

		if (old == NULL)
			mismatch(dt, n->n_str, p, "defined", "not defined");
		if (typed)
			compare(dt, n->n_str, p, old);
	}
}

static node_t *find_provider(const dt_t *dt, const char *name)
{
	for (node_t *n = dt->d_providers; n != NULL; n = n->n_next) {
		if (strcmp(n->n_str, name) == 0)
			return n;
	}
	return NULL;
}

bool dt_provider_exists(dt_t *dt, const char *name)
{
	dtrace_probedesc_t pd = {.dtpd_provider = name, .dtpd_mod = "", .dtpd_func = "", .dtpd_name = ""};

	return find_provider(dt, name) != NULL || dt_probe_first(&pd) != NULL;
}

void dt_provider_define(dt_t *dt, node_t *n)
{
	const node_t *old = find_provider(dt, n->n_str);
	node_t *copy;

	for (const dt_probe_decl_t *p = n->n_probes; old != NULL && p != NULL; p = p->dp_next) {
		const dt_probe_decl_t *before = find_probe(old->n_probes, NULL, p->dp_name);

		if (before == NULL)
			mismatch(dt, n->n_str, p, "defined", "not defined");
		compare(dt, n->n_str, p, before);
	}
	if (old != NULL)
		return;
	if (!dt->d_pcb->p_lib && dt_provider_exists(dt, n->n_str))
		compare_kernel(dt, n);
	copy = dt_alloc(dt, sizeof(*copy));
	*copy = *n;
	copy->n_next = dt->d_providers;
	dt->d_providers = copy;
}

const dt_probe_decl_t *dt_provider_probe(const dt_t *dt, const char *provider, const char *name)
{
	const node_t *n = find_provider(dt, provider);

	return n != NULL ? find_probe(n->n_probes, NULL, name) : NULL;
}
