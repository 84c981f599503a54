/*
 * TCP timers.
 *
 * Theory.  A timer is a message: when its time has come the callout puts it on
 * the connection's squeue with squeue_fill(), so that the work is done by the
 * squeue's worker some 10 ms later, serialized with everything else that
 * happens to the connection.  Each armed timer holds a reference on the conn.
 * A timer cancelled in the gap between callout and worker is left on the squeue
 * without a function.
 *
 * Order of this file: the mechanism, round-trip time, retransmission, delayed
 * acknowledgements, push, keepalive, TIME_WAIT.
 */
#include <string.h>

#include "ip/tcp_impl.h"

typedef struct tcp_timer_s {
	conn_t *connp;
	void (*tcpt_proc)(void *); /* NULL: cancelled */
	timeout_id_t tcpt_tid;
} tcp_timer_t;

#define TIMER_OF(mp) ((tcp_timer_t *)(void *)(mp)->b_rptr)

static void tcp_timer_handler(void *arg, mblk_t *mp, void *arg2)
{
	conn_t *connp = arg;
	void (*proc)(void *) = TIMER_OF(mp)->tcpt_proc;

	(void)arg2;
	if (proc != NULL && connp->conn_tcp->tcp_state != TCPS_CLOSED)
		(*proc)(connp);
	freeb(mp);
}

static void tcp_timer_callback(void *arg)
{
	mblk_t *mp = arg;
	conn_t *connp = TIMER_OF(mp)->connp;

	squeue_fill(connp->conn_sqp, mp, tcp_timer_handler, connp, SQTAG_TCP_TIMER);
}

/* func(connp) on the squeue, ticks from now.  The identity is the timer message; NULL when there is no memory. */
mblk_t *tcp_timeout(conn_t *connp, void (*func)(void *), clock_t_ ticks)
{
	mblk_t *mp = allocb(sizeof(tcp_timer_t), BPRI_HI);

	if (mp == NULL)
		return NULL;
	mp->b_wptr += sizeof(tcp_timer_t);
	CONN_INC_REF(connp);
	TIMER_OF(mp)->connp = connp;
	TIMER_OF(mp)->tcpt_proc = func;
	TIMER_OF(mp)->tcpt_tid = timeout(tcp_timer_callback, mp, MAX(ticks, 1));
	return mp;
}

void tcp_timeout_cancel(mblk_t **idp)
{
	mblk_t *mp = *idp;

	if (mp == NULL)
		return;
	*idp = NULL;
	if (untimeout(TIMER_OF(mp)->tcpt_tid) < 0) {
		TIMER_OF(mp)->tcpt_proc = NULL; /* on the squeue already */
		return;
	}
	conn_t *connp = TIMER_OF(mp)->connp;
	freeb(mp);
	CONN_DEC_REF(connp);
}

/* The retransmission timer could not be armed for want of memory: again, until it can. */
static void tcp_timer_again(void *arg)
{
	conn_t *connp = arg;
	tcp_t *tcp = connp->conn_tcp;

	tcp->tcp_timer_lost = 0;
	if (tcp->tcp_timer_tid == NULL && tcp->tcp_state > TCPS_LISTEN)
		tcp_timer_restart(tcp, (uint32_t)tcp->tcp_rto);
	CONN_DEC_REF(connp);
}

static void tcp_timer_lost_cancel(tcp_t *tcp)
{
	conn_t *connp = tcp->tcp_connp;

	if (tcp->tcp_timer_lost == 0)
		return;
	(void)untimeout(tcp->tcp_timer_lost);
	tcp->tcp_timer_lost = 0;
	CONN_DEC_REF(connp);
}

/* (Re)start the retransmission timer. */
void tcp_timer_restart(tcp_t *tcp, uint32_t ms)
{
	tcp_timeout_cancel(&tcp->tcp_timer_tid);
	tcp->tcp_timer_tid = tcp_timeout(tcp->tcp_connp, tcp_timer, MSEC_TO_TICK(ms));
	if (UNLIKELY(tcp->tcp_timer_tid == NULL) && tcp->tcp_timer_lost == 0) {
		CONN_INC_REF(tcp->tcp_connp);
		tcp->tcp_timer_lost = timeout(tcp_timer_again, tcp->tcp_connp, MSEC_TO_TICK(ms));
	}
}

