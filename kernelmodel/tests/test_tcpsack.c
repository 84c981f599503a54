/* TCP options: selective acknowledgement (RFC 2018), window scale and timestamps (RFC 1323). */
#include "tcptest.h"

TCP_SUITE(tcpsack);

static const uint8_t sack_opt[] = {2, 4, 5, 0xb4, 1, 1, 4, 2};
static const uint8_t all_opt[] = {2, 4, 5, 0xb4, 1, 3, 3, 2, 4, 2, 8, 10, 0, 0, 1, 0, 0, 0, 0, 0};

static uint32_t be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void put32(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 24);
	p[1] = (uint8_t)(v >> 16);
	p[2] = (uint8_t)(v >> 8);
	p[3] = (uint8_t)v;
}

static tt_peer_t connect_sack(tt_sock_t *so)
{
	tt_peer_t p = tt_connect_opts(so, TT_FAR, sack_opt, sizeof(sack_opt), TT_ISN);

	cr_assert_eq(tt_tcp(so)->tcp_snd_sack_ok, 1);
	return p;
}

/* What we report: the block that changed last comes first, blocks that touch are one. */
Test(tcpsack, blocks_sent)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = connect_sack(so);
	uint32_t base = p.snxt;
	const tt_seg_t *s;

	tt_inject(&p, TH_ACK | TH_PUSH, base + 10, p.rnxt, "abcde", 5);
	s = tt_next();
	cr_assert_eq(s->optlen, 12);
	cr_assert_arr_eq(s->opt, ((uint8_t[]){1, 1, 5, 10}), 4);
	cr_assert_eq(be32(s->opt + 4), base + 10);
	cr_assert_eq(be32(s->opt + 8), base + 15);
	tt_inject(&p, TH_ACK | TH_PUSH, base + 30, p.rnxt, "abcde", 5);
	s = tt_next();
	cr_assert_eq(s->optlen, 20);
	cr_assert_eq(be32(s->opt + 4), base + 30);
	cr_assert_eq(be32(s->opt + 12), base + 10);
	tt_inject(&p, TH_ACK | TH_PUSH, base + 15, p.rnxt, "abcde", 5);
	s = tt_next();
	cr_assert_eq(s->optlen, 20);
	cr_assert_eq(be32(s->opt + 4), base + 10);
	cr_assert_eq(be32(s->opt + 8), base + 20);
	cr_assert_eq(be32(s->opt + 12), base + 30);
	/* Data carries them too. */
	tt_write(so, "x");
	s = tt_next();
	cr_assert_eq(s->len, 1);
	cr_assert_eq(s->optlen, 20);
	p.rnxt++;
	/* The first hole is filled: one block is left. */
	tt_inject(&p, TH_ACK | TH_PUSH, base, p.rnxt, "0123456789", 10);
	s = tt_next();
	cr_assert_eq(s->ack, base + 20);
	cr_assert_eq(s->optlen, 12);
	cr_assert_eq(be32(s->opt + 4), base + 30);
	tt_inject(&p, TH_ACK | TH_PUSH, base + 20, p.rnxt, "0123456789", 10);
	s = tt_next();
	cr_assert_eq(s->ack, base + 35);
	cr_assert_eq(s->optlen, 0);
	tt_close(so);
	tt_settle();
}

Test(tcpsack, at_most_four_blocks)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = connect_sack(so);

	for (uint32_t i = 1; i <= 7; i++)
		tt_inject(&p, TH_ACK, p.snxt + 10 * i, p.rnxt, "a", 1);
	cr_assert_eq(tt_segs[tt_nsent - 1].optlen, 4 + 4 * 8);
	cr_assert_eq(be32(tt_segs[tt_nsent - 1].opt + 4), p.snxt + 70);
	tt_close(so);
	tt_settle();
}

/* An ACK with SACK blocks, in segments of 1460 after the acknowledged one. */
static void sack(tt_peer_t *p, uint32_t ack, uint_t (*blk)[2], uint_t n)
{
	static uint8_t opt[40];

	opt[0] = opt[1] = 1;
	opt[2] = 5;
	opt[3] = (uint8_t)(2 + 8 * n);
	for (uint_t i = 0; i < n; i++) {
		put32(opt + 4 + 8 * i, p->rnxt + blk[i][0] * 1460);
		put32(opt + 8 + 8 * i, p->rnxt + blk[i][1] * 1460);
	}
	p->opt = opt;
	p->optlen = 4 + 8 * n;
	tt_inject(p, TH_ACK, p->snxt, ack, NULL, 0);
	p->optlen = 0;
}

