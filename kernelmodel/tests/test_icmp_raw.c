/* Raw IP (module icmp): packets through the whole stack, TPI, errors. */
#include "tests/nettest.h"
#include "ip/ipclassifier.h"

NET_SUITE(icmp_raw);

#define ECHO "\x08\x00\x42\xa8\x12\x34\x00\x01payload!" /* its checksum is the sender's matter */
#define REPLY_REST "\x12\x34\x00\x01payload!"

static const char *device = "/dev/rawip";

static void do_open(void *arg)
{
	tpi_t *t = arg;

	t->t_fd = U_OPEN(device, O_RDWR | O_NONBLOCK);
	t->t_prim = t->t_fd < 0 ? user_errno() : 0;
}

static tpi_t *raw_open(void)
{
	static tpi_t pool[16];
	static int next;
	tpi_t *t = &pool[next++ % 16];

	memset(t, 0, sizeof(*t));
	prog(do_open, t);
	cr_assert_geq(t->t_fd, 0, "open: %s", st_error(t->t_prim));
	return t;
}

/* Messages have zeros in them: send len bytes. */
struct blob {
	tpi_t *b_t;
	const void *b_data;
	int b_len;
	int64_t b_rc;
};

static void do_send(void *arg)
{
	struct blob *b = arg;
	struct strbuf c = {.len = b->b_t->t_ctllen, .buf = (char *)b->b_t->t_ctl};
	struct strbuf d = {.len = b->b_len, .buf = (char *)(uintptr_t)b->b_data};

	b->b_rc = U_PUTMSG(b->b_t->t_fd, c.len != 0 ? &c : NULL, &d, 0);
}

static void raw_send(tpi_t *t, ipaddr_t dst, const void *data, int len)
{
	struct blob b = {t, data, len, 0};

	tpi_addr(t, sizeof(struct T_unitdata_req), T_UNITDATA_REQ, dst, 0);
	prog(do_send, &b);
}

/* The packet that came: from whom, its protocol and total length. */
#define EXPECT_PACKET(t, addr, proto, len)                                             \
	do {                                                                           \
		cr_assert_eq(udp_ep_get(t), T_UNITDATA_IND, "got %d", (t)->t_prim);    \
		const struct sockaddr_in *sin_ = (const void *)((t)->t_ans + 20);      \
		cr_assert_eq(sin_->sin_family, AF_INET);                               \
		cr_assert_eq(sin_->sin_addr.s_addr, addr);                             \
		cr_assert_eq(sin_->sin_port, 0);                                       \
		cr_assert_eq((t)->t_ansdatalen, len, "%d bytes", (t)->t_ansdatalen);   \
		cr_assert_eq((t)->t_ansdata[0], 0x45);                                 \
		cr_assert_eq(get16((const uchar_t *)(t)->t_ansdata + 2), (uint_t)len); \
		cr_assert_eq((t)->t_ansdata[9], proto);                                \
	} while (0)

static pkt_t k;

static void reply(ipaddr_t from)
{
	pkt_icmp(&k, from, HOST, ICMP_ECHO_REPLY, 0, REPLY_REST, 12);
	net_rx(&k);
}

/* ---- packets ---- */

Test(icmp_raw, send)
{
	tpi_t *t = raw_open();

	cr_assert_eq(udp_ep_bind(t, INADDR_ANY, 0), T_BIND_ACK);
	for (int i = 0; i < 2; i++) {
		raw_send(t, PEER, ECHO, 16);
		cr_assert_eq(net_nsent, i + 1);
		cr_assert_eq(memcmp(net_sent[i].s_data, peer_mac, 6), 0);
		cr_assert_eq(SENT_IP(i)->ipha_src, HOST);
		cr_assert_eq(SENT_IP(i)->ipha_dst, PEER);
		cr_assert_eq(SENT_IP(i)->ipha_protocol, 1);
		cr_assert_eq(SENT_IP(i)->ipha_ttl, 255);
		cr_assert_eq(ntohs(SENT_IP(i)->ipha_length), 36);
		cr_assert_eq(memcmp(SENT_ULP(i), ECHO, 16), 0, "as it was given");
		cr_assert_eq(net_sum(net_sent[i].s_data + 14, 20, 0), 0);
	}
	EXPECT_MIB(rawipOutDatagrams, 2);
	EXPECT_MIB(rawipOutErrors, 0);
	EXPECT_MIB(ipOutRequests, 2);
	EXPECT_MIB(icmpOutMsgs, 0);
	st_expect_stack(sent_stack(1), "putnext < ip_wput_ire < ip_output < ip_wput < putnext < icmp_wput < putnext < "
				       "strput < strputmsg < msgio < "
				       "putmsg < sys_sysenter");
	prog_exit();
}

