/*
 * For tests of TCP: one interface of the modelled host (10.0.0.1/24) whose
 * other side is the test.  Streams are opened on the tcp driver below a head
 * that keeps what comes up; segments are made by hand and given to
 * ip_tcp_input; frames that reach the driver are taken apart again.
 */
#ifndef STRSIM_TCPTEST_H
#define STRSIM_TCPTEST_H

#include "strtest.h"
#include "ip/ip_impl.h"
#include "ip/tcp.h"
#include "ip/tcp_repair.h"
#include "sys/socket.h"
#include "sys/tcp_opt.h"
#include "sys/tihdr.h"
#include "sys/tiuser.h"

#define TT_HOST htonl(0x0a000001U)   /* 10.0.0.1, ours */
#define TT_PEER htonl(0x0a000002U)   /* 10.0.0.2, on the link */
#define TT_FAR htonl(0xc0a80001U)    /* 192.168.0.1, behind a gateway */
#define TT_NOBODY htonl(0xc0a80101U) /* no route */

/* The test's own messages do not fail for long when the kernel's are made to. */
TEST_FN mblk_t *tt_allocb(size_t size)
{
	mblk_t *mp = allocb(size, BPRI_HI);

	if (mp == NULL)
		mp = allocb(size, BPRI_HI);
	cr_assert_not_null(mp);
	return mp;
}

/* ---- frames that were sent ---- */

typedef struct tt_seg {
	ipaddr_t src, dst;
	uint16_t sport, dport; /* host order */
	uint32_t seq, ack;
	uint_t flags, win, urp, len, hdrlen, optlen;
	uint8_t opt[40];
	uchar_t data[2048];
	bool fast; /* came with a link header in the same block */
	char callers[512];
} tt_seg_t;

#define TT_MAXSEG 4096
static tt_seg_t *tt_segs; /* sent, oldest first */
static uint_t tt_nsent, tt_taken;

TEST_FN void tt_record(mblk_t *mp)
{
	_Alignas(8) uchar_t room[2048 + 100];
	uchar_t *buf = room + 2; /* so that the IP header is aligned */
	size_t n = 0;
	tt_seg_t *s = &tt_segs[tt_nsent++];
	const ipha_t *ipha;
	const tcph_t *th;

	cr_assert_lt(tt_nsent, TT_MAXSEG);
	memset(s, 0, sizeof(*s));
	s->fast = MBLKL(mp) >= 54;
	snprintf(s->callers, sizeof(s->callers), "%s", st_callers(8));
	for (const mblk_t *bp = mp; bp != NULL; bp = bp->b_cont) {
		memcpy(buf + n, bp->b_rptr, (size_t)MBLKL(bp));
		n += (size_t)MBLKL(bp);
	}
	cr_assert_geq(n, 54);
	ipha = (const ipha_t *)(const void *)(buf + 14);
	cr_assert_eq(ntohs(ipha->ipha_length), n - 14);
	cr_assert_eq(ip_csum_hdr(ipha), 0, "IP header checksum");
	mblk_t *copy = tt_allocb(n);
	memcpy(copy->b_wptr, buf + 14, n - 14);
	copy->b_wptr += n - 14;
	cr_assert_eq(
	    ip_cksum(copy, 20, ip_pseudo_sum(ipha->ipha_src, ipha->ipha_dst) + htons(IPPROTO_TCP) + htons(n - 34)),
	    0xffff, "TCP checksum");
	freemsg(copy);
	th = (const tcph_t *)(const void *)(ipha + 1);
	s->src = ipha->ipha_src;
	s->dst = ipha->ipha_dst;
	s->sport = (uint16_t)(th->th_lport[0] << 8 | th->th_lport[1]);
	s->dport = (uint16_t)(th->th_fport[0] << 8 | th->th_fport[1]);
	s->seq = (uint32_t)th->th_seq[0] << 24 | (uint32_t)th->th_seq[1] << 16 | (uint32_t)th->th_seq[2] << 8 |
		 th->th_seq[3];
	s->ack = (uint32_t)th->th_ack[0] << 24 | (uint32_t)th->th_ack[1] << 16 | (uint32_t)th->th_ack[2] << 8 |
		 th->th_ack[3];
	s->flags = th->th_flags[0];
	s->win = (uint_t)(th->th_win[0] << 8 | th->th_win[1]);
	s->urp = (uint_t)(th->th_urp[0] << 8 | th->th_urp[1]);
	s->hdrlen = (uint_t)TCP_HDR_LENGTH(th);
	s->optlen = s->hdrlen - 20;
	memcpy(s->opt, th + 1, s->optlen);
	s->len = (uint_t)n - 34 - s->hdrlen;
	memcpy(s->data, (const uchar_t *)th + s->hdrlen, s->len);
}

