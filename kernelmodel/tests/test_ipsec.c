/* ESP with the null cipher (RFC 4303, RFC 2410), associations, policy (RFC 4301). */
#include "tuntest.h"
#include "ip/tcp.h"
#include "sys/socketvar.h"

TUN_SUITE(ipsec);

static tpi_t *udp_bound(uint_t port)
{
	tpi_t *t = udp_ep_open();

	cr_assert_eq(udp_ep_bind(t, INADDR_ANY, port), T_BIND_ACK);
	return t;
}

static int udp_sec(tpi_t *t, ipsec_req_t r)
{
	return udp_ep_opt(t, IPPROTO_IP, IP_SEC_OPT, &r, sizeof(r));
}

static pkt_t inner; /* a UDP datagram through the tunnel */

static void esp_rx(uint32_t seq)
{
	pkt_t k;

	pkt_udp(&inner, FAR, 4000, IN_OUR, 5000, "hello");
	pkt_esp_encap(&k, seq, &inner);
	net_rx(&k);
}

/* How many datagrams wait for the program. */
static int received(tpi_t *t)
{
	int n = 0;

	while (udp_ep_get(t) == T_UNITDATA_IND)
		n++;
	return n;
}

/* ---- the tunnel's packets ---- */

Test(ipsec, sends)
{
	static const char *text[] = {"1", "22", "333", "4444", "55555"};
	const uchar_t *p;
	ipsec_sa_req_t o;
	size_t len;
	int next;
	tpi_t *t;

	tun_ready(true);
	t = udp_bound(5000);
	for (int i = 0; i < 5; i++) {
		udp_ep_send(t, IN_THEIR, 4000, text[i]);
		cr_assert_eq(net_nsent, i + 1);
		p = sent_esp(i, (uint32_t)i + 1, &len, &next);
		cr_assert_eq(next, 4);
		cr_assert_eq(len, 29 + (size_t)i);
		cr_assert_eq(get16(p + 2), len);
		cr_assert_eq(p[9], 17);
		cr_assert_eq(memcmp(p + 28, text[i], (size_t)i + 1), 0);
		cr_assert_eq(SENT_IP(i)->ipha_ttl, 60);
	}
	EXPECT_MIB(ipOutRequests, 10);
	o = sa_out();
	cr_assert_eq(sadb_get(&o), 0);
	cr_assert_eq(o.isr_seq, 5);
	cr_assert_eq(o.isr_packets, 5);
	cr_assert_eq(o.isr_bytes, 40 + 40 + 44 + 44 + 44);
}

Test(ipsec, receives)
{
	tpi_t *t;

	tun_ready(true);
	t = udp_bound(5000);
	esp_rx(1);
	cr_assert_eq(received(t), 1);
	EXPECT_MIB(ipInReceives, 2);
	EXPECT_MIB(ipInDelivers, 2);
	EXPECT_MIB(ipsecInSucceeded, 1);
	cr_assert_eq(net_nsent, 0);
}

/* Inner packets may come in any number of blocks and lengths. */
Test(ipsec, lengths)
{
	tpi_t *t;
	char text[1400];
	pkt_t k;

	tun_ready(true);
	t = udp_bound(5000);
	for (uint32_t i = 0; i < 9; i++) {
		memset(text, 'a', sizeof(text));
		text[i * 150 + i % 4] = '\0';
		pkt_udp(&inner, FAR, 4000, IN_OUR, 5000, text);
		pkt_esp_encap(&k, i + 1, &inner);
		net_rx(&k);
		cr_assert_eq(received(t), 1, "length %zu", strlen(text));
	}
}

/* ---- replay (RFC 4303, 3.4.3) ---- */

Test(ipsec, replay)
{
	tpi_t *t;

	tun_ready(true);
	t = udp_bound(5000);
	esp_rx(0); /* never valid */
	cr_assert_eq(received(t), 0);
	esp_rx(1);
	esp_rx(1);
	cr_assert_eq(received(t), 1);
	EXPECT_SPD(esp_replay, 2);
	esp_rx(40);
	esp_rx(9); /* 31 behind: the window's left edge */
	esp_rx(9);
	esp_rx(8); /* too old */
	esp_rx(39);
	esp_rx(39);
	cr_assert_eq(received(t), 3);
	EXPECT_SPD(esp_replay, 4);
	EXPECT_SPD(esp_early_replay, 1);
	esp_rx(1000);
	esp_rx(968);
	esp_rx(969);
	esp_rx(1000);
	cr_assert_eq(received(t), 2);
	EXPECT_SPD(esp_replay, 5);
	EXPECT_SPD(esp_early_replay, 2);
	EXPECT_MIB(ipInDiscards, 7);
	EXPECT_DROPS(IPD_IPSEC_DROP, 7);
}

