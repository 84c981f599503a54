/* Queues: order, counts, enabling, flushing, fields, small senders. */
#include "strtest.h"
#include "sys/cmn_err.h"
#include "sys/errno.h"

STR_SUITE(queue);

static int srv(queue_t *q)
{
	(void)q;
	return 0;
}

STR_MODULE(drv, st_passput, NULL, st_sinkput, srv, 100, 20, D_MP);

static stdata_t *stp;
static queue_t *q; /* a write queue with a service procedure */

static void setup(void)
{
	stp = st_open();
	q = _WR(st_drive(stp, &drv_dev));
	q->q_flag &= ~QWANTR; /* set by setq() for the first putq() */
}

/* Was q enabled since the last look? */
static int enabled(void)
{
	int was = (q->q_flag & QENAB) != 0;

	if (was) {
		stp->sd_qhead = stp->sd_qtail = NULL;
		stp->sd_nqueues = 0;
		q->q_flag &= ~QENAB;
	}
	return was;
}

static qband_t *band(int pri)
{
	qband_t *qbp = q->q_bandp;

	while (--pri > 0)
		qbp = qbp->qb_next;
	return qbp;
}

static void fill(void)
{
	putq(q, st_msg(M_DATA, "a"));
	putq(q, st_band(1, "b1"));
	putq(q, st_band(3, "c3"));
	putq(q, st_msg(M_PCPROTO, "HP"));
	putq(q, st_msg(M_DATA, "d"));
	putq(q, st_band(1, "e1"));
	putq(q, st_msg(M_IOCACK, "HA"));
	putq(q, st_band(2, "f2"));
}

/* ---- order ---- */

Test(queue, putq_orders_by_class_band_and_arrival)
{
	setup();
	fill();
	cr_assert_str_eq(st_queued(q), "HP HA c3 f2 b1 e1 a d");
	cr_assert_eq(qsize(q), 8);
	cr_assert_eq(q->q_count, 6, "a, d, HP, HA");
	cr_assert_eq(q->q_mblkcnt, 4);
	cr_assert_eq(q->q_nband, 3);
	cr_assert_eq(band(1)->qb_count, 4);
	cr_assert_eq(band(1)->qb_mblkcnt, 2);
	cr_assert_str_eq(st_text(band(1)->qb_first), "b1.");
	cr_assert_str_eq(st_text(band(1)->qb_last), "e1.");
	cr_assert_eq(band(2)->qb_first, band(2)->qb_last);
	cr_assert_eq(band(1)->qb_hiwat, 100);
	cr_assert_eq(band(1)->qb_lowat, 20);
	st_close(stp);
}

Test(queue, high_priority_has_no_band)
{
	mblk_t *mp;

	setup();
	mp = st_msg(M_PCPROTO, "H");
	mp->b_band = 9;
	putq(q, mp);
	cr_assert_eq(mp->b_band, 0);
	cr_assert_eq(q->q_nband, 0);
	st_close(stp);
}

Test(queue, putbq_goes_before_its_like)
{
	setup();
	fill();
	putbq(q, st_msg(M_DATA, "A"));
	putbq(q, st_band(1, "B1"));
	putbq(q, st_msg(M_PCSIG, "HS"));
	putbq(q, st_band(2, "F2"));
	cr_assert_str_eq(st_queued(q), "HS HP HA c3 F2 f2 B1 b1 e1 A a d");
	cr_assert_str_eq(st_text(band(2)->qb_first), "F2.");
	cr_assert_str_eq(st_text(band(2)->qb_last), "f2.");
	st_close(stp);
	setup();
	putbq(q, st_msg(M_DATA, "a"));
	putbq(q, st_band(5, "b5"));
	putbq(q, st_band(3, "c3"));
	cr_assert_str_eq(st_queued(q), "b5 c3 a");
	st_close(stp);
}

Test(queue, getq_takes_the_first)
{
	static const char *const want[] = {"HP.", "HA.", "c3.", "f2.", "b1.", "e1.", "a.", "d."};
	mblk_t *mp;

	setup();
	fill();
	for (size_t i = 0; i < 8; i++) {
		mp = getq(q);
		cr_assert_str_eq(st_text(mp), want[i]);
		cr_assert_null(mp->b_next);
		cr_assert_null(mp->b_prev);
		freemsg(mp);
	}
	cr_assert_null(getq(q));
	cr_assert_null(q->q_last);
	cr_assert_eq(q->q_count, 0);
	cr_assert_eq(q->q_mblkcnt, 0);
	for (int i = 1; i <= 3; i++) {
		cr_assert_eq(band(i)->qb_count, 0);
		cr_assert_eq(band(i)->qb_mblkcnt, 0);
		cr_assert_null(band(i)->qb_first);
		cr_assert_null(band(i)->qb_last);
	}
	st_close(stp);
}

