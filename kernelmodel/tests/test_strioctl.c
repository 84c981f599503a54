/* ioctl down a stream and its answers; conversion groups; flushing; terminals; fd insertion. */
#include "tests/headtest.h"
#include "sys/kbio.h"
#include "sys/msio.h"
#include "sys/termios.h"
#include "sys/ttold.h"
#include "sys/vuid_event.h"

STR_SUITE(strioctl);

/* ---- I_STR ---- */

PROGRAM(strioctl, i_str_acknowledged_and_refused)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	struct strioctl s = {LOOP_ACK, 0, 0, NULL};

	OK(U_IOCTL(fd, I_STR, &s), 7);
	s.ic_cmd = LOOP_NAK;
	FAILS(U_IOCTL(fd, I_STR, &s), EINVAL);
	s.ic_cmd = LOOP_NAKERR;
	FAILS(U_IOCTL(fd, I_STR, &s), EPERM);
	s.ic_cmd = LOOP_ACKERR;
	FAILS(U_IOCTL(fd, I_STR, &s), ENOMSG);
	DONE;
}

PROGRAM(strioctl, i_str_data_goes_down_and_comes_back)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	static char buf[3000];
	struct strioctl s = {LOOP_ECHO, 0, sizeof(buf), buf};

	memset(buf, 'a', sizeof(buf));
	loop_stop = true;
	OK(U_IOCTL(fd, I_STR, &s), 0);
	cr_assert_eq(s.ic_len, 3000);
	s.ic_dp = NULL;
	FAILS(U_IOCTL(fd, I_STR, &s), EFAULT);
	s.ic_len = 0;
	OK(U_IOCTL(fd, I_STR, &s), 0);
	cr_assert_eq(s.ic_len, 0);
	DONE;
}

static mblk_t *seen_ioctl;
static int spy_wput(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) == M_IOCTL)
		seen_ioctl = copymsg(mp);
	putnext(q, mp);
	return 0;
}
static struct qinit spy_winit = {.qi_putp = spy_wput, .qi_minfo = &pass_info};
static struct streamtab spy_tab = {&pass_rinit, &spy_winit, NULL, NULL};
STREAMS_MODULE(spy, "spy", &spy_tab, D_MP);

/* The ioctl message that went down last: count, and bytes behind it; forgotten then. */
static uint_t seen(int *cmdp, size_t *sizep)
{
	struct iocblk *ioc;
	uint_t count;

	cr_assert_not_null(seen_ioctl);
	ioc = (struct iocblk *)seen_ioctl->b_rptr;
	count = ioc->ioc_count;
	*cmdp = ioc->ioc_cmd;
	*sizep = seen_ioctl->b_cont == NULL ? 0 : msgsize(seen_ioctl->b_cont);
	freemsg(seen_ioctl);
	seen_ioctl = NULL;
	return count;
}

PROGRAM(strioctl, the_message_is_as_the_sheet_says)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	static char buf[2500];
	struct strioctl s = {LOOP_ECHO, 0, sizeof(buf), buf};
	struct iocblk *ioc;
	mblk_t *mp;

	OK(U_IOCTL(fd, I_PUSH, "spy"), 0);
	OK(U_IOCTL(fd, I_STR, &s), 0);
	mp = seen_ioctl;
	ioc = (struct iocblk *)mp->b_rptr;
	cr_assert_eq(ioc->ioc_cmd, LOOP_ECHO);
	cr_assert_eq(ioc->ioc_count, 2500);
	cr_assert_eq(ioc->ioc_cr, curproc->p_cred);
	cr_assert_eq(ioc->ioc_id, fd_stream(fd)->sd_iocid);
	cr_assert_eq(MBLKL(mp), sizeof(struct iocblk));
	cr_assert_geq(MBLKSIZE(mp), sizeof(union ioctypes));
	cr_assert_eq(MBLKL(mp->b_cont), 1024);
	cr_assert_eq(MBLKL(mp->b_cont->b_cont), 1024);
	cr_assert_eq(MBLKL(mp->b_cont->b_cont->b_cont), 452);
	cr_assert_eq(DB_CPID(mp->b_cont), curproc->p_pid);
	cr_assert_eq(fd_stream(fd)->sd_iocblk, (mblk_t *)-1, "marks a consumed answer");
	cr_assert_not(fd_stream(fd)->sd_flag & (IOCWAIT | IOCWAITNE));
	freemsg(mp);
	DONE;
}

