/* Plumbing: pairs, links, perimeters by flags, open and close. */
#include "strtest.h"
#include "sys/cmn_err.h"
#include "sys/errno.h"

STR_SUITE(plumb);

static int srv(queue_t *q)
{
	(void)q;
	return 0;
}

STR_MODULE(one, st_passput, NULL, st_passput, NULL, 100, 20, D_MP);
STR_MODULE(two, st_passput, srv, st_passput, srv, 200, 30, D_MP | D_MTQPAIR);
STR_MODULE(drv, st_passput, NULL, st_sinkput, NULL, 300, 40, D_MP);
STREAMS_MODULE(one, "one", &one_tab, D_MP);
STREAMS_DRIVER(drvx, "drvx", &drv_tab, D_MP, "/dev/drvx=0", NULL);

static stdata_t *stp;

Test(plumb, allocq_makes_a_pair)
{
	queue_t *rq = allocq(), *wq = rq + 1;

	cr_assert_eq(RD(rq), rq);
	cr_assert_eq(WR(rq), wq);
	cr_assert_eq(RD(wq), rq);
	cr_assert_eq(WR(wq), wq);
	cr_assert_eq(OTHERQ(rq), wq);
	cr_assert_eq(OTHERQ(wq), rq);
	cr_assert_eq(rq->q_syncq, wq->q_syncq);
	cr_assert_eq(rq->q_nfsrv, rq);
	cr_assert_eq(SAMESTR(rq), 0);
	cr_assert_eq(SAMESTR(wq), 0);
	freeq(rq);
	kmem_fail_nth(1);
	cr_assert_null(allocq());
}

Test(plumb, setq_takes_the_limits_over)
{
	queue_t *rq = allocq();

	setq(rq, &two_rinit, &two_winit, D_MP | D_MTQPAIR, NULL, NULL);
	cr_assert_eq(rq->q_qinfo, &two_rinit);
	cr_assert_eq(_WR(rq)->q_qinfo, &two_winit);
	cr_assert_eq(rq->q_hiwat, 200);
	cr_assert_eq(rq->q_lowat, 30);
	cr_assert_eq(rq->q_minpsz, 0);
	cr_assert_eq(rq->q_maxpsz, INFPSZ);
	cr_assert(rq->q_flag & QWANTR);
	cr_assert(_WR(rq)->q_flag & QWANTR);
	cr_assert(rq->q_flag & QREADR);
	cr_assert_eq(_WR(rq)->q_flag & QREADR, 0);
	freeq(rq);
}

/* ---- flags ---- */

Test(plumb, flags_make_perimeters)
{
	static const struct {
		int mt;
		uint_t qflag, type;
	} ok[] = {
	    {D_MP, QMTSAFE, SQ_CI | SQ_CO},
	    {D_MP | D_MTPERQ, QPERQ, SQ_CO},
	    {D_MP | D_MTQPAIR, QPAIR, SQ_CO},
	    {D_MP | D_MTPERMOD, QPERMOD, SQ_CO | SQ_PERMOD},
	    {D_MP | D_MTQPAIR | D_MTPUTSHARED, QPAIR, SQ_CO | SQ_CIPUT},
	    {D_MP | D_MTPERMOD | D_MTPUTSHARED, QPERMOD, SQ_CO | SQ_PERMOD | SQ_CIPUT},
	    {D_MP | D_MTQPAIR | D_MTPUTSHARED | _D_MTOCSHARED, QPAIR, SQ_CO | SQ_CIPUT | SQ_CIOC},
	    {D_MP | D_MTQPAIR | D_MTPUTSHARED | _D_MTCBSHARED, QPAIR, SQ_CO | SQ_CIPUT | SQ_CICB},
	    {D_MP | D_MTPERMOD | D_MTPUTSHARED | _D_MTSVCSHARED, QPERMOD, SQ_CO | SQ_PERMOD | SQ_CIPUT | SQ_CISVC},
	    {D_MP | D_MTOUTPERIM, QMTSAFE | QMTOUTPERIM, SQ_CI | SQ_CO},
	    {D_MP | D_MTQPAIR | D_MTOUTPERIM, QPAIR | QMTOUTPERIM, SQ_CO},
	    {D_MP | D_MTOUTPERIM | D_MTOCEXCL, QMTSAFE | QMTOUTPERIM, SQ_CI | (SQ_CO & ~SQ_COOC)},
	    {D_MP | D_SYNCSTR, QMTSAFE, SQ_CI | SQ_CO},
	};

	for (size_t i = 0; i < sizeof(ok) / sizeof(ok[0]); i++) {
		uint_t qflag = 0, type = 0;

		cr_assert_eq(devflg_to_qflag(ok[i].mt, &qflag, &type), 0);
		cr_assert_eq(qflag, ok[i].qflag, "flags %#x gave q_flag %#x", (uint_t)ok[i].mt, qflag);
		cr_assert_eq(type, ok[i].type, "flags %#x gave sq_type %#x", (uint_t)ok[i].mt, type);
	}
}

