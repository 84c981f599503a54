/* poll(2) and SIGPOLL. */
#include "tests/headtest.h"

STR_SUITE(strpoll);

/* What poll says of fd at once. */
static int now(int64_t fd, int events)
{
	pollfd_t pfd = {(int)fd, (short)events, 0x7fff};
	int64_t n = U_POLL(&pfd, 1, 0);

	cr_assert_eq(n, pfd.revents != 0);
	return pfd.revents;
}

#define ALL (POLLIN | POLLPRI | POLLOUT | POLLRDNORM | POLLRDBAND | POLLWRBAND)

PROGRAM(strpoll, events_of_the_first_message)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	char buf[8];

	cr_assert_eq(now(fd, ALL), POLLOUT);
	up(fd, st_msg(M_DATA, "x"));
	cr_assert_eq(now(fd, ALL), POLLOUT | POLLIN | POLLRDNORM);
	cr_assert_eq(now(fd, POLLIN), POLLIN);
	up(fd, st_band(3, "y"));
	cr_assert_eq(now(fd, ALL), POLLOUT | POLLIN | POLLRDBAND);
	up(fd, st_msg(M_PCPROTO, "z"));
	cr_assert_eq(now(fd, ALL), POLLOUT | POLLPRI);
	up(fd, byte_msg(M_FLUSH, FLUSHR));
	cr_assert_eq(now(fd, ALL), POLLOUT);
	up(fd, st_msg(M_DATA, ""));
	cr_assert_eq(now(fd, ALL), POLLOUT | POLLIN | POLLRDNORM, "of length 0 too");
	OK(U_READ(fd, buf, 8), 0);
	DONE;
}

PROGRAM(strpoll, errors_and_hang_ups_are_told_unasked)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR), fd2 = U_OPEN("/dev/loop", O_RDWR);

	up(fd, byte_msg(M_HANGUP, 0));
	cr_assert_eq(now(fd, ALL), POLLHUP, "and no POLLOUT with it");
	cr_assert_eq(now(fd, 0), POLLHUP);
	up(fd2, byte_msg(M_ERROR, EPROTO));
	cr_assert_eq(now(fd2, 0), POLLERR);
	cr_assert_eq(now(77, POLLIN), POLLNVAL);
	cr_assert_eq(now(-1, POLLIN), 0);
	DONE;
}

PROGRAM(strpoll, a_full_stream_is_not_writable)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR | O_NONBLOCK);
	char data[1000] = "";

	loop_stop = true;
	OK(U_WRITE(fd, data, 1000), 1000);
	cr_assert_eq(now(fd, ALL), 0);
	OK(U_PUTPMSG(fd, NULL, &((struct strbuf){0, 1, "b"}), 1, MSG_BAND), 0);
	cr_assert_eq(now(fd, ALL), POLLWRBAND);
	loop_go(fd);
	U_POLL(NULL, 0, 10);
	cr_assert_eq(now(fd, POLLOUT | POLLWRBAND), POLLOUT | POLLWRBAND);
	DONE;
}

static void write_x(void *driver)
{
	putnext(driver, st_msg(M_DATA, "x"));
}

PROGRAM(strpoll, sleeps_until_an_event)
{
	pollfd_t pfd[3] = {{-1, POLLIN, 0}, {0, POLLIN, 0}, {0, POLLRDBAND, 0}};
	hrtime_t start = machine_now();

	pfd[1].fd = (int)U_OPEN("/dev/loop", O_RDWR);
	pfd[2].fd = (int)U_OPEN("/dev/loop", O_RDWR);
	timeout(write_x, fd_driver(pfd[1].fd), 25);
	OK(U_POLL(pfd, 3, -1), 1);
	cr_assert_eq(pfd[1].revents, POLLIN);
	cr_assert_eq(pfd[0].revents, 0);
	cr_assert_eq(pfd[2].revents, 0);
	cr_assert_eq(machine_now() - start, 250 * 1000000LL);
	cr_assert_null(fd_stream(pfd[1].fd)->sd_pollist, "nothing stays behind");
	cr_assert_null(fd_stream(pfd[2].fd)->sd_pollist);
	DONE;
}

