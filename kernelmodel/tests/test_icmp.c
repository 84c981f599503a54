/* ICMP: requests answered, errors made and not made, errors received (RFC 792, 1122, 1191, 950). */
#include "tests/nettest.h"
#include "ip/ip_impl.h"

NET_SUITE(icmp);

static pkt_t k;
#define PING "\x12\x34\x00\x01payload!"

static void ping(ipaddr_t dst)
{
	pkt_icmp(&k, PEER, dst, 8, 0, PING, 12);
	net_rx(&k);
}

Test(icmp, echo)
{
	ping(HOST);
	cr_assert_eq(net_nsent, 1);
	check_sums(0);
	cr_assert_eq(SENT_IP(0)->ipha_src, HOST);
	cr_assert_eq(SENT_IP(0)->ipha_dst, PEER);
	cr_assert_eq(SENT_IP(0)->ipha_ttl, 255);
	cr_assert_eq(ntohs(SENT_IP(0)->ipha_length), 36);
	cr_assert_eq(SENT_ULP(0)[0], ICMP_ECHO_REPLY);
	cr_assert_eq(memcmp(SENT_ULP(0) + 4, PING, 12), 0);
	EXPECT_MIB(icmpInMsgs, 1);
	EXPECT_MIB(icmpInEchos, 1);
	EXPECT_MIB(icmpOutEchoReps, 1);
	EXPECT_MIB(icmpOutMsgs, 1);
	ping(HOST);
	st_expect_stack(sent_stack(1),
			"putnext < ip_wput_ire < ip_output < ip_wput < put < icmp_inbound < ip_proto_input < ip_rput < "
			"putnext < gld_recv_tagged < gld_recv < rtls_receive < rtls_gld_intr < "
			"gld_intr");
}

Test(icmp, echo_broadcast)
{
	pkt_icmp(&k, PEER, IP4(10, 0, 0, 255), 8, 0, PING, 12);
	memcpy(k.k_data, bcast_mac, 6);
	net_rx(&k);
	cr_assert_eq(net_nsent, 1);
	cr_assert_eq(SENT_IP(0)->ipha_src, HOST);
	check_sums(0);
	ip_param.ip_respond_to_echo_broadcast = B_FALSE;
	net_rx(&k);
	cr_assert_eq(net_nsent, 1);
	EXPECT_DROPS(IPD_ICMP_IGNORED, 1);
	/* A request that claims to come from a broadcast address is not answered. */
	pkt_icmp(&k, IP4(10, 0, 0, 255), HOST, 8, 0, PING, 12);
	net_rx(&k);
	EXPECT_DROPS(IPD_ICMP_IGNORED, 2);
	cr_assert_eq(net_nsent, 1);
}

Test(icmp, bad)
{
	pkt_icmp(&k, PEER, HOST, 8, 0, PING, 12);
	k.k_data[40] ^= 1;
	net_rx(&k);
	EXPECT_MIB(icmpInCksumErrs, 1);
	EXPECT_DROPS(IPD_ICMP_CKSUM, 1);
	net_rx_flags(&k, WIRE_NOCKSUM_L4);
	EXPECT_MIB(icmpInEchos, 1);
	pkt_ip(&k, PEER, HOST, 1, 0, "\x08\x00\x00", 3);
	net_rx(&k);
	EXPECT_MIB(icmpInErrors, 1);
	EXPECT_DROPS(IPD_ICMP_SHORT, 1);
	pkt_icmp(&k, PEER, HOST, 77, 0, PING, 12);
	net_rx(&k);
	EXPECT_MIB(icmpInUnknowns, 1);
	EXPECT_DROPS(IPD_ICMP_UNKNOWN, 1);
	EXPECT_MIB(icmpInMsgs, 4);
	pkt_icmp(&k, PEER, HOST, 0, 0, PING, 12);
	net_rx(&k);
	EXPECT_MIB(icmpInEchoReps, 1);
	cr_assert_eq(net_nsent, 1);
}

