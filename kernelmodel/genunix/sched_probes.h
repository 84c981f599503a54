/*
 * The points of the providers sched and proc, which D programs know threads
 * and processes by (translators: sim/d/lib/procfs.d).  A thread of the model
 * runs until it sleeps, ends, or lets better ones run at the end of a system
 * call, so there are no clock ticks, time slices or priority changes.
 *
 * The CPU is idle (thread and process 0) while the machine looks for the next
 * event; its coming and going fires nothing.
 */
#ifndef STRSIM_SCHED_PROBES_H
#define STRSIM_SCHED_PROBES_H

#include "sys/sdt.h"
#include "sys/thread.h"

/* The thread that the CPU will run when the running one lets go of it. */
ALWAYS_INLINE kthread_t *sched_next(void)
{
	kthread_t *t = fiber_next_owner();

	return t != NULL ? t : curthread;
}

/* The last argument says whether it goes to the front of the queue: none does. */
#define SCHED_ENQUEUE(t) \
	SDT_PROBE4("sched", enqueue, kthread_t *, (t), proc_t *, (t)->t_procp, cpu_t *, (t)->t_cpu, int, 0)
#define SCHED_WAKEUP(t) SDT_PROBE2("sched", wakeup, kthread_t *, (t), proc_t *, (t)->t_procp)
#define SCHED_SLEEP() SDT_PROBE0("sched", sleep)
#define SCHED_PREEMPT() SDT_PROBE0("sched", preempt)
#define SCHED_OFFCPU()                                                                           \
	do {                                                                                     \
		kthread_t *sched_t = sched_next();                                               \
		SDT_PROBE2("sched", off__cpu, kthread_t *, sched_t, proc_t *, sched_t->t_procp); \
	} while (0)
#define SCHED_ONCPU()                                                                                               \
	do {                                                                                                        \
		SDT_PROBE3("sched", dequeue, kthread_t *, curthread, proc_t *, curproc, cpu_t *, curthread->t_cpu); \
		SDT_PROBE0("sched", on__cpu);                                                                       \
	} while (0)

/* How a process ended, as wait(2) would tell. */
#define CLD_EXITED 1
#define CLD_KILLED 2

#define PROC_CREATE(p) SDT_PROBE1("proc", create, proc_t *, (p))
#define PROC_EXEC(path) SDT_PROBE1("proc", exec, char *, (path))
#define PROC_EXEC_SUCCESS() SDT_PROBE0("proc", exec__success)
#define PROC_START() SDT_PROBE0("proc", start)
#define PROC_EXIT(why) SDT_PROBE1("proc", exit, int, (why))
#define PROC_LWP_CREATE(t) SDT_PROBE2("proc", lwp__create, kthread_t *, (t), proc_t *, (t)->t_procp)
#define PROC_LWP_START() SDT_PROBE0("proc", lwp__start)
#define PROC_LWP_EXIT() SDT_PROBE0("proc", lwp__exit)
#define PROC_SIGNAL_SEND(p, sig) SDT_PROBE3("proc", signal__send, kthread_t *, (p)->p_tlist, proc_t *, (p), int, (sig))
#define PROC_SIGNAL_DISCARD(p, sig) \
	SDT_PROBE3("proc", signal__discard, kthread_t *, (p)->p_tlist, proc_t *, (p), int, (sig))
#define PROC_SIGNAL_HANDLE(sig) SDT_PROBE1("proc", signal__handle, int, (sig))

#endif
