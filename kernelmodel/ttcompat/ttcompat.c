/*
 * ttcompat: the terminal ioctls of 4.3BSD, Version 7 and XENIX in terms of
 * termio(7I) (ttcompat(7M)).
 *
 * A command that reads or changes state becomes TCGETS first.  When its
 * acknowledgement passes on the way up, it is answered from that (TIOCGETP and
 * the like), or the message turns round once more as TCSETS with what was
 * changed, and the answer to that is the program's.  Arguments that the stream
 * head does not know are copied in and out by M_COPYIN and M_COPYOUT.  Nothing
 * else is looked at.
 */
#include <string.h>

#include "sys/errno.h"
#include "sys/file.h"
#include "ttcompat/ttcompat.h"

typedef struct ttcompat_state {
	mblk_t *t_iocpending; /* waits for memory */
	bufcall_id_t t_bufcallid;
	compat_state_t t_curstate;
	union {
		struct sgttyb sgttyb;
		struct tchars tchars;
		struct ltchars ltchars;
		int lflags;
	} t_new;
	uint_t t_state;
	uint_t t_iocid; /* of the command that is under way, and what it was */
	int t_ioccmd;
	caddr_t t_arg; /* where its answer goes */
	bool t_xclude; /* TIOCEXCL */
} ttcompat_state_t;

/* t_state */
#define TS_W_IN 0x02    /* for what is copied in */
#define TS_W_OUT 0x04   /* for what is copied out */
#define TS_IOCWAIT 0x08 /* for the answer to TCGETS */

/* ---- open and close ---- */

static int ttcompatopen(queue_t *q, dev_t *devp, int oflag, int sflag, cred_t *cr)
{
	ttcompat_state_t *tp = q->q_ptr;

	(void)devp, (void)oflag;
	if (tp != NULL)
		return tp->t_xclude && cr->cr_uid != 0 ? EBUSY : 0;
	if (sflag != MODOPEN)
		return EINVAL;
	if ((tp = kmem_zalloc(sizeof(*tp), KM_NOSLEEP)) == NULL)
		return ENOMEM;
	q->q_ptr = WR(q)->q_ptr = tp;
	qprocson(q);
	return 0;
}

static int ttcompatclose(queue_t *q, int flag, cred_t *cr)
{
	ttcompat_state_t *tp = q->q_ptr;

	(void)flag, (void)cr;
	if (tp->t_bufcallid != 0)
		qunbufcall(q, tp->t_bufcallid);
	qprocsoff(q);
	freemsg(tp->t_iocpending);
	q->q_ptr = WR(q)->q_ptr = NULL;
	kmem_free(tp, sizeof(*tp));
	return 0;
}

/* ---- down ---- */

static void ttcompat_do_ioctl(ttcompat_state_t *tp, queue_t *wq, mblk_t *mp);

/* Memory came back. */
static void ttcompat_reioctl(void *arg)
{
	queue_t *wq = arg;
	ttcompat_state_t *tp = wq->q_ptr;
	mblk_t *mp = tp->t_iocpending;

	tp->t_bufcallid = 0;
	tp->t_iocpending = NULL;
	if (mp != NULL)
		ttcompat_do_ioctl(tp, wq, mp);
}

/* Answer here: with rval, or with an error. */
ALWAYS_INLINE void ttcompat_answer(queue_t *wq, mblk_t *mp, int rval, int error)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	DB_TYPE(mp) = error != 0 ? M_IOCNAK : M_IOCACK;
	ioc->ioc_count = 0;
	ioc->ioc_error = error;
	ioc->ioc_rval = rval;
	qreply(wq, mp);
}

/* Make the data of an ioctl this int.  False without memory: it will be done again, or is refused. */
ALWAYS_INLINE bool ttcompat_setint(ttcompat_state_t *tp, queue_t *wq, mblk_t *mp, int value)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	mblk_t *dp = allocb(sizeof(int), BPRI_HI);

	if (dp == NULL) {
		freemsg(tp->t_iocpending);
		tp->t_iocpending = mp;
		if (tp->t_bufcallid == 0)
			tp->t_bufcallid = qbufcall(wq, sizeof(int), BPRI_HI, ttcompat_reioctl, wq);
		if (tp->t_bufcallid == 0) {
			tp->t_iocpending = NULL;
			ttcompat_answer(wq, mp, 0, EAGAIN);
		}
		return false;
	}
	*(int *)(uintptr_t)dp->b_wptr = value;
	dp->b_wptr += sizeof(int);
	freemsg(mp->b_cont);
	mp->b_cont = dp;
	ioc->ioc_count = sizeof(int);
	return true;
}