Test(queue, rmvq_takes_this_one)
{
	mblk_t *first, *mid, *last;

	setup();
	first = st_band(2, "1");
	mid = st_band(2, "2");
	last = st_band(2, "3");
	putq(q, first);
	putq(q, mid);
	putq(q, last);
	putq(q, st_msg(M_DATA, "z"));
	rmvq(q, mid);
	cr_assert_str_eq(st_queued(q), "1 3 z");
	rmvq(q, first);
	cr_assert_eq(band(2)->qb_first, last);
	cr_assert_eq(band(2)->qb_last, last);
	rmvq_noenab(q, last);
	cr_assert_null(band(2)->qb_first);
	cr_assert_null(band(2)->qb_last);
	cr_assert_str_eq(st_queued(q), "z");
	cr_assert_eq(band(2)->qb_count, 0);
	freemsg(first);
	freemsg(mid);
	freemsg(last);
	st_close(stp);
}

static void console(const char *line)
{
	st_note(line);
}

/* insq() of a message of this kind before the n-th: what it returns. */
static int try_insq(int type, int pri, int n)
{
	mblk_t *mp = st_msg(type, "*"), *emp = q->q_first;
	int done;

	mp->b_band = (uint8_t)pri;
	while (n-- > 0)
		emp = emp->b_next;
	done = insq(q, emp, mp);
	cr_assert_eq(strlen(st_noted()) != 0, !done, "a refusal is said on the console, and only that");
	if (done)
		rmvq(q, mp);
	freemsg(mp);
	return done;
}

Test(queue, insq_keeps_the_order)
{
	/* Where a message of this kind may stand in HP c3 b1 a, place 4 being the end. */
	static const struct {
		int type, band;
		const char *allowed;
	} kinds[] = {{M_PCPROTO, 0, "11000"}, {M_DATA, 9, "01000"}, {M_DATA, 3, "01100"},
		     {M_DATA, 2, "00100"},    {M_DATA, 1, "00110"}, {M_DATA, 0, "00011"}};

	setup();
	console_func = console;
	putq(q, st_msg(M_PCPROTO, "HP"));
	putq(q, st_band(3, "c3"));
	putq(q, st_band(1, "b1"));
	putq(q, st_msg(M_DATA, "a"));
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		for (int place = 0; place <= 4; place++)
			cr_assert_eq(try_insq(kinds[i].type, kinds[i].band, place), kinds[i].allowed[place] - '0',
				     "type %#x band %d place %d", (uint_t)kinds[i].type, kinds[i].band, place);
	cr_assert_str_eq(st_queued(q), "HP c3 b1 a");
	cr_assert_eq(q->q_count, 3);
	console_func = NULL;
	st_close(stp);
}

Test(queue, insq_into_bands)
{
	mblk_t *b;

	setup();
	b = st_band(2, "b");
	cr_assert_eq(insq(q, NULL, b), 1);
	cr_assert_eq(insq(q, b, st_band(2, "a")), 1);
	cr_assert_eq(insq(q, NULL, st_band(2, "d")), 1);
	cr_assert_eq(insq(q, b->b_next, st_band(2, "c")), 1);
	cr_assert_str_eq(st_queued(q), "a b c d");
	cr_assert_str_eq(st_text(band(2)->qb_first), "a.");
	cr_assert_str_eq(st_text(band(2)->qb_last), "d.");
	cr_assert_eq(band(2)->qb_count, 4);
	st_close(stp);
}

Test(queue, a_band_that_cannot_be_had)
{
	mblk_t *mp;

	setup();
	mp = st_band(2, "x");
	kmem_fail_nth(2); /* band 1 is made, band 2 is not */
	cr_assert_eq(putq(q, mp), 0);
	cr_assert_eq(q->q_nband, 1);
	kmem_fail_nth(1);
	cr_assert_eq(putbq(q, mp), 0);
	kmem_fail_nth(1);
	cr_assert_eq(insq(q, NULL, mp), 0);
	cr_assert_null(q->q_first);
	cr_assert_eq(putq(q, mp), 1);
	cr_assert_eq(q->q_nband, 2);
	st_close(stp);
}

