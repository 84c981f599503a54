/*
 * The socket system calls (section 3SOCKET, below libsocket): arguments in and
 * out; what they mean is in sotpi.c, sodata.c and soopt.c.
 */
#include <string.h>
#include "sys/errno.h"
#include "sys/socketvar.h"

#define SO_MAXOPTVAL 1024

/* The socket of a descriptor, held: EBADF, ENOTSOCK. */
static sonode_t *getsonode(int sock, file_t **fpp, int *errorp)
{
	file_t *fp = getf(sock);

	*errorp = 0;
	if (fp == NULL) {
		*errorp = EBADF;
		return NULL;
	}
	if (fp->f_vnode->v_type != VSOCK) {
		releasef(fp);
		*errorp = ENOTSOCK;
		return NULL;
	}
	*fpp = fp;
	return VTOSO(fp->f_vnode);
}

static int64_t so_return(file_t *fp, int error, int64_t rval)
{
	releasef(fp);
	return error != 0 ? set_errno(error) : rval;
}

/* A program's address: EINVAL, EFAULT.  NULL or empty is none. */
static int copyin_name(const void *uname, socklen_t_ len, soaddr_t *name, const struct sockaddr **namep)
{
	*namep = NULL;
	memset(name, 0, sizeof(*name));
	if (uname == NULL || len == 0)
		return 0;
	if (len > SO_MAXADDR)
		return EINVAL;
	if (copyin(uname, name->soa_buf, len) != 0)
		return EFAULT;
	name->soa_len = len;
	*namep = &name->soa_sa;
	return 0;
}

/* An address to a program that has room for *ulen bytes; *ulen becomes the length there is. */
static int copyout_name(void *uname, socklen_t_ *ulen, const soaddr_t *name)
{
	socklen_t_ room;

	if (uname == NULL)
		return 0;
	if (copyin(ulen, &room, sizeof(room)) != 0)
		return EFAULT;
	if (copyout(name->soa_buf, uname, MIN(room, name->soa_len)) != 0)
		return EFAULT;
	return copyout(&name->soa_len, ulen, sizeof(room)) != 0 ? EFAULT : 0;
}

/* A descriptor for a new socket, which is closed when there is none. */
static int64_t so_newfd(sonode_t *so, int fflag)
{
	file_t *fp;
	int fd, error = falloc(SOTOV(so), FREAD | FWRITE | fflag, &fp, &fd);

	if (error != 0) {
		(void)fop_close(SOTOV(so), FREAD | FWRITE, 1, 0, curproc->p_cred);
		VN_RELE(SOTOV(so));
		return set_errno(error);
	}
	setf(fd, fp);
	return fd;
}

static int64_t so_socket(int family, int type, int protocol, const char *devpath, int version)
{
	vnode_t *accessvp;
	sonode_t *so;
	int error = solookup(family, type, protocol, &accessvp);

	(void)devpath;
	if (error != 0)
		return set_errno(error);
	so = sotpi_create(accessvp, family, type, protocol, version, NULL, &error);
	return so == NULL ? set_errno(error) : so_newfd(so, 0);
}
SYSCALL(SYS_so_socket, so_socket, 5);

/* The socket that accept made takes over the first descriptor. */
static int so_takefd(int fd, sonode_t *nso)
{
	file_t *fp, *old = getf(fd);
	int error = falloc(SOTOV(nso), FREAD | FWRITE, &fp, NULL);

	if (error != 0) {
		releasef(old);
		return error;
	}
	setf(fd, fp);
	releasef(old); /* the one getf() took */
	(void)closef(old);
	return 0;
}

