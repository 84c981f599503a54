/*
 * IP output.
 *
 * ip_wput, the put procedure, calls ip_output, as TCP does for what is not its
 * fast path.  ip_output validates the header and finds the route (the conn
 * keeps its last one); ip_wput_ire completes the packet and sends it, or
 * delivers it here.  Without a cache entry ip_newroute makes one.
 *
 * A packet that the interface cannot take now waits on the write queue of its
 * endpoint (not for TCP, which has its own queue); the endpoint is on the list
 * of those to be woken when the interface's queue drains, which enables the
 * interface's ip_wsrv.
 */
#include <string.h>

#define IP_DROP_PROBE drop__out

#include "arp/arp.h"
#include "ip/ip_impl.h"
#include "ip/ipsec_impl.h"
#include "ip/tcp.h"

#define IRE_PENDING_MAX 16 /* packets that wait for one route */

/* Endpoints with packets waiting for an interface. */
typedef struct conn_drain {
	struct conn_drain *cd_next;
	conn_t *cd_conn;
} conn_drain_t;
static KLOCAL conn_drain_t *conn_drain_first, *conn_drain_last;

/* ---- flow control ---- */

/* Remember that connp is to be woken; ENOMEM when it cannot be. */
static int conn_drain_insert(conn_t *connp)
{
	conn_drain_t *cd;

	if (connp->conn_did_putbq)
		return (0);
	if ((cd = kmem_alloc(sizeof(*cd), KM_NOSLEEP)) == NULL)
		return (ENOMEM);
	*cd = (conn_drain_t){NULL, connp};
	if (conn_drain_last != NULL)
		conn_drain_last->cd_next = cd;
	else
		conn_drain_first = cd;
	conn_drain_last = cd;
	connp->conn_did_putbq = 1;
	return (0);
}

/* The endpoint is being closed. */
void conn_drain_remove(conn_t *connp)
{
	conn_drain_t *prev = NULL, *cd;

	for (cd = conn_drain_first; cd != NULL && cd->cd_conn != connp; cd = cd->cd_next)
		prev = cd;
	if (cd == NULL)
		return;
	if (prev != NULL)
		prev->cd_next = cd->cd_next;
	else
		conn_drain_first = cd->cd_next;
	if (conn_drain_last == cd)
		conn_drain_last = prev;
	connp->conn_did_putbq = 0;
	kmem_free(cd, sizeof(*cd));
}

/* An interface can send again. */
static void conn_walk_drain(void)
{
	conn_drain_t *cd, *next = conn_drain_first;

	conn_drain_first = conn_drain_last = NULL;
	while ((cd = next) != NULL) {
		next = cd->cd_next;
		cd->cd_conn->conn_did_putbq = 0;
		qenable(cd->cd_conn->conn_wq);
		kmem_free(cd, sizeof(*cd));
	}
}

/* Keep a packet until the interface has room: B_FALSE when it cannot be kept.
 */
static boolean_t ip_wput_wait(queue_t *q, conn_t *connp, mblk_t *mp, int caller)
{
	if (!ip_param.ip_output_queue || connp == NULL || q == NULL || q != connp->conn_wq ||
	    conn_drain_insert(connp) != 0)
		return (B_FALSE);
	if (UNLIKELY(DB_TYPE(mp) == M_CTL)) {
		/* Its policy is attached anew when its turn comes. */
		mblk_t *ipsec_mp = mp;

		mp = ipsec_mp->b_cont;
		freeb(ipsec_mp);
	}
	if (caller == IP_WSRV)
		(void)putbq(q, mp);
	else
		(void)putq(q, mp);
	return (B_TRUE);
}

int ip_wsrv(queue_t *q)
{
	conn_t *connp;
	mblk_t *mp;

	if (!CONN_Q(q)) {
		conn_walk_drain();
		return (0);
	}
	connp = Q_TO_CONN(q);
	while (!connp->conn_did_putbq && (mp = getq(q)) != NULL)
		ip_output(connp, mp, q, IP_WSRV);
	return (0);
}

