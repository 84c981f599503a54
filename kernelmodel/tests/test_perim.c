/* Perimeters: who enters at once, who is deferred, when and by whom he is let in. */
#include "strtest.h"
#include "sys/errno.h"

STR_SUITE(perim);

/*
 * Module x notes each entry as "x-w:text(" and leaving as ")"; what it does in
 * between is up to the test.  By default it passes the message on.
 */
static void (*wdo)(queue_t *, mblk_t *), (*rdo)(queue_t *, mblk_t *), (*sdo)(queue_t *);
static char rstack[1024], wstack[1024];

static int xput(queue_t *q, mblk_t *mp, const char *side, void (*act)(queue_t *, mblk_t *))
{
	st_notef("%s-%s:%.*s(", q->q_qinfo->qi_minfo->mi_idname, side, (int)MBLKL(mp), (char *)mp->b_rptr);
	if (act != NULL)
		act(q, mp);
	else
		putnext(q, mp);
	st_note(")");
	return 0;
}

static int xwput(queue_t *q, mblk_t *mp)
{
	strcpy(wstack, st_callers(6));
	return xput(q, mp, "w", wdo);
}

static int xrput(queue_t *q, mblk_t *mp)
{
	strcpy(rstack, st_callers(6));
	return xput(q, mp, "r", rdo);
}

static int xsrv(queue_t *q)
{
	st_note("srv(");
	sdo(q);
	st_note(")");
	return 0;
}

/* A driver that echoes. */
static int echo(queue_t *q, mblk_t *mp)
{
	st_note("echo");
	qreply(q, mp);
	return 0;
}

STR_MODULE(free, xrput, xsrv, xwput, xsrv, 100, 20, D_MP);
STR_MODULE(pair, xrput, xsrv, xwput, xsrv, 100, 20, D_MP | D_MTQPAIR);
STR_MODULE(perq, xrput, xsrv, xwput, xsrv, 100, 20, D_MP | D_MTPERQ);
STR_MODULE(mod, xrput, xsrv, xwput, xsrv, 100, 20, D_MP | D_MTPERMOD);
STR_MODULE(shared, xrput, xsrv, xwput, xsrv, 100, 20, D_MP | D_MTQPAIR | D_MTPUTSHARED);
STR_MODULE(outer, xrput, xsrv, xwput, xsrv, 100, 20, D_MP | D_MTOUTPERIM | D_MTOCEXCL);
STR_MODULE(echoer, st_passput, NULL, echo, NULL, 100, 20, D_MP);

static stdata_t *stp;
static queue_t *xr, *xw;

static void setup(const fmodsw_t *fp)
{
	stp = st_open();
	st_drive(stp, &echoer_dev);
	xr = st_push(stp, fp);
	xw = _WR(xr);
	st_noted();
}

static void down(const char *text)
{
	putnext(stp->sd_wrq, st_msg(M_DATA, text));
}

static void quiet(void)
{
	syncq_t *sqs[2] = {xr->q_syncq, xw->q_syncq};

	for (int i = 0; i < 2; i++) {
		cr_assert_eq(sqs[i]->sq_count, 0);
		cr_assert_eq(sqs[i]->sq_flags & ~(uint_t)SQ_CIPUT, 0, "flags %x", sqs[i]->sq_flags);
		cr_assert_null(sqs[i]->sq_head);
		cr_assert_eq(sqs[i]->sq_nqueues, 0);
	}
	cr_assert_eq(xr->q_syncqmsgs, 0);
	cr_assert_eq(xw->q_syncqmsgs, 0);
	cr_assert_eq(xr->q_sqflags, 0);
}

/* ---- a reply that comes back to where the request still is ---- */

Test(perim, mp_lets_the_reply_in_at_once)
{
	setup(&free_mod);
	down("m");
	st_expect("free-w:m( echo free-r:m( head:m ) )");
	st_expect_stack(rstack, "putnext < qreply < echo < putnext < ");
	quiet();
	st_close(stp);
}

