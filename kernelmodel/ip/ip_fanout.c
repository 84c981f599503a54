/*
 * From IP to the endpoints, where more than one may be interested or none is;
 * and local delivery of what this host sends to itself, which is all in the
 * sender's thread.
 */
#include <string.h>

#include "ip/ip_impl.h"
#include "ip/ipsec_impl.h"
#include "ip/squeue.h"
#include "ip/tcp.h"

/* ---- UDP ---- */

/* Deliver to one endpoint.  Consumes mp. */
static void ip_fanout_udp_conn(conn_t *connp, mblk_t *mp)
{
	if (!canputnext(connp->conn_rq)) {
		BUMP_MIB(&ip_mib, udpInOverflows);
		IP_DROP(IPD_UDP_FULL, mp);
		freemsg(mp);
		return;
	}
	if (UNLIKELY(DB_TYPE(mp) == M_CTL || CONN_INBOUND_POLICY_PRESENT(connp)) &&
	    (mp = ipsec_inbound_deliver(connp, mp)) == NULL)
		return;
	BUMP_MIB(&ip_mib, ipInDelivers);
	(void)putnext(connp->conn_rq, mp);
}

/* The next endpoint after connp (NULL: the first) that wants this packet; held.
 */
static conn_t *udp_conn_wanting(conn_t *connp, const ipha_t *ipha, const in_port_t port[2], uint_t ifindex,
				boolean_t broadcast)
{
	conn_t *next = connp == NULL ? ipcl_udp_first(ipha->ipha_src, port[0], ipha->ipha_dst, port[1], ifindex)
				     : ipcl_udp_next(connp, ipha->ipha_src, port[0], ipha->ipha_dst, port[1], ifindex);

	while (next != NULL && broadcast && !conn_wantpacket(next, ipha->ipha_dst))
		next = ipcl_udp_next(next, ipha->ipha_src, port[0], ipha->ipha_dst, port[1], ifindex);
	if (next != NULL)
		CONN_INC_REF(next);
	return (next);
}

/*
 * Deliver a datagram to the endpoints of its port: one for a unicast, all that
 * share the port for broadcast and multicast.  ports: as they stand in the
 * header.
 */
void ip_fanout_udp(queue_t *q, mblk_t *first_mp, ill_t *ill, ipha_t *ipha, uint32_t ports, boolean_t broadcast,
		   uint_t flags)
{
	uint_t ifindex = ill_ifindex(ill);
	in_port_t port[2]; /* source, destination */
	conn_t *connp, *next;
	mblk_t *nmp;

	memcpy(port, &ports, sizeof(port));
	connp = udp_conn_wanting(NULL, ipha, port, ifindex, broadcast);
	if (connp == NULL) {
		if (ipcl_proto_first(IPPROTO_UDP, ipha->ipha_src, ipha->ipha_dst, ifindex) != NULL) {
			ip_fanout_proto(q, first_mp, ill, ipha, flags);
			return;
		}
		BUMP_MIB(&ip_mib, udpNoPorts);
		IP_DROP(IPD_UDP_NOPORT, IPSEC_DATA(first_mp));
		if (broadcast)
			freemsg(first_mp);
		else
			ip_fanout_send_icmp(q, first_mp, flags, ICMP_DEST_UNREACHABLE, ICMP_PORT_UNREACHABLE);
		return;
	}
	while (broadcast && connp->conn_reuseaddr &&
	       (next = udp_conn_wanting(connp, ipha, port, ifindex, broadcast)) != NULL) {
		if ((nmp = copymsg(first_mp)) != NULL) {
			DB_RECVIF(IPSEC_DATA(nmp)) = DB_RECVIF(IPSEC_DATA(first_mp));
			ip_fanout_udp_conn(connp, nmp);
		} else {
			BUMP_MIB(&ip_mib, ipInDiscards);
		}
		CONN_DEC_REF(connp);
		connp = next;
	}
	ip_fanout_udp_conn(connp, first_mp);
	CONN_DEC_REF(connp);
}

