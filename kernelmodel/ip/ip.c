/*
 * IP input.
 *
 * ip_rput takes a packet from an interface's stream, validates it as RFC 791
 * and RFC 1122 ask, finds out whether it is for this host, and hands it to
 * ip_tcp_input, ip_udp_input or ip_proto_input.  Each of those verifies the
 * header checksum first (it is the step that touches every byte of the
 * header), then collects fragments, then looks for the endpoint.
 *
 * What ends here is counted where it ends: the MIB counter, and IP_DROP with
 * its reason.
 */
#include <string.h>

#include "arp/arp.h"
#include "ip/ip_impl.h"
#include "ip/ipsec_impl.h"
#include "ip/squeue.h"
#include "ip/tcp.h"
#include "sys/cmn_err.h"

/* A drop with its counter in the function it stands in. */
#define RPUT_DROP(counter, reason, mp)      \
	do {                                \
		BUMP_MIB(&ip_mib, counter); \
		IP_DROP(reason, mp);        \
		freemsg(mp);                \
	} while (0)

/* ---- what is no data ---- */

/*
 * Anything but M_DATA on an interface stream.  A DL_UNITDATA_IND gives its
 * packet back and says whether it was sent to a link-level group; all else is
 * dealt with here and NULL returned.
 */
static mblk_t *ip_rput_notdata(queue_t *q, mblk_t *mp, boolean_t *ll_multicast)
{
	ill_t *ill = q->q_ptr;
	mblk_t *dp;

	switch (DB_TYPE(mp)) {
	case M_PROTO:
	case M_PCPROTO:
		if (MBLKL(mp) < (ssize_t)sizeof(dl_unitdata_ind_t) ||
		    ((dl_unitdata_ind_t *)mp->b_rptr)->dl_primitive != DL_UNITDATA_IND) {
			ip_rput_dlpi(ill, mp);
			return (NULL);
		}
		*ll_multicast = ((dl_unitdata_ind_t *)mp->b_rptr)->dl_group_address != 0;
		dp = mp->b_cont;
		freeb(mp);
		return (dp);
	case M_IOCACK:
		if (((struct iocblk *)mp->b_rptr)->ioc_cmd != DL_IOC_HDR_INFO)
			break;
		ill_fastpath_ack(ill, mp);
		return (NULL);
	case M_IOCNAK:
		if (((struct iocblk *)mp->b_rptr)->ioc_cmd != DL_IOC_HDR_INFO)
			break;
		ill_fastpath_nak(ill, mp);
		return (NULL);
	case M_FLUSH:
		if (*mp->b_rptr & FLUSHW) {
			*mp->b_rptr &= (uchar_t)~FLUSHR;
			qreply(q, mp);
		} else {
			freemsg(mp);
		}
		return (NULL);
	case M_ERROR:
	case M_HANGUP:
		ill->ill_state_flags |= ILL_CONDEMNED;
		ill_dl_broken(ill, DB_TYPE(mp) == M_ERROR && MBLKL(mp) > 0 && *mp->b_rptr != 0 ? *mp->b_rptr : EIO);
		ire_delete_ill(ill);
		freemsg(mp);
		return (NULL);
	default:
		break;
	}
	(void)putnext(q, mp);
	return (NULL);
}

/* May this come up while the interface is not up (or not any more)?  Answers of
 * the driver, no packets. */
static boolean_t ip_rput_early(const mblk_t *mp)
{
	if (DB_TYPE(mp) == M_PROTO || DB_TYPE(mp) == M_PCPROTO)
		return (MBLKL(mp) < (ssize_t)sizeof(uint32_t) ||
			((union DL_primitives *)mp->b_rptr)->dl_primitive != DL_UNITDATA_IND);
	return (DB_TYPE(mp) >= QPCTL);
}

/* ---- rare cases of validation ---- */

/* A private copy of a message that somebody else looks at too; NULL without
 * memory (mp freed). */
