/* ldterm: output processing, delays, and memory that runs out in it. */
#include "tests/ldtest.h"
#include "sys/ptms.h"

STR_SUITE(ldterm_out);

/* Output with just these modes, from column 0. */
static void out_modes(int64_t fd, tcflag_t oflag)
{
	struct termios t = tty_get(fd);

	t.c_oflag = OPOST | ONLCR;
	tty_set(fd, t);
	OK(U_WRITE(fd, "\r", 1), 1);
	t.c_oflag = oflag;
	tty_set(fd, t);
	(void)tl_shown();
	(void)st_noted();
}

static void puts_to(int64_t fd, const char *s)
{
	OK(U_WRITE(fd, s, strlen(s)), (int64_t)strlen(s));
}

static void check(int64_t fd, tcflag_t oflag, const char *written, const char *shown, const char *noted)
{
	out_modes(fd, oflag);
	puts_to(fd, written);
	cr_assert_str_eq(tl_shown(), shown, "oflag %#o, \"%s\"", oflag, written);
	st_expect(noted);
}

PROGRAM(ldterm_out, newlines_and_returns)
{
	int64_t fd = tty_open();

	check(fd, 0, "a\tb\nc\rd", "a\\tb\\nc\\rd", "");
	check(fd, OPOST, "a\tb\nc\rd", "a\\tb\\nc\\rd", "");
	check(fd, OPOST | ONLCR, "a\n\nb\r\n", "a\\r\\n\\r\\nb\\r\\r\\n", "");
	check(fd, OPOST | OCRNL, "a\rb\n", "a\\nb\\n", "");
	check(fd, OPOST | OCRNL | ONLCR, "a\rb\n", "a\\nb\\r\\n", "");
	check(fd, OPOST | ONOCR, "\ra\r\rb", "a\\rb", "");
	check(fd, OPOST | ONOCR | ONLCR, "\na\n", "\\na\\r\\n", "");
	check(fd, OPOST | ONLRET | ONOCR, "a\n\rb", "a\\nb", "");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_out, columns_and_tabs)
{
	int64_t fd = tty_open();

	check(fd, OPOST | TAB3, "\ta\tbb\tccccccc\td", "        a       bb      ccccccc d", "");
	check(fd, OPOST | TAB3, "12345678\tx", "12345678        x", "");
	check(fd, OPOST | TAB3, "abc\b\tx", "abc\\b      x", "");
	check(fd, OPOST | TAB3, "\b\b\tx", "\\b\\b        x", "");
	check(fd, OPOST | TAB3, "abc\r\tx", "abc\\r        x", "");
	/* A newline alone does not change the column; with ONLCR or ONLRET it does. */
	check(fd, OPOST | TAB3, "abc\n\tx", "abc\\n     x", "");
	check(fd, OPOST | TAB3 | ONLCR, "abc\n\tx", "abc\\r\\n        x", "");
	check(fd, OPOST | TAB3 | ONLRET, "abc\n\tx", "abc\\n        x", "");
	check(fd, OPOST | TAB3 | OCRNL, "abc\r\tx", "abc\\n     x", "");
	/* Control characters take none, high ones do, but for those that control. */
	check(fd, OPOST | TAB3, "\001\033\177\x80\tx", "\\x01\\x1b\\x7f\\x80        x", "");
	check(fd, OPOST | TAB3, "\xa0\xff\x86\x87\tx", "\\xa0\\xff\\x86\\x87    x", "");
	/* A tab that is sent moves the cursor all the same. */
	check(fd, OPOST | TAB1, "ab\t", "ab\\t", "");
	out_modes(fd, OPOST);
	puts_to(fd, "ab\t");
	OMODE(fd, TAB3, 0);
	puts_to(fd, "c\tx");
	SHOWS("ab\\tc       x");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_out, one_case)
{
	int64_t fd = tty_open();

	check(fd, OPOST | OLCUC, "aBz{", "ABZ{", "");
	LMODE(fd, XCASE, 0);
	check(fd, OPOST | OLCUC | TAB3, "aB`|~{}\\\t.", "A\\B\\'\\!\\^\\(\\)\\\\ .", "");
	/* XCASE alone is processing too, but only of case. */
	check(fd, ONLCR, "aB\n", "a\\B\\n", "");
	LMODE(fd, 0, ICANON);
	check(fd, OPOST, "aB", "aB", "");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_out, delays)
{
	int64_t fd = tty_open();

	/* What came before, the ticks, what comes behind. */
	check(fd, OPOST | NL1, "a\nb\nc", "a\\nb\\nc", "delay2@2 delay2@4");
	check(fd, OPOST | CR1, "abc\rd", "abc\\rd", "delay1@4");
	check(fd, OPOST | CR1, "ab\rd", "ab\\rd", "");
	check(fd, OPOST | CR2, "\rd", "\\rd", "delay6@1");
	check(fd, OPOST | CR3, "\rd", "\\rd", "delay9@1");
	check(fd, OPOST | CR3 | ONLCR, "a\nd", "a\\r\\nd", "delay9@2");
	check(fd, OPOST | CR2 | NL1 | ONLCR, "a\n", "a\\r\\n", "delay6@2 delay2@3");
	check(fd, OPOST | ONLRET | CR2, "a\nb", "a\\nb", "delay6@2");
	check(fd, OPOST | ONLRET | NL1, "a\nb", "a\\nb", "delay2@2");
	check(fd, OPOST | ONLRET | NL1 | CR3, "a\nb", "a\\nb", "delay9@2 delay2@2");
	check(fd, OPOST | TAB2, "\ta", "\\ta", "delay6@1");
	check(fd, OPOST | TAB1, "\ta", "\\ta", "");
	check(fd, OPOST | VTDLY, "a\fb\v", "a\\fb\\v", "delay127@2");
	check(fd, OPOST | BSDLY, "a\bb", "a\\bb", "");
	/* Not without OPOST. */
	check(fd, NL1 | CR3 | TAB2, "\n\r\t", "\\n\\r\\t", "");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_out, fill_characters)
{
	int64_t fd = tty_open();
	tcflag_t fill = OPOST | OFILL;

	check(fd, fill | NL1, "a\n", "a\\n\\x00\\x00", "");
	check(fd, fill | OFDEL | NL1, "a\n", "a\\n\\x7f\\x7f", "");
	check(fd, fill | CR1, "\r", "\\r\\x00\\x00", "");
	check(fd, fill | CR2, "\r", "\\r\\x00\\x00\\x00\\x00", "");
	check(fd, fill | CR3, "\r", "\\r", "");
	check(fd, fill | TAB1, "\t", "\\t\\x00\\x00", "");
	check(fd, fill | TAB2, "\t", "\\t\\x00\\x00", "");
	check(fd, fill | BSDLY, "\b", "\\b\\x00", "");
	check(fd, fill | VTDLY, "\f", "\\f", "");
	check(fd, fill | CR2 | NL1 | ONLCR, "\n", "\\r\\x00\\x00\\x00\\x00\\n\\x00\\x00", "");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_out, echo_has_delays_too)
{
	int64_t fd = tty_open();

	out_modes(fd, OPOST | ONLCR | NL1);
	tty_type(fd, "ab\ncd\n");
	SHOWS("ab\\r\\ncd\\r\\n");
	st_expect("delay2@4 delay2@8");
	/* The echo of a signal may be all delayed. */
	tty_cc(fd, VINTR, '\n');
	IMODE(fd, 0, ICRNL);
	LMODE(fd, NOFLSH, 0);
	tty_type(fd, "\n");
	st_expect("sig2 delay2@2");
	SHOWS("\\r\\n");
	GOT(fd, "[ab\\n][cd\\n]");
	tty_close(fd);
	DONE;
}

