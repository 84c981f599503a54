/* ttcompat: the ioctls of 4.3BSD and Version 7, and the translation of modes. */
#include "tests/ldtest.h"
#include "sys/ptms.h"
#include "sys/ttold.h"
#include "ttcompat/ttcompat.h"

STR_SUITE(ttcompat);

/* A terminal with ldterm and ttcompat. */
static int64_t compat_open(void)
{
	int64_t fd = U_OPEN("/dev/tline", O_RDWR);

	tl_cflag = 0;
	OK(U_IOCTL(fd, I_PUSH, "ldterm"), 0);
	(void)st_noted();
	OK(U_IOCTL(fd, I_PUSH, "ttcompat"), 0);
	st_expect("");
	return fd;
}

static queue_t *compat_wq(int64_t fd)
{
	return fd_stream(fd)->sd_wrq->q_next;
}

/* ---- modes to flags ---- */

static const struct termios defaults = {TTYDEF_IFLAG,
					TTYDEF_OFLAG,
					TTYDEF_CFLAG,
					TTYDEF_LFLAG,
					{3, 034, 0177, 025, 4, 0, 0, 0, 021, 023, 032, 031, 022, 017, 027, 026}};

Test(conv, the_defaults)
{
	compat_state_t cs = {0};

	ttcompat_to_compat(&defaults, &cs);
	/* CS8 without ISTRIP: PASS8; ONLCR; TAB3; ECHO, ECHOE, ECHOCTL, ECHOKE; no IXANY. */
	cr_assert_eq(cs.t_flags,
		     O_PASS8 | O_CRMOD | O_XTABS | O_ECHO | O_CRTERA | O_CRTBS | O_CTLECH | O_CRTKIL | O_DECCTQ, "%#x",
		     cs.t_flags);
	cr_assert_eq(cs.t_xflags, 0);
	cr_assert_eq(cs.t_ispeed, B9600);
	cr_assert_eq(cs.t_ospeed, B9600);
	cr_assert_eq(cs.t_erase, 0177);
	cr_assert_eq(cs.t_kill, 025);
	cr_assert_eq(memcmp(&cs.t_tchars, "\003\034\021\023\004\377", 6), 0);
	cr_assert_eq(memcmp(&cs.t_ltchars, "\032\031\022\017\027\026", 6), 0);
}

/* The defaults with these flags changed. */
static compat_state_t to_with(tcflag_t i, tcflag_t o, tcflag_t c, tcflag_t l)
{
	struct termios t = defaults;
	compat_state_t cs = {0};

	t.c_iflag ^= i;
	t.c_oflag ^= o;
	t.c_cflag ^= c;
	t.c_lflag ^= l;
	ttcompat_to_compat(&t, &cs);
	return cs;
}

/* Flags that are only in one of two states. */
static uint_t flag_change(tcflag_t i, tcflag_t o, tcflag_t c, tcflag_t l)
{
	return to_with(0, 0, 0, 0).t_flags ^ to_with(i, o, c, l).t_flags;
}

Test(conv, single_flags)
{
	cr_assert_eq(flag_change(IXOFF, 0, 0, 0), O_TANDEM);
	cr_assert_eq(flag_change(IXANY, 0, 0, 0), O_DECCTQ);
	cr_assert_eq(flag_change(ICRNL, 0, 0, 0), 0);
	cr_assert_eq(flag_change(0, OLCUC, 0, 0), O_LCASE);
	cr_assert_eq(flag_change(0, ONLCR, 0, 0), O_CRMOD);
	cr_assert_eq(flag_change(0, FFDLY, 0, 0), O_VTDELAY);
	cr_assert_eq(flag_change(0, BSDLY, 0, 0), O_BSDELAY);
	cr_assert_eq(flag_change(0, TAB1, 0, 0), O_TAB1);
	cr_assert_eq(flag_change(0, TAB3, 0, 0), O_XTABS);
	cr_assert_eq(flag_change(0, 0, CLOCAL, 0), O_NOHANG);
	cr_assert_eq(flag_change(0, 0, 0, ICANON), O_CBREAK);
	cr_assert_eq(flag_change(0, 0, 0, ECHO), O_ECHO);
	cr_assert_eq(flag_change(0, 0, 0, ECHOE), O_CRTERA | O_CRTBS);
	cr_assert_eq(flag_change(0, 0, 0, ECHOPRT), O_PRTERA);
	cr_assert_eq(flag_change(0, 0, 0, ECHOKE), O_CRTKIL);
	cr_assert_eq(flag_change(0, 0, 0, ECHOCTL), O_CTLECH);
	cr_assert_eq(flag_change(0, 0, 0, TOSTOP), O_TOSTOP);
	cr_assert_eq(flag_change(0, 0, 0, FLUSHO), O_FLUSHO);
	cr_assert_eq(flag_change(0, 0, 0, PENDIN), O_PENDIN);
	cr_assert_eq(flag_change(0, 0, 0, NOFLSH), O_NOFLSH);
	cr_assert_eq(flag_change(0, OPOST, 0, 0), O_LITOUT);
	cr_assert_eq(to_with(0, OPOST, 0, 0).t_xflags, X_NOPOST);
	cr_assert_eq(to_with(0, 0, 0, ISIG).t_xflags, X_NOISIG);
	cr_assert_eq(to_with(0, 0, CSTOPB, 0).t_xflags, X_STOPB);
}