static mblk_t *ip_rput_copy(mblk_t *mp)
{
	mblk_t *nmp = copymsg(mp);

	if (nmp == NULL) {
		BUMP_MIB(&ip_mib, ipInDiscards);
		IP_DROP(IPD_NOMEM, mp);
	}
	freemsg(mp);
	return (nmp);
}

/* Make the first `len' bytes contiguous and aligned: mp, or NULL (mp freed,
 * counted). */
static mblk_t *ip_rput_pullup(mblk_t *mp, size_t len)
{
	if (msgdsize(mp) < len) {
		RPUT_DROP(ipInHdrErrors, IPD_SHORT, mp);
		return (NULL);
	}
	if (!pullupmsg(mp, (ssize_t)len)) {
		RPUT_DROP(ipInDiscards, IPD_NOMEM, mp);
		return (NULL);
	}
	return (mp);
}

/* The message is not as long as the header says.  Longer: trimmed (Ethernet
 * padding). */
static mblk_t *ip_rput_trim(mblk_t *mp, size_t len, size_t pkt_len)
{
	if (pkt_len < IP_SIMPLE_HDR_LENGTH) {
		RPUT_DROP(ipInHdrErrors, IPD_BAD_LENGTH, mp);
		return (NULL);
	}
	if (len < pkt_len) {
		RPUT_DROP(ipInHdrErrors, IPD_SHORT, mp);
		return (NULL);
	}
	if (mp->b_cont == NULL)
		mp->b_wptr = mp->b_rptr + pkt_len;
	else
		(void)adjmsg(mp, (ssize_t)pkt_len - (ssize_t)len);
	return (mp);
}

/* Version, header length, options, multicast: mp with *dstp = the address to
 * look up, or NULL. */
static mblk_t *ip_rput_unusual(queue_t *q, mblk_t *mp, ill_t *ill, ipaddr_t *dstp, boolean_t *ll_multicast)
{
	ipha_t *ipha = (ipha_t *)mp->b_rptr;
	uint_t hdr_len = IPH_HDR_LENGTH(ipha);

	if (IPH_HDR_VERSION(ipha) == IPV6_VERSION) {
		RPUT_DROP(ipInIPv6, IPD_IPV6, mp);
		return (NULL);
	}
	if (IPH_HDR_VERSION(ipha) != IPV4_VERSION) {
		RPUT_DROP(ipInHdrErrors, IPD_VERSION, mp);
		return (NULL);
	}
	if (hdr_len < IP_SIMPLE_HDR_LENGTH || ntohs(ipha->ipha_length) < hdr_len) {
		RPUT_DROP(ipInHdrErrors, IPD_BAD_LENGTH, mp);
		return (NULL);
	}
	if (MBLKL(mp) < (ssize_t)hdr_len) {
		if ((mp = ip_rput_pullup(mp, hdr_len)) == NULL)
			return (NULL);
		ipha = (ipha_t *)mp->b_rptr;
	}
	if (hdr_len > IP_SIMPLE_HDR_LENGTH && !ip_rput_options(q, mp, ipha, dstp))
		return (NULL);
	if (CLASSD(*dstp)) {
		if (!ilm_member(ill, *dstp)) {
			IP_DROP(IPD_NOT_MEMBER, mp);
			freemsg(mp);
			return (NULL);
		}
		*dstp = INADDR_BROADCAST;
		*ll_multicast = B_TRUE;
	}
	return (mp);
}

/* ---- packets that are not for us ---- */

