/*
 * Control lines: `#pragma D ...', `#line', `#error', `#ident'.
 */
#include "d/dt_impl.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAXWORDS 32

/* A pragma that waits for its identifier. */
typedef struct dt_pragma {
	const char *pr_kind, *pr_name;
	int pr_line;
	const dt_attr_t *pr_attr; /* NULL: of a binding */
	uint32_t pr_version;
	bool pr_used;
	struct dt_pragma *pr_next;
} dt_pragma_t;

typedef struct words {
	const char *w[MAXWORDS];
	bool quoted[MAXWORDS];
	int n;
} words_t;

static void split(dt_t *dt, const char *text, words_t *ws)
{
	const char *p = text;

	ws->n = 0;
	while (ws->n < MAXWORDS) {
		const char *start;

		while (isspace((unsigned char)*p) || *p == '\\')
			p++;
		if (*p == '\0')
			break;
		if (strncmp(p, "/*", 2) == 0) {
			const char *end = strstr(p + 2, "*/");

			p = end != NULL ? end + 2 : p + strlen(p);
			continue;
		}
		ws->quoted[ws->n] = *p == '"';
		if (*p == '"') {
			start = ++p;
			while (*p != '\0' && *p != '"')
				p++;
			ws->w[ws->n++] = dt_strndup(dt, start, (size_t)(p - start));
			p += *p == '"';
			continue;
		}
		for (start = p; *p != '\0' && !isspace((unsigned char)*p) && *p != '"';)
			p++;
		ws->w[ws->n++] = dt_strndup(dt, start, (size_t)(p - start));
	}
}

#define MALFORMED(dt, form) dt_error(dt, "D_PRAGMA_MALFORM", dt_here(dt), "malformed #" form)

/* ---- attributes: A/B/C, each a stability or a class ---- */

static void apply(ident_t *id, const dt_attr_t *attr, uint32_t version)
{
	if (attr != NULL)
		id->i_attr = *attr;
	else
		id->i_version = version;
}

static void wait_for(dt_t *dt, const char *kind, const char *name, const dt_attr_t *attr, uint32_t version)
{
	ident_t *id = dt_ident_lookup(&dt->d_globals, name);
	dt_pragma_t *pr;

	if (id != NULL && id->i_builtin && !dt->d_pcb->p_lib)
		dt_error(dt, "D_PRAGMA_SCOPE", dt_here(dt),
			 "#pragma %s cannot modify entity defined outside program scope", kind);
	if (id != NULL) {
		apply(id, attr, version);
		return;
	}
	pr = dt_alloc(dt, sizeof(*pr));
	pr->pr_kind = kind;
	pr->pr_name = name;
	pr->pr_line = dt_here(dt);
	pr->pr_attr = attr;
	pr->pr_version = version;
	pr->pr_next = dt->d_pragmas;
	dt->d_pragmas = pr;
}

static void provider_attributes(dt_t *dt, const words_t *ws)
{
	static const char *const parts[] = {"provider", "module", "function", "name", "args"};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (strcmp(ws->w[5], parts[i]) == 0)
			return;
	}
	dt_error(dt, "D_PRAGMA_INVAL", dt_here(dt), "invalid component \"%s\" in attribute #pragma for provider %s",
		 ws->w[4], ws->w[5]);
}

static void pragma_attributes(dt_t *dt, const words_t *ws)
{
	bool provider = ws->n > 4 && strcmp(ws->w[3], "provider") == 0;
	dt_attr_t *attr = dt_alloc(dt, sizeof(*attr));

	if (ws->n != 4 && !(provider && ws->n <= 6))
		MALFORMED(dt, "pragma attributes <attributes> <ident>");
	if (!dt_attr_parse(ws->w[2], attr))
		dt_error(dt, "D_PRAGMA_INVAL", dt_here(dt), "invalid attributes specified by #pragma attributes");
	if (ws->n == 5)
		MALFORMED(dt, "pragma attributes <attributes> <ident>");
	if (provider)
		provider_attributes(dt, ws);
	else
		wait_for(dt, "attributes", ws->w[3], attr, 0);
}

