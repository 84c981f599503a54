/* Aggregations in the consumer: order, forms, trunc, clear, normalize.  Expected texts are worked out by hand. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "consumer/aggprint.h"
#include "consumer/cells.h"

#define MAXVARS 4

/* Tables of our own in place of a tracing session's. */
static agg_t *tables[MAXVARS];
static dtrace_aggvar_t vars[MAXVARS];
static dtrace_aggvar_t *avs[MAXVARS];
static options_t op;
static aggprint_t *ap;

static agg_t *snapshot(void *arg, const dtrace_aggvar_t *av)
{
	(void)arg;
	return tables[av - vars];
}

static void clear(void *arg, const dtrace_aggvar_t *av)
{
	(void)arg;
	agg_clear(tables[av - vars]);
}

static void remove_key(void *arg, const dtrace_aggvar_t *av, const uint64_t *key, size_t klen)
{
	(void)arg;
	cr_assert_eq(agg_remove(tables[av - vars], key, klen), 1);
}

static const agg_source_t source = {snapshot, clear, remove_key, NULL};

static void setup(void)
{
	options_init(&op);
	ap = aggprint_create(&source, &op);
}

static void teardown(void)
{
	aggprint_destroy(ap);
	options_fini(&op);
	for (int i = 0; i < MAXVARS; i++)
		agg_destroy(tables[i]);
}

TestSuite(aggprint, .init = setup, .fini = teardown);

static void make_var(int i, agg_desc_t d, const dif_type_t *keys, uint32_t nkeys)
{
	dtrace_aggvar_t *av = &vars[i];

	*av = (dtrace_aggvar_t){.av_name = (char *)"v", .av_id = (uint32_t)i + 1, .av_desc = d, .av_defined = true};
	av->av_desc.ad_nparts = nkeys;
	for (uint32_t k = 0; k < nkeys; k++) {
		agg_kind_t kind = keys[k].dt_kind == DIF_STRING ? AGG_STR
				  : keys[k].dt_kind == DIF_INT  ? AGG_INT
								: AGG_BYTES;

		av->av_keys[k] = keys[k];
		av->av_desc.ad_parts[k] = (agg_part_t){kind, keys[k].dt_size};
	}
	avs[i] = av;
	tables[i] = agg_create(&av->av_desc, 0);
	cr_assert_not_null(tables[i]);
}

static const dif_type_t k_int = {DIF_INT, true, 4, "int", NULL}, k_string = {DIF_STRING, false, 256, "string", NULL};

/* One event under the key (number), (text) or (number, text). */
static void add(int i, int64_t number, const char *text, int64_t value, int64_t incr)
{
	const agg_desc_t *d = &vars[i].av_desc;
	uint64_t key[40] = {0};
	size_t n = 0;

	for (uint32_t k = 0; k < d->ad_nparts; k++) {
		if (d->ad_parts[k].ap_kind == AGG_INT) {
			key[n++] = (uint32_t)number;
		} else {
			memcpy(&key[n], text, strlen(text));
			n += strlen(text) / 8 + 1;
		}
	}
	cr_assert_eq(agg_record(tables[i], key, n * 8, value, incr), 0);
}

static char out[65536];

static print_ctx_t open_out(char **text, size_t *len)
{
	return (print_ctx_t){.pc_fp = open_memstream(text, len),
			     .pc_indent = PRINT_STACK_INDENT,
			     .pc_zoom = options_flag(&op, OPT_AGGZOOM)};
}

static char *close_out(print_ctx_t *ctx, char **text)
{
	fclose(ctx->pc_fp);
	snprintf(out, sizeof(out), "%s", *text);
	free(*text);
	return out;
}

static char *rest(size_t n)
{
	char *text;
	size_t len;
	print_ctx_t ctx = open_out(&text, &len);

	aggprint_rest(ap, &ctx, avs, n);
	return close_out(&ctx, &text);
}

static char *printa(const char *fmt, uint32_t n)
{
	char *text, why[256];
	const char *tag;
	size_t len;
	print_ctx_t ctx = open_out(&text, &len);
	struct dt_format *f = fmt ? dt_format_parse("printa", fmt, why, sizeof(why), &tag) : NULL;

	aggprint_printa(ap, &ctx, f, avs, n);
	dt_format_free(f);
	return close_out(&ctx, &text);
}

static void set(const char *option)
{
	const char *why;

	cr_assert_eq(options_set_text(&op, option, &why), 0);
}

static const agg_desc_t d_count = {.ad_func = AGG_COUNT}, d_sum = {.ad_func = AGG_SUM}, d_min = {.ad_func = AGG_MIN},
			d_max = {.ad_func = AGG_MAX}, d_avg = {.ad_func = AGG_AVG}, d_std = {.ad_func = AGG_STDDEV},
			d_quant = {.ad_func = AGG_QUANTIZE};

