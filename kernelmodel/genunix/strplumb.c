/*
 * Plumbing: queue pairs, how they get their procedures and perimeters, how they
 * are linked into streams, and the tables of modules and drivers.
 *
 * Theory.  allocq() makes a read queue, a write queue and a syncq in one piece.
 * setq() gives them a module's procedures, limits and perimeter: the embedded
 * syncq, one more for the write side (D_MTPERQ), or the one that all instances
 * share (D_MTPERMOD).  qattach() opens a module or driver on the new pair;
 * its open procedure calls qprocson(), which links the pair in below the stream
 * head; its close procedure calls qprocsoff(), which takes it out.
 *
 *	head write -> module write -> ... -> driver write	(q_next)
 *	head read  <- module read  <- ... <- driver read
 *
 * Two streams that are each other's end (a pipe) are linked in the same way:
 * a write queue's q_next is then the other stream's read queue.  QEND is set
 * where a stream ends in its direction.
 *
 * q_nfsrv of a queue is itself if it has a service procedure or is the end of
 * the stream, else that of the queue ahead.
 */
#include <string.h>
#include "sys/cmn_err.h"
#include "sys/errno.h"
#include "sys/strsubr.h"

/* ---- tables of modules and drivers ---- */

LINKER_SET_DECLARE(fmodsw);
LINKER_SET_DECLARE(devsw);

/* Majors are places in the table of drivers, from here on. */
#define DEVSW_FIRST_MAJOR 1

const fmodsw_t *fmodsw_find(const char *name)
{
	LINKER_SET_FOREACH(pp, fmodsw)
	{
		const fmodsw_t *fp = *pp;

		if (strcmp(fp->f_name, name) == 0)
			return fp;
	}
	return NULL;
}

const devsw_t *devsw_find(const char *name)
{
	LINKER_SET_FOREACH(pp, devsw)
	{
		const devsw_t *dp = *pp;

		if (strcmp(dp->d_name, name) == 0)
			return dp;
	}
	return NULL;
}

major_t devsw_major(const devsw_t *d)
{
	LINKER_SET_FOREACH(pp, devsw)
	if (*pp == d)
		return (major_t)(pp - __start_set_devsw) + DEVSW_FIRST_MAJOR;
	return -1;
}

const devsw_t *devsw_bymajor(major_t maj)
{
	major_t i = maj - DEVSW_FIRST_MAJOR;

	if (i < 0 || i >= (major_t)(__stop_set_devsw - __start_set_devsw))
		return NULL;
	return __start_set_devsw[i];
}

/* ---- perimeters of a module ---- */

static KLOCAL perdm_t *perdms;

static perdm_t *perdm_hold(struct streamtab *str, uint_t qflag, uint_t sqtype)
{
	perdm_t *dmp;

	for (dmp = perdms; dmp != NULL && dmp->dm_str != str; dmp = dmp->dm_next)
		;
	if (dmp == NULL) {
		dmp = kmem_zalloc(sizeof(*dmp), KM_SLEEP);
		dmp->dm_str = str;
		dmp->dm_sq = kmem_zalloc(sizeof(syncq_t), KM_SLEEP);
		dmp->dm_sq->sq_type = sqtype;
		dmp->dm_sq->sq_flags = sqtype & SQ_CIPUT;
		if (qflag & QMTOUTPERIM) {
			dmp->dm_sq->sq_flags = 0;
			dmp->dm_sq->sq_outer = dmp->dm_sq->sq_onext = dmp->dm_sq->sq_oprev = dmp->dm_sq;
		}
		dmp->dm_next = perdms;
		perdms = dmp;
	}
	dmp->dm_ref++;
	return dmp;
}

static void perdm_rele(perdm_t *dmp)
{
	perdm_t **link;

	if (--dmp->dm_ref != 0)
		return;
	wait_sq_svc(dmp->dm_sq);
	if (dmp->dm_ref != 0) {
		dmp->dm_sq->sq_svcflags &= ~SQ_DISABLED; /* opened again while we slept */
		return;
	}
	for (link = &perdms; *link != dmp; link = &(*link)->dm_next)
		;
	*link = dmp->dm_next;
	kmem_free(dmp->dm_sq, sizeof(syncq_t));
	kmem_free(dmp, sizeof(*dmp));
}

