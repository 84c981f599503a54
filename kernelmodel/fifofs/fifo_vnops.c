/*
 * fifofs: the two ends of a pipe.  Each is a stream without a driver.
 */
#include "sys/vnode.h"
#include "sys/file.h"
#include "sys/errno.h"

static const vnodeops_t fifo_vnodeops;

/* A new end, with its stream. */
static int fifo_mkvp(const char *path, dev_t dev, vnode_t **vpp)
{
	vnode_t *vp = vn_alloc(VFIFO, &fifo_vnodeops, NULL);
	int error;

	(void)path;
	if (vp == NULL)
		return ENOMEM;
	error = stropen(vp, &dev, FREAD | FWRITE, kcred);
	if (error != 0) {
		VN_RELE(vp);
		return error;
	}
	*vpp = vp;
	return 0;
}

static int fifo_open(vnode_t **vpp, int flag, cred_t *cr)
{
	(void)vpp;
	(void)flag;
	(void)cr;
	return 0;
}

static int fifo_close(vnode_t *vp, int flag, int count, int64_t offset, cred_t *cr)
{
	(void)count;
	(void)offset;
	return strclose(vp, flag, cr);
}

static int fifo_read(vnode_t *vp, uio_t *uiop, int ioflag, cred_t *cr)
{
	(void)ioflag;
	return strread(vp, uiop, cr);
}

static int fifo_write(vnode_t *vp, uio_t *uiop, int ioflag, cred_t *cr)
{
	(void)ioflag;
	return strwrite(vp, uiop, cr);
}

static int fifo_ioctl(vnode_t *vp, int cmd, intptr_t arg, int mode, cred_t *cr, int *rvalp)
{
	return strioctl(vp, cmd, arg, mode, (uint_t)mode & FKIOCTL ? K_TO_K : U_TO_K, cr, rvalp);
}

static int fifo_poll(vnode_t *vp, short events, int anyyet, short *reventsp, pollent_t *pe)
{
	return strpoll(vp->v_stream, events, anyyet, reventsp, pe);
}

static void fifo_inactive(vnode_t *vp, cred_t *cr)
{
	(void)cr;
	vn_free(vp);
}

static const vnodeops_t fifo_vnodeops = {
    .vnop_name = "fifofs",
    .vop_open = fifo_open,
    .vop_close = fifo_close,
    .vop_read = fifo_read,
    .vop_write = fifo_write,
    .vop_ioctl = fifo_ioctl,
    .vop_poll = fifo_poll,
    .vop_inactive = fifo_inactive,
};

VFSSW(fifofs, "fifofs", &fifo_vnodeops, fifo_mkvp);