/* ---- the interface ---- */

static stdata_t *tt_wire;
static ill_t tt_ill;
static ipif_t tt_ipif;
static ire_t *tt_local;
static void (*tt_on_tx)(const tt_seg_t *s); /* a peer that answers at once */

static int tt_wire_wput(queue_t *q, mblk_t *mp)
{
	(void)q;
	tt_record(mp);
	freemsg(mp);
	if (tt_on_tx != NULL)
		tt_on_tx(&tt_segs[tt_nsent - 1]);
	return 0;
}
STR_MODULE(ttwire, NULL, NULL, tt_wire_wput, NULL, 65536, 1024, D_MP);

/* A host that can be reached, gateway 0 = on the link. */
TEST_FN ire_t *tt_route(ipaddr_t addr, ipaddr_t gateway)
{
	ire_t *ire = ire_create(addr, INADDR_BROADCAST, gateway, TT_HOST, IRE_CACHE, &tt_ipif, tt_wire->sd_wrq);

	ire->ire_fp_mp = st_msg(M_DATA, "dddddddddddd\010\001");
	ire->ire_marks |= IRE_MARK_STATIC;
	cr_assert_eq(ire_add(ire), 0);
	return ire;
}

TEST_FN void tt_boot(void)
{
	st_boot();
	tt_segs = calloc(TT_MAXSEG, sizeof(*tt_segs));
	tt_nsent = tt_taken = 0;
	tt_wire = st_open();
	(void)st_drive(tt_wire, &ttwire_dev);
	memset(&tt_ill, 0, sizeof(tt_ill));
	memset(&tt_ipif, 0, sizeof(tt_ipif));
	tt_ill.ill_phyint = &tt_ill.ill_phyint0;
	tt_ill.ill_phyint0.phyint_ifindex = 77;
	tt_ill.ill_wq = tt_wire->sd_wrq;
	tt_ill.ill_rq = RD(tt_wire->sd_wrq);
	tt_ill.ill_type = IFT_ETHER;
	tt_ill.ill_max_frag = 1500;
	tt_ill.ill_ipif = &tt_ipif;
	tt_ipif.ipif_ill = &tt_ill;
	tt_ipif.ipif_mtu = 1500;
	tt_ipif.ipif_lcl_addr = TT_HOST;
	tt_ipif.ipif_net_mask = htonl(0xffffff00U);
	tt_ipif.ipif_subnet = TT_HOST & tt_ipif.ipif_net_mask;
	tt_ipif.ipif_brd_addr = htonl(0x0a0000ffU);
	ill_g_head->ill_next = &tt_ill;
	tt_local = ire_create(TT_HOST, INADDR_BROADCAST, 0, TT_HOST, IRE_LOCAL, &tt_ipif, NULL);
	cr_assert_eq(ire_add(tt_local), 0);
	(void)tt_route(TT_PEER, 0);
	(void)tt_route(TT_FAR, htonl(0x0a0000feU));
}

TEST_FN void tt_halt(void)
{
	free(tt_segs);
	ire_delete_ill(&tt_ill);
	ill_g_head->ill_next = NULL;
	st_close(tt_wire);
	st_halt();
}
#define TCP_SUITE(name) TestSuite(name, .init = tt_boot, .fini = tt_halt, .timeout = 60)

/* The next frame sent; fails when there is none. */
TEST_FN const tt_seg_t *tt_next(void)
{
	cr_assert_lt(tt_taken, tt_nsent, "nothing was sent");
	return &tt_segs[tt_taken++];
}

#define tt_quiet() cr_assert_eq(tt_taken, tt_nsent, "%u segments more than expected", tt_nsent - tt_taken)

/* ---- streams above ---- */

#define TT_MAXMSG 4096
typedef struct tt_sock {
	stdata_t *stp;
	mblk_t *up[TT_MAXMSG]; /* came up, oldest first */
	uint_t nup, taken;
	bool full; /* the head is flow controlled */
	char callers[512];
} tt_sock_t;

