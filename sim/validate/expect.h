/*
 * What a capture is known to contain, and what a modelled host must make of
 * it: computed straight from the file.  This shares no code with the model nor
 * with the replay, only libpcap and the rules (docs/replay.md), so that the two
 * can be held against each other.
 *
 * It keeps a record for every TCP connection and is not meant for endless
 * captures.
 */
#ifndef STRSIM_EXPECT_H
#define STRSIM_EXPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uthash.h>

/* Frames by what becomes of them. */
typedef struct expect_frames {
	uint64_t all, ipv4, ipv6, arp, fragments; /* by the outermost network header */
	uint64_t tcp, tcp_payload, tcp_bytes; /* segments of unfragmented or reassembled packets, with payload, bytes */
	uint64_t udp, udp_bytes, icmp;
	uint64_t received, sent, foreign, dropped; /* as seen from the host; sum = all */
} expect_frames_t;

typedef struct econn {
	struct {
		uint32_t haddr, paddr; /* network byte order */
		uint16_t hport, pport;
		uint32_t inst;
	} key;
	uint64_t first;
	bool open;                /* the model has it open at some time: handshake or adoption */
	bool process;             /* it has a process */
	uint64_t delivered, hash; /* to the process: bytes, FNV-1a */
	uint64_t covered;         /* bytes of the peer's sequence space in the capture */
	uint64_t writes, written; /* by the process */
	uint64_t host_covered;    /* bytes of the host's sequence space in the capture */
	uint64_t sizes[64];       /* writes by the power of 2 below their size */
	/* covered, but not delivered or written, and why */
	uint64_t undelivered, unwritten;
	const char *why;
	struct econn *next;
} econn_t;

typedef struct expect {
	uint32_t host; /* network byte order, 0 = none */
	expect_frames_t frames;
	econn_t *conns;
	size_t nconns;
	/* kernel counters that follow from the capture alone */
	uint64_t ip_received; /* IPv4 packets that reach ip */
	uint64_t ip_badsum, ip_badhdr;
	uint64_t tcp_badsum, udp_badsum;
	uint64_t udp_delivered, udp_delivered_bytes, udp_noport;
	uint64_t udp_sends, udp_send_bytes;
	uint64_t icmp_in, icmp_badsum, icmp_echo; /* with what the host sends to itself */
	uint64_t pingers, pings, ping_replies;    /* processes, requests they sent, replies that reached them */
	uint64_t reassembled;                     /* datagrams put together for the host */
} expect_t;

/* Compute; host 0 = choose as the rules say.  NULL with a message.  A cut file counts up to the cut (*cut set). */
expect_t *expect_compute(const char *const *files, int nfiles, uint32_t host, bool *cut, char *err, size_t errlen);
void expect_free(expect_t *x);

#endif
