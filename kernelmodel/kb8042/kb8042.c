/*
 * kb8042: the driver of the PC keyboard.
 *
 * Up: each byte from the controller is either the answer to what the keyboard
 * was told (the lights) or part of a scan code.  A whole code is a key, whose
 * repetitions by the hardware are dropped, and kbtrans makes events of it.
 *
 * Down: everything is queued; the service procedure lets kbtrans have the
 * ioctls that every keyboard has, and answers the rest.
 */
#include "kb8042/kb8042.h"
#include "machine/ps2.h"
#include "sys/cmn_err.h"
#include "sys/errno.h"
#include "sys/kbio.h"

#define KB_ACK 0xfa
#define KB_ENABLE 0xf4
#define KB_SETLED 0xed

static KLOCAL struct kb8042 kb8042;

/* ---- lights ---- */

/* The keyboard's own bits of what the software calls LED_... */
static uint8_t led_byte(int leds)
{
	return ((uint8_t)((leds & LED_SCROLL_LOCK ? 1 : 0) | (leds & LED_NUM_LOCK ? 2 : 0) |
			  (leds & LED_CAPS_LOCK ? 4 : 0)));
}

static void kb8042_send(struct kb8042 *kb, uint8_t byte)
{
	i8042_put8(kb->w_handle, I8042_INT_OUTPUT_DATA, byte);
}

/* Begin to tell the keyboard, unless it is being told something: then that goes on to this. */
static void kb8042_setled_start(struct kb8042 *kb)
{
	if (kb->command_state != KB_COMMAND_IDLE || kb->leds.desired == kb->leds.commanded)
		return;
	kb->command_state = KB_COMMAND_LED;
	kb8042_send(kb, KB_SETLED);
}

static void kb8042_setled(void *arg, int state)
{
	struct kb8042 *kb = arg;

	kb->leds.desired = state;
	kb8042_setled_start(kb);
}

static const kbtrans_hw_callbacks_t kb8042_callbacks = {.setled = kb8042_setled};

/* Is byte an answer that is waited for? */
static bool kb8042_command_answer(struct kb8042 *kb, uint8_t byte)
{
	if (kb->command_state == KB_COMMAND_IDLE || byte != KB_ACK)
		return (false);
	if (kb->command_state == KB_COMMAND_LED) {
		kb8042_send(kb, led_byte(kb->leds.desired));
		kb->leds.commanded = kb->leds.desired;
		kb->command_state = KB_COMMAND_WAIT;
	} else {
		kb->command_state = KB_COMMAND_IDLE;
		kb8042_setled_start(kb);
	}
	return (true);
}

/* ---- keys ---- */

/* Ctrl+Alt+D: true when the debugger took the key. */
static bool kb8042_debugger(struct kb8042 *kb, uchar_t station, enum keystate state)
{
	bool down = state == KEY_PRESSED;

	if (station == kb->debugger.mod1)
		kb->debugger.mod1_down = down;
	else if (station == kb->debugger.mod2)
		kb->debugger.mod2_down = down;
	else if (down && station == kb->debugger.trigger && kb->debugger.mod1_down && kb->debugger.mod2_down &&
		 kb->debugger.enabled) {
		abort_sequence_enter("keyboard abort sequence");
		return (true);
	}
	return (false);
}

/* A key that is held sends its press again and again.  Only the last one pressed does. */
static bool kb8042_autorepeat_detect(struct kb8042 *kb, uchar_t station, enum keystate state)
{
	if (state == KEY_RELEASED) {
		if (station == kb->kb_old_key_pos)
			kb->kb_old_key_pos = 0;
		return (false);
	}
	if (station == kb->kb_old_key_pos)
		return (true);
	kb->kb_old_key_pos = station;
	return (false);
}

static void kb8042_process_key(struct kb8042 *kb, uchar_t station, enum keystate state)
{
	uchar_t key = kb->simulated_kbd_type == KB_USB ? kb8042_usb_station(station) : station;

	if (key != 0)
		kbtrans_streams_key(kb->hw_kbtrans, key, state);
}

static void kb8042_received_byte(struct kb8042 *kb, uint8_t code)
{
	enum keystate state;
	uchar_t station;
	bool synthetic;

	if (!kb->w_init)
		return;
	if (!KeyboardConvertScan(kb, code, &station, &state, &synthetic))
		return;
	if (kb8042_debugger(kb, station, state) || kb->w_qp == NULL)
		return;
	if (kb8042_autorepeat_detect(kb, station, state))
		return;
	kb8042_process_key(kb, station, state);
	if (synthetic) {
		kb8042_process_key(kb, station, KEY_RELEASED);
		kb->kb_old_key_pos = 0; /* the next press is none of the hardware's repetitions */
	}
}

