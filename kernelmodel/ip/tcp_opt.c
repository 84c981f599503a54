/*
 * TCP options: T_SVR4_OPTMGMT_REQ (setsockopt and getsockopt arrive as this),
 * and what a replay fixes (ip/tcp_repair.h).
 */
#include <string.h>

#include "ip/ipsec_impl.h"
#include "ip/tcp_impl.h"
#include "sys/tcp_opt.h"

#define TCP_OPT_MAX 64 /* bytes of one option's value */

/* ---- get ---- */

static int tcp_opt_get_socket(const tcp_t *tcp, uint32_t name, uchar_t *val, uint32_t *len)
{
	int32_t v;

	switch (name) {
	case SO_LINGER: {
		struct linger lg = {tcp->tcp_linger ? SO_LINGER : 0, tcp->tcp_lingertime};
		memcpy(val, &lg, sizeof(lg));
		*len = sizeof(lg);
		return 0;
	}
	case SO_DEBUG:
		v = tcp->tcp_debug ? SO_DEBUG : 0;
		break;
	case SO_REUSEADDR:
		v = tcp->tcp_reuse ? SO_REUSEADDR : 0;
		break;
	case SO_KEEPALIVE:
		v = tcp->tcp_ka_enabled ? SO_KEEPALIVE : 0;
		break;
	case SO_DONTROUTE:
		v = tcp->tcp_dontroute ? SO_DONTROUTE : 0;
		break;
	case SO_BROADCAST:
		v = tcp->tcp_broadcast ? SO_BROADCAST : 0;
		break;
	case SO_USELOOPBACK:
		v = tcp->tcp_useloopback ? SO_USELOOPBACK : 0;
		break;
	case SO_OOBINLINE:
		v = tcp->tcp_oobinline ? SO_OOBINLINE : 0;
		break;
	case SO_DGRAM_ERRIND:
		v = tcp->tcp_dgram_errind ? SO_DGRAM_ERRIND : 0;
		break;
	case SO_SNDBUF:
		v = (int32_t)tcp->tcp_xmit_hiwater;
		break;
	case SO_RCVBUF:
		v = (int32_t)tcp->tcp_recv_hiwater;
		break;
	case SO_TYPE:
		v = SOCK_STREAM;
		break;
	default:
		return ENOPROTOOPT;
	}
	memcpy(val, &v, sizeof(v));
	*len = sizeof(v);
	return 0;
}

static int tcp_opt_get_tcp(const tcp_t *tcp, uint32_t name, uchar_t *val, uint32_t *len)
{
	int32_t v;

	switch (name) {
	case TCP_NODELAY:
		v = tcp->tcp_nodelay ? TCP_NODELAY : 0;
		break;
	case TCP_MAXSEG:
		v = (int32_t)tcp->tcp_mss;
		break;
	case TCP_NOTIFY_THRESHOLD:
		v = (int32_t)tcp->tcp_first_timer_threshold;
		break;
	case TCP_ABORT_THRESHOLD:
		v = (int32_t)tcp->tcp_second_timer_threshold;
		break;
	case TCP_CONN_NOTIFY_THRESHOLD:
		v = (int32_t)tcp->tcp_first_ctimer_threshold;
		break;
	case TCP_CONN_ABORT_THRESHOLD:
		v = (int32_t)tcp->tcp_second_ctimer_threshold;
		break;
	case TCP_INIT_CWND:
		v = (int32_t)tcp->tcp_init_cwnd;
		break;
	case TCP_KEEPALIVE_THRESHOLD:
		v = (int32_t)tcp->tcp_ka_interval;
		break;
	case TCP_KEEPALIVE_ABORT_THRESHOLD:
		v = (int32_t)tcp->tcp_ka_abort_thres;
		break;
	case TCP_CORK:
		v = tcp->tcp_cork;
		break;
	case TCP_REPAIR_FREE:
		v = TCP_FREE(tcp) != 0;
		break;
	default:
		return ENOPROTOOPT;
	}
	memcpy(val, &v, sizeof(v));
	*len = sizeof(v);
	return 0;
}

