/* ARP (RFC 826): asking, answering, giving up, changes. */
#include "tests/nettest.h"
#include "ip/ip_impl.h"

NET_SUITE(arp);

static pkt_t k;
#define OTHER IP4(10, 0, 0, 3)
static const uchar_t other_mac[6] = {2, 0, 0, 0, 0, 3};
static const uchar_t none[6];

static void arp(const uchar_t *dst, uint_t op, const uchar_t *sha, ipaddr_t spa, const uchar_t *tha, ipaddr_t tpa)
{
	uchar_t *p;

	pkt_ether(&k, dst, 0x0806);
	memcpy(k.k_data + 6, sha, 6);
	p = k.k_data + 14;
	memcpy(p, "\0\1\x08\0\6\4", 6);
	put16(p + 6, op);
	memcpy(p + 8, sha, 6);
	memcpy(p + 14, &spa, 4);
	memcpy(p + 18, tha, 6);
	memcpy(p + 24, &tpa, 4);
	k.k_len = 42;
	net_rx(&k);
}

/* Frame n is the ARP packet with these words. */
static void expect_arp(int n, const uchar_t *dst, uint_t op, ipaddr_t spa, const uchar_t *tha, ipaddr_t tpa)
{
	const uchar_t *p = net_sent[n].s_data;

	cr_assert_gt(net_nsent, n);
	cr_assert_eq(memcmp(p, dst, 6), 0);
	cr_assert_eq(get16(p + 12), 0x0806);
	cr_assert_eq(memcmp(p + 14, "\0\1\x08\0\6\4", 6), 0);
	cr_assert_eq(get16(p + 20), op);
	cr_assert_eq(memcmp(p + 22, host_mac, 6), 0);
	cr_assert_eq(memcmp(p + 28, &spa, 4), 0);
	cr_assert_eq(memcmp(p + 32, tha, 6), 0);
	cr_assert_eq(memcmp(p + 38, &tpa, 4), 0);
}

Test(arp, answer)
{
	uchar_t mac[6];

	arp(bcast_mac, 1, other_mac, OTHER, none, HOST);
	cr_assert_eq(net_nsent, 1);
	expect_arp(0, other_mac, 2, HOST, other_mac, OTHER);
	cr_assert(arp_entry_lookup(ip_ifindex("rtls0", 0), OTHER, mac), "who asks is remembered");
	cr_assert_eq(memcmp(mac, other_mac, 6), 0);
	st_expect_stack(strstr(net_sent[0].s_stack, "rtls_send"),
			"rtls_send < gld_start < gld_unitdata < gld_cmds < gld_wsrv < runservice < queue_service < "
			"stream_service < "
			"taskq_d_thread");
}

/* Requests for others, and what they say of hosts we do not talk to, change nothing. */
Test(arp, not_ours)
{
	uchar_t mac[6];

	arp(bcast_mac, 1, other_mac, OTHER, none, IP4(10, 0, 0, 9));
	cr_assert_eq(net_nsent, 0);
	cr_assert_not(arp_entry_lookup(ip_ifindex("rtls0", 0), OTHER, mac));
	cr_assert_eq(arp_entry_count(), 2, "we and the static peer");
	/* Not Ethernet, not IPv4, odd operation, short. */
	arp(bcast_mac, 3, other_mac, OTHER, none, HOST);
	k.k_data[21] = 1;
	k.k_data[15] = 6;
	net_rx(&k);
	k.k_data[15] = 1;
	k.k_data[16] = 9;
	net_rx(&k);
	k.k_data[16] = 8;
	k.k_data[18] = 5;
	net_rx(&k);
	cr_assert_eq(net_nsent, 0);
}