static void console(const char *line)
{
	cr_assert_eq(strncmp(line, "WARNING: ", 9), 0);
	st_note("!");
}

Test(plumb, flags_that_do_not_go_together)
{
	static const int bad[] = {0,
				  D_MTQPAIR,
				  D_MP | D_MTPUTSHARED,
				  D_MP | _D_MTOCSHARED,
				  D_MP | _D_MTCBSHARED,
				  D_MP | _D_MTSVCSHARED,
				  D_MP | D_MTQPAIR | _D_MTOCSHARED,
				  D_MP | D_MTQPAIR | _D_MTCBSHARED,
				  D_MP | D_MTQPAIR | D_MTPUTSHARED | _D_MTSVCSHARED,
				  D_MP | D_MTPERMOD | _D_MTSVCSHARED,
				  D_MP | D_MTOCEXCL,
				  D_MP | D_MTQPAIR | D_MTOCEXCL,
				  D_MP | D_MTPERMOD | D_MTOUTPERIM};
	queue_t *rq = allocq();

	console_func = console;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		cr_assert_eq(setq_str(rq, &one_rinit, &one_winit, &one_tab, bad[i]), EINVAL, "flags %#x",
			     (uint_t)bad[i]);
		st_expect("!");
	}
	console_func = NULL;
	freeq(rq);
}

Test(plumb, a_module_with_bad_flags_is_not_attached)
{
	static const fmodsw_t bad = {"bad", &one_tab, D_MTQPAIR};
	dev_t dev = 0;

	console_func = console;
	stp = st_open();
	st_drive(stp, &drv_dev);
	cr_assert_eq(qattach(_RD(stp->sd_wrq), &dev, 0, kcred, &bad, NULL), EINVAL);
	cr_assert_eq(stp->sd_pushcnt, 0);
	console_func = NULL;
	st_close(stp);
}

Test(plumb, perimeters_can_change)
{
	queue_t *rq = allocq(), *rq2 = allocq();
	syncq_t *own = rq->q_syncq;

	cr_assert_eq(setq_str(rq, &one_rinit, &one_winit, &one_tab, D_MP | D_MTPERMOD), 0);
	cr_assert_eq(setq_str(rq2, &one_rinit, &one_winit, &one_tab, D_MP | D_MTPERMOD), 0);
	cr_assert_neq(rq->q_syncq, own);
	cr_assert_eq(rq->q_syncq, rq2->q_syncq);
	cr_assert_eq(rq->q_syncq, _WR(rq)->q_syncq);
	cr_assert_eq(setq_str(rq, &one_rinit, &one_winit, &one_tab, D_MP | D_MTPERQ), 0);
	cr_assert_eq(rq->q_syncq, own);
	cr_assert_neq(_WR(rq)->q_syncq, own);
	cr_assert_eq(setq_str(rq, &one_rinit, &one_winit, &two_tab, D_MP | D_MTQPAIR | D_MTPUTSHARED | D_MTOUTPERIM),
		     0);
	cr_assert_eq(_WR(rq)->q_syncq, own);
	cr_assert_eq(own->sq_flags, SQ_CIPUT);
	cr_assert_not_null(own->sq_outer);
	cr_assert_eq(own->sq_outer->sq_onext, own);
	setq(rq, &st_head_rinit, &st_head_winit, D_MP, NULL, NULL);
	cr_assert_null(own->sq_outer);
	cr_assert_eq(own->sq_type, SQ_CI | SQ_CO);
	cr_assert_eq(rq->q_flag & (QPERMOD | QPAIR | QPERQ | QMTSAFE | QMTOUTPERIM), QMTSAFE);
	freeq(rq);
	freeq(rq2);
}

/* ---- tables ---- */

