/* Formats: syntax, checks against argument types, output. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "consumer/format.h"

static const dif_type_t t_char = {DIF_INT, true, 1, "char", NULL}, t_short = {DIF_INT, true, 2, "short", NULL},
			t_int = {DIF_INT, true, 4, "int", NULL}, t_uint = {DIF_INT, false, 4, "unsigned int", NULL},
			t_long = {DIF_INT, true, 8, "int64_t", NULL},
			t_string = {DIF_STRING, false, 256, "string", NULL},
			t_chars = {DIF_BYTES, false, 80, "char [80]", NULL},
			t_struct = {DIF_BYTES, false, 12, "struct s", NULL},
			t_stack = {DIF_STACK, false, 24, "stack", NULL};

static char why[512];
static const char *tag;

static struct dt_format *parse(const char *fmt)
{
	why[0] = '\0';
	tag = NULL;
	return dt_format_parse("printf", fmt, why, sizeof(why), &tag);
}

static void assert_bad(const char *fmt, const char *want_tag, const char *want)
{
	cr_assert_null(parse(fmt), "%s was accepted", fmt);
	cr_assert_str_eq(tag, want_tag);
	cr_assert_str_eq(why, want);
}

Test(format, syntax_errors)
{
	assert_bad("", "D_PRINTF_FMT_EMPTY", "printf( ) format string is empty");
	assert_bad("%**d", "D_SYNTAX", "format conversion #1 has more than one '*' specified for the output precision");
	assert_bad("%d %1.2.3d", "D_SYNTAX", "format conversion #2 has more than one '.' specified");
	assert_bad("%1$d", "D_SYNTAX", "format conversion #1 uses unsupported positional format (%n$)");
	assert_bad("%-%", "D_SYNTAX", "format conversion #1 cannot be combined with other format flags: %%");
	assert_bad("%l", "D_SYNTAX", "format conversion #1 name expected before end of format string");
	assert_bad("%", "D_SYNTAX", "format conversion #1 name expected before end of format string");
	assert_bad("%%%q", "D_SYNTAX", "format conversion #2 is undefined: %q");
	assert_bad("%hs", "D_SYNTAX", "format conversion #1 is undefined: %hs");
}

Test(format, empty_is_legal_for_freopen)
{
	struct dt_format *f = dt_format_parse("freopen", "", why, sizeof(why), &tag);

	cr_assert_not_null(f);
	dt_format_free(f);
}

/* Checks a format against arguments: 0 or -1, with why and tag set. */
static int check(const char *fmt, const dif_type_t *args, const bool *isptr, uint32_t n, uint32_t naggs)
{
	struct dt_format *f = parse(fmt);
	int rc;

	cr_assert_not_null(f, "%s: %s", fmt, why);
	rc = dt_format_check(f, naggs ? "printa" : "printf", args, isptr, n, naggs, why, sizeof(why), &tag);
	dt_format_free(f);
	return rc;
}

static void assert_refused(const char *fmt, const dif_type_t *args, uint32_t n, const char *want_tag, const char *want)
{
	cr_assert_eq(check(fmt, args, NULL, n, 0), -1, "%s was accepted", fmt);
	cr_assert_str_eq(tag, want_tag);
	cr_assert_str_eq(why, want);
}

Test(format, missing_and_surplus_arguments)
{
	dif_type_t two[] = {t_int, t_int};

	assert_refused("%d", NULL, 0, "D_PRINTF_ARG_PROTO",
		       "printf( ) prototype mismatch: conversion #1 (%d) is missing a corresponding value argument");
	assert_refused("%%%d%d%d", two, 2, "D_PRINTF_ARG_PROTO",
		       "printf( ) prototype mismatch: conversion #4 (%d) is missing a corresponding value argument");
	assert_refused("%d", two, 2, "D_PRINTF_ARG_EXTRA",
		       "printf( ) prototype mismatch: only 1 arguments required by this format string");
	assert_refused("%*d", NULL, 0, "D_PRINTF_DYN_PROTO",
		       "printf( ) prototype mismatch: conversion #1 (%d) is missing a corresponding \"*\" argument");
	assert_refused("%.*d", NULL, 0, "D_PRINTF_DYN_PROTO",
		       "printf( ) prototype mismatch: conversion #1 (%d) is missing a corresponding \".*\" argument");
	assert_refused("%@d", two, 1, "D_PRINTF_AGG_CONV",
		       "%@ conversion requires an aggregation and is not for use with printf( )");
}

