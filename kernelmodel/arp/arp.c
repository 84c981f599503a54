/*
 * arp: the address resolution module.
 *
 * One table for all interfaces, hashed by (interface, address).  An entry that
 * is being asked for holds IP's question; it is on its interface's list of
 * unresolved ones, which a timer walks once a second (RFC 1122, 2.3.2.1: not
 * more often) while it is not empty.  After AR_XMIT_COUNT requests without
 * reply the question is answered with EHOSTUNREACH.
 *
 * The whole module is one perimeter (D_MTPERMOD).
 */
#include <string.h>

#include "arp/arp.h"
#include "sys/dlpi.h"
#include "sys/errno.h"
#include "sys/sdt.h"
#include "sys/strsubr.h"

#define AR_XMIT_COUNT 5
#define AR_XMIT_TICKS HZ
#define AR_HASH_MIN 64
#define AR_DL_TIMEOUT 15 /* s */

#define ARP_HRD_ETHER 1
#define ARP_REQUEST 1
#define ARP_REPLY 2

#define ARP_DROP(reason, mp) DTRACE_PROBE2(arp__drop, const char *, (reason), mblk_t *, (mp))

/* RFC 826 packet for Ethernet and IPv4; network order. */
typedef struct arh {
	uchar_t arh_hardware[2], arh_proto[2];
	uchar_t arh_hlen, arh_plen;
	uchar_t arh_operation[2];
	uchar_t arh_sha[ETHERADDRL], arh_spa[4];
	uchar_t arh_tha[ETHERADDRL], arh_tpa[4];
} arh_t;

/* One arp stream. */
typedef struct ar {
	struct ar *ar_next;
	queue_t *ar_rq, *ar_wq;
	queue_t *ar_ip_wq;
	uint_t ar_ifindex;
	uint_t ar_dl_pending; /* primitive sent, 0 when answered (DL_INFO_REQ is not used) */
	int ar_dl_error;
	kcondvar_t ar_cv;
	struct ace *ar_unresolved;
	timeout_id_t ar_timer;
} ar_t;

typedef struct ace {
	struct ace *ace_next;
	uint_t ace_ifindex;
	ipaddr_t ace_proto_addr;
	uchar_t ace_hw_addr[ETHERADDRL];
	uint16_t ace_flags;
	uint_t ace_xmit_count;
	mblk_t *ace_query_mp;  /* IP's question while unresolved */
	struct ace *ace_unext; /* unresolved list */
} ace_t;

static KLOCAL ar_t *ar_head;
static KLOCAL ace_t **ace_table;
static KLOCAL size_t ace_nbuckets, ace_count;

/* ---- table ---- */

static ar_t *ar_lookup(uint_t ifindex)
{
	ar_t *ar;

	for (ar = ar_head; ar != NULL; ar = ar->ar_next)
		if (ar->ar_ifindex == ifindex)
			break;
	return (ar);
}

static ace_t **ace_bucket(uint_t ifindex, ipaddr_t addr)
{
	uint32_t h = (addr + ifindex * 0x85ebca6bU) * 0x9e3779b1U;

	return (&ace_table[(h ^ h >> 15) & (ace_nbuckets - 1)]);
}

/* Twice the buckets; without memory it goes on with those it has. */
static void ace_grow(void)
{
	size_t oldn = ace_nbuckets, n = oldn == 0 ? AR_HASH_MIN : 2 * oldn;
	ace_t **old = ace_table, **tab = kmem_zalloc(n * sizeof(*tab), KM_NOSLEEP);

	if (tab == NULL)
		return;
	ace_table = tab;
	ace_nbuckets = n;
	for (size_t i = 0; i < oldn; i++) {
		for (ace_t *ace = old[i], *next, **pp; ace != NULL; ace = next) {
			next = ace->ace_next;
			pp = ace_bucket(ace->ace_ifindex, ace->ace_proto_addr);
			ace->ace_next = *pp;
			*pp = ace;
		}
	}
	if (old != NULL)
		kmem_free(old, oldn * sizeof(*old));
}

