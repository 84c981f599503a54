/* GLD and rtls: DLPI, the two receive branches, transmit, VLANs, promiscuous streams. */
#include "tests/nettest.h"
#include "sys/dlpi.h"

NET_SUITE(gld);

/* ---- a DLPI user of its own: the device opened by a program ---- */

static void dl_do_open(void *arg)
{
	tpi_t *t = arg;

	t->t_fd = U_OPEN(t->t_data, O_RDWR | O_NONBLOCK);
}

static tpi_t *dl_open(const char *path)
{
	static tpi_t pool[16];
	static int n;
	tpi_t *t = &pool[n++ % 16];

	memset(t, 0, sizeof(*t));
	t->t_data = path;
	prog(dl_do_open, t);
	return t;
}

/* A request of these words; the primitive of the answer. */
static int dl_req(tpi_t *t, int n, const uint32_t *words)
{
	memcpy(t->t_ctl, words, (size_t)n * 4);
	t->t_ctllen = n * 4;
	t->t_data = NULL;
	prog(tpi_do_put, t);
	prog(tpi_do_get, t);
	return t->t_prim;
}
#define DL_REQ(t, ...) dl_req(t, (int)(sizeof((uint32_t[]){__VA_ARGS__}) / 4), (uint32_t[]){__VA_ARGS__})
#define DL_ERRNO(t) (((dl_error_ack_t *)(void *)(t)->t_ans)->dl_errno)
/* Refused with this DLPI error. */
#define DL_FAILS(t, err, ...)                                               \
	do {                                                                \
		cr_assert_eq(DL_REQ(t, __VA_ARGS__), DL_ERROR_ACK);         \
		cr_assert_eq(DL_ERRNO(t), err, "dl_errno %u", DL_ERRNO(t)); \
	} while (0)
#define BIND(sap) DL_BIND_REQ, sap, 0, DL_CLDLS, 0
#define MULTI(prim) prim, 6, 12, 0x005e0001, 0x00000500 /* 01:00:5e:00:00:05 */

static tpi_t *dl_up(uint32_t sap)
{
	tpi_t *t = dl_open("/dev/rtls");

	cr_assert_eq(DL_REQ(t, DL_ATTACH_REQ, 0), DL_OK_ACK);
	cr_assert_eq(DL_REQ(t, BIND(sap)), DL_BIND_ACK);
	return t;
}

#define STAT(name) (gld_find_mac("rtls", 0)->gldm_mac_pvt->statistics.name)
static gld_vlan_t *vlan0(void)
{
	return gld_find_mac("rtls", 0)->gldm_mac_pvt->vlan_hash[0];
}

/* A frame of some type that says "x". */
static void rx_type(const uchar_t *dst, uint_t type)
{
	static pkt_t pool[16];
	static int n;
	pkt_t *k = &pool[n++ % 16];

	pkt_ether(k, dst, type);
	memset(k->k_data + 14, 'x', 60);
	k->k_len = 74;
	net_rx(k);
}

/* ---- state machine ---- */

Test(gld, info)
{
	tpi_t *t = dl_open("/dev/rtls");
	const dl_info_ack_t *ack = (const void *)t->t_ans;

	cr_assert_eq(DL_REQ(t, DL_INFO_REQ), DL_INFO_ACK);
	cr_assert_eq(ack->dl_current_state, DL_UNATTACHED);
	cr_assert_eq(ack->dl_provider_style, DL_STYLE2);
	cr_assert_eq(ack->dl_mac_type, DL_ETHER);
	cr_assert_eq(ack->dl_addr_length, 8);
	cr_assert_eq(ack->dl_sap_length, -2);
	cr_assert_eq(ack->dl_addr_offset, 0, "no address before it is bound");
	cr_assert_eq(ack->dl_max_sdu, 1500);
	cr_assert_eq(memcmp(t->t_ans + ack->dl_brdcst_addr_offset, bcast_mac, 6), 0);
	cr_assert_eq(DL_REQ(t, DL_ATTACH_REQ, 0), DL_OK_ACK);
	cr_assert_eq(DL_REQ(t, BIND(0x9000)), DL_BIND_ACK);
	const dl_bind_ack_t *back = (const void *)t->t_ans;
	cr_assert_eq(back->dl_addr_length, 8);
	cr_assert_eq(memcmp(t->t_ans + back->dl_addr_offset, host_mac, 6), 0);
	cr_assert_eq(*(uint16_t *)(void *)(t->t_ans + back->dl_addr_offset + 6), 0x9000);
	cr_assert_eq(DL_REQ(t, DL_INFO_REQ), DL_INFO_ACK);
	cr_assert_eq(ack->dl_current_state, DL_IDLE);
	cr_assert_eq(memcmp(t->t_ans + ack->dl_addr_offset, host_mac, 6), 0);
	t = dl_open("/dev/rtls0");
	ack = (const void *)t->t_ans;
	cr_assert_eq(DL_REQ(t, DL_INFO_REQ), DL_INFO_ACK);
	cr_assert_eq(ack->dl_provider_style, DL_STYLE1);
	cr_assert_eq(ack->dl_current_state, DL_UNBOUND, "style 1 is attached at once");
	prog_exit();
}

