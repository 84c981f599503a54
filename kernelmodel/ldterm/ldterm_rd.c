/*
 * ldterm, what comes from below.
 *
 * Some characters act when they arrive, however far behind the reader is: those
 * that stop and start output, that signal, and that throw output away.
 * ldtermrput takes them out of the data.  All others go through ldtermrmsg, at
 * once if nothing is queued before them and the head has room, else from the
 * service procedure: that is where lines are made and characters are echoed.
 */
#include <string.h>

#include "ldterm/ldterm.h"

/* ---- the message that is being built ---- */

mblk_t *newmsg(ldtermstd_state_t *tp)
{
	if (tp->t_endmsg == NULL)
		tp->t_message = tp->t_endmsg = allocb(IBSIZE, BPRI_HI);
	return tp->t_endmsg;
}

mblk_t *ldterm_grow(ldtermstd_state_t *tp)
{
	mblk_t *bp = newmsg(tp);

	if (bp == NULL || MBLKTAIL(bp) > 0)
		return bp;
	if ((bp = allocb(IBSIZE, BPRI_HI)) != NULL) {
		tp->t_endmsg->b_cont = bp;
		tp->t_endmsg = bp;
	}
	return bp;
}

void ldterm_discard(ldtermstd_state_t *tp)
{
	freemsg(tp->t_message);
	tp->t_message = tp->t_endmsg = NULL;
	tp->t_msglen = 0;
	tp->t_inmb.mb_len = 0;
	tp->t_state &= ~TS_QUOT;
}

void ldterm_msg_upstream(queue_t *q, ldtermstd_state_t *tp)
{
	if (tp->t_message != NULL)
		putnext(q, tp->t_message);
	tp->t_message = tp->t_endmsg = NULL;
	tp->t_msglen = 0;
	tp->t_rocount = 0;
	tp->t_inmb.mb_len = 0;
}

/* ---- signals ---- */

void ldterm_dosig(queue_t *q, int sig, uchar_t c, int mtype, int mode)
{
	ldtermstd_state_t *tp = q->q_ptr;
	bool signalled = false;

	if (mode != 0 && (c == 0 || !lflag(tp, NOFLSH))) {
		if (tp->t_state & TS_TTSTOP) {
			(void)putnextctl1(q, mtype, sig);
			signalled = true;
		}
		if (mode & FLUSHR) {
			flushq(q, FLUSHDATA);
			(void)putnextctl1(WR(q), M_FLUSH, mode);
			if (tp->t_state & (TS_TBLOCK | TS_IFBLOCK))
				(void)ldterm_starti(WR(q), tp);
		}
		if (mode & FLUSHW) {
			flushq(WR(q), FLUSHDATA);
			/* The head turns it round, and it would flush the echo below. */
			tp->t_state |= TS_FLUSHWAIT;
			if (!putnextctl1(q, M_FLUSH, FLUSHW))
				tp->t_state &= ~TS_FLUSHWAIT;
			if (tp->t_state & TS_TTSTOP)
				(void)ldterm_start(WR(q), tp);
		}
	}
	tp->t_state &= ~TS_QUOT;
	if (!signalled)
		(void)putnextctl1(q, mtype, sig);
	if (c != 0 && (tp->t_echomp = allocb(4, BPRI_HI)) != NULL) {
		tp->t_echoend = tp->t_echomp;
		ldterm_echo(c, WR(q), 4, tp);
		if (tp->t_echomp != NULL) /* a delay may have sent it already */
			putnext(WR(q), tp->t_echomp);
		tp->t_echomp = NULL;
	}
}

/* ---- flow control ---- */

/* IXOFF: input was stopped, and is now low enough. */
ALWAYS_INLINE bool input_restarts(const queue_t *q, const ldtermstd_state_t *tp)
{
	return iflag(tp, IXOFF) && (tp->t_state & (TS_TBLOCK | TS_IFBLOCK)) == TS_TBLOCK && q->q_count <= TTXOLO;
}

/* IXOFF: too much input is waiting. */
ALWAYS_INLINE bool input_overflows(const queue_t *q, const ldtermstd_state_t *tp)
{
	return iflag(tp, IXOFF) && !(tp->t_state & TS_TBLOCK) && q->q_count >= TTXOHI;
}

/* ---- messages that are not data ---- */

/* What a break or a damaged character is for the reader. */
ALWAYS_INLINE void ldterm_brkdata(queue_t *q, mblk_t *mp, const uchar_t *bytes, size_t n)
{
	mblk_t *dp = allocb(n, BPRI_HI);

	freemsg(mp);
	if (dp == NULL)
		return;
	memcpy(dp->b_wptr, bytes, n);
	dp->b_wptr += n;
	putnext(q, dp);
}

