/*
 * Macro variables: $1 ..., $$1 ..., $pid and its like.
 */
#include "d/dt_impl.h"
#include "sim/d/gram.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Variables of the consumer's process; false: no such name. */
static bool process_var(dt_t *dt, const char *name, int64_t *v)
{
	const struct {
		const char *name;
		int64_t value;
	} vars[] = {
	    {"egid", getegid()}, {"euid", geteuid()}, {"gid", getgid()},
	    {"pgid", getpgrp()}, {"pid", getpid()},   {"ppid", getppid()},
	    {"projid", 0},       {"sid", getsid(0)},  {"target", dt->d_opts->o_target},
	    {"taskid", 0},       {"uid", getuid()},
	};

	for (size_t i = 0; i < sizeof(vars) / sizeof(vars[0]); i++) {
		if (strcmp(vars[i].name, name) == 0) {
			*v = vars[i].value;
			return true;
		}
	}
	return false;
}

static bool looks_like_int(const char *s)
{
	if (*s == '-' || *s == '+')
		s++;
	return isdigit((unsigned char)*s);
}

static bool looks_like_ident(const char *s)
{
	if (!isalpha((unsigned char)*s) && *s != '_' && *s != '`')
		return false;
	while (isalnum((unsigned char)*s) || *s == '_' || *s == '`')
		s++;
	return *s == '\0';
}

static int int_token(dt_t *dt, const char *text, const char *arg, union dt_token *val)
{
	bool neg = *arg == '-';
	const char *p = arg + (*arg == '-' || *arg == '+');
	int base = p[0] != '0' ? 10 : (p[1] | 32) == 'x' ? 16 : 8;
	const char *d = base == 16 ? p + 2 : p;
	uint64_t v = 0;

	for (; isxdigit((unsigned char)*d); d++) {
		uint64_t k = isdigit((unsigned char)*d) ? (uint64_t)(*d - '0') : (uint64_t)((*d | 32) - 'a' + 10);

		if (k >= (uint64_t)base)
			break;
		if (__builtin_mul_overflow(v, (uint64_t)base, &v) || __builtin_add_overflow(v, k, &v))
			dt_error(dt, "D_MACRO_OFLOW", dt_here(dt),
				 "macro argument %s constant %s results in integer overflow", text, p);
	}
	if (*d != '\0') { /* 12ab: not an integer after all */
		val->str = dt_strdup(dt, arg);
		return STR;
	}
	val->integer.value = neg ? 0 - v : v;
	val->integer.type = v <= INT32_MAX ? dt->t.i : v <= INT64_MAX ? dt->t.l : dt->t.ul;
	return INT;
}

static int string_token(dt_t *dt, const char *arg, union dt_token *val)
{
	size_t n = strlen(arg);

	if (n >= 2 && arg[0] == '"' && arg[n - 1] == '"')
		val->str = dt_strndup(dt, arg + 1, n - 2);
	else
		val->str = dt_strdup(dt, arg);
	return STR;
}

static int arg_token(dt_t *dt, const char *text, bool str, union dt_token *val)
{
	const dt_source_t *src = dt->d_pcb->p_src;
	unsigned long n = strtoul(text + (str ? 2 : 1), NULL, 10);
	const char *arg;

	if (n >= (unsigned long)MAX(src->src_argc, 0)) {
		if (!dt->d_opts->o_defaultargs)
			dt_error(dt, "D_MACRO_UNDEF", dt_here(dt), "macro argument %s is not defined", text);
		if (str) {
			val->str = "";
			return STR;
		}
		val->integer.value = 0;
		val->integer.type = dt->t.i;
		return INT;
	}
	dt->d_pcb->p_argused[n] = true;
	arg = src->src_argv[n];
	if (str)
		return string_token(dt, arg, val);
	if (looks_like_int(arg))
		return int_token(dt, text, arg, val);
	if (looks_like_ident(arg)) {
		val->str = dt_strdup(dt, arg);
		return IDENT;
	}
	return string_token(dt, arg, val);
}

int dt_macro(dt_t *dt, const char *text, union dt_token *val)
{
	bool str = text[1] == '$';
	const char *name = text + (str ? 2 : 1);
	int64_t v;

	if (isdigit((unsigned char)*name))
		return arg_token(dt, text, str, val);
	if (!process_var(dt, name, &v))
		dt_error(dt, "D_MACRO_UNDEF", dt_here(dt), "macro variable %s is not defined", text);
	if (str) {
		val->str = dt_sprintf(dt, "%lld", (long long)v);
		return STR;
	}
	val->integer.value = (uint64_t)v;
	val->integer.type = dt->t.i;
	return INT;
}

const char *dt_macro_text(dt_t *dt, const char *name)
{
	const dt_source_t *src = dt->d_pcb->p_src;
	int64_t v;

	if (*name == '$')
		name++;
	if (isdigit((unsigned char)*name)) {
		unsigned long n = strtoul(name, NULL, 10);

		if (n < (unsigned long)MAX(src->src_argc, 0))
			return src->src_argv[n];
		return dt->d_opts->o_defaultargs ? "" : NULL;
	}
	return process_var(dt, name, &v) ? dt_sprintf(dt, "%lld", (long long)v) : NULL;
}

/* Only the last argument is looked at: the others may be there for its position's sake. */
void dt_macro_check_unused(dt_t *dt)
{
	const pcb_t *p = dt->d_pcb;
	int last = p->p_src->src_argc - 1;

	if (p->p_lib || dt->d_opts->o_argref || last < 1 || p->p_argused[last])
		return;
	dt_error(dt, "D_MACRO_UNUSED", dt_last_line(dt), "extraneous argument '%s' ($%d is not referenced)",
		 p->p_src->src_argv[last], last);
}
