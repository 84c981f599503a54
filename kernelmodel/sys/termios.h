/*
 * Terminals (termio(7I)): structures and command numbers of Solaris, ILP32
 * sizes as the sheet of the stream head's conversions has them.
 */
#ifndef STRSIM_SYS_TERMIOS_H
#define STRSIM_SYS_TERMIOS_H

#include "sys/types.h"

#define NCC 8
#define NCCS 19

typedef uint_t tcflag_t;
typedef uchar_t cc_t;
typedef uint_t speed_t;

struct termios {
	tcflag_t c_iflag, c_oflag, c_cflag, c_lflag;
	cc_t c_cc[NCCS];
}; /* 36 bytes */

struct termio {
	ushort_t c_iflag, c_oflag, c_cflag, c_lflag;
	char c_line;
	uchar_t c_cc[NCC];
}; /* 18 bytes */

struct winsize {
	ushort_t ws_row, ws_col, ws_xpixel, ws_ypixel;
};

/* LDGETT, LDSETT */
struct termcb {
	char st_flgs, st_termt, st_crow, st_ccol, st_vrow, st_lrow;
};

/* TIOCGPPSEV */
struct ppsclockev {
	int tv_sec, tv_nsec;
	uint_t serial;
};

#define _TIOC ('T' << 8)
#define TCGETA (_TIOC | 1)
#define TCSETA (_TIOC | 2)
#define TCSETAW (_TIOC | 3)
#define TCSETAF (_TIOC | 4)
#define TCSBRK (_TIOC | 5)
#define TCXONC (_TIOC | 6)
#define TCFLSH (_TIOC | 7)
#define TIOCKBON (_TIOC | 8)
#define TIOCKBOF (_TIOC | 9)
#define KBENABLED (_TIOC | 10)
#define TCGETS (_TIOC | 13)
#define TCSETS (_TIOC | 14)
#define TCSETSW (_TIOC | 15)
#define TCSETSF (_TIOC | 16)
#define TCDSET (_TIOC | 32)
#define TIOCSWINSZ (_TIOC | 103)
#define TIOCGWINSZ (_TIOC | 104)
#define TIOCGSOFTCAR (_TIOC | 105)
#define TIOCSSOFTCAR (_TIOC | 106)
/* lower-case 't': the older half; the 4BSD ones are in sys/ttold.h */
#define tIOC ('t' << 8)
#define TIOCGPGRP (tIOC | 20)
#define TIOCSPGRP (tIOC | 21)
#define TIOCGSID (tIOC | 22)
#define TIOCSTI (tIOC | 23)
#define TIOCSPPS (_TIOC | 126)
#define TIOCGPPS (_TIOC | 125)
#define TIOCGPPSEV (_TIOC | 127)
/* line discipline */
#define LDIOC ('D' << 8)
#define LDOPEN (LDIOC | 0)
#define LDCLOSE (LDIOC | 1)
#define LDCHG (LDIOC | 2)
#define LDGETT (LDIOC | 8)
#define LDSETT (LDIOC | 9)
#define LDSMAP (LDIOC | 110)
#define LDGMAP (LDIOC | 111)
#define LDNMAP (LDIOC | 112)

#endif
