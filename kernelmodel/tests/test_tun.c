/* tun: IP in IP, as a driver for the ip above and a transport user of the ip below (RFC 2003). */
#include "tuntest.h"
#include "ip/tcp.h"
#include "sys/socketvar.h"

TUN_SUITE(tun);

/* ---- plain tunnel ---- */

static tpi_t *udp_bound(ipaddr_t addr, uint_t port)
{
	tpi_t *t = udp_ep_open();

	cr_assert_eq(udp_ep_bind(t, addr, port), T_BIND_ACK);
	return t;
}

/* Frame n is IP in IP with these numbers: the inner packet. */
static const uchar_t *sent_encap(int n, uint_t ttl)
{
	const ipha_t *outer = SENT_IP(n);

	check_sums(n);
	cr_assert_eq(outer->ipha_protocol, 4);
	cr_assert_eq(outer->ipha_src, HOST);
	cr_assert_eq(outer->ipha_dst, PEER);
	cr_assert_eq(outer->ipha_ttl, ttl);
	cr_assert_eq(outer->ipha_fragment_offset_and_flags, htons(IPH_DF));
	cr_assert_eq(ntohs(outer->ipha_length), get16(SENT_ULP(n) + 2) + 20);
	cr_assert_eq(net_sum(SENT_ULP(n), 20, 0), 0, "inner header checksum");
	return SENT_ULP(n);
}

Test(tun, sends)
{
	tpi_t *t;
	const uchar_t *in;

	tun_ready(false);
	t = udp_bound(INADDR_ANY, 5000);
	udp_ep_send(t, IN_THEIR, 4000, "through");
	cr_assert_eq(net_nsent, 1, "%d", net_nsent);
	in = sent_encap(0, 60);
	cr_assert_eq(in[9], 17);
	cr_assert_eq(memcmp(in + 12, &(ipaddr_t){IN_OUR}, 4), 0);
	cr_assert_eq(memcmp(in + 16, &(ipaddr_t){IN_THEIR}, 4), 0);
	cr_assert_eq(memcmp(in + 28, "through", 7), 0);
	udp_ep_send(t, FAR, 4000, "new");
	udp_ep_send(t, FAR, 4000, "far");
	cr_assert_eq(net_nsent, 3);
	in = sent_encap(2, 60);
	cr_assert_eq(memcmp(in + 16, &(ipaddr_t){FAR}, 4), 0);
	/* Each packet that is sent went through IP twice. */
	EXPECT_MIB(ipOutRequests, 6);
	EXPECT_TUN(opackets, 3);
	EXPECT_TUN(obytes, 20 + 28 + 7 + 2 * (20 + 28 + 3));
	EXPECT_TUN(HCOutUcastPkts, 3);
	st_expect_stack(sent_stack(2), "putnext < ip_wput_ire < ip_output < ip_wput < putnext < tun_wputnext_v4 < "
				       "tun_wproc_mdata < tun_wproc < tun_wput < putnext < ip_wput_ire < ip_output < "
				       "ip_wput < putnext < udp_wput");
}

Test(tun, receives)
{
	tpi_t *t;
	pkt_t in, k;

	tun_ready(false);
	t = udp_bound(INADDR_ANY, 5000);
	pkt_udp(&in, FAR, 4000, IN_OUR, 5000, "hello");
	pkt_encap(&k, &in);
	net_rx(&k);
	cr_assert_eq(udp_ep_get(t), T_UNITDATA_IND);
	cr_assert_eq(memcmp(t->t_ansdata, "hello", 5), 0);
	EXPECT_MIB(ipInReceives, 2);
	EXPECT_MIB(ipInDelivers, 2);
	EXPECT_TUN(ipackets, 1);
	EXPECT_TUN(rbytes, 33);
	/* From a stranger, or to another address: nobody's. */
	pkt_ip(&k, IP4(10, 0, 0, 3), HOST, 4, 0, in.k_data + 14, in.k_len - 14);
	net_rx(&k);
	EXPECT_MIB(ipInUnknownProtos, 1);
	EXPECT_TUN(ipackets, 1);
}

/* Type of service goes out without the congestion bits (RFC 2003, 3.1; RFC 2481). */
Test(tun, type_of_service)
{
	static const int tos = 0xb9;
	tpi_t *t;

	tun_ready(false);
	t = udp_bound(INADDR_ANY, 5000);
	cr_assert_eq(udp_ep_opt(t, IPPROTO_IP, IP_TOS, &tos, sizeof(tos)), T_OPTMGMT_ACK);
	udp_ep_send(t, IN_THEIR, 4000, "tos");
	cr_assert_eq(SENT_IP(0)->ipha_type_of_service, 0xb8);
	cr_assert_eq(SENT_ULP(0)[1], 0xb9);
}

Test(tun, mtu)
{
	static char big[1500];
	tpi_t *t;
	const uchar_t *in;

	tun_ready(false);
	t = udp_bound(INADDR_ANY, 5000);
	memset(big, 'x', sizeof(big) - 1);
	/* 1500 - 20: the largest packet; one byte more is fragmented inside. */
	big[1480 - 28] = '\0';
	udp_ep_send(t, IN_THEIR, 4000, big);
	cr_assert_eq(net_nsent, 1);
	cr_assert_eq(net_sent[0].s_len, 1514);
	big[1480 - 28] = 'x';
	big[1481 - 28] = '\0';
	udp_ep_send(t, IN_THEIR, 4000, big);
	cr_assert_eq(net_nsent, 3);
	in = sent_encap(1, 60);
	cr_assert_eq(get16(in + 6), 0x2000);
	in = sent_encap(2, 60);
	cr_assert_eq(get16(in + 6), 1456 / 8);
	EXPECT_MIB(ipFragOKs, 1);
}

/* ---- parameters ---- */

static struct iftun_req req;
static int64_t set_fd;

static void set_param_func(void *unused)
{
	(void)unused;
	net_error = tun_set_param("ip.tun0", &req);
}

