/*
 * Fibers.
 *
 * A fiber is a stack and the place where it was left.  The stack is a mapping
 * of its own: a guard page, 256 KiB for the code (only what is touched costs memory), and a page on top that holds
 * the fiber itself and shifts the start of the stack by a colour, so that the
 * hot frames of many fibers do not meet in one cache set.  Stacks are never
 * given back before fiber_fini(); a fiber that ends goes on top of the pool, so
 * the next one starts on warm memory.
 *
 * A fiber that stops running (fiber_block, fiber_preempt, its end) chooses its
 * successor itself and switches straight to it; the host's stack gets its turn
 * when nothing is ready.  No switch makes a system call.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "machine/machine_impl.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define STACK_USABLE (512 * 1024)
#else
#define STACK_USABLE (256 * 1024)
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define VALGRIND_STACK_REGISTER(lo, hi) ((unsigned)0)
#define VALGRIND_STACK_DEREGISTER(id) ((void)(id))
#endif

#define PAGE 4096
#define STACK_MAP (PAGE + STACK_USABLE + PAGE)
#define COLOURS 16
#define COLOUR_STEP 192

enum fstate { F_FREE, F_IDLE, F_READY, F_RUNNING };

struct fiber {
	void *f_sp;
	uintptr_t f_lo, f_hi; /* bounds of the stack in use */
	enum fstate f_state;
	int f_class;
	struct fiber *f_next; /* ready queue or pool */
	void *f_owner;
	void (*f_func)(void *);
	void *f_arg;
	struct fiber *f_all;
	char *f_map;
	unsigned f_vgid;
#if defined(__SANITIZE_ADDRESS__)
	void *f_fake;
#endif
#if defined(__SANITIZE_THREAD__)
	void *f_tsan;
#endif
};

void fiber_switch(void **from, void *to);
void fiber_entry(void);
void fiber_main(void);

struct kthread;
extern KLOCAL struct kthread *curthread; /* of sys/thread.h: the running fiber's owner */
KLOCAL struct kthread *curthread;
KLOCAL uintptr_t machine_stklo, machine_stkhi;
KLOCAL bool machine_stopping;

static KLOCAL struct fiber host;
static KLOCAL struct fiber *running;
static KLOCAL struct fiber *pool, *all;
static KLOCAL unsigned made;
static KLOCAL struct {
	struct fiber *first, *last;
} ready[FIBER_NCLASS];

static void queue_tail(struct fiber *f)
{
	f->f_state = F_READY;
	f->f_next = NULL;
	if (ready[f->f_class].first == NULL)
		ready[f->f_class].first = f;
	else
		ready[f->f_class].last->f_next = f;
	ready[f->f_class].last = f;
}

static void queue_head(struct fiber *f)
{
	f->f_state = F_READY;
	f->f_next = ready[f->f_class].first;
	if (f->f_next == NULL)
		ready[f->f_class].last = f;
	ready[f->f_class].first = f;
}

/* The best ready fiber, taken off its queue; the host when there is none or a stop is wanted. */
static struct fiber *take_next(void)
{
	if (machine_stopping)
		return &host;
	for (int c = 0; c < FIBER_NCLASS; c++) {
		struct fiber *f = ready[c].first;
		if (f != NULL) {
			ready[c].first = f->f_next;
			return f;
		}
	}
	return &host;
}

/* The other stack is running now: let the sanitizer know. */
static inline void arrived(void)
{
#if defined(__SANITIZE_ADDRESS__)
	__sanitizer_finish_switch_fiber(running->f_fake, NULL, NULL);
#endif
}

static void switch_to(struct fiber *to, bool dying)
{
	struct fiber *from = running;

	to->f_state = F_RUNNING;
	running = to;
	machine_stklo = to->f_lo;
	machine_stkhi = to->f_hi;
	curthread = to->f_owner;
#if defined(__SANITIZE_ADDRESS__)
	__sanitizer_start_switch_fiber(dying ? NULL : &from->f_fake, (void *)to->f_lo, to->f_hi - to->f_lo);
#else
	(void)dying;
#endif
#if defined(__SANITIZE_THREAD__)
	__tsan_switch_to_fiber(to->f_tsan, 0); /* what one fiber did happened before what the next one does */
#endif
	fiber_switch(&from->f_sp, to->f_sp);
	arrived();
}

/* First code of every fiber, from fiber_entry. */
void fiber_main(void)
{
	arrived();
	running->f_func(running->f_arg);
	fiber_exit();
}