Test(ipsec, replay_unchecked)
{
	ipsec_sa_req_t i = sa_in(), o = sa_out();
	tpi_t *t;

	i.isr_window = 0;
	cr_assert_eq(sadb_add(&i), 0);
	cr_assert_eq(sadb_add(&o), 0);
	cr_assert_eq(tun_up(tun_config(true)), 0);
	t = udp_bound(5000);
	esp_rx(7);
	esp_rx(7);
	esp_rx(0);
	cr_assert_eq(received(t), 3);
}

Test(ipsec, sequence_ends)
{
	ipsec_sa_req_t o = sa_out(), i = sa_in();
	size_t len;
	int next;
	tpi_t *t;

	o.isr_seq = 0xfffffffe;
	cr_assert_eq(sadb_add(&o), 0);
	cr_assert_eq(sadb_add(&i), 0);
	cr_assert_eq(tun_up(tun_config(true)), 0);
	t = udp_bound(5000);
	udp_ep_send(t, IN_THEIR, 4000, "last");
	(void)sent_esp(0, 0xffffffff, &len, &next);
	udp_ep_send(t, IN_THEIR, 4000, "none");
	cr_assert_eq(net_nsent, 1);
	EXPECT_SPD(esp_seq_wrap, 1);
	EXPECT_MIB(ipOutDiscards, 1);
}

/* ---- packets that are refused ---- */

Test(ipsec, bad_packets)
{
	static const struct {
		const char *counter;
		int cut;             /* bytes off the end of ESP */
		int padlen, padbyte; /* -1: as they should be */
		int next;
	} bad[] = {
	    {"esp_bad_length", 1, -1, -1, 4}, {"esp_bad_length", 2, -1, -1, 4}, {"esp_bad_padlen", 0, 255, -1, 4},
	    {"esp_bad_padlen", 0, 35, -1, 4}, {"esp_bad_padding", 0, 3, -1, 4}, {"esp_bad_padding", 0, -1, 9, 4},
	    {"esp_dummy", 0, -1, -1, 59},
	};
	uchar_t *e, *ip;
	tpi_t *t;
	pkt_t k;

	tun_ready(true);
	t = udp_bound(5000);
	for (uint32_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		uint64_t before = drop_count(bad[i].counter);

		pkt_udp(&inner, FAR, 4000, IN_OUR, 5000, "hello"); /* 33 bytes: one of padding */
		pkt_esp(&k, SPI_IN, i + 1, bad[i].next, inner.k_data + 14, 33);
		ip = k.k_data + 14;
		e = ip + 20;
		cr_assert_eq(e[8 + 34], 1);
		if (bad[i].padlen >= 0)
			e[8 + 34] = (uchar_t)bad[i].padlen;
		if (bad[i].padbyte >= 0)
			e[8 + 33] = (uchar_t)bad[i].padbyte;
		k.k_len -= (size_t)bad[i].cut;
		put16(ip + 2, (uint_t)(k.k_len - 14));
		pkt_ip_cksum(&k);
		net_rx(&k);
		cr_assert_eq(drop_count(bad[i].counter), before + 1, "%s, case %u", bad[i].counter, i);
		cr_assert_eq(received(t), 0);
		EXPECT_MIB(ipInDiscards, i + 1);
	}
	/* Too short for the header, and for header and trailer. */
	pkt_ip(&k, PEER, HOST, 50, 0, "\0\0\x20\x02\0\0", 6);
	net_rx(&k);
	EXPECT_SPD(esp_bad_length, 3);
	pkt_ip(&k, PEER, HOST, 50, 0, "\0\0\x20\x02\0\0\0\x63", 8);
	net_rx(&k);
	EXPECT_SPD(esp_bad_length, 4);
	/* Inner garbage: ESP is content, encapsulation is not. */
	pkt_esp(&k, SPI_IN, 100, 4, "garbage garbage garbage!", 24);
	net_rx(&k);
	EXPECT_DROPS(IPD_ENCAP, 1);
	pkt_esp(&k, SPI_IN, 101, 4, "", 0);
	net_rx(&k);
	EXPECT_DROPS(IPD_ENCAP, 2);
	/* A protocol nobody is bound to. */
	pkt_esp(&k, SPI_IN, 102, 200, "12345678", 8);
	net_rx(&k);
	EXPECT_DROPS(IPD_NO_PROTO, 1);
	cr_assert_eq(net_nsent, 1, "ICMP about the last only");
	cr_assert_eq(SENT_ULP(0)[0], ICMP_DEST_UNREACHABLE);
	check_sums(0);
	/* ESP in ESP is taken apart too. */
	pkt_t in2;
	pkt_esp(&in2, SPI_IN, 103, 4, inner.k_data + 14, 33);
	pkt_esp(&k, SPI_IN, 104, 50, in2.k_data + 34, in2.k_len - 34);
	net_rx(&k);
	cr_assert_eq(received(t), 1, "103 is older than 104, but new");
	EXPECT_SPD(esp_replay, 0);
}

