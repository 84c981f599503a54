/*
 * TCP: the driver.
 *
 * Theory.  TCP is a STREAMS driver (nodes /dev/tcp and /dev/tcp6) that shares
 * the kernel module `ip' with IP and calls it directly; there is no queue
 * between them.  A stream's queues point at its conn_t, which points at the
 * tcp_t.  Everything that touches a connection happens on its squeue
 * (ip/squeue.h).
 *
 * A connection outlives its stream (FIN_WAIT, TIME_WAIT: "detached") and
 * precedes it (an eager, between the SYN and the accept).  The conn_t's first
 * reference stands for "this connection exists"; tcp_close_detached() drops it.
 *
 * Files: tcp.c the driver; tcp_bind.c ports; tcp_tpi.c the TPI primitives;
 * tcp_opt.c options and replay; tcp_input.c, tcp_output.c segments;
 * tcp_sack.c; tcp_timers.c.
 *
 * Order of this file: tunables, identities, control block, open and close,
 * death, write side, tables, boot.
 */
#include <string.h>

#include "ip/ipsec_impl.h"
#include "ip/tcp_impl.h"
#include "sys/strsubr.h"

KLOCAL int (*tcp_plan_hook)(uint_t, ipaddr_t, in_port_t, ipaddr_t, in_port_t, tcp_plan_t *);
KLOCAL queue_t *tcp_g_q;

static struct qinit tcp_rinit, tcp_sock_winit;

/* ---- tunables (12.2) ---- */

static const struct tcp_param tcp_param_default = {
    .tcp_time_wait_interval = 60000,
    .tcp_conn_req_max_q = 128,
    .tcp_conn_req_max_q0 = 1024,
    .tcp_conn_req_min = 1,
    .tcp_cwnd_max = 1024 * 1024,
    .tcp_slow_start_initial = 4,
    .tcp_slow_start_after_idle = 4,
    .tcp_ip_abort_interval = 8 * 60000,
    .tcp_ip_abort_cinterval = 3 * 60000,
    .tcp_ip_abort_linterval = 3 * 60000,
    .tcp_ip_notify_interval = 10000,
    .tcp_ip_notify_cinterval = 10000,
    .tcp_ipv4_ttl = 64,
    .tcp_keepalive_interval = 7200000,
    .tcp_keepalive_abort_interval = 8 * 60000,
    .tcp_mss_def_ipv4 = 536,
    .tcp_mss_min = 108,
    .tcp_mss_max_ipv4 = 65495,
    .tcp_naglim_def = 4095,
    .tcp_xmit_hiwat = 49152,
    .tcp_xmit_lowat = 4096,
    .tcp_recv_hiwat = 49152,
    .tcp_recv_hiwat_minmss = 4,
    .tcp_max_buf = 1024 * 1024,
    .tcp_fin_wait_2_flush_interval = 675000,
    .tcp_wroff_xtra = 32,
    .tcp_deferred_ack_interval = 100,
    .tcp_local_dack_interval = 50,
    .tcp_deferred_acks_max = 2,
    .tcp_local_dacks_max = 8,
    .tcp_dupack_fast_retransmit = 3,
    .tcp_rexmit_interval_initial = 3000,
    .tcp_rexmit_interval_min = 400,
    .tcp_rexmit_interval_max = 60000,
    .tcp_rexmit_interval_extra = 0,
    .tcp_wscale_always = 1,
    .tcp_tstamp_always = 0,
    .tcp_tstamp_if_wscale = 1,
    .tcp_sack_permitted = 2,
    .tcp_ecn_permitted = 1,
    .tcp_push_timer_interval = 50,
    .tcp_rst_sent_rate = 40,
    .tcp_smallest_anon_port = 32768,
    .tcp_largest_anon_port = 65535,
};
KLOCAL struct tcp_param tcp_param;

/* ---- identities ---- */

/*
 * A stream's minor number, its TPI acceptor id and an eager's T_CONN_IND
 * sequence number are slots of one table, which grows by segments that double.
 * A free slot holds the number of the next free one, shifted left with bit 0 set.
 */
#define TCP_ID_BASE 64
#define TCP_ID_NSEG 25
static KLOCAL uintptr_t *tcp_id_seg[TCP_ID_NSEG];
static KLOCAL uint32_t tcp_id_next = 1; /* never used yet */
static KLOCAL uint32_t tcp_id_freed;    /* head of the free list; 0 = none */

static size_t tcp_id_segsize(uint_t seg)
{
	return seg == 0 ? TCP_ID_BASE : (size_t)TCP_ID_BASE << (seg - 1);
}

