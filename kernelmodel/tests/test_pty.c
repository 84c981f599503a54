/*
 * ptm and pts: minors, locks and opens; every message both ways; ioctls; flow
 * control; who serves the queues; hangup, end of file and what is in flight at a
 * close; memory that fails.
 */
#include "tests/ptytest.h"

STR_SUITE(pty);

/* ---- a module that notes what passes ---- */

static bool tap_eat;           /* free it instead of passing it on */
static char tap_stack[2][512]; /* of the last message up: master's side, slave's */
static mblk_t *(*tap_reply)(void);

static bool tap_slave(const queue_t *q)
{
	const queue_t *wq = STREAM(q)->sd_wrq;

	while (SAMESTR(wq))
		wq = wq->q_next;
	return strcmp(wq->q_qinfo->qi_minfo->mi_idname, "pts") == 0;
}

static int tap_rput(queue_t *q, mblk_t *mp)
{
	bool slave = tap_slave(q);

	strcpy(tap_stack[slave], st_callers(9));
	if (msgsize(mp) > 200)
		st_notef("%s:%zu", slave ? "slave" : "master", msgsize(mp));
	else
		st_notef("%s:%s", slave ? "slave" : "master", pt_show(mp));
	if (tap_reply != NULL) {
		mblk_t *reply = tap_reply();

		tap_reply = NULL;
		qreply(q, reply);
	}
	if (tap_eat)
		freemsg(mp);
	else
		putnext(q, mp);
	return 0;
}
STR_MODULE(tap, tap_rput, NULL, st_passput, NULL, 5120, 1024, D_MP);
LINKER_SET(fmodsw, tap_mod);

/* A module that splits nothing, for a writer above. */
STR_MODULE(whole, st_passput, NULL, st_passput, NULL, 5120, 1024, D_MP);
LINKER_SET(fmodsw, whole_mod);

/* ---- pairs ---- */

static void caught(proc_t *p, int sig)
{
	(void)p;
	st_notef("signal:%d", sig);
}

static minor_t minor_of(int64_t fd)
{
	return (minor_t)getminor(curproc->p_fd[fd]->f_vnode->v_rdev);
}

static const char *slave_path(int64_t m)
{
	static char path[32];

	snprintf(path, sizeof(path), "/dev/pts/%d", minor_of(m));
	return path;
}

