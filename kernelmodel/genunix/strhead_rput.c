/*
 * What comes up to the stream head.
 *
 * strrput() is the read put procedure.  Data is put on the head's read queue;
 * everything else is acted upon by strrput_nondata() at once.  Protocol and
 * other messages first pass a function that sockets may replace
 * (strsetrputhooks); it tells which sleepers, signals and pollers the message
 * concerns.  strsink() stands in for a stream head whose owner has closed it
 * (one end of a pipe).
 */
#include "genunix/strhead.h"
#include "sys/signal.h"
#include "sys/poll.h"

#include <string.h>

mblk_t *strrput_proto(vnode_t *vp, mblk_t *bp, uint_t *wakeups, uint_t *firstmsgsigs, uint_t *allmsgsigs,
		      uint_t *pollwakeups)
{
	(void)vp;
	*wakeups = RSLEEP;
	*allmsgsigs = 0;
	*firstmsgsigs = bp->b_band == 0 ? S_INPUT | S_RDNORM : S_INPUT | S_RDBAND;
	*pollwakeups = bp->b_band == 0 ? POLLIN | POLLRDNORM : POLLIN | POLLRDBAND;
	if (DB_TYPE(bp) == M_PCPROTO) {
		*firstmsgsigs = 0;
		*allmsgsigs = S_HIPRI;
		*pollwakeups = POLLPRI;
	}
	return bp;
}

mblk_t *strrput_misc(vnode_t *vp, mblk_t *bp, uint_t *wakeups, uint_t *firstmsgsigs, uint_t *allmsgsigs,
		     uint_t *pollwakeups)
{
	(void)vp;
	*wakeups = *firstmsgsigs = *allmsgsigs = *pollwakeups = 0;
	return bp;
}

void strsetrputhooks(vnode_t *vp, uint_t flags, strhook_t *protofunc, strhook_t *miscfunc)
{
	stdata_t *stp = vp->v_stream;

	stp->sd_rprotofunc = protofunc == NULL ? strrput_proto : protofunc;
	stp->sd_rmiscfunc = miscfunc == NULL ? strrput_misc : miscfunc;
	stp->sd_rput_opt &= ~(uint_t)(SR_SIGALLDATA | SR_IGN_ZEROLEN | SR_CONSOL_DATA);
	if (flags & SH_SIGALLDATA)
		stp->sd_rput_opt |= SR_SIGALLDATA;
	if (flags & SH_IGN_ZEROLEN)
		stp->sd_rput_opt |= SR_IGN_ZEROLEN;
	if (flags & SH_CONSOL_DATA)
		stp->sd_rput_opt |= SR_CONSOL_DATA;
}

ALWAYS_INLINE void wake_readers(stdata_t *stp, queue_t *rq)
{
	if (stp->sd_flag & RSLEEP) {
		stp->sd_flag &= ~(uint_t)RSLEEP;
		cv_broadcast(&rq->q_wait);
	}
}

ALWAYS_INLINE void wake_writers(stdata_t *stp, queue_t *rq)
{
	if (stp->sd_flag & WSLEEP) {
		stp->sd_flag &= ~(uint_t)WSLEEP;
		cv_broadcast(&_WR(rq)->q_wait);
	}
}

ALWAYS_INLINE void wake_all(stdata_t *stp, queue_t *rq)
{
	wake_readers(stp, rq);
	wake_writers(stp, rq);
	cv_broadcast(&stp->sd_monitor);
}

/* Wake, signal and poll for a message that was queued (or dropped by a hook). */
ALWAYS_INLINE void strrput_wakeups(stdata_t *stp, queue_t *q, uint_t wakeups, uint_t sigs, uint_t polls, uchar_t band)
{
	if (wakeups & RSLEEP)
		wake_readers(stp, q);
	if (wakeups & WSLEEP)
		wake_writers(stp, q);
	if ((polls & POLLRDNORM) && !(polls & POLLRDBAND)) {
		if (stp->sd_rput_opt & SR_POLLIN)
			stp->sd_rput_opt &= ~(uint_t)SR_POLLIN;
		else
			polls &= ~(uint_t)(POLLIN | POLLRDNORM);
	}
	if (polls != 0)
		pollwakeup(stp, (short)polls);
	if (stp->sd_sigflags & (int)sigs)
		strsendsig(stp->sd_siglist, (int)sigs, band);
}

