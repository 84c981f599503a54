/*
 * For tests of tunnels and IPsec: the machine of nettest.h with tunnel ip.tun0
 * (192.168.9.1 to 192.168.9.2, between 10.0.0.1 and 10.0.0.2), a network
 * 172.16/16 behind it, and ESP packets made and read here by code of its own.
 */
#ifndef STRSIM_TUNTEST_H
#define STRSIM_TUNTEST_H

#include "tests/nettest.h"
#include "ip/ipsec_impl.h"
#include "sys/dlpi.h"
#include "sys/tun.h"

#define IN_OUR IP4(192, 168, 9, 1)
#define IN_THEIR IP4(192, 168, 9, 2)
#define FAR IP4(172, 16, 5, 5)
#define SPI_OUT 0x1001
#define SPI_IN 0x2002
#define ESP_REQ                                                                     \
	{                                                                           \
		.ipsr_esp_req = IPSEC_PREF_REQUIRED, .ipsr_esp_alg = SADB_EALG_NULL \
	}

TEST_FN tun_config_t tun_config(bool esp)
{
	tun_config_t c = {
	    .tc_name = "ip.tun0", .tc_tsrc = HOST, .tc_tdst = PEER, .tc_addr = IN_OUR, .tc_dstaddr = IN_THEIR};

	if (esp)
		c.tc_secinfo = (ipsec_req_t)ESP_REQ;
	return c;
}

TEST_FN ipsec_sa_req_t sa_out(void)
{
	return (ipsec_sa_req_t){
	    .isr_dir = IPSA_OUTBOUND, .isr_spi = SPI_OUT, .isr_src = HOST, .isr_dst = PEER, .isr_alg = SADB_EALG_NULL};
}

TEST_FN ipsec_sa_req_t sa_in(void)
{
	return (ipsec_sa_req_t){.isr_dir = IPSA_INBOUND,
				.isr_spi = SPI_IN,
				.isr_src = PEER,
				.isr_dst = HOST,
				.isr_alg = SADB_EALG_NULL,
				.isr_window = 32};
}

TEST_FN void sa_both(void)
{
	ipsec_sa_req_t o = sa_out(), i = sa_in();

	cr_assert_eq(sadb_add(&o), 0);
	cr_assert_eq(sadb_add(&i), 0);
}

TEST_FN void do_tun_plumb(void *arg)
{
	net_error = tun_plumb(arg);
}

TEST_FN void do_tun_unplumb(void *arg)
{
	net_error = tun_unplumb(arg);
}

TEST_FN int tun_up(tun_config_t c)
{
	st_thread(do_tun_plumb, &c);
	net_nsent = 0;
	return net_error;
}

/* The tunnel, and the route to what is behind it. */
TEST_FN void tun_ready(bool esp)
{
	if (esp)
		sa_both();
	cr_assert_eq(tun_up(tun_config(esp)), 0, "tun_plumb: %d", net_error);
	cr_assert_eq(ip_route_add(IP4(172, 16, 0, 0), IP4(255, 255, 0, 0), IN_THEIR), 0);
}

TEST_FN void tun_down(void)
{
	st_thread(do_tun_unplumb, (void *)(uintptr_t) "ip.tun0");
}

TEST_FN void tun_net_halt(void)
{
	if (net_proc != NULL)
		prog_exit();
	machine_run(machine_now() + 900 * 1000000000LL); /* connections that nobody answers any more end */
	tun_down();
	net_halt();
}
#define TUN_SUITE(name) TestSuite(name, .init = net_boot, .fini = tun_net_halt, .timeout = 60)

