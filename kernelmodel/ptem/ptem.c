/*
 * ptem: what a terminal's hardware would do (ptem(7M)).
 *
 * It is pushed on the slave of a pseudo-terminal, below the line discipline,
 * and answers the ioctls that a driver of a real line would: speeds and
 * character sizes are remembered, a break is sent on as a message, speed 0
 * hangs up, the window has a size.  What a program sets is told to the master
 * too, as a copy of the ioctl, for a packet module that may be there; the
 * answer to a copy ends here.
 *
 * The master has ioctls for this module as well: to set the window's size, to
 * send a signal, to do the line editing itself.  They come up as messages.
 *
 * Ioctls are answered by the put procedures themselves (inline below), whose
 * frames are therefore right under each putnext and qreply.
 */
#include "sys/callsite.h"
#include "sys/errno.h"
#include "sys/ptem.h"
#include "sys/ptms.h"
#include "sys/signal.h"
#include "sys/strtty.h"
#include "sys/ttold.h"

#include <string.h>

#define PTEM_NSIG 49 /* signals are 1 to 48 */

/* Which side an ioctl came from. */
#define RDSIDE 1
#define WRSIDE 2

/* ---- ioctl messages ---- */

ALWAYS_INLINE int ioc_command(const mblk_t *mp)
{
	return ((const struct iocblk *)mp->b_rptr)->ioc_cmd; /* cp_cmd of an M_IOCDATA lies there too */
}

ALWAYS_INLINE bool ioc_transparent(const mblk_t *mp)
{
	return DB_TYPE(mp) == M_IOCTL && ((const struct iocblk *)mp->b_rptr)->ioc_count == TRANSPARENT;
}

/* Did the head copy what it was asked to? */
ALWAYS_INLINE bool ioc_copied(const mblk_t *mp)
{
	return ((const struct copyresp *)mp->b_rptr)->cp_rval == NULL;
}

/* miocpullup(), also for data that an M_IOCDATA brought. */
static int ioc_pullup(mblk_t *mp, size_t size)
{
	if (DB_TYPE(mp) == M_IOCTL)
		return miocpullup(mp, size);
	if (mp->b_cont == NULL || msgsize(mp->b_cont) < size)
		return EINVAL;
	return pullupmsg(mp->b_cont, (ssize_t)size) ? 0 : ENOMEM;
}

/* Make mp the ioctl it was before its data was copied in. */
static void ioc_restore(mblk_t *mp, size_t size)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	DB_TYPE(mp) = M_IOCTL;
	mp->b_wptr = mp->b_rptr + sizeof(*ioc);
	ioc->ioc_count = (uint_t)size;
	ioc->ioc_error = ioc->ioc_rval = 0;
}

/* Answer a get with a block of size bytes, or copy it to where a transparent one wants it; EAGAIN: mp is as it was. */
static int ioc_give(mblk_t *mp, const void *data, size_t size)
{
	mblk_t *dp = allocb(size, BPRI_MED);

	if (dp == NULL)
		return EAGAIN;
	memcpy(dp->b_wptr, data, size);
	dp->b_wptr += size;
	if (ioc_transparent(mp))
		mcopyout(mp, NULL, size, NULL, dp);
	else
		mioc2ack(mp, dp, size, 0);
	return 0;
}

/* Refuse. */
ALWAYS_INLINE void ptem_nak(queue_t *q, mblk_t *mp, int error)
{
	freemsg(unlinkb(mp));
	miocnak(q, mp, 0, error);
}

/* ---- window size, and the master's commands ---- */

ALWAYS_INLINE bool no_size(const struct ptem *ntp)
{
	const struct winsize *w = &ntp->wsz;

	return w->ws_row == 0 && w->ws_col == 0 && w->ws_xpixel == 0 && w->ws_ypixel == 0;
}

/* The last comparison is of two different things: so it has always been. */
ALWAYS_INLINE bool size_changed(const struct winsize *old, const struct winsize *new)
{
	return (old->ws_row != new->ws_row || old->ws_col != new->ws_col || old->ws_xpixel != new->ws_xpixel ||
		old->ws_ypixel != new->ws_xpixel);
}

