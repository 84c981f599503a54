/*
 * tl: connections.
 *
 *	client		listener		acceptor
 *	T_CONN_REQ
 *	T_OK_ACK	T_CONN_IND
 *			T_CONN_RES
 *	T_CONN_CON	T_OK_ACK		(connected)
 *
 * A connection offered to a listener is a tl_icon_t until it is accepted or
 * refused.  A socket gets its T_CONN_CON with the offer: connect(3SOCKET) does
 * not wait for accept.  What it sends meanwhile waits on its write queue; when it
 * closes before it was accepted, the icon keeps what it sent and its end for
 * whoever accepts.
 *
 * Endings.  T_DISCON_REQ breaks the connection: T_DISCON_IND to the peer, what is
 * under way is flushed.  T_ORDREL_REQ (ticotsord) ends one direction behind its
 * data.  A ticotsord endpoint that closes ends its direction in the same way,
 * but a socket's peer learns at once that nobody is there any more (T_DISCON_IND
 * ECONNRESET), as does every peer of a ticots endpoint.
 */
#include <string.h>

#include "sys/errno.h"
#include "sys/tiuser.h"
#include "tl/tl.h"

static KLOCAL t_scalar_t tl_lastseqno;

/* ---- offered connections ---- */

static void tl_icon_append(tl_endpt_t *listener, tl_icon_t *ip)
{
	tl_icon_t **pp = &listener->te_iconp;

	while (*pp != NULL)
		pp = &(*pp)->ti_next;
	*pp = ip;
	listener->te_nicon++;
	listener->te_state = TS_WRES_CIND;
}

/* Where the offer with this number hangs, or that of this client (seqno -1); NULL when there is none. */
static tl_icon_t **tl_icon_find(tl_endpt_t *listener, t_scalar_t seqno, const tl_endpt_t *client)
{
	tl_icon_t **pp = &listener->te_iconp;

	while (*pp != NULL && (seqno != -1 ? (*pp)->ti_seqno != seqno : (*pp)->ti_tep != client))
		pp = &(*pp)->ti_next;
	return *pp != NULL ? pp : NULL;
}

/* The offer is none any more: its client is not connecting, what it had sent is freed. */
static void tl_icon_free(tl_endpt_t *listener, tl_icon_t **pp)
{
	tl_icon_t *ip = *pp;

	*pp = ip->ti_next;
	if (--listener->te_nicon == 0 && listener->te_state == TS_WRES_CIND)
		listener->te_state = TS_IDLE;
	if (ip->ti_tep != NULL)
		ip->ti_tep->te_oconp = NULL;
	freemsgchain(ip->ti_mp);
	kmem_free(ip, sizeof(*ip));
}

void tl_icon_queuemsg(tl_endpt_t *tep, mblk_t *mp)
{
	tl_icon_t **pp = tl_icon_find(tep->te_oconp, -1, tep);

	if (pp == NULL || !tl_own_block(tep, &mp)) {
		if (pp == NULL)
			freemsg(mp);
		return;
	}
	tl_indication(mp);
	mp->b_next = NULL;
	*((*pp)->ti_mp == NULL ? &(*pp)->ti_mp : &(*pp)->ti_mplast->b_next) = mp;
	(*pp)->ti_mplast = mp;
}

/* ---- indications ---- */

static mblk_t *tl_discon_ind(t_scalar_t reason, t_scalar_t seqno)
{
	struct T_discon_ind ind = {T_DISCON_IND, reason, seqno};
	mblk_t *mp = allocb_tryhard(sizeof(ind));

	if (mp == NULL)
		return NULL;
	DB_TYPE(mp) = M_PROTO;
	tl_append(mp, &ind, sizeof(ind));
	return mp;
}

/* Tell an endpoint of an end that somebody else brought about. */
static void tl_tell_discon(tl_endpt_t *to, t_scalar_t reason, t_scalar_t seqno)
{
	mblk_t *mp = tl_discon_ind(reason, seqno);

	if (mp != NULL)
		(void)putnext(to->te_rq, mp);
}

static void tl_tell_ordrel(tl_endpt_t *to)
{
	mblk_t *mp = allocb_tryhard(sizeof(struct T_ordrel_ind));
	struct T_ordrel_ind ind = {T_ORDREL_IND};

	if (mp == NULL)
		return;
	DB_TYPE(mp) = M_PROTO;
	tl_append(mp, &ind, sizeof(ind));
	(void)putnext(to->te_rq, mp);
}

