/*
 * Inside ldterm, the line discipline of terminals: one state for each stream,
 * and what its parts call of each other.
 *
 *	ldterm.c	open and close, what comes from above
 *	ldterm_rd.c	what comes from below: characters acted upon at once,
 *			signals, the service procedure
 *	ldterm_canon.c	canonical input: lines and how they are edited
 *	ldterm_raw.c	the other kind: VMIN and VTIME
 *	ldterm_out.c	output processing and echo
 *	ldterm_ioctl.c	settings
 *	ldterm_mb.c	code sets with characters of several bytes
 *
 * Functions that would stand between two frames of a known stack are inlined;
 * Solaris has them in one piece.
 *
 * Throughout q is the read queue and wq the write queue of one pair;
 * everything runs inside the pair's perimeter, so nothing is ever half done.
 */
#ifndef STRSIM_LDTERM_H
#define STRSIM_LDTERM_H

#include "sys/euc.h"
#include "sys/signal.h"
#include "sys/stream.h"
#include "sys/strtty.h"
#include "sys/termios.h"

#define IBSIZE 16    /* block of a message that is being built */
#define OBSIZE 64    /* block of processed output */
#define EBSIZE 16    /* block of echo at most */
#define TTYLINE 257  /* bytes of a canonical line, with its end */
#define RAWBATCH 512 /* raw bytes that go up without waiting for more of the queue */
#define TTXOHI 180   /* IXOFF: bytes on the read queue that stop the other side ... */
#define TTXOLO 132   /* ... and let it go on */
#define DRAIN_SECONDS 15

/* A place in text whose characters may have several bytes. */
typedef struct mbpos {
	uchar_t mb_len;  /* of the character it is in, 0 between characters */
	uchar_t mb_have; /* bytes of it so far */
	uchar_t mb_buf[LDTERM_CS_MAX_BYTE_LENGTH + 1];
} mbpos_t;

typedef struct ldtermstd_state {
	struct termios t_modes;  /* in effect */
	struct termios t_amodes; /* as TCGETS tells them */
	struct termios t_dmodes; /* what the driver does instead */
	uint_t t_state;
	int t_col;         /* column of the cursor */
	int t_rocount;     /* characters echoed since other output; they are what can be rubbed out */
	int t_rocol;       /* column of the first of them */
	mblk_t *t_message; /* being built for the reader ... */
	mblk_t *t_endmsg;  /* ... its last block ... */
	size_t t_msglen;   /* ... and bytes */
	mblk_t *t_echomp;  /* echo of the message that is being processed */
	mblk_t *t_echoend; /* its last block, when there is one */
	uint_t t_iocid;    /* of the drain request */
	bufcall_id_t t_wbufcid;
	timeout_id_t t_vtid; /* VTIME */
	mblk_t *t_closeopts; /* M_SETOPTS sent at close */
	mblk_t *t_drainmsg;  /* TCSBRK sent at close; NULL when the driver drains by itself */
	ldterm_cs_data_user_t t_csdata;
	eucioc_t t_eucwioc;
	size_t t_maxeuc;  /* bytes of the longest character */
	mbpos_t t_inmb;   /* in the line that is typed */
	mbpos_t t_outmb;  /* in output */
	mbpos_t t_echomb; /* in echo */
} ldtermstd_state_t;

/* t_state */
#define TS_TTSTOP 0x00000002    /* output stopped */
#define TS_TBLOCK 0x00000004    /* input stopped */
#define TS_QUOT 0x00000008      /* the last character was a backslash */
#define TS_ERASE 0x00000010     /* inside the \.../ of ECHOPRT */
#define TS_SLNCH 0x00000020     /* next character literally, for the line ... */
#define TS_PLNCH 0x00000040     /* ... and for what ldtermrput acts upon */
#define TS_TTCR 0x00000080      /* the CR that goes before an NL is out */
#define TS_NOCANON 0x00000100   /* the driver does it all */
#define TS_RESCAN 0x00000400    /* process the partial message again */
#define TS_MREAD 0x00000800     /* a reader waits */
#define TS_FLUSHWAIT 0x00001000 /* the next M_FLUSH from above is our own */
#define TS_MEUC 0x00010000      /* characters may have several bytes */
#define TS_CLOSE 0x00040000
#define TS_IOCWAIT 0x00080000  /* for the answer to the drain request */
#define TS_IFBLOCK 0x00100000  /* input and output stopped by TCXONC */
#define TS_OFBLOCK 0x00200000  /* (with TS_TBLOCK and TS_TTSTOP) */
#define TS_ISPTSTTY 0x00400000 /* a pseudo-terminal that somebody reads in packets */

#define V_MIN c_cc[VMIN]
#define V_TIME c_cc[VTIME]

ALWAYS_INLINE bool iflag(const ldtermstd_state_t *tp, tcflag_t f)
{
	return (tp->t_modes.c_iflag & f) != 0;
}

ALWAYS_INLINE bool lflag(const ldtermstd_state_t *tp, tcflag_t f)
{
	return (tp->t_modes.c_lflag & f) != 0;
}

/* A local mode that is one of the extensions. */
ALWAYS_INLINE bool lflagx(const ldtermstd_state_t *tp, tcflag_t f)
{
	return lflag(tp, IEXTEN) && lflag(tp, f);
}

/* Is c the control character in this slot?  One that is 0 is switched off. */
ALWAYS_INLINE bool iscc(const ldtermstd_state_t *tp, uchar_t c, int slot)
{
	return c != 0 && c == tp->t_modes.c_cc[slot];
}

