/*
 * ICMP (RFC 792, RFC 1122 3.2.2, RFC 1191, RFC 950).
 *
 * Incoming: icmp_inbound counts, answers requests in place, and gives errors to
 * the transport that sent the quoted packet.  Outgoing: icmp_unreachable and
 * its like ask icmp_pkt_err_ok whether an error may be sent at all, and
 * icmp_pkt makes it.
 */
#include <string.h>

#include "ip/ip_impl.h"
#include "ip/ipsec_impl.h"
#include "ip/squeue.h"
#include "ip/tcp.h"

#define IP_MIN_MTU 68
#define DAY_MS 86400000

/* Tokens for errors: one comes back every ip_icmp_err_interval. */
static KLOCAL hrtime_t icmp_err_last; /* up to when tokens have been given back */
static KLOCAL uint_t icmp_err_used;

void icmp_reset(void)
{
	icmp_err_last = 0;
	icmp_err_used = 0;
}

/* ---- sending ---- */

/* Give a finished message to IP on the write side of q, or where there is no
 * queue of IP's, directly. */
ALWAYS_INLINE void icmp_send(queue_t *q, mblk_t *mp)
{
	BUMP_MIB(&icmp_mib, icmpOutMsgs);
	if (q != NULL && WR(q)->q_qinfo->qi_putp == ip_wput)
		put(WR(q), mp);
	else
		ip_output(NULL, mp, NULL, IP_WPUT);
}

static void icmp_cksum(mblk_t *mp, uint_t hdr_len)
{
	icmph_t *icmph = (icmph_t *)(mp->b_rptr + hdr_len);

	icmph->icmph_checksum = 0;
	icmph->icmph_checksum = (uint16_t)~ip_cksum(mp, hdr_len, 0);
}

/* Is addr one that packets are broadcast to? */
static boolean_t icmp_addr_bcast(ipaddr_t addr)
{
	ire_t *ire;
	boolean_t bcast;

	if (CLASSD(addr) || CLASSE(addr))
		return (B_TRUE);
	if ((ire = ire_cache_lookup(addr, GLOBAL_ZONEID, 0)) == NULL)
		return (B_FALSE);
	bcast = ire->ire_type == IRE_BROADCAST;
	IRE_REFRELE(ire);
	return (bcast);
}

/* B_TRUE when no more errors may be sent now. */
static boolean_t icmp_err_rate_limit(void)
{
	hrtime_t now = machine_now(), interval = (hrtime_t)ip_param.ip_icmp_err_interval * 1000000;
	hrtime_t back;

	if (interval == 0)
		return (B_FALSE);
	back = (now - icmp_err_last) / interval;
	if (back > 0) {
		icmp_err_used -= (uint_t)MIN(back, (hrtime_t)icmp_err_used);
		icmp_err_last += back * interval;
	}
	if (icmp_err_used >= ip_param.ip_icmp_err_burst)
		return (B_TRUE);
	icmp_err_used++;
	return (B_FALSE);
}

/* Is it ICMP, and an error or redirect itself?  A message too short to tell
 * counts as one. */
static boolean_t icmp_is_error(mblk_t *mp, const ipha_t *ipha)
{
	uint_t hdr_len = IPH_HDR_LENGTH(ipha);
	const icmph_t *icmph;

	if (ipha->ipha_protocol != IPPROTO_ICMP)
		return (B_FALSE);
	if (MBLKL(mp) < (ssize_t)hdr_len + 1) {
		mblk_t *bp = mp->b_cont;

		if (bp == NULL || MBLKL(mp) != (ssize_t)hdr_len || MBLKL(bp) < 1)
			return (B_TRUE);
		icmph = (const icmph_t *)bp->b_rptr;
	} else {
		icmph = (const icmph_t *)(mp->b_rptr + hdr_len);
	}
	switch (icmph->icmph_type) {
	case ICMP_DEST_UNREACHABLE:
	case ICMP_SOURCE_QUENCH:
	case ICMP_TIME_EXCEEDED:
	case ICMP_PARAM_PROBLEM:
	case ICMP_REDIRECT:
		return (B_TRUE);
	default:
		return (B_FALSE);
	}
}

/* May this packet be answered with an error (RFC 1122, 3.2.2)?  mp, or NULL
 * (freed). */
