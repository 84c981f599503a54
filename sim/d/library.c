/*
 * D libraries: files of declarations that every program may use.
 *
 * Those that are part of the program (lib.c) are compiled when a program first
 * says a word that one of them declares, so that a program which uses none of
 * them starts at once; since no program can tell, this is as if all had been
 * read beforehand.  Those in directories that the user names (-L) are all
 * compiled before the first program, each after the libraries that it depends
 * on.  A library whose module or provider is not there is passed over, and so is
 * one that depends on it.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "d/dt_impl.h"

#define LIBMAX (1 << 20) /* bytes of a library file */
#define WORDHASH 256

typedef struct dt_library {
	const char *l_path, *l_base, *l_text;
	enum { LIB_NEW, LIB_LOADING, LIB_LOADED, LIB_FAILED } l_state;
	bool l_missing; /* depends on a library that does not exist, or that depends on it */
	struct dt_library *l_next;
} dt_library_t;

/* A word that a library declares. */
typedef struct dt_libword {
	const char *w_name;
	dt_library_t *w_lib;
	struct dt_libword *w_next;
} dt_libword_t;

typedef struct dt_libset {
	dt_library_t *ls_first, **ls_tail;
	dt_libword_t *ls_words[WORDHASH];
	bool ls_dirs_loaded;
} dt_libset_t;

/* ---- words ---- */

static bool word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The next word at or after *p; its length, 0: none. */
static size_t next_word(const char **p)
{
	size_t n = 0;

	while (**p != '\0' && !word_char(**p))
		(*p)++;
	while (word_char((*p)[n]))
		n++;
	return n;
}

static uint32_t word_hash(const char *s, size_t n)
{
	uint32_t h = 5381;

	while (n-- > 0)
		h = h * 33 + (uint8_t)*s++;
	return h % WORDHASH;
}

static void add_word(dt_t *dt, dt_library_t *lib, const char *s, size_t n)
{
	dt_libword_t *w = dt_alloc(dt, sizeof(*w)), **head = &dt->d_libset->ls_words[word_hash(s, n)];

	w->w_name = dt_strndup(dt, s, n);
	w->w_lib = lib;
	w->w_next = *head;
	*head = w;
}

static bool is_word(const char *s, size_t n, const char *word)
{
	return strlen(word) == n && memcmp(s, word, n) == 0;
}

static bool is_tag_keyword(const char *s, size_t n)
{
	return is_word(s, n, "struct") || is_word(s, n, "union") || is_word(s, n, "enum");
}

/* One statement behind its blanks: what it declares.  Returns its end. */
static const char *index_statement(dt_t *dt, dt_library_t *lib, const char *p)
{
	size_t n = next_word(&p), len;
	bool named = is_word(p, n, "inline") || is_word(p, n, "typedef"), tag = is_tag_keyword(p, n);
	const char *last = NULL;
	int depth = 0;

	for (p += n, n = 0; *p != '\0' && !(depth == 0 && *p == ';'); p += len) {
		len = word_char(*p) ? next_word(&p) : 1;
		depth += (*p == '{') - (*p == '}');
		if (depth > 0)
			continue;
		if (*p == '=' || *p == '[') {
			if (named && last != NULL)
				add_word(dt, lib, last, n);
			named = tag = false;
		}
		if (!word_char(*p))
			continue;
		if (tag)
			add_word(dt, lib, p, len);
		tag = named && is_tag_keyword(p, len);
		last = p;
		n = len;
	}
	if (named && last != NULL)
		add_word(dt, lib, last, n);
	return *p == ';' ? p + 1 : p;
}

/* Library texts have comments and control lines only between their statements' lines. */
static void index_library(dt_t *dt, dt_library_t *lib)
{
	const char *p = lib->l_text, *end;

	for (;;) {
		while (isspace((unsigned char)*p))
			p++;
		if (*p == '\0')
			return;
		if (strncmp(p, "/*", 2) == 0) {
			end = strstr(p, "*/");
			p = end != NULL ? end + 2 : p + strlen(p);
		} else if (*p == '#') {
			p += strcspn(p, "\n");
		} else {
			p = index_statement(dt, lib, p);
		}
	}
}

/* ---- the set of libraries ---- */

static dt_library_t *add_library(dt_t *dt, const char *path, const char *text)
{
	dt_library_t *l = dt_alloc(dt, sizeof(*l));
	const char *slash = strrchr(path, '/');

	l->l_path = path;
	l->l_base = slash != NULL ? slash + 1 : path;
	l->l_text = text;
	*dt->d_libset->ls_tail = l;
	dt->d_libset->ls_tail = &l->l_next;
	return l;
}

static dt_library_t *find_library(const dt_t *dt, const char *base)
{
	for (dt_library_t *l = dt->d_libset->ls_first; l != NULL; l = l->l_next) {
		if (strcmp(l->l_base, base) == 0)
			return l;
	}
	return NULL;
}

