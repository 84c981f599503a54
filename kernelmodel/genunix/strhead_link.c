/*
 * Multiplexors: linking a stream below a driver (I_LINK, I_PLINK) and taking
 * it out again.
 *
 * Linking gives the lower stream's head queues to the upper stream's driver:
 * its st_muxrinit and st_muxwinit, with its perimeter, while their q_stream
 * stays the lower stream.  The driver is told by an ioctl of its own stream
 * with the lower write queue in it, and may refuse.  While that goes on a pair
 * of "passthru" queues stands below the lower head: what comes up waits there,
 * until the driver itself sends something down through it, or all is done.
 *
 * Links are a list of this kernel.  A graph of drivers is seen in it: a driver
 * may not come to be linked below itself.
 */
#include "genunix/strhead.h"

#include <string.h>

LINKER_SET_DECLARE(devsw);

typedef struct linkinfo {
	struct linkblk li_lblk;
	int li_cmd;               /* I_LINK or I_PLINK */
	stdata_t *li_upper;       /* the stream it was made from, I_LINK only */
	struct streamtab *li_mux; /* the driver above */
	file_t *li_fpdown;        /* the stream below, kept open */
	struct linkinfo *li_next;
} linkinfo_t;

static KLOCAL linkinfo_t *links;
static KLOCAL int lastmuxid;

/* ---- the pair below the lower head ---- */

static int pass_rput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

/* The driver above is ready to receive: let up what waits. */
static int pass_wput(queue_t *q, mblk_t *mp)
{
	syncq_t *sq = _RD(q)->q_syncq;

	if (sq->sq_flags & SQ_BLOCKED)
		unblocksq(sq, SQ_BLOCKED, 0);
	putnext(q, mp);
	return 0;
}

static struct module_info passthru_info = {0, "passthru", 0, INFPSZ, STRHIGH, STRLOW};
static struct qinit passthru_rinit = {.qi_putp = pass_rput, .qi_minfo = &passthru_info};
static struct qinit passthru_winit = {.qi_putp = pass_wput, .qi_minfo = &passthru_info};

/* Puts of the passthru queues are concurrent; only SQ_BLOCKED holds them up. */
static void shared_perimeter(queue_t *q)
{
	q->q_syncq->sq_type = SQ_CI | SQ_CO;
	q->q_syncq->sq_flags |= SQ_CIPUT;
}

/* NULL without memory. */
static queue_t *link_addpassthru(stdata_t *stpdown)
{
	queue_t *rq = allocq();

	if (rq == NULL)
		return NULL;
	rq->q_stream = _WR(rq)->q_stream = stpdown;
	setq(rq, &passthru_rinit, &passthru_winit, D_MP | D_MTPERQ, NULL, NULL);
	shared_perimeter(rq);
	shared_perimeter(_WR(rq));
	blocksq(rq->q_syncq, SQ_BLOCKED, 0);
	insertq(stpdown, rq);
	return rq;
}

static void link_rempassthru(queue_t *rq)
{
	claimq(rq);
	if (rq->q_syncq->sq_flags & SQ_BLOCKED)
		unblocksq(rq->q_syncq, SQ_BLOCKED, 0);
	releaseq(rq);
	qprocsoff(rq);
	freeq(rq);
}

/* ---- whom a stream belongs to ---- */

/* The driver with these procedures. */
static const devsw_t *mux_driver(const struct streamtab *str)
{
	LINKER_SET_FOREACH(pp, devsw)
	{
		const devsw_t *dp = *pp;

		if (dp->d_str == str)
			return dp;
	}
	return NULL;
}

NOTRACE stdata_t *mux_next_lower(const struct streamtab *mux, const stdata_t *prev)
{
	bool seen = prev == NULL;

	for (linkinfo_t *li = links; li != NULL; li = li->li_next) {
		stdata_t *stp = li->li_fpdown->f_vnode->v_stream;

		if (li->li_mux == mux && seen)
			return stp;
		seen = seen || stp == prev;
	}
	return NULL;
}

/* Does a driver lie below another, over any number of links? */
static bool linked_below(const struct streamtab *upper, const struct streamtab *lower)
{
	if (upper == lower)
		return true;
	for (linkinfo_t *li = links; li != NULL; li = li->li_next)
		if (li->li_mux == upper && linked_below(li->li_fpdown->f_vnode->v_stream->sd_strtab, lower))
			return true;
	return false;
}

/* ---- the lower head changes hands ---- */

