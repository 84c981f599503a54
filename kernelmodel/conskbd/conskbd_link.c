/*
 * conskbd: a keyboard comes or goes.
 *
 * A new keyboard is told to number its keys like a USB one and not to translate
 * them, asked for its layout, and its lights are made the same as the others'.
 * Each is one ioctl that is answered before the next one is sent; the answer to
 * the last one ends the link.  A keyboard that will not be told is an old one,
 * which is good for being the only one.
 */
#include <string.h>

#include "conskbd/conskbd.h"
#include "machine/machine.h"
#include "sys/errno.h"
#include "sys/kbio.h"

/* ---- requests of our own ---- */

/* Ask a keyboard; false without memory. */
static bool conskbd_request(const conskbd_lower_queue_t *lqs, int cmd, const void *data, size_t size)
{
	mblk_t *mp = mkiocb((uint_t)cmd);

	if (mp == NULL)
		return (false);
	if (size != 0) {
		if ((mp->b_cont = allocb(size, BPRI_HI)) == NULL) {
			freemsg(mp);
			return (false);
		}
		memcpy(mp->b_cont->b_wptr, data, size);
		mp->b_cont->b_wptr += size;
		((struct iocblk *)mp->b_rptr)->ioc_count = (uint_t)size;
	}
	(void)putq(lqs->lqs_queue, mp);
	return (true);
}

static bool request_int(const conskbd_lower_queue_t *lqs, int cmd, int val)
{
	return (conskbd_request(lqs, cmd, &val, sizeof(val)));
}

static bool request_led(const conskbd_lower_queue_t *lqs, int state)
{
	uchar_t leds = (uchar_t)state;

	return (conskbd_request(lqs, KIOCSLED, &leds, sizeof(leds)));
}

void conskbd_streams_setled(void *hw, int state)
{
	(void)hw;
	conskbd.conskbd_led_state = state;
	for (conskbd_lower_queue_t *lqs = conskbd.conskbd_lqueue_list; lqs != NULL; lqs = lqs->lqs_next)
		(void)request_led(lqs, state);
}

/* ---- the ends of a link ---- */

/* Answer the I_PLINK with an error; the keyboard is nobody's. */
static void link_refuse(conskbd_lower_queue_t *lqs, int error)
{
	queue_t *q = lqs->lqs_pending_queue;
	mblk_t *mp = lqs->lqs_pending_plink;

	lqs->lqs_queue->q_ptr = RD(lqs->lqs_queue)->q_ptr = NULL;
	kmem_free(lqs, sizeof(*lqs));
	miocnak(q, mp, 0, error);
}

static void link_done(conskbd_lower_queue_t *lqs, enum conskbd_lqs_state state)
{
	queue_t *q = lqs->lqs_pending_queue;
	mblk_t *mp = lqs->lqs_pending_plink;

	lqs->lqs_state = state;
	lqs->lqs_pending_queue = NULL;
	lqs->lqs_pending_plink = NULL;
	lqs->lqs_next = conskbd.conskbd_lqueue_list;
	conskbd.conskbd_lqueue_list = lqs;
	conskbd.conskbd_lqueue_nums++;
	miocack(q, mp, 0, 0);
}

/* Alone in the module, with the last answer. */
static void link_complete(queue_t *q, mblk_t *mp)
{
	freemsg(mp);
	link_done(q->q_ptr, LQS_INITIALIZED);
}

/* An old keyboard is taken when it is the only one. */
static void link_legacy(queue_t *q, mblk_t *mp)
{
	conskbd_lower_queue_t *lqs = q->q_ptr;

	freemsg(mp);
	if (conskbd.conskbd_lqueue_list != NULL) {
		link_refuse(lqs, EINVAL);
		return;
	}
	conskbd.conskbd_bypassed = true;
	link_done(lqs, LQS_INITIALIZED_LEGACY);
}

/* ---- the answers, one after the other ---- */

/* Go on to a state if what leads there could be sent. */
static void link_next(conskbd_lower_queue_t *lqs, enum conskbd_lqs_state state, bool sent)
{
	if (sent)
		lqs->lqs_state = state;
	else
		link_refuse(lqs, ENOMEM);
}

static void kioctype_complete(conskbd_lower_queue_t *lqs, mblk_t *mp)
{
	if (DB_TYPE(mp) != M_IOCACK) {
		qwriter(lqs->lqs_queue, mp, link_legacy, PERIM_OUTER);
		return;
	}
	freemsg(mp);
	link_next(lqs, LQS_KIOCTRANS_ACK_PENDING, request_int(lqs, KIOCTRANS, TR_UNTRANS_EVENT));
}

static void kioctrans_complete(conskbd_lower_queue_t *lqs, mblk_t *mp)
{
	int error = ((struct iocblk *)mp->b_rptr)->ioc_error;

	if (DB_TYPE(mp) != M_IOCACK) {
		freemsg(mp);
		link_refuse(lqs, error != 0 ? error : EINVAL);
		return;
	}
	freemsg(mp);
	link_next(lqs, LQS_KIOCLAYOUT_ACK_PENDING, conskbd_request(lqs, KIOCLAYOUT, NULL, 0));
}

