/* Sockets of AF_UNIX over the loopback transport: names, connections, data, endings, datagrams, memory. */
#include "tests/strtest.h"
#include "sys/errno.h"
#include "sys/file.h"
#include "sys/poll.h"
#include "sys/signal.h"
#include "sys/socketvar.h"
#include "sys/tiuser.h"
#include "tl/tl.h"

STR_SUITE(unixsock);

#define MS 1000000LL
#define ARG6(a, b, c, d, e, f, ...)                                                                     \
	(int64_t)(intptr_t)(a), (int64_t)(intptr_t)(b), (int64_t)(intptr_t)(c), (int64_t)(intptr_t)(d), \
	    (int64_t)(intptr_t)(e), (int64_t)(intptr_t)(f)
#define SYS(name, ...) ((int)user_syscall(SYS_##name, ARG6(__VA_ARGS__, 0, 0, 0, 0, 0, 0)))
#define FAILS(err, ...)                                                         \
	do {                                                                    \
		cr_assert_eq(SYS(__VA_ARGS__), -1, "succeeded");                \
		cr_assert_eq(user_errno(), err, #err ", not %d", user_errno()); \
	} while (0)

/* ---- programs ---- */

static proc_t *proc;
static int told[64], finished;

static void tell(proc_t *p, int sig)
{
	(void)p;
	told[sig]++;
}

static void run_body(void *arg)
{
	((void (*)(void))(uintptr_t)arg)();
	finished++;
}

static void start(void (*code)(void))
{
	if (proc == NULL) {
		proc = proc_create(NULL, 0, "test");
		proc->p_sighandler = tell;
		proc->p_caught = SIGBIT(SIGPIPE) | SIGBIT(SIGALRM);
	}
	cr_assert_not_null(lwp_create(proc, run_body, (void *)(uintptr_t)code));
	machine_run(machine_now() + 100 * MS);
}

/* A test that is a program; the process ends with all it left open. */
#define PROGRAM(name)                                     \
	static void name(void);                           \
	Test(unixsock, name)                              \
	{                                                 \
		start(name);                              \
		cr_assert_eq(finished, 1, "did not end"); \
		proc_exit(proc);                          \
	}                                                 \
	static void name(void)

static struct sockaddr_un un(const char *path)
{
	struct sockaddr_un sun = {.sun_family = AF_UNIX};

	strcpy(sun.sun_path, path);
	return sun;
}
#define UNLEN(path) ((socklen_t_)(sizeof(uint16_t) + strlen(path) + 1))

static int usocket(int type)
{
	int fd = SYS(so_socket, AF_UNIX, type, 0, 0, SOV_DEFAULT);

	cr_assert_geq(fd, 0, "socket: %d", user_errno());
	return fd;
}

static int bindto(int fd, const char *path)
{
	struct sockaddr_un a = un(path);

	return SYS(bind, fd, &a, UNLEN(path));
}

static int connectto(int fd, const char *path)
{
	struct sockaddr_un a = un(path);

	return SYS(connect, fd, &a, UNLEN(path));
}

static int listener(const char *path, int backlog)
{
	int fd = usocket(SOCK_STREAM);

	cr_assert_eq(bindto(fd, path), 0);
	cr_assert_eq(SYS(listen, fd, backlog), 0);
	return fd;
}

/* fds[0] is the client. */
static void connected(int fds[2])
{
	int l = listener("/pair", 1);

	fds[0] = usocket(SOCK_STREAM);
	cr_assert_eq(connectto(fds[0], "/pair"), 0);
	fds[1] = SYS(accept, l, NULL, NULL);
	cr_assert_geq(fds[1], 0);
	cr_assert_eq(SYS(close, l), 0);
}

static void nonblock(int fd)
{
	cr_assert_eq(SYS(fcntl, fd, F_SETFL, FREAD | FWRITE | FNONBLOCK), 0);
}

static short poll1(int fd, short events)
{
	pollfd_t pfd = {fd, events, 0};

	cr_assert_geq(SYS(poll, &pfd, 1, 0), 0);
	return pfd.revents;
}

static sonode_t *so_of(int fd)
{
	return VTOSO(proc->p_fd[fd]->f_vnode);
}

static void expect_read(int fd, const char *text)
{
	char buf[256];
	int n = SYS(read, fd, buf, sizeof(buf));

	cr_assert_eq(n, (int)strlen(text), "%d", n);
	cr_assert_eq(memcmp(buf, text, strlen(text)), 0);
}

/* ---- what a socket is ---- */

PROGRAM(modes)
{
	sonode_t *s = so_of(usocket(SOCK_STREAM)), *d = so_of(usocket(SOCK_DGRAM));

	cr_assert_eq(s->so_mode, SM_CONNREQUIRED | SM_BYTESTREAM | SM_OPTDATA | SM_FDPASSING | SM_ACCEPTOR_ID);
	cr_assert_eq(s->so_serv_type, T_COTS_ORD);
	cr_assert_eq(d->so_mode, SM_ATOMIC | SM_ADDR | SM_OPTDATA | SM_FDPASSING | SM_ACCEPTOR_ID);
	cr_assert_eq(d->so_serv_type, T_CLTS);
	cr_assert_eq(getminor(s->so_dev) & 7, TL_SOCKET | TL_TICOTSORD);
	cr_assert_eq(getminor(d->so_dev) & 7, TL_SOCKET | TL_TICLTS);
	cr_assert_neq(getminor(s->so_dev) >> 3, getminor(d->so_dev) >> 3);
}

/* ---- names and connections ---- */

PROGRAM(found_by_path)
{
	struct sockaddr_un a = un("/tmp/.X11-unix/X0"), none = un("/nowhere"), got = {0};
	socklen_t_ len = sizeof(got);
	int l = usocket(SOCK_STREAM), c = usocket(SOCK_STREAM), s;

	cr_assert_eq(bindto(l, a.sun_path), 0);
	FAILS(EINVAL, bind, l, &a, UNLEN(a.sun_path));
	FAILS(EADDRINUSE, bind, c, &a, UNLEN(a.sun_path));
	cr_assert_eq(SYS(listen, l, 5), 0);
	FAILS(ENOENT, connect, c, &none, UNLEN("/nowhere"));
	FAILS(EINVAL, connect, c, &a, 2);
	FAILS(EPROTOTYPE, connect, usocket(SOCK_DGRAM), &a, UNLEN(a.sun_path));
	cr_assert_eq(connectto(c, a.sun_path), 0);
	cr_assert(so_of(c)->so_state & SS_ISCONNECTED, "before accept");
	FAILS(EISCONN, connect, c, &a, UNLEN(a.sun_path));
	cr_assert_eq(poll1(l, POLLIN), POLLIN);
	s = SYS(accept, l, &got, &len);
	cr_assert_geq(s, 0);
	cr_assert_eq(len, 2, "the client has no name");
	cr_assert_eq(SYS(write, c, "req", 3), 3);
	expect_read(s, "req");
	len = sizeof(got);
	cr_assert_eq(SYS(getpeername, c, &got, &len), 0);
	cr_assert_str_eq(got.sun_path, a.sun_path);
	len = sizeof(got);
	cr_assert_eq(SYS(getsockname, s, &got, &len), 0);
	cr_assert_str_eq(got.sun_path, a.sun_path);
	cr_assert_eq(SYS(close, l), 0);
	l = usocket(SOCK_STREAM);
	cr_assert_eq(bindto(l, a.sun_path), 0, "the name is free again");
	FAILS(ECONNREFUSED, connect, usocket(SOCK_STREAM), &a, UNLEN(a.sun_path));
}

PROGRAM(named_client)
{
	struct sockaddr_un got = {0};
	socklen_t_ len = sizeof(got);
	int l = listener("/srv", 2), c = usocket(SOCK_STREAM), s;

	cr_assert_eq(bindto(c, "/me"), 0);
	cr_assert_eq(connectto(c, "/srv"), 0);
	s = SYS(accept, l, &got, &len);
	cr_assert_geq(s, 0);
	cr_assert_str_eq(got.sun_path, "/me");
	len = sizeof(got);
	memset(&got, 0, sizeof(got));
	cr_assert_eq(SYS(getpeername, s, &got, &len), 0);
	cr_assert_str_eq(got.sun_path, "/me");
}

PROGRAM(backlog)
{
	struct sockaddr_un a = un("/srv");
	int l = listener("/srv", 2), c[3];

	nonblock(l);
	FAILS(EWOULDBLOCK, accept, l, NULL, NULL);
	for (int i = 0; i < 3; i++)
		c[i] = usocket(SOCK_STREAM);
	cr_assert_eq(connectto(c[0], "/srv"), 0);
	cr_assert_eq(connectto(c[1], "/srv"), 0);
	FAILS(ECONNREFUSED, connect, c[2], &a, UNLEN("/srv"));
	cr_assert_eq(SYS(write, c[0], "0", 1), 1);
	cr_assert_eq(SYS(write, c[1], "1", 1), 1);
	expect_read(SYS(accept, l, NULL, NULL), "0");
	cr_assert_eq(connectto(c[2], "/srv"), 0, "there is room again, and it may try again");
	expect_read(SYS(accept, l, NULL, NULL), "1");
	cr_assert_geq(SYS(accept, l, NULL, NULL), 0);
	FAILS(EWOULDBLOCK, accept, l, NULL, NULL);
}

PROGRAM(early_data_and_early_end)
{
	int l = listener("/srv", 5), c = usocket(SOCK_STREAM), s;
	char b;

	cr_assert_eq(connectto(c, "/srv"), 0);
	cr_assert_eq(SYS(write, c, "ab", 2), 2, "waits for the server");
	cr_assert_eq(SYS(write, c, "c", 1), 1);
	s = SYS(accept, l, NULL, NULL);
	expect_read(s, "abc");
	cr_assert_eq(SYS(write, c, "d", 1), 1);
	expect_read(s, "d");
	/* one that goes before it is accepted leaves its data and its end */
	c = usocket(SOCK_STREAM);
	cr_assert_eq(connectto(c, "/srv"), 0);
	cr_assert_eq(SYS(write, c, "last", 4), 4);
	nonblock(c); /* a close that does not wait for what stands on the queue */
	cr_assert_eq(SYS(close, c), 0);
	s = SYS(accept, l, NULL, NULL);
	cr_assert_geq(s, 0);
	expect_read(s, "last");
	cr_assert_eq(SYS(read, s, &b, 1), 0);
	FAILS(EPIPE, write, s, "x", 1);
	/* and one that shut down before */
	c = usocket(SOCK_STREAM);
	cr_assert_eq(connectto(c, "/srv"), 0);
	cr_assert_eq(SYS(write, c, "q", 1), 1);
	cr_assert_eq(SYS(shutdown, c, SHUT_WR), 0);
	s = SYS(accept, l, NULL, NULL);
	expect_read(s, "q");
	cr_assert_eq(SYS(read, s, &b, 1), 0);
	cr_assert_eq(SYS(write, s, "answer", 6), 6);
	expect_read(c, "answer");
}

PROGRAM(listener_goes)
{
	int l = listener("/srv", 5), c = usocket(SOCK_STREAM);
	char b;

	cr_assert_eq(connectto(c, "/srv"), 0);
	cr_assert_eq(SYS(write, c, "x", 1), 1);
	cr_assert_eq(SYS(close, l), 0);
	FAILS(ECONNREFUSED, read, c, &b, 1);
	cr_assert_eq(SYS(read, c, &b, 1), 0);
	FAILS(EPIPE, write, c, "y", 1);
}

/* ---- pairs ---- */

PROGRAM(pairs)
{
	for (int type = SOCK_DGRAM; type <= SOCK_STREAM; type++) {
		int sv[2] = {usocket(type), usocket(type)}, same[2] = {sv[0], sv[0]};
		int mixed[2] = {sv[0], usocket(SOCK_DGRAM + SOCK_STREAM - type)};

		FAILS(EINVAL, so_socketpair, same);
		FAILS(EINVAL, so_socketpair, mixed);
		cr_assert_eq(SYS(so_socketpair, sv), 0);
		cr_assert_eq(SYS(write, sv[0], "abc", 3), 3);
		expect_read(sv[1], "abc");
		cr_assert_eq(SYS(write, sv[1], "de", 2), 2);
		expect_read(sv[0], "de");
	}
	int bad[2] = {usocket(SOCK_STREAM), 77};
	FAILS(EBADF, so_socketpair, bad);
	FAILS(EFAULT, so_socketpair, 8);
}

/* ---- data ---- */

PROGRAM(bytes_both_ways)
{
	int fds[2];
	char buf[64];
	iovec_t iov[2] = {{"one ", 4}, {"two", 3}};

	connected(fds);
	cr_assert_eq(SYS(write, fds[0], "hello ", 6), 6);
	cr_assert_eq(SYS(send, fds[0], "world", 5, 0), 5);
	cr_assert_eq(poll1(fds[1], POLLIN | POLLOUT), POLLIN | POLLOUT);
	cr_assert_eq(SYS(recv, fds[1], buf, 4, MSG_PEEK), 4);
	cr_assert_eq(SYS(read, fds[1], buf, 3), 3);
	expect_read(fds[1], "lo world");
	cr_assert_eq(SYS(writev, fds[1], iov, 2), 7);
	expect_read(fds[0], "one two");
	nonblock(fds[1]);
	FAILS(EWOULDBLOCK, read, fds[1], buf, 1);
	FAILS(EOPNOTSUPP, send, fds[0], "x", 1, MSG_OOB);
	cr_assert_eq(poll1(fds[1], POLLIN), 0);
}

static int pair[2];
static char out[200000], in[200000];
static int moved;

static void slow_reader(void)
{
	int n;

	while ((n = SYS(read, pair[1], in + moved, 1000)) > 0)
		moved += n;
	cr_assert_eq(n, 0);
}

static void big_writer(void)
{
	int full = 0;

	for (size_t i = 0; i < sizeof(out); i++)
		out[i] = (char)(i * 7 + i / 256);
	connected(pair);
	nonblock(pair[0]);
	for (int n; (n = SYS(write, pair[0], out + full, 3000)) > 0;)
		full += n;
	cr_assert_eq(user_errno(), EWOULDBLOCK);
	/* the reader's head, and then this end's queue, fill up */
	cr_assert_geq(full, 5120 + 16384);
	cr_assert_leq(full, 5120 + 16384 + 2 * 3000);
	cr_assert_eq(poll1(pair[0], POLLOUT), 0);
	cr_assert_eq(SYS(fcntl, pair[0], F_SETFL, FREAD | FWRITE), 0);
	cr_assert_eq(SYS(write, pair[0], out + full, sizeof(out) - (size_t)full), (int)sizeof(out) - full);
	cr_assert_eq(SYS(close, pair[0]), 0);
}

Test(unixsock, a_full_socket_lets_go_on_when_it_is_read)
{
	start(big_writer);
	cr_assert_eq(finished, 0, "blocked");
	start(slow_reader);
	cr_assert_eq(finished, 2);
	cr_assert_eq(moved, (int)sizeof(out));
	cr_assert_eq(memcmp(in, out, sizeof(out)), 0);
	proc_exit(proc);
}

static void full_and_open(void)
{
	connected(pair);
	nonblock(pair[0]);
	while (SYS(write, pair[0], out, 5000) > 0)
		continue;
	cr_assert_eq(SYS(fcntl, pair[0], F_SETFL, FREAD | FWRITE), 0);
	FAILS(EPIPE, write, pair[0], out, 5000);
}

static void peer_dies(void)
{
	cr_assert_eq(SYS(close, pair[1]), 0);
}

Test(unixsock, a_blocked_writer_learns_of_the_peers_end)
{
	start(full_and_open);
	cr_assert_eq(finished, 0);
	start(peer_dies);
	cr_assert_eq(finished, 2);
	cr_assert_eq(told[SIGPIPE], 1);
	proc_exit(proc);
}

static void blocked_reader(void)
{
	char b;

	connected(pair);
	cr_assert_eq(SYS(read, pair[0], &b, 1), 0);
}

Test(unixsock, a_blocked_reader_learns_of_the_peers_end)
{
	start(blocked_reader);
	cr_assert_eq(finished, 0);
	start(peer_dies);
	cr_assert_eq(finished, 2);
	proc_exit(proc);
}

static void blocked_accept(void)
{
	pair[0] = listener("/srv", 1);
	pair[1] = SYS(accept, pair[0], NULL, NULL);
	expect_read(pair[1], "hi");
}

static void late_client(void)
{
	int c = usocket(SOCK_STREAM);

	cr_assert_eq(connectto(c, "/srv"), 0);
	cr_assert_eq(SYS(write, c, "hi", 2), 2);
}

Test(unixsock, accept_waits_for_a_client)
{
	start(blocked_accept);
	cr_assert_eq(finished, 0);
	start(late_client);
	cr_assert_eq(finished, 2);
	proc_exit(proc);
}

/* ---- endings ---- */

PROGRAM(one_direction)
{
	int fds[2];
	char b;

	connected(fds);
	cr_assert_eq(SYS(write, fds[0], "x", 1), 1);
	cr_assert_eq(SYS(shutdown, fds[0], SHUT_WR), 0);
	expect_read(fds[1], "x");
	cr_assert_eq(SYS(read, fds[1], &b, 1), 0);
	cr_assert_eq(poll1(fds[1], POLLIN), POLLIN);
	FAILS(EPIPE, write, fds[0], "y", 1);
	cr_assert_eq(told[SIGPIPE], 1);
	cr_assert_eq(SYS(write, fds[1], "z", 1), 1, "the other way is open");
	expect_read(fds[0], "z");
	cr_assert_eq(SYS(shutdown, fds[1], SHUT_WR), 0);
	cr_assert_eq(SYS(read, fds[0], &b, 1), 0);
	cr_assert_eq(SYS(close, fds[0]), 0);
	FAILS(EPIPE, write, fds[1], "y", 1);
}

PROGRAM(peer_is_gone)
{
	int fds[2];
	char b;

	connected(fds);
	cr_assert_eq(SYS(write, fds[1], "left", 4), 4);
	cr_assert_eq(SYS(write, fds[0], "unread", 6), 6);
	cr_assert_eq(SYS(close, fds[1]), 0);
	FAILS(EPIPE, write, fds[0], "x", 1);
	FAILS(EPIPE, send, fds[0], "x", 1, 0);
	cr_assert_eq(told[SIGPIPE], 2);
	expect_read(fds[0], "left");
	cr_assert_eq(SYS(read, fds[0], &b, 1), 0);
	cr_assert(poll1(fds[0], POLLIN) & POLLHUP);
	FAILS(ENOTCONN, getpeername, fds[0], NULL, NULL);
}

PROGRAM(everything_left_open)
{
	int fds[2];

	connected(fds);
	listener("/l", 3);
	cr_assert_eq(SYS(write, fds[0], "unread", 6), 6);
	fds[0] = usocket(SOCK_STREAM);
	cr_assert_eq(connectto(fds[0], "/l"), 0);
	cr_assert_eq(SYS(write, fds[0], "never", 5), 5);
	cr_assert_eq(bindto(usocket(SOCK_DGRAM), "/d"), 0);
}

/* ---- datagrams ---- */

PROGRAM(datagrams)
{
	struct sockaddr_un b = un("/b"), from = {0};
	socklen_t_ len = sizeof(from);
	int x = usocket(SOCK_DGRAM), y = usocket(SOCK_DGRAM);
	char buf[8];
	iovec_t iov = {buf, 4};
	struct msghdr msg = {.msg_name = &from, .msg_namelen = sizeof(from), .msg_iov = &iov, .msg_iovlen = 1};

	FAILS(EDESTADDRREQ, send, x, "x", 1, 0);
	FAILS(ENOENT, sendto, x, "hi", 2, 0, &b, UNLEN("/b"));
	cr_assert_eq(bindto(y, "/b"), 0);
	cr_assert_eq(SYS(sendto, x, "hi", 2, 0, &b, UNLEN("/b")), 2, "binds itself");
	cr_assert_eq(SYS(recvfrom, y, buf, 8, 0, &from, &len), 2);
	cr_assert_eq(len, 2, "from nobody known");
	x = usocket(SOCK_DGRAM);
	cr_assert_eq(bindto(x, "/a"), 0);
	cr_assert_eq(SYS(sendto, x, "", 0, 0, &b, UNLEN("/b")), 0);
	cr_assert_eq(SYS(sendto, x, "two34", 5, 0, &b, UNLEN("/b")), 5);
	cr_assert_eq(SYS(recv, y, buf, 8, 0), 0, "an empty one");
	cr_assert_eq(SYS(recvmsg, y, &msg, 0), 4, "cut");
	cr_assert_eq(msg.msg_flags, MSG_TRUNC);
	cr_assert_str_eq(from.sun_path, "/a");
	nonblock(y);
	FAILS(EWOULDBLOCK, recv, y, buf, 8, 0);
	FAILS(EMSGSIZE, sendto, x, out, TL_TIDUSZ + 1, 0, &b, UNLEN("/b"));
	FAILS(EOPNOTSUPP, sendto, x, "x", 1, MSG_OOB, &b, UNLEN("/b"));
	FAILS(EOPNOTSUPP, listen, x, 1);
}

PROGRAM(connected_datagrams)
{
	struct sockaddr_un a = un("/a"), got = {0}, unspec = {.sun_family = AF_UNSPEC};
	socklen_t_ len = sizeof(got);
	int x = usocket(SOCK_DGRAM), y = usocket(SOCK_DGRAM);
	char b;

	cr_assert_eq(bindto(x, "/a"), 0);
	cr_assert_eq(connectto(y, "/a"), 0);
	cr_assert_eq(SYS(getpeername, y, &got, &len), 0);
	cr_assert_str_eq(got.sun_path, "/a");
	cr_assert_eq(SYS(write, y, "ho", 2), 2, "errno %d", user_errno());
	cr_assert_eq(SYS(send, y, "ha", 2, 0), 2);
	expect_read(x, "ho");
	expect_read(x, "ha");
	FAILS(EISCONN, sendto, y, "x", 1, 0, &a, UNLEN("/a"));
	cr_assert_eq(SYS(close, x), 0);
	FAILS(ECONNREFUSED, write, y, "x", 1);
	FAILS(ECONNREFUSED, write, y, "x", 1);
	nonblock(y);
	FAILS(EWOULDBLOCK, read, y, &b, 1);
	cr_assert_eq(SYS(connect, y, &unspec, sizeof(unspec)), 0);
	FAILS(EDESTADDRREQ, write, y, "x", 1);
}

PROGRAM(full_datagram_receiver)
{
	struct sockaddr_un a = un("/a");
	int x = usocket(SOCK_DGRAM), y = usocket(SOCK_DGRAM), sent = 0, n = 0;
	static char buf[1024];

	cr_assert_eq(bindto(x, "/a"), 0);
	nonblock(y);
	nonblock(x);
	while (SYS(sendto, y, out, 1000, 0, &a, UNLEN("/a")) == 1000)
		sent++;
	cr_assert_eq(user_errno(), EWOULDBLOCK);
	cr_assert_geq(sent, 6);
	while (SYS(recv, x, buf, sizeof(buf), 0) == 1000)
		n++;
	cr_assert_eq(user_errno(), EWOULDBLOCK);
	cr_assert_eq(n, sent, "those that waited came too: %d of %d", n, sent);
	cr_assert_eq(SYS(sendto, y, out, 1000, 0, &a, UNLEN("/a")), 1000);
}

/* ---- memory ---- */

/* One thing after the other cannot be had: the call fails with the right error or, having waited, works. */
static void scene(void)
{
	int l = SYS(so_socket, AF_UNIX, SOCK_STREAM, 0, 0, SOV_DEFAULT), c, s = -1;
	int d = SYS(so_socket, AF_UNIX, SOCK_DGRAM, 0, 0, SOV_DEFAULT);
	struct sockaddr_un a = un("/a");
	char b[4];

	c = SYS(so_socket, AF_UNIX, SOCK_STREAM, 0, 0, SOV_DEFAULT);
	if (l >= 0 && c >= 0 && bindto(l, "/srv") == 0 && SYS(listen, l, 2) == 0 && connectto(c, "/srv") == 0) {
		s = SYS(accept, l, NULL, NULL);
		if (s >= 0 && SYS(write, c, "abc", 3) == 3)
			cr_assert_eq(SYS(read, s, b, 3), 3);
		(void)SYS(shutdown, c, SHUT_WR);
	}
	if (d >= 0 && bindto(d, "/a") == 0 && SYS(sendto, d, "self", 4, 0, &a, UNLEN("/a")) == 4)
		cr_assert_eq(SYS(recv, d, b, 4, 0), 4);
	for (int fd = 0; fd < 8; fd++)
		(void)SYS(close, fd);
}

PROGRAM(memory_fails_anywhere)
{
	for (long n = 1; n < 150; n++) {
		allocb_fail_nth(n);
		scene();
		allocb_fail_nth(0);
	}
	for (long n = 1; n < 150; n++) {
		kmem_fail_nth(n);
		scene();
		kmem_fail_nth(0);
	}
}

/* ---- frames ---- */

static char frames[1024];

static int spy_rput(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) == M_DATA)
		snprintf(frames, sizeof(frames), "%s", st_callers(20));
	putnext(q, mp);
	return 0;
}
STR_MODULE(spy, spy_rput, NULL, st_passput, NULL, 5120, 1024, D_MP);
STREAMS_MODULE(spy, "spy", &spy_tab, D_MP);

