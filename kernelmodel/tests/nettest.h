/*
 * For tests of the network half: a machine with interface rtls0 (10.0.0.1/24,
 * a peer 10.0.0.2 with a static ARP entry), frames made and read here by code
 * of its own, programs with UDP endpoints, and what the host sent.
 */
#ifndef STRSIM_NETTEST_H
#define STRSIM_NETTEST_H

#include "tests/headtest.h"
#include "arp/arp.h"
#include "ip/ip.h"
#include "machine/nic.h"
#include "rtls/rtls.h"
#include "sys/gld.h"
#include "sys/socket.h"
#include "sys/tihdr.h"
#include "sys/tiuser.h"

#define IP4(a, b, c, d) htonl((uint32_t)(a) << 24 | (b) << 16 | (c) << 8 | (d))
#define HOST IP4(10, 0, 0, 1)
#define PEER IP4(10, 0, 0, 2)
#define MASK24 IP4(255, 255, 255, 0)

TEST_FN const uchar_t host_mac[6] = {0x02, 0, 0, 0, 0, 1};
TEST_FN const uchar_t peer_mac[6] = {0x02, 0, 0, 0, 0, 2};
TEST_FN const uchar_t bcast_mac[6] = {255, 255, 255, 255, 255, 255};

/* ---- what was sent ---- */

typedef struct sent {
	_Alignas(4) uchar_t s_align[2]; /* the IP header is aligned */
	uchar_t s_data[2050];
	size_t s_len;
	char s_stack[1024];
} sent_t;
TEST_FN sent_t net_sent[256];
TEST_FN int net_nsent;

TEST_FN void net_on_tx(void *arg, const uchar_t *frame, size_t len, hrtime_t when)
{
	sent_t *s = &net_sent[net_nsent++];

	(void)arg, (void)when;
	if (net_nsent > 256 || len > sizeof(s->s_data))
		abort();
	memcpy(s->s_data, frame, len);
	s->s_len = len;
	snprintf(s->s_stack, sizeof(s->s_stack), "%s", st_callers(24));
}

#define SENT_IP(n) ((ipha_t *)(net_sent[n].s_data + 14))
#define SENT_ULP(n) (net_sent[n].s_data + 14 + IPH_HDR_LENGTH(SENT_IP(n)))
#define SENT_TYPE(n) (net_sent[n].s_data[12] << 8 | net_sent[n].s_data[13])

/* The frame's stack from putnext() on. */
TEST_FN const char *sent_stack(int n)
{
	const char *p = strstr(net_sent[n].s_stack, "putnext < ");

	return p == NULL ? net_sent[n].s_stack : p;
}

/* ---- set up ---- */

TEST_FN int net_error;

TEST_FN void net_plumb(void *unused)
{
	(void)unused;
	net_error = ip_plumb("rtls0", 0, HOST, MASK24, host_mac);
	if (net_error == 0)
		net_error = arp_static("rtls0", 0, PEER, peer_mac);
}

TEST_FN void net_unplumb(void *unused)
{
	(void)unused;
	net_error = ip_unplumb("rtls0", 0);
}

TEST_FN void net_boot(void)
{
	st_boot();
	cr_assert_eq(wire_listen(nic_get(0), net_on_tx, NULL), 0);
	st_thread(net_plumb, NULL);
	cr_assert_eq(net_error, 0, "plumb: %d", net_error);
	net_nsent = 0;
}

TEST_FN void net_halt(void)
{
	st_thread(net_unplumb, NULL);
	st_halt();
}

#define NET_SUITE(name) TestSuite(name, .init = net_boot, .fini = net_halt)

/* ---- making packets ---- */