Test(icmp, timestamp)
{
	uchar_t req[16] = {0, 1, 0, 2, 0, 0, 0, 99};

	pkt_icmp(&k, PEER, HOST, 13, 0, req, 16);
	net_rx(&k);
	EXPECT_MIB(icmpInTimestamps, 1);
	cr_assert_eq(net_nsent, 0, "not by default");
	ip_param.ip_respond_to_timestamp = B_TRUE;
	machine_set_epoch(86400LL * 1000000000 + 3600LL * 1000000000);
	net_rx(&k);
	cr_assert_eq(net_nsent, 1);
	check_sums(0);
	cr_assert_eq(SENT_ULP(0)[0], ICMP_TIME_STAMP_REPLY);
	cr_assert_eq(memcmp(SENT_ULP(0) + 4, req, 8), 0);
	uint32_t ms = (uint32_t)(3600000 + machine_now() / 1000000);
	cr_assert_eq(get16(SENT_ULP(0) + 12) << 16 | get16(SENT_ULP(0) + 14), ms);
	cr_assert_eq(get16(SENT_ULP(0) + 16) << 16 | get16(SENT_ULP(0) + 18), ms);
	pkt_icmp(&k, PEER, HOST, 13, 0, req, 8); /* too short */
	net_rx(&k);
	cr_assert_eq(net_nsent, 1);
}

Test(icmp, mask)
{
	pkt_icmp(&k, PEER, HOST, 17, 0, "\0\1\0\2\0\0\0\0", 8);
	net_rx(&k);
	cr_assert_eq(net_nsent, 1);
	check_sums(0);
	cr_assert_eq(SENT_ULP(0)[0], ICMP_ADDRESS_MASK_REPLY);
	cr_assert_eq(memcmp(SENT_ULP(0) + 8, "\xff\xff\xff\x00", 4), 0);
	EXPECT_MIB(icmpOutAddrMaskReps, 1);
	pkt_icmp(&k, PEER, INADDR_BROADCAST, 17, 0, "\0\1\0\2\0\0\0\0", 8);
	memcpy(k.k_data, bcast_mac, 6);
	net_rx(&k);
	cr_assert_eq(net_nsent, 1, "not for a broadcast");
}

/* ---- errors we make ---- */

Test(icmp, port_unreachable)
{
	pkt_udp(&k, PEER, 4000, HOST, 7, "0123456789012345678901234567890123456789012345678901234567890123456789");
	net_rx(&k);
	EXPECT_MIB(udpNoPorts, 1);
	EXPECT_DROPS(IPD_UDP_NOPORT, 1);
	cr_assert_eq(net_nsent, 1);
	check_sums(0);
	cr_assert_eq(SENT_ULP(0)[0], ICMP_DEST_UNREACHABLE);
	cr_assert_eq(SENT_ULP(0)[1], ICMP_PORT_UNREACHABLE);
	cr_assert_eq(SENT_IP(0)->ipha_src, HOST);
	/* IP header and 64 bytes are quoted. */
	cr_assert_eq(ntohs(SENT_IP(0)->ipha_length), 20 + 8 + 84);
	cr_assert_eq(memcmp(SENT_ULP(0) + 8, k.k_data + 14, 84), 0);
	EXPECT_MIB(icmpOutDestUnreachs, 1);
	EXPECT_MIB(icmpOutMsgs, 1);
}

/* No error about an error, a fragment other than the first, a broadcast. */
Test(icmp, not_ok)
{
	uchar_t quoted[64] = {0};

	pkt_ip(&k, PEER, HOST, 99, 0, "abcdefgh", 8);
	net_rx(&k);
	cr_assert_eq(net_nsent, 1);
	pkt_icmp(&k, PEER, HOST, 3, 3, quoted, 40);
	net_rx(&k);
	cr_assert_eq(net_nsent, 1, "an error about nothing of ours");
	/* A source route in an ICMP error. */
	pkt_icmp(&k, PEER, HOST, 3, 3, quoted, 40);
	memmove(k.k_data + 42, k.k_data + 34, k.k_len - 34);
	memcpy(k.k_data + 34, "\x83\x07\x04\x0a\x00\x00\x09\x00", 8);
	k.k_len += 8;
	k.k_data[14] = 0x47;
	put16(k.k_data + 16, (uint_t)k.k_len - 14);
	pkt_ip_cksum(&k);
	net_rx(&k);
	EXPECT_DROPS(IPD_SRCROUTE, 1);
	EXPECT_MIB(icmpOutDrops, 1);
	EXPECT_DROPS(IPD_ICMP_NOT_OK, 1);
	cr_assert_eq(net_nsent, 1);
}

