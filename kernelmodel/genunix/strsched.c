/*
 * Service procedures: who runs them, and when.
 *
 * Theory.  qenable() puts a queue on its stream's run list.  The list is
 * served, first in first out, by whoever comes first: the thread that said it
 * will (stream_willservice ... stream_runservice, around a putnext of the stream
 * head), or a task (stream_service) that the first qenable() outside such a
 * window dispatches.  A queue enabled while the list is served joins it.
 *
 * If no task can be dispatched, two threads of the kernel take over: one for
 * queues and for buffers of esballoc(9F), one for perimeters whose deferred
 * messages wait (sqenable).
 *
 * Streams can feed each other for ever, as two that echo what the other one
 * wrote, and no time passes meanwhile.  Whoever runs the machine may therefore
 * limit how many service procedures run in a row (sys/strbusy.h).
 */
#include "machine/machine.h"
#include "sys/strbusy.h"
#include "sys/strsubr.h"

/* Queues and perimeters that could not be dispatched. */
static KLOCAL queue_t *qhead, *qtail;
static KLOCAL syncq_t *sqhead, *sqtail;
static KLOCAL kcondvar_t services_to_run, syncqs_to_run;
static KLOCAL int64_t services_left = INT64_MAX;
static KLOCAL const char *busy_module;

/* ---- run lists, linked by q_link ---- */

ALWAYS_INLINE void runlist_add(queue_t **head, queue_t **tail, queue_t *q)
{
	q->q_link = NULL;
	if (*head == NULL)
		*head = q;
	else
		(*tail)->q_link = q;
	*tail = q;
}

ALWAYS_INLINE queue_t *runlist_take(queue_t **head, queue_t **tail)
{
	queue_t *q = *head;

	if (q == NULL)
		return NULL;
	if ((*head = q->q_link) == NULL)
		*tail = NULL;
	q->q_link = NULL;
	return q;
}

/* 1 if q was on the list. */
static int runlist_remove(queue_t **head, queue_t **tail, queue_t *q)
{
	queue_t *prev = NULL;

	for (queue_t *p = *head; p != NULL; prev = p, p = p->q_link) {
		if (p != q)
			continue;
		*(prev != NULL ? &prev->q_link : head) = q->q_link;
		if (*tail == q)
			*tail = prev;
		q->q_link = NULL;
		return 1;
	}
	return 0;
}

/* ---- enabling ---- */

void qenable_locked(queue_t *q)
{
	stdata_t *stp = STREAM(q);

	if (q->q_qinfo->qi_srvp == NULL || (q->q_flag & (QWCLOSE | QENAB)))
		return;
	q->q_flag |= QENAB;
	if (q->q_flag & QINSERVICE)
		return; /* runservice() will see it */
	runlist_add(&stp->sd_qhead, &stp->sd_qtail, q);
	stp->sd_nqueues++;
	if (stp->sd_svcflags & (STRS_WILLSERVICE | STRS_SCHEDULED))
		return;
	stp->sd_svcflags |= STRS_SCHEDULED;
	stp->sd_servid = taskq_dispatch(system_taskq, stream_service, stp, TQ_NOSLEEP | TQ_NOQUEUE);
	if (stp->sd_servid != 0)
		return;
	stp->sd_svcflags &= ~STRS_SCHEDULED;
	runlist_remove(&stp->sd_qhead, &stp->sd_qtail, q);
	stp->sd_nqueues--;
	runlist_add(&qhead, &qtail, q);
	streams_bkgrnd_wakeup();
}

void qenable(queue_t *q)
{
	qenable_locked(q);
}

/* ---- serving ---- */

void str_allow_services(int64_t n)
{
	services_left = n;
}

const char *str_busy_module(void)
{
	return busy_module;
}

/* May the queue's service procedure run?  One that closes has none any more. */
ALWAYS_INLINE bool may_serve(queue_t *q)
{
	if (q->q_flag & QWCLOSE)
		return false;
	if (LIKELY(services_left > 0)) {
		services_left--;
		return true;
	}
	if (busy_module == NULL)
		busy_module = q->q_qinfo->qi_minfo->mi_idname;
	machine_stop();
	flushq(q, FLUSHALL);
	return false;
}

