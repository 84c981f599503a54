/* UDP: datagrams through the whole stack, TPI, errors. */
#include "tests/nettest.h"
#include "ip/ipclassifier.h"

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

/* ---- errors of sending: T_UDERROR_IND with the address, udpOutErrors ---- */

static void expect_uderr(tpi_t *t, int error)
{
	cr_assert_eq(udp_ep_get(t), T_UDERROR_IND, "%d", t->t_prim);
	cr_assert_eq(((struct T_uderror_ind *)(void *)t->t_ans)->ERROR_type, error, "error %d",
		     ((struct T_uderror_ind *)(void *)t->t_ans)->ERROR_type);
}

Test(udp, send_errors)
{
	tpi_t *t = udp_ep_open();
	static char big[65536];

	udp_ep_send(t, PEER, 4000, "unbound");
	expect_uderr(t, EPROTO);
	const struct T_uderror_ind *ind = (const void *)t->t_ans;
	cr_assert_eq(ind->DEST_length, 16);
	cr_assert_eq(((struct sockaddr_in *)(void *)(t->t_ans + ind->DEST_offset))->sin_addr.s_addr, PEER);
	udp_ep_bind(t, INADDR_ANY, 5000);
	udp_ep_send(t, PEER, 0, "port 0");
	expect_uderr(t, EADDRNOTAVAIL);
	tpi_addr(t, sizeof(struct T_unitdata_req), T_UNITDATA_REQ, PEER, 4000);
	*(uint16_t *)(void *)(t->t_ctl + sizeof(struct T_unitdata_req)) = AF_INET6;
	t->t_data = "family";
	prog(tpi_do_put, t);
	expect_uderr(t, EADDRNOTAVAIL);
	tpi_addr(t, sizeof(struct T_unitdata_req), T_UNITDATA_REQ, PEER, 4000);
	((struct T_unitdata_req *)(void *)t->t_ctl)->DEST_offset = 30;
	t->t_data = "outside";
	prog(tpi_do_put, t);
	expect_uderr(t, EADDRNOTAVAIL);
	tpi_addr(t, sizeof(struct T_unitdata_req), T_UNITDATA_REQ, PEER, 4000);
	t->t_data = NULL;
	prog(tpi_do_put, t);
	expect_uderr(t, EPROTO);
	memset(big, 'b', 65508);
	udp_ep_send(t, PEER, 4000, big);
	expect_uderr(t, EMSGSIZE);
	t->t_ctllen = 0;
	t->t_data = "plain data, not connected";
	prog(tpi_do_put, t);
	expect_uderr(t, EPROTO);
	EXPECT_MIB(udpOutErrors, 7);
	EXPECT_MIB(udpOutDatagrams, 0);
	cr_assert_eq(net_nsent, 0);
	prog_exit();
}

/* ---- errors of receiving ---- */

Test(udp, receive_errors)
{
	tpi_t *t = udp_ep_open();
	pkt_t k;

	udp_ep_bind(t, INADDR_ANY, 5000);
	/* A UDP length that is not the packet's; the checksum is right for what is there. */
	pkt_udp(&k, PEER, 4000, HOST, 5000, "hello");
	put16(k.k_data + 38, 12);
	put16(k.k_data + 40, 0);
	net_rx(&k);
	cr_assert_eq(udp_ep_get(t), -1);
	EXPECT_MIB(udpInErrors, 1);
	EXPECT_MIB(ipInDelivers, 1);
	pkt_ip(&k, PEER, HOST, 17, 0, "short", 5);
	net_rx(&k);
	EXPECT_DROPS(IPD_UDP_HDR, 1);
	EXPECT_MIB(ipInDiscards, 1);
	/* An empty datagram is one. */
	pkt_udp(&k, PEER, 4000, HOST, 5000, "");
	net_rx(&k);
	EXPECT_DGRAM(t, PEER, 4000, "");
	prog_exit();
}