/* ---- link header ---- */

/*
 * Put the link header in front: mp, which the caller may putnext() to ire_stq.
 * NULL without memory (mp freed).
 */
mblk_t *ip_link_header(ire_t *ire, mblk_t *mp)
{
	mblk_t *hp = ire->ire_fp_mp, *nmp;
	ssize_t len;

	if (hp != NULL) {
		len = MBLKL(hp);
		if (DB_REF(mp) == 1 && MBLKHEAD(mp) >= len) {
			mp->b_rptr -= len;
			memcpy(mp->b_rptr, hp->b_rptr, (size_t)len);
			return (mp);
		}
	} else {
		hp = ire->ire_dlureq_mp;
	}
	if ((nmp = copyb(hp)) == NULL) {
		IP_DROP(IPD_NOMEM, mp);
		freemsg(mp);
		return (NULL);
	}
	nmp->b_cont = mp;
	return (nmp);
}

#define IRE_COMPLETE(ire) ((ire)->ire_fp_mp != NULL || (ire)->ire_dlureq_mp != NULL)

/* The route has no link header yet: let the packet wait for it. */
static void ire_park(ire_t *ire, mblk_t *mp)
{
	mblk_t **pp, *old;

	if (ire->ire_npending == IRE_PENDING_MAX) {
		old = ire->ire_pending;
		ire->ire_pending = old->b_next;
		old->b_next = NULL;
		ire->ire_npending--;
		BUMP_MIB(&ip_mib, ipOutDiscards);
		IP_DROP(IPD_UNREACHABLE, IPSEC_DATA(old));
		freemsg(old);
	}
	for (pp = &ire->ire_pending; *pp != NULL; pp = &(*pp)->b_next)
		continue;
	*pp = mp;
	ire->ire_npending++;
}

/* ---- sending over a route ---- */

/* The transport's checksum, whose field holds the transport's length until now.
 */
ALWAYS_INLINE void ip_wput_cksum(mblk_t *mp, const ipha_t *ipha, uint_t hdr_len)
{
	uint16_t *sump;
	uint_t sum;

	if (ipha->ipha_protocol == IPPROTO_TCP)
		sump = (uint16_t *)(mp->b_rptr + hdr_len + 16);
	else
		sump = &((udpha_t *)(mp->b_rptr + hdr_len))->uha_checksum;
	if (ipha->ipha_protocol == IPPROTO_UDP && *sump == 0)
		return;
	sum =
	    ~ip_cksum(mp, hdr_len, ip_pseudo_sum(ipha->ipha_src, ipha->ipha_dst) + htons(ipha->ipha_protocol)) & 0xffff;
	*sump = (uint16_t)(sum == 0 && ipha->ipha_protocol == IPPROTO_UDP ? 0xffff : sum);
}

/* Bytes of transport header that must be contiguous for the checksum field. */
ALWAYS_INLINE uint_t ip_wput_need(const ipha_t *ipha)
{
	return (IPH_HDR_LENGTH(ipha) + (ipha->ipha_protocol == IPPROTO_TCP   ? TCP_MIN_HEADER_LENGTH
					: ipha->ipha_protocol == IPPROTO_UDP ? UDPH_SIZE
									     : 0));
}

/*
 * The other copies of a broadcast: one to each further interface, one to this
 * host.  mp itself is for `ire', the one with an interface that comes first;
 * NULL when there is none, and mp is gone.
 */
