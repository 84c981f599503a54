/* IP: validation of what comes in, where it goes, what goes out, routes. */
#include "tests/nettest.h"
#include "ip/ip_impl.h"

NET_SUITE(ip);

static pkt_t k;

/* An endpoint at port 5000, and a good datagram to it. */
static tpi_t *receiver(void)
{
	tpi_t *t = udp_ep_open();

	cr_assert_eq(udp_ep_bind(t, INADDR_ANY, 5000), T_BIND_ACK);
	pkt_udp(&k, PEER, 4000, HOST, 5000, "hello");
	return t;
}
#define IPB (k.k_data + 14)
#define GOT(t) cr_assert_eq(udp_ep_get(t), T_UNITDATA_IND)
#define NOTHING(t) cr_assert_eq(udp_ep_get(t), -1)

/* ---- validation ---- */

Test(ip, lengths)
{
	tpi_t *t = receiver();

	k.k_len += 13; /* rubbish behind the packet */
	net_rx(&k);
	GOT(t);
	cr_assert_eq(t->t_ansdatalen, 5);
	put16(IPB + 2, 200);
	pkt_ip_cksum(&k);
	net_rx(&k);
	NOTHING(t);
	EXPECT_MIB(ipInHdrErrors, 1);
	EXPECT_DROPS(IPD_SHORT, 1);
	put16(IPB + 2, 19);
	pkt_ip_cksum(&k);
	net_rx(&k);
	NOTHING(t);
	EXPECT_MIB(ipInHdrErrors, 2);
	EXPECT_DROPS(IPD_BAD_LENGTH, 1);
	EXPECT_MIB(ipInReceives, 3);
	prog_exit();
}

Test(ip, header_checksum)
{
	tpi_t *t = receiver();

	IPB[10] ^= 1;
	net_rx(&k);
	NOTHING(t);
	EXPECT_MIB(ipInCksumErrs, 1);
	EXPECT_DROPS(IPD_HDR_CKSUM, 1);
	net_rx_flags(&k, WIRE_NOCKSUM_IP);
	GOT(t);
	IPB[10] ^= 1;
	k.k_data[41] ^= 1;
	net_rx(&k);
	NOTHING(t);
	EXPECT_MIB(udpInCksumErrs, 1);
	EXPECT_DROPS(IPD_UDP_CKSUM, 1);
	net_rx_flags(&k, WIRE_NOCKSUM_L4);
	GOT(t);
	put16(k.k_data + 40, 0);
	net_rx(&k);
	GOT(t); /* no checksum was made */
	/* Other protocols, and a drop is a drop with each. */
	pkt_ip(&k, PEER, HOST, 99, 0, "abcdefgh", 8);
	IPB[10] ^= 1;
	net_rx(&k);
	EXPECT_MIB(ipInCksumErrs, 2);
	pkt_ip(&k, PEER, HOST, 6, 0, "abcdefghijklmnopqrst", 20);
	IPB[10] ^= 1;
	net_rx(&k);
	EXPECT_MIB(ipInCksumErrs, 3);
	prog_exit();
}

Test(ip, versions)
{
	tpi_t *t = receiver();

	IPB[0] = 0x65;
	pkt_ip_cksum(&k);
	net_rx(&k);
	EXPECT_MIB(ipInIPv6, 1);
	EXPECT_DROPS(IPD_IPV6, 1);
	IPB[0] = 0x55;
	net_rx(&k);
	EXPECT_MIB(ipInHdrErrors, 1);
	EXPECT_DROPS(IPD_VERSION, 1);
	IPB[0] = 0x44;
	pkt_ip_cksum(&k);
	net_rx(&k);
	EXPECT_MIB(ipInHdrErrors, 2);
	IPB[0] = 0x4f; /* a header longer than the packet */
	net_rx(&k);
	EXPECT_MIB(ipInHdrErrors, 3);
	EXPECT_DROPS(IPD_BAD_LENGTH, 2);
	NOTHING(t);
	prog_exit();
}