Test(aggprint, value_then_key_unsigned)
{
	make_var(0, d_sum, &k_int, 1);
	add(0, -1, NULL, 1, 1);
	add(0, 1, NULL, 1, 1);
	add(0, 7, NULL, -4, 1);
	cr_assert_str_eq(rest(1), "        7               -4\n"
				  "        1                1\n"
				  "       -1                1\n");
}

Test(aggprint, variables_in_order_of_appearance)
{
	make_var(0, d_count, &k_string, 1);
	make_var(1, d_count, &k_int, 1);
	add(0, 0, "b", 0, 1);
	add(0, 0, "a", 0, 1);
	add(1, 1, NULL, 0, 1);
	cr_assert_str_eq(rest(2), "  a                                                                 1\n"
				  "  b                                                                 1\n"
				  "        1                1\n");
	set("aggsortrev");
	cr_assert_str_eq(rest(2), "        1                1\n"
				  "  b                                                                 1\n"
				  "  a                                                                 1\n");
}

static const dif_type_t k_int_string[] = {{DIF_INT, true, 4, "int", NULL}, {DIF_STRING, false, 256, "string", NULL}};

Test(aggprint, key_order_from_a_position)
{
	make_var(0, d_sum, k_int_string, 2);
	add(0, 1, "b", 1, 1);
	add(0, 2, "a", 2, 1);
	set("aggsortkey");
	set("aggsortkeypos=1");
	cr_assert_str_eq(printa("%d%s ", 1), "2a 1b ");
	set("aggsortkeypos=2");
	cr_assert_str_eq(printa("%d%s ", 1), "1b 2a ", "a position that does not exist is the first");
}

Test(aggprint, printed_once)
{
	make_var(0, d_count, &k_int, 1);
	cr_assert_str_eq(printa("%@d", 1), "");
	add(0, 5, NULL, 0, 1);
	cr_assert_str_eq(rest(1), "        5                1\n", "printing nothing does not count");
	cr_assert_str_eq(printa(NULL, 1), "\n        5                1\n");
	cr_assert_str_eq(rest(1), "");
}

Test(aggprint, averages)
{
	make_var(0, d_avg, NULL, 0);
	add(0, 0, NULL, -1, 1);
	add(0, 0, NULL, -2, 1);
	cr_assert_str_eq(rest(1), "               -1\n");
	make_var(1, d_std, NULL, 0);
	add(1, 0, NULL, 10, 1);
	add(1, 0, NULL, 20, 1);
	cr_assert_str_eq(printa("%@d %@d", 2), "-1 5");
	aggprint_normalize(ap, &vars[1], 5);
	cr_assert_str_eq(printa("%@d %@d", 2), "-1 6");
}

Test(aggprint, normalize)
{
	make_var(0, d_sum, NULL, 0);
	add(0, 0, NULL, -10, 1);
	aggprint_normalize(ap, &vars[0], 2);
	cr_assert_str_eq(rest(1), "  9223372036854775803\n" + 1, "unformatted: unsigned");
	cr_assert_str_eq(printa("%@d", 1), "-5", "formatted: signed");
	aggprint_normalize(ap, &vars[0], 1);
	cr_assert_str_eq(printa("%@d", 1), "-10");
	aggprint_normalize(ap, &vars[0], 0);
	cr_assert_str_eq(printa("%@d", 1), "-10");
}

Test(aggprint, normalize_is_for_keys_present)
{
	make_var(0, d_sum, &k_int, 1);
	add(0, 1, NULL, 10, 1);
	aggprint_normalize(ap, &vars[0], 5);
	add(0, 2, NULL, 10, 1);
	cr_assert_str_eq(printa("%d=%@d ", 1), "1=2 2=10 ");
}

Test(aggprint, trunc_keeps_largest_or_smallest)
{
	make_var(0, d_sum, &k_int, 1);
	for (int i = 1; i <= 5; i++)
		add(0, i, NULL, i, 1);
	set("aggsortrev");
	aggprint_trunc(ap, &vars[0], 4);
	cr_assert_str_eq(printa("%d ", 1), "5 4 3 2 ");
	aggprint_trunc(ap, &vars[0], -2);
	cr_assert_str_eq(printa("%d ", 1), "3 2 ");
	aggprint_trunc(ap, &vars[0], 9);
	cr_assert_str_eq(printa("%d ", 1), "3 2 ");
	aggprint_trunc(ap, &vars[0], 0);
	cr_assert_str_eq(printa("%d ", 1), "");
	cr_assert_eq(agg_nkeys(tables[0]), 0);
}

Test(aggprint, clear_keeps_keys)
{
	make_var(0, d_count, &k_string, 1);
	add(0, 0, "k", 0, 1);
	aggprint_clear(ap, &vars[0]);
	cr_assert_str_eq(rest(1), "  k                                                                 0\n");
}

