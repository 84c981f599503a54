/*
 * TCP listeners.
 *
 * Theory.  A SYN to a listener makes an "eager": a connection without a stream
 * that answers the peer, receives data and closes like any other.  While half
 * open it stands on the listener's q0, once established on its q, where its
 * T_CONN_IND has gone upstream.  Both are rings with the listener as head,
 * oldest first.  T_CONN_RES gives it the stream of an acceptor, whose own
 * conn_t is thrown away.  An eager holds a reference on its listener.
 *
 * A T_CONN_IND's sequence number is the eager's identity (tcp_id_alloc), so
 * that T_CONN_RES finds it whichever stream it comes by: the listener's with
 * the acceptor's id in it (TLI), or the acceptor's own (sockets).
 */
#include <string.h>

#include "ip/ipsec_impl.h"
#include "ip/tcp_impl.h"

/* ---- the rings ---- */

static void tcp_eager_q0_append(tcp_t *listener, tcp_t *eager)
{
	eager->tcp_eager_next_q0 = listener;
	eager->tcp_eager_prev_q0 = listener->tcp_eager_prev_q0;
	listener->tcp_eager_prev_q0->tcp_eager_next_q0 = eager;
	listener->tcp_eager_prev_q0 = eager;
	listener->tcp_conn_req_cnt_q0++;
}

static void tcp_eager_q0_remove(tcp_t *listener, tcp_t *eager)
{
	eager->tcp_eager_prev_q0->tcp_eager_next_q0 = eager->tcp_eager_next_q0;
	eager->tcp_eager_next_q0->tcp_eager_prev_q0 = eager->tcp_eager_prev_q0;
	eager->tcp_eager_next_q0 = eager->tcp_eager_prev_q0 = eager;
	listener->tcp_conn_req_cnt_q0--;
}

static void tcp_eager_q_append(tcp_t *listener, tcp_t *eager)
{
	eager->tcp_eager_in_q = 1;
	eager->tcp_eager_next_q = listener;
	eager->tcp_eager_prev_q = listener->tcp_eager_prev_q;
	listener->tcp_eager_prev_q->tcp_eager_next_q = eager;
	listener->tcp_eager_prev_q = eager;
	listener->tcp_eager_last_q = eager;
	listener->tcp_conn_req_cnt_q++;
}

static void tcp_eager_q_remove(tcp_t *listener, tcp_t *eager)
{
	eager->tcp_eager_in_q = 0;
	eager->tcp_eager_prev_q->tcp_eager_next_q = eager->tcp_eager_next_q;
	eager->tcp_eager_next_q->tcp_eager_prev_q = eager->tcp_eager_prev_q;
	eager->tcp_eager_next_q = eager->tcp_eager_prev_q = eager;
	listener->tcp_eager_last_q = listener->tcp_eager_prev_q == listener ? NULL : listener->tcp_eager_prev_q;
	listener->tcp_conn_req_cnt_q--;
}

/* The eager is nobody's any more. */
void tcp_eager_unlink(tcp_t *tcp)
{
	tcp_t *listener = tcp->tcp_listener;
	conn_t *lconnp = listener->tcp_connp;

	if (tcp->tcp_eager_in_q)
		tcp_eager_q_remove(listener, tcp);
	else
		tcp_eager_q0_remove(listener, tcp);
	tcp->tcp_listener = NULL;
	CONN_DEC_REF(lconnp);
}

/* Refuse: reset the peer and forget. */
static void tcp_eager_kill(tcp_t *eager)
{
	tcp_xmit_ctl("tcp_eager_kill", eager, eager->tcp_snxt, 0, TH_RST);
	BUMP_MIB(&tcp_mib, tcpAttemptFails);
	tcp_close_detached(eager);
}

/* The listener goes, and all that nobody has accepted with it. */
void tcp_eager_cleanup(tcp_t *listener)
{
	while (listener->tcp_eager_next_q != listener)
		tcp_eager_kill(listener->tcp_eager_next_q);
	while (listener->tcp_eager_next_q0 != listener)
		tcp_eager_kill(listener->tcp_eager_next_q0);
}

