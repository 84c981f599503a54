/*
 * What the scout needs of a capture, written down by the census.
 *
 * The census reads a file to its end before anything is played.  It leaves a
 * mark of each TCP segment, some 56 bytes, so that the scout need not read and
 * decode the frames once more.  Marks beyond what one buffer holds go through
 * a temporary file without a name: memory stays the same for any capture.
 *
 * Captures with VLAN tags or fragmented segments are not marked: there the
 * scout reads the frames.
 */
#ifndef STRSIM_REPLAY_INDEX_H
#define STRSIM_REPLAY_INDEX_H

#include "replay/frame.h"

typedef struct mark {
	uint64_t m_num;
	int64_t m_time;
	uint32_t m_src, m_dst;     /* network byte order */
	uint16_t m_sport, m_dport; /* host byte order */
	uint32_t m_seq, m_ack, m_paylen;
	uint8_t m_flags;
	rsynopt_t m_opt; /* of a SYN */
} mark_t;

typedef struct index index_t;

/* NULL without memory. */
index_t *index_create(void);
void index_destroy(index_t *ix);
/* The next frame of the capture. */
void index_add(index_t *ix, const rframe_t *f);
/* All frames were added: marks are read from now on.  False when they cannot stand for the capture. */
bool index_finish(index_t *ix);
/* The mark that is n behind the next one; NULL at the end, for n > 0 also where the buffer ends. */
const mark_t *index_peek(index_t *ix, unsigned n);
/* Go on to the next mark, which is there. */
void index_step(index_t *ix);

#endif
