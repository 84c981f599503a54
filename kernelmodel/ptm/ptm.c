/*
 * ptm: the master side of a pseudo-terminal (/dev/ptmx; ptm(7D)).
 *
 * The master is the far end of the terminal's line: what is written here comes
 * up on the slave's stream as if it had been typed, and what programs write on
 * the slave comes up here.  The two drivers have no queue between them: each
 * sends to the other's read queue (pts_rdq, ptm_rdq), so the putnext of a
 * master's data is made with the slave's queue.
 *
 * All that goes to the slave is queued first and sent by ptmwsrv, as far as
 * there is room above; a slave that has room again enables the service
 * procedure through ptsrsrv, and the other way round through ptmrsrv.
 */
#include "sys/errno.h"
#include "sys/file.h"
#include "sys/ptms.h"
#include "sys/stropts.h"

/* ---- queues ---- */

/* May messages go to the slave? */
#define PTM_LINKED(pt) (!((pt)->pt_state & PTLOCK) && (pt)->pts_rdq != NULL)

/* The M_ERROR that says to the master that nobody is there: made of mp if that can be, else mp is freed.  NULL
 * without memory. */
static mblk_t *ptm_error(mblk_t *mp)
{
	if (mp != NULL && DB_REF(mp) == 1 && MBLKSIZE(mp) >= 2) {
		freemsg(unlinkb(mp));
	} else {
		freemsg(mp);
		if ((mp = allocb(2, BPRI_HI)) == NULL)
			return NULL;
	}
	DB_TYPE(mp) = M_ERROR;
	mp->b_rptr = DB_BASE(mp);
	mp->b_rptr[0] = NOERROR;
	mp->b_rptr[1] = EINVAL;
	mp->b_wptr = mp->b_rptr + 2;
	return mp;
}

/* M_FLUSH: what is written here is what is read there. */
ALWAYS_INLINE void ptm_flush(queue_t *q, const pt_ttys_t *pt, mblk_t *mp)
{
	uchar_t how = *mp->b_rptr, peer = how & (uchar_t)~FLUSHRW;

	if (how & FLUSHW) {
		if ((how & FLUSHBAND) && MBLKL(mp) > 1)
			flushband(q, mp->b_rptr[1], FLUSHDATA);
		else
			flushq(q, FLUSHDATA);
		peer |= FLUSHR;
	}
	if (how & FLUSHR)
		peer |= FLUSHW;
	if ((peer & FLUSHRW) && PTM_LINKED(pt)) {
		*mp->b_rptr = peer;
		putnext(pt->pts_rdq, mp);
	} else {
		freemsg(mp);
	}
}

/* ZONEPT. */
ALWAYS_INLINE int ptm_setzone(pt_ttys_t *pt, mblk_t *mp)
{
	zoneid_t zone;
	int error;

	if (((struct iocblk *)mp->b_rptr)->ioc_cr->cr_uid != 0)
		return EPERM;
	if ((error = miocpullup(mp, sizeof(zone))) != 0)
		return error;
	zone = *(zoneid_t *)mp->b_cont->b_rptr;
	if (zone < GLOBAL_ZONEID || zone > MAX_ZONEID)
		return EINVAL;
	pt->pt_zoneid = zone;
	return 0;
}

/* The master's own ioctls; those of the terminal go to the slave. */
ALWAYS_INLINE void ptm_ioctl(queue_t *q, pt_ttys_t *pt, mblk_t *mp)
{
	int error;

	switch (((struct iocblk *)mp->b_rptr)->ioc_cmd) {
	case UNLKPT:
		pt->pt_state &= ~PTLOCK;
		miocack(q, mp, 0, 0);
		break;
	case ISPTM:
		miocack(q, mp, 0, 0);
		break;
	case ZONEPT:
		if ((error = ptm_setzone(pt, mp)) != 0)
			miocnak(q, mp, 0, error);
		else
			miocack(q, mp, 0, 0);
		break;
	default:
		if (!PTM_LINKED(pt))
			miocnak(q, mp, 0, EINVAL);
		else
			(void)putq(q, mp);
	}
}