Test(perim, qpair_defers_the_reply)
{
	setup(&pair_mod);
	down("m");
	st_expect("pair-w:m( echo ) pair-r:m( head:m )");
	st_expect_stack(rstack, "qdrain_syncq < drain_syncq < putnext_tail < putnext < ");
	quiet();
	st_close(stp);
}

Test(perim, putshared_lets_the_reply_in_at_once)
{
	setup(&shared_mod);
	down("m");
	st_expect("shared-w:m( echo shared-r:m( head:m ) )");
	quiet();
	st_close(stp);
}

Test(perim, perq_lets_the_other_queue_in)
{
	setup(&perq_mod);
	down("m");
	st_expect("perq-w:m( echo perq-r:m( head:m ) )");
	cr_assert_neq(xr->q_syncq, xw->q_syncq);
	quiet();
	st_close(stp);
}

/* Sends two of its own into its own queue, then the message on. */
static void twins(queue_t *q, mblk_t *mp)
{
	if (*mp->b_rptr == 'm') {
		put(q, st_msg(M_DATA, "1"));
		put(q, st_msg(M_DATA, "2"));
		put(OTHERQ(q), st_msg(M_DATA, "3"));
		put(q, st_msg(M_DATA, "4"));
	}
	freemsg(mp);
}

static void eat(queue_t *q, mblk_t *mp)
{
	(void)q;
	freemsg(mp);
}

Test(perim, perq_defers_the_same_queue)
{
	setup(&perq_mod);
	wdo = twins;
	rdo = eat;
	down("m");
	st_expect("perq-w:m( perq-r:3( ) ) perq-w:1( ) perq-w:2( ) perq-w:4( )");
	quiet();
	st_close(stp);
}

Test(perim, first_in_first_out_for_each_queue)
{
	setup(&pair_mod);
	wdo = twins;
	rdo = eat;
	down("m");
	st_expect("pair-w:m( ) pair-w:1( ) pair-w:2( ) pair-w:4( ) pair-r:3( )");
	quiet();
	st_close(stp);
}

/* Each letter sends the next one to the other queue, up to e. */
static void ping(queue_t *q, mblk_t *mp)
{
	char next[2] = {(char)(*mp->b_rptr + 1), '\0'};

	if (next[0] <= 'e')
		put(OTHERQ(q), st_msg(M_DATA, next));
	freemsg(mp);
}

Test(perim, what_is_deferred_while_draining_is_drained_too)
{
	setup(&pair_mod);
	wdo = rdo = ping;
	down("a");
	st_expect("pair-w:a( ) pair-r:b( ) pair-w:c( ) pair-r:d( ) pair-w:e( )");
	st_expect_stack(wstack, "qdrain_syncq < drain_syncq < putnext_tail < putnext < ");
	quiet();
	st_close(stp);
}

Test(perim, put_drains_as_putnext_does)
{
	setup(&pair_mod);
	put(xw, st_msg(M_DATA, "m"));
	st_expect("pair-w:m( echo ) pair-r:m( head:m )");
	st_expect_stack(rstack, "qdrain_syncq < drain_syncq < putnext_tail < put < ");
	st_close(stp);
}

/* Drained frames hang below the outermost putnext into the module, through others. */
Test(perim, two_modules_deep)
{
	setup(&pair_mod);
	st_push(stp, &perq_mod);
	down("m");
	st_expect("perq-w:m( pair-w:m( echo ) pair-r:m( perq-r:m( head:m ) ) )");
	st_close(stp);
}

/* ---- one perimeter for the module ---- */

static queue_t *other;

static void to_other(queue_t *q, mblk_t *mp)
{
	put(q == other ? xw : other, st_msg(M_DATA, q == other ? "back" : "over"));
	freemsg(mp);
}

static void to_other_once(queue_t *q, mblk_t *mp)
{
	if (*mp->b_rptr == 'm')
		to_other(q, mp);
	else
		freemsg(mp);
}

