/*
 * tl: the loopback transport (/dev/ticots, /dev/ticotsord, /dev/ticlts), which
 * connects endpoints of one machine.  AF_UNIX sockets stand on it.
 *
 * Theory.  An endpoint (tl_endpt_t) is one open of one of three transports:
 * connection-oriented, the same with orderly release, and connectionless; a
 * socket's opens are transports of their own (TL_SOCKET), so that sockets and
 * TLI programs never meet.  tl has no STREAMS perimeter: whatever touches two
 * endpoints runs in a serializer.  Each connection-oriented endpoint has one,
 * and the ends of a connection share one; all connectionless endpoints of a
 * transport share one.
 *
 * Down.  tl_wput() chooses a procedure and has it run by the serializer.  Data of
 * a connection takes the short way: tl_wput_data_ser() puts it into the peer's
 * read queue at once.  Whatever has to wait (for room at the peer, for memory,
 * for the listener to accept) stands on the endpoint's write queue, and
 * tl_wsrv() takes it up again in the serializer.  te_nowsrv says that the first
 * message there has to wait still.
 *
 * Up.  tl's read queues never hold anything; tl_rsrv() is what back-enabling by
 * the stream head runs, and lets the senders go on.
 *
 * Life.  A request under way holds a reference (te_refcnt); tl_close() has
 * tl_close_ser() run behind all of them and frees the endpoint when the last
 * reference but its own is gone.  In tl_conn.c: connections; tl_data.c: data and
 * flow control; tl_addr.c: addresses; tl_opt.c: options.
 */
#include <string.h>

#include "ip/optcom.h"
#include "sys/errno.h"
#include "sys/file.h"
#include "sys/socketvar.h"
#include "sys/tiuser.h"
#include "tl/tl.h"

static KLOCAL minor_t tl_lastminor;
static KLOCAL tl_serializer_t *tl_clser[2]; /* of TL_TICLTS, and its sockets */

/* ---- references ---- */

void tl_refhold(tl_endpt_t *tep)
{
	tep->te_refcnt++;
}

void tl_refrele(tl_endpt_t *tep)
{
	tep->te_refcnt--;
	if (tep->te_closing)
		cv_broadcast(&tep->te_closecv);
}

/* ---- serializers ---- */

static tl_serializer_t *tl_serializer_alloc(void)
{
	tl_serializer_t *s = kmem_zalloc(sizeof(*s), KM_NOSLEEP);

	if (s == NULL)
		return NULL;
	s->ts_refcnt = 1;
	s->ts_serializer = serializer_create(KM_NOSLEEP);
	if (s->ts_serializer == NULL) {
		kmem_free(s, sizeof(*s));
		return NULL;
	}
	return s;
}

/* From a thread: the last user waits until nothing is under way. */
static void tl_serializer_rele(tl_serializer_t *s)
{
	if (s->ts_refcnt == 1)
		serializer_wait(s->ts_serializer);
	if (--s->ts_refcnt > 0)
		return;
	serializer_destroy(s->ts_serializer);
	kmem_free(s, sizeof(*s));
}

void tl_serializer_enter(tl_endpt_t *tep, srproc_t *proc, mblk_t *mp)
{
	if (!IS_CLTS(tep))
		tep->te_ser_count++;
	serializer_enter(tep->te_ser->ts_serializer, proc, mp, tep);
}

void tl_serializer_exit(tl_endpt_t *tep)
{
	if (!IS_CLTS(tep))
		tep->te_ser_count--;
}

/* tep gets peer's serializer; the one it had lives on until it closes. */
static bool tl_serializer_take(tl_endpt_t *tep, tl_endpt_t *peer)
{
	if (tep->te_ser_count != 0 || tep->te_ser != tep->te_ownser)
		return false;
	tep->te_ser = peer->te_ser;
	tep->te_ser->ts_refcnt++;
	return true;
}

/*
 * Who has requests under way in his own cannot leave it, nor who has left it
 * before; two such ends keep two.
 */
void tl_serializer_join(tl_endpt_t *tep, tl_endpt_t *peer)
{
	if (tep->te_ser != peer->te_ser && !tl_serializer_take(tep, peer))
		(void)tl_serializer_take(peer, tep);
}

