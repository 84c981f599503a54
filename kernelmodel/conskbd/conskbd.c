/*
 * conskbd: the multiplexor that makes one keyboard of all.
 *
 * The keyboards below send presses and releases of USB stations, whatever they
 * are themselves.  What a key means is a matter of one instance of kbtrans for
 * all of them: it sends to minor 0 (/dev/kbd, the window system) when that has
 * asked for it, else to minor 1 (the console).
 *
 * A single old keyboard that cannot do that is bypassed: then messages go
 * through unchanged.
 *
 * Linking and unlinking, which change the list of keyboards, run alone in the
 * module (conskbd_link.c); an ioctl for all keyboards is in conskbd_mux.c.
 */
#include <string.h>

#include "conskbd/conskbd.h"
#include "machine/machine.h"
#include "sys/errno.h"
#include "sys/kbio.h"
#include "sys/stropts.h"

#define CONSKBD_REGULAR 0
#define CONSKBD_CONSOLE 1
/* Two stations of one place: which of them a layout has. */
#define KEY_BACKSLASH 49
#define KEY_NONUS 50

KLOCAL struct conskbd_state conskbd;

static const kbtrans_hw_callbacks_t conskbd_callbacks = {.setled = conskbd_streams_setled};

/* The read queue of who is typed at. */
static queue_t *current_queue(void)
{
	return (conskbd.conskbd_directio ? conskbd.conskbd_regqueue : conskbd.conskbd_consqueue);
}

/* ---- up, from a keyboard ---- */

/* Keys 49 and 50 are the same key under two names. */
ALWAYS_INLINE uchar_t key_alias(ushort_t id)
{
	if (id != KEY_BACKSLASH && id != KEY_NONUS)
		return (uchar_t)id;
	return kbtrans_streams_entry(conskbd.conskbd_kbtrans, KEY_NONUS) == HOLE ? KEY_BACKSLASH : KEY_NONUS;
}

static void conskbd_bypass(mblk_t *mp)
{
	queue_t *q = current_queue();

	if (q != NULL)
		(void)putnext(q, mp);
	else
		freemsg(mp);
}

/* Flushing one side is done here; the other combinations are nobody's. */
static void conskbd_lrflush(queue_t *q, mblk_t *mp)
{
	if (*mp->b_rptr == FLUSHR) {
		flushq(q, FLUSHDATA);
		freemsg(mp);
	} else if (*mp->b_rptr == FLUSHW) {
		flushq(WR(q), FLUSHDATA);
		qreply(q, mp);
	} else {
		freemsg(mp);
	}
}

static int conskbdlrput(queue_t *q, mblk_t *mp)
{
	conskbd_lower_queue_t *lqs = q->q_ptr;
	const Firm_event *fe = (const Firm_event *)mp->b_rptr;

	if (lqs == NULL) {
		freemsg(mp); /* not ours yet, or not any more */
		return (0);
	}
	switch (DB_TYPE(mp)) {
	case M_DATA:
		if (conskbd.conskbd_bypassed) {
			conskbd_bypass(mp);
			break;
		}
		if (MBLKL(mp) >= (ssize_t)sizeof(*fe) && conskbd.conskbd_kbtrans != NULL)
			conskbd_key(lqs, key_alias(fe->id), fe->value != 0 ? KEY_PRESSED : KEY_RELEASED);
		freemsg(mp);
		break;
	case M_IOCACK:
	case M_IOCNAK:
		conskbd_lqs_ack_complete(lqs, mp);
		break;
	case M_FLUSH:
		conskbd_lrflush(q, mp);
		break;
	default:
		freemsg(mp);
		break;
	}
	return (0);
}

/* ---- down, to a keyboard ---- */

static int conskbdlwserv(queue_t *q)
{
	mblk_t *mp;

	while (canput(q->q_next) && (mp = getq(q)) != NULL)
		(void)putnext(q, mp);
	return (0);
}

/* ---- down, from above ---- */

/* ACK with an int in place of the request's data. */
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

static int known_layout(void)
{
	return (conskbd.conskbd_layout < 0 ? KBD_LAYOUT_US : conskbd.conskbd_layout);
}

static void conskbd_command(queue_t *q, mblk_t *mp)
{
	if (conskbd.conskbd_lqueue_list == NULL || miocpullup(mp, sizeof(int)) != 0)
		miocnak(q, mp, 0, EINVAL);
	else if (*(int *)mp->b_cont->b_rptr == KBD_CMD_GETLAYOUT)
		ack_int(q, mp, known_layout());
	else
		conskbd_handle_downstream_msg(q, mp);
}

