/*
 * pty: a case through the model's terminal: head, ttcompat, ldterm, ptem and pts
 * on the program's side, head and ptm on the other.
 *
 * One process is both, as in host.c.  When a system call returns, all that
 * followed from it has been done; only a READ step lets time pass.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "sys/file.h"
#include "sys/ptms.h"
#include "sys/signal.h"
#include "sys/stropts.h"
#include "sys/strsubr.h"
#include "sys/termios.h"
#include "sys/vnode.h"

#define CALL(num, a, b, c) user_syscall(num, (int64_t)(a), (int64_t)(b), (int64_t)(c), 0, 0, 0)

static struct {
	const ptycase_t *c;
	enum ptybreak wrong;
	result_t *r;
	bool ended;
} job;
static unsigned caught;
static int64_t master, slave, quick;
static uint8_t buf[MAXSEEN]; /* too big for a user thread's stack */

static int64_t must(int64_t value, const char *what)
{
	if (value < 0) {
		fprintf(stderr, "pty: model: %s: error %d\n", what, user_errno());
		exit(2);
	}
	return value;
}

static void note_signal(proc_t *p, int sig)
{
	(void)p;
	if (sig != SIGHUP)
		caught |= sig == SIGINT ? SAW_INT : sig == SIGQUIT ? SAW_QUIT : SAW_TSTP;
}

