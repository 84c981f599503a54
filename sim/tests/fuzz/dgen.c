/*
 * dgen: whole D programs out of a grammar.
 *
 * A program first declares, or assigns in its first clause, all of a fixed set
 * of names: integers (g0 self->i0 this->j0 ...), strings, a structure, a pointer
 * to one, associative arrays, aggregations of a given function and keys.
 * Then expressions of a wanted type may be made without looking anything up.
 * Bounds of depth and size keep what is made within what a person might write.
 */
#include "dgen.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- random numbers ---- */

static uint64_t rnd_state;

uint32_t rnd(uint32_t n)
{
	rnd_state ^= rnd_state << 13;
	rnd_state ^= rnd_state >> 7;
	rnd_state ^= rnd_state << 17;
	return (uint32_t)((rnd_state * 0x2545f4914f6cdd1d) >> 33) % n;
}

void rnd_seed(uint64_t seed, uint64_t c)
{
	rnd_state = (seed + 1) * 0x9e3779b97f4a7c15 ^ (c + 1) * 0xbf58476d1ce4e5b9;
	for (int i = 0; i < 8; i++)
		(void)rnd(2);
}

static bool one_in(uint32_t n)
{
	return rnd(n) == 0;
}

#define PICK(list) list[rnd(sizeof(list) / sizeof(list[0]))]

/* ---- text ---- */

text_t text_new(const char *s, size_t n)
{
	text_t t = {calloc(1, DGEN_MAX + 1), n < DGEN_MAX ? n : DGEN_MAX, NULL};

	if (!t.t_s)
		abort();
	memcpy(t.t_s, s, t.t_len);
	return t;
}

static text_t *out;
static bool native; /* mostly what is compiled to native code */

static __attribute__((format(printf, 1, 2))) void put(const char *fmt, ...)
{
	size_t room = DGEN_MAX - out->t_len;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(out->t_s + out->t_len, room + 1, fmt, ap);
	va_end(ap);
	out->t_len += (size_t)n < room ? (size_t)n : room;
}

/* Half of the room is for the statements: an expression that is being made always ends. */
static bool full(void)
{
	return out->t_len > DGEN_MAX / 2;
}

/* ---- the program's own names ---- */

enum { NAGGS = 5, MAXKEYS = 3 };

typedef enum { K_INT, K_STR, K_STACK, K_SYM, K_NKINDS } kind_t;

static struct {
	uint32_t func, nkeys;
	kind_t keys[MAXKEYS];
	int32_t a, b, c, d; /* of lquantize and llquantize */
} aggs[NAGGS];

static const char *const ints[] = {"g0", "g1", "g2", "self->i0", "self->i1", "this->j0", "this->j1"};
static const char *const strs[] = {"s0", "s1", "self->t0", "this->u0"};
static const char *const members[] = {"m0", "m1", "m2", "m3", "m4", "m5", "m6", "in.n0", "in.n1"};
static const char *const types[] = {"char",     "short",    "int",      "long",     "long long", "unsigned char",
				    "uint16_t", "uint32_t", "uint64_t", "int8_t",   "int16_t",   "int64_t",
				    "unsigned", "size_t",   "uchar_t",  "ushort_t", "myint",     "enum color"};

static void int_expr(int depth);
static void str_expr(int depth);
static void ptr_expr(int depth);

/* ---- numbers and strings ---- */

static void literal(void)
{
	static const char *const edges[] = {"0",
					    "1",
					    "2",
					    "7",
					    "8",
					    "31",
					    "32",
					    "63",
					    "64",
					    "127",
					    "128",
					    "255",
					    "256",
					    "32767",
					    "32768",
					    "65535",
					    "2147483647",
					    "2147483648",
					    "4294967295",
					    "0x7fffffffffffffff",
					    "-1",
					    "-2",
					    "-128",
					    "-32768",
					    "-2147483648",
					    "1UL",
					    "0xffffULL",
					    "-1L",
					    "0755",
					    "(-9223372036854775807 - 1)",
					    "18446744073709551615UL"};

	switch (rnd(6)) {
	case 0:
		put("%u", rnd(1000));
		break;
	case 1:
		put("0x%x", rnd(UINT32_MAX));
		break;
	case 2:
		put("%s",
		    PICK(((const char *const[]){"'a'", "'\\n'", "'\\\\'", "'\\0'", "'ab'", "'\\x7f'", "'\\377'"})));
		break;
	case 3:
		put("%s", PICK(((const char *const[]){"RED", "GREEN", "LIMIT", "NULL"})));
		break;
	default:
		put("%s", PICK(edges));
		break;
	}
}

