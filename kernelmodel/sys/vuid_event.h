/*
 * Virtual user input devices (vuidmice(7M), kb(7M)): events and commands, with
 * the numbers and sizes of a 32-bit Solaris program.
 */
#ifndef STRSIM_SYS_VUID_EVENT_H
#define STRSIM_SYS_VUID_EVENT_H

#include "sys/stream.h"

#define VUIOC ('v' << 8)
#define VUIDSFORMAT (VUIOC | 11)     /* int * */
#define VUIDGFORMAT (VUIOC | 12)     /* int * */
#define VUIDSADDR (VUIOC | 13)       /* Vuid_addr_probe * */
#define VUIDGADDR (VUIOC | 14)       /* Vuid_addr_probe * */
#define VUIDGWHEELCOUNT (VUIOC | 15) /* int * */
#define VUIDGWHEELINFO (VUIOC | 16)  /* wheel_info * */
#define VUIDGWHEELSTATE (VUIOC | 17) /* wheel_state * */
#define VUIDSWHEELSTATE (VUIOC | 18) /* wheel_state * */
#define VUID_NATIVE 0
#define VUID_FIRM_EVENT 1

typedef struct vuid_addr_probe {
	short base;
	union {
		short next;
		short current;
	} data;
} Vuid_addr_probe;

/* What a program reads from a device in VUID_FIRM_EVENT format. */
typedef struct firm_event {
	ushort_t id;
	uchar_t pair_type, pair;
	int value;
	struct {
		int32_t tv_sec, tv_usec;
	} time;
} Firm_event;
#define FE_PAIR_NONE 0
#define FE_PAIR_SET 1
#define FE_PAIR_DELTA 2
#define FE_PAIR_ABSOLUTE 3

/* An id: the high byte is the segment of a device, the low byte the place in it. */
#define VUID_WHEEL 0x78
#define VKEY 0x7f
#define vuid_in_range(seg, id) (((id) >> 8) == (seg))
#define ASCII_FIRST 0
#define TOP_FIRST 0x0100
#define VUID_WHEEL_FIRST (VUID_WHEEL << 8)
#define VKEY_FIRST (VKEY << 8)
#define SHIFT_CAPSLOCK (VKEY_FIRST + 0) /* + number of the shift key (kbd.h) */
#define SHIFT_META (VKEY_FIRST + 6)
#define BUT_FIRST (VKEY_FIRST + 32) /* buttons of the mouse, from 1 */
#define BUT(i) (BUT_FIRST + (i)-1)
#define KEY_LEFTFIRST (VKEY_FIRST + 42) /* function keys at the left, from 1 */
#define KEY_RIGHTFIRST (VKEY_FIRST + 58)
#define KEY_TOPFIRST (VKEY_FIRST + 74)
#define KEY_BOTTOMFIRST (VKEY_FIRST + 90)
#define KEY_PADFIRST (VKEY_FIRST + 106)
#define LOC_X_DELTA (VKEY_FIRST + 128)
#define LOC_Y_DELTA (VKEY_FIRST + 129)
#define LOC_X_ABSOLUTE (VKEY_FIRST + 130)
#define LOC_Y_ABSOLUTE (VKEY_FIRST + 131)
#define MOUSE_CAP_CHANGE_NUM_BUT (VKEY_FIRST + 134)
#define MOUSE_CAP_CHANGE_NUM_WHEEL (VKEY_FIRST + 135)
#define KEYBOARD_LAYOUT_CHANGE (VKEY_FIRST + 137)

/* Wheels: a vertical and a horizontal one. */
#define VUID_WHEEL_MAX_COUNT 2
#define VUID_WHEEL_INFO_VERS 1
#define VUID_WHEEL_STATE_VERS 1
#define VUID_WHEEL_FORMAT_UNKNOWN 0
#define VUID_WHEEL_FORMAT_HORIZONTAL 1
#define VUID_WHEEL_FORMAT_VERTICAL 2
#define VUID_WHEEL_STATE_ENABLED 1
typedef struct wheel_info {
	int vers;
	int id; /* which wheel, from 0; the caller's */
	int format;
} wheel_info;
typedef struct wheel_state {
	int vers;
	int id;
	uint32_t stateflags;
} wheel_state;

/* A message that holds this event with the time of now; NULL without memory.  Inlined: no function of a module. */
ALWAYS_INLINE mblk_t *firm_event_msg(const Firm_event *event)
{
	mblk_t *mp = allocb(sizeof(*event), BPRI_HI);
	int64_t now = machine_walltime();
	Firm_event *fe;

	if (mp == NULL)
		return NULL;
	fe = (Firm_event *)mp->b_wptr;
	*fe = *event;
	fe->time.tv_sec = (int32_t)(now / 1000000000);
	fe->time.tv_usec = (int32_t)(now % 1000000000 / 1000);
	mp->b_wptr += sizeof(*fe);
	return mp;
}

#endif