int devflg_to_qflag(int mtflags, uint_t *qflagp, uint_t *sqtypep)
{
	int inner = mtflags & D_MTPERMOD, shared = mtflags & D_MTPUTSHARED;
	uint_t type = SQ_CO;

	if (!(mtflags & D_MP))
		goto bad;
	if (inner == 0 && (mtflags & (D_MTPUTSHARED | _D_MTOCSHARED | _D_MTCBSHARED | _D_MTSVCSHARED)))
		goto bad;
	if ((mtflags & (_D_MTOCSHARED | _D_MTCBSHARED)) && !shared)
		goto bad;
	if ((mtflags & _D_MTSVCSHARED) && !(shared && inner == D_MTPERMOD))
		goto bad;
	if ((mtflags & D_MTOUTPERIM) && inner == D_MTPERMOD)
		goto bad;
	if ((mtflags & D_MTOCEXCL) && !(mtflags & D_MTOUTPERIM))
		goto bad;

	switch (inner) {
	case D_MTPERMOD:
		*qflagp = QPERMOD;
		type |= SQ_PERMOD;
		break;
	case D_MTQPAIR:
		*qflagp = QPAIR;
		break;
	case D_MTPERQ:
		*qflagp = QPERQ;
		break;
	default:
		*qflagp = QMTSAFE;
		type |= SQ_CI;
	}
	if (shared)
		type |= SQ_CIPUT;
	if (mtflags & _D_MTOCSHARED)
		type |= SQ_CIOC;
	if (mtflags & _D_MTCBSHARED)
		type |= SQ_CICB;
	if (mtflags & _D_MTSVCSHARED)
		type |= SQ_CISVC;
	if (mtflags & D_MTOUTPERIM)
		*qflagp |= QMTOUTPERIM;
	if (mtflags & D_MTOCEXCL)
		type &= ~SQ_COOC;
	*sqtypep = type;
	return 0;
bad:
	cmn_err(CE_WARN, "stropen: bad MT flags (0x%x)", (uint_t)mtflags);
	return EINVAL;
}

/* ---- queue pairs ---- */

typedef struct queinfo {
	queue_t qu_rqueue, qu_wqueue;
	syncq_t qu_syncq;
} queinfo_t;

#define SQ(rq) (&((queinfo_t *)(rq))->qu_syncq)

queue_t *allocq(void)
{
	queinfo_t *qip = kmem_zalloc(sizeof(*qip), KM_NOSLEEP);
	queue_t *rq, *wq;

	if (qip == NULL)
		return NULL;
	rq = &qip->qu_rqueue;
	wq = &qip->qu_wqueue;
	rq->q_qinfo = &deadrend;
	wq->q_qinfo = &deadwend;
	rq->q_flag = QUSE | QREADR | QEND | QMTSAFE;
	wq->q_flag = QUSE | QEND | QMTSAFE;
	rq->q_syncq = wq->q_syncq = &qip->qu_syncq;
	rq->q_nfsrv = rq;
	wq->q_nfsrv = wq;
	return rq;
}

/* Give q the module's side qip and the perimeter sq. */
ALWAYS_INLINE void setq_finit(queue_t *q, struct qinit *qip, uint_t qflag, syncq_t *sq)
{
	struct module_info *mi = qip->qi_minfo;

	q->q_qinfo = qip;
	q->q_minpsz = mi->mi_minpsz;
	q->q_maxpsz = mi->mi_maxpsz;
	q->q_hiwat = mi->mi_hiwat;
	q->q_lowat = mi->mi_lowat;
	q->q_flag = (q->q_flag & ~(QPERMOD | QPAIR | QPERQ | QMTSAFE | QMTOUTPERIM)) | qflag | QWANTR;
	q->q_syncq = sq;
}

/* A perimeter gets its kind; who is inside stays there. */
ALWAYS_INLINE void setsq(syncq_t *sq, uint_t type, syncq_t *outer)
{
	sq->sq_type = type;
	sq->sq_flags = (sq->sq_flags & ~SQ_CIPUT) | (type & SQ_CIPUT);
	if (outer != NULL)
		outer_insert(outer, sq);
}

/* Take back what an earlier setq() gave: the write side's own syncq, the outer perimeter. */
static void unsetq(queue_t *rq)
{
	syncq_t *wsq = _WR(rq)->q_syncq;

	if (SQ(rq)->sq_outer != NULL)
		outer_remove(SQ(rq)->sq_outer, SQ(rq));
	if (!(rq->q_flag & QPERQ))
		return;
	if (wsq->sq_outer != NULL)
		outer_remove(wsq->sq_outer, wsq);
	wait_sq_svc(wsq);
	kmem_free(wsq, sizeof(*wsq));
}

void setq(queue_t *rq, struct qinit *rinit, struct qinit *winit, int mtflags, syncq_t *permod, syncq_t *outer)
{
	syncq_t *rsq = SQ(rq), *wsq = rsq;
	uint_t qflag = QMTSAFE, type = SQ_CI | SQ_CO;

	devflg_to_qflag(mtflags, &qflag, &type);
	unsetq(rq);
	if (qflag & QPERMOD) {
		rsq = wsq = permod;
	} else {
		setsq(rsq, type, outer);
		if (qflag & QPERQ) {
			wsq = kmem_zalloc(sizeof(*wsq), KM_SLEEP);
			setsq(wsq, type, outer);
		}
	}
	setq_finit(rq, rinit, qflag, rsq);
	setq_finit(_WR(rq), winit, qflag, wsq);
}

