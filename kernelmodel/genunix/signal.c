/*
 * Signals (signal(5)): posting, and delivery at the border of the kernel.
 *
 * The program behind a process is code outside the model, so "running its
 * handler" means telling p_sighandler.  A default action is done here.
 */
#include "sys/errno.h"
#include "sys/signal.h"
#include "sys/thread.h"
#include "sys/uio.h"
#include "genunix/proc_impl.h"
#include "genunix/sched_probes.h"

#define NSIG 48 /* signals are 1..NSIG-1 */
#define STOPSIGS (SIGBIT(SIGSTOP) | SIGBIT(SIGTSTP) | SIGBIT(SIGTTIN) | SIGBIT(SIGTTOU))
#define NODEFAULT (SIGBIT(SIGCHLD) | SIGBIT(SIGPWR) | SIGBIT(SIGWINCH) | SIGBIT(SIGURG) | SIGBIT(SIGCONT))
#define CANTCATCH (SIGBIT(SIGKILL) | SIGBIT(SIGSTOP))

bool issig(proc_t *p)
{
	return p->p_sig != 0 || p->p_exited;
}

static bool sig_ignored(const proc_t *p, int sig)
{
	uint64_t bit = SIGBIT(sig);

	if (bit & CANTCATCH)
		return false;
	return (p->p_ignore & bit) || (!(p->p_caught & bit) && (bit & NODEFAULT));
}

static void sig_tell(proc_t *p, int sig)
{
	if (p->p_sighandler != NULL)
		p->p_sighandler(p, sig);
}

/* Deliver all that waits, lowest number first; SIGKILL before all others. */
static void sig_deliver(proc_t *p)
{
	while (p->p_sig != 0 && !p->p_exited) {
		int sig = p->p_sig & SIGBIT(SIGKILL) ? SIGKILL : __builtin_ctzll(p->p_sig);

		p->p_sig &= ~SIGBIT(sig);
		sig_tell(p, sig);
		if (p->p_caught & SIGBIT(sig)) {
			PROC_SIGNAL_HANDLE(sig);
		} else {
			proc_exit(p);
			p->p_exited = CLD_KILLED;
		}
	}
}

static void sig_continue(proc_t *p)
{
	p->p_stopped = false;
	cv_broadcast(&p->p_stopcv);
}

/* Signals for and against stopping cancel each other. */
static void sig_jobcontrol(proc_t *p, int sig)
{
	if (sig == SIGCONT)
		p->p_sig &= ~STOPSIGS;
	if (SIGBIT(sig) & STOPSIGS)
		p->p_sig &= ~SIGBIT(SIGCONT);
	if (sig == SIGCONT || sig == SIGKILL)
		sig_continue(p);
}

/* Interrupt one sleep, or all of them. */
static void sig_wake(proc_t *p, bool allthreads)
{
	kthread_t *next;

	for (kthread_t *t = p->p_tlist; t != NULL; t = next) {
		next = t->t_forw;
		if (t->t_sigable) {
			sleep_interrupt(t);
			if (!allthreads)
				return;
		}
	}
}

void psignal(proc_t *p, int sig)
{
	if (sig <= 0 || sig >= NSIG || p == p0 || p->p_exited)
		return;
	PROC_SIGNAL_SEND(p, sig);
	sig_jobcontrol(p, sig);
	if (sig_ignored(p, sig)) {
		PROC_SIGNAL_DISCARD(p, sig);
		return;
	}
	if ((SIGBIT(sig) & STOPSIGS) && !(p->p_caught & SIGBIT(sig))) {
		p->p_stopped = true;
		sig_tell(p, sig);
		return;
	}
	p->p_sig |= SIGBIT(sig);
	if (p->p_nkernel == 0)
		sig_deliver(p);
	else
		sig_wake(p, sig == SIGKILL);
}

void pgsignal(pid_t pgrp, int sig)
{
	for (proc_t *p = proc_next(NULL); p != NULL; p = proc_next(p)) {
		if (p->p_pgrp == pgrp)
			psignal(p, sig);
	}
}

void psig(void)
{
	proc_t *p = curproc;

	sig_deliver(p);
	while (p->p_stopped && !p->p_exited)
		cv_wait(&p->p_stopcv);
}

/* ---- system calls ---- */

static int64_t getpid(void)
{
	return curproc->p_pid;
}
SYSCALL(SYS_getpid, getpid, 0);

static int64_t pause(void)
{
	kcondvar_t cv;

	cv_init(&cv);
	while (cv_wait_sig(&cv) != 0)
		continue;
	return set_errno(EINTR);
}
SYSCALL(SYS_pause, pause, 0);

