/*
 * The PC's keyboard controller (8042 class) with its keyboard and its PS/2
 * mouse, down to the bytes on the two cables.
 *
 * Theory.  The controller has one output byte, that is, one that the processor
 * reads.  Each port has a line of bytes that its device wants to send, each with
 * the time it is due; the first one that is due goes into the output byte
 * when that is free, and the port's interrupt line is raised.  So a driver that
 * does not read stops both devices, and nothing is lost in the hardware.
 *
 * The keyboard is modelled with the controller's translation on: what it sends
 * are set 1 codes.  The mouse speaks the standard protocol: plain (three bytes a
 * packet), with a wheel or with a wheel and five buttons, which it admits to
 * when it is asked by the known sequences of sample rates.  A command to a
 * device drops what that device had not sent yet.
 *
 * NOTRACE, like all of the machine.  Everything here is of the running kernel
 * instance, and is as after power-on when machine_init() returns.
 */
#ifndef STRSIM_PS2_H
#define STRSIM_PS2_H

#include "sys/types.h"
#include "machine/machine.h"

/* ---- stimuli, for whoever uses the laptop; from the host's stack, an event or any thread ---- */

/* Codes of the keyboard, set 1, 1 ms apart: the first now, or 1 ms after the last one that waits. */
void ps2_key_bytes(const uint8_t *set1, size_t n);
/*
 * One packet of the mouse, its bytes 2 ms apart, from now or 2 ms after the last one that waits.
 * buttons: 1 left, 2 right, 4 middle, 8 fourth, 16 fifth.  dx to the right, dy upwards: clipped to -256..255;
 * dz, the wheel, towards the user: clipped to -8..7 (a mouse without one ignores it).  Returns the number of bytes;
 * 0 when the mouse is not enabled or not plugged in.
 */
int ps2_mouse_packet(uint_t buttons, int dx, int dy, int dz);
/* A packet of motion with the buttons as they are; one with these buttons and no motion. */
int ps2_mouse_move(int dx, int dy, int dz);
int ps2_mouse_buttons(uint_t mask);
/* Any bytes from the mouse, as in a packet. */
void ps2_mouse_bytes(const uint8_t *raw, size_t n);

/* What the mouse is; takes effect when it is reset.  Plain at boot. */
enum ps2_mouse_kind { PS2_MOUSE_PLAIN, PS2_MOUSE_WHEEL, PS2_MOUSE_WHEEL5 };
void ps2_mouse_set_kind(enum ps2_mouse_kind kind);
/* The number of buttons it answers to a status request that three "scaling 1:1" precede; 0 (at boot) = it does not
 * know that and answers its resolution. */
void ps2_mouse_set_nbuttons(uint_t n);
/* Unplug (false), or plug in again: then it announces itself by AA 00, as at power-on. */
void ps2_mouse_plug(bool in);
/* Let the n-th command or argument byte from now and all later ones go unanswered (0 = off). */
void ps2_mouse_deaf(long n);
/* A command it does not know and does not answer (0 = none). */
void ps2_mouse_ignore(uint8_t cmd);
/* Bytes sent to the mouse since boot, newest last: at most max of them are copied; how many there are in all. */
size_t ps2_mouse_commands(uint8_t *buf, size_t max);
bool ps2_mouse_enabled(void);

/* The keyboard's lights: 1 scroll, 2 num, 4 caps. */
uint_t ps2_leds(void);
/* Does the loudspeaker sound (system control port, 0x61)? */
bool ps2_speaker(void);

/* ---- keys ---- */

typedef struct ps2_key {
	const char *pk_name;    /* "a", "1", ";", "enter", "left shift", "kp 7" */
	uint8_t pk_set1[2];     /* make code; pk_set1[0] is E0 for an extended key, else 0 */
	uint8_t pk_pc;          /* PC station */
	uint8_t pk_usb;         /* USB station: the id of its events at /dev/kbd */
	signed char pk_char[2]; /* US meaning as a character, plain and with Shift; -1 none */
	short pk_ctrl;          /* with Ctrl; -1 the same as without */
} ps2_key_t;

/* The key of this name (letters' case does not matter), or NULL. */
const ps2_key_t *ps2_key_lookup(const char *name);
/* Its code for pressing or releasing it: 1 or 2 bytes into code; how many. */
size_t ps2_key_code(const ps2_key_t *key, bool press, uint8_t code[2]);
/* All keys in the order of their PC stations; NULL behind the last one. */
const ps2_key_t *ps2_key_nth(size_t n);
#define PS2_SHIFT 1
#define PS2_CTRL 2
/* The key that gives this character, and what must be held with it (*mods = PS2_SHIFT or PS2_CTRL or 0); NULL when no
 * key does.  Newline is the Enter key, like carriage return. */
const ps2_key_t *ps2_char_key(int ch, uint_t *mods);
/* What a client of the US layout makes of a USB station (id of an event) with these modifiers: a character, or -1. */
int ps2_usb_char(uint_t usb, uint_t mods);

/* ---- the controller, as its driver sees it ---- */

#define PS2_IRQ_KBD 1
#define PS2_IRQ_MOUSE 12
/* Ports, from I/O base 0x60. */
#define PS2_DATA 0
#define PS2_SYSCTL 1 /* bits 0 and 1 together: loudspeaker on */
#define PS2_STAT 4   /* read */
#define PS2_CMD 4    /* write */
/* Status. */
#define PS2_OUTBF 0x01
#define PS2_INBF 0x02
#define PS2_AUXBF 0x20
/* Commands. */
#define PS2_CMD_RCB 0x20
#define PS2_CMD_WCB 0x60
#define PS2_CMD_WRAUX 0xd4
/* Command byte. */
#define PS2_CB_KBDINT 0x01
#define PS2_CB_AUXINT 0x02
#define PS2_CB_SYS 0x04
#define PS2_CB_KBDOFF 0x10
#define PS2_CB_AUXOFF 0x20
#define PS2_CB_XLATE 0x40

uint8_t ps2_inb(uint_t port);
void ps2_outb(uint_t port, uint8_t val);

#endif
