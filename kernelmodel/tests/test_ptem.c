/* ptem: both directions, every ioctl, memory that fails, reopen and close. */
#include "tests/ptytest.h"
#include "sys/strtty.h"

STR_SUITE(ptem);

#define SETOPTS "up SETOPTS(0x430,512,256)" /* HIWAT, LOWAT, ISTTY */

static struct ptem *state(void)
{
	return pt_module->q_ptr;
}

static void begin(void)
{
	pt_stream("ptem");
	st_expect(SETOPTS);
}

/* ---- open and close ---- */

Test(ptem, opens_as_a_module_with_the_default_flags)
{
	begin();
	cr_assert_eq(state()->cflags, 0xbdU);
	cr_assert_eq(MBLKSIZE(state()->dack_ptr) >= 4, 1);
	cr_assert_eq(state()->q_ptr, pt_module);
	cr_assert_eq(pt_module->q_qinfo->qi_minfo->mi_idnum, 0xabcd);
	cr_assert_eq(WR(pt_module)->q_maxpsz, 512);
	cr_assert_eq(WR(pt_module)->q_hiwat, 512);
	cr_assert_eq(WR(pt_module)->q_lowat, 128);
	cr_assert(pt_module->q_flag & QPAIR);
	pt_end_stream();
}

Test(ptem, is_no_driver)
{
	dev_t dev = 0;

	begin();
	cr_assert_eq(pt_module->q_qinfo->qi_qopen(pt_module, &dev, 0, 0, kcred), EINVAL);
	cr_assert_eq(pt_module->q_qinfo->qi_qopen(pt_module, &dev, 0, CLONEOPEN, kcred), EINVAL);
	cr_assert_eq(pt_module->q_qinfo->qi_qopen(pt_module, &dev, 0, MODOPEN, kcred), 0, "reopen");
	st_expect("");
	pt_end_stream();
}

Test(ptem, does_not_open_without_memory)
{
	stdata_t *stp = st_open();
	dev_t dev = 0;

	st_drive(stp, &pt_end);
	for (int n = 1; n <= 2; n++) {
		allocb_fail_nth(n);
		cr_assert_eq(qattach(_RD(stp->sd_wrq), &dev, 0, kcred, fmodsw_find("ptem"), NULL), EAGAIN);
	}
	kmem_fail_nth(2); /* the queue pair is the first */
	cr_assert_eq(qattach(_RD(stp->sd_wrq), &dev, 0, kcred, fmodsw_find("ptem"), NULL), EAGAIN);
	kmem_fail_nth(0);
	cr_assert_eq(qattach(_RD(stp->sd_wrq), &dev, 0, kcred, fmodsw_find("ptem"), NULL), 0);
	machine_run_ready();
	st_close(stp);
	st_noted();
}

Test(ptem, closes_with_messages_queued)
{
	begin();
	PT_DOWN(M_STOP, "");
	PT_DOWN(M_DATA, "held");
	cr_assert_eq(qsize(WR(pt_module)), 1);
	st_expect("down STOP");
	pt_end_stream(); /* and nothing is alive: see st_halt() */
}

/* ---- up ---- */

Test(ptem, what_passes_upwards)
{
	static const int passed[] = {M_DATA,    M_PROTO,  M_BREAK,  M_SIG,     M_CTL,      M_SETOPTS,
				     M_PCPROTO, M_PCSIG,  M_FLUSH,  M_STOP,    M_START,    M_ERROR,
				     M_STOPI,   M_STARTI, M_COPYIN, M_COPYOUT, M_UNHANGUP, M_HANGUP};
	static const char text[sizeof(struct stroptions)] = "x";

	begin();
	for (size_t i = 0; i < sizeof(passed) / sizeof(passed[0]); i++) {
		mblk_t *mp = bytes_msg(passed[i], text, sizeof(text));
		char want[1024];

		snprintf(want, sizeof(want), "up %s", pt_show(mp));
		pt_up(mp);
		st_expect(want);
	}
	pt_end_stream();
}

