/* write(2), putmsg(2), putpmsg(2): pieces, sizes, blocks, flow control, stamps; job control. */
#include "tests/headtest.h"

STR_SUITE(strwrite);

/* Messages kept on the driver's write queue, as bytes counts. */
static const char *pieces(int64_t fd)
{
	static char buf[256];
	size_t n = 0;

	for (mblk_t *mp = _WR(fd_driver(fd))->q_first; mp != NULL; mp = mp->b_next)
		n += (size_t)snprintf(buf + n, sizeof(buf) - n, "%s%zu", n != 0 ? " " : "", msgdsize(mp));
	buf[n] = '\0';
	return buf;
}

static queue_t *kept(int64_t fd)
{
	return _WR(fd_driver(fd));
}

static char big[200000];

PROGRAM(strwrite, a_write_is_cut_into_pieces_of_the_packet_size)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);

	loop_stop = true;
	kept(fd)->q_hiwat = 1000000;
	OK(U_WRITE(fd, big, 10000), 10000);
	cr_assert_str_eq(pieces(fd), "4096 4096 1808");
	flushq(kept(fd), FLUSHALL);
	OK(U_IOCTL(fd, I_PUSH, "pass"), 0);
	OK(U_WRITE(fd, big, 140000), 140000);
	cr_assert_str_eq(pieces(fd), "65536 65536 8928");
	flushq(kept(fd), FLUSHALL);
	DONE;
}

PROGRAM(strwrite, zero_bytes_are_a_message_unless_unwanted)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	int opt = -1, pfd[2];

	loop_stop = true;
	OK(U_WRITE(fd, big, 0), 0);
	cr_assert_str_eq(pieces(fd), "0");
	OK(U_IOCTL(fd, I_GWROPT, &opt), 0);
	cr_assert_eq(opt, SNDZERO);
	OK(U_IOCTL(fd, I_SWROPT, 0), 0);
	OK(U_WRITE(fd, big, 0), 0);
	cr_assert_str_eq(pieces(fd), "0");
	FAILS(U_IOCTL(fd, I_SWROPT, 4), EINVAL);
	flushq(kept(fd), FLUSHALL);
	OK(U_PIPE(pfd), 0);
	OK(U_WRITE(pfd[0], big, 0), 0);
	cr_assert_null(_RD(fd_stream(pfd[1])->sd_wrq)->q_first);
	OK(U_IOCTL(pfd[0], I_GWROPT, &opt), 0);
	cr_assert_eq(opt, SNDPIPE);
	DONE;
}

PROGRAM(strwrite, sizes_out_of_range)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	struct strbuf d = {0, 3, big}, c = {0, 1025, big};

	loop_discard = true;
	fd_stream(fd)->sd_qn_minpsz = 4;
	FAILS(U_WRITE(fd, big, 3), ERANGE);
	FAILS(U_WRITE(fd, big, 5000), ERANGE);
	OK(U_WRITE(fd, big, 4), 4);
	FAILS(U_PUTMSG(fd, NULL, &d, 0), ERANGE);
	d.len = 4097;
	FAILS(U_PUTMSG(fd, NULL, &d, 0), ERANGE);
	d.len = 4096;
	OK(U_PUTMSG(fd, NULL, &d, 0), 0);
	FAILS(U_PUTMSG(fd, &c, NULL, 0), ERANGE);
	c.len = 1024;
	OK(U_PUTMSG(fd, &c, NULL, 0), 0);
	d.len = 6000;
	fd_stream(fd)->sd_maxblk = 6000;
	OK(U_PUTMSG(fd, NULL, &d, 0), 0);
	fd_stream(fd)->sd_qn_minpsz = 0;
	fd_stream(fd)->sd_qn_maxpsz = 0;
	OK(U_WRITE(fd, big, 3), 0);
	FAILS(U_PUTMSG(fd, NULL, &d, 0), ERANGE);
	DONE;
}