/* Segments 0 and 2 of ten are lost; only they are sent again. */
Test(tcpsack, holes_retransmitted)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = connect_sack(so);
	tcp_t *tcp = tt_tcp(so);
	static char buf[10 * 1460];

	tcp->tcp_cwnd = 10 * 1460;
	tcp->tcp_snd_burst = 65535;
	tt_write_n(so, buf, sizeof(buf));
	for (int i = 0; i < 10; i++)
		(void)tt_next();
	sack(&p, p.rnxt, (uint_t[][2]){{1, 2}}, 1);
	sack(&p, p.rnxt, (uint_t[][2]){{3, 4}, {1, 2}}, 2);
	tt_quiet();
	sack(&p, p.rnxt, (uint_t[][2]){{3, 5}, {1, 2}}, 2);
	tt_expect(TH_ACK, p.rnxt, p.snxt, 1460);
	cr_assert_eq(tt_mib("tcpOutSackRetransSegs"), 1);
	cr_assert_eq(tcp->tcp_fack, p.rnxt + 5 * 1460);
	sack(&p, p.rnxt, (uint_t[][2]){{3, 6}, {1, 2}}, 2);
	/* A third block above segment 2: it is lost as well. */
	sack(&p, p.rnxt, (uint_t[][2]){{3, 7}, {1, 2}}, 2);
	sack(&p, p.rnxt, (uint_t[][2]){{3, 8}, {1, 2}}, 2);
	sack(&p, p.rnxt, (uint_t[][2]){{3, 9}, {1, 2}}, 2);
	sack(&p, p.rnxt, (uint_t[][2]){{3, 10}, {1, 2}}, 2);
	tt_expect(TH_ACK, p.rnxt + 2 * 1460, p.snxt, 1460);
	tt_quiet();
	tt_ack(&p, p.rnxt + 10 * 1460);
	cr_assert_eq(tcp->tcp_recovering, 0);
	cr_assert_null(tcp->tcp_notsack_list);
	cr_assert_eq(tt_mib("tcpRetransSegs"), 2);
	cr_assert_eq(tt_mib("tcpRetransBytes"), 2 * 1460);
	tt_close(so);
	tt_settle();
}

/* Blocks that make no sense change nothing. */
Test(tcpsack, nonsense)
{
	tt_sock_t *so = tt_open();
	tt_peer_t p = connect_sack(so);
	static char buf[2 * 1460];

	tt_write_n(so, buf, sizeof(buf));
	tt_taken = tt_nsent;
	sack(&p, p.rnxt, (uint_t[][2]){{5, 6}}, 1);
	sack(&p, p.rnxt, (uint_t[][2]){{2, 1}}, 1);
	cr_assert(tt_tcp(so)->tcp_sack_info == NULL || tt_tcp(so)->tcp_notsack_list == NULL);
	tt_quiet();
	tt_close(so);
	tt_settle();
}

/* ---- window scale, timestamps ---- */

Test(tcpsack, all_options_passive)
{
	tt_sock_t *lso = tt_listen(80, 5), *so;
	tt_peer_t p;
	const tt_seg_t *s;
	uint8_t ts[12] = {1, 1, 8, 10};

	p = tt_syn(80, 5000, all_opt, sizeof(all_opt));
	s = &tt_segs[tt_nsent - 1];
	/* MSS; window scale 0 (48 KB need none); SACK; timestamp that echoes 0x100. */
	cr_assert_arr_eq(s->opt, ((uint8_t[]){2, 4, 5, 0xb4, 1, 3, 3, 0, 4, 2, 8, 10}), 12);
	cr_assert_eq(be32(s->opt + 16), 0x100);
	cr_assert_eq(s->optlen, 20);
	put32(ts + 4, 0x101);
	put32(ts + 8, be32(s->opt + 12));
	p.opt = ts;
	p.optlen = 12;
	p.win = 1000;
	tt_ack(&p, p.rnxt);
	so = tt_accept(tt_conn_ind(lso));
	cr_assert_eq(tt_tcp(so)->tcp_swnd, 4000); /* shifted by 2 */
	cr_assert_eq(tt_tcp(so)->tcp_mss, 1448);
	tt_send(&p, TH_PUSH, "x");
	s = tt_next();
	cr_assert_eq(s->optlen, 12);
	cr_assert_eq(be32(s->opt + 8), 0x101);
	cr_assert_eq(be32(s->opt + 4), (uint32_t)ddi_get_lbolt());
	tt_close(so);
	tt_close(lso);
	tt_settle();
}

