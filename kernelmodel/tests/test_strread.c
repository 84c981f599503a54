/* read(2), getmsg(2), getpmsg(2), read modes, marks, waiting; the kernel's own receiver. */
#include "tests/headtest.h"

STR_SUITE(strread);

/* Read up to n bytes and return them as a string, "-" followed by the error when it fails. */
static const char *rd(int64_t fd, size_t n)
{
	static char buf[256];
	int64_t got = U_READ(fd, buf, n);

	if (got < 0)
		snprintf(buf, sizeof(buf), "-%d", user_errno());
	else
		buf[got] = '\0';
	return buf;
}

static const char *queued(int64_t fd)
{
	return st_queued(_RD(fd_stream(fd)->sd_wrq));
}

static void data(int64_t fd, const char *s)
{
	up(fd, st_msg(M_DATA, s));
}

static void proto(int64_t fd, int type, const char *ctl, const char *s)
{
	mblk_t *mp = st_msg(type, ctl);

	if (s != NULL)
		linkb(mp, st_msg(M_DATA, s));
	up(fd, mp);
}

/* ---- byte streams and messages ---- */

PROGRAM(strread, byte_stream_mode_runs_over_messages)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);

	data(fd, "abc");
	data(fd, "defg");
	data(fd, "hi");
	cr_assert_str_eq(rd(fd, 5), "abcde");
	cr_assert_str_eq(queued(fd), "fg hi");
	cr_assert_str_eq(rd(fd, 100), "fghi");
	DONE;
}

PROGRAM(strread, message_discard_mode_drops_the_rest)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	int opt = 0;

	OK(U_IOCTL(fd, I_SRDOPT, RMSGD), 0);
	OK(U_IOCTL(fd, I_GRDOPT, &opt), 0);
	cr_assert_eq(opt, RMSGD | RPROTNORM);
	data(fd, "abc");
	data(fd, "def");
	cr_assert_str_eq(rd(fd, 2), "ab");
	cr_assert_str_eq(rd(fd, 100), "def");
	DONE;
}

PROGRAM(strread, message_nondiscard_mode_stops_at_the_end_of_a_message)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);

	OK(U_IOCTL(fd, I_SRDOPT, RMSGN), 0);
	data(fd, "abc");
	data(fd, "def");
	cr_assert_str_eq(rd(fd, 2), "ab");
	cr_assert_str_eq(rd(fd, 100), "c");
	cr_assert_str_eq(rd(fd, 100), "def");
	DONE;
}

PROGRAM(strread, read_options_are_checked)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	int opt;

	FAILS(U_IOCTL(fd, I_SRDOPT, 3), EINVAL);
	FAILS(U_IOCTL(fd, I_SRDOPT, 0x40), EINVAL);
	FAILS(U_IOCTL(fd, I_SRDOPT, RPROTDAT | RPROTDIS), EINVAL);
	OK(U_IOCTL(fd, I_SRDOPT, RMSGN | RPROTDAT), 0);
	OK(U_IOCTL(fd, I_SRDOPT, RNORM), 0);
	OK(U_IOCTL(fd, I_GRDOPT, &opt), 0);
	cr_assert_eq(opt, RNORM | RPROTDAT, "no protocol bit leaves the protocol mode");
	FAILS(U_IOCTL(fd, I_GRDOPT, 4), EFAULT);
	DONE;
}

PROGRAM(strread, zero_length_data_ends_a_read)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);

	data(fd, "ab");
	data(fd, "");
	data(fd, "cd");
	cr_assert_str_eq(rd(fd, 100), "ab");
	cr_assert_str_eq(rd(fd, 100), "");
	cr_assert_str_eq(rd(fd, 100), "cd");
	DONE;
}

PROGRAM(strread, blocks_of_a_message_are_one)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	mblk_t *mp = st_msg(M_DATA, "ab");

	linkb(mp, st_msg(M_DATA, ""));
	linkb(mp, st_msg(M_DATA, "cd"));
	up(fd, mp);
	cr_assert_str_eq(rd(fd, 3), "abc");
	cr_assert_str_eq(rd(fd, 3), "d");
	DONE;
}

