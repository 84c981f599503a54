/*
 * Serializers.
 *
 * Theory.  The first to enter owns the serializer and runs his own request.
 * Others who come meanwhile (further up on his stack, since threads are not
 * pre-empted, or while a request sleeps) leave theirs on a list, which he serves
 * before he goes; after serializer_credit of them he hands the rest to a task,
 * so that nobody works for others without end.
 */
#include "sys/serializer.h"

enum { serializer_credit = 10 };

struct serializer {
	bool ser_owned;               /* somebody is inside */
	mblk_t *ser_first, *ser_last; /* b_queue = procedure, b_prev = argument */
	bool ser_taskq;               /* a task is on its way */
	kcondvar_t ser_idle;
};

static void serializer_exec(serializer_t *s, srproc_t *proc, mblk_t *mp, void *arg)
{
	(void)s;
	proc(mp, arg);
}

ALWAYS_INLINE void serializer_enqueue(serializer_t *s, srproc_t *proc, mblk_t *mp, void *arg)
{
	mp->b_queue = (queue_t *)(uintptr_t)proc;
	mp->b_prev = arg;
	mp->b_next = NULL;
	*(s->ser_first == NULL ? &s->ser_first : &s->ser_last->b_next) = mp;
	s->ser_last = mp;
}

/* Run up to credit waiting requests (0: all); the caller is the owner. */
static void serializer_drain(serializer_t *s, int credit)
{
	mblk_t *mp;

	for (int n = 0; (mp = s->ser_first) != NULL && (credit == 0 || n < credit); n++) {
		srproc_t *proc = (srproc_t *)(uintptr_t)mp->b_queue;
		void *arg = mp->b_prev;

		s->ser_first = mp->b_next;
		mp->b_next = mp->b_prev = NULL;
		mp->b_queue = NULL;
		serializer_exec(s, proc, mp, arg);
	}
}

ALWAYS_INLINE void serializer_leave(serializer_t *s)
{
	s->ser_owned = false;
	if (s->ser_first == NULL && !s->ser_taskq)
		cv_broadcast(&s->ser_idle);
}

/* The task: all that waits, unless somebody is inside who will do it. */
static void serializer_drain_completely(void *arg)
{
	serializer_t *s = arg;

	s->ser_taskq = false;
	if (s->ser_owned)
		return;
	s->ser_owned = true;
	serializer_drain(s, 0);
	serializer_leave(s);
}

void serializer_enter(serializer_t *s, srproc_t *proc, mblk_t *mp, void *arg)
{
	if (s->ser_owned) {
		serializer_enqueue(s, proc, mp, arg);
		return;
	}
	s->ser_owned = true;
	if (s->ser_first == NULL)
		serializer_exec(s, proc, mp, arg);
	else
		serializer_enqueue(s, proc, mp, arg);
	while (s->ser_first != NULL) {
		serializer_drain(s, serializer_credit);
		if (s->ser_first == NULL || s->ser_taskq)
			break;
		s->ser_taskq =
		    taskq_dispatch(system_taskq, serializer_drain_completely, s, TQ_NOSLEEP | TQ_NOQUEUE) != 0;
		if (s->ser_taskq)
			break;
	}
	serializer_leave(s);
}

void serializer_wait(serializer_t *s)
{
	while (s->ser_owned || s->ser_first != NULL || s->ser_taskq)
		cv_wait(&s->ser_idle);
}

serializer_t *serializer_create(int kmflags)
{
	return kmem_zalloc(sizeof(serializer_t), kmflags);
}

void serializer_destroy(serializer_t *s)
{
	kmem_free(s, sizeof(*s));
}
