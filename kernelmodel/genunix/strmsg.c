/*
 * Message blocks: allocation, reference counts, and everything that is done to
 * a message without a queue (allocb(9F), dupmsg(9F), pullupmsg(9F), ...).
 *
 * Theory.  A data block is a header (dblk_t) with the buffer right behind it.
 * It is born together with a message block, db_mblk, and the pair stays
 * together on a free list of its size class, ready for use: allocb() takes the
 * pair and resets a few words; the last freeb() puts it back.  dupb() needs a
 * message block only, which comes from a list of its own.
 *
 * Any message block may be freed first.  When it is db_mblk and the data lives
 * on, it lies idle until the data goes; when another one is the last, it goes
 * to the list of single blocks.  pullupmsg(), which must put a new buffer under
 * an old message block, exchanges the two data blocks' db_mblk.
 *
 * Buffers that are not of a class (larger than DBLK_MAX_CACHE, or the caller's
 * own, esballoc(9F)) have db_cache NULL and end in db_lastfree.
 *
 * With the address sanitizer nothing is kept on free lists, so that a use after
 * free is seen.
 */
#include <string.h>
#include "sys/strsubr.h"

/* Buffer sizes: these, then pairs of pages up to the largest, as on a 32-bit kernel. */
static const uint_t dblk_small[] = {64, 128, 320, 576, 1088, 1536, 1984, 2624, 3968};
#define DBLK_NSMALL (sizeof(dblk_small) / sizeof(dblk_small[0]))
#define DBLK_PAIR 8192       /* 8192 n and 8192 n + 3968, n = 1 ... 8, ... */
#define DBLK_MAX_CACHE 73728 /* ... and this one */
#define DBLK_NCLASS (DBLK_NSMALL + 17)
#define DBLK_GRAIN 64 /* larger buffers are multiples of this */

typedef struct dclass {
	mblk_t *dc_free; /* linked by b_next */
	uint32_t dc_size;
	uint32_t dc_alive;
} dclass_t;

static KLOCAL dclass_t dblk_class[DBLK_NCLASS];
static KLOCAL dclass_t dblk_extern; /* headers without a buffer: esballoc */
static KLOCAL uint8_t dblk_index[DBLK_MAX_CACHE / DBLK_GRAIN + 1];
static KLOCAL mblk_t *mblk_list;
static KLOCAL size_t mblk_alive, dblk_direct_alive, dblk_direct_bytes;

static KLOCAL bool str_short; /* a limit is set or failures are armed: look closely */
static KLOCAL long str_fail_in;
static KLOCAL bool str_fail_all;
static KLOCAL size_t str_limit;
static KLOCAL uint_t ioc_seqno;

/* esballoc buffers whose free_func could not be dispatched to a task. */
static KLOCAL mblk_t *freebs_list;

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define MBLK_HIDE(mp) ASAN_POISON_MEMORY_REGION(mp, sizeof(mblk_t))
#define MBLK_SHOW(mp) ASAN_UNPOISON_MEMORY_REGION(mp, sizeof(mblk_t))
#define KEEP_FREE 0
#else
#define MBLK_HIDE(mp) ((void)(mp))
#define MBLK_SHOW(mp) ((void)(mp))
#define KEEP_FREE 1
#endif

/* ---- memory ---- */

/* Bytes of buffers that live messages hold. */
static size_t dblk_bytes(void)
{
	size_t n = dblk_direct_bytes;

	for (size_t i = 0; i < DBLK_NCLASS; i++)
		n += (size_t)dblk_class[i].dc_alive * dblk_class[i].dc_size;
	return n;
}

/* Is the next allocation, of size bytes, one that must fail? */
static bool str_refuse(size_t size)
{
	if (str_fail_all)
		return true;
	if (str_fail_in > 0 && --str_fail_in == 0) {
		str_short = str_limit != 0;
		return true;
	}
	if (str_fail_in < 0 && ++str_fail_in == 0) {
		str_fail_all = true;
		return true;
	}
	return str_limit != 0 && dblk_bytes() + size > str_limit;
}

