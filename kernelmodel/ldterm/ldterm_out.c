/*
 * ldterm, output processing and echo (termio(7I), "Output Modes").
 *
 * What a program writes and what is echoed goes through the same processing
 * (OPOST), which follows the column of the cursor: t_col.  Memory may run out
 * anywhere in it; each step either is done as a whole or leaves its character,
 * and TS_TTCR remembers the one step of two, the CR before an NL.
 */
#include "ldterm/ldterm.h"

/* Where processed characters go. */
struct out {
	queue_t *wq;
	mblk_t **omp; /* the message ... */
	mblk_t *cur;  /* ... and its last block */
	size_t bsize;
	ldtermstd_state_t *tp;
	mbpos_t *mb;
	tcflag_t oflag;
	bool xcase;
};

/* ---- characters ---- */

enum chclass ldterm_chclass(uchar_t c)
{
	switch (c) {
	case '\b':
		return CH_BACKSPACE;
	case '\t':
		return CH_TAB;
	case '\n':
		return CH_NEWLINE;
	case '\f':
		return CH_VTAB;
	case '\r':
		return CH_RETURN;
	case 0x86: /* single shifts of some code sets */
	case 0x87:
		return CH_ORDINARY;
	default:
		return c < 0x20 || (c >= 0x7f && c < 0xa0) ? CH_CONTROL : CH_ORDINARY;
	}
}

/* The characters that terminals of one case lack, and what stands for them behind a backslash. */
static const struct {
	uchar_t shown, meant;
} ldterm_xcases[] = {{'\'', '`'}, {'!', '|'}, {'^', '~'}, {'(', '{'}, {')', '}'}, {'\\', '\\'}};
#define NXCASES (sizeof(ldterm_xcases) / sizeof(ldterm_xcases[0]))

uchar_t ldterm_xcase_out(uchar_t c)
{
	if (c >= 'A' && c <= 'Z')
		return c;
	for (size_t i = 0; i < NXCASES; i++)
		if (c == ldterm_xcases[i].meant)
			return ldterm_xcases[i].shown;
	return 0;
}

uchar_t ldterm_xcase_in(uchar_t c)
{
	if (c >= 'a' && c <= 'z')
		return (uchar_t)(c - 'a' + 'A');
	if (c >= 'A' && c <= 'Z')
		return c;
	for (size_t i = 0; i < NXCASES; i++)
		if (c == ldterm_xcases[i].shown)
			return ldterm_xcases[i].meant;
	return 0;
}

/* ---- processing ---- */

/* Make the last block one with room for n bytes. */
static bool out_room(struct out *o, size_t n)
{
	mblk_t *bp;

	if (o->cur != NULL && (size_t)MBLKTAIL(o->cur) >= n)
		return true;
	if ((bp = allocb(MAX(o->bsize, n), BPRI_MED)) == NULL)
		return false;
	if (o->cur == NULL)
		*o->omp = bp;
	else
		o->cur->b_cont = bp;
	o->cur = bp;
	return true;
}

ALWAYS_INLINE void out_put(struct out *o, uchar_t c)
{
	*o->cur->b_wptr++ = c;
}

/* Give the terminal time: fill characters, for which there is room, or ticks of silence behind what is built so far. */
ALWAYS_INLINE void out_delay(struct out *o, int ticks, int fills)
{
	if (o->oflag & OFILL) {
		for (; fills > 0; fills--)
			out_put(o, o->oflag & OFDEL ? 0177 : 0);
	} else if (ticks > 0) {
		if (*o->omp != NULL)
			putnext(o->wq, *o->omp);
		*o->omp = o->cur = NULL;
		(void)putnextctl1(o->wq, M_DELAY, ticks);
	}
}

/* The cursor went to column 0. */
ALWAYS_INLINE void out_returned(struct out *o)
{
	int col = o->tp->t_col;

	o->tp->t_col = 0;
	switch (o->oflag & CRDLY) {
	case CR1:
		out_delay(o, col % 2, 2);
		break;
	case CR2:
		out_delay(o, 6, 4);
		break;
	case CR3:
		out_delay(o, 9, 0);
		break;
	default:
		break;
	}
}

