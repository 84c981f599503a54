/*
 * TCP: control block, wire header, and what the rest of the ip module calls.
 *
 * Names are Solaris 10's; scripts read these fields through args[0] of
 * tcp_send_data and the like.  Sequence numbers are host order and wrap.
 */
#ifndef STRSIM_TCP_H
#define STRSIM_TCP_H

#include "sys/types.h"
#include "sys/stream.h"
#include "sys/thread.h"
#include "ip/ipclassifier.h"
#include "ip/squeue.h"

/* ---- wire format (RFC 793) ---- */

typedef struct tcphdr_s {
	uint8_t th_lport[2]; /* source port */
	uint8_t th_fport[2]; /* destination port */
	uint8_t th_seq[4];
	uint8_t th_ack[4];
	uint8_t th_offset_and_rsrvd[1];
	uint8_t th_flags[1];
	uint8_t th_win[2];
	uint8_t th_sum[2];
	uint8_t th_urp[2];
} tcph_t;

/* The same, aligned; network order. */
typedef struct tcphdra_s {
	in_port_t tha_lport;
	in_port_t tha_fport;
	uint32_t tha_seq;
	uint32_t tha_ack;
	uint8_t tha_offset_and_reserved;
	uint8_t tha_flags;
	uint16_t tha_win;
	uint16_t tha_sum;
	uint16_t tha_urp;
} tcpha_t;

#define TH_FIN 0x01
#define TH_SYN 0x02
#define TH_RST 0x04
#define TH_PUSH 0x08
#define TH_ACK 0x10
#define TH_URG 0x20
#define TH_ECE 0x40
#define TH_CWR 0x80
/* Work flags inside tcp_rput_data, beside the wire's. */
#define TH_LIMIT_XMIT 0x400
#define TH_XMIT_NEEDED 0x800
#define TH_REXMIT_NEEDED 0x1000
#define TH_ACK_NEEDED 0x2000
#define TH_NEED_SACK_REXMIT 0x4000
#define TH_ACK_TIMER_NEEDED 0x8000
#define TH_ORDREL_NEEDED 0x10000
#define TH_MARKNEXT_NEEDED 0x20000
#define TH_SEND_URP_MARK 0x40000

#define TCP_MIN_HEADER_LENGTH 20
#define TCP_HDR_LENGTH(tcph) (((tcph)->th_offset_and_rsrvd[0] >> 2) & (0xf << 2))
#define TCP_MAX_HDR_LENGTH 60
#define TCP_MAX_WINSHIFT 14
#define TCP_MAXWIN 65535
#define TCPOPT_EOL 0
#define TCPOPT_NOP 1
#define TCPOPT_MAXSEG 2
#define TCPOPT_WSCALE 3
#define TCPOPT_SACK_PERMITTED 4
#define TCPOPT_SACK 5
#define TCPOPT_TSTAMP 8
#define TCPOPT_MAXSEG_LEN 4
#define TCPOPT_WS_LEN 3
#define TCPOPT_SACK_OK_LEN 2
#define TCPOPT_TSTAMP_LEN 10
#define TCPOPT_REAL_TS_LEN 12 /* with two NOPs */
#define TCPOPT_HEADER_LEN 2
#define TCPOPT_SACK_LEN 8

#define SEQ_LT(a, b) ((int32_t)((a) - (b)) < 0)
#define SEQ_LEQ(a, b) ((int32_t)((a) - (b)) <= 0)
#define SEQ_GT(a, b) ((int32_t)((a) - (b)) > 0)
#define SEQ_GEQ(a, b) ((int32_t)((a) - (b)) >= 0)

/* ---- states ---- */

#define TCPS_CLOSED -6
#define TCPS_IDLE -5
#define TCPS_BOUND -4
#define TCPS_LISTEN -3
#define TCPS_SYN_SENT -2
#define TCPS_SYN_RCVD -1
#define TCPS_ESTABLISHED 0
#define TCPS_CLOSE_WAIT 1
#define TCPS_FIN_WAIT_1 2
#define TCPS_CLOSING 3
#define TCPS_LAST_ACK 4
#define TCPS_FIN_WAIT_2 5
#define TCPS_TIME_WAIT 6

/* tcp_valid_bits: what else of the sequence space is pending */
#define TCP_ISS_VALID 1
#define TCP_FSS_VALID 2
#define TCP_URG_VALID 4
#define TCP_OFO_FIN_VALID 8

/* tcp_t.tcp_plan_bits: what a replay fixed (tcp_repair.h) */
#define TCP_PLAN_ISS 1  /* the options of the SYN are the plan's */
#define TCP_PLAN_FREE 2 /* congestion window and Nagle never limit */
#define TCP_PLAN_OPEN 4 /* nor does the peer's window */