/* Zero-length data of a head that wants none: only its mark counts. */
static void strrput_zerolen(stdata_t *stp, queue_t *q, mblk_t *bp)
{
	if (bp->b_flag & MSGMARKNEXT) {
		if (q->q_last != NULL) {
			q->q_last->b_flag &= (uint16_t)~MSGNOTMARKNEXT;
			q->q_last->b_flag |= MSGMARKNEXT;
		} else {
			stp->sd_flag |= STRATMARK;
			stp->sd_flag &= ~(uint_t)STRNOTATMARK;
		}
	} else if (bp->b_flag & MSGNOTMARKNEXT) {
		if (q->q_last != NULL) {
			q->q_last->b_flag &= (uint16_t)~MSGMARKNEXT;
			q->q_last->b_flag |= MSGNOTMARKNEXT;
		} else {
			stp->sd_flag &= ~(uint_t)STRATMARK;
			stp->sd_flag |= STRNOTATMARK;
		}
	}
	freemsg(bp);
	strrput_wakeups(stp, q, RSLEEP, 0, POLLIN | POLLRDNORM, 0);
}

/* Append data to the last message of the queue, which must be of band 0 and end nowhere. */
static bool strrput_consol(queue_t *q, mblk_t *bp)
{
	mblk_t *last = q->q_last;
	uint16_t flags = MSGMARK | MSGDELIM | MSGMARKNEXT | MSGNOTMARKNEXT;

	if (last == NULL || last->b_band != 0 || bp->b_band != 0 || ((last->b_flag | bp->b_flag) & flags))
		return false;
	if (DB_TYPE(last) != M_DATA && DB_TYPE(last) != M_PROTO && DB_TYPE(last) != M_PCPROTO)
		return false;
	for (mblk_t *mp = bp; mp != NULL; mp = mp->b_cont) {
		q->q_count += (size_t)MBLKL(mp);
		q->q_mblkcnt++;
	}
	linkb(last, bp);
	if (q->q_count >= q->q_hiwat || q->q_mblkcnt >= q->q_hiwat)
		q->q_flag |= QFULL;
	return true;
}

ALWAYS_INLINE bool zerolen(const mblk_t *bp)
{
	return bp->b_cont == NULL && bp->b_rptr == bp->b_wptr;
}

int strrput(queue_t *q, mblk_t *bp)
{
	stdata_t *stp = q->q_ptr;
	uint_t wakeups = RSLEEP, allsigs = 0;
	uint_t firstsigs = S_INPUT | (bp->b_band == 0 ? S_RDNORM : S_RDBAND);
	uint_t polls = POLLIN | (bp->b_band == 0 ? POLLRDNORM : POLLRDBAND);
	uchar_t band = bp->b_band;
	bool first;

	switch (DB_TYPE(bp)) {
	case M_DATA:
		if (stp->sd_flag == STREOF) {
			freemsg(bp);
			return 0;
		}
		if (stp->sd_rputdatafunc != NULL && (bp = stp->sd_rputdatafunc(stp->sd_vnode, bp)) == NULL)
			return 0;
		if ((stp->sd_rput_opt & SR_IGN_ZEROLEN) && zerolen(bp)) {
			strrput_zerolen(stp, q, bp);
			return 0;
		}
		if ((stp->sd_rput_opt & SR_CONSOL_DATA) && strrput_consol(q, bp)) {
			strrput_wakeups(stp, q, wakeups, stp->sd_rput_opt & SR_SIGALLDATA ? firstsigs : 0, polls, band);
			return 0;
		}
		break;
	case M_PASSFP:
		break;
	case M_PROTO:
	case M_PCPROTO:
		bp = stp->sd_rprotofunc(stp->sd_vnode, bp, &wakeups, &firstsigs, &allsigs, &polls);
		break;
	default:
		bp = stp->sd_rmiscfunc(stp->sd_vnode, bp, &wakeups, &firstsigs, &allsigs, &polls);
		if (bp != NULL)
			strrput_nondata(q, bp);
		strrput_wakeups(stp, q, wakeups, allsigs, polls, band);
		return 0;
	}
	if (bp != NULL && DB_TYPE(bp) == M_PCPROTO) {
		if (stp->sd_flag & STRPRI) {
			freemsg(bp);
			return 0;
		}
		stp->sd_flag |= STRPRI;
	}
	if (bp != NULL) {
		if (!putq(q, bp)) {
			freemsg(bp);
			return 0;
		}
		if (bp->b_flag & MSGMARK)
			stp->sd_mark = bp;
	}
	first = bp != NULL && (q->q_first == bp || (stp->sd_rput_opt & SR_SIGALLDATA));
	strrput_wakeups(stp, q, wakeups, allsigs | (first ? firstsigs : 0), polls, band);
	return 0;
}

