/*
 * A stand-in for the parts of Criterion that the unit tests use, for builds
 * with ThreadSanitizer only: Criterion shares memory between processes through
 * an arena mapped at a fixed address, which that sanitizer's layout of the
 * address space does not leave free ("could not initialize inheritable arena").
 *
 * The names and their meaning are Criterion's.  A test runs in a forked process
 * of its own; a failed assertion is told on standard error and ends it.
 */
#ifndef STRSIM_TSAN_CRITERION_H
#define STRSIM_TSAN_CRITERION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct criterion_test {
	const char *suite, *name;
	void (*func)(void); /* NULL: what all tests of the suite have */
	void (*init)(void), (*fini)(void);
	int signal; /* that is to end the test */
};

/* Say where, what was expected and the test's own words; fatal ends the test. */
void criterion_failed(const char *file, int line, bool fatal, const char *what, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

#define CRITERION_ENTRY(id) \
	static const struct criterion_test *const id##_entry __attribute__((section("criterion"), used)) = &id
#define Test(s, n, ...)                                                                            \
	static void s##_##n##_impl(void);                                                          \
	static const struct criterion_test s##_##n##_test = {#s, #n, s##_##n##_impl, __VA_ARGS__}; \
	CRITERION_ENTRY(s##_##n##_test);                                                           \
	static void s##_##n##_impl(void)
#define TestSuite(s, ...)                                                             \
	static const struct criterion_test s##_suite = {#s, NULL, NULL, __VA_ARGS__}; \
	CRITERION_ENTRY(s##_suite)

#define CRITERION_CHECK(cond, fatal, what, ...)                                            \
	do {                                                                               \
		if (!(cond))                                                               \
			criterion_failed(__FILE__, __LINE__, fatal, what, "" __VA_ARGS__); \
	} while (0)

#define cr_assert(c, ...) CRITERION_CHECK(c, true, #c, __VA_ARGS__)
#define cr_assert_not(c, ...) CRITERION_CHECK(!(c), true, "not " #c, __VA_ARGS__)
#define cr_assert_fail(...) CRITERION_CHECK(false, true, "not to come here", __VA_ARGS__)
#define cr_assert_eq(a, b, ...) CRITERION_CHECK((a) == (b), true, #a " == " #b, __VA_ARGS__)
#define cr_assert_neq(a, b, ...) CRITERION_CHECK((a) != (b), true, #a " != " #b, __VA_ARGS__)
#define cr_assert_lt(a, b, ...) CRITERION_CHECK((a) < (b), true, #a " < " #b, __VA_ARGS__)
#define cr_assert_leq(a, b, ...) CRITERION_CHECK((a) <= (b), true, #a " <= " #b, __VA_ARGS__)
#define cr_assert_gt(a, b, ...) CRITERION_CHECK((a) > (b), true, #a " > " #b, __VA_ARGS__)
#define cr_assert_geq(a, b, ...) CRITERION_CHECK((a) >= (b), true, #a " >= " #b, __VA_ARGS__)
#define cr_expect_geq(a, b, ...) CRITERION_CHECK((a) >= (b), false, #a " >= " #b, __VA_ARGS__)
#define cr_assert_null(p, ...) CRITERION_CHECK((p) == NULL, true, #p " is NULL", __VA_ARGS__)
#define cr_assert_not_null(p, ...) CRITERION_CHECK((p) != NULL, true, #p " is not NULL", __VA_ARGS__)
#define cr_assert_str_eq(a, b, ...) CRITERION_CHECK(strcmp(a, b) == 0, true, #a " is " #b, __VA_ARGS__)
#define cr_assert_str_neq(a, b, ...) CRITERION_CHECK(strcmp(a, b) != 0, true, #a " is not " #b, __VA_ARGS__)
#define cr_assert_arr_eq(a, b, n, ...) CRITERION_CHECK(memcmp(a, b, n) == 0, true, #a " holds " #b, __VA_ARGS__)

#endif