#define MAX_SACK_BLK 5
typedef struct sack_blk {
	uint32_t begin, end;
} sack_blk_t;

/* Bytes the peer has told us it has not got. */
typedef struct notsack_blk {
	uint32_t begin, end;
	uint32_t sack_cnt; /* how often something above was reported */
	struct notsack_blk *next;
} notsack_blk_t;

/* Allocated at the first hole, in either direction. */
typedef struct tcp_sack_info {
	int32_t tcp_pipe;       /* bytes believed in flight */
	uint32_t tcp_fack;      /* highest sequence SACKed */
	uint32_t tcp_sack_snxt; /* next to send beyond what was retransmitted */
	int32_t tcp_max_sack_blk;
	int32_t tcp_num_sack_blk;
	sack_blk_t tcp_sack_list[MAX_SACK_BLK]; /* what we got out of order, newest first */
	notsack_blk_t *tcp_notsack_list;
	int32_t tcp_num_notsack_blk;
	uint32_t tcp_cnt_notsack_list;
} tcp_sack_info_t;

typedef struct tcp_s {
	/*
	 * What a connection in TIME_WAIT needs.  The collector cuts the rest off (TCP_TW_SIZE bytes stay), so nothing
	 * beyond tcp_tw_end may be used in that state.
	 */
	conn_t *tcp_connp;
	int32_t tcp_state;
	uint32_t tcp_irs; /* receive sequence space */
	uint32_t tcp_rnxt;
	uint32_t tcp_rack; /* last acknowledged */
	uint32_t tcp_rwnd;
	uint32_t tcp_iss; /* send sequence space */
	uint32_t tcp_suna;
	uint32_t tcp_snxt;
	uint32_t tcp_fss;
	uint32_t tcp_ts_recent;
	uint32_t tcp_tsval_base;     /* added to lbolt for the timestamp sent */
	uint32_t tcp_sum;            /* partial checksum of the pseudo header */
	clock_t_ tcp_last_rcv_lbolt; /* of the segment tcp_ts_recent came with */
	queue_t *tcp_rq;             /* NULL when detached */
	queue_t *tcp_wq;
	uint32_t tcp_ibsegs, tcp_obsegs;
	struct tcp_s *tcp_time_wait_next, *tcp_time_wait_prev;
	clock_t_ tcp_time_wait_expire;
	struct tcp_sack_info *tcp_sack_info;
	uint8_t tcp_iphc[56]; /* header template */
	uint16_t tcp_hdr_len, tcp_ip_hdr_len, tcp_tcp_hdr_len;
	uint8_t tcp_rack_cnt, tcp_rack_cur_max, tcp_rack_abs_max;
	uint8_t tcp_rcv_ws, tcp_snd_ws;
	uint8_t tcp_valid_bits;
	uint8_t tcp_family; /* AF_INET, AF_INET6 */
	uint8_t tcp_ipversion;
	uint8_t tcp_plan_bits;
	uint32_t tcp_detached : 1, tcp_issocket : 1, tcp_loopback : 1, tcp_localnet : 1, tcp_active_open : 1,
	    tcp_hard_binding : 1, tcp_rexmit : 1, tcp_flow_stopped : 1, tcp_cork : 1, tcp_fin_sent : 1,
	    tcp_fin_acked : 1, tcp_fin_rcvd : 1, tcp_ordrel_done : 1, tcp_snd_sack_ok : 1, tcp_snd_ts_ok : 1,
	    tcp_snd_ws_ok : 1, tcp_ecn_ok : 1, tcp_zero_win_probe : 1, tcp_port_held : 1, tcp_in_time_wait : 1,
	    tcp_tw_cut : 1, tcp_ka_enabled : 1, tcp_linger : 1, tcp_oobinline : 1, tcp_reuse : 1, tcp_dgram_errind : 1,
	    tcp_debug : 1, tcp_dontroute : 1, tcp_broadcast : 1, tcp_useloopback : 1, tcp_nodelay : 1,
	    tcp_urp_last_valid : 1;
	uint64_t tcp_tw_end; /* a word, so that no load spans both parts */

	uint32_t tcp_eager_in_q : 1, /* its T_CONN_IND went up */
	    tcp_rsrv_pending : 1,    /* tcp_rsrv_input is on its way */
	    tcp_closing : 1,         /* the stream is being closed */
	    tcp_bound_listed : 1,    /* on the list of bound ports */
	    tcp_recovering : 1,      /* in fast recovery */
	    tcp_self_accept : 1;     /* T_CONN_RES came by the acceptor stream itself */
	clock_t_ tcp_last_recv_time;
	clock_t_ tcp_empty_time; /* answers to empty segments, in this tick */
	uint_t tcp_empty_acks;

	/* send side */
	uint32_t tcp_swnd, tcp_max_swnd;
	uint32_t tcp_swl1, tcp_swl2;
	uint32_t tcp_urg;   /* one beyond the last urgent byte sent */
	uint32_t tcp_csuna; /* suna when cwnd last grew by congestion avoidance */
	uint32_t tcp_rexmit_nxt, tcp_rexmit_max;
	uint32_t tcp_cwnd, tcp_cwnd_cnt, tcp_cwnd_ssthresh, tcp_cwnd_max, tcp_init_cwnd;
	uint32_t tcp_snd_burst;
	uint32_t tcp_dupack_cnt;
	uint32_t tcp_mss, tcp_if_mtu;
	uint32_t tcp_last_sent_len;
	uint32_t tcp_naglim;
	int32_t tcp_unsent;
	int32_t tcp_xmit_tail_unsent;
	int32_t tcp_squeue_bytes;
	uint32_t tcp_xmit_hiwater, tcp_xmit_lowater, tcp_recv_hiwater;
	/* sent and unsent data, by b_cont; b_prev is the time it was sent, b_next its sequence number */
	mblk_t *tcp_xmit_head, *tcp_xmit_last, *tcp_xmit_tail;

	/* receive side: messages by b_next */
	mblk_t *tcp_rcv_list;      /* in order, not yet put upstream */
	mblk_t *tcp_rcv_last_head; /* its last message */
	mblk_t *tcp_rcv_last_tail; /* and that message's last block */
	uint32_t tcp_rcv_cnt;
	mblk_t *tcp_reass_head, *tcp_reass_tail; /* out of order, by sequence, which stands in b_prev */
	uint32_t tcp_ofo_fin_seq;
	uint32_t tcp_urp_last; /* sequence number of the last urgent byte announced */

	/* timers: the timer message, NULL when not armed */
	mblk_t *tcp_timer_tid, *tcp_ack_tid, *tcp_push_tid, *tcp_ka_tid, *tcp_linger_tid;
	timeout_id_t tcp_timer_lost; /* tcp_timer_tid could not be allocated: try again */
	uint32_t tcp_timer_backoff;
	uint32_t tcp_ms_we_have_waited;
	int32_t tcp_rto, tcp_rtt_sa, tcp_rtt_sd; /* ms; sa scaled by 8, sd by 4 */
	uint32_t tcp_rtt_update;
	uint32_t tcp_first_timer_threshold, tcp_second_timer_threshold; /* ms */
	uint32_t tcp_first_ctimer_threshold, tcp_second_ctimer_threshold;
	uint32_t tcp_ka_interval, tcp_ka_abort_thres; /* ms */
	int32_t tcp_lingertime;                       /* s */

	/* plan of a replay */
	uint16_t tcp_plan_mss;
	int8_t tcp_plan_ws;
	uint8_t tcp_plan_ts, tcp_plan_sack;
	uint32_t tcp_ipsec_overhead;
	int32_t tcp_client_errno;

	/* listener and eager */
	struct tcp_s *tcp_listener; /* eager: who made it; a reference on its conn is held */
	struct tcp_s *tcp_saved_listener;
	struct tcp_s *tcp_eager_next_q0, *tcp_eager_prev_q0; /* half open: listener is the head of the ring */
	struct tcp_s *tcp_eager_next_q, *tcp_eager_prev_q;   /* established, not accepted: the same */
	struct tcp_s *tcp_eager_last_q;
	struct {
		mblk_t *tcp_eager_conn_ind; /* T_CONN_IND prepared at the SYN */
	} tcp_conn;
	uint32_t tcp_conn_req_cnt_q0, tcp_conn_req_cnt_q, tcp_conn_req_max;
	uint32_t tcp_conn_req_seqnum;

	/* who */
	uint32_t tcp_acceptor_id; /* slot in the table of identities = minor number of the stream */
	pid_t tcp_cpid;
	cred_t *tcp_cred;
	struct tcp_s *tcp_bind_next, **tcp_bind_ptpn;
	kcondvar_t *tcp_closewait; /* a lingering close sleeps here */
	bufcall_id_t tcp_rsrv_bufcall;
	mblk_t tcp_closemp; /* enters the squeue for a close, which must not fail */
} tcp_t;
#define TCP_TW_SIZE offsetof(tcp_t, tcp_tw_end)

