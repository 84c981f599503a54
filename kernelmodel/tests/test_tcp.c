/* TCP: handshake, data, acknowledgement policy, windows, closing, resets (RFC 793, RFC 1122; defaults of Solaris 10). */
#include "tcptest.h"

TCP_SUITE(tcp);

/* ---- connection ---- */

Test(tcp, connect_active)
{
	tt_sock_t *so = tt_open();
	const tt_seg_t *s;
	static const uint8_t opt[] = {2, 4, 5, 0xb4, 1, 3, 3, 0, 1, 1, 4, 2};

	tt_conn_req(so, TT_PEER, 80);
	tt_eat(so, T_OK_ACK);
	s = tt_next();
	cr_assert_eq(s->flags, TH_SYN);
	cr_assert_eq(s->dport, 80);
	cr_assert_eq(s->sport, 32768);
	cr_assert_eq(s->src, TT_HOST);
	cr_assert_eq(s->len, 0);
	cr_assert_eq(s->optlen, sizeof(opt));
	cr_assert_arr_eq(s->opt, opt, sizeof(opt));
	cr_assert_eq(tt_tcp(so)->tcp_state, TCPS_SYN_SENT);
	cr_assert_eq(tt_mib("tcpActiveOpens"), 1);
	tt_close(so);
	cr_assert_eq(tt_mib("tcpAttemptFails"), 1);
}

Test(tcp, connect_established)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect(so);
	tcp_t *tcp = tt_tcp(so);

	cr_assert_eq(tcp->tcp_state, TCPS_ESTABLISHED);
	cr_assert_eq(tcp->tcp_mss, 1460);
	cr_assert_eq(tcp->tcp_rwnd, 34 * 1460); /* 49152 rounded up */
	cr_assert_eq(tcp->tcp_cwnd, 4380);
	cr_assert_eq(tcp->tcp_rack_abs_max, 8);
	cr_assert_eq(tcp->tcp_rto, 3375);
	cr_assert_eq(tcp->tcp_localnet, 1);
	cr_assert_eq(tcp->tcp_snd_ws_ok, 0);
	cr_assert_eq(tcp->tcp_snd_sack_ok, 0);
	tt_quiet();
	tt_inject(&p, TH_RST, p.snxt, 0, NULL, 0);
	mblk_t *mp = tt_prim(so, T_DISCON_IND);
	cr_assert_eq(((struct T_discon_ind *)(void *)mp->b_rptr)->DISCON_reason, ECONNRESET);
	freemsg(mp);
	cr_assert_eq(tt_mib("tcpEstabResets"), 1);
	cr_assert_eq(tcp->tcp_state, TCPS_BOUND);
	tt_close(so);
}

Test(tcp, connect_refused)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = {.addr = TT_PEER, .host = TT_HOST, .port = 80, .win = 0};
	const tt_seg_t *s;

	tt_conn_req(so, TT_PEER, 80);
	tt_eat(so, T_OK_ACK);
	s = tt_next();
	p.hport = s->sport;
	/* A reset with a wrong acknowledgement is nobody's. */
	tt_inject(&p, TH_RST | TH_ACK, 0, s->seq, NULL, 0);
	cr_assert(tt_idle(so));
	tt_inject(&p, TH_RST | TH_ACK, 0, s->seq + 1, NULL, 0);
	mblk_t *mp = tt_prim(so, T_DISCON_IND);
	cr_assert_eq(((struct T_discon_ind *)(void *)mp->b_rptr)->DISCON_reason, ECONNREFUSED);
	freemsg(mp);
	tt_quiet();
	/* The stream can try again. */
	tt_conn_req(so, TT_PEER, 81);
	tt_eat(so, T_OK_ACK);
	cr_assert_eq(tt_next()->dport, 81);
	tt_close(so);
}

Test(tcp, connect_times_out)
{
	tt_sock_t *so = tt_open();
	uint_t n = 0;

	tt_conn_req(so, TT_PEER, 80);
	tt_eat(so, T_OK_ACK);
	(void)tt_next();
	/* 3370 ms in ticks, and the worker 10 ms later. */
	st_ticks(337);
	tt_quiet();
	st_ticks(2);
	cr_assert_eq(tt_next()->flags, TH_SYN);
	machine_run(machine_now() + 300LL * 1000000000LL);
	for (; tt_taken < tt_nsent; n++)
		cr_assert_eq(tt_next()->flags, TH_SYN);
	/* 3.375 + 6.75 + 13.5 + 27 + 54 + 60 > 180 s after the seventh timer: five more. */
	cr_assert_eq(n, 5);
	mblk_t *mp = tt_prim(so, T_DISCON_IND);
	cr_assert_eq(((struct T_discon_ind *)(void *)mp->b_rptr)->DISCON_reason, ETIMEDOUT);
	freemsg(mp);
	tt_close(so);
}

Test(tcp, connect_no_route)
{
	tt_sock_t *so = tt_open();

	tt_conn_req(so, TT_NOBODY, 80);
	tt_error(so, TSYSERR, ENETUNREACH);
	tt_conn_req(so, htonl(0xe0000001U), 80);
	tt_error(so, TSYSERR, ENETUNREACH);
	tt_conn_req(so, TT_PEER, 0);
	tt_error(so, TBADADDR, 0);
	tt_close(so);
	tt_quiet();
}

Test(tcp, simultaneous_open)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = {.addr = TT_PEER, .host = TT_HOST, .port = 80, .win = 8192, .opt = tt_mss_opt, .optlen = 4};
	const tt_seg_t *s;
	uint32_t iss;

	tt_conn_req(so, TT_PEER, 80);
	tt_eat(so, T_OK_ACK);
	s = tt_next();
	iss = s->seq;
	p.hport = s->sport;
	tt_inject(&p, TH_SYN, TT_ISN, 0, NULL, 0);
	tt_expect(TH_SYN | TH_ACK, iss, TT_ISN + 1, 0);
	cr_assert_eq(tt_tcp(so)->tcp_state, TCPS_SYN_RCVD);
	tt_inject(&p, TH_SYN | TH_ACK, TT_ISN, iss + 1, NULL, 0);
	cr_assert_eq(tt_tcp(so)->tcp_state, TCPS_ESTABLISHED);
	tt_eat(so, T_CONN_CON);
	tt_close(so);
	tt_settle();
}