static mblk_t *icmp_pkt_err_ok(mblk_t *first_mp)
{
	mblk_t *mp = IPSEC_DATA(first_mp);
	ipha_t *ipha = (ipha_t *)mp->b_rptr;
	boolean_t ours = ipha->ipha_src == INADDR_ANY || ipif_lookup_addr(ipha->ipha_src, 0) != NULL;

	if (UNLIKELY(first_mp != mp))
		freeb(first_mp);
	if (!ours && (DB_CKSUMFLAGS(mp) & HCK_IPV4_HDRCKSUM) == 0 && ip_csum_hdr(ipha) != 0) {
		BUMP_MIB(&ip_mib, ipInCksumErrs);
		freemsg(mp);
		return (NULL);
	}
	if (icmp_addr_bcast(ipha->ipha_dst) || icmp_addr_bcast(ipha->ipha_src) ||
	    (ipha->ipha_fragment_offset_and_flags & htons(IPH_OFFSET)) || icmp_is_error(mp, ipha)) {
		BUMP_MIB(&icmp_mib, icmpOutDrops);
		IP_DROP(IPD_ICMP_NOT_OK, mp);
		freemsg(mp);
		return (NULL);
	}
	if (icmp_err_rate_limit()) {
		IP_DROP(IPD_ICMP_RATE, mp);
		freemsg(mp);
		return (NULL);
	}
	return (mp);
}

/* Copy up to len bytes of a message. */
static size_t msg_copyout(uchar_t *dst, const mblk_t *mp, size_t len)
{
	size_t done = 0;

	for (; mp != NULL && done < len; mp = mp->b_cont) {
		size_t n = MIN((size_t)MBLKL(mp), len - done);

		memcpy(dst + done, mp->b_rptr, n);
		done += n;
	}
	return (done);
}

/* Send an error with this ICMP header about mp, which is consumed. */
static void icmp_pkt(queue_t *q, mblk_t *mp, const icmph_t *stuff)
{
	const ipha_t *ipha = (const ipha_t *)mp->b_rptr;
	size_t quoted = MIN(msgdsize(mp), (size_t)IPH_HDR_LENGTH(ipha) + ip_param.ip_icmp_return_data_bytes);
	boolean_t anon = ipha->ipha_src == INADDR_ANY;
	mblk_t *nmp = allocb(ip_param.ip_wroff_extra + IP_SIMPLE_HDR_LENGTH + ICMPH_SIZE + quoted, BPRI_HI);
	ipha_t *nipha;

	if (nmp == NULL) {
		BUMP_MIB(&icmp_mib, icmpOutErrors);
		freemsg(mp);
		return;
	}
	nmp->b_rptr += ip_param.ip_wroff_extra;
	nipha = (ipha_t *)nmp->b_rptr;
	*nipha = (ipha_t){.ipha_version_and_hdr_length = IP_SIMPLE_HDR_VERSION,
			  .ipha_length = htons(IP_SIMPLE_HDR_LENGTH + ICMPH_SIZE + quoted),
			  .ipha_ttl = (uint8_t)ip_param.ip_def_ttl,
			  .ipha_protocol = IPPROTO_ICMP,
			  .ipha_dst = anon ? INADDR_LOOPBACK_N : ipha->ipha_src};
	if (ipif_lookup_addr(ipha->ipha_dst, 0) != NULL)
		nipha->ipha_src = ipha->ipha_dst;
	memcpy(nipha + 1, stuff, ICMPH_SIZE);
	nmp->b_wptr = nmp->b_rptr + IP_SIMPLE_HDR_LENGTH + ICMPH_SIZE;
	nmp->b_wptr += msg_copyout(nmp->b_wptr, mp, quoted);
	icmp_cksum(nmp, IP_SIMPLE_HDR_LENGTH);
	freemsg(mp);
	icmp_send(q, nmp);
}

void icmp_unreachable(queue_t *q, mblk_t *mp, uint8_t code)
{
	icmph_t icmph = {.icmph_type = ICMP_DEST_UNREACHABLE, .icmph_code = code};

	if ((mp = icmp_pkt_err_ok(mp)) == NULL)
		return;
	BUMP_MIB(&icmp_mib, icmpOutDestUnreachs);
	icmp_pkt(q, mp, &icmph);
}

void icmp_frag_needed(queue_t *q, mblk_t *mp, uint_t mtu)
{
	icmph_t icmph = {.icmph_type = ICMP_DEST_UNREACHABLE, .icmph_code = ICMP_FRAGMENTATION_NEEDED};

	icmph.icmph_u.u_frag.mtu = htons(MIN(mtu, 65535U));
	if ((mp = icmp_pkt_err_ok(mp)) == NULL)
		return;
	BUMP_MIB(&icmp_mib, icmpOutFragNeeded);
	BUMP_MIB(&icmp_mib, icmpOutDestUnreachs);
	icmp_pkt(q, mp, &icmph);
}