Test(ptem, what_ends_here_on_its_way_up)
{
	begin();
	PT_UP(M_DELAY, "\5");
	PT_UP(M_READ, "");
	pt_up(pt_ioctl(TCSETS, NULL, 0));
	st_expect("up IOCTL(T14,0)"); /* not a master's ioctl: passes */
	for (int i = 0; i < 2; i++) {
		mblk_t *mp = pt_ioctl(TCSETS, "data", 4);

		DB_TYPE(mp) = i == 0 ? M_IOCACK : M_IOCNAK; /* of a copy that went down */
		pt_up(mp);
	}
	st_expect("");
	pt_end_stream();
}

Test(ptem, a_hangup_lets_stopped_output_go)
{
	begin();
	PT_DOWN(M_STOP, "");
	PT_DOWN(M_DATA, "held");
	st_expect("down STOP");
	PT_UP(M_HANGUP, "");
	st_expect("up HANGUP down DATA:held");
	cr_assert_not(state()->state & OFLOW_CTL);
	PT_UP(M_HANGUP, "");
	st_expect("up HANGUP");
	pt_end_stream();
}

/* ---- ioctls of the master ---- */

Test(ptem, master_break)
{
	int zero = 0, one = 1;

	begin();
	pt_up(PT_IOCTL(TCSBRK, zero));
	st_expect("up BREAK down ACK(T5,0,0,0)");
	pt_up(PT_IOCTL(TCSBRK, one));
	st_expect("down ACK(T5,0,0,0)");
	pt_up(pt_ioctl(TCSBRK, "abc", 3));
	st_expect("down NAK(T5,22)");
	pt_up(pt_ioctl(TCSBRK, NULL, 0));
	st_expect("down NAK(T5,22)");
	pt_up(pt_transparent(TCSBRK, 0));
	st_expect("down NAK(T5,22)");
	pt_end_stream();
}

Test(ptem, master_break_without_memory)
{
	int zero = 0;

	begin();
	PT_FAIL_FROM(pt_up, PT_IOCTL(TCSBRK, zero), 1, "down NAK(T5,11)");
	pt_end_stream();
}

Test(ptem, master_signals)
{
	int sig = SIGINT, bad[] = {0, -1, 49, 1000};

	begin();
	pt_up(PT_IOCTL(TIOCSIGNAL, sig));
	st_expect("up PCSIG:\\02 down ACK(t31,0,0,0)");
	for (int i = 0; i < 4; i++) {
		pt_up(PT_IOCTL(TIOCSIGNAL, bad[i]));
		st_expect("down NAK(t31,22)");
	}
	sig = 48;
	pt_up(PT_IOCTL(TIOCSIGNAL, sig));
	st_expect("up PCSIG:0 down ACK(t31,0,0,0)");
	pt_up(pt_ioctl(TIOCSIGNAL, "ab", 2));
	st_expect("down NAK(t31,22)");
	pt_end_stream();
}

/* Transparent: a small number is the signal, anything else says where it is. */
Test(ptem, master_signals_transparently)
{
	int sig = SIGQUIT;

	begin();
	pt_up(pt_transparent(TIOCSIGNAL, SIGTERM));
	st_expect("up PCSIG:\\0f down ACK(t31,0,0,0)");
	pt_up(pt_transparent(TIOCSIGNAL, 49));
	st_expect("down COPYIN(t31,4@0x31)");
	pt_up(pt_transparent(TIOCSIGNAL, 0x12340));
	st_expect("down COPYIN(t31,4@0x12340)");
	pt_up(pt_iocdata(TIOCSIGNAL, 0, &sig, sizeof(sig)));
	st_expect("up PCSIG:\\03 down ACK(t31,0,0,0)");
	sig = 0;
	pt_up(pt_iocdata(TIOCSIGNAL, 0, &sig, sizeof(sig)));
	st_expect("down NAK(t31,22)");
	pt_up(pt_iocdata(TIOCSIGNAL, 0, "a", 1));
	st_expect("down NAK(t31,22)");
	pt_up(pt_iocdata(TIOCSIGNAL, 0, NULL, 0));
	st_expect("down NAK(t31,22)");
	pt_up(pt_iocdata(TIOCSIGNAL, EFAULT, NULL, 0));
	st_expect("");
	pt_end_stream();
}

/* An iocblk of this command in an M_CTL, which shows as bytes, and the answer. */
static void expect_canon(int cmd)
{
	const char *noted = st_noted(), *answer = strstr(noted, " down ");
	char want[16];

	snprintf(want, sizeof(want), "up CTL:\\%02x\\00", cmd);
	cr_assert_eq(strncmp(noted, want, strlen(want)), 0, "%s", noted);
	cr_assert_not_null(answer);
	cr_assert_str_eq(answer, " down ACK(t30,0,0,0)");
}

