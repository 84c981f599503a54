/*
 * ttcompat, the translation between termios and the flags of 4.3BSD and
 * Version 7 (ttcompat(7M), "TIOCGETP" and the following).
 */
#include "ttcompat/ttcompat.h"

/* A control character that is switched off is 0 in termios, 0377 there. */
ALWAYS_INLINE uchar_t old_cc(uchar_t c)
{
	return c == 0 ? 0377 : c;
}

ALWAYS_INLINE uchar_t new_cc(uchar_t c)
{
	return c == 0377 ? 0 : c;
}

#define OLD(slot) old_cc(t->c_cc[slot])
#define NEW(c) new_cc((uchar_t)(c))

/* Flags that stand for one flag each in both. */
struct flagpair {
	tcflag_t newf;
	uint_t oldf;
};
static const struct flagpair pairs_oflag[] = {
    {OLCUC, O_LCASE}, {ONLCR, O_CRMOD}, {FFDLY, O_VTDELAY}, {BSDLY, O_BSDELAY}, {0, 0}};
static const struct flagpair pairs_lflag[] = {{ECHO, O_ECHO},     {ECHOPRT, O_PRTERA}, {ECHOE, O_CRTERA},
					      {TOSTOP, O_TOSTOP}, {FLUSHO, O_FLUSHO},  {ECHOKE, O_CRTKIL},
					      {PENDIN, O_PENDIN}, {NOFLSH, O_NOFLSH},  {0, 0}};

static uint_t flags_old(tcflag_t flags, const struct flagpair *fp)
{
	uint_t old = 0;

	for (; fp->newf != 0; fp++)
		if (flags & fp->newf)
			old |= fp->oldf;
	return old;
}

static tcflag_t flags_new(uint_t flags, const struct flagpair *fp)
{
	tcflag_t new = 0;

	for (; fp->newf != 0; fp++)
		if (flags & fp->oldf)
			new |= fp->newf;
	return new;
}

/* ---- to compatible state ---- */

static void speeds_to_compat(tcflag_t cflag, compat_state_t *csp)
{
	csp->t_ospeed = (uchar_t)((cflag & CBAUD) + (cflag & CBAUDEXT ? CBAUD + 1 : 0));
	csp->t_ispeed = (uchar_t)(((cflag & CIBAUD) >> IBSHIFT) + (cflag & CIBAUDEXT ? CBAUD + 1 : 0));
	if (csp->t_ispeed == 0)
		csp->t_ispeed = csp->t_ospeed;
}

static void chars_to_compat(const struct termios *t, compat_state_t *csp)
{
	char eof = csp->t_tchars.t_eofc, brk = csp->t_tchars.t_brkc;

	if (t->c_lflag & ICANON) { /* else these slots are VMIN and VTIME */
		eof = (char)OLD(VEOF);
		brk = (char)OLD(VEOL);
	}
	csp->t_erase = OLD(VERASE);
	csp->t_kill = OLD(VKILL);
	csp->t_tchars =
	    (struct tchars){(char)OLD(VINTR), (char)OLD(VQUIT), (char)OLD(VSTART), (char)OLD(VSTOP), eof, brk};
	csp->t_ltchars = (struct ltchars){(char)OLD(VSUSP),    (char)OLD(VDSUSP),  (char)OLD(VREPRINT),
					  (char)OLD(VDISCARD), (char)OLD(VWERASE), (char)OLD(VLNEXT)};
}

/* Does nothing happen to input and output at all? */
static bool is_raw(const struct termios *t)
{
	return (t->c_iflag &
		(IGNBRK | BRKINT | IGNPAR | PARMRK | INPCK | ISTRIP | INLCR | IGNCR | ICRNL | IUCLC | IXON)) == 0 &&
	       (t->c_oflag & OPOST) == 0 && (t->c_cflag & (CSIZE | PARENB)) == CS8 &&
	       (t->c_lflag & (ISIG | ICANON | XCASE | IEXTEN)) == 0;
}

static uint_t parity_to_compat(const struct termios *t)
{
	if (t->c_cflag & PARODD)
		return O_ODDP;
	return t->c_iflag & INPCK ? O_EVENP : O_ANYP;
}

