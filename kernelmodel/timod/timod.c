/*
 * timod: the module that makes a transport provider's stream fit for the TLI
 * library (timod(7M)).
 *
 * Theory.  A TLI program speaks TPI through putmsg and getmsg, but calls that
 * must wait for an answer (t_bind, t_optmgmt, ...) are ioctls, so that no other
 * message can come in between: timod makes the request of the ioctl, and the
 * ioctl's answer of the provider's (tim_ioctl.c).  It remembers the addresses of
 * both ends (tim_conn.c), and lends a connectionless endpoint a connection: the
 * peer's address goes into datagrams that name none (tim_filladdr).
 *
 * Data is what passes through timodwput() and timodrput(); they put it to the
 * next queue if there is room.  Everything else is for timodwproc() and
 * timodrproc(), at once or from the service procedures: once a message had to
 * stay, those behind it stay too.  The queue pair is one perimeter
 * (D_MTQPAIR), so nothing here meets itself.
 */
#include <string.h>

#include "sys/errno.h"
#include "timod/timod.h"

static KLOCAL tim_tim_t *tim_list;

/* ---- memory ---- */

mblk_t *tim_prim(uchar_t type, const void *prim, size_t size, size_t more)
{
	mblk_t *mp = allocb(size + more, BPRI_MED);

	if (mp == NULL)
		return NULL;
	DB_TYPE(mp) = type;
	tim_append(mp, prim, size);
	return mp;
}

void tim_append(mblk_t *mp, const void *data, size_t len)
{
	if (data == NULL || len == 0)
		return;
	memcpy(mp->b_wptr, data, len);
	mp->b_wptr += len;
}

uchar_t *tim_part(const mblk_t *mp, t_scalar_t off, t_scalar_t len)
{
	return len > 0 && off >= 0 && (ssize_t)off + len <= MBLKL(mp) ? mp->b_rptr + off : NULL;
}

bool tim_setname(tim_name_t *name, const void *data, size_t len)
{
	uchar_t *buf = NULL;

	if (len > 0 && (buf = kmem_alloc(len, KM_NOSLEEP)) == NULL)
		return false;
	if (len > 0)
		memcpy(buf, data, len);
	if (name->tn_buf != NULL)
		kmem_free(name->tn_buf, name->tn_len);
	*name = (tim_name_t){buf, len};
	return true;
}

static void tim_memory(void *arg)
{
	queue_t *q = arg;
	tim_tim_t *tp = q->q_ptr;

	if (q->q_flag & QREADR)
		tp->tim_rbufcid = tp->tim_rtimoutid = 0;
	else
		tp->tim_wbufcid = tp->tim_wtimoutid = 0;
	enableok(q);
	qenable(q);
}

/* A high-priority message would enable the queue at once: it waits as an ordinary one. */
void tim_recover(queue_t *q, mblk_t *mp, size_t size)
{
	tim_tim_t *tp = q->q_ptr;
	bool rd = (q->q_flag & QREADR) != 0;
	bufcall_id_t *bufcid = rd ? &tp->tim_rbufcid : &tp->tim_wbufcid;
	timeout_id_t *timoutid = rd ? &tp->tim_rtimoutid : &tp->tim_wtimoutid;

	if (DB_TYPE(mp) == M_PCPROTO)
		DB_TYPE(mp) = M_PROTO;
	noenable(q);
	(void)putbq(q, mp);
	if (*bufcid != 0 || *timoutid != 0)
		return;
	*bufcid = qbufcall(q, size, BPRI_MED, tim_memory, q);
	if (*bufcid == 0)
		*timoutid = qtimeout(q, tim_memory, q, HZ);
}

static void tim_cancel(queue_t *q, bufcall_id_t bufcid, timeout_id_t timoutid)
{
	if (bufcid != 0)
		qunbufcall(q, bufcid);
	if (timoutid != 0)
		(void)quntimeout(q, timoutid);
}

