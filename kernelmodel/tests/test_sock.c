/* Sockets over a loopback transport: calls, states, errors, data, what leaks. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include "looptpi.h"
#include "sys/filio.h"
#include "sys/poll.h"

static void setup(void)
{
	machine_init(0);
}
static void teardown(void)
{
	size_t bytes, objects, mblks, dblks;

	machine_fini();
	kmem_alive(&bytes, &objects);
	str_alive(&mblks, &dblks);
	if (bytes != 0 || objects != 0 || mblks != 0 || dblks != 0)
		abort(); /* a failed assertion would not count here */
}
TestSuite(sock, .init = setup, .fini = teardown);

#define MS 1000000LL
#define ARG6(a, b, c, d, e, f, ...)                                                                     \
	(int64_t)(intptr_t)(a), (int64_t)(intptr_t)(b), (int64_t)(intptr_t)(c), (int64_t)(intptr_t)(d), \
	    (int64_t)(intptr_t)(e), (int64_t)(intptr_t)(f)
#define SYS(name, ...) ((int)user_syscall(SYS_##name, ARG6(__VA_ARGS__, 0, 0, 0, 0, 0, 0)))
/* A call that must fail with this error. */
#define FAILS(err, ...)                                                    \
	do {                                                               \
		cr_assert_eq(SYS(__VA_ARGS__), -1);                        \
		cr_assert_eq(user_errno(), err, "errno %d", user_errno()); \
	} while (0)

static proc_t *proc;
static bool finished;
static void (*body)(void);
static void run_body(void *arg)
{
	(void)arg;
	body();
	finished = true;
}
static void tell(proc_t *p, int sig);
/* Run code as a program, for a second of virtual time. */
static void program(void (*code)(void))
{
	proc = proc_create(NULL, 0, "test");
	proc->p_sighandler = tell;
	proc->p_caught = SIGBIT(SIGPIPE) | SIGBIT(SIGURG) | SIGBIT(SIGALRM);
	body = code;
	finished = false;
	lwp_create(proc, run_body, NULL);
	machine_run(machine_now() + 1000 * MS);
}
static int told[64];
static void tell(proc_t *p, int sig)
{
	(void)p;
	told[sig]++;
}

static int tcp_socket(void)
{
	int fd = SYS(so_socket, AF_INET, SOCK_STREAM, 0, 0, SOV_DEFAULT);

	cr_assert_geq(fd, 0);
	return fd;
}
static int udp_socket(void)
{
	int fd = SYS(so_socket, AF_INET, SOCK_DGRAM, IPPROTO_UDP, 0, SOV_DEFAULT);

	cr_assert_geq(fd, 0);
	return fd;
}
static sonode_t *so_of(int fd)
{
	return VTOSO(proc->p_fd[fd]->f_vnode);
}
static void nonblock(int fd)
{
	cr_assert_eq(SYS(fcntl, fd, F_SETFL, FREAD | FWRITE | FNONBLOCK), 0);
}
static int bindto(int fd, in_port_t port)
{
	struct sockaddr_in sin = lt_sin(port);

	return SYS(bind, fd, &sin, sizeof(sin));
}
static int connectto(int fd, in_port_t port)
{
	struct sockaddr_in sin = lt_sin(port);

	return SYS(connect, fd, &sin, sizeof(sin));
}
static int listener(in_port_t port)
{
	int fd = tcp_socket();

	cr_assert_eq(bindto(fd, port), 0);
	cr_assert_eq(SYS(listen, fd, 5), 0);
	return fd;
}
/* A connected pair: fds[0] is the client. */
static void connected(int fds[2])
{
	int l = listener(80);

	fds[0] = tcp_socket();
	cr_assert_eq(connectto(fds[0], 80), 0);
	fds[1] = SYS(accept, l, NULL, NULL);
	cr_assert_geq(fds[1], 0);
	cr_assert_eq(SYS(close, l), 0);
}
static short poll1(int fd, short events)
{
	pollfd_t pfd = {fd, events, 0};

	cr_assert_geq(SYS(poll, &pfd, 1, 0), 0);
	return pfd.revents;
}

/* ---- creation ---- */

