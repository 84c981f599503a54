/* Terminal commands and structures of older systems that ttcompat knows (ttcompat(7M)). */
#ifndef STRSIM_SYS_TTOLD_H
#define STRSIM_SYS_TTOLD_H

#include "sys/termios.h"

struct sgttyb {
	char sg_ispeed, sg_ospeed, sg_erase, sg_kill;
	int sg_flags;
}; /* 8 bytes */

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
