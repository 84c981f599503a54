/* Reading results and comparing two runs, with lines as the harness writes them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../compare.h"
#include "../jsonl.h"

static const char line[] =
    "{\"record\":\"figure\",\"bench\":\"event/x keys=72\",\"series\":\"event/x\",\"contender\":\"strsim\","
    "\"role\":\"strsim\",\"valid\":true,\"check\":\"72 keys\",\"rounds\":4,\"median\":30,\"noise\":0.05,"
    "\"samples\":[30,32,28,30],\"ref_samples\":[10,10,11,10]}\n";

Test(jsonl, members_by_name)
{
	char text[32];
	double v[8];

	jsonl_string(line, "bench", text, sizeof(text));
	cr_assert_str_eq(text, "event/x keys=72");
	jsonl_string(line, "median", text, sizeof(text));
	cr_assert_str_eq(text, "", "a number is no string");
	jsonl_string(line, "bench", text, 5);
	cr_assert_str_eq(text, "", "too long for the room");
	cr_assert_eq(jsonl_number(line, "median"), 30);
	cr_assert(isnan(jsonl_number(line, "absent")));
	cr_assert(isnan(jsonl_number("{\"x\":null}", "x")));
	cr_assert(jsonl_true(line, "valid"));
	cr_assert_not(jsonl_true("{\"valid\":false}", "valid"));
	cr_assert_eq(jsonl_array(line, "samples", v, 8), 4);
	cr_assert_eq(v[2], 28);
	cr_assert_eq(jsonl_array(line, "samples", v, 2), 2);
	cr_assert_eq(jsonl_array("{\"samples\":[]}", "samples", v, 8), 0);
}

Test(compare, figures_are_read_with_their_reference)
{
	figure_t f;

	cr_assert(figure_read(line, &f));
	cr_assert(f.f_relative);
	cr_assert_eq(f.f_n, 4);
	cr_assert_eq(f.f_samples[2], 28);
	cr_assert_eq(f.f_ref[2], 11);
	cr_assert_float_eq(f.f_noise, 0.005, 1e-12, "of the reference's median, 10");
	cr_assert_not(figure_read("{\"record\":\"run\"}", &f));
	cr_assert_not(figure_read("", &f));
}

/* n samples about `level', ten per cent wide. */
static figure_t made(double level, double noise)
{
	figure_t f = {.f_valid = true, .f_n = 20, .f_noise = noise};

	for (int i = 0; i < 20; i++) {
		f.f_samples[i] = level * (0.95 + 0.005 * i);
		f.f_ref[i] = 1;
	}
	return f;
}

Test(compare, a_change_beyond_the_noise_is_seen)
{
	figure_t old = made(10, 0.5), faster = made(7, 0.5), slower = made(13, 0.5), same = made(10.1, 0.5);
	interval_t ci;
	double ratio;

	cr_assert_eq(figure_compare(&old, &faster, &ratio, &ci), VERDICT_LESS);
	cr_assert_float_eq(ratio, 0.7, 1e-9);
	cr_assert_eq(figure_compare(&old, &slower, &ratio, &ci), VERDICT_MORE);
	cr_assert_eq(figure_compare(&old, &same, &ratio, &ci), VERDICT_NONE);
	cr_assert_eq(figure_compare(&old, &old, &ratio, &ci), VERDICT_NONE);
}

Test(compare, a_change_within_the_noise_of_either_run_is_not)
{
	figure_t old = made(10, 0.5), noisy = made(13, 4), unknown = made(13, NAN);
	interval_t ci;
	double ratio;

	cr_assert_eq(figure_compare(&old, &noisy, &ratio, &ci), VERDICT_NONE);
	cr_assert_eq(figure_compare(&noisy, &old, &ratio, &ci), VERDICT_NONE);
	cr_assert_eq(figure_compare(&old, &unknown, &ratio, &ci), VERDICT_NONE, "null in the results: no bound");
}

/* A machine twice as slow in the new run slows the reference too. */
Test(compare, a_slower_machine_is_no_slower_tracer)
{
	figure_t old = made(10, 0.5), new = made(20, 0.5);
	interval_t ci;
	double ratio;

	for (int i = 0; i < 20; i++)
		new.f_ref[i] = 2;
	cr_assert_eq(figure_compare(&old, &new, &ratio, &ci), VERDICT_NONE);
	cr_assert_float_eq(ratio, 1, 1e-9);
}

/* What the reference's rounds leave open is in the interval: here its median may be anything from 1 to 2. */
Test(compare, an_uncertain_reference_makes_an_uncertain_ratio)
{
	figure_t old = made(10, 0.1), new = made(8, 0.1);
	interval_t ci;
	double ratio;

	for (int i = 0; i < 20; i++)
		old.f_ref[i] = i % 2 == 0 ? 1 : 2;
	cr_assert_eq(figure_compare(&old, &new, &ratio, &ci), VERDICT_NONE);
	cr_assert_lt(ci.lo, 0.85);
	cr_assert_gt(ci.hi, 1.5);
}
