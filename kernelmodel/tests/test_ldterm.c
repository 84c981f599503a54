/* ldterm: open and close, canonical input, echo, editing, signals, flow control. */
#include "tests/ldtest.h"

STR_SUITE(ldterm);

/* ---- open and close ---- */

PROGRAM(ldterm, open_asks_the_driver_and_tells_the_head)
{
	int64_t fd = U_OPEN("/dev/tline", O_RDWR);
	stdata_t *stp = fd_stream(fd);

	OK(U_IOCTL(fd, I_PUSH, "ldterm"), 0);
	st_expect("ctl2 ctl5");
	cr_assert(stp->sd_flag & STRISTTY);
	cr_assert(stp->sd_flag & OLDNDELAY);
	cr_assert_eq(_RD(stp->sd_wrq)->q_hiwat, 1024);
	cr_assert_eq(_RD(stp->sd_wrq)->q_lowat, 200);
	cr_assert(stp->sd_read_opt & RD_MSGNODIS);
	OK(U_IOCTL(fd, I_PUSH, "ttyspy"), 0);
	OK(U_IOCTL(fd, I_POP, 0), 0);
	/* The drain request is answered at once. */
	OK(U_IOCTL(fd, I_POP, 0), 0);
	cr_assert_eq(tl_ioccmd, TCSBRK);
	cr_assert_eq(tl_ioclen, sizeof(int));
	cr_assert_eq(*(int *)(void *)tl_iocdata, 1);
	cr_assert(!(stp->sd_flag & OLDNDELAY));
	cr_assert(!(stp->sd_read_opt & RD_MSGNODIS));
	OK(U_CLOSE(fd), 0);
	DONE;
}

PROGRAM(ldterm, is_no_driver_and_opens_again)
{
	int64_t fd = tty_open();
	queue_t *q = _RD(fd_stream(fd)->sd_wrq->q_next->q_next);
	dev_t dev = 0;

	cr_assert_eq(q->q_qinfo->qi_qopen(q, &dev, 0, MODOPEN, kcred), 0);
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, its_limits_are_the_sheets)
{
	int64_t fd = tty_open();
	queue_t *wq = fd_stream(fd)->sd_wrq->q_next->q_next, *rq = _RD(wq);

	cr_assert_eq(rq->q_qinfo->qi_minfo->mi_idnum, 0x0bad);
	cr_assert_str_eq(rq->q_qinfo->qi_minfo->mi_idname, "ldterm");
	cr_assert_eq(rq->q_maxpsz, 256);
	cr_assert_eq(rq->q_hiwat, 1024);
	cr_assert_eq(rq->q_lowat, 200);
	cr_assert_eq(wq->q_maxpsz, INFPSZ);
	cr_assert_eq(wq->q_hiwat, 1);
	cr_assert_eq(wq->q_lowat, 0);
	tty_close(fd);
	DONE;
}

/* A half line, and output that waits below and in ldterm. */
static int64_t tty_busy(void)
{
	static char buf[118];
	int64_t fd = tty_open();

	tty_type(fd, "half a line");
	tl_full = true;
	OK(U_WRITE(fd, buf, sizeof(buf)), sizeof(buf));
	OK(U_WRITE(fd, "this in ldterm", 14), 14);
	cr_assert_not_null(fd_stream(fd)->sd_wrq->q_next->q_next->q_first);
	return fd;
}

PROGRAM(ldterm, close_with_messages_in_flight)
{
	int64_t fd = tty_busy();

	OK(U_FCNTL(fd, F_SETFL, O_RDWR | O_NONBLOCK), 0);
	OK(U_CLOSE(fd), 0);
	DONE;
}

/* Without anybody who could get a signal the wait has an end. */
PROGRAM(ldterm, the_end_of_a_process_closes_in_time)
{
	(void)tty_busy();
	DONE;
}

static void close_it(void *arg)
{
	OK(U_CLOSE(*(int64_t *)arg), 0);
	st_note("closed");
}

PROGRAM(ldterm, close_waits_for_the_line_to_drain)
{
	int64_t fd = tty_open();
	queue_t *drv = fd_driver(fd);

	tl_holdioc = true;
	(void)lwp_create(curproc, close_it, &fd);
	OK(U_POLL(NULL, 0, 60000), 0);
	cr_assert_eq(tl_ioccmd, TCSBRK);
	st_expect("");
	tl_holdioc = false;
	tl_answer(_WR(drv), tl_held);
	OK(U_POLL(NULL, 0, 10), 0);
	st_expect("closed");
	DONE;
}