static int tcp_opt_get_ip(const tcp_t *tcp, uint32_t name, uchar_t *val, uint32_t *len)
{
	ipsec_req_t req;
	int32_t v;

	switch (name) {
	case IP_SEC_OPT:
		ipsec_req_from_conn(tcp->tcp_connp, &req);
		memcpy(val, &req, sizeof(req));
		*len = sizeof(req);
		return 0;
	case IP_TOS:
		v = tcp->tcp_connp->conn_tos;
		break;
	case IP_TTL:
		v = tcp_ipha(tcp)->ipha_ttl;
		break;
	case IP_BOUND_IF:
		v = (int32_t)tcp->tcp_connp->conn_ifindex;
		break;
	default:
		return ENOPROTOOPT;
	}
	memcpy(val, &v, sizeof(v));
	*len = sizeof(v);
	return 0;
}

/* The value of an option: 0 and *len bytes in val, or ENOPROTOOPT. */
static int tcp_opt_get(const tcp_t *tcp, uint32_t level, uint32_t name, uchar_t *val, uint32_t *len)
{
	switch (level) {
	case SOL_SOCKET:
		return tcp_opt_get_socket(tcp, name, val, len);
	case IPPROTO_TCP:
		return tcp_opt_get_tcp(tcp, name, val, len);
	case IPPROTO_IP:
		return tcp_opt_get_ip(tcp, name, val, len);
	default:
		return ENOPROTOOPT;
	}
}

/* ---- replay ---- */

static void tcp_free_set(tcp_t *tcp, int32_t how)
{
	uint8_t bits = how == 0 ? 0 : how == 1 ? TCP_PLAN_FREE : TCP_PLAN_FREE | TCP_PLAN_OPEN;

	tcp->tcp_plan_bits = (uint8_t)((tcp->tcp_plan_bits & ~(TCP_PLAN_FREE | TCP_PLAN_OPEN)) | bits);
	if (how != 0 && tcp->tcp_state >= TCPS_ESTABLISHED)
		tcp_wput_data(tcp, NULL, B_FALSE);
}

/* TCP_REPAIR_ADOPT: connected at once.  The T_CONN_CON follows the acknowledgement of the option. */
static int tcp_adopt(tcp_t *tcp, const tcp_adopt_t *ta)
{
	conn_t *connp = tcp->tcp_connp;
	ipaddr_t laddr = ta->ta_laddr;
	mblk_t *con;
	int err;

	if (tcp->tcp_state != TCPS_IDLE && tcp->tcp_state != TCPS_BOUND)
		return EISCONN;
	con = allocb(sizeof(struct T_conn_con) + tcp_addr_len(tcp), BPRI_HI);
	if (con == NULL)
		return ENOMEM;
	DB_TYPE(con) = M_PROTO;
	err = tcp_route(tcp, &laddr, ta->ta_faddr);
	if (err != 0) {
		freemsg(con);
		return err;
	}
	tcp_bind_release(tcp);
	tcp_bind_hold(tcp, ta->ta_lport);
	if (!tcp_conn_set(tcp, laddr, ta->ta_faddr, ta->ta_fport, &err)) {
		tcp_bind_release(tcp);
		connp->conn_ports = 0;
		TCP_SET_STATE(tcp, TCPS_IDLE);
		freemsg(con);
		return err;
	}
	tcp->tcp_conn.tcp_eager_conn_ind = con;
	tcp->tcp_active_open = 1;
	tcp->tcp_iss = ta->ta_snxt - 1;
	tcp->tcp_suna = tcp->tcp_snxt = tcp->tcp_rexmit_max = tcp->tcp_csuna = ta->ta_snxt;
	tcp->tcp_irs = ta->ta_rnxt - 1;
	tcp->tcp_rnxt = tcp->tcp_rack = ta->ta_rnxt;
	tcp->tcp_swl1 = ta->ta_rnxt;
	tcp->tcp_swl2 = ta->ta_snxt;
	tcp->tcp_swnd = tcp->tcp_max_swnd = ta->ta_swnd;
	tcp->tcp_snd_ws_ok = ta->ta_snd_ws >= 0 && ta->ta_rcv_ws >= 0;
	tcp->tcp_snd_ws = (uint8_t)MIN(MAX(ta->ta_snd_ws, 0), TCP_MAX_WINSHIFT);
	tcp->tcp_rcv_ws = (uint8_t)MIN(MAX(ta->ta_rcv_ws, 0), TCP_MAX_WINSHIFT);
	tcp->tcp_snd_sack_ok = ta->ta_sack;
	TCP_SET_STATE(tcp, TCPS_ESTABLISHED);
	tcp->tcp_recv_hiwater = MAX(tcp->tcp_recv_hiwater, ta->ta_rwnd);
	uint32_t mss = ta->ta_mss != 0 ? ta->ta_mss : tcp_param.tcp_mss_def_ipv4;
	if (ta->ta_ts) {
		tcp->tcp_snd_ts_ok = 1;
		tcp->tcp_tsval_base = ta->ta_tsval - (uint32_t)ddi_get_lbolt();
		tcp->tcp_ts_recent = ta->ta_tsrecent;
		tcp->tcp_last_rcv_lbolt = ddi_get_lbolt();
		tcp_tstamp_header(tcp);
	}
	tcp->tcp_plan_bits |= TCP_PLAN_ISS;
	tcp_mss_set(tcp, mss);
	tcp_rwnd_set(tcp, tcp->tcp_recv_hiwater);
	return 0;
}