static void str_literal(void)
{
	static const char *const some[] = {
	    "",
	    "a",
	    "abc",
	    "hello world",
	    "/usr/bin/../lib//x/",
	    "a,b;c d",
	    "{\\\"a\\\":[1,{\\\"b\\\":\\\"x\\\"}],\\\"c\\\":null}",
	    "-0x7f",
	    "12345678901234567890",
	    "tab\\there\\n",
	    "oct\\101hex\\x41",
	    "%s%d",
	    "\\377\\200",
	    "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz",
	};

	put("\"%s\"", PICK(some));
}

/* ---- what can be assigned ---- */

static void int_lvalue(int depth)
{
	switch (depth > 0 ? rnd(10) : 0) {
	case 0:
	case 1:
	case 2:
	case 3:
		put("%s", PICK(ints));
		break;
	case 4:
		put("a0[");
		int_expr(depth - 1);
		put("]");
		break;
	case 5:
		put("a1[");
		str_expr(depth - 1);
		put(", ");
		int_expr(depth - 1);
		put("]");
		break;
	case 6:
		put("self->a2[");
		str_expr(depth - 1);
		put("]");
		break;
	case 7:
		put("%s.%s", one_in(2) ? "st" : "this->tst", PICK(members));
		break;
	case 8:
		put("%s", one_in(2) ? "arr[" : "this->tarr[");
		int_expr(depth - 1);
		put(" & 3]");
		break;
	default:
		put("sp->%s", PICK(members));
		break;
	}
}

static void str_lvalue(int depth)
{
	switch (depth > 0 ? rnd(6) : 0) {
	case 0:
	case 1:
	case 2:
		put("%s", PICK(strs));
		break;
	case 3:
		put("as[");
		int_expr(depth - 1);
		put("]");
		break;
	case 4:
		put("self->ss[");
		str_expr(depth - 1);
		put("]");
		break;
	default:
		put("st.name");
		break;
	}
}

/* ---- expressions ---- */

static void int_call(int depth)
{
	static const char *const of_int[] = {"htons",  "htonl",    "htonll",   "ntohs",    "ntohl",
					     "ntohll", "getmajor", "getminor", "progenyof"};
	static const char *const of_ptr[] = {"mutex_owned",  "mutex_type_adaptive", "mutex_type_spin",
					     "rw_read_held", "rw_write_held",       "rw_iswriter"};

	switch (rnd(11)) {
	case 0:
	case 1:
		put("%s(", PICK(of_int));
		int_expr(depth);
		put(")");
		break;
	case 2:
		put("%s(", PICK(of_ptr));
		ptr_expr(depth);
		put(")");
		break;
	case 3:
	case 4:
		put("strlen(");
		str_expr(depth);
		put(")");
		break;
	case 5:
	case 6:
		put(one_in(2) ? "index(" : "rindex(");
		str_expr(depth);
		put(", ");
		str_expr(depth);
		if (one_in(2)) {
			put(", ");
			int_expr(depth);
		}
		put(")");
		break;
	case 7:
		put("strtoll(");
		str_expr(depth);
		if (one_in(2)) {
			put(", ");
			if (one_in(4))
				int_expr(depth);
			else
				put("%u", rnd(38));
		}
		put(")");
		break;
	case 8:
		put("%s((mblk_t *)", one_in(2) ? "msgsize" : "msgdsize");
		ptr_expr(depth);
		put(")");
		break;
	case 9:
		put(one_in(2) ? "SQUARE[" : "BIGGER[3, ");
		int_expr(depth);
		put("]");
		break;
	default:
		put(one_in(2) ? "speculation()" : "rand()");
		break;
	}
}

static void int_leaf(void)
{
	static const char *const builtins[] = {"pid",
					       "tid",
					       "ppid",
					       "uid",
					       "gid",
					       "cpu",
					       "id",
					       "epid",
					       "arg0",
					       "arg1",
					       "arg2",
					       "arg3",
					       "arg9",
					       "errno",
					       "ipl",
					       "stackdepth",
					       "timestamp",
					       "vtimestamp",
					       "walltimestamp",
					       "caller",
					       "ucaller",
					       "ustackdepth",
					       "curpsinfo->pr_pid",
					       "curlwpsinfo->pr_lwpid",
					       "curthread->t_pri",
					       "uregs[0]",
					       "`machine_cpu",
					       "$pid",
					       "$uid",
					       "$target"};

	switch (rnd(5)) {
	case 0:
		put("%s", PICK(builtins));
		break;
	case 1:
	case 2:
		literal();
		break;
	default:
		int_lvalue(0);
		break;
	}
}

