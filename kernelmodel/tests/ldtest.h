/*
 * For tests of ldterm and ttcompat: a terminal line "/dev/tline" whose driver
 * keeps what would be on the screen and notes what else it is told, a module
 * "ttyspy" that notes what goes up to the head, and programs that type, read
 * and change settings.
 */
#ifndef STRSIM_LDTEST_H
#define STRSIM_LDTEST_H

#include "tests/headtest.h"
#include "sys/strtty.h"
#include "sys/termios.h"

/* ---- bytes as text ---- */

TEST_FN size_t ld_escape(char *s, size_t room, const void *data, size_t len)
{
	static const char names[] = "abtnvfr";
	size_t n = 0;

	s[0] = '\0';
	for (const uchar_t *p = data, *end = p + len; p < end && n + 8 < room; p++) {
		if (*p >= '\a' && *p <= '\r')
			n += (size_t)snprintf(s + n, room - n, "\\%c", names[*p - '\a']);
		else if (*p < 0x20 || *p >= 0x7f)
			n += (size_t)snprintf(s + n, room - n, "\\x%02x", *p);
		else
			n += (size_t)snprintf(s + n, room - n, "%c", *p);
	}
	return n;
}

/* ---- the driver ---- */

static uchar_t tl_screen[65536];
static size_t tl_nscreen;
static bool tl_full;    /* the line takes no output: it is queued */
static bool tl_holdioc; /* ioctls are kept in tl_held */
static mblk_t *tl_held;
static tcflag_t tl_cflag; /* what TCGETS and TCGETA say */
static int tl_ioccmd;     /* the last ioctl that came down, and its data */
static uchar_t tl_iocdata[1024];
static size_t tl_ioclen;
static bool tl_nak;

/* What is on the screen since the last look. */
TEST_FN const char *tl_shown(void)
{
	static char buf[4 * sizeof(tl_screen)];

	ld_escape(buf, sizeof(buf), tl_screen, tl_nscreen);
	tl_nscreen = 0;
	return buf;
}

#define SHOWS(s) cr_assert_str_eq(tl_shown(), s)

TEST_FN void tl_reply_modes(queue_t *q, mblk_t *mp, size_t size)
{
	mblk_t *dp = allocb(size, BPRI_HI);

	if (dp == NULL) {
		miocnak(q, mp, 0, EAGAIN);
		return;
	}
	memset(dp->b_wptr, 0, size);
	if (size == sizeof(struct termios))
		((struct termios *)dp->b_wptr)->c_cflag = tl_cflag;
	else
		((struct termio *)dp->b_wptr)->c_cflag = (ushort_t)tl_cflag;
	mioc2ack(mp, dp, size, 0);
	qreply(q, mp);
}

TEST_FN void tl_answer(queue_t *q, mblk_t *mp)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	if (tl_nak) {
		miocnak(q, mp, 0, EPERM);
		return;
	}
	if (ioc->ioc_cmd == TCGETS || ioc->ioc_cmd == TCGETA) {
		tl_reply_modes(q, mp, ioc->ioc_cmd == TCGETS ? sizeof(struct termios) : sizeof(struct termio));
		return;
	}
	miocack(q, mp, 0, 0);
}

TEST_FN void tl_ioctl(queue_t *q, mblk_t *mp)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	tl_ioccmd = ioc->ioc_cmd;
	tl_ioclen = 0;
	for (mblk_t *bp = mp->b_cont; bp != NULL; bp = bp->b_cont) {
		memcpy(tl_iocdata + tl_ioclen, bp->b_rptr, (size_t)MBLKL(bp));
		tl_ioclen += (size_t)MBLKL(bp);
	}
	if (tl_holdioc)
		tl_held = mp;
	else
		tl_answer(q, mp);
}

TEST_FN void tl_output(mblk_t *mp)
{
	for (const mblk_t *bp = mp; bp != NULL; bp = bp->b_cont) {
		memcpy(tl_screen + tl_nscreen, bp->b_rptr, (size_t)MBLKL(bp));
		tl_nscreen += (size_t)MBLKL(bp);
	}
	freemsg(mp);
}