static uint_t kb8042_intr(void *arg, void *unused)
{
	struct kb8042 *kb = arg;
	uint_t rc = DDI_INTR_UNCLAIMED;

	(void)unused;
	while (i8042_get8(kb->w_handle, I8042_INT_INPUT_AVAIL) != 0) {
		uint8_t byte = i8042_get8(kb->w_handle, I8042_INT_INPUT_DATA);

		rc = DDI_INTR_CLAIMED;
		if (!kb8042_command_answer(kb, byte))
			kb8042_received_byte(kb, byte);
	}
	return (rc);
}

/* ---- polled input, for a debugger ---- */

static int kb8042_polled_ischar(void *arg)
{
	const struct kb8042 *kb = arg;

	return (i8042_get8(kb->w_handle, I8042_POLL_INPUT_AVAIL) != 0);
}

/* A byte of a scan code. */
static int kb8042_polled_getchar(void *arg)
{
	const struct kb8042 *kb = arg;

	return (i8042_get8(kb->w_handle, I8042_POLL_INPUT_DATA));
}

/* Keys that were down when the debugger came, or went up in it, are up afterwards. */
static void kb8042_polled_enter(void *arg)
{
	struct kb8042 *kb = arg;

	kb->kb_old_key_pos = 0;
	kb->parse_scan_state = SCAN_IDLE;
	kb->debugger.mod1_down = kb->debugger.mod2_down = false;
}

static void kb8042_polled_exit(void *arg)
{
	kb8042_polled_enter(arg);
}

/* ---- ioctls ---- */

static void beeper_on(void)
{
	ps2_outb(PS2_SYSCTL, (uint8_t)(ps2_inb(PS2_SYSCTL) | 3));
}

static void beeper_off(void)
{
	ps2_outb(PS2_SYSCTL, (uint8_t)(ps2_inb(PS2_SYSCTL) & ~3));
}

ALWAYS_INLINE void kb8042_command(int cmd)
{
	if (cmd == KBD_CMD_BELL)
		beeper_on();
	else if (cmd == KBD_CMD_NOBELL)
		beeper_off();
}

/* Put a value of size bytes into the request's answer: 0 or an error. */
static int kb8042_answer(mblk_t *mp, const void *val, size_t size)
{
	mblk_t *dp = allocb(size, BPRI_HI);

	if (dp == NULL)
		return (ENOMEM);
	for (size_t i = 0; i < size; i++)
		*dp->b_wptr++ = ((const uchar_t *)val)[i];
	mioc2ack(mp, dp, size, 0);
	return (0);
}

static int kb8042_layout(struct kb8042 *kb, mblk_t *mp)
{
	int layout = kb->simulated_kbd_type == KB_USB ? KBD_LAYOUT_US : kb->w_kblayout;

	return (kb8042_answer(mp, &layout, sizeof(layout)));
}

static int kb8042_setkbdtype(struct kb8042 *kb, mblk_t *mp)
{
	int error = miocpullup(mp, sizeof(int)), type;

	if (error != 0)
		return (error);
	type = *(int *)mp->b_cont->b_rptr;
	if (type != KB_PC && type != KB_USB)
		return (EINVAL);
	kb->simulated_kbd_type = type;
	kbtrans_streams_set_keyboard(kb->hw_kbtrans, type);
	return (0);
}

/* The argument itself of a transparent ioctl: 0 or EINVAL. */
static int transparent_arg(mblk_t *mp, intptr_t *argp)
{
	const struct iocblk *ioc = (const struct iocblk *)mp->b_rptr;

	if (ioc->ioc_count != TRANSPARENT || mp->b_cont == NULL)
		return (EINVAL);
	*argp = *(intptr_t *)mp->b_cont->b_rptr;
	return (0);
}

static void kb8042_ioctlmsg(queue_t *q, mblk_t *mp)
{
	struct kb8042 *kb = q->q_ptr;
	const struct iocblk *ioc = (const struct iocblk *)mp->b_rptr;
	cons_polledio_t *polledio = &kb->polledio;
	intptr_t arg = 0;
	int error = 0;

	switch (ioc->ioc_cmd) {
	case CONSOPENPOLLEDIO:
		if ((error = kb8042_answer(mp, &polledio, sizeof(polledio))) != 0)
			break;
		qreply(q, mp);
		return;
	case CONSCLOSEPOLLEDIO:
		break;
	case CONSSETABORTENABLE:
		if ((error = transparent_arg(mp, &arg)) == 0)
			kb->debugger.enabled = arg != 0;
		break;
	case CONSSETKBDTYPE:
		error = kb8042_setkbdtype(kb, mp);
		break;
	case KIOCLAYOUT:
		if ((error = kb8042_layout(kb, mp)) != 0)
			break;
		qreply(q, mp);
		return;
	case KIOCSLAYOUT:
		if ((error = transparent_arg(mp, &arg)) == 0)
			kb->w_kblayout = (int)arg;
		break;
	case KIOCCMD:
		if ((error = miocpullup(mp, sizeof(int))) == 0)
			kb8042_command(*(int *)mp->b_cont->b_rptr);
		break;
	default:
		error = EINVAL;
		break;
	}
	if (error == 0)
		miocack(q, mp, 0, 0);
	else
		miocnak(q, mp, 0, error);
}

