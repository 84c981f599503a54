/*
 * Probes and providers: the table of all probes, and matching of descriptions.
 *
 * There are thousands of probes and most runs use a few.  So a provider may
 * reserve a lot of ids at once and describe a probe of it when asked: only the
 * probes that match something or are looked up come into being.
 */
#include <stdlib.h>
#include <string.h>

#include "dtrace_impl.h"

/* Probes that a provider has reserved. */
typedef struct lot {
	const dtrace_provider_t *l_prov;
	dtrace_id_t l_first, l_n;
	struct lot *l_next;
} lot_t;

/* [id - 1]; each allocated by itself, so that they never move; NULL: reserved, not made yet */
static dtrace_probe_t **probes;
static lot_t *lots;
static dtrace_id_t nprobes, maxprobes;
static const dtrace_provider_t **providers;
static size_t nproviders;

dtrace_probe_t *dtrace_probe_begin, *dtrace_probe_end, *dtrace_probe_error;

/* ---- the dtrace provider ---- */

static int dtrace_enable_none(dtrace_probe_t *p)
{
	(void)p;
	return 0;
}

static void dtrace_disable_none(dtrace_probe_t *p)
{
	(void)p;
}

static const char *const *dtrace_argtypes(const dtrace_probe_t *p)
{
	static const char *const none[] = {NULL};
	static const char *const error[] = {"int", "int", "int", "int", "int", "uint64_t", NULL};

	return p == dtrace_probe_error ? error : none;
}

static const dtrace_provider_t dtrace_provider = {.dtpv_name = "dtrace",
						  .dtpv_enable = dtrace_enable_none,
						  .dtpv_disable = dtrace_disable_none,
						  .dtpv_argtypes = dtrace_argtypes,
						  .dtpv_stable = true};

/* ---- the table ---- */

static void provider_note(const dtrace_provider_t *prov)
{
	const dtrace_provider_t **more;
	size_t i;

	for (i = 0; i < nproviders; i++)
		if (providers[i] == prov)
			return;
	more = realloc(providers, (nproviders + 1) * sizeof(*providers));
	if (more == NULL)
		return;
	providers = more;
	providers[nproviders++] = prov;
}

/* Room for n more probes, unmade. */
static bool table_grow(dtrace_id_t n)
{
	if (nprobes + n > maxprobes) {
		dtrace_id_t max = MAX(MAX(maxprobes * 2, nprobes + n), 16384);
		dtrace_probe_t **more = calloc(max, sizeof(*probes));

		if (more == NULL)
			return false;
		if (nprobes > 0)
			memcpy(more, probes, nprobes * sizeof(*probes));
		free(probes);
		probes = more;
		maxprobes = max;
	}
	return true;
}

dtrace_id_t dtrace_probe_create(const dtrace_provider_t *prov, const char *mod, const char *func, const char *name,
				void *arg)
{
	size_t lm = strlen(mod) + 1, lf = strlen(func) + 1, ln = strlen(name) + 1;
	dtrace_probe_t *p;
	char *text;

	if (!table_grow(1))
		return 0;
	p = calloc(1, sizeof(*p) + lm + lf + ln);
	if (p == NULL)
		return 0;
	text = (char *)(p + 1);
	p->dtpr_provider = prov->dtpv_name;
	p->dtpr_mod = memcpy(text, mod, lm);
	p->dtpr_func = memcpy(text + lm, func, lf);
	p->dtpr_name = memcpy(text + lm + lf, name, ln);
	p->dtpr_prov = prov;
	p->dtpr_arg = arg;
	probes[nprobes++] = p;
	p->dtpr_id = nprobes;
	provider_note(prov);
	return p->dtpr_id;
}

/* ---- reserved probes ---- */

void dtrace_probe_reserve(const dtrace_provider_t *prov, dtrace_id_t n)
{
	lot_t *l = malloc(sizeof(*l));

	if (l == NULL || !table_grow(n)) {
		free(l);
		return;
	}
	*l = (lot_t){prov, nprobes + 1, n, lots};
	lots = l;
	nprobes += n;
	provider_note(prov);
}

