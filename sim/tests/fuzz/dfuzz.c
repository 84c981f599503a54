/*
 * dfuzz: bent D programs, and bent bytecode.
 *
 *	dfuzz [-b] [-s SEED] [-c FIRST] [-n CASES] [-t SECONDS] [-k DIR] [FILE...]
 *
 * Case c of seed s is always the same program.  A text is one of the FILEs (D
 * programs), with tokens and bytes deleted, repeated, exchanged and replaced;
 * with -b a case is a batch of random DIF objects, of which those that the
 * verifier accepts are run.  Each case has a process of its own, forked when
 * the compiler is ready, and a program gets two seconds of virtual time.
 *
 * What must hold: no crash, no sanitizer's report, an end within the limit of
 * processor time, bounded memory, and a compile error with a message.  A case
 * that fails is kept in DIR.  The exit status is 1 when one failed.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "consumer/consume.h"
#include "consumer/msg.h"
#include "cpus.h"
#include "dtrace/dtrace.h"
#include "machine/machine.h"

enum { LIMIT_S = 10, MAXTEXT = 16384, BATCH = 3000, SILENT = 77 };
#define MEMORY ((rlim_t)8 << 30) /* addresses, not pages: buffers are reserved whole */

static uint64_t rnd_state;

static uint32_t rnd(uint32_t n)
{
	rnd_state ^= rnd_state << 13;
	rnd_state ^= rnd_state >> 7;
	rnd_state ^= rnd_state << 17;
	return (uint32_t)((rnd_state * 0x2545f4914f6cdd1d) >> 33) % n;
}

static void seed(uint64_t s, uint64_t c)
{
	rnd_state = (s + 1) * 0x9e3779b97f4a7c15 ^ (c + 1) * 0xbf58476d1ce4e5b9;
	for (int i = 0; i < 8; i++)
		(void)rnd(2);
}

/* ---- texts ---- */

typedef struct text {
	char *t_s;
	size_t t_len;
} text_t;

static text_t *corpus;
static size_t ncorpus;

static const char *const words[] = {
    "BEGIN",
    "END",
    "ERROR",
    "tick-1ms",
    "profile-997",
    "fbt:::",
    "syscall:::entry",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "?",
    ":",
    "@",
    "@a",
    "@b[1]",
    "self->x",
    "this->y",
    "self->a[1]",
    "x",
    "a[1]",
    "a[\"s\"]",
    "args[0]",
    "arg0",
    "curthread",
    "curpsinfo",
    "0",
    "1",
    "-1",
    "0x7fffffffffffffff",
    "9223372036854775807",
    "18446744073709551615",
    "\"\"",
    "\"s\"",
    "\"%d\"",
    "\"%s %d %k\"",
    "'a'",
    "NULL",
    "+",
    "-",
    "*",
    "/",
    "%",
    "<<",
    ">>",
    "==",
    "&&",
    "||",
    "^^",
    "!",
    "~",
    "=",
    "+=",
    "++",
    "--",
    "->",
    ".",
    "trace",
    "printf",
    "printa",
    "stack",
    "ustack",
    "count()",
    "sum",
    "quantize",
    "lquantize",
    "llquantize",
    "avg",
    "stddev",
    "min",
    "max",
    "clear",
    "trunc",
    "normalize",
    "strlen",
    "strjoin",
    "substr",
    "index",
    "strtok",
    "strstr",
    "json",
    "lltostr",
    "basename",
    "cleanpath",
    "inet_ntoa",
    "inet_ntop",
    "alloca",
    "bcopy",
    "copyin",
    "copyinstr",
    "msgsize",
    "msgdsize",
    "speculation()",
    "speculate",
    "commit",
    "discard",
    "exit",
    "tracemem",
    "print",
    "stringof",
    "sizeof",
    "offsetof",
    "xlate",
    "translator",
    "inline",
    "struct",
    "union",
    "enum",
    "typedef",
    "int",
    "char",
    "string",
    "void",
    "unsigned",
    "long",
    "int64_t",
    "if",
    "else",
    "provider",
    "#pragma D option quiet\n",
    "#pragma D option strsize=8\n",
    "#pragma D option bufpolicy=ring\n",
    "#pragma D option bufsize=64\n",
    "#pragma D option flowindent\n",
    "#pragma D option dynvarsize=256\n",
    "#pragma D option aggsize=128\n",
    "/*",
    "*/",
    "\n",
    "`putnext",
    "&`putnext",
    "probename",
    "execname",
    "timestamp",
    "epid",
    "$1",
    "$$1",
    "$target",
    "sym",
    "mod",
    "setopt",
};

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* The token at or behind `at': its start, and its length in *len. */
static size_t token(const text_t *t, size_t at, size_t *len)
{
	size_t end;

	while (at > 0 && is_word(t->t_s[at]) && is_word(t->t_s[at - 1]))
		at--;
	for (end = at; end < t->t_len && is_word(t->t_s[end]); end++)
		;
	*len = end > at ? end - at : at < t->t_len;
	return at;
}

/* Replace len bytes at `at'. */
static void replace(text_t *t, size_t at, size_t len, const char *s, size_t n)
{
	if (t->t_len - len + n >= MAXTEXT)
		return;
	memmove(t->t_s + at + n, t->t_s + at + len, t->t_len - at - len);
	memmove(t->t_s + at, s, n);
	t->t_len += n - len;
	t->t_s[t->t_len] = '\0';
}

