/*
 * One ioctl down a stream and its answer back: strdoioctl().
 *
 * The command goes down as M_IOCTL with its data, or, transparent, with the
 * program's argument itself.  The head then waits for the answer of that
 * number (sd_iocid), which strrput_nondata() leaves in sd_iocblk: an M_IOCACK
 * or M_IOCNAK ends it, an M_COPYIN or M_COPYOUT asks for a copy from or to the
 * program's memory, is answered by M_IOCDATA, and the wait goes on.  One ioctl
 * is on its way in a stream at a time.
 */
#include "genunix/strhead.h"

#include <string.h>

#define IOCERRS (STRHUP | STRDERR | STWRERR | STPLEX)

/* Copy n bytes between a block and where the data of the ioctl lies (flag: U_TO_K or K_TO_K). */
ALWAYS_INLINE int ioc_copyin(const char *addr, uchar_t *buf, size_t n, int flag)
{
	if (flag & K_TO_K) {
		memcpy(buf, addr, n);
		return 0;
	}
	return copyin(addr, buf, n) != 0 ? EFAULT : 0;
}

ALWAYS_INLINE int ioc_copyout(const uchar_t *buf, char *addr, size_t n, int flag)
{
	if (flag & K_TO_K) {
		memcpy(addr, buf, n);
		return 0;
	}
	return copyout(buf, addr, n) != 0 ? EFAULT : 0;
}

/* Append size bytes from addr to bp in blocks of at most MAXIOCBSZ, stamped with the caller. */
static int putiocd(mblk_t *bp, const char *addr, size_t size, int flag, cred_t *cr)
{
	while (size > 0) {
		size_t n = MIN(size, MAXIOCBSZ);
		int error = EAGAIN;
		mblk_t *mp = allocb_wait(n, BPRI_HI, (uint_t)(flag & STR_NOSIG), &error);

		if (mp == NULL)
			return error;
		mblk_setcred(mp, cr);
		DB_CPID(mp) = curproc->p_pid;
		bp->b_cont = mp;
		error = ioc_copyin(addr, mp->b_wptr, n, flag);
		if (error != 0)
			return error;
		mp->b_wptr += n;
		bp = mp;
		addr += n;
		size -= n;
	}
	return 0;
}

/* Copy size bytes of the blocks behind bp to addr; EIO when they hold less. */
static int getiocd(const mblk_t *bp, char *addr, size_t size, int flag)
{
	for (bp = bp->b_cont; bp != NULL && size > 0; bp = bp->b_cont) {
		size_t n = MIN(size, (size_t)MBLKL(bp));
		int error = ioc_copyout(bp->b_rptr, addr, n, flag);

		if (error != 0)
			return error;
		addr += n;
		size -= n;
	}
	return size > 0 ? EIO : 0;
}

/* The M_IOCTL message; transparent: its data is the argument ic_dp itself. */
static mblk_t *mkioctl(const struct strioctl *strioc, bool transparent, int flag, cred_t *cr, int *errorp)
{
	mblk_t *bp = allocb_wait(sizeof(union ioctypes), BPRI_HI, (uint_t)(flag & STR_NOSIG), errorp);
	struct iocblk *iocp;

	if (bp == NULL)
		return NULL;
	memset(bp->b_rptr, 0, sizeof(union ioctypes));
	iocp = (struct iocblk *)bp->b_rptr;
	bp->b_wptr += sizeof(*iocp);
	DB_TYPE(bp) = M_IOCTL;
	iocp->ioc_cmd = strioc->ic_cmd;
	iocp->ioc_cr = cr;
	iocp->ioc_flag = IOC_NATIVE;
	if (transparent) {
		iocp->ioc_count = TRANSPARENT;
		*errorp = putiocd(bp, strioc->ic_dp, sizeof(intptr_t), (flag & STR_NOSIG) | K_TO_K, cr);
	} else {
		iocp->ioc_count = (uint_t)strioc->ic_len;
		*errorp = putiocd(bp, strioc->ic_dp, (size_t)strioc->ic_len, flag, cr);
	}
	if (*errorp == 0)
		return bp;
	freemsg(bp);
	return NULL;
}