static ace_t *ace_lookup(uint_t ifindex, ipaddr_t addr)
{
	ace_t *ace;

	if (ace_table == NULL)
		return (NULL);
	for (ace = *ace_bucket(ifindex, addr); ace != NULL; ace = ace->ace_next)
		if (ace->ace_proto_addr == addr && ace->ace_ifindex == ifindex)
			break;
	return (ace);
}

static ace_t *ace_create(uint_t ifindex, ipaddr_t addr, uint_t flags)
{
	ace_t *ace, **pp;

	if (ace_count >= ace_nbuckets)
		ace_grow();
	if (ace_table == NULL || (ace = kmem_zalloc(sizeof(*ace), KM_NOSLEEP)) == NULL)
		return (NULL);
	ace->ace_ifindex = ifindex;
	ace->ace_proto_addr = addr;
	ace->ace_flags = (uint16_t)flags;
	pp = ace_bucket(ifindex, addr);
	ace->ace_next = *pp;
	*pp = ace;
	ace_count++;
	return (ace);
}

static void ace_unresolved_remove(ar_t *ar, ace_t *ace)
{
	ace_t **pp;

	for (pp = &ar->ar_unresolved; *pp != NULL; pp = &(*pp)->ace_unext) {
		if (*pp == ace) {
			*pp = ace->ace_unext;
			return;
		}
	}
}

static void ace_delete(ace_t *ace)
{
	ar_t *ar = ar_lookup(ace->ace_ifindex);
	ace_t **pp;

	if (ar != NULL && (ace->ace_flags & ACE_F_RESOLVED) == 0)
		ace_unresolved_remove(ar, ace);
	for (pp = ace_bucket(ace->ace_ifindex, ace->ace_proto_addr); *pp != ace; pp = &(*pp)->ace_next)
		continue;
	*pp = ace->ace_next;
	ace_count--;
	freemsg(ace->ace_query_mp);
	kmem_free(ace, sizeof(*ace));
}

size_t arp_entry_count(void)
{
	return (ace_count);
}

bool arp_entry_lookup(uint_t ifindex, ipaddr_t addr, uchar_t mac[ETHERADDRL])
{
	const ace_t *ace = ace_lookup(ifindex, addr);

	if (ace == NULL || (ace->ace_flags & ACE_F_RESOLVED) == 0)
		return (false);
	memcpy(mac, ace->ace_hw_addr, ETHERADDRL);
	return (true);
}

/* ---- to IP ---- */

/* The answer to a question. */
static void ar_answer(ar_t *ar, mblk_t *mp, const ace_t *ace, int error)
{
	areq_t *areq = (areq_t *)mp->b_rptr;

	areq->areq_error = error;
	if (error == 0) {
		memcpy(areq->areq_hw_addr, ace->ace_hw_addr, ETHERADDRL);
		areq->areq_permanent = (ace->ace_flags & ACE_F_PERMANENT) != 0;
	}
	put(ar->ar_ip_wq, mp);
}

/* What IP knows of the address is out of date. */
static void ar_changed(ar_t *ar, ipaddr_t addr)
{
	mblk_t *mp = allocb(sizeof(areq_t), BPRI_HI);

	if (mp == NULL)
		return;
	DB_TYPE(mp) = M_PROTO;
	*(areq_t *)mp->b_rptr = (areq_t){.areq_cmd = AR_ENTRY_CHANGE, .areq_target = addr};
	mp->b_wptr += sizeof(areq_t);
	put(ar->ar_ip_wq, mp);
}

