/*
 * dfuzz: D programs and bytecode at random.
 *
 *	dfuzz [-s SEED] [-n CASES] [-t SECONDS] [-k DIR] [-C DIR] [-w CAPTURE] [FILE...]
 *		programs: one in four out of a grammar (dgen.c), the others such
 *		programs and the FILEs' bent (dbend.c)
 *	dfuzz -g ...	programs out of the grammar only
 *	dfuzz -b ...	bytecode: batches of random DIF objects, of which those that the verifier accepts are run
 *	dfuzz -d ...	programs as with neither (-b: sessions of random objects), native against interpreted: both
 *		must print the same
 *	dfuzz -r FILE...	each FILE once as it is (-d too); -C: keep those that bring much that is new
 *	dfuzz -m FILE	print the shortest part of FILE that still fails (-d too)
 *	dfuzz -p CASE	print a program
 *
 * What must hold: no crash, no sanitizer's report, an end within the limit of
 * processor time, bounded memory, nothing left allocated, and a compile error
 * with a message.  A case that fails is kept in DIR with what it wrote on
 * standard error.  The exit status is 1 when one failed.
 *
 * Theory.  The debug information is read once; a batch of programs is then run
 * in a forked process, each with a compiler, a session and a machine of its own
 * that are destroyed after it, and the leak check is made once for the batch.
 * The process notes in shared memory what it is at: when it dies, that program
 * failed, and the next process goes on behind it.  A batch that leaks is run
 * again program by program.
 *
 * Built with COV=1 the compiler, the consumer and the tracer note which pairs
 * of successive blocks they execute.  A program that brings a new one joins the
 * FILEs, and is kept in -C's DIR.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "consumer/consume.h"
#include "consumer/limits.h"
#include "consumer/msg.h"
#include "cpus.h"
#include "dcode.h"
#include "dgen.h"
#include "dtrace/dtrace.h"
#include "machine/machine.h"
#include "replay/replay.h"

enum {
	LIMIT_S = 20,  /* processor time of a program */
	PROGRAMS = 64, /* in a batch of programs */
	MAP = 1 << 17, /* pairs of blocks, by hash */
	MAXCORPUS = 20000,
	WORTH = 10, /* new pairs, for a file to be kept: -r -C */
};
#define MEMORY ((rlim_t)8 << 30) /* addresses, not pages: buffers are reserved whole */
#define RESIDENT_KB (1500 * 1024)

/* How a process ends that has found something; a sanitizer ends with 99. */
enum { SILENT = 77, LEAK = 78, FAT = 79, SANITIZER = 99 };

typedef enum { R_NONE, R_REJECTED, R_REFUSED, R_RAN, R_TRACED, R_FATAL, R_N } result_t;

static struct {
	uint32_t at;
	uint8_t result[PROGRAMS], fresh[PROGRAMS];
	uint64_t accepted;
	uint8_t seen[MAP];
} * shared;

static bool bytecode, native_too, grammar_only, files_only;
static uint64_t base_seed = 1;
static const char *keep = ".", *keep_new, *capture;
static int outfd, errfd;
static text_t *corpus;
static size_t ncorpus;

/* Found when linked with the sanitizers. */
#pragma weak __lsan_do_recoverable_leak_check
int __lsan_do_recoverable_leak_check(void);

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "exitcode=99:leak_check_at_exit=0";
}

static bool leaks(void)
{
	return __lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check() != 0;
}

/* ---- coverage ---- */

static uint8_t map[MAP];
static uintptr_t before;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
	uintptr_t pc = (uintptr_t)__builtin_return_address(0);

	map[(pc ^ before) % MAP] = 1;
	before = (pc >> 1) * 31;
}

/* How much was executed that never was before? */
static uint8_t fresh(void)
{
	uint32_t n = 0;

	for (size_t i = 0; i < MAP; i += 8) {
		if (*(uint64_t *)(void *)(map + i) == 0)
			continue;
		for (size_t j = i; j < i + 8; j++) {
			n += map[j] > shared->seen[j];
			shared->seen[j] |= map[j];
		}
	}
	return (uint8_t)MIN(n, 255);
}

