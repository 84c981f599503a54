/*
 * vuid3ps2, first half: what every mouse module does.  Bytes from below are
 * queued and looked at by the service procedure; commands from above are
 * answered here, others go down.
 */
#include <string.h>

#include "sys/errno.h"
#include "sys/msio.h"
#include "vuid3ps2/vuid3ps2.h"

/* The one mouse that may be open. */
static KLOCAL struct MouseStateInfo *vuidmice_only;

/* ---- up ---- */

static int vuidmice_rput(queue_t *q, mblk_t *mp)
{
	const struct MouseStateInfo *stp = q->q_ptr;

	switch (DB_TYPE(mp)) {
	case M_DATA:
		if (stp->format == VUID_FIRM_EVENT)
			(void)putq(q, mp);
		else
			(void)putnext(q, mp);
		break;
	case M_FLUSH:
		if (*mp->b_rptr & FLUSHR)
			flushq(q, FLUSHALL);
		/* FALLTHROUGH */
	default:
		(void)putnext(q, mp);
		break;
	}
	return (0);
}

static int vuidmice_rsrv(queue_t *q)
{
	const struct MouseStateInfo *stp = q->q_ptr;
	mblk_t *mp;

	while ((mp = getq(q)) != NULL) {
		if (!canputnext(q)) {
			(void)putbq(q, mp);
			return (0);
		}
		if (DB_TYPE(mp) == M_DATA && stp->format == VUID_FIRM_EVENT)
			vuid3ps2(q, mp);
		else
			(void)putnext(q, mp);
	}
	return (0);
}

/* ---- ioctls ---- */

ALWAYS_INLINE struct iocblk *ioc_of(mblk_t *mp)
{
	return (struct iocblk *)mp->b_rptr;
}

/* ACK with an int. */
static void ack_int(queue_t *q, mblk_t *mp, int val)
{
	mblk_t *dp = allocb(sizeof(val), BPRI_HI);

	if (dp == NULL) {
		miocnak(q, mp, 0, ENOMEM);
		return;
	}
	*(int *)dp->b_rptr = val;
	mioc2ack(mp, dp, sizeof(val), 0);
	qreply(q, mp);
}

static void set_format(queue_t *q, mblk_t *mp, struct MouseStateInfo *stp)
{
	int error = miocpullup(mp, sizeof(int));

	if (error != 0) {
		miocnak(q, mp, 0, error);
		return;
	}
	stp->format = (uchar_t) * (int *)mp->b_cont->b_rptr;
	miocack(q, mp, 0, 0);
}

/* Check what the caller gave and fill in the answer: 0 or an error. */
static int wheel_answer(struct MouseStateInfo *stp, int cmd, void *buf)
{
	wheel_info *wi = buf;
	wheel_state *ws = buf;

	switch (cmd) {
	case VUIDGWHEELCOUNT:
		*(int *)buf = vuid3ps2_wheels(stp);
		return (0);
	case VUIDGWHEELINFO:
		if (wi->vers != VUID_WHEEL_INFO_VERS || wi->id < 0 || wi->id >= vuid3ps2_wheels(stp))
			return (EINVAL);
		wi->format = wi->id == 0 ? VUID_WHEEL_FORMAT_VERTICAL : VUID_WHEEL_FORMAT_HORIZONTAL;
		return (0);
	case VUIDGWHEELSTATE:
		if (ws->vers != VUID_WHEEL_STATE_VERS || ws->id < 0 || ws->id >= vuid3ps2_wheels(stp))
			return (EINVAL);
		ws->stateflags = stp->wheel_state_bf & (1U << ws->id) ? VUID_WHEEL_STATE_ENABLED : 0;
		return (0);
	case VUIDSWHEELSTATE:
		if (ws->vers != VUID_WHEEL_STATE_VERS || ws->id < 0 || ws->id >= vuid3ps2_wheels(stp))
			return (EINVAL);
		stp->wheel_state_bf &= (uchar_t) ~(1U << ws->id);
		if (ws->stateflags & VUID_WHEEL_STATE_ENABLED)
			stp->wheel_state_bf |= (uchar_t)(1U << ws->id);
		return (0);
	default: /* MSIOSRESOLUTION: the mouse does not care */
		return (0);
	}
}