/* All but the TIME_WAIT list. */
void tcp_timers_stop(tcp_t *tcp)
{
	if (tcp->tcp_tw_cut)
		return;
	tcp_timer_lost_cancel(tcp);
	tcp_timeout_cancel(&tcp->tcp_timer_tid);
	tcp_timeout_cancel(&tcp->tcp_ack_tid);
	tcp_timeout_cancel(&tcp->tcp_push_tid);
	tcp_timeout_cancel(&tcp->tcp_ka_tid);
	tcp_timeout_cancel(&tcp->tcp_linger_tid);
}

/* ---- round-trip time (12.8) ---- */

#define TCP_SD_MIN 400 /* ms */

void tcp_set_rto(tcp_t *tcp, int32_t ms)
{
	int32_t m = ms, sa = tcp->tcp_rtt_sa, sv = tcp->tcp_rtt_sd, rto;

	BUMP_MIB(&tcp_mib, tcpRttUpdate);
	tcp->tcp_rtt_update++;
	if (sa != 0) {
		m -= sa >> 3;
		sa += m;
		if (sa < 1)
			sa = 1;
		m = (m < 0 ? -m : m) - (sv >> 2);
		sv += m;
	} else {
		sa = m << 3;
		sv = m << 1;
	}
	if (sv < TCP_SD_MIN)
		sv = TCP_SD_MIN;
	tcp->tcp_rtt_sa = sa;
	tcp->tcp_rtt_sd = sv;
	rto = (sa >> 3) + sv + (int32_t)tcp_param.tcp_rexmit_interval_extra + (sa >> 5);
	rto = MAX(rto, (int32_t)tcp_param.tcp_rexmit_interval_min);
	tcp->tcp_rto = MIN(rto, (int32_t)tcp_param.tcp_rexmit_interval_max);
	tcp->tcp_timer_backoff = 0;
}

/* ---- retransmission ---- */

static uint32_t tcp_backed_off(const tcp_t *tcp)
{
	uint64_t ms = (uint64_t)tcp->tcp_rto << MIN(tcp->tcp_timer_backoff, 16U);

	return (uint32_t)MIN(ms, (uint64_t)tcp_param.tcp_rexmit_interval_max);
}

/* The congestion window after a timeout (RFC 2581): one segment, half of the flight as threshold. */
ALWAYS_INLINE void tcp_timer_cwnd(tcp_t *tcp)
{
	uint32_t base = tcp->tcp_timer_backoff != 0 ? tcp->tcp_cwnd_ssthresh : tcp->tcp_snxt - tcp->tcp_suna;
	uint32_t npkt = (base >> 1) / tcp->tcp_mss;

	tcp->tcp_cwnd_ssthresh = MAX(npkt, 2U) * tcp->tcp_mss;
	tcp->tcp_cwnd = tcp->tcp_mss;
	tcp->tcp_cwnd_cnt = 0;
}

/* One byte into a closed window (RFC 1122 4.2.2.17), or what sender silly window avoidance has held back. */
ALWAYS_INLINE void tcp_timer_probe(tcp_t *tcp)
{
	uint32_t len = MIN(MAX(tcp->tcp_swnd, 1U), tcp->tcp_mss);
	mblk_t *mp = tcp_xmit_mp(tcp, NULL, (int32_t)len, tcp->tcp_snxt, B_FALSE, &len);

	if (mp == NULL)
		return;
	if (tcp->tcp_swnd == 0) {
		tcp->tcp_zero_win_probe = 1;
		BUMP_MIB(&tcp_mib, tcpOutWinProbe);
	}
	tcp_tail_advance(tcp, len);
	tcp_send_data(tcp, TCP_WQ(tcp), mp);
}

/* 1: the connection is over. */
ALWAYS_INLINE int tcp_timer_waited(tcp_t *tcp, uint32_t first, uint32_t second)
{
	tcp->tcp_ms_we_have_waited += tcp_backed_off(tcp);
	if (second != 0 && tcp->tcp_ms_we_have_waited > second) {
		BUMP_MIB(&tcp_mib, tcpTimRetransDrop);
		(void)tcp_clean_death(tcp, tcp->tcp_client_errno != 0 ? tcp->tcp_client_errno : ETIMEDOUT);
		return 1;
	}
	if (first != 0 && tcp->tcp_ms_we_have_waited > first && tcp->tcp_rtt_sa != 0) {
		/* The path may have changed: forget its estimate, keep its spread. */
		tcp->tcp_rtt_sd += (tcp->tcp_rtt_sa >> 3) + (tcp->tcp_rtt_sa >> 5);
		tcp->tcp_rtt_sa = 0;
	}
	return 0;
}