/* ---- waiting for memory ---- */

static void tl_memory(void *arg)
{
	tl_endpt_t *tep = arg;

	tep->te_bufcid = 0;
	tep->te_timoutid = 0;
	TL_QENABLE(tep);
}

void tl_memrecover(tl_endpt_t *tep, mblk_t *mp, size_t size)
{
	TL_PUTBQ(tep, mp);
	if (tep->te_bufcid != 0 || tep->te_timoutid != 0)
		return;
	tep->te_bufcid = bufcall(size, BPRI_MED, tl_memory, tep);
	if (tep->te_bufcid == 0)
		tep->te_timoutid = timeout(tl_memory, tep, HZ);
}

static void tl_memcancel(tl_endpt_t *tep)
{
	if (tep->te_bufcid != 0)
		unbufcall(tep->te_bufcid);
	if (tep->te_timoutid != 0)
		(void)untimeout(tep->te_timoutid);
	tep->te_bufcid = 0;
	tep->te_timoutid = 0;
}

/* ---- answers ---- */

mblk_t *tl_prim_alloc(uchar_t type, const void *prim, size_t size, size_t more)
{
	mblk_t *mp = allocb(size + more, BPRI_MED);

	if (mp == NULL)
		return NULL;
	DB_TYPE(mp) = type;
	tl_append(mp, prim, (t_scalar_t)size);
	return mp;
}

void tl_append(mblk_t *mp, const void *data, t_scalar_t len)
{
	if (data == NULL || len <= 0)
		return;
	memcpy(mp->b_wptr, data, (size_t)len);
	mp->b_wptr += len;
}

mblk_t *tl_ind_alloc(const mblk_t *mp, void *prim, size_t size, const tl_endpt_t *tep, const tl_endpt_t *to)
{
	/* T_CONN_REQ and T_CONN_IND begin like these two */
	const struct T_unitdata_req *req = (const struct T_unitdata_req *)mp->b_rptr;
	struct T_unitdata_ind *ind = prim;
	const uchar_t *opt = tl_part(mp, req->OPT_offset, req->OPT_length);
	mblk_t *indmp;

	ind->SRC_length = tep->te_alen;
	ind->SRC_offset = (t_scalar_t)size;
	ind->OPT_length = (t_scalar_t)tl_cred_optlen(to) + (opt != NULL ? req->OPT_length : 0);
	ind->OPT_offset = ind->OPT_length != 0 ? (t_scalar_t)_T_ALIGN(size + (size_t)tep->te_alen) : 0;
	indmp = tl_prim_alloc(M_PROTO, ind, size, _T_ALIGN((size_t)tep->te_alen) + (size_t)ind->OPT_length);
	if (indmp == NULL)
		return NULL;
	tl_append(indmp, tep->te_abuf, tep->te_alen);
	if (ind->OPT_length != 0)
		indmp->b_wptr = indmp->b_rptr + ind->OPT_offset;
	tl_cred_append(to, indmp, mp);
	if (opt != NULL)
		tl_append(indmp, opt, req->OPT_length);
	return indmp;
}

mblk_t *tl_ack_alloc(tl_endpt_t *tep, mblk_t *mp)
{
	mblk_t *ackmp = allocb(sizeof(struct T_error_ack), BPRI_MED);

	if (ackmp == NULL)
		tl_memrecover(tep, mp, sizeof(struct T_error_ack));
	else
		DB_TYPE(ackmp) = M_PCPROTO;
	return ackmp;
}

void tl_ok_ack(tl_endpt_t *tep, mblk_t *ackmp, t_scalar_t prim)
{
	struct T_ok_ack ack = {T_OK_ACK, prim};

	tl_append(ackmp, &ack, sizeof(ack));
	(void)putnext(tep->te_rq, ackmp);
}

void tl_error_ack(tl_endpt_t *tep, mblk_t *ackmp, t_scalar_t prim, t_scalar_t tli_err, t_scalar_t unix_err)
{
	struct T_error_ack ack = {T_ERROR_ACK, prim, tli_err, unix_err};

	tl_append(ackmp, &ack, sizeof(ack));
	(void)putnext(tep->te_rq, ackmp);
}