static int set_param(uint_t flags)
{
	req.ifta_vers = IFTUN_VERSION;
	req.ifta_flags = flags;
	st_thread(set_param_func, NULL);
	return net_error;
}

static void set_addr(struct sockaddr_storage *ss, ipaddr_t addr)
{
	memset(ss, 0, sizeof(*ss));
	ss->ss_family = AF_INET;
	((struct sockaddr_in *)(void *)ss)->sin_addr.s_addr = addr;
}

Test(tun, parameters_refused)
{
	tun_ready(false);
	memset(&req, 0, sizeof(req));
	cr_assert_eq(set_param(0x8000), EINVAL, "an unknown flag");
	set_addr(&req.ifta_saddr, INADDR_ANY);
	cr_assert_eq(set_param(IFTUN_SRC), EINVAL);
	set_addr(&req.ifta_saddr, IP4(224, 0, 0, 1));
	cr_assert_eq(set_param(IFTUN_SRC), EINVAL);
	set_addr(&req.ifta_saddr, PEER);
	cr_assert_eq(set_param(IFTUN_SRC), EINVAL, "both ends the same");
	set_addr(&req.ifta_saddr, HOST);
	req.ifta_saddr.ss_family = AF_INET6;
	cr_assert_eq(set_param(IFTUN_SRC), EINVAL);
	req.ifta_hop_limit = 0;
	cr_assert_eq(set_param(IFTUN_HOPLIMIT), EINVAL);
	req.ifta_secinfo = (ipsec_req_t){.ipsr_ah_req = IPSEC_PREF_REQUIRED};
	cr_assert_eq(set_param(IFTUN_SECURITY), EINVAL, "there is no AH");
	/* That one was refused by IP: the tunnel is not bound any more. */
	tpi_t *t = udp_bound(INADDR_ANY, 5000);
	udp_ep_send(t, IN_THEIR, 4000, "lost");
	cr_assert_eq(net_nsent, 0);
	EXPECT_TUN(OutDiscard, 1);
	req.ifta_secinfo = (ipsec_req_t){0};
	cr_assert_eq(set_param(0), 0, "bound again");
	udp_ep_send(t, IN_THEIR, 4000, "sent");
	cr_assert_eq(net_nsent, 1);
	/* A source that is not ours. */
	set_addr(&req.ifta_saddr, IP4(10, 0, 0, 77));
	cr_assert_eq(set_param(IFTUN_SRC), EADDRNOTAVAIL);
	/* A destination without a route. */
	set_addr(&req.ifta_daddr, IP4(99, 0, 0, 1));
	cr_assert_eq(set_param(IFTUN_DST), ENETUNREACH);
	cr_assert_eq(set_param(0), 0);
	req.ifta_vers = 2;
	st_thread(set_param_func, NULL);
	cr_assert_eq(net_error, EINVAL, "a version that we do not know");
}

Test(tun, parameters_changed)
{
	tpi_t *t;

	tun_ready(false);
	memset(&req, 0, sizeof(req));
	t = udp_bound(INADDR_ANY, 5000);
	udp_ep_send(t, IN_THEIR, 4000, "one");
	cr_assert_eq(SENT_IP(0)->ipha_ttl, 60);
	req.ifta_hop_limit = 9;
	set_addr(&req.ifta_daddr, IP4(10, 0, 0, 9));
	cr_assert_eq(set_param(IFTUN_HOPLIMIT | IFTUN_DST), 0);
	/* To bind was to ask ARP for the new end; the packet waits for the answer, which never comes. */
	cr_assert_eq(net_nsent, 2);
	cr_assert_eq(SENT_TYPE(1), 0x0806);
	udp_ep_send(t, IN_THEIR, 4000, "two");
	cr_assert_eq(net_nsent, 2);
	st_ticks(700);
	cr_assert_eq(ip_drops[IPD_UNREACHABLE], 1);
	/* The error about the outer packet came to the tunnel, which told UDP. */
	cr_assert_eq(mib_now("icmpInDestUnreachs"), 2);
}

static void param_ioctls(void *unused)
{
	struct strioctl ioc = {.ic_cmd = (int)SIOCGTUNPARAM, .ic_len = sizeof(req), .ic_dp = (char *)&req};
	static const uchar_t none[4];

	(void)unused;
	set_fd = U_OPEN("/dev/ip", O_RDWR);
	OK(U_IOCTL(set_fd, I_PUSH, "tun"), 0);
	OK(U_IOCTL(set_fd, I_STR, &ioc), 0);
	cr_assert_eq(req.ifta_flags, IFTUN_HOPLIMIT);
	cr_assert_eq(req.ifta_hop_limit, 60);
	cr_assert_eq(req.ifta_vers, IFTUN_VERSION);
	cr_assert_eq(req.ifta_lower, IFTAP_IPV4);
	cr_assert_eq(req.ifta_upper, IFTAP_INVALID);
	/* Plain. */
	set_addr(&req.ifta_saddr, HOST);
	set_addr(&req.ifta_daddr, PEER);
	req.ifta_secinfo = (ipsec_req_t)ESP_REQ;
	req.ifta_hop_limit = 33;
	req.ifta_flags = IFTUN_SRC | IFTUN_DST | IFTUN_SECURITY | IFTUN_HOPLIMIT;
	strcpy(req.ifta_lifr_name, "ip.tun7");
	OK(U_IOCTL(set_fd, SIOCSTUNPARAM, &req), 0);
	memset(&req, 0, sizeof(req));
	OK(U_IOCTL(set_fd, SIOCGTUNPARAM, &req), 0);
	cr_assert_eq(req.ifta_flags, IFTUN_SRC | IFTUN_DST | IFTUN_SECURITY | IFTUN_HOPLIMIT);
	cr_assert_eq(req.ifta_hop_limit, 33);
	cr_assert_str_eq(req.ifta_lifr_name, "ip.tun7");
	cr_assert_eq(((struct sockaddr_in *)(void *)&req.ifta_saddr)->sin_addr.s_addr, HOST);
	cr_assert_eq(((struct sockaddr_in *)(void *)&req.ifta_daddr)->sin_addr.s_addr, PEER);
	cr_assert_eq(req.ifta_secinfo.ipsr_esp_req, IPSEC_PREF_REQUIRED);
	/* Wrong sizes, a bad address of the caller's, ioctls of nobody. */
	ioc.ic_len = sizeof(req) - 1;
	FAILS(U_IOCTL(set_fd, I_STR, &ioc), EINVAL);
	ioc.ic_cmd = (int)SIOCSTUNPARAM;
	FAILS(U_IOCTL(set_fd, I_STR, &ioc), EINVAL);
	ioc.ic_len = 0;
	FAILS(U_IOCTL(set_fd, I_STR, &ioc), EINVAL);
	FAILS(U_IOCTL(set_fd, SIOCGTUNPARAM, 16), EFAULT);
	FAILS(U_IOCTL(set_fd, SIOCSTUNPARAM, 16), EFAULT);
	ioc = (struct strioctl){.ic_cmd = ('Z' << 8) | 1, .ic_len = 4, .ic_dp = (char *)(uintptr_t)none};
	FAILS(U_IOCTL(set_fd, I_STR, &ioc), EINVAL);
	ioc.ic_cmd = DL_IOC_HDR_INFO;
	FAILS(U_IOCTL(set_fd, I_STR, &ioc), EINVAL);
	OK(U_CLOSE(set_fd), 0);
}