static uintptr_t *tcp_id_slot(uint32_t id)
{
	uint_t seg = id < TCP_ID_BASE ? 0 : 32 - (uint_t)__builtin_clz(id / TCP_ID_BASE);

	if (seg >= TCP_ID_NSEG)
		return NULL;
	if (tcp_id_seg[seg] == NULL) {
		tcp_id_seg[seg] = kmem_zalloc(tcp_id_segsize(seg) * sizeof(uintptr_t), KM_NOSLEEP);
		if (tcp_id_seg[seg] == NULL)
			return NULL;
	}
	return &tcp_id_seg[seg][seg == 0 ? id : id - ((uint32_t)TCP_ID_BASE << (seg - 1))];
}

/* A new identity, or 0 when there is no memory. */
uint32_t tcp_id_alloc(tcp_t *tcp)
{
	uint32_t id = tcp_id_freed != 0 ? tcp_id_freed : tcp_id_next;
	uintptr_t *slot = tcp_id_slot(id);

	if (slot == NULL)
		return 0;
	if (id == tcp_id_freed)
		tcp_id_freed = (uint32_t)(*slot >> 1);
	else
		tcp_id_next++;
	*slot = (uintptr_t)tcp;
	return id;
}

void tcp_id_free(uint32_t id)
{
	if (id == 0)
		return;
	*tcp_id_slot(id) = (uintptr_t)tcp_id_freed << 1 | 1;
	tcp_id_freed = id;
}

void tcp_id_set(uint32_t id, tcp_t *tcp)
{
	*tcp_id_slot(id) = (uintptr_t)tcp;
}

tcp_t *tcp_id_find(uint32_t id)
{
	if (id == 0 || id >= tcp_id_next || (*tcp_id_slot(id) & 1))
		return NULL;
	return (tcp_t *)*tcp_id_slot(id);
}

/* ---- control block ---- */

tcp_t *tcp_alloc(int kmflags)
{
	tcp_t *tcp = kmem_zalloc(sizeof(*tcp), kmflags);

	if (tcp == NULL)
		return NULL;
	tcp->tcp_state = TCPS_IDLE;
	tcp->tcp_eager_next_q0 = tcp->tcp_eager_prev_q0 = tcp;
	tcp->tcp_eager_next_q = tcp->tcp_eager_prev_q = tcp;
	return tcp;
}

static void tcp_free_chain(mblk_t **headp)
{
	mblk_t *mp;

	while ((mp = *headp) != NULL) {
		*headp = mp->b_next;
		mp->b_next = mp->b_prev = NULL;
		freemsg(mp);
	}
}

/* All data of a connection that is whole (not cut down). */
void tcp_free_lists(tcp_t *tcp)
{
	tcp_xmit_free(tcp);
	tcp_free_chain(&tcp->tcp_rcv_list);
	tcp_free_chain(&tcp->tcp_reass_head);
	tcp->tcp_rcv_last_head = tcp->tcp_reass_tail = NULL;
	tcp->tcp_rcv_cnt = 0;
	if (tcp->tcp_conn.tcp_eager_conn_ind != NULL)
		freemsg(tcp->tcp_conn.tcp_eager_conn_ind);
	tcp->tcp_conn.tcp_eager_conn_ind = NULL;
}

void tcp_free(tcp_t *tcp)
{
	tcp_time_wait_remove(tcp);
	if (tcp->tcp_port_held)
		tcp_bind_release(tcp);
	if (tcp->tcp_tw_cut) {
		kmem_free(tcp, TCP_TW_SIZE);
		return;
	}
	tcp_free_lists(tcp);
	tcp_sack_free(tcp);
	kmem_free(tcp, sizeof(*tcp));
}

/* The header template without addresses. */
void tcp_init_header(tcp_t *tcp)
{
	ipha_t *ipha = tcp_ipha(tcp);
	tcph_t *tcph;

	memset(tcp->tcp_iphc, 0, sizeof(tcp->tcp_iphc));
	tcp->tcp_ip_hdr_len = IP_SIMPLE_HDR_LENGTH;
	tcp->tcp_tcp_hdr_len = TCP_MIN_HEADER_LENGTH;
	tcp->tcp_hdr_len = IP_SIMPLE_HDR_LENGTH + TCP_MIN_HEADER_LENGTH;
	ipha->ipha_version_and_hdr_length = IP_SIMPLE_HDR_VERSION;
	ipha->ipha_ttl = tcp->tcp_connp->conn_ttl != 0 ? tcp->tcp_connp->conn_ttl : (uint8_t)tcp_param.tcp_ipv4_ttl;
	ipha->ipha_type_of_service = tcp->tcp_connp->conn_tos;
	ipha->ipha_protocol = IPPROTO_TCP;
	ipha->ipha_ident = NO_IP_IDENT;
	tcph = tcp_tcph(tcp);
	tcph->th_offset_and_rsrvd[0] = 5 << 4;
	tcph->th_flags[0] = TH_ACK;
}