/* A block the head may write into: bp itself, or a copy of it; NULL (bp freed) without memory. */
static mblk_t *writable(mblk_t *bp)
{
	mblk_t *copy = bp;

	if (DB_REF(bp) > 1) {
		copy = copymsg(bp);
		freemsg(bp);
	}
	return copy;
}

/* Send bp back down the stream, if there is one; each use is a call site of its own. */
#define STRREPLY(q, bp)                     \
	do {                                \
		CALL_SITE(__LINE__);        \
		if (_WR(q)->q_next != NULL) \
			qreply(q, bp);      \
		else                        \
			freemsg(bp);        \
	} while (0)

/* Set, clear or leave one side's error; true when it is an error the side did not have yet. */
static bool set_side(stdata_t *stp, uint_t flag, int *errorp, uchar_t error)
{
	bool had = (stp->sd_flag & flag) != 0;

	if (error == NOERROR)
		return false;
	*errorp = error;
	if (error == 0) {
		stp->sd_flag &= ~flag;
		return false;
	}
	stp->sd_flag |= flag;
	return !had;
}

/* M_ERROR: bytes are read and write error; the flush flags of the sides that are new in error. */
static int strrput_error(stdata_t *stp, queue_t *q, uchar_t rerror, uchar_t werror)
{
	int flush = 0;

	if (set_side(stp, STRDERR, &stp->sd_rerror, rerror))
		flush |= FLUSHR;
	if (set_side(stp, STWRERR, &stp->sd_werror, werror))
		flush |= FLUSHW;
	if (stp->sd_flag & (STRDERR | STWRERR)) {
		wake_all(stp, q);
		pollwakeup(stp, POLLERR);
		if (stp->sd_sigflags & S_ERROR)
			strsendsig(stp->sd_siglist, S_ERROR, 0);
	}
	return flush;
}

static void strrput_hangup(stdata_t *stp, queue_t *q)
{
	pid_t leader = stp->sd_sidp, fg = stp->sd_pgidp;

	stp->sd_werror = ENXIO;
	stp->sd_flag |= STRHUP;
	if (leader != 0) {
		proc_t *p = prfind(leader);

		strfreectty(stp);
		if (p != NULL)
			psignal(p, SIGHUP);
		if (fg != leader)
			pgsignal(fg, SIGTSTP);
	}
	wake_all(stp, q);
	pollwakeup(stp, POLLHUP);
	if (stp->sd_sigflags & S_HANGUP)
		strsendsig(stp->sd_siglist, S_HANGUP, 0);
}

/* After a flush: is there still a high-priority message, and which is the last marked one? */
static void strrput_flushed(stdata_t *stp, queue_t *q)
{
	if (q->q_first == NULL || DB_TYPE(q->q_first) != M_PCPROTO)
		stp->sd_flag &= ~(uint_t)STRPRI;
	if (stp->sd_mark == NULL)
		return;
	stp->sd_mark = NULL;
	for (mblk_t *mp = q->q_first; mp != NULL; mp = mp->b_next)
		if (mp->b_flag & MSGMARK)
			stp->sd_mark = mp;
}

/* The reply the sleeping ioctl waits for? */
ALWAYS_INLINE bool ioctl_reply(const stdata_t *stp, const mblk_t *bp)
{
	const struct iocblk *iocp = (const struct iocblk *)bp->b_rptr;

	return (stp->sd_flag & (IOCWAIT | IOCWAITNE)) && stp->sd_iocblk == NULL && iocp->ioc_id == stp->sd_iocid;
}

