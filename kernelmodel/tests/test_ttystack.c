/*
 * A whole terminal: head, ttcompat, ldterm, ptem and pts on the program's side;
 * head, bufmod and ptm on the emulator's.  What a key, an interrupt, a write, an
 * ioctl and the end of a chunk do, as the exact order of all putnext calls with
 * the five frames above each; then what program and emulator see of it.
 */
#include "tests/ptytest.h"
#include "tests/dif_asm.h"

/* ---- the tracer ---- */

static dtrace_state_t *tracer;
static clause_t clause;
static prog_t first_arg;

static void boot(void)
{
	dtrace_conf_t conf;
	char err[256];

	st_boot();
	cr_assert_eq(dtrace_init(err, sizeof(err)), 0, "%s", err);
	dtrace_conf_default(&conf);
	tracer = dtrace_state_create(&conf);
	cr_assert_eq(dtrace_state_vars(tracer, NULL, 0), 0);
	on(&clause, "fbt", "unix", "putnext", "entry");
	record(&clause, builtin(&first_arg, DIF_VAR_ARG0), DIF_INT, 8);
	stack_of(&clause, 5);
	cr_assert_eq(dtrace_enable(tracer, &clause.desc, err, sizeof(err)), 1, "%s", err);
}

static void halt(void)
{
	dtrace_state_destroy(tracer);
	st_halt();
	dtrace_fini();
}

TestSuite(ttystack, .init = boot, .fini = halt);

/* One putnext: whose queue, and the callers. */
typedef struct sent {
	char text[256];
	uint64_t pc[5];
} sent_t;
static sent_t sent[256];
static int nsent;

static int note_sent(void *arg, const dtrace_rec_t *r)
{
	sent_t *s = &sent[nsent++];
	const queue_t *q;
	uint64_t qaddr;

	(void)arg;
	cr_assert_not(r->r_error);
	cr_assert_lt(nsent, 256);
	memcpy(&qaddr, r->r_data + 8, 8);
	memcpy(s->pc, r->r_data + 16, sizeof(s->pc));
	q = (const queue_t *)(uintptr_t)qaddr;
	snprintf(s->text, sizeof(s->text), "%s:", q->q_qinfo->qi_minfo->mi_idname);
	for (int i = 0; i < 5 && s->pc[i] != 0; i++)
		snprintf(s->text + strlen(s->text), sizeof(s->text) - strlen(s->text), " %s", st_function(s->pc[i]));
	return 0;
}

/* Trace what func does, and all that follows in ticks of time. */
static void traced(proc_t *p, void (*func)(void *), int ticks)
{
	char err[256];

	nsent = 0;
	cr_assert_eq(dtrace_go(tracer, err, sizeof(err)), 0, "%s", err);
	if (func != NULL)
		cr_assert_not_null(lwp_create(p, func, NULL));
	machine_run_ready();
	if (ticks != 0)
		st_ticks(ticks);
	cr_assert_eq(dtrace_consume(tracer, 0, note_sent, NULL), 0);
	dtrace_stop(tracer);
}

/* These calls and no others, in this order. */
static void expect_sent(const char *const *want, int n)
{
	for (int i = 0; i < n && i < nsent; i++)
		cr_assert_str_eq(sent[i].text, want[i], "call %d: %s, not %s", i, sent[i].text, want[i]);
	cr_assert_eq(nsent, n, "%d calls, not %d", nsent, n);
}

#define EXPECT_SENT(want) expect_sent(want, (int)(sizeof(want) / sizeof((want)[0])))

/* ---- the terminal ---- */

static int64_t m, s; /* the emulator's descriptor, the program's */

static void caught(proc_t *p, int sig)
{
	(void)p;
	st_notef("signal:%d", sig);
}

