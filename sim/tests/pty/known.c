/*
 * pty: where Solaris and the host differ, and which documentation says so.
 *
 * Each entry tells when a case may show the difference and how to take just that
 * out of the case (or of what was seen), so that all the rest of the case is
 * still compared.  "Sheet" is the description of ldterm that the model was built
 * from, termio that of Solaris' termio(7I), POSIX chapter 11 of its base
 * definitions, n_tty the line discipline of Linux.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"

/* ---- what a case has ---- */

static bool has(const ptycase_t *c, uint32_t flags)
{
	return (c->set.flags & flags) == flags;
}

static bool lacks(const ptycase_t *c, uint32_t flags)
{
	return (c->set.flags & flags) == 0;
}

/* A byte of a step as it is looked at. */
static uint8_t seen_byte(const ptycase_t *c, enum stepkind kind, uint8_t b)
{
	return kind == STEP_TYPE && has(c, F_ISTRIP) ? b & 0x7f : b;
}

static uint8_t stripped(const ptycase_t *c, uint8_t b)
{
	return seen_byte(c, STEP_TYPE, b);
}

static bool is_cc(const ptycase_t *c, uint8_t b, int slot)
{
	return b != 0 && stripped(c, b) == c->set.cc[slot];
}

static bool any_byte(const ptycase_t *c, enum stepkind kind, bool (*is)(const ptycase_t *c, uint8_t b))
{
	for (size_t i = 0; i < c->nsteps; i++)
		for (size_t j = 0; c->steps[i].kind == kind && j < c->steps[i].len; j++)
			if (is(c, seen_byte(c, kind, c->steps[i].data[j])))
				return true;
	return false;
}

static bool any_step(const ptycase_t *c, enum stepkind kind)
{
	for (size_t i = 0; i < c->nsteps; i++)
		if (c->steps[i].kind == kind)
			return true;
	return false;
}

static bool typed_cc(const ptycase_t *c, int slot)
{
	for (size_t i = 0; i < c->nsteps; i++)
		for (size_t j = 0; c->steps[i].kind == STEP_TYPE && j < c->steps[i].len; j++)
			if (is_cc(c, c->steps[i].data[j], slot))
				return true;
	return false;
}

static bool is_signal(const ptycase_t *c, uint8_t b)
{
	return has(c, F_ISIG) && (is_cc(c, b, C_VINTR) || is_cc(c, b, C_VQUIT) || is_cc(c, b, C_VSUSP));
}

/* Characters that act at once. */
static bool acts(const ptycase_t *c, uint8_t b)
{
	return is_signal(c, b) || (has(c, F_IXON) && (is_cc(c, b, C_VSTART) || is_cc(c, b, C_VSTOP)));
}

/* Those and what ends and edits lines. */
static bool is_special(const ptycase_t *c, uint8_t b)
{
	static const int canon[] = {C_VERASE, C_VKILL, C_VEOF, C_VEOL, C_VEOL2},
			 extended[] = {C_VWERASE, C_VLNEXT, C_VREPRINT, C_VDISCARD};

	for (size_t i = 0; has(c, F_ICANON) && i < sizeof(canon) / sizeof(canon[0]); i++)
		if (is_cc(c, b, canon[i]))
			return true;
	for (size_t i = 0; has(c, F_ICANON | F_IEXTEN) && i < sizeof(extended) / sizeof(extended[0]); i++)
		if (is_cc(c, b, extended[i]))
			return true;
	return acts(c, b);
}

/* Is b preceded by VLNEXT, in the same write or an earlier one? */
static bool any_literal(const ptycase_t *c, bool (*is)(const ptycase_t *c, uint8_t b))
{
	bool next = false;

	for (size_t i = 0; i < c->nsteps; i++)
		for (size_t j = 0; c->steps[i].kind == STEP_TYPE && j < c->steps[i].len; j++) {
			if (next && is(c, stripped(c, c->steps[i].data[j])))
				return true;
			next = !next && is_cc(c, c->steps[i].data[j], C_VLNEXT);
		}
	return false;
}

