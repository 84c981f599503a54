/* exit(2), and process groups and sessions. */
#include "tests/headtest.h"
#include "sys/sysproc.h"

#define PGRPSYS(which, pid, pgid) user_syscall(SYS_pgrpsys, which, pid, pgid, 0, 0, 0)

static void start(void)
{
	machine_init(0);
}

static void finish(void)
{
	cr_assert_eq(machine_fini(), 0);
}

TestSuite(sysproc, .init = start, .fini = finish);

/* A process without a parent leads its own session. */
PROGRAM(sysproc, leader)
{
	pid_t me = curproc->p_pid;

	OK(PGRPSYS(PGRPSYS_GETPGRP, 0, 0), me);
	OK(PGRPSYS(PGRPSYS_GETSID, 0, 0), me);
	OK(PGRPSYS(PGRPSYS_GETPGID, me, 0), me);
	OK(PGRPSYS(PGRPSYS_SETPGRP, 0, 0), me);
	FAILS(PGRPSYS(PGRPSYS_SETSID, 0, 0), EPERM);
	FAILS(PGRPSYS(PGRPSYS_SETPGID, 0, 0), EPERM);
	FAILS(PGRPSYS(PGRPSYS_SETPGID, 0, -1), EINVAL);
	FAILS(PGRPSYS(PGRPSYS_GETSID, 4711, 0), ESRCH);
	FAILS(PGRPSYS(PGRPSYS_GETPGID, 4711, 0), ESRCH);
	FAILS(PGRPSYS(6, 0, 0), EINVAL);
	DONE;
}

static pid_t first_child, second_child;

/* A child in its parent's session may found a group, join one of that session, and leave for a session of its own. */
static void first(void *unused)
{
	(void)unused;
	OK(PGRPSYS(PGRPSYS_SETPGID, 0, 0), 0);
	OK(PGRPSYS(PGRPSYS_GETPGRP, 0, 0), first_child);
	cr_assert_eq(curproc->p_sid, curproc->p_ppid);
	FAILS(PGRPSYS(PGRPSYS_SETSID, 0, 0), EPERM); /* a group has its number */
	(void)user_syscall(SYS_pause, 0, 0, 0, 0, 0, 0);
}

static void second(void *unused)
{
	(void)unused;
	OK(PGRPSYS(PGRPSYS_SETPGID, 0, first_child), 0);
	OK(PGRPSYS(PGRPSYS_GETPGRP, 0, 0), first_child);
	FAILS(PGRPSYS(PGRPSYS_SETPGID, 0, 4711), EPERM);
	FAILS(PGRPSYS(PGRPSYS_SETPGID, first_child, 0), ESRCH); /* no child of the caller */
	OK(PGRPSYS(PGRPSYS_SETSID, 0, 0), second_child);
	OK(PGRPSYS(PGRPSYS_GETSID, 0, 0), second_child);
	cr_assert_null(curproc->p_ctty);
	(void)user_syscall(SYS_pause, 0, 0, 0, 0, 0, 0);
}

static pid_t make_child(void (*func)(void *))
{
	proc_t *p = proc_create(curproc, 0, "child");

	cr_assert_not_null(p);
	cr_assert_not_null(lwp_create(p, func, NULL));
	return p->p_pid;
}

PROGRAM(sysproc, children)
{
	pollfd_t none = {.fd = -1};

	first_child = make_child(first);
	OK(U_POLL(&none, 1, 10), 0);
	second_child = make_child(second);
	OK(U_POLL(&none, 1, 10), 0);
	OK(PGRPSYS(PGRPSYS_GETPGID, first_child, 0), first_child);
	OK(PGRPSYS(PGRPSYS_SETPGID, first_child, curproc->p_pid), 0); /* back to the parent's group */
	OK(PGRPSYS(PGRPSYS_GETPGID, first_child, 0), curproc->p_pid);
	FAILS(PGRPSYS(PGRPSYS_SETPGID, second_child, 0), EPERM); /* it left the session */
	OK(user_syscall(SYS_kill, first_child, SIGKILL, 0, 0, 0, 0), 0);
	OK(user_syscall(SYS_kill, second_child, SIGKILL, 0, 0, 0, 0), 0);
	DONE;
}

static bool came_back;

static void leave(void *unused)
{
	int64_t fd;

	(void)unused;
	fd = U_OPEN("/dev/loop", O_RDWR);
	cr_assert_geq(fd, 0);
	(void)user_syscall(SYS_rexit, 3, 0, 0, 0, 0, 0);
	came_back = true;
}

/* exit does not return, closes files, and ends the other threads. */
static void stay(void *unused)
{
	(void)unused;
	(void)user_syscall(SYS_pause, 0, 0, 0, 0, 0, 0);
	came_back = true;
}

Test(sysproc, rexit)
{
	proc_t *p = u_start(stay, NULL);
	pid_t pid = p->p_pid;

	came_back = false;
	loop_closes = 0;
	machine_run_ready();
	cr_assert_not_null(lwp_create(p, leave, NULL));
	machine_run_idle(machine_now() + 60 * 1000000000LL);
	cr_assert_not(came_back);
	cr_assert_null(prfind(pid));
	cr_assert_eq(loop_closes, 1);
}