static ire_t *ip_wput_bcast(queue_t *q, mblk_t *mp, ire_t *ire, conn_t *connp, uint_t ifindex, int caller)
{
	ipaddr_t dst = ire->ire_addr;
	boolean_t local = B_FALSE;
	ire_t *first = NULL;
	mblk_t *nmp;

	for (ire = ire_bcast_next(NULL, dst, ifindex); ire != NULL; ire = ire_bcast_next(ire, dst, ifindex)) {
		if (ire->ire_stq != NULL && first == NULL) {
			first = ire;
			continue;
		}
		if (ire->ire_stq == NULL && local)
			continue;
		if ((nmp = copymsg(mp)) == NULL) {
			BUMP_MIB(&ip_mib, ipOutDiscards);
			continue;
		}
		local |= ire->ire_stq == NULL;
		IRE_REFHOLD(ire);
		if (ire->ire_stq == NULL)
			ip_wput_local(q, ire->ire_ipif->ipif_ill, (ipha_t *)nmp->b_rptr, nmp, ire, 0);
		else
			ip_wput_ire(q, nmp, ire, connp, caller | IP_WONE);
		IRE_REFRELE(ire);
	}
	if (first == NULL)
		freemsg(mp);
	return (first);
}

/* The copy of a multicast for the members in this host. */
static void ip_wput_mcast_loop(queue_t *q, mblk_t *mp, ire_t *ire, const conn_t *connp)
{
	ill_t *ill = ire->ire_ipif->ipif_ill;
	mblk_t *nmp;

	if ((connp != NULL && !connp->conn_multicast_loop) || !ilm_member(ill, ire->ire_addr))
		return;
	if ((nmp = copymsg(mp)) == NULL) {
		BUMP_MIB(&ip_mib, ipOutDiscards);
		return;
	}
	ip_wput_local(q, ill, (ipha_t *)nmp->b_rptr, nmp, ire, 0);
}

