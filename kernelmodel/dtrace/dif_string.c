/*
 * String subroutines of D (the behaviour of D 1.2, with later additions).
 *
 * Each copies its string arguments into the CPU's temporary buffers, where they
 * are at most strsize - 1 characters long and end, and works there; a result is
 * built in scratch memory.
 */
#include "probectx.h"
#include "dtrace_impl.h"

typedef struct str {
	const char *s;
	size_t len;
} str_t;

static int bad(mstate_t *ms, uint64_t addr)
{
	ms->ms_faddr = addr;
	return DTRACEFLT_BADADDR;
}

static uint64_t arg(const mstate_t *ms, int i)
{
	return ms->ms_tuple[i].val;
}

/* The string at addr, copied into temporary buffer `which'. */
static int get(mstate_t *ms, uint64_t addr, int which, str_t *str)
{
	char *tmp = ms->ms_cpu->c_tmp[which];
	ssize_t len = dtrace_copystr(tmp, (const char *)(uintptr_t)addr, ms->ms_state->st_conf.c_strsize);

	if (len < 0)
		return bad(ms, addr);
	str->s = tmp;
	str->len = (size_t)len;
	return 0;
}

/* n characters as a new string. */
static int make(mstate_t *ms, const char *s, size_t n, uint64_t *result)
{
	char *p = dif_scratch(ms, n + 1);

	if (p == NULL)
		return DTRACEFLT_NOSCRATCH;
	mem_copy(p, s, n);
	p[n] = '\0';
	*result = (uintptr_t)p;
	return 0;
}

int dif_strcmp(mstate_t *ms, uint64_t a, uint64_t b, int *result)
{
	size_t i, max = ms->ms_state->st_conf.c_strsize;
	uint64_t x = 0, y = 0;

	*result = 0;
	for (i = 0; i < max; i++) {
		if (a != 0 && !fetch_u8(&x, a + i))
			return bad(ms, a);
		if (b != 0 && !fetch_u8(&y, b + i))
			return bad(ms, b);
		if (x != y) {
			*result = x < y ? -1 : 1;
			return 0;
		}
		if (x == 0)
			return 0;
	}
	return 0;
}

/* ---- searching ---- */

