/*
 * Pids of the replay's processes, in order of first appearance: one numbering
 * for processes of connections, UDP ports and pings, one for those that listen.  Pids
 * that the table of processes asks for are left to it.
 */
#ifndef STRSIM_REPLAY_PIDS_H
#define STRSIM_REPLAY_PIDS_H

#include "replay/proctab.h"

typedef enum { PID_CONN, PID_PORT, PID_LISTENER } pidkind_t;

typedef struct pids {
	const proctab_t *pi_tab;
	int pi_next, pi_nextlistener;
} pids_t;

#define PIDS_FIRST 1000
#define PIDS_FIRSTLISTENER 100
#define PIDS_MORELISTENERS 0x40000000 /* when those below PIDS_FIRST are used up */

static inline void pids_init(pids_t *p, const proctab_t *tab)
{
	*p = (pids_t){tab, PIDS_FIRST, PIDS_FIRSTLISTENER};
}

static inline int pids_take(pids_t *p, pidkind_t kind)
{
	int *next = kind == PID_LISTENER ? &p->pi_nextlistener : &p->pi_next, pid;

	do {
		if (kind == PID_LISTENER && *next == PIDS_FIRST)
			*next = PIDS_MORELISTENERS;
		pid = (*next)++;
	} while (proctab_has(p->pi_tab, pid));
	return pid;
}

#endif
