/*
 * Queues: the messages on them, flow control, and the small senders
 * (putq(9F), getq(9F), canput(9F), flushq(9F), strqset(9F), putctl(9F), ...).
 *
 * Theory.  All messages of a queue are on one list, high priority first, then
 * band 255 down to 1, then band 0; within a class first in, first out.  The
 * queue counts bytes and blocks of band 0 and high priority; every other band
 * has counts, water marks and flags of its own in a qband_t, made on first use.
 * A class is full from its high-water mark on (bytes or blocks).  A writer that
 * is refused sets the want flag of the queue that was full; when that falls below
 * its low-water mark, the nearest service procedure behind it is enabled.
 *
 * q_nfsrv is the queue that flow control looks at: the nearest one ahead with a
 * service procedure, or the end of the stream (genunix/strplumb.c keeps it).
 */
#include "sys/cmn_err.h"
#include "sys/errno.h"
#include "sys/strsubr.h"

/* ---- bands ---- */

/* The structure of band pri (1 ...), or NULL if there is none. */
ALWAYS_INLINE qband_t *qband_find(queue_t *q, uint_t pri)
{
	qband_t *qbp = q->q_bandp;

	if (pri > q->q_nband)
		return NULL;
	while (--pri > 0)
		qbp = qbp->qb_next;
	return qbp;
}

/* The same, made with all bands below it if need be; NULL when memory is short. */
static qband_t *qband_get(queue_t *q, uint_t pri)
{
	qband_t **link = &q->q_bandp;

	while (q->q_nband < pri) {
		while (*link != NULL)
			link = &(*link)->qb_next;
		if ((*link = kmem_zalloc(sizeof(qband_t), KM_NOSLEEP)) == NULL)
			return NULL;
		(*link)->qb_hiwat = q->q_hiwat;
		(*link)->qb_lowat = q->q_lowat;
		q->q_nband++;
	}
	return qband_find(q, pri);
}

void qband_freeall(queue_t *q)
{
	qband_t *qbp;

	while ((qbp = q->q_bandp) != NULL) {
		q->q_bandp = qbp->qb_next;
		kmem_free(qbp, sizeof(*qbp));
	}
	q->q_nband = 0;
}

/* ---- counts ---- */

/* Account for a message that came; qbp is its band's, NULL for band 0. */
ALWAYS_INLINE void q_count_in(queue_t *q, qband_t *qbp, const mblk_t *mp)
{
	size_t bytes = 0, blocks = 0;

	for (; mp != NULL; mp = mp->b_cont) {
		bytes += (size_t)MBLKL(mp);
		blocks++;
	}
	if (qbp == NULL) {
		q->q_count += bytes;
		q->q_mblkcnt += blocks;
		if (q->q_count >= q->q_hiwat || q->q_mblkcnt >= q->q_hiwat)
			q->q_flag |= QFULL;
	} else {
		qbp->qb_count += bytes;
		qbp->qb_mblkcnt += blocks;
		if (qbp->qb_count >= qbp->qb_hiwat || qbp->qb_mblkcnt >= qbp->qb_hiwat)
			qbp->qb_flag |= QB_FULL;
	}
}

ALWAYS_INLINE void q_count_out(queue_t *q, qband_t *qbp, const mblk_t *mp)
{
	size_t bytes = 0, blocks = 0;

	for (; mp != NULL; mp = mp->b_cont) {
		bytes += (size_t)MBLKL(mp);
		blocks++;
	}
	if (qbp == NULL) {
		q->q_count -= bytes;
		q->q_mblkcnt -= blocks;
		if (q->q_count < q->q_hiwat && q->q_mblkcnt < q->q_hiwat)
			q->q_flag &= ~QFULL;
	} else {
		qbp->qb_count -= bytes;
		qbp->qb_mblkcnt -= blocks;
		if (qbp->qb_count < qbp->qb_hiwat && qbp->qb_mblkcnt < qbp->qb_hiwat)
			qbp->qb_flag &= ~QB_FULL;
	}
}

/* ---- the list ---- */

