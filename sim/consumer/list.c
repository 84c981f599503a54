/*
 * Listings.
 *
 * Stability: a provider states attributes (stability of names, stability of
 * data, dependency class) for each part of its probes' descriptions and for
 * their arguments; those of a probe are the least of its parts.  The figures are
 * those the Solaris guide publishes for each provider.
 */
#include "list.h"

#include <string.h>

#include "msg.h"

typedef struct attr {
	uint8_t a_name, a_data, a_class;
} attr_t;

enum { INTERNAL, PRIVATE, OBSOLETE, EXTERNAL, UNSTABLE, EVOLVING, STABLE, STANDARD };
enum { UNKNOWN, CPU, PLATFORM, GROUP, ISA, COMMON };

static const char *const stability_names[] = {"Internal", "Private",  "Obsolete", "External",
					      "Unstable", "Evolving", "Stable",   "Standard"};
static const char *const class_names[] = {"Unknown", "CPU", "Platform", "Group", "ISA", "Common"};

typedef struct prov_attr {
	const char *pa_name;
	attr_t pa_part[4]; /* provider, module, function, name */
	attr_t pa_args;
} prov_attr_t;

#define HIDDEN                            \
	{                                 \
		PRIVATE, PRIVATE, UNKNOWN \
	}
#define A(n, d, c)      \
	{               \
		n, d, c \
	}

static const prov_attr_t providers[] = {
    {"dtrace", {A(STABLE, STABLE, COMMON), HIDDEN, HIDDEN, A(STABLE, STABLE, COMMON)}, A(STABLE, STABLE, COMMON)},
    {"profile",
     {A(EVOLVING, EVOLVING, COMMON), A(UNSTABLE, UNSTABLE, COMMON), HIDDEN, A(EVOLVING, EVOLVING, COMMON)},
     A(EVOLVING, EVOLVING, COMMON)},
    {"fbt", {A(EVOLVING, EVOLVING, ISA), HIDDEN, HIDDEN, A(EVOLVING, EVOLVING, ISA)}, A(PRIVATE, PRIVATE, ISA)},
    {"sdt", {A(EVOLVING, EVOLVING, ISA), HIDDEN, HIDDEN, A(PRIVATE, PRIVATE, ISA)}, A(PRIVATE, PRIVATE, ISA)},
    {"syscall",
     {A(EVOLVING, EVOLVING, COMMON), HIDDEN, A(UNSTABLE, UNSTABLE, ISA), A(EVOLVING, EVOLVING, COMMON)},
     A(UNSTABLE, UNSTABLE, ISA)},
    {"mib", {A(EVOLVING, EVOLVING, ISA), HIDDEN, HIDDEN, A(EVOLVING, EVOLVING, ISA)}, A(EVOLVING, EVOLVING, ISA)},
    {"sched", {A(EVOLVING, EVOLVING, ISA), HIDDEN, HIDDEN, A(EVOLVING, EVOLVING, ISA)}, A(EVOLVING, EVOLVING, ISA)},
    {"proc", {A(EVOLVING, EVOLVING, ISA), HIDDEN, HIDDEN, A(EVOLVING, EVOLVING, ISA)}, A(EVOLVING, EVOLVING, ISA)},
    {"io", {A(EVOLVING, EVOLVING, ISA), HIDDEN, HIDDEN, A(EVOLVING, EVOLVING, ISA)}, A(EVOLVING, EVOLVING, ISA)},
    {"ip", {A(EVOLVING, EVOLVING, ISA), HIDDEN, HIDDEN, A(EVOLVING, EVOLVING, ISA)}, A(EVOLVING, EVOLVING, ISA)},
    {"tcp", {A(EVOLVING, EVOLVING, ISA), HIDDEN, HIDDEN, A(EVOLVING, EVOLVING, ISA)}, A(EVOLVING, EVOLVING, ISA)},
    {"udp", {A(EVOLVING, EVOLVING, ISA), HIDDEN, HIDDEN, A(EVOLVING, EVOLVING, ISA)}, A(EVOLVING, EVOLVING, ISA)},
    {"", {HIDDEN, HIDDEN, HIDDEN, HIDDEN}, HIDDEN},
};

