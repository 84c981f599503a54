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

Test(compare, samples_are_divided_by_the_reference)
{
	figure_t f;

	cr_assert(figure_read(line, &f));
	cr_assert(f.f_relative);
	cr_assert_eq(f.f_n, 4);
	cr_assert_float_eq(f.f_samples[0], 3, 1e-12);
	cr_assert_float_eq(f.f_noise, 0.005, 1e-12);
	cr_assert_float_eq(f.f_samples[2], 2.8, 1e-12, "by the median 10, not by the round's 11");
	cr_assert_not(figure_read("{\"record\":\"run\"}", &f));
	cr_assert_not(figure_read("", &f));
}

/* n samples about `level', ten per cent wide. */
static figure_t made(double level, double noise)
{
	figure_t f = {.f_valid = true, .f_n = 20, .f_noise = noise};

	for (int i = 0; i < 20; i++)
		f.f_samples[i] = level * (0.95 + 0.005 * i);
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
