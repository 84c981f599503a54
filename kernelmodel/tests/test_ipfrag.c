/* Fragments in and out (RFC 791, 3.2). */
#include "tests/nettest.h"
#include "ip/ip_impl.h"

NET_SUITE(ipfrag);

static pkt_t k;
static uchar_t whole[4000]; /* UDP header and data */
static size_t whole_len;

/* The datagram to be cut: `len' bytes of data to port 5000. */
static void make_whole(size_t len)
{
	static uchar_t data[4000];

	for (size_t i = 0; i < len; i++)
		data[i] = (uchar_t)('a' + i % 26);
	whole_len = make_udp(whole, PEER, 4000, HOST, 5000, data, len);
}

/* Its bytes start..end as a fragment. */
static void frag(size_t start, size_t end)
{
	pkt_ip(&k, PEER, HOST, 17, (uint_t)(start / 8) | (end < whole_len ? IPH_MF : 0), whole + start, end - start);
	if (start == 0 && end == whole_len)
		abort();
	net_rx(&k);
}

static tpi_t *receiver(size_t len)
{
	tpi_t *t = udp_ep_open();

	cr_assert_eq(udp_ep_bind(t, INADDR_ANY, 5000), T_BIND_ACK);
	make_whole(len);
	return t;
}

static void expect_whole(tpi_t *t)
{
	cr_assert_eq(udp_ep_get(t), T_UNITDATA_IND);
	cr_assert_eq((size_t)t->t_ansdatalen, whole_len - 8);
	cr_assert_eq(memcmp(t->t_ansdata, whole + 8, whole_len - 8), 0);
}
#define NOTHING(t) cr_assert_eq(udp_ep_get(t), -1)

/* ---- in ---- */

Test(ipfrag, in_order)
{
	tpi_t *t = receiver(100);

	frag(0, 40);
	frag(40, 80);
	NOTHING(t);
	frag(80, 108);
	expect_whole(t);
	EXPECT_MIB(ipReasmReqds, 1);
	EXPECT_MIB(ipReasmOKs, 1);
	EXPECT_MIB(ipInReceives, 3);
	EXPECT_MIB(ipInDelivers, 1);
	prog_exit();
}

/* Every order of four pieces. */
Test(ipfrag, any_order)
{
	static const size_t cut[5] = {0, 24, 48, 72, 100};
	tpi_t *t = receiver(92);

	for (int p = 0; p < 256; p++) {
		int o[4] = {p & 3, p >> 2 & 3, p >> 4 & 3, p >> 6 & 3};

		if ((1 << o[0] | 1 << o[1] | 1 << o[2] | 1 << o[3]) != 15)
			continue;
		for (int i = 0; i < 4; i++)
			frag(cut[o[i]], cut[o[i] + 1]);
		expect_whole(t);
	}
	EXPECT_MIB(ipReasmOKs, 24);
	EXPECT_MIB(ipReasmDuplicates, 0);
	EXPECT_MIB(ipReasmPartDups, 0);
	cr_assert_eq(ill_lookup_name("rtls0", 0)->ill_frag_count, 0);
	prog_exit();
}

Test(ipfrag, overlap)
{
	tpi_t *t = receiver(100);

	frag(0, 40);
	frag(32, 80); /* its first 8 bytes are there */
	EXPECT_MIB(ipReasmPartDups, 1);
	frag(80, 108);
	expect_whole(t);
	frag(64, 108);
	frag(32, 80); /* its last 16 are there */
	EXPECT_MIB(ipReasmPartDups, 2);
	frag(0, 32);
	expect_whole(t);
	frag(16, 32);
	frag(64, 80);
	frag(8, 88); /* takes the place of both */
	EXPECT_MIB(ipReasmDuplicates, 2);
	frag(88, 108);
	NOTHING(t);
	frag(0, 8);
	expect_whole(t);
	frag(16, 24);
	frag(32, 40);
	frag(16, 40); /* begins where one does: what it has beyond stays, the other goes */
	EXPECT_MIB(ipReasmPartDups, 3);
	frag(0, 24);
	frag(40, 108);
	expect_whole(t);
	prog_exit();
}

