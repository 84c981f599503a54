/* Service procedures: who runs them, in which order, how often. */
#include "strtest.h"

STR_SUITE(sched);

static char stack_[1024];
static void (*act)(queue_t *);

static int srv(queue_t *q)
{
	strcpy(stack_, st_callers(5));
	st_notef("%s-%s", q->q_qinfo->qi_minfo->mi_idname, q->q_flag & QREADR ? "r" : "w");
	if (act != NULL)
		act(q);
	return 0;
}

static int qput(queue_t *q, mblk_t *mp)
{
	putq(q, mp);
	return 0;
}

STR_MODULE(a, qput, srv, qput, srv, 100, 20, D_MP);
STR_MODULE(b, qput, srv, qput, srv, 100, 20, D_MP);
STR_MODULE(none, qput, NULL, qput, NULL, 100, 20, D_MP);
STR_MODULE(pair, qput, srv, qput, srv, 100, 20, D_MP | D_MTQPAIR);

static stdata_t *stp;
static queue_t *aw, *bw;

static void setup(void)
{
	stp = st_open();
	bw = _WR(st_drive(stp, &b_dev));
	aw = _WR(st_push(stp, &a_mod));
	machine_run_ready();
	st_noted();
}

Test(sched, a_task_serves_the_stream)
{
	setup();
	qenable(bw);
	qenable(aw);
	qenable(RD(aw));
	st_expect("");
	cr_assert_eq(stp->sd_nqueues, 3);
	cr_assert_eq(stp->sd_svcflags, STRS_SCHEDULED);
	cr_assert(bw->q_flag & QENAB);
	machine_run_ready();
	st_expect("b-w a-w a-r");
	cr_assert_str_eq(stack_, "runservice < queue_service < stream_service < taskq_d_thread");
	cr_assert_eq(stp->sd_nqueues, 0);
	cr_assert_eq(stp->sd_svcflags, 0);
	cr_assert_eq(bw->q_flag & (QENAB | QINSERVICE), 0);
	st_close(stp);
}

Test(sched, enabled_twice_runs_once)
{
	setup();
	qenable(aw);
	qenable(aw);
	machine_run_ready();
	st_expect("a-w");
	st_close(stp);
}

Test(sched, without_a_service_procedure_nothing)
{
	stp = st_open();
	st_drive(stp, &none_dev);
	qenable(stp->sd_wrq->q_next);
	cr_assert_eq(stp->sd_nqueues, 0);
	cr_assert_eq(stp->sd_wrq->q_next->q_flag & QENAB, 0);
	st_close(stp);
}

Test(sched, who_said_he_will_serves)
{
	setup();
	stream_willservice(stp);
	qenable(bw);
	qenable(aw);
	machine_run_ready();
	st_expect("");
	cr_assert_eq(stp->sd_svcflags, STRS_WILLSERVICE);
	stream_runservice(stp);
	st_expect("b-w a-w");
	st_expect_stack(stack_, "runservice < queue_service < stream_runservice < ");
	cr_assert_eq(stp->sd_svcflags, 0);
	machine_run_ready();
	st_expect("");
	st_close(stp);
}

Test(sched, the_foreground_takes_what_a_task_was_to_do)
{
	setup();
	qenable(aw);
	stream_willservice(stp);
	qenable(bw);
	stream_runservice(stp);
	st_expect("a-w b-w");
	cr_assert_eq(stp->sd_svcflags, STRS_SCHEDULED, "the task finds nothing");
	machine_run_ready();
	st_expect("");
	cr_assert_eq(stp->sd_svcflags, 0);
	st_close(stp);
}

/* Serving a enables b and, once, a again. */
static void enable_more(queue_t *q)
{
	static int times;

	if (q != aw)
		return;
	qenable(bw);
	if (times++ == 0)
		qenable(aw);
}

Test(sched, what_is_enabled_meanwhile_is_served_too)
{
	setup();
	act = enable_more;
	qenable(aw);
	machine_run_ready();
	st_expect("a-w a-w b-w");
	cr_assert_eq(stp->sd_svcflags, 0);
	st_close(stp);
}

Test(sched, other_streams_need_a_task)
{
	stdata_t *stp2 = st_open();
	queue_t *qw = _WR(st_drive(stp2, &none_dev));

	(void)qw;
	setup();
	stream_willservice(stp2);
	qenable(aw);
	stream_runservice(stp2);
	st_expect("");
	machine_run_ready();
	st_expect("a-w");
	st_close(stp);
	st_close(stp2);
}

Test(sched, backup_thread_when_no_task_can_be_had)
{
	setup();
	taskq_fail_nth(1);
	qenable(aw);
	cr_assert_eq(stp->sd_svcflags, 0);
	cr_assert_eq(stp->sd_nqueues, 0);
	qenable(bw);
	machine_run_ready();
	st_expect("a-w b-w");
	st_close(stp);
}