/* A new stack with its fiber, or NULL. */
static struct fiber *fiber_make(void)
{
	char *map = mmap(NULL, STACK_MAP, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct fiber *f;

	if (map == MAP_FAILED)
		return NULL;
	if (mprotect(map, PAGE, PROT_NONE) != 0) {
		munmap(map, STACK_MAP);
		return NULL;
	}
	f = (struct fiber *)(map + STACK_MAP - PAGE) + (PAGE / sizeof(*f) - 1);
	f->f_map = map;
	f->f_lo = (uintptr_t)map + PAGE;
	f->f_hi = f->f_lo + STACK_USABLE + made++ % COLOURS * COLOUR_STEP;
	f->f_vgid = VALGRIND_STACK_REGISTER(map + PAGE, (char *)f->f_hi);
#if defined(__SANITIZE_THREAD__)
	f->f_tsan = __tsan_create_fiber(0);
#endif
	f->f_all = all;
	all = f;
	return f;
}

/* Lay the stack so that the first switch to the fiber pops six registers and returns into fiber_entry. */
static void fiber_lay(struct fiber *f)
{
	uintptr_t *sp = (uintptr_t *)(f->f_hi & ~(uintptr_t)15);

#if defined(__SANITIZE_ADDRESS__)
	__asan_unpoison_memory_region((void *)f->f_lo, f->f_hi - f->f_lo);
	f->f_fake = NULL;
#endif
	*--sp = 0;
	*--sp = 0; /* fiber_entry finds the stack pointer a multiple of 16, as before any call */
	*--sp = (uintptr_t)fiber_entry;
	for (int i = 0; i < 6; i++)
		*--sp = 0;
	f->f_sp = sp;
}

fiber_t *fiber_create(int class, void (*func)(void *), void *arg)
{
	struct fiber *f = pool;

	if (f != NULL)
		pool = f->f_next;
	else if ((f = fiber_make()) == NULL)
		return NULL;
	fiber_lay(f);
	f->f_class = class;
	f->f_func = func;
	f->f_arg = arg;
	f->f_owner = NULL;
	f->f_state = F_IDLE;
	return f;
}

void fiber_ready(fiber_t *f)
{
	if (f->f_state == F_IDLE)
		queue_tail(f);
}

void fiber_block(void)
{
	running->f_state = F_IDLE;
	switch_to(take_next(), false);
}

bool fiber_preempting(void)
{
	for (int c = 0; c < running->f_class; c++)
		if (ready[c].first != NULL || machine_stopping)
			return true;
	return false;
}

void fiber_preempt(void)
{
	if (!fiber_preempting())
		return;
	queue_head(running);
	switch_to(take_next(), false);
}

void *fiber_next_owner(void)
{
	for (int c = 0; c < FIBER_NCLASS && !machine_stopping; c++)
		if (ready[c].first != NULL)
			return ready[c].first->f_owner;
	return host.f_owner;
}

void fiber_exit(void)
{
	struct fiber *f = running;

	f->f_state = F_FREE;
	f->f_owner = NULL;
	f->f_next = pool;
	pool = f;
	switch_to(take_next(), true);
	abort(); /* a free fiber is never switched to */
}

fiber_t *fiber_self(void)
{
	return running == &host ? NULL : running;
}

void fiber_set_owner(fiber_t *f, void *owner)
{
	struct fiber *who = f != NULL ? f : &host;

	who->f_owner = owner;
	if (who == running)
		curthread = owner;
}

void *fiber_owner(const fiber_t *f)
{
	return f->f_owner;
}

size_t machine_stack_left(void)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	return here > machine_stklo ? here - machine_stklo : 0;
}

void fiber_run_ready(void)
{
	struct fiber *f;

	while ((f = take_next()) != &host) {
		host.f_state = F_IDLE;
		switch_to(f, false);
	}
}

void fiber_init(void)
{
	pthread_attr_t at;
	void *lo;
	size_t size;

	memset(&host, 0, sizeof(host));
	if (pthread_getattr_np(pthread_self(), &at) == 0) {
		if (pthread_attr_getstack(&at, &lo, &size) == 0) {
			host.f_lo = (uintptr_t)lo;
			host.f_hi = (uintptr_t)lo + size;
		}
		pthread_attr_destroy(&at);
	}
#if defined(__SANITIZE_THREAD__)
	host.f_tsan = __tsan_get_current_fiber();
#endif
	host.f_state = F_RUNNING;
	running = &host;
	machine_stklo = host.f_lo;
	machine_stkhi = host.f_hi;
}

/* All stacks go, of fibers that never ended too: what they still held is lost. */
void fiber_fini(void)
{
	struct fiber *next;

	for (struct fiber *f = all; f != NULL; f = next) {
		next = f->f_all;
		VALGRIND_STACK_DEREGISTER(f->f_vgid);
#if defined(__SANITIZE_THREAD__)
		__tsan_destroy_fiber(f->f_tsan);
#endif
#if defined(__SANITIZE_ADDRESS__)
		__asan_unpoison_memory_region((void *)f->f_lo, f->f_hi - f->f_lo);
#endif
		munmap(f->f_map, STACK_MAP);
	}
	all = pool = NULL;
	made = 0;
	memset(ready, 0, sizeof(ready));
	host.f_owner = NULL;
	curthread = NULL;
}