/* Send the SYN, or the SYN and ACK, again. */
ALWAYS_INLINE void tcp_timer_syn(tcp_t *tcp)
{
	bool passive = tcp->tcp_listener != NULL;
	mblk_t *mp;

	BUMP_MIB(&tcp_mib, tcpTimRetrans);
	if (tcp_timer_waited(tcp, tcp->tcp_first_ctimer_threshold,
			     passive ? tcp_param.tcp_ip_abort_linterval : tcp->tcp_second_ctimer_threshold) != 0)
		return;
	tcp->tcp_timer_backoff++;
	tcp_timer_restart(tcp, tcp_backed_off(tcp));
	tcp->tcp_rexmit = 1;
	mp = tcp_xmit_mp(tcp, NULL, 0, tcp->tcp_iss, B_TRUE, NULL);
	if (mp == NULL)
		return;
	BUMP_MIB(&tcp_mib, tcpRetransSegs);
	tcp_send_data(tcp, TCP_WQ(tcp), mp);
}

/* Sent, not acknowledged for so long: slow start over from suna. */
ALWAYS_INLINE void tcp_timer_rexmit(tcp_t *tcp)
{
	uint32_t len = MIN(tcp->tcp_mss, MAX(tcp->tcp_swnd, 1U));
	bool probe = tcp->tcp_swnd == 0;
	mblk_t *mp;

	BUMP_MIB(&tcp_mib, tcpTimRetrans);
	if (tcp_timer_waited(tcp, tcp->tcp_first_timer_threshold, tcp->tcp_second_timer_threshold) != 0)
		return;
	if (probe) {
		tcp->tcp_zero_win_probe = 1;
		BUMP_MIB(&tcp_mib, tcpOutWinProbe);
	} else {
		tcp_timer_cwnd(tcp);
	}
	tcp->tcp_timer_backoff++;
	tcp_timer_restart(tcp, tcp_backed_off(tcp));
	tcp_notsack_clear(tcp);
	tcp->tcp_recovering = 0;
	tcp->tcp_dupack_cnt = 0;
	mp = tcp_xmit_mp(tcp, NULL, (int32_t)len, tcp->tcp_suna, B_TRUE, &len);
	if (mp == NULL)
		return;
	tcp->tcp_csuna = tcp->tcp_snxt;
	if (!probe) {
		tcp->tcp_rexmit = 1;
		tcp->tcp_rexmit_max = tcp->tcp_snxt;
		tcp->tcp_rexmit_nxt = tcp->tcp_suna + len;
		tcp->tcp_snd_burst = TCP_CWND_SS;
	}
	BUMP_MIB(&tcp_mib, tcpRetransSegs);
	UPDATE_MIB(&tcp_mib, tcpRetransBytes, len);
	tcp_send_data(tcp, TCP_WQ(tcp), mp);
}

void tcp_timer(void *arg)
{
	conn_t *connp = arg;
	tcp_t *tcp = connp->conn_tcp;
	clock_t_ age;

	tcp->tcp_timer_tid = NULL;
	switch (tcp->tcp_state) {
	case TCPS_SYN_SENT:
	case TCPS_SYN_RCVD:
		tcp_timer_syn(tcp);
		return;
	case TCPS_FIN_WAIT_2:
	case TCPS_TIME_WAIT:
		(void)tcp_clean_death(tcp, 0);
		return;
	case TCPS_ESTABLISHED:
	case TCPS_CLOSE_WAIT:
	case TCPS_FIN_WAIT_1:
	case TCPS_CLOSING:
	case TCPS_LAST_ACK:
		break;
	default:
		return;
	}
	if (tcp->tcp_suna == tcp->tcp_snxt) {
		if (tcp->tcp_unsent == 0)
			return;
		BUMP_MIB(&tcp_mib, tcpTimRetrans);
		tcp_timer_probe(tcp);
		tcp_timer_restart(tcp, tcp_backed_off(tcp));
		return;
	}
	if (tcp->tcp_xmit_head != NULL && tcp->tcp_timer_backoff == 0) {
		age = TICK_TO_MSEC(ddi_get_lbolt() - (clock_t_)(intptr_t)tcp->tcp_xmit_head->b_prev);
		if (age < tcp->tcp_rto) {
			tcp_timer_restart(tcp, (uint32_t)(tcp->tcp_rto - age));
			return;
		}
	}
	tcp_timer_rexmit(tcp);
}

/* ---- delayed acknowledgement (12.7) ---- */