PROGRAM(strread, higher_bands_come_first)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);

	up(fd, st_band(0, "a"));
	up(fd, st_band(1, "bc"));
	up(fd, st_band(2, "d"));
	cr_assert_str_eq(rd(fd, 2), "db");
	cr_assert_str_eq(queued(fd), "c a", "the rest keeps its band");
	cr_assert_str_eq(rd(fd, 100), "ca");
	DONE;
}

/* ---- protocol messages ---- */

PROGRAM(strread, protocol_messages_are_an_error_unless_wanted)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);

	data(fd, "ab");
	proto(fd, M_PROTO, "CTL", "cd");
	cr_assert_str_eq(rd(fd, 100), "ab", "what came before is not lost");
	cr_assert_str_eq(rd(fd, 100), "-77");
	cr_assert_str_eq(rd(fd, 100), "-77", "and it stays");
	OK(U_IOCTL(fd, I_SRDOPT, RPROTDAT), 0);
	cr_assert_str_eq(rd(fd, 4), "CTLc");
	cr_assert_str_eq(rd(fd, 4), "d");
	OK(U_IOCTL(fd, I_SRDOPT, RPROTDIS), 0);
	proto(fd, M_PROTO, "CTL", "ef");
	proto(fd, M_PCPROTO, "HI", NULL);
	cr_assert_str_eq(rd(fd, 100), "ef");
	cr_assert_not(fd_stream(fd)->sd_flag & STRPRI);
	DONE;
}

PROGRAM(strread, a_shared_protocol_block_is_not_written_to)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	mblk_t *mp = st_msg(M_PROTO, "CTL"), *dup = dupmsg(mp);

	OK(U_IOCTL(fd, I_SRDOPT, RPROTDAT), 0);
	up(fd, mp);
	cr_assert_str_eq(rd(fd, 2), "CT");
	cr_assert_eq(DB_TYPE(dup), M_PROTO);
	freemsg(dup);
	cr_assert_str_eq(rd(fd, 2), "L");
	DONE;
}

/* ---- ends and faults ---- */

PROGRAM(strread, nothing_to_read)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR | O_NONBLOCK), nd = U_OPEN("/dev/loop", O_RDWR | O_NDELAY);

	cr_assert_str_eq(rd(fd, 1), "-11");
	cr_assert_str_eq(rd(fd, 0), "");
	cr_assert_str_eq(rd(nd, 1), "-11");
	setopts(nd, (struct stroptions){.so_flags = SO_NDELON});
	cr_assert_str_eq(rd(nd, 1), "", "terminals of old return 0");
	DONE;
}

PROGRAM(strread, a_fault_loses_the_message_that_was_being_copied)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);

	data(fd, "ab");
	FAILS(U_READ(fd, NULL, 2), EFAULT);
	cr_assert_str_eq(queued(fd), "");
	DONE;
}

static void say_hello(void *driver)
{
	putnext(driver, st_msg(M_DATA, "hello"));
}

static void hang_up(void *driver)
{
	putnext(driver, byte_msg(M_HANGUP, 0));
}

static void fail_it(void *driver)
{
	putnext(driver, byte_msg(M_ERROR, EPROTO));
}

static void interrupt(void *p)
{
	psignal(p, SIGUSR1);
}

PROGRAM(strread, sleeping_readers_wake)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);

	curproc->p_caught |= SIGBIT(SIGUSR1);
	timeout(say_hello, fd_driver(fd), 5);
	cr_assert_str_eq(rd(fd, 100), "hello");
	timeout(interrupt, curproc, 5);
	cr_assert_str_eq(rd(fd, 100), "-4");
	timeout(hang_up, fd_driver(fd), 5);
	cr_assert_str_eq(rd(fd, 100), "");
	up(fd, byte_msg(M_UNHANGUP, 0));
	timeout(fail_it, fd_driver(fd), 5);
	cr_assert_str_eq(rd(fd, 100), "-71");
	DONE;
}

PROGRAM(strread, a_reader_asks_the_modules_for_data)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);

	setopts(fd, (struct stroptions){.so_flags = SO_MREADON});
	data(fd, "abc");
	cr_assert_str_eq(rd(fd, 10), "abc");
	st_expect("");
	timeout(say_hello, fd_driver(fd), 5);
	loop_stackdepth = 4;
	cr_assert_str_eq(rd(fd, 10), "hello");
	st_expect("read:10");
	cr_assert_str_eq(loop_stack, "putnext < strwaitq < strread < spec_read");
	DONE;
}