static int64_t so_socketpair(int *sv)
{
	file_t *fp1, *fp2;
	sonode_t *so1, *so2, *nso = NULL;
	int fds[2], error;

	if (copyin(sv, fds, sizeof(fds)) != 0)
		return set_errno(EFAULT);
	so1 = getsonode(fds[0], &fp1, &error);
	if (so1 == NULL)
		return set_errno(error);
	so2 = getsonode(fds[1], &fp2, &error);
	if (so2 == NULL)
		return so_return(fp1, error, 0);
	if (so1->so_family != AF_UNIX || so2->so_family != AF_UNIX)
		error = EOPNOTSUPP;
	else if (so1 == so2 || so1->so_type != so2->so_type)
		error = EINVAL;
	else
		error = sotpi_pair(so1, so2, &nso);
	releasef(fp1);
	releasef(fp2);
	if (error == 0 && nso != NULL) {
		error = so_takefd(fds[0], nso);
		if (error != 0) {
			(void)fop_close(SOTOV(nso), FREAD | FWRITE, 1, 0, curproc->p_cred);
			VN_RELE(SOTOV(nso));
		}
	}
	return error != 0 ? set_errno(error) : 0;
}
SYSCALL(SYS_so_socketpair, so_socketpair, 1);

static int64_t bind(int sock, const void *name, socklen_t_ namelen)
{
	const struct sockaddr *sa;
	soaddr_t addr;
	file_t *fp;
	int error;
	sonode_t *so = getsonode(sock, &fp, &error);

	if (so == NULL)
		return set_errno(error);
	error = copyin_name(name, namelen, &addr, &sa);
	if (error == 0)
		error = sotpi_bind(so, sa, addr.soa_len, 0, 0);
	return so_return(fp, error, 0);
}
SYSCALL(SYS_bind, bind, 3);

static int64_t listen(int sock, int backlog)
{
	file_t *fp;
	int error;
	sonode_t *so = getsonode(sock, &fp, &error);

	if (so == NULL)
		return set_errno(error);
	return so_return(fp, sotpi_listen(so, backlog), 0);
}
SYSCALL(SYS_listen, listen, 2);

static int64_t accept(int sock, void *name, socklen_t_ *namelenp)
{
	file_t *fp;
	int error;
	sonode_t *so = getsonode(sock, &fp, &error), *nso;
	int64_t fd;

	if (so == NULL)
		return set_errno(error);
	error = sotpi_accept(so, fp->f_flag, &nso);
	if (error != 0)
		return so_return(fp, error, 0);
	fd = so_newfd(nso, 0);
	if (fd >= 0) {
		error = copyout_name(name, namelenp, &nso->so_faddr);
		if (error != 0)
			(void)close_proc(curproc, (int)fd);
	}
	releasef(fp);
	return error != 0 ? set_errno(error) : fd;
}
SYSCALL(SYS_accept, accept, 3);

static int64_t connect(int sock, const void *name, socklen_t_ namelen)
{
	const struct sockaddr *sa;
	soaddr_t addr;
	file_t *fp;
	int error;
	sonode_t *so = getsonode(sock, &fp, &error);

	if (so == NULL)
		return set_errno(error);
	error = copyin_name(name, namelen, &addr, &sa);
	if (error == 0)
		error = sotpi_connect(so, sa, addr.soa_len, fp->f_flag);
	return so_return(fp, error, 0);
}
SYSCALL(SYS_connect, connect, 3);

static int64_t shutdown(int sock, int how)
{
	file_t *fp;
	int error;
	sonode_t *so = getsonode(sock, &fp, &error);

	if (so == NULL)
		return set_errno(error);
	return so_return(fp, sotpi_shutdown(so, how), 0);
}
SYSCALL(SYS_shutdown, shutdown, 2);

/* ---- data ---- */

/* Lengths of the iovecs, which are in the kernel already: EINVAL when they overflow. */
static int iov_total(const iovec_t *iov, int n, ssize_t *totalp)
{
	*totalp = 0;
	for (int i = 0; i < n; i++) {
		if ((ssize_t)iov[i].iov_len < 0 || __builtin_add_overflow(*totalp, (ssize_t)iov[i].iov_len, totalp))
			return EINVAL;
	}
	return 0;
}