Test(conv, parity)
{
	/* CS7 = CS8 without 020. */
	cr_assert_eq(flag_change(ISTRIP, 0, 0, 0), O_PASS8 | O_ANYP);
	cr_assert_eq(flag_change(ISTRIP, 0, 020 | PARENB, 0), O_PASS8 | O_ANYP);
	cr_assert_eq(flag_change(ISTRIP | INPCK, 0, 020 | PARENB, 0), O_PASS8 | O_EVENP);
	cr_assert_eq(flag_change(ISTRIP | INPCK, 0, 020 | PARENB | PARODD, 0), O_PASS8 | O_ODDP);
}

Test(conv, delays)
{
	/* TAB3 is on in the defaults. */
	cr_assert_eq(flag_change(0, CR1, 0, 0), 0);
	cr_assert_eq(flag_change(0, CR2, 0, 0), O_CR1);
	cr_assert_eq(flag_change(0, CR3, 0, 0), O_CR2);
	cr_assert_eq(flag_change(0, ONLCR | CR1, 0, 0), O_CRMOD);
	cr_assert_eq(flag_change(0, ONLCR | CR1 | ONLRET, 0, 0), O_CRMOD | O_NL1);
	cr_assert_eq(flag_change(0, ONLCR | NL1 | ONLRET, 0, 0), O_CRMOD | O_NL2);
}

Test(conv, speeds)
{
	cr_assert_eq(to_with(0, 0, B9600 ^ B38400, 0).t_ospeed, B38400);
	cr_assert_eq(to_with(0, 0, B9600 | CBAUDEXT, 0).t_ospeed, B57600);
	cr_assert_eq(to_with(0, 0, B9600 | CBAUDEXT, 0).t_ispeed, B57600);
	cr_assert_eq(to_with(0, 0, B300 << IBSHIFT, 0).t_ispeed, B300);
	cr_assert_eq(to_with(0, 0, B300 << IBSHIFT, 0).t_ospeed, B9600);
	cr_assert_eq(to_with(0, 0, 2 << IBSHIFT | CIBAUDEXT, 0).t_ispeed, B115200);
}

Test(conv, flow_control_off_switches_its_characters_off)
{
	compat_state_t cs = to_with(IXON, 0, 0, 0);

	cr_assert_eq((uchar_t)cs.t_tchars.t_startc, 0377);
	cr_assert_eq((uchar_t)cs.t_tchars.t_stopc, 0377);
}

Test(conv, raw)
{
	struct termios t = defaults;
	compat_state_t cs = {0};

	ttcompat_to_compat(&t, &cs);
	t.c_iflag = IXANY;
	t.c_oflag = ONLCR;
	t.c_lflag = ECHO;
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 5;
	ttcompat_to_compat(&t, &cs);
	/* CTLECH and PASS8 stay as they were; so do eof and brk, whose places are taken. */
	cr_assert_eq(cs.t_flags, O_RAW | O_CTLECH | O_PASS8 | O_CRMOD | O_ECHO, "%#x", cs.t_flags);
	cr_assert_eq(cs.t_tchars.t_eofc, 4);
	cr_assert_eq((uchar_t)cs.t_tchars.t_brkc, 0377);
	cr_assert_eq(cs.t_tchars.t_startc, 021);
	/* Anything that happens to a character makes it CBREAK. */
	t.c_iflag = ICRNL;
	ttcompat_to_compat(&t, &cs);
	cr_assert_eq(cs.t_flags & (O_RAW | O_CBREAK), O_CBREAK);
	t.c_iflag = 0;
	t.c_lflag |= ISIG;
	ttcompat_to_compat(&t, &cs);
	cr_assert_eq(cs.t_flags & (O_RAW | O_CBREAK), O_CBREAK);
}

/* ---- flags to modes ---- */

static struct termios from(uint_t flags, uint_t xflags)
{
	struct termios t = defaults;
	compat_state_t cs = {0};

