/*
 * tl: what the files of the module share.
 */
#ifndef STRSIM_TL_TL_H
#define STRSIM_TL_TL_H

#include "sys/serializer.h"
#include "sys/stream.h"
#include "sys/strsubr.h"
#include "sys/tihdr.h"
#include "sys/tl.h"

/* A serializer with its users. */
typedef struct tl_serializer {
	uint_t ts_refcnt;
	serializer_t *ts_serializer;
} tl_serializer_t;

/* A connection that a listener has been told of and that waits for T_CONN_RES. */
typedef struct tl_icon {
	struct tl_endpt *ti_tep;   /* who wants it; NULL: a socket that has gone already */
	mblk_t *ti_mp, *ti_mplast; /* what that one has sent, by b_next */
	t_scalar_t ti_seqno;
	struct tl_icon *ti_next;
} tl_icon_t;

enum { TL_HASH_ADDR, TL_HASH_MINOR, TL_NHASH };

typedef struct tl_endpt {
	queue_t *te_rq, *te_wq;
	int te_state;        /* TS_... */
	uint_t te_transport; /* of TL_TICOTS ..., with TL_SOCKET */
	bool te_setcred;     /* indications show credentials */
	minor_t te_minor;
	t_uscalar_t te_acceptor_id;

	/* address */
	uchar_t *te_abuf; /* NULL when there is none */
	t_scalar_t te_alen;
	bool te_addrhashed;
	struct tl_endpt *te_hnext[TL_NHASH];
	uint32_t te_hval[TL_NHASH];

	/* connection-oriented */
	struct tl_endpt *te_conp;  /* peer */
	struct tl_endpt *te_oconp; /* listener that has not accepted yet */
	tl_icon_t *te_iconp;       /* connections offered to this one, oldest first */
	t_uscalar_t te_nicon, te_qlen;

	/* connectionless: who waits for this one's reader, and for whom this one waits */
	struct tl_endpt *te_flowfirst, *te_flownext, *te_flowq;

	/* serializer */
	tl_serializer_t *te_ser, *te_ownser; /* the one in use; the one it was born with */
	uint_t te_ser_count;                 /* COTS: requests under way */
	uint_t te_refcnt;
	bool te_closing, te_closed;
	bool te_nowsrv; /* the first message of the write queue has to wait */
	bool te_wsrv_active, te_rsrv_active;
	mblk_t te_wsrvmp, te_rsrvmp, te_closemp; /* requests that must not fail */
	kcondvar_t te_closecv;

	/* waiting for memory */
	bufcall_id_t te_bufcid;
	timeout_id_t te_timoutid;
} tl_endpt_t;

#define TL_TRANSPORT(tep) ((tep)->te_transport & 3)
#define IS_CLTS(tep) (TL_TRANSPORT(tep) == TL_TICLTS)
#define IS_COTSORD(tep) (TL_TRANSPORT(tep) == TL_TICOTSORD)
#define IS_SOCKET(tep) (((tep)->te_transport & TL_SOCKET) != 0)

#define TL_PRIM(mp) (*(const t_scalar_t *)(const void *)(mp)->b_rptr)

/* Onto the write queue: to be served; at its front, to wait until TL_QENABLE(). */
ALWAYS_INLINE void TL_PUTQ(tl_endpt_t *tep, mblk_t *mp)
{
	tep->te_nowsrv = false;
	(void)putq(tep->te_wq, mp);
}
ALWAYS_INLINE void TL_PUTBQ(tl_endpt_t *tep, mblk_t *mp)
{
	tep->te_nowsrv = true;
	(void)putbq(tep->te_wq, mp);
}
ALWAYS_INLINE void TL_QENABLE(tl_endpt_t *tep)
{
	tep->te_nowsrv = false;
	qenable(tep->te_wq);
}

/* Part of a request's block, off and len as its fields say: NULL when it lies outside, or is empty. */
ALWAYS_INLINE uchar_t *tl_part(const mblk_t *mp, t_scalar_t off, t_scalar_t len)
{
	return len > 0 && off >= 0 && (ssize_t)off + len <= MBLKL(mp) ? mp->b_rptr + off : NULL;
}