/* A transfer that was interrupted but moved something is a success. */
static int so_moved(int error, ssize_t moved)
{
	return moved > 0 && (error == EINTR || error == EAGAIN) ? 0 : error;
}

static int64_t sendit(int sock, struct msghdr *msg, iovec_t *iov, int iovcnt)
{
	const struct sockaddr *sa;
	soaddr_t addr;
	ssize_t total;
	file_t *fp;
	uio_t uio;
	int error;
	sonode_t *so = getsonode(sock, &fp, &error);

	if (so == NULL)
		return set_errno(error);
	error = iov_total(iov, iovcnt, &total);
	if (error == 0)
		error = copyin_name(msg->msg_name, msg->msg_namelen, &addr, &sa);
	if (error != 0)
		return so_return(fp, error, 0);
	msg->msg_name = (void *)(uintptr_t)sa;
	msg->msg_namelen = addr.soa_len;
	uio = (uio_t){.uio_iov = iov,
		      .uio_iovcnt = iovcnt,
		      .uio_segflg = UIO_USERSPACE,
		      .uio_fmode = fp->f_flag,
		      .uio_resid = total};
	error = sotpi_sendmsg(so, msg, &uio);
	return so_return(fp, so_moved(error, total - uio.uio_resid), total - uio.uio_resid);
}

/* uname and ulenp: where the program wants the source address, NULL for nowhere. */
static int64_t recvit(int sock, struct msghdr *msg, iovec_t *iov, int iovcnt, void *uname, socklen_t_ *ulenp)
{
	soaddr_t addr = {.soa_len = 0};
	ssize_t total;
	file_t *fp;
	uio_t uio;
	int error;
	sonode_t *so = getsonode(sock, &fp, &error);

	if (so == NULL)
		return set_errno(error);
	error = iov_total(iov, iovcnt, &total);
	if (error != 0)
		return so_return(fp, error, 0);
	msg->msg_name = &addr;
	uio = (uio_t){.uio_iov = iov,
		      .uio_iovcnt = iovcnt,
		      .uio_segflg = UIO_USERSPACE,
		      .uio_fmode = fp->f_flag,
		      .uio_resid = total};
	error = so_moved(sotpi_recvmsg(so, msg, &uio), total - uio.uio_resid);
	if (error == 0 && uname != NULL)
		error = copyout_name(uname, ulenp, &addr);
	return so_return(fp, error, total - uio.uio_resid);
}

static int64_t send(int sock, void *buffer, size_t len, int flags)
{
	struct msghdr msg = {.msg_flags = flags};
	iovec_t iov = {buffer, len};

	return sendit(sock, &msg, &iov, 1);
}
SYSCALL(SYS_send, send, 4);

static int64_t sendto(int sock, void *buffer, size_t len, int flags, void *name, socklen_t_ namelen)
{
	struct msghdr msg = {.msg_name = name, .msg_namelen = namelen, .msg_flags = flags};
	iovec_t iov = {buffer, len};

	return sendit(sock, &msg, &iov, 1);
}
SYSCALL(SYS_sendto, sendto, 6);

/* A program's msghdr and its iovecs. */
static int copyin_msghdr(const struct msghdr *umsg, struct msghdr *msg, iovec_t *iov)
{
	if (copyin(umsg, msg, sizeof(*msg)) != 0)
		return EFAULT;
	if (msg->msg_iovlen <= 0 || msg->msg_iovlen > MSG_MAXIOVLEN)
		return EMSGSIZE;
	return copyin(msg->msg_iov, iov, (size_t)msg->msg_iovlen * sizeof(*iov)) != 0 ? EFAULT : 0;
}

static int64_t sendmsg(int sock, const struct msghdr *umsg, int flags)
{
	iovec_t iov[MSG_MAXIOVLEN];
	struct msghdr msg;
	int error = copyin_msghdr(umsg, &msg, iov);

	if (error != 0)
		return set_errno(error);
	msg.msg_flags = flags;
	return sendit(sock, &msg, iov, msg.msg_iovlen);
}
SYSCALL(SYS_sendmsg, sendmsg, 3);