uint32_t dt_version(const char *s)
{
	unsigned int a, b, c = 0;
	int n = 0;

	if (sscanf(s, "%u.%u%n", &a, &b, &n) != 2)
		return 0;
	if (s[n] == '.' && sscanf(s + n + 1, "%u", &c) == 1)
		n += 1 + (int)strspn(s + n + 1, "0123456789");
	return s[n] == '\0' && a < 256 && b < 4096 && c < 4096 ? a << 24 | b << 12 | c : 0;
}

static void pragma_binding(dt_t *dt, const words_t *ws)
{
	uint32_t version;

	if (ws->n != 4 || !ws->quoted[2])
		MALFORMED(dt, "pragma binding \"version\" <ident>");
	version = dt_version(ws->w[2]);
	if (version == 0)
		dt_error(dt, "D_PRAGMA_INVAL", dt_here(dt), "invalid version string specified by #pragma binding");
	wait_for(dt, "binding", ws->w[3], NULL, version);
}

static void pragma_depends(dt_t *dt, const words_t *ws)
{
	const char *class = ws->n > 2 ? ws->w[2] : NULL, *name = ws->n > 3 ? ws->w[3] : NULL;
	bool ok;

	if (ws->n != 4)
		MALFORMED(dt, "pragma depends_on <class> <name>");
	if (strcmp(class, "provider") == 0)
		ok = dt_provider_exists(dt, name);
	else if (strcmp(class, "module") == 0)
		ok = ctf_module_exists(name);
	else if (strcmp(class, "library") != 0)
		dt_error(dt, "D_PRAGMA_INVAL", dt_here(dt), "invalid class %s specified by #pragma depends_on", class);
	else if (!dt->d_pcb->p_lib)
		dt_error(dt, "D_PRAGMA_DEPEND", dt_here(dt), "main program may not explicitly depend on a library");
	else {
		dt_lib_depend(dt, name);
		ok = true;
	}
	if (!ok)
		dt_error(dt, "D_PRAGMA_DEPEND", dt_here(dt), "program requires %s %s", class, name);
}

static void pragma_option(dt_t *dt, const words_t *ws)
{
	const char *opt, *eq, *why = "Invalid option name", *val = NULL;

	if (ws->n == 2)
		MALFORMED(dt, "pragma option <option>=<val>");
	if (ws->n > 3)
		dt_error(dt, "D_PRAGMA_MALFORM", dt_here(dt), "superfluous arguments specified for #pragma option");
	opt = ws->w[2];
	if ((eq = strchr(opt, '=')) != NULL) {
		val = eq + 1;
		opt = dt_strndup(dt, opt, (size_t)(eq - opt));
	}
	if (dt->d_opts->opt_set != NULL && dt->d_opts->opt_set(dt->d_opts->opt_arg, opt, val, &why) == 0) {
		dt->d_strsize = dt->d_opts->o_strsize != 0 ? dt->d_opts->o_strsize : 256;
		return;
	}
	if (val != NULL)
		dt_error(dt, "D_PRAGMA_OPTSET", dt_here(dt), "failed to set option '%s' to '%s': %s", opt, val, why);
	dt_error(dt, "D_PRAGMA_OPTSET", dt_here(dt), "failed to set option '%s': %s", opt, why);
}