/* ---- service ---- */

static void kb8042_iocdata(queue_t *q, mblk_t *mp)
{
	const struct copyresp *csp = (const struct copyresp *)mp->b_rptr;

	if (csp->cp_rval != 0) {
		freemsg(mp);
		return;
	}
	freemsg(unlinkb(mp));
	mp->b_wptr = mp->b_rptr + sizeof(struct iocblk);
	miocack(q, mp, 0, 0);
}

static void kb8042_flush(queue_t *q, mblk_t *mp)
{
	*mp->b_rptr &= (uchar_t)~FLUSHW;
	if (*mp->b_rptr & FLUSHR)
		qreply(q, mp);
	else
		freemsg(mp);
}

static int kb8042_wsrv(queue_t *q)
{
	struct kb8042 *kb = q->q_ptr;
	mblk_t *mp;

	while ((mp = getq(q)) != NULL) {
		if (kbtrans_streams_message(kb->hw_kbtrans, mp) == KBTRANS_MESSAGE_HANDLED)
			continue;
		switch (DB_TYPE(mp)) {
		case M_IOCTL:
			kb8042_ioctlmsg(q, mp);
			break;
		case M_IOCDATA:
			kb8042_iocdata(q, mp);
			break;
		case M_FLUSH:
			kb8042_flush(q, mp);
			break;
		case M_DELAY:
		case M_STARTI:
		case M_STOPI:
		case M_READ:
			freemsg(mp);
			break;
		default:
			cmn_err(CE_WARN, "kb8042: unexpected message type 0x%x", DB_TYPE(mp));
			freemsg(mp);
			break;
		}
	}
	return (0);
}

/* ---- open and close ---- */

/* The keyboard is switched on when somebody first wants it. */
static void kb8042_start(struct kb8042 *kb)
{
	if (kb->w_init)
		return;
	kb->w_init = true;
	kb->command_state = KB_COMMAND_WAIT;
	kb8042_send(kb, KB_ENABLE);
}

static int kb8042_open(queue_t *q, dev_t *devp, int flag, int sflag, cred_t *cr)
{
	struct kb8042 *kb = &kb8042;
	int error;

	(void)devp;
	(void)flag;
	if (q->q_ptr != NULL)
		return (0);
	error = kbtrans_streams_init(q, sflag, cr, kb, &kb8042_callbacks, kb->leds.commanded, &kb->hw_kbtrans);
	if (error != 0)
		return (error);
	kbtrans_streams_set_keyboard(kb->hw_kbtrans, KB_PC);
	kb->simulated_kbd_type = KB_PC;
	q->q_ptr = WR(q)->q_ptr = kb;
	kb->w_qp = q;
	qprocson(q);
	kb8042_start(kb);
	kbtrans_streams_enable(kb->hw_kbtrans);
	return (0);
}

static int kb8042_close(queue_t *q, int flag, cred_t *cr)
{
	struct kb8042 *kb = q->q_ptr;

	(void)flag;
	(void)cr;
	kb->w_qp = NULL;
	qprocsoff(q);
	kbtrans_streams_fini(kb->hw_kbtrans);
	kb->hw_kbtrans = NULL;
	kb->kb_old_key_pos = 0;
	q->q_ptr = WR(q)->q_ptr = NULL;
	return (0);
}

static void kb8042_attach(void)
{
	kb8042 = (struct kb8042){
	    .w_handle = i8042_map(I8042_MAIN),
	    .simulated_kbd_type = KB_PC,
	    .debugger = {.mod1 = 58, .mod2 = 60, .trigger = 33},
	    .polledio = {CONSPOLLEDIO_V1, &kb8042, kb8042_polled_ischar, kb8042_polled_getchar, kb8042_polled_enter,
			 kb8042_polled_exit},
	};
	i8042_add_intr(kb8042.w_handle, kb8042_intr, &kb8042);
}

KERNEL_INIT(2, kb8042_attach, NULL);

static struct module_info kb8042_minfo = {42, "kb8042", 0, 32, 256, 128};
static struct qinit kb8042_rinit = {NULL, NULL, kb8042_open, kb8042_close, NULL, &kb8042_minfo, NULL};
static struct qinit kb8042_winit = {putq, kb8042_wsrv, NULL, NULL, NULL, &kb8042_minfo, NULL};
static struct streamtab kb8042_strinfo = {&kb8042_rinit, &kb8042_winit, NULL, NULL};

STREAMS_DRIVER(kb8042, "kb8042", &kb8042_strinfo, D_MP, "/dev/kb8042=0", NULL);