/* Place of a message in the order of the list. */
#define RANK_HIPRI NBAND
ALWAYS_INLINE uint_t msg_rank(const mblk_t *mp)
{
	return queclass(mp) == QPCTL ? RANK_HIPRI : mp->b_band;
}

/* Link mp before emp, at the end for NULL. */
ALWAYS_INLINE void q_link_before(queue_t *q, mblk_t *emp, mblk_t *mp)
{
	mblk_t *prev = emp != NULL ? emp->b_prev : q->q_last;

	mp->b_next = emp;
	mp->b_prev = prev;
	if (prev != NULL)
		prev->b_next = mp;
	else
		q->q_first = mp;
	if (emp != NULL)
		emp->b_prev = mp;
	else
		q->q_last = mp;
}

ALWAYS_INLINE void q_unlink(queue_t *q, mblk_t *mp)
{
	if (mp->b_prev != NULL)
		mp->b_prev->b_next = mp->b_next;
	else
		q->q_first = mp->b_next;
	if (mp->b_next != NULL)
		mp->b_next->b_prev = mp->b_prev;
	else
		q->q_last = mp->b_prev;
	mp->b_next = mp->b_prev = NULL;
}

/* First message of rank at most `rank' (NULL: none): where the class below it begins. */
ALWAYS_INLINE mblk_t *q_first_upto(queue_t *q, uint_t rank)
{
	mblk_t *mp = q->q_first;

	while (mp != NULL && msg_rank(mp) > rank)
		mp = mp->b_next;
	return mp;
}

/* Put mp, of band qbp (NULL: 0 or high priority), before emp and account for it. */
ALWAYS_INLINE void q_insert(queue_t *q, qband_t *qbp, mblk_t *emp, mblk_t *mp)
{
	q_link_before(q, emp, mp);
	if (qbp != NULL) {
		if (qbp->qb_first == NULL || qbp->qb_first == emp)
			qbp->qb_first = mp;
		if (qbp->qb_last == NULL || qbp->qb_last == mp->b_prev)
			qbp->qb_last = mp;
	}
	q_count_in(q, qbp, mp);
}

/* Take mp out, without back-enabling. */
ALWAYS_INLINE void q_remove(queue_t *q, mblk_t *mp)
{
	qband_t *qbp = mp->b_band != 0 ? qband_find(q, mp->b_band) : NULL;

	if (qbp != NULL) {
		if (qbp->qb_first == mp)
			qbp->qb_first = qbp->qb_last == mp ? NULL : mp->b_next;
		if (qbp->qb_last == mp)
			qbp->qb_last = qbp->qb_first == NULL ? NULL : mp->b_prev;
	}
	q_unlink(q, mp);
	q_count_out(q, qbp, mp);
}

/* The band structure a message needs on q: 0 when it cannot be had.  High priority means band 0. */
ALWAYS_INLINE int q_band_of(queue_t *q, mblk_t *mp, qband_t **qbpp)
{
	*qbpp = NULL;
	if (queclass(mp) == QPCTL)
		mp->b_band = 0;
	if (mp->b_band == 0)
		return 1;
	*qbpp = qband_get(q, mp->b_band);
	return *qbpp != NULL;
}

int putq(queue_t *q, mblk_t *mp)
{
	qband_t *qbp;
	mblk_t *emp;

	if (!q_band_of(q, mp, &qbp))
		return 0;
	if (queclass(mp) == QPCTL)
		emp = q_first_upto(q, NBAND - 1);
	else if (qbp != NULL)
		emp = qbp->qb_last != NULL ? qbp->qb_last->b_next : q_first_upto(q, mp->b_band - 1U);
	else
		emp = NULL;
	q_insert(q, qbp, emp, mp);
	if (queclass(mp) == QPCTL || (!(q->q_flag & QNOENB) && ((q->q_flag & QWANTR) || mp->b_band != 0)))
		qenable_locked(q);
	return 1;
}

