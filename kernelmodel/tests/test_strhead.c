/* The life of a stream: open, close, push, pop, what it is made of, pipes, what comes up to the head. */
#include "tests/headtest.h"

STR_SUITE(strhead);

/* Names of the queues from the head down, write side. */
static const char *layout(int64_t fd)
{
	static char buf[256];
	size_t n = 0;

	for (queue_t *q = fd_stream(fd)->sd_wrq;; q = q->q_next) {
		n += (size_t)snprintf(buf + n, sizeof(buf) - n, "%s%s", n != 0 ? " " : "",
				      q->q_qinfo->qi_minfo->mi_idname);
		if (!SAMESTR(q))
			return buf;
	}
}

/* ---- open and close ---- */

PROGRAM(strhead, data_goes_through_a_pushed_module_and_back)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	char buf[16] = "";

	OK(fd, 0);
	OK(U_IOCTL(fd, I_PUSH, "upper"), 0);
	OK(U_WRITE(fd, "hello", 5), 5);
	OK(U_READ(fd, buf, sizeof(buf)), 5);
	cr_assert_str_eq(buf, "HELLO");
	OK(U_CLOSE(fd), 0);
	cr_assert_eq(loop_closes, 1);
	DONE;
}

PROGRAM(strhead, a_new_stream_has_the_defaults_of_the_sheet)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	stdata_t *stp = fd_stream(fd);
	queue_t *rq = _RD(stp->sd_wrq);

	cr_assert_eq(stp->sd_closetime, 15000);
	cr_assert_eq(stp->sd_wroff, 0);
	cr_assert_eq(stp->sd_maxblk, INFPSZ);
	cr_assert_eq(stp->sd_iocid, 0);
	cr_assert_eq(stp->sd_pushcnt, 0);
	cr_assert_eq(stp->sd_flag, 0);
	cr_assert_eq(stp->sd_qn_minpsz, 0);
	cr_assert_eq(stp->sd_qn_maxpsz, 4096);
	cr_assert_eq(stp->sd_strtab, &loop_tab);
	cr_assert_str_eq(rq->q_qinfo->qi_minfo->mi_idname, "strrhead");
	cr_assert_str_eq(_WR(rq)->q_qinfo->qi_minfo->mi_idname, "strwhead");
	cr_assert_eq(rq->q_hiwat, 5120);
	cr_assert_eq(rq->q_lowat, 1024);
	cr_assert_null(_WR(rq)->q_qinfo->qi_putp);
	cr_assert_eq(rq->q_flag & QMTSAFE, QMTSAFE);
	OK(U_IOCTL(fd, I_PUSH, "pass"), 0);
	cr_assert_eq(stp->sd_qn_maxpsz, 65536, "INFPSZ below means strmsgsz");
	DONE;
}

PROGRAM(strhead, what_cannot_be_opened_says_why)
{
	FAILS(U_OPEN("/dev/nosuch", O_RDWR), ENOENT);
	FAILS(U_OPEN(NULL, O_RDWR), EFAULT);
	FAILS(U_OPEN("/dev/loop", 3), EINVAL);
	FAILS(U_OPEN("/dev/loops/x", O_RDWR), ENOENT);
	FAILS(U_OPEN("/dev/loops/", O_RDWR), ENOENT);
	FAILS(U_OPEN("/dev/loop00", O_RDWR), ENOENT);
	loop_openerr = EBUSY;
	FAILS(U_OPEN("/dev/loop", O_RDWR), EBUSY);
	loop_openerr = 0;
	OK(U_OPEN("/dev/loop", O_RDWR), 0);
	DONE;
}

PROGRAM(strhead, clones_are_streams_of_their_own)
{
	int64_t a = U_OPEN("/dev/loop", O_RDWR), b = U_OPEN("/dev/loop", O_RDWR);
	vnode_t *va = curproc->p_fd[a]->f_vnode, *vb = curproc->p_fd[b]->f_vnode;

	cr_assert_neq(va, vb);
	cr_assert_eq(getminor(va->v_rdev), 100);
	cr_assert_eq(getminor(vb->v_rdev), 101);
	cr_assert_eq(getmajor(va->v_rdev), devsw_major(devsw_find("loop")));
	cr_assert_eq(va->v_stream->sd_vnode, va);
	cr_assert_str_eq(va->v_path, "/dev/loop");
	DONE;
}

