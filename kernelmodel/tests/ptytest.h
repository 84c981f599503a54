/*
 * For tests of terminal modules: messages as text, ioctl messages by hand, and a
 * stream of one module between a head and a driver that note what reaches them.
 */
#ifndef STRSIM_PTYTEST_H
#define STRSIM_PTYTEST_H

#include "tests/headtest.h"
#include "sys/bufmod.h"
#include "sys/ptem.h"
#include "sys/ptms.h"
#include "sys/ttold.h"

/* ---- messages as text ---- */

TEST_FN const char *pt_type(int type)
{
	static const struct {
		int type;
		const char *name;
	} names[] = {{M_DATA, "DATA"},       {M_PROTO, "PROTO"}, {M_BREAK, "BREAK"},     {M_SIG, "SIG"},
		     {M_DELAY, "DELAY"},     {M_CTL, "CTL"},     {M_IOCTL, "IOCTL"},     {M_SETOPTS, "SETOPTS"},
		     {M_IOCACK, "ACK"},      {M_IOCNAK, "NAK"},  {M_PCPROTO, "PCPROTO"}, {M_PCSIG, "PCSIG"},
		     {M_READ, "READ"},       {M_FLUSH, "FLUSH"}, {M_STOP, "STOP"},       {M_START, "START"},
		     {M_HANGUP, "HANGUP"},   {M_ERROR, "ERROR"}, {M_COPYIN, "COPYIN"},   {M_COPYOUT, "COPYOUT"},
		     {M_IOCDATA, "IOCDATA"}, {M_STOPI, "STOPI"}, {M_STARTI, "STARTI"},   {M_UNHANGUP, "UNHANGUP"},
		     {M_RSE, "RSE"},         {M_PCRSE, "PCRSE"}, {M_PASSFP, "PASSFP"}};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].type == type)
			return names[i].name;
	return "?";
}

#define PT_ADD(...) n += (size_t)snprintf(buf + n, sizeof(buf) - n, __VA_ARGS__)

/* Type, what an ioctl message says, and the data: printable as it is, others \xx; blocks are parted by '|'. */
TEST_FN const char *pt_show(const mblk_t *mp)
{
	static char buf[4096];
	size_t n = 0;
	const struct iocblk *ioc = (const struct iocblk *)mp->b_rptr;
	const struct copyreq *cq = (const struct copyreq *)mp->b_rptr;
	const mblk_t *bp = mp->b_cont;

	PT_ADD("%s", pt_type(DB_TYPE(mp)));
	switch (DB_TYPE(mp)) {
	case M_IOCTL:
	case M_IOCACK:
	case M_IOCNAK:
		PT_ADD("(%c%d", (ioc->ioc_cmd >> 8) & 0xff, ioc->ioc_cmd & 0xff);
		if (DB_TYPE(mp) == M_IOCTL)
			PT_ADD(",%d%s", (int)ioc->ioc_count, MBLKL(mp) == sizeof(*ioc) ? "" : ",length?");
		else if (DB_TYPE(mp) == M_IOCACK)
			PT_ADD(",%d,%d,%d", (int)ioc->ioc_count, ioc->ioc_error, ioc->ioc_rval);
		else
			PT_ADD(",%d", ioc->ioc_error);
		PT_ADD(")");
		break;
	case M_COPYIN:
	case M_COPYOUT:
		PT_ADD("(%c%d,%zu@%p)", (cq->cq_cmd >> 8) & 0xff, cq->cq_cmd & 0xff, cq->cq_size, (void *)cq->cq_addr);
		break;
	case M_SETOPTS: {
		const struct stroptions *so = (const struct stroptions *)mp->b_rptr;

		PT_ADD("(%#x,%zu,%zu)", so->so_flags, so->so_hiwat, so->so_lowat);
		return buf;
	}
	default:
		bp = mp;
	}
	if (bp != NULL && (bp->b_rptr < bp->b_wptr || bp->b_cont != NULL))
		PT_ADD(":");
	for (; bp != NULL; bp = bp->b_cont) {
		for (const uchar_t *p = bp->b_rptr; p < bp->b_wptr; p++)
			PT_ADD(*p > ' ' && *p < 0x7f && *p != '\\' ? "%c" : "\\%02x", *p);
		if (bp->b_cont != NULL)
			PT_ADD("|");
	}
	return buf;
}

/* ---- ioctl messages ---- */

/* A command with data as the head sends it. */
TEST_FN mblk_t *pt_ioctl(int cmd, const void *data, size_t len)
{
	mblk_t *mp = mkiocb((uint_t)cmd);

	cr_assert_not_null(mp);
	((struct iocblk *)mp->b_rptr)->ioc_count = (uint_t)len;
	if (len != 0)
		mp->b_cont = bytes_msg(M_DATA, data, len);
	return mp;
}