static int64_t recv(int sock, void *buffer, size_t len, int flags)
{
	struct msghdr msg = {.msg_flags = flags};
	iovec_t iov = {buffer, len};

	return recvit(sock, &msg, &iov, 1, NULL, NULL);
}
SYSCALL(SYS_recv, recv, 4);

static int64_t recvfrom(int sock, void *buffer, size_t len, int flags, void *name, socklen_t_ *namelenp)
{
	struct msghdr msg = {.msg_flags = flags};
	iovec_t iov = {buffer, len};

	return recvit(sock, &msg, &iov, 1, name, namelenp);
}
SYSCALL(SYS_recvfrom, recvfrom, 6);

static int64_t recvmsg(int sock, struct msghdr *umsg, int flags)
{
	iovec_t iov[MSG_MAXIOVLEN];
	struct msghdr msg;
	void *uname;
	int64_t n;
	int error = copyin_msghdr(umsg, &msg, iov);

	if (error != 0)
		return set_errno(error);
	uname = msg.msg_name;
	msg.msg_flags = flags;
	n = recvit(sock, &msg, iov, msg.msg_iovlen, uname, &umsg->msg_namelen);
	if (n >= 0 && copyout(&msg.msg_flags, &umsg->msg_flags, sizeof(msg.msg_flags)) != 0)
		return set_errno(EFAULT);
	return n;
}
SYSCALL(SYS_recvmsg, recvmsg, 3);

/* ---- names and options ---- */

static int64_t getpeername(int sock, void *name, socklen_t_ *namelenp)
{
	file_t *fp;
	int error;
	sonode_t *so = getsonode(sock, &fp, &error);

	if (so == NULL)
		return set_errno(error);
	error = sotpi_getpeername(so);
	if (error == 0)
		error = copyout_name(name, namelenp, &so->so_faddr);
	return so_return(fp, error, 0);
}
SYSCALL(SYS_getpeername, getpeername, 3);

static int64_t getsockname(int sock, void *name, socklen_t_ *namelenp)
{
	file_t *fp;
	int error;
	sonode_t *so = getsonode(sock, &fp, &error);

	if (so == NULL)
		return set_errno(error);
	error = sotpi_getsockname(so);
	if (error == 0)
		error = copyout_name(name, namelenp, &so->so_laddr);
	return so_return(fp, error, 0);
}
SYSCALL(SYS_getsockname, getsockname, 3);

static int64_t getsockopt(int sock, int level, int name, void *val, socklen_t_ *lenp)
{
	char buf[SO_MAXOPTVAL];
	socklen_t_ len;
	file_t *fp;
	int error;
	sonode_t *so = getsonode(sock, &fp, &error);

	if (so == NULL)
		return set_errno(error);
	if (copyin(lenp, &len, sizeof(len)) != 0)
		return so_return(fp, EFAULT, 0);
	len = MIN(len, sizeof(buf));
	error = sotpi_getsockopt(so, level, name, buf, &len);
	if (error == 0 && (copyout(buf, val, len) != 0 || copyout(&len, lenp, sizeof(len)) != 0))
		error = EFAULT;
	return so_return(fp, error, 0);
}
SYSCALL(SYS_getsockopt, getsockopt, 5);

static int64_t setsockopt(int sock, int level, int name, const void *val, socklen_t_ len)
{
	char buf[SO_MAXOPTVAL];
	file_t *fp;
	int error;
	sonode_t *so = getsonode(sock, &fp, &error);

	if (so == NULL)
		return set_errno(error);
	if (len > sizeof(buf))
		return so_return(fp, EINVAL, 0);
	if (len > 0 && copyin(val, buf, len) != 0)
		return so_return(fp, EFAULT, 0);
	return so_return(fp, sotpi_setsockopt(so, level, name, buf, len), 0);
}
SYSCALL(SYS_setsockopt, setsockopt, 5);