/* ---- changing it ---- */

static void map_bytes(ptycase_t *c, enum stepkind kind, bool (*is)(const ptycase_t *c, uint8_t b), uint8_t to)
{
	for (size_t i = 0; i < c->nsteps; i++)
		for (size_t j = 0; c->steps[i].kind == kind && j < c->steps[i].len; j++)
			if (is(c, seen_byte(c, kind, c->steps[i].data[j])))
				c->steps[i].data[j] = to;
}

static void map_literals(ptycase_t *c, bool (*is)(const ptycase_t *c, uint8_t b), uint8_t to)
{
	bool next = false;

	for (size_t i = 0; i < c->nsteps; i++)
		for (size_t j = 0; c->steps[i].kind == STEP_TYPE && j < c->steps[i].len; j++) {
			uint8_t *p = &c->steps[i].data[j];

			if (next && is(c, stripped(c, *p)))
				*p = to;
			next = !next && is_cc(c, *p, C_VLNEXT);
		}
}

/* Type another byte before such ones that VLNEXT does not quote, as long as there is room. */
static void type_before(ptycase_t *c, bool (*is)(const ptycase_t *c, uint8_t b), uint8_t what)
{
	bool quoted = false;

	for (size_t i = 0; i < c->nsteps; i++) {
		step_t *s = &c->steps[i];

		for (size_t j = 0; s->kind == STEP_TYPE && j < s->len; j++) {
			if (!quoted && is(c, s->data[j]) && s->len < MAXBYTES) {
				memmove(s->data + j + 1, s->data + j, s->len++ - j);
				s->data[j++] = what;
			}
			quoted = !quoted && has(c, F_IEXTEN) && is_cc(c, s->data[j], C_VLNEXT);
		}
	}
}

/* In all settings of the case. */
static void set_flags(ptycase_t *c, uint32_t on, uint32_t off)
{
	c->set.flags = (c->set.flags | on) & ~off;
	for (size_t i = 0; i < c->nsteps; i++)
		c->steps[i].set.flags = (c->steps[i].set.flags | on) & ~off;
}

static void switch_off(ptycase_t *c, int slot)
{
	c->set.cc[slot] = 0;
	for (size_t i = 0; i < c->nsteps; i++)
		c->steps[i].set.cc[slot] = 0;
}

/* All output first. */
static void output_first(ptycase_t *c)
{
	static ptycase_t old;

	old = *c;
	c->nsteps = 0;
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < old.nsteps; i++)
			if ((old.steps[i].kind == STEP_WRITE) == (pass == 0))
				c->steps[c->nsteps++] = old.steps[i];
}

/* Take bytes out of what the master saw. */
static void strip_out(seen_t *s, const char *what, size_t n)
{
	size_t to = 0;

	for (size_t i = 0; i < s->nout;) {
		if (i + n <= s->nout && memcmp(s->out + i, what, n) == 0)
			i += n;
		else
			s->out[to++] = s->out[i++];
	}
	s->nout = to;
}

/* ---- characters that act at once ---- */

static bool at_once_applies(const ptycase_t *c)
{
	for (size_t i = 0; i < c->nsteps; i++)
		for (size_t j = 0; c->steps[i].kind == STEP_TYPE && j < c->steps[i].len; j++)
			if (c->steps[i].len > 1 && acts(c, c->steps[i].data[j]))
				return true;
	return false;
}

/* Each of them in a write of its own. */
static void at_once_avoid(ptycase_t *c)
{
	static ptycase_t old;

	old = *c;
	c->nsteps = 0;
	for (size_t i = 0; i < old.nsteps; i++) {
		const step_t *s = &old.steps[i];
		size_t from = 0;

		for (size_t j = 0; s->kind == STEP_TYPE && j < s->len; j++)
			if (acts(&old, s->data[j])) {
				if (j > from)
					case_step(c, STEP_TYPE, s->data + from, j - from);
				case_step(c, STEP_TYPE, s->data + j, 1);
				from = j + 1;
			}
		if (from < s->len || s->kind != STEP_TYPE) {
			case_step(c, s->kind, s->data + from, s->len - from);
			c->steps[c->nsteps - 1].set = s->set;
		}
	}
}

