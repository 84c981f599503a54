/*
 * Routes.
 *
 * The cache table is a hash by address with chains in order of insertion; it
 * doubles when it has more entries than buckets.  The forwarding table is a
 * list, longest masks first, in order of insertion among equals.
 *
 * IRE_CACHE entries are limited to ip_ire_max_cache: beyond it the oldest that
 * nobody but the table refers to goes.  An entry in use is passed over, and an
 * entry that waits for ARP too.
 */
#include <string.h>

#include "ip/ip_impl.h"

#define IRE_HASH_MIN 256
#define IRE_RECLAIM_TRIES 8

static KLOCAL ire_t **ire_table;
static KLOCAL size_t ire_nbuckets, ire_nentries;
static KLOCAL ire_t *ire_forward;
static KLOCAL ire_t *ire_oldest, *ire_newest; /* IRE_CACHE entries */
static KLOCAL size_t ire_ncached;
static KLOCAL uint64_t ire_nreclaimed;

ALWAYS_INLINE uint32_t ire_hashval(ipaddr_t addr)
{
	return (addr * 0x9e3779b1U);
}

#define IRE_BUCKET(hash) (&ire_table[(hash) >> __builtin_clz((uint32_t)ire_nbuckets - 1)])

/* ---- making and freeing ---- */

ire_t *ire_create(ipaddr_t addr, ipaddr_t mask, ipaddr_t gateway, ipaddr_t src, uint_t type, ipif_t *ipif, queue_t *stq)
{
	ire_t *ire = kmem_zalloc(sizeof(*ire), KM_NOSLEEP);

	if (ire == NULL)
		return (NULL);
	ire->ire_addr = addr;
	ire->ire_mask = mask;
	ire->ire_gateway_addr = gateway;
	ire->ire_src_addr = src;
	ire->ire_type = type;
	ire->ire_ipif = ipif;
	ire->ire_zoneid = GLOBAL_ZONEID;
	ire->ire_stq = stq;
	ire->ire_rfq = ipif != NULL ? ipif->ipif_ill->ill_rq : NULL;
	ire->ire_max_frag = ipif != NULL ? ipif->ipif_mtu : IP_MAXPACKET;
	ire->ire_frag_flag = ip_param.ip_path_mtu_discovery && stq != NULL && type != IRE_BROADCAST ? IPH_DF : 0;
	ire->ire_ident = (uint32_t)machine_random();
	ire->ire_create_time = ddi_get_lbolt();
	ire->ire_refcnt = 1;
	return (ire);
}

void ire_inactive(ire_t *ire)
{
	ire_t *waiter;

	while ((waiter = ire->ire_waiters) != NULL) {
		ire->ire_waiters = waiter->ire_fp_next;
		waiter->ire_fp_next = NULL;
		IRE_REFRELE(waiter);
	}
	freemsg(ire->ire_fp_mp);
	freemsg(ire->ire_dlureq_mp);
	freemsgchain(ire->ire_pending);
	kmem_free(ire, sizeof(*ire));
}

/* ---- cache table ---- */

static void ire_chain_append(ire_t *ire)
{
	ire_t **pp;

	for (pp = IRE_BUCKET(ire->ire_hash); *pp != NULL; pp = &(*pp)->ire_next)
		continue;
	*pp = ire;
	ire->ire_ptpn = pp;
	ire->ire_next = NULL;
}

/* Room for more: 0, or ENOMEM when there is no table at all.  A table that cannot grow goes on as it is. */
static int ire_table_grow(void)
{
	size_t oldn = ire_nbuckets, n = oldn == 0 ? IRE_HASH_MIN : oldn * 2;
	ire_t **old = ire_table, **tab = kmem_zalloc(n * sizeof(*tab), KM_NOSLEEP);

	if (tab == NULL)
		return (old == NULL ? ENOMEM : 0);
	ire_table = tab;
	ire_nbuckets = n;
	for (size_t i = 0; i < oldn; i++) {
		for (ire_t *ire = old[i], *next; ire != NULL; ire = next) {
			next = ire->ire_next;
			ire_chain_append(ire);
		}
	}
	if (old != NULL)
		kmem_free(old, oldn * sizeof(*old));
	return (0);
}

static void ire_age_append(ire_t *ire)
{
	ire->ire_lru_next = NULL;
	if ((ire->ire_lru_prev = ire_newest) != NULL)
		ire_newest->ire_lru_next = ire;
	else
		ire_oldest = ire;
	ire_newest = ire;
	ire_ncached++;
}