Test(perim, permod_is_shared_by_all_instances)
{
	stdata_t *stp2 = st_open();

	st_drive(stp2, &echoer_dev);
	other = _WR(st_push(stp2, &mod_mod));
	setup(&mod_mod);
	cr_assert_eq(other->q_syncq, xw->q_syncq);
	cr_assert_eq(xr->q_syncq, xw->q_syncq);
	cr_assert_eq(xr->q_syncq->sq_type, SQ_CO | SQ_PERMOD);
	wdo = to_other_once;
	down("m");
	st_expect("mod-w:m( ) mod-w:over( )");
	quiet();
	st_close(stp);
	put(other, st_msg(M_DATA, "x"));
	st_close(stp2);
}

/* ---- service procedures ---- */

static void into_own(queue_t *q)
{
	put(RD(q), st_msg(M_DATA, "s"));
	put(WR(q), st_msg(M_DATA, "t"));
}

Test(perim, service_drains_when_it_leaves)
{
	setup(&pair_mod);
	sdo = into_own;
	wdo = rdo = eat;
	qenable(xw);
	machine_run_ready();
	st_expect("srv( ) pair-r:s( ) pair-w:t( )");
	cr_assert_str_eq(rstack, "qdrain_syncq < drain_syncq < leavesq < runservice < queue_service < stream_service");
	quiet();
	st_close(stp);
}

Test(perim, service_of_a_shared_module_is_alone)
{
	setup(&shared_mod);
	sdo = into_own;
	wdo = rdo = eat;
	qenable(xw);
	machine_run_ready();
	st_expect("srv( ) shared-r:s( ) shared-w:t( )");
	quiet();
	st_close(stp);
}

Test(perim, service_of_an_mp_module_is_not)
{
	setup(&free_mod);
	sdo = into_own;
	wdo = rdo = eat;
	qenable(xw);
	machine_run_ready();
	st_expect("srv( free-r:s( ) free-w:t( ) )");
	quiet();
	st_close(stp);
}

/* ---- callbacks ---- */

static void tick(void *arg)
{
	st_note("tick(");
	put(arg, st_msg(M_CTL, "t"));
	st_note(")");
}

Test(perim, qtimeout_runs_inside)
{
	setup(&pair_mod);
	rdo = eat;
	qtimeout(xr, tick, xr, 3);
	st_ticks(2);
	st_expect("");
	st_ticks(1);
	st_expect("tick( ) pair-r:t( )");
	cr_assert_str_eq(rstack,
			 "qdrain_syncq < drain_syncq < leavesq < qcallbwrapper < callout_execute < taskq_thread");
	quiet();
	st_close(stp);
}

/* Holds the perimeter, asleep, until told. */
static kcondvar_t hold_cv;
static void hold(void *arg)
{
	syncq_t *sq = arg;

	entersq(sq, SQ_OPENCLOSE);
	st_note("hold(");
	cv_wait(&hold_cv);
	st_note(")");
	leavesq(sq, SQ_OPENCLOSE);
}

static void let_go(void)
{
	cv_broadcast(&hold_cv);
	machine_run_ready();
}

Test(perim, quntimeout)
{
	timeout_id_t id;

	setup(&pair_mod);
	rdo = eat;
	id = qtimeout(xr, tick, xr, 5);
	cr_assert_eq(quntimeout(xr, id), 5);
	cr_assert_eq(quntimeout(xr, id), -1, "gone");
	id = qtimeout(xr, tick, xr, 1);
	st_ticks(1);
	st_expect("tick( ) pair-r:t( )");
	cr_assert_eq(quntimeout(xr, id), -1, "has run");
	/* One that waits for the perimeter is cancelled still. */
	st_thread(hold, xr->q_syncq);
	id = qtimeout(xr, tick, xr, 1);
	st_ticks(1);
	cr_assert_eq(quntimeout(xr, id), 0);
	let_go();
	st_expect("hold( )");
	quiet();
	st_close(stp);
}