static void create_body(void)
{
	int fd = tcp_socket(), udp = udp_socket();
	sonode_t *so = so_of(fd);

	cr_assert_eq(so->so_mode, SM_CONNREQUIRED | SM_BYTESTREAM | SM_EXDATA | SM_ACCEPTOR_ID);
	cr_assert_eq(so->so_serv_type, T_COTS_ORD);
	cr_assert_eq(so->so_state, SS_DIRECT);
	cr_assert_eq(so_of(udp)->so_state, 0);
	cr_assert_eq(so_of(udp)->so_mode, SM_ATOMIC | SM_ADDR | SM_ACCEPTOR_ID);
	FAILS(EAFNOSUPPORT, so_socket, 77, SOCK_STREAM, 0, 0, SOV_DEFAULT);
	FAILS(EPROTOTYPE, so_socket, AF_INET, SOCK_SEQPACKET, 0, 0, SOV_DEFAULT);
	FAILS(EPROTONOSUPPORT, so_socket, AF_INET, SOCK_STREAM, IPPROTO_UDP, 0, SOV_DEFAULT);
	cr_assert_eq(SYS(close, fd), 0);
	FAILS(EBADF, bind, fd, NULL, 0);
	FAILS(EBADF, listen, fd, 1);
	FAILS(EBADF, send, fd, "x", 1, 0);
	FAILS(EBADF, recv, fd, "x", 1, 0);
}
Test(sock, sockets_are_created_by_family_type_and_protocol)
{
	program(create_body);
	cr_assert(finished);
}

static void notsock_body(void)
{
	int fd = SYS(open, "/dev/tcp", O_RDWR);

	cr_assert_geq(fd, 0);
	FAILS(ENOTSOCK, listen, fd, 1);
	FAILS(ENOTSOCK, getsockname, fd, NULL, NULL);
	FAILS(ENOTSOCK, send, fd, "x", 1, 0);
}
Test(sock, a_device_is_not_a_socket)
{
	program(notsock_body);
	cr_assert(finished);
}

/* Memory that fails anywhere in making a socket leaves nothing behind (teardown looks) and gives an error. */
static void nomem_body(void)
{
	int succeeded = 0;

	for (long n = 1; n < 60; n++) {
		int fd;

		kmem_fail_nth(n);
		fd = SYS(so_socket, AF_INET, SOCK_STREAM, 0, 0, SOV_DEFAULT);
		kmem_fail_nth(0);
		if (fd >= 0) {
			succeeded++;
			cr_assert_eq(SYS(close, fd), 0);
		}
	}
	cr_assert_gt(succeeded, 0);
	allocb_fail_nth(1);
	FAILS(ENOBUFS, so_socket, AF_INET, SOCK_STREAM, 0, 0, SOV_DEFAULT);
	allocb_fail_nth(0);
}
Test(sock, no_memory)
{
	program(nomem_body);
	cr_assert(finished);
}

/* ---- bind, names ---- */

static void bind_body(void)
{
	struct sockaddr_in sin = lt_sin(80), got;
	socklen_t_ len = sizeof(got);
	int a = tcp_socket(), b = tcp_socket();

	FAILS(EINVAL, bind, a, &sin, 15);
	FAILS(EFAULT, bind, a, (void *)16, sizeof(sin));
	sin.sin_family = AF_UNIX;
	FAILS(EAFNOSUPPORT, bind, a, &sin, sizeof(sin));
	sin.sin_family = AF_INET;
	cr_assert_eq(bindto(a, 80), 0);
	cr_assert(so_of(a)->so_state & SS_ISBOUND);
	FAILS(EINVAL, bind, a, &sin, sizeof(sin));
	cr_assert_eq(bindto(b, 80), -1);
	cr_assert_eq(user_errno(), EADDRINUSE);
	cr_assert_eq(bindto(b, 0), 0);
	cr_assert_eq(SYS(getsockname, b, &got, &len), 0);
	cr_assert_eq(len, 16);
	cr_assert_eq(got.sin_family, AF_INET);
	cr_assert_eq(got.sin_port, lt_sin(40000).sin_port, "the one the transport chose");
	len = 4;
	cr_assert_eq(SYS(getsockname, a, &got, &len), 0);
	cr_assert_eq(len, 16, "the whole length, though 4 bytes were written");
	FAILS(ENOTCONN, getpeername, a, &got, &len);
}
Test(sock, bind_and_getsockname)
{
	program(bind_body);
	cr_assert(finished);
}

/* ---- connect, accept ---- */

