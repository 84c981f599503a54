/*
 * Condition variables (condvar(9F)) and every kind of sleep.
 *
 * A cv is a FIFO.  A thread in it has t_wchan set; it is taken out by
 * cv_signal(), by its timer or by a signal, whichever comes first, and each of
 * them leaves word in t_timedout or t_wokesig before it makes the thread ready.
 */
#include <stdio.h>
#include <stdlib.h>
#include "sys/thread.h"
#include "genunix/proc_impl.h"
#include "genunix/sched_probes.h"

void cv_init(kcondvar_t *cv)
{
	cv->cv_first = cv->cv_last = NULL;
}

void cv_destroy(kcondvar_t *cv)
{
	(void)cv; /* holds no memory */
}

ALWAYS_INLINE void sleepq_insert(kcondvar_t *cv, kthread_t *t)
{
	t->t_wchan = cv;
	t->t_link = NULL;
	t->t_back = cv->cv_last;
	*(t->t_back != NULL ? &t->t_back->t_link : &cv->cv_first) = t;
	cv->cv_last = t;
}

ALWAYS_INLINE void sleepq_unlink(kthread_t *t)
{
	kcondvar_t *cv = t->t_wchan;

	*(t->t_back != NULL ? &t->t_back->t_link : &cv->cv_first) = t->t_link;
	*(t->t_link != NULL ? &t->t_link->t_back : &cv->cv_last) = t->t_back;
	t->t_wchan = NULL;
	t->t_link = t->t_back = NULL;
}

/* The sleep is over. */
ALWAYS_INLINE void setrun(kthread_t *t)
{
	sleepq_unlink(t);
	event_cancel(&t->t_timer);
	t->t_sigable = false;
	t->t_state = 'R';
	SCHED_WAKEUP(t);
	SCHED_ENQUEUE(t);
	fiber_ready(t->t_fiber);
}

void swtch(void)
{
	kthread_t *t = curthread;

	if (fiber_self() == NULL) {
		fprintf(stderr, "strsim: sleep outside of a thread\n");
		abort();
	}
	t->t_state = 'S';
	if (t->t_taskq != NULL)
		taskq_sleep(t->t_taskq);
	SCHED_SLEEP();
	SCHED_OFFCPU();
	fiber_block();
	if (t->t_taskq != NULL)
		taskq_wakeup(t->t_taskq);
	t->t_state = 'O';
	SCHED_ONCPU();
}

static void cv_block(kcondvar_t *cv)
{
	kthread_t *t = curthread;

	t->t_wokesig = t->t_timedout = false;
	sleepq_insert(cv, t);
	swtch();
}

void cv_wait(kcondvar_t *cv)
{
	cv_block(cv);
}

int cv_wait_sig(kcondvar_t *cv)
{
	kthread_t *t = curthread;

	if (t->t_lwp == NULL) {
		cv_block(cv);
		return 1;
	}
	if (issig(t->t_procp))
		return 0;
	t->t_sigable = true;
	cv_block(cv);
	return t->t_wokesig ? 0 : 1;
}

static void cv_wakeup(void *arg)
{
	kthread_t *t = arg;

	t->t_timedout = true;
	setrun(t);
}

/* Sleep with the timer set; the deadline lies ahead. */
static int cv_block_until(kcondvar_t *cv, clock_t_ tick)
{
	kthread_t *t = curthread;

	event_schedule(&t->t_timer, (hrtime_t)tick * NSEC_PER_TICK, cv_wakeup, t);
	cv_block(cv);
	if (t->t_wokesig)
		return 0;
	return t->t_timedout ? -1 : 1;
}

int cv_timedwait(kcondvar_t *cv, clock_t_ tick)
{
	return tick <= ddi_get_lbolt() ? -1 : cv_block_until(cv, tick);
}

int cv_timedwait_sig(kcondvar_t *cv, clock_t_ tick)
{
	kthread_t *t = curthread;

	if (t->t_lwp == NULL)
		return cv_timedwait(cv, tick);
	if (issig(t->t_procp))
		return 0;
	if (tick <= ddi_get_lbolt())
		return -1;
	t->t_sigable = true;
	return cv_block_until(cv, tick);
}

void cv_signal(kcondvar_t *cv)
{
	if (cv->cv_first != NULL)
		setrun(cv->cv_first);
}

void cv_broadcast(kcondvar_t *cv)
{
	while (cv->cv_first != NULL)
		setrun(cv->cv_first);
}

void sleep_interrupt(kthread_t *t)
{
	t->t_wokesig = true;
	setrun(t);
}