static int tt_head_rput(queue_t *q, mblk_t *mp)
{
	tt_sock_t *so = q->q_ptr;

	snprintf(so->callers, sizeof(so->callers), "%s", st_callers(8));
	cr_assert_lt(so->nup, TT_MAXMSG);
	so->up[so->nup++] = mp;
	return 0;
}

static struct module_info tt_head_info = {0, "strrhead", 0, INFPSZ, 65536, 1024};
static struct qinit tt_head_rinit = {.qi_putp = tt_head_rput, .qi_minfo = &tt_head_info};
static struct qinit tt_head_winit = {.qi_minfo = &tt_head_info};

/* Open /dev/tcp or tcp6. */
TEST_FN tt_sock_t *tt_open_dev(const char *name)
{
	tt_sock_t *so = calloc(1, sizeof(*so));
	const devsw_t *dp = devsw_find(name);
	queue_t *rq = allocq();
	dev_t dev = makedevice(devsw_major(dp), 0);

	so->stp = kmem_zalloc(sizeof(*so->stp), KM_SLEEP);
	so->stp->sd_wrq = _WR(rq);
	rq->q_stream = _WR(rq)->q_stream = so->stp;
	setq(rq, &tt_head_rinit, &tt_head_winit, D_MP, NULL, NULL);
	rq->q_ptr = so;
	cr_assert_eq(qattach(rq, &dev, 0, kcred, NULL, dp), 0);
	return so;
}

TEST_FN tt_sock_t *tt_open(void)
{
	return tt_open_dev("tcp");
}

TEST_FN conn_t *tt_conn(tt_sock_t *so)
{
	return so->stp->sd_wrq->q_next->q_ptr;
}

TEST_FN tcp_t *tt_tcp(tt_sock_t *so)
{
	return tt_conn(so)->conn_tcp;
}

TEST_FN void tt_close(tt_sock_t *so)
{
	st_close(so->stp);
	for (; so->taken < so->nup; so->taken++)
		freemsg(so->up[so->taken]);
	free(so);
}

/* The next message that came up; the caller frees it. */
TEST_FN mblk_t *tt_up(tt_sock_t *so)
{
	cr_assert_lt(so->taken, so->nup, "nothing came up");
	return so->up[so->taken++];
}

TEST_FN bool tt_idle(tt_sock_t *so)
{
	return so->taken == so->nup;
}

/* Skip M_SETOPTS, expect a primitive; the caller frees it. */
TEST_FN mblk_t *tt_prim(tt_sock_t *so, int32_t prim)
{
	mblk_t *mp = tt_up(so);

	while (DB_TYPE(mp) == M_SETOPTS) {
		freemsg(mp);
		mp = tt_up(so);
	}
	cr_assert(DB_TYPE(mp) == M_PROTO || DB_TYPE(mp) == M_PCPROTO, "type %x", DB_TYPE(mp));
	cr_assert_eq(*(int32_t *)(void *)mp->b_rptr, prim, "primitive %d, not %d", *(int32_t *)(void *)mp->b_rptr,
		     prim);
	return mp;
}

TEST_FN void tt_eat(tt_sock_t *so, int32_t prim)
{
	freemsg(tt_prim(so, prim));
}

/* T_ERROR_ACK with these errors. */
TEST_FN void tt_error(tt_sock_t *so, int terr, int uerr)
{
	mblk_t *mp = tt_prim(so, T_ERROR_ACK);
	struct T_error_ack *tea = (struct T_error_ack *)(void *)mp->b_rptr;

	cr_assert_eq(tea->TLI_error, terr, "TLI error %d", tea->TLI_error);
	cr_assert_eq(tea->UNIX_error, uerr, "UNIX error %d", tea->UNIX_error);
	freemsg(mp);
}

/* Expect plain data. */
TEST_FN void tt_data(tt_sock_t *so, const char *text)
{
	mblk_t *mp = tt_up(so);
	char buf[70000];
	size_t n = 0;

	while (DB_TYPE(mp) == M_SETOPTS) {
		freemsg(mp);
		mp = tt_up(so);
	}
	cr_assert_eq(DB_TYPE(mp), M_DATA, "type %x", DB_TYPE(mp));
	for (const mblk_t *bp = mp; bp != NULL; bp = bp->b_cont) {
		memcpy(buf + n, bp->b_rptr, (size_t)MBLKL(bp));
		n += (size_t)MBLKL(bp);
	}
	buf[n] = '\0';
	cr_assert_str_eq(buf, text);
	freemsg(mp);
}

