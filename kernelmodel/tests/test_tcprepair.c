/* What a replay fixes in TCP (ip/tcp_repair.h), and memory running out at any point. */
#include "tcptest.h"

TCP_SUITE(tcprepair);

static tcp_plan_t plan;
static int plan_asked;
static in_port_t plan_lport, plan_fport;
static uint_t plan_ifindex;

static int plan_hook(uint_t ifindex, ipaddr_t laddr, in_port_t lport, ipaddr_t faddr, in_port_t fport, tcp_plan_t *out)
{
	cr_assert_eq(laddr, TT_HOST);
	cr_assert_eq(faddr, TT_PEER);
	plan_asked++;
	plan_lport = lport;
	plan_fport = fport;
	plan_ifindex = ifindex;
	*out = plan;
	return 1;
}

static int no_plan(uint_t ifindex, ipaddr_t laddr, in_port_t lport, ipaddr_t faddr, in_port_t fport, tcp_plan_t *out)
{
	(void)ifindex, (void)laddr, (void)lport, (void)faddr, (void)fport, (void)out;
	return 0;
}

Test(tcprepair, plan_active)
{
	tt_sock_t *so = tt_open();
	const tt_seg_t *s;

	plan = (tcp_plan_t){.tp_iss = 0xdeadbeef,
			    .tp_mss = 1400,
			    .tp_ws = 7,
			    .tp_ts = true,
			    .tp_tsval = 5000000,
			    .tp_sack = false,
			    .tp_rwnd = 2000000};
	tcp_plan_hook = plan_hook;
	tt_bind_req(so, T_BIND_REQ, TT_HOST, 4321, 0);
	tt_eat(so, T_BIND_ACK);
	tt_conn_req(so, TT_PEER, 80);
	tt_eat(so, T_OK_ACK);
	s = tt_next();
	cr_assert_eq(plan_asked, 1);
	cr_assert_eq(plan_lport, htons(4321));
	cr_assert_eq(plan_fport, htons(80));
	cr_assert_eq(s->seq, 0xdeadbeef);
	/* MSS 1400, scale 7, no SACK, timestamp 5000000. */
	cr_assert_arr_eq(
	    s->opt,
	    ((uint8_t[]){2, 4, 1400 >> 8, 1400 & 255, 1, 3, 3, 7, 1, 1, 8, 10, 0, 0x4c, 0x4b, 0x40, 0, 0, 0, 0}), 20);
	cr_assert_eq(s->optlen, 20);
	cr_assert_geq(tt_tcp(so)->tcp_rwnd, 2000000);
	tt_close(so);
}

Test(tcprepair, plan_bare)
{
	tt_sock_t *so = tt_open();
	const tt_seg_t *s;

	plan = (tcp_plan_t){.tp_iss = 1, .tp_ws = -1, .tp_rwnd = 65535};
	tcp_plan_hook = plan_hook;
	tt_conn_req(so, TT_PEER, 80);
	tt_eat(so, T_OK_ACK);
	s = tt_next();
	cr_assert_eq(s->optlen, 0);
	cr_assert_eq(s->win, 65535);
	tt_close(so);
}

Test(tcprepair, plan_passive)
{
	tt_sock_t *lso = tt_listen(80, 5);
	const tt_seg_t *s;
	tt_peer_t p;
	static const uint8_t opt[] = {2, 4, 5, 0xb4, 1, 3, 3, 2, 4, 2, 8, 10, 0, 0, 1, 0, 0, 0, 0, 0};

	plan = (tcp_plan_t){.tp_iss = 77, .tp_mss = 536, .tp_ws = -1, .tp_sack = true, .tp_rwnd = 8000};
	tcp_plan_hook = plan_hook;
	p = tt_syn(80, 5000, opt, sizeof(opt));
	s = &tt_segs[tt_nsent - 1];
	cr_assert_eq(plan_ifindex, 77);
	cr_assert_eq(s->seq, 77);
	cr_assert_arr_eq(s->opt, ((uint8_t[]){2, 4, 2, 24, 1, 1, 4, 2}), 8);
	cr_assert_eq(s->optlen, 8);
	tt_ack(&p, p.rnxt);
	(void)tt_conn_ind(lso);
	tt_close(lso);
}