Test(ip, addresses)
{
	tpi_t *t = receiver();

	pkt_udp(&k, IP4(127, 0, 0, 1), 4000, HOST, 5000, "x");
	net_rx(&k);
	pkt_udp(&k, PEER, 4000, IP4(127, 0, 0, 1), 5000, "x");
	net_rx(&k);
	EXPECT_MIB(ipInAddrErrors, 2);
	pkt_udp(&k, PEER, 4000, IP4(10, 0, 0, 77), 5000, "x");
	net_rx(&k);
	EXPECT_MIB(ipForwProhibits, 1);
	EXPECT_DROPS(IPD_NOT_OURS, 1);
	/* The same for an address that has a route, through the peer's cache entry. */
	udp_ep_send(t, PEER, 9, "x");
	pkt_udp(&k, IP4(10, 0, 0, 3), 4000, PEER, 5000, "x");
	net_rx(&k);
	EXPECT_MIB(ipForwProhibits, 2);
	pkt_udp(&k, PEER, 4000, IP4(10, 0, 0, 77), 5000, "x");
	memcpy(k.k_data, bcast_mac, 6);
	net_rx(&k);
	EXPECT_MIB(ipForwProhibits, 2);
	EXPECT_DROPS(IPD_LL_MULTICAST, 1);
	NOTHING(t);
	cr_assert_eq(net_nsent, 1);
	prog_exit();
}

/* Options: a record route is let through; bad ones and source routes are answered. */
Test(ip, options)
{
	tpi_t *t = receiver();
	pkt_t plain = k;

#define WITH_OPTIONS(opts)                                           \
	do {                                                         \
		k = plain;                                           \
		memmove(k.k_data + 42, k.k_data + 34, k.k_len - 34); \
		memcpy(k.k_data + 34, opts, 8);                      \
		k.k_len += 8;                                        \
		IPB[0] = 0x47;                                       \
		put16(IPB + 2, (uint_t)(k.k_len - 14));              \
		pkt_ip_cksum(&k);                                    \
		net_rx(&k);                                          \
	} while (0)
	WITH_OPTIONS("\x07\x07\x04\x00\x00\x00\x00\x00"); /* record route, one slot */
	GOT(t);
	cr_assert_eq(t->t_ansdatalen, 5);
	WITH_OPTIONS("\x01\x01\x01\x01\x01\x01\x01\x00");
	GOT(t);
	cr_assert_eq(net_nsent, 0);
	WITH_OPTIONS("\x07\x09\x04\x00\x00\x00\x00\x00"); /* longer than the header */
	NOTHING(t);
	EXPECT_MIB(ipInHdrErrors, 1);
	EXPECT_DROPS(IPD_OPTIONS, 1);
	cr_assert_eq(net_nsent, 1);
	check_sums(0);
	cr_assert_eq(SENT_ULP(0)[0], ICMP_PARAM_PROBLEM);
	cr_assert_eq(SENT_ULP(0)[4], 20, "at the option");
	WITH_OPTIONS("\x01\x07\x01\x00\x00\x00\x00\x00");
	cr_assert_eq(SENT_ULP(1)[4], 21);
	WITH_OPTIONS("\x83\x07\x04\x0a\x00\x00\x09\x00"); /* loose source route on to 10.0.0.9 */
	NOTHING(t);
	EXPECT_DROPS(IPD_SRCROUTE, 1);
	EXPECT_MIB(ipForwProhibits, 1);
	cr_assert_eq(SENT_ULP(2)[0], ICMP_DEST_UNREACHABLE);
	cr_assert_eq(SENT_ULP(2)[1], ICMP_SOURCE_ROUTE_FAILED);
	WITH_OPTIONS("\x83\x07\x08\x0a\x00\x00\x09\x00"); /* one that is used up */
	GOT(t);
	prog_exit();
}

/* ---- broadcast and multicast ---- */

