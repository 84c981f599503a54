/* System calls about processes, groups and sessions (numbers of Solaris; exit(2), setpgrp(2), setsid(2)). */
#ifndef STRSIM_SYS_SYSPROC_H
#define STRSIM_SYS_SYSPROC_H

#define SYS_rexit 1    /* (status): does not return */
#define SYS_pgrpsys 39 /* (which, pid, pgid): see below */

/*
 * The first argument of pgrpsys.  A pid of 0 is the caller.
 *
 *	PGRPSYS_GETPGRP		the caller's group
 *	PGRPSYS_SETPGRP		as PGRPSYS_SETSID, but of no effect when the caller leads a session already; its group
 *	PGRPSYS_GETSID		the session of pid: ESRCH
 *	PGRPSYS_SETSID		a new session and group without a controlling terminal: EPERM when a group has the
 *				caller's pid already; the new id
 *	PGRPSYS_GETPGID		the group of pid: ESRCH
 *	PGRPSYS_SETPGID		move pid (the caller or a child of it) to group pgid (0: its own): EINVAL, ESRCH,
 *				EPERM (a session leader, a child of another session, a group of another session)
 */
#define PGRPSYS_GETPGRP 0
#define PGRPSYS_SETPGRP 1
#define PGRPSYS_GETSID 2
#define PGRPSYS_SETSID 3
#define PGRPSYS_GETPGID 4
#define PGRPSYS_SETPGID 5

#endif
