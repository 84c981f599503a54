/* I_LINK, I_PLINK, I_UNLINK, I_PUNLINK: streams below a multiplexing driver. */
#include "tests/headtest.h"

STR_SUITE(strlink);

/* ---- a multiplexor: data goes to the last linked stream, and up from any ---- */

static queue_t *mux_upper;    /* read queue of the stream it was opened by */
static queue_t *mux_lower[8]; /* lower write queues by link */
static int mux_index[8], mux_links;
static bool mux_refuse, mux_early;
static struct linkblk mux_lb;

static int mux_open(queue_t *q, dev_t *devp, int oflag, int sflag, cred_t *cr)
{
	(void)oflag, (void)cr;
	if (sflag == CLONEOPEN)
		*devp = makedevice(getmajor(*devp), 1 + loop_nextminor++);
	mux_upper = q;
	qprocson(q);
	return 0;
}

static int mux_close(queue_t *q, int flag, cred_t *cr)
{
	(void)flag, (void)cr;
	qprocsoff(q);
	mux_upper = NULL;
	return 0;
}

static void mux_unlink(int index)
{
	for (int i = 0; i < mux_links; i++) {
		if (mux_index[i] != index)
			continue;
		mux_lower[i] = mux_lower[--mux_links];
		mux_index[i] = mux_index[mux_links];
		return;
	}
}

static void mux_link(const struct linkblk *lb)
{
	mux_lower[mux_links] = lb->l_qbot;
	mux_index[mux_links++] = lb->l_index;
	lb->l_qbot->q_ptr = RD(lb->l_qbot)->q_ptr = mux_lower;
}

static void mux_ioctl(queue_t *q, mblk_t *mp)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	switch (ioc->ioc_cmd) {
	case I_LINK:
	case I_PLINK:
	case I_UNLINK:
	case I_PUNLINK:
		mux_lb = *(struct linkblk *)mp->b_cont->b_rptr;
		if (mux_refuse) {
			miocnak(q, mp, 0, EBUSY);
			break;
		}
		if (ioc->ioc_cmd == I_LINK || ioc->ioc_cmd == I_PLINK) {
			mux_link(&mux_lb);
			if (mux_early)
				putnext(mux_lb.l_qbot, st_msg(M_DATA, "early"));
		} else {
			mux_unlink(mux_lb.l_index);
		}
		miocack(q, mp, 0, 0);
		break;
	default:
		miocnak(q, mp, 0, 0);
	}
}

static int mux_uwput(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) == M_IOCTL)
		mux_ioctl(q, mp);
	else if (DB_TYPE(mp) == M_DATA && mux_links > 0)
		putq(mux_lower[mux_links - 1], mp);
	else
		freemsg(mp);
	return 0;
}

static int mux_lrput(queue_t *q, mblk_t *mp)
{
	(void)q;
	st_notef("lrput:%.*s", (int)MBLKL(mp), (char *)mp->b_rptr);
	if (mux_upper != NULL && DB_TYPE(mp) == M_DATA)
		putnext(mux_upper, mp);
	else
		freemsg(mp);
	return 0;
}

static int mux_lwsrv(queue_t *q)
{
	mblk_t *mp;

	while ((mp = getq(q)) != NULL)
		putnext(q, mp);
	return 0;
}

static struct module_info mux_info = {0, "mux", 0, INFPSZ, 5000, 100};
static struct qinit mux_urinit = {.qi_qopen = mux_open, .qi_qclose = mux_close, .qi_minfo = &mux_info};
static struct qinit mux_uwinit = {.qi_putp = mux_uwput, .qi_minfo = &mux_info};
static struct qinit mux_lrinit = {.qi_putp = mux_lrput, .qi_minfo = &mux_info};
static struct qinit mux_lwinit = {.qi_srvp = mux_lwsrv, .qi_minfo = &mux_info};
static struct streamtab mux_tab = {&mux_urinit, &mux_uwinit, &mux_lrinit, &mux_lwinit};
STREAMS_DRIVER(mux, "mux", &mux_tab, D_MP, "/dev/mux=clone /dev/mux0=0", NULL);
static struct streamtab mux2_tab = {&mux_urinit, &mux_uwinit, &mux_lrinit, &mux_lwinit};
STREAMS_DRIVER(mux2, "mux2", &mux2_tab, D_MP | D_MTPERMOD, "/dev/mux2=clone", NULL);

