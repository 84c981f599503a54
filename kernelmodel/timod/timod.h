/*
 * timod: what the files of the module share.
 */
#ifndef STRSIM_TIMOD_TIMOD_H
#define STRSIM_TIMOD_TIMOD_H

#include "sys/stream.h"
#include "sys/strsubr.h"
#include "sys/timod.h"

typedef struct tim_name {
	uchar_t *tn_buf; /* NULL: none */
	size_t tn_len;
} tim_name_t;

typedef struct tim_tim {
	queue_t *tim_rq;
	uint_t tim_flags;
	tim_name_t tim_myname, tim_peername;
	t_uscalar_t tim_backlog;  /* CONIND_number of the last bind */
	t_uscalar_t tim_acceptor; /* the provider's identifier of the endpoint, with TIM_ACCEPTOR */

	/* an ioctl that waits for the provider */
	mblk_t *tim_iocsave;      /* the M_IOCTL, NULL: none */
	t_scalar_t tim_iocprim;   /* request that was made of it */
	timeout_id_t tim_tcaptid; /* TI_CAPABILITY: until the provider is taken not to know it */

	/* connections */
	mblk_t *tim_consave;             /* copies of T_CONN_IND that are not answered yet, by b_next */
	t_scalar_t tim_resseq, tim_dseq; /* which one T_CONN_RES, T_DISCON_REQ under way are about */
	t_uscalar_t tim_resacc;          /* and whom the former gives it to */

	/* waiting for memory: of the read queue, the write queue */
	bufcall_id_t tim_rbufcid, tim_wbufcid;
	timeout_id_t tim_rtimoutid, tim_wtimoutid;

	struct tim_tim *tim_next, **tim_pprev; /* all of them */
} tim_tim_t;

/* tim_flags */
#define TIM_CLTS 0x01
#define TIM_COTS 0x02
#define TIM_OPENINFO 0x04 /* the answer to the T_INFO_REQ of the open procedure has not come */
#define TIM_ACCEPTOR 0x08
#define TIM_LOCORDREL 0x10
#define TIM_REMORDREL 0x20

#define TIM_PRIM(mp) (MBLKL(mp) < (ssize_t)sizeof(t_scalar_t) ? -1 : *(const t_scalar_t *)(const void *)(mp)->b_rptr)

/* ---- timod.c ---- */
/* Memory is short: mp waits at the front of q until size bytes can be had. */
void tim_recover(queue_t *q, mblk_t *mp, size_t size);
/* A block that holds this primitive, with room for `more' bytes; NULL without memory. */
mblk_t *tim_prim(uchar_t type, const void *prim, size_t size, size_t more);
void tim_append(mblk_t *mp, const void *data, size_t len);
/* Part of a primitive's block; NULL when it is empty or lies outside. */
uchar_t *tim_part(const mblk_t *mp, t_scalar_t off, t_scalar_t len);
/* The name becomes these bytes (len 0: none); false without memory. */
bool tim_setname(tim_name_t *name, const void *data, size_t len);

/* ---- tim_ioctl.c ---- */
bool tim_is_ioctl(int cmd);
/* An ioctl of timod's own; 1: it waits on the queue. */
int tim_ioctl(queue_t *q, mblk_t *mp);
/* The answer to a copy request of one of timod's ioctls. */
void tim_iocdata(queue_t *q, mblk_t *mp);
/* Is `ack', a message from the provider, what the pending ioctl waits for?  Then it is answered and ack consumed. */
bool tim_ioctl_answer(queue_t *rq, mblk_t *ack);
/* The stream is in error: whoever waits learns that from its head. */
void tim_ioctl_forget(tim_tim_t *tp);

/* ---- tim_conn.c ---- */
/* What a request means for the names; 1: it waits on the queue.  *mpp is NULL when it was answered here. */
int tim_track_request(queue_t *q, mblk_t **mpp);
/* What a message from the provider means; false: it waits for memory. */
bool tim_track_indication(queue_t *q, mblk_t *mp);
void tim_conn_free(tim_tim_t *tp);
tim_tim_t *tim_find_acceptor(t_uscalar_t id);

#endif