void ip_wput_ire(queue_t *q, mblk_t *first_mp, ire_t *ire, conn_t *connp, int caller)
{
	mblk_t *mp = first_mp;
	ipha_t *ipha;
	boolean_t hdrincl, one = (caller & IP_WONE) != 0;
	uint_t hdr_len, pkt_len, ipsec_len = 0;

	if (UNLIKELY(DB_TYPE(first_mp) != M_DATA || ipsec_outbound_v4_policy_present != 0)) {
		if ((first_mp = ip_wput_ire_parse_ipsec_out(first_mp, ire, connp, &ipsec_len)) == NULL)
			return;
		mp = IPSEC_DATA(first_mp);
	}
	ipha = (ipha_t *)mp->b_rptr;
	hdrincl = ipha->ipha_ident == IP_HDR_INCLUDED;
	hdr_len = IPH_HDR_LENGTH(ipha);
	caller &= ~IP_WONE;
	if (!hdrincl)
		ipha->ipha_ident = htons(++ire->ire_ident);
	if (ipha->ipha_src == INADDR_ANY && (connp == NULL || !connp->conn_unspec_src))
		ipha->ipha_src = ire->ire_src_addr;
	if (UNLIKELY(ire->ire_type == IRE_BROADCAST) && !one) {
		ipha->ipha_ttl = connp != NULL && connp->conn_dontroute ? 1 : (uint8_t)ip_param.ip_broadcast_ttl;
		if ((ire = ip_wput_bcast(q, mp, ire, connp, connp != NULL ? connp->conn_ifindex : 0, caller)) == NULL)
			return;
	}
	if (ire->ire_stq == NULL) {
		ire->ire_ob_pkt_count++;
		ip_wput_local(q, ire->ire_ipif->ipif_ill, ipha, first_mp, ire, 0);
		return;
	}
	if (UNLIKELY(CLASSD(ire->ire_addr))) {
		ip_wput_mcast_loop(q, mp, ire, connp);
		if (ipha->ipha_ttl == 0) {
			IP_DROP(IPD_TTL, mp);
			freemsg(mp);
			return;
		}
	}
	if (UNLIKELY(!IRE_COMPLETE(ire))) {
		/* Numbered and addressed again when it is sent; that does no harm. */
		ire_park(ire, first_mp);
		return;
	}
	if (ipha->ipha_protocol != IPPROTO_TCP && !canputnext(ire->ire_stq)) {
		if (!ip_wput_wait(q, connp, first_mp, caller)) {
			BUMP_MIB(&ip_mib, ipOutDiscards);
			IP_DROP(IPD_OUT_FULL, mp);
			freemsg(first_mp);
		}
		return;
	}
	BUMP_MIB(&ip_mib, ipOutRequests);
	if (!hdrincl && (ipha->ipha_protocol == IPPROTO_TCP || ipha->ipha_protocol == IPPROTO_UDP)) {
		if (MBLKL(mp) < (ssize_t)ip_wput_need(ipha)) {
			if (!pullupmsg(mp, (ssize_t)ip_wput_need(ipha))) {
				BUMP_MIB(&ip_mib, ipOutDiscards);
				IP_DROP(IPD_OUT_HDR, mp);
				freemsg(first_mp);
				return;
			}
			ipha = (ipha_t *)mp->b_rptr;
		}
		ip_wput_cksum(mp, ipha, hdr_len);
	}
	pkt_len = ntohs(ipha->ipha_length) + ipsec_len;
	if (UNLIKELY(pkt_len > ire->ire_max_frag)) {
		if (ipha->ipha_fragment_offset_and_flags & htons(IPH_DF)) {
			BUMP_MIB(&ip_mib, ipFragFails);
			IP_DROP(IPD_FRAG_NEEDED, mp);
			icmp_frag_needed(ire->ire_stq, first_mp, ire->ire_max_frag);
			return;
		}
		if (ipsec_len == 0) {
			ire->ire_ob_pkt_count++;
			ip_wput_ire_fragmentit(q, mp, ire);
			return;
		}
		/* protected first, then fragmented (RFC 4303, 3.3.4) */
	} else if (!hdrincl && !CLASSD(ipha->ipha_dst)) {
		ipha->ipha_fragment_offset_and_flags |= htons(ire->ire_frag_flag);
	}
	ipha->ipha_hdr_checksum = 0;
	ipha->ipha_hdr_checksum = ip_csum_hdr(ipha);
	IP_PROBE(send, mp, connp, ipha, ire->ire_ipif->ipif_ill);
	if (UNLIKELY(ipsec_len != 0)) {
		ipsec_out_process(q, first_mp, ire, ill_ifindex(ire->ire_ipif->ipif_ill));
		return;
	}
	if ((mp = ip_link_header(ire, mp)) == NULL) {
		BUMP_MIB(&ip_mib, ipOutDiscards);
		return;
	}
	ire->ire_ob_pkt_count++;
	(void)putnext(ire->ire_stq, mp);
}

/* ---- finding a route ---- */

/* A new cache entry in the table, with a reference for the caller; NULL without
 * memory. */
static ire_t *ire_cache_create(ipaddr_t dst, ipaddr_t gateway, ipif_t *ipif, uint_t max_frag)
{
	ire_t *ire =
	    ire_create(dst, INADDR_BROADCAST, gateway, ipif->ipif_lcl_addr, IRE_CACHE, ipif, ipif->ipif_ill->ill_wq);

	if (ire == NULL)
		return (NULL);
	ire->ire_max_frag = max_frag;
	if (ire_add(ire) != 0) {
		IRE_REFRELE(ire);
		return (NULL);
	}
	IRE_REFHOLD(ire);
	return (ire);
}

/* An entry for a host on the link, its address known or asked for. */
static ire_t *ip_newroute_onlink(ipaddr_t dst, ipif_t *ipif)
{
	ire_t *ire = ire_cache_create(dst, 0, ipif, ipif->ipif_mtu);

	if (ire != NULL && ipif->ipif_ill->ill_type == IFT_IPV4) {
		/* A tunnel has one other end: nothing is to be asked for. */
		ire->ire_marks |= IRE_MARK_STATIC;
		ire_complete(ire, ipif->ipif_ill->ill_phys_addr);
	} else if (ire != NULL) {
		ip_arp_query(ipif->ipif_ill, ire, dst);
	}
	return (ire);
}

