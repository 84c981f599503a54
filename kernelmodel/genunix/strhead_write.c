/*
 * What goes down from the stream head: write(2), putmsg(2) and their kernel
 * callers.
 *
 *	strwrite	cuts the data into pieces of the packet size below
 *	strputmsg	makes one message of a control and a data part
 *	kstrputmsg	the same for sockets, control part ready-made
 *	strput		one message: flow control, data blocks, putnext
 *
 * The head's own write queue has no put procedure: strput() gives the message
 * to the queue below, and then runs the stream's service procedures that this
 * has enabled (stream_willservice, stream_runservice).
 */
#include "genunix/strhead.h"
#include "sys/poll.h"
#include "sys/signal.h"

#include <string.h>

#define CTLMIN 64 /* smallest control block: its receiver may reply in it */

/* Data block of the caller: its credentials and pid go with it. */
ALWAYS_INLINE mblk_t *allocb_caller(size_t size)
{
	mblk_t *bp = allocb_cred(size, curproc->p_cred);

	if (bp != NULL)
		DB_CPID(bp) = curproc->p_pid;
	return bp;
}

/*
 * The control part of a message: NULL in *mpp when there is none.  EAGAIN
 * without memory.
 */
int strmakectl(const struct strbuf *mctl, int flag, mblk_t **mpp)
{
	mblk_t *bp;

	*mpp = NULL;
	if (mctl == NULL || mctl->len < 0)
		return 0;
	bp = allocb_caller((size_t)MAX(mctl->len, CTLMIN));
	if (bp == NULL)
		return EAGAIN;
	DB_TYPE(bp) = flag & RS_HIPRI ? M_PCPROTO : M_PROTO;
	bp->b_wptr += mctl->len;
	if (copyin(mctl->buf, bp->b_rptr, (size_t)mctl->len) != 0) {
		freeb(bp);
		return EFAULT;
	}
	*mpp = bp;
	return 0;
}

/*
 * The data part: *iosize bytes of the uio in blocks of sd_maxblk, with room for
 * the headers (sd_wroff) and trailers (sd_tail) of the modules below.  Negative
 * *iosize: no data part.  ENOMEM, EFAULT, ECOMM.
 */
int strmakedata(const ssize_t *iosize, uio_t *uiop, stdata_t *stp, mblk_t **mpp)
{
	ssize_t count = *iosize;
	mblk_t **tailp = mpp;
	int error = 0;

	*mpp = NULL;
	if (count < 0)
		return 0;
	do {
		ssize_t size = stp->sd_maxblk == INFPSZ ? count : MIN(count, stp->sd_maxblk);
		mblk_t *bp = allocb_caller((size_t)size + stp->sd_wroff + stp->sd_tail);

		if (bp == NULL) {
			error = ENOMEM;
			break;
		}
		bp->b_rptr += stp->sd_wroff;
		bp->b_wptr = bp->b_rptr + size;
		*tailp = bp;
		error = size > 0 ? uiomove(bp->b_rptr, (size_t)size, UIO_WRITE, uiop) : 0;
		if (error != 0)
			break;
		if (stp->sd_wputdatafunc != NULL) {
			bp = *tailp = stp->sd_wputdatafunc(stp->sd_vnode, bp);
			if (bp == NULL) {
				error = ECOMM;
				break;
			}
		}
		tailp = &bp->b_cont;
		count -= size;
	} while (count > 0);
	if (error != 0) {
		freemsg(*mpp);
		*mpp = NULL;
	}
	return error;
}

/*
 * Send one message down: control part mctl (consumed in any case; may be NULL)
 * and *iosize bytes of data.  EWOULDBLOCK when the stream is full and flags has
 * no MSG_IGNFLOW; nothing is taken from the uio then.
 */
int strput(stdata_t *stp, mblk_t *mctl, uio_t *uiop, ssize_t *iosize, int b_flag, int pri, int flags)
{
	queue_t *wqp = stp->sd_wrq;
	mblk_t *mp;
	int error;

	if (!(flags & MSG_IGNFLOW) && !(pri == 0 ? canputnext(wqp) : bcanputnext(wqp, (uchar_t)pri))) {
		freemsg(mctl);
		return EWOULDBLOCK;
	}
	error = strmakedata(iosize, uiop, stp, &mp);
	if (error != 0) {
		freemsg(mctl);
		return error;
	}
	if (mctl != NULL) {
		if (curthread->t_intr == 0 && DB_CRED(mctl) == NULL) {
			mblk_setcred(mctl, curproc->p_cred);
			DB_CPID(mctl) = curproc->p_pid;
		}
		linkb(mctl, mp);
		mp = mctl;
	} else if (mp == NULL) {
		return 0;
	}
	mp->b_flag |= (uint16_t)b_flag;
	mp->b_band = (uint8_t)pri;
	if (flags & MSG_IGNFLOW) {
		putnext(wqp, mp);
	} else {
		stream_willservice(stp);
		putnext(wqp, mp);
		stream_runservice(stp);
	}
	return 0;
}

