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

/* c_iflag */
#define IGNBRK 0000001
#define BRKINT 0000002
#define IGNPAR 0000004
#define PARMRK 0000010
#define INPCK 0000020
#define ISTRIP 0000040
#define INLCR 0000100
#define IGNCR 0000200
#define ICRNL 0000400
#define IUCLC 0001000
#define IXON 0002000
#define IXANY 0004000
#define IXOFF 0010000
#define IMAXBEL 0020000
/* c_oflag */
#define OPOST 0000001
#define OLCUC 0000002
#define ONLCR 0000004
#define OCRNL 0000010
#define ONOCR 0000020
#define ONLRET 0000040
#define OFILL 0000100
#define OFDEL 0000200
#define NLDLY 0000400
#define NL1 0000400 /* 0: no delay; CRx, TABx and so on likewise */
#define CRDLY 0003000
#define CR1 0001000
#define CR2 0002000
#define CR3 0003000
#define TABDLY 0014000
#define TAB1 0004000
#define TAB2 0010000
#define TAB3 0014000
#define XTABS TAB3
#define BSDLY 0020000
#define VTDLY 0040000
#define FFDLY 0100000
/* c_cflag */
#define CBAUD 0000017
#define CSIZE 0000060
#define CS5 0000000
#define CS6 0000020
#define CS7 0000040
#define CS8 0000060
#define CSTOPB 0000100
#define CREAD 0000200
#define PARENB 0000400
#define PARODD 0001000
#define HUPCL 0002000
#define CLOCAL 0004000
#define LOBLK 0040000
#define CIBAUD 03600000 /* input speed, if not 0, as CBAUD */
#define IBSHIFT 16
#define PAREXT 04000000
#define CBAUDEXT 010000000 /* CBAUD + 16 */
#define CIBAUDEXT 020000000
#define CRTSXOFF 010000000000
#define CRTSCTS 020000000000
/* c_lflag */
#define ISIG 0000001
#define ICANON 0000002
#define XCASE 0000004
#define ECHO 0000010
#define ECHOE 0000020
#define ECHOK 0000040
#define ECHONL 0000100
#define NOFLSH 0000200
#define TOSTOP 0000400
#define ECHOCTL 0001000
#define ECHOPRT 0002000
#define ECHOKE 0004000
#define DEFECHO 0010000
#define FLUSHO 0020000
#define PENDIN 0040000
#define IEXTEN 0100000
/* c_cc */
#define VINTR 0
#define VQUIT 1
#define VERASE 2
#define VKILL 3
#define VEOF 4
#define VMIN 4
#define VEOL 5
#define VTIME 5
#define VEOL2 6
#define VSWTCH 7
#define VSTART 8
#define VSTOP 9
#define VSUSP 10
#define VDSUSP 11
#define VREPRINT 12
#define VDISCARD 13
#define VWERASE 14
#define VLNEXT 15
#define _POSIX_VDISABLE 0
/* speeds */
#define B0 0
#define B50 1
#define B75 2
#define B110 3
#define B134 4
#define B150 5
#define B200 6
#define B300 7
#define B600 8
#define B1200 9
#define B1800 10
#define B2400 11
#define B4800 12
#define B9600 13
#define B19200 14
#define B38400 15
#define B57600 16
#define B76800 17
#define B115200 18
#define B153600 19
#define B230400 20
#define B307200 21
#define B460800 22

/* What a terminal has when it is opened (the system's ttymodes property). */
#define TTYDEF_IFLAG (BRKINT | ICRNL | IXON | IMAXBEL)                                  /* 0x2502 */
#define TTYDEF_OFLAG (OPOST | ONLCR | TAB3)                                             /* 0x1805 */
#define TTYDEF_CFLAG (B9600 | CS8 | CREAD)                                              /* 0xbd */
#define TTYDEF_LFLAG (ISIG | ICANON | ECHO | ECHOE | ECHOK | ECHOCTL | ECHOKE | IEXTEN) /* 0x8a3b */

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
/* modem lines */
#define TIOCMSET (tIOC | 26)
#define TIOCMBIS (tIOC | 27)
#define TIOCMBIC (tIOC | 28)
#define TIOCMGET (tIOC | 29)
#define TIOCM_DTR 0002
#define TIOCM_RTS 0004
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