Test(icmp_raw, receive)
{
	tpi_t *t = raw_open(), *u = raw_open();

	cr_assert_eq(udp_ep_bind(t, INADDR_ANY, 0), T_BIND_ACK);
	cr_assert_eq(udp_ep_bind(u, HOST, 0), T_BIND_ACK);
	reply(PEER);
	/* Each endpoint has a copy, IP header first. */
	EXPECT_PACKET(t, PEER, 1, 36);
	cr_assert_eq(memcmp(t->t_ansdata + 24, REPLY_REST, 12), 0);
	EXPECT_PACKET(u, PEER, 1, 36);
	cr_assert_eq(memcmp(u->t_ansdata + 24, REPLY_REST, 12), 0);
	EXPECT_MIB(rawipInDatagrams, 2);
	EXPECT_MIB(ipInDelivers, 2);
	EXPECT_MIB(icmpInEchoReps, 1);
	/* What the kernel answers is its own business. */
	pkt_icmp(&k, PEER, HOST, ICMP_ECHO_REQUEST, 0, REPLY_REST, 12);
	net_rx(&k);
	cr_assert_eq(udp_ep_get(t), -1);
	cr_assert_eq(net_nsent, 1);
	/* Errors and unknown messages are not: they are handed up too. */
	pkt_icmp(&k, PEER, HOST, ICMP_TIME_EXCEEDED, 0, REPLY_REST, 12);
	net_rx(&k);
	EXPECT_PACKET(t, PEER, 1, 36);
	pkt_icmp(&k, PEER, HOST, 77, 0, REPLY_REST, 12);
	net_rx(&k);
	EXPECT_PACKET(t, PEER, 1, 36);
	/* A bad checksum goes nowhere. */
	pkt_icmp(&k, PEER, HOST, ICMP_ECHO_REPLY, 0, REPLY_REST, 12);
	k.k_data[45] ^= 1;
	net_rx(&k);
	cr_assert_eq(udp_ep_get(t), -1);
	EXPECT_MIB(icmpInCksumErrs, 1);
	prog_exit();
}

/* A program pings its own host: request, kernel's answer and delivery are one call chain. */
Test(icmp_raw, loopback)
{
	tpi_t *t = raw_open();

	udp_ep_bind(t, INADDR_ANY, 0);
	raw_send(t, HOST, ECHO, 16);
	EXPECT_PACKET(t, HOST, 1, 36);
	cr_assert_eq(t->t_ansdata[20], ICMP_ECHO_REPLY);
	cr_assert_eq(memcmp(t->t_ansdata + 24, ECHO + 4, 12), 0);
	cr_assert_eq(udp_ep_get(t), -1, "the request itself is not delivered");
	raw_send(t, INADDR_ANY, ECHO, 16);
	EXPECT_PACKET(t, IP4(127, 0, 0, 1), 1, 36);
	cr_assert_eq(net_nsent, 0);
	EXPECT_MIB(icmpInEchos, 2);
	EXPECT_MIB(icmpOutEchoReps, 2);
	EXPECT_MIB(icmpInMsgs, 4);
	prog_exit();
}

/* A message longer than the interface's packets is sent in fragments. */
Test(icmp_raw, fragments)
{
	tpi_t *t = raw_open();
	static uchar_t big[2000];

	memset(big, 'b', sizeof(big));
	udp_ep_bind(t, INADDR_ANY, 0);
	raw_send(t, PEER, big, 2000);
	cr_assert_eq(net_nsent, 2);
	cr_assert_eq(ntohs(SENT_IP(0)->ipha_length), 1500);
	cr_assert_eq(ntohs(SENT_IP(1)->ipha_length), 20 + 2000 - 1480);
	prog_exit();
}