	ttcompat_to_compat(&t, &cs);
	cs.t_flags = flags;
	cs.t_xflags = xflags;
	ttcompat_from_compat(&cs, &t);
	return t;
}

Test(conv, from_nothing)
{
	struct termios t = from(0, 0);

	cr_assert_eq(t.c_iflag, IMAXBEL | BRKINT | IGNPAR | IXON | IXANY | ISTRIP, "%#o", t.c_iflag);
	cr_assert_eq(t.c_oflag, OPOST);
	cr_assert_eq(t.c_cflag, CREAD | B9600 | CS8);
	cr_assert_eq(t.c_lflag, ECHOK | IEXTEN | ISIG | ICANON);
	cr_assert_eq(t.c_cc[VEOF], 4);
	cr_assert_eq(t.c_cc[VEOL], 0);
}

Test(conv, from_raw_and_cbreak)
{
	struct termios t = from(O_RAW | O_CRMOD | O_LCASE | O_ECHO | O_DECCTQ, 0);

	cr_assert_eq(t.c_iflag, 0);
	cr_assert_eq(t.c_oflag, ONLCR | OLCUC);
	cr_assert_eq(t.c_cflag, CREAD | B9600 | CS8);
	cr_assert_eq(t.c_lflag, ECHOK | ECHO);
	cr_assert_eq(t.c_cc[VMIN], 1);
	cr_assert_eq(t.c_cc[VTIME], 0);
	t = from(O_CBREAK | O_CRMOD | O_LCASE, X_NOISIG | X_NOPOST);
	cr_assert_eq(t.c_iflag, IMAXBEL | BRKINT | IGNPAR | IXON | IXANY | ISTRIP | ICRNL | IUCLC);
	cr_assert_eq(t.c_oflag, ONLCR | OLCUC);
	cr_assert_eq(t.c_lflag, ECHOK | IEXTEN | XCASE);
	cr_assert_eq(t.c_cc[VMIN], 1);
}

Test(conv, from_parity)
{
	static const struct {
		uint_t flags;
		tcflag_t iflag, cflag;
	} cases[] = {
	    {0, ISTRIP, CS8},
	    {O_EVENP, ISTRIP | INPCK, CS7 | PARENB},
	    {O_ODDP, ISTRIP | INPCK, CS7 | PARENB | PARODD},
	    {O_ANYP, ISTRIP, CS7 | PARENB},
	    {O_PASS8 | O_ANYP, 0, CS8},
	    {O_LITOUT | O_ODDP, ISTRIP, CS8},
	    {O_LITOUT | O_PASS8, 0, CS8},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct termios t = from(cases[i].flags, 0);

		cr_assert_eq(t.c_iflag & (ISTRIP | INPCK), cases[i].iflag, "%zu", i);
		cr_assert_eq(t.c_cflag & (CSIZE | PARENB | PARODD), cases[i].cflag, "%zu", i);
	}
	cr_assert_eq(from(O_LITOUT, 0).c_oflag & OPOST, 0);
}

Test(conv, from_delays_and_single_flags)
{
	cr_assert_eq(from(O_CRMOD | O_CR1, 0).c_oflag, OPOST | ONLCR | CR2);
	cr_assert_eq(from(O_CRMOD | O_CR2, 0).c_oflag, OPOST | ONLCR | CR3);
	cr_assert_eq(from(O_CR1, 0).c_oflag, OPOST);
	cr_assert_eq(from(O_NL1, 0).c_oflag, OPOST | ONLRET | CR1);
	cr_assert_eq(from(O_NL2, 0).c_oflag, OPOST | ONLRET | NL1);
	cr_assert_eq(from(O_TAB2, 0).c_oflag, OPOST | TAB2);
	cr_assert_eq(from(O_XTABS, 0).c_oflag, OPOST | TAB3);
	cr_assert_eq(from(O_VTDELAY | O_BSDELAY, 0).c_oflag, OPOST | FFDLY | BSDLY);
	cr_assert_eq(from(O_TANDEM, 0).c_iflag & IXOFF, IXOFF);
	cr_assert_eq(from(O_DECCTQ, 0).c_iflag & IXANY, 0);
	cr_assert_eq(from(O_NOHANG, 0).c_cflag & CLOCAL, CLOCAL);
	cr_assert_eq(from(0, X_STOPB).c_cflag & CSTOPB, CSTOPB);
	cr_assert_eq(
	    from(O_CTLECH | O_PRTERA | O_CRTERA | O_CRTKIL | O_TOSTOP | O_FLUSHO | O_PENDIN | O_NOFLSH, 0).c_lflag,
	    ECHOK | IEXTEN | ISIG | ICANON | ECHOCTL | ECHOPRT | ECHOE | ECHOKE | TOSTOP | FLUSHO | PENDIN | NOFLSH);
}

