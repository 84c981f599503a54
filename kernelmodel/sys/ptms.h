/*
 * Pseudo-terminals (pty(7D), ptm(7D), pts(7D)): what the two drivers share, and
 * their own ioctls.
 */
#ifndef STRSIM_SYS_PTMS_H
#define STRSIM_SYS_PTMS_H

#include "sys/stream.h"

/* ioctls */
#define PTMIOC ('P' << 8)
#define ISPTM (PTMIOC | 1)   /* to a master: is it one? */
#define UNLKPT (PTMIOC | 2)  /* to a master: let the slave be opened */
#define PTSSTTY (PTMIOC | 3) /* to a slave, once: what is empty is meant so too */
#define ZONEPT (PTMIOC | 4)  /* to a master, zoneid_t *: whose the slave is (privileged) */

#define GLOBAL_ZONEID 0
#define MAX_ZONEID 9999

/* One pair.  It lives while one of its sides is open. */
typedef struct pt_ttys {
	queue_t *ptm_rdq, *pts_rdq; /* read queues of master and slave, NULL when not open */
	mblk_t *pt_nullmsg;         /* no bytes: the master's end of file when the slave closes */
	pid_t pt_pid;               /* who opened the master */
	minor_t pt_minor;           /* of both sides */
	int pt_state;
	zoneid_t pt_zoneid;
} pt_ttys_t;
/* pt_state */
#define PTLOCK 1  /* the slave may not be opened */
#define PTMOPEN 2 /* master and slave are open */
#define PTSOPEN 4
#define PTSTTY 8 /* PTSSTTY was said */

/* What both sides tell their stream head: its water marks. */
#define PT_HIWAT 512
#define PT_LOWAT 256

/* A pair with the lowest free minor (from 1 on), its master open and locked, for the calling process; NULL without
 * memory, or when there are as many as there may be. */
pt_ttys_t *ptms_alloc(void);
/* The pair of a minor, or NULL. */
pt_ttys_t *ptms_minor2ptty(minor_t minor);
/* These flags of pt_state end; so does the pair, when neither side is open then. */
void ptms_close(pt_ttys_t *pt, int flags);
/* An M_SETOPTS with the water marks, so_flags besides; NULL without memory. */
mblk_t *ptms_setopts(uint_t so_flags);

/* Tunables: so many pairs are granted whatever the memory; no more than so many (0: as memory allows). */
extern KLOCAL uint_t pt_cnt, pt_max_pty;

#endif