/* The eager of this listener with that sequence number, established; NULL if there is none. */
static tcp_t *tcp_eager_find(const tcp_t *listener, uint32_t seqnum)
{
	tcp_t *eager = tcp_id_find(seqnum);

	if (eager == NULL || eager->tcp_listener == NULL || !eager->tcp_eager_in_q ||
	    (listener != NULL && eager->tcp_listener != listener))
		return NULL;
	return eager;
}

int tcp_eager_blowoff(tcp_t *listener, uint32_t seqnum)
{
	tcp_t *eager = tcp_eager_find(listener, seqnum);

	if (eager == NULL)
		return -1;
	tcp_eager_kill(eager);
	return 0;
}

/* Half-open connections are too many: the oldest goes.  False: there is none. */
static bool tcp_drop_q0(tcp_t *listener)
{
	tcp_t *eager = listener->tcp_eager_next_q0;

	if (eager == listener)
		return false;
	BUMP_MIB(&tcp_mib, tcpHalfOpenDrop);
	(void)tcp_clean_death(eager, ETIMEDOUT);
	return true;
}

/* ---- SYN ---- */

/* A conn_t for an eager. */
static void *tcp_get_conn(void *arg)
{
	squeue_t *sqp = arg;
	conn_t *connp = ipcl_conn_create(IPCL_TCPCONN, KM_NOSLEEP);
	tcp_t *tcp;

	if (connp == NULL)
		return NULL;
	tcp = connp->conn_tcp;
	connp->conn_sqp = sqp;
	connp->conn_flags |= IPCL_EAGER;
	tcp->tcp_detached = 1;
	tcp->tcp_acceptor_id = tcp_id_alloc(tcp);
	if (tcp->tcp_acceptor_id == 0) {
		CONN_DEC_REF(connp);
		return NULL;
	}
	return connp;
}

/* T_CONN_IND for when the handshake is over; a socket finds the eager itself in it, for its so_priv. */
static boolean_t tcp_conn_ind_prepare(tcp_t *tcp, boolean_t issocket)
{
	uint_t alen = tcp_addr_len(tcp), olen = issocket ? sizeof(tcp) : 0;
	struct T_conn_ind *tci;
	mblk_t *mp = allocb(sizeof(*tci) + alen + olen, BPRI_HI);

	if (mp == NULL)
		return B_FALSE;
	DB_TYPE(mp) = M_PROTO;
	tci = (struct T_conn_ind *)(void *)mp->b_rptr;
	tci->PRIM_type = T_CONN_IND;
	tci->SRC_length = (t_scalar_t)alen;
	tci->SRC_offset = sizeof(*tci);
	tci->OPT_length = (t_scalar_t)olen;
	tci->OPT_offset = olen != 0 ? (t_scalar_t)(sizeof(*tci) + alen) : 0;
	tci->SEQ_number = (t_scalar_t)tcp->tcp_conn_req_seqnum;
	tcp_addr_put(tcp, (uchar_t *)(tci + 1), tcp->tcp_remote, tcp->tcp_fport);
	mp->b_wptr += sizeof(*tci) + alen;
	memcpy(mp->b_wptr, &tcp, olen);
	mp->b_wptr += olen;
	tcp->tcp_conn.tcp_eager_conn_ind = mp;
	return B_TRUE;
}

/* Everything about a new eager that may fail. */
static boolean_t tcp_conn_create_v4(const tcp_t *listener, tcp_t *eager, const ipha_t *ipha, const tcph_t *tcph)
{
	conn_t *connp = eager->tcp_connp, *lconnp = listener->tcp_connp;
	ipaddr_t laddr = ipha->ipha_dst;
	in_port_t port[2];
	int err;

	connp->conn_ifindex = lconnp->conn_ifindex;
	connp->conn_zoneid = lconnp->conn_zoneid;
	connp->conn_af_isv6 = lconnp->conn_af_isv6;
	connp->conn_flags = (connp->conn_flags & ~(uint32_t)IPCL_TCP) | (lconnp->conn_flags & IPCL_TCP);
	connp->conn_cred = lconnp->conn_cred;
	crhold(connp->conn_cred);
	eager->tcp_family = listener->tcp_family;
	tcp_opt_inherit(listener, eager);
	tcp_init_values(eager);
	if (ipsec_conn_inherit(connp, lconnp) != 0 || tcp_route(eager, &laddr, ipha->ipha_src) != 0)
		return B_FALSE;
	memcpy(port, tcph, sizeof(port));
	tcp_bind_hold(eager, port[1]);
	if (!tcp_conn_set(eager, ipha->ipha_dst, ipha->ipha_src, port[0], &err))
		return B_FALSE;
	eager->tcp_conn_req_seqnum = eager->tcp_acceptor_id;
	return tcp_conn_ind_prepare(eager, listener->tcp_issocket ? B_TRUE : B_FALSE);
}

