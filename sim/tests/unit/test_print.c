/* Default forms of recorded data. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "consumer/print.h"

static const dif_type_t t_string = {DIF_STRING, false, 256, "string", NULL};

static char *captured(void (*f)(const print_ctx_t *, const dif_type_t *, const void *), print_ctx_t ctx, dif_type_t t,
		      const void *data)
{
	static char out[8192];
	char *text;
	size_t len;

	ctx.pc_fp = open_memstream(&text, &len);
	ctx.pc_indent = PRINT_STACK_INDENT;
	f(&ctx, &t, data);
	fclose(ctx.pc_fp);
	cr_assert_lt(len, sizeof(out));
	memcpy(out, text, len + 1);
	free(text);
	return out;
}

#define PLAIN ((print_ctx_t){0})
#define QUIET ((print_ctx_t){.pc_quiet = true})

static char *number(print_ctx_t ctx, uint32_t size, int64_t v)
{
	return captured(print_value, ctx, (dif_type_t){DIF_INT, true, size, NULL, NULL}, &v);
}

Test(print, numbers_by_size)
{
	cr_assert_str_eq(number(PLAIN, 1, -1), " 255");
	cr_assert_str_eq(number(PLAIN, 2, -1), " 65535");
	cr_assert_str_eq(number(PLAIN, 4, -1), "       -1");
	cr_assert_str_eq(number(PLAIN, 8, 4), "                4");
	cr_assert_str_eq(number(QUIET, 1, -1), "255");
	cr_assert_str_eq(number(QUIET, 8, -1), "-1");
}

static char *bytes(print_ctx_t ctx, const void *data, uint32_t size)
{
	return captured(print_value, ctx, (dif_type_t){DIF_BYTES, false, size, NULL, NULL}, data);
}

Test(print, eight_characters_are_a_number)
{
	cr_assert_str_eq(bytes(QUIET, "ABCDEFGH", 8), "5208208757389214273");
}

Test(print, bytes_that_are_text)
{
	cr_assert_str_eq(bytes(QUIET, "ab\0\0\0", 5), "ab");
	cr_assert_str_eq(bytes(PLAIN, "ab\0\0\0", 5), "  ab                               ");
	cr_assert_str_eq(bytes(QUIET, "abc", 3), "  abc                              ");
}

#define DUMP_HEAD "\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"

Test(print, bytes_that_are_not)
{
	const char *want = DUMP_HEAD "         0: 01 41 00 ff 7a                                   .A..z\n";

	cr_assert_str_eq(bytes(QUIET, "\001A\0\377z", 5), want);
	cr_assert_str_eq(bytes(QUIET, "a\0b", 3),
			 DUMP_HEAD "         0: 61 00 62                                         a.b\n");
	cr_assert_str_eq(bytes((print_ctx_t){.pc_rawbytes = true}, "abc", 3),
			 DUMP_HEAD "         0: 61 62 63                                         abc\n");
}

Test(print, dump_of_several_lines)
{
	char data[17] = "0123456789abcdefg";

	data[0] = '\001';
	cr_assert_str_eq(bytes(QUIET, data, 17),
			 DUMP_HEAD "         0: 01 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66  .123456789abcdef\n"
				   "        10: 67                                               g\n");
}

Test(print, strings)
{
	cr_assert_str_eq(captured(print_value, PLAIN, t_string, "a"), "  a                                ");
	cr_assert_str_eq(captured(print_value, QUIET, t_string, "a"), "a");
	cr_assert_str_eq(captured(print_key, QUIET, t_string, "kept"),
			 "  kept                                              ");
}

Test(print, empty_string_is_dumped_whole)
{
	char *out = captured(print_value, QUIET, t_string, "");
	int lines = 0;

	for (const char *p = out; *p; p++)
		lines += *p == '\n';
	cr_assert_eq(lines, 2 + 16);
	cr_assert(strstr(out, "        f0: 00"));
}

Test(print, addresses_without_symbol)
{
	uint64_t pc = 0x10, pcs[3] = {0x10, 0x20, 0};
	dif_type_t sym = {DIF_SYM, false, 8, NULL, NULL}, stack = {DIF_STACK, false, 24, NULL, NULL};
	char buf[SYMTEXT_MAX];

	cr_assert_str_eq(print_symtext(pc, buf), "0x10");
	cr_assert_str_eq(captured(print_value, QUIET, sym, &pc),
			 "  0x10                                              ");
	cr_assert_str_eq(captured(print_value, QUIET, stack, pcs), "\n              0x10\n              0x20\n");
}

Test(print, stack_indent_and_width)
{
	uint64_t pcs[2] = {0x10, 0x20};
	char *text;
	size_t len;
	FILE *fp = open_memstream(&text, &len);

	print_stack(fp, pcs, 0, 4, 0);
	print_stack(fp, pcs, 1, 6, 0);
	print_stack(fp, pcs, 2, 0, 6);
	fclose(fp);
	cr_assert_str_eq(text, "\n      0x10\n\n  0x10\n  0x20\n");
	free(text);
}
