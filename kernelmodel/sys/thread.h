/*
 * Threads and processes of the modelled kernel: kthread_t, proc_t, condition
 * variables, signals.  Field names are Solaris's, since D programs read them
 * through curthread, curpsinfo and curlwpsinfo.
 *
 * Every fiber has a kthread_t.  Interrupt threads and kernel threads belong to
 * p0 ("sched", pid 0); user threads to a process made by proc_create().
 */
#ifndef STRSIM_SYS_THREAD_H
#define STRSIM_SYS_THREAD_H

#include "sys/types.h"
#include "machine/machine.h"

struct proc;
struct file;
struct vnode;

typedef struct cred {
	uint_t cr_ref;
	uid_t cr_uid, cr_ruid;
	gid_t cr_gid, cr_rgid;
} cred_t;
extern KLOCAL cred_t *kcred;
void crhold(cred_t *cr);
void crfree(cred_t *cr);
cred_t *crget(uid_t uid, gid_t gid);

/* A condition variable: a FIFO of sleeping threads. */
typedef struct kcondvar {
	struct kthread *cv_first, *cv_last;
} kcondvar_t;

typedef struct klwp {
	int lwp_errno; /* of the current system call */
	int64_t lwp_rval;
	int lwp_sysnum;
} klwp_t;

/* The CPU of this kernel, as D programs see it. */
typedef struct processor_info {
	int pi_state; /* P_ONLINE */
	char pi_processor_type[16];
	char pi_fputypes[32];
	int pi_clock; /* MHz */
} processor_info_t;
#define P_ONLINE 2

typedef struct cpu {
	processorid_t cpu_id;
	processor_info_t cpu_type_info;
	struct kthread *cpu_thread; /* running on it */
} cpu_t;

typedef struct kthread {
	struct proc *t_procp;
	cpu_t *t_cpu;
	klwp_t *t_lwp; /* NULL for kernel threads */
	klwp_t t_lwp0;
	fiber_t *t_fiber;
	uint32_t t_tid; /* lwp id in its process, 0 for kernel threads */
	uint64_t t_did; /* unique, never reused: identity of self-> variables */
	int t_pri;
	int t_intr;           /* interrupt level, 0 when none */
	char t_state;         /* 'R' ready, 'O' on cpu, 'S' sleeping, 'Z' gone */
	const char *t_clname; /* "TS", "SYS" */
	hrtime_t t_start;
	hrtime_t t_vtime;
	uint_t t_sysnum;
	void (*t_startpc)(void *);
	void *t_startarg;
	/* sleep */
	kcondvar_t *t_wchan;
	struct kthread *t_link, *t_back;
	bool t_wokesig, t_timedout, t_sigable;
	mevent_t t_timer;
	/* process list */
	struct kthread *t_forw, *t_prevp;
	void *t_user;          /* for the owner of a user thread */
	struct taskq *t_taskq; /* whose jobs it runs, or NULL */
} kthread_t;

#define PSARGSZ 80
#define MAXCOMLEN 16

typedef struct user {
	char u_comm[MAXCOMLEN + 1];
	char u_psargs[PSARGSZ];
	int u_argc; /* words of u_psargs */
	hrtime_t u_start;
} user_t;

#define NSIG_MODEL 64
typedef struct proc {
	pid_t p_pid, p_ppid;
	struct proc *p_parent;
	pid_t p_pgrp, p_sid; /* process group, session id */
	cred_t *p_cred;
	user_t p_user;
	kthread_t *p_tlist, *p_tlast;
	int p_lwpcnt;
	int p_nkernel; /* threads inside system calls */
	int p_nchild;
	uint32_t p_nexttid;
	struct file **p_fd; /* open files, p_nfd slots */
	int p_nfd;
	struct fdmap *p_fdmap;              /* which of them are taken (genunix/file.c) */
	uint64_t p_sig, p_ignore, p_caught; /* bit n = signal n */
	/* Tells the owner of the process that a signal was delivered (see psignal()); must not sleep. */
	void (*p_sighandler)(struct proc *, int sig);
	bool p_stopped; /* by job control: threads wait at the end of a system call */
	kcondvar_t p_stopcv;
	kcondvar_t p_exitcv;   /* broadcast whenever a thread of an exiting process ends */
	struct stdata *p_ctty; /* controlling terminal */
	void *p_data;          /* for the owner of the process (replay, scenario) */
	struct proc *p_next, *p_prevp, *p_hash;
	int p_exited; /* 0, or how: CLD_* of <sys/siginfo.h> */
} proc_t;

extern KLOCAL kthread_t *curthread;
#define curproc (curthread->t_procp)
#define ttolwp(t) ((t)->t_lwp)
extern KLOCAL proc_t *p0;

/* pid 0 means the next free one from 1000 on.  psargs is cut at 79 bytes; u_comm is the basename
 * of its first word.  NULL when the pid is taken or memory is short. */
proc_t *proc_create(proc_t *parent, pid_t pid, const char *psargs);
proc_t *prfind(pid_t pid);
/*
 * Begin the end of p: its threads end where they next leave the kernel (sleeps
 * that signals can interrupt are interrupted), then a thread of its own closes
 * all files, which may take time, and frees the process.  Nothing of that has
 * happened when this returns; p is found by prfind() until it has.
 */
void proc_exit(proc_t *p);
/* The oldest process after p in the order they were made; the first for NULL; NULL at the end. */
proc_t *proc_next(proc_t *p);
/* All files of an exiting process (genunix/file.c). */
void closeall(proc_t *p);

/* A user thread of p that runs func(arg) and then ends; ready at once.  kthreads and fibers are
 * pooled: cheap enough for one a system call.  It must sleep in system calls only.  When its process
 * exits, it ends at its next (or current) system call and user_syscall() does not return: func must own
 * nothing then that only it can free.  NULL when memory is short or p is exiting. */