void tl_merror(tl_endpt_t *tep, mblk_t *mp)
{
	merror(tep->te_wq, mp, EPROTO);
}

/* A primitive that this transport does not have. */
static void tl_notsupport(mblk_t *mp, tl_endpt_t *tep)
{
	mblk_t *ackmp = tl_ack_alloc(tep, mp);

	if (ackmp == NULL)
		return;
	tl_error_ack(tep, ackmp, TL_PRIM(mp), TNOTSUPPORT, 0);
	freemsg(mp);
}

/* ---- information ---- */

static struct T_info_ack tl_info_ack(const tl_endpt_t *tep)
{
	bool clts = IS_CLTS(tep);

	return (struct T_info_ack){.PRIM_type = T_INFO_ACK,
				   .TSDU_size = clts ? TL_TIDUSZ : T_INFINITE,
				   .ETSDU_size = clts ? T_INVALID : T_INFINITE,
				   .CDATA_size = clts ? T_INVALID : T_INFINITE,
				   .DDATA_size = clts ? T_INVALID : T_INFINITE,
				   .ADDR_size = T_INFINITE,
				   .OPT_size = T_INFINITE,
				   .TIDU_size = TL_TIDUSZ,
				   .SERV_type = clts              ? T_CLTS
						: IS_COTSORD(tep) ? T_COTS_ORD
								  : T_COTS,
				   .CURRENT_state = tep->te_state,
				   .PROVIDER_flag = SENDZERO | XPG4_1};
}

static void tl_info_req(mblk_t *mp, tl_endpt_t *tep)
{
	struct T_info_ack ack = tl_info_ack(tep);
	mblk_t *ackmp = tl_prim_alloc(M_PCPROTO, &ack, sizeof(ack), 0);

	if (ackmp == NULL) {
		tl_memrecover(tep, mp, sizeof(ack));
		return;
	}
	freemsg(mp);
	(void)putnext(tep->te_rq, ackmp);
}

static void tl_info_req_ser(mblk_t *mp, void *arg)
{
	tl_endpt_t *tep = arg;

	tl_info_req(mp, tep);
	tl_serializer_exit(tep);
	tl_refrele(tep);
}

static void tl_capability_req(mblk_t *mp, tl_endpt_t *tep)
{
	const struct T_capability_req *req = (const struct T_capability_req *)mp->b_rptr;
	struct T_capability_ack ack = {.PRIM_type = T_CAPABILITY_ACK};
	mblk_t *ackmp;

	if (MBLKL(mp) < (ssize_t)sizeof(*req)) {
		tl_merror(tep, mp);
		return;
	}
	ack.CAP_bits1 = req->CAP_bits1 & (TC1_INFO | TC1_ACCEPTOR_ID);
	if (ack.CAP_bits1 & TC1_INFO)
		ack.INFO_ack = tl_info_ack(tep);
	if (ack.CAP_bits1 & TC1_ACCEPTOR_ID)
		ack.ACCEPTOR_id = tep->te_acceptor_id;
	ackmp = tl_prim_alloc(M_PCPROTO, &ack, sizeof(ack), 0);
	if (ackmp == NULL) {
		tl_memrecover(tep, mp, sizeof(ack));
		return;
	}
	freemsg(mp);
	(void)putnext(tep->te_rq, ackmp);
}

/* ---- down ---- */

