/*
 * For tests of the stream head: programs that open, push, write and read, over
 * a loop-back driver "loop", a module "upper" that makes letters capital on the
 * way down, and a plain module "pass".
 */
#ifndef STRSIM_HEADTEST_H
#define STRSIM_HEADTEST_H

#include "tests/strtest.h"
#include "sys/errno.h"
#include "sys/file.h"
#include "sys/filio.h"
#include "sys/poll.h"
#include "sys/signal.h"
#include "sys/stropts.h"
#include "sys/vnode.h"
#include <ctype.h>

/* ---- programs ---- */

#define A(x) ((int64_t)(x))
#define U_OPEN(path, mode) user_syscall(SYS_open, A(path), mode, 0, 0, 0, 0)
#define U_CLOSE(fd) user_syscall(SYS_close, fd, 0, 0, 0, 0, 0)
#define U_READ(fd, buf, n) user_syscall(SYS_read, fd, A(buf), A(n), 0, 0, 0)
#define U_WRITE(fd, buf, n) user_syscall(SYS_write, fd, A(buf), A(n), 0, 0, 0)
#define U_READV(fd, iov, n) user_syscall(SYS_readv, fd, A(iov), n, 0, 0, 0)
#define U_WRITEV(fd, iov, n) user_syscall(SYS_writev, fd, A(iov), n, 0, 0, 0)
#define U_IOCTL(fd, cmd, arg) user_syscall(SYS_ioctl, fd, cmd, A(arg), 0, 0, 0)
#define U_FCNTL(fd, cmd, arg) user_syscall(SYS_fcntl, fd, cmd, A(arg), 0, 0, 0)
#define U_PUTMSG(fd, c, d, f) user_syscall(SYS_putmsg, fd, A(c), A(d), f, 0, 0)
#define U_PUTPMSG(fd, c, d, b, f) user_syscall(SYS_putpmsg, fd, A(c), A(d), b, f, 0)
#define U_GETMSG(fd, c, d, fp) user_syscall(SYS_getmsg, fd, A(c), A(d), A(fp), 0, 0)
#define U_GETPMSG(fd, c, d, bp, fp) user_syscall(SYS_getpmsg, fd, A(c), A(d), A(bp), A(fp), 0)
#define U_POLL(fds, n, ms) user_syscall(SYS_poll, A(fds), n, ms, 0, 0, 0)
#define U_PIPE(fds) user_syscall(SYS_pipe, A(fds), 0, 0, 0, 0, 0)

/* A call succeeds with a value, or fails with an error. */
#define OK(call, val) cr_assert_eq(call, val, #call ": %s", st_error(user_errno()))
#define FAILS(call, err)                                                                          \
	do {                                                                                      \
		cr_assert_eq(call, -1, #call " succeeded");                                       \
		cr_assert_eq(user_errno(), err, #call ": %s, not " #err, st_error(user_errno())); \
	} while (0)

TEST_FN const char *st_error(int error)
{
	static char buf[32];

	snprintf(buf, sizeof(buf), "error %d", error);
	return buf;
}

/* Run a program to its end, letting time pass, and let its process go. */
TEST_FN proc_t *u_start(void (*func)(void *), void *arg)
{
	proc_t *p = proc_create(NULL, 0, "test");

	cr_assert_not_null(p);
	cr_assert_not_null(lwp_create(p, func, arg));
	return p;
}

TEST_FN void u_run(void (*func)(void *))
{
	proc_t *p = u_start(func, NULL);

	machine_run_idle(machine_now() + 3600LL * 1000000000LL);
	proc_exit(p);
	machine_run_idle(machine_now() + 3600LL * 1000000000LL);
}

/* A test that is a program. */
#define PROGRAM(suite, name)            \
	static void name(void *);       \
	Test(suite, name)               \
	{                               \
		u_run(name);            \
		cr_assert(program_end); \
	}                               \
	static void name(void *unused __attribute__((unused)))
static bool program_end __attribute__((unused)); /* the program came to its last line */
#define DONE program_end = true

/* A descriptor's stream, and the driver's read queue at its end. */
TEST_FN stdata_t *fd_stream(int64_t fd)
{
	return curproc->p_fd[fd]->f_vnode->v_stream;
}

TEST_FN queue_t *fd_driver(int64_t fd)
{
	queue_t *q = fd_stream(fd)->sd_wrq;

	while (SAMESTR(q))
		q = q->q_next;
	return _RD(q);
}

/* Send a message up from the driver. */
TEST_FN void up(int64_t fd, mblk_t *mp)
{
	putnext(fd_driver(fd), mp);
}

TEST_FN mblk_t *bytes_msg(int type, const void *data, size_t n)
{
	mblk_t *mp = allocb(MAX(n, 64), BPRI_MED);

	DB_TYPE(mp) = (uint8_t)type;
	memcpy(mp->b_wptr, data, n);
	mp->b_wptr += n;
	return mp;
}

TEST_FN mblk_t *byte_msg(int type, int byte)
{
	uchar_t b = (uchar_t)byte;

	return bytes_msg(type, &b, 1);
}

TEST_FN void setopts(int64_t fd, struct stroptions so)
{
	up(fd, bytes_msg(M_SETOPTS, &so, sizeof(so)));
}

/* ---- modules ---- */

static struct module_info pass_info = {0, "pass", 0, INFPSZ, 5120, 1024};
static struct qinit pass_rinit = {
    .qi_putp = st_passput, .qi_qopen = st_modopen, .qi_qclose = st_modclose, .qi_minfo = &pass_info};
static struct qinit pass_winit = {.qi_putp = st_passput, .qi_minfo = &pass_info};
static struct streamtab pass_tab = {&pass_rinit, &pass_winit, NULL, NULL};
STREAMS_MODULE(pass, "pass", &pass_tab, D_MP);

TEST_FN int upper_wput(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) == M_DATA)
		for (mblk_t *bp = mp; bp != NULL; bp = bp->b_cont)
			for (uchar_t *p = bp->b_rptr; p < bp->b_wptr; p++)
				*p = (uchar_t)toupper(*p);
	putnext(q, mp);
	return 0;
}