/* the call nest of a write to a connected socket, innermost first */
#define WRITE_FRAMES                                                                               \
	"putnext < tl_wput_data_ser < serializer_exec < serializer_enter < tl_serializer_enter < " \
	"tl_wput < putnext < strput < strwrite < socktpi_write < fop_write < "

PROGRAM(frames_of_a_write)
{
	iovec_t iov = {"x", 1};
	int fds[2];

	connected(fds);
	cr_assert_eq(SYS(ioctl, fds[1], I_PUSH, "spy"), 0);
	cr_assert_eq(SYS(write, fds[0], "x", 1), 1);
	cr_assert_str_eq(frames, WRITE_FRAMES "write < sys_sysenter");
	cr_assert_eq(SYS(writev, fds[0], &iov, 1), 1);
	cr_assert_str_eq(frames, WRITE_FRAMES "writev < sys_sysenter");
}

/* A write of no bytes travels all the way, and the reader does not see it. */
PROGRAM(empty_write)
{
	int fds[2];

	connected(fds);
	cr_assert_eq(SYS(ioctl, fds[1], I_PUSH, "spy"), 0);
	frames[0] = '\0';
	cr_assert_eq(SYS(write, fds[0], "", 0), 0);
	cr_assert_str_eq(frames, WRITE_FRAMES "write < sys_sysenter");
	cr_assert_eq(poll1(fds[1], POLLIN), 0);
	cr_assert_eq(SYS(write, fds[0], "end", 3), 3);
	cr_assert_eq(SYS(shutdown, fds[0], 1), 0);
	expect_read(fds[1], "end");
}