Test(ptem, master_edits_lines_itself)
{
	int one = 1, zero = 0;

	begin();
	pt_up(PT_IOCTL(TIOCREMOTE, one));
	expect_canon(MC_NO_CANON);
	cr_assert(state()->state & REMOTEMODE);
	pt_up(PT_IOCTL(TIOCREMOTE, zero));
	expect_canon(MC_DO_CANON);
	cr_assert_not(state()->state & REMOTEMODE);
	pt_up(pt_transparent(TIOCREMOTE, 1));
	st_expect("down COPYIN(t30,4@0x1)");
	pt_up(pt_iocdata(TIOCREMOTE, 0, &one, sizeof(one)));
	expect_canon(MC_NO_CANON);
	cr_assert(state()->state & REMOTEMODE);
	pt_up(pt_ioctl(TIOCREMOTE, "ab", 2));
	st_expect("down NAK(t30,22)");
	pt_up(pt_iocdata(TIOCREMOTE, EFAULT, NULL, 0));
	st_expect("");
	cr_assert(state()->state & REMOTEMODE);
	pt_end_stream();
}

Test(ptem, master_commands_without_memory)
{
	int one = 1;
	mblk_t *mp;

	begin();
	mp = PT_IOCTL(TIOCREMOTE, one);
	allocb_fail_nth(1);
	pt_up(mp);
	st_expect("down NAK(t30,11)");
	cr_assert_not(state()->state & REMOTEMODE);
	mp = PT_IOCTL(TIOCREMOTE, one);
	allocb_fail_nth(2);
	pt_up(mp);
	allocb_fail_nth(0);
	expect_canon(MC_NO_CANON);
	PT_FAIL_FROM(pt_up, PT_IOCTL(TIOCSIGNAL, one), 1, "down NAK(t31,11)");
	pt_end_stream();
}

/* ---- window size, from both sides ---- */

static const struct winsize size24 = {24, 80, 640, 480};
#define SIZE24 "\\18\\00P\\00\\80\\02\\e0\\01"

Test(ptem, no_size_at_first)
{
	begin();
	pt_down(pt_ioctl(TIOCGWINSZ, NULL, 0));
	st_expect("up NAK(T104,22)");
	pt_down(pt_transparent(JWINSIZE, 0x1000));
	st_expect("up NAK(j5,22)");
	pt_up(pt_ioctl(TIOCGWINSZ, NULL, 0));
	st_expect("down NAK(T104,22)");
	pt_end_stream();
}

Test(ptem, the_program_sets_its_size)
{
	begin();
	pt_down(PT_IOCTL(TIOCSWINSZ, size24));
	st_expect("up SIG:\\14 down IOCTL(T103,8):" SIZE24 " up ACK(T103,0,0,0)");
	pt_down(pt_ioctl(TIOCGWINSZ, NULL, 0));
	st_expect("up ACK(T104,8,0,0):" SIZE24);
	pt_up(pt_ioctl(TIOCGWINSZ, NULL, 0));
	st_expect("down ACK(T104,8,0,0):" SIZE24);
	pt_down(pt_ioctl(JWINSIZE, NULL, 0));
	st_expect("up ACK(j5,6,0,0):P\\18\\80\\02\\e0\\01");
	pt_end_stream();
}

Test(ptem, the_master_sets_the_size)
{
	begin();
	pt_up(PT_IOCTL(TIOCSWINSZ, size24));
	st_expect("up SIG:\\14 down ACK(T103,0,0,0)"); /* and no copy */
	pt_up(pt_ioctl(JWINSIZE, NULL, 0));
	st_expect("down ACK(j5,6,0,0):P\\18\\80\\02\\e0\\01");
	pt_end_stream();
}

