/*
 * pty: the cases.
 *
 * Those by hand have one rule each.  Generated ones have a theme: what a user
 * does who edits lines, interrupts, stops output and so on, with the theme's own
 * weights of bytes, some settings fixed and the others by chance.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"

/* ---- making cases ---- */

static const uint8_t default_cc[NCHARS] = {
    [C_VINTR] = 3,    [C_VQUIT] = 0x1c, [C_VERASE] = 0x7f,   [C_VKILL] = 0x15,   [C_VEOF] = 4,     [C_VSTART] = 0x11,
    [C_VSTOP] = 0x13, [C_VSUSP] = 0x1a, [C_VREPRINT] = 0x12, [C_VWERASE] = 0x17, [C_VLNEXT] = 0x16};

void set_default(ptyset_t *set)
{
	memset(set, 0, sizeof(*set));
	set->flags = F_ICRNL | F_IXON | F_IMAXBEL | F_OPOST | F_ONLCR | F_ISIG | F_ICANON | F_ECHO | F_ECHOE | F_ECHOK |
		     F_ECHOCTL | F_ECHOKE | F_IEXTEN;
	memcpy(set->cc, default_cc, sizeof(default_cc));
	set->min = 1;
}

void case_step(ptycase_t *c, enum stepkind kind, const void *data, size_t len)
{
	step_t *s = &c->steps[c->nsteps++];

	if (c->nsteps > MAXSTEPS || len > MAXBYTES)
		abort();
	s->kind = kind;
	s->len = len;
	if (data != NULL)
		memcpy(s->data, data, len);
}

/* ---- by hand ---- */

/*
 * Each names the known difference (known.c) that it shows, "" for none.
 *
 * Settings: names of flags, `-' before those switched off; ch=c sets a control
 * character (^X, or a character, or 0), min=, time=, read= numbers.  Steps are
 * parted by ' ': T types, W writes, S changes the first settings, R reads (and makes the
 * case timed); \ooo octal, \n, \r, \t, \b, \\, \s (a blank), ^X control.
 */
static const struct {
	const char *name, *set, *steps, *known, *says;
} by_hand[] = {
#include "byhand.h"
};

static uint32_t flag_named(const char *s, size_t n)
{
#define GEN_NAME(field, name) {#name, F_##name},
	static const struct {
		const char *name;
		uint32_t flag;
	} names[] = {PTY_FLAGS(GEN_NAME)};

	for (size_t i = 0; i < NFLAGS; i++)
		if (strlen(names[i].name) == n && memcmp(names[i].name, s, n) == 0)
			return names[i].flag;
	fprintf(stderr, "pty: no flag %.*s\n", (int)n, s);
	exit(2);
}

static int char_named(const char *s, size_t n)
{
#define GEN_CHAR(name) #name,
	static const char *const names[] = {PTY_CHARS(GEN_CHAR)};

	for (int i = 0; i < NCHARS; i++)
		if (strlen(names[i]) == n && memcmp(names[i], s, n) == 0)
			return i;
	return -1;
}

static uint8_t control(char c)
{
	return c == '?' ? 0x7f : (uint8_t)(c & 0x1f);
}

static void parse_value(const char *name, size_t n, const char *value, ptycase_t *c, ptyset_t *set)
{
	int slot = char_named(name, n);

	if (slot >= 0)
		set->cc[slot] = *value == '^' ? control(value[1]) : *value == '0' ? 0 : (uint8_t)*value;
	else if (strncmp(name, "min", n) == 0)
		set->min = (uint8_t)atoi(value);
	else if (strncmp(name, "time", n) == 0)
		set->time = (uint8_t)atoi(value);
	else if (strncmp(name, "read", n) == 0)
		c->rdsize = (size_t)atoi(value);
	else
		abort();
}

