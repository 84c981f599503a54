/*
 * The scout: reads ahead of the player and writes down, for each TCP
 * connection of the host, what cannot be known at its beginning.
 */
#ifndef STRSIM_REPLAY_SCOUT_H
#define STRSIM_REPLAY_SCOUT_H

#include "replay/flow.h"
#include "replay/index.h"
#include "replay/source.h"

/* A segment of the host's that the player has not come to (kept only for --writes=push). */
typedef struct coming {
	uint32_t co_seq, co_len;
	bool co_push;
	int64_t co_time;
	uint64_t co_num;
	struct coming *co_next;
	uint8_t co_data[];
} coming_t;

typedef struct facts {
	uint64_t fa_first;
	bool fa_hsyn, fa_hsynack; /* the host sent a SYN, a SYN and ACK */
	bool fa_hlive;            /* the host sent something that only an open connection sends */
	bool fa_hrst;
	bool fa_psynack; /* the peer sent SYN and ACK */
	bool fa_preply;  /* the peer sent anything but RST */
	uint32_t fa_iss; /* the host's: from its SYN, else one before its first byte */
	rsynopt_t fa_opt;
	cover_t fa_snd, fa_rcv; /* what the capture shows of each direction, up to where the scout is */
	coming_t *fa_coming, **fa_comingtail;
	struct facts *fa_prev, *fa_next; /* all */
} facts_t;

typedef struct scout scout_t;

/* How a segment is seen from the host; for packets between two addresses of the host there are two views. */
typedef struct view {
	fkey_t v_key;
	int v_side; /* who sent it */
} view_t;
/* Views of a TCP segment: 0, 1 or 2. */
#define VIEW_NUM(num, i) ((num) | (uint64_t)(i) << 63) /* frame number that identifies what view i begins */
int host_views(uint32_t host, uint32_t inst, const rframe_t *f, view_t v[2]);
/* The frame with the number of its view i: both views of a segment may begin a connection, so they must differ. */
static inline const rframe_t *view_frame(const rframe_t *f, int i, rframe_t *copy)
{
	if (i == 0)
		return f;
	*copy = *f;
	copy->rf_num = VIEW_NUM(f->rf_num, i);
	return copy;
}

/*
 * VLAN instances: a stack of tags means one; a single tag means its own id, deeper stacks the id of the
 * innermost tag if that is free, else the next free one.  Shared by both readers: the first to meet a stack
 * names it.  0 = untagged; -1 = all 4094 are in use.
 */
int vlan_instance(scout_t *s, const rframe_t *f);

scout_t *scout_create(source_t *src, uint32_t host, bool push);
void scout_destroy(scout_t *s);
/* Read marks instead of frames, before the first scout_ahead(), which shows nothing then; not for `push'. */
void scout_use(scout_t *s, index_t *ix);
/* Be RF_AHEAD frames ahead of frame number num (or at the end).  Every frame read is shown to `see' first (may be NULL). */
void scout_ahead(scout_t *s, uint64_t num, void (*see)(void *, const rframe_t *), void *arg);
/* Facts of the connection that begins with this frame; they are the caller's until scout_forget(). */
facts_t *scout_facts(scout_t *s, uint64_t first);
void scout_forget(scout_t *s, facts_t *fa);

#endif