/* T_CONN_IND to the listener for a client's request, its data not yet moved; NULL without memory. */
static mblk_t *tl_conn_ind(const mblk_t *mp, const tl_endpt_t *tep, const tl_endpt_t *to, t_scalar_t seqno)
{
	struct T_conn_ind ind = {.PRIM_type = T_CONN_IND, .SEQ_number = seqno};
	mblk_t *indmp = tl_ind_alloc(mp, &ind, sizeof(ind), tep, to);

	if (indmp == NULL)
		return NULL;
	mblk_setcred(indmp, DB_CRED(mp));
	DB_CPID(indmp) = DB_CPID(mp);
	return indmp;
}

/* T_CONN_CON from `from'; opt may be NULL. */
static mblk_t *tl_conn_con(const tl_endpt_t *from, const uchar_t *opt, t_scalar_t olen)
{
	struct T_conn_con con = {T_CONN_CON, from->te_alen, sizeof(con), opt != NULL ? olen : 0, 0};
	mblk_t *mp;

	if (con.OPT_length != 0)
		con.OPT_offset = (t_scalar_t)_T_ALIGN(sizeof(con) + (size_t)from->te_alen);
	mp = tl_prim_alloc(M_PROTO, &con, sizeof(con), _T_ALIGN((size_t)from->te_alen) + (size_t)con.OPT_length);
	if (mp == NULL)
		return NULL;
	tl_append(mp, from->te_abuf, from->te_alen);
	if (con.OPT_length != 0)
		mp->b_wptr = mp->b_rptr + con.OPT_offset;
	tl_append(mp, opt, con.OPT_length);
	return mp;
}

/* ---- T_CONN_REQ ---- */

/* May the request be made, and to whom?  0, or the TLI error with *errorp. */
static int tl_conn_check(const mblk_t *mp, const tl_endpt_t *tep, tl_endpt_t **peerp, int *errorp)
{
	const struct T_conn_req *req = (const struct T_conn_req *)mp->b_rptr;
	const uchar_t *addr;

	*errorp = 0;
	if (tep->te_state != TS_IDLE)
		return TOUTSTATE;
	*errorp = EINVAL;
	if (MBLKL(mp) < (ssize_t)sizeof(*req))
		return TSYSERR;
	*errorp = 0;
	addr = tl_part(mp, req->DEST_offset, req->DEST_length);
	if (addr == NULL)
		return TBADADDR;
	if (req->OPT_length != 0 && tl_part(mp, req->OPT_offset, req->OPT_length) == NULL)
		return TBADOPT;
	*peerp = tl_find_addr(tep->te_transport, addr, req->DEST_length);
	*errorp = ECONNREFUSED;
	return *peerp == NULL || (*peerp)->te_closing ? TSYSERR : 0;
}

/* Does the listener take another offer? */
static bool tl_listens(const tl_endpt_t *peer)
{
	return !peer->te_closing && (peer->te_state == TS_IDLE || peer->te_state == TS_WRES_CIND) &&
	       peer->te_nicon < peer->te_qlen && (IS_SOCKET(peer) || canputnext(peer->te_rq));
}

static void tl_conn_refuse(mblk_t *mp, tl_endpt_t *tep, mblk_t *ackmp, int error)
{
	tep->te_state = TS_IDLE;
	tep->te_oconp = NULL;
	tl_error_ack(tep, ackmp, T_CONN_REQ, TSYSERR, error);
	freemsg(mp);
}

/* Make the offer; in the listener's serializer. */
static void tl_connect(mblk_t *mp, tl_endpt_t *tep, tl_endpt_t *peer)
{
	mblk_t *ackmp, *indmp, *conmp = NULL;
	tl_icon_t *ip;

	ackmp = tl_ack_alloc(tep, mp);
	if (ackmp == NULL) {
		tep->te_state = TS_IDLE; /* it comes again */
		tep->te_oconp = NULL;
		return;
	}
	if (!tl_listens(peer)) {
		tl_conn_refuse(mp, tep, ackmp, ECONNREFUSED);
		return;
	}
	ip = kmem_zalloc(sizeof(*ip), KM_NOSLEEP);
	indmp = tl_conn_ind(mp, tep, peer, tl_lastseqno + 1);
	if (IS_SOCKET(tep))
		conmp = tl_conn_con(peer, NULL, 0);
	if (ip == NULL || indmp == NULL || (IS_SOCKET(tep) && conmp == NULL)) {
		if (ip != NULL)
			kmem_free(ip, sizeof(*ip));
		freemsg(indmp);
		freemsg(conmp);
		tl_conn_refuse(mp, tep, ackmp, ENOMEM);
		return;
	}
	ip->ti_tep = tep;
	ip->ti_seqno = ++tl_lastseqno;
	tl_icon_append(peer, ip);
	tep->te_state = IS_SOCKET(tep) ? TS_DATA_XFER : TS_WCON_CREQ;
	tl_ok_ack(tep, ackmp, T_CONN_REQ);
	indmp->b_cont = unlinkb(mp);
	freeb(mp);
	(void)putnext(peer->te_rq, indmp);
	if (conmp != NULL)
		(void)putnext(tep->te_rq, conmp);
}