/* ---- enabling ---- */

Test(queue, putq_enables)
{
	setup();
	putq(q, st_msg(M_DATA, "a"));
	cr_assert_eq(enabled(), 0, "nobody wants to read");
	putq(q, st_band(1, "b"));
	cr_assert_eq(enabled(), 1, "a band always does");
	putq(q, st_msg(M_PCPROTO, "H"));
	cr_assert_eq(enabled(), 1, "high priority always does");
	q->q_flag |= QWANTR;
	putq(q, st_msg(M_DATA, "c"));
	cr_assert_eq(enabled(), 1);
	cr_assert(q->q_flag & QWANTR, "only getq() clears it");
	noenable(q);
	putq(q, st_msg(M_DATA, "d"));
	putq(q, st_band(1, "e"));
	cr_assert_eq(enabled(), 0);
	putq(q, st_msg(M_PCPROTO, "H"));
	cr_assert_eq(enabled(), 1, "high priority does in spite of noenable()");
	enableok(q);
	cr_assert_eq(enabled(), 0, "enableok() enables nothing itself");
	putq(q, st_msg(M_DATA, "f"));
	cr_assert_eq(enabled(), 1);
	st_close(stp);
}

Test(queue, putbq_and_insq_enable_less)
{
	setup();
	putbq(q, st_msg(M_DATA, "a"));
	putbq(q, st_band(1, "b"));
	cr_assert_eq(enabled(), 0);
	putbq(q, st_msg(M_PCPROTO, "H"));
	cr_assert_eq(enabled(), 1);
	insq(q, q->q_first, st_msg(M_PCPROTO, "H"));
	cr_assert_eq(enabled(), 0);
	q->q_flag |= QWANTR;
	putbq(q, st_msg(M_DATA, "c"));
	cr_assert_eq(enabled(), 1);
	insq(q, NULL, st_msg(M_DATA, "d"));
	cr_assert_eq(enabled(), 1);
	noenable(q);
	putbq(q, st_msg(M_DATA, "e"));
	insq(q, NULL, st_msg(M_DATA, "f"));
	cr_assert_eq(enabled(), 0);
	st_close(stp);
}

Test(queue, getq_of_an_empty_queue_wants_to_read)
{
	setup();
	cr_assert_null(getq(q));
	cr_assert(q->q_flag & QWANTR);
	putq(q, st_msg(M_DATA, "a"));
	cr_assert_eq(enabled(), 1);
	freemsg(getq(q));
	cr_assert_eq(q->q_flag & QWANTR, 0);
	putq(q, st_msg(M_DATA, "b"));
	cr_assert_eq(enabled(), 0);
	st_close(stp);
}

/* ---- flushing ---- */

Test(queue, flushq_all)
{
	setup();
	flushq(q, FLUSHALL);
	fill();
	enabled();
	flushq(q, FLUSHALL);
	cr_assert_null(q->q_first);
	cr_assert_null(q->q_last);
	cr_assert_eq(q->q_count, 0);
	cr_assert_eq(q->q_mblkcnt, 0);
	cr_assert_eq(band(1)->qb_count, 0);
	cr_assert_null(band(1)->qb_first);
	cr_assert_eq(enabled(), 0);
	st_close(stp);
}

Test(queue, flushq_data_spares_the_rest)
{
	static const int types[] = {M_DATA,  M_PROTO, M_PCPROTO, M_DELAY, M_CTL,
				    M_IOCTL, M_SIG,   M_PCSIG,   M_FLUSH, M_IOCACK};
	static const char *const names[] = {"data",  "proto", "pcproto", "delay", "ctl",
					    "ioctl", "sig",   "pcsig",   "flush", "iocack"};

	setup();
	for (int i = 0; i < 10; i++)
		putq(q, st_msg(types[i], names[i]));
	enabled();
	flushq(q, FLUSHDATA);
	cr_assert_str_eq(st_queued(q), "pcsig flush iocack ctl ioctl sig");
	cr_assert_eq(q->q_count, 5 + 5 + 6 + 3 + 5 + 3);
	cr_assert_eq(enabled(), 1, "the high-priority ones were put back with putq()");
	flushq_common(q, FLUSHALL, 1);
	cr_assert_null(q->q_first);
	putq(q, st_msg(M_PCPROTO, "P"));
	putq(q, st_msg(M_PCSIG, "S"));
	flushq_common(q, FLUSHALL, 1);
	cr_assert_str_eq(st_queued(q), "P");
	st_close(stp);
}

