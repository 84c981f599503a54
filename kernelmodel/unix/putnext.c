/*
 * Passing a message to the next queue.
 *
 * Theory.  Every queue belongs to a perimeter, its syncq.  Whoever goes in
 * leaves a claim (sq_count) and, unless put procedures may run concurrently
 * (SQ_CIPUT), closes the door behind him (SQ_EXCL).  A message that finds the
 * door closed is left in front of it, on the queue it is meant for
 * (qfill_syncq), and is taken in by the one who comes out (putnext_tail).
 * Threads of the model are never pre-empted, so the one inside is nearly always
 * further down on the caller's own stack: a reply that comes back to where the
 * request still is.
 *
 * This path is the model's hottest: nothing is called but the put procedure.
 */
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
#include "sys/strsubr.h"

/* Not zero while a tracer outside watches strsim:putnext. */
extern unsigned short strsim_putnext_semaphore;
unsigned short strsim_putnext_semaphore __attribute__((section(".probes"), used));

/* Bytes of stack a put procedure may count on (put_stack_needed of a 64-bit kernel). */
#define PUT_STACK_NEEDED 5000

/* Somebody is inside who wants to be alone, or nobody may go in. */
#define SQ_CLOSED (SQ_EXCL | SQ_BLOCKED | SQ_FROZEN | SQ_WRITER | SQ_EVENTS)

ALWAYS_INLINE bool stack_is_short(void)
{
	return (uintptr_t)__builtin_frame_address(0) - machine_stklo < PUT_STACK_NEEDED;
}

/* Where others join the watchers of putnext: queue, message, module, type, bytes of data. */
ALWAYS_INLINE void putnext_probe(queue_t *q, mblk_t *mp)
{
	size_t bytes = 0;

	for (mblk_t *bp = mp; bp != NULL; bp = bp->b_cont)
		if (DB_TYPE(bp) == M_DATA)
			bytes += (size_t)MBLKL(bp);
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): mp is never NULL */
	STAP_PROBE5(strsim, putnext, q, mp, q->q_qinfo->qi_minfo->mi_idname, DB_TYPE(mp), bytes);
}

/* Take mp into the perimeter of nq, or leave it in front. */
ALWAYS_INLINE void perim_put(queue_t *nq, mblk_t *mp)
{
	syncq_t *sq = nq->q_syncq;
	uint_t flags = sq->sq_flags;

	sq->sq_count++;
	if (UNLIKELY((flags & SQ_CLOSED) != 0 || sq->sq_needexcl != 0 || stack_is_short())) {
		qfill_syncq(sq, nq, mp);
		return;
	}
	if (!(flags & SQ_CIPUT))
		sq->sq_flags = flags | SQ_EXCL;
	if (LIKELY(!(nq->q_sqflags & Q_SQQUEUED) || nq->q_syncqmsgs == 0)) {
		nq->q_qinfo->qi_putp(nq, mp);
	} else {
		/* Others of nq wait still: go behind them. */
		syncq_append(nq, mp);
		qdrain_syncq(sq, nq);
	}
	flags = sq->sq_flags;
	sq->sq_count--;
	if (UNLIKELY((flags & SQ_TAIL) != 0 || sq->sq_needexcl != 0))
		putnext_tail(sq, nq, flags & SQ_EXCL ? flags : flags & ~SQ_QUEUED);
	else
		sq->sq_flags = flags & ~SQ_EXCL;
}

int putnext(queue_t *q, mblk_t *mp)
{
	if (UNLIKELY(strsim_putnext_semaphore != 0))
		putnext_probe(q, mp);
	perim_put(q->q_next, mp);
	return 0;
}

void put(queue_t *q, mblk_t *mp)
{
	perim_put(q, mp);
}