PROGRAM(strioctl, i_str_checks_its_argument)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	struct strioctl s = {LOOP_ACK, 0, -1, NULL};
	static const int refused[] = {I_LINK, I_PLINK, I_UNLINK, I_PUNLINK};

	FAILS(U_IOCTL(fd, I_STR, 8), EFAULT);
	FAILS(U_IOCTL(fd, I_STR, &s), EINVAL);
	s.ic_len = 0;
	s.ic_timout = -2;
	FAILS(U_IOCTL(fd, I_STR, &s), EINVAL);
	s.ic_timout = 0;
	s.ic_len = 65537;
	FAILS(U_IOCTL(fd, I_STR, &s), EINVAL);
	s.ic_len = 0;
	for (int i = 0; i < 4; i++) {
		s.ic_cmd = refused[i];
		FAILS(U_IOCTL(fd, I_STR, &s), EINVAL);
	}
	up(fd, byte_msg(M_HANGUP, 0));
	s.ic_cmd = LOOP_ACK;
	FAILS(U_IOCTL(fd, I_STR, &s), ENXIO);
	DONE;
}

static void interrupt(void *p)
{
	psignal(p, SIGUSR1);
}

static void hang_up(void *driver)
{
	putnext(driver, byte_msg(M_HANGUP, 0));
}

PROGRAM(strioctl, an_unanswered_ioctl_times_out)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	struct strioctl s = {LOOP_SILENT, 2, 0, NULL};
	hrtime_t start = machine_now();

	curproc->p_caught |= SIGBIT(SIGUSR1);
	FAILS(U_IOCTL(fd, I_STR, &s), ETIME);
	cr_assert_eq(machine_now() - start, 2000000000LL);
	s.ic_timout = 0;
	FAILS(U_IOCTL(fd, I_STR, &s), ETIME);
	cr_assert_eq(machine_now() - start, 17000000000LL, "0 means 15 s");
	s.ic_timout = -1;
	timeout(interrupt, curproc, 2000);
	FAILS(U_IOCTL(fd, I_STR, &s), EINTR);
	cr_assert_eq(machine_now() - start, 37000000000LL);
	OK(U_IOCTL(fd, LOOP_ACK, 0), 7);
	timeout(hang_up, fd_driver(fd), 10);
	FAILS(U_IOCTL(fd, I_STR, &s), ENXIO);
	DONE;
}

PROGRAM(strioctl, a_late_answer_is_dropped)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	struct strioctl s = {LOOP_LATE, 1, 0, NULL};
	mblk_t *copy;

	FAILS(U_IOCTL(fd, I_STR, &s), ETIME);
	miocack(_WR(fd_driver(fd)), loop_kept, 0, 0);
	OK(U_IOCTL(fd, LOOP_ACK, 0), 7);
	FAILS(U_IOCTL(fd, I_STR, &s), ETIME);
	copy = loop_kept;
	/* A copy request nobody waits for is answered with a failure. */
	linkb(copy, st_msg(M_DATA, "12345678"));
	mcopyin(copy, NULL, 4, &s);
	qreply(_WR(fd_driver(fd)), copy);
	st_expect("iocdata:1");
	DONE;
}

static int second_result, second_errno;
static int64_t shared_fd;
static void second(void *arg)
{
	struct strioctl s = {LOOP_ACK, 0, 0, NULL};

	(void)arg;
	second_result = (int)U_IOCTL(shared_fd, I_STR, &s);
	second_errno = user_errno();
}