static void ends_open(void)
{
	char path[32];

	master = must(CALL(SYS_open, "/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK, 0), "/dev/ptmx");
	must(CALL(SYS_ioctl, master, UNLKPT, 0), "UNLKPT");
	snprintf(path, sizeof(path), "/dev/pts/%d", (int)getminor(curproc->p_fd[master]->f_vnode->v_rdev));
	slave = must(CALL(SYS_open, path, O_RDWR, 0), path);
	must(CALL(SYS_ioctl, slave, I_PUSH, "ptem"), "ptem");
	must(CALL(SYS_ioctl, slave, I_PUSH, "ldterm"), "ldterm");
	must(CALL(SYS_ioctl, slave, I_PUSH, "ttcompat"), "ttcompat");
	quick = must(CALL(SYS_open, path, O_RDWR | O_NONBLOCK, 0), path);
}

/* The master first: what is still to be output then need not be waited for. */
static void ends_close(void)
{
	must(CALL(SYS_close, master, 0, 0), "close");
	must(CALL(SYS_close, slave, 0, 0), "close");
	must(CALL(SYS_close, quick, 0, 0), "close");
}

/* Settings that are wrong on purpose. */
static ptyset_t break_modes(ptyset_t set)
{
	static const uint32_t off[NBREAKS] = {
	    [BREAK_icrnl] = F_ICRNL,   [BREAK_onlcr] = F_ONLCR, [BREAK_echoctl] = F_ECHOCTL,
	    [BREAK_noflsh] = F_NOFLSH, [BREAK_xtabs] = F_XTABS, [BREAK_ixany] = F_IXANY};
	static const uint8_t none[NBREAKS] = {
	    [BREAK_erase] = C_VERASE + 1, [BREAK_kill] = C_VKILL + 1, [BREAK_literal] = C_VLNEXT + 1};

	set.flags &= ~off[job.wrong];
	if (none[job.wrong] != 0)
		set.cc[none[job.wrong] - 1] = 0;
	if (job.wrong == BREAK_min)
		set.min++;
	return set;
}

static void set_modes(const ptyset_t *wanted)
{
#define MODEL_FLAG(field, name) {F_##name, name, #field[0]},
#define MODEL_CHAR(name) [C_##name] = name,
	static const struct {
		uint32_t flag;
		tcflag_t bits;
		char field;
	} flags[] = {PTY_FLAGS(MODEL_FLAG)};
	static const uint8_t slots[NCHARS] = {PTY_CHARS(MODEL_CHAR)};
	ptyset_t set = break_modes(*wanted);
	struct termios t;

	must(CALL(SYS_ioctl, slave, TCGETS, &t), "TCGETS");
	t.c_iflag = t.c_oflag = t.c_lflag = 0;
	for (size_t i = 0; i < NFLAGS; i++) {
		tcflag_t *word = flags[i].field == 'i' ? &t.c_iflag : flags[i].field == 'o' ? &t.c_oflag : &t.c_lflag;

		if (set.flags & flags[i].flag)
			*word |= flags[i].bits;
	}
	for (size_t i = 0; i < NCHARS; i++)
		t.c_cc[slots[i]] = set.cc[i];
	t.c_cc[VDSUSP] = t.c_cc[VSWTCH] = 0;
	if (!(set.flags & F_ICANON)) { /* the slots of VEOF and VEOL */
		t.c_cc[VMIN] = set.min;
		t.c_cc[VTIME] = set.time;
	}
	must(CALL(SYS_ioctl, slave, TCSETS, &t), "TCSETS");
}

static void note_read(seen_t *s, const uint8_t *data, int64_t n)
{
	must(n, "read");
	if (job.wrong == BREAK_eof && n == 0)
		return;
	if (s->nreads == MAXREADS || s->nin + (size_t)n > MAXSEEN) {
		fprintf(stderr, "pty: model: too much to read\n");
		exit(2);
	}
	memcpy(s->in + s->nin, data, (size_t)n);
	s->nin += (size_t)n;
	s->reads[s->nreads++] = (uint16_t)n;
}

static bool readable(int64_t fd)
{
	int bytes;

	return must(CALL(SYS_ioctl, fd, I_NREAD, &bytes), "I_NREAD") > 0;
}

static void do_step(const step_t *st, seen_t *s)
{
	hrtime_t start;

	switch (st->kind) {
	case STEP_TYPE:
		must(CALL(SYS_write, master, st->data, st->len), "write the master");
		break;
	case STEP_WRITE:
		must(CALL(SYS_write, quick, st->data, st->len), "write");
		break;
	case STEP_SET:
		set_modes(&st->set);
		break;
	case STEP_READ:
		start = machine_now();
		note_read(s, buf, CALL(SYS_read, slave, buf, st->len));
		s->waited_ms = (machine_now() - start) / 1000000;
		break;
	}
}

static void program(void *unused)
{
	(void)unused;
	curproc->p_caught = ~0ULL;
	curproc->p_sighandler = note_signal;
	ends_open();
	set_modes(&job.c->set);
	caught = 0;
	for (size_t i = 0; i < job.c->nsteps; i++) {
		seen_t *s = &job.r->seen[i];

		do_step(&job.c->steps[i], s);
		while (!job.c->timed && readable(slave))
			note_read(s, buf, CALL(SYS_read, quick, buf, job.c->rdsize));
		while (readable(master))
			s->nout += (size_t)must(CALL(SYS_read, master, s->out + s->nout, sizeof(s->out) - s->nout),
						"read the master");
		s->signals = job.wrong == BREAK_signal ? caught & ~(unsigned)SAW_TSTP : caught;
		caught = 0;
	}
	ends_close();
	job.ended = true;
}

void model_init(void)
{
	machine_init(0);
}

void model_run(const ptycase_t *c, enum ptybreak wrong, result_t *r)
{
	proc_t *p = proc_create(NULL, 0, "pty");

	job.c = c;
	job.wrong = wrong;
	job.r = r;
	job.ended = false;
	memset(r, 0, sizeof(*r));
	r->nsteps = c->nsteps;
	if (p == NULL || lwp_create(p, program, NULL) == NULL)
		abort();
	machine_run_idle(machine_now() + 3600LL * 1000000000LL);
	r->asleep = !job.ended;
	proc_exit(p);
	machine_run_idle(machine_now() + 3600LL * 1000000000LL);
}

size_t model_fini(void)
{
	size_t mblks, dblks, bytes, objects;

	str_alive(&mblks, &dblks);
	machine_fini();
	kmem_alive(&bytes, &objects);
	return mblks + dblks + objects;
}