Test(tcpsack, paws)
{
	tt_sock_t *lso = tt_listen(80, 5), *so;
	tt_peer_t p = tt_syn(80, 5000, all_opt, sizeof(all_opt));
	uint8_t ts[12] = {1, 1, 8, 10};

	p.opt = ts;
	p.optlen = 12;
	put32(ts + 4, 0x200);
	tt_ack(&p, p.rnxt);
	so = tt_accept(tt_conn_ind(lso));
	tt_send(&p, TH_PUSH, "new");
	tt_data(so, "new");
	(void)tt_next();
	/* From before: dropped, acknowledged. */
	put32(ts + 4, 0x1ff);
	tt_inject(&p, TH_ACK | TH_PUSH, p.snxt, p.rnxt, "old", 3);
	tt_expect(TH_ACK, p.rnxt, p.snxt, 0);
	cr_assert(tt_idle(so));
	cr_assert_eq(tt_tcp(so)->tcp_rnxt, p.snxt);
	/* After 24 days without a word a stale value is believed. */
	machine_run(machine_now() + 25LL * 24 * 3600 * 1000000000LL);
	tt_inject(&p, TH_ACK | TH_PUSH, p.snxt, p.rnxt, "old", 3);
	tt_data(so, "old");
	cr_assert_eq(tt_tcp(so)->tcp_ts_recent, 0x1ff);
	tt_close(so);
	tt_close(lso);
	tt_settle();
}

/* A buffer over 64 KB is offered with a scale, and with timestamps then. */
Test(tcpsack, window_scale_active)
{
	tt_sock_t *so = tt_open();
	const tt_seg_t *s;
	tt_peer_t p = {.addr = TT_PEER,
		       .host = TT_HOST,
		       .port = 80,
		       .win = 500,
		       .opt = all_opt,
		       .optlen = sizeof(all_opt),
		       .snxt = TT_ISN + 1};
	uint8_t ts[12] = {1, 1, 8, 10};

	tt_setopt(so, SOL_SOCKET, SO_RCVBUF, 400000);
	tt_conn_req(so, TT_PEER, 80);
	tt_eat(so, T_OK_ACK);
	s = tt_next();
	cr_assert_arr_eq(s->opt, ((uint8_t[]){2, 4, 5, 0xb4, 1, 3, 3, 3, 4, 2, 8, 10}), 12);
	cr_assert_eq(s->win, 65535);
	p.hport = s->sport;
	p.rnxt = s->seq + 1;
	tt_inject(&p, TH_SYN | TH_ACK, TT_ISN, p.rnxt, NULL, 0);
	tt_eat(so, T_CONN_CON);
	s = tt_next();
	/* 400000 rounded up to 277 * 1448, an eighth of it. */
	cr_assert_eq(s->win, 277 * 1448 / 8);
	cr_assert_eq(tt_tcp(so)->tcp_swnd, 500); /* that of a SYN is not scaled */
	p.opt = ts;
	p.optlen = 12;
	put32(ts + 4, 0x300);
	tt_send(&p, TH_PUSH, "z");
	tt_ack(&p, p.rnxt);
	cr_assert_eq(tt_tcp(so)->tcp_swnd, 2000);
	tt_close(so);
	tt_settle();
}

/* Options that are cut short or have impossible lengths end the list. */
Test(tcpsack, malformed_options)
{
	static const uint8_t bad[][8] = {{2, 4, 5}, {3, 0, 0, 0}, {8, 40, 0, 0}, {5, 1}, {2, 3, 1, 1}, {0xff, 0xff}};
	tt_sock_t *lso = tt_listen(80, 128);

	for (uint16_t i = 0; i < 6; i++) {
		tt_peer_t p = {.addr = TT_PEER,
			       .host = TT_HOST,
			       .port = (uint16_t)(5000 + i),
			       .hport = 80,
			       .win = 1000,
			       .opt = bad[i],
			       .optlen = i == 0 ? 4 : 8};
		tt_inject(&p, TH_SYN, 1, 0, NULL, 0);
		cr_assert_eq(tt_next()->flags, TH_SYN | TH_ACK);
	}
	tt_close(lso);
}