/* ---- down ---- */

/*
 * A message of a connectionless endpoint that names no destination gets the
 * peer's: the message (unchanged when there is no peer or it names one), or NULL
 * when it waits for memory.
 */
static mblk_t *tim_filladdr(queue_t *q, mblk_t *mp)
{
	const tim_tim_t *tp = q->q_ptr;
	const struct T_unitdata_req *old = (const struct T_unitdata_req *)mp->b_rptr;
	struct T_unitdata_req req = {T_UNITDATA_REQ, (t_scalar_t)tp->tim_peername.tn_len, sizeof(req), 0, 0};
	const uchar_t *opt = NULL;
	bool data = DB_TYPE(mp) == M_DATA;
	size_t optroom = 0;
	mblk_t *nmp;

	if (tp->tim_peername.tn_buf == NULL || (!data && (MBLKL(mp) < (ssize_t)sizeof(*old) || old->DEST_length != 0)))
		return mp;
	if (!data && (opt = tim_part(mp, old->OPT_offset, old->OPT_length)) != NULL) {
		req.OPT_length = old->OPT_length;
		req.OPT_offset = (t_scalar_t)_T_ALIGN(sizeof(req) + tp->tim_peername.tn_len);
		optroom = (size_t)req.OPT_length + sizeof(t_scalar_t);
	}
	nmp = tim_prim(M_PROTO, &req, sizeof(req), tp->tim_peername.tn_len + optroom);
	if (nmp == NULL) {
		tim_recover(q, mp, sizeof(req) + tp->tim_peername.tn_len + optroom);
		return NULL;
	}
	tim_append(nmp, tp->tim_peername.tn_buf, tp->tim_peername.tn_len);
	if (opt != NULL)
		nmp->b_wptr = nmp->b_rptr + req.OPT_offset;
	tim_append(nmp, opt, (size_t)req.OPT_length);
	mblk_setcred(nmp, DB_CRED(mp));
	DB_CPID(nmp) = DB_CPID(mp);
	nmp->b_band = mp->b_band;
	nmp->b_cont = data ? mp : unlinkb(mp);
	if (!data)
		freeb(mp);
	return nmp;
}

/* TPI data down? */
ALWAYS_INLINE bool tim_data_req(const mblk_t *mp)
{
	t_scalar_t prim = TIM_PRIM(mp);

	return prim == T_UNITDATA_REQ || prim == T_DATA_REQ || prim == T_EXDATA_REQ || prim == T_OPTDATA_REQ;
}

static int tim_flush(queue_t *q, mblk_t *mp, int mine)
{
	if (*mp->b_rptr & mine) {
		if (*mp->b_rptr & FLUSHBAND)
			flushband(q, mp->b_rptr[1], FLUSHDATA);
		else
			flushq(q, FLUSHDATA);
	}
	(void)putnext(q, mp);
	return 0;
}

/* A message that goes on when there is room; 1: it stays. */
static int tim_pass(queue_t *q, mblk_t *mp)
{
	if (queclass(mp) != QPCTL && !bcanputnext(q, mp->b_band)) {
		(void)putbq(q, mp);
		return 1;
	}
	(void)putnext(q, mp);
	return 0;
}

/* All that is not passed on by timodwput() itself; 1: the message stays on the queue. */
static int timodwproc(queue_t *q, mblk_t *mp)
{
	tim_tim_t *tp = q->q_ptr;

	switch (DB_TYPE(mp)) {
	case M_FLUSH:
		return tim_flush(q, mp, FLUSHW);
	case M_IOCTL:
		if (tim_is_ioctl(((struct iocblk *)mp->b_rptr)->ioc_cmd))
			return tim_ioctl(q, mp);
		(void)putnext(q, mp);
		return 0;
	case M_IOCDATA:
		if (tim_is_ioctl(((struct copyresp *)mp->b_rptr)->cp_cmd))
			tim_iocdata(q, mp);
		else
			(void)putnext(q, mp);
		return 0;
	case M_DATA:
		break;
	case M_PROTO:
	case M_PCPROTO:
		if (tim_data_req(mp))
			break;
		if (tim_track_request(q, &mp) != 0)
			return 1;
		if (mp != NULL)
			(void)putnext(q, mp);
		return 0;
	default:
		return tim_pass(q, mp);
	}
	if ((tp->tim_flags & TIM_CLTS) && (mp = tim_filladdr(q, mp)) == NULL)
		return 1;
	return tim_pass(q, mp);
}

