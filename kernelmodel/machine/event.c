/*
 * The event queue: a 4-ary heap ordered by (time, sequence number).
 *
 * The heap holds the keys themselves, so that sifting touches four neighbours
 * in one or two cache lines and not four events; each event knows its place, so
 * that cancelling or moving one costs no search.  The array grows by doubling
 * and is never shrunk before event_fini().
 */
#include <stdio.h>
#include <stdlib.h>
#include "machine/machine_impl.h"

struct key {
	hrtime_t when;
	uint64_t seq;
	mevent_t *ev;
};

KLOCAL hrtime_t machine_clock;
static KLOCAL struct key *heap;
static KLOCAL uint32_t nheap, maxheap;
static KLOCAL uint64_t lastseq;

static inline bool before(const struct key *a, const struct key *b)
{
	return a->when != b->when ? a->when < b->when : a->seq < b->seq;
}

static inline void place(uint32_t i, struct key k)
{
	heap[i] = k;
	k.ev->me_slot = i + 1;
}

static void sift_up(uint32_t i, struct key k)
{
	while (i > 0) {
		uint32_t up = (i - 1) / 4;
		if (!before(&k, &heap[up]))
			break;
		place(i, heap[up]);
		i = up;
	}
	place(i, k);
}

static void sift_down(uint32_t i, struct key k)
{
	for (;;) {
		uint32_t first = 4 * i + 1, best = first;
		if (first >= nheap)
			break;
		for (uint32_t c = first + 1; c < first + 4 && c < nheap; c++) {
			if (before(&heap[c], &heap[best]))
				best = c;
		}
		if (!before(&heap[best], &k))
			break;
		place(i, heap[best]);
		i = best;
	}
	place(i, k);
}

/* Put k where the hole at i belongs. */
static void settle(uint32_t i, struct key k)
{
	if (i > 0 && before(&k, &heap[(i - 1) / 4]))
		sift_up(i, k);
	else
		sift_down(i, k);
}

static void grow(void)
{
	maxheap = maxheap == 0 ? 256 : maxheap * 2;
	heap = realloc(heap, maxheap * sizeof(*heap));
	if (heap == NULL) {
		fprintf(stderr, "strsim: no memory for %u events\n", maxheap);
		abort();
	}
}

void event_schedule(mevent_t *ev, hrtime_t when, void (*func)(void *), void *arg)
{
	struct key k = {when > machine_clock ? when : machine_clock, ++lastseq, ev};

	ev->me_when = k.when;
	ev->me_seq = k.seq;
	ev->me_func = func;
	ev->me_arg = arg;
	if (ev->me_slot != 0) {
		settle(ev->me_slot - 1, k);
		return;
	}
	if (nheap == maxheap)
		grow();
	sift_up(nheap++, k);
}

int event_cancel(mevent_t *ev)
{
	uint32_t i = ev->me_slot;
	struct key last;

	if (i == 0)
		return 0;
	ev->me_slot = 0;
	last = heap[--nheap];
	if (--i < nheap)
		settle(i, last);
	return 1;
}

hrtime_t event_next(void)
{
	return nheap > 0 ? heap[0].when : INT64_MAX;
}

void event_run_first(void)
{
	mevent_t *ev = heap[0].ev;

	machine_clock = ev->me_when;
	event_cancel(ev);
	ev->me_func(ev->me_arg);
}

void event_forget(void)
{
	for (uint32_t i = 0; i < nheap; i++)
		heap[i].ev->me_slot = 0;
	nheap = 0;
}

void event_fini(void)
{
	free(heap);
	heap = NULL;
	nheap = maxheap = 0;
	lastseq = 0;
}