PROGRAM(strhead, opens_of_one_device_share_its_stream)
{
	int64_t a = U_OPEN("/dev/loop0", O_RDWR), b = U_OPEN("/dev/loop0", O_RDWR);

	cr_assert_eq(fd_stream(a), fd_stream(b));
	cr_assert_eq(loop_opens, 2, "the second open is told to the driver");
	OK(U_CLOSE(a), 0);
	cr_assert_eq(loop_closes, 0);
	OK(U_WRITE(b, "x", 1), 1);
	OK(U_CLOSE(b), 0);
	cr_assert_eq(loop_closes, 1, "only the last close closes");
	OK(U_OPEN("/dev/loop0", O_RDWR), 0);
	cr_assert_eq(loop_opens, 3);
	DONE;
}

PROGRAM(strhead, numbered_nodes_have_the_number_as_minor)
{
	int64_t fd = U_OPEN("/dev/loops/42", O_RDWR);

	cr_assert_eq(getminor(curproc->p_fd[fd]->f_vnode->v_rdev), 42);
	DONE;
}

PROGRAM(strhead, a_refused_reopen_leaves_the_stream_alone)
{
	int64_t fd = U_OPEN("/dev/loop0", O_RDWR);

	loop_openerr = EBUSY;
	FAILS(U_OPEN("/dev/loop0", O_RDWR), EBUSY);
	cr_assert(fd_stream(fd)->sd_flag & STREOPENFAIL);
	OK(U_WRITE(fd, "x", 1), 1);
	loop_openerr = 0;
	OK(U_OPEN("/dev/loop0", O_RDWR), 1);
	cr_assert_not(fd_stream(fd)->sd_flag & STREOPENFAIL);
	DONE;
}

PROGRAM(strhead, reopen_of_a_stream_in_error_is_eio_and_of_a_hung_up_one_revives_it)
{
	int64_t fd = U_OPEN("/dev/loop0", O_RDWR);

	up(fd, byte_msg(M_HANGUP, 0));
	FAILS(U_WRITE(fd, "x", 1), EIO);
	OK(U_OPEN("/dev/loop0", O_RDWR), 1);
	OK(U_WRITE(fd, "x", 1), 1);
	up(fd, byte_msg(M_ERROR, EPROTO));
	FAILS(U_OPEN("/dev/loop0", O_RDWR), EIO);
	DONE;
}

PROGRAM(strhead, autopush_pushes_lowest_first)
{
	int64_t fd = U_OPEN("/dev/auto", O_RDWR);

	cr_assert_str_eq(layout(fd), "strwhead upper pass loop");
	cr_assert_eq(fd_stream(fd)->sd_pushcnt, 2);
	DONE;
}

PROGRAM(strhead, autopush_sets_an_anchor)
{
	int64_t fd = U_OPEN("/dev/anchored", O_RDWR);

	cr_assert_str_eq(layout(fd), "strwhead upper pass loop");
	cr_assert_eq(fd_stream(fd)->sd_anchor, 1);
	DONE;
}

PROGRAM(strhead, autopush_of_an_unknown_module_fails_the_open)
{
	FAILS(U_OPEN("/dev/badauto", O_RDWR), EINVAL);
	cr_assert_eq(loop_opens, 1);
	cr_assert_eq(loop_closes, 1);
	DONE;
}

PROGRAM(strhead, close_waits_for_data_to_drain_but_not_for_ever)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	int ms = 300;
	hrtime_t start;

	loop_stop = true;
	OK(U_IOCTL(fd, I_SETCLTIME, &ms), 0);
	OK(U_WRITE(fd, "stuck", 5), 5);
	start = machine_now();
	OK(U_CLOSE(fd), 0);
	cr_assert_eq(machine_now() - start, 300 * 1000000LL);
	DONE;
}

PROGRAM(strhead, a_non_blocking_close_does_not_wait)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR | O_NONBLOCK);
	hrtime_t start = machine_now();

	loop_stop = true;
	OK(U_WRITE(fd, "stuck", 5), 5);
	OK(U_CLOSE(fd), 0);
	cr_assert_eq(machine_now(), start);
	DONE;
}