void icmp_time_exceeded(queue_t *q, mblk_t *mp, uint8_t code)
{
	icmph_t icmph = {.icmph_type = ICMP_TIME_EXCEEDED, .icmph_code = code};

	if ((mp = icmp_pkt_err_ok(mp)) == NULL)
		return;
	BUMP_MIB(&icmp_mib, icmpOutTimeExcds);
	icmp_pkt(q, mp, &icmph);
}

void icmp_param_problem(queue_t *q, mblk_t *mp, uint8_t ptr)
{
	icmph_t icmph = {.icmph_type = ICMP_PARAM_PROBLEM};

	icmph.icmph_u.u_param.ptr = ptr;
	if ((mp = icmp_pkt_err_ok(mp)) == NULL)
		return;
	BUMP_MIB(&icmp_mib, icmpOutParmProbs);
	icmp_pkt(q, mp, &icmph);
}

/* The endpoint of a packet is missing: say so, if the flags ask for it.
 * Consumes mp. */
void ip_fanout_send_icmp(queue_t *q, mblk_t *mp, uint_t flags, uint8_t type, uint8_t code)
{
	if ((flags & IP_FF_SEND_ICMP) && type == ICMP_DEST_UNREACHABLE)
		icmp_unreachable(q, mp, code);
	else
		freemsg(mp);
}

/* ---- answering ---- */

/* Turn a request round in place and send it back. */
ALWAYS_INLINE void icmp_reply(queue_t *q, mblk_t *mp, ill_t *ill, boolean_t broadcast, uint8_t type)
{
	ipha_t *ipha = (ipha_t *)mp->b_rptr;
	uint_t hdr_len = IPH_HDR_LENGTH(ipha);
	ipaddr_t to = ipha->ipha_src;
	ipif_t *ipif;

	if (to == INADDR_ANY || icmp_addr_bcast(to)) {
		IP_DROP(IPD_ICMP_IGNORED, mp);
		freemsg(mp);
		return;
	}
	if (broadcast) {
		if ((ipif = ipif_lookup_onlink(to, ill_ifindex(ill))) == NULL)
			ipif = ill->ill_ipif;
		ipha->ipha_src = ipif != NULL ? ipif->ipif_lcl_addr : INADDR_ANY;
	} else {
		ipha->ipha_src = ipha->ipha_dst;
	}
	ipha->ipha_dst = to;
	ipha->ipha_ttl = (uint8_t)ip_param.ip_def_ttl;
	ipha->ipha_ident = NO_IP_IDENT;
	ipha->ipha_fragment_offset_and_flags = 0;
	((icmph_t *)(mp->b_rptr + hdr_len))->icmph_type = type;
	icmp_cksum(mp, hdr_len);
	icmp_send(q, mp);
}

ALWAYS_INLINE void icmp_echo(queue_t *q, mblk_t *mp, ill_t *ill, boolean_t broadcast)
{
	const ipha_t *ipha = (const ipha_t *)mp->b_rptr;

	if (broadcast &&
	    !(CLASSD(ipha->ipha_dst) ? ip_param.ip_respond_to_echo_multicast : ip_param.ip_respond_to_echo_broadcast)) {
		IP_DROP(IPD_ICMP_IGNORED, mp);
		freemsg(mp);
		return;
	}
	BUMP_MIB(&icmp_mib, icmpOutEchoReps);
	icmp_reply(q, mp, ill, broadcast, ICMP_ECHO_REPLY);
}

/* RFC 792: three times in ms since midnight: the sender's, received, sent. */
ALWAYS_INLINE void icmp_timestamp(queue_t *q, mblk_t *mp, ill_t *ill, boolean_t broadcast)
{
	uint_t hdr_len = IPH_HDR_LENGTH(mp->b_rptr), len = ntohs(((ipha_t *)mp->b_rptr)->ipha_length);
	uint32_t now = htonl((uint32_t)(machine_walltime() / 1000000 % DAY_MS));

	if (!(broadcast ? ip_param.ip_respond_to_timestamp_broadcast : ip_param.ip_respond_to_timestamp) ||
	    len < hdr_len + ICMPH_SIZE + 12 || !pullupmsg(mp, -1)) {
		IP_DROP(IPD_ICMP_IGNORED, mp);
		freemsg(mp);
		return;
	}
	memcpy(mp->b_rptr + hdr_len + ICMPH_SIZE + 4, &now, 4);
	memcpy(mp->b_rptr + hdr_len + ICMPH_SIZE + 8, &now, 4);
	BUMP_MIB(&icmp_mib, icmpOutTimestampReps);
	icmp_reply(q, mp, ill, broadcast, ICMP_TIME_STAMP_REPLY);
}