static void ire_age_remove(ire_t *ire)
{
	if (ire->ire_lru_prev != NULL)
		ire->ire_lru_prev->ire_lru_next = ire->ire_lru_next;
	else
		ire_oldest = ire->ire_lru_next;
	if (ire->ire_lru_next != NULL)
		ire->ire_lru_next->ire_lru_prev = ire->ire_lru_prev;
	else
		ire_newest = ire->ire_lru_prev;
	ire_ncached--;
}

/* Take an unused entry away, oldest first; those in use go to the young end. */
static void ire_reclaim(void)
{
	for (int tries = 0; tries < IRE_RECLAIM_TRIES && ire_oldest != NULL; tries++) {
		ire_t *ire = ire_oldest;

		if (ire->ire_refcnt == 1 && ire->ire_pending == NULL) {
			ire_nreclaimed++;
			ire_delete(ire);
			return;
		}
		ire_age_remove(ire);
		ire_age_append(ire);
	}
}

static void ire_add_forward(ire_t *ire)
{
	ire_t **pp;

	for (pp = &ire_forward; *pp != NULL; pp = &(*pp)->ire_next)
		if (ntohl((*pp)->ire_mask) < ntohl(ire->ire_mask))
			break;
	if ((ire->ire_next = *pp) != NULL)
		ire->ire_next->ire_ptpn = &ire->ire_next;
	*pp = ire;
	ire->ire_ptpn = pp;
}

/* Put a route into its table, which takes over the caller's reference.  ENOMEM: not in, still the caller's. */
int ire_add(ire_t *ire)
{
	if (ire->ire_type & IRE_FORWARDTABLE) {
		ire_add_forward(ire);
		return (0);
	}
	if (ire_nentries >= ire_nbuckets && ire_table_grow() != 0)
		return (ENOMEM);
	ire->ire_hash = ire_hashval(ire->ire_addr);
	ire_chain_append(ire);
	ire->ire_marks |= IRE_MARK_HASHED;
	ire_nentries++;
	if (ire->ire_type == IRE_CACHE) {
		if (ire_ncached >= ip_param.ip_ire_max_cache)
			ire_reclaim();
		ire_age_append(ire);
	}
	return (0);
}

void ire_delete(ire_t *ire)
{
	if (ire->ire_marks & IRE_MARK_CONDEMNED)
		return;
	ire->ire_marks |= IRE_MARK_CONDEMNED;
	if ((*ire->ire_ptpn = ire->ire_next) != NULL)
		ire->ire_next->ire_ptpn = ire->ire_ptpn;
	ire->ire_next = NULL;
	if (ire->ire_pmtu_id != 0) {
		(void)untimeout(ire->ire_pmtu_id);
		ire->ire_pmtu_id = 0;
		IRE_REFRELE(ire);
	}
	if (ire->ire_marks & IRE_MARK_HASHED) {
		ire_nentries--;
		if (ire->ire_type == IRE_CACHE)
			ire_age_remove(ire);
	}
	IRE_REFRELE(ire);
}

/* Has ARP's knowledge behind the entry become too old to rely on? */
static boolean_t ire_aged(const ire_t *ire)
{
	return (ire->ire_type == IRE_CACHE && (ire->ire_marks & IRE_MARK_STATIC) == 0 && ire->ire_pending == NULL &&
		ddi_get_lbolt() - ire->ire_create_time > MSEC_TO_TICK(ip_param.ip_ire_arp_interval));
}

ire_t *ire_cache_lookup(ipaddr_t addr, zoneid_t zoneid, uint_t ifindex)
{
	ire_t *ire;

	(void)zoneid;
	if (ire_table == NULL)
		return (NULL);
	for (ire = *IRE_BUCKET(ire_hashval(addr)); ire != NULL; ire = ire->ire_next) {
		if (ire->ire_addr != addr)
			continue;
		if (ifindex != 0 && ire->ire_ipif != NULL && ill_ifindex(ire->ire_ipif->ipif_ill) != ifindex &&
		    ire->ire_type != IRE_LOOPBACK)
			continue;
		if (UNLIKELY(ire_aged(ire))) {
			ire_delete(ire);
			return (NULL);
		}
		IRE_REFHOLD(ire);
		return (ire);
	}
	return (NULL);
}

/*
 * For a packet that came in by ifindex: the entry there, else any address of
 * ours (the weak model of RFC 1122, 3.3.4.2).
 */
ire_t *ire_lookup_input(ipaddr_t addr, uint_t ifindex)
{
	ire_t *ire = ire_cache_lookup(addr, GLOBAL_ZONEID, ifindex);

	if (LIKELY(ire != NULL) || ire_table == NULL)
		return (ire);
	for (ire = *IRE_BUCKET(ire_hashval(addr)); ire != NULL; ire = ire->ire_next) {
		if (ire->ire_addr == addr && (ire->ire_type & (IRE_LOCAL | IRE_BROADCAST))) {
			IRE_REFHOLD(ire);
			break;
		}
	}
	return (ire);
}