Test(ipsec, bad_spi)
{
	tpi_t *t;
	pkt_t k;

	tun_ready(true);
	t = udp_bound(5000);
	pkt_udp(&inner, FAR, 4000, IN_OUR, 5000, "hello");
	pkt_esp(&k, SPI_IN + 1, 1, 4, inner.k_data + 14, 33);
	net_rx(&k);
	pkt_esp(&k, SPI_OUT, 1, 4, inner.k_data + 14, 33); /* that one is for sending */
	net_rx(&k);
	pkt_ip(&k, PEER, HOST, 51, 0, "\4\4\0\0\0\0\x20\x02\0\0\0\1", 12); /* AH: there is no association for it */
	net_rx(&k);
	EXPECT_SPD(sadb_no_sa, 3);
	EXPECT_MIB(ipInDiscards, 3);
	/* The right SPI from a stranger. */
	pkt_esp(&k, SPI_IN, 1, 4, inner.k_data + 14, 33);
	memcpy(k.k_data + 26, &(ipaddr_t){IP4(10, 0, 0, 3)}, 4);
	pkt_ip_cksum(&k);
	net_rx(&k);
	EXPECT_SPD(sadb_no_sa, 4);
	cr_assert_eq(received(t), 0);
	cr_assert_eq(net_nsent, 0);
}

/* A clear packet where ESP is demanded. */
Test(ipsec, clear_to_secure)
{
	tpi_t *t;
	pkt_t k;

	tun_ready(true);
	t = udp_bound(5000);
	pkt_udp(&inner, FAR, 4000, IN_OUR, 5000, "hello");
	pkt_encap(&k, &inner);
	net_rx(&k);
	cr_assert_eq(received(t), 0);
	EXPECT_SPD(spd_got_clear, 1);
	EXPECT_MIB(ipsecInFailed, 1);
	EXPECT_MIB(ipInDelivers, 0);
	EXPECT_TUN(ipackets, 0);
	cr_assert_eq(net_nsent, 0);
}

/* A protected packet where none is asked for. */
Test(ipsec, secure_to_clear)
{
	tpi_t *t;

	sa_both();
	cr_assert_eq(tun_up(tun_config(false)), 0);
	t = udp_bound(5000);
	esp_rx(1);
	cr_assert_eq(received(t), 0);
	EXPECT_SPD(spd_got_secure, 1);
	EXPECT_MIB(ipsecInFailed, 1);
}

/* Protected, but not by the cipher that is asked for. */
Test(ipsec, wrong_cipher)
{
	tun_config_t c = tun_config(true);
	tpi_t *t;

	sa_both();
	c.tc_secinfo.ipsr_esp_alg = SADB_EALG_3DESCBC;
	cr_assert_eq(tun_up(c), 0);
	t = udp_bound(5000);
	esp_rx(1);
	cr_assert_eq(received(t), 0);
	EXPECT_SPD(spd_bad_espealg, 1);
	/* And nothing can be sent. */
	udp_ep_send(t, IN_THEIR, 4000, "no");
	cr_assert_eq(net_nsent, 0);
	EXPECT_SPD(sadb_acquire, 1);
	EXPECT_MIB(ipOutDiscards, 1);
}

/* Any cipher will do. */
Test(ipsec, any_cipher)
{
	tun_config_t c = tun_config(true);
	tpi_t *t;

	sa_both();
	c.tc_secinfo.ipsr_esp_alg = SADB_EALG_NONE;
	cr_assert_eq(tun_up(c), 0);
	t = udp_bound(5000);
	esp_rx(1);
	cr_assert_eq(received(t), 1);
	udp_ep_send(t, IN_THEIR, 4000, "yes");
	cr_assert_eq(net_nsent, 1);
}