#define PT_IOCTL(cmd, obj) pt_ioctl(cmd, &(obj), sizeof(obj))

/* A transparent one. */
TEST_FN mblk_t *pt_transparent(int cmd, intptr_t arg)
{
	mblk_t *mp = PT_IOCTL(cmd, arg);

	((struct iocblk *)mp->b_rptr)->ioc_count = TRANSPARENT;
	return mp;
}

/* The head's answer to a copy request. */
TEST_FN mblk_t *pt_iocdata(int cmd, int error, const void *data, size_t len)
{
	mblk_t *mp = pt_ioctl(cmd, data, len);

	DB_TYPE(mp) = M_IOCDATA;
	mp->b_wptr = mp->b_rptr + sizeof(struct copyresp);
	((struct copyresp *)mp->b_rptr)->cp_rval = (caddr_t)(intptr_t)error;
	return mp;
}

/* ---- a stream of one module ---- */

static bool pt_discard; /* note nothing, free all */

TEST_FN int pt_noteput(queue_t *q, mblk_t *mp)
{
	if (!pt_discard)
		st_notef("%s %s", q->q_flag & QREADR ? "up" : "down", pt_show(mp));
	freemsg(mp);
	return 0;
}

TEST_FN struct module_info pt_info = {0, "end", 0, INFPSZ, 5120, 1024};
TEST_FN struct qinit pt_headrinit = {.qi_putp = pt_noteput, .qi_minfo = &pt_info};
TEST_FN struct qinit pt_rinit = {.qi_qopen = st_modopen, .qi_qclose = st_modclose, .qi_minfo = &pt_info};
TEST_FN struct qinit pt_winit = {.qi_putp = pt_noteput, .qi_minfo = &pt_info};
TEST_FN struct streamtab pt_tab = {&pt_rinit, &pt_winit, NULL, NULL};
TEST_FN const devsw_t pt_end = {.d_name = "end", .d_str = &pt_tab, .d_flag = D_MP};

static stdata_t *pt_stp;
static queue_t *pt_bottom; /* the driver's read queue */
static queue_t *pt_module; /* the module's read queue */

TEST_FN void pt_stream(const char *name)
{
	pt_stp = st_open();
	_RD(pt_stp->sd_wrq)->q_qinfo = &pt_headrinit;
	pt_bottom = st_drive(pt_stp, &pt_end);
	pt_module = st_push(pt_stp, fmodsw_find(name));
	machine_run_ready();
}

TEST_FN void pt_end_stream(void)
{
	st_close(pt_stp);
	st_noted();
}

/* Send a message down from the head, up from the driver, and let all that follows happen. */
TEST_FN void pt_down(mblk_t *mp)
{
	putnext(pt_stp->sd_wrq, mp);
	machine_run_ready();
}

TEST_FN void pt_up(mblk_t *mp)
{
	putnext(pt_bottom, mp);
	machine_run_ready();
}

#define PT_DOWN(type, text) pt_down(st_msg(type, text))
#define PT_UP(type, text) pt_up(st_msg(type, text))

/* No room at the head, at the driver; room again. */
TEST_FN void pt_full(queue_t *q)
{
	q->q_flag |= QFULL;
}

TEST_FN void pt_room(queue_t *q)
{
	q->q_flag &= ~(uint_t)(QFULL | QWANTW);
	backenable(q, 0);
	machine_run_ready();
}

#define PT_HEADQ (_RD(pt_stp->sd_wrq))
#define PT_ENDQ (_WR(pt_bottom))

/*
 * Let each allocation of a block in turn fail that a message causes (made by mk,
 * sent by pt_up or pt_down), `failures' of them: what is noted must be `bad',
 * which may depend on n_, and then `good'.
 */
#define PT_FAIL(send, mk, good, bad, failures)                               \
	do {                                                                 \
		for (int n_ = 1; n_ <= (failures) + 1; n_++) {               \
			mblk_t *mp_ = mk;                                    \
			const char *noted_;                                  \
			allocb_fail_nth(n_);                                 \
			send(mp_);                                           \
			allocb_fail_nth(0);                                  \
			noted_ = st_noted();                                 \
			if (n_ <= (failures))                                \
				cr_assert_str_eq(noted_, bad, "at %d", n_);  \
			else                                                 \
				cr_assert_str_eq(noted_, good, "at %d", n_); \
		}                                                            \
	} while (0)

/* The same for allocations that are tried again (putctl(9F)): all from the first-th on fail. */
#define PT_FAIL_FROM(send, mk, first, bad) \
	do {                               \
		mblk_t *mp_ = mk;          \
		allocb_fail_nth(-(first)); \
		send(mp_);                 \
		allocb_fail_nth(0);        \
		st_expect(bad);            \
	} while (0)

#endif