/* The error of writing to a stream in trouble; SIGPIPE where the stream wants it. */
static int strwriteable(stdata_t *stp)
{
	int error = stp->sd_flag & STRHUP ? EIO : strgeterr(stp, STWRERR | STRHUP | STPLEX, 0);

	if (error != 0 && (stp->sd_wput_opt & SW_SIGPIPE)) {
		psignal(curproc, SIGPIPE);
		error = EPIPE;
	}
	return error;
}

/* May the caller write now? */
ALWAYS_INLINE int may_write(stdata_t *stp)
{
	int error = stp->sd_sidp != 0 ? straccess(stp, JCWRITE) : 0;

	if (error == 0 && UNLIKELY(stp->sd_flag & (STWRERR | STRHUP | STPLEX)))
		error = strwriteable(stp);
	return error;
}

int strwrite(vnode_t *vp, uio_t *uiop, cred_t *cr)
{
	stdata_t *stp = vp->v_stream;
	ssize_t rmin, rmax, count = uiop->uio_resid;
	int error = may_write(stp), done;

	(void)cr;
	if (error != 0)
		return error;
	rmin = stp->sd_qn_minpsz;
	rmax = stp->sd_qn_maxpsz;
	if (rmax == 0)
		return 0;
	if (rmin > 0 && (count < rmin || (rmax != INFPSZ && count > rmax)))
		return ERANGE;
	if (count == 0 && !(stp->sd_wput_opt & SW_SNDZERO))
		return 0;
	for (;;) {
		ssize_t iosize = rmax == INFPSZ ? uiop->uio_resid : MIN(uiop->uio_resid, rmax);
		int b_flag = (stp->sd_flag & STRDELIM) && iosize == uiop->uio_resid ? MSGDELIM : 0;

		error = strput(stp, NULL, uiop, &iosize, b_flag, 0, 0);
		if (error == 0) {
			if (uiop->uio_resid == 0)
				return 0;
		} else if (error != EWOULDBLOCK) {
			return error == ENOMEM ? EAGAIN : error;
		} else if (!canputnext(stp->sd_wrq)) {
			error = strwaitq(stp, WRITEWAIT, 0, uiop->uio_fmode, -1, &done);
			if (error == EAGAIN && uiop->uio_resid < count)
				return 0;
			if (error != 0 || done)
				return error;
		}
		error = may_write(stp);
		if (error != 0)
			return error;
	}
}

/* Sizes of the message that are allowed now. */
static int check_sizes(const stdata_t *stp, ssize_t ctllen, ssize_t datalen)
{
	ssize_t rmin = stp->sd_qn_minpsz, rmax = stp->sd_qn_maxpsz;

	if (rmax == 0)
		return ERANGE;
	if (rmax != INFPSZ && stp->sd_maxblk > rmax)
		rmax = stp->sd_maxblk;
	if (datalen >= 0 && (datalen < rmin || (rmax != INFPSZ && datalen > rmax)))
		return ERANGE;
	return ctllen > STRCTLSZ ? ERANGE : 0;
}

/* The flags of putmsg and putpmsg agree with the parts there are. */
static int check_putflags(int flag, ssize_t ctllen, uchar_t pri)
{
	switch (flag & (MSG_HIPRI | MSG_BAND | MSG_ANY)) {
	case MSG_HIPRI:
		return ctllen < 0 || pri != 0 ? EINVAL : 0;
	case MSG_BAND:
		return 0;
	default:
		return EINVAL;
	}
}

/* May the caller send at all?  As strwrite(), but a hang-up is ENXIO. */
static int check_putaccess(stdata_t *stp)
{
	int error = stp->sd_sidp != 0 ? straccess(stp, JCWRITE) : 0;

	if (error == 0 && (stp->sd_flag & (STWRERR | STRHUP | STPLEX)))
		error = strgeterr(stp, STWRERR | STRHUP | STPLEX, 0);
	if (error != 0 && error != EINTR && (stp->sd_wput_opt & SW_SIGPIPE)) {
		psignal(curproc, SIGPIPE);
		error = EPIPE;
	}
	return error;
}