TEST_FN void tt_down(tt_sock_t *so, mblk_t *mp)
{
	putnext(so->stp->sd_wrq, mp);
}

/* A write of the stream head: with its write offset in front. */
TEST_FN void tt_write_n(tt_sock_t *so, const void *p, size_t n)
{
	mblk_t *mp = tt_allocb(n + 120);

	mp->b_rptr = mp->b_wptr = mp->b_rptr + 120;
	memcpy(mp->b_wptr, p, n);
	mp->b_wptr += n;
	tt_down(so, mp);
}

TEST_FN void tt_write(tt_sock_t *so, const char *text)
{
	tt_write_n(so, text, strlen(text));
}

TEST_FN mblk_t *tt_tpi(int32_t prim, size_t size)
{
	mblk_t *mp = tt_allocb(size);

	DB_TYPE(mp) = M_PROTO;
	memset(mp->b_wptr, 0, size);
	mp->b_wptr += size;
	*(int32_t *)(void *)mp->b_rptr = prim;
	return mp;
}

TEST_FN void tt_simple(tt_sock_t *so, int32_t prim)
{
	tt_down(so, tt_tpi(prim, sizeof(t_scalar_t)));
}

TEST_FN void tt_bind_req(tt_sock_t *so, int32_t prim, ipaddr_t addr, uint16_t port, uint_t backlog)
{
	mblk_t *mp = tt_tpi(prim, sizeof(struct T_bind_req) + sizeof(sin_t));
	struct T_bind_req *tbr = (struct T_bind_req *)(void *)mp->b_rptr;
	sin_t *sin = (sin_t *)(void *)(tbr + 1);

	tbr->ADDR_length = sizeof(*sin);
	tbr->ADDR_offset = sizeof(*tbr);
	tbr->CONIND_number = backlog;
	sin->sin_family = AF_INET;
	sin->sin_port = htons(port);
	sin->sin_addr.s_addr = addr;
	tt_down(so, mp);
}

TEST_FN void tt_conn_req(tt_sock_t *so, ipaddr_t addr, uint16_t port)
{
	mblk_t *mp = tt_tpi(T_CONN_REQ, sizeof(struct T_conn_req) + sizeof(sin_t));
	struct T_conn_req *tcr = (struct T_conn_req *)(void *)mp->b_rptr;
	sin_t *sin = (sin_t *)(void *)(tcr + 1);

	tcr->DEST_length = sizeof(*sin);
	tcr->DEST_offset = sizeof(*tcr);
	sin->sin_family = AF_INET;
	sin->sin_port = htons(port);
	sin->sin_addr.s_addr = addr;
	tt_down(so, mp);
}

TEST_FN void tt_discon_req(tt_sock_t *so, int32_t seq)
{
	mblk_t *mp = tt_tpi(T_DISCON_REQ, sizeof(struct T_discon_req));

	((struct T_discon_req *)(void *)mp->b_rptr)->SEQ_number = seq;
	tt_down(so, mp);
}

/* T_CONN_RES by stream `by' for the acceptor with that id. */
TEST_FN void tt_conn_res(tt_sock_t *by, uint32_t id, int32_t seq)
{
	mblk_t *mp = tt_tpi(T_CONN_RES, sizeof(struct T_conn_res));
	struct T_conn_res *tcr = (struct T_conn_res *)(void *)mp->b_rptr;

	tcr->ACCEPTOR_id = id;
	tcr->SEQ_number = seq;
	tt_down(by, mp);
}

/* One option; len bytes at val.  The answer is left upstream. */
TEST_FN void tt_opt_req(tt_sock_t *so, int flags, uint32_t level, uint32_t name, const void *val, uint32_t len)
{
	mblk_t *mp = tt_tpi(T_SVR4_OPTMGMT_REQ, sizeof(struct T_optmgmt_req) + sizeof(struct opthdr) + OPTLEN(len));
	struct T_optmgmt_req *tor = (struct T_optmgmt_req *)(void *)mp->b_rptr;
	struct opthdr *oh = (struct opthdr *)(void *)(tor + 1);

	tor->OPT_length = (t_scalar_t)(sizeof(*oh) + OPTLEN(len));
	tor->OPT_offset = sizeof(*tor);
	tor->MGMT_flags = flags;
	*oh = (struct opthdr){level, name, len};
	if (val != NULL)
		memcpy(OPTVAL(oh), val, len);
	tt_down(so, mp);
}

