/* ldterm: settings, flushing and stopping by command, code sets, what M_SETOPTS follow. */
#include "tests/ldtest.h"
#include "sys/euc.h"
#include "sys/ptms.h"

STR_SUITE(ldterm_ioctl);

static struct strioctl str_ioc(int cmd, void *data, size_t len)
{
	return (struct strioctl){cmd, 0, (int)len, data};
}

/* I_STR with this command. */
static int64_t str_do(int64_t fd, int cmd, void *data, size_t len)
{
	struct strioctl s = str_ioc(cmd, data, len);

	return U_IOCTL(fd, I_STR, &s);
}

/* ---- termios and termio ---- */

PROGRAM(ldterm_ioctl, what_a_terminal_has_at_first)
{
	static const cc_t cc[NCCS] = {3, 0x1c, 0x7f, 0x15, 4, 0, 0, 0, 0x11, 0x13, 0x1a, 0x19, 0x12, 0x0f, 0x17, 0x16};
	int64_t fd = tty_open();
	struct termios t = tty_get(fd);
	struct termio a;

	cr_assert_eq(t.c_iflag, 0x2502);
	cr_assert_eq(t.c_oflag, 0x1805);
	cr_assert_eq(t.c_cflag, 0xbd);
	cr_assert_eq(t.c_lflag, 0x8a3b);
	cr_assert_eq(memcmp(t.c_cc, cc, sizeof(cc)), 0);
	OK(U_IOCTL(fd, TCGETA, &a), 0);
	cr_assert_eq(a.c_iflag, 0x2502);
	cr_assert_eq(a.c_oflag, 0x1805);
	cr_assert_eq(a.c_cflag, 0xbd);
	cr_assert_eq(a.c_lflag, 0x8a3b);
	cr_assert_eq(a.c_line, 0);
	cr_assert_eq(memcmp(a.c_cc, cc, NCC), 0);
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_ioctl, the_driver_says_what_its_line_is)
{
	int64_t fd = tty_open();
	struct termio a;
	struct termios t = tty_get(fd);

	tl_cflag = B19200 | CS7;
	cr_assert_eq(tty_get(fd).c_cflag, B19200 | CS7);
	OK(U_IOCTL(fd, TCGETA, &a), 0);
	cr_assert_eq(a.c_cflag, B19200 | CS7);
	tl_cflag = 0;
	t.c_cflag = B300 | CS8;
	tty_set(fd, t);
	cr_assert_eq(tty_get(fd).c_cflag, B300 | CS8);
	OK(U_IOCTL(fd, TCGETA, &a), 0);
	cr_assert_eq(a.c_cflag, B300 | CS8);
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_ioctl, setting_reads_back_and_goes_down)
{
	static const int sets[] = {TCSETS, TCSETSW, TCSETSF};
	int64_t fd = tty_open();

	for (int i = 0; i < 3; i++) {
		struct termios t = tty_get(fd), u;

		t.c_iflag ^= IXOFF | 0x40000000;
		t.c_lflag ^= NOFLSH;
		t.c_cc[VSWTCH] = (cc_t)(i + 1);
		t.c_cc[18] = (cc_t)(i + 1);
		OK(U_IOCTL(fd, sets[i], &t), 0);
		cr_assert_eq(tl_ioccmd, sets[i]);
		cr_assert_eq(tl_ioclen, sizeof(t));
		cr_assert(tty_same((const struct termios *)(const void *)tl_iocdata, &t));
		u = tty_get(fd);
		cr_assert(tty_same(&t, &u));
	}
	st_expect("");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_ioctl, termio_changes_the_lower_half)
{
	static const int sets[] = {TCSETA, TCSETAW, TCSETAF};
	int64_t fd = tty_open();

	for (int i = 0; i < 3; i++) {
		struct termios t = tty_get(fd), u;
		struct termio a;

		t.c_iflag |= 0x10000;
		t.c_oflag |= 0x20000;
		t.c_lflag |= 0x40000;
		tty_set(fd, t);
		OK(U_IOCTL(fd, TCGETA, &a), 0);
		a.c_iflag ^= IXANY;
		a.c_oflag ^= ONOCR;
		a.c_lflag ^= NOFLSH;
		a.c_cc[VINTR] = (uchar_t)(i + 5);
		OK(U_IOCTL(fd, sets[i], &a), 0);
		cr_assert_eq(tl_ioccmd, sets[i]);
		cr_assert_eq(tl_ioclen, sizeof(a));
		u = tty_get(fd);
		cr_assert_eq(u.c_iflag, t.c_iflag ^ IXANY);
		cr_assert_eq(u.c_oflag, t.c_oflag ^ ONOCR);
		cr_assert_eq(u.c_lflag, t.c_lflag ^ NOFLSH);
		cr_assert_eq(u.c_cc[VINTR], i + 5);
		cr_assert_eq(u.c_cc[VSTART], 0x11);
		tty_type(fd, (char[]){(char)(i + 5), 0});
		st_expect(i == 1 ? "flush3 upflush2 sig2 upflush1" : "sig2");
	}
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_ioctl, wrong_sizes)
{
	static const struct {
		int cmd;
		size_t size;
	} cmds[] = {{TCSETS, 36},
		    {TCSETSW, 36},
		    {TCSETSF, 36},
		    {TCSETA, 18},
		    {TCSETAW, 18},
		    {TCSETAF, 18},
		    {TCFLSH, 4},
		    {TCXONC, 4},
		    {EUC_WSET, 8},
		    {EUC_WGET, 8},
		    {CSDATA_SET, sizeof(ldterm_cs_data_user_t)},
		    {CSDATA_GET, sizeof(ldterm_cs_data_user_t)}};
	static char buf[600];
	int64_t fd = tty_open();
	struct termios before = tty_get(fd), after;

	for (size_t i = 0; i < sizeof(cmds) / sizeof(cmds[0]); i++) {
		FAILS(str_do(fd, cmds[i].cmd, buf, cmds[i].size - 1), EINVAL);
		FAILS(str_do(fd, cmds[i].cmd, buf, 0), EINVAL);
	}
	/* Transparent: the head does not know these. */
	FAILS(U_IOCTL(fd, EUC_WGET, buf), EINVAL);
	FAILS(U_IOCTL(fd, CSDATA_GET, buf), EINVAL);
	after = tty_get(fd);
	cr_assert(tty_same(&before, &after));
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_ioctl, others_pass)
{
	int64_t fd = tty_open();
	struct winsize w = {24, 80, 0, 0};

	OK(U_IOCTL(fd, TIOCSWINSZ, &w), 0);
	cr_assert_eq(tl_ioccmd, TIOCSWINSZ);
	OK(U_IOCTL(fd, TCSBRK, 0), 0);
	cr_assert_eq(tl_ioccmd, TCSBRK);
	tl_nak = true;
	FAILS(U_IOCTL(fd, TIOCSWINSZ, &w), EPERM);
	FAILS(U_IOCTL(fd, TCGETS, &w), EPERM);
	tl_nak = false;
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_ioctl, an_acknowledgement_without_modes_passes)
{
	int64_t fd = tty_open();
	mblk_t *mp = mkiocb(TCGETS);

	DB_TYPE(mp) = M_IOCACK;
	up(fd, mp);
	mp = mkiocb(TCGETA);
	DB_TYPE(mp) = M_IOCACK;
	mp->b_cont = st_msg(M_DATA, "short");
	up(fd, mp);
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_ioctl, the_head_follows_the_local_modes)
{
	int64_t fd = tty_open();

	LMODE(fd, 0, ICANON);
	st_expect("opts0x41:0");
	LMODE(fd, TOSTOP, 0);
	st_expect("opts0x1000:0");
	cr_assert(fd_stream(fd)->sd_flag & STRTOSTOP);
	LMODE(fd, ICANON, TOSTOP);
	st_expect("opts0x2081:2");
	cr_assert(!(fd_stream(fd)->sd_flag & STRTOSTOP));
	LMODE(fd, ECHONL, ECHO);
	st_expect("");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_ioctl, a_setting_refused_for_memory_changes_nothing)
{
	int64_t fd = tty_open();
	struct termios t = tty_get(fd), u;
	queue_t *wq = fd_stream(fd)->sd_wrq->q_next->q_next;
	mblk_t *mp = mkiocb(TCSETS);

	u = t;
	u.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	mp->b_cont = bytes_msg(M_DATA, &u, sizeof(u));
	((struct iocblk *)mp->b_rptr)->ioc_count = sizeof(u);
	tl_ioccmd = 0;
	spy_naks = true;
	allocb_fail_nth(1);
	put(wq, mp);
	allocb_fail_nth(0);
	cr_assert_eq(tl_ioccmd, 0);
	st_expect("nak11");
	u = tty_get(fd);
	cr_assert(tty_same(&t, &u));
	tty_type(fd, "a\n");
	SHOWS("a\\r\\n");
	GOT(fd, "[a\\n]");
	tty_close(fd);
	DONE;
}