Test(tun, parameter_ioctls)
{
	prog(param_ioctls, NULL);
	prog_exit();
	st_thread(net_unplumb, NULL);
	st_thread(net_plumb, NULL);
}

static void wrong_places(void *unused)
{
	int64_t fd = U_OPEN("/dev/udp", O_RDWR);

	(void)unused;
	FAILS(U_IOCTL(fd, I_PUSH, "tun"), ENXIO);
	OK(U_CLOSE(fd), 0);
	fd = U_OPEN("/dev/rtls", O_RDWR);
	FAILS(U_IOCTL(fd, I_PUSH, "tun"), ENXIO);
	OK(U_CLOSE(fd), 0);
}

Test(tun, only_on_ip)
{
	prog(wrong_places, NULL);
}

static void not_root(void *unused)
{
	(void)unused;
	set_fd = U_OPEN("/dev/ip", O_RDWR);
	OK(U_IOCTL(set_fd, I_PUSH, "tun"), 0);
	req.ifta_vers = IFTUN_VERSION;
	curproc->p_fd[set_fd]->f_cred->cr_uid = 100;
	FAILS(U_IOCTL(set_fd, SIOCSTUNPARAM, &req), EPERM);
	OK(U_IOCTL(set_fd, SIOCGTUNPARAM, &req), 0);
	curproc->p_fd[set_fd]->f_cred->cr_uid = 0;
}

Test(tun, only_root_sets)
{
	prog(not_root, NULL);
}

Test(tun, plumb_refused)
{
	tun_config_t c = tun_config(false);

	c.tc_name = "tun";
	cr_assert_eq(tun_up(c), EINVAL);
	c = tun_config(false);
	c.tc_addr = 0;
	cr_assert_eq(tun_up(c), EINVAL);
	c = tun_config(false);
	c.tc_dstaddr = c.tc_addr;
	cr_assert_eq(tun_up(c), EINVAL);
	c = tun_config(false);
	c.tc_hoplimit = 256;
	cr_assert_eq(tun_up(c), EINVAL);
	c = tun_config(false);
	c.tc_tsrc = IP4(10, 0, 0, 200);
	cr_assert_eq(tun_up(c), EADDRNOTAVAIL);
	c = tun_config(false);
	c.tc_tdst = IP4(55, 0, 0, 1);
	cr_assert_eq(tun_up(c), ENETUNREACH);
	c = tun_config(false);
	c.tc_addr = HOST;
	cr_assert_eq(tun_up(c), EEXIST);
	cr_assert_eq(tun_up(tun_config(false)), 0);
	cr_assert_eq(tun_up(tun_config(false)), EEXIST);
	tun_down();
	cr_assert_eq(net_error, 0);
	tun_down();
	cr_assert_eq(net_error, ENXIO);
	cr_assert_eq(ip_ifindex("ip.tun0", 0), 0);
	/* rtls0 is no tunnel. */
	st_thread(do_tun_unplumb, (void *)(uintptr_t) "rtls0");
	cr_assert_eq(net_error, ENXIO);
}

/* ---- a TCP connection through a protected tunnel ---- */

#define PUTNEXT_RX "putnext < gld_recv_tagged < gld_recv < rtls_receive < rtls_gld_intr < gld_intr"
static uchar_t far6[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 172, 16, 5, 5};
static int tcp_fd;
static char tcp_got[64];
static uint_t tcp_port;
static uint32_t tcp_snd, tcp_rcv; /* the peer's next number, ours */
static uint32_t esp_seq;

static void tcp_open(void *unused)
{
	struct {
		uint16_t family, port;
		uint32_t flow;
		uchar_t addr[16];
		uint32_t scope, src;
	} sin6 = {.family = AF_INET6, .port = htons(7777)};

	(void)unused;
	memcpy(sin6.addr, far6, 16);
	tcp_fd = (int)user_syscall(SYS_so_socket, AF_INET6, SOCK_STREAM, 0, 0, SOV_DEFAULT, 0);
	cr_assert_geq(tcp_fd, 0);
	OK(user_syscall(SYS_connect, tcp_fd, A(&sin6), sizeof(sin6), 0, 0, 0), 0);
	st_note("connected");
}

static void tcp_read(void *unused)
{
	int64_t n;

	(void)unused;
	n = U_READ(tcp_fd, tcp_got, sizeof(tcp_got));
	st_notef("read:%.*s", (int)n, tcp_got);
}

