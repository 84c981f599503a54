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
