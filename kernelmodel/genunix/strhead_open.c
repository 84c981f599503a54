/*
 * Opening and closing a stream, and what pushes modules at open.
 *
 * A stream hangs on a vnode (v_stream).  Its first open makes the head's queue
 * pair and opens the driver below it; each further open tells every module and
 * the driver (qreopen); the last close takes the queues away from the top,
 * giving each up to sd_closetime to drain.  STWOPEN, STRCLOSE and STRPLUMB are
 * the times when the stream is being changed and others must wait.
 *
 * A pipe is two streams without drivers whose heads' write queues lead to the
 * other's read queue.  The first end to close stays behind as a dead end until
 * the second does.
 */
#include "genunix/strhead.h"
#include "sys/poll.h"

#include <string.h>

KLOCAL stdata_t *stream_list;

static struct module_info strm_info = {0, "strrhead", 0, INFPSZ, STRHIGH, STRLOW};
static struct module_info stwm_info = {0, "strwhead", 0, 0, 0, 0};
static struct module_info fiform_info = {0, "fifostrrhead", 0, PIPE_BUF_MODEL, FIFOHIWAT, FIFOLOWAT};
static struct module_info fifowm_info = {0, "fifostrwhead", 0, PIPE_BUF_MODEL, FIFOHIWAT, FIFOLOWAT};
static struct module_info dead_info = {0, "strdead", 0, INFPSZ, STRHIGH, STRLOW};

struct qinit strdata = {.qi_putp = strrput, .qi_minfo = &strm_info};
struct qinit stwdata = {.qi_srvp = strwsrv, .qi_minfo = &stwm_info};
struct qinit fifo_strdata = {.qi_putp = strrput, .qi_minfo = &fiform_info};
struct qinit fifo_stwdata = {.qi_srvp = strwsrv, .qi_minfo = &fifowm_info};
struct qinit deadrend = {.qi_putp = strsink, .qi_minfo = &dead_info};
struct qinit deadwend = {.qi_minfo = &dead_info};

/* ---- the head itself ---- */

/* A stream head with its queue pair, on the list of all streams. */
static stdata_t *shalloc(void)
{
	stdata_t *stp = kmem_zalloc(sizeof(*stp), KM_NOSLEEP);
	queue_t *qp;

	if (stp == NULL)
		return NULL;
	qp = allocq();
	if (qp == NULL) {
		kmem_free(stp, sizeof(*stp));
		return NULL;
	}
	stp->sd_wrq = _WR(qp);
	qp->q_ptr = _WR(qp)->q_ptr = stp;
	qp->q_stream = _WR(qp)->q_stream = stp;
	stp->sd_rprotofunc = strrput_proto;
	stp->sd_rmiscfunc = strrput_misc;
	stp->sd_closetime = STRTIMOUT * 1000;
	stp->sd_maxblk = INFPSZ;
	cv_init(&stp->sd_monitor);
	cv_init(&stp->sd_iocmonitor);
	cv_init(&stp->sd_refmonitor);
	cv_init(&stp->sd_qcv);
	stp->sd_next = stream_list;
	stp->sd_pprev = &stream_list;
	if (stream_list != NULL)
		stream_list->sd_pprev = &stp->sd_next;
	stream_list = stp;
	return stp;
}

/* Free the head; its queues have been taken from below already. */
static void shfree(stdata_t *stp)
{
	strsig_t *ss;

	stream_waitservice(stp);
	freeq(_RD(stp->sd_wrq));
	while ((ss = stp->sd_siglist) != NULL) {
		stp->sd_siglist = ss->ss_next;
		kmem_free(ss, sizeof(*ss));
	}
	pollwakeup(stp, POLLNVAL);
	while (stp->sd_pollist != NULL)
		pollent_detach(stp->sd_pollist);
	if (stp->sd_iocblk != NULL && stp->sd_iocblk != (mblk_t *)-1)
		freemsg(stp->sd_iocblk);
	*stp->sd_pprev = stp->sd_next;
	if (stp->sd_next != NULL)
		stp->sd_next->sd_pprev = stp->sd_pprev;
	cv_broadcast(&stp->sd_monitor);
	cv_destroy(&stp->sd_monitor);
	cv_destroy(&stp->sd_iocmonitor);
	cv_destroy(&stp->sd_refmonitor);
	cv_destroy(&stp->sd_qcv);
	kmem_free(stp, sizeof(*stp));
}

void strqbelow(stdata_t *stp)
{
	queue_t *q = stp->sd_wrq->q_next;

	if (q == NULL)
		return;
	stp->sd_qn_minpsz = q->q_minpsz;
	stp->sd_qn_maxpsz = q->q_maxpsz == INFPSZ ? STRMSGSZ : MIN(q->q_maxpsz, STRMSGSZ);
}

/* ---- plumbing is for one at a time ---- */

