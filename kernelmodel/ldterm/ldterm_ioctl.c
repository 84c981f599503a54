/*
 * ldterm, its settings (termio(7I)).
 *
 * t_amodes is what programs set and read.  What is in effect, t_modes, lacks
 * the flags that the driver has taken over (t_dmodes).  Settings go on to the
 * driver, which acknowledges them; what only ldterm knows is answered here.
 */
#include <string.h>

#include "ldterm/ldterm.h"
#include "sys/errno.h"
#include "sys/ptms.h"
#include "sys/stropts.h"

void ldterm_adjust_modes(ldtermstd_state_t *tp)
{
	tp->t_modes.c_iflag = tp->t_amodes.c_iflag & ~tp->t_dmodes.c_iflag;
	tp->t_modes.c_oflag = tp->t_amodes.c_oflag & ~tp->t_dmodes.c_oflag;
	tp->t_modes.c_lflag = tp->t_amodes.c_lflag & ~tp->t_dmodes.c_lflag;
}

/* What a change of local modes is for the stream head.  0, or -1 without memory. */
static int chgstropts(const struct termios *old, ldtermstd_state_t *tp, queue_t *q)
{
	tcflag_t now = tp->t_modes.c_lflag, changed = old->c_lflag ^ now;
	struct stroptions so = {0};
	mblk_t *mp;

	if (changed & ICANON) {
		so.so_flags |= SO_READOPT | (now & ICANON ? SO_MREADOFF : SO_MREADON);
		so.so_readopt = now & ICANON ? RMSGN : RNORM;
	}
	if (changed & TOSTOP)
		so.so_flags |= now & TOSTOP ? SO_TOSTOP : SO_TONSTOP;
	if (so.so_flags == 0)
		return 0;
	if ((mp = allocb(sizeof(so), BPRI_HI)) == NULL)
		return -1;
	if ((changed & ICANON) && (now & ICANON))
		vmin_satisfied(q, tp, 0);
	DB_TYPE(mp) = M_SETOPTS;
	memcpy(mp->b_wptr, &so, sizeof(so));
	mp->b_wptr += sizeof(so);
	putnext(q, mp);
	return 0;
}

/* The modes a set command asks for: 0, or miocpullup()'s error. */
static int ldterm_newmodes(mblk_t *mp, const ldtermstd_state_t *tp, bool isnew, struct termios *t)
{
	const struct termio *cb;
	int error = miocpullup(mp, isnew ? sizeof(struct termios) : sizeof(struct termio));

	if (error != 0)
		return error;
	if (isnew) {
		memcpy(t, mp->b_cont->b_rptr, sizeof(*t));
		return 0;
	}
	cb = (const struct termio *)(uintptr_t)mp->b_cont->b_rptr;
	*t = tp->t_amodes;
	t->c_iflag = (t->c_iflag & 0xffff0000U) | cb->c_iflag;
	t->c_oflag = (t->c_oflag & 0xffff0000U) | cb->c_oflag;
	t->c_cflag = (t->c_cflag & 0xffff0000U) | cb->c_cflag;
	t->c_lflag = (t->c_lflag & 0xffff0000U) | cb->c_lflag;
	memcpy(t->c_cc, cb->c_cc, NCC);
	return 0;
}

/* Set them: 0, or an error that leaves all as it was. */
ALWAYS_INLINE int ldterm_setmodes(queue_t *q, mblk_t *mp, ldtermstd_state_t *tp, bool isnew)
{
	struct termios amodes = tp->t_amodes, modes = tp->t_modes, t;
	bool rescan;
	int error = ldterm_newmodes(mp, tp, isnew, &t);

	if (error != 0)
		return error;
	rescan = (t.c_lflag & (PENDIN | IEXTEN)) == (PENDIN | IEXTEN);
	if (rescan)
		t.c_lflag &= ~(tcflag_t)PENDIN;
	tp->t_amodes = t;
	memcpy(tp->t_modes.c_cc, t.c_cc, sizeof(t.c_cc));
	tp->t_modes.c_cflag = t.c_cflag;
	ldterm_adjust_modes(tp);
	if (chgstropts(&amodes, tp, q) != 0) {
		tp->t_amodes = amodes;
		tp->t_modes = modes;
		return EAGAIN;
	}
	if (rescan && tp->t_message != NULL) {
		tp->t_state |= TS_RESCAN;
		qenable(q);
	}
	return 0;
}

