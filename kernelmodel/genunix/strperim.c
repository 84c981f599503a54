/*
 * Perimeters: who may be inside a module, and what happens to those who come
 * at the wrong time.
 *
 * Theory.  A syncq counts the threads inside (sq_count) and says in sq_flags
 * who is kept out.  putnext() (unix/putnext.c) enters a perimeter for a put
 * procedure and never waits: a message that may not enter is put on the
 * deferred list of its queue (qfill_syncq), and the queue on the list of its
 * syncq.  Open, close, service procedures and callbacks enter with entersq(),
 * which sleeps.  Deferred messages are let in by drain_syncq(), queue by queue
 * (qdrain_syncq); it is called by whoever leaves: putnext_tail() or leavesq().
 * When a message was deferred and nobody is inside to leave later, the drain is
 * left to a task (sqenable, syncq_service).
 *
 * An outer perimeter is a syncq of its own, in one ring with the inner ones of
 * all instances of a module.  Its writer shuts all of them (SQ_WRITER) and runs
 * alone in the module; open and close do that when the module says
 * D_MTOCEXCL, other code through qwriter(PERIM_OUTER).
 *
 * Threads are not pre-empted and the model has no locks: "locked" parts of a
 * real kernel are plain code here.  A thread can only be found inside a
 * perimeter because it sleeps there, or because it is further down on the
 * caller's own stack.
 */
#include "sys/cmn_err.h"
#include "sys/errno.h"
#include "sys/strsubr.h"

/* Above so many deferred messages the queue counts as full. */
static const size_t sq_max_size = 10000;

/* ---- waiting ---- */

/* Wake those who wait for something to change here. */
ALWAYS_INLINE void sq_wakeups(syncq_t *sq)
{
	if (sq->sq_flags & SQ_WANTWAKEUP) {
		sq->sq_flags &= ~SQ_WANTWAKEUP;
		cv_broadcast(&sq->sq_wait);
	}
	if (sq->sq_flags & SQ_WANTEXWAKEUP) {
		sq->sq_flags &= ~SQ_WANTEXWAKEUP;
		cv_broadcast(&sq->sq_exitwait);
	}
}

ALWAYS_INLINE void sq_sleep(syncq_t *sq)
{
	sq->sq_flags |= SQ_WANTWAKEUP;
	cv_wait(&sq->sq_wait);
}

/* ---- deferring ---- */

/* Put q on the list of its syncq, behind those of its priority. */
ALWAYS_INLINE void sqput_q(syncq_t *sq, queue_t *q)
{
	queue_t *prev = sq->sq_tail;

	while (prev != NULL && prev->q_spri < q->q_spri)
		prev = prev->q_sqprev;
	q->q_sqprev = prev;
	q->q_sqnext = prev != NULL ? prev->q_sqnext : sq->sq_head;
	*(prev != NULL ? &prev->q_sqnext : &sq->sq_head) = q;
	*(q->q_sqnext != NULL ? &q->q_sqnext->q_sqprev : &sq->sq_tail) = q;
	q->q_sqflags |= Q_SQQUEUED;
	sq->sq_flags |= SQ_MESSAGES;
	sq->sq_nqueues++;
	sq->sq_pri = sq->sq_head->q_spri;
}

ALWAYS_INLINE void sqrm_q(syncq_t *sq, queue_t *q)
{
	*(q->q_sqprev != NULL ? &q->q_sqprev->q_sqnext : &sq->sq_head) = q->q_sqnext;
	*(q->q_sqnext != NULL ? &q->q_sqnext->q_sqprev : &sq->sq_tail) = q->q_sqprev;
	q->q_sqnext = q->q_sqprev = NULL;
	q->q_sqflags &= ~Q_SQQUEUED;
	q->q_spri = 0;
	sq->sq_nqueues--;
	sq->sq_pri = sq->sq_head != NULL ? sq->sq_head->q_spri : 0;
	if (sq->sq_head == NULL)
		sq->sq_flags &= ~SQ_MESSAGES;
}

/* Leave mp in front of the perimeter, for q.  The caller's claim is dropped. */
void qfill_syncq(syncq_t *sq, queue_t *q, mblk_t *mp)
{
	if (q->q_syncqmsgs > sq_max_size)
		q->q_nfsrv->q_flag |= QFULL;
	syncq_append(q, mp);
	if (!(q->q_sqflags & Q_SQQUEUED)) {
		q->q_spri = curthread != NULL ? curthread->t_pri : 0;
		sqput_q(sq, q);
	}
	sq->sq_count--;
	putnext_tail(sq, q, 0);
}