static void bend(text_t *t)
{
	size_t at = t->t_len ? rnd((uint32_t)t->t_len) : 0, len, from;
	const char *w = words[rnd(sizeof(words) / sizeof(words[0]))];
	const text_t *other = &corpus[rnd((uint32_t)ncorpus)];
	char copy[256], c;

	at = token(t, at, &len);
	switch (rnd(8)) {
	case 0:
		replace(t, at, len, "", 0);
		break;
	case 1:
	case 2:
		replace(t, at, len, w, strlen(w));
		break;
	case 3:
		replace(t, at, 0, w, strlen(w));
		break;
	case 4:
		c = (char)rnd(256);
		replace(t, at, t->t_len > at, &c, 1);
		break;
	case 5: /* a piece of another program */
		from = other->t_len ? rnd((uint32_t)other->t_len) : 0;
		replace(t, at, 0, other->t_s + from, MIN(other->t_len - from, rnd(80)));
		break;
	case 6: /* a piece of itself */
		from = t->t_len ? rnd((uint32_t)t->t_len) : 0;
		len = MIN(MIN(t->t_len - from, sizeof(copy)), rnd(200));
		memcpy(copy, t->t_s + from, len);
		replace(t, at, 0, copy, len);
		break;
	default: /* the same over and over */
		for (uint32_t n = rnd(20) == 0 ? 3000 : rnd(6); n > 0; n--)
			replace(t, at, 0, w, strlen(w));
		break;
	}
}

static char *make_text(void)
{
	const text_t *base = &corpus[rnd((uint32_t)ncorpus)];
	text_t t = {calloc(1, MAXTEXT + 1), 0};

	if (!t.t_s)
		abort();
	replace(&t, 0, 0, base->t_s, MIN(base->t_len, MAXTEXT / 2));
	for (uint32_t n = 1 + rnd(6); n > 0; n--)
		bend(&t);
	for (size_t i = 0; i < t.t_len; i++)
		if (t.t_s[i] == '\0')
			t.t_s[i] = ' ';
	return t.t_s;
}

/* What may change the host is not for here, nor what would write files or read any. */
static bool harmless(const char *text)
{
	static const char *const not [] = {"destructive", "system", "freopen", "ctypes", "dtypes", "libdir", "cpp"};

	for (size_t i = 0; i < sizeof(not ) / sizeof(not [0]); i++)
		if (strstr(text, not [i]))
			return false;
	return true;
}