Test(tcp, passive)
{
	tt_sock_t *lso = tt_listen(80, 5), *so;
	tt_peer_t p;

	so = tt_passive(lso, 80, 5000, &p);
	cr_assert_eq(tt_tcp(so)->tcp_state, TCPS_ESTABLISHED);
	cr_assert_eq(tt_mib("tcpPassiveOpens"), 1);
	tt_send(&p, TH_PUSH, "hello");
	tt_data(so, "hello");
	tt_write(so, "answer");
	tt_close(so);
	tt_close(lso);
	tt_settle();
}

/* Data and even the FIN that come before the accept are delivered after it. */
Test(tcp, data_before_accept)
{
	tt_sock_t *lso = tt_listen(80, 5), *so;
	tt_peer_t p = tt_syn(80, 5000, tt_mss_opt, 4);

	tt_inject(&p, TH_ACK | TH_PUSH, p.snxt, p.rnxt, "early", 5);
	p.snxt += 5;
	tt_send(&p, TH_FIN, "");
	int32_t seq = tt_conn_ind(lso);
	cr_assert(tt_idle(lso));
	so = tt_accept(seq);
	tt_data(so, "early");
	tt_eat(so, T_ORDREL_IND);
	cr_assert_eq(tt_tcp(so)->tcp_state, TCPS_CLOSE_WAIT);
	tt_close(so);
	tt_close(lso);
	tt_settle();
}

/* T_CONN_RES by the listener's stream (TLI). */
Test(tcp, accept_by_listener)
{
	tt_sock_t *lso = tt_listen(80, 5), *so = tt_open();
	tt_peer_t p = tt_syn(80, 5000, tt_mss_opt, 4);
	uint32_t id = tt_tcp(so)->tcp_acceptor_id;

	tt_ack(&p, p.rnxt);
	int32_t seq = tt_conn_ind(lso);
	tt_conn_res(lso, 9999, seq);
	tt_error(lso, TBADF, 0);
	tt_conn_res(lso, id, seq + 1);
	tt_error(lso, TBADSEQ, 0);
	tt_conn_res(lso, id, seq);
	tt_eat(lso, T_OK_ACK);
	tt_send(&p, TH_PUSH, "x");
	tt_data(so, "x");
	cr_assert_eq(tt_tcp(so)->tcp_acceptor_id, id);
	tt_close(so);
	tt_close(lso);
	tt_settle();
}

Test(tcp, listener_overflow)
{
	tt_sock_t *lso = tt_listen(80, 2);
	tt_peer_t p;

	for (uint16_t i = 0; i < 2; i++) {
		p = tt_syn(80, (uint16_t)(5000 + i), tt_mss_opt, 4);
		tt_ack(&p, p.rnxt);
	}
	p = (tt_peer_t){.addr = TT_PEER, .host = TT_HOST, .port = 6000, .hport = 80, .win = 1000};
	tt_taken = tt_nsent;
	tt_inject(&p, TH_SYN, 1, 0, NULL, 0);
	tt_quiet();
	cr_assert_eq(tt_mib("tcpListenDrop"), 1);
	tt_close(lso);
	/* Both that nobody accepted were reset. */
	cr_assert_eq(tt_next()->flags & TH_RST, TH_RST);
	cr_assert_eq(tt_next()->flags & TH_RST, TH_RST);
	tt_quiet();
}

Test(tcp, half_open_overflow)
{
	tt_sock_t *lso = tt_listen(80, 2);

	tcp_param.tcp_conn_req_max_q0 = 3;
	for (uint16_t i = 0; i < 6; i++)
		(void)tt_syn(80, (uint16_t)(5000 + i), tt_mss_opt, 4);
	cr_assert_eq(tt_tcp(lso)->tcp_conn_req_cnt_q0, 5);
	cr_assert_eq(tt_mib("tcpHalfOpenDrop"), 1);
	tt_close(lso);
}

/* The peer gives up a connection that was indicated. */
Test(tcp, eager_reset)
{
	tt_sock_t *lso = tt_listen(80, 2);
	tt_peer_t p = tt_syn(80, 5000, tt_mss_opt, 4);
	int32_t seq;

	tt_ack(&p, p.rnxt);
	seq = tt_conn_ind(lso);
	tt_inject(&p, TH_RST, p.snxt, 0, NULL, 0);
	mblk_t *mp = tt_prim(lso, T_DISCON_IND);
	struct T_discon_ind *tdi = (struct T_discon_ind *)(void *)mp->b_rptr;
	cr_assert_eq(tdi->SEQ_number, seq);
	cr_assert_eq(tdi->DISCON_reason, ECONNRESET);
	freemsg(mp);
	tt_conn_res(lso, 0, seq);
	tt_error(lso, TBADSEQ, 0);
	cr_assert_eq(tt_tcp(lso)->tcp_conn_req_cnt_q, 0);
	tt_close(lso);
}

Test(tcp, eager_refused)
{
	tt_sock_t *lso = tt_listen(80, 2);
	tt_peer_t p = tt_syn(80, 5000, tt_mss_opt, 4);

	tt_ack(&p, p.rnxt);
	tt_discon_req(lso, tt_conn_ind(lso));
	tt_eat(lso, T_OK_ACK);
	tt_expect(TH_RST, p.rnxt, 0, 0);
	tt_close(lso);
}

Test(tcp, syn_ack_lost)
{
	tt_sock_t *lso = tt_listen(80, 2);
	tt_peer_t p = tt_syn(80, 5000, tt_mss_opt, 4);

	tt_inject(&p, TH_SYN, TT_ISN, 0, NULL, 0);
	tt_expect(TH_SYN | TH_ACK, p.rnxt - 1, TT_ISN + 1, 0);
	st_ticks(339);
	tt_expect(TH_SYN | TH_ACK, p.rnxt - 1, TT_ISN + 1, 0);
	/* A wrong acknowledgement is answered with a reset of its own number. */
	tt_inject(&p, TH_ACK, TT_ISN + 1, p.rnxt + 1, NULL, 0);
	tt_expect(TH_RST, p.rnxt + 1, 0, 0);
	tt_ack(&p, p.rnxt);
	(void)tt_conn_ind(lso);
	tt_close(lso);
	tt_settle();
}

/* ---- stacks (section 21) ---- */