/* ---- messages ---- */

static int out_msgs;
static uint8_t out_band;
static int count_wput(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) == M_DATA) {
		out_msgs++;
		out_band = mp->b_band;
	}
	putnext(q, mp);
	return 0;
}
static struct module_info count_info = {0, "ttycount", 0, INFPSZ, 5120, 1024};
static struct qinit count_rinit = {
    .qi_putp = st_passput, .qi_qopen = st_modopen, .qi_qclose = st_modclose, .qi_minfo = &count_info};
static struct qinit count_winit = {.qi_putp = count_wput, .qi_minfo = &count_info};
static struct streamtab count_tab = {&count_rinit, &count_winit, NULL, NULL};
STREAMS_MODULE(ttycount, "ttycount", &count_tab, D_MP);

static int64_t count_open(void)
{
	int64_t fd = U_OPEN("/dev/tline", O_RDWR);

	tl_cflag = TTYDEF_CFLAG;
	OK(U_IOCTL(fd, I_PUSH, "ttycount"), 0);
	OK(U_IOCTL(fd, I_PUSH, "ldterm"), 0);
	(void)st_noted();
	return fd;
}

PROGRAM(ldterm_out, one_message_stays_one)
{
	static char buf[1000], band[] = "x\n";
	int64_t fd = count_open();
	struct strbuf data = {0, 2, band};
	struct strioctl sttty = {PTSSTTY, 0, 0, NULL};

	memset(buf, '\n', sizeof(buf));
	OK(U_WRITE(fd, buf, sizeof(buf)), 1000);
	cr_assert_eq(out_msgs, 1);
	cr_assert_eq(tl_nscreen, 2000);
	OK(U_PUTPMSG(fd, NULL, &data, 7, MSG_BAND), 0);
	cr_assert_eq(out_msgs, 2);
	cr_assert_eq(out_band, 7);
	/* An empty one is none, unless it is read in packets. */
	OK(U_WRITE(fd, buf, 0), 0);
	cr_assert_eq(out_msgs, 2);
	OK(U_IOCTL(fd, I_STR, &sttty), 0);
	OK(U_WRITE(fd, buf, 0), 0);
	cr_assert_eq(out_msgs, 3);
	tty_type(fd, "abcdefghijklmnopqrstuvwxyz\n");
	cr_assert_eq(out_msgs, 4);
	GOT(fd, "[abcdefghijklmnopqrstuvwxyz\\n]");
	OK(U_CLOSE(fd), 0);
	DONE;
}