PROGRAM(strread, a_delimiter_ends_a_read_of_a_delimited_stream)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	mblk_t *mp = st_msg(M_DATA, "cd");

	setopts(fd, (struct stroptions){.so_flags = SO_DELIM});
	mp->b_flag |= MSGDELIM;
	data(fd, "ab");
	up(fd, mp);
	data(fd, "ef");
	cr_assert_str_eq(rd(fd, 3), "abc");
	cr_assert_str_eq(rd(fd, 10), "d", "a message put back keeps its delimiter");
	OK(U_WRITE(fd, "gh", 2), 2);
	cr_assert_str_eq(rd(fd, 10), "efgh", "what a program writes in one piece ends in a delimiter");
	DONE;
}

/* ---- marks ---- */

PROGRAM(strread, marks)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	mblk_t *mp;

	data(fd, "ab");
	OK(U_IOCTL(fd, I_ATMARK, ANYMARK), 0);
	for (int i = 0; i < 2; i++) {
		mp = st_msg(M_DATA, i ? "ef" : "cd");
		mp->b_flag |= MSGMARK;
		up(fd, mp);
	}
	cr_assert_str_eq(rd(fd, 10), "ab", "a read stops before a mark");
	OK(U_IOCTL(fd, I_ATMARK, ANYMARK), 1);
	OK(U_IOCTL(fd, I_ATMARK, LASTMARK), 0);
	cr_assert_str_eq(rd(fd, 10), "cd");
	OK(U_IOCTL(fd, I_ATMARK, LASTMARK), 1);
	FAILS(U_IOCTL(fd, I_ATMARK, 0), EINVAL);
	FAILS(U_IOCTL(fd, I_ATMARK, 4), EINVAL);
	cr_assert_str_eq(rd(fd, 1), "e");
	OK(U_IOCTL(fd, I_ATMARK, ANYMARK), 0);
	DONE;
}

PROGRAM(strread, the_mark_behind_a_message)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	stdata_t *stp = fd_stream(fd);
	mblk_t *mp = st_msg(M_DATA, "ab");

	mp->b_flag |= MSGMARKNEXT;
	up(fd, mp);
	cr_assert_str_eq(rd(fd, 1), "a");
	cr_assert_not(stp->sd_flag & STRATMARK);
	cr_assert_str_eq(rd(fd, 1), "b");
	cr_assert(stp->sd_flag & STRATMARK);
	mp = st_msg(M_DATA, "c");
	mp->b_flag |= MSGNOTMARKNEXT;
	up(fd, mp);
	cr_assert_str_eq(rd(fd, 1), "c");
	cr_assert_eq(stp->sd_flag & (STRATMARK | STRNOTATMARK), STRNOTATMARK);
	DONE;
}

/* ---- signals in the data ---- */

static int got;
static void catch (proc_t *p, int sig)
{
	(void)p;
	got = sig;
}

PROGRAM(strread, m_sig_comes_in_its_place)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);

	curproc->p_caught |= SIGBIT(SIGINT);
	curproc->p_sighandler = catch;
	fd_stream(fd)->sd_pgidp = curproc->p_pgrp;
	data(fd, "ab");
	up(fd, byte_msg(M_SIG, SIGINT));
	data(fd, "cd");
	user_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
	cr_assert_eq(got, 0);
	cr_assert_str_eq(rd(fd, 2), "ab");
	cr_assert_eq(got, SIGINT);
	cr_assert_str_eq(queued(fd), "cd");
	got = 0;
	up(fd, byte_msg(M_PCSIG, SIGINT));
	user_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
	cr_assert_eq(got, SIGINT, "M_PCSIG does not wait");
	DONE;
}

/* ---- flow control ---- */

PROGRAM(strread, reading_lets_the_driver_go_on)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	char big[5120], buf[5120];
	queue_t *dq = fd_driver(fd);

	memset(big, 'x', sizeof(big));
	up(fd, bytes_msg(M_DATA, big, sizeof(big)));
	cr_assert_not(canputnext(dq), "full at its high water mark");
	OK(U_READ(fd, buf, 4000), 4000);
	cr_assert_eq(_RD(fd_stream(fd)->sd_wrq)->q_count, 1120);
	cr_assert(canputnext(dq), "one byte below the high water mark is room");
	DONE;
}

