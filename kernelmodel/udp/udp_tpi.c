/*
 * udp: TPI apart from data: bind, connect, options, information; and what IP
 * answers.
 *
 * A request that needs IP (bind, unbind, connect, disconnect) is kept in
 * udp_pending_mp while IP's own T_BIND_REQ or T_UNBIND_REQ is under way; IP's
 * answer makes the answer to the user of it.  IP answers before putnext()
 * returns, but nothing here relies on it.
 */
#include <string.h>

#include "ip/optcom.h"
#include "ip/ulp.h"
#include "sys/errno.h"
#include "sys/socket.h"
#include "sys/tiuser.h"
#include "udp/udp.h"

/* Search for anonymous ports goes on where it ended. */
static KLOCAL in_port_t udp_g_next_port_to_try;

static void udp_ok_ack(queue_t *q, mblk_t *mp)
{
	if ((mp = ulp_ok_ack(q, mp)) != NULL)
		qreply(q, mp);
}

/* ---- asking IP ---- */

/* Keep the user's request and send IP's. */
static void udp_ask_ip(queue_t *q, mblk_t *mp, mblk_t *ipmp)
{
	udp_t *udp = q->q_ptr;

	udp->udp_pending_op = ulp_prim(mp);
	udp->udp_pending_mp = mp;
	(void)putnext(q, ipmp);
}

/* ---- bind ---- */

/* May this endpoint have the port, as far as others are concerned? */
static boolean_t udp_port_free(const udp_t *udp, ipaddr_t addr, in_port_t port)
{
	const conn_t *connp = ipcl_bound_lookup(IPPROTO_UDP, addr, port, udp->udp_ifindex);

	/* Endpoints of different interfaces do not meet; the more limited one gets the packets. */
	return (connp == NULL || connp->conn_ifindex != udp->udp_ifindex ||
		(udp->udp_reuseaddr && connp->conn_reuseaddr));
}

static in_port_t udp_anon_port(void)
{
	if (udp_g_next_port_to_try < UDP_SMALLEST_ANON_PORT)
		udp_g_next_port_to_try = UDP_SMALLEST_ANON_PORT;
	return (ipcl_port_anon(IPPROTO_UDP, UDP_SMALLEST_ANON_PORT, UDP_LARGEST_ANON_PORT, &udp_g_next_port_to_try));
}

static void udp_bind(queue_t *q, mblk_t *mp)
{
	udp_t *udp = q->q_ptr;
	t_scalar_t prim = ulp_prim(mp);
	cred_t *cr = DB_CREDDEF(mp, kcred);
	mblk_t *ipmp;
	sin_t sin;

	if (MBLKL(mp) < (ssize_t)sizeof(struct T_bind_req)) {
		optcom_err_ack(q, mp, TPROTO, 0);
		return;
	}
	if (udp->udp_state != TS_UNBND || udp->udp_pending_op != -1) {
		optcom_err_ack(q, mp, TOUTSTATE, 0);
		return;
	}
	if (!ulp_bind_sin(mp, &sin)) {
		optcom_err_ack(q, mp, TBADADDR, 0);
		return;
	}
	if (sin.sin_port != 0 && ntohs(sin.sin_port) < 1024 && cr->cr_uid != 0) {
		optcom_err_ack(q, mp, TACCES, 0);
		return;
	}
	if (sin.sin_port != 0 && !udp_port_free(udp, sin.sin_addr.s_addr, sin.sin_port)) {
		/* The old form of the request takes another port then. */
		if (prim == T_BIND_REQ) {
			optcom_err_ack(q, mp, TADDRBUSY, 0);
			return;
		}
		sin.sin_port = 0;
	}
	if (sin.sin_port == 0 && (sin.sin_port = udp_anon_port()) == 0) {
		optcom_err_ack(q, mp, TNOADDR, 0);
		return;
	}
	if ((ipmp = ulp_ip_bind_local_mp(sin.sin_addr.s_addr, sin.sin_port, IPPROTO_UDP)) == NULL) {
		optcom_err_ack(q, mp, TSYSERR, ENOMEM);
		return;
	}
	ipcl_port_hold(IPPROTO_UDP, sin.sin_port);
	udp->udp_port = sin.sin_port;
	udp->udp_pending_addr = sin.sin_addr.s_addr;
	udp->udp_state = TS_WACK_BREQ;
	udp_ask_ip(q, mp, ipmp);
}