/* The size of what a command brings, 0 for the others; those of the second kind come by M_COPYIN. */
static size_t ttcompat_size(int cmd)
{
	switch (cmd) {
	case TIOCSETP:
	case TIOCSETN:
		return sizeof(struct sgttyb);
	case TIOCSETC:
		return sizeof(struct tchars);
	case TIOCSLTC:
		return sizeof(struct ltchars);
	case TIOCLBIS:
	case TIOCLBIC:
	case TIOCLSET:
	case TIOCFLUSH:
		return sizeof(int);
	default:
		return 0;
	}
}

/* Is it a command that the stream head leaves the copying of to us? */
static bool ttcompat_copies(int cmd)
{
	return cmd != TIOCSETP && ttcompat_size(cmd) != 0;
}

/* Ask for the modes, on behalf of this command. */
static void ttcompat_get(ttcompat_state_t *tp, mblk_t *mp)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	freemsg(unlinkb(mp));
	tp->t_ioccmd = ioc->ioc_cmd;
	tp->t_iocid = ioc->ioc_id;
	tp->t_state |= TS_IOCWAIT;
	ioc->ioc_cmd = TCGETS;
	ioc->ioc_count = 0;
}

/* A discipline other than the one there is. */
static bool ttcompat_other_disc(const mblk_t *mp)
{
	const struct iocblk *ioc = (const struct iocblk *)mp->b_rptr;

	return ioc->ioc_count != TRANSPARENT && mp->b_cont != NULL && MBLKL(mp->b_cont) > 0 && *mp->b_cont->b_rptr != 0;
}

static void ttcompat_do_ioctl(ttcompat_state_t *tp, queue_t *wq, mblk_t *mp)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	size_t size = ttcompat_size(ioc->ioc_cmd);
	int *arg, error;

	if (size != 0 && (error = miocpullup(mp, size)) != 0) {
		ttcompat_answer(wq, mp, 0, error);
		return;
	}
	switch (ioc->ioc_cmd) {
	case TIOCGETC:
	case TIOCLGET:
	case TIOCGLTC:
		if (ioc->ioc_count != TRANSPARENT) {
			ttcompat_answer(wq, mp, 0, EINVAL);
			return;
		}
		tp->t_arg = *(caddr_t *)(uintptr_t)mp->b_cont->b_rptr;
		ttcompat_get(tp, mp);
		break;
	case TIOCSETP:
	case TIOCSETN:
	case TIOCSETC:
	case TIOCSLTC:
	case TIOCLBIS:
	case TIOCLBIC:
	case TIOCLSET:
		memcpy(&tp->t_new, mp->b_cont->b_rptr, size);
		ttcompat_get(tp, mp);
		break;
	case TIOCGETP:
	case TIOCHPCL:
		ttcompat_get(tp, mp);
		break;
	case TIOCSDTR:
	case TIOCCDTR:
		if (!ttcompat_setint(tp, wq, mp, TIOCM_DTR))
			return;
		ioc->ioc_cmd = ioc->ioc_cmd == TIOCSDTR ? TIOCMBIS : TIOCMBIC;
		break;
	case TIOCSTOP:
	case TIOCSTART:
		if (!ttcompat_setint(tp, wq, mp, ioc->ioc_cmd == TIOCSTART))
			return;
		ioc->ioc_cmd = TCXONC;
		break;
	case TIOCFLUSH:
		arg = (int *)(uintptr_t)mp->b_cont->b_rptr;
		*arg = (*arg & (FREAD | FWRITE)) == FREAD ? 0 : (*arg & (FREAD | FWRITE)) == FWRITE ? 1 : 2;
		ioc->ioc_cmd = TCFLSH;
		break;
	case TIOCSETD:
		ttcompat_answer(wq, mp, 0, ttcompat_other_disc(mp) ? EINVAL : 0);
		return;
	case TIOCGETD:
	case DIOCGETP:
	case DIOCSETP:
	case LDOPEN:
	case LDCLOSE:
	case LDCHG:
	case LDGETT:
	case LDSETT:
	case LDSMAP:
	case LDGMAP:
	case LDNMAP:
		ttcompat_answer(wq, mp, 0, 0);
		return;
	case IOCTYPE:
		ttcompat_answer(wq, mp, _TIOC, 0);
		return;
	case TIOCEXCL:
	case TIOCNXCL:
		tp->t_xclude = ioc->ioc_cmd == TIOCEXCL;
		ttcompat_answer(wq, mp, 0, 0);
		return;
	default:
		break;
	}
	putnext(wq, mp);
}

