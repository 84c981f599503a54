/*
 * IPv4 of the model: packet headers, interfaces, routes, and the functions the
 * transports call.
 *
 * Theory.  An interface is a stream with the ip module on a DLPI driver; both
 * queues' q_ptr is its ill_t.  Packets come up through ip_rput and are handed
 * by protocol to ip_tcp_input, ip_udp_input or ip_proto_input.  A transport
 * endpoint is a conn_t (ip/ipclassifier.h); one that is not TCP has a stream
 * with the ip *driver* at the bottom, whose queues' q_ptr is the conn_t.  Down
 * the way is ip_wput -> ip_output -> ip_wput_ire -> putnext(ire_stq), or
 * ip_wput_local for what stays in the host.
 *
 * A route is an ire_t.  Every destination in use has an IRE_CACHE (or LOCAL,
 * LOOPBACK, BROADCAST) in the cache table, found by exact address; it names
 * the queue to send on and holds the finished link header.  ip_newroute makes
 * it, from the forwarding table and ARP.
 *
 * Several interfaces may carry the same address (one for each VLAN of a
 * capture): the tables take an interface index, 0 meaning any.
 */
#ifndef STRSIM_IP_IP_H
#define STRSIM_IP_IP_H

#include "sys/types.h"
#include "sys/stream.h"
#include "sys/thread.h"
#include "sys/pattr.h"
#include "sys/sdt.h"
#include "ip/ip_probes.h"
#include "ip/mib.h"

struct conn_s;

/* ---- byte order ---- */

#define htons(x) ((uint16_t)__builtin_bswap16((uint16_t)(x)))
#define ntohs(x) ((uint16_t)__builtin_bswap16((uint16_t)(x)))
#define htonl(x) ((uint32_t)__builtin_bswap32((uint32_t)(x)))
#define ntohl(x) ((uint32_t)__builtin_bswap32((uint32_t)(x)))

/* ---- packets (RFC 791, 768, 792) ---- */

typedef struct ipha_s {
	uint8_t ipha_version_and_hdr_length;
	uint8_t ipha_type_of_service;
	uint16_t ipha_length;
	uint16_t ipha_ident;
	uint16_t ipha_fragment_offset_and_flags;
	uint8_t ipha_ttl;
	uint8_t ipha_protocol;
	uint16_t ipha_hdr_checksum;
	ipaddr_t ipha_src;
	ipaddr_t ipha_dst;
} ipha_t;

#define IP_SIMPLE_HDR_LENGTH 20
#define IP_SIMPLE_HDR_LENGTH_IN_WORDS 5
#define IP_SIMPLE_HDR_VERSION 0x45
#define IP_MAX_HDR_LENGTH 60
#define IP_MAXPACKET 65535
#define IPV4_VERSION 4
#define IPV6_VERSION 6
#define IPH_HDR_VERSION(ipha) ((ipha)->ipha_version_and_hdr_length >> 4)
#define IPH_HDR_LENGTH(ipha) ((((const uint8_t *)(ipha))[0] & 0xf) << 2)
#define IPH_DF 0x4000
#define IPH_MF 0x2000
#define IPH_OFFSET 0x1fff
/* ipha_ident of a packet whose sender wrote the header itself (IP_HDRINCL): leave ident, DF, checksums alone. */
#define IP_HDR_INCLUDED 0xffff
/* ipha_ident of a header that ip_output has yet to number. */
#define NO_IP_IDENT 0

typedef struct udpha_s {
	in_port_t uha_src_port;
	in_port_t uha_dst_port;
	uint16_t uha_length;
	uint16_t uha_checksum;
} udpha_t;
#define UDPH_SIZE 8