/* One process plays both. */
static void set_up(void *arg)
{
	struct timeval32 tv = {0, 50000};
	uint_t flags = SB_NO_HEADER | SB_NO_PROTO_CVT | SB_NO_DROPS, chunk = 2048, snap = 0;
	struct strioctl str[] = {{SBIOCSFLAGS, 0, sizeof(flags), (char *)&flags},
				 {SBIOCSTIME, 0, sizeof(tv), (char *)&tv},
				 {SBIOCSCHUNK, 0, sizeof(chunk), (char *)&chunk},
				 {SBIOCSSNAP, 0, sizeof(snap), (char *)&snap}};
	char path[32];

	(void)arg;
	curproc->p_caught = ~0ULL;
	curproc->p_sighandler = caught;
	m = U_OPEN("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK);
	cr_assert_geq(m, 0);
	OK(U_IOCTL(m, I_PUSH, "bufmod"), 0);
	for (int i = 0; i < 4; i++)
		OK(U_IOCTL(m, I_STR, &str[i]), 0);
	OK(U_IOCTL(m, UNLKPT, 0), 0);
	snprintf(path, sizeof(path), "/dev/pts/%d", (int)getminor(curproc->p_fd[m]->f_vnode->v_rdev));
	s = U_OPEN(path, O_RDWR | O_NONBLOCK);
	cr_assert_geq(s, 0);
	OK(U_IOCTL(s, I_PUSH, "ptem"), 0);
	OK(U_IOCTL(s, I_PUSH, "ldterm"), 0);
	OK(U_IOCTL(s, I_PUSH, "ttcompat"), 0);
	DONE;
}

static void set_raw(void *arg)
{
	struct termios t;

	(void)arg;
	OK(U_IOCTL(s, TCGETS, &t), 0);
	t.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL | ISIG | IEXTEN);
	t.c_iflag &= ~(tcflag_t)(IXON | ICRNL);
	t.c_oflag &= ~(tcflag_t)OPOST;
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	OK(U_IOCTL(s, TCSETS, &t), 0);
}

static void run(proc_t *p, void (*func)(void *))
{
	cr_assert_not_null(lwp_create(p, func, NULL));
	machine_run_ready();
}

static proc_t *terminal(bool raw)
{
	proc_t *p = proc_create(NULL, 0, "xterm");

	run(p, set_up);
	cr_assert(program_end);
	if (raw)
		run(p, set_raw);
	st_ticks(20); /* what that made the emulator's chunk is through */
	st_noted();
	return p;
}

static void shut(proc_t *p)
{
	proc_exit(p);
	machine_run_idle(machine_now() + 3600LL * 1000000000LL);
}

/* ---- sequences ---- */

static void type_x(void *arg)
{
	(void)arg;
	OK(U_WRITE(m, "x", 1), 1);
}

/* A key, up to what the line discipline does with it. */
#define KEY                                                                                                          \
	"strwhead: strput strwrite spec_write fop_write write", "bufmod: sbwput putnext strput strwrite spec_write", \
	    "pts: ptmwsrv runservice queue_service stream_runservice strput",                                        \
	    "ptem: ptemrput putnext ptmwsrv runservice queue_service"

Test(ttystack, a_key_of_a_raw_terminal)
{
	static const char *const want[] = {
	    KEY,
	    "ldterm: ldterm_msg_upstream vmin_satisfied ldterm_dononcanon ldtermrmsg ldtermrput",
	    "ttcompat: ttcompatrput putnext ldterm_msg_upstream vmin_satisfied ldterm_dononcanon",
	};
	proc_t *p = terminal(true);

	traced(p, type_x, 0);
	EXPECT_SENT(want);
	shut(p);
}

static void write_x(void *arg)
{
	(void)arg;
	OK(U_WRITE(s, "x", 1), 1);
}

#define WRITE                                                             \
	"strwhead: strput strwrite spec_write fop_write write",           \
	    "ttcompat: ttcompatwput putnext strput strwrite spec_write",  \
	    "ldterm: ldtermwmsg ldtermwput putnext ttcompatwput putnext", \
	    "ptem: ptemwmsg ptemwput putnext ldtermwmsg ldtermwput",      \
	    "ptm: ptswsrv runservice queue_service stream_runservice strput"

Test(ttystack, a_write_and_the_end_of_its_chunk)
{
	static const char *const want[] = {WRITE};
	static const char *const chunk[] = {WRITE, "bufmod: sbsendit sbclosechunk sbrput qdrain_syncq drain_syncq"};

	for (int raw = 0; raw < 2; raw++) {
		proc_t *p = terminal(raw);

		traced(p, write_x, 3);
		EXPECT_SENT(want);
		shut(p);
		p = terminal(raw);
		traced(p, write_x, 6);
		EXPECT_SENT(chunk);
		shut(p);
	}
}

static void type_intr(void *arg)
{
	(void)arg;
	OK(U_WRITE(m, "\3", 1), 1);
}