/* Not bound any more (or after all). */
static void udp_unbound(udp_t *udp)
{
	ipcl_port_rele(IPPROTO_UDP, udp->udp_port);
	udp->udp_port = 0;
	ipcl_v4_set(&udp->udp_v6src, INADDR_ANY);
	ipcl_v4_set(&udp->udp_bound_v6src, INADDR_ANY);
	ipcl_v4_set(&udp->udp_v6dst, INADDR_ANY);
	udp->udp_dstport = 0;
	udp->udp_state = TS_UNBND;
}

/* IP has bound the endpoint: T_BIND_ACK with the address to the user. */
static void udp_bind_done(queue_t *q, mblk_t *mp)
{
	udp_t *udp = q->q_ptr;
	sin_t sin = {.sin_family = AF_INET, .sin_port = udp->udp_port, .sin_addr = {udp->udp_pending_addr}};

	udp->udp_state = TS_IDLE;
	ipcl_v4_set(&udp->udp_bound_v6src, udp->udp_pending_addr);
	if (ulp_is_source(udp->udp_pending_addr, udp->udp_ifindex))
		ipcl_v4_set(&udp->udp_v6src, udp->udp_pending_addr);
	if ((mp = ulp_bind_ack(WR(q), mp, &sin)) != NULL)
		(void)putnext(q, mp);
}

static void udp_unbind(queue_t *q, mblk_t *mp)
{
	udp_t *udp = q->q_ptr;
	mblk_t *ipmp;

	if ((udp->udp_state != TS_IDLE && udp->udp_state != TS_DATA_XFER) || udp->udp_pending_op != -1) {
		optcom_err_ack(q, mp, TOUTSTATE, 0);
		return;
	}
	if ((ipmp = ulp_ip_unbind_mp()) == NULL) {
		optcom_err_ack(q, mp, TSYSERR, ENOMEM);
		return;
	}
	udp->udp_state = TS_WACK_UREQ;
	udp_ask_ip(q, mp, ipmp);
}

static void udp_unbind_done(queue_t *q, mblk_t *mp)
{
	udp_unbound(q->q_ptr);
	(void)putnextctl1(q, M_FLUSH, FLUSHRW);
	udp_ok_ack(WR(q), mp);
}

/* ---- connect ---- */

static void udp_connect(queue_t *q, mblk_t *mp)
{
	udp_t *udp = q->q_ptr;
	const struct T_conn_req *req = (const struct T_conn_req *)mp->b_rptr;
	ipa_conn_t ac;
	mblk_t *ipmp;
	sin_t sin;

	if (MBLKL(mp) < (ssize_t)sizeof(*req)) {
		optcom_err_ack(q, mp, TPROTO, 0);
		return;
	}
	if ((udp->udp_state != TS_IDLE && udp->udp_state != TS_DATA_XFER) || udp->udp_pending_op != -1) {
		optcom_err_ack(q, mp, TOUTSTATE, 0);
		return;
	}
	if (!ulp_sin(mp, req->DEST_offset, req->DEST_length, &sin) || sin.sin_port == 0) {
		optcom_err_ack(q, mp, TBADADDR, 0);
		return;
	}
	if (sin.sin_addr.s_addr == INADDR_ANY)
		sin.sin_addr.s_addr = INADDR_LOOPBACK_N;
	ac = (ipa_conn_t){V4_OF(udp->udp_bound_v6src), sin.sin_addr.s_addr, sin.sin_port, udp->udp_port};
	if ((ipmp = ulp_ip_bind_mp(&ac, sizeof(ac), IPPROTO_UDP)) == NULL) {
		optcom_err_ack(q, mp, TSYSERR, ENOMEM);
		return;
	}
	udp->udp_pending_addr = sin.sin_addr.s_addr;
	udp->udp_pending_port = sin.sin_port;
	udp_ask_ip(q, mp, ipmp);
}

