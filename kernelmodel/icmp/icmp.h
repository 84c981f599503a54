/*
 * Raw IP: the module's state.  What a program sees is in icmp(7P) and rawip:
 * a device that sends and receives packets of one protocol, ICMP unless
 * SO_PROTOTYPE or the bind address (a struct sockaddr_in followed by one byte
 * with the number) says otherwise.  What it sends is the packet's payload; what
 * it receives begins with the IP header.
 */
#ifndef STRSIM_ICMP_H
#define STRSIM_ICMP_H

#include "ip/ip.h"
#include "ip/ipclassifier.h"
#include "sys/in.h"
#include "sys/tihdr.h"

typedef struct icmp_s {
	queue_t *icmp_rq, *icmp_wq;
	t_scalar_t icmp_state;   /* TS_* */
	ipaddr_t icmp_src;       /* source of packets: bound to, or chosen by connect; 0: IP chooses */
	ipaddr_t icmp_bound_src; /* bound to */
	ipaddr_t icmp_dst;       /* connected to */
	uint_t icmp_max_hdr_len;
	/* options (icmp_opt.c) */
	uint32_t icmp_proto; /* SO_PROTOTYPE */
	uint32_t icmp_debug, icmp_dontroute, icmp_broadcast, icmp_useloopback, icmp_reuseaddr, icmp_dgram_errind;
	uint32_t icmp_xmit_hiwat, icmp_recv_hiwat;
	uint32_t icmp_ttl, icmp_multicast_ttl, icmp_type_of_service;
	uint32_t icmp_multicast_loop, icmp_multicast_if_addr;
	uint32_t icmp_ifindex; /* IP_BOUND_IF */
	/* the request that IP has been asked for, kept until its answer */
	t_scalar_t icmp_pending_op; /* -1 none */
	mblk_t *icmp_pending_mp;
	ipaddr_t icmp_pending_addr; /* T_BIND_REQ: address; T_CONN_REQ: the peer's */
} icmp_t;

/* icmp_tpi.c: all that is no packet, from above and from IP. */
void icmp_wput_other(queue_t *q, mblk_t *mp);
void icmp_rput_other(queue_t *q, mblk_t *mp);
void icmp_close_free(icmp_t *icmp);
/* icmp_opt.c: functions for svr4_optcom_req; arg is the icmp_t. */
void icmp_opt_init(icmp_t *icmp);
int icmp_opt_set(void *arg, t_uscalar_t level, t_uscalar_t name, const uchar_t *val, size_t len, boolean_t checkonly);
int icmp_opt_get(void *arg, t_uscalar_t level, t_uscalar_t name, uchar_t *val, boolean_t dflt);
/* Is it one that IP must know of too? */
boolean_t icmp_opt_for_ip(t_uscalar_t level, t_uscalar_t name);

/* ---- tunables (ndd /dev/rawip) ---- */
#define ICMP_WROFF_EXTRA 32
#define ICMP_IPV4_TTL 255
#define ICMP_XMIT_HIWAT 8192
#define ICMP_XMIT_LOWAT 1024
#define ICMP_RECV_HIWAT 8192
#define ICMP_MAX_BUF (256 * 1024)

#endif
