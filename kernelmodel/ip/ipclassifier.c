/*
 * The classifier: see ip/ipclassifier.h for the theory.
 *
 * Order of this file: the table, keys, creation, insertion, lookup, walks,
 * port numbers.
 */
#include <string.h>

#include "ip/ipclassifier.h"
#include "ip/ipsec_impl.h"
#include "ip/tcp.h"
#include "sys/errno.h"

/* ---- linear hashing ---- */

#define CONNF_BASE 64 /* buckets of segment 0; segment k > 0 has CONNF_BASE << (k - 1) */
#define CONNF_NSEG 27

typedef struct connf_s {
	conn_t **cf_seg[CONNF_NSEG];
	uint32_t cf_lomask; /* size at the start of this round, less 1 */
	uint32_t cf_split;  /* buckets split in this round */
	size_t cf_count;    /* conns in it */
	size_t cf_nlimited; /* of them with a conn_ifindex */
} connf_t;

static KLOCAL connf_t ipcl_conn_fanout;  /* TCP and UDP, connected */
static KLOCAL connf_t ipcl_bind_fanout;  /* TCP and UDP, bound */
static KLOCAL connf_t ipcl_proto_fanout; /* by protocol */
static KLOCAL uint32_t *ipcl_ports[2];   /* users by local port, TCP and UDP */

#define CONNF_NBUCKETS(cf) ((cf)->cf_lomask + 1 + (cf)->cf_split)

static size_t connf_segsize(uint_t seg)
{
	return seg == 0 ? CONNF_BASE : (size_t)CONNF_BASE << (seg - 1);
}

ALWAYS_INLINE conn_t **connf_bucket(const connf_t *cf, uint32_t i)
{
	if (i < CONNF_BASE)
		return &cf->cf_seg[0][i];
	uint_t k = 31 - (uint_t)__builtin_clz(i / CONNF_BASE);
	return &cf->cf_seg[k + 1][i - ((uint32_t)CONNF_BASE << k)];
}

ALWAYS_INLINE conn_t **connf_find(const connf_t *cf, uint32_t hash)
{
	uint32_t i = hash & cf->cf_lomask;

	if (i < cf->cf_split)
		i = hash & (cf->cf_lomask * 2 + 1);
	return connf_bucket(cf, i);
}

static bool connf_init(connf_t *cf)
{
	if (cf->cf_seg[0] != NULL)
		return true;
	cf->cf_seg[0] = kmem_zalloc(CONNF_BASE * sizeof(conn_t *), KM_NOSLEEP);
	cf->cf_lomask = CONNF_BASE - 1;
	return cf->cf_seg[0] != NULL;
}

static void connf_fini(connf_t *cf)
{
	for (uint_t i = 0; i < CONNF_NSEG; i++) {
		if (cf->cf_seg[i] != NULL)
			kmem_free(cf->cf_seg[i], connf_segsize(i) * sizeof(conn_t *));
	}
	memset(cf, 0, sizeof(*cf));
}

static void connf_append(conn_t **headp, conn_t *connp)
{
	conn_t *prev = NULL;

	while (*headp != NULL) {
		prev = *headp;
		headp = &prev->conn_next;
	}
	connp->conn_next = NULL;
	connp->conn_prev = prev;
	*headp = connp;
}

/* Split the next bucket; without memory the table just stays denser. */
static void connf_grow(connf_t *cf)
{
	uint32_t n = CONNF_NBUCKETS(cf);
	uint_t seg = n < CONNF_BASE ? 0 : 32 - (uint_t)__builtin_clz(n / CONNF_BASE);
	uint32_t bit = cf->cf_lomask + 1;

	if (seg >= CONNF_NSEG)
		return;
	if (cf->cf_seg[seg] == NULL &&
	    (cf->cf_seg[seg] = kmem_zalloc(connf_segsize(seg) * sizeof(conn_t *), KM_NOSLEEP)) == NULL)
		return;
	conn_t **from = connf_bucket(cf, cf->cf_split), **to = connf_bucket(cf, cf->cf_split + bit);
	conn_t *next = *from;
	*from = NULL;
	for (conn_t *connp = next; connp != NULL; connp = next) {
		next = connp->conn_next;
		connf_append(connp->conn_hashval & bit ? to : from, connp);
	}
	if (++cf->cf_split == bit) {
		cf->cf_lomask = cf->cf_lomask * 2 + 1;
		cf->cf_split = 0;
	}
}