/* IP has connected the endpoint; ack is its T_BIND_ACK. */
static void udp_connect_done(queue_t *q, mblk_t *mp, const mblk_t *ack)
{
	udp_t *udp = q->q_ptr;
	const struct T_bind_ack *tba = (const struct T_bind_ack *)ack->b_rptr;
	sin_t peer = {.sin_family = AF_INET, .sin_port = udp->udp_pending_port, .sin_addr = {udp->udp_pending_addr}};
	ipa_conn_t ac;
	mblk_t *con;

	memcpy(&ac, ack->b_rptr + tba->ADDR_offset, sizeof(ac));
	ipcl_v4_set(&udp->udp_v6src, ac.ac_laddr);
	ipcl_v4_set(&udp->udp_v6dst, udp->udp_pending_addr);
	udp->udp_dstport = udp->udp_pending_port;
	udp->udp_state = TS_DATA_XFER;
	con = ulp_conn_con(&peer);
	udp_ok_ack(WR(q), mp);
	if (con != NULL)
		(void)putnext(q, con);
}

static void udp_disconnect(queue_t *q, mblk_t *mp)
{
	udp_t *udp = q->q_ptr;
	mblk_t *ipmp;

	if (udp->udp_state != TS_DATA_XFER || udp->udp_pending_op != -1) {
		optcom_err_ack(q, mp, TOUTSTATE, 0);
		return;
	}
	if ((ipmp = ulp_ip_bind_local_mp(V4_OF(udp->udp_bound_v6src), udp->udp_port, IPPROTO_UDP)) == NULL) {
		optcom_err_ack(q, mp, TSYSERR, ENOMEM);
		return;
	}
	udp_ask_ip(q, mp, ipmp);
}

static void udp_disconnect_done(queue_t *q, mblk_t *mp)
{
	udp_t *udp = q->q_ptr;

	udp->udp_v6src = udp->udp_bound_v6src;
	ipcl_v4_set(&udp->udp_v6dst, INADDR_ANY);
	udp->udp_dstport = 0;
	udp->udp_state = TS_IDLE;
	udp_ok_ack(WR(q), mp);
}

/* ---- options ---- */

static int udp_opt_rcvbuf(udp_t *udp, uint_t size)
{
	mblk_t *mp;

	if (size > UDP_MAX_BUF)
		return (ENOBUFS);
	if ((mp = ulp_setopts(SO_HIWAT, 0, size)) == NULL)
		return (ENOMEM);
	udp->udp_rq->q_hiwat = size;
	(void)putnext(udp->udp_rq, mp);
	return (0);
}

static int udp_opt_set_sock(udp_t *udp, t_uscalar_t name, uint_t num, boolean_t checkonly)
{
	uint_t on = num != 0;

	switch (name) {
	case SO_SNDBUF:
		if (num > UDP_MAX_BUF)
			return (ENOBUFS);
		if (!checkonly)
			udp->udp_wq->q_hiwat = num;
		return (0);
	case SO_RCVBUF:
		return (checkonly ? 0 : udp_opt_rcvbuf(udp, num));
	case SO_DEBUG:
	case SO_DONTROUTE:
	case SO_BROADCAST:
	case SO_USELOOPBACK:
	case SO_REUSEADDR:
	case SO_DGRAM_ERRIND:
		break;
	default:
		return (OPT_UNKNOWN);
	}
	if (checkonly)
		return (0);
	if (name == SO_DEBUG)
		udp->udp_debug = on;
	else if (name == SO_DONTROUTE)
		udp->udp_dontroute = on;
	else if (name == SO_BROADCAST)
		udp->udp_broadcast = on;
	else if (name == SO_USELOOPBACK)
		udp->udp_useloopback = on;
	else if (name == SO_REUSEADDR)
		udp->udp_reuseaddr = on;
	else
		udp->udp_dgram_errind = on;
	return (0);
}