Test(queue, flushband_takes_one_band)
{
	setup();
	fill();
	flushband(q, 9, FLUSHALL);
	cr_assert_str_eq(st_queued(q), "HP HA c3 f2 b1 e1 a d");
	flushband(q, 1, FLUSHALL);
	cr_assert_str_eq(st_queued(q), "HP HA c3 f2 a d");
	cr_assert_eq(band(1)->qb_count, 0);
	cr_assert_null(band(1)->qb_first);
	putq(q, st_band(2, "g2"));
	DB_TYPE(band(2)->qb_first) = M_CTL;
	flushband(q, 2, FLUSHDATA);
	cr_assert_str_eq(st_queued(q), "HP HA c3 f2 a d");
	flushband(q, 0, FLUSHDATA);
	cr_assert_str_eq(st_queued(q), "HA c3 f2", "band 0 takes high priority data along");
	flushband(q, 0, FLUSHALL);
	cr_assert_str_eq(st_queued(q), "c3 f2");
	cr_assert_eq(q->q_count, 0);
	st_close(stp);
}

/* ---- fields ---- */

Test(queue, strqset_and_strqget)
{
	size_t n;
	ssize_t psz;
	mblk_t *mp;
	uint_t flag;

	setup();
	cr_assert_eq(strqset(q, QHIWAT, 0, 500), 0);
	cr_assert_eq(strqset(q, QLOWAT, 0, 50), 0);
	cr_assert_eq(strqset(q, QMAXPSZ, 0, 1000), 0);
	cr_assert_eq(strqset(q, QMINPSZ, 0, 10), 0);
	cr_assert_eq(strqget(q, QHIWAT, 0, &n), 0);
	cr_assert_eq(n, 500);
	cr_assert_eq(strqget(q, QLOWAT, 0, &n), 0);
	cr_assert_eq(n, 50);
	cr_assert_eq(strqget(q, QMAXPSZ, 0, &psz), 0);
	cr_assert_eq(psz, 1000);
	cr_assert_eq(strqget(q, QMINPSZ, 0, &psz), 0);
	cr_assert_eq(psz, 10);
	putq(q, st_msg(M_DATA, "abc"));
	putq(q, st_msg(M_DATA, "de"));
	cr_assert_eq(strqget(q, QCOUNT, 0, &n), 0);
	cr_assert_eq(n, 5);
	cr_assert_eq(strqget(q, QFIRST, 0, &mp), 0);
	cr_assert_str_eq(st_text(mp), "abc.");
	cr_assert_eq(strqget(q, QLAST, 0, &mp), 0);
	cr_assert_str_eq(st_text(mp), "de.");
	cr_assert_eq(strqget(q, QFLAG, 0, &flag), 0);
	cr_assert_eq(flag, q->q_flag);
	st_close(stp);
}

Test(queue, strqset_of_bands)
{
	size_t n;
	ssize_t psz;
	mblk_t *mp;
	uint_t flag;

	setup();
	cr_assert_eq(strqset(q, QHIWAT, 2, 7), 0);
	cr_assert_eq(q->q_nband, 2, "made on first use, with those below");
	cr_assert_eq(strqget(q, QHIWAT, 2, &n), 0);
	cr_assert_eq(n, 7);
	cr_assert_eq(strqget(q, QHIWAT, 1, &n), 0);
	cr_assert_eq(n, 100, "the queue's own");
	cr_assert_eq(strqset(q, QLOWAT, 1, 3), 0);
	cr_assert_eq(strqget(q, QLOWAT, 1, &n), 0);
	cr_assert_eq(n, 3);
	putq(q, st_band(2, "1234567"));
	cr_assert_eq(strqget(q, QCOUNT, 2, &n), 0);
	cr_assert_eq(n, 7);
	cr_assert_eq(strqget(q, QFLAG, 2, &flag), 0);
	cr_assert_eq(flag, QB_FULL);
	cr_assert_eq(strqget(q, QFIRST, 2, &mp), 0);
	cr_assert_str_eq(st_text(mp), "1234567.");
	cr_assert_eq(strqget(q, QLAST, 1, &mp), 0);
	cr_assert_null(mp);
	cr_assert_eq(strqset(q, QMAXPSZ, 1, 1), EINVAL);
	cr_assert_eq(strqset(q, QMINPSZ, 1, 1), EINVAL);
	cr_assert_eq(strqget(q, QMAXPSZ, 1, &psz), EINVAL);
	cr_assert_eq(strqget(q, QMINPSZ, 1, &psz), EINVAL);
	st_close(stp);
}