static bool same(const char *a, const char *b, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

/* Places of t in s from `from' on, forward or backward; -1 = nowhere. */
static int64_t find(const str_t *s, const str_t *t, int64_t from, bool backward)
{
	int64_t i;

	for (i = from; i >= 0 && (size_t)i + t->len <= s->len; i += backward ? -1 : 1)
		if (same(s->s + i, t->s, t->len))
			return i;
	return -1;
}

static int64_t index_of(const mstate_t *ms, const str_t *s, const str_t *t)
{
	int64_t pos = ms->ms_ntuple > 2 ? (int64_t)arg(ms, 2) : 0, len = (int64_t)s->len;

	if (pos < 0)
		pos = 0;
	if (pos >= len)
		return t->len == 0 ? len : -1;
	return find(s, t, pos, false);
}

static int64_t rindex_of(const mstate_t *ms, const str_t *s, const str_t *t)
{
	int64_t len = (int64_t)s->len, pos = ms->ms_ntuple > 2 ? (int64_t)arg(ms, 2) : len;

	if (pos < 0)
		return t->len == 0 ? 0 : -1;
	if (pos > len)
		pos = len;
	if (pos > len - (int64_t)t->len)
		pos = len - (int64_t)t->len;
	return find(s, t, pos, true);
}

static int search(mstate_t *ms, uint32_t subr, uint64_t *result)
{
	str_t s, t;
	int fault = get(ms, arg(ms, 0), 0, &s);
	int64_t at;

	if (fault == 0)
		fault = get(ms, arg(ms, 1), 1, &t);
	if (fault != 0)
		return fault;
	if (subr == DIF_SUBR_STRSTR) {
		at = find(&s, &t, 0, false);
		*result = at < 0 ? 0 : arg(ms, 0) + (uint64_t)at;
	} else {
		*result = (uint64_t)(subr == DIF_SUBR_INDEX ? index_of(ms, &s, &t) : rindex_of(ms, &s, &t));
	}
	return 0;
}

/* strchr and strrchr: the tail of the argument itself. */
static int search_char(mstate_t *ms, bool last, uint64_t *result)
{
	str_t s;
	size_t i;
	int fault = get(ms, arg(ms, 0), 0, &s);

	*result = 0;
	for (i = 0; fault == 0 && i <= s.len; i++) {
		if (s.s[i] != (char)arg(ms, 1))
			continue;
		*result = arg(ms, 0) + i;
		if (!last)
			break;
	}
	return fault;
}

static bool among(char c, const str_t *set)
{
	size_t i;

	for (i = 0; i < set->len; i++)
		if (set->s[i] == c)
			return true;
	return false;
}

/* What is left to be cut up is remembered by its address for the rest of the firing. */
static int tokenize(mstate_t *ms, uint64_t *result)
{
	uint64_t addr = arg(ms, 0) != 0 ? arg(ms, 0) : (uintptr_t)ms->ms_strtok;
	str_t s, set;
	size_t from = 0, to;
	int fault = get(ms, addr, 0, &s);

	if (fault == 0)
		fault = get(ms, arg(ms, 1), 1, &set);
	if (fault != 0)
		return fault;
	while (from < s.len && among(s.s[from], &set))
		from++;
	if (from == s.len) {
		ms->ms_strtok = NULL;
		*result = 0;
		return 0;
	}
	for (to = from; to < s.len && !among(s.s[to], &set); to++)
		;
	ms->ms_strtok = (const char *)(uintptr_t)(addr + to + (to < s.len));
	return make(ms, s.s + from, to - from, result);
}

/* ---- building ---- */

static int join(mstate_t *ms, uint64_t *result)
{
	str_t a, b;
	char *p;
	int fault = get(ms, arg(ms, 0), 0, &a);

	if (fault == 0)
		fault = get(ms, arg(ms, 1), 1, &b);
	if (fault != 0)
		return fault;
	p = a.len + b.len < ms->ms_state->st_conf.c_strsize ? dif_scratch(ms, a.len + b.len + 1) : NULL;
	if (p == NULL)
		return DTRACEFLT_NOSCRATCH;
	mem_copy(p, a.s, a.len);
	mem_copy(p + a.len, b.s, b.len + 1);
	*result = (uintptr_t)p;
	return 0;
}

static int substring(mstate_t *ms, uint64_t *result)
{
	str_t s;
	int fault = get(ms, arg(ms, 0), 0, &s);
	int64_t i = (int64_t)arg(ms, 1), len, n;

	if (fault != 0)
		return fault;
	len = (int64_t)s.len;
	n = ms->ms_ntuple > 2 ? (int64_t)arg(ms, 2) : len;
	if (i < 0)
		i += len;
	if (i < 0) { /* starts before the string: what of it lies inside */
		if (ms->ms_ntuple > 2 && n > 0)
			n += i;
		i = 0;
	}
	if (i >= len || n <= 0)
		return make(ms, "", 0, result);
	return make(ms, s.s + i, (size_t)MIN(n, len - i), result);
}

static int change_case(mstate_t *ms, char first, int to, uint64_t *result)
{
	str_t s;
	char *p;
	size_t i;
	int fault = get(ms, arg(ms, 0), 0, &s);

	if (fault == 0)
		fault = make(ms, s.s, s.len, result);
	if (fault != 0)
		return fault;
	p = (char *)(uintptr_t)*result;
	for (i = 0; i < s.len; i++)
		if (p[i] >= first && p[i] <= first + 25)
			p[i] = (char)(p[i] + to);
	return 0;
}

/* ---- paths ---- */

static int base_or_dir(mstate_t *ms, bool dir, uint64_t *result)
{
	str_t s;
	size_t end, from;
	int fault = get(ms, arg(ms, 0), 0, &s);

	if (fault != 0)
		return fault;
	if (s.len == 0)
		return make(ms, ".", 1, result);
	for (end = s.len; end > 0 && s.s[end - 1] == '/'; end--)
		;
	if (end == 0)
		return make(ms, "/", 1, result);
	for (from = end; from > 0 && s.s[from - 1] != '/'; from--)
		;
	if (!dir)
		return make(ms, s.s + from, end - from, result);
	if (from == 0)
		return make(ms, ".", 1, result);
	while (from > 0 && s.s[from - 1] == '/')
		from--;
	return from == 0 ? make(ms, "/", 1, result) : make(ms, s.s, from, result);
}

/*
 * Textual, as D 1.2 does it: "//" and "/./" become "/", "/x/../" becomes "/".
 * Only "/.." at the very end leaves the slash before the component it removes.
 */
static int clean_path(mstate_t *ms, uint64_t *result)
{
	str_t s;
	const char *p;
	char *out;
	size_t n = 0, max = ms->ms_state->st_conf.c_strsize;
	int fault = get(ms, arg(ms, 0), 0, &s);

	if (fault != 0)
		return fault;
	out = ms->ms_cpu->c_tmp[2];
	max = max > 5 ? max - 5 : 0;
	out[0] = '/';
	for (p = s.s; *p != '\0' && n < max;) {
		if (p[0] == '/' && p[1] == '/') {
			p++;
		} else if (p[0] == '/' && p[1] == '.' && p[2] == '/') {
			p += 2;
		} else if (p[0] == '/' && p[1] == '.' && p[2] == '.' && (p[3] == '/' || p[3] == '\0')) {
			while (n > 0 && out[--n] != '/')
				;
			p += 3;
			if (*p == '\0')
				n++;
		} else {
			out[n++] = *p++;
		}
	}
	return make(ms, out, n, result);
}

/* ---- numbers ---- */

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'Z')
		return c - 'A' + 10;
	return 99;
}