static int ptmwput(queue_t *q, mblk_t *mp)
{
	pt_ttys_t *pt = q->q_ptr;

	switch (DB_TYPE(mp)) {
	case M_FLUSH:
		ptm_flush(q, pt, mp);
		break;
	case M_IOCTL:
		ptm_ioctl(q, pt, mp);
		break;
	case M_READ:
		freemsg(mp);
		break;
	default:
		if (PTM_LINKED(pt)) {
			if (!putq(q, mp))
				freemsg(mp); /* a band without memory for it */
		} else if ((mp = ptm_error(mp)) != NULL) {
			qreply(q, mp);
		}
	}
	return 0;
}

/* Nobody is there any more: refuse what waits. */
ALWAYS_INLINE void ptm_refuse(queue_t *q)
{
	mblk_t *mp;

	while ((mp = getq(q)) != NULL) {
		if (DB_TYPE(mp) == M_IOCTL)
			miocnak(q, mp, 0, EINVAL);
		else
			freemsg(mp);
	}
	flushq(q, FLUSHALL);
	if ((mp = ptm_error(NULL)) != NULL)
		qreply(q, mp);
}

static int ptmwsrv(queue_t *q)
{
	const pt_ttys_t *pt = q->q_ptr;
	mblk_t *mp;

	if (!PTM_LINKED(pt)) {
		ptm_refuse(q);
		return 0;
	}
	while ((mp = getq(q)) != NULL) {
		if (DB_TYPE(mp) <= QPCTL && !bcanputnext(pt->pts_rdq, mp->b_band)) {
			(void)putbq(q, mp);
			break;
		}
		putnext(pt->pts_rdq, mp);
	}
	return 0;
}

/* There is room above the master. */
static int ptmrsrv(queue_t *q)
{
	const pt_ttys_t *pt = q->q_ptr;

	if (pt->pts_rdq != NULL)
		qenable(WR(pt->pts_rdq));
	return 0;
}

/* ---- open and close ---- */

static int ptmopen(queue_t *q, dev_t *devp, int oflag, int sflag, cred_t *cr)
{
	pt_ttys_t *pt;
	mblk_t *mp;

	(void)cr;
	if (q->q_ptr != NULL)
		return 0;
	if (sflag == MODOPEN || (sflag != CLONEOPEN && getminor(*devp) != 0) || devsw_find("pts") == NULL)
		return ENXIO;
	if ((mp = ptms_setopts(oflag & FNOCTTY ? 0 : SO_ISTTY)) == NULL)
		return ENOMEM;
	if ((pt = ptms_alloc()) == NULL) {
		freemsg(mp);
		return ENOMEM;
	}
	q->q_ptr = WR(q)->q_ptr = pt;
	qprocson(q);
	pt->ptm_rdq = q;
	putnext(q, mp);
	*devp = makedevice(getmajor(*devp), pt->pt_minor);
	return 0;
}

static int ptmclose(queue_t *q, int flag, cred_t *cr)
{
	pt_ttys_t *pt = q->q_ptr;

	(void)flag;
	(void)cr;
	if (pt->pts_rdq != NULL && pt->pts_rdq->q_next != NULL)
		(void)putnextctl(pt->pts_rdq, M_HANGUP);
	pt->ptm_rdq = NULL;
	freemsg(pt->pt_nullmsg);
	pt->pt_nullmsg = NULL;
	if (pt->pts_rdq != NULL)
		qenable(WR(pt->pts_rdq));
	qprocsoff(q);
	q->q_ptr = WR(q)->q_ptr = NULL;
	ptms_close(pt, PTMOPEN | PTLOCK);
	return 0;
}

/* ---- tables ---- */

static struct module_info ptm_info = {0xdead, "ptm", 0, 512, 512, 128};
static struct qinit ptmrint = {.qi_srvp = ptmrsrv, .qi_qopen = ptmopen, .qi_qclose = ptmclose, .qi_minfo = &ptm_info};
static struct qinit ptmwint = {.qi_putp = ptmwput, .qi_srvp = ptmwsrv, .qi_minfo = &ptm_info};
static struct streamtab ptminfo = {&ptmrint, &ptmwint, NULL, NULL};
STREAMS_DRIVER(ptm, "ptm", &ptminfo, D_MP, "/dev/ptmx=clone", NULL);
