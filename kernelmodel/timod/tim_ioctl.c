/*
 * timod: ioctls.
 *
 * One that asks the provider: the M_IOCTL is kept, a copy of its data goes down
 * as the request, and the acknowledgement (or T_ERROR_ACK) becomes the data (or
 * the value) of the M_IOCACK.  A stream has one ioctl at a time; a kept one that
 * meets another was given up by its caller.  TI_CAPABILITY to a provider that
 * does not know T_CAPABILITY_REQ, and says so or nothing at all, is answered
 * from T_INFO_ACK.
 *
 * TI_GETMYNAME and its like copy a struct netbuf and the name it leads to from
 * or to the caller.  Where they are is in a tim_copy_t, which the copy requests
 * carry in cq_private.
 */
#include <string.h>

#include "sys/errno.h"
#include "sys/tiuser.h"
#include "timod/timod.h"

#define TIM_TCAP_WAIT (2 * HZ) /* ticks that a provider has for T_CAPABILITY_REQ */
#define TIM_MAXNAME 1024

/* ---- requests ---- */

/* Which ioctls ask the provider, and how: the request must be one of these, and this long. */
typedef struct tim_request {
	int tr_cmd;
	t_scalar_t tr_prim, tr_oldprim;
	size_t tr_size;
	uchar_t tr_type;
} tim_request_t;

static const tim_request_t tim_requests[] = {
    {TI_GETINFO, T_INFO_REQ, T_INFO_REQ, sizeof(struct T_info_req), M_PCPROTO},
    {TI_OPTMGMT, T_OPTMGMT_REQ, T_SVR4_OPTMGMT_REQ, sizeof(struct T_optmgmt_req), M_PROTO},
    {TI_BIND, T_BIND_REQ, O_T_BIND_REQ, sizeof(struct T_bind_req), M_PROTO},
    {TI_UNBIND, T_UNBIND_REQ, T_UNBIND_REQ, sizeof(struct T_unbind_req), M_PROTO},
    {TI_CAPABILITY, T_CAPABILITY_REQ, T_CAPABILITY_REQ, sizeof(struct T_capability_req), M_PCPROTO},
};

static const tim_request_t *tim_request(int cmd)
{
	for (size_t i = 0; i < sizeof(tim_requests) / sizeof(tim_requests[0]); i++)
		if (tim_requests[i].tr_cmd == cmd)
			return &tim_requests[i];
	return NULL;
}

static bool tim_is_name(int cmd)
{
	return cmd == TI_GETMYNAME || cmd == TI_GETPEERNAME || cmd == TI_SETMYNAME || cmd == TI_SETPEERNAME;
}

bool tim_is_ioctl(int cmd)
{
	return tim_request(cmd) != NULL || cmd == TI_SYNC || tim_is_name(cmd);
}

static void tim_tcap_cancel(tim_tim_t *tp)
{
	if (tp->tim_tcaptid != 0)
		(void)quntimeout(tp->tim_rq, tp->tim_tcaptid);
	tp->tim_tcaptid = 0;
}

void tim_ioctl_forget(tim_tim_t *tp)
{
	tim_tcap_cancel(tp);
	freemsg(tp->tim_iocsave);
	tp->tim_iocsave = NULL;
}

/* T_INFO_REQ for the kept ioctl; false without memory. */
static bool tim_ask_info(tim_tim_t *tp)
{
	struct T_info_req req = {T_INFO_REQ};
	mblk_t *mp = tim_prim(M_PCPROTO, &req, sizeof(req), 0);

	if (mp == NULL)
		return false;
	tp->tim_iocprim = T_INFO_REQ;
	(void)putnext(WR(tp->tim_rq), mp);
	return true;
}

/* The provider does not know T_CAPABILITY_REQ. */
static void tim_no_capability(tim_tim_t *tp)
{
	mblk_t *ioc;

	if (tim_ask_info(tp))
		return;
	ioc = tp->tim_iocsave;
	tp->tim_iocsave = NULL;
	miocnak(WR(tp->tim_rq), ioc, 0, ENOSR);
}