/* Addresses and ports of the conn_t into the template. */
void tcp_hdr_addrs(tcp_t *tcp)
{
	ipha_t *ipha = tcp_ipha(tcp);
	tcph_t *tcph = tcp_tcph(tcp);

	ipha->ipha_src = tcp->tcp_ip_src;
	ipha->ipha_dst = tcp->tcp_remote;
	memcpy(tcph->th_lport, &tcp->tcp_lport, 2);
	memcpy(tcph->th_fport, &tcp->tcp_fport, 2);
	tcp->tcp_sum = ip_pseudo_sum(ipha->ipha_src, ipha->ipha_dst);
	tcp->tcp_loopback = IP_LOOPBACK_ADDR(ipha->ipha_dst) || ipha->ipha_src == ipha->ipha_dst;
}

/* What a connection starts with; options the user has set stay. */
void tcp_init_values(tcp_t *tcp)
{
	tcp->tcp_rtt_sa = (int32_t)tcp_param.tcp_rexmit_interval_initial << 2; /* 12.8: 12000, 1500 */
	tcp->tcp_rtt_sd = (int32_t)tcp_param.tcp_rexmit_interval_initial >> 1;
	tcp->tcp_rto = (tcp->tcp_rtt_sa >> 3) + tcp->tcp_rtt_sd + (int32_t)tcp_param.tcp_rexmit_interval_extra +
		       (tcp->tcp_rtt_sa >> 5);
	tcp->tcp_rto = MAX(tcp->tcp_rto, (int32_t)tcp_param.tcp_rexmit_interval_min);
	tcp->tcp_timer_backoff = tcp->tcp_ms_we_have_waited = 0;
	tcp->tcp_first_timer_threshold = tcp_param.tcp_ip_notify_interval;
	tcp->tcp_second_timer_threshold = tcp_param.tcp_ip_abort_interval;
	tcp->tcp_first_ctimer_threshold = tcp_param.tcp_ip_notify_cinterval;
	tcp->tcp_second_ctimer_threshold = tcp_param.tcp_ip_abort_cinterval;
	tcp->tcp_cwnd_max = tcp_param.tcp_cwnd_max;
	tcp->tcp_cwnd_ssthresh = TCP_MAXWIN << TCP_MAX_WINSHIFT;
	tcp->tcp_cwnd_cnt = 0;
	tcp->tcp_mss = tcp_param.tcp_mss_def_ipv4;
	tcp->tcp_if_mtu = tcp_param.tcp_mss_def_ipv4 + IP_SIMPLE_HDR_LENGTH + TCP_MIN_HEADER_LENGTH;
	tcp->tcp_rwnd = tcp->tcp_recv_hiwater;
	tcp->tcp_snd_burst = TCP_CWND_NORMAL;
	tcp->tcp_ipversion = IPV4_VERSION;
	tcp->tcp_valid_bits = 0;
	tcp->tcp_snd_ws = tcp->tcp_rcv_ws = 0;
	tcp->tcp_snd_ws_ok = tcp->tcp_snd_ts_ok = tcp->tcp_snd_sack_ok = 0;
	tcp->tcp_swnd = tcp->tcp_max_swnd = 0;
	tcp->tcp_rack_cnt = tcp->tcp_rack_cur_max = 0;
	tcp->tcp_rexmit = tcp->tcp_recovering = tcp->tcp_zero_win_probe = 0;
	tcp->tcp_dupack_cnt = tcp->tcp_last_sent_len = 0;
	tcp->tcp_fin_sent = tcp->tcp_fin_acked = tcp->tcp_fin_rcvd = tcp->tcp_ordrel_done = 0;
	tcp->tcp_urp_last_valid = 0;
	tcp->tcp_active_open = tcp->tcp_localnet = tcp->tcp_loopback = 0;
	tcp->tcp_client_errno = 0;
	tcp->tcp_tsval_base = 0;
	tcp->tcp_last_recv_time = ddi_get_lbolt();
	tcp_init_header(tcp);
}

/* Options as they are in a new stream. */
static void tcp_init_options(tcp_t *tcp)
{
	tcp->tcp_xmit_hiwater = tcp_param.tcp_xmit_hiwat;
	tcp->tcp_xmit_lowater = tcp_param.tcp_xmit_lowat;
	tcp->tcp_recv_hiwater = tcp_param.tcp_recv_hiwat;
	tcp->tcp_naglim = tcp_param.tcp_naglim_def;
	tcp->tcp_ka_interval = tcp_param.tcp_keepalive_interval;
	tcp->tcp_ka_abort_thres = tcp_param.tcp_keepalive_abort_interval;
}

/* ---- open and close ---- */

