/*
 * ldterm, input that is not canonical (termio(7I), "Non-canonical Mode Input
 * Processing"): bytes are collected until there are VMIN of them, or VTIME
 * tenths of a second have passed.
 *
 *	MIN  TIME	a byte comes			a reader waits (M_READ)
 *	0    0		goes up				gets what there is, at once
 *	0    > 0	goes up				the same, after TIME at most
 *	> 0  0		MIN go up			MIN, however long that takes
 *	> 0  > 0	MIN go up, or the timer		MIN, or those that came before
 *			starts again			a pause of TIME
 *
 * The head sends M_READ when a program sleeps in read(2) (SO_MREADON).
 */
#include "ldterm/ldterm.h"

static void vmin_timed_out(void *arg)
{
	queue_t *q = arg;
	ldtermstd_state_t *tp = q->q_ptr;

	tp->t_vtid = 0;
	vmin_satisfied(q, tp, 1);
}

ALWAYS_INLINE void vmin_cancel(queue_t *q, ldtermstd_state_t *tp)
{
	if (tp->t_vtid != 0)
		(void)quntimeout(q, tp->t_vtid);
	tp->t_vtid = 0;
}

/* Without memory for the timer the wait is over at once: better early than never. */
void vmin_settimer(queue_t *q, ldtermstd_state_t *tp)
{
	vmin_cancel(q, tp);
	if (tp->t_state & TS_CLOSE)
		return;
	tp->t_vtid = qtimeout(q, vmin_timed_out, q, tp->t_modes.V_TIME * (HZ / 10));
	if (tp->t_vtid == 0)
		vmin_satisfied(q, tp, 1);
}

void vmin_satisfied(queue_t *q, ldtermstd_state_t *tp, int sendup)
{
	vmin_cancel(q, tp);
	if (sendup && (tp->t_msglen != 0 || tp->t_modes.V_MIN == 0) &&
	    (q->q_first == NULL || DB_TYPE(q->q_first) != M_DATA || tp->t_msglen >= RAWBATCH))
		ldterm_msg_upstream(q, tp);
	tp->t_state &= ~TS_MREAD;
}

/* Echo what is to be echoed; characters that quote are taken out. */
static void ldterm_rawecho(mblk_t *bp, size_t ebsize, queue_t *wq, ldtermstd_state_t *tp)
{
	uchar_t *wp = bp->b_rptr;

	for (const uchar_t *rp = bp->b_rptr; rp < bp->b_wptr; rp++) {
		if (!(tp->t_state & TS_SLNCH) && lflag(tp, IEXTEN) && iscc(tp, *rp, VLNEXT)) {
			if (lflag(tp, ECHO))
				ldterm_outstring("^\b", wq, ebsize, tp);
			tp->t_state |= TS_SLNCH;
			continue;
		}
		tp->t_state &= ~TS_SLNCH;
		if (lflag(tp, ECHO))
			ldterm_echo(*rp, wq, ebsize, tp);
		else if (lflag(tp, ECHONL) && *rp == '\n')
			ldterm_outchar('\n', wq, ebsize, tp);
		*wp++ = *rp;
	}
	bp->b_wptr = wp;
}

mblk_t *ldterm_dononcanon(mblk_t *bp, mblk_t *bpt, size_t ebsize, queue_t *q, ldtermstd_state_t *tp)
{
	size_t min = tp->t_modes.V_MIN;
	bool grown = true;

	if (lflag(tp, ECHO | ECHONL | IEXTEN))
		ldterm_rawecho(bp, ebsize, WR(q), tp);
	else if (MBLKL(bp) != 0)
		tp->t_state &= ~TS_SLNCH;
	for (const uchar_t *p = bp->b_rptr; p < bp->b_wptr && grown; p++) {
		if (MBLKTAIL(bpt) == 0) {
			mblk_t *more = ldterm_grow(tp);

			grown = more != NULL;
			bpt = grown ? more : bpt;
		}
		if (grown) {
			*bpt->b_wptr++ = *p;
			tp->t_msglen++;
		}
	}
	freeb(bp);

	if (tp->t_modes.V_TIME == 0) {
		if (min == 0)
			vmin_satisfied(q, tp, 1);
		else if (tp->t_msglen >= min)
			vmin_satisfied(q, tp, 1);
	} else if (min == 0) {
		if (tp->t_msglen != 0)
			vmin_satisfied(q, tp, 1);
	} else if (tp->t_msglen >= min) {
		vmin_satisfied(q, tp, 1);
	} else {
		vmin_settimer(q, tp);
	}
	return newmsg(tp);
}