typedef struct icmph_s {
	uint8_t icmph_type;
	uint8_t icmph_code;
	uint16_t icmph_checksum;
	union {
		struct {
			uint16_t ident, seq;
		} u_echo;
		uint32_t u_word;
		ipaddr_t u_gateway;
		struct {
			uint16_t unused, mtu;
		} u_frag;
		struct {
			uint8_t ptr, unused[3];
		} u_param;
	} icmph_u;
} icmph_t;
#define ICMPH_SIZE 8
#define ICMP_ECHO_REPLY 0
#define ICMP_DEST_UNREACHABLE 3
#define ICMP_SOURCE_QUENCH 4
#define ICMP_REDIRECT 5
#define ICMP_ECHO_REQUEST 8
#define ICMP_ROUTER_ADVERTISEMENT 9
#define ICMP_ROUTER_SOLICITATION 10
#define ICMP_TIME_EXCEEDED 11
#define ICMP_PARAM_PROBLEM 12
#define ICMP_TIME_STAMP_REQUEST 13
#define ICMP_TIME_STAMP_REPLY 14
#define ICMP_INFO_REQUEST 15
#define ICMP_INFO_REPLY 16
#define ICMP_ADDRESS_MASK_REQUEST 17
#define ICMP_ADDRESS_MASK_REPLY 18
#define ICMP_NET_UNREACHABLE 0
#define ICMP_HOST_UNREACHABLE 1
#define ICMP_PROTOCOL_UNREACHABLE 2
#define ICMP_PORT_UNREACHABLE 3
#define ICMP_FRAGMENTATION_NEEDED 4
#define ICMP_SOURCE_ROUTE_FAILED 5
#define ICMP_TTL_EXCEEDED 0
#define ICMP_REASSEMBLY_TIME_EXCEEDED 1

#define IPPROTO_ICMP 1
#define IPPROTO_IGMP 2
#define IPPROTO_ENCAP 4
#define IPPROTO_TCP 6
#define IPPROTO_UDP 17
#define IPPROTO_IPV6 41
#define IPPROTO_GRE 47
#define IPPROTO_ESP 50
#define IPPROTO_AH 51
#define IPPROTO_PIM 103
#define IPPROTO_SCTP 132
#define IPPROTO_RAW 255

#define INADDR_ANY 0U
#define INADDR_BROADCAST 0xffffffffU
#define INADDR_LOOPBACK_N htonl(0x7f000001U)
#define CLASSD(addr) (((addr)&htonl(0xf0000000U)) == htonl(0xe0000000U))
#define CLASSE(addr) (((addr)&htonl(0xf0000000U)) == htonl(0xf0000000U))
#define IP_LOOPBACK_ADDR(addr) (((addr)&htonl(0xff000000U)) == htonl(0x7f000000U))

#define IPOPT_EOL 0
#define IPOPT_NOP 1
#define IPOPT_RR 7
#define IPOPT_TS 68
#define IPOPT_SECURITY 130
#define IPOPT_LSRR 131
#define IPOPT_SSRR 137
#define IPOPT_COPY 0x80

/*
 * Index of the interface a packet came in on (0 = made in this host): written
 * by ip_rput into the first data block before the packet goes to a transport.
 */
#define DB_RECVIF(mp) ((mp)->b_datap->db_cksumstuff)

/* ---- interfaces ---- */

typedef struct phyint {
	uint_t phyint_ifindex;
	uint64_t phyint_flags;
} phyint_t;
#define PHYI_LOOPBACK 0x1
#define PHYI_POINTOPOINT 0x2

#define IFT_ETHER 6
#define IFT_LOOP 24
#define IFT_IPV4 200 /* IPv4 in IPv4: the tunnel module */

struct ipf;
struct ipfb;
struct ipif_s;

/* Link-level multicast group that the interface joined. */
typedef struct ilm_s {
	struct ilm_s *ilm_next;
	ipaddr_t ilm_addr;
	uint_t ilm_refcnt;
} ilm_t;

#define LIFNAMSIZ 32
#define ILL_FRAG_HASH_TBL_COUNT 64