Test(perim, qtimeout_waits_for_the_perimeter)
{
	setup(&pair_mod);
	rdo = eat;
	st_thread(hold, xr->q_syncq);
	qtimeout(xr, tick, xr, 1);
	st_ticks(3);
	st_expect("hold(");
	let_go();
	st_expect(") tick( ) pair-r:t( )");
	quiet();
	st_close(stp);
}

Test(perim, qtimeout_without_memory)
{
	setup(&pair_mod);
	kmem_fail_nth(-1);
	cr_assert_eq(qtimeout(xr, tick, xr, 1), 0);
	cr_assert_eq(qbufcall(xr, 1, BPRI_MED, tick, xr), 0);
	kmem_fail_nth(0);
	cr_assert_null(xr->q_syncq->sq_callbpend);
	st_close(stp);
}

Test(perim, qbufcall_runs_inside)
{
	mblk_t *mp;
	bufcall_id_t id;

	setup(&pair_mod);
	rdo = eat;
	mp = allocb(1000, BPRI_MED);
	allocb_limit(1088 + 100);
	id = qbufcall(xr, 1000, BPRI_MED, tick, xr);
	cr_assert_neq(id, 0);
	machine_run_ready();
	st_expect("");
	freeb(mp);
	machine_run_ready();
	st_expect("tick( ) pair-r:t( )");
	cr_assert_str_eq(
	    rstack, "qdrain_syncq < drain_syncq < leavesq < qcallbwrapper < runbufcalls < streams_bufcall_service");
	mp = allocb(1000, BPRI_MED);
	id = qbufcall(xr, 1000, BPRI_MED, tick, xr);
	machine_run_ready();
	qunbufcall(xr, id);
	freeb(mp);
	machine_run_ready();
	st_expect("");
	qunbufcall(xr, id);
	quiet();
	st_close(stp);
}

Test(perim, callbacks_end_with_their_queue)
{
	setup(&pair_mod);
	qtimeout(xr, tick, xr, 10);
	allocb_fail_nth(-1);
	qbufcall(xr, 1, BPRI_MED, tick, xr);
	machine_run_ready();
	st_close(stp);
	allocb_fail_nth(0);
	st_ticks(20);
	st_expect("");
}

/* ---- somebody asleep inside ---- */

static void send_down(void *arg)
{
	down(arg);
}

Test(perim, messages_wait_in_front_of_a_sleeper)
{
	setup(&pair_mod);
	st_thread(hold, xr->q_syncq);
	down("1");
	st_thread(send_down, "2");
	st_expect("hold(");
	cr_assert_eq(xw->q_syncqmsgs, 2);
	cr_assert_eq(xr->q_syncq->sq_flags, SQ_EXCL | SQ_MESSAGES);
	let_go();
	st_expect(") pair-w:1( echo ) pair-w:2( echo ) pair-r:1( head:1 ) pair-r:2( head:2 )");
	quiet();
	st_close(stp);
}

static void put_x(void *arg)
{
	put(arg, st_msg(M_DATA, "x"));
}

Test(perim, queues_are_drained_by_priority_of_their_first)
{
	setup(&pair_mod);
	wdo = rdo = eat;
	st_thread(hold, xr->q_syncq);
	thread_create(put_x, xw, 10);
	machine_run_ready();
	thread_create(put_x, xr, 50);
	machine_run_ready();
	st_expect("hold(");
	let_go();
	st_expect(") pair-r:x( ) pair-w:x( )");
	st_thread(hold, xr->q_syncq);
	thread_create(put_x, xw, 50);
	machine_run_ready();
	thread_create(put_x, xr, 50);
	machine_run_ready();
	let_go();
	st_expect("hold( ) pair-w:x( ) pair-r:x( )");
	quiet();
	st_close(stp);
}

