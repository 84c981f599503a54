/*
 * Fragments: taking packets apart and putting them together (RFC 791, 3.2;
 * RFC 815 for the thought that only what is missing matters).
 *
 * A datagram that is being put together (ipf_t) hangs in one of 64 chains of
 * its interface, the oldest first.  Its pieces have lost their IP headers (the
 * first one's is kept aside), do not overlap and stand in order; it is complete
 * when the end is known and the bytes collected reach it.  The piece's place in
 * the datagram is noted in its data block.
 */
#include <string.h>

#include "ip/ip_impl.h"

#define IPF_TIMER_SECS 30
#define IPF_MAX_DUPS 10
#define IPF_START(mp) ((mp)->b_datap->db_cksumstart)
#define IPF_END(mp) ((mp)->b_datap->db_cksumend)
#define ECN_BITS 0x03

typedef struct ipf {
	struct ipf *ipf_next;
	uint16_t ipf_ident;
	uint8_t ipf_protocol;
	uint8_t ipf_ecn;
	ipaddr_t ipf_src, ipf_dst;
	hrtime_t ipf_time;
	uint64_t ipf_gen;  /* order of beginning */
	mblk_t *ipf_mp;    /* pieces (b_next) */
	uint32_t ipf_end;  /* length of all data, when ipf_last */
	uint32_t ipf_max;  /* end of the farthest piece */
	uint32_t ipf_have; /* bytes collected */
	boolean_t ipf_last;
	uint_t ipf_dups;
	uint8_t ipf_cksumflags;
	uint_t ipf_hdr_len; /* 0: the first piece is missing */
	uchar_t ipf_hdr[IP_MAX_HDR_LENGTH];
} ipf_t;

typedef struct ipfb {
	ipf_t *ipfb_ipf;
	uint_t ipfb_count;
} ipfb_t;

static KLOCAL uint64_t ipf_next_gen;

static void ill_frag_timer(void *arg);

/* ---- the table ---- */

static ipfb_t *ipf_bucket(ill_t *ill, ipaddr_t src, uint16_t ident)
{
	uint32_t h = (src ^ ident) * 0x9e3779b1U;

	return (&ill->ill_frag_hash_tbl[h >> 26]);
}

/* Take a datagram out and free it with its pieces. */
static void ipf_free(ill_t *ill, ipfb_t *ipfb, ipf_t *ipf)
{
	ipf_t **pp;

	for (pp = &ipfb->ipfb_ipf; *pp != ipf; pp = &(*pp)->ipf_next)
		continue;
	*pp = ipf->ipf_next;
	ipfb->ipfb_count--;
	ill->ill_frag_count -= ipf->ipf_have;
	freemsgchain(ipf->ipf_mp);
	kmem_free(ipf, sizeof(*ipf));
}

/* Given up: count it, free it. */
static void ipf_fail(ill_t *ill, ipfb_t *ipfb, ipf_t *ipf, ip_drop_t why)
{
	BUMP_MIB(&ip_mib, ipReasmFails);
	for (mblk_t *mp = ipf->ipf_mp; mp != NULL; mp = mp->b_next)
		IP_DROP(why, mp);
	ipf_free(ill, ipfb, ipf);
}

/* Give up the oldest datagrams until the interface is under its limit. */
static void ill_frag_prune(ill_t *ill)
{
	while (ill->ill_frag_count >= ip_param.ip_reass_queue_bytes) {
		ipfb_t *oldest = NULL;

		for (int i = 0; i < ILL_FRAG_HASH_TBL_COUNT; i++) {
			ipfb_t *ipfb = &ill->ill_frag_hash_tbl[i];

			if (ipfb->ipfb_ipf != NULL &&
			    (oldest == NULL || ipfb->ipfb_ipf->ipf_gen < oldest->ipfb_ipf->ipf_gen))
				oldest = ipfb;
		}
		if (oldest == NULL)
			return;
		ipf_fail(ill, oldest, oldest->ipfb_ipf, IPD_FRAG_PRUNED);
	}
}

static void ill_frag_timer_arm(ill_t *ill)
{
	if (ill->ill_frag_timer_id == 0)
		ill->ill_frag_timer_id = timeout(ill_frag_timer, ill, SEC_TO_TICK(IPF_TIMER_SECS));
}