/* A receiver that does not read is full at some point; what comes then is counted and lost. */
Test(udp, overflow)
{
	tpi_t *t = udp_ep_open();
	static char text[1001];
	uint64_t got = 0;
	pkt_t k;

	memset(text, 't', 1000);
	udp_ep_bind(t, INADDR_ANY, 5000);
	pkt_udp(&k, PEER, 4000, HOST, 5000, text);
	for (int i = 0; i < 200; i++)
		net_rx(&k);
	cr_assert_gt(mib_now("udpInOverflows"), 100);
	EXPECT_DROPS(IPD_UDP_FULL, mib_now("udpInOverflows"));
	while (udp_ep_get(t) == T_UNITDATA_IND)
		got++;
	cr_assert_geq(got, 55, "57344 bytes' worth: %lu", (unsigned long)got);
	cr_assert_eq(got + mib_now("udpInOverflows"), 200);
	net_rx(&k);
	cr_assert_eq(udp_ep_get(t), T_UNITDATA_IND, "it flows again");
	prog_exit();
}

/* ---- bind ---- */

#define TLI_ERROR(t) (((struct T_error_ack *)(void *)(t)->t_ans)->TLI_error)
#define ACK_PORT(t) ntohs(((struct sockaddr_in *)(void *)((t)->t_ans + 16))->sin_port)

Test(udp, bind)
{
	tpi_t *t = udp_ep_open(), *u = udp_ep_open(), *v = udp_ep_open();

	cr_assert_eq(udp_ep_bind(t, HOST, 5000), T_BIND_ACK);
	const struct T_bind_ack *ack = (const void *)t->t_ans;
	cr_assert_eq(ack->ADDR_length, 16);
	cr_assert_eq(ACK_PORT(t), 5000);
	cr_assert_eq(udp_ep_bind(t, HOST, 5001), T_ERROR_ACK, "it is bound");
	cr_assert_eq(TLI_ERROR(t), TOUTSTATE);
	cr_assert_eq(udp_ep_bind(u, HOST, 5000), T_ERROR_ACK);
	cr_assert_eq(TLI_ERROR(u), TADDRBUSY);
	cr_assert_eq(udp_ep_bind(u, IP4(10, 0, 0, 9), 5000), T_ERROR_ACK, "not our address");
	cr_assert_eq(TLI_ERROR(u), TBADADDR);
	tpi_addr(u, sizeof(struct T_bind_req), T_BIND_REQ, HOST, 5000);
	u->t_ctl[sizeof(struct T_bind_req)] = 77;
	prog(tpi_do_exchange, u);
	cr_assert_eq(u->t_prim, T_ERROR_ACK, "no such family");
	cr_assert_eq(TLI_ERROR(u), TBADADDR);
	/* The old request takes another port. */
	tpi_addr(u, sizeof(struct T_bind_req), O_T_BIND_REQ, HOST, 5000);
	prog(tpi_do_exchange, u);
	cr_assert_eq(u->t_prim, T_BIND_ACK);
	cr_assert_geq(ACK_PORT(u), 32768);
	cr_assert_eq(udp_ep_bind(v, INADDR_ANY, 0), T_BIND_ACK, "any port");
	cr_assert_geq(ACK_PORT(v), 32768);
	cr_assert_neq(ACK_PORT(v), ACK_PORT(u));
	/* Unbind, and the port is free again. */
	cr_assert_eq(udp_ep_simple(t, T_UNBIND_REQ), T_OK_ACK);
	cr_assert_eq(udp_ep_simple(t, T_UNBIND_REQ), T_ERROR_ACK);
	cr_assert_eq(TLI_ERROR(t), TOUTSTATE);
	udp_ep_close(u);
	u = udp_ep_open();
	cr_assert_eq(udp_ep_bind(u, HOST, 5000), T_BIND_ACK);
	prog_exit();
}

/* A more exact address gets the packet. */
Test(udp, bind_exact)
{
	tpi_t *any = udp_ep_open(), *host = udp_ep_open();
	pkt_t k;

	udp_ep_bind(any, INADDR_ANY, 5000);
	udp_ep_bind(host, HOST, 5000);
	pkt_udp(&k, PEER, 4000, HOST, 5000, "x");
	net_rx(&k);
	cr_assert_eq(udp_ep_get(any), -1);
	cr_assert_eq(udp_ep_get(host), T_UNITDATA_IND);
	prog_exit();
}

