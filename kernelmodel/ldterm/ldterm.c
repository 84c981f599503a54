/*
 * ldterm: the line discipline (ldterm(7M), termio(7I)).
 *
 * What a terminal's driver sends up becomes lines that can be edited while they
 * are typed, or raw bytes; what is typed is echoed; some characters signal, stop
 * and start output, or quote.  What programs write is processed on its way down.
 *
 * This file: the module's tables, open and close, and what comes from above.
 */
#include <string.h>

#include "ldterm/ldterm.h"
#include "sys/errno.h"
#include "sys/file.h"
#include "sys/stropts.h"

static const struct termios ldterm_ttymodes = {
    TTYDEF_IFLAG,
    TTYDEF_OFLAG,
    TTYDEF_CFLAG,
    TTYDEF_LFLAG,
    {3, 034, 0177, 025, 4, 0, 0, 0, 021, 023, 032, 031, 022, 017, 027, 026},
};

static const eucioc_t ldterm_ascii = {{1, 0, 0, 0}, {1, 0, 0, 0}};

/* ---- open ---- */

/* Something may have happened that a sleeper in the perimeter waits for: who runs this leaves it, which wakes him. */
static void ldterm_wakeup(void *arg)
{
	(void)arg;
}

/* In open: sleep until size bytes can be had.  0, EINTR, or ENOSR when it cannot even be waited for. */
static int ldterm_waitmem(queue_t *q, size_t size)
{
	bufcall_id_t id = qbufcall(q, size, BPRI_MED, ldterm_wakeup, NULL);
	timeout_id_t tid = 0;
	int error;

	if (id == 0 && (tid = qtimeout(q, ldterm_wakeup, NULL, HZ)) == 0)
		return ENOSR;
	error = qwait_sig(q) ? 0 : EINTR;
	if (id != 0)
		qunbufcall(q, id);
	else
		(void)quntimeout(q, tid);
	return error;
}

/* An M_IOCTL of our own, waited for; NULL with *errorp. */
static mblk_t *ldterm_mkioc(queue_t *q, int cmd, int *errorp)
{
	mblk_t *mp;

	while ((mp = mkiocb((uint_t)cmd)) == NULL)
		if ((*errorp = ldterm_waitmem(q, sizeof(union ioctypes))) != 0)
			return NULL;
	return mp;
}

static mblk_t *ldterm_mkblk(queue_t *q, size_t size, int *errorp)
{
	mblk_t *mp;

	while ((mp = allocb(size, BPRI_MED)) == NULL)
		if ((*errorp = ldterm_waitmem(q, size)) != 0)
			return NULL;
	return mp;
}

/* Ask the driver a question of strtty.h. */
ALWAYS_INLINE int ldterm_query(queue_t *q, int cmd)
{
	int error = 0;
	mblk_t *mp = ldterm_mkioc(q, cmd, &error);

	if (mp == NULL)
		return error;
	DB_TYPE(mp) = M_CTL;
	putnext(WR(q), mp);
	return 0;
}

/* What close will send: it could not wait for memory then. */
static int ldterm_mkdrain(queue_t *q, ldtermstd_state_t *tp)
{
	int error = 0;
	mblk_t *mp = ldterm_mkioc(q, TCSBRK, &error);

	if (mp == NULL)
		return error;
	if ((mp->b_cont = ldterm_mkblk(q, sizeof(int), &error)) == NULL) {
		freemsg(mp);
		return error;
	}
	*(int *)(uintptr_t)mp->b_cont->b_wptr = 1;
	mp->b_cont->b_wptr += sizeof(int);
	((struct iocblk *)mp->b_rptr)->ioc_count = sizeof(int);
	tp->t_drainmsg = mp;
	return 0;
}

static mblk_t *ldterm_mkopts(queue_t *q, struct stroptions so, int *errorp)
{
	mblk_t *mp = ldterm_mkblk(q, sizeof(so), errorp);

	if (mp == NULL)
		return NULL;
	DB_TYPE(mp) = M_SETOPTS;
	memcpy(mp->b_wptr, &so, sizeof(so));
	mp->b_wptr += sizeof(so);
	return mp;
}

/* The conversation of a new stream with its driver and its head. */
ALWAYS_INLINE int ldterm_setup(queue_t *q, ldtermstd_state_t *tp)
{
	mblk_t *mp;
	int error;

	if ((error = ldterm_query(q, MC_CANONQUERY)) != 0 || (error = ldterm_mkdrain(q, tp)) != 0 ||
	    (error = ldterm_query(q, MC_POSIXQUERY)) != 0)
		return error;
	tp->t_closeopts =
	    ldterm_mkopts(q, (struct stroptions){.so_flags = SO_READOPT | SO_NDELOFF, .so_readopt = RNORM}, &error);
	if (tp->t_closeopts == NULL)
		return error;
	mp = ldterm_mkopts(q,
			   (struct stroptions){.so_flags = SO_READOPT | SO_HIWAT | SO_LOWAT | SO_NDELON | SO_ISTTY,
					       .so_readopt = RMSGN,
					       .so_hiwat = 1024,
					       .so_lowat = 200},
			   &error);
	if (mp == NULL)
		return error;
	putnext(q, mp);
	return 0;
}

