/*
 * What programs take from the stream head: read(2), getmsg(2) and the kernel's
 * own receiver (sockets), and the sleep they and the writers share (strwaitq).
 *
 * Messages are taken off the head's read queue without back-enabling; each
 * call back-enables once, when it is done or goes to sleep.  What a call leaves
 * of a message goes back to the front of its band.
 */
#include "genunix/strhead.h"
#include "sys/poll.h"

#include <string.h>

/* The error of one side: a set errno, or what the owner's function says. */
static int side_error(stdata_t *stp, uint_t flag, uint_t nonpersist, int *errorp, int (**funcp)(vnode_t *, int, int *),
		      int ispeek)
{
	int error = *errorp, clear = 0;

	if (error == 0 && *funcp != NULL) {
		error = (*funcp)(stp->sd_vnode, ispeek, &clear);
		if (clear && !ispeek)
			*funcp = NULL;
	} else if ((stp->sd_flag & nonpersist) && !ispeek) {
		clear = 1;
		*errorp = 0;
	}
	if (clear && !ispeek)
		stp->sd_flag &= ~flag;
	return error;
}

/* Of the conditions in flags (STPLEX, STDERR, STWRERR, STRHUP) the errno of the first that is true, or 0. */
int strgeterr(stdata_t *stp, int flags, int ispeek)
{
	uint_t is = stp->sd_flag & (uint_t)flags;
	int error = 0;

	if (is & STPLEX)
		return EINVAL;
	if (is & STRDERR)
		error = side_error(stp, STRDERR, STRDERRNONPERSIST, &stp->sd_rerror, &stp->sd_rderrfunc, ispeek);
	if (error == 0 && (is & STWRERR))
		error = side_error(stp, STWRERR, STWRERRNONPERSIST, &stp->sd_werror, &stp->sd_wrerrfunc, ispeek);
	if (error == 0 && (is & STRHUP))
		error = stp->sd_werror != 0 ? stp->sd_werror : ENXIO;
	return error;
}

/* Somebody's error has changed: everybody who waits must look. */
static void error_changed(stdata_t *stp)
{
	queue_t *wq = stp->sd_wrq;

	stp->sd_flag &= ~(uint_t)(RSLEEP | WSLEEP);
	cv_broadcast(&_RD(wq)->q_wait);
	cv_broadcast(&wq->q_wait);
	cv_broadcast(&stp->sd_monitor);
	pollwakeup(stp, POLLERR);
	if (stp->sd_sigflags & S_ERROR)
		strsendsig(stp->sd_siglist, S_ERROR, 0);
}

/* Set (error and func both none: clear) the read side's error. */
void strsetrerror(vnode_t *vp, int error, int persistent, int (*func)(vnode_t *, int, int *))
{
	stdata_t *stp = vp->v_stream;

	stp->sd_rerror = error;
	stp->sd_rderrfunc = func;
	if (error == 0 && func == NULL) {
		stp->sd_flag &= ~(uint_t)STRDERR;
		return;
	}
	stp->sd_flag |= STRDERR | (persistent ? 0 : STRDERRNONPERSIST);
	error_changed(stp);
}

void strsetwerror(vnode_t *vp, int error, int persistent, int (*func)(vnode_t *, int, int *))
{
	stdata_t *stp = vp->v_stream;

	stp->sd_werror = error;
	stp->sd_wrerrfunc = func;
	if (error == 0 && func == NULL) {
		stp->sd_flag &= ~(uint_t)STWRERR;
		return;
	}
	stp->sd_flag |= STWRERR | (persistent ? 0 : STWRERRNONPERSIST);
	error_changed(stp);
}

/* Ask the modules for data (SNDMREAD): M_READ with the number of bytes wanted. */
ALWAYS_INLINE int send_mread(stdata_t *stp, ssize_t count)
{
	mblk_t *mp;
	int error = 0;

	mp = allocb_wait(sizeof(count), BPRI_MED, 0, &error);
	if (mp == NULL)
		return error;
	DB_TYPE(mp) = M_READ;
	memcpy(mp->b_wptr, &count, sizeof(count));
	mp->b_wptr += sizeof(count);
	stream_willservice(stp);
	putnext(stp->sd_wrq, mp);
	stream_runservice(stp);
	return 0;
}

