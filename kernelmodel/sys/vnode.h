/*
 * Vnodes: what a descriptor leads to (vnode(9S)).  The model knows character
 * devices (specfs), sockets (sockfs) and pipes (fifofs).
 *
 * The fop_ functions call the operation through the vnode's vector and keep a
 * frame of their own, as in Solaris 10.  All return 0 or an errno value, run in
 * a thread, and may sleep.
 */
#ifndef STRSIM_SYS_VNODE_H
#define STRSIM_SYS_VNODE_H

#include "sys/types.h"
#include "sys/thread.h"
#include "sys/uio.h"
#include "sys/strsubr.h"

typedef enum vtype { VNON, VCHR, VFIFO, VSOCK } vtype_t;

struct vnodeops;

typedef struct vnode {
	uint_t v_flag;
	uint_t v_count; /* references */
	const struct vnodeops *v_op;
	struct stdata *v_stream; /* stream head, when there is a stream */
	vtype_t v_type;
	dev_t v_rdev; /* device, VCHR */
	char *v_path; /* name it was looked up by, or NULL; freed with the vnode */
	void *v_data; /* file system's own: snode, fifonode, sonode */
} vnode_t;

typedef struct vnodeops {
	const char *vnop_name;
	int (*vop_open)(vnode_t **vpp, int mode, cred_t *cr);
	int (*vop_close)(vnode_t *vp, int flag, int count, int64_t offset, cred_t *cr);
	int (*vop_read)(vnode_t *vp, uio_t *uiop, int ioflag, cred_t *cr);
	int (*vop_write)(vnode_t *vp, uio_t *uiop, int ioflag, cred_t *cr);
	int (*vop_ioctl)(vnode_t *vp, int cmd, intptr_t arg, int flag, cred_t *cr, int *rvalp);
	int (*vop_setfl)(vnode_t *vp, int oflags, int nflags, cred_t *cr);
	/* As strpoll(): *reventsp gets what is true now; pe, if not NULL, is attached when nothing is
	 * true yet, or in any case when it is persistent. */
	int (*vop_poll)(vnode_t *vp, short events, int anyyet, short *reventsp, pollent_t *pe);
	/* The last reference is gone: free v_data and call vn_free(). */
	void (*vop_inactive)(vnode_t *vp, cred_t *cr);
	/* putmsg(2) and getmsg(2) on a vnode whose stream is not the caller's (sockets); NULL: the stream's own. */
	int (*vop_putmsg)(vnode_t *vp, struct strbuf *mctl, struct strbuf *mdata, uchar_t pri, int flag, int fmode);
	int (*vop_getmsg)(vnode_t *vp, struct strbuf *mctl, struct strbuf *mdata, uchar_t *prip, int *flagsp, int fmode,
			  int64_t *rvp);
} vnodeops_t;

int fop_open(vnode_t **vpp, int mode, cred_t *cr);
int fop_close(vnode_t *vp, int flag, int count, int64_t offset, cred_t *cr);
int fop_read(vnode_t *vp, uio_t *uiop, int ioflag, cred_t *cr);
int fop_write(vnode_t *vp, uio_t *uiop, int ioflag, cred_t *cr);
int fop_ioctl(vnode_t *vp, int cmd, intptr_t arg, int flag, cred_t *cr, int *rvalp);
int fop_setfl(vnode_t *vp, int oflags, int nflags, cred_t *cr);
int fop_poll(vnode_t *vp, short events, int anyyet, short *reventsp, pollent_t *pe);
void fop_inactive(vnode_t *vp, cred_t *cr);

/* A vnode with one reference, or NULL without memory. */
vnode_t *vn_alloc(vtype_t type, const vnodeops_t *ops, void *data);
/* Free it; called by vop_inactive. */
void vn_free(vnode_t *vp);
#define VN_HOLD(vp) ((void)(vp)->v_count++)
#define VN_RELE(vp) vn_rele(vp)
/* Drop a reference; the last one calls fop_inactive(). */
void vn_rele(vnode_t *vp);

/*
 * A kind of vnode that genunix makes without knowing the module that has it.
 * "specfs" makes device nodes, "fifofs" pipes; sockfs makes its own.
 */
typedef struct vfssw {
	const char *vsw_name;
	const vnodeops_t *vsw_vnodeops;
	/* A new or shared vnode, referenced: for specfs of the device, for fifofs of nothing. */
	int (*vsw_mkvp)(const char *path, dev_t dev, vnode_t **vpp);
} vfssw_t;
#define VFSSW(sym, name, ops, mkvp)                           \
	static const vfssw_t vfssw_##sym = {name, ops, mkvp}; \
	LINKER_SET(vfssw, vfssw_##sym)
/* NULL when the module is not linked. */
const vfssw_t *vfssw_find(const char *name);

/*
 * Path lookup: the nodes of all drivers (devsw_t.d_nodes).  ENOENT for an
 * unknown path, else 0 and a referenced vnode that is not open.
 */
int lookupname(const char *path, vnode_t **vpp);
/* lookupname() and fop_open(); flag in F... form (FREAD|FWRITE).  The vnode may be another one than the
 * looked-up one (clone devices). */
int vn_open_dev(const char *path, int flag, vnode_t **vpp);
/* fop_close() for the last user, and VN_RELE: the undoing of vn_open_dev(). */
int vn_close_dev(vnode_t *vp, int flag);
/* ioctl from kernel code: arg and all it points to are kernel memory; returns errno, value in *rvalp (may
 * be NULL). */
int kern_ioctl(vnode_t *vp, int cmd, intptr_t arg, int *rvalp);
/*
 * I_LINK or I_PLINK of stream lower below stream upper from kernel code; *muxidp
 * gets the link's number.  On success the link has the caller's open and
 * reference of lower: forget it, and undo with kern_ioctl(I_UNLINK, I_PUNLINK).
 */
int kern_link(vnode_t *upper, vnode_t *lower, int cmd, int *muxidp);

#endif