static int to_string(mstate_t *ms, uint64_t *result)
{
	uint64_t v = arg(ms, 0), base = ms->ms_ntuple > 1 ? arg(ms, 1) : 10;
	bool negative = base == 10 && (int64_t)v < 0, zero = v == 0;
	char text[72];
	size_t at = sizeof(text);

	if (base < 2 || base > 36)
		return DTRACEFLT_ILLOP;
	if (negative)
		v = -v;
	do {
		text[--at] = "0123456789abcdefghijklmnopqrstuvwxyz"[v % base];
		v /= base;
	} while (v != 0);
	if (base == 16)
		text[--at] = 'x';
	if (base == 16 || (base == 8 && !zero))
		text[--at] = '0';
	if (negative)
		text[--at] = '-';
	return make(ms, text + at, sizeof(text) - at, result);
}

static int from_string(mstate_t *ms, uint64_t *result)
{
	uint64_t base = ms->ms_ntuple > 1 ? arg(ms, 1) : 10, v = 0;
	const char *p;
	bool negative;
	str_t s;
	int fault = get(ms, arg(ms, 0), 0, &s);

	if (fault != 0)
		return fault;
	if (base < 2 || base > 36)
		return DTRACEFLT_ILLOP;
	for (p = s.s; *p == ' ' || (*p >= '\t' && *p <= '\r'); p++)
		;
	negative = *p == '-';
	if (*p == '-' || *p == '+')
		p++;
	if (base == 16 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && digit_of(p[2]) < 16)
		p += 2;
	for (; digit_of(*p) < (int)base; p++)
		v = v * base + (uint64_t)digit_of(*p);
	*result = negative ? -v : v;
	return 0;
}

/* ---- addresses ---- */

/* Four bytes as dotted decimal: length. */
static size_t dotted(char *to, const uint8_t *a)
{
	size_t n = 0;
	int i;

	for (i = 0; i < 4; i++) {
		if (i > 0)
			to[n++] = '.';
		if (a[i] >= 100)
			to[n++] = (char)('0' + a[i] / 100);
		if (a[i] >= 10)
			to[n++] = (char)('0' + a[i] / 10 % 10);
		to[n++] = (char)('0' + a[i] % 10);
	}
	return n;
}

static int inet4(mstate_t *ms, uint64_t addr, uint64_t *result)
{
	char text[16];
	uint8_t a[4];

	if (dtrace_copyfrom(a, (const void *)(uintptr_t)addr, 4) != 0)
		return bad(ms, addr);
	return make(ms, text, dotted(text, a), result);
}

/* Longest run of at least two zero words, the first of equals: its start, length in *len (0 = none). */
static int zero_run(const uint16_t *w, int *len)
{
	int i, j, start = 0;

	*len = 0;
	for (i = 0; i < 8; i = j + 1) {
		for (j = i; j < 8 && w[j] == 0; j++)
			;
		if (j - i >= 2 && j - i > *len) {
			*len = j - i;
			start = i;
		}
	}
	return start;
}

static size_t hex_words(char *to, const uint16_t *w)
{
	size_t n = 0;
	int len, run = zero_run(w, &len), i, shift;

	for (i = 0; i < 8; i++) {
		if (len > 0 && i == run) {
			to[n++] = ':';
			to[n++] = ':';
			i += len - 1;
			continue;
		}
		if (n > 0 && to[n - 1] != ':')
			to[n++] = ':';
		for (shift = 12; shift > 0 && w[i] >> shift == 0; shift -= 4)
			;
		for (; shift >= 0; shift -= 4)
			to[n++] = "0123456789abcdef"[w[i] >> shift & 15];
	}
	return n;
}

