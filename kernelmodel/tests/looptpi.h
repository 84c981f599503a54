/*
 * A transport for tests: a driver that speaks TPI and connects endpoints of the
 * same machine by port number, connection-oriented as /dev/tcp and connectionless
 * as /dev/udp.  Port 9999 never answers a T_CONN_REQ.  One test file includes it.
 */
#ifndef STRSIM_TESTS_LOOPTPI_H
#define STRSIM_TESTS_LOOPTPI_H

#include <string.h>
#include "sys/errno.h"
#include "sys/signal.h"
#include "sys/socketvar.h"
#include "sys/tiuser.h"

typedef struct ep {
	queue_t *rq, *wq;
	bool clts, bound, listening, connected, ordrel_sent;
	in_port_t port; /* host order */
	in_port_t fport;
	struct ep *peer;
	t_uscalar_t id;
	int nodelay;
	struct ep *next;
} ep_t;
typedef struct pend {
	ep_t *client, *listener;
	t_scalar_t seq;
	struct pend *next;
} pend_t;

static ep_t *eps;
static pend_t *pends;
static t_scalar_t lastseq;
static t_uscalar_t lastid;
static in_port_t anonport = 40000;
static int accept_failures; /* so many T_CONN_RES are refused with TBADSEQ */

static struct sockaddr_in lt_sin(in_port_t port)
{
	struct sockaddr_in sin = {.sin_family = AF_INET, .sin_port = (in_port_t)(port << 8 | port >> 8)};

	sin.sin_addr.s_addr = 0x0100007f;
	return sin;
}

static ep_t *lt_find(in_port_t port, bool clts, bool listening)
{
	for (ep_t *e = eps; e != NULL; e = e->next) {
		if (e->bound && e->port == port && e->clts == clts && (!listening || e->listening))
			return e;
	}
	return NULL;
}

/* A message up: primitive, then an address. */
static void lt_up(ep_t *e, int type, const void *prim, size_t size, const struct sockaddr_in *sin, mblk_t *data)
{
	mblk_t *mp;

	kmem_fail_nth(0); /* this transport always has memory */
	allocb_fail_nth(0);
	mp = allocb(size + 64, BPRI_MED);
	DB_TYPE(mp) = (uint8_t)type;
	memcpy(mp->b_wptr, prim, size);
	mp->b_wptr += size;
	if (sin != NULL) {
		memcpy(mp->b_wptr, sin, sizeof(*sin));
		mp->b_wptr += sizeof(*sin);
	}
	mp->b_cont = data;
	putnext(e->rq, mp);
}
static void lt_ok(ep_t *e, t_scalar_t prim)
{
	struct T_ok_ack a = {T_OK_ACK, prim};

	lt_up(e, M_PCPROTO, &a, sizeof(a), NULL, NULL);
}
static void lt_err(ep_t *e, t_scalar_t prim, int tli, int sys)
{
	struct T_error_ack a = {T_ERROR_ACK, prim, tli, sys};

	lt_up(e, M_PCPROTO, &a, sizeof(a), NULL, NULL);
}
static void lt_discon(ep_t *e, int reason, t_scalar_t seq)
{
	struct T_discon_ind d = {T_DISCON_IND, reason, seq};

	lt_up(e, M_PROTO, &d, sizeof(d), NULL, NULL);
}
static void lt_conncon(ep_t *e)
{
	struct sockaddr_in sin = lt_sin(e->fport);
	struct T_conn_con c = {T_CONN_CON, sizeof(sin), sizeof(c), 0, 0};

	e->connected = true;
	lt_up(e, M_PROTO, &c, sizeof(c), &sin, NULL);
}

static void lt_capability(ep_t *e)
{
	struct T_capability_ack a = {
	    .PRIM_type = T_CAPABILITY_ACK, .CAP_bits1 = TC1_INFO | TC1_ACCEPTOR_ID, .ACCEPTOR_id = e->id};

	a.INFO_ack = (struct T_info_ack){.PRIM_type = T_INFO_ACK,
					 .TSDU_size = e->clts ? 65507 : 0,
					 .ETSDU_size = e->clts ? T_INVALID : T_INFINITE,
					 .CDATA_size = T_INVALID,
					 .DDATA_size = T_INVALID,
					 .ADDR_size = 16,
					 .OPT_size = 256,
					 .TIDU_size = e->clts ? 65507 : 16384,
					 .SERV_type = e->clts ? T_CLTS : T_COTS_ORD};
	lt_up(e, M_PCPROTO, &a, sizeof(a), NULL, NULL);
}