static int tcp_open(queue_t *q, dev_t *devp, int flag, int sflag, cred_t *cr)
{
	conn_t *connp;
	tcp_t *tcp;
	const devsw_t *dp = devsw_bymajor(getmajor(*devp));

	(void)flag;
	if (q->q_ptr != NULL)
		return 0;
	if (sflag == MODOPEN)
		return EINVAL;
	connp = ipcl_conn_create(IPCL_TCPCONN, KM_NOSLEEP);
	if (connp == NULL)
		return ENOMEM;
	tcp = connp->conn_tcp;
	tcp->tcp_acceptor_id = tcp_id_alloc(tcp);
	if (tcp->tcp_acceptor_id == 0) {
		CONN_DEC_REF(connp);
		return ENOMEM;
	}
	*devp = makedevice(getmajor(*devp), tcp->tcp_acceptor_id);
	connp->conn_dev = *devp;
	connp->conn_sqp = ip_squeue;
	connp->conn_cred = cr;
	crhold(cr);
	tcp->tcp_cred = cr;
	tcp->tcp_cpid = curthread != NULL && curproc != NULL ? curproc->p_pid : 0;
	tcp->tcp_family = AF_INET;
	if (dp != NULL && strcmp(dp->d_name, "tcp6") == 0) {
		tcp->tcp_family = AF_INET6;
		connp->conn_af_isv6 = 1;
		connp->conn_flags = (connp->conn_flags & ~IPCL_TCP4) | IPCL_TCP6;
	}
	tcp_init_options(tcp);
	tcp_init_values(tcp);
	q->q_ptr = WR(q)->q_ptr = connp;
	tcp->tcp_rq = connp->conn_rq = q;
	tcp->tcp_wq = connp->conn_wq = WR(q);
	q->q_hiwat = tcp->tcp_recv_hiwater;
	WR(q)->q_qinfo = &tcp_sock_winit;
	qprocson(q);
	return 0;
}

/* Cut the connection loose from its stream. */
static void tcp_detach(tcp_t *tcp)
{
	conn_t *connp = tcp->tcp_connp;

	tcp->tcp_detached = 1;
	tcp->tcp_rq = tcp->tcp_wq = NULL;
	connp->conn_rq = connp->conn_wq = NULL;
	tcp_id_free(tcp->tcp_acceptor_id);
	tcp->tcp_acceptor_id = 0;
	tcp_timeout_cancel(&tcp->tcp_push_tid);
	tcp_timeout_cancel(&tcp->tcp_ka_tid);
	tcp_free_chain(&tcp->tcp_rcv_list);
	tcp->tcp_rcv_last_head = NULL;
	tcp->tcp_rcv_cnt = 0;
	tcp->tcp_flow_stopped = 0;
}

/* On the squeue: the stream is closed; what of the connection must go on does so detached. */
static void tcp_close_output(void *arg, mblk_t *mp, void *arg2)
{
	conn_t *connp = arg;
	tcp_t *tcp = connp->conn_tcp;

	(void)mp, (void)arg2;
	switch (tcp->tcp_state) {
	case TCPS_LISTEN:
		tcp_eager_cleanup(tcp);
		break;
	case TCPS_SYN_SENT:
		BUMP_MIB(&tcp_mib, tcpAttemptFails);
		break;
	case TCPS_SYN_RCVD:
		BUMP_MIB(&tcp_mib, tcpAttemptFails);
		tcp_xmit_ctl("tcp_close, SYN_RCVD", tcp, tcp->tcp_snxt, 0, TH_RST);
		break;
	case TCPS_ESTABLISHED:
	case TCPS_CLOSE_WAIT:
	case TCPS_FIN_WAIT_1:
	case TCPS_CLOSING:
	case TCPS_LAST_ACK:
	case TCPS_FIN_WAIT_2:
		if (tcp->tcp_linger && tcp->tcp_lingertime == 0) {
			if (tcp->tcp_state == TCPS_ESTABLISHED || tcp->tcp_state == TCPS_CLOSE_WAIT)
				BUMP_MIB(&tcp_mib, tcpEstabResets);
			tcp_xmit_ctl("tcp_close, reset", tcp, tcp->tcp_snxt, 0, TH_RST);
			break;
		}
		tcp_xmit_end(tcp);
		if (tcp->tcp_state == TCPS_CLOSED)
			break;
		tcp_detach(tcp);
		if (tcp->tcp_state == TCPS_FIN_WAIT_2)
			tcp_timer_restart(tcp, tcp_param.tcp_fin_wait_2_flush_interval);
		return;
	case TCPS_TIME_WAIT:
		tcp_detach(tcp);
		tcp_timers_stop(tcp);
		tcp_time_wait_append(tcp);
		return;
	default:
		break;
	}
	tcp_detach(tcp);
	tcp_close_detached(tcp);
}

static void tcp_linger_output(void *arg, mblk_t *mp, void *arg2)
{
	conn_t *connp = arg;

	(void)mp, (void)arg2;
	tcp_xmit_end(connp->conn_tcp);
}