static void parse_set(const char *s, char sep, ptycase_t *c, ptyset_t *set)
{
	while (*s != '\0' && *s != ' ') {
		size_t n = strcspn(s, sep == ',' ? ", " : " ");
		const char *eq = memchr(s, '=', n);

		if (eq != NULL)
			parse_value(s, (size_t)(eq - s), eq + 1, c, set);
		else if (*s == '-')
			set->flags &= ~flag_named(s + 1, n - 1);
		else
			set->flags |= flag_named(s, n);
		s += n;
		if (*s == sep)
			s++;
	}
}

static size_t parse_bytes(const char **sp, uint8_t *out)
{
	static const char escapes[] = "n\nr\rt\tb\bs ";
	const char *s = *sp, *e;
	size_t n = 0;

	while (*s != '\0' && *s != ' ') {
		if (*s == '^') {
			out[n++] = control(s[1]);
			s += 2;
		} else if (*s != '\\') {
			out[n++] = (uint8_t)*s++;
		} else if (isdigit((unsigned char)s[1])) {
			out[n++] = (uint8_t)((s[1] - '0') * 64 + (s[2] - '0') * 8 + s[3] - '0');
			s += 4;
		} else {
			e = s[1] == '\\' ? NULL : strchr(escapes, s[1]);
			out[n++] = e != NULL ? (uint8_t)e[1] : '\\';
			s += 2;
		}
	}
	*sp = s;
	return n;
}

static void parse_steps(const char *s, ptycase_t *c)
{
	uint8_t data[MAXBYTES];

	while (*s != '\0') {
		char kind = *s++;

		if (kind == 'S') {
			ptyset_t *set = &c->steps[c->nsteps].set;

			*set = c->set;
			case_step(c, STEP_SET, NULL, 0);
			parse_set(s, ',', c, set);
			s += strcspn(s, " ");
		} else if (kind == 'R') {
			c->timed = true;
			case_step(c, STEP_READ, NULL, strtoul(s, (char **)(void *)&s, 10));
		} else {
			size_t n = parse_bytes(&s, data);

			case_step(c, kind == 'T' ? STEP_TYPE : STEP_WRITE, data, n);
		}
		if (*s == ' ')
			s++;
	}
}

bool case_by_hand(size_t n, ptycase_t *c)
{
	if (n >= sizeof(by_hand) / sizeof(by_hand[0]))
		return false;
	memset(c, 0, sizeof(*c));
	snprintf(c->name, sizeof(c->name), "%s", by_hand[n].name);
	c->known = by_hand[n].known;
	c->says = by_hand[n].says;
	c->rdsize = 512;
	set_default(&c->set);
	parse_set(by_hand[n].set, ' ', c, &c->set);
	parse_steps(by_hand[n].steps, c);
	return true;
}

/* ---- by chance ---- */

#define GENBYTES (MAXBYTES - 64) /* known.c may add some */

static uint64_t rng;