/* ---- TCP from this host ---- */

void ip_fanout_tcp(queue_t *q, mblk_t *first_mp, ill_t *ill, ipha_t *ipha, uint_t flags)
{
	uint_t hdr_len = IPH_HDR_LENGTH(ipha), need = hdr_len + TCP_MIN_HEADER_LENGTH, tcp_flags;
	boolean_t mctl_present = DB_TYPE(first_mp) == M_CTL;
	mblk_t *mp = IPSEC_DATA(first_mp);
	conn_t *connp;

	(void)q;
	(void)flags;
	if (ntohs(ipha->ipha_length) < need || (MBLKL(mp) < (ssize_t)need && !pullupmsg(mp, need))) {
		BUMP_MIB(&ip_mib, ipInDiscards);
		IP_DROP(IPD_TCP_HDR, mp);
		freemsg(first_mp);
		return;
	}
	if ((connp = ipcl_classify_v4(mp, IPPROTO_TCP, hdr_len, ill_ifindex(ill))) == NULL) {
		BUMP_MIB(&ip_mib, ipInDelivers);
		if (mctl_present)
			freeb(first_mp);
		tcp_xmit_listeners_reset(mp, hdr_len);
		return;
	}
	if ((mctl_present || CONN_INBOUND_POLICY_PRESENT(connp)) &&
	    (mp = ipsec_inbound_deliver(connp, first_mp)) == NULL) {
		CONN_DEC_REF(connp);
		return;
	}
	BUMP_MIB(&ip_mib, ipInDelivers);
	if (connp->conn_recv == tcp_conn_request || connp->conn_recv == tcp_conn_request_unbound) {
		tcp_flags = ((tcph_t *)(mp->b_rptr + hdr_len))->th_flags[0];
		if ((tcp_flags & (TH_SYN | TH_ACK | TH_RST | TH_URG)) != TH_SYN) {
			if ((tcp_flags & (TH_RST | TH_URG)) == 0 && (tcp_flags & TH_ACK)) {
				tcp_xmit_listeners_reset(mp, hdr_len);
			} else {
				IP_DROP(IPD_TCP_LISTENER, mp);
				freemsg(mp);
			}
			CONN_DEC_REF(connp);
			return;
		}
	}
	squeue_enter(connp->conn_sqp != NULL ? connp->conn_sqp : ip_squeue, mp,
		     IPCL_IS_TCP4_CONNECTED_NO_POLICY(connp) ? tcp_rput_data : connp->conn_recv, connp,
		     SQTAG_IP_FANOUT_TCP);
}

/* ---- by protocol number ---- */

/*
 * Deliver to the endpoints that take all of a protocol: raw sockets, tunnels.
 * An encapsulated packet goes to the first only.
 */
void ip_fanout_proto(queue_t *q, mblk_t *first_mp, ill_t *ill, ipha_t *ipha, uint_t flags)
{
	uint8_t protocol = ipha->ipha_protocol;
	ipaddr_t src = ipha->ipha_src, dst = ipha->ipha_dst;
	boolean_t one = (protocol == IPPROTO_ENCAP || protocol == IPPROTO_IPV6) && !CLASSD(dst);
	uint_t ifindex = ill_ifindex(ill);
	conn_t *connp = ipcl_proto_first(protocol, src, dst, ifindex), *next;
	mblk_t *nmp;

	if (connp == NULL) {
		if (flags & IP_FF_SEND_ICMP) {
			BUMP_MIB(&ip_mib, ipInUnknownProtos);
			IP_DROP(IPD_NO_PROTO, IPSEC_DATA(first_mp));
			ip_fanout_send_icmp(q, first_mp, flags, ICMP_DEST_UNREACHABLE, ICMP_PROTOCOL_UNREACHABLE);
			return;
		}
		if (protocol == IPPROTO_IGMP || protocol == IPPROTO_PIM)
			IP_DROP(IPD_IGMP, IPSEC_DATA(first_mp));
		freemsg(first_mp);
		return;
	}
	for (CONN_INC_REF(connp); connp != NULL; connp = next) {
		if ((next = one ? NULL : ipcl_proto_next(connp, src, dst, ifindex)) != NULL)
			CONN_INC_REF(next);
		nmp = next != NULL ? copymsg(first_mp) : first_mp;
		if (nmp == NULL) {
			BUMP_MIB(&ip_mib, ipInDiscards);
		} else if (!canputnext(connp->conn_rq)) {
			if (connp->conn_flags & IPCL_RAWIP)
				BUMP_MIB(&ip_mib, rawipInOverflows);
			else
				BUMP_MIB(&icmp_mib, icmpInOverflows);
			IP_DROP(IPD_RAW_FULL, nmp);
			freemsg(nmp);
		} else if (LIKELY(DB_TYPE(nmp) != M_CTL && !CONN_INBOUND_POLICY_PRESENT(connp)) ||
			   (nmp = ipsec_inbound_deliver(connp, nmp)) != NULL) {
			BUMP_MIB(&ip_mib, ipInDelivers);
			(void)putnext(connp->conn_rq, nmp);
		}
		CONN_DEC_REF(connp);
	}
}