/* Call the service procedure until nobody enabled it meanwhile. */
void runservice(queue_t *q)
{
	for (;;) {
		entersq(q->q_syncq, SQ_SVC);
		if (may_serve(q))
			q->q_qinfo->qi_srvp(q);
		leavesq(q->q_syncq, SQ_SVC);
		if (!(q->q_flag & QENAB))
			break;
		q->q_flag &= ~QENAB;
	}
	q->q_flag &= ~(QINSERVICE | QBACK);
	for (qband_t *qbp = q->q_bandp; qbp != NULL; qbp = qbp->qb_next)
		qbp->qb_flag &= ~QB_BACK;
	cv_broadcast(&q->q_wait);
}

void queue_service(queue_t *q)
{
	q->q_flag = (q->q_flag & ~QENAB) | QINSERVICE;
	runservice(q);
}

/* From now on to stream_runservice() the caller serves the queues of the stream. */
void stream_willservice(stdata_t *stp)
{
	stp->sd_svcflags |= STRS_WILLSERVICE;
}

ALWAYS_INLINE queue_t *stream_next_queue(stdata_t *stp)
{
	queue_t *q = runlist_take(&stp->sd_qhead, &stp->sd_qtail);

	if (q != NULL)
		stp->sd_nqueues--;
	return q;
}

void stream_runservice(stdata_t *stp)
{
	queue_t *q;

	stp->sd_svcflags |= STRS_WILLSERVICE;
	while ((q = stream_next_queue(stp)) != NULL)
		queue_service(q);
	stp->sd_svcflags &= ~STRS_WILLSERVICE;
	while (UNLIKELY((q = runlist_take(&qhead, &qtail)) != NULL))
		queue_service(q);
}

/* The task of a stream. */
void stream_service(void *arg)
{
	stdata_t *stp = arg;
	queue_t *q;

	while ((q = stream_next_queue(stp)) != NULL)
		queue_service(q);
	stp->sd_svcflags &= ~STRS_SCHEDULED;
	stp->sd_servid = 0;
	cv_broadcast(&stp->sd_qcv);
}

/* ---- background ---- */

void streams_bkgrnd_wakeup(void)
{
	cv_signal(&services_to_run);
}

static void streams_qbkgrnd_service(void *arg)
{
	queue_t *q;

	(void)arg;
	for (;;) {
		if (freebs())
			continue;
		if ((q = runlist_take(&qhead, &qtail)) != NULL)
			queue_service(q);
		else
			cv_wait(&services_to_run);
	}
}

void sqenable_bkgrnd(syncq_t *sq)
{
	sq->sq_svcflags |= SQ_BGTHREAD;
	sq->sq_next = NULL;
	*(sqhead == NULL ? &sqhead : &sqtail->sq_next) = sq;
	sqtail = sq;
	cv_signal(&syncqs_to_run);
}

static void streams_sqbkgrnd_service(void *arg)
{
	syncq_t *sq;

	(void)arg;
	for (;;) {
		while ((sq = sqhead) != NULL) {
			sqhead = sq->sq_next;
			sq->sq_svcflags &= ~SQ_BGTHREAD;
			if (sq->sq_outer == sq)
				qwriter_outer_service(sq);
			else
				syncq_service(sq);
		}
		cv_wait(&syncqs_to_run);
	}
}

/* ---- the end of a queue ---- */

void wait_svc(queue_t *q)
{
	stdata_t *stp = STREAM(q);

	q->q_flag |= QWCLOSE;
	if ((q->q_flag & (QENAB | QINSERVICE)) == QENAB) {
		if (runlist_remove(&stp->sd_qhead, &stp->sd_qtail, q))
			stp->sd_nqueues--;
		else
			runlist_remove(&qhead, &qtail, q);
		q->q_flag &= ~QENAB;
	}
	while (q->q_flag & QINSERVICE)
		cv_wait(&q->q_wait);
}

void wait_sq_svc(syncq_t *sq)
{
	sq->sq_svcflags |= SQ_DISABLED;
	while (sq->sq_servcount != 0)
		cv_wait(&sq->sq_exitwait);
	callb_end(sq);
}

void stream_waitservice(stdata_t *stp)
{
	while (stp->sd_svcflags & STRS_SCHEDULED)
		cv_wait(&stp->sd_qcv);
}

static void strsched_init(void)
{
	thread_create(streams_qbkgrnd_service, NULL, 60);
	thread_create(streams_sqbkgrnd_service, NULL, 60);
}

static void strsched_fini(void)
{
	qhead = qtail = NULL;
	sqhead = sqtail = NULL;
	services_to_run = syncqs_to_run = (kcondvar_t){NULL, NULL};
	services_left = INT64_MAX;
	busy_module = NULL;
}

KERNEL_INIT(1, strsched_init, strsched_fini);