/* Without IPsec an ESP packet is of an unknown protocol. */
Test(ipsec, not_loaded)
{
	pkt_t k;

	pkt_esp(&k, SPI_IN, 1, 4, "12345678", 8);
	net_rx(&k);
	EXPECT_DROPS(IPD_IPSEC, 1);
	cr_assert_eq(net_nsent, 1);
	cr_assert_eq(SENT_ULP(0)[0], ICMP_DEST_UNREACHABLE);
	cr_assert_eq(SENT_ULP(0)[1], ICMP_PROTOCOL_UNREACHABLE);
}

/* A fragmented ESP packet is put together first. */
Test(ipsec, fragments)
{
	tpi_t *t;
	pkt_t k, f;

	tun_ready(true);
	t = udp_bound(5000);
	pkt_udp(&inner, FAR, 4000, IN_OUR, 5000, "hello, this is a longer text");
	pkt_esp_encap(&k, 1, &inner);
	pkt_ip(&f, PEER, HOST, 50, 0x2000, k.k_data + 34, 24);
	net_rx(&f);
	pkt_ip(&f, PEER, HOST, 50, 24 / 8, k.k_data + 34 + 24, k.k_len - 34 - 24);
	net_rx(&f);
	cr_assert_eq(received(t), 1);
}

/* ---- associations ---- */

Test(ipsec, sadb)
{
	ipsec_sa_req_t r = sa_in(), q;

	cr_assert_eq(sadb_add(&r), 0);
	cr_assert_eq(sadb_add(&r), EEXIST);
	r.isr_dir = IPSA_OUTBOUND;
	cr_assert_eq(sadb_add(&r), 0, "the directions are apart");
	q = r, q.isr_dir = 3;
	cr_assert_eq(sadb_add(&q), EINVAL);
	q = r, q.isr_spi = 255;
	cr_assert_eq(sadb_add(&q), EINVAL);
	q = r, q.isr_alg = SADB_EALG_AES;
	cr_assert_eq(sadb_add(&q), EINVAL);
	q = r, q.isr_dst = INADDR_ANY;
	cr_assert_eq(sadb_add(&q), EINVAL);
	q = r, q.isr_dst = IP4(224, 0, 0, 9);
	cr_assert_eq(sadb_add(&q), EINVAL);
	q = r, q.isr_window = 65;
	cr_assert_eq(sadb_add(&q), EINVAL);
	q = (ipsec_sa_req_t){.isr_dir = IPSA_INBOUND, .isr_spi = SPI_IN, .isr_dst = HOST};
	cr_assert_eq(sadb_get(&q), 0);
	cr_assert_eq(q.isr_src, PEER);
	cr_assert_eq(q.isr_window, 32);
	cr_assert_eq(sadb_delete(&q), 0);
	cr_assert_eq(sadb_delete(&q), ESRCH);
	cr_assert_eq(sadb_get(&q), ESRCH);
	sadb_flush();
	cr_assert_eq(sadb_delete(&r), ESRCH);
	kmem_fail_nth(1);
	cr_assert_eq(sadb_add(&r), ENOMEM);
	kmem_fail_nth(0);
}

static void esp_device(void *unused)
{
	ipsec_sa_req_t r = sa_in();
	ipsec_rule_t rule = {.ir_dir = IPSA_INBOUND, .ir_act = IPSEC_ACT_BYPASS};
	struct strioctl ioc = {.ic_cmd = ESPIOC_ADD_SA, .ic_len = sizeof(r), .ic_dp = (char *)&r};
	int64_t fd = U_OPEN("/dev/ipsecesp", O_RDWR);

	(void)unused;
	cr_assert_geq(fd, 0);
	OK(U_IOCTL(fd, I_STR, &ioc), 0);
	ioc.ic_len = sizeof(r); /* the call says what came back */
	FAILS(U_IOCTL(fd, I_STR, &ioc), EEXIST);
	ioc.ic_len--;
	FAILS(U_IOCTL(fd, I_STR, &ioc), EINVAL);
	ioc.ic_len = 0;
	FAILS(U_IOCTL(fd, I_STR, &ioc), EINVAL);
	FAILS(U_IOCTL(fd, ESPIOC_ADD_SA, &r), EINVAL);
	ioc = (struct strioctl){.ic_cmd = ESPIOC_GET_SA, .ic_len = sizeof(r), .ic_dp = (char *)&r};
	r.isr_window = 0;
	OK(U_IOCTL(fd, I_STR, &ioc), 0);
	cr_assert_eq(r.isr_window, 32);
	ioc.ic_cmd = ESPIOC_DELETE_SA;
	OK(U_IOCTL(fd, I_STR, &ioc), 0);
	ioc.ic_len = sizeof(r);
	FAILS(U_IOCTL(fd, I_STR, &ioc), ESRCH);
	ioc = (struct strioctl){.ic_cmd = ESPIOC_ADD_RULE, .ic_len = sizeof(rule), .ic_dp = (char *)&rule};
	OK(U_IOCTL(fd, I_STR, &ioc), 0);
	rule.ir_act = 9;
	ioc.ic_len = sizeof(rule);
	FAILS(U_IOCTL(fd, I_STR, &ioc), EINVAL);
	ioc = (struct strioctl){.ic_cmd = ESPIOC_FLUSH_RULES};
	OK(U_IOCTL(fd, I_STR, &ioc), 0);
	ioc.ic_cmd = ESPIOC_FLUSH;
	OK(U_IOCTL(fd, I_STR, &ioc), 0);
	ioc.ic_cmd = ESPIOC | 99;
	FAILS(U_IOCTL(fd, I_STR, &ioc), EINVAL);
	ioc.ic_cmd = ESPIOC_FLUSH;
	curproc->p_fd[fd]->f_cred->cr_uid = 100;
	FAILS(U_IOCTL(fd, I_STR, &ioc), EPERM);
	curproc->p_fd[fd]->f_cred->cr_uid = 0;
	OK(U_IOCTL(fd, I_FLUSH, FLUSHRW), 0);
	OK(U_CLOSE(fd), 0);
}