/* Errors that end a wait. */
ALWAYS_INLINE uint_t wait_errors(int flag)
{
	return flag & WRITEWAIT ? STWRERR | STRHUP | STPLEX : STRDERR | STPLEX;
}

/*
 * Sleep until the stream has room (WRITEWAIT) or a message (READWAIT, GETWAIT),
 * timout ms at most (-1: for ever).  0: look again, at the stream's errors too,
 * or, with *done set, return with what there is.  EAGAIN, EINTR, ETIME, or a
 * stream error there was before the sleep.
 */
int strwaitq(stdata_t *stp, int flag, ssize_t count, int fmode, clock_t_ timout, int *done)
{
	queue_t *q = flag & WRITEWAIT ? stp->sd_wrq : _RD(stp->sd_wrq);
	uint_t sleeping = flag & WRITEWAIT ? WSLEEP : RSLEEP;
	int error, ret;

	*done = 0;
	if (fmode & (FNDELAY | FNONBLOCK)) {
		if ((fmode & FNONBLOCK) || !(stp->sd_flag & OLDNDELAY))
			return EAGAIN;
		*done = 1;
		return 0;
	}
	if ((stp->sd_flag & wait_errors(flag)) && (error = strgeterr(stp, (int)wait_errors(flag), 0)) != 0)
		return error;
	if ((flag & READWAIT) && (stp->sd_flag & SNDMREAD)) {
		error = send_mread(stp, count);
		if (error != 0)
			return error;
		if (q->q_first != NULL || (stp->sd_flag & (STRDERR | STRHUP | STREOF)))
			return 0;
	}
	stp->sd_flag |= sleeping;
	if (timout >= 0) {
		clock_t_ tick = ddi_get_lbolt() + (timout * HZ + 999) / 1000;

		ret = flag & NOINTR ? cv_timedwait(&q->q_wait, tick) : cv_timedwait_sig(&q->q_wait, tick);
	} else if (flag & NOINTR) {
		cv_wait(&q->q_wait);
		ret = 1;
	} else {
		ret = cv_wait_sig(&q->q_wait);
	}
	if (ret <= 0) {
		if (q->q_wait.cv_first == NULL)
			stp->sd_flag &= ~sleeping;
		return ret < 0 ? ETIME : EINTR;
	}
	return 0;
}

void putback(stdata_t *stp, queue_t *q, mblk_t *bp, uchar_t band)
{
	bp->b_band = band;
	if (DB_TYPE(bp) == M_PCPROTO)
		stp->sd_flag |= STRPRI;
	if (!putbq(q, bp)) {
		freemsg(bp);
		return;
	}
	if (bp->b_flag & MSGMARK)
		stp->sd_mark = bp;
	if (q->q_first == bp) {
		if (stp->sd_flag & RSLEEP) {
			stp->sd_flag &= ~(uint_t)RSLEEP;
			cv_broadcast(&q->q_wait);
		}
		if (stp->sd_rput_opt & SR_POLLIN) {
			stp->sd_rput_opt &= ~(uint_t)SR_POLLIN;
			pollwakeup(stp, POLLIN | POLLRDNORM);
		}
	}
}

/* Take the first message off the read queue; its mark state becomes the stream's. */
static mblk_t *strget(stdata_t *stp, queue_t *q)
{
	mblk_t *bp = getq_noenab(q);

	if (bp == NULL)
		return NULL;
	if (DB_TYPE(bp) == M_PCPROTO)
		stp->sd_flag &= ~(uint_t)STRPRI;
	if (stp->sd_mark == bp)
		stp->sd_mark = NULL;
	if (STREAM_NEEDSERVICE(stp))
		stream_runservice(stp);
	return bp;
}

/* A message was taken whole: is the reader at the mark now? */
ALWAYS_INLINE void taken(stdata_t *stp, uint_t b_flag)
{
	stp->sd_flag &= ~(uint_t)(STRATMARK | STRNOTATMARK);
	if (b_flag & MSGMARKNEXT)
		stp->sd_flag |= STRATMARK;
	else if (b_flag & MSGNOTMARKNEXT)
		stp->sd_flag |= STRNOTATMARK;
}