/* A TPI request whose turn it is. */
static void tl_do_proto(mblk_t *mp, tl_endpt_t *tep)
{
	switch (TL_PRIM(mp)) {
	case O_T_BIND_REQ:
	case T_BIND_REQ:
		tl_bind(mp, tep);
		break;
	case T_UNBIND_REQ:
		tl_unbind(mp, tep);
		break;
	case T_ADDR_REQ:
		tl_addr_req(mp, tep);
		break;
	case T_INFO_REQ:
		tl_info_req(mp, tep);
		break;
	case T_CAPABILITY_REQ:
		tl_capability_req(mp, tep);
		break;
	case T_OPTMGMT_REQ:
	case T_SVR4_OPTMGMT_REQ:
		tl_optmgmt(mp, tep);
		break;
	case T_CONN_REQ:
		if (IS_CLTS(tep))
			tl_notsupport(mp, tep);
		else
			tl_conn_req(mp, tep);
		break;
	case O_T_CONN_RES:
	case T_CONN_RES:
		if (IS_CLTS(tep))
			tl_notsupport(mp, tep);
		else
			tl_conn_res(mp, tep);
		break;
	case T_DISCON_REQ:
		if (IS_CLTS(tep))
			tl_notsupport(mp, tep);
		else
			tl_discon_req(mp, tep);
		break;
	case T_DATA_REQ:
	case T_OPTDATA_REQ:
	case T_EXDATA_REQ:
		tl_data(mp, tep);
		break;
	case T_ORDREL_REQ:
		tl_ordrel(mp, tep);
		break;
	case T_UNITDATA_REQ:
		tl_unitdata(mp, tep);
		break;
	default:
		tl_merror(tep, mp);
	}
}

static void tl_wput_ser(mblk_t *mp, void *arg)
{
	tl_endpt_t *tep = arg;

	tl_do_proto(mp, tep);
	tl_serializer_exit(tep);
	tl_refrele(tep);
}

static void tl_bind_ser(mblk_t *mp, void *arg)
{
	tl_endpt_t *tep = arg;

	tl_bind(mp, tep);
	tl_serializer_exit(tep);
	tl_refrele(tep);
}

static void tl_unitdata_ser(mblk_t *mp, void *arg)
{
	tl_endpt_t *tep = arg;

	tl_unitdata(mp, tep);
	tl_serializer_exit(tep);
	tl_refrele(tep);
}

/* Requests that keep their order with the data before them go through the write queue. */
static void tl_putq_ser(mblk_t *mp, void *arg)
{
	tl_endpt_t *tep = arg;

	TL_PUTQ(tep, mp);
	tl_serializer_exit(tep);
	tl_refrele(tep);
}

static void tl_flush(queue_t *wq, mblk_t *mp)
{
	if (*mp->b_rptr & FLUSHW) {
		flushq(wq, FLUSHALL);
		*mp->b_rptr &= (uchar_t)~FLUSHW;
	}
	if (*mp->b_rptr & FLUSHR) {
		flushq(RD(wq), FLUSHALL);
		qreply(wq, mp);
	} else {
		freemsg(mp);
	}
}

/* Which procedure serves this M_PROTO; NULL: it has been served. */
static srproc_t *tl_wput_proto(tl_endpt_t *tep, mblk_t *mp)
{
	if (MBLKL(mp) < (ssize_t)sizeof(t_scalar_t)) {
		tl_merror(tep, mp);
		return NULL;
	}
	switch (TL_PRIM(mp)) {
	case T_OPTMGMT_REQ:
	case T_SVR4_OPTMGMT_REQ:
		tl_optmgmt(mp, tep);
		return NULL;
	case O_T_BIND_REQ:
	case T_BIND_REQ:
		return tl_bind_ser;
	case T_CONN_REQ:
		if (IS_CLTS(tep))
			return tl_wput_ser;
		tl_conn_req(mp, tep);
		return NULL;
	case T_DATA_REQ:
	case T_OPTDATA_REQ:
	case T_EXDATA_REQ:
	case T_ORDREL_REQ:
		return tl_putq_ser;
	case T_UNITDATA_REQ:
		return tep->te_state == TS_IDLE && tep->te_wq->q_first == NULL ? tl_unitdata_ser : tl_putq_ser;
	default:
		return tl_wput_ser;
	}
}

/* The same of an M_PCPROTO. */
static srproc_t *tl_wput_pcproto(tl_endpt_t *tep, mblk_t *mp)
{
	t_scalar_t prim = MBLKL(mp) < (ssize_t)sizeof(t_scalar_t) ? -1 : TL_PRIM(mp);

	if (prim == T_INFO_REQ)
		return tl_info_req_ser;
	if (prim == T_CAPABILITY_REQ)
		tl_capability_req(mp, tep);
	else
		tl_merror(tep, mp);
	return NULL;
}