static void connect_body(void)
{
	struct sockaddr_in sin, peer;
	socklen_t_ len = sizeof(sin);
	int l = listener(80), c = tcp_socket(), s;

	cr_assert(so_of(l)->so_state & SS_ACCEPTCONN);
	cr_assert_eq(connectto(c, 80), 0);
	cr_assert_eq(poll1(l, POLLIN), POLLIN);
	s = SYS(accept, l, &sin, &len);
	cr_assert_geq(s, 0);
	cr_assert_eq(so_of(s)->so_state & (SS_ISCONNECTED | SS_ISBOUND), SS_ISCONNECTED | SS_ISBOUND);
	cr_assert_not_null(so_of(s)->so_priv, "what the transport showed in T_CONN_IND");
	cr_assert_eq(sin.sin_port, lt_sin(40000).sin_port, "the client's port");
	cr_assert_eq(poll1(l, POLLIN), 0);
	len = sizeof(peer);
	cr_assert_eq(SYS(getpeername, s, &peer, &len), 0);
	cr_assert_eq(memcmp(&peer, &sin, sizeof(sin)), 0);
	cr_assert_eq(SYS(getsockname, s, &peer, &len), 0);
	cr_assert_eq(peer.sin_port, lt_sin(80).sin_port);
	cr_assert_eq(SYS(getsockname, c, &peer, &len), 0);
	cr_assert_eq(peer.sin_port, lt_sin(40000).sin_port, "asked of the transport after an implicit bind");
	cr_assert_eq(connectto(c, 80), -1);
	cr_assert_eq(user_errno(), EISCONN);
	cr_assert_eq(connectto(l, 80), -1);
	cr_assert_eq(user_errno(), EOPNOTSUPP);
	FAILS(EINVAL, listen, c, 1);
	FAILS(EINVAL, accept, c, NULL, NULL);
	cr_assert_eq(SYS(listen, l, 9), 0, "again is fine");
}
Test(sock, connect_and_accept)
{
	program(connect_body);
	cr_assert(finished);
}

static void refused_body(void)
{
	int c = tcp_socket(), err = -1;
	socklen_t_ len = sizeof(err);

	cr_assert_eq(connectto(c, 81), -1);
	cr_assert_eq(user_errno(), ECONNREFUSED);
	cr_assert_eq(so_of(c)->so_state & (SS_ISCONNECTED | SS_ISCONNECTING), 0);
	cr_assert_eq(SYS(getsockopt, c, SOL_SOCKET, SO_ERROR, &err, &len), 0);
	cr_assert_eq(err, 0, "connect told it already");
	listener(81);
	cr_assert_eq(connectto(c, 81), 0, "it may try again");
}
Test(sock, a_refused_connection_is_told_once)
{
	program(refused_body);
	cr_assert(finished);
}

static void nbconnect_body(void)
{
	int c = tcp_socket(), err = -1;
	socklen_t_ len = sizeof(err);

	nonblock(c);
	cr_assert_eq(connectto(c, 9999), -1);
	cr_assert_eq(user_errno(), EINPROGRESS);
	cr_assert_eq(connectto(c, 9999), -1);
	cr_assert_eq(user_errno(), EALREADY);
	cr_assert_eq(poll1(c, POLLIN | POLLOUT), 0, "not writable while connecting");
	FAILS(ENOTCONN, write, c, "x", 1);
	FAILS(ENOTCONN, read, c, &err, 1);
	/* the answer comes: no */
	lt_discon(((ep_t *)(so_of(c)->so_vnode->v_stream->sd_wrq->q_next->q_ptr)), ETIMEDOUT, -1);
	cr_assert(poll1(c, POLLOUT) & POLLERR);
	cr_assert_eq(SYS(getsockopt, c, SOL_SOCKET, SO_ERROR, &err, &len), 0);
	cr_assert_eq(err, ETIMEDOUT);
	cr_assert_eq(poll1(c, POLLOUT) & POLLERR, 0);
}
Test(sock, connecting_without_waiting)
{
	program(nbconnect_body);
	cr_assert(finished);
}

static void interrupted_body(void)
{
	int c = tcp_socket();

	cr_assert_eq(connectto(c, 9999), -1);
	cr_assert_eq(user_errno(), EINTR);
}
Test(sock, a_signal_interrupts_connect)
{
	program(interrupted_body);
	cr_assert(!finished);
	psignal(proc, SIGALRM);
	machine_run_ready();
	cr_assert(finished);
}

static void accept_body(void)
{
	int l = listener(80), c[3];

	nonblock(l);
	FAILS(EWOULDBLOCK, accept, l, NULL, NULL);
	for (int i = 0; i < 3; i++) {
		c[i] = tcp_socket();
		cr_assert_eq(connectto(c[i], 80), 0);
	}
	cr_assert_eq(SYS(close, c[0]), 0); /* its connection goes away again */
	for (int i = 1; i < 3; i++) {
		int s = SYS(accept, l, NULL, NULL);
		char b;

		cr_assert_geq(s, 0);
		cr_assert_eq(SYS(write, c[i], i == 1 ? "1" : "2", 1), 1);
		cr_assert_eq(SYS(read, s, &b, 1), 1);
		cr_assert_eq(b, '0' + i, "in the order they came");
	}
	FAILS(EWOULDBLOCK, accept, l, NULL, NULL);
	c[0] = tcp_socket();
	cr_assert_eq(connectto(c[0], 80), 0);
	accept_failures = 1;
	FAILS(ECONNABORTED, accept, l, NULL, NULL);
	accept_failures = 0;
}
Test(sock, accept_in_order_and_its_refusals)
{
	program(accept_body);
	cr_assert(finished);
}