void allocb_fail_nth(long n)
{
	str_fail_all = n == -1;
	str_fail_in = str_fail_all ? 0 : n;
	str_short = n != 0 || str_limit != 0;
	strbcwakeup();
}

void allocb_limit(size_t bytes)
{
	str_limit = bytes;
	str_short = bytes != 0 || str_fail_in != 0 || str_fail_all;
	strbcwakeup();
}

int testb(size_t size, uint_t pri)
{
	(void)pri;
	return !str_fail_all && (str_limit == 0 || dblk_bytes() + size <= str_limit);
}

void str_alive(size_t *mblks, size_t *dblks)
{
	*mblks = mblk_alive;
	*dblks = dblk_direct_alive + dblk_extern.dc_alive;
	for (size_t i = 0; i < DBLK_NCLASS; i++)
		*dblks += dblk_class[i].dc_alive;
}

/* A new pair of message and data block, with size bytes behind the header. */
static mblk_t *dblk_new(size_t size, void *cache)
{
	dblk_t *dbp = kmem_alloc(sizeof(dblk_t) + size, KM_NOSLEEP);
	mblk_t *mp = kmem_alloc(sizeof(mblk_t), KM_NOSLEEP);

	if (dbp == NULL || mp == NULL) {
		kmem_free(dbp, sizeof(dblk_t) + size);
		kmem_free(mp, sizeof(mblk_t));
		return NULL;
	}
	memset(dbp, 0, sizeof(*dbp));
	dbp->db_base = (uchar_t *)(dbp + 1);
	dbp->db_lim = dbp->db_base + size;
	dbp->db_cpid = -1;
	dbp->db_mblk = mp;
	dbp->db_cache = cache;
	mp->b_datap = dbp;
	mp->b_next = NULL;
	return mp;
}

static void dblk_destroy(mblk_t *mp, size_t size)
{
	dblk_t *dbp = mp->b_datap;

	kmem_free(mp, sizeof(mblk_t));
	kmem_free(dbp, sizeof(dblk_t) + size);
}

/* See to it that the class has a pair on its list; 0 when it may or can not. */
static int dclass_fill(dclass_t *c, void *cache)
{
	if (str_short && str_refuse(c->dc_size))
		return 0;
	if (c->dc_free == NULL)
		c->dc_free = dblk_new(c->dc_size, cache);
	return c->dc_free != NULL;
}

/* Take a pair from the class; the caller has looked that there is one. */
ALWAYS_INLINE mblk_t *dclass_take(dclass_t *c)
{
	mblk_t *mp = c->dc_free;

	c->dc_free = mp->b_next;
	__builtin_prefetch(c->dc_free);
	c->dc_alive++;
	mblk_alive++;
	return mp;
}

ALWAYS_INLINE void dclass_give(dclass_t *c, mblk_t *mp)
{
	c->dc_alive--;
	if (!KEEP_FREE) {
		dblk_destroy(mp, c->dc_size);
		return;
	}
	mp->b_next = c->dc_free;
	c->dc_free = mp;
}

ALWAYS_INLINE void mblk_give(mblk_t *mp)
{
	if (!KEEP_FREE) {
		kmem_free(mp, sizeof(mblk_t));
		return;
	}
	mp->b_next = mblk_list;
	mblk_list = mp;
}

/* Links, band and flags of a fresh message block. */
ALWAYS_INLINE void mblk_reset(mblk_t *mp)
{
	mp->b_next = mp->b_prev = mp->b_cont = NULL;
	mp->b_band = mp->b_tag = 0;
	mp->b_flag = 0;
	mp->b_queue = NULL;
}

ALWAYS_INLINE mblk_t *mblk_init(mblk_t *mp)
{
	dblk_t *dbp = mp->b_datap;

	dbp->db_ref = 1;
	dbp->db_type = M_DATA;
	dbp->db_flags = dbp->db_struioflag = 0;
	dbp->db_cpid = -1;
	mblk_reset(mp);
	mp->b_rptr = mp->b_wptr = dbp->db_base;
	return mp;
}