static void loop_go_later(void *driver)
{
	loop_stop = false;
	qenable(_WR((queue_t *)driver));
}

PROGRAM(strhead, close_ends_when_the_data_has_drained)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	hrtime_t start = machine_now();

	loop_stop = true;
	OK(U_WRITE(fd, "stuck", 5), 5);
	timeout(loop_go_later, fd_driver(fd), 20);
	OK(U_CLOSE(fd), 0);
	cr_assert_leq(machine_now() - start, 220 * 1000000LL);
	cr_assert_geq(machine_now() - start, 190 * 1000000LL);
	DONE;
}

/* ---- push, pop, look, find, list ---- */

PROGRAM(strhead, push_and_pop_change_the_stream_in_order)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	char name[FMNAMESZ + 1];

	FAILS(U_IOCTL(fd, I_LOOK, name), EINVAL);
	OK(U_IOCTL(fd, I_PUSH, "pass"), 0);
	OK(U_IOCTL(fd, I_PUSH, "upper"), 0);
	cr_assert_str_eq(layout(fd), "strwhead upper pass loop");
	OK(U_IOCTL(fd, I_LOOK, name), 0);
	cr_assert_str_eq(name, "upper");
	OK(U_IOCTL(fd, I_FIND, "pass"), 1);
	OK(U_IOCTL(fd, I_POP, 0), 0);
	OK(U_IOCTL(fd, I_FIND, "upper"), 0);
	OK(U_IOCTL(fd, I_POP, 0), 0);
	cr_assert_str_eq(layout(fd), "strwhead loop");
	FAILS(U_IOCTL(fd, I_POP, 0), EINVAL);
	DONE;
}

PROGRAM(strhead, push_refuses)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);

	FAILS(U_IOCTL(fd, I_PUSH, "nosuch"), EINVAL);
	FAILS(U_IOCTL(fd, I_PUSH, "morethaneight"), EINVAL);
	FAILS(U_IOCTL(fd, I_PUSH, 0), EFAULT);
	FAILS(U_IOCTL(fd, I_FIND, "nosuch"), EINVAL);
	FAILS(U_IOCTL(fd, I_FIND, 16), EFAULT);
	for (int i = 0; i < 9; i++)
		OK(U_IOCTL(fd, I_PUSH, "pass"), 0);
	FAILS(U_IOCTL(fd, I_PUSH, "pass"), EINVAL);
	OK(U_IOCTL(fd, I_POP, 0), 0);
	OK(U_IOCTL(fd, I_PUSH, "upper"), 0);
	up(fd, byte_msg(M_HANGUP, 0));
	FAILS(U_IOCTL(fd, I_PUSH, "pass"), ENXIO);
	FAILS(U_IOCTL(fd, I_POP, 0), ENXIO);
	DONE;
}

PROGRAM(strhead, list_counts_and_names_modules_and_driver)
{
	int64_t fd = U_OPEN("/dev/auto", O_RDWR);
	struct str_mlist names[5];
	struct str_list list = {2, names};

	OK(U_IOCTL(fd, I_LIST, 0), 3);
	OK(U_IOCTL(fd, I_LIST, &list), 2);
	cr_assert_str_eq(names[0].l_name, "upper");
	cr_assert_str_eq(names[1].l_name, "pass");
	list.sl_nmods = 5;
	OK(U_IOCTL(fd, I_LIST, &list), 3);
	cr_assert_eq(list.sl_nmods, 3);
	cr_assert_str_eq(names[2].l_name, "loop");
	list.sl_nmods = 0;
	FAILS(U_IOCTL(fd, I_LIST, &list), EINVAL);
	FAILS(U_IOCTL(fd, I_LIST, 8), EFAULT);
	DONE;
}

PROGRAM(strhead, an_anchor_holds_against_the_unprivileged)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);

	OK(U_IOCTL(fd, I_PUSH, "pass"), 0);
	OK(U_IOCTL(fd, I_ANCHOR, 0), 0);
	OK(U_IOCTL(fd, I_PUSH, "upper"), 0);
	curproc->p_fd[fd]->f_cred->cr_uid = 100;
	OK(U_IOCTL(fd, I_POP, 0), 0);
	FAILS(U_IOCTL(fd, I_POP, 0), EPERM);
	curproc->p_fd[fd]->f_cred->cr_uid = 0;
	OK(U_IOCTL(fd, I_POP, 0), 0);
	DONE;
}