static void tl_conn_req_ser(mblk_t *mp, void *arg)
{
	tl_endpt_t *tep = arg, *peer = tep->te_oconp;

	if (tep->te_closing) {
		tep->te_oconp = NULL;
		freemsg(mp);
	} else {
		tl_connect(mp, tep, peer);
	}
	tl_serializer_exit(peer);
	tl_refrele(peer);
	tl_refrele(tep);
}

void tl_conn_req(mblk_t *mp, tl_endpt_t *tep)
{
	tl_endpt_t *peer;
	int error, tli = tl_conn_check(mp, tep, &peer, &error);
	mblk_t *ackmp;

	if (tli == 0) {
		tep->te_state = TS_WACK_CREQ;
		tep->te_oconp = peer;
		tl_refhold(tep);
		tl_refhold(peer);
		peer->te_ser_count++;
		serializer_enter(peer->te_ser->ts_serializer, tl_conn_req_ser, mp, tep);
		return;
	}
	ackmp = tl_ack_alloc(tep, mp);
	if (ackmp == NULL)
		return;
	tl_error_ack(tep, ackmp, T_CONN_REQ, tli, error);
	freemsg(mp);
}

/* ---- T_CONN_RES ---- */

/* May tep give the offer to acc?  0, or the TLI error. */
static int tl_acceptor_check(const tl_endpt_t *tep, const tl_endpt_t *acc)
{
	if (acc == NULL || acc->te_closing)
		return TBADF;
	if (acc->te_transport != tep->te_transport)
		return TPROVMISMATCH;
	if (acc == tep)
		return tep->te_nicon > 1 ? TINDOUT : 0;
	if (acc->te_state != TS_UNBND && acc->te_state != TS_IDLE)
		return TOUTSTATE;
	return acc->te_qlen > 0 ? TRESQLEN : 0;
}

/* May the request be made?  0, with who accepts and which offer, or the TLI error with *errorp. */
static int tl_res_check(const mblk_t *mp, tl_endpt_t *tep, tl_endpt_t **accp, tl_icon_t ***ippp, int *errorp)
{
	const struct T_conn_res *res = (const struct T_conn_res *)mp->b_rptr;
	int tli;

	*errorp = 0;
	if (tep->te_state != TS_WRES_CIND)
		return TOUTSTATE;
	if (MBLKL(mp) < (ssize_t)sizeof(*res)) {
		*errorp = EINVAL;
		return TSYSERR;
	}
	if (res->OPT_length != 0 && tl_part(mp, res->OPT_offset, res->OPT_length) == NULL)
		return TBADOPT;
	*accp = tl_find_minor((minor_t)res->ACCEPTOR_id);
	tli = tl_acceptor_check(tep, *accp);
	if (tli != 0)
		return tli;
	*ippp = res->SEQ_number == -1 ? NULL : tl_icon_find(tep, res->SEQ_number, NULL);
	return *ippp == NULL ? TBADSEQ : 0;
}

/*
 * What the end of the connection's other side must learn, allocated beforehand: a
 * TLI client that it is connected; the acceptor that the client has gone.  false
 * without memory.
 */
static bool tl_res_alloc(const mblk_t *mp, const tl_endpt_t *tep, tl_endpt_t *acc, const tl_icon_t *ip, mblk_t **conmpp)
{
	const struct T_conn_res *res = (const struct T_conn_res *)mp->b_rptr;

	*conmpp = NULL;
	if (acc->te_state == TS_UNBND && !tl_copyaddr(acc, tep))
		return false;
	if (ip->ti_tep == NULL)
		*conmpp = tl_discon_ind(ECONNRESET, -1);
	else if (!IS_SOCKET(tep))
		*conmpp = tl_conn_con(acc, tl_part(mp, res->OPT_offset, res->OPT_length), res->OPT_length);
	else
		return true;
	if (*conmpp == NULL && acc->te_state == TS_UNBND)
		tl_unbind_addr(acc);
	return *conmpp != NULL;
}

