/* Threads, processes, condition variables, signals, the system-call gate. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include "sys/errno.h"
#include "sys/signal.h"
#include "sys/thread.h"

static void setup(void)
{
	machine_init(0);
}
static void teardown(void)
{
	size_t bytes, objects;

	machine_fini();
	kmem_alive(&bytes, &objects);
	if (bytes != 0 || objects != 0)
		abort(); /* a failed assertion would not count here */
}
TestSuite(thread, .init = setup, .fini = teardown);

#define MS 1000000LL

static char seen[4096];
static void note(char letter)
{
	size_t n = strlen(seen);

	seen[n] = letter;
	seen[n + 1] = '\0';
}
static void note_arg(void *letter)
{
	note((char)(intptr_t)letter);
}

/* ---- processes ---- */

Test(thread, p0_is_sched_and_pids_start_at_1000)
{
	proc_t *p, *q;

	cr_assert_eq(p0->p_pid, 0);
	cr_assert_str_eq(p0->p_user.u_comm, "sched");
	p = proc_create(NULL, 0, "/usr/bin/ssh -l me host");
	q = proc_create(p, 0, "a");
	cr_assert_eq(p->p_pid, 1000);
	cr_assert_eq(q->p_pid, 1001);
	cr_assert_str_eq(p->p_user.u_comm, "ssh");
	cr_assert_str_eq(p->p_user.u_psargs, "/usr/bin/ssh -l me host");
	cr_assert_eq(p->p_ppid, 0);
	cr_assert_eq(q->p_ppid, 1000);
	cr_assert_eq(p->p_pgrp, 1000, "without a parent it leads its own group");
	cr_assert_eq(q->p_pgrp, 1000, "a child is in its parent's");
	cr_assert_eq(prfind(1001), q);
	cr_assert_eq(prfind(0), p0);
	cr_assert_null(prfind(1002));
}

Test(thread, a_pid_is_taken_once)
{
	proc_t *p = proc_create(NULL, 1000, "x");

	cr_assert_not_null(p);
	cr_assert_null(proc_create(NULL, 1000, "y"));
	cr_assert_null(proc_create(NULL, -5, "y"));
	cr_assert_eq(proc_create(NULL, 0, "z")->p_pid, 1001, "the next free one");
	kmem_fail_nth(1);
	cr_assert_null(proc_create(NULL, 0, "no memory"));
}

Test(thread, names_are_cut)
{
	char longargs[200];
	proc_t *p;

	memset(longargs, 'x', sizeof(longargs) - 1);
	longargs[sizeof(longargs) - 1] = '\0';
	p = proc_create(NULL, 0, longargs);
	cr_assert_eq(strlen(p->p_user.u_psargs), 79);
	cr_assert_eq(strlen(p->p_user.u_comm), 16);
	cr_assert_str_eq(proc_create(NULL, 0, "")->p_user.u_comm, "");
}

/* ---- threads ---- */

static kthread_t *ran;
static void remember(void *arg)
{
	ran = curthread;
	note_arg(arg);
}

Test(thread, lwps_belong_to_their_process)
{
	proc_t *p = proc_create(NULL, 0, "p");
	uint64_t did;

	lwp_create(p, remember, (void *)'a');
	cr_assert_eq(p->p_lwpcnt, 1);
	machine_run_ready();
	cr_assert_eq(ran->t_procp, p);
	cr_assert_eq(ran->t_tid, 1);
	cr_assert_eq(p->p_lwpcnt, 0);
	did = ran->t_did;
	lwp_create(p, remember, (void *)'b');
	machine_run_ready();
	cr_assert_eq(ran->t_tid, 2);
	cr_assert_neq(ran->t_did, did, "never reused, though the kthread is");
	thread_create(remember, (void *)'c', 60);
	machine_run_ready();
	cr_assert_eq(ran->t_procp, p0);
	cr_assert_eq(ran->t_tid, 0);
	cr_assert_null(ran->t_lwp);
	cr_assert_str_eq(seen, "abc");
}

Test(thread, the_host_has_a_thread_of_p0)
{
	cr_assert_eq(curproc, p0);
	cr_assert_eq(curthread->t_did, 0);
}