kthread_t *lwp_create(proc_t *p, void (*func)(void *), void *arg);
/* A kernel thread (class FIBER_SYS); func is the base frame of its stack; ready at once.  NULL when no memory. */
kthread_t *thread_create(void (*func)(void *), void *arg, int pri);
/* The same of any class, and not ready before fiber_ready(t->t_fiber): for the machine and the task queues. */
kthread_t *thread_create_class(int class, void (*func)(void *), void *arg, int pri);
/* End the running thread; what its stack still holds is forgotten. */
_Noreturn void thread_exit(void);

void cv_init(kcondvar_t *cv);
void cv_wait(kcondvar_t *cv);
/* 0 = interrupted by a signal (EINTR), else 1. */
int cv_wait_sig(kcondvar_t *cv);
/* Until absolute tick `tick': -1 timed out, 0 signal (only _sig), 1 woken. */
int cv_timedwait(kcondvar_t *cv, clock_t_ tick);
int cv_timedwait_sig(kcondvar_t *cv, clock_t_ tick);
void cv_signal(kcondvar_t *cv);
void cv_broadcast(kcondvar_t *cv);
void cv_destroy(kcondvar_t *cv);

/*
 * Post a signal.  It is dropped when p ignores it (or does by default).  Else
 * one interruptible sleep of p is interrupted, and the signal is delivered when
 * that thread leaves the kernel, or at once when no thread of p is in the
 * kernel.  Delivered means: p_sighandler is told, and a signal that is not
 * caught has its default effect: the process exits, stops or continues.
 */
void psignal(proc_t *p, int sig);
void pgsignal(pid_t pgrp, int sig);
/* Is a signal waiting that would interrupt a sleep? */
bool issig(proc_t *p);
/* Deliver what waits and stand still while p is stopped; at the end of a system call. */
void psig(void);

/* ---- time, timeouts and task queues (genunix/callout.c, genunix/taskq.c) ---- */
clock_t_ ddi_get_lbolt(void);
clock_t_ drv_usectohz(long us);
typedef uint64_t timeout_id_t;
/* func(arg) after ticks: at tick lbolt+ticks, as a callout_execute job on a taskq_thread. */
timeout_id_t timeout(void (*func)(void *), void *arg, clock_t_ ticks);
/* Ticks that were left, -1 when it has run (untimeout(9F)); waits when another thread is running it. */
clock_t_ untimeout(timeout_id_t id);

typedef struct taskq taskq_t;
typedef void(task_func_t)(void *);
extern KLOCAL taskq_t *system_taskq; /* dynamic: jobs run on taskq_d_thread */
#define TQ_SLEEP 0
#define TQ_NOSLEEP 1
#define TQ_NOQUEUE 2
/* At most nthreads jobs at a time sleep in one (any number when dynamic); jobs begin in the order of dispatch. */
taskq_t *taskq_create(const char *name, int nthreads, int pri, int dynamic);
/* Jobs that have not begun are dropped. */
void taskq_destroy(taskq_t *tq);
/* Non-zero id, or 0 when it could not be dispatched (only without TQ_SLEEP). */
uintptr_t taskq_dispatch(taskq_t *tq, task_func_t *func, void *arg, uint_t flags);
/* For tests: the n-th dispatch from now that may fail does (0 = off; n < 0: all from the |n|-th on). */
void taskq_fail_nth(long n);

/* ---- system calls ---- */
#define SYS_MAX 256
typedef int64_t (*sysfunc_t)(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t);
typedef struct sysent {
	int sy_num;
	const char *sy_name;
	int sy_narg;
	sysfunc_t sy_call;
} sysent_t;
/* A system call registers itself; the handler is a static function whose name is the call's
 * ("write"), so that it does not meet the host's libc.  It must return 64 bits (ssize_t, int64_t). */
#define SYSCALL(num, fn, narg)                                                               \
	static const sysent_t sysent_##fn = {num, #fn, narg, (sysfunc_t)(void (*)(void))fn}; \
	LINKER_SET(sysent, sysent_##fn)
/* Inside a handler: set the error and return -1. */
int64_t set_errno(int error);
/* System calls entered since boot. */
uint64_t sysent_count(void);

/*
 * What a user program calls: enters the kernel through unix`sys_sysenter, where
 * stack walks end, and returns the call's value, or -1 with the error in
 * user_errno().  On return ready kernel threads have run.  From a user thread only.
 */
int64_t user_syscall(int num, int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5);
int user_errno(void);

#define SYS_read 3
#define SYS_write 4
#define SYS_open 5
#define SYS_close 6
#define SYS_getpid 20
#define SYS_pause 29
#define SYS_kill 37
#define SYS_ioctl 54
#define SYS_fcntl 62
#define SYS_getmsg 85
#define SYS_putmsg 86
#define SYS_poll 87
#define SYS_sigaction 98
#define SYS_readv 121
#define SYS_writev 122
#define SYS_getpmsg 132
#define SYS_putpmsg 133
#define SYS_nanosleep 199
#define SYS_so_socket 230
#define SYS_so_socketpair 231
#define SYS_bind 232
#define SYS_listen 233
#define SYS_accept 234
#define SYS_connect 235
#define SYS_shutdown 236
#define SYS_recv 237
#define SYS_recvfrom 238
#define SYS_recvmsg 239
#define SYS_send 240
#define SYS_sendmsg 241
#define SYS_sendto 242
#define SYS_getpeername 243
#define SYS_getsockname 244
#define SYS_getsockopt 245
#define SYS_setsockopt 246
#define SYS_pipe 42

#endif
