/*
 * The operations of a vnode, called through its vector.  Each keeps a frame of
 * its own: write < fop_write < spec_write is what stacks of Solaris 10 show.
 */
#include "sys/vnode.h"
#include "sys/errno.h"

int fop_open(vnode_t **vpp, int mode, cred_t *cr)
{
	return (*vpp)->v_op->vop_open(vpp, mode, cr);
}

int fop_close(vnode_t *vp, int flag, int count, int64_t offset, cred_t *cr)
{
	return vp->v_op->vop_close(vp, flag, count, offset, cr);
}

int fop_read(vnode_t *vp, uio_t *uiop, int ioflag, cred_t *cr)
{
	return vp->v_op->vop_read(vp, uiop, ioflag, cr);
}

int fop_write(vnode_t *vp, uio_t *uiop, int ioflag, cred_t *cr)
{
	return vp->v_op->vop_write(vp, uiop, ioflag, cr);
}

int fop_ioctl(vnode_t *vp, int cmd, intptr_t arg, int flag, cred_t *cr, int *rvalp)
{
	return vp->v_op->vop_ioctl(vp, cmd, arg, flag, cr, rvalp);
}

int fop_setfl(vnode_t *vp, int oflags, int nflags, cred_t *cr)
{
	return vp->v_op->vop_setfl == NULL ? 0 : vp->v_op->vop_setfl(vp, oflags, nflags, cr);
}

int fop_poll(vnode_t *vp, short events, int anyyet, short *reventsp, pollent_t *pe)
{
	return vp->v_op->vop_poll(vp, events, anyyet, reventsp, pe);
}

void fop_inactive(vnode_t *vp, cred_t *cr)
{
	vp->v_op->vop_inactive(vp, cr);
}