Test(ip, broadcast)
{
	tpi_t *t = receiver(), *u = udp_ep_open();

	pkt_udp(&k, PEER, 4000, IP4(10, 0, 0, 255), 5000, "all");
	memcpy(k.k_data, bcast_mac, 6);
	net_rx(&k);
	GOT(t);
	pkt_udp(&k, PEER, 4000, INADDR_BROADCAST, 5000, "all");
	memcpy(k.k_data, bcast_mac, 6);
	net_rx(&k);
	GOT(t);
	pkt_udp(&k, PEER, 4000, IP4(10, 0, 0, 255), 5001, "all");
	memcpy(k.k_data, bcast_mac, 6);
	net_rx(&k);
	EXPECT_MIB(udpNoPorts, 1);
	cr_assert_eq(net_nsent, 0, "a broadcast causes no error");
	/* TCP to a broadcast address. */
	pkt_ip(&k, PEER, IP4(10, 0, 0, 255), 6, 0, "abcdefghijklmnopqrst", 20);
	memcpy(k.k_data, bcast_mac, 6);
	net_rx(&k);
	EXPECT_MIB(ipInDiscards, 1);
	EXPECT_DROPS(IPD_BCAST, 1);
	/* Two at one port, the first with SO_REUSEADDR: both get it. */
	int one = 1;
	udp_ep_close(t);
	t = udp_ep_open();
	cr_assert_eq(udp_ep_opt(t, SOL_SOCKET, SO_REUSEADDR, &one, 4), T_OPTMGMT_ACK);
	cr_assert_eq(udp_ep_opt(u, SOL_SOCKET, SO_REUSEADDR, &one, 4), T_OPTMGMT_ACK);
	cr_assert_eq(udp_ep_bind(t, INADDR_ANY, 5000), T_BIND_ACK);
	cr_assert_eq(udp_ep_bind(u, INADDR_ANY, 5000), T_BIND_ACK);
	pkt_udp(&k, PEER, 4000, IP4(10, 0, 0, 255), 5000, "both");
	memcpy(k.k_data, bcast_mac, 6);
	net_rx(&k);
	GOT(t);
	GOT(u);
	cr_assert_eq(memcmp(u->t_ansdata, "both", 4), 0);
	/* A unicast goes to one. */
	pkt_udp(&k, PEER, 4000, HOST, 5000, "one");
	net_rx(&k);
	cr_assert_eq((udp_ep_get(t) == T_UNITDATA_IND) + (udp_ep_get(u) == T_UNITDATA_IND), 1);
	prog_exit();
}

Test(ip, broadcast_out)
{
	tpi_t *t = receiver(), *u = udp_ep_open();

	udp_ep_bind(u, INADDR_ANY, 6000);
	udp_ep_send(u, IP4(10, 0, 0, 255), 5000, "all");
	cr_assert_eq(net_nsent, 1);
	cr_assert_eq(memcmp(net_sent[0].s_data, bcast_mac, 6), 0);
	cr_assert_eq(SENT_IP(0)->ipha_ttl, 1);
	cr_assert_eq(SENT_IP(0)->ipha_fragment_offset_and_flags, 0);
	check_sums(0);
	GOT(t); /* our own copy */
	cr_assert_eq(((struct sockaddr_in *)(void *)(t->t_ans + 20))->sin_addr.s_addr, HOST);
	EXPECT_MIB(ipOutRequests, 1);
	prog_exit();
}

