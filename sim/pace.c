#include "pace.h"

#include <event2/event.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "machine/machine.h"

/*
 * libevent waits, for a timer and for the signals that end a run.  It is asked
 * only here, between two steps of the machine, so nothing of the host's timing
 * can get into the model.
 */

/* Where a workload cannot say when it will act next, it is driven in steps of this length. */
#define STEP 10000000LL

static struct {
	struct event_base *base;
	struct event *timer, *sigint, *sigterm;
	double speed;
	hrtime_t virtual0, host0;
} pace;

static hrtime_t host_time(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static void on_time(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	(void)arg;
	event_base_loopbreak(pace.base);
}

static void on_signal(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	(void)arg;
	workload_interrupts++;
	event_base_loopbreak(pace.base);
}

/* A signal that is ignored from the start, as in a background job of a shell, stays so. */
static struct event *catch_signal(int sig)
{
	struct sigaction old;
	struct event *ev = evsignal_new(pace.base, sig, on_signal, NULL);

	if (ev && sigaction(sig, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		event_add(ev, NULL);
	return ev;
}

int pace_start(double speed)
{
	pace.base = event_base_new();
	if (!pace.base)
		return -1;
	pace.timer = evtimer_new(pace.base, on_time, NULL);
	pace.sigint = catch_signal(SIGINT);
	pace.sigterm = catch_signal(SIGTERM);
	if (!pace.timer || !pace.sigint || !pace.sigterm) {
		pace_stop();
		return -1;
	}
	pace.speed = speed;
	pace.virtual0 = machine_now();
	pace.host0 = host_time();
	return 0;
}

void pace_stop(void)
{
	struct event *events[] = {pace.timer, pace.sigint, pace.sigterm};

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		if (events[i])
			event_free(events[i]);
	}
	if (pace.base)
		event_base_free(pace.base);
	pace.base = NULL;
	pace.timer = pace.sigint = pace.sigterm = NULL;
}

void pace_wait(hrtime_t until)
{
	double due, left;
	struct timeval tv;

	if (!pace.base)
		return;
	due = (double)pace.host0 + (double)(until - pace.virtual0) / pace.speed;
	left = (due - (double)host_time()) / 1e9;
	if (left > 1e9)
		left = 1e9; /* the end of time */
	if (left < 0)
		left = 0;
	tv = (struct timeval){(time_t)left, (suseconds_t)((left - (double)(time_t)left) * 1e6)};
	if (workload_interrupts)
		return;
	evtimer_add(pace.timer, &tv);
	event_base_dispatch(pace.base);
}

/* ---- the workload ---- */

static int paced_setup(workload_t *w, char *err, size_t errlen)
{
	workload_t *in = w->w_data;
	int rc;

	in->w_dtrace = w->w_dtrace;
	rc = in->w_setup(in, err, errlen);
	/* what came before tracing took no time that anybody saw */
	pace.virtual0 = machine_now();
	pace.host0 = host_time();
	return rc;
}

static hrtime_t paced_next(workload_t *w)
{
	workload_t *in = w->w_data;

	return in->w_next ? in->w_next(in) : machine_now() + STEP;
}

static int paced_run(workload_t *w, hrtime_t until)
{
	workload_t *in = w->w_data;
	hrtime_t next;
	int rc;

	do {
		next = MIN(paced_next(w), event_next());
		if (next != INT64_MAX) /* else nothing will happen, and there is nothing to wait for */
			pace_wait(MIN(next, until));
		next = MIN(MAX(next, machine_now()), until);
		rc = workload_interrupts ? 0 : in->w_run(in, next);
	} while (rc == 0 && next < until && !workload_interrupts);
	return rc;
}

static int paced_finish(workload_t *w)
{
	workload_t *in = w->w_data;
	int rc = in->w_finish(in);

	free(w);
	return rc;
}

workload_t *pace_workload(workload_t *in)
{
	workload_t *w;

	if (!pace.base)
		return in;
	w = calloc(1, sizeof(*w));
	if (!w)
		return NULL;
	*w = (workload_t){.w_name = in->w_name,
			  .w_setup = paced_setup,
			  .w_run = paced_run,
			  .w_next = paced_next,
			  .w_finish = paced_finish,
			  .w_data = in};
	return w;
}
