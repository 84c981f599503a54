/*
 * The classifier: from a packet to the conn_t it belongs to.
 *
 * Theory.  A conn_t is IP's half of a transport endpoint.  It hangs in at most
 * one fanout: the connected table (protocol, both addresses, both ports), the
 * bound table (protocol, local port, local address or none), or the protocol
 * table (endpoints that take all packets of a protocol).  A lookup probes the
 * connected table first, then the bound one with the address, then without.
 *
 * All three are linear-hashing tables (Litwin): a table grows by splitting one
 * bucket per insertion, so that a million connections cost what ten cost and
 * no insertion ever pauses for a rehash.  Among endpoints with equal keys
 * (SO_REUSEADDR) the one inserted first comes first; the order of different
 * keys in a bucket is never seen.
 *
 * References: everything that holds a conn_t across other code holds a
 * reference; a lookup returns one.  CONN_DEC_REF of the last one frees the
 * conn_t and its protocol's control block.
 *
 * conn_ifindex limits an endpoint to one interface (IP_BOUND_IF); 0 is any.
 * Exact limits win over 0, so two VLANs may hold the same four-tuple.
 */
#ifndef STRSIM_IPCLASSIFIER_H
#define STRSIM_IPCLASSIFIER_H

#include "sys/types.h"
#include "sys/stream.h"

struct squeue_s;
struct tcp_s;
struct udp_s;
struct ire_s;
struct ill_s;
struct conn_s;

#ifndef IN6_ADDR_T_DEFINED
#define IN6_ADDR_T_DEFINED
/* in6_addr of Solaris's <netinet/in.h>, with the member names D scripts use. */
typedef struct {
	union {
		uint32_t _S6_u32[4];
		uint8_t _S6_u8[16];
	} _S6_un;
} in6_addr_t;
#endif

/* conn_flags */
#define IPCL_BOUND 0x80000000U     /* in the bound table */
#define IPCL_CONNECTED 0x40000000U /* in the connected table */
#define IPCL_TCP4 0x08000000U      /* TCP on an AF_INET socket */
#define IPCL_TCP6 0x04000000U      /* TCP on an AF_INET6 socket */
#define IPCL_UDP 0x02000000U
#define IPCL_EAGER 0x01000000U        /* made by a listener, not accepted yet */
#define IPCL_CL_LISTENER 0x00800000U  /* listener of a cluster */
#define IPCL_ACCEPTOR 0x00400000U     /* a stream opened to take an eager */
#define IPCL_SOCKET 0x00200000U       /* sockfs above */
#define IPCL_CHECK_POLICY 0x00100000U /* inbound IPsec policy */
#define IPCL_FULLY_BOUND 0x00080000U
#define IPCL_TCPMOD 0x00040000U
#define IPCL_RAWIP 0x00000001U /* a raw or other whole-protocol endpoint */
#define IPCL_TCP (IPCL_TCP4 | IPCL_TCP6)
#define IPCL_IS_TCP(connp) ((connp)->conn_flags & IPCL_TCP)
#define IPCL_IS_UDP(connp) ((connp)->conn_flags & IPCL_UDP)
#define IPCL_IS_CONNECTED(connp) ((connp)->conn_flags & IPCL_CONNECTED)
#define IPCL_IS_BOUND(connp) ((connp)->conn_flags & IPCL_BOUND)
/* The test of ip_tcp_input's fast branch. */
#define IPCL_IS_TCP4_CONNECTED_NO_POLICY(connp)                                                  \
	(((connp)->conn_flags & (IPCL_TCP4 | IPCL_TCP6 | IPCL_CONNECTED | IPCL_CHECK_POLICY)) == \
	 (IPCL_TCP4 | IPCL_CONNECTED))

/* Input handler of a conn: (conn, message with its IP header, squeue). */
typedef void (*edesc_rpf)(void *arg, mblk_t *mp, void *arg2);
/* Output handler: ip_output(conn, message, queue, caller). */
typedef void (*edesc_spf)(void *arg, mblk_t *mp, void *arg2, int caller);

