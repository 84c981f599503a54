/* Sockets over the model's own TCP and UDP, on the loopback of one host. */
#include "nettest.h"
#include "ip/tcp.h"
#include "sys/poll.h"
#include "sys/signal.h"
#include "sys/socketvar.h"

NET_SUITE(sockinet);

#define LOOP IP4(127, 0, 0, 1)
#define ARG6(a, b, c, d, e, f, ...)                                                                     \
	(int64_t)(intptr_t)(a), (int64_t)(intptr_t)(b), (int64_t)(intptr_t)(c), (int64_t)(intptr_t)(d), \
	    (int64_t)(intptr_t)(e), (int64_t)(intptr_t)(f)
#define CALL(name, ...) ((int)user_syscall(SYS_##name, ARG6(__VA_ARGS__, 0, 0, 0, 0, 0, 0)))
#undef FAILS
#define FAILS(err, ...)                                                    \
	do {                                                               \
		cr_assert_eq(CALL(__VA_ARGS__), -1);                       \
		cr_assert_eq(user_errno(), err, "errno %d", user_errno()); \
	} while (0)

static proc_t *proc;
static bool finished;
static int urgent;
static void tell(proc_t *p, int sig)
{
	(void)p;
	urgent += sig == SIGURG;
}
static void (*body)(void);
static void run_body(void *arg)
{
	(void)arg;
	body();
	finished = true;
}
static void program(void (*code)(void))
{
	proc = proc_create(NULL, 0, "test");
	proc->p_sighandler = tell;
	proc->p_caught = SIGBIT(SIGPIPE) | SIGBIT(SIGURG);
	body = code;
	lwp_create(proc, run_body, NULL);
	machine_run(machine_now() + 20 * 1000000000LL);
	proc_exit(proc);
	machine_run(machine_now() + 600 * 1000000000LL);
}

static struct sockaddr_in sin_of(ipaddr_t addr, in_port_t port)
{
	struct sockaddr_in sin = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {addr}};

	return sin;
}
static int sock(int type)
{
	int fd = CALL(so_socket, AF_INET, type, 0, 0, SOV_DEFAULT);

	cr_assert_geq(fd, 0, "errno %d", user_errno());
	return fd;
}
static int name_call(int num, int fd, ipaddr_t addr, in_port_t port)
{
	struct sockaddr_in sin = sin_of(addr, port);

	return (int)user_syscall(num, fd, (int64_t)(intptr_t)&sin, sizeof(sin), 0, 0, 0);
}
static int listener(in_port_t port)
{
	int fd = sock(SOCK_STREAM);

	cr_assert_eq(name_call(SYS_bind, fd, 0, port), 0);
	cr_assert_eq(CALL(listen, fd, 5), 0, "errno %d", user_errno());
	return fd;
}
static void connected(ipaddr_t addr, int fds[2])
{
	int l = listener(80);

	fds[0] = sock(SOCK_STREAM);
	cr_assert_eq(name_call(SYS_connect, fds[0], addr, 80), 0, "errno %d", user_errno());
	fds[1] = CALL(accept, l, NULL, NULL);
	cr_assert_geq(fds[1], 0, "errno %d", user_errno());
	cr_assert_eq(CALL(close, l), 0);
}
static sonode_t *so_of(int fd)
{
	return VTOSO(proc->p_fd[fd]->f_vnode);
}