#define tcp_lport tcp_connp->conn_lport
#define tcp_fport tcp_connp->conn_fport
#define tcp_ports tcp_connp->conn_ports
#define tcp_remote tcp_connp->conn_rem
#define tcp_ip_src tcp_connp->conn_src
#define tcp_ipha(tcp) ((struct ipha_s *)(void *)(tcp)->tcp_iphc)
#define tcp_tcph(tcp) ((tcph_t *)(void *)((tcp)->tcp_iphc + (tcp)->tcp_ip_hdr_len))
#define tcp_pipe tcp_sack_info->tcp_pipe
#define tcp_fack tcp_sack_info->tcp_fack
#define tcp_sack_snxt tcp_sack_info->tcp_sack_snxt
#define tcp_max_sack_blk tcp_sack_info->tcp_max_sack_blk
#define tcp_num_sack_blk tcp_sack_info->tcp_num_sack_blk
#define tcp_sack_list tcp_sack_info->tcp_sack_list
#define tcp_notsack_list tcp_sack_info->tcp_notsack_list
#define tcp_num_notsack_blk tcp_sack_info->tcp_num_notsack_blk
#define tcp_cnt_notsack_list tcp_sack_info->tcp_cnt_notsack_list
#define TCP_IS_DETACHED(tcp) ((tcp)->tcp_detached)