/* ---- draining ---- */

/* The deferred messages of q are all in: it is full no more for their number. */
void clr_qfull(queue_t *q)
{
	queue_t *fq = q->q_nfsrv;

	if (!(fq->q_flag & QFULL) || fq->q_count >= fq->q_hiwat || fq->q_mblkcnt >= fq->q_hiwat)
		return;
	fq->q_flag &= ~QFULL;
	qbackenable(fq, 0);
}

/* Let the deferred messages of q in; the caller is inside. */
void qdrain_syncq(syncq_t *sq, queue_t *q)
{
	mblk_t *mp;

	if (q->q_draining || q->q_sqhead == NULL)
		return;
	q->q_draining = 1;
	while ((mp = q->q_sqhead) != NULL && !(sq->sq_flags & (SQ_STAYAWAY | SQ_EVENTS))) {
		if ((q->q_sqhead = mp->b_next) == NULL)
			q->q_sqtail = NULL;
		mp->b_next = NULL;
		q->q_qinfo->qi_putp(q, mp);
		if (--q->q_syncqmsgs == 0)
			clr_qfull(q);
		if (sq->sq_flags & SQ_CIPUT)
			sq->sq_flags &= ~SQ_EXCL; /* a qwriter's */
	}
	if (q->q_sqhead == NULL)
		sqrm_q(sq, q);
	q->q_draining = 0;
}

/* Run the deferred qwriter callbacks; the caller has the perimeter for itself. */
void sq_run_events(syncq_t *sq)
{
	void (*func)(queue_t *, mblk_t *);
	queue_t *q;
	mblk_t *mp;

	while ((mp = sq->sq_evhead) != NULL) {
		if ((sq->sq_evhead = mp->b_next) == NULL) {
			sq->sq_evtail = NULL;
			sq->sq_flags &= ~SQ_EVENTS;
		}
		func = (void (*)(queue_t *, mblk_t *))(uintptr_t)mp->b_prev;
		q = mp->b_queue;
		mp->b_next = mp->b_prev = NULL;
		mp->b_queue = NULL;
		func(q, mp);
	}
}

/* May the caller, who has no claim, go in and drain? */
ALWAYS_INLINE bool sq_drainable(syncq_t *sq)
{
	if (sq->sq_flags & SQ_EXCL)
		return false; /* he will do it */
	if (!(sq->sq_flags & SQ_QUEUED)) {
		sq_wakeups(sq);
		return false;
	}
	return (sq->sq_flags & SQ_CIPUT) || sq->sq_count <= 1;
}

/* The first queue on the list that nobody is draining. */
ALWAYS_INLINE queue_t *sq_next_queue(syncq_t *sq)
{
	queue_t *q = sq->sq_head;

	while (q != NULL && (q->q_draining || (q->q_sqflags & Q_SQDRAINING)))
		q = q->q_sqnext;
	return q;
}

/* Let everything in that waits in front of the perimeter, unless somebody inside will do it. */
void drain_syncq(syncq_t *sq)
{
	uint_t service = sq->sq_svcflags & SQ_SERVICE;
	queue_t *q;

	sq->sq_svcflags &= ~SQ_SERVICE;
	if (sq_drainable(sq)) {
		if (!(sq->sq_flags & SQ_CIPUT))
			sq->sq_flags |= SQ_EXCL;
		sq->sq_count++;
		while ((sq->sq_flags & SQ_QUEUED) && !(sq->sq_flags & SQ_STAYAWAY)) {
			if (sq->sq_flags & SQ_EVENTS) {
				if (sq->sq_count > 1)
					break;
				sq->sq_flags |= SQ_EXCL;
				sq_run_events(sq);
				if (sq->sq_flags & SQ_CIPUT)
					sq->sq_flags &= ~SQ_EXCL;
				continue;
			}
			if ((q = sq_next_queue(sq)) == NULL)
				break;
			q->q_sqflags |= Q_SQDRAINING;
			qdrain_syncq(sq, q);
			q->q_sqflags &= ~Q_SQDRAINING;
		}
		if (!(sq->sq_flags & SQ_CIPUT))
			sq->sq_flags &= ~SQ_EXCL;
		sq_wakeups(sq);
		sq->sq_count--;
	}
	if (service) {
		sq->sq_servcount--;
		cv_broadcast(&sq->sq_exitwait);
	}
}

/*
 * The rest of putnext() when something needs attention; the caller's claim is
 * gone.  passflags: SQ_EXCL if it was his, SQ_QUEUED bits if he is to let the
 * deferred messages in himself.
 */