static ipf_t *ipf_create(ill_t *ill, ipfb_t *ipfb, const ipha_t *ipha)
{
	uint_t limit = (uint_t)MAX(10U, 2 * ip_param.ip_reass_queue_bytes / (1500U * ILL_FRAG_HASH_TBL_COUNT));
	ipf_t *ipf, **pp;

	if (ipfb->ipfb_count >= limit)
		ipf_fail(ill, ipfb, ipfb->ipfb_ipf, IPD_FRAG_PRUNED);
	if ((ipf = kmem_zalloc(sizeof(*ipf), KM_NOSLEEP)) == NULL)
		return (NULL);
	ipf->ipf_ident = ipha->ipha_ident;
	ipf->ipf_protocol = ipha->ipha_protocol;
	ipf->ipf_src = ipha->ipha_src;
	ipf->ipf_dst = ipha->ipha_dst;
	ipf->ipf_time = machine_now();
	ipf->ipf_gen = ipf_next_gen++;
	for (pp = &ipfb->ipfb_ipf; *pp != NULL; pp = &(*pp)->ipf_next)
		continue;
	*pp = ipf;
	ipfb->ipfb_count++;
	ill_frag_timer_arm(ill);
	return (ipf);
}

static ipf_t *ipf_lookup(const ipfb_t *ipfb, const ipha_t *ipha)
{
	ipf_t *ipf;

	for (ipf = ipfb->ipfb_ipf; ipf != NULL; ipf = ipf->ipf_next)
		if (ipf->ipf_ident == ipha->ipha_ident && ipf->ipf_src == ipha->ipha_src &&
		    ipf->ipf_dst == ipha->ipha_dst && ipf->ipf_protocol == ipha->ipha_protocol)
			break;
	return (ipf);
}

/* ---- time ---- */

/* The first piece as a packet again, for the ICMP error; NULL when it is
 * missing. */
static mblk_t *ipf_first_packet(ipf_t *ipf)
{
	mblk_t *mp = ipf->ipf_mp;

	if (ipf->ipf_hdr_len == 0 || mp == NULL || IPF_START(mp) != 0 || MBLKHEAD(mp) < (ssize_t)ipf->ipf_hdr_len)
		return (NULL);
	ipf->ipf_mp = mp->b_next;
	mp->b_next = NULL;
	mp->b_rptr -= ipf->ipf_hdr_len;
	memcpy(mp->b_rptr, ipf->ipf_hdr, ipf->ipf_hdr_len);
	return (mp);
}

static void ipf_timeout(ill_t *ill, ipfb_t *ipfb, ipf_t *ipf)
{
	mblk_t *mp = ipf_first_packet(ipf);

	BUMP_MIB(&ip_mib, ipReasmFails);
	for (mblk_t *bp = ipf->ipf_mp; bp != NULL; bp = bp->b_next)
		IP_DROP(IPD_FRAG_TIMEOUT, bp);
	ipf_free(ill, ipfb, ipf);
	if (mp != NULL) {
		IP_DROP(IPD_FRAG_TIMEOUT, mp);
		icmp_time_exceeded(ill->ill_rq, mp, ICMP_REASSEMBLY_TIME_EXCEEDED);
	}
}

/* Every 30 seconds while there is something to watch. */
static void ill_frag_timer(void *arg)
{
	ill_t *ill = arg;
	hrtime_t dead = machine_now() - (hrtime_t)ip_param.ip_g_frag_timeout * 1000000000;
	boolean_t more = B_FALSE;

	ill->ill_frag_timer_id = 0;
	for (int i = 0; i < ILL_FRAG_HASH_TBL_COUNT; i++) {
		ipfb_t *ipfb = &ill->ill_frag_hash_tbl[i];

		while (ipfb->ipfb_ipf != NULL && ipfb->ipfb_ipf->ipf_time <= dead)
			ipf_timeout(ill, ipfb, ipfb->ipfb_ipf);
		more |= ipfb->ipfb_ipf != NULL;
	}
	if (more)
		ill_frag_timer_arm(ill);
}

/* The interface goes. */
void ill_frag_free(ill_t *ill)
{
	if (ill->ill_frag_hash_tbl == NULL)
		return;
	if (ill->ill_frag_timer_id != 0)
		(void)untimeout(ill->ill_frag_timer_id);
	for (int i = 0; i < ILL_FRAG_HASH_TBL_COUNT; i++)
		while (ill->ill_frag_hash_tbl[i].ipfb_ipf != NULL)
			ipf_free(ill, &ill->ill_frag_hash_tbl[i], ill->ill_frag_hash_tbl[i].ipfb_ipf);
	kmem_free(ill->ill_frag_hash_tbl, ILL_FRAG_HASH_TBL_COUNT * sizeof(ipfb_t));
	ill->ill_frag_hash_tbl = NULL;
}