/* ---- running a program ---- */

static options_t op;
static dt_t *dt;

static dtrace_state_t *make_state(void)
{
	const int64_t *v = op.op_val;
	const dif_vardesc_t *vars;
	dtrace_conf_t conf;
	dtrace_state_t *st;
	size_t n;

	dtrace_conf_default(&conf);
	conf.c_bufsize = (size_t)MIN(v[OPT_BUFSIZE], 1 << 24);
	if (v[OPT_AGGSIZE] >= 0)
		conf.c_aggsize = (size_t)v[OPT_AGGSIZE];
	conf.c_strsize = (size_t)MIN(v[OPT_STRSIZE], 1 << 20);
	conf.c_dynvarsize = (size_t)MIN(v[OPT_DYNVARSIZE], 1 << 24);
	conf.c_specsize = (size_t)MIN(v[OPT_SPECSIZE], 1 << 20);
	conf.c_nspec = (uint32_t)MIN(v[OPT_NSPEC], 1000);
	conf.c_bufpolicy = (dtrace_bufpolicy_t)v[OPT_BUFPOLICY];
	st = dtrace_state_create(&conf);
	vars = dt_vars(dt, &n);
	if (!st || dtrace_state_vars(st, vars, n) != 0)
		exit(1);
	return st;
}

static void run_text(char *text)
{
	dt_source_t src = {.src_text = text, .src_file = "fuzz.d"}, last = {.src_text = "tick-2sec { exit(0); }"};
	consumer_t cs = {.cs_dt = dt, .cs_op = &op, .cs_ncpu = 1};
	dt_program_t *progs[2];
	char err[256];

	progs[0] = dt_compile(dt, &src);
	if (!progs[0])
		exit(dt_errmsg(dt) && *dt_errmsg(dt) ? 0 : SILENT);
	progs[1] = dt_compile(dt, &last);
	if (!progs[1])
		exit(SILENT);
	cpus_start(1, NULL);
	cs.cs_st = make_state();
	for (int i = 0; i < 2; i++)
		for (const dtrace_ecbdesc_t *e = progs[i]->p_ecbs; e; e = e->e_next)
			if (dtrace_enable(cs.cs_st, e, err, sizeof(err)) < 0)
				exit(0);
	(void)consume_run(&cs);
	dtrace_state_destroy(cs.cs_st);
	cpus_stop();
	dt_destroy(dt);
	free(text);
	exit(0);
}

/* ---- bytecode ---- */

static const dif_vardesc_t bvars[] = {
    {"g", DIF_GLOBAL, 0, false, {.dt_kind = DIF_INT, .dt_size = 8}},
    {"gs", DIF_GLOBAL, 1, false, {.dt_kind = DIF_STRING, .dt_size = 256}},
    {"gb", DIF_GLOBAL, 2, false, {.dt_kind = DIF_BYTES, .dt_size = 40}},
    {"ga", DIF_GLOBAL, 3, true, {.dt_kind = DIF_INT, .dt_size = 8}},
    {"gas", DIF_GLOBAL, 4, true, {.dt_kind = DIF_STRING, .dt_size = 256}},
    {"t", DIF_THREAD, 0, false, {.dt_kind = DIF_INT, .dt_size = 8}},
    {"ts", DIF_THREAD, 1, false, {.dt_kind = DIF_STRING, .dt_size = 256}},
    {"ta", DIF_THREAD, 2, true, {.dt_kind = DIF_BYTES, .dt_size = 24}},
    {"l", DIF_LOCAL, 0, false, {.dt_kind = DIF_INT, .dt_size = 4}},
    {"ls", DIF_LOCAL, 1, false, {.dt_kind = DIF_STRING, .dt_size = 256}},
    {"lb", DIF_LOCAL, 2, false, {.dt_kind = DIF_BYTES, .dt_size = 16}},
};

