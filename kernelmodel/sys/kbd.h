/*
 * Keyboards: types, shift masks, entries of key tables (kb(7M), keytables(4)).
 */
#ifndef STRSIM_SYS_KBD_H
#define STRSIM_SYS_KBD_H

#include "sys/types.h"

/* Types (KIOCTYPE). */
#define KB_USB 6
#define KB_PC 101

/* Modes (KIOCTRANS). */
#define TR_NONE 0
#define TR_ASCII 1
#define TR_EVENT 2
#define TR_UNTRANS_EVENT 3
/* KIOCTRANSABLE */
#define TR_CANNOT 0
#define TR_CAN 1

/* KIOCCMD */
#define KBD_CMD_BELL 2
#define KBD_CMD_NOBELL 3
#define KBD_CMD_GETLAYOUT 0x0f

/* Lights (KIOCSLED). */
#define LED_NUM_LOCK 0x1
#define LED_COMPOSE 0x2
#define LED_SCROLL_LOCK 0x4
#define LED_CAPS_LOCK 0x8

#define KBD_LAYOUT_US 0x21 /* country code of USB */

/* Shift mask; also kio_tablemask. */
#define CAPSMASK 0x0001
#define SHIFTMASK 0x000e
#define CTRLMASK 0x0030
#define UPMASK 0x0080
#define CTLSMASK 0x0100
#define ALTGRAPHMASK 0x0200
#define ALTMASK 0x0400
#define NUMLOCKMASK 0x0800
/* In place of a kio_tablemask: which keys abort. */
#define KIOCABORT1 (-1)
#define KIOCABORT2 (-2)

/* Entries of key tables: the high byte is the class. */
#define KEYCLASS(e) ((e)&0xff00)
#define SHIFTKEYS 0x100
#define BUCKYBITS 0x200
#define FUNNY 0x300
#define FA_CLASS 0x400
#define STRING 0x500
#define FUNCKEYS 0x600
#define PADKEYS 0x700

#define CAPSLOCK 0
#define SHIFTLOCK 1
#define LEFTSHIFT 2
#define RIGHTSHIFT 3
#define LEFTCTRL 4
#define RIGHTCTRL 5
#define ALTGRAPH 9
#define ALT 10
#define NUMLOCK 11
#define RIGHTALT 12

#define METABIT 0
#define SYSTEMBIT 1

#define NOP 0x300
#define HOLE 0x302
#define RESET 0x306
#define ERROR 0x307
#define IDLE 0x308
#define COMPOSE 0x309
#define NONL 0x30a

#define FA_UMLAUT 0x400
#define FA_CFLEX 0x401
#define FA_TILDE 0x402
#define FA_CEDILLA 0x403
#define FA_ACUTE 0x404
#define FA_GRAVE 0x405
#define FA_LAST FA_GRAVE

#define HOMEARROW 0x500
#define UPARROW 0x501
#define DOWNARROW 0x502
#define LEFTARROW 0x503
#define RIGHTARROW 0x504
#define NSTRINGS 16
#define KTAB_STRLEN 10

#define LF(n) (0x600 + (n)-1)
#define RF(n) (0x610 + (n)-1)
#define TF(n) (0x620 + (n)-1)
#define BF(n) (0x630 + (n)-1)

#define PADEQUAL 0x700
#define PADSLASH 0x701
#define PADSTAR 0x702
#define PADMINUS 0x703
#define PADSEP 0x704
#define PAD7 0x705
#define PAD8 0x706
#define PAD9 0x707
#define PADPLUS 0x708
#define PAD4 0x709
#define PAD5 0x70a
#define PAD6 0x70b
#define PAD1 0x70c
#define PAD2 0x70d
#define PAD3 0x70e
#define PAD0 0x70f
#define PADDOT 0x710
#define PADENTER 0x711
#define NPADKEYS 0x12

enum keystate { KEY_PRESSED = 0, KEY_RELEASED = 1 };

#endif