void tcp_ack_timer(void *arg)
{
	conn_t *connp = arg;
	tcp_t *tcp = connp->conn_tcp;
	mblk_t *mp;

	tcp->tcp_ack_tid = NULL;
	if (tcp->tcp_rnxt == tcp->tcp_rack)
		return;
	if (tcp->tcp_rnxt - tcp->tcp_rack > tcp->tcp_mss) {
		/* The peer sends fewer segments at a time than we wait for. */
		if (tcp->tcp_rack_abs_max > 2)
			tcp->tcp_rack_abs_max--;
		tcp->tcp_rack_cur_max = 2;
	}
	mp = tcp_ack_mp(tcp);
	if (mp == NULL)
		return;
	BUMP_MIB(&tcp_mib, tcpOutAck);
	BUMP_MIB(&tcp_mib, tcpOutAckDelayed);
	tcp_send_data(tcp, TCP_WQ(tcp), mp);
}

/* ---- push ---- */

/* Data without PSH has waited long enough. */
void tcp_push_timer(void *arg)
{
	conn_t *connp = arg;
	tcp_t *tcp = connp->conn_tcp;

	tcp->tcp_push_tid = NULL;
	tcp_ordrel_up(tcp);
	if (tcp->tcp_rcv_list == NULL || tcp->tcp_rq == NULL || tcp->tcp_listener != NULL || tcp->tcp_hard_binding)
		return;
	if (tcp_rcv_drain(tcp->tcp_rq, tcp) == TH_ACK_NEEDED)
		tcp_xmit_ctl(NULL, tcp, tcp->tcp_snxt, tcp->tcp_rnxt, TH_ACK);
}

/* ---- keepalive (RFC 1122 4.2.3.6) ---- */

void tcp_ka_start(tcp_t *tcp)
{
	tcp_timeout_cancel(&tcp->tcp_ka_tid);
	if (tcp->tcp_ka_enabled)
		tcp->tcp_ka_tid = tcp_timeout(tcp->tcp_connp, tcp_keepalive_killer, MSEC_TO_TICK(tcp->tcp_ka_interval));
}

void tcp_keepalive_killer(void *arg)
{
	conn_t *connp = arg;
	tcp_t *tcp = connp->conn_tcp;
	int64_t idle = TICK_TO_MSEC(ddi_get_lbolt() - tcp->tcp_last_recv_time), next;
	mblk_t *mp;

	tcp->tcp_ka_tid = NULL;
	if (!tcp->tcp_ka_enabled || tcp->tcp_state < TCPS_ESTABLISHED || tcp->tcp_state > TCPS_FIN_WAIT_2)
		return;
	BUMP_MIB(&tcp_mib, tcpTimKeepalive);
	next = (int64_t)tcp->tcp_ka_interval - idle;
	if (next <= 0) {
		if (tcp->tcp_ka_abort_thres != 0 && -next >= (int64_t)tcp->tcp_ka_abort_thres) {
			BUMP_MIB(&tcp_mib, tcpTimKeepaliveDrop);
			(void)tcp_clean_death(tcp, tcp->tcp_client_errno != 0 ? tcp->tcp_client_errno : ETIMEDOUT);
			return;
		}
		/* Probes come RTO after the first, then each after twice the time. */
		next = MAX(-next, (int64_t)tcp->tcp_rto);
		mp = tcp_ack_mp(tcp);
		if (mp != NULL) {
			tcph_t *tcph = (tcph_t *)(void *)(mp->b_rptr + tcp->tcp_ip_hdr_len);
			BE32_PUT(tcph->th_seq, tcp->tcp_suna - 1);
			BUMP_MIB(&tcp_mib, tcpTimKeepaliveProbe);
			tcp_send_data(tcp, TCP_WQ(tcp), mp);
		}
	}
	tcp->tcp_ka_tid = tcp_timeout(connp, tcp_keepalive_killer, MSEC_TO_TICK(next));
}

/* ---- TIME_WAIT ---- */

/*
 * Detached connections in TIME_WAIT stand on a list in order of expiry, which
 * a collector walks every 5 s.  It also cuts those that have none of their
 * control block in use any more down to TCP_TW_SIZE.
 */
#define TCP_TIME_WAIT_COLLECT 500 /* ticks */

static KLOCAL tcp_t *tcp_time_wait_head, *tcp_time_wait_tail;
static KLOCAL tcp_t *tcp_time_wait_uncut; /* first that is whole; all after it are, or have been moved there */
static KLOCAL timeout_id_t tcp_time_wait_tid;

