/*
 * specfs: vnodes of character devices.
 *
 * All openers of one device share its vnode, found by device number, and so
 * its stream; the last close closes it.  A node of the clone device has a vnode
 * of its own at each lookup, and becomes another one at open: the vnode of the
 * device that the driver chose.
 */
#include "sys/vnode.h"
#include "sys/file.h"
#include "sys/errno.h"

#include <string.h>

#define STABLESIZE 64 /* to begin with */

typedef struct snode {
	vnode_t *s_vnode;
	dev_t s_dev;
	int s_count; /* opens */
	struct snode *s_next, **s_pprev;
} snode_t;

#define VTOS(vp) ((snode_t *)(vp)->v_data)

/*
 * Snodes by device number.  The table doubles when it is full, so that a
 * million clones are found as fast as ten; without memory it stays as it is.
 */
static KLOCAL snode_t *smalltable[STABLESIZE], **stable;
static KLOCAL uint32_t ssize, scount;

static snode_t **sbucket(dev_t dev)
{
	if (stable == NULL) {
		stable = smalltable;
		ssize = STABLESIZE;
	}
	return &stable[(uint32_t)(getmajor(dev) * 31 + getminor(dev)) & (ssize - 1)];
}

static void stable_free(void)
{
	if (stable != smalltable && stable != NULL)
		kmem_free(stable, ssize * sizeof(*stable));
	stable = NULL;
}

/* Clones that were not replaced by their device all have the device number of the clone node: a chain may be long. */
static void slink(snode_t *sp)
{
	snode_t **bucket = sbucket(sp->s_dev);

	sp->s_next = *bucket;
	if (sp->s_next != NULL)
		sp->s_next->s_pprev = &sp->s_next;
	sp->s_pprev = bucket;
	*bucket = sp;
}

static void stable_grow(void)
{
	snode_t **old = stable, **bigger = kmem_zalloc(2 * ssize * sizeof(*bigger), KM_NOSLEEP);
	uint32_t oldsize = ssize;

	if (bigger == NULL)
		return;
	stable = bigger;
	ssize *= 2;
	for (uint32_t i = 0; i < oldsize; i++) {
		for (snode_t *sp = old[i], *next; sp != NULL; sp = next) {
			next = sp->s_next;
			slink(sp);
		}
	}
	if (old != smalltable)
		kmem_free(old, oldsize * sizeof(*old));
	memset(smalltable, 0, sizeof(smalltable));
}

static void sinsert(snode_t *sp)
{
	slink(sp);
	if (++scount > ssize)
		stable_grow();
}

static void spec_init(void)
{
	scount = 0;
}

KERNEL_INIT(-1, spec_init, stable_free); /* freed after all that closes devices */

static const vnodeops_t spec_vnodeops;

static char *path_dup(const char *path)
{
	size_t size = strlen(path) + 1;
	char *copy = kmem_alloc(size, KM_NOSLEEP);

	return copy == NULL ? NULL : memcpy(copy, path, size);
}

/* A new vnode of the device, in the table unless it is a clone. */
static vnode_t *makespecvp(const char *path, dev_t dev)
{
	snode_t *sp = kmem_zalloc(sizeof(*sp), KM_NOSLEEP);

	if (sp == NULL)
		return NULL;
	sp->s_vnode = vn_alloc(VCHR, &spec_vnodeops, sp);
	if (sp->s_vnode == NULL) {
		kmem_free(sp, sizeof(*sp));
		return NULL;
	}
	sp->s_dev = sp->s_vnode->v_rdev = dev;
	sp->s_vnode->v_path = path_dup(path);
	sinsert(sp);
	if (sp->s_vnode->v_path != NULL)
		return sp->s_vnode;
	VN_RELE(sp->s_vnode);
	return NULL;
}

/* The vnode of a device, new or shared. */
static int specvp(const char *path, dev_t dev, vnode_t **vpp)
{
	snode_t *sp = getmajor(dev) == CLONE_MAJOR ? NULL : *sbucket(dev);

	while (sp != NULL && sp->s_dev != dev)
		sp = sp->s_next;
	if (sp != NULL) {
		*vpp = sp->s_vnode;
		VN_HOLD(*vpp);
		return 0;
	}
	*vpp = makespecvp(path, dev);
	return *vpp == NULL ? ENOMEM : 0;
}

/* The driver chose another device than the one opened: the stream moves to a vnode of that. */
static int spec_clone(vnode_t **vpp, dev_t dev, int flag, cred_t *cr)
{
	vnode_t *vp = *vpp, *newvp = makespecvp(vp->v_path, dev);

	if (newvp == NULL) {
		(void)strclose(vp, flag, cr);
		return ENOMEM;
	}
	newvp->v_stream = vp->v_stream;
	newvp->v_stream->sd_vnode = newvp;
	vp->v_stream = NULL;
	VTOS(newvp)->s_count = 1;
	VTOS(vp)->s_count--;
	VN_RELE(vp);
	*vpp = newvp;
	return 0;
}

static int spec_open(vnode_t **vpp, int flag, cred_t *cr)
{
	vnode_t *vp = *vpp;
	dev_t dev = vp->v_rdev;
	int error;

	VTOS(vp)->s_count++;
	error = stropen(vp, &dev, flag, cr);
	if (error == 0 && dev != vp->v_rdev)
		error = spec_clone(vpp, dev, flag, cr);
	if (error != 0)
		VTOS(vp)->s_count--;
	return error;
}

static int spec_close(vnode_t *vp, int flag, int count, int64_t offset, cred_t *cr)
{
	(void)count;
	(void)offset;
	if (--VTOS(vp)->s_count > 0 || vp->v_stream == NULL)
		return 0;
	return strclose(vp, flag, cr);
}

static int spec_read(vnode_t *vp, uio_t *uiop, int ioflag, cred_t *cr)
{
	(void)ioflag;
	return strread(vp, uiop, cr);
}

static int spec_write(vnode_t *vp, uio_t *uiop, int ioflag, cred_t *cr)
{
	(void)ioflag;
	return strwrite(vp, uiop, cr);
}

static int spec_ioctl(vnode_t *vp, int cmd, intptr_t arg, int mode, cred_t *cr, int *rvalp)
{
	if (vp->v_type != VCHR)
		return ENOTTY;
	return strioctl(vp, cmd, arg, mode, (uint_t)mode & FKIOCTL ? K_TO_K : U_TO_K, cr, rvalp);
}

static int spec_poll(vnode_t *vp, short events, int anyyet, short *reventsp, pollent_t *pe)
{
	return strpoll(vp->v_stream, events, anyyet, reventsp, pe);
}

static void spec_inactive(vnode_t *vp, cred_t *cr)
{
	snode_t *sp = VTOS(vp);

	(void)cr;
	if (sp->s_next != NULL)
		sp->s_next->s_pprev = sp->s_pprev;
	*sp->s_pprev = sp->s_next;
	scount--;
	kmem_free(sp, sizeof(*sp));
	vn_free(vp);
}

static const vnodeops_t spec_vnodeops = {
    .vnop_name = "specfs",
    .vop_open = spec_open,
    .vop_close = spec_close,
    .vop_read = spec_read,
    .vop_write = spec_write,
    .vop_ioctl = spec_ioctl,
    .vop_poll = spec_poll,
    .vop_inactive = spec_inactive,
};

VFSSW(specfs, "specfs", &spec_vnodeops, specvp);
