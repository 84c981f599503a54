/*
 * Scatter/gather transfers between a program and the kernel (uio(9S)), and
 * copies to and from a program's memory (copyin(9F), uiomove(9F)).
 *
 * Programs of the model live in the same address space as the kernel, so a
 * user address is a plain address; the copies below still give EFAULT for one
 * that cannot be touched, as the real ones do.
 */
#ifndef STRSIM_SYS_UIO_H
#define STRSIM_SYS_UIO_H

#include "sys/types.h"

/* The same as the host's, whichever header comes first. */
#ifndef __iovec_defined
#define __iovec_defined 1
struct iovec {
	void *iov_base;
	size_t iov_len;
};
#endif
typedef struct iovec iovec_t;

typedef enum uio_rw { UIO_READ, UIO_WRITE } uio_rw_t;
typedef enum uio_seg { UIO_USERSPACE, UIO_SYSSPACE } uio_seg_t;

typedef struct uio {
	iovec_t *uio_iov; /* advanced by uiomove() */
	int uio_iovcnt;
	int64_t uio_loffset;
	uio_seg_t uio_segflg;
	int uio_fmode;     /* FREAD, FWRITE, FNONBLOCK ... of the file */
	ssize_t uio_resid; /* bytes still to move */
} uio_t;

/* iovecs that readv(2) and writev(2) accept in one call. */
#define IOV_MAX_MODEL 16

/* Copy n bytes from (to) the program: 0, or -1 when an address cannot be touched (some bytes may then
 * have been copied). */
int copyin(const void *uaddr, void *kaddr, size_t n);
int copyout(const void *kaddr, void *uaddr, size_t n);
/* A string with its 0, at most max bytes: 0, EFAULT, or ENAMETOOLONG when max bytes hold no 0.  *lenp (may
 * be NULL) gets the bytes copied. */
int copyinstr(const char *uaddr, char *kaddr, size_t max, size_t *lenp);

/* Move min(n, resid) bytes between kernel memory and the uio, advancing it: 0 or EFAULT. */
int uiomove(void *kaddr, size_t n, uio_rw_t rw, uio_t *uio);
/* Advance the uio by min(n, resid) bytes without moving any. */
void uioskip(uio_t *uio, size_t n);

#endif