/* What was copied in makes the command an ordinary one; what was copied out ends it. */
ALWAYS_INLINE void ttcompat_iocdata(ttcompat_state_t *tp, queue_t *wq, mblk_t *mp)
{
	struct copyresp *resp = (struct copyresp *)mp->b_rptr;
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	bool in = (tp->t_state & TS_W_IN) != 0;
	int flag = resp->cp_flag;

	tp->t_state &= ~(TS_W_IN | TS_W_OUT);
	if (resp->cp_rval != 0) {
		freemsg(mp);
		return;
	}
	mp->b_wptr = mp->b_rptr + sizeof(*ioc);
	ioc->ioc_count = in && mp->b_cont != NULL ? (uint_t)msgsize(mp->b_cont) : 0;
	ioc->ioc_error = ioc->ioc_rval = 0;
	ioc->ioc_flag = flag;
	DB_TYPE(mp) = M_IOCTL;
	if (in)
		ttcompat_do_ioctl(tp, wq, mp);
	else
		ttcompat_answer(wq, mp, 0, 0);
}

static int ttcompatwput(queue_t *wq, mblk_t *mp)
{
	ttcompat_state_t *tp = wq->q_ptr;
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	switch (DB_TYPE(mp)) {
	case M_IOCTL:
		if (!ttcompat_copies(ioc->ioc_cmd)) {
			ttcompat_do_ioctl(tp, wq, mp);
			return 0;
		}
		if (ioc->ioc_count == TRANSPARENT) {
			tp->t_state |= TS_W_IN;
			tp->t_ioccmd = ioc->ioc_cmd;
			tp->t_iocid = ioc->ioc_id;
			mcopyin(mp, NULL, ttcompat_size(ioc->ioc_cmd), NULL);
			qreply(wq, mp);
			return 0;
		}
		break;
	case M_IOCDATA:
		if ((tp->t_state & (TS_W_IN | TS_W_OUT)) && ioc->ioc_id == tp->t_iocid) {
			ttcompat_iocdata(tp, wq, mp);
			return 0;
		}
		break;
	default:
		break;
	}
	putnext(wq, mp);
	return 0;
}

/* ---- up ---- */

/* The answer in place of the modes, n bytes. */
static void ttcompat_data(mblk_t *mp, const void *data, size_t n)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	memcpy(mp->b_cont->b_rptr, data, n);
	mp->b_cont->b_wptr = mp->b_cont->b_rptr + n;
	ioc->ioc_count = (uint_t)n;
}

static void ttcompat_data_getp(mblk_t *mp, const compat_state_t *csp)
{
	struct sgttyb sg = {.sg_ispeed = (char)MIN(csp->t_ispeed, B38400),
			    .sg_ospeed = (char)MIN(csp->t_ospeed, B38400),
			    .sg_erase = (char)csp->t_erase,
			    .sg_kill = (char)csp->t_kill,
			    .sg_flags = (int)csp->t_flags};

	ttcompat_data(mp, &sg, sizeof(sg));
}

/* Have the answer copied out to where the program said. */
static void ttcopyout(ttcompat_state_t *tp, mblk_t *mp, const void *data, size_t n)
{
	ttcompat_data(mp, data, n);
	mcopyout(mp, NULL, n, tp->t_arg, NULL);
	((struct copyreq *)mp->b_rptr)->cq_addr = tp->t_arg; /* NULL as well: the head will refuse it */
	tp->t_state |= TS_W_OUT;
}

/* Change the current state as the command said. */
static void ttcompat_merge(compat_state_t *csp, const ttcompat_state_t *tp)
{
	uint_t lflags = (uint_t)tp->t_new.lflags << 16;

	switch (tp->t_ioccmd) {
	case TIOCSETP:
	case TIOCSETN:
		csp->t_ispeed = (uchar_t)tp->t_new.sgttyb.sg_ispeed;
		csp->t_ospeed = (uchar_t)tp->t_new.sgttyb.sg_ospeed;
		csp->t_erase = (uchar_t)tp->t_new.sgttyb.sg_erase;
		csp->t_kill = (uchar_t)tp->t_new.sgttyb.sg_kill;
		csp->t_flags = (csp->t_flags & 0xffff0000U) | ((uint_t)tp->t_new.sgttyb.sg_flags & 0xffff);
		break;
	case TIOCSETC:
		csp->t_tchars = tp->t_new.tchars;
		break;
	case TIOCSLTC:
		csp->t_ltchars = tp->t_new.ltchars;
		break;
	case TIOCLBIS:
		csp->t_flags |= lflags;
		break;
	case TIOCLBIC:
		csp->t_flags &= ~lflags;
		break;
	case TIOCLSET:
		csp->t_flags = (csp->t_flags & 0xffff) | lflags;
		break;
	default:
		break;
	}
}