static bool restart_applies(const ptycase_t *c)
{
	return has(c, F_ISIG | F_IXON | F_NOFLSH) && typed_cc(c, C_VSTOP) && c->set.cc[C_VSTART] != 0 &&
	       any_byte(c, STEP_TYPE, is_signal);
}

/* Output is started before each signal. */
static void restart_avoid(ptycase_t *c)
{
	type_before(c, is_signal, c->set.cc[C_VSTART]);
}

static bool lost_applies(const ptycase_t *c)
{
	return has(c, F_ISIG | F_IXON) && lacks(c, F_NOFLSH) && typed_cc(c, C_VSTOP) && any_step(c, STEP_WRITE) &&
	       any_byte(c, STEP_TYPE, is_signal);
}

static bool ixany_applies(const ptycase_t *c)
{
	return has(c, F_IXON | F_IXANY) && typed_cc(c, C_VSTOP);
}

static void ixany_avoid(ptycase_t *c)
{
	set_flags(c, 0, F_IXANY);
}

static bool stopped_applies(const ptycase_t *c)
{
	return has(c, F_IXON) && !lacks(c, F_ECHO | F_ECHONL) && typed_cc(c, C_VSTOP);
}

static void stopped_avoid(ptycase_t *c)
{
	set_flags(c, 0, F_ECHO | F_ECHONL | F_ECHOK);
}

/* ---- echo ---- */

static bool eof_applies(const ptycase_t *c)
{
	return has(c, F_ICANON | F_ECHO | F_ECHOCTL | F_IEXTEN) && typed_cc(c, C_VEOF);
}

static void eof_filter(seen_t *s, bool ofhost)
{
	if (!ofhost)
		strip_out(s, "^D\b\b", 4);
}

static bool is_control(const ptycase_t *c, uint8_t b)
{
	(void)c;
	return (b < ' ' && (b < '\a' || b > '\n') && b != '\r') || (b >= 0x7f && b < 0xa0);
}

static bool ctlecho_applies(const ptycase_t *c)
{
	return has(c, F_ECHO) && !has(c, F_ECHOCTL | F_IEXTEN) && any_byte(c, STEP_TYPE, is_control);
}

/* What is written to the screen is not looked at by this: 0 to 037 go out unchanged on both sides. */
static void ctlecho_filter(seen_t *s, bool ofhost)
{
	size_t to = 0;

	(void)ofhost;
	for (size_t i = 0; i < s->nout; i++) {
		uint8_t b = s->out[i];

		if ((b >= ' ' && b < 0x7f) || b >= 0xa0 || (b >= '\a' && b <= '\n') || b == '\r')
			s->out[to++] = b;
	}
	s->nout = to;
}

static bool iexten_applies(const ptycase_t *c)
{
	return lacks(c, F_IEXTEN) && !lacks(c, F_ECHOCTL | F_ECHOPRT | F_ECHOKE);
}

static void iexten_avoid(ptycase_t *c)
{
	set_flags(c, 0, F_ECHOCTL | F_ECHOPRT | F_ECHOKE);
}

static bool lcuc_applies(const ptycase_t *c)
{
	return has(c, F_ECHO | F_ECHOCTL | F_IEXTEN | F_OLCUC) && lacks(c, F_OPOST);
}

static void lcuc_avoid(ptycase_t *c)
{
	set_flags(c, 0, F_OLCUC);
}

static bool echonl_applies(const ptycase_t *c)
{
	return has(c, F_ECHONL) && lacks(c, F_ICANON | F_ECHO);
}

static void echonl_avoid(ptycase_t *c)
{
	set_flags(c, 0, F_ECHONL);
}

/* ---- editing ---- */

static bool edited(const ptycase_t *c)
{
	return has(c, F_ICANON) && (typed_cc(c, C_VERASE) || typed_cc(c, C_VKILL) || typed_cc(c, C_VWERASE));
}

static bool is_backslash(const ptycase_t *c, uint8_t b)
{
	(void)c;
	return b == '\\';
}

