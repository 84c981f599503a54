/* What the files of TCP share and nobody else needs. */
#ifndef STRSIM_TCP_IMPL_H
#define STRSIM_TCP_IMPL_H

#include "ip/tcp.h"
#include "ip/ip.h"
#include "ip/tcp_repair.h"
#include "sys/errno.h"
#include "sys/in.h"
#include "sys/socket.h"
#include "sys/tihdr.h"
#include "sys/tiuser.h"

/* The IPv6 socket address as it stands in TPI messages (sin6_t of Solaris). */
typedef struct tcp_sin6 {
	uint16_t sin6_family;
	in_port_t sin6_port;
	uint32_t sin6_flowinfo;
	in6_addr_t sin6_addr;
	uint32_t sin6_scope_id;
	uint32_t sin6_src_id;
} tcp_sin6_t;

#define Q_TO_CONN(q) ((conn_t *)(q)->q_ptr)
/* The queue a segment of this connection is sent by. */
#define TCP_WQ(tcp) ((tcp)->tcp_wq != NULL ? (tcp)->tcp_wq : tcp_g_q)
/* TCP header of a packet. */
#define TCPH_OF(mp) ((tcph_t *)(void *)((mp)->b_rptr + IPH_HDR_LENGTH((mp)->b_rptr)))
#define MSEC_TO_TICK(ms) ((clock_t_)(ms) / (1000 / HZ))
#define TICK_TO_MSEC(t) ((t) * (1000 / HZ))
#define TCP_TSVAL(tcp) ((uint32_t)ddi_get_lbolt() + (tcp)->tcp_tsval_base)

#define BE16_GET(p) ((uint32_t)((p)[0] << 8 | (p)[1]))
#define BE32_GET(p) ((uint32_t)(p)[0] << 24 | (uint32_t)(p)[1] << 16 | (uint32_t)(p)[2] << 8 | (uint32_t)(p)[3])
#define BE16_PUT(p, v) ((p)[0] = (uint8_t)((v) >> 8), (p)[1] = (uint8_t)(v))
#define BE32_PUT(p, v)                                                                               \
	((p)[0] = (uint8_t)((v) >> 24), (p)[1] = (uint8_t)((v) >> 16), (p)[2] = (uint8_t)((v) >> 8), \
	 (p)[3] = (uint8_t)(v))

#define TCP_CWND_INFINITE 65535U /* segments a burst may have */
#define TCP_CWND_SS 3U
#define TCP_CWND_NORMAL 5U
#define PAWS_TIMEOUT_TICKS (24L * 24 * 60 * 60 * HZ)

/* Congestion window as it limits: not at all for a replayed connection. */
#define TCP_FREE(tcp) ((tcp)->tcp_plan_bits & TCP_PLAN_FREE)
/* The peer's window, unless a replay knows better. */
#define TCP_PEERWND(tcp) ((tcp)->tcp_plan_bits & TCP_PLAN_OPEN ? 0x3fffffffU : (tcp)->tcp_swnd)
#define TCP_SENDWND(tcp) (TCP_FREE(tcp) ? TCP_PEERWND(tcp) : MIN((tcp)->tcp_swnd, (tcp)->tcp_cwnd))

/* State changes are traced. */
#define TCP_SET_STATE(tcp, new)                                                                    \
	do {                                                                                       \
		int tcp_old_state = (tcp)->tcp_state;                                              \
		DTRACE_PROBE3(tcp__state__change, tcp_t *, (tcp), int, tcp_old_state, int, (new)); \
		(tcp)->tcp_state = (new);                                                          \
		TCP_PROBE_STATE((tcp), tcp_old_state);                                             \
	} while (0)

/* Options of a received header. */
typedef struct tcp_opt {
	uint32_t tcp_opt_mss;
	uint32_t tcp_opt_wscale;
	uint32_t tcp_opt_ts_val, tcp_opt_ts_ecr;
	int sack_cnt;
	sack_blk_t sack[MAX_SACK_BLK];
} tcp_opt_t;
#define TCP_OPT_MSS_PRESENT 1
#define TCP_OPT_WSCALE_PRESENT 2
#define TCP_OPT_TSTAMP_PRESENT 4
#define TCP_OPT_SACK_OK_PRESENT 8
#define TCP_OPT_SACK_PRESENT 16