typedef struct conn_s {
	uint_t conn_ref;
	uint32_t conn_flags; /* IPCL_* */
	struct tcp_s *conn_tcp;
	struct udp_s *conn_udp;
	struct squeue_s *conn_sqp;
	edesc_rpf conn_recv;
	edesc_spf conn_send;
	queue_t *conn_rq;
	queue_t *conn_wq;
	struct ire_s *conn_ire_cache; /* route in use, holds a reference */
	struct {
		in6_addr_t connua_laddr;
		in6_addr_t connua_faddr;
	} connua_v6addr;
	union {
		struct {
			uint16_t tcpu_fport; /* network order */
			uint16_t tcpu_lport;
		} tcpu_ports;
		uint32_t u_ports;
	} u_port;
	uint_t conn_ifindex; /* limited to this interface; 0 = any */
	uint8_t conn_ulp;    /* IPPROTO_* */
	uint8_t conn_af_isv6 : 1, conn_pkt_isv6 : 1, conn_on_sqp : 1, conn_dontroute : 1, conn_broadcast : 1,
	    conn_reuseaddr : 1, conn_fully_bound : 1, conn_recvif : 1;
	uint8_t conn_policy_cached : 1, conn_in_enforce_policy : 1, conn_out_enforce_policy : 1,
	    conn_multicast_loop : 1, conn_loopback : 1, conn_unspec_src : 1, conn_did_putbq : 1, conn_mac_exempt : 1;
	uint8_t conn_ttl;       /* unicast TTL set by the user; 0 = the default */
	uint8_t conn_mcast_ttl; /* multicast TTL; 0 = 1 */
	uint8_t conn_tos;
	zoneid_t conn_zoneid;
	cred_t *conn_cred; /* of the opener; holds a reference */
	dev_t conn_dev;    /* of the stream */
	void *conn_latch;  /* IPsec */
	void *conn_policy;
	void *conn_priv; /* control block of a protocol that is neither TCP nor UDP */
	void *conn_ilg;  /* multicast memberships (IP's) */
	/* the hash chain it is on; conn_fanout NULL when on none */
	struct conn_s *conn_next, *conn_prev;
	struct connf_s *conn_fanout;
	uint32_t conn_hashval;
} conn_t;

#define conn_upq conn_rq
#define conn_srcv6 connua_v6addr.connua_laddr
#define conn_remv6 connua_v6addr.connua_faddr
#define conn_src connua_v6addr.connua_laddr._S6_un._S6_u32[3]
#define conn_rem connua_v6addr.connua_faddr._S6_un._S6_u32[3]
#define conn_fport u_port.tcpu_ports.tcpu_fport
#define conn_lport u_port.tcpu_ports.tcpu_lport
#define conn_ports u_port.u_ports

#define CONN_INC_REF(connp) ((connp)->conn_ref++)
#define CONN_DEC_REF(connp)                       \
	do {                                      \
		if (--(connp)->conn_ref == 0)     \
			ipcl_conn_destroy(connp); \
	} while (0)

/* Store an IPv4 address as IPv4-mapped. */
ALWAYS_INLINE void ipcl_v4_set(in6_addr_t *a, ipaddr_t v4)
{
	a->_S6_un._S6_u32[0] = 0;
	a->_S6_un._S6_u32[1] = 0;
	a->_S6_un._S6_u32[2] = __builtin_bswap32(0xffffU);
	a->_S6_un._S6_u32[3] = v4;
}

/* What ipcl_conn_create makes. */
#define IPCL_TCPCONN 1 /* conn_t with a tcp_t */
#define IPCL_IPCCONN 2 /* conn_t alone: UDP, raw, tunnel */

/*
 * A new conn_t with one reference, on no fanout.  kmflags as kmem_alloc.
 * NULL when memory is short.
 */
conn_t *ipcl_conn_create(uint32_t type, int kmflags);
/* The last reference is gone: leaves the fanout, frees control block, cached route and credentials. */
void ipcl_conn_destroy(conn_t *connp);