static bool backslash_applies(const ptycase_t *c)
{
	return has(c, F_ICANON | F_IEXTEN) && any_byte(c, STEP_TYPE, is_backslash) &&
	       (typed_cc(c, C_VERASE) || typed_cc(c, C_VKILL) || typed_cc(c, C_VEOF));
}

static void backslash_avoid(ptycase_t *c)
{
	map_bytes(c, STEP_TYPE, is_backslash, 'b');
}

/* Neither part of a word for n_tty nor a blank. */
static bool is_nonword(const ptycase_t *c, uint8_t b)
{
	if ((b == '\n' && !has(c, F_INLCR)) || (b == '\r' && !lacks(c, F_ICRNL | F_IGNCR)))
		return false;
	return !is_special(c, b) && !isalnum(b) && b != '_' && b != ' ' && b != '\t';
}

static bool is_any(const ptycase_t *c, uint8_t b)
{
	(void)c, (void)b;
	return true;
}

static bool words_applies(const ptycase_t *c)
{
	return has(c, F_ICANON | F_IEXTEN) && typed_cc(c, C_VWERASE) &&
	       (any_byte(c, STEP_TYPE, is_nonword) || any_literal(c, is_any));
}

static void words_avoid(ptycase_t *c)
{
	map_literals(c, is_any, 'l');
	map_bytes(c, STEP_TYPE, is_nonword, 'w');
}

static bool noechoe_applies(const ptycase_t *c)
{
	return has(c, F_ICANON | F_IEXTEN | F_ECHO) && lacks(c, F_ECHOE | F_ECHOPRT) && typed_cc(c, C_VWERASE);
}

static void noechoe_avoid(ptycase_t *c)
{
	set_flags(c, F_ECHOE, 0);
}

static bool kill_applies(const ptycase_t *c)
{
	return has(c, F_ICANON | F_ECHO | F_ECHOKE | F_IEXTEN) && !has(c, F_ECHOK | F_ECHOE) && typed_cc(c, C_VKILL);
}

static void kill_avoid(ptycase_t *c)
{
	set_flags(c, 0, F_ECHOKE);
}

static bool empty_applies(const ptycase_t *c)
{
	return has(c, F_ICANON) && !has(c, F_ECHOKE | F_IEXTEN) && typed_cc(c, C_VKILL);
}

static bool is_kill(const ptycase_t *c, uint8_t b)
{
	return is_cc(c, b, C_VKILL);
}

/* Let there be something to kill each time. */
static void empty_avoid(ptycase_t *c)
{
	type_before(c, is_kill, 'k');
}

static bool killnl_applies(const ptycase_t *c)
{
	return has(c, F_ICANON | F_ECHOK) && lacks(c, F_ECHO) && typed_cc(c, C_VKILL);
}

static void killnl_avoid(ptycase_t *c)
{
	set_flags(c, 0, F_ECHOK);
}

static bool reprint_applies(const ptycase_t *c)
{
	return has(c, F_ICANON | F_IEXTEN) && lacks(c, F_ECHO) && typed_cc(c, C_VREPRINT);
}

static void reprint_avoid(ptycase_t *c)
{
	switch_off(c, C_VREPRINT);
}

static bool both_applies(const ptycase_t *c)
{
	return has(c, F_ICANON | F_IEXTEN | F_ECHO | F_ECHOE | F_ECHOPRT) && edited(c);
}

static void both_avoid(ptycase_t *c)
{
	set_flags(c, 0, F_ECHOPRT);
}

static bool is_tab(const ptycase_t *c, uint8_t b)
{
	(void)c;
	return b == '\t';
}

static bool tab_applies(const ptycase_t *c)
{
	return has(c, F_ICANON | F_ECHO | F_ECHOE) && lacks(c, F_OPOST) && any_byte(c, STEP_TYPE, is_tab) && edited(c);
}

static void tab_avoid(ptycase_t *c)
{
	map_bytes(c, STEP_TYPE, is_tab, 't');
}