PROGRAM(strhead, a_failing_allocation_at_open_leaves_nothing)
{
	int failed = 0;

	for (int n = 1; n < 40; n++) {
		int64_t fd;

		kmem_fail_nth(n);
		fd = U_OPEN("/dev/auto", O_RDWR);
		kmem_fail_nth(0);
		if (fd >= 0) {
			OK(U_CLOSE(fd), 0);
			break;
		}
		cr_assert(user_errno() == ENOMEM || user_errno() == ENOSR, "%s", st_error(user_errno()));
		failed++;
	}
	cr_assert_gt(failed, 3);
	cr_assert_lt(failed, 39);
	DONE;
}

/* ---- pipes ---- */

PROGRAM(strhead, a_pipe_carries_data_both_ways)
{
	int fd[2];
	char buf[16] = "";

	OK(U_PIPE(fd), 0);
	OK(U_WRITE(fd[0], "there", 5), 5);
	OK(U_READ(fd[1], buf, sizeof(buf)), 5);
	cr_assert_str_eq(buf, "there");
	OK(U_WRITE(fd[1], "back", 4), 4);
	OK(U_READ(fd[0], buf, 4), 4);
	cr_assert_str_eq(buf, "backe");
	cr_assert_str_eq(fd_stream(fd[0])->sd_wrq->q_qinfo->qi_minfo->mi_idname, "fifostrwhead");
	OK(U_IOCTL(fd[0], I_LIST, 0), 0);
	FAILS(U_PIPE(NULL), EFAULT);
	DONE;
}

PROGRAM(strhead, modules_go_into_both_ends_of_a_pipe)
{
	int fd[2];
	char buf[16] = "";

	OK(U_PIPE(fd), 0);
	OK(U_IOCTL(fd[0], I_PUSH, "upper"), 0);
	OK(U_IOCTL(fd[1], I_PUSH, "pass"), 0);
	OK(U_WRITE(fd[0], "there", 5), 5);
	OK(U_READ(fd[1], buf, sizeof(buf)), 5);
	cr_assert_str_eq(buf, "THERE");
	OK(U_IOCTL(fd[0], I_POP, 0), 0);
	OK(U_WRITE(fd[0], "x", 1), 1);
	OK(U_READ(fd[1], buf, sizeof(buf)), 1);
	cr_assert_eq(buf[0], 'x');
	OK(U_IOCTL(fd[0], I_PUSH, "pass"), 0);
	OK(U_CLOSE(fd[0]), 0);
	OK(U_READ(fd[1], buf, sizeof(buf)), 0);
	OK(U_CLOSE(fd[1]), 0);
	DONE;
}

PROGRAM(strhead, the_end_of_a_pipe)
{
	int fd[2];
	char buf[16] = "";

	curproc->p_ignore |= SIGBIT(SIGPIPE);
	OK(U_PIPE(fd), 0);
	OK(U_WRITE(fd[0], "last", 4), 4);
	OK(U_CLOSE(fd[0]), 0);
	OK(U_READ(fd[1], buf, 2), 2);
	OK(U_READ(fd[1], buf, 16), 2);
	OK(U_READ(fd[1], buf, 16), 0);
	FAILS(U_WRITE(fd[1], "x", 1), EPIPE);
	DONE;
}

static int got_signal;
static void catch (proc_t *p, int sig)
{
	(void)p;
	got_signal = sig;
}

PROGRAM(strhead, writing_to_a_closed_pipe_is_a_sigpipe)
{
	int fd[2];

	curproc->p_caught |= SIGBIT(SIGPIPE);
	curproc->p_sighandler = catch;
	OK(U_PIPE(fd), 0);
	OK(U_CLOSE(fd[1]), 0);
	FAILS(U_WRITE(fd[0], "x", 1), EPIPE);
	cr_assert_eq(got_signal, SIGPIPE);
	DONE;
}