static void tim_tcap_timer(void *arg)
{
	tim_tim_t *tp = arg;

	tp->tim_tcaptid = 0;
	if (tp->tim_iocsave != NULL)
		tim_no_capability(tp);
}

/* Keep the ioctl and send its data, copied into one block, as the request; 1: it waits for memory. */
static int tim_ask(queue_t *q, mblk_t *mp, const tim_request_t *tr)
{
	tim_tim_t *tp = q->q_ptr;
	const struct iocblk *ioc = (const struct iocblk *)mp->b_rptr;
	mblk_t *req = msgpullup(mp->b_cont, -1);

	if (req == NULL) {
		tim_recover(q, mp, ioc->ioc_count);
		return 1;
	}
	DB_TYPE(req) = tr->tr_type;
	mblk_setcred(req, ioc->ioc_cr);
	DB_CPID(req) = DB_CPID(mp);
	tim_ioctl_forget(tp);
	tp->tim_iocsave = mp;
	tp->tim_iocprim = TIM_PRIM(req);
	if (tr->tr_cmd == TI_CAPABILITY)
		tp->tim_tcaptid = qtimeout(tp->tim_rq, tim_tcap_timer, tp, TIM_TCAP_WAIT);
	(void)putnext(q, req);
	return 0;
}

/* ---- TI_SYNC ---- */

/* Does expedited data stand anywhere above? */
static bool tim_exp_queued(const tim_tim_t *tp)
{
	for (const queue_t *q = tp->tim_rq; q != NULL; q = q->q_next)
		for (const mblk_t *mp = q->q_first; mp != NULL; mp = mp->b_next)
			if (DB_TYPE(mp) == M_PROTO && TIM_PRIM(mp) == T_EXDATA_IND)
				return true;
	return false;
}

/* The answer, with the provider's information if there is any; its block replaces the ioctl's data. */
static void tim_sync_ack(tim_tim_t *tp, mblk_t *ioc, mblk_t *dp, const struct T_info_ack *info)
{
	uint32_t flags = ((const struct ti_sync_req *)(const void *)ioc->b_cont->b_rptr)->tsr_flags;
	struct ti_sync_ack ack = {.tsa_qlen = flags & TSRF_QLEN_REQ ? tp->tim_backlog : 0};

	if (info != NULL)
		ack.tsa_info = *info;
	if ((flags & TSRF_IS_EXP_IN_RCVBUF) && tim_exp_queued(tp))
		ack.tsa_flags = TSAF_EXP_QUEUED;
	memcpy(dp->b_rptr, &ack, sizeof(ack));
	mioc2ack(ioc, dp, sizeof(ack), 0);
	(void)putnext(tp->tim_rq, ioc);
}

static int tim_sync(queue_t *q, mblk_t *mp)
{
	tim_tim_t *tp = q->q_ptr;
	const struct ti_sync_req *req = (const struct ti_sync_req *)mp->b_cont->b_rptr;
	mblk_t *dp = NULL;
	bool info = (req->tsr_flags & TSRF_INFO_REQ) != 0;

	if (!info && (dp = allocb(sizeof(struct ti_sync_ack), BPRI_MED)) == NULL) {
		tim_recover(q, mp, sizeof(struct ti_sync_ack));
		return 1;
	}
	if (!info) {
		tim_sync_ack(tp, mp, dp, NULL);
		return 0;
	}
	tim_ioctl_forget(tp);
	tp->tim_iocsave = mp;
	if (tim_ask_info(tp))
		return 0;
	tp->tim_iocsave = NULL;
	tim_recover(q, mp, sizeof(struct T_info_req));
	return 1;
}

/* ---- answers ---- */

/* The ioctl's answer is the provider's. */
static void tim_ioc_data(tim_tim_t *tp, mblk_t *ack)
{
	mblk_t *ioc = tp->tim_iocsave;

	tp->tim_iocsave = NULL;
	DB_TYPE(ack) = M_DATA;
	mioc2ack(ioc, ack, (size_t)MBLKL(ack), 0);
	(void)putnext(tp->tim_rq, ioc);
}

