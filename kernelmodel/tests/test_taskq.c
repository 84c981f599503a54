/* Task queues: order, sleeping jobs, refusals. */
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
TestSuite(taskq, .init = setup, .fini = teardown);

static char seen[256];
static void note(void *letter)
{
	seen[strlen(seen)] = (char)(intptr_t)letter;
}
static kcondvar_t cv;
static void sleeps(void *arg)
{
	note(arg);
	cv_wait(&cv);
	note((void *)((intptr_t)arg - 'a' + 'A'));
}

Test(taskq, jobs_run_in_the_order_of_dispatch)
{
	for (intptr_t c = 'a'; c <= 'e'; c++)
		cr_assert_neq(taskq_dispatch(system_taskq, note, (void *)c, TQ_NOSLEEP | TQ_NOQUEUE), 0);
	cr_assert_str_eq(seen, "", "not before the dispatcher is done");
	machine_run_ready();
	cr_assert_str_eq(seen, "abcde");
}

static void dispatches(void *arg)
{
	note(arg);
	taskq_dispatch(system_taskq, note, (void *)'z', TQ_SLEEP);
	note((void *)'2');
}

Test(taskq, a_job_dispatched_by_a_job_runs_after_it)
{
	taskq_dispatch(system_taskq, dispatches, (void *)'1', TQ_SLEEP);
	taskq_dispatch(system_taskq, note, (void *)'3', TQ_SLEEP);
	machine_run_ready();
	cr_assert_str_eq(seen, "123z");
}

Test(taskq, a_dynamic_queue_has_a_thread_for_every_sleeping_job)
{
	for (intptr_t c = 'a'; c <= 'd'; c++)
		taskq_dispatch(system_taskq, sleeps, (void *)c, TQ_SLEEP);
	taskq_dispatch(system_taskq, note, (void *)'e', TQ_SLEEP);
	machine_run_ready();
	cr_assert_str_eq(seen, "abcde");
	cv_broadcast(&cv);
	machine_run_ready();
	cr_assert_str_eq(seen, "abcdeABCD");
	for (intptr_t c = 'f'; c <= 'h'; c++)
		taskq_dispatch(system_taskq, note, (void *)c, TQ_SLEEP);
	machine_run_ready();
	cr_assert_str_eq(seen, "abcdeABCDfgh");
}

Test(taskq, another_queue_has_as_many_threads_as_it_was_given)
{
	taskq_t *tq = taskq_create("two", 2, 60, 0);

	for (intptr_t c = 'a'; c <= 'd'; c++)
		taskq_dispatch(tq, sleeps, (void *)c, TQ_SLEEP);
	machine_run_ready();
	cr_assert_str_eq(seen, "ab", "two sleep, two wait");
	cv_signal(&cv);
	machine_run_ready();
	cr_assert_str_eq(seen, "abAc");
	cv_broadcast(&cv);
	machine_run_ready();
	cv_broadcast(&cv);
	machine_run_ready();
	cr_assert_str_eq(seen, "abAcBdCD");
	taskq_destroy(tq);
	machine_run_ready();
}

Test(taskq, dispatch_fails_on_demand)
{
	taskq_fail_nth(2);
	cr_assert_neq(taskq_dispatch(system_taskq, note, (void *)'a', TQ_NOSLEEP), 0);
	cr_assert_eq(taskq_dispatch(system_taskq, note, (void *)'b', TQ_NOSLEEP | TQ_NOQUEUE), 0);
	cr_assert_neq(taskq_dispatch(system_taskq, note, (void *)'c', TQ_NOQUEUE), 0);
	taskq_fail_nth(-2);
	cr_assert_neq(taskq_dispatch(system_taskq, note, (void *)'d', TQ_NOSLEEP), 0);
	cr_assert_eq(taskq_dispatch(system_taskq, note, (void *)'e', TQ_NOSLEEP), 0);
	cr_assert_eq(taskq_dispatch(system_taskq, note, (void *)'f', TQ_NOSLEEP), 0);
	cr_assert_neq(taskq_dispatch(system_taskq, note, (void *)'g', TQ_SLEEP), 0, "one that may sleep never fails");
	taskq_fail_nth(0);
	machine_run_ready();
	cr_assert_str_eq(seen, "acdg");
}

Test(taskq, no_memory_for_a_job)
{
	kmem_fail_nth(1);
	cr_assert_eq(taskq_dispatch(system_taskq, note, (void *)'a', TQ_NOSLEEP), 0);
	machine_run_ready();
	cr_assert_str_eq(seen, "");
	kmem_fail_nth(-1);
	cr_assert_null(taskq_create("none", 1, 60, 0));
	cr_assert_neq(taskq_dispatch(system_taskq, note, (void *)'b', TQ_SLEEP), 0);
	machine_run_ready();
	cr_assert_str_eq(seen, "b");
}

/* The n-th allocation failing anywhere in creating a queue and dispatching leaves nothing behind. */
Test(taskq, every_failing_allocation_is_survived)
{
	for (long n = 1; n < 8; n++) {
		taskq_t *tq;
		kmem_fail_nth(n);
		tq = taskq_create("q", 1, 60, 0);
		if (tq != NULL) {
			taskq_dispatch(tq, note, (void *)'x', TQ_NOSLEEP);
			machine_run_ready();
			taskq_destroy(tq);
		}
		kmem_fail_nth(0);
		machine_run_ready();
	}
}

Test(taskq, destroying_drops_what_has_not_begun)
{
	taskq_t *tq = taskq_create("one", 1, 60, 0);

	taskq_dispatch(tq, sleeps, (void *)'a', TQ_SLEEP);
	taskq_dispatch(tq, note, (void *)'b', TQ_SLEEP);
	machine_run_ready();
	taskq_destroy(tq);
	cv_broadcast(&cv);
	machine_run_ready();
	cr_assert_str_eq(seen, "aA");
}

static uint_t irq(void *arg)
{
	note(arg);
	return 1;
}
static void raises(void *arg)
{
	note(arg);
	intr_raise(5);
	note((void *)'2');
}

Test(taskq, interrupts_come_between_jobs)
{
	intr_connect(5, irq, (void *)'i');
	taskq_dispatch(system_taskq, raises, (void *)'1', TQ_SLEEP);
	taskq_dispatch(system_taskq, note, (void *)'3', TQ_SLEEP);
	machine_run_ready();
	cr_assert_str_eq(seen, "12i3");
}

static uintptr_t below, dispatched_from;
static void frame(void *arg)
{
	uintptr_t *fp = __builtin_frame_address(0);

	(void)arg;
	below = fp[0];
	dispatched_from = fp[0] != 0 ? *(uintptr_t *)fp[0] : 1;
}

Test(taskq, the_worker_calls_the_job_itself)
{
	taskq_dispatch(system_taskq, frame, NULL, TQ_SLEEP);
	machine_run_ready();
	cr_assert_neq(below, 0);
	cr_assert_eq(dispatched_from, 0, "taskq_d_thread is the base frame");
}