Test(gld, refusals)
{
	tpi_t *t = dl_open("/dev/rtls");

	DL_FAILS(t, DL_OUTSTATE, BIND(0x9000));
	DL_FAILS(t, DL_OUTSTATE, DL_UNBIND_REQ);
	DL_FAILS(t, DL_OUTSTATE, DL_DETACH_REQ);
	DL_FAILS(t, DL_OUTSTATE, DL_PROMISCON_REQ, DL_PROMISC_PHYS);
	DL_FAILS(t, DL_OUTSTATE, DL_PHYS_ADDR_REQ, DL_CURR_PHYS_ADDR);
	DL_FAILS(t, DL_OUTSTATE, MULTI(DL_ENABMULTI_REQ));
	DL_FAILS(t, DL_BADPPA, DL_ATTACH_REQ, 7);
	DL_FAILS(t, DL_BADPPA, DL_ATTACH_REQ, 4095000);
	DL_FAILS(t, DL_BADPRIM, DL_ATTACH_REQ);
	DL_FAILS(t, DL_BADPRIM, 0x7777);
	cr_assert_eq(DL_REQ(t, DL_ATTACH_REQ, 0), DL_OK_ACK);
	DL_FAILS(t, DL_OUTSTATE, DL_ATTACH_REQ, 0);
	DL_FAILS(t, DL_UNSUPPORTED, DL_BIND_REQ, 0x9000, 0, 1, 0);
	DL_FAILS(t, DL_NOAUTO, DL_BIND_REQ, 0x9000, 0, DL_CLDLS, 1);
	DL_FAILS(t, DL_BADSAP, BIND(0x10000));
	cr_assert_eq(DL_REQ(t, BIND(0x9000)), DL_BIND_ACK);
	DL_FAILS(t, DL_OUTSTATE, BIND(0x9000));
	DL_FAILS(t, DL_NOTENAB, DL_PROMISCOFF_REQ, DL_PROMISC_PHYS);
	DL_FAILS(t, DL_NOTSUPPORTED, DL_PROMISCON_REQ, 9);
	DL_FAILS(t, DL_BADADDR, DL_ENABMULTI_REQ, 6, 12, 0x005e0000, 0x500);
	DL_FAILS(t, DL_NOTENAB, MULTI(DL_DISABMULTI_REQ));
	DL_FAILS(t, DL_BADPRIM, DL_PHYS_ADDR_REQ, 9);
	cr_assert_eq(DL_REQ(t, DL_PHYS_ADDR_REQ, DL_CURR_PHYS_ADDR), DL_PHYS_ADDR_ACK);
	cr_assert_eq(memcmp(t->t_ans + 12, host_mac, 6), 0);
	cr_assert_eq(DL_REQ(t, DL_PHYS_ADDR_REQ, DL_FACT_PHYS_ADDR), DL_PHYS_ADDR_ACK);
	cr_assert_eq(memcmp(t->t_ans + 12, nic_eeprom(nic_get(0)), 6), 0);
	cr_assert_eq(DL_REQ(t, DL_CAPABILITY_REQ, 0, 0), DL_CAPABILITY_ACK);
	cr_assert_eq(((dl_capability_ack_t *)(void *)t->t_ans)->dl_sub_length, 0);
	cr_assert_eq(DL_REQ(t, DL_UNBIND_REQ), DL_OK_ACK);
	cr_assert_eq(DL_REQ(t, DL_DETACH_REQ), DL_OK_ACK);
	cr_assert_eq(DL_REQ(t, DL_ATTACH_REQ, 0), DL_OK_ACK);
	t = dl_open("/dev/rtls1");
	cr_assert_eq(t->t_fd, -1, "there is no such board");
	prog_exit();
}

