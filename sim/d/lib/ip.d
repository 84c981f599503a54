/*
 * What ip, tcp and udp probes tell about packets: the parts that all share,
 * and the internet protocol's own.
 */
#pragma D depends_on module ip
#pragma D depends_on provider ip
#pragma D depends_on library procfs.d

inline int IPPROTO_IP = 0;
inline int IPPROTO_ICMP = 1;
inline int IPPROTO_IGMP = 2;
inline int IPPROTO_ENCAP = 4;
inline int IPPROTO_TCP = 6;
inline int IPPROTO_UDP = 17;
inline int IPPROTO_IPV6 = 41;
inline int IPPROTO_ESP = 50;
inline int IPPROTO_AH = 51;
inline int IPPROTO_ICMPV6 = 58;
inline int IPPROTO_OSPF = 89;
inline int IPPROTO_SCTP = 132;
inline int IPPROTO_RAW = 255;

inline uint8_t AF_INET = 2;
inline uint8_t AF_INET6 = 26;

/* The message that carries the packet. */
typedef struct pktinfo {
	uintptr_t pkt_addr;
} pktinfo_t;

translator pktinfo_t < mblk_t *M > {
	pkt_addr = (uintptr_t)M;
};

/* The endpoint in this host; cs_pid is known of TCP alone. */
typedef struct csinfo {
	uintptr_t cs_addr;
	uint64_t cs_cid;
	pid_t cs_pid;
	zoneid_t cs_zoneid;
} csinfo_t;

translator csinfo_t < conn_t *C > {
	cs_addr = (uintptr_t)C;
	cs_cid = (uint64_t)C;
	cs_pid = C != NULL && C->conn_tcp != NULL && !C->conn_tcp->tcp_tw_cut ? C->conn_tcp->tcp_cpid : -1;
	cs_zoneid = C != NULL ? C->conn_zoneid : -1;
};

/* A packet of either version. */
typedef struct ipinfo {
	uint8_t ip_ver;
	uint32_t ip_plength; /* behind the header */
	string ip_saddr;
	string ip_daddr;
} ipinfo_t;

translator ipinfo_t < ipha_t *I > {
	ip_ver = I == NULL ? 0 : I->ipha_version_and_hdr_length >> 4;
	ip_plength = I == NULL ? 0 : ntohs(I->ipha_length) - ((I->ipha_version_and_hdr_length & 0xf) << 2);
	ip_saddr = I == NULL ? "<unknown>" : inet_ntoa(&I->ipha_src);
	ip_daddr = I == NULL ? "<unknown>" : inet_ntoa(&I->ipha_dst);
};

typedef int netstackid_t;

/* The interface: if_local for what does not leave the host. */
typedef struct ifinfo {
	string if_name;
	int8_t if_local;
	netstackid_t if_ipstack;
	uintptr_t if_addr;
} ifinfo_t;

translator ifinfo_t < ill_t *I > {
	if_name = I == NULL ? "<null>" : stringof(I->ill_name);
	if_local = I != NULL && (I->ill_phyint->phyint_flags & 1);
	if_ipstack = 0;
	if_addr = (uintptr_t)I;
};

/* RFC 791, in host byte order; addresses as numbers stay as they are. */
typedef struct ipv4info {
	uint8_t ipv4_ver;
	uint8_t ipv4_ihl; /* bytes */
	uint8_t ipv4_tos;
	uint16_t ipv4_length;
	uint16_t ipv4_ident;
	uint8_t ipv4_flags; /* IPV4_DF, IPV4_MF */
	uint16_t ipv4_offset; /* bytes */
	uint8_t ipv4_ttl;
	uint8_t ipv4_protocol;
	string ipv4_protostr;
	uint16_t ipv4_checksum;
	ipaddr_t ipv4_src;
	ipaddr_t ipv4_dst;
	string ipv4_saddr;
	string ipv4_daddr;
	ipha_t *ipv4_hdr;
} ipv4info_t;

inline uint8_t IPV4_RF = 4;
inline uint8_t IPV4_DF = 2;
inline uint8_t IPV4_MF = 1;