Test(ipsec, device)
{
	prog(esp_device, NULL);
}

/* ---- policy of sockets ---- */

static void udp_esp_rx(uint32_t seq, uint_t dport)
{
	uchar_t u[100];
	pkt_t k;

	pkt_esp(&k, SPI_IN, seq, 17, u, make_udp(u, PEER, 4000, HOST, dport, "esp", 3));
	net_rx(&k);
}

static void udp_clear_rx(uint_t dport)
{
	pkt_t k;

	pkt_udp(&k, PEER, 4000, HOST, dport, "clear");
	net_rx(&k);
}

/* ESP around UDP, for a socket that asks for it. */
Test(ipsec, socket_option)
{
	tpi_t *t = udp_ep_open(), *plain = udp_bound(5001);
	const uchar_t *p;
	size_t len;
	int next;

	sa_both();
	cr_assert_eq(udp_sec(t, (ipsec_req_t){.ipsr_ah_req = IPSEC_PREF_REQUIRED}), T_ERROR_ACK);
	cr_assert_eq(udp_sec(t, (ipsec_req_t){.ipsr_self_encap_req = IPSEC_PREF_REQUIRED}), T_ERROR_ACK);
	cr_assert_eq(udp_sec(t, (ipsec_req_t){.ipsr_esp_req = 0x80}), T_ERROR_ACK);
	cr_assert_eq(udp_sec(t, (ipsec_req_t){.ipsr_esp_req = IPSEC_PREF_REQUIRED | IPSEC_PREF_NEVER}), T_ERROR_ACK);
	cr_assert_eq(udp_ep_opt(t, IPPROTO_IP, IP_SEC_OPT, "12", 2), T_ERROR_ACK);
	cr_assert_eq(udp_sec(t, (ipsec_req_t)ESP_REQ), T_OPTMGMT_ACK);
	cr_assert_eq(udp_ep_bind(t, INADDR_ANY, 5000), T_BIND_ACK);
	udp_ep_send(t, PEER, 4000, "secret");
	cr_assert_eq(net_nsent, 1);
	p = sent_esp(0, 1, &len, &next);
	cr_assert_eq(next, 17);
	cr_assert_eq(len, 14);
	cr_assert_eq(net_sum(p, len, net_pseudo(HOST, PEER, 17, len)), 0, "UDP checksum");
	cr_assert_eq(memcmp(p + 8, "secret", 6), 0);
	udp_esp_rx(1, 5000);
	udp_clear_rx(5000);
	cr_assert_eq(received(t), 1);
	EXPECT_SPD(spd_got_clear, 1);
	udp_esp_rx(2, 5001);
	udp_clear_rx(5001);
	cr_assert_eq(received(plain), 1);
	EXPECT_SPD(spd_got_secure, 1);
	/* NEVER: in the clear whatever the system says. */
	udp_ep_send(plain, PEER, 4000, "clear");
	cr_assert_eq(SENT_IP(1)->ipha_protocol, 17);
}