Test(ipfrag, duplicates)
{
	tpi_t *t = receiver(100);

	frag(0, 40);
	for (int i = 0; i < 10; i++)
		frag(0, 40);
	EXPECT_MIB(ipReasmDuplicates, 10);
	frag(40, 108);
	expect_whole(t);
	frag(0, 40);
	for (int i = 0; i < 11; i++)
		frag(0, 40);
	EXPECT_MIB(ipReasmFails, 1);
	frag(40, 108);
	NOTHING(t);
	prog_exit();
}

Test(ipfrag, malformed)
{
	tpi_t *t = receiver(100);

	pkt_ip(&k, PEER, HOST, 17, IPH_MF, whole, 41); /* not a multiple of 8 */
	net_rx(&k);
	EXPECT_MIB(ipInHdrErrors, 1);
	EXPECT_DROPS(IPD_FRAG_BAD, 1);
	pkt_ip(&k, PEER, HOST, 17, 5, whole, 0);
	net_rx(&k);
	EXPECT_DROPS(IPD_FRAG_EMPTY, 1);
	pkt_ip(&k, PEER, HOST, 17, 0x1fff, whole, 100); /* beyond 65535 */
	net_rx(&k);
	EXPECT_DROPS(IPD_FRAG_LONG, 1);
	EXPECT_MIB(ipInHdrErrors, 3);
	EXPECT_MIB(ipReasmReqds, 0);
	/* Two ends. */
	frag(80, 108);
	pkt_ip(&k, PEER, HOST, 17, 5, whole + 40, 30);
	net_rx(&k);
	EXPECT_MIB(ipReasmFails, 1);
	/* Data beyond the end. */
	frag(80, 108);
	pkt_ip(&k, PEER, HOST, 17, IPH_MF | 20, whole, 40);
	net_rx(&k);
	EXPECT_MIB(ipReasmFails, 2);
	/* An end before what is there. */
	frag(80, 104);
	pkt_ip(&k, PEER, HOST, 17, 2, whole, 8);
	net_rx(&k);
	EXPECT_MIB(ipReasmFails, 3);
	NOTHING(t);
	cr_assert_eq(net_nsent, 0);
	prog_exit();
}

/* Sixty seconds, looked at every thirty; an error goes out when the first piece was there. */
Test(ipfrag, timeout)
{
	tpi_t *t = receiver(100);

	frag(0, 40);
	machine_run(machine_now() + 59000000000LL);
	EXPECT_MIB(ipReasmFails, 0);
	machine_run(machine_now() + 31000000000LL);
	EXPECT_MIB(ipReasmFails, 1);
	EXPECT_DROPS(IPD_FRAG_TIMEOUT, 1);
	cr_assert_eq(net_nsent, 1);
	check_sums(0);
	cr_assert_eq(SENT_ULP(0)[0], ICMP_TIME_EXCEEDED);
	cr_assert_eq(SENT_ULP(0)[1], ICMP_REASSEMBLY_TIME_EXCEEDED);
	cr_assert_eq(SENT_IP(0)->ipha_dst, PEER);
	cr_assert_eq(memcmp(SENT_ULP(0) + 8, k.k_data + 14, 60), 0);
	frag(40, 108);
	machine_run(machine_now() + 100000000000LL);
	EXPECT_MIB(ipReasmFails, 2);
	cr_assert_eq(net_nsent, 1);
	NOTHING(t);
	prog_exit();
}