/* ---- refusals ---- */

static void expect_uderr(tpi_t *t, int error)
{
	cr_assert_eq(udp_ep_get(t), T_UDERROR_IND, "%d", t->t_prim);
	cr_assert_eq(((struct T_uderror_ind *)(void *)t->t_ans)->ERROR_type, error, "error %d",
		     ((struct T_uderror_ind *)(void *)t->t_ans)->ERROR_type);
}

Test(icmp_raw, send_errors)
{
	tpi_t *t = raw_open();
	static char big[65600];

	raw_send(t, PEER, ECHO, 16);
	expect_uderr(t, EPROTO);
	udp_ep_bind(t, INADDR_ANY, 0);
	tpi_addr(t, sizeof(struct T_unitdata_req), T_UNITDATA_REQ, PEER, 0);
	prog(tpi_do_put, t);
	expect_uderr(t, EPROTO);
	tpi_addr(t, sizeof(struct T_unitdata_req), T_UNITDATA_REQ, PEER, 0);
	((struct T_unitdata_req *)(void *)t->t_ctl)->DEST_offset = 30;
	t->t_data = "outside";
	prog(tpi_do_put, t);
	expect_uderr(t, EADDRNOTAVAIL);
	tpi_addr(t, sizeof(struct T_unitdata_req), T_UNITDATA_REQ, PEER, 0);
	*(uint16_t *)(void *)(t->t_ctl + sizeof(struct T_unitdata_req)) = AF_INET6;
	t->t_data = "family";
	prog(tpi_do_put, t);
	expect_uderr(t, EADDRNOTAVAIL);
	raw_send(t, PEER, big, 65516);
	expect_uderr(t, EMSGSIZE);
	t->t_ctllen = 0;
	t->t_data = "plain data, not connected";
	prog(tpi_do_put, t);
	expect_uderr(t, EPROTO);
	EXPECT_MIB(rawipOutErrors, 6);
	EXPECT_MIB(rawipOutDatagrams, 0);
	cr_assert_eq(net_nsent, 0);
	/* The longest that there is. */
	raw_send(t, PEER, big, 65515);
	EXPECT_MIB(rawipOutDatagrams, 1);
	EXPECT_MIB(ipFragCreates, 45);
	prog_exit();
}

#define TLI_ERROR(t) (((struct T_error_ack *)(void *)(t)->t_ans)->TLI_error)
#define UNIX_ERROR(t) (((struct T_error_ack *)(void *)(t)->t_ans)->UNIX_error)
#define EXPECT_REFUSED(what, t, tli)                                 \
	do {                                                         \
		cr_assert_eq(what, T_ERROR_ACK, "%d", (t)->t_prim);  \
		cr_assert_eq(TLI_ERROR(t), tli, "%d", TLI_ERROR(t)); \
	} while (0)