PROGRAM(ldterm_out, settings_wait_for_the_output_before_them)
{
	static char buf[120];
	int64_t fd = tty_open();
	queue_t *wq = fd_stream(fd)->sd_wrq->q_next->q_next;
	struct termios t = tty_get(fd);
	mblk_t *mp = mkiocb(TCSETSW), *mp2 = mkiocb(TCGETS);

	tl_full = true;
	OK(U_WRITE(fd, buf, sizeof(buf)), sizeof(buf));
	OK(U_WRITE(fd, "a\n", 2), 2);
	t.c_oflag &= ~(tcflag_t)ONLCR;
	mp->b_cont = bytes_msg(M_DATA, &t, sizeof(t));
	((struct iocblk *)mp->b_rptr)->ioc_count = sizeof(t);
	/* TCSETSW is queued behind; another command goes by. */
	put(wq, mp);
	put(wq, mp2);
	cr_assert_eq(qsize(wq), 2);
	cr_assert_eq(DB_TYPE(wq->q_last), M_IOCTL);
	tl_go(fd);
	OK(U_WRITE(fd, "b\n", 2), 2);
	cr_assert_eq(tl_nscreen, 120 + 3 + 2);
	cr_assert_eq(memcmp(tl_screen + 120, "a\r\nb\n", 5), 0);
	tl_nscreen = 0;
	tty_close(fd);
	DONE;
}

/* ---- memory ---- */

/* The n-th allocation fails, for all n: what is written comes out as ever, a little later. */
PROGRAM(ldterm_out, memory_runs_out_anywhere)
{
	static const char text[] =
	    "The quick\tbrown\n\nfox jumps\rover the lazy\b\b dog, twice, and then once more\n\tx";
	static const char shown[] = "The quick       brown\\r\\n\\r\\nfox jumps\\rover the lazy\\b\\b dog, twice, "
				    "and then once more\\r\\n        x";
	int64_t fd = tty_open();

	for (long n = 1; n < 8; n++) {
		mblk_t *mp;

		out_modes(fd, OPOST | ONLCR | TAB3);
		mp = st_msg(M_DATA, text);
		linkb(mp, st_msg(M_DATA, ""));
		allocb_fail_nth(n);
		put(fd_stream(fd)->sd_wrq->q_next, mp);
		allocb_fail_nth(0);
		OK(U_POLL(NULL, 0, 100), 0);
		cr_assert_str_eq(tl_shown(), shown, "allocation %ld", n);
	}
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_out, delays_without_memory)
{
	int64_t fd = tty_open();

	for (long n = 1; n < 12; n++) {
		mblk_t *mp;

		out_modes(fd, OPOST | ONLCR | CR2 | NL1);
		mp = st_msg(M_DATA, "ab\ncd\n");
		allocb_fail_nth(n);
		put(fd_stream(fd)->sd_wrq->q_next, mp);
		allocb_fail_nth(0);
		OK(U_POLL(NULL, 0, 100), 0);
		cr_assert_str_eq(tl_shown(), "ab\\r\\ncd\\r\\n", "allocation %ld", n);
	}
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_out, without_memory_even_to_wait_output_is_lost)
{
	int64_t fd = tty_open();
	mblk_t *mp = st_msg(M_DATA, "lost");

	allocb_fail_nth(-1);
	kmem_fail_nth(-1);
	put(fd_stream(fd)->sd_wrq->q_next, mp);
	kmem_fail_nth(0);
	allocb_fail_nth(0);
	OK(U_WRITE(fd, "seen", 4), 4);
	SHOWS("seen");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_out, close_while_output_waits_for_memory)
{
	int64_t fd = tty_open();
	mblk_t *mp = st_msg(M_DATA, "waiting");

	allocb_fail_nth(1);
	put(fd_stream(fd)->sd_wrq->q_next, mp);
	OK(U_FCNTL(fd, F_SETFL, O_RDWR | O_NONBLOCK), 0);
	OK(U_CLOSE(fd), 0);
	DONE;
}