static void int_binary(int depth)
{
	static const char *const ops[] = {"+",  "-",  "*", "/",  "%", "&",  "|",  "^",  "<<", ">>",
					  "==", "!=", "<", "<=", ">", ">=", "&&", "||", "^^"};

	put("(");
	int_expr(depth);
	put(" %s ", PICK(ops));
	int_expr(depth);
	put(")");
}

static void compare(int depth)
{
	static const char *const ops[] = {"==", "!=", "<", "<=", ">", ">="};

	put("(");
	if (one_in(4)) {
		ptr_expr(depth);
		put(" %s (struct s *)", PICK(ops));
		ptr_expr(depth);
	} else {
		str_expr(depth);
		put(" %s ", PICK(ops));
		str_expr(depth);
	}
	put(")");
}

static void int_assign(int depth)
{
	static const char *const ops[] = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};

	put("(");
	int_lvalue(depth);
	put(" %s ", PICK(ops));
	int_expr(depth);
	put(")");
}

static void int_size(int depth)
{
	switch (rnd(4)) {
	case 0:
		put("sizeof(%s)", PICK(types));
		break;
	case 1:
		put("sizeof(%s)", PICK(((const char *const[]){"struct s", "struct in", "union u", "st", "sp", "s0"})));
		break;
	case 2:
		put("offsetof(struct s, %s)", PICK(((const char *const[]){"in", "name", "bytes", "next"})));
		break;
	default:
		put("sizeof(");
		int_expr(depth);
		put(")");
		break;
	}
}

static void int_memory(int depth)
{
	switch (rnd(6)) {
	case 0:
		put("*(%s *)", PICK(types));
		ptr_expr(depth);
		break;
	case 1:
		put("((struct s *)");
		ptr_expr(depth);
		put(")->%s", PICK(members));
		break;
	case 2:
		put("((%s *)", PICK(types));
		ptr_expr(depth);
		put(")[");
		int_expr(depth);
		put("]");
		break;
	case 3:
		put("xlate<struct xo>(sp).x%u", rnd(2));
		break;
	case 4:
		put("st.bytes[");
		int_expr(depth);
		put(" & 7]");
		break;
	default:
		put("(int)(sp - (struct s *)");
		ptr_expr(depth);
		put(")");
		break;
	}
}

static void int_expr(int depth)
{
	if (depth <= 0 || full()) {
		int_leaf();
		return;
	}
	depth--;
	switch (rnd(16)) {
	case 0:
	case 1:
		int_leaf();
		break;
	case 2:
	case 3:
	case 4:
	case 5:
		int_binary(depth);
		break;
	case 6:
		compare(depth);
		break;
	case 7:
		put("%s", PICK(((const char *const[]){"-", "~", "!", "+", "- -"})));
		put("(");
		int_expr(depth);
		put(")");
		break;
	case 8:
		put("(%s)(", PICK(types));
		int_expr(depth);
		put(")");
		break;
	case 9:
		put("(");
		int_expr(depth);
		put(" ? ");
		int_expr(depth);
		put(" : ");
		int_expr(depth);
		put(")");
		break;
	case 10:
		int_assign(depth);
		break;
	case 11:
		put(one_in(2) ? "(++" : "(--");
		int_lvalue(depth);
		put(")");
		break;
	case 12:
		put("(");
		int_lvalue(depth);
		put(one_in(2) ? "++)" : "--)");
		break;
	case 13:
		int_call(depth);
		break;
	case 14:
		if (one_in(3))
			int_size(depth);
		else
			int_memory(depth);
		break;
	default:
		if (one_in(3)) {
			put("(");
			str_expr(depth);
			put(", ");
			int_expr(depth);
			put(")");
		} else {
			int_lvalue(depth);
		}
		break;
	}
}

static void str_leaf(void)
{
	static const char *const builtins[] = {"execname",
					       "probeprov",
					       "probemod",
					       "probefunc",
					       "probename",
					       "zonename",
					       "cwd",
					       "root",
					       "$$0",
					       "TEXT",
					       "stringof(curpsinfo->pr_psargs)",
					       "curpsinfo->pr_fname"};

	switch (rnd(4)) {
	case 0:
		put("%s", PICK(builtins));
		break;
	case 1:
		str_literal();
		break;
	default:
		str_lvalue(0);
		break;
	}
}