/* No data, only a value. */
static void tim_ioc_value(tim_tim_t *tp, mblk_t *ack, int value)
{
	mblk_t *ioc = tp->tim_iocsave;

	tp->tim_iocsave = NULL;
	freemsg(ack);
	mioc2ack(ioc, NULL, 0, value);
	(void)putnext(tp->tim_rq, ioc);
}

/* T_INFO_ACK for TI_GETINFO, TI_SYNC, or TI_CAPABILITY of a provider that does not know it. */
static void tim_ioc_info(queue_t *rq, mblk_t *ack)
{
	tim_tim_t *tp = rq->q_ptr;
	mblk_t *ioc = tp->tim_iocsave, *dp;
	int cmd = ((const struct iocblk *)(const void *)ioc->b_rptr)->ioc_cmd;
	struct T_info_ack info = *(const struct T_info_ack *)(const void *)ack->b_rptr;
	struct T_capability_ack tca = {.PRIM_type = T_CAPABILITY_ACK, .INFO_ack = info};

	if (cmd == TI_GETINFO) {
		tim_ioc_data(tp, ack);
		return;
	}
	dp = allocb(MAX(sizeof(struct ti_sync_ack), sizeof(tca)), BPRI_MED);
	if (dp == NULL) {
		tim_recover(rq, ack, sizeof(tca));
		return;
	}
	freemsg(ack);
	tp->tim_iocsave = NULL;
	if (cmd == TI_SYNC) {
		tim_sync_ack(tp, ioc, dp, &info);
		return;
	}
	tca.CAP_bits1 = ((const struct T_capability_req *)(const void *)ioc->b_cont->b_rptr)->CAP_bits1 & TC1_INFO;
	memcpy(dp->b_rptr, &tca, sizeof(tca));
	mioc2ack(ioc, dp, sizeof(tca), 0);
	(void)putnext(rq, ioc);
}

/* Which request an acknowledgement answers; -1: none that an ioctl makes. */
static t_scalar_t tim_answers(const tim_tim_t *tp, const union T_primitives *p, size_t len)
{
	t_scalar_t asked = tp->tim_iocprim;

	switch (p->type) {
	case T_INFO_ACK:
		return len < sizeof(p->info_ack) ? -1 : T_INFO_REQ;
	case T_BIND_ACK:
		return len < sizeof(p->bind_ack) ? -1 : asked == O_T_BIND_REQ ? O_T_BIND_REQ : T_BIND_REQ;
	case T_OPTMGMT_ACK:
		return len < sizeof(p->optmgmt_ack) ? -1 : asked == T_OPTMGMT_REQ ? T_OPTMGMT_REQ : T_SVR4_OPTMGMT_REQ;
	case T_CAPABILITY_ACK:
		return len < sizeof(p->capability_ack) ? -1 : T_CAPABILITY_REQ;
	case T_OK_ACK:
		return len < sizeof(p->ok_ack) ? -1 : p->ok_ack.CORRECT_prim;
	case T_ERROR_ACK:
		return len < sizeof(p->error_ack) ? -1 : p->error_ack.ERROR_prim;
	default:
		return -1;
	}
}

/* The T_INFO_REQ of the open procedure has its answer. */
static bool tim_open_info(tim_tim_t *tp, mblk_t *ack)
{
	const union T_primitives *p = (const union T_primitives *)ack->b_rptr;
	t_scalar_t of = tim_answers(tp, p, (size_t)MBLKL(ack));

	if (!(tp->tim_flags & TIM_OPENINFO) || of != T_INFO_REQ)
		return false;
	tp->tim_flags &= ~(uint_t)TIM_OPENINFO;
	if (p->type == T_INFO_ACK)
		tp->tim_flags |= p->info_ack.SERV_type == T_CLTS ? TIM_CLTS : TIM_COTS;
	freemsg(ack);
	return true;
}

