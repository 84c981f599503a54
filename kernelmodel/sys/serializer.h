/*
 * Serializers: requests of one kind of object run one after the other, without
 * a perimeter (tl uses one for the two ends of a connection).
 */
#ifndef STRSIM_SYS_SERIALIZER_H
#define STRSIM_SYS_SERIALIZER_H

#include "sys/stream.h"

typedef struct serializer serializer_t;
typedef void(srproc_t)(mblk_t *mp, void *arg);

/* NULL without memory (KM_NOSLEEP). */
serializer_t *serializer_create(int kmflags);
/* It must be idle. */
void serializer_destroy(serializer_t *s);
/*
 * Run proc(mp, arg): now, if nobody is inside, else after the requests before it,
 * by the one inside or a task.  mp belongs to proc; until it runs, its b_next,
 * b_prev and b_queue are used for the list.
 */
void serializer_enter(serializer_t *s, srproc_t *proc, mblk_t *mp, void *arg);
/* Sleep until nothing runs or waits; not from inside. */
void serializer_wait(serializer_t *s);

#endif