TEST_FN void tt_setopt(tt_sock_t *so, uint32_t level, uint32_t name, int32_t v)
{
	tt_opt_req(so, T_NEGOTIATE, level, name, &v, sizeof(v));
	tt_eat(so, T_OPTMGMT_ACK);
}

TEST_FN int32_t tt_getopt(tt_sock_t *so, uint32_t level, uint32_t name)
{
	int32_t v = 0;

	tt_opt_req(so, T_CURRENT, level, name, &v, sizeof(v));
	mblk_t *mp = tt_prim(so, T_OPTMGMT_ACK);
	memcpy(&v, mp->b_rptr + sizeof(struct T_optmgmt_ack) + sizeof(struct opthdr), sizeof(v));
	freemsg(mp);
	return v;
}

/* ---- the peer ---- */

typedef struct tt_peer {
	ipaddr_t addr, host;
	uint16_t port, hport;
	uint32_t snxt, rnxt; /* next it sends, next it expects */
	uint32_t win;
	const void *opt; /* options of the next segment */
	uint_t optlen;
	uint_t urp;
} tt_peer_t;

/* A segment with any numbers. */
TEST_FN void tt_inject(tt_peer_t *p, uint_t flags, uint32_t seq, uint32_t ack, const void *data, size_t len)
{
	uint_t hl = 20 + p->optlen, total = 20 + hl + (uint_t)len;
	mblk_t *mp = tt_allocb(total + 16);
	ipha_t *ipha;
	tcph_t *th;

	mp->b_rptr = mp->b_wptr = mp->b_rptr + 16;
	memset(mp->b_rptr, 0, total);
	mp->b_wptr += total;
	ipha = (ipha_t *)(void *)mp->b_rptr;
	th = (tcph_t *)(void *)(ipha + 1);
	ipha->ipha_version_and_hdr_length = 0x45;
	ipha->ipha_length = htons(total);
	ipha->ipha_ttl = 64;
	ipha->ipha_protocol = IPPROTO_TCP;
	ipha->ipha_src = p->addr;
	ipha->ipha_dst = p->host;
	ipha->ipha_hdr_checksum = ip_csum_hdr(ipha);
	uint16_t w16[] = {htons(p->port), htons(p->hport)};
	memcpy(th, w16, 4);
	uint32_t w32[] = {htonl(seq), htonl(flags & TH_ACK ? ack : 0)};
	memcpy(th->th_seq, w32, 8);
	th->th_offset_and_rsrvd[0] = (uint8_t)(hl << 2);
	th->th_flags[0] = (uint8_t)flags;
	w16[0] = htons(p->win);
	memcpy(th->th_win, w16, 2);
	w16[0] = htons(p->urp);
	memcpy(th->th_urp, w16, 2);
	if (p->optlen > 0)
		memcpy(th + 1, p->opt, p->optlen);
	if (len > 0)
		memcpy((uchar_t *)th + hl, data, len);
	w16[0] = (uint16_t)~ip_cksum(mp, 20, ip_pseudo_sum(p->addr, p->host) + htons(IPPROTO_TCP) + htons(total - 20));
	memcpy(th->th_sum, w16, 2);
	DB_RECVIF(mp) = 77;
	ip_tcp_input(tt_ill.ill_rq, mp, ipha, tt_local, &tt_ill);
}

/* What comes next in the peer's sequence space. */
TEST_FN void tt_send(tt_peer_t *p, uint_t flags, const char *text)
{
	size_t n = strlen(text);

	tt_inject(p, flags | TH_ACK, p->snxt, p->rnxt, text, n);
	p->snxt += (uint32_t)n + ((flags & TH_FIN) != 0);
}

TEST_FN void tt_ack(tt_peer_t *p, uint32_t ack)
{
	p->rnxt = ack;
	tt_inject(p, TH_ACK, p->snxt, ack, NULL, 0);
}

static const uint8_t tt_mss_opt[4] = {2, 4, 1460 >> 8, 1460 & 255};
#define TT_ISN 0x10000000U