/* A datagram too long for the wire is protected as a whole, then fragmented (RFC 4303, 3.3.4). */
Test(ipsec, long_datagram)
{
	static char text[3001];
	static uchar_t whole[4000];
	tpi_t *t = udp_ep_open();
	size_t have = 0;

	sa_both();
	cr_assert_eq(udp_sec(t, (ipsec_req_t)ESP_REQ), T_OPTMGMT_ACK);
	cr_assert_eq(udp_ep_bind(t, INADDR_ANY, 5000), T_BIND_ACK);
	for (int i = 0; i < 3000; i++)
		text[i] = (char)('a' + i % 26);
	udp_ep_send(t, PEER, 4000, text);
	cr_assert_eq(net_nsent, 3);
	for (int i = 0; i < 3; i++) {
		uint_t frag = ntohs(SENT_IP(i)->ipha_fragment_offset_and_flags);
		size_t len = ntohs(SENT_IP(i)->ipha_length) - 20U;

		check_sums(i);
		cr_assert_eq(SENT_IP(i)->ipha_protocol, 50);
		cr_assert_eq(frag, have / 8 | (i < 2 ? 0x2000 : 0), "piece %d: %#x", i, frag);
		memcpy(whole + have, SENT_ULP(i), len);
		have += len;
	}
	cr_assert_eq(have, 8 + 3008 + 2 + 2);
	cr_assert_eq(get32(whole), SPI_OUT);
	cr_assert_eq(whole[have - 1], 17);
	cr_assert_eq(whole[have - 2], 2);
	cr_assert_eq(memcmp(whole + 16, text, 3000), 0);
	EXPECT_MIB(ipFragOKs, 1);
	EXPECT_MIB(ipFragCreates, 3);
}

/* The route's hardware address is missing: the packet waits with its policy, or comes back. */
Test(ipsec, waits_for_arp)
{
	static const uchar_t mac[6] = {2, 0, 0, 0, 0, 9};
	ipsec_sa_req_t o = sa_out();
	tpi_t *t = udp_ep_open();

	sa_both();
	o.isr_dst = IP4(10, 0, 0, 9);
	cr_assert_eq(sadb_add(&o), 0);
	cr_assert_eq(udp_sec(t, (ipsec_req_t)ESP_REQ), T_OPTMGMT_ACK);
	cr_assert_eq(udp_ep_bind(t, INADDR_ANY, 5000), T_BIND_ACK);
	udp_ep_send(t, IP4(10, 0, 0, 9), 4000, "wait");
	cr_assert_eq(net_nsent, 1);
	cr_assert_eq(SENT_TYPE(0), 0x0806);
	cr_assert_eq(arp_static("rtls0", 0, IP4(10, 0, 0, 9), mac), 0);
	machine_run_ready();
	cr_assert_eq(net_nsent, 2);
	cr_assert_eq(SENT_IP(1)->ipha_protocol, 50);
	udp_ep_send(t, IP4(10, 0, 0, 10), 4000, "in vain");
	st_ticks(1000);
	EXPECT_DROPS(IPD_UNREACHABLE, 1);
	cr_assert_eq(udp_ep_get(t), -1, "a host that is unreachable is a passing error");
	udp_ep_send(t, IP4(99, 0, 0, 1), 4000, "no route");
	EXPECT_DROPS(IPD_NO_ROUTE, 1);
}