static uint64_t rnd(void)
{
	uint64_t z = rng += 0x9e3779b97f4a7c15ULL; /* splitmix64 */

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static uint32_t below(uint32_t n)
{
	return (uint32_t)(rnd() % n);
}

static bool one_in(uint32_t n)
{
	return below(n) == 0;
}

/* What may be typed or written. */
enum token {
	T_WORD,
	T_BLANK,
	T_TAB,
	T_PUNCT,
	T_UPPER,
	T_NL,
	T_CR,
	T_CTRL,
	T_NUL,
	T_HIGH, /* letters of Latin-1 */
	T_C1,
	T_BACKSLASH,
	T_BS,
	T_LONG,
	T_SPECIAL, /* T_SPECIAL + slot: a control character */
	NTOKENS = T_SPECIAL + NCHARS
};
#define T_(slot) (T_SPECIAL + C_##slot)

typedef struct theme {
	const char *name;
	uint32_t on, off, chance; /* flags; of `chance' each one with 1 in 2; the others as by default */
	uint8_t weight[NTOKENS];
	uint8_t writes; /* of 10 steps */
} theme_t;

#define EDIT_FLAGS (F_ECHO | F_ECHOE | F_ECHOK | F_ECHONL | F_ECHOCTL | F_ECHOKE)
#define OUT_FLAGS (F_OLCUC | F_ONLCR | F_OCRNL | F_ONOCR | F_ONLRET | F_XTABS)
#define IN_FLAGS (F_ISTRIP | F_INLCR | F_IGNCR | F_ICRNL | F_IUCLC)

static const theme_t themes[] = {
    {"plain editing",
     0,
     0,
     0,
     {[T_WORD] = 10,
      [T_BLANK] = 5,
      [T_NL] = 3,
      [T_(VERASE)] = 8,
      [T_(VWERASE)] = 3,
      [T_(VKILL)] = 2,
      [T_(VREPRINT)] = 1},
     0},
    {"editing",
     F_ECHO,
     0,
     EDIT_FLAGS | F_ECHOPRT | F_XTABS,
     {[T_WORD] = 12,
      [T_BLANK] = 5,
      [T_TAB] = 3,
      [T_PUNCT] = 1,
      [T_NL] = 3,
      [T_CTRL] = 2,
      [T_HIGH] = 1,
      [T_BACKSLASH] = 1,
      [T_(VERASE)] = 8,
      [T_(VWERASE)] = 3,
      [T_(VKILL)] = 2,
      [T_(VREPRINT)] = 1,
      [T_(VLNEXT)] = 2},
     0},
    {"columns",
     0,
     0,
     F_XTABS | F_ONLCR | F_ONLRET | F_ECHOCTL,
     {[T_WORD] = 10,
      [T_BLANK] = 2,
      [T_TAB] = 8,
      [T_NL] = 3,
      [T_CTRL] = 3,
      [T_BS] = 2,
      [T_(VERASE)] = 12,
      [T_(VWERASE)] = 2,
      [T_(VKILL)] = 2},
     1},
    {"ends of lines",
     0,
     0,
     F_ECHO | F_ECHONL | F_ECHOCTL | F_ICRNL | F_IEXTEN,
     {[T_WORD] = 10,
      [T_BLANK] = 2,
      [T_NL] = 5,
      [T_CR] = 2,
      [T_(VEOF)] = 6,
      [T_(VEOL)] = 5,
      [T_(VEOL2)] = 4,
      [T_(VLNEXT)] = 3,
      [T_BACKSLASH] = 1,
      [T_(VERASE)] = 2},
     0},
    {"input",
     0,
     0,
     IN_FLAGS | F_ICANON | F_ECHO | F_ECHOCTL | F_IEXTEN,
     {[T_WORD] = 8,
      [T_UPPER] = 5,
      [T_NL] = 5,
      [T_CR] = 5,
      [T_HIGH] = 4,
      [T_C1] = 1,
      [T_CTRL] = 3,
      [T_NUL] = 2,
      [T_TAB] = 1,
      [T_(VLNEXT)] = 2},
     0},
    {"signals",
     F_ISIG,
     0,
     F_NOFLSH | F_ICANON | F_ECHO | F_ECHOCTL | F_IXON | F_IEXTEN,
     {[T_WORD] = 12,
      [T_BLANK] = 2,
      [T_NL] = 2,
      [T_(VINTR)] = 4,
      [T_(VQUIT)] = 3,
      [T_(VSUSP)] = 3,
      [T_(VLNEXT)] = 3,
      [T_(VERASE)] = 3,
      [T_(VKILL)] = 1},
     2},
    {"flow",
     F_IXON,
     0,
     F_IXANY | F_ECHO | F_ICANON | F_ISIG | F_IEXTEN | F_NOFLSH,
     {[T_WORD] = 8, [T_NL] = 3, [T_(VSTOP)] = 5, [T_(VSTART)] = 5, [T_(VLNEXT)] = 1, [T_(VINTR)] = 1},
     5},
    {"output",
     0,
     0,
     OUT_FLAGS | F_OPOST,
     {[T_WORD] = 10,
      [T_BLANK] = 2,
      [T_TAB] = 5,
      [T_PUNCT] = 2,
      [T_UPPER] = 2,
      [T_NL] = 5,
      [T_CR] = 5,
      [T_CTRL] = 2,
      [T_NUL] = 1,
      [T_HIGH] = 2,
      [T_C1] = 1,
      [T_BS] = 3},
     9},
    {"echo through output",
     F_ECHO | F_OPOST,
     0,
     OUT_FLAGS | EDIT_FLAGS | F_ICRNL | F_ICANON,
     {[T_WORD] = 10,
      [T_BLANK] = 2,
      [T_TAB] = 4,
      [T_UPPER] = 2,
      [T_NL] = 4,
      [T_CR] = 4,
      [T_CTRL] = 2,
      [T_HIGH] = 1,
      [T_BS] = 2,
      [T_(VERASE)] = 4},
     4},
    {"raw",
     0,
     F_ICANON,
     F_ECHO | F_ECHONL | F_ECHOCTL | F_ISIG | F_ICRNL | F_IXON | F_IEXTEN | F_OPOST | F_ISTRIP,
     {[T_WORD] = 10,
      [T_BLANK] = 2,
      [T_NL] = 3,
      [T_CR] = 3,
      [T_CTRL] = 3,
      [T_NUL] = 2,
      [T_HIGH] = 2,
      [T_TAB] = 2,
      [T_(VINTR)] = 1,
      [T_(VERASE)] = 1,
      [T_(VLNEXT)] = 1},
     1},
    {"long lines",
     0,
     0,
     EDIT_FLAGS | F_OPOST | F_IMAXBEL,
     {[T_LONG] = 10, [T_WORD] = 5, [T_NL] = 6, [T_(VERASE)] = 4, [T_(VEOF)] = 1, [T_(VKILL)] = 1},
     0},
    {"anything",
     0,
     0,
     IN_FLAGS | OUT_FLAGS | EDIT_FLAGS | F_ECHOPRT | F_IXON | F_IXANY | F_ISIG | F_NOFLSH | F_ICANON | F_IEXTEN |
	 F_OPOST,
     {[T_WORD] = 20,    [T_BLANK] = 6,      [T_TAB] = 3,       [T_PUNCT] = 2,     [T_UPPER] = 2,    [T_NL] = 6,
      [T_CR] = 2,       [T_CTRL] = 2,       [T_NUL] = 1,       [T_HIGH] = 1,      [T_C1] = 1,       [T_BACKSLASH] = 1,
      [T_BS] = 1,       [T_(VERASE)] = 5,   [T_(VKILL)] = 1,   [T_(VWERASE)] = 2, [T_(VEOF)] = 1,   [T_(VEOL)] = 1,
      [T_(VEOL2)] = 1,  [T_(VINTR)] = 1,    [T_(VQUIT)] = 1,   [T_(VSUSP)] = 1,   [T_(VSTART)] = 2, [T_(VSTOP)] = 1,
      [T_(VLNEXT)] = 2, [T_(VREPRINT)] = 1, [T_(VDISCARD)] = 1},
     2},
};
#define NTHEMES (sizeof(themes) / sizeof(themes[0]))

static enum token pick_token(const theme_t *t)
{
	uint32_t sum = 0, at;
	int i;

	for (i = 0; i < NTOKENS; i++)
		sum += t->weight[i];
	at = below(sum);
	for (i = 0; at >= t->weight[i]; i++)
		at -= t->weight[i];
	return (enum token)i;
}

/* Not a '/': known.c knows whose one is. */
static char any_of(const char *s)
{
	return s[below((uint32_t)strlen(s))];
}

static void put_run(step_t *s, size_t n)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";

	while (n-- > 0 && s->len < GENBYTES)
		s->data[s->len++] = (uint8_t)any_of(letters);
}