/* Beyond the limit the oldest datagrams go, and later pieces of unknown ones. */
Test(ipfrag, limit)
{
	tpi_t *t = receiver(100);

	ip_param.ip_reass_queue_bytes = 100;
	frag(0, 80);
	pkt_ip(&k, IP4(10, 0, 0, 3), HOST, 17, IPH_MF, whole, 80);
	net_rx(&k);
	cr_assert_eq(ill_lookup_name("rtls0", 0)->ill_frag_count, 160);
	pkt_ip(&k, IP4(10, 0, 0, 4), HOST, 17, IPH_MF, whole, 80);
	net_rx(&k);
	EXPECT_MIB(ipReasmFails, 1);
	EXPECT_DROPS(IPD_FRAG_PRUNED, 1);
	frag(80, 108);
	EXPECT_DROPS(IPD_FRAG_UNKNOWN, 1);
	NOTHING(t);
	prog_exit();
}

/* The same ident from another sender, for another protocol, to another address is another datagram. */
Test(ipfrag, key)
{
	tpi_t *t = receiver(100);

	frag(0, 40);
	pkt_ip(&k, IP4(10, 0, 0, 3), HOST, 17, 5, whole + 40, 68);
	net_rx(&k);
	pkt_ip(&k, PEER, HOST, 99, 5, whole + 40, 68);
	net_rx(&k);
	NOTHING(t);
	EXPECT_MIB(ipReasmReqds, 3);
	frag(40, 108);
	expect_whole(t);
	prog_exit();
}

/* A fragment whose checksum cannot be verified makes the whole unverifiable; else it is verified. */
Test(ipfrag, cksum)
{
	tpi_t *t = receiver(100);

	whole[50] ^= 1;
	frag(0, 40);
	frag(40, 108);
	NOTHING(t);
	EXPECT_MIB(udpInCksumErrs, 1);
	frag(0, 40);
	pkt_ip(&k, PEER, HOST, 17, 5, whole + 40, 68);
	net_rx_flags(&k, WIRE_NOCKSUM_L4);
	expect_whole(t);
	prog_exit();
}

Test(ipfrag, no_memory)
{
	tpi_t *t = receiver(100);

	for (int n = 1; n < 8; n++) {
		kmem_fail_nth(n);
		frag(0, 40);
		frag(40, 108);
		kmem_fail_nth(0);
		machine_run(machine_now() + 100000000000LL);
		while (udp_ep_get(t) != -1)
			continue;
		allocb_fail_nth(n);
		frag(40, 108);
		frag(0, 40);
		allocb_fail_nth(0);
		machine_run(machine_now() + 100000000000LL);
		while (udp_ep_get(t) != -1)
			continue;
	}
	prog_exit();
}

/* Left over when the interface goes. */
Test(ipfrag, unplumb)
{
	tpi_t *t = receiver(100);

	frag(0, 40);
	frag(80, 108);
	NOTHING(t);
	prog_exit();
}

/* ---- out ---- */

/* Put the fragments sent, from frame n on, together: the data's length, or 0 when they do not fit. */
static size_t together(uchar_t *buf, int n)
{
	size_t len = 0;

	for (; n < net_nsent; n++) {
		const ipha_t *ipha = SENT_IP(n);
		uint_t off = (ntohs(ipha->ipha_fragment_offset_and_flags) & IPH_OFFSET) * 8U;
		size_t data = (size_t)ntohs(ipha->ipha_length) - IPH_HDR_LENGTH(ipha);

		check_sums(n);
		if (off != len || (n + 1 < net_nsent) != ((ntohs(ipha->ipha_fragment_offset_and_flags) & IPH_MF) != 0))
			return 0;
		memcpy(buf + off, SENT_ULP(n), data);
		len += data;
	}
	return len;
}