static void conskbd_setlayout(queue_t *q, mblk_t *mp)
{
	const struct iocblk *ioc = (const struct iocblk *)mp->b_rptr;

	if (ioc->ioc_count != TRANSPARENT || mp->b_cont == NULL) {
		miocnak(q, mp, 0, EINVAL);
		return;
	}
	conskbd.conskbd_layout = (int)*(intptr_t *)mp->b_cont->b_rptr;
	miocack(q, mp, 0, 0);
}

/* Only the superuser says whether the keyboard may stop the machine. */
static void conskbd_aborten(queue_t *q, mblk_t *mp)
{
	const struct iocblk *ioc = (const struct iocblk *)mp->b_rptr;
	int error = ioc->ioc_cr != NULL && ioc->ioc_cr->cr_uid != 0 ? EPERM : miocpullup(mp, sizeof(int));

	if (error != 0) {
		miocnak(q, mp, 0, error);
		return;
	}
	if (conskbd.conskbd_kbtrans != NULL)
		kbtrans_streams_set_abortable(conskbd.conskbd_kbtrans, *(int *)mp->b_cont->b_rptr != 0);
	miocack(q, mp, 0, 0);
}

static void conskbd_polledio(queue_t *q, mblk_t *mp)
{
	if (conskbd.conskbd_lqueue_list == NULL)
		miocnak(q, mp, 0, EINVAL);
	else
		conskbd_handle_downstream_msg(q, mp);
}

static void conskbd_ioctl(queue_t *q, mblk_t *mp)
{
	const struct iocblk *ioc = (const struct iocblk *)mp->b_rptr;

	switch (ioc->ioc_cmd) {
	case I_LINK:
	case I_PLINK:
		qwriter(q, mp, conskbd_link, PERIM_OUTER);
		break;
	case I_UNLINK:
	case I_PUNLINK:
		qwriter(q, mp, conskbd_unlink, PERIM_OUTER);
		break;
	case KIOCSKABORTEN:
		conskbd_aborten(q, mp);
		break;
	case KIOCLAYOUT:
		ack_int(q, mp, known_layout());
		break;
	case KIOCSLAYOUT:
		conskbd_setlayout(q, mp);
		break;
	case CONSOPENPOLLEDIO:
	case CONSCLOSEPOLLEDIO:
		conskbd_polledio(q, mp);
		break;
	case CONSSETABORTENABLE:
		miocack(q, mp, 0, 0);
		break;
	case KIOCCMD:
		conskbd_command(q, mp);
		break;
	default:
		miocnak(q, mp, 0, EINVAL);
		break;
	}
}

/* Where keys go; false: the command is not for us, or is refused here. */
static bool set_directio(queue_t *q, mblk_t *mp)
{
	int error = miocpullup(mp, sizeof(int)), on = error == 0 ? *(int *)mp->b_cont->b_rptr : -1;

	if (on != 0 && on != 1) {
		miocnak(q, mp, 0, EINVAL);
		return (false);
	}
	conskbd.conskbd_directio = on != 0;
	kbtrans_streams_set_queue(conskbd.conskbd_kbtrans, current_queue());
	return (true);
}

/* What of the library's ioctls is different here; true: answered. */
static bool conskbd_override(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) != M_IOCTL)
		return (false);
	switch (((struct iocblk *)mp->b_rptr)->ioc_cmd) {
	case KIOCGDIRECT:
		ack_int(q, mp, conskbd.conskbd_directio);
		return (true);
	case KIOCSDIRECT:
		return (!set_directio(q, mp));
	default:
		return (false);
	}
}

/* The library answers whoever asks, not whoever is typed at. */
static bool conskbd_library(queue_t *q, mblk_t *mp)
{
	struct kbtrans *kt = conskbd.conskbd_kbtrans;
	queue_t *saved = kbtrans_streams_get_queue(kt);
	enum kbtrans_message_response handled;

	kbtrans_streams_set_queue(kt, RD(q));
	handled = kbtrans_streams_message(kt, mp);
	kbtrans_streams_set_queue(kt, saved);
	return (handled == KBTRANS_MESSAGE_HANDLED);
}

static void conskbd_uwmsg(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_IOCTL:
		conskbd_ioctl(q, mp);
		break;
	case M_FLUSH:
		if (*mp->b_rptr & FLUSHW)
			flushq(q, FLUSHDATA);
		*mp->b_rptr &= (uchar_t)~FLUSHW;
		if (*mp->b_rptr & FLUSHR)
			qreply(q, mp);
		else
			freemsg(mp);
		break;
	case M_DATA:
		freemsg(mp);
		break;
	default:
		merror(q, mp, EINVAL);
		break;
	}
}

/* Links are ours even while the one keyboard is bypassed; all else goes to that. */
static bool is_link(const mblk_t *mp)
{
	int cmd = DB_TYPE(mp) == M_IOCTL ? ((const struct iocblk *)mp->b_rptr)->ioc_cmd : 0;

	return (cmd == I_LINK || cmd == I_PLINK || cmd == I_UNLINK || cmd == I_PUNLINK);
}