PROGRAM(ldterm, a_signal_ends_the_wait)
{
	int64_t fd = tty_open();
	mblk_t *mp;

	curproc->p_caught |= SIGBIT(SIGUSR1);
	tl_holdioc = true;
	(void)lwp_create(curproc, close_it, &fd);
	OK(U_POLL(NULL, 0, 60000), 0);
	mp = tl_held;
	st_expect("");
	psignal(curproc, SIGUSR1);
	(void)U_POLL(NULL, 0, 10);
	(void)U_POLL(NULL, 0, 10);
	st_expect("closed");
	freemsg(mp);
	DONE;
}

PROGRAM(ldterm, close_does_not_wait_when_the_driver_does_or_nobody_would)
{
	int64_t fd = tty_open();
	mblk_t *mp = mkiocb(MC_HAS_POSIX);

	DB_TYPE(mp) = M_CTL;
	up(fd, mp);
	tl_ioccmd = 0;
	tl_holdioc = true;
	OK(U_CLOSE(fd), 0);
	cr_assert_eq(tl_ioccmd, 0);
	tl_holdioc = false;
	fd = tty_open();
	OK(U_FCNTL(fd, F_SETFL, O_RDWR | O_NONBLOCK), 0);
	tl_holdioc = true;
	tl_ioccmd = 0;
	OK(U_CLOSE(fd), 0);
	cr_assert_eq(tl_ioccmd, 0);
	DONE;
}

/* ---- lines ---- */