static void lt_bind(ep_t *e, mblk_t *mp)
{
	const struct T_bind_req *r = (const struct T_bind_req *)mp->b_rptr;
	struct sockaddr_in sin = {0};
	struct T_bind_ack a = {T_BIND_ACK, sizeof(sin), sizeof(a), r->CONIND_number};

	if (e->bound) {
		lt_err(e, T_BIND_REQ, TOUTSTATE, 0);
		return;
	}
	if (r->ADDR_length != 0)
		memcpy(&sin, mp->b_rptr + r->ADDR_offset, sizeof(sin));
	e->port = (in_port_t)(sin.sin_port << 8 | sin.sin_port >> 8);
	if (e->port == 0)
		e->port = anonport++;
	if (lt_find(e->port, e->clts, false) != NULL) {
		lt_err(e, T_BIND_REQ, TADDRBUSY, 0);
		return;
	}
	e->bound = true;
	e->listening = r->CONIND_number > 0;
	sin = lt_sin(e->port);
	lt_up(e, M_PCPROTO, &a, sizeof(a), &sin, NULL);
}

static void lt_connreq(ep_t *e, mblk_t *mp)
{
	const struct T_conn_req *r = (const struct T_conn_req *)mp->b_rptr;
	struct sockaddr_in sin;
	struct T_conn_ind ind = {T_CONN_IND, sizeof(sin), sizeof(ind) + sizeof(void *), sizeof(void *), sizeof(ind), 0};
	char buf[sizeof(ind) + sizeof(void *)];
	ep_t *l;
	pend_t *p;

	memcpy(&sin, mp->b_rptr + r->DEST_offset, sizeof(sin));
	e->fport = (in_port_t)(sin.sin_port << 8 | sin.sin_port >> 8);
	if (!e->bound) {
		e->port = anonport++;
		e->bound = true;
	}
	lt_ok(e, T_CONN_REQ);
	if (e->clts) {
		lt_conncon(e);
		return;
	}
	if (e->fport == 9999)
		return;
	l = lt_find(e->fport, false, true);
	if (l == NULL) {
		lt_discon(e, ECONNREFUSED, -1);
		return;
	}
	p = kmem_zalloc(sizeof(*p), KM_SLEEP);
	*p = (pend_t){e, l, ++lastseq, pends};
	pends = p;
	ind.SEQ_number = p->seq;
	memcpy(buf, &ind, sizeof(ind));
	memcpy(buf + sizeof(ind), &e, sizeof(e));
	sin = lt_sin(e->port);
	lt_up(l, M_PROTO, buf, sizeof(buf), &sin, NULL);
	lt_conncon(e);
}

static pend_t *lt_takepend(t_scalar_t seq)
{
	pend_t **pp = &pends, *p;

	while (*pp != NULL && (*pp)->seq != seq)
		pp = &(*pp)->next;
	p = *pp;
	if (p != NULL)
		*pp = p->next;
	return p;
}

static void lt_connres(ep_t *e, mblk_t *mp)
{
	const struct T_conn_res *r = (const struct T_conn_res *)mp->b_rptr;
	pend_t *p = accept_failures > 0 ? NULL : lt_takepend(r->SEQ_number);

	if (p == NULL) {
		accept_failures--;
		lt_err(e, T_CONN_RES, TBADSEQ, 0);
		return;
	}
	lt_ok(e, T_CONN_RES);
	e->peer = p->client;
	p->client->peer = e;
	e->port = p->listener->port;
	e->fport = p->client->port;
	e->connected = true;
	kmem_free(p, sizeof(*p));
	qenable(e->peer->wq);
}

static void lt_optmgmt(ep_t *e, mblk_t *mp)
{
	const struct T_optmgmt_req *r = (const struct T_optmgmt_req *)mp->b_rptr;
	struct {
		struct T_optmgmt_ack a;
		struct opthdr oh;
		int value;
	} up = {{T_OPTMGMT_ACK, sizeof(struct opthdr) + 4, sizeof(struct T_optmgmt_ack), T_SUCCESS}, {0, 0, 4}, 0};

	memcpy(&up.oh, mp->b_rptr + r->OPT_offset, sizeof(up.oh));
	memcpy(&up.value, mp->b_rptr + r->OPT_offset + sizeof(up.oh), 4);
	if (up.oh.level == IPPROTO_TCP && up.oh.name == 0x7001) { /* an option that connects */
		e->bound = true;
		e->port = 11;
		e->fport = 22;
		lt_up(e, M_PCPROTO, &up, sizeof(up), NULL, NULL);
		lt_conncon(e);
		return;
	}
	if (up.oh.level != IPPROTO_TCP || up.oh.name != 1) {
		lt_err(e, T_SVR4_OPTMGMT_REQ, TBADOPT, 0);
		return;
	}
	if (r->MGMT_flags == T_NEGOTIATE)
		e->nodelay = up.value;
	up.value = e->nodelay;
	up.oh.len = 4;
	lt_up(e, M_PCPROTO, &up, sizeof(up), NULL, NULL);
}