ALWAYS_INLINE void dblk_dropcred(dblk_t *dbp)
{
	if (dbp->db_credp != NULL) {
		crfree(dbp->db_credp);
		dbp->db_credp = NULL;
	}
}

static void dblk_direct_free(mblk_t *mp, dblk_t *dbp)
{
	size_t size = (size_t)(dbp->db_lim - dbp->db_base);

	dblk_direct_alive--;
	dblk_direct_bytes -= size;
	dblk_destroy(mp, size);
}

/* A buffer larger than any class. */
static mblk_t *allocb_oversize(size_t size)
{
	mblk_t *mp;

	if (size > (size_t)INT32_MAX)
		return NULL;
	size = (size + DBLK_GRAIN - 1) & ~(size_t)(DBLK_GRAIN - 1);
	if ((str_short && str_refuse(size)) || (mp = dblk_new(size, NULL)) == NULL)
		return NULL;
	mp->b_datap->db_lastfree = dblk_direct_free;
	dblk_direct_alive++;
	dblk_direct_bytes += size;
	mblk_alive++;
	return mblk_init(mp);
}

mblk_t *allocb(size_t size, uint_t pri)
{
	dclass_t *c;

	(void)pri;
	if (UNLIKELY(size > DBLK_MAX_CACHE))
		return allocb_oversize(size);
	c = &dblk_class[dblk_index[(size + DBLK_GRAIN - 1) / DBLK_GRAIN]];
	if (UNLIKELY(c->dc_free == NULL || str_short) && !dclass_fill(c, c))
		return NULL;
	return mblk_init(dclass_take(c));
}

mblk_t *allocb_tryhard(size_t size)
{
	mblk_t *mp;

	for (size_t n = size; n < size + 512; n += 64)
		if ((mp = allocb(n, BPRI_HI)) != NULL)
			return mp;
	return NULL;
}

mblk_t *allocb_cred(size_t size, cred_t *cr)
{
	mblk_t *mp = allocb(size, BPRI_MED);

	if (mp != NULL && cr != NULL) {
		crhold(cr);
		DB_CRED(mp) = cr;
	}
	return mp;
}

mblk_t *allocb_tmpl(size_t size, const mblk_t *tmpl)
{
	mblk_t *mp = allocb_cred(size, DB_CRED(tmpl));

	if (mp != NULL) {
		DB_CPID(mp) = DB_CPID(tmpl);
		DB_TYPE(mp) = DB_TYPE(tmpl);
	}
	return mp;
}

mblk_t *allocb_wait(size_t size, uint_t pri, uint_t flags, int *error)
{
	mblk_t *mp;
	int err;

	while ((mp = allocb(size, pri)) == NULL) {
		if (flags & STR_NOSIG) {
			strwaitbuf_nosig(size, pri);
		} else if ((err = strwaitbuf(size, pri)) != 0) {
			*error = err;
			return NULL;
		}
	}
	return mp;
}

uint_t getiocseqno(void)
{
	return ++ioc_seqno;
}

mblk_t *mkiocb(uint_t cmd)
{
	mblk_t *mp = allocb(sizeof(union ioctypes), BPRI_MED);
	struct iocblk *ioc;

	if (mp == NULL)
		return NULL;
	memset(mp->b_rptr, 0, sizeof(union ioctypes));
	ioc = (struct iocblk *)mp->b_rptr;
	mp->b_wptr += sizeof(*ioc);
	DB_TYPE(mp) = M_IOCTL;
	ioc->ioc_cmd = (int)cmd;
	ioc->ioc_id = getiocseqno();
	ioc->ioc_cr = kcred;
	ioc->ioc_flag = IOC_NATIVE;
	return mp;
}

/* ---- buffers of the caller ---- */

static void desb_lastfree(mblk_t *mp, dblk_t *dbp)
{
	frtn_t *frtn = dbp->db_frtnp;

	dclass_give(&dblk_extern, mp);
	frtn->free_func(frtn->free_arg);
}