/* An entry for a host behind a gateway: it takes over the gateway's link
 * header. */
static ire_t *ip_newroute_gateway(ipaddr_t dst, const ire_t *sire)
{
	ipif_t *ipif = sire->ire_ipif;
	ire_t *gire = ire_cache_lookup(sire->ire_gateway_addr, GLOBAL_ZONEID, ill_ifindex(ipif->ipif_ill)), *ire;

	if (gire == NULL && (gire = ip_newroute_onlink(sire->ire_gateway_addr, ipif)) == NULL)
		return (NULL);
	if ((ire = ire_cache_create(dst, sire->ire_gateway_addr, ipif, sire->ire_max_frag)) == NULL) {
		IRE_REFRELE(gire);
		return (NULL);
	}
	if (gire->ire_fp_mp != NULL)
		ire->ire_fp_mp = copyb(gire->ire_fp_mp);
	if (ire->ire_fp_mp == NULL && gire->ire_dlureq_mp != NULL) {
		if ((ire->ire_dlureq_mp = copyb(gire->ire_dlureq_mp)) != NULL)
			ill_fastpath_probe(ipif->ipif_ill, ire);
	}
	ire->ire_marks |= gire->ire_marks & IRE_MARK_STATIC;
	if (!IRE_COMPLETE(ire)) {
		if (IRE_COMPLETE(gire) || (gire->ire_marks & IRE_MARK_CONDEMNED)) {
			/* No memory for the header, or the gateway cannot be reached. */
			ire_delete(ire);
		} else {
			IRE_REFHOLD(ire);
			ire->ire_fp_next = gire->ire_waiters;
			gire->ire_waiters = ire;
		}
	}
	IRE_REFRELE(gire);
	return (ire);
}

/* RFC 1112, 6.4: a group needs no ARP. */
static ire_t *ip_newroute_mcast(ipaddr_t dst, uint_t ifindex)
{
	ill_t *ill = ill_multicast_default(ifindex);
	uint32_t g = ntohl(dst);
	uchar_t mac[ETHERADDRL] = {0x01, 0x00, 0x5e, (g >> 16) & 0x7f, (uchar_t)(g >> 8), (uchar_t)g};
	ire_t *ire;

	if (ill == NULL || (ire = ire_cache_create(dst, 0, ill->ill_ipif, ill->ill_ipif->ipif_mtu)) == NULL)
		return (NULL);
	ire->ire_frag_flag = 0;
	ire->ire_marks |= IRE_MARK_STATIC;
	ire_complete(ire, mac);
	return (ire);
}

/* The interface whose ARP has a lasting entry for dst, although no route leads
 * there. */
static ipif_t *ipif_lookup_arp(ipaddr_t dst, uint_t ifindex)
{
	uchar_t mac[ETHERADDRL];

	for (ill_t *ill = ill_g_head; ill != NULL; ill = ill->ill_next)
		if (ill->ill_ipif != NULL && (ifindex == 0 || ill_ifindex(ill) == ifindex) &&
		    arp_entry_lookup(ill_ifindex(ill), dst, mac))
			return (ill->ill_ipif);
	return (NULL);
}

/* A cache entry for dst, held; complete, or waiting, or (*deadp) found to lead
 * nowhere.  NULL: *nomem tells why. */