/* Queue mp; one of a band for which there is no memory is lost. */
ALWAYS_INLINE void ldterm_putq(queue_t *q, mblk_t *mp)
{
	if (!putq(q, mp))
		freemsg(mp);
}

/* ---- ldterm_rd.c ---- */

int ldtermrput(queue_t *q, mblk_t *mp);
int ldtermrsrv(queue_t *q);
/*
 * A control character that signals: flush as mode says (unless NOFLSH is on),
 * send mtype (M_PCSIG, M_SIG) with sig up, echo c unless it is 0.
 */
void ldterm_dosig(queue_t *q, int sig, uchar_t c, int mtype, int mode);
/* Start output (M_START) and input (M_STARTI) again; false without memory: the driver has it stopped still. */
ALWAYS_INLINE bool ldterm_start(queue_t *wq, ldtermstd_state_t *tp)
{
	if (!putnextctl(wq, M_START))
		return false;
	tp->t_state &= ~(TS_TTSTOP | TS_OFBLOCK);
	return true;
}

ALWAYS_INLINE bool ldterm_starti(queue_t *wq, ldtermstd_state_t *tp)
{
	if (!putnextctl(wq, M_STARTI))
		return false;
	tp->t_state &= ~(TS_TBLOCK | TS_IFBLOCK);
	return true;
}

/* The block that input is being added to; NULL without memory. */
mblk_t *newmsg(ldtermstd_state_t *tp);
/* The same with room for another byte. */
mblk_t *ldterm_grow(ldtermstd_state_t *tp);
/* Forget the message that is being built. */
void ldterm_discard(ldtermstd_state_t *tp);
/* Give it to the reader. */
void ldterm_msg_upstream(queue_t *q, ldtermstd_state_t *tp);

/* ---- ldterm_canon.c ---- */

/* One byte of a line.  False: no more can be taken (no memory, or the head is full after an end of file). */
bool ldterm_docanon(uchar_t c, size_t ebsize, queue_t *q, ldtermstd_state_t *tp);
/* Show the line again on a new one. */
void ldterm_reprint(queue_t *q, size_t ebsize, ldtermstd_state_t *tp);

/* ---- ldterm_raw.c ---- */

/* A block of input, which is consumed; bpt is newmsg()'s.  Returns newmsg(). */
mblk_t *ldterm_dononcanon(mblk_t *bp, mblk_t *bpt, size_t ebsize, queue_t *q, ldtermstd_state_t *tp);
/* The wait for VMIN or VTIME is over; with sendup give what there is to the reader. */
void vmin_satisfied(queue_t *q, ldtermstd_state_t *tp, int sendup);
/* Begin to wait for VTIME. */
void vmin_settimer(queue_t *q, ldtermstd_state_t *tp);

/* ---- ldterm_out.c ---- */

/*
 * Process the output imp into *omp, blocks of bsize bytes; delays send *omp and
 * an M_DELAY down.  NULL: done, imp freed.  Else memory is short, and the message
 * returned is what remains of imp.
 */
mblk_t *ldterm_output_msg(queue_t *wq, mblk_t *imp, mblk_t **omp, ldtermstd_state_t *tp, size_t bsize);
/* Add a character to t_echomp, as output. */
void ldterm_outchar(uchar_t c, queue_t *wq, size_t bsize, ldtermstd_state_t *tp);
void ldterm_outstring(const char *s, queue_t *wq, size_t bsize, ldtermstd_state_t *tp);
/* Show an input character there, if ECHO is on. */
void ldterm_echo(uchar_t c, queue_t *wq, size_t bsize, ldtermstd_state_t *tp);
/* VDISCARD: throw output away from now on, or do not any more. */
void ldterm_flush_output(queue_t *wq, uchar_t c, ldtermstd_state_t *tp);

/* What a character does to the cursor. */
enum chclass { CH_ORDINARY, CH_CONTROL, CH_BACKSPACE, CH_NEWLINE, CH_TAB, CH_VTAB, CH_RETURN };
enum chclass ldterm_chclass(uchar_t c);
/* XCASE: what is shown behind a backslash for c, and what a backslash before c means; 0: c is no such character. */
uchar_t ldterm_xcase_out(uchar_t c);
uchar_t ldterm_xcase_in(uchar_t c);

ALWAYS_INLINE bool ldterm_xcase(const ldtermstd_state_t *tp)
{
	return lflag(tp, XCASE) && lflag(tp, ICANON);
}

/* Is output processed at all? */
ALWAYS_INLINE bool ldterm_opost(const ldtermstd_state_t *tp)
{
	return (tp->t_modes.c_oflag & OPOST) != 0 || ldterm_xcase(tp);
}

/* ---- ldterm_ioctl.c ---- */

void ldterm_do_ioctl(queue_t *q, mblk_t *mp);
void ldterm_ioctl_reply(queue_t *q, mblk_t *mp);
void ldterm_adjust_modes(ldtermstd_state_t *tp);

/* ---- ldterm_mb.c ---- */

/* Set the code set; ERANGE when a width cannot be. */
int ldterm_set_eucw(ldtermstd_state_t *tp, const eucioc_t *euc);
int ldterm_set_csdata(ldtermstd_state_t *tp, const ldterm_cs_data_user_t *cs);
/*
 * The next byte of text.  The columns of the character when it ends one of several
 * bytes, 0 when it is another byte of such a one, -1 when it is a character by
 * itself.
 */
int ldterm_mb_next(const ldtermstd_state_t *tp, mbpos_t *mb, uchar_t c);
/* Bytes of the last character of the line (0: it is empty), and its columns, -1 for an ordinary byte. */
size_t ldterm_mb_last(const ldtermstd_state_t *tp, int *colsp);

#endif
