/* Serialization queues: what runs inline, what waits, who drains it, and under which frames. */
#include "strtest.h"
#include "ip/ipclassifier.h"
#include "ip/squeue.h"

static conn_t *c[4];
static char stack[512];
static void (*inner)(void);

static void note(void *arg, mblk_t *mp, void *sqp)
{
	cr_assert_eq(sqp, ip_squeue);
	cr_assert_eq(((conn_t *)arg)->conn_on_sqp, 1);
	snprintf(stack, sizeof(stack), "%s", st_callers(3));
	st_notef("<%.*s", (int)MBLKL(mp), (char *)mp->b_rptr);
	if (inner != NULL) {
		void (*f)(void) = inner;
		inner = NULL;
		f();
	}
	st_notef("%.*s>", (int)MBLKL(mp), (char *)mp->b_rptr);
	freemsg(mp);
}

static void enter(int i, const char *s)
{
	CONN_INC_REF(c[i]);
	squeue_enter(ip_squeue, st_msg(M_DATA, s), note, c[i], 1);
}

static void fill(int i, const char *s)
{
	CONN_INC_REF(c[i]);
	squeue_fill(ip_squeue, st_msg(M_DATA, s), note, c[i], 1);
}

static void setup(void)
{
	st_boot();
	for (int i = 0; i < 4; i++)
		c[i] = ipcl_conn_create(IPCL_IPCCONN, KM_SLEEP);
}

static void teardown(void)
{
	for (int i = 0; i < 4; i++) {
		if (c[i]->conn_ref != 1)
			st_leak("references", c[i]->conn_ref - 1);
		CONN_DEC_REF(c[i]);
	}
	st_halt();
}
TestSuite(squeue_run, .init = setup, .fini = teardown);

Test(squeue_run, inline_when_idle)
{
	enter(0, "a");
	st_expect("<a a>");
	cr_assert(strstr(stack, "squeue_enter < ") != NULL, "%s", stack);
	cr_assert_eq(ip_squeue->sq_state, 0);
	cr_assert_null(ip_squeue->sq_run);
	cr_assert_eq(c[0]->conn_on_sqp, 0);
}

static void enter_same(void)
{
	enter(0, "b");
	enter(0, "c");
}

/* A connection is never entered twice: what comes for it waits until it is left. */
Test(squeue_run, same_conn_waits)
{
	inner = enter_same;
	enter(0, "a");
	st_expect("<a a> <b b> <c c>");
	cr_assert(strstr(stack, "squeue_drain < squeue_enter") != NULL, "%s", stack);
}

static void enter_third(void)
{
	enter(2, "c");
}

static void enter_other(void)
{
	inner = enter_third;
	enter(1, "b");
	enter(0, "d");
}

/* Another one is entered from inside, but only one deep. */
Test(squeue_run, reenter_once)
{
	inner = enter_other;
	enter(0, "a");
	st_expect("<a <b b> a> <c c> <d d>");
}

Test(squeue_run, fill_waits_for_worker)
{
	fill(0, "a");
	machine_run_ready();
	st_expect("");
	st_ticks(1);
	st_expect("<a a>");
	cr_assert_str_eq(stack, "squeue_drain < squeue_worker");
}

/* Who enters before the worker comes does its work too, in order. */
Test(squeue_run, fill_then_enter)
{
	fill(0, "a");
	fill(0, "b");
	enter(1, "c");
	st_expect("<a a> <b b> <c c>");
	cr_assert(strstr(stack, "squeue_drain < squeue_enter") != NULL, "%s", stack);
	st_ticks(3);
	st_expect("");
}

static void fill_inside(void)
{
	fill(1, "b");
}

/* What is filled in while somebody is inside is drained when that one leaves. */
Test(squeue_run, fill_inside_enter)
{
	inner = fill_inside;
	enter(0, "a");
	st_expect("<a a> <b b>");
}

Test(squeue_run, nodrain_leaves_it_to_the_worker)
{
	inner = fill_inside;
	CONN_INC_REF(c[0]);
	squeue_enter_nodrain(ip_squeue, st_msg(M_DATA, "a"), note, c[0], 1);
	st_expect("<a a>");
	CONN_INC_REF(c[2]);
	squeue_enter_nodrain(ip_squeue, st_msg(M_DATA, "c"), note, c[2], 1);
	st_expect("");
	st_ticks(2);
	st_expect("<b b> <c c>");
	cr_assert_str_eq(stack, "squeue_drain < squeue_worker");
}

static void drop_last(void *arg, mblk_t *mp, void *sqp)
{
	conn_t *connp = arg;

	(void)sqp;
	freemsg(mp);
	CONN_DEC_REF(connp); /* the creator's: the squeue holds the last one */
	st_note("dropped");
}

Test(squeue_run, last_reference)
{
	conn_t *connp = ipcl_conn_create(IPCL_IPCCONN, KM_SLEEP);

	CONN_INC_REF(connp);
	squeue_enter(ip_squeue, st_msg(M_DATA, "x"), drop_last, connp, 1);
	st_expect("dropped");
}

/* A kernel that ends with messages waiting leaks neither them nor their references. */
Test(squeue_end, waiting)
{
	size_t mblks, dblks, bytes, objects;

	st_boot();
	for (int i = 0; i < 2; i++) {
		c[i] = ipcl_conn_create(IPCL_IPCCONN, KM_SLEEP);
		fill(i, "a");
		CONN_DEC_REF(c[i]);
	}
	machine_fini();
	str_alive(&mblks, &dblks);
	kmem_alive(&bytes, &objects);
	cr_assert_eq(mblks + dblks, 0);
	cr_assert_eq(objects, 0);
	st_expect("");
}