static int tl_wput(queue_t *wq, mblk_t *mp)
{
	tl_endpt_t *tep = wq->q_ptr;
	srproc_t *proc;

	switch (DB_TYPE(mp)) {
	case M_DATA:
		if (IS_CLTS(tep)) {
			tl_merror(tep, mp);
			return 0;
		}
		proc = tl_wput_data_ser;
		break;
	case M_IOCTL:
		if (((struct iocblk *)mp->b_rptr)->ioc_cmd != TL_IOC_CREDOPT) {
			miocnak(wq, mp, 0, EINVAL);
			return 0;
		}
		proc = tl_do_ioctl_ser;
		break;
	case M_FLUSH:
		tl_flush(wq, mp);
		return 0;
	case M_PROTO:
		proc = tl_wput_proto(tep, mp);
		break;
	case M_PCPROTO:
		proc = tl_wput_pcproto(tep, mp);
		break;
	default:
		freemsg(mp);
		return 0;
	}
	if (proc == NULL)
		return 0;
	tl_refhold(tep);
	tl_serializer_enter(tep, proc, mp);
	return 0;
}

/* ---- service ---- */

/* Serve the write queue until it is empty or its first message has to wait. */
static void tl_serve(tl_endpt_t *tep)
{
	mblk_t *mp;

	while (!tep->te_nowsrv && (mp = getq(tep->te_wq)) != NULL) {
		if (DB_TYPE(mp) == M_DATA)
			tl_data(mp, tep);
		else
			tl_do_proto(mp, tep);
	}
}

static void tl_wsrv_ser(mblk_t *mp, void *arg)
{
	tl_endpt_t *tep = arg;

	(void)mp;
	tep->te_wsrv_active = false;
	tl_serve(tep);
	tl_serializer_exit(tep);
	tl_refrele(tep);
}

static int tl_wsrv(queue_t *wq)
{
	tl_endpt_t *tep = wq->q_ptr;

	if (tep->te_nowsrv || tep->te_wsrv_active)
		return 0;
	tep->te_wsrv_active = true;
	tl_refhold(tep);
	tl_serializer_enter(tep, tl_wsrv_ser, &tep->te_wsrvmp);
	return 0;
}

static void tl_rsrv_ser(mblk_t *mp, void *arg)
{
	tl_endpt_t *tep = arg;

	(void)mp;
	tep->te_rsrv_active = false;
	if (IS_CLTS(tep))
		tl_cl_backenable(tep);
	else if (tep->te_conp != NULL)
		TL_QENABLE(tep->te_conp);
	tl_serializer_exit(tep);
	tl_refrele(tep);
}

/* Back-enabled: the reader of this endpoint has room again. */
static int tl_rsrv(queue_t *rq)
{
	tl_endpt_t *tep = rq->q_ptr;

	if (tep->te_rsrv_active)
		return 0;
	tep->te_rsrv_active = true;
	tl_refhold(tep);
	tl_serializer_enter(tep, tl_rsrv_ser, &tep->te_rsrvmp);
	return 0;
}

/* ---- open and close ---- */

/* The serializer that an endpoint begins with; false without memory. */
static bool tl_serializer_first(tl_endpt_t *tep)
{
	tl_serializer_t **shared = &tl_clser[IS_SOCKET(tep)];

	if (!IS_CLTS(tep)) {
		tep->te_ser = tep->te_ownser = tl_serializer_alloc();
		return tep->te_ser != NULL;
	}
	if (*shared == NULL && (*shared = tl_serializer_alloc()) == NULL)
		return false;
	(*shared)->ts_refcnt++;
	tep->te_ser = tep->te_ownser = *shared;
	return true;
}

/* A number that no endpoint has. */
static minor_t tl_newminor(uint_t transport)
{
	minor_t minor;

	do {
		tl_lastminor = (tl_lastminor + 1) & (INT32_MAX >> TL_MINOR_SHIFT);
		minor = (minor_t)((uint_t)tl_lastminor << TL_MINOR_SHIFT | transport);
	} while (tl_lastminor == 0 || tl_find_minor(minor) != NULL);
	return minor;
}

