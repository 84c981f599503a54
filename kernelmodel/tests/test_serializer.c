/* Serializers: immediate, nested and deferred requests. */
#include "strtest.h"
#include "sys/serializer.h"

STR_SUITE(serializer);

static serializer_t *ser;
static int depth, deepest;
static char stack_[512];

/* A request that notes its argument. */
static void say(mblk_t *mp, void *arg)
{
	if (++depth > deepest)
		deepest = depth;
	cr_assert_null(mp->b_next);
	cr_assert_null(mp->b_prev);
	cr_assert_null(mp->b_queue);
	strcpy(stack_, st_callers(3));
	st_note(arg);
	freeb(mp);
	depth--;
}

static void enter(srproc_t *proc, void *arg)
{
	serializer_enter(ser, proc, allocb(0, BPRI_MED), arg);
}

Test(serializer, runs_at_once_when_idle)
{
	ser = serializer_create(KM_SLEEP);
	enter(say, "a");
	st_expect("a");
	st_expect_stack(stack_, "serializer_exec < serializer_enter < ");
	enter(say, "b");
	st_expect("b");
	serializer_destroy(ser);
}

/* Enters twice again from inside. */
static void nest(mblk_t *mp, void *arg)
{
	enter(say, "b");
	enter(say, "c");
	say(mp, arg);
}

Test(serializer, requests_from_inside_wait_their_turn)
{
	ser = serializer_create(KM_SLEEP);
	enter(nest, "a");
	st_expect("a b c");
	cr_assert_eq(deepest, 1, "a request ran inside another");
	cr_assert_str_eq(stack_, "serializer_exec < serializer_drain < serializer_enter");
	serializer_destroy(ser);
}

/* Enters n - 1 again from inside. */
static void chain(mblk_t *mp, void *arg)
{
	int *n = arg;

	st_notef("%d", *n);
	strcpy(stack_, st_callers(4));
	if (--*n > 0)
		enter(chain, n);
	freeb(mp);
}

Test(serializer, after_ten_a_task_goes_on)
{
	int n = 13;

	ser = serializer_create(KM_SLEEP);
	enter(chain, &n);
	st_expect("13 12 11 10 9 8 7 6 5 4 3");
	enter(say, "x"); /* behind the one that waits; he runs them all */
	st_expect("2 x 1");
	machine_run_ready();
	st_expect("");
	n = 13;
	enter(chain, &n);
	st_noted();
	machine_run_ready();
	st_expect("2 1");
	cr_assert_str_eq(stack_, "serializer_exec < serializer_drain < serializer_drain_completely < taskq_d_thread");
	serializer_destroy(ser);
}

Test(serializer, without_a_task_he_goes_on_himself)
{
	int n = 25;

	ser = serializer_create(KM_SLEEP);
	taskq_fail_nth(-1);
	enter(chain, &n);
	taskq_fail_nth(0);
	st_expect("25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1");
	serializer_destroy(ser);
}

static kcondvar_t cv;
static void sleepy(mblk_t *mp, void *arg)
{
	st_note("sleep(");
	cv_wait(&cv);
	say(mp, arg);
}

static void sleeper(void *arg)
{
	enter(sleepy, arg);
}

static void waiter(void *arg)
{
	(void)arg;
	serializer_wait(ser);
	st_note("idle");
}

Test(serializer, others_queue_behind_a_sleeper)
{
	ser = serializer_create(KM_SLEEP);
	st_thread(sleeper, ")");
	st_thread(waiter, NULL);
	enter(say, "a");
	enter(say, "b");
	st_expect("sleep(");
	cv_broadcast(&cv);
	machine_run_ready();
	st_expect(") a b idle");
	st_thread(waiter, NULL);
	st_expect("idle");
	serializer_destroy(ser);
}

Test(serializer, waits_for_the_task_too)
{
	int n = 12;

	ser = serializer_create(KM_SLEEP);
	enter(chain, &n);
	st_noted();
	st_thread(waiter, NULL);
	st_expect("1 idle");
	serializer_destroy(ser);
}

Test(serializer, no_memory)
{
	kmem_fail_nth(1);
	cr_assert_null(serializer_create(KM_NOSLEEP));
}