Test(conv, from_speeds)
{
	static const struct {
		uchar_t in, out;
		tcflag_t cflag;
	} cases[] = {
	    {B9600, B9600, B9600},
	    {B300, B9600, B9600 | B300 << IBSHIFT},
	    {0, B9600, B0},
	    {B110, B110, B110 | CSTOPB},
	    {B57600, B57600, CBAUDEXT},
	    {B115200, B9600, B9600 | CIBAUDEXT | 2 << IBSHIFT},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct termios t = defaults;
		compat_state_t cs = {0};

		ttcompat_to_compat(&t, &cs);
		cs.t_ispeed = cases[i].in;
		cs.t_ospeed = cases[i].out;
		ttcompat_from_compat(&cs, &t);
		cr_assert_eq(t.c_cflag & ~(tcflag_t)(CREAD | CSIZE), cases[i].cflag, "%zu: %#o", i, t.c_cflag);
	}
}

Test(conv, what_has_no_word_stays)
{
	struct termios t = defaults;
	compat_state_t cs = {0};

	t.c_cflag |= CRTSCTS | CRTSXOFF | PAREXT | LOBLK | HUPCL;
	t.c_oflag |= ONOCR | ONLRET;
	t.c_cc[VSWTCH] = 9;
	t.c_cc[VEOL2] = 8;
	ttcompat_to_compat(&t, &cs);
	ttcompat_from_compat(&cs, &t);
	cr_assert_eq(t.c_cflag, B9600 | CS8 | CREAD | CRTSCTS | CRTSXOFF | PAREXT | LOBLK | HUPCL);
	cr_assert_eq(t.c_oflag, OPOST | ONLCR | TAB3 | ONOCR | ONLRET);
	cr_assert_eq(t.c_cc[VSWTCH], 9);
	cr_assert_eq(t.c_cc[VEOL2], 8);
	cr_assert_eq(t.c_iflag, BRKINT | ICRNL | IXON | IMAXBEL | IGNPAR);
	cr_assert_eq(t.c_lflag, TTYDEF_LFLAG);
}

/* ---- commands ---- */

PROGRAM(ttcompat, tables_and_opening)
{
	int64_t fd = compat_open();
	queue_t *wq = compat_wq(fd), *rq = _RD(wq);

	cr_assert_eq(rq->q_qinfo->qi_minfo->mi_idnum, 0);
	cr_assert_eq(wq->q_qinfo->qi_minfo->mi_idnum, 42);
	cr_assert_eq(rq->q_hiwat, 2048);
	cr_assert_eq(rq->q_lowat, 128);
	cr_assert_eq(wq->q_hiwat, 300);
	cr_assert_eq(wq->q_lowat, 200);
	cr_assert_eq(wq->q_maxpsz, INFPSZ);
	cr_assert_null(wq->q_qinfo->qi_srvp);
	cr_assert_null(rq->q_qinfo->qi_srvp);
	tty_close(fd);
	DONE;
}

PROGRAM(ttcompat, everything_else_passes)
{
	int64_t fd = compat_open();
	struct winsize w = {24, 80, 0, 0};
	struct termios t;

	OK(U_WRITE(fd, "x\n", 2), 2);
	SHOWS("x\\r\\n");
	tty_type(fd, "y\n");
	GOT(fd, "[y\\n]");
	OK(U_IOCTL(fd, TIOCSWINSZ, &w), 0);
	cr_assert_eq(tl_ioccmd, TIOCSWINSZ);
	OK(U_IOCTL(fd, TCGETS, &t), 0);
	OK(U_IOCTL(fd, TCSETSW, &t), 0);
	cr_assert_eq(tl_ioccmd, TCSETSW);
	up(fd, byte_msg(M_FLUSH, FLUSHR));
	tty_close(fd);
	DONE;
}