static int udp_opt_set_ip(udp_t *udp, t_uscalar_t name, uint_t num, boolean_t checkonly)
{
	switch (name) {
	case IP_TTL:
	case IP_MULTICAST_TTL:
	case IP_TOS:
		if (num > 255 || (name == IP_TTL && num == 0))
			return (EINVAL);
		break;
	case IP_RECVOPTS:
	case IP_RECVDSTADDR:
	case IP_RECVIF:
	case IP_RECVTTL:
	case IP_MULTICAST_IF:
	case IP_MULTICAST_LOOP:
	case IP_ADD_MEMBERSHIP:
	case IP_DROP_MEMBERSHIP:
	case IP_BOUND_IF:
	case IP_SEC_OPT:
		break;
	default:
		return (OPT_UNKNOWN);
	}
	if (checkonly)
		return (0);
	if (name == IP_TTL)
		udp->udp_ttl = (uint8_t)num;
	else if (name == IP_MULTICAST_TTL)
		udp->udp_multicast_ttl = (uint8_t)num;
	else if (name == IP_TOS)
		udp->udp_type_of_service = (uint8_t)num;
	else if (name == IP_RECVOPTS)
		udp->udp_recvopts = num != 0;
	else if (name == IP_RECVDSTADDR)
		udp->udp_recvdstaddr = num != 0;
	else if (name == IP_RECVIF)
		udp->udp_recvif = num != 0;
	else if (name == IP_RECVTTL)
		udp->udp_recvttl = num != 0;
	else if (name == IP_MULTICAST_IF)
		udp->udp_multicast_if_addr = num;
	else if (name == IP_MULTICAST_LOOP)
		udp->udp_multicast_loop = num != 0;
	else if (name == IP_BOUND_IF)
		udp->udp_ifindex = num;
	return (0);
}

static int udp_opt_set(void *arg, t_uscalar_t level, t_uscalar_t name, const uchar_t *val, size_t len,
		       boolean_t checkonly)
{
	uint32_t num = 0;

	if (len == 0)
		return (EINVAL);
	if (len == 1)
		num = *val;
	else
		memcpy(&num, val, MIN(len, sizeof(num)));
	if (level == SOL_SOCKET)
		return (udp_opt_set_sock(arg, name, num, checkonly));
	if (level == IPPROTO_IP)
		return (udp_opt_set_ip(arg, name, num, checkonly));
	return (OPT_UNKNOWN);
}

/* The present value of an option that is a number; B_FALSE for one we do not have. */
static boolean_t udp_opt_value(const udp_t *udp, t_uscalar_t level, t_uscalar_t name, uint32_t *num)
{
	if (level == SOL_SOCKET) {
		switch (name) {
		case SO_DEBUG:
			*num = udp->udp_debug;
			return (B_TRUE);
		case SO_DONTROUTE:
			*num = udp->udp_dontroute;
			return (B_TRUE);
		case SO_BROADCAST:
			*num = udp->udp_broadcast;
			return (B_TRUE);
		case SO_USELOOPBACK:
			*num = udp->udp_useloopback;
			return (B_TRUE);
		case SO_REUSEADDR:
			*num = udp->udp_reuseaddr;
			return (B_TRUE);
		case SO_DGRAM_ERRIND:
			*num = udp->udp_dgram_errind;
			return (B_TRUE);
		case SO_SNDBUF:
			*num = (uint32_t)udp->udp_wq->q_hiwat;
			return (B_TRUE);
		case SO_RCVBUF:
			*num = (uint32_t)udp->udp_rq->q_hiwat;
			return (B_TRUE);
		case SO_TYPE:
			*num = SOCK_DGRAM;
			return (B_TRUE);
		default:
			return (B_FALSE);
		}
	}
	if (level != IPPROTO_IP)
		return (B_FALSE);
	switch (name) {
	case IP_TTL:
		*num = udp->udp_ttl;
		return (B_TRUE);
	case IP_TOS:
		*num = udp->udp_type_of_service;
		return (B_TRUE);
	case IP_RECVOPTS:
		*num = udp->udp_recvopts;
		return (B_TRUE);
	case IP_RECVDSTADDR:
		*num = udp->udp_recvdstaddr;
		return (B_TRUE);
	case IP_RECVIF:
		*num = udp->udp_recvif;
		return (B_TRUE);
	case IP_RECVTTL:
		*num = udp->udp_recvttl;
		return (B_TRUE);
	case IP_MULTICAST_IF:
		*num = udp->udp_multicast_if_addr;
		return (B_TRUE);
	case IP_BOUND_IF:
		*num = udp->udp_ifindex;
		return (B_TRUE);
	default:
		return (B_FALSE);
	}
}

