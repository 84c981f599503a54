/*
 * System calls.
 *
 * user_syscall() is the program's side: it goes through the machine's gate, so
 * that the kernel's stack ends in sys_sysenter(), and when it comes back lets
 * the threads that the call made ready run before the program does.
 */
#include <string.h>
#include "sys/errno.h"
#include "sys/sdt.h"
#include "sys/signal.h"
#include "sys/thread.h"
#include "genunix/proc_impl.h"

LINKER_SET_DECLARE(sysent);

static KLOCAL const sysent_t *sysent[SYS_MAX];
static KLOCAL uint64_t entered;

static void sysent_init(void)
{
	memset(sysent, 0, sizeof(sysent));
	entered = 0;
	LINKER_SET_FOREACH(pp, sysent)
	{
		const sysent_t *se = *pp;
		if (se->sy_num >= 0 && se->sy_num < SYS_MAX)
			sysent[se->sy_num] = se;
	}
}

KERNEL_INIT(0, sysent_init, NULL);

static int64_t nosys(int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5)
{
	(void)a0, (void)a1, (void)a2, (void)a3, (void)a4, (void)a5;
	psignal(curproc, SIGSYS);
	return set_errno(ENOSYS);
}

static const sysent_t nosys_ent = {-1, "nosys", 0, nosys};

int64_t set_errno(int error)
{
	ttolwp(curthread)->lwp_errno = error;
	return -1;
}

uint64_t sysent_count(void)
{
	return entered;
}

static int64_t sys_sysenter(int64_t num, int64_t argp, int64_t unused)
{
	const int64_t *a = (const int64_t *)argp;
	const sysent_t *se = num >= 0 && num < SYS_MAX && sysent[num] != NULL ? sysent[num] : &nosys_ent;
	klwp_t *lwp = ttolwp(curthread);
	int64_t rval;

	(void)unused;
	entered++;
	lwp->lwp_errno = 0;
	lwp->lwp_sysnum = (int)num;
	curthread->t_sysnum = (uint_t)num;
	DTRACE_SYSCALL_ENTRY((int)num, a);
	rval = se->sy_call(a[0], a[1], a[2], a[3], a[4], a[5]);
	lwp->lwp_rval = rval;
	DTRACE_SYSCALL_RETURN((int)num, rval, lwp->lwp_errno);
	curthread->t_sysnum = 0;
	if (UNLIKELY(curproc->p_sig != 0 || curproc->p_stopped))
		psig();
	return rval;
}

NOTRACE int64_t user_syscall(int num, int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5)
{
	const int64_t args[6] = {a0, a1, a2, a3, a4, a5};
	int64_t rval;

	curproc->p_nkernel++;
	rval = machine_gate(sys_sysenter, num, (int64_t)args, 0);
	curproc->p_nkernel--;
	thread_preempt();
	if (UNLIKELY(curproc->p_exited))
		thread_exit();
	return rval;
}

NOTRACE int user_errno(void)
{
	return ttolwp(curthread)->lwp_errno;
}