void strfrontsigs(stdata_t *stp, queue_t *q)
{
	while (q->q_first != NULL && DB_TYPE(q->q_first) == M_SIG) {
		mblk_t *bp = getq_noenab(q);

		strsignal_nolock(stp, *bp->b_rptr, bp->b_band);
		freemsg(bp);
	}
}

/*
 * Copy up to max bytes of the leading blocks to the uio.  Returns what is left
 * of the message (NULL: nothing); EFAULT frees it.
 */
static mblk_t *struiocopyout(mblk_t *bp, uio_t *uiop, int *errorp)
{
	*errorp = 0;
	while (bp != NULL && (uiop->uio_resid > 0 || MBLKL(bp) == 0)) {
		ssize_t n = MIN(uiop->uio_resid, MBLKL(bp));
		mblk_t *next = bp->b_cont;

		if (n > 0 && (*errorp = uiomove(bp->b_rptr, (size_t)n, UIO_READ, uiop)) != 0) {
			freemsg(bp);
			return NULL;
		}
		bp->b_rptr += n;
		if (MBLKL(bp) > 0)
			break;
		freeb(bp);
		bp = next;
	}
	return bp;
}

/* Make every block of a protocol message data (RPROTDAT); NULL without memory, the message then freed. */
static mblk_t *protodata(mblk_t *bp)
{
	for (mblk_t *mp = bp; mp != NULL; mp = mp->b_cont) {
		if (DB_REF(mp) > 1 && DB_TYPE(mp) != M_DATA) {
			mblk_t *copy = copymsg(bp);

			freemsg(bp);
			bp = copy;
			break;
		}
	}
	for (mblk_t *mp = bp; mp != NULL; mp = mp->b_cont)
		DB_TYPE(mp) = M_DATA;
	return bp;
}

/* Drop the protocol blocks of a message (RPROTDIS); NULL when there is no data. */
static mblk_t *protodiscard(mblk_t *bp)
{
	while (bp != NULL && DB_TYPE(bp) != M_DATA) {
		mblk_t *next = unlinkb(bp);

		freeb(bp);
		bp = next;
	}
	return bp;
}

/* What is left of a message goes back; its mark has been passed if anything was taken. */
static void msg_rest(stdata_t *stp, queue_t *q, mblk_t *bp, uint_t flags, uchar_t band, bool taken_some)
{
	bp->b_flag |= (uint16_t)flags;
	if (taken_some) {
		bp->b_flag &= (uint16_t)~MSGMARK;
		stp->sd_flag &= ~(uint_t)STRATMARK;
	}
	putback(stp, q, bp, band);
}

/* What strread() does with one message. */
enum readnext { READ_MORE, READ_DONE };

/* Data of a message to the reader; the rest goes back or away as the read mode says. */
static enum readnext read_data(stdata_t *stp, queue_t *q, mblk_t *bp, uio_t *uiop, bool any, int *errorp)
{
	uint_t flags = bp->b_flag, mode = stp->sd_read_opt;
	ssize_t wanted = uiop->uio_resid;
	uchar_t band = bp->b_band;

	if (msgdsize(bp) == 0) {
		if (any)
			putback(stp, q, bp, band);
		else
			freemsg(bp);
		return READ_DONE;
	}
	bp = struiocopyout(bp, uiop, errorp);
	if (*errorp != 0)
		return READ_DONE;
	if (bp != NULL && (mode & RD_MSGDIS)) {
		freemsg(bp);
		bp = NULL;
	}
	if (bp != NULL) {
		msg_rest(stp, q, bp, flags, band, uiop->uio_resid < wanted);
		return READ_DONE;
	}
	taken(stp, flags);
	strfrontsigs(stp, q);
	if ((mode & (RD_MSGDIS | RD_MSGNODIS)) || (flags & MSGDELIM) || uiop->uio_resid == 0)
		return READ_DONE;
	return READ_MORE;
}