Test(perim, one_at_a_time_inside)
{
	setup(&pair_mod);
	st_thread(hold, xr->q_syncq);
	st_thread(hold, xr->q_syncq);
	st_expect("hold(");
	let_go();
	st_expect(") hold(");
	let_go();
	st_expect(")");
	quiet();
	st_close(stp);
	setup(&free_mod);
	st_thread(hold, xr->q_syncq);
	st_thread(hold, xr->q_syncq);
	st_expect("hold( hold(");
	let_go();
	st_expect(") )");
	quiet();
	st_close(stp);
}

Test(perim, messages_wait_behind_one_who_wants_to_be_alone)
{
	setup(&shared_mod);
	sdo = into_own;
	wdo = rdo = eat;
	claimq(xr);
	down("1");
	st_expect("shared-w:1( )");
	st_thread(hold, xr->q_syncq);
	cr_assert_eq(xr->q_syncq->sq_needexcl, 1);
	down("2");
	st_expect("");
	releaseq(xr);
	st_expect("shared-w:2( )");
	machine_run_ready();
	st_expect("hold(");
	let_go();
	st_expect(")");
	quiet();
	st_close(stp);
}

/* ---- many ---- */

static int seen;
static void count(queue_t *q, mblk_t *mp)
{
	(void)q;
	cr_assert_eq(*(int *)(void *)mp->b_rptr, seen);
	seen++;
	freemsg(mp);
}

Test(perim, more_than_10000_deferred_are_full)
{
	setup(&pair_mod);
	wdo = count;
	st_thread(hold, xr->q_syncq);
	st_noted();
	for (int i = 0; i < 10002; i++) {
		mblk_t *mp = allocb(4, BPRI_MED);

		*(int *)(void *)mp->b_wptr = i;
		mp->b_wptr += 4;
		cr_assert_eq(canputnext(stp->sd_wrq), 1, "message %d", i);
		putnext(stp->sd_wrq, mp);
	}
	cr_assert_eq(canputnext(stp->sd_wrq), 0, "10001 were there when the last one came");
	let_go();
	cr_assert_eq(seen, 10002);
	cr_assert_eq(canputnext(stp->sd_wrq), 1);
	machine_run_ready();
	cr_assert_str_eq(st_noted() + strlen(st_noted()), "");
	quiet();
	st_close(stp);
}

/* Bounces a message from queue to queue of the same pair n times, all on one stack. */
static long bounces;
static void bounce(queue_t *q, mblk_t *mp)
{
	if (--bounces > 0)
		put(OTHERQ(q), mp);
	else
		freemsg(mp);
}

static int bouncer(queue_t *q, mblk_t *mp)
{
	bounce(q, mp);
	return 0;
}
STR_MODULE(bouncy, bouncer, NULL, bouncer, NULL, 100, 20, D_MP);

Test(perim, a_short_stack_defers)
{
	setup(&bouncy_mod);
	bounces = 5000;
	st_thread(send_down, "m");
	cr_assert_eq(bounces, 0);
	quiet();
	st_close(stp);
}

Test(perim, a_short_stack_defers_without_tasks_too)
{
	setup(&bouncy_mod);
	bounces = 5000;
	taskq_fail_nth(-1);
	st_thread(send_down, "m");
	taskq_fail_nth(0);
	cr_assert_eq(bounces, 0);
	quiet();
	st_close(stp);
}

/* Sends to itself while its own earlier message is being drained: order is kept. */
static void chain_self(queue_t *q, mblk_t *mp)
{
	int c = *mp->b_rptr;

	freemsg(mp);
	if (c == 'a')
		put(q, st_msg(M_DATA, "c"));
}

static void hold_put(void *arg)
{
	syncq_t *sq = arg;

	sq->sq_flags |= SQ_BLOCKED;
}

Test(perim, shared_queue_keeps_the_order_behind_deferred_ones)
{
	setup(&shared_mod);
	wdo = chain_self;
	hold_put(xw->q_syncq);
	down("a");
	down("b");
	xw->q_syncq->sq_flags &= ~SQ_BLOCKED;
	down("z"); /* not blocked, but two are waiting: behind them, and lets all in */
	st_expect("shared-w:a( ) shared-w:b( ) shared-w:z( ) shared-w:c( )");
	quiet();
	st_close(stp);
}

