/*
 * IP and ARP: from a route without a link header to one with.
 *
 * A cache entry that is not complete (neither ire_fp_mp nor ire_dlureq_mp)
 * keeps the packets sent over it.  One for an on-link destination waits for
 * ARP's answer; one for a destination behind a gateway waits for the gateway's
 * own entry and takes over its header.
 */
#include <string.h>

#include "arp/arp.h"
#include "ip/ip_impl.h"
#include "ip/ipsec_impl.h"

/* Ask ARP for nexthop.  The answer may have come when this returns. */
void ip_arp_query(ill_t *ill, ire_t *ire, ipaddr_t nexthop)
{
	mblk_t *mp;

	if (ill->ill_arp_wq == NULL || (mp = allocb(sizeof(areq_t), BPRI_HI)) == NULL) {
		ire_fail(ire);
		return;
	}
	DB_TYPE(mp) = M_PROTO;
	*(areq_t *)mp->b_rptr =
	    (areq_t){.areq_cmd = AR_ENTRY_QUERY, .areq_target = nexthop, .areq_sender = ire->ire_ipif->ipif_lcl_addr};
	mp->b_wptr += sizeof(areq_t);
	put(ill->ill_arp_wq, mp);
}

/* Send what waited for the route. */
static void ire_send_pending(ire_t *ire)
{
	queue_t *q = ire->ire_stq;
	mblk_t *mp;

	while ((mp = ire->ire_pending) != NULL) {
		ire->ire_pending = mp->b_next;
		ire->ire_npending--;
		mp->b_next = NULL;
		ip_wput_ire(q, mp, ire, NULL, IP_WSRV);
	}
}

/* Routes through a gateway that wait for its entry. */
static ire_t *ire_take_waiters(ire_t *ire)
{
	ire_t *list = ire->ire_waiters;

	ire->ire_waiters = NULL;
	return (list);
}

/* The next hop's hardware address is known. */
void ire_complete(ire_t *ire, const uchar_t *mac)
{
	ill_t *ill = ire->ire_ipif->ipif_ill;
	ire_t *waiter, *next;

	if (ire->ire_dlureq_mp != NULL || ire->ire_fp_mp != NULL || (ire->ire_marks & IRE_MARK_CONDEMNED))
		return;
	if ((ire->ire_dlureq_mp = ill_dlur_gen(ill, mac)) == NULL) {
		ire_fail(ire);
		return;
	}
	IRE_REFHOLD(ire);
	ill_fastpath_probe(ill, ire);
	ire_send_pending(ire);
	for (waiter = ire_take_waiters(ire); waiter != NULL; waiter = next) {
		next = waiter->ire_fp_next;
		waiter->ire_fp_next = NULL;
		waiter->ire_marks |= ire->ire_marks & IRE_MARK_STATIC;
		ire_complete(waiter, mac);
		IRE_REFRELE(waiter);
	}
	IRE_REFRELE(ire);
}

/* The next hop cannot be reached: the packets go back to their senders, the
 * route goes. */
void ire_fail(ire_t *ire)
{
	ire_t *waiter, *next;
	mblk_t *mp;

	if (ire->ire_marks & IRE_MARK_CONDEMNED)
		return;
	IRE_REFHOLD(ire);
	ire_delete(ire);
	for (waiter = ire_take_waiters(ire); waiter != NULL; waiter = next) {
		next = waiter->ire_fp_next;
		waiter->ire_fp_next = NULL;
		ire_fail(waiter);
		IRE_REFRELE(waiter);
	}
	while ((mp = ire->ire_pending) != NULL) {
		ire->ire_pending = mp->b_next;
		mp->b_next = NULL;
		BUMP_MIB(&ip_mib, ipOutDiscards);
		IP_DROP(IPD_UNREACHABLE, IPSEC_DATA(mp));
		icmp_unreachable(ire->ire_stq, mp, ICMP_HOST_UNREACHABLE);
	}
	IRE_REFRELE(ire);
}

/* A message of ARP for an interface. */
void ip_arp_answer(ill_t *ill, mblk_t *mp)
{
	const areq_t *areq = (const areq_t *)mp->b_rptr;
	ire_t *ire;

	if (areq->areq_cmd == AR_ENTRY_CHANGE) {
		ire_delete_nexthop(ill, areq->areq_target);
		freemsg(mp);
		return;
	}
	ire = ire_cache_lookup(areq->areq_target, GLOBAL_ZONEID, ill_ifindex(ill));
	if (ire != NULL) {
		if (ire->ire_type != IRE_CACHE) {
			/* one of our own addresses by now */
		} else if (areq->areq_error != 0) {
			ire_fail(ire);
		} else {
			if (areq->areq_permanent)
				ire->ire_marks |= IRE_MARK_STATIC;
			ire_complete(ire, areq->areq_hw_addr);
		}
		IRE_REFRELE(ire);
	}
	freemsg(mp);
}