static bool slash_applies(const ptycase_t *c)
{
	return has(c, F_ICANON | F_IEXTEN | F_ECHO | F_ECHOPRT) && lacks(c, F_ECHOE) && edited(c);
}

static void slash_filter(seen_t *s, bool ofhost)
{
	(void)ofhost;
	strip_out(s, "/", 1);
}

static bool output_applies(const ptycase_t *c)
{
	return has(c, F_ICANON | F_ECHO) && any_step(c, STEP_WRITE) && edited(c);
}

static bool is_nl(const ptycase_t *c, uint8_t b)
{
	(void)c;
	return b == '\n';
}

static bool is_moving(const ptycase_t *c, uint8_t b)
{
	(void)c;
	return b == '\b' || b == '\r';
}

/* Echo has moved the cursor in a way that the line does not tell. */
static bool moved_applies(const ptycase_t *c)
{
	if (!has(c, F_ICANON | F_ECHO | F_ECHOE) || !any_byte(c, STEP_TYPE, is_tab) || !edited(c))
		return false;
	return (!has(c, F_ECHOCTL | F_IEXTEN) && any_byte(c, STEP_TYPE, is_moving)) ||
	       (has(c, F_IEXTEN) && any_literal(c, is_nl)) || (has(c, F_NOFLSH) && any_byte(c, STEP_TYPE, is_signal));
}

static bool again_applies(const ptycase_t *c)
{
	return has(c, F_ICANON | F_ECHO | F_ECHOE | F_IEXTEN) && (lacks(c, F_OPOST) || lacks(c, F_ONLCR | F_ONLRET)) &&
	       typed_cc(c, C_VREPRINT) && any_byte(c, STEP_TYPE, is_tab) && edited(c);
}

/* ---- VLNEXT ---- */

static bool lnecho_applies(const ptycase_t *c)
{
	return has(c, F_ECHO | F_IEXTEN) && lacks(c, F_ECHOCTL) && typed_cc(c, C_VLNEXT);
}

static void lnecho_filter(seen_t *s, bool ofhost)
{
	if (!ofhost)
		strip_out(s, "^\b", 2);
}

/* What becomes NL. */
static bool is_rawnl(const ptycase_t *c, uint8_t b)
{
	return is_nl(c, b) || (has(c, F_ICRNL) && b == '\r');
}

static bool nlecho_applies(const ptycase_t *c)
{
	if (has(c, F_ICANON | F_IEXTEN) && (has(c, F_ECHO | F_ECHOCTL) || (has(c, F_ECHONL) && lacks(c, F_ECHO))))
		return any_literal(c, is_nl);
	return has(c, F_ECHO | F_ECHOCTL) && lacks(c, F_ICANON) && any_byte(c, STEP_TYPE, is_rawnl);
}

static void nlecho_avoid(ptycase_t *c)
{
	if (has(c, F_ICANON))
		map_literals(c, is_nl, 'n');
	else
		map_bytes(c, STEP_TYPE, is_rawnl, 'n');
}

static bool lnraw_applies(const ptycase_t *c)
{
	return has(c, F_IEXTEN) && lacks(c, F_ICANON) && typed_cc(c, C_VLNEXT);
}

static void lnraw_avoid(ptycase_t *c)
{
	switch_off(c, C_VLNEXT);
}

static bool is_upper(const ptycase_t *c, uint8_t b)
{
	(void)c;
	return (b >= 'A' && b <= 'Z') || b >= 0xc0;
}

static bool lnuclc_applies(const ptycase_t *c)
{
	return has(c, F_IUCLC | F_IEXTEN) && any_literal(c, is_upper);
}

static void lnuclc_avoid(ptycase_t *c)
{
	map_literals(c, is_upper, 'u');
}

/* ---- ends of lines ---- */

static bool eol2_applies(const ptycase_t *c)
{
	return has(c, F_ICANON) && lacks(c, F_IEXTEN) && typed_cc(c, C_VEOL2);
}

static void eol2_avoid(ptycase_t *c)
{
	switch_off(c, C_VEOL2);
}

#define LINE 250