/* ---- link and unlink ---- */

PROGRAM(strlink, a_linked_stream_belongs_to_the_driver)
{
	int64_t mux = U_OPEN("/dev/mux", O_RDWR), low = U_OPEN("/dev/loop", O_RDWR);
	stdata_t *down = fd_stream(low);
	char buf[16] = "";
	int64_t id = U_IOCTL(mux, I_LINK, low);

	cr_assert_gt(id, 0);
	cr_assert_eq(mux_lb.l_index, id);
	cr_assert_eq(mux_lb.l_qbot, down->sd_wrq);
	cr_assert_eq(mux_lb.l_qtop, _WR(fd_driver(mux)));
	cr_assert_str_eq(down->sd_wrq->q_qinfo->qi_minfo->mi_idname, "mux");
	cr_assert_eq(down->sd_wrq->q_stream, down, "though it stays the lower stream");
	cr_assert(down->sd_flag & STPLEX);
	cr_assert(fd_stream(mux)->sd_flag & STRHASLINKS);
	OK(U_WRITE(mux, "hello", 5), 5);
	OK(U_READ(mux, buf, 16), 5);
	cr_assert_str_eq(buf, "hello");
	st_expect("lrput:hello");
	/* The lower descriptor is good for nothing now. */
	FAILS(U_READ(low, buf, 1), EINVAL);
	FAILS(U_WRITE(low, buf, 1), EINVAL);
	FAILS(U_IOCTL(low, I_PUSH, "pass"), EINVAL);
	OK(U_CLOSE(low), 0);
	cr_assert_eq(loop_closes, 0, "the link holds it open");
	OK(U_IOCTL(mux, I_UNLINK, id), 0);
	cr_assert_eq(loop_closes, 1);
	cr_assert_eq(mux_links, 0);
	cr_assert_not(fd_stream(mux)->sd_flag & STRHASLINKS);
	DONE;
}

PROGRAM(strlink, unlinking_gives_the_stream_back)
{
	int64_t mux = U_OPEN("/dev/mux", O_RDWR), low = U_OPEN("/dev/loop", O_RDWR);
	int64_t id = U_IOCTL(mux, I_LINK, low);
	stdata_t *down = fd_stream(low);
	char buf[16] = "";

	OK(U_IOCTL(mux, I_UNLINK, id), 0);
	cr_assert_not(down->sd_flag & STPLEX);
	cr_assert_str_eq(down->sd_wrq->q_qinfo->qi_minfo->mi_idname, "strwhead");
	cr_assert_eq(down->sd_wrq->q_ptr, down);
	cr_assert_eq(down->sd_wrq->q_nfsrv, down->sd_wrq);
	OK(U_WRITE(low, "mine", 4), 4);
	OK(U_READ(low, buf, 16), 4);
	cr_assert_str_eq(buf, "mine");
	st_expect("");
	DONE;
}

PROGRAM(strlink, a_perimeter_of_the_driver_comes_with_its_queues)
{
	int64_t mux = U_OPEN("/dev/mux2", O_RDWR), low = U_OPEN("/dev/loop", O_RDWR);
	stdata_t *down = fd_stream(low);
	char buf[16] = "";
	int64_t id = U_IOCTL(mux, I_LINK, low);

	cr_assert_gt(id, 0);
	cr_assert_eq(down->sd_wrq->q_syncq, fd_driver(mux)->q_syncq);
	OK(U_WRITE(mux, "hello", 5), 5);
	OK(U_READ(mux, buf, 16), 5);
	OK(U_IOCTL(mux, I_UNLINK, id), 0);
	cr_assert_neq(down->sd_wrq->q_syncq, fd_driver(mux)->q_syncq);
	DONE;
}