Test(tcp, stacks)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect(so);

	tt_write(so, "x");
	cr_assert(strstr(tt_next()->callers,
			 "putnext < tcp_send_data < tcp_output < squeue_enter < tcp_wput < putnext < ") != NULL);
	tt_ack(&p, p.rnxt + 1);
	tt_send(&p, TH_PUSH, "y");
	tt_data(so, "y");
	cr_assert(strstr(so->callers, "putnext < tcp_rput_data < squeue_enter < ip_tcp_input") != NULL, "%s",
		  so->callers);
	cr_assert(strstr(tt_next()->callers, "putnext < tcp_send_data < tcp_rput_data < squeue_enter < ip_tcp_input") !=
		  NULL);
	tt_send(&p, TH_PUSH, "y");
	(void)tt_next();
	tt_send(&p, TH_PUSH, "y");
	tt_quiet();
	st_ticks(7);
	cr_assert(strstr(tt_next()->callers,
			 "putnext < tcp_send_data < tcp_ack_timer < tcp_timer_handler < squeue_drain < "
			 "squeue_worker") != NULL);
	tt_close(so);
	tt_settle();
}

/* An AF_INET6 socket takes the general branch and the slow path. */
Test(tcp, stacks_v6)
{
	tt_sock_t *so = tt_open_dev("tcp6");
	uchar_t sin6[32] = {26, 0, 0, 80};
	mblk_t *mp = tt_tpi(T_CONN_REQ, sizeof(struct T_conn_req) + sizeof(sin6));
	struct T_conn_req *tcr = (struct T_conn_req *)(void *)mp->b_rptr;
	tt_peer_t p = {.addr = TT_PEER, .host = TT_HOST, .port = 80, .win = 8192, .opt = tt_mss_opt, .optlen = 4};
	const tt_seg_t *s;
	ipaddr_t peer = TT_PEER;

	sin6[18] = sin6[19] = 0xff;
	memcpy(sin6 + 20, &peer, 4);
	memcpy(tcr + 1, sin6, sizeof(sin6));
	tcr->DEST_length = sizeof(sin6);
	tcr->DEST_offset = sizeof(*tcr);
	tt_down(so, mp);
	tt_eat(so, T_OK_ACK);
	s = tt_next();
	cr_assert(strstr(s->callers, "putnext < ip_wput_ire < ip_output < tcp_send_data") != NULL, "%s", s->callers);
	p.hport = s->sport;
	p.rnxt = s->seq + 1;
	p.snxt = TT_ISN + 1;
	tt_inject(&p, TH_SYN | TH_ACK, TT_ISN, p.rnxt, NULL, 0);
	(void)tt_next();
	tt_eat(so, T_CONN_CON);
	p.optlen = 0;
	tt_send(&p, TH_PUSH, "y");
	tt_data(so, "y");
	cr_assert(strstr(so->callers, "putnext < tcp_rput_data < tcp_input < squeue_enter < ip_tcp_input") != NULL,
		  "%s", so->callers);
	tt_close(so);
	tt_settle();
}

/* ---- acknowledgements (12.7) ---- */

Test(tcp, ack_first_segments_at_once)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect(so);
	tcp_t *tcp = tt_tcp(so);

	tt_send(&p, TH_PUSH, "one");
	tt_expect(TH_ACK, p.rnxt, p.snxt, 0);
	cr_assert_eq(tcp->tcp_rack_cur_max, 1);
	tt_send(&p, TH_PUSH, "two");
	tt_expect(TH_ACK, p.rnxt, p.snxt, 0);
	cr_assert_eq(tcp->tcp_rack_cur_max, 2);
	/* From now on a single small segment is delayed: 50 ms on the link, and the worker 10 ms more. */
	tt_send(&p, TH_PUSH, "three");
	tt_quiet();
	st_ticks(5);
	tt_quiet();
	st_ticks(2);
	tt_expect(TH_ACK, p.rnxt, p.snxt, 0);
	cr_assert_eq(tt_mib("tcpOutAckDelayed"), 1);
	cr_assert_eq(tt_mib("tcpOutAck"), 4); /* with the handshake's */
	cr_assert_eq(tt_mib("tcpInDataInorderSegs"), 3);
	cr_assert_eq(tt_mib("tcpInDataInorderBytes"), 11);
	tt_close(so);
	tt_settle();
}

static tt_peer_t warm(tt_sock_t *so)
{
	tt_peer_t p = tt_connect(so);

	for (int i = 0; i < 2; i++) {
		tt_send(&p, TH_PUSH, "w");
		tt_data(so, "w");
		(void)tt_next();
	}
	return p;
}

Test(tcp, ack_second_small_segment)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = warm(so);

	tt_send(&p, TH_PUSH, "abc");
	tt_quiet();
	st_ticks(2);
	tt_send(&p, TH_PUSH, "def");
	tt_expect(TH_ACK, p.rnxt, p.snxt, 0);
	cr_assert_eq(tt_tcp(so)->tcp_rack_cur_max, 3);
	/* The timer was cancelled. */
	st_ticks(20);
	tt_quiet();
	cr_assert_eq(tt_mib("tcpOutAckDelayed"), 0);
	/* cur_max is 3 now: two small ones still force it, for the bytes before are no multiple of the MSS. */
	tt_send(&p, TH_PUSH, "abc");
	tt_quiet();
	tt_send(&p, TH_PUSH, "def");
	tt_expect(TH_ACK, p.rnxt, p.snxt, 0);
	cr_assert_eq(tt_tcp(so)->tcp_rack_cur_max, 3);
	tt_close(so);
	tt_settle();
}

Test(tcp, ack_full_segments)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = warm(so);
	char big[1461];

	memset(big, 'a', 1460);
	big[1460] = '\0';
	tt_send(&p, TH_PUSH, big); /* 1 < 2 */
	tt_quiet();
	tt_send(&p, TH_PUSH, big); /* 2 >= 2 */
	tt_expect(TH_ACK, p.rnxt, p.snxt, 0);
	tt_send(&p, TH_PUSH, big);
	tt_send(&p, TH_PUSH, big);
	tt_quiet();
	tt_send(&p, TH_PUSH, big); /* 3 >= 3 */
	tt_expect(TH_ACK, p.rnxt, p.snxt, 0);
	cr_assert_eq(tt_tcp(so)->tcp_rack_cur_max, 4);
	/* Two full ones wait for the timer: the peer sends fewer at a time than we thought. */
	tt_send(&p, TH_PUSH, big);
	tt_send(&p, TH_PUSH, big);
	st_ticks(7);
	tt_expect(TH_ACK, p.rnxt, p.snxt, 0);
	cr_assert_eq(tt_tcp(so)->tcp_rack_cur_max, 2);
	cr_assert_eq(tt_tcp(so)->tcp_rack_abs_max, 7);
	tt_close(so);
	tt_settle();
}