static void str_call(int depth)
{
	static const char *const of_str[] = {"basename", "dirname", "cleanpath", "toupper", "tolower"};
	static const char *const of_two[] = {"strjoin", "strtok", "strstr", "json"};

	switch (rnd(12)) {
	case 0:
	case 1:
		put("%s(", PICK(of_str));
		str_expr(depth);
		put(")");
		break;
	case 2:
	case 3:
	case 4:
		put("%s(", PICK(of_two));
		str_expr(depth);
		put(", ");
		str_expr(depth);
		put(")");
		break;
	case 5:
		put("strtok(NULL, ");
		str_expr(depth);
		put(")");
		break;
	case 6:
	case 7:
		put("substr(");
		str_expr(depth);
		put(", ");
		int_expr(depth);
		if (one_in(2)) {
			put(", ");
			int_expr(depth);
		}
		put(")");
		break;
	case 8:
		put(one_in(2) ? "strchr(" : "strrchr(");
		str_expr(depth);
		put(", ");
		int_expr(depth);
		put(")");
		break;
	case 9:
		put("lltostr(");
		int_expr(depth);
		if (one_in(2))
			put(", %u", rnd(38));
		put(")");
		break;
	case 10:
		put("%s(", PICK(((const char *const[]){"inet_ntoa", "inet_ntoa6", "inet_ntop"})));
		if (strncmp(out->t_s + out->t_len - 5, "ntop(", 5) == 0)
			put("%s, ", PICK(((const char *const[]){"AF_INET", "AF_INET6", "2", "26", "5"})));
		put("%s", strncmp(out->t_s + out->t_len - 5, "ntoa(", 5) == 0 ? "(ipaddr_t *)" : "");
		ptr_expr(depth);
		put(")");
		break;
	default:
		put("copyinstr((uintptr_t)");
		if (one_in(2))
			int_expr(depth);
		else
			ptr_expr(depth);
		if (one_in(2))
			put(", %u", rnd(300));
		put(")");
		break;
	}
}

static void str_expr(int depth)
{
	if (depth <= 0 || full()) {
		str_leaf();
		return;
	}
	depth--;
	switch (rnd(8)) {
	case 0:
		str_leaf();
		break;
	case 1:
		str_lvalue(depth);
		break;
	case 2:
		put("(");
		int_expr(depth);
		put(" ? ");
		str_expr(depth);
		put(" : ");
		str_expr(depth);
		put(")");
		break;
	case 3:
		put("(");
		str_lvalue(depth);
		put(" = ");
		str_expr(depth);
		put(")");
		break;
	case 4:
		put("stringof((char *)");
		ptr_expr(depth);
		put(")");
		break;
	default:
		str_call(depth);
		break;
	}
}

/* The text of a function is not to be looked at where it is armed in two ways. */
static void ptr_leaf(void)
{
	static const char *const leaves[] = {
	    "sp",       "self->p", "self->q", "&sp->next",     "curthread",     "NULL",     "sp->bytes",
	    "sp->next", "st.next", "&sp->in", "(uintptr_t)id", "&sp->bytes[2]", "&`putnext"};

	put("(void *)%s", leaves[rnd(sizeof(leaves) / sizeof(leaves[0]) - native)]);
}

static void ptr_expr(int depth)
{
	if (depth <= 0 || full()) {
		ptr_leaf();
		return;
	}
	depth--;
	switch (rnd(8)) {
	case 0:
		put("alloca(%u)", 1 + rnd(one_in(8) ? 100000 : 64));
		break;
	case 1:
		put("(void *)(uintptr_t)(");
		int_expr(depth);
		put(")");
		break;
	case 2:
		put("copyin(");
		int_expr(depth);
		put(", %u)", rnd(64));
		break;
	case 3:
		put("(void *)((char *)");
		ptr_expr(depth);
		put(" %s ", one_in(2) ? "+" : "-");
		int_expr(depth);
		put(")");
		break;
	case 4:
		put("(void *)(self->p = (struct s *)");
		ptr_expr(depth);
		put(")");
		break;
	default:
		ptr_leaf();
		break;
	}
}

/* ---- statements ---- */

static void format_width(bool precision)
{
	static const char *const flags[] = {"", "", "", "-", "+", " ", "0", "#", "'", "-+", "0#"};

	put("%%%s", PICK(flags));
	if (one_in(2))
		put("%u", one_in(10) ? rnd(300) : 1 + rnd(20));
	if (precision && one_in(3))
		put(".%u", rnd(one_in(10) ? 300 : 12));
}