static void exits(void *arg)
{
	note_arg(arg);
	thread_exit();
}
static uintptr_t bottom[2];
static void look_down(void *arg)
{
	uintptr_t *fp = __builtin_frame_address(0);

	(void)arg;
	bottom[0] = fp[0];
}

Test(thread, a_thread_ends_early_and_a_kernel_threads_function_is_the_base_frame)
{
	thread_create(exits, (void *)'x', 60);
	thread_create(look_down, NULL, 60);
	bottom[0] = 1;
	machine_run_ready();
	cr_assert_str_eq(seen, "x");
	cr_assert_eq(bottom[0], 0);
}

Test(thread, no_memory_no_thread)
{
	proc_t *p = proc_create(NULL, 0, "p");

	kmem_fail_nth(-1);
	cr_assert_null(lwp_create(p, remember, NULL));
	cr_assert_null(thread_create(remember, NULL, 60));
	kmem_fail_nth(0);
	cr_assert_eq(p->p_lwpcnt, 0);
}

/* ---- condition variables ---- */

static kcondvar_t cv;
static void waiter(void *arg)
{
	cv_wait(&cv);
	note_arg(arg);
}

Test(thread, cv_is_a_fifo)
{
	for (int i = 0; i < 4; i++)
		thread_create(waiter, (void *)(intptr_t)('a' + i), 60);
	machine_run_ready();
	cv_signal(&cv);
	machine_run_ready();
	cr_assert_str_eq(seen, "a");
	cv_broadcast(&cv);
	cv_signal(&cv); /* nobody left */
	machine_run_ready();
	cr_assert_str_eq(seen, "abcd");
}

static int result;
static hrtime_t woke;
static clock_t_ deadline;
static void timed(void *arg)
{
	(void)arg;
	result = cv_timedwait(&cv, deadline);
	woke = machine_now();
}
static void timed_sig(void *arg)
{
	(void)arg;
	result = cv_timedwait_sig(&cv, deadline);
	woke = machine_now();
}

Test(thread, timed_wait_ends_at_its_tick)
{
	machine_run(3 * MS);
	deadline = ddi_get_lbolt() + 5;
	thread_create(timed, NULL, 60);
	machine_run(1000 * MS);
	cr_assert_eq(result, -1);
	cr_assert_eq(woke, 50 * MS, "tick 5, not 3 ms later");
}

Test(thread, timed_wait_is_woken_before)
{
	deadline = 5;
	thread_create(timed, NULL, 60);
	machine_run(20 * MS);
	cv_signal(&cv);
	machine_run(1000 * MS);
	cr_assert_eq(result, 1);
	cr_assert_eq(woke, 20 * MS);
	cr_assert_eq(event_next(), INT64_MAX, "its timer is gone");
}

Test(thread, a_deadline_in_the_past_does_not_sleep)
{
	machine_run(100 * MS);
	deadline = 10;
	thread_create(timed, NULL, 60);
	machine_run_ready();
	cr_assert_eq(result, -1);
}

/* ---- signals ---- */

static proc_t *victim;
static int told[64];
static void tell(proc_t *p, int sig)
{
	cr_assert_eq(p, victim);
	told[sig]++;
	note((char)('A' + sig));
}
static void sleeper(void *arg)
{
	(void)arg;
	result = (int)user_syscall(SYS_pause, 0, 0, 0, 0, 0, 0);
	note(user_errno() == EINTR ? 'e' : '?');
}
static void make_victim(void)
{
	victim = proc_create(NULL, 0, "victim");
	victim->p_sighandler = tell;
}

Test(thread, a_caught_signal_interrupts_a_sleep)
{
	make_victim();
	victim->p_caught |= SIGBIT(SIGINT);
	lwp_create(victim, sleeper, NULL);
	machine_run_ready();
	psignal(victim, SIGINT);
	cr_assert_eq(told[SIGINT], 0, "delivered only when the thread leaves the kernel");
	machine_run_ready();
	cr_assert_str_eq(seen, "Ce");
	cr_assert_eq(result, -1);
	cr_assert_eq(prfind(victim->p_pid), victim);
}