/* ---- data ---- */

static void data_body(void)
{
	int fds[2];
	char buf[64] = {0};

	connected(fds);
	cr_assert_eq(SYS(write, fds[0], "hello ", 6), 6);
	cr_assert_eq(SYS(send, fds[0], "world", 5, 0), 5);
	cr_assert_eq(poll1(fds[1], POLLIN | POLLOUT), POLLIN | POLLOUT);
	cr_assert_eq(SYS(recv, fds[1], buf, 4, MSG_PEEK), 4);
	cr_assert_eq(memcmp(buf, "hell", 4), 0);
	cr_assert_eq(SYS(read, fds[1], buf, 3), 3);
	cr_assert_eq(memcmp(buf, "hel", 3), 0);
	cr_assert_eq(SYS(read, fds[1], buf, sizeof(buf)), 8, "all that is there");
	cr_assert_eq(memcmp(buf, "lo world", 8), 0);
	nonblock(fds[1]);
	FAILS(EWOULDBLOCK, read, fds[1], buf, 1);
	cr_assert_eq(SYS(read, fds[1], buf, 0), 0);
	cr_assert_eq(SYS(write, fds[1], "back", 4), 4);
	cr_assert_eq(SYS(recvfrom, fds[0], buf, 64, 0, NULL, NULL), 4);
	cr_assert_eq(SYS(write, fds[0], "", 0), 0);
	cr_assert_eq(poll1(fds[1], POLLIN), 0, "no bytes are no message");
	FAILS(EFAULT, write, fds[0], (void *)8, 5);
	FAILS(EISCONN, sendto, fds[0], "x", 1, 0, &(struct sockaddr_in){.sin_family = AF_INET}, 16);
}
Test(sock, bytes_flow_both_ways)
{
	program(data_body);
	cr_assert(finished);
}

static int pair[2];
static char got[300000];
static ssize_t gotlen;
static void slow_reader(void *arg)
{
	int n;

	(void)arg;
	while ((n = SYS(read, pair[1], got + gotlen, 1000)) > 0)
		gotlen += n;
	cr_assert_eq(n, 0);
}
static void flow_body(void)
{
	static char out[200000];

	for (size_t i = 0; i < sizeof(out); i++)
		out[i] = (char)(i * 7 + i / 256);
	connected(pair);
	nonblock(pair[0]);
	for (ssize_t sent = 0;;) { /* fills up */
		int n = SYS(write, pair[0], out + sent, 50000);
		if (n < 0) {
			cr_assert_eq(user_errno(), EWOULDBLOCK);
			cr_assert_eq(poll1(pair[0], POLLOUT), 0);
			gotlen = -sent;
			break;
		}
		sent += n;
		cr_assert_lt(sent, 200000, "flow control never stopped it");
	}
	ssize_t sent = -gotlen;
	gotlen = 0;
	cr_assert_eq(SYS(fcntl, pair[0], F_SETFL, FREAD | FWRITE), 0);
	lwp_create(proc, slow_reader, NULL);
	cr_assert_eq(SYS(write, pair[0], out + sent, sizeof(out) - (size_t)sent), (int)(sizeof(out) - (size_t)sent));
	cr_assert_eq(SYS(shutdown, pair[0], SHUT_WR), 0);
	struct {
		int64_t s, ns;
	} ts = {0, 100 * MS};
	cr_assert_eq(SYS(nanosleep, &ts, NULL), 0);
	cr_assert_eq(gotlen, (ssize_t)sizeof(out));
	cr_assert_eq(memcmp(got, out, sizeof(out)), 0);
}
Test(sock, a_slow_reader_stops_the_writer_and_lets_it_go_on)
{
	program(flow_body);
	cr_assert(finished);
}

static void vec_body(void)
{
	int fds[2];
	char a[3], b[10];
	iovec_t out[2] = {{"abc", 3}, {"defg", 4}}, in[2] = {{a, 3}, {b, 10}};
	struct msghdr msg = {.msg_iov = out, .msg_iovlen = 2};

	connected(fds);
	cr_assert_eq(SYS(writev, fds[0], out, 2), 7);
	cr_assert_eq(SYS(readv, fds[1], in, 2), 7);
	cr_assert_eq(memcmp(a, "abc", 3), 0);
	cr_assert_eq(memcmp(b, "defg", 4), 0);
	cr_assert_eq(SYS(sendmsg, fds[0], &msg, 0), 7);
	msg.msg_iov = in;
	cr_assert_eq(SYS(recvmsg, fds[1], &msg, 0), 7);
	msg.msg_iovlen = 17;
	FAILS(EMSGSIZE, sendmsg, fds[0], &msg, 0);
	msg.msg_iovlen = 0;
	FAILS(EMSGSIZE, recvmsg, fds[0], &msg, 0);
}
Test(sock, vectors)
{
	program(vec_body);
	cr_assert(finished);
}

