/*
 * ptem: the hardware of a terminal that has none (ptem(7M)): its state, and the
 * one structure that its ioctls have for themselves.
 */
#ifndef STRSIM_SYS_PTEM_H
#define STRSIM_SYS_PTEM_H

#include "sys/stream.h"
#include "sys/termios.h"

struct ptem {
	tcflag_t cflags;    /* what is set and got as c_cflag */
	mblk_t *dack_ptr;   /* goes down when the line is hung up; NULL when it has */
	queue_t *q_ptr;     /* read queue */
	struct winsize wsz; /* all zero until somebody says */
	uint_t state;
};
/* state */
#define REMOTEMODE 1 /* TIOCREMOTE is on: the master does the line editing */
#define OFLOW_CTL 2  /* output is stopped */
#define IS_PTSTTY 4  /* empty messages are meant so */

/* JWINSIZE, the window size of layers(1) */
#define JWINSIZE (('j' << 8) | 5)
struct jwinsize {
	char bytesx, bytesy; /* columns, rows */
	short bitsx, bitsy;  /* pixels */
};

#endif