/* Saved procedures of a lower head: a device's or a pipe's. */
static struct qinit *head_rinit(const stdata_t *stp)
{
	return stp->sd_strtab == NULL ? &fifo_strdata : &strdata;
}

static struct qinit *head_winit(const stdata_t *stp)
{
	return stp->sd_strtab == NULL ? &fifo_stwdata : &stwdata;
}

static int head_to_mux(stdata_t *stpdown, struct streamtab *mux, int mtflags)
{
	queue_t *rq = _RD(stpdown->sd_wrq);
	int error = setq_str(rq, mux->st_muxrinit, mux->st_muxwinit, mux, mtflags);

	if (error != 0)
		return error;
	stpdown->sd_flag |= STPLEX;
	rq->q_ptr = _WR(rq)->q_ptr = NULL;
	set_nfsrv(rq);
	set_nfsrv(_WR(rq));
	return 0;
}

static void head_from_mux(stdata_t *stpdown)
{
	queue_t *rq = _RD(stpdown->sd_wrq);

	flushq(_WR(rq), FLUSHALL);
	(void)setq_str(rq, head_rinit(stpdown), head_winit(stpdown), NULL, D_MP);
	rq->q_ptr = _WR(rq)->q_ptr = stpdown;
	set_nfsrv(rq);
	set_nfsrv(_WR(rq));
	stpdown->sd_flag &= ~(uint_t)STPLEX;
}

/* ---- link ---- */

static int link_check(const stdata_t *stp, const file_t *fpdown)
{
	const stdata_t *down = fpdown->f_vnode->v_stream;

	if (stp->sd_flag & STRHUP)
		return ENXIO;
	if (stp->sd_flag & STPLEX)
		return EINVAL; /* answers would go to the multiplexor above; the kernel's own links come here unchecked */
	if (stp->sd_strtab == NULL || stp->sd_strtab->st_muxwinit == NULL || down == NULL || down == stp)
		return EINVAL;
	if (down->sd_flag & (STPLEX | STRHUP | STRDERR | STWRERR | IOCWAIT | IOCWAITNE | STRPLUMB | STWOPEN | STRCLOSE))
		return EINVAL;
	return linked_below(down->sd_strtab, stp->sd_strtab) ? EINVAL : 0;
}

/* The driver's end of a stream, write side. */
static queue_t *driver_wq(stdata_t *stp)
{
	queue_t *q = stp->sd_wrq;

	while (SAMESTR(q))
		q = q->q_next;
	return q;
}

/* Tell the driver of stream stp, and wait for its word. */
#define LINK_IOCTL(stp, cmd, li, cr, rvalp, error)                                                           \
	do {                                                                                                 \
		struct strioctl str = {.ic_cmd = cmd,                                                        \
				       .ic_timout = INFTIM,                                                  \
				       .ic_len = sizeof(struct linkblk),                                     \
				       .ic_dp = (char *)&(li)->li_lblk};                                     \
                                                                                                             \
		error = strdoioctl(stp, &str, 0, K_TO_K | STR_NOERROR | STR_NOSIG | STR_BOUNDED, cr, rvalp); \
	} while (0)

int mlink_file(vnode_t *vp, int cmd, file_t *fpdown, cred_t *cr, int *rvalp)
{
	stdata_t *stp = vp->v_stream, *down = fpdown->f_vnode->v_stream;
	int error = link_check(stp, fpdown), rval;
	linkinfo_t *li;
	queue_t *passq;

	if (error != 0)
		return error;
	li = kmem_zalloc(sizeof(*li), KM_NOSLEEP);
	if (li == NULL)
		return EAGAIN;
	down->sd_flag |= STRPLUMB;
	passq = link_addpassthru(down);
	error = passq == NULL ? EAGAIN : head_to_mux(down, stp->sd_strtab, mux_driver(stp->sd_strtab)->d_flag);
	if (error == 0) {
		li->li_lblk.l_qtop = cmd == I_LINK ? driver_wq(stp) : NULL;
		li->li_lblk.l_qbot = down->sd_wrq;
		li->li_lblk.l_index = ++lastmuxid;
		LINK_IOCTL(stp, cmd, li, cr, &rval, error);
		if (error != 0)
			head_from_mux(down);
	}
	if (passq != NULL)
		link_rempassthru(passq);
	strendplumb(down);
	if (error != 0) {
		strqbelow(down);
		kmem_free(li, sizeof(*li));
		return error;
	}
	li->li_cmd = cmd;
	li->li_mux = stp->sd_strtab;
	li->li_fpdown = fpdown;
	FHOLD(fpdown);
	if (cmd == I_LINK) {
		li->li_upper = stp;
		stp->sd_flag |= STRHASLINKS;
		stp->sd_nlinks++;
	}
	li->li_next = links;
	links = li;
	*rvalp = li->li_lblk.l_index;
	return 0;
}

