/*
 * vuid3ps2, second half: the bytes of a PS/2 mouse.
 *
 * One state machine eats every byte.  While the mouse is set up each byte must
 * be the answer to what was sent, and brings the next thing to send: that is the
 * table `dialogue'.  Afterwards bytes come in packets of three (a wheel: four):
 * a byte that differs from the first byte's fixed bit, or comes too late to
 * belong to what was before it, begins a packet anew, so that the machine falls
 * into step again after a byte was lost.
 *
 * What a packet says goes up as events as soon as it is known: buttons with the
 * first byte, the wheel with the fourth, motion with the last.
 */
#include "sys/errno.h"
#include "machine/machine.h"
#include "vuid3ps2/vuid3ps2.h"

#define RESET 0xff
#define ACK 0xfa
#define BAT 0xaa
#define PACKET_TICKS (HZ / 4) /* bytes of one packet are not further apart */
#define RESET_MS 500
#define GROUP_MS 500
#define SINGLE_MS 200
#define MAX_TRIES 5
#define EVENT_TRIES 3

/* ---- the dialogue ---- */

enum {
	W_RESET_ACK = PS2_WAIT_FIRST,
	W_RESET_BAT,
	W_RESET_ID,
	W_RES0_ACK,
	W_RES0_ARG_ACK,
	W_SCALE1_ACK,
	W_SCALE2_ACK,
	W_SCALE3_ACK,
	W_STATUS_ACK,
	W_STATUS1,
	W_STATUS2,
	W_STATUS3,
	W_RATE1_ACK, /* wheel probe */
	W_RATE1_ARG_ACK,
	W_RATE2_ACK,
	W_RATE2_ARG_ACK,
	W_RATE3_ACK,
	W_RATE3_ARG_ACK,
	W_ID_ACK,
	W_ID,
	W_5RATE1_ACK, /* five-button probe */
	W_5RATE1_ARG_ACK,
	W_5RATE2_ACK,
	W_5RATE2_ARG_ACK,
	W_5RATE3_ACK,
	W_5RATE3_ARG_ACK,
	W_5ID_ACK,
	W_5ID,
	W_RES3_ACK,
	W_RES3_ARG_ACK,
	W_STREAM_ACK,
	W_ON_ACK,
};

#define ANY (-1)
#define NOTHING (-1)
#define SAME 0 /* the running timeout goes on: the step is inside a group of commands */

/* In a state, this byte (or any) is answered by sending that one; next state; the time allowed for it. */
struct step {
	short expect, send;
	uchar_t next;
	short ms;
};
#define STEP(state, ...) [(state)-PS2_WAIT_FIRST] = {__VA_ARGS__}