Test(thread, ignored_signals_do_not_wake)
{
	make_victim();
	victim->p_ignore |= SIGBIT(SIGINT);
	lwp_create(victim, sleeper, NULL);
	machine_run_ready();
	psignal(victim, SIGINT);
	psignal(victim, SIGCHLD);  /* ignored by default */
	psignal(victim, SIGWINCH); /* so is this */
	machine_run_ready();
	cr_assert_str_eq(seen, "");
	cr_assert(!issig(victim));
}

Test(thread, without_a_thread_in_the_kernel_a_signal_is_delivered_at_once)
{
	make_victim();
	victim->p_caught |= SIGBIT(SIGUSR1);
	psignal(victim, SIGUSR1);
	cr_assert_eq(told[SIGUSR1], 1);
	cr_assert(!issig(victim));
}

Test(thread, the_default_action_ends_the_process)
{
	pid_t pid;

	make_victim();
	pid = victim->p_pid;
	lwp_create(victim, sleeper, NULL);
	lwp_create(victim, sleeper, NULL);
	machine_run_ready();
	psignal(victim, SIGTERM);
	machine_run_ready();
	cr_assert_eq(told[SIGTERM], 1);
	cr_assert_null(prfind(pid));
	cr_assert_str_eq(seen, "P", "its threads never come back from the kernel");
}

Test(thread, kill_cannot_be_ignored_or_caught)
{
	pid_t pid;

	make_victim();
	pid = victim->p_pid;
	victim->p_ignore = ~0ULL;
	psignal(victim, SIGKILL);
	machine_run_ready();
	cr_assert_null(prfind(pid));
}

static void worker_then_note(void *arg)
{
	note_arg(arg);
	user_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
	note('r');
}

Test(thread, a_stopped_process_waits_at_the_end_of_a_system_call)
{
	make_victim();
	psignal(victim, SIGTSTP);
	lwp_create(victim, worker_then_note, (void *)'a');
	machine_run_ready();
	cr_assert_eq(told[SIGTSTP], 1);
	seen[0] = '\0';
	machine_run(100 * MS);
	cr_assert_str_eq(seen, "");
	psignal(victim, SIGCONT);
	machine_run_ready();
	cr_assert_str_eq(seen, "r");
}

Test(thread, a_signal_from_a_timed_sleep_comes_first)
{
	make_victim();
	victim->p_caught |= SIGBIT(SIGALRM);
	deadline = 5;
	lwp_create(victim, timed_sig, NULL);
	machine_run(20 * MS);
	victim->p_nkernel++; /* the thread sleeps in the kernel without a system call */
	psignal(victim, SIGALRM);
	victim->p_nkernel--;
	machine_run(1000 * MS);
	cr_assert_eq(result, 0);
	cr_assert_eq(woke, 20 * MS);
	cr_assert(issig(victim), "waits until it is delivered");
	deadline = 200;
	lwp_create(victim, timed_sig, NULL);
	machine_run_ready();
	cr_assert_eq(result, 0, "with a signal waiting it does not sleep");
}

Test(thread, groups_are_signalled_in_order)
{
	proc_t *a = proc_create(NULL, 0, "a"), *b = proc_create(a, 0, "b"), *c = proc_create(NULL, 0, "c");

	a->p_caught = b->p_caught = c->p_caught = SIGBIT(SIGHUP);
	victim = a;
	a->p_sighandler = tell;
	pgsignal(a->p_pgrp, SIGHUP);
	cr_assert_eq(told[SIGHUP], 1);
	victim = b;
	b->p_sighandler = c->p_sighandler = tell;
	a->p_sighandler = NULL;
	pgsignal(a->p_pgrp, SIGHUP);
	cr_assert_eq(told[SIGHUP], 2);
}

/* ---- system calls ---- */