/* Ten at once, then one every 100 ms. */
Test(icmp, rate)
{
	machine_run(machine_now() + 5000000000LL);
	for (int i = 0; i < 15; i++) {
		pkt_udp(&k, PEER, 4000, HOST, 7, "x");
		net_rx(&k);
	}
	cr_assert_eq(net_nsent, 10);
	EXPECT_DROPS(IPD_ICMP_RATE, 5);
	machine_run(machine_now() + 99000000);
	net_rx(&k);
	cr_assert_eq(net_nsent, 10);
	machine_run(machine_now() + 1000000);
	net_rx(&k);
	net_rx(&k);
	cr_assert_eq(net_nsent, 11);
	machine_run(machine_now() + 300000000);
	for (int i = 0; i < 5; i++)
		net_rx(&k);
	cr_assert_eq(net_nsent, 14);
	/* Answers to requests are not limited. */
	for (int i = 0; i < 20; i++)
		ping(HOST);
	cr_assert_eq(net_nsent, 34);
}

/* ---- errors we get ---- */

/* An ICMP message about a datagram we sent from port 5000 to the peer's 4000. */
static void error_about(int type, int code, uint_t word)
{
	uchar_t rest[4 + 28];
	pkt_t in;

	pkt_udp(&in, HOST, 5000, PEER, 4000, "");
	put16(rest, word >> 16);
	put16(rest + 2, word);
	memcpy(rest + 4, in.k_data + 14, 28);
	pkt_icmp(&k, PEER, HOST, type, code, rest, sizeof(rest));
	net_rx(&k);
}

Test(icmp, unreachable_in)
{
	tpi_t *t = udp_ep_open();
	int one = 1;

	udp_ep_bind(t, INADDR_ANY, 5000);
	udp_ep_send(t, PEER, 4000, "x");
	error_about(3, 3, 0);
	cr_assert_eq(udp_ep_get(t), -1, "it has not asked to be told");
	cr_assert_eq(udp_ep_opt(t, SOL_SOCKET, SO_DGRAM_ERRIND, &one, 4), T_OPTMGMT_ACK);
	error_about(3, 3, 0);
	cr_assert_eq(udp_ep_get(t), T_UDERROR_IND);
	const struct T_uderror_ind *ind = (const void *)t->t_ans;
	cr_assert_eq(ind->ERROR_type, ECONNREFUSED);
	const struct sockaddr_in *sin = (const void *)(t->t_ans + ind->DEST_offset);
	cr_assert_eq(sin->sin_addr.s_addr, PEER);
	cr_assert_eq(ntohs(sin->sin_port), 4000);
	error_about(3, 1, 0);
	cr_assert_eq(udp_ep_get(t), -1, "host unreachable passes");
	error_about(11, 0, 0);
	error_about(4, 0, 0);
	error_about(12, 0, 0);
	cr_assert_eq(udp_ep_get(t), -1);
	EXPECT_MIB(icmpInDestUnreachs, 3);
	EXPECT_MIB(icmpInTimeExcds, 1);
	EXPECT_MIB(icmpInSrcQuenchs, 1);
	EXPECT_MIB(icmpInParmProbs, 1);
	pkt_icmp(&k, PEER, HOST, 3, 3, "\0\0\0\0quoted", 10);
	net_rx(&k);
	EXPECT_MIB(icmpInErrors, 1);
	prog_exit();
}

