/*
 * putmsg(2), getmsg(2), putpmsg(2), getpmsg(2).
 *
 * msgio() is the common part: it finds the stream, copies the two strbufs in,
 * and calls strputmsg() or strgetmsg(); of getmsg it copies them out again.
 */
#include "sys/file.h"
#include "sys/errno.h"
#include "sys/stropts.h"

/* Copy a strbuf in; none at all means length (room) -1. */
static int copyin_strbuf(const struct strbuf *ubuf, struct strbuf *buf)
{
	buf->maxlen = buf->len = -1;
	buf->buf = NULL;
	return ubuf != NULL && copyin(ubuf, buf, sizeof(*buf)) != 0 ? EFAULT : 0;
}

static int copyout_len(const struct strbuf *buf, struct strbuf *ubuf)
{
	return ubuf != NULL && copyout(&buf->len, &ubuf->len, sizeof(buf->len)) != 0 ? EFAULT : 0;
}

/* The open stream of a descriptor, usable for mode. */
static int getstream(int fdes, int mode, file_t **fpp)
{
	file_t *fp = getf(fdes);
	int error = 0;

	if (fp == NULL)
		return EBADF;
	if ((fp->f_flag & mode) == 0)
		error = EBADF;
	else if (fp->f_vnode->v_stream == NULL)
		error = ENOSTR;
	if (error != 0)
		releasef(fp);
	else
		*fpp = fp;
	return error;
}

/* Put (mode FWRITE) or get (FREAD) one message; *prip and *flagsp go both ways when getting. */
static int msgio(int fdes, struct strbuf *ctl, struct strbuf *data, int64_t *rval, int mode, uchar_t *prip, int *flagsp)
{
	struct strbuf msgctl, msgdata;
	file_t *fp;
	vnode_t *vp;
	int error = getstream(fdes, mode, &fp);

	if (error != 0)
		return error;
	vp = fp->f_vnode;
	error = copyin_strbuf(ctl, &msgctl);
	if (error == 0)
		error = copyin_strbuf(data, &msgdata);
	if (error != 0) {
		releasef(fp);
		return error;
	}
	if (mode == FWRITE) {
		if (ctl == NULL)
			msgctl.len = -1;
		if (data == NULL)
			msgdata.len = -1;
		if (vp->v_op->vop_putmsg != NULL)
			error = vp->v_op->vop_putmsg(vp, &msgctl, &msgdata, *prip, *flagsp, fp->f_flag);
		else
			error = strputmsg(vp, &msgctl, &msgdata, *prip, *flagsp, fp->f_flag);
	} else {
		if (vp->v_op->vop_getmsg != NULL)
			error = vp->v_op->vop_getmsg(vp, &msgctl, &msgdata, prip, flagsp, fp->f_flag, rval);
		else
			error = strgetmsg(vp, &msgctl, &msgdata, prip, flagsp, fp->f_flag, rval);
		if (error == 0)
			error = copyout_len(&msgctl, ctl);
		if (error == 0)
			error = copyout_len(&msgdata, data);
	}
	releasef(fp);
	return error;
}

static int64_t putmsg(int fdes, struct strbuf *ctl, struct strbuf *data, int flags)
{
	uchar_t pri = 0;
	int error;

	if (flags != 0 && flags != RS_HIPRI)
		return set_errno(EINVAL);
	flags = flags == RS_HIPRI ? MSG_HIPRI : MSG_BAND;
	error = msgio(fdes, ctl, data, NULL, FWRITE, &pri, &flags);
	return error != 0 ? set_errno(error) : 0;
}

static int64_t putpmsg(int fdes, struct strbuf *ctl, struct strbuf *data, int pri, int flags)
{
	uchar_t band = (uchar_t)pri;
	int error;

	if (pri < 0 || pri > 255)
		return set_errno(EINVAL);
	error = msgio(fdes, ctl, data, NULL, FWRITE, &band, &flags);
	return error != 0 ? set_errno(error) : 0;
}

/* Give a result word back to the program. */
static int copyout_int(int val, int *uaddr)
{
	return copyout(&val, uaddr, sizeof(val)) != 0 ? EFAULT : 0;
}

static int64_t getmsg(int fdes, struct strbuf *ctl, struct strbuf *data, int *flagsp)
{
	uchar_t pri = 0;
	int64_t rval = 0;
	int flags, mflags, error;

	if (copyin(flagsp, &flags, sizeof(flags)) != 0)
		return set_errno(EFAULT);
	if (flags != 0 && flags != RS_HIPRI)
		return set_errno(EINVAL);
	mflags = flags == RS_HIPRI ? MSG_HIPRI : MSG_ANY;
	error = msgio(fdes, ctl, data, &rval, FREAD, &pri, &mflags);
	if (error == 0)
		error = copyout_int(mflags == MSG_HIPRI ? RS_HIPRI : 0, flagsp);
	return error != 0 ? set_errno(error) : rval;
}

static int64_t getpmsg(int fdes, struct strbuf *ctl, struct strbuf *data, int *prip, int *flagsp)
{
	uchar_t band;
	int64_t rval = 0;
	int pri, flags, error;

	if (copyin(flagsp, &flags, sizeof(flags)) != 0 || copyin(prip, &pri, sizeof(pri)) != 0)
		return set_errno(EFAULT);
	if (pri < 0 || pri > 255)
		return set_errno(EINVAL);
	band = (uchar_t)pri;
	error = msgio(fdes, ctl, data, &rval, FREAD, &band, &flags);
	if (error == 0)
		error = copyout_int(flags, flagsp);
	if (error == 0)
		error = copyout_int(band, prip);
	return error != 0 ? set_errno(error) : rval;
}

SYSCALL(SYS_putmsg, putmsg, 4);
SYSCALL(SYS_putpmsg, putpmsg, 5);
SYSCALL(SYS_getmsg, getmsg, 4);
SYSCALL(SYS_getpmsg, getpmsg, 5);
