/*
 * pts: the slave side of a pseudo-terminal (/dev/pts/N; pts(7D)).
 *
 * The end of the stream that a program takes for its terminal.  See ptm/ptm.c
 * for how the two sides are connected.  Ordinary messages are queued and sent
 * by ptswsrv as far as the master has room; high-priority ones go at once.  A
 * flush of the slave's output is one of the master's input.
 *
 * Messages for a master that is gone are dropped, ioctls refused.
 */
#include "sys/errno.h"
#include "sys/ptms.h"

/* ---- queues ---- */

/* There is no master. */
ALWAYS_INLINE void pts_refuse(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) != M_IOCTL) {
		freemsg(mp);
		return;
	}
	freemsg(unlinkb(mp));
	miocnak(q, mp, 0, 0);
}

/* M_FLUSH: output there is input of the master; input is ours to turn round. */
ALWAYS_INLINE void pts_flush(queue_t *q, const pt_ttys_t *pt, mblk_t *mp)
{
	if (*mp->b_rptr & FLUSHW) {
		mblk_t *peer = mp;

		if ((*mp->b_rptr & FLUSHBAND) && MBLKL(mp) > 1 && (pt->pt_state & PTSTTY))
			flushband(q, mp->b_rptr[1], FLUSHDATA);
		else
			flushq(q, FLUSHDATA);
		*mp->b_rptr &= (uchar_t)~FLUSHW;
		if (*mp->b_rptr & FLUSHR)
			peer = copyb(mp);
		if (peer != NULL) {
			*peer->b_rptr |= FLUSHR;
			putnext(pt->ptm_rdq, peer);
		}
		if (peer == mp)
			return;
	}
	if (*mp->b_rptr & FLUSHR)
		qreply(q, mp);
	else
		freemsg(mp);
}

/* PTSSTTY. */
ALWAYS_INLINE void pts_stty(queue_t *q, pt_ttys_t *pt, mblk_t *mp)
{
	if (pt->pt_state & PTSTTY) {
		miocnak(q, mp, 0, EEXIST);
		return;
	}
	pt->pt_state |= PTSTTY;
	miocack(q, mp, 0, 0);
}

static int ptswput(queue_t *q, mblk_t *mp)
{
	pt_ttys_t *pt = q->q_ptr;

	if (pt->ptm_rdq == NULL)
		pts_refuse(q, mp);
	else if (DB_TYPE(mp) == M_FLUSH)
		pts_flush(q, pt, mp);
	else if (DB_TYPE(mp) == M_READ)
		freemsg(mp);
	else if (DB_TYPE(mp) >= QPCTL)
		putnext(pt->ptm_rdq, mp);
	else if (DB_TYPE(mp) == M_IOCTL && ((struct iocblk *)mp->b_rptr)->ioc_cmd == PTSSTTY)
		pts_stty(q, pt, mp);
	else if (!putq(q, mp))
		freemsg(mp); /* a band without memory for it */
	return 0;
}

static int ptswsrv(queue_t *q)
{
	const pt_ttys_t *pt = q->q_ptr;
	mblk_t *mp;

	while ((mp = getq(q)) != NULL) {
		if (pt->ptm_rdq == NULL) {
			pts_refuse(q, mp);
			continue;
		}
		if (DB_TYPE(mp) <= QPCTL && !bcanputnext(pt->ptm_rdq, mp->b_band)) {
			(void)putbq(q, mp);
			break;
		}
		putnext(pt->ptm_rdq, mp);
	}
	return 0;
}

/* There is room above the slave. */
static int ptsrsrv(queue_t *q)
{
	const pt_ttys_t *pt = q->q_ptr;

	if (pt->ptm_rdq != NULL)
		qenable(WR(pt->ptm_rdq));
	return 0;
}

/* ---- open and close ---- */

static int ptsopen(queue_t *q, dev_t *devp, int oflag, int sflag, cred_t *cr)
{
	pt_ttys_t *pt;
	mblk_t *mp;

	(void)oflag;
	(void)cr;
	if (sflag != 0)
		return EINVAL;
	if ((pt = ptms_minor2ptty((minor_t)getminor(*devp))) == NULL)
		return ENXIO;
	if (pt->pt_zoneid != GLOBAL_ZONEID)
		return EPERM; /* all processes of the model are in the global zone */
	if ((pt->pt_state & PTLOCK) || !(pt->pt_state & PTMOPEN))
		return EAGAIN;
	if (q->q_ptr != NULL)
		return 0;
	if ((mp = ptms_setopts(SO_ISTTY)) == NULL)
		return ENOMEM;
	if ((pt->pt_nullmsg = allocb(0, BPRI_HI)) == NULL) {
		freemsg(mp);
		return ENOMEM;
	}
	pt->pt_state |= PTSOPEN;
	q->q_ptr = WR(q)->q_ptr = pt;
	qprocson(q);
	pt->pts_rdq = q;
	putnext(q, mp);
	return 0;
}

/*
 * What was written and not yet sent goes to the master, then its end of file.
 * What the master has not yet sent will find nobody here: its service procedure
 * must look, so that an ioctl among it is refused and does not wait for ever.
 */
ALWAYS_INLINE void pts_drain(queue_t *wq, const pt_ttys_t *pt, mblk_t *nullmsg)
{
	mblk_t *mp;

	while ((mp = getq(wq)) != NULL) {
		if (pt->ptm_rdq != NULL)
			putnext(pt->ptm_rdq, mp);
		else
			pts_refuse(wq, mp);
	}
	if (pt->ptm_rdq == NULL) {
		freemsg(nullmsg);
		return;
	}
	if (nullmsg == NULL || WR(pt->ptm_rdq)->q_first != NULL)
		qenable(WR(pt->ptm_rdq));
	if (nullmsg != NULL)
		putnext(pt->ptm_rdq, nullmsg);
}

static int ptsclose(queue_t *q, int flag, cred_t *cr)
{
	pt_ttys_t *pt = q->q_ptr;
	mblk_t *nullmsg = pt->pt_nullmsg;

	(void)flag;
	(void)cr;
	pt->pt_nullmsg = NULL;
	pt->pts_rdq = NULL;
	pts_drain(WR(q), pt, nullmsg);
	qprocsoff(q);
	q->q_ptr = WR(q)->q_ptr = NULL;
	ptms_close(pt, PTSOPEN | PTSTTY);
	return 0;
}

/* ---- tables ---- */

static struct module_info pts_info = {0xface, "pts", 0, 512, 512, 128};
static struct qinit ptsrint = {.qi_srvp = ptsrsrv, .qi_qopen = ptsopen, .qi_qclose = ptsclose, .qi_minfo = &pts_info};
static struct qinit ptswint = {.qi_putp = ptswput, .qi_srvp = ptswsrv, .qi_minfo = &pts_info};
static struct streamtab ptsinfo = {&ptsrint, &ptswint, NULL, NULL};
STREAMS_DRIVER(pts, "pts", &ptsinfo, D_MP, "/dev/pts/#=#", NULL);