/* NULL: it was not reserved. */
static const lot_t *lot_of(dtrace_id_t id)
{
	const lot_t *l = lots;

	while (l != NULL && id - l->l_first >= l->l_n)
		l = l->l_next;
	return l;
}

static void lot_describe(const lot_t *l, dtrace_id_t id, dtrace_probedesc_t *pd)
{
	pd->dtpd_provider = l->l_prov->dtpv_name;
	l->l_prov->dtpv_describe(id - l->l_first, pd);
}

static dtrace_probe_t *lot_make(const lot_t *l, dtrace_id_t id)
{
	dtrace_probe_t *p = calloc(1, sizeof(*p));
	dtrace_probedesc_t pd;

	if (p == NULL || (p->dtpr_arg = l->l_prov->dtpv_made(id - l->l_first, p)) == NULL) {
		free(p);
		return NULL;
	}
	lot_describe(l, id, &pd);
	p->dtpr_id = id;
	p->dtpr_provider = pd.dtpd_provider;
	p->dtpr_mod = pd.dtpd_mod;
	p->dtpr_func = pd.dtpd_func;
	p->dtpr_name = pd.dtpd_name;
	p->dtpr_prov = l->l_prov;
	probes[id - 1] = p;
	return p;
}

dtrace_probe_t *dtrace_probe_lookup(dtrace_id_t id)
{
	if (id == 0 || id > nprobes)
		return NULL;
	return probes[id - 1] != NULL ? probes[id - 1] : lot_make(lot_of(id), id);
}

dtrace_id_t dtrace_nprobes(void)
{
	return nprobes;
}

/* ---- matching ---- */

/* [set] at p (behind the bracket): is c in it?  *end = behind the closing bracket; NULL = there is none. */
static bool match_set(const char *p, char c, const char **end)
{
	bool negate = *p == '!', in = false;
	unsigned char ch = (unsigned char)c, lo, hi;

	if (negate)
		p++;
	do {
		if (*p == '\\' && p[1] != '\0')
			p++;
		if (*p == '\0') {
			*end = NULL;
			return false;
		}
		lo = hi = (unsigned char)*p++;
		if (*p == '-' && p[1] != ']' && p[1] != '\0') {
			p++;
			if (*p == '\\' && p[1] != '\0')
				p++;
			hi = (unsigned char)*p++;
		}
		if (ch >= lo && ch <= hi)
			in = true;
	} while (*p != ']');
	*end = p + 1;
	return in != negate;
}

bool dtrace_gmatch(const char *s, const char *p)
{
	const char *end;

	for (;; s++) {
		switch (*p) {
		case '\0':
			return *s == '\0';
		case '*':
			while (*p == '*')
				p++;
			if (*p == '\0')
				return true;
			for (; *s != '\0'; s++) /* non-empty rests only */
				if (dtrace_gmatch(s, p))
					return true;
			return false;
		case '?':
			if (*s == '\0')
				return false;
			p++;
			break;
		case '[':
			if (*s == '\0' || !match_set(p + 1, *s, &end) || end == NULL)
				return false;
			p = end;
			break;
		case '\\':
			if (p[1] != '\0')
				p++;
			/* FALLTHROUGH */
		default:
			if (*s != *p)
				return false;
			p++;
			break;
		}
	}
}

bool provider_isglob(const char *pattern)
{
	return strpbrk(pattern, "[?*\\") != NULL;
}

typedef struct pattern {
	const char *text;
	bool any, glob;
} pattern_t;

static pattern_t pattern_of(const char *text)
{
	pattern_t p = {text, text == NULL || *text == '\0', false};

	if (!p.any)
		p.glob = provider_isglob(text);
	return p;
}

static bool pattern_match(const pattern_t *p, const char *subject)
{
	if (p->any)
		return true;
	return p->glob ? dtrace_gmatch(subject, p->text) : strcmp(subject, p->text) == 0;
}

/* Let the providers make what the description asks for. */
static void provide(const dtrace_probedesc_t *desc)
{
	size_t i;

	for (i = 0; i < nproviders; i++)
		if (providers[i]->dtpv_provide != NULL)
			providers[i]->dtpv_provide(desc);
}

