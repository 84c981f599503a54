/*
 * bufmod: collects messages that come up to chunks, so that a program reads
 * many at once (bufmod(7M)).
 *
 * A chunk is a list of blocks, closed and sent up when its time is over, when
 * the next message would make it too big, or when the program writes and wants
 * that.  The time begins with the first message of a chunk.  The timer is a
 * callback in the module's own perimeter and must not send anything from there:
 * it sends an empty M_CTL to the read queue, a token, which the perimeter lets
 * in when the callback leaves it.
 *
 * Without SB_NO_HEADER each message in a chunk has an sb_hdr before it; the
 * room for it is in the block behind which it goes, if nobody else refers to
 * that and the room is there.
 *
 * sbrput, sbclosechunk and sbsendit are frames of their own under each putnext.
 */
#include "sys/bufmod.h"
#include "sys/callsite.h"
#include "sys/errno.h"

#include <string.h>

#define SB_ALIGN sizeof(uint_t)

static void sbtick(void *arg);

/* ---- sending ---- */

/* Send mp up, behind what waits for room there; without room it waits too, or is dropped. */
static void sbsendit(queue_t *q, mblk_t *mp)
{
	struct sb *sbp = q->q_ptr;
	bool room = canputnext(q);

	if (room && q->q_first == NULL) {
		putnext(q, mp);
		return;
	}
	if ((room || (sbp->sb_flags & SB_NO_DROPS)) && putq(q, mp))
		return;
	freemsg(mp);
	sbp->sb_drops += MAX(sbp->sb_mcount, 1); /* a chunk, or one message */
}

/* The chunk is nobody's any more. */
static void sbreset(struct sb *sbp)
{
	sbp->sb_mp = sbp->sb_head = sbp->sb_tail = NULL;
	sbp->sb_mlen = sbp->sb_mcount = 0;
	sbp->sb_state &= ~(uint_t)SB_FRCVD;
}

static void sbcancel(struct sb *sbp)
{
	if (sbp->sb_timeoutid != 0)
		(void)quntimeout(sbp->sb_rq, sbp->sb_timeoutid);
	sbp->sb_timeoutid = 0;
}

static void sbclosechunk(struct sb *sbp)
{
	sbcancel(sbp);
	if (sbp->sb_mp != NULL)
		sbsendit(sbp->sb_rq, sbp->sb_mp);
	sbreset(sbp);
}

/* ---- time ---- */

static void sbstarttimer(struct sb *sbp)
{
	sbp->sb_timeoutid = qtimeout(sbp->sb_rq, sbtick, sbp, MAX(sbp->sb_ticks, 1));
}

/* The time of the chunk is over. */
static void sbtick(void *arg)
{
	struct sb *sbp = arg;

	sbp->sb_timeoutid = 0;
	if (!putctl(sbp->sb_rq, M_CTL))
		sbstarttimer(sbp);
}

/* ---- collecting ---- */

static mblk_t *lastblock(mblk_t *mp)
{
	while (mp->b_cont != NULL)
		mp = mp->b_cont;
	return mp;
}

/* Behind the chunk. */
ALWAYS_INLINE void sblink(struct sb *sbp, mblk_t *mp)
{
	if (sbp->sb_mp == NULL)
		sbp->sb_mp = mp;
	else
		sbp->sb_tail->b_cont = mp;
	sbp->sb_tail = lastblock(mp);
}

/* Cut mp to the snapshot length; its length then. */
static uint_t sbsnap(const struct sb *sbp, mblk_t *mp, uint_t len)
{
	if (sbp->sb_snap == 0 || len <= sbp->sb_snap)
		return len;
	(void)adjmsg(mp, -(ssize_t)(len - sbp->sb_snap));
	return (uint_t)msgdsize(mp);
}

/* Is there room for n more bytes at the end of a block that is ours alone? */
ALWAYS_INLINE bool sbroom(const mblk_t *bp, size_t n)
{
	return bp != NULL && DB_REF(bp) == 1 && (size_t)MBLKTAIL(bp) >= n;
}

static void sbappend(mblk_t *bp, const void *data, size_t n)
{
	memcpy(bp->b_wptr, data, n);
	bp->b_wptr += n;
}