/* The signal says that rows, columns or width are other than before, or the height other than the new width. */
Test(ptem, when_a_size_is_another)
{
	static const struct {
		struct winsize size;
		bool signal;
	} t[] = {
	    {{24, 80, 0, 0}, true},      {{24, 80, 0, 0}, false},    {{25, 80, 0, 0}, true},
	    {{25, 81, 0, 0}, true},      {{25, 81, 500, 500}, true}, {{25, 81, 500, 500}, false},
	    {{25, 81, 500, 400}, false}, {{25, 81, 500, 400}, true}, {{25, 81, 500, 500}, true},
	    {{25, 81, 500, 500}, false},
	};

	begin();
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		pt_up(PT_IOCTL(TIOCSWINSZ, t[i].size));
		cr_assert_str_eq(st_noted(), t[i].signal ? "up SIG:\\14 down ACK(T103,0,0,0)" : "down ACK(T103,0,0,0)",
				 "%zu", i);
		cr_assert_eq(memcmp(&state()->wsz, &t[i].size, sizeof(t[i].size)), 0);
	}
	pt_end_stream();
}

Test(ptem, sizes_of_the_wrong_size)
{
	begin();
	pt_down(pt_ioctl(TIOCSWINSZ, "abcdefg", 7));
	st_expect("up NAK(T103,22)");
	pt_down(pt_ioctl(TIOCSWINSZ, NULL, 0));
	st_expect("up NAK(T103,22)");
	pt_down(pt_iocdata(TIOCSWINSZ, 0, "abc", 3));
	st_expect("up NAK(T103,22)");
	pt_down(pt_iocdata(TIOCSWINSZ, EFAULT, NULL, 0));
	st_expect("");
	pt_end_stream();
}

Test(ptem, sizes_transparently)
{
	begin();
	for (int side = 0; side < 2; side++) {
		void (*send)(mblk_t *) = side == 0 ? pt_down : pt_up;
		const char *from = side == 0 ? "up" : "down";
		char want[256];

		send(pt_transparent(TIOCSWINSZ, 0x1000));
		snprintf(want, sizeof(want), "%s COPYIN(T103,8@0x1000)", from);
		st_expect(want);
		send(pt_iocdata(TIOCSWINSZ, 0, &size24, sizeof(size24)));
		snprintf(want, sizeof(want), "%s%s ACK(T103,0,0,0)",
			 side == 0 ? "up SIG:\\14 down IOCTL(T103,8):" SIZE24 " " : "up SIG:\\14 ", from);
		st_expect(want);
		send(pt_transparent(TIOCGWINSZ, 0x2000));
		snprintf(want, sizeof(want), "%s COPYOUT(T104,8@0x2000):" SIZE24, from);
		st_expect(want);
		send(pt_iocdata(TIOCGWINSZ, 0, NULL, 0));
		snprintf(want, sizeof(want), "%s ACK(T104,0,0,0)", from);
		st_expect(want);
		send(pt_transparent(JWINSIZE, 0x3000));
		snprintf(want, sizeof(want), "%s COPYOUT(j5,6@0x3000):P\\18\\80\\02\\e0\\01", from);
		st_expect(want);
		send(pt_iocdata(JWINSIZE, 0, NULL, 0));
		snprintf(want, sizeof(want), "%s ACK(j5,0,0,0)", from);
		st_expect(want);
		send(pt_iocdata(JWINSIZE, EFAULT, NULL, 0));
		send(pt_iocdata(TCSETS, 0, "abcd", 4)); /* nobody's */
		st_expect("");
	}
	pt_end_stream();
}

Test(ptem, sizes_without_memory)
{
	struct winsize w = {1, 2, 3, 3};

	begin();
	/* Two blocks of the copy. */
	PT_FAIL(pt_down, PT_IOCTL(TIOCSWINSZ, w),
		"up SIG:\\14 down IOCTL(T103,8):\\01\\00\\02\\00\\03\\00\\03\\00 up ACK(T103,0,0,0)", "up NAK(T103,11)",
		2);
	PT_FAIL(pt_down, pt_ioctl(TIOCGWINSZ, NULL, 0), "up ACK(T104,8,0,0):\\01\\00\\02\\00\\03\\00\\03\\00",
		"up NAK(T104,11)", 1);
	PT_FAIL(pt_down, pt_ioctl(JWINSIZE, NULL, 0), "up ACK(j5,6,0,0):\\02\\01\\03\\00\\03\\00", "up NAK(j5,11)", 1);
	w.ws_row = 9;
	/* From the master there is no copy, only the signal. */
	PT_FAIL_FROM(pt_up, PT_IOCTL(TIOCSWINSZ, w), 1, "down NAK(T103,11)");
	PT_FAIL_FROM(pt_down, PT_IOCTL(TIOCSWINSZ, w), 3, "up NAK(T103,11)");
	cr_assert_eq(state()->wsz.ws_row, 1, "nothing changed");
	pt_end_stream();
}

