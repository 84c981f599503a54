/*
 * Processes: the table by pid, birth and death.
 *
 * proc_exit() only marks a process.  Its threads end at the border of the
 * kernel; a last thread, which runs exit_proc(), waits for them, closes the
 * files in the context of the process and frees it.
 */
#include <stdlib.h>
#include <string.h>
#include "machine/machine_impl.h"
#include "sys/thread.h"
#include "genunix/proc_impl.h"
#include "genunix/sched_probes.h"

#define PIDHASH 1024 /* buckets to begin with; doubled when there are more processes */
#define FIRSTPID 1000

KLOCAL proc_t *p0;
static KLOCAL proc_t *pidsmall[PIDHASH], **pidhash;
static KLOCAL uint32_t pidbuckets;
static KLOCAL proc_t *first, *last; /* in the order they were made; p0 is not among them */
static KLOCAL int count;
static KLOCAL pid_t nextpid;

static proc_t **pidhead(pid_t pid)
{
	if (pidhash == NULL) {
		pidhash = pidsmall;
		pidbuckets = PIDHASH;
	}
	return &pidhash[(uint32_t)pid & (pidbuckets - 1)];
}

static void pidhash_free(void)
{
	if (pidhash != NULL && pidhash != pidsmall)
		kmem_free(pidhash, pidbuckets * sizeof(proc_t *));
	pidhash = NULL;
}

/* More processes than buckets; without memory the chains just get longer. */
static void pidhash_grow(void)
{
	proc_t **old = pidhash, **bigger = kmem_zalloc(2 * pidbuckets * sizeof(proc_t *), KM_NOSLEEP);
	uint32_t n = pidbuckets;

	if (bigger == NULL)
		return;
	pidhash = bigger;
	pidbuckets *= 2;
	for (uint32_t i = 0; i < n; i++) {
		for (proc_t *p = old[i], *next; p != NULL; p = next) {
			next = p->p_hash;
			p->p_hash = *pidhead(p->p_pid);
			*pidhead(p->p_pid) = p;
		}
	}
	if (old == pidsmall)
		memset(pidsmall, 0, sizeof(pidsmall));
	else
		kmem_free(old, n * sizeof(proc_t *));
}

proc_t *prfind(pid_t pid)
{
	proc_t *p = *pidhead(pid);

	while (p != NULL && p->p_pid != pid)
		p = p->p_hash;
	return p;
}

proc_t *proc_next(proc_t *p)
{
	return p != NULL ? p->p_next : first;
}

int proc_count(void)
{
	return count;
}

static pid_t pid_free(void)
{
	while (prfind(nextpid) != NULL)
		nextpid++;
	return nextpid++;
}

static int count_words(const char *s, size_t len)
{
	int words = 0;

	for (size_t i = 0; i < len; i++)
		words += s[i] != ' ' && (i == 0 || s[i - 1] == ' ');
	return words;
}

/* u_psargs is the whole command, u_comm the last component of its first word. */
static void set_names(user_t *u, const char *psargs)
{
	size_t len = strnlen(psargs, PSARGSZ - 1), end = 0, start = 0;

	memcpy(u->u_psargs, psargs, len);
	u->u_argc = count_words(psargs, len);
	for (; end < len && psargs[end] != ' '; end++) {
		if (psargs[end] == '/')
			start = end + 1;
	}
	memcpy(u->u_comm, psargs + start, MIN(end - start, MAXCOMLEN));
}