/* No entry for the destination. */
static void ip_rput_noire(queue_t *q, mblk_t *mp, ill_t *ill, ipaddr_t dst, boolean_t ll_multicast)
{
	ire_t *ire;

	if (ll_multicast) {
		IP_DROP(IPD_LL_MULTICAST, mp);
		freemsg(mp);
		return;
	}
	if ((ill->ill_flags & ILLF_ROUTER) == 0 && !ip_param.ip_forwarding) {
		RPUT_DROP(ipForwProhibits, IPD_NOT_OURS, mp);
		return;
	}
	if ((ire = ire_ftable_lookup(dst, IRE_FORWARDTABLE, 0)) == NULL) {
		BUMP_MIB(&ip_mib, ipInDiscards);
		IP_DROP(IPD_NO_ROUTE, mp);
		icmp_unreachable(q, mp, ICMP_HOST_UNREACHABLE);
		return;
	}
	IRE_REFRELE(ire);
	if (((ipha_t *)mp->b_rptr)->ipha_ttl <= 1) {
		IP_DROP(IPD_TTL, mp);
		icmp_time_exceeded(q, mp, ICMP_TTL_EXCEEDED);
		return;
	}
	((ipha_t *)mp->b_rptr)->ipha_ttl--;
	BUMP_MIB(&ip_mib, ipForwDatagrams);
	ip_newroute(NULL, mp, dst, NULL, 0);
}

/* Pass a packet on to another host. */
static void ip_rput_forward(queue_t *q, mblk_t *mp, ipha_t *ipha, ire_t *ire, ill_t *ill)
{
	if ((ill->ill_flags & ILLF_ROUTER) == 0 && !ip_param.ip_forwarding) {
		RPUT_DROP(ipForwProhibits, IPD_NOT_OURS, mp);
		return;
	}
	if ((DB_CKSUMFLAGS(mp) & HCK_IPV4_HDRCKSUM) == 0 && ip_csum_hdr(ipha) != 0) {
		RPUT_DROP(ipInCksumErrs, IPD_HDR_CKSUM, mp);
		return;
	}
	if (ipha->ipha_ttl <= 1) {
		BUMP_MIB(&ip_mib, ipInDiscards);
		IP_DROP(IPD_TTL, mp);
		icmp_time_exceeded(q, mp, ICMP_TTL_EXCEEDED);
		return;
	}
	if (ntohs(ipha->ipha_length) > ire->ire_max_frag) {
		if (ipha->ipha_fragment_offset_and_flags & htons(IPH_DF)) {
			BUMP_MIB(&ip_mib, ipFragFails);
			IP_DROP(IPD_FRAG_NEEDED, mp);
			icmp_frag_needed(q, mp, ire->ire_max_frag);
			return;
		}
		ipha->ipha_ttl--;
		BUMP_MIB(&ip_mib, ipForwDatagrams);
		ip_wput_ire_fragmentit(q, mp, ire);
		return;
	}
	ipha->ipha_ttl--;
	ipha->ipha_hdr_checksum = 0;
	ipha->ipha_hdr_checksum = ip_csum_hdr(ipha);
	IP_PROBE(send, mp, NULL, ipha, ire->ire_ipif->ipif_ill);
	if ((mp = ip_link_header(ire, mp)) == NULL) {
		BUMP_MIB(&ip_mib, ipInDiscards);
		return;
	}
	BUMP_MIB(&ip_mib, ipForwDatagrams);
	ire->ire_ib_pkt_count++;
	(void)putnext(ire->ire_stq, mp);
}

/* May a packet to a broadcast (or, on our behalf, multicast) address come in
 * here? */
static boolean_t ip_rput_broadcast_ok(const ire_t *ire, const ipha_t *ipha, const ill_t *ill)
{
	if (ipha->ipha_protocol == IPPROTO_TCP || (ire->ire_marks & IRE_MARK_NORECV))
		return (B_FALSE);
	return (ire->ire_ipif->ipif_ill == ill || ip_param.ip_forward_directed_broadcasts);
}

/* ---- the entry from the driver ---- */