/* The next broadcast entry for addr after ire (NULL: the first) that belongs to ifindex (0 = any); not held. */
ire_t *ire_bcast_next(ire_t *ire, ipaddr_t addr, uint_t ifindex)
{
	for (ire = ire == NULL ? *IRE_BUCKET(ire_hashval(addr)) : ire->ire_next; ire != NULL; ire = ire->ire_next)
		if (ire->ire_addr == addr && ire->ire_type == IRE_BROADCAST &&
		    (ifindex == 0 || ill_ifindex(ire->ire_ipif->ipif_ill) == ifindex))
			break;
	return (ire);
}

/* ---- forwarding table ---- */

ire_t *ire_ftable_lookup(ipaddr_t addr, uint_t type_mask, uint_t ifindex)
{
	ire_t *ire;

	for (ire = ire_forward; ire != NULL; ire = ire->ire_next) {
		if ((ire->ire_type & type_mask) && (addr & ire->ire_mask) == ire->ire_addr &&
		    (ifindex == 0 || (ire->ire_ipif != NULL && ill_ifindex(ire->ire_ipif->ipif_ill) == ifindex))) {
			IRE_REFHOLD(ire);
			break;
		}
	}
	return (ire);
}

/* ---- going away ---- */

static void ire_delete_chain(ire_t *ire, const ill_t *ill)
{
	for (ire_t *next; ire != NULL; ire = next) {
		next = ire->ire_next;
		if (ill == NULL || (ire->ire_ipif != NULL && ire->ire_ipif->ipif_ill == ill))
			ire_delete(ire);
	}
}

static void ire_pmtu_expire(void *arg)
{
	ire_t *ire = arg;

	ire->ire_pmtu_id = 0;
	ire_delete(ire);
	IRE_REFRELE(ire);
}

/*
 * The path was found to be narrower than the link.  After a while the entry is
 * thrown away, so that the next packet tries the link's size again (RFC 1191, 6.3).
 */
void ire_pmtu_watch(ire_t *ire)
{
	if (ire->ire_pmtu_id != 0)
		return;
	IRE_REFHOLD(ire);
	ire->ire_pmtu_id = timeout(ire_pmtu_expire, ire, MSEC_TO_TICK(ip_param.ip_ire_pathmtu_interval));
}

static void ire_set_mtu_chain(ire_t *ire, const ill_t *ill, uint_t mtu)
{
	for (; ire != NULL; ire = ire->ire_next)
		if ((ire->ire_type & (IRE_LOCAL | IRE_LOOPBACK)) == 0 && ire->ire_ipif != NULL &&
		    ire->ire_ipif->ipif_ill == ill)
			ire->ire_max_frag = ire->ire_pmtu_id != 0 ? MIN(ire->ire_max_frag, mtu) : mtu;
}

/* The interface takes packets of this size now; paths known to be narrower stay so. */
void ire_set_mtu(const ill_t *ill, uint_t mtu)
{
	for (size_t i = 0; i < ire_nbuckets; i++)
		ire_set_mtu_chain(ire_table[i], ill, mtu);
	ire_set_mtu_chain(ire_forward, ill, mtu);
}

/* All routes over an interface. */
void ire_delete_ill(ill_t *ill)
{
	for (size_t i = 0; i < ire_nbuckets; i++)
		ire_delete_chain(ire_table[i], ill);
	ire_delete_chain(ire_forward, ill);
}

/* Cache entries whose link header is nexthop's. */
void ire_delete_nexthop(ill_t *ill, ipaddr_t nexthop)
{
	for (size_t i = 0; i < ire_nbuckets; i++) {
		for (ire_t *ire = ire_table[i], *next; ire != NULL; ire = next) {
			next = ire->ire_next;
			if (ire->ire_type == IRE_CACHE && ire->ire_ipif->ipif_ill == ill &&
			    (ire->ire_addr == nexthop || ire->ire_gateway_addr == nexthop))
				ire_delete(ire);
		}
	}
}

void ire_cache_count(size_t *now, uint64_t *reclaimed)
{
	*now = ire_ncached;
	*reclaimed = ire_nreclaimed;
}

void ire_fini(void)
{
	ire_delete_ill(NULL);
	if (ire_table != NULL)
		kmem_free(ire_table, ire_nbuckets * sizeof(*ire_table));
	ire_table = NULL;
	ire_nbuckets = ire_nentries = 0;
	ire_nreclaimed = 0;
}