Test(arp, ask)
{
	tpi_t *t = udp_ep_open();

	udp_ep_bind(t, INADDR_ANY, 5000);
	udp_ep_send(t, OTHER, 9, "one");
	udp_ep_send(t, OTHER, 9, "two");
	cr_assert_eq(net_nsent, 1, "one request");
	expect_arp(0, bcast_mac, 1, HOST, none, OTHER);
	arp(host_mac, 2, other_mac, OTHER, host_mac, HOST);
	cr_assert_eq(net_nsent, 3, "%d", net_nsent);
	cr_assert_eq(memcmp(net_sent[1].s_data, other_mac, 6), 0);
	cr_assert_eq(memcmp(SENT_ULP(1) + 8, "one", 3), 0);
	cr_assert_eq(memcmp(SENT_ULP(2) + 8, "two", 3), 0);
	check_sums(1);
	check_sums(2);
	udp_ep_send(t, OTHER, 9, "three");
	cr_assert_eq(net_nsent, 4);
	EXPECT_MIB(ipOutRequests, 3);
	prog_exit();
}

/* Five requests a second apart, then the packets are given up. */
Test(arp, unreachable)
{
	tpi_t *t = udp_ep_open();

	udp_ep_bind(t, INADDR_ANY, 5000);
	udp_ep_send(t, OTHER, 9, "x");
	for (int i = 1; i < 5; i++) {
		st_ticks(99);
		cr_assert_eq(net_nsent, i);
		st_ticks(1);
		cr_assert_eq(net_nsent, i + 1, "%d", net_nsent);
		expect_arp(i, bcast_mac, 1, HOST, none, OTHER);
	}
	st_ticks(101);
	cr_assert_eq(net_nsent, 5);
	EXPECT_MIB(ipOutDiscards, 1);
	EXPECT_DROPS(IPD_UNREACHABLE, 1);
	EXPECT_MIB(icmpInDestUnreachs, 1);
	cr_assert_null(ire_cache_lookup(OTHER, GLOBAL_ZONEID, 0));
	/* It is asked for again when there is something to send. */
	udp_ep_send(t, OTHER, 9, "x");
	cr_assert_eq(net_nsent, 6);
	arp(host_mac, 2, other_mac, OTHER, host_mac, HOST);
	cr_assert_eq(net_nsent, 7);
	prog_exit();
}

/* Sixteen packets wait at most; the oldest go. */
Test(arp, pending_limit)
{
	tpi_t *t = udp_ep_open();
	char text[8];

	udp_ep_bind(t, INADDR_ANY, 5000);
	for (int i = 0; i < 20; i++) {
		snprintf(text, sizeof(text), "%d", i);
		udp_ep_send(t, OTHER, 9, text);
	}
	EXPECT_MIB(ipOutDiscards, 4);
	arp(host_mac, 2, other_mac, OTHER, host_mac, HOST);
	cr_assert_eq(net_nsent, 17);
	cr_assert_eq(SENT_ULP(1)[8], '4');
	prog_exit();
}

/* A host that has got another card: the route with the old header goes. */
Test(arp, change)
{
	tpi_t *t = udp_ep_open();

	udp_ep_bind(t, INADDR_ANY, 5000);
	udp_ep_send(t, OTHER, 9, "x");
	arp(host_mac, 2, other_mac, OTHER, host_mac, HOST);
	udp_ep_send(t, OTHER, 9, "x");
	cr_assert_eq(memcmp(net_sent[2].s_data, other_mac, 6), 0);
	arp(bcast_mac, 1, peer_mac, OTHER, none, IP4(10, 0, 0, 9));
	udp_ep_send(t, OTHER, 9, "x");
	cr_assert_eq(memcmp(net_sent[3].s_data, peer_mac, 6), 0);
	/* A static entry is not changed by the net, but by arp_static(). */
	udp_ep_send(t, PEER, 9, "x");
	arp(bcast_mac, 1, other_mac, PEER, none, IP4(10, 0, 0, 9));
	udp_ep_send(t, PEER, 9, "x");
	cr_assert_eq(memcmp(net_sent[5].s_data, peer_mac, 6), 0);
	cr_assert_eq(arp_static("rtls0", 0, PEER, other_mac), 0);
	udp_ep_send(t, PEER, 9, "x");
	cr_assert_eq(memcmp(net_sent[6].s_data, other_mac, 6), 0);
	cr_assert_eq(arp_entry_delete(ip_ifindex("rtls0", 0), PEER), 0);
	cr_assert_eq(arp_entry_delete(ip_ifindex("rtls0", 0), PEER), ENOENT);
	udp_ep_send(t, PEER, 9, "x");
	expect_arp(7, bcast_mac, 1, HOST, none, PEER);
	prog_exit();
}

