/*
 * pipe(2): two descriptors, each open for reading and writing, on two streams
 * twisted together.
 */
#include "sys/file.h"
#include "sys/errno.h"

/* One end: a vnode with a stream, its open file and a descriptor that is not in use yet. */
static int pipe_end(const vfssw_t *vsw, file_t **fpp, int *fdp)
{
	vnode_t *vp;
	int error = vsw->vsw_mkvp(NULL, NODEV, &vp);

	if (error != 0)
		return error;
	error = falloc(vp, FREAD | FWRITE, fpp, fdp);
	if (error != 0) {
		(void)fop_close(vp, FREAD | FWRITE, 1, 0, curproc->p_cred);
		VN_RELE(vp);
	}
	return error;
}

static int64_t pipe(int *ufds)
{
	const vfssw_t *vsw = vfssw_find("fifofs");
	file_t *fp[2];
	int fd[2], error;

	if (vsw == NULL)
		return set_errno(ENOSYS);
	error = pipe_end(vsw, &fp[0], &fd[0]);
	if (error != 0)
		return set_errno(error);
	error = pipe_end(vsw, &fp[1], &fd[1]);
	if (error != 0) {
		setf(fd[0], NULL);
		(void)closef(fp[0]);
		return set_errno(error);
	}
	strmate(fp[0]->f_vnode, fp[1]->f_vnode);
	for (int i = 0; i < 2; i++)
		setf(fd[i], fp[i]);
	if (copyout(fd, ufds, sizeof(fd)) == 0)
		return 0;
	for (int i = 0; i < 2; i++)
		(void)close_proc(curproc, fd[i]);
	return set_errno(EFAULT);
}

SYSCALL(SYS_pipe, pipe, 1);