PROGRAM(ldterm, a_line_goes_up_when_it_ends)
{
	int64_t fd = tty_open();

	tty_type(fd, "hel");
	GOT(fd, "");
	SHOWS("hel");
	tty_type(fd, "lo\r");
	GOT(fd, "[hello\\n]");
	SHOWS("lo\\r\\n");
	tty_type(fd, "a\nb\ncd");
	GOT(fd, "[a\\n][b\\n]");
	tty_type(fd, "\n");
	GOT(fd, "[cd\\n]");
	SHOWS("a\\r\\nb\\r\\ncd\\r\\n");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, a_message_of_several_blocks_is_one_stretch_of_typing)
{
	int64_t fd = tty_open();
	mblk_t *mp = st_msg(M_DATA, "ab");

	linkb(mp, st_msg(M_DATA, "\177"));
	linkb(mp, st_msg(M_DATA, "cdefghijklmnopqrstuvwxyz\n"));
	up(fd, mp);
	GOT(fd, "[acdefghijklmnopqrstuvwxyz\\n]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, ends_of_lines_and_of_file)
{
	int64_t fd = tty_open();

	tty_cc(fd, VEOL, ';');
	tty_cc(fd, VEOL2, '!');
	tty_type(fd, "a;b!c\n");
	GOT(fd, "[a;][b!][c\\n]");
	SHOWS("a;b!c\\r\\n");
	/* An end of file is shown and taken back, and is in no line. */
	tty_type(fd, "xy\004");
	SHOWS("xy^D\\b\\b");
	GOT(fd, "[xy]");
	tty_type(fd, "\004");
	GOT(fd, "[]");
	(void)tl_shown();
	/* Without ECHOCTL it is not shown. */
	LMODE(fd, 0, ECHOCTL);
	tty_type(fd, "\004");
	SHOWS("");
	GOT(fd, "[]");
	/* One that prints takes one column. */
	LMODE(fd, ECHOCTL, 0);
	tty_cc(fd, VEOF, 'E');
	tty_type(fd, "E");
	SHOWS("E\\b");
	GOT(fd, "[]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, a_zero_byte_is_data)
{
	int64_t fd = tty_open();

	tty_ntype(fd, "a\0b\n", 4);
	GOT(fd, "[a\\x00b\\n]");
	SHOWS("a^@b\\r\\n");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, a_line_that_is_too_long_rings)
{
	int64_t fd = tty_open();
	char buf[300], want[300];

	memset(buf, 'x', sizeof(buf));
	tty_ntype(fd, buf, 257);
	cr_assert_eq(strlen(tl_shown()), 257);
	tty_type(fd, "yz");
	SHOWS("\\a\\a");
	tty_type(fd, "\177\n");
	SHOWS("\\b \\b\\r\\n");
	memset(want, 'x', sizeof(want));
	snprintf(want + 257, 10, "\\n]");
	want[0] = '[';
	GOT(fd, want);
	/* Without IMAXBEL the line begins again. */
	IMODE(fd, 0, IMAXBEL);
	tty_ntype(fd, buf, 257);
	tty_type(fd, "yz\n");
	GOT(fd, "[yz\\n]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, typing_to_a_full_head_rings_or_flushes)
{
	int64_t fd = tty_open();
	char line[101];

	memset(line, 'l', 100);
	line[99] = '\n';
	line[100] = '\0';
	for (int i = 0; i < 11; i++)
		tty_type(fd, line);
	(void)tl_shown();
	st_expect("");
	tty_type(fd, "more\n");
	SHOWS("\\a");
	st_expect("");
	cr_assert_str_neq(tty_got(fd), "");
	/* Without IMAXBEL what waits is thrown away. */
	IMODE(fd, 0, IMAXBEL);
	for (int i = 0; i < 11; i++)
		tty_type(fd, line);
	(void)tl_shown();
	tty_type(fd, "last\n");
	SHOWS("last\\r\\n");
	st_expect("upflush1");
	GOT(fd, "");
	/* Without ECHO it waits. */
	LMODE(fd, 0, ECHO);
	for (int i = 0; i < 11; i++)
		tty_type(fd, line);
	tty_type(fd, "end\n");
	st_expect("");
	cr_assert_not_null(strstr(tty_got(fd), "[end\\n]"));
	tty_close(fd);
	DONE;
}

/* ---- mapping of characters ---- */

PROGRAM(ldterm, carriage_returns_and_newlines)
{
	static const struct {
		tcflag_t on, off;
		const char *typed, *got;
	} cases[] = {
	    {ICRNL, 0, "a\r", "[a\\n]"},
	    {IGNCR | ICRNL, 0, "a\rb\n", "[ab\\n]"},
	    {0, ICRNL | IGNCR, "a\rb\n", "[a\\rb\\n]"},
	    {INLCR | ICRNL, 0, "a\nb\r", "[a\\rb\\n]"},
	    {INLCR, ICRNL, "a\nb\r\r", ""},
	};
	int64_t fd = tty_open();

	LMODE(fd, 0, ECHO);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		IMODE(fd, cases[i].on, INLCR | IGNCR | ICRNL);
		IMODE(fd, 0, cases[i].off);
		tty_type(fd, cases[i].typed);
		GOT(fd, cases[i].got);
	}
	IMODE(fd, ICRNL, INLCR);
	tty_type(fd, "\r");
	GOT(fd, "[a\\rb\\r\\r\\n]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, istrip_and_iuclc)
{
	int64_t fd = tty_open();

	IMODE(fd, ISTRIP, 0);
	tty_type(fd, "\xe1\x8a");
	GOT(fd, "[a\\n]");
	IMODE(fd, IUCLC, ISTRIP);
	tty_type(fd, "AbZ[\n");
	GOT(fd, "[abz[\\n]");
	IMODE(fd, 0, IUCLC);
	tty_type(fd, "A\xe1\n");
	GOT(fd, "[A\\xe1\\n]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, xcase)
{
	int64_t fd = tty_open();

	IMODE(fd, IUCLC, 0);
	LMODE(fd, XCASE, 0);
	OMODE(fd, OLCUC, 0);
	tty_type(fd, "AB\\CD\\(\\!\\^\\'\\)\\\\\n");
	GOT(fd, "[abCd{|~`}\\\\n]");
	SHOWS("AB\\CD\\{\\|\\~\\`\\}\\\\\\r\\n");
	/* What is rubbed out had two columns. */
	tty_type(fd, "\\c\177\n");
	SHOWS("\\C\\b \\b\\b \\b\\r\\n");
	GOT(fd, "[\\n]");
	tty_close(fd);
	DONE;
}

/* ---- echo ---- */

PROGRAM(ldterm, echo_of_control_characters)
{
	int64_t fd = tty_open();

	tty_type(fd, "\001\033\t\007\010x\x80\xe4\n");
	SHOWS("^A^[    ^G^Hx\\x80\\xe4\\r\\n");
	GOT(fd, "[\\x01\\x1b\\t\\a\\bx\\x80\\xe4\\n]");
	LMODE(fd, 0, ECHOCTL);
	/* Only what prints or moves the cursor in a known way, and the kill character. */
	tty_cc(fd, VERASE, 0);
	tty_type(fd, "\001\033\007\010\177\x80\xe4\r");
	SHOWS("\\a\\b\\xe4\\r\\n");
	GOT(fd, "[\\x01\\x1b\\a\\b\\x7f\\x80\\xe4\\n]");
	LMODE(fd, ECHOCTL, IEXTEN);
	tty_type(fd, "\001\n");
	SHOWS("\\r\\n");
	GOT(fd, "[\\x01\\n]");
	LMODE(fd, IEXTEN, 0);
	tty_type(fd, "\177\n");
	SHOWS("^?\\r\\n");
	GOT(fd, "[\\x7f\\n]");
	OMODE(fd, OLCUC, OPOST);
	tty_type(fd, "\001\n");
	SHOWS("^a\\n");
	GOT(fd, "[\\x01\\n]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, echonl)
{
	int64_t fd = tty_open();

	LMODE(fd, 0, ECHO);
	tty_type(fd, "secret\n");
	SHOWS("");
	GOT(fd, "[secret\\n]");
	LMODE(fd, ECHONL, 0);
	tty_type(fd, "secret\n");
	SHOWS("\\r\\n");
	GOT(fd, "[secret\\n]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, echo_is_dropped_when_the_line_is_full)
{
	int64_t fd = tty_open();

	tl_full = true;
	OK(U_WRITE(
	       fd,
	       "...................................................................................................."
	       "..",
	       102),
	   102);
	tty_type(fd, "ab\n");
	GOT(fd, "[ab\\n]");
	tl_go(fd);
	cr_assert_eq(strlen(tl_shown()), 102);
	tty_close(fd);
	DONE;
}

/* ---- editing ---- */

PROGRAM(ldterm, erase)
{
	int64_t fd = tty_open();

	tty_type(fd, "ab\177c\177\177\177\177d\n");
	SHOWS("ab\\b \\bc\\b \\b\\b \\bd\\r\\n");
	GOT(fd, "[d\\n]");
	/* A control character takes two columns. */
	tty_type(fd, "a\001\177\n");
	SHOWS("a^A\\b \\b\\b \\b\\r\\n");
	GOT(fd, "[a\\n]");
	/* It was not shown: nothing to take off. */
	LMODE(fd, 0, ECHOCTL);
	tty_type(fd, "a\001\177\n");
	SHOWS("a\\r\\n");
	GOT(fd, "[a\\n]");
	/* Without ECHO nothing is shown. */
	LMODE(fd, 0, ECHO);
	tty_type(fd, "ab\177\n");
	SHOWS("");
	GOT(fd, "[a\\n]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, erase_of_a_tab_goes_back_to_where_it_began)
{
	int64_t fd = tty_open();

	tty_type(fd, "abc\t\177d\n");
	SHOWS("abc     \\b\\b\\b\\b\\bd\\r\\n");
	GOT(fd, "[abcd\\n]");
	/* Behind a prompt, and behind a control character. */
	OK(U_WRITE(fd, "> ", 2), 2);
	tty_type(fd, "\001\t\177x\n");
	SHOWS("> ^A    \\b\\b\\b\\bx\\r\\n");
	GOT(fd, "[\\x01x\\n]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, erase_after_output_shows_the_line_again)
{
	int64_t fd = tty_open();

	tty_type(fd, "abc");
	OK(U_WRITE(fd, "hi\n", 3), 3);
	tty_type(fd, "\177\177x\n");
	SHOWS("abchi\\r\\n^R\\r\\nab\\b \\bx\\r\\n");
	GOT(fd, "[ax\\n]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, other_ways_to_show_an_erase)
{
	int64_t fd = tty_open();

	LMODE(fd, ECHOPRT, ECHOE);
	tty_type(fd, "abc\177\177d\n");
	SHOWS("abc\\cb/d\\r\\n");
	GOT(fd, "[ad\\n]");
	LMODE(fd, 0, ECHOPRT);
	tty_cc(fd, VERASE, '#');
	tty_type(fd, "ab#c\n");
	SHOWS("ab#c\\r\\n");
	GOT(fd, "[ac\\n]");
	/* ECHOPRT is an extension. */
	LMODE(fd, ECHOPRT, IEXTEN);
	tty_type(fd, "ab#c\n");
	SHOWS("ab#c\\r\\n");
	GOT(fd, "[ac\\n]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, word_erase)
{
	int64_t fd = tty_open();

	tty_type(fd, "one two \t\027x\n");
	GOT(fd, "[one x\\n]");
	SHOWS("one two         \\b\\b\\b\\b\\b\\b\\b\\b\\b \\b\\b \\b\\b \\b\\b \\bx\\r\\n");
	tty_type(fd, "  \027\027y\n");
	GOT(fd, "[y\\n]");
	(void)tl_shown();
	LMODE(fd, 0, IEXTEN);
	tty_type(fd, "a\027\n");
	GOT(fd, "[a\\x17\\n]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, kill)
{
	int64_t fd = tty_open();

	tty_type(fd, "abc\025x\n");
	SHOWS("abc\\b \\b\\b \\b\\b \\bx\\r\\n");
	GOT(fd, "[x\\n]");
	LMODE(fd, 0, ECHOKE);
	tty_type(fd, "abc\025x\n");
	SHOWS("abc^U\\r\\nx\\r\\n");
	GOT(fd, "[x\\n]");
	LMODE(fd, 0, ECHOK);
	tty_type(fd, "abc\025x\n");
	SHOWS("abc^Ux\\r\\n");
	GOT(fd, "[x\\n]");
	/* ECHOKE cannot rub out what is not all there. */
	LMODE(fd, ECHOKE | ECHOK, 0);
	tty_type(fd, "abc");
	OK(U_WRITE(fd, "\n", 1), 1);
	tty_type(fd, "d\025x\n");
	SHOWS("abc\\r\\nd^U\\r\\nx\\r\\n");
	GOT(fd, "[x\\n]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, reprint)
{
	int64_t fd = tty_open();

	tty_type(fd, "ab\001\022");
	SHOWS("ab^A^R\\r\\nab^A");
	tty_type(fd, "\177c\n");
	SHOWS("\\b \\b\\b \\bc\\r\\n");
	GOT(fd, "[abc\\n]");
	LMODE(fd, 0, IEXTEN);
	tty_type(fd, "a\022\n");
	GOT(fd, "[a\\x12\\n]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, literal_next)
{
	int64_t fd = tty_open();

	tty_type(fd, "a\026\177\026\003\026\026b\n");
	SHOWS("a^\\b^?^\\b^C^\\b^Vb\\r\\n");
	GOT(fd, "[a\\x7f\\x03\\x16b\\n]");
	st_expect("");
	/* It ends no line. */
	tty_type(fd, "x\026\ny\n");
	GOT(fd, "[x\\ny\\n]");
	/* Also in two messages. */
	tty_type(fd, "\026");
	tty_type(fd, "\004\n");
	GOT(fd, "[\\x04\\n]");
	(void)tl_shown();
	LMODE(fd, 0, IEXTEN);
	tty_type(fd, "\026\177\n");
	GOT(fd, "[\\n]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, backslash)
{
	int64_t fd = tty_open();

	/* The erase and kill characters replace it. */
	tty_type(fd, "a\\\177\n");
	SHOWS("a\\\\b \\b^?\\r\\n");
	GOT(fd, "[a\\x7f\\n]");
	tty_type(fd, "b\\\025\n");
	GOT(fd, "[b\\x15\\n]");
	(void)tl_shown();
	tty_type(fd, "c\\\004d\n");
	GOT(fd, "[c\\x04d\\n]");
	SHOWS("c\\^Dd\\r\\n");
	/* Others do not. */
	tty_type(fd, "\\x\\\n");
	GOT(fd, "[\\x\\\\n]");
	(void)tl_shown();
	/* One that was erased with its word, or thrown away with its line, quotes no more. */
	tty_type(fd, "ab x\\\027\177\n");
	GOT(fd, "[ab\\n]");
	tty_type(fd, "x\\");
	up(fd, byte_msg(M_FLUSH, FLUSHR));
	tty_type(fd, "a\177b\n");
	GOT(fd, "[b\\n]");
	LMODE(fd, 0, IEXTEN);
	tty_type(fd, "a\\\177\n");
	GOT(fd, "[a\\n]");
	tty_close(fd);
	DONE;
}

/* ---- signals ---- */

PROGRAM(ldterm, signals)
{
	int64_t fd = tty_open();

	/*
	 * Down FLUSHRW, up FLUSHW (whose return from the head is ours), the signal; FLUSHR comes back from the driver
	 * when all that is done, and takes the line away.
	 */
	tty_type(fd, "abc\003");
	st_expect("flush3 upflush2 sig2 upflush1");
	SHOWS("^Cabc");
	tty_type(fd, "d\n");
	GOT(fd, "[d\\n]");
	(void)tl_shown();
	tty_type(fd, "\034");
	st_expect("flush3 upflush2 sig3 upflush1");
	SHOWS("^\\");
	tty_type(fd, "\032");
	st_expect("flush3 upflush2 sig24 upflush1");
	SHOWS("^Z");
	/* At the time it is read. */
	tty_type(fd, "\031");
	st_expect("latesig24");
	SHOWS("^Y");
	tty_cc(fd, VSWTCH, 'S');
	tty_type(fd, "aSb\n");
	GOT(fd, "[ab\\n]");
	st_expect("");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, signals_switched_off)
{
	int64_t fd = tty_open();

	LMODE(fd, NOFLSH, 0);
	tty_type(fd, "abc\003d\n");
	st_expect("sig2");
	SHOWS("^Cabcd\\r\\n");
	GOT(fd, "[abcd\\n]");
	LMODE(fd, 0, ISIG);
	tty_type(fd, "\003\034\032\031\n");
	st_expect("");
	GOT(fd, "[\\x03\\x1c\\x1a\\x19\\n]");
	(void)tl_shown();
	LMODE(fd, ISIG, IEXTEN);
	tty_type(fd, "\031\n");
	st_expect("");
	GOT(fd, "[\\x19\\n]");
	tty_cc(fd, VINTR, 0);
	tty_ntype(fd, "\003\0\n", 3);
	st_expect("");
	GOT(fd, "[\\x03\\x00\\n]");
	/* Without ECHO the echo is a message of no byte. */
	LMODE(fd, IEXTEN, ECHO);
	(void)tl_shown();
	tty_type(fd, "\034");
	st_expect("sig3");
	SHOWS("");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, a_signal_flushes_and_starts_output)
{
	static char buf[120];
	int64_t fd = tty_open();
	queue_t *wq = fd_stream(fd)->sd_wrq->q_next->q_next;

	tl_full = true;
	OK(U_WRITE(fd, buf, sizeof(buf)), sizeof(buf));
	OK(U_WRITE(fd, "abc", 3), 3);
	tty_type(fd, "\023");
	st_expect("stop");
	cr_assert_not_null(wq->q_first);
	/* Stopped: the signal comes first. */
	tty_type(fd, "\003");
	st_expect("sig2 flush3 upflush2 start upflush1");
	cr_assert_null(wq->q_first);
	tl_go(fd);
	SHOWS("^C");
	tty_type(fd, "x\021\n");
	st_expect("");
	GOT(fd, "[x\\n]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, breaks)
{
	int64_t fd = tty_open();

	(void)tl_shown();
	up(fd, bytes_msg(M_BREAK, "", 0));
	st_expect("flush3 upflush2 sig2 upflush1");
	SHOWS("");
	IMODE(fd, IGNBRK, 0);
	up(fd, bytes_msg(M_BREAK, "", 0));
	st_expect("");
	IMODE(fd, 0, IGNBRK | BRKINT);
	up(fd, bytes_msg(M_BREAK, "", 0));
	GOT(fd, "[\\x00]");
	IMODE(fd, PARMRK, 0);
	up(fd, bytes_msg(M_BREAK, "", 0));
	GOT(fd, "[\\xff\\x00\\x00]");
	/* With a byte: one that came damaged. */
	up(fd, byte_msg(M_BREAK, 'x'));
	GOT(fd, "[\\xff\\x00x]");
	IMODE(fd, 0, PARMRK);
	up(fd, byte_msg(M_BREAK, 'x'));
	GOT(fd, "[\\x00]");
	IMODE(fd, IGNPAR, 0);
	up(fd, byte_msg(M_BREAK, 'x'));
	GOT(fd, "");
	tty_close(fd);
	DONE;
}

/* ---- flow control ---- */

PROGRAM(ldterm, output_stops_and_starts)
{
	int64_t fd = tty_open();

	tty_type(fd, "a\023b\023c\021\021d\n");
	st_expect("stop start");
	GOT(fd, "[abcd\\n]");
	/* Any character starts it: an extension. */
	IMODE(fd, IXANY, 0);
	tty_type(fd, "\023x\n");
	st_expect("stop start");
	GOT(fd, "[x\\n]");
	tty_ntype(fd, "\023\0\n", 3);
	st_expect("stop start");
	GOT(fd, "[\\x00\\n]");
	LMODE(fd, 0, IEXTEN);
	tty_type(fd, "\023x\n\021");
	st_expect("stop start");
	GOT(fd, "[x\\n]");
	/* VSTOP again starts it too, and is no data. */
	LMODE(fd, IEXTEN, 0);
	tty_type(fd, "\023\023\n");
	st_expect("stop start");
	GOT(fd, "[\\n]");
	IMODE(fd, 0, IXON);
	tty_type(fd, "\023\021\n");
	st_expect("");
	GOT(fd, "[\\x13\\x11\\n]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, input_stops_when_nobody_reads)
{
	int64_t fd = tty_open();
	char line[61];

	IMODE(fd, IXOFF, 0);
	LMODE(fd, 0, ECHO);
	memset(line, 'l', 60);
	line[59] = '\n';
	line[60] = '\0';
	/* 1024 bytes fill the head, then 180 ldterm. */
	for (int i = 0; i < 18; i++)
		tty_type(fd, line);
	for (int i = 0; i < 2; i++)
		tty_type(fd, line);
	st_expect("");
	tty_type(fd, line);
	st_expect("stopi");
	tty_type(fd, line);
	st_expect("");
	for (int i = 0; i < 22; i++) {
		char buf[100];

		OK(U_READ(fd, buf, sizeof(buf)), 60);
	}
	st_expect("starti");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, a_flush_lets_input_go_on)
{
	int64_t fd = tty_open();
	char line[61];

	IMODE(fd, IXOFF, 0);
	LMODE(fd, 0, ECHO);
	memset(line, 'l', 60);
	line[59] = '\n';
	line[60] = '\0';
	for (int i = 0; i < 22; i++)
		tty_type(fd, line);
	st_expect("stopi");
	up(fd, byte_msg(M_FLUSH, FLUSHR));
	st_expect("upflush1 starti");
	GOT(fd, "");
	for (int i = 0; i < 22; i++)
		tty_type(fd, line);
	st_expect("stopi");
	tty_type(fd, "\003");
	st_expect("flush3 starti upflush2 sig2 upflush1");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, output_is_discarded)
{
	int64_t fd = tty_open();

	tty_type(fd, "ab\017");
	st_expect("flush2");
	SHOWS("^Oab");
	cr_assert(tty_get(fd).c_lflag & FLUSHO);
	OK(U_WRITE(fd, "lost", 4), 4);
	SHOWS("");
	tty_type(fd, "\017");
	OK(U_WRITE(fd, "seen", 4), 4);
	SHOWS("seen");
	/* With a line, it is shown again; any other character ends it. */
	tty_type(fd, "\017");
	SHOWS("^O^R\\r\\nab");
	OK(U_WRITE(fd, "lost", 4), 4);
	tty_type(fd, "c");
	OK(U_WRITE(fd, "seen", 4), 4);
	SHOWS("cseen");
	tty_type(fd, "\n");
	GOT(fd, "[abc\\n]");
	st_expect("flush2");
	LMODE(fd, 0, IEXTEN);
	tty_type(fd, "\017\n");
	GOT(fd, "[\\x0f\\n]");
	tty_close(fd);
	DONE;
}

/* ---- other messages from below ---- */

PROGRAM(ldterm, hangup)
{
	int64_t fd = tty_open();

	tty_type(fd, "abc\023");
	st_expect("stop");
	up(fd, bytes_msg(M_HANGUP, "", 0));
	OK(user_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0), curproc->p_pid);
	/* FLUSHW comes back from the head before the FLUSHR that was put. */
	st_expect("start upflush2 hangup flush2 flush1 upflush1");
	cr_assert(fd_stream(fd)->sd_flag & STRHUP);
	OK(U_CLOSE(fd), 0);
	DONE;
}

PROGRAM(ldterm, messages_that_pass)
{
	int64_t fd = tty_open();

	up(fd, byte_msg(M_PCSIG, SIGHUP));
	up(fd, byte_msg(M_SIG, SIGHUP));
	up(fd, bytes_msg(M_CTL, "abc", 3));
	st_expect("sig1 latesig1 upctl3");
	up(fd, bytes_msg(M_PROTO, "x", 1));
	OK(user_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0), curproc->p_pid);
	cr_assert_eq(qsize(_RD(fd_stream(fd)->sd_wrq)), 1);
	cr_assert_eq(DB_TYPE(_RD(fd_stream(fd)->sd_wrq)->q_first), M_PROTO);
	OK(U_CLOSE(fd), 0);
	DONE;
}

static void driver_says(int64_t fd, int cmd, const struct termios *t)
{
	mblk_t *mp = mkiocb((uint_t)cmd);

	DB_TYPE(mp) = M_CTL;
	if (t != NULL)
		mp->b_cont = bytes_msg(M_DATA, t, sizeof(*t));
	up(fd, mp);
	(void)st_noted();
}

PROGRAM(ldterm, a_driver_that_does_it_all)
{
	int64_t fd = tty_open();

	tty_type(fd, "lost");
	driver_says(fd, MC_NO_CANON, NULL);
	tty_type(fd, "a\177\003b");
	GOT(fd, "[a\\x7f\\x03b]");
	SHOWS("lost");
	driver_says(fd, MC_DO_CANON, NULL);
	tty_type(fd, "a\177b\n");
	GOT(fd, "[b\\n]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm, a_driver_that_does_a_part)
{
	struct termios part = {.c_iflag = ICRNL, .c_oflag = OPOST, .c_lflag = ECHO};
	int64_t fd = tty_open();

	driver_says(fd, MC_PART_CANON, &part);
	tty_type(fd, "a\rb\n");
	GOT(fd, "[a\\rb\\n]");
	OK(U_WRITE(fd, "x\n", 2), 2);
	SHOWS("x\\n");
	/* Programs do not see that. */
	cr_assert_eq(tty_get(fd).c_lflag, TTYDEF_LFLAG);
	cr_assert_eq(tty_get(fd).c_iflag, TTYDEF_IFLAG);
	tty_close(fd);
	DONE;
}

/* ---- who calls whom ---- */

/* What stood below the put procedure above ldterm, or below the driver's, when it was called with a message of a type. */
static int frames_type;
static char frames_up[1024], frames_down[1024];

static int frames_rput(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) == frames_type)
		strcpy(frames_up, st_callers(8));
	putnext(q, mp);
	return 0;
}

static int frames_wput(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) == frames_type)
		strcpy(frames_down, st_callers(8));
	putnext(q, mp);
	return 0;
}

static struct module_info frames_info = {0, "frames", 0, INFPSZ, 5120, 1024};
static struct qinit framesr_rinit = {
    .qi_putp = frames_rput, .qi_qopen = st_modopen, .qi_qclose = st_modclose, .qi_minfo = &frames_info};
static struct qinit framesr_winit = {.qi_putp = st_passput, .qi_minfo = &frames_info};
static struct streamtab framesr_tab = {&framesr_rinit, &framesr_winit, NULL, NULL};
STREAMS_MODULE(framesr, "framesr", &framesr_tab, D_MP);
static struct qinit framesw_rinit = {
    .qi_putp = st_passput, .qi_qopen = st_modopen, .qi_qclose = st_modclose, .qi_minfo = &frames_info};
static struct qinit framesw_winit = {.qi_putp = frames_wput, .qi_minfo = &frames_info};
static struct streamtab framesw_tab = {&framesw_rinit, &framesw_winit, NULL, NULL};
STREAMS_MODULE(framesw, "framesw", &framesw_tab, D_MP);

/* ldterm between the two. */
static int64_t frames_open(void)
{
	int64_t fd = U_OPEN("/dev/tline", O_RDWR);

	OK(U_IOCTL(fd, I_PUSH, "framesw"), 0);
	OK(U_IOCTL(fd, I_PUSH, "ldterm"), 0);
	OK(U_IOCTL(fd, I_PUSH, "framesr"), 0);
	curproc->p_ignore |= SIGBIT(SIGINT);
	(void)st_noted();
	return fd;
}

PROGRAM(ldterm, frames_of_input)
{
	int64_t fd = frames_open();
	struct termios t = tty_get(fd);

	frames_type = M_PCSIG;
	tty_type(fd, "\003");
	st_expect_stack(frames_up, "putnext < putnextctl1 < ldterm_dosig < ldtermrput < putnext");
	frames_type = M_DATA;
	tty_type(fd, "\003");
	st_expect_stack(frames_down, "putnext < ldterm_dosig < ldtermrput < putnext");
	frames_type = M_FLUSH;
	up(fd, byte_msg(M_FLUSH, FLUSHR));
	st_expect_stack(frames_up, "putnext < ldtermrput < putnext");
	frames_down[0] = '\0';
	tty_type(fd, "\003");
	st_expect_stack(frames_down, "putnext < putnextctl1 < ldterm_dosig < ldtermrput < putnext");
	frames_type = M_DATA;
	tty_type(fd, "a\n");
	st_expect_stack(frames_up,
			"putnext < ldterm_msg_upstream < ldterm_docanon < ldtermrmsg < ldtermrput < putnext");
	t.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	tty_set(fd, t);
	tty_type(fd, "a");
	st_expect_stack(frames_up, "putnext < ldterm_msg_upstream < vmin_satisfied < ldterm_dononcanon < ldtermrmsg < "
				   "ldtermrput < putnext");
	GOT(fd, "[a\\na]");
	OK(U_CLOSE(fd), 0);
	DONE;
}

PROGRAM(ldterm, frames_of_output_and_ioctls)
{
	int64_t fd = frames_open();

	frames_type = M_DATA;
	OK(U_WRITE(fd, "a\n", 2), 2);
	st_expect_stack(frames_down, "putnext < ldtermwmsg < ldtermwput < putnext");
	frames_type = M_IOCTL;
	(void)tty_get(fd);
	st_expect_stack(frames_down, "putnext < ldterm_do_ioctl < ldtermwmsg < ldtermwput < putnext");
	frames_type = M_IOCACK;
	(void)tty_get(fd);
	/* ldterm was busy with the request. */
	st_expect_stack(frames_up,
			"putnext < ldterm_ioctl_reply < ldtermrput < qdrain_syncq < drain_syncq < putnext_tail "
			"< putnext");
	OK(U_CLOSE(fd), 0);
	DONE;
}
