/*
 * Answers to ioctl messages and the like (the functions of <sys/strsun.h>).
 *
 * An ioctl's first block starts out as an iocblk, and has room to become a
 * copyreq or copyresp: command, credentials and id lie at the same places in
 * all three, so that a change of type leaves them as they are.
 */
#include "sys/errno.h"
#include "sys/strsubr.h"

void miocack(queue_t *wq, mblk_t *mp, int count, int rval)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	DB_TYPE(mp) = M_IOCACK;
	ioc->ioc_count = (uint_t)count;
	ioc->ioc_error = 0;
	ioc->ioc_rval = rval;
	qreply(wq, mp);
}

void miocnak(queue_t *wq, mblk_t *mp, int count, int error)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	DB_TYPE(mp) = M_IOCNAK;
	ioc->ioc_count = (uint_t)count;
	ioc->ioc_error = error;
	qreply(wq, mp);
}

void mioc2ack(mblk_t *mp, mblk_t *dp, size_t count, int rval)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	mblk_t *old = mp->b_cont;

	DB_TYPE(mp) = M_IOCACK;
	mp->b_cont = dp;
	if (dp != NULL)
		dp->b_wptr = dp->b_rptr + count;
	ioc->ioc_count = (uint_t)count;
	ioc->ioc_error = 0;
	ioc->ioc_rval = rval;
	freemsg(old);
}

int miocpullup(mblk_t *mp, size_t size)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	if (ioc->ioc_count == TRANSPARENT || ioc->ioc_count < size || mp->b_cont == NULL || msgsize(mp->b_cont) < size)
		return EINVAL;
	return size == 0 || pullupmsg(mp->b_cont, (ssize_t)size) ? 0 : ENOMEM;
}

/* uaddr, or where the user's argument points that came with a transparent ioctl. */
ALWAYS_INLINE caddr_t copy_addr(const mblk_t *mp, void *uaddr)
{
	return uaddr != NULL ? uaddr : *(caddr_t *)(uintptr_t)mp->b_cont->b_rptr;
}

ALWAYS_INLINE void copy_request(mblk_t *mp, uchar_t type, void *private, size_t size, caddr_t addr)
{
	struct copyreq *cq = (struct copyreq *)mp->b_rptr;

	DB_TYPE(mp) = type;
	mp->b_wptr = mp->b_rptr + sizeof(*cq);
	cq->cq_private = private;
	cq->cq_size = size;
	cq->cq_addr = addr;
	cq->cq_flag = 0;
}

void mcopyin(mblk_t *mp, void *private, size_t size, void *uaddr)
{
	copy_request(mp, M_COPYIN, private, size, copy_addr(mp, uaddr));
	freemsg(unlinkb(mp));
}

void mcopyout(mblk_t *mp, void *private, size_t size, void *uaddr, mblk_t *dp)
{
	copy_request(mp, M_COPYOUT, private, size, copy_addr(mp, uaddr));
	if (dp != NULL) {
		freemsg(mp->b_cont);
		mp->b_cont = dp;
	}
}

mblk_t *mexchange(queue_t *wq, mblk_t *mp, size_t size, uchar_t type, int32_t prim)
{
	mblk_t *nmp = mp;

	if (mp == NULL || (size_t)MBLKSIZE(mp) < size || DB_REF(mp) > 1) {
		nmp = allocb(size, BPRI_LO);
		if (nmp == NULL) {
			merror(wq, mp, ENOSR);
			return NULL;
		}
		freemsg(mp);
	} else {
		freemsg(unlinkb(mp));
	}
	DB_TYPE(nmp) = type;
	nmp->b_rptr = DB_BASE(nmp);
	nmp->b_wptr = nmp->b_rptr + size;
	if (prim >= 0)
		*(int32_t *)(uintptr_t)nmp->b_rptr = prim;
	return nmp;
}

void merror(queue_t *wq, mblk_t *mp, int error)
{
	if (mp == NULL || DB_REF(mp) > 1 || MBLKSIZE(mp) < 1) {
		freemsg(mp);
		if ((mp = allocb(1, BPRI_HI)) == NULL)
			return;
	} else {
		freemsg(unlinkb(mp));
	}
	DB_TYPE(mp) = M_ERROR;
	mp->b_rptr = DB_BASE(mp);
	*mp->b_rptr = (uchar_t)error;
	mp->b_wptr = mp->b_rptr + 1;
	qreply(wq, mp);
}