Test(icmp_raw, bind)
{
	tpi_t *t = raw_open();
	const struct T_bind_ack *ack = (const void *)t->t_ans;

	EXPECT_REFUSED(udp_ep_simple(t, T_UNBIND_REQ), t, TOUTSTATE);
	EXPECT_REFUSED(udp_ep_connect(t, PEER, 0), t, TOUTSTATE);
	EXPECT_REFUSED(udp_ep_bind(t, IP4(10, 0, 0, 9), 0), t, TBADADDR);
	tpi_addr(t, sizeof(struct T_bind_req), T_BIND_REQ, HOST, 0);
	t->t_ctl[sizeof(struct T_bind_req)] = 77;
	prog(tpi_do_exchange, t);
	EXPECT_REFUSED(t->t_prim, t, TBADADDR);
	cr_assert_eq(ipcl_count(), 0);
	cr_assert_eq(udp_ep_bind(t, HOST, 0), T_BIND_ACK);
	cr_assert_eq(ack->ADDR_length, 16);
	cr_assert_eq(((struct sockaddr_in *)(void *)(t->t_ans + 16))->sin_addr.s_addr, HOST);
	cr_assert_eq(ipcl_count(), 1);
	EXPECT_REFUSED(udp_ep_bind(t, HOST, 0), t, TOUTSTATE);
	/* Not bound, it hears nothing; bound to an address, what is sent there. */
	cr_assert_eq(udp_ep_simple(t, T_UNBIND_REQ), T_OK_ACK);
	cr_assert_eq(ipcl_count(), 0);
	reply(PEER);
	cr_assert_eq(udp_ep_get(t), -1);
	cr_assert_eq(udp_ep_bind(t, IP4(127, 0, 0, 1), 0), T_BIND_ACK);
	reply(PEER);
	cr_assert_eq(udp_ep_get(t), -1);
	static const int refused[] = {T_DATA_REQ, T_EXDATA_REQ, T_ORDREL_REQ, T_CONN_RES, 4711};
	for (size_t i = 0; i < 5; i++)
		EXPECT_REFUSED(udp_ep_simple(t, refused[i]), t, TNOTSUPPORT);
	prog_exit();
}

/* The protocol is the option's, or the byte after the bind address. */
Test(icmp_raw, protocol)
{
	tpi_t *t = raw_open(), *u = raw_open();
	int v = 99;

	cr_assert_eq(udp_ep_opt(t, SOL_SOCKET, SO_PROTOTYPE, &v, 4), T_OPTMGMT_ACK);
	cr_assert_eq(udp_ep_bind(t, INADDR_ANY, 0), T_BIND_ACK);
	cr_assert_eq(udp_ep_opt(t, SOL_SOCKET, SO_PROTOTYPE, &v, 4), T_ERROR_ACK, "too late");
	cr_assert_eq(UNIX_ERROR(t), EINVAL);
	tpi_addr(u, sizeof(struct T_bind_req), T_BIND_REQ, INADDR_ANY, 0);
	((struct T_bind_req *)(void *)u->t_ctl)->ADDR_length = 17;
	u->t_ctl[u->t_ctllen++] = 47;
	prog(tpi_do_exchange, u);
	cr_assert_eq(u->t_prim, T_BIND_ACK);
	pkt_ip(&k, PEER, HOST, 99, 0, "ninety-nine", 11);
	net_rx(&k);
	EXPECT_PACKET(t, PEER, 99, 31);
	cr_assert_eq(udp_ep_get(u), -1);
	pkt_ip(&k, PEER, HOST, 47, 0, "gre", 3);
	net_rx(&k);
	EXPECT_PACKET(u, PEER, 47, 23);
	cr_assert_eq(udp_ep_get(t), -1);
	reply(PEER);
	cr_assert_eq(udp_ep_get(t), -1);
	raw_send(u, PEER, "x", 1);
	cr_assert_eq(SENT_IP(0)->ipha_protocol, 47);
	prog_exit();
}

Test(icmp_raw, connect)
{
	tpi_t *t = raw_open();

	udp_ep_bind(t, INADDR_ANY, 0);
	EXPECT_REFUSED(udp_ep_connect(t, IP4(9, 9, 9, 9), 0), t, TSYSERR);
	cr_assert_eq(UNIX_ERROR(t), ENETUNREACH);
	cr_assert_eq(udp_ep_connect(t, PEER, 0), T_OK_ACK);
	cr_assert_eq(udp_ep_get(t), T_CONN_CON);
	cr_assert_eq(((struct sockaddr_in *)(void *)(t->t_ans + 20))->sin_addr.s_addr, PEER);
	reply(IP4(10, 0, 0, 3));
	cr_assert_eq(udp_ep_get(t), -1, "another host's");
	reply(PEER);
	EXPECT_PACKET(t, PEER, 1, 36);
	struct blob b = {t, ECHO, 16, 0};
	t->t_ctllen = 0;
	prog(do_send, &b);
	cr_assert_eq(b.b_rc, 0);
	cr_assert_eq(net_nsent, 1);
	cr_assert_eq(SENT_IP(0)->ipha_src, HOST);
	cr_assert_eq(SENT_IP(0)->ipha_dst, PEER);
	udp_ep_simple(t, T_ADDR_REQ);
	const struct T_addr_ack *aa = (const void *)t->t_ans;
	cr_assert_eq(t->t_prim, T_ADDR_ACK);
	cr_assert_eq(((struct sockaddr_in *)(void *)(t->t_ans + aa->LOCADDR_offset))->sin_addr.s_addr, HOST);
	cr_assert_eq(((struct sockaddr_in *)(void *)(t->t_ans + aa->REMADDR_offset))->sin_addr.s_addr, PEER);
	cr_assert_eq(udp_ep_simple(t, T_DISCON_REQ), T_OK_ACK);
	reply(IP4(10, 0, 0, 3));
	EXPECT_PACKET(t, IP4(10, 0, 0, 3), 1, 36);
	EXPECT_REFUSED(udp_ep_simple(t, T_DISCON_REQ), t, TOUTSTATE);
	prog_exit();
}