int ip_rput(queue_t *q, mblk_t *mp)
{
	ill_t *ill = q->q_ptr;
	boolean_t ll_multicast = B_FALSE;
	size_t len, pkt_len;
	ipaddr_t dst;
	ipha_t *ipha;
	ire_t *ire;

	if (UNLIKELY(ill->ill_state_flags != 0) && !ip_rput_early(mp)) {
		IP_DROP(IPD_NOT_UP, mp);
		freemsg(mp);
		return (0);
	}
	if (UNLIKELY(DB_TYPE(mp) != M_DATA) && (mp = ip_rput_notdata(q, mp, &ll_multicast)) == NULL)
		return (0);
	if (UNLIKELY(DB_REF(mp) > 1) && (mp = ip_rput_copy(mp)) == NULL)
		return (0);
	BUMP_MIB(&ip_mib, ipInReceives);
	if (UNLIKELY(!OFFSET_ALIGNED(mp->b_rptr) || MBLKL(mp) < IP_SIMPLE_HDR_LENGTH) &&
	    (mp = ip_rput_pullup(mp, IP_SIMPLE_HDR_LENGTH)) == NULL)
		return (0);
	ipha = (ipha_t *)mp->b_rptr;
	len = mp->b_cont == NULL ? (size_t)MBLKL(mp) : msgdsize(mp);
	pkt_len = ntohs(ipha->ipha_length);
	dst = ipha->ipha_dst;
	if (IPH_HDR_VERSION(ipha) == IPV4_VERSION && len != pkt_len && (mp = ip_rput_trim(mp, len, pkt_len)) == NULL)
		return (0);
	if (UNLIKELY(IP_LOOPBACK_ADDR(dst) || IP_LOOPBACK_ADDR(ipha->ipha_src))) {
		cmn_err(CE_NOTE, "ip_rput: loopback address on %s", ill->ill_name);
		RPUT_DROP(ipInAddrErrors, IPD_LOOPBACK_ADDR, mp);
		return (0);
	}
	if (UNLIKELY(ipha->ipha_version_and_hdr_length != IP_SIMPLE_HDR_VERSION || CLASSD(dst))) {
		if ((mp = ip_rput_unusual(q, mp, ill, &dst, &ll_multicast)) == NULL)
			return (0);
		ipha = (ipha_t *)mp->b_rptr;
	}
	ip_protocols[ipha->ipha_protocol]++;
	IP_PROBE(receive, mp, NULL, ipha, ill);
	if (UNLIKELY((ire = ire_lookup_input(dst, ill_ifindex(ill))) == NULL)) {
		ip_rput_noire(q, mp, ill, dst, ll_multicast);
		return (0);
	}
	if (UNLIKELY(ire->ire_type == IRE_BROADCAST)) {
		if (!ip_rput_broadcast_ok(ire, ipha, ill)) {
			RPUT_DROP(ipInDiscards, IPD_BCAST, mp);
			IRE_REFRELE(ire);
			return (0);
		}
	} else if (UNLIKELY(ire->ire_stq != NULL)) {
		ip_rput_forward(q, mp, ipha, ire, ill);
		IRE_REFRELE(ire);
		return (0);
	} else if (ire->ire_rfq != q && ip_param.ip_strict_dst_multihoming) {
		RPUT_DROP(ipForwProhibits, IPD_NOT_OURS, mp);
		IRE_REFRELE(ire);
		return (0);
	}
	DB_RECVIF(mp) = ill_ifindex(ill);
	switch (ipha->ipha_protocol) {
	case IPPROTO_TCP:
		ip_tcp_input(q, mp, ipha, ire, ill);
		break;
	case IPPROTO_UDP:
		ip_udp_input(q, mp, ipha, ire, ill, ll_multicast);
		break;
	default:
		ip_proto_input(q, mp, ipha, ire, ill);
		break;
	}
	IRE_REFRELE(ire);
	return (0);
}

/* ---- common to the three ---- */

/* Is it a fragment? */
#define IP_IS_FRAGMENT(ipha) ((ipha)->ipha_fragment_offset_and_flags & htons(IPH_MF | IPH_OFFSET))