Test(queue, strqset_refusals)
{
	size_t n;

	setup();
	for (uchar_t pri = 0; pri < 2; pri++) {
		cr_assert_eq(strqset(q, QCOUNT, pri, 1), EPERM);
		cr_assert_eq(strqset(q, QFIRST, pri, 1), EPERM);
		cr_assert_eq(strqset(q, QLAST, pri, 1), EPERM);
		cr_assert_eq(strqset(q, QFLAG, pri, 1), EPERM);
		cr_assert_eq(strqset(q, (qfields_t)(QFLAG + 1), pri, 1), EINVAL);
		cr_assert_eq(strqget(q, (qfields_t)(QFLAG + 1), pri, &n), EINVAL);
	}
	kmem_fail_nth(1);
	cr_assert_eq(strqset(q, QHIWAT, 5, 1), EAGAIN);
	kmem_fail_nth(1);
	cr_assert_eq(strqget(q, QHIWAT, 5, &n), EAGAIN);
	st_close(stp);
}

Test(queue, packet_sizes_below_the_head_are_cached)
{
	setup();
	cr_assert_eq(strqset(q, QMAXPSZ, 0, 1000), 0);
	cr_assert_eq(strqset(q, QMINPSZ, 0, 10), 0);
	cr_assert_eq(stp->sd_qn_maxpsz, 1000);
	cr_assert_eq(stp->sd_qn_minpsz, 10);
	strqset(q, QMAXPSZ, 0, INFPSZ);
	cr_assert_eq(stp->sd_qn_maxpsz, STRMSGSZ);
	strqset(q, QMAXPSZ, 0, 100000);
	cr_assert_eq(stp->sd_qn_maxpsz, STRMSGSZ);
	strqset(RD(q), QMAXPSZ, 0, 5);
	cr_assert_eq(stp->sd_qn_maxpsz, STRMSGSZ, "the read side does not count");
	st_close(stp);
}

/* ---- small senders ---- */

static int typeput(queue_t *wq, mblk_t *mp)
{
	st_notef("%s:%x/%td:%x", wq->q_qinfo->qi_minfo->mi_idname, DB_TYPE(mp), MBLKL(mp),
		 MBLKL(mp) > 0 ? *mp->b_rptr : 0);
	freemsg(mp);
	return 0;
}

STR_MODULE(typer, typeput, NULL, typeput, NULL, 100, 20, D_MP);

Test(queue, control_messages)
{
	queue_t *hwq;

	stp = st_open();
	st_drive(stp, &typer_dev);
	hwq = stp->sd_wrq;
	cr_assert_eq(putnextctl(hwq, M_START), 1);
	cr_assert_eq(putnextctl1(hwq, M_FLUSH, FLUSHRW), 1);
	cr_assert_eq(putctl(hwq->q_next, M_BREAK), 1);
	cr_assert_eq(putctl1(RD(hwq->q_next), M_DELAY, 7), 1);
	cr_assert_eq(putnextctl_wait(hwq, M_STOP), 1);
	st_expect("typer:88/0:0 typer:86/1:3 typer:8/0:0 typer:c/1:7 typer:87/0:0");
	for (int i = 0; i < 4; i++) {
		int type = ((int[]){M_DATA, M_PROTO, M_PCPROTO, M_MULTIDATA})[i];

		cr_assert_eq(putnextctl(hwq, type), 0);
		cr_assert_eq(putnextctl1(hwq, type, 1), 0);
		cr_assert_eq(putctl(hwq->q_next, type), 0);
		cr_assert_eq(putctl1(hwq->q_next, type, 1), 0);
		cr_assert_eq(putnextctl_wait(hwq, type), 0);
	}
	allocb_fail_nth(-1);
	cr_assert_eq(putnextctl(hwq, M_START), 0);
	cr_assert_eq(putnextctl1(hwq, M_START, 1), 0);
	cr_assert_eq(putctl(hwq->q_next, M_START), 0);
	cr_assert_eq(putctl1(hwq->q_next, M_START, 1), 0);
	allocb_fail_nth(1);
	cr_assert_eq(putnextctl(hwq, M_START), 1, "tried harder");
	allocb_fail_nth(0);
	st_expect("typer:88/0:0");
	st_close(stp);
}

