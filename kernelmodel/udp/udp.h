/*
 * UDP: the module's state.  What a program sees is in udp(7P); the messages
 * between it and the user are TPI's (sys/tihdr.h), those between it and IP are
 * described in ip/ip.h.
 */
#ifndef STRSIM_UDP_H
#define STRSIM_UDP_H

#include "ip/ip.h"
#include "ip/ipclassifier.h"
#include "sys/in.h"
#include "sys/tihdr.h"

typedef struct udp_s {
	queue_t *udp_rq, *udp_wq;
	t_scalar_t udp_state;       /* TS_* */
	in_port_t udp_port;         /* bound to, network order */
	in_port_t udp_dstport;      /* connected to */
	in6_addr_t udp_v6src;       /* source of packets: bound to, or chosen by connect */
	in6_addr_t udp_bound_v6src; /* bound to */
	in6_addr_t udp_v6dst;       /* connected to */
	uint16_t udp_family;
	uint8_t udp_ipversion;
	uint8_t udp_ttl, udp_multicast_ttl, udp_type_of_service;
	uint_t udp_max_hdr_len;
	uint_t udp_ifindex; /* IP_BOUND_IF */
	ipaddr_t udp_multicast_if_addr;
	uint_t udp_debug : 1, udp_dontroute : 1, udp_broadcast : 1, udp_useloopback : 1, udp_reuseaddr : 1,
	    udp_dgram_errind : 1, udp_recvdstaddr : 1, udp_recvif : 1, udp_recvttl : 1, udp_recvopts : 1,
	    udp_multicast_loop : 1, udp_issocket : 1;
	/* the request that IP has been asked for, kept until its answer */
	t_scalar_t udp_pending_op; /* -1 none */
	mblk_t *udp_pending_mp;
	in_port_t udp_pending_port; /* T_CONN_REQ: the peer's */
	ipaddr_t udp_pending_addr;  /* T_BIND_REQ: address; T_CONN_REQ: the peer's */
} udp_t;

#define V4_OF(a) ((a)._S6_un._S6_u32[3])

/* udp.c */
void udp_ud_err(queue_t *q, mblk_t *mp, const uchar_t *dst, t_scalar_t dstlen, int error);
/* udp_tpi.c */
void udp_wput_other(queue_t *q, mblk_t *mp);
void udp_rput_other(queue_t *q, mblk_t *mp);
void udp_close_free(udp_t *udp);

/* ---- tunables (ndd /dev/udp) ---- */
#define UDP_WROFF_EXTRA 32
#define UDP_IPV4_TTL 255
#define UDP_DO_CHECKSUM 1
#define UDP_SMALLEST_ANON_PORT 32768
#define UDP_LARGEST_ANON_PORT 65535
#define UDP_XMIT_HIWAT 57344
#define UDP_XMIT_LOWAT 1024
#define UDP_RECV_HIWAT 57344
#define UDP_MAX_BUF (2 * 1024 * 1024)
#define UDP_HDR_LEN (IP_SIMPLE_HDR_LENGTH + UDPH_SIZE)

#endif
