/* timeout() and untimeout(): ticks, order, cancelling. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include "sys/thread.h"

static void setup(void)
{
	machine_init(0);
}
static void teardown(void)
{
	size_t bytes, objects;

	machine_fini();
	kmem_alive(&bytes, &objects);
	if (bytes != 0 || objects != 0)
		abort(); /* a failed assertion would not count here */
}
TestSuite(callout, .init = setup, .fini = teardown);

#define MS 1000000LL

static char seen[256];
static hrtime_t at[256];
static void note(void *letter)
{
	size_t n = strlen(seen);

	seen[n] = (char)(intptr_t)letter;
	at[n] = machine_now();
}

/* A timeout of n ticks set at t runs at tick lbolt(t) + n: between n - 1 and n ticks later. */
Test(callout, expiry_is_a_whole_tick)
{
	timeout(note, (void *)'a', 5);
	machine_run(3 * MS);
	timeout(note, (void *)'b', 5);
	machine_run(9999999);
	timeout(note, (void *)'c', 5);
	machine_run(10 * MS);
	timeout(note, (void *)'d', 5);
	machine_run(1000 * MS);
	cr_assert_str_eq(seen, "abcd");
	cr_assert_eq(at[0], 50 * MS);
	cr_assert_eq(at[1], 50 * MS);
	cr_assert_eq(at[2], 50 * MS, "40 ms later");
	cr_assert_eq(at[3], 60 * MS, "50 ms later");
}

Test(callout, no_ticks_mean_one)
{
	machine_run(25 * MS);
	timeout(note, (void *)'a', 0);
	timeout(note, (void *)'b', -7);
	machine_run_ready();
	cr_assert_str_eq(seen, "");
	machine_run(1000 * MS);
	cr_assert_str_eq(seen, "ab");
	cr_assert_eq(at[0], 30 * MS);
}

Test(callout, lbolt_and_usectohz)
{
	machine_run(123456789);
	cr_assert_eq(ddi_get_lbolt(), 12);
	cr_assert_eq(drv_usectohz(50000), 5);
	cr_assert_eq(drv_usectohz(50001), 6);
	cr_assert_eq(drv_usectohz(1), 1);
	cr_assert_eq(drv_usectohz(0), 0);
}

Test(callout, untimeout_tells_what_was_left)
{
	timeout_id_t a = timeout(note, (void *)'a', 10), b = timeout(note, (void *)'b', 10);

	machine_run(42 * MS);
	cr_assert_eq(untimeout(a), 6);
	cr_assert_eq(untimeout(a), -1, "only once");
	machine_run(1000 * MS);
	cr_assert_str_eq(seen, "b");
	cr_assert_eq(untimeout(b), -1, "it has run");
	cr_assert_eq(untimeout(0), -1);
	cr_assert_eq(untimeout(0x100000fff), -1);
}

Test(callout, an_id_is_not_valid_for_the_next_timeout)
{
	timeout_id_t a = timeout(note, (void *)'a', 1), b;

	machine_run(10 * MS);
	b = timeout(note, (void *)'b', 1);
	cr_assert_neq(a, b);
	cr_assert_eq(untimeout(a), -1);
	machine_run(20 * MS);
	cr_assert_str_eq(seen, "ab");
}

Test(callout, cancelling_leaves_no_event)
{
	timeout_id_t a = timeout(note, NULL, 100);

	cr_assert_eq(event_next(), 1000 * MS);
	untimeout(a);
	cr_assert_eq(event_next(), INT64_MAX);
}

static timeout_id_t other;
static void cancels(void *arg)
{
	note(arg);
	if (untimeout(other) == 0)
		note((void *)'0');
}

Test(callout, one_that_has_expired_but_not_run_is_cancelled)
{
	timeout(cancels, (void *)'a', 3);
	other = timeout(note, (void *)'b', 3);
	timeout(note, (void *)'c', 3);
	machine_run(100 * MS);
	cr_assert_str_eq(seen, "a0c");
}

static timeout_id_t self;
static clock_t_ self_said;
static void cancels_itself(void *arg)
{
	self_said = untimeout(self);
	note(arg);
	if (strlen(seen) < 3)
		self = timeout(cancels_itself, arg, 2);
}

Test(callout, a_callout_may_cancel_itself_and_set_itself_again)
{
	self = timeout(cancels_itself, (void *)'s', 2);
	machine_run(1000 * MS);
	cr_assert_str_eq(seen, "sss");
	cr_assert_eq(self_said, -1);
	cr_assert_eq(at[1], 40 * MS);
	cr_assert_eq(at[2], 60 * MS);
}

static kcondvar_t cv;
static void sleeps(void *arg)
{
	note(arg);
	cv_wait(&cv);
	note((void *)'w');
}
static void canceller(void *arg)
{
	clock_t_ left = untimeout(self);

	note(left == -1 ? arg : (void *)'?');
}

Test(callout, others_run_while_one_sleeps_and_untimeout_waits_for_it)
{
	self = timeout(sleeps, (void *)'s', 1);
	timeout(note, (void *)'a', 1);
	timeout(note, (void *)'b', 2);
	machine_run(20 * MS);
	cr_assert_str_eq(seen, "sab", "the one of the same tick goes with the next");
	thread_create(canceller, (void *)'c', 60);
	machine_run_ready();
	cr_assert_str_eq(seen, "sab");
	cv_signal(&cv);
	machine_run_ready();
	cr_assert_str_eq(seen, "sabwc");
}

static uintptr_t up[3];
static void frames(void *arg)
{
	uintptr_t *fp = __builtin_frame_address(0);

	(void)arg;
	for (int i = 0; i < 3 && fp != NULL; i++) {
		up[i] = (uintptr_t)fp;
		fp = (uintptr_t *)fp[0];
	}
	up[2] = fp == NULL ? up[2] : 0;
}

Test(callout, three_frames_callout_execute_taskq_thread)
{
	timeout(frames, NULL, 1);
	machine_run(10 * MS);
	cr_assert_neq(up[0], 0);
	cr_assert_neq(up[1], 0, "callout_execute");
	cr_assert_neq(up[2], 0, "taskq_thread, and nothing below");
}

static size_t runs, last_tick;
static void count_in_order(void *arg)
{
	cr_expect_geq((uintptr_t)arg, last_tick);
	last_tick = (uintptr_t)arg;
	runs++;
}

Test(callout, many_timers_on_many_ticks)
{
	enum { N = 200000 };
	timeout_id_t *id = calloc(N, sizeof(*id));
	size_t left = N;

	for (uintptr_t i = 0; i < N; i++) {
		uintptr_t ticks = 1 + machine_random() % 20000;
		id[i] = timeout(count_in_order, (void *)ticks, (clock_t_)ticks);
	}
	for (int i = 0; i < N; i += 3) {
		cr_assert_geq(untimeout(id[i]), 1);
		left--;
	}
	machine_run(20000 * NSEC_PER_TICK);
	cr_assert_eq(runs, left);
	free(id);
}

/* Timers that never fire must not keep memory after the machine is gone: teardown looks. */
Test(callout, pending_timers_go_with_the_machine)
{
	for (int i = 0; i < 1000; i++)
		timeout(note, NULL, i);
}
