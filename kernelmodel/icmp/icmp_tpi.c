/*
 * icmp: TPI apart from packets.  As in udp, a request that needs IP is kept in
 * icmp_pending_mp while IP's own T_BIND_REQ or T_UNBIND_REQ is under way; IP's
 * answer makes the answer to the user of it.
 */
#include <string.h>

#include "icmp/icmp.h"
#include "ip/optcom.h"
#include "ip/ulp.h"
#include "sys/errno.h"
#include "sys/tiuser.h"

static void icmp_ok_ack(queue_t *q, mblk_t *mp)
{
	if ((mp = ulp_ok_ack(q, mp)) != NULL)
		qreply(q, mp);
}

/* Keep the user's request and send IP's; without memory for IP's, refuse. */
static void icmp_ask_ip(queue_t *q, mblk_t *mp, mblk_t *ipmp)
{
	icmp_t *icmp = q->q_ptr;

	if (ipmp == NULL) {
		optcom_err_ack(q, mp, TSYSERR, ENOMEM);
		return;
	}
	icmp->icmp_pending_op = ulp_prim(mp);
	icmp->icmp_pending_mp = mp;
	(void)putnext(q, ipmp);
}

/* May a request of at least len bytes be made in the present state?  If not, it has been answered. */
static boolean_t icmp_may(queue_t *q, mblk_t *mp, size_t len, boolean_t state)
{
	const icmp_t *icmp = q->q_ptr;

	if (MBLKL(mp) < (ssize_t)len)
		optcom_err_ack(q, mp, TPROTO, 0);
	else if (!state || icmp->icmp_pending_op != -1)
		optcom_err_ack(q, mp, TOUTSTATE, 0);
	else
		return (B_TRUE);
	return (B_FALSE);
}

#define ICMP_IS_BOUND(icmp) ((icmp)->icmp_state == TS_IDLE || (icmp)->icmp_state == TS_DATA_XFER)

/* ---- requests that IP has a part in ---- */

static void icmp_bind(queue_t *q, mblk_t *mp)
{
	icmp_t *icmp = q->q_ptr;
	const struct T_bind_req *req = (const struct T_bind_req *)mp->b_rptr;
	mblk_t *ipmp;
	uint32_t proto;
	sin_t sin;

	if (!icmp_may(q, mp, sizeof(*req), icmp->icmp_state == TS_UNBND))
		return;
	if (!ulp_bind_sin(mp, &sin)) {
		optcom_err_ack(q, mp, TBADADDR, 0);
		return;
	}
	proto = icmp->icmp_proto;
	if (req->ADDR_length == (t_scalar_t)sizeof(sin) + 1)
		proto = mp->b_rptr[(size_t)req->ADDR_offset + sizeof(sin)];
	if ((ipmp = ulp_ip_bind_local_mp(sin.sin_addr.s_addr, 0, (uint8_t)proto)) != NULL) {
		icmp->icmp_pending_addr = sin.sin_addr.s_addr;
		icmp->icmp_proto = proto;
		icmp->icmp_state = TS_WACK_BREQ;
	}
	icmp_ask_ip(q, mp, ipmp);
}

static void icmp_bind_done(queue_t *q, mblk_t *mp)
{
	icmp_t *icmp = q->q_ptr;
	sin_t sin = {.sin_family = AF_INET, .sin_addr = {icmp->icmp_pending_addr}};

	icmp->icmp_state = TS_IDLE;
	icmp->icmp_bound_src = icmp->icmp_pending_addr;
	icmp->icmp_src = ulp_is_source(icmp->icmp_bound_src, icmp->icmp_ifindex) ? icmp->icmp_bound_src : INADDR_ANY;
	if ((mp = ulp_bind_ack(WR(q), mp, &sin)) != NULL)
		(void)putnext(q, mp);
}

static void icmp_unbind(queue_t *q, mblk_t *mp)
{
	icmp_t *icmp = q->q_ptr;
	mblk_t *ipmp;

	if (!icmp_may(q, mp, sizeof(struct T_unbind_req), ICMP_IS_BOUND(icmp)))
		return;
	if ((ipmp = ulp_ip_unbind_mp()) != NULL)
		icmp->icmp_state = TS_WACK_UREQ;
	icmp_ask_ip(q, mp, ipmp);
}

static void icmp_unbound(icmp_t *icmp)
{
	icmp->icmp_src = icmp->icmp_bound_src = icmp->icmp_dst = INADDR_ANY;
	icmp->icmp_state = TS_UNBND;
}

static void icmp_unbind_done(queue_t *q, mblk_t *mp)
{
	icmp_unbound(q->q_ptr);
	(void)putnextctl1(q, M_FLUSH, FLUSHRW);
	icmp_ok_ack(WR(q), mp);
}