/*
 * Before a SYN is sent: initial sequence number and what to offer, as a replay
 * plans it or by default.
 */
void tcp_plan_apply(tcp_t *tcp, uint_t ifindex)
{
	tcp_plan_t plan;

	memset(&plan, 0, sizeof(plan));
	if (tcp_plan_hook == NULL ||
	    (*tcp_plan_hook)(ifindex, tcp->tcp_ip_src, tcp->tcp_lport, tcp->tcp_remote, tcp->tcp_fport, &plan) == 0) {
		tcp->tcp_iss = tcp_iss_get();
		tcp->tcp_rwnd = tcp->tcp_recv_hiwater;
		tcp_set_ws_value(tcp);
		tcp->tcp_snd_ws_ok = tcp_param.tcp_wscale_always != 0 || tcp->tcp_rcv_ws > 0;
		tcp->tcp_snd_sack_ok = tcp_param.tcp_sack_permitted >= (tcp->tcp_active_open ? 2 : 1);
		tcp->tcp_snd_ts_ok = !tcp->tcp_active_open || tcp_param.tcp_tstamp_always != 0 ||
				     (tcp_param.tcp_tstamp_if_wscale != 0 && tcp->tcp_rcv_ws > 0);
		if (tcp->tcp_active_open) /* until the peer's MSS is known */
			tcp_rwnd_set(tcp, tcp->tcp_recv_hiwater);
		return;
	}
	tcp->tcp_plan_bits |= TCP_PLAN_ISS;
	tcp->tcp_iss = plan.tp_iss;
	tcp->tcp_plan_mss = plan.tp_mss;
	tcp->tcp_snd_ws_ok = plan.tp_ws >= 0;
	tcp->tcp_rcv_ws = (uint8_t)MIN(MAX(plan.tp_ws, 0), TCP_MAX_WINSHIFT);
	tcp->tcp_snd_sack_ok = plan.tp_sack;
	tcp->tcp_snd_ts_ok = plan.tp_ts;
	tcp->tcp_tsval_base = plan.tp_ts ? plan.tp_tsval - (uint32_t)ddi_get_lbolt() : 0;
	tcp->tcp_recv_hiwater = MAX(tcp->tcp_recv_hiwater, plan.tp_rwnd);
	tcp_rwnd_set(tcp, tcp->tcp_recv_hiwater);
}

/* ---- set ---- */

/* An eager begins with its listener's options. */
void tcp_opt_inherit(const tcp_t *listener, tcp_t *tcp)
{
	tcp->tcp_xmit_hiwater = listener->tcp_xmit_hiwater;
	tcp->tcp_xmit_lowater = listener->tcp_xmit_lowater;
	tcp->tcp_recv_hiwater = listener->tcp_recv_hiwater;
	tcp->tcp_naglim = listener->tcp_nodelay ? 1 : tcp_param.tcp_naglim_def;
	tcp->tcp_nodelay = listener->tcp_nodelay;
	tcp->tcp_ka_enabled = listener->tcp_ka_enabled;
	tcp->tcp_ka_interval = listener->tcp_ka_interval;
	tcp->tcp_ka_abort_thres = listener->tcp_ka_abort_thres;
	tcp->tcp_linger = listener->tcp_linger;
	tcp->tcp_lingertime = listener->tcp_lingertime;
	tcp->tcp_oobinline = listener->tcp_oobinline;
	tcp->tcp_reuse = listener->tcp_reuse;
	tcp->tcp_debug = listener->tcp_debug;
	tcp->tcp_dontroute = listener->tcp_dontroute;
	tcp->tcp_init_cwnd = listener->tcp_init_cwnd;
	tcp->tcp_plan_bits = listener->tcp_plan_bits & (TCP_PLAN_FREE | TCP_PLAN_OPEN);
	tcp->tcp_connp->conn_tos = listener->tcp_connp->conn_tos;
	tcp->tcp_connp->conn_ttl = listener->tcp_connp->conn_ttl;
	tcp->tcp_connp->conn_dontroute = listener->tcp_connp->conn_dontroute;
}