Test(sched, the_foreground_helps_with_the_backup_list)
{
	setup();
	taskq_fail_nth(1);
	qenable(aw);
	stream_runservice(stp);
	st_expect("a-w");
	machine_run_ready();
	st_expect("");
	st_close(stp);
}

Test(sched, no_service_after_qprocsoff)
{
	setup();
	qenable(aw);
	qprocsoff(RD(aw));
	machine_run_ready();
	st_expect("");
	qenable(aw);
	cr_assert_eq(aw->q_flag & QENAB, 0);
	qdetach(RD(aw), 0, 0, kcred);
	st_close(stp);
}

Test(sched, a_queue_that_goes_is_taken_off_the_lists)
{
	setup();
	qenable(bw);
	qenable(aw);
	qenable(RD(bw));
	qdetach(RD(aw), 0, 0, kcred); /* serves what is due first */
	st_expect("b-w a-w b-r");
	aw = _WR(st_push(stp, &a_mod));
	qenable(bw);
	qenable(aw);
	qenable(RD(bw));
	removeq(RD(aw));
	freeq(RD(aw));
	machine_run_ready();
	st_expect("b-w b-r");
	cr_assert_eq(stp->sd_nqueues, 0);
	aw = _WR(st_push(stp, &a_mod));
	taskq_fail_nth(1);
	qenable(aw);
	removeq(RD(aw));
	freeq(RD(aw));
	machine_run_ready();
	st_expect("");
	st_close(stp);
}

/* A service procedure that another thread of the module keeps waiting. */
static kcondvar_t cv;
static void hold(void *arg)
{
	syncq_t *sq = arg;

	entersq(sq, SQ_OPENCLOSE);
	cv_wait(&cv);
	leavesq(sq, SQ_OPENCLOSE);
}

static void closer(void *arg)
{
	queue_t *rq = arg;

	removeq(rq);
	freeq(rq);
	st_note("freed");
}

Test(sched, freeq_waits_for_a_service_procedure)
{
	queue_t *pr;

	stp = st_open();
	st_drive(stp, &b_dev);
	pr = st_push(stp, &pair_mod);
	st_thread(hold, pr->q_syncq);
	qenable(pr);
	machine_run_ready();
	st_expect("");
	cr_assert(pr->q_flag & QINSERVICE);
	qprocsoff(pr);
	st_thread(closer, pr);
	st_expect("");
	cv_broadcast(&cv);
	machine_run_ready();
	st_expect("freed");
	st_close(stp);
}

/* Messages through a queueing module: in order, all of them, back-enabled when the driver was full. */
static int pass_srv(queue_t *q)
{
	mblk_t *mp;

	while ((mp = getq(q)) != NULL) {
		if (!canputnext(q)) {
			putbq(q, mp);
			return 0;
		}
		putnext(q, mp);
	}
	return 0;
}

static int take, taken;
static int sink_srv(queue_t *q)
{
	mblk_t *mp;

	while (take > 0 && (mp = getq(q)) != NULL) {
		cr_assert_eq(*(int *)(void *)mp->b_rptr, taken);
		taken++;
		take--;
		freemsg(mp);
	}
	return 0;
}

STR_MODULE(pass, qput, pass_srv, qput, pass_srv, 40, 20, D_MP | D_MTQPAIR);
STR_MODULE(sink, st_passput, NULL, qput, sink_srv, 40, 12, D_MP);

Test(sched, a_full_driver_holds_the_stream_up)
{
	queue_t *pw, *sw;
	int sent = 0;

	stp = st_open();
	sw = _WR(st_drive(stp, &sink_dev));
	pw = _WR(st_push(stp, &pass_mod));
	while (canputnext(stp->sd_wrq)) {
		mblk_t *mp = allocb(4, BPRI_MED);

		*(int *)(void *)mp->b_wptr = sent++;
		mp->b_wptr += 4;
		stream_willservice(stp);
		putnext(stp->sd_wrq, mp);
		stream_runservice(stp);
	}
	cr_assert_eq(qsize(sw), 10, "40 bytes");
	cr_assert_eq(qsize(pw), 10);
	cr_assert_eq(sent, 20);
	st_noted();
	take = 7;
	qenable(sw);
	machine_run_ready();
	cr_assert_eq(taken, 7);
	cr_assert_eq(qsize(sw), 3, "12 bytes: not below the low-water mark");
	take = 1;
	qenable(sw);
	machine_run_ready();
	cr_assert_eq(qsize(sw), 10, "refilled");
	cr_assert_eq(qsize(pw), 2);
	st_expect("wsrv+back");
	take = 1000;
	qenable(sw);
	machine_run_ready();
	cr_assert_eq(taken, 20);
	st_close(stp);
}
