/*
 * Signals of a stream: SIGPOLL to those who asked for events (I_SETSIG), and
 * terminal signals and job control.
 *
 * A stream is a session's controlling terminal when sd_sidp is that session's
 * id; sd_pgidp is the process group in the foreground, and p_ctty of every
 * process of the session points to the stream.
 */
#include "genunix/strhead.h"
#include "sys/signal.h"

/* The signal registrant ss gets for the events that happened, or 0. */
ALWAYS_INLINE int event_signal(const strsig_t *ss, int events)
{
	if ((ss->ss_events & events) == 0)
		return 0;
	return (events & S_RDBAND) && (ss->ss_events & S_BANDURG) ? SIGURG : SIGPOLL;
}

void strsendsig(strsig_t *list, int events, uchar_t band)
{
	(void)band;
	for (strsig_t *ss = list; ss != NULL; ss = ss->ss_next) {
		int sig = event_signal(ss, events);
		proc_t *p;

		if (sig == 0)
			continue;
		if (ss->ss_pid < 0)
			pgsignal(-ss->ss_pid, sig);
		else if ((p = prfind(ss->ss_pid)) != NULL)
			psignal(p, sig);
	}
}

void strsignal_nolock(stdata_t *stp, int sig, uchar_t band)
{
	if (sig == SIGPOLL) {
		if (stp->sd_sigflags & S_MSG)
			strsendsig(stp->sd_siglist, S_MSG, band);
	} else if (stp->sd_pgidp != 0) {
		pgsignal(stp->sd_pgidp, sig);
	}
}

static strsig_t **find_sig(stdata_t *stp, pid_t pid)
{
	strsig_t **pp = &stp->sd_siglist;

	while (*pp != NULL && (*pp)->ss_pid != pid)
		pp = &(*pp)->ss_next;
	return pp;
}

static void sum_sigflags(stdata_t *stp)
{
	stp->sd_sigflags = 0;
	for (strsig_t *ss = stp->sd_siglist; ss != NULL; ss = ss->ss_next)
		stp->sd_sigflags |= ss->ss_events;
}

/* I_SETSIG: the events pid wants; none removes it, EINVAL when it was not there. */
int strsetsig(stdata_t *stp, pid_t pid, int events)
{
	strsig_t **pp = find_sig(stp, pid), *ss = *pp;

	if ((events & ~S_ALL) != 0 || ((events & S_BANDURG) && !(events & S_RDBAND)))
		return EINVAL;
	if (events == 0) {
		if (ss == NULL)
			return EINVAL;
		*pp = ss->ss_next;
		kmem_free(ss, sizeof(*ss));
	} else {
		if (ss == NULL) {
			ss = kmem_zalloc(sizeof(*ss), KM_NOSLEEP);
			if (ss == NULL)
				return EAGAIN;
			ss->ss_pid = pid;
			*pp = ss;
		}
		ss->ss_events = events;
	}
	sum_sigflags(stp);
	return 0;
}

/* I_GETSIG: the events of pid, 0 when it is not registered. */
int strgetsig(stdata_t *stp, pid_t pid)
{
	strsig_t *ss = *find_sig(stp, pid);

	return ss == NULL ? 0 : ss->ss_events;
}

void strclean(stdata_t *stp, proc_t *p)
{
	if (stp->sd_siglist != NULL)
		(void)strsetsig(stp, p->p_pid, 0);
}

/*
 * Make the stream the controlling terminal of the caller: it must lead a
 * session that has none, and the stream must belong to no other session.
 */
int stralloctty(stdata_t *stp)
{
	proc_t *leader = curproc;

	if (leader == p0 || leader->p_pid != leader->p_sid || leader->p_ctty != NULL || stp->sd_sidp != 0)
		return ENOTTY;
	stp->sd_sidp = leader->p_sid;
	stp->sd_pgidp = leader->p_pgrp;
	for (proc_t *p = proc_next(NULL); p != NULL; p = proc_next(p))
		if (p->p_sid == leader->p_sid)
			p->p_ctty = stp;
	return 0;
}

/* The stream is no one's controlling terminal any more. */
void strfreectty(stdata_t *stp)
{
	if (stp->sd_sidp == 0)
		return;
	for (proc_t *p = proc_next(NULL); p != NULL; p = proc_next(p))
		if (p->p_ctty == stp)
			p->p_ctty = NULL;
	stp->sd_sidp = 0;
	stp->sd_pgidp = 0;
}

void strexitctty(proc_t *p)
{
	stdata_t *stp = p->p_ctty;

	if (stp == NULL || stp->sd_sidp != p->p_pid)
		return;
	if (stp->sd_pgidp != 0)
		pgsignal(stp->sd_pgidp, SIGHUP);
	strfreectty(stp);
}

/* No member of the group has a parent in the same session but another group: nobody could continue it. */
static bool pgorphaned(const proc_t *caller)
{
	for (proc_t *p = proc_next(NULL); p != NULL; p = proc_next(p)) {
		const proc_t *parent = p->p_parent;

		if (p->p_pgrp == caller->p_pgrp && parent != NULL && parent != p0 && parent->p_sid == p->p_sid &&
		    parent->p_pgrp != p->p_pgrp)
			return false;
	}
	return true;
}

/* Send the caller's group a job-control signal; 0 when the access may be tried again. */
static int jobstop(proc_t *p, int sig)
{
	if (pgorphaned(p))
		return EIO;
	pgsignal(p->p_pgrp, sig);
	if (p->p_caught & SIGBIT(sig))
		return EINTR;
	psig();
	return p->p_exited ? EINTR : 0;
}

int straccess(stdata_t *stp, enum jcaccess mode)
{
	proc_t *p = curproc;

	while (p->p_ctty == stp && p->p_pgrp != stp->sd_pgidp) {
		int sig = mode == JCREAD ? SIGTTIN : SIGTTOU, error;

		if (mode == JCGETP || (mode == JCWRITE && !(stp->sd_flag & STRTOSTOP)))
			return 0;
		if (p->p_ignore & SIGBIT(sig))
			return mode == JCREAD ? EIO : 0;
		error = jobstop(p, sig);
		if (error != 0)
			return error;
	}
	return 0;
}