Test(format, wrong_types)
{
	dif_type_t str_int[] = {t_string, t_int};

	assert_refused("%d", &t_string, 1, "D_PRINTF_ARG_TYPE",
		       "printf( ) argument #2 is incompatible with conversion #1 prototype:\n\tconversion: %d\n"
		       "\t prototype: char, short, int, long, or long long\n\t  argument: string");
	assert_refused("%s", &t_int, 1, "D_PRINTF_ARG_TYPE",
		       "printf( ) argument #2 is incompatible with conversion #1 prototype:\n\tconversion: %s\n"
		       "\t prototype: char [] or string (or use stringof)\n\t  argument: int");
	assert_refused("%*d", str_int, 2, "D_PRINTF_DYN_TYPE",
		       "printf( ) argument #2 is incompatible with conversion #1 prototype:\n\tconversion: % * d\n"
		       "\t prototype: int\n\t  argument: string");
	cr_assert_eq(check("%c", &t_long, NULL, 1, 0), -1);
	cr_assert_eq(check("%Y", &t_int, NULL, 1, 0), -1);
	cr_assert_eq(check("%k", &t_int, NULL, 1, 0), -1);
	cr_assert_eq(check("%s", &t_struct, NULL, 1, 0), -1);
	cr_assert_eq(check("%hd", &t_int, NULL, 1, 0), -1);
	cr_assert_eq(check("%llu", &t_long, NULL, 1, 0), -1);
}

Test(format, accepted_types)
{
	bool ptr = true;

	cr_assert_eq(check("%s", &t_chars, NULL, 1, 0), 0);
	cr_assert_eq(check("%S", &t_string, NULL, 1, 0), 0);
	cr_assert_eq(check("%p", &t_long, &ptr, 1, 0), 0);
	cr_assert_eq(check("%a", &t_long, NULL, 1, 0), 0);
	cr_assert_eq(check("%hd", &t_short, NULL, 1, 0), 0);
	cr_assert_eq(check("%lld", &t_long, NULL, 1, 0), 0);
	cr_assert_eq(check("%k", &t_stack, NULL, 1, 0), 0);
	cr_assert_eq(check("%c", &t_char, NULL, 1, 0), 0);
}

Test(format, pointer_is_no_integer)
{
	dif_type_t p = {DIF_INT, false, 8, "char *", NULL};
	bool ptr = true;

	cr_assert_eq(check("%d", &p, &ptr, 1, 0), -1);
	cr_assert_eq(check("%s", &p, &ptr, 1, 0), -1);
}

Test(format, printa_takes_keys_and_values)
{
	dif_type_t keys[] = {t_int, t_string};

	cr_assert_eq(check("%d %s %@d", keys, NULL, 2, 1), 0);
	cr_assert_eq(check("%@d", keys, NULL, 2, 1), 0, "keys may be left out");
	cr_assert_eq(check("%d %s %d", keys, NULL, 2, 1), -1);
	cr_assert_eq(check("%@s", keys, NULL, 2, 1), -1);
	cr_assert_str_eq(why, "printa( ) aggregating action is incompatible with conversion #1 prototype:\n"
			      "\tconversion: %s\n\t prototype: char [] or string (or use stringof)\n"
			      "\t  argument: int64_t");
}

static char *print(const char *fmt, const fmt_val_t *vals, uint32_t n)
{
	static char out[1024];
	print_ctx_t ctx = {.pc_indent = PRINT_STACK_INDENT};
	struct dt_format *f = parse(fmt);
	char *text;

	cr_assert_not_null(f, "%s: %s", fmt, why);
	text = fmt_text(&ctx, f, vals, n);
	snprintf(out, sizeof(out), "%s", text);
	free(text);
	dt_format_free(f);
	return out;
}

static char *print_int(const char *fmt, const dif_type_t *t, int64_t v)
{
	fmt_val_t val = {t, &v};

	return print(fmt, &val, 1);
}