int setq_str(queue_t *rq, struct qinit *rinit, struct qinit *winit, struct streamtab *str, int mtflags)
{
	perdm_t *old = rq->q_dm, *dmp = NULL;
	syncq_t *sq = NULL;
	uint_t qflag, type;
	int error = devflg_to_qflag(mtflags, &qflag, &type);

	if (error != 0)
		return error;
	if (qflag & (QPERMOD | QMTOUTPERIM)) {
		dmp = perdm_hold(str, qflag, type);
		sq = dmp->dm_sq;
	}
	setq(rq, rinit, winit, mtflags, qflag & QPERMOD ? sq : NULL, qflag & QMTOUTPERIM ? sq : NULL);
	rq->q_dm = dmp;
	if (old != NULL)
		perdm_rele(old);
	return 0;
}

void freeq(queue_t *rq)
{
	queue_t *wq = _WR(rq);

	flushq(rq, FLUSHALL);
	flushq(wq, FLUSHALL);
	wait_svc(rq);
	wait_svc(wq);
	propagate_syncq(rq, NULL);
	propagate_syncq(wq, NULL);
	wait_sq_svc(SQ(rq));
	/* What came while we waited. */
	flushq(rq, FLUSHALL);
	flushq(wq, FLUSHALL);
	unsetq(rq);
	if (rq->q_dm != NULL)
		perdm_rele(rq->q_dm);
	qband_freeall(rq);
	qband_freeall(wq);
	kmem_free(rq, sizeof(queinfo_t));
}

/* ---- links ---- */

/* Wait until nobody relies on the stream's q_next pointers. */
static void strlock(stdata_t *stp)
{
	while (stp->sd_refcnt != 0)
		cv_wait(&stp->sd_refmonitor);
}

/* Set QEND on both queues of the pair as their q_next tells. */
void set_qend(queue_t *q)
{
	queue_t *pair[2] = {RD(q), WR(q)};

	for (int i = 0; i < 2; i++) {
		queue_t *nq = pair[i]->q_next;

		if (nq == NULL || ((nq->q_flag ^ pair[i]->q_flag) & QREADR))
			pair[i]->q_flag |= QEND;
		else
			pair[i]->q_flag &= ~QEND;
	}
}

/* q_nfsrv of q, and of those behind that look through q. */
void set_nfsrv(queue_t *q)
{
	queue_t *end = q->q_qinfo->qi_srvp != NULL || q->q_next == NULL ? q : q->q_next->q_nfsrv;

	q->q_nfsrv = end;
	while ((q = backq(q)) != NULL && q->q_qinfo->qi_srvp == NULL && q->q_next != NULL)
		q->q_nfsrv = end;
}

/* Link a new pair in right below the stream head. */
void insertq(stdata_t *stp, queue_t *rq)
{
	queue_t *wq = _WR(rq), *hwq = stp->sd_wrq, *below;

	strlock(stp);
	below = hwq->q_next;
	wq->q_next = below;
	rq->q_next = _RD(hwq);
	hwq->q_next = wq;
	if (below != NULL)
		OTHERQ(below)->q_next = rq;
	set_qend(rq);
	set_qend(hwq);
	if (below != NULL)
		set_qend(below);
	set_nfsrv(rq);
	set_nfsrv(wq);
	if (rq->q_fp != NULL)
		stp->sd_pushcnt++;
	/* Who was refused by the neighbours may have asked queues that are not the next ones any more. */
	if (below != NULL && (below->q_nfsrv->q_flag & QWANTW))
		backenable(wq, 0);
	if (_RD(hwq)->q_flag & QWANTW)
		backenable(rq, 0);
}

/* Whoever waits for room on q, which goes away, is to look again. */
ALWAYS_INLINE void q_dismiss_writers(queue_t *q)
{
	uchar_t band = 0;

	if (q->q_flag & QWANTW)
		backenable(q, 0);
	for (qband_t *qbp = q->q_bandp; qbp != NULL; qbp = qbp->qb_next, band++)
		if (qbp->qb_flag & QB_WANTW)
			backenable(q, (uchar_t)(band + 1));
}

/* Link `behind', if any, past a pair that goes away. */
ALWAYS_INLINE void q_bypass(queue_t *behind, queue_t *ahead)
{
	if (behind == NULL)
		return;
	behind->q_next = ahead;
	set_qend(behind);
	set_nfsrv(behind);
}