static void pragma_d(dt_t *dt, const words_t *ws)
{
	static const struct {
		const char *name;
		void (*func)(dt_t *dt, const words_t *ws);
	} tab[] = {
	    {"attributes", pragma_attributes},
	    {"binding", pragma_binding},
	    {"depends_on", pragma_depends},
	    {"option", pragma_option},
	};
	words_t rest = *ws;

	if (ws->n < 3)
		return;
	rest.n--;
	memmove(rest.w, ws->w + 1, (size_t)rest.n * sizeof(rest.w[0]));
	memmove(rest.quoted, ws->quoted + 1, (size_t)rest.n * sizeof(rest.quoted[0]));
	for (size_t i = 0; i < sizeof(tab) / sizeof(tab[0]); i++) {
		if (strcmp(tab[i].name, rest.w[1]) == 0) {
			tab[i].func(dt, &rest);
			return;
		}
	}
	dt_error(dt, "D_PRAGMA_INVAL", dt_here(dt), "invalid D pragma: %s", rest.w[1]);
}

/* ---- other directives ---- */

/* `#line N "file"', also as `# N "file" flags' from a preprocessor: 1 enters an include file, 2 leaves it. */
static void line_directive(dt_t *dt, const words_t *ws, int first)
{
	pcb_t *p = dt->d_pcb;
	char *end;
	long line;

	if (ws->n <= first || (ws->n > first + 1 && !ws->quoted[first + 1]))
		MALFORMED(dt, "line <line> [ [\"file\"] state ]");
	line = strtol(ws->w[first], &end, 10);
	if (*end != '\0' || line < 0 || line > INT32_MAX)
		MALFORMED(dt, "line <line> [ [\"file\"] state ]");
	p->p_line = (int)line - 1; /* the newline is counted after this */
	if (ws->n > first + 1) {
		const char *file = ws->w[first + 1];
		bool main = p->p_src->src_file != NULL && strcmp(file, p->p_src->src_file) == 0;

		p->p_file = main || *file == '\0' ? NULL : file;
	}
	if (ws->n > first + 2 && strcmp(ws->w[first + 2], "1") == 0)
		p->p_inclevel++;
	if (ws->n > first + 2 && strcmp(ws->w[first + 2], "2") == 0 && p->p_inclevel > 0)
		p->p_inclevel--;
}

static void error_directive(dt_t *dt, const words_t *ws)
{
	const char *s = "";

	for (int i = 1; i < ws->n; i++)
		s = dt_sprintf(dt, "%s%s ", s, ws->w[i]);
	dt_error(dt, "D_PRAGERR", dt_here(dt), "#error: %s", s);
}

void dt_pragma(dt_t *dt, const char *text)
{
	words_t ws;

	split(dt, text, &ws);
	if (ws.n == 0)
		return;
	if (ws.quoted[0]) /* reported by the parser, which has read the newline */
		dt_error(dt, "D_PRAGCTL_INVAL", dt_here(dt) + 1, "invalid control directive");
	if (isdigit((unsigned char)ws.w[0][0]))
		line_directive(dt, &ws, 0);
	else if (strcmp(ws.w[0], "line") == 0)
		line_directive(dt, &ws, 1);
	else if (strcmp(ws.w[0], "error") == 0)
		error_directive(dt, &ws);
	else if (strcmp(ws.w[0], "pragma") == 0) {
		if (ws.n > 1 && strcmp(ws.w[1], "D") == 0)
			pragma_d(dt, &ws);
	} else if (strcmp(ws.w[0], "ident") != 0)
		dt_error(dt, "D_PRAGCTL_INVAL", dt_here(dt), "invalid control directive: #%s", ws.w[0]);
}

void dt_pragma_defined(dt_t *dt, ident_t *id)
{
	for (dt_pragma_t *pr = dt->d_pragmas; pr != NULL; pr = pr->pr_next) {
		if (strcmp(pr->pr_name, id->i_name) != 0)
			continue;
		pr->pr_used = true;
		apply(id, pr->pr_attr, pr->pr_version);
	}
}

void dt_pragma_check_unused(dt_t *dt)
{
	for (dt_pragma_t *pr = dt->d_pragmas; pr != NULL; pr = pr->pr_next) {
		if (!pr->pr_used)
			dt_error(dt, "D_PRAGMA_UNUSED", pr->pr_line, "unused #pragma %s", pr->pr_kind);
	}
	dt->d_pragmas = NULL;
}