/* Turn the answer to TCGETS into the TCSETS of the changed modes. */
static void ttcompat_set(ttcompat_state_t *tp, mblk_t *mp)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	struct termios *t = (struct termios *)(uintptr_t)mp->b_cont->b_rptr;

	if (tp->t_ioccmd == TIOCHPCL) {
		t->c_cflag |= HUPCL;
	} else {
		ttcompat_to_compat(t, &tp->t_curstate);
		ttcompat_merge(&tp->t_curstate, tp);
		ttcompat_from_compat(&tp->t_curstate, t);
	}
	mp->b_cont->b_wptr = mp->b_cont->b_rptr + sizeof(*t);
	ioc->ioc_cmd = tp->t_ioccmd == TIOCSETP ? TCSETSF : TCSETS;
	ioc->ioc_count = sizeof(*t);
	ioc->ioc_error = ioc->ioc_rval = 0;
	DB_TYPE(mp) = M_IOCTL;
}

/* An acknowledgement: our TCGETS's is what we waited for. */
static void ttcompat_ioctl_ack(queue_t *q, mblk_t *mp)
{
	ttcompat_state_t *tp = q->q_ptr;
	compat_state_t *csp = &tp->t_curstate;
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	int lflags;

	if (!(tp->t_state & TS_IOCWAIT) || ioc->ioc_id != tp->t_iocid) {
		putnext(q, mp);
		return;
	}
	tp->t_state &= ~TS_IOCWAIT;
	ioc->ioc_cmd = tp->t_ioccmd;
	if (ioc->ioc_error != 0 || mp->b_cont == NULL || !pullupmsg(mp->b_cont, sizeof(struct termios))) {
		/* no modes: the program gets what error there is */
		ioc->ioc_error = ioc->ioc_error != 0 ? ioc->ioc_error : EINVAL;
		ioc->ioc_count = 0;
		DB_TYPE(mp) = M_IOCNAK;
		putnext(q, mp);
		return;
	}
	switch (tp->t_ioccmd) {
	case TIOCGETP:
	case TIOCGETC:
	case TIOCGLTC:
	case TIOCLGET:
		ttcompat_to_compat((const struct termios *)(uintptr_t)mp->b_cont->b_rptr, csp);
		break;
	default:
		ttcompat_set(tp, mp);
		putnext(WR(q), mp);
		return;
	}
	switch (tp->t_ioccmd) {
	case TIOCGETP:
		ttcompat_data_getp(mp, csp);
		break;
	case TIOCGETC:
		ttcopyout(tp, mp, &csp->t_tchars, sizeof(csp->t_tchars));
		break;
	case TIOCGLTC:
		ttcopyout(tp, mp, &csp->t_ltchars, sizeof(csp->t_ltchars));
		break;
	default:
		lflags = (int)(csp->t_flags >> 16);
		ttcopyout(tp, mp, &lflags, sizeof(lflags));
		break;
	}
	putnext(q, mp);
}

static void ttcompat_ioctl_nak(queue_t *q, mblk_t *mp)
{
	ttcompat_state_t *tp = q->q_ptr;
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	if ((tp->t_state & TS_IOCWAIT) && ioc->ioc_id == tp->t_iocid) {
		tp->t_state &= ~TS_IOCWAIT;
		ioc->ioc_cmd = tp->t_ioccmd;
	}
	putnext(q, mp);
}

static int ttcompatrput(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_IOCACK:
		ttcompat_ioctl_ack(q, mp);
		break;
	case M_IOCNAK:
		ttcompat_ioctl_nak(q, mp);
		break;
	default:
		putnext(q, mp);
		break;
	}
	return 0;
}

/* ---- tables ---- */

static struct module_info ttcompat_rinfo = {0, "ttcompat", 0, INFPSZ, 2048, 128};
static struct module_info ttcompat_winfo = {42, "ttcompat", 0, INFPSZ, 300, 200};
static struct qinit ttcompat_rinit = {ttcompatrput, NULL, ttcompatopen, ttcompatclose, NULL, &ttcompat_rinfo, NULL};
static struct qinit ttcompat_winit = {ttcompatwput, NULL, NULL, NULL, NULL, &ttcompat_winfo, NULL};
static struct streamtab ttcompatinfo = {&ttcompat_rinit, &ttcompat_winit, NULL, NULL};

STREAMS_MODULE(ttcompat, "ttcompat", &ttcompatinfo, D_MTQPAIR | D_MP);