/* Received over this route. */
#define IRE_COUNT_IN(ire) \
	((ire)->ire_ib_pkt_count++, (ire)->ire_last_used_time = (clock_t_)(machine_now() / 1000000000))

/* Sum of pseudo header, transport header and data; right when it is 0xffff. */
ALWAYS_INLINE uint_t ip_ulp_cksum(mblk_t *mp, const ipha_t *ipha, uint_t hdr_len)
{
	uint_t ulp_len = ntohs(ipha->ipha_length) - hdr_len;

	return (ip_cksum(mp, hdr_len,
			 ip_pseudo_sum(ipha->ipha_src, ipha->ipha_dst) + htons(ipha->ipha_protocol) + htons(ulp_len)));
}

/* ---- TCP ---- */

/* A segment for a listener that is no SYN. */
static void ip_tcp_listener_other(mblk_t *mp, uint_t hdr_len, uint_t flags)
{
	if ((flags & (TH_RST | TH_URG)) == 0 && (flags & TH_ACK)) {
		tcp_xmit_listeners_reset(mp, hdr_len);
		return;
	}
	IP_DROP(IPD_TCP_LISTENER, mp);
	freemsg(mp);
}

/* Make the TCP header with its options contiguous: mp, or NULL. */
static mblk_t *ip_tcp_pullup(mblk_t *mp, uint_t hdr_len)
{
	const ipha_t *ipha = (const ipha_t *)mp->b_rptr;
	uint_t pkt_len = ntohs(ipha->ipha_length), need = hdr_len + TCP_MIN_HEADER_LENGTH;
	uint_t tcp_len;

	if (pkt_len < need)
		goto bad;
	if (MBLKL(mp) < (ssize_t)need && !pullupmsg(mp, need))
		goto nomem;
	tcp_len = TCP_HDR_LENGTH((tcph_t *)(mp->b_rptr + hdr_len));
	if (tcp_len < TCP_MIN_HEADER_LENGTH || pkt_len < hdr_len + tcp_len)
		goto bad;
	need = hdr_len + tcp_len;
	if (MBLKL(mp) < (ssize_t)need && !pullupmsg(mp, need))
		goto nomem;
	return (mp);
bad:
	RPUT_DROP(ipInDiscards, IPD_TCP_HDR, mp);
	return (NULL);
nomem:
	RPUT_DROP(ipInDiscards, IPD_NOMEM, mp);
	return (NULL);
}