/* The task that frees an esballoc buffer. */
static void mblk_free(void *arg)
{
	mblk_t *mp = arg;

	desb_lastfree(mp, mp->b_datap);
}

static void freebs_enqueue(mblk_t *mp, dblk_t *dbp)
{
	(void)dbp;
	if (taskq_dispatch(system_taskq, mblk_free, mp, TQ_NOSLEEP | TQ_NOQUEUE) != 0)
		return;
	mp->b_next = freebs_list;
	freebs_list = mp;
	streams_bkgrnd_wakeup();
}

int freebs(void)
{
	mblk_t *mp = freebs_list;

	if (mp == NULL)
		return 0;
	freebs_list = mp->b_next;
	mblk_free(mp);
	return 1;
}

ALWAYS_INLINE mblk_t *esb_make(uchar_t *base, size_t size, frtn_t *frtn, uint8_t ref,
			       void (*lastfree)(mblk_t *, dblk_t *))
{
	dblk_t *dbp;
	mblk_t *mp;

	if ((dblk_extern.dc_free == NULL || str_short) && !dclass_fill(&dblk_extern, NULL))
		return NULL;
	mp = dclass_take(&dblk_extern);
	dbp = mp->b_datap;
	dbp->db_base = base;
	dbp->db_lim = base + size;
	dbp->db_frtnp = frtn;
	dbp->db_lastfree = lastfree;
	mblk_init(mp);
	dbp->db_ref = ref;
	dbp->db_flags = ref > 1 ? DBLK_REFMIN : 0;
	return mp;
}

mblk_t *esballoc(uchar_t *base, size_t size, uint_t pri, frtn_t *frtn)
{
	(void)pri;
	return esb_make(base, size, frtn, 1, freebs_enqueue);
}

mblk_t *esballoca(uchar_t *base, size_t size, uint_t pri, frtn_t *frtn)
{
	(void)pri;
	return esb_make(base, size, frtn, 2, freebs_enqueue);
}

mblk_t *desballoc(uchar_t *base, size_t size, uint_t pri, frtn_t *frtn)
{
	(void)pri;
	return esb_make(base, size, frtn, 1, desb_lastfree);
}

mblk_t *desballoca(uchar_t *base, size_t size, uint_t pri, frtn_t *frtn)
{
	(void)pri;
	return esb_make(base, size, frtn, 2, desb_lastfree);
}

/* ---- references and release ---- */

static int mblk_fill(void)
{
	if (str_short && str_refuse(0))
		return 0;
	if (mblk_list == NULL && (mblk_list = kmem_alloc(sizeof(mblk_t), KM_NOSLEEP)) != NULL)
		mblk_list->b_next = NULL;
	return mblk_list != NULL;
}

mblk_t *dupb(mblk_t *bp)
{
	mblk_t *mp;

	if (UNLIKELY(bp->b_datap->db_ref == UINT8_MAX))
		return NULL;
	if (UNLIKELY(mblk_list == NULL || str_short) && !mblk_fill())
		return NULL;
	mp = mblk_list;
	mblk_list = mp->b_next;
	mblk_alive++;
	bp->b_datap->db_ref++;
	mblk_reset(mp);
	mp->b_datap = bp->b_datap;
	mp->b_rptr = bp->b_rptr;
	mp->b_wptr = bp->b_wptr;
	mp->b_band = bp->b_band;
	mp->b_flag = bp->b_flag;
	return mp;
}

ALWAYS_INLINE void mblk_release(mblk_t *mp)
{
	dblk_t *dbp = mp->b_datap;
	mblk_t *twin = dbp->db_mblk;
	dclass_t *c = dbp->db_cache;

	mblk_alive--;
	if (UNLIKELY(--dbp->db_ref > (dbp->db_flags & DBLK_REFMIN))) {
		if (mp != twin)
			mblk_give(mp);
		else
			MBLK_HIDE(mp);
		return;
	}
	if (UNLIKELY(mp != twin)) {
		mblk_give(mp);
		MBLK_SHOW(twin);
	}
	dblk_dropcred(dbp);
	if (LIKELY(c != NULL))
		dclass_give(c, twin);
	else
		dbp->db_lastfree(twin, dbp);
	if (UNLIKELY(str_short))
		strbcwakeup();
}

