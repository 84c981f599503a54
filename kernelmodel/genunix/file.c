/*
 * Open files and descriptor tables.
 *
 * A process's table is an array of file pointers and a bitmap of used numbers
 * in levels of 64: a bit of level n+1 is set when the word of level n below it
 * is full, so that the lowest free descriptor is found in as many steps as
 * there are levels (four for two million).  A number is reserved by falloc()
 * before the open file is ready and is seen by getf() only after setf().
 */
#include "sys/file.h"
#include "sys/errno.h"
#include "sys/poll.h"
#include "genunix/strhead.h"

#include <string.h>

#define FDLEVELS 4
#define FDMIN 64

typedef struct fdmap {
	uint64_t *fm_used[FDLEVELS];
	int fm_words[FDLEVELS];
} fdmap_t;

static void fdmap_free(fdmap_t *fm)
{
	for (int l = 0; l < FDLEVELS; l++)
		if (fm->fm_used[l] != NULL)
			kmem_free(fm->fm_used[l], (size_t)fm->fm_words[l] * sizeof(uint64_t));
	kmem_free(fm, sizeof(*fm));
}

/* A map for nfd descriptors, all free. */
static fdmap_t *fdmap_alloc(int nfd)
{
	fdmap_t *fm = kmem_zalloc(sizeof(*fm), KM_NOSLEEP);
	int bits = nfd;

	for (int l = 0; fm != NULL && l < FDLEVELS; l++) {
		int words = (bits + 63) / 64;

		fm->fm_used[l] = kmem_zalloc((size_t)words * sizeof(uint64_t), KM_NOSLEEP);
		if (fm->fm_used[l] == NULL) {
			fdmap_free(fm);
			return NULL;
		}
		fm->fm_words[l] = words;
		bits = words;
	}
	return fm;
}

static void fdmap_set(fdmap_t *fm, int fd)
{
	for (int l = 0; l < FDLEVELS; l++) {
		uint64_t *word = &fm->fm_used[l][fd / 64];

		*word |= 1ULL << (fd % 64);
		if (*word != ~0ULL)
			return;
		fd /= 64;
	}
}

static void fdmap_clear(fdmap_t *fm, int fd)
{
	for (int l = 0; l < FDLEVELS; l++) {
		fm->fm_used[l][fd / 64] &= ~(1ULL << (fd % 64));
		fd /= 64;
	}
}

/* The lowest free descriptor not below min, or -1. */
static int fdmap_lowest(const fdmap_t *fm, int nfd, int min)
{
	int l = 0, pos = min;

	while (l < FDLEVELS && pos / 64 < fm->fm_words[l]) {
		uint64_t free = ~fm->fm_used[l][pos / 64] & (~0ULL << (pos % 64));

		if (free == 0) {
			pos = pos / 64 + 1;
			l++;
			continue;
		}
		pos = pos / 64 * 64 + __builtin_ctzll(free);
		if (l == 0)
			return pos < nfd ? pos : -1;
		pos *= 64;
		l--;
	}
	return -1;
}

/* Give the process a table of at least nfd descriptors. */
static int fd_grow(proc_t *p, int nfd)
{
	int size = MAX(p->p_nfd * 2, FDMIN);
	file_t **fds;
	fdmap_t *fm;

	while (size < nfd)
		size *= 2;
	if (nfd > NOFILE_MAX)
		return EMFILE;
	fds = kmem_zalloc((size_t)size * sizeof(void *), KM_NOSLEEP);
	if (fds == NULL)
		return ENOMEM;
	fm = fdmap_alloc(size);
	if (fm == NULL) {
		kmem_free(fds, (size_t)size * sizeof(void *));
		return ENOMEM;
	}
	if (p->p_fd != NULL) {
		fdmap_t *old = p->p_fdmap;

		memcpy(fds, p->p_fd, (size_t)p->p_nfd * sizeof(void *));
		for (int fd = 0; fd < p->p_nfd; fd++)
			if (old->fm_used[0][fd / 64] >> (fd % 64) & 1)
				fdmap_set(fm, fd);
		fdmap_free(old);
		kmem_free(p->p_fd, (size_t)p->p_nfd * sizeof(void *));
	}
	p->p_fd = fds;
	p->p_nfd = size;
	p->p_fdmap = fm;
	return 0;
}

int ufalloc(proc_t *p, int min, int *fdp)
{
	int fd = p->p_fd == NULL ? -1 : fdmap_lowest(p->p_fdmap, p->p_nfd, min);

	if (fd < 0) {
		int error = fd_grow(p, MAX(p->p_nfd, min) + 1);

		if (error != 0)
			return error;
		fd = fdmap_lowest(p->p_fdmap, p->p_nfd, min);
	}
	fdmap_set(p->p_fdmap, fd);
	*fdp = fd;
	return 0;
}

int falloc_proc(proc_t *p, vnode_t *vp, int flag, file_t **fpp, int *fdp)
{
	file_t *fp;

	if (fdp != NULL) {
		int error = ufalloc(p, 0, fdp);

		if (error != 0)
			return error;
	}
	fp = kmem_zalloc(sizeof(*fp), KM_NOSLEEP);
	if (fp == NULL) {
		if (fdp != NULL)
			fdmap_clear(p->p_fdmap, *fdp);
		return ENOMEM;
	}
	fp->f_flag = (ushort_t)flag;
	fp->f_count = 1;
	fp->f_vnode = vp;
	fp->f_cred = p->p_cred;
	crhold(fp->f_cred);
	*fpp = fp;
	return 0;
}