int strputmsg(vnode_t *vp, struct strbuf *mctl, struct strbuf *mdata, uchar_t pri, int flag, int fmode)
{
	stdata_t *stp = vp->v_stream;
	int error = check_putaccess(stp);
	int done, hipri = flag & MSG_HIPRI;
	mblk_t *mp;

	if (error == 0)
		error = check_putflags(flag, mctl->len, pri);
	if (error != 0)
		return error;
	if (mctl->len < 0 && mdata->len < 0)
		return 0;
	if (hipri)
		flag |= MSG_IGNFLOW;
	for (;;) {
		iovec_t iov = {mdata->buf, mdata->len < 0 ? 0 : (size_t)mdata->len};
		ssize_t datalen = mdata->len < 0 ? -1 : mdata->len;
		uio_t uio = {.uio_iov = &iov,
			     .uio_iovcnt = 1,
			     .uio_segflg = UIO_USERSPACE,
			     .uio_fmode = fmode,
			     .uio_resid = (ssize_t)iov.iov_len};

		error = check_sizes(stp, mctl->len, datalen);
		if (error == 0)
			error = strmakectl(mctl, hipri ? RS_HIPRI : 0, &mp);
		if (error != 0)
			return error;
		error = strput(stp, mp, &uio, &datalen, 0, pri, flag);
		if (error != EWOULDBLOCK)
			return error == ENOMEM ? EAGAIN : error;
		error = strwaitq(stp, WRITEWAIT, 0, fmode, -1, &done);
		if (error != 0 || done)
			return error;
		error = check_putaccess(stp);
		if (error != 0)
			return error;
	}
}

int kstrputmsg(vnode_t *vp, mblk_t *mctl, uio_t *uiop, ssize_t msgsize, uchar_t pri, int flag, int fmode)
{
	stdata_t *stp = vp->v_stream;
	int error = 0, done;

	if (stp->sd_flag & (STWRERR | STRHUP | STPLEX))
		error = strwriteable(stp);
	if (error == 0 && !(flag & (MSG_HIPRI | MSG_BAND)))
		error = EINVAL;
	if (flag & MSG_HIPRI)
		flag |= MSG_IGNFLOW;
	while (error == 0 && !(flag & MSG_IGNFLOW) && !bcanputnext(stp->sd_wrq, pri)) {
		error = strwaitq(stp, WRITEWAIT, 0, fmode, -1, &done);
		if (error == 0 && done)
			error = EAGAIN;
		if (error == 0 && (stp->sd_flag & (STWRERR | STRHUP | STPLEX)))
			error = strwriteable(stp);
	}
	if (error != 0) {
		freemsg(mctl);
		return error;
	}
	if (uiop == NULL)
		msgsize = -1;
	if (mctl != NULL)
		DB_TYPE(mctl) = flag & MSG_HIPRI ? M_PCPROTO : M_PROTO;
	error = strput(stp, mctl, uiop, &msgsize, 0, pri, flag);
	return error == ENOMEM ? EAGAIN : error;
}

/* Tell band-n writers of the queue ahead that has room again, or ask to be told when it has. */
static void strwsrv_band(stdata_t *stp, qband_t *ahead, int band)
{
	if (ahead != NULL && (ahead->qb_flag & QB_FULL)) {
		ahead->qb_flag |= QB_WANTW;
		return;
	}
	pollwakeup(stp, POLLWRBAND);
	if (stp->sd_sigflags & S_WRBAND)
		strsendsig(stp->sd_siglist, S_WRBAND, (uchar_t)band);
}

/* Write service of the head: there may be room below again. */
int strwsrv(queue_t *q)
{
	stdata_t *stp = q->q_ptr;
	queue_t *tq = q->q_next == NULL ? NULL : q->q_next->q_nfsrv;
	qband_t *ahead;
	int band = 1;

	if (stp->sd_flag & WSLEEP) {
		stp->sd_flag &= ~(uint_t)WSLEEP;
		cv_broadcast(&q->q_wait);
	}
	if (tq == NULL)
		return 0;
	if (q->q_flag & QBACK) {
		if (tq->q_flag & QFULL) {
			tq->q_flag |= QWANTW;
		} else {
			pollwakeup(stp, POLLWRNORM);
			if (stp->sd_sigflags & S_WRNORM)
				strsendsig(stp->sd_siglist, S_WRNORM, 0);
		}
	}
	ahead = tq->q_bandp;
	for (qband_t *qb = q->q_bandp; qb != NULL; qb = qb->qb_next) {
		if (qb->qb_flag & QB_BACK)
			strwsrv_band(stp, ahead, band);
		ahead = ahead == NULL ? NULL : ahead->qb_next;
		band++;
	}
	return 0;
}