static int64_t master(void)
{
	curproc->p_caught = ~0ULL;
	curproc->p_sighandler = caught;
	return U_OPEN("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK);
}

static int64_t slave(int64_t m)
{
	OK(U_IOCTL(m, UNLKPT, 0), 0);
	return U_OPEN(slave_path(m), O_RDWR | O_NOCTTY | O_NONBLOCK);
}

static void pair(int64_t *mp, int64_t *sp)
{
	*mp = master();
	cr_assert_geq(*mp, 0);
	*sp = slave(*mp);
	cr_assert_geq(*sp, 0);
}

/* A pair with taps on both sides. */
static void tapped(int64_t *mp, int64_t *sp)
{
	pair(mp, sp);
	OK(U_IOCTL(*mp, I_PUSH, "tap"), 0);
	OK(U_IOCTL(*sp, I_PUSH, "tap"), 0);
	tap_eat = false;
	st_noted();
}

/* Let other threads run. */
static void settle(void)
{
	user_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

static void down(int64_t fd, mblk_t *mp)
{
	putnext(fd_stream(fd)->sd_wrq, mp);
	settle();
}

static queue_t *driver_wq(int64_t fd)
{
	return _WR(fd_driver(fd));
}

static pt_ttys_t *pt_of(int64_t fd)
{
	return fd_driver(fd)->q_ptr;
}

static void expect_read(int64_t fd, const char *want)
{
	char buf[256];
	int64_t n = U_READ(fd, buf, sizeof(buf));

	cr_assert_eq(n, (int64_t)strlen(want), "%ld", (long)n);
	cr_assert_eq(memcmp(buf, want, strlen(want)), 0, "%.*s", (int)n, buf);
}

#define NOTHING(fd)                                \
	do {                                       \
		char c_;                           \
		FAILS(U_READ(fd, &c_, 1), EAGAIN); \
	} while (0)

/* ---- opening ---- */

PROGRAM(pty, the_lowest_free_minor)
{
	int64_t m[40];

	for (int i = 0; i < 40; i++) { /* the table grows at 16 and at 32 */
		m[i] = master();
		cr_assert_geq(m[i], 0);
		cr_assert_eq(minor_of(m[i]), i + 1);
	}
	OK(U_CLOSE(m[2]), 0);
	OK(U_CLOSE(m[20]), 0);
	cr_assert_null(ptms_minor2ptty(3));
	cr_assert_null(ptms_minor2ptty(21));
	m[20] = master();
	cr_assert_eq(minor_of(m[20]), 3);
	m[2] = master();
	cr_assert_eq(minor_of(m[2]), 21);
	cr_assert_eq(minor_of(master()), 41);
	cr_assert_null(ptms_minor2ptty(0));
	cr_assert_null(ptms_minor2ptty(-1));
	cr_assert_null(ptms_minor2ptty(42));
	cr_assert_null(ptms_minor2ptty(10000));
	DONE;
}

PROGRAM(pty, a_new_pair)
{
	int64_t m = master();
	pt_ttys_t *pt = pt_of(m);

	cr_assert_eq(pt->pt_state, PTMOPEN | PTLOCK);
	cr_assert_eq(pt->pt_pid, curproc->p_pid);
	cr_assert_eq(pt->ptm_rdq, fd_driver(m));
	cr_assert_null(pt->pts_rdq);
	cr_assert_null(pt->pt_nullmsg);
	cr_assert_eq(ptms_minor2ptty(minor_of(m)), pt);
	OK(slave(m), m + 1);
	cr_assert_eq(pt->pt_state, PTMOPEN | PTSOPEN);
	cr_assert_eq(pt->pts_rdq, fd_driver(m + 1));
	cr_assert_not_null(pt->pt_nullmsg);
	cr_assert_eq(fd_driver(m)->q_qinfo->qi_minfo->mi_idnum, 0xdead);
	cr_assert_eq(fd_driver(m + 1)->q_qinfo->qi_minfo->mi_idnum, 0xface);
	cr_assert(fd_driver(m)->q_flag & QMTSAFE);
	cr_assert_null(fd_driver(m)->q_qinfo->qi_putp);
	cr_assert_null(fd_driver(m + 1)->q_qinfo->qi_putp);
	OK(U_CLOSE(m), 0);
	cr_assert_eq(pt->pt_state, PTSOPEN);
	cr_assert_null(pt->ptm_rdq);
	cr_assert_null(pt->pt_nullmsg);
	OK(U_CLOSE(m + 1), 0);
	cr_assert_null(ptms_minor2ptty(1));
	DONE;
}

PROGRAM(pty, the_heads_are_told)
{
	int64_t m = master(), s = slave(m), t;

	cr_assert_eq(_RD(fd_stream(m)->sd_wrq)->q_hiwat, 512);
	cr_assert_eq(_RD(fd_stream(m)->sd_wrq)->q_lowat, 256);
	cr_assert_eq(_RD(fd_stream(s)->sd_wrq)->q_hiwat, 512);
	cr_assert_eq(_RD(fd_stream(s)->sd_wrq)->q_lowat, 256);
	cr_assert_not(fd_stream(m)->sd_flag & STRISTTY, "O_NOCTTY");
	cr_assert(fd_stream(s)->sd_flag & STRISTTY);
	t = U_OPEN("/dev/ptmx", O_RDWR);
	cr_assert(fd_stream(t)->sd_flag & STRISTTY);
	DONE;
}

PROGRAM(pty, the_slave_is_locked_at_first)
{
	int64_t m = master(), s;

	FAILS(U_OPEN(slave_path(m), O_RDWR), EAGAIN);
	OK(U_IOCTL(m, UNLKPT, 0), 0);
	s = U_OPEN(slave_path(m), O_RDWR | O_NOCTTY);
	cr_assert_geq(s, 0);
	cr_assert_geq(U_OPEN(slave_path(m), O_RDWR | O_NOCTTY), 0, "and again");
	FAILS(U_OPEN("/dev/pts/0", O_RDWR), ENXIO);
	FAILS(U_OPEN("/dev/pts/2", O_RDWR), ENXIO);
	FAILS(U_OPEN("/dev/pts/70000", O_RDWR), ENXIO);
	OK(U_CLOSE(m), 0);
	FAILS(U_OPEN("/dev/pts/1", O_RDWR), EAGAIN);
	st_expect("");
	DONE;
}

PROGRAM(pty, opened_the_wrong_way)
{
	int64_t m = master(), s = slave(m);
	queue_t *mq = fd_driver(m), *sq = fd_driver(s), *spare = allocq();
	struct qinit *mi = mq->q_qinfo, *si = sq->q_qinfo;
	dev_t dev = makedevice(1, 5);

	cr_assert_eq(mi->qi_qopen(mq, &dev, 0, 0, kcred), 0, "a reopen is fine");
	cr_assert_eq(mi->qi_qopen(spare, &dev, 0, MODOPEN, kcred), ENXIO);
	cr_assert_eq(mi->qi_qopen(spare, &dev, 0, 0, kcred), ENXIO, "not a clone, minor 5");
	cr_assert_eq(si->qi_qopen(spare, &dev, 0, MODOPEN, kcred), EINVAL);
	cr_assert_eq(si->qi_qopen(spare, &dev, 0, CLONEOPEN, kcred), EINVAL);
	spare->q_stream = _WR(spare)->q_stream = STREAM(mq);
	freeq(spare);
	FAILS(U_IOCTL(m, I_PUSH, "ptm"), EINVAL);
	FAILS(U_IOCTL(m, I_PUSH, "pts"), EINVAL);
	DONE;
}

PROGRAM(pty, so_many_and_no_more)
{
	int64_t m;

	pt_max_pty = 2;
	m = master();
	cr_assert_geq(master(), 0);
	FAILS(master(), ENOMEM);
	OK(U_CLOSE(m), 0);
	cr_assert_geq(master(), 0);
	pt_max_pty = 0;
	pt_cnt = 1;
	cr_assert_geq(master(), 0, "memory allows more than it must");
	DONE;
}

PROGRAM(pty, masters_without_memory)
{
	int n, m;

	for (n = 1; n <= 2; n++) { /* the options, nothing else but them */
		allocb_fail_nth(n);
		m = (int)master();
		allocb_fail_nth(0);
		if (m >= 0)
			break;
		cr_assert_eq(user_errno(), ENOMEM);
		cr_assert_null(ptms_minor2ptty(1));
	}
	cr_assert_eq(n, 2);
	OK(U_CLOSE(m), 0);
	for (n = 1; n < 30; n++) {
		kmem_fail_nth(n);
		m = (int)master();
		kmem_fail_nth(0);
		if (m >= 0)
			break;
		cr_assert_null(ptms_minor2ptty(1), "at %d", n);
	}
	cr_assert_gt(n, 3);
	cr_assert_lt(n, 30);
	/* A table that cannot grow. */
	for (n = 2; n <= 16; n++)
		cr_assert_geq(master(), 0);
	kmem_fail_nth(-5);
	cr_assert_eq(master(), -1);
	kmem_fail_nth(0);
	cr_assert_eq(minor_of(master()), 17);
	DONE;
}

PROGRAM(pty, slaves_without_memory)
{
	int64_t m = master(), s;
	int n;

	OK(U_IOCTL(m, UNLKPT, 0), 0);
	for (n = 1; n < 10; n++) {
		allocb_fail_nth(n);
		s = U_OPEN(slave_path(m), O_RDWR | O_NOCTTY);
		allocb_fail_nth(0);
		if (s >= 0)
			break;
		cr_assert_eq(user_errno(), ENOMEM);
		cr_assert_eq(pt_of(m)->pt_state, PTMOPEN);
		cr_assert_null(pt_of(m)->pt_nullmsg);
	}
	cr_assert_eq(n, 3); /* options and end of file */
	DONE;
}

/* ---- the master's ioctls ---- */

PROGRAM(pty, is_it_a_master)
{
	int64_t m, s;
	struct strioctl str = {ISPTM, 0, 0, NULL};

	pair(&m, &s);
	OK(U_IOCTL(m, ISPTM, 0), 0);
	OK(U_IOCTL(m, I_STR, &str), 0);
	FAILS(U_IOCTL(s, ISPTM, 0), EINVAL);
	str.ic_cmd = UNLKPT;
	OK(U_IOCTL(m, I_STR, &str), 0);
	DONE;
}

/* ZONEPT with so many bytes of a zone's number. */
static int64_t zonept(int64_t m, zoneid_t zone, int len)
{
	struct strioctl str = {ZONEPT, 0, len, (char *)&zone};

	return U_IOCTL(m, I_STR, &str);
}

PROGRAM(pty, whose_the_slave_is)
{
	int64_t m = master(), s = slave(m);
	zoneid_t zone = 5;

	FAILS(U_IOCTL(m, ZONEPT, &zone), EINVAL); /* transparent */
	OK(zonept(m, 5, 4), 0);
	cr_assert_eq(pt_of(m)->pt_zoneid, 5);
	OK(U_CLOSE(s), 0);
	FAILS(U_OPEN(slave_path(m), O_RDWR), EPERM);
	FAILS(zonept(m, -1, 4), EINVAL);
	FAILS(zonept(m, 10000, 4), EINVAL);
	FAILS(zonept(m, 6, 3), EINVAL);
	FAILS(zonept(m, 6, 0), EINVAL);
	cr_assert_eq(pt_of(m)->pt_zoneid, 5);
	OK(zonept(m, 9999, 4), 0);
	OK(zonept(m, GLOBAL_ZONEID, 4), 0);
	cr_assert_geq(U_OPEN(slave_path(m), O_RDWR | O_NOCTTY), 0);
	curproc->p_fd[m]->f_cred->cr_uid = 100;
	FAILS(zonept(m, 5, 4), EPERM);
	curproc->p_fd[m]->f_cred->cr_uid = 0;
	DONE;
}

PROGRAM(pty, other_ioctls_go_to_the_slave)
{
	int64_t m = master(), s;

	FAILS(U_IOCTL(m, LOOP_ACK, 0), EINVAL); /* locked */
	OK(U_IOCTL(m, UNLKPT, 0), 0);
	FAILS(U_IOCTL(m, LOOP_ACK, 0), EINVAL); /* nobody there */
	s = slave(m);
	OK(U_IOCTL(s, I_PUSH, "tap"), 0);
	FAILS(U_IOCTL(m, LOOP_ACK, 0), EINVAL); /* refused by the slave's head */
	cr_assert_eq(strncmp(st_noted(), "slave:IOCTL(L1,-1)", 18), 0);
	DONE;
}

/* ---- data, and who sends it on ---- */

PROGRAM(pty, both_ways)
{
	int64_t m, s;

	pair(&m, &s);
	OK(U_WRITE(m, "typed", 5), 5);
	expect_read(s, "typed");
	OK(U_WRITE(s, "printed", 7), 7);
	expect_read(m, "printed");
	NOTHING(m);
	NOTHING(s);
	DONE;
}

PROGRAM(pty, bare_drivers_split_writes)
{
	static char buf[1100];
	int64_t m, s;

	tapped(&m, &s);
	OK(U_IOCTL(m, I_POP, 0), 0);
	OK(U_IOCTL(s, I_POP, 0), 0);
	OK(U_IOCTL(s, I_PUSH, "tap"), 0);
	memset(buf, 'x', sizeof(buf));
	tap_eat = true;
	OK(U_WRITE(m, buf, sizeof(buf) - 100), 1000);
	st_expect("slave:512 slave:488");
	OK(U_IOCTL(m, I_PUSH, "whole"), 0);
	OK(U_WRITE(m, buf, sizeof(buf)), 1100);
	st_expect("slave:1100");
	DONE;
}

/* A write runs the service procedure of its own stream's driver before it returns. */
PROGRAM(pty, writes_are_served_in_the_foreground)
{
	int64_t m, s;

	tapped(&m, &s);
	OK(U_WRITE(m, "a", 1), 1);
	st_expect("slave:DATA:a");
	st_expect_stack(tap_stack[1], "putnext < ptmwsrv < runservice < queue_service < stream_runservice < strput < "
				      "strwrite < spec_write < fop_write");
	OK(U_WRITE(s, "b", 1), 1);
	st_expect("master:DATA:b");
	st_expect_stack(tap_stack[0], "putnext < ptswsrv < runservice < queue_service < stream_runservice < strput < "
				      "strwrite < spec_write < fop_write");
	DONE;
}

static queue_t *background_q;

static void background(void *arg)
{
	(void)arg;
	put(background_q, st_msg(M_DATA, "c"));
	st_note("queued");
}

/* What somebody else's thread queues is a task's. */
PROGRAM(pty, others_messages_are_served_by_a_task)
{
	int64_t m, s;

	tapped(&m, &s);
	background_q = driver_wq(m);
	taskq_dispatch(system_taskq, background, NULL, TQ_SLEEP);
	settle();
	st_expect("queued slave:DATA:c");
	cr_assert_str_eq(tap_stack[1],
			 "putnext < ptmwsrv < runservice < queue_service < stream_service < taskq_d_thread");
	background_q = driver_wq(s);
	thread_create(background, NULL, 60);
	settle();
	st_expect("queued master:DATA:c");
	cr_assert_str_eq(tap_stack[0],
			 "putnext < ptswsrv < runservice < queue_service < stream_service < taskq_d_thread");
	DONE;
}

static mblk_t *echo(void)
{
	return st_msg(M_DATA, "echo");
}

/* An echo is made by the thread of the master's write, which serves the master's stream only. */
PROGRAM(pty, an_echo_is_served_by_a_task)
{
	int64_t m, s;

	tapped(&m, &s);
	tap_reply = echo;
	OK(U_WRITE(m, "a", 1), 1);
	st_expect("slave:DATA:a master:DATA:echo");
	cr_assert_str_eq(tap_stack[0],
			 "putnext < ptswsrv < runservice < queue_service < stream_service < taskq_d_thread");
	DONE;
}

/* ... unless the slave's own thread comes first. */
PROGRAM(pty, the_slaves_next_call_takes_an_echo_that_waits)
{
	int64_t m, s;

	tapped(&m, &s);
	tap_reply = echo;
	putnext(fd_driver(s), st_msg(M_DATA, "a"));
	OK(U_WRITE(s, "b", 1), 1);
	st_expect("slave:DATA:a master:DATA:echo master:DATA:b");
	st_expect_stack(tap_stack[0], "putnext < ptswsrv < runservice < queue_service < stream_runservice < strput");
	DONE;
}

/* ---- every message, from the master ---- */

static const int ordinary[] = {M_DATA, M_PROTO, M_BREAK, M_SIG, M_DELAY, M_CTL, M_RSE};
static const int priority[] = {M_PCPROTO, M_PCSIG,  M_STOP,   M_START,   M_STOPI,   M_STARTI,   M_HANGUP, M_ERROR,
			       M_IOCACK,  M_IOCNAK, M_COPYIN, M_COPYOUT, M_IOCDATA, M_UNHANGUP, M_PCRSE};

/* Send one message of each type down from fd: it must arrive at the other side's tap. */
static void each_arrives(int64_t fd, const char *side, const int *types, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		mblk_t *mp = pt_ioctl(TCSETS, "x", 1);
		char want[1024];

		DB_TYPE(mp) = (uchar_t)types[i];
		snprintf(want, sizeof(want), "%s:%s", side, pt_show(mp));
		down(fd, mp);
		st_expect(want);
	}
}

PROGRAM(pty, everything_goes_to_the_slave)
{
	int64_t m, s;

	tapped(&m, &s);
	tap_eat = true;
	each_arrives(m, "slave", ordinary, sizeof(ordinary) / sizeof(ordinary[0]));
	each_arrives(m, "slave", priority, sizeof(priority) / sizeof(priority[0]));
	down(m, st_msg(M_READ, "12345678"));
	st_expect("");
	down(m, pt_transparent(PTSSTTY, 0));
	cr_assert_eq(strncmp(st_noted(), "slave:IOCTL(P3,-1)", 18), 0, "not the master's");
	DONE;
}

PROGRAM(pty, everything_goes_to_the_master)
{
	int64_t m, s;

	tapped(&m, &s);
	tap_eat = true;
	each_arrives(s, "master", ordinary, sizeof(ordinary) / sizeof(ordinary[0]));
	each_arrives(s, "master", priority, sizeof(priority) / sizeof(priority[0]));
	down(s, st_msg(M_READ, "12345678"));
	st_expect("");
	down(s, pt_ioctl(TCSETS, "x", 1));
	st_expect("master:IOCTL(T14,1):x");
	DONE;
}

/* High-priority messages of the slave do not wait for a service procedure; those of the master do. */
PROGRAM(pty, who_passes_priority_messages)
{
	int64_t m, s;

	tapped(&m, &s);
	down(s, st_msg(M_STOP, ""));
	st_expect_stack(tap_stack[0], "putnext < ptswput < putnext < st_passput");
	down(m, st_msg(M_STARTI, ""));
	st_expect_stack(tap_stack[1], "putnext < ptmwsrv < runservice < queue_service < stream_service");
	DONE;
}

PROGRAM(pty, a_master_without_slave)
{
	int64_t m = master();

	OK(U_IOCTL(m, I_PUSH, "tap"), 0);
	tap_eat = true;
	for (size_t i = 0; i < sizeof(ordinary) / sizeof(ordinary[0]); i++) {
		down(m, bytes_msg(ordinary[i], "x", 1));
		st_expect("master:ERROR:\\ff\\16");
	}
	down(m, st_msg(M_STOP, ""));
	st_expect("master:ERROR:\\ff\\16");
	pt_of(m)->pt_state &= ~PTLOCK;
	mblk_t *mp = st_msg(M_DATA, "a"), *dup = dupmsg(mp);
	mp->b_cont = st_msg(M_DATA, "b");
	down(m, mp);
	st_expect("master:ERROR:\\ff\\16");
	cr_assert_str_eq(st_text(dup), "a.", "what others see is not changed");
	freemsg(dup);
	down(m, st_msg(M_READ, "12345678"));
	down(m, byte_msg(M_FLUSH, FLUSHRW));
	st_expect("");
	DONE;
}

PROGRAM(pty, a_write_without_slave_is_an_error)
{
	int64_t m = master();

	OK(U_WRITE(m, "x", 1), 1);
	FAILS(U_WRITE(m, "x", 1), EINVAL);
	DONE;
}

PROGRAM(pty, an_error_without_memory)
{
	int64_t m = master();
	mblk_t *mp = st_msg(M_DATA, "x"), *dup = dupmsg(mp);

	OK(U_IOCTL(m, I_PUSH, "tap"), 0);
	allocb_fail_nth(1);
	down(m, mp);
	allocb_fail_nth(0);
	st_expect("");
	freemsg(dup);
	DONE;
}

PROGRAM(pty, a_locked_pair_with_a_slave)
{
	int64_t m, s;

	tapped(&m, &s);
	pt_of(m)->pt_state |= PTLOCK;
	tap_eat = true;
	down(m, st_msg(M_DATA, "x"));
	st_expect("master:ERROR:\\ff\\16");
	down(m, byte_msg(M_FLUSH, FLUSHRW));
	st_expect("");
	down(s, st_msg(M_DATA, "x"));
	st_expect("master:DATA:x");
	DONE;
}

/* ---- flushing ---- */

PROGRAM(pty, the_masters_flush_is_the_slaves_the_other_way_round)
{
	int64_t m, s;

	tapped(&m, &s);
	tap_eat = true;
	down(m, byte_msg(M_FLUSH, FLUSHR));
	st_expect("slave:FLUSH:\\02");
	down(m, byte_msg(M_FLUSH, FLUSHW));
	st_expect("slave:FLUSH:\\01");
	down(m, byte_msg(M_FLUSH, FLUSHRW));
	st_expect("slave:FLUSH:\\03");
	down(m, bytes_msg(M_FLUSH, "\6\2", 2));
	st_expect("slave:FLUSH:\\05\\02");
	down(m, byte_msg(M_FLUSH, 0));
	st_expect("");
	DONE;
}

PROGRAM(pty, the_slaves_flush)
{
	int64_t m, s;
	mblk_t *mp;

	tapped(&m, &s);
	tap_eat = true;
	down(s, byte_msg(M_FLUSH, FLUSHR));
	st_expect("slave:FLUSH:\\01");
	down(s, byte_msg(M_FLUSH, FLUSHW));
	st_expect("master:FLUSH:\\01");
	down(s, byte_msg(M_FLUSH, FLUSHRW));
	st_expect("master:FLUSH:\\01 slave:FLUSH:\\01");
	mp = byte_msg(M_FLUSH, FLUSHRW);
	allocb_fail_nth(1); /* no copy for the master */
	down(s, mp);
	allocb_fail_nth(0);
	st_expect("slave:FLUSH:\\01");
	down(s, byte_msg(M_FLUSH, 0));
	st_expect("");
	DONE;
}

/* Fill a driver's write queue: its peer's head has no room. */
static void block(int64_t peer)
{
	_RD(fd_stream(peer)->sd_wrq)->q_flag |= QFULL;
}

static void unblock(int64_t peer)
{
	queue_t *q = _RD(fd_stream(peer)->sd_wrq);

	q->q_flag &= ~(uint_t)(QFULL | QWANTW);
	backenable(q, 0);
	settle();
}

/* Data and a band on the driver's queue, then this flush: what is left. */
static const char *left_after(int64_t fd, mblk_t *flush)
{
	static char left[64];

	noenable(driver_wq(fd)); /* so that nothing is sent on */
	down(fd, st_msg(M_DATA, "a"));
	down(fd, st_band(1, "b"));
	down(fd, pt_ioctl(TCSETS, NULL, 0));
	cr_assert_eq(qsize(driver_wq(fd)), 3);
	tap_eat = true;
	down(fd, flush);
	tap_eat = false;
	snprintf(left, sizeof(left), "%d", qsize(driver_wq(fd)));
	for (const mblk_t *mp = driver_wq(fd)->q_first; mp != NULL; mp = mp->b_next)
		snprintf(left + strlen(left), sizeof(left) - strlen(left), " %s", pt_type(DB_TYPE(mp)));
	flushq(driver_wq(fd), FLUSHALL);
	enableok(driver_wq(fd));
	return left;
}

PROGRAM(pty, what_a_flush_leaves)
{
	int64_t m, s;

	tapped(&m, &s);
	cr_assert_str_eq(left_after(m, byte_msg(M_FLUSH, FLUSHW)), "1 IOCTL");
	cr_assert_str_eq(left_after(m, byte_msg(M_FLUSH, FLUSHR)), "3 DATA DATA IOCTL");
	cr_assert_str_eq(left_after(m, bytes_msg(M_FLUSH, "\6\1", 2)), "2 DATA IOCTL");
	cr_assert_str_eq(left_after(s, byte_msg(M_FLUSH, FLUSHW)), "1 IOCTL");
	cr_assert_str_eq(left_after(s, byte_msg(M_FLUSH, FLUSHR)), "3 DATA DATA IOCTL");
	cr_assert_str_eq(left_after(s, bytes_msg(M_FLUSH, "\6\1", 2)), "1 IOCTL");
	down(s, pt_transparent(PTSSTTY, 0)); /* bands mean something now */
	cr_assert_str_eq(left_after(s, bytes_msg(M_FLUSH, "\6\1", 2)), "2 DATA IOCTL");
	DONE;
}

/* A flush of both by either head ends. */
PROGRAM(pty, flushes_do_not_go_round_for_ever)
{
	int64_t m, s;

	tapped(&m, &s);
	OK(U_IOCTL(s, I_FLUSH, FLUSHRW), 0);
	OK(U_IOCTL(m, I_FLUSH, FLUSHRW), 0);
	DONE;
}

PROGRAM(pty, the_programs_flush_drops_the_others_input)
{
	int64_t m, s;

	pair(&m, &s);
	OK(U_WRITE(s, "out", 3), 3);
	OK(U_IOCTL(s, I_FLUSH, FLUSHW), 0);
	NOTHING(m);
	OK(U_WRITE(m, "in", 2), 2);
	OK(U_IOCTL(s, I_FLUSH, FLUSHR), 0);
	NOTHING(s);
	OK(U_WRITE(m, "in", 2), 2);
	OK(U_IOCTL(m, I_FLUSH, FLUSHW), 0);
	NOTHING(s);
	OK(U_WRITE(s, "out", 3), 3);
	OK(U_IOCTL(m, I_FLUSH, FLUSHR), 0);
	NOTHING(m);
	DONE;
}

/* ---- PTSSTTY ---- */

PROGRAM(pty, ptsstty_once_for_each_open)
{
	int64_t m, s;

	pair(&m, &s);
	OK(U_IOCTL(s, PTSSTTY, 0), 0);
	cr_assert(pt_of(s)->pt_state & PTSTTY);
	FAILS(U_IOCTL(s, PTSSTTY, 0), EEXIST);
	OK(U_CLOSE(s), 0);
	s = slave(m);
	OK(U_IOCTL(s, PTSSTTY, 0), 0);
	DONE;
}

/* ---- flow control ---- */

/* Write numbered bytes to one side as long as it takes any. */
static int fill(int64_t fd)
{
	int n = 0;
	uchar_t c = 0;

	while (U_WRITE(fd, &c, 1) == 1)
		c = (uchar_t)(++n);
	cr_assert_eq(user_errno(), EAGAIN);
	return n;
}

static void drain(int64_t fd, int n)
{
	uchar_t c;

	for (int i = 0; i < n; i++) {
		OK(U_READ(fd, &c, 1), 1);
		cr_assert_eq(c, (uchar_t)i);
	}
}

PROGRAM(pty, a_reader_that_does_not_read_stops_the_writer)
{
	int64_t m, s, from, to;
	int n;

	pair(&m, &s);
	for (int way = 0; way < 2; way++) {
		from = way == 0 ? m : s;
		to = way == 0 ? s : m;
		n = fill(from);
		cr_assert_geq(n, 1024, "%d: head and driver", n);
		cr_assert(qsize(driver_wq(from)) > 0);
		drain(to, n);
		NOTHING(to);
		cr_assert_eq(qsize(driver_wq(from)), 0);
		OK(U_WRITE(from, "x", 1), 1);
		expect_read(to, "x");
	}
	DONE;
}

/* Priority messages are not held up; the order is kept. */
PROGRAM(pty, priority_passes_where_data_cannot)
{
	int64_t m, s;

	tapped(&m, &s);
	for (int way = 0; way < 2; way++) {
		int64_t from = way == 0 ? m : s, to = way == 0 ? s : m;

		block(to);
		tap_eat = true;
		down(from, st_msg(M_DATA, "a"));
		down(from, st_msg(M_CTL, "b"));
		st_expect("");
		down(from, st_msg(M_STARTI, ""));
		st_expect(way == 0 ? "slave:STARTI" : "master:STARTI");
		tap_eat = false;
		unblock(to);
		st_expect(way == 0 ? "slave:DATA:a slave:CTL:b" : "master:DATA:a master:CTL:b");
	}
	DONE;
}

PROGRAM(pty, a_band_without_memory)
{
	int64_t m, s;

	tapped(&m, &s);
	for (int way = 0; way < 2; way++) {
		mblk_t *mp = st_band(4, "b");

		kmem_fail_nth(1);
		down(way == 0 ? m : s, mp);
		kmem_fail_nth(0);
		st_expect("");
	}
	DONE;
}

/* ---- the slave closes ---- */

PROGRAM(pty, the_master_reads_end_of_file)
{
	int64_t m, s;
	char c;

	pair(&m, &s);
	OK(U_WRITE(s, "bye", 3), 3);
	OK(U_CLOSE(s), 0);
	expect_read(m, "bye");
	OK(U_READ(m, &c, 1), 0);
	NOTHING(m);
	s = slave(m);
	OK(U_WRITE(s, "again", 5), 5);
	expect_read(m, "again");
	OK(U_WRITE(m, "hello", 5), 5);
	expect_read(s, "hello");
	DONE;
}

PROGRAM(pty, a_master_that_sleeps_is_woken_by_the_end)
{
	int64_t m, s;
	pollfd_t pfd;

	pair(&m, &s);
	pfd.fd = (int)m;
	pfd.events = POLLIN;
	OK(U_POLL(&pfd, 1, 0), 0);
	OK(U_CLOSE(s), 0);
	OK(U_POLL(&pfd, 1, 0), 1);
	DONE;
}

/* What the master had no room for is delivered all the same. */
PROGRAM(pty, a_slave_closes_with_output_queued)
{
	int64_t m, s;
	char c;
	int n;

	pair(&m, &s);
	n = fill(s);
	OK(U_CLOSE(s), 0);
	drain(m, n);
	OK(U_READ(m, &c, 1), 0);
	DONE;
}

PROGRAM(pty, a_slave_closes_with_input_queued)
{
	int64_t m, s;
	char c;

	pair(&m, &s);
	fill(m);
	OK(U_CLOSE(s), 0);
	settle();
	cr_assert_eq(qsize(driver_wq(m)), 0, "nobody will read it");
	OK(U_READ(m, &c, 1), 0);
	DONE;
}

/* An ioctl of the master that waits for room at the slave is answered when the slave goes. */
static int64_t other_fd;
static int other_error;
static bool other_done;

static void other_ioctl(void *arg)
{
	(void)arg;
	other_error = U_IOCTL(other_fd, LOOP_ACK, 0) == -1 ? user_errno() : 0;
	other_done = true;
}

PROGRAM(pty, a_slave_closes_with_the_masters_ioctl_queued)
{
	int64_t m, s;

	pair(&m, &s);
	fill(m);
	other_fd = m;
	other_done = false;
	lwp_create(curproc, other_ioctl, NULL);
	U_POLL(NULL, 0, 20);
	cr_assert_not(other_done);
	OK(U_CLOSE(s), 0);
	U_POLL(NULL, 0, 20);
	cr_assert(other_done);
	cr_assert_eq(other_error, EINVAL);
	DONE;
}

PROGRAM(pty, a_slave_closes_with_the_masters_messages_queued)
{
	int64_t m, s;

	tapped(&m, &s);
	block(s);
	down(m, st_msg(M_DATA, "a"));
	down(m, pt_ioctl(TCSETS, "abcd", 4));
	down(m, st_msg(M_CTL, "c"));
	cr_assert_eq(qsize(driver_wq(m)), 3);
	st_noted();
	tap_eat = true;
	OK(U_CLOSE(s), 0);
	settle();
	st_expect("master:DATA master:NAK(T14,22):abcd master:ERROR:\\ff\\16");
	cr_assert_eq(qsize(driver_wq(m)), 0);
	DONE;
}

PROGRAM(pty, the_end_that_was_told_already)
{
	int64_t m, s;

	tapped(&m, &s);
	freemsg(pt_of(s)->pt_nullmsg);
	pt_of(s)->pt_nullmsg = NULL;
	OK(U_CLOSE(s), 0);
	settle();
	st_expect("master:ERROR:\\ff\\16"); /* its service procedure looked, and found nobody */
	DONE;
}

/* ---- the master closes ---- */

PROGRAM(pty, the_slave_is_hung_up)
{
	int64_t m, s;
	char c;

	tapped(&m, &s);
	OK(U_WRITE(m, "last", 4), 4);
	st_noted();
	OK(U_CLOSE(m), 0);
	st_expect("slave:HANGUP signal:1"); /* the push made it the controlling terminal */
	expect_read(s, "last");
	OK(U_READ(s, &c, 1), 0);
	FAILS(U_WRITE(s, "x", 1), EIO);
	FAILS(U_IOCTL(s, TCGETS, &c), ENXIO);
	OK(U_CLOSE(s), 0);
	cr_assert_null(ptms_minor2ptty(1));
	DONE;
}

PROGRAM(pty, a_hangup_signals_the_session)
{
	int64_t m = master(), s;

	OK(U_IOCTL(m, UNLKPT, 0), 0);
	s = U_OPEN(slave_path(m), O_RDWR);
	cr_assert_eq(curproc->p_ctty, fd_stream(s));
	OK(U_CLOSE(m), 0);
	settle();
	st_expect("signal:1");
	DONE;
}

PROGRAM(pty, messages_to_a_master_that_is_gone)
{
	int64_t m, s;

	tapped(&m, &s);
	OK(U_CLOSE(m), 0);
	st_noted();
	tap_eat = true;
	for (size_t i = 0; i < sizeof(ordinary) / sizeof(ordinary[0]); i++)
		down(s, bytes_msg(ordinary[i], "x", 1));
	down(s, st_msg(M_STOP, ""));
	down(s, byte_msg(M_FLUSH, FLUSHRW));
	st_expect("");
	down(s, pt_ioctl(TCSETS, "abcd", 4));
	st_expect("slave:NAK(T14,0)");
	down(s, pt_transparent(PTSSTTY, 0));
	st_expect("slave:NAK(P3,0)");
	DONE;
}

PROGRAM(pty, a_master_closes_with_the_slaves_messages_queued)
{
	int64_t m, s;

	tapped(&m, &s);
	tap_eat = true;
	block(m);
	down(s, st_msg(M_DATA, "a"));
	down(s, pt_ioctl(TCSETS, "abcd", 4));
	cr_assert_eq(qsize(driver_wq(s)), 2);
	st_noted();
	OK(U_CLOSE(m), 0);
	settle();
	st_expect("slave:HANGUP slave:NAK(T14,0)");
	cr_assert_eq(qsize(driver_wq(s)), 0);
	DONE;
}

PROGRAM(pty, a_master_closes_with_its_own_messages_queued)
{
	int64_t m, s;

	pair(&m, &s);
	fill(m);
	curproc->p_fd[m]->f_flag |= FNDELAY; /* do not wait for the queue to drain */
	OK(U_CLOSE(m), 0);
	OK(U_CLOSE(s), 0);
	DONE;
}

PROGRAM(pty, a_slave_closes_after_its_master)
{
	int64_t m, s;

	pair(&m, &s);
	OK(U_CLOSE(m), 0);
	down(s, st_msg(M_DATA, "x"));
	OK(U_CLOSE(s), 0);
	/* Its number is free again. */
	cr_assert_eq(minor_of(master()), 1);
	DONE;
}

PROGRAM(pty, a_hangup_without_memory)
{
	int64_t m, s;

	pair(&m, &s);
	allocb_fail_nth(-1);
	OK(U_CLOSE(m), 0);
	allocb_fail_nth(0);
	OK(U_WRITE(s, "x", 1), 1); /* to nobody */
	NOTHING(s);
	DONE;
}

/* ---- with ptem on the slave ---- */

static void terminal(int64_t *mp, int64_t *sp)
{
	pair(mp, sp);
	OK(U_IOCTL(*sp, I_PUSH, "ptem"), 0);
}

PROGRAM(pty, window_sizes)
{
	int64_t m, s;
	struct winsize w = {24, 80, 0, 0}, got = {0};

	terminal(&m, &s);
	FAILS(U_IOCTL(s, TIOCGWINSZ, &got), EINVAL);
	curproc->p_ctty = NULL;
	fd_stream(s)->sd_pgidp = curproc->p_pgrp;
	OK(U_IOCTL(m, TIOCSWINSZ, &w), 0);
	settle();
	st_expect("signal:20");
	OK(U_IOCTL(s, TIOCGWINSZ, &got), 0);
	cr_assert_eq(memcmp(&w, &got, sizeof(w)), 0);
	w.ws_row = 50;
	OK(U_IOCTL(s, TIOCSWINSZ, &w), 0);
	settle();
	st_expect("signal:20");
	OK(U_IOCTL(m, TIOCGWINSZ, &got), 0);
	cr_assert_eq(got.ws_row, 50);
	DONE;
}

PROGRAM(pty, line_flags)
{
	int64_t m, s;
	struct termios ts = {0};
	struct termio t = {0};

	terminal(&m, &s);
	OK(U_IOCTL(s, TCGETS, &ts), 0);
	cr_assert_eq(ts.c_cflag, 0xbdU);
	ts.c_cflag = 0xbe;
	OK(U_IOCTL(s, TCSETS, &ts), 0);
	OK(U_IOCTL(s, TCGETA, &t), 0);
	cr_assert_eq(t.c_cflag, 0xbe);
	NOTHING(m); /* the copy for a packet module was refused by the master's head */
	ts.c_cflag = 0;
	OK(U_IOCTL(s, TCSETS, &ts), 0);
	OK(U_READ(m, &t, 1), 0); /* hung up */
	FAILS(U_IOCTL(s, TCXONC, 0), EINVAL);
	OK(U_IOCTL(s, TCSBRK, 0), 0);
	DONE;
}

PROGRAM(pty, masters_commands)
{
	int64_t m, s;
	int one = 1, sig = SIGUSR1;

	terminal(&m, &s);
	fd_stream(s)->sd_pgidp = curproc->p_pgrp;
	OK(U_IOCTL(m, TIOCSIGNAL, SIGINT), 0);
	settle();
	st_expect("signal:2");
	OK(U_IOCTL(m, TIOCSIGNAL, &sig), 0); /* copied in through two streams */
	settle();
	st_expect("signal:16");
	sig = 77;
	FAILS(U_IOCTL(m, TIOCSIGNAL, &sig), EINVAL);
	FAILS(U_IOCTL(m, TIOCSIGNAL, 4096), EFAULT);
	OK(U_IOCTL(m, TIOCREMOTE, &one), 0);
	FAILS(U_IOCTL(m, TIOCREMOTE, 8), EFAULT);
	OK(U_IOCTL(m, TCSBRK, 0), 0);
	DONE;
}

PROGRAM(pty, typing_by_program)
{
	int64_t m, s;

	terminal(&m, &s);
	OK(U_IOCTL(s, TIOCSTI, "x"), 0);
	expect_read(s, "x");
	DONE;
}

PROGRAM(pty, output_that_is_stopped_at_the_end)
{
	int64_t m, s;

	terminal(&m, &s);
	down(s, st_msg(M_STOP, ""));
	OK(U_WRITE(s, "held", 4), 4);
	NOTHING(m);
	OK(U_CLOSE(m), 0);
	OK(U_CLOSE(s), 0);
	DONE;
}

/* ---- with bufmod on the master ---- */

PROGRAM(pty, chunks_for_the_emulator)
{
	int64_t m, s;
	struct timeval32 tv = {0, 50000};
	uint_t flags = SB_NO_HEADER | SB_NO_PROTO_CVT | SB_NO_DROPS, size = 2048;
	struct strioctl str = {SBIOCSFLAGS, 0, sizeof(flags), (char *)&flags};

	terminal(&m, &s);
	OK(U_IOCTL(m, I_PUSH, "bufmod"), 0);
	OK(U_IOCTL(m, I_STR, &str), 0);
	OK(U_IOCTL(m, SBIOCSTIME, &tv), 0); /* transparent */
	OK(U_IOCTL(m, SBIOCSCHUNK, &size), 0);
	cr_assert_eq(_RD(fd_stream(m)->sd_wrq)->q_hiwat, 8704);
	OK(U_WRITE(s, "a", 1), 1);
	OK(U_WRITE(s, "b", 1), 1);
	NOTHING(m);
	U_POLL(NULL, 0, 60);
	expect_read(m, "ab");
	tv = (struct timeval32){0};
	OK(U_IOCTL(m, SBIOCGTIME, &tv), 0);
	cr_assert_eq(tv.tv_usec, 50000);
	OK(U_WRITE(s, "c", 1), 1);
	OK(U_CLOSE(m), 0); /* with a chunk and its timer */
	U_POLL(NULL, 0, 100);
	DONE;
}

PROGRAM(pty, a_reader_of_chunks_that_does_not_read)
{
	int64_t m, s;
	struct timeval32 tv = {0, 10000};
	uint_t flags = SB_NO_HEADER | SB_NO_DROPS, size = 64;
	int n;

	terminal(&m, &s);
	OK(U_IOCTL(m, I_PUSH, "bufmod"), 0);
	OK(U_IOCTL(m, SBIOCSFLAGS, &flags), 0);
	OK(U_IOCTL(m, SBIOCSTIME, &tv), 0);
	OK(U_IOCTL(m, SBIOCSCHUNK, &size), 0);
	n = fill(s);
	cr_assert_gt(n, 768 + 64);
	for (uchar_t c, i = 0; n > 0; n--, i++) {
		if (U_READ(m, &c, 1) == -1) {
			U_POLL(NULL, 0, 30); /* the last chunk's time */
			OK(U_READ(m, &c, 1), 1);
		}
		cr_assert_eq(c, i);
	}
	NOTHING(m);
	DONE;
}