/* M_CTL: what the driver does, and can. */
static void ldterm_mctl(ldtermstd_state_t *tp, mblk_t *mp)
{
	const struct iocblk *ioc = (const struct iocblk *)mp->b_rptr;

	switch (ioc->ioc_cmd) {
	case MC_NO_CANON:
		tp->t_state |= TS_NOCANON;
		ldterm_discard(tp);
		break;
	case MC_DO_CANON:
		tp->t_state &= ~TS_NOCANON;
		break;
	case MC_PART_CANON:
		if (mp->b_cont != NULL && MBLKL(mp->b_cont) >= (ssize_t)sizeof(struct termios)) {
			memcpy(&tp->t_dmodes, mp->b_cont->b_rptr, sizeof(tp->t_dmodes));
			ldterm_adjust_modes(tp);
		}
		break;
	case MC_HAS_POSIX:
		freemsg(tp->t_drainmsg);
		tp->t_drainmsg = NULL;
		break;
	default:
		break;
	}
}

/* ---- characters that act at once ---- */

/* Must every character be looked at? */
ALWAYS_INLINE bool rput_looks(const ldtermstd_state_t *tp)
{
	return iflag(tp, INLCR | IGNCR | ICRNL | IUCLC | IXON) || lflag(tp, ISIG | ICANON);
}

/* A signal's character: done with. */
ALWAYS_INLINE bool rput_signal(queue_t *q, ldtermstd_state_t *tp, uchar_t c)
{
	if (iscc(tp, c, VINTR))
		ldterm_dosig(q, SIGINT, c, M_PCSIG, FLUSHRW);
	else if (iscc(tp, c, VQUIT))
		ldterm_dosig(q, SIGQUIT, c, M_PCSIG, FLUSHRW);
	else if (iscc(tp, c, VSUSP))
		ldterm_dosig(q, SIGTSTP, c, M_PCSIG, FLUSHRW);
	else if (lflag(tp, IEXTEN) && iscc(tp, c, VDSUSP))
		ldterm_dosig(q, SIGTSTP, c, M_SIG, 0);
	else
		return iscc(tp, c, VSWTCH);
	return true;
}

/* ^S, ^Q and whatever else starts output: true when the character is done with. */
ALWAYS_INLINE bool rput_xon(queue_t *q, ldtermstd_state_t *tp, uchar_t c)
{
	if (tp->t_state & TS_TTSTOP) {
		if (iscc(tp, c, VSTART) || (lflag(tp, IEXTEN) && iflag(tp, IXANY)))
			(void)ldterm_start(WR(q), tp);
	} else if (iscc(tp, c, VSTOP) && putnextctl(WR(q), M_STOP)) {
		tp->t_state |= TS_TTSTOP;
	}
	return iscc(tp, c, VSTART) || iscc(tp, c, VSTOP);
}

ALWAYS_INLINE void rput_clear_flusho(ldtermstd_state_t *tp)
{
	tp->t_modes.c_lflag &= ~(tcflag_t)FLUSHO;
	tp->t_amodes.c_lflag &= ~(tcflag_t)FLUSHO;
}

/* One character: false when it is not to be kept, else *cp is what it has become. */
ALWAYS_INLINE bool rput_char(queue_t *q, ldtermstd_state_t *tp, uchar_t *cp)
{
	uchar_t c = *cp;

	if (iflag(tp, ISTRIP))
		*cp = c &= 0x7f;
	if (tp->t_state & TS_PLNCH) {
		tp->t_state &= ~TS_PLNCH;
		return true;
	}
	if (iflag(tp, IXON) && rput_xon(q, tp, c))
		return false;
	if (c == 0)
		return true;
	if (lflag(tp, IEXTEN) && iscc(tp, c, VLNEXT)) {
		tp->t_state |= TS_PLNCH;
		return true;
	}
	if (lflag(tp, IEXTEN) && iscc(tp, c, VDISCARD)) {
		ldterm_flush_output(WR(q), c, tp);
		return false;
	}
	rput_clear_flusho(tp);
	if (lflag(tp, ISIG) && rput_signal(q, tp, c))
		return false;
	if (c == '\r') {
		if (iflag(tp, IGNCR))
			return false;
		if (iflag(tp, ICRNL))
			*cp = '\n';
	} else if (c == '\n' && iflag(tp, INLCR)) {
		*cp = '\r';
	} else if (iflag(tp, IUCLC) && c >= 'A' && c <= 'Z') {
		*cp = (uchar_t)(c - 'A' + 'a');
	}
	return true;
}