/* ---- modules in the way ---- */

/* arp without an interface takes nothing of what comes up. */
PROGRAM(bind_below_arp)
{
	int fd = usocket(SOCK_STREAM);

	cr_assert_eq(SYS(ioctl, fd, I_PUSH, "arp"), 0);
	cr_assert_eq(bindto(fd, "/tmp/below"), 0);
}

static int eater_wput(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) == M_PROTO)
		freemsg(mp);
	else
		putnext(q, mp);
	return 0;
}
STR_MODULE(eater, st_passput, NULL, eater_wput, NULL, 5120, 1024, D_MP);
STREAMS_MODULE(eater, "eater", &eater_tab, D_MP);

static void bind_below_eater(void)
{
	int fd = usocket(SOCK_STREAM);

	cr_assert_eq(SYS(ioctl, fd, I_PUSH, "eater"), 0);
	cr_assert_eq(bindto(fd, "/tmp/eaten"), -1);
	cr_assert_eq(user_errno(), EINTR);
}

/* An answer that never comes is waited for until a signal. */
Test(unixsock, bind_unanswered)
{
	start(bind_below_eater);
	cr_assert_eq(finished, 0);
	psignal(proc, SIGALRM);
	machine_run(machine_now() + 100 * MS);
	cr_assert_eq(finished, 1);
	cr_assert_eq(told[SIGALRM], 1);
	proc_exit(proc);
}