Test(tcp, ack_carried_by_data)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = warm(so);

	tt_send(&p, TH_PUSH, "abc");
	tt_write(so, "xy");
	tt_expect(TH_ACK | TH_PUSH, p.rnxt, p.snxt, 2);
	tt_ack(&p, p.rnxt + 2);
	/* The timer still runs, and finds nothing to do. */
	cr_assert_not_null(tt_tcp(so)->tcp_ack_tid);
	st_ticks(8);
	tt_quiet();
	cr_assert_null(tt_tcp(so)->tcp_ack_tid);
	/* A segment that comes meanwhile is acknowledged by it. */
	tt_send(&p, TH_PUSH, "abc");
	st_ticks(3);
	tt_write(so, "xy");
	tt_expect(TH_ACK | TH_PUSH, p.rnxt, p.snxt, 2);
	tt_ack(&p, p.rnxt + 2);
	tt_send(&p, TH_PUSH, "def");
	st_ticks(4);
	tt_expect(TH_ACK, p.rnxt, p.snxt, 0);
	tt_close(so);
	tt_settle();
}

Test(tcp, ack_off_link)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect_opts(so, TT_FAR, tt_mss_opt, 4, TT_ISN);

	cr_assert_eq(tt_tcp(so)->tcp_localnet, 0);
	cr_assert_eq(tt_tcp(so)->tcp_rack_abs_max, 2);
	for (int i = 0; i < 2; i++) {
		tt_send(&p, TH_PUSH, "w");
		(void)tt_next();
	}
	tt_send(&p, TH_PUSH, "w");
	st_ticks(10);
	tt_quiet();
	st_ticks(2);
	tt_expect(TH_ACK, p.rnxt, p.snxt, 0);
	tt_close(so);
	tt_settle();
}

/* ---- output ---- */

Test(tcp, write_and_ack)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect(so);
	tcp_t *tcp = tt_tcp(so);
	const tt_seg_t *s;

	tt_write(so, "hello");
	s = tt_next();
	cr_assert_eq(s->flags, TH_ACK | TH_PUSH);
	cr_assert_eq(s->len, 5);
	cr_assert_arr_eq(s->data, "hello", 5);
	cr_assert(s->fast);
	cr_assert_eq(s->win, 34 * 1460);
	cr_assert_eq(tcp->tcp_snxt - tcp->tcp_suna, 5);
	cr_assert_not_null(tcp->tcp_timer_tid);
	tt_ack(&p, p.rnxt + 5);
	cr_assert_null(tcp->tcp_timer_tid);
	cr_assert_null(tcp->tcp_xmit_head);
	cr_assert_eq(tt_mib("tcpOutDataSegs"), 1);
	cr_assert_eq(tt_mib("tcpOutDataBytes"), 5);
	cr_assert_eq(tt_mib("tcpInAckSegs"), 1);
	cr_assert_eq(tt_mib("tcpInAckBytes"), 5);
	cr_assert_eq(tt_mib("ipOutRequests"), 3);
	/* Measured 0 ms: sa 12000 - 1500, sv 1500 + 1500 - 375, RTO sa/8 + sv + sa/32. */
	cr_assert_eq(tcp->tcp_rtt_sa, 10500);
	cr_assert_eq(tcp->tcp_rtt_sd, 2625);
	cr_assert_eq(tcp->tcp_rto, 1312 + 2625 + 328);
	tt_close(so);
	tt_settle();
}

Test(tcp, nagle)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect(so);

	tt_write(so, "a");
	(void)tt_next();
	tt_write(so, "b");
	tt_write(so, "c");
	tt_quiet();
	tt_ack(&p, p.rnxt + 1);
	tt_expect(TH_ACK | TH_PUSH, p.rnxt, p.snxt, 2);
	tt_setopt(so, IPPROTO_TCP, TCP_NODELAY, 1);
	tt_write(so, "d");
	tt_expect(TH_ACK | TH_PUSH, p.rnxt + 2, p.snxt, 1);
	tt_write(so, "e");
	tt_expect(TH_ACK | TH_PUSH, p.rnxt + 3, p.snxt, 1);
	tt_close(so);
	tt_settle();
}

Test(tcp, segments_and_cwnd)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect_opts(so, TT_FAR, tt_mss_opt, 4, TT_ISN);
	static char buf[14600];
	uint_t n;

	tt_write_n(so, buf, sizeof(buf));
	/* cwnd 4380 = 3 segments, none of them the last: no PSH. */
	for (uint_t i = 0; i < 3; i++)
		tt_expect(TH_ACK, p.rnxt + i * 1460, p.snxt, 1460);
	tt_quiet();
	tt_ack(&p, p.rnxt + 2920);
	/* Slow start: cwnd 5840; 1460 under way: three more. */
	for (n = 0; tt_taken < tt_nsent; n++)
		cr_assert_eq(tt_next()->len, 1460);
	cr_assert_eq(n, 3);
	tt_ack(&p, p.rnxt + 4 * 1460);
	for (n = 0; tt_taken < tt_nsent; n++)
		cr_assert_eq(tt_next()->len, 1460);
	cr_assert_eq(n, 4);
	cr_assert_eq(tt_segs[tt_nsent - 1].flags, TH_ACK | TH_PUSH);
	cr_assert_eq(tt_mib("tcpOutDataSegs"), 10);
	tt_ack(&p, tt_tcp(so)->tcp_snxt);
	cr_assert_eq(tt_tcp(so)->tcp_unsent, 0);
	tt_close(so);
	tt_settle();
}