/* Ports run out, one is given back, and that one is found. */
Test(udp, anonymous)
{
	ipcl_port_hold(IPPROTO_UDP, htons(32768));
	tpi_t *t = udp_ep_open();

	cr_assert_eq(udp_ep_bind(t, INADDR_ANY, 0), T_BIND_ACK);
	cr_assert_eq(ACK_PORT(t), 32769, "32768 is taken: %d", ACK_PORT(t));
	for (uint_t p = 32770; p <= 65535; p++)
		ipcl_port_hold(IPPROTO_UDP, htons(p));
	tpi_t *u = udp_ep_open();
	cr_assert_eq(udp_ep_bind(u, INADDR_ANY, 0), T_ERROR_ACK);
	cr_assert_eq(TLI_ERROR(u), TNOADDR);
	ipcl_port_rele(IPPROTO_UDP, htons(40000));
	cr_assert_eq(udp_ep_bind(u, INADDR_ANY, 0), T_BIND_ACK);
	cr_assert_eq(ACK_PORT(u), 40000);
	prog_exit();
	for (uint_t p = 32770; p <= 65535; p++)
		if (p != 40000)
			ipcl_port_rele(IPPROTO_UDP, htons(p));
	ipcl_port_rele(IPPROTO_UDP, htons(32768));
}

/* ---- connect ---- */

Test(udp, connect)
{
	tpi_t *t = udp_ep_open();
	pkt_t k;

	cr_assert_eq(udp_ep_connect(t, PEER, 4000), T_ERROR_ACK, "not bound");
	cr_assert_eq(TLI_ERROR(t), TOUTSTATE);
	cr_assert_eq(udp_ep_simple(t, T_DISCON_REQ), T_ERROR_ACK);
	udp_ep_bind(t, INADDR_ANY, 5000);
	cr_assert_eq(udp_ep_connect(t, PEER, 0), T_ERROR_ACK);
	cr_assert_eq(TLI_ERROR(t), TBADADDR);
	cr_assert_eq(udp_ep_connect(t, IP4(9, 9, 9, 9), 4000), T_ERROR_ACK, "no route");
	cr_assert_eq(TLI_ERROR(t), TSYSERR);
	cr_assert_eq(((struct T_error_ack *)(void *)t->t_ans)->UNIX_error, ENETUNREACH);
	cr_assert_eq(udp_ep_connect(t, PEER, 4000), T_OK_ACK);
	cr_assert_eq(udp_ep_get(t), T_CONN_CON);
	cr_assert_eq(((struct sockaddr_in *)(void *)(t->t_ans + 20))->sin_addr.s_addr, PEER);
	/* Only that peer and port are heard. */
	pkt_udp(&k, PEER, 4001, HOST, 5000, "other port");
	net_rx(&k);
	pkt_udp(&k, IP4(10, 0, 0, 3), 4000, HOST, 5000, "other host");
	net_rx(&k);
	cr_assert_eq(udp_ep_get(t), -1);
	EXPECT_MIB(udpNoPorts, 2);
	net_nsent = 0;
	pkt_udp(&k, PEER, 4000, HOST, 5000, "peer");
	net_rx(&k);
	EXPECT_DGRAM(t, PEER, 4000, "peer");
	/* Plain data goes to it, from the address that was chosen. */
	t->t_ctllen = 0;
	t->t_data = "data";
	prog(tpi_do_put, t);
	cr_assert_eq(net_nsent, 1);
	cr_assert_eq(SENT_IP(0)->ipha_dst, PEER);
	cr_assert_eq(get16(SENT_ULP(0) + 2), 4000);
	check_sums(0);
	/* Both addresses are told. */
	udp_ep_simple(t, T_ADDR_REQ);
	const struct T_addr_ack *aa = (const void *)t->t_ans;
	cr_assert_eq(t->t_prim, T_ADDR_ACK);
	cr_assert_eq(((struct sockaddr_in *)(void *)(t->t_ans + aa->LOCADDR_offset))->sin_addr.s_addr, HOST);
	cr_assert_eq(((struct sockaddr_in *)(void *)(t->t_ans + aa->REMADDR_offset))->sin_addr.s_addr, PEER);
	/* Connect elsewhere, then to nobody. */
	cr_assert_eq(udp_ep_connect(t, PEER, 4001), T_OK_ACK);
	cr_assert_eq(udp_ep_get(t), T_CONN_CON);
	pkt_udp(&k, PEER, 4001, HOST, 5000, "new");
	net_rx(&k);
	EXPECT_DGRAM(t, PEER, 4001, "new");
	cr_assert_eq(udp_ep_simple(t, T_DISCON_REQ), T_OK_ACK);
	pkt_udp(&k, PEER, 4002, HOST, 5000, "anybody");
	net_rx(&k);
	EXPECT_DGRAM(t, PEER, 4002, "anybody");
	prog_exit();
}