ALWAYS_INLINE void icmp_mask(queue_t *q, mblk_t *mp, ill_t *ill, boolean_t broadcast)
{
	uint_t hdr_len = IPH_HDR_LENGTH(mp->b_rptr), len = ntohs(((ipha_t *)mp->b_rptr)->ipha_length);
	ipif_t *ipif = ipif_lookup_onlink(((ipha_t *)mp->b_rptr)->ipha_src, ill_ifindex(ill));

	if (ipif == NULL)
		ipif = ill->ill_ipif;
	if ((broadcast && !ip_param.ip_respond_to_address_mask_broadcast) || ipif == NULL ||
	    len < hdr_len + ICMPH_SIZE + 4 || !pullupmsg(mp, -1)) {
		IP_DROP(IPD_ICMP_IGNORED, mp);
		freemsg(mp);
		return;
	}
	memcpy(mp->b_rptr + hdr_len + ICMPH_SIZE, &ipif->ipif_net_mask, 4);
	BUMP_MIB(&icmp_mib, icmpOutAddrMaskReps);
	icmp_reply(q, mp, ill, broadcast, ICMP_ADDRESS_MASK_REPLY);
}

/* ---- errors from others ---- */

/* The quoted packet of an error: its header, or NULL when less than its header
 * and 8 bytes are there. */
static ipha_t *icmp_quoted(const mblk_t *mp)
{
	uint_t hdr_len = IPH_HDR_LENGTH(mp->b_rptr);
	ipha_t *in = (ipha_t *)(mp->b_rptr + hdr_len + ICMPH_SIZE);
	ssize_t left = MBLKL(mp) - (ssize_t)(hdr_len + ICMPH_SIZE);

	if (left < IP_SIMPLE_HDR_LENGTH || IPH_HDR_VERSION(in) != IPV4_VERSION ||
	    IPH_HDR_LENGTH(in) < IP_SIMPLE_HDR_LENGTH || left < (ssize_t)IPH_HDR_LENGTH(in) + 8)
		return (NULL);
	return (in);
}

/* RFC 1191, 7.1: what packets of a link may have been too long for. */
static uint_t icmp_plateau(uint_t len)
{
	static const uint16_t plateaus[] = {32000, 17914, 8166, 4352, 2002, 1492, 1006, 508, 296, IP_MIN_MTU};

	for (size_t i = 0; i < sizeof(plateaus) / sizeof(plateaus[0]); i++)
		if (plateaus[i] < len)
			return (plateaus[i]);
	return (IP_MIN_MTU);
}

/* Fragmentation needed: the route's packets become shorter. */
static void icmp_frag_adjust(const ipha_t *in, const icmph_t *icmph, uint_t ifindex)
{
	ire_t *ire = ire_cache_lookup(in->ipha_dst, GLOBAL_ZONEID, ifindex);
	uint_t mtu = ntohs(icmph->icmph_u.u_frag.mtu);

	if (ire == NULL)
		return;
	if (mtu <= IP_MIN_MTU)
		mtu = icmp_plateau(MIN(ire->ire_max_frag, (uint_t)ntohs(in->ipha_length)));
	if (ire->ire_type == IRE_CACHE && mtu < ire->ire_max_frag) {
		ire->ire_max_frag = mtu;
		ire_pmtu_watch(ire);
	}
	IRE_REFRELE(ire);
}

/* Give an error (one block) to the transport that sent the quoted packet.
 * Consumes mp. */