/* An ioctl is remembered, so that its answer finds who asked. */
static void conskbd_uwbypass(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) == M_IOCTL)
		conskbd_handle_downstream_msg(q, mp);
	else
		(void)putq(conskbd.conskbd_lqueue_list->lqs_queue, mp);
}

static int conskbduwsrv(queue_t *q)
{
	mblk_t *mp;

	while ((mp = getq(q)) != NULL) {
		if (conskbd.conskbd_bypassed && !is_link(mp)) {
			conskbd_uwbypass(q, mp);
			continue;
		}
		if (conskbd.conskbd_kbtrans != NULL && (conskbd_override(q, mp) || conskbd_library(q, mp)))
			continue;
		conskbd_uwmsg(q, mp);
	}
	return (0);
}

/* ---- open and close ---- */

static int open_console(queue_t *q, int sflag, cred_t *cr)
{
	int error = 0;

	if (conskbd.conskbd_consqueue == q)
		return (0);
	if (conskbd.conskbd_kbtrans == NULL) {
		error = kbtrans_streams_init(q, sflag, cr, NULL, &conskbd_callbacks, 0, &conskbd.conskbd_kbtrans);
		if (error != 0)
			return (error);
		kbtrans_streams_set_keyboard(conskbd.conskbd_kbtrans, KB_USB);
	}
	conskbd.conskbd_consqueue = q;
	kbtrans_streams_set_queue(conskbd.conskbd_kbtrans, current_queue());
	qprocson(q);
	return (0);
}

static int conskbdopen(queue_t *q, dev_t *devp, int flag, int sflag, cred_t *cr)
{
	(void)flag;
	switch (getminor(*devp)) {
	case CONSKBD_REGULAR:
		if (conskbd.conskbd_regqueue == q)
			return (0);
		conskbd.conskbd_regqueue = q;
		qprocson(q);
		return (0);
	case CONSKBD_CONSOLE:
		return (open_console(q, sflag, cr));
	default:
		return (ENODEV);
	}
}

static int conskbdclose(queue_t *q, int flag, cred_t *cr)
{
	(void)flag;
	(void)cr;
	if (q == conskbd.conskbd_regqueue)
		conskbd.conskbd_directio = false;
	if (conskbd.conskbd_kbtrans != NULL) {
		kbtrans_streams_untimeout(conskbd.conskbd_kbtrans, q);
		kbtrans_streams_set_queue(conskbd.conskbd_kbtrans,
					  q == conskbd.conskbd_consqueue ? NULL : conskbd.conskbd_consqueue);
	}
	qprocsoff(q);
	if (q == conskbd.conskbd_regqueue)
		conskbd.conskbd_regqueue = NULL;
	else
		conskbd.conskbd_consqueue = NULL;
	conskbd_drop(WR(q));
	return (0);
}

static void conskbd_init(void)
{
	memset(&conskbd, 0, sizeof(conskbd));
	conskbd.conskbd_layout = conskbd.conskbd_led_state = -1;
}

static void conskbd_fini(void)
{
	conskbd_lower_queue_t *lqs;

	while ((lqs = conskbd.conskbd_lqueue_list) != NULL) {
		conskbd.conskbd_lqueue_list = lqs->lqs_next;
		kmem_free(lqs, sizeof(*lqs));
	}
	if (conskbd.conskbd_kbtrans != NULL)
		kbtrans_streams_fini(conskbd.conskbd_kbtrans);
	conskbd.conskbd_kbtrans = NULL;
}

KERNEL_INIT(2, conskbd_init, conskbd_fini);

static struct module_info conskbd_minfo = {0, "conskbd", 0, 1024, 2048, 128};
static struct qinit conskbd_urinit = {NULL, NULL, conskbdopen, conskbdclose, NULL, &conskbd_minfo, NULL};
static struct qinit conskbd_uwinit = {putq, conskbduwsrv, NULL, NULL, NULL, &conskbd_minfo, NULL};
static struct qinit conskbd_lrinit = {conskbdlrput, NULL, NULL, NULL, NULL, &conskbd_minfo, NULL};
static struct qinit conskbd_lwinit = {putq, conskbdlwserv, NULL, NULL, NULL, &conskbd_minfo, NULL};
static struct streamtab conskbd_strinfo = {&conskbd_urinit, &conskbd_uwinit, &conskbd_lrinit, &conskbd_lwinit};

STREAMS_DRIVER(conskbd, "conskbd", &conskbd_strinfo, D_MP | D_MTOUTPERIM | D_MTOCEXCL, "/dev/kbd=0 /dev/conskbd1=1",
	       NULL);