/* One message with a header before it; sb_head is NULL or the chunk's last block. */
static void sbaddheaded(struct sb *sbp, mblk_t *mp, uint_t origlen, uint_t len)
{
	uint_t pad = (uint_t)(-len & (SB_ALIGN - 1)), totlen = (uint_t)sizeof(struct sb_hdr) + len + pad;
	mblk_t *last = lastblock(mp), *hp = NULL, *padp = NULL;
	int64_t now = machine_walltime();
	struct sb_hdr hdr = {.sbh_origlen = origlen,
			     .sbh_msglen = len,
			     .sbh_totlen = totlen,
			     .sbh_timestamp = {(int)(now / 1000000000), (int)(now % 1000000000 / 1000)}};

	if (sbp->sb_mp != NULL && sbp->sb_mlen + totlen > sbp->sb_chunk)
		sbclosechunk(sbp);
	hdr.sbh_drops = sbp->sb_drops;
	if (sbp->sb_head == NULL && (hp = allocb(sizeof(hdr), BPRI_MED)) == NULL)
		goto nomem;
	if (pad != 0 && !sbroom(last, pad) && (padp = allocb(pad + sizeof(hdr), BPRI_MED)) == NULL)
		goto nomem;
	if (hp != NULL)
		sblink(sbp, hp);
	sbappend(sbp->sb_tail, &hdr, sizeof(hdr));
	sblink(sbp, mp);
	if (padp != NULL)
		sblink(sbp, padp);
	sbappend(sbp->sb_tail, &(uint_t){0}, pad);
	sbp->sb_head = sbroom(sbp->sb_tail, sizeof(hdr)) ? sbp->sb_tail : NULL;
	sbp->sb_mlen += totlen;
	sbp->sb_mcount++;
	if (sbp->sb_mlen + sizeof(hdr) + SB_ALIGN > sbp->sb_chunk)
		sbclosechunk(sbp);
	return;
nomem:
	freemsg(hp);
	freemsg(mp);
	sbp->sb_drops++;
}

/* Add a message to the chunk, or send it as one. */
static void sbaddmsg(queue_t *q, mblk_t *mp)
{
	struct sb *sbp = q->q_ptr;
	uint_t origlen = (uint_t)msgdsize(mp), len = sbsnap(sbp, mp, origlen);

	if (!(sbp->sb_flags & SB_NO_HEADER)) {
		sbaddheaded(sbp, mp, origlen, len);
		return;
	}
	if (sbp->sb_mlen + len > sbp->sb_chunk)
		sbclosechunk(sbp);
	if (len > sbp->sb_chunk) {
		sbsendit(q, mp);
		return;
	}
	sblink(sbp, mp);
	sbp->sb_mlen += len;
	sbp->sb_mcount++;
}

/* M_DATA. */
ALWAYS_INLINE void sbdata(queue_t *q, struct sb *sbp, mblk_t *mp)
{
	if ((sbp->sb_flags & SB_DEFER_CHUNK) && !(sbp->sb_state & SB_FRCVD)) {
		sbclosechunk(sbp);
		sbsendit(q, mp);
		CALL_SITE(1);
		sbp->sb_state |= SB_FRCVD;
	} else {
		sbaddmsg(q, mp);
	}
	if (sbp->sb_ticks > 0 && sbp->sb_timeoutid == 0)
		sbstarttimer(sbp);
}

/* M_FLUSH with FLUSHR: the chunk was as good as queued. */
static void sbflush(queue_t *q, struct sb *sbp)
{
	sbcancel(sbp);
	freemsg(sbp->sb_mp);
	sbreset(sbp);
	flushq(q, FLUSHALL);
}

/* M_PROTO as data, and all of it. */
static void sbconvert(mblk_t *mp)
{
	for (; mp != NULL; mp = mp->b_cont)
		DB_TYPE(mp) = M_DATA;
}

static int sbrput(queue_t *q, mblk_t *mp)
{
	struct sb *sbp = q->q_ptr;
	uchar_t type = DB_TYPE(mp);

	if (type == M_FLUSH) {
		if (*mp->b_rptr & FLUSHR)
			sbflush(q, sbp);
		putnext(q, mp);
	} else if (type == M_CTL && MBLKL(mp) == 0) {
		freemsg(mp);
		sbclosechunk(sbp);
	} else if (type == M_DATA || (type == M_PROTO && !(sbp->sb_flags & SB_NO_PROTO_CVT))) {
		sbconvert(mp);
		sbdata(q, sbp, mp);
	} else if (type <= QPCTL) {
		/* Behind the messages that came before. */
		CALL_SITE(2);
		sbclosechunk(sbp);
		sbsendit(q, mp);
	} else {
		CALL_SITE(3);
		putnext(q, mp);
	}
	return 0;
}

/* There is room above. */
static int sbrsrv(queue_t *q)
{
	mblk_t *mp;

	while ((mp = getq(q)) != NULL) {
		if (DB_TYPE(mp) <= QPCTL && !canputnext(q)) {
			(void)putbq(q, mp);
			break;
		}
		putnext(q, mp);
	}
	return 0;
}