/* Conversions of integers, and what an argument may have to be made. */
static const struct {
	const char *conv, *cast;
} convs[] = {
    {"d", ""},
    {"i", ""},
    {"u", ""},
    {"x", ""},
    {"X", ""},
    {"o", ""},
    {"c", "(int)"},
    {"ld", "(long)"},
    {"lld", "(long long)"},
    {"hd", "(short)"},
    {"lx", "(long)"},
    {"d", "(char)"},
    {"hu", "(ushort_t)"},
    {"Y", "(int64_t)"},
    {"p", "(void *)(uintptr_t)"},
    {"a", "(uintptr_t)"},
    {"A", "(uintptr_t)"},
    {"d", ""},
    {"llx", "(long long)"},
    {"P", "(int)"},
    {"T", "(uint64_t)"},
};
enum { NCONVS = sizeof(convs) / sizeof(convs[0]) };

/* One conversion of an argument of this kind; of an integer: which it is. */
static uint32_t conversion(kind_t kind)
{
	uint32_t which = rnd(NCONVS);

	format_width(kind < K_STACK);
	switch (kind) {
	case K_INT:
		put("%s", convs[which].conv);
		break;
	case K_STR:
		put("%s", one_in(4) ? "S" : "s");
		break;
	case K_STACK:
		put("k");
		break;
	default:
		put("%s", one_in(2) ? "a" : "A");
		break;
	}
	return which;
}

static void format_text(void)
{
	static const char *const some[] = {"", " ", "x", "\\n", "\\t", ", ", "%%", "[", "]"};

	put("%s", PICK(some));
}

static void do_printf(void)
{
	uint32_t n = rnd(6), conv[6];
	kind_t kinds[6];
	bool star[6];

	put("printf(\"=");
	for (uint32_t i = 0; i < n; i++) {
		kinds[i] = one_in(3) ? K_STR : K_INT;
		star[i] = one_in(8);
		conv[i] = 0;
		format_text();
		if (star[i])
			put("%%%s*%s", one_in(2) ? "-" : "", kinds[i] == K_INT ? "d" : "s");
		else
			conv[i] = conversion(kinds[i]);
	}
	format_text();
	put("\"");
	for (uint32_t i = 0; i < n; i++) {
		if (star[i])
			put(", (int)%s", PICK(((const char *const[]){"5", "-12", "g0", "pid"})));
		put(", ");
		if (kinds[i] == K_STR) {
			str_expr(2);
		} else {
			put("%s(", convs[conv[i]].cast);
			int_expr(2);
			put(")");
		}
	}
	put(")");
}

static void agg_keys(uint32_t a, int depth)
{
	for (uint32_t i = 0; i < aggs[a].nkeys; i++) {
		put(i ? ", " : "[");
		switch (aggs[a].keys[i]) {
		case K_INT:
			int_expr(depth);
			break;
		case K_STR:
			str_expr(depth);
			break;
		case K_STACK:
			put("%s", one_in(3) ? "ustack(2)" : "stack(3)");
			break;
		default:
			put("%s((uintptr_t)", PICK(((const char *const[]){"sym", "sym", "func", "mod"})));
			put("%s)", PICK(((const char *const[]){"&`putnext", "arg0", "caller", "curthread"})));
			break;
		}
	}
	if (aggs[a].nkeys)
		put("]");
}

static const char *const aggfuncs[] = {"count",  "sum",      "avg",       "min",       "max",
				       "stddev", "quantize", "lquantize", "llquantize"};

static void aggregate(void)
{
	uint32_t a = rnd(NAGGS), f = aggs[a].func;

	put("@a%u", a);
	agg_keys(a, 2);
	put(" = %s(", aggfuncs[f]);
	if (f > 0)
		int_expr(2);
	if (f == 7)
		put(", %d, %d, %d", aggs[a].a, aggs[a].b, aggs[a].c);
	if (f == 8)
		put(", %d, %d, %d, %d", aggs[a].a, aggs[a].b, aggs[a].c, aggs[a].d);
	if (f >= 6 && one_in(3)) {
		put(", ");
		if (f == 7 && one_in(2))
			put("0, ");
		int_expr(1);
	}
	put(")");
}

static bool same_keys(uint32_t a, uint32_t b)
{
	return aggs[a].nkeys == aggs[b].nkeys &&
	       memcmp(aggs[a].keys, aggs[b].keys, aggs[a].nkeys * sizeof(aggs[a].keys[0])) == 0;
}

