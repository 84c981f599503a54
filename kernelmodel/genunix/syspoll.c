/*
 * poll(2).
 *
 * Each descriptor is asked what is true now, leaving an entry behind at those
 * of which nothing is.  When none is ready the thread sleeps; the first event
 * of an entry wakes it, and everything is asked anew.
 */
#include "sys/file.h"
#include "sys/errno.h"
#include "sys/poll.h"

typedef struct pollstate {
	kcondvar_t ps_cv;
	bool ps_woken;
	pollfd_t *ps_fds;
	pollent_t *ps_ents;
	ulong_t ps_nfds;
} pollstate_t;

static void poll_event(pollent_t *pe, short revents)
{
	pollstate_t *ps = pe->pl_arg;

	(void)revents;
	ps->ps_woken = true;
	cv_broadcast(&ps->ps_cv);
}

/* Ask every descriptor; the number of those with an event. */
static int poll_scan(pollstate_t *ps, int *errorp)
{
	int ready = 0;

	*errorp = 0;
	for (ulong_t i = 0; i < ps->ps_nfds && *errorp == 0; i++) {
		pollfd_t *pfd = &ps->ps_fds[i];
		pollent_t *pe = ready ? NULL : &ps->ps_ents[i];
		file_t *fp;

		pfd->revents = 0;
		if (pfd->fd < 0)
			continue;
		fp = getf(pfd->fd);
		if (fp == NULL) {
			pfd->revents = POLLNVAL;
		} else {
			if (pe != NULL) {
				pe->pl_events = pfd->events;
				pe->pl_func = poll_event;
				pe->pl_arg = ps;
			}
			*errorp = fop_poll(fp->f_vnode, pfd->events, ready, &pfd->revents, pe);
			releasef(fp);
		}
		ready += pfd->revents != 0;
	}
	return ready;
}

static void poll_detach(pollstate_t *ps)
{
	for (ulong_t i = 0; i < ps->ps_nfds; i++)
		pollent_detach(&ps->ps_ents[i]);
}

/* Sleep for an event until tick deadline (-1: for ever): 0, EINTR, or ETIME when time is up. */
static int poll_wait(pollstate_t *ps, clock_t_ deadline)
{
	int ret;

	if (ps->ps_woken)
		return 0;
	ret = deadline < 0 ? cv_wait_sig(&ps->ps_cv) : cv_timedwait_sig(&ps->ps_cv, deadline);
	if (ret == 0)
		return EINTR;
	return ret < 0 ? ETIME : 0;
}

static int poll_common(pollstate_t *ps, int timo, int *readyp)
{
	clock_t_ deadline = timo < 0 ? -1 : ddi_get_lbolt() + ((clock_t_)timo * HZ + 999) / 1000;
	int error;

	for (;;) {
		ps->ps_woken = false;
		*readyp = poll_scan(ps, &error);
		if (*readyp > 0 || error != 0 || timo == 0)
			break;
		error = poll_wait(ps, deadline);
		poll_detach(ps);
		if (error != 0)
			break;
	}
	poll_detach(ps);
	return error == ETIME ? 0 : error;
}

static int64_t poll(pollfd_t *fds, ulong_t nfds, int timo)
{
	pollstate_t ps = {.ps_nfds = nfds};
	size_t fdsize = nfds * sizeof(*ps.ps_fds), entsize = nfds * sizeof(*ps.ps_ents);
	int ready = 0, error = EAGAIN;

	if (nfds > NOFILE_MAX)
		return set_errno(EINVAL);
	cv_init(&ps.ps_cv);
	ps.ps_fds = kmem_alloc(fdsize + 1, KM_NOSLEEP);
	ps.ps_ents = kmem_zalloc(entsize + 1, KM_NOSLEEP);
	if (ps.ps_fds != NULL && ps.ps_ents != NULL) {
		error = copyin(fds, ps.ps_fds, fdsize) != 0 ? EFAULT : 0;
		if (error == 0)
			error = poll_common(&ps, timo, &ready);
		if (error == 0 && copyout(ps.ps_fds, fds, fdsize) != 0)
			error = EFAULT;
	}
	if (ps.ps_fds != NULL)
		kmem_free(ps.ps_fds, fdsize + 1);
	if (ps.ps_ents != NULL)
		kmem_free(ps.ps_ents, entsize + 1);
	cv_destroy(&ps.ps_cv);
	return error != 0 ? set_errno(error) : ready;
}

SYSCALL(SYS_poll, poll, 3);
