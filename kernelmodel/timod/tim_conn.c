/*
 * timod: who the endpoint and its peer are.
 *
 * The own name is what the last T_BIND_ACK said.  The peer's comes with
 * T_CONN_CON, or, for who accepts, with the T_CONN_IND that the listener's timod
 * keeps until T_CONN_RES is acknowledged; the endpoint that the connection is
 * given to is found by the provider's identifier for it.  It is gone with the
 * connection: T_DISCON_REQ, T_DISCON_IND, or orderly release in both directions.
 *
 * A connectionless provider need not know connections: timod answers T_CONN_REQ
 * and T_DISCON_REQ itself.
 */
#include <string.h>

#include "sys/tiuser.h"
#include "timod/timod.h"

/* ---- connections to be accepted ---- */

static t_scalar_t tim_seq(const mblk_t *conind)
{
	return ((const struct T_conn_ind *)(const void *)conind->b_rptr)->SEQ_number;
}

/* Where the kept T_CONN_IND with this number hangs, or NULL. */
static mblk_t **tim_find_conind(tim_tim_t *tp, t_scalar_t seq)
{
	mblk_t **pp = &tp->tim_consave;

	while (*pp != NULL && tim_seq(*pp) != seq)
		pp = &(*pp)->b_next;
	return *pp != NULL ? pp : NULL;
}

static void tim_drop_conind(mblk_t **pp)
{
	mblk_t *mp = *pp;

	*pp = mp->b_next;
	mp->b_next = NULL;
	freemsg(mp);
}

void tim_conn_free(tim_tim_t *tp)
{
	while (tp->tim_consave != NULL)
		tim_drop_conind(&tp->tim_consave);
}

static bool tim_keep_conind(queue_t *q, mblk_t *mp)
{
	tim_tim_t *tp = q->q_ptr;
	mblk_t *copy;

	if (MBLKL(mp) < (ssize_t)sizeof(struct T_conn_ind))
		return true;
	copy = copyb(mp);
	if (copy == NULL) {
		tim_recover(q, mp, (size_t)MBLKSIZE(mp));
		return false;
	}
	copy->b_next = tp->tim_consave;
	tp->tim_consave = copy;
	return true;
}

/* ---- the peer ---- */

static void tim_disconnected(tim_tim_t *tp)
{
	(void)tim_setname(&tp->tim_peername, NULL, 0);
	tp->tim_flags &= ~(uint_t)(TIM_LOCORDREL | TIM_REMORDREL);
}

static void tim_ordrel(tim_tim_t *tp, uint_t which)
{
	tp->tim_flags |= which;
	if ((tp->tim_flags & (TIM_LOCORDREL | TIM_REMORDREL)) == (TIM_LOCORDREL | TIM_REMORDREL))
		tim_disconnected(tp);
}

/* T_CONN_RES has been acknowledged: the acceptor has the peer that T_CONN_IND named; false without memory. */
static bool tim_accepted(tim_tim_t *tp)
{
	mblk_t **pp = tim_find_conind(tp, tp->tim_resseq);
	tim_tim_t *acc = tim_find_acceptor(tp->tim_resacc);
	const struct T_conn_ind *ind;
	const uchar_t *addr;

	if (pp == NULL)
		return true;
	ind = (const struct T_conn_ind *)(*pp)->b_rptr;
	addr = tim_part(*pp, ind->SRC_offset, ind->SRC_length);
	if (acc != NULL && addr != NULL && !tim_setname(&acc->tim_peername, addr, (size_t)ind->SRC_length))
		return false;
	tim_drop_conind(pp);
	tp->tim_resseq = -1;
	return true;
}

/* T_DISCON_REQ has been acknowledged: an offer was refused, or the connection is broken. */
static void tim_refused(tim_tim_t *tp)
{
	mblk_t **pp = tim_find_conind(tp, tp->tim_dseq);

	if (pp != NULL)
		tim_drop_conind(pp);
	else
		tim_disconnected(tp);
	tp->tim_dseq = -1;
}

/* ---- connectionless ---- */

/* T_OK_ACK or T_ERROR_ACK in ack to the request mp. */
static void tim_answer(queue_t *q, mblk_t *mp, mblk_t *ack, t_scalar_t tli)
{
	t_scalar_t prim = TIM_PRIM(mp);
	struct T_ok_ack ok = {T_OK_ACK, prim};
	struct T_error_ack err = {T_ERROR_ACK, prim, tli, 0};

	if (tli == 0)
		tim_append(ack, &ok, sizeof(ok));
	else
		tim_append(ack, &err, sizeof(err));
	freemsg(mp);
	qreply(q, ack);
}

/* The address in a T_CONN_REQ becomes the peer's; 1: it waits for memory. */
static int tim_cl_connect(queue_t *q, mblk_t *mp)
{
	tim_tim_t *tp = q->q_ptr;
	const struct T_conn_req *req = (const struct T_conn_req *)mp->b_rptr;
	const uchar_t *addr = NULL;
	struct T_conn_con con = {T_CONN_CON, 0, sizeof(con), 0, 0};
	mblk_t *ack = allocb(sizeof(struct T_error_ack), BPRI_MED), *conmp = NULL;
	bool fits = MBLKL(mp) >= (ssize_t)sizeof(*req);

	if (fits)
		addr = tim_part(mp, req->DEST_offset, req->DEST_length);
	if (addr != NULL) {
		con.RES_length = req->DEST_length;
		conmp = tim_prim(M_PROTO, &con, sizeof(con), (size_t)con.RES_length);
	}
	if (ack == NULL || (addr != NULL && conmp == NULL)) {
		freemsg(ack);
		freemsg(conmp);
		tim_recover(q, mp, sizeof(con) + (size_t)con.RES_length);
		return 1;
	}
	DB_TYPE(ack) = M_PCPROTO;
	if (addr == NULL || tp->tim_myname.tn_buf == NULL) {
		freemsg(conmp);
		tim_answer(q, mp, ack, addr == NULL ? TBADADDR : TOUTSTATE);
		return 0;
	}
	if (!tim_setname(&tp->tim_peername, addr, (size_t)con.RES_length)) {
		freemsg(ack);
		freemsg(conmp);
		tim_recover(q, mp, (size_t)con.RES_length);
		return 1;
	}
	tim_append(conmp, addr, (size_t)con.RES_length);
	tim_answer(q, mp, ack, 0);
	qreply(q, conmp);
	return 0;
}