#define INTERRUPT                                                                                                                                         \
	KEY, /* 4: a flush of both for ptem, which is held */                                                                                             \
	    "ldterm: putnextctl1 ldterm_dosig ldtermrput putnext ptemrput", /* 5: one of output for the head, which sends it back; ttcompat lets it in */ \
	    "ldterm: putnextctl1 ldterm_dosig ldtermrput putnext ptemrput",                                                                               \
	    "ttcompat: ttcompatrput putnext putnextctl1 ldterm_dosig ldtermrput",                                                                         \
	    "strwhead: qreply strrput_nondata strrput putnext ttcompatrput",                                                                              \
	    "ttcompat: ttcompatwput qdrain_syncq drain_syncq putnext_tail putnext", /* 9: the signal */                                                   \
	    "ldterm: putnextctl1 ldterm_dosig ldtermrput putnext ptemrput",                                                                               \
	    "ttcompat: ttcompatrput putnext putnextctl1 ldterm_dosig ldtermrput", /* 11: the echo, for ptem as well */                                    \
	    "ldterm: ldterm_dosig ldtermrput putnext ptemrput putnext",           /* 12: ptem is left: the flush */                                       \
	    "ptem: ptemwput qdrain_syncq drain_syncq putnext_tail putnext",                                                                               \
	    "ptm: ptswput putnext ptemwput qdrain_syncq drain_syncq",                                                                                     \
	    "bufmod: sbrput putnext ptswput putnext ptemwput",                                                                                            \
	    "pts: qreply ptswput putnext ptemwput qdrain_syncq", /* 16: the echo, which stays on pts's queue; the flush comes back */                     \
	    "ptem: ptemwmsg ptemwput qdrain_syncq drain_syncq putnext_tail",                                                                              \
	    "ptem: ptemrput qdrain_syncq drain_syncq putnext_tail putnext",                                                                               \
	    "ldterm: ldtermrput putnext ptemrput qdrain_syncq drain_syncq",                                                                               \
	    "ttcompat: ttcompatrput putnext ldtermrput putnext ptemrput"

#define ECHO_BY_TASK "ptm: ptswsrv runservice queue_service stream_service taskq_d_thread"

Test(ttystack, an_interrupt)
{
	static const char *const want[] = {INTERRUPT, ECHO_BY_TASK};
	proc_t *p = terminal(false);

	traced(p, type_intr, 0);
	EXPECT_SENT(want);
	/* Equal functions, but three calls of ldterm_dosig, and so two ways up. */
	cr_assert_neq(sent[4].pc[1], sent[5].pc[1]);
	cr_assert_neq(sent[5].pc[1], sent[9].pc[1]);
	cr_assert_neq(sent[4].pc[1], sent[9].pc[1]);
	cr_assert_eq(sent[4].pc[2], sent[9].pc[2]);
	cr_assert_eq(sent[6].pc[0], sent[10].pc[0]);
	cr_assert_neq(sent[6].pc[3], sent[10].pc[3]);
	machine_run_ready();
	st_expect("signal:2");
	shut(p);
}

#define GETA                                                                               \
	"strwhead: strdoioctl strioctl spec_ioctl fop_ioctl ioctl",                        \
	    "ttcompat: ttcompat_do_ioctl ttcompatwput putnext strdoioctl strioctl",        \
	    "ldterm: ldterm_do_ioctl ldtermwmsg ldtermwput putnext ttcompat_do_ioctl",     \
	    "ptem: qreply ptemwmsg ptemwput putnext ldterm_do_ioctl",                      \
	    "ldterm: ldterm_ioctl_reply ldtermrput qdrain_syncq drain_syncq putnext_tail", \
	    "ttcompat: ttcompat_ioctl_ack ttcompatrput qdrain_syncq drain_syncq putnext_tail"

static void get_and_write(void *arg)
{
	struct termio t;

	(void)arg;
	OK(U_IOCTL(s, TCGETA, &t), 0);
	OK(U_WRITE(s, "\n", 1), 1);
}

/* Somebody asks whether its output is a terminal, and writes the first line. */
Test(ttystack, an_ioctl_and_a_line)
{
	static const char *const want[] = {GETA, WRITE};
	proc_t *p = terminal(false);

	traced(p, get_and_write, 0);
	EXPECT_SENT(want);
	shut(p);
}

static void interrupt_and_all(void *arg)
{
	(void)arg;
	type_intr(NULL);
	get_and_write(NULL);
}