static void lt_addrreq(ep_t *e)
{
	struct sockaddr_in sin = lt_sin(e->port);
	struct T_addr_ack a = {T_ADDR_ACK, sizeof(sin), sizeof(a), 0, 0};

	lt_up(e, M_PCPROTO, &a, sizeof(a), &sin, NULL);
}

static void lt_unitdata(ep_t *e, mblk_t *mp)
{
	const struct T_unitdata_req *r = (const struct T_unitdata_req *)mp->b_rptr;
	struct sockaddr_in dst, src = lt_sin(e->port);
	struct T_unitdata_ind ind = {T_UNITDATA_IND, sizeof(src), sizeof(ind), 0, 0};
	struct T_uderror_ind err = {T_UDERROR_IND, sizeof(dst), sizeof(err), 0, 0, ECONNREFUSED};
	ep_t *to;

	memcpy(&dst, mp->b_rptr + r->DEST_offset, sizeof(dst));
	to = lt_find((in_port_t)(dst.sin_port << 8 | dst.sin_port >> 8), true, false);
	if (to != NULL)
		lt_up(to, M_PROTO, &ind, sizeof(ind), &src, unlinkb(mp));
	else
		lt_up(e, M_PROTO, &err, sizeof(err), &dst, NULL);
}

/* Data and its end to the peer; false when it has to wait. */
static bool lt_deliver(ep_t *e, mblk_t *mp)
{
	struct T_ordrel_ind ord = {T_ORDREL_IND};

	if (e->peer == NULL) {
		if (e->connected && !e->ordrel_sent && lt_find(e->fport, false, true) != NULL)
			return false; /* not accepted yet */
		if (e->connected)
			lt_discon(e, ECONNRESET, -1);
		e->connected = false;
		freemsg(mp);
		return true;
	}
	if (DB_TYPE(mp) != M_DATA) {
		lt_up(e->peer, M_PROTO, &ord, sizeof(ord), NULL, NULL);
		freemsg(mp);
		return true;
	}
	if (!canputnext(e->peer->rq))
		return false;
	putnext(e->peer->rq, mp);
	return true;
}

static int lt_wsrv(queue_t *q)
{
	ep_t *e = q->q_ptr;
	mblk_t *mp;

	while ((mp = getq(q)) != NULL) {
		if (!lt_deliver(e, mp)) {
			putbq(q, mp);
			break;
		}
	}
	return 0;
}
/* Back-enabled: the reader of this end has room again. */
static int lt_rsrv(queue_t *q)
{
	ep_t *e = q->q_ptr;

	if (e->peer != NULL)
		qenable(e->peer->wq);
	return 0;
}

static void lt_proto(ep_t *e, mblk_t *mp)
{
	struct T_exdata_ind ex = {T_EXDATA_IND, 0};
	t_scalar_t prim = *(t_scalar_t *)(void *)mp->b_rptr;
	pend_t *p;

	switch (prim) {
	case T_CAPABILITY_REQ:
		lt_capability(e);
		break;
	case T_BIND_REQ:
		lt_bind(e, mp);
		break;
	case T_UNBIND_REQ:
		e->bound = e->listening = false;
		lt_ok(e, prim);
		break;
	case T_CONN_REQ:
		lt_connreq(e, mp);
		break;
	case T_CONN_RES:
		lt_connres(e, mp);
		break;
	case T_DISCON_REQ:
		p = lt_takepend(((struct T_discon_req *)(void *)mp->b_rptr)->SEQ_number);
		if (p != NULL) {
			lt_discon(p->client, ECONNREFUSED, -1);
			kmem_free(p, sizeof(*p));
		}
		e->connected = false;
		lt_ok(e, prim);
		break;
	case T_ORDREL_REQ:
		e->ordrel_sent = true;
		if (e->wq->q_first != NULL || !lt_deliver(e, mp))
			putq(e->wq, mp);
		return;
	case T_EXDATA_REQ:
		putnextctl1(e->peer->rq, M_PCSIG, SIGURG);
		lt_up(e->peer, M_PROTO, &ex, sizeof(ex), NULL, unlinkb(mp));
		break;
	case T_ADDR_REQ:
		lt_addrreq(e);
		break;
	case T_SVR4_OPTMGMT_REQ:
		lt_optmgmt(e, mp);
		break;
	case T_UNITDATA_REQ:
		lt_unitdata(e, mp);
		break;
	default:
		lt_err(e, prim, TNOTSUPPORT, 0);
	}
	freemsg(mp);
}