/* One message of any type. */
static enum readnext read_msg(stdata_t *stp, queue_t *q, mblk_t *bp, uio_t *uiop, bool any, int *errorp)
{
	switch (DB_TYPE(bp)) {
	case M_DATA:
		return read_data(stp, q, bp, uiop, any, errorp);
	case M_PROTO:
	case M_PCPROTO:
		if (stp->sd_read_opt & RD_PROTDAT) {
			bp = protodata(bp);
			if (bp == NULL) {
				*errorp = EAGAIN;
				return READ_DONE;
			}
			return read_data(stp, q, bp, uiop, any, errorp);
		}
		if (stp->sd_read_opt & RD_PROTDIS) {
			uchar_t band = bp->b_band;

			bp = protodiscard(bp);
			if (bp == NULL)
				return READ_MORE;
			bp->b_band = band;
			return read_data(stp, q, bp, uiop, any, errorp);
		}
		/* FALLTHROUGH */
	case M_PASSFP:
		putback(stp, q, bp, bp->b_band);
		*errorp = any ? 0 : EBADMSG;
		return READ_DONE;
	case M_SIG:
		strsignal_nolock(stp, *bp->b_rptr, bp->b_band);
		/* FALLTHROUGH */
	default:
		freemsg(bp);
		return READ_MORE;
	}
}

/* May the caller read now? */
ALWAYS_INLINE int may_read(stdata_t *stp)
{
	int error = stp->sd_sidp != 0 ? straccess(stp, JCREAD) : 0;

	if (error == 0 && UNLIKELY(stp->sd_flag & (STRDERR | STPLEX)))
		error = strgeterr(stp, STRDERR | STPLEX, 0);
	return error;
}

int strread(vnode_t *vp, uio_t *uiop, cred_t *cr)
{
	stdata_t *stp = vp->v_stream;
	queue_t *q = _RD(stp->sd_wrq);
	ssize_t count = uiop->uio_resid;
	int error = may_read(stp), done;
	uchar_t band = 0;

	(void)cr;
	while (error == 0) {
		bool any = uiop->uio_resid < count;
		mblk_t *bp;

		if (any && q->q_first != NULL && (q->q_first->b_flag & MSGMARK))
			break;
		bp = strget(stp, q);
		if (bp != NULL) {
			band = bp->b_band;
			if (read_msg(stp, q, bp, uiop, any, &error) == READ_DONE)
				break;
			continue;
		}
		if ((stp->sd_flag & (STRHUP | STREOF)) || (any && !(stp->sd_flag & STRDELIM)) || uiop->uio_resid == 0)
			break;
		qbackenable(q, band);
		error = strwaitq(stp, READWAIT, uiop->uio_resid, uiop->uio_fmode, -1, &done);
		if (error == EAGAIN && any)
			error = 0;
		if (error != 0 || done)
			break;
		error = may_read(stp);
	}
	qbackenable(q, band);
	return error;
}

/* Does the first message fit what getmsg asked for? */
ALWAYS_INLINE bool eligible(const mblk_t *bp, int flags, uchar_t pri)
{
	if (flags & MSG_HIPRI)
		return queclass(bp) == QPCTL;
	if (flags & MSG_BAND)
		return queclass(bp) == QPCTL || bp->b_band >= pri;
	return true;
}

/* Flags and band of getmsg agree. */
static int check_getflags(int flags, uchar_t pri)
{
	switch (flags & (MSG_HIPRI | MSG_ANY | MSG_BAND)) {
	case MSG_HIPRI:
		return pri != 0 ? EINVAL : 0;
	case MSG_ANY:
	case MSG_BAND:
		return 0;
	default:
		return EINVAL;
	}
}

/* Wait until an eligible message is first: it (still queued), or NULL with *errorp, 0 meaning hang-up or end of file. */
static mblk_t *getmsg_wait(stdata_t *stp, queue_t *q, int flags, uchar_t pri, int fmode, clock_t_ timout, int *errorp)
{
	for (;;) {
		int done;

		strfrontsigs(stp, q);
		*errorp = may_read(stp);
		if (*errorp != 0)
			return NULL;
		if (q->q_first != NULL && eligible(q->q_first, flags, pri))
			return q->q_first;
		if (stp->sd_flag & (STRHUP | STREOF))
			return NULL;
		qbackenable(q, 0);
		*errorp = strwaitq(stp, GETWAIT, -1, fmode, timout, &done);
		if (*errorp != 0 || done)
			return NULL;
	}
}

/*
 * Copy the leading blocks of one kind (control or data) of *bpp to buf.  *bpp
 * becomes what is left of the message; *morep is set when something of this
 * part is left.  The part comes back as *restp, unlinked from the rest.
 */