/* What is not to be told from the modes while they are raw. */
static void cooked_to_compat(const struct termios *t, compat_state_t *csp)
{
	bool cs8 = (t->c_cflag & CSIZE) == CS8;

	if (!(t->c_iflag & IXON))
		csp->t_tchars.t_startc = csp->t_tchars.t_stopc = (char)0377;
	csp->t_flags &= ~(O_LITOUT | O_PASS8 | O_CTLECH);
	if (cs8 && !(t->c_oflag & OPOST))
		csp->t_flags |= O_LITOUT;
	if (cs8 && !(t->c_iflag & ISTRIP))
		csp->t_flags |= O_PASS8;
	else
		csp->t_flags = (csp->t_flags & ~(uint_t)O_ANYP) | parity_to_compat(t);
	if (!(t->c_oflag & OPOST))
		csp->t_xflags |= X_NOPOST;
	if (!(t->c_lflag & ISIG))
		csp->t_xflags |= X_NOISIG;
	if (!(t->c_lflag & ICANON))
		csp->t_flags |= O_CBREAK;
	if (t->c_lflag & ECHOCTL)
		csp->t_flags |= O_CTLECH;
}

/* Delays of carriage return and newline: which is meant depends on ONLCR. */
static uint_t delays_to_compat(tcflag_t oflag)
{
	tcflag_t cr = oflag & CRDLY;

	if (oflag & ONLCR)
		return cr == CR2 ? O_CR1 : cr == CR3 ? O_CR2 : 0;
	if (!(oflag & ONLRET))
		return 0;
	return (cr == CR1 ? O_NL1 : 0) | (oflag & NL1 ? O_NL2 : 0);
}

void ttcompat_to_compat(const struct termios *t, compat_state_t *csp)
{
	csp->t_flags &= O_CTLECH | O_LITOUT | O_PASS8 | O_ODDP | O_EVENP;
	csp->t_xflags = t->c_cflag & CSTOPB ? X_STOPB : 0;
	speeds_to_compat(t->c_cflag, csp);
	chars_to_compat(t, csp);
	if (is_raw(t))
		csp->t_flags |= O_RAW;
	else
		cooked_to_compat(t, csp);
	csp->t_flags |= flags_old(t->c_oflag, pairs_oflag) | flags_old(t->c_lflag, pairs_lflag);
	csp->t_flags |= delays_to_compat(t->c_oflag) | (t->c_oflag & TABDLY) >> 1;
	if (t->c_lflag & ECHOE)
		csp->t_flags |= O_CRTBS;
	if (t->c_iflag & IXOFF)
		csp->t_flags |= O_TANDEM;
	if (!(t->c_iflag & IXANY))
		csp->t_flags |= O_DECCTQ;
	if (t->c_cflag & CLOCAL)
		csp->t_flags |= O_NOHANG;
}

/* ---- from compatible state ---- */

static tcflag_t speeds_from_compat(const compat_state_t *csp)
{
	tcflag_t cflag = 0;

	if (csp->t_ispeed == 0)
		return B0;
	cflag = csp->t_ospeed > CBAUD ? CBAUDEXT | (csp->t_ospeed - CBAUD - 1U) : csp->t_ospeed;
	if (csp->t_ispeed == csp->t_ospeed)
		return cflag;
	return cflag | (csp->t_ispeed > CBAUD ? CIBAUDEXT | (csp->t_ispeed - CBAUD - 1U) << IBSHIFT
					      : (tcflag_t)csp->t_ispeed << IBSHIFT);
}