static bool long_applies(const ptycase_t *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->nsteps; i++)
		for (size_t j = 0; c->steps[i].kind == STEP_TYPE && j < c->steps[i].len; j++) {
			n = is_nl(c, stripped(c, c->steps[i].data[j])) ? 0 : n + 1;
			if (n > LINE)
				return has(c, F_ICANON);
		}
	return false;
}

/* Only so much of each line is typed. */
static void long_avoid(ptycase_t *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->nsteps; i++) {
		step_t *s = &c->steps[i];
		size_t to = 0;

		for (size_t j = 0; s->kind == STEP_TYPE && j < s->len; j++) {
			n = is_nl(c, stripped(c, s->data[j])) ? 0 : n + 1;
			if (n <= LINE || is_special(c, s->data[j]))
				s->data[to++] = s->data[j];
		}
		if (s->kind == STEP_TYPE && (s->len = to) == 0)
			s->data[s->len++] = 'x', n++;
	}
}

/* ---- letters ---- */

static bool is_latin(const ptycase_t *c, uint8_t b)
{
	(void)c;
	return b >= 0xc0;
}

static bool iuclc_applies(const ptycase_t *c)
{
	return has(c, F_IUCLC | F_IEXTEN) && any_byte(c, STEP_TYPE, is_latin);
}

static bool olcuc_applies(const ptycase_t *c)
{
	return has(c, F_OPOST | F_OLCUC) &&
	       (any_byte(c, STEP_WRITE, is_latin) || (has(c, F_ECHO) && any_byte(c, STEP_TYPE, is_latin)));
}

static void latin_avoid(ptycase_t *c)
{
	map_bytes(c, STEP_TYPE, is_latin, 0xa1);
	map_bytes(c, STEP_WRITE, is_latin, 0xa1);
}

static bool uclcx_applies(const ptycase_t *c)
{
	return has(c, F_IUCLC) && lacks(c, F_IEXTEN) && any_byte(c, STEP_TYPE, is_upper);
}

static void uclcx_avoid(ptycase_t *c)
{
	set_flags(c, 0, F_IUCLC);
}

/* ---- output ---- */

static bool ocrnl_applies(const ptycase_t *c)
{
	return has(c, F_OPOST | F_OCRNL | F_ONOCR);
}

static bool onlcr_applies(const ptycase_t *c)
{
	return has(c, F_OPOST | F_ONLCR | F_ONOCR);
}

static void onocr_avoid(ptycase_t *c)
{
	set_flags(c, 0, F_ONOCR);
}

static bool is_c1(const ptycase_t *c, uint8_t b)
{
	(void)c;
	return b >= 0x80 && b < 0xa0;
}

static bool c1_applies(const ptycase_t *c)
{
	return (has(c, F_OPOST) && any_byte(c, STEP_WRITE, is_c1)) || (has(c, F_ECHO) && any_byte(c, STEP_TYPE, is_c1));
}

static void c1_avoid(ptycase_t *c)
{
	map_bytes(c, STEP_TYPE, is_c1, 'c');
	map_bytes(c, STEP_WRITE, is_c1, 'c');
}

/* ---- others ---- */

static bool short_applies(const ptycase_t *c)
{
	return lacks(c, F_ICANON) && c->set.min > 1 && c->rdsize < 512;
}

static void short_avoid(ptycase_t *c)
{
	c->rdsize = 512;
}

static bool empty_read_applies(const ptycase_t *c)
{
	return lacks(c, F_ICANON) && c->set.min == 0;
}

static void empty_read_filter(seen_t *s, bool ofhost)
{
	size_t to = 0;

	(void)ofhost;
	for (size_t i = 0; i < s->nreads; i++)
		if (s->reads[i] != 0)
			s->reads[to++] = s->reads[i];
	s->nreads = to;
}

static bool discard_applies(const ptycase_t *c)
{
	return has(c, F_IEXTEN) && typed_cc(c, C_VDISCARD);
}

static void discard_avoid(ptycase_t *c)
{
	switch_off(c, C_VDISCARD);
}