TEST_FN void tl_flush(queue_t *q, mblk_t *mp)
{
	st_notef("flush%d", *mp->b_rptr);
	if (*mp->b_rptr & FLUSHW) {
		flushq(q, FLUSHDATA);
		*mp->b_rptr &= (uchar_t)~FLUSHW;
	}
	if (*mp->b_rptr & FLUSHR)
		qreply(q, mp);
	else
		freemsg(mp);
}

TEST_FN int tl_wput(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_FLUSH:
		tl_flush(q, mp);
		return 0;
	case M_DATA:
		if (tl_full)
			putq(q, mp);
		else
			tl_output(mp);
		return 0;
	case M_IOCTL:
		if (tl_full)
			putq(q, mp);
		else
			tl_ioctl(q, mp);
		return 0;
	case M_STOP:
		st_note("stop");
		break;
	case M_START:
		st_note("start");
		break;
	case M_STOPI:
		st_note("stopi");
		break;
	case M_STARTI:
		st_note("starti");
		break;
	case M_DELAY:
		st_notef("delay%d@%zu", *mp->b_rptr, tl_nscreen);
		break;
	case M_READ:
		st_notef("read%zd", *(ssize_t *)mp->b_rptr);
		break;
	case M_CTL:
		st_notef("ctl%d", ((struct iocblk *)mp->b_rptr)->ioc_cmd);
		break;
	default:
		st_notef("type%#x", DB_TYPE(mp));
	}
	freemsg(mp);
	return 0;
}

TEST_FN int tl_wsrv(queue_t *q)
{
	mblk_t *mp;

	while (!tl_full && (mp = getq(q)) != NULL) {
		if (DB_TYPE(mp) == M_DATA)
			tl_output(mp);
		else
			tl_ioctl(q, mp);
	}
	return 0;
}

/* The line takes output again. */
TEST_FN void tl_go(int64_t fd)
{
	tl_full = false;
	qenable(_WR(fd_driver(fd)));
	(void)user_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

static struct module_info tl_info = {0, "tline", 0, 4096, 100, 20};
static struct qinit tl_rinit = {.qi_qopen = loop_open, .qi_qclose = loop_close, .qi_minfo = &tl_info};
static struct qinit tl_winit = {.qi_putp = tl_wput, .qi_srvp = tl_wsrv, .qi_minfo = &tl_info};
static struct streamtab tl_tab = {&tl_rinit, &tl_winit, NULL, NULL};
STREAMS_DRIVER(tline, "tline", &tl_tab, D_MP, "/dev/tline=clone", NULL);

/* ---- what goes up ---- */

static bool spy_naks; /* note the errors of ioctls too */

TEST_FN void spy_note(const mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_PCSIG:
		st_notef("sig%d", *mp->b_rptr);
		break;
	case M_SIG:
		st_notef("latesig%d", *mp->b_rptr);
		break;
	case M_FLUSH:
		st_notef("upflush%d", *mp->b_rptr);
		break;
	case M_SETOPTS:
		st_notef("opts%#x:%d", ((struct stroptions *)mp->b_rptr)->so_flags,
			 ((struct stroptions *)mp->b_rptr)->so_readopt);
		break;
	case M_IOCNAK:
		if (spy_naks)
			st_notef("nak%d", ((struct iocblk *)mp->b_rptr)->ioc_error);
		break;
	case M_HANGUP:
		st_note("hangup");
		break;
	case M_CTL:
		st_notef("upctl%zd", MBLKL(mp));
		break;
	default:
		break;
	}
}

TEST_FN int spy_rput(queue_t *q, mblk_t *mp)
{
	spy_note(mp);
	putnext(q, mp);
	return 0;
}