ALWAYS_INLINE bool out_return(struct out *o)
{
	if ((o->oflag & ONOCR) && o->tp->t_col == 0)
		return true;
	if (!out_room(o, 5))
		return false;
	out_put(o, '\r');
	out_returned(o);
	return true;
}

ALWAYS_INLINE bool out_newline(struct out *o, bool withcr)
{
	ldtermstd_state_t *tp = o->tp;

	if (withcr && !(tp->t_state & TS_TTCR)) {
		if (!out_return(o))
			return false;
		tp->t_state |= TS_TTCR;
	}
	if (!out_room(o, 1 + 4 + 2))
		return false;
	tp->t_state &= ~TS_TTCR;
	out_put(o, '\n');
	if (o->oflag & ONLRET)
		out_returned(o);
	if (o->oflag & NL1)
		out_delay(o, 2, 2);
	return true;
}

ALWAYS_INLINE bool out_tab(struct out *o)
{
	ldtermstd_state_t *tp = o->tp;
	tcflag_t dly = o->oflag & TABDLY;

	if (dly == TAB3) {
		do {
			if (!out_room(o, 1))
				return false;
			out_put(o, ' ');
		} while (++tp->t_col % 8 != 0);
		return true;
	}
	if (!out_room(o, 3))
		return false;
	out_put(o, '\t');
	tp->t_col = (tp->t_col | 7) + 1;
	if (dly != 0)
		out_delay(o, dly == TAB2 ? 6 : 0, 2);
	return true;
}

ALWAYS_INLINE bool out_backspace(struct out *o)
{
	if (!out_room(o, 2))
		return false;
	out_put(o, '\b');
	if (o->tp->t_col > 0)
		o->tp->t_col--;
	if (o->oflag & BSDLY)
		out_delay(o, 0, 1);
	return true;
}

ALWAYS_INLINE bool out_ordinary(struct out *o, uchar_t c)
{
	uchar_t shown = o->xcase ? ldterm_xcase_out(c) : 0;

	if (!out_room(o, 2))
		return false;
	if (shown != 0) {
		out_put(o, '\\');
		c = shown;
		o->tp->t_col++;
	} else if ((o->oflag & OLCUC) && c >= 'a' && c <= 'z') {
		c = (uchar_t)(c - 'a' + 'A');
	}
	out_put(o, c);
	o->tp->t_col++;
	return true;
}

/* A byte as it is. */
ALWAYS_INLINE bool out_asis(struct out *o, uchar_t c)
{
	if (!out_room(o, 1))
		return false;
	out_put(o, c);
	return true;
}

/* One character that is one byte. */
ALWAYS_INLINE bool out_char(struct out *o, uchar_t c)
{
	switch (ldterm_chclass(c)) {
	case CH_RETURN:
		return o->oflag & OCRNL ? out_newline(o, false) : out_return(o);
	case CH_NEWLINE:
		return out_newline(o, (o->oflag & ONLCR) != 0);
	case CH_TAB:
		return out_tab(o);
	case CH_BACKSPACE:
		return out_backspace(o);
	case CH_VTAB:
		if (!out_asis(o, c))
			return false;
		if (o->oflag & VTDLY)
			out_delay(o, 127, 0);
		return true;
	case CH_CONTROL:
		return out_asis(o, c);
	default:
		return out_ordinary(o, c);
	}
}

/* Any byte.  False: no memory, it is not out. */
ALWAYS_INLINE bool out_byte(struct out *o, uchar_t c)
{
	mbpos_t before;
	int cols;

	if (!(o->tp->t_state & TS_MEUC))
		return out_char(o, c);
	before = *o->mb;
	if ((cols = ldterm_mb_next(o->tp, o->mb, c)) < 0)
		return out_char(o, c);
	if (!out_asis(o, c)) {
		*o->mb = before;
		return false;
	}
	o->tp->t_col += cols;
	return true;
}