void freeb(mblk_t *bp)
{
	mblk_release(bp);
}

void freemsg(mblk_t *mp)
{
	mblk_t *next;

	for (; mp != NULL; mp = next) {
		next = mp->b_cont;
		mblk_release(mp);
	}
}

void freemsgchain(mblk_t *mp)
{
	mblk_t *next;

	for (; mp != NULL; mp = next) {
		next = mp->b_next;
		mp->b_next = mp->b_prev = NULL;
		freemsg(mp);
	}
}

void mblk_setcred(mblk_t *mp, cred_t *cr)
{
	if (cr != NULL)
		crhold(cr);
	dblk_dropcred(mp->b_datap);
	DB_CRED(mp) = cr;
}

mblk_t *dupmsg(mblk_t *mp)
{
	mblk_t *head = NULL, **tail = &head;

	for (; mp != NULL; mp = mp->b_cont) {
		if ((*tail = dupb(mp)) == NULL) {
			freemsg(head);
			return NULL;
		}
		tail = &(*tail)->b_cont;
	}
	return head;
}

/* ---- copies ---- */

/* Checksum scratch and the owner's stamp belong to the data. */
ALWAYS_INLINE void dblk_copyscratch(const dblk_t *from, dblk_t *to)
{
	to->db_struioflag = from->db_struioflag;
	to->db_cksumstart = from->db_cksumstart;
	to->db_cksumend = from->db_cksumend;
	to->db_cksumstuff = from->db_cksumstuff;
	to->db_stamp = from->db_stamp;
}

mblk_t *copyb(mblk_t *bp)
{
	size_t size = (size_t)MBLKSIZE(bp);
	size_t shift = (uintptr_t)DB_BASE(bp) & (sizeof(uint32_t) - 1); /* our bases are word aligned */
	mblk_t *mp = allocb_tmpl(size + shift, bp);

	if (mp == NULL)
		return NULL;
	dblk_copyscratch(bp->b_datap, mp->b_datap);
	mp->b_rptr = DB_BASE(mp) + shift + MBLKHEAD(bp);
	mp->b_wptr = mp->b_rptr + MBLKL(bp);
	mp->b_band = bp->b_band;
	mp->b_flag = bp->b_flag;
	memcpy(DB_BASE(mp) + shift, DB_BASE(bp), size);
	return mp;
}

mblk_t *copymsg(mblk_t *mp)
{
	mblk_t *head = NULL, **tail = &head;

	for (; mp != NULL; mp = mp->b_cont) {
		if ((*tail = copyb(mp)) == NULL) {
			freemsg(head);
			return NULL;
		}
		tail = &(*tail)->b_cont;
	}
	return head;
}

mblk_t *reallocb(mblk_t *mp, size_t size, uint_t copy)
{
	size_t len = MIN(size, (size_t)MBLKL(mp));
	mblk_t *nmp;

	if (DB_REF(mp) == 1 && (size_t)(DB_LIM(mp) - mp->b_rptr) >= size) {
		mp->b_wptr = mp->b_rptr + len;
		return mp;
	}
	if ((nmp = allocb_tmpl(size, mp)) == NULL)
		return NULL;
	if (copy) {
		memcpy(nmp->b_rptr, mp->b_rptr, len);
		nmp->b_wptr += len;
	}
	nmp->b_cont = mp->b_cont;
	freeb(mp);
	return nmp;
}

/* ---- links ---- */

void linkb(mblk_t *mp, mblk_t *tail)
{
	while (mp->b_cont != NULL)
		mp = mp->b_cont;
	mp->b_cont = tail;
}