static const struct step dialogue[] = {
    STEP(W_RESET_ACK, ACK, NOTHING, W_RESET_BAT, SAME),
    STEP(W_RESET_BAT, BAT, NOTHING, W_RESET_ID, SAME),
    STEP(W_RESET_ID, 0x00, 0xe8, W_RES0_ACK, GROUP_MS),
    STEP(W_RES0_ACK, ACK, 0x00, W_RES0_ARG_ACK, SAME),
    STEP(W_RES0_ARG_ACK, ACK, 0xe6, W_SCALE1_ACK, GROUP_MS),
    STEP(W_SCALE1_ACK, ACK, 0xe6, W_SCALE2_ACK, SAME),
    STEP(W_SCALE2_ACK, ACK, 0xe6, W_SCALE3_ACK, SAME),
    STEP(W_SCALE3_ACK, ACK, 0xe9, W_STATUS_ACK, GROUP_MS),
    STEP(W_STATUS_ACK, ACK, NOTHING, W_STATUS1, SAME),
    STEP(W_STATUS1, ANY, NOTHING, W_STATUS2, SAME),
    STEP(W_STATUS2, ANY, NOTHING, W_STATUS3, SAME),
    STEP(W_STATUS3, ANY, 0xf3, W_RATE1_ACK, GROUP_MS),
    STEP(W_RATE1_ACK, ACK, 200, W_RATE1_ARG_ACK, SAME),
    STEP(W_RATE1_ARG_ACK, ACK, 0xf3, W_RATE2_ACK, SAME),
    STEP(W_RATE2_ACK, ACK, 100, W_RATE2_ARG_ACK, SAME),
    STEP(W_RATE2_ARG_ACK, ACK, 0xf3, W_RATE3_ACK, SAME),
    STEP(W_RATE3_ACK, ACK, 80, W_RATE3_ARG_ACK, SAME),
    STEP(W_RATE3_ARG_ACK, ACK, 0xf2, W_ID_ACK, SINGLE_MS),
    STEP(W_ID_ACK, ACK, NOTHING, W_ID, SAME),
    STEP(W_ID, ANY, 0xf3, W_5RATE1_ACK, GROUP_MS),
    STEP(W_5RATE1_ACK, ACK, 200, W_5RATE1_ARG_ACK, SAME),
    STEP(W_5RATE1_ARG_ACK, ACK, 0xf3, W_5RATE2_ACK, SAME),
    STEP(W_5RATE2_ACK, ACK, 200, W_5RATE2_ARG_ACK, SAME),
    STEP(W_5RATE2_ARG_ACK, ACK, 0xf3, W_5RATE3_ACK, SAME),
    STEP(W_5RATE3_ACK, ACK, 80, W_5RATE3_ARG_ACK, SAME),
    STEP(W_5RATE3_ARG_ACK, ACK, 0xf2, W_5ID_ACK, SINGLE_MS),
    STEP(W_5ID_ACK, ACK, NOTHING, W_5ID, SAME),
    STEP(W_5ID, ANY, 0xe8, W_RES3_ACK, GROUP_MS),
    STEP(W_RES3_ACK, ACK, 0x03, W_RES3_ARG_ACK, SAME),
    STEP(W_RES3_ARG_ACK, ACK, 0xea, W_STREAM_ACK, SINGLE_MS),
    STEP(W_STREAM_ACK, ACK, 0xf4, W_ON_ACK, SINGLE_MS),
    STEP(W_ON_ACK, ACK, NOTHING, PS2_START, SAME),
};

/* Where the dialogue goes on when there are no (more) questions about a wheel. */
static const struct step no_wheel = {ANY, 0xe8, W_RES3_ACK, GROUP_MS};

/* One byte to the mouse.  Without memory it is not sent, and the timeout will begin again. */
static void put1(queue_t *wq, int byte)
{
	mblk_t *bp = allocb(1, BPRI_MED);

	if (bp == NULL)
		return;
	*bp->b_wptr++ = (uchar_t)byte;
	(void)putnext(wq, bp);
}

static void vuid3ps2_init_timeout(void *arg);

static void init_cancel(queue_t *q, struct MouseStateInfo *stp)
{
	timeout_id_t tid = stp->init_tid;

	stp->init_tid = 0;
	if (tid != 0)
		(void)quntimeout(q, tid);
}

static void init_timer(queue_t *q, struct MouseStateInfo *stp, int ms)
{
	init_cancel(q, stp);
	stp->init_tid = qtimeout(q, vuid3ps2_init_timeout, q, drv_usectohz(ms * 1000L));
}

static void init_begin(queue_t *q, struct MouseStateInfo *stp)
{
	stp->state = W_RESET_ACK;
	stp->vuid_mouse_mode = PS2_PLAIN;
	stp->wheel_state_bf = 0;
	stp->inited &= (uchar_t)~PS2_FLAG_INITED;
	init_timer(q, stp, RESET_MS);
	put1(WR(q), RESET);
}

/* Does a mouse that is silent here merely not know the commands about wheels? */
static bool init_at_probe(const struct MouseStateInfo *stp)
{
	switch (stp->state) {
	case W_RATE1_ACK:
	case W_RATE1_ARG_ACK:
	case W_RATE2_ARG_ACK:
	case W_RATE3_ARG_ACK:
		return (true);
	default:
		return (false);
	}
}

static void vuid3ps2_init_timeout(void *arg)
{
	queue_t *q = arg;
	struct MouseStateInfo *stp = q->q_ptr;

	stp->init_tid = 0;
	if (init_at_probe(stp))
		stp->inited |= PS2_FLAG_NO_EXTENDED;
	if (++stp->init_count >= MAX_TRIES)
		stp->inited |= PS2_FLAG_GIVEUP;
	else
		init_begin(q, stp);
}