typedef struct ill_s {
	queue_t *ill_rq, *ill_wq;
	char ill_name[LIFNAMSIZ];
	uint_t ill_ppa;
	uint_t ill_flags;
	phyint_t *ill_phyint;
	phyint_t ill_phyint0;
	uint_t ill_type;
	uint_t ill_max_frag;
	uint_t ill_sap;
	int ill_sap_length;
	uint_t ill_phys_addr_length;
	uchar_t ill_phys_addr[6], ill_bcast_mac[6];
	uint_t ill_state_flags;
	uint_t ill_dl_state;   /* DL_* */
	uint_t ill_dl_pending; /* primitive an answer is awaited to, -1 none */
	int ill_dl_error;      /* of the last answer, errno */
	kcondvar_t ill_cv;
	boolean_t ill_fastpath_nak; /* the driver has no fast path */
	uint64_t ill_capabilities;
	struct ipif_s *ill_ipif;
	ilm_t *ill_ilm;
	struct vnode *ill_vnode, *ill_arp_vnode;  /* the streams, held by ip_plumb */
	queue_t *ill_arp_wq;                      /* write queue of the arp module of this interface, NULL none */
	struct ire_s *ill_fp_first, *ill_fp_last; /* routes waiting for their link header */
	/* reassembly */
	struct ipfb *ill_frag_hash_tbl;
	size_t ill_frag_count; /* bytes queued */
	timeout_id_t ill_frag_timer_id;
	struct ill_s *ill_next;
} ill_t;
#define ILLF_ROUTER 0x1
#define ILLF_MULTICAST 0x2
#define ILL_CONDEMNED 0x02
#define ILL_LL_SUBNET_PENDING 0x01
#define ill_ifindex(ill) ((ill)->ill_phyint->phyint_ifindex)

typedef struct ipif_s {
	struct ipif_s *ipif_next;
	ill_t *ipif_ill;
	int ipif_id;
	uint_t ipif_mtu;
	uint_t ipif_user_mtu; /* no larger than this; 0 = the interface's */
	ipaddr_t ipif_lcl_addr, ipif_net_mask, ipif_subnet, ipif_brd_addr;
	ipaddr_t ipif_pp_dst_addr; /* other end of a point-to-point interface, else 0 */
	zoneid_t ipif_zoneid;
} ipif_t;

/* ---- routes ---- */

/*
 * T_BIND_REQ from a transport module to the ip driver under it: the address is
 * a struct sockaddr_in (local address and port; both 0 = all packets of the
 * protocol), or an ipa_conn_t; in both cases one byte with the protocol number
 * follows directly.  Answered with T_BIND_ACK (ipa_conn_t: with ac_laddr filled in)
 * or T_ERROR_ACK; T_UNBIND_REQ with T_OK_ACK.
 */
typedef struct ipa_conn_s {
	ipaddr_t ac_laddr, ac_faddr;
	in_port_t ac_fport, ac_lport;
} ipa_conn_t;

/*
 * A message of one block with an ipaddr_t, from a module above the ip driver:
 * which route leads there?  Answered with IRE_DB_TYPE: a copy of the route in use
 * or to be used (ire_t, whose pointers mean nothing), or empty when there is none.
 */
#define IRE_DB_REQ_TYPE M_PCSIG
#define IRE_DB_TYPE M_SIG

/* What the transports learned about a destination. */
typedef struct iulp_s {
	boolean_t iulp_set;
	uint32_t iulp_ssthresh;
	clock_t_ iulp_rtt, iulp_rtt_sd;
	uint32_t iulp_spipe, iulp_rpipe;
} iulp_t;

