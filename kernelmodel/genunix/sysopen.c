/*
 * open(2).
 */
#include "sys/file.h"
#include "sys/errno.h"

#define MAXPATHLEN 1024

/* Open the vnode and give the file to a descriptor. */
static int copen(const char *path, int flag, int *fdp)
{
	vnode_t *vp;
	file_t *fp;
	int fd, error = lookupname(path, &vp);

	if (error != 0)
		return error;
	error = falloc(vp, flag & (FMASK | FASYNC), &fp, &fd);
	if (error != 0) {
		VN_RELE(vp);
		return error;
	}
	error = fop_open(&vp, flag, fp->f_cred);
	if (error != 0) {
		unfalloc(fp, fd);
		VN_RELE(vp);
		return error;
	}
	fp->f_vnode = vp;
	setf(fd, fp);
	*fdp = fd;
	return 0;
}

static int64_t open(const char *fname, int fmode)
{
	char path[MAXPATHLEN];
	int fd, error;

	if ((fmode & 3) == 3)
		return set_errno(EINVAL);
	error = copyinstr(fname, path, sizeof(path), NULL);
	if (error == 0)
		error = copen(path, (int)((uint_t)fmode - FOPEN), &fd);
	return error != 0 ? set_errno(error) : fd;
}

SYSCALL(SYS_open, open, 2);