static const prov_attr_t *provider_attr(const char *name)
{
	const prov_attr_t *pa = providers;

	while (*pa->pa_name && strcmp(pa->pa_name, name) != 0)
		pa++;
	return pa;
}

static attr_t attr_min(attr_t a, attr_t b)
{
	return (attr_t){MIN(a.a_name, b.a_name), MIN(a.a_data, b.a_data), MIN(a.a_class, b.a_class)};
}

static const attr_t attr_max = A(STABLE, STABLE, COMMON);

/* Least of the parts that are spelled out. */
static attr_t parts_attr(const char *prov, const char *const part[4])
{
	const prov_attr_t *pa = provider_attr(prov);
	attr_t a = attr_max;

	for (int i = 0; i < 4; i++)
		if (part[i] && *part[i])
			a = attr_min(a, pa->pa_part[i]);
	return a;
}

static attr_t probe_attr(const dtrace_probe_t *p)
{
	const char *const part[4] = {p->dtpr_provider, p->dtpr_mod, p->dtpr_func, p->dtpr_name};

	return parts_attr(p->dtpr_provider, part);
}

static void print_attr(FILE *fp, const char *title, attr_t a)
{
	fprintf(fp, "\n\t%s\n\t\tIdentifier Names: %s\n\t\tData Semantics:   %s\n\t\tDependency Class: %s\n", title,
		stability_names[a.a_name], stability_names[a.a_data], class_names[a.a_class]);
}

/* ---- probes ---- */

#define MAXARGS 32

static void print_verbose(FILE *fp, dt_t *dt, const dtrace_probe_t *p)
{
	const char *types[MAXARGS];
	int n = dt_probe_argtypes(dt, p, types, MAXARGS);

	print_attr(fp, "Probe Description Attributes", probe_attr(p));
	print_attr(fp, "Argument Attributes", provider_attr(p->dtpr_provider)->pa_args);
	fputs("\n\tArgument Types\n", fp);
	for (int i = 0; i < n; i++)
		fprintf(fp, "\t\targs[%d]: %s\n", i, types[i]);
	if (n <= 0)
		fputs("\t\tNone\n", fp);
	fputc('\n', fp);
}

void list_header(FILE *fp)
{
	fprintf(fp, "%5s %10s %17s %33s %s\n", "ID", "PROVIDER", "MODULE", "FUNCTION", "NAME");
}

typedef struct lister {
	FILE *l_fp;
	dt_t *l_dt;
	bool l_verbose;
} lister_t;

static void list_one(void *arg, dtrace_probe_t *p)
{
	const lister_t *l = arg;

	fprintf(l->l_fp, "%5u %10s %17s %33s %s\n", p->dtpr_id, p->dtpr_provider, p->dtpr_mod, p->dtpr_func,
		p->dtpr_name);
	if (l->l_verbose)
		print_verbose(l->l_fp, l->l_dt, p);
}

int list_probes(FILE *fp, dt_t *dt, const dtrace_probedesc_t *desc, bool verbose)
{
	lister_t l = {fp, dt, verbose};
	dtrace_id_t n = dtrace_nprobes();

	if (desc)
		return dtrace_probe_match(desc, list_one, &l);
	for (dtrace_id_t id = 1; id <= n; id++) {
		dtrace_probe_t *p = dtrace_probe_lookup(id);

		if (p)
			list_one(&l, p);
	}
	return (int)n;
}

static bool same_desc(const dtrace_ecbdesc_t *a, const dtrace_ecbdesc_t *b)
{
	const dtrace_probedesc_t *x = &a->e_desc, *y = &b->e_desc;

	return a->e_clause == b->e_clause && x->dtpd_id == y->dtpd_id &&
	       strcmp(x->dtpd_provider, y->dtpd_provider) == 0 && strcmp(x->dtpd_mod, y->dtpd_mod) == 0 &&
	       strcmp(x->dtpd_func, y->dtpd_func) == 0 && strcmp(x->dtpd_name, y->dtpd_name) == 0;
}

void list_program(FILE *fp, dt_t *dt, const dt_program_t *prog, bool verbose)
{
	const dtrace_ecbdesc_t *prev = NULL;

	for (const dtrace_ecbdesc_t *e = prog->p_ecbs; e; prev = e, e = e->e_next) {
		if (prev && same_desc(prev, e))
			continue;
		if (list_probes(fp, dt, &e->e_desc, verbose) == 0)
			msg_say("failed to match %s:%s:%s:%s: No probe matches description\n", e->e_desc.dtpd_provider,
				e->e_desc.dtpd_mod, e->e_desc.dtpd_func, e->e_desc.dtpd_name);
	}
}