static int64_t sysval, syserr;
static int sysnum;
static int64_t sysarg[6];
static void call(void *arg)
{
	(void)arg;
	sysval = user_syscall(sysnum, sysarg[0], sysarg[1], sysarg[2], sysarg[3], sysarg[4], sysarg[5]);
	syserr = user_errno();
}
static void do_call(proc_t *p, int num, int64_t a0, int64_t a1, int64_t a2)
{
	sysnum = num;
	sysarg[0] = a0;
	sysarg[1] = a1;
	sysarg[2] = a2;
	sysval = -99;
	lwp_create(p, call, NULL);
	machine_run(machine_now());
}

static int64_t six(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f)
{
	uintptr_t *fp = __builtin_frame_address(0);

	/* sys_sysenter's frame is the last: this one's caller's saved frame pointer is zero. */
	bottom[1] = ((uintptr_t *)fp[0])[0];
	cr_assert_eq(ttolwp(curthread)->lwp_sysnum, 200);
	return a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f;
}
SYSCALL(200, six, 6);

static void ready_kernel_thread(void *arg)
{
	note_arg(arg);
}
static int64_t wakes(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f)
{
	(void)a, (void)b, (void)c, (void)d, (void)e, (void)f;
	thread_create(ready_kernel_thread, (void *)'k', 60);
	note('1');
	return set_errno(EDOM);
}
SYSCALL(201, wakes, 0);
static void caller(void *arg)
{
	user_syscall(201, 0, 0, 0, 0, 0, 0);
	note_arg(arg);
	cr_assert_eq(user_errno(), EDOM);
}

Test(thread, a_system_call_gets_its_arguments_and_a_stack_of_its_own)
{
	proc_t *p = proc_create(NULL, 0, "p");

	for (int i = 0; i < 6; i++)
		sysarg[i] = i + 1;
	bottom[1] = 1;
	sysnum = 200;
	lwp_create(p, call, NULL);
	machine_run_ready();
	cr_assert_eq(sysval, 654321);
	cr_assert_eq(syserr, 0);
	cr_assert_eq(bottom[1], 0);
}

Test(thread, kernel_threads_run_before_the_program_goes_on)
{
	proc_t *p = proc_create(NULL, 0, "p");

	lwp_create(p, caller, (void *)'2');
	machine_run_ready();
	cr_assert_str_eq(seen, "1k2");
}

Test(thread, getpid_and_a_call_that_does_not_exist)
{
	proc_t *p = proc_create(NULL, 77, "p");
	uint64_t n = sysent_count();

	do_call(p, SYS_getpid, 0, 0, 0);
	cr_assert_eq(sysval, 77);
	victim = p;
	p->p_sighandler = tell;
	p->p_caught = SIGBIT(SIGSYS);
	do_call(p, 255, 0, 0, 0);
	cr_assert_eq(sysval, -1);
	cr_assert_eq(syserr, ENOSYS);
	cr_assert_eq(told[SIGSYS], 1);
	do_call(p, -1, 0, 0, 0);
	cr_assert_eq(syserr, ENOSYS);
	do_call(p, SYS_MAX, 0, 0, 0);
	cr_assert_eq(syserr, ENOSYS);
	cr_assert_eq(sysent_count() - n, 4);
}

Test(thread, kill_reports_its_errors)
{
	proc_t *p = proc_create(NULL, 0, "p"), *q = proc_create(NULL, 0, "q");

	victim = q;
	q->p_sighandler = tell;
	q->p_caught = SIGBIT(SIGUSR2);
	do_call(p, SYS_kill, q->p_pid, SIGUSR2, 0);
	cr_assert_eq(sysval, 0);
	cr_assert_eq(told[SIGUSR2], 1);
	do_call(p, SYS_kill, -q->p_pgrp, SIGUSR2, 0);
	cr_assert_eq(told[SIGUSR2], 2);
	do_call(p, SYS_kill, q->p_pid, 0, 0);
	cr_assert_eq(sysval, 0, "signal 0 only asks");
	do_call(p, SYS_kill, 4711, SIGUSR2, 0);
	cr_assert_eq(syserr, ESRCH);
	do_call(p, SYS_kill, q->p_pid, 64, 0);
	cr_assert_eq(syserr, EINVAL);
	crfree(p->p_cred);
	p->p_cred = crget(100, 10);
	do_call(p, SYS_kill, q->p_pid, SIGUSR2, 0);
	cr_assert_eq(syserr, EPERM);
	cr_assert_eq(told[SIGUSR2], 2);
}