void ip_tcp_input(queue_t *q, mblk_t *first_mp, ipha_t *ipha, ire_t *ire, ill_t *recv_ill)
{
	uint_t hdr_len = IPH_HDR_LENGTH(ipha), flags;
	boolean_t mctl_present = DB_TYPE(first_mp) == M_CTL;
	mblk_t *mp = IPSEC_DATA(first_mp);
	conn_t *connp;
	tcph_t *tcph;

	(void)q;
	if (!mctl_present && (DB_CKSUMFLAGS(mp) & HCK_IPV4_HDRCKSUM) == 0 && ip_csum_hdr(ipha) != 0) {
		RPUT_DROP(ipInCksumErrs, IPD_HDR_CKSUM, mp);
		return;
	}
	if (LIKELY(!mctl_present))
		IRE_COUNT_IN(ire);
	if (UNLIKELY(IP_IS_FRAGMENT(ipha))) {
		if (mctl_present) {
			RPUT_DROP(ipInDiscards, IPD_IPSEC_DROP, first_mp);
			return;
		}
		if ((first_mp = mp = ip_rput_fragment(recv_ill, mp, ipha)) == NULL)
			return;
		ipha = (ipha_t *)mp->b_rptr;
		hdr_len = IPH_HDR_LENGTH(ipha);
	}
	if ((mp = ip_tcp_pullup(mp, hdr_len)) == NULL) {
		if (mctl_present)
			freeb(first_mp);
		return;
	}
	if (LIKELY(!mctl_present))
		first_mp = mp;
	ipha = (ipha_t *)mp->b_rptr;
	if ((DB_CKSUMFLAGS(mp) & HCK_FULLCKSUM) == 0 && ip_ulp_cksum(mp, ipha, hdr_len) != 0xffff) {
		RPUT_DROP(tcpInErrs, IPD_TCP_CKSUM, first_mp);
		return;
	}
	tcph = (tcph_t *)(mp->b_rptr + hdr_len);
	flags = tcph->th_flags[0];
	connp = ipcl_classify_v4(mp, IPPROTO_TCP, hdr_len, ill_ifindex(recv_ill));
	if (UNLIKELY(connp == NULL)) {
		BUMP_MIB(&ip_mib, ipInDelivers);
		if (mctl_present)
			freeb(first_mp);
		tcp_xmit_listeners_reset(mp, hdr_len);
		return;
	}
	if (LIKELY(IPCL_IS_TCP4_CONNECTED_NO_POLICY(connp) && !mctl_present)) {
		squeue_enter(connp->conn_sqp, mp, tcp_rput_data, connp, SQTAG_IP_TCP_INPUT);
		return;
	}
	if (mctl_present || CONN_INBOUND_POLICY_PRESENT(connp)) {
		if ((mp = ipsec_inbound_deliver(connp, first_mp)) == NULL) {
			CONN_DEC_REF(connp);
			return;
		}
	}
	if (connp->conn_recv == tcp_conn_request || connp->conn_recv == tcp_conn_request_unbound) {
		if ((flags & (TH_SYN | TH_ACK | TH_RST | TH_URG)) != TH_SYN) {
			ip_tcp_listener_other(mp, hdr_len, flags);
			CONN_DEC_REF(connp);
			return;
		}
	}
	squeue_enter(connp->conn_sqp != NULL ? connp->conn_sqp : ip_squeue, mp, connp->conn_recv, connp,
		     SQTAG_IP_TCP_INPUT);
}

/* ---- UDP ---- */

void ip_udp_input(queue_t *q, mblk_t *first_mp, ipha_t *ipha, ire_t *ire, ill_t *recv_ill, boolean_t ll_multicast)
{
	uint_t hdr_len = IPH_HDR_LENGTH(ipha);
	boolean_t mctl_present = DB_TYPE(first_mp) == M_CTL;
	mblk_t *mp = IPSEC_DATA(first_mp);
	conn_t *connp;
	udpha_t *udpha;
	uint32_t ports;

	if (!mctl_present && (DB_CKSUMFLAGS(mp) & HCK_IPV4_HDRCKSUM) == 0 && ip_csum_hdr(ipha) != 0) {
		RPUT_DROP(ipInCksumErrs, IPD_HDR_CKSUM, mp);
		return;
	}
	if (LIKELY(!mctl_present))
		IRE_COUNT_IN(ire);
	if (UNLIKELY(IP_IS_FRAGMENT(ipha))) {
		if (mctl_present) {
			RPUT_DROP(ipInDiscards, IPD_IPSEC_DROP, first_mp);
			return;
		}
		if ((first_mp = mp = ip_rput_fragment(recv_ill, mp, ipha)) == NULL)
			return;
		ipha = (ipha_t *)mp->b_rptr;
		hdr_len = IPH_HDR_LENGTH(ipha);
	}
	if (ntohs(ipha->ipha_length) < hdr_len + UDPH_SIZE) {
		RPUT_DROP(ipInDiscards, IPD_UDP_HDR, first_mp);
		return;
	}
	if (UNLIKELY(MBLKL(mp) < (ssize_t)(hdr_len + UDPH_SIZE))) {
		if (!pullupmsg(mp, (ssize_t)(hdr_len + UDPH_SIZE))) {
			RPUT_DROP(ipInDiscards, IPD_NOMEM, first_mp);
			return;
		}
		ipha = (ipha_t *)mp->b_rptr;
	}
	udpha = (udpha_t *)(mp->b_rptr + hdr_len);
	if (udpha->uha_checksum != 0 && (DB_CKSUMFLAGS(mp) & HCK_FULLCKSUM) == 0 &&
	    ip_ulp_cksum(mp, ipha, hdr_len) != 0xffff) {
		RPUT_DROP(udpInCksumErrs, IPD_UDP_CKSUM, first_mp);
		return;
	}
	memcpy(&ports, udpha, sizeof(ports));
	if (UNLIKELY(ire->ire_type == IRE_BROADCAST || ll_multicast)) {
		ip_fanout_udp(q, first_mp, recv_ill, ipha, ports, B_TRUE, IP_FF_SEND_ICMP);
		return;
	}
	if ((connp = ipcl_classify_v4(mp, IPPROTO_UDP, hdr_len, ill_ifindex(recv_ill))) == NULL) {
		ip_fanout_udp(q, first_mp, recv_ill, ipha, ports, B_FALSE, IP_FF_SEND_ICMP);
		return;
	}
	if (!canputnext(connp->conn_rq)) {
		RPUT_DROP(udpInOverflows, IPD_UDP_FULL, first_mp);
		CONN_DEC_REF(connp);
		return;
	}
	if (UNLIKELY(mctl_present || CONN_INBOUND_POLICY_PRESENT(connp))) {
		if ((mp = ipsec_inbound_deliver(connp, first_mp)) == NULL) {
			CONN_DEC_REF(connp);
			return;
		}
	}
	BUMP_MIB(&ip_mib, ipInDelivers);
	(void)putnext(connp->conn_rq, mp);
	CONN_DEC_REF(connp);
}

