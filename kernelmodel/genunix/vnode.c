/*
 * Vnodes and the names of devices.
 *
 * There is no file system: a path names a device node of some driver, and the
 * nodes are what the drivers say of themselves (devsw_t.d_nodes).  Lookup walks
 * the drivers in link order; the kinds of vnodes are found by name, so that
 * genunix can be linked with or without specfs, fifofs and sockfs.
 */
#include "sys/vnode.h"
#include "sys/file.h"
#include "sys/errno.h"
#include "sys/stropts.h"

#include <string.h>

LINKER_SET_DECLARE(devsw);
LINKER_SET_DECLARE(vfssw);

vnode_t *vn_alloc(vtype_t type, const vnodeops_t *ops, void *data)
{
	vnode_t *vp = kmem_zalloc(sizeof(*vp), KM_NOSLEEP);

	if (vp == NULL)
		return NULL;
	vp->v_count = 1;
	vp->v_op = ops;
	vp->v_type = type;
	vp->v_rdev = NODEV;
	vp->v_data = data;
	return vp;
}

void vn_free(vnode_t *vp)
{
	if (vp->v_path != NULL)
		kmem_free(vp->v_path, strlen(vp->v_path) + 1);
	kmem_free(vp, sizeof(*vp));
}

void vn_rele(vnode_t *vp)
{
	if (--vp->v_count == 0)
		fop_inactive(vp, kcred);
}

const vfssw_t *vfssw_find(const char *name)
{
	LINKER_SET_FOREACH(pp, vfssw)
	{
		const vfssw_t *vsw = *pp;

		if (strcmp(vsw->vsw_name, name) == 0)
			return vsw;
	}
	return NULL;
}

/* The decimal number at s, which must end at end: -1 when it is none. */
ALWAYS_INLINE int64_t number(const char *s, const char *end)
{
	int64_t n = 0;

	if (s == end)
		return -1;
	for (; s < end; s++) {
		if (*s < '0' || *s > '9' || n > 0xffffff)
			return -1;
		n = n * 10 + (*s - '0');
	}
	return n;
}

/* Minor number of path by one "path=minor" word, -1 when it is not this word's path; *clonep is set for a clone node. */
static int64_t node_minor(const char *path, const char *word, const char *end, int *clonep)
{
	const char *eq = memchr(word, '=', (size_t)(end - word));
	size_t len;

	*clonep = 0;
	if (eq == NULL)
		return -1;
	len = (size_t)(eq - word);
	if (eq[1] == '#') {
		len--;
		return strncmp(path, word, len) == 0 ? number(path + len, path + strlen(path)) : -1;
	}
	if (strlen(path) != len || memcmp(path, word, len) != 0)
		return -1;
	*clonep = end - eq == 6 && memcmp(eq + 1, "clone", 5) == 0;
	return *clonep ? 0 : number(eq + 1, end);
}

/* The device of path among one driver's nodes, or NODEV. */
static dev_t node_dev(const char *path, const devsw_t *dp)
{
	const char *word = dp->d_nodes;

	while (word != NULL && *word != '\0') {
		const char *end = strchrnul(word, ' ');
		int clone;
		int64_t minor = node_minor(path, word, end, &clone);

		if (minor >= 0)
			return clone ? makedevice(CLONE_MAJOR, devsw_major(dp)) : makedevice(devsw_major(dp), minor);
		word = end + (*end == ' ');
	}
	return NODEV;
}

int lookupname(const char *path, vnode_t **vpp)
{
	const vfssw_t *vsw = vfssw_find("specfs");

	if (vsw == NULL)
		return ENOENT;
	LINKER_SET_FOREACH(pp, devsw)
	{
		dev_t dev = node_dev(path, *pp);

		if (dev != NODEV)
			return vsw->vsw_mkvp(path, dev, vpp);
	}
	return ENOENT;
}

int vn_open_dev(const char *path, int flag, vnode_t **vpp)
{
	int error = lookupname(path, vpp);

	if (error != 0)
		return error;
	error = fop_open(vpp, flag, kcred);
	if (error != 0) {
		VN_RELE(*vpp);
		*vpp = NULL;
	}
	return error;
}

int vn_close_dev(vnode_t *vp, int flag)
{
	int error = fop_close(vp, flag, 1, 0, kcred);

	VN_RELE(vp);
	return error;
}

int kern_ioctl(vnode_t *vp, int cmd, intptr_t arg, int *rvalp)
{
	int rval = 0;
	int error = fop_ioctl(vp, cmd, arg, FREAD | FWRITE | (int)FKIOCTL, kcred, &rval);

	if (rvalp != NULL)
		*rvalp = rval;
	return error;
}