int putbq(queue_t *q, mblk_t *mp)
{
	qband_t *qbp;
	mblk_t *emp;

	if (!q_band_of(q, mp, &qbp))
		return 0;
	if (queclass(mp) == QPCTL)
		emp = q->q_first;
	else if (qbp != NULL)
		emp = qbp->qb_first != NULL ? qbp->qb_first : q_first_upto(q, mp->b_band);
	else
		emp = q_first_upto(q, 0);
	q_insert(q, qbp, emp, mp);
	if (queclass(mp) == QPCTL || (q->q_flag & (QNOENB | QWANTR)) == QWANTR)
		qenable_locked(q);
	return 1;
}

int insq(queue_t *q, mblk_t *emp, mblk_t *mp)
{
	mblk_t *prev = emp != NULL ? emp->b_prev : q->q_last;
	qband_t *qbp;

	if (queclass(mp) == QPCTL)
		mp->b_band = 0;
	if ((prev != NULL && msg_rank(prev) < msg_rank(mp)) || (emp != NULL && msg_rank(emp) > msg_rank(mp))) {
		cmn_err(CE_WARN, "insq: attempt to insert message out of order on q %p", (void *)q);
		return 0;
	}
	if (!q_band_of(q, mp, &qbp))
		return 0;
	q_insert(q, qbp, emp, mp);
	if ((q->q_flag & (QNOENB | QWANTR)) == QWANTR)
		qenable_locked(q);
	return 1;
}

mblk_t *getq_noenab(queue_t *q)
{
	mblk_t *mp = q->q_first;

	if (mp == NULL) {
		q->q_flag |= QWANTR;
		return NULL;
	}
	q_remove(q, mp);
	q->q_flag &= ~QWANTR;
	return mp;
}

mblk_t *getq(queue_t *q)
{
	mblk_t *mp = getq_noenab(q);

	if (mp != NULL && (mp->b_band != 0 || (q->q_flag & (QWANTW | QWANTWSYNC))))
		qbackenable(q, mp->b_band);
	return mp;
}

void rmvq_noenab(queue_t *q, mblk_t *mp)
{
	q_remove(q, mp);
}

void rmvq(queue_t *q, mblk_t *mp)
{
	q_remove(q, mp);
	qbackenable(q, mp->b_band);
}

int qsize(queue_t *q)
{
	int n = 0;

	for (mblk_t *mp = q->q_first; mp != NULL; mp = mp->b_next)
		n++;
	return n;
}

/* ---- flow control ---- */

queue_t *backq(queue_t *q)
{
	queue_t *nq = OTHERQ(q)->q_next;

	return nq != NULL ? OTHERQ(nq) : NULL;
}

/* Remember on q that it is enabled for want of room, for the stream head to tell its pollers. */
static void setqback(queue_t *q, uchar_t band)
{
	qband_t *qbp;

	if (band == 0)
		q->q_flag |= QBACK;
	else if ((qbp = qband_get(q, band)) != NULL)
		qbp->qb_flag |= QB_BACK;
}

void backenable(queue_t *q, uchar_t band)
{
	queue_t *bq;

	claimstr(q);
	for (bq = backq(q); bq != NULL && bq->q_qinfo->qi_srvp == NULL; bq = backq(bq))
		;
	if (bq != NULL) {
		setqback(bq, band);
		qenable_locked(bq);
	}
	releasestr(q);
}

void qbackenable(queue_t *q, uchar_t band)
{
	qband_t *qbp;

	if (band == 0) {
		if (!(q->q_flag & QWANTW) ||
		    (q->q_lowat != 0 && (q->q_count >= q->q_lowat || q->q_mblkcnt >= q->q_lowat)))
			return;
		q->q_flag &= ~QWANTW;
	} else {
		qbp = qband_find(q, band);
		if (qbp == NULL || !(qbp->qb_flag & QB_WANTW) ||
		    (qbp->qb_lowat != 0 && (qbp->qb_count >= qbp->qb_lowat || qbp->qb_mblkcnt >= qbp->qb_lowat)))
			return;
		qbp->qb_flag &= ~QB_WANTW;
	}
	backenable(q, band);
}

ALWAYS_INLINE int q_room(queue_t *q)
{
	if (LIKELY(!(q->q_flag & QFULL)))
		return 1;
	q->q_flag |= QWANTW;
	return 0;
}