/* An instruction that is likely to be legal: index operands small, branches forward. */
static uint32_t make_instruction(uint32_t pc, uint32_t len)
{
	uint32_t o = rnd(20) == 0 ? rnd(256) : rnd(DIF_NOPS + 1);

	if (o >= DIF_BA && o <= DIF_BLEU)
		return DIF_INSTR_BR(o, rnd(10) == 0 ? rnd(len + 2) : pc + 1 + rnd(len - pc));
	if (o == DIF_SETX || o == DIF_SETS)
		return DIF_INSTR_IDX(o, rnd(rnd(20) == 0 ? 300 : 12), 1 + rnd(DIF_NREGS - 1));
	if (o == DIF_LDV)
		return DIF_INSTR_IDX(o, rnd(DIF_NVARS + 1), 1 + rnd(DIF_NREGS - 1));
	if (o == DIF_CALL)
		return DIF_INSTR_IDX(o, rnd(DIF_NSUBR + 1), 1 + rnd(DIF_NREGS - 1));
	if (o >= DIF_LDGS && o <= DIF_STTAA)
		return DIF_INSTR_IDX(o, rnd(6), 1 + rnd(DIF_NREGS - 1));
	if (o == DIF_PUSHTV)
		return DIF_INSTR(o, rnd(DIF_NREGS), 0, 1u << rnd(4));
	return DIF_INSTR(o, rnd(DIF_NREGS), rnd(DIF_NREGS), rnd(rnd(20) == 0 ? 256 : DIF_NREGS));
}

static void run_object(dtrace_state_t *st, uint64_t *accepted)
{
	static char strs[] = "one\0two,three\0/a/../b\0{\"a\":[1,{\"b\":2}]}\0%s";
	char buffer[64] = "text of this stack";
	uint64_t ints[12] = {0,
			     1,
			     (uint64_t)-1,
			     INT64_MAX,
			     (uint64_t)INT64_MIN,
			     255,
			     4096,
			     (uintptr_t)buffer,
			     (uintptr_t)strs,
			     (uintptr_t)st,
			     0x7ffffffff000,
			     0xffffffff80000000};
	uint32_t text[64], len = 1 + rnd(63), i;
	uint64_t args[10], result, faddr;
	dif_t d = {
	    .d_text = text, .d_len = len, .d_ints = ints, .d_nints = 12, .d_strs = strs, .d_strlen = sizeof(strs)};
	char err[128];

	for (i = 0; i < len; i++)
		text[i] = make_instruction(i, len);
	if (rnd(30) != 0)
		text[len - 1] = DIF_INSTR(DIF_RET, 0, 0, rnd(DIF_NREGS));
	for (i = 0; i < 10; i++)
		args[i] = ints[rnd(12)];
	if (dtrace_dif_check(st, &d, err, sizeof(err)) != 0) {
		if (*err == '\0')
			exit(SILENT);
		return;
	}
	(*accepted)++;
	(void)dif_run(st, &d, args, &result, &faddr);
}

static void run_batch(void)
{
	dtrace_conf_t conf;
	dtrace_state_t *st;
	uint64_t accepted = 0;

	cpus_start(1, NULL);
	dtrace_conf_default(&conf);
	conf.c_bufsize = 1 << 16;
	conf.c_dynvarsize = 1 << 16;
	conf.c_nspec = 3;
	st = dtrace_state_create(&conf);
	if (!st || dtrace_state_vars(st, bvars, sizeof(bvars) / sizeof(bvars[0])) != 0)
		exit(1);
	for (int i = 0; i < BATCH; i++)
		run_object(st, &accepted);
	dtrace_state_destroy(st);
	cpus_stop();
	exit(accepted > BATCH / 100 ? 0 : SILENT);
}

/* ---- cases ---- */

static bool bytecode;
static uint64_t base_seed = 1;
static const char *keep = ".";