/* A connection the hook does not know is an ordinary one. */
Test(tcprepair, no_plan)
{
	tt_sock_t *so = tt_open();

	tcp_plan_hook = no_plan;
	tt_conn_req(so, TT_PEER, 80);
	tt_eat(so, T_OK_ACK);
	cr_assert_eq(tt_next()->optlen, 12);
	tt_close(so);
}

static tcp_adopt_t adopt_args(void)
{
	return (tcp_adopt_t){.ta_laddr = TT_HOST,
			     .ta_faddr = TT_PEER,
			     .ta_lport = htons(22),
			     .ta_fport = htons(5000),
			     .ta_snxt = 1000,
			     .ta_rnxt = 2000,
			     .ta_swnd = 5000,
			     .ta_snd_ws = 2,
			     .ta_rcv_ws = 3,
			     .ta_mss = 1448,
			     .ta_ts = true,
			     .ta_tsval = 900,
			     .ta_tsrecent = 800,
			     .ta_sack = true,
			     .ta_rwnd = 300000};
}

static tt_sock_t *adopted(tt_peer_t *p)
{
	tt_sock_t *so = tt_open();
	tcp_adopt_t ta = adopt_args();

	tt_opt_req(so, T_NEGOTIATE, IPPROTO_TCP, TCP_REPAIR_ADOPT, &ta, sizeof(ta));
	tt_eat(so, T_OPTMGMT_ACK);
	tt_eat(so, T_CONN_CON);
	*p = (tt_peer_t){
	    .addr = TT_PEER, .host = TT_HOST, .port = 5000, .hport = 22, .snxt = 2000, .rnxt = 1000, .win = 1250};
	return so;
}

Test(tcprepair, adopt)
{
	tt_peer_t p;
	tt_sock_t *so = adopted(&p), *other = tt_open();
	tcp_adopt_t ta = adopt_args();
	const tt_seg_t *s;

	tt_quiet();
	cr_assert_eq(tt_tcp(so)->tcp_state, TCPS_ESTABLISHED);
	tt_write(so, "hello");
	s = tt_next();
	cr_assert_eq(s->seq, 1000);
	cr_assert_eq(s->ack, 2000);
	cr_assert_eq(s->win, (300000 + 1447) / 1448 * 1448 / 8);
	cr_assert_arr_eq(s->opt, ((uint8_t[]){1, 1, 8, 10, 0, 0, 0x03, 0x84, 0, 0, 0x03, 0x20}), 12);
	tt_ack(&p, 1005);
	tt_send(&p, TH_PUSH, "answer");
	tt_data(so, "answer");
	/* Twice, and on a four-tuple that is taken. */
	tt_opt_req(so, T_NEGOTIATE, IPPROTO_TCP, TCP_REPAIR_ADOPT, &ta, sizeof(ta));
	tt_error(so, TSYSERR, EISCONN);
	tt_opt_req(other, T_NEGOTIATE, IPPROTO_TCP, TCP_REPAIR_ADOPT, &ta, sizeof(ta));
	tt_error(other, TSYSERR, EADDRINUSE);
	cr_assert_eq(tt_tcp(other)->tcp_state, TCPS_IDLE);
	ta.ta_faddr = TT_NOBODY;
	tt_opt_req(other, T_NEGOTIATE, IPPROTO_TCP, TCP_REPAIR_ADOPT, &ta, sizeof(ta));
	tt_error(other, TSYSERR, ENETUNREACH);
	tt_opt_req(other, T_NEGOTIATE, IPPROTO_TCP, TCP_REPAIR_ADOPT, &ta, 8);
	tt_error(other, TSYSERR, EINVAL);
	tt_setopt(other, IPPROTO_IP, IP_BOUND_IF, 77);
	ta.ta_faddr = TT_PEER;
	/* The same four-tuple on one interface alone is another connection. */
	tt_opt_req(other, T_NEGOTIATE, IPPROTO_TCP, TCP_REPAIR_ADOPT, &ta, sizeof(ta));
	tt_eat(other, T_OPTMGMT_ACK);
	tt_eat(other, T_CONN_CON);
	tt_inject(&p, TH_ACK | TH_PUSH, 2000, 1000, "vlan", 4);
	tt_data(other, "vlan");
	cr_assert(tt_idle(so));
	tt_close(so);
	tt_close(other);
	tt_settle();
}

