/* TCP timers: retransmission, round-trip time, probes, keepalive, linger (RFC 1122, RFC 2581; numbers of Solaris 10). */
#include "tcptest.h"

TCP_SUITE(tcptimer);

/* Milliseconds from now until the next frame, at most 200 s; it is left to be taken. */
static long wait_next(void)
{
	hrtime_t start = machine_now();

	while (tt_taken == tt_nsent && machine_now() - start < 200LL * 1000000000LL)
		st_ticks(1);
	cr_assert_lt(tt_taken, tt_nsent, "nothing was sent");
	return (long)((machine_now() - start) / 1000000);
}

/* A measured round trip of `ms', the first of the connection. */
static void round_trip(tt_sock_t *so, tt_peer_t *p, int ms)
{
	tt_write(so, "m");
	(void)tt_next();
	st_ticks(ms / 10);
	tt_ack(p, p->rnxt + 1);
}

Test(tcptimer, rto_from_samples)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect(so);
	tcp_t *tcp = tt_tcp(so);

	round_trip(so, &p, 100);
	/* m = 100 - 1500 = -1400: sa 10600, |m| - 375 = 1025: sv 2525; 1325 + 2525 + 331. */
	cr_assert_eq(tcp->tcp_rtt_sa, 10600);
	cr_assert_eq(tcp->tcp_rtt_sd, 2525);
	cr_assert_eq(tcp->tcp_rto, 4181);
	for (int i = 0; i < 200; i++)
		round_trip(so, &p, 10);
	/* It settles at the smallest spread: 400 + about 10. */
	cr_assert_eq(tcp->tcp_rtt_sd, 400);
	cr_assert_lt(tcp->tcp_rto, 430);
	cr_assert_geq(tcp->tcp_rto, 400);
	cr_assert_eq(tt_mib("tcpRttUpdate"), 201);
	tt_close(so);
	tt_settle();
}

Test(tcptimer, retransmit_backs_off)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect(so);
	static const long gap[] = {3380, 6750, 13500, 27000, 54000, 60000};

	tt_write(so, "lost");
	(void)tt_next();
	for (uint_t i = 0; i < 6; i++) {
		long ms = wait_next();
		cr_assert(ms >= gap[i] - 20 && ms <= gap[i] + 30, "%ld ms instead of %ld", ms, gap[i]);
		tt_expect(TH_ACK | TH_PUSH, p.rnxt, p.snxt, 4);
	}
	cr_assert_eq(tt_mib("tcpTimRetrans"), 6);
	cr_assert_eq(tt_mib("tcpRetransSegs"), 6);
	cr_assert_eq(tt_mib("tcpRetransBytes"), 24);
	cr_assert_eq(tt_tcp(so)->tcp_cwnd, 1460);
	cr_assert_eq(tt_tcp(so)->tcp_cwnd_ssthresh, 2 * 1460);
	/* After 8 minutes it gives up. */
	machine_run(machine_now() + 500LL * 1000000000LL);
	tt_taken = tt_nsent;
	mblk_t *mp = tt_prim(so, T_DISCON_IND);
	cr_assert_eq(((struct T_discon_ind *)(void *)mp->b_rptr)->DISCON_reason, ETIMEDOUT);
	freemsg(mp);
	cr_assert_eq(tt_mib("tcpTimRetransDrop"), 1);
	tt_close(so);
}

/* The acknowledgement of a retransmission measures nothing (Karn), and ends the timer. */
Test(tcptimer, retransmission_acknowledged)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect(so);
	tcp_t *tcp = tt_tcp(so);

	tt_write(so, "lost");
	(void)tt_next();
	(void)wait_next();
	(void)tt_next();
	tt_ack(&p, p.rnxt + 4);
	cr_assert_eq(tcp->tcp_rtt_sa, 12000);
	cr_assert_eq(tt_mib("tcpRttUpdate"), 0);
	cr_assert_eq(tt_mib("tcpRttNoUpdate"), 1);
	cr_assert_eq(tcp->tcp_rexmit, 0);
	cr_assert_null(tcp->tcp_timer_tid);
	machine_run(machine_now() + 100LL * 1000000000LL);
	tt_quiet();
	tt_close(so);
	tt_settle();
}