static void talk(ipaddr_t addr)
{
	struct sockaddr_in a, b;
	socklen_t_ len = sizeof(a);
	int fds[2];
	char buf[64];

	connected(addr, fds);
	cr_assert_eq(CALL(write, fds[0], "question", 8), 8);
	cr_assert_eq(CALL(read, fds[1], buf, 64), 8);
	cr_assert_eq(memcmp(buf, "question", 8), 0);
	cr_assert_eq(CALL(write, fds[1], "answer", 6), 6);
	cr_assert_eq(CALL(read, fds[0], buf, 64), 6);
	cr_assert_eq(CALL(getsockname, fds[0], &a, &len), 0);
	cr_assert_eq(CALL(getpeername, fds[1], &b, &len), 0);
	cr_assert_eq(memcmp(&a, &b, sizeof(a)), 0, "both ends agree");
	cr_assert_eq(a.sin_addr.s_addr, addr);
	cr_assert_not_null(so_of(fds[1])->so_priv);
	cr_assert_eq(((tcp_t *)so_of(fds[1])->so_priv)->tcp_connp->conn_lport, htons(80));
	cr_assert_eq(CALL(shutdown, fds[0], SHUT_WR), 0);
	cr_assert_eq(CALL(read, fds[1], buf, 64), 0);
	cr_assert_eq(CALL(close, fds[1]), 0);
	cr_assert_eq(CALL(read, fds[0], buf, 64), 0);
	cr_assert_eq(CALL(close, fds[0]), 0);
}
static void loop_body(void)
{
	talk(LOOP);
}
static void own_body(void)
{
	talk(HOST);
}
Test(sockinet, a_conversation_over_loopback)
{
	program(loop_body);
	cr_assert(finished);
	cr_assert_eq(net_nsent, 0, "nothing left the host");
}
Test(sockinet, a_conversation_with_the_hosts_own_address)
{
	program(own_body);
	cr_assert(finished);
	cr_assert_eq(net_nsent, 0);
}

static void refused_body(void)
{
	int c = sock(SOCK_STREAM), err = 0;
	socklen_t_ len = sizeof(err);
	pollfd_t pfd = {sock(SOCK_STREAM), POLLOUT, 0};

	cr_assert_eq(name_call(SYS_connect, c, LOOP, 81), -1);
	cr_assert_eq(user_errno(), ECONNREFUSED, "errno %d", user_errno());
	cr_assert_eq(CALL(fcntl, pfd.fd, F_SETFL, FREAD | FWRITE | FNONBLOCK), 0);
	cr_assert_eq(name_call(SYS_connect, pfd.fd, PEER, 81), -1);
	cr_assert_eq(user_errno(), EINPROGRESS);
	cr_assert_eq(CALL(poll, &pfd, 1, 100), 0, "the peer is silent");
	cr_assert_eq(CALL(getsockopt, pfd.fd, SOL_SOCKET, SO_ERROR, &err, &len), 0);
	cr_assert_eq(err, 0);
}
Test(sockinet, refused_and_silent_peers)
{
	program(refused_body);
	cr_assert(finished);
	cr_assert_geq(net_nsent, 1, "a SYN to the peer");
}

static int pair[2];
static char in[500000], out[500000];
static size_t got;
static void reader(void *arg)
{
	int n;

	(void)arg;
	while ((n = CALL(read, pair[1], in + got, 3000)) > 0)
		got += (size_t)n;
}
static void bulk_body(void)
{
	pollfd_t pfd = {-1, 0, 0};

	for (size_t i = 0; i < sizeof(out); i++)
		out[i] = (char)(i * 13 + i / 251);
	connected(LOOP, pair);
	lwp_create(proc, reader, NULL);
	cr_assert_eq(CALL(write, pair[0], out, sizeof(out)), (int)sizeof(out));
	cr_assert_eq(CALL(shutdown, pair[0], SHUT_WR), 0);
	cr_assert_eq(CALL(poll, &pfd, 1, 5000), 0);
	cr_assert_eq(got, sizeof(out));
	cr_assert_eq(memcmp(in, out, sizeof(out)), 0);
}
Test(sockinet, half_a_megabyte_arrives_whole)
{
	program(bulk_body);
	cr_assert(finished);
}