TEST_FN uint64_t tun_count(const char *name)
{
	bool found;
	uint64_t v = tun_kstat(0, name, &found);

	cr_assert(found, "no counter %s", name);
	return v;
}
#define EXPECT_TUN(name, n) \
	cr_assert_eq(tun_count(#name), (uint64_t)(n), #name " is %lu", (unsigned long)tun_count(#name))

TEST_FN uint64_t drop_count(const char *name)
{
	bool found;
	uint64_t v = ip_drop_value(name, &found);

	cr_assert(found, "no counter %s", name);
	return v;
}
#define EXPECT_SPD(name, n) \
	cr_assert_eq(drop_count(#name), (uint64_t)(n), #name " is %lu", (unsigned long)drop_count(#name))

/* ---- packets ---- */

/* The IP packet of inner in outer IP from the peer. */
TEST_FN void pkt_encap(pkt_t *k, const pkt_t *inner)
{
	pkt_ip(k, PEER, HOST, 4, 0, inner->k_data + 14, inner->k_len - 14);
}

/* ESP around data. */
TEST_FN void pkt_esp(pkt_t *k, uint32_t spi, uint32_t seq, int next, const void *data, size_t len)
{
	uchar_t e[2000];
	size_t pad = (4 - (len + 2) % 4) % 4;

	put16(e, spi >> 16), put16(e + 2, spi & 0xffff);
	put16(e + 4, seq >> 16), put16(e + 6, seq & 0xffff);
	memcpy(e + 8, data, len);
	for (size_t i = 0; i < pad; i++)
		e[8 + len + i] = (uchar_t)(i + 1);
	e[8 + len + pad] = (uchar_t)pad;
	e[9 + len + pad] = (uchar_t)next;
	pkt_ip(k, PEER, HOST, 50, 0, e, 10 + len + pad);
}

/* ESP around an IP packet. */
TEST_FN void pkt_esp_encap(pkt_t *k, uint32_t seq, const pkt_t *inner)
{
	pkt_esp(k, SPI_IN, seq, 4, inner->k_data + 14, inner->k_len - 14);
}

TEST_FN uint32_t get32(const uchar_t *p)
{
	return (uint32_t)get16(p) << 16 | get16(p + 2);
}

/* What is in the ESP packet that was sent as frame n: its place, length and next header; checks all the rest. */
TEST_FN uchar_t *sent_esp(int n, uint32_t seq, size_t *lenp, int *nextp)
{
	uchar_t *e = SENT_ULP(n);
	size_t len = ntohs(SENT_IP(n)->ipha_length) - 20U, pad;

	check_sums(n);
	cr_assert_eq(SENT_IP(n)->ipha_protocol, 50);
	cr_assert_eq(net_sent[n].s_len, MAX(len + 34, 60));
	cr_assert_eq(len % 4, 0);
	cr_assert_eq(get32(e), SPI_OUT);
	cr_assert_eq(get32(e + 4), seq, "sequence number %u", get32(e + 4));
	pad = e[len - 2];
	cr_assert_lt(pad, 4);
	for (size_t i = 1; i <= pad; i++)
		cr_assert_eq(e[len - 3 - pad + i], i, "padding");
	*nextp = e[len - 1];
	*lenp = len - 10 - pad;
	return e + 8;
}

/* The TCP segment: flags are the low byte of the flags field. */
TEST_FN size_t make_tcp(uchar_t *t, ipaddr_t src, uint_t sport, ipaddr_t dst, uint_t dport, uint32_t seq, uint32_t ack,
			uint_t flags, const void *data, size_t len)
{
	put16(t, sport);
	put16(t + 2, dport);
	put16(t + 4, seq >> 16), put16(t + 6, seq & 0xffff);
	put16(t + 8, ack >> 16), put16(t + 10, ack & 0xffff);
	t[12] = 5 << 4;
	t[13] = (uchar_t)flags;
	put16(t + 14, 8192);
	put16(t + 16, 0);
	put16(t + 18, 0);
	memcpy(t + 20, data, len);
	put16(t + 16, net_sum(t, 20 + len, net_pseudo(src, dst, 6, 20 + len)));
	return 20 + len;
}

TEST_FN void pkt_tcp(pkt_t *k, ipaddr_t src, uint_t sport, ipaddr_t dst, uint_t dport, uint32_t seq, uint32_t ack,
		     uint_t flags, const char *text)
{
	uchar_t t[1600];

	pkt_ip(k, src, dst, 6, 0, t, make_tcp(t, src, sport, dst, dport, seq, ack, flags, text, strlen(text)));
}

#endif