static void connf_insert(connf_t *cf, conn_t *connp, uint32_t hash)
{
	connp->conn_hashval = hash;
	connp->conn_fanout = cf;
	connf_append(connf_find(cf, hash), connp);
	cf->cf_count++;
	if (connp->conn_ifindex != 0)
		cf->cf_nlimited++;
	if (cf->cf_count > CONNF_NBUCKETS(cf))
		connf_grow(cf);
}

NOTRACE conn_t *const *ipcl_bucket_of(const conn_t *connp)
{
	return connp->conn_fanout != NULL ? connf_find(connp->conn_fanout, connp->conn_hashval) : NULL;
}

/* ---- keys ---- */

ALWAYS_INLINE uint32_t ipcl_hash(uint8_t proto, ipaddr_t laddr, ipaddr_t faddr, uint32_t ports, uint_t ifindex)
{
	uint64_t h = ((uint64_t)laddr << 32 | faddr) * 0x9e3779b97f4a7c15ULL;

	h ^= ((uint64_t)ports << 32 | ((uint64_t)ifindex << 8 | proto)) * 0xc2b2ae3d27d4eb4fULL;
	h ^= h >> 29;
	h *= 0xbf58476d1ce4e5b9ULL;
	return (uint32_t)(h >> 32);
}

ALWAYS_INLINE bool ipcl_match(const conn_t *connp, uint8_t proto, ipaddr_t laddr, ipaddr_t faddr, uint32_t ports,
			      uint_t ifindex)
{
	return connp->conn_ports == ports && connp->conn_rem == faddr && connp->conn_src == laddr &&
	       connp->conn_ifindex == ifindex && connp->conn_ulp == proto;
}

/* First conn of the chain with that key. */
ALWAYS_INLINE conn_t *ipcl_scan(conn_t *connp, uint8_t proto, ipaddr_t laddr, ipaddr_t faddr, uint32_t ports,
				uint_t ifindex)
{
	while (connp != NULL && !ipcl_match(connp, proto, laddr, faddr, ports, ifindex))
		connp = connp->conn_next;
	return connp;
}

/* Probe a table with the interface, then without. */
ALWAYS_INLINE conn_t *ipcl_probe(const connf_t *cf, uint8_t proto, ipaddr_t laddr, ipaddr_t faddr, uint32_t ports,
				 uint_t ifindex)
{
	conn_t *connp;

	if (cf->cf_count == 0)
		return NULL;
	if (ifindex != 0 && cf->cf_nlimited != 0) {
		uint32_t h = ipcl_hash(proto, laddr, faddr, ports, ifindex);
		connp = ipcl_scan(*connf_find(cf, h), proto, laddr, faddr, ports, ifindex);
		if (connp != NULL)
			return connp;
	}
	return ipcl_scan(*connf_find(cf, ipcl_hash(proto, laddr, faddr, ports, 0)), proto, laddr, faddr, ports, 0);
}

/* conn_ports of an endpoint with these ports. */
ALWAYS_INLINE uint32_t ipcl_mkports(in_port_t lport, in_port_t fport)
{
	conn_t c;

	c.conn_lport = lport;
	c.conn_fport = fport;
	return c.conn_ports;
}

/* ---- creation ---- */

conn_t *ipcl_conn_create(uint32_t type, int kmflags)
{
	conn_t *connp = kmem_zalloc(sizeof(*connp), kmflags);

	if (connp == NULL)
		return NULL;
	connp->conn_ref = 1;
	connp->conn_send = ip_output;
	if (type != IPCL_TCPCONN)
		return connp;
	connp->conn_tcp = tcp_alloc(kmflags);
	if (connp->conn_tcp == NULL) {
		kmem_free(connp, sizeof(*connp));
		return NULL;
	}
	connp->conn_tcp->tcp_connp = connp;
	connp->conn_ulp = IPPROTO_TCP;
	connp->conn_flags = IPCL_TCP4;
	connp->conn_recv = tcp_input;
	return connp;
}