Test(icmp_raw, options)
{
	tpi_t *t = raw_open();
	int v = 1;

	udp_ep_bind(t, INADDR_ANY, 0);
	cr_assert_eq(udp_ep_opt(t, SOL_SOCKET, SO_BROADCAST, &v, 4), T_OPTMGMT_ACK);
	EXPECT_REFUSED(udp_ep_opt(t, SOL_SOCKET, 0x7777, &v, 4), t, TBADOPT);
	EXPECT_REFUSED(udp_ep_opt(t, SOL_SOCKET, SO_TYPE, &v, 4), t, TBADOPT);
	v = 0;
	EXPECT_REFUSED(udp_ep_opt(t, IPPROTO_IP, IP_TTL, &v, 4), t, TSYSERR);
	cr_assert_eq(UNIX_ERROR(t), EINVAL);
	v = 256;
	EXPECT_REFUSED(udp_ep_opt(t, IPPROTO_IP, IP_TOS, &v, 4), t, TSYSERR);
	cr_assert_eq(UNIX_ERROR(t), EINVAL);
	v = 256 * 1024 + 1;
	EXPECT_REFUSED(udp_ep_opt(t, SOL_SOCKET, SO_RCVBUF, &v, 4), t, TSYSERR);
	cr_assert_eq(UNIX_ERROR(t), ENOBUFS);
	v = 99;
	EXPECT_REFUSED(udp_ep_opt(t, IPPROTO_IP, IP_BOUND_IF, &v, 4), t, TSYSERR);
	cr_assert_eq(UNIX_ERROR(t), ENXIO);
	v = 33;
	cr_assert_eq(udp_ep_opt(t, IPPROTO_IP, IP_TTL, &v, 4), T_OPTMGMT_ACK);
	v = 0x10;
	cr_assert_eq(udp_ep_opt(t, IPPROTO_IP, IP_TOS, &v, 4), T_OPTMGMT_ACK);
	raw_send(t, PEER, ECHO, 16);
	cr_assert_eq(SENT_IP(0)->ipha_ttl, 33);
	cr_assert_eq(SENT_IP(0)->ipha_type_of_service, 0x10);
	raw_send(t, IP4(224, 0, 0, 9), ECHO, 16);
	cr_assert_eq(SENT_IP(1)->ipha_ttl, 1);
	prog_exit();
}

Test(icmp_raw, info)
{
	device = "/dev/icmp";
	tpi_t *t = raw_open();
	const struct T_info_ack *ia = (const void *)t->t_ans;
	const struct T_capability_ack *ca = (const void *)t->t_ans;

	cr_assert_eq(udp_ep_simple(t, T_INFO_REQ), T_INFO_ACK);
	cr_assert_eq(ia->TSDU_size, 65515);
	cr_assert_eq(ia->SERV_type, T_CLTS);
	cr_assert_eq(ia->CURRENT_state, TS_UNBND);
	udp_ep_bind(t, INADDR_ANY, 0);
	((int *)(void *)t->t_ctl)[0] = T_CAPABILITY_REQ;
	((int *)(void *)t->t_ctl)[1] = TC1_INFO;
	t->t_ctllen = 8;
	prog(tpi_do_exchange, t);
	cr_assert_eq(t->t_prim, T_CAPABILITY_ACK);
	cr_assert_eq(ca->INFO_ack.CURRENT_state, TS_IDLE);
	prog_exit();
}