static void urgent_body(void)
{
	int fds[2];
	char buf[16];

	connected(LOOP, fds);
	so_of(fds[1])->so_pgrp = proc->p_pid;
	cr_assert_eq(CALL(write, fds[0], "abc", 3), 3);
	cr_assert_eq(CALL(send, fds[0], "!", 1, MSG_OOB), 1);
	cr_assert_eq(CALL(write, fds[0], "def", 3), 3);
	cr_assert_eq(CALL(recv, fds[1], buf, 16, 0), 3);
	cr_assert_eq(memcmp(buf, "abc", 3), 0);
	cr_assert_eq(CALL(recv, fds[1], buf, 1, MSG_OOB), 1);
	cr_assert_eq(buf[0], '!');
	cr_assert_eq(CALL(recv, fds[1], buf, 16, 0), 3);
	cr_assert_eq(memcmp(buf, "def", 3), 0);
	cr_assert_geq(urgent, 1);
}
Test(sockinet, urgent_data_over_tcp)
{
	program(urgent_body);
	cr_assert(finished);
}

static void abort_body(void)
{
	struct linger lin = {1, 0};
	int fds[2];
	char buf[4];

	connected(LOOP, fds);
	cr_assert_eq(CALL(setsockopt, fds[0], SOL_SOCKET, SO_LINGER, &lin, sizeof(lin)), 0);
	cr_assert_eq(CALL(close, fds[0]), 0);
	FAILS(ECONNRESET, read, fds[1], buf, 4);
	cr_assert_eq(CALL(read, fds[1], buf, 4), 0);
	FAILS(EPIPE, write, fds[1], "x", 1);
}
Test(sockinet, closing_with_linger_0_resets)
{
	program(abort_body);
	cr_assert(finished);
}

static void udp_body(void)
{
	int a = sock(SOCK_DGRAM), b = sock(SOCK_DGRAM);
	struct sockaddr_in to = sin_of(LOOP, 53), from;
	socklen_t_ len = sizeof(from);
	char buf[16];

	cr_assert_eq(name_call(SYS_bind, b, 0, 53), 0);
	cr_assert_eq(CALL(sendto, a, "one", 3, 0, &to, sizeof(to)), 3);
	cr_assert_eq(CALL(recvfrom, b, buf, 16, 0, &from, &len), 3);
	cr_assert_eq(from.sin_addr.s_addr, LOOP);
	cr_assert_eq(CALL(connect, b, &from, len), 0, "errno %d", user_errno());
	cr_assert_eq(CALL(write, b, "back", 4), 4);
	cr_assert_eq(CALL(read, a, buf, 16), 4);
	FAILS(EMSGSIZE, sendto, a, out, 65508, 0, &to, sizeof(to));
	cr_assert_eq(CALL(sendto, a, out, 65507, 0, &to, sizeof(to)), 65507);
}
Test(sockinet, datagrams_over_udp)
{
	program(udp_body);
	cr_assert(finished);
}

static void options_body(void)
{
	int fd = sock(SOCK_STREAM), val = 100000;
	socklen_t_ len = sizeof(val);

	cr_assert_eq(CALL(setsockopt, fd, SOL_SOCKET, SO_RCVBUF, &val, sizeof(val)), 0);
	val = 0;
	cr_assert_eq(CALL(getsockopt, fd, SOL_SOCKET, SO_RCVBUF, &val, &len), 0);
	cr_assert_geq(val, 100000);
	val = 1;
	cr_assert_eq(CALL(setsockopt, fd, IPPROTO_TCP, 1, &val, sizeof(val)), 0, "TCP_NODELAY");
	cr_assert_eq(CALL(setsockopt, fd, SOL_SOCKET, SO_REUSEADDR, &val, sizeof(val)), 0);
	cr_assert_eq(CALL(getsockopt, fd, SOL_SOCKET, SO_REUSEADDR, &val, &len), 0);
	cr_assert_neq(val, 0);
	FAILS(ENOPROTOOPT, setsockopt, fd, IPPROTO_TCP, 99, &val, sizeof(val));
}
Test(sockinet, options_reach_tcp)
{
	program(options_body);
	cr_assert(finished);
}