/* JWINSIZE, TIOCGWINSZ: 0 when mp is the answer. */
static int ptem_getsize(const struct ptem *ntp, mblk_t *mp)
{
	struct jwinsize jw = {.bytesx = (char)ntp->wsz.ws_col,
			      .bytesy = (char)ntp->wsz.ws_row,
			      .bitsx = (short)ntp->wsz.ws_xpixel,
			      .bitsy = (short)ntp->wsz.ws_ypixel};

	if (no_size(ntp))
		return EINVAL;
	if (ioc_command(mp) == JWINSIZE)
		return ioc_give(mp, &jw, sizeof(jw));
	return ioc_give(mp, &ntp->wsz, sizeof(ntp->wsz));
}

/* TIOCSWINSZ: the size; *copyp becomes what the packet module gets when it is the program's ioctl. */
ALWAYS_INLINE int ptem_setsize(struct ptem *ntp, mblk_t *mp, int side, mblk_t **copyp)
{
	const struct winsize *new;
	int error = ioc_pullup(mp, sizeof(*new));

	if (error != 0)
		return error;
	ioc_restore(mp, sizeof(*new));
	if (side == WRSIDE && (*copyp = copymsg(mp)) == NULL)
		return EAGAIN;
	new = (const struct winsize *)mp->b_cont->b_rptr;
	if (size_changed(&ntp->wsz, new) && !putnextctl1(ntp->q_ptr, M_SIG, SIGWINCH)) {
		freemsg(*copyp);
		return EAGAIN;
	}
	ntp->wsz = *new;
	return 0;
}

/* TIOCSIGNAL. */
ALWAYS_INLINE int ptem_signal(struct ptem *ntp, mblk_t *mp)
{
	int error = ioc_transparent(mp) ? 0 : ioc_pullup(mp, sizeof(int));
	int sig = error != 0 ? 0 : *(int *)mp->b_cont->b_rptr;

	if (error != 0)
		return error;
	if (sig < 1 || sig >= PTEM_NSIG)
		return EINVAL;
	return putnextctl1(ntp->q_ptr, M_PCSIG, sig) ? 0 : EAGAIN;
}

/* TIOCREMOTE: tell the line discipline who edits lines. */
ALWAYS_INLINE int ptem_remote(struct ptem *ntp, mblk_t *mp)
{
	int error = ioc_pullup(mp, sizeof(int));
	bool on;
	mblk_t *ctl;

	if (error != 0)
		return error;
	on = *(int *)mp->b_cont->b_rptr != 0;
	if ((ctl = mkiocb(on ? MC_NO_CANON : MC_DO_CANON)) == NULL)
		return EAGAIN;
	DB_TYPE(ctl) = M_CTL;
	putnext(ntp->q_ptr, ctl);
	ntp->state = on ? ntp->state | REMOTEMODE : ntp->state & ~(uint_t)REMOTEMODE;
	return 0;
}

/* An ioctl of either side about the window, or of the master; it is answered. */
static void ptioc(queue_t *q, mblk_t *mp, int side)
{
	struct ptem *ntp = q->q_ptr;
	mblk_t *copy = NULL;
	int error;

	switch (ioc_command(mp)) {
	case JWINSIZE:
	case TIOCGWINSZ:
		if ((error = ptem_getsize(ntp, mp)) != 0)
			break;
		qreply(q, mp);
		return;
	case TIOCSWINSZ:
		if (ioc_transparent(mp)) {
			mcopyin(mp, NULL, sizeof(struct winsize), NULL);
			qreply(q, mp);
			return;
		}
		if ((error = ptem_setsize(ntp, mp, side, &copy)) == 0 && copy != NULL)
			putnext(q, copy);
		break;
	case TIOCSIGNAL:
		error = ptem_signal(ntp, mp);
		break;
	default: /* TIOCREMOTE */
		error = ptem_remote(ntp, mp);
	}
	if (error != 0) {
		ptem_nak(q, mp, error);
		return;
	}
	mioc2ack(mp, NULL, 0, 0);
	CALL_SITE(1);
	qreply(q, mp);
}

/* ---- from the master ---- */

/* TCSBRK of the master: 0, or why not. */
ALWAYS_INLINE int ptem_rbreak(queue_t *q, mblk_t *mp)
{
	int error = miocpullup(mp, sizeof(int));

	if (error != 0)
		return error;
	if (*(int *)mp->b_cont->b_rptr != 0)
		return 0;
	return putnextctl(q, M_BREAK) ? 0 : EAGAIN;
}

/* The argument of a transparent TIOCSIGNAL is the signal's number, or where it is. */
ALWAYS_INLINE bool is_signal(const mblk_t *mp)
{
	intptr_t arg = *(intptr_t *)mp->b_cont->b_rptr;

	return arg >= 1 && arg < PTEM_NSIG;
}