/* ---- TCFLSH and TCXONC ---- */

PROGRAM(ldterm_ioctl, flushing)
{
	static char buf[120];
	int64_t fd = tty_open();
	queue_t *wq = fd_stream(fd)->sd_wrq->q_next->q_next;

	tl_ioccmd = 0;
	tty_type(fd, "line\nhalf");
	OK(U_IOCTL(fd, TCFLSH, 0), 0);
	st_expect("flush1 upflush1 upflush1");
	tty_type(fd, "\n");
	GOT(fd, "[\\n]");
	for (int which = 1; which <= 2; which++) {
		tl_full = true;
		OK(U_WRITE(fd, buf, sizeof(buf)), sizeof(buf));
		OK(U_WRITE(fd, "abc", 3), 3);
		tty_type(fd, "x\ny");
		cr_assert_not_null(wq->q_first);
		OK(U_IOCTL(fd, TCFLSH, which), 0);
		/* The head's turned-round FLUSHW is taken out. */
		st_expect(which == 1 ? "upflush2 flush2" : "flush3 upflush3 upflush1");
		cr_assert_null(wq->q_first);
		tl_go(fd);
		(void)tl_shown();
		tty_type(fd, "\n");
		GOT(fd, which == 1 ? "[x\\n][y\\n]" : "[\\n]");
		(void)tl_shown();
	}
	FAILS(U_IOCTL(fd, TCFLSH, 3), EINVAL);
	FAILS(U_IOCTL(fd, TCFLSH, -1), EINVAL);
	cr_assert_eq(tl_ioccmd, 0);
	OK(U_WRITE(fd, "seen", 4), 4);
	SHOWS("seen");
	/* One that the user flushes is not taken for ours. */
	OK(U_IOCTL(fd, I_FLUSH, FLUSHW), 0);
	st_expect("flush2");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_ioctl, stopping)
{
	int64_t fd = tty_open();

	OK(U_IOCTL(fd, TCXONC, 0), 0);
	OK(U_IOCTL(fd, TCXONC, 0), 0);
	st_expect("stop");
	OK(U_IOCTL(fd, TCXONC, 1), 0);
	OK(U_IOCTL(fd, TCXONC, 1), 0);
	st_expect("start");
	OK(U_IOCTL(fd, TCXONC, 2), 0);
	OK(U_IOCTL(fd, TCXONC, 2), 0);
	st_expect("stopi");
	OK(U_IOCTL(fd, TCXONC, 3), 0);
	OK(U_IOCTL(fd, TCXONC, 3), 0);
	st_expect("starti");
	FAILS(U_IOCTL(fd, TCXONC, 4), EINVAL);
	FAILS(U_IOCTL(fd, TCXONC, -1), EINVAL);
	/* What was stopped by command is started by a character, too. */
	OK(U_IOCTL(fd, TCXONC, 0), 0);
	tty_type(fd, "\021");
	st_expect("stop start");
	/* Input stopped by command is not started because there is room. */
	IMODE(fd, IXOFF, 0);
	OK(U_IOCTL(fd, TCXONC, 2), 0);
	tty_type(fd, "x\n");
	st_expect("stopi");
	GOT(fd, "[x\\n]");
	tty_type(fd, "\003");
	st_expect("flush3 starti upflush2 sig2 upflush1");
	tty_close(fd);
	DONE;
}