/* The client has gone: acc gets what it sent, then learns that. */
static void tl_accept_dead(tl_endpt_t *tep, tl_endpt_t *acc, tl_icon_t **ipp, mblk_t *disconmp)
{
	mblk_t *mp = (*ipp)->ti_mp, *next;

	(*ipp)->ti_mp = NULL;
	tl_icon_free(tep, ipp);
	acc->te_state = TS_IDLE;
	for (; mp != NULL; mp = next) {
		next = mp->b_next;
		mp->b_next = NULL;
		(void)putnext(acc->te_rq, mp);
	}
	(void)putnext(acc->te_rq, disconmp);
}

static void tl_accept(tl_endpt_t *tep, tl_endpt_t *acc, tl_icon_t **ipp)
{
	tl_endpt_t *client = (*ipp)->ti_tep;

	tl_icon_free(tep, ipp);
	acc->te_state = client->te_state = TS_DATA_XFER;
	acc->te_conp = client;
	client->te_conp = acc;
	tl_serializer_join(acc, client);
	TL_QENABLE(client); /* what it sent already */
}

void tl_conn_res(mblk_t *mp, tl_endpt_t *tep)
{
	t_scalar_t prim = TL_PRIM(mp);
	mblk_t *ackmp = tl_ack_alloc(tep, mp), *conmp = NULL;
	tl_endpt_t *acc, *client;
	tl_icon_t **ipp;
	int error, tli;

	if (ackmp == NULL)
		return;
	tli = tl_res_check(mp, tep, &acc, &ipp, &error);
	if (tli == 0 && !tl_res_alloc(mp, tep, acc, *ipp, &conmp)) {
		tli = TSYSERR;
		error = ENOMEM;
	}
	if (tli != 0) {
		tl_error_ack(tep, ackmp, prim, tli, error);
		freemsg(mp);
		return;
	}
	client = (*ipp)->ti_tep;
	tl_ok_ack(tep, ackmp, prim);
	if (client == NULL) {
		freemsg(mp);
		tl_accept_dead(tep, acc, ipp, conmp);
		return;
	}
	tl_accept(tep, acc, ipp);
	if (conmp != NULL) {
		conmp->b_cont = unlinkb(mp);
		(void)putnext(client->te_rq, conmp);
	}
	freemsg(mp);
}

/* ---- T_DISCON_REQ ---- */

/* No peer any more. */
static void tl_unlink(tl_endpt_t *tep)
{
	if (tep->te_conp != NULL)
		tep->te_conp->te_conp = NULL;
	tep->te_conp = NULL;
}

/* The connection is broken: nothing that was under way arrives. */
static void tl_broken(tl_endpt_t *tep)
{
	tep->te_state = TS_IDLE;
	flushq(tep->te_wq, FLUSHALL);
	(void)putnextctl1(tep->te_rq, M_FLUSH, FLUSHRW);
}

/*
 * Break what there is: whom to tell, with the reason and number for it; NULL:
 * nobody is there.
 */
static tl_endpt_t *tl_break(tl_endpt_t *tep, tl_icon_t **ipp, struct T_discon_ind *ind)
{
	tl_endpt_t *other;

	ind->DISCON_reason = ECONNRESET;
	if (ipp != NULL) { /* an offer is refused */
		other = (*ipp)->ti_tep;
		tl_icon_free(tep, ipp);
		ind->DISCON_reason = ECONNREFUSED;
		if (other != NULL)
			tl_broken(other);
		return other;
	}
	other = tep->te_oconp;
	if (other != NULL) { /* it does not want to connect any more */
		ipp = tl_icon_find(other, -1, tep);
		ind->SEQ_number = (*ipp)->ti_seqno;
		tl_icon_free(other, ipp);
		tl_broken(tep);
		return other;
	}
	other = tep->te_conp;
	tl_unlink(tep);
	tl_broken(tep);
	if (other != NULL)
		tl_broken(other);
	return other;
}

/* May the request be made?  0 or the TLI error; *ippp is the offer that it refuses. */
static int tl_discon_check(const mblk_t *mp, tl_endpt_t *tep, tl_icon_t ***ippp, int *errorp)
{
	const struct T_discon_req *req = (const struct T_discon_req *)mp->b_rptr;

	*errorp = 0;
	*ippp = NULL;
	if (MBLKL(mp) < (ssize_t)sizeof(*req)) {
		*errorp = EINVAL;
		return TSYSERR;
	}
	switch (tep->te_state) {
	case TS_WRES_CIND:
		*ippp = req->SEQ_number == -1 ? NULL : tl_icon_find(tep, req->SEQ_number, NULL);
		return *ippp == NULL ? TBADSEQ : 0;
	case TS_WCON_CREQ:
	case TS_DATA_XFER:
	case TS_WIND_ORDREL:
	case TS_WREQ_ORDREL:
		return 0;
	default:
		return TOUTSTATE;
	}
}