#define GROUP IP4(224, 1, 2, 3)
Test(ip, multicast)
{
	static const uchar_t group_mac[6] = {0x01, 0x00, 0x5e, 0x01, 0x02, 0x03};
	static const uchar_t all_mac[6] = {0x01, 0x00, 0x5e, 0x00, 0x00, 0x01};
	struct ip_mreq mreq = {{GROUP}, {INADDR_ANY}}, bad = {{HOST}, {INADDR_ANY}}, where = {{GROUP}, {PEER}};
	tpi_t *t = receiver(), *u = udp_ep_open();

	udp_ep_bind(u, INADDR_ANY, 6000);
	pkt_udp(&k, PEER, 4000, GROUP, 5000, "group");
	memcpy(k.k_data, group_mac, 6);
	cr_assert_eq(net_rx(&k), WIRE_FILTERED);
	cr_assert_eq(udp_ep_opt(t, IPPROTO_IP, IP_ADD_MEMBERSHIP, &bad, sizeof(bad)), T_ERROR_ACK);
	cr_assert_eq(((struct T_error_ack *)(void *)t->t_ans)->UNIX_error, EINVAL);
	cr_assert_eq(udp_ep_opt(t, IPPROTO_IP, IP_ADD_MEMBERSHIP, &where, sizeof(where)), T_ERROR_ACK);
	cr_assert_eq(((struct T_error_ack *)(void *)t->t_ans)->UNIX_error, EADDRNOTAVAIL);
	cr_assert_eq(udp_ep_opt(t, IPPROTO_IP, IP_ADD_MEMBERSHIP, &mreq, sizeof(mreq)), T_OPTMGMT_ACK);
	cr_assert_eq(udp_ep_opt(t, IPPROTO_IP, IP_ADD_MEMBERSHIP, &mreq, sizeof(mreq)), T_ERROR_ACK);
	cr_assert_eq(((struct T_error_ack *)(void *)t->t_ans)->UNIX_error, EADDRINUSE);
	cr_assert_eq(net_rx(&k), WIRE_TAKEN);
	GOT(t);
	/* The all-hosts group is joined with the interface, but this endpoint is not in it. */
	pkt_udp(&k, PEER, 4000, IP4(224, 0, 0, 1), 5000, "hosts");
	memcpy(k.k_data, all_mac, 6);
	net_rx(&k);
	NOTHING(t);
	EXPECT_MIB(udpNoPorts, 1);
	/* Outgoing: link address from the group's, TTL 1, and our members hear it. */
	udp_ep_send(u, GROUP, 5000, "mine");
	cr_assert_eq(net_nsent, 1);
	cr_assert_eq(memcmp(net_sent[0].s_data, group_mac, 6), 0);
	cr_assert_eq(SENT_IP(0)->ipha_ttl, 1);
	check_sums(0);
	GOT(t);
	uchar_t ttl = 7;
	cr_assert_eq(udp_ep_opt(u, IPPROTO_IP, IP_MULTICAST_TTL, &ttl, 1), T_OPTMGMT_ACK);
	uchar_t loop = 0;
	cr_assert_eq(udp_ep_opt(u, IPPROTO_IP, IP_MULTICAST_LOOP, &loop, 1), T_OPTMGMT_ACK);
	udp_ep_send(u, GROUP, 5000, "mine");
	cr_assert_eq(SENT_IP(1)->ipha_ttl, 7);
	NOTHING(t);
	cr_assert_eq(udp_ep_opt(t, IPPROTO_IP, IP_DROP_MEMBERSHIP, &mreq, sizeof(mreq)), T_OPTMGMT_ACK);
	cr_assert_eq(udp_ep_opt(t, IPPROTO_IP, IP_DROP_MEMBERSHIP, &mreq, sizeof(mreq)), T_ERROR_ACK);
	pkt_udp(&k, PEER, 4000, GROUP, 5000, "group");
	memcpy(k.k_data, group_mac, 6);
	cr_assert_eq(net_rx(&k), WIRE_FILTERED);
	prog_exit();
}

/* ---- protocols ---- */

Test(ip, protocols)
{
	pkt_ip(&k, PEER, HOST, 132, 0, "sctpsctpsctp", 12);
	net_rx(&k);
	EXPECT_DROPS(IPD_SCTP, 1);
	EXPECT_MIB(ipInUnknownProtos, 0);
	cr_assert_eq(net_nsent, 0);
	pkt_ip(&k, PEER, HOST, 2, 0, "igmpigmp", 8);
	net_rx(&k);
	EXPECT_DROPS(IPD_IGMP, 1);
	cr_assert_eq(net_nsent, 0);
	pkt_ip(&k, PEER, HOST, 47, 0, "gregregre", 9);
	net_rx(&k);
	EXPECT_DROPS(IPD_NO_PROTO, 1);
	EXPECT_MIB(ipInUnknownProtos, 1);
	cr_assert_eq(net_nsent, 1);
	cr_assert_eq(SENT_ULP(0)[0], ICMP_DEST_UNREACHABLE);
	cr_assert_eq(SENT_ULP(0)[1], ICMP_PROTOCOL_UNREACHABLE);
	cr_assert_eq(memcmp(SENT_ULP(0) + 8, IPB, 29), 0, "it quotes the packet");
	check_sums(0);
	pkt_ip(&k, PEER, HOST, 50, 0, "espespesp", 9);
	net_rx(&k);
	EXPECT_DROPS(IPD_IPSEC, 1);
	EXPECT_MIB(ipInUnknownProtos, 2);
	cr_assert_eq(ip_protocols[132], 1);
	cr_assert_eq(ip_protocols[47], 1);
	cr_assert_eq(ip_protocols[17], 0);
}

/* IP in IP between the same hosts is unpacked; other inner addresses want a tunnel. */
Test(ip, encap)
{
	tpi_t *t = receiver();
	pkt_t in = k;

	pkt_ip(&k, PEER, HOST, 4, 0, in.k_data + 14, in.k_len - 14);
	net_rx(&k);
	GOT(t);
	pkt_udp(&in, IP4(1, 1, 1, 1), 4000, HOST, 5000, "x");
	pkt_ip(&k, PEER, HOST, 4, 0, in.k_data + 14, in.k_len - 14);
	net_rx(&k);
	NOTHING(t);
	EXPECT_MIB(ipInUnknownProtos, 1);
	in.k_data[14] = 0x65;
	pkt_ip(&k, PEER, HOST, 4, 0, in.k_data + 14, in.k_len - 14);
	net_rx(&k);
	EXPECT_DROPS(IPD_ENCAP, 1);
	pkt_ip(&k, PEER, HOST, 4, 0, "short", 5);
	net_rx(&k);
	EXPECT_DROPS(IPD_ENCAP, 2);
	EXPECT_MIB(ipInDiscards, 2);
	prog_exit();
}