PROGRAM(strioctl, one_at_a_time)
{
	struct strioctl s = {LOOP_SILENT, 5, 0, NULL};
	hrtime_t start = machine_now();

	shared_fd = U_OPEN("/dev/loop", O_RDWR);
	lwp_create(curproc, second, NULL);
	FAILS(U_IOCTL(shared_fd, I_STR, &s), ETIME);
	U_POLL(NULL, 0, 10);
	cr_assert_eq(second_result, 7, "it waited for its turn");
	cr_assert_geq(machine_now() - start, 5000000000LL);
	s.ic_timout = 20;
	lwp_create(curproc, second, NULL);
	FAILS(U_IOCTL(shared_fd, I_STR, &s), ETIME);
	cr_assert_eq(second_result, -1);
	cr_assert_eq(second_errno, ETIME, "at most 15 s");
	DONE;
}

/* ---- transparent ---- */

PROGRAM(strioctl, an_unknown_command_is_transparent)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	int cmd, n = 21;
	size_t size;

	OK(U_IOCTL(fd, I_PUSH, "spy"), 0);
	OK(U_IOCTL(fd, LOOP_ACK, 0x1234), 7);
	cr_assert_eq(*(intptr_t *)seen_ioctl->b_cont->b_rptr, 0x1234);
	cr_assert_eq(seen(&cmd, &size), TRANSPARENT);
	cr_assert_eq(size, sizeof(intptr_t));
	OK(U_IOCTL(fd, LOOP_DOUBLE, &n), 3);
	cr_assert_eq(n, 42);
	st_expect("iocdata:0 iocdata:0");
	freemsg(seen_ioctl);
	FAILS(U_IOCTL(fd, LOOP_DOUBLE, 8), EFAULT);
	st_expect("iocdata:14");
	freemsg(seen_ioctl);
	DONE;
}

PROGRAM(strioctl, the_sends_of_one_ioctl)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	int n = 1;

	loop_stackdepth = 3;
	OK(U_IOCTL(fd, LOOP_DOUBLE, &n), 3);
	cr_assert_str_eq(loop_stack, "putnext < strdoioctl < strioctl");
	DONE;
}

PROGRAM(strioctl, no_memory)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	static char buf[2500];
	struct strioctl s = {LOOP_ECHO, 0, sizeof(buf), buf};
	int n = 4;

	/* The caller waits for memory, which is there at the next try. */
	for (int i = 1; i < 6; i++) {
		allocb_fail_nth(i);
		OK(U_IOCTL(fd, I_STR, &s), 0);
		allocb_fail_nth(i);
		OK(U_IOCTL(fd, LOOP_DOUBLE, &n), 3);
	}
	cr_assert_eq(n, 4 << 5);
	DONE;
}

/* ---- conversion groups ---- */

/* The call site in strioctl of the last ioctl: return address of strdoioctl. */
static uintptr_t site;
static int site_wput(queue_t *q, mblk_t *mp)
{
	const uintptr_t *fp = (const uintptr_t *)__builtin_frame_address(0);

	if (DB_TYPE(mp) == M_IOCTL) {
		/* site_wput < putnext < strdoioctl < strioctl */
		fp = (const uintptr_t *)fp[0];
		fp = (const uintptr_t *)fp[0];
		site = fp[1];
		seen_ioctl = copymsg(mp);
	}
	putnext(q, mp);
	return 0;
}
static struct qinit site_winit = {.qi_putp = site_wput, .qi_minfo = &pass_info};
static struct streamtab site_tab = {&pass_rinit, &site_winit, NULL, NULL};
STREAMS_MODULE(site, "site", &site_tab, D_MP);