/*
 * Put connp into the bound fanout of its protocol: packets to local port lport
 * (network order) and address src (0 = any).  It leaves the fanout it was in.
 * Whether the port may be shared is the transport's matter.
 * ENOMEM or 0.
 */
int ipcl_bind_insert(conn_t *connp, uint8_t protocol, ipaddr_t src, uint16_t lport);
/*
 * Put connp into the connected fanout; ports = conn_ports (network order).
 * For TCP a four-tuple that is taken on the same conn_ifindex is EADDRINUSE.  ENOMEM, EADDRINUSE or 0;
 * after an error connp is in no fanout.
 */
int ipcl_conn_insert(conn_t *connp, uint8_t protocol, ipaddr_t src, ipaddr_t rem, uint32_t ports);
/* Take all packets of a protocol (raw sockets, tunnels); conn_src and conn_rem limit them. */
int ipcl_proto_insert(conn_t *connp, uint8_t protocol);
/* Where the chain begins that connp is on, NULL when on none: for fetching ahead only, no probe shows it. */
conn_t *const *ipcl_bucket_of(const conn_t *connp);
/* Leave the fanout; harmless when in none. */
void ipcl_hash_remove(conn_t *connp);

/*
 * The endpoint for a packet whose IP header starts at mp->b_rptr and whose
 * ports follow hdr_len bytes later (contiguous).  TCP and UDP: connected, then bound to
 * the address, then bound to any.  A reference is held on the result; NULL when there is none.
 */
conn_t *ipcl_classify_v4(mblk_t *mp, uint8_t protocol, uint_t hdr_len, uint_t ifindex);
/* The same from the numbers alone (network order): src/sport is the packet's sender. */
conn_t *ipcl_lookup_v4(uint8_t protocol, ipaddr_t src, in_port_t sport, ipaddr_t dst, in_port_t dport, uint_t ifindex);
/* Only the connected table: the endpoint with that local and remote side (for quoted packets of ICMP errors). */
conn_t *ipcl_conn_lookup(uint8_t protocol, ipaddr_t laddr, in_port_t lport, ipaddr_t faddr, in_port_t fport,
			 uint_t ifindex);
/* A listener or bound endpoint with exactly that address (0 = any) and port; no reference is taken. */
conn_t *ipcl_bound_lookup(uint8_t protocol, ipaddr_t laddr, in_port_t lport, uint_t ifindex);

/*
 * Walks for packets that several endpoints may get (no references are taken;
 * the endpoint may be removed after its successor was asked for).
 * UDP (section 6.4): first connected, then bound to dst, then bound to any.
 * Protocol table: in order of insertion, limited by the addresses as in 6.6.
 */
conn_t *ipcl_udp_first(ipaddr_t src, in_port_t sport, ipaddr_t dst, in_port_t dport, uint_t ifindex);
conn_t *ipcl_udp_next(conn_t *connp, ipaddr_t src, in_port_t sport, ipaddr_t dst, in_port_t dport, uint_t ifindex);
conn_t *ipcl_proto_first(uint8_t protocol, ipaddr_t src, ipaddr_t dst, uint_t ifindex);
conn_t *ipcl_proto_next(conn_t *connp, ipaddr_t src, ipaddr_t dst, uint_t ifindex);

/*
 * Port numbers in use: how many endpoints of a protocol hold a local port
 * (network order), so that anonymous ports are found without a search.
 */
uint_t ipcl_port_users(uint8_t protocol, in_port_t lport);
void ipcl_port_hold(uint8_t protocol, in_port_t lport);
void ipcl_port_rele(uint8_t protocol, in_port_t lport);
/* A free port of [lo, hi] (host order), searched from *next on, which is advanced; 0 when all are taken. */
in_port_t ipcl_port_anon(uint8_t protocol, in_port_t lo, in_port_t hi, in_port_t *next);

/* Visit every endpoint that is in a fanout, in no order; the visitor may remove the one it is given. */
void ipcl_walk(void (*func)(conn_t *connp, void *arg), void *arg);
/* Endpoints in all fanouts, for tests and statistics. */
size_t ipcl_count(void);

#endif
