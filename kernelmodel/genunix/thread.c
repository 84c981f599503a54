/*
 * Threads: a kthread_t on a fiber.
 *
 * kthreads come from a free list and go back to it, like the fibers' stacks, so
 * that making a thread for one system call costs no allocation.  The code that
 * a thread was made for is called through the machine's gate: it is the last
 * frame of the thread's stack.
 *
 * On the host's own stack, where events run, the thread is t0: it belongs to
 * p0 and must never sleep.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "machine/machine_impl.h"
#include "sys/thread.h"
#include "genunix/proc_impl.h"
#include "genunix/sched_probes.h"

static KLOCAL cpu_t cpu0;
static KLOCAL kthread_t t0;
static KLOCAL kthread_t *freelist;
static KLOCAL uint64_t lastdid;

static kthread_t *thread_alloc(int kmflags)
{
	kthread_t *t = freelist;

	if (t != NULL)
		freelist = t->t_link;
	else if ((t = kmem_alloc(sizeof(*t), kmflags)) == NULL)
		return NULL;
	memset(t, 0, sizeof(*t));
	return t;
}

static void thread_free(kthread_t *t)
{
	t->t_link = freelist;
	freelist = t;
}

static void proc_join(kthread_t *t, proc_t *p)
{
	t->t_procp = p;
	t->t_forw = NULL;
	t->t_prevp = p->p_tlast;
	*(p->p_tlast != NULL ? &p->p_tlast->t_forw : &p->p_tlist) = t;
	p->p_tlast = t;
	p->p_lwpcnt++;
}

static void proc_leave(kthread_t *t)
{
	proc_t *p = t->t_procp;

	*(t->t_prevp != NULL ? &t->t_prevp->t_forw : &p->p_tlist) = t->t_forw;
	*(t->t_forw != NULL ? &t->t_forw->t_prevp : &p->p_tlast) = t->t_prevp;
	p->p_lwpcnt--;
	if (p->p_exited)
		cv_broadcast(&p->p_exitcv);
}

void thread_setproc(kthread_t *t, proc_t *p)
{
	proc_leave(t);
	proc_join(t, p);
}

void thread_exit(void)
{
	kthread_t *t = curthread;

	if (t->t_lwp != NULL)
		PROC_LWP_EXIT();
	SCHED_OFFCPU();
	proc_leave(t);
	t->t_state = 'Z';
	thread_free(t);
	fiber_exit();
}

NOTRACE void thread_preempt(void)
{
	if (!fiber_preempting())
		return;
	SCHED_PREEMPT();
	curthread->t_state = 'R';
	SCHED_ENQUEUE(curthread);
	SCHED_OFFCPU();
	fiber_preempt();
	curthread->t_state = 'O';
	SCHED_ONCPU();
}

/* A process begins with its first lwp: what fork and exec of a real one would show is shown then. */
static NOTRACE void lwp_started(const kthread_t *t)
{
	user_t *u = &t->t_procp->p_user;
	char path[PSARGSZ];
	size_t n = strcspn(u->u_psargs, " ");

	if (t->t_tid == 1) {
		memcpy(path, u->u_psargs, n);
		path[n] = '\0';
		PROC_START();
		PROC_EXEC(path);
		PROC_EXEC_SUCCESS();
	}
	PROC_LWP_START();
}

/* First code of every thread; it lies beyond the gate, so no stack shows it. */
static NOTRACE void thread_start(void *arg)
{
	kthread_t *t = arg;

	t->t_state = 'O';
	if (t->t_intr == 0)
		SCHED_ONCPU();
	if (t->t_lwp != NULL)
		lwp_started(t);
	if (t->t_lwp == NULL)
		machine_gate((int64_t(*)(int64_t, int64_t, int64_t))(void (*)(void))t->t_startpc,
			     (int64_t)t->t_startarg, 0, 0);
	else if (!t->t_procp->p_exited)
		t->t_startpc(t->t_startarg);
	thread_exit();
}

static kthread_t *thread_make(proc_t *p, int class, void (*func)(void *), void *arg, int pri, int kmflags)
{
	kthread_t *t = thread_alloc(kmflags);

	if (t == NULL)
		return NULL;
	t->t_fiber = fiber_create(class, thread_start, t);
	if (t->t_fiber == NULL) {
		thread_free(t);
		return NULL;
	}
	fiber_set_owner(t->t_fiber, t);
	t->t_did = ++lastdid;
	t->t_pri = pri;
	t->t_state = 'R';
	t->t_start = machine_now();
	t->t_startpc = func;
	t->t_startarg = arg;
	t->t_clname = class == FIBER_USER ? "TS" : "SYS";
	t->t_cpu = &cpu0;
	proc_join(t, p);
	return t;
}

kthread_t *thread_create_class(int class, void (*func)(void *), void *arg, int pri)
{
	return thread_make(p0, class, func, arg, pri, KM_NOSLEEP);
}

kthread_t *thread_create(void (*func)(void *), void *arg, int pri)
{
	kthread_t *t = thread_make(p0, FIBER_SYS, func, arg, pri, KM_NOSLEEP);

	if (t != NULL) {
		SCHED_ENQUEUE(t);
		fiber_ready(t->t_fiber);
	}
	return t;
}

kthread_t *lwp_create(proc_t *p, void (*func)(void *), void *arg)
{
	kthread_t *t;

	if (p->p_exited)
		return NULL;
	t = thread_make(p, FIBER_USER, func, arg, MINUSERPRI, KM_NOSLEEP);
	if (t == NULL)
		return NULL;
	t->t_lwp = &t->t_lwp0;
	t->t_tid = ++p->p_nexttid;
	PROC_LWP_CREATE(t);
	if (t->t_tid == 1)
		PROC_CREATE(p); /* its lwp is part of it */
	SCHED_ENQUEUE(t);
	fiber_ready(t->t_fiber);
	return t;
}

kthread_t *lwp_kernel_create(proc_t *p, void (*func)(void *), void *arg)
{
	kthread_t *t = thread_make(p, FIBER_USER, func, arg, MINUSERPRI, KM_SLEEP);

	if (t == NULL) {
		fprintf(stderr, "strsim: no memory for a thread\n");
		abort();
	}
	SCHED_ENQUEUE(t);
	fiber_ready(t->t_fiber);
	return t;
}

void thread_init(void)
{
	lastdid = 0;
	freelist = NULL;
	memset(&t0, 0, sizeof(t0));
	proc_init();
	cpu0 = (cpu_t){
	    .cpu_id = machine_cpu, .cpu_type_info = {P_ONLINE, "i386", "i387 compatible", 0}, .cpu_thread = &t0};
	t0.t_procp = p0;
	t0.t_cpu = &cpu0;
	t0.t_clname = "SYS";
	t0.t_state = 'O';
	fiber_set_owner(NULL, &t0);
}

/* Threads that never ended go with their process; nothing runs any more. */
void thread_fini(void)
{
	kthread_t *t;

	proc_fini(thread_free);
	while ((t = freelist) != NULL) {
		freelist = t->t_link;
		kmem_free(t, sizeof(*t));
	}
}