Test(queue, qreply_goes_back)
{
	stp = st_open();
	st_drive(stp, &typer_dev);
	qreply(stp->sd_wrq->q_next, st_msg(M_DATA, "hi"));
	st_expect("head:hi");
	st_close(stp);
}

Test(queue, qband_255)
{
	setup();
	cr_assert_eq(putq(q, st_band(255, "x")), 1);
	cr_assert_eq(putq(q, st_band(254, "y")), 1);
	cr_assert_eq(q->q_nband, 255);
	cr_assert_str_eq(st_queued(q), "x y");
	freemsg(getq(q));
	freemsg(getq(q));
	st_close(stp);
}

/* ---- at random ---- */

/* Rank and number of every message, in the order they must stand; rank 9 is high priority. */
static struct {
	int rank, id;
} model[64];
static int nmodel;

static void model_insert(int rank, int id, bool front)
{
	int i = 0;

	while (i < nmodel && (front ? model[i].rank > rank : model[i].rank >= rank))
		i++;
	memmove(&model[i + 1], &model[i], (size_t)(nmodel - i) * sizeof(model[0]));
	model[i].rank = rank;
	model[i].id = id;
	nmodel++;
}

static void model_remove(int i)
{
	memmove(&model[i], &model[i + 1], (size_t)(--nmodel - i) * sizeof(model[0]));
}

/* The list, and every band's ends and counts. */
static void model_check(void)
{
	mblk_t *mp = q->q_first, *first[10] = {NULL}, *last[10] = {NULL};
	size_t bytes[10] = {0};

	for (int i = 0; i < nmodel; i++, mp = mp->b_next) {
		int rank = model[i].rank == 9 ? 0 : model[i].rank;

		cr_assert_not_null(mp);
		cr_assert_eq(*(int *)(void *)mp->b_rptr, model[i].id);
		if (first[rank] == NULL)
			first[rank] = mp;
		last[rank] = mp;
		bytes[rank] += 4;
	}
	cr_assert_null(mp);
	cr_assert_eq(q->q_count, bytes[0]);
	for (int i = 1; i <= q->q_nband; i++) {
		cr_assert_eq(band(i)->qb_first, first[i]);
		cr_assert_eq(band(i)->qb_last, last[i]);
		cr_assert_eq(band(i)->qb_count, bytes[i]);
		cr_assert_eq(band(i)->qb_mblkcnt, bytes[i] / 4);
		cr_assert_eq((band(i)->qb_flag & QB_FULL) != 0, bytes[i] >= 100);
	}
}

Test(queue, any_order_of_putq_putbq_getq_rmvq)
{
	setup();
	for (int id = 0; id < 20000; id++) {
		uint64_t dice = machine_random();
		int rank = (int)((dice >> 8) % 5), i;
		mblk_t *mp;

		if (rank == 4)
			rank = 9;
		if (nmodel < 60 && dice % 16 < 9) {
			mp = allocb(4, BPRI_MED);
			*(int *)(void *)mp->b_wptr = id;
			mp->b_wptr += 4;
			DB_TYPE(mp) = rank == 9 ? M_PCSIG : M_DATA;
			mp->b_band = (uint8_t)rank;
			if (dice % 16 < 6)
				putq(q, mp);
			else
				putbq(q, mp);
			model_insert(rank, id, dice % 16 >= 6);
		} else if (nmodel > 0 && dice % 2 == 0) {
			freemsg(getq(q));
			model_remove(0);
		} else if (nmodel > 0) {
			i = (int)((dice >> 16) % (uint64_t)nmodel);
			mp = q->q_first;
			for (int n = 0; n < i; n++)
				mp = mp->b_next;
			rmvq(q, mp);
			freemsg(mp);
			model_remove(i);
		}
		model_check();
	}
	st_close(stp);
}