Test(tcprepair, holes)
{
	tt_peer_t p;
	tt_sock_t *so = adopted(&p);
	uint32_t seq;

	/* Bytes 2000..2099 are missing; 2100..2102 wait. */
	tt_inject(&p, TH_ACK | TH_PUSH, 2100, 1000, "abc", 3);
	cr_assert(tt_idle(so));
	seq = 2050;
	tt_opt_req(so, T_NEGOTIATE, IPPROTO_TCP, TCP_REPAIR_RCV, &seq, sizeof(seq));
	tt_eat(so, T_OPTMGMT_ACK);
	cr_assert(tt_idle(so));
	seq = 2101;
	tt_opt_req(so, T_NEGOTIATE, IPPROTO_TCP, TCP_REPAIR_RCV, &seq, sizeof(seq));
	tt_data(so, "bc");
	tt_eat(so, T_OPTMGMT_ACK);
	cr_assert_eq(tt_tcp(so)->tcp_rnxt, 2103);
	tt_inject(&p, TH_ACK | TH_PUSH, 2103, 1000, "d", 1);
	tt_data(so, "d");
	/* A FIN that waited is taken in. */
	tt_inject(&p, TH_ACK | TH_FIN, 2200, 1000, NULL, 0);
	seq = 2200;
	tt_opt_req(so, T_NEGOTIATE, IPPROTO_TCP, TCP_REPAIR_RCV, &seq, sizeof(seq));
	tt_eat(so, T_ORDREL_IND);
	tt_eat(so, T_OPTMGMT_ACK);
	cr_assert_eq(tt_tcp(so)->tcp_state, TCPS_CLOSE_WAIT);
	/* The send side: nothing is owed any more. */
	tt_taken = tt_nsent;
	tt_write(so, "unacknowledged");
	(void)tt_next();
	seq = 5000;
	tt_opt_req(so, T_NEGOTIATE, IPPROTO_TCP, TCP_REPAIR_SND, &seq, sizeof(seq));
	tt_eat(so, T_OPTMGMT_ACK);
	cr_assert_null(tt_tcp(so)->tcp_timer_tid);
	tt_write(so, "x");
	cr_assert_eq(tt_next()->seq, 5000);
	tt_close(so);
	tt_settle();
}

Test(tcprepair, free_of_congestion)
{
	tt_peer_t p;
	tt_sock_t *so = tt_open();
	static char buf[20 * 1460];

	p = tt_connect_opts(so, TT_FAR, tt_mss_opt, 4, TT_ISN);
	tt_setopt(so, IPPROTO_TCP, TCP_REPAIR_FREE, 1);
	tt_write_n(so, buf, sizeof(buf));
	for (int i = 0; i < 20; i++)
		cr_assert_eq(tt_next()->len, 1460);
	tt_write(so, "a");
	tt_write(so, "b");
	tt_expect(TH_ACK | TH_PUSH, p.rnxt + 20 * 1460, p.snxt, 1);
	tt_expect(TH_ACK | TH_PUSH, p.rnxt + 20 * 1460 + 1, p.snxt, 1);
	/* Listeners pass it on. */
	tt_sock_t *lso = tt_listen(80, 5), *eso;
	tt_setopt(lso, IPPROTO_TCP, TCP_REPAIR_FREE, 1);
	eso = tt_passive(lso, 80, 7000, &p);
	cr_assert_eq(tt_getopt(eso, IPPROTO_TCP, TCP_REPAIR_FREE), 1);
	tt_close(eso);
	tt_close(lso);
	tt_close(so);
	tt_settle();
}

