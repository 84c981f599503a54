/*
 * Stability attributes: see attr.h.  A provider states attributes for each part
 * of its probes' descriptions and for their arguments.
 */
#include "d/attr.h"

#include <string.h>
#include <strings.h>

#define A(n, d, c)                           \
	{                                    \
		DT_##n, DT_##d, DT_CLASS_##c \
	}
#define HIDDEN A(PRIVATE, PRIVATE, UNKNOWN)
#define EVOLVING_ISA A(EVOLVING, EVOLVING, ISA)

const dt_attr_t dt_attr_default = A(STABLE, STABLE, COMMON);
const dt_attr_t dt_attr_symbol = HIDDEN;

static const char *const stability_names[] = {"Internal", "Private",  "Obsolete", "External",
					      "Unstable", "Evolving", "Stable",   "Standard"};
static const char *const class_names[] = {"Unknown", "CPU", "Platform", "Group", "ISA", "Common"};

typedef struct prov_attr {
	const char *pa_name;
	dt_attr_t pa_part[4]; /* provider, module, function, name */
	dt_attr_t pa_args;
} prov_attr_t;

static const prov_attr_t providers[] = {
    {"dtrace", {A(STABLE, STABLE, COMMON), HIDDEN, HIDDEN, A(STABLE, STABLE, COMMON)}, A(STABLE, STABLE, COMMON)},
    {"profile",
     {A(EVOLVING, EVOLVING, COMMON), A(UNSTABLE, UNSTABLE, COMMON), HIDDEN, A(EVOLVING, EVOLVING, COMMON)},
     A(EVOLVING, EVOLVING, COMMON)},
    {"fbt", {EVOLVING_ISA, HIDDEN, HIDDEN, EVOLVING_ISA}, A(PRIVATE, PRIVATE, ISA)},
    {"sdt", {EVOLVING_ISA, HIDDEN, HIDDEN, A(PRIVATE, PRIVATE, ISA)}, A(PRIVATE, PRIVATE, ISA)},
    {"syscall",
     {A(EVOLVING, EVOLVING, COMMON), HIDDEN, A(UNSTABLE, UNSTABLE, ISA), A(EVOLVING, EVOLVING, COMMON)},
     A(UNSTABLE, UNSTABLE, ISA)},
    {"mib", {EVOLVING_ISA, HIDDEN, HIDDEN, EVOLVING_ISA}, EVOLVING_ISA},
    {"sched", {EVOLVING_ISA, HIDDEN, HIDDEN, EVOLVING_ISA}, EVOLVING_ISA},
    {"proc", {EVOLVING_ISA, HIDDEN, HIDDEN, EVOLVING_ISA}, EVOLVING_ISA},
    {"io", {EVOLVING_ISA, HIDDEN, HIDDEN, EVOLVING_ISA}, EVOLVING_ISA},
    {"ip", {EVOLVING_ISA, HIDDEN, HIDDEN, EVOLVING_ISA}, EVOLVING_ISA},
    {"tcp", {EVOLVING_ISA, HIDDEN, HIDDEN, EVOLVING_ISA}, EVOLVING_ISA},
    {"udp", {EVOLVING_ISA, HIDDEN, HIDDEN, EVOLVING_ISA}, EVOLVING_ISA},
    {"", {HIDDEN, HIDDEN, HIDDEN, HIDDEN}, HIDDEN},
};

static const prov_attr_t *provider_attr(const char *name)
{
	const prov_attr_t *pa = providers;

	while (*pa->pa_name != '\0' && strcmp(pa->pa_name, name) != 0)
		pa++;
	return pa;
}

dt_attr_t dt_attr_min(dt_attr_t a, dt_attr_t b)
{
	return (dt_attr_t){MIN(a.a_name, b.a_name), MIN(a.a_data, b.a_data), MIN(a.a_class, b.a_class)};
}

const char *dt_stability_name(uint8_t stability)
{
	return stability_names[stability];
}

const char *dt_class_name(uint8_t class)
{
	return class_names[class];
}

/* The word that ends at a slash or at the end of the text; its number, or -1. */
static int one_of(const char **s, const char *const *tab, int ntab)
{
	size_t n = strcspn(*s, "/");

	for (int i = 0; i < ntab; i++) {
		if (strncasecmp(*s, tab[i], n) == 0 && tab[i][n] == '\0') {
			*s += n;
			return i;
		}
	}
	return -1;
}

bool dt_attr_parse(const char *text, dt_attr_t *a)
{
	int name, data = -1, class = -1;

	name = one_of(&text, stability_names, DT_STANDARD + 1);
	if (name >= 0 && *text++ == '/')
		data = one_of(&text, stability_names, DT_STANDARD + 1);
	if (data >= 0 && *text++ == '/')
		class = one_of(&text, class_names, DT_CLASS_COMMON + 1);
	if (class < 0 || *text != '\0')
		return false;
	*a = (dt_attr_t){(uint8_t)name, (uint8_t)data, (uint8_t) class};
	return true;
}

dt_attr_t dt_attr_args(const char *provider)
{
	return provider_attr(provider)->pa_args;
}

dt_attr_t dt_attr_desc(const char *provider, const char *const field[4])
{
	const prov_attr_t *pa = provider_attr(provider);
	dt_attr_t a = dt_attr_default;

	for (int i = 0; i < 4; i++) {
		if (field[i] != NULL && *field[i] != '\0')
			a = dt_attr_min(a, pa->pa_part[i]);
	}
	return a;
}

typedef struct promise {
	const char *const *pr_field;
	dt_attr_t pr_attr, pr_args;
} promise_t;

static void add_provider(promise_t *pr, const char *provider)
{
	pr->pr_attr = dt_attr_min(pr->pr_attr, dt_attr_desc(provider, pr->pr_field));
	pr->pr_args = dt_attr_min(pr->pr_args, dt_attr_args(provider));
}

static void match_probe(void *arg, dtrace_probe_t *p)
{
	add_provider(arg, p->dtpr_provider);
}

dt_attr_t dt_attr_probes(const dtrace_probedesc_t *pd, dt_attr_t *args)
{
	const char *const field[4] = {pd->dtpd_provider, pd->dtpd_mod, pd->dtpd_func, pd->dtpd_name};
	promise_t pr = {field, dt_attr_default, dt_attr_default};

	if (dtrace_probe_match(pd, match_probe, &pr) == 0)
		add_provider(&pr, pd->dtpd_provider);
	*args = pr.pr_args;
	return pr.pr_attr;
}