/* Input and its echo, when the n-th allocation fails: something may be lost, nothing leaks, and typing goes on. */
PROGRAM(ldterm_out, typing_without_memory)
{
	int64_t fd = tty_open();

	for (int raw = 0; raw < 2; raw++) {
		struct termios t = tty_get(fd);

		t.c_lflag = raw ? t.c_lflag & ~(tcflag_t)ICANON : t.c_lflag;
		t.c_cc[VMIN] = raw ? 1 : 4;
		tty_set(fd, t);
		for (long n = 1; n < 40; n++) {
			mblk_t *mp = bytes_msg(M_DATA, "abcdefghijklmnopqrstuvwxyz\003\017\027xyz\022\025\004a\n", 38);

			allocb_fail_nth(n);
			up(fd, mp);
			allocb_fail_nth(0);
			(void)tty_got(fd);
			tty_type(fd, "\025\004");
			(void)tty_got(fd);
			tty_type(fd, "good\n");
			cr_assert_str_eq(tty_got(fd), "[good\\n]", "allocation %ld, raw %d", n, raw);
		}
	}
	tty_close(fd);
	DONE;
}

/* Opening with the n-th allocation failing waits for memory. */
PROGRAM(ldterm_out, open_without_memory)
{
	for (long n = 1; n < 10; n++) {
		int64_t fd = U_OPEN("/dev/tline", O_RDWR);

		(void)st_noted();
		allocb_fail_nth(n);
		OK(U_IOCTL(fd, I_PUSH, "ldterm"), 0);
		allocb_fail_nth(0);
		st_expect("ctl2 ctl5");
		OK(U_CLOSE(fd), 0);
	}
	DONE;
}

PROGRAM(ldterm_out, open_without_any_memory)
{
	int64_t fd = U_OPEN("/dev/tline", O_RDWR);

	for (long n = 1; n < 4; n++) {
		kmem_fail_nth(-n);
		allocb_fail_nth(-1);
		cr_assert_eq(U_IOCTL(fd, I_PUSH, "ldterm"), -1);
		cr_assert(user_errno() == ENOMEM || user_errno() == ENOSR, "%d", user_errno());
		kmem_fail_nth(0);
		allocb_fail_nth(0);
	}
	OK(U_CLOSE(fd), 0);
	DONE;
}

static void push_it(void *arg)
{
	FAILS(U_IOCTL(*(int64_t *)arg, I_PUSH, "ldterm"), EINTR);
	st_note("interrupted");
}

PROGRAM(ldterm_out, a_signal_ends_the_wait_for_memory)
{
	int64_t fd = U_OPEN("/dev/tline", O_RDWR);

	curproc->p_caught |= SIGBIT(SIGUSR1);
	allocb_fail_nth(-1);
	(void)lwp_create(curproc, push_it, &fd);
	(void)user_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
	OK(U_POLL(NULL, 0, 10), 0);
	psignal(curproc, SIGUSR1);
	(void)U_POLL(NULL, 0, 10);
	(void)U_POLL(NULL, 0, 10);
	st_expect("interrupted");
	allocb_fail_nth(0);
	OK(U_CLOSE(fd), 0);
	DONE;
}