static uint32_t covered(void)
{
	uint32_t n = 0;

	for (size_t i = 0; i < MAP; i++)
		n += shared->seen[i];
	return n;
}

/* ---- running a program ---- */

/* What may change the host is not for here, nor what would write files or read any. */
static bool harmless(const char *text)
{
	static const char *const not [] = {"destructive", "system", "freopen", "ctypes",       "dtypes",
					   "libdir",      "cpp",    "clock",   "walltimestamp"};
	static const char *const own[] = {"$pid", "$ppid", "$pgid", "$sid", "ustack", "jstack"};

	for (size_t i = 0; i < sizeof(not ) / sizeof(not [0]); i++)
		if (strstr(text, not [i]))
			return false;
	/* the process's own numbers differ from run to run, and with them the order of keys they are in */
	for (size_t i = 0; native_too && i < sizeof(own) / sizeof(own[0]); i++)
		if (strstr(text, own[i]))
			return false;
	return true;
}

static dtrace_state_t *make_state(const options_t *op, dt_t *dt, bool interpret)
{
	const int64_t *v = op->op_val;
	const dif_vardesc_t *vars;
	dtrace_conf_t conf;
	dtrace_state_t *st;
	size_t n;

	dtrace_conf_default(&conf);
	conf.c_interpret = interpret || v[OPT_JIT] == 0;
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

/* Only time going by, to an end: an exit() may find no room in its buffer. */
static int let_time_pass(workload_t *w, hrtime_t until)
{
	(void)w;
	cpus_run(until);
	return until > 3000000000;
}

static hrtime_t no_next(workload_t *w)
{
	(void)w;
	return INT64_MAX;
}

static int no_setup(workload_t *w, char *err, size_t errlen)
{
	(void)w;
	(void)err;
	(void)errlen;
	return 0;
}

static int no_finish(workload_t *w)
{
	(void)w;
	return 0;
}

/* Half of all programs watch a capture, the others only time going by; native code is for what happens. */
static workload_t *make_workload(const char *text)
{
	static workload_t nothing = {
	    .w_name = "time", .w_setup = no_setup, .w_run = let_time_pass, .w_next = no_next, .w_finish = no_finish};
	replay_opts_t opts = {.files = &capture, .nfiles = 1, .linger = 100000000};
	uint32_t h = 0;

	for (; *text; text++)
		h = h * 31 + (uint8_t)*text;
	return capture && (native_too || h >> 7 & 1) ? replay_create(&opts) : &nothing;
}

static result_t run_session(consumer_t *cs, const char *text, dt_program_t *progs[2], bool interpret)
{
	result_t r = R_REFUSED;
	char err[256];
	bool ok = true;

	cpus_start(1, NULL);
	ok = limits_apply(cs->cs_op, 1) == NULL;
	cs->cs_st = make_state(cs->cs_op, cs->cs_dt, interpret);
	for (int i = 0; i < 2; i++)
		for (const dtrace_ecbdesc_t *e = progs[i]->p_ecbs; e && ok; e = e->e_next)
			ok = dtrace_enable(cs->cs_st, e, err, sizeof(err)) >= 0;
	if (ok) {
		cs->cs_workload = make_workload(text);
		cs->cs_workload->w_dtrace = cs->cs_st;
		if (cs->cs_workload->w_setup(cs->cs_workload, err, sizeof(err)) != 0)
			msg_fatal("%s\n", err);
	}
	if (ok) {
		(void)consume_run(cs);
		r = lseek(outfd, 0, SEEK_END) > 2 ? R_TRACED : R_RAN;
	}
	dtrace_state_destroy(cs->cs_st);
	if (cpus_stop() != 0)
		_exit(LEAK);
	return r;
}

static result_t run_program(const char *text, bool interpret)
{
	dt_source_t src = {.src_text = text, .src_file = "fuzz.d"}, last = {.src_text = "tick-2sec { exit(0); }"};
	char name[32], err[256], *words[] = {"fuzz.d", NULL};
	consumer_t cs = {.cs_outfile = name, .cs_ncpu = 1};
	dt_program_t *progs[2];
	options_t op;
	result_t r = R_REJECTED;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", outfd);
	src.src_argc = last.src_argc = 1;
	src.src_argv = last.src_argv = words;
	options_init(&op);
	cs.cs_op = &op;
	cs.cs_dt = dt_create(&op.op_dt, err, sizeof(err));
	if (!cs.cs_dt)
		abort();
	progs[0] = dt_compile(cs.cs_dt, &src);
	if (!progs[0] && *dt_errmsg(cs.cs_dt) == '\0')
		_exit(SILENT);
	if (progs[0]) {
		progs[1] = dt_compile(cs.cs_dt, &last);
		r = progs[1] ? run_session(&cs, text, progs, interpret) : R_REFUSED;
	}
	dt_destroy(cs.cs_dt);
	options_fini(&op);
	return r;
}

/* ---- bytecode ---- */

static uint64_t first_case; /* of the batch */

static result_t run_code(uint32_t i, bool interpret)
{
	FILE *fp = native_too ? fdopen(dup(outfd), "a") : NULL;
	int64_t accepted;

	rnd_seed(base_seed, first_case + i);
	accepted = fp ? code_sessions(interpret, fp) : code_objects();
	if (fp)
		fclose(fp);
	if (accepted < 0)
		_exit(SILENT);
	shared->accepted += (uint64_t)accepted;
	return R_TRACED;
}

/* ---- processes ---- */

static void limit(int what, rlim_t value)
{
	struct rlimit rl = {value, value};

	setrlimit((__rlimit_resource_t)what, &rl);
}

/* A program that spends its time is ended by a signal. */
static void start_clock(void)
{
	struct itimerval it = {.it_value = {.tv_sec = LIMIT_S}};

	setitimer(ITIMER_PROF, &it, NULL);
	alarm(20 * LIMIT_S);
}

static void check_memory(void)
{
	struct rusage ru;

	getrusage(RUSAGE_SELF, &ru);
	if (ru.ru_maxrss > RESIDENT_KB)
		_exit(FAT);
}

/* The consumer ends the process of a program that cannot be traced after all. */
static void at_exit(void)
{
	shared->result[shared->at] = R_FATAL;
	if (leaks())
		_exit(LEAK);
}

static void prepare(void)
{
	int null = open("/dev/null", O_RDWR);

	(void)dup2(null, STDOUT_FILENO);
	if (!getenv("DFUZZ_SHOW"))
		(void)dup2(errfd, STDERR_FILENO);
	limit(RLIMIT_CORE, 0);
#if !defined(__SANITIZE_ADDRESS__)
	limit(RLIMIT_AS, MEMORY);
#endif
	atexit(at_exit);
}

static void empty(int fd)
{
	if (ftruncate(fd, 0) != 0)
		abort();
}

static _Noreturn void child(const text_t *texts, uint32_t from, uint32_t n, bool interpret)
{
	prepare();
	for (uint32_t i = from; i < n; i++) {
		shared->at = i;
		empty(outfd);
		empty(errfd);
		start_clock();
		memset(map, 0, sizeof(map));
		before = 0;
		shared->result[i] = bytecode ? run_code(i, interpret) : run_program(texts[i].t_s, interpret);
		shared->fresh[i] = fresh();
		check_memory();
	}
	_exit(leaks() ? LEAK : 0);
}

static int run_child(const text_t *texts, uint32_t from, uint32_t n, bool interpret)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0)
		child(texts, from, n, interpret);
	if (pid < 0)
		abort();
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	return status;
}