PROGRAM(ttcompat, reading_flags)
{
	int64_t fd = compat_open();
	struct sgttyb sg;
	struct tchars tc;
	struct ltchars lt;
	int local;

	OK(U_IOCTL(fd, TIOCGETP, &sg), 0);
	cr_assert_eq(sg.sg_ispeed, B9600);
	cr_assert_eq(sg.sg_ospeed, B9600);
	cr_assert_eq(sg.sg_erase, 0177);
	cr_assert_eq(sg.sg_kill, 025);
	cr_assert_eq((uint_t)sg.sg_flags,
		     O_PASS8 | O_CRMOD | O_XTABS | O_ECHO | O_CRTERA | O_CRTBS | O_CTLECH | O_CRTKIL | O_DECCTQ);
	cr_assert_eq(tl_ioccmd, TCGETS);
	OK(U_IOCTL(fd, TIOCGETC, &tc), 0);
	cr_assert_eq(memcmp(&tc, "\003\034\021\023\004\377", 6), 0);
	OK(U_IOCTL(fd, TIOCGLTC, &lt), 0);
	cr_assert_eq(memcmp(&lt, "\032\031\022\017\027\026", 6), 0);
	OK(U_IOCTL(fd, TIOCLGET, &local), 0);
	cr_assert_eq(local, (int)((O_PASS8 | O_CRTERA | O_CRTBS | O_CTLECH | O_CRTKIL | O_DECCTQ) >> 16));
	/* Faster than 4.3BSD could say. */
	tl_cflag = CBAUDEXT | 2 | CS8 | CREAD;
	OK(U_IOCTL(fd, TIOCGETP, &sg), 0);
	cr_assert_eq(sg.sg_ospeed, B38400);
	cr_assert_eq(sg.sg_ispeed, B38400);
	/* An address that is none. */
	FAILS(U_IOCTL(fd, TIOCGETC, NULL), EFAULT);
	FAILS(U_IOCTL(fd, TIOCLGET, NULL), EFAULT);
	OK(U_IOCTL(fd, TIOCGETP, &sg), 0);
	tty_close(fd);
	DONE;
}

PROGRAM(ttcompat, setting_flags)
{
	static const int sets[] = {TIOCSETP, TIOCSETN};
	int64_t fd = compat_open();

	for (int i = 0; i < 2; i++) {
		struct sgttyb sg, back;
		struct termios t;

		OK(U_IOCTL(fd, TIOCGETP, &sg), 0);
		sg.sg_flags ^= O_ECHO | O_CBREAK;
		sg.sg_erase = '#';
		sg.sg_kill = (char)0377;
		sg.sg_ispeed = sg.sg_ospeed = B1200;
		OK(U_IOCTL(fd, sets[i], &sg), 0);
		/* The first also throws away what was typed. */
		cr_assert_eq(tl_ioccmd, i == 0 ? TCSETSF : TCSETS);
		OK(U_IOCTL(fd, TIOCGETP, &back), 0);
		cr_assert_eq(memcmp(&sg, &back, sizeof(sg)), 0);
		OK(U_IOCTL(fd, TCGETS, &t), 0);
		cr_assert_eq(t.c_lflag & (ECHO | ICANON), i == 0 ? 0 : ECHO | ICANON);
		cr_assert_eq(t.c_cc[VERASE], '#');
		cr_assert_eq(t.c_cc[VKILL], 0);
		cr_assert_eq(t.c_cflag & CBAUD, B1200);
		cr_assert_eq(t.c_cc[VMIN], i == 0 ? 1 : 4);
	}
	tty_close(fd);
	DONE;
}

PROGRAM(ttcompat, setting_characters)
{
	int64_t fd = compat_open();
	struct tchars tc = {'i', 'q', 's', 'S', 'e', 'b'};
	struct ltchars lt = {'u', 'd', 'r', 'f', 'w', (char)0377};
	struct termios t;

	OK(U_IOCTL(fd, TIOCSETC, &tc), 0);
	cr_assert_eq(tl_ioccmd, TCSETS);
	OK(U_IOCTL(fd, TIOCSLTC, &lt), 0);
	OK(U_IOCTL(fd, TCGETS, &t), 0);
	cr_assert_eq(memcmp(t.c_cc, "iq\177\025eb\0\0sSudrfw\0", 16), 0);
	memset(&tc, 0, sizeof(tc));
	OK(U_IOCTL(fd, TIOCGETC, &tc), 0);
	cr_assert_eq(memcmp(&tc, "iqsSeb", 6), 0);
	/* Without start and stop there is no flow control. */
	tc.t_startc = (char)0377;
	OK(U_IOCTL(fd, TIOCSETC, &tc), 0);
	OK(U_IOCTL(fd, TCGETS, &t), 0);
	cr_assert_eq(t.c_iflag & IXON, 0);
	FAILS(U_IOCTL(fd, TIOCSETC, NULL), EFAULT);
	FAILS(U_IOCTL(fd, TIOCSLTC, NULL), EFAULT);
	tty_close(fd);
	DONE;
}