static int tl_open(queue_t *rq, dev_t *devp, int oflag, int sflag, cred_t *cr)
{
	uint_t transport = (uint_t)getminor(*devp);
	tl_endpt_t *tep;

	(void)cr;
	if (rq->q_ptr != NULL)
		return 0; /* opened again */
	if (transport > TL_TICLTS || sflag == MODOPEN || sflag == CLONEOPEN)
		return ENXIO;
	tep = kmem_zalloc(sizeof(*tep), KM_NOSLEEP);
	if (tep == NULL)
		return ENOMEM;
	tep->te_transport = transport | (oflag & (SO_ACCEPTOR | SO_SOCKSTR) ? TL_SOCKET : 0);
	if (!tl_serializer_first(tep)) {
		kmem_free(tep, sizeof(*tep));
		return ENOMEM;
	}
	tep->te_state = TS_UNBND;
	tep->te_refcnt = 1;
	tep->te_rq = rq;
	tep->te_wq = WR(rq);
	tep->te_minor = tl_newminor(tep->te_transport);
	tep->te_acceptor_id = (t_uscalar_t)tep->te_minor;
	tl_hash_insert(TL_HASH_MINOR, tep, (uint32_t)tep->te_minor);
	rq->q_ptr = WR(rq)->q_ptr = tep;
	*devp = makedevice(getmajor(*devp), tep->te_minor);
	qprocson(rq);
	return 0;
}

/* Behind all other requests: nobody finds the endpoint any more, and its partners learn that it is gone. */
static void tl_close_ser(mblk_t *mp, void *arg)
{
	tl_endpt_t *tep = arg;

	(void)mp;
	tep->te_closing = true;
	tep->te_nowsrv = false;
	/* What still waits is sent, room or not; a ticots connection ends abruptly. */
	if (IS_CLTS(tep) || IS_COTSORD(tep))
		tl_serve(tep);
	tl_unbind_addr(tep);
	tl_hash_remove(TL_HASH_MINOR, tep);
	if (IS_CLTS(tep))
		tl_cl_unflow(tep);
	else
		tl_co_unconnect(tep);
	tep->te_state = TS_UNBND;
	tep->te_closed = true;
	cv_broadcast(&tep->te_closecv);
	tl_serializer_exit(tep);
	tl_refrele(tep);
}

static int tl_close(queue_t *rq, int flag, cred_t *cr)
{
	tl_endpt_t *tep = rq->q_ptr;

	(void)flag, (void)cr;
	tl_memcancel(tep);
	tl_refhold(tep);
	tl_serializer_enter(tep, tl_close_ser, &tep->te_closemp);
	while (!tep->te_closed)
		cv_wait(&tep->te_closecv);
	tl_memcancel(tep);
	qprocsoff(rq);
	while (tep->te_refcnt > 1)
		cv_wait(&tep->te_closecv);
	rq->q_ptr = WR(rq)->q_ptr = NULL;
	if (tep->te_ownser != tep->te_ser)
		tl_serializer_rele(tep->te_ownser);
	tl_serializer_rele(tep->te_ser);
	kmem_free(tep, sizeof(*tep));
	return 0;
}

/* ---- module ---- */

static void tl_init(void)
{
	tl_lastminor = 0;
}

static void tl_fini(void)
{
	for (int i = 0; i < 2; i++) {
		if (tl_clser[i] == NULL)
			continue;
		serializer_destroy(tl_clser[i]->ts_serializer);
		kmem_free(tl_clser[i], sizeof(*tl_clser[i]));
		tl_clser[i] = NULL;
	}
	tl_addr_fini();
}

KERNEL_INIT(-1, tl_init, tl_fini);

static struct module_info tl_minfo = {104, "tl", 0, INFPSZ, 16384, 256};
static struct qinit tl_rinit = {.qi_srvp = tl_rsrv, .qi_qopen = tl_open, .qi_qclose = tl_close, .qi_minfo = &tl_minfo};
static struct qinit tl_winit = {.qi_putp = tl_wput, .qi_srvp = tl_wsrv, .qi_minfo = &tl_minfo};
static struct streamtab tlinfo = {&tl_rinit, &tl_winit, NULL, NULL};

STREAMS_DRIVER(tl, "tl", &tlinfo, D_MP, "/dev/ticots=0 /dev/ticotsord=1 /dev/ticlts=2", NULL);
