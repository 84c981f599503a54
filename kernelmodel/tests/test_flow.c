/* Flow control: water marks, want flags, back-enabling. */
#include "strtest.h"

STR_SUITE(flow);

/* A service procedure that notes that it ran and leaves its queue alone. */
static int srv(queue_t *q)
{
	st_notef("%s%s%s", q->q_qinfo->qi_minfo->mi_idname, q->q_flag & QREADR ? "-r" : "-w",
		 q->q_flag & QBACK ? "+back" : "");
	for (qband_t *qbp = q->q_bandp; qbp != NULL; qbp = qbp->qb_next)
		if (qbp->qb_flag & QB_BACK)
			st_note("+bandback");
	return 0;
}

STR_MODULE(drv, st_passput, srv, st_sinkput, srv, 10, 4, D_MP);
STR_MODULE(thin, st_passput, NULL, st_passput, NULL, 10, 4, D_MP);
STR_MODULE(thick, st_passput, srv, st_passput, srv, 10, 4, D_MP);

static stdata_t *stp;
static queue_t *q; /* the driver's write queue */

static void setup(void)
{
	stp = st_open();
	q = _WR(st_drive(stp, &drv_dev));
	noenable(q); /* what runs, runs for want of room */
}

/* Bytes onto q. */
static void load(int pri, int n)
{
	mblk_t *mp = st_band(pri, "");

	mp->b_wptr += n;
	putq(q, mp);
}

static void unload(void)
{
	freemsg(getq(q));
}

/* What the service procedures that are due say. */
#define st_expect_service(s)            \
	do {                            \
		stream_runservice(stp); \
		st_expect(s);           \
	} while (0)

Test(flow, full_from_the_high_water_mark_on)
{
	setup();
	load(0, 9);
	cr_assert_eq(canput(q), 1);
	cr_assert_eq(q->q_flag & QWANTW, 0);
	load(0, 1);
	cr_assert(q->q_flag & QFULL);
	cr_assert_eq(canput(q), 0);
	cr_assert(q->q_flag & QWANTW);
	unload();
	cr_assert_eq(q->q_flag & QFULL, 0, "1 < 10");
	st_close(stp);
}

Test(flow, blocks_count_too)
{
	setup();
	for (int i = 0; i < 9; i++)
		load(0, 0);
	cr_assert_eq(canput(q), 1);
	load(0, 0);
	cr_assert_eq(canput(q), 0, "ten blocks without a byte");
	unload();
	cr_assert_eq(canput(q), 1);
	st_close(stp);
}

Test(flow, a_message_of_many_blocks)
{
	mblk_t *mp = NULL;

	setup();
	for (int i = 0; i < 5; i++) {
		mblk_t *bp = st_msg(M_DATA, "x");

		bp->b_cont = mp;
		mp = bp;
	}
	putq(q, mp);
	cr_assert_eq(q->q_count, 5);
	cr_assert_eq(q->q_mblkcnt, 5);
	rmvq(q, mp);
	cr_assert_eq(q->q_count, 0);
	cr_assert_eq(q->q_mblkcnt, 0);
	freemsg(mp);
	st_close(stp);
}

Test(flow, enabled_below_the_low_water_mark)
{
	setup();
	load(0, 4);
	load(0, 2);
	load(0, 3);
	load(0, 3);
	cr_assert_eq(canputnext(stp->sd_wrq), 0);
	unload(); /* 8 left */
	cr_assert(!(q->q_flag & QFULL));
	cr_assert(q->q_flag & QWANTW);
	st_expect_service("");
	unload(); /* 6 */
	st_expect_service("");
	unload(); /* 3 < 4 */
	cr_assert_eq(q->q_flag & QWANTW, 0);
	st_expect_service("wsrv+back");
	unload();
	st_expect_service("");
	cr_assert_eq(stp->sd_wrq->q_flag & QBACK, 0, "cleared when the service is done");
	st_close(stp);
}

Test(flow, the_low_water_mark_counts_blocks_too)
{
	setup();
	for (int i = 0; i < 10; i++)
		load(0, 0);
	canput(q);
	for (int i = 0; i < 6; i++)
		unload();
	st_expect_service(""); /* 4 blocks left, not < 4 */
	unload();
	st_expect_service("wsrv+back");
	st_close(stp);
}

Test(flow, low_water_mark_zero)
{
	setup();
	strqset(q, QLOWAT, 0, 0);
	load(0, 5);
	load(0, 5);
	canput(q);
	unload();
	st_expect_service("wsrv+back");
	st_close(stp);
}