/* ---- getmsg ---- */

struct got {
	struct strbuf ctl, data;
	char c[32], d[32];
	int flags, band;
	int64_t ret;
};

static struct got g;

static void get(int64_t fd, int cmax, int dmax, int flags)
{
	g.ctl = (struct strbuf){cmax, 77, g.c};
	g.data = (struct strbuf){dmax, 77, g.d};
	memset(g.c, 0, sizeof(g.c));
	memset(g.d, 0, sizeof(g.d));
	g.flags = flags;
	g.ret = U_GETMSG(fd, &g.ctl, &g.data, &g.flags);
}

#define GOT(r, cl, cs, dl, ds, f)             \
	do {                                  \
		cr_assert_eq(g.ret, r);       \
		cr_assert_eq(g.ctl.len, cl);  \
		cr_assert_str_eq(g.c, cs);    \
		cr_assert_eq(g.data.len, dl); \
		cr_assert_str_eq(g.d, ds);    \
		cr_assert_eq(g.flags, f);     \
	} while (0)

PROGRAM(strread, getmsg_takes_control_and_data)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);

	proto(fd, M_PROTO, "CTL", "data");
	get(fd, 32, 32, 0);
	GOT(0, 3, "CTL", 4, "data", 0);
	data(fd, "only");
	get(fd, 32, 32, 0);
	GOT(0, -1, "", 4, "only", 0);
	proto(fd, M_PROTO, "C", NULL);
	get(fd, 32, 32, 0);
	GOT(0, 1, "C", -1, "", 0);
	proto(fd, M_PROTO, "", "");
	get(fd, 0, 0, 0);
	GOT(0, 0, "", 0, "", 0);
	DONE;
}

PROGRAM(strread, getmsg_leaves_what_does_not_fit)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);

	proto(fd, M_PROTO, "CTL", "data");
	get(fd, 2, 3, 0);
	GOT(MORECTL | MOREDATA, 2, "CT", 3, "dat", 0);
	get(fd, 32, 0, 0);
	GOT(MOREDATA, 1, "L", 0, "", 0);
	get(fd, 32, 32, 0);
	GOT(0, -1, "", 1, "a", 0);
	proto(fd, M_PROTO, "CTL", "data");
	get(fd, -1, 32, 0);
	GOT(MORECTL, -1, "", 4, "data", 0);
	get(fd, 32, -1, 0);
	GOT(0, 3, "CTL", -1, "", 0);
	proto(fd, M_PROTO, "CTL", "data");
	OK(U_GETMSG(fd, NULL, NULL, &g.flags), MORECTL | MOREDATA);
	DONE;
}

PROGRAM(strread, getmsg_of_high_priority_messages)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR | O_NONBLOCK);

	data(fd, "low");
	get(fd, 32, 32, RS_HIPRI);
	cr_assert_eq(g.ret, -1);
	cr_assert_eq(user_errno(), EAGAIN);
	proto(fd, M_PCPROTO, "HIGH", "x");
	get(fd, 2, 0, 0);
	GOT(MORECTL | MOREDATA, 2, "HI", 0, "", RS_HIPRI);
	cr_assert(fd_stream(fd)->sd_flag & STRPRI);
	get(fd, 32, 0, RS_HIPRI);
	GOT(MOREDATA, 2, "GH", 0, "", RS_HIPRI);
	cr_assert_not(fd_stream(fd)->sd_flag & STRPRI);
	get(fd, 32, 32, 0);
	GOT(0, -1, "", 1, "x", 0);
	DONE;
}

PROGRAM(strread, getmsg_refuses)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR | O_NONBLOCK), wr = U_OPEN("/dev/loop", O_WRONLY);
	struct strbuf bad = {8, 0, NULL};

	get(fd, 32, 32, 2);
	cr_assert_eq(user_errno(), EINVAL);
	get(fd, 32, 32, 0);
	cr_assert_eq(user_errno(), EAGAIN);
	get(wr, 32, 32, 0);
	cr_assert_eq(user_errno(), EBADF);
	FAILS(U_GETMSG(fd, NULL, NULL, NULL), EFAULT);
	data(fd, "x");
	g.flags = 0;
	FAILS(U_GETMSG(fd, 8, NULL, &g.flags), EFAULT);
	cr_assert_str_eq(queued(fd), "x");
	FAILS(U_GETMSG(fd, NULL, &bad, &g.flags), EFAULT);
	up(fd, byte_msg(M_HANGUP, 0));
	get(fd, 32, 32, 0);
	GOT(0, 0, "", 0, "", 0);
	DONE;
}