Test(ttystack, an_interrupt_with_its_consequences)
{
	static const char *const want[] = {INTERRUPT, ECHO_BY_TASK, GETA, WRITE};
	proc_t *p = terminal(false);

	traced(p, interrupt_and_all, 0);
	EXPECT_SENT(want);
	shut(p);
}

static void set_modes(void *arg)
{
	struct termios t;

	(void)arg;
	OK(U_IOCTL(s, TCGETS, &t), 0);
	OK(U_WRITE(s, "x", 1), 1);
	OK(U_IOCTL(s, TCSETS, &t), 0);
}

/* A set is told to the master too: the emulator's chunk goes before it, the head refuses it, the refusal ends in ptem. */
Test(ttystack, setting_modes)
{
	static const char *const gets_and_write[] = {GETA, WRITE};
	static const char *const want[] = {
	    "strwhead: strdoioctl strioctl spec_ioctl fop_ioctl ioctl",
	    "ttcompat: ttcompat_do_ioctl ttcompatwput putnext strdoioctl strioctl",
	    "ldterm: ldterm_do_ioctl ldtermwmsg ldtermwput putnext ttcompat_do_ioctl",
	    "ptem: ptemwmsg ptemwput putnext ldterm_do_ioctl ldtermwmsg",
	    "ptem: qreply ptemwmsg ptemwput putnext ldterm_do_ioctl",
	    "ldterm: ldterm_ioctl_reply ldtermrput qdrain_syncq drain_syncq putnext_tail",
	    "ttcompat: ttcompat_ioctl_ack ttcompatrput qdrain_syncq drain_syncq putnext_tail",
	    "ptm: ptswsrv runservice queue_service stream_runservice strdoioctl",
	    "bufmod: sbsendit sbclosechunk sbrput putnext ptswsrv",
	    "bufmod: sbsendit sbrput putnext ptswsrv runservice",
	    "strwhead: qreply strrput_nondata strrput putnext sbsendit",
	    "bufmod: sbwput qdrain_syncq drain_syncq putnext_tail putnext",
	    "pts: ptmwsrv runservice queue_service stream_service taskq_d_thread",
	};
	const int before = (int)(sizeof(gets_and_write) / sizeof(gets_and_write[0]));
	proc_t *p = terminal(false);
	uint64_t get_site, set_site;

	traced(p, set_modes, 0);
	for (int i = 0; i < before && i < nsent; i++)
		cr_assert_str_eq(sent[i].text, gets_and_write[i]);
	get_site = sent[3].pc[1];
	memmove(sent, sent + before, sizeof(sent) - (size_t)before * sizeof(sent[0]));
	nsent -= before;
	EXPECT_SENT(want);
	set_site = sent[4].pc[1];
	cr_assert_neq(get_site, set_site, "a set is not answered where a get is");
	shut(p);
}

/* ---- what the two ends see ---- */

/* All that the master has got, its chunk's time waited for. */
static const char *screen(void)
{
	static char buf[512];
	int64_t n;

	U_POLL(NULL, 0, 100);
	n = U_READ(m, buf, sizeof(buf) - 1);
	buf[MAX(n, 0)] = '\0';
	return buf;
}

static void type(const char *keys)
{
	OK(U_WRITE(m, keys, strlen(keys)), (int64_t)strlen(keys));
}

static const char *line(void)
{
	static char buf[512];
	int64_t n = U_READ(s, buf, sizeof(buf) - 1);

	if (n < 0)
		return user_errno() == EAGAIN ? "(nothing)" : "(error)";
	buf[n] = '\0';
	return buf;
}