/* Take what acts at once out of a block. */
ALWAYS_INLINE void rput_block(queue_t *q, ldtermstd_state_t *tp, mblk_t *bp)
{
	uchar_t *wp = bp->b_rptr;

	if (!rput_looks(tp)) {
		for (; iflag(tp, ISTRIP) && wp < bp->b_wptr; wp++)
			*wp &= 0x7f;
		rput_clear_flusho(tp);
		return;
	}
	for (const uchar_t *rp = bp->b_rptr; rp < bp->b_wptr; rp++) {
		uchar_t c = *rp;

		if (rput_char(q, tp, &c))
			*wp++ = c;
	}
	bp->b_wptr = wp;
}

static int ldtermrmsg(queue_t *q, mblk_t *mp);

int ldtermrput(queue_t *q, mblk_t *mp)
{
	static const uchar_t parmrk_break[] = {0377, 0, 0}, nul[] = {0};
	ldtermstd_state_t *tp = q->q_ptr;

	switch (DB_TYPE(mp)) {
	case M_IOCACK:
	case M_IOCNAK:
		if ((tp->t_state & TS_IOCWAIT) && ((struct iocblk *)mp->b_rptr)->ioc_id == tp->t_iocid) {
			tp->t_state &= ~TS_IOCWAIT;
			freemsg(mp);
		} else if (DB_TYPE(mp) == M_IOCACK) {
			ldterm_ioctl_reply(q, mp);
		} else {
			putnext(q, mp);
		}
		return 0;
	case M_PCSIG:
	case M_SIG:
		putnext(q, mp);
		return 0;
	case M_BREAK:
		if (MBLKL(mp) == 1) { /* a character that came with a parity error */
			const uchar_t marked[] = {0377, 0, *mp->b_rptr};

			if (tp->t_amodes.c_iflag & IGNPAR)
				freemsg(mp);
			else if (tp->t_amodes.c_iflag & PARMRK)
				ldterm_brkdata(q, mp, marked, 3);
			else
				ldterm_brkdata(q, mp, nul, 1);
			return 0;
		}
		if (tp->t_amodes.c_iflag & IGNBRK) {
			freemsg(mp);
		} else if (tp->t_amodes.c_iflag & BRKINT) {
			freemsg(mp);
			ldterm_dosig(q, SIGINT, '\0', M_PCSIG, FLUSHRW);
		} else if (tp->t_amodes.c_iflag & PARMRK) {
			ldterm_brkdata(q, mp, parmrk_break, 3);
		} else {
			ldterm_brkdata(q, mp, nul, 1);
		}
		return 0;
	case M_CTL:
		if (MBLKL(mp) == (ssize_t)sizeof(struct iocblk))
			ldterm_mctl(tp, mp);
		putnext(q, mp);
		return 0;
	case M_FLUSH:
		if ((*mp->b_rptr & FLUSHBAND) && (tp->t_state & TS_ISPTSTTY))
			flushband(q, mp->b_rptr[1], FLUSHDATA);
		else
			flushq(q, FLUSHDATA);
		ldterm_discard(tp);
		tp->t_rocount = tp->t_rocol = 0;
		putnext(q, mp);
		if (input_restarts(q, tp))
			(void)ldterm_starti(WR(q), tp);
		return 0;
	case M_DATA:
		break;
	default:
		ldterm_putq(q, mp);
		return 0;
	}

	if (input_restarts(q, tp))
		(void)ldterm_starti(WR(q), tp);
	if (tp->t_state & TS_NOCANON) {
		ldterm_putq(q, mp);
		return 0;
	}
	for (mblk_t *bp = mp; bp != NULL; bp = bp->b_cont)
		rput_block(q, tp, bp);
	if (q->q_first != NULL || !bcanputnext(q, mp->b_band) || (tp->t_state & TS_RESCAN))
		ldterm_putq(q, mp);
	else
		(void)ldtermrmsg(q, mp);
	if (input_overflows(q, tp)) {
		q->q_next->q_flag |= QWANTW;
		if (putnextctl(WR(q), M_STOPI))
			tp->t_state |= TS_TBLOCK;
	}
	return 0;
}

/* ---- one message after the other ---- */

/* The echo of a message goes down, unless there is no room.  No frame of its own in stacks. */
ALWAYS_INLINE void ldterm_send_echo(queue_t *wq, ldtermstd_state_t *tp)
{
	mblk_t *mp = tp->t_echomp;

	tp->t_echomp = NULL;
	if (mp == NULL)
		return;
	if (canputnext(wq))
		putnext(wq, mp);
	else
		freemsg(mp);
}