static uint32_t udp_opt_default(t_uscalar_t level, t_uscalar_t name, uint32_t now)
{
	if (level == SOL_SOCKET)
		return (name == SO_TYPE     ? now
			: name == SO_SNDBUF ? (uint32_t)UDP_XMIT_HIWAT
			: name == SO_RCVBUF ? (uint32_t)UDP_RECV_HIWAT
					    : 0);
	return (name == IP_TTL ? UDP_IPV4_TTL : 0);
}

static int udp_opt_get(void *arg, t_uscalar_t level, t_uscalar_t name, uchar_t *val, boolean_t dflt)
{
	const udp_t *udp = arg;
	uint32_t num;

	/* These two are a byte (ip(7P)). */
	if (level == IPPROTO_IP && (name == IP_MULTICAST_TTL || name == IP_MULTICAST_LOOP)) {
		*val = dflt ? 1 : name == IP_MULTICAST_TTL ? udp->udp_multicast_ttl : (uchar_t)udp->udp_multicast_loop;
		return (1);
	}
	if (!udp_opt_value(udp, level, name, &num))
		return (OPT_UNKNOWN);
	if (dflt)
		num = udp_opt_default(level, name, num);
	memcpy(val, &num, sizeof(num));
	return (sizeof(num));
}

/* Options that IP must know of too. */
static boolean_t udp_opt_for_ip(t_uscalar_t level, t_uscalar_t name)
{
	if (level == SOL_SOCKET)
		return (name == SO_REUSEADDR || name == SO_BROADCAST || name == SO_DONTROUTE);
	return (level == IPPROTO_IP &&
		(name == IP_MULTICAST_IF || name == IP_MULTICAST_LOOP || name == IP_ADD_MEMBERSHIP ||
		 name == IP_DROP_MEMBERSHIP || name == IP_BOUND_IF || name == IP_SEC_OPT));
}

/*
 * A request that changes what IP keeps is IP's to answer (it may refuse); what
 * it sets is taken over here when the answer comes.
 */
static void udp_optmgmt(queue_t *q, mblk_t *mp)
{
	udp_t *udp = q->q_ptr;
	const struct T_optmgmt_req *req = (const struct T_optmgmt_req *)mp->b_rptr;

	if (MBLKL(mp) >= (ssize_t)sizeof(*req) && req->MGMT_flags == T_NEGOTIATE && udp->udp_pending_op == -1 &&
	    optcom_any(mp, udp_opt_for_ip)) {
		mblk_t *copy = copymsg(mp);

		if (copy == NULL) {
			optcom_err_ack(q, mp, TSYSERR, ENOMEM);
			return;
		}
		udp_ask_ip(q, mp, copy);
		return;
	}
	svr4_optcom_req(q, mp, udp, udp_opt_set, udp_opt_get);
}

/* ---- information ---- */