/* M_IOCTL that comes up; false: it is not for us. */
ALWAYS_INLINE bool ptem_rioctl(queue_t *q, mblk_t *mp)
{
	int error;

	switch (ioc_command(mp)) {
	case TCSBRK:
		error = ptem_rbreak(q, mp);
		if (error != 0) {
			ptem_nak(q, mp, error);
		} else {
			mioc2ack(mp, NULL, 0, 0);
			qreply(q, mp);
		}
		return true;
	case JWINSIZE:
	case TIOCGWINSZ:
	case TIOCSWINSZ:
		ptioc(q, mp, RDSIDE);
		return true;
	case TIOCSIGNAL:
	case TIOCREMOTE:
		if (!ioc_transparent(mp) || (ioc_command(mp) == TIOCSIGNAL && is_signal(mp))) {
			ptioc(q, mp, RDSIDE);
		} else {
			mcopyin(mp, NULL, sizeof(int), NULL);
			qreply(q, mp);
		}
		return true;
	default:
		return false;
	}
}

/* M_IOCDATA from either side; what is not ours is nobody's. */
ALWAYS_INLINE void ptem_iocdata(queue_t *q, mblk_t *mp, int side)
{
	int cmd = ioc_command(mp);

	if (!ioc_copied(mp)) {
		freemsg(mp);
	} else if (cmd == TIOCSWINSZ || (side == RDSIDE && (cmd == TIOCSIGNAL || cmd == TIOCREMOTE))) {
		ptioc(q, mp, side);
	} else if (cmd == JWINSIZE || cmd == TIOCGWINSZ) {
		mioc2ack(mp, NULL, 0, 0);
		qreply(q, mp);
	} else {
		freemsg(mp);
	}
}

static int ptemrput(queue_t *q, mblk_t *mp)
{
	struct ptem *ntp = q->q_ptr;

	switch (DB_TYPE(mp)) {
	case M_DELAY:
	case M_READ:
	case M_IOCACK: /* of a copy */
	case M_IOCNAK:
		freemsg(mp);
		return 0;
	case M_IOCTL:
		if (ptem_rioctl(q, mp))
			return 0;
		break;
	case M_IOCDATA:
		ptem_iocdata(q, mp, RDSIDE);
		return 0;
	case M_HANGUP:
		if (ntp->state & OFLOW_CTL) {
			ntp->state &= ~(uint_t)OFLOW_CTL;
			qenable(WR(q));
		}
		break;
	default:
		break;
	}
	putnext(q, mp);
	return 0;
}

/* ---- from the program ---- */

/* The new c_cflag that a TCSET... ioctl brings. */
static int ptem_newflags(const struct ptem *ntp, mblk_t *mp, tcflag_t *cflagsp)
{
	bool termio = ioc_command(mp) == TCSETA || ioc_command(mp) == TCSETAW || ioc_command(mp) == TCSETAF;
	int error = miocpullup(mp, termio ? sizeof(struct termio) : sizeof(struct termios));

	if (error != 0)
		return error;
	if (termio) {
		ushort_t low = ((struct termio *)mp->b_cont->b_rptr)->c_cflag;

		*cflagsp = (ntp->cflags & 0xffff0000U) | low;
	} else {
		*cflagsp = ((struct termios *)mp->b_cont->b_rptr)->c_cflag;
	}
	return 0;
}

/* TCSET...: the flags are kept, speed 0 hangs up, everything else is told to the packet module. */
ALWAYS_INLINE int ptem_set(queue_t *q, struct ptem *ntp, mblk_t *mp)
{
	tcflag_t cflags;
	mblk_t *down;
	int error;

	if ((ioc_command(mp) == TCSETAF || ioc_command(mp) == TCSETSF) && !putnextctl1(q, M_FLUSH, FLUSHR))
		return EAGAIN;
	if ((error = ptem_newflags(ntp, mp, &cflags)) != 0)
		return error;
	if ((cflags & (CBAUD | CBAUDEXT)) == B0) {
		down = ntp->dack_ptr;
		ntp->dack_ptr = NULL;
	} else if ((down = copymsg(mp)) == NULL) {
		return EAGAIN;
	}
	ntp->cflags = cflags;
	if (down != NULL)
		putnext(q, down);
	return 0;
}