PROGRAM(ttcompat, the_local_mode_word)
{
	int64_t fd = compat_open();
	int set = O_NOFLSH >> 16 | O_TOSTOP >> 16, word, before;
	struct termios t;

	OK(U_IOCTL(fd, TIOCLGET, &before), 0);
	OK(U_IOCTL(fd, TIOCLBIS, &set), 0);
	OK(U_IOCTL(fd, TIOCLGET, &word), 0);
	cr_assert_eq(word, before | set);
	OK(U_IOCTL(fd, TCGETS, &t), 0);
	cr_assert_eq(t.c_lflag & (NOFLSH | TOSTOP), NOFLSH | TOSTOP);
	set = O_NOFLSH >> 16;
	OK(U_IOCTL(fd, TIOCLBIC, &set), 0);
	OK(U_IOCTL(fd, TIOCLGET, &word), 0);
	cr_assert_eq(word, before | (int)(O_TOSTOP >> 16));
	set = O_PASS8 >> 16 | O_NOHANG >> 16;
	OK(U_IOCTL(fd, TIOCLSET, &set), 0);
	OK(U_IOCTL(fd, TIOCLGET, &word), 0);
	cr_assert_eq(word, set);
	OK(U_IOCTL(fd, TCGETS, &t), 0);
	cr_assert_eq(t.c_lflag & (ECHO | ECHOE | ECHOKE | ECHOCTL), ECHO);
	FAILS(U_IOCTL(fd, TIOCLBIS, NULL), EFAULT);
	tty_close(fd);
	DONE;
}

PROGRAM(ttcompat, hang_up_on_close)
{
	int64_t fd = compat_open();
	struct termios t, u;

	OK(U_IOCTL(fd, TCGETS, &t), 0);
	OK(U_IOCTL(fd, TIOCHPCL, 0), 0);
	OK(U_IOCTL(fd, TCGETS, &u), 0);
	t.c_cflag |= HUPCL;
	cr_assert(tty_same(&t, &u));
	tty_close(fd);
	DONE;
}

PROGRAM(ttcompat, modem_lines)
{
	int64_t fd = compat_open();

	OK(U_IOCTL(fd, TIOCSDTR, 0), 0);
	cr_assert_eq(tl_ioccmd, TIOCMBIS);
	cr_assert_eq(tl_ioclen, sizeof(int));
	cr_assert_eq(*(int *)(void *)tl_iocdata, TIOCM_DTR);
	OK(U_IOCTL(fd, TIOCCDTR, 0), 0);
	cr_assert_eq(tl_ioccmd, TIOCMBIC);
	tty_close(fd);
	DONE;
}

PROGRAM(ttcompat, flushing_and_stopping)
{
	int64_t fd = compat_open();
	int which = FREAD;

	OK(U_IOCTL(fd, TIOCFLUSH, &which), 0);
	st_expect("flush1");
	which = FWRITE;
	OK(U_IOCTL(fd, TIOCFLUSH, &which), 0);
	st_expect("flush2");
	which = 0;
	OK(U_IOCTL(fd, TIOCFLUSH, &which), 0);
	st_expect("flush3");
	which = FREAD | FWRITE;
	OK(U_IOCTL(fd, TIOCFLUSH, &which), 0);
	st_expect("flush3");
	FAILS(U_IOCTL(fd, TIOCFLUSH, NULL), EFAULT);
	OK(U_IOCTL(fd, TIOCSTOP, 0), 0);
	st_expect("stop");
	OK(U_IOCTL(fd, TIOCSTART, 0), 0);
	st_expect("start");
	tty_close(fd);
	DONE;
}

PROGRAM(ttcompat, answered_here)
{
	static const int cmds[] = {TIOCGETD, TIOCSETD, DIOCGETP, DIOCSETP, LDOPEN,
				   LDCLOSE,  LDCHG,    LDSMAP,   LDGMAP,   LDNMAP};
	int64_t fd = compat_open();
	struct strioctl s = {TIOCSETD, 0, sizeof(int), (char *)(int[]){1}};
	struct termcb cb;

	tl_ioccmd = 0;
	for (size_t i = 0; i < sizeof(cmds) / sizeof(cmds[0]); i++)
		OK(U_IOCTL(fd, cmds[i], &s), 0);
	OK(U_IOCTL(fd, LDGETT, &cb), 0);
	OK(U_IOCTL(fd, LDSETT, &cb), 0);
	FAILS(U_IOCTL(fd, I_STR, &s), EINVAL);
	s.ic_dp = (char *)(int[]){0};
	OK(U_IOCTL(fd, I_STR, &s), 0);
	OK(U_IOCTL(fd, IOCTYPE, 0), 'T' << 8);
	cr_assert_eq(tl_ioccmd, 0);
	tty_close(fd);
	DONE;
}

