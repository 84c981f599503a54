/*
 * Interrupt lines and the threads their handlers run on.
 *
 * Raising a line that is not pending gives it an interrupt thread from the pool
 * and makes that ready; the thread calls unix`intr_thread for the line through
 * the gate, so that a handler's stack ends there, and goes back to the pool.  A
 * handler that sleeps keeps its thread meanwhile.  The line stops being pending
 * just before its handlers run: raised from then on means once more.
 */
#include <stdio.h>
#include <stdlib.h>
#include "machine/machine_impl.h"
#include "sys/thread.h"

#define NLINES 64
#define INTR_PRI 109 /* above every other thread */

struct ithread {
	kthread_t *it_thread;
	int it_line;
	struct ithread *it_idle; /* next in the pool */
	struct ithread *it_all;
};

static KLOCAL intr_handler_t *lines[NLINES];
static KLOCAL uint64_t pending;
static KLOCAL struct ithread *idle, *every;

void intr_connect(int line, uint_t (*handler)(void *), void *arg)
{
	intr_handler_t **pp = &lines[line], *ih = kmem_alloc(sizeof(*ih), KM_SLEEP);

	while (*pp != NULL)
		pp = &(*pp)->ih_next;
	ih->ih_func = handler;
	ih->ih_arg = arg;
	ih->ih_next = NULL;
	*pp = ih;
}

const intr_handler_t *intr_chain(int line)
{
	return lines[line];
}

static void intr_loop(void *arg)
{
	struct ithread *it = arg;

	for (;;) {
		pending &= ~(1ULL << it->it_line);
		machine_gate(intr_thread, it->it_line, 0, 0);
		it->it_idle = idle;
		idle = it;
		fiber_block();
	}
}

static struct ithread *ithread_make(void)
{
	struct ithread *it = kmem_zalloc(sizeof(*it), KM_SLEEP);

	it->it_all = every;
	every = it;
	it->it_thread = thread_create_class(FIBER_INTR, intr_loop, it, INTR_PRI);
	if (it->it_thread == NULL) {
		fprintf(stderr, "strsim: no memory for an interrupt thread\n");
		abort();
	}
	it->it_thread->t_intr = 1;
	return it;
}

void intr_raise(int line)
{
	struct ithread *it = idle;

	if (pending & 1ULL << line)
		return;
	pending |= 1ULL << line;
	if (it != NULL)
		idle = it->it_idle;
	else
		it = ithread_make();
	it->it_line = line;
	fiber_ready(it->it_thread->t_fiber);
}

void intr_fini(void)
{
	struct ithread *it;

	for (int i = 0; i < NLINES; i++) {
		for (intr_handler_t *ih = lines[i]; ih != NULL; ih = lines[i]) {
			lines[i] = ih->ih_next;
			kmem_free(ih, sizeof(*ih));
		}
	}
	while ((it = every) != NULL) {
		every = it->it_all;
		kmem_free(it, sizeof(*it));
	}
	idle = NULL;
	pending = 0;
}
