/*
 * What a program says to a stream (streamio(7I), putmsg(2), getmsg(2)):
 * commands, flags and structures with the numbers of Solaris.
 */
#ifndef STRSIM_SYS_STROPTS_H
#define STRSIM_SYS_STROPTS_H

#include "sys/types.h"

#define FMNAMESZ 8 /* letters of a module name */

#define STR_IOC ('S' << 8)
#define I_NREAD (STR_IOC | 001) /* int *: bytes of the first message; returns messages */
#define I_PUSH (STR_IOC | 002)  /* char *: module name */
#define I_POP (STR_IOC | 003)
#define I_LOOK (STR_IOC | 004)     /* char[FMNAMESZ + 1] */
#define I_FLUSH (STR_IOC | 005)    /* FLUSHR, FLUSHW, FLUSHRW */
#define I_SRDOPT (STR_IOC | 006)   /* RNORM ... */
#define I_GRDOPT (STR_IOC | 007)   /* int * */
#define I_STR (STR_IOC | 010)      /* struct strioctl * */
#define I_SETSIG (STR_IOC | 011)   /* S_... */
#define I_GETSIG (STR_IOC | 012)   /* int * */
#define I_FIND (STR_IOC | 013)     /* char *: returns 1 or 0 */
#define I_LINK (STR_IOC | 014)     /* descriptor: returns the link's number */
#define I_UNLINK (STR_IOC | 015)   /* number, or MUXID_ALL */
#define I_PEEK (STR_IOC | 017)     /* struct strpeek *: returns 1 when there was a message */
#define I_FDINSERT (STR_IOC | 020) /* struct strfdinsert * */
#define I_SENDFD (STR_IOC | 021)   /* descriptor */
#define I_RECVFD (STR_IOC | 022)   /* struct strrecvfd * */
#define I_SWROPT (STR_IOC | 023)   /* SNDZERO | SNDPIPE */
#define I_GWROPT (STR_IOC | 024)   /* int * */
#define I_LIST (STR_IOC | 025)     /* struct str_list *, NULL: returns the number of modules and driver */
#define I_PLINK (STR_IOC | 026)
#define I_PUNLINK (STR_IOC | 027)
#define I_ANCHOR (STR_IOC | 030)
#define I_FLUSHBAND (STR_IOC | 034)     /* struct bandinfo * */
#define I_CKBAND (STR_IOC | 035)        /* band: returns 1 when a message of it is queued */
#define I_GETBAND (STR_IOC | 036)       /* int * */
#define I_ATMARK (STR_IOC | 037)        /* ANYMARK, LASTMARK */
#define I_SETCLTIME (STR_IOC | 040)     /* int *: ms */
#define I_GETCLTIME (STR_IOC | 041)     /* int *: ms */
#define I_CANPUT (STR_IOC | 042)        /* band */
#define I_SERROPT (STR_IOC | 043)       /* RERRNORM ... */
#define I_GERROPT (STR_IOC | 044)       /* int * */
#define I_ESETSIG (STR_IOC | 045)       /* struct strsigset * */
#define I_EGETSIG (STR_IOC | 046)       /* struct strsigset * */
#define __I_PUSH_NOCTTY (STR_IOC | 061) /* I_PUSH that makes no controlling terminal */

/* I_SRDOPT */
#define RNORM 0x00
#define RMSGD 0x01
#define RMSGN 0x02
#define RMODEMASK 0x03
#define RPROTDAT 0x04
#define RPROTDIS 0x08
#define RPROTNORM 0x10
#define RPROTMASK 0x1c
#define RFLUSHMASK 0x20
/* I_SWROPT */
#define SNDZERO 0x001
#define SNDPIPE 0x002
/* I_SERROPT */
#define RERRNORM 0x001
#define RERRNONPERSIST 0x002
#define WERRNORM 0x004
#define WERRNONPERSIST 0x008
/* I_ATMARK */
#define ANYMARK 0x01
#define LASTMARK 0x02
/* I_UNLINK */
#define MUXID_ALL (-1)

/* Byte of a two-byte M_ERROR that leaves its side, read or write, as it is. */
#define NOERROR 0xff

/* I_SETSIG */
#define S_INPUT 0x0001
#define S_HIPRI 0x0002
#define S_OUTPUT 0x0004
#define S_WRNORM S_OUTPUT
#define S_MSG 0x0008
#define S_ERROR 0x0010
#define S_HANGUP 0x0020
#define S_RDNORM 0x0040
#define S_RDBAND 0x0080
#define S_WRBAND 0x0100
#define S_BANDURG 0x0200
#define S_ALL 0x03ff

/* putmsg(2), getmsg(2) */
#define RS_HIPRI 1
#define MORECTL 1
#define MOREDATA 2
/* putpmsg(2), getpmsg(2) */
#define MSG_HIPRI 0x01
#define MSG_ANY 0x02
#define MSG_BAND 0x04

struct strbuf {
	int maxlen;
	int len;
	char *buf;
};

struct strioctl {
	int ic_cmd;
	int ic_timout; /* s; 0 = 15 s, -1 = for ever */
	int ic_len;
	char *ic_dp;
};
#define INFTIM (-1)

struct strpeek {
	struct strbuf ctlbuf;
	struct strbuf databuf;
	uint_t flags;
};

struct strfdinsert {
	struct strbuf ctlbuf;
	struct strbuf databuf;
	uint_t flags;
	int fildes;
	int offset;
};

struct strrecvfd {
	int fd;
	uid_t uid;
	gid_t gid;
	char fill[8];
};

struct str_mlist {
	char l_name[FMNAMESZ + 1];
};

struct str_list {
	int sl_nmods;
	struct str_mlist *sl_modlist;
};

struct bandinfo {
	uchar_t bi_pri;
	int bi_flag;
};

struct strsigset {
	pid_t ss_pid; /* 0 the caller, negative a process group */
	int ss_events;
};

#endif