ALWAYS_INLINE int q_bandroom(queue_t *q, uchar_t pri)
{
	qband_t *qbp;

	if (pri == 0)
		return q_room(q);
	qbp = qband_find(q, pri);
	if (qbp == NULL || !(qbp->qb_flag & QB_FULL))
		return 1;
	qbp->qb_flag |= QB_WANTW;
	return 0;
}

int canput(queue_t *q)
{
	return q_room(q->q_nfsrv);
}

int canputnext(queue_t *q)
{
	return q_room(q->q_next->q_nfsrv);
}

int bcanput(queue_t *q, uchar_t pri)
{
	return q != NULL ? q_bandroom(q->q_nfsrv, pri) : 0;
}

int bcanputnext(queue_t *q, uchar_t pri)
{
	return q_bandroom(q->q_next->q_nfsrv, pri);
}

void noenable(queue_t *q)
{
	q->q_flag |= QNOENB;
}

void enableok(queue_t *q)
{
	q->q_flag &= ~QNOENB;
}

/* ---- flushing ---- */

/* Take all messages off and set the counts to nothing. */
ALWAYS_INLINE mblk_t *q_detach_all(queue_t *q)
{
	mblk_t *mp = q->q_first;

	q->q_first = q->q_last = NULL;
	q->q_count = q->q_mblkcnt = 0;
	q->q_flag &= ~QFULL;
	for (qband_t *qbp = q->q_bandp; qbp != NULL; qbp = qbp->qb_next) {
		qbp->qb_first = qbp->qb_last = NULL;
		qbp->qb_count = qbp->qb_mblkcnt = 0;
		qbp->qb_flag &= ~QB_FULL;
	}
	return mp;
}

void flushq_common(queue_t *q, int flag, int keep_pcproto)
{
	mblk_t *mp, *next;

	if (q->q_first == NULL)
		return;
	for (mp = q_detach_all(q); mp != NULL; mp = next) {
		next = mp->b_next;
		mp->b_next = mp->b_prev = NULL;
		if ((keep_pcproto && DB_TYPE(mp) == M_PCPROTO) || (flag == FLUSHDATA && !datamsg(DB_TYPE(mp))))
			putq(q, mp);
		else
			freemsg(mp);
	}
	for (uint_t band = q->q_nband; band > 0; band--)
		qbackenable(q, (uchar_t)band);
	qbackenable(q, 0);
}

void flushq(queue_t *q, int flag)
{
	flushq_common(q, flag, 0);
}

void flushband(queue_t *q, uchar_t pri, int flag)
{
	mblk_t *mp, *next;
	qband_t *qbp;

	if (pri == 0) {
		for (mp = q_detach_all(q); mp != NULL; mp = next) {
			next = mp->b_next;
			mp->b_next = mp->b_prev = NULL;
			if (mp->b_band == 0 && (flag == FLUSHALL || datamsg(DB_TYPE(mp))))
				freemsg(mp);
			else
				putq(q, mp);
		}
		qbackenable(q, 0);
		return;
	}
	if ((qbp = qband_find(q, pri)) == NULL)
		return;
	for (mp = qbp->qb_first; mp != NULL && mp->b_band == pri; mp = next) {
		next = mp->b_next;
		if (flag == FLUSHALL || datamsg(DB_TYPE(mp))) {
			rmvq_noenab(q, mp);
			freemsg(mp);
		}
	}
	qbackenable(q, pri);
}

/* ---- fields ---- */

/* The stream head keeps copies of the packet sizes of the queue right below it. */
ALWAYS_INLINE void q_size_changed(queue_t *q)
{
	stdata_t *stp = STREAM(q);

	if (stp == NULL || stp->sd_wrq == NULL || stp->sd_wrq->q_next != q)
		return;
	stp->sd_qn_minpsz = q->q_minpsz;
	stp->sd_qn_maxpsz = q->q_maxpsz == INFPSZ ? STRMSGSZ : MIN(STRMSGSZ, q->q_maxpsz);
}