static void limit(int what, rlim_t value)
{
	struct rlimit rl = {value, value};

	setrlimit((__rlimit_resource_t)what, &rl);
}

static _Noreturn void child(char *text)
{
	int null = open("/dev/null", O_RDWR);

	(void)dup2(null, STDOUT_FILENO);
	if (!getenv("DFUZZ_SHOW"))
		(void)dup2(null, STDERR_FILENO);
	limit(RLIMIT_CPU, LIMIT_S);
	limit(RLIMIT_CORE, 0);
#if !defined(__SANITIZE_ADDRESS__)
	limit(RLIMIT_AS, MEMORY);
#endif
	alarm(10 * LIMIT_S);
	if (bytecode)
		run_batch();
	else
		run_text(text);
	exit(0);
}

static void keep_case(uint64_t c, const char *text, int status)
{
	char name[4096];
	FILE *fp;

	printf("case %llu failed: %s %d\n", (unsigned long long)c, WIFSIGNALED(status) ? "signal" : "status",
	       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	snprintf(name, sizeof(name), "%s/dfuzz-%llu-%llu.d", keep, (unsigned long long)base_seed,
		 (unsigned long long)c);
	if (!text || !(fp = fopen(name, "w")))
		return;
	fputs(text, fp);
	fclose(fp);
}

/* A sanitizer exits with 99; D programs exit as they like, so that is asked for in a way they cannot meet: by a signal. */
static bool failed(int status)
{
	return WIFSIGNALED(status) ||
	       (WIFEXITED(status) && (WEXITSTATUS(status) == SILENT || WEXITSTATUS(status) == 99));
}

static bool run_case(uint64_t c)
{
	char *text = NULL;
	int status;
	pid_t pid;

	seed(base_seed, c);
	if (!bytecode) {
		text = make_text();
		if (!harmless(text)) {
			free(text);
			return true;
		}
	}
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		child(text);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (failed(status))
		keep_case(c, text, status);
	free(text);
	return !failed(status);
}

static void read_corpus(const char *name)
{
	FILE *fp = fopen(name, "r");
	text_t t = {calloc(1, MAXTEXT + 1), 0};

	if (!fp || !t.t_s) {
		perror(name);
		exit(2);
	}
	t.t_len = fread(t.t_s, 1, MAXTEXT, fp);
	fclose(fp);
	corpus = realloc(corpus, (ncorpus + 1) * sizeof(*corpus));
	if (!corpus)
		abort();
	corpus[ncorpus++] = t;
}

int main(int argc, char **argv)
{
	uint64_t first = 0, cases = UINT64_MAX, done = 0, bad = 0;
	time_t end = 0;
	char err[256];
	int c;

	while ((c = getopt(argc, argv, "bs:c:n:t:k:")) != -1) {
		switch (c) {
		case 'b':
			bytecode = true;
			break;
		case 's':
			base_seed = strtoull(optarg, NULL, 0);
			break;
		case 'c':
			first = strtoull(optarg, NULL, 0);
			break;
		case 'n':
			cases = strtoull(optarg, NULL, 0);
			break;
		case 't':
			end = time(NULL) + atol(optarg);
			break;
		case 'k':
			keep = optarg;
			break;
		default:
			return 2;
		}
	}
	while (optind < argc)
		read_corpus(argv[optind++]);
	if (ncorpus == 0 && !bytecode)
		return 2;
	msg_init("dfuzz");
	options_init(&op);
	if (dtrace_init(err, sizeof(err)) != 0 || !(dt = dt_create(&op.op_dt, err, sizeof(err)))) {
		fprintf(stderr, "dfuzz: %s\n", err);
		return 2;
	}
	for (; done < cases && (end == 0 || time(NULL) < end); done++)
		bad += !run_case(first + done);
	printf("%llu cases, %llu failed\n", (unsigned long long)done, (unsigned long long)bad);
	return bad != 0;
}