/* The peer's window limits; the update sets the rest free. */
Test(tcp, peer_window)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect(so);
	static char buf[4000];

	p.win = 2000;
	tt_ack(&p, p.rnxt);
	cr_assert_eq(tt_mib("tcpInWinUpdate"), 0); /* a smaller window at the same place is not believed */
	cr_assert_eq(tt_tcp(so)->tcp_swnd, 32768);
	tt_send(&p, TH_PUSH, "z");
	(void)tt_next();
	tt_ack(&p, p.rnxt);
	cr_assert_eq(tt_tcp(so)->tcp_swnd, 2000);
	tt_write_n(so, buf, sizeof(buf));
	tt_expect(TH_ACK, p.rnxt, p.snxt, 1460);
	tt_quiet(); /* 540 bytes of window are not worth a segment */
	p.win = 32768;
	tt_ack(&p, p.rnxt + 1460);
	tt_expect(TH_ACK, p.rnxt, p.snxt, 1460);
	tt_expect(TH_ACK | TH_PUSH, p.rnxt + 1460, p.snxt, 1080);
	tt_close(so);
	tt_settle();
}

Test(tcp, flow_control_down)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect(so);
	static char buf[32768];

	tt_write_n(so, buf, sizeof(buf));
	cr_assert(canputnext(so->stp->sd_wrq));
	tt_write_n(so, buf, sizeof(buf));
	/* 65536 - 4380 bytes unsent are more than 49152. */
	cr_assert_not(canputnext(so->stp->sd_wrq));
	for (int i = 0; i < 60; i++)
		tt_ack(&p, tt_tcp(so)->tcp_snxt);
	cr_assert_eq(tt_tcp(so)->tcp_unsent, 0);
	cr_assert(canputnext(so->stp->sd_wrq));
	cr_assert_eq(tt_mib("tcpOutDataBytes"), 65536);
	tt_close(so);
	tt_settle();
}

/* ---- input ---- */

Test(tcp, out_of_order)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect(so);

	tt_inject(&p, TH_ACK | TH_PUSH, p.snxt + 3, p.rnxt, "def", 3);
	tt_expect(TH_ACK, p.rnxt, p.snxt, 0);
	tt_inject(&p, TH_ACK | TH_PUSH, p.snxt + 9, p.rnxt, "jkl", 3);
	tt_expect(TH_ACK, p.rnxt, p.snxt, 0);
	tt_inject(&p, TH_ACK | TH_PUSH, p.snxt + 5, p.rnxt, "fghij", 5);
	tt_expect(TH_ACK, p.rnxt, p.snxt, 0);
	cr_assert_eq(tt_mib("tcpInDataUnorderSegs"), 3);
	cr_assert_eq(tt_mib("tcpInDataUnorderBytes"), 11);
	cr_assert_eq(tt_mib("tcpInDataPartDupBytes"), 2); /* f and j */
	tt_inject(&p, TH_ACK | TH_PUSH, p.snxt, p.rnxt, "abc", 3);
	tt_expect(TH_ACK, p.rnxt, p.snxt + 12, 0);
	tt_data(so, "abcdefghijkl");
	tt_quiet();
	tt_close(so);
	tt_settle();
}

Test(tcp, out_of_order_fin)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect(so);

	tt_inject(&p, TH_ACK | TH_FIN, p.snxt + 3, p.rnxt, "def", 3);
	tt_expect(TH_ACK, p.rnxt, p.snxt, 0);
	tt_inject(&p, TH_ACK, p.snxt, p.rnxt, "abc", 3);
	tt_expect(TH_ACK, p.rnxt, p.snxt + 7, 0);
	tt_data(so, "abcdef");
	tt_eat(so, T_ORDREL_IND);
	cr_assert_eq(tt_tcp(so)->tcp_state, TCPS_CLOSE_WAIT);
	tt_close(so);
	tt_settle();
}

Test(tcp, duplicates)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect(so);

	tt_send(&p, TH_PUSH, "abcdef");
	tt_data(so, "abcdef");
	(void)tt_next();
	/* Wholly old. */
	tt_inject(&p, TH_ACK | TH_PUSH, p.snxt - 6, p.rnxt, "abcdef", 6);
	tt_expect(TH_ACK, p.rnxt, p.snxt, 0);
	cr_assert_eq(tt_mib("tcpInDataDupSegs"), 1);
	cr_assert_eq(tt_mib("tcpInDataDupBytes"), 6);
	cr_assert_eq(tt_tcp(so)->tcp_rack_cur_max, 1);
	/* Partly. */
	tt_inject(&p, TH_ACK | TH_PUSH, p.snxt - 2, p.rnxt, "efghi", 5);
	p.snxt += 3;
	tt_expect(TH_ACK, p.rnxt, p.snxt, 0);
	tt_data(so, "ghi");
	cr_assert_eq(tt_mib("tcpInDataPartDupSegs"), 1);
	cr_assert_eq(tt_mib("tcpInDataPartDupBytes"), 2);
	/* A keepalive probe is answered, and counts as nothing. */
	tt_inject(&p, TH_ACK, p.snxt - 1, p.rnxt, NULL, 0);
	tt_expect(TH_ACK, p.rnxt, p.snxt, 0);
	cr_assert_eq(tt_mib("tcpInDataDupSegs"), 1);
	tt_close(so);
	tt_settle();
}

Test(tcp, past_window)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect(so);
	uint32_t edge = p.snxt + 34 * 1460;

	tt_inject(&p, TH_ACK | TH_PUSH, edge, p.rnxt, "abc", 3);
	tt_expect(TH_ACK, p.rnxt, p.snxt, 0);
	cr_assert_eq(tt_mib("tcpInDataPastWinSegs"), 1);
	cr_assert_eq(tt_mib("tcpInDataPastWinBytes"), 3);
	/* Across the edge: the front part is kept. */
	tt_inject(&p, TH_ACK | TH_PUSH, edge - 2, p.rnxt, "abc", 3);
	tt_expect(TH_ACK, p.rnxt, p.snxt, 0);
	cr_assert_eq(tt_mib("tcpInDataPastWinBytes"), 4);
	cr_assert_eq(tt_mib("tcpInDataUnorderBytes"), 2);
	/* An acknowledgement of what was never sent. */
	tt_inject(&p, TH_ACK, p.snxt, p.rnxt + 1, NULL, 0);
	tt_expect(TH_ACK, p.rnxt, p.snxt, 0);
	cr_assert_eq(tt_mib("tcpInAckUnsent"), 1);
	/* A reset out of the window does nothing. */
	tt_inject(&p, TH_RST, edge + 100, 0, NULL, 0);
	tt_inject(&p, TH_RST, p.snxt - 1, 0, NULL, 0);
	cr_assert_eq(tt_tcp(so)->tcp_state, TCPS_ESTABLISHED);
	/* A SYN in the window is an error. */
	tt_taken = tt_nsent;
	tt_inject(&p, TH_SYN | TH_ACK, p.snxt, p.rnxt, NULL, 0);
	tt_expect(TH_RST, p.rnxt, 0, 0);
	tt_eat(so, T_DISCON_IND);
	tt_close(so);
}

