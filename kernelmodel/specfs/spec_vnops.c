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

#define STABLESIZE 64

typedef struct snode {
	vnode_t *s_vnode;
	dev_t s_dev;
	int s_count; /* opens */
	struct snode *s_next;
} snode_t;

#define VTOS(vp) ((snode_t *)(vp)->v_data)

static KLOCAL snode_t *stable[STABLESIZE];

static snode_t **sbucket(dev_t dev)
{
	return &stable[(uint32_t)(getmajor(dev) * 31 + getminor(dev)) % STABLESIZE];
}

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
	snode_t *sp = kmem_zalloc(sizeof(*sp), KM_NOSLEEP), **bucket = sbucket(dev);

	if (sp == NULL)
		return NULL;
	sp->s_vnode = vn_alloc(VCHR, &spec_vnodeops, sp);
	if (sp->s_vnode == NULL) {
		kmem_free(sp, sizeof(*sp));
		return NULL;
	}
	sp->s_dev = sp->s_vnode->v_rdev = dev;
	sp->s_vnode->v_path = path_dup(path);
	sp->s_next = *bucket;
	*bucket = sp;
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
	snode_t *sp = VTOS(vp), **pp = sbucket(sp->s_dev);

	(void)cr;
	while (*pp != sp)
		pp = &(*pp)->s_next;
	*pp = sp->s_next;
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