PROGRAM(strwrite, blocks_have_room_for_headers_and_carry_the_writer)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	mblk_t *mp;

	loop_stop = true;
	setopts(fd, (struct stroptions){
			.so_flags = SO_WROFF | SO_TAIL | SO_MAXBLK, .so_wroff = 20, .so_tail = 8, .so_maxblk = 100});
	OK(U_WRITE(fd, big, 250), 250);
	mp = kept(fd)->q_first;
	cr_assert_eq(MBLKL(mp), 100);
	cr_assert_eq(MBLKL(mp->b_cont), 100);
	cr_assert_eq(MBLKL(mp->b_cont->b_cont), 50);
	cr_assert_null(mp->b_cont->b_cont->b_cont);
	for (; mp != NULL; mp = mp->b_cont) {
		cr_assert_eq(MBLKHEAD(mp), 20);
		cr_assert_geq(MBLKTAIL(mp), 8);
		cr_assert_eq(DB_CPID(mp), curproc->p_pid);
		cr_assert_eq(DB_CRED(mp), curproc->p_cred);
	}
	flushq(kept(fd), FLUSHALL);
	DONE;
}

static int caller_calls;
static mblk_t *wput_hook(vnode_t *vp, mblk_t *mp)
{
	(void)vp;
	if (caller_calls++ == 0)
		return mp;
	freemsg(mp);
	return NULL;
}

PROGRAM(strwrite, the_owner_may_refuse_data)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);

	loop_discard = true;
	fd_stream(fd)->sd_wputdatafunc = wput_hook;
	OK(U_WRITE(fd, "x", 1), 1);
	FAILS(U_WRITE(fd, "x", 1), ECOMM);
	DONE;
}

/* ---- flow control ---- */

static void go_later(void *driver)
{
	loop_stop = false;
	qenable(_WR((queue_t *)driver));
}

PROGRAM(strwrite, a_writer_waits_for_room)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	hrtime_t start = machine_now();

	loop_stop = true;
	OK(U_WRITE(fd, big, 1000), 1000);
	timeout(go_later, fd_driver(fd), 10);
	OK(U_WRITE(fd, big, 1), 1);
	cr_assert_eq(machine_now() - start, 100 * 1000000LL);
	DONE;
}

static void interrupt(void *p)
{
	psignal(p, SIGUSR1);
}

PROGRAM(strwrite, a_writer_that_does_not_wait)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR | O_NONBLOCK), nd = U_OPEN("/dev/loop", O_RDWR | O_NDELAY);
	struct strbuf d = {0, 1, big};

	curproc->p_caught |= SIGBIT(SIGUSR1);
	loop_stop = true;
	OK(U_WRITE(fd, big, 8000), 4096);
	FAILS(U_WRITE(fd, big, 1), EAGAIN);
	FAILS(U_PUTMSG(fd, NULL, &d, 0), EAGAIN);
	OK(U_WRITE(nd, big, 1000), 1000);
	FAILS(U_WRITE(nd, big, 1), EAGAIN);
	setopts(nd, (struct stroptions){.so_flags = SO_NDELON});
	OK(U_WRITE(nd, big, 1), 0);
	OK(U_FCNTL(fd, F_SETFL, 0), 0);
	timeout(interrupt, curproc, 3);
	FAILS(U_WRITE(fd, big, 1), EINTR);
	DONE;
}

PROGRAM(strwrite, an_interrupted_write_returns_what_it_wrote)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);

	curproc->p_caught |= SIGBIT(SIGUSR1);
	loop_stop = true;
	timeout(interrupt, curproc, 3);
	OK(U_WRITE(fd, big, 8000), 4096);
	OK(U_FCNTL(fd, F_SETFL, O_NONBLOCK), 0);
	DONE;
}

PROGRAM(strwrite, bands_have_flow_control_of_their_own)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR | O_NONBLOCK);
	struct strbuf d = {0, 1000, big}, c = {0, 1, big};

	loop_stop = true;
	OK(U_IOCTL(fd, I_CANPUT, 0), 1);
	OK(U_PUTPMSG(fd, NULL, &d, 0, MSG_BAND), 0);
	OK(U_IOCTL(fd, I_CANPUT, 0), 0);
	OK(U_IOCTL(fd, I_CANPUT, 1), 1);
	FAILS(U_IOCTL(fd, I_CANPUT, 256), EINVAL);
	FAILS(U_PUTPMSG(fd, NULL, &d, 0, MSG_BAND), EAGAIN);
	OK(U_PUTPMSG(fd, NULL, &d, 1, MSG_BAND), 0);
	FAILS(U_PUTPMSG(fd, NULL, &d, 1, MSG_BAND), EAGAIN);
	OK(U_PUTPMSG(fd, NULL, &d, 2, MSG_BAND), 0);
	OK(U_PUTMSG(fd, &c, NULL, RS_HIPRI), 0);
	cr_assert_eq(qsize(kept(fd)), 4);
	cr_assert_eq(kept(fd)->q_first->b_datap->db_type, M_PCPROTO, "flow control does not hold for it");
	flushq(kept(fd), FLUSHALL);
	DONE;
}

