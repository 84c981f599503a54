/*
 * What is true of a stream now (strpoll), who waits for it to change (the
 * stream's list of pollents), and telling them (pollwakeup).
 *
 * A stream does not wake pollers for ordinary data unless SR_POLLIN is set: it
 * is set when somebody found no data and waits, and cleared by the first
 * message that comes.  Persistent entries set it again.
 */
#include "genunix/strhead.h"
#include "sys/poll.h"

#define POLLREAD (POLLIN | POLLRDNORM)

void pollent_attach(stdata_t *stp, pollent_t *pe)
{
	if (pe->pl_pprev != NULL)
		return;
	pe->pl_next = NULL;
	pe->pl_pprev = &stp->sd_pollist;
	while (*pe->pl_pprev != NULL)
		pe->pl_pprev = &(*pe->pl_pprev)->pl_next;
	*pe->pl_pprev = pe;
	if (pe->pl_events & POLLREAD)
		stp->sd_rput_opt |= SR_POLLIN;
}

void pollent_detach(pollent_t *pe)
{
	if (pe->pl_pprev == NULL)
		return;
	*pe->pl_pprev = pe->pl_next;
	if (pe->pl_next != NULL)
		pe->pl_next->pl_pprev = pe->pl_pprev;
	pe->pl_pprev = NULL;
}

void pollwakeup(stdata_t *stp, short events)
{
	pollent_t *pe, *next;
	bool rearm = false;

	for (pe = stp->sd_pollist; pe != NULL; pe = next) {
		short revents = (short)(events & (pe->pl_events | POLLERR | POLLHUP | POLLNVAL));

		next = pe->pl_next;
		if (pe->pl_persist && (pe->pl_events & POLLREAD))
			rearm = true;
		if (revents != 0)
			pe->pl_func(pe, revents);
	}
	if (rearm)
		stp->sd_rput_opt |= SR_POLLIN;
}

/* Read events by the first message of the head's read queue. */
ALWAYS_INLINE int read_events(const stdata_t *stp)
{
	const mblk_t *bp = (stp->sd_wrq - 1)->q_first;

	if (bp == NULL)
		return stp->sd_flag & STREOF ? POLLREAD : 0;
	if (DB_TYPE(bp) == M_PCPROTO)
		return POLLPRI;
	return bp->b_band == 0 ? POLLREAD : POLLIN | POLLRDBAND;
}

/* Write events: band 0 by the queue's flow control, POLLWRBAND if any band in use could take a message. */
ALWAYS_INLINE int write_events(stdata_t *stp)
{
	queue_t *q = stp->sd_wrq->q_next;
	int events = 0;

	if (q == NULL)
		return 0;
	if (canputnext(stp->sd_wrq))
		events |= POLLWRNORM;
	for (qband_t *qb = q->q_nfsrv->q_bandp; qb != NULL; qb = qb->qb_next) {
		if (qb->qb_flag & QB_FULL)
			qb->qb_flag |= QB_WANTW;
		else
			events |= POLLWRBAND;
	}
	return events;
}

int strpoll(stdata_t *stp, short events, int anyyet, short *reventsp, pollent_t *pe)
{
	int revents = 0;

	(void)anyyet;
	if (stp->sd_flag & STPLEX) {
		*reventsp = POLLNVAL;
		return 0;
	}
	if (stp->sd_flag & (STRDERR | STWRERR))
		revents |= POLLERR;
	if (stp->sd_flag & STRHUP)
		revents |= POLLHUP;
	else
		revents |= write_events(stp) & events;
	revents |= read_events(stp) & events;
	if (pe != NULL && (revents == 0 || pe->pl_persist))
		pollent_attach(stp, pe);
	*reventsp = (short)revents;
	return 0;
}