static struct module_info upper_info = {0, "upper", 0, INFPSZ, 5120, 1024};
static struct qinit upper_rinit = {
    .qi_putp = st_passput, .qi_qopen = st_modopen, .qi_qclose = st_modclose, .qi_minfo = &upper_info};
static struct qinit upper_winit = {.qi_putp = upper_wput, .qi_minfo = &upper_info};
static struct streamtab upper_tab = {&upper_rinit, &upper_winit, NULL, NULL};
STREAMS_MODULE(upper, "upper", &upper_tab, D_MP | D_MTQPAIR);

/* ---- the loop-back driver ---- */

/* ioctls of the driver */
#define LOOPIOC ('L' << 8)
#define LOOP_ACK (LOOPIOC | 1)    /* ACK, value 7 */
#define LOOP_NAK (LOOPIOC | 2)    /* NAK without an error */
#define LOOP_NAKERR (LOOPIOC | 3) /* NAK EPERM */
#define LOOP_ECHO (LOOPIOC | 4)   /* ACK with the data that came */
#define LOOP_DOUBLE (LOOPIOC | 5) /* transparent, int *: doubles it */
#define LOOP_SILENT (LOOPIOC | 6) /* no answer ever */
#define LOOP_ACKERR (LOOPIOC | 7) /* ACK with error ENOMSG */
#define LOOP_LATE (LOOPIOC | 8)   /* kept in loop_kept */

static bool loop_stop;    /* keep messages on the write queue */
static bool loop_discard; /* drop data instead of looping it back */
static mblk_t *loop_kept;
static int loop_opens, loop_closes, loop_openerr;
static int loop_nextminor = 100;
static const char *loop_stack; /* callers of the put procedure at the last message, innermost first */
static int loop_stackdepth;

TEST_FN int loop_open(queue_t *q, dev_t *devp, int oflag, int sflag, cred_t *cr)
{
	(void)oflag, (void)cr;
	loop_opens++;
	if (loop_openerr != 0)
		return loop_openerr;
	if (sflag == CLONEOPEN)
		*devp = makedevice(getmajor(*devp), loop_nextminor++);
	qprocson(q);
	return 0;
}

TEST_FN int loop_close(queue_t *q, int flag, cred_t *cr)
{
	(void)flag, (void)cr;
	loop_closes++;
	qprocsoff(q);
	return 0;
}

