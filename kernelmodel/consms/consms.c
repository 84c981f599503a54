/*
 * consms: the multiplexor that makes one mouse of all, /dev/mouse.
 *
 * Up: each message of any mouse is one message of the upper stream.  Down:
 * everything goes to every mouse; an ioctl is answered when all mice have
 * answered, and has succeeded when it has with one of them (consms_ioc.c).  A
 * mouse that comes is first told the settings of those before it
 * (consms_link.c).
 */
#include <string.h>

#include "consms/consms.h"
#include "machine/machine.h"
#include "sys/errno.h"
#include "sys/stropts.h"

#define DEFAULT_SPEED_LIMIT 48
#define DEFAULT_HEIGHT 768
#define DEFAULT_WIDTH 1024

KLOCAL struct consms_state consms_state;

/* ---- up, from a mouse ---- */

/* Flush as the mouse asks, and let the program above do so; with nobody above the mouse gets its own back. */
static void consms_lrflush(queue_t *q, mblk_t *mp)
{
	if (*mp->b_rptr & FLUSHR)
		flushq(q, FLUSHDATA);
	if (*mp->b_rptr & FLUSHW)
		flushq(WR(q), FLUSHDATA);
	if (consms_state.upperqueue != NULL) {
		(void)putnext(consms_state.upperqueue, mp);
	} else if (*mp->b_rptr & FLUSHW) {
		*mp->b_rptr &= (uchar_t)~FLUSHR;
		qreply(q, mp);
	} else {
		freemsg(mp);
	}
}

static int consmslrput(queue_t *q, mblk_t *mp)
{
	consms_lq_t *lq = q->q_ptr;

	switch (DB_TYPE(mp)) {
	case M_DATA:
		consms_state.idle_stamp = ddi_get_lbolt();
		if (consms_state.upperqueue != NULL)
			(void)putnext(consms_state.upperqueue, mp);
		else
			freemsg(mp);
		break;
	case M_FLUSH:
		consms_lrflush(q, mp);
		break;
	case M_IOCACK:
	case M_IOCNAK:
		if (lq == NULL)
			freemsg(mp);
		else if (lq->lq_ioc_reply_func != NULL)
			lq->lq_ioc_reply_func(lq, mp);
		else
			consms_answer(lq, mp);
		break;
	case M_COPYIN:
	case M_COPYOUT:
		if (lq == NULL)
			freemsg(mp);
		else
			consms_answer(lq, mp);
		break;
	default:
		freemsg(mp);
		break;
	}
	return (0);
}

/* ---- down, to a mouse ---- */

static int consmslwserv(queue_t *q)
{
	mblk_t *mp;

	while (canput(q->q_next) && (mp = getq(q)) != NULL)
		(void)putnext(q, mp);
	return (0);
}

/* ---- down, from above ---- */

/* A copy for each mouse. */
static void consms_all(mblk_t *mp)
{
	for (consms_lq_t *lq = consms_state.lqueues; lq != NULL; lq = lq->lq_next) {
		mblk_t *nmp = copymsg(mp);

		if (nmp != NULL)
			(void)putq(lq->lq_queue, nmp);
	}
	freemsg(mp);
}

static void consms_uwflush(queue_t *q, mblk_t *mp)
{
	if (*mp->b_rptr & FLUSHW)
		flushq(q, FLUSHDATA);
	if (consms_state.lqueues != NULL) {
		consms_all(mp);
		return;
	}
	*mp->b_rptr &= (uchar_t)~FLUSHW;
	if (*mp->b_rptr & FLUSHR)
		qreply(q, mp);
	else
		freemsg(mp);
}

/* The most that any mouse has. */
static void consms_buttons(queue_t *q, mblk_t *mp)
{
	mblk_t *dp = consms_state.nlqueues == 0 ? NULL : allocb(sizeof(int), BPRI_HI);

	if (dp == NULL) {
		miocnak(q, mp, 0, ENOMEM);
		return;
	}
	*(int *)dp->b_rptr = consms_state.num_buttons;
	mioc2ack(mp, dp, sizeof(int), 0);
	qreply(q, mp);
}

static void consms_ioctl(queue_t *q, mblk_t *mp)
{
	switch (((struct iocblk *)mp->b_rptr)->ioc_cmd) {
	case I_LINK:
	case I_PLINK:
		consms_plink(q, mp);
		break;
	case I_UNLINK:
	case I_PUNLINK:
		consms_punlink(q, mp);
		break;
	case MSIOBUTTONS:
		consms_buttons(q, mp);
		break;
	default:
		consms_fan_out(q, mp);
		break;
	}
}

static int consmsuwput(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_IOCTL:
		consms_ioctl(q, mp);
		break;
	case M_FLUSH:
		consms_uwflush(q, mp);
		break;
	case M_DATA:
		consms_all(mp);
		break;
	case M_IOCDATA:
		consms_iocdata(mp);
		break;
	default:
		merror(q, mp, EINVAL);
		break;
	}
	return (0);
}

/* ---- open and close ---- */

static int consmsopen(queue_t *q, dev_t *devp, int flag, int sflag, cred_t *cr)
{
	(void)devp;
	(void)flag;
	(void)sflag;
	(void)cr;
	if (consms_state.upperqueue == q)
		return (0);
	consms_state.upperqueue = q;
	qprocson(q);
	return (0);
}

static int consmsclose(queue_t *q, int flag, cred_t *cr)
{
	(void)flag;
	(void)cr;
	qprocsoff(q);
	consms_state.upperqueue = NULL;
	consms_drop(WR(q));
	return (0);
}

static void consms_init(void)
{
	memset(&consms_state, 0, sizeof(consms_state));
	consms_state.format = VUID_FIRM_EVENT;
	consms_state.wheel_state_bf = (1U << VUID_WHEEL_MAX_COUNT) - 1;
	consms_state.ms_parms = (Ms_parms){0, 0, DEFAULT_SPEED_LIMIT};
	consms_state.resolution = (Ms_screen_resolution){DEFAULT_HEIGHT, DEFAULT_WIDTH};
}

/* Mice that nobody has unlinked. */
static void consms_fini(void)
{
	consms_lq_t *lq;

	while ((lq = consms_state.lqueues) != NULL) {
		consms_state.lqueues = lq->lq_next;
		kmem_free(lq, sizeof(*lq));
	}
}

KERNEL_INIT(2, consms_init, consms_fini);

static struct module_info consms_minfo = {0, "consms", 0, 1024, 2048, 128};
static struct qinit consms_urinit = {putq, NULL, consmsopen, consmsclose, NULL, &consms_minfo, NULL};
static struct qinit consms_uwinit = {consmsuwput, NULL, NULL, NULL, NULL, &consms_minfo, NULL};
static struct qinit consms_lrinit = {consmslrput, NULL, NULL, NULL, NULL, &consms_minfo, NULL};
static struct qinit consms_lwinit = {putq, consmslwserv, NULL, NULL, NULL, &consms_minfo, NULL};
static struct streamtab consms_strinfo = {&consms_urinit, &consms_uwinit, &consms_lrinit, &consms_lwinit};

STREAMS_DRIVER(consms, "consms", &consms_strinfo, D_MP | D_MTPERMOD, "/dev/mouse=0", NULL);