/* ---- receiving ---- */

Test(gld, shortcut)
{
	tpi_t *ep = udp_ep_open();
	pkt_t k;

	udp_ep_bind(ep, INADDR_ANY, 5000);
	cr_assert_not_null(vlan0()->gldv_ipq, "ip is FAST, and arp was bound after it");
	cr_assert_eq(vlan0()->gldv_ipq_flags, 0);
	pkt_udp(&k, PEER, 1, HOST, 5000, "a");
	uint64_t bytes = STAT(glds_bytercv64), frames = STAT(glds_pktrcv64);
	net_rx(&k);
	cr_assert_eq(udp_ep_get(ep), T_UNITDATA_IND);
	cr_assert_eq(STAT(glds_bytercv64) - bytes, 60);
	cr_assert_eq(STAT(glds_pktrcv64) - frames, 1);
	/* A second stream for IP ends it; its end brings it back. */
	tpi_t *t = dl_up(0x0800);
	cr_assert_null(vlan0()->gldv_ipq);
	net_rx(&k);
	cr_assert_eq(udp_ep_get(ep), T_UNITDATA_IND, "by gld_sendup");
	cr_assert_eq(udp_ep_get(t), DL_UNITDATA_IND, "a copy: not FAST");
	cr_assert_eq(t->t_ansdatalen, 46, "without the MAC header, with the padding");
	cr_assert_eq(DL_REQ(t, DL_UNBIND_REQ), DL_OK_ACK);
	cr_assert_not_null(vlan0()->gldv_ipq);
	/* A sniffer forbids it for the VLAN while it listens. */
	t = dl_up(0x9000);
	cr_assert_eq(DL_REQ(t, DL_PROMISCON_REQ, DL_PROMISC_PHYS), DL_OK_ACK);
	cr_assert_neq(vlan0()->gldv_ipq_flags & IPQ_FORBIDDEN, 0);
	net_rx(&k);
	cr_assert_eq(udp_ep_get(ep), T_UNITDATA_IND);
	cr_assert_eq(DL_REQ(t, DL_PROMISCOFF_REQ, DL_PROMISC_PHYS), DL_OK_ACK);
	cr_assert_eq(vlan0()->gldv_ipq_flags, 0);
	prog_exit();
}

/* Unknown types, other stations, broadcast, multicast. */
Test(gld, accept)
{
	tpi_t *t = dl_up(0x9000);
	uint64_t unknowns = STAT(glds_unknowns);

	rx_type(host_mac, 0x9001);
	cr_assert_eq(STAT(glds_unknowns) - unknowns, 1);
	cr_assert_eq(udp_ep_get(t), -1);
	rx_type(host_mac, 0x9000);
	cr_assert_eq(udp_ep_get(t), DL_UNITDATA_IND);
	const dl_unitdata_ind_t *ind = (const void *)t->t_ans;
	cr_assert_eq(ind->dl_group_address, 0);
	cr_assert_eq(memcmp(t->t_ans + ind->dl_dest_addr_offset, host_mac, 6), 0);
	cr_assert_eq(memcmp(t->t_ans + ind->dl_src_addr_offset, peer_mac, 6), 0);
	cr_assert_eq(t->t_ansdatalen, 60);
	rx_type(bcast_mac, 0x9000);
	cr_assert_eq(udp_ep_get(t), DL_UNITDATA_IND);
	cr_assert_eq(ind->dl_group_address, 1);
	cr_assert_geq(STAT(glds_brdcstrcv), 1);
	static const uchar_t group[6] = {0x01, 0x00, 0x5e, 0x00, 0x00, 0x05};
	rx_type(group, 0x9000);
	cr_assert_eq(udp_ep_get(t), -1, "filtered by the chip");
	cr_assert_eq(DL_REQ(t, MULTI(DL_ENABMULTI_REQ)), DL_OK_ACK);
	rx_type(group, 0x9000);
	cr_assert_eq(udp_ep_get(t), DL_UNITDATA_IND);
	cr_assert_eq(ind->dl_group_address, 1);
	cr_assert_eq(DL_REQ(t, MULTI(DL_DISABMULTI_REQ)), DL_OK_ACK);
	rx_type(group, 0x9000);
	cr_assert_eq(udp_ep_get(t), -1);
	rx_type(peer_mac, 0x9000);
	cr_assert_eq(udp_ep_get(t), -1);
	cr_assert_eq(DL_REQ(t, DL_PROMISCON_REQ, DL_PROMISC_PHYS), DL_OK_ACK);
	rx_type(peer_mac, 0x9000);
	cr_assert_eq(udp_ep_get(t), DL_UNITDATA_IND, "for another station");
	cr_assert_eq(DL_REQ(t, DL_PROMISCON_REQ, DL_PROMISC_SAP), DL_OK_ACK);
	rx_type(peer_mac, 0x9001);
	cr_assert_eq(udp_ep_get(t), DL_UNITDATA_IND, "any type");
	prog_exit();
}