bool tim_ioctl_answer(queue_t *rq, mblk_t *ack)
{
	tim_tim_t *tp = rq->q_ptr;
	const union T_primitives *p = (const union T_primitives *)ack->b_rptr;

	if (tim_open_info(tp, ack))
		return true;
	if (tp->tim_iocsave == NULL || tim_answers(tp, p, (size_t)MBLKL(ack)) != tp->tim_iocprim)
		return false;
	tim_tcap_cancel(tp);
	switch (p->type) {
	case T_INFO_ACK:
		tim_ioc_info(rq, ack);
		break;
	case T_OK_ACK:
		tim_ioc_value(tp, ack, 0);
		break;
	case T_ERROR_ACK:
		if (tp->tim_iocprim == T_CAPABILITY_REQ) {
			freemsg(ack);
			tim_no_capability(tp);
		} else {
			tim_ioc_value(tp, ack, (p->error_ack.TLI_error & 0xff) | (p->error_ack.UNIX_error & 0xff) << 8);
		}
		break;
	default:
		tim_ioc_data(tp, ack);
	}
	return true;
}

/* ---- names ---- */

/* Where a NAME ioctl is. */
typedef struct tim_copy {
	enum { TIM_NETBUF_IN, TIM_NAME_IN, TIM_NAME_OUT, TIM_NETBUF_OUT } tc_stage;
	void *tc_uaddr; /* of the caller's struct netbuf */
	struct netbuf tc_nb;
} tim_copy_t;

static void tim_name_start(queue_t *q, mblk_t *mp)
{
	const struct iocblk *ioc = (const struct iocblk *)mp->b_rptr;
	bool set = ioc->ioc_cmd == TI_SETMYNAME || ioc->ioc_cmd == TI_SETPEERNAME;
	tim_copy_t *tc;
	mblk_t *state = NULL;
	int error = ioc->ioc_count != TRANSPARENT ? EINVAL : set && ioc->ioc_cr->cr_uid != 0 ? EPERM : 0;

	if (error == 0 && (state = allocb(sizeof(*tc), BPRI_MED)) == NULL)
		error = ENOSR;
	if (error != 0) {
		miocnak(q, mp, 0, error);
		return;
	}
	tc = (tim_copy_t *)(void *)state->b_rptr;
	*tc = (tim_copy_t){TIM_NETBUF_IN, *(void **)(void *)mp->b_cont->b_rptr, {0, 0, NULL}};
	mcopyin(mp, state, sizeof(tc->tc_nb), NULL);
	qreply(q, mp);
}

/* End the ioctl well, or with an error. */
static void tim_name_end(queue_t *q, mblk_t *mp, mblk_t *state, int error)
{
	freemsg(state);
	freemsg(unlinkb(mp));
	mp->b_wptr = mp->b_rptr + sizeof(struct iocblk);
	if (error != 0)
		miocnak(q, mp, 0, error);
	else
		miocack(q, mp, 0, 0);
}

/* The caller's struct netbuf gets the length. */
static void tim_netbuf_out(queue_t *q, mblk_t *mp, mblk_t *state)
{
	tim_copy_t *tc = (tim_copy_t *)(void *)state->b_rptr;
	mblk_t *dp = allocb(sizeof(tc->tc_nb), BPRI_MED);

	if (dp == NULL) {
		tim_name_end(q, mp, state, ENOSR);
		return;
	}
	tim_append(dp, &tc->tc_nb, sizeof(tc->tc_nb));
	tc->tc_stage = TIM_NETBUF_OUT;
	mcopyout(mp, state, sizeof(tc->tc_nb), tc->tc_uaddr, dp);
	qreply(q, mp);
}

static void tim_name_out(queue_t *q, mblk_t *mp, mblk_t *state, const tim_name_t *name)
{
	tim_copy_t *tc = (tim_copy_t *)(void *)state->b_rptr;
	mblk_t *dp;

	if (name->tn_len > tc->tc_nb.maxlen) {
		tim_name_end(q, mp, state, ENAMETOOLONG);
		return;
	}
	tc->tc_nb.len = (uint_t)name->tn_len;
	if (name->tn_len == 0) {
		tim_netbuf_out(q, mp, state);
		return;
	}
	dp = allocb(name->tn_len, BPRI_MED);
	if (dp == NULL) {
		tim_name_end(q, mp, state, ENOSR);
		return;
	}
	tim_append(dp, name->tn_buf, name->tn_len);
	tc->tc_stage = TIM_NAME_OUT;
	mcopyout(mp, state, name->tn_len, tc->tc_nb.buf, dp);
	qreply(q, mp);
}

