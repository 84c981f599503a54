/*
 * The points of the providers ip, tcp and udp, which promise to stay: their
 * arguments are described to D programs by translators (sim/d/lib/ip.d, tcp.d,
 * udp.d), and kernelmodel/dtrace/sdt_args.c says which argument becomes what.
 *
 *	ip	send, receive, drop-in, drop-out	(message, conn, header, interface, header as IPv4, as IPv6)
 *	tcp	send, receive, connect-*, accept-*	(message, conn, IP header, tcp, TCP header)
 *		state-change				(-, conn, -, tcp, -, the state before)
 *	udp	send, receive				(message, conn, IP header, udp, UDP header)
 *
 * What there is none of is NULL: no conn for a packet that is forwarded, no tcp
 * for a segment nobody listens to.
 */
#ifndef STRSIM_IP_IP_PROBES_H
#define STRSIM_IP_IP_PROBES_H

#include "sys/sdt.h"

#define IP_PROBE(name, mp, connp, ipha, ill)                                                                         \
	SDT_PROBE6("ip", name, mblk_t *, (mp), struct conn_s *, (connp), ipha_t *, (ipha), ill_t *, (ill), ipha_t *, \
		   (ipha), void *, 0)
#define TCP_PROBE(name, mp, connp, ipha, tcp, tcph)                                                                   \
	SDT_PROBE5("tcp", name, mblk_t *, (mp), struct conn_s *, (connp), ipha_t *, (ipha), tcp_t *, (tcp), tcph_t *, \
		   (tcph))
#define TCP_PROBE_STATE(tcp, old)                                                                                 \
	SDT_PROBE6("tcp", state__change, void *, 0, struct conn_s *, (tcp)->tcp_connp, void *, 0, tcp_t *, (tcp), \
		   void *, 0, int, (old))
#define UDP_PROBE(name, mp, connp, ipha, udp, udpha)                                                                   \
	SDT_PROBE5("udp", name, mblk_t *, (mp), struct conn_s *, (connp), ipha_t *, (ipha), udp_t *, (udp), udpha_t *, \
		   (udpha))

#endif
