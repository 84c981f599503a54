/* ldterm: input that is not canonical, VMIN and VTIME. */
#include "tests/ldtest.h"

STR_SUITE(ldterm_raw);

/* Raw, with so many bytes and tenths of a second; no echo. */
static int64_t raw_open(int min, int tenths)
{
	int64_t fd = tty_open();
	struct termios t = tty_get(fd);

	t.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
	t.c_iflag &= ~(tcflag_t)(ICRNL | IXON);
	t.c_oflag &= ~(tcflag_t)OPOST;
	t.c_cc[VMIN] = (cc_t)min;
	t.c_cc[VTIME] = (cc_t)tenths;
	tty_set(fd, t);
	st_expect("opts0x41:0");
	return fd;
}

/* ---- a reader that sleeps ---- */

static struct reader {
	int64_t fd, len, count;
	char buf[2048];
	hrtime_t when;
} rd;

static void reader(void *unused)
{
	(void)unused;
	rd.len = U_READ(rd.fd, rd.buf, rd.count);
	rd.when = machine_now();
}

static void read_start(int64_t fd, int64_t count)
{
	rd.fd = fd;
	rd.count = count;
	rd.len = -2;
	cr_assert_not_null(lwp_create(curproc, reader, NULL));
	OK(U_POLL(NULL, 0, 10), 0);
}

/* Not back yet. */
#define READS_ON cr_assert_eq(rd.len, -2)
#define READ_GOT(s)                                                \
	do {                                                       \
		char e_[8192];                                     \
		cr_assert_geq(rd.len, 0);                          \
		ld_escape(e_, sizeof(e_), rd.buf, (size_t)rd.len); \
		cr_assert_str_eq(e_, s);                           \
	} while (0)

static void pass_ms(int ms)
{
	OK(U_POLL(NULL, 0, ms), 0);
}

/* ---- without a reader ---- */