static void chars_from_compat(const compat_state_t *csp, struct termios *t)
{
	t->c_cc[VERASE] = NEW(csp->t_erase);
	t->c_cc[VKILL] = NEW(csp->t_kill);
	t->c_cc[VINTR] = NEW(csp->t_tchars.t_intrc);
	t->c_cc[VQUIT] = NEW(csp->t_tchars.t_quitc);
	t->c_cc[VSTART] = NEW(csp->t_tchars.t_startc);
	t->c_cc[VSTOP] = NEW(csp->t_tchars.t_stopc);
	t->c_cc[VSUSP] = NEW(csp->t_ltchars.t_suspc);
	t->c_cc[VDSUSP] = NEW(csp->t_ltchars.t_dsuspc);
	t->c_cc[VREPRINT] = NEW(csp->t_ltchars.t_rprntc);
	t->c_cc[VDISCARD] = NEW(csp->t_ltchars.t_flushc);
	t->c_cc[VWERASE] = NEW(csp->t_ltchars.t_werasc);
	t->c_cc[VLNEXT] = NEW(csp->t_ltchars.t_lnextc);
	if (csp->t_flags & (O_RAW | O_CBREAK)) {
		t->c_cc[VMIN] = 1;
		t->c_cc[VTIME] = 0;
	} else {
		t->c_cc[VEOF] = NEW(csp->t_tchars.t_eofc);
		t->c_cc[VEOL] = NEW(csp->t_tchars.t_brkc);
	}
}

/* Bits of a character, and its parity. */
static void parity_from_compat(uint_t flags, struct termios *t)
{
	if (flags & (O_LITOUT | O_PASS8) || (flags & O_ANYP) == 0) {
		t->c_cflag |= CS8;
		if (!(flags & O_PASS8))
			t->c_iflag |= ISTRIP;
		return;
	}
	t->c_iflag |= ISTRIP;
	t->c_cflag |= CS7 | PARENB;
	if ((flags & O_ANYP) == O_ANYP)
		return;
	t->c_iflag |= INPCK;
	if (flags & O_ODDP)
		t->c_cflag |= PARODD;
}

/* All that RAW switches off. */
static void cooked_from_compat(const compat_state_t *csp, struct termios *t)
{
	uint_t flags = csp->t_flags;

	t->c_iflag |= IMAXBEL | BRKINT | IGNPAR;
	if (t->c_cc[VSTART] != 0 && t->c_cc[VSTOP] != 0)
		t->c_iflag |= IXON;
	if (flags & O_CRMOD)
		t->c_iflag |= ICRNL;
	if (flags & O_LCASE) {
		t->c_iflag |= IUCLC;
		t->c_lflag |= XCASE;
	}
	t->c_lflag |= IEXTEN;
	if (!(csp->t_xflags & X_NOISIG))
		t->c_lflag |= ISIG;
	if (!(flags & O_CBREAK))
		t->c_lflag |= ICANON;
	if (flags & O_CTLECH)
		t->c_lflag |= ECHOCTL;
	if (!(flags & O_LITOUT) && !(csp->t_xflags & X_NOPOST))
		t->c_oflag |= OPOST;
	parity_from_compat(flags, t);
}

static tcflag_t delays_from_compat(uint_t flags)
{
	if (flags & O_CRMOD)
		return (flags & O_CRDELAY) == O_CR1 ? CR2 : (flags & O_CRDELAY) == O_CR2 ? CR3 : 0;
	return (flags & O_NL1 ? ONLRET | CR1 : 0) | (flags & O_NL2 ? ONLRET | NL1 : 0);
}

void ttcompat_from_compat(const compat_state_t *csp, struct termios *t)
{
	uint_t flags = csp->t_flags;

	t->c_iflag = 0;
	t->c_oflag &= ONLRET | ONOCR;
	t->c_cflag = (t->c_cflag & (CRTSCTS | CRTSXOFF | PAREXT | LOBLK | HUPCL)) | CREAD | speeds_from_compat(csp);
	t->c_lflag = ECHOK;
	if (csp->t_ospeed == B110 || (csp->t_xflags & X_STOPB))
		t->c_cflag |= CSTOPB;
	chars_from_compat(csp, t);
	if (flags & O_RAW)
		t->c_cflag |= CS8;
	else
		cooked_from_compat(csp, t);
	t->c_oflag |= flags_new(flags, pairs_oflag) | delays_from_compat(flags) | (flags & O_TBDELAY) << 1;
	t->c_lflag |= flags_new(flags, pairs_lflag);
	if (flags & O_TANDEM)
		t->c_iflag |= IXOFF;
	if (!(flags & O_DECCTQ))
		t->c_iflag |= IXANY;
	if (flags & O_NOHANG)
		t->c_cflag |= CLOCAL;
}
