/*
 * ldterm, canonical input (termio(7I)): characters are collected into a line,
 * which can be edited until a newline, an end-of-line character or the end of
 * file gives it to the reader.
 *
 * What is on the screen is known by t_rocount, the number of characters that
 * were echoed since other output, and t_rocol, the column of the first of them.
 * When output came between, nothing can be rubbed out where it stands and the
 * line is shown again.
 */
#include <string.h>

#include "ldterm/ldterm.h"

/* ---- the line ---- */

/* Its last byte, -1 when it is empty. */
ALWAYS_INLINE int line_last(const ldtermstd_state_t *tp)
{
	return tp->t_msglen != 0 ? tp->t_endmsg->b_wptr[-1] : -1;
}

/* Take the last byte off. */
static void ldterm_unget(ldtermstd_state_t *tp)
{
	mblk_t *bp = tp->t_message;

	tp->t_endmsg->b_wptr--;
	tp->t_msglen--;
	if (MBLKL(tp->t_endmsg) != 0 || tp->t_endmsg == tp->t_message)
		return;
	while (bp->b_cont != tp->t_endmsg)
		bp = bp->b_cont;
	freeb(tp->t_endmsg);
	bp->b_cont = NULL;
	tp->t_endmsg = bp;
}

/* ---- rubbing out ---- */

static void ldterm_rubchar(int cols, queue_t *wq, size_t ebsize, ldtermstd_state_t *tp)
{
	while (cols-- > 0)
		ldterm_outstring("\b \b", wq, ebsize, tp);
}

/* The columns of a tab that was typed behind what the line is now: where the cursor is, less where the line ends. */
static int ldterm_tabcols(const ldtermstd_state_t *tp)
{
	mbpos_t mb = {0};
	int col = tp->t_rocol;

	for (const mblk_t *bp = tp->t_message; bp != NULL; bp = bp->b_cont)
		for (const uchar_t *p = bp->b_rptr; p < bp->b_wptr; p++) {
			int cols = tp->t_state & TS_MEUC ? ldterm_mb_next(tp, &mb, *p) : -1;

			if (cols >= 0)
				col += cols;
			else if (*p == '\t')
				col = (col | 7) + 1;
			else if (ldterm_chclass(*p) == CH_ORDINARY)
				col += ldterm_xcase(tp) && ldterm_xcase_out(*p) != 0 ? 2 : 1;
			else if (lflagx(tp, ECHOCTL))
				col += 2;
		}
	return MAX(MIN(tp->t_col - col, 8), 0);
}

/* Columns that a character other than a tab took when it was echoed. */
static int ldterm_echocols(uchar_t c, const ldtermstd_state_t *tp)
{
	if (ldterm_chclass(c) != CH_ORDINARY)
		return lflagx(tp, ECHOCTL) ? 2 : 0;
	return ldterm_xcase(tp) && ldterm_xcase_out(c) != 0 ? 2 : 1;
}

/*
 * Show that n bytes, a character of so many columns (-1: the ordinary one c),
 * are gone from the end of the line.
 */
static void ldterm_rubout(const uchar_t *c, size_t n, int cols, queue_t *q, size_t ebsize, ldtermstd_state_t *tp)
{
	queue_t *wq = WR(q);

	if (!lflag(tp, ECHO))
		return;
	if (lflag(tp, ECHOE)) {
		if (tp->t_rocount == 0 || (*c == '\t' && (size_t)tp->t_rocount < tp->t_msglen)) {
			ldterm_reprint(q, ebsize, tp);
			return;
		}
		if (cols < 0 && *c == '\t')
			for (cols = ldterm_tabcols(tp); cols > 0; cols--)
				ldterm_outchar('\b', wq, ebsize, tp);
		else
			ldterm_rubchar(cols < 0 ? ldterm_echocols(*c, tp) : cols, wq, ebsize, tp);
	} else if (lflagx(tp, ECHOPRT)) {
		if (!(tp->t_state & TS_ERASE)) {
			ldterm_outchar('\\', wq, ebsize, tp);
			tp->t_state |= TS_ERASE;
		}
		for (size_t i = 0; i < n; i++)
			ldterm_echo(c[i], wq, ebsize, tp);
	} else {
		ldterm_echo(tp->t_modes.c_cc[VERASE], wq, ebsize, tp);
	}
	tp->t_rocount = MAX(tp->t_rocount - (int)n, 0);
}