/* Connect so to the peer: after the handshake, everything taken off the lists. */
TEST_FN tt_peer_t tt_connect_opts(tt_sock_t *so, ipaddr_t addr, const void *opt, uint_t optlen, uint32_t isn)
{
	const tt_seg_t *s;
	tt_peer_t p = {.addr = addr, .host = TT_HOST, .port = 80, .win = 32768, .opt = opt, .optlen = optlen};

	tt_conn_req(so, addr, 80);
	tt_eat(so, T_OK_ACK);
	s = tt_next();
	cr_assert_eq(s->flags, TH_SYN);
	p.hport = s->sport;
	p.rnxt = s->seq + 1;
	p.snxt = isn + 1;
	tt_inject(&p, TH_SYN | TH_ACK, isn, p.rnxt, NULL, 0);
	p.optlen = 0;
	s = tt_next();
	cr_assert_eq(s->flags, TH_ACK);
	cr_assert_eq(s->seq, p.rnxt);
	cr_assert_eq(s->ack, p.snxt);
	tt_eat(so, T_CONN_CON);
	return p;
}

TEST_FN tt_peer_t tt_connect(tt_sock_t *so)
{
	return tt_connect_opts(so, TT_PEER, tt_mss_opt, sizeof(tt_mss_opt), TT_ISN);
}

TEST_FN tt_sock_t *tt_listen(uint16_t port, uint_t backlog)
{
	tt_sock_t *so = tt_open();

	tt_bind_req(so, T_BIND_REQ, INADDR_ANY, port, backlog);
	tt_eat(so, T_BIND_ACK);
	return so;
}

/* A peer's SYN to a listener; the SYN and ACK is checked, the handshake not completed. */
TEST_FN tt_peer_t tt_syn(uint16_t port, uint16_t from, const void *opt, uint_t optlen)
{
	const tt_seg_t *s;
	tt_peer_t p = {.addr = TT_PEER,
		       .host = TT_HOST,
		       .port = from,
		       .hport = port,
		       .win = 32768,
		       .opt = opt,
		       .optlen = optlen,
		       .snxt = TT_ISN + 1};

	tt_inject(&p, TH_SYN, TT_ISN, 0, NULL, 0);
	p.optlen = 0;
	s = tt_next();
	cr_assert_eq(s->flags, TH_SYN | TH_ACK);
	cr_assert_eq(s->ack, TT_ISN + 1);
	p.rnxt = s->seq + 1;
	return p;
}

/* Sequence number of the T_CONN_IND that came up. */
TEST_FN int32_t tt_conn_ind(tt_sock_t *lso)
{
	mblk_t *mp = tt_prim(lso, T_CONN_IND);
	int32_t seq = ((struct T_conn_ind *)(void *)mp->b_rptr)->SEQ_number;

	freemsg(mp);
	return seq;
}

/* A stream accepts the indicated connection (as sockets do). */
TEST_FN tt_sock_t *tt_accept(int32_t seq)
{
	tt_sock_t *so = tt_open();

	tt_conn_res(so, 0, seq);
	tt_eat(so, T_OK_ACK);
	return so;
}

/* A connection made from the outside, accepted. */
TEST_FN tt_sock_t *tt_passive(tt_sock_t *lso, uint16_t port, uint16_t from, tt_peer_t *p)
{
	*p = tt_syn(port, from, tt_mss_opt, sizeof(tt_mss_opt));
	tt_ack(p, p->rnxt);
	tt_sock_t *so = tt_accept(tt_conn_ind(lso));
	return so;
}

TEST_FN void tt_expect(uint_t flags, uint32_t seq, uint32_t ack, uint_t len)
{
	const tt_seg_t *s = tt_next();

	cr_assert_eq(s->flags, flags, "flags %x, not %x", s->flags, flags);
	cr_assert_eq(s->seq, seq, "sequence %x, not %x", s->seq, seq);
	cr_assert_eq(s->ack, ack, "acknowledgement %x, not %x", s->ack, ack);
	cr_assert_eq(s->len, len, "length %u, not %u", s->len, len);
}

TEST_FN uint64_t tt_mib(const char *name)
{
	bool found;
	uint64_t v = mib_value(name, &found);

	cr_assert(found, "%s", name);
	return v;
}

/* Drop what is in TIME_WAIT or lingers detached, so that nothing is alive at the end. */
TEST_FN void tt_settle(void)
{
	machine_run(machine_now() + 800LL * 1000000000LL);
}

#endif