void tcp_conn_request(void *arg, mblk_t *mp, void *arg2)
{
	conn_t *lconnp = arg, *econnp;
	tcp_t *listener = lconnp->conn_tcp, *eager;
	const ipha_t *ipha = (const ipha_t *)(const void *)mp->b_rptr;
	const tcph_t *tcph = (const tcph_t *)(const void *)(mp->b_rptr + IPH_HDR_LENGTH(ipha));
	mblk_t *mp1;

	if (DB_TYPE(mp) == M_DATA)
		TCP_PROBE(receive, mp, lconnp, ipha, listener, tcph);
	if (DB_TYPE(mp) != M_DATA || listener->tcp_state != TCPS_LISTEN ||
	    (tcph->th_flags[0] & (TH_SYN | TH_ACK | TH_RST)) != TH_SYN) {
		freemsg(mp);
		return;
	}
	if (listener->tcp_conn_req_cnt_q >= listener->tcp_conn_req_max) {
		BUMP_MIB(&tcp_mib, tcpListenDrop);
		freemsg(mp);
		return;
	}
	if (listener->tcp_conn_req_cnt_q0 >= listener->tcp_conn_req_max + tcp_param.tcp_conn_req_max_q0 &&
	    !tcp_drop_q0(listener)) {
		BUMP_MIB(&tcp_mib, tcpListenDropQ0);
		freemsg(mp);
		return;
	}
	econnp = tcp_get_conn(lconnp->conn_sqp);
	if (econnp == NULL) {
		freemsg(mp);
		return;
	}
	eager = econnp->conn_tcp;
	if (!tcp_conn_create_v4(listener, eager, ipha, tcph)) {
		tcp_close_detached(eager);
		freemsg(mp);
		return;
	}
	tcp_plan_apply(eager, (uint_t)DB_RECVIF(mp));
	eager->tcp_irs = BE32_GET(tcph->th_seq);
	eager->tcp_rnxt = eager->tcp_rack = eager->tcp_irs + 1;
	eager->tcp_swnd = eager->tcp_max_swnd = BE16_GET(tcph->th_win);
	eager->tcp_swl1 = eager->tcp_irs;
	tcp_process_options(eager, tcph);
	eager->tcp_suna = eager->tcp_swl2 = eager->tcp_iss;
	eager->tcp_snxt = eager->tcp_iss + 1;
	eager->tcp_valid_bits = TCP_ISS_VALID;
	eager->tcp_rexmit_max = eager->tcp_csuna = eager->tcp_iss;
	freemsg(mp);

	eager->tcp_listener = eager->tcp_saved_listener = listener;
	CONN_INC_REF(lconnp);
	tcp_eager_q0_append(listener, eager);
	BUMP_MIB(&tcp_mib, tcpPassiveOpens);
	TCP_SET_STATE(eager, TCPS_SYN_RCVD);
	eager->tcp_ibsegs++;
	tcp_timer_restart(eager, (uint32_t)eager->tcp_rto);
	mp1 = tcp_xmit_mp(eager, NULL, 0, eager->tcp_iss, B_FALSE, NULL);
	if (mp1 == NULL)
		return;
	CONN_INC_REF(econnp); /* the answer may come back before we return */
	tcp_send_data(eager, TCP_WQ(eager), mp1);
	CONN_DEC_REF(econnp);
	(void)arg2;
}