/* Only the superuser has raw IP. */
static void become(void *arg)
{
	curproc->p_cred->cr_uid = *(uid_t *)arg;
}

Test(icmp_raw, privilege)
{
	tpi_t t = {0};
	uid_t nobody = 60001, root = 0;

	prog(become, &nobody);
	prog(do_open, &t);
	cr_assert_lt(t.t_fd, 0);
	cr_assert_eq(t.t_prim, EPERM);
	prog(become, &root);
	prog_exit();
}

/* A receiver that does not read is full at some point. */
Test(icmp_raw, overflow)
{
	tpi_t *t = raw_open();
	uint64_t got = 0;
	uchar_t rest[1004] = {0};

	udp_ep_bind(t, INADDR_ANY, 0);
	pkt_icmp(&k, PEER, HOST, ICMP_ECHO_REPLY, 0, rest, 1004);
	for (int i = 0; i < 50; i++)
		net_rx(&k);
	cr_assert_gt(mib_now("rawipInOverflows"), 30);
	EXPECT_DROPS(IPD_RAW_FULL, mib_now("rawipInOverflows"));
	while (udp_ep_get(t) == T_UNITDATA_IND)
		got++;
	cr_assert_eq(got + mib_now("rawipInOverflows"), 50);
	cr_assert_geq(got, 7, "8192 bytes' worth: %lu", (unsigned long)got);
	reply(PEER);
	cr_assert_eq(udp_ep_get(t), T_UNITDATA_IND, "it flows again");
	prog_exit();
}

/* Each allocation fails in turn: an error or a result, no leak (the suite's end looks), and it works afterwards. */
static void drain(tpi_t *t)
{
	allocb_fail_nth(0);
	while (udp_ep_get(t) != -1)
		continue;
}

Test(icmp_raw, no_memory)
{
	struct blob b = {.b_data = ECHO, .b_len = 16};

	for (int n = 1; n < 12; n++) {
		tpi_t *t = raw_open(), u = {0};

		allocb_fail_nth(n);
		prog(do_open, &u);
		allocb_fail_nth(0);
		if (u.t_fd >= 0)
			udp_ep_close(&u);
		kmem_fail_nth(n);
		prog(do_open, &u);
		kmem_fail_nth(0);
		if (u.t_fd >= 0)
			udp_ep_close(&u);
		b.b_t = t;
		tpi_addr(t, sizeof(struct T_bind_req), T_BIND_REQ, HOST, 0);
		b.b_len = -1;
		allocb_fail_nth(n);
		prog(do_send, &b);
		drain(t);
		tpi_addr(t, sizeof(struct T_conn_req), T_CONN_REQ, PEER, 0);
		allocb_fail_nth(n);
		prog(do_send, &b);
		drain(t);
		tpi_addr(t, sizeof(struct T_unitdata_req), T_UNITDATA_REQ, HOST, 0);
		b.b_len = 16;
		allocb_fail_nth(n);
		prog(do_send, &b);
		drain(t);
		allocb_fail_nth(n);
		reply(PEER);
		drain(t);
		udp_ep_close(t);
	}
	tpi_t *t = raw_open();
	cr_assert_eq(udp_ep_bind(t, HOST, 0), T_BIND_ACK);
	reply(PEER);
	cr_assert_eq(udp_ep_get(t), T_UNITDATA_IND);
	uint64_t errors = mib_now("rawipInErrors");
	/* the block of the frame, then the indication's */
	allocb_fail_nth(2);
	reply(PEER);
	allocb_fail_nth(0);
	cr_assert_eq(udp_ep_get(t), -1);
	EXPECT_MIB(rawipInErrors, errors + 1);
	prog_exit();
}