/* ---- putting together ---- */

#define IP_REASS_PARTIAL 0
#define IP_REASS_COMPLETE 1
#define IP_REASS_FAILED 2

/* Free the piece that was covered by others. */
static int ipf_duplicate(ipf_t *ipf, mblk_t *mp)
{
	BUMP_MIB(&ip_mib, ipReasmDuplicates);
	IP_DROP(IPD_FRAG_DUP, mp);
	freemsg(mp);
	return (++ipf->ipf_dups > IPF_MAX_DUPS ? IP_REASS_FAILED : IP_REASS_PARTIAL);
}

/*
 * Put the data of a fragment (start..end of the datagram, more: not the last)
 * to its place.  Where it overlaps what is there, what is there stays; a piece
 * that it covers wholly it takes the place of.
 */
static int ip_reassemble(ill_t *ill, ipf_t *ipf, mblk_t *mp, uint32_t start, uint32_t end, boolean_t more)
{
	mblk_t **pp = &ipf->ipf_mp, *prev = NULL, *next;
	boolean_t trimmed = B_FALSE;

	if ((!more && ((ipf->ipf_last && ipf->ipf_end != end) || ipf->ipf_max > end)) ||
	    (ipf->ipf_last && end > ipf->ipf_end)) {
		IP_DROP(IPD_FRAG_BAD, mp);
		freemsg(mp);
		return (IP_REASS_FAILED);
	}
	if (!more) {
		ipf->ipf_last = B_TRUE;
		ipf->ipf_end = end;
	}
	ipf->ipf_max = MAX(ipf->ipf_max, end);
	while (*pp != NULL && IPF_START(*pp) <= start) {
		prev = *pp;
		pp = &prev->b_next;
	}
	if (prev != NULL && IPF_END(prev) > start) {
		if (IPF_END(prev) >= end)
			return (ipf_duplicate(ipf, mp));
		(void)adjmsg(mp, (ssize_t)(IPF_END(prev) - start));
		start = IPF_END(prev);
		trimmed = B_TRUE;
	}
	while ((next = *pp) != NULL && IPF_START(next) < end) {
		if (IPF_END(next) > end) {
			(void)adjmsg(mp, -(ssize_t)(end - IPF_START(next)));
			end = IPF_START(next);
			trimmed = B_TRUE;
			break;
		}
		*pp = next->b_next;
		next->b_next = NULL;
		ipf->ipf_have -= IPF_END(next) - IPF_START(next);
		ill->ill_frag_count -= IPF_END(next) - IPF_START(next);
		if (ipf_duplicate(ipf, next) == IP_REASS_FAILED) {
			freemsg(mp);
			return (IP_REASS_FAILED);
		}
	}
	if (trimmed)
		BUMP_MIB(&ip_mib, ipReasmPartDups);
	if (start == end)
		return (ipf_duplicate(ipf, mp));
	IPF_START(mp) = start;
	IPF_END(mp) = end;
	mp->b_next = *pp;
	*pp = mp;
	ipf->ipf_have += end - start;
	ill->ill_frag_count += end - start;
	return (ipf->ipf_last && ipf->ipf_hdr_len != 0 && ipf->ipf_have == ipf->ipf_end ? IP_REASS_COMPLETE
											: IP_REASS_PARTIAL);
}

/* All is there: the datagram as one message; NULL (counted, datagram freed)
 * when it cannot be. */
