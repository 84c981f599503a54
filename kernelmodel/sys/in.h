/* Internet addresses and IP-level options (netinet/in.h; ip(7P)). */
#ifndef STRSIM_SYS_IN_H
#define STRSIM_SYS_IN_H

#include "sys/types.h"

#ifndef AF_INET
#define AF_INET 2
#endif

struct in_addr {
	ipaddr_t s_addr;
};
struct sockaddr_in {
	uint16_t sin_family;
	in_port_t sin_port; /* network order */
	struct in_addr sin_addr;
	char sin_zero[8];
};
typedef struct sockaddr_in sin_t;

#define IPPROTO_IP 0

/* Options of level IPPROTO_IP. */
#define IP_OPTIONS 1
#define IP_HDRINCL 2
#define IP_TOS 3
#define IP_TTL 4
#define IP_RECVOPTS 5
#define IP_RECVRETOPTS 6
#define IP_RECVDSTADDR 7
#define IP_RETOPTS 8
#define IP_RECVIF 9
#define IP_RECVSLLA 10
#define IP_RECVTTL 11
#define IP_MULTICAST_IF 0x10
#define IP_MULTICAST_TTL 0x11
#define IP_MULTICAST_LOOP 0x12
#define IP_ADD_MEMBERSHIP 0x13
#define IP_DROP_MEMBERSHIP 0x14
#define IP_SEC_OPT 0x22  /* ipsec_req_t (sys/ipsec.h): what protection the endpoint asks for */
#define IP_BOUND_IF 0x41 /* int: interface index, 0 = any */

struct ip_mreq {
	struct in_addr imr_multiaddr;
	struct in_addr imr_interface;
};

#endif