typedef struct ire_s {
	struct ire_s *ire_next;
	ipaddr_t ire_addr, ire_mask, ire_gateway_addr, ire_src_addr;
	uint_t ire_type;
	uint_t ire_flags;
	uint_t ire_marks;
	uint_t ire_refcnt;
	queue_t *ire_rfq; /* read queue its packets arrive on */
	queue_t *ire_stq; /* write queue to send on; NULL = stays here */
	uint_t ire_max_frag;
	uint_t ire_frag_flag; /* IPH_DF (host order) under path MTU discovery, else 0 */
	uint32_t ire_ident;
	uint64_t ire_ob_pkt_count, ire_ib_pkt_count;
	clock_t_ ire_last_used_time; /* s */
	clock_t_ ire_create_time;    /* ticks */
	ipif_t *ire_ipif;
	zoneid_t ire_zoneid;
	mblk_t *ire_fp_mp;     /* link header, M_DATA: rptr to wptr */
	mblk_t *ire_dlureq_mp; /* DL_UNITDATA_REQ until the link header is there */
	mblk_t *ire_pending;   /* packets waiting for ARP (b_next) */
	uint_t ire_npending;
	timeout_id_t ire_pmtu_id; /* ends the lowered ire_max_frag; holds a reference */
	uint_t ire_fp_id;         /* ioc_id of the request for the link header, 0 none */
	struct ire_s *ire_fp_next;
	struct ire_s *ire_waiters; /* routes through this gateway that wait for it (ire_fp_next), held */
	iulp_t ire_uinfo;
	uint32_t ire_hash;
	struct ire_s **ire_ptpn;
	struct ire_s *ire_lru_next, *ire_lru_prev; /* IRE_CACHE: least recently made first */
} ire_t;
#define IRE_BROADCAST 0x0001
#define IRE_DEFAULT 0x0002
#define IRE_LOCAL 0x0004
#define IRE_LOOPBACK 0x0008
#define IRE_PREFIX 0x0010
#define IRE_CACHE 0x0020
#define IRE_IF_NORESOLVER 0x0040
#define IRE_IF_RESOLVER 0x0080
#define IRE_HOST 0x0100
#define IRE_HOST_REDIRECT 0x0200
#define IRE_INTERFACE (IRE_IF_NORESOLVER | IRE_IF_RESOLVER)
#define IRE_OFFSUBNET (IRE_DEFAULT | IRE_PREFIX | IRE_HOST | IRE_HOST_REDIRECT)
#define IRE_CACHETABLE (IRE_CACHE | IRE_BROADCAST | IRE_LOCAL | IRE_LOOPBACK)
#define IRE_FORWARDTABLE (IRE_INTERFACE | IRE_OFFSUBNET)
/* ire_flags */
#define RTF_UP 0x1
#define RTF_GATEWAY 0x2
#define RTF_HOST 0x4
#define RTF_DYNAMIC 0x10
#define RTF_STATIC 0x800
/* ire_marks */
#define IRE_MARK_CONDEMNED 0x0001
#define IRE_MARK_NORECV 0x0002
#define IRE_MARK_HASHED 0x0008 /* in the cache table */
#define IRE_MARK_STATIC 0x0010 /* made from a permanent ARP entry: does not age */

#define GLOBAL_ZONEID 0

/* A route found is held; let go with IRE_REFRELE.  The tables hold one reference of their own. */
#define IRE_REFHOLD(ire) ((ire)->ire_refcnt++)
#define IRE_REFRELE(ire)                      \
	do {                                  \
		if (--(ire)->ire_refcnt == 0) \
			ire_inactive(ire);    \
	} while (0)
/* Is a route that was kept (conn_ire_cache) still good for dst? */
#define IRE_USABLE(ire, dst) ((ire)->ire_addr == (dst) && ((ire)->ire_marks & IRE_MARK_CONDEMNED) == 0)

/*
 * The cache-table entry for exactly addr as seen from interface ifindex (0 =
 * any; an entry of another interface is not found).  Held, or NULL.
 */
ire_t *ire_cache_lookup(ipaddr_t addr, zoneid_t zoneid, uint_t ifindex);
/* Longest prefix in the forwarding table, restricted to types in type_mask.  Held, or NULL. */
ire_t *ire_ftable_lookup(ipaddr_t addr, uint_t type_mask, uint_t ifindex);
void ire_inactive(ire_t *ire);
/* Take out of the tables and mark condemned; references elsewhere stay valid. */
void ire_delete(ire_t *ire);
/* How many cache entries exist, and how many were taken away because the limit (ip_ire_max_cache) was reached. */
void ire_cache_count(size_t *now, uint64_t *reclaimed);

/* ---- for the transports ---- */

#define IP_WPUT 1 /* caller argument: called from a put procedure or the like */
#define IP_WSRV 2 /* from ip_wsrv */

/*
 * Send an IP packet (header complete but for source 0, ident, DF and
 * checksums; the transport's length stands in its checksum field).
 * arg: the conn_t; q: its write queue (conn_wq).  Consumes mp.
 */
void ip_output(void *arg, mblk_t *mp, void *q, int caller);

/*
 * Bind to a local address: 0 when it is any, one of ours, a broadcast of ours
 * or multicast; else EADDRNOTAVAIL.  For T_BIND_REQ of the transports.
 */
int ip_bind_laddr(uint_t ifindex, ipaddr_t laddr);
/*
 * Route for a connection to faddr: 0 and *irep held (a cache entry, or the
 * interface or gateway route that will make one; ire_max_frag and
 * ire_gateway_addr are right either way), *laddrp filled when it was any; else
 * ENETUNREACH, EADDRNOTAVAIL (*laddrp not ours).
 */