PROGRAM(ttcompat, exclusive_use)
{
	int64_t fd = compat_open();
	queue_t *q = _RD(compat_wq(fd));
	cred_t *cr = crget(100, 100);
	dev_t dev = 0;

	cr_assert_eq(q->q_qinfo->qi_qopen(q, &dev, 0, MODOPEN, cr), 0);
	OK(U_IOCTL(fd, TIOCEXCL, 0), 0);
	cr_assert_eq(q->q_qinfo->qi_qopen(q, &dev, 0, MODOPEN, cr), EBUSY);
	cr_assert_eq(q->q_qinfo->qi_qopen(q, &dev, 0, MODOPEN, kcred), 0);
	OK(U_IOCTL(fd, TIOCNXCL, 0), 0);
	cr_assert_eq(q->q_qinfo->qi_qopen(q, &dev, 0, MODOPEN, cr), 0);
	crfree(cr);
	tty_close(fd);
	DONE;
}

/* ---- what cannot be ---- */

PROGRAM(ttcompat, wrong_sizes)
{
	static const struct {
		int cmd;
		int size;
	} cmds[] = {{TIOCSETP, 8}, {TIOCGETC, 6}, {TIOCGLTC, 6}, {TIOCLGET, 4}};
	static char buf[16];
	int64_t fd = compat_open();
	struct strioctl setn = {TIOCSETN, 0, 3, buf};

	for (size_t i = 0; i < sizeof(cmds) / sizeof(cmds[0]); i++) {
		struct strioctl s = {cmds[i].cmd, 0, cmds[i].size - (cmds[i].cmd == TIOCSETP), buf};

		FAILS(U_IOCTL(fd, I_STR, &s), EINVAL);
	}
	/* What only comes transparent is not looked at otherwise. */
	OK(U_IOCTL(fd, I_STR, &setn), 0);
	cr_assert_eq(tl_ioccmd, TIOCSETN);
	cr_assert_eq(tl_ioclen, 3);
	tty_close(fd);
	DONE;
}

PROGRAM(ttcompat, a_driver_that_refuses)
{
	int64_t fd = compat_open();
	struct sgttyb sg, old;
	struct tchars tc;

	OK(U_IOCTL(fd, TIOCGETP, &old), 0);
	tl_nak = true;
	FAILS(U_IOCTL(fd, TIOCGETP, &sg), EPERM);
	FAILS(U_IOCTL(fd, TIOCSETP, &old), EPERM);
	FAILS(U_IOCTL(fd, TIOCGETC, &tc), EPERM);
	FAILS(U_IOCTL(fd, TIOCSTOP + 1000, 0), EPERM);
	tl_nak = false;
	OK(U_IOCTL(fd, TIOCGETP, &sg), 0);
	cr_assert_eq(memcmp(&sg, &old, sizeof(sg)), 0);
	tty_close(fd);
	DONE;
}

/* A reply that is no modes is an error, and nothing is waited for any more. */
PROGRAM(ttcompat, a_driver_that_answers_nothing)
{
	int64_t fd = U_OPEN("/dev/tline", O_RDWR);
	struct sgttyb sg;
	mblk_t *mp;

	OK(U_IOCTL(fd, I_PUSH, "ttcompat"), 0);
	mp = mkiocb(TIOCGETP);
	tl_holdioc = true;
	put(compat_wq(fd), mp);
	tl_holdioc = false;
	cr_assert_eq(tl_ioccmd, TCGETS);
	DB_TYPE(tl_held) = M_IOCACK;
	up(fd, tl_held);
	/* Without ldterm the driver's own modes are all there is. */
	tl_cflag = B300;
	OK(U_IOCTL(fd, TIOCGETP, &sg), 0);
	cr_assert_eq(sg.sg_ospeed, B300);
	OK(U_CLOSE(fd), 0);
	DONE;
}

PROGRAM(ttcompat, answers_to_others_pass)
{
	int64_t fd = compat_open();
	mblk_t *mp = mkiocb(TCGETS), *mp2 = mkiocb(TCGETS);

	tl_holdioc = true;
	put(compat_wq(fd), mkiocb(TIOCGETP));
	tl_holdioc = false;
	DB_TYPE(mp) = M_IOCACK;
	up(fd, mp);
	DB_TYPE(mp2) = M_IOCNAK;
	up(fd, mp2);
	/* Ours is still waited for. */
	((struct iocblk *)tl_held->b_rptr)->ioc_count = 0;
	DB_TYPE(tl_held) = M_IOCNAK;
	up(fd, tl_held);
	tty_close(fd);
	DONE;
}

PROGRAM(ttcompat, close_with_a_command_under_way)
{
	int64_t fd = compat_open();
	mblk_t *mp = mkiocb(TIOCSTOP);

	/* One waits for memory, one for its answer. */
	allocb_fail_nth(1);
	put(compat_wq(fd), mp);
	tl_holdioc = true;
	put(compat_wq(fd), mkiocb(TIOCGETP));
	tl_holdioc = false;
	freemsg(tl_held);
	OK(U_CLOSE(fd), 0);
	DONE;
}