mblk_t *ldterm_output_msg(queue_t *wq, mblk_t *imp, mblk_t **omp, ldtermstd_state_t *tp, size_t bsize)
{
	struct out o = {wq,
			omp,
			NULL,
			bsize,
			tp,
			&tp->t_outmb,
			tp->t_modes.c_oflag & OPOST ? tp->t_modes.c_oflag : 0,
			ldterm_xcase(tp)};

	while (imp != NULL) {
		mblk_t *bp = imp;

		for (; bp->b_rptr < bp->b_wptr; bp->b_rptr++)
			if (!out_byte(&o, *bp->b_rptr))
				return bp;
		imp = unlinkb(bp);
		freeb(bp);
	}
	return NULL;
}

/* ---- echo ---- */

void ldterm_outchar(uchar_t c, queue_t *wq, size_t bsize, ldtermstd_state_t *tp)
{
	/* Who typed \a sees it already: echo takes no part in XCASE. */
	struct out o = {wq, &tp->t_echomp, tp->t_echomp != NULL ? tp->t_echoend : NULL,           bsize,
			tp, &tp->t_echomb, tp->t_modes.c_oflag & OPOST ? tp->t_modes.c_oflag : 0, false};
	uint_t ttcr = tp->t_state & TS_TTCR;

	if (ldterm_opost(tp)) {
		tp->t_state &= ~TS_TTCR; /* of output that waits for memory */
		(void)out_byte(&o, c);
		tp->t_state = (tp->t_state & ~TS_TTCR) | ttcr;
	} else {
		(void)out_asis(&o, c);
	}
	tp->t_echoend = o.cur;
}

void ldterm_outstring(const char *s, queue_t *wq, size_t bsize, ldtermstd_state_t *tp)
{
	for (; *s != '\0'; s++)
		ldterm_outchar((uchar_t)*s, wq, bsize, tp);
}

/* Without ECHOCTL: is c shown at all? */
ALWAYS_INLINE bool echo_shows(const ldtermstd_state_t *tp, uchar_t c)
{
	return ldterm_chclass(c) == CH_ORDINARY || c == '\t' || c == '\n' || c == '\r' || c == '\b' || c == '\a' ||
	       iscc(tp, c, VKILL) || (c >= 0x80 && (tp->t_state & TS_MEUC));
}

void ldterm_echo(uchar_t c, queue_t *wq, size_t bsize, ldtermstd_state_t *tp)
{
	if (!lflag(tp, ECHO))
		return;
	if (!lflagx(tp, ECHOCTL)) {
		if (echo_shows(tp, c))
			ldterm_outchar(c, wq, bsize, tp);
		return;
	}
	if (c == 0177 || (c < ' ' && c != '\t' && c != '\n')) {
		ldterm_outchar('^', wq, bsize, tp);
		if (c == 0177)
			c = '?';
		else
			c |= tp->t_modes.c_oflag & OLCUC && c > 0 && c <= 26 ? 0140 : 0100;
	}
	ldterm_outchar(c, wq, bsize, tp);
}

/* ---- discarding ---- */

void ldterm_flush_output(queue_t *wq, uchar_t c, ldtermstd_state_t *tp)
{
	if (lflag(tp, FLUSHO)) {
		tp->t_modes.c_lflag &= ~(tcflag_t)FLUSHO;
		tp->t_amodes.c_lflag &= ~(tcflag_t)FLUSHO;
		return;
	}
	flushq(wq, FLUSHDATA);
	(void)putnextctl1(wq, M_FLUSH, FLUSHW);
	ldterm_echo(c, wq, 4, tp);
	if (tp->t_msglen != 0)
		ldterm_reprint(RD(wq), EBSIZE, tp);
	if (tp->t_echomp != NULL)
		putnext(wq, tp->t_echomp);
	tp->t_echomp = NULL;
	tp->t_modes.c_lflag |= FLUSHO;
	tp->t_amodes.c_lflag |= FLUSHO;
}
