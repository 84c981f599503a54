/*
 * exit(2), and the calls about process groups and sessions: setpgrp(2),
 * setsid(2), getsid(2), setpgid(2), getpgid(2), which share one number.
 */
#include "sys/errno.h"
#include "sys/sysproc.h"
#include "sys/thread.h"

static int64_t rexit(int rval)
{
	(void)rval;
	proc_exit(curproc);
	thread_exit();
}
SYSCALL(SYS_rexit, rexit, 1);

/* The process a call is about: 0 is the caller. */
static proc_t *pgrp_target(pid_t pid)
{
	return pid == 0 ? curproc : prfind(pid);
}

/* Is there a group of this id, and is one of its members in this session (-1: any)? */
static bool pgrp_exists(pid_t pgrp, pid_t sid)
{
	for (proc_t *p = proc_next(NULL); p != NULL; p = proc_next(p)) {
		if (p->p_pgrp == pgrp && (sid == -1 || p->p_sid == sid))
			return true;
	}
	return false;
}

static int64_t sess_create(void)
{
	proc_t *p = curproc;

	if (pgrp_exists(p->p_pid, -1))
		return set_errno(EPERM);
	p->p_sid = p->p_pgrp = p->p_pid;
	p->p_ctty = NULL;
	return p->p_pid;
}

static int64_t pgrp_join(pid_t pid, pid_t pgid)
{
	proc_t *p = pgrp_target(pid);

	if (pgid < 0)
		return set_errno(EINVAL);
	if (p == NULL || (p != curproc && p->p_parent != curproc))
		return set_errno(ESRCH);
	if (pgid == 0)
		pgid = p->p_pid;
	if (p->p_sid == p->p_pid || p->p_sid != curproc->p_sid)
		return set_errno(EPERM);
	if (pgid != p->p_pid && !pgrp_exists(pgid, p->p_sid))
		return set_errno(EPERM);
	p->p_pgrp = pgid;
	return 0;
}

static int64_t pgrpsys(int which, pid_t pid, pid_t pgid)
{
	const proc_t *p = pgrp_target(pid);

	switch (which) {
	case PGRPSYS_GETPGRP:
		return curproc->p_pgrp;
	case PGRPSYS_SETPGRP:
		if (curproc->p_sid != curproc->p_pid)
			(void)sess_create();
		return curproc->p_pgrp;
	case PGRPSYS_GETSID:
		return p == NULL ? set_errno(ESRCH) : p->p_sid;
	case PGRPSYS_SETSID:
		return sess_create();
	case PGRPSYS_GETPGID:
		return p == NULL ? set_errno(ESRCH) : p->p_pgrp;
	case PGRPSYS_SETPGID:
		return pgrp_join(pid, pgid);
	default:
		return set_errno(EINVAL);
	}
}
SYSCALL(SYS_pgrpsys, pgrpsys, 3);