/* Slow start after a timeout: each ACK lets what was sent before go again. */
Test(tcptimer, slow_start_again)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect_opts(so, TT_FAR, tt_mss_opt, 4, TT_ISN);
	static char buf[3 * 1460];

	tt_write_n(so, buf, sizeof(buf));
	for (int i = 0; i < 3; i++)
		(void)tt_next();
	(void)wait_next();
	tt_expect(TH_ACK, p.rnxt, p.snxt, 1460);
	tt_ack(&p, p.rnxt + 1460);
	tt_expect(TH_ACK, p.rnxt, p.snxt, 1460);
	tt_expect(TH_ACK | TH_PUSH, p.rnxt + 1460, p.snxt, 1460);
	tt_quiet();
	tt_ack(&p, p.rnxt + 2920);
	cr_assert_eq(tt_tcp(so)->tcp_rexmit, 0);
	cr_assert_eq(tt_mib("tcpRetransSegs"), 3);
	tt_close(so);
	tt_settle();
}

Test(tcptimer, fast_retransmit)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect_opts(so, TT_FAR, tt_mss_opt, 4, TT_ISN);
	tcp_t *tcp = tt_tcp(so);
	static char buf[20 * 1460];

	tcp->tcp_cwnd = 8 * 1460;
	tcp->tcp_snd_burst = 65535;
	tt_write_n(so, buf, sizeof(buf));
	for (int i = 0; i < 8; i++)
		(void)tt_next();
	tt_quiet();
	/* Limited transmit for the first two duplicates. */
	tt_ack(&p, p.rnxt);
	tt_expect(TH_ACK, p.rnxt + 8 * 1460, p.snxt, 1460);
	tt_ack(&p, p.rnxt);
	tt_expect(TH_ACK, p.rnxt + 9 * 1460, p.snxt, 1460);
	tt_ack(&p, p.rnxt);
	tt_expect(TH_ACK, p.rnxt, p.snxt, 1460);
	cr_assert_eq(tcp->tcp_cwnd_ssthresh, 5 * 1460);
	cr_assert_eq(tcp->tcp_cwnd, 8 * 1460);
	cr_assert_eq(tt_mib("tcpInDupAck"), 3);
	cr_assert_eq(tt_mib("tcpOutFastRetrans"), 1);
	tt_ack(&p, p.rnxt);
	tt_ack(&p, p.rnxt);
	cr_assert_eq(tcp->tcp_cwnd, 10 * 1460);
	tt_quiet();
	/* A partial acknowledgement: the next hole at once (NewReno). */
	tt_ack(&p, p.rnxt + 2 * 1460);
	tt_expect(TH_ACK, p.rnxt, p.snxt, 1460);
	cr_assert_eq(tcp->tcp_cwnd, 8 * 1460);
	/* All that was out at the loss: recovery ends at ssthresh. */
	tt_taken = tt_nsent;
	tt_ack(&p, tcp->tcp_rexmit_max);
	cr_assert_eq(tcp->tcp_cwnd, 5 * 1460);
	cr_assert_eq(tcp->tcp_recovering, 0);
	tt_close(so);
	tt_settle();
}

Test(tcptimer, zero_window_probe)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect(so);
	tcp_t *tcp = tt_tcp(so);

	p.win = 0;
	tt_send(&p, TH_PUSH, "z");
	(void)tt_next();
	tt_ack(&p, p.rnxt);
	tt_write(so, "hello");
	tt_quiet();
	(void)wait_next();
	tt_expect(TH_ACK, p.rnxt, p.snxt, 1);
	cr_assert_eq(tt_mib("tcpOutWinProbe"), 1);
	/* Refused for ever so long: it goes on asking, and does not die. */
	for (int i = 0; i < 20; i++) {
		tt_ack(&p, p.rnxt);
		(void)wait_next();
		tt_expect(TH_ACK, p.rnxt, p.snxt, 1);
	}
	cr_assert_eq(tcp->tcp_state, TCPS_ESTABLISHED);
	cr_assert_eq(tcp->tcp_cwnd, 4380);
	p.win = 1000;
	tt_ack(&p, p.rnxt + 1);
	tt_expect(TH_ACK | TH_PUSH, p.rnxt, p.snxt, 4);
	tt_close(so);
	tt_settle();
}