PROGRAM(strread, getpmsg_by_band)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR | O_NONBLOCK);
	struct strbuf d = {32, 0, g.d};
	int band = 3, flags = MSG_BAND;

	up(fd, st_band(2, "two"));
	FAILS(U_GETPMSG(fd, NULL, &d, &band, &flags), EAGAIN);
	band = 1;
	OK(U_GETPMSG(fd, NULL, &d, &band, &flags), 0);
	cr_assert_eq(band, 2);
	cr_assert_eq(flags, MSG_BAND);
	cr_assert_eq(d.len, 3);
	proto(fd, M_PCPROTO, "H", NULL);
	band = 200;
	OK(U_GETPMSG(fd, NULL, &d, &band, &flags), MORECTL);
	cr_assert_eq(flags, MSG_HIPRI);
	cr_assert_eq(band, 0);
	band = 1;
	flags = MSG_HIPRI;
	FAILS(U_GETPMSG(fd, NULL, &d, &band, &flags), EINVAL);
	flags = MSG_ANY;
	OK(U_GETPMSG(fd, &((struct strbuf){8, 0, g.c}), &d, &band, &flags), 0);
	flags = 0;
	FAILS(U_GETPMSG(fd, NULL, &d, &band, &flags), EINVAL);
	flags = MSG_ANY | MSG_BAND;
	FAILS(U_GETPMSG(fd, NULL, &d, &band, &flags), EINVAL);
	band = 256;
	flags = MSG_BAND;
	FAILS(U_GETPMSG(fd, NULL, &d, &band, &flags), EINVAL);
	DONE;
}

/* ---- looking without taking ---- */

PROGRAM(strread, peek_copies_and_leaves)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	char c[8] = "", d[8] = "";
	struct strpeek pk = {{8, 0, c}, {2, 0, d}, 0};

	OK(U_IOCTL(fd, I_PEEK, &pk), 0);
	proto(fd, M_PROTO, "CTL", "data");
	OK(U_IOCTL(fd, I_PEEK, &pk), 1);
	cr_assert_eq(pk.ctlbuf.len, 3);
	cr_assert_str_eq(c, "CTL");
	cr_assert_eq(pk.databuf.len, 2);
	cr_assert_str_eq(d, "da");
	cr_assert_eq(pk.flags, 0);
	pk.flags = RS_HIPRI;
	OK(U_IOCTL(fd, I_PEEK, &pk), 0);
	proto(fd, M_PCPROTO, "H", NULL);
	OK(U_IOCTL(fd, I_PEEK, &pk), 1);
	cr_assert_eq(pk.flags, RS_HIPRI);
	cr_assert_eq(pk.databuf.len, -1);
	pk.flags = 2;
	FAILS(U_IOCTL(fd, I_PEEK, &pk), EINVAL);
	FAILS(U_IOCTL(fd, I_PEEK, 8), EFAULT);
	cr_assert_str_eq(queued(fd), "H CTL");
	DONE;
}

PROGRAM(strread, counts_of_what_is_queued)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	int n = -1;

	OK(U_IOCTL(fd, I_NREAD, &n), 0);
	cr_assert_eq(n, 0);
	FAILS(U_IOCTL(fd, I_GETBAND, &n), ENODATA);
	proto(fd, M_PROTO, "CTL", "data");
	data(fd, "xy");
	OK(U_IOCTL(fd, I_NREAD, &n), 2);
	cr_assert_eq(n, 4, "data bytes of the first message");
	OK(U_IOCTL(fd, FIONREAD, &n), 0);
	cr_assert_eq(n, 6);
	OK(U_IOCTL(fd, FIORDCHK, 0), 6);
	up(fd, st_band(5, "z"));
	OK(U_IOCTL(fd, I_GETBAND, &n), 0);
	cr_assert_eq(n, 5);
	OK(U_IOCTL(fd, I_CKBAND, 5), 1);
	OK(U_IOCTL(fd, I_CKBAND, 0), 1);
	OK(U_IOCTL(fd, I_CKBAND, 4), 0);
	FAILS(U_IOCTL(fd, I_CKBAND, 256), EINVAL);
	FAILS(U_IOCTL(fd, I_CKBAND, -1), EINVAL);
	FAILS(U_IOCTL(fd, I_NREAD, 8), EFAULT);
	DONE;
}

