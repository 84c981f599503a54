/*
 * Tunnels: IPv4 in IPv4 (RFC 2003), tun(7M).
 *
 * The stream of a tunnel interface is
 *
 *	stream head - ip (interface ip.tun0) - tun - ip driver (conn of protocol 4)
 *
 * tun is a link-level driver (DLPI) for the ip above and a transport user
 * (TPI) of the ip below.  Its parameters are the outer addresses (tsrc, tdst),
 * the outer hop limit and the protection of the outer packets.
 *
 * How to set up a host, from a kernel thread (all of these sleep; 0 or errno;
 * addresses in network order):
 *
 *	ip_plumb("rtls0", 0, addr, mask, mac)	Ethernet interface (ip/ip.h); vlan 0, mac NULL: the chip's own
 *	arp_static("rtls0", 0, addr, mac)	a neighbour that needs no ARP
 *	ip_route_add(dst, mask, gateway)	mask 0: default route; the gateway may be a tunnel's other end
 *	sadb_add(&req)				ESP's associations, one for each direction (sys/ipsec.h)
 *	tun_plumb(&config)			the tunnel: opens /dev/ip, pushes tun and ip, SIOCSTUNPARAM,
 *						attaches, binds, gives it its addresses and brings it up
 *	tun_unplumb("ip.tun0"), ip_unplumb("rtls0", 0)
 *
 * Example: 10.0.0.1 tunnels to 10.0.0.2 under ESP; inside it is 192.168.9.1,
 * the other end 192.168.9.2, and behind that is 172.16.0.0/16.
 *
 *	ipsec_sa_req_t out = {.isr_dir = IPSA_OUTBOUND, .isr_spi = 0x1001, .isr_src = OUR, .isr_dst = THEIR,
 *			      .isr_alg = SADB_EALG_NULL};
 *	ipsec_sa_req_t in = {.isr_dir = IPSA_INBOUND, .isr_spi = 0x2002, .isr_src = THEIR, .isr_dst = OUR,
 *			     .isr_alg = SADB_EALG_NULL, .isr_window = 32};
 *	tun_config_t c = {.tc_name = "ip.tun0", .tc_tsrc = OUR, .tc_tdst = THEIR, .tc_addr = IN_OUR,
 *			  .tc_dstaddr = IN_THEIR,
 *			  .tc_secinfo = {.ipsr_esp_req = IPSEC_PREF_REQUIRED, .ipsr_esp_alg = SADB_EALG_NULL}};
 *	sadb_add(&out); sadb_add(&in); tun_plumb(&c); ip_route_add(172.16.0.0, 255.255.0.0, IN_THEIR);
 *
 * The ioctls work on the interface's own stream (I_STR or plain).
 */
#ifndef STRSIM_SYS_TUN_H
#define STRSIM_SYS_TUN_H

#include "sys/ipsec.h"
#include "sys/socket.h"
#include "sys/types.h"

#define SIOCGTUNPARAM 0xc0486993U /* struct iftun_req: in its name, out the rest */
#define SIOCSTUNPARAM 0x80486994U /* struct iftun_req */

enum ifta_proto { IFTAP_INVALID, IFTAP_IPV4, IFTAP_IPV6 };

#define IFTUN_NAMSIZ 32
struct iftun_req {
	char ifta_lifr_name[IFTUN_NAMSIZ];
	struct sockaddr_storage ifta_saddr; /* tsrc, AF_INET */
	struct sockaddr_storage ifta_daddr; /* tdst, AF_INET */
	uint_t ifta_flags;                  /* IFTUN_...: which members count */
	enum ifta_proto ifta_upper, ifta_lower;
	uint_t ifta_vers; /* IFTUN_VERSION */
	ipsec_req_t ifta_secinfo;
	int16_t ifta_encap_lim; /* IPv6 only */
	uint8_t ifta_hop_limit; /* 1..255 */
	uint8_t ifta_spare0;
	uint32_t ifta_spare1;
};
#define IFTUN_SRC 0x01
#define IFTUN_DST 0x02
#define IFTUN_SECURITY 0x04
#define IFTUN_ENCAP 0x08
#define IFTUN_HOPLIMIT 0x10
#define IFTUN_VERSION 1

#define TUN_DEFAULT_HOPLIMIT 60

typedef struct tun_config {
	const char *tc_name;          /* letters and a number: "ip.tun0" */
	ipaddr_t tc_tsrc, tc_tdst;    /* outer addresses */
	ipaddr_t tc_addr, tc_dstaddr; /* the interface's, and the other end's */
	uint_t tc_mtu;                /* at most this; 0 = what the path below takes */
	uint_t tc_hoplimit;           /* 0 = TUN_DEFAULT_HOPLIMIT */
	ipsec_req_t tc_secinfo;       /* all 0: in the clear */
} tun_config_t;

/* EINVAL (name, addresses, protection), EEXIST, EADDRNOTAVAIL (tsrc not ours), ENETUNREACH (tdst), ENOMEM. */
int tun_plumb(const tun_config_t *config);
/* ENXIO when there is no such interface. */
int tun_unplumb(const char *name);
/* Its parameters again (the stream's SIOCSTUNPARAM). */
int tun_set_param(const char *name, const struct iftun_req *req);

/*
 * A counter of a tunnel (kstat tun:PPA:NAME): nocanput, xmtretry, allocbfail,
 * ipackets, opackets, rbytes, obytes, InErrors, OutErrors, InDiscard,
 * OutDiscard, multircv, multixmt, and the 64-bit forms HCInOctets, HCOutOctets,
 * HCInUcastPkts, HCOutUcastPkts, HCInMulticastPkts, HCOutMulticastPkts.
 * 0 and *found false when there is none.
 */
uint64_t tun_kstat(uint_t ppa, const char *name, bool *found);

#endif
