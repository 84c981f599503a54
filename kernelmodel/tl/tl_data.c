/*
 * tl: data, and who waits for whom.
 *
 * Data of a connection is put straight into the peer's read queue: what the
 * sender's stream head made is what the receiver's gets, T_DATA_REQ become
 * T_DATA_IND in place.  When the peer's reader has no room, the message stays
 * at the front of the sender's write queue; tl_rsrv() of the peer, which
 * back-enabling runs, enables that queue.  A datagram's sender may wait for any
 * receiver: the receiver has a list of those who do.
 *
 * A closing endpoint waits for nothing.
 */
#include <string.h>

#include "sys/errno.h"
#include "tl/tl.h"

/* ---- connections ---- */

/* Are both directions open, or at least this end's? */
ALWAYS_INLINE bool tl_xfer(const tl_endpt_t *tep)
{
	return tep->te_state == TS_DATA_XFER || tep->te_state == TS_WREQ_ORDREL;
}

/* M_DATA: at once if nothing is in the way, else by the write queue. */
void tl_wput_data_ser(mblk_t *mp, void *arg)
{
	tl_endpt_t *tep = arg, *peer = tep->te_conp;

	if (LIKELY(peer != NULL && !tep->te_closing && !peer->te_closing && tl_xfer(tep) && tl_xfer(peer) &&
		   tep->te_wq->q_first == NULL && canputnext(peer->te_rq)))
		(void)putnext(peer->te_rq, mp);
	else if (tep->te_closing && !tl_xfer(tep))
		freemsg(mp);
	else
		TL_PUTQ(tep, mp);
	tl_serializer_exit(tep);
	tl_refrele(tep);
}

/* How long the request must be; 0: it is none that carries data. */
static ssize_t tl_data_size(const mblk_t *mp)
{
	if (DB_TYPE(mp) == M_DATA)
		return 0;
	return TL_PRIM(mp) == T_OPTDATA_REQ ? (ssize_t)sizeof(struct T_optdata_req)
					    : (ssize_t)sizeof(struct T_data_req);
}

static t_scalar_t tl_indication_of(t_scalar_t req)
{
	switch (req) {
	case T_DATA_REQ:
		return T_DATA_IND;
	case T_EXDATA_REQ:
		return T_EXDATA_IND;
	case T_ORDREL_REQ:
		return T_ORDREL_IND;
	default:
		return T_OPTDATA_IND;
	}
}

void tl_indication(mblk_t *mp)
{
	t_scalar_t *prim = (t_scalar_t *)(void *)mp->b_rptr;

	if (DB_TYPE(mp) != M_DATA)
		*prim = tl_indication_of(*prim);
}

bool tl_own_block(tl_endpt_t *tep, mblk_t **mpp)
{
	mblk_t *mp = *mpp, *nmp;

	if (DB_TYPE(mp) == M_DATA || DB_REF(mp) == 1)
		return true;
	nmp = copyb(mp);
	if (nmp == NULL) {
		tl_memrecover(tep, mp, (size_t)MBLKSIZE(mp));
		return false;
	}
	nmp->b_cont = mp->b_cont;
	freeb(mp);
	*mpp = nmp;
	return true;
}

/* To the peer there is. */
static void tl_data_send(mblk_t *mp, tl_endpt_t *tep, tl_endpt_t *peer)
{
	if (peer->te_closing) {
		freemsg(mp);
	} else if (!tep->te_closing && !bcanputnext(peer->te_rq, mp->b_band)) {
		TL_PUTBQ(tep, mp);
	} else if (tl_own_block(tep, &mp)) {
		tl_indication(mp);
		(void)putnext(peer->te_rq, mp);
	}
}

void tl_data(mblk_t *mp, tl_endpt_t *tep)
{
	if (IS_CLTS(tep) || MBLKL(mp) < tl_data_size(mp)) {
		tl_merror(tep, mp);
		return;
	}
	if (tep->te_state == TS_IDLE) { /* the connection ended while this was on its way */
		freemsg(mp);
		return;
	}
	if (!tl_xfer(tep)) {
		tl_merror(tep, mp);
		return;
	}
	if (tep->te_conp != NULL)
		tl_data_send(mp, tep, tep->te_conp);
	else if (tep->te_oconp != NULL && tep->te_closing)
		tl_icon_queuemsg(tep, mp);
	else if (tep->te_oconp != NULL)
		TL_PUTBQ(tep, mp);
	else
		freemsg(mp);
}

/* ---- datagrams ---- */

/* tep waits for room at peer. */
static void tl_cl_flow(tl_endpt_t *tep, tl_endpt_t *peer)
{
	if (tep->te_flowq == peer)
		return;
	tep->te_flowq = peer;
	tep->te_flownext = peer->te_flowfirst;
	peer->te_flowfirst = tep;
}

