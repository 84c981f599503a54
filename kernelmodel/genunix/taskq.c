/*
 * Task queues (taskq(9F)).
 *
 * A queue is a FIFO of jobs and its worker threads.  One awake worker is enough
 * for a kernel that runs to completion: it takes job after job and goes idle
 * when none is left.  Only when a job sleeps another worker takes over, up to
 * the queue's number of threads (any number for a dynamic one), so that jobs
 * begin in the order of dispatch.  Between jobs interrupts get their turn.
 *
 * A worker's own function is the last frame of a job's stack: taskq_d_thread
 * for a dynamic queue, taskq_thread for others.
 */
#include <string.h>
#include "machine/machine_impl.h"
#include "sys/thread.h"
#include "genunix/proc_impl.h"

typedef struct task {
	task_func_t *tk_func;
	void *tk_arg;
	struct task *tk_next;
} task_t;

struct taskq {
	const char *tq_name;
	int tq_nthreads; /* at most; dynamic: no limit */
	int tq_pri;
	bool tq_dynamic, tq_dying;
	int tq_threads; /* existing */
	int tq_active;  /* of them neither idle nor asleep in a job */
	task_t *tq_first, *tq_last;
	kcondvar_t tq_idle;
	struct taskq *tq_next;
};

KLOCAL taskq_t *system_taskq;
static KLOCAL taskq_t *taskqs;
static KLOCAL task_t *taskpool; /* free jobs of all queues */
static KLOCAL long fail_in;
static KLOCAL uintptr_t lastid;

static bool fail_now(void)
{
	if (LIKELY(fail_in == 0))
		return false;
	if (fail_in < 0)
		return fail_in == -1 || (fail_in++, false);
	return --fail_in == 0;
}

void taskq_fail_nth(long n)
{
	fail_in = n;
}

/* The next job's turn: wait for it; false when the queue goes away. */
static bool taskq_next(taskq_t *tq, task_t *job)
{
	task_t *tk;

	thread_preempt();
	while ((tk = tq->tq_first) == NULL && !tq->tq_dying) {
		tq->tq_active--;
		curthread->t_taskq = NULL; /* this sleep is not one of a job */
		cv_wait(&tq->tq_idle);
	}
	curthread->t_taskq = tq;
	if (tq->tq_dying)
		return false;
	*job = *tk;
	tq->tq_first = tk->tk_next;
	tk->tk_next = taskpool;
	taskpool = tk;
	return true;
}

/* The calling worker ends; the last one of a dying queue frees it. */
static void taskq_leave(taskq_t *tq)
{
	curthread->t_taskq = NULL;
	tq->tq_threads--;
	if (tq->tq_threads == 0)
		kmem_free(tq, sizeof(*tq));
}

static void taskq_d_thread(void *arg)
{
	taskq_t *tq = arg;
	task_t job;

	while (taskq_next(tq, &job))
		job.tk_func(job.tk_arg);
	taskq_leave(tq);
}

static void taskq_thread(void *arg)
{
	taskq_t *tq = arg;
	task_t job;

	while (taskq_next(tq, &job))
		job.tk_func(job.tk_arg);
	taskq_leave(tq);
}

/* One more worker, awake: false when there is no memory for it. */
static bool taskq_extend(taskq_t *tq)
{
	kthread_t *t = thread_create(tq->tq_dynamic ? taskq_d_thread : taskq_thread, tq, tq->tq_pri);

	if (t == NULL)
		return false;
	t->t_taskq = tq;
	tq->tq_threads++;
	tq->tq_active++;
	return true;
}

/* See that an awake worker will look at the queue; if none can, one that sleeps in a job does so after it. */
static void taskq_awake(taskq_t *tq)
{
	if (tq->tq_active > 0)
		return;
	if (tq->tq_idle.cv_first != NULL) {
		tq->tq_active++;
		cv_signal(&tq->tq_idle);
	} else if (tq->tq_dynamic || tq->tq_threads < tq->tq_nthreads) {
		taskq_extend(tq);
	}
}

void taskq_sleep(taskq_t *tq)
{
	tq->tq_active--;
	if (tq->tq_first != NULL)
		taskq_awake(tq);
}

void taskq_wakeup(taskq_t *tq)
{
	tq->tq_active++;
}

static task_t *task_alloc(int kmflags)
{
	task_t *tk = taskpool;

	if (tk != NULL)
		taskpool = tk->tk_next;
	else
		tk = kmem_alloc(sizeof(*tk), kmflags);
	return tk;
}

uintptr_t taskq_dispatch(taskq_t *tq, task_func_t *func, void *arg, uint_t flags)
{
	bool mayfail = (flags & (TQ_NOSLEEP | TQ_NOQUEUE)) != 0;
	task_t *tk;

	if (mayfail && fail_now())
		return 0;
	tk = task_alloc(mayfail ? KM_NOSLEEP : KM_SLEEP);
	if (tk == NULL)
		return 0;
	tk->tk_func = func;
	tk->tk_arg = arg;
	tk->tk_next = NULL;
	*(tq->tq_first != NULL ? &tq->tq_last->tk_next : &tq->tq_first) = tk;
	tq->tq_last = tk;
	taskq_awake(tq);
	return ++lastid;
}

taskq_t *taskq_create(const char *name, int nthreads, int pri, int dynamic)
{
	taskq_t *tq = kmem_zalloc(sizeof(*tq), KM_NOSLEEP);

	if (tq == NULL)
		return NULL;
	tq->tq_name = name;
	tq->tq_nthreads = nthreads;
	tq->tq_pri = pri;
	tq->tq_dynamic = dynamic != 0;
	if (!taskq_extend(tq)) {
		kmem_free(tq, sizeof(*tq));
		return NULL;
	}
	tq->tq_next = taskqs;
	taskqs = tq;
	return tq;
}

void taskq_destroy(taskq_t *tq)
{
	taskq_t **pp = &taskqs;

	while (*pp != tq)
		pp = &(*pp)->tq_next;
	*pp = tq->tq_next;
	if (tq->tq_first != NULL) {
		tq->tq_last->tk_next = taskpool;
		taskpool = tq->tq_first;
		tq->tq_first = NULL;
	}
	tq->tq_dying = true;
	tq->tq_active += tq->tq_threads;
	cv_broadcast(&tq->tq_idle);
}

static void taskq_init(void)
{
	system_taskq = taskq_create("system_taskq", 0, MINCLSYSPRI, 1);
}

/* No thread runs any more: queues that were not destroyed go with their sleeping workers. */
static void taskq_fini(void)
{
	taskq_t *tq;
	task_t *tk;

	while ((tq = taskqs) != NULL) {
		if (tq->tq_first != NULL) {
			tq->tq_last->tk_next = taskpool;
			taskpool = tq->tq_first;
		}
		taskqs = tq->tq_next;
		kmem_free(tq, sizeof(*tq));
	}
	while ((tk = taskpool) != NULL) {
		taskpool = tk->tk_next;
		kmem_free(tk, sizeof(*tk));
	}
	system_taskq = NULL;
	lastid = 0;
	fail_in = 0;
}

KERNEL_INIT(-1, taskq_init, taskq_fini);