typedef struct matcher {
	pattern_t m_prov, m_mod, m_func, m_name;
} matcher_t;

static bool match_probe(const matcher_t *m, const dtrace_probedesc_t *pd)
{
	/* nothing given at all: only probes that belong to a function */
	if (m->m_prov.any && m->m_mod.any && m->m_func.any && m->m_name.any && *pd->dtpd_func == '\0')
		return false;
	return pattern_match(&m->m_name, pd->dtpd_name) && pattern_match(&m->m_func, pd->dtpd_func) &&
	       pattern_match(&m->m_mod, pd->dtpd_mod) && pattern_match(&m->m_prov, pd->dtpd_provider);
}

/* Can some of the lot's probes match? */
static bool match_lot(const matcher_t *m, const lot_t *l)
{
	const char *const *name;

	if (!pattern_match(&m->m_prov, l->l_prov->dtpv_name))
		return false;
	for (name = l->l_prov->dtpv_names; *name != NULL; name++)
		if (pattern_match(&m->m_name, *name))
			return true;
	return false;
}

/* The first of a lot's probes from id on that may match, or the one behind the lot. */
static dtrace_id_t match_next(const matcher_t *m, const lot_t *l, dtrace_id_t id)
{
	uint32_t i;

	if (!match_lot(m, l))
		return l->l_first + l->l_n;
	if (m->m_func.any || m->m_func.glob)
		return id;
	i = l->l_prov->dtpv_next(id - l->l_first, m->m_func.text);
	return l->l_first + (i == DTRACE_NOPROBE ? l->l_n : i);
}

static void describe(dtrace_id_t id, dtrace_probedesc_t *pd)
{
	const dtrace_probe_t *p = probes[id - 1];

	if (p != NULL)
		*pd = (dtrace_probedesc_t){0, p->dtpr_provider, p->dtpr_mod, p->dtpr_func, p->dtpr_name};
	else
		lot_describe(lot_of(id), id, pd);
}

int dtrace_probe_match(const dtrace_probedesc_t *desc, void (*f)(void *, dtrace_probe_t *), void *arg)
{
	dtrace_probedesc_t pd;
	dtrace_id_t id, n;
	dtrace_probe_t *p;
	matcher_t m;
	int found = 0;

	if (desc->dtpd_id != 0) {
		p = dtrace_probe_lookup(desc->dtpd_id);
		if (p != NULL && f != NULL)
			f(arg, p);
		return p != NULL;
	}
	provide(desc);
	m = (matcher_t){pattern_of(desc->dtpd_provider), pattern_of(desc->dtpd_mod), pattern_of(desc->dtpd_func),
			pattern_of(desc->dtpd_name)};
	n = nprobes;
	for (id = 1; id <= n; id++) {
		const lot_t *l = lot_of(id);

		if (l != NULL && (id = match_next(&m, l, id)) >= l->l_first + l->l_n) {
			id--;
			continue;
		}
		describe(id, &pd);
		if (!match_probe(&m, &pd))
			continue;
		if (f != NULL && (p = dtrace_probe_lookup(id)) != NULL)
			f(arg, p);
		found++;
	}
	return found;
}

/* ---- start and end ---- */

void provider_init(void)
{
	provider_note(&dtrace_provider);
	dtrace_probe_begin = dtrace_probe_lookup(dtrace_probe_create(&dtrace_provider, "", "", "BEGIN", NULL));
	dtrace_probe_end = dtrace_probe_lookup(dtrace_probe_create(&dtrace_provider, "", "", "END", NULL));
	dtrace_probe_error = dtrace_probe_lookup(dtrace_probe_create(&dtrace_provider, "", "", "ERROR", NULL));
}

void provider_fini(void)
{
	lot_t *l;

	while (nprobes > 0)
		free(probes[--nprobes]);
	while ((l = lots) != NULL) {
		lots = l->l_next;
		free(l);
	}
	free(probes);
	free(providers);
	probes = NULL;
	providers = NULL;
	maxprobes = 0;
	nproviders = 0;
	dtrace_probe_begin = dtrace_probe_end = dtrace_probe_error = NULL;
}