static void waitall_writer(void *arg)
{
	struct {
		int64_t s, ns;
	} ts = {0, 50 * MS};

	(void)arg;
	cr_assert_eq(SYS(write, pair[0], "abc", 3), 3);
	cr_assert_eq(SYS(nanosleep, &ts, NULL), 0);
	cr_assert_eq(SYS(write, pair[0], "defgh", 5), 5);
}
static void waitall_body(void)
{
	char buf[8];

	connected(pair);
	lwp_create(proc, waitall_writer, NULL);
	cr_assert_eq(SYS(recv, pair[1], buf, 6, MSG_WAITALL), 6);
	cr_assert_eq(memcmp(buf, "abcdef", 6), 0);
	cr_assert_eq(machine_now(), 50 * MS);
}
Test(sock, waitall_waits_for_all)
{
	program(waitall_body);
	cr_assert(finished);
}

/* ---- the end of a connection ---- */

static void shutdown_body(void)
{
	int fds[2];
	char b;

	connected(fds);
	FAILS(EINVAL, shutdown, fds[0], 3);
	cr_assert_eq(SYS(write, fds[0], "x", 1), 1);
	cr_assert_eq(SYS(shutdown, fds[0], SHUT_WR), 0);
	cr_assert_eq(SYS(shutdown, fds[0], SHUT_WR), 0);
	cr_assert_eq(SYS(read, fds[1], &b, 1), 1, "what was sent before");
	cr_assert_eq(SYS(read, fds[1], &b, 1), 0, "then the end");
	cr_assert_eq(SYS(read, fds[1], &b, 1), 0);
	cr_assert_eq(poll1(fds[1], POLLIN), POLLIN);
	FAILS(EPIPE, write, fds[0], "y", 1);
	FAILS(EPIPE, send, fds[0], "y", 1, 0);
	cr_assert_eq(told[SIGPIPE], 2);
	cr_assert_eq(SYS(write, fds[1], "z", 1), 1, "the other way is open");
	cr_assert_eq(SYS(read, fds[0], &b, 1), 1);
	cr_assert_eq(SYS(shutdown, fds[0], SHUT_RD), 0);
	cr_assert_eq(SYS(read, fds[0], &b, 1), 0);
	FAILS(ENOTCONN, shutdown, tcp_socket(), SHUT_WR);
}
Test(sock, shutdown_ends_one_direction)
{
	program(shutdown_body);
	cr_assert(finished);
}

static void reset_body(void)
{
	int fds[2];
	char b;

	connected(fds);
	cr_assert_eq(SYS(close, fds[1]), 0);
	cr_assert_eq(SYS(read, fds[0], &b, 1), 0);
	cr_assert_eq(SYS(write, fds[0], "x", 1), 1, "learns it only by the answer");
	FAILS(EPIPE, write, fds[0], "x", 1);
	cr_assert_eq(told[SIGPIPE], 1);
	FAILS(ECONNRESET, read, fds[0], &b, 1);
	cr_assert_eq(SYS(read, fds[0], &b, 1), 0);
	cr_assert(poll1(fds[0], POLLIN) & POLLHUP);
	FAILS(ENOTCONN, getpeername, fds[0], NULL, NULL);
}
Test(sock, writing_to_a_closed_peer)
{
	program(reset_body);
	cr_assert(finished);
}

static void blocked_reader_body(void)
{
	char b;

	connected(pair);
	FAILS(ECONNRESET, read, pair[0], &b, 1);
}
Test(sock, a_reset_wakes_a_reader)
{
	program(blocked_reader_body);
	cr_assert(!finished);
	lt_discon(so_of(pair[0])->so_vnode->v_stream->sd_wrq->q_next->q_ptr, ECONNRESET, -1);
	machine_run_ready();
	cr_assert(finished);
}

static void blocked_writer_body(void)
{
	static char out[300000];

	connected(pair);
	FAILS(ETIMEDOUT, write, pair[0], out, sizeof(out));
	FAILS(EPIPE, write, pair[0], out, 1);
}
Test(sock, an_error_wakes_a_writer)
{
	program(blocked_writer_body);
	cr_assert(!finished);
	lt_discon(so_of(pair[0])->so_vnode->v_stream->sd_wrq->q_next->q_ptr, ETIMEDOUT, -1);
	machine_run_ready();
	cr_assert(finished);
}