Test(ip, tcp_header)
{
	uchar_t seg[20] = {0x10, 0x00, 0x00, 0x50, 0, 0, 0, 1, 0, 0, 0, 0, 0x50, 0x02, 0x10, 0x00};

	pkt_ip(&k, PEER, HOST, 6, 0, seg, 19);
	net_rx(&k);
	EXPECT_DROPS(IPD_TCP_HDR, 1);
	seg[12] = 0x40; /* data offset under 5 */
	pkt_ip(&k, PEER, HOST, 6, 0, seg, 20);
	net_rx(&k);
	EXPECT_DROPS(IPD_TCP_HDR, 2);
	seg[12] = 0x60; /* beyond the segment */
	pkt_ip(&k, PEER, HOST, 6, 0, seg, 20);
	net_rx(&k);
	EXPECT_DROPS(IPD_TCP_HDR, 3);
	EXPECT_MIB(ipInDiscards, 3);
	seg[12] = 0x50;
	pkt_ip(&k, PEER, HOST, 6, 0, seg, 20);
	net_rx(&k);
	EXPECT_MIB(tcpInErrs, 1);
	EXPECT_DROPS(IPD_TCP_CKSUM, 1);
	EXPECT_MIB(ipInDelivers, 0);
	put16(seg + 16, net_sum(seg, 20, net_pseudo(PEER, HOST, 6, 20)));
	pkt_ip(&k, PEER, HOST, 6, 0, seg, 20);
	net_rx(&k);
	EXPECT_MIB(ipInDelivers, 1); /* nobody listens, so TCP's reset logic has it */
	EXPECT_MIB(tcpInErrs, 1);
}

/* ---- routes ---- */

Test(ip, gateway)
{
	tpi_t *t = receiver();
	ipaddr_t far = IP4(192, 0, 2, 1);

	udp_ep_send(t, far, 9, "x");
	EXPECT_MIB(ipOutNoRoutes, 1);
	EXPECT_DROPS(IPD_NO_ROUTE, 1);
	cr_assert_eq(net_nsent, 0);
	cr_assert_eq(ip_route_add(0, 0, IP4(1, 2, 3, 4)), ENETUNREACH, "the gateway is on no link");
	cr_assert_eq(ip_route_add(IP4(192, 0, 2, 1), IP4(255, 255, 255, 0), PEER), ENETUNREACH, "bits beyond the mask");
	cr_assert_eq(ip_route_add(0, 0, PEER), 0);
	udp_ep_send(t, far, 9, "x");
	udp_ep_send(t, far, 9, "y");
	cr_assert_eq(net_nsent, 2);
	cr_assert_eq(memcmp(net_sent[1].s_data, peer_mac, 6), 0, "the gateway's link address");
	cr_assert_eq(SENT_IP(1)->ipha_dst, far);
	ire_t *ire = ire_cache_lookup(far, GLOBAL_ZONEID, 0);
	cr_assert_eq(ire->ire_gateway_addr, PEER);
	IRE_REFRELE(ire);
	/* A longer prefix wins. */
	cr_assert_eq(arp_static("rtls0", 0, IP4(10, 0, 0, 9), bcast_mac), 0);
	cr_assert_eq(ip_route_add(IP4(198, 51, 100, 0), IP4(255, 255, 255, 0), IP4(10, 0, 0, 9)), 0);
	udp_ep_send(t, IP4(198, 51, 100, 7), 9, "x");
	cr_assert_eq(memcmp(net_sent[2].s_data, bcast_mac, 6), 0);
	prog_exit();
}