/* The struct netbuf is here: go on with the name. */
static void tim_netbuf_in(queue_t *q, mblk_t *mp, mblk_t *state, int cmd)
{
	tim_tim_t *tp = q->q_ptr;
	tim_copy_t *tc = (tim_copy_t *)(void *)state->b_rptr;

	if (mp->b_cont == NULL || MBLKL(mp->b_cont) < (ssize_t)sizeof(tc->tc_nb)) {
		tim_name_end(q, mp, state, EINVAL);
		return;
	}
	memcpy(&tc->tc_nb, mp->b_cont->b_rptr, sizeof(tc->tc_nb));
	if (cmd == TI_GETMYNAME) {
		tim_name_out(q, mp, state, &tp->tim_myname);
	} else if (cmd == TI_GETPEERNAME && tp->tim_peername.tn_buf == NULL) {
		tim_name_end(q, mp, state, ENOTCONN);
	} else if (cmd == TI_GETPEERNAME) {
		tim_name_out(q, mp, state, &tp->tim_peername);
	} else if (tc->tc_nb.len == 0 || tc->tc_nb.len > TIM_MAXNAME || tc->tc_nb.buf == NULL) {
		tim_name_end(q, mp, state, EINVAL);
	} else {
		tc->tc_stage = TIM_NAME_IN;
		mcopyin(mp, state, tc->tc_nb.len, tc->tc_nb.buf);
		qreply(q, mp);
	}
}

static void tim_name_in(queue_t *q, mblk_t *mp, mblk_t *state, int cmd)
{
	tim_tim_t *tp = q->q_ptr;
	tim_name_t *name = cmd == TI_SETMYNAME ? &tp->tim_myname : &tp->tim_peername;
	int error = 0;

	if (mp->b_cont == NULL || !pullupmsg(mp->b_cont, -1))
		error = ENOSR;
	else if (!tim_setname(name, mp->b_cont->b_rptr, (size_t)MBLKL(mp->b_cont)))
		error = ENOMEM;
	tim_name_end(q, mp, state, error);
}

void tim_iocdata(queue_t *q, mblk_t *mp)
{
	const struct copyresp *resp = (const struct copyresp *)mp->b_rptr;
	mblk_t *state = resp->cp_private;
	int cmd = resp->cp_cmd;

	if (resp->cp_rval != NULL || state == NULL) { /* the head has told the caller */
		freemsg(state);
		freemsg(mp);
		return;
	}
	switch (((const tim_copy_t *)(const void *)state->b_rptr)->tc_stage) {
	case TIM_NETBUF_IN:
		tim_netbuf_in(q, mp, state, cmd);
		break;
	case TIM_NAME_IN:
		tim_name_in(q, mp, state, cmd);
		break;
	case TIM_NAME_OUT:
		tim_netbuf_out(q, mp, state);
		break;
	case TIM_NETBUF_OUT:
		tim_name_end(q, mp, state, 0);
		break;
	}
}

/* ---- all ---- */

int tim_ioctl(queue_t *q, mblk_t *mp)
{
	int cmd = ((const struct iocblk *)(const void *)mp->b_rptr)->ioc_cmd, error;
	const tim_request_t *tr = tim_request(cmd);
	t_scalar_t prim;

	if (tim_is_name(cmd)) {
		tim_name_start(q, mp);
		return 0;
	}
	error = miocpullup(mp, tr != NULL ? tr->tr_size : sizeof(struct ti_sync_req));
	if (error == ENOMEM) {
		tim_recover(q, mp, msgsize(mp->b_cont));
		return 1;
	}
	if (error == 0 && tr == NULL)
		return tim_sync(q, mp);
	if (error == 0) {
		prim = TIM_PRIM(mp->b_cont);
		if (prim != tr->tr_prim && prim != tr->tr_oldprim)
			error = EPROTO;
	}
	if (error == 0)
		return tim_ask(q, mp, tr);
	miocnak(q, mp, 0, error);
	return 0;
}