PROGRAM(ldterm_raw, bytes_go_up_as_they_come)
{
	int64_t fd = raw_open(1, 0);

	tty_ntype(fd, "a\0\003\023\r\n\177", 7);
	tty_type(fd, "b");
	cr_assert_str_eq(tty_got(fd), "[a\\x00\\x03\\x13\\r\\n\\x7fb]");
	SHOWS("");
	st_expect("");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_raw, min_bytes_are_collected)
{
	int64_t fd = raw_open(3, 0);

	tty_type(fd, "ab");
	GOT(fd, "");
	tty_type(fd, "cd");
	GOT(fd, "[abcd]");
	tty_type(fd, "e");
	GOT(fd, "");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_raw, many_bytes_in_one_message)
{
	static char buf[700];
	int64_t fd = raw_open(1, 0);
	int bytes;

	memset(buf, 'x', sizeof(buf));
	tty_ntype(fd, buf, sizeof(buf));
	OK(U_IOCTL(fd, I_NREAD, &bytes), 1);
	cr_assert_eq(bytes, 700);
	cr_assert_eq(strlen(tty_got(fd)), 702);
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_raw, what_waits_is_batched)
{
	static char buf[1100];
	int64_t fd = raw_open(1, 0);
	int bytes, n = 0;

	memset(buf, 'x', sizeof(buf));
	tty_ntype(fd, buf, sizeof(buf));
	for (int i = 0; i < 100; i++)
		tty_type(fd, "0123456789");
	OK(U_READ(fd, buf, sizeof(buf)), 1100);
	OK(user_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0), curproc->p_pid);
	/* 1000 bytes in messages of ten: one that reached 512, and the rest. */
	n = (int)U_IOCTL(fd, I_NREAD, &bytes);
	cr_assert_eq(n, 2);
	cr_assert_eq(bytes, 520);
	OK(U_READ(fd, buf, sizeof(buf)), 1000);
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_raw, echo)
{
	int64_t fd = raw_open(1, 0);

	LMODE(fd, ECHO, 0);
	tty_type(fd, "a\001\n");
	SHOWS("a\\n");
	LMODE(fd, ECHOCTL | IEXTEN, 0);
	tty_type(fd, "a\001\n");
	SHOWS("a^A\\n");
	/* The quoting character is taken out, and quotes what would act at once. */
	LMODE(fd, ISIG, 0);
	tty_type(fd, "\026\003\026\026x");
	SHOWS("^\\b^C^\\b^Vx");
	st_expect("");
	LMODE(fd, ECHONL, ECHO);
	tty_type(fd, "b\n\026");
	tty_type(fd, "\026");
	SHOWS("\\n");
	GOT(fd, "[a\\x01\\na\\x01\\n\\x03\\x16xb\\n\\x16]");
	LMODE(fd, 0, ECHONL | IEXTEN);
	tty_type(fd, "\026");
	GOT(fd, "[\\x16]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_raw, signals_work)
{
	int64_t fd = raw_open(1, 0);

	LMODE(fd, ISIG, 0);
	tty_type(fd, "a\003");
	st_expect("flush3 upflush2 sig2 upflush1");
	GOT(fd, "");
	LMODE(fd, NOFLSH, 0);
	tty_type(fd, "a\003");
	st_expect("sig2");
	GOT(fd, "[a]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_raw, a_message_of_no_byte_goes_no_further)
{
	int64_t fd = raw_open(1, 0);
	int bytes;

	tty_type(fd, "");
	OK(U_IOCTL(fd, I_NREAD, &bytes), 0);
	tty_close(fd);
	DONE;
}

/* ---- changing modes ---- */

PROGRAM(ldterm_raw, the_rest_of_a_line_becomes_bytes)
{
	int64_t fd = tty_open();
	struct termios t = tty_get(fd);

	tty_type(fd, "abc");
	t.c_lflag &= ~(tcflag_t)ICANON;
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	tty_set(fd, t);
	st_expect("opts0x41:0");
	cr_assert(fd_stream(fd)->sd_flag & SNDMREAD);
	GOT(fd, "");
	read_start(fd, 10);
	READ_GOT("abc");
	st_expect("read10");
	t.c_lflag |= ICANON;
	t.c_cc[VEOF] = 4;
	tty_set(fd, t);
	st_expect("opts0x81:2");
	cr_assert(!(fd_stream(fd)->sd_flag & SNDMREAD));
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_raw, pendin_makes_bytes_a_line)
{
	int64_t fd = raw_open('2', 0);

	tty_type(fd, "ab\177c\nd");
	GOT(fd, "");
	LMODE(fd, ICANON | ECHO | IEXTEN | PENDIN, 0);
	OK(user_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0), curproc->p_pid);
	cr_assert(!(tty_get(fd).c_lflag & PENDIN));
	GOT(fd, "[ac\\n]");
	st_expect("opts0x81:2");
	tty_type(fd, "\n");
	GOT(fd, "[d\\n]");
	/* With nothing to read again it does nothing. */
	LMODE(fd, PENDIN, 0);
	tty_type(fd, "e\n");
	GOT(fd, "[e\\n]");
	tty_close(fd);
	DONE;
}

/* ---- VMIN and VTIME ---- */

PROGRAM(ldterm_raw, min_0_time_0)
{
	int64_t fd = raw_open(0, 0);

	read_start(fd, 10);
	READ_GOT("");
	st_expect("read10");
	tty_type(fd, "ab");
	read_start(fd, 10);
	READ_GOT("ab");
	st_expect("");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_raw, min_0_time_5)
{
	int64_t fd = raw_open(0, 5);
	hrtime_t start = machine_now();

	/* Nothing comes: half a second. */
	read_start(fd, 10);
	READS_ON;
	pass_ms(600);
	READ_GOT("");
	cr_assert_eq((rd.when - start) / 10000000, 50);
	/* A byte comes. */
	read_start(fd, 10);
	pass_ms(200);
	READS_ON;
	tty_type(fd, "a");
	pass_ms(10);
	READ_GOT("a");
	/* It came before. */
	tty_type(fd, "b");
	read_start(fd, 10);
	READ_GOT("b");
	pass_ms(1000);
	GOT(fd, "");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_raw, min_3_time_0)
{
	int64_t fd = raw_open(3, 0);

	tty_type(fd, "a");
	read_start(fd, 10);
	tty_type(fd, "b");
	pass_ms(60000);
	READS_ON;
	tty_type(fd, "c");
	pass_ms(10);
	READ_GOT("abc");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_raw, min_3_time_5)
{
	int64_t fd = raw_open(3, 5);

	/* The time begins with the first byte, and again with each. */
	read_start(fd, 10);
	pass_ms(2000);
	READS_ON;
	tty_type(fd, "a");
	pass_ms(400);
	READS_ON;
	tty_type(fd, "b");
	pass_ms(400);
	READS_ON;
	pass_ms(200);
	READ_GOT("ab");
	/* MIN bytes end it at once. */
	read_start(fd, 10);
	tty_type(fd, "cde");
	pass_ms(10);
	READ_GOT("cde");
	/* Bytes that nobody waits for go up when the time is over. */
	tty_type(fd, "f");
	GOT(fd, "");
	pass_ms(600);
	GOT(fd, "[f]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_raw, a_reader_finds_bytes_that_came_before)
{
	int64_t fd = raw_open(3, 0);
	struct termios t = tty_get(fd);

	tty_type(fd, "ab");
	t.c_cc[VTIME] = 5;
	tty_set(fd, t);
	read_start(fd, 10);
	READS_ON;
	pass_ms(600);
	READ_GOT("ab");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_raw, a_flush_ends_the_wait_of_ldterm)
{
	int64_t fd = raw_open(3, 5);

	tty_type(fd, "ab");
	OK(U_IOCTL(fd, TCFLSH, 0), 0);
	pass_ms(1000);
	GOT(fd, "");
	/* Nothing is sent up by a timer that has run for nothing. */
	tty_type(fd, "c");
	pass_ms(600);
	GOT(fd, "[c]");
	tty_close(fd);
	DONE;
}

PROGRAM(ldterm_raw, close_with_the_timer_running)
{
	int64_t fd = raw_open(3, 5);

	tty_type(fd, "ab");
	OK(U_CLOSE(fd), 0);
	DONE;
}

/* ---- memory ---- */

PROGRAM(ldterm_raw, a_timer_that_cannot_be_had_is_over)
{
	int64_t fd = raw_open(3, 0);
	struct termios t = tty_get(fd);
	mblk_t *mp = bytes_msg(M_DATA, "b", 1);

	/* The block for the bytes is there, the timer's memory is not. */
	tty_type(fd, "a");
	t.c_cc[VTIME] = 5;
	tty_set(fd, t);
	kmem_fail_nth(-1);
	up(fd, mp);
	kmem_fail_nth(0);
	GOT(fd, "[ab]");
	tty_close(fd);
	DONE;
}
