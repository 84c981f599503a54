/*
 * The machine under the modelled kernel: fibers, the virtual clock, the event
 * queue, interrupt lines.
 *
 * Theory.  One host thread runs one machine.  All code of the model runs on
 * fibers; exactly one runs at a time and it is never pre-empted.  Time is
 * virtual: it stands still while any fiber can run, and jumps to the next
 * event when none can.  Events are ordered by (time, sequence number), so a
 * run is a function of its inputs alone.
 *
 * machine_run() is the outermost loop:
 *
 *	1. run ready kernel threads (interrupt threads first, then task queues
 *	   and workers) until none is ready;
 *	2. run one ready user thread until it blocks, exits or makes a system
 *	   call that made a kernel thread ready; back to 1;
 *	3. nothing ready: advance the clock to the first event and run it.
 *
 * Everything in kernelmodel/machine is NOTRACE: it has no counterpart in a
 * Solaris kernel, so it must not be seen by fbt or in stacks.
 */
#ifndef STRSIM_MACHINE_H
#define STRSIM_MACHINE_H

#include "sys/types.h"

/* ---- fibers ---- */

typedef struct fiber fiber_t;

/* Priority classes of ready fibers, best first. */
enum { FIBER_INTR, FIBER_SYS, FIBER_USER, FIBER_NCLASS };

/*
 * Make a fiber that will run func(arg) and end when it returns.  It is not
 * ready until fiber_ready().  Stacks come from a pool, have a guard page below
 * and are reused.  NULL when no memory is left.
 */
fiber_t *fiber_create(int class, void (*func)(void *), void *arg);
/* Append to the ready queue of its class (no-op if ready or running). */
void fiber_ready(fiber_t *f);
/* Put the running fiber to sleep until fiber_ready() is called on it. */
void fiber_block(void);
/* Let better classes run, if any is ready, then go on (end of a system call). */
void fiber_preempt(void);
/* The running fiber; NULL on the host's own stack (the outermost loop). */
fiber_t *fiber_self(void);
/* One word for the owner of the fiber (genunix keeps the kthread here); f NULL is the host's stack. */
void fiber_set_owner(fiber_t *f, void *owner);
void *fiber_owner(const fiber_t *f);
/* The owner of the fiber that would run if the running one stopped now: the host's if none is ready. */
void *fiber_next_owner(void);
/* Would fiber_preempt() let others run? */
bool fiber_preempting(void);

/*
 * Bounds of the stack in use, for stack walks; kept up to date at every switch.
 * On the host's own stack they are that stack's bounds.
 */
extern KLOCAL uintptr_t machine_stklo, machine_stkhi;
/* Bytes of stack left to the caller. */
size_t machine_stack_left(void);

/*
 * Call func(arg0, arg1, arg2) with the frame pointer zeroed, so that a stack
 * walk ends there: the border between user and kernel, or the bottom of a
 * kernel thread.
 */
int64_t machine_gate(int64_t (*func)(int64_t, int64_t, int64_t), int64_t, int64_t, int64_t);

/* ---- time and events ---- */

#define HZ 100 /* clock ticks a second */
#define NSEC_PER_TICK 10000000LL

/* Virtual nanoseconds since the machine started (gethrtime(9F)). */
hrtime_t machine_now(void);
/* The time since boot, which was 1 ns before virtual time 0: never 0, which scripts take for a time that is not set. */
hrtime_t machine_uptime(void);
/* Set the wall clock (ns since the epoch) that virtual time 0 stands for. */
void machine_set_epoch(int64_t ns);
int64_t machine_walltime(void);

typedef struct mevent {
	hrtime_t me_when;
	uint64_t me_seq;
	void (*me_func)(void *);
	void *me_arg;
	uint32_t me_slot; /* place in the queue + 1; 0 = not scheduled */
} mevent_t;

/*
 * Schedule ev (caller's memory, zeroed before first use) for `when'; a time in
 * the past means now.  An event that is scheduled already is moved.  func runs
 * on the host's stack between fibers: it must not block; it may make fibers
 * ready, raise interrupts and schedule events.  Order: (when, order of
 * scheduling).  O(log n).
 */
void event_schedule(mevent_t *ev, hrtime_t when, void (*func)(void *), void *arg);
/* 1 if it was scheduled and is not any more, else 0. */
int event_cancel(mevent_t *ev);
/* Time of the first event, or INT64_MAX. */
hrtime_t event_next(void);

/* ---- interrupts ---- */

/*
 * Connect a handler (ddi_add_intr(9F)).  It runs on an interrupt thread whose
 * stack ends in unix`intr_thread; returns 1 claimed, 0 not.  At most 64 lines.
 */
void intr_connect(int line, uint_t (*handler)(void *), void *arg);
/* Ask for the line's handler; asked again before it ran means once. */
void intr_raise(int line);

/* ---- running ---- */

/* Run until nothing is ready and the first event lies after `until'; the clock then stands at `until'
 * (or where it was stopped).  Call from the host's own stack only. */
void machine_run(hrtime_t until);
/* The same, until no event is left at all or `until' has come: returns 1 when idle before `until'
 * (the clock then stands at the last event). */
int machine_run_idle(hrtime_t until);
/* Make machine_run() return after the current fiber or event. */
void machine_stop(void);
/* Run what is ready at this moment, without letting time pass. */
void machine_run_ready(void);

/* Create this thread's machine and boot its kernel (runs every module's init);
 * cpu is the number D programs see.  machine_fini() frees all; when something was leaked (a
 * message block, any kernel memory) it says so on standard error and returns -1, else 0. */
void machine_init(int cpu);
int machine_fini(void);
extern KLOCAL int machine_cpu;

/*
 * Boot order: functions registered with KERNEL_INIT(level, func) run in
 * machine_init() by level, then by link order; `fini' ones in reverse.  They run
 * on the host's stack, so they cannot sleep; threads that they make run before
 * the next function does.
 */
typedef struct kinit {
	int ki_level; /* -1 task queues and timeouts, 0 memory, 1 genunix, 2 drivers and modules, 3 protocols plumbed */
	void (*ki_init)(void);
	void (*ki_fini)(void); /* may be NULL */
} kinit_t;
#define KERNEL_INIT(level, init, fini)                           \
	static const kinit_t kinit_##init = {level, init, fini}; \
	LINKER_SET(kinit, kinit_##init)

/* ---- memory ---- */

/*
 * kmem_alloc(9F) of the model.  With KM_NOSLEEP NULL when memory is short; with
 * KM_SLEEP never NULL.  kmem_fail_nth(n): the n-th KM_NOSLEEP allocation from
 * now fails, once (0 = off); with n < 0 every one from the |n|-th on fails.
 */
void *kmem_alloc(size_t size, int kmflags);
void *kmem_zalloc(size_t size, int kmflags);
void kmem_free(void *p, size_t size);
#define KM_SLEEP 0
#define KM_NOSLEEP 1
void kmem_fail_nth(long n);
/* Bytes and objects alive: both 0 after machine_fini() of a clean kernel. */
void kmem_alive(size_t *bytes, size_t *objects);

/* Seeded randomness (xoshiro256**), the only one there is. */
void machine_seed(uint64_t seed);
uint64_t machine_random(void);

#endif
