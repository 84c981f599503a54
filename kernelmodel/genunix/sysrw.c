/*
 * read(2), write(2), readv(2), writev(2): one uio, one vnode operation.
 */
#include "sys/file.h"
#include "sys/errno.h"

/* The open file of a descriptor that allows what rw needs, or NULL with *errorp. */
static file_t *getf_rw(int fd, int need, int *errorp)
{
	file_t *fp = getf(fd);

	if (fp != NULL && (fp->f_flag & need) == 0) {
		releasef(fp);
		fp = NULL;
	}
	*errorp = fp == NULL ? EBADF : 0;
	return fp;
}

ALWAYS_INLINE uio_t user_uio(const file_t *fp, iovec_t *iov, int iovcnt, ssize_t count)
{
	return (uio_t){.uio_iov = iov,
		       .uio_iovcnt = iovcnt,
		       .uio_loffset = fp->f_offset,
		       .uio_segflg = UIO_USERSPACE,
		       .uio_fmode = fp->f_flag,
		       .uio_resid = count};
}

/* What the call returns: an interrupted transfer that moved something is a success. */
ALWAYS_INLINE int64_t rw_done(file_t *fp, int error, ssize_t count, const uio_t *uio)
{
	ssize_t moved = count - uio->uio_resid;

	releasef(fp);
	if (error == EINTR && moved > 0)
		error = 0;
	return error != 0 ? set_errno(error) : moved;
}

static ssize_t read(int fdes, void *cbuf, ssize_t count)
{
	iovec_t iov = {cbuf, (size_t)count};
	file_t *fp;
	uio_t uio;
	int error;

	if (count < 0)
		return set_errno(EINVAL);
	fp = getf_rw(fdes, FREAD, &error);
	if (fp == NULL)
		return set_errno(error);
	uio = user_uio(fp, &iov, 1, count);
	error = fop_read(fp->f_vnode, &uio, fp->f_flag, fp->f_cred);
	return rw_done(fp, error, count, &uio);
}

static ssize_t write(int fdes, void *cbuf, ssize_t count)
{
	iovec_t iov = {cbuf, (size_t)count};
	file_t *fp;
	uio_t uio;
	int error;

	if (count < 0)
		return set_errno(EINVAL);
	fp = getf_rw(fdes, FWRITE, &error);
	if (fp == NULL)
		return set_errno(error);
	uio = user_uio(fp, &iov, 1, count);
	error = fop_write(fp->f_vnode, &uio, fp->f_flag, fp->f_cred);
	return rw_done(fp, error, count, &uio);
}

/* Copy the iovecs in and add their lengths up. */
static int copyin_iov(const iovec_t *uiov, int iovcnt, iovec_t *iov, ssize_t *countp)
{
	ssize_t count = 0;

	if (iovcnt <= 0 || iovcnt > IOV_MAX_MODEL)
		return EINVAL;
	if (copyin(uiov, iov, (size_t)iovcnt * sizeof(*iov)) != 0)
		return EFAULT;
	for (int i = 0; i < iovcnt; i++) {
		if ((ssize_t)iov[i].iov_len < 0 || __builtin_add_overflow(count, (ssize_t)iov[i].iov_len, &count))
			return EINVAL;
	}
	*countp = count;
	return 0;
}

static ssize_t readv(int fdes, const iovec_t *iovp, int iovcnt)
{
	iovec_t iov[IOV_MAX_MODEL];
	ssize_t count;
	file_t *fp;
	uio_t uio;
	int error = copyin_iov(iovp, iovcnt, iov, &count);

	if (error != 0)
		return set_errno(error);
	fp = getf_rw(fdes, FREAD, &error);
	if (fp == NULL)
		return set_errno(error);
	uio = user_uio(fp, iov, iovcnt, count);
	error = fop_read(fp->f_vnode, &uio, fp->f_flag, fp->f_cred);
	return rw_done(fp, error, count, &uio);
}

static ssize_t writev(int fdes, const iovec_t *iovp, int iovcnt)
{
	iovec_t iov[IOV_MAX_MODEL];
	ssize_t count;
	file_t *fp;
	uio_t uio;
	int error = copyin_iov(iovp, iovcnt, iov, &count);

	if (error != 0)
		return set_errno(error);
	fp = getf_rw(fdes, FWRITE, &error);
	if (fp == NULL)
		return set_errno(error);
	uio = user_uio(fp, iov, iovcnt, count);
	error = fop_write(fp->f_vnode, &uio, fp->f_flag, fp->f_cred);
	return rw_done(fp, error, count, &uio);
}

SYSCALL(SYS_read, read, 3);
SYSCALL(SYS_write, write, 3);
SYSCALL(SYS_readv, readv, 3);
SYSCALL(SYS_writev, writev, 3);