void tcp_conn_request_unbound(void *arg, mblk_t *mp, void *arg2)
{
	conn_t *connp = arg;

	connp->conn_sqp = ip_squeue;
	if (connp->conn_tcp->tcp_state == TCPS_LISTEN)
		connp->conn_recv = tcp_conn_request;
	tcp_conn_request(connp, mp, arg2);
}

/* On the listener's squeue: an eager's handshake is over; mp is its T_CONN_IND. */
void tcp_send_conn_ind(void *arg, mblk_t *mp, void *arg2)
{
	conn_t *lconnp = arg;
	tcp_t *listener = lconnp->conn_tcp;
	tcp_t *eager = tcp_id_find((uint32_t)((struct T_conn_ind *)(void *)mp->b_rptr)->SEQ_number);

	(void)arg2;
	if (eager == NULL || eager->tcp_listener != listener || listener->tcp_rq == NULL) {
		freemsg(mp);
		return;
	}
	tcp_eager_q0_remove(listener, eager);
	tcp_eager_q_append(listener, eager);
	putnext(listener->tcp_rq, mp);
}

/* ---- accept ---- */

/*
 * The eager takes over the stream of the acceptor, whose own conn_t ends.
 * opt_mp is for the message to the stream head.
 */
static void tcp_accept_swap(tcp_t *acceptor, tcp_t *eager, mblk_t *opt_mp)
{
	conn_t *aconnp = acceptor->tcp_connp, *econnp = eager->tcp_connp;
	queue_t *rq = acceptor->tcp_rq;
	uint32_t id = acceptor->tcp_acceptor_id;

	tcp_eager_unlink(eager);
	tcp_id_free(eager->tcp_acceptor_id);
	eager->tcp_acceptor_id = id;
	acceptor->tcp_acceptor_id = 0;
	tcp_id_set(id, eager);

	eager->tcp_rq = econnp->conn_rq = rq;
	eager->tcp_wq = econnp->conn_wq = WR(rq);
	WR(rq)->q_qinfo = &tcp_winit;
	rq->q_ptr = WR(rq)->q_ptr = econnp;
	rq->q_hiwat = eager->tcp_recv_hiwater;
	eager->tcp_detached = 0;
	eager->tcp_issocket = acceptor->tcp_issocket;
	eager->tcp_cpid = acceptor->tcp_cpid;
	eager->tcp_cred = aconnp->conn_cred;
	crfree(econnp->conn_cred);
	econnp->conn_cred = aconnp->conn_cred;
	aconnp->conn_cred = NULL;
	econnp->conn_dev = aconnp->conn_dev;
	econnp->conn_flags = (econnp->conn_flags & ~(uint32_t)IPCL_EAGER) | (aconnp->conn_flags & IPCL_SOCKET);

	acceptor->tcp_rq = acceptor->tcp_wq = NULL;
	aconnp->conn_rq = aconnp->conn_wq = NULL;
	acceptor->tcp_detached = 1;
	tcp_close_detached(acceptor);
	CONN_INC_REF(econnp);
	squeue_enter(econnp->conn_sqp, opt_mp, tcp_accept_finish, econnp, SQTAG_TCP_ACCEPT);
}

/* Is this stream fit to take a connection? */
ALWAYS_INLINE bool tcp_can_accept(const tcp_t *acceptor)
{
	return acceptor->tcp_rq != NULL && (acceptor->tcp_state == TCPS_IDLE || acceptor->tcp_state == TCPS_BOUND);
}