static void put_byte(step_t *s, int c)
{
	if (s->len < GENBYTES)
		s->data[s->len++] = (uint8_t)c;
}

static void put_token(step_t *s, enum token t, const ptyset_t *set)
{
	switch (t) {
	case T_WORD:
		put_run(s, 1 + below(6));
		break;
	case T_LONG:
		put_run(s, 60 + below(100));
		break;
	case T_BLANK:
		put_byte(s, ' ');
		break;
	case T_TAB:
		put_byte(s, '\t');
		break;
	case T_PUNCT:
		put_byte(s, any_of(".,-+*$%&()[]{}~`'\"<>?^|="));
		break;
	case T_UPPER:
		put_byte(s, (int)('A' + below(26)));
		break;
	case T_NL:
		put_byte(s, '\n');
		break;
	case T_CR:
		put_byte(s, '\r');
		break;
	case T_CTRL:
		put_byte(s, any_of("\001\002\005\006\007\013\014\016\020\024\030\031\033\035\036\037\177"));
		break;
	case T_NUL:
		put_byte(s, 0);
		break;
	case T_HIGH:
		put_byte(s, (int)(0xa0 + below(0x60)));
		break;
	case T_C1:
		put_byte(s, (int)(0x80 + below(0x20)));
		break;
	case T_BACKSLASH:
		put_byte(s, '\\');
		break;
	case T_BS:
		put_byte(s, '\b');
		break;
	default:
		if (set->cc[t - T_SPECIAL] != 0)
			put_byte(s, set->cc[t - T_SPECIAL]);
	}
}

