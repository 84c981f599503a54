/* Between the files of kb8042: the driver (kb8042.c) and the scan codes (kb8042_scan.c). */
#ifndef STRSIM_KB8042_H
#define STRSIM_KB8042_H

#include "i8042/i8042.h"
#include "sys/consdev.h"
#include "sys/kbtrans.h"

/* Where the decoder is within a key's code. */
enum scan_state { SCAN_IDLE, SCAN_E0, SCAN_E1, SCAN_E1_1D };

/* What the keyboard is being told. */
enum command_state { KB_COMMAND_IDLE, KB_COMMAND_LED, KB_COMMAND_WAIT };

struct kb8042 {
	i8042_port_t *w_handle;
	bool w_init;
	queue_t *w_qp;          /* read queue; NULL: closed */
	int w_kblayout;         /* KIOCSLAYOUT; 0 = US */
	uchar_t kb_old_key_pos; /* the key that the hardware would repeat */
	enum command_state command_state;
	struct {
		int desired, commanded;
	} leds; /* LED_... */
	enum scan_state parse_scan_state;
	struct kbtrans *hw_kbtrans;
	cons_polledio_t polledio;
	struct {
		uint_t mod1, mod2, trigger; /* stations */
		bool mod1_down, mod2_down, enabled;
	} debugger;
	int simulated_kbd_type; /* KB_PC, or KB_USB below conskbd */
};

/*
 * One byte of set 1: true when it ends a key, whose PC station and direction
 * are stored.  *synthetic is set for keys that send no release of their own.
 */
bool KeyboardConvertScan(struct kb8042 *kb, uint8_t code, uchar_t *station, enum keystate *state, bool *synthetic);
/* USB station of a PC station; 0 none. */
uchar_t kb8042_usb_station(uchar_t pc);

#endif
