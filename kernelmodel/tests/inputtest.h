/*
 * For tests of the console's keyboard and mouse: a machine whose devices are
 * plumbed, and what is read at /dev/kbd and /dev/mouse, as text.
 */
#ifndef STRSIM_INPUTTEST_H
#define STRSIM_INPUTTEST_H

#include "tests/headtest.h"
#include "consconfig_dacf/consconfig.h"
#include "machine/ps2.h"
#include "sys/kbd.h"
#include "sys/kbio.h"
#include "sys/msio.h"
#include "sys/vuid_event.h"

#define MS 1000000LL

TEST_FN void it_plumb(void)
{
	machine_init(0);
	cr_assert_eq(consconfig_attach(), 0);
	machine_run(machine_now() + 500 * MS);
	cr_assert(consconfig_done());
	cr_assert_eq(consconfig_error(), 0);
}

/* The console is not undone by st_halt()'s rules alone: machine_fini() frees it, and must free all. */
TEST_FN void it_halt(void)
{
	size_t mblks, dblks, bytes, objects;

	allocb_fail_nth(0);
	kmem_fail_nth(0);
	machine_run_idle(machine_now() + 1000 * MS);
	if (machine_fini() != 0)
		abort();
	str_alive(&mblks, &dblks);
	st_leak("message blocks", mblks);
	st_leak("data blocks", dblks);
	kmem_alive(&bytes, &objects);
	st_leak("kernel objects", objects);
}

#define INPUT_SUITE(name) TestSuite(name, .init = it_plumb, .fini = it_halt)

/* Let virtual time pass, in a program. */
TEST_FN void u_sleep_ms(int ms)
{
	(void)U_POLL(NULL, 0, ms);
}

/* Events that wait at a descriptor, as "id=value" with "/pair" for a pair; times must not go back. */
TEST_FN const char *events(int64_t fd)
{
	static char buf[32768];
	size_t n = 0;
	Firm_event fe;
	struct pollfd {
		int fd;
		short events, revents;
	} pfd = {(int)fd, 1, 0};

	buf[0] = '\0';
	while (U_POLL(&pfd, 1, 0) == 1 && U_READ(fd, &fe, sizeof(fe)) == sizeof(fe)) {
		cr_assert_lt(n, sizeof(buf) - 64);
		n += (size_t)snprintf(buf + n, sizeof(buf) - n, "%s%d=%d", n != 0 ? " " : "", fe.id, fe.value);
		if (fe.pair_type != FE_PAIR_NONE)
			n += (size_t)snprintf(buf + n, sizeof(buf) - n, "/%d:%d", fe.pair_type, fe.pair);
	}
	return buf;
}

/* Characters that wait at a descriptor; control characters as ^X. */
TEST_FN const char *chars(int64_t fd)
{
	static char buf[4096];
	size_t n = 0;
	unsigned char c;
	struct pollfd {
		int fd;
		short events, revents;
	} pfd = {(int)fd, 1, 0};

	buf[0] = '\0';
	while (U_POLL(&pfd, 1, 0) == 1 && U_READ(fd, &c, 1) == 1)
		n += (size_t)snprintf(buf + n, sizeof(buf) - n, c < 32 || c == 127 ? "^%c" : "%c",
				      c < 32 || c == 127 ? c ^ 64 : c);
	return buf;
}

/* Bytes of set 1, given as text, come from the keyboard. */
TEST_FN void scan(const char *hex)
{
	uint8_t code[256];
	size_t n = 0;

	for (char *end; *hex != '\0'; hex = end + (*end == ' '))
		code[n++] = (uint8_t)strtoul(hex, &end, 16);
	ps2_key_bytes(code, n);
	u_sleep_ms((int)n + 2);
}

/* I_STR with data of any size. */
TEST_FN int64_t u_str(int64_t fd, int cmd, void *data, int len)
{
	struct strioctl ic = {cmd, 1, len, data};

	return U_IOCTL(fd, I_STR, &ic);
}

/* ---- a device to link: notes each ioctl it gets ---- */

#define FAKES 8
static struct fake {
	int nak; /* the command that it refuses, with this error */
	int error;
	int silent; /* the command that it does not answer */
	int number; /* what it answers to commands that ask for a number; a wheel mouse also copies this many bytes */
	bool refuse_all;
	mblk_t *kept; /* what it has not answered */
	queue_t *q;
} fakes[FAKES];

/* The first int of a request's data, or -1. */
TEST_FN int fake_data(const mblk_t *mp)
{
	const struct iocblk *ioc = (const struct iocblk *)mp->b_rptr;

	if (mp->b_cont == NULL || ioc->ioc_count == TRANSPARENT)
		return -1;
	return MBLKL(mp->b_cont) >= 4 ? *(int *)mp->b_cont->b_rptr : MBLKL(mp->b_cont) == 1 ? *mp->b_cont->b_rptr : -1;
}