static void pick_set(const theme_t *t, ptyset_t *set)
{
	set_default(set);
	set->flags = (set->flags | t->on) & ~t->off;
	set->flags ^= t->chance & ~(t->on | t->off) & (uint32_t)rnd();
	/* Without these two nearly everything is different in known ways. */
	if (!one_in(3))
		set->flags |= F_ECHOCTL | F_IEXTEN;
	if (one_in(4))
		set->cc[C_VERASE] = one_in(2) ? '\b' : '#';
	if (one_in(6))
		set->cc[C_VKILL] = one_in(3) ? 0 : '@';
	if (one_in(6) && set->cc[C_VERASE] != 0x7f)
		set->cc[C_VINTR] = 0x7f;
	if (t->weight[T_(VEOL)] != 0 && one_in(2))
		set->cc[C_VEOL] = ';';
	if (t->weight[T_(VEOL2)] != 0 && one_in(2))
		set->cc[C_VEOL2] = '!';
	if (t->weight[T_(VDISCARD)] != 0 && one_in(2))
		set->cc[C_VDISCARD] = 0x0f;
	if (one_in(8))
		set->cc[below(NCHARS)] = 0;
	if (!(set->flags & F_ICANON))
		set->min = (uint8_t)(one_in(2) ? 1 : below(9));
}

static bool is_signal(enum token t)
{
	return t == T_(VINTR) || t == T_(VQUIT) || t == T_(VSUSP);
}

/*
 * A write of the terminal.  A signal flushes what was typed before it; whether
 * the host's reader has got a whole line of it before that is chance, so the
 * signal is then typed by itself.
 */
static void pick_typed(const theme_t *t, ptycase_t *c)
{
	step_t *s = &c->steps[c->nsteps];
	uint32_t n = 1 + below(10);
	bool line = false;

	case_step(c, STEP_TYPE, NULL, 0);
	while (n-- > 0) {
		enum token tok = pick_token(t);

		if (is_signal(tok) && line && s->len != 0) {
			s = &c->steps[c->nsteps];
			case_step(c, STEP_TYPE, NULL, 0);
			line = false;
		}
		if (tok == T_NL || tok == T_CR || tok == T_(VEOF) || tok == T_(VEOL) || tok == T_(VEOL2) || tok == T_C1)
			line = true;
		put_token(s, tok, &c->set);
	}
	if (s->len == 0)
		put_run(s, 1);
}

static void pick_written(const theme_t *t, ptycase_t *c)
{
	step_t *s = &c->steps[c->nsteps];
	uint32_t n = 1 + below(12);

	case_step(c, STEP_WRITE, NULL, 0);
	while (n-- > 0) {
		enum token tok = pick_token(t);

		put_token(s, tok < T_SPECIAL ? tok : T_WORD, &c->set);
	}
}