Test(plumb, modules_and_drivers_are_found_by_name)
{
	const devsw_t *dp = devsw_find("drvx");

	cr_assert_eq(fmodsw_find("one")->f_str, &one_tab);
	cr_assert_null(fmodsw_find("nothing"));
	cr_assert_null(fmodsw_find("on"));
	cr_assert_null(devsw_find("nothing"));
	cr_assert_eq(dp->d_str, &drv_tab);
	cr_assert_gt(devsw_major(dp), 0);
	cr_assert_eq(devsw_bymajor(devsw_major(dp)), dp);
	cr_assert_null(devsw_bymajor(0));
	cr_assert_null(devsw_bymajor(-1));
	cr_assert_null(devsw_bymajor(100000));
}

/* ---- links ---- */

Test(plumb, push_and_pop)
{
	queue_t *rq1, *rq2;

	stp = st_open();
	st_drive(stp, &drv_dev);
	cr_assert_eq(stp->sd_pushcnt, 0);
	rq1 = st_push(stp, &one_mod);
	rq2 = st_push(stp, &two_mod);
	cr_assert_eq(stp->sd_pushcnt, 2);
	cr_assert_eq(rq2->q_stream, stp);
	cr_assert_eq(rq2->q_fp, &two_mod);
	cr_assert_eq(rq2->q_flag & QISDRV, 0);
	putnext(stp->sd_wrq, st_msg(M_DATA, "m"));
	st_expect("drv:m");
	for (queue_t *q = stp->sd_wrq; q->q_next != NULL; q = q->q_next)
		cr_assert_eq(SAMESTR(q), 1);
	cr_assert_eq(SAMESTR(_WR(rq1)->q_next), 0);
	cr_assert(_WR(rq1)->q_next->q_flag & QISDRV);
	cr_assert_eq(rq1->q_next, rq2);
	cr_assert_eq(rq2->q_next, _RD(stp->sd_wrq));
	/* The one in the middle goes. */
	qdetach(rq1, 1, 0, kcred);
	cr_assert_eq(stp->sd_pushcnt, 1);
	cr_assert_eq(_WR(rq2)->q_next->q_qinfo, &drv_winit);
	cr_assert_eq(RD(_WR(rq2)->q_next)->q_next, rq2);
	putnext(stp->sd_wrq, st_msg(M_DATA, "n"));
	put(RD(_WR(rq2)->q_next), st_msg(M_DATA, "u"));
	st_expect("drv:n head:u");
	st_close(stp);
}

Test(plumb, nfsrv_is_the_nearest_service_procedure_ahead)
{
	queue_t *d, *rq1, *rq2, *rq3, *head;

	stp = st_open();
	head = _RD(stp->sd_wrq);
	d = st_drive(stp, &drv_dev);
	cr_assert_eq(d->q_nfsrv, head);
	cr_assert_eq(_WR(d)->q_nfsrv, _WR(d));
	rq1 = st_push(stp, &one_mod);
	cr_assert_eq(rq1->q_nfsrv, head);
	cr_assert_eq(_WR(rq1)->q_nfsrv, _WR(d));
	rq2 = st_push(stp, &two_mod);
	rq3 = st_push(stp, &one_mod);
	cr_assert_eq(d->q_nfsrv, rq2);
	cr_assert_eq(rq1->q_nfsrv, rq2);
	cr_assert_eq(rq2->q_nfsrv, rq2);
	cr_assert_eq(rq3->q_nfsrv, head);
	cr_assert_eq(_WR(rq3)->q_nfsrv, _WR(rq2));
	cr_assert_eq(_WR(rq2)->q_nfsrv, _WR(rq2));
	cr_assert_eq(_WR(rq1)->q_nfsrv, _WR(d));
	cr_assert_eq(stp->sd_wrq->q_nfsrv, stp->sd_wrq);
	cr_assert_eq(head->q_nfsrv, head);
	qdetach(rq2, 1, 0, kcred);
	cr_assert_eq(d->q_nfsrv, head);
	cr_assert_eq(rq1->q_nfsrv, head);
	cr_assert_eq(_WR(rq3)->q_nfsrv, _WR(d));
	st_close(stp);
}