static ire_t *ip_newroute_ire(ipaddr_t dst, uint_t ifindex, boolean_t *noroute)
{
	ipif_t *ipif;
	ire_t *sire, *ire;

	*noroute = B_FALSE;
	if (CLASSD(dst)) {
		*noroute = ill_multicast_default(ifindex) == NULL;
		return (ip_newroute_mcast(dst, ifindex));
	}
	if ((sire = ire_ftable_lookup(dst, IRE_FORWARDTABLE, ifindex)) == NULL) {
		if ((ipif = ipif_lookup_arp(dst, ifindex)) != NULL)
			return (ip_newroute_onlink(dst, ipif));
		*noroute = B_TRUE;
		return (NULL);
	}
	if (sire->ire_type & IRE_INTERFACE)
		ire = ip_newroute_onlink(dst, sire->ire_ipif);
	else
		ire = ip_newroute_gateway(dst, sire);
	IRE_REFRELE(sire);
	return (ire);
}

/* No cache entry for dst: make one and send the packet over it, now or when it
 * is complete.  Consumes mp. */
void ip_newroute(queue_t *q, mblk_t *mp, ipaddr_t dst, conn_t *connp, uint_t ifindex)
{
	boolean_t noroute;
	ire_t *ire = ip_newroute_ire(dst, ifindex, &noroute);

	if (ire == NULL) {
		if (noroute) {
			BUMP_MIB(&ip_mib, ipOutNoRoutes);
			IP_DROP(IPD_NO_ROUTE, IPSEC_DATA(mp));
			icmp_unreachable(q, mp, ICMP_HOST_UNREACHABLE);
			return;
		}
		BUMP_MIB(&ip_mib, ipOutDiscards);
		IP_DROP(IPD_NOMEM, IPSEC_DATA(mp));
		freemsg(mp);
		return;
	}
	if (!IRE_COMPLETE(ire) && (ire->ire_marks & IRE_MARK_CONDEMNED)) {
		BUMP_MIB(&ip_mib, ipOutDiscards);
		IP_DROP(IPD_UNREACHABLE, IPSEC_DATA(mp));
		icmp_unreachable(q, mp, ICMP_HOST_UNREACHABLE);
	} else {
		ip_wput_ire(q, mp, ire, connp, IP_WPUT);
	}
	IRE_REFRELE(ire);
}

/* ---- binding ---- */

int ip_bind_laddr(uint_t ifindex, ipaddr_t laddr)
{
	ire_t *ire;
	uint_t type;

	if (laddr == INADDR_ANY || CLASSD(laddr))
		return (0);
	if ((ire = ire_cache_lookup(laddr, GLOBAL_ZONEID, ifindex)) == NULL)
		return (EADDRNOTAVAIL);
	type = ire->ire_type;
	IRE_REFRELE(ire);
	return (type & (IRE_LOCAL | IRE_LOOPBACK | IRE_BROADCAST) ? 0 : EADDRNOTAVAIL);
}

int ip_bind_connected(uint_t ifindex, ipaddr_t *laddrp, ipaddr_t faddr, ire_t **irep)
{
	ire_t *ire = ire_cache_lookup(faddr, GLOBAL_ZONEID, ifindex);
	boolean_t noroute = B_FALSE;

	if (*laddrp != INADDR_ANY && ipif_lookup_addr(*laddrp, ifindex) == NULL && !CLASSD(*laddrp)) {
		if (ire != NULL)
			IRE_REFRELE(ire);
		return (EADDRNOTAVAIL);
	}
	if (ire == NULL && (ire = ip_newroute_ire(faddr, ifindex, &noroute)) == NULL)
		return (noroute ? ENETUNREACH : ENOMEM);
	if (*laddrp == INADDR_ANY)
		*laddrp = ire->ire_src_addr;
	*irep = ire;
	return (0);
}

/* ---- entry ---- */

int ip_wput(queue_t *q, mblk_t *mp)
{
	ip_output(CONN_Q(q) ? Q_TO_CONN(q) : NULL, mp, q, IP_WPUT);
	return (0);
}

/* Header contiguous and aligned, version 4, options well-formed: mp, or NULL.
 */