/* ---- all else ---- */

/*
 * IP in IP: true when the inner packet is between the same hosts; the outer
 * header is gone then and the inner packet is to be dealt with.  *mpp NULL: it
 * was bad, and is gone.
 */
static boolean_t ip_decap_self(mblk_t **mpp, uint_t hdr_len)
{
	const ipha_t *outer = (const ipha_t *)(*mpp)->b_rptr, *inner;

	if (ntohs(outer->ipha_length) < hdr_len + IP_SIMPLE_HDR_LENGTH)
		goto bad;
	if (MBLKL(*mpp) < (ssize_t)(hdr_len + IP_SIMPLE_HDR_LENGTH) &&
	    !pullupmsg(*mpp, (ssize_t)(hdr_len + IP_SIMPLE_HDR_LENGTH)))
		goto bad;
	outer = (const ipha_t *)(*mpp)->b_rptr;
	inner = (const ipha_t *)((*mpp)->b_rptr + hdr_len);
	if (IPH_HDR_VERSION(inner) != IPV4_VERSION || IPH_HDR_LENGTH(inner) < IP_SIMPLE_HDR_LENGTH ||
	    ntohs(outer->ipha_length) - hdr_len < ntohs(inner->ipha_length))
		goto bad;
	if (outer->ipha_src != inner->ipha_src || outer->ipha_dst != inner->ipha_dst)
		return (B_FALSE);
	(*mpp)->b_rptr += hdr_len;
	return (B_TRUE);
bad:
	RPUT_DROP(ipInDiscards, IPD_ENCAP, *mpp);
	*mpp = NULL;
	return (B_FALSE);
}

/*
 * ESP: what is in it is dealt with anew.  first_mp has its ipsec_in_t in front
 * when this is not the first such header.  AH ends here too: there is no
 * association for it.
 */
ALWAYS_INLINE mblk_t *ip_proto_esp(mblk_t *first_mp, ill_t *recv_ill)
{
	if (DB_TYPE(first_mp) != M_CTL && (first_mp = ipsec_in_alloc(first_mp, ill_ifindex(recv_ill))) == NULL) {
		BUMP_MIB(&ip_mib, ipInDiscards);
		return (NULL);
	}
	if (ipsec_inbound_esp_sa(first_mp) == NULL) {
		BUMP_MIB(&ip_mib, ipInDiscards);
		return (NULL);
	}
	switch ((*ipsec_esp_ops->esp_input_func)(first_mp)) {
	case IPSEC_STATUS_SUCCESS:
		return (first_mp);
	case IPSEC_STATUS_FAILED:
		BUMP_MIB(&ip_mib, ipInDiscards);
		return (NULL);
	default:
		return (NULL);
	}
}