PROGRAM(strlink, a_refused_link_restores_everything)
{
	int64_t mux = U_OPEN("/dev/mux", O_RDWR), low = U_OPEN("/dev/loop", O_RDWR);
	char buf[4];

	mux_refuse = true;
	FAILS(U_IOCTL(mux, I_LINK, low), EBUSY);
	FAILS(U_IOCTL(mux, I_PLINK, low), EBUSY);
	cr_assert_eq(fd_stream(low)->sd_flag, 0);
	OK(U_WRITE(low, "x", 1), 1);
	OK(U_READ(low, buf, 1), 1);
	mux_refuse = false;
	cr_assert_gt(U_IOCTL(mux, I_LINK, low), 0);
	DONE;
}

PROGRAM(strlink, link_refuses)
{
	int64_t mux = U_OPEN("/dev/mux", O_RDWR), low = U_OPEN("/dev/loop", O_RDWR);
	int64_t other = U_OPEN("/dev/loop", O_RDWR), mux2 = U_OPEN("/dev/mux2", O_RDWR);
	int fd[2];

	OK(U_PIPE(fd), 0);
	FAILS(U_IOCTL(mux, I_LINK, 99), EBADF);
	FAILS(U_IOCTL(mux, I_LINK, mux), EINVAL);
	FAILS(U_IOCTL(other, I_LINK, low), EINVAL);
	FAILS(U_IOCTL(fd[0], I_LINK, low), EINVAL);
	FAILS(U_IOCTL(mux, I_LINK, U_OPEN("/dev/mux", O_RDWR)), EINVAL);
	cr_assert_gt(U_IOCTL(mux, I_LINK, low), 0);
	FAILS(U_IOCTL(mux, I_LINK, low), EINVAL);
	FAILS(U_IOCTL(mux2, I_LINK, low), EINVAL);
	/* mux below mux2 is a chain, mux2 below mux would close a circle. */
	cr_assert_gt(U_IOCTL(mux2, I_LINK, mux), 0);
	FAILS(U_IOCTL(U_OPEN("/dev/mux", O_RDWR), I_LINK, U_OPEN("/dev/mux2", O_RDWR)), EINVAL);
	mux = U_OPEN("/dev/mux", O_RDWR);
	up(other, byte_msg(M_HANGUP, 0));
	FAILS(U_IOCTL(mux, I_LINK, other), EINVAL);
	up(mux, byte_msg(M_HANGUP, 0));
	other = U_OPEN("/dev/loop", O_RDWR);
	FAILS(U_IOCTL(mux, I_LINK, other), ENXIO);
	FAILS(U_IOCTL(mux, I_UNLINK, MUXID_ALL), ENXIO);
	DONE;
}

PROGRAM(strlink, a_pipe_can_be_linked_below)
{
	int64_t mux = U_OPEN("/dev/mux", O_RDWR);
	int fd[2];
	char buf[8] = "";
	int64_t id;

	OK(U_PIPE(fd), 0);
	id = U_IOCTL(mux, I_LINK, fd[0]);
	cr_assert_gt(id, 0);
	OK(U_WRITE(mux, "down", 4), 4);
	OK(U_READ(fd[1], buf, 8), 4);
	OK(U_WRITE(fd[1], "up", 2), 2);
	OK(U_READ(mux, buf, 8), 2);
	OK(U_IOCTL(mux, I_UNLINK, id), 0);
	cr_assert_str_eq(fd_stream(fd[0])->sd_wrq->q_qinfo->qi_minfo->mi_idname, "fifostrwhead");
	OK(U_WRITE(fd[0], "end", 3), 3);
	OK(U_READ(fd[1], buf, 8), 3);
	DONE;
}