Test(perim, unblocking_drains)
{
	setup(&shared_mod);
	wdo = eat;
	blocksq(xw->q_syncq, SQ_BLOCKED, 0);
	down("a");
	st_expect("");
	unblocksq(xw->q_syncq, SQ_BLOCKED, 0);
	st_expect("shared-w:a( )");
	st_expect_stack(wstack, "qdrain_syncq < drain_syncq < unblocksq < ");
	/* With somebody inside a task does it. */
	blocksq(xw->q_syncq, SQ_BLOCKED, 0);
	down("b");
	claimq(xw);
	unblocksq(xw->q_syncq, SQ_BLOCKED, 0);
	st_expect("");
	machine_run_ready();
	st_expect("shared-w:b( )");
	cr_assert_str_eq(wstack, "qdrain_syncq < drain_syncq < syncq_service < taskq_d_thread");
	releaseq(xw);
	quiet();
	st_close(stp);
}

/* ---- freezestr ---- */

Test(perim, freezestr_keeps_everybody_out)
{
	setup(&pair_mod);
	noenable(xw);
	freezestr(xr);
	down("a");
	put(xr, st_msg(M_DATA, "b"));
	insq(xw, NULL, st_msg(M_DATA, "c"));
	st_expect("");
	unfreezestr(xr);
	st_expect("pair-w:a( echo ) pair-r:b( head:b ) pair-r:a( head:a )");
	cr_assert_str_eq(st_queued(xw), "c");
	freemsg(getq(xw));
	quiet();
	st_close(stp);
}

/* ---- qwriter ---- */

static void writer(queue_t *q, mblk_t *mp)
{
	st_notef("writer:%.*s(", (int)MBLKL(mp), (char *)mp->b_rptr);
	cr_assert_null(mp->b_next);
	cr_assert_null(mp->b_prev);
	put(RD(q), st_msg(M_DATA, "w"));
	st_note(")");
	strcpy(wstack, st_callers(4));
	freemsg(mp);
}

static void to_writer(queue_t *q, mblk_t *mp)
{
	qwriter(q, mp, writer, PERIM_INNER);
	st_note("after");
}

Test(perim, qwriter_inner_alone_runs_now)
{
	setup(&pair_mod);
	wdo = to_writer;
	rdo = eat;
	down("m");
	st_expect("pair-w:m( writer:m( ) after ) pair-r:w( )");
	quiet();
	st_close(stp);
	setup(&shared_mod);
	down("m");
	st_expect("shared-w:m( writer:m( ) after ) shared-r:w( )");
	st_expect_stack(rstack, "qdrain_syncq < drain_syncq < putnext_tail < putnext < ");
	quiet();
	st_close(stp);
}

static void nested_writer(queue_t *q, mblk_t *mp)
{
	if (*mp->b_rptr == 'm') {
		put(q, st_msg(M_DATA, "n"));
		freemsg(mp);
	} else if (*mp->b_rptr == 'n') {
		to_writer(q, mp);
	} else {
		freemsg(mp);
	}
}

Test(perim, qwriter_inner_with_others_inside_waits)
{
	setup(&shared_mod);
	wdo = nested_writer;
	rdo = eat;
	down("m");
	st_expect("shared-w:m( shared-w:n( after ) )");
	cr_assert(xw->q_syncq->sq_flags & SQ_EVENTS);
	down("x"); /* comes after the writer */
	st_expect("");
	machine_run_ready();
	st_expect("writer:n( ) shared-r:w( ) shared-w:x( )");
	cr_assert_str_eq(wstack, "qdrain_syncq < drain_syncq < syncq_service < taskq_d_thread");
	quiet();
	st_close(stp);
}

