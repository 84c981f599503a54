/* Answers to ioctls, M_ERROR and block exchange. */
#include "strtest.h"
#include "sys/errno.h"

STR_SUITE(strsun);

static mblk_t *got; /* what came up to the head */

static int headrput(queue_t *q, mblk_t *mp)
{
	(void)q;
	cr_assert_null(got);
	got = mp;
	return 0;
}

STR_MODULE(drv, st_passput, NULL, st_sinkput, NULL, 100, 20, D_MP);
static struct qinit catch_rinit = {.qi_putp = headrput, .qi_minfo = &st_head_info};

static stdata_t *stp;
static queue_t *wq;

static void setup(void)
{
	stp = st_open();
	setq(_RD(stp->sd_wrq), &catch_rinit, &st_head_winit, D_MP, NULL, NULL);
	wq = _WR(st_drive(stp, &drv_dev));
	got = NULL;
}

static void done(void)
{
	freemsg(got);
	st_close(stp);
}

static struct iocblk *ioc(const mblk_t *mp)
{
	return (struct iocblk *)mp->b_rptr;
}

/* An M_IOCTL with data. */
static mblk_t *request(const char *data)
{
	mblk_t *mp = mkiocb(77);

	if (data != NULL) {
		mp->b_cont = st_msg(M_DATA, data);
		ioc(mp)->ioc_count = (uint_t)strlen(data);
	}
	return mp;
}

Test(strsun, miocack)
{
	mblk_t *mp;
	uint_t id;

	setup();
	mp = request("data");
	id = ioc(mp)->ioc_id;
	ioc(mp)->ioc_error = 5;
	miocack(wq, mp, 3, 9);
	cr_assert_eq(got, mp);
	cr_assert_eq(DB_TYPE(mp), M_IOCACK);
	cr_assert_eq(ioc(mp)->ioc_count, 3);
	cr_assert_eq(ioc(mp)->ioc_rval, 9);
	cr_assert_eq(ioc(mp)->ioc_error, 0);
	cr_assert_eq(ioc(mp)->ioc_id, id);
	cr_assert_str_eq(st_text(mp->b_cont), "data.", "goes with it");
	done();
}

Test(strsun, miocnak)
{
	mblk_t *mp;

	setup();
	mp = request(NULL);
	ioc(mp)->ioc_rval = 4;
	miocnak(wq, mp, 0, EINVAL);
	cr_assert_eq(got, mp);
	cr_assert_eq(DB_TYPE(mp), M_IOCNAK);
	cr_assert_eq(ioc(mp)->ioc_count, 0);
	cr_assert_eq(ioc(mp)->ioc_error, EINVAL);
	cr_assert_eq(ioc(mp)->ioc_rval, 4, "not touched");
	done();
}

static char stack_[512];
static int stackput(queue_t *q, mblk_t *mp)
{
	strcpy(stack_, st_callers(3));
	return headrput(q, mp);
}

Test(strsun, frames_of_an_answer)
{
	setup();
	catch_rinit.qi_putp = stackput;
	miocack(wq, request(NULL), 0, 0);
	catch_rinit.qi_putp = headrput;
	cr_assert_str_eq(stack_, "putnext < qreply < miocack");
	done();
}

Test(strsun, mioc2ack_does_not_send)
{
	mblk_t *mp, *dp;

	setup();
	mp = request("old");
	dp = allocb(10, BPRI_MED);
	mioc2ack(mp, dp, 6, 2);
	cr_assert_null(got);
	cr_assert_eq(DB_TYPE(mp), M_IOCACK);
	cr_assert_eq(mp->b_cont, dp);
	cr_assert_eq(MBLKL(dp), 6);
	cr_assert_eq(ioc(mp)->ioc_count, 6);
	cr_assert_eq(ioc(mp)->ioc_rval, 2);
	mioc2ack(mp, NULL, 0, 0);
	cr_assert_null(mp->b_cont);
	cr_assert_eq(ioc(mp)->ioc_count, 0);
	freemsg(mp);
	done();
}

Test(strsun, miocpullup)
{
	mblk_t *mp;

	setup();
	mp = request("ab");
	cr_assert_eq(miocpullup(mp, 3), EINVAL);
	linkb(mp->b_cont, st_msg(M_DATA, "cd"));
	ioc(mp)->ioc_count = 4;
	cr_assert_eq(miocpullup(mp, 5), EINVAL);
	allocb_fail_nth(1);
	cr_assert_eq(miocpullup(mp, 3), ENOMEM);
	cr_assert_eq(miocpullup(mp, 3), 0);
	cr_assert_str_eq(st_text(mp->b_cont), "abc.d.");
	ioc(mp)->ioc_count = 5; /* says more than there is */
	cr_assert_eq(miocpullup(mp, 5), EINVAL);
	ioc(mp)->ioc_count = TRANSPARENT;
	cr_assert_eq(miocpullup(mp, 1), EINVAL);
	freemsg(mp);
	mp = request(NULL);
	ioc(mp)->ioc_count = 4;
	cr_assert_eq(miocpullup(mp, 4), EINVAL);
	freemsg(mp);
	done();
}