int strqset(queue_t *q, qfields_t what, uchar_t pri, intptr_t val)
{
	qband_t *qbp = NULL;

	if (what > QFLAG)
		return EINVAL;
	if (pri != 0 && (qbp = qband_get(q, pri)) == NULL)
		return EAGAIN;
	switch (what) {
	case QHIWAT:
		*(qbp != NULL ? &qbp->qb_hiwat : &q->q_hiwat) = (size_t)val;
		return 0;
	case QLOWAT:
		*(qbp != NULL ? &qbp->qb_lowat : &q->q_lowat) = (size_t)val;
		return 0;
	case QMAXPSZ:
	case QMINPSZ:
		if (qbp != NULL)
			return EINVAL;
		*(what == QMAXPSZ ? &q->q_maxpsz : &q->q_minpsz) = (ssize_t)val;
		q_size_changed(q);
		return 0;
	default:
		return EPERM;
	}
}

int strqget(queue_t *q, qfields_t what, uchar_t pri, void *valp)
{
	qband_t *qbp = NULL;

	if (what > QFLAG)
		return EINVAL;
	if (pri != 0 && (qbp = qband_get(q, pri)) == NULL)
		return EAGAIN;
	switch (what) {
	case QHIWAT:
		*(size_t *)valp = qbp != NULL ? qbp->qb_hiwat : q->q_hiwat;
		return 0;
	case QLOWAT:
		*(size_t *)valp = qbp != NULL ? qbp->qb_lowat : q->q_lowat;
		return 0;
	case QMAXPSZ:
	case QMINPSZ:
		if (qbp != NULL)
			return EINVAL;
		*(ssize_t *)valp = what == QMAXPSZ ? q->q_maxpsz : q->q_minpsz;
		return 0;
	case QCOUNT:
		*(size_t *)valp = qbp != NULL ? qbp->qb_count : q->q_count;
		return 0;
	case QFIRST:
		*(mblk_t **)valp = qbp != NULL ? qbp->qb_first : q->q_first;
		return 0;
	case QLAST:
		*(mblk_t **)valp = qbp != NULL ? qbp->qb_last : q->q_last;
		return 0;
	default:
		*(uint_t *)valp = qbp != NULL ? qbp->qb_flag : q->q_flag;
		return 0;
	}
}

/* ---- small senders ---- */

void qreply(queue_t *q, mblk_t *mp)
{
	putnext(OTHERQ(q), mp);
}

/* A message of no byte, or of one: NULL for a type that carries data, or without memory. */
ALWAYS_INLINE mblk_t *ctl_make(int type, int nbytes, int param)
{
	mblk_t *mp;

	if ((datamsg(type) && type != M_DELAY) || (mp = allocb_tryhard((size_t)nbytes)) == NULL)
		return NULL;
	DB_TYPE(mp) = (uint8_t)type;
	if (nbytes != 0)
		*mp->b_wptr++ = (uchar_t)param;
	return mp;
}

int putctl(queue_t *q, int type)
{
	mblk_t *mp = ctl_make(type, 0, 0);

	if (mp == NULL)
		return 0;
	put(q, mp);
	return 1;
}

int putctl1(queue_t *q, int type, int param)
{
	mblk_t *mp = ctl_make(type, 1, param);

	if (mp == NULL)
		return 0;
	put(q, mp);
	return 1;
}

int putnextctl(queue_t *q, int type)
{
	mblk_t *mp = ctl_make(type, 0, 0);

	if (mp == NULL)
		return 0;
	putnext(q, mp);
	return 1;
}

int putnextctl1(queue_t *q, int type, int param)
{
	mblk_t *mp = ctl_make(type, 1, param);

	if (mp == NULL)
		return 0;
	putnext(q, mp);
	return 1;
}

int putnextctl_wait(queue_t *q, int type)
{
	int error;
	mblk_t *mp;

	if (datamsg(type) && type != M_DELAY)
		return 0;
	if ((mp = allocb_wait(0, BPRI_HI, 0, &error)) == NULL)
		return 0;
	DB_TYPE(mp) = (uint8_t)type;
	putnext(q, mp);
	return 1;
}
