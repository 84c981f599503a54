/*
 * Datagrams and their endpoints, for the provider udp.
 */
#pragma D depends_on module udp
#pragma D depends_on provider udp
#pragma D depends_on library ip.d

/* The header, in host byte order. */
typedef struct udpinfo {
	uint16_t udp_sport;
	uint16_t udp_dport;
	uint16_t udp_length;
	uint16_t udp_checksum;
	udpha_t *udp_hdr;
} udpinfo_t;

translator udpinfo_t < udpha_t *U > {
	udp_sport = U == NULL ? 0 : ntohs(U->uha_src_port);
	udp_dport = U == NULL ? 0 : ntohs(U->uha_dst_port);
	udp_length = U == NULL ? 0 : ntohs(U->uha_length);
	udp_checksum = U == NULL ? 0 : ntohs(U->uha_checksum);
	udp_hdr = U;
};

/* The endpoint: the peer is that of a connected one, else 0. */
typedef struct udpsinfo {
	uintptr_t udps_addr;
	uint16_t udps_lport;
	uint16_t udps_rport;
	string udps_laddr;
	string udps_raddr;
} udpsinfo_t;

translator udpsinfo_t < udp_t *U > {
	udps_addr = (uintptr_t)U;
	udps_lport = U == NULL ? 0 : ntohs(U->udp_port);
	udps_rport = U == NULL ? 0 : ntohs(U->udp_dstport);
	udps_laddr = U == NULL ? "<unknown>" : inet_ntoa6(&U->udp_v6src);
	udps_raddr = U == NULL ? "<unknown>" : inet_ntoa6(&U->udp_v6dst);
};