static int pipe_fd[2];
static void close_reader(void *arg)
{
	(void)arg;
	U_POLL(NULL, 0, 50);
	OK(U_CLOSE(pipe_fd[1]), 0);
}

PROGRAM(strhead, a_writer_that_waits_learns_of_the_end)
{
	static char big[40000];

	curproc->p_ignore |= SIGBIT(SIGPIPE);
	OK(U_PIPE(pipe_fd), 0);
	lwp_create(curproc, close_reader, NULL);
	FAILS(U_WRITE(pipe_fd[0], big, sizeof(big)), EPIPE);
	cr_assert_eq(machine_now(), 50 * 1000000LL);
	DONE;
}

PROGRAM(strhead, an_open_file_goes_through_a_pipe)
{
	struct strrecvfd rfd;
	int fd[2];
	char buf[16] = "";
	int64_t loop = U_OPEN("/dev/loop", O_RDWR);

	OK(U_PIPE(fd), 0);
	FAILS(U_IOCTL(loop, I_SENDFD, loop), EINVAL);
	FAILS(U_IOCTL(fd[0], I_SENDFD, 99), EBADF);
	OK(U_IOCTL(fd[0], I_SENDFD, loop), 0);
	OK(U_CLOSE(loop), 0);
	cr_assert_eq(loop_closes, 0);
	FAILS(U_READ(fd[1], buf, 1), EBADMSG);
	FAILS(U_IOCTL(fd[1], I_RECVFD, 0), EFAULT);
	OK(U_IOCTL(fd[1], I_RECVFD, &rfd), 0);
	cr_assert_eq(rfd.fd, loop, "the lowest free one");
	OK(U_WRITE(rfd.fd, "hi", 2), 2);
	OK(U_READ(rfd.fd, buf, 2), 2);
	/* Sent but never received: it is closed with the pipe. */
	OK(U_IOCTL(fd[0], I_SENDFD, rfd.fd), 0);
	OK(U_CLOSE(rfd.fd), 0);
	cr_assert_eq(loop_closes, 0);
	OK(U_CLOSE(fd[1]), 0);
	cr_assert_eq(loop_closes, 1);
	FAILS(U_IOCTL(fd[0], I_SENDFD, fd[0]), ENXIO);
	DONE;
}

PROGRAM(strhead, recvfd_refuses_ordinary_data)
{
	struct strrecvfd rfd;
	int fd[2];

	OK(U_PIPE(fd), 0);
	OK(U_WRITE(fd[0], "data", 4), 4);
	FAILS(U_IOCTL(fd[1], I_RECVFD, &rfd), EBADMSG);
	OK(U_FCNTL(fd[0], F_SETFL, O_NONBLOCK), 0);
	FAILS(U_IOCTL(fd[0], I_RECVFD, &rfd), EAGAIN);
	OK(U_CLOSE(fd[1]), 0);
	FAILS(U_IOCTL(fd[0], I_RECVFD, &rfd), ENXIO);
	DONE;
}

/* ---- what comes up ---- */

PROGRAM(strhead, m_error_of_one_byte_breaks_both_sides_and_flushes_once)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	char c;

	OK(U_WRITE(fd, "data", 4), 4);
	up(fd, byte_msg(M_ERROR, EPROTO));
	st_expect("flush:3");
	FAILS(U_READ(fd, &c, 1), EPROTO);
	FAILS(U_WRITE(fd, "x", 1), EPROTO);
	FAILS(U_IOCTL(fd, LOOP_ACK, 0), EPROTO);
	up(fd, byte_msg(M_ERROR, EPROTO));
	st_expect("");
	up(fd, byte_msg(M_ERROR, 0));
	FAILS(U_READ(fd, &c, 1), EPROTO);
	up(fd, bytes_msg(M_ERROR, "\0", 2));
	OK(U_WRITE(fd, "x", 1), 1);
	OK(U_READ(fd, &c, 1), 1);
	DONE;
}