void tl_cl_backenable(tl_endpt_t *tep)
{
	tl_endpt_t *waiter;

	while ((waiter = tep->te_flowfirst) != NULL) {
		tep->te_flowfirst = waiter->te_flownext;
		waiter->te_flowq = waiter->te_flownext = NULL;
		TL_QENABLE(waiter);
	}
}

void tl_cl_unflow(tl_endpt_t *tep)
{
	tl_endpt_t **pp;

	tl_cl_backenable(tep);
	if (tep->te_flowq == NULL)
		return;
	for (pp = &tep->te_flowq->te_flowfirst; *pp != tep; pp = &(*pp)->te_flownext)
		continue;
	*pp = tep->te_flownext;
	tep->te_flowq = tep->te_flownext = NULL;
}

/* The datagram cannot be delivered: T_UDERROR_IND with its destination and options, as far as they make sense. */
static void tl_uderr(mblk_t *mp, tl_endpt_t *tep, int error)
{
	const struct T_unitdata_req *req = (const struct T_unitdata_req *)mp->b_rptr;
	const uchar_t *addr = tl_part(mp, req->DEST_offset, req->DEST_length);
	const uchar_t *opt = tl_part(mp, req->OPT_offset, req->OPT_length);
	struct T_uderror_ind ind = {.PRIM_type = T_UDERROR_IND, .ERROR_type = error};
	mblk_t *errmp;

	if (addr != NULL) {
		ind.DEST_length = req->DEST_length;
		ind.DEST_offset = sizeof(ind);
	}
	if (opt != NULL) {
		ind.OPT_length = req->OPT_length;
		ind.OPT_offset = (t_scalar_t)sizeof(ind) + ind.DEST_length;
	}
	errmp = tl_prim_alloc(M_PROTO, &ind, sizeof(ind), (size_t)(ind.DEST_length + ind.OPT_length));
	if (errmp == NULL) {
		tl_memrecover(tep, mp, sizeof(ind) + (size_t)(ind.DEST_length + ind.OPT_length));
		return;
	}
	tl_append(errmp, addr, ind.DEST_length);
	tl_append(errmp, opt, ind.OPT_length);
	freemsg(mp);
	(void)putnext(tep->te_rq, errmp);
}

/* T_UNITDATA_IND for the request, without its data; NULL without memory. */
static mblk_t *tl_unitdata_ind(const mblk_t *mp, const tl_endpt_t *tep, const tl_endpt_t *to)
{
	struct T_unitdata_ind ind = {.PRIM_type = T_UNITDATA_IND};

	return tl_ind_alloc(mp, &ind, sizeof(ind), tep, to);
}

static void tl_unitdata_send(mblk_t *mp, tl_endpt_t *tep, tl_endpt_t *to)
{
	mblk_t *indmp;

	if (!tep->te_closing && !canputnext(to->te_rq)) {
		TL_PUTBQ(tep, mp);
		tl_cl_flow(tep, to);
		return;
	}
	indmp = tl_unitdata_ind(mp, tep, to);
	if (indmp == NULL) {
		tl_memrecover(tep, mp, sizeof(struct T_unitdata_ind) + (size_t)tep->te_alen);
		return;
	}
	indmp->b_band = mp->b_band;
	indmp->b_cont = unlinkb(mp);
	mblk_setcred(indmp, DB_CRED(mp));
	DB_CPID(indmp) = DB_CPID(mp);
	freeb(mp);
	(void)putnext(to->te_rq, indmp);
}

void tl_unitdata(mblk_t *mp, tl_endpt_t *tep)
{
	const struct T_unitdata_req *req = (const struct T_unitdata_req *)mp->b_rptr;
	const uchar_t *addr;
	tl_endpt_t *to;

	if (!IS_CLTS(tep) || tep->te_state != TS_IDLE || MBLKL(mp) < (ssize_t)sizeof(*req)) {
		tl_merror(tep, mp);
		return;
	}
	addr = tl_part(mp, req->DEST_offset, req->DEST_length);
	if (addr == NULL || (req->OPT_length != 0 && tl_part(mp, req->OPT_offset, req->OPT_length) == NULL)) {
		tl_uderr(mp, tep, EINVAL);
		return;
	}
	if (msgdsize(mp) > TL_TIDUSZ) {
		tl_uderr(mp, tep, EMSGSIZE);
		return;
	}
	to = tl_find_addr(tep->te_transport, addr, req->DEST_length);
	if (to == NULL || to->te_closing)
		tl_uderr(mp, tep, ECONNREFUSED);
	else
		tl_unitdata_send(mp, tep, to);
}