/* Reserve the stream for changing it: EAGAIN (non-blocking), EINTR, or the stream's error. */
int strstartplumb(stdata_t *stp, int fmode)
{
	while (stp->sd_flag & (STWOPEN | STRCLOSE | STRPLUMB)) {
		if (fmode & (FNDELAY | FNONBLOCK))
			return EAGAIN;
		if (cv_wait_sig(&stp->sd_monitor) == 0)
			return EINTR;
		if (stp->sd_flag & (STRDERR | STWRERR | STRHUP | STPLEX))
			return strgeterr(stp, STRDERR | STWRERR | STRHUP | STPLEX, 0);
	}
	stp->sd_flag |= STRPLUMB;
	return 0;
}

void strendplumb(stdata_t *stp)
{
	stp->sd_flag &= ~(uint_t)STRPLUMB;
	cv_broadcast(&stp->sd_monitor);
}

/* ---- open ---- */

/* Push one module by name, in the place of a program's I_PUSH. */
static int push_mod(queue_t *qp, dev_t *devp, stdata_t *stp, const char *name, cred_t *cr, int flag)
{
	const fmodsw_t *fp;

	if (stp->sd_pushcnt >= NSTRPUSH)
		return EINVAL;
	fp = fmodsw_find(name);
	if (fp == NULL)
		return EINVAL;
	return qattach(qp, devp, flag, cr, fp, NULL);
}

/* Push the modules of the driver's autopush list, at most MAXAPUSH. */
static int autopush(queue_t *qp, dev_t *devp, stdata_t *stp, const char *list, cred_t *cr, int flag)
{
	int error = 0;

	for (int n = 0; list != NULL && *list != '\0' && n < MAXAPUSH && error == 0; n++) {
		size_t len = (size_t)(strchrnul(list, ' ') - list);
		char name[16];

		if (len >= sizeof(name))
			return EINVAL;
		memcpy(name, list, len);
		name[len] = '\0';
		if (strcmp(name, "[anchor]") == 0)
			stp->sd_anchor = stp->sd_pushcnt;
		else
			error = push_mod(qp, devp, stp, name, cr, flag);
		list += len + (list[len] == ' ');
	}
	return error;
}

/* Make the stream the caller's controlling terminal, if it is a terminal and may be. */
ALWAYS_INLINE void open_ctty(stdata_t *stp, const vnode_t *vp, int flag)
{
	if ((stp->sd_flag & STRISTTY) && vp->v_type == VCHR && !(flag & FNOCTTY))
		(void)stralloctty(stp);
}

/* Another open of a stream that is there: every queue below hears of it. */
ALWAYS_INLINE int reopen(vnode_t *vp, dev_t *devp, int flag, cred_t *cr)
{
	stdata_t *stp = vp->v_stream;
	int error = 0;

	if (stp->sd_flag & (STRDERR | STWRERR))
		return EIO;
	stp->sd_flag |= STWOPEN;
	for (queue_t *qp = stp->sd_wrq; error == 0 && SAMESTR(qp); qp = qp->q_next)
		error = qreopen(_RD(qp->q_next), devp, flag, cr);
	if (error != 0)
		stp->sd_flag |= STREOPENFAIL;
	else
		stp->sd_flag &= ~(uint_t)(STRHUP | STREOPENFAIL | STRDERR | STWRERR);
	stp->sd_flag &= ~(uint_t)STWOPEN;
	stp->sd_rerror = stp->sd_werror = 0;
	cv_broadcast(&stp->sd_monitor);
	if (error == 0)
		open_ctty(stp, vp, flag);
	return error;
}

/* The device's driver, or a clone's. */
static const devsw_t *open_driver(dev_t dev)
{
	return devsw_bymajor(getmajor(dev) == CLONE_MAJOR ? (major_t)getminor(dev) : getmajor(dev));
}

int stropen(vnode_t *vp, dev_t *devp, int flag, cred_t *cr)
{
	const devsw_t *dp = NULL;
	stdata_t *stp;
	queue_t *qp;
	int error;

	while ((stp = vp->v_stream) != NULL) {
		if (!(stp->sd_flag & (STWOPEN | STRCLOSE | STRPLUMB)))
			return reopen(vp, devp, flag, cr);
		if (flag & (FNDELAY | FNONBLOCK))
			return EAGAIN;
		if (cv_wait_sig(&stp->sd_monitor) == 0)
			return EINTR;
	}
	if (vp->v_type != VFIFO && ((dp = open_driver(*devp)) == NULL || dp->d_str == NULL))
		return ENXIO;
	stp = shalloc();
	if (stp == NULL)
		return ENOSR;
	qp = _RD(stp->sd_wrq);
	stp->sd_vnode = vp;
	stp->sd_flag = STWOPEN;
	stp->sd_wput_opt = vp->v_type == VFIFO ? 0 : SW_SNDZERO;
	vp->v_stream = stp;
	if (vp->v_type == VFIFO) {
		setq(qp, &fifo_strdata, &fifo_stwdata, D_MP, NULL, NULL);
		stp->sd_flag &= ~(uint_t)STWOPEN;
		return 0;
	}
	setq(qp, &strdata, &stwdata, D_MP, NULL, NULL);
	error = qattach(qp, devp, flag, cr, NULL, dp);
	if (error != 0) {
		vp->v_stream = NULL;
		shfree(stp);
		return error;
	}
	stp->sd_strtab = dp->d_str;
	error = autopush(qp, devp, stp, dp->d_autopush, cr, flag & ~(FNDELAY | FNONBLOCK));
	strqbelow(stp);
	stp->sd_flag &= ~(uint_t)STWOPEN;
	cv_broadcast(&stp->sd_monitor);
	if (error != 0) {
		stp->sd_flag |= STREOPENFAIL;
		(void)strclose(vp, flag, cr);
		return error;
	}
	open_ctty(stp, vp, flag);
	return 0;
}