/* A transparent M_IOCTL with this argument. */
static mblk_t *transparent(void *arg)
{
	mblk_t *mp = mkiocb(77);

	mp->b_cont = allocb(sizeof(arg), BPRI_MED);
	*(void **)(void *)mp->b_cont->b_wptr = arg;
	mp->b_cont->b_wptr += sizeof(arg);
	ioc(mp)->ioc_count = TRANSPARENT;
	return mp;
}

Test(strsun, mcopyin)
{
	char there, private;
	mblk_t *mp;
	struct copyreq *cq;
	uint_t id;

	setup();
	mp = transparent(&there);
	id = ioc(mp)->ioc_id;
	mcopyin(mp, &private, 12, NULL);
	cq = (struct copyreq *)mp->b_rptr;
	cr_assert_eq(DB_TYPE(mp), M_COPYIN);
	cr_assert_eq(cq->cq_addr, &there);
	cr_assert_eq(cq->cq_size, 12);
	cr_assert_eq(cq->cq_private, (mblk_t *)&private);
	cr_assert_eq(cq->cq_flag, 0);
	cr_assert_eq(cq->cq_cmd, 77);
	cr_assert_eq(cq->cq_id, id);
	cr_assert_eq(cq->cq_cr, kcred);
	cr_assert_eq(MBLKL(mp), sizeof(*cq));
	cr_assert_null(mp->b_cont);
	mcopyin(mp, NULL, 3, &private);
	cr_assert_eq(cq->cq_addr, &private);
	cr_assert_null(cq->cq_private);
	freemsg(mp);
	done();
}

Test(strsun, mcopyout)
{
	char there;
	mblk_t *mp, *dp;
	struct copyreq *cq;

	setup();
	mp = transparent(&there);
	dp = st_msg(M_DATA, "result");
	mcopyout(mp, NULL, 6, NULL, dp);
	cq = (struct copyreq *)mp->b_rptr;
	cr_assert_eq(DB_TYPE(mp), M_COPYOUT);
	cr_assert_eq(cq->cq_addr, &there);
	cr_assert_eq(cq->cq_size, 6);
	cr_assert_eq(mp->b_cont, dp);
	mcopyout(mp, NULL, 5, &mp, NULL);
	cr_assert_eq(cq->cq_addr, (caddr_t)&mp);
	cr_assert_eq(mp->b_cont, dp, "kept");
	freemsg(mp);
	done();
}

Test(strsun, mexchange_recycles_or_replaces)
{
	mblk_t *mp, *nmp, *dup;

	setup();
	mp = st_msg(M_DATA, "hello");
	mp->b_cont = allocb(1, BPRI_MED);
	mp->b_rptr += 2;
	nmp = mexchange(wq, mp, 64, M_PCPROTO, 0x1234);
	cr_assert_eq(nmp, mp);
	cr_assert_eq(nmp->b_rptr, DB_BASE(nmp));
	cr_assert_eq(MBLKL(nmp), 64);
	cr_assert_eq(DB_TYPE(nmp), M_PCPROTO);
	cr_assert_eq(*(int32_t *)(void *)nmp->b_rptr, 0x1234);
	cr_assert_null(nmp->b_cont);
	nmp = mexchange(wq, nmp, 65, M_PROTO, -1);
	cr_assert_eq(MBLKL(nmp), 65);
	cr_assert_eq(DB_TYPE(nmp), M_PROTO);
	dup = dupb(nmp);
	nmp = mexchange(wq, nmp, 10, M_DATA, -1);
	cr_assert_neq(nmp->b_datap, dup->b_datap);
	freemsg(dup);
	freemsg(nmp);
	nmp = mexchange(wq, NULL, 10, M_DATA, -1);
	cr_assert_eq(MBLKL(nmp), 10);
	allocb_fail_nth(1);
	cr_assert_null(mexchange(wq, nmp, 1000, M_DATA, -1));
	cr_assert_eq(DB_TYPE(got), M_ERROR);
	cr_assert_eq(*got->b_rptr, ENOSR);
	done();
}

Test(strsun, merror)
{
	mblk_t *mp, *dup;

	setup();
	mp = st_msg(M_DATA, "hello");
	mp->b_cont = allocb(1, BPRI_MED);
	merror(wq, mp, EPROTO);
	cr_assert_eq(got, mp);
	cr_assert_eq(DB_TYPE(mp), M_ERROR);
	cr_assert_eq(MBLKL(mp), 1);
	cr_assert_eq(*mp->b_rptr, EPROTO);
	cr_assert_null(mp->b_cont);
	dup = dupb(mp);
	got = NULL;
	merror(wq, dup, EIO);
	cr_assert_neq(got->b_datap, mp->b_datap);
	freemsg(mp);
	freemsg(got);
	got = NULL;
	merror(wq, NULL, EIO);
	cr_assert_eq(*got->b_rptr, EIO);
	freemsg(got);
	got = NULL;
	allocb_fail_nth(-1);
	merror(wq, NULL, EIO);
	cr_assert_null(got);
	done();
}
