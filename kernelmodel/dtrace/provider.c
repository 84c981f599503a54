/*
 * Probes and providers: the table of all probes, and matching of descriptions.
 */
#include <stdlib.h>
#include <string.h>

#include "dtrace_impl.h"

static dtrace_probe_t **probes; /* [id - 1]; each allocated by itself, so that they never move */
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

dtrace_id_t dtrace_probe_create(const dtrace_provider_t *prov, const char *mod, const char *func, const char *name,
				void *arg)
{
	size_t lm = strlen(mod) + 1, lf = strlen(func) + 1, ln = strlen(name) + 1;
	dtrace_probe_t *p;
	char *text;

	if (nprobes == maxprobes) {
		dtrace_id_t max = maxprobes == 0 ? 4096 : maxprobes * 2;
		dtrace_probe_t **more = realloc(probes, max * sizeof(*probes));

		if (more == NULL)
			return 0;
		probes = more;
		maxprobes = max;
	}
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

dtrace_probe_t *dtrace_probe_lookup(dtrace_id_t id)
{
	return id == 0 || id > nprobes ? NULL : probes[id - 1];
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

int dtrace_probe_match(const dtrace_probedesc_t *desc, void (*f)(void *, dtrace_probe_t *), void *arg)
{
	pattern_t prov, mod, func, name;
	dtrace_id_t i, n;
	int found = 0;

	if (desc->dtpd_id != 0) {
		dtrace_probe_t *p = dtrace_probe_lookup(desc->dtpd_id);

		if (p != NULL && f != NULL)
			f(arg, p);
		return p != NULL;
	}
	provide(desc);
	prov = pattern_of(desc->dtpd_provider);
	mod = pattern_of(desc->dtpd_mod);
	func = pattern_of(desc->dtpd_func);
	name = pattern_of(desc->dtpd_name);
	n = nprobes;
	for (i = 0; i < n; i++) {
		dtrace_probe_t *p = probes[i];

		/* nothing given at all: only probes that belong to a function */
		if (prov.any && mod.any && func.any && name.any && *p->dtpr_func == '\0')
			continue;
		if (!pattern_match(&name, p->dtpr_name) || !pattern_match(&func, p->dtpr_func) ||
		    !pattern_match(&mod, p->dtpr_mod) || !pattern_match(&prov, p->dtpr_provider))
			continue;
		found++;
		if (f != NULL)
			f(arg, p);
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
	while (nprobes > 0)
		free(probes[--nprobes]);
	free(probes);
	free(providers);
	probes = NULL;
	providers = NULL;
	maxprobes = 0;
	nproviders = 0;
	dtrace_probe_begin = dtrace_probe_end = dtrace_probe_error = NULL;
}
