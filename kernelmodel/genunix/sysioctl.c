/*
 * ioctl(2): FIONBIO and FIOASYNC are about the open file and are done here,
 * after the vnode had its say; all else is the vnode's.
 */
#include "sys/file.h"
#include "sys/errno.h"
#include "sys/filio.h"

/* Set or clear a flag of the open file by the int at arg. */
static int setflag(file_t *fp, intptr_t arg, int mask)
{
	int on, flag, error;

	if (copyin((void *)arg, &on, sizeof(on)) != 0)
		return EFAULT;
	flag = on ? fp->f_flag | mask : fp->f_flag & ~mask;
	error = fop_setfl(fp->f_vnode, fp->f_flag, flag, fp->f_cred);
	if (error == 0)
		fp->f_flag = (ushort_t)flag;
	return error;
}

static int64_t ioctl(int fdes, int cmd, intptr_t arg)
{
	file_t *fp = getf(fdes);
	int rv = 0, error;

	if (fp == NULL)
		return set_errno(EBADF);
	switch (cmd) {
	case FIONBIO:
		error = setflag(fp, arg, FNONBLOCK);
		break;
	case FIOASYNC:
		error = setflag(fp, arg, FASYNC);
		break;
	default:
		error = fop_ioctl(fp->f_vnode, cmd, arg, fp->f_flag, fp->f_cred, &rv);
	}
	releasef(fp);
	return error != 0 ? set_errno(error) : rv;
}

SYSCALL(SYS_ioctl, ioctl, 3);