struct group_case {
	int group, cmd;
	uint_t count;
};
static const struct group_case cases[] = {
    {1, TCXONC, 4},
    {1, TCSBRK, 4},
    {1, TCFLSH, 4},
    {1, TCDSET, 4},
    {2, TCSETA, 18},
    {2, TCSETAW, 18},
    {2, TCSETAF, 18},
    {3, TCSETS, 36},
    {3, TCSETSW, 36},
    {3, TCSETSF, 36},
    {4, LDSETT, 6},
    {5, TIOCSETP, 8},
    {6, TIOCSTI, 1},
    {7, TIOCSWINSZ, 8},
    {8, TIOCSSIZE, 8},
    {9, TIOCSSOFTCAR, 4},
    {9, KIOCTRANS, 4},
    {9, KIOCTRANSABLE, 4},
    {9, KIOCCMD, 4},
    {9, KIOCSDIRECT, 4},
    {9, KIOCSCOMPAT, 4},
    {9, KIOCSKABORTEN, 4},
    {9, KIOCSRPTDELAY, 4},
    {9, KIOCSRPTRATE, 4},
    {9, VUIDSFORMAT, 4},
    {9, TIOCSPPS, 4},
    {10, KIOCSETKEY, sizeof(struct kiockey)},
    {10, KIOCGETKEY, sizeof(struct kiockey)},
    {11, KIOCSKEY, sizeof(struct kiockeymap)},
    {11, KIOCGKEY, sizeof(struct kiockeymap)},
    {12, KIOCSLED, 1},
    {13, MSIOSETPARMS, 12},
    {14, VUIDSADDR, 4},
    {14, VUIDGADDR, 4},
    {15, TIOCGSOFTCAR, 0},
    {15, TIOCGWINSZ, 0},
    {15, TIOCGSIZE, 0},
    {15, KIOCGTRANS, 0},
    {15, KIOCGTRANSABLE, 0},
    {15, KIOCTYPE, 0},
    {15, KIOCGDIRECT, 0},
    {15, KIOCGCOMPAT, 0},
    {15, KIOCLAYOUT, 0},
    {15, KIOCGLED, 0},
    {15, MSIOGETPARMS, 0},
    {15, MSIOBUTTONS, 0},
    {15, VUIDGFORMAT, 0},
    {15, TIOCGPPS, 0},
    {15, TIOCGPPSEV, 0},
    {15, TCGETA, 0},
    {15, TCGETS, 0},
    {15, LDGETT, 0},
    {15, TIOCGETP, 0},
    {15, KIOCGRPTDELAY, 0},
    {15, KIOCGRPTRATE, 0},
    {16, TIOCSETC, TRANSPARENT},
    {16, TIOCREMOTE, TRANSPARENT},
    {16, KIOCSLAYOUT, TRANSPARENT},
    {16, LOOP_NAK, TRANSPARENT},
};

PROGRAM(strioctl, each_group_has_its_size_and_its_call_site)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	static char buf[64];
	struct strioctl s = {LOOP_NAK, 0, 0, NULL};
	uintptr_t sites[18] = {0};
	size_t size;
	int cmd;

	OK(U_IOCTL(fd, I_PUSH, "site"), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct group_case *c = &cases[i];

		FAILS(U_IOCTL(fd, c->cmd, buf), EINVAL);
		cr_assert_eq(seen(&cmd, &size), c->count, "count of 0x%x", c->cmd);
		cr_assert_eq(cmd, c->cmd);
		cr_assert_eq(size, c->count == TRANSPARENT ? sizeof(intptr_t) : c->count);
		if (sites[c->group] == 0)
			sites[c->group] = site;
		cr_assert_eq(site, sites[c->group], "call site of 0x%x", c->cmd);
	}
	FAILS(U_IOCTL(fd, I_STR, &s), EINVAL);
	freemsg(seen_ioctl);
	sites[17] = site;
	for (int i = 1; i < 18; i++)
		for (int j = 1; j < i; j++)
			cr_assert_neq(sites[i], sites[j], "groups %d and %d", i, j);
	DONE;
}

PROGRAM(strioctl, the_value_itself_goes_down_in_group_1)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);

	OK(U_IOCTL(fd, I_PUSH, "spy"), 0);
	FAILS(U_IOCTL(fd, TCFLSH, 2), EINVAL);
	cr_assert_eq(*(int *)seen_ioctl->b_cont->b_rptr, 2);
	freemsg(seen_ioctl);
	seen_ioctl = NULL;
	FAILS(U_IOCTL(fd, KIOCCMD, 8), EFAULT);
	cr_assert_null(seen_ioctl, "a bad address sends nothing");
	DONE;
}