static int tcp_opt_set_rcvbuf(tcp_t *tcp, int32_t v)
{
	if (v < 0 || (uint32_t)v > tcp_param.tcp_max_buf)
		return ENOBUFS;
	tcp->tcp_recv_hiwater = (uint32_t)v;
	if (tcp->tcp_state < TCPS_ESTABLISHED)
		tcp->tcp_rwnd = (uint32_t)v;
	if (tcp->tcp_rq == NULL)
		return 0;
	tcp->tcp_rq->q_hiwat = (size_t)v;
	if (tcp->tcp_state >= TCPS_ESTABLISHED && (uint32_t)v > tcp->tcp_rwnd) {
		tcp_rwnd_set(tcp, (uint32_t)v);
		tcp_sth_options(tcp);
	}
	return 0;
}

static int tcp_opt_set_socket(tcp_t *tcp, uint32_t name, const uchar_t *val, uint32_t len)
{
	struct linger lg;
	int32_t v;

	if (name == SO_LINGER) {
		if (len != sizeof(lg))
			return EINVAL;
		memcpy(&lg, val, sizeof(lg));
		tcp->tcp_linger = lg.l_onoff != 0;
		tcp->tcp_lingertime = lg.l_onoff != 0 ? MAX(lg.l_linger, 0) : 0;
		return 0;
	}
	if (len != sizeof(v))
		return EINVAL;
	memcpy(&v, val, sizeof(v));
	switch (name) {
	case SO_DEBUG:
		tcp->tcp_debug = v != 0;
		return 0;
	case SO_REUSEADDR:
		tcp->tcp_reuse = v != 0;
		return 0;
	case SO_KEEPALIVE:
		tcp->tcp_ka_enabled = v != 0;
		if (tcp->tcp_state >= TCPS_ESTABLISHED)
			tcp_ka_start(tcp);
		return 0;
	case SO_DONTROUTE:
		tcp->tcp_dontroute = v != 0;
		tcp->tcp_connp->conn_dontroute = v != 0;
		return 0;
	case SO_BROADCAST:
		tcp->tcp_broadcast = v != 0;
		return 0;
	case SO_USELOOPBACK:
		tcp->tcp_useloopback = v != 0;
		return 0;
	case SO_OOBINLINE:
		tcp->tcp_oobinline = v != 0;
		return 0;
	case SO_DGRAM_ERRIND:
		tcp->tcp_dgram_errind = v != 0;
		return 0;
	case SO_SNDBUF:
		if (v < 0 || (uint32_t)v > tcp_param.tcp_max_buf)
			return ENOBUFS;
		tcp->tcp_xmit_hiwater = (uint32_t)v;
		return 0;
	case SO_RCVBUF:
		return tcp_opt_set_rcvbuf(tcp, v);
	default:
		return ENOPROTOOPT;
	}
}

/* The options of ip/tcp_repair.h whose value is not just on or off. */
static int tcp_opt_set_repair(tcp_t *tcp, uint32_t name, const uchar_t *val, uint32_t len)
{
	tcp_adopt_t ta;
	uint32_t seq;

	if (name == TCP_REPAIR_ADOPT) {
		if (len != sizeof(ta))
			return EINVAL;
		memcpy(&ta, val, sizeof(ta));
		return tcp_adopt(tcp, &ta);
	}
	if (len != sizeof(seq))
		return EINVAL;
	if (tcp->tcp_state < TCPS_ESTABLISHED)
		return ENOTCONN;
	memcpy(&seq, val, sizeof(seq));
	if (name == TCP_REPAIR_RCV)
		tcp_repair_rcv(tcp, seq);
	else
		tcp_repair_snd(tcp, seq);
	return 0;
}