PROGRAM(strpoll, time_runs_out_in_whole_ticks)
{
	pollfd_t pfd = {0, POLLIN, 7};
	hrtime_t start = machine_now();

	pfd.fd = (int)U_OPEN("/dev/loop", O_RDWR);
	OK(U_POLL(&pfd, 1, 101), 0);
	cr_assert_eq(pfd.revents, 0);
	cr_assert_eq(machine_now() - start, 110 * 1000000LL);
	DONE;
}

static void interrupt(void *p)
{
	psignal(p, SIGUSR1);
}

PROGRAM(strpoll, a_signal_ends_it)
{
	pollfd_t pfd = {0, POLLIN, 0};

	curproc->p_caught |= SIGBIT(SIGUSR1);
	pfd.fd = (int)U_OPEN("/dev/loop", O_RDWR);
	timeout(interrupt, curproc, 5);
	FAILS(U_POLL(&pfd, 1, -1), EINTR);
	FAILS(U_POLL(8, 1, 0), EFAULT);
	FAILS(U_POLL(&pfd, NOFILE_MAX + 1, 0), EINVAL);
	DONE;
}

PROGRAM(strpoll, writers_are_told_when_there_is_room)
{
	pollfd_t pfd = {0, POLLOUT, 0};
	char data[1000] = "";

	pfd.fd = (int)U_OPEN("/dev/loop", O_RDWR);
	loop_stop = true;
	OK(U_WRITE(pfd.fd, data, 1000), 1000);
	OK(U_POLL(&pfd, 1, 50), 0);
	loop_go(pfd.fd);
	OK(U_POLL(&pfd, 1, -1), 1);
	cr_assert_eq(pfd.revents, POLLOUT);
	DONE;
}

PROGRAM(strpoll, no_wake_up_without_a_poller)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	stdata_t *stp = fd_stream(fd);
	pollent_t pe = {.pl_events = POLLIN};
	short revents;

	cr_assert_not(stp->sd_rput_opt & SR_POLLIN);
	cr_assert_eq(strpoll(stp, POLLIN, 0, &revents, &pe), 0);
	cr_assert(stp->sd_rput_opt & SR_POLLIN);
	pollent_detach(&pe);
	up(fd, st_msg(M_DATA, "x"));
	cr_assert_not(stp->sd_rput_opt & SR_POLLIN, "the first message clears it");
	cr_assert_eq(strpoll(stp, POLLIN, 0, &revents, &pe), 0);
	cr_assert_eq(revents, POLLIN);
	cr_assert_null(pe.pl_pprev, "not attached when an event is there");
	DONE;
}

/* ---- SIGPOLL ---- */

static char sigs[64];
static void catch (proc_t *p, int sig)
{
	(void)p;
	sigs[strlen(sigs)] = sig == SIGPOLL ? 'p' : sig == SIGURG ? 'u' : '?';
}

static void catch_all(void)
{
	curproc->p_caught |= SIGBIT(SIGPOLL) | SIGBIT(SIGURG);
	curproc->p_sighandler = catch;
}

/* Signals taken since the last look; they are taken at the end of a system call. */
static const char *taken(void)
{
	static char last[sizeof(sigs)];

	user_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
	memcpy(last, sigs, sizeof(sigs));
	memset(sigs, 0, sizeof(sigs));
	return last;
}

PROGRAM(strpoll, setsig_registers_and_removes)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	int events = 0;

	catch_all();
	FAILS(U_IOCTL(fd, I_GETSIG, &events), EINVAL);
	FAILS(U_IOCTL(fd, I_SETSIG, 0), EINVAL);
	FAILS(U_IOCTL(fd, I_SETSIG, 0x400), EINVAL);
	FAILS(U_IOCTL(fd, I_SETSIG, S_BANDURG), EINVAL);
	OK(U_IOCTL(fd, I_SETSIG, S_INPUT | S_HIPRI), 0);
	OK(U_IOCTL(fd, I_GETSIG, &events), 0);
	cr_assert_eq(events, S_INPUT | S_HIPRI);
	cr_assert_eq(fd_stream(fd)->sd_sigflags, S_INPUT | S_HIPRI);
	OK(U_IOCTL(fd, I_SETSIG, 0), 0);
	cr_assert_eq(fd_stream(fd)->sd_sigflags, 0);
	OK(U_WRITE(fd, "x", 1), 1);
	cr_assert_str_eq(taken(), "");
	DONE;
}

