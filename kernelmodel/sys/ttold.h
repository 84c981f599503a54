/* Terminal commands and structures of older systems that ttcompat knows (ttcompat(7M)). */
#ifndef STRSIM_SYS_TTOLD_H
#define STRSIM_SYS_TTOLD_H

#include "sys/termios.h"

struct sgttyb {
	char sg_ispeed, sg_ospeed, sg_erase, sg_kill;
	int sg_flags;
}; /* 8 bytes */

struct tchars {
	char t_intrc, t_quitc, t_startc, t_stopc, t_eofc, t_brkc;
}; /* 6 bytes; -1 (0377) disables, as in ltchars */

struct ltchars {
	char t_suspc, t_dsuspc, t_rprntc, t_flushc, t_werasc, t_lnextc;
}; /* 6 bytes */

/* sg_flags; the upper half is the local mode word of TIOCLGET, TIOCLSET, TIOCLBIS, TIOCLBIC */
#define O_TANDEM 0x00000001
#define O_CBREAK 0x00000002
#define O_LCASE 0x00000004
#define O_ECHO 0x00000008
#define O_CRMOD 0x00000010
#define O_RAW 0x00000020
#define O_ODDP 0x00000040
#define O_EVENP 0x00000080
#define O_ANYP (O_ODDP | O_EVENP)
#define O_NLDELAY 0x00000300
#define O_NL1 0x00000100
#define O_NL2 0x00000200
#define O_NL3 0x00000300
#define O_TBDELAY 0x00000c00
#define O_TAB1 0x00000400
#define O_TAB2 0x00000800
#define O_XTABS 0x00000c00
#define O_CRDELAY 0x00003000
#define O_CR1 0x00001000
#define O_CR2 0x00002000
#define O_CR3 0x00003000
#define O_VTDELAY 0x00004000
#define O_BSDELAY 0x00008000
#define O_CRTBS 0x00010000
#define O_PRTERA 0x00020000
#define O_CRTERA 0x00040000
#define O_TILDE 0x00080000
#define O_MDMBUF 0x00100000
#define O_LITOUT 0x00200000
#define O_TOSTOP 0x00400000
#define O_FLUSHO 0x00800000
#define O_NOHANG 0x01000000
#define O_L001000 0x02000000
#define O_CRTKIL 0x04000000
#define O_PASS8 0x08000000
#define O_CTLECH 0x10000000
#define O_PENDIN 0x20000000
#define O_DECCTQ 0x40000000
#define O_NOFLSH 0x80000000U
/* Asks which commands the terminal knows: the answer is the class byte. */
#define IOCTYPE 0xff00
#define DIOC ('d' << 8)
#define DIOCGETP (DIOC | 8)
#define DIOCSETP (DIOC | 9)

struct ttysize {
	int ts_lines, ts_cols;
};

#define TIOCGETD (tIOC | 0)
#define TIOCSETD (tIOC | 1)
#define TIOCHPCL (tIOC | 2)
#define TIOCGETP (tIOC | 8)
#define TIOCSETP (tIOC | 9)
#define TIOCSETN (tIOC | 10)
#define TIOCEXCL (tIOC | 13)
#define TIOCNXCL (tIOC | 14)
#define TIOCFLUSH (tIOC | 16)
#define TIOCSETC (tIOC | 17)
#define TIOCGETC (tIOC | 18)
#define TIOCLBIS (tIOC | 127)
#define TIOCLBIC (tIOC | 126)
#define TIOCLSET (tIOC | 125)
#define TIOCLGET (tIOC | 124)
#define TIOCSBRK (tIOC | 123)
#define TIOCCBRK (tIOC | 122)
#define TIOCSDTR (tIOC | 121)
#define TIOCCDTR (tIOC | 120)
#define TIOCSLTC (tIOC | 117)
#define TIOCGLTC (tIOC | 116)
#define TIOCSTOP (tIOC | 111)
#define TIOCSTART (tIOC | 110)
#define TIOCREMOTE (tIOC | 30)
#define TIOCSIGNAL (tIOC | 31)
/* SunOS 4 window size: the size of the terminal in characters */
#define TIOCSSIZE ((int)0x80087425)
#define TIOCGSIZE 0x40087426

#endif