Test(tcptimer, keepalive)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect(so);
	long ms;

	tt_setopt(so, IPPROTO_TCP, TCP_KEEPALIVE_THRESHOLD, 10000);
	tt_setopt(so, IPPROTO_TCP, TCP_KEEPALIVE_ABORT_THRESHOLD, 20000);
	tt_setopt(so, SOL_SOCKET, SO_KEEPALIVE, 1);
	ms = wait_next();
	cr_assert(ms >= 10000 && ms <= 10030, "%ld", ms);
	tt_expect(TH_ACK, p.rnxt - 1, p.snxt, 0);
	tt_ack(&p, p.rnxt);
	(void)wait_next();
	tt_expect(TH_ACK, p.rnxt - 1, p.snxt, 0);
	cr_assert_eq(tt_mib("tcpTimKeepaliveProbe"), 2);
	machine_run(machine_now() + 60LL * 1000000000LL);
	tt_taken = tt_nsent;
	tt_eat(so, T_DISCON_IND);
	cr_assert_eq(tt_mib("tcpTimKeepaliveDrop"), 1);
	tt_close(so);
}

static tt_sock_t *closing;
static int closed;

static void close_it(void *arg)
{
	(void)arg;
	st_close(closing->stp);
	closed = 1;
}

Test(tcptimer, linger)
{
	struct linger lg = {1, 5};
	tt_peer_t p;

	closing = tt_open();
	p = tt_connect(closing);
	tt_opt_req(closing, T_NEGOTIATE, SOL_SOCKET, SO_LINGER, &lg, sizeof(lg));
	tt_eat(closing, T_OPTMGMT_ACK);
	tt_write(closing, "x");
	(void)tt_next();
	(void)st_thread(close_it, NULL);
	tt_expect(TH_FIN | TH_ACK, p.rnxt + 1, p.snxt, 0);
	cr_assert_eq(closed, 0);
	st_ticks(100);
	cr_assert_eq(closed, 0);
	tt_ack(&p, p.rnxt + 2);
	machine_run_ready();
	cr_assert_eq(closed, 1);
	while (closing->taken < closing->nup)
		freemsg(closing->up[closing->taken++]);
	free(closing);
	tt_settle();
}

Test(tcptimer, linger_in_vain)
{
	struct linger lg = {1, 2};
	tt_peer_t p;

	closing = tt_open();
	p = tt_connect(closing);
	tt_opt_req(closing, T_NEGOTIATE, SOL_SOCKET, SO_LINGER, &lg, sizeof(lg));
	tt_eat(closing, T_OPTMGMT_ACK);
	tt_write(closing, "x");
	(void)tt_next();
	(void)st_thread(close_it, NULL);
	(void)tt_next();
	st_ticks(201);
	cr_assert_eq(closed, 1);
	cr_assert_eq(tt_next()->flags, TH_RST);
	cr_assert_eq(ipcl_count(), 0);
	while (closing->taken < closing->nup)
		freemsg(closing->up[closing->taken++]);
	free(closing);
	(void)p;
}

/* A FIN that is lost is sent again, also without a stream. */
Test(tcptimer, fin_lost)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = tt_connect(so);

	tt_close(so);
	tt_expect(TH_FIN | TH_ACK, p.rnxt, p.snxt, 0);
	(void)wait_next();
	tt_expect(TH_FIN | TH_ACK, p.rnxt, p.snxt, 0);
	tt_ack(&p, p.rnxt + 1);
	tt_send(&p, TH_FIN, "");
	(void)tt_next();
	tt_settle();
	cr_assert_eq(ipcl_count(), 0);
}

/* Many connections in TIME_WAIT are small, and all gone after a minute. */
Test(tcptimer, time_wait_many)
{
	size_t bytes0, bytes, objects;

	kmem_alive(&bytes0, &objects);
	for (int i = 0; i < 200; i++) {
		tt_sock_t *so = tt_open();
		tt_peer_t p = tt_connect(so);

		tt_close(so);
		p.rnxt++;
		tt_send(&p, TH_FIN, "");
		tt_taken = tt_nsent;
	}
	st_ticks(1000);
	kmem_alive(&bytes, &objects);
	cr_assert_eq(ipcl_count(), 200);
	cr_assert_lt((bytes - bytes0) / 200, 2500, "%zu bytes a connection", (bytes - bytes0) / 200);
	st_ticks(6600);
	cr_assert_eq(ipcl_count(), 0);
}