/*
 * Wait for the stream's turn, at most STRTIMOUT seconds.  The kernel itself
 * (STR_NOERROR) then takes over the place of the ioctl that hangs.
 */
static int ioc_enter(stdata_t *stp, int flag)
{
	clock_t_ tick = ddi_get_lbolt() + STRTIMOUT * HZ;

	while (stp->sd_flag & (IOCWAIT | IOCWAITNE)) {
		int ret = flag & STR_NOSIG ? cv_timedwait(&stp->sd_iocmonitor, tick)
					   : cv_timedwait_sig(&stp->sd_iocmonitor, tick);

		if (ret == 0)
			return EINTR;
		if (ret < 0) {
			if (!(flag & STR_NOERROR))
				return ETIME;
			break;
		}
	}
	if (!(flag & STR_NOERROR) && (stp->sd_flag & IOCERRS))
		return strgeterr(stp, IOCERRS, 0);
	return 0;
}

/* The next ioctl may begin. */
static void ioc_leave(stdata_t *stp, uint_t id)
{
	if (stp->sd_iocid != id)
		return;
	stp->sd_iocblk = (mblk_t *)-1;
	stp->sd_flag &= ~(uint_t)(IOCWAIT | IOCWAITNE);
	cv_broadcast(&stp->sd_iocmonitor);
}

ALWAYS_INLINE bool copyreq_msg(const mblk_t *bp)
{
	return DB_TYPE(bp) == M_COPYIN || DB_TYPE(bp) == M_COPYOUT;
}

/* The final answer has come. */
ALWAYS_INLINE bool answered(const stdata_t *stp)
{
	return stp->sd_iocblk != NULL && !copyreq_msg(stp->sd_iocblk);
}

/* Sleep until the answer is there: 0, ETIME, EINTR, or the error the stream has got. */
static int ioc_wait(stdata_t *stp, uint_t id, int timout, int flag)
{
	clock_t_ tick = ddi_get_lbolt() + ((clock_t_)timout * HZ + 999) / 1000;

	while (stp->sd_iocblk == NULL) {
		int ret = 1;

		if (stp->sd_iocid != id)
			return ETIME;
		if (!(flag & STR_NOERROR) && (stp->sd_flag & IOCERRS)) {
			int error = strgeterr(stp, IOCERRS, 0);

			if (error != 0)
				return error;
		}
		if (timout >= 0)
			ret = flag & STR_NOSIG ? cv_timedwait(&stp->sd_monitor, tick)
					       : cv_timedwait_sig(&stp->sd_monitor, tick);
		else if (flag & STR_NOSIG)
			cv_wait(&stp->sd_monitor);
		else
			ret = cv_wait_sig(&stp->sd_monitor);
		if (ret <= 0 && !answered(stp))
			return ret < 0 ? ETIME : EINTR;
	}
	return stp->sd_iocid == id ? 0 : ETIME;
}

/* Turn a copy request into its answer; error is the copy's outcome. */
ALWAYS_INLINE void mk_iocdata(mblk_t *bp, int error)
{
	struct copyresp *resp = (struct copyresp *)bp->b_rptr;
	mblk_t *private = ((struct copyreq *)bp->b_rptr)->cq_private;

	DB_TYPE(bp) = M_IOCDATA;
	bp->b_wptr = bp->b_rptr + sizeof(*resp);
	resp->cp_private = private;
	resp->cp_rval = (caddr_t)(intptr_t)error;
	resp->cp_flag = IOC_NATIVE;
}

/* Carry out what the reply in bp says: ACK data to ic_dp, the value to *rvalp. */
static int ioc_ack(const mblk_t *bp, struct strioctl *strioc, bool transparent, ssize_t copied, int flag, int *rvalp)
{
	const struct iocblk *iocp = (const struct iocblk *)bp->b_rptr;
	int error = iocp->ioc_error;
	uint_t count = iocp->ioc_count;

	if (error != 0)
		return error;
	*rvalp = iocp->ioc_rval;
	if ((flag & STR_BOUNDED) && count > (uint_t)strioc->ic_len)
		count = (uint_t)strioc->ic_len;
	if (!transparent && count > 0 && count != TRANSPARENT)
		error = getiocd(bp, strioc->ic_dp, count, flag);
	strioc->ic_len = copied >= 0 ? (int)copied : (int)count;
	return error;
}