static int tty_wput(queue_t *q, mblk_t *mp)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	if (DB_TYPE(mp) != M_IOCTL || (ioc->ioc_cmd != TCGETS && ioc->ioc_cmd != TIOCSTI)) {
		putnext(q, mp);
		return 0;
	}
	if (ioc->ioc_cmd == TCGETS) {
		mblk_t *dp = allocb(sizeof(struct termios), BPRI_MED);

		memset(dp->b_rptr, 0x5a, sizeof(struct termios));
		mioc2ack(mp, dp, sizeof(struct termios), 0);
		qreply(q, mp);
	} else {
		miocack(q, mp, 0, 0);
	}
	return 0;
}
static struct qinit tty_winit = {.qi_putp = tty_wput, .qi_minfo = &pass_info};
static struct streamtab tty_tab = {&pass_rinit, &tty_winit, NULL, NULL};
STREAMS_MODULE(tty, "tty", &tty_tab, D_MP | D_MTQPAIR);

PROGRAM(strioctl, the_reply_of_a_get_lands_at_the_argument)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	struct termios t = {0};

	OK(U_IOCTL(fd, I_PUSH, "tty"), 0);
	OK(U_IOCTL(fd, TCGETS, &t), 0);
	cr_assert_eq(t.c_iflag, 0x5a5a5a5a);
	FAILS(U_IOCTL(fd, TCGETS, 8), EFAULT);
	up(fd, byte_msg(M_HANGUP, 0));
	FAILS(U_IOCTL(fd, TCGETS, &t), ENXIO);
	DONE;
}

PROGRAM(strioctl, faking_input_needs_ones_own_terminal)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	cred_t *cr = curproc->p_fd[fd]->f_cred;

	OK(U_IOCTL(fd, I_PUSH, "tty"), 0);
	OK(U_IOCTL(fd, TIOCSTI, "x"), 0);
	cr->cr_uid = 100;
	FAILS(U_IOCTL(fd, TIOCSTI, "x"), EPERM);
	curproc->p_ctty = fd_stream(fd);
	fd_stream(fd)->sd_pgidp = curproc->p_pgrp;
	OK(U_IOCTL(fd, TIOCSTI, "x"), 0);
	cr->cr_uid = 0;
	curproc->p_ctty = NULL;
	DONE;
}

/* ---- flushing ---- */

PROGRAM(strioctl, flush_goes_down_and_comes_round)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR | O_NONBLOCK);
	char c;

	OK(U_WRITE(fd, "x", 1), 1);
	OK(U_IOCTL(fd, I_FLUSH, FLUSHRW), 0);
	st_expect("flush:3");
	FAILS(U_READ(fd, &c, 1), EAGAIN);
	OK(U_WRITE(fd, "x", 1), 1);
	OK(U_IOCTL(fd, I_FLUSH, FLUSHW), 0);
	st_expect("flush:2");
	OK(U_READ(fd, &c, 1), 1);
	FAILS(U_IOCTL(fd, I_FLUSH, 0), EINVAL);
	FAILS(U_IOCTL(fd, I_FLUSH, 4), EINVAL);
	allocb_fail_nth(1);
	OK(U_IOCTL(fd, I_FLUSH, FLUSHR), 0);
	st_noted();
	up(fd, byte_msg(M_HANGUP, 0));
	FAILS(U_IOCTL(fd, I_FLUSH, FLUSHR), ENXIO);
	st_expect("");
	DONE;
}

PROGRAM(strioctl, flush_is_followed_by_an_ioctl_nobody_knows)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	size_t size;
	int cmd;

	OK(U_IOCTL(fd, I_PUSH, "spy"), 0);
	OK(U_IOCTL(fd, I_FLUSH, FLUSHRW), 0);
	cr_assert_eq(seen(&cmd, &size), 0);
	cr_assert_eq(cmd, -1);
	DONE;
}