static void tcp_time_wait_cut(tcp_t *tcp)
{
	tcp_t *cut = kmem_alloc(TCP_TW_SIZE, KM_NOSLEEP);

	if (cut == NULL)
		return;
	tcp_sack_free(tcp);
	tcp_free_lists(tcp);
	memcpy((void *)cut, (const void *)tcp, TCP_TW_SIZE);
	cut->tcp_tw_cut = 1;
	cut->tcp_connp->conn_tcp = cut;
	*(cut->tcp_time_wait_prev != NULL ? &cut->tcp_time_wait_prev->tcp_time_wait_next : &tcp_time_wait_head) = cut;
	*(cut->tcp_time_wait_next != NULL ? &cut->tcp_time_wait_next->tcp_time_wait_prev : &tcp_time_wait_tail) = cut;
	if (tcp_time_wait_uncut == tcp)
		tcp_time_wait_uncut = cut;
	tcp->tcp_sack_info = NULL;
	kmem_free(tcp, sizeof(*tcp));
}

static void tcp_time_wait_collector(void *arg)
{
	clock_t_ now = ddi_get_lbolt();
	tcp_t *tcp;

	(void)arg;
	tcp_time_wait_tid = 0;
	while ((tcp = tcp_time_wait_head) != NULL && tcp->tcp_time_wait_expire <= now) {
		tcp_time_wait_remove(tcp);
		tcp_close_detached(tcp);
	}
	while ((tcp = tcp_time_wait_uncut) != NULL) {
		tcp_time_wait_uncut = tcp->tcp_time_wait_next;
		if (!tcp->tcp_tw_cut)
			tcp_time_wait_cut(tcp);
	}
	if (tcp_time_wait_head != NULL)
		tcp_time_wait_tid = timeout(tcp_time_wait_collector, NULL, TCP_TIME_WAIT_COLLECT);
}

void tcp_time_wait_append(tcp_t *tcp)
{
	tcp->tcp_time_wait_expire = ddi_get_lbolt() + MSEC_TO_TICK(tcp_param.tcp_time_wait_interval);
	tcp->tcp_in_time_wait = 1;
	tcp->tcp_time_wait_next = NULL;
	tcp->tcp_time_wait_prev = tcp_time_wait_tail;
	*(tcp_time_wait_tail != NULL ? &tcp_time_wait_tail->tcp_time_wait_next : &tcp_time_wait_head) = tcp;
	tcp_time_wait_tail = tcp;
	if (tcp_time_wait_uncut == NULL)
		tcp_time_wait_uncut = tcp;
	if (tcp_time_wait_tid == 0)
		tcp_time_wait_tid = timeout(tcp_time_wait_collector, NULL, TCP_TIME_WAIT_COLLECT);
}

void tcp_time_wait_remove(tcp_t *tcp)
{
	if (!tcp->tcp_in_time_wait)
		return;
	tcp->tcp_in_time_wait = 0;
	if (tcp_time_wait_uncut == tcp)
		tcp_time_wait_uncut = tcp->tcp_time_wait_next;
	*(tcp->tcp_time_wait_prev != NULL ? &tcp->tcp_time_wait_prev->tcp_time_wait_next : &tcp_time_wait_head) =
	    tcp->tcp_time_wait_next;
	*(tcp->tcp_time_wait_next != NULL ? &tcp->tcp_time_wait_next->tcp_time_wait_prev : &tcp_time_wait_tail) =
	    tcp->tcp_time_wait_prev;
	tcp->tcp_time_wait_next = tcp->tcp_time_wait_prev = NULL;
}

/* Both sides have finished: 60 s from now the four-tuple is free (again). */
void tcp_time_wait_enter(tcp_t *tcp)
{
	if (tcp->tcp_state != TCPS_TIME_WAIT) {
		TCP_SET_STATE(tcp, TCPS_TIME_WAIT);
		tcp_timers_stop(tcp);
	}
	tcp_time_wait_remove(tcp);
	if (TCP_IS_DETACHED(tcp))
		tcp_time_wait_append(tcp);
	else
		tcp_timer_restart(tcp, tcp_param.tcp_time_wait_interval);
}

/* The kernel ends. */
void tcp_time_wait_stop(void)
{
	if (tcp_time_wait_tid != 0)
		(void)untimeout(tcp_time_wait_tid);
	tcp_time_wait_tid = 0;
	tcp_time_wait_head = tcp_time_wait_tail = tcp_time_wait_uncut = NULL;
}