/* ioctls that may overtake what waits. */
static bool tim_overtakes(const mblk_t *mp)
{
	int cmd;

	if (DB_TYPE(mp) != M_IOCTL)
		return false;
	cmd = ((const struct iocblk *)(const void *)mp->b_rptr)->ioc_cmd;
	return cmd == TI_GETINFO || cmd == TI_SYNC || cmd == TI_CAPABILITY;
}

static int timodwput(queue_t *q, mblk_t *mp)
{
	const tim_tim_t *tp = q->q_ptr;

	if (q->q_first != NULL && queclass(mp) != QPCTL && !tim_overtakes(mp)) {
		(void)putq(q, mp);
		return 0;
	}
	if (DB_TYPE(mp) != M_DATA && ((DB_TYPE(mp) != M_PROTO && DB_TYPE(mp) != M_PCPROTO) || !tim_data_req(mp))) {
		(void)timodwproc(q, mp);
		return 0;
	}
	if ((tp->tim_flags & TIM_CLTS) && (mp = tim_filladdr(q, mp)) == NULL)
		return 0;
	if (bcanputnext(q, mp->b_band))
		(void)putnext(q, mp);
	else
		(void)putq(q, mp);
	return 0;
}

static int timodwsrv(queue_t *q)
{
	mblk_t *mp;

	while ((mp = getq(q)) != NULL && timodwproc(q, mp) == 0)
		continue;
	return 0;
}

/* ---- up ---- */

/* TPI data up? */
ALWAYS_INLINE bool tim_data_ind(const mblk_t *mp)
{
	t_scalar_t prim = TIM_PRIM(mp);

	return prim == T_UNITDATA_IND || prim == T_DATA_IND || prim == T_EXDATA_IND || prim == T_OPTDATA_IND;
}

/* Acknowledgements had priority before they waited for memory. */
static bool tim_is_ack(const mblk_t *mp)
{
	switch (TIM_PRIM(mp)) {
	case T_INFO_ACK:
	case T_BIND_ACK:
	case T_ERROR_ACK:
	case T_OK_ACK:
	case T_OPTMGMT_ACK:
	case T_ADDR_ACK:
	case T_CAPABILITY_ACK:
		return true;
	default:
		return false;
	}
}

/* A TPI message that is no data; 1: it waits. */
static int tim_rproto(queue_t *q, mblk_t *mp)
{
	if (!tim_track_indication(q, mp))
		return 1;
	if (tim_ioctl_answer(q, mp))
		return 0;
	if (tim_is_ack(mp))
		DB_TYPE(mp) = M_PCPROTO;
	(void)putnext(q, mp);
	return 0;
}

static int timodrproc(queue_t *q, mblk_t *mp)
{
	tim_tim_t *tp = q->q_ptr;

	switch (DB_TYPE(mp)) {
	case M_FLUSH:
		return tim_flush(q, mp, FLUSHR);
	case M_ERROR:
	case M_HANGUP:
		tim_ioctl_forget(tp);
		(void)putnext(q, mp);
		return 0;
	case M_PROTO:
	case M_PCPROTO:
		if (!tim_data_ind(mp) && TIM_PRIM(mp) >= 0)
			return tim_rproto(q, mp);
		return tim_pass(q, mp);
	default:
		return tim_pass(q, mp);
	}
}