/* The carrier is gone: nobody will see output or type the rest of the line. */
ALWAYS_INLINE void ldterm_hangup(queue_t *q, mblk_t *mp, ldtermstd_state_t *tp)
{
	flushq(q, FLUSHDATA);
	ldterm_discard(tp);
	if (tp->t_state & TS_TTSTOP)
		(void)ldterm_start(WR(q), tp);
	(void)putnextctl1(q, M_FLUSH, FLUSHW);
	(void)putctl1(WR(q), M_FLUSH, FLUSHR);
	putnext(q, mp);
}

/*
 * The head is full.  Without echo the message waits.  With echo nobody could
 * tell that it does, so a bell says that it is lost, or what the head has is.
 * False: the message is disposed of.
 */
ALWAYS_INLINE bool ldterm_head_full(queue_t *q, mblk_t *mp, ldtermstd_state_t *tp)
{
	if (!lflag(tp, ECHO)) {
		if (!putbq(q, mp))
			freemsg(mp);
		return false;
	}
	if (iflag(tp, IMAXBEL) && lflag(tp, ICANON)) {
		freemsg(mp);
		if (canputnext(WR(q)))
			ldterm_outchar('\a', WR(q), 4, tp);
		ldterm_send_echo(WR(q), tp);
		return false;
	}
	(void)putctl1(q, M_FLUSH, FLUSHR);
	return true;
}

/* A block of a line; what is left of it when no more can be taken, with all blocks behind. */
ALWAYS_INLINE mblk_t *rmsg_canon(queue_t *q, mblk_t *bp, size_t ebsize, ldtermstd_state_t *tp)
{
	mblk_t *next;

	while (bp->b_rptr < bp->b_wptr)
		if (!ldterm_docanon(*bp->b_rptr++, ebsize, q, tp))
			return bp;
	next = bp->b_cont;
	freeb(bp);
	return next;
}

/* 1; or 0 when the head is full: the message waits or is lost, and those behind it have to wait. */
static int ldtermrmsg(queue_t *q, mblk_t *mp)
{
	ldtermstd_state_t *tp = q->q_ptr;
	mblk_t *bp, *bpt, *next;
	int more = 1;

	if (DB_TYPE(mp) < QPCTL && !bcanputnext(q, mp->b_band) && !ldterm_head_full(q, mp, tp))
		return 0;
	switch (DB_TYPE(mp)) {
	case M_HANGUP:
		ldterm_hangup(q, mp, tp);
		return 1;
	case M_IOCACK:
		ldterm_ioctl_reply(q, mp);
		return 1;
	case M_DATA:
		if (!(tp->t_state & TS_NOCANON))
			break;
		/* fallthrough */
	default:
		putnext(q, mp);
		return 1;
	}

	bpt = newmsg(tp);
	for (bp = mp; bp != NULL && bpt != NULL; bp = next) {
		size_t ebsize = MAX(MIN((size_t)MBLKL(bp), (size_t)EBSIZE), (size_t)1);

		next = bp->b_cont;
		if (lflag(tp, ICANON)) {
			next = rmsg_canon(q, bp, ebsize, tp);
			bpt = next == bp ? NULL : newmsg(tp);
		} else {
			bp->b_cont = NULL;
			bpt = ldterm_dononcanon(bp, bpt, ebsize, q, tp);
		}
	}
	if (bp != NULL) { /* no memory, or the reader has to take an end of file first */
		if (!canputnext(q) && msgdsize(bp) != 0 && putbq(q, bp))
			more = 0;
		else
			freemsg(bp);
	}
	ldterm_send_echo(WR(q), tp);
	return more;
}

int ldtermrsrv(queue_t *q)
{
	ldtermstd_state_t *tp = q->q_ptr;
	mblk_t *mp;

	if (tp->t_state & TS_RESCAN) {
		mp = tp->t_message;
		tp->t_message = tp->t_endmsg = NULL;
		if (tp->t_msglen == 0 || !putbq(q, mp))
			freemsg(mp);
		ldterm_discard(tp);
		tp->t_rocount = 0;
		tp->t_state &= ~TS_RESCAN;
	}
	while ((mp = getq(q)) != NULL)
		if (!ldtermrmsg(q, mp))
			break;
	if (input_restarts(q, tp) && putctl(WR(q), M_STARTI))
		tp->t_state &= ~TS_TBLOCK;
	return 0;
}