static mblk_t *ip_output_check(mblk_t *mp)
{
	ipha_t *ipha;
	uint_t hdr_len, bad;

	if ((!OFFSET_ALIGNED(mp->b_rptr) || MBLKL(mp) < IP_SIMPLE_HDR_LENGTH) && !pullupmsg(mp, IP_SIMPLE_HDR_LENGTH))
		goto discard;
	ipha = (ipha_t *)mp->b_rptr;
	if (LIKELY(ipha->ipha_version_and_hdr_length == IP_SIMPLE_HDR_VERSION))
		return (mp);
	if (IPH_HDR_VERSION(ipha) == IPV6_VERSION) {
		BUMP_MIB(&ip_mib, ipOutIPv6);
		IP_DROP(IPD_IPV6, mp);
		freemsg(mp);
		return (NULL);
	}
	hdr_len = IPH_HDR_LENGTH(ipha);
	if (IPH_HDR_VERSION(ipha) != IPV4_VERSION || hdr_len < IP_SIMPLE_HDR_LENGTH ||
	    (MBLKL(mp) < (ssize_t)hdr_len && !pullupmsg(mp, (ssize_t)hdr_len)) ||
	    !ip_options_ok((ipha_t *)mp->b_rptr, &bad))
		goto discard;
	return (mp);
discard:
	BUMP_MIB(&ip_mib, ipOutDiscards);
	IP_DROP(IPD_OUT_HDR, mp);
	freemsg(mp);
	return (NULL);
}

/* Where this packet must leave: an interface stream's own, the endpoint's, or
 * that of the packet answered to. */
ALWAYS_INLINE uint_t ip_output_ifindex(const queue_t *q, const conn_t *connp, const mblk_t *mp)
{
	if (connp == NULL)
		return (q != NULL && !CONN_Q((queue_t *)q) ? ill_ifindex((ill_t *)q->q_ptr) : 0);
	if (UNLIKELY(connp->conn_wq == tcp_g_q))
		return (DB_RECVIF(mp));
	return (connp->conn_ifindex);
}

void ip_output(void *arg, mblk_t *mp, void *arg2, int caller)
{
	conn_t *connp = arg;
	queue_t *q = arg2;
	uint_t ifindex;
	ipaddr_t dst;
	ire_t *ire;

	if (UNLIKELY(DB_TYPE(mp) != M_DATA)) {
		ip_wput_nondata(connp, q, mp);
		return;
	}
	if (connp != NULL && q != NULL && q->q_first != NULL && caller == IP_WPUT && !IPCL_IS_TCP(connp)) {
		(void)putq(q, mp);
		return;
	}
	if ((mp = ip_output_check(mp)) == NULL)
		return;
	dst = ((ipha_t *)mp->b_rptr)->ipha_dst;
	if (UNLIKELY(connp != NULL && connp->conn_out_enforce_policy)) {
		if ((mp = ipsec_attach_ipsec_out(mp, connp)) == NULL) {
			BUMP_MIB(&ip_mib, ipOutDiscards);
			return;
		}
	}
	if (connp != NULL && (ire = connp->conn_ire_cache) != NULL && IRE_USABLE(ire, dst)) {
		IRE_REFHOLD(ire);
	} else {
		ifindex = ip_output_ifindex(q, connp, mp);
		if ((ire = ire_cache_lookup(dst, GLOBAL_ZONEID, ifindex)) == NULL) {
			ip_newroute(q, mp, dst, connp, ifindex);
			return;
		}
		if (connp != NULL && (!IPCL_IS_TCP(connp) || (connp->conn_flags & IPCL_FULLY_BOUND)) &&
		    connp->conn_wq != tcp_g_q) {
			if (connp->conn_ire_cache != NULL)
				IRE_REFRELE(connp->conn_ire_cache);
			connp->conn_ire_cache = ire;
			IRE_REFHOLD(ire);
		}
	}
	ip_wput_ire(q, mp, ire, connp, caller);
	IRE_REFRELE(ire);
}
