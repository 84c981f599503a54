/* Between the files of kernelmodel/machine, and for genunix/thread.c; nobody else. */
#ifndef STRSIM_MACHINE_IMPL_H
#define STRSIM_MACHINE_IMPL_H

#include "machine/machine.h"

/* Fibers (fiber.c). */
void fiber_init(void);
void fiber_fini(void);
/* Run ready fibers, best class first, until none is ready or a stop is wanted; host's stack only. */
void fiber_run_ready(void);
/* End the running fiber here; what its stack still holds is forgotten. */
_Noreturn void fiber_exit(void);
extern KLOCAL bool machine_stopping;

/* Events (event.c). */
/* Take the first event out and run it; there must be one. */
void event_run_first(void);
/* Forget every event: no one is scheduled afterwards. */
void event_forget(void);
void event_fini(void);
extern KLOCAL hrtime_t machine_clock;

/* Interrupts (intr.c). */
/* One handler of an interrupt line; a line's handlers form a chain that unix`intr_thread walks. */
typedef struct intr_handler {
	uint_t (*ih_func)(void *);
	void *ih_arg;
	struct intr_handler *ih_next;
} intr_handler_t;
const intr_handler_t *intr_chain(int line);
void intr_fini(void);

/* Memory (kmem.c), randomness (random.c). */
/* Give all small memory back to the host, unless some of it leaked. */
void kmem_reap(void);
void random_forget(void);
void random_init(uint64_t seed);

/* Up into the kernel: threads (genunix/thread.c, proc.c) and the base frame of an interrupt thread (unix/intr_thread.c). */
void thread_init(void);
void thread_fini(void);
/* Begin the end of every process; how many there still are (p0 aside). */
void proc_exit_all(void);
int proc_count(void);
int64_t intr_thread(int64_t line, int64_t, int64_t);

#endif