static int getmsg_part(mblk_t **bpp, bool ctl, struct strbuf *buf, mblk_t **leftp)
{
	mblk_t *part = *bpp, *last = NULL, *bp;
	int room = buf->maxlen;

	*leftp = NULL;
	for (bp = part; bp != NULL && (DB_TYPE(bp) != M_DATA) == ctl; bp = bp->b_cont)
		last = bp;
	buf->len = last == NULL ? -1 : 0;
	if (last == NULL)
		return 0;
	last->b_cont = NULL;
	*bpp = bp;
	if (room < 0) {
		buf->len = -1;
		*leftp = part;
		return 0;
	}
	while (part != NULL && (room > 0 || MBLKL(part) == 0)) {
		int n = (int)MIN((ssize_t)room, MBLKL(part));

		if (copyout(part->b_rptr, buf->buf + buf->len, (size_t)n) != 0) {
			freemsg(part);
			return EFAULT;
		}
		buf->len += n;
		room -= n;
		part->b_rptr += n;
		if (MBLKL(part) > 0)
			break;
		bp = unlinkb(part);
		freeb(part);
		part = bp;
	}
	*leftp = part;
	return 0;
}

/* Put what getmsg left of a message back. */
static void getmsg_rest(stdata_t *stp, queue_t *q, mblk_t *ctl, mblk_t *data, uint_t flags, uchar_t band,
			bool taken_some)
{
	mblk_t *bp = ctl == NULL ? data : ctl;

	if (bp == NULL) {
		taken(stp, flags);
		strfrontsigs(stp, q);
		return;
	}
	if (ctl != NULL && data != NULL)
		linkb(ctl, data);
	msg_rest(stp, q, bp, flags, band, taken_some);
}

int strgetmsg(vnode_t *vp, struct strbuf *mctl, struct strbuf *mdata, uchar_t *prip, int *flagsp, int fmode,
	      int64_t *rvp)
{
	stdata_t *stp = vp->v_stream;
	queue_t *q = _RD(stp->sd_wrq);
	mblk_t *bp, *ctl, *data = NULL;
	int error = check_getflags(*flagsp, *prip);
	uint_t flags;
	uchar_t band;

	*rvp = 0;
	if (error != 0)
		return error;
	bp = getmsg_wait(stp, q, *flagsp, *prip, fmode, -1, &error);
	if (bp == NULL) {
		mctl->len = mdata->len = 0;
		*flagsp = 0;
		*prip = 0;
		return error;
	}
	if (DB_TYPE(bp) == M_PASSFP)
		return EBADMSG;
	bp = strget(stp, q);
	flags = bp->b_flag;
	band = bp->b_band;
	*flagsp = queclass(bp) == QPCTL ? MSG_HIPRI : MSG_BAND;
	*prip = band;
	error = getmsg_part(&bp, true, mctl, &ctl);
	if (error == 0) {
		error = getmsg_part(&bp, false, mdata, &data);
		if (error != 0)
			freemsg(ctl);
	}
	if (error != 0) {
		freemsg(bp);
	} else {
		if (bp != NULL) {
			if (data != NULL)
				linkb(data, bp);
			else
				data = bp;
		}
		*rvp = (ctl != NULL ? MORECTL : 0) | (data != NULL ? MOREDATA : 0);
		getmsg_rest(stp, q, ctl, data, flags, band, mctl->len > 0 || mdata->len > 0);
	}
	qbackenable(q, band);
	return error;
}

mblk_t *kstrgetmsg(vnode_t *vp, uchar_t *prip, int *flagsp, int fmode, clock_t_ timout, int *errorp)
{
	stdata_t *stp = vp->v_stream;
	queue_t *q = _RD(stp->sd_wrq);
	int flags = *flagsp;
	mblk_t *bp = getmsg_wait(stp, q, flags, *prip, fmode, timout, errorp);

	if (bp == NULL)
		return NULL;
	*prip = bp->b_band;
	*flagsp = queclass(bp) == QPCTL ? MSG_HIPRI : MSG_BAND;
	if (flags & MSG_IPEEK) {
		mblk_t *copy = dupmsg(bp);

		if (copy == NULL)
			*errorp = EAGAIN;
		return copy;
	}
	bp = strget(stp, q);
	taken(stp, bp->b_flag);
	strfrontsigs(stp, q);
	qbackenable(q, bp->b_band);
	return bp;
}