/* Nothing answers a protected packet to a closed port but in the way the policy says. */
Test(ipsec, rules)
{
	ipsec_rule_t in = {.ir_dir = IPSA_INBOUND | IPSA_OUTBOUND,
			   .ir_act = IPSEC_ACT_APPLY,
			   .ir_remote = PEER,
			   .ir_remote_mask = 0xffffffffU,
			   .ir_proto = 17},
		     drop = {.ir_dir = IPSA_INBOUND | IPSA_OUTBOUND, .ir_act = IPSEC_ACT_DISCARD, .ir_lport = htons(9)},
		     bypass = {
			 .ir_dir = IPSA_INBOUND | IPSA_OUTBOUND, .ir_act = IPSEC_ACT_BYPASS, .ir_lport = htons(7)};
	tpi_t *t5, *t7, *t9;
	size_t len;
	int next;
	pkt_t k;

	sa_both();
	cr_assert_eq(spd_add_rule(&drop), 0);
	cr_assert_eq(spd_add_rule(&bypass), 0);
	cr_assert_eq(spd_add_rule(&in), 0);
	in.ir_act = 0;
	cr_assert_eq(spd_add_rule(&in), EINVAL);
	in = (ipsec_rule_t){.ir_dir = 8, .ir_act = IPSEC_ACT_BYPASS};
	cr_assert_eq(spd_add_rule(&in), EINVAL);
	in = (ipsec_rule_t){.ir_dir = IPSA_INBOUND, .ir_act = IPSEC_ACT_BYPASS, .ir_local = HOST};
	cr_assert_eq(spd_add_rule(&in), EINVAL, "bits beyond the mask");
	t5 = udp_bound(5000), t7 = udp_bound(7), t9 = udp_bound(9);
	udp_ep_send(t5, PEER, 4000, "a");
	(void)sent_esp(0, 1, &len, &next);
	cr_assert_eq(next, 17);
	udp_ep_send(t7, PEER, 4000, "b");
	cr_assert_eq(SENT_IP(1)->ipha_protocol, 17);
	udp_ep_send(t9, PEER, 4000, "c");
	cr_assert_eq(net_nsent, 2);
	EXPECT_SPD(spd_explicit, 1);
	udp_esp_rx(1, 5000);
	udp_clear_rx(5000);
	cr_assert_eq(received(t5), 1);
	EXPECT_SPD(spd_got_clear, 1);
	udp_clear_rx(7);
	udp_esp_rx(2, 7);
	cr_assert_eq(received(t7), 1);
	EXPECT_SPD(spd_got_secure, 1);
	udp_clear_rx(9);
	udp_esp_rx(3, 9);
	cr_assert_eq(received(t9), 0);
	EXPECT_SPD(spd_explicit, 3);
	/* Echo is not UDP: no rule. */
	pkt_icmp(&k, PEER, HOST, 8, 0, "\0\1\0\1ping", 8);
	net_rx(&k);
	cr_assert_eq(net_nsent, 3);
	cr_assert_eq(SENT_IP(2)->ipha_protocol, 1);
	/* A connected socket has its policy latched: it stays when the rules go. */
	cr_assert_eq(udp_ep_connect(t5, PEER, 4000), T_OK_ACK);
	cr_assert_eq(udp_ep_get(t5), T_CONN_CON);
	spd_flush();
	udp_clear_rx(5000);
	udp_esp_rx(4, 5000);
	cr_assert_eq(received(t5), 1);
	EXPECT_SPD(spd_got_clear, 2);
	udp_clear_rx(9);
	cr_assert_eq(received(t9), 1, "and the others' is gone");
	/* To a group there is no association. */
	in = (ipsec_rule_t){.ir_dir = IPSA_OUTBOUND, .ir_act = IPSEC_ACT_APPLY};
	cr_assert_eq(spd_add_rule(&in), 0);
	net_nsent = 0;
	udp_ep_send(t9, IP4(10, 0, 0, 255), 4000, "all");
	cr_assert_eq(net_nsent, 0);
	EXPECT_SPD(spd_mcast, 1);
	udp_ep_send(t9, IP4(10, 0, 0, 2), 4000, "one");
	cr_assert_eq(SENT_IP(0)->ipha_protocol, 50);
}

/* What stays in the host needs no association, and is checked like everything. */
Test(ipsec, loopback)
{
	tpi_t *a = udp_ep_open(), *b = udp_ep_open(), *plain = udp_bound(5002);

	cr_assert_eq(udp_sec(a, (ipsec_req_t)ESP_REQ), T_OPTMGMT_ACK);
	cr_assert_eq(udp_sec(b, (ipsec_req_t)ESP_REQ), T_OPTMGMT_ACK);
	cr_assert_eq(udp_ep_bind(a, INADDR_ANY, 5000), T_BIND_ACK);
	cr_assert_eq(udp_ep_bind(b, INADDR_ANY, 5001), T_BIND_ACK);
	udp_ep_send(a, HOST, 5001, "to b");
	cr_assert_eq(received(b), 1);
	udp_ep_send(a, HOST, 5002, "to plain");
	cr_assert_eq(received(plain), 0);
	EXPECT_SPD(spd_got_secure, 1);
	udp_ep_send(plain, HOST, 5001, "to b");
	cr_assert_eq(received(b), 0);
	EXPECT_SPD(spd_got_clear, 1);
	udp_ep_send(a, HOST, 6666, "to nobody");
	EXPECT_MIB(udpNoPorts, 1);
}

/* ---- TCP under ESP ---- */

static int lfd, cfd;
static char got[32];

static char tcp_much[3000];

