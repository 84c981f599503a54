/*
 * Timeouts (timeout(9F)).
 *
 * All callouts that expire at one tick hang in one FIFO, found by hashing the
 * tick; only the tick is an event of the machine, so a million timers cost the
 * event queue no more than the ticks they fall on.  When a tick has come, its
 * FIFO goes to the expired ones and a task is dispatched that runs them:
 * callout_execute on a taskq_thread.
 *
 * An id is the callout's index and a generation that changes with each use, so
 * that untimeout() of one that has run is recognised.
 */
#include <string.h>
#include "sys/thread.h"
#include "genunix/proc_impl.h"

#define TICKHASH 4096
#define CHUNK 256
#define CALLOUT_THREADS 64 /* so many callouts may sleep without holding up the others */

struct ctick;

typedef struct callout {
	void (*c_func)(void *);
	void *c_arg;
	struct ctick *c_tick; /* whose FIFO it is in, NULL when free or executing */
	struct callout *c_next, *c_prev;
	uint32_t c_index, c_gen;
	kthread_t *c_executor;
	kcondvar_t c_done;
} callout_t;

typedef struct ctick {
	clock_t_ ct_lbolt;
	bool ct_expired;
	callout_t *ct_first, *ct_last;
	struct ctick *ct_next, *ct_prev; /* hash chain, or FIFO of expired ticks */
	mevent_t ct_event;
} ctick_t;

typedef struct ticklist {
	ctick_t *first, *last;
} ticklist_t;

static KLOCAL ticklist_t tickhash[TICKHASH];
static KLOCAL ticklist_t expired;
static KLOCAL ctick_t *freeticks;
static KLOCAL callout_t **chunks;
static KLOCAL uint32_t nchunks, maxchunks;
static KLOCAL callout_t *freecallouts;
static KLOCAL taskq_t *callout_taskq;
static KLOCAL bool dispatched;

clock_t_ ddi_get_lbolt(void)
{
	return machine_now() / NSEC_PER_TICK;
}

clock_t_ drv_usectohz(long us)
{
	return (us * HZ + 999999) / 1000000;
}

/* ---- ticks ---- */

static void ticklist_append(ticklist_t *l, ctick_t *ct)
{
	ct->ct_next = NULL;
	ct->ct_prev = l->last;
	*(l->last != NULL ? &l->last->ct_next : &l->first) = ct;
	l->last = ct;
}

static void ticklist_remove(ticklist_t *l, ctick_t *ct)
{
	*(ct->ct_prev != NULL ? &ct->ct_prev->ct_next : &l->first) = ct->ct_next;
	*(ct->ct_next != NULL ? &ct->ct_next->ct_prev : &l->last) = ct->ct_prev;
}

static ticklist_t *ticklist_of(const ctick_t *ct)
{
	return ct->ct_expired ? &expired : &tickhash[(uint64_t)ct->ct_lbolt % TICKHASH];
}

static void callout_execute(void *);

static void callout_schedule(void *arg)
{
	ctick_t *ct = arg;

	ticklist_remove(ticklist_of(ct), ct);
	ct->ct_expired = true;
	ticklist_append(&expired, ct);
	if (!dispatched) {
		dispatched = true;
		taskq_dispatch(callout_taskq, callout_execute, NULL, TQ_SLEEP);
	}
}

static ctick_t *ctick_get(clock_t_ lbolt)
{
	ticklist_t *l = &tickhash[(uint64_t)lbolt % TICKHASH];
	ctick_t *ct;

	for (ct = l->last; ct != NULL; ct = ct->ct_prev) {
		if (ct->ct_lbolt == lbolt)
			return ct;
	}
	ct = freeticks;
	if (ct != NULL)
		freeticks = ct->ct_next;
	else
		ct = kmem_zalloc(sizeof(*ct), KM_SLEEP);
	ct->ct_lbolt = lbolt;
	ct->ct_expired = false;
	ct->ct_first = ct->ct_last = NULL;
	ticklist_append(l, ct);
	event_schedule(&ct->ct_event, lbolt * NSEC_PER_TICK, callout_schedule, ct);
	return ct;
}

static void ctick_put(ctick_t *ct)
{
	event_cancel(&ct->ct_event);
	ticklist_remove(ticklist_of(ct), ct);
	ct->ct_next = freeticks;
	freeticks = ct;
}

/* ---- callouts ---- */