static int timodrput(queue_t *q, mblk_t *mp)
{
	if (q->q_first != NULL && queclass(mp) != QPCTL) {
		(void)putq(q, mp);
		return 0;
	}
	if (DB_TYPE(mp) != M_DATA && ((DB_TYPE(mp) != M_PROTO && DB_TYPE(mp) != M_PCPROTO) || !tim_data_ind(mp))) {
		(void)timodrproc(q, mp);
		return 0;
	}
	if (queclass(mp) == QPCTL || bcanputnext(q, mp->b_band))
		(void)putnext(q, mp);
	else
		(void)putq(q, mp);
	return 0;
}

static int timodrsrv(queue_t *q)
{
	mblk_t *mp;

	while ((mp = getq(q)) != NULL && timodrproc(q, mp) == 0)
		continue;
	return 0;
}

/* ---- open and close ---- */

tim_tim_t *tim_find_acceptor(t_uscalar_t id)
{
	tim_tim_t *tp = tim_list;

	while (tp != NULL && (!(tp->tim_flags & TIM_ACCEPTOR) || tp->tim_acceptor != id))
		tp = tp->tim_next;
	return tp;
}

static void tim_link(tim_tim_t *tp)
{
	tp->tim_next = tim_list;
	if (tp->tim_next != NULL)
		tp->tim_next->tim_pprev = &tp->tim_next;
	tp->tim_pprev = &tim_list;
	tim_list = tp;
}

static int timodopen(queue_t *q, dev_t *devp, int flag, int sflag, cred_t *cr)
{
	struct T_info_req req = {T_INFO_REQ};
	tim_tim_t *tp;
	mblk_t *mp;

	(void)devp, (void)flag, (void)cr;
	if (q->q_ptr != NULL)
		return 0;
	if (sflag != MODOPEN)
		return EINVAL;
	tp = kmem_zalloc(sizeof(*tp), KM_NOSLEEP);
	if (tp == NULL)
		return ENOMEM;
	mp = tim_prim(M_PCPROTO, &req, sizeof(req), 0);
	if (mp == NULL) {
		kmem_free(tp, sizeof(*tp));
		return ENOSR;
	}
	tp->tim_rq = q;
	tp->tim_flags = TIM_OPENINFO;
	tp->tim_resseq = tp->tim_dseq = -1;
	tim_link(tp);
	q->q_ptr = WR(q)->q_ptr = tp;
	qprocson(q);
	/* Is it connectionless?  The answer comes when the perimeter is free, that is after this. */
	(void)putnext(WR(q), mp);
	return 0;
}

static int timodclose(queue_t *q, int flag, cred_t *cr)
{
	tim_tim_t *tp = q->q_ptr;

	(void)flag, (void)cr;
	tim_cancel(q, tp->tim_rbufcid, tp->tim_rtimoutid);
	tim_cancel(WR(q), tp->tim_wbufcid, tp->tim_wtimoutid);
	tim_ioctl_forget(tp);
	qprocsoff(q);
	tim_conn_free(tp);
	(void)tim_setname(&tp->tim_myname, NULL, 0);
	(void)tim_setname(&tp->tim_peername, NULL, 0);
	*tp->tim_pprev = tp->tim_next;
	if (tp->tim_next != NULL)
		tp->tim_next->tim_pprev = tp->tim_pprev;
	q->q_ptr = WR(q)->q_ptr = NULL;
	kmem_free(tp, sizeof(*tp));
	return 0;
}

static struct module_info timod_info = {3, "timod", 0, INFPSZ, 512, 128};
static struct qinit timodrinit = {timodrput, timodrsrv, timodopen, timodclose, NULL, &timod_info, NULL};
static struct qinit timodwinit = {timodwput, timodwsrv, NULL, NULL, NULL, &timod_info, NULL};
static struct streamtab timinfo = {&timodrinit, &timodwinit, NULL, NULL};

STREAMS_MODULE(timod, "timod", &timinfo, D_MP | D_MTQPAIR);
