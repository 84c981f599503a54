/*
 * Sockets as files: the vnode operations.
 *
 * A write on a connected byte stream is a write on its stream (strwrite); all
 * else goes through the socket's own functions.
 */
#include "sys/errno.h"
#include "sys/filio.h"
#include "sys/poll.h"
#include "sys/signal.h"
#include "sys/socketvar.h"

static int socktpi_open(vnode_t **vpp, int flag, cred_t *cr)
{
	(void)flag, (void)cr;
	VTOSO(*vpp)->so_count++;
	return 0;
}

static int socktpi_close(vnode_t *vp, int flag, int count, int64_t offset, cred_t *cr)
{
	sonode_t *so = VTOSO(vp);

	(void)offset;
	if (count > 1 || vp->v_stream == NULL)
		return 0;
	if (so->so_family == AF_UNIX)
		so_ux_remove(so);
	soflushconnind(so, -1);
	return strclose(vp, flag, cr);
}

static int socktpi_read(vnode_t *vp, uio_t *uiop, int ioflag, cred_t *cr)
{
	struct msghdr msg = {0};

	(void)ioflag, (void)cr;
	return sotpi_recvmsg(VTOSO(vp), &msg, uiop);
}

static int socktpi_write(vnode_t *vp, uio_t *uiop, int ioflag, cred_t *cr)
{
	sonode_t *so = VTOSO(vp);
	int error;

	(void)ioflag;
	if (so->so_state & SS_CANTSENDMORE) {
		psignal(curproc, SIGPIPE);
		return EPIPE;
	}
	if (so->so_error != 0)
		return sogeterr(so, 1);
	if (!(so->so_state & SS_ISCONNECTED))
		return so->so_mode & SM_CONNREQUIRED ? ENOTCONN : EDESTADDRREQ;
	if (!(so->so_mode & SM_BYTESTREAM))
		return sosend_dgram(so, &so->so_faddr.soa_sa, so->so_faddr.soa_len, uiop);
	error = strwrite(vp, uiop, cr);
	if (error == EPIPE)
		psignal(curproc, SIGPIPE);
	return error;
}

/* The reader is at the urgent mark when that is the next thing it would get. */
static int so_atmark(const sonode_t *so)
{
	const mblk_t *mp = _RD(SOTOV(so)->v_stream->sd_wrq)->q_first;

	if (so->so_state & SS_RCVATMARK)
		return 1;
	return mp != NULL && DB_TYPE(mp) == M_PROTO && *(t_scalar_t *)(void *)mp->b_rptr == T_EXDATA_IND;
}

static int socktpi_ioctl(vnode_t *vp, int cmd, intptr_t arg, int mode, cred_t *cr, int *rvalp)
{
	int value;

	switch ((uint_t)cmd) {
	case SIOCATMARK:
		value = so_atmark(VTOSO(vp));
		return copyout(&value, (void *)arg, sizeof(value)) != 0 ? EFAULT : 0;
	default:
		return strioctl(vp, cmd, arg, mode, (uint_t)mode & FKIOCTL ? K_TO_K : U_TO_K, cr, rvalp);
	}
}

static int socktpi_setfl(vnode_t *vp, int oflags, int nflags, cred_t *cr)
{
	sonode_t *so = VTOSO(vp);

	(void)oflags, (void)cr;
	so->so_state &= ~(uint_t)(SS_NONBLOCK | SS_NDELAY | SS_ASYNC);
	if (nflags & FNONBLOCK)
		so->so_state |= SS_NONBLOCK;
	if (nflags & FNDELAY)
		so->so_state |= SS_NDELAY;
	if (nflags & FASYNC)
		so->so_state |= SS_ASYNC;
	return 0;
}

/* What the stream head does not know of: connections to accept, urgent data, connecting. */
static short so_pollextra(const sonode_t *so, short events)
{
	short revents = 0;

	if (so->so_conn_ind_head != NULL)
		revents |= (POLLIN | POLLRDNORM) & events;
	if (so->so_state & (SS_OOBPEND | SS_HAVEOOBDATA))
		revents |= (POLLPRI | POLLRDBAND) & events;
	return revents;
}

static int socktpi_poll(vnode_t *vp, short events, int anyyet, short *reventsp, pollent_t *pe)
{
	sonode_t *so = VTOSO(vp);
	short extra = so_pollextra(so, events);
	int error =
	    strpoll(vp->v_stream, events, anyyet, reventsp, extra == 0 || pe == NULL || pe->pl_persist ? pe : NULL);

	if (error != 0)
		return error;
	*reventsp |= extra;
	if (so->so_state & SS_ISCONNECTING)
		*reventsp &= ~POLLOUT;
	if (so->so_error == 0)
		*reventsp &= ~POLLERR;
	if ((so->so_state & (SS_CANTRCVMORE | SS_CANTSENDMORE)) == (SS_CANTRCVMORE | SS_CANTSENDMORE) &&
	    !(so->so_state & SS_ISCONNECTED))
		*reventsp |= POLLHUP;
	return 0;
}

static void socktpi_inactive(vnode_t *vp, cred_t *cr)
{
	(void)cr;
	so_free(VTOSO(vp));
}

const vnodeops_t socktpi_vnodeops = {
    .vnop_name = "sockfs",
    .vop_open = socktpi_open,
    .vop_close = socktpi_close,
    .vop_read = socktpi_read,
    .vop_write = socktpi_write,
    .vop_ioctl = socktpi_ioctl,
    .vop_setfl = socktpi_setfl,
    .vop_poll = socktpi_poll,
    .vop_inactive = socktpi_inactive,
};