static void tcp_serve(void *unused)
{
	struct sockaddr_in sin = {.sin_family = AF_INET, .sin_port = htons(80)};
	ipsec_req_t r = ESP_REQ, back;
	socklen_t_ len = sizeof(back);

	(void)unused;
	lfd = (int)user_syscall(SYS_so_socket, AF_INET, SOCK_STREAM, 0, 0, SOV_DEFAULT, 0);
	OK(user_syscall(SYS_setsockopt, lfd, IPPROTO_IP, IP_SEC_OPT, A(&r), sizeof(r), 0), 0);
	OK(user_syscall(SYS_getsockopt, lfd, IPPROTO_IP, IP_SEC_OPT, A(&back), A(&len), 0), 0);
	cr_assert_eq(back.ipsr_esp_req, IPSEC_PREF_REQUIRED);
	OK(user_syscall(SYS_bind, lfd, A(&sin), sizeof(sin), 0, 0, 0), 0);
	OK(user_syscall(SYS_listen, lfd, 5, 0, 0, 0, 0), 0);
	cfd = (int)user_syscall(SYS_accept, lfd, 0, 0, 0, 0, 0);
	cr_assert_geq(cfd, 0);
	OK(U_READ(cfd, got, sizeof(got)), 5);
	OK(U_WRITE(cfd, "answer", 6), 6);
	OK(U_READ(cfd, got, sizeof(got)), 4);
	OK(U_WRITE(cfd, tcp_much, sizeof(tcp_much)), sizeof(tcp_much));
}

static uint32_t tcp_seq;

static void tcp_esp_rx(uint32_t seq, uint32_t ack, uint_t flags, const char *text)
{
	uchar_t u[200];
	pkt_t k;

	pkt_esp(&k, SPI_IN, ++tcp_seq, 6, u, make_tcp(u, PEER, 999, HOST, 80, seq, ack, flags, text, strlen(text)));
	net_rx(&k);
}

Test(ipsec, tcp)
{
	const uchar_t *p;
	uint32_t iss;
	size_t len;
	int next;
	pkt_t k;

	sa_both();
	prog(tcp_serve, NULL);
	/* A SYN in the clear is not heard. */
	pkt_tcp(&k, PEER, 999, HOST, 80, 500, 0, TH_SYN, "");
	net_rx(&k);
	cr_assert_eq(net_nsent, 0);
	EXPECT_SPD(spd_got_clear, 1);
	tcp_esp_rx(500, 0, TH_SYN, "");
	cr_assert_eq(net_nsent, 1);
	p = sent_esp(0, 1, &len, &next);
	cr_assert_eq(next, 6);
	cr_assert_eq(p[13], TH_SYN | TH_ACK);
	cr_assert_eq(net_sum(p, len, net_pseudo(HOST, PEER, 6, len)), 0, "TCP checksum");
	iss = get32(p + 4);
	tcp_esp_rx(501, iss + 1, TH_ACK, "");
	tcp_esp_rx(501, iss + 1, TH_ACK | TH_PUSH, "hello");
	cr_assert_eq(memcmp(got, "hello", 5), 0);
	p = sent_esp(net_nsent - 1, (uint32_t)net_nsent, &len, &next);
	cr_assert_eq(memcmp(p + (p[12] >> 4) * 4, "answer", 6), 0);
	/* The connection is as its listener was: a clear reset does not end it. */
	pkt_tcp(&k, PEER, 999, HOST, 80, 506, iss + 1, TH_RST | TH_ACK, "");
	net_rx(&k);
	EXPECT_SPD(spd_got_clear, 2);
	EXPECT_MIB(tcpEstabResets, 0);
	/* Full segments leave room for what ESP adds: 536 - 13, as the peer named no size. */
	int before = net_nsent;
	tcp_esp_rx(506, iss + 7, TH_ACK | TH_PUSH, "more");
	cr_assert_gt(net_nsent, before + 1);
	(void)sent_esp(before, (uint32_t)before + 1, &len, &next);
	cr_assert_eq(len, 20, "an acknowledgement");
	before++;
	(void)sent_esp(before, (uint32_t)before + 1, &len, &next);
	cr_assert_eq(len, 20 + 536 - 13, "%zu", len);
	cr_assert_eq(SENT_IP(before)->ipha_fragment_offset_and_flags, htons(IPH_DF));
	tcp_esp_rx(510, iss + 7, TH_RST | TH_ACK, "");
	EXPECT_MIB(tcpEstabResets, 1);
	/* No conn for it: the answer is nobody's, and in the clear. */
	net_nsent = 0;
	uchar_t u[40];
	pkt_esp(&k, SPI_IN, ++tcp_seq, 6, u, make_tcp(u, PEER, 999, HOST, 81, 1, 0, TH_SYN, "", 0));
	net_rx(&k);
	cr_assert_eq(net_nsent, 1);
	cr_assert_eq(SENT_ULP(0)[13], TH_RST | TH_ACK);
}