/* Do it without the n-th allocation and all after it: is EAGAIN the answer? */
static bool refused_without(queue_t *wq, const int *cmd, long n)
{
	mblk_t *mp = mkiocb((uint_t)cmd[0]);
	const char *notes;

	spy_naks = true;
	mp->b_cont = bytes_msg(M_DATA, &cmd[1], sizeof(int));
	((struct iocblk *)mp->b_rptr)->ioc_count = sizeof(int);
	(void)st_noted();
	allocb_fail_nth(-n);
	put(wq, mp);
	allocb_fail_nth(0);
	notes = st_noted();
	cr_assert(strstr(notes, "nak") == NULL || strstr(notes, "nak11") != NULL, "%s", notes);
	return strstr(notes, "nak11") != NULL;
}

/* The n-th allocation fails: EAGAIN until there is enough, then it is done; and no flush of the user's is lost later. */
PROGRAM(ldterm_ioctl, without_memory)
{
	/* how many messages each needs */
	static const struct {
		int cmd[2];
		long msgs;
	} cmds[] = {{{TCFLSH, 0}, 2}, {{TCFLSH, 1}, 2}, {{TCFLSH, 2}, 2}, {{TCXONC, 0}, 1},
		    {{TCXONC, 1}, 1}, {{TCXONC, 2}, 1}, {{TCXONC, 3}, 1}};
	int64_t fd = tty_open();
	queue_t *wq = fd_stream(fd)->sd_wrq->q_next->q_next;

	for (size_t i = 0; i < sizeof(cmds) / sizeof(cmds[0]); i++) {
		for (long n = 1; n <= cmds[i].msgs; n++)
			cr_assert(refused_without(wq, cmds[i].cmd, n), "command %zu, message %ld", i, n);
		cr_assert(!refused_without(wq, cmds[i].cmd, cmds[i].msgs + 1), "command %zu", i);
		(void)st_noted();
		OK(U_IOCTL(fd, I_FLUSH, FLUSHW), 0);
		cr_assert_not_null(strstr(st_noted(), "flush2"));
	}
	tty_close(fd);
	DONE;
}

