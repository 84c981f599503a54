/*
 * pty: a case through a pseudo-terminal of the host.
 *
 * One process is terminal and program: it holds both ends, leads the session
 * whose controlling terminal the slave is, and so gets the signals itself.
 *
 * Nothing sleeps to let the host's line discipline do its work, which it does in
 * the background: a poll(2) of the slave that finds nothing, and a read(2) of the
 * master that finds nothing, have waited until all bytes on their way arrived.
 * Since both are drained after each step, each step ends in that state.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "case.h"

static volatile sig_atomic_t caught;

/* A write that was not taken as a whole, because output is stopped; a program would sleep in it. */
static uint8_t waiting[MAXSTEPS * MAXBYTES];
static size_t nwaiting;

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "pty: host: %s: %s\n", what, strerror(errno));
	exit(2);
}

static void note_signal(int sig)
{
	caught |= sig == SIGINT ? SAW_INT : sig == SIGQUIT ? SAW_QUIT : SAW_TSTP;
}

/* A master and its slave, opened twice: without and with O_NONBLOCK. */
struct ends {
	int master, slave, quick;
};

static const char *ends_open(struct ends *e)
{
	const char *name;

	if ((e->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)) < 0)
		return "posix_openpt";
	if (grantpt(e->master) != 0 || unlockpt(e->master) != 0 || (name = ptsname(e->master)) == NULL)
		return "grantpt";
	if ((e->slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)) < 0 ||
	    (e->quick = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)) < 0)
		return "the slave";
	if (ioctl(e->slave, TIOCSCTTY, 0) != 0)
		return "TIOCSCTTY";
	return NULL;
}

static void ends_close(struct ends *e)
{
	if (ioctl(e->slave, TIOCNOTTY) != 0)
		die("TIOCNOTTY");
	close(e->quick);
	close(e->slave);
	close(e->master);
}

const char *host_init(void)
{
	static char why[128];
	struct sigaction sa = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
	struct ends e;
	const char *what = NULL;

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGQUIT, &sa, NULL);
	sigaction(SIGTSTP, &sa, NULL);
	sa.sa_handler = SIG_IGN;
	sigaction(SIGHUP, &sa, NULL);
	sigaction(SIGTTOU, &sa, NULL);
	if (setsid() < 0)
		what = "setsid";
	else
		what = ends_open(&e);
	if (what != NULL) {
		snprintf(why, sizeof(why), "%s: %s", what, strerror(errno));
		return why;
	}
	ends_close(&e);
	return NULL;
}

static void set_modes(int fd, const ptyset_t *set)
{
#define HOST_FLAG(field, name) {F_##name, name, #field[0]},
#define HOST_CHAR(name) [C_##name] = name,
	static const struct {
		uint32_t flag;
		tcflag_t bits;
		char field;
	} flags[] = {PTY_FLAGS(HOST_FLAG)};
	static const uint8_t slots[NCHARS] = {PTY_CHARS(HOST_CHAR)};
	struct termios t;

	if (tcgetattr(fd, &t) != 0)
		die("tcgetattr");
	t.c_iflag = t.c_oflag = t.c_lflag = 0;
	for (size_t i = 0; i < NFLAGS; i++) {
		tcflag_t *word = flags[i].field == 'i' ? &t.c_iflag : flags[i].field == 'o' ? &t.c_oflag : &t.c_lflag;

		if (set->flags & flags[i].flag)
			*word |= flags[i].bits;
	}
	for (size_t i = 0; i < NCHARS; i++)
		t.c_cc[slots[i]] = set->cc[i];
	t.c_cc[VSWTC] = 0;
	t.c_cc[VMIN] = set->min;
	t.c_cc[VTIME] = set->time;
	if (tcsetattr(fd, TCSANOW, &t) != 0)
		die("tcsetattr");
}

static bool readable(int fd, int ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	int n;

	while ((n = poll(&p, 1, ms)) < 0)
		if (errno != EINTR)
			die("poll");
	return n != 0;
}

static void note_read(seen_t *s, const uint8_t *data, ssize_t n)
{
	if (n < 0)
		die("read");
	if (s->nreads == MAXREADS || s->nin + (size_t)n > MAXSEEN) {
		fprintf(stderr, "pty: host: too much to read\n");
		exit(2);
	}
	memcpy(s->in + s->nin, data, (size_t)n);
	s->nin += (size_t)n;
	s->reads[s->nreads++] = (uint16_t)n;
}

static void write_waiting(struct ends *e)
{
	ssize_t n;

	while (nwaiting != 0 && (n = write(e->quick, waiting, nwaiting)) != 0) {
		if (n < 0 && errno == EAGAIN)
			return;
		if (n < 0 && errno != EINTR)
			die("write");
		if (n > 0)
			memmove(waiting, waiting + n, nwaiting -= (size_t)n);
	}
}

static void drain_master(struct ends *e, seen_t *s)
{
	ssize_t n;

	while ((n = read(e->master, s->out + s->nout, sizeof(s->out) - s->nout)) != 0) {
		if (n > 0)
			s->nout += (size_t)n;
		else if (errno == EAGAIN)
			return;
		else if (errno != EINTR)
			die("read the master");
	}
}

static long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static void do_step(struct ends *e, const step_t *st, seen_t *s)
{
	uint8_t buf[MAXSEEN];
	long start;

	switch (st->kind) {
	case STEP_TYPE:
		if (write(e->master, st->data, st->len) != (ssize_t)st->len)
			die("write the master");
		break;
	case STEP_WRITE:
		memcpy(waiting + nwaiting, st->data, st->len);
		nwaiting += st->len;
		break;
	case STEP_SET:
		set_modes(e->slave, &st->set);
		break;
	case STEP_READ:
		start = now_ms();
		note_read(s, buf, read(e->slave, buf, st->len));
		s->waited_ms = now_ms() - start;
		break;
	}
}

void host_run(const ptycase_t *c, result_t *r)
{
	struct ends e;
	const char *what = ends_open(&e);
	uint8_t buf[MAXSEEN];

	if (what != NULL)
		die(what);
	set_modes(e.slave, &c->set);
	nwaiting = 0;
	caught = 0;
	r->asleep = false;
	r->nsteps = c->nsteps;
	for (size_t i = 0; i < c->nsteps; i++) {
		seen_t *s = &r->seen[i];

		s->nout = s->nin = s->nreads = 0;
		s->waited_ms = 0;
		do_step(&e, &c->steps[i], s);
		if (!c->timed)
			while (readable(e.slave, 0))
				note_read(s, buf, read(e.quick, buf, c->rdsize));
		else if (c->steps[i].kind == STEP_TYPE && !readable(e.slave, 10000))
			die("nothing arrives");
		write_waiting(&e);
		drain_master(&e, s);
		s->signals = (unsigned)caught;
		caught = 0;
	}
	ends_close(&e);
}