/* RFC 1071 as it is written there, for both directions. */
TEST_FN uint16_t net_sum(const uchar_t *p, size_t n, uint32_t sum)
{
	for (size_t i = 0; i < n; i++)
		sum += i & 1 ? p[i] : (uint32_t)p[i] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

TEST_FN void put16(uchar_t *p, uint_t v)
{
	p[0] = (uchar_t)(v >> 8);
	p[1] = (uchar_t)v;
}

TEST_FN uint_t get16(const uchar_t *p)
{
	return (uint_t)p[0] << 8 | p[1];
}

typedef struct pkt {
	uchar_t k_data[2048];
	size_t k_len;
} pkt_t;

/* Ethernet header from the peer to the host. */
TEST_FN void pkt_ether(pkt_t *k, const uchar_t *dst, uint_t type)
{
	memcpy(k->k_data, dst, 6);
	memcpy(k->k_data + 6, peer_mac, 6);
	put16(k->k_data + 12, type);
	k->k_len = 14;
}

TEST_FN void pkt_ip_cksum(pkt_t *k)
{
	uchar_t *ip = k->k_data + 14;
	size_t hl = (size_t)(ip[0] & 15) * 4;

	put16(ip + 10, 0);
	put16(ip + 10, net_sum(ip, hl, 0));
}

/* An IP packet; frag: the flags and offset field. */
TEST_FN void pkt_ip(pkt_t *k, ipaddr_t src, ipaddr_t dst, uint_t proto, uint_t frag, const void *data, size_t len)
{
	static uint_t ident = 1;
	uchar_t *ip = k->k_data + 14;

	pkt_ether(k, host_mac, 0x0800);
	memset(ip, 0, 20);
	ip[0] = 0x45;
	put16(ip + 2, (uint_t)(20 + len));
	put16(ip + 4, frag != 0 ? 7777 : ident++);
	put16(ip + 6, frag);
	ip[8] = 64;
	ip[9] = (uchar_t)proto;
	memcpy(ip + 12, &src, 4);
	memcpy(ip + 16, &dst, 4);
	memcpy(ip + 20, data, len);
	k->k_len = 34 + len;
	pkt_ip_cksum(k);
}

/* Sum of the pseudo header, in host order words. */
TEST_FN uint32_t net_pseudo(ipaddr_t src, ipaddr_t dst, uint_t proto, size_t len)
{
	uint32_t s = ntohl(src), d = ntohl(dst);

	return (s >> 16) + (s & 0xffff) + (d >> 16) + (d & 0xffff) + proto + (uint32_t)len;
}

TEST_FN size_t make_udp(uchar_t *u, ipaddr_t src, uint_t sport, ipaddr_t dst, uint_t dport, const void *data,
			size_t len)
{
	put16(u, sport);
	put16(u + 2, dport);
	put16(u + 4, (uint_t)(8 + len));
	put16(u + 6, 0);
	memcpy(u + 8, data, len);
	put16(u + 6, net_sum(u, 8 + len, net_pseudo(src, dst, 17, 8 + len)));
	return 8 + len;
}

TEST_FN void pkt_udp(pkt_t *k, ipaddr_t src, uint_t sport, ipaddr_t dst, uint_t dport, const char *text)
{
	uchar_t u[1600];

	pkt_ip(k, src, dst, 17, 0, u, make_udp(u, src, sport, dst, dport, text, strlen(text)));
}

TEST_FN void pkt_icmp(pkt_t *k, ipaddr_t src, ipaddr_t dst, int type, int code, const void *rest, size_t len)
{
	uchar_t m[1600] = {(uchar_t)type, (uchar_t)code};

	memcpy(m + 4, rest, len);
	put16(m + 2, net_sum(m, 4 + len, 0));
	pkt_ip(k, src, dst, 1, 0, m, 4 + len);
}

/* Let it arrive, and all that follows at this moment happen. */
TEST_FN int net_rx_flags(const pkt_t *k, uint_t flags)
{
	int rc = wire_rx(nic_get(0), k->k_data, k->k_len, flags);

	machine_run_ready();
	return rc;
}

TEST_FN int net_rx(const pkt_t *k)
{
	return net_rx_flags(k, 0);
}

/* ---- judging what was sent ---- */

/* Checksums of an IP packet we sent: header, and UDP or ICMP. */
TEST_FN void check_sums(int n)
{
	const uchar_t *ip = net_sent[n].s_data + 14;
	size_t hl = (size_t)(ip[0] & 15) * 4, len = get16(ip + 2) - hl;
	ipaddr_t src, dst;

	memcpy(&src, ip + 12, 4);
	memcpy(&dst, ip + 16, 4);
	cr_assert_eq(net_sum(ip, hl, 0), 0, "header checksum of frame %d", n);
	if (get16(ip + 6) & 0x3fff)
		return;
	if (ip[9] == 17)
		cr_assert_eq(net_sum(ip + hl, len, net_pseudo(src, dst, 17, len)), 0, "UDP checksum of frame %d", n);
	else if (ip[9] == 1)
		cr_assert_eq(net_sum(ip + hl, len, 0), 0, "ICMP checksum of frame %d", n);
}

/* One counter rose by n since the last look at it. */
TEST_FN uint64_t mib_now(const char *name)
{
	bool found;
	uint64_t v = mib_value(name, &found);

	cr_assert(found, "no counter %s", name);
	return v;
}
#define EXPECT_MIB(name, n) cr_assert_eq(mib_now(#name), (uint64_t)(n), #name " is %lu", (unsigned long)mib_now(#name))
#define EXPECT_DROPS(reason, n) \
	cr_assert_eq(ip_drops[reason], (uint64_t)(n), #reason " is %lu", (unsigned long)ip_drops[reason])

/* ---- programs ---- */

TEST_FN proc_t *net_proc;

/* Run func in a thread of the test's process, as far as it gets now. */
TEST_FN void prog(void (*func)(void *), void *arg)
{
	if (net_proc == NULL)
		net_proc = proc_create(NULL, 0, "test");
	cr_assert_not_null(lwp_create(net_proc, func, arg));
	machine_run_ready();
}

TEST_FN void prog_exit_func(void *unused)
{
	(void)unused;
	proc_exit(net_proc);
}

/* The process ends: all its endpoints are closed. */
TEST_FN void prog_exit(void)
{
	st_thread(prog_exit_func, NULL);
	net_proc = NULL;
	machine_run_ready();
}

/* One TPI exchange: control (and data) down, control up into ans; the prim that came, -1 when nothing did. */
typedef struct tpi {
	int64_t t_fd;
	uchar_t t_ctl[512];
	int t_ctllen;
	const char *t_data;
	uchar_t t_ans[512];
	int t_anslen;
	char t_ansdata[4096];
	int t_ansdatalen;
	int t_prim;
} tpi_t;

TEST_FN void tpi_get(tpi_t *t)
{
	struct strbuf c = {.maxlen = sizeof(t->t_ans), .buf = (char *)t->t_ans};
	struct strbuf d = {.maxlen = sizeof(t->t_ansdata), .buf = t->t_ansdata};
	int flags = 0;

	t->t_prim = -1;
	t->t_anslen = t->t_ansdatalen = -1;
	if (U_GETMSG(t->t_fd, &c, &d, &flags) < 0)
		return;
	t->t_anslen = c.len;
	t->t_ansdatalen = d.len;
	if (c.len >= 4)
		t->t_prim = *(int *)t->t_ans;
}

TEST_FN void tpi_put(tpi_t *t)
{
	struct strbuf c = {.len = t->t_ctllen, .buf = (char *)t->t_ctl};
	struct strbuf d = {.len = t->t_data != NULL ? (int)strlen(t->t_data) : -1, .buf = (char *)(uintptr_t)t->t_data};

	OK(U_PUTMSG(t->t_fd, t->t_ctllen != 0 ? &c : NULL, t->t_data != NULL ? &d : NULL, 0), 0);
}

TEST_FN void tpi_do_put(void *arg)
{
	tpi_put(arg);
}

TEST_FN void tpi_do_get(void *arg)
{
	tpi_get(arg);
}

TEST_FN void tpi_do_exchange(void *arg)
{
	tpi_put(arg);
	tpi_get(arg);
}

TEST_FN void tpi_do_open(void *arg)
{
	tpi_t *t = arg;

	t->t_fd = U_OPEN("/dev/udp", O_RDWR | O_NONBLOCK);
	cr_assert_geq(t->t_fd, 0, "open: %s", st_error(user_errno()));
}

TEST_FN void tpi_do_close(void *arg)
{
	OK(U_CLOSE(((tpi_t *)arg)->t_fd), 0);
}

TEST_FN tpi_t *udp_ep_open(void)
{
	static tpi_t pool[64];
	static int next;
	tpi_t *t = &pool[next++ % 64];

	memset(t, 0, sizeof(*t));
	prog(tpi_do_open, t);
	return t;
}

/* A request of struct `len' bytes with a socket address after it, whose place and length go to the fields given. */
TEST_FN void tpi_addr(tpi_t *t, size_t len, int prim, ipaddr_t addr, uint_t port)
{
	struct sockaddr_in sin = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {addr}};

	memset(t->t_ctl, 0, sizeof(t->t_ctl));
	((int *)(void *)t->t_ctl)[0] = prim;
	((int *)(void *)t->t_ctl)[1] = sizeof(sin);
	((int *)(void *)t->t_ctl)[2] = (int)len;
	memcpy(t->t_ctl + len, &sin, sizeof(sin));
	t->t_ctllen = (int)(len + sizeof(sin));
	t->t_data = NULL;
}

/* T_BIND_REQ: the primitive it was answered with. */
TEST_FN int udp_ep_bind(tpi_t *t, ipaddr_t addr, uint_t port)
{
	tpi_addr(t, sizeof(struct T_bind_req), T_BIND_REQ, addr, port);
	prog(tpi_do_exchange, t);
	return t->t_prim;
}

TEST_FN int udp_ep_connect(tpi_t *t, ipaddr_t addr, uint_t port)
{
	tpi_addr(t, sizeof(struct T_conn_req), T_CONN_REQ, addr, port);
	prog(tpi_do_exchange, t);
	return t->t_prim;
}

TEST_FN int udp_ep_simple(tpi_t *t, int prim)
{
	memset(t->t_ctl, 0, sizeof(t->t_ctl));
	((int *)(void *)t->t_ctl)[0] = prim;
	t->t_ctllen = sizeof(struct T_discon_req);
	t->t_data = NULL;
	prog(tpi_do_exchange, t);
	return t->t_prim;
}

TEST_FN void udp_ep_send(tpi_t *t, ipaddr_t addr, uint_t port, const char *text)
{
	tpi_addr(t, sizeof(struct T_unitdata_req), T_UNITDATA_REQ, addr, port);
	t->t_data = text;
	prog(tpi_do_put, t);
}

/* The next message of the stream: its primitive, -1 when there is none. */
TEST_FN int udp_ep_get(tpi_t *t)
{
	prog(tpi_do_get, t);
	return t->t_prim;
}

/* setsockopt */
TEST_FN int udp_ep_opt(tpi_t *t, uint_t level, uint_t name, const void *val, size_t len)
{
	struct T_optmgmt_req req = {T_SVR4_OPTMGMT_REQ, (int)(sizeof(struct opthdr) + OPTLEN(len)), sizeof(req),
				    T_NEGOTIATE};
	struct opthdr oh = {level, name, (t_uscalar_t)len};

	memset(t->t_ctl, 0, sizeof(t->t_ctl));
	memcpy(t->t_ctl, &req, sizeof(req));
	memcpy(t->t_ctl + sizeof(req), &oh, sizeof(oh));
	memcpy(t->t_ctl + sizeof(req) + sizeof(oh), val, len);
	t->t_ctllen = (int)(sizeof(req) + sizeof(oh) + OPTLEN(len));
	t->t_data = NULL;
	prog(tpi_do_exchange, t);
	return t->t_prim;
}

TEST_FN void udp_ep_close(tpi_t *t)
{
	prog(tpi_do_close, t);
}

#endif