/* ---- ioctls of the program ---- */

#define TERMIOS(cflag)                                                                      \
	{                                                                                   \
		.c_iflag = 0x1111, .c_oflag = 0x0202, .c_cflag = (cflag), .c_lflag = 0x3333 \
	}
#define TS36(cflag) "\\11\\11\\00\\00\\02\\02\\00\\00" cflag "33\\00\\00" NUL19 "\\00"
#define NUL4 "\\00\\00\\00\\00"
#define NUL19 NUL4 NUL4 NUL4 NUL4 "\\00\\00\\00"

Test(ptem, gets_give_only_the_line_flags)
{
	begin();
	pt_down(pt_ioctl(TCGETS, NULL, 0));
	st_expect("up ACK(T13,36,0,0):" NUL4 NUL4 "\\bd\\00\\00\\00" NUL4 NUL19 "\\00");
	pt_down(pt_ioctl(TCGETA, NULL, 0));
	st_expect("up ACK(T1,18,0,0):" NUL4 "\\bd\\00\\00\\00" NUL4 NUL4 "\\00\\00");
	PT_FAIL(pt_down, pt_ioctl(TCGETA, NULL, 0), "up ACK(T1,18,0,0):" NUL4 "\\bd\\00\\00\\00" NUL4 NUL4 "\\00\\00",
		"up NAK(T1,11)", 1);
	PT_FAIL(pt_down, pt_ioctl(TCGETS, NULL, 0),
		"up ACK(T13,36,0,0):" NUL4 NUL4 "\\bd\\00\\00\\00" NUL4 NUL19 "\\00", "up NAK(T13,11)", 1);
	pt_end_stream();
}

Test(ptem, sets_keep_the_line_flags_and_tell_the_packet_module)
{
	struct termios ts = TERMIOS(0x010000beU);

	begin();
	pt_down(PT_IOCTL(TCSETS, ts));
	st_expect("down IOCTL(T14,36):" TS36("\\be\\00\\00\\01") " up ACK(T14,0,0,0)");
	cr_assert_eq(state()->cflags, 0x010000beU);
	pt_down(PT_IOCTL(TCSETSW, ts));
	st_expect("down IOCTL(T15,36):" TS36("\\be\\00\\00\\01") " up ACK(T15,0,0,0)");
	pt_down(PT_IOCTL(TCSETSF, ts));
	st_expect("down FLUSH:\\01 down IOCTL(T16,36):" TS36("\\be\\00\\00\\01") " up ACK(T16,0,0,0)");
	pt_end_stream();
}

#define T18 "\\11\\11\\02\\02a\\0033" NUL4 NUL4 "\\00\\00"

Test(ptem, a_termio_has_sixteen_bits)
{
	struct termios ts = TERMIOS(0x010000beU);
	struct termio t = {.c_iflag = 0x1111, .c_oflag = 0x0202, .c_cflag = 'a', .c_lflag = 0x3333};

	begin();
	pt_down(PT_IOCTL(TCSETS, ts));
	st_noted();
	pt_down(PT_IOCTL(TCSETA, t));
	st_expect("down IOCTL(T2,18):" T18 " up ACK(T2,0,0,0)");
	cr_assert_eq(state()->cflags, 0x01000061U);
	pt_down(PT_IOCTL(TCSETAW, t));
	st_expect("down IOCTL(T3,18):" T18 " up ACK(T3,0,0,0)");
	pt_down(PT_IOCTL(TCSETAF, t));
	st_expect("down FLUSH:\\01 down IOCTL(T4,18):" T18 " up ACK(T4,0,0,0)");
	pt_end_stream();
}