/* The entry has its hardware address (a new one: tell IP). */
static void ace_resolve(ar_t *ar, ace_t *ace, const uchar_t *mac)
{
	boolean_t was = (ace->ace_flags & ACE_F_RESOLVED) != 0;
	boolean_t differs = was && memcmp(ace->ace_hw_addr, mac, ETHERADDRL) != 0;
	mblk_t *mp = ace->ace_query_mp;

	memcpy(ace->ace_hw_addr, mac, ETHERADDRL);
	if (!was) {
		ace_unresolved_remove(ar, ace);
		ace->ace_flags |= ACE_F_RESOLVED;
		ace->ace_query_mp = NULL;
		if (mp != NULL)
			ar_answer(ar, mp, ace, 0);
	} else if (differs) {
		ar_changed(ar, ace->ace_proto_addr);
	}
}

int arp_entry_add(uint_t ifindex, ipaddr_t addr, const uchar_t mac[ETHERADDRL], uint_t flags)
{
	ar_t *ar = ar_lookup(ifindex);
	ace_t *ace = ace_lookup(ifindex, addr);

	if (ar == NULL)
		return (ENXIO);
	if (ace == NULL) {
		if ((ace = ace_create(ifindex, addr, flags | ACE_F_RESOLVED)) == NULL)
			return (ENOMEM);
		memcpy(ace->ace_hw_addr, mac, ETHERADDRL);
		return (0);
	}
	ace->ace_flags = (uint16_t)((ace->ace_flags & ACE_F_RESOLVED) | flags);
	ace_resolve(ar, ace, mac);
	return (0);
}

int arp_entry_delete(uint_t ifindex, ipaddr_t addr)
{
	ace_t *ace = ace_lookup(ifindex, addr);
	ar_t *ar = ar_lookup(ifindex);

	if (ace == NULL)
		return (ENOENT);
	ace_delete(ace);
	ar_changed(ar, addr);
	return (0);
}

/* ---- to the wire ---- */

/* Send an ARP packet; lost without memory, like one lost on the wire. */
static void ar_xmit(ar_t *ar, uint_t op, const uchar_t *dst, const uchar_t *sha, ipaddr_t spa, const uchar_t *tha,
		    ipaddr_t tpa)
{
	dl_unitdata_req_t req = {DL_UNITDATA_REQ, ETHERADDRL + 2, sizeof(req), {0, 0}};
	uint16_t sap = ETHERTYPE_ARP;
	arh_t arh = {{0, ARP_HRD_ETHER}, {0x08, 0x00}, ETHERADDRL, 4, {0, (uchar_t)op}, {0}, {0}, {0}, {0}};
	mblk_t *mp = allocb(sizeof(req) + ETHERADDRL + sizeof(sap), BPRI_HI);

	if (mp == NULL)
		return;
	if ((mp->b_cont = allocb(sizeof(arh), BPRI_HI)) == NULL) {
		freeb(mp);
		return;
	}
	DB_TYPE(mp) = M_PROTO;
	memcpy(mp->b_wptr, &req, sizeof(req));
	mp->b_wptr += sizeof(req);
	memcpy(mp->b_wptr, dst, ETHERADDRL);
	memcpy(mp->b_wptr + ETHERADDRL, &sap, sizeof(sap));
	mp->b_wptr += ETHERADDRL + sizeof(sap);
	memcpy(arh.arh_sha, sha, ETHERADDRL);
	memcpy(arh.arh_spa, &spa, 4);
	if (tha != NULL)
		memcpy(arh.arh_tha, tha, ETHERADDRL);
	memcpy(arh.arh_tpa, &tpa, 4);
	memcpy(mp->b_cont->b_wptr, &arh, sizeof(arh));
	mp->b_cont->b_wptr += sizeof(arh);
	(void)putnext(ar->ar_wq, mp);
}

static void ar_request(ar_t *ar, ace_t *ace)
{
	static const uchar_t bcast[ETHERADDRL] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
	const areq_t *areq = (const areq_t *)ace->ace_query_mp->b_rptr;
	const ace_t *self = ace_lookup(ace->ace_ifindex, areq->areq_sender);

	ace->ace_xmit_count++;
	if (self != NULL)
		ar_xmit(ar, ARP_REQUEST, bcast, self->ace_hw_addr, areq->areq_sender, NULL, ace->ace_proto_addr);
}