static void ldterm_free(queue_t *q, ldtermstd_state_t *tp)
{
	ldterm_discard(tp);
	freemsg(tp->t_closeopts);
	freemsg(tp->t_drainmsg);
	q->q_ptr = WR(q)->q_ptr = NULL;
	kmem_free(tp, sizeof(*tp));
}

static int ldtermopen(queue_t *q, dev_t *devp, int oflag, int sflag, cred_t *cr)
{
	ldtermstd_state_t *tp;
	int error;

	(void)devp, (void)oflag, (void)cr;
	if (q->q_ptr != NULL)
		return 0;
	if (sflag != MODOPEN)
		return EINVAL;
	if ((tp = kmem_zalloc(sizeof(*tp), KM_NOSLEEP)) == NULL)
		return ENOMEM;
	tp->t_modes = tp->t_amodes = ldterm_ttymodes;
	(void)ldterm_set_eucw(tp, &ldterm_ascii);
	q->q_ptr = WR(q)->q_ptr = tp;
	qprocson(q);
	error = ldterm_setup(q, tp);
	if (error != 0) {
		qprocsoff(q);
		ldterm_free(q, tp);
	}
	return error;
}

/* ---- close ---- */

static void ldterm_cancel(queue_t *q, ldtermstd_state_t *tp)
{
	if (tp->t_vtid != 0)
		(void)quntimeout(q, tp->t_vtid);
	tp->t_vtid = 0;
	if (tp->t_wbufcid != 0) {
		qunbufcall(q, tp->t_wbufcid);
		enableok(WR(q));
	}
	tp->t_wbufcid = 0;
}

static void ldterm_drain_timed_out(void *arg)
{
	ldtermstd_state_t *tp = arg;

	tp->t_state &= ~TS_IOCWAIT;
}

/*
 * Wait until the driver has written all output: it answers the TCSBRK, which
 * waits its turn behind it, only then.  A signal ends the wait; who cannot
 * get any has a limit.
 */
static void ldterm_drain(queue_t *q, ldtermstd_state_t *tp)
{
	mblk_t *mp = tp->t_drainmsg;
	timeout_id_t tid = 0;
	bool wait = true;

	tp->t_drainmsg = NULL;
	tp->t_iocid = ((struct iocblk *)mp->b_rptr)->ioc_id;
	tp->t_state |= TS_IOCWAIT;
	if (curthread->t_lwp == NULL) {
		tid = qtimeout(q, ldterm_drain_timed_out, tp, DRAIN_SECONDS * HZ);
		wait = tid != 0; /* without memory for the timer nothing might end the wait */
	}
	(void)putq(WR(q), mp);
	while (wait && (tp->t_state & TS_IOCWAIT) && qwait_sig(q))
		;
	tp->t_state &= ~TS_IOCWAIT;
	if (tid != 0)
		(void)quntimeout(q, tid);
}

static int ldtermclose(queue_t *q, int flag, cred_t *cr)
{
	ldtermstd_state_t *tp = q->q_ptr;
	mblk_t *mp = tp->t_closeopts;

	(void)cr;
	tp->t_state |= TS_CLOSE;
	ldterm_cancel(q, tp);
	tp->t_closeopts = NULL;
	putnext(q, mp);
	if ((flag & (FNDELAY | FNONBLOCK)) == 0 && tp->t_drainmsg != NULL)
		ldterm_drain(q, tp);
	ldterm_cancel(q, tp);
	qprocsoff(q);
	ldterm_free(q, tp);
	return 0;
}

/* ---- from above ---- */

/* Memory came back for output that had to wait. */
static void ldterm_wenable(void *arg)
{
	queue_t *wq = arg;
	ldtermstd_state_t *tp = wq->q_ptr;

	tp->t_wbufcid = 0;
	enableok(wq);
	qenable(wq);
}

/* The rest of a message for which there was no memory: back until there is, or lost if that cannot be waited for. */
static void ldterm_wait_output(queue_t *wq, mblk_t *rest, ldtermstd_state_t *tp)
{
	tp->t_wbufcid = qbufcall(wq, MIN(xmsgsize(rest), (size_t)OBSIZE), BPRI_MED, ldterm_wenable, wq);
	if (tp->t_wbufcid == 0) {
		freemsg(rest);
		return;
	}
	noenable(wq);
	if (!putbq(wq, rest))
		freemsg(rest);
}