/* ---- memory ---- */

PROGRAM(ttcompat, memory_is_waited_for)
{
	int64_t fd = compat_open();
	static const int cmds[] = {TIOCSTOP, TIOCSTART, TIOCSDTR, TIOCCDTR};

	for (size_t i = 0; i < 4; i++) {
		mblk_t *mp = mkiocb((uint_t)cmds[i]);

		tl_ioccmd = 0;
		allocb_fail_nth(1);
		put(compat_wq(fd), mp);
		allocb_fail_nth(0);
		OK(U_POLL(NULL, 0, 10), 0);
		if (i >= 2)
			cr_assert_eq(tl_ioccmd, i == 2 ? TIOCMBIS : TIOCMBIC);
	}
	st_expect("stop start");
	tty_close(fd);
	DONE;
}

PROGRAM(ttcompat, memory_that_cannot_be_waited_for_is_an_error)
{
	int64_t fd = compat_open();
	mblk_t *mp = mkiocb(TIOCSTOP);

	allocb_fail_nth(-1);
	kmem_fail_nth(-1);
	put(compat_wq(fd), mp);
	kmem_fail_nth(0);
	allocb_fail_nth(0);
	OK(U_POLL(NULL, 0, 10), 0);
	st_expect("");
	tty_close(fd);
	DONE;
}

/* The n-th allocation of a whole command fails: it succeeds later or fails cleanly, and the next one works. */
PROGRAM(ttcompat, commands_without_memory)
{
	int64_t fd = compat_open();
	struct sgttyb sg, now;
	struct tchars tc;
	int local = 0;

	OK(U_IOCTL(fd, TIOCGETP, &sg), 0);
	for (long n = 1; n < 12; n++) {
		allocb_fail_nth(n);
		(void)U_IOCTL(fd, TIOCSETN, &sg);
		allocb_fail_nth(n);
		(void)U_IOCTL(fd, TIOCGETC, &tc);
		allocb_fail_nth(n);
		(void)U_IOCTL(fd, TIOCLBIS, &local);
		allocb_fail_nth(0);
		OK(U_IOCTL(fd, TIOCGETP, &now), 0);
		cr_assert_eq(memcmp(&sg, &now, sizeof(sg)), 0, "allocation %ld", n);
	}
	tty_close(fd);
	DONE;
}

/* ---- who calls whom ---- */

static int frames_type;
static char frames_up[1024], frames_down[1024];

static int frames_put(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) == frames_type)
		strcpy(q->q_flag & QREADR ? frames_up : frames_down, st_callers(8));
	putnext(q, mp);
	return 0;
}

static struct module_info frames_info = {0, "frames", 0, INFPSZ, 5120, 1024};
static struct qinit frames_rinit = {
    .qi_putp = frames_put, .qi_qopen = st_modopen, .qi_qclose = st_modclose, .qi_minfo = &frames_info};
static struct qinit frames_winit = {.qi_putp = frames_put, .qi_minfo = &frames_info};
static struct streamtab frames_tab = {&frames_rinit, &frames_winit, NULL, NULL};
STREAMS_MODULE(frames, "frames", &frames_tab, D_MP);

/* The frames module notes what passes below ttcompat on the way down, and above it on the way up. */
PROGRAM(ttcompat, frames)
{
	int64_t fd = U_OPEN("/dev/tline", O_RDWR);
	struct termio a;

	OK(U_IOCTL(fd, I_PUSH, "frames"), 0);
	OK(U_IOCTL(fd, I_PUSH, "ttcompat"), 0);
	frames_type = M_DATA;
	OK(U_WRITE(fd, "a", 1), 1);
	st_expect_stack(frames_down, "putnext < ttcompatwput < putnext < strput < strwrite");
	frames_type = M_IOCTL;
	OK(U_IOCTL(fd, TCGETA, &a), 0);
	st_expect_stack(frames_down, "putnext < ttcompat_do_ioctl < ttcompatwput < putnext < strdoioctl < strioctl");
	OK(U_IOCTL(fd, I_PUSH, "frames"), 0);
	frames_type = M_IOCACK;
	OK(U_IOCTL(fd, TCGETA, &a), 0);
	st_expect_stack(frames_up,
			"putnext < ttcompat_ioctl_ack < ttcompatrput < qdrain_syncq < drain_syncq < putnext_tail");
	frames_type = M_DATA;
	up(fd, st_msg(M_DATA, "b"));
	st_expect_stack(frames_up, "putnext < ttcompatrput < putnext");
	GOT(fd, "[b]");
	OK(U_CLOSE(fd), 0);
	DONE;
}