int ip_bind_connected(uint_t ifindex, ipaddr_t *laddrp, ipaddr_t faddr, ire_t **irep);

/* Internet checksum (RFC 1071) of mp from its byte `off' on, added to sum; folded, not complemented, network order. */
uint_t ip_cksum(mblk_t *mp, size_t off, uint32_t sum);
/* Of a header: 0 when a received one is right; the value to store when its field is 0. */
uint16_t ip_csum_hdr(const ipha_t *ipha);
/* Sum of the pseudo header's addresses, for ip_cksum's third argument (protocol and length still to be added). */
ALWAYS_INLINE uint32_t ip_pseudo_sum(ipaddr_t src, ipaddr_t dst)
{
	return (src >> 16) + (src & 0xffff) + (dst >> 16) + (dst & 0xffff);
}

/*
 * Reset to a segment no conn was found for, and ICMP errors: IP hands TCP an
 * M_CTL of one block: outer IP header, ICMP header, quoted IP header and at
 * least 8 bytes of its transport header.
 */

/* Answer in ICMP to a packet (q: any queue of the interface it came by, or the sender's write queue).  Consumes mp,
 * which starts with its IP header. */
void icmp_unreachable(queue_t *q, mblk_t *mp, uint8_t code);
void icmp_frag_needed(queue_t *q, mblk_t *mp, uint_t mtu);
void icmp_time_exceeded(queue_t *q, mblk_t *mp, uint8_t code);
void icmp_param_problem(queue_t *q, mblk_t *mp, uint8_t ptr);

/* ---- drops ---- */

/* Why a packet ended in IP (or in UDP, TCP's checks in IP) without having been delivered or sent. */
/* clang-format off */
#define IP_DROP_REASONS(X) \
	X(IPD_NOT_UP, "interface not up") \
	X(IPD_NOMEM, "no memory") \
	X(IPD_SHORT, "shorter than its header says") \
	X(IPD_BAD_LENGTH, "bad length field") \
	X(IPD_VERSION, "not version 4") \
	X(IPD_IPV6, "IPv6 packet on an IPv4 interface") \
	X(IPD_LOOPBACK_ADDR, "loopback address on the wire") \
	X(IPD_OPTIONS, "bad option") \
	X(IPD_SRCROUTE, "source route") \
	X(IPD_NOT_MEMBER, "multicast group not joined") \
	X(IPD_LL_MULTICAST, "link broadcast to an address that is not ours") \
	X(IPD_NOT_OURS, "not for this host") \
	X(IPD_BCAST, "broadcast rule") \
	X(IPD_HDR_CKSUM, "bad header checksum") \
	X(IPD_TCP_HDR, "bad TCP header") \
	X(IPD_TCP_CKSUM, "bad TCP checksum") \
	X(IPD_TCP_LISTENER, "no use for a listener") \
	X(IPD_UDP_HDR, "bad UDP header") \
	X(IPD_UDP_CKSUM, "bad UDP checksum") \
	X(IPD_UDP_NOPORT, "UDP port closed") \
	X(IPD_UDP_FULL, "UDP receiver full") \
	X(IPD_RAW_FULL, "raw receiver full") \
	X(IPD_NO_PROTO, "protocol unknown") \
	X(IPD_SCTP, "SCTP: not modelled") \
	X(IPD_IGMP, "IGMP: not modelled") \
	X(IPD_IPSEC, "IPsec not loaded") \
	X(IPD_IPSEC_DROP, "refused by IPsec") \
	X(IPD_ENCAP, "bad encapsulated packet") \
	X(IPD_FORWARD, "forwarding failed") \
	X(IPD_TTL, "time to live") \
	X(IPD_FRAG_EMPTY, "empty fragment") \
	X(IPD_FRAG_UNKNOWN, "fragment of a datagram that was given up") \
	X(IPD_FRAG_DUP, "duplicate fragment") \
	X(IPD_FRAG_BAD, "fragments that do not fit") \
	X(IPD_FRAG_LONG, "reassembled datagram too long") \
	X(IPD_FRAG_TIMEOUT, "reassembly timeout") \
	X(IPD_FRAG_PRUNED, "reassembly limit") \
	X(IPD_ICMP_SHORT, "short ICMP message") \
	X(IPD_ICMP_CKSUM, "bad ICMP checksum") \
	X(IPD_ICMP_UNKNOWN, "ICMP type unknown") \
	X(IPD_ICMP_IGNORED, "ICMP message not answered") \
	X(IPD_ICMP_ERROR, "ICMP error nobody asked for") \
	X(IPD_ICMP_NOT_OK, "no ICMP error for this packet") \
	X(IPD_ICMP_RATE, "ICMP error rate limit") \
	X(IPD_NO_ROUTE, "no route") \
	X(IPD_UNREACHABLE, "host unreachable") \
	X(IPD_OUT_HDR, "bad header from the sender") \
	X(IPD_OUT_FULL, "interface full") \
	X(IPD_FRAG_NEEDED, "too long and not to be fragmented")