static mblk_t *ipf_complete(ill_t *ill, ipfb_t *ipfb, ipf_t *ipf)
{
	uint32_t len = ipf->ipf_hdr_len + ipf->ipf_end;
	mblk_t *mp = ipf->ipf_mp, *hp;
	ipha_t *ipha;

	if (len > IP_MAXPACKET) {
		BUMP_MIB(&ip_mib, ipInHdrErrors);
		ipf_fail(ill, ipfb, ipf, IPD_FRAG_LONG);
		return (NULL);
	}
	if (DB_REF(mp) == 1 && MBLKHEAD(mp) >= (ssize_t)ipf->ipf_hdr_len) {
		mp->b_rptr -= ipf->ipf_hdr_len;
	} else {
		if ((hp = allocb(ipf->ipf_hdr_len, BPRI_MED)) == NULL) {
			ipf_fail(ill, ipfb, ipf, IPD_NOMEM);
			return (NULL);
		}
		hp->b_wptr += ipf->ipf_hdr_len;
		hp->b_next = mp;
		mp = hp;
	}
	ipf->ipf_mp = NULL;
	memcpy(mp->b_rptr, ipf->ipf_hdr, ipf->ipf_hdr_len);
	for (mblk_t *bp = mp, *next; (next = bp->b_next) != NULL; bp = next) {
		bp->b_next = NULL;
		while (bp->b_cont != NULL)
			bp = bp->b_cont;
		bp->b_cont = next;
	}
	ipha = (ipha_t *)mp->b_rptr;
	ipha->ipha_length = htons(len);
	ipha->ipha_fragment_offset_and_flags &= htons((uint16_t) ~(IPH_MF | IPH_OFFSET));
	ipha->ipha_type_of_service |= ipf->ipf_ecn;
	ipha->ipha_hdr_checksum = 0;
	ipha->ipha_hdr_checksum = ip_csum_hdr(ipha);
	DB_CKSUMFLAGS(mp) = ipf->ipf_cksumflags;
	DB_RECVIF(mp) = ill_ifindex(ill);
	BUMP_MIB(&ip_mib, ipReasmOKs);
	ipf_free(ill, ipfb, ipf);
	return (mp);
}

/*
 * A received fragment (its header checksum is right): the whole packet when
 * this was the last piece of it, else NULL.
 */
mblk_t *ip_rput_fragment(ill_t *ill, mblk_t *mp, ipha_t *ipha)
{
	uint_t flags = ntohs(ipha->ipha_fragment_offset_and_flags), hdr_len = IPH_HDR_LENGTH(ipha);
	uint32_t start = (flags & IPH_OFFSET) * 8, len = ntohs(ipha->ipha_length) - hdr_len;
	boolean_t more = (flags & IPH_MF) != 0, pruned = B_FALSE;
	ipfb_t *ipfb;
	ipf_t *ipf;

	if (len == 0) {
		BUMP_MIB(&ip_mib, ipInHdrErrors);
		IP_DROP(IPD_FRAG_EMPTY, mp);
		freemsg(mp);
		return (NULL);
	}
	if ((more && (len & 7) != 0) || start + len > IP_MAXPACKET) {
		BUMP_MIB(&ip_mib, ipInHdrErrors);
		IP_DROP(more && (len & 7) != 0 ? IPD_FRAG_BAD : IPD_FRAG_LONG, mp);
		freemsg(mp);
		return (NULL);
	}
	if (ill->ill_frag_hash_tbl == NULL &&
	    (ill->ill_frag_hash_tbl = kmem_zalloc(ILL_FRAG_HASH_TBL_COUNT * sizeof(ipfb_t), KM_NOSLEEP)) == NULL)
		goto nomem;
	if (ill->ill_frag_count >= ip_param.ip_reass_queue_bytes) {
		ill_frag_prune(ill);
		pruned = B_TRUE;
	}
	ipfb = ipf_bucket(ill, ipha->ipha_src, ipha->ipha_ident);
	if ((ipf = ipf_lookup(ipfb, ipha)) == NULL) {
		if (pruned && start != 0) {
			BUMP_MIB(&ip_mib, ipReasmFails);
			IP_DROP(IPD_FRAG_UNKNOWN, mp);
			freemsg(mp);
			return (NULL);
		}
		if ((ipf = ipf_create(ill, ipfb, ipha)) == NULL)
			goto nomem;
		BUMP_MIB(&ip_mib, ipReasmReqds);
	}
	ipf->ipf_ecn |= ipha->ipha_type_of_service & ECN_BITS;
	ipf->ipf_cksumflags |= DB_CKSUMFLAGS(mp);
	if (start == 0 && ipf->ipf_hdr_len == 0) {
		ipf->ipf_hdr_len = hdr_len;
		memcpy(ipf->ipf_hdr, ipha, hdr_len);
	}
	mp->b_rptr += hdr_len;
	switch (ip_reassemble(ill, ipf, mp, start, start + len, more)) {
	case IP_REASS_COMPLETE:
		return (ipf_complete(ill, ipfb, ipf));
	case IP_REASS_FAILED:
		ipf_fail(ill, ipfb, ipf, IPD_FRAG_BAD);
		return (NULL);
	default:
		return (NULL);
	}
nomem:
	BUMP_MIB(&ip_mib, ipInDiscards);
	IP_DROP(IPD_NOMEM, mp);
	freemsg(mp);
	return (NULL);
}

/* ---- taking apart ---- */

/* The next len bytes of *mpp from its byte *offp on, sharing the data; NULL
 * without memory. */