/* SO_READOPT: a new read mode; values that mean nothing are left out. */
static void set_readopt(stdata_t *stp, int opt)
{
	int mode = opt & RMODEMASK, prot = opt & RPROTMASK;

	if (mode != RMODEMASK) {
		stp->sd_read_opt &= ~(uint_t)(RD_MSGDIS | RD_MSGNODIS);
		stp->sd_read_opt |= mode == RMSGD ? RD_MSGDIS : mode == RMSGN ? RD_MSGNODIS : 0;
	}
	if (prot == RPROTNORM || prot == RPROTDAT || prot == RPROTDIS) {
		stp->sd_read_opt &= ~(uint_t)(RD_PROTDAT | RD_PROTDIS);
		stp->sd_read_opt |= prot == RPROTDAT ? RD_PROTDAT : prot == RPROTDIS ? RD_PROTDIS : 0;
	}
	if (opt & RFLUSHMASK)
		stp->sd_read_opt |= RFLUSHPCPROT;
}

/* Set or clear a flag of the head by two bits of so_flags. */
ALWAYS_INLINE void set_flag(stdata_t *stp, uint_t so_flags, uint_t on, uint_t off, uint_t flag)
{
	if (so_flags & on)
		stp->sd_flag |= flag;
	if (so_flags & off)
		stp->sd_flag &= ~flag;
}

static void set_erropt(stdata_t *stp, int opt)
{
	if (opt & RERRNORM)
		stp->sd_flag &= ~(uint_t)STRDERRNONPERSIST;
	if (opt & RERRNONPERSIST)
		stp->sd_flag |= STRDERRNONPERSIST;
	if (opt & WERRNORM)
		stp->sd_flag &= ~(uint_t)STWRERRNONPERSIST;
	if (opt & WERRNONPERSIST)
		stp->sd_flag |= STWRERRNONPERSIST;
}

/* M_SETOPTS: a module changes how the head behaves; the band whose queue limits it changed. */
static uchar_t strrput_setopts(stdata_t *stp, queue_t *q, const struct stroptions *sop)
{
	uint_t flags = sop->so_flags;
	uchar_t band = flags & SO_BAND ? sop->so_band : 0;

	if (flags & SO_READOPT)
		set_readopt(stp, sop->so_readopt);
	if (flags & SO_ERROPT)
		set_erropt(stp, sop->so_erropt);
	if (flags & SO_WROFF)
		stp->sd_wroff = sop->so_wroff;
	if (flags & SO_TAIL)
		stp->sd_tail = sop->so_tail;
	if (flags & SO_MAXBLK)
		stp->sd_maxblk = sop->so_maxblk;
	if (flags & SO_MINPSZ)
		q->q_minpsz = sop->so_minpsz;
	if (flags & SO_MAXPSZ)
		q->q_maxpsz = sop->so_maxpsz;
	if (flags & SO_HIWAT)
		(void)strqset(q, QHIWAT, band, (intptr_t)sop->so_hiwat);
	if (flags & SO_LOWAT)
		(void)strqset(q, QLOWAT, band, (intptr_t)sop->so_lowat);
	set_flag(stp, flags, SO_MREADON, SO_MREADOFF, SNDMREAD);
	set_flag(stp, flags, SO_NDELON, SO_NDELOFF, OLDNDELAY);
	set_flag(stp, flags, SO_ISTTY, SO_ISNTTY, STRISTTY);
	set_flag(stp, flags, SO_TOSTOP, SO_TONSTOP, STRTOSTOP);
	set_flag(stp, flags, SO_DELIM, SO_NODELIM, STRDELIM);
	return band;
}