PROGRAM(strioctl, flush_of_a_band)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	struct bandinfo bi = {3, FLUSHR};
	queue_t *rq = _RD(fd_stream(fd)->sd_wrq);

	up(fd, st_band(3, "three"));
	up(fd, st_band(1, "one"));
	OK(U_IOCTL(fd, I_FLUSHBAND, &bi), 0);
	st_expect("flush:5");
	cr_assert_str_eq(st_queued(rq), "one");
	bi.bi_flag = 0;
	FAILS(U_IOCTL(fd, I_FLUSHBAND, &bi), EINVAL);
	bi.bi_flag = 8;
	FAILS(U_IOCTL(fd, I_FLUSHBAND, &bi), EINVAL);
	FAILS(U_IOCTL(fd, I_FLUSHBAND, 8), EFAULT);
	DONE;
}

/* ---- close time ---- */

PROGRAM(strioctl, close_time)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	int ms = 0;

	OK(U_IOCTL(fd, I_GETCLTIME, &ms), 0);
	cr_assert_eq(ms, 15000);
	ms = 70;
	OK(U_IOCTL(fd, I_SETCLTIME, &ms), 0);
	ms = 0;
	OK(U_IOCTL(fd, I_GETCLTIME, &ms), 0);
	cr_assert_eq(ms, 70);
	ms = -1;
	FAILS(U_IOCTL(fd, I_SETCLTIME, &ms), EINVAL);
	FAILS(U_IOCTL(fd, I_SETCLTIME, 8), EFAULT);
	DONE;
}

/* ---- sessions ---- */

PROGRAM(strioctl, a_terminal_becomes_the_controlling_terminal_of_a_session_leader)
{
	int64_t fd = U_OPEN("/dev/loop0", O_RDWR), other;
	proc_t *p = curproc;
	int pgrp = 0;

	p->p_sid = p->p_pgrp = p->p_pid;
	FAILS(U_IOCTL(fd, TIOCGPGRP, &pgrp), ENOTTY);
	FAILS(U_IOCTL(fd, TIOCSPGRP, &pgrp), ENOTTY);
	FAILS(U_IOCTL(fd, TIOCGSID, &pgrp), ENOTTY);
	setopts(fd, (struct stroptions){.so_flags = SO_ISTTY});
	OK(U_IOCTL(fd, __I_PUSH_NOCTTY, "pass"), 0);
	cr_assert_null(p->p_ctty);
	OK(U_IOCTL(fd, I_PUSH, "pass"), 0);
	cr_assert_eq(p->p_ctty, fd_stream(fd));
	OK(U_IOCTL(fd, TIOCGPGRP, &pgrp), 0);
	cr_assert_eq(pgrp, p->p_pgrp);
	OK(U_IOCTL(fd, TIOCGSID, &pgrp), 0);
	cr_assert_eq(pgrp, p->p_pid);
	pgrp = 0;
	FAILS(U_IOCTL(fd, TIOCSPGRP, &pgrp), EINVAL);
	pgrp = 29999;
	FAILS(U_IOCTL(fd, TIOCSPGRP, &pgrp), EPERM);
	FAILS(U_IOCTL(fd, TIOCSPGRP, 8), EFAULT);
	pgrp = p->p_pgrp;
	OK(U_IOCTL(fd, TIOCSPGRP, &pgrp), 0);
	other = U_OPEN("/dev/loop", O_RDWR);
	setopts(other, (struct stroptions){.so_flags = SO_ISTTY});
	OK(U_IOCTL(other, I_PUSH, "pass"), 0);
	cr_assert_eq(p->p_ctty, fd_stream(fd), "a session has one");
	p->p_ignore |= SIGBIT(SIGHUP);
	up(fd, byte_msg(M_HANGUP, 0));
	cr_assert_null(p->p_ctty, "a hang-up takes it away");
	DONE;
}

static char sigs[64];
static void catch (proc_t *p, int sig)
{
	(void)p;
	snprintf(sigs + strlen(sigs), sizeof(sigs) - strlen(sigs), " %d", sig);
}

