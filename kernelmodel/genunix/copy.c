/*
 * Copies between the kernel and a program.
 *
 * All memory is one address space here, so a copy is a memcpy; what remains of
 * the user/kernel border is that an address a program passes may be rubbish.
 * The tracer has loads and stores that survive that (dtrace_copyfrom() and
 * dtrace_copyto(), a fault handler behind them); they are used when they are
 * linked.  Without them only the first page and non-canonical addresses are
 * known to be bad.
 */
#include "sys/uio.h"
#include "sys/errno.h"

#include <string.h>

int dtrace_copyfrom(void *dst, const void *src, size_t n) __attribute__((weak));
int dtrace_copyto(void *dst, const void *src, size_t n) __attribute__((weak));

/* Neither the first page nor anything a 47-bit user address cannot be. */
ALWAYS_INLINE int plausible(const void *addr, size_t n)
{
	uintptr_t a = (uintptr_t)addr;

	return a >= 4096 && a + n >= a && a + n <= (1UL << 47);
}

int copyin(const void *uaddr, void *kaddr, size_t n)
{
	if (n == 0)
		return 0;
	if (!plausible(uaddr, n))
		return -1;
	if (dtrace_copyfrom != NULL)
		return dtrace_copyfrom(kaddr, uaddr, n) == 0 ? 0 : -1;
	memcpy(kaddr, uaddr, n);
	return 0;
}

int copyout(const void *kaddr, void *uaddr, size_t n)
{
	if (n == 0)
		return 0;
	if (!plausible(uaddr, n))
		return -1;
	if (dtrace_copyto != NULL)
		return dtrace_copyto(uaddr, kaddr, n) == 0 ? 0 : -1;
	memcpy(uaddr, kaddr, n);
	return 0;
}

int copyinstr(const char *uaddr, char *kaddr, size_t max, size_t *lenp)
{
	size_t i;

	for (i = 0; i < max; i++) {
		if (copyin(uaddr + i, kaddr + i, 1) != 0)
			return EFAULT;
		if (kaddr[i] == '\0') {
			if (lenp != NULL)
				*lenp = i + 1;
			return 0;
		}
	}
	return ENAMETOOLONG;
}

/* Account for n bytes of the first iovec. */
ALWAYS_INLINE void uio_advance(uio_t *uio, size_t n)
{
	iovec_t *iov = uio->uio_iov;

	iov->iov_base = (char *)iov->iov_base + n;
	iov->iov_len -= n;
	uio->uio_resid -= (ssize_t)n;
	uio->uio_loffset += (int64_t)n;
}

/* Drop used-up iovecs from the front; bytes the first one can still take, at most n. */
ALWAYS_INLINE size_t uio_room(uio_t *uio, size_t n)
{
	while (uio->uio_iovcnt > 0 && uio->uio_iov->iov_len == 0) {
		uio->uio_iov++;
		uio->uio_iovcnt--;
	}
	return uio->uio_iovcnt == 0 ? 0 : MIN(n, uio->uio_iov->iov_len);
}

static int uiocopy(void *kaddr, void *addr, size_t n, uio_rw_t rw, uio_seg_t seg)
{
	if (seg == UIO_USERSPACE) {
		int bad = rw == UIO_READ ? copyout(kaddr, addr, n) : copyin(addr, kaddr, n);

		return bad != 0 ? EFAULT : 0;
	}
	if (rw == UIO_READ)
		memcpy(addr, kaddr, n);
	else
		memcpy(kaddr, addr, n);
	return 0;
}

int uiomove(void *kaddr, size_t n, uio_rw_t rw, uio_t *uio)
{
	n = MIN(n, (size_t)uio->uio_resid);
	while (n > 0) {
		size_t cnt = uio_room(uio, n);
		int error;

		if (cnt == 0)
			return 0;
		error = uiocopy(kaddr, uio->uio_iov->iov_base, cnt, rw, uio->uio_segflg);
		if (error != 0)
			return error;
		uio_advance(uio, cnt);
		kaddr = (char *)kaddr + cnt;
		n -= cnt;
	}
	return 0;
}

void uioskip(uio_t *uio, size_t n)
{
	n = MIN(n, (size_t)uio->uio_resid);
	while (n > 0) {
		size_t cnt = uio_room(uio, n);

		if (cnt == 0)
			return;
		uio_advance(uio, cnt);
		n -= cnt;
	}
}
