/*
 * TCP connections of a capture as seen from one host.
 *
 * Two readers walk the same frames: the scout, up to RF_AHEAD frames ahead,
 * who learns what has to be known before its time (was this SYN answered, with
 * which initial sequence number; does this hole fill), and the player, who
 * acts.  Both find the connection of a segment with flow_step(), so both see
 * the same connections begin at the same frames; a connection is identified by
 * the number of its first frame.
 */
#ifndef STRSIM_REPLAY_FLOW_H
#define STRSIM_REPLAY_FLOW_H

#include "replay/frame.h"
#include "replay/pool.h"
#include "replay/ptab.h"

#include <uthash.h>

#define RF_AHEAD 65536 /* frames the scout may be ahead */

typedef struct fkey {
	uint32_t fk_haddr, fk_paddr; /* host, peer; network byte order */
	uint16_t fk_hport, fk_pport; /* host byte order */
	uint32_t fk_inst;            /* VLAN instance, 0 = untagged */
} fkey_t;

enum { SIDE_HOST, SIDE_PEER };

typedef struct flow {
	fkey_t f_key;
	uint64_t f_first; /* number of the first frame */
	int64_t f_last;   /* time of the last one */
	uint32_t f_synseq[2];
	bool f_syn[2], f_any[2], f_fin[2], f_rst;
	struct flow *f_older, *f_newer; /* closed ones, by time of closing */
	bool f_closed;
	uint64_t f_hash;              /* of f_key */
	struct flow *f_prev, *f_next; /* all, in the order they began */
} flow_t;

typedef struct flowtab {
	ptab_t ft_tab; /* by f_hash */
	flow_t *ft_first, *ft_last;
	flow_t *ft_oldest, *ft_newest;        /* of the closed ones */
	pool_t ft_pool;                       /* of elements; a flow_t comes first */
	void (*ft_end)(void *arg, flow_t *f); /* before an element is freed */
	void *ft_arg;
	uint64_t ft_count;
} flowtab_t;

void flowtab_init(flowtab_t *t, size_t size, void (*end)(void *, flow_t *), void *arg);
void flowtab_fini(flowtab_t *t);
/*
 * The connection this segment belongs to, made when it begins one (*isnew); NULL for a RST that belongs
 * to none, or without memory.  `side' is who sent it.  Closed connections are kept for a minute of
 * capture time, so that what trails them does not look like a new one.
 */
flow_t *flow_step(flowtab_t *t, const fkey_t *key, int side, const rframe_t *f, bool *isnew);
/* The connection of these addresses that is known, closed or not; NULL = none. */
flow_t *flow_find(const flowtab_t *t, const fkey_t *key);
/* The number that a connection has in the table. */
uint64_t flow_hash(const fkey_t *key);
/* What flow_step() does first: forget the closed connections whose minute is over at that time.  Is there one? */
void flow_expire(flowtab_t *t, int64_t now);
bool flow_due(const flowtab_t *t, int64_t now);

/* Byte ranges of sequence space that were seen: all below c_next, and some islands beyond. */
typedef struct span {
	uint32_t s_lo, s_hi;
	struct span *s_next;
} span_t;
typedef struct cover {
	bool c_valid;
	uint32_t c_next;
	span_t *c_islands; /* ascending, apart */
} cover_t;
void cover_init(cover_t *c, uint32_t next);
void cover_free(cover_t *c);
/* Add [lo, hi): bytes in it that were new. */
uint32_t cover_add(cover_t *c, uint32_t lo, uint32_t hi);
/* Is every byte of [lo, hi) covered? */
bool cover_has(const cover_t *c, uint32_t lo, uint32_t hi);
/* First byte of [lo, hi) that is covered; hi when none is. */
uint32_t cover_from(const cover_t *c, uint32_t lo, uint32_t hi);
/* Continue at `next': what lies before counts as seen, islands that join are merged. */
void cover_skip(cover_t *c, uint32_t next);

static inline bool seq_lt(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) < 0;
}
static inline bool seq_le(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) <= 0;
}

#endif
