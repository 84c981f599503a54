/* Between thread.c, proc.c, condvar.c and signal.c. */
#ifndef STRSIM_PROC_IMPL_H
#define STRSIM_PROC_IMPL_H

#include "sys/thread.h"

#define MINUSERPRI 59 /* of a time-sharing thread that has slept much */
#define MINCLSYSPRI 60

void proc_init(void);
/* Free every process; each of its threads goes to thread_gone. */
void proc_fini(void (*thread_gone)(kthread_t *));
/* A ready thread of p that runs kernel code only and does not end with the others; never NULL. */
kthread_t *lwp_kernel_create(proc_t *p, void (*func)(void *), void *arg);
/* Make t a thread of another process. */
void thread_setproc(kthread_t *t, proc_t *p);
/* Take t out of its sleep, which a signal may interrupt. */
void sleep_interrupt(kthread_t *t);
/* Let better threads run, if any is ready. */
void thread_preempt(void);
/* Sleep until somebody makes the running thread ready: all sleeps come through here. */
void swtch(void);
/* The running thread, which works for a task queue, is about to sleep, and has slept (taskq.c). */
void taskq_sleep(taskq_t *tq);
void taskq_wakeup(taskq_t *tq);

#endif
