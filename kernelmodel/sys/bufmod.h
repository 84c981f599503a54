/*
 * bufmod: messages collected to chunks (bufmod(7M)).
 */
#ifndef STRSIM_SYS_BUFMOD_H
#define STRSIM_SYS_BUFMOD_H

#include "sys/stream.h"

/* A time as a 32-bit program has it. */
struct timeval32 {
	int tv_sec, tv_usec;
};

#define BIOC ('B' << 8)
#define SBIOCSTIME (BIOC | 1)  /* struct timeval32 *: read timeout; 0 passes messages one by one */
#define SBIOCGTIME (BIOC | 2)  /* struct timeval32 *; ERANGE when there is none */
#define SBIOCCTIME (BIOC | 3)  /* no timeout */
#define SBIOCSCHUNK (BIOC | 4) /* uint_t *: bytes of a chunk at most */
#define SBIOCGCHUNK (BIOC | 5) /* uint_t * */
#define SBIOCSSNAP (BIOC | 6)  /* uint_t *: cut messages to so many bytes; 0 does not */
#define SBIOCGSNAP (BIOC | 7)  /* uint_t * */
#define SBIOCSFLAGS (BIOC | 8) /* uint_t *: SB_... */
#define SBIOCGFLAGS (BIOC | 9) /* uint_t * */

/* sb_flags */
#define SB_SEND_ON_WRITE 1 /* a write of the program sends the chunk */
#define SB_NO_HEADER 2     /* messages are not headed by an sb_hdr */
#define SB_NO_PROTO_CVT 4  /* M_PROTO stays what it is */
#define SB_DEFER_CHUNK 8   /* the first message of a while goes up alone */
#define SB_NO_DROPS 16     /* what does not fit upstream waits */
/* sb_state */
#define SB_FRCVD 1 /* the first message was sent alone */

/* Before each message of a chunk; the data and up to three bytes follow, so that the next is at a word. */
struct sb_hdr {
	uint_t sbh_origlen; /* of the message as it came */
	uint_t sbh_msglen;  /* as it is here */
	uint_t sbh_totlen;  /* with this header and padding */
	uint_t sbh_drops;   /* messages lost so far */
	struct timeval32 sbh_timestamp;
}; /* 24 bytes */

#define SB_DFLT_CHUNK 8192

/* One bufmod. */
struct sb {
	queue_t *sb_rq;
	mblk_t *sb_mp;   /* the chunk being made, or NULL */
	mblk_t *sb_head; /* its last block, when the next header fits behind it */
	mblk_t *sb_tail; /* its last block */
	uint_t sb_mlen;  /* bytes of it */
	uint_t sb_mcount;
	uint_t sb_chunk;
	clock_t_ sb_ticks; /* -1: no timeout */
	timeout_id_t sb_timeoutid;
	uint_t sb_drops;
	uint_t sb_snap;
	uint_t sb_flags;
	uint_t sb_state;
};

#endif