/* tcp.c */
int tcp_wput(queue_t *q, mblk_t *mp);
int tcp_wput_sock(queue_t *q, mblk_t *mp);
int tcp_rsrv(queue_t *q);
void tcp_output(void *arg, mblk_t *mp, void *arg2);
void tcp_wput_proto(void *arg, mblk_t *mp, void *arg2);
void tcp_init_values(tcp_t *tcp);
void tcp_init_header(tcp_t *tcp);
void tcp_hdr_addrs(tcp_t *tcp);
int tcp_clean_death(tcp_t *tcp, int err);
void tcp_closei_local(tcp_t *tcp);
void tcp_close_detached(tcp_t *tcp);
void tcp_reinit(tcp_t *tcp);
void tcp_free_lists(tcp_t *tcp);
void tcp_timers_stop(tcp_t *tcp);
uint32_t tcp_id_alloc(tcp_t *tcp);
void tcp_id_free(uint32_t id);
tcp_t *tcp_id_find(uint32_t id);
void tcp_id_set(uint32_t id, tcp_t *tcp);
void tcp_setqfull(tcp_t *tcp);
void tcp_clrqfull(tcp_t *tcp);
extern struct qinit tcp_winit;

/* tcp_bind.c */
int tcp_bind_port(tcp_t *tcp, ipaddr_t addr, in_port_t port, boolean_t other_ok);
void tcp_bind_hold(tcp_t *tcp, in_port_t port);
void tcp_bind_listed(tcp_t *tcp);
void tcp_bind_unlisted(tcp_t *tcp);
void tcp_bind_release(tcp_t *tcp);
void tcp_bind(tcp_t *tcp, mblk_t *mp);
void tcp_unbind(tcp_t *tcp, mblk_t *mp);
boolean_t tcp_addr_get(tcp_t *tcp, mblk_t *mp, t_scalar_t off, t_scalar_t len, ipaddr_t *addr, in_port_t *port);
uint_t tcp_addr_len(const tcp_t *tcp);
void tcp_addr_put(const tcp_t *tcp, uchar_t *p, ipaddr_t addr, in_port_t port);

/* tcp_tpi.c */
int tcp_tpistate(const tcp_t *tcp);
void tcp_capability_req(tcp_t *tcp, mblk_t *mp);
void tcp_info_req(tcp_t *tcp, mblk_t *mp);
void tcp_addr_req(tcp_t *tcp, mblk_t *mp);
void tcp_err_ack(tcp_t *tcp, mblk_t *mp, int t_error, int sys_error);
void tcp_ok_ack(queue_t *wq, mblk_t *mp);
void tcp_connect(tcp_t *tcp, mblk_t *mp);
void tcp_conn_con(tcp_t *tcp);
void tcp_disconnect(tcp_t *tcp, mblk_t *mp);
void tcp_accept(tcp_t *listener, mblk_t *mp);
void tcp_wput_accept(queue_t *q, mblk_t *mp);
void tcp_accept_finish(void *arg, mblk_t *mp, void *arg2);
void tcp_send_conn_ind(void *arg, mblk_t *mp, void *arg2);
void tcp_eager_cleanup(tcp_t *listener);
void tcp_eager_unlink(tcp_t *tcp);
void tcp_discon_ind(tcp_t *tcp, int reason, uint32_t seqnum);
int tcp_eager_blowoff(tcp_t *listener, uint32_t seqnum);
void tcp_sth_options(tcp_t *tcp);
int tcp_route(tcp_t *tcp, ipaddr_t *laddr, ipaddr_t faddr);
boolean_t tcp_conn_set(tcp_t *tcp, ipaddr_t laddr, ipaddr_t faddr, in_port_t fport, int *errorp);