/* RFC 1191: the route's packets become shorter, by the router's word or the plateaus; later it is tried again. */
Test(icmp, path_mtu)
{
	tpi_t *t = udp_ep_open();
	ire_t *ire;

	udp_ep_bind(t, INADDR_ANY, 5000);
	udp_ep_send(t, PEER, 4000, "x");
	ire = ire_cache_lookup(PEER, GLOBAL_ZONEID, 0);
	cr_assert_eq(ire->ire_max_frag, 1500);
	error_about(3, 4, 1400);
	EXPECT_MIB(icmpInFragNeeded, 1);
	cr_assert_eq(ire->ire_max_frag, 1400);
	error_about(3, 4, 1450);
	cr_assert_eq(ire->ire_max_frag, 1400, "never longer");
	IRE_REFRELE(ire);
	ire = ire_cache_lookup(PEER, GLOBAL_ZONEID, 0);
	IRE_REFRELE(ire);
	machine_run(machine_now() + 601000000000LL);
	udp_ep_send(t, PEER, 4000, "x");
	ire = ire_cache_lookup(PEER, GLOBAL_ZONEID, 0);
	cr_assert_not_null(ire);
	cr_assert_eq(ire->ire_max_frag, 1500, "after ten minutes it is tried again");
	IRE_REFRELE(ire);
	prog_exit();
}

Test(icmp, plateau)
{
	tpi_t *t = udp_ep_open();
	uchar_t rest[4 + 28] = {0};
	pkt_t in;
	ire_t *ire;

	udp_ep_bind(t, INADDR_ANY, 5000);
	udp_ep_send(t, PEER, 4000, "x");
	ire = ire_cache_lookup(PEER, GLOBAL_ZONEID, 0);
	pkt_udp(&in, HOST, 5000, PEER, 4000, "");
	put16(in.k_data + 16, 1500); /* it was that long */
	memcpy(rest + 4, in.k_data + 14, 28);
	pkt_icmp(&k, PEER, HOST, 3, 4, rest, sizeof(rest));
	net_rx(&k);
	cr_assert_eq(ire->ire_max_frag, 1492);
	put16(rest + 4 + 2, 1492);
	pkt_icmp(&k, PEER, HOST, 3, 4, rest, sizeof(rest));
	net_rx(&k);
	cr_assert_eq(ire->ire_max_frag, 1006);
	IRE_REFRELE(ire);
	prog_exit();
}

/* A redirect from the gateway in use makes a host route; from anybody else it does not. */
Test(icmp, redirect)
{
	tpi_t *t = udp_ep_open();
	uchar_t rest[4 + 28];
	ipaddr_t far = IP4(192, 0, 2, 1), better = IP4(10, 0, 0, 9);
	pkt_t in;

	cr_assert_eq(ip_route_add(0, 0, PEER), 0);
	cr_assert_eq(arp_static("rtls0", 0, better, bcast_mac), 0);
	udp_ep_bind(t, INADDR_ANY, 5000);
	udp_ep_send(t, far, 4000, "x");
	cr_assert_eq(memcmp(net_sent[0].s_data, peer_mac, 6), 0);
	pkt_udp(&in, HOST, 5000, far, 4000, "");
	memcpy(rest, &better, 4);
	memcpy(rest + 4, in.k_data + 14, 28);
	pkt_icmp(&k, IP4(10, 0, 0, 7), HOST, 5, 1, rest, sizeof(rest));
	net_rx(&k);
	EXPECT_MIB(icmpInBadRedirects, 1);
	udp_ep_send(t, far, 4000, "x");
	cr_assert_eq(memcmp(net_sent[1].s_data, peer_mac, 6), 0);
	pkt_icmp(&k, PEER, HOST, 5, 1, rest, sizeof(rest));
	net_rx(&k);
	EXPECT_MIB(icmpInRedirects, 2);
	EXPECT_MIB(icmpInBadRedirects, 1);
	udp_ep_send(t, far, 4000, "x");
	cr_assert_eq(memcmp(net_sent[2].s_data, bcast_mac, 6), 0);
	prog_exit();
}

/* A closed port on this host: the error comes back by loopback. */
Test(icmp, loopback)
{
	tpi_t *t = udp_ep_open();
	int one = 1;

	udp_ep_bind(t, INADDR_ANY, 5000);
	cr_assert_eq(udp_ep_opt(t, SOL_SOCKET, SO_DGRAM_ERRIND, &one, 4), T_OPTMGMT_ACK);
	udp_ep_send(t, HOST, 7, "x");
	cr_assert_eq(net_nsent, 0);
	cr_assert_eq(udp_ep_get(t), T_UDERROR_IND, "%d", t->t_prim);
	cr_assert_eq(((struct T_uderror_ind *)(void *)t->t_ans)->ERROR_type, ECONNREFUSED);
	prog_exit();
}
