#include "chain.h"

#include <sys/sdt.h>

int chain_leafput(queue_t *q, mblk_t *mp)
{
	q->q_count += (size_t)(mp->b_wptr - mp->b_rptr);
	return 0;
}

int chain_putnext(queue_t *q, mblk_t *mp)
{
	queue_t *next = q->q_next;

	DTRACE_PROBE2(strbench, putnext, q, mp);
	next->q_qinfo->qi_putp(next, mp);
	return 0;
}

/* The comments keep call sites apart that the compiler would make one. */
#define SITE(n, call)                                     \
	case n:                                           \
		call;                                     \
		__asm__ volatile("# site %0" : : "i"(n)); \
		break
#define SITES(call)                                  \
	switch (path & 15) {                         \
		SITE(0, call);                       \
		SITE(1, call);                       \
		SITE(2, call);                       \
		SITE(3, call);                       \
		SITE(4, call);                       \
		SITE(5, call);                       \
		SITE(6, call);                       \
		SITE(7, call);                       \
		SITE(8, call);                       \
	default:                                     \
		call;                                \
		__asm__ volatile("# the last site"); \
	}

static void chain_lvl1(queue_t *q, mblk_t *mp, uint64_t path)
{
	SITES(chain_putnext(q, mp))
}

static void chain_lvl2(queue_t *q, mblk_t *mp, uint64_t path)
{
	SITES(chain_lvl1(q, mp, path >> 4))
}

static void chain_lvl3(queue_t *q, mblk_t *mp, uint64_t path)
{
	SITES(chain_lvl2(q, mp, path >> 4))
}

static void chain_lvl4(queue_t *q, mblk_t *mp, uint64_t path)
{
	SITES(chain_lvl3(q, mp, path >> 4))
}

static void chain_lvl5(queue_t *q, mblk_t *mp, uint64_t path)
{
	SITES(chain_lvl4(q, mp, path >> 4))
}

static void chain_lvl6(queue_t *q, mblk_t *mp, uint64_t path)
{
	chain_lvl5(q, mp, path);
}

static void chain_lvl7(queue_t *q, mblk_t *mp, uint64_t path)
{
	chain_lvl6(q, mp, path);
}

void chain_lvl8(queue_t *q, mblk_t *mp, uint64_t path)
{
	chain_lvl7(q, mp, path);
}

void chain_deep(queue_t *q, mblk_t *mp, uint64_t path, uint64_t depth)
{
	if (depth == 0)
		chain_lvl8(q, mp, path);
	else
		chain_deep(q, mp, path, depth - 1);
}

/* ---- the second event: bytes written by a process ---- */

int chain_output(void *conn, mblk_t *mp)
{
	*(uint64_t *)conn += (uint64_t)(mp->b_wptr - mp->b_rptr);
	return 0;
}

static void chain_wlvl1(void *conn, mblk_t *mp)
{
	chain_output(conn, mp);
}

static void chain_wlvl2(void *conn, mblk_t *mp)
{
	chain_wlvl1(conn, mp);
}

void chain_wlvl3(void *conn, mblk_t *mp)
{
	chain_wlvl2(conn, mp);
}