/*
 * flag: U_TO_K or K_TO_K, with STR_NOSIG (not interruptible), STR_NOERROR (the
 * stream's errors do not matter), STR_BOUNDED (no more comes back than ic_len).
 * ic_len TRANSPARENT: ic_dp points to the argument.
 */
int strdoioctl(stdata_t *stp, struct strioctl *strioc, int fflags, int flag, cred_t *cr, int *rvalp)
{
	bool transparent = strioc->ic_len == (int)TRANSPARENT;
	int timout = strioc->ic_timout > 0 ? strioc->ic_timout * 1000 : strioc->ic_timout;
	ssize_t copied = -1;
	struct copyreq *reqp;
	mblk_t *bp;
	uint_t id;
	int error = 0;

	(void)fflags;
	if (!transparent && (strioc->ic_len < 0 || strioc->ic_len > STRMSGSZ))
		return EINVAL;
	if (timout == 0)
		timout = STRTIMOUT * 1000;
	bp = mkioctl(strioc, transparent, flag, cr, &error);
	if (bp == NULL)
		return error;
	error = ioc_enter(stp, flag);
	if (error != 0) {
		freemsg(bp);
		return error;
	}
	crhold(cr);
	if (stp->sd_iocblk != NULL && stp->sd_iocblk != (mblk_t *)-1)
		freemsg(stp->sd_iocblk);
	stp->sd_iocblk = NULL;
	stp->sd_flag &= ~(uint_t)(IOCWAIT | IOCWAITNE);
	stp->sd_flag |= flag & STR_NOERROR ? IOCWAITNE : IOCWAIT;
	id = stp->sd_iocid = ((struct iocblk *)bp->b_rptr)->ioc_id = getiocseqno();
	stream_willservice(stp);
	putnext(stp->sd_wrq, bp);
	stream_runservice(stp);

	while (error == 0) {
		error = ioc_wait(stp, id, timout, flag);
		if (error != 0)
			break;
		bp = stp->sd_iocblk;
		stp->sd_iocblk = copyreq_msg(bp) ? NULL : (mblk_t *)-1;
		if (DB_TYPE(bp) == M_IOCACK) {
			error = ioc_ack(bp, strioc, transparent, copied, flag, rvalp);
			freemsg(bp);
			break;
		}
		if (DB_TYPE(bp) == M_IOCNAK) {
			error = ((struct iocblk *)bp->b_rptr)->ioc_error;
			error = error == 0 ? EINVAL : error;
			freemsg(bp);
			break;
		}
		reqp = (struct copyreq *)bp->b_rptr;
		if (DB_TYPE(bp) == M_COPYIN) {
			freemsg(unlinkb(bp));
			error = putiocd(bp, reqp->cq_addr, reqp->cq_size, flag, cr);
			if (error != 0)
				freemsg(unlinkb(bp));
			mk_iocdata(bp, error);
			stream_willservice(stp);
			putnext(stp->sd_wrq, bp);
			CALL_SITE(2);
			stream_runservice(stp);
		} else {
			error = getiocd(bp, reqp->cq_addr, reqp->cq_size, flag);
			if (error == 0)
				copied = (ssize_t)reqp->cq_size;
			freemsg(unlinkb(bp));
			mk_iocdata(bp, error);
			stream_willservice(stp);
			putnext(stp->sd_wrq, bp);
			CALL_SITE(3);
			stream_runservice(stp);
		}
	}
	/* A copy request that came when we had given up: nobody will copy. */
	bp = stp->sd_iocid == id ? stp->sd_iocblk : NULL;
	ioc_leave(stp, id);
	if (bp != NULL && bp != (mblk_t *)-1) {
		freemsg(unlinkb(bp));
		mk_iocdata(bp, 1);
		stream_willservice(stp);
		putnext(stp->sd_wrq, bp);
		CALL_SITE(4);
		stream_runservice(stp);
	}
	crfree(cr);
	return error;
}