PROGRAM(strlink, closing_the_upper_stream_undoes_its_links)
{
	int64_t mux = U_OPEN("/dev/mux", O_RDWR), a = U_OPEN("/dev/loop", O_RDWR), b = U_OPEN("/dev/loop", O_RDWR);

	cr_assert_gt(U_IOCTL(mux, I_LINK, a), 0);
	cr_assert_gt(U_IOCTL(mux, I_LINK, b), 0);
	OK(U_CLOSE(b), 0);
	OK(U_CLOSE(mux), 0);
	cr_assert_eq(mux_links, 0);
	cr_assert_eq(loop_closes, 1);
	OK(U_WRITE(a, "x", 1), 1);
	DONE;
}

PROGRAM(strlink, unlink_by_number_and_all)
{
	int64_t mux = U_OPEN("/dev/mux", O_RDWR), other = U_OPEN("/dev/mux", O_RDWR), id[3];

	for (int i = 0; i < 3; i++)
		id[i] = U_IOCTL(mux, I_LINK, U_OPEN("/dev/loop", O_RDWR));
	FAILS(U_IOCTL(mux, I_UNLINK, 77), EINVAL);
	FAILS(U_IOCTL(other, I_UNLINK, id[1]), EINVAL);
	FAILS(U_IOCTL(mux, I_PUNLINK, id[1]), EINVAL);
	OK(U_IOCTL(mux, I_UNLINK, id[1]), 0);
	FAILS(U_IOCTL(mux, I_UNLINK, id[1]), EINVAL);
	mux_refuse = true;
	FAILS(U_IOCTL(mux, I_UNLINK, id[0]), EBUSY);
	mux_refuse = false;
	OK(U_IOCTL(mux, I_UNLINK, MUXID_ALL), 0);
	cr_assert_eq(mux_links, 0);
	OK(U_IOCTL(mux, I_UNLINK, MUXID_ALL), 0);
	DONE;
}

PROGRAM(strlink, persistent_links_survive_the_close)
{
	int64_t mux = U_OPEN("/dev/mux", O_RDWR), low = U_OPEN("/dev/loop", O_RDWR), id;

	id = U_IOCTL(mux, I_PLINK, low);
	cr_assert_gt(id, 0);
	cr_assert_null(mux_lb.l_qtop);
	cr_assert_not(fd_stream(mux)->sd_flag & STRHASLINKS);
	FAILS(U_IOCTL(mux, I_UNLINK, id), EINVAL);
	OK(U_CLOSE(low), 0);
	OK(U_CLOSE(mux), 0);
	cr_assert_eq(mux_links, 1);
	cr_assert_eq(loop_closes, 0);
	mux = U_OPEN("/dev/mux", O_RDWR);
	OK(U_IOCTL(mux, I_PUNLINK, id), 0);
	cr_assert_eq(loop_closes, 1);
	DONE;
}

PROGRAM(strlink, a_persistent_link_nobody_undoes_ends_with_the_kernel)
{
	int64_t mux = U_OPEN("/dev/mux", O_RDWR);

	cr_assert_gt(U_IOCTL(mux, I_PLINK, U_OPEN("/dev/loop", O_RDWR)), 0);
	DONE;
}

/* ---- what comes up while the link is made ---- */

static int busy_wput(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) == M_IOCTL) {
		/* The lower stream talks in the middle of it. */
		putnext(fd_driver(1), st_msg(M_DATA, "impatient"));
		st_note("asked");
	}
	putnext(q, mp);
	return 0;
}
static struct qinit busy_winit = {.qi_putp = busy_wput, .qi_minfo = &pass_info};
static struct streamtab busy_tab = {&pass_rinit, &busy_winit, NULL, NULL};
STREAMS_MODULE(busy, "busy", &busy_tab, D_MP);