static void do_printa(void)
{
	uint32_t a = rnd(NAGGS), b = rnd(NAGGS);
	bool both = same_keys(a, b);

	if (one_in(3)) {
		put("printa(@a%u)", a);
		return;
	}
	put("printa(\"");
	for (uint32_t i = 0; i < aggs[a].nkeys; i++) {
		format_text();
		conversion(aggs[a].keys[i]);
	}
	for (uint32_t i = both ? 1 + rnd(2) : 1; i > 0; i--) {
		put(" %%");
		if (one_in(2))
			put("%u", 1 + rnd(12));
		put("@%s", PICK(((const char *const[]){"d", "u", "x", "d", "llu", "hd"})));
	}
	put("\\n\", @a%u", a);
	if (both)
		put(", @a%u", b);
	put(")");
}

static void agg_action(void)
{
	uint32_t a = rnd(NAGGS);

	switch (rnd(6)) {
	case 0:
		put("clear(@a%u)", a);
		break;
	case 1:
		put("trunc(@a%u)", a);
		break;
	case 2:
		put("trunc(@a%u, %d)", a, (int)rnd(9) - 4);
		break;
	case 3:
		put("normalize(@a%u, ", a);
		if (one_in(2))
			put("%u", 1 + rnd(1000));
		else
			int_expr(1);
		put(")");
		break;
	case 4:
		put("denormalize(@a%u)", a);
		break;
	default:
		do_printa();
		break;
	}
}

static void setopt(void)
{
	static const char *const some[] = {"\"quiet\"",
					   "\"quiet\", \"no\"",
					   "\"flowindent\"",
					   "\"aggsortrev\"",
					   "\"aggsortkey\"",
					   "\"aggsortkeypos\", \"1\"",
					   "\"aggsortpos\", \"1\"",
					   "\"rawbytes\"",
					   "\"stackindent\", \"3\"",
					   "\"switchrate\", \"50hz\"",
					   "\"aggrate\", \"10ms\"",
					   "\"aggzoom\"",
					   "\"aggpack\"",
					   "\"agghist\"",
					   "\"bufsize\", \"4k\"",
					   "\"nosuch\"",
					   "s0",
					   "s0, s1"};

	put("setopt(%s)", PICK(some));
}

static void action(void)
{
	switch (rnd(14)) {
	case 0:
	case 1:
		put("trace(");
		if (one_in(3))
			str_expr(3);
		else
			int_expr(3);
		put(")");
		break;
	case 2:
		put("trace(%s)",
		    PICK(((const char *const[]){"st", "st.bytes", "st.in", "arr", "un", "*sp", "curpsinfo->pr_psargs",
						"*curthread", "this->tst", "self->p", "sp"})));
		break;
	case 3:
		put("tracemem(");
		ptr_expr(2);
		put(", %u", rnd(80));
		if (one_in(2)) {
			put(", ");
			int_expr(1);
		}
		put(")");
		break;
	case 4:
		put("print(%s)",
		    PICK(((const char *const[]){"self->q", "sp", "&un", "&arr", "curthread", "curpsinfo", "&g0"})));
		break;
	case 5:
		put("%s(%u)", one_in(2) ? "stack" : "ustack", 1 + rnd(9));
		break;
	case 6:
		put("%s((uintptr_t)",
		    PICK(((const char *const[]){"sym", "func", "mod", "usym", "ufunc", "umod", "uaddr"})));
		int_expr(1);
		put(")");
		break;
	case 7:
		put("bcopy(");
		ptr_expr(1);
		put(", alloca(%u), %u)", 16 + rnd(64), rnd(one_in(4) ? 90 : 16));
		break;
	case 8:
		agg_action();
		break;
	case 9:
		if (one_in(4))
			setopt();
		else if (one_in(8))
			put("exit(%u)", rnd(4));
		else
			agg_action();
		break;
	default:
		do_printf();
		break;
	}
}

/* What a clause may still do: after speculate() no aggregating, after commit() no data at all. */
typedef enum { ALL, DATA, NOTHING } may_t;

static void statement(int depth, may_t may)
{
	if (full()) {
		put(";\n");
		return;
	}
	switch (rnd(depth > 0 ? 9 : 7)) {
	case 0:
	case 1:
		int_lvalue(2);
		put(" = ");
		int_expr(3);
		break;
	case 2:
		str_lvalue(2);
		put(" = ");
		str_expr(3);
		break;
	case 3:
		if (may == ALL)
			aggregate();
		else
			int_assign(2);
		break;
	case 4:
		if (one_in(3))
			put("%s", PICK(((const char *const[]){
				      "sp->m0 = 3", "self->p = sp", "st = *sp", "this->tst = st", "st = this->tst",
				      "asp[pid] = st", "st = asp[g0]", "sp = (struct s *)alloca(sizeof(struct s))",
				      "un.w = 1", "a0[1] = 0", "self->i0 = 0", "self->t0 = 0", "asp[g0] = 0",
				      "st.next = sp", "arr[2] = 5", "sp = NULL", "0", ""})));
		else
			int_assign(2);
		break;
	case 5:
	case 6:
		if (may == ALL)
			action();
		else if (may == DATA)
			do_printf();
		else
			int_assign(2);
		break;
	default:
		put("if (");
		int_expr(2);
		put(") {\n\t\t");
		for (uint32_t n = rnd(3) + 1; n > 0; n--)
			statement(depth - 1, may);
		put("}");
		if (one_in(2)) {
			put(" else {\n\t\t");
			statement(depth - 1, may);
			put("}");
		}
		put("\n\t");
		return;
	}
	put(";\n\t");
}