ALWAYS_INLINE bool tcp_has_output(const tcp_t *tcp)
{
	return tcp->tcp_state >= TCPS_ESTABLISHED && tcp->tcp_state != TCPS_TIME_WAIT &&
	       (tcp->tcp_unsent > 0 || tcp->tcp_suna != tcp->tcp_snxt);
}

/* SO_LINGER: the closer sleeps until all is acknowledged, a signal, or the time is over. */
static void tcp_close_linger(tcp_t *tcp)
{
	conn_t *connp = tcp->tcp_connp;
	clock_t_ end = ddi_get_lbolt() + (clock_t_)tcp->tcp_lingertime * HZ;
	kcondvar_t cv;

	cv_init(&cv);
	CONN_INC_REF(connp);
	squeue_enter(connp->conn_sqp, &tcp->tcp_closemp, tcp_linger_output, connp, SQTAG_TCP_CLOSE);
	tcp->tcp_closewait = &cv;
	while (tcp_has_output(tcp)) {
		if (cv_timedwait_sig(&cv, end) <= 0)
			break;
	}
	tcp->tcp_closewait = NULL;
	cv_destroy(&cv);
	if (tcp_has_output(tcp))
		tcp->tcp_lingertime = 0; /* in vain: reset */
	else
		tcp->tcp_linger = 0;
}

static int tcp_close(queue_t *q, int flag, cred_t *cr)
{
	conn_t *connp = Q_TO_CONN(q);
	tcp_t *tcp = connp->conn_tcp;

	(void)flag, (void)cr;
	tcp->tcp_closing = 1;
	if (tcp->tcp_linger && tcp->tcp_lingertime > 0 && tcp->tcp_state >= TCPS_ESTABLISHED)
		tcp_close_linger(tcp);
	if (tcp->tcp_rsrv_bufcall != 0)
		unbufcall(tcp->tcp_rsrv_bufcall);
	tcp->tcp_rsrv_bufcall = 0;
	qprocsoff(q);
	CONN_INC_REF(connp);
	squeue_enter(connp->conn_sqp, &tcp->tcp_closemp, tcp_close_output, connp, SQTAG_TCP_CLOSE);
	q->q_ptr = WR(q)->q_ptr = NULL;
	return 0;
}

/* ---- death ---- */

/* The connection is no more: nothing finds it, nothing of it is armed. */
void tcp_closei_local(tcp_t *tcp)
{
	conn_t *connp = tcp->tcp_connp;

	UPDATE_MIB(&tcp_mib, tcpInSegs, tcp->tcp_ibsegs);
	UPDATE_MIB(&tcp_mib, tcpOutSegs, tcp->tcp_obsegs);
	tcp->tcp_ibsegs = tcp->tcp_obsegs = 0;
	tcp_time_wait_remove(tcp);
	TCP_SET_STATE(tcp, TCPS_CLOSED);
	if (!tcp->tcp_tw_cut) {
		tcp_timers_stop(tcp);
		if (tcp->tcp_listener != NULL)
			tcp_eager_unlink(tcp);
		tcp_id_free(tcp->tcp_acceptor_id);
		tcp->tcp_acceptor_id = 0;
		tcp_free_lists(tcp);
		tcp_sack_free(tcp);
	}
	ipcl_hash_remove(connp);
	tcp_bind_release(tcp);
	if (connp->conn_ire_cache != NULL) {
		IRE_REFRELE(connp->conn_ire_cache);
		connp->conn_ire_cache = NULL;
	}
}

void tcp_close_detached(tcp_t *tcp)
{
	conn_t *connp = tcp->tcp_connp;

	tcp_closei_local(tcp);
	CONN_DEC_REF(connp);
}

/* The stream stays, bound to its port; the connection is gone. */
void tcp_reinit(tcp_t *tcp)
{
	conn_t *connp = tcp->tcp_connp;
	in_port_t lport = tcp->tcp_lport;

	UPDATE_MIB(&tcp_mib, tcpInSegs, tcp->tcp_ibsegs);
	UPDATE_MIB(&tcp_mib, tcpOutSegs, tcp->tcp_obsegs);
	tcp->tcp_ibsegs = tcp->tcp_obsegs = 0;
	tcp_timers_stop(tcp);
	ipcl_hash_remove(connp);
	ipsec_conn_uncache(connp);
	tcp_free_lists(tcp);
	tcp_sack_free(tcp);
	if (connp->conn_ire_cache != NULL) {
		IRE_REFRELE(connp->conn_ire_cache);
		connp->conn_ire_cache = NULL;
	}
	tcp_init_values(tcp);
	tcp->tcp_plan_bits = 0;
	ipcl_v4_set(&connp->conn_remv6, INADDR_ANY);
	connp->conn_fport = 0;
	connp->conn_recv = tcp_input;
	connp->conn_fully_bound = 0;
	if (lport != 0) {
		TCP_SET_STATE(tcp, TCPS_BOUND);
		tcp_bind_listed(tcp);
	} else {
		TCP_SET_STATE(tcp, TCPS_IDLE);
	}
	if (tcp->tcp_flow_stopped)
		tcp_clrqfull(tcp);
}