inline string ip_protostr[uint8_t p] =
    p == 1 ? "ICMP" : p == 2 ? "IGMP" : p == 4 ? "IP-IN-IP" : p == 6 ? "TCP" : p == 17 ? "UDP" :
    p == 41 ? "IPV6" : p == 50 ? "ESP" : p == 51 ? "AH" : p == 58 ? "ICMPV6" : p == 89 ? "OSPF" :
    p == 132 ? "SCTP" : lltostr((uint64_t)p);

translator ipv4info_t < ipha_t *I > {
	ipv4_ver = I == NULL ? 0 : I->ipha_version_and_hdr_length >> 4;
	ipv4_ihl = I == NULL ? 0 : (I->ipha_version_and_hdr_length & 0xf) << 2;
	ipv4_tos = I == NULL ? 0 : I->ipha_type_of_service;
	ipv4_length = I == NULL ? 0 : ntohs(I->ipha_length);
	ipv4_ident = I == NULL ? 0 : ntohs(I->ipha_ident);
	ipv4_flags = I == NULL ? 0 : ntohs(I->ipha_fragment_offset_and_flags) >> 13;
	ipv4_offset = I == NULL ? 0 : (ntohs(I->ipha_fragment_offset_and_flags) & 0x1fff) << 3;
	ipv4_ttl = I == NULL ? 0 : I->ipha_ttl;
	ipv4_protocol = I == NULL ? 0 : I->ipha_protocol;
	ipv4_protostr = I == NULL ? "<null>" : ip_protostr[I->ipha_protocol];
	ipv4_checksum = I == NULL ? 0 : ntohs(I->ipha_hdr_checksum);
	ipv4_src = I == NULL ? 0 : I->ipha_src;
	ipv4_dst = I == NULL ? 0 : I->ipha_dst;
	ipv4_saddr = I == NULL ? "<null>" : inet_ntoa(&I->ipha_src);
	ipv4_daddr = I == NULL ? "<null>" : inet_ntoa(&I->ipha_dst);
	ipv4_hdr = I;
};

/* RFC 2460: the model sends no such packets, so the argument is always NULL. */
typedef struct ip6 {
	uint32_t ip6_flow;
	uint16_t ip6_plen;
	uint8_t ip6_nxt;
	uint8_t ip6_hlim;
	in6_addr_t ip6_src;
	in6_addr_t ip6_dst;
} ip6_t;

typedef struct ipv6info {
	uint8_t ipv6_ver;
	uint8_t ipv6_tclass;
	uint32_t ipv6_flow;
	uint16_t ipv6_plen;
	uint8_t ipv6_nexthdr;
	string ipv6_nextstr;
	uint8_t ipv6_hlim;
	in6_addr_t *ipv6_src;
	in6_addr_t *ipv6_dst;
	string ipv6_saddr;
	string ipv6_daddr;
	ip6_t *ipv6_hdr;
} ipv6info_t;

translator ipv6info_t < ip6_t *I > {
	ipv6_ver = I == NULL ? 0 : ntohl(I->ip6_flow) >> 28;
	ipv6_tclass = I == NULL ? 0 : (ntohl(I->ip6_flow) >> 20) & 0xff;
	ipv6_flow = I == NULL ? 0 : ntohl(I->ip6_flow) & 0xfffff;
	ipv6_plen = I == NULL ? 0 : ntohs(I->ip6_plen);
	ipv6_nexthdr = I == NULL ? 0 : I->ip6_nxt;
	ipv6_nextstr = I == NULL ? "<null>" : ip_protostr[I->ip6_nxt];
	ipv6_hlim = I == NULL ? 0 : I->ip6_hlim;
	ipv6_src = I == NULL ? NULL : &I->ip6_src;
	ipv6_dst = I == NULL ? NULL : &I->ip6_dst;
	ipv6_saddr = I == NULL ? "<null>" : inet_ntoa6(&I->ip6_src);
	ipv6_daddr = I == NULL ? "<null>" : inet_ntoa6(&I->ip6_dst);
	ipv6_hdr = I;
};
