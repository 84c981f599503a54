/*
 * How a replay makes the modelled TCP be the recorded host's: the initial
 * sequence number and options of a connection to come, and connections that
 * were open before the capture began.  (The idea is Linux's TCP_REPAIR; Solaris
 * has nothing like it.)
 */
#ifndef STRSIM_TCP_REPAIR_H
#define STRSIM_TCP_REPAIR_H

#include "sys/types.h"

/* Asked by tcp_conn_request and tcp_connect_ipv4 when a connection begins; ports and addresses in network order. */
typedef struct tcp_plan {
	uint32_t tp_iss;   /* initial send sequence number */
	uint16_t tp_mss;   /* MSS option to offer; 0 = none */
	int8_t tp_ws;      /* window scale to offer; -1 = none */
	bool tp_ts;        /* offer timestamps */
	uint32_t tp_tsval; /* value of the first one, when tp_ts */
	bool tp_sack;      /* offer SACK */
	uint32_t tp_rwnd;  /* receive buffer: at least this (bytes) */
} tcp_plan_t;
/* Installed by a replay, else NULL: 1 and *plan filled when it knows the connection. */
extern KLOCAL int (*tcp_plan_hook)(uint_t ifindex, ipaddr_t laddr, in_port_t lport, ipaddr_t faddr, in_port_t fport,
				   tcp_plan_t *plan);

/*
 * setsockopt(IPPROTO_TCP, ...), privileged:
 * TCP_REPAIR_ADOPT on an unbound socket: it is connected at once, in state ESTABLISHED.
 * TCP_REPAIR_RCV: the receive side continues at the given sequence number (data that was queued out of order
 * beyond it is delivered when it joins); TCP_REPAIR_SND: the send side does, all before it counts as acknowledged.
 * TCP_REPAIR_FREE (int): 1, the congestion window never limits and Nagle is off; 2, nor does the peer's window: what
 * is written is what the recorded host sent at that moment, so it may go, even when the capture lacks the update of
 * the window that allowed it; in both, an acknowledgement beyond what was sent counts as one of all that was.  0, as
 * usual.
 */
#define TCP_REPAIR_ADOPT 0x7001
#define TCP_REPAIR_RCV 0x7002
#define TCP_REPAIR_SND 0x7003
#define TCP_REPAIR_FREE 0x7004
typedef struct tcp_adopt {
	ipaddr_t ta_laddr, ta_faddr;
	in_port_t ta_lport, ta_fport;
	uint32_t ta_snxt; /* next to send = oldest unacknowledged */
	uint32_t ta_rnxt; /* next expected */
	uint32_t ta_swnd; /* bytes, after scaling */
	int8_t ta_snd_ws, ta_rcv_ws;
	uint16_t ta_mss;
	bool ta_ts;
	uint32_t ta_tsval, ta_tsrecent;
	bool ta_sack;
	uint32_t ta_rwnd;
} tcp_adopt_t;

#endif
