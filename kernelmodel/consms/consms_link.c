/*
 * consms: a mouse comes or goes.
 *
 * A new mouse is asked what it has and told what the others were: one ioctl
 * after the other, each waiting for its answer.  A mouse that refuses one is
 * linked all the same.  Then the link is acknowledged.
 */
#include <string.h>

#include "consms/consms.h"
#include "machine/machine.h"
#include "sys/errno.h"

static const int link_sequence[] = {MSIOBUTTONS,     VUIDGWHEELCOUNT, VUIDSFORMAT,
				    VUIDSWHEELSTATE, MSIOSETPARMS,    MSIOSRESOLUTION};
#define LINK_STEPS ((int)(sizeof(link_sequence) / sizeof(link_sequence[0])))
/* Room for the data of each of them. */
union link_data {
	int val;
	wheel_state ws;
	Ms_parms parms;
	Ms_screen_resolution resolution;
};

/* ---- capabilities ---- */

static void capability_event(int id, int value)
{
	Firm_event fe = {.id = (ushort_t)id, .value = value};
	mblk_t *mp;

	if (consms_state.upperqueue == NULL || (mp = firm_event_msg(&fe)) == NULL)
		return;
	(void)putnext(consms_state.upperqueue, mp);
}

/* Mice came or went: what the best of them has; who reads is told of a change. */
static void consms_capabilities(void)
{
	int buttons = 0, wheels = 0;
	bool newbuttons, newwheels;

	for (const consms_lq_t *lq = consms_state.lqueues; lq != NULL; lq = lq->lq_next) {
		buttons = MAX(buttons, lq->lq_num_buttons);
		wheels = MAX(wheels, lq->lq_num_wheels);
	}
	newbuttons = buttons != consms_state.num_buttons;
	newwheels = wheels != consms_state.num_wheels;
	consms_state.num_buttons = buttons;
	consms_state.num_wheels = wheels;
	if (newbuttons)
		capability_event(MOUSE_CAP_CHANGE_NUM_BUT, buttons);
	if (newwheels)
		capability_event(MOUSE_CAP_CHANGE_NUM_WHEEL, wheels);
}

/* ---- link ---- */

/* Data of a command: how many bytes. */
static size_t link_data(int cmd, union link_data *d)
{
	switch (cmd) {
	case VUIDSFORMAT:
		d->val = consms_state.format;
		return (sizeof(d->val));
	case VUIDSWHEELSTATE:
		d->ws.vers = VUID_WHEEL_STATE_VERS;
		d->ws.id = 0;
		d->ws.stateflags = consms_state.wheel_state_bf & 1 ? VUID_WHEEL_STATE_ENABLED : 0;
		return (sizeof(d->ws));
	case MSIOSETPARMS:
		d->parms = consms_state.ms_parms;
		return (sizeof(d->parms));
	case MSIOSRESOLUTION:
		d->resolution = consms_state.resolution;
		return (sizeof(d->resolution));
	default:
		return (0);
	}
}

/* Ask a mouse by a request of our own: false without memory. */
static bool link_request(const consms_lq_t *lq, int cmd)
{
	mblk_t *mp = mkiocb((uint_t)cmd);
	union link_data d;
	size_t size = link_data(cmd, &d);

	if (mp == NULL)
		return (false);
	if (size != 0) {
		if ((mp->b_cont = allocb(size, BPRI_HI)) == NULL) {
			freemsg(mp);
			return (false);
		}
		memcpy(mp->b_cont->b_wptr, &d, size);
		mp->b_cont->b_wptr += size;
		((struct iocblk *)mp->b_rptr)->ioc_count = (uint_t)size;
	}
	(void)putq(lq->lq_queue, mp);
	return (true);
}

static void link_free(consms_lq_t *lq)
{
	lq->lq_queue->q_ptr = RD(lq->lq_queue)->q_ptr = NULL;
	kmem_free(lq, sizeof(*lq));
}

/* The next question, or the end of them; memory that is short is the end of the link. */
static void link_step(consms_lq_t *lq)
{
	mblk_t *plink = lq->lq_pending_plink;
	queue_t *q = lq->lq_pending_queue;

	if (lq->lq_state < LINK_STEPS) {
		if (link_request(lq, link_sequence[lq->lq_state]))
			return;
		link_free(lq);
		miocnak(q, plink, 0, ENOMEM);
		return;
	}
	lq->lq_ioc_reply_func = NULL;
	lq->lq_pending_plink = NULL;
	lq->lq_pending_queue = NULL;
	lq->lq_next = consms_state.lqueues;
	consms_state.lqueues = lq;
	consms_state.nlqueues++;
	miocack(q, plink, 0, 0);
	consms_capabilities();
}

/* An answer counts when it is one and holds a number. */
static void link_reply(consms_lq_t *lq, mblk_t *mp)
{
	int cmd = link_sequence[lq->lq_state];

	if (DB_TYPE(mp) == M_IOCACK && miocpullup(mp, sizeof(int)) == 0) {
		if (cmd == MSIOBUTTONS)
			lq->lq_num_buttons = *(int *)mp->b_cont->b_rptr;
		else if (cmd == VUIDGWHEELCOUNT)
			lq->lq_num_wheels = *(int *)mp->b_cont->b_rptr;
	}
	freemsg(mp);
	lq->lq_state++;
	link_step(lq);
}

void consms_plink(queue_t *q, mblk_t *mp)
{
	const struct linkblk *lb = (const struct linkblk *)mp->b_cont->b_rptr;
	consms_lq_t *lq = kmem_zalloc(sizeof(*lq), KM_NOSLEEP);

	if (lq == NULL) {
		miocnak(q, mp, 0, ENOMEM);
		return;
	}
	lq->lq_queue = lb->l_qbot;
	lq->lq_ioc_reply_func = link_reply;
	lq->lq_pending_plink = mp;
	lq->lq_pending_queue = q;
	lq->lq_queue->q_ptr = RD(lq->lq_queue)->q_ptr = lq;
	link_step(lq);
}

/* ---- unlink ---- */

void consms_punlink(queue_t *q, mblk_t *mp)
{
	const struct linkblk *lb = (const struct linkblk *)mp->b_cont->b_rptr;
	consms_lq_t **pp = &consms_state.lqueues, *lq;

	while (*pp != NULL && (*pp)->lq_queue != lb->l_qbot)
		pp = &(*pp)->lq_next;
	if ((lq = *pp) == NULL) {
		miocnak(q, mp, 0, EINVAL);
		return;
	}
	*pp = lq->lq_next;
	consms_state.nlqueues--;
	consms_forget(lq);
	link_free(lq);
	miocack(q, mp, 0, 0);
	consms_capabilities();
}