/* ---- outer perimeter ---- */

static void to_outer_writer(queue_t *q, mblk_t *mp)
{
	if (*mp->b_rptr == 'w') {
		freemsg(mp);
		return;
	}
	qwriter(q, mp, writer, PERIM_OUTER);
	st_note("after");
}

Test(perim, qwriter_outer_alone_runs_now)
{
	setup(&outer_mod);
	wdo = to_outer_writer;
	rdo = eat;
	down("m");
	st_expect("outer-w:m( writer:m( ) after )");
	machine_run_ready();
	st_expect("outer-r:w( )");
	quiet();
	cr_assert_eq(xr->q_syncq->sq_outer->sq_flags, 0);
	st_close(stp);
}

Test(perim, qwriter_outer_waits_for_the_others)
{
	stdata_t *stp2 = st_open();
	queue_t *q2;

	st_drive(stp2, &echoer_dev);
	q2 = st_push(stp2, &outer_mod);
	setup(&outer_mod);
	wdo = to_outer_writer;
	rdo = eat;
	cr_assert_eq(xr->q_syncq->sq_outer, q2->q_syncq->sq_outer);
	claimq(q2);
	down("m");
	st_expect("outer-w:m( after )");
	machine_run_ready();
	st_expect("");
	put(xr, st_msg(M_DATA, "r")); /* kept out by the writer to come */
	st_expect("");
	releaseq(q2);
	machine_run_ready();
	st_expect("writer:m( ) outer-r:r( ) outer-r:w( )");
	cr_assert_str_eq(wstack, "sq_run_events < outer_exit < qwriter_outer_service < taskq_d_thread");
	quiet();
	st_close(stp);
	st_close(stp2);
}

Test(perim, qwriter_outer_without_a_task)
{
	setup(&outer_mod);
	wdo = to_outer_writer;
	rdo = eat;
	machine_run_ready();
	claimq(xr);
	put(xr, st_msg(M_DATA, "r"));
	st_expect("outer-r:r( )");
	taskq_fail_nth(1);
	down("m"); /* two claims in its own perimeter */
	st_expect("outer-w:m( after )");
	releaseq(xr);
	machine_run_ready();
	st_expect("writer:m( ) outer-r:w( )");
	quiet();
	st_close(stp);
}

static void open_second(void *arg)
{
	stdata_t *s = arg;

	st_push(s, &outer_mod);
	st_note("open");
}

Test(perim, open_of_one_instance_waits_for_the_others)
{
	stdata_t *stp2 = st_open();

	st_drive(stp2, &echoer_dev);
	setup(&outer_mod);
	wdo = rdo = eat;
	claimq(xr);
	st_thread(open_second, stp2);
	st_expect("");
	down("m");
	st_expect("");
	releaseq(xr);
	machine_run_ready();
	st_expect("outer-w:m( ) open");
	quiet();
	st_close(stp);
	st_close(stp2);
}

/* ---- qwait ---- */

static int answered;

/* An open procedure that asks the driver below and waits for the answer. */
static int askopen(queue_t *q, dev_t *devp, int oflag, int sflag, cred_t *cr)
{
	(void)devp, (void)oflag, (void)sflag, (void)cr;
	qprocson(q);
	putnext(_WR(q), st_msg(M_PROTO, "?"));
	while (!answered) {
		st_note("wait");
		qwait(q);
	}
	st_note("done");
	return 0;
}

static int askrput(queue_t *q, mblk_t *mp)
{
	(void)q;
	st_note("answer");
	answered = 1;
	freemsg(mp);
	return 0;
}

static struct module_info ask_info = {0, "ask", 0, INFPSZ, 100, 20};
static struct qinit ask_rinit = {askrput, NULL, askopen, st_modclose, NULL, &ask_info, NULL};
static struct qinit ask_winit = {st_passput, NULL, NULL, NULL, NULL, &ask_info, NULL};
static struct streamtab ask_tab = {&ask_rinit, &ask_winit, NULL, NULL};
static const fmodsw_t ask_mod = {"ask", &ask_tab, D_MP | D_MTQPAIR};