/* ---- information ---- */

Test(udp, info)
{
	tpi_t *t = udp_ep_open();
	const struct T_info_ack *ia = (const void *)t->t_ans;
	const struct T_capability_ack *ca = (const void *)t->t_ans;

	cr_assert_eq(udp_ep_simple(t, T_INFO_REQ), T_INFO_ACK);
	cr_assert_eq(ia->TSDU_size, 65507);
	cr_assert_eq(ia->ETSDU_size, -2);
	cr_assert_eq(ia->SERV_type, T_CLTS);
	cr_assert_eq(ia->CURRENT_state, TS_UNBND);
	cr_assert_eq(ia->PROVIDER_flag, SENDZERO);
	udp_ep_bind(t, INADDR_ANY, 5000);
	memset(t->t_ctl, 0, 8);
	((int *)(void *)t->t_ctl)[0] = T_CAPABILITY_REQ;
	((int *)(void *)t->t_ctl)[1] = TC1_INFO | TC1_ACCEPTOR_ID;
	t->t_ctllen = 8;
	prog(tpi_do_exchange, t);
	cr_assert_eq(t->t_prim, T_CAPABILITY_ACK);
	cr_assert_eq(ca->CAP_bits1, TC1_INFO);
	cr_assert_eq(ca->INFO_ack.CURRENT_state, TS_IDLE);
	static const int refused[] = {T_DATA_REQ, T_EXDATA_REQ, T_ORDREL_REQ, T_CONN_RES};
	for (size_t i = 0; i < 4; i++) {
		cr_assert_eq(udp_ep_simple(t, refused[i]), T_ERROR_ACK);
		cr_assert_eq(TLI_ERROR(t), TNOTSUPPORT);
	}
	prog_exit();
}

/* ---- options ---- */

/* getsockopt of a number (or byte). */
static int opt_get(tpi_t *t, uint_t level, uint_t name, int flags)
{
	struct T_optmgmt_req req = {T_SVR4_OPTMGMT_REQ, sizeof(struct opthdr), sizeof(req), flags};
	struct opthdr oh = {level, name, 0};
	int v = 0;

	memcpy(t->t_ctl, &req, sizeof(req));
	memcpy(t->t_ctl + sizeof(req), &oh, sizeof(oh));
	t->t_ctllen = sizeof(req) + sizeof(oh);
	t->t_data = NULL;
	prog(tpi_do_exchange, t);
	if (t->t_prim != T_OPTMGMT_ACK)
		return -1;
	memcpy(&oh, t->t_ans + sizeof(req), sizeof(oh));
	memcpy(&v, t->t_ans + sizeof(req) + sizeof(oh), MIN(oh.len, 4U));
	return v;
}