/* A destination that only ARP knows is reached on the link. */
Test(ip, arp_route)
{
	tpi_t *t = receiver();

	cr_assert_eq(arp_static("rtls0", 0, IP4(8, 8, 8, 8), peer_mac), 0);
	udp_ep_send(t, IP4(8, 8, 8, 8), 53, "query");
	cr_assert_eq(net_nsent, 1);
	cr_assert_eq(SENT_IP(0)->ipha_dst, IP4(8, 8, 8, 8));
	cr_assert_eq(arp_static("rtls9", 0, IP4(8, 8, 8, 8), peer_mac), ENXIO);
	prog_exit();
}

/* Cache entries stay below their limit; those in use survive. */
Test(ip, cache_limit)
{
	tpi_t *t = receiver();
	size_t now;
	uint64_t gone;

	ip_param.ip_ire_max_cache = 16;
	for (int i = 0; i < 100; i++) {
		arp_static("rtls0", 0, IP4(10, 0, 0, 50 + i), peer_mac);
		udp_ep_send(t, IP4(10, 0, 0, 50 + i), 9, "x");
	}
	ire_cache_count(&now, &gone);
	cr_assert_leq(now, 17);
	cr_assert_geq(gone, 83);
	cr_assert_eq(net_nsent, 100, "%d", net_nsent);
	udp_ep_send(t, IP4(10, 0, 0, 50), 9, "x");
	cr_assert_eq(net_nsent, 101);
	prog_exit();
}

Test(ip, loopback)
{
	tpi_t *t = receiver(), *u = udp_ep_open();

	udp_ep_bind(u, INADDR_ANY, 6000);
	udp_ep_send(u, IP4(127, 0, 0, 1), 5000, "lo");
	GOT(t);
	cr_assert_eq(((struct sockaddr_in *)(void *)(t->t_ans + 20))->sin_addr.s_addr, IP4(127, 0, 0, 1));
	udp_ep_send(u, HOST, 5000, "self");
	GOT(t);
	cr_assert_eq(((struct sockaddr_in *)(void *)(t->t_ans + 20))->sin_addr.s_addr, HOST);
	udp_ep_send(u, INADDR_ANY, 5000, "any is 127.0.0.1");
	GOT(t);
	cr_assert_eq(net_nsent, 0);
	EXPECT_MIB(ipOutRequests, 0);
	EXPECT_MIB(ipInDelivers, 3);
	EXPECT_MIB(ipInReceives, 0);
	prog_exit();
}

/* Each message block fails in turn: every packet is delivered or counted, and nothing leaks. */
Test(ip, no_memory)
{
	tpi_t *t = receiver();

	for (int n = 1; n < 12; n++) {
		allocb_fail_nth(n);
		net_rx(&k);
		allocb_fail_nth(0);
		while (udp_ep_get(t) != -1)
			continue;
		allocb_fail_nth(n);
		arp_static("rtls0", 0, IP4(10, 0, 0, 100 + n), peer_mac);
		pkt_t ping;
		pkt_icmp(&ping, IP4(10, 0, 0, 100 + n), HOST, 8, 0, "\0\1\0\1data", 8);
		net_rx(&ping);
		allocb_fail_nth(0);
	}
	for (int n = 1; n < 6; n++) {
		kmem_fail_nth(n);
		arp_static("rtls0", 0, IP4(10, 0, 0, 150 + n), peer_mac);
		pkt_t ping;
		pkt_icmp(&ping, IP4(10, 0, 0, 150 + n), HOST, 8, 0, "\0\1\0\1data", 8);
		net_rx(&ping);
		kmem_fail_nth(0);
	}
	net_rx(&k);
	GOT(t);
	prog_exit();
}

/* ---- plumbing ---- */

static void replumb(void *unused)
{
	(void)unused;
	cr_assert_eq(ip_plumb("rtls0", 0, HOST, MASK24, NULL), EEXIST);
	cr_assert_eq(ip_plumb("rtls7", 0, HOST, MASK24, NULL), ENXIO);
	cr_assert_eq(ip_plumb("rtls", 0, HOST, MASK24, NULL), EINVAL);
	cr_assert_eq(ip_plumb("hme0", 0, HOST, MASK24, NULL), ENOENT);
	cr_assert_eq(ip_unplumb("rtls7", 0), ENXIO);
	cr_assert_eq(ip_unplumb("lo0", 0), ENXIO);
	cr_assert_eq(ip_addif("rtls0", 0, HOST, MASK24), EEXIST);
	cr_assert_eq(ip_addif("rtls0", 0, IP4(10, 1, 0, 1), MASK24), 0);
}