static void icmp_inbound_error_fanout(mblk_t *mp, ipha_t *in, uint_t ifindex)
{
	const uchar_t *ulp = (const uchar_t *)in + IPH_HDR_LENGTH(in);
	conn_t *connp = NULL;
	in_port_t lport, fport;

	memcpy(&lport, ulp, sizeof(lport));
	memcpy(&fport, ulp + sizeof(lport), sizeof(fport));
	DB_TYPE(mp) = M_CTL;
	switch (in->ipha_protocol) {
	case IPPROTO_TCP:
		connp = ipcl_conn_lookup(IPPROTO_TCP, in->ipha_src, lport, in->ipha_dst, fport, ifindex);
		if (connp == NULL)
			break;
		squeue_fill(connp->conn_sqp, mp, tcp_input, connp, SQTAG_ICMP_INPUT);
		return;
	case IPPROTO_UDP:
		connp = ipcl_lookup_v4(IPPROTO_UDP, in->ipha_dst, fport, in->ipha_src, lport, ifindex);
		if (connp == NULL)
			break;
		(void)putnext(connp->conn_rq, mp);
		CONN_DEC_REF(connp);
		return;
	case IPPROTO_ESP:
		if (!esp_icmp_error(mp, in))
			break;
		icmp_inbound_error_fanout(mp, in, ifindex);
		return;
	case IPPROTO_ENCAP:
		connp = ipcl_proto_first(IPPROTO_ENCAP, in->ipha_dst, in->ipha_src, ifindex);
		if (connp == NULL)
			break;
		CONN_INC_REF(connp);
		(void)putnext(connp->conn_rq, mp);
		CONN_DEC_REF(connp);
		return;
	default:
		break;
	}
	IP_DROP(IPD_ICMP_ERROR, mp);
	freemsg(mp);
}

/* Redirect: believed from the gateway in use, for a better one on the same link
 * (RFC 1122, 3.2.2.2). */
static void icmp_redirect(mblk_t *mp, ill_t *ill)
{
	const ipha_t *ipha = (const ipha_t *)mp->b_rptr, *in = icmp_quoted(mp);
	const icmph_t *icmph = (const icmph_t *)(mp->b_rptr + IPH_HDR_LENGTH(ipha));
	ipaddr_t gateway = icmph->icmph_u.u_gateway;
	ipif_t *ipif = ipif_lookup_onlink(gateway, ill_ifindex(ill));
	ire_t *ire, *nire;

	if (ip_param.ip_ignore_redirect) {
		freemsg(mp);
		return;
	}
	ire = in == NULL ? NULL : ire_cache_lookup(in->ipha_dst, GLOBAL_ZONEID, ill_ifindex(ill));
	if (ire == NULL || ire->ire_gateway_addr != ipha->ipha_src || ipif == NULL || ipif->ipif_ill != ill ||
	    ipif->ipif_lcl_addr == gateway) {
		BUMP_MIB(&icmp_mib, icmpInBadRedirects);
		if (ire != NULL)
			IRE_REFRELE(ire);
		freemsg(mp);
		return;
	}
	nire = ire_create(in->ipha_dst, INADDR_BROADCAST, gateway, 0, IRE_HOST_REDIRECT, ipif, NULL);
	if (nire != NULL) {
		nire->ire_flags = RTF_UP | RTF_GATEWAY | RTF_HOST | RTF_DYNAMIC;
		(void)ire_add(nire);
		ire_delete(ire);
	}
	IRE_REFRELE(ire);
	freemsg(mp);
}

/* ---- entry ---- */

static void icmp_count_unreach(const icmph_t *icmph)
{
	BUMP_MIB(&icmp_mib, icmpInDestUnreachs);
	if (icmph->icmph_code == ICMP_FRAGMENTATION_NEEDED)
		BUMP_MIB(&icmp_mib, icmpInFragNeeded);
}

/* Raw listeners get what the kernel does not answer by itself. */
static void icmp_inbound_raw(queue_t *q, mblk_t *mp, ill_t *ill)
{
	const ipha_t *ipha = (const ipha_t *)mp->b_rptr;
	mblk_t *nmp;

	if (ipcl_proto_first(IPPROTO_ICMP, ipha->ipha_src, ipha->ipha_dst, ill_ifindex(ill)) == NULL)
		return;
	if ((nmp = copymsg(mp)) == NULL) {
		BUMP_MIB(&ip_mib, ipInDiscards);
		return;
	}
	ip_fanout_proto(q, nmp, ill, (ipha_t *)nmp->b_rptr, 0);
}

/* One of the errors about a packet of ours. */
static void icmp_inbound_error(queue_t *q, mblk_t *mp, ill_t *ill)
{
	ipha_t *in;
	const icmph_t *icmph;

	icmp_inbound_raw(q, mp, ill);
	if (!pullupmsg(mp, -1) || (in = icmp_quoted(mp)) == NULL) {
		BUMP_MIB(&icmp_mib, icmpInErrors);
		IP_DROP(IPD_ICMP_SHORT, mp);
		freemsg(mp);
		return;
	}
	icmph = (const icmph_t *)(mp->b_rptr + IPH_HDR_LENGTH(mp->b_rptr));
	if (icmph->icmph_type == ICMP_DEST_UNREACHABLE && icmph->icmph_code == ICMP_FRAGMENTATION_NEEDED)
		icmp_frag_adjust(in, icmph, ill == ill_loopback ? 0 : ill_ifindex(ill));
	icmp_inbound_error_fanout(mp, in, ill == ill_loopback ? 0 : ill_ifindex(ill));
}