PROGRAM(strhead, m_error_of_two_bytes_sets_each_side)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	char c;

	OK(U_WRITE(fd, "z", 1), 1);
	up(fd, bytes_msg(M_ERROR, (uchar_t[]){0xff, ENOSR}, 2));
	st_expect("flush:2");
	FAILS(U_WRITE(fd, "x", 1), ENOSR);
	OK(U_READ(fd, &c, 1), 1);
	up(fd, bytes_msg(M_ERROR, (uchar_t[]){EPROTO, 0xff}, 2));
	st_expect("flush:1");
	FAILS(U_READ(fd, &c, 1), EPROTO);
	up(fd, bytes_msg(M_ERROR, (uchar_t[]){0, 0xff}, 2));
	FAILS(U_WRITE(fd, "x", 1), ENOSR);
	DONE;
}

PROGRAM(strhead, non_persistent_errors_are_seen_once)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	int opt = 0;
	char c;

	OK(U_IOCTL(fd, I_GERROPT, &opt), 0);
	cr_assert_eq(opt, RERRNORM | WERRNORM);
	OK(U_IOCTL(fd, I_SERROPT, RERRNONPERSIST), 0);
	OK(U_IOCTL(fd, I_GERROPT, &opt), 0);
	cr_assert_eq(opt, RERRNONPERSIST | WERRNORM);
	FAILS(U_IOCTL(fd, I_SERROPT, RERRNONPERSIST | RERRNORM), EINVAL);
	FAILS(U_IOCTL(fd, I_SERROPT, 0x10), EINVAL);
	up(fd, byte_msg(M_ERROR, EPROTO));
	FAILS(U_READ(fd, &c, 1), EPROTO);
	OK(U_FCNTL(fd, F_SETFL, O_NONBLOCK), 0);
	FAILS(U_READ(fd, &c, 1), EAGAIN);
	FAILS(U_WRITE(fd, "x", 1), EPROTO);
	FAILS(U_WRITE(fd, "x", 1), EPROTO);
	DONE;
}

PROGRAM(strhead, a_hang_up_is_eof_to_readers_and_an_error_to_others)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	struct strbuf data = {-1, 1, "x"};
	char c;

	OK(U_WRITE(fd, "z", 1), 1);
	up(fd, byte_msg(M_HANGUP, 0));
	OK(U_READ(fd, &c, 1), 1);
	OK(U_READ(fd, &c, 1), 0);
	FAILS(U_WRITE(fd, "x", 1), EIO);
	FAILS(U_PUTMSG(fd, NULL, &data, 0), ENXIO);
	FAILS(U_IOCTL(fd, LOOP_ACK, 0), ENXIO);
	up(fd, byte_msg(M_UNHANGUP, 0));
	OK(U_WRITE(fd, "x", 1), 1);
	DONE;
}

PROGRAM(strhead, a_flush_is_turned_round_once)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	char c;

	OK(U_FCNTL(fd, F_SETFL, O_NONBLOCK), 0);
	OK(U_WRITE(fd, "data", 4), 4);
	up(fd, byte_msg(M_FLUSH, FLUSHW));
	st_expect("flush:2");
	OK(U_READ(fd, &c, 1), 1);
	up(fd, byte_msg(M_FLUSH, FLUSHRW));
	st_expect("flush:2");
	FAILS(U_READ(fd, &c, 1), EAGAIN);
	OK(U_WRITE(fd, "data", 4), 4);
	up(fd, byte_msg(M_FLUSH, FLUSHR));
	st_expect("");
	FAILS(U_READ(fd, &c, 1), EAGAIN);
	DONE;
}

PROGRAM(strhead, a_flushed_high_priority_message_lets_the_next_in)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	stdata_t *stp = fd_stream(fd);

	up(fd, st_msg(M_PCPROTO, "one"));
	up(fd, st_msg(M_PCPROTO, "two"));
	cr_assert_str_eq(st_queued(_RD(stp->sd_wrq)), "one", "a second one is dropped");
	cr_assert(stp->sd_flag & STRPRI);
	up(fd, byte_msg(M_FLUSH, FLUSHR));
	cr_assert_not(stp->sd_flag & STRPRI);
	up(fd, st_msg(M_PCPROTO, "two"));
	cr_assert_str_eq(st_queued(_RD(stp->sd_wrq)), "two");
	OK(U_IOCTL(fd, I_SRDOPT, RFLUSHMASK), 0);
	up(fd, st_msg(M_DATA, "data"));
	up(fd, byte_msg(M_FLUSH, FLUSHR));
	cr_assert_str_eq(st_queued(_RD(stp->sd_wrq)), "two", "RFLUSHPCPROT keeps it");
	cr_assert(stp->sd_flag & STRPRI);
	DONE;
}