/* ---- ioctls ---- */

/* What the program gives with a command or gets from it; false: not a command of this module. */
static bool sbcmd(int cmd, size_t *in, size_t *out)
{
	*in = *out = 0;
	switch (cmd) {
	case SBIOCSTIME:
		*in = sizeof(struct timeval32);
		return true;
	case SBIOCGTIME:
		*out = sizeof(struct timeval32);
		return true;
	case SBIOCCTIME:
		return true;
	case SBIOCSCHUNK:
	case SBIOCSSNAP:
	case SBIOCSFLAGS:
		*in = sizeof(uint_t);
		return true;
	case SBIOCGCHUNK:
	case SBIOCGSNAP:
	case SBIOCGFLAGS:
		*out = sizeof(uint_t);
		return true;
	default:
		return false;
	}
}

ALWAYS_INLINE int sbcommand(const mblk_t *mp)
{
	return ((const struct iocblk *)mp->b_rptr)->ioc_cmd; /* cp_cmd of an M_IOCDATA lies there too */
}

/* Let the head hold messages of about so many bytes; false without memory. */
static bool sbmarks(queue_t *wq, size_t size)
{
	struct stroptions so = {
	    .so_flags = SO_HIWAT | SO_LOWAT, .so_hiwat = 4 * size + 512, .so_lowat = 2 * size + 256};
	mblk_t *mp = allocb(sizeof(so), BPRI_MED);

	if (mp == NULL)
		return false;
	DB_TYPE(mp) = M_SETOPTS;
	sbappend(mp, &so, sizeof(so));
	qreply(wq, mp);
	return true;
}

/* The small messages that a snapshot length makes lie in blocks that are larger than they. */
static size_t sbsnapfactor(uint_t snap)
{
	return snap <= 100 ? 4 : snap <= 400 ? 2 : 1;
}

static int sbsettime(struct sb *sbp, const struct timeval32 *tv)
{
	if (tv->tv_sec < 0 || tv->tv_usec < 0)
		return EINVAL;
	sbp->sb_ticks = (clock_t_)tv->tv_sec * HZ + drv_usectohz(tv->tv_usec);
	if (sbp->sb_ticks == 0)
		sbp->sb_chunk = 0;
	return 0;
}

/* Carry out a command that brings data, contiguous in b_cont: 0 or why not. */
static int sbset(queue_t *wq, struct sb *sbp, const mblk_t *mp)
{
	const uint_t *val = (const uint_t *)mp->b_cont->b_rptr;

	switch (sbcommand(mp)) {
	case SBIOCSTIME:
		return sbsettime(sbp, (const struct timeval32 *)mp->b_cont->b_rptr);
	case SBIOCSCHUNK:
		if (!sbmarks(wq, *val))
			return EAGAIN;
		sbp->sb_chunk = *val;
		return 0;
	case SBIOCSSNAP:
		if (sbp->sb_chunk == 0 && !sbmarks(wq, *val * sbsnapfactor(*val)))
			return EAGAIN;
		sbp->sb_snap = *val;
		return 0;
	default: /* SBIOCSFLAGS */
		sbp->sb_flags = *val;
		return 0;
	}
}

/* What a command gets: 0 or why not. */
static int sbget(const struct sb *sbp, int cmd, mblk_t *dp)
{
	struct timeval32 tv = {(int)(sbp->sb_ticks / HZ), (int)(sbp->sb_ticks % HZ * (1000000 / HZ))};

	if (cmd == SBIOCGTIME) {
		if (sbp->sb_ticks < 0)
			return ERANGE;
		sbappend(dp, &tv, sizeof(tv));
	} else {
		sbappend(dp,
			 cmd == SBIOCGCHUNK  ? &sbp->sb_chunk
			 : cmd == SBIOCGSNAP ? &sbp->sb_snap
					     : &sbp->sb_flags,
			 sizeof(uint_t));
	}
	return 0;
}

/* A set command whose data is in b_cont. */
static void sbioc(queue_t *wq, mblk_t *mp)
{
	struct sb *sbp = wq->q_ptr;
	int cmd = sbcommand(mp), error = sbset(wq, sbp, mp);

	if (error != 0) {
		miocnak(wq, mp, 0, error);
		return;
	}
	miocack(wq, mp, 0, 0);
	if (cmd == SBIOCSTIME || cmd == SBIOCSCHUNK)
		sbclosechunk(sbp);
}