int mlink(vnode_t *vp, int cmd, int arg, cred_t *cr, int *rvalp)
{
	file_t *fpdown = getf(arg);
	int error;

	if (fpdown == NULL)
		return EBADF;
	error = mlink_file(vp, cmd, fpdown, cr, rvalp);
	releasef(fpdown);
	return error;
}

int kern_link(vnode_t *upper, vnode_t *lower, int cmd, int *muxidp)
{
	file_t *fp;
	int error = falloc_proc(p0, lower, FREAD | FWRITE, &fp, NULL);

	if (error != 0)
		return error;
	error = mlink_file(upper, cmd, fp, kcred, muxidp);
	if (error != 0)
		unfalloc(fp, -1);
	else
		releasef(fp);
	return error;
}

/* ---- unlink ---- */

/* May stream stp undo link li by this command? */
static bool unlinkable(const linkinfo_t *li, const stdata_t *stp, int cmd)
{
	if (cmd == I_UNLINK)
		return li->li_cmd == I_LINK && li->li_upper == stp;
	return li->li_cmd == I_PLINK && li->li_mux == stp->sd_strtab;
}

static linkinfo_t *find_link(const stdata_t *stp, int cmd, int muxid)
{
	linkinfo_t *li = links;

	while (li != NULL && !(unlinkable(li, stp, cmd) && (muxid == MUXID_ALL || li->li_lblk.l_index == muxid)))
		li = li->li_next;
	return li;
}

static void remove_link(linkinfo_t *li)
{
	linkinfo_t **pp = &links;

	while (*pp != li)
		pp = &(*pp)->li_next;
	*pp = li->li_next;
	if (li->li_cmd == I_LINK && --li->li_upper->sd_nlinks == 0)
		li->li_upper->sd_flag &= ~STRHASLINKS;
	(void)closef(li->li_fpdown);
	kmem_free(li, sizeof(*li));
}

/* Undo one link; with force (the stream is closing) whatever the driver says. */
static int munlink_one(stdata_t *stp, linkinfo_t *li, int cmd, bool force, cred_t *cr)
{
	stdata_t *down = li->li_fpdown->f_vnode->v_stream;
	queue_t *passq = link_addpassthru(down);
	int error, rval;

	if (passq == NULL && !force)
		return EAGAIN;
	LINK_IOCTL(stp, cmd, li, cr, &rval, error);
	if (error == 0 || force)
		head_from_mux(down);
	if (passq != NULL)
		link_rempassthru(passq);
	if (error != 0 && !force)
		return error;
	strqbelow(down);
	remove_link(li);
	return 0;
}

int munlink(stdata_t *stp, int cmd, int arg, cred_t *cr)
{
	linkinfo_t *li = find_link(stp, cmd, arg);
	int error = 0;

	if (stp->sd_flag & STRHUP)
		return ENXIO;
	if (li == NULL && arg != MUXID_ALL)
		return EINVAL;
	while (li != NULL && error == 0) {
		error = munlink_one(stp, li, cmd, false, cr);
		li = arg == MUXID_ALL ? find_link(stp, cmd, arg) : NULL;
	}
	return error;
}

void munlinkall(stdata_t *stp, cred_t *cr)
{
	linkinfo_t *li;

	while ((li = find_link(stp, I_UNLINK, MUXID_ALL)) != NULL)
		(void)munlink_one(stp, li, I_UNLINK, true, cr);
}

/* ---- the end of the kernel ---- */

/* Persistent links that nobody has undone: the lower streams are closed without asking the drivers. */
static void drop_links(void *arg)
{
	(void)arg;
	while (links != NULL) {
		stdata_t *down = links->li_fpdown->f_vnode->v_stream;

		down->sd_closetime = 0;
		head_from_mux(down);
		remove_link(links);
	}
	lastmuxid = 0;
}

static void strlink_init(void)
{
}

static void strlink_fini(void)
{
	(void)thread_create(drop_links, NULL, 60);
}

KERNEL_INIT(2, strlink_init, strlink_fini);
