/*
 * Bringing near what the next frames need.
 *
 * A thousand connections take turns, and each turn finds all of its
 * connection's memory far away.  A reader that knows which connections the next
 * frames belong to can have it fetched meanwhile, in steps, since each address
 * is read from what the step before brought: four frames ahead the slot of the
 * table, three frames ahead the connection, from two frames ahead on what that
 * points to, step by step.  A wrong guess costs time only.
 */
#ifndef STRSIM_REPLAY_HINT_H
#define STRSIM_REPLAY_HINT_H

#include "replay/flow.h"
#include "replay/source.h"

#define HINT_AHEAD 4

typedef struct hint {
	uint64_t hi_hash[HINT_AHEAD + 1]; /* of the coming frames' connections, by number; 0 = none */
	unsigned hi_at;
} hint_t;

/* To be called once a frame: `far' is the hash of the frame HINT_AHEAD ahead, 0 = none. */
void hint_next(hint_t *h, uint64_t far, const flowtab_t *t, int lines, void (*near)(const flow_t *, int ahead));
/*
 * The same with a frame of a source, after source_next(): `lines' is the size of a connection in cache lines, near() fetches
 * what one points to (it gets whichever has the hash) when its frame is 2, 1 and 0 frames ahead.
 */
void hint_step(hint_t *h, const source_t *src, int reader, uint32_t host, const flowtab_t *t, int lines,
	       void (*near)(const flow_t *, int ahead));

#define CACHE_LINE 64
/* Fetch n cache lines from p on; any p will do. */
static inline void hint_lines(const void *p, int n)
{
	for (int i = 0; i < n; i++)
		__builtin_prefetch((const char *)p + i * CACHE_LINE);
}

#endif