/* A segment of the peer's arrives by the tunnel. */
static void tcp_rx(uint_t flags, const char *text)
{
	pkt_t in, k;

	pkt_tcp(&in, FAR, 7777, IN_OUR, tcp_port, tcp_snd, tcp_rcv, flags, text);
	pkt_esp_encap(&k, ++esp_seq, &in);
	net_rx(&k);
	tcp_snd += (uint32_t)strlen(text) + ((flags & (TH_SYN | TH_FIN)) != 0);
}

/* The segment in frame n (ESP number n + 1). */
static const uchar_t *tcp_sent(int n)
{
	size_t len;
	int next;
	uchar_t *p = sent_esp(n, (uint32_t)n + 1, &len, &next);

	cr_assert_eq(next, 4);
	cr_assert_eq(p[9], 6);
	cr_assert_eq(get16(p + 2), len);
	cr_assert_eq(net_sum(p, 20, 0), 0);
	cr_assert_eq(net_sum(p + 20, len - 20, net_pseudo(IN_OUR, FAR, 6, len - 20)), 0, "TCP checksum");
	return p + 20;
}

/* Connect, and receive two segments so that later ones are acknowledged late. */
static void tcp_up(void)
{
	const uchar_t *t;

	prog(tcp_open, NULL);
	cr_assert_eq(net_nsent, 1);
	t = tcp_sent(0);
	cr_assert_eq(t[13], TH_SYN);
	tcp_port = get16(t);
	tcp_rcv = get32(t + 4) + 1;
	tcp_snd = 1000;
	tcp_rx(TH_SYN | TH_ACK, "");
	st_expect("connected");
	for (int i = 0; i < 2; i++) {
		tcp_rx(TH_ACK | TH_PUSH, "x");
		prog(tcp_read, NULL);
		st_expect("read:x");
	}
	st_ticks(50);
	cr_assert_eq(net_nsent, 4, "SYN, its ACK, two ACKs: %d", net_nsent);
}

static const char *up_stack;
static int (*head_put)(queue_t *, mblk_t *);

static int spy_put(queue_t *q, mblk_t *mp)
{
	static char buf[1024];

	if (DB_TYPE(mp) == M_DATA) {
		snprintf(buf, sizeof(buf), "%s", st_callers(40));
		up_stack = buf;
	}
	return (*head_put)(q, mp);
}

/* Section by section what the seed's tunnel records say, with the whole nest. */
Test(tun, connection_through_esp)
{
	static struct qinit spy;
	queue_t *head;
	const uchar_t *t;

	tun_ready(true);
	esp_seq = 0;
	tcp_up();
	/* The peer's data: the whole nest is on the interrupt's stack. */
	head = RD(net_proc->p_fd[tcp_fd]->f_vnode->v_stream->sd_wrq);
	spy = *head->q_qinfo;
	head_put = spy.qi_putp;
	spy.qi_putp = spy_put;
	head->q_qinfo = &spy;
	tcp_rx(TH_ACK | TH_PUSH, "data");
	st_expect_stack(strstr(up_stack, "putnext"),
			"putnext < tcp_rput_data < tcp_input < squeue_enter < ip_tcp_input < ip_rput < "
			"putnext < tun_rdata_v4 < tun_rproc < tun_rput < putnext < ip_fanout_proto < ip_proto_input < "
			"ip_fanout_proto_again < ip_proto_input < ip_rput < " PUTNEXT_RX);
	head->q_qinfo = (struct qinit *)(uintptr_t)&strdata;
	cr_assert_eq(net_nsent, 4);
	/* 100 ms, since the peer is behind a gateway, then the worker. */
	st_ticks(9);
	cr_assert_eq(net_nsent, 4);
	st_ticks(3);
	cr_assert_eq(net_nsent, 5);
	t = tcp_sent(4);
	cr_assert_eq(t[13], TH_ACK);
	cr_assert_eq(get32(t + 8), tcp_snd);
	st_expect_stack(sent_stack(4),
			"putnext < ip_wput_ipsec_out < ipsec_out_process < ip_wput_ire < ip_output < ip_wput < "
			"putnext < tun_wputnext_v4 < tun_wproc_mdata < tun_wproc < tun_wput < "
			"putnext < ip_wput_ire < ip_output < tcp_send_data < tcp_ack_timer < tcp_timer_handler < "
			"squeue_drain < squeue_worker");
	prog(tcp_read, NULL);
	st_expect("read:data");
	EXPECT_MIB(ipsecInSucceeded, 4);
	EXPECT_MIB(ipsecInFailed, 0);
	EXPECT_MIB(tcpOutAckDelayed, 1);
	EXPECT_MIB(ipInReceives, 8);
	EXPECT_MIB(ipInDelivers, 4);
	EXPECT_MIB(ipOutRequests, 10);
	EXPECT_MIB(icmpOutMsgs, 0);
	EXPECT_TUN(ipackets, 4);
	EXPECT_TUN(opackets, 5);
}

/* ---- flow control ---- */

/*
 * A slow wire: the driver's queue fills, then the lower endpoint's, then the
 * tunnel's, then the sender's; all is sent in the end, in order.
 */
static void slow_wire(bool esp)
{
	enum { N = 160 };
	char text[1401], num[16];
	size_t len;
	tpi_t *t;
	int next;

	tun_ready(esp);
	t = udp_bound(INADDR_ANY, 5000);
	nic_set_speed(nic_get(0), 1000000);
	for (int i = 0; i < N; i++) {
		memset(text, 'a' + i % 26, 1400);
		text[1400] = '\0';
		snprintf(num, sizeof(num), "%05d", i);
		memcpy(text, num, 5);
		udp_ep_send(t, IN_THEIR, 4000, text);
	}
	cr_assert_lt(net_nsent, 40);
	cr_assert_gt(tun_count("xmtretry"), 0, "the tunnel had to wait");
	machine_run(machine_now() + 60 * 1000000000LL);
	cr_assert_eq(net_nsent, N, "%d", net_nsent);
	for (int i = 0; i < N; i++) {
		const uchar_t *p = esp ? sent_esp(i, (uint32_t)i + 1, &len, &next) : SENT_ULP(i);

		cr_assert_eq(atoi((const char *)p + 28), i, "frame %d", i);
	}
	EXPECT_MIB(ipOutDiscards, 0);
	EXPECT_TUN(opackets, N);
	nic_set_speed(nic_get(0), 0);
}