/* The answer to a question says where to go: the number of buttons, no probe, a wheel, five buttons. */
static const struct step *init_answer(struct MouseStateInfo *stp, const struct step *step, uchar_t byte)
{
	switch (stp->state) {
	case W_STATUS2:
		stp->nbuttons = byte != 0 ? MIN(byte, VUID_MAX_BUTTONS) : 3;
		break;
	case W_STATUS3:
		if (stp->inited & PS2_FLAG_NO_EXTENDED)
			return (&no_wheel);
		break;
	case W_ID:
		if (byte != 3)
			return (&no_wheel);
		stp->vuid_mouse_mode = PS2_WHEEL;
		stp->wheel_state_bf = 1;
		break;
	case W_5ID:
		if (byte == 4) {
			stp->vuid_mouse_mode = PS2_WHEEL5;
			stp->nbuttons = 5;
		}
		break;
	default:
		break;
	}
	return (step);
}

/* A byte while the mouse is set up; what does not fit is ignored. */
static void init_byte(queue_t *q, struct MouseStateInfo *stp, uchar_t byte)
{
	const struct step *step = &dialogue[stp->state - PS2_WAIT_FIRST];

	if (step->expect != ANY && step->expect != byte)
		return;
	step = init_answer(stp, step, byte);
	stp->state = step->next;
	if (step->next == PS2_START)
		init_cancel(q, stp);
	else if (step->ms != SAME)
		init_timer(q, stp, step->ms);
	if (step->send != NOTHING)
		put1(WR(q), step->send);
}

/* ---- events ---- */

/* An event goes up; one for which there is no memory is lost. */
static void vuid3ps2_putnext(queue_t *q, int id, uchar_t pair_type, uchar_t pair, int value)
{
	const Firm_event fe = {.id = (ushort_t)id, .pair_type = pair_type, .pair = pair, .value = value};
	mblk_t *bp = NULL;

	for (int i = 0; i < EVENT_TRIES && bp == NULL; i++)
		bp = firm_event_msg(&fe);
	if (bp == NULL)
		return;
	if (canput(q->q_next))
		(void)putnext(q, bp);
	else
		(void)putbq(q, bp);
}

/* Every button that changed.  The mouse's bits are left, right, middle; the buttons' numbers go from left to right. */
static void sendButtonEvent(queue_t *q)
{
	static const uchar_t number[VUID_MAX_BUTTONS] = {1, 3, 2, 4, 5};
	const struct MouseStateInfo *stp = q->q_ptr;

	for (int b = 0; b < stp->nbuttons; b++) {
		uint_t mask = 1U << b;

		if ((stp->buttons ^ stp->oldbuttons) & mask)
			vuid3ps2_putnext(q, BUT(number[b]), FE_PAIR_NONE, 0, (stp->buttons & mask) != 0);
	}
}

static void send_click(queue_t *q, int button)
{
	vuid3ps2_putnext(q, BUT(button), FE_PAIR_NONE, 0, 1);
	vuid3ps2_putnext(q, BUT(button), FE_PAIR_NONE, 0, 0);
}

static void send_extra_buttons(queue_t *q, uchar_t byte)
{
	if (byte & 0x10)
		send_click(q, 4);
	else if (byte & 0x20)
		send_click(q, 5);
}

static void send_wheel(queue_t *q, const struct MouseStateInfo *stp, uchar_t byte)
{
	int z = byte & 0xf;

	if ((stp->wheel_state_bf & 1) && (z == 0xf || z == 1))
		vuid3ps2_putnext(q, VUID_WHEEL_FIRST, FE_PAIR_NONE, 0, z == 0xf ? 1 : -1);
	if ((stp->wheel_state_bf & 2) && (z == 9 || z == 7))
		vuid3ps2_putnext(q, VUID_WHEEL_FIRST + 1, FE_PAIR_NONE, 0, z == 9 ? 1 : -1);
}

/* ---- packets ---- */

/* Is byte, which should begin a packet, in step with the first one ever seen? */
ALWAYS_INLINE bool in_step(struct MouseStateInfo *stp, uchar_t byte)
{
	if (!(stp->inited & PS2_FLAG_INITED)) {
		stp->sync_byte = byte & 8;
		stp->inited |= PS2_FLAG_INITED;
	}
	return (byte & 8) == stp->sync_byte;
}

ALWAYS_INLINE void begin_motion(struct MouseStateInfo *stp, uchar_t byte)
{
	stp->deltay = byte & 0x20 ? -256 : 0;
	stp->deltax = byte & 0x10 ? -256 : 0;
	stp->state = byte == BAT ? PS2_MAYBE_REATTACH : PS2_BUTTON;
}