/* T_DISCON_IND upstream; seqnum names an eager to its listener, or is -1. */
void tcp_discon_ind(tcp_t *tcp, int reason, uint32_t seqnum)
{
	mblk_t *mp = allocb_tryhard(sizeof(struct T_discon_ind));
	struct T_discon_ind *tdi;

	if (mp == NULL)
		return;
	DB_TYPE(mp) = M_PROTO;
	tdi = (struct T_discon_ind *)(void *)mp->b_rptr;
	tdi->PRIM_type = T_DISCON_IND;
	tdi->DISCON_reason = reason;
	tdi->SEQ_number = (t_scalar_t)seqnum;
	mp->b_wptr += sizeof(*tdi);
	putnext(tcp->tcp_rq, mp);
}

/*
 * The connection ends: with an error (told as T_DISCON_IND), or because both
 * sides have closed (err 0).  -1: the connection is detached and gone; 0: the
 * stream remains.
 */
int tcp_clean_death(tcp_t *tcp, int err)
{
	bool released = tcp->tcp_fin_rcvd && (tcp->tcp_fin_sent || tcp->tcp_fin_acked);

	switch (tcp->tcp_state) {
	case TCPS_CLOSED:
	case TCPS_IDLE:
	case TCPS_BOUND:
		return 0;
	case TCPS_SYN_SENT:
	case TCPS_SYN_RCVD:
		BUMP_MIB(&tcp_mib, tcpAttemptFails);
		break;
	case TCPS_ESTABLISHED:
	case TCPS_CLOSE_WAIT:
		BUMP_MIB(&tcp_mib, tcpEstabResets);
		break;
	default:
		break;
	}
	if (TCP_IS_DETACHED(tcp)) {
		if (!tcp->tcp_tw_cut && tcp->tcp_listener != NULL && tcp->tcp_eager_in_q &&
		    tcp->tcp_listener->tcp_rq != NULL)
			tcp_discon_ind(tcp->tcp_listener, err, tcp->tcp_conn_req_seqnum);
		tcp_close_detached(tcp);
		return -1;
	}
	if (tcp->tcp_rcv_list != NULL && !tcp->tcp_closing)
		(void)tcp_rcv_drain(tcp->tcp_rq, tcp);
	tcp_reinit(tcp);
	if (tcp->tcp_closewait != NULL)
		cv_signal(tcp->tcp_closewait);
	if ((err != 0 || !released) && !tcp->tcp_closing)
		tcp_discon_ind(tcp, err, (uint32_t)-1);
	return 0;
}

/* ---- write side ---- */

/* Writers above must wait. */
void tcp_setqfull(tcp_t *tcp)
{
	tcp->tcp_flow_stopped = 1;
	if (tcp->tcp_wq != NULL)
		tcp->tcp_wq->q_flag |= QFULL;
}

void tcp_clrqfull(tcp_t *tcp)
{
	queue_t *q = tcp->tcp_wq;

	tcp->tcp_flow_stopped = 0;
	if (q == NULL || !(q->q_flag & QFULL))
		return;
	q->q_flag &= ~(uint_t)QFULL;
	if (q->q_flag & QWANTW)
		backenable(q, 0);
}

/* T_DATA_REQ and the like with their data. */
static void tcp_data_req(tcp_t *tcp, mblk_t *mp, bool urgent)
{
	mblk_t *data = mp->b_cont;

	freeb(mp);
	if (data != NULL)
		tcp_wput_data(tcp, data, urgent ? B_TRUE : B_FALSE);
}

static void tcp_ordrel_req(tcp_t *tcp, mblk_t *mp)
{
	freemsg(mp);
	if (tcp->tcp_state >= TCPS_ESTABLISHED || (tcp->tcp_state == TCPS_SYN_RCVD && tcp->tcp_listener == NULL)) {
		tcp_xmit_end(tcp);
		if (tcp->tcp_state == TCPS_LAST_ACK || tcp->tcp_state == TCPS_FIN_WAIT_1)
			return;
	}
}