/* T_CONN_RES by the listener's stream. */
void tcp_accept(tcp_t *listener, mblk_t *mp)
{
	struct T_conn_res *tcr = (struct T_conn_res *)(void *)mp->b_rptr;
	tcp_t *eager, *acceptor;
	mblk_t *opt_mp;

	if (MBLKL(mp) < (ptrdiff_t)sizeof(*tcr)) {
		tcp_err_ack(listener, mp, TPROTO, 0);
		return;
	}
	if (listener->tcp_state != TCPS_LISTEN) {
		tcp_err_ack(listener, mp, TOUTSTATE, 0);
		return;
	}
	eager = tcp_eager_find(listener, (uint32_t)tcr->SEQ_number);
	if (eager == NULL) {
		tcp_err_ack(listener, mp, TBADSEQ, 0);
		return;
	}
	acceptor = tcp_id_find(tcr->ACCEPTOR_id);
	if (acceptor == NULL || acceptor == eager || acceptor->tcp_listener != NULL) {
		tcp_err_ack(listener, mp, TBADF, 0);
		return;
	}
	if (!tcp_can_accept(acceptor)) {
		tcp_err_ack(listener, mp, TOUTSTATE, 0);
		return;
	}
	if (acceptor->tcp_family != eager->tcp_family) {
		tcp_err_ack(listener, mp, TPROVMISMATCH, 0);
		return;
	}
	opt_mp = allocb(sizeof(struct stroptions), BPRI_HI);
	if (opt_mp == NULL) {
		tcp_err_ack(listener, mp, TSYSERR, ENOMEM);
		return;
	}
	tcp_ok_ack(listener->tcp_wq, mp);
	tcp_accept_swap(acceptor, eager, opt_mp);
}

/* T_CONN_RES by the acceptor's own stream (sockets). */
void tcp_wput_accept(queue_t *q, mblk_t *mp)
{
	tcp_t *acceptor = Q_TO_CONN(q)->conn_tcp, *eager;
	struct T_conn_res *tcr = (struct T_conn_res *)(void *)mp->b_rptr;
	mblk_t *opt_mp;

	if (MBLKL(mp) < (ptrdiff_t)sizeof(*tcr)) {
		tcp_err_ack(acceptor, mp, TPROTO, 0);
		return;
	}
	eager = tcp_eager_find(NULL, (uint32_t)tcr->SEQ_number);
	if (eager == NULL || eager == acceptor) {
		tcp_err_ack(acceptor, mp, TBADSEQ, 0);
		return;
	}
	if (!tcp_can_accept(acceptor)) {
		tcp_err_ack(acceptor, mp, TOUTSTATE, 0);
		return;
	}
	if (acceptor->tcp_family != eager->tcp_family) {
		tcp_err_ack(acceptor, mp, TPROVMISMATCH, 0);
		return;
	}
	opt_mp = allocb(sizeof(struct stroptions), BPRI_HI);
	if (opt_mp == NULL) {
		tcp_err_ack(acceptor, mp, TSYSERR, ENOMEM);
		return;
	}
	tcp_ok_ack(q, mp);
	tcp_accept_swap(acceptor, eager, opt_mp);
}

/*
 * On the squeue of a connection that has just got its stream: tell the stream
 * head its sizes (mp becomes the M_SETOPTS), then hand up what has come meanwhile.
 */
void tcp_accept_finish(void *arg, mblk_t *mp, void *arg2)
{
	conn_t *connp = arg;
	tcp_t *tcp = connp->conn_tcp;
	queue_t *q = tcp->tcp_rq;
	struct stroptions *so;
	uint_t update = 0;

	(void)arg2;
	if (q == NULL) {
		freemsg(mp);
		return;
	}
	DB_TYPE(mp) = M_SETOPTS;
	so = (struct stroptions *)(void *)mp->b_rptr;
	memset(so, 0, sizeof(*so));
	mp->b_wptr = mp->b_rptr + sizeof(*so);
	q->q_hiwat = MAX(q->q_hiwat, tcp->tcp_rwnd);
	so->so_flags = SO_HIWAT | SO_WROFF | SO_MAXBLK;
	so->so_hiwat = q->q_hiwat;
	so->so_wroff = (ushort_t)(tcp->tcp_hdr_len + (tcp->tcp_snd_sack_ok ? 36 : 0) + tcp_param.tcp_wroff_xtra);
	so->so_maxblk = (ssize_t)tcp->tcp_mss;
	putnext(q, mp);
	if (tcp->tcp_state < TCPS_ESTABLISHED || tcp->tcp_active_open)
		return;
	if (tcp->tcp_rcv_list != NULL)
		update = tcp_rcv_drain(q, tcp);
	if (update != 0)
		tcp_xmit_ctl(NULL, tcp, tcp->tcp_snxt, tcp->tcp_rnxt, TH_ACK);
	tcp_ordrel_up(tcp);
	tcp_ka_start(tcp);
}