/* A low-priority message that may go down now.  0: it had to wait for memory. */
static int ldtermwmsg(queue_t *wq, mblk_t *mp)
{
	ldtermstd_state_t *tp = wq->q_ptr;
	mblk_t *omp = NULL, *rest = NULL;
	uint8_t band = mp->b_band;
	uint16_t bflag = mp->b_flag;

	switch (DB_TYPE(mp)) {
	case M_IOCTL:
		ldterm_do_ioctl(wq, mp);
		return 1;
	case M_DATA:
		if (lflagx(tp, FLUSHO)) {
			freemsg(mp);
			return 1;
		}
		tp->t_rocount = 0;
		if (ldterm_opost(tp) && (msgdsize(mp) != 0 || !(tp->t_state & TS_ISPTSTTY))) {
			rest = ldterm_output_msg(wq, mp, &omp, tp, OBSIZE);
			if ((mp = omp) != NULL) {
				mp->b_band = band;
				mp->b_flag = bflag;
			}
		}
		break;
	default:
		break;
	}
	if (mp != NULL)
		putnext(wq, mp);
	if (rest != NULL) {
		rest->b_band = band;
		rest->b_flag = bflag;
		ldterm_wait_output(wq, rest, tp);
	}
	return rest == NULL;
}

/* Settings that take effect when the output before them is out. */
ALWAYS_INLINE bool ldterm_follows_output(const mblk_t *mp)
{
	int cmd = ((const struct iocblk *)mp->b_rptr)->ioc_cmd;

	return cmd == TCSETSW || cmd == TCSETSF || cmd == TCSETAW || cmd == TCSETAF || cmd == TCSBRK;
}

/* A reader waits (M_READ). */
ALWAYS_INLINE void wput_mread(queue_t *q, ldtermstd_state_t *tp)
{
	size_t min = tp->t_modes.V_MIN;

	if (tp->t_state & TS_MREAD)
		vmin_satisfied(q, tp, 0);
	tp->t_state |= TS_MREAD;
	if (tp->t_modes.V_TIME == 0) {
		if (tp->t_msglen >= min)
			vmin_satisfied(q, tp, 1);
	} else if (min == 0) {
		if (tp->t_msglen != 0)
			vmin_satisfied(q, tp, 1);
		else
			vmin_settimer(q, tp);
	} else if (tp->t_msglen >= min) {
		vmin_satisfied(q, tp, 1);
	} else if (tp->t_msglen != 0) {
		vmin_settimer(q, tp);
	}
}

static int ldtermwput(queue_t *wq, mblk_t *mp)
{
	ldtermstd_state_t *tp = wq->q_ptr;

	switch (DB_TYPE(mp)) {
	case M_FLUSH:
		if ((tp->t_state & TS_FLUSHWAIT) && *mp->b_rptr == FLUSHW) {
			tp->t_state &= ~TS_FLUSHWAIT;
			freemsg(mp);
			return 0;
		}
		if (*mp->b_rptr & FLUSHW)
			flushq(wq, FLUSHDATA);
		putnext(wq, mp);
		if (tp->t_state & TS_MREAD)
			vmin_satisfied(RD(wq), tp, 0);
		return 0;
	case M_READ:
		if (!lflag(tp, ICANON) && newmsg(tp) != NULL)
			wput_mread(RD(wq), tp);
		putnext(wq, mp);
		return 0;
	default:
		break;
	}
	if (DB_TYPE(mp) >= QPCTL)
		putnext(wq, mp);
	else if (wq->q_first == NULL && bcanputnext(wq, mp->b_band))
		(void)ldtermwmsg(wq, mp);
	else if (DB_TYPE(mp) == M_IOCTL && !ldterm_follows_output(mp))
		ldterm_do_ioctl(wq, mp);
	else
		ldterm_putq(wq, mp);
	return 0;
}

static int ldtermwsrv(queue_t *wq)
{
	mblk_t *mp;

	while ((mp = getq(wq)) != NULL) {
		if (!bcanputnext(wq, mp->b_band)) {
			(void)putbq(wq, mp);
			break;
		}
		if (!ldtermwmsg(wq, mp))
			break;
	}
	return 0;
}

/* ---- tables ---- */

static struct module_info ldterm_rinfo = {0x0bad, "ldterm", 0, 256, 1024, 200};
static struct module_info ldterm_winfo = {0x0bad, "ldterm", 0, INFPSZ, 1, 0};
static struct qinit ldterm_rinit = {ldtermrput, ldtermrsrv, ldtermopen, ldtermclose, NULL, &ldterm_rinfo, NULL};
static struct qinit ldterm_winit = {ldtermwput, ldtermwsrv, NULL, NULL, NULL, &ldterm_winfo, NULL};
static struct streamtab ldterminfo = {&ldterm_rinit, &ldterm_winit, NULL, NULL};

STREAMS_MODULE(ldterm, "ldterm", &ldterminfo, D_MTQPAIR | D_MP);