/* Take the last character off, all bytes of it, and off the screen. */
static void ldterm_erase(queue_t *q, size_t ebsize, ldtermstd_state_t *tp)
{
	uchar_t c[LDTERM_CS_MAX_BYTE_LENGTH + 1];
	int cols = -1;
	size_t n = tp->t_state & TS_MEUC ? ldterm_mb_last(tp, &cols) : tp->t_msglen != 0;

	for (size_t i = n; i > 0; i--) {
		c[i - 1] = (uchar_t)line_last(tp);
		ldterm_unget(tp);
	}
	if (n != 0)
		ldterm_rubout(c, n, cols, q, ebsize, tp);
}

ALWAYS_INLINE bool line_ends_blank(const ldtermstd_state_t *tp)
{
	return line_last(tp) == ' ' || line_last(tp) == '\t';
}

/* The last word, with the blanks behind it. */
static void ldterm_werase(queue_t *q, size_t ebsize, ldtermstd_state_t *tp)
{
	while (line_ends_blank(tp))
		ldterm_erase(q, ebsize, tp);
	while (tp->t_msglen != 0 && !line_ends_blank(tp))
		ldterm_erase(q, ebsize, tp);
	tp->t_state &= ~TS_QUOT;
}

/* The whole line. */
static void ldterm_kill(queue_t *q, size_t ebsize, ldtermstd_state_t *tp)
{
	if (lflagx(tp, ECHOKE) && (int)tp->t_msglen == tp->t_rocount) {
		while (tp->t_msglen != 0)
			ldterm_erase(q, ebsize, tp);
	} else {
		ldterm_echo(tp->t_modes.c_cc[VKILL], WR(q), ebsize, tp);
		if (lflag(tp, ECHOK))
			ldterm_outchar('\n', WR(q), ebsize, tp);
		ldterm_discard(tp);
		tp->t_rocount = 0;
	}
	tp->t_state &= ~(TS_QUOT | TS_ERASE | TS_SLNCH);
}

void ldterm_reprint(queue_t *q, size_t ebsize, ldtermstd_state_t *tp)
{
	queue_t *wq = WR(q);

	tp->t_state &= ~TS_ERASE;
	if (tp->t_modes.c_cc[VREPRINT] != 0)
		ldterm_echo(tp->t_modes.c_cc[VREPRINT], wq, ebsize, tp);
	ldterm_outchar('\n', wq, ebsize, tp);
	for (const mblk_t *bp = tp->t_message; bp != NULL; bp = bp->b_cont)
		for (const uchar_t *p = bp->b_rptr; p < bp->b_wptr; p++)
			ldterm_echo(*p, wq, ebsize, tp);
	tp->t_rocount = (int)tp->t_msglen;
	tp->t_rocol = 0;
}

/* ---- characters ---- */

/* End of file: what there is goes to the reader, who takes an empty message for the end. */
ALWAYS_INLINE bool ldterm_eof(uchar_t c, size_t ebsize, queue_t *q, ldtermstd_state_t *tp)
{
	int cols;

	if (lflag(tp, ECHO) && lflagx(tp, ECHOCTL)) {
		ldterm_echo(c, WR(q), ebsize, tp);
		for (cols = ldterm_chclass(c) == CH_ORDINARY ? 1 : 2; cols > 0; cols--)
			ldterm_outchar('\b', WR(q), ebsize, tp);
	}
	ldterm_msg_upstream(q, tp);
	return canputnext(q) && newmsg(tp) != NULL;
}

/* The echo of a character that was added. */
static void ldterm_echo_added(uchar_t c, size_t ebsize, queue_t *wq, ldtermstd_state_t *tp)
{
	if (tp->t_state & TS_ERASE) {
		tp->t_state &= ~TS_ERASE;
		ldterm_outchar('/', wq, ebsize, tp);
	}
	if (lflag(tp, ECHO))
		ldterm_echo(c, wq, ebsize, tp);
	else if (lflag(tp, ECHONL) && c == '\n')
		ldterm_outchar(c, wq, ebsize, tp);
}

