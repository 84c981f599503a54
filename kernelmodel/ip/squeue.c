/* Serialization queues: see ip/squeue.h for the theory. */
#include <stdio.h>
#include <string.h>

#include "ip/squeue.h"
#include "ip/ipclassifier.h"
#include "sys/sdt.h"

#define SQUEUE_DRAIN_NS 20000000LL        /* interrupt: 20 ms */
#define SQUEUE_WRITER_DRAIN_NS 10000000LL /* system call: 10 ms */
#define SQUEUE_WORKER_DRAIN_NS 10000000LL
#define SQUEUE_WORKER_WAIT_TICKS 1 /* 10 ms */
#define SQUEUE_WORKER_PRI 60

KLOCAL squeue_t *ip_squeue;

/* A waiting message carries its handler and its conn in b_queue and b_prev. */
#define ENQUEUE_MP(sqp, mp, proc, arg, tag)                                                                         \
	do {                                                                                                        \
		(mp)->b_queue = (queue_t *)(uintptr_t)(proc);                                                       \
		(mp)->b_prev = (mblk_t *)(arg);                                                                     \
		(mp)->b_tag = (tag);                                                                                \
		(mp)->b_next = NULL;                                                                                \
		if ((sqp)->sq_last != NULL)                                                                         \
			(sqp)->sq_last->b_next = (mp);                                                              \
		else                                                                                                \
			(sqp)->sq_first = (mp);                                                                     \
		(sqp)->sq_last = (mp);                                                                              \
		(sqp)->sq_count++;                                                                                  \
		DTRACE_PROBE4(squeue__enqueue, squeue_t *, (sqp), mblk_t *, (mp), sqproc_t, (proc), void *, (arg)); \
	} while (0)

/* The wake-up that a fill armed. */
static void squeue_fire(void *arg)
{
	squeue_t *sqp = arg;

	sqp->sq_tid = 0;
	sqp->sq_state &= ~SQS_TMO_PROG;
	if ((sqp->sq_state & SQS_PROC) || sqp->sq_first == NULL)
		return;
	sqp->sq_awaken = machine_now();
	cv_signal(&sqp->sq_async);
}

/* See to it that the worker comes, in sq_wait ticks. */
static void squeue_worker_wakeup(squeue_t *sqp)
{
	if (sqp->sq_wait == 0) {
		sqp->sq_awaken = machine_now();
		cv_signal(&sqp->sq_async);
		return;
	}
	if (sqp->sq_state & SQS_TMO_PROG)
		return;
	sqp->sq_state |= SQS_TMO_PROG;
	sqp->sq_tid = timeout(squeue_fire, sqp, sqp->sq_wait);
}

/*
 * Run everything that waits, and what is appended meanwhile until `expire';
 * the caller owns nothing of the queue yet.
 */
static void squeue_drain(squeue_t *sqp, uint_t type, hrtime_t expire)
{
	uint_t more;

	sqp->sq_run = curthread;
	sqp->sq_state |= SQS_PROC | type;
	do {
		mblk_t *head = sqp->sq_first;

		sqp->sq_first = sqp->sq_last = NULL;
		sqp->sq_count = 0;
		while (head != NULL) {
			mblk_t *mp = head;
			sqproc_t proc = (sqproc_t)(uintptr_t)mp->b_queue;
			conn_t *connp = (conn_t *)mp->b_prev;

			head = mp->b_next;
			mp->b_next = mp->b_prev = NULL;
			mp->b_queue = NULL;
			connp->conn_on_sqp = 1;
			DTRACE_PROBE3(squeue__proc__start, squeue_t *, sqp, mblk_t *, mp, conn_t *, connp);
			(*proc)(connp, mp, sqp);
			DTRACE_PROBE2(squeue__proc__end, squeue_t *, sqp, conn_t *, connp);
			connp->conn_on_sqp = 0;
			CONN_DEC_REF(connp);
		}
		more = sqp->sq_first != NULL;
	} while (more && machine_now() <= expire);
	sqp->sq_state &= ~(SQS_PROC | type);
	sqp->sq_run = NULL;
	if (more && !(type & SQS_WORKER))
		squeue_worker_wakeup(sqp);
}

ALWAYS_INLINE void squeue_drain_as(squeue_t *sqp)
{
	bool intr = curthread != NULL && curthread->t_intr != 0;

	squeue_drain(sqp, intr ? SQS_ENTER : SQS_USER,
		     machine_now() + (intr ? SQUEUE_DRAIN_NS : SQUEUE_WRITER_DRAIN_NS));
}