void putnext_tail(syncq_t *sq, queue_t *q, uint_t passflags)
{
	(void)q;
	if (passflags & SQ_EXCL)
		sq->sq_flags &= ~SQ_EXCL;
	sq_wakeups(sq);
	if (sq->sq_flags & (SQ_STAYAWAY | SQ_EXCL))
		return;
	if ((passflags & SQ_QUEUED) || (sq->sq_svcflags & SQ_DISABLED)) {
		drain_syncq(sq);
		return;
	}
	if (sq->sq_flags & SQ_QUEUED)
		sqenable(sq);
}

/* Have a task drain sq: one at a time, as on one processor. */
void sqenable(syncq_t *sq)
{
	if ((sq->sq_svcflags & (SQ_DISABLED | SQ_BGTHREAD)) || sq->sq_servcount != 0)
		return;
	sq->sq_servcount++;
	if (taskq_dispatch(system_taskq, syncq_service, sq, TQ_NOSLEEP | TQ_NOQUEUE) == 0)
		sqenable_bkgrnd(sq);
}

void syncq_service(void *arg)
{
	syncq_t *sq = arg;

	sq->sq_svcflags |= SQ_SERVICE;
	drain_syncq(sq);
}

/* Drain sq after something that kept messages out is gone: here if nobody is inside, else by a task. */
ALWAYS_INLINE void sq_reopened(syncq_t *sq)
{
	sq_wakeups(sq);
	if (!(sq->sq_flags & SQ_QUEUED) || (sq->sq_flags & (SQ_STAYAWAY | SQ_EXCL)))
		return;
	if (sq->sq_count == 0)
		drain_syncq(sq);
	else
		sqenable(sq);
}

void emptysq(syncq_t *sq)
{
	sq_reopened(sq);
}

/* ---- entering and leaving ---- */

/* Does a thread of this kind need the outer perimeter for itself? */
#define NEEDS_OUTER(sq, entrypoint) (((sq)->sq_type & (uint_t)(entrypoint)&SQ_CO) == 0)

/* Enter for open, close, service or callback (entrypoint SQ_OPENCLOSE, SQ_SVC, SQ_CALLBACK, SQ_PUT); may sleep. */
void entersq(syncq_t *sq, int entrypoint)
{
	uint_t keepout = SQ_STAYAWAY | SQ_EVENTS | SQ_EXCL, alone = SQ_MESSAGES;

	if (NEEDS_OUTER(sq, entrypoint)) {
		outer_enter(sq->sq_outer, SQ_GOAWAY);
		keepout &= ~(SQ_WRITER | SQ_EVENTS); /* it is ours; all others are kept out until outer_exit() */
		alone = 0;
	}
	if (sq->sq_type & (uint_t)entrypoint & SQ_CI) {
		while (sq->sq_flags & keepout)
			sq_sleep(sq);
	} else {
		sq->sq_needexcl++;
		while ((sq->sq_flags & (keepout | alone)) || sq->sq_count != 0)
			sq_sleep(sq);
		sq->sq_needexcl--;
		sq->sq_flags |= SQ_EXCL;
	}
	sq->sq_count++;
}

/* Out, letting in what waits; says whether there was anything. */
ALWAYS_INLINE bool sq_leave(syncq_t *sq, int entrypoint)
{
	bool drain = (sq->sq_flags & SQ_QUEUED) && !(sq->sq_flags & SQ_STAYAWAY);

	sq_wakeups(sq);
	sq->sq_count--;
	sq->sq_flags &= ~SQ_EXCL;
	if (drain)
		drain_syncq(sq);
	if (NEEDS_OUTER(sq, entrypoint))
		outer_exit(sq->sq_outer);
	return drain;
}

void leavesq(syncq_t *sq, int entrypoint)
{
	sq_leave(sq, entrypoint);
}

/* What was let in may be what the caller waits for, so that he sleeps only if nothing was. */
void qwait(queue_t *q)
{
	syncq_t *sq = q->q_syncq;

	if (!sq_leave(sq, SQ_OPENCLOSE))
		sq_sleep(sq);
	entersq(sq, SQ_OPENCLOSE);
}

int qwait_sig(queue_t *q)
{
	syncq_t *sq = q->q_syncq;
	int awake = 1;

	if (!sq_leave(sq, SQ_OPENCLOSE)) {
		sq->sq_flags |= SQ_WANTWAKEUP;
		awake = cv_wait_sig(&sq->sq_wait);
	}
	entersq(sq, SQ_OPENCLOSE);
	return awake;
}

/* A bare claim: q's perimeter stays as it is, nobody gets it for himself. */
void claimq(queue_t *q)
{
	q->q_syncq->sq_count++;
}