static bool sig_permitted(const proc_t *from, const proc_t *to, int sig)
{
	const cred_t *f = from->p_cred, *t = to->p_cred;

	if (f->cr_uid == 0 || f->cr_uid == t->cr_uid || f->cr_ruid == t->cr_uid || f->cr_ruid == t->cr_ruid)
		return true;
	return sig == SIGCONT && from->p_sid == to->p_sid;
}

/* Signal every process of a group (-1: every process) that may be: 0, ESRCH or EPERM. */
static int sigsendset(pid_t pgrp, int sig)
{
	int error = ESRCH;

	for (proc_t *p = proc_next(NULL); p != NULL; p = proc_next(p)) {
		if (pgrp != -1 && p->p_pgrp != pgrp)
			continue;
		if (sig_permitted(curproc, p, sig)) {
			psignal(p, sig);
			error = 0;
		} else if (error == ESRCH) {
			error = EPERM;
		}
	}
	return error;
}

static int64_t kill(pid_t pid, int sig)
{
	proc_t *p;
	int error;

	if (sig < 0 || sig >= NSIG)
		return set_errno(EINVAL);
	if (pid <= 0) {
		error = sigsendset(pid == 0 ? curproc->p_pgrp : pid == -1 ? -1 : -pid, sig);
		return error != 0 ? set_errno(error) : 0;
	}
	p = prfind(pid);
	if (p == NULL)
		return set_errno(ESRCH);
	if (!sig_permitted(curproc, p, sig))
		return set_errno(EPERM);
	psignal(p, sig);
	return 0;
}
SYSCALL(SYS_kill, kill, 2);

static int sig_disposition(const proc_t *p, int sig)
{
	return p->p_ignore & SIGBIT(sig) ? KSIG_IGN : p->p_caught & SIGBIT(sig) ? KSIG_CATCH : KSIG_DFL;
}

static void sig_dispose(proc_t *p, int sig, int disp)
{
	p->p_ignore &= ~SIGBIT(sig);
	p->p_caught &= ~SIGBIT(sig);
	if (disp == KSIG_IGN)
		p->p_ignore |= SIGBIT(sig);
	if (disp == KSIG_CATCH)
		p->p_caught |= SIGBIT(sig);
	if (sig_ignored(p, sig))
		p->p_sig &= ~SIGBIT(sig);
}

static int64_t sigaction(int sig, const ksigaction_t *act, ksigaction_t *oact)
{
	ksigaction_t old, new;

	if (sig <= 0 || sig >= NSIG)
		return set_errno(EINVAL);
	old.ksa_disp = sig_disposition(curproc, sig);
	if (oact != NULL && copyout(&old, oact, sizeof(old)) != 0)
		return set_errno(EFAULT);
	if (act == NULL)
		return 0;
	if (copyin(act, &new, sizeof(new)) != 0)
		return set_errno(EFAULT);
	if ((SIGBIT(sig) & CANTCATCH) && new.ksa_disp != KSIG_DFL)
		return set_errno(EINVAL);
	if (new.ksa_disp < KSIG_DFL || new.ksa_disp > KSIG_CATCH)
		return set_errno(EINVAL);
	sig_dispose(curproc, sig, new.ksa_disp);
	return 0;
}
SYSCALL(SYS_sigaction, sigaction, 3);

/* struct timespec of a 64-bit program. */
typedef struct ktimespec {
	int64_t tv_sec, tv_nsec;
} ktimespec_t;

static int64_t nanosleep(const ktimespec_t *rqtp, ktimespec_t *rmtp)
{
	ktimespec_t ts;
	kcondvar_t cv;
	hrtime_t until, left;
	int slept;

	if (copyin(rqtp, &ts, sizeof(ts)) != 0)
		return set_errno(EFAULT);
	if (ts.tv_sec < 0 || ts.tv_nsec < 0 || ts.tv_nsec >= 1000000000)
		return set_errno(EINVAL);
	until = machine_now() + MIN(ts.tv_sec, INT32_MAX) * 1000000000LL + ts.tv_nsec;
	cv_init(&cv);
	do {
		slept = cv_timedwait_sig(&cv, (until + NSEC_PER_TICK - 1) / NSEC_PER_TICK);
	} while (slept > 0);
	if (slept < 0)
		return 0;
	left = MAX(until - machine_now(), 0);
	ts = (ktimespec_t){left / 1000000000, left % 1000000000};
	if (rmtp != NULL && copyout(&ts, rmtp, sizeof(ts)) != 0)
		return set_errno(EFAULT);
	return set_errno(EINTR);
}
SYSCALL(SYS_nanosleep, nanosleep, 2);