static struct module_info ttyspy_info = {0, "ttyspy", 0, INFPSZ, 5120, 1024};
static struct qinit ttyspy_rinit = {
    .qi_putp = spy_rput, .qi_qopen = st_modopen, .qi_qclose = st_modclose, .qi_minfo = &ttyspy_info};
static struct qinit ttyspy_winit = {.qi_putp = st_passput, .qi_minfo = &ttyspy_info};
static struct streamtab ttyspy_tab = {&ttyspy_rinit, &ttyspy_winit, NULL, NULL};
STREAMS_MODULE(ttyspy, "ttyspy", &ttyspy_tab, D_MP);

/* ---- programs at a terminal ---- */

/* A terminal with ldterm and the spy above it; what opening notes is forgotten. */
TEST_FN int64_t tty_open(void)
{
	int64_t fd = U_OPEN("/dev/tline", O_RDWR);

	curproc->p_ignore |= SIGBIT(SIGINT) | SIGBIT(SIGQUIT) | SIGBIT(SIGTSTP) | SIGBIT(SIGHUP);
	tl_cflag = TTYDEF_CFLAG;
	OK(U_IOCTL(fd, I_PUSH, "ldterm"), 0);
	OK(U_IOCTL(fd, I_PUSH, "ttyspy"), 0);
	(void)st_noted();
	return fd;
}

/* The user types n bytes; they arrive in one message. */
TEST_FN void tty_ntype(int64_t fd, const char *s, size_t n)
{
	up(fd, bytes_msg(M_DATA, s, n));
	(void)user_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

TEST_FN void tty_type(int64_t fd, const char *s)
{
	tty_ntype(fd, s, strlen(s));
}

/* All that can be read now: one read(2) in each pair of brackets. */
TEST_FN const char *tty_got(int64_t fd)
{
	static char buf[65536];
	char data[4096];
	size_t n = 0;
	int bytes;

	buf[0] = '\0';
	while (U_IOCTL(fd, I_NREAD, &bytes) > 0) {
		int64_t len = U_READ(fd, data, sizeof(data));

		cr_assert_geq(len, 0);
		buf[n++] = '[';
		n += ld_escape(buf + n, sizeof(buf) - n, data, (size_t)len);
		buf[n++] = ']';
		buf[n] = '\0';
	}
	return buf;
}

#define GOT(fd, s) cr_assert_str_eq(tty_got(fd), s)

TEST_FN struct termios tty_get(int64_t fd)
{
	struct termios t;

	OK(U_IOCTL(fd, TCGETS, &t), 0);
	return t;
}

TEST_FN bool tty_same(const struct termios *a, const struct termios *b)
{
	return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_cflag == b->c_cflag &&
	       a->c_lflag == b->c_lflag && memcmp(a->c_cc, b->c_cc, NCCS) == 0;
}

TEST_FN void tty_set(int64_t fd, struct termios t)
{
	OK(U_IOCTL(fd, TCSETS, &t), 0);
}

/* Switch flags on and off: i, o or l. */
#define TTY_MODE(fd, field, on, off)                                       \
	do {                                                               \
		struct termios t_ = tty_get(fd);                           \
		t_.field = (t_.field & ~(tcflag_t)(off)) | (tcflag_t)(on); \
		tty_set(fd, t_);                                           \
	} while (0)
#define IMODE(fd, on, off) TTY_MODE(fd, c_iflag, on, off)
#define OMODE(fd, on, off) TTY_MODE(fd, c_oflag, on, off)
#define LMODE(fd, on, off) TTY_MODE(fd, c_lflag, on, off)

TEST_FN void tty_cc(int64_t fd, int slot, int c)
{
	struct termios t = tty_get(fd);

	t.c_cc[slot] = (cc_t)c;
	tty_set(fd, t);
}

/* The usual end: nothing was forgotten on the line, and nothing is left to be read. */
TEST_FN void tty_close(int64_t fd)
{
	GOT(fd, "");
	OK(U_CLOSE(fd), 0);
}

#endif
