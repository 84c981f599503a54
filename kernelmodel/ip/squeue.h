/*
 * Serialization queues: all processing of a connection happens on its squeue,
 * one message at a time.
 *
 * Theory.  One squeue per processor.  Who enters an idle squeue runs the
 * handler inline, with itself as the processing thread; who finds it busy
 * appends.  The one inside drains what was appended before it leaves.  Timers
 * are not worth the interrupt's time: squeue_fill() only appends and arms the
 * worker, which comes along after sq_wait ticks (10 ms) unless somebody
 * drains the queue first.  That is why a delayed ACK leaves from squeue_worker.
 *
 * A handler may cause a packet for another connection that comes back to the
 * same squeue on the same thread (loopback): it is run inline once (REENTER),
 * unless its conn is the one being processed.
 */
#ifndef STRSIM_SQUEUE_H
#define STRSIM_SQUEUE_H

#include "sys/types.h"
#include "sys/stream.h"
#include "sys/thread.h"

struct squeue_s;

/* Handler: (conn_t, message, squeue_t). */
typedef void (*sqproc_t)(void *arg, mblk_t *mp, void *arg2);

typedef struct squeue_s {
	uint_t sq_state; /* SQS_* */
	uint_t sq_count; /* messages waiting */
	mblk_t *sq_first;
	mblk_t *sq_last;
	hrtime_t sq_awaken; /* when the worker was last signalled */
	kthread_t *sq_run;  /* inside now */
	void *sq_rx_ring;
	hrtime_t sq_avg_drain_time;
	processorid_t sq_bind;
	kcondvar_t sq_async; /* the worker sleeps here */
	clock_t_ sq_wait;    /* ticks from fill to worker */
	timeout_id_t sq_tid; /* armed wake-up */
	kthread_t *sq_worker;
	void *sq_private[2];
	char sq_name[16];
} squeue_t;

#define SQS_PROC 0x0001   /* somebody is inside */
#define SQS_WORKER 0x0002 /* ... the worker */
#define SQS_ENTER 0x0004  /* ... draining from an interrupt */
#define SQS_FAST 0x0008   /* ... inline */
#define SQS_USER 0x0010   /* ... draining from a system call */
#define SQS_BOUND 0x0020
#define SQS_REENTER 0x0080  /* ... and in once more */
#define SQS_TMO_PROG 0x0100 /* a wake-up is armed */

#define SQPRIVATE_TCP 1

/* The squeue of this kernel's processor. */
extern KLOCAL squeue_t *ip_squeue;

/*
 * Run proc(arg, mp, sqp) on the squeue: inline when it is idle, else later by
 * whoever is inside.  arg is a conn_t on which the caller holds a reference:
 * it is dropped when the handler has run.  mp (no b_next, b_prev) is consumed by the handler.  The tag says who
 * asks, for traces.
 */
void squeue_enter(squeue_t *sqp, mblk_t *mp, sqproc_t proc, void *arg, uint8_t tag);
/* The same, but does not drain what others appended meanwhile: leaves that to the worker. */
void squeue_enter_nodrain(squeue_t *sqp, mblk_t *mp, sqproc_t proc, void *arg, uint8_t tag);
/* Append only: the worker runs it sq_wait ticks later, or whoever drains the queue before. */
void squeue_fill(squeue_t *sqp, mblk_t *mp, sqproc_t proc, void *arg, uint8_t tag);

/* Tags (sq_enter reasons). */
#define SQTAG_IP_TCP_INPUT 1
#define SQTAG_IP_FANOUT_TCP 2
#define SQTAG_TCP_WPUT 3
#define SQTAG_TCP_WPUT_OTHER 4
#define SQTAG_TCP_CLOSE 5
#define SQTAG_TCP_TIMER 6
#define SQTAG_TCP_RSRV 7
#define SQTAG_TCP_ACCEPT 8
#define SQTAG_TCP_CONN_IND 9
#define SQTAG_ICMP_INPUT 10

#endif