/* ---- pipes ---- */

/* The last queue of the stream in the direction of writing. */
static queue_t *last_wq(stdata_t *stp)
{
	queue_t *q = stp->sd_wrq;

	while (SAMESTR(q))
		q = q->q_next;
	return q;
}

void strmate(vnode_t *vp1, vnode_t *vp2)
{
	stdata_t *stp1 = vp1->v_stream, *stp2 = vp2->v_stream;

	stp1->sd_wrq->q_next = _RD(stp2->sd_wrq);
	stp2->sd_wrq->q_next = _RD(stp1->sd_wrq);
	set_qend(stp1->sd_wrq);
	set_qend(stp2->sd_wrq);
	stp1->sd_mate = stp2;
	stp2->sd_mate = stp1;
	stp1->sd_flag |= STRMATE;
	stp2->sd_flag |= STRMATE;
	/* Writing to a pipe nobody reads is a SIGPIPE. */
	stp1->sd_wput_opt |= SW_SIGPIPE;
	stp2->sd_wput_opt |= SW_SIGPIPE;
	strqbelow(stp1);
	strqbelow(stp2);
}

/*
 * The head of a closing pipe end: the first end stays as a dead end that sinks
 * what the other still sends; the second takes both away.
 */
static void close_pipe_end(stdata_t *stp)
{
	stdata_t *mate = stp->sd_mate;

	if (mate->sd_vnode != NULL) {
		queue_t *rq = _RD(stp->sd_wrq);

		putnextctl(stp->sd_wrq, M_HANGUP);
		flushq(rq, FLUSHALL);
		rq->q_qinfo = &deadrend;
		_WR(rq)->q_qinfo = &deadwend;
		stp->sd_vnode = NULL;
		return;
	}
	last_wq(stp)->q_next = NULL;
	last_wq(mate)->q_next = NULL;
	shfree(mate);
	shfree(stp);
}

/* ---- close ---- */

/* Any message of any band on q? */
ALWAYS_INLINE bool undrained(const queue_t *q)
{
	return q->q_first != NULL || q->q_syncqmsgs != 0;
}

/* Wait for a module's write queue to drain, until the stream's close time or a signal. */
static void strdrain(stdata_t *stp, queue_t *wq)
{
	clock_t_ deadline = ddi_get_lbolt() + (stp->sd_closetime * HZ + 999) / 1000;

	while (undrained(wq) && ddi_get_lbolt() < deadline) {
		/* Back-enabling wakes the nearest service procedure, which need not be the head's: look each tick. */
		stp->sd_flag |= WSLEEP;
		wq->q_flag |= QWANTW;
		if (cv_timedwait_sig(&stp->sd_wrq->q_wait, ddi_get_lbolt() + 1) == 0)
			return;
	}
}

/* Take one message off the head's read queue after the other. */
static void strflushhead(stdata_t *stp)
{
	mblk_t *mp;

	while ((mp = getq_noenab(_RD(stp->sd_wrq))) != NULL)
		freemsg(mp);
}

int strclose(vnode_t *vp, int flag, cred_t *cr)
{
	stdata_t *stp = vp->v_stream;
	queue_t *wq = stp->sd_wrq;

	while (stp->sd_flag & (STWOPEN | STRPLUMB))
		cv_wait(&stp->sd_monitor);
	stp->sd_flag |= STRCLOSE | STRHUP;
	if (stp->sd_flag & STRHASLINKS)
		munlinkall(stp, cr);
	while (SAMESTR(wq)) {
		queue_t *qp = wq->q_next;

		if (!(flag & (FNDELAY | FNONBLOCK)) && stp->sd_closetime > 0 && undrained(qp))
			strdrain(stp, qp);
		qdetach(_RD(qp), 1, flag, cr);
	}
	if (STREAM_NEEDSERVICE(stp))
		stream_runservice(stp);
	strfreectty(stp);
	strflushhead(stp);
	vp->v_stream = NULL;
	if (stp->sd_flag & STRMATE)
		close_pipe_end(stp);
	else
		shfree(stp);
	return 0;
}