static mblk_t *ip_carve_mp(mblk_t **mpp, size_t *offp, size_t len)
{
	mblk_t *head = NULL, **tail = &head, *bp;

	while (len > 0) {
		size_t left = (size_t)MBLKL(*mpp) - *offp, n = MIN(left, len);

		if (n == 0) {
			*mpp = (*mpp)->b_cont;
			*offp = 0;
			continue;
		}
		if ((bp = dupb(*mpp)) == NULL) {
			freemsg(head);
			return (NULL);
		}
		bp->b_rptr += *offp;
		bp->b_wptr = bp->b_rptr + n;
		*tail = bp;
		tail = &bp->b_cont;
		*offp += n;
		len -= n;
	}
	return (head);
}

/* A block with an IP header and room for the link's before it. */
static mblk_t *ip_frag_hdr(const uchar_t *hdr, uint_t hdr_len)
{
	mblk_t *mp = allocb(ip_param.ip_wroff_extra + hdr_len, BPRI_HI);

	if (mp == NULL)
		return (NULL);
	mp->b_rptr += ip_param.ip_wroff_extra;
	memcpy(mp->b_rptr, hdr, hdr_len);
	mp->b_wptr = mp->b_rptr + hdr_len;
	return (mp);
}

/*
 * Send mp in pieces over ire.  Consumes mp, whose header is complete but for
 * the checksum.
 */
static void ip_wput_frag(ire_t *ire, mblk_t *mp)
{
	ipha_t *ipha = (ipha_t *)mp->b_rptr, *fipha;
	uint_t hdr_len = IPH_HDR_LENGTH(ipha), left = ntohs(ipha->ipha_length) - hdr_len, piece;
	uint_t frag = ntohs(ipha->ipha_fragment_offset_and_flags), off = frag & IPH_OFFSET;
	uchar_t hdr[IP_MAX_HDR_LENGTH];
	size_t data_off = hdr_len;
	mblk_t *data = mp, *fp;

	memcpy(hdr, ipha, hdr_len);
	while (left > 0) {
		piece = (ire->ire_max_frag - hdr_len) & ~7U;
		if (left <= ire->ire_max_frag - hdr_len)
			piece = left;
		if ((fp = ip_frag_hdr(hdr, hdr_len)) == NULL ||
		    (fp->b_cont = ip_carve_mp(&data, &data_off, piece)) == NULL) {
			freemsg(fp);
			goto nomem;
		}
		left -= piece;
		fipha = (ipha_t *)fp->b_rptr;
		fipha->ipha_length = htons(hdr_len + piece);
		fipha->ipha_fragment_offset_and_flags =
		    htons((frag & (IPH_DF | IPH_MF)) | off | (left > 0 ? IPH_MF : 0));
		fipha->ipha_hdr_checksum = 0;
		fipha->ipha_hdr_checksum = ip_csum_hdr(fipha);
		off += piece / 8;
		IP_PROBE(send, fp, NULL, fipha, ire->ire_ipif->ipif_ill);
		if ((fp = ip_link_header(ire, fp)) == NULL)
			goto nomem;
		BUMP_MIB(&ip_mib, ipFragCreates);
		(void)putnext(ire->ire_stq, fp);
		if (hdr_len > IP_SIMPLE_HDR_LENGTH) {
			hdr_len = IP_SIMPLE_HDR_LENGTH +
				  ip_options_copied(hdr + IP_SIMPLE_HDR_LENGTH, hdr_len - IP_SIMPLE_HDR_LENGTH);
			hdr[0] = (uchar_t)(IPV4_VERSION << 4 | hdr_len / 4);
		}
	}
	BUMP_MIB(&ip_mib, ipFragOKs);
	freemsg(mp);
	return;
nomem:
	BUMP_MIB(&ip_mib, ipOutDiscards);
	IP_DROP(IPD_NOMEM, mp);
	freemsg(mp);
}

/* A packet longer than the route takes, without DF. */
void ip_wput_ire_fragmentit(queue_t *q, mblk_t *mp, ire_t *ire)
{
	const ipha_t *ipha = (const ipha_t *)mp->b_rptr;

	(void)q;
	if (ire->ire_max_frag < (uint_t)IPH_HDR_LENGTH(ipha) + 8) {
		BUMP_MIB(&ip_mib, ipFragFails);
		IP_DROP(IPD_FRAG_NEEDED, mp);
		freemsg(mp);
		return;
	}
	ip_wput_frag(ire, mp);
}