mblk_t *unlinkb(mblk_t *mp)
{
	mblk_t *rest = mp->b_cont;

	mp->b_cont = NULL;
	return rest;
}

mblk_t *rmvb(mblk_t *mp, mblk_t *bp)
{
	for (mblk_t **p = &mp; *p != NULL; p = &(*p)->b_cont) {
		if (*p == bp) {
			*p = bp->b_cont;
			bp->b_cont = NULL;
			return mp;
		}
	}
	return (mblk_t *)-1;
}

/* ---- sizes ---- */

size_t msgdsize(const mblk_t *mp)
{
	size_t n = 0;

	for (; mp != NULL; mp = mp->b_cont)
		if (DB_TYPE(mp) == M_DATA)
			n += (size_t)MBLKL(mp);
	return n;
}

size_t msgsize(const mblk_t *mp)
{
	size_t n = 0;

	for (; mp != NULL; mp = mp->b_cont)
		n += (size_t)MBLKL(mp);
	return n;
}

size_t xmsgsize(const mblk_t *mp)
{
	uchar_t type = DB_TYPE(mp);
	size_t n = 0;

	for (; mp != NULL && DB_TYPE(mp) == type; mp = mp->b_cont)
		n += (size_t)MBLKL(mp);
	return n;
}

/* ---- reshaping ---- */

/* Move len bytes from mp to `to' and free the blocks this empties, the first one if it was empty already; returns
 * what is left. */
ALWAYS_INLINE mblk_t *msg_gather(mblk_t *mp, uchar_t *to, size_t len)
{
	do {
		size_t n = MIN(len, (size_t)MBLKL(mp));
		mblk_t *bp = mp;

		memcpy(to, mp->b_rptr, n);
		mp->b_rptr += n;
		to += n;
		len -= n;
		if (MBLKL(mp) > 0)
			break;
		mp = mp->b_cont;
		freeb(bp);
	} while (len > 0);
	return mp;
}

int pullupmsg(mblk_t *mp, ssize_t length)
{
	size_t first = (size_t)MBLKL(mp), avail, len = (size_t)length;
	bool aligned = ((uintptr_t)mp->b_rptr & (sizeof(uint32_t) - 1)) == 0;
	uchar_t type = DB_TYPE(mp);
	dblk_t *odbp = mp->b_datap;
	mblk_t *bp;

	if (type == M_MULTIDATA)
		return 0;
	if (length == -1) {
		if (aligned && (mp->b_cont == NULL || DB_TYPE(mp->b_cont) != type))
			return 1;
		len = xmsgsize(mp);
	} else {
		if (length < 0)
			return 0;
		if (len <= first) {
			if (aligned)
				return 1;
			len = first;
		}
		avail = xmsgsize(mp);
		if (len > avail)
			return 0;
	}
	if ((bp = allocb_tmpl(len, mp)) == NULL)
		return 0;
	/* bp gets the old data block and mp the new one; each data block keeps a twin. */
	dblk_copyscratch(odbp, bp->b_datap);
	mp->b_datap = bp->b_datap;
	mp->b_datap->db_mblk = mp;
	bp->b_datap = odbp;
	if (odbp->db_mblk == mp)
		odbp->db_mblk = bp;
	bp->b_rptr = mp->b_rptr;
	bp->b_wptr = mp->b_wptr;
	bp->b_cont = mp->b_cont;
	mp->b_rptr = mp->b_datap->db_base;
	mp->b_wptr = mp->b_rptr + len;
	mp->b_cont = msg_gather(bp, mp->b_rptr, len);
	return 1;
}