/* TCGETA, TCGETS: what the line discipline does not know, in a block of its own. */
static int ptem_get(const struct ptem *ntp, mblk_t *mp)
{
	struct termio t = {.c_cflag = (ushort_t)ntp->cflags};
	struct termios ts = {.c_cflag = ntp->cflags};

	return ioc_command(mp) == TCGETA ? ioc_give(mp, &t, sizeof(t)) : ioc_give(mp, &ts, sizeof(ts));
}

/* TCSBRK. */
ALWAYS_INLINE int ptem_wbreak(queue_t *q, mblk_t *mp)
{
	int error = miocpullup(mp, sizeof(int));
	mblk_t *copy;

	if (error != 0)
		return error;
	if ((copy = copymsg(mp)) == NULL)
		return EAGAIN;
	CALL_SITE(2);
	putnext(q, copy);
	if (*(int *)mp->b_cont->b_rptr != 0)
		return 0;
	return putnextctl(q, M_BREAK) ? 0 : EAGAIN;
}

/* TIOCSTI: a character as if it had been typed. */
ALWAYS_INLINE int ptem_sti(queue_t *q, const struct ptem *ntp, mblk_t *mp)
{
	mblk_t *copy = copymsg(mp), *dp;
	int error;

	if (copy == NULL)
		return EAGAIN;
	CALL_SITE(3);
	putnext(q, copy);
	if (ntp->state & REMOTEMODE)
		return 0;
	if ((error = miocpullup(mp, 1)) != 0)
		return error;
	if (!bcanputnext(RD(q), mp->b_band) || (dp = allocb(1, BPRI_MED)) == NULL)
		return EAGAIN;
	*dp->b_wptr++ = *mp->b_cont->b_rptr;
	CALL_SITE(4);
	qreply(q, dp);
	return 0;
}

/* M_IOCTL that goes down: answered here, all of them. */
ALWAYS_INLINE void ptem_wioctl(queue_t *q, struct ptem *ntp, mblk_t *mp)
{
	int error;

	switch (ioc_command(mp)) {
	case TCGETA:
	case TCGETS:
		if ((error = ptem_get(ntp, mp)) != 0)
			break;
		CALL_SITE(5);
		qreply(q, mp);
		return;
	case JWINSIZE:
	case TIOCGWINSZ:
	case TIOCSWINSZ:
		ptioc(q, mp, WRSIDE);
		return;
	case TCSETA:
	case TCSETAW:
	case TCSETAF:
	case TCSETS:
	case TCSETSW:
	case TCSETSF:
		error = ptem_set(q, ntp, mp);
		break;
	case TCSBRK:
		error = ptem_wbreak(q, mp);
		break;
	case TIOCSTI:
		error = ptem_sti(q, ntp, mp);
		break;
	case PTSSTTY:
		error = ntp->state & IS_PTSTTY ? EEXIST : 0;
		ntp->state |= IS_PTSTTY;
		break;
	default:
		error = EINVAL;
	}
	if (error != 0) {
		ptem_nak(q, mp, error);
		return;
	}
	mioc2ack(mp, NULL, 0, 0);
	CALL_SITE(6);
	qreply(q, mp);
}

/* Data that is not to be sent: its length is wrong, or it has none and nobody said that this means anything. */
ALWAYS_INLINE bool no_data(const struct ptem *ntp, const mblk_t *mp)
{
	if (MBLKL(mp) < 0)
		return true;
	return MBLKL(mp) == 0 && (mp->b_cont == NULL || msgdsize(mp) == 0) && !(ntp->state & IS_PTSTTY);
}

/* Do what an ordinary message says: 1, or 0 when it must wait (it is still the caller's). */
static int ptemwmsg(queue_t *q, mblk_t *mp)
{
	struct ptem *ntp = q->q_ptr;

	switch (DB_TYPE(mp)) {
	case M_IOCTL:
		ptem_wioctl(q, ntp, mp);
		return 1;
	case M_DELAY:
		freemsg(mp);
		return 1;
	case M_DATA:
		if (no_data(ntp, mp)) {
			freemsg(mp);
			return 1;
		}
		if (ntp->state & OFLOW_CTL)
			return 0;
		break;
	default:
		break;
	}
	CALL_SITE(7);
	putnext(q, mp);
	return 1;
}

/* An ioctl that takes effect when all output before it is out. */
ALWAYS_INLINE bool ioc_drains(const mblk_t *mp)
{
	int cmd = ioc_command(mp);

	return cmd == TCSETSW || cmd == TCSETSF || cmd == TCSETAW || cmd == TCSETAF || cmd == TCSBRK;
}