/* D programs exit as they like, and the consumer too: only what they cannot meet is a failure. */
static bool failed(int status)
{
	return WIFSIGNALED(status) || (WEXITSTATUS(status) >= SILENT && WEXITSTATUS(status) <= FAT) ||
	       WEXITSTATUS(status) == SANITIZER;
}

/* ---- native code against the interpreter ---- */

static char *contents(int fd)
{
	off_t n = lseek(fd, 0, SEEK_END);
	char *s = calloc(1, (size_t)n + 1);

	if (!s || pread(fd, s, (size_t)n, 0) != n)
		abort();
	return s;
}

typedef struct run {
	char *r_out, *r_err;
	int r_status;
} run_t;

static run_t run_once(const text_t *t, bool interpret)
{
	run_t r;

	r.r_status = run_child(t, 0, 1, interpret);
	r.r_out = contents(outfd);
	r.r_err = contents(errfd);
	return r;
}

static void run_free(run_t r)
{
	free(r.r_out);
	free(r.r_err);
}

static bool same(const run_t *a, const run_t *b)
{
	return a->r_status == b->r_status && strcmp(a->r_out, b->r_out) == 0 && strcmp(a->r_err, b->r_err) == 0;
}

/* Does the program print addresses, or whatever else depends on where things lie?  Interpreted with all moved it tells. */
static bool depends(const text_t *t, const run_t *interpreted)
{
	void *blocks[200];
	bool any = false;
	run_t r;

	for (int round = 0; round < 2 && !any; round++) {
		for (size_t i = 0; i < 200; i++)
			blocks[i] = malloc((i * 7919 + (size_t)round * 104729) % 200000 + 16);
		r = run_once(t, true);
		any = !same(&r, interpreted);
		run_free(r);
		for (size_t i = 0; i < 200; i++)
			free(blocks[i]);
	}
	return any;
}