#define COPY_IN 1
#define COPY_OUT 2

/* Bytes that a command's argument points to, and which way they go; 0: not a command of this group. */
static size_t wheel_size(int cmd, int *dir)
{
	*dir = COPY_IN;
	switch (cmd) {
	case VUIDGWHEELCOUNT:
		*dir = COPY_OUT;
		return (sizeof(int));
	case VUIDGWHEELINFO:
		*dir = COPY_IN | COPY_OUT;
		return (sizeof(wheel_info));
	case VUIDGWHEELSTATE:
		*dir = COPY_IN | COPY_OUT;
		return (sizeof(wheel_state));
	case VUIDSWHEELSTATE:
		return (sizeof(wheel_state));
	case MSIOSRESOLUTION:
		return (sizeof(Ms_screen_resolution));
	default:
		return (0);
	}
}

/* The plain form: the data came along, and goes back with the ACK. */
static void wheel_plain(queue_t *q, mblk_t *mp, struct MouseStateInfo *stp, size_t size, int dir)
{
	int cmd = ioc_of(mp)->ioc_cmd;
	int error = dir & COPY_IN ? miocpullup(mp, size) : 0;
	mblk_t *dp = mp->b_cont;

	if (error == 0 && !(dir & COPY_IN)) {
		dp = allocb(size, BPRI_MED);
		error = dp == NULL ? ENOMEM : 0;
	}
	if (error == 0)
		error = wheel_answer(stp, cmd, dp->b_rptr);
	if (error != 0) {
		miocnak(q, mp, 0, error);
		return;
	}
	if (dp != mp->b_cont)
		mioc2ack(mp, dp, size, 0);
	miocack(q, mp, dir & COPY_OUT ? (int)size : 0, 0);
}

/* The transparent form begins: fetch the data, or send it at once; the address comes back in cp_private. */
static void wheel_transparent(queue_t *q, mblk_t *mp, struct MouseStateInfo *stp, size_t size, int dir)
{
	void *addr = *(void **)mp->b_cont->b_rptr;
	mblk_t *dp;

	if (dir & COPY_IN) {
		mcopyin(mp, addr, size, addr);
	} else if ((dp = allocb(size, BPRI_MED)) != NULL) {
		dp->b_wptr += size;
		(void)wheel_answer(stp, ioc_of(mp)->ioc_cmd, dp->b_rptr);
		mcopyout(mp, NULL, size, addr, dp);
	} else {
		miocnak(q, mp, 0, ENOMEM);
		return;
	}
	qreply(q, mp);
}

static void vuidmice_wheel(queue_t *q, mblk_t *mp, struct MouseStateInfo *stp, size_t size, int dir)
{
	if (ioc_of(mp)->ioc_count == TRANSPARENT)
		wheel_transparent(q, mp, stp, size, dir);
	else
		wheel_plain(q, mp, stp, size, dir);
}

static void vuidmice_ioctl(queue_t *q, mblk_t *mp)
{
	struct MouseStateInfo *stp = q->q_ptr;
	int dir;
	size_t size = wheel_size(ioc_of(mp)->ioc_cmd, &dir);

	if (size != 0) {
		vuidmice_wheel(q, mp, stp, size, dir);
		return;
	}
	switch (ioc_of(mp)->ioc_cmd) {
	case VUIDSFORMAT:
		set_format(q, mp, stp);
		break;
	case VUIDGFORMAT:
		ack_int(q, mp, stp->format);
		break;
	case VUIDSADDR:
	case VUIDGADDR:
		miocnak(q, mp, 0, ENOTTY);
		break;
	case MSIOBUTTONS:
		if (stp->nbuttons == 0)
			miocnak(q, mp, 0, EINVAL);
		else
			ack_int(q, mp, stp->nbuttons);
		break;
	default:
		(void)putnext(q, mp);
		break;
	}
}

/* The end of a transparent ioctl: an ACK, in the block that was the answer to the copy request. */
static void iocdata_ack(queue_t *q, mblk_t *mp)
{
	freemsg(unlinkb(mp));
	mp->b_wptr = mp->b_rptr + sizeof(struct iocblk);
	miocack(q, mp, 0, 0);
}