/* TCFLSH: 0, EINVAL, EAGAIN. */
ALWAYS_INLINE int ldterm_tcflsh(queue_t *wq, int which, ldtermstd_state_t *tp)
{
	queue_t *q = RD(wq);
	bool done;

	switch (which) {
	case 0:
		return putnextctl1(wq, M_FLUSH, FLUSHR) && putctl1(q, M_FLUSH, FLUSHR) ? 0 : EAGAIN;
	case 1:
		flushq(wq, FLUSHDATA);
		tp->t_state |= TS_FLUSHWAIT;
		done = putnextctl1(q, M_FLUSH, FLUSHW);
		if (!done)
			tp->t_state &= ~TS_FLUSHWAIT;
		return done && putnextctl1(wq, M_FLUSH, FLUSHW) ? 0 : EAGAIN;
	case 2:
		flushq(wq, FLUSHDATA);
		if (!putnextctl1(wq, M_FLUSH, FLUSHRW))
			return EAGAIN;
		tp->t_state |= TS_FLUSHWAIT;
		if (putnextctl1(q, M_FLUSH, FLUSHRW))
			return 0;
		tp->t_state &= ~TS_FLUSHWAIT;
		return EAGAIN;
	default:
		return EINVAL;
	}
}

/* TCXONC: 0, EINVAL, EAGAIN. */
ALWAYS_INLINE int ldterm_tcxonc(queue_t *wq, int what, ldtermstd_state_t *tp)
{
	bool done = true;

	switch (what) {
	case 0:
		if (!(tp->t_state & TS_TTSTOP) && (done = putnextctl(wq, M_STOP)))
			tp->t_state |= TS_TTSTOP | TS_OFBLOCK;
		break;
	case 1:
		if (tp->t_state & TS_TTSTOP)
			done = ldterm_start(wq, tp);
		break;
	case 2:
		if (!(tp->t_state & TS_TBLOCK) && (done = putnextctl(wq, M_STOPI)))
			tp->t_state |= TS_TBLOCK | TS_IFBLOCK;
		break;
	case 3:
		if (tp->t_state & TS_TBLOCK)
			done = ldterm_starti(wq, tp);
		break;
	default:
		return EINVAL;
	}
	return done ? 0 : EAGAIN;
}

/* Set the widths of EUC; the driver, which may count columns too, gets a copy. */
ALWAYS_INLINE int ldterm_eucwset(queue_t *wq, const mblk_t *mp, ldtermstd_state_t *tp)
{
	mblk_t *cp = copymsg((mblk_t *)(uintptr_t)mp);
	int error;

	if (cp == NULL)
		return EAGAIN;
	error = ldterm_set_eucw(tp, (const eucioc_t *)mp->b_cont->b_rptr);
	if (error != 0) {
		freemsg(cp);
		return error;
	}
	DB_TYPE(cp) = M_CTL;
	putnext(wq, cp);
	return 0;
}