/* ---- putmsg ---- */

PROGRAM(strwrite, putmsg_makes_one_message)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	struct strbuf c = {0, 3, "CTL"}, d = {0, 4, "data"}, empty = {0, 0, NULL};
	queue_t *q = kept(fd);

	loop_stop = true;
	OK(U_PUTMSG(fd, &c, &d, 0), 0);
	cr_assert_str_eq(st_text(q->q_first), "CTL.data.");
	cr_assert_eq(DB_TYPE(q->q_first), M_PROTO);
	cr_assert_geq(MBLKSIZE(q->q_first), 64);
	cr_assert_eq(DB_CPID(q->q_first), curproc->p_pid);
	flushq(q, FLUSHALL);
	OK(U_PUTMSG(fd, NULL, &d, 0), 0);
	cr_assert_str_eq(st_text(q->q_first), "data.");
	cr_assert_eq(DB_TYPE(q->q_first), M_DATA);
	flushq(q, FLUSHALL);
	OK(U_PUTMSG(fd, &empty, &empty, 0), 0);
	cr_assert_str_eq(st_text(q->q_first), "..");
	flushq(q, FLUSHALL);
	OK(U_PUTMSG(fd, NULL, NULL, 0), 0);
	c.len = -1;
	OK(U_PUTMSG(fd, &c, NULL, 0), 0);
	cr_assert_null(q->q_first, "no part, no message");
	DONE;
}

PROGRAM(strwrite, putmsg_refuses)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR), rdonly = U_OPEN("/dev/loop", O_RDONLY);
	struct strbuf c = {0, 3, "CTL"}, bad = {0, 3, NULL};

	loop_discard = true;
	FAILS(U_PUTMSG(fd, &c, NULL, 2), EINVAL);
	FAILS(U_PUTMSG(fd, NULL, NULL, RS_HIPRI), EINVAL);
	FAILS(U_PUTPMSG(fd, &c, NULL, 1, MSG_HIPRI), EINVAL);
	FAILS(U_PUTPMSG(fd, &c, NULL, 0, 0), EINVAL);
	FAILS(U_PUTPMSG(fd, &c, NULL, 0, MSG_ANY), EINVAL);
	FAILS(U_PUTPMSG(fd, &c, NULL, 256, MSG_BAND), EINVAL);
	FAILS(U_PUTPMSG(fd, &c, NULL, -1, MSG_BAND), EINVAL);
	FAILS(U_PUTMSG(fd, 8, NULL, 0), EFAULT);
	FAILS(U_PUTMSG(fd, &bad, NULL, 0), EFAULT);
	FAILS(U_PUTMSG(fd, &c, &bad, 0), EFAULT);
	FAILS(U_PUTMSG(rdonly, &c, NULL, 0), EBADF);
	OK(U_PUTPMSG(fd, &c, NULL, 0, MSG_HIPRI), 0);
	DONE;
}

PROGRAM(strwrite, no_memory_is_eagain_and_leaves_nothing)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	struct strbuf c = {0, 3, "CTL"}, d = {0, 4, "data"};

	loop_discard = true;
	allocb_fail_nth(1);
	FAILS(U_WRITE(fd, "x", 1), EAGAIN);
	allocb_fail_nth(1);
	FAILS(U_PUTMSG(fd, &c, &d, 0), EAGAIN);
	allocb_fail_nth(2);
	FAILS(U_PUTMSG(fd, &c, &d, 0), EAGAIN);
	allocb_fail_nth(0);
	OK(U_PUTMSG(fd, &c, &d, 0), 0);
	DONE;
}