/* The copy that was asked for is done: the data is here, or with the caller. */
static void vuidmice_iocdata(queue_t *q, mblk_t *mp)
{
	struct copyresp *csp = (struct copyresp *)mp->b_rptr;
	int dir, cmd = csp->cp_cmd, error;
	size_t size = wheel_size(cmd, &dir);
	void *addr = csp->cp_private;

	if (size == 0) {
		(void)putnext(q, mp);
	} else if (csp->cp_rval != 0) {
		freemsg(mp);
	} else if (addr == NULL) {
		iocdata_ack(q, mp);
	} else {
		error = mp->b_cont != NULL && pullupmsg(mp->b_cont, (ssize_t)size) ? 0 : EINVAL;
		if (error == 0)
			error = wheel_answer(q->q_ptr, cmd, mp->b_cont->b_rptr);
		if (error != 0) {
			miocnak(q, mp, 0, error);
		} else if (dir & COPY_OUT) {
			mcopyout(mp, NULL, size, addr, NULL);
			qreply(q, mp);
		} else {
			iocdata_ack(q, mp);
		}
	}
}

static int vuidmice_wput(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_FLUSH:
		if (*mp->b_rptr & FLUSHW)
			flushq(q, FLUSHALL);
		(void)putnext(q, mp);
		break;
	case M_IOCTL:
		vuidmice_ioctl(q, mp);
		break;
	case M_IOCDATA:
		vuidmice_iocdata(q, mp);
		break;
	default:
		(void)putnext(q, mp);
		break;
	}
	return (0);
}

/* ---- open and close ---- */

static void vuidmice_free(queue_t *q)
{
	vuid3ps2_close(q);
	qprocsoff(q);
	flushq(q, FLUSHALL);
	flushq(WR(q), FLUSHALL);
	kmem_free(q->q_ptr, sizeof(struct MouseStateInfo));
	q->q_ptr = WR(q)->q_ptr = NULL;
	vuidmice_only = NULL;
}

static int vuidmice_open(queue_t *q, dev_t *devp, int flag, int sflag, cred_t *cr)
{
	struct MouseStateInfo *stp;
	int error;

	(void)devp;
	(void)flag;
	(void)cr;
	if (q->q_ptr != NULL)
		return (0);
	if (sflag != MODOPEN)
		return (EINVAL);
	if (vuidmice_only != NULL)
		return (EBUSY);
	if ((stp = kmem_zalloc(sizeof(*stp), KM_NOSLEEP)) == NULL)
		return (ENOMEM);
	stp->rq = q;
	q->q_ptr = WR(q)->q_ptr = stp;
	vuidmice_only = stp;
	qprocson(q);
	error = vuid3ps2_open(q);
	if (error != 0)
		vuidmice_free(q);
	return (error);
}

static int vuidmice_close(queue_t *q, int flag, cred_t *cr)
{
	(void)flag;
	(void)cr;
	vuidmice_free(q);
	return (0);
}

static void vuidmice_init(void)
{
	vuidmice_only = NULL;
}

/* The machine goes down while a mouse is being set up: nobody waits for it any longer. */
static void vuidmice_fini(void)
{
	if (vuidmice_only == NULL || vuidmice_only->state < PS2_WAIT_FIRST)
		return;
	vuidmice_only->inited |= PS2_FLAG_GIVEUP;
	cv_broadcast(&vuidmice_only->rq->q_syncq->sq_wait);
}

KERNEL_INIT(4, vuidmice_init, vuidmice_fini);

static struct module_info vuidmice_minfo = {0, "vuid3ps2", 0, INFPSZ, 1000, 100};
static struct qinit vuidmice_rinit = {vuidmice_rput, vuidmice_rsrv,   vuidmice_open, vuidmice_close,
				      NULL,          &vuidmice_minfo, NULL};
static struct qinit vuidmice_winit = {vuidmice_wput, NULL, NULL, NULL, NULL, &vuidmice_minfo, NULL};
static struct streamtab vuidmice_strinfo = {&vuidmice_rinit, &vuidmice_winit, NULL, NULL};

STREAMS_MODULE(vuid3ps2, "vuid3ps2", &vuidmice_strinfo, D_MP | D_MTQPAIR);