static void ask(void *arg)
{
	(void)arg;
	xr = st_push(stp, &ask_mod);
}

Test(perim, qwait_lets_the_answer_in)
{
	stp = st_open();
	st_drive(stp, &echoer_dev);
	st_thread(ask, NULL);
	st_expect("echo wait answer done");
	st_close(stp);
}

/* A driver that answers when it is told to. */
static queue_t *late_q;
static int late_wput(queue_t *q, mblk_t *mp)
{
	late_q = q;
	putq(q, mp);
	return 0;
}
STR_MODULE(late, st_passput, NULL, late_wput, NULL, 100, 20, D_MP);

Test(perim, qwait_sleeps_until_something_happened)
{
	stp = st_open();
	st_drive(stp, &late_dev);
	st_thread(ask, NULL);
	st_expect("wait");
	putnext(stp->sd_wrq, st_msg(M_DATA, "x")); /* something happened, but not that */
	machine_run_ready();
	st_expect("wait");
	qreply(late_q, getq(late_q));
	machine_run_ready();
	st_expect("answer done");
	st_close(stp);
}

/* ---- closing ---- */

static void close_x(void *arg)
{
	(void)arg;
	qdetach(xr, 1, 0, kcred);
	st_note("closed");
}

/* A close procedure in which messages come in. */
static int busyclose(queue_t *q, int flag, cred_t *cr)
{
	(void)flag, (void)cr;
	put(q, st_msg(M_DATA, "up"));
	put(_WR(q), st_msg(M_DATA, "down"));
	put(q, st_msg(M_DATA, "up2"));
	st_note("off");
	qprocsoff(q);
	return 0;
}

static struct qinit busy_rinit = {xrput, NULL, st_modopen, busyclose, NULL, &pair_info, NULL};
static struct streamtab busy_tab = {&busy_rinit, &pair_winit, NULL, NULL};
static const fmodsw_t busy_mod = {"busy", &busy_tab, D_MP | D_MTQPAIR};
static const devsw_t busy_dev = {.d_name = "busy", .d_str = &busy_tab, .d_flag = D_MP | D_MTQPAIR};

Test(perim, qprocsoff_moves_deferred_messages_on)
{
	setup(&busy_mod);
	st_thread(close_x, NULL);
	st_expect("off closed head:up head:up2 echo head:down");
	cr_assert_eq(stp->sd_wrq->q_next->q_qinfo, &echoer_winit);
	st_close(stp);
}

Test(perim, qprocsoff_of_a_driver_frees_them)
{
	stp = st_open();
	xr = st_drive(stp, &busy_dev);
	st_thread(close_x, NULL);
	st_expect("off closed");
	st_close(stp);
}

static void event_then_close(queue_t *q, mblk_t *mp)
{
	qwriter(q, mp, writer, PERIM_INNER);
}

Test(perim, qprocsoff_drops_events)
{
	setup(&shared_mod);
	wdo = event_then_close;
	claimq(xr);
	down("m");
	st_expect("shared-w:m( )");
	cr_assert(xr->q_syncq->sq_flags & SQ_EVENTS);
	xr->q_syncq->sq_count--; /* the claim goes without running them */
	xr->q_syncq->sq_flags |= SQ_BLOCKED;
	machine_run_ready();
	removeq(xr);
	cr_assert_eq(xr->q_syncq->sq_flags & SQ_EVENTS, 0);
	freeq(xr);
	st_close(stp);
}

/* ---- watched from outside ---- */

extern unsigned short strsim_putnext_semaphore;

Test(perim, putnext_works_while_watched)
{
	setup(&free_mod);
	strsim_putnext_semaphore = 1;
	down("m");
	strsim_putnext_semaphore = 0;
	st_expect("free-w:m( echo free-r:m( head:m ) )");
	st_close(stp);
}