Test(plumb, two_streams_end_to_end)
{
	stdata_t *a = st_open(), *b = st_open();
	queue_t *aw = a->sd_wrq, *bw = b->sd_wrq, *m, *n;

	/* As pipe(2) does it. */
	aw->q_next = _RD(bw);
	bw->q_next = _RD(aw);
	set_qend(aw);
	set_qend(bw);
	set_nfsrv(aw);
	set_nfsrv(bw);
	cr_assert_eq(SAMESTR(aw), 0);
	cr_assert_eq(backq(_RD(aw)), bw);
	m = st_push(a, &one_mod);
	cr_assert_eq(aw->q_next, _WR(m));
	cr_assert_eq(_WR(m)->q_next, _RD(bw));
	cr_assert_eq(bw->q_next, m);
	cr_assert_eq(m->q_next, _RD(aw));
	cr_assert_eq(SAMESTR(aw), 1);
	cr_assert_eq(SAMESTR(_WR(m)), 0);
	cr_assert_eq(SAMESTR(bw), 0);
	n = st_push(b, &two_mod);
	cr_assert_eq(bw->q_next, _WR(n));
	cr_assert_eq(_WR(n)->q_next, m);
	cr_assert_eq(_WR(m)->q_next, n);
	cr_assert_eq(n->q_next, _RD(bw));
	cr_assert_eq(aw->q_next->q_nfsrv, n);
	putnext(aw, st_msg(M_DATA, "ab"));
	putnext(bw, st_msg(M_DATA, "ba"));
	st_expect("head:ab head:ba");
	qdetach(m, 1, 0, kcred);
	cr_assert_eq(aw->q_next, n);
	cr_assert_eq(_WR(n)->q_next, _RD(aw));
	qdetach(n, 1, 0, kcred);
	cr_assert_eq(aw->q_next, _RD(bw));
	cr_assert_eq(bw->q_next, _RD(aw));
	cr_assert_eq(SAMESTR(aw), 0);
	aw->q_next = bw->q_next = NULL;
	st_close(a);
	st_close(b);
}

/* ---- open and close ---- */

static int open_error;
static bool open_links = true;
static dev_t open_dev;
static int open_oflag, open_sflag;

static int cfgopen(queue_t *q, dev_t *devp, int oflag, int sflag, cred_t *cr)
{
	cr_assert_eq(cr, kcred);
	open_oflag = oflag;
	open_sflag = sflag;
	open_dev = *devp;
	if (sflag == CLONEOPEN)
		*devp = makedevice(getmajor(*devp), 7);
	if (open_links)
		qprocson(q);
	return open_error;
}

static int cfgclose(queue_t *q, int flag, cred_t *cr)
{
	cr_assert_eq(cr, kcred);
	st_notef("close:%x", (uint_t)flag);
	if (open_links)
		qprocsoff(q);
	return 0;
}

static struct qinit cfg_rinit = {st_passput, NULL, cfgopen, cfgclose, NULL, &drv_info, NULL};
static struct streamtab cfg_tab = {&cfg_rinit, &drv_winit, NULL, NULL};
static const fmodsw_t cfg_mod = {"cfg", &cfg_tab, D_MP | D_MTQPAIR};
static const devsw_t cfg_dev = {.d_name = "cfg", .d_str = &cfg_tab, .d_flag = D_MP | D_MTPERQ};
STREAMS_DRIVER(cfg, "cfg", &cfg_tab, D_MP | D_MTPERMOD, "", NULL);

Test(plumb, open_arguments)
{
	dev_t dev = makedevice(3, 4);
	const devsw_t *dp = devsw_find("cfg");

	stp = st_open();
	cr_assert_eq(qattach(_RD(stp->sd_wrq), &dev, 0x12, kcred, NULL, &cfg_dev), 0);
	cr_assert_eq(open_sflag, 0);
	cr_assert_eq(open_oflag, 0x12);
	cr_assert_eq(open_dev, makedevice(3, 4));
	cr_assert_eq(dev, makedevice(3, 4));
	cr_assert_eq(qattach(_RD(stp->sd_wrq), &dev, 0x12, kcred, &cfg_mod, NULL), 0);
	cr_assert_eq(open_sflag, MODOPEN);
	cr_assert_eq(qreopen(_RD(stp->sd_wrq->q_next), &dev, 0x34, kcred), 0);
	cr_assert_eq(open_sflag, MODOPEN);
	cr_assert_eq(open_oflag, 0, "a module is not told");
	cr_assert_eq(qreopen(_RD(stp->sd_wrq->q_next->q_next), &dev, 0x34, kcred), 0);
	cr_assert_eq(open_sflag, 0);
	cr_assert_eq(open_oflag, 0x34);
	open_error = EBUSY;
	cr_assert_eq(qreopen(_RD(stp->sd_wrq->q_next), &dev, 0x34, kcred), EBUSY);
	st_noted();
	st_close(stp);
	st_expect("close:0 close:0");
	open_error = 0;
	stp = st_open();
	dev = makedevice(CLONE_MAJOR, devsw_major(dp));
	cr_assert_eq(qattach(_RD(stp->sd_wrq), &dev, 0, kcred, NULL, dp), 0);
	cr_assert_eq(open_sflag, CLONEOPEN);
	cr_assert_eq(open_dev, makedevice(devsw_major(dp), 0));
	cr_assert_eq(dev, makedevice(devsw_major(dp), 7));
	st_close(stp);
}