/* Without PSH data waits for 50 ms, an eighth of the window, or more. */
Test(tcp, push_timer)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = warm(so);

	tt_send(&p, 0, "abc");
	cr_assert(tt_idle(so));
	st_ticks(7);
	tt_data(so, "abc");
	tt_send(&p, 0, "abc");
	tt_send(&p, TH_PUSH, "def");
	tt_data(so, "abc");
	tt_data(so, "def");
	cr_assert(strstr(so->callers, "putnext < tcp_rcv_drain < tcp_rput_data") != NULL);
	tt_close(so);
	tt_settle();
}

/* The reader is slow: the window closes, and opens again with an update. */
Test(tcp, receive_window)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = warm(so);
	queue_t *headrq = _RD(so->stp->sd_wrq);
	char big[1461];

	memset(big, 'a', 1460);
	big[1460] = '\0';
	headrq->q_flag |= QFULL;
	tt_send(&p, TH_PUSH, big);
	tt_send(&p, TH_PUSH, big);
	cr_assert_eq(tt_next()->win, 32 * 1460);
	headrq->q_flag &= ~(uint_t)QFULL;
	cr_assert(headrq->q_flag & QWANTW);
	backenable(headrq, 0);
	stream_runservice(so->stp);
	machine_run_ready();
	const tt_seg_t *s = tt_next();
	cr_assert_eq(s->flags, TH_ACK);
	cr_assert_eq(s->win, 34 * 1460);
	cr_assert_eq(tt_mib("tcpOutWinUpdate"), 1);
	tt_close(so);
	tt_settle();
}

Test(tcp, sequence_wrap)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect_opts(so, TT_PEER, tt_mss_opt, 4, 0xfffffffcU);

	tt_send(&p, TH_PUSH, "abcdefgh");
	tt_data(so, "abcdefgh");
	cr_assert_eq(p.snxt, 5);
	tt_expect(TH_ACK, p.rnxt, 5, 0);
	tt_inject(&p, TH_ACK | TH_PUSH, 0xfffffffdU, p.rnxt, "abcdefgh", 8);
	cr_assert_eq(tt_mib("tcpInDataDupBytes"), 8);
	tt_close(so);
	tt_settle();
}

/* ---- closing ---- */

Test(tcp, close_by_us)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect(so);
	conn_t *connp = tt_conn(so);

	CONN_INC_REF(connp);
	tt_simple(so, T_ORDREL_REQ);
	tt_expect(TH_FIN | TH_ACK, p.rnxt, p.snxt, 0);
	cr_assert_eq(connp->conn_tcp->tcp_state, TCPS_FIN_WAIT_1);
	tt_ack(&p, p.rnxt + 1);
	cr_assert_eq(connp->conn_tcp->tcp_state, TCPS_FIN_WAIT_2);
	tt_send(&p, TH_PUSH, "more");
	tt_data(so, "more");
	(void)tt_next();
	tt_send(&p, TH_FIN, "");
	tt_expect(TH_ACK, p.rnxt, p.snxt, 0);
	tt_eat(so, T_ORDREL_IND);
	cr_assert_eq(connp->conn_tcp->tcp_state, TCPS_TIME_WAIT);
	tt_close(so);
	cr_assert_eq(connp->conn_tcp->tcp_state, TCPS_TIME_WAIT);
	st_ticks(600);
	cr_assert_eq(connp->conn_tcp->tcp_tw_cut, 1);
	/* The FIN again: acknowledged again, and 60 s more. */
	tt_inject(&p, TH_FIN | TH_ACK, p.snxt - 1, p.rnxt, NULL, 0);
	tt_expect(TH_ACK, p.rnxt, p.snxt, 0);
	st_ticks(5800);
	cr_assert_eq(connp->conn_tcp->tcp_state, TCPS_TIME_WAIT);
	st_ticks(1000);
	cr_assert_eq(connp->conn_tcp->tcp_state, TCPS_CLOSED);
	cr_assert_eq(ipcl_count(), 0);
	CONN_DEC_REF(connp);
}

Test(tcp, close_by_peer)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect(so);

	tt_send(&p, TH_FIN, "bye");
	tt_expect(TH_ACK, p.rnxt, p.snxt, 0);
	tt_data(so, "bye");
	tt_eat(so, T_ORDREL_IND);
	tt_write(so, "answer");
	tt_expect(TH_ACK | TH_PUSH, p.rnxt, p.snxt, 6);
	tt_simple(so, T_ORDREL_REQ);
	tt_expect(TH_FIN | TH_ACK, p.rnxt + 6, p.snxt, 0);
	cr_assert_eq(tt_tcp(so)->tcp_state, TCPS_LAST_ACK);
	tt_ack(&p, p.rnxt + 7);
	cr_assert_eq(tt_tcp(so)->tcp_state, TCPS_BOUND);
	cr_assert(tt_idle(so));
	tt_close(so);
	cr_assert_eq(ipcl_count(), 0);
}

Test(tcp, simultaneous_close)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect(so);

	tt_simple(so, T_ORDREL_REQ);
	tt_expect(TH_FIN | TH_ACK, p.rnxt, p.snxt, 0);
	tt_send(&p, TH_FIN, "");
	tt_expect(TH_ACK, p.rnxt + 1, p.snxt, 0);
	cr_assert_eq(tt_tcp(so)->tcp_state, TCPS_CLOSING);
	tt_eat(so, T_ORDREL_IND);
	tt_ack(&p, p.rnxt + 1);
	cr_assert_eq(tt_tcp(so)->tcp_state, TCPS_TIME_WAIT);
	tt_close(so);
	tt_settle();
}