static void icmp_connect(queue_t *q, mblk_t *mp)
{
	icmp_t *icmp = q->q_ptr;
	const struct T_conn_req *req = (const struct T_conn_req *)mp->b_rptr;
	ipa_conn_t ac;
	sin_t sin;

	if (!icmp_may(q, mp, sizeof(*req), ICMP_IS_BOUND(icmp)))
		return;
	if (!ulp_sin(mp, req->DEST_offset, req->DEST_length, &sin)) {
		optcom_err_ack(q, mp, TBADADDR, 0);
		return;
	}
	if (sin.sin_addr.s_addr == INADDR_ANY)
		sin.sin_addr.s_addr = INADDR_LOOPBACK_N;
	icmp->icmp_pending_addr = sin.sin_addr.s_addr;
	ac = (ipa_conn_t){icmp->icmp_bound_src, sin.sin_addr.s_addr, 0, 0};
	icmp_ask_ip(q, mp, ulp_ip_bind_mp(&ac, sizeof(ac), (uint8_t)icmp->icmp_proto));
}

/* IP has connected the endpoint; ack is its T_BIND_ACK. */
static void icmp_connect_done(queue_t *q, mblk_t *mp, const mblk_t *ack)
{
	icmp_t *icmp = q->q_ptr;
	const struct T_bind_ack *tba = (const struct T_bind_ack *)ack->b_rptr;
	sin_t peer = {.sin_family = AF_INET, .sin_addr = {icmp->icmp_pending_addr}};
	ipa_conn_t ac;
	mblk_t *con;

	memcpy(&ac, ack->b_rptr + tba->ADDR_offset, sizeof(ac));
	icmp->icmp_src = ac.ac_laddr;
	icmp->icmp_dst = icmp->icmp_pending_addr;
	icmp->icmp_state = TS_DATA_XFER;
	con = ulp_conn_con(&peer);
	icmp_ok_ack(WR(q), mp);
	if (con != NULL)
		(void)putnext(q, con);
}

static void icmp_disconnect(queue_t *q, mblk_t *mp)
{
	icmp_t *icmp = q->q_ptr;

	if (icmp_may(q, mp, sizeof(t_scalar_t), icmp->icmp_state == TS_DATA_XFER))
		icmp_ask_ip(q, mp, ulp_ip_bind_local_mp(icmp->icmp_bound_src, 0, (uint8_t)icmp->icmp_proto));
}

static void icmp_disconnect_done(queue_t *q, mblk_t *mp)
{
	icmp_t *icmp = q->q_ptr;

	icmp->icmp_src = icmp->icmp_bound_src;
	icmp->icmp_dst = INADDR_ANY;
	icmp->icmp_state = TS_IDLE;
	icmp_ok_ack(WR(q), mp);
}

/* What changes something that IP keeps is IP's to answer first: it may refuse. */
static void icmp_optmgmt(queue_t *q, mblk_t *mp)
{
	icmp_t *icmp = q->q_ptr;
	const struct T_optmgmt_req *req = (const struct T_optmgmt_req *)mp->b_rptr;

	if (MBLKL(mp) >= (ssize_t)sizeof(*req) && req->MGMT_flags == T_NEGOTIATE && icmp->icmp_pending_op == -1 &&
	    optcom_any(mp, icmp_opt_for_ip))
		icmp_ask_ip(q, mp, copymsg(mp));
	else
		svr4_optcom_req(q, mp, icmp, icmp_opt_set, icmp_opt_get);
}

/* ---- information ---- */

static void icmp_info_fill(const icmp_t *icmp, struct T_info_ack *info)
{
	*info = (struct T_info_ack){.PRIM_type = T_INFO_ACK,
				    .TSDU_size = IP_MAXPACKET - IP_SIMPLE_HDR_LENGTH,
				    .ETSDU_size = T_INVALID,
				    .CDATA_size = T_INVALID,
				    .DDATA_size = T_INVALID,
				    .ADDR_size = sizeof(sin_t),
				    .OPT_size = OPT_MAXVAL,
				    .TIDU_size = IP_MAXPACKET,
				    .SERV_type = T_CLTS,
				    .CURRENT_state = icmp->icmp_state,
				    .PROVIDER_flag = SENDZERO};
}

static void icmp_info(queue_t *q, mblk_t *mp, mblk_t *(*make)(queue_t *, mblk_t *, const struct T_info_ack *))
{
	struct T_info_ack info;

	icmp_info_fill(q->q_ptr, &info);
	if ((mp = make(q, mp, &info)) != NULL)
		qreply(q, mp);
}