void ipcl_conn_destroy(conn_t *connp)
{
	ipcl_hash_remove(connp);
	if (connp->conn_ire_cache != NULL)
		IRE_REFRELE(connp->conn_ire_cache);
	if (connp->conn_tcp != NULL)
		tcp_free(connp->conn_tcp);
	if (connp->conn_cred != NULL)
		crfree(connp->conn_cred);
	ipsec_conn_destroy(connp);
	kmem_free(connp, sizeof(*connp));
}

/* ---- insertion ---- */

void ipcl_hash_remove(conn_t *connp)
{
	connf_t *cf = connp->conn_fanout;

	if (cf == NULL)
		return;
	if (connp->conn_prev != NULL)
		connp->conn_prev->conn_next = connp->conn_next;
	else
		*connf_find(cf, connp->conn_hashval) = connp->conn_next;
	if (connp->conn_next != NULL)
		connp->conn_next->conn_prev = connp->conn_prev;
	connp->conn_next = connp->conn_prev = NULL;
	connp->conn_fanout = NULL;
	connp->conn_flags &= ~(IPCL_BOUND | IPCL_CONNECTED);
	cf->cf_count--;
	if (connp->conn_ifindex != 0)
		cf->cf_nlimited--;
}

int ipcl_bind_insert(conn_t *connp, uint8_t protocol, ipaddr_t src, uint16_t lport)
{
	ipcl_hash_remove(connp);
	if (!connf_init(&ipcl_bind_fanout))
		return ENOMEM;
	connp->conn_ulp = protocol;
	ipcl_v4_set(&connp->conn_srcv6, src);
	ipcl_v4_set(&connp->conn_remv6, INADDR_ANY);
	connp->conn_lport = lport;
	connp->conn_fport = 0;
	connf_insert(&ipcl_bind_fanout, connp, ipcl_hash(protocol, src, 0, connp->conn_ports, connp->conn_ifindex));
	connp->conn_flags |= IPCL_BOUND;
	return 0;
}

int ipcl_conn_insert(conn_t *connp, uint8_t protocol, ipaddr_t src, ipaddr_t rem, uint32_t ports)
{
	connf_t *cf = &ipcl_conn_fanout;
	uint32_t hash = ipcl_hash(protocol, src, rem, ports, connp->conn_ifindex);

	ipcl_hash_remove(connp);
	if (!connf_init(cf))
		return ENOMEM;
	if (protocol == IPPROTO_TCP &&
	    ipcl_scan(*connf_find(cf, hash), protocol, src, rem, ports, connp->conn_ifindex) != NULL)
		return EADDRINUSE;
	connp->conn_ulp = protocol;
	ipcl_v4_set(&connp->conn_srcv6, src);
	ipcl_v4_set(&connp->conn_remv6, rem);
	connp->conn_ports = ports;
	connf_insert(cf, connp, hash);
	connp->conn_flags |= IPCL_CONNECTED;
	return 0;
}

int ipcl_proto_insert(conn_t *connp, uint8_t protocol)
{
	ipcl_hash_remove(connp);
	if (!connf_init(&ipcl_proto_fanout))
		return ENOMEM;
	connp->conn_ulp = protocol;
	connf_insert(&ipcl_proto_fanout, connp, ipcl_hash(protocol, 0, 0, 0, 0));
	connp->conn_flags |= IPCL_BOUND;
	return 0;
}

/* ---- lookup ---- */

conn_t *ipcl_conn_lookup(uint8_t protocol, ipaddr_t laddr, in_port_t lport, ipaddr_t faddr, in_port_t fport,
			 uint_t ifindex)
{
	conn_t *connp = ipcl_probe(&ipcl_conn_fanout, protocol, laddr, faddr, ipcl_mkports(lport, fport), ifindex);

	if (connp != NULL)
		CONN_INC_REF(connp);
	return connp;
}