Test(ip, plumb)
{
	st_thread(replumb, NULL);
	machine_run_ready();
	pkt_icmp(&k, PEER, IP4(10, 1, 0, 1), 8, 0, "\0\1\0\1data", 8);
	net_rx(&k);
	EXPECT_MIB(icmpInEchos, 1);
	cr_assert_eq(ip_bind_laddr(0, IP4(10, 1, 0, 1)), 0);
	cr_assert_eq(ip_bind_laddr(0, IP4(10, 1, 0, 255)), 0);
	cr_assert_eq(ip_bind_laddr(0, INADDR_ANY), 0);
	cr_assert_eq(ip_bind_laddr(0, IP4(10, 2, 0, 1)), EADDRNOTAVAIL);
	ire_t *ire;
	ipaddr_t src = INADDR_ANY;
	cr_assert_eq(ip_bind_connected(0, &src, PEER, &ire), 0);
	cr_assert_eq(src, HOST);
	cr_assert_eq(ire->ire_max_frag, 1500);
	IRE_REFRELE(ire);
	src = IP4(9, 9, 9, 9);
	cr_assert_eq(ip_bind_connected(0, &src, PEER, &ire), EADDRNOTAVAIL);
	src = INADDR_ANY;
	cr_assert_eq(ip_bind_connected(0, &src, IP4(9, 9, 9, 9), &ire), ENETUNREACH);
	cr_assert_eq(ip_ifindex("rtls0", 0), 2);
	cr_assert_eq(ip_ifindex("lo0", 0), 1);
	cr_assert_eq(ip_ifindex("rtls0", 3), 0);
}

/* Plumbing that fails at any allocation leaves nothing behind (the suite's end looks), and can be tried again. */
static void plumb_failing(void *arg)
{
	net_error = ip_plumb("rtls0", 0, HOST, MASK24, arg);
}

Test(ip, plumb_no_memory)
{
	st_thread(net_unplumb, NULL);
	for (int n = 1; n < 60; n++) {
		allocb_fail_nth(n);
		st_thread(plumb_failing, NULL);
		machine_run_idle(machine_now() + 60000000000LL);
		allocb_fail_nth(0);
		if (net_error == 0)
			st_thread(net_unplumb, NULL);
		machine_run_ready();
	}
	st_thread(net_plumb, NULL);
	cr_assert_eq(net_error, 0);
}

/* ---- checksums ---- */

/* Blocks of all lengths and alignments against the simple sum. */
Test(ip, cksum)
{
	uchar_t buf[400];

	for (int i = 0; i < 400; i++)
		buf[i] = (uchar_t)(i * 37 + (i >> 3));
	for (size_t a = 0; a < 40; a++) {
		for (size_t b = 0; b < 40; b++) {
			mblk_t *mp = allocb(400, BPRI_MED), *np = allocb(400, BPRI_MED), *op = allocb(400, BPRI_MED);

			memcpy(mp->b_wptr, buf, a);
			mp->b_wptr += a;
			memcpy(np->b_wptr, buf + a, b);
			np->b_wptr += b;
			memcpy(op->b_wptr, buf + a + b, 77);
			op->b_wptr += 77;
			mp->b_cont = np;
			np->b_cont = op;
			for (size_t off = 0; off <= a; off += 2) {
				uint16_t got = (uint16_t)~ip_cksum(mp, off, 0),
					 want = net_sum(buf + off, a + b + 77 - off, 0);

				cr_assert_eq(ntohs(got), want, "%zu %zu from %zu", a, b, off);
			}
			freemsg(mp);
		}
	}
}

/* RFC 1071, section 3: the words 0001 f203 f4f5 f6f7 sum up to ddf2. */
Test(ip, cksum_rfc)
{
	mblk_t *mp = allocb(8, BPRI_MED);

	memcpy(mp->b_wptr, "\x00\x01\xf2\x03\xf4\xf5\xf6\xf7", 8);
	mp->b_wptr += 8;
	cr_assert_eq(ntohs(ip_cksum(mp, 0, 0)), 0xddf2);
	freemsg(mp);
}

Test(ip, mib_names)
{
	bool found;

	(void)mib_value("ipInReceives", &found);
	cr_assert(found);
	(void)mib_value("tcpOutDataInorderBytes", &found);
	cr_assert_not(found, "there is no such counter");
	for (int i = 0; i < IPD_N; i++)
		cr_assert_not_null(ip_drop_text[i]);
}