Test(flow, nobody_waits_nobody_is_enabled)
{
	setup();
	load(0, 10);
	unload();
	st_expect_service("");
	st_close(stp);
}

Test(flow, getq_noenab_leaves_it_to_the_caller)
{
	setup();
	load(0, 10);
	canput(q);
	freemsg(getq_noenab(q));
	st_expect_service("");
	qbackenable(q, 0);
	st_expect_service("wsrv+back");
	qbackenable(q, 0);
	st_expect_service("");
	st_close(stp);
}

Test(flow, looks_through_queues_without_service)
{
	queue_t *thin, *thick;

	setup();
	thin = _WR(st_push(stp, &thin_mod));
	cr_assert_eq(thin->q_nfsrv, q);
	load(0, 10);
	cr_assert_eq(canputnext(stp->sd_wrq), 0);
	cr_assert_eq(canput(thin), 0);
	cr_assert(q->q_flag & QWANTW);
	cr_assert_eq(thin->q_flag & QWANTW, 0);
	unload();
	st_expect_service("wsrv+back");
	thick = _WR(st_push(stp, &thick_mod));
	load(0, 10);
	cr_assert_eq(canputnext(stp->sd_wrq), 1, "the module with a service procedure has room");
	cr_assert_eq(canputnext(thick), 0);
	unload();
	st_expect_service("thick-w+back");
	st_close(stp);
}

Test(flow, bands_are_controlled_apart)
{
	setup();
	cr_assert_eq(bcanput(q, 5), 1, "a band that does not exist has room");
	load(2, 10);
	cr_assert_eq(bcanput(q, 2), 0);
	cr_assert_eq(bcanput(q, 1), 1);
	cr_assert_eq(bcanput(q, 0), 1);
	cr_assert_eq(bcanput(q, 3), 1);
	cr_assert_eq(bcanputnext(stp->sd_wrq, 2), 0);
	cr_assert_eq(bcanput(NULL, 0), 0);
	load(0, 10);
	cr_assert_eq(bcanput(q, 0), 0);
	cr_assert_eq(bcanputnext(stp->sd_wrq, 0), 0);
	unload(); /* the band's */
	st_expect_service("wsrv +bandback");
	unload();
	st_expect_service("wsrv+back");
	cr_assert_eq(bcanput(q, 2), 1);
	st_close(stp);
}

Test(flow, band_marks)
{
	setup();
	strqset(q, QHIWAT, 1, 6);
	strqset(q, QLOWAT, 1, 2);
	load(1, 2);
	load(1, 3);
	cr_assert_eq(bcanput(q, 1), 1);
	load(1, 1);
	cr_assert_eq(bcanput(q, 1), 0);
	unload();
	cr_assert_eq(q->q_bandp->qb_flag, QB_WANTW, "4 < 6: not full");
	unload();
	cr_assert_eq(q->q_bandp->qb_flag, 0);
	st_close(stp);
}

Test(flow, flushing_makes_room)
{
	setup();
	load(0, 10);
	load(1, 10);
	load(2, 10);
	canput(q);
	bcanput(q, 2);
	flushq(q, FLUSHALL);
	cr_assert_eq(q->q_flag & (QFULL | QWANTW), 0);
	cr_assert_eq(bcanput(q, 2), 1);
	stream_runservice(stp);
	cr_assert(strlen(st_noted()) > 0);
	load(2, 10);
	bcanput(q, 2);
	flushband(q, 2, FLUSHALL);
	stream_runservice(stp);
	cr_assert(strlen(st_noted()) > 0);
	load(0, 10);
	canput(q);
	flushband(q, 0, FLUSHALL);
	st_expect_service("wsrv+back");
	st_close(stp);
}

Test(flow, back_enable_goes_to_the_nearest_service_procedure)
{
	queue_t *rq;

	setup();
	st_push(stp, &thin_mod);
	rq = _RD(stp->sd_wrq);
	backenable(rq, 0); /* the read side: the driver's */
	st_expect_service("drv-r+back");
	backenable(rq, 3);
	st_expect_service("drv-r +bandback");
	backenable(_WR(rq), 0); /* nobody is behind the head */
	st_expect_service("");
	cr_assert_eq(backq(q), stp->sd_wrq->q_next);
	cr_assert_eq(backq(stp->sd_wrq->q_next), stp->sd_wrq);
	cr_assert_null(backq(stp->sd_wrq));
	cr_assert_null(backq(RD(q)));
	cr_assert_eq(backq(rq), RD(stp->sd_wrq->q_next));
	st_close(stp);
}