/* clang-format on */
typedef enum ip_drop {
#define IP_DROP_ENUM(id, text) id,
	IP_DROP_REASONS(IP_DROP_ENUM)
#undef IP_DROP_ENUM
	    IPD_N
} ip_drop_t;
extern KLOCAL uint64_t ip_drops[IPD_N];
extern const char *const ip_drop_text[IPD_N];
/* Which way the packets of a file go that it drops: ip_output.c says drop__out before it includes this. */
#ifndef IP_DROP_PROBE
#define IP_DROP_PROBE drop__in
#endif
/* Fires sdt:ip::ip-drop(text, mblk) and ip:::drop-in or drop-out, and counts; the caller frees. */
#define IP_DROP(reason, mp)                                                                  \
	do {                                                                                 \
		DTRACE_PROBE2(ip__drop, const char *, ip_drop_text[reason], mblk_t *, (mp)); \
		IP_PROBE(IP_DROP_PROBE, (mp), NULL, (ipha_t *)(mp)->b_rptr, NULL);           \
		ip_drops[reason]++;                                                          \
	} while (0)
/* Packets received on interfaces by protocol number. */
extern KLOCAL uint64_t ip_protocols[256];

/* ---- tunables (ndd /dev/ip) ---- */
extern KLOCAL struct ip_param {
	uint_t ip_def_ttl, ip_broadcast_ttl, ip_wroff_extra;
	boolean_t ip_forwarding, ip_send_redirects, ip_ignore_redirect, ip_forward_directed_broadcasts;
	boolean_t ip_forward_src_routed, ip_strict_dst_multihoming, ip_path_mtu_discovery, ip_output_queue;
	boolean_t ip_respond_to_echo_broadcast, ip_respond_to_echo_multicast, ip_respond_to_timestamp;
	boolean_t ip_respond_to_timestamp_broadcast, ip_respond_to_address_mask_broadcast;
	uint_t ip_icmp_return_data_bytes, ip_icmp_err_interval /* ms */, ip_icmp_err_burst;
	size_t ip_reass_queue_bytes;
	uint_t ip_g_frag_timeout /* s */;
	uint_t ip_ire_arp_interval, ip_ire_pathmtu_interval /* ms */;
	size_t ip_ire_max_cache;
} ip_param;

/* ---- set-up, for workloads (from a kernel thread; they sleep) ---- */

/*
 * Plumb interface ifname ("rtls0") on VLAN `vlan' (0 = untagged) with an
 * address: opens the device, pushes ip, attaches, binds, makes the routes and
 * starts arp, so that the driver's shortcut to ip is active.  mac: the
 * station's address, or NULL for the chip's own.  addr 0: interface without an
 * address.  0 or errno.
 */
int ip_plumb(const char *ifname, uint_t vlan, ipaddr_t addr, ipaddr_t mask, const uchar_t mac[6]);
/* Another address on a plumbed interface. */
int ip_addif(const char *ifname, uint_t vlan, ipaddr_t addr, ipaddr_t mask);
int ip_unplumb(const char *ifname, uint_t vlan);
/* Static ARP entry. */
int arp_static(const char *ifname, uint_t vlan, ipaddr_t addr, const uchar_t mac[6]);
/* A route through a gateway (mask 0 = default route).  ENETUNREACH when the gateway is on no interface. */
int ip_route_add(ipaddr_t dst, ipaddr_t mask, ipaddr_t gateway);
/* Index of an interface for conn_ifindex; 0 when there is none of that name. */
uint_t ip_ifindex(const char *ifname, uint_t vlan);

#endif