TEST_FN void loop_ioctl(queue_t *q, mblk_t *mp)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	switch (ioc->ioc_cmd) {
	case LOOP_ACK:
		miocack(q, mp, 0, 7);
		break;
	case LOOP_NAKERR:
		miocnak(q, mp, 0, EPERM);
		break;
	case LOOP_ECHO:
		miocack(q, mp, (int)ioc->ioc_count, 0);
		break;
	case LOOP_DOUBLE:
		mcopyin(mp, NULL, sizeof(int), NULL);
		((struct copyreq *)mp->b_rptr)->cq_private = (mblk_t *)((struct copyreq *)mp->b_rptr)->cq_addr;
		qreply(q, mp);
		break;
	case LOOP_SILENT:
		freemsg(mp);
		break;
	case LOOP_ACKERR:
		ioc->ioc_error = ENOMSG;
		DB_TYPE(mp) = M_IOCACK;
		ioc->ioc_count = 0;
		qreply(q, mp);
		break;
	case LOOP_LATE:
		loop_kept = mp;
		break;
	default:
		miocnak(q, mp, 0, 0);
	}
}

TEST_FN void loop_iocdata(queue_t *q, mblk_t *mp)
{
	struct copyresp *resp = (struct copyresp *)mp->b_rptr;

	st_notef("iocdata:%d", (int)(intptr_t)resp->cp_rval);
	if (resp->cp_rval != 0) {
		freemsg(mp);
	} else if (resp->cp_private != NULL) {
		mblk_t *dp = unlinkb(mp);
		void *addr = resp->cp_private;

		*(int *)dp->b_rptr *= 2;
		mcopyout(mp, NULL, sizeof(int), addr, dp);
		qreply(q, mp);
	} else {
		struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

		DB_TYPE(mp) = M_IOCACK;
		mp->b_wptr = mp->b_rptr + sizeof(*ioc);
		ioc->ioc_count = 0;
		ioc->ioc_error = 0;
		ioc->ioc_rval = 3;
		qreply(q, mp);
	}
}

TEST_FN void loop_flush(queue_t *q, mblk_t *mp)
{
	st_notef("flush:%d", *mp->b_rptr);
	if (*mp->b_rptr & FLUSHW) {
		flushq(q, FLUSHALL);
		*mp->b_rptr &= (uchar_t)~FLUSHW;
	}
	if (*mp->b_rptr & FLUSHR)
		qreply(q, mp);
	else
		freemsg(mp);
}

TEST_FN int loop_wput(queue_t *q, mblk_t *mp)
{
	if (loop_stackdepth != 0)
		loop_stack = st_callers(loop_stackdepth);
	switch (DB_TYPE(mp)) {
	case M_FLUSH:
		loop_flush(q, mp);
		break;
	case M_IOCTL:
		loop_ioctl(q, mp);
		break;
	case M_IOCDATA:
		loop_iocdata(q, mp);
		break;
	case M_READ:
		st_notef("read:%zd", *(ssize_t *)mp->b_rptr);
		freemsg(mp);
		break;
	case M_DATA:
	case M_PROTO:
	case M_PCPROTO:
	case M_PASSFP:
		if (loop_stop)
			putq(q, mp);
		else if (loop_discard)
			freemsg(mp);
		else
			qreply(q, mp);
		break;
	default:
		freemsg(mp);
	}
	return 0;
}

TEST_FN int loop_wsrv(queue_t *q)
{
	mblk_t *mp;

	while (!loop_stop && (mp = getq(q)) != NULL)
		qreply(q, mp);
	return 0;
}

/* Let what is kept go on. */
TEST_FN void loop_go(int64_t fd)
{
	loop_stop = false;
	qenable(_WR(fd_driver(fd)));
}

static struct module_info loop_info = {0, "loop", 0, 4096, 1000, 200};
static struct qinit loop_rinit = {.qi_qopen = loop_open, .qi_qclose = loop_close, .qi_minfo = &loop_info};
static struct qinit loop_winit = {.qi_putp = loop_wput, .qi_srvp = loop_wsrv, .qi_minfo = &loop_info};
static struct streamtab loop_tab = {&loop_rinit, &loop_winit, NULL, NULL};
STREAMS_DRIVER(loop, "loop", &loop_tab, D_MP, "/dev/loop=clone /dev/loop0=0 /dev/loops/#=#", NULL);
STREAMS_DRIVER(autoloop, "autoloop", &loop_tab, D_MP, "/dev/auto=clone", "pass upper");
STREAMS_DRIVER(anchored, "anchored", &loop_tab, D_MP, "/dev/anchored=clone", "pass [anchor] upper");
STREAMS_DRIVER(badauto, "badauto", &loop_tab, D_MP, "/dev/badauto=clone", "pass nosuch");

#endif