Test(aggprint, cleared_extremes_are_zero)
{
	make_var(0, d_min, NULL, 0);
	make_var(1, d_max, NULL, 0);
	add(0, 0, NULL, 5, 1);
	add(1, 0, NULL, -5, 1);
	cr_assert_str_eq(printa("%@d %@d", 2), "5 -5");
	aggprint_clear(ap, &vars[0]);
	aggprint_clear(ap, &vars[1]);
	cr_assert_str_eq(printa("%@d %@d", 2), "0 0");
	add(0, 0, NULL, 5, 1);
	add(1, 0, NULL, -5, 1);
	cr_assert_str_eq(printa("%@d %@d", 2), "0 0", "and stay so under later data");
	aggprint_trunc(ap, &vars[0], 0);
	add(0, 0, NULL, 5, 1);
	cr_assert_str_eq(printa("%@d %@d", 2), "5 0", "a new key knows nothing of it");
}

Test(aggprint, joined_on_keys)
{
	make_var(0, d_sum, &k_int, 1);
	make_var(1, d_sum, &k_int, 1);
	add(0, 1, NULL, 4, 1);
	add(1, 1, NULL, 9, 1);
	add(1, 2, NULL, 1, 1);
	cr_assert_str_eq(printa("%d %@d %@d\n", 2), "2 0 1\n1 4 9\n");
	cr_assert_str_eq(printa(NULL, 2), "\n        2                0                1\n"
					  "        1                4                9\n");
	add(0, 2, NULL, 100, 1);
	cr_assert_str_eq(printa("%d ", 2), "1 2 ", "by the first value");
	set("aggsortpos=1");
	cr_assert_str_eq(printa("%d ", 2), "2 1 ", "by the second");
	set("aggsortrev");
	cr_assert_str_eq(printa("%d ", 2), "1 2 ");
	cr_assert_str_eq(rest(2), "");
}

#define HEAD "\n           value  ------------- Distribution ------------- count    \n"

Test(aggprint, quantize)
{
	make_var(0, d_quant, NULL, 0);
	add(0, 0, NULL, 0, 1);
	add(0, 0, NULL, 1, 1);
	add(0, 0, NULL, 3, 1);
	add(0, 0, NULL, -5, 1);
	cr_assert_str_eq(rest(1), HEAD "              -8 |                                         0        \n"
				       "              -4 |@@@@@@@@@@                               1        \n"
				       "              -2 |                                         0        \n"
				       "              -1 |                                         0        \n"
				       "               0 |@@@@@@@@@@                               1        \n"
				       "               1 |@@@@@@@@@@                               1        \n"
				       "               2 |@@@@@@@@@@                               1        \n"
				       "               4 |                                         0        \n\n");
}

Test(aggprint, quantize_signs)
{
	make_var(0, d_quant, NULL, 0);
	add(0, 0, NULL, 8, 2);
	add(0, 0, NULL, 16, -1);
	cr_assert_str_eq(printa("%@d", 1),
			 HEAD "               4                     |                     0        \n"
			      "               8                     |@@@@@@@@@@@@@        2        \n"
			      "              16              @@@@@@@|                     -1       \n"
			      "              32                     |                     0        \n");
	add(0, 0, NULL, 8, -2);
	add(0, 0, NULL, 16, 1);
	cr_assert_str_eq(printa("%@d", 1),
			 HEAD "              -1 |                                         0        \n"
			      "               0 |                                         0        \n"
			      "               1 |                                         0        \n");
	add(0, 0, NULL, 8, -3);
	cr_assert_str_eq(printa("%@d", 1),
			 HEAD "               4                                         | 0        \n"
			      "               8 @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| -3       \n"
			      "              16                                         | 0        \n");
}

Test(aggprint, lquantize)
{
	agg_desc_t d = {.ad_func = AGG_LQUANTIZE, .ad_base = 0, .ad_limit = 10, .ad_step = 5};

	make_var(0, d, NULL, 0);
	add(0, 0, NULL, -1, 1);
	add(0, 0, NULL, 5, 1);
	add(0, 0, NULL, 50, 1);
	cr_assert_str_eq(printa("%@d", 1),
			 HEAD "             < 0 |@@@@@@@@@@@@@                            1        \n"
			      "               0 |                                         0        \n"
			      "               5 |@@@@@@@@@@@@@                            1        \n"
			      "           >= 10 |@@@@@@@@@@@@@                            1        \n");
	aggprint_clear(ap, &vars[0]);
	cr_assert_str_eq(printa("%@d", 1),
			 HEAD "             < 0 |                                         0        \n"
			      "               0 |                                         0        \n"
			      "               5 |                                         0        \n");
}

static agg_desc_t ll(int factor, int low, int high, int steps)
{
	return (agg_desc_t){
	    .ad_func = AGG_LLQUANTIZE, .ad_factor = factor, .ad_low = low, .ad_high = high, .ad_nsteps = steps};
}