/* 802.2: a SAP below 1501 is an LLC one; SNAP with an Ethernet type inside goes to that type's stream. */
Test(gld, llc)
{
	tpi_t *t = dl_up(0x42), *s = dl_up(0x9000);
	pkt_t k, m;

	pkt_ether(&k, host_mac, 10);
	memcpy(k.k_data + 14,
	       "\x42\x42\x03"
	       "spanned",
	       10);
	memset(k.k_data + 24, 0, 50);
	k.k_len = 74;
	net_rx(&k);
	cr_assert_eq(udp_ep_get(t), DL_UNITDATA_IND);
	cr_assert_eq(t->t_ansdatalen, 10, "the padding is gone, the LLC header is not");
	pkt_ether(&m, host_mac, 13);
	memcpy(m.k_data + 14,
	       "\xaa\xaa\x03\0\0\0\x90\0"
	       "snapp",
	       13);
	memset(m.k_data + 27, 0, 40);
	m.k_len = 67;
	net_rx(&m);
	cr_assert_eq(udp_ep_get(s), DL_UNITDATA_IND);
	cr_assert_eq(s->t_ansdatalen, 5);
	cr_assert_eq(memcmp(s->t_ansdata, "snapp", 5), 0);
	uint64_t bad = STAT(glds_rcvbadinterp);
	put16(k.k_data + 12, 200);
	net_rx(&k);
	cr_assert_eq(STAT(glds_rcvbadinterp) - bad, 1, "shorter than its length field");
	prog_exit();
}

/* A stream that does not read is skipped when it is full, and what it lost is counted. */
Test(gld, blocked)
{
	tpi_t *t = dl_up(0x9000);
	int got = 0;

	for (int i = 0; i < 200; i++)
		rx_type(host_mac, 0x9000);
	cr_assert_gt(STAT(glds_blocked), 0);
	while (udp_ep_get(t) == DL_UNITDATA_IND)
		got++;
	cr_assert_eq((uint64_t)got + STAT(glds_blocked), 200);
	prog_exit();
}

Test(gld, bad_frames)
{
	pkt_t k = {.k_len = 1700};
	uint64_t frame = STAT(glds_frame);

	memcpy(k.k_data, host_mac, 6);
	net_rx(&k);
	cr_assert_eq(STAT(glds_frame) - frame, 1, "longer than 1518");
	/* The receiver was reset and works. */
	tpi_t *t = udp_ep_open();
	udp_ep_bind(t, INADDR_ANY, 5000);
	pkt_udp(&k, PEER, 1, HOST, 5000, "a");
	net_rx(&k);
	cr_assert_eq(udp_ep_get(t), T_UNITDATA_IND);
	/* Without memory for the copy. */
	uint64_t nobuf = STAT(glds_norcvbuf);
	allocb_fail_nth(1);
	net_rx(&k);
	allocb_fail_nth(0);
	cr_assert_eq(STAT(glds_norcvbuf) - nobuf, 1);
	cr_assert_eq(udp_ep_get(t), -1);
	prog_exit();
}

/* ---- sending ---- */

static void dl_unitdata(tpi_t *t, const uchar_t *dst, uint16_t sap, const char *text)
{
	dl_unitdata_req_t req = {DL_UNITDATA_REQ, 8, sizeof(req), {0, 0}};

	memcpy(t->t_ctl, &req, sizeof(req));
	memcpy(t->t_ctl + sizeof(req), dst, 6);
	memcpy(t->t_ctl + sizeof(req) + 6, &sap, 2);
	t->t_ctllen = sizeof(req) + 8;
	t->t_data = text;
	prog(tpi_do_put, t);
}