/* The FIN waits for the data before it and goes with its last segment. */
Test(tcp, fin_after_data)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect(so);

	tt_write(so, "a");
	(void)tt_next();
	tt_write(so, "bc");
	tt_quiet();
	tt_simple(so, T_ORDREL_REQ);
	tt_expect(TH_FIN | TH_ACK | TH_PUSH, p.rnxt + 1, p.snxt, 2);
	/* More data after it is refused. */
	tt_write(so, "late");
	tt_quiet();
	tt_ack(&p, p.rnxt + 4);
	cr_assert_eq(tt_tcp(so)->tcp_state, TCPS_FIN_WAIT_2);
	tt_close(so);
	/* Nobody reads any more: new data is answered with a reset. */
	tt_inject(&p, TH_ACK | TH_PUSH, p.snxt, p.rnxt, "x", 1);
	cr_assert_eq(tt_next()->flags & TH_RST, TH_RST);
	cr_assert_eq(tt_mib("tcpInClosed"), 1);
	cr_assert_eq(ipcl_count(), 0);
}

Test(tcp, fin_wait_2_flush)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect(so);

	tt_close(so);
	tt_expect(TH_FIN | TH_ACK, p.rnxt, p.snxt, 0);
	tt_ack(&p, p.rnxt + 1);
	cr_assert_eq(ipcl_count(), 1);
	machine_run(machine_now() + 674LL * 1000000000LL);
	cr_assert_eq(ipcl_count(), 1);
	machine_run(machine_now() + 2LL * 1000000000LL);
	cr_assert_eq(ipcl_count(), 0);
}

Test(tcp, abort)
{
	tt_sock_t *so = tt_open();
	struct linger lg = {1, 0};
	tt_peer_t p = tt_connect(so);

	tt_discon_req(so, -1);
	tt_eat(so, T_OK_ACK);
	tt_expect(TH_RST, p.rnxt, 0, 0);
	cr_assert_eq(tt_tcp(so)->tcp_state, TCPS_BOUND);
	tt_close(so);
	so = tt_open();
	p = tt_connect(so);
	tt_opt_req(so, T_NEGOTIATE, SOL_SOCKET, SO_LINGER, &lg, sizeof(lg));
	tt_eat(so, T_OPTMGMT_ACK);
	tt_close(so);
	tt_expect(TH_RST, p.rnxt, 0, 0);
	cr_assert_eq(ipcl_count(), 0);
}

/* A SYN beyond the old connection's numbers takes over the four-tuple in TIME_WAIT. */
Test(tcp, time_wait_reuse)
{
	tt_sock_t *lso = tt_listen(80, 5), *so;
	tt_peer_t p, p2;
	uint32_t snxt;

	so = tt_passive(lso, 80, 5000, &p);
	tt_close(so);
	tt_expect(TH_FIN | TH_ACK, p.rnxt, p.snxt, 0);
	p.rnxt++;
	tt_send(&p, TH_FIN, "");
	(void)tt_next();
	snxt = p.rnxt;
	cr_assert_eq(ipcl_count(), 2);
	/* An old SYN is only acknowledged. */
	p2 = p;
	tt_inject(&p2, TH_SYN, TT_ISN, 0, NULL, 0);
	tt_expect(TH_ACK, snxt, p.snxt, 0);
	tt_inject(&p2, TH_SYN, p.snxt + 1000, 0, NULL, 0);
	const tt_seg_t *s = tt_next();
	cr_assert_eq(s->flags, TH_SYN | TH_ACK);
	cr_assert_eq(s->ack, p.snxt + 1001);
	cr_assert_eq(s->seq, snxt + 250000);
	tt_close(lso);
	cr_assert_eq(ipcl_count(), 0);
}

/* ---- resets without a connection ---- */

Test(tcp, nobody_listens)
{
	tt_peer_t p = {.addr = TT_PEER, .host = TT_HOST, .port = 5000, .hport = 99, .win = 1000};

	tt_inject(&p, TH_SYN, 1000, 0, NULL, 0);
	tt_expect(TH_RST | TH_ACK, 0, 1001, 0);
	tt_inject(&p, TH_ACK | TH_PUSH, 1000, 2000, "abc", 3);
	tt_expect(TH_RST, 2000, 0, 0);
	tt_inject(&p, TH_RST, 1000, 0, NULL, 0);
	tt_inject(&p, TH_FIN, 1000, 0, NULL, 0);
	tt_quiet();
	cr_assert_eq(tt_mib("tcpOutRsts"), 2);
	/* 40 a second at most, those two included. */
	for (int i = 0; i < 100; i++)
		tt_inject(&p, TH_SYN, 1000, 0, NULL, 0);
	cr_assert_eq(tt_nsent, 40);
	st_ticks(101);
	tt_inject(&p, TH_SYN, 1000, 0, NULL, 0);
	cr_assert_eq(tt_nsent, 41);
}

Test(tcp, listener_other_segments)
{
	tt_sock_t *lso = tt_listen(80, 5);
	tt_peer_t p = {.addr = TT_PEER, .host = TT_HOST, .port = 5000, .hport = 80, .win = 1000};

	tt_inject(&p, TH_ACK, 1000, 77, NULL, 0);
	tt_expect(TH_RST, 77, 0, 0);
	tt_inject(&p, TH_RST, 1000, 0, NULL, 0);
	tt_inject(&p, 0, 1000, 0, "abc", 3);
	tt_quiet();
	tt_close(lso);
}

/* ---- urgent data ---- */

Test(tcp, urgent_in)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect(so);
	mblk_t *mp;

	p.urp = 3;
	tt_inject(&p, TH_ACK | TH_PUSH | TH_URG, p.snxt, p.rnxt, "abcde", 5);
	p.urp = 0;
	p.snxt += 5;
	mp = tt_up(so);
	while (DB_TYPE(mp) == M_SETOPTS) {
		freemsg(mp);
		mp = tt_up(so);
	}
	cr_assert_eq(DB_TYPE(mp), M_PCSIG);
	cr_assert_eq(*mp->b_rptr, 21); /* SIGURG */
	freemsg(mp);
	tt_data(so, "ab");
	mp = tt_prim(so, T_EXDATA_IND);
	cr_assert(mp->b_flag & MSGMARK);
	cr_assert_str_eq(st_text(mp->b_cont), "c.");
	freemsg(mp);
	tt_data(so, "de");
	tt_setopt(so, SOL_SOCKET, SO_OOBINLINE, 1);
	p.urp = 2;
	tt_inject(&p, TH_ACK | TH_PUSH | TH_URG, p.snxt, p.rnxt, "fgh", 3);
	freemsg(tt_up(so));
	tt_data(so, "f");
	mp = tt_up(so);
	cr_assert(mp->b_flag & MSGMARK);
	cr_assert_str_eq(st_text(mp), "gh.");
	freemsg(mp);
	tt_close(so);
	tt_settle();
}