PROGRAM(strhead, one_band_is_flushed)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	queue_t *rq = _RD(fd_stream(fd)->sd_wrq);

	up(fd, st_band(0, "zero"));
	up(fd, st_band(2, "two"));
	up(fd, st_band(1, "one"));
	up(fd, bytes_msg(M_FLUSH, (uchar_t[]){FLUSHR | FLUSHBAND, 2}, 2));
	cr_assert_str_eq(st_queued(rq), "one zero");
	DONE;
}

PROGRAM(strhead, m_setopts_sets_what_it_says)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	stdata_t *stp = fd_stream(fd);
	queue_t *rq = _RD(stp->sd_wrq);

	setopts(fd, (struct stroptions){.so_flags = SO_WROFF | SO_TAIL | SO_MAXBLK | SO_MINPSZ | SO_MAXPSZ | SO_HIWAT |
						    SO_LOWAT,
					.so_wroff = 12,
					.so_tail = 4,
					.so_maxblk = 100,
					.so_minpsz = 1,
					.so_maxpsz = 99,
					.so_hiwat = 300,
					.so_lowat = 30});
	cr_assert_eq(stp->sd_wroff, 12);
	cr_assert_eq(stp->sd_tail, 4);
	cr_assert_eq(stp->sd_maxblk, 100);
	cr_assert_eq(rq->q_minpsz, 1);
	cr_assert_eq(rq->q_maxpsz, 99);
	cr_assert_eq(rq->q_hiwat, 300);
	cr_assert_eq(rq->q_lowat, 30);
	setopts(fd, (struct stroptions){.so_flags = SO_BAND | SO_HIWAT, .so_band = 2, .so_hiwat = 77});
	cr_assert_eq(rq->q_hiwat, 300);
	cr_assert_eq(rq->q_bandp->qb_next->qb_hiwat, 77);
	setopts(fd, (struct stroptions){.so_flags = SO_MREADON | SO_NDELON | SO_ISTTY | SO_TOSTOP | SO_DELIM});
	cr_assert_eq(stp->sd_flag, SNDMREAD | OLDNDELAY | STRISTTY | STRTOSTOP | STRDELIM);
	setopts(fd, (struct stroptions){.so_flags = SO_MREADOFF | SO_NDELOFF | SO_ISNTTY | SO_TONSTOP | SO_NODELIM});
	cr_assert_eq(stp->sd_flag, 0);
	setopts(fd, (struct stroptions){.so_flags = SO_READOPT, .so_readopt = RMSGN | RPROTDIS});
	cr_assert_eq(stp->sd_read_opt, RD_MSGNODIS | RD_PROTDIS);
	setopts(fd, (struct stroptions){.so_flags = SO_READOPT, .so_readopt = RNORM | RPROTNORM});
	cr_assert_eq(stp->sd_read_opt, 0);
	DONE;
}

PROGRAM(strhead, an_ioctl_that_comes_up_is_refused)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	mblk_t *mp = mkiocb(LOOP_ACK);

	/* The driver counts anything it does not know; the answer has gone down and was freed there. */
	loop_stackdepth = 4;
	up(fd, mp);
	cr_assert_str_eq(loop_stack, "putnext < qreply < strrput_nondata < strrput");
	DONE;
}

PROGRAM(strhead, what_means_nothing_to_the_head_is_freed)
{
	static const int types[] = {M_BREAK,  M_CTL,   M_DELAY,   M_START, M_STOP,
				    M_STARTI, M_STOPI, M_IOCDATA, M_READ,  M_RSE};
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		up(fd, byte_msg(types[i], 0));
	cr_assert_null(_RD(fd_stream(fd)->sd_wrq)->q_first);
	DONE;
}

PROGRAM(strhead, the_flush_is_turned_round_by_qreply_in_strrput_nondata)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);

	loop_stackdepth = 5;
	up(fd, byte_msg(M_FLUSH, FLUSHW));
	cr_assert_str_eq(loop_stack, "putnext < qreply < strrput_nondata < strrput < putnext");
	DONE;
}