Test(tun, slow_wire)
{
	slow_wire(false);
}

Test(tun, slow_wire_esp)
{
	slow_wire(true);
}

/* Close while packets wait in every queue. */
Test(tun, close_in_flight)
{
	char text[1401];
	tpi_t *t;

	tun_ready(true);
	t = udp_bound(INADDR_ANY, 5000);
	nic_set_speed(nic_get(0), 1000);
	memset(text, 'a', 1400);
	text[1400] = '\0';
	for (int i = 0; i < 160; i++)
		udp_ep_send(t, IN_THEIR, 4000, text);
	cr_assert_gt(tun_count("xmtretry"), 0);
	tun_down();
	nic_set_speed(nic_get(0), 1000000000);
}

/* ---- the module alone: DLPI ---- */

static tpi_t raw; /* a stream of tun on the ip driver */

static void raw_open(void *unused)
{
	(void)unused;
	raw.t_fd = U_OPEN("/dev/ip", O_RDWR | O_NONBLOCK);
	cr_assert_geq(raw.t_fd, 0);
	OK(U_IOCTL(raw.t_fd, I_PUSH, "tun"), 0);
}

static void raw_param(void *unused)
{
	(void)unused;
	memset(&req, 0, sizeof(req));
	req.ifta_vers = IFTUN_VERSION;
	req.ifta_flags = IFTUN_SRC | IFTUN_DST;
	set_addr(&req.ifta_saddr, HOST);
	set_addr(&req.ifta_daddr, PEER);
	OK(U_IOCTL(raw.t_fd, SIOCSTUNPARAM, &req), 0);
}

static uint32_t raw_word(int i)
{
	return ((const uint32_t *)(const void *)raw.t_ans)[i];
}