void squeue_enter(squeue_t *sqp, mblk_t *mp, sqproc_t proc, void *arg, uint8_t tag)
{
	conn_t *connp = arg;
	uint_t how = SQS_PROC | SQS_FAST;

	if (sqp->sq_state & SQS_PROC) {
		if (sqp->sq_run != curthread || (sqp->sq_state & SQS_REENTER) || connp->conn_on_sqp) {
			ENQUEUE_MP(sqp, mp, proc, arg, tag);
			return;
		}
		how = SQS_REENTER;
	} else if (sqp->sq_first != NULL) {
		ENQUEUE_MP(sqp, mp, proc, arg, tag);
		squeue_drain_as(sqp);
		return;
	} else {
		sqp->sq_run = curthread;
	}
	sqp->sq_state |= how;
	connp->conn_on_sqp = 1;
	DTRACE_PROBE3(squeue__proc__start, squeue_t *, sqp, mblk_t *, mp, conn_t *, connp);
	(*proc)(connp, mp, sqp);
	DTRACE_PROBE2(squeue__proc__end, squeue_t *, sqp, conn_t *, connp);
	connp->conn_on_sqp = 0;
	sqp->sq_state &= ~how;
	CONN_DEC_REF(connp);
	if (how == SQS_REENTER)
		return;
	sqp->sq_run = NULL;
	if (sqp->sq_first != NULL)
		squeue_drain_as(sqp);
}

void squeue_enter_nodrain(squeue_t *sqp, mblk_t *mp, sqproc_t proc, void *arg, uint8_t tag)
{
	conn_t *connp = arg;
	uint_t how = SQS_PROC | SQS_FAST;

	if (sqp->sq_state & SQS_PROC) {
		if (sqp->sq_run != curthread || (sqp->sq_state & SQS_REENTER) || connp->conn_on_sqp) {
			ENQUEUE_MP(sqp, mp, proc, arg, tag);
			return;
		}
		how = SQS_REENTER;
	} else if (sqp->sq_first != NULL) {
		ENQUEUE_MP(sqp, mp, proc, arg, tag);
		squeue_worker_wakeup(sqp);
		return;
	} else {
		sqp->sq_run = curthread;
	}
	sqp->sq_state |= how;
	connp->conn_on_sqp = 1;
	DTRACE_PROBE3(squeue__proc__start, squeue_t *, sqp, mblk_t *, mp, conn_t *, connp);
	(*proc)(connp, mp, sqp);
	DTRACE_PROBE2(squeue__proc__end, squeue_t *, sqp, conn_t *, connp);
	connp->conn_on_sqp = 0;
	sqp->sq_state &= ~how;
	CONN_DEC_REF(connp);
	if (how == SQS_REENTER)
		return;
	sqp->sq_run = NULL;
	if (sqp->sq_first != NULL)
		squeue_worker_wakeup(sqp);
}

void squeue_fill(squeue_t *sqp, mblk_t *mp, sqproc_t proc, void *arg, uint8_t tag)
{
	ENQUEUE_MP(sqp, mp, proc, arg, tag);
	if (!(sqp->sq_state & SQS_PROC))
		squeue_worker_wakeup(sqp);
}

static void squeue_worker(void *arg)
{
	squeue_t *sqp = arg;

	for (;;) {
		while (sqp->sq_first == NULL || (sqp->sq_state & SQS_PROC))
			cv_wait(&sqp->sq_async);
		squeue_drain(sqp, SQS_WORKER, machine_now() + SQUEUE_WORKER_DRAIN_NS);
	}
}

static void squeue_init(void)
{
	squeue_t *sqp = kmem_zalloc(sizeof(*sqp), KM_SLEEP);

	sqp->sq_bind = machine_cpu;
	sqp->sq_wait = SQUEUE_WORKER_WAIT_TICKS;
	snprintf(sqp->sq_name, sizeof(sqp->sq_name), "ip_squeue_%d", machine_cpu);
	cv_init(&sqp->sq_async);
	ip_squeue = sqp;
	sqp->sq_worker = thread_create(squeue_worker, sqp, SQUEUE_WORKER_PRI);
}

/* The machine has ended the worker; what still waits never runs. */
static void squeue_fini(void)
{
	squeue_t *sqp = ip_squeue;

	while (sqp->sq_first != NULL) {
		mblk_t *mp = sqp->sq_first;
		conn_t *connp = (conn_t *)mp->b_prev;

		sqp->sq_first = mp->b_next;
		mp->b_next = mp->b_prev = NULL;
		mp->b_queue = NULL;
		freemsg(mp);
		CONN_DEC_REF(connp);
	}
	if (sqp->sq_tid != 0)
		(void)untimeout(sqp->sq_tid);
	kmem_free(sqp, sizeof(*sqp));
	ip_squeue = NULL;
}
KERNEL_INIT(1, squeue_init, squeue_fini);