/* ---- datagrams ---- */

static void dgram_body(void)
{
	int a = udp_socket(), b = udp_socket();
	struct sockaddr_in sin = lt_sin(53), from;
	socklen_t_ len = sizeof(from);
	char buf[16];
	iovec_t iov = {buf, 4};
	struct msghdr msg = {.msg_name = &from, .msg_namelen = sizeof(from), .msg_iov = &iov, .msg_iovlen = 1};

	cr_assert_eq(bindto(b, 53), 0);
	FAILS(EDESTADDRREQ, write, a, "x", 1);
	FAILS(EDESTADDRREQ, send, a, "x", 1, 0);
	FAILS(EOPNOTSUPP, listen, a, 1);
	FAILS(EINVAL, sendto, a, "x", 1, 0, &sin, 8);
	FAILS(EMSGSIZE, sendto, a, got, 65508, 0, &sin, sizeof(sin));
	cr_assert_eq(SYS(sendto, a, "one", 3, 0, &sin, sizeof(sin)), 3, "binds itself");
	cr_assert_eq(SYS(sendto, a, "", 0, 0, &sin, sizeof(sin)), 0);
	cr_assert_eq(SYS(sendto, a, "two34", 5, 0, &sin, sizeof(sin)), 5);
	cr_assert_eq(SYS(recvfrom, b, buf, 16, MSG_PEEK, &from, &len), 3);
	cr_assert_eq(SYS(recvfrom, b, buf, 16, 0, &from, &len), 3, "one message each");
	cr_assert_eq(memcmp(buf, "one", 3), 0);
	cr_assert_eq(len, 16);
	cr_assert_eq(from.sin_port, lt_sin(40000).sin_port);
	cr_assert_eq(SYS(recv, b, buf, 16, 0), 0, "an empty one");
	memset(&from, 0, sizeof(from));
	cr_assert_eq(SYS(recvmsg, b, &msg, 0), 4, "cut");
	cr_assert_eq(msg.msg_flags, MSG_TRUNC);
	cr_assert_eq(from.sin_port, lt_sin(40000).sin_port);
	nonblock(b);
	FAILS(EWOULDBLOCK, recv, b, buf, 16, 0);
}
Test(sock, datagrams)
{
	program(dgram_body);
	cr_assert(finished);
}

static void conndgram_body(void)
{
	int a = udp_socket(), b = udp_socket();
	struct sockaddr_in sin = lt_sin(53), unspec = {.sin_family = AF_UNSPEC};
	socklen_t_ len = sizeof(sin);
	char buf[16];

	cr_assert_eq(bindto(b, 53), 0);
	cr_assert_eq(connectto(a, 53), 0);
	cr_assert_eq(SYS(getpeername, a, &sin, &len), 0);
	cr_assert_eq(SYS(write, a, "abc", 3), 3);
	cr_assert_eq(SYS(send, a, "de", 2, 0), 2);
	FAILS(EISCONN, sendto, a, "x", 1, 0, &sin, sizeof(sin));
	cr_assert_eq(SYS(read, b, buf, 16), 3);
	cr_assert_eq(SYS(read, b, buf, 16), 2);
	cr_assert_eq(connectto(a, 54), 0, "another peer");
	cr_assert_eq(SYS(write, a, "lost", 4), 4);
	FAILS(ECONNREFUSED, write, a, "x", 1);
	cr_assert_eq(SYS(connect, a, &unspec, sizeof(unspec)), 0);
	FAILS(EDESTADDRREQ, write, a, "x", 1);
	FAILS(ENOTCONN, getpeername, a, &sin, &len);
	/* an error of another's datagram is not told to a socket without a peer */
	sin = lt_sin(54);
	cr_assert_eq(SYS(sendto, a, "x", 1, 0, &sin, sizeof(sin)), 1);
	cr_assert_eq(SYS(sendto, a, "x", 1, 0, &sin, sizeof(sin)), 1);
}
Test(sock, connected_datagram_sockets)
{
	program(conndgram_body);
	cr_assert(finished);
}

/* ---- urgent data ---- */