Test(ptem, sets_of_the_wrong_size)
{
	static const int cmds[] = {TCSETA, TCSETAW, TCSETS, TCSETSW}, flushing[] = {TCSETAF, TCSETSF};
	static const char zero[36];
	char want[64];

	begin();
	for (int i = 0; i < 4; i++) {
		pt_down(pt_ioctl(cmds[i], zero, i < 2 ? 17 : 35));
		snprintf(want, sizeof(want), "up NAK(T%d,22)", cmds[i] & 0xff);
		st_expect(want);
		pt_down(pt_transparent(cmds[i], 0x1000));
		st_expect(want);
	}
	for (int i = 0; i < 2; i++) {
		pt_down(pt_ioctl(flushing[i], zero, i < 1 ? 17 : 35));
		snprintf(want, sizeof(want), "down FLUSH:\\01 up NAK(T%d,22)", flushing[i] & 0xff);
		st_expect(want);
	}
	cr_assert_eq(state()->cflags, 0xbdU);
	pt_end_stream();
}

Test(ptem, sets_without_memory)
{
	struct termios ts = TERMIOS(0xbeU);
	mblk_t *mp;

	begin();
	PT_FAIL(pt_down, PT_IOCTL(TCSETS, ts), "down IOCTL(T14,36):" TS36("\\be\\00\\00\\00") " up ACK(T14,0,0,0)",
		"up NAK(T14,11)", 2);
	ts.c_cflag = 0xbf;
	mp = PT_IOCTL(TCSETSF, ts);
	allocb_fail_nth(-1); /* no flush */
	pt_down(mp);
	allocb_fail_nth(0);
	st_expect("up NAK(T16,11)");
	cr_assert_eq(state()->cflags, 0xbeU, "as it was");
	mp = PT_IOCTL(TCSETSF, ts);
	allocb_fail_nth(2); /* no copy */
	pt_down(mp);
	st_expect("down FLUSH:\\01 up NAK(T16,11)");
	cr_assert_eq(state()->cflags, 0xbeU);
	pt_end_stream();
}

Test(ptem, speed_0_hangs_up_once)
{
	struct termios ts = TERMIOS(0xb0U);

	begin();
	pt_down(PT_IOCTL(TCSETS, ts));
	st_expect("down DATA up ACK(T14,0,0,0)");
	cr_assert_null(state()->dack_ptr);
	pt_down(PT_IOCTL(TCSETS, ts));
	st_expect("up ACK(T14,0,0,0)");
	cr_assert_eq(state()->cflags, 0xb0U);
	ts.c_cflag |= CBAUDEXT; /* 57600 */
	pt_down(PT_IOCTL(TCSETS, ts));
	st_expect("down IOCTL(T14,36):" TS36("\\b0\\00\\20\\00") " up ACK(T14,0,0,0)");
	pt_end_stream();
}

Test(ptem, breaks)
{
	int zero = 0, one = 1;

	begin();
	pt_down(PT_IOCTL(TCSBRK, zero));
	st_expect("down IOCTL(T5,4):" NUL4 " down BREAK up ACK(T5,0,0,0)");
	pt_down(PT_IOCTL(TCSBRK, one));
	st_expect("down IOCTL(T5,4):\\01\\00\\00\\00 up ACK(T5,0,0,0)");
	pt_down(pt_ioctl(TCSBRK, "abc", 3));
	st_expect("up NAK(T5,22)");
	PT_FAIL(pt_down, PT_IOCTL(TCSBRK, one), "down IOCTL(T5,4):\\01\\00\\00\\00 up ACK(T5,0,0,0)", "up NAK(T5,11)",
		2);
	PT_FAIL_FROM(pt_down, PT_IOCTL(TCSBRK, zero), 3, "down IOCTL(T5,4):" NUL4 " up NAK(T5,11)");
	pt_end_stream();
}

Test(ptem, typing_by_program)
{
	int one = 1;

	begin();
	pt_down(pt_ioctl(TIOCSTI, "x", 1));
	st_expect("down IOCTL(t23,1):x up DATA:x up ACK(t23,0,0,0)");
	PT_FAIL(pt_down, pt_ioctl(TIOCSTI, "x", 1), "down IOCTL(t23,1):x up DATA:x up ACK(t23,0,0,0)",
		n_ <= 2 ? "up NAK(t23,11)" : "down IOCTL(t23,1):x up NAK(t23,11)", 3);
	pt_down(pt_ioctl(TIOCSTI, NULL, 0));
	st_expect("down IOCTL(t23,0) up NAK(t23,22)");
	pt_full(PT_HEADQ);
	pt_down(pt_ioctl(TIOCSTI, "x", 1));
	st_expect("down IOCTL(t23,1):x up NAK(t23,11)");
	pt_room(PT_HEADQ);
	pt_up(PT_IOCTL(TIOCREMOTE, one));
	st_noted();
	pt_down(pt_ioctl(TIOCSTI, "x", 1));
	st_expect("down IOCTL(t23,1):x up ACK(t23,0,0,0)"); /* the master does it */
	pt_end_stream();
}