static void udp_info_fill(const udp_t *udp, struct T_info_ack *ack)
{
	*ack = (struct T_info_ack){.PRIM_type = T_INFO_ACK,
				   .TSDU_size = IP_MAXPACKET - UDP_HDR_LEN,
				   .ETSDU_size = T_INVALID,
				   .CDATA_size = T_INVALID,
				   .DDATA_size = T_INVALID,
				   .ADDR_size = sizeof(sin_t),
				   .OPT_size = OPT_MAXVAL,
				   .TIDU_size = IP_MAXPACKET,
				   .SERV_type = T_CLTS,
				   .CURRENT_state = udp->udp_state,
				   .PROVIDER_flag = SENDZERO};
}

static void udp_info_req(queue_t *q, mblk_t *mp)
{
	struct T_info_ack info;

	udp_info_fill(q->q_ptr, &info);
	if ((mp = ulp_info_ack(q, mp, &info)) != NULL)
		qreply(q, mp);
}

static void udp_capability_req(queue_t *q, mblk_t *mp)
{
	struct T_info_ack info;

	udp_info_fill(q->q_ptr, &info);
	if ((mp = ulp_capability_ack(q, mp, &info)) != NULL)
		qreply(q, mp);
}

static void udp_addr_req(queue_t *q, mblk_t *mp)
{
	const udp_t *udp = q->q_ptr;
	sin_t loc = {.sin_family = AF_INET, .sin_port = udp->udp_port, .sin_addr = {V4_OF(udp->udp_v6src)}};
	sin_t rem = {.sin_family = AF_INET, .sin_port = udp->udp_dstport, .sin_addr = {V4_OF(udp->udp_v6dst)}};

	mp =
	    ulp_addr_ack(q, mp, udp->udp_state != TS_UNBND ? &loc : NULL, udp->udp_state == TS_DATA_XFER ? &rem : NULL);
	if (mp != NULL)
		qreply(q, mp);
}

/* ---- dispatch ---- */

/* All that is no datagram, from above. */
void udp_wput_other(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) == M_FLUSH && (*mp->b_rptr & FLUSHW))
		flushq(q, FLUSHDATA);
	if (DB_TYPE(mp) != M_PROTO && DB_TYPE(mp) != M_PCPROTO) {
		(void)putnext(q, mp);
		return;
	}
	switch (ulp_prim(mp)) {
	case O_T_BIND_REQ:
	case T_BIND_REQ:
		udp_bind(q, mp);
		return;
	case T_UNBIND_REQ:
		udp_unbind(q, mp);
		return;
	case T_CONN_REQ:
		udp_connect(q, mp);
		return;
	case T_DISCON_REQ:
		udp_disconnect(q, mp);
		return;
	case T_SVR4_OPTMGMT_REQ:
	case T_OPTMGMT_REQ:
		udp_optmgmt(q, mp);
		return;
	case T_INFO_REQ:
		udp_info_req(q, mp);
		return;
	case T_CAPABILITY_REQ:
		udp_capability_req(q, mp);
		return;
	case T_ADDR_REQ:
		udp_addr_req(q, mp);
		return;
	case T_DATA_REQ:
	case T_EXDATA_REQ:
	case T_ORDREL_REQ:
	case T_CONN_RES:
	case O_T_CONN_RES:
		optcom_err_ack(q, mp, TNOTSUPPORT, 0);
		return;
	default:
		(void)putnext(q, mp);
		return;
	}
}

/* IP did what the pending request needed. */
static void udp_pending_done(queue_t *q, mblk_t *ack)
{
	udp_t *udp = q->q_ptr;
	mblk_t *mp = udp->udp_pending_mp;
	t_scalar_t op = udp->udp_pending_op;

	udp->udp_pending_mp = NULL;
	udp->udp_pending_op = -1;
	switch (op) {
	case O_T_BIND_REQ:
	case T_BIND_REQ:
		udp_bind_done(q, mp);
		break;
	case T_UNBIND_REQ:
		udp_unbind_done(q, mp);
		break;
	case T_CONN_REQ:
		udp_connect_done(q, mp, ack);
		break;
	case T_DISCON_REQ:
		udp_disconnect_done(q, mp);
		break;
	default:
		svr4_optcom_req(WR(q), mp, udp, udp_opt_set, udp_opt_get);
		break;
	}
	freemsg(ack);
}