Test(aggprint, llquantize_both_sides)
{
	make_var(0, ll(10, 2, 2, 10), NULL, 0);
	add(0, 0, NULL, 3, 1);
	add(0, 0, NULL, 250, 1);
	cr_assert_str_eq(printa("%@d", 1),
			 HEAD "            -100 |                                         0        \n"
			      "     abs() < 100 |@@@@@@@@@@@@@@@@@@@@                     1        \n"
			      "             100 |                                         0        \n"
			      "             200 |@@@@@@@@@@@@@@@@@@@@                     1        \n"
			      "             300 |                                         0        \n");
	add(0, 0, NULL, -2000, 1);
	cr_assert(strstr(printa("%@d", 1), "        <= -1000 |@@@@@@@@@@@@@                            1        \n"
					   "            -900 |"));
}

Test(aggprint, llquantize_one_side)
{
	make_var(0, ll(4, 1, 2, 4), NULL, 0);
	add(0, 0, NULL, 5, 1);
	add(0, 0, NULL, 17, 2);
	cr_assert_str_eq(printa("%@d", 1),
			 HEAD "             < 4 |                                         0        \n"
			      "               4 |@@@@@@@@@@@@@                            1        \n"
			      "               8 |                                         0        \n"
			      "              12 |                                         0        \n"
			      "              16 |@@@@@@@@@@@@@@@@@@@@@@@@@@@              2        \n"
			      "              32 |                                         0        \n");
}

/* Cells between the integers of the first magnitude do not exist. */
Test(aggprint, llquantize_fictitious_cells)
{
	make_var(0, ll(4, 0, 2, 8), NULL, 0);
	add(0, 0, NULL, 1, 1);
	add(0, 0, NULL, 3, 1);
	cr_assert_str_eq(printa("%@d", 1),
			 HEAD "               0 |                                         0        \n"
			      "               1 |@@@@@@@@@@@@@@@@@@@@                     1        \n"
			      "               2 |                                         0        \n"
			      "               3 |@@@@@@@@@@@@@@@@@@@@                     1        \n"
			      "               4 |                                         0        \n");
}

Test(aggprint, distributions_in_order_of_weighted_sums)
{
	make_var(0, d_quant, &k_string, 1);
	add(0, 0, "q", 1, 1);
	add(0, 0, "p", 2, 1);
	add(0, 0, "m", -4, 1);
	cr_assert_str_eq(printa("%s", 1), "mqp");
}

Test(aggprint, zoom)
{
	make_var(0, d_quant, NULL, 0);
	add(0, 0, NULL, 1, 4);
	add(0, 0, NULL, 2, 2);
	set("aggzoom");
	cr_assert_str_eq(printa("%@d", 1),
			 HEAD "               0 |                                         0        \n"
			      "               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   4        \n"
			      "               2 |@@@@@@@@@@@@@@@@@@@                      2        \n"
			      "               4 |                                         0        \n");
}

Test(aggprint, histogram)
{
	make_var(0, d_count, &k_string, 1);
	add(0, 0, "rd", 0, 1);
	for (int i = 0; i < 3; i++)
		add(0, 0, "write", 0, 1);
	set("agghist");
	cr_assert_str_eq(rest(1), "\n              key  ------------- Distribution ------------- count    \n"
				  "               rd |@@@@@@@@@@                               1        \n"
				  "            write |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           3        \n");
	set("aggzoom");
	cr_assert_str_eq(rest(1), "\n              key  ------------- Distribution ------------- count    \n"
				  "               rd |@@@@@@@@@@@@@                            1        \n"
				  "            write |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 3        \n");
}

Test(aggprint, packed_quantize)
{
	make_var(0, d_quant, &k_string, 1);
	add(0, 0, "bb", 1, 1);
	add(0, 0, "a", 1, 2);
	add(0, 0, "a", 4, 1);
	set("aggpack");
	set("encoding=ascii");
	cr_assert_str_eq(rest(1), "\n              key  min .-----. max  | count\n"
				  "               bb    0 : X   : 8    | 1\n"
				  "                a    0 : x x : 8    | 3\n");
}

Test(aggprint, packed_lquantize)
{
	agg_desc_t d = {.ad_func = AGG_LQUANTIZE, .ad_base = 0, .ad_limit = 50, .ad_step = 10};

	make_var(0, d, &k_string, 1);
	add(0, 0, "disk", 5, 1);
	add(0, 0, "disk", 25, 4);
	add(0, 0, "disk", 70, 1);
	set("aggpack");
	set("encoding=ascii");
	cr_assert_str_eq(rest(1), "\n              key     min .-------. max      | count\n"
				  "             disk     < 0 : _ x  _: >= 50    | 6\n");
}