Test(ptem, ptsstty_once)
{
	begin();
	pt_down(pt_transparent(PTSSTTY, 0));
	st_expect("up ACK(P3,0,0,0)");
	cr_assert(state()->state & IS_PTSTTY);
	pt_down(pt_transparent(PTSSTTY, 0));
	st_expect("up NAK(P3,17)");
	pt_end_stream();
}

Test(ptem, other_ioctls_end_here)
{
	begin();
	pt_down(pt_ioctl(TCXONC, "abcd", 4));
	st_expect("up NAK(T6,22)");
	pt_down(pt_transparent(LOOP_ACK, 0));
	st_expect("up NAK(L1,22)");
	pt_end_stream();
}

/* ---- down ---- */

Test(ptem, what_passes_downwards)
{
	static const int passed[] = {M_PROTO,   M_BREAK,  M_SIG,    M_CTL,      M_SETOPTS, M_PCPROTO,
				     M_PCSIG,   M_STOPI,  M_STARTI, M_IOCACK,   M_IOCNAK,  M_COPYIN,
				     M_COPYOUT, M_HANGUP, M_ERROR,  M_UNHANGUP, M_DATA};
	static const char text[sizeof(struct stroptions)] = "x";

	begin();
	for (size_t i = 0; i < sizeof(passed) / sizeof(passed[0]); i++) {
		mblk_t *mp = bytes_msg(passed[i], text, sizeof(text));
		char want[1024];

		snprintf(want, sizeof(want), "down %s", pt_show(mp));
		pt_down(mp);
		st_expect(want);
	}
	PT_DOWN(M_READ, "12345678");
	PT_DOWN(M_DELAY, "\5");
	st_expect("");
	pt_end_stream();
}

Test(ptem, empty_and_impossible_data)
{
	mblk_t *mp;

	begin();
	PT_DOWN(M_DATA, "");
	mp = st_msg(M_DATA, "ab");
	mp->b_rptr = mp->b_wptr;
	mp->b_wptr -= 1;
	pt_down(mp);
	st_expect("");
	mp = st_msg(M_DATA, "");
	mp->b_cont = st_msg(M_DATA, "behind");
	pt_down(mp);
	st_expect("down DATA:|behind");
	pt_down(pt_transparent(PTSSTTY, 0));
	st_noted();
	PT_DOWN(M_DATA, "");
	st_expect("down DATA");
	mp = st_msg(M_DATA, "ab");
	mp->b_rptr = mp->b_wptr;
	mp->b_wptr -= 1;
	pt_down(mp);
	st_expect("");
	pt_end_stream();
}

Test(ptem, stop_and_start)
{
	begin();
	PT_DOWN(M_STOP, "");
	st_expect("down STOP");
	PT_DOWN(M_DATA, "a");
	PT_DOWN(M_DATA, "b");
	PT_DOWN(M_CTL, "c");
	st_expect("");
	cr_assert_str_eq(st_queued(WR(pt_module)), "a b c");
	PT_DOWN(M_START, "");
	st_expect("down START down DATA:a down DATA:b down CTL:c");
	/* Without data before it a stop does not hold other messages. */
	PT_DOWN(M_STOP, "");
	PT_DOWN(M_CTL, "c");
	st_expect("down STOP down CTL:c");
	pt_end_stream();
}

Test(ptem, behind_others_only_what_drains_waits)
{
	struct termios ts = {.c_cflag = 0xbe};
	int one = 1;

	begin();
	pt_full(PT_ENDQ);
	PT_DOWN(M_DATA, "a");
	st_expect("");
	pt_down(PT_IOCTL(TCSETS, ts)); /* at once */
	cr_assert_eq(strncmp(st_noted(), "down IOCTL(T14,36)", 18), 0);
	pt_down(pt_ioctl(TIOCGWINSZ, NULL, 0));
	st_expect("up NAK(T104,22)");
	PT_DOWN(M_DELAY, "\5");
	PT_DOWN(M_DATA, "");
	cr_assert_eq(qsize(WR(pt_module)), 1);
	pt_down(PT_IOCTL(TCSETSW, ts));
	pt_down(PT_IOCTL(TCSETSF, ts));
	pt_down(pt_ioctl(TCSETAW, &ts, 18));
	pt_down(pt_ioctl(TCSETAF, &ts, 18));
	pt_down(PT_IOCTL(TCSBRK, one));
	st_expect("");
	cr_assert_eq(qsize(WR(pt_module)), 6);
	pt_room(PT_ENDQ);
	cr_assert_eq(qsize(WR(pt_module)), 0);
	const char *noted = st_noted();
	cr_assert_eq(strncmp(noted, "down DATA:a down IOCTL(T15", 26), 0, "%s", noted);
	pt_end_stream();
}

