/* bufcall(9F) and sleeping for memory. */
#include "strtest.h"
#include "sys/errno.h"

STR_SUITE(bufcall);

static void say(void *arg)
{
	st_note(arg);
}

Test(bufcall, is_called_by_the_thread_as_soon_as_there_is_memory)
{
	bufcall_id_t a, b;

	a = bufcall(100, BPRI_MED, say, "a");
	b = esbbcall(BPRI_MED, say, "b");
	cr_assert_eq(a & 1, 1);
	cr_assert_eq(b & 1, 1);
	cr_assert_neq(a, b);
	st_expect("");
	machine_run_ready();
	st_expect("a b");
}

Test(bufcall, who_asks_for_too_much_waits_without_keeping_others_up)
{
	mblk_t *mp;

	allocb_limit(1000);
	mp = allocb(576, BPRI_MED);
	bufcall(900, BPRI_MED, say, "big");
	bufcall(100, BPRI_MED, say, "small");
	bufcall(424, BPRI_MED, say, "fits");
	bufcall(425, BPRI_MED, say, "fits not");
	machine_run_ready();
	st_expect("small fits");
	freeb(mp);
	machine_run_ready();
	st_expect("big fits not");
}

Test(bufcall, unbufcall_cancels)
{
	bufcall_id_t a, b, c;

	allocb_fail_nth(-1);
	a = bufcall(1, BPRI_MED, say, "a");
	b = bufcall(1, BPRI_MED, say, "b");
	c = bufcall(1, BPRI_MED, say, "c");
	machine_run_ready();
	unbufcall(b);
	unbufcall(b);
	allocb_fail_nth(0);
	machine_run_ready();
	st_expect("a c");
	unbufcall(a);
	allocb_fail_nth(-1);
	a = bufcall(1, BPRI_MED, say, "a");
	b = bufcall(1, BPRI_MED, say, "b");
	unbufcall(b); /* the last one, then another behind the first */
	c = bufcall(1, BPRI_MED, say, "c");
	unbufcall(a);
	allocb_fail_nth(0);
	machine_run_ready();
	st_expect("c");
	unbufcall(c);
}

Test(bufcall, what_is_pending_at_the_end_is_dropped)
{
	allocb_limit(64);
	bufcall(1000, BPRI_MED, say, "never");
	machine_run_ready();
	st_expect("");
	allocb_limit(0); /* but not run again */
}

Test(bufcall, no_record_no_call)
{
	kmem_fail_nth(1);
	cr_assert_eq(bufcall(1, BPRI_MED, say, "a"), 0);
	machine_run_ready();
	st_expect("");
}

static bufcall_id_t self;
static void cancel_self(void *arg)
{
	unbufcall(self); /* no-op, must not wait for itself */
	st_note(arg);
}

static kcondvar_t cv;
static void slow(void *arg)
{
	st_note("slow(");
	cv_wait(&cv);
	st_notef("%s", (char *)arg);
}

static void canceler(void *arg)
{
	(void)arg;
	unbufcall(self);
	st_note("cancelled");
}

Test(bufcall, unbufcall_from_inside_and_from_outside)
{
	self = bufcall(1, BPRI_MED, cancel_self, "self");
	machine_run_ready();
	st_expect("self");
	self = bufcall(1, BPRI_MED, slow, ")");
	machine_run_ready();
	st_expect("slow(");
	st_thread(canceler, NULL);
	st_expect("");
	cv_broadcast(&cv);
	machine_run_ready();
	st_expect(") cancelled");
}

/* One that asks again from inside is called in the next round. */
static void again(void *arg)
{
	int *left = arg;

	st_notef("%d", *left);
	if (--*left > 0)
		bufcall(1, BPRI_MED, again, arg);
}

Test(bufcall, asking_again_from_inside)
{
	int left = 3;

	bufcall(1, BPRI_MED, again, &left);
	machine_run_ready();
	st_expect("3 2 1");
}

static void wait_thread(void *arg)
{
	st_notef("%s%d", (char *)arg, strwaitbuf(100, BPRI_MED));
}

Test(bufcall, strwaitbuf)
{
	allocb_fail_nth(-1);
	st_thread(wait_thread, "rc");
	st_expect("");
	allocb_fail_nth(0);
	machine_run_ready();
	st_expect("rc0");
}