static char *read_file(dt_t *dt, const char *path)
{
	FILE *fp = fopen(path, "r");
	char *text;
	size_t n;

	if (fp == NULL)
		return NULL;
	text = malloc(LIBMAX);
	n = text != NULL ? fread(text, 1, LIBMAX - 1, fp) : 0;
	fclose(fp);
	if (text == NULL)
		return NULL;
	path = dt_strndup(dt, text, n);
	free(text);
	return (char *)path;
}

static int is_library(const struct dirent *d)
{
	size_t n = strlen(d->d_name);

	return n > 2 && strcmp(d->d_name + n - 2, ".d") == 0;
}

/* A directory that cannot be read has no libraries. */
static void add_directory(dt_t *dt, const char *dir)
{
	struct dirent **files;
	int n = scandir(dir, &files, is_library, alphasort);

	for (int i = 0; i < n; i++) {
		const char *path = dt_sprintf(dt, "%s/%s", dir, files[i]->d_name);
		const char *text = read_file(dt, path);

		if (text != NULL)
			add_library(dt, path, text);
		free(files[i]);
	}
	if (n >= 0)
		free(files);
}

void dt_lib_init(dt_t *dt)
{
	const dt_options_t *o = dt->d_opts;

	dt->d_libset = dt_alloc(dt, sizeof(*dt->d_libset));
	dt->d_libset->ls_tail = &dt->d_libset->ls_first;
	if (o->o_nolibs)
		return;
	for (const dt_embedded_t *e = dt_libs; o->o_syslibdir == NULL && e->l_name != NULL; e++)
		index_library(dt, add_library(dt, e->l_name, e->l_text));
}

/* ---- loading ---- */

/* The library named by a control line "#pragma D depends_on library NAME" at p, or NULL. */
static const char *dependency(dt_t *dt, const char *p)
{
	static const char *const words[] = {"pragma", "D", "depends_on", "library"};
	size_t n;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++, p += n) {
		n = next_word(&p);
		if (!is_word(p, n, words[i]))
			return NULL;
	}
	p += strspn(p, " \t");
	n = strcspn(p, " \t\n");
	return n > 0 ? dt_strndup(dt, p, n) : NULL;
}

/* 0, or -1 with the compiler's message. */
static int load(dt_t *dt, dt_library_t *l)
{
	dt_source_t src = {.src_text = l->l_text, .src_file = l->l_path};
	const char *name;

	if (l->l_state != LIB_NEW)
		return 0;
	l->l_state = LIB_LOADING;
	for (const char *p = l->l_text; p != NULL; p = strchr(p, '\n')) {
		dt_library_t *dep;

		p += strspn(p, " \t\n");
		if (*p != '#' || (name = dependency(dt, p)) == NULL)
			continue;
		if ((dep = find_library(dt, name)) == NULL || dep->l_state == LIB_LOADING)
			l->l_missing = true;
		else if (load(dt, dep) != 0)
			return -1;
	}
	if (dt_compile_source(dt, &src, true) != NULL) {
		l->l_state = LIB_LOADED;
		return 0;
	}
	l->l_state = LIB_FAILED;
	return !l->l_missing && strcmp(dt->d_errtag, "D_PRAGMA_DEPEND") == 0 ? 0 : -1;
}

static dt_library_t *library_of(const dt_t *dt, const char *s, size_t n)
{
	for (const dt_libword_t *w = dt->d_libset->ls_words[word_hash(s, n)]; w != NULL; w = w->w_next) {
		if (is_word(s, n, w->w_name))
			return w->w_lib;
	}
	return NULL;
}

int dt_lib_need(dt_t *dt, const char *text)
{
	size_t n;

	for (; (n = next_word(&text)) > 0; text += n) {
		dt_library_t *l = library_of(dt, text, n);

		if (l != NULL && load(dt, l) != 0)
			return -1;
	}
	return 0;
}

int dt_lib_load_dirs(dt_t *dt)
{
	dt_libset_t *ls = dt->d_libset;
	const dt_options_t *o = dt->d_opts;

	if (ls->ls_dirs_loaded || o->o_nolibs)
		return 0;
	ls->ls_dirs_loaded = true;
	if (o->o_syslibdir != NULL)
		add_directory(dt, o->o_syslibdir);
	for (const char **dir = o->o_libdirs; dir != NULL && *dir != NULL; dir++)
		add_directory(dt, *dir);
	for (dt_library_t *l = ls->ls_first; l != NULL; l = l->l_next) {
		bool embedded = strncmp(l->l_path, DT_SYSLIBDIR, strlen(DT_SYSLIBDIR)) == 0 && o->o_syslibdir == NULL;

		if (!embedded && load(dt, l) != 0)
			return -1;
	}
	return 0;
}

void dt_lib_depend(dt_t *dt, const char *name)
{
	const dt_library_t *l = find_library(dt, name);

	if (l == NULL)
		dt_error(dt, "D_PRAGMA_DEPEND", dt_here(dt), "failed to find dependency in libpath: %s", name);
	if (l->l_state == LIB_FAILED || l->l_state == LIB_LOADING)
		dt_error(dt, "D_PRAGMA_DEPEND", dt_here(dt), "program requires library \"%s\" which failed to load",
			 name);
}