void strrput_nondata(queue_t *q, mblk_t *bp)
{
	stdata_t *stp = q->q_ptr;
	int flush;
	uchar_t band;

	switch (DB_TYPE(bp)) {
	case M_ERROR:
		bp = writable(bp);
		if (bp == NULL)
			return;
		if (MBLKL(bp) >= 2) {
			flush = strrput_error(stp, q, bp->b_rptr[0], bp->b_rptr[1]);
			if (flush == 0) {
				freemsg(bp);
				return;
			}
			DB_TYPE(bp) = M_FLUSH;
			bp->b_wptr = bp->b_rptr + 1;
			*bp->b_rptr = (uchar_t)flush;
			STRREPLY(q, bp);
		} else {
			flush = 0;
			if (MBLKL(bp) == 1 && *bp->b_rptr != 0)
				flush = strrput_error(stp, q, *bp->b_rptr, *bp->b_rptr);
			if (flush == 0) {
				freemsg(bp);
				return;
			}
			DB_TYPE(bp) = M_FLUSH;
			*bp->b_rptr = FLUSHRW;
			STRREPLY(q, bp);
		}
		return;

	case M_HANGUP:
		freemsg(bp);
		strrput_hangup(stp, q);
		return;

	case M_UNHANGUP:
		freemsg(bp);
		stp->sd_werror = 0;
		stp->sd_flag &= ~(uint_t)STRHUP;
		return;

	case M_SIG:
		if (q->q_first != NULL || (*bp->b_rptr == SIGTSTP && !(stp->sd_flag & RSLEEP))) {
			(void)putq(q, bp);
			return;
		}
		/* FALLTHROUGH */
	case M_PCSIG:
		strsignal_nolock(stp, *bp->b_rptr, bp->b_band);
		freemsg(bp);
		return;

	case M_FLUSH:
		if (*bp->b_rptr & FLUSHR) {
			if (*bp->b_rptr & FLUSHBAND)
				flushband(q, bp->b_rptr[1], FLUSHALL);
			else
				flushq_common(q, FLUSHALL, stp->sd_read_opt & RFLUSHPCPROT);
			strrput_flushed(stp, q);
		}
		if ((*bp->b_rptr & FLUSHW) && !(bp->b_flag & MSGNOLOOP)) {
			bp = writable(bp);
			if (bp == NULL)
				return;
			*bp->b_rptr &= (uchar_t)~FLUSHR;
			bp->b_flag |= MSGNOLOOP;
			STRREPLY(q, bp);
			return;
		}
		freemsg(bp);
		return;

	case M_IOCACK:
	case M_IOCNAK:
		if (!ioctl_reply(stp, bp)) {
			freemsg(bp);
			return;
		}
		stp->sd_iocblk = bp;
		cv_broadcast(&stp->sd_monitor);
		return;

	case M_COPYIN:
	case M_COPYOUT:
		if (ioctl_reply(stp, bp)) {
			stp->sd_iocblk = bp;
			cv_broadcast(&stp->sd_monitor);
			return;
		}
		bp = writable(bp);
		if (bp == NULL)
			return;
		freemsg(unlinkb(bp));
		DB_TYPE(bp) = M_IOCDATA;
		((struct copyresp *)bp->b_rptr)->cp_rval = (caddr_t)1;
		if (_WR(q)->q_next != NULL)
			putnext(_WR(q), bp);
		else
			freemsg(bp);
		return;

	case M_SETOPTS:
		band = strrput_setopts(stp, q, (struct stroptions *)bp->b_rptr);
		freemsg(bp);
		qbackenable(q, band);
		return;

	case M_IOCTL:
		bp = writable(bp);
		if (bp == NULL)
			return;
		DB_TYPE(bp) = M_IOCNAK;
		STRREPLY(q, bp);
		return;

	default:
		freemsg(bp);
	}
}

int strsink(queue_t *q, mblk_t *bp)
{
	switch (DB_TYPE(bp)) {
	case M_FLUSH:
		if (!(*bp->b_rptr & FLUSHW) || (bp->b_flag & MSGNOLOOP) || (bp = writable(bp)) == NULL)
			break;
		*bp->b_rptr &= (uchar_t)~FLUSHR;
		bp->b_flag |= MSGNOLOOP;
		STRREPLY(q, bp);
		return 0;
	case M_COPYIN:
	case M_COPYOUT:
		bp = writable(bp);
		if (bp == NULL)
			break;
		freemsg(unlinkb(bp));
		DB_TYPE(bp) = M_IOCDATA;
		((struct copyresp *)bp->b_rptr)->cp_rval = (caddr_t)1;
		STRREPLY(q, bp);
		return 0;
	case M_IOCTL:
		bp = writable(bp);
		if (bp == NULL)
			break;
		DB_TYPE(bp) = M_IOCNAK;
		STRREPLY(q, bp);
		return 0;
	default:
		break;
	}
	freemsg(bp);
	return 0;
}