void ip_proto_input(queue_t *q, mblk_t *first_mp, ipha_t *ipha, ire_t *ire, ill_t *recv_ill)
{
	uint_t hdr_len = IPH_HDR_LENGTH(ipha);
	boolean_t mctl_present = DB_TYPE(first_mp) == M_CTL;
	mblk_t *mp = IPSEC_DATA(first_mp);

	if (!mctl_present && (DB_CKSUMFLAGS(mp) & HCK_IPV4_HDRCKSUM) == 0 && ip_csum_hdr(ipha) != 0) {
		RPUT_DROP(ipInCksumErrs, IPD_HDR_CKSUM, mp);
		return;
	}
	if (!mctl_present)
		IRE_COUNT_IN(ire);
	if (UNLIKELY(IP_IS_FRAGMENT(ipha))) {
		if (mctl_present) {
			RPUT_DROP(ipInDiscards, IPD_IPSEC_DROP, first_mp);
			return;
		}
		if ((first_mp = mp = ip_rput_fragment(recv_ill, mp, ipha)) == NULL)
			return;
		ipha = (ipha_t *)mp->b_rptr;
		hdr_len = IPH_HDR_LENGTH(ipha);
	}
	switch (ipha->ipha_protocol) {
	case IPPROTO_ICMP:
		if (UNLIKELY(mctl_present || ipsec_inbound_v4_policy_present != 0) &&
		    (mp = ipsec_inbound_deliver(NULL, first_mp)) == NULL)
			return;
		icmp_inbound(q, mp, ire->ire_type == IRE_BROADCAST, recv_ill, IP_FF_SEND_ICMP);
		return;
	case IPPROTO_IGMP:
	case IPPROTO_PIM:
		/* No router here: only raw listeners are interested. */
		ip_fanout_proto(q, first_mp, recv_ill, ipha, 0);
		return;
	case IPPROTO_SCTP:
		BUMP_MIB(&ip_mib, ipInDiscards);
		IP_DROP(IPD_SCTP, mp);
		freemsg(first_mp);
		return;
	case IPPROTO_ESP:
	case IPPROTO_AH:
		if (ipsec_loaded()) {
			if ((first_mp = ip_proto_esp(first_mp, recv_ill)) != NULL)
				ip_fanout_proto_again(first_mp, recv_ill, recv_ill, ire);
			return;
		}
		BUMP_MIB(&ip_mib, ipInUnknownProtos);
		IP_DROP(IPD_IPSEC, mp);
		icmp_unreachable(q, first_mp, ICMP_PROTOCOL_UNREACHABLE);
		return;
	case IPPROTO_ENCAP:
		if (ip_decap_self(&mp, hdr_len)) {
			if (!mctl_present)
				first_mp = mp;
			ipha = (ipha_t *)mp->b_rptr;
			if (ipha->ipha_protocol == IPPROTO_TCP)
				ip_tcp_input(q, first_mp, ipha, ire, recv_ill);
			else if (ipha->ipha_protocol == IPPROTO_UDP)
				ip_udp_input(q, first_mp, ipha, ire, recv_ill, ire->ire_type == IRE_BROADCAST);
			else
				ip_proto_input(q, first_mp, ipha, ire, recv_ill);
			return;
		}
		if (mp == NULL) {
			if (mctl_present)
				freeb(first_mp);
			return;
		}
		break;
	default:
		break;
	}
	ip_fanout_proto(q, first_mp, recv_ill, (ipha_t *)mp->b_rptr, IP_FF_SEND_ICMP);
}