/* Take a pair out of its stream; the caller is inside its perimeter. */
void removeq(queue_t *rq)
{
	queue_t *wq = _WR(rq), *wbehind, *rbehind, *rnext, *wnext;
	syncq_t *rsq = rq->q_syncq, *wsq = wq->q_syncq;
	stdata_t *stp = STREAM(rq);

	blocksq(rsq, SQ_BLOCKED, 1);
	if (wsq != rsq)
		blocksq(wsq, SQ_BLOCKED, 0);
	strlock(stp);
	q_dismiss_writers(rq);
	q_dismiss_writers(wq);
	rnext = rq->q_next;
	wnext = wq->q_next;
	wbehind = backq(wq);
	rbehind = backq(rq);
	q_bypass(wbehind, wnext);
	q_bypass(rbehind, rnext);
	rq->q_next = wq->q_next = NULL;
	rq->q_nfsrv = rq;
	wq->q_nfsrv = wq;
	set_qend(rq);
	if (rq->q_fp != NULL)
		stp->sd_pushcnt--;
	propagate_syncq(rq, rq->q_flag & QISDRV ? NULL : rnext);
	propagate_syncq(wq, wnext);
	unblocksq(rsq, SQ_BLOCKED, 0);
	if (wsq != rsq)
		unblocksq(wsq, SQ_BLOCKED, 0);
}

void qprocson(queue_t *rq)
{
	rq->q_flag &= ~QWCLOSE;
	_WR(rq)->q_flag &= ~QWCLOSE;
	if (rq->q_next == NULL)
		insertq(STREAM(rq), rq);
}

void qprocsoff(queue_t *rq)
{
	if (rq->q_next == NULL)
		return;
	rq->q_flag |= QWCLOSE;
	_WR(rq)->q_flag |= QWCLOSE;
	removeq(rq);
}

/* ---- opening and closing ---- */

int qattach(queue_t *headrq, dev_t *devp, int oflag, cred_t *cr, const fmodsw_t *fp, const devsw_t *dp)
{
	struct streamtab *str = fp != NULL ? fp->f_str : dp->d_str;
	bool clone = dp != NULL && getmajor(*devp) == CLONE_MAJOR;
	dev_t dev = clone ? makedevice(devsw_major(dp), 0) : *devp;
	int sflag = fp != NULL ? MODOPEN : clone ? CLONEOPEN : 0;
	queue_t *rq = allocq();
	int error;

	if (rq == NULL)
		return ENOSR;
	rq->q_stream = _WR(rq)->q_stream = STREAM(headrq);
	rq->q_fp = _WR(rq)->q_fp = fp;
	if (dp != NULL) {
		rq->q_flag |= QISDRV;
		_WR(rq)->q_flag |= QISDRV;
	}
	error = setq_str(rq, str->st_rdinit, str->st_wrinit, str, fp != NULL ? fp->f_flag : dp->d_flag);
	if (error != 0) {
		freeq(rq);
		return error;
	}
	entersq(rq->q_syncq, SQ_OPENCLOSE);
	error = rq->q_qinfo->qi_qopen(rq, &dev, oflag, sflag, cr);
	leavesq(rq->q_syncq, SQ_OPENCLOSE);
	if (error != 0) {
		qprocsoff(rq);
		qdetach(rq, 0, 0, cr);
		return error;
	}
	qprocson(rq); /* if its open procedure did not */
	*devp = dev;
	return 0;
}

int qreopen(queue_t *rq, dev_t *devp, int flag, cred_t *cr)
{
	bool module = rq->q_fp != NULL;
	int error;

	entersq(rq->q_syncq, SQ_OPENCLOSE);
	error = rq->q_qinfo->qi_qopen(rq, devp, module ? 0 : flag, module ? MODOPEN : 0, cr);
	leavesq(rq->q_syncq, SQ_OPENCLOSE);
	return error;
}

/* Wait until what the perimeter has deferred for q is in. */
static void wait_q_syncq(queue_t *q)
{
	syncq_t *sq = q->q_syncq;

	while (q->q_syncqmsgs != 0) {
		sq->sq_flags |= SQ_WANTWAKEUP;
		cv_wait(&sq->sq_wait);
	}
}

void qdetach(queue_t *rq, int clmode, int flag, cred_t *cr)
{
	if (STREAM_NEEDSERVICE(STREAM(rq)))
		stream_runservice(STREAM(rq));
	if (clmode == 1) {
		wait_q_syncq(_WR(rq));
		entersq(rq->q_syncq, SQ_OPENCLOSE);
		if (rq->q_qinfo->qi_qclose != NULL)
			rq->q_qinfo->qi_qclose(rq, flag, cr);
		leavesq(rq->q_syncq, SQ_OPENCLOSE);
	}
	qprocsoff(rq); /* if its close procedure did not */
	freeq(rq);
}
