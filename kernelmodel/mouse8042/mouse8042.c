/*
 * mouse8042: the driver of a PS/2 mouse.  It knows nothing of packets: each
 * byte of the mouse goes up as a message of its own, and what comes down as data
 * goes to the mouse.  vuid3ps2, pushed on it, speaks the mouse's language.
 *
 * There is one mouse.  It has two nodes, an external and an internal one;
 * the console's plumbing uses the internal one.
 */
#include "i8042/i8042.h"
#include "machine/machine.h"
#include "consconfig_dacf/consconfig.h"
#include "mouse8042/mouse8042.h"
#include "sys/errno.h"
#include "sys/stream.h"

#define MOUSE8042_EXTERNAL 0
#define MOUSE8042_INTERNAL 1
#define MOUSE8042_INTERNAL_NODE "/dev/internal_mouse"

struct mouse_state {
	queue_t *ms_rqp, *ms_wqp;
	i8042_port_t *ms_handle;
	minor_t ms_minor;
	bool ms_opened;
};

static KLOCAL struct mouse_state mouse;

/* ---- up ---- */

static uint_t mouse8042_intr(void *arg, void *unused)
{
	struct mouse_state *state = arg;
	uint_t rc = DDI_INTR_UNCLAIMED;
	mblk_t *mp;

	(void)unused;
	while (i8042_get8(state->ms_handle, I8042_INT_INPUT_AVAIL) != 0) {
		uint8_t byte = i8042_get8(state->ms_handle, I8042_INT_INPUT_DATA);

		rc = DDI_INTR_CLAIMED;
		if (state->ms_rqp == NULL || (mp = allocb(1, BPRI_MED)) == NULL)
			continue;
		*mp->b_wptr++ = byte;
		(void)putnext(state->ms_rqp, mp);
	}
	return (rc);
}

/* The machine slept and woke: say what a mouse says when it is switched on (AA 00), so that it is set up again. */
void mouse8042_resume(void)
{
	static const uchar_t announce[] = {0xaa, 0x00};
	mblk_t *mp;

	for (size_t i = 0; i < sizeof(announce) && mouse.ms_rqp != NULL; i++) {
		if ((mp = allocb(1, BPRI_MED)) == NULL)
			return;
		*mp->b_wptr++ = announce[i];
		(void)putnext(mouse.ms_rqp, mp);
	}
}

/* ---- down ---- */

static void mouse8042_data(const struct mouse_state *state, mblk_t *mp)
{
	for (const mblk_t *bp = mp; bp != NULL; bp = bp->b_cont)
		for (const uchar_t *p = bp->b_rptr; p < bp->b_wptr; p++)
			i8042_put8(state->ms_handle, I8042_INT_OUTPUT_DATA, *p);
	freemsg(mp);
}

/* No command is known here; an answer to a copy request is nobody's. */
static void mouse8042_nak(queue_t *q, mblk_t *mp)
{
	struct iocblk *iocp = (struct iocblk *)mp->b_rptr;

	DB_TYPE(mp) = M_IOCNAK;
	iocp->ioc_error = EINVAL;
	iocp->ioc_rval = 0;
	iocp->ioc_count = 0;
	qreply(q, mp);
}

static int mouse8042_wput(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_FLUSH:
		if (*mp->b_rptr & FLUSHW)
			flushq(q, FLUSHDATA);
		qreply(q, mp);
		break;
	case M_IOCTL:
	case M_IOCDATA:
		mouse8042_nak(q, mp);
		break;
	case M_DATA:
		mouse8042_data(q->q_ptr, mp);
		break;
	default:
		freemsg(mp);
		break;
	}
	return (0);
}

/* ---- open and close ---- */

/* The console has the mouse by its internal node: it gives it up while the external one is open. */
static int mouse8042_open(queue_t *q, dev_t *devp, int flag, int sflag, cred_t *cr)
{
	struct mouse_state *state = &mouse;
	minor_t minor = getminor(*devp);

	(void)flag;
	(void)sflag;
	(void)cr;
	if (state->ms_handle == NULL)
		return (ENXIO);
	if (state->ms_opened && state->ms_minor == minor)
		return (0);
	if (minor == MOUSE8042_EXTERNAL)
		consconfig_unlink(MOUSE8042_INTERNAL_NODE);
	if (state->ms_opened)
		return (EBUSY);
	q->q_ptr = WR(q)->q_ptr = state;
	state->ms_rqp = q;
	state->ms_wqp = WR(q);
	qprocson(q);
	state->ms_minor = minor;
	state->ms_opened = true;
	return (0);
}

static int mouse8042_close(queue_t *q, int flag, cred_t *cr)
{
	struct mouse_state *state = q->q_ptr;

	(void)flag;
	(void)cr;
	qprocsoff(q);
	q->q_ptr = WR(q)->q_ptr = NULL;
	state->ms_rqp = state->ms_wqp = NULL;
	state->ms_opened = false;
	if (state->ms_minor == MOUSE8042_EXTERNAL)
		consconfig_link(MOUSE8042_INTERNAL_NODE);
	return (0);
}

static void mouse8042_attach(void)
{
	mouse = (struct mouse_state){.ms_handle = i8042_map(I8042_AUX)};
	i8042_add_intr(mouse.ms_handle, mouse8042_intr, &mouse);
}

KERNEL_INIT(2, mouse8042_attach, NULL);

static struct module_info mouse8042_minfo = {23, "mouse8042", 0, INFPSZ, 256, 128};
static struct qinit mouse8042_rinit = {NULL, NULL, mouse8042_open, mouse8042_close, NULL, &mouse8042_minfo, NULL};
static struct qinit mouse8042_winit = {mouse8042_wput, NULL, NULL, NULL, NULL, &mouse8042_minfo, NULL};
static struct streamtab mouse8042_strinfo = {&mouse8042_rinit, &mouse8042_winit, NULL, NULL};

STREAMS_DRIVER(mouse8042, "mouse8042", &mouse8042_strinfo, D_MP, "/dev/mouse8042=0 " MOUSE8042_INTERNAL_NODE "=1",
	       NULL);