Test(udp, options)
{
	tpi_t *t = udp_ep_open();
	int v = 1;

	cr_assert_eq(opt_get(t, SOL_SOCKET, SO_TYPE, T_CURRENT), SOCK_DGRAM);
	cr_assert_eq(opt_get(t, SOL_SOCKET, SO_BROADCAST, T_CURRENT), 0);
	cr_assert_eq(udp_ep_opt(t, SOL_SOCKET, SO_BROADCAST, &v, 4), T_OPTMGMT_ACK);
	cr_assert_eq(opt_get(t, SOL_SOCKET, SO_BROADCAST, T_CURRENT), 1);
	cr_assert_eq(opt_get(t, SOL_SOCKET, SO_BROADCAST, T_DEFAULT), 0);
	cr_assert_eq(opt_get(t, SOL_SOCKET, SO_RCVBUF, T_CURRENT), 57344);
	v = 100000;
	cr_assert_eq(udp_ep_opt(t, SOL_SOCKET, SO_RCVBUF, &v, 4), T_OPTMGMT_ACK);
	cr_assert_eq(opt_get(t, SOL_SOCKET, SO_RCVBUF, T_CURRENT), 100000);
	cr_assert_eq(opt_get(t, SOL_SOCKET, SO_RCVBUF, T_DEFAULT), 57344);
	v = 3000000;
	cr_assert_eq(udp_ep_opt(t, SOL_SOCKET, SO_RCVBUF, &v, 4), T_ERROR_ACK);
	cr_assert_eq(((struct T_error_ack *)(void *)t->t_ans)->UNIX_error, ENOBUFS);
	cr_assert_eq(udp_ep_opt(t, SOL_SOCKET, 0x7777, &v, 4), T_ERROR_ACK);
	cr_assert_eq(TLI_ERROR(t), TBADOPT);
	cr_assert_eq(opt_get(t, 77, 1, T_CURRENT), -1);
	cr_assert_eq(opt_get(t, SOL_SOCKET, SO_TYPE, 0x1234), -1);
	cr_assert_eq(TLI_ERROR(t), TBADFLAG);
	v = 300;
	cr_assert_eq(udp_ep_opt(t, IPPROTO_IP, IP_TTL, &v, 4), T_ERROR_ACK);
	cr_assert_eq(((struct T_error_ack *)(void *)t->t_ans)->UNIX_error, EINVAL);
	v = 99;
	cr_assert_eq(udp_ep_opt(t, IPPROTO_IP, IP_BOUND_IF, &v, 4), T_ERROR_ACK, "no such interface");
	cr_assert_eq(((struct T_error_ack *)(void *)t->t_ans)->UNIX_error, ENXIO);
	cr_assert_eq(opt_get(t, IPPROTO_IP, IP_BOUND_IF, T_CURRENT), 0, "it did not take");
	udp_ep_bind(t, INADDR_ANY, 5000);
	v = 33;
	cr_assert_eq(udp_ep_opt(t, IPPROTO_IP, IP_TTL, &v, 4), T_OPTMGMT_ACK);
	v = 0x10;
	cr_assert_eq(udp_ep_opt(t, IPPROTO_IP, IP_TOS, &v, 4), T_OPTMGMT_ACK);
	udp_ep_send(t, PEER, 4000, "x");
	cr_assert_eq(SENT_IP(0)->ipha_ttl, 33);
	cr_assert_eq(SENT_IP(0)->ipha_type_of_service, 0x10);
	prog_exit();
}

/* What the receiver wants to know with each datagram. */
Test(udp, receive_options)
{
	tpi_t *t = udp_ep_open();
	int one = 1;
	pkt_t k;

	udp_ep_bind(t, INADDR_ANY, 5000);
	cr_assert_eq(udp_ep_opt(t, IPPROTO_IP, IP_RECVDSTADDR, &one, 4), T_OPTMGMT_ACK);
	cr_assert_eq(udp_ep_opt(t, IPPROTO_IP, IP_RECVIF, &one, 4), T_OPTMGMT_ACK);
	cr_assert_eq(udp_ep_opt(t, IPPROTO_IP, IP_RECVTTL, &one, 4), T_OPTMGMT_ACK);
	pkt_udp(&k, PEER, 4000, HOST, 5000, "x");
	net_rx(&k);
	EXPECT_DGRAM(t, PEER, 4000, "x");
	const struct T_unitdata_ind *ind = (const void *)t->t_ans;
	cr_assert_eq(ind->OPT_length, 60);
	static const uint_t names[3] = {IP_RECVDSTADDR, IP_RECVIF, IP_RECVTTL};
	const uint32_t vals[3] = {HOST, ip_ifindex("rtls0", 0), 64};
	for (int i = 0; i < 3; i++) {
		const struct T_opthdr *th = (const void *)(t->t_ans + ind->OPT_offset + 20 * i);

		cr_assert_eq(th->len, 20);
		cr_assert_eq(th->name, names[i]);
		cr_assert_eq(*(const uint32_t *)(const void *)(th + 1), vals[i]);
	}
	prog_exit();
}

/* ---- a whole loop in one call chain ---- */

static char chain[2048];
static int (*real_rput)(queue_t *, mblk_t *);

static int note_rput(queue_t *q, mblk_t *mp)
{
	snprintf(chain, sizeof(chain), "%s", st_callers(24));
	return real_rput(q, mp);
}

