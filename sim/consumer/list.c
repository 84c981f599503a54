/*
 * Listings.
 */
#include "list.h"

#include <string.h>

#include "d/attr.h"
#include "msg.h"

static dt_attr_t probe_attr(const dtrace_probe_t *p)
{
	const char *const field[4] = {p->dtpr_provider, p->dtpr_mod, p->dtpr_func, p->dtpr_name};

	return dt_attr_desc(p->dtpr_provider, field);
}

static void print_attr(FILE *fp, const char *title, dt_attr_t a)
{
	fprintf(fp, "\n\t%s\n\t\tIdentifier Names: %s\n\t\tData Semantics:   %s\n\t\tDependency Class: %s\n", title,
		dt_stability_name(a.a_name), dt_stability_name(a.a_data), dt_class_name(a.a_class));
}

/* ---- probes ---- */

#define MAXARGS 32

static void print_verbose(FILE *fp, dt_t *dt, const dtrace_probe_t *p)
{
	const char *types[MAXARGS];
	int n = dt_probe_argtypes(dt, p, types, MAXARGS);

	print_attr(fp, "Probe Description Attributes", probe_attr(p));
	print_attr(fp, "Argument Attributes", dt_attr_args(p->dtpr_provider));
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

void list_stability(FILE *fp, dt_t *dt, const dt_program_t *prog, const char *kind, const char *name, bool executing)
{
	fprintf(fp, "\nStability attributes for %s %s:\n", kind, name);
	print_attr(fp, "Minimum Probe Description Attributes", prog->p_desc_attr);
	print_attr(fp, "Minimum Statement Attributes", prog->p_stmt_attr);
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