static void save(const char *name, const char *text)
{
	FILE *fp = fopen(name, "w");

	if (!fp) {
		perror(name);
		return;
	}
	fputs(text, fp);
	fclose(fp);
}

static __attribute__((format(printf, 2, 3))) void save_as(const char *text, const char *fmt, ...)
{
	char name[4096];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(name, sizeof(name), fmt, ap);
	va_end(ap);
	save(name, text);
}

static uint64_t moved; /* programs whose output depends on addresses */

/* label: name of the files that are kept, or NULL. */
static bool differs(const text_t *t, const char *label)
{
	run_t a = run_once(t, false), b = run_once(t, true);
	bool diff = failed(a.r_status) || failed(b.r_status);

	if (!diff && !same(&a, &b)) {
		diff = !depends(t, &b);
		moved += !diff;
	}
	if (diff && label) {
		save_as(a.r_out, "%s.native.out", label);
		save_as(a.r_err, "%s.native.err", label);
		save_as(b.r_out, "%s.interpreted.out", label);
		save_as(b.r_err, "%s.interpreted.err", label);
	}
	run_free(a);
	run_free(b);
	return diff;
}

/* ---- cases ---- */

static uint64_t results[R_N], nfresh, nfailed;

static void tell(const char *label, const text_t *t, int status)
{
	char *err = contents(errfd);

	nfailed++;
	printf("%s failed: %s %d\n", t->t_name ? t->t_name : label, WIFSIGNALED(status) ? "signal" : "status",
	       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	if (!bytecode)
		save_as(t->t_s, "%s.d", label);
	save_as(err, "%s.err", label);
	free(err);
}

static void name_of(char *label, size_t n, uint64_t c)
{
	snprintf(label, n, "%s/dfuzz-%s%llu-%llu", keep,
		 bytecode     ? "b"
		 : native_too ? "d"
			      : "",
		 (unsigned long long)base_seed, (unsigned long long)c);
}

/* One by one, to find which program of the batch leaks. */
static void run_singly(const text_t *texts, uint32_t from, uint32_t n, uint64_t first)
{
	uint64_t before_all = nfailed;
	char label[4096];

	for (uint32_t i = from; i < n; i++) {
		int status = run_child(texts, i, i + 1, false);

		name_of(label, sizeof(label), first + i);
		if (failed(status))
			tell(label, &texts[i], status);
	}
	if (nfailed > before_all)
		return;
	nfailed++;
	printf("cases %llu to %llu leak together\n", (unsigned long long)(first + from),
	       (unsigned long long)(first + n - 1));
}

static void add_text(text_t t)
{
	if (ncorpus == MAXCORPUS)
		return;
	corpus = realloc(corpus, (ncorpus + 1) * sizeof(*corpus));
	if (!corpus)
		abort();
	corpus[ncorpus++] = t;
}

static void account(const text_t *texts, uint32_t n, uint64_t first)
{
	for (uint32_t i = 0; i < n; i++) {
		results[shared->result[i]]++;
		if (shared->fresh[i] < (files_only ? WORTH : 1))
			continue;
		nfresh++;
		if (!files_only)
			add_text(text_new(texts[i].t_s, texts[i].t_len));
		if (keep_new)
			save_as(texts[i].t_s, "%s/new-%llu-%llu.d", keep_new, (unsigned long long)base_seed,
				(unsigned long long)(first + i));
	}
}

static void run_batch(const text_t *texts, uint32_t n, uint64_t first)
{
	uint32_t from = 0;
	char label[4096];

	first_case = first;
	memset(shared->result, 0, sizeof(shared->result));
	memset(shared->fresh, 0, sizeof(shared->fresh));
	while (from < n) {
		int status = run_child(texts, from, n, false);
		uint32_t at = shared->at;

		name_of(label, sizeof(label), first + at);
		if (WIFEXITED(status) && WEXITSTATUS(status) == LEAK)
			run_singly(texts, from, at + 1, first);
		else if (failed(status))
			tell(label, &texts[at], status);
		from = at + 1;
	}
	if (!bytecode)
		account(texts, n, first);
}

static void run_pairs(const text_t *texts, uint32_t n, uint64_t first)
{
	char label[4096];

	memset(shared->fresh, 0, sizeof(shared->fresh));
	for (uint32_t i = 0; i < n; i++) {
		if (!bytecode && !harmless(texts[i].t_s)) {
			results[R_NONE]++;
			continue;
		}
		first_case = first + i;
		shared->result[0] = R_NONE;
		name_of(label, sizeof(label), first + i);
		if (differs(&texts[i], label)) {
			nfailed++;
			printf("%s differs\n", texts[i].t_name ? texts[i].t_name : label);
			if (!bytecode)
				save_as(texts[i].t_s, "%s.d", label);
		}
		results[shared->result[0]]++;
	}
}

static text_t make_text(uint64_t c)
{
	const text_t *base;
	text_t t;

	do {
		if (ncorpus == 0 || grammar_only || rnd(2) == 0) {
			t = gen_program(native_too);
			if (!grammar_only && rnd(2) == 0)
				bend_program(&t, ncorpus ? &corpus[rnd((uint32_t)ncorpus)] : &t);
		} else {
			base = &corpus[rnd((uint32_t)ncorpus)];
			t = text_new(base->t_s, MIN(base->t_len, DGEN_MAX * 3 / 4));
			bend_program(&t, &corpus[rnd((uint32_t)ncorpus)]);
		}
		if (harmless(t.t_s))
			return t;
		free(t.t_s);
	} while (c + 1 > 0);
	abort();
}

static uint32_t make_batch(text_t *texts, uint64_t first, uint64_t cases)
{
	uint32_t n = (uint32_t)MIN(cases, (uint64_t)(bytecode ? 4 : PROGRAMS));

	for (uint32_t i = 0; i < n; i++) {
		rnd_seed(base_seed, first + i);
		texts[i] = bytecode ? (text_t){0} : make_text(first + i);
	}
	return n;
}

static text_t read_text(const char *name)
{
	text_t t = text_new("", 0);
	FILE *fp = fopen(name, "r");

	if (!fp) {
		perror(name);
		exit(2);
	}
	t.t_len = fread(t.t_s, 1, DGEN_MAX, fp);
	t.t_name = name;
	fclose(fp);
	return t;
}

static void report(uint64_t done)
{
	uint64_t compiled = done - results[R_REJECTED] - results[R_NONE];

	if (bytecode) {
		printf("%llu batches of %d, %llu %s, %llu depend on addresses, %llu failed\n", (unsigned long long)done,
		       native_too ? CODE_SESSIONS : CODE_OBJECTS, (unsigned long long)shared->accepted,
		       native_too ? "clauses run" : "accepted and run", (unsigned long long)moved,
		       (unsigned long long)nfailed);
		return;
	}
	printf("%llu cases, %llu compiled, %llu traced something, %llu refused, %llu depend on addresses, %llu new "
	       "(%u pairs of blocks), %llu failed\n",
	       (unsigned long long)done, (unsigned long long)compiled, (unsigned long long)results[R_TRACED],
	       (unsigned long long)(results[R_REFUSED] + results[R_FATAL]), (unsigned long long)moved,
	       (unsigned long long)nfresh, covered(), (unsigned long long)nfailed);
}

/* Every text as it is. */
static void run_files(void)
{
	for (size_t i = 0; i < ncorpus; i += PROGRAMS) {
		uint32_t n = (uint32_t)MIN(ncorpus - i, (size_t)PROGRAMS);

		if (native_too)
			run_pairs(corpus + i, n, i);
		else
			run_batch(corpus + i, n, i);
	}
	report(ncorpus);
}

/* ---- the shortest that fails ---- */

static bool fails(const text_t *t)
{
	return harmless(t->t_s) && (native_too ? differs(t, NULL) : failed(run_child(t, 0, 1, false)));
}

static void minimise(text_t *t)
{
	for (size_t len = t->t_len / 2; len > 0; len = len > 8 ? len * 2 / 3 : len - 1) {
		for (size_t at = 0; at + len <= t->t_len;) {
			text_t shorter = text_new(t->t_s, t->t_len);

			memmove(shorter.t_s + at, shorter.t_s + at + len, t->t_len - at - len + 1);
			shorter.t_len -= len;
			if (fails(&shorter)) {
				free(t->t_s);
				*t = shorter;
			} else {
				free(shorter.t_s);
				at += len;
			}
		}
	}
}

/* ---- all ---- */

static void start(void)
{
	char err[256];

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	outfd = memfd_create("out", 0);
	errfd = memfd_create("err", 0);
	if (shared == MAP_FAILED || outfd < 0 || errfd < 0 || fcntl(errfd, F_SETFL, O_APPEND) != 0) {
		perror("dfuzz");
		exit(2);
	}
	msg_init("dfuzz");
	if (dtrace_init(err, sizeof(err)) != 0) {
		fprintf(stderr, "dfuzz: %s\n", err);
		exit(2);
	}
}

static void fuzz(uint64_t cases, time_t end)
{
	uint64_t done = 0;
	text_t texts[PROGRAMS];

	while (done < cases && (end == 0 || time(NULL) < end)) {
		uint32_t n = make_batch(texts, done, cases - done);

		if (native_too)
			run_pairs(texts, n, done);
		else
			run_batch(texts, n, done);
		for (uint32_t i = 0; i < n; i++)
			free(texts[i].t_s);
		done += n;
	}
	report(done);
}

int main(int argc, char **argv)
{
	uint64_t cases = UINT64_MAX, show = UINT64_MAX;
	bool shortest = false;
	time_t end = 0;
	int c;

	while ((c = getopt(argc, argv, "bdgmrs:n:t:k:p:C:w:")) != -1) {
		switch (c) {
		case 'b':
			bytecode = true;
			break;
		case 'd':
			native_too = true;
			break;
		case 'g':
			grammar_only = true;
			break;
		case 'm':
			shortest = true;
			break;
		case 'r':
			files_only = true;
			break;
		case 's':
			base_seed = strtoull(optarg, NULL, 0);
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
		case 'p':
			show = strtoull(optarg, NULL, 0);
			break;
		case 'C':
			keep_new = optarg;
			break;
		case 'w':
			capture = optarg;
			break;
		default:
			return 2;
		}
	}
	while (optind < argc)
		add_text(read_text(argv[optind++]));
	if (show != UINT64_MAX) {
		rnd_seed(base_seed, show);
		puts(make_text(show).t_s);
		return 0;
	}
	start();
	if (files_only)
		run_files();
	else if (shortest && ncorpus > 0) {
		minimise(&corpus[0]);
		fputs(corpus[0].t_s, stdout);
	} else
		fuzz(cases, end);
	return nfailed != 0;
}