/* IP refused: so do we, naming the user's request. */
static void udp_pending_failed(queue_t *q, mblk_t *ack)
{
	udp_t *udp = q->q_ptr;
	mblk_t *mp = udp->udp_pending_mp;
	struct T_error_ack tea = *(struct T_error_ack *)ack->b_rptr;

	if (udp->udp_pending_op == T_BIND_REQ || udp->udp_pending_op == O_T_BIND_REQ)
		udp_unbound(udp);
	else if (udp->udp_pending_op == T_UNBIND_REQ)
		udp->udp_state = TS_IDLE;
	udp->udp_pending_mp = NULL;
	udp->udp_pending_op = -1;
	freemsg(ack);
	optcom_err_ack(WR(q), mp, tea.TLI_error, tea.UNIX_error);
}

/* The error a user is told for an ICMP error; 0 when it is a passing one. */
static int udp_icmp_errno(const icmph_t *icmph)
{
	if (icmph->icmph_type == ICMP_DEST_UNREACHABLE &&
	    (icmph->icmph_code == ICMP_PORT_UNREACHABLE || icmph->icmph_code == ICMP_PROTOCOL_UNREACHABLE))
		return (ECONNREFUSED);
	return (0);
}

/* M_CTL: an ICMP error (one block: outer IP, ICMP, quoted packet). */
static void udp_icmp_error(queue_t *q, mblk_t *mp)
{
	const udp_t *udp = q->q_ptr;
	uint_t hdr_len = IPH_HDR_LENGTH(mp->b_rptr);
	const icmph_t *icmph = (const icmph_t *)(mp->b_rptr + hdr_len);
	const ipha_t *in = (const ipha_t *)(icmph + 1);
	const udpha_t *udpha = (const udpha_t *)((const uchar_t *)in + IPH_HDR_LENGTH(in));
	sin_t sin = {.sin_family = AF_INET, .sin_port = udpha->uha_dst_port, .sin_addr = {in->ipha_dst}};
	int error = udp_icmp_errno(icmph);

	if (error == 0 || !udp->udp_dgram_errind) {
		freemsg(mp);
		return;
	}
	udp_ud_err(WR(q), mp, (const uchar_t *)&sin, sizeof(sin), error);
}

/* All that is no datagram, from IP. */
void udp_rput_other(queue_t *q, mblk_t *mp)
{
	const udp_t *udp = q->q_ptr;

	if (DB_TYPE(mp) == M_CTL) {
		udp_icmp_error(q, mp);
		return;
	}
	if (DB_TYPE(mp) == M_FLUSH && (*mp->b_rptr & FLUSHR))
		flushq(q, FLUSHDATA);
	if ((DB_TYPE(mp) != M_PROTO && DB_TYPE(mp) != M_PCPROTO) || MBLKL(mp) < (ssize_t)sizeof(t_scalar_t) ||
	    udp->udp_pending_op == -1) {
		(void)putnext(q, mp);
		return;
	}
	switch (ulp_prim(mp)) {
	case T_BIND_ACK:
	case T_OK_ACK:
	case T_OPTMGMT_ACK:
		udp_pending_done(q, mp);
		return;
	case T_ERROR_ACK:
		udp_pending_failed(q, mp);
		return;
	default:
		(void)putnext(q, mp);
		return;
	}
}

/* The stream is closed. */
void udp_close_free(udp_t *udp)
{
	if (udp->udp_port != 0)
		ipcl_port_rele(IPPROTO_UDP, udp->udp_port);
	freemsg(udp->udp_pending_mp);
	kmem_free(udp, sizeof(*udp));
}

static void udp_ddi_init(void)
{
	udp_g_next_port_to_try = UDP_SMALLEST_ANON_PORT;
}
KERNEL_INIT(2, udp_ddi_init, NULL);