/* ---- what IP calls ---- */

/* squeue handlers: arg is the conn_t, arg2 the squeue_t; mp is a segment from its IP header on. */
void tcp_rput_data(void *arg, mblk_t *mp, void *arg2);
void tcp_input(void *arg, mblk_t *mp, void *arg2);
/*
 * Input handler of a listener, for SYNs only (DB_RECVIF(mp) says by which interface it came).
 */
void tcp_conn_request(void *arg, mblk_t *mp, void *arg2);
/* The same for a listener that has no squeue yet: gives it one. */
void tcp_conn_request_unbound(void *arg, mblk_t *mp, void *arg2);

/*
 * A segment nobody listens to: answered with a reset, or not (RFC 793 p. 36);
 * mp (from the IP header on, ip_hdr_len bytes of it) is consumed.
 */
void tcp_xmit_listeners_reset(mblk_t *mp, uint_t ip_hdr_len);

/* The write queue resets without a connection leave by (tcp_g_q of Solaris); NULL before the first open. */
extern KLOCAL queue_t *tcp_g_q;

/*
 * ICMP errors for a connection come as an M_CTL whose data is the ICMP packet
 * from its outer IP header on, through the conn's squeue to tcp_input.
 */

/* Called by ipcl_conn_destroy when the last reference of a TCP conn is gone. */
void tcp_free(tcp_t *tcp);
tcp_t *tcp_alloc(int kmflags);

/* netstat's view: fills in the counters computed at query time (tcpCurrEstab, tcpInSegs, tcpOutSegs). */
void tcp_snmp_get(void);

/* Tunables (ndd /dev/tcp), with the defaults of Solaris 10. */
extern KLOCAL struct tcp_param {
	uint32_t tcp_time_wait_interval; /* ms */
	uint32_t tcp_conn_req_max_q, tcp_conn_req_max_q0, tcp_conn_req_min;
	uint32_t tcp_cwnd_max, tcp_slow_start_initial, tcp_slow_start_after_idle;
	uint32_t tcp_ip_abort_interval, tcp_ip_abort_cinterval, tcp_ip_abort_linterval; /* ms */
	uint32_t tcp_ip_notify_interval, tcp_ip_notify_cinterval;                       /* ms */
	uint32_t tcp_ipv4_ttl;
	uint32_t tcp_keepalive_interval, tcp_keepalive_abort_interval; /* ms */
	uint32_t tcp_mss_def_ipv4, tcp_mss_min, tcp_mss_max_ipv4;
	uint32_t tcp_naglim_def;
	uint32_t tcp_xmit_hiwat, tcp_xmit_lowat, tcp_recv_hiwat, tcp_recv_hiwat_minmss, tcp_max_buf;
	uint32_t tcp_fin_wait_2_flush_interval; /* ms */
	uint32_t tcp_wroff_xtra;
	uint32_t tcp_deferred_ack_interval, tcp_local_dack_interval, tcp_deferred_acks_max, tcp_local_dacks_max;
	uint32_t tcp_dupack_fast_retransmit;
	uint32_t tcp_rexmit_interval_initial, tcp_rexmit_interval_min, tcp_rexmit_interval_max,
	    tcp_rexmit_interval_extra; /* ms */
	uint32_t tcp_wscale_always, tcp_tstamp_always, tcp_tstamp_if_wscale, tcp_sack_permitted, tcp_ecn_permitted;
	uint32_t tcp_push_timer_interval; /* ms */
	uint32_t tcp_rst_sent_rate;       /* per second; 0 = no limit */
	uint32_t tcp_smallest_anon_port, tcp_largest_anon_port;
} tcp_param;

#endif
