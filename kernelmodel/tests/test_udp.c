/* UDP: datagrams through the whole stack, TPI, errors. */
#include "tests/nettest.h"

NET_SUITE(udp);

/* The datagram that came: from, and the text. */
#define EXPECT_DGRAM(t, addr, port, text)                                                          \
	do {                                                                                       \
		cr_assert_eq(udp_ep_get(t), T_UNITDATA_IND, "got %d", (t)->t_prim);                \
		const struct sockaddr_in *sin_ = (const void *)((t)->t_ans + 20);                  \
		cr_assert_eq(sin_->sin_family, AF_INET);                                           \
		cr_assert_eq(sin_->sin_addr.s_addr, addr);                                         \
		cr_assert_eq(ntohs(sin_->sin_port), port);                                         \
		cr_assert_eq((t)->t_ansdatalen, (int)strlen(text), "%d bytes", (t)->t_ansdatalen); \
		cr_assert_eq(memcmp((t)->t_ansdata, text, strlen(text)), 0);                       \
	} while (0)

Test(udp, receive)
{
	tpi_t *t = udp_ep_open();
	pkt_t k;

	cr_assert_eq(udp_ep_bind(t, INADDR_ANY, 5000), T_BIND_ACK);
	pkt_udp(&k, PEER, 4000, HOST, 5000, "hello");
	cr_assert_eq(net_rx(&k), WIRE_TAKEN);
	EXPECT_DGRAM(t, PEER, 4000, "hello");
	cr_assert_eq(udp_ep_get(t), -1);
	EXPECT_MIB(ipInReceives, 1);
	EXPECT_MIB(ipInDelivers, 1);
	EXPECT_MIB(udpInDatagrams, 1);
	cr_assert_eq(net_nsent, 0);
	prog_exit();
}

Test(udp, send)
{
	tpi_t *t = udp_ep_open();

	cr_assert_eq(udp_ep_bind(t, INADDR_ANY, 5000), T_BIND_ACK);
	for (int i = 0; i < 2; i++) {
		udp_ep_send(t, PEER, 4000, "hello");
		cr_assert_eq(net_nsent, i + 1);
		cr_assert_eq(net_sent[i].s_len, 60, "14 + 20 + 8 + 5, padded");
		cr_assert_eq(memcmp(net_sent[i].s_data, peer_mac, 6), 0);
		cr_assert_eq(memcmp(net_sent[i].s_data + 6, host_mac, 6), 0);
		cr_assert_eq(SENT_TYPE(i), 0x0800);
		cr_assert_eq(SENT_IP(i)->ipha_src, HOST);
		cr_assert_eq(SENT_IP(i)->ipha_dst, PEER);
		cr_assert_eq(SENT_IP(i)->ipha_ttl, 255);
		cr_assert_eq(ntohs(SENT_IP(i)->ipha_length), 33);
		cr_assert_eq(SENT_IP(i)->ipha_fragment_offset_and_flags, htons(IPH_DF));
		cr_assert_eq(get16(SENT_ULP(i)), 5000);
		cr_assert_eq(get16(SENT_ULP(i) + 2), 4000);
		cr_assert_eq(memcmp(SENT_ULP(i) + 8, "hello", 5), 0);
		check_sums(i);
	}
	cr_assert_eq(ntohs(SENT_IP(1)->ipha_ident), (uint16_t)(ntohs(SENT_IP(0)->ipha_ident) + 1));
	EXPECT_MIB(udpOutDatagrams, 2);
	EXPECT_MIB(ipOutRequests, 2);
	/* The link header is known by now: no DL_UNITDATA_REQ, straight down. */
	st_expect_stack(
	    sent_stack(1),
	    "putnext < ip_wput_ire < ip_output < ip_wput < putnext < udp_wput < putnext < strput < strputmsg < msgio < "
	    "putmsg < sys_sysenter");
	prog_exit();
}