static int tcp_opt_set_tcp(tcp_t *tcp, uint32_t name, const uchar_t *val, uint32_t len)
{
	int32_t v;

	if (name == TCP_REPAIR_ADOPT || name == TCP_REPAIR_RCV || name == TCP_REPAIR_SND)
		return tcp_opt_set_repair(tcp, name, val, len);
	if (len != sizeof(v))
		return EINVAL;
	memcpy(&v, val, sizeof(v));
	switch (name) {
	case TCP_NODELAY:
		tcp->tcp_nodelay = v != 0;
		tcp->tcp_naglim = v != 0 ? 1 : tcp->tcp_mss;
		if (v != 0 && tcp->tcp_unsent > 0)
			tcp_wput_data(tcp, NULL, B_FALSE);
		return 0;
	case TCP_NOTIFY_THRESHOLD:
		tcp->tcp_first_timer_threshold = (uint32_t)v;
		return 0;
	case TCP_ABORT_THRESHOLD:
		tcp->tcp_second_timer_threshold = (uint32_t)v;
		return 0;
	case TCP_CONN_NOTIFY_THRESHOLD:
		tcp->tcp_first_ctimer_threshold = (uint32_t)v;
		return 0;
	case TCP_CONN_ABORT_THRESHOLD:
		tcp->tcp_second_ctimer_threshold = (uint32_t)v;
		return 0;
	case TCP_INIT_CWND:
		if (v < 1 || v > 16)
			return EINVAL;
		tcp->tcp_init_cwnd = (uint32_t)v;
		return 0;
	case TCP_KEEPALIVE_THRESHOLD:
		if (v < 10000)
			return EINVAL;
		tcp->tcp_ka_interval = (uint32_t)v;
		if (tcp->tcp_state >= TCPS_ESTABLISHED)
			tcp_ka_start(tcp);
		return 0;
	case TCP_KEEPALIVE_ABORT_THRESHOLD:
		tcp->tcp_ka_abort_thres = (uint32_t)v;
		return 0;
	case TCP_CORK:
		tcp->tcp_cork = v != 0;
		if (v == 0)
			tcp_wput_data(tcp, NULL, B_FALSE);
		return 0;
	case TCP_REPAIR_FREE:
		tcp_free_set(tcp, v);
		return 0;
	default:
		return ENOPROTOOPT; /* TCP_MAXSEG can only be read */
	}
}

static int tcp_opt_set_ip(tcp_t *tcp, uint32_t name, const uchar_t *val, uint32_t len)
{
	conn_t *connp = tcp->tcp_connp;
	ipsec_req_t req;
	int32_t v;

	if (name == IP_SEC_OPT) {
		if (len != sizeof(req))
			return EINVAL;
		memcpy(&req, val, sizeof(req));
		return ipsec_set_req(connp, &req);
	}
	if (len != sizeof(v))
		return EINVAL;
	memcpy(&v, val, sizeof(v));
	switch (name) {
	case IP_TOS:
		connp->conn_tos = (uint8_t)v;
		tcp_ipha(tcp)->ipha_type_of_service = (uint8_t)v;
		return 0;
	case IP_TTL:
		if (v < 1 || v > 255)
			return EINVAL;
		connp->conn_ttl = (uint8_t)v;
		tcp_ipha(tcp)->ipha_ttl = (uint8_t)v;
		return 0;
	case IP_BOUND_IF:
		if (connp->conn_fanout != NULL)
			return EINVAL; /* its place in the tables depends on it */
		connp->conn_ifindex = (uint_t)v;
		return 0;
	default:
		return ENOPROTOOPT;
	}
}

static int tcp_opt_set(tcp_t *tcp, uint32_t level, uint32_t name, const uchar_t *val, uint32_t len)
{
	switch (level) {
	case SOL_SOCKET:
		return tcp_opt_set_socket(tcp, name, val, len);
	case IPPROTO_TCP:
		return tcp_opt_set_tcp(tcp, name, val, len);
	case IPPROTO_IP:
		return tcp_opt_set_ip(tcp, name, val, len);
	default:
		return ENOPROTOOPT;
	}
}