/* ---- hooks of a protocol ---- */

PROGRAM(strread, data_is_joined_and_empty_data_dropped_when_the_owner_wants_it)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	stdata_t *stp = fd_stream(fd);
	queue_t *rq = _RD(stp->sd_wrq);
	mblk_t *mp;

	strsetrputhooks(stp->sd_vnode, SH_CONSOL_DATA | SH_IGN_ZEROLEN, NULL, NULL);
	data(fd, "ab");
	data(fd, "");
	data(fd, "cd");
	cr_assert_eq(qsize(rq), 1);
	cr_assert_eq(rq->q_count, 4);
	mp = st_msg(M_DATA, "");
	mp->b_flag |= MSGMARKNEXT;
	up(fd, mp);
	data(fd, "ef");
	cr_assert_eq(qsize(rq), 2, "not over a mark");
	cr_assert_str_eq(rd(fd, 4), "abcd");
	cr_assert(stp->sd_flag & STRATMARK);
	strsetrputhooks(stp->sd_vnode, 0, NULL, NULL);
	cr_assert_eq(stp->sd_rput_opt & (SR_CONSOL_DATA | SR_IGN_ZEROLEN), 0);
	DONE;
}

static mblk_t *eat_proto(vnode_t *vp, mblk_t *mp, uint_t *wakeups, uint_t *first, uint_t *all, uint_t *polls)
{
	(void)vp;
	st_notef("eat:%.*s", (int)MBLKL(mp), (char *)mp->b_rptr);
	*wakeups = *first = *all = *polls = 0;
	freemsg(mp);
	return NULL;
}

PROGRAM(strread, a_protocol_function_takes_its_messages)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	vnode_t *vp = fd_stream(fd)->sd_vnode;

	strsetrputhooks(vp, 0, eat_proto, eat_proto);
	proto(fd, M_PROTO, "P", NULL);
	proto(fd, M_PCPROTO, "Q", NULL);
	up(fd, bytes_msg(M_FLUSH, "F", 1));
	data(fd, "x");
	st_expect("eat:P eat:Q eat:F");
	cr_assert_str_eq(queued(fd), "x");
	DONE;
}

PROGRAM(strread, the_kernel_receives_messages_whole)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	vnode_t *vp = fd_stream(fd)->sd_vnode;
	int flags = MSG_ANY, error;
	uchar_t band = 0;
	mblk_t *mp;

	cr_assert_null(kstrgetmsg(vp, &band, &flags, FNONBLOCK, -1, &error));
	cr_assert_eq(error, EWOULDBLOCK);
	proto(fd, M_PROTO, "CTL", "data");
	flags = MSG_ANY | MSG_IPEEK;
	mp = kstrgetmsg(vp, &band, &flags, 0, -1, &error);
	cr_assert_str_eq(st_text(mp), "CTL.data.");
	freemsg(mp);
	flags = MSG_ANY;
	mp = kstrgetmsg(vp, &band, &flags, 0, -1, &error);
	cr_assert_str_eq(st_text(mp), "CTL.data.");
	cr_assert_eq(flags, MSG_BAND);
	freemsg(mp);
	flags = MSG_ANY;
	cr_assert_null(kstrgetmsg(vp, &band, &flags, 0, 30, &error));
	cr_assert_eq(error, ETIME);
	strsetrerror(vp, EPROTO, 0, NULL);
	cr_assert_null(kstrgetmsg(vp, &band, &flags, 0, -1, &error));
	cr_assert_eq(error, EPROTO);
	fd_stream(fd)->sd_flag |= STREOF;
	cr_assert_null(kstrgetmsg(vp, &band, &flags, 0, -1, &error));
	cr_assert_eq(error, 0);
	DONE;
}
