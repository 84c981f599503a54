/* vuid3ps2: between its two halves, the generic one (vuidmice.c) and the PS/2 protocol (vuid3ps2.c). */
#ifndef STRSIM_VUID3PS2_H
#define STRSIM_VUID3PS2_H

#include "sys/strsubr.h"
#include "sys/vuid_event.h"

#define VUID_MAX_BUTTONS 5

/* vuid_mouse_mode */
#define PS2_PLAIN 0
#define PS2_WHEEL 1
#define PS2_WHEEL5 2

/* inited */
#define PS2_FLAG_INITED 0x01      /* sync_byte is known */
#define PS2_FLAG_GIVEUP 0x02      /* the mouse does not answer */
#define PS2_FLAG_NO_EXTENDED 0x08 /* it does not know the commands that find a wheel */

/* state: what the next byte is.  From PS2_WAIT_FIRST on the mouse is being set up. */
enum vuid_state {
	PS2_START,
	PS2_BUTTON,
	PS2_MAYBE_REATTACH,
	PS2_DELTA_Y,
	PS2_WHEEL_DELTA_Z,
	PS2_WHEEL5_DELTA_Z,
	PS2_WAIT_FIRST,
};

/* A mouse: q_ptr of both queues. */
struct MouseStateInfo {
	ulong_t last_event_lbolt; /* when the last byte was looked at */
	uchar_t wheel_state_bf;   /* bit n: wheel n is enabled */
	uchar_t format;           /* VUID_NATIVE, VUID_FIRM_EVENT */
	uchar_t state;
	uchar_t buttons, oldbuttons;
	uchar_t sync_byte, inited, nbuttons;
	int deltax, deltay;
	int vuid_mouse_mode;
	timeout_id_t init_tid;
	int init_count;
	queue_t *rq;
};

/* Set the mouse up: 0, also when it never answers; the caller's thread sleeps meanwhile. */
int vuid3ps2_open(queue_t *q);
void vuid3ps2_close(queue_t *q);
/* Bytes from the mouse; frees mp. */
void vuid3ps2(queue_t *q, mblk_t *mp);
/* Wheels it has: 0 or 1. */
int vuid3ps2_wheels(const struct MouseStateInfo *stp);

#endif