/* A get command: answered, or copied out to where a transparent one says. */
static void sbiocget(queue_t *wq, mblk_t *mp, size_t size)
{
	mblk_t *dp = allocb(size, BPRI_MED);
	int error = dp == NULL ? EAGAIN : sbget(wq->q_ptr, sbcommand(mp), dp);

	if (error != 0) {
		freemsg(dp);
		miocnak(wq, mp, 0, error);
		return;
	}
	if (((struct iocblk *)mp->b_rptr)->ioc_count == TRANSPARENT)
		mcopyout(mp, NULL, size, NULL, dp);
	else
		mioc2ack(mp, dp, size, 0);
	qreply(wq, mp);
}

/* M_IOCTL; those of others pass. */
static void sbioctl(queue_t *wq, mblk_t *mp)
{
	struct sb *sbp = wq->q_ptr;
	size_t in, out;
	int error;

	if (!sbcmd(sbcommand(mp), &in, &out)) {
		putnext(wq, mp);
	} else if (out != 0) {
		sbiocget(wq, mp, out);
	} else if (in == 0) { /* SBIOCCTIME */
		sbp->sb_ticks = -1;
		miocack(wq, mp, 0, 0);
	} else if (((struct iocblk *)mp->b_rptr)->ioc_count == TRANSPARENT) {
		mcopyin(mp, NULL, in, NULL);
		qreply(wq, mp);
	} else if ((error = miocpullup(mp, in)) != 0) {
		miocnak(wq, mp, 0, error);
	} else {
		sbioc(wq, mp);
	}
}

/* M_IOCDATA: the data of a transparent set is here, that of a get is there. */
static void sbiocdata(queue_t *wq, mblk_t *mp)
{
	size_t in, out;

	if (((struct copyresp *)mp->b_rptr)->cp_rval != NULL)
		freemsg(mp);
	else if (!sbcmd(sbcommand(mp), &in, &out))
		putnext(wq, mp);
	else if (in == 0)
		miocack(wq, mp, 0, 0);
	else if (mp->b_cont == NULL || msgsize(mp->b_cont) < in)
		miocnak(wq, mp, 0, EINVAL);
	else if (!pullupmsg(mp->b_cont, (ssize_t)in))
		miocnak(wq, mp, 0, ENOMEM);
	else
		sbioc(wq, mp);
}

static int sbwput(queue_t *q, mblk_t *mp)
{
	struct sb *sbp = q->q_ptr;

	if (sbp->sb_flags & SB_SEND_ON_WRITE)
		sbclosechunk(sbp);
	switch (DB_TYPE(mp)) {
	case M_IOCTL:
		sbioctl(q, mp);
		break;
	case M_IOCDATA:
		sbiocdata(q, mp);
		break;
	default:
		putnext(q, mp);
	}
	return 0;
}

/* ---- open and close ---- */

static int sbopen(queue_t *q, dev_t *devp, int oflag, int sflag, cred_t *cr)
{
	struct sb *sbp;

	(void)devp;
	(void)oflag;
	(void)cr;
	if (sflag != MODOPEN)
		return EINVAL;
	if (q->q_ptr != NULL)
		return 0;
	if ((sbp = kmem_zalloc(sizeof(*sbp), KM_NOSLEEP)) == NULL)
		return ENOMEM;
	sbp->sb_rq = q;
	sbp->sb_ticks = -1;
	sbp->sb_chunk = SB_DFLT_CHUNK;
	q->q_ptr = WR(q)->q_ptr = sbp;
	qprocson(q);
	return 0;
}

/* The chunk is not delivered. */
static int sbclose(queue_t *q, int flag, cred_t *cr)
{
	struct sb *sbp = q->q_ptr;

	(void)flag;
	(void)cr;
	sbcancel(sbp);
	qprocsoff(q);
	freemsg(sbp->sb_mp);
	kmem_free(sbp, sizeof(*sbp));
	q->q_ptr = WR(q)->q_ptr = NULL;
	return 0;
}

/* ---- tables ---- */

static struct module_info sb_info = {21, "bufmod", 0, INFPSZ, 1, 0};
static struct qinit sbrinit = {
    .qi_putp = sbrput, .qi_srvp = sbrsrv, .qi_qopen = sbopen, .qi_qclose = sbclose, .qi_minfo = &sb_info};
static struct qinit sbwinit = {.qi_putp = sbwput, .qi_minfo = &sb_info};
static struct streamtab sbinfo = {&sbrinit, &sbwinit, NULL, NULL};
STREAMS_MODULE(bufmod, "bufmod", &sbinfo, D_MTQPAIR | D_MP);