/* On the squeue: a TPI primitive from above. */
void tcp_wput_proto(void *arg, mblk_t *mp, void *arg2)
{
	conn_t *connp = arg;
	tcp_t *tcp = connp->conn_tcp;
	int32_t prim = *(int32_t *)(void *)mp->b_rptr;

	(void)arg2;
	if (tcp->tcp_wq == NULL) { /* closed meanwhile */
		freemsg(mp);
		return;
	}
	switch (prim) {
	case T_DATA_REQ:
	case T_OPTDATA_REQ:
		tcp_data_req(tcp, mp, false);
		break;
	case T_EXDATA_REQ:
		tcp_data_req(tcp, mp, true);
		break;
	case T_BIND_REQ:
	case O_T_BIND_REQ:
		tcp_bind(tcp, mp);
		break;
	case T_UNBIND_REQ:
		tcp_unbind(tcp, mp);
		break;
	case T_CONN_REQ:
		tcp_connect(tcp, mp);
		break;
	case T_CONN_RES:
	case O_T_CONN_RES:
		tcp_accept(tcp, mp);
		break;
	case T_DISCON_REQ:
		tcp_disconnect(tcp, mp);
		break;
	case T_ORDREL_REQ:
		tcp_ordrel_req(tcp, mp);
		break;
	case T_CAPABILITY_REQ:
		tcp_capability_req(tcp, mp);
		break;
	case T_INFO_REQ:
		tcp_info_req(tcp, mp);
		break;
	case T_ADDR_REQ:
		tcp_addr_req(tcp, mp);
		break;
	case T_SVR4_OPTMGMT_REQ:
	case T_OPTMGMT_REQ:
		tcp_optmgmt_req(tcp, mp);
		break;
	default:
		tcp_err_ack(tcp, mp, TNOTSUPPORT, 0);
		break;
	}
}

static void tcp_wput_flush(queue_t *q, mblk_t *mp)
{
	if (*mp->b_rptr & FLUSHW) {
		flushq(q, FLUSHALL);
		*mp->b_rptr &= (uchar_t)~FLUSHW;
	}
	if (*mp->b_rptr & FLUSHR) {
		flushq(RD(q), FLUSHALL);
		qreply(q, mp);
		return;
	}
	freemsg(mp);
}

int tcp_wput(queue_t *q, mblk_t *mp)
{
	conn_t *connp = Q_TO_CONN(q);
	tcp_t *tcp = connp->conn_tcp;

	switch (DB_TYPE(mp)) {
	case M_DATA:
		tcp->tcp_squeue_bytes += (int32_t)msgdsize(mp);
		if ((uint32_t)(tcp->tcp_unsent + tcp->tcp_squeue_bytes) > tcp->tcp_xmit_hiwater)
			tcp_setqfull(tcp);
		CONN_INC_REF(connp);
		squeue_enter(connp->conn_sqp, mp, tcp_output, connp, SQTAG_TCP_WPUT);
		return 0;
	case M_PROTO:
	case M_PCPROTO:
		if (MBLKL(mp) < (ptrdiff_t)sizeof(t_scalar_t)) {
			freemsg(mp);
			return 0;
		}
		int32_t prim = *(int32_t *)(void *)mp->b_rptr;
		if ((prim == T_CONN_RES || prim == O_T_CONN_RES) && tcp->tcp_state < TCPS_LISTEN) {
			tcp_wput_accept(q, mp);
			return 0;
		}
		CONN_INC_REF(connp);
		squeue_enter(connp->conn_sqp, mp, tcp_wput_proto, connp, SQTAG_TCP_WPUT_OTHER);
		return 0;
	case M_FLUSH:
		tcp_wput_flush(q, mp);
		return 0;
	case M_IOCTL:
		miocnak(q, mp, 0, EINVAL);
		return 0;
	default:
		freemsg(mp);
		return 0;
	}
}

/* The first message to a new stream: T_CAPABILITY_REQ of sockfs is answered here and now. */
int tcp_wput_sock(queue_t *q, mblk_t *mp)
{
	tcp_t *tcp = Q_TO_CONN(q)->conn_tcp;

	q->q_qinfo = &tcp_winit;
	if ((DB_TYPE(mp) != M_PCPROTO && DB_TYPE(mp) != M_PROTO) ||
	    MBLKL(mp) < (ptrdiff_t)sizeof(struct T_capability_req) ||
	    *(int32_t *)(void *)mp->b_rptr != T_CAPABILITY_REQ) {
		(void)tcp_wput(q, mp);
		return 0;
	}
	tcp->tcp_issocket = 1;
	tcp->tcp_connp->conn_flags |= IPCL_SOCKET;
	tcp_capability_req(tcp, mp);
	return 0;
}

/* Only there so that flow control stops at this queue. */
static int tcp_wsrv(queue_t *q)
{
	(void)q;
	return 0;
}

static void tcp_rsrv_again(void *arg)
{
	queue_t *q = arg;
	conn_t *connp = Q_TO_CONN(q);

	connp->conn_tcp->tcp_rsrv_bufcall = 0;
	qenable(q);
}