static void ar_query_timer(void *arg);

static void ar_query_timer_arm(ar_t *ar)
{
	if (ar->ar_timer == 0 && ar->ar_unresolved != NULL)
		ar->ar_timer = qtimeout(ar->ar_rq, ar_query_timer, ar, AR_XMIT_TICKS);
}

/* Ask again for what is unresolved, or give up. */
static void ar_query_timer(void *arg)
{
	ar_t *ar = arg;
	ace_t *ace, *next;
	mblk_t *mp;

	ar->ar_timer = 0;
	for (ace = ar->ar_unresolved; ace != NULL; ace = next) {
		next = ace->ace_unext;
		if (ace->ace_xmit_count < AR_XMIT_COUNT) {
			ar_request(ar, ace);
			continue;
		}
		mp = ace->ace_query_mp;
		ace->ace_query_mp = NULL;
		ace_delete(ace);
		ar_answer(ar, mp, NULL, EHOSTUNREACH);
	}
	ar_query_timer_arm(ar);
}

/* ---- from IP ---- */

static void ar_entry_query(ar_t *ar, mblk_t *mp)
{
	const areq_t *areq = (const areq_t *)mp->b_rptr;
	ace_t *ace = ace_lookup(ar->ar_ifindex, areq->areq_target);

	if (ace != NULL && (ace->ace_flags & ACE_F_RESOLVED)) {
		ar_answer(ar, mp, ace, 0);
		return;
	}
	if (ace != NULL) {
		/* It is being asked for; the first question gets the answer, IP's routes wait for it together. */
		freemsg(mp);
		return;
	}
	if ((ace = ace_create(ar->ar_ifindex, areq->areq_target, 0)) == NULL) {
		ar_answer(ar, mp, NULL, EHOSTUNREACH);
		return;
	}
	ace->ace_query_mp = mp;
	ace->ace_unext = ar->ar_unresolved;
	ar->ar_unresolved = ace;
	ar_request(ar, ace);
	ar_query_timer_arm(ar);
}

static int ar_wput(queue_t *q, mblk_t *mp)
{
	ar_t *ar = q->q_ptr;

	switch (DB_TYPE(mp)) {
	case M_PROTO:
	case M_PCPROTO:
		if (MBLKL(mp) >= (ssize_t)sizeof(areq_t) && ((areq_t *)mp->b_rptr)->areq_cmd == AR_ENTRY_QUERY)
			ar_entry_query(ar, mp);
		else
			(void)putnext(q, mp);
		return (0);
	case M_FLUSH:
		if (*mp->b_rptr & FLUSHW)
			flushq(q, FLUSHDATA);
		(void)putnext(q, mp);
		return (0);
	default:
		(void)putnext(q, mp);
		return (0);
	}
}

static int ar_wsrv(queue_t *q)
{
	mblk_t *mp;

	while ((mp = getq(q)) != NULL)
		(void)ar_wput(q, mp);
	return (0);
}

/* ---- from the wire ---- */