PROGRAM(strpoll, each_event_has_its_signal)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	char buf[8];

	catch_all();
	OK(U_IOCTL(fd, I_SETSIG, S_INPUT), 0);
	up(fd, st_msg(M_DATA, "x"));
	cr_assert_str_eq(taken(), "p");
	up(fd, st_msg(M_DATA, "y"));
	cr_assert_str_eq(taken(), "", "only the first message");
	OK(U_READ(fd, buf, 8), 2);
	OK(U_IOCTL(fd, I_SETSIG, S_HIPRI), 0);
	up(fd, st_msg(M_DATA, "x"));
	cr_assert_str_eq(taken(), "");
	up(fd, st_msg(M_PCPROTO, "y"));
	cr_assert_str_eq(taken(), "p");
	up(fd, byte_msg(M_FLUSH, FLUSHR));
	OK(U_IOCTL(fd, I_SETSIG, S_RDBAND | S_BANDURG), 0);
	up(fd, st_band(2, "x"));
	cr_assert_str_eq(taken(), "u");
	up(fd, byte_msg(M_FLUSH, FLUSHR));
	OK(U_IOCTL(fd, I_SETSIG, S_MSG), 0);
	up(fd, byte_msg(M_PCSIG, SIGPOLL));
	cr_assert_str_eq(taken(), "p");
	OK(U_IOCTL(fd, I_SETSIG, S_HANGUP | S_ERROR), 0);
	up(fd, byte_msg(M_HANGUP, 0));
	cr_assert_str_eq(taken(), "p");
	up(fd, byte_msg(M_ERROR, EIO));
	cr_assert_str_eq(taken(), "p");
	DONE;
}

PROGRAM(strpoll, output_is_signalled_when_there_is_room_again)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR | O_NONBLOCK);
	char data[1000] = "";

	catch_all();
	OK(U_IOCTL(fd, I_SETSIG, S_OUTPUT), 0);
	loop_stop = true;
	OK(U_WRITE(fd, data, 1000), 1000);
	FAILS(U_WRITE(fd, data, 1), EAGAIN);
	cr_assert_str_eq(taken(), "");
	loop_go(fd);
	cr_assert_str_eq(taken(), "p");
	DONE;
}

PROGRAM(strpoll, signals_can_be_asked_for_others)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	struct strsigset ss = {0, S_INPUT};

	catch_all();
	FAILS(U_IOCTL(fd, I_ESETSIG, 8), EFAULT);
	OK(U_IOCTL(fd, I_ESETSIG, &ss), 0);
	ss.ss_events = 0;
	OK(U_IOCTL(fd, I_EGETSIG, &ss), 0);
	cr_assert_eq(ss.ss_events, S_INPUT);
	ss = (struct strsigset){29999, S_INPUT};
	FAILS(U_IOCTL(fd, I_ESETSIG, &ss), ESRCH);
	ss.ss_pid = -29999;
	FAILS(U_IOCTL(fd, I_ESETSIG, &ss), ESRCH);
	FAILS(U_IOCTL(fd, I_EGETSIG, &ss), EINVAL);
	DONE;
}

PROGRAM(strpoll, closing_ends_the_registration)
{
	int64_t fd = U_OPEN("/dev/loop0", O_RDWR), fd2 = U_OPEN("/dev/loop0", O_RDWR);

	OK(U_IOCTL(fd, I_SETSIG, S_INPUT), 0);
	OK(U_CLOSE(fd2), 0);
	cr_assert_eq(fd_stream(fd)->sd_sigflags, 0);
	DONE;
}