/* Code set commands: an error, or 0 with the answer's bytes in *countp. */
ALWAYS_INLINE int ldterm_codeset(queue_t *wq, mblk_t *mp, ldtermstd_state_t *tp, int *countp)
{
	int cmd = ((struct iocblk *)mp->b_rptr)->ioc_cmd;
	size_t size = cmd == EUC_WSET || cmd == EUC_WGET ? sizeof(eucioc_t) : sizeof(ldterm_cs_data_user_t);
	int error = miocpullup(mp, size);
	uchar_t *data;

	if (error != 0)
		return error;
	data = mp->b_cont->b_rptr;
	switch (cmd) {
	case EUC_WSET:
		return ldterm_eucwset(wq, mp, tp);
	case CSDATA_SET:
		return ldterm_set_csdata(tp, (const ldterm_cs_data_user_t *)data);
	case EUC_WGET:
		memcpy(data, &tp->t_eucwioc, size);
		break;
	default:
		memcpy(data, &tp->t_csdata, size);
		break;
	}
	*countp = (int)size;
	return 0;
}

void ldterm_do_ioctl(queue_t *wq, mblk_t *mp)
{
	ldtermstd_state_t *tp = wq->q_ptr;
	int error = 0, count = 0;

	switch (((struct iocblk *)mp->b_rptr)->ioc_cmd) {
	case TCSETS:
	case TCSETSW:
	case TCSETSF:
		error = ldterm_setmodes(RD(wq), mp, tp, true);
		break;
	case TCSETA:
	case TCSETAW:
	case TCSETAF:
		error = ldterm_setmodes(RD(wq), mp, tp, false);
		break;
	case TCFLSH:
	case TCXONC:
		if ((error = miocpullup(mp, sizeof(int))) == 0) {
			int arg = *(int *)(uintptr_t)mp->b_cont->b_rptr;

			error = ((struct iocblk *)mp->b_rptr)->ioc_cmd == TCFLSH ? ldterm_tcflsh(wq, arg, tp)
										 : ldterm_tcxonc(wq, arg, tp);
		}
		if (error == 0) {
			miocack(wq, mp, 0, 0);
			return;
		}
		break;
	case EUC_WSET:
	case EUC_WGET:
	case CSDATA_SET:
	case CSDATA_GET:
		if ((error = ldterm_codeset(wq, mp, tp, &count)) == 0) {
			miocack(wq, mp, count, 0);
			return;
		}
		break;
	case PTSSTTY:
		tp->t_state |= TS_ISPTSTTY;
		break;
	default:
		break;
	}
	if (error != 0) {
		miocnak(wq, mp, 0, error);
		return;
	}
	putnext(wq, mp);
}

/* The driver's settings that it answers with are completed by ours. */
static void ldterm_fill_termios(mblk_t *dp, const ldtermstd_state_t *tp)
{
	struct termios *t = (struct termios *)(uintptr_t)dp->b_rptr;
	tcflag_t cflag = t->c_cflag;

	*t = tp->t_amodes;
	if (cflag != 0)
		t->c_cflag = cflag;
}

static void ldterm_fill_termio(mblk_t *dp, const ldtermstd_state_t *tp)
{
	struct termio *t = (struct termio *)(uintptr_t)dp->b_rptr;

	t->c_iflag = (ushort_t)tp->t_amodes.c_iflag;
	t->c_oflag = (ushort_t)tp->t_amodes.c_oflag;
	t->c_lflag = (ushort_t)tp->t_amodes.c_lflag;
	if (t->c_cflag == 0)
		t->c_cflag = (ushort_t)tp->t_amodes.c_cflag;
	t->c_line = 0;
	memcpy(t->c_cc, tp->t_amodes.c_cc, NCC);
}

void ldterm_ioctl_reply(queue_t *q, mblk_t *mp)
{
	const struct iocblk *ioc = (const struct iocblk *)mp->b_rptr;
	mblk_t *dp = mp->b_cont;

	if (DB_TYPE(mp) == M_IOCACK && dp != NULL) {
		if (ioc->ioc_cmd == TCGETS && MBLKL(dp) >= (ssize_t)sizeof(struct termios))
			ldterm_fill_termios(dp, q->q_ptr);
		else if (ioc->ioc_cmd == TCGETA && MBLKL(dp) >= (ssize_t)sizeof(struct termio))
			ldterm_fill_termio(dp, q->q_ptr);
	}
	putnext(q, mp);
}