/* RFC 826, "Packet Reception". */
static void ar_packet(ar_t *ar, mblk_t *mp)
{
	const arh_t *arh = (const arh_t *)mp->b_rptr;
	ipaddr_t spa, tpa;
	ace_t *ace, *self;
	uint_t op;

	if (MBLKL(mp) < (ssize_t)sizeof(*arh) || arh->arh_hardware[0] != 0 || arh->arh_hardware[1] != ARP_HRD_ETHER ||
	    arh->arh_proto[0] != 0x08 || arh->arh_proto[1] != 0 || arh->arh_hlen != ETHERADDRL || arh->arh_plen != 4) {
		ARP_DROP("not ARP for IPv4 on Ethernet", mp);
		return;
	}
	op = (uint_t)arh->arh_operation[0] << 8 | arh->arh_operation[1];
	if (op != ARP_REQUEST && op != ARP_REPLY) {
		ARP_DROP("operation", mp);
		return;
	}
	memcpy(&spa, arh->arh_spa, sizeof(spa));
	memcpy(&tpa, arh->arh_tpa, sizeof(tpa));
	ace = spa == 0 ? NULL : ace_lookup(ar->ar_ifindex, spa);
	if (ace != NULL && (ace->ace_flags & ACE_F_PERMANENT) == 0)
		ace_resolve(ar, ace, arh->arh_sha);
	self = ace_lookup(ar->ar_ifindex, tpa);
	if (self == NULL || (self->ace_flags & ACE_F_PUBLISH) == 0 || spa == tpa)
		return;
	if (ace == NULL && spa != 0 && (ace = ace_create(ar->ar_ifindex, spa, ACE_F_RESOLVED)) != NULL)
		memcpy(ace->ace_hw_addr, arh->arh_sha, ETHERADDRL);
	if (op == ARP_REQUEST)
		ar_xmit(ar, ARP_REPLY, arh->arh_sha, self->ace_hw_addr, tpa, arh->arh_sha, spa);
}

static void ar_dl_done(ar_t *ar, uint32_t prim, int error)
{
	if (ar->ar_dl_pending != prim)
		return;
	ar->ar_dl_pending = 0;
	ar->ar_dl_error = error;
	cv_broadcast(&ar->ar_cv);
}

/* A DLPI message: a packet, or an answer to arp_attach(). */
static void ar_dlpi(ar_t *ar, mblk_t *mp)
{
	const union DL_primitives *dl = (const union DL_primitives *)mp->b_rptr;

	if (MBLKL(mp) < (ssize_t)sizeof(uint32_t))
		return;
	switch (dl->dl_primitive) {
	case DL_UNITDATA_IND:
		if (mp->b_cont != NULL && pullupmsg(mp->b_cont, -1))
			ar_packet(ar, mp->b_cont);
		break;
	case DL_BIND_ACK:
		ar_dl_done(ar, DL_BIND_REQ, 0);
		break;
	case DL_OK_ACK:
		if (MBLKL(mp) >= (ssize_t)sizeof(dl_ok_ack_t))
			ar_dl_done(ar, dl->ok_ack.dl_correct_primitive, 0);
		break;
	case DL_ERROR_ACK:
		if (MBLKL(mp) >= (ssize_t)sizeof(dl_error_ack_t))
			ar_dl_done(ar, dl->error_ack.dl_error_primitive, ENXIO);
		break;
	default:
		break;
	}
}

static int ar_rput(queue_t *q, mblk_t *mp)
{
	ar_t *ar = q->q_ptr;

	switch (DB_TYPE(mp)) {
	case M_PROTO:
	case M_PCPROTO:
		if (ar->ar_ip_wq == NULL && ar->ar_dl_pending == 0) {
			(void)putnext(q, mp); /* of no interface: not for us */
			return (0);
		}
		ar_dlpi(ar, mp);
		freemsg(mp);
		return (0);
	case M_DATA:
		ARP_DROP("data without addresses", mp);
		freemsg(mp);
		return (0);
	case M_FLUSH:
		if (*mp->b_rptr & FLUSHR)
			flushq(q, FLUSHDATA);
		(void)putnext(q, mp);
		return (0);
	default:
		(void)putnext(q, mp);
		return (0);
	}
}

static int ar_rsrv(queue_t *q)
{
	mblk_t *mp;

	while ((mp = getq(q)) != NULL)
		(void)ar_rput(q, mp);
	return (0);
}

/* ---- open, attach, close ---- */

static int ar_open(queue_t *q, dev_t *devp, int flag, int sflag, cred_t *cr)
{
	ar_t *ar;

	(void)devp;
	(void)flag;
	(void)cr;
	if (q->q_ptr != NULL)
		return (0);
	if (sflag != MODOPEN)
		return (EINVAL);
	if ((ar = kmem_zalloc(sizeof(*ar), KM_NOSLEEP)) == NULL)
		return (ENOMEM);
	ar->ar_rq = q;
	ar->ar_wq = WR(q);
	cv_init(&ar->ar_cv);
	WR(q)->q_ptr = q->q_ptr = ar;
	qprocson(q);
	return (0);
}