void releaseq(queue_t *q)
{
	q->q_syncq->sq_count--;
	sq_reopened(q->q_syncq);
}

/* While a stream is claimed its q_next pointers do not change. */
void claimstr(queue_t *q)
{
	STREAM(q)->sd_refcnt++;
}

void releasestr(queue_t *q)
{
	stdata_t *stp = STREAM(q);

	if (--stp->sd_refcnt == 0)
		cv_broadcast(&stp->sd_refmonitor);
}

/* Set flag, which keeps everybody out, and wait until at most maxcnt threads are inside. */
void blocksq(syncq_t *sq, uint_t flag, int maxcnt)
{
	sq->sq_flags |= flag;
	while (sq->sq_count > (uint_t)maxcnt) {
		sq->sq_flags |= SQ_WANTEXWAKEUP;
		cv_wait(&sq->sq_exitwait);
	}
}

/* Clear flag again; an outer perimeter has waiters only, no messages. */
void unblocksq(syncq_t *sq, uint_t flag, int isouter)
{
	sq->sq_flags &= ~flag;
	if (isouter)
		sq_wakeups(sq);
	else
		sq_reopened(sq);
}

/* ---- freezestr ---- */

void freezestr(queue_t *q)
{
	for (queue_t *wq = STREAM(q)->sd_wrq; wq != NULL; wq = SAMESTR(wq) ? wq->q_next : NULL) {
		wq->q_syncq->sq_flags |= SQ_FROZEN;
		_RD(wq)->q_syncq->sq_flags |= SQ_FROZEN;
	}
}

void unfreezestr(queue_t *q)
{
	for (queue_t *wq = STREAM(q)->sd_wrq; wq != NULL; wq = SAMESTR(wq) ? wq->q_next : NULL) {
		wq->q_syncq->sq_flags &= ~SQ_FROZEN;
		_RD(wq)->q_syncq->sq_flags &= ~SQ_FROZEN;
	}
	for (queue_t *wq = STREAM(q)->sd_wrq; wq != NULL; wq = SAMESTR(wq) ? wq->q_next : NULL) {
		unblocksq(wq->q_syncq, SQ_FROZEN, 0);
		unblocksq(_RD(wq)->q_syncq, SQ_FROZEN, 0);
	}
}

/* ---- outer perimeters ---- */

#define OUTER_FOREACH(outer, sq) for (syncq_t *sq = (outer)->sq_onext; sq != (outer); sq = sq->sq_onext)

void outer_insert(syncq_t *outer, syncq_t *sq)
{
	sq->sq_outer = outer;
	sq->sq_oprev = outer->sq_oprev;
	sq->sq_onext = outer;
	sq->sq_oprev->sq_onext = sq;
	outer->sq_oprev = sq;
	if (outer->sq_flags & SQ_WRITER)
		sq->sq_flags |= SQ_WRITER;
}

void outer_remove(syncq_t *outer, syncq_t *sq)
{
	(void)outer;
	sq->sq_oprev->sq_onext = sq->sq_onext;
	sq->sq_onext->sq_oprev = sq->sq_oprev;
	sq->sq_outer = sq->sq_onext = sq->sq_oprev = NULL;
	sq->sq_flags &= ~SQ_WRITER;
}

ALWAYS_INLINE void outer_shut(syncq_t *outer)
{
	outer->sq_flags |= SQ_WRITER;
	OUTER_FOREACH(outer, sq)
	sq->sq_flags |= SQ_WRITER;
}

/* An inner perimeter with somebody inside, or NULL. */
ALWAYS_INLINE syncq_t *outer_busy(syncq_t *outer)
{
	OUTER_FOREACH(outer, sq)
	if (sq->sq_count != 0)
		return sq;
	return NULL;
}

/* Become the writer of the module: wait while one of flags is set on the outer perimeter, then shut all inner ones and
 * wait until they are empty. */
void outer_enter(syncq_t *outer, uint_t flags)
{
	syncq_t *sq;

	while (outer->sq_flags & flags)
		sq_sleep(outer);
	outer_shut(outer);
	while ((sq = outer_busy(outer)) != NULL) {
		sq->sq_flags |= SQ_WANTEXWAKEUP;
		cv_wait(&sq->sq_exitwait); /* sq may be gone afterwards */
	}
}

/* The writer goes; the ones that queued up meanwhile run first. */
void outer_exit(syncq_t *outer)
{
	sq_run_events(outer);
	outer->sq_flags &= ~SQ_WRITER;
	OUTER_FOREACH(outer, sq)
	sq->sq_flags &= ~SQ_WRITER;
	OUTER_FOREACH(outer, sq)
	emptysq(sq);
	sq_wakeups(outer);
}