/* What was learned ages: after 20 minutes it is asked for again; what is static does not. */
Test(arp, age)
{
	tpi_t *t = udp_ep_open();

	udp_ep_bind(t, INADDR_ANY, 5000);
	udp_ep_send(t, OTHER, 9, "x");
	arp(host_mac, 2, other_mac, OTHER, host_mac, HOST);
	udp_ep_send(t, PEER, 9, "x");
	cr_assert_eq(net_nsent, 3);
	machine_run(machine_now() + 1201000000000LL);
	ire_t *ire = ire_cache_lookup(PEER, GLOBAL_ZONEID, 0);
	cr_assert_not_null(ire);
	IRE_REFRELE(ire);
	cr_assert_null(ire_cache_lookup(OTHER, GLOBAL_ZONEID, 0));
	prog_exit();
}

/* Behind a gateway that has to be found first: all destinations wait for it together. */
Test(arp, gateway)
{
	tpi_t *t = udp_ep_open();

	cr_assert_eq(ip_route_add(0, 0, OTHER), 0);
	udp_ep_bind(t, INADDR_ANY, 5000);
	udp_ep_send(t, IP4(192, 0, 2, 1), 9, "a");
	udp_ep_send(t, IP4(192, 0, 2, 2), 9, "b");
	cr_assert_eq(net_nsent, 1);
	expect_arp(0, bcast_mac, 1, HOST, none, OTHER);
	arp(host_mac, 2, other_mac, OTHER, host_mac, HOST);
	cr_assert_eq(net_nsent, 3, "%d", net_nsent);
	cr_assert_eq(memcmp(net_sent[1].s_data, other_mac, 6), 0);
	cr_assert_eq(memcmp(net_sent[2].s_data, other_mac, 6), 0);
	prog_exit();
}

/* ... or never is. */
Test(arp, gateway_unreachable)
{
	tpi_t *t = udp_ep_open();

	cr_assert_eq(ip_route_add(0, 0, OTHER), 0);
	udp_ep_bind(t, INADDR_ANY, 5000);
	udp_ep_send(t, IP4(192, 0, 2, 1), 9, "a");
	udp_ep_send(t, IP4(192, 0, 2, 2), 9, "b");
	st_ticks(600);
	cr_assert_eq(net_nsent, 5);
	EXPECT_MIB(ipOutDiscards, 2);
	cr_assert_null(ire_cache_lookup(IP4(192, 0, 2, 1), GLOBAL_ZONEID, 0));
	prog_exit();
}

/* Many entries: all found, and gone with the interface. */
Test(arp, many)
{
	uchar_t mac[6] = {2, 1};
	uint_t ifindex = ip_ifindex("rtls0", 0);

	for (uint32_t i = 0; i < 100000; i++) {
		memcpy(mac + 2, &i, 4);
		cr_assert_eq(arp_entry_add(ifindex, htonl(0x0b000000 + i), mac, ACE_F_PERMANENT), 0);
	}
	cr_assert_eq(arp_entry_count(), 100002);
	for (uint32_t i = 0; i < 100000; i++) {
		uint32_t got;

		cr_assert(arp_entry_lookup(ifindex, htonl(0x0b000000 + i), mac));
		memcpy(&got, mac + 2, 4);
		cr_assert_eq(got, i);
	}
	cr_assert_eq(arp_entry_add(99, PEER, mac, 0), ENXIO);
}