static void icmp_addr_req(queue_t *q, mblk_t *mp)
{
	const icmp_t *icmp = q->q_ptr;
	sin_t local = {.sin_family = AF_INET, .sin_addr = {icmp->icmp_src}};
	sin_t remote = {.sin_family = AF_INET, .sin_addr = {icmp->icmp_dst}};

	mp = ulp_addr_ack(q, mp, icmp->icmp_state != TS_UNBND ? &local : NULL,
			  icmp->icmp_state == TS_DATA_XFER ? &remote : NULL);
	if (mp != NULL)
		qreply(q, mp);
}

/* ---- dispatch ---- */

static void icmp_wput_proto(queue_t *q, mblk_t *mp)
{
	if (MBLKL(mp) < (ssize_t)sizeof(t_scalar_t)) {
		freemsg(mp);
		return;
	}
	switch (ulp_prim(mp)) {
	case O_T_BIND_REQ:
	case T_BIND_REQ:
		icmp_bind(q, mp);
		return;
	case T_UNBIND_REQ:
		icmp_unbind(q, mp);
		return;
	case T_CONN_REQ:
		icmp_connect(q, mp);
		return;
	case T_DISCON_REQ:
		icmp_disconnect(q, mp);
		return;
	case T_SVR4_OPTMGMT_REQ:
	case T_OPTMGMT_REQ:
		icmp_optmgmt(q, mp);
		return;
	case T_INFO_REQ:
		icmp_info(q, mp, ulp_info_ack);
		return;
	case T_CAPABILITY_REQ:
		icmp_info(q, mp, ulp_capability_ack);
		return;
	case T_ADDR_REQ:
		icmp_addr_req(q, mp);
		return;
	default:
		optcom_err_ack(q, mp, TNOTSUPPORT, 0);
		return;
	}
}

void icmp_wput_other(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) == M_PROTO || DB_TYPE(mp) == M_PCPROTO) {
		icmp_wput_proto(q, mp);
		return;
	}
	if (DB_TYPE(mp) == M_FLUSH && (*mp->b_rptr & FLUSHW))
		flushq(q, FLUSHDATA);
	(void)putnext(q, mp);
}

/* IP did what the pending request needed. */
static void icmp_pending_done(queue_t *q, mblk_t *mp, t_scalar_t op, const mblk_t *ack)
{
	switch (op) {
	case O_T_BIND_REQ:
	case T_BIND_REQ:
		icmp_bind_done(q, mp);
		return;
	case T_UNBIND_REQ:
		icmp_unbind_done(q, mp);
		return;
	case T_CONN_REQ:
		icmp_connect_done(q, mp, ack);
		return;
	case T_DISCON_REQ:
		icmp_disconnect_done(q, mp);
		return;
	default:
		svr4_optcom_req(WR(q), mp, q->q_ptr, icmp_opt_set, icmp_opt_get);
		return;
	}
}

/* IP refused: so do we, naming the user's request. */
static void icmp_pending_failed(queue_t *q, mblk_t *mp, const mblk_t *ack)
{
	const struct T_error_ack *tea = (const struct T_error_ack *)ack->b_rptr;
	icmp_t *icmp = q->q_ptr;

	if (icmp->icmp_state == TS_WACK_BREQ)
		icmp_unbound(icmp);
	else if (icmp->icmp_state == TS_WACK_UREQ)
		icmp->icmp_state = TS_IDLE;
	optcom_err_ack(WR(q), mp, tea->TLI_error, tea->UNIX_error);
}

void icmp_rput_other(queue_t *q, mblk_t *mp)
{
	icmp_t *icmp = q->q_ptr;
	mblk_t *req = icmp->icmp_pending_mp;
	t_scalar_t op = icmp->icmp_pending_op, prim;

	if (DB_TYPE(mp) == M_FLUSH && (*mp->b_rptr & FLUSHR))
		flushq(q, FLUSHDATA);
	if ((DB_TYPE(mp) != M_PROTO && DB_TYPE(mp) != M_PCPROTO) || MBLKL(mp) < (ssize_t)sizeof(t_scalar_t) ||
	    op == -1) {
		(void)putnext(q, mp);
		return;
	}
	prim = ulp_prim(mp);
	icmp->icmp_pending_mp = NULL;
	icmp->icmp_pending_op = -1;
	if (prim == T_ERROR_ACK)
		icmp_pending_failed(q, req, mp);
	else
		icmp_pending_done(q, req, op, mp);
	freemsg(mp);
}

/* The stream is closed. */
void icmp_close_free(icmp_t *icmp)
{
	freemsg(icmp->icmp_pending_mp);
	kmem_free(icmp, sizeof(*icmp));
}