/* The task that lets queued outer writers in. */
void qwriter_outer_service(void *arg)
{
	syncq_t *outer = arg;

	outer_enter(outer, SQ_EXCL | SQ_STAYAWAY);
	outer->sq_servcount--; /* not before: it keeps the perimeter alive */
	cv_broadcast(&outer->sq_exitwait);
	outer_exit(outer);
}

/* ---- qwriter ---- */

ALWAYS_INLINE void sq_queue_event(syncq_t *sq, queue_t *q, mblk_t *mp, void (*func)(queue_t *, mblk_t *))
{
	mp->b_prev = (mblk_t *)(uintptr_t)func;
	mp->b_queue = q;
	mp->b_next = NULL;
	if (sq->sq_evhead == NULL)
		sq->sq_evhead = mp;
	else
		sq->sq_evtail->b_next = mp;
	sq->sq_evtail = mp;
	sq->sq_flags |= SQ_EVENTS;
}

static void qwriter_inner(queue_t *q, mblk_t *mp, void (*func)(queue_t *, mblk_t *))
{
	syncq_t *sq = q->q_syncq;

	if (sq->sq_count == 1) {
		sq->sq_flags |= SQ_EXCL;
		func(q, mp);
	} else {
		sq_queue_event(sq, q, mp, func);
	}
}

/* Is nobody in the module but the caller, whose inner perimeter is own? */
ALWAYS_INLINE bool outer_is_ours(syncq_t *outer, syncq_t *own)
{
	if (outer->sq_flags & SQ_GOAWAY)
		return false;
	OUTER_FOREACH(outer, sq)
	if (sq->sq_count > (sq == own ? 1U : 0U))
		return false;
	return true;
}

static void qwriter_outer(queue_t *q, mblk_t *mp, void (*func)(queue_t *, mblk_t *))
{
	syncq_t *outer = q->q_syncq->sq_outer;

	if (outer_is_ours(outer, q->q_syncq) && (curthread == NULL || curthread->t_intr == 0)) {
		outer_shut(outer);
		func(q, mp);
		outer_exit(outer);
		return;
	}
	sq_queue_event(outer, q, mp, func);
	if ((outer->sq_flags & SQ_WRITER) || outer->sq_servcount != 0)
		return; /* the writer runs it, or a task is coming */
	outer->sq_servcount++;
	if (taskq_dispatch(system_taskq, qwriter_outer_service, outer, TQ_NOSLEEP) == 0)
		sqenable_bkgrnd(outer);
}

void qwriter(queue_t *q, mblk_t *mp, void (*func)(queue_t *, mblk_t *), int perim)
{
	if (perim == PERIM_INNER)
		qwriter_inner(q, mp, func);
	else if (perim == PERIM_OUTER && q->q_syncq->sq_outer != NULL)
		qwriter_outer(q, mp, func);
	else
		cmn_err(CE_PANIC, "qwriter: wrong \"perimeter\" parameter");
}

/* ---- closing ---- */

/* Free the events of q that wait on sq. */
static void flush_events(syncq_t *sq, queue_t *q)
{
	mblk_t **link = &sq->sq_evhead, *mp;

	sq->sq_evtail = NULL;
	while ((mp = *link) != NULL) {
		if (mp->b_queue == q) {
			*link = mp->b_next;
			mp->b_next = mp->b_prev = NULL;
			mp->b_queue = NULL;
			freemsg(mp);
		} else {
			sq->sq_evtail = mp;
			link = &mp->b_next;
		}
	}
	if (sq->sq_evhead == NULL)
		sq->sq_flags &= ~SQ_EVENTS;
}

void propagate_syncq(queue_t *q, queue_t *nq)
{
	syncq_t *sq = q->q_syncq;
	mblk_t *mp, *next = q->q_sqhead;

	flush_events(sq, q);
	if (sq->sq_outer != NULL)
		flush_events(sq->sq_outer, q);
	if (!(q->q_sqflags & Q_SQQUEUED))
		return;
	q->q_sqhead = q->q_sqtail = NULL;
	q->q_syncqmsgs = 0;
	sqrm_q(sq, q);
	while ((mp = next) != NULL) {
		next = mp->b_next;
		mp->b_next = NULL;
		if (nq == NULL) {
			freemsg(mp);
			continue;
		}
		nq->q_syncq->sq_count++;
		qfill_syncq(nq->q_syncq, nq, mp);
	}
}