TEST_FN void fake_number(queue_t *q, mblk_t *mp, int val, size_t size)
{
	mblk_t *dp = allocb(4, BPRI_HI);

	if (dp == NULL) {
		miocnak(q, mp, 0, ENOMEM);
		return;
	}
	*(int *)dp->b_rptr = val;
	mioc2ack(mp, dp, size, 0);
	qreply(q, mp);
}

TEST_FN void fake_ioctl(queue_t *q, mblk_t *mp)
{
	struct fake *f = q->q_ptr;
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	int cmd = ioc->ioc_cmd;

	st_notef("%d:%x(%d)", (int)(f - fakes), (uint_t)cmd & 0xffff, fake_data(mp));
	if (cmd == f->silent) {
		cr_assert_null(f->kept);
		f->kept = mp;
	} else if (f->refuse_all || cmd == f->nak) {
		miocnak(q, mp, 0, f->error);
	} else if (cmd == VUIDGWHEELSTATE || cmd == VUIDSWHEELSTATE) {
		if (ioc->ioc_count == TRANSPARENT) {
			mcopyin(mp, f, sizeof(wheel_state), NULL);
			qreply(q, mp);
		} else {
			miocack(q, mp, 0, 0);
		}
	} else if (cmd == KIOCGLED) {
		fake_number(q, mp, f->number, 1);
	} else if (cmd == KIOCLAYOUT || cmd == MSIOBUTTONS || cmd == VUIDGWHEELCOUNT || cmd == KIOCTYPE ||
		   cmd == VUIDGFORMAT) {
		fake_number(q, mp, f->number, 4);
	} else {
		miocack(q, mp, 0, 0);
	}
}

TEST_FN void fake_iocdata(queue_t *q, mblk_t *mp)
{
	struct fake *f = q->q_ptr;
	struct copyresp *csp = (struct copyresp *)mp->b_rptr;

	st_notef("%d:iocdata:%d", (int)(f - fakes), csp->cp_rval == 0 ? *(int *)mp->b_cont->b_rptr : -1);
	if (csp->cp_rval != 0) {
		freemsg(mp);
		return;
	}
	cr_assert_eq((void *)csp->cp_private, f, "the private word is this one's own");
	freemsg(unlinkb(mp));
	mp->b_wptr = mp->b_rptr + sizeof(struct iocblk);
	miocack(q, mp, 0, 0);
}

TEST_FN int fake_wput(queue_t *q, mblk_t *mp)
{
	const struct fake *f = q->q_ptr;

	switch (DB_TYPE(mp)) {
	case M_IOCTL:
		fake_ioctl(q, mp);
		return 0;
	case M_IOCDATA:
		fake_iocdata(q, mp);
		return 0;
	case M_FLUSH:
		st_notef("%d:flush%d", (int)(f - fakes), *mp->b_rptr);
		break;
	case M_DATA:
		st_notef("%d:data:%.*s", (int)(f - fakes), (int)MBLKL(mp), (char *)mp->b_rptr);
		break;
	default:
		break;
	}
	freemsg(mp);
	return 0;
}

/* Answer what was kept. */
TEST_FN void fake_answer(struct fake *f, int error)
{
	mblk_t *mp = f->kept;

	f->kept = NULL;
	if (error != 0)
		miocnak(WR(f->q), mp, 0, error);
	else
		miocack(WR(f->q), mp, 0, 0);
}

TEST_FN int fake_open(queue_t *q, dev_t *devp, int oflag, int sflag, cred_t *cr)
{
	struct fake *f = &fakes[getminor(*devp)];

	(void)oflag, (void)sflag, (void)cr;
	if (q->q_ptr != NULL)
		return 0;
	f->q = q;
	q->q_ptr = WR(q)->q_ptr = f;
	qprocson(q);
	return 0;
}

TEST_FN int fake_close(queue_t *q, int flag, cred_t *cr)
{
	struct fake *f = q->q_ptr;

	(void)flag, (void)cr;
	qprocsoff(q);
	freemsg(f->kept);
	f->kept = NULL;
	return 0;
}

static struct module_info fake_info = {0, "fake", 0, INFPSZ, 1000, 200};
static struct qinit fake_rinit = {.qi_qopen = fake_open, .qi_qclose = fake_close, .qi_minfo = &fake_info};
static struct qinit fake_winit = {.qi_putp = fake_wput, .qi_minfo = &fake_info};
static struct streamtab fake_tab = {&fake_rinit, &fake_winit, NULL, NULL};
STREAMS_DRIVER(fake, "fake", &fake_tab, D_MP, "/dev/fake/#=#", NULL);

TEST_FN int64_t open_fake(int n)
{
	char path[32];
	int64_t fd;

	snprintf(path, sizeof(path), "/dev/fake/%d", n);
	fd = U_OPEN(path, O_RDWR);
	cr_assert_geq(fd, 0);
	return fd;
}

/* An event comes from a device. */
TEST_FN void fake_event(const struct fake *f, int id, int value)
{
	Firm_event fe = {.id = (ushort_t)id, .value = value};

	putnext(f->q, bytes_msg(M_DATA, &fe, sizeof(fe)));
}

#endif