void case_generate(uint64_t seed, size_t n, ptycase_t *c)
{
	const theme_t *t = &themes[n % NTHEMES];
	uint32_t steps;

	memset(c, 0, sizeof(*c));
	rng = seed * 1000003 + n;
	snprintf(c->name, sizeof(c->name), "%zu (%s)", n, t->name);
	c->rdsize = one_in(3) ? (t->weight[T_LONG] != 0 ? 8 : 1) + below(20) : 512;
	pick_set(t, &c->set);
	for (steps = 2 + below(6); steps > 0; steps--)
		if (below(10) < t->writes)
			pick_written(t, c);
		else
			pick_typed(t, c);
}

/* ---- showing them ---- */

static void print_bytes(FILE *f, const uint8_t *data, size_t n)
{
	static const char named[] = "b\bt\tn\nr\r";

	for (; n > 0; n--, data++) {
		const char *name = *data != 0 && *data < ' ' ? strchr(named, *data) : NULL;

		if (name != NULL)
			fprintf(f, "\\%c", name[-1]);
		else if (*data == '\\' || *data < ' ' || *data >= 0x7f)
			fprintf(f, "\\%03o", *data);
		else
			putc(*data, f);
	}
}

static void print_set(const ptyset_t *set)
{
#define GEN_PRINT(field, name) #name,
	static const char *const flags[] = {PTY_FLAGS(GEN_PRINT)}, *const chars[] = {PTY_CHARS(GEN_CHAR)};

	for (int i = 0; i < NFLAGS; i++)
		if (set->flags & 1u << i)
			printf(" %s", flags[i]);
	for (int i = 0; i < NCHARS; i++)
		if (set->cc[i] != default_cc[i]) {
			printf(" %s=", chars[i]);
			print_bytes(stdout, &set->cc[i], 1);
		}
	if (!(set->flags & F_ICANON))
		printf(" min=%d time=%d", set->min, set->time);
	printf("\n");
}

void case_print(const ptycase_t *c)
{
	static const char *const kinds[] = {"type", "write", "set", "read"};

	printf("case %s\n  set  ", c->name);
	print_set(&c->set);
	printf("  reads of %zu\n", c->rdsize);
	for (size_t i = 0; i < c->nsteps; i++) {
		const step_t *s = &c->steps[i];

		printf("  %zu %-6s", i, kinds[s->kind]);
		if (s->kind == STEP_SET)
			print_set(&s->set);
		else if (s->kind == STEP_READ)
			printf("%zu\n", s->len);
		else {
			print_bytes(stdout, s->data, s->len);
			printf("\n");
		}
	}
}

static void print_seen(FILE *f, const seen_t *s)
{
	size_t at = 0;

	print_bytes(f, s->out, s->nout);
	for (size_t n = 0; n < s->nreads; n++) {
		fprintf(f, "[");
		print_bytes(f, s->in + at, s->reads[n]);
		fprintf(f, "]");
		at += s->reads[n];
	}
	fprintf(f, "%s%s%s", s->signals & SAW_INT ? " INT" : "", s->signals & SAW_QUIT ? " QUIT" : "",
		s->signals & SAW_TSTP ? " TSTP" : "");
}

void seen_print(const char *who, const result_t *r)
{
	for (size_t i = 0; i < r->nsteps; i++) {
		printf("  %zu %-6s", i, who);
		print_seen(stdout, &r->seen[i]);
		if (r->seen[i].waited_ms != 0)
			printf(" %ld ms", r->seen[i].waited_ms);
		printf("\n");
	}
	if (r->asleep)
		printf("  %s never came to the end\n", who);
}

char *seen_text(const result_t *r)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (f == NULL)
		abort();
	for (size_t i = 0; i < r->nsteps; i++) {
		fprintf(f, "%s", i != 0 ? " | " : "");
		print_seen(f, &r->seen[i]);
	}
	fclose(f);
	return text;
}
