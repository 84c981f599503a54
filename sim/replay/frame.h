/*
 * Frames of a capture, taken apart as far as a replay needs: link header, VLAN
 * tags, IPv4 header, ports, TCP header.  Nothing is copied; pointers go into
 * libpcap's buffer and die with the next packet.
 */
#ifndef STRSIM_REPLAY_FRAME_H
#define STRSIM_REPLAY_FRAME_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

/* Why a frame cannot be used; the names are part of the account. */
typedef enum rf_bad {
	RF_OK,
	RF_CUT_LINK,    /* captured bytes end inside the link header */
	RF_CUT_IP,      /* ... inside the IPv4 header */
	RF_CUT_L4,      /* ... inside the transport header */
	RF_BAD_VERSION, /* IPv4 by type, another version by header */
	RF_BAD_IHL,     /* header length below 20 or beyond the packet */
	RF_BAD_LENGTH,  /* total length below the header or beyond the original frame */
	RF_BAD_L4,      /* TCP data offset or UDP length that cannot be */
	RF_NBAD
} rf_bad_t;
const char *rf_bad_name(rf_bad_t bad);

#define RF_MAXTAGS 4

typedef struct rframe {
	uint64_t rf_num;        /* from 1 */
	bool rf_other;          /* another CPU's: only number and time are known */
	int64_t rf_time;        /* ns of virtual time */
	const uint8_t *rf_data; /* the captured bytes, link header first */
	uint32_t rf_caplen, rf_len;
	int rf_linktype; /* DLT_ */

	/* link */
	rf_bad_t rf_bad;
	bool rf_hasmac; /* src and dst are the capture's (else made up) */
	uint8_t rf_src[6], rf_dst[6];
	uint16_t rf_type; /* Ethernet type; below 0x600: an LLC length */
	uint8_t rf_ntags;
	uint16_t rf_tags[RF_MAXTAGS];  /* VLAN ids, outermost first */
	const uint8_t *rf_net;         /* network header */
	uint32_t rf_netcap, rf_netlen; /* captured and original bytes from rf_net on */

	/* IPv4 (rf_type 0x0800), valid when rf_bad is none of the IP reasons */
	bool rf_ip;
	uint32_t rf_ipsrc, rf_ipdst; /* network byte order */
	uint8_t rf_hlen, rf_proto;
	uint16_t rf_id;
	uint32_t rf_iplen; /* header and payload, trimmed; total length 0 resolved */
	bool rf_tso;       /* total length was 0 */
	bool rf_mf;
	uint32_t rf_off; /* fragment offset in bytes */
	bool rf_cut;     /* payload bytes are missing from the capture */
	const uint8_t *rf_l4;
	uint32_t rf_l4cap, rf_l4len;

	/* transport of unfragmented packets (or of a reassembled one) */
	bool rf_tcp, rf_udp;
	uint16_t rf_sport, rf_dport; /* host byte order */
	uint32_t rf_seq, rf_ack;
	uint8_t rf_flags;
	uint16_t rf_win, rf_urp;
	uint8_t rf_thlen;
	const uint8_t *rf_pay; /* payload, rf_paycap bytes of it captured */
	uint32_t rf_paycap, rf_paylen;
} rframe_t;

#define RF_FIN 0x01
#define RF_SYN 0x02
#define RF_RST 0x04
#define RF_PSH 0x08
#define RF_ACK 0x10
#define RF_URG 0x20

/* Options of a SYN. */
typedef struct rsynopt {
	uint16_t so_mss; /* 0 = none */
	int8_t so_ws;    /* -1 = none */
	bool so_ts, so_sack;
	uint32_t so_tsval;
} rsynopt_t;

/* Can frames of this DLT_ be read? */
bool rf_linktype_known(int linktype);
/* Fill f's decoded fields from rf_data, rf_caplen, rf_len and rf_linktype. */
void rf_decode(rframe_t *f);
/* Decode the transport header at f->rf_l4 (used again for reassembled packets). */
void rf_decode_l4(rframe_t *f);
void rf_synopt(const rframe_t *f, rsynopt_t *opt);
/* Timestamp value of any segment: false when it has none. */
bool rf_tsval(const rframe_t *f, uint32_t *tsval, uint32_t *tsecr);

/* Checksum of a frame: 1 good, 0 bad, -1 cannot be told (cut, fragment, none). */
int rf_ipsum(const rframe_t *f);
int rf_l4sum(const rframe_t *f);

/*
 * Write f as an Ethernet frame that is whole: tag (0 = none), missing payload as zeros, padding after the
 * IPv4 packet dropped, a total length of 0 mended.  Returns its length; buf has at least 65,600 bytes.
 */
#define RF_MAXFRAME 65600
size_t rf_rebuild(const rframe_t *f, uint16_t tag, uint8_t *buf);
/* The made-up Ethernet address of an IPv4 host on a link without addresses. */
void rf_madeup_mac(uint32_t ip, uint8_t mac[6]);

/* IPv4 addresses (network byte order) as text and back. */
#define RF_ADDRLEN 16
const char *rf_ntop(uint32_t ip, char buf[RF_ADDRLEN]);
bool rf_pton(const char *text, uint32_t *ip);

static inline uint16_t rf_be16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t rf_be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

#endif