Test(gld, unitdata)
{
	tpi_t *t = dl_open("/dev/rtls");
	uint64_t bytes, frames;

	dl_unitdata(t, peer_mac, 0x9000, "hello");
	cr_assert_eq(udp_ep_get(t), DL_UDERROR_IND);
	cr_assert_eq(((dl_uderror_ind_t *)(void *)t->t_ans)->dl_errno, DL_OUTSTATE);
	cr_assert_eq(DL_REQ(t, DL_ATTACH_REQ, 0), DL_OK_ACK);
	cr_assert_eq(DL_REQ(t, BIND(0x9000)), DL_BIND_ACK);
	bytes = STAT(glds_bytexmt64);
	frames = STAT(glds_pktxmt64);
	dl_unitdata(t, peer_mac, 0x9000, "hello");
	cr_assert_eq(net_nsent, 1);
	cr_assert_eq(net_sent[0].s_len, 60);
	cr_assert_eq(memcmp(net_sent[0].s_data, peer_mac, 6), 0);
	cr_assert_eq(memcmp(net_sent[0].s_data + 6, host_mac, 6), 0);
	cr_assert_eq(SENT_TYPE(0), 0x9000);
	cr_assert_eq(memcmp(net_sent[0].s_data + 14, "hello\0\0\0", 8), 0);
	cr_assert_eq(STAT(glds_bytexmt64) - bytes, 19);
	cr_assert_eq(STAT(glds_pktxmt64) - frames, 1);
	dl_unitdata(t, bcast_mac, 0x9000, "x");
	cr_assert_geq(STAT(glds_brdcstxmt), 1);
	dl_unitdata(t, peer_mac, 0x0042, "x");
	cr_assert_eq(SENT_TYPE(2), 4, "802.3: a length");
	cr_assert_eq(memcmp(net_sent[2].s_data + 14, "\x42\x00\x03x", 4), 0);
	static char big[1502];
	memset(big, 'b', 1501);
	dl_unitdata(t, peer_mac, 0x9000, big);
	cr_assert_eq(udp_ep_get(t), DL_UDERROR_IND);
	cr_assert_eq(((dl_uderror_ind_t *)(void *)t->t_ans)->dl_errno, DL_BADDATA);
	cr_assert_eq(net_nsent, 3);
	prog_exit();
}

/* A sniffer sees what the host sends, too. */
Test(gld, loopback)
{
	tpi_t *t = dl_up(0x0800 + 1), *ep = udp_ep_open();

	udp_ep_bind(ep, INADDR_ANY, 5000);
	cr_assert_eq(DL_REQ(t, DL_PROMISCON_REQ, DL_PROMISC_PHYS), DL_OK_ACK);
	cr_assert_eq(DL_REQ(t, DL_PROMISCON_REQ, DL_PROMISC_SAP), DL_OK_ACK);
	udp_ep_send(ep, PEER, 4000, "hello");
	cr_assert_eq(net_nsent, 1);
	cr_assert_eq(udp_ep_get(t), DL_UNITDATA_IND);
	cr_assert_eq(t->t_ansdatalen, 33);
	cr_assert_eq(udp_ep_get(t), -1);
	prog_exit();
}

/* Four descriptors; the fifth frame waits and leaves when the chip says so. */
Test(gld, busy)
{
	tpi_t *ep = udp_ep_open();

	udp_ep_bind(ep, INADDR_ANY, 5000);
	udp_ep_send(ep, PEER, 4000, "0");
	nic_set_speed(nic_get(0), 10000000);
	for (int i = 1; i <= 8; i++)
		udp_ep_send(ep, PEER, 4000, "x");
	cr_assert_eq(net_nsent, 1);
	cr_assert_geq(STAT(glds_xmtretry), 1);
	machine_run_idle(machine_now() + 1000000000);
	cr_assert_eq(net_nsent, 9, "%d", net_nsent);
	for (int i = 1; i < 9; i++)
		cr_assert_eq(ntohs(SENT_IP(i)->ipha_ident), (uint16_t)(ntohs(SENT_IP(0)->ipha_ident) + i), "in order");
	nic_set_speed(nic_get(0), 0);
	prog_exit();
}

/* ---- VLANs ---- */

static void plumb_vlan(void *unused)
{
	(void)unused;
	net_error = ip_plumb("rtls0", 5, HOST, MASK24, host_mac);
	if (net_error == 0)
		net_error = arp_static("rtls0", 5, PEER, bcast_mac);
}

static void unplumb_vlan(void *unused)
{
	(void)unused;
	net_error = ip_unplumb("rtls0", 5);
}

