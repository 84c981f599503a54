/*
 * The compiler as a whole: memory, errors, and the order of the phases.
 */
#include "d/dt_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int dtgram_parse(dt_t *dt);

/* ---- memory ---- */

#define CHUNK 65536

struct arena_chunk {
	struct arena_chunk *next;
	size_t used, size;
	_Alignas(16) char data[];
};

void *dt_alloc(dt_t *dt, size_t size)
{
	struct arena_chunk *c = dt->d_arena;
	void *p;

	size = (size + 15) & ~(size_t)15;
	if (c == NULL || c->size - c->used < size) {
		size_t n = MAX(size, CHUNK);

		c = calloc(1, sizeof(*c) + n);
		if (c == NULL)
			abort();
		c->size = n;
		c->next = dt->d_arena;
		dt->d_arena = c;
	}
	p = c->data + c->used;
	c->used += size;
	return p;
}

char *dt_strndup(dt_t *dt, const char *s, size_t n)
{
	char *p = dt_alloc(dt, n + 1);

	memcpy(p, s, n);
	return p;
}

char *dt_strdup(dt_t *dt, const char *s)
{
	return dt_strndup(dt, s, strlen(s));
}

char *dt_sprintf(dt_t *dt, const char *fmt, ...)
{
	va_list ap;
	char *p;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	p = dt_alloc(dt, (size_t)n + 1);
	va_start(ap, fmt);
	vsnprintf(p, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return p;
}

void *dt_grow(dt_t *dt, void *tab, size_t n, size_t *alloced, size_t size)
{
	void *p;

	if (n < *alloced)
		return tab;
	*alloced = *alloced == 0 ? 16 : *alloced * 2;
	p = dt_alloc(dt, *alloced * size);
	if (n > 0)
		memcpy(p, tab, n * size);
	return p;
}

/* ---- errors ---- */

int dt_last_line(dt_t *dt)
{
	const pcb_t *p = dt->d_pcb;
	size_t n = strlen(p->p_src->src_text);

	return p->p_line - (n > 0 && p->p_src->src_text[n - 1] == '\n');
}

static const char *location(dt_t *dt, int line)
{
	const pcb_t *p = dt->d_pcb;

	if (p == NULL)
		return "";
	if (p->p_file != NULL)
		return dt_sprintf(dt, "\"%s\", line %d: ", p->p_file, line);
	if (p->p_src->src_file != NULL)
		return dt_sprintf(dt, "line %d: ", line);
	if (p->p_region != NULL)
		return dt_sprintf(dt, "%s: ", p->p_region);
	return "";
}

void dt_error(dt_t *dt, const char *tag, int line, const char *fmt, ...)
{
	const char *where = location(dt, line);
	va_list ap;
	size_t len = 0, n;
	int k;

	dt->d_errtag = tag != NULL ? tag : "D_UNKNOWN";
	if (dt->d_opts->o_errtags && tag != NULL)
		where = dt_sprintf(dt, "[%s] %s", tag, where);
	va_start(ap, fmt);
	k = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	n = strlen(where);
	dt->d_err = dt_alloc(dt, n + (size_t)k + 1);
	memcpy(dt->d_err, where, n);
	va_start(ap, fmt);
	vsnprintf(dt->d_err + n, (size_t)k + 1, fmt, ap);
	va_end(ap);
	len = n + (size_t)k;
	if (len > 0 && dt->d_err[len - 1] == '\n')
		dt->d_err[len - 1] = '\0';
	longjmp(dt->d_jmp, 1);
}

const char *dt_errmsg(const dt_t *dt)
{
	return dt->d_err != NULL ? dt->d_err : "";
}

/* ---- compiling ---- */

static void parse(dt_t *dt)
{
	dt_lex_start(dt);
	if (dtgram_parse(dt) != 0)
		dt_error(dt, "D_UNKNOWN", dt_here(dt), "out of memory");
	dt_lex_stop(dt);
}

static void compile(dt_t *dt, dt_program_t *prog)
{
	pcb_t *p = dt->d_pcb;
	dtrace_ecbdesc_t **tail = &prog->p_ecbs;

	parse(dt);
	dt_pragma_check_unused(dt);
	dt_macro_check_unused(dt);
	if (!p->p_content && !p->p_lib && !dt->d_opts->o_empty)
		dt_error(dt, "D_EMPTY", dt_last_line(dt), "empty D program translation unit");
	if (p->p_split)
		dt_clause(dt, dt_error_clause(dt), &tail);
	for (node_t *n = p->p_items; n != NULL; n = n->n_next) {
		if (n->n_kind == N_PROVIDER)
			dt_provider_define(dt, n);
		else
			dt_clause(dt, n, &tail);
	}
}

/* Libraries that the text needs are compiled before it; inside of another compilation this one is apart from it. */
dt_program_t *dt_compile_source(dt_t *dt, const dt_source_t *src, bool lib)
{
	dt_program_t *prog = dt_alloc(dt, sizeof(*prog));
	pcb_t *p = dt_alloc(dt, sizeof(*p)), *outer = dt->d_pcb;
	jmp_buf outer_jmp;
	bool ok;

	if (dt_lib_need(dt, src->src_text) != 0)
		return NULL;
	for (int i = 0; i < src->src_argc; i++) {
		if (dt_lib_need(dt, src->src_argv[i]) != 0)
			return NULL;
	}
	memcpy(&outer_jmp, &dt->d_jmp, sizeof(outer_jmp));
	p->p_src = src;
	p->p_lib = lib;
	p->p_line = 1;
	p->p_desc_attr = p->p_arg_attr = p->p_stmt_attr = dt_attr_default;
	p->p_file = lib ? src->src_file : NULL;
	p->p_argused = dt_alloc(dt, (size_t)src->src_argc + 1);
	prog->p_name = src->src_file != NULL ? dt_strdup(dt, src->src_file) : NULL;
	dt->d_pcb = p;
	dt->d_err = NULL;
	dt->d_strsize = dt->d_opts->o_strsize != 0 ? dt->d_opts->o_strsize : 256;
	ok = setjmp(dt->d_jmp) == 0;
	if (ok)
		compile(dt, prog);
	prog->p_desc_attr = p->p_desc_attr;
	prog->p_stmt_attr = p->p_stmt_attr;
	dt_lex_stop(dt);
	dt->d_pcb = outer;
	memcpy(&dt->d_jmp, &outer_jmp, sizeof(outer_jmp));
	return ok ? prog : NULL;
}

dt_program_t *dt_compile(dt_t *dt, const dt_source_t *src)
{
	return dt_lib_load_dirs(dt) == 0 ? dt_compile_source(dt, src, false) : NULL;
}

/* ---- start and end ---- */

dt_t *dt_create(const dt_options_t *opts, char *errbuf, size_t errlen)
{
	dt_t *dt = calloc(1, sizeof(*dt));

	if (dt == NULL) {
		snprintf(errbuf, errlen, "out of memory");
		return NULL;
	}
	dt->d_opts = opts;
	dt->d_strsize = opts->o_strsize != 0 ? opts->o_strsize : 256;
	ctf_init(dt);
	dt_ident_init(dt);
	dt_lib_init(dt);
	return dt;
}

void dt_destroy(dt_t *dt)
{
	struct arena_chunk *c, *next;

	if (dt == NULL)
		return;
	for (size_t i = 0; i < dt->d_nfmts; i++)
		dt_format_free(dt->d_fmts[i]);
	for (c = dt->d_arena; c != NULL; c = next) {
		next = c->next;
		free(c);
	}
	free(dt);
}

const dif_vardesc_t *dt_vars(const dt_t *dt, size_t *n)
{
	*n = dt->d_nvars;
	return dt->d_vars;
}

dtrace_aggvar_t *const *dt_aggs(const dt_t *dt, size_t *n)
{
	*n = dt->d_naggs;
	return dt->d_aggtab;
}