static void oob_body(void)
{
	int fds[2], mark = -1;
	char buf[16];

	connected(fds);
	so_of(fds[1])->so_pgrp = proc->p_pid;
	FAILS(EINVAL, recv, fds[1], buf, 1, MSG_OOB);
	cr_assert_eq(SYS(write, fds[0], "abc", 3), 3);
	cr_assert_eq(SYS(send, fds[0], "!", 1, MSG_OOB), 1);
	cr_assert_eq(told[SIGURG], 1);
	cr_assert_eq(SYS(write, fds[0], "def", 3), 3);
	cr_assert(poll1(fds[1], POLLPRI) & POLLPRI);
	cr_assert_eq(SYS(recv, fds[1], buf, 16, 0), 3, "stops before the mark");
	cr_assert_eq(memcmp(buf, "abc", 3), 0);
	cr_assert_eq(SYS(ioctl, fds[1], SIOCATMARK, &mark), 0);
	cr_assert_eq(mark, 1);
	cr_assert_eq(SYS(recv, fds[1], buf, 1, MSG_OOB | MSG_PEEK), 1);
	cr_assert_eq(SYS(recv, fds[1], buf, 1, MSG_OOB), 1);
	cr_assert_eq(buf[0], '!');
	FAILS(EINVAL, recv, fds[1], buf, 1, MSG_OOB);
	cr_assert_eq(SYS(recv, fds[1], buf, 16, 0), 3, "beyond it");
	cr_assert_eq(memcmp(buf, "def", 3), 0);
	cr_assert_eq(SYS(send, fds[0], "g", 1, 0), 1);
	cr_assert_eq(SYS(recv, fds[1], buf, 16, 0), 1);
	cr_assert_eq(SYS(ioctl, fds[1], SIOCATMARK, &mark), 0);
	cr_assert_eq(mark, 0);
	FAILS(EOPNOTSUPP, sendto, udp_socket(), "x", 1, MSG_OOB, &(struct sockaddr_in){.sin_family = AF_INET}, 16);
}
Test(sock, urgent_data_out_of_line)
{
	program(oob_body);
	cr_assert(finished);
}

static void inline_body(void)
{
	int fds[2], on = 1;
	char buf[16];

	connected(fds);
	cr_assert_eq(SYS(setsockopt, fds[1], SOL_SOCKET, SO_OOBINLINE, &on, sizeof(on)), 0);
	cr_assert_eq(SYS(write, fds[0], "abc", 3), 3);
	cr_assert_eq(SYS(send, fds[0], "!", 1, MSG_OOB), 1);
	cr_assert_eq(SYS(write, fds[0], "de", 2), 2);
	FAILS(EINVAL, recv, fds[1], buf, 1, MSG_OOB);
	cr_assert_eq(SYS(recv, fds[1], buf, 16, 0), 3);
	cr_assert_eq(SYS(recv, fds[1], buf, 16, 0), 3);
	cr_assert_eq(memcmp(buf, "!de", 3), 0);
}
Test(sock, urgent_data_in_line)
{
	program(inline_body);
	cr_assert(finished);
}

/* ---- options ---- */

static void options_body(void)
{
	int fd = tcp_socket(), val = 1;
	socklen_t_ len = sizeof(val);
	struct linger lin = {1, 5}, lin2 = {0, 0};

	cr_assert_eq(SYS(setsockopt, fd, IPPROTO_TCP, 1, &val, sizeof(val)), 0, "the transport's");
	val = 0;
	cr_assert_eq(SYS(getsockopt, fd, IPPROTO_TCP, 1, &val, &len), 0);
	cr_assert_eq(val, 1);
	FAILS(ENOPROTOOPT, setsockopt, fd, IPPROTO_TCP, 99, &val, sizeof(val));
	FAILS(ENOPROTOOPT, getsockopt, fd, IPPROTO_TCP, 99, &val, &len);
	cr_assert_eq(SYS(setsockopt, fd, SOL_SOCKET, SO_KEEPALIVE, &val, sizeof(val)), 0, "kept by the socket");
	cr_assert_eq(SYS(getsockopt, fd, SOL_SOCKET, SO_KEEPALIVE, &val, &len), 0);
	cr_assert_eq(val, SO_KEEPALIVE);
	val = 12345;
	cr_assert_eq(SYS(setsockopt, fd, SOL_SOCKET, SO_RCVBUF, &val, sizeof(val)), 0);
	val = 0;
	cr_assert_eq(SYS(getsockopt, fd, SOL_SOCKET, SO_RCVBUF, &val, &len), 0);
	cr_assert_eq(val, 12345);
	cr_assert_eq(SYS(getsockopt, fd, SOL_SOCKET, SO_TYPE, &val, &len), 0);
	cr_assert_eq(val, SOCK_STREAM);
	cr_assert_eq(SYS(setsockopt, fd, SOL_SOCKET, SO_LINGER, &lin, sizeof(lin)), 0);
	len = sizeof(lin2);
	cr_assert_eq(SYS(getsockopt, fd, SOL_SOCKET, SO_LINGER, &lin2, &len), 0);
	cr_assert_eq(lin2.l_linger, 5);
	FAILS(ENOPROTOOPT, setsockopt, fd, SOL_SOCKET, SO_TYPE, &val, sizeof(val));
	FAILS(EINVAL, setsockopt, fd, SOL_SOCKET, SO_REUSEADDR, &val, 2);
	FAILS(EINVAL, setsockopt, fd, SOL_SOCKET, SO_LINGER, &val, sizeof(val));
	FAILS(EFAULT, setsockopt, fd, SOL_SOCKET, SO_REUSEADDR, (void *)8, sizeof(val));
	len = 2;
	FAILS(EINVAL, getsockopt, fd, SOL_SOCKET, SO_ERROR, &val, &len);
}
Test(sock, options_of_socket_and_transport)
{
	program(options_body);
	cr_assert(finished);
}