conn_t *ipcl_bound_lookup(uint8_t protocol, ipaddr_t laddr, in_port_t lport, uint_t ifindex)
{
	return ipcl_probe(&ipcl_bind_fanout, protocol, laddr, 0, ipcl_mkports(lport, 0), ifindex);
}

conn_t *ipcl_lookup_v4(uint8_t protocol, ipaddr_t src, in_port_t sport, ipaddr_t dst, in_port_t dport, uint_t ifindex)
{
	conn_t *connp = ipcl_probe(&ipcl_conn_fanout, protocol, dst, src, ipcl_mkports(dport, sport), ifindex);
	uint32_t ports;

	if (connp == NULL) {
		ports = ipcl_mkports(dport, 0);
		connp = ipcl_probe(&ipcl_bind_fanout, protocol, dst, 0, ports, ifindex);
		if (connp == NULL && dst != INADDR_ANY)
			connp = ipcl_probe(&ipcl_bind_fanout, protocol, INADDR_ANY, 0, ports, ifindex);
	}
	if (connp != NULL)
		CONN_INC_REF(connp);
	return connp;
}

conn_t *ipcl_classify_v4(mblk_t *mp, uint8_t protocol, uint_t hdr_len, uint_t ifindex)
{
	const ipha_t *ipha = (const ipha_t *)(const void *)mp->b_rptr;
	in_port_t port[2];

	if (protocol != IPPROTO_TCP && protocol != IPPROTO_UDP) {
		conn_t *connp = ipcl_proto_first(protocol, ipha->ipha_src, ipha->ipha_dst, ifindex);
		if (connp != NULL)
			CONN_INC_REF(connp);
		return connp;
	}
	memcpy(port, mp->b_rptr + hdr_len, sizeof(port));
	return ipcl_lookup_v4(protocol, ipha->ipha_src, port[0], ipha->ipha_dst, port[1], ifindex);
}

/* ---- walks ---- */

/*
 * A UDP walk passes six keys, in this order: connected, bound to the address,
 * bound to any; each limited to the interface, then not limited.
 */
static conn_t *ipcl_udp_stage(int stage, conn_t *after, ipaddr_t src, in_port_t sport, ipaddr_t dst, in_port_t dport,
			      uint_t ifindex)
{
	for (; stage < 6; stage++, after = NULL) {
		const connf_t *cf = stage < 2 ? &ipcl_conn_fanout : &ipcl_bind_fanout;
		uint_t idx = stage & 1 ? 0 : ifindex;
		ipaddr_t laddr = stage < 4 ? dst : INADDR_ANY, faddr = stage < 2 ? src : 0;
		uint32_t ports = ipcl_mkports(dport, stage < 2 ? sport : 0);
		conn_t *connp;

		if (cf->cf_count == 0 || (!(stage & 1) && ifindex == 0) || (stage >= 4 && dst == INADDR_ANY))
			continue;
		connp = after != NULL ? after->conn_next
				      : *connf_find(cf, ipcl_hash(IPPROTO_UDP, laddr, faddr, ports, idx));
		connp = ipcl_scan(connp, IPPROTO_UDP, laddr, faddr, ports, idx);
		if (connp != NULL)
			return connp;
	}
	return NULL;
}

conn_t *ipcl_udp_first(ipaddr_t src, in_port_t sport, ipaddr_t dst, in_port_t dport, uint_t ifindex)
{
	return ipcl_udp_stage(0, NULL, src, sport, dst, dport, ifindex);
}

conn_t *ipcl_udp_next(conn_t *connp, ipaddr_t src, in_port_t sport, ipaddr_t dst, in_port_t dport, uint_t ifindex)
{
	int stage = IPCL_IS_CONNECTED(connp) ? 0 : connp->conn_src == dst ? 2 : 4;

	return ipcl_udp_stage(stage + (connp->conn_ifindex == 0), connp, src, sport, dst, dport, ifindex);
}