/* ---- tl.c ---- */
void tl_refhold(tl_endpt_t *tep);
void tl_refrele(tl_endpt_t *tep);
/* Run proc(mp, tep) in tep's serializer.  proc ends with tl_serializer_exit() and tl_refrele(). */
void tl_serializer_enter(tl_endpt_t *tep, srproc_t *proc, mblk_t *mp);
void tl_serializer_exit(tl_endpt_t *tep);
/* The two ends of a new connection use one serializer from now on. */
void tl_serializer_join(tl_endpt_t *tep, tl_endpt_t *peer);
/* Memory is short: mp waits at the front of the write queue until size bytes can be had. */
void tl_memrecover(tl_endpt_t *tep, mblk_t *mp, size_t size);
/* A block for T_OK_ACK or T_ERROR_ACK to request mp; NULL: mp waits for memory. */
mblk_t *tl_ack_alloc(tl_endpt_t *tep, mblk_t *mp);
void tl_ok_ack(tl_endpt_t *tep, mblk_t *ackmp, t_scalar_t prim);
void tl_error_ack(tl_endpt_t *tep, mblk_t *ackmp, t_scalar_t prim, t_scalar_t tli_err, t_scalar_t unix_err);
/* The user broke the protocol: M_ERROR EPROTO, the end of the stream's use.  mp is consumed. */
void tl_merror(tl_endpt_t *tep, mblk_t *mp);
/* A block for a primitive of this size with room for `more' bytes behind; NULL without memory. */
mblk_t *tl_prim_alloc(uchar_t type, const void *prim, size_t size, size_t more);
/* Behind what mp holds; NULL data or length 0: nothing. */
void tl_append(mblk_t *mp, const void *data, t_scalar_t len);
/*
 * The indication that `to' gets for tep's request mp, without data: *prim of `size' bytes (T_CONN_IND or T_UNITDATA_IND,
 * whose type and own members are set), tep's address, and as options the credentials that `to' has asked for and what
 * the request has.  NULL without memory.
 */
mblk_t *tl_ind_alloc(const mblk_t *mp, void *prim, size_t size, const tl_endpt_t *tep, const tl_endpt_t *to);

/* ---- tl_addr.c ---- */
void tl_hash_insert(int which, tl_endpt_t *tep, uint32_t hval);
void tl_hash_remove(int which, tl_endpt_t *tep);
tl_endpt_t *tl_find_addr(uint_t transport, const void *addr, t_scalar_t alen);
tl_endpt_t *tl_find_minor(minor_t minor);
/* Give an unbound endpoint an address that nobody finds it by; false without memory. */
bool tl_copyaddr(tl_endpt_t *tep, const tl_endpt_t *from);
void tl_unbind_addr(tl_endpt_t *tep);
void tl_bind(mblk_t *mp, tl_endpt_t *tep);
void tl_unbind(mblk_t *mp, tl_endpt_t *tep);
void tl_addr_req(mblk_t *mp, tl_endpt_t *tep);
void tl_addr_fini(void);

/* ---- tl_conn.c ---- */
/* T_CONN_REQ: goes to the serializer of the listener. */
void tl_conn_req(mblk_t *mp, tl_endpt_t *tep);
void tl_conn_res(mblk_t *mp, tl_endpt_t *tep);
void tl_discon_req(mblk_t *mp, tl_endpt_t *tep);
/* T_ORDREL_REQ, when it has come to the front. */
void tl_ordrel(mblk_t *mp, tl_endpt_t *tep);
/* What a socket sent before it was accepted and left, kept for who accepts. */
void tl_icon_queuemsg(tl_endpt_t *tep, mblk_t *mp);
/* The endpoint closes: its connection, or its part in connections that were to be, ends. */
void tl_co_unconnect(tl_endpt_t *tep);

/* ---- tl_data.c ---- */
void tl_wput_data_ser(mblk_t *mp, void *arg);
/* M_DATA, T_DATA_REQ, T_EXDATA_REQ, T_OPTDATA_REQ, when it has come to the front. */
void tl_data(mblk_t *mp, tl_endpt_t *tep);
void tl_unitdata(mblk_t *mp, tl_endpt_t *tep);
/* A request becomes the indication of the same form; first see that nobody else has the block (false: *mpp waits for
 * memory). */
void tl_indication(mblk_t *mp);
bool tl_own_block(tl_endpt_t *tep, mblk_t **mpp);
/* The reader of tep has room again. */
void tl_cl_backenable(tl_endpt_t *tep);
void tl_cl_unflow(tl_endpt_t *tep);

/* ---- tl_opt.c ---- */
void tl_optmgmt(mblk_t *mp, tl_endpt_t *tep);
void tl_do_ioctl_ser(mblk_t *mp, void *arg);
/* Room for, and the option that shows, the sender of mp; 0 and nothing when `to' does not want it. */
size_t tl_cred_optlen(const tl_endpt_t *to);
void tl_cred_append(const tl_endpt_t *to, mblk_t *ind, const mblk_t *mp);

#endif