/* A primitive of these words, answered with this one (for DL_ERROR_ACK: about it, with that error). */
static void dl(uint32_t prim, const uint32_t *rest, size_t n, uint32_t answer, uint32_t dl_errno)
{
	memset(raw.t_ctl, 0, sizeof(raw.t_ctl));
	memcpy(raw.t_ctl, &prim, 4);
	memcpy(raw.t_ctl + 4, rest, n * 4);
	raw.t_ctllen = (int)(4 + n * 4);
	raw.t_data = NULL;
	prog(tpi_do_exchange, &raw);
	cr_assert_eq(raw.t_prim, (int)answer, "primitive %#x answered by %#x, not %#x", prim, (uint_t)raw.t_prim,
		     answer);
	if (answer == DL_ERROR_ACK) {
		cr_assert_eq(raw_word(1), prim);
		cr_assert_eq(raw_word(2), dl_errno, "primitive %#x: error %#x", prim, raw_word(2));
	} else if (answer == DL_OK_ACK) {
		cr_assert_eq(raw_word(1), prim);
	}
}
#define DL(prim, answer, error, ...)                                                                             \
	dl(prim, (const uint32_t[]){0, ##__VA_ARGS__} + 1, sizeof((const uint32_t[]){0, ##__VA_ARGS__}) / 4 - 1, \
	   answer, error)

static void raw_up(void)
{
	prog(raw_open, NULL);
	prog(raw_param, NULL);
	DL(DL_ATTACH_REQ, DL_OK_ACK, 0, 3);
	DL(DL_BIND_REQ, DL_BIND_ACK, 0, 0x800, 0, DL_CLDLS, 0);
	net_nsent = 0;
}

Test(tun, dlpi)
{
	prog(raw_open, NULL);
	DL(DL_INFO_REQ, DL_INFO_ACK, 0);
	cr_assert_eq(raw_word(1), 1480, "largest packet");
	cr_assert_eq(raw_word(4), DL_IPV4);
	cr_assert_eq(raw_word(6), DL_UNATTACHED);
	cr_assert_eq(raw_word(8), DL_CLDLS);
	DL(DL_BIND_REQ, DL_ERROR_ACK, DL_OUTSTATE, 0x800, 0, DL_CLDLS, 0);
	DL(DL_UNBIND_REQ, DL_ERROR_ACK, DL_OUTSTATE);
	DL(DL_DETACH_REQ, DL_ERROR_ACK, DL_OUTSTATE);
	DL(DL_CAPABILITY_REQ, DL_ERROR_ACK, DL_OUTSTATE, 0, 0);
	DL(DL_ATTACH_REQ, DL_ERROR_ACK, DL_BADPRIM);
	DL(DL_ATTACH_REQ, DL_OK_ACK, 0, 3);
	DL(DL_ATTACH_REQ, DL_ERROR_ACK, DL_OUTSTATE, 3);
	DL(DL_BIND_REQ, DL_ERROR_ACK, DL_BADPRIM, 0x800);
	DL(DL_BIND_REQ, DL_ERROR_ACK, DL_BADSAP, 0x86dd, 0, DL_CLDLS, 0);
	DL(DL_BIND_REQ, DL_ERROR_ACK, DL_UNSUPPORTED, 0x800, 0, 1, 0);
	DL(DL_BIND_REQ, DL_ERROR_ACK, DL_NOAUTO, 0x800, 0, DL_CLDLS, DL_AUTO_XID);
	prog(raw_param, NULL);
	DL(DL_BIND_REQ, DL_BIND_ACK, 0, 0x800, 0, DL_CLDLS, 0);
	cr_assert_eq(raw_word(1), 0x800);
	cr_assert_eq(raw_word(2), 4);
	cr_assert_eq(memcmp(raw.t_ans + raw_word(3), &(ipaddr_t){HOST}, 4), 0, "its own address");
	DL(DL_BIND_REQ, DL_ERROR_ACK, DL_OUTSTATE, 0x800, 0, DL_CLDLS, 0);
	DL(DL_DETACH_REQ, DL_ERROR_ACK, DL_OUTSTATE);
	DL(DL_CAPABILITY_REQ, DL_CAPABILITY_ACK, 0, 0, 0);
	cr_assert_eq(raw_word(2), 0, "no capabilities");
	DL(DL_PHYS_ADDR_REQ, DL_PHYS_ADDR_ACK, 0, DL_CURR_PHYS_ADDR);
	cr_assert_eq(memcmp(raw.t_ans + raw_word(2), &(ipaddr_t){HOST}, 4), 0);
	DL(DL_NOTIFY_REQ, DL_NOTIFY_ACK, 0, 0xffff, 0);
	cr_assert_eq(raw_word(1), DL_NOTE_SDU_SIZE);
	DL(DL_NOTIFY_REQ, DL_ERROR_ACK, DL_BADPRIM);
	DL(DL_ENABMULTI_REQ, DL_ERROR_ACK, DL_NOTSUPPORTED, 4, 12, 0xe0000001);
	DL(DL_DISABMULTI_REQ, DL_ERROR_ACK, DL_NOTSUPPORTED);
	DL(DL_PROMISCON_REQ, DL_ERROR_ACK, DL_NOTSUPPORTED, 1);
	DL(DL_PROMISCOFF_REQ, DL_ERROR_ACK, DL_NOTSUPPORTED, 1);
	DL(DL_SET_PHYS_ADDR_REQ, DL_ERROR_ACK, DL_NOTSUPPORTED);
	DL(0x77, DL_ERROR_ACK, DL_BADPRIM);
	DL(DL_INFO_REQ, DL_INFO_ACK, 0);
	cr_assert_eq(raw_word(6), DL_IDLE);
	DL(DL_UNBIND_REQ, DL_OK_ACK, 0);
	DL(DL_DETACH_REQ, DL_OK_ACK, 0);
	DL(DL_ATTACH_REQ, DL_OK_ACK, 0, 4);
}

/* ---- the module alone: data ---- */

static void raw_write_func(void *arg)
{
	const pkt_t *k = arg;

	OK(U_WRITE(raw.t_fd, k->k_data, (int64_t)k->k_len), (int64_t)k->k_len);
}

/* The fast path's header, 52 bytes, and a packet behind it. */
static void raw_fast(const pkt_t *in, size_t header)
{
	pkt_t k;

	memset(k.k_data, 0xee, sizeof(k.k_data));
	memcpy(k.k_data + header, in->k_data + 14, in->k_len - 14);
	k.k_len = header + in->k_len - 14;
	prog(raw_write_func, &k);
}

static void raw_fastpath_func(void *unused)
{
	static uchar_t buf[200];
	uint32_t *w = (uint32_t *)(void *)buf;
	struct strioctl ioc = {.ic_cmd = DL_IOC_HDR_INFO, .ic_len = 28, .ic_dp = (char *)buf};

	(void)unused;
	memset(buf, 0, sizeof(buf));
	w[0] = DL_INFO_REQ;
	FAILS(U_IOCTL(raw.t_fd, I_STR, &ioc), EINVAL);
	w[0] = DL_UNITDATA_REQ;
	ioc.ic_len = 8;
	FAILS(U_IOCTL(raw.t_fd, I_STR, &ioc), EINVAL);
	ioc.ic_len = 28;
	OK(U_IOCTL(raw.t_fd, I_STR, &ioc), 0);
	cr_assert_eq(ioc.ic_len, 28 + 52, "the header is 52 bytes");
	cr_assert_eq(buf[28 + 32], 0x45);
	cr_assert_eq(buf[28 + 32 + 8], 60);
	cr_assert_eq(buf[28 + 32 + 9], 4);
	cr_assert_eq(memcmp(buf + 28 + 32 + 12, &(ipaddr_t){HOST}, 4), 0);
	cr_assert_eq(memcmp(buf + 28 + 32 + 16, &(ipaddr_t){PEER}, 4), 0);
}

Test(tun, data_down)
{
	pkt_t in;
	bool found;

	raw_up();
	pkt_udp(&in, IN_OUR, 1, FAR, 2, "text");
	raw_fast(&in, 52);
	cr_assert_eq(net_nsent, 0, "not before the fast path was asked for");
	cr_assert_eq(tun_kstat(3, "OutErrors", &found), 1);
	prog(raw_fastpath_func, NULL);
	raw_fast(&in, 52);
	cr_assert_eq(net_nsent, 1);
	cr_assert_eq(memcmp(sent_encap(0, 60), in.k_data + 14, in.k_len - 14), 0);
	/* Too short, not IPv4, into itself. */
	in.k_len = 14 + 19;
	raw_fast(&in, 52);
	in.k_len = 14 + 10;
	raw_fast(&in, 30);
	pkt_udp(&in, IN_OUR, 1, FAR, 2, "text");
	in.k_data[14] = 0x65;
	raw_fast(&in, 52);
	pkt_udp(&in, IN_OUR, 1, PEER, 2, "loop");
	raw_fast(&in, 52);
	put16(in.k_data + 16, 65530);
	in.k_data[33] ^= 1;
	raw_fast(&in, 52);
	cr_assert_eq(net_nsent, 1);
	cr_assert_eq(tun_kstat(3, "OutErrors", &found), 6);
	cr_assert_eq(tun_kstat(3, "opackets", &found), 1);
	/* To a group. */
	pkt_udp(&in, IN_OUR, 1, IP4(224, 5, 5, 5), 2, "group");
	raw_fast(&in, 52);
	cr_assert_eq(tun_kstat(3, "multixmt", &found), 1);
	cr_assert_eq(tun_kstat(3, "HCOutMulticastPkts", &found), 1);
	cr_assert_eq(tun_kstat(3, "opackets", &found), 2);
	(void)tun_kstat(9, "opackets", &found);
	cr_assert(!found);
	(void)tun_kstat(3, "nothing", &found);
	cr_assert(!found);
	prog_exit();
}

/* DL_UNITDATA_REQ instead of the fast path. */
static void unitdata(const pkt_t *in, size_t len)
{
	struct strbuf c = {.len = 28, .buf = (char *)raw.t_ctl},
		      d = {.len = (int)len, .buf = (char *)(uintptr_t)(in->k_data + 14)};

	memset(raw.t_ctl, 0, 28);
	*(uint32_t *)(void *)raw.t_ctl = DL_UNITDATA_REQ;
	OK(U_PUTMSG(raw.t_fd, &c, len != 0 ? &d : NULL, 0), 0);
}

static pkt_t ud_pkt;
static size_t ud_len;

static void unitdata_func(void *unused)
{
	(void)unused;
	unitdata(&ud_pkt, ud_len);
}

Test(tun, unitdata)
{
	bool found;

	raw_up();
	pkt_udp(&ud_pkt, IN_OUR, 1, FAR, 2, "some text");
	ud_len = ud_pkt.k_len - 14;
	prog(unitdata_func, NULL);
	cr_assert_eq(net_nsent, 1);
	cr_assert_eq(memcmp(sent_encap(0, 60), ud_pkt.k_data + 14, ud_len), 0);
	st_expect_stack(sent_stack(0), "putnext < ip_wput_ire < ip_output < ip_wput < putnext < tun_wdata_v4 < "
				       "tun_unitdata_req < tun_wput_dlpi < tun_wproc < tun_wput < putnext < strput");
	ud_len = 19;
	prog(unitdata_func, NULL);
	ud_len = 0;
	prog(unitdata_func, NULL);
	cr_assert_eq(tun_kstat(3, "OutErrors", &found), 2);
	DL(DL_UNBIND_REQ, DL_OK_ACK, 0);
	ud_len = ud_pkt.k_len - 14;
	prog(unitdata_func, NULL);
	cr_assert_eq(tun_kstat(3, "OutErrors", &found), 3);
	cr_assert_eq(net_nsent, 1);
	prog_exit();
}

Test(tun, data_up)
{
	pkt_t in, k;
	bool found;

	raw_up();
	pkt_udp(&in, FAR, 1, IN_OUR, 2, "text");
	pkt_encap(&k, &in);
	net_rx(&k);
	prog(tpi_do_get, &raw);
	cr_assert_eq(raw.t_anslen, -1);
	cr_assert_eq(raw.t_ansdatalen, (int)in.k_len - 14);
	cr_assert_eq(memcmp(raw.t_ansdata, in.k_data + 14, in.k_len - 14), 0);
	cr_assert_eq(tun_kstat(3, "ipackets", &found), 1);
	cr_assert_eq(tun_kstat(3, "rbytes", &found), in.k_len - 14);
	DL(DL_UNBIND_REQ, DL_OK_ACK, 0);
	net_rx(&k);
	cr_assert_eq(tun_kstat(3, "InErrors", &found), 1);
	/* A reader that is behind: the tunnel keeps what the head has no room for, in order. */
	DL(DL_BIND_REQ, DL_BIND_ACK, 0, 0x800, 0, DL_CLDLS, 0);
	char text[1001];
	memset(text, 'x', 1000);
	text[1000] = '\0';
	for (int i = 0; i < 12; i++) {
		text[0] = (char)('A' + i);
		pkt_udp(&in, FAR, 1, IN_OUR, 2, text);
		pkt_encap(&k, &in);
		net_rx(&k);
	}
	cr_assert_gt(tun_kstat(3, "nocanput", &found), 0);
	for (int i = 0; i < 12; i++) {
		prog(tpi_do_get, &raw);
		cr_assert_gt(raw.t_ansdatalen, 28, "packet %d", i);
		cr_assert_eq(raw.t_ansdata[28], 'A' + i);
	}
	cr_assert_eq(tun_kstat(3, "ipackets", &found), 13);
	/* Closed with packets kept. */
	for (int i = 0; i < 12; i++)
		net_rx(&k);
	prog_exit();
}

static void flush_func(void *unused)
{
	(void)unused;
	OK(U_IOCTL(raw.t_fd, I_FLUSH, FLUSHRW), 0);
}

Test(tun, flush)
{
	char text[1001];
	pkt_t in, k;

	raw_up();
	memset(text, 'x', 1000);
	text[1000] = '\0';
	pkt_udp(&in, FAR, 1, IN_OUR, 2, text);
	pkt_encap(&k, &in);
	for (int i = 0; i < 12; i++)
		net_rx(&k);
	prog(flush_func, NULL);
	prog(tpi_do_get, &raw);
	cr_assert_eq(raw.t_ansdatalen, -1);
	net_rx(&k);
	prog(tpi_do_get, &raw);
	cr_assert_eq(raw.t_ansdatalen, (int)in.k_len - 14);
	prog_exit();
}

/* ---- ICMP about outer packets ---- */

/* An ICMP error about frame n of ours, quoting `quoted' bytes, from a router on the way. */
static void icmp_about(int n, int type, int code, uint_t mtu, size_t quoted)
{
	uchar_t rest[600] = {0};
	pkt_t k;

	put16(rest + 2, mtu);
	memcpy(rest + 4, net_sent[n].s_data + 14, quoted);
	pkt_icmp(&k, PEER, HOST, type, code, rest, 4 + quoted);
	net_rx(&k);
}

static int uderr(tpi_t *t)
{
	return udp_ep_get(t) == T_UDERROR_IND ? ((struct T_uderror_ind *)(void *)t->t_ans)->ERROR_type : -1;
}

/* The inner sender hears of it as of a packet lost on its own way (RFC 2003, 4). */
static void icmp_errors(bool esp)
{
	size_t quoted = (size_t)(esp ? 8 : 0) + 20 + 28;
	uint_t over = esp ? 33 : 20;
	ire_t *ire;
	tpi_t *t;

	tun_ready(esp);
	t = udp_bound(INADDR_ANY, 5000);
	udp_ep_send(t, FAR, 4000, "one, two, three, four");
	cr_assert_eq(net_nsent, 1);
	for (int type = 3; type <= 12; type++) {
		static const bool relayed[13] = {[3] = true, [11] = true, [12] = true};

		if (type > 4 && type < 11)
			continue;
		uint64_t before = mib_now("icmpInDestUnreachs");
		icmp_about(0, type, type == 3, 0, quoted);
		cr_assert_eq(mib_now("icmpInDestUnreachs"), before + relayed[type] + (type == 3), "type %d", type);
		cr_assert_eq(net_nsent, 1);
	}
	EXPECT_MIB(icmpInErrors, 0);
	/* The path is narrower than thought: the tunnel tells IP, and the sender. */
	icmp_about(0, 3, 4, 1000, quoted);
	EXPECT_MIB(icmpInFragNeeded, 2);
	ire = ire_cache_lookup(FAR, GLOBAL_ZONEID, 0);
	cr_assert_eq(ire->ire_max_frag, 1000 - over, "%u", ire->ire_max_frag);
	IRE_REFRELE(ire);
	ire = ire_cache_lookup(PEER, GLOBAL_ZONEID, 0);
	cr_assert_eq(ire->ire_max_frag, 1000);
	IRE_REFRELE(ire);
	(void)uderr(t);
	/* Quoting too little to tell whose it was. */
	uint64_t before = mib_now("icmpInMsgs");
	icmp_about(0, 3, 1, 0, quoted - 1);
	cr_assert_eq(mib_now("icmpInMsgs"), before + 1);
	icmp_about(0, 3, 1, 0, 28);
	cr_assert_eq(mib_now("icmpInMsgs"), before + 2);
	cr_assert_eq(net_nsent, 1);
}

Test(tun, icmp_errors)
{
	icmp_errors(false);
}

Test(tun, icmp_errors_esp)
{
	icmp_errors(true);
}

/* Packets that became too long for the path are told of, and go in two pieces the next time. */
Test(tun, path_mtu)
{
	static char big[1400];
	tpi_t *t;

	tun_ready(true);
	t = udp_bound(INADDR_ANY, 5000);
	memset(big, 'x', sizeof(big) - 1);
	udp_ep_send(t, FAR, 4000, big);
	cr_assert_eq(net_nsent, 1);
	icmp_about(0, 3, 4, 1000, 100);
	udp_ep_send(t, FAR, 4000, big);
	cr_assert_eq(net_nsent, 3);
	for (int i = 1; i < 3; i++)
		cr_assert_leq(ntohs(SENT_IP(i)->ipha_length), 1000);
	/* After ten minutes the path is tried again, when IP has been asked. */
	st_ticks(100 * 601);
	udp_ep_send(t, FAR, 4000, "small");
	udp_ep_send(t, FAR, 4000, "small");
	net_nsent = 0;
	udp_ep_send(t, FAR, 4000, big);
	cr_assert_eq(net_nsent, 1, "%d", net_nsent);
}

/* ---- without memory ---- */

static tun_config_t fail_config;

static void nomem_plumb(void (*fail)(long n))
{
	int errors = 0;

	sa_both();
	for (long n = 1; n < 400; n++) {
		fail(n);
		st_thread(do_tun_plumb, &fail_config);
		machine_run_idle(machine_now() + 60 * 1000000000LL);
		fail(0);
		if (net_error == 0) {
			tun_down();
			cr_assert_eq(net_error, 0);
		} else {
			errors++;
			cr_assert(net_error == ENOMEM || net_error == ENOSR, "n %ld: error %d", n, net_error);
			cr_assert_eq(ip_ifindex("ip.tun0", 0), 0);
		}
	}
	cr_assert_gt(errors, 5);
}

Test(tun, nomem_plumb_blocks)
{
	fail_config = tun_config(true);
	nomem_plumb(allocb_fail_nth);
}

Test(tun, nomem_plumb_kmem)
{
	fail_config = tun_config(true);
	nomem_plumb(kmem_fail_nth);
}

/* putmsg(2) that may be refused for lack of memory. */
static void put_or_not(void *arg)
{
	tpi_t *t = arg;
	struct strbuf c = {.len = t->t_ctllen, .buf = (char *)t->t_ctl};
	struct strbuf d = {.len = (int)strlen(t->t_data), .buf = (char *)(uintptr_t)t->t_data};

	(void)U_PUTMSG(t->t_fd, &c, &d, 0);
}

/* Any allocation fails while packets go through, both ways. */
Test(tun, nomem_data)
{
	uint32_t seq = 0;
	int lost = 0;
	pkt_t in, k;
	ire_t *ire;
	tpi_t *t;

	tun_ready(true);
	t = udp_bound(INADDR_ANY, 5000);
	for (long n = 1; n < 40; n++) {
		net_nsent = 0;
		pkt_udp(&in, FAR, 4000, IN_OUR, 5000, "hello");
		pkt_esp_encap(&k, ++seq, &in);
		allocb_fail_nth(n);
		net_rx(&k);
		(void)udp_ep_get(t);
		allocb_fail_nth(n);
		tpi_addr(t, sizeof(struct T_unitdata_req), T_UNITDATA_REQ, n & 1 ? FAR : IN_THEIR, 4000);
		t->t_data = "out";
		prog(put_or_not, t);
		allocb_fail_nth(0);
		lost += net_nsent == 0;
		(void)udp_ep_get(t);
		if (n % 5 == 0 && (ire = ire_cache_lookup(FAR, GLOBAL_ZONEID, 0)) != NULL) {
			ire_delete(ire);
			IRE_REFRELE(ire);
		}
	}
	cr_assert_gt(lost, 1);
	allocb_fail_nth(0);
	net_nsent = 0;
	udp_ep_send(t, FAR, 4000, "at last");
	cr_assert_eq(net_nsent, 1);
}