/*
 * A received ICMP message, from its IP header on.  broadcast: it was sent to a
 * broadcast or multicast address.
 */
void icmp_inbound(queue_t *q, mblk_t *mp, boolean_t broadcast, ill_t *ill, uint_t flags)
{
	uint_t hdr_len = IPH_HDR_LENGTH(mp->b_rptr);
	const icmph_t *icmph;

	BUMP_MIB(&icmp_mib, icmpInMsgs);
	if (ntohs(((ipha_t *)mp->b_rptr)->ipha_length) < hdr_len + ICMPH_SIZE ||
	    (MBLKL(mp) < (ssize_t)(hdr_len + ICMPH_SIZE) && !pullupmsg(mp, (ssize_t)(hdr_len + ICMPH_SIZE)))) {
		BUMP_MIB(&icmp_mib, icmpInErrors);
		IP_DROP(IPD_ICMP_SHORT, mp);
		freemsg(mp);
		return;
	}
	if ((flags & IP_FF_HDR_COMPLETE) == 0 && (DB_CKSUMFLAGS(mp) & HCK_FULLCKSUM) == 0 &&
	    ip_cksum(mp, hdr_len, 0) != 0xffff) {
		BUMP_MIB(&icmp_mib, icmpInCksumErrs);
		IP_DROP(IPD_ICMP_CKSUM, mp);
		freemsg(mp);
		return;
	}
	icmph = (const icmph_t *)(mp->b_rptr + hdr_len);
	switch (icmph->icmph_type) {
	case ICMP_ECHO_REQUEST:
		BUMP_MIB(&icmp_mib, icmpInEchos);
		icmp_echo(q, mp, ill, broadcast);
		return;
	case ICMP_TIME_STAMP_REQUEST:
		BUMP_MIB(&icmp_mib, icmpInTimestamps);
		icmp_timestamp(q, mp, ill, broadcast);
		return;
	case ICMP_ADDRESS_MASK_REQUEST:
		BUMP_MIB(&icmp_mib, icmpInAddrMasks);
		icmp_mask(q, mp, ill, broadcast);
		return;
	case ICMP_DEST_UNREACHABLE:
		icmp_count_unreach(icmph);
		icmp_inbound_error(q, mp, ill);
		return;
	case ICMP_SOURCE_QUENCH:
		BUMP_MIB(&icmp_mib, icmpInSrcQuenchs);
		icmp_inbound_error(q, mp, ill);
		return;
	case ICMP_TIME_EXCEEDED:
		BUMP_MIB(&icmp_mib, icmpInTimeExcds);
		icmp_inbound_error(q, mp, ill);
		return;
	case ICMP_PARAM_PROBLEM:
		BUMP_MIB(&icmp_mib, icmpInParmProbs);
		icmp_inbound_error(q, mp, ill);
		return;
	case ICMP_REDIRECT:
		BUMP_MIB(&icmp_mib, icmpInRedirects);
		icmp_inbound_raw(q, mp, ill);
		if (pullupmsg(mp, -1))
			icmp_redirect(mp, ill);
		else
			freemsg(mp);
		return;
	case ICMP_ECHO_REPLY:
		BUMP_MIB(&icmp_mib, icmpInEchoReps);
		break;
	case ICMP_TIME_STAMP_REPLY:
		BUMP_MIB(&icmp_mib, icmpInTimestampReps);
		break;
	case ICMP_ADDRESS_MASK_REPLY:
		BUMP_MIB(&icmp_mib, icmpInAddrMaskReps);
		break;
	case ICMP_ROUTER_ADVERTISEMENT:
	case ICMP_ROUTER_SOLICITATION:
	case ICMP_INFO_REQUEST:
	case ICMP_INFO_REPLY:
		break;
	default:
		BUMP_MIB(&icmp_mib, icmpInUnknowns);
		IP_DROP(IPD_ICMP_UNKNOWN, mp);
		break;
	}
	ip_fanout_proto(q, mp, ill, (ipha_t *)mp->b_rptr, 0);
}