/* ---- the request ---- */

static void tcp_opt_error(tcp_t *tcp, mblk_t *mp, int err)
{
	if (err == ENOPROTOOPT)
		tcp_err_ack(tcp, mp, TBADOPT, 0);
	else
		tcp_err_ack(tcp, mp, TSYSERR, err);
}

/* One option after the other; a failure ends it (what was set before stays set, as svr4_optcom_req(9F) has it). */
void tcp_optmgmt_req(tcp_t *tcp, mblk_t *mp)
{
	const struct T_optmgmt_req *tor = (const struct T_optmgmt_req *)(const void *)mp->b_rptr;
	struct T_optmgmt_ack *toa;
	uint32_t off, end, n = 0;
	bool adopted = false;
	mblk_t *ack;
	int err;

	if (MBLKL(mp) < (ptrdiff_t)sizeof(*tor) || tor->PRIM_type != T_SVR4_OPTMGMT_REQ) {
		tcp_err_ack(tcp, mp, MBLKL(mp) < (ptrdiff_t)sizeof(*tor) ? TPROTO : TNOTSUPPORT, 0);
		return;
	}
	if (tor->OPT_offset < 0 || tor->OPT_length < 0 || !MBLKIN(mp, tor->OPT_offset, tor->OPT_length) ||
	    (tor->OPT_offset & 3) != 0) {
		tcp_err_ack(tcp, mp, TBADOPT, 0);
		return;
	}
	off = (uint32_t)tor->OPT_offset;
	end = off + (uint32_t)tor->OPT_length;
	for (uint32_t o = off; o + sizeof(struct opthdr) <= end; n++)
		o += (uint32_t)sizeof(struct opthdr) +
		     OPTLEN(((const struct opthdr *)(const void *)(mp->b_rptr + o))->len);
	ack = allocb(sizeof(*toa) + n * (sizeof(struct opthdr) + TCP_OPT_MAX) + (end - off), BPRI_MED);
	if (ack == NULL) {
		tcp_err_ack(tcp, mp, TSYSERR, ENOMEM);
		return;
	}
	DB_TYPE(ack) = M_PCPROTO;
	toa = (struct T_optmgmt_ack *)(void *)ack->b_rptr;
	ack->b_wptr += sizeof(*toa);
	while (off + sizeof(struct opthdr) <= end) {
		struct opthdr oh;
		const uchar_t *val = mp->b_rptr + off + sizeof(oh);
		uint32_t len;

		memcpy(&oh, mp->b_rptr + off, sizeof(oh));
		len = oh.len;
		off += (uint32_t)sizeof(oh);
		if (len > end - off) {
			freemsg(ack);
			tcp_err_ack(tcp, mp, TBADOPT, 0);
			return;
		}
		uchar_t *out = ack->b_wptr + sizeof(oh);
		switch (tor->MGMT_flags) {
		case T_NEGOTIATE:
			err = tcp_opt_set(tcp, oh.level, oh.name, val, len);
			adopted |= err == 0 && oh.level == IPPROTO_TCP && oh.name == TCP_REPAIR_ADOPT;
			memcpy(out, val, len);
			break;
		case T_CURRENT:
		case T_CHECK:
		case T_DEFAULT:
			err = tcp_opt_get(tcp, oh.level, oh.name, out, &len);
			break;
		default:
			freemsg(ack);
			tcp_err_ack(tcp, mp, TBADFLAG, 0);
			return;
		}
		if (err != 0) {
			freemsg(ack);
			tcp_opt_error(tcp, mp, err);
			return;
		}
		off += OPTLEN(oh.len);
		oh.len = len;
		memcpy(ack->b_wptr, &oh, sizeof(oh));
		ack->b_wptr += sizeof(oh) + OPTLEN(len);
	}
	toa->PRIM_type = T_OPTMGMT_ACK;
	toa->OPT_offset = sizeof(*toa);
	toa->OPT_length = (t_scalar_t)(MBLKL(ack) - (ptrdiff_t)sizeof(*toa));
	toa->MGMT_flags = T_SUCCESS;
	freemsg(mp);
	putnext(tcp->tcp_rq, ack);
	if (adopted) {
		tcp_conn_con(tcp);
		tcp_ka_start(tcp);
	}
}