static void body(void)
{
	uint32_t n = 1 + rnd(6), kind = rnd(12);

	put("{\n\t");
	if (one_in(2))
		put("sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;\n\t");
	if (kind == 0)
		put("self->sp = speculation();\n\t");
	else if (kind == 1)
		put("speculate(%s);\n\t", one_in(3) ? "1" : "self->sp");
	else if (kind == 2)
		put("%s(%s);\n\t", one_in(2) ? "commit" : "discard", one_in(3) ? "1" : "self->sp");
	while (n-- > 0)
		statement(2, kind == 1 ? DATA : kind == 2 ? NOTHING : ALL);
	put("}\n\n");
}

static void clause(void)
{
	static const char *const entries[] = {
	    "fbt::putnext:entry",    "fbt::putnext:return", "fbt:genunix:str*:entry", "fbt:ip:ip_*:",
	    "fbt:genunix:*b:return", "fbt::canputnext:",    "fbt:ip::entry",          "fbt:sockfs::",
	    "fbt::*rput*:",          "fbt::allocb:",
	};
	bool functions = native ? !one_in(5) : one_in(6);
	static const char *const probes[] = {
	    "BEGIN",
	    "END",
	    "ERROR",
	    "tick-1ms",
	    "tick-10ms",
	    "tick-100ms",
	    "tick-300ms",
	    "profile-97",
	    "profile-199hz",
	    "syscall:::entry",
	    "syscall:::return",
	    "syscall::write:entry",
	    "fbt::putnext:entry",
	    "fbt::putnext:return",
	    "fbt:genunix:str*:entry",
	    "fbt:ip::",
	    "fbt:unix::entry",
	    "sdt:::",
	    "mib:::",
	    "proc:::",
	    "sched:::",
	    "ip:::send",
	    "ip:::receive",
	    "udp:::",
	    "tcp:::",
	};

	for (uint32_t n = one_in(4) ? 2 : 1; n > 0; n--)
		put("%s%s", functions ? PICK(entries) : one_in(2) ? probes[rnd(8)] : PICK(probes), n > 1 ? ", " : "\n");
	if (one_in(4)) {
		put("/ ");
		int_expr(2);
		put(" /\n");
	}
	body();
}

/* ---- declarations ---- */

static void pragmas(void)
{
	static const char *const some[] = {
	    "quiet",         "quiet",          "flowindent",     "strsize=16",     "strsize=3",
	    "strsize=1024",  "bufsize=1k",     "bufsize=64k",    "aggsize=512",    "aggsize=64k",
	    "dynvarsize=1k", "dynvarsize=256", "bufpolicy=ring", "bufpolicy=fill", "nspec=3",
	    "specsize=256",  "switchrate=5ms", "aggrate=100ms",  "cleanrate=50hz", "statusrate=1ms",
	    "stackframes=2", "rawbytes",       "aggsortkey",     "aggsortrev",     "aggsortpos=1",
	    "agghist",       "aggpack",        "aggzoom",        "errtags",        "defaultargs",
	    "temporal",      "stackindent=2",  "zdefs",          "argref",         "amin=Internal/Internal/Unknown",
	    "droptags",      "ustackframes=1", "printsize=64"};

	for (uint32_t n = rnd(4); n > 0; n--)
		put("#pragma D option %s\n", PICK(some));
}

static const char *int_type(void)
{
	static const char *const plain[] = {"char",          "short",          "int",      "long",     "long long",
					    "unsigned char", "unsigned short", "unsigned", "uint64_t", "int8_t",
					    "uint32_t"};

	return PICK(plain);
}