Test(ptem, empty_data_waits_when_it_means_something)
{
	begin();
	pt_down(pt_transparent(PTSSTTY, 0));
	st_noted();
	pt_full(PT_ENDQ);
	PT_DOWN(M_DATA, "a");
	PT_DOWN(M_DATA, "");
	pt_room(PT_ENDQ);
	st_expect("down DATA:a down DATA");
	pt_end_stream();
}

Test(ptem, flush_output)
{
	begin();
	PT_DOWN(M_STOP, "");
	PT_DOWN(M_DATA, "a");
	pt_down(st_band(1, "b"));
	st_noted();
	PT_DOWN(M_FLUSH, "\1");
	st_expect("down FLUSH:\\01");
	cr_assert_eq(qsize(WR(pt_module)), 2);
	pt_down(bytes_msg(M_FLUSH, "\6\1", 2)); /* bands are known after PTSSTTY only */
	st_expect("down FLUSH:\\06\\01");
	cr_assert_eq(qsize(WR(pt_module)), 0);
	pt_end_stream();
}

Test(ptem, flush_a_band)
{
	begin();
	pt_down(pt_transparent(PTSSTTY, 0));
	PT_DOWN(M_STOP, "");
	PT_DOWN(M_DATA, "a");
	pt_down(st_band(1, "b"));
	cr_assert_str_eq(st_queued(WR(pt_module)), "b a");
	pt_down(bytes_msg(M_FLUSH, "\6\1", 2));
	cr_assert_str_eq(st_queued(WR(pt_module)), "a");
	PT_DOWN(M_FLUSH, "\3");
	cr_assert_eq(qsize(WR(pt_module)), 0);
	pt_end_stream();
}

Test(ptem, flushing_a_band_spares_ioctls)
{
	int one = 1;
	mblk_t *mp = PT_IOCTL(TCSBRK, one);

	begin();
	pt_down(pt_transparent(PTSSTTY, 0));
	PT_DOWN(M_STOP, "");
	PT_DOWN(M_DATA, "a");
	pt_down(st_band(1, "b"));
	mp->b_band = 1;
	pt_down(mp);
	pt_down(bytes_msg(M_FLUSH, "\6\1", 2));
	cr_assert_eq(qsize(WR(pt_module)), 2);
	cr_assert_eq(DB_TYPE(WR(pt_module)->q_first), M_IOCTL);
	cr_assert_str_eq(st_text(WR(pt_module)->q_last), "a.");
	pt_end_stream();
}

/* An ioctl that waits is not lost by a flush: somebody waits for its answer. */
Test(ptem, flush_spares_ioctls)
{
	int one = 1;

	begin();
	PT_DOWN(M_STOP, "");
	PT_DOWN(M_DATA, "a");
	pt_down(PT_IOCTL(TCSBRK, one));
	st_expect("down STOP");
	PT_DOWN(M_FLUSH, "\2");
	cr_assert_eq(qsize(WR(pt_module)), 1);
	PT_DOWN(M_START, "");
	st_expect("down FLUSH:\\02 down START down IOCTL(T5,4):\\01\\00\\00\\00 up ACK(T5,0,0,0)");
	pt_end_stream();
}

/* A band that cannot be had: the message goes, nothing stays. */
Test(ptem, a_band_without_memory)
{
	begin();
	PT_DOWN(M_STOP, "");
	mblk_t *mp = st_band(3, "b");
	kmem_fail_nth(1);
	pt_down(mp);
	kmem_fail_nth(0);
	cr_assert_eq(qsize(WR(pt_module)), 0);
	pt_end_stream();
}