static void adopt_body(void)
{
	int fd = tcp_socket(), val = 1;
	struct sockaddr_in sin;
	socklen_t_ len = sizeof(sin);

	cr_assert_eq(SYS(setsockopt, fd, IPPROTO_TCP, 0x7001, &val, sizeof(val)), 0);
	cr_assert(so_of(fd)->so_state & SS_ISCONNECTED);
	cr_assert_eq(SYS(getpeername, fd, &sin, &len), 0);
	cr_assert_eq(sin.sin_port, lt_sin(22).sin_port);
	cr_assert_eq(SYS(getsockname, fd, &sin, &len), 0);
	cr_assert_eq(sin.sin_port, lt_sin(11).sin_port);
}
Test(sock, an_option_that_connects_makes_a_connected_socket)
{
	program(adopt_body);
	cr_assert(finished);
}

/* ---- watching from outside, leaving everything open ---- */

static int upcalls;
static short upevents;
static void upcall(pollent_t *pe, short revents)
{
	(void)pe;
	upcalls++;
	upevents = revents;
}
static void outside_body(void)
{
	connected(pair);
}
static void outside_write(void)
{
	cr_assert_eq(SYS(write, pair[0], "x", 1), 1);
}
Test(sock, a_watcher_is_told_of_data_and_of_the_end)
{
	pollent_t pe = {.pl_events = POLLIN | POLLRDNORM, .pl_func = upcall};
	proc_t *p;

	program(outside_body);
	p = proc;
	cr_assert_eq(fd_pollent_attach(p, pair[1], &pe), 0);
	cr_assert_eq(upcalls, 0);
	body = outside_write;
	lwp_create(p, run_body, NULL);
	machine_run_ready();
	cr_assert_eq(upcalls, 1);
	cr_assert(upevents & POLLIN);
	socantrcvmore(so_of(pair[1]));
	cr_assert_geq(upcalls, 2);
	pollent_detach(&pe);
}

static uintptr_t frames[8];
static int nframes;
static int frame_spy(queue_t *q, mblk_t *mp)
{
	uintptr_t *fp = __builtin_frame_address(0);

	nframes = 0;
	for (; fp[0] != 0 && nframes < 8; fp = (uintptr_t *)fp[0])
		frames[nframes++] = fp[1];
	return lt_wput(q, mp);
}
static void frames_body(void)
{
	connected(pair);
	lt_winit.qi_putp = frame_spy;
	cr_assert_eq(SYS(write, pair[0], "x", 1), 1);
	lt_winit.qi_putp = lt_wput;
}
/* put < putnext < strput < strwrite < socktpi_write < fop_write < write < sys_sysenter */
Test(sock, a_write_has_the_frames_it_has_on_solaris)
{
	program(frames_body);
	cr_assert(finished);
	cr_assert_eq(nframes, 7);
	cr_assert(frames[0] > (uintptr_t)putnext && frames[0] < (uintptr_t)putnext + 4096);
	cr_assert(frames[1] > (uintptr_t)strput && frames[1] < (uintptr_t)strput + 4096);
	cr_assert(frames[2] > (uintptr_t)strwrite && frames[2] < (uintptr_t)strwrite + 4096);
	cr_assert(frames[3] > (uintptr_t)socktpi_vnodeops.vop_write);
	cr_assert(frames[4] > (uintptr_t)fop_write && frames[4] < (uintptr_t)fop_write + 256);
}

static void everything_open_body(void)
{
	int fds[2], l = listener(99), u = udp_socket();

	connected(fds);
	cr_assert_eq(SYS(write, fds[0], "unread", 6), 6);
	cr_assert_eq(connectto(tcp_socket(), 99), 0); /* never accepted */
	cr_assert_eq(bindto(u, 7), 0);
	cr_assert_geq(l, 0);
	struct sockaddr_in sin = lt_sin(7);
	cr_assert_eq(SYS(sendto, u, "self", 4, 0, &sin, sizeof(sin)), 4);
}
Test(sock, a_process_may_leave_everything_open)
{
	program(everything_open_body);
	cr_assert(finished);
}