static void declare_types(void)
{
	put("typedef %s myint;\n", int_type());
	put("enum color { RED%s, GREEN = %d, LIMIT };\n", one_in(2) ? "" : " = -3", (int)rnd(200) - 50);
	put("struct in { %s n0; %s n1; };\n", int_type(), int_type());
	put("struct s { ");
	for (int i = 0; i < 7; i++) {
		if (one_in(3))
			put("%s m%d:%u; ", one_in(2) ? "unsigned" : "int", i, 1 + rnd(31));
		else
			put("%s m%d; ", int_type(), i);
	}
	put("char bytes[8]; struct in in; struct s *next; string name; };\n");
	put("union u { %s w; char c[12]; struct in in; };\n", int_type());
	put("struct xo { int x0; %s x1; };\n", int_type());
	put("translator struct xo < struct s *q > {\n\tx0 = q->m0 + 1;\n\tx1 = q == NULL ? 0 : ");
	put("%s;\n};\n", PICK(((const char *const[]){"q->m3", "q->in.n0 * 2", "pid", "(int)strlen(q->name)"})));
}

static void declare_inlines(void)
{
	put("inline %s SQUARE[%s x] = x * x;\n", int_type(), int_type());
	put("inline int BIGGER[int x, int y] = x > y ? x : y;\n");
	put("inline string TEXT = ");
	if (one_in(2))
		str_literal();
	else
		put("probename");
	put(";\n");
}

static void declare_variables(void)
{
	for (int i = 0; i < 3; i++)
		put("%s g%d; ", int_type(), i);
	for (int i = 0; i < 2; i++)
		put("self %s i%d; this %s j%d; ", int_type(), i, int_type(), i);
	put("\nstring s0, s1; self string t0; this string u0;\n");
	put("%s a0[int]; %s a1[string, int]; self %s a2[string];\n", int_type(), int_type(), int_type());
	put("string as[int]; self string ss[string]; struct s asp[int];\n");
	put("struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;\n");
	put("%s arr[4]; this %s tarr[4]; self int sp;\n", int_type(), int_type());
}

static void first_clause(void)
{
	put("BEGIN\n{\n\t");
	for (int i = 0; i < 3; i++) {
		put("g%d = ", i);
		literal();
		put("; ");
	}
	put("s0 = ");
	str_literal();
	put("; s1 = ");
	str_literal();
	put(";\n\tst.m0 = %u; st.m3 = %d; st.bytes[0] = 'x'; st.name = \"me\"; sp = (struct s *)alloca(sizeof(struct "
	    "s));\n\t",
	    rnd(100), -(int)rnd(100));
	put("arr[1] = %u; un.w = 77; self->p = sp;\n}\n\n", rnd(1000));
}

static void choose_aggs(void)
{
	static const int ll[][4] = {{2, 0, 6, 2}, {10, 0, 3, 10}, {10, 0, 6, 20}, {3, 1, 5, 3}, {10, 2, 4, 5}};

	for (uint32_t a = 0; a < NAGGS; a++) {
		aggs[a].func = rnd(9);
		aggs[a].nkeys = rnd(MAXKEYS + 1);
		for (uint32_t i = 0; i < MAXKEYS; i++)
			aggs[a].keys[i] = one_in(3) ? (kind_t)rnd(K_NKINDS) : (kind_t)rnd(2);
		aggs[a].a = (int)rnd(60) - 30;
		aggs[a].b = aggs[a].a + 1 + (int)rnd(200);
		aggs[a].c = 1 + (int)rnd((uint32_t)(aggs[a].b - aggs[a].a));
		if (aggs[a].func == 8) {
			const int *l = ll[rnd(5)];

			aggs[a].a = l[0];
			aggs[a].b = l[1];
			aggs[a].c = l[2];
			aggs[a].d = l[3];
		}
	}
}

/* Every aggregation is defined somewhere. */
static void agg_clause(void)
{
	put("END\n{\n");
	for (uint32_t a = 0; a < NAGGS; a++) {
		uint32_t f = aggs[a].func;

		put("\t@a%u", a);
		agg_keys(a, 0);
		put(" = %s(%s", aggfuncs[f], f > 0 ? "g0" : "");
		if (f == 7)
			put(", %d, %d, %d", aggs[a].a, aggs[a].b, aggs[a].c);
		if (f == 8)
			put(", %d, %d, %d, %d", aggs[a].a, aggs[a].b, aggs[a].c, aggs[a].d);
		put(");\n");
	}
	put("}\n\n");
}

text_t gen_program(bool for_native)
{
	text_t t = text_new("", 0);

	out = &t;
	native = for_native;
	choose_aggs();
	pragmas();
	declare_types();
	declare_variables();
	declare_inlines();
	first_clause();
	agg_clause();
	for (uint32_t n = 1 + rnd(4); n > 0; n--)
		clause();
	out = NULL;
	return t;
}