/* Add a character to the line.  literal: it ends none, and quotes none.  A part of ldterm_docanon() in stacks. */
ALWAYS_INLINE bool ldterm_store(uchar_t c, bool literal, size_t ebsize, queue_t *q, ldtermstd_state_t *tp)
{
	mblk_t *bp;
	bool ends = !literal && (c == '\n' || iscc(tp, c, VEOL) || iscc(tp, c, VEOL2));

	tp->t_state &= ~(TS_SLNCH | TS_QUOT);
	if (tp->t_msglen > TTYLINE - tp->t_maxeuc) {
		if (iflag(tp, IMAXBEL)) {
			ldterm_outchar('\a', WR(q), ebsize, tp);
			return true;
		}
		ldterm_discard(tp);
		tp->t_rocount = 0;
	}
	if ((bp = ldterm_grow(tp)) == NULL)
		return false;
	*bp->b_wptr++ = c;
	tp->t_msglen++;
	if (!ends) {
		if (tp->t_rocount++ == 0)
			tp->t_rocol = tp->t_col;
		if (c == '\\' && !literal && lflag(tp, IEXTEN))
			tp->t_state |= TS_QUOT;
	}
	ldterm_echo_added(c, ebsize, WR(q), tp);
	if (!ends)
		return true;
	ldterm_msg_upstream(q, tp);
	return newmsg(tp) != NULL;
}

/* Behind a backslash: true when it was there only to quote c, and is taken away; the screen keeps it. */
static bool ldterm_quoted(uchar_t *cp, ldtermstd_state_t *tp)
{
	uchar_t mapped = ldterm_xcase(tp) ? ldterm_xcase_in(*cp) : 0;

	if (mapped == 0 && !iscc(tp, *cp, VEOF))
		return false;
	if (mapped != 0)
		*cp = mapped;
	ldterm_unget(tp);
	tp->t_rocount = MAX(tp->t_rocount - 1, 0);
	return true;
}

/* Bytes of a character of several that are not its first are nothing else. */
ALWAYS_INLINE bool docanon_inside(ldtermstd_state_t *tp, uchar_t c)
{
	return (tp->t_state & TS_MEUC) && ldterm_mb_next(tp, &tp->t_inmb, c) >= 0 && tp->t_inmb.mb_have != 1;
}

/* What a character asks for beyond being stored. */
enum canon { CANON_STORE, CANON_LITERAL, CANON_DONE, CANON_FULL };

ALWAYS_INLINE enum canon docanon_done(bool ok)
{
	return ok ? CANON_DONE : CANON_FULL;
}

/* Act on c where it is a special one; *cp is what is to be stored otherwise. */
ALWAYS_INLINE enum canon docanon_special(uchar_t *cp, size_t ebsize, queue_t *q, ldtermstd_state_t *tp)
{
	bool iexten = lflag(tp, IEXTEN);
	uchar_t c = *cp;

	if (docanon_inside(tp, c) || (tp->t_state & TS_SLNCH) || c == 0)
		return CANON_LITERAL;
	if (iexten && iscc(tp, c, VLNEXT)) {
		if (lflag(tp, ECHO))
			ldterm_outstring("^\b", WR(q), ebsize, tp);
		tp->t_state |= TS_SLNCH;
		return CANON_DONE;
	}
	if (iscc(tp, c, VERASE) || iscc(tp, c, VKILL)) {
		bool quoted = tp->t_state & TS_QUOT;

		if (quoted || iscc(tp, c, VERASE))
			ldterm_erase(q, ebsize, tp);
		else
			ldterm_kill(q, ebsize, tp);
		return quoted ? CANON_STORE : docanon_done(newmsg(tp) != NULL);
	}
	if (iexten && iscc(tp, c, VWERASE)) {
		ldterm_werase(q, ebsize, tp);
		return CANON_DONE;
	}
	if (iexten && iscc(tp, c, VREPRINT)) {
		ldterm_reprint(q, ebsize, tp);
		return CANON_DONE;
	}
	if (tp->t_state & TS_QUOT) {
		tp->t_state &= ~TS_QUOT;
		return ldterm_quoted(cp, tp) ? CANON_LITERAL : CANON_STORE;
	}
	return iscc(tp, c, VEOF) ? docanon_done(ldterm_eof(c, ebsize, q, tp)) : CANON_STORE;
}

bool ldterm_docanon(uchar_t c, size_t ebsize, queue_t *q, ldtermstd_state_t *tp)
{
	enum canon what = docanon_special(&c, ebsize, q, tp);

	if (what == CANON_STORE || what == CANON_LITERAL)
		return ldterm_store(c, what == CANON_LITERAL, ebsize, q, tp);
	return what == CANON_DONE;
}