int falloc(vnode_t *vp, int flag, file_t **fpp, int *fdp)
{
	return falloc_proc(curproc, vp, flag, fpp, fdp);
}

static void file_free(file_t *fp)
{
	crfree(fp->f_cred);
	kmem_free(fp, sizeof(*fp));
}

void unfalloc(file_t *fp, int fd)
{
	if (fd >= 0)
		setf(fd, NULL);
	file_free(fp);
}

void setf_proc(proc_t *p, int fd, file_t *fp)
{
	p->p_fd[fd] = fp;
	if (fp == NULL)
		fdmap_clear(p->p_fdmap, fd);
}

void setf(int fd, file_t *fp)
{
	setf_proc(curproc, fd, fp);
}

file_t *getf_proc(proc_t *p, int fd)
{
	file_t *fp;

	if (fd < 0 || fd >= p->p_nfd || (fp = p->p_fd[fd]) == NULL)
		return NULL;
	FHOLD(fp);
	return fp;
}

file_t *getf(int fd)
{
	return getf_proc(curproc, fd);
}

int closef(file_t *fp)
{
	vnode_t *vp = fp->f_vnode;
	int error;

	if (fp->f_count > 1) {
		fp->f_count--;
		return 0;
	}
	error = fop_close(vp, fp->f_flag, 1, fp->f_offset, fp->f_cred);
	VN_RELE(vp);
	file_free(fp);
	return error;
}

int fd_share(proc_t *from, int fd, proc_t *to)
{
	file_t *fp = getf_proc(from, fd);
	int nfd;

	if (fp == NULL)
		return -1;
	if (ufalloc(to, 0, &nfd) != 0) {
		releasef(fp);
		return -1;
	}
	setf_proc(to, nfd, fp);
	return nfd;
}

int close_proc(proc_t *p, int fd)
{
	file_t *fp;

	if (fd < 0 || fd >= p->p_nfd || (fp = p->p_fd[fd]) == NULL)
		return EBADF;
	setf_proc(p, fd, NULL);
	if (fp->f_vnode->v_stream != NULL)
		strclean(fp->f_vnode->v_stream, p);
	return closef(fp);
}

void closeall(proc_t *p)
{
	strexitctty(p);
	if (p->p_fd == NULL)
		return;
	for (int fd = 0; fd < p->p_nfd; fd++)
		(void)close_proc(p, fd);
	kmem_free(p->p_fd, (size_t)p->p_nfd * sizeof(void *));
	fdmap_free(p->p_fdmap);
	p->p_fd = NULL;
	p->p_fdmap = NULL;
	p->p_nfd = 0;
}

int fd_pollent_attach(proc_t *p, int fd, pollent_t *pe)
{
	file_t *fp = getf_proc(p, fd);
	short revents = 0;
	int error;

	if (fp == NULL)
		return EBADF;
	pe->pl_persist = true;
	error = fop_poll(fp->f_vnode, pe->pl_events, 0, &revents, pe);
	releasef(fp);
	if (error == 0 && revents != 0)
		pe->pl_func(pe, revents);
	return error;
}

short fd_poll(proc_t *p, int fd, short events)
{
	file_t *fp = getf_proc(p, fd);
	short revents = 0;

	if (fp == NULL)
		return POLLNVAL;
	if (fop_poll(fp->f_vnode, events, 0, &revents, NULL) != 0)
		revents = POLLERR;
	releasef(fp);
	return revents;
}

/* fcntl(F_DUPFD): another descriptor, not below min, for the same open file. */
static int dupfd(file_t *fp, int min, int *fdp)
{
	int error;

	if (min < 0 || min >= NOFILE_MAX)
		return EINVAL;
	error = ufalloc(curproc, min, fdp);
	if (error != 0)
		return error;
	FHOLD(fp);
	setf(*fdp, fp);
	return 0;
}

/* Flags that F_SETFL may change. */
#define FSETFL (FNDELAY | FNONBLOCK | FAPPEND | FASYNC)

static int setfl(file_t *fp, int arg)
{
	int flag = (fp->f_flag & ~FSETFL) | (arg & FSETFL);
	int error = fop_setfl(fp->f_vnode, fp->f_flag, flag, fp->f_cred);

	if (error == 0)
		fp->f_flag = (ushort_t)flag;
	return error;
}

static int64_t fcntl(int fd, int cmd, intptr_t arg)
{
	file_t *fp = getf(fd);
	int rval = 0, error = 0;

	if (fp == NULL)
		return set_errno(EBADF);
	switch (cmd) {
	case F_DUPFD:
		error = dupfd(fp, (int)arg, &rval);
		break;
	case F_GETFD:
	case F_SETFD: /* no exec, so nothing to remember */
		break;
	case F_GETFL:
		rval = (fp->f_flag & (FMASK | FASYNC)) - 1;
		break;
	case F_SETFL:
		error = setfl(fp, (int)arg);
		break;
	default:
		error = EINVAL;
	}
	releasef(fp);
	return error != 0 ? set_errno(error) : rval;
}

static int64_t close(int fd)
{
	int error = close_proc(curproc, fd);

	return error != 0 ? set_errno(error) : 0;
}

SYSCALL(SYS_fcntl, fcntl, 3);
SYSCALL(SYS_close, close, 1);