/* What starts and stops by a character is tried again by the next one. */
PROGRAM(ldterm_ioctl, starting_and_stopping_without_memory)
{
	int64_t fd = tty_open();
	mblk_t *mp = st_msg(M_DATA, "\023"), *mp2 = st_msg(M_DATA, "\021");

	allocb_fail_nth(-1);
	up(fd, mp);
	allocb_fail_nth(0);
	st_expect("");
	tty_type(fd, "\023");
	st_expect("stop");
	allocb_fail_nth(-1);
	up(fd, mp2);
	allocb_fail_nth(0);
	st_expect("");
	tty_type(fd, "\021");
	st_expect("start");
	tty_close(fd);
	DONE;
}

/* ---- packets ---- */

PROGRAM(ldterm_ioctl, ptsstty_passes_and_makes_empty_messages_count)
{
	int64_t fd = tty_open();
	queue_t *rq = _RD(fd_stream(fd)->sd_wrq->q_next->q_next);
	mblk_t *mp = bytes_msg(M_FLUSH, "\5\3", 2);

	OK(str_do(fd, PTSSTTY, NULL, 0), 0);
	cr_assert_eq(tl_ioccmd, PTSSTTY);
	/* FLUSHBAND is obeyed now: band 3 of the read queue only. */
	noenable(rq);
	putq(rq, st_band(3, "three"));
	putq(rq, st_band(4, "four"));
	up(fd, mp);
	st_expect("upflush5");
	cr_assert_str_eq(st_queued(rq), "four");
	enableok(rq);
	qenable(rq);
	OK(user_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0), curproc->p_pid);
	OK(U_CLOSE(fd), 0);
	DONE;
}

/* ---- code sets ---- */

static void utf8_on(int64_t fd)
{
	ldterm_cs_data_user_t cs = {.version = LDTERM_DATA_VERSION, .codeset_type = LDTERM_CS_TYPE_UTF8};

	strcpy(cs.locale_name, "en_US.UTF-8");
	OK(str_do(fd, CSDATA_SET, &cs, sizeof(cs)), 0);
}