PROGRAM(strioctl, a_hang_up_signals_leader_and_foreground)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	proc_t *p = curproc, *fg = proc_create(p, 0, "fg");

	p->p_sid = p->p_pgrp = p->p_pid;
	p->p_caught = fg->p_caught = ~0ULL;
	p->p_sighandler = fg->p_sighandler = catch;
	fg->p_sid = p->p_sid;
	fg->p_pgrp = fg->p_pid;
	setopts(fd, (struct stroptions){.so_flags = SO_ISTTY});
	OK(U_IOCTL(fd, I_PUSH, "pass"), 0);
	fd_stream(fd)->sd_pgidp = fg->p_pgrp;
	up(fd, byte_msg(M_HANGUP, 0));
	user_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
	cr_assert(strstr(sigs, " 1") != NULL);
	cr_assert(strstr(sigs, " 24") != NULL);
	fg->p_parent = p0;
	proc_exit(fg);
	DONE;
}

static void idle(void *arg)
{
	(void)arg;
}

PROGRAM(strioctl, a_terminal_leaves_with_the_session_leader)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	proc_t *leader = proc_create(curproc, 0, "leader");
	stdata_t *stp = fd_stream(fd);

	curproc->p_caught = ~0ULL;
	curproc->p_sighandler = catch;
	leader->p_sid = leader->p_pid;
	leader->p_ctty = stp;
	stp->sd_sidp = leader->p_pid;
	curproc->p_sid = leader->p_sid;
	curproc->p_ctty = stp;
	stp->sd_pgidp = curproc->p_pgrp;
	lwp_create(leader, idle, NULL);
	proc_exit(leader);
	U_POLL(NULL, 0, 20);
	cr_assert_str_eq(sigs, " 1");
	cr_assert_eq(stp->sd_sidp, 0);
	cr_assert_null(curproc->p_ctty);
	DONE;
}

/* ---- I_FDINSERT ---- */

PROGRAM(strioctl, fdinsert_puts_the_other_driver_into_the_control_part)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR), other = U_OPEN("/dev/loop", O_RDWR);
	int64_t ctl[2] = {1, 2};
	struct strfdinsert ins = {{0, sizeof(ctl), (char *)ctl}, {0, 4, "data"}, 0, (int)other, 8};
	queue_t *q;
	mblk_t *mp;

	OK(U_IOCTL(fd, I_FDINSERT, &ins), 0);
	mp = _RD(fd_stream(fd)->sd_wrq)->q_first;
	cr_assert_eq(DB_TYPE(mp), M_PROTO);
	memcpy(&q, mp->b_rptr + 8, sizeof(void *));
	cr_assert_eq(q, fd_driver(other));
	cr_assert_eq(*(int64_t *)mp->b_rptr, 1);
	cr_assert_eq(msgdsize(mp), 4);
	DONE;
}

PROGRAM(strioctl, fdinsert_refuses)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR), other = U_OPEN("/dev/loop", O_RDWR);
	int64_t ctl[2] = {1, 2};
	const struct strfdinsert good = {{0, sizeof(ctl), (char *)ctl}, {0, -1, NULL}, 0, (int)other, 8};
	struct strfdinsert ins = good;

	FAILS(U_IOCTL(fd, I_FDINSERT, 8), EFAULT);
	ins.offset = 4;
	FAILS(U_IOCTL(fd, I_FDINSERT, &ins), EINVAL);
	ins.offset = -8;
	FAILS(U_IOCTL(fd, I_FDINSERT, &ins), EINVAL);
	ins.offset = 16;
	FAILS(U_IOCTL(fd, I_FDINSERT, &ins), EINVAL);
	ins = good;
	ins.flags = 2;
	FAILS(U_IOCTL(fd, I_FDINSERT, &ins), EINVAL);
	ins = good;
	ins.fildes = 99;
	FAILS(U_IOCTL(fd, I_FDINSERT, &ins), EINVAL);
	ins = good;
	ins.databuf.len = 5000;
	FAILS(U_IOCTL(fd, I_FDINSERT, &ins), ERANGE);
	ins = good;
	ins.ctlbuf.buf = NULL;
	FAILS(U_IOCTL(fd, I_FDINSERT, &ins), EFAULT);
	ins = good;
	up(other, byte_msg(M_HANGUP, 0));
	FAILS(U_IOCTL(fd, I_FDINSERT, &ins), ENXIO);
	DONE;
}