/* Put tags into a frame. */
static void add_tag(pkt_t *k, uint_t type, uint_t vid)
{
	memmove(k->k_data + 16, k->k_data + 12, k->k_len - 12);
	put16(k->k_data + 12, type);
	put16(k->k_data + 14, 0x6000 | vid);
	k->k_len += 4;
}

Test(gld, vlan)
{
	tpi_t *t = udp_ep_open(), *v = udp_ep_open();
	uint_t ifindex;
	pkt_t k;

	st_thread(plumb_vlan, NULL);
	cr_assert_eq(net_error, 0, "%d", net_error);
	net_nsent = 0;
	ifindex = ip_ifindex("rtls0", 5);
	cr_assert_neq(ifindex, 0);
	cr_assert_neq(ifindex, ip_ifindex("rtls0", 0));
	cr_assert_eq(udp_ep_opt(v, IPPROTO_IP, IP_BOUND_IF, &ifindex, 4), T_OPTMGMT_ACK);
	cr_assert_eq(udp_ep_bind(t, INADDR_ANY, 5000), T_BIND_ACK);
	cr_assert_eq(udp_ep_bind(v, INADDR_ANY, 5000), T_BIND_ACK, "the same port on one interface");
	pkt_udp(&k, PEER, 4000, HOST, 5000, "vlan");
	net_rx(&k);
	cr_assert_eq(udp_ep_get(t), T_UNITDATA_IND);
	cr_assert_eq(udp_ep_get(v), -1);
	add_tag(&k, 0x8100, 5);
	net_rx(&k);
	cr_assert_eq(udp_ep_get(v), T_UNITDATA_IND);
	cr_assert_eq(memcmp(v->t_ansdata, "vlan", 4), 0);
	cr_assert_eq(udp_ep_get(t), -1);
	udp_ep_send(v, PEER, 4000, "tagged");
	cr_assert_eq(net_nsent, 1);
	cr_assert_eq(net_sent[0].s_len, 60, "14 + 4 + 34, padded");
	cr_assert_eq(memcmp(net_sent[0].s_data, bcast_mac, 6), 0, "the VLAN's own ARP entry");
	cr_assert_eq(memcmp(net_sent[0].s_data + 12, "\x81\x00\x00\x05\x08\x00\x45", 7), 0);
	cr_assert_eq(memcmp(net_sent[0].s_data + 46, "tagged", 6), 0);
	prog_exit();
	st_thread(unplumb_vlan, NULL);
	cr_assert_eq(net_error, 0);
	net_rx(&k);
	EXPECT_MIB(ipInReceives, 2);
}

/* The outer tag of two decides; priority tags (VLAN 0) are untagged frames; VLANs nobody has are dropped. */
Test(gld, vlan_tags)
{
	tpi_t *t = udp_ep_open();
	pkt_t k, m, n;

	st_thread(plumb_vlan, NULL);
	udp_ep_bind(t, INADDR_ANY, 5000);
	pkt_udp(&k, PEER, 4000, HOST, 5000, "a");
	m = n = k;
	add_tag(&k, 0x8100, 9);
	add_tag(&k, 0x88a8, 5);
	net_rx(&k);
	cr_assert_eq(udp_ep_get(t), T_UNITDATA_IND);
	add_tag(&m, 0x8100, 0);
	net_rx(&m);
	cr_assert_eq(udp_ep_get(t), T_UNITDATA_IND);
	add_tag(&n, 0x8100, 77);
	net_rx(&n);
	cr_assert_eq(udp_ep_get(t), -1);
	EXPECT_MIB(ipInReceives, 2);
	prog_exit();
	st_thread(unplumb_vlan, NULL);
}

static void count_stat(void *arg, const char *name, uint64_t value)
{
	(*(int *)arg)++;
	if (strcmp(name, "glds_intr") == 0)
		cr_assert_eq(value, 2, "interrupts: %lu", (unsigned long)value);
}

Test(gld, stats)
{
	int n = 0;

	rx_type(host_mac, 0x9000);
	rx_type(bcast_mac, 0x9000);
	gld_stats_walk(gld_find_mac("rtls", 0), count_stat, &n);
	cr_assert_eq(n, 24);
	cr_assert_null(gld_find_mac("rtls", 1));
	cr_assert_null(gld_find_mac("hme", 0));
	cr_assert_not_null(rtls_attach(1));
	cr_assert_not_null(gld_find_mac("rtls", 1));
	cr_assert_eq(rtls_attach(1), nic_get(1), "once");
}