Test(ipfrag, out)
{
	tpi_t *t = receiver(1);
	static char text[4000];
	static uchar_t buf[4096];

	memset(text, 'q', 3990);
	udp_ep_send(t, PEER, 4000, text);
	/* 3998 bytes: 1480 + 1480 + 1038. */
	cr_assert_eq(net_nsent, 3);
	cr_assert_eq(ntohs(SENT_IP(0)->ipha_length), 1500);
	cr_assert_eq(ntohs(SENT_IP(1)->ipha_length), 1500);
	cr_assert_eq(ntohs(SENT_IP(2)->ipha_length), 1058);
	cr_assert_eq(SENT_IP(0)->ipha_ident, SENT_IP(2)->ipha_ident);
	cr_assert_eq(SENT_IP(0)->ipha_fragment_offset_and_flags & htons(IPH_DF), 0);
	cr_assert_eq(together(buf, 0), 3998);
	cr_assert_eq(net_sum(buf, 3998, net_pseudo(HOST, PEER, 17, 3998)), 0, "UDP checksum over the whole");
	EXPECT_MIB(ipFragOKs, 1);
	EXPECT_MIB(ipFragCreates, 3);
	EXPECT_MIB(ipOutRequests, 1);
	/* Exactly one packet's worth is not cut. */
	text[1472] = '\0';
	udp_ep_send(t, PEER, 4000, text);
	cr_assert_eq(net_nsent, 4);
	EXPECT_MIB(ipFragOKs, 1);
	text[1472] = 'q';
	text[1473] = '\0';
	udp_ep_send(t, PEER, 4000, text);
	cr_assert_eq(net_nsent, 6);
	cr_assert_eq(ntohs(SENT_IP(5)->ipha_length), 21);
	st_expect_stack(sent_stack(5),
			"putnext < ip_wput_frag < ip_wput_ire_fragmentit < ip_wput_ire < ip_output < ip_wput");
	prog_exit();
}

/* putmsg(2) that may fail. */
static void put_maybe(void *arg)
{
	tpi_t *t = arg;
	struct strbuf c = {.len = t->t_ctllen, .buf = (char *)t->t_ctl};
	struct strbuf d = {.len = (int)strlen(t->t_data), .buf = (char *)(uintptr_t)t->t_data};

	(void)U_PUTMSG(t->t_fd, &c, &d, 0);
}

/* Each allocation fails in turn. */
Test(ipfrag, out_no_memory)
{
	tpi_t *t = receiver(1);
	static char text[4000];

	memset(text, 'q', 3990);
	udp_ep_send(t, PEER, 4000, "first");
	for (int n = 1; n < 16; n++) {
		allocb_fail_nth(n);
		tpi_addr(t, sizeof(struct T_unitdata_req), T_UNITDATA_REQ, PEER, 4000);
		t->t_data = text;
		prog(put_maybe, t);
		allocb_fail_nth(0);
		while (udp_ep_get(t) != -1)
			continue;
	}
	/* The failure inside IP: an echo reply that has to be cut, its first fragment without header. */
	pkt_icmp(&k, PEER, HOST, 8, 0, text, 1470);
	ill_lookup_name("rtls0", 0)->ill_ipif->ipif_mtu = 1500;
	ire_t *ire = ire_cache_lookup(PEER, GLOBAL_ZONEID, 0);
	ire->ire_max_frag = 576;
	uint64_t lost = mib_now("ipOutDiscards");
	for (int n = 2; n < 8; n++) {
		allocb_fail_nth(n);
		net_rx(&k);
		allocb_fail_nth(0);
	}
	cr_assert_geq(mib_now("ipOutDiscards") - lost, 5);
	net_nsent = 0;
	net_rx(&k);
	cr_assert_eq(net_nsent, 3, "1494 bytes in 552, 552, 370");
	ire->ire_max_frag = 27;
	net_rx(&k);
	EXPECT_MIB(ipFragFails, 1);
	cr_assert_eq(net_nsent, 3);
	IRE_REFRELE(ire);
	prog_exit();
}

/* Options with the copied flag are in every fragment, others in the first only (RFC 791, 3.1). */
Test(ipfrag, options)
{
	uchar_t opts[16] = {7, 7, 4, 0, 0, 0, 0, 131, 7, 8, 1, 2, 3, 4, 0, 0};

	cr_assert_eq(ip_options_copied(opts, 16), 8);
	cr_assert_eq(memcmp(opts, "\x83\x07\x08\x01\x02\x03\x04\x00", 8), 0);
	uchar_t none[4] = {1, 1, 1, 0};
	cr_assert_eq(ip_options_copied(none, 4), 0);
}