Test(format, integers)
{
	cr_assert_str_eq(print_int("[%5d|", &t_int, 42), "[   42|");
	cr_assert_str_eq(print_int("%-5d|", &t_int, 42), "42   |");
	cr_assert_str_eq(print_int("%05d", &t_int, 42), "00042");
	cr_assert_str_eq(print_int("%0-5d|", &t_int, 42), "42   |");
	cr_assert_str_eq(print_int("%-05d|", &t_int, 42), "00042|");
	cr_assert_str_eq(print_int("%+d", &t_int, 42), "+42");
	cr_assert_str_eq(print_int("% d", &t_int, 42), " 42");
	cr_assert_str_eq(print_int("%d", &t_int, -1), "-1");
	cr_assert_str_eq(print_int("%d", &t_uint, -1), "4294967295");
	cr_assert_str_eq(print_int("%u", &t_int, -1), "4294967295");
	cr_assert_str_eq(print_int("%x", &t_char, -1), "ff");
	cr_assert_str_eq(print_int("%o", &t_int, 8), "10");
	cr_assert_str_eq(print_int("%#x", &t_int, 255), "0xff");
	cr_assert_str_eq(print_int("%?x", &t_int, 0x1234), "            1234");
	cr_assert_str_eq(print_int("%.0d", &t_int, 0), "0");
	cr_assert_str_eq(print_int("%5.3d", &t_int, 7), "  007");
	cr_assert_str_eq(print_int("%p", &t_long, 0x1234), "1234");
	cr_assert_str_eq(print_int("%x", &t_long, -1), "ffffffffffffffff");
}

Test(format, characters)
{
	cr_assert_str_eq(print_int("%c", &t_int, 'H'), "H");
	cr_assert_str_eq(print_int("%3c|", &t_int, 'H'), "  H|");
	cr_assert_str_eq(print_int("%C", &t_int, '\n'), "\\n");
	cr_assert_str_eq(print_int("%C", &t_int, 1), "\\001");
	cr_assert_str_eq(print_int("%C", &t_int, 0), "\\0");
}

Test(format, strings)
{
	fmt_val_t v = {&t_string, "abc"};
	char full[80];
	fmt_val_t chars = {&t_chars, full};

	cr_assert_str_eq(print("[%s|%%]", &v, 1), "[abc|%]");
	cr_assert_str_eq(print("%6s|", &v, 1), "   abc|");
	cr_assert_str_eq(print("%-6.2s|", &v, 1), "ab    |");
	v.fv_data = "a\tb\"c\\";
	cr_assert_str_eq(print("%S", &v, 1), "a\\tb\\\"c\\\\\\0");
	memset(full, 'x', sizeof(full));
	cr_assert_eq(strlen(print("%s", &chars, 1)), 80, "an array without NUL ends at its size");
	cr_assert_eq(strlen(print("%S", &chars, 1)), 80, "and has no terminator to show");
}

Test(format, dynamic_width)
{
	int width = 5, value = 7;
	fmt_val_t vals[] = {{&t_int, &width}, {&t_int, &value}};

	cr_assert_str_eq(print("%*d|", vals, 2), "    7|");
	width = -5;
	cr_assert_str_eq(print("%*d|", vals, 2), "7    |");
	width = 3;
	cr_assert_str_eq(print("%.*d|", vals, 2), "007|");
}

Test(format, times)
{
	setenv("TZ", "UTC", 1);
	cr_assert_str_eq(print_int("%Y", &t_long, 0), "1970 Jan  1 00:00:00");
	cr_assert_str_eq(print_int("%-22Y|", &t_long, 86399000000000), "1970 Jan  1 23:59:59  |");
	cr_assert_str_eq(print_int("%T", &t_long, 1118567103000000000), "Sun, 12 Jun 2005 09:05:03 UTC");
	cr_assert_str_eq(print_int("%Y", &t_long, -1), "1969 Dec 31 23:59:59");
}

static const agg_desc_t count_desc = {.ad_func = AGG_COUNT}, sum_desc = {.ad_func = AGG_SUM};

Test(format, aggregations)
{
	int64_t one = 1, ten = -10;
	fmt_agg_t aggs[] = {{&count_desc, &one, 1}, {&sum_desc, &ten, 2}};
	fmt_val_t key = {&t_string, "%d"};
	print_ctx_t ctx = {0};
	struct dt_format *f = parse("%5@d|%-4s|%@d|%@d\n");
	char *out;
	size_t len;

	ctx.pc_fp = open_memstream(&out, &len);
	fmt_print(&ctx, f, &key, 1, aggs, 2);
	fclose(ctx.pc_fp);
	cr_assert_str_eq(out, "    1|%d  |-5|-5\n", "the last value repeats, and is divided signed");
	free(out);
	dt_format_free(f);
}