/* Whoever reads keys is told of the layout. */
static void layout_event(int layout)
{
	Firm_event fe = {.id = KEYBOARD_LAYOUT_CHANGE, .value = layout};
	mblk_t *mp;

	if (!conskbd.conskbd_directio || conskbd.conskbd_regqueue == NULL || (mp = firm_event_msg(&fe)) == NULL)
		return;
	(void)putnext(conskbd.conskbd_regqueue, mp);
}

/* The first keyboard gives all their layout; one that does not know it has the backup. */
static void take_layout(int layout)
{
	if (conskbd.conskbd_layout >= 0)
		return;
	conskbd.conskbd_layout = layout != 0 ? layout : KBD_LAYOUT_US;
	layout_event(conskbd.conskbd_layout);
}

static void kioclayout_complete(conskbd_lower_queue_t *lqs, mblk_t *mp)
{
	bool sent;

	if (DB_TYPE(mp) == M_IOCACK && miocpullup(mp, sizeof(int)) == 0)
		take_layout(*(int *)mp->b_cont->b_rptr);
	freemsg(mp);
	if (conskbd.conskbd_led_state < 0)
		sent = conskbd_request(lqs, KIOCGLED, NULL, 0);
	else
		sent = request_led(lqs, conskbd.conskbd_led_state);
	link_next(lqs, LQS_KIOCSLED_ACK_PENDING, sent);
}

static void kiocsled_complete(conskbd_lower_queue_t *lqs, mblk_t *mp)
{
	if (conskbd.conskbd_led_state < 0 && DB_TYPE(mp) == M_IOCACK && miocpullup(mp, 1) == 0) {
		conskbd.conskbd_led_state = *mp->b_cont->b_rptr;
		if (conskbd.conskbd_kbtrans != NULL)
			kbtrans_streams_set_led_state(conskbd.conskbd_kbtrans, conskbd.conskbd_led_state);
	}
	qwriter(lqs->lqs_queue, mp, link_complete, PERIM_OUTER);
}

void conskbd_lqs_ack_complete(conskbd_lower_queue_t *lqs, mblk_t *mp)
{
	switch (lqs->lqs_state) {
	case LQS_INITIALIZED:
		conskbd_mux_upstream_msg(lqs, mp);
		break;
	case LQS_INITIALIZED_LEGACY:
		conskbd_legacy_upstream_msg(mp);
		break;
	case LQS_KIOCSLED_ACK_PENDING:
		kiocsled_complete(lqs, mp);
		break;
	case LQS_KIOCLAYOUT_ACK_PENDING:
		kioclayout_complete(lqs, mp);
		break;
	case LQS_KIOCTRANS_ACK_PENDING:
		kioctrans_complete(lqs, mp);
		break;
	case LQS_KIOCTYPE_ACK_PENDING:
		kioctype_complete(lqs, mp);
		break;
	default:
		freemsg(mp);
		break;
	}
}

/* ---- link ---- */

void conskbd_link(queue_t *q, mblk_t *mp)
{
	const struct linkblk *lb = (const struct linkblk *)mp->b_cont->b_rptr;
	conskbd_lower_queue_t *lqs;

	if (conskbd.conskbd_bypassed) {
		miocnak(q, mp, 0, EINVAL);
		return;
	}
	if ((lqs = kmem_zalloc(sizeof(*lqs), KM_NOSLEEP)) == NULL) {
		miocnak(q, mp, 0, ENOMEM);
		return;
	}
	memset(lqs->lqs_key_state, KEY_RELEASED, sizeof(lqs->lqs_key_state));
	lqs->lqs_queue = lb->l_qbot;
	lqs->lqs_pending_queue = q;
	lqs->lqs_pending_plink = mp;
	lqs->lqs_queue->q_ptr = RD(lqs->lqs_queue)->q_ptr = lqs;
	link_next(lqs, LQS_KIOCTYPE_ACK_PENDING, request_int(lqs, CONSSETKBDTYPE, KB_USB));
}

/* ---- unlink ---- */

/* Its keys that are down will never be released: they are now. */
static void release_keys(conskbd_lower_queue_t *lqs)
{
	for (uint_t id = 0; id < CONSKBD_NKEYS && conskbd.conskbd_kbtrans != NULL; id++)
		if (lqs->lqs_key_state[id] == KEY_PRESSED)
			conskbd_key(lqs, (uchar_t)id, KEY_RELEASED);
}

void conskbd_unlink(queue_t *q, mblk_t *mp)
{
	const struct linkblk *lb = (const struct linkblk *)mp->b_cont->b_rptr;
	conskbd_lower_queue_t **pp = &conskbd.conskbd_lqueue_list, *lqs;

	while (*pp != NULL && (*pp)->lqs_queue != lb->l_qbot)
		pp = &(*pp)->lqs_next;
	if ((lqs = *pp) == NULL) {
		miocnak(q, mp, 0, EINVAL);
		return;
	}
	*pp = lqs->lqs_next;
	conskbd.conskbd_lqueue_nums--;
	release_keys(lqs);
	conskbd_forget(lqs);
	if (lqs->lqs_state == LQS_INITIALIZED_LEGACY)
		conskbd.conskbd_bypassed = false;
	lqs->lqs_queue->q_ptr = RD(lqs->lqs_queue)->q_ptr = NULL;
	kmem_free(lqs, sizeof(*lqs));
	miocack(q, mp, 0, 0);
}