/* ---- programs ---- */

/* What a piece of code depends on: raw arguments are those of the provider, curthread's data are private. */
static attr_t code_attr(const dif_t *d, attr_t args)
{
	attr_t a = attr_max;

	for (uint32_t i = 0; d && i < d->d_len; i++) {
		uint32_t op = DIF_OP(d->d_text[i]), var = DIF_IDX(d->d_text[i]);

		if (op == DIF_LDGA || (op == DIF_LDV && var <= DIF_VAR_ARG9))
			a = attr_min(a, args);
		else if (op == DIF_LDV && var == DIF_VAR_CURTHREAD)
			a = attr_min(a, (attr_t)A(STABLE, PRIVATE, COMMON));
	}
	return a;
}

static attr_t clause_attr(const dtrace_ecbdesc_t *e, attr_t args)
{
	attr_t a = code_attr(e->e_pred, args);

	for (const dtrace_act_t *act = e->e_acts; act; act = act->a_next)
		a = attr_min(attr_min(a, code_attr(act->a_dif, args)), code_attr(act->a_incr, args));
	return a;
}

/* What a description promises of the probes it matches: their providers' words on the parts it spells out. */
typedef struct promise {
	const dtrace_probedesc_t *pr_desc;
	attr_t pr_attr, pr_args;
} promise_t;

static void add_promise(promise_t *pr, const char *provider)
{
	const dtrace_probedesc_t *pd = pr->pr_desc;
	const char *const part[4] = {pd->dtpd_provider, pd->dtpd_mod, pd->dtpd_func, pd->dtpd_name};

	pr->pr_attr = attr_min(pr->pr_attr, parts_attr(provider, part));
	pr->pr_args = attr_min(pr->pr_args, provider_attr(provider)->pa_args);
}

static void match_promise(void *arg, dtrace_probe_t *p)
{
	add_promise(arg, p->dtpr_provider);
}

static promise_t desc_promise(const dtrace_probedesc_t *pd)
{
	promise_t pr = {pd, attr_max, attr_max};

	if (dtrace_probe_match(pd, match_promise, &pr) == 0)
		add_promise(&pr, pd->dtpd_provider);
	return pr;
}

void list_stability(FILE *fp, dt_t *dt, const dt_program_t *prog, const char *kind, const char *name, bool executing)
{
	attr_t descs = attr_max, stmts = attr_max;

	for (const dtrace_ecbdesc_t *e = prog->p_ecbs; e; e = e->e_next) {
		promise_t pr = desc_promise(&e->e_desc);

		descs = attr_min(descs, pr.pr_attr);
		stmts = attr_min(stmts, clause_attr(e, pr.pr_args));
	}
	fprintf(fp, "\nStability attributes for %s %s:\n", kind, name);
	print_attr(fp, "Minimum Probe Description Attributes", descs);
	print_attr(fp, "Minimum Statement Attributes", stmts);
	if (executing) {
		fputc('\n', fp);
		return;
	}
	for (const dtrace_ecbdesc_t *e = prog->p_ecbs; e; e = e->e_next) {
		fprintf(fp, "\n%s:%s:%s:%s\n", e->e_desc.dtpd_provider, e->e_desc.dtpd_mod, e->e_desc.dtpd_func,
			e->e_desc.dtpd_name);
		list_probes(fp, dt, &e->e_desc, true);
	}
}

static void put(void *arg, const char *text)
{
	fputs(text, arg);
}

static void list_dif(FILE *fp, const dif_t *d)
{
	if (d)
		dt_disassemble(d, put, fp);
}

void list_code(FILE *fp, const dt_program_t *prog)
{
	for (const dtrace_ecbdesc_t *e = prog->p_ecbs; e; e = e->e_next) {
		list_dif(fp, e->e_pred);
		for (const dtrace_act_t *a = e->e_acts; a; a = a->a_next) {
			list_dif(fp, a->a_dif);
			list_dif(fp, a->a_incr);
		}
	}
}