PROGRAM(strlink, messages_from_below_wait_until_the_link_is_made)
{
	int64_t mux = U_OPEN("/dev/mux", O_RDWR), low = U_OPEN("/dev/loop", O_RDWR);

	OK(mux, 0);
	OK(low, 1);
	OK(U_IOCTL(mux, I_PUSH, "busy"), 0);
	cr_assert_gt(U_IOCTL(mux, I_LINK, low), 0);
	st_expect("asked lrput:impatient");
	DONE;
}

PROGRAM(strlink, a_message_sent_down_by_the_driver_opens_the_way_up)
{
	int64_t mux = U_OPEN("/dev/mux", O_RDWR), low = U_OPEN("/dev/loop", O_RDWR);

	mux_early = true;
	cr_assert_gt(U_IOCTL(mux, I_LINK, low), 0);
	st_expect("lrput:early");
	DONE;
}

/* ---- services of a linked queue ---- */

PROGRAM(strlink, the_lower_write_service_runs_on_the_lower_stream)
{
	int64_t mux = U_OPEN("/dev/mux", O_RDWR), low = U_OPEN("/dev/loop", O_RDWR);
	char c;

	cr_assert_gt(U_IOCTL(mux, I_LINK, low), 0);
	loop_stackdepth = 7;
	OK(U_WRITE(mux, "x", 1), 1);
	OK(U_READ(mux, &c, 1), 1);
	cr_assert_str_eq(loop_stack,
			 "putnext < mux_lwsrv < runservice < queue_service < stream_service < taskq_d_thread");
	DONE;
}

/* ---- from the kernel ---- */

static int kernel_done;
static void kernel_links(void *arg)
{
	vnode_t *mux, *low;
	int id = 0;

	(void)arg;
	cr_assert_eq(vn_open_dev("/dev/mux", FREAD | FWRITE, &mux), 0);
	cr_assert_eq(vn_open_dev("/dev/loop", FREAD | FWRITE, &low), 0);
	mux_refuse = true;
	cr_assert_eq(kern_link(mux, low, I_PLINK, &id), EBUSY);
	mux_refuse = false;
	cr_assert_eq(kern_link(mux, low, I_PLINK, &id), 0);
	cr_assert_gt(id, 0);
	cr_assert_eq(kern_ioctl(mux, I_PUNLINK, id, NULL), 0);
	cr_assert_eq(loop_closes, 1, "the link had the only reference");
	cr_assert_eq(vn_close_dev(mux, FREAD | FWRITE), 0);
	kernel_done = 1;
}

Test(strlink, kernel_code_links_too)
{
	st_thread(kernel_links, NULL);
	cr_assert(kernel_done);
}

PROGRAM(strlink, no_memory)
{
	int64_t mux = U_OPEN("/dev/mux", O_RDWR), low = U_OPEN("/dev/loop", O_RDWR), id = -1;
	int failed = 0;

	for (int n = 1; n < 20 && id < 0; n++) {
		kmem_fail_nth(n);
		id = U_IOCTL(mux, I_LINK, low);
		kmem_fail_nth(0);
		failed += id < 0;
		cr_assert(id >= 0 || user_errno() == EAGAIN);
	}
	cr_assert(failed >= 2 && failed < 18);
	OK(U_IOCTL(mux, I_UNLINK, id), 0);
	OK(U_WRITE(low, "x", 1), 1);
	DONE;
}

/* The kernel cannot link below a stream that is below another one, either. */
PROGRAM(strlink, kernel_links_not_below_linked_stream)
{
	int64_t mux = U_OPEN("/dev/mux", O_RDWR), low = U_OPEN("/dev/mux2", O_RDWR);
	vnode_t *upper = fd_stream(low)->sd_vnode, *other;
	int id = 0;

	cr_assert_gt(U_IOCTL(mux, I_LINK, low), 0);
	cr_assert_eq(vn_open_dev("/dev/loop", FREAD | FWRITE, &other), 0);
	cr_assert_eq(kern_link(upper, other, I_PLINK, &id), EINVAL);
	cr_assert_eq(vn_close_dev(other, FREAD | FWRITE), 0);
	DONE;
}