static void chunk_make(void)
{
	callout_t *c = kmem_zalloc(CHUNK * sizeof(*c), KM_SLEEP), **bigger;

	if (nchunks == maxchunks) {
		uint32_t max = maxchunks == 0 ? 16 : 2 * maxchunks;
		bigger = kmem_alloc(max * sizeof(*bigger), KM_SLEEP);
		if (nchunks > 0)
			memcpy(bigger, chunks, nchunks * sizeof(*bigger));
		kmem_free(chunks, maxchunks * sizeof(*bigger));
		chunks = bigger;
		maxchunks = max;
	}
	chunks[nchunks] = c;
	for (int i = CHUNK - 1; i >= 0; i--) {
		c[i].c_index = nchunks * CHUNK + (uint32_t)i;
		c[i].c_next = freecallouts;
		freecallouts = &c[i];
	}
	nchunks++;
}

static void callout_free(callout_t *c)
{
	c->c_gen++;
	c->c_executor = NULL;
	c->c_next = freecallouts;
	freecallouts = c;
}

/* Take c out of its tick, which goes too when nothing else is left in it. */
static void callout_unlink(callout_t *c)
{
	ctick_t *ct = c->c_tick;

	*(c->c_prev != NULL ? &c->c_prev->c_next : &ct->ct_first) = c->c_next;
	*(c->c_next != NULL ? &c->c_next->c_prev : &ct->ct_last) = c->c_prev;
	c->c_tick = NULL;
	if (ct->ct_first == NULL)
		ctick_put(ct);
}

timeout_id_t timeout(void (*func)(void *), void *arg, clock_t_ ticks)
{
	ctick_t *ct = ctick_get(ddi_get_lbolt() + MAX(ticks, 1));
	callout_t *c;

	if (freecallouts == NULL)
		chunk_make();
	c = freecallouts;
	freecallouts = c->c_next;
	c->c_func = func;
	c->c_arg = arg;
	c->c_tick = ct;
	c->c_next = NULL;
	c->c_prev = ct->ct_last;
	*(ct->ct_last != NULL ? &ct->ct_last->c_next : &ct->ct_first) = c;
	ct->ct_last = c;
	return (uint64_t)c->c_gen << 32 | (c->c_index + 1);
}

/* The callout of an id that has not run to its end, or NULL. */
static callout_t *callout_find(timeout_id_t id)
{
	uint32_t index = (uint32_t)id - 1;
	callout_t *c;

	if (index >= nchunks * CHUNK)
		return NULL;
	c = &chunks[index / CHUNK][index % CHUNK];
	return c->c_gen == id >> 32 && (c->c_tick != NULL || c->c_executor != NULL) ? c : NULL;
}

clock_t_ untimeout(timeout_id_t id)
{
	callout_t *c = callout_find(id);
	clock_t_ left;

	if (c == NULL)
		return -1;
	if (c->c_executor != NULL) {
		while (c->c_executor != curthread && fiber_self() != NULL && callout_find(id) != NULL)
			cv_wait(&c->c_done);
		return -1;
	}
	left = c->c_tick->ct_lbolt - ddi_get_lbolt();
	callout_unlink(c);
	callout_free(c);
	return MAX(left, 0);
}

/* Run all that has expired, oldest first; a callout may sleep, and another of these jobs go on meanwhile. */
static void callout_execute(void *unused)
{
	(void)unused;
	dispatched = false;
	while (expired.first != NULL) {
		callout_t *c = expired.first->ct_first;

		callout_unlink(c);
		c->c_executor = curthread;
		c->c_func(c->c_arg);
		callout_free(c);
		cv_broadcast(&c->c_done);
	}
}

static void callout_init(void)
{
	memset(tickhash, 0, sizeof(tickhash));
	expired = (ticklist_t){NULL, NULL};
	dispatched = false;
	callout_taskq = taskq_create("callout_taskq", CALLOUT_THREADS, MINCLSYSPRI, 0);
}

static void ticks_free(ctick_t *ct)
{
	ctick_t *next;

	for (; ct != NULL; ct = next) {
		next = ct->ct_next;
		kmem_free(ct, sizeof(*ct));
	}
}

static void callout_fini(void)
{
	for (int i = 0; i < TICKHASH; i++)
		ticks_free(tickhash[i].first);
	ticks_free(expired.first);
	ticks_free(freeticks);
	for (uint32_t i = 0; i < nchunks; i++)
		kmem_free(chunks[i], CHUNK * sizeof(callout_t));
	kmem_free(chunks, maxchunks * sizeof(callout_t *));
	chunks = NULL;
	nchunks = maxchunks = 0;
	freeticks = NULL;
	freecallouts = NULL;
	expired = (ticklist_t){NULL, NULL};
	memset(tickhash, 0, sizeof(tickhash));
}

KERNEL_INIT(-1, callout_init, callout_fini);