PROGRAM(ldterm_ioctl, widths_are_set_and_read)
{
	int64_t fd = tty_open();
	eucioc_t e = {{1, 2, 2, 3}, {1, 2, 1, 2}}, f = {{0}, {0}};
	ldterm_cs_data_user_t cs = {0};

	OK(str_do(fd, EUC_WGET, &f, sizeof(f)), 0);
	cr_assert_eq(f.eucw[0], 1);
	cr_assert_eq(f.eucw[1], 0);
	OK(str_do(fd, EUC_WSET, &e, sizeof(e)), 0);
	/* The driver was told, the command itself was answered. */
	char note[32];
	snprintf(note, sizeof(note), "ctl%d", EUC_WSET);
	st_expect(note);
	OK(str_do(fd, EUC_WGET, &f, sizeof(f)), 0);
	cr_assert_eq(memcmp(&e, &f, sizeof(e)), 0);
	OK(str_do(fd, CSDATA_GET, &cs, sizeof(cs)), 0);
	cr_assert_eq(cs.codeset_type, LDTERM_CS_TYPE_EUC);
	cr_assert_eq(cs.csinfo_num, 4);
	cr_assert_eq(cs.eucpc_data[3].byte_length, 3);
	cr_assert_eq(cs.eucpc_data[3].screen_width, 2);
	e.eucw[1] = 9;
	FAILS(str_do(fd, EUC_WSET, &e, sizeof(e)), ERANGE);
	e.eucw[1] = 2;
	e.scrw[2] = 9;
	FAILS(str_do(fd, EUC_WSET, &e, sizeof(e)), ERANGE);
	st_expect("");
	utf8_on(fd);
	OK(str_do(fd, CSDATA_GET, &cs, sizeof(cs)), 0);
	cr_assert_eq(cs.codeset_type, LDTERM_CS_TYPE_UTF8);
	cr_assert_str_eq(cs.locale_name, "en_US.UTF-8");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_ioctl, code_sets_that_cannot_be)
{
	const ldterm_cs_data_user_t good = {
	    .version = 1, .codeset_type = LDTERM_CS_TYPE_PCCS, .csinfo_num = 1, .eucpc_data = {{2, 2, 0x81, 0x9f}}};
	ldterm_cs_data_user_t cs = good;
	int64_t fd = tty_open();

#define REFUSED(field, value) \
	cs = good;            \
	cs.field = value;     \
	FAILS(str_do(fd, CSDATA_SET, &cs, sizeof(cs)), ERANGE)
	REFUSED(version, 2);
	REFUSED(codeset_type, 0);
	REFUSED(codeset_type, 4);
	REFUSED(csinfo_num, 11);
	REFUSED(csinfo_num, 0);
	REFUSED(codeset_type, LDTERM_CS_TYPE_EUC);
	REFUSED(eucpc_data[0].byte_length, 9);
	REFUSED(eucpc_data[0].screen_width, 9);
	REFUSED(eucpc_data[0].msb_start, 0xa0);
#undef REFUSED
	cs = good;
	OK(str_do(fd, CSDATA_SET, &cs, sizeof(cs)), 0);
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_ioctl, erase_takes_a_whole_character)
{
	int64_t fd = tty_open();

	utf8_on(fd);
	/* e acute is two bytes and a column, a Han character three and two, a combining accent two and none. */
	tty_type(fd, "a\xc3\xa9\177b\n");
	SHOWS("a\\xc3\\xa9\\b \\bb\\r\\n");
	GOT(fd, "[ab\\n]");
	tty_type(fd, "\xe6\xbc\xa2\177c\n");
	SHOWS("\\xe6\\xbc\\xa2\\b \\b\\b \\bc\\r\\n");
	GOT(fd, "[c\\n]");
	tty_type(fd, "e\xcc\x81\177\177d\n");
	SHOWS("e\\xcc\\x81\\b \\bd\\r\\n");
	GOT(fd, "[d\\n]");
	/* Four bytes, in two messages. */
	tty_type(fd, "\xf0\x9f");
	tty_type(fd, "\x98\x80\177x\n");
	GOT(fd, "[x\\n]");
	(void)tl_shown();
	/* A word of them, a whole line, shown again. */
	tty_type(fd, "a \xc3\xa9\xe6\xbc\xa2\027z\n");
	SHOWS("a \\xc3\\xa9\\xe6\\xbc\\xa2\\b \\b\\b \\b\\b \\bz\\r\\n");
	GOT(fd, "[a z\\n]");
	tty_type(fd, "\xc3\xa9\xe6\xbc\xa2\025z\n");
	SHOWS("\\xc3\\xa9\\xe6\\xbc\\xa2\\b \\b\\b \\b\\b \\bz\\r\\n");
	GOT(fd, "[z\\n]");
	tty_type(fd, "\xc3\xa9\022\n");
	SHOWS("\\xc3\\xa9^R\\r\\n\\xc3\\xa9\\r\\n");
	GOT(fd, "[\\xc3\\xa9\\n]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_ioctl, bytes_that_are_no_character)
{
	int64_t fd = tty_open();

	utf8_on(fd);
	tty_type(fd, "\x80\xc3(\177\177\177x\n");
	GOT(fd, "[x\\n]");
	(void)tl_shown();
	/* ECHOPRT shows all bytes, ECHO without ECHOE the erase character once. */
	LMODE(fd, ECHOPRT, ECHOE);
	tty_type(fd, "\xc3\xa9\177x\n");
	SHOWS("\\xc3\\xa9\\\\xc3\\xa9/x\\r\\n");
	GOT(fd, "[x\\n]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_ioctl, columns_count_characters)
{
	int64_t fd = tty_open();

	utf8_on(fd);
	OK(U_WRITE(fd, "\xc3\xa9\xe6\xbc\xa2\tx\r", 8), 8);
	SHOWS("\\xc3\\xa9\\xe6\\xbc\\xa2     x\\r");
	/* In two writes, and echoed; the tab goes back to where it began. */
	OK(U_WRITE(fd, "\xe6\xbc", 2), 2);
	OK(U_WRITE(fd, "\xa2\t.\r", 4), 4);
	SHOWS("\\xe6\\xbc\\xa2      .\\r");
	tty_type(fd, "\xe6\xbc\xa2\t\177\n");
	SHOWS("\\xe6\\xbc\\xa2      \\b\\b\\b\\b\\b\\b\\r\\n");
	GOT(fd, "[\\xe6\\xbc\\xa2\\n]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_ioctl, extended_unix_code)
{
	int64_t fd = tty_open();
	eucioc_t e = {{1, 2, 1, 2}, {1, 2, 1, 2}};

	OK(str_do(fd, EUC_WSET, &e, sizeof(e)), 0);
	/* Set 1: two bytes and columns; set 2: SS2 and one byte, one column; set 3: SS3 and two. */
	tty_type(fd, "\xb0\xa1\177\x8e\xb1\177\x8f\xb0\xa1\177x\n");
	SHOWS("\\xb0\\xa1\\b \\b\\b \\b\\x8e\\xb1\\b \\b\\x8f\\xb0\\xa1\\b \\b\\b \\bx\\r\\n");
	GOT(fd, "[x\\n]");
	/* ASCII again. */
	e = (eucioc_t){{1, 0, 0, 0}, {1, 0, 0, 0}};
	OK(str_do(fd, EUC_WSET, &e, sizeof(e)), 0);
	tty_type(fd, "\xb0\xa1\177\n");
	GOT(fd, "[\\xb0\\n]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_ioctl, a_second_byte_can_look_like_anything)
{
	int64_t fd = tty_open();
	ldterm_cs_data_user_t cs = {.version = 1,
				    .codeset_type = LDTERM_CS_TYPE_PCCS,
				    .csinfo_num = 3,
				    .eucpc_data = {{2, 2, 0x81, 0x9f}, {1, 1, 0xa0, 0xdf}, {2, 2, 0xe0, 0xfc}}};

	OK(str_do(fd, CSDATA_SET, &cs, sizeof(cs)), 0);
	tty_cc(fd, VKILL, '@');
	tty_cc(fd, VEOL, 'E');
	/* 0x83 0x5c has a backslash, 0x81 0x40 the kill character, 0x82 0x45 the end of line. */
	tty_type(fd, "\x83\x5c\177a\x81\x40\x82\x45\xb1\177\177\n");
	GOT(fd, "[a\\x81@\\n]");
	tty_type(fd, "\x81\x40@b\n");
	GOT(fd, "[b\\n]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_ioctl, widths_without_memory)
{
	int64_t fd = tty_open();
	queue_t *wq = fd_stream(fd)->sd_wrq->q_next->q_next;
	eucioc_t e = {{1, 2, 0, 0}, {1, 2, 0, 0}}, f;
	mblk_t *mp;

	for (long n = 1; n <= 2; n++) {
		mp = mkiocb(EUC_WSET);
		mp->b_cont = bytes_msg(M_DATA, &e, sizeof(e));
		((struct iocblk *)mp->b_rptr)->ioc_count = sizeof(e);
		spy_naks = true;
		allocb_fail_nth(n);
		put(wq, mp);
		allocb_fail_nth(0);
		st_expect("nak11");
		OK(str_do(fd, EUC_WGET, &f, sizeof(f)), 0);
		cr_assert_eq(f.eucw[1], 0);
	}
	tty_close(fd);
	DONE;
}