Test(plumb, an_open_that_fails_leaves_nothing)
{
	dev_t dev = makedevice(3, 4);

	stp = st_open();
	st_drive(stp, &drv_dev);
	open_error = ENXIO;
	for (int links = 0; links < 2; links++) {
		open_links = links;
		cr_assert_eq(qattach(_RD(stp->sd_wrq), &dev, 0, kcred, &cfg_mod, NULL), ENXIO);
		cr_assert_eq(stp->sd_pushcnt, 0);
		cr_assert_eq(stp->sd_wrq->q_next->q_qinfo, &drv_winit);
		cr_assert_eq(RD(stp->sd_wrq->q_next)->q_next, _RD(stp->sd_wrq));
	}
	kmem_fail_nth(1);
	cr_assert_eq(qattach(_RD(stp->sd_wrq), &dev, 0, kcred, &cfg_mod, NULL), ENOSR);
	st_expect("");
	st_close(stp);
}

Test(plumb, procedures_that_forget_qprocson)
{
	stp = st_open();
	st_drive(stp, &drv_dev);
	open_links = false;
	st_push(stp, &cfg_mod);
	cr_assert_eq(stp->sd_pushcnt, 1);
	qdetach(_RD(stp->sd_wrq->q_next), 1, 0x5, kcred);
	st_expect("close:5");
	cr_assert_eq(stp->sd_pushcnt, 0);
	cr_assert_eq(stp->sd_wrq->q_next->q_qinfo, &drv_winit);
	st_close(stp);
}

Test(plumb, queued_messages_and_bands_go_with_the_queue)
{
	queue_t *q;

	stp = st_open();
	q = st_drive(stp, &drv_dev);
	putq(q, st_msg(M_DATA, "a"));
	putq(q, st_band(9, "b"));
	putq(_WR(q), st_msg(M_PCSIG, "c"));
	st_close(stp);
}

Test(plumb, push_wakes_who_was_refused_below_it)
{
	queue_t *d;

	stp = st_open();
	d = _WR(st_drive(stp, &drv_dev));
	for (int i = 0; i < 300; i++)
		putq(d, st_msg(M_DATA, "x"));
	cr_assert_eq(canputnext(stp->sd_wrq), 0);
	st_push(stp, &two_mod);
	cr_assert_eq(canputnext(stp->sd_wrq), 1);
	machine_run_ready();
	st_expect("wsrv+back");
	st_close(stp);
}

Test(plumb, pop_wakes_who_was_refused)
{
	queue_t *m;

	stp = st_open();
	st_drive(stp, &drv_dev);
	m = st_push(stp, &two_mod);
	noenable(_WR(m));
	for (int i = 0; i < 200; i++)
		putq(_WR(m), st_msg(M_DATA, "x"));
	putq(_WR(m), st_band(2, "y"));
	strqset(_WR(m), QHIWAT, 2, 1);
	putq(_WR(m), st_band(2, "z"));
	cr_assert_eq(canputnext(stp->sd_wrq), 0);
	cr_assert_eq(bcanputnext(stp->sd_wrq, 2), 0);
	machine_run_ready();
	st_noted();
	qdetach(m, 1, 0, kcred);
	machine_run_ready();
	st_expect("wsrv+back +bandback");
	st_close(stp);
}

/* insertq() and removeq() wait for those who rely on the links. */
static void push_thread(void *arg)
{
	st_push(arg, &one_mod);
	st_note("pushed");
}

Test(plumb, links_stay_while_the_stream_is_claimed)
{
	stp = st_open();
	st_drive(stp, &drv_dev);
	claimstr(stp->sd_wrq);
	st_thread(push_thread, stp);
	st_expect("");
	cr_assert_eq(stp->sd_wrq->q_next->q_qinfo, &drv_winit);
	releasestr(stp->sd_wrq);
	machine_run_ready();
	st_expect("pushed");
	cr_assert_eq(stp->sd_wrq->q_next->q_qinfo, &one_winit);
	st_close(stp);
}