/* ---- what stays in this host ---- */

void ip_wput_local(queue_t *q, ill_t *ill, ipha_t *ipha, mblk_t *first_mp, ire_t *ire, uint_t flags)
{
	boolean_t broadcast = ire->ire_type == IRE_BROADCAST || CLASSD(ipha->ipha_dst);
	uint_t hdr_len = IPH_HDR_LENGTH(ipha);
	uint32_t ports;
	mblk_t *mp;

	if (UNLIKELY(DB_TYPE(first_mp) == M_CTL))
		first_mp = ipsec_out_to_in(first_mp);
	mp = IPSEC_DATA(first_mp);
	flags |= IP_FF_SEND_ICMP | IP_FF_HDR_COMPLETE;
	ire->ire_ib_pkt_count++;
	DB_RECVIF(mp) = ill == ill_loopback ? 0 : ill_ifindex(ill);
	IP_PROBE(send, mp, NULL, ipha, ill_loopback);
	IP_PROBE(receive, mp, NULL, ipha, ill_loopback);
	switch (ipha->ipha_protocol) {
	case IPPROTO_ICMP:
		if (UNLIKELY(DB_TYPE(first_mp) == M_CTL || ipsec_inbound_v4_policy_present != 0) &&
		    (mp = ipsec_inbound_deliver(NULL, first_mp)) == NULL)
			return;
		icmp_inbound(q, mp, broadcast, ill, flags);
		return;
	case IPPROTO_IGMP:
		ip_fanout_proto(q, first_mp, ill, ipha, 0);
		return;
	case IPPROTO_UDP:
		if (ntohs(ipha->ipha_length) < hdr_len + UDPH_SIZE ||
		    (MBLKL(mp) < (ssize_t)(hdr_len + UDPH_SIZE) && !pullupmsg(mp, (ssize_t)(hdr_len + UDPH_SIZE)))) {
			BUMP_MIB(&ip_mib, ipInDiscards);
			IP_DROP(IPD_UDP_HDR, mp);
			freemsg(first_mp);
			return;
		}
		ipha = (ipha_t *)mp->b_rptr;
		((udpha_t *)(mp->b_rptr + hdr_len))->uha_checksum = 0;
		memcpy(&ports, mp->b_rptr + hdr_len, sizeof(ports));
		ip_fanout_udp(q, first_mp, ill, ipha, ports, broadcast, flags);
		return;
	case IPPROTO_TCP:
		if (broadcast) {
			BUMP_MIB(&ip_mib, ipInDiscards);
			IP_DROP(IPD_BCAST, mp);
			freemsg(first_mp);
			return;
		}
		ip_fanout_tcp(q, first_mp, ill, ipha, flags);
		return;
	default:
		ip_fanout_proto(q, first_mp, ill, ipha, flags);
		return;
	}
}