Test(thread, sigaction_sets_and_tells)
{
	proc_t *p = proc_create(NULL, 0, "p");
	ksigaction_t act = {KSIG_IGN}, old = {-1};

	do_call(p, SYS_sigaction, SIGINT, (int64_t)&act, (int64_t)&old);
	cr_assert_eq(sysval, 0);
	cr_assert_eq(old.ksa_disp, KSIG_DFL);
	act.ksa_disp = KSIG_CATCH;
	do_call(p, SYS_sigaction, SIGINT, (int64_t)&act, (int64_t)&old);
	cr_assert_eq(old.ksa_disp, KSIG_IGN);
	cr_assert_eq(p->p_caught, SIGBIT(SIGINT));
	cr_assert_eq(p->p_ignore, 0);
	do_call(p, SYS_sigaction, SIGKILL, (int64_t)&act, 0);
	cr_assert_eq(syserr, EINVAL);
	do_call(p, SYS_sigaction, 0, (int64_t)&act, 0);
	cr_assert_eq(syserr, EINVAL);
	act.ksa_disp = 7;
	do_call(p, SYS_sigaction, SIGINT, (int64_t)&act, 0);
	cr_assert_eq(syserr, EINVAL);
	do_call(p, SYS_sigaction, SIGINT, 8, 0);
	cr_assert_eq(syserr, EFAULT);
}

Test(thread, nanosleep_ends_at_the_first_tick_that_is_late_enough)
{
	proc_t *p = proc_create(NULL, 0, "p");
	int64_t req[2] = {0, 15 * MS}, rem[2] = {-1, -1};

	machine_run(3 * MS);
	do_call(p, SYS_nanosleep, (int64_t)req, 0, 0);
	cr_assert_eq(sysval, -99, "asleep");
	machine_run(20 * MS - 1);
	cr_assert_eq(sysval, -99);
	machine_run(20 * MS); /* 3 + 15 = 18 ms: tick 2 */
	cr_assert_eq(sysval, 0);
	req[1] = 1000000000;
	do_call(p, SYS_nanosleep, (int64_t)req, 0, 0);
	cr_assert_eq(syserr, EINVAL);
	do_call(p, SYS_nanosleep, 0, 0, 0);
	cr_assert_eq(syserr, EFAULT);
	victim = p;
	p->p_caught = SIGBIT(SIGALRM);
	req[0] = 1;
	req[1] = 0;
	do_call(p, SYS_nanosleep, (int64_t)req, (int64_t)rem, 0);
	machine_run(320 * MS);
	psignal(p, SIGALRM);
	machine_run_ready();
	cr_assert_eq(syserr, EINTR);
	cr_assert_eq(rem[0], 0);
	cr_assert_eq(rem[1], 700 * MS);
}

/* ---- exit ---- */

Test(thread, exit_waits_for_a_sleep_that_no_signal_may_interrupt)
{
	proc_t *p = proc_create(NULL, 0, "p"), *child = proc_create(p, 0, "c");
	pid_t pid = p->p_pid;

	lwp_create(p, waiter, (void *)'w');
	machine_run_ready();
	proc_exit(p);
	proc_exit(p);
	cr_assert_null(lwp_create(p, waiter, NULL), "no new threads");
	machine_run_ready();
	cr_assert_eq(prfind(pid), p);
	cv_broadcast(&cv);
	machine_run_ready();
	cr_assert_null(prfind(pid));
	cr_assert_eq(child->p_ppid, 0, "orphans go to p0");
	cr_assert_eq(proc_next(NULL), child);
	cr_assert_null(proc_next(child));
}

Test(thread, threads_that_have_not_begun_never_do)
{
	proc_t *p = proc_create(NULL, 0, "p");

	lwp_create(p, remember, (void *)'x');
	proc_exit(p);
	machine_run_ready();
	cr_assert_str_eq(seen, "");
}