PROGRAM(strwrite, the_kernel_sends_messages)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR | O_NONBLOCK);
	vnode_t *vp = fd_stream(fd)->sd_vnode;
	iovec_t iov = {big, 1000};
	uio_t uio = {.uio_iov = &iov, .uio_iovcnt = 1, .uio_segflg = UIO_SYSSPACE, .uio_resid = 1000};

	loop_stop = true;
	cr_assert_eq(kstrputmsg(vp, st_msg(M_PROTO, "CTL"), &uio, 1000, 0, MSG_BAND, FNONBLOCK), 0);
	cr_assert_eq(msgdsize(kept(fd)->q_first), 1000);
	cr_assert_eq(kstrputmsg(vp, st_msg(M_PROTO, "CTL"), NULL, 0, 0, MSG_BAND, FNONBLOCK), EAGAIN);
	cr_assert_eq(kstrputmsg(vp, st_msg(M_PROTO, "CTL"), NULL, 0, 0, MSG_BAND | MSG_IGNFLOW, 0), 0);
	cr_assert_eq(kstrputmsg(vp, st_msg(M_PROTO, "CTL"), NULL, 0, 0, 0, 0), EINVAL);
	cr_assert_eq(kstrputmsg(vp, st_msg(M_PROTO, "H"), NULL, 0, 0, MSG_HIPRI, 0), 0);
	cr_assert_eq(DB_TYPE(kept(fd)->q_first), M_PCPROTO);
	up(fd, byte_msg(M_HANGUP, 0));
	cr_assert_eq(kstrputmsg(vp, st_msg(M_PROTO, "CTL"), NULL, 0, 0, MSG_BAND, 0), EIO);
	DONE;
}

/* ---- services run in the writer ---- */

PROGRAM(strwrite, service_procedures_enabled_by_a_write_run_in_the_writer)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	char c;

	loop_stop = true;
	OK(U_WRITE(fd, "a", 1), 1);
	loop_stop = false;
	/* The second write goes straight back; the first waits for the service that nothing has enabled yet. */
	OK(U_WRITE(fd, "b", 1), 1);
	OK(U_READ(fd, &c, 1), 1);
	cr_assert_eq(c, 'b');
	cr_assert_eq(qsize(kept(fd)), 1);
	flushq(kept(fd), FLUSHALL);
	DONE;
}

/* ---- job control ---- */

static char sigs[64];
static void catch (proc_t *p, int sig)
{
	(void)p;
	snprintf(sigs + strlen(sigs), sizeof(sigs) - strlen(sigs), " %d", sig);
}

/* The caller's session has the stream as its terminal, and another group is in the foreground. */
static void background(int64_t fd)
{
	proc_t *p = curproc;
	/* A parent in the session, in another group: the caller's group is not an orphan. */
	proc_t *parent = proc_create(NULL, 0, "shell");

	parent->p_pgrp = parent->p_sid = parent->p_pid;
	p->p_parent = parent;
	p->p_sid = parent->p_sid;
	p->p_pgrp = p->p_pid;
	p->p_ctty = fd_stream(fd);
	fd_stream(fd)->sd_sidp = p->p_sid;
	fd_stream(fd)->sd_pgidp = parent->p_pid;
}

PROGRAM(strwrite, background_processes_get_job_control_signals)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	proc_t *p = curproc, *parent;
	char c;
	int pgrp;

	background(fd);
	parent = p->p_parent;
	p->p_sighandler = catch;
	p->p_caught |= SIGBIT(SIGTTIN) | SIGBIT(SIGTTOU);
	OK(U_WRITE(fd, "x", 1), 1);
	FAILS(U_READ(fd, &c, 1), EINTR);
	cr_assert_str_eq(sigs, " 26");
	fd_stream(fd)->sd_flag |= STRTOSTOP;
	FAILS(U_WRITE(fd, "x", 1), EINTR);
	cr_assert_str_eq(sigs, " 26 27");
	FAILS(U_IOCTL(fd, I_FLUSH, FLUSHRW), EINTR);
	OK(U_IOCTL(fd, I_NREAD, &pgrp), 1);
	p->p_ignore |= SIGBIT(SIGTTIN) | SIGBIT(SIGTTOU);
	FAILS(U_READ(fd, &c, 1), EIO);
	OK(U_WRITE(fd, "x", 1), 1);
	p->p_ignore = 0;
	p->p_parent = p0;
	FAILS(U_READ(fd, &c, 1), EIO);
	fd_stream(fd)->sd_pgidp = p->p_pgrp;
	OK(U_READ(fd, &c, 1), 1);
	OK(U_CLOSE(fd), 0);
	cr_assert_null(p->p_ctty, "a closed terminal is nobody's");
	p->p_parent = p0;
	proc_exit(parent);
	DONE;
}