/* ---- the table: first those that switch characters off, which others look at ---- */

known_t knowns[] = {
    {"line length", "257 bytes", "4095", "sheet, ldterm_docanon (MAX_CANON 256); POSIX: MAX_CANON is the system's",
     long_applies, long_avoid, NULL, 0},
    {"VDISCARD", "throws output away", "is an ordinary character", "sheet, ldterm_flush_output", discard_applies,
     discard_avoid, NULL, 0},
    {"VREPRINT without ECHO", "is taken out, and echoes NL", "is an ordinary character",
     "sheet, ldterm_reprint; termio", reprint_applies, reprint_avoid, NULL, 0},
    {"VEOL2 without IEXTEN", "ends a line", "is an ordinary character", "sheet, ldterm_docanon", eol2_applies,
     eol2_avoid, NULL, 0},
    {"VLNEXT without ICANON", "quotes", "is an ordinary character", "sheet, ldterm_dononcanon", lnraw_applies,
     lnraw_avoid, NULL, 0},
    {"characters that act at once",
     "signals, VSTOP and VSTART act before what was typed ahead of them in the same write, "
     "and a flush takes all of that write",
     "one character after the other", "sheet, ldtermrput and ldtermrmsg; POSIX leaves the order to the system",
     at_once_applies, at_once_avoid, NULL, 0},
    {"NOFLSH and stopped output", "a signal starts output only when it flushes", "a signal always starts output",
     "sheet, ldterm_dosig; POSIX does not say that a signal starts output", restart_applies, restart_avoid, NULL, 0},
    {"signals and output that is stopped", "flush what was written", "what the program sleeps to write comes later",
     "sheet, ldterm_dosig; POSIX: not yet written output is no queue's", lost_applies, output_first, NULL, 0},
    {"IXANY", "any character starts output, VSTOP too, with IEXTEN only",
     "any but VSTOP and signals, whatever IEXTEN is", "sheet, ldtermrput 4; termio: any input character", ixany_applies,
     ixany_avoid, NULL, 0},
    {"echo while output is stopped", "echo waits behind output, one queue in order of time",
     "echo goes before output that waits", "sheet, section 3 (pts queues M_DATA); POSIX gives no order",
     stopped_applies, stopped_avoid, NULL, 0},
    {"echo of VEOF", "^D and two backspaces", "none", "sheet, ldterm_docanon 9; POSIX: EOF is discarded", eof_applies,
     NULL, eof_filter, 0},
    {"echo of control characters without ECHOCTL", "only TAB, NL, CR, BS, BEL and VKILL", "all, as they are",
     "sheet, ldterm_echo", ctlecho_applies, NULL, ctlecho_filter, 0},
    {"echo flags without IEXTEN", "ECHOCTL, ECHOPRT and ECHOKE need IEXTEN", "they do not",
     "termio: effective only with IEXTEN", iexten_applies, iexten_avoid, NULL, 0},
    {"ECHOCTL with OLCUC", "^x in lower case, which OPOST turns round again", "^X", "sheet, ldterm_echo", lcuc_applies,
     lcuc_avoid, NULL, 0},
    {"ECHONL without ICANON", "echoes NL", "does not", "sheet, ldterm_dononcanon; POSIX: with ICANON only",
     echonl_applies, echonl_avoid, NULL, 0},
    {"backslash", "quotes VERASE, VKILL and VEOF", "is an ordinary character", "termio, special characters",
     backslash_applies, backslash_avoid, NULL, 0},
    {"words", "VWERASE takes blanks, then what is none", "it takes up to the beginning of letters, digits and _",
     "sheet, ldterm_werase; POSIX has no VWERASE", words_applies, words_avoid, NULL, 0},
    {"VWERASE without ECHOE", "echoes VERASE for each character", "rubs them out", "sheet, ldterm_rubout",
     noechoe_applies, noechoe_avoid, NULL, 0},
    {"ECHOKE", "is enough for VKILL to rub the line out", "needs ECHOK and ECHOE as well", "sheet, ldterm_kill; termio",
     kill_applies, kill_avoid, NULL, 0},
    {"ECHOK without ECHO", "VKILL echoes NL", "it echoes nothing",
     "sheet, ldterm_kill; POSIX: ECHOK does not need ECHO", killnl_applies, killnl_avoid, NULL, 0},
    {"ECHOE and ECHOPRT", "ECHOE goes first", "ECHOPRT goes first", "sheet, ldterm_rubout", both_applies, both_avoid,
     NULL, 0},
    {"end of ECHOPRT", "the / comes with the next character", "at once when the line is empty, not before NL",
     "sheet, ldterm_docanon", slash_applies, NULL, slash_filter, 0},
    {"tabs behind the / of ECHOPRT", "a tab is as wide as that / leaves it", "likewise", "the entry before",
     slash_applies, tab_avoid, NULL, 0},
    {"rubbing out after output", "the line is shown again, as its screen is not known", "rubs out all the same",
     "sheet, ldterm_rubout", output_applies, output_first, NULL, 0},
    {"rubbing out a tab without OPOST", "the column is not known", "it is guessed", "sheet, ldterm_outchar",
     tab_applies, tab_avoid, NULL, 0},
    {"rubbing out a tab of a line shown again without ONLCR", "as if the line began at column 0",
     "as if it began where it did before", "sheet, ldterm_reprint: t_rocol 0", again_applies, tab_avoid, NULL, 0},
    {"rubbing out a tab after BS, CR, a literal NL or a signal", "the cursor's column less that of the line's end",
     "from the tab before", "sheet, ldterm_tabcols", moved_applies, tab_avoid, NULL, 0},
    {"echo of VLNEXT without ECHOCTL", "^ and a backspace", "none", "sheet, ldterm_docanon 3", lnecho_applies, NULL,
     lnecho_filter, 0},
    {"echo of NL that ends no line", "as NL, with ECHOCTL too", "^J", "termio: ECHOCTL leaves NL alone", nlecho_applies,
     nlecho_avoid, NULL, 0},
    {"VKILL of an empty line", "is echoed as of any other", "nothing happens", "sheet, ldterm_kill", empty_applies,
     empty_avoid, NULL, 0},
    {"IUCLC and VLNEXT", "the quoted letter stays", "it becomes small", "sheet, ldtermrput 2", lnuclc_applies,
     lnuclc_avoid, NULL, 0},
    {"IUCLC and Latin-1", "maps A to Z", "maps accented letters too", "POSIX locale: A to Z are its letters",
     iuclc_applies, latin_avoid, NULL, 0},
    {"OLCUC and Latin-1", "maps a to z", "maps accented letters too", "sheet, ldterm_output_msg", olcuc_applies,
     latin_avoid, NULL, 0},
    {"IUCLC without IEXTEN", "maps", "does not", "sheet, ldtermrput 9; termio", uclcx_applies, uclcx_avoid, NULL, 0},
    {"OCRNL with ONOCR", "CR at column 0 becomes NL", "it is dropped",
     "sheet, ldterm_output_msg; POSIX: a CR that is sent as NL is no CR", ocrnl_applies, onocr_avoid, NULL, 0},
    {"ONLCR with ONOCR", "no CR before NL at column 0", "CR NL", "sheet, ldterm_output_msg; POSIX: no CR at column 0",
     onlcr_applies, onocr_avoid, NULL, 0},
    {"C1 control characters", "move no column and are not echoed", "move one and are",
     "sheet, ldterm_output_msg and ldterm_echo", c1_applies, c1_avoid, NULL, 0},
    {"short reads and VMIN", "VMIN counts what goes up; what a read leaves is ready", "it counts what is there anew",
     "sheet, vmin_satisfied; POSIX: the case is not specified", short_applies, short_avoid, NULL, 0},
    {"VMIN 0", "what is typed and taken out leaves an empty message, which poll(2) finds",
     "nothing is there to be read", "sheet, ldtermrput 10 and vmin_satisfied", empty_read_applies, NULL,
     empty_read_filter, 0},
};
const size_t nknowns = sizeof(knowns) / sizeof(knowns[0]);