/* An ordinary message behind others, or without room below. */
static void ptemw_wait(queue_t *q, mblk_t *mp)
{
	uchar_t type = DB_TYPE(mp);

	if (type == M_IOCTL && !ioc_drains(mp))
		(void)ptemwmsg(q, mp);
	else if (type == M_DELAY || (type == M_DATA && no_data(q->q_ptr, mp)))
		freemsg(mp);
	else if (!putq(q, mp))
		freemsg(mp); /* a band without memory for it */
}

ALWAYS_INLINE void ptem_wflush(queue_t *q, const struct ptem *ntp, const mblk_t *mp)
{
	if (!(*mp->b_rptr & FLUSHW))
		return;
	if ((ntp->state & IS_PTSTTY) && (*mp->b_rptr & FLUSHBAND) && MBLKL(mp) > 1)
		flushband(q, mp->b_rptr[1], FLUSHDATA);
	else
		flushq(q, FLUSHDATA);
}

static int ptemwput(queue_t *q, mblk_t *mp)
{
	struct ptem *ntp = q->q_ptr;
	uchar_t type = DB_TYPE(mp);

	if (type < QPCTL) {
		if (q->q_first != NULL || !bcanputnext(q, mp->b_band))
			ptemw_wait(q, mp);
		else if (!ptemwmsg(q, mp) && !putq(q, mp))
			freemsg(mp);
		return 0;
	}
	switch (type) {
	case M_IOCDATA:
		ptem_iocdata(q, mp, WRSIDE);
		return 0;
	case M_READ:
		freemsg(mp);
		return 0;
	case M_FLUSH:
		ptem_wflush(q, ntp, mp);
		break;
	case M_STOP:
		ntp->state |= OFLOW_CTL;
		break;
	case M_START:
		ntp->state &= ~(uint_t)OFLOW_CTL;
		break;
	default:
		break;
	}
	putnext(q, mp);
	if (type == M_START)
		qenable(q);
	return 0;
}

static int ptemwsrv(queue_t *q)
{
	mblk_t *mp;

	while ((mp = getq(q)) != NULL) {
		if (!bcanputnext(q, mp->b_band) || !ptemwmsg(q, mp)) {
			(void)putbq(q, mp);
			break;
		}
	}
	return 0;
}

/* ---- open and close ---- */

static int ptemopen(queue_t *q, dev_t *devp, int oflag, int sflag, cred_t *cr)
{
	struct ptem *ntp;
	mblk_t *mp;

	(void)devp;
	(void)oflag;
	(void)cr;
	if (sflag != MODOPEN)
		return EINVAL;
	if (q->q_ptr != NULL)
		return 0;
	if ((ntp = kmem_zalloc(sizeof(*ntp), KM_NOSLEEP)) == NULL)
		return EAGAIN;
	mp = ptms_setopts(SO_ISTTY);
	ntp->dack_ptr = allocb(4, BPRI_HI);
	if (mp == NULL || ntp->dack_ptr == NULL) {
		freemsg(mp);
		freemsg(ntp->dack_ptr);
		kmem_free(ntp, sizeof(*ntp));
		return EAGAIN;
	}
	ntp->cflags = TTYDEF_CFLAG;
	ntp->q_ptr = q;
	q->q_ptr = WR(q)->q_ptr = ntp;
	qprocson(q);
	putnext(q, mp);
	return 0;
}

static int ptemclose(queue_t *q, int flag, cred_t *cr)
{
	struct ptem *ntp = q->q_ptr;

	(void)flag;
	(void)cr;
	qprocsoff(q);
	freemsg(ntp->dack_ptr);
	kmem_free(ntp, sizeof(*ntp));
	q->q_ptr = WR(q)->q_ptr = NULL;
	return 0;
}

/* ---- tables ---- */

static struct module_info ptem_info = {0xabcd, "ptem", 0, 512, 512, 128};
static struct qinit ptemrinit = {
    .qi_putp = ptemrput, .qi_qopen = ptemopen, .qi_qclose = ptemclose, .qi_minfo = &ptem_info};
static struct qinit ptemwinit = {.qi_putp = ptemwput, .qi_srvp = ptemwsrv, .qi_minfo = &ptem_info};
static struct streamtab pteminfo = {&ptemrinit, &ptemwinit, NULL, NULL};
STREAMS_MODULE(ptem, "ptem", &pteminfo, D_MTQPAIR | D_MP);