void tl_discon_req(mblk_t *mp, tl_endpt_t *tep)
{
	struct T_discon_ind ind = {T_DISCON_IND, 0, -1};
	mblk_t *ackmp = tl_ack_alloc(tep, mp), *indmp;
	tl_endpt_t *other;
	tl_icon_t **ipp;
	int error, tli;

	if (ackmp == NULL)
		return;
	tli = tl_discon_check(mp, tep, &ipp, &error);
	if (tli != 0) {
		tl_error_ack(tep, ackmp, T_DISCON_REQ, tli, error);
		freemsg(mp);
		return;
	}
	indmp = tl_prim_alloc(M_PROTO, &ind, sizeof(ind), 0);
	if (indmp == NULL) {
		freemsg(ackmp);
		tl_memrecover(tep, mp, sizeof(ind));
		return;
	}
	other = tl_break(tep, ipp, &ind);
	memcpy(indmp->b_rptr, &ind, sizeof(ind));
	indmp->b_cont = unlinkb(mp);
	freeb(mp);
	tl_ok_ack(tep, ackmp, T_DISCON_REQ);
	if (other != NULL)
		(void)putnext(other->te_rq, indmp);
	else
		freemsg(indmp);
}

/* ---- orderly release ---- */

/* The other end has ended its direction. */
static void tl_ordrel_state(tl_endpt_t *tep)
{
	tep->te_state = tep->te_state == TS_DATA_XFER ? TS_WREQ_ORDREL : TS_IDLE;
}

void tl_ordrel(mblk_t *mp, tl_endpt_t *tep)
{
	tl_endpt_t *peer = tep->te_conp;

	if (!IS_COTSORD(tep) ||
	    (tep->te_state != TS_DATA_XFER && tep->te_state != TS_WREQ_ORDREL && tep->te_state != TS_IDLE)) {
		tl_merror(tep, mp);
		return;
	}
	if (tep->te_state == TS_IDLE) { /* the connection was broken meanwhile */
		freemsg(mp);
		return;
	}
	if (tep->te_oconp != NULL) {
		if (tep->te_closing)
			tl_icon_queuemsg(tep, mp);
		else
			TL_PUTBQ(tep, mp);
		return;
	}
	if (!tl_own_block(tep, &mp))
		return;
	tep->te_state = tep->te_state == TS_DATA_XFER ? TS_WIND_ORDREL : TS_IDLE;
	if (tep->te_state == TS_IDLE)
		tl_unlink(tep);
	if (peer == NULL) {
		freemsg(mp);
		return;
	}
	tl_ordrel_state(peer);
	tl_indication(mp);
	(void)putnext(peer->te_rq, mp);
}

/* ---- close ---- */

/* Everybody who wanted to connect to this listener is refused. */
static void tl_refuse_all(tl_endpt_t *tep)
{
	while (tep->te_iconp != NULL) {
		tl_endpt_t *client = tep->te_iconp->ti_tep;

		tl_icon_free(tep, &tep->te_iconp);
		if (client == NULL)
			continue;
		client->te_state = TS_IDLE;
		TL_QENABLE(client); /* what waits there is discarded */
		tl_tell_discon(client, ECONNREFUSED, -1);
	}
}

/* The listener has not accepted yet. */
static void tl_close_offer(tl_endpt_t *tep)
{
	tl_endpt_t *listener = tep->te_oconp;
	tl_icon_t **ipp = tl_icon_find(listener, -1, tep);
	t_scalar_t seqno;

	if (ipp == NULL) /* the request is still under way */
		return;
	tep->te_oconp = NULL;
	if (IS_SOCKET(tep)) {
		(*ipp)->ti_tep = NULL;
		return;
	}
	seqno = (*ipp)->ti_seqno;
	tl_icon_free(listener, ipp);
	tl_tell_discon(listener, ECONNRESET, seqno);
}

void tl_co_unconnect(tl_endpt_t *tep)
{
	tl_endpt_t *peer = tep->te_conp;
	bool orderly =
	    IS_COTSORD(tep) && !IS_SOCKET(tep) && (tep->te_state == TS_DATA_XFER || tep->te_state == TS_WREQ_ORDREL);

	tl_refuse_all(tep);
	if (tep->te_oconp != NULL)
		tl_close_offer(tep);
	tl_unlink(tep);
	if (peer == NULL)
		return;
	if (orderly) {
		tl_ordrel_state(peer);
		tl_tell_ordrel(peer);
	} else {
		peer->te_state = TS_IDLE;
		tl_tell_discon(peer, ECONNRESET, -1);
	}
	TL_QENABLE(peer); /* what waits there has nowhere to go */
}