static proc_t *proc_make(proc_t *parent, pid_t pid, const char *psargs)
{
	proc_t *p = kmem_zalloc(sizeof(*p), KM_NOSLEEP);

	if (p == NULL)
		return NULL;
	p->p_pid = pid;
	p->p_parent = parent != NULL ? parent : p0;
	p->p_ppid = p->p_parent != NULL ? p->p_parent->p_pid : 0;
	p->p_pgrp = parent != NULL ? parent->p_pgrp : pid;
	p->p_sid = parent != NULL ? parent->p_sid : pid;
	p->p_ctty = parent != NULL ? parent->p_ctty : NULL;
	p->p_ignore = parent != NULL ? parent->p_ignore : 0;
	p->p_cred = parent != NULL ? parent->p_cred : kcred;
	crhold(p->p_cred);
	if (p->p_parent != NULL)
		p->p_parent->p_nchild++;
	p->p_user.u_start = machine_now();
	set_names(&p->p_user, psargs);
	if (pidhash != NULL && (uint32_t)count > pidbuckets)
		pidhash_grow();
	p->p_hash = *pidhead(pid);
	*pidhead(pid) = p;
	return p;
}

proc_t *proc_create(proc_t *parent, pid_t pid, const char *psargs)
{
	proc_t *p;

	if (pid < 0 || (pid != 0 && prfind(pid) != NULL))
		return NULL;
	p = proc_make(parent, pid != 0 ? pid : pid_free(), psargs);
	if (p == NULL)
		return NULL;
	p->p_prevp = last;
	*(last != NULL ? &last->p_next : &first) = p;
	last = p;
	count++;
	return p;
}

/* Give the children of a process that goes to p0. */
static void orphan(proc_t *p)
{
	for (proc_t *q = first; q != NULL && p->p_nchild > 0; q = q->p_next) {
		if (q->p_parent == p) {
			q->p_parent = p0;
			q->p_ppid = 0;
			p->p_nchild--;
			p0->p_nchild++;
		}
	}
}

static void proc_unlink(proc_t *p)
{
	proc_t **pp = pidhead(p->p_pid);

	while (*pp != p)
		pp = &(*pp)->p_hash;
	*pp = p->p_hash;
	*(p->p_prevp != NULL ? &p->p_prevp->p_next : &first) = p->p_next;
	*(p->p_next != NULL ? &p->p_next->p_prevp : &last) = p->p_prevp;
	count--;
	orphan(p);
	p->p_parent->p_nchild--;
}

static void proc_free(proc_t *p)
{
	crfree(p->p_cred);
	kmem_free(p, sizeof(*p));
}

/* The last thread of a process. */
static void exit_proc(void *arg)
{
	proc_t *p = arg;

	while (p->p_lwpcnt > 1)
		cv_wait(&p->p_exitcv);
	PROC_EXIT(p->p_exited);
	closeall(p);
	proc_unlink(p);
	thread_setproc(curthread, p0);
	proc_free(p);
}

void proc_exit(proc_t *p)
{
	if (p->p_exited || p == p0)
		return;
	p->p_exited = CLD_EXITED;
	p->p_stopped = false;
	cv_broadcast(&p->p_stopcv);
	for (kthread_t *t = p->p_tlist; t != NULL; t = t->t_forw) {
		if (t->t_sigable)
			sleep_interrupt(t);
	}
	lwp_kernel_create(p, exit_proc, p);
}

void proc_exit_all(void)
{
	for (proc_t *p = first; p != NULL; p = p->p_next)
		proc_exit(p);
}

void proc_init(void)
{
	memset(pidsmall, 0, sizeof(pidsmall));
	pidhash = NULL;
	first = last = NULL;
	count = 0;
	nextpid = FIRSTPID;
	p0 = NULL;
	kcred = crget(0, 0);
	p0 = proc_make(NULL, 0, "sched");
	if (p0 == NULL)
		abort();
}

static void proc_discard(proc_t *p, void (*thread_gone)(kthread_t *))
{
	kthread_t *t;

	while ((t = p->p_tlist) != NULL) {
		p->p_tlist = t->t_forw;
		thread_gone(t);
	}
	proc_free(p);
}

void proc_fini(void (*thread_gone)(kthread_t *))
{
	proc_t *p;

	while ((p = first) != NULL) {
		first = p->p_next;
		proc_discard(p, thread_gone);
	}
	proc_discard(p0, thread_gone);
	pidhash_free();
	p0 = NULL;
	crfree(kcred);
	kcred = NULL;
}