static mblk_t *ar_dl_alloc(size_t len, const void *req)
{
	mblk_t *mp = allocb(len, BPRI_HI);

	if (mp == NULL)
		return (NULL);
	DB_TYPE(mp) = M_PROTO;
	memcpy(mp->b_wptr, req, len);
	mp->b_wptr += len;
	return (mp);
}

/* Send a request and wait for the answer. */
static int ar_dl_request(ar_t *ar, mblk_t *mp)
{
	if (mp == NULL)
		return (ENOMEM);
	ar->ar_dl_pending = ((union DL_primitives *)mp->b_rptr)->dl_primitive;
	(void)putnext(ar->ar_wq, mp);
	while (ar->ar_dl_pending != 0)
		if (cv_timedwait(&ar->ar_cv, ddi_get_lbolt() + (clock_t_)AR_DL_TIMEOUT * HZ) == -1)
			return (ETIME);
	return (ar->ar_dl_error);
}

int arp_attach(queue_t *rq, uint_t ppa, queue_t *ip_wq, uint_t ifindex)
{
	ar_t *ar = rq->q_ptr, **pp;
	dl_attach_req_t attach = {DL_ATTACH_REQ, ppa};
	dl_bind_req_t bind = {.dl_primitive = DL_BIND_REQ, .dl_sap = ETHERTYPE_ARP, .dl_service_mode = DL_CLDLS};
	int error = ar_dl_request(ar, ar_dl_alloc(sizeof(attach), &attach));

	if (error == 0)
		error = ar_dl_request(ar, ar_dl_alloc(sizeof(bind), &bind));
	if (error != 0)
		return (error);
	ar->ar_ip_wq = ip_wq;
	ar->ar_ifindex = ifindex;
	for (pp = &ar_head; *pp != NULL; pp = &(*pp)->ar_next)
		continue;
	*pp = ar;
	return (0);
}

static void ar_delete_entries(uint_t ifindex)
{
	for (size_t i = 0; i < ace_nbuckets; i++) {
		for (ace_t *ace = ace_table[i], *next; ace != NULL; ace = next) {
			next = ace->ace_next;
			if (ace->ace_ifindex == ifindex)
				ace_delete(ace);
		}
	}
	if (ace_count == 0 && ace_table != NULL) {
		kmem_free(ace_table, ace_nbuckets * sizeof(*ace_table));
		ace_table = NULL;
		ace_nbuckets = 0;
	}
}

static int ar_close(queue_t *q, int flag, cred_t *cr)
{
	ar_t *ar = q->q_ptr, **pp;

	(void)flag;
	(void)cr;
	qprocsoff(q);
	if (ar->ar_timer != 0)
		(void)quntimeout(q, ar->ar_timer);
	if (ar->ar_ip_wq != NULL) {
		ar_delete_entries(ar->ar_ifindex);
		for (pp = &ar_head; *pp != ar; pp = &(*pp)->ar_next)
			continue;
		*pp = ar->ar_next;
	}
	WR(q)->q_ptr = q->q_ptr = NULL;
	cv_destroy(&ar->ar_cv);
	kmem_free(ar, sizeof(*ar));
	return (0);
}

static struct module_info ar_info = {0, "arp", 0, INFPSZ, 512, 128};
static struct qinit ar_rinit = {ar_rput, ar_rsrv, ar_open, ar_close, NULL, &ar_info, NULL};
static struct qinit ar_winit = {ar_wput, ar_wsrv, NULL, NULL, NULL, &ar_info, NULL};
static struct streamtab arpinfo = {&ar_rinit, &ar_winit, NULL, NULL};

STREAMS_MODULE(arp, "arp", &arpinfo, D_MP | D_MTPERMOD);