static int lt_wput(queue_t *q, mblk_t *mp)
{
	ep_t *e = q->q_ptr;

	switch (DB_TYPE(mp)) {
	case M_DATA:
		if (q->q_first != NULL || !lt_deliver(e, mp))
			putq(q, mp);
		return 0;
	case M_PROTO:
	case M_PCPROTO:
		lt_proto(e, mp);
		return 0;
	case M_IOCTL:
		miocnak(q, mp, 0, EINVAL);
		return 0;
	default:
		freemsg(mp);
		return 0;
	}
}

static int lt_open_common(queue_t *q, dev_t *devp, bool clts)
{
	ep_t *e = kmem_zalloc(sizeof(*e), KM_NOSLEEP);

	if (e == NULL)
		return ENOMEM;
	e->rq = q;
	e->wq = WR(q);
	e->clts = clts;
	e->id = ++lastid;
	e->next = eps;
	eps = e;
	q->q_ptr = WR(q)->q_ptr = e;
	*devp = makedevice(getmajor(*devp), (minor_t)e->id);
	qprocson(q);
	return 0;
}
static int lt_open(queue_t *q, dev_t *devp, int oflag, int sflag, cred_t *cr)
{
	(void)oflag, (void)sflag, (void)cr;
	return lt_open_common(q, devp, false);
}
static int lt_uopen(queue_t *q, dev_t *devp, int oflag, int sflag, cred_t *cr)
{
	(void)oflag, (void)sflag, (void)cr;
	return lt_open_common(q, devp, true);
}
static int lt_close(queue_t *q, int flag, cred_t *cr)
{
	struct T_ordrel_ind ord = {T_ORDREL_IND};
	ep_t *e = q->q_ptr, **pp = &eps;
	pend_t **p = &pends;

	(void)flag, (void)cr;
	qprocsoff(q);
	while (*pp != e)
		pp = &(*pp)->next;
	*pp = e->next;
	while (*p != NULL) {
		pend_t *gone = *p;
		if (gone->listener != e && gone->client != e) {
			p = &gone->next;
			continue;
		}
		*p = gone->next;
		if (gone->listener == e)
			lt_discon(gone->client, ECONNRESET, -1);
		else
			lt_discon(gone->listener, ECONNRESET, gone->seq);
		kmem_free(gone, sizeof(*gone));
	}
	if (e->peer != NULL) {
		e->peer->peer = NULL;
		if (!e->ordrel_sent)
			lt_up(e->peer, M_PROTO, &ord, sizeof(ord), NULL, NULL);
	}
	kmem_free(e, sizeof(*e));
	return 0;
}

static struct module_info lt_info = {77, "looptpi", 0, INFPSZ, 8192, 1024};
static struct qinit lt_rinit = {.qi_srvp = lt_rsrv, .qi_qopen = lt_open, .qi_qclose = lt_close, .qi_minfo = &lt_info};
static struct qinit lt_urinit = {.qi_srvp = lt_rsrv, .qi_qopen = lt_uopen, .qi_qclose = lt_close, .qi_minfo = &lt_info};
static struct qinit lt_winit = {.qi_putp = lt_wput, .qi_srvp = lt_wsrv, .qi_minfo = &lt_info};
static struct streamtab lt_tab = {&lt_rinit, &lt_winit, NULL, NULL};
static struct streamtab lt_utab = {&lt_urinit, &lt_winit, NULL, NULL};
STREAMS_DRIVER(looptcp, "looptcp", &lt_tab, D_MP, "/dev/tcp=clone", NULL);
STREAMS_DRIVER(loopudp, "loopudp", &lt_utab, D_MP, "/dev/udp=clone", NULL);

#endif