static int inet6(mstate_t *ms, uint64_t addr, bool strict, uint64_t *result)
{
	uint8_t a[16];
	uint16_t w[8];
	char text[64];
	size_t n = 0;
	int i, zeros = 0;

	if (dtrace_copyfrom(a, (const void *)(uintptr_t)addr, 16) != 0)
		return bad(ms, addr);
	for (i = 0; i < 8; i++)
		w[i] = (uint16_t)(a[2 * i] << 8 | a[2 * i + 1]);
	while (zeros < 8 && w[zeros] == 0)
		zeros++;
	if (zeros == 5 && w[5] == 0xffff) {
		for (i = 0; strict && i < 7; i++)
			text[n++] = "::ffff:"[i];
	} else if (zeros >= 6 && !(w[6] == 0 && w[7] <= 1)) {
		for (i = 0; strict && i < 2; i++)
			text[n++] = ':';
	} else {
		return make(ms, text, hex_words(text, w), result);
	}
	n += dotted(text + n, a + 12);
	return make(ms, text, n, result);
}

/* link_ntop(type, addr): the address of an Ethernet interface; the model knows no others. */
static int link_address(mstate_t *ms, uint64_t *result)
{
	uint64_t addr = arg(ms, 1);
	char text[18];
	uint8_t a[6];
	size_t n = 0;
	int i;

	if ((int32_t)arg(ms, 0) != 1) /* ARPHRD_ETHER */
		return DTRACEFLT_ILLOP;
	if (dtrace_copyfrom(a, (const void *)(uintptr_t)addr, 6) != 0)
		return bad(ms, addr);
	for (i = 0; i < 6; i++) {
		if (i > 0)
			text[n++] = ':';
		text[n++] = "0123456789abcdef"[a[i] >> 4];
		text[n++] = "0123456789abcdef"[a[i] & 15];
	}
	return make(ms, text, n, result);
}

/* ---- */

static int length(mstate_t *ms, uint64_t *result)
{
	str_t s;
	int fault = get(ms, arg(ms, 0), 0, &s);

	*result = fault == 0 ? s.len : 0;
	return fault;
}

static int copy(mstate_t *ms, uint64_t *result)
{
	str_t s;
	int fault = get(ms, arg(ms, 0), 0, &s);

	return fault == 0 ? make(ms, s.s, s.len, result) : fault;
}

int dif_string(mstate_t *ms, uint32_t subr, uint64_t *result)
{
	switch (subr) {
	case DIF_SUBR_STRLEN:
		return length(ms, result);
	case DIF_SUBR_STRINGOF:
		return copy(ms, result);
	case DIF_SUBR_STRJOIN:
		return join(ms, result);
	case DIF_SUBR_STRCHR:
		return search_char(ms, false, result);
	case DIF_SUBR_STRRCHR:
		return search_char(ms, true, result);
	case DIF_SUBR_STRSTR:
	case DIF_SUBR_INDEX:
	case DIF_SUBR_RINDEX:
		return search(ms, subr, result);
	case DIF_SUBR_STRTOK:
		return tokenize(ms, result);
	case DIF_SUBR_SUBSTR:
		return substring(ms, result);
	case DIF_SUBR_TOUPPER:
		return change_case(ms, 'a', 'A' - 'a', result);
	case DIF_SUBR_TOLOWER:
		return change_case(ms, 'A', 'a' - 'A', result);
	case DIF_SUBR_BASENAME:
		return base_or_dir(ms, false, result);
	case DIF_SUBR_DIRNAME:
		return base_or_dir(ms, true, result);
	case DIF_SUBR_CLEANPATH:
		return clean_path(ms, result);
	case DIF_SUBR_LLTOSTR:
		return to_string(ms, result);
	case DIF_SUBR_STRTOLL:
		return from_string(ms, result);
	case DIF_SUBR_INET_NTOA:
		return inet4(ms, arg(ms, 0), result);
	case DIF_SUBR_INET_NTOA6:
		return inet6(ms, arg(ms, 0), ms->ms_ntuple > 1 && arg(ms, 1) != 0, result);
	case DIF_SUBR_INET_NTOP:
		if ((int32_t)arg(ms, 0) == 26) /* AF_INET6 of Solaris */
			return inet6(ms, arg(ms, 1), true, result);
		return inet4(ms, arg(ms, 1), result);
	case DIF_SUBR_LINK_NTOP:
		return link_address(ms, result);
	case DIF_SUBR_JSON:
		return dif_json(ms, result);
	default:
		return DTRACEFLT_ILLOP;
	}
}