/* tcp_opt.c */
void tcp_optmgmt_req(tcp_t *tcp, mblk_t *mp);
void tcp_opt_inherit(const tcp_t *listener, tcp_t *tcp);
void tcp_plan_apply(tcp_t *tcp, uint_t ifindex);

/* tcp_output.c */
void tcp_send_data(tcp_t *tcp, queue_t *q, mblk_t *mp);
void tcp_wput_data(tcp_t *tcp, mblk_t *mp, boolean_t urgent);
mblk_t *tcp_xmit_mp(tcp_t *tcp, mblk_t *mp, int32_t max_to_send, uint32_t seq, boolean_t rexmit, uint32_t *seg_len);
mblk_t *tcp_ack_mp(tcp_t *tcp);
void tcp_xmit_ctl(const char *str, tcp_t *tcp, uint32_t seq, uint32_t ack, int ctl);
void tcp_xmit_end(tcp_t *tcp);
void tcp_xmit_early_reset(const char *str, mblk_t *mp, uint32_t seq, uint32_t ack, int ctl, uint_t ip_hdr_len);
mblk_t *tcp_xmit_find(tcp_t *tcp, uint32_t seq, uint32_t *offset);
void tcp_ss_rexmit(tcp_t *tcp);
void tcp_tail_advance(tcp_t *tcp, uint32_t len);
void tcp_mss_set(tcp_t *tcp, uint32_t mss);
void tcp_set_ws_value(tcp_t *tcp);
void tcp_xmit_free(tcp_t *tcp);

/* tcp_input.c */
void tcp_rput_common(tcp_t *tcp, mblk_t *mp);
uint_t tcp_rcv_drain(queue_t *q, tcp_t *tcp);
void tcp_rcv_enqueue(tcp_t *tcp, mblk_t *mp, uint_t seg_len);
void tcp_rsrv_input(void *arg, mblk_t *mp, void *arg2);
void tcp_rwnd_set(tcp_t *tcp, uint32_t rwnd);
void tcp_tstamp_header(tcp_t *tcp);
int tcp_parse_options(const tcph_t *tcph, tcp_opt_t *opt);
void tcp_process_options(tcp_t *tcp, const tcph_t *tcph);
void tcp_repair_rcv(tcp_t *tcp, uint32_t seq);
void tcp_repair_snd(tcp_t *tcp, uint32_t seq);
void tcp_icmp_error(tcp_t *tcp, mblk_t *mp);
void tcp_ordrel_up(tcp_t *tcp);
uint32_t tcp_iss_get(void);
void tcp_acked(tcp_t *tcp, uint32_t bytes);

/* tcp_timers.c */
mblk_t *tcp_timeout(conn_t *connp, void (*func)(void *), clock_t_ ticks);
void tcp_timeout_cancel(mblk_t **idp);
void tcp_timer(void *arg);
void tcp_ack_timer(void *arg);
void tcp_push_timer(void *arg);
void tcp_keepalive_killer(void *arg);
void tcp_set_rto(tcp_t *tcp, int32_t ms);
void tcp_timer_restart(tcp_t *tcp, uint32_t ms);
void tcp_ka_start(tcp_t *tcp);
void tcp_time_wait_append(tcp_t *tcp);
void tcp_time_wait_remove(tcp_t *tcp);
void tcp_time_wait_enter(tcp_t *tcp);
void tcp_time_wait_stop(void);

/* tcp_sack.c */
boolean_t tcp_sack_alloc(tcp_t *tcp);
void tcp_sack_free(tcp_t *tcp);
void tcp_sack_insert(tcp_t *tcp, uint32_t begin, uint32_t end);
void tcp_sack_remove(tcp_t *tcp, uint32_t ack);
void tcp_notsack_update(tcp_t *tcp, uint32_t ack, const tcp_opt_t *opt);
void tcp_notsack_clear(tcp_t *tcp);
void tcp_sack_rxmit(tcp_t *tcp, uint_t *flags);
boolean_t tcp_notsack_pending(tcp_t *tcp, uint32_t *begin, uint32_t *end);

#endif