static void spy(void *arg)
{
	static struct qinit qi;
	queue_t *q = RD(curproc->p_fd[((tpi_t *)arg)->t_fd]->f_vnode->v_stream->sd_wrq);

	qi = *q->q_qinfo;
	real_rput = qi.qi_putp;
	qi.qi_putp = note_rput;
	q->q_qinfo = &qi;
}

Test(udp, loopback_stack)
{
	tpi_t *t = udp_ep_open(), *u = udp_ep_open();
	pkt_t k;

	udp_ep_bind(t, INADDR_ANY, 5000);
	udp_ep_bind(u, INADDR_ANY, 6000);
	prog(spy, t);
	udp_ep_send(u, IP4(127, 0, 0, 1), 5000, "x");
	udp_ep_send(u, IP4(127, 0, 0, 1), 5000, "x");
	st_expect_stack(chain,
			"putnext < udp_rput < putnext < ip_fanout_udp_conn < ip_fanout_udp < ip_wput_local < "
			"ip_wput_ire < ip_output < "
			"ip_wput < putnext < udp_wput < putnext < strput < strputmsg < msgio < putmsg < sys_sysenter");
	pkt_udp(&k, PEER, 4000, HOST, 5000, "x");
	net_rx(&k);
	st_expect_stack(chain, "putnext < udp_rput < putnext < ip_udp_input < ip_rput < putnext < gld_recv_tagged < "
			       "gld_recv < rtls_receive < "
			       "rtls_gld_intr < gld_intr < intr_thread");
	pkt_udp(&k, PEER, 4000, IP4(10, 0, 0, 255), 5000, "x");
	memcpy(k.k_data, bcast_mac, 6);
	net_rx(&k);
	st_expect_stack(chain, "putnext < udp_rput < putnext < ip_fanout_udp_conn < ip_fanout_udp < ip_udp_input < "
			       "ip_rput < putnext < gld_passon "
			       "< gld_sendup < gld_recv_tagged < gld_recv < rtls_receive");
	prog_exit();
}

/* Each allocation fails in turn, with TPI and with data: an error or a result, no leak, and it works afterwards. */
static void try_all(void *arg)
{
	tpi_t *t = arg;
	struct strbuf c = {.len = t->t_ctllen, .buf = (char *)t->t_ctl};
	struct strbuf d = {.len = t->t_data != NULL ? (int)strlen(t->t_data) : -1, .buf = (char *)(uintptr_t)t->t_data};

	(void)U_PUTMSG(t->t_fd, &c, t->t_data != NULL ? &d : NULL, 0);
}

Test(udp, no_memory)
{
	pkt_t k;

	for (int n = 1; n < 10; n++) {
		tpi_t *t = udp_ep_open();

		tpi_addr(t, sizeof(struct T_bind_req), T_BIND_REQ, HOST, 5000);
		allocb_fail_nth(n);
		prog(try_all, t);
		allocb_fail_nth(0);
		while (udp_ep_get(t) != -1)
			continue;
		tpi_addr(t, sizeof(struct T_conn_req), T_CONN_REQ, PEER, 4000);
		allocb_fail_nth(n);
		prog(try_all, t);
		allocb_fail_nth(0);
		while (udp_ep_get(t) != -1)
			continue;
		tpi_addr(t, sizeof(struct T_unitdata_req), T_UNITDATA_REQ, HOST, 5000);
		t->t_data = "self";
		allocb_fail_nth(n);
		prog(try_all, t);
		allocb_fail_nth(0);
		while (udp_ep_get(t) != -1)
			continue;
		udp_ep_close(t);
	}
	tpi_t *t = udp_ep_open();
	cr_assert_eq(udp_ep_bind(t, HOST, 5000), T_BIND_ACK);
	pkt_udp(&k, PEER, 4000, HOST, 5000, "x");
	allocb_fail_nth(2);
	net_rx(&k);
	allocb_fail_nth(0);
	cr_assert_eq(udp_ep_get(t), -1);
	EXPECT_MIB(udpInErrors, 1);
	net_rx(&k);
	cr_assert_eq(udp_ep_get(t), T_UNITDATA_IND);
	prog_exit();
}