/* The state in which byte is to be taken: it may be the second half of a mouse's greeting, or late. */
ALWAYS_INLINE void place_byte(struct MouseStateInfo *stp, uchar_t byte, ulong_t elapsed)
{
	if (stp->state == PS2_MAYBE_REATTACH && byte != 0)
		stp->state = PS2_BUTTON;
	if ((stp->state == PS2_BUTTON || stp->state == PS2_DELTA_Y) && elapsed > PACKET_TICKS)
		stp->state = PS2_START;
}

static void reattach(queue_t *q, struct MouseStateInfo *stp)
{
	stp->init_count = 0;
	stp->inited &= (uchar_t)~PS2_FLAG_GIVEUP;
	init_begin(q, stp);
}

ALWAYS_INLINE uchar_t after_y(const struct MouseStateInfo *stp)
{
	switch (stp->vuid_mouse_mode) {
	case PS2_WHEEL:
		return PS2_WHEEL_DELTA_Z;
	case PS2_WHEEL5:
		return PS2_WHEEL5_DELTA_Z;
	default:
		return PS2_START;
	}
}

/* One function, since the senders of events and the service procedure are its neighbours in stacks. */
void vuid3ps2(queue_t *q, mblk_t *mp)
{
	struct MouseStateInfo *stp = q->q_ptr;
	ulong_t now = (ulong_t)ddi_get_lbolt(), elapsed = now - stp->last_event_lbolt;

	stp->last_event_lbolt = now;
	for (mblk_t *bp = mp; bp != NULL; bp = bp->b_cont) {
		while (bp->b_rptr < bp->b_wptr) {
			uchar_t byte = *bp->b_rptr++;
			bool complete = false;

			place_byte(stp, byte, elapsed);
			elapsed = 0; /* the rest of the message came with it */
			switch (stp->state) {
			case PS2_START:
				if (!in_step(stp, byte))
					break;
				stp->buttons = byte & 7;
				if (stp->buttons != stp->oldbuttons)
					sendButtonEvent(q);
				stp->oldbuttons = stp->buttons;
				begin_motion(stp, byte);
				break;
			case PS2_MAYBE_REATTACH:
				reattach(q, stp);
				break;
			case PS2_BUTTON:
				stp->deltax |= byte;
				stp->state = PS2_DELTA_Y;
				break;
			case PS2_DELTA_Y:
				stp->deltay |= byte;
				stp->state = after_y(stp);
				complete = stp->state == PS2_START;
				break;
			case PS2_WHEEL5_DELTA_Z:
				send_extra_buttons(q, byte);
				/* FALLTHROUGH */
			case PS2_WHEEL_DELTA_Z:
				send_wheel(q, stp, byte);
				stp->state = PS2_START;
				complete = true;
				break;
			default:
				init_byte(q, stp, byte);
				break;
			}
			/* What follows in the same message must begin a packet, or this was none. */
			if (!complete || (bp->b_rptr < bp->b_wptr && (*bp->b_rptr & 8) != stp->sync_byte))
				continue;
			if (stp->deltax != 0)
				vuid3ps2_putnext(q, LOC_X_DELTA, FE_PAIR_ABSOLUTE, LOC_X_ABSOLUTE & 0xff, stp->deltax);
			if (stp->deltay != 0)
				vuid3ps2_putnext(q, LOC_Y_DELTA, FE_PAIR_ABSOLUTE, LOC_Y_ABSOLUTE & 0xff, stp->deltay);
			stp->deltax = stp->deltay = 0;
		}
	}
	freemsg(mp);
}

int vuid3ps2_wheels(const struct MouseStateInfo *stp)
{
	return (stp->vuid_mouse_mode == PS2_PLAIN ? 0 : 1);
}

/* ---- open and close ---- */

int vuid3ps2_open(queue_t *q)
{
	struct MouseStateInfo *stp = q->q_ptr;

	stp->format = VUID_FIRM_EVENT;
	stp->inited = 0;
	stp->nbuttons = 3;
	init_begin(q, stp);
	while (stp->state != PS2_START && !(stp->inited & PS2_FLAG_GIVEUP))
		if (qwait_sig(q) == 0)
			return (EINTR);
	return (0);
}

void vuid3ps2_close(queue_t *q)
{
	init_cancel(q, q->q_ptr);
}