mblk_t *msgpullup(mblk_t *mp, ssize_t length)
{
	size_t avail = xmsgsize(mp);
	uchar_t type = DB_TYPE(mp);
	mblk_t *nmp, *rest;

	if (type == M_MULTIDATA || length < -1 || (length != -1 && (size_t)length > avail))
		return NULL;
	if ((nmp = allocb_tmpl(avail, mp)) == NULL)
		return NULL;
	dblk_copyscratch(mp->b_datap, nmp->b_datap);
	nmp->b_band = mp->b_band;
	nmp->b_flag = mp->b_flag;
	for (rest = mp; rest != NULL && DB_TYPE(rest) == type; rest = rest->b_cont) {
		memcpy(nmp->b_wptr, rest->b_rptr, (size_t)MBLKL(rest));
		nmp->b_wptr += MBLKL(rest);
	}
	if (rest != NULL && (nmp->b_cont = dupmsg(rest)) == NULL) {
		freemsg(nmp);
		return NULL;
	}
	return nmp;
}

/* Trim len bytes, which there are, from the head. */
ALWAYS_INLINE void adjmsg_head(mblk_t *mp, size_t len)
{
	mblk_t *first = mp;

	while (len > 0) {
		size_t n = MIN(len, (size_t)MBLKL(mp));
		mblk_t *next = mp->b_cont;

		mp->b_rptr += n;
		len -= n;
		if (mp != first && MBLKL(mp) == 0) {
			first->b_cont = next;
			freeb(mp);
		}
		mp = next;
	}
}

/* Keep only the first `keep' bytes of the leading run. */
ALWAYS_INLINE void adjmsg_tail(mblk_t *mp, size_t keep)
{
	uchar_t type = DB_TYPE(mp);
	mblk_t **link;

	/* The block in which the kept bytes end. */
	while (keep > (size_t)MBLKL(mp)) {
		keep -= (size_t)MBLKL(mp);
		mp = mp->b_cont;
	}
	mp->b_wptr = mp->b_rptr + keep;
	for (link = &mp->b_cont; *link != NULL && DB_TYPE(*link) == type;) {
		mblk_t *bp = *link;

		*link = bp->b_cont;
		freeb(bp);
	}
}

int adjmsg(mblk_t *mp, ssize_t len)
{
	size_t avail, n = len < 0 ? (size_t)-len : (size_t)len;

	if (DB_TYPE(mp) == M_MULTIDATA)
		return 0;
	if (len == 0)
		return 1;
	avail = xmsgsize(mp);
	if (n > avail)
		return 0;
	if (len > 0)
		adjmsg_head(mp, n);
	else
		adjmsg_tail(mp, avail - n);
	return 1;
}

/* ---- boot ---- */

static void strmsg_init(void)
{
	size_t i, c;

	for (i = 0; i < DBLK_NSMALL; i++)
		dblk_class[i].dc_size = dblk_small[i];
	for (size_t n = DBLK_PAIR; i + 1 < DBLK_NCLASS; n += DBLK_PAIR) {
		dblk_class[i++].dc_size = (uint32_t)n;
		dblk_class[i++].dc_size = (uint32_t)n + 3968;
	}
	dblk_class[i].dc_size = DBLK_MAX_CACHE;
	for (i = c = 0; i <= DBLK_MAX_CACHE / DBLK_GRAIN; i++) {
		while (dblk_class[c].dc_size < i * DBLK_GRAIN)
			c++;
		dblk_index[i] = (uint8_t)c;
	}
	ioc_seqno = 0;
}

static void dclass_fini(dclass_t *c)
{
	mblk_t *mp;

	while ((mp = c->dc_free) != NULL) {
		c->dc_free = mp->b_next;
		dblk_destroy(mp, c->dc_size);
	}
	c->dc_alive = 0;
}

/* What is still alive then is a leak, which kmem_alive() shows. */
static void strmsg_fini(void)
{
	mblk_t *mp;

	for (size_t i = 0; i < DBLK_NCLASS; i++)
		dclass_fini(&dblk_class[i]);
	dclass_fini(&dblk_extern);
	while ((mp = mblk_list) != NULL) {
		mblk_list = mp->b_next;
		kmem_free(mp, sizeof(mblk_t));
	}
	str_short = str_fail_all = false;
	str_fail_in = 0;
	str_limit = 0;
	mblk_alive = dblk_direct_alive = dblk_direct_bytes = 0;
}

KERNEL_INIT(0, strmsg_init, strmsg_fini);