/* Upstream has room again. */
int tcp_rsrv(queue_t *q)
{
	conn_t *connp = Q_TO_CONN(q);
	tcp_t *tcp = connp->conn_tcp;
	mblk_t *mp;

	if (tcp->tcp_rsrv_pending || tcp->tcp_rq == NULL || tcp->tcp_rwnd >= q->q_hiwat)
		return 0;
	mp = allocb(1, BPRI_HI);
	if (mp == NULL) {
		if (tcp->tcp_rsrv_bufcall == 0)
			tcp->tcp_rsrv_bufcall = bufcall(1, BPRI_HI, tcp_rsrv_again, q);
		return 0;
	}
	tcp->tcp_rsrv_pending = 1;
	CONN_INC_REF(connp);
	squeue_enter(connp->conn_sqp, mp, tcp_rsrv_input, connp, SQTAG_TCP_RSRV);
	return 0;
}

/* ---- statistics ---- */

static void tcp_snmp_one(conn_t *connp, void *arg)
{
	uint64_t *estab = arg;
	tcp_t *tcp = connp->conn_tcp;

	if (tcp == NULL)
		return;
	UPDATE_MIB(&tcp_mib, tcpInSegs, tcp->tcp_ibsegs);
	UPDATE_MIB(&tcp_mib, tcpOutSegs, tcp->tcp_obsegs);
	tcp->tcp_ibsegs = tcp->tcp_obsegs = 0;
	if (tcp->tcp_state == TCPS_ESTABLISHED || tcp->tcp_state == TCPS_CLOSE_WAIT)
		++*estab;
}

void tcp_snmp_get(void)
{
	uint64_t estab = 0;

	ipcl_walk(tcp_snmp_one, &estab);
	tcp_mib.tcpCurrEstab = estab;
}

/* ---- tables ---- */

static struct module_info tcp_rinfo = {5105, "tcp", 0, INFPSZ, 49152, 2048};
static struct module_info tcp_winfo = {5105, "tcp", 0, INFPSZ, 127, 16};
static struct qinit tcp_rinit = {
    .qi_srvp = tcp_rsrv, .qi_qopen = tcp_open, .qi_qclose = tcp_close, .qi_minfo = &tcp_rinfo};
struct qinit tcp_winit = {.qi_putp = tcp_wput, .qi_srvp = tcp_wsrv, .qi_minfo = &tcp_winfo};
static struct qinit tcp_sock_winit = {.qi_putp = tcp_wput_sock, .qi_srvp = tcp_wsrv, .qi_minfo = &tcp_winfo};
static struct streamtab tcp_tab = {.st_rdinit = &tcp_rinit, .st_wrinit = &tcp_winit};
STREAMS_DRIVER(tcp, "tcp", &tcp_tab, D_MP, "/dev/tcp=clone", NULL);
STREAMS_DRIVER(tcp6, "tcp6", &tcp_tab, D_MP, "/dev/tcp6=clone", NULL);

/* ---- boot ---- */

/*
 * The default queue: resets that belong to no connection, and segments of
 * detached ones, are sent by it.
 */
static void tcp_g_q_create(void)
{
	queue_t *rq = allocq();
	conn_t *connp = ipcl_conn_create(IPCL_TCPCONN, KM_SLEEP);

	setq(rq, &tcp_rinit, &tcp_winit, D_MP, NULL, NULL);
	connp->conn_sqp = ip_squeue;
	connp->conn_cred = kcred;
	crhold(kcred);
	tcp_init_options(connp->conn_tcp);
	tcp_init_values(connp->conn_tcp);
	rq->q_ptr = WR(rq)->q_ptr = connp;
	connp->conn_rq = rq;
	connp->conn_wq = WR(rq);
	tcp_g_q = WR(rq);
}

static void tcp_init(void)
{
	tcp_param = tcp_param_default;
	tcp_id_next = 1;
	tcp_id_freed = 0;
	tcp_g_q_create();
}

static void tcp_fini_one(conn_t *connp, void *arg)
{
	tcp_t *tcp = connp->conn_tcp;

	(void)arg;
	if (tcp != NULL && TCP_IS_DETACHED(tcp))
		tcp_close_detached(tcp);
}

/* All streams are closed; what lives is detached. */
static void tcp_fini(void)
{
	conn_t *connp = Q_TO_CONN(tcp_g_q);
	queue_t *rq = RD(tcp_g_q);

	ipcl_walk(tcp_fini_one, NULL);
	tcp_time_wait_stop();
	tcp_plan_hook = NULL;
	tcp_g_q = NULL;
	rq->q_ptr = WR(rq)->q_ptr = NULL;
	CONN_DEC_REF(connp);
	freeq(rq);
	for (uint_t i = 0; i < TCP_ID_NSEG; i++) {
		if (tcp_id_seg[i] != NULL)
			kmem_free(tcp_id_seg[i], tcp_id_segsize(i) * sizeof(uintptr_t));
		tcp_id_seg[i] = NULL;
	}
}
KERNEL_INIT(2, tcp_init, tcp_fini);