Test(tcprepair, not_connected)
{
	tt_sock_t *so = tt_open();
	uint32_t seq = 1;

	tt_opt_req(so, T_NEGOTIATE, IPPROTO_TCP, TCP_REPAIR_RCV, &seq, sizeof(seq));
	tt_error(so, TSYSERR, ENOTCONN);
	tt_close(so);
}

/* ---- memory ---- */

/* A whole life in both directions in which allocation n fails: nothing leaks, nothing crashes. */
static void life(tt_sock_t *so)
{
	tt_peer_t p = {.addr = TT_PEER,
		       .host = TT_HOST,
		       .port = 80,
		       .win = 32768,
		       .opt = tt_mss_opt,
		       .optlen = 4,
		       .snxt = TT_ISN + 1};

	tt_conn_req(so, TT_PEER, 80);
	if (tt_nsent > 0) {
		p.hport = tt_segs[tt_nsent - 1].sport;
		p.rnxt = tt_segs[tt_nsent - 1].seq + 1;
		tt_inject(&p, TH_SYN | TH_ACK, TT_ISN, p.rnxt, NULL, 0);
		p.optlen = 0;
		tt_write(so, "hello");
		tt_inject(&p, TH_ACK | TH_PUSH, p.snxt + 3, p.rnxt, "def", 3);
		tt_inject(&p, TH_ACK | TH_PUSH, p.snxt, p.rnxt, "abc", 3);
		st_ticks(500);
		tt_inject(&p, TH_ACK | TH_FIN, p.snxt + 6, p.rnxt + 5, NULL, 0);
	}
	p = (tt_peer_t){.addr = TT_PEER, .host = TT_HOST, .port = 5000, .hport = 90, .win = 32768, .snxt = TT_ISN + 1};
	uint_t n = tt_nsent;
	tt_inject(&p, TH_SYN, TT_ISN, 0, NULL, 0);
	if (tt_nsent > n) {
		tt_ack(&p, tt_segs[tt_nsent - 1].seq + 1);
		tt_send(&p, TH_PUSH, "x");
	}
	st_ticks(100);
}

static void life_failing(void (*fail)(long), long n)
{
	tt_sock_t *so = tt_open(), *lso = tt_listen(90, 5);

	fail(n);
	life(so);
	fail(0);
	tt_close(so);
	tt_close(lso);
	tt_nsent = tt_taken = 0;
}

Test(tcprepair, kmem_fails)
{
	for (long n = 1; n < 40; n++)
		life_failing(kmem_fail_nth, n);
	tt_settle();
	tt_taken = tt_nsent;
	cr_assert_eq(ipcl_count(), 0);
}

Test(tcprepair, allocb_fails)
{
	for (long n = 1; n < 90; n++)
		life_failing(allocb_fail_nth, n);
	tt_settle();
	tt_taken = tt_nsent;
	cr_assert_eq(ipcl_count(), 0);
}

/* The stream cannot be opened without memory. */
Test(tcprepair, open_fails)
{
	const devsw_t *dp = devsw_find("tcp");
	stdata_t *stp = st_open();
	dev_t dev = 0;
	int err;
	long n;

	for (n = 1;; n++) {
		kmem_fail_nth(n);
		err = qattach(_RD(stp->sd_wrq), &dev, 0, kcred, NULL, dp);
		kmem_fail_nth(0);
		if (err == 0)
			break;
		cr_assert_lt(n, 20);
	}
	cr_assert_gt(n, 2);
	st_close(stp);
}