#define SESSION(name)                                                    \
	static void name##_program(void *);                              \
	Test(ttystack, name)                                             \
	{                                                                \
		proc_t *p = terminal(false);                             \
		program_end = false;                                     \
		cr_assert_not_null(lwp_create(p, name##_program, NULL)); \
		machine_run_idle(machine_now() + 3600LL * 1000000000LL); \
		cr_assert(program_end);                                  \
		shut(p);                                                 \
	}                                                                \
	static void name##_program(void *unused __attribute__((unused)))

SESSION(lines_are_echoed_and_edited)
{
	type("lx\177s\r");
	cr_assert_str_eq(screen(), "lx\b \bs\r\n");
	cr_assert_str_eq(line(), "ls\n");
	cr_assert_str_eq(line(), "(nothing)");
	OK(U_WRITE(s, "a\nb\n", 4), 4);
	cr_assert_str_eq(screen(), "a\r\nb\r\n");
	DONE;
}

SESSION(end_of_file)
{
	type("abc\4");
	cr_assert_str_eq(line(), "abc");
	type("\4");
	cr_assert_str_eq(line(), "");
	DONE;
}

SESSION(signals)
{
	type("dropped\3");
	U_POLL(NULL, 0, 20);
	st_expect("signal:2");
	type("kept\r");
	cr_assert_str_eq(line(), "kept\n");
	type("\34");
	U_POLL(NULL, 0, 20);
	st_expect("signal:3");
	DONE;
}

/*
 * The flush of an interrupt comes back from pts when ldterm is through with the
 * whole message: a line behind the interrupt, typed in one write with it, goes
 * with it.
 */
SESSION(a_line_in_one_write_with_an_interrupt)
{
	type("dropped\3lost\r");
	U_POLL(NULL, 0, 20);
	st_expect("signal:2");
	cr_assert_str_eq(line(), "(nothing)");
	DONE;
}

/* ^S holds output in ptem, ^Q lets it go. */
SESSION(stop_and_start)
{
	type("\23");
	OK(U_WRITE(s, "held", 4), 4);
	cr_assert_str_eq(screen(), "");
	type("\21");
	cr_assert_str_eq(screen(), "held");
	DONE;
}

SESSION(raw_and_back)
{
	struct termios t, raw;

	OK(U_IOCTL(s, TCGETS, &t), 0);
	set_raw(NULL);
	OK(U_IOCTL(s, TCGETS, &raw), 0);
	cr_assert_eq(raw.c_cflag, t.c_cflag);
	type("\3a\r");
	cr_assert_str_eq(line(), "\3a\r");
	cr_assert_str_eq(screen(), "");
	OK(U_IOCTL(s, TCSETSF, &t), 0);
	type("x\r");
	cr_assert_str_eq(line(), "x\n");
	cr_assert_str_eq(screen(), "x\r\n");
	DONE;
}

SESSION(a_window_changes)
{
	struct winsize w = {50, 132, 0, 0}, got;

	OK(U_IOCTL(m, TIOCSWINSZ, &w), 0);
	U_POLL(NULL, 0, 20);
	st_expect("signal:20");
	OK(U_IOCTL(s, TIOCGWINSZ, &got), 0);
	cr_assert_eq(got.ws_col, 132);
	DONE;
}

SESSION(the_emulator_goes)
{
	char c;

	type("last\r");
	OK(U_CLOSE(m), 0);
	U_POLL(NULL, 0, 20);
	cr_assert_not_null(strstr(st_noted(), "signal:1"));
	/* ldterm's flush of input finds no master at pts and does not come back. */
	cr_assert_str_eq(line(), "last\n");
	OK(U_READ(s, &c, 1), 0);
	FAILS(U_WRITE(s, "x", 1), EIO);
	OK(U_CLOSE(s), 0);
	DONE;
}

/* What was written before the last close comes, then the end. */
SESSION(the_program_goes)
{
	OK(U_WRITE(s, "bye\n", 4), 4);
	OK(U_CLOSE(s), 0);
	cr_assert_str_eq(screen(), "bye\r\n");
	DONE;
}

SESSION(remote_editing)
{
	int one = 1, zero = 0;

	OK(U_IOCTL(m, TIOCREMOTE, &one), 0);
	type("a\3\177");
	cr_assert_str_eq(line(), "a\3\177");
	cr_assert_str_eq(screen(), "");
	OK(U_IOCTL(m, TIOCREMOTE, &zero), 0);
	type("b\r");
	cr_assert_str_eq(line(), "b\n");
	DONE;
}

SESSION(a_fast_writer)
{
	char buf[100], got[4096];
	size_t in = 0, out = 0;
	int64_t n;

	memset(buf, 'w', sizeof(buf));
	while ((n = U_WRITE(s, buf, sizeof(buf))) > 0)
		in += (size_t)n;
	cr_assert_eq(user_errno(), EAGAIN);
	cr_assert_gt(in, 2048U);
	for (int idle = 0; idle < 3; idle++)
		for (U_POLL(NULL, 0, 100); (n = U_READ(m, got, sizeof(got))) > 0; out += (size_t)n)
			idle = 0;
	cr_assert_eq(out, in);
	OK(U_WRITE(s, "x", 1), 1);
	DONE;
}