static conn_t *ipcl_proto_scan(conn_t *connp, uint8_t protocol, ipaddr_t src, ipaddr_t dst, uint_t ifindex)
{
	for (; connp != NULL; connp = connp->conn_next) {
		if (connp->conn_ulp != protocol || (connp->conn_ifindex != 0 && connp->conn_ifindex != ifindex))
			continue;
		if (connp->conn_src == INADDR_ANY ||
		    (connp->conn_src == dst && (connp->conn_rem == INADDR_ANY || connp->conn_rem == src)))
			break;
	}
	return connp;
}

conn_t *ipcl_proto_first(uint8_t protocol, ipaddr_t src, ipaddr_t dst, uint_t ifindex)
{
	if (ipcl_proto_fanout.cf_count == 0)
		return NULL;
	return ipcl_proto_scan(*connf_find(&ipcl_proto_fanout, ipcl_hash(protocol, 0, 0, 0, 0)), protocol, src, dst,
			       ifindex);
}

conn_t *ipcl_proto_next(conn_t *connp, ipaddr_t src, ipaddr_t dst, uint_t ifindex)
{
	return ipcl_proto_scan(connp->conn_next, connp->conn_ulp, src, dst, ifindex);
}

void ipcl_walk(void (*func)(conn_t *connp, void *arg), void *arg)
{
	const connf_t *all[] = {&ipcl_conn_fanout, &ipcl_bind_fanout, &ipcl_proto_fanout};

	for (uint_t t = 0; t < sizeof(all) / sizeof(all[0]); t++) {
		for (uint32_t i = 0; all[t]->cf_seg[0] != NULL && i < CONNF_NBUCKETS(all[t]); i++) {
			for (conn_t *connp = *connf_bucket(all[t], i), *next; connp != NULL; connp = next) {
				next = connp->conn_next;
				(*func)(connp, arg);
			}
		}
	}
}

size_t ipcl_count(void)
{
	return ipcl_conn_fanout.cf_count + ipcl_bind_fanout.cf_count + ipcl_proto_fanout.cf_count;
}

/* ---- port numbers ---- */

#define NPORTS 65536

static uint32_t *ipcl_port_slot(uint8_t protocol, in_port_t lport)
{
	uint32_t **tab = &ipcl_ports[protocol == IPPROTO_UDP];

	if (*tab == NULL)
		*tab = kmem_zalloc(NPORTS * sizeof(**tab), KM_SLEEP);
	return &(*tab)[ntohs(lport)];
}

uint_t ipcl_port_users(uint8_t protocol, in_port_t lport)
{
	return *ipcl_port_slot(protocol, lport);
}

void ipcl_port_hold(uint8_t protocol, in_port_t lport)
{
	++*ipcl_port_slot(protocol, lport);
}

void ipcl_port_rele(uint8_t protocol, in_port_t lport)
{
	--*ipcl_port_slot(protocol, lport);
}

in_port_t ipcl_port_anon(uint8_t protocol, in_port_t lo, in_port_t hi, in_port_t *next)
{
	in_port_t port = *next < lo || *next > hi ? lo : *next;

	for (uint_t n = (uint_t)hi - lo + 1; n > 0; n--) {
		in_port_t found = port;
		port = port == hi ? lo : (in_port_t)(port + 1);
		if (*ipcl_port_slot(protocol, htons(found)) == 0) {
			*next = port;
			return htons(found);
		}
	}
	return 0;
}

/* ---- boot ---- */

static void ipcl_init(void)
{
}

static void ipcl_fini(void)
{
	connf_fini(&ipcl_conn_fanout);
	connf_fini(&ipcl_bind_fanout);
	connf_fini(&ipcl_proto_fanout);
	for (int i = 0; i < 2; i++) {
		if (ipcl_ports[i] != NULL)
			kmem_free(ipcl_ports[i], NPORTS * sizeof(uint32_t));
		ipcl_ports[i] = NULL;
	}
}
KERNEL_INIT(1, ipcl_init, ipcl_fini);