static int tim_cl_disconnect(queue_t *q, mblk_t *mp)
{
	tim_tim_t *tp = q->q_ptr;
	mblk_t *ack = allocb(sizeof(struct T_error_ack), BPRI_MED);
	t_scalar_t tli = tp->tim_peername.tn_buf == NULL ? TOUTSTATE : 0;

	if (ack == NULL) {
		tim_recover(q, mp, sizeof(struct T_error_ack));
		return 1;
	}
	DB_TYPE(ack) = M_PCPROTO;
	tim_disconnected(tp);
	tim_answer(q, mp, ack, tli);
	return 0;
}

/* ---- what passes ---- */

int tim_track_request(queue_t *q, mblk_t **mpp)
{
	tim_tim_t *tp = q->q_ptr;
	mblk_t *mp = *mpp;
	bool clts = (tp->tim_flags & TIM_CLTS) != 0;

	switch (TIM_PRIM(mp)) {
	case T_CONN_REQ:
	case T_DISCON_REQ:
		if (clts) {
			*mpp = NULL;
			return TIM_PRIM(mp) == T_CONN_REQ ? tim_cl_connect(q, mp) : tim_cl_disconnect(q, mp);
		}
		if (TIM_PRIM(mp) == T_DISCON_REQ && MBLKL(mp) >= (ssize_t)sizeof(struct T_discon_req))
			tp->tim_dseq = ((const struct T_discon_req *)(const void *)mp->b_rptr)->SEQ_number;
		break;
	case O_T_CONN_RES:
	case T_CONN_RES:
		if (MBLKL(mp) < (ssize_t)sizeof(struct T_conn_res))
			break;
		tp->tim_resseq = ((const struct T_conn_res *)(const void *)mp->b_rptr)->SEQ_number;
		tp->tim_resacc = ((const struct T_conn_res *)(const void *)mp->b_rptr)->ACCEPTOR_id;
		break;
	case T_ORDREL_REQ:
		tim_ordrel(tp, TIM_LOCORDREL);
		break;
	default:
		break;
	}
	return 0;
}

/* The address inside an indication becomes a name. */
static bool tim_name_from(queue_t *q, mblk_t *mp, tim_name_t *name, t_scalar_t off, t_scalar_t len)
{
	const uchar_t *addr = tim_part(mp, off, len);

	if (addr == NULL || tim_setname(name, addr, (size_t)len))
		return true;
	tim_recover(q, mp, (size_t)len);
	return false;
}

static bool tim_track_ok(queue_t *q, mblk_t *mp)
{
	tim_tim_t *tp = q->q_ptr;

	switch (((const struct T_ok_ack *)(const void *)mp->b_rptr)->CORRECT_prim) {
	case T_UNBIND_REQ:
		(void)tim_setname(&tp->tim_myname, NULL, 0);
		tim_disconnected(tp);
		tp->tim_backlog = 0;
		return true;
	case O_T_CONN_RES:
	case T_CONN_RES:
		if (tim_accepted(tp))
			return true;
		tim_recover(q, mp, sizeof(struct T_conn_ind));
		return false;
	case T_DISCON_REQ:
		tim_refused(tp);
		return true;
	default:
		return true;
	}
}

bool tim_track_indication(queue_t *q, mblk_t *mp)
{
	tim_tim_t *tp = q->q_ptr;
	const union T_primitives *p = (const union T_primitives *)mp->b_rptr;
	size_t len = (size_t)MBLKL(mp);
	mblk_t **pp;

	switch (p->type) {
	case T_BIND_ACK:
		if (len < sizeof(p->bind_ack))
			return true;
		tp->tim_backlog = p->bind_ack.CONIND_number;
		return tim_name_from(q, mp, &tp->tim_myname, p->bind_ack.ADDR_offset, p->bind_ack.ADDR_length);
	case T_CONN_CON:
		if (len < sizeof(p->conn_con))
			return true;
		tp->tim_flags &= ~(uint_t)(TIM_LOCORDREL | TIM_REMORDREL);
		return tim_name_from(q, mp, &tp->tim_peername, p->conn_con.RES_offset, p->conn_con.RES_length);
	case T_CONN_IND:
		return tim_keep_conind(q, mp);
	case T_OK_ACK:
		return len < sizeof(p->ok_ack) || tim_track_ok(q, mp);
	case T_DISCON_IND:
		if (len < sizeof(p->discon_ind))
			return true;
		pp = tim_find_conind(tp, p->discon_ind.SEQ_number);
		if (pp != NULL)
			tim_drop_conind(pp);
		else
			tim_disconnected(tp);
		return true;
	case T_ORDREL_IND:
		tim_ordrel(tp, TIM_REMORDREL);
		return true;
	case T_CAPABILITY_ACK:
		if (len >= sizeof(p->capability_ack) && (p->capability_ack.CAP_bits1 & TC1_ACCEPTOR_ID)) {
			tp->tim_acceptor = p->capability_ack.ACCEPTOR_id;
			tp->tim_flags |= TIM_ACCEPTOR;
		}
		return true;
	default:
		return true;
	}
}