Test(tcp, urgent_out)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect(so);
	mblk_t *mp = tt_tpi(T_EXDATA_REQ, sizeof(struct T_exdata_req));
	const tt_seg_t *s;

	mp->b_cont = st_msg(M_DATA, "xy");
	tt_down(so, mp);
	s = tt_next();
	cr_assert_eq(s->flags, TH_ACK | TH_PUSH | TH_URG);
	cr_assert_eq(s->urp, 2);
	cr_assert_eq(tt_mib("tcpOutUrg"), 1);
	tt_ack(&p, p.rnxt + 2);
	tt_write(so, "z");
	cr_assert_eq(tt_next()->flags, TH_ACK | TH_PUSH);
	tt_close(so);
	tt_settle();
}

/* ---- TPI ---- */

Test(tcp, capability)
{
	tt_sock_t *so = tt_open();
	mblk_t *mp = tt_tpi(T_CAPABILITY_REQ, sizeof(struct T_capability_req));
	struct T_capability_ack *tca;

	DB_TYPE(mp) = M_PCPROTO;
	((struct T_capability_req *)(void *)mp->b_rptr)->CAP_bits1 = TC1_INFO | TC1_ACCEPTOR_ID;
	tt_down(so, mp);
	mp = tt_prim(so, T_CAPABILITY_ACK);
	tca = (struct T_capability_ack *)(void *)mp->b_rptr;
	cr_assert_eq(tca->CAP_bits1, TC1_INFO | TC1_ACCEPTOR_ID);
	cr_assert_eq(tca->ACCEPTOR_id, tt_tcp(so)->tcp_acceptor_id);
	cr_assert_eq(tca->INFO_ack.SERV_type, T_COTS_ORD);
	cr_assert_eq(tca->INFO_ack.TSDU_size, 0);
	cr_assert_eq(tca->INFO_ack.ETSDU_size, -1);
	cr_assert_eq(tca->INFO_ack.CDATA_size, -2);
	cr_assert_eq(tca->INFO_ack.DDATA_size, -2);
	cr_assert_eq(tca->INFO_ack.ADDR_size, 16);
	cr_assert_eq(tca->INFO_ack.CURRENT_state, TS_UNBND);
	cr_assert_eq(tca->INFO_ack.PROVIDER_flag, XPG4_1 | EXPINLINE);
	freemsg(mp);
	tt_simple(so, T_INFO_REQ);
	tt_eat(so, T_INFO_ACK);
	tt_simple(so, 12345);
	tt_error(so, TNOTSUPPORT, 0);
	tt_close(so);
}

Test(tcp, bind)
{
	tt_sock_t *a = tt_open(), *b = tt_open();
	mblk_t *mp;
	struct T_bind_ack *tba;

	tt_bind_req(a, T_BIND_REQ, TT_PEER, 80, 0);
	tt_error(a, TSYSERR, EADDRNOTAVAIL);
	tt_bind_req(a, T_BIND_REQ, TT_HOST, 80, 0);
	mp = tt_prim(a, T_BIND_ACK);
	tba = (struct T_bind_ack *)(void *)mp->b_rptr;
	cr_assert_eq(((sin_t *)(void *)(tba + 1))->sin_port, htons(80));
	freemsg(mp);
	tt_bind_req(a, T_BIND_REQ, TT_HOST, 81, 0);
	tt_error(a, TOUTSTATE, 0);
	tt_bind_req(b, T_BIND_REQ, INADDR_ANY, 80, 0);
	tt_error(b, TADDRBUSY, 0);
	/* The old request takes another port instead. */
	tt_bind_req(b, O_T_BIND_REQ, INADDR_ANY, 80, 0);
	mp = tt_prim(b, T_BIND_ACK);
	tba = (struct T_bind_ack *)(void *)mp->b_rptr;
	cr_assert_eq(((sin_t *)(void *)(tba + 1))->sin_port, htons(32768));
	freemsg(mp);
	tt_simple(b, T_UNBIND_REQ);
	tt_eat(b, T_OK_ACK);
	/* Loopback and the interface address do not collide. */
	tt_bind_req(b, T_BIND_REQ, INADDR_LOOPBACK_N, 80, 0);
	tt_eat(b, T_BIND_ACK);
	tt_simple(b, T_UNBIND_REQ);
	tt_eat(b, T_OK_ACK);
	tt_simple(b, T_UNBIND_REQ);
	tt_error(b, TOUTSTATE, 0);
	tt_close(a);
	tt_bind_req(b, T_BIND_REQ, INADDR_ANY, 80, 0);
	tt_eat(b, T_BIND_ACK);
	tt_close(b);
}

Test(tcp, options)
{
	tt_sock_t *so = tt_open();
	int32_t v = 3 * 1024 * 1024;

	cr_assert_eq(tt_getopt(so, SOL_SOCKET, SO_SNDBUF), 49152);
	cr_assert_eq(tt_getopt(so, SOL_SOCKET, SO_RCVBUF), 49152);
	cr_assert_eq(tt_getopt(so, SOL_SOCKET, SO_TYPE), SOCK_STREAM);
	tt_setopt(so, SOL_SOCKET, SO_KEEPALIVE, 1);
	cr_assert_neq(tt_getopt(so, SOL_SOCKET, SO_KEEPALIVE), 0);
	tt_setopt(so, IPPROTO_IP, IP_TTL, 7);
	cr_assert_eq(tt_getopt(so, IPPROTO_IP, IP_TTL), 7);
	tt_opt_req(so, T_NEGOTIATE, SOL_SOCKET, SO_RCVBUF, &v, sizeof(v));
	tt_error(so, TSYSERR, ENOBUFS);
	tt_opt_req(so, T_NEGOTIATE, SOL_SOCKET, 0x7777, &v, sizeof(v));
	tt_error(so, TBADOPT, 0);
	tt_opt_req(so, T_NEGOTIATE, SOL_SOCKET, SO_SNDBUF, &v, 2);
	tt_error(so, TSYSERR, EINVAL);
	tt_opt_req(so, 0, SOL_SOCKET, SO_SNDBUF, &v, sizeof(v));
	tt_error(so, TBADFLAG, 0);
	tt_close(so);
}
