/*
 * Data through sockets.
 *
 * Sending: bytes of a stream are written to the stream (strwrite); a datagram
 * is a T_UNITDATA_REQ with its data, urgent data a T_EXDATA_REQ.  Receiving:
 * messages are taken off the stream head; a byte stream's calls take as much as
 * is there, a datagram's exactly one message.
 */
#include <string.h>
#include "sys/errno.h"
#include "sys/signal.h"
#include "sys/socketvar.h"

/* ---- sending ---- */

/* Put one request with its data down the stream, waiting for room. */
static int so_putdata(sonode_t *so, mblk_t *mctl, uio_t *uiop, uchar_t pri)
{
	return kstrputmsg(SOTOV(so), mctl, uiop, uiop->uio_resid, pri, MSG_BAND, uiop->uio_fmode);
}

int sosend_dgram(sonode_t *so, const struct sockaddr *name, socklen_t_ namelen, uio_t *uiop)
{
	struct T_unitdata_req tudr = {T_UNITDATA_REQ, 0, sizeof(tudr), 0, 0};
	so_ux_addr_t ux;
	const void *addr;
	socklen_t_ len;
	mblk_t *mp;
	int error = so_tpiaddr(so, name, namelen, &ux, &addr, &len);

	if (error != 0)
		return error;
	if ((so->so_tsdu_size > 0 && uiop->uio_resid > so->so_tsdu_size) ||
	    (so->so_tidu_size > 0 && uiop->uio_resid > so->so_tidu_size))
		return EMSGSIZE;
	tudr.DEST_length = (t_scalar_t)len;
	mp = soallocproto(&tudr, sizeof(tudr), len);
	if (mp == NULL)
		return ENOBUFS;
	soappendmsg(mp, addr, len);
	error = so_putdata(so, mp, uiop, 0);
	/* The loopback transport has said already whether there is a receiver. */
	return error == 0 && so->so_family == AF_UNIX ? sogeterr(so, 1) : error;
}

/* Urgent data; its last byte is the urgent one. */
static int sosend_oob(sonode_t *so, uio_t *uiop)
{
	struct T_exdata_req ter = {T_EXDATA_REQ, 0};
	mblk_t *mp;

	if (!(so->so_mode & SM_EXDATA))
		return EOPNOTSUPP;
	if (uiop->uio_resid == 0)
		return 0;
	mp = soallocproto(&ter, sizeof(ter), 0);
	return mp == NULL ? ENOBUFS : so_putdata(so, mp, uiop, 1);
}

/* May the socket send, to this name? */
static int so_maysend(sonode_t *so, const struct msghdr *msg)
{
	bool named = msg->msg_name != NULL && msg->msg_namelen != 0;

	if (so->so_state & SS_CANTSENDMORE) {
		psignal(curproc, SIGPIPE);
		return EPIPE;
	}
	if (so->so_error != 0)
		return sogeterr(so, 1);
	if (so->so_state & SS_ISCONNECTED)
		return named ? EISCONN : 0;
	if (so->so_mode & SM_CONNREQUIRED)
		return ENOTCONN;
	return named ? 0 : EDESTADDRREQ;
}

/* A datagram to the peer, or to a name. */
static int so_senddgramto(sonode_t *so, struct msghdr *msg, uio_t *uiop)
{
	const struct sockaddr *name = msg->msg_name;
	int error = 0;

	if (so->so_state & SS_ISCONNECTED)
		return sosend_dgram(so, &so->so_faddr.soa_sa, so->so_faddr.soa_len, uiop);
	if (so->so_family == AF_INET && msg->msg_namelen != sizeof(struct sockaddr_in))
		return EINVAL;
	if (name->sa_family != so->so_family)
		return EAFNOSUPPORT;
	if (!(so->so_state & SS_ISBOUND))
		error = sotpi_bind(so, NULL, 0, 0, 0);
	return error != 0 ? error : sosend_dgram(so, name, msg->msg_namelen, uiop);
}

int sotpi_sendmsg(sonode_t *so, struct msghdr *msg, uio_t *uiop)
{
	int error = so_maysend(so, msg);

	if (error != 0)
		return error;
	if (msg->msg_flags & MSG_DONTWAIT)
		uiop->uio_fmode |= FNONBLOCK;
	if (!(so->so_mode & SM_BYTESTREAM)) {
		if (msg->msg_flags & MSG_OOB)
			return EOPNOTSUPP;
		return so_senddgramto(so, msg, uiop);
	}
	if (msg->msg_flags & MSG_OOB)
		return sosend_oob(so, uiop);
	error = strwrite(SOTOV(so), uiop, curproc->p_cred);
	if (error == EPIPE)
		psignal(curproc, SIGPIPE);
	return error;
}

/* ---- receiving ---- */

/* recv(MSG_OOB): the urgent byte. */
static int sorecvoob(sonode_t *so, uio_t *uiop, int flags)
{
	mblk_t *mp = so->so_oobmsg;
	int error;

	if ((so->so_options & SO_OOBINLINE) || !(so->so_mode & SM_EXDATA))
		return EINVAL;
	if (mp == NULL)
		return so->so_state & SS_OOBPEND ? EWOULDBLOCK : EINVAL;
	/* Everything before the last byte of the block is ordinary data that came with it. */
	error = uiomove(mp->b_rptr, (size_t)MBLKL(mp), UIO_READ, uiop);
	if (error == 0 && !(flags & MSG_PEEK)) {
		freemsg(mp);
		so->so_oobmsg = NULL;
		so->so_state &= ~(uint_t)SS_HAVEOOBDATA;
		so->so_state |= SS_HADOOBDATA;
	}
	return error;
}

/* Move data to the caller; what did not fit is returned, EFAULT frees all. */
static mblk_t *so_copyout(mblk_t *mp, uio_t *uiop, int *errorp)
{
	*errorp = 0;
	while (mp != NULL) {
		size_t n = (size_t)MIN(uiop->uio_resid, MBLKL(mp));
		mblk_t *next;

		if (n > 0 && (*errorp = uiomove(mp->b_rptr, n, UIO_READ, uiop)) != 0) {
			freemsg(mp);
			return NULL;
		}
		mp->b_rptr += n;
		if (MBLKL(mp) > 0)
			return mp;
		next = unlinkb(mp);
		freeb(mp);
		mp = next;
	}
	return NULL;
}

/* The source address of a datagram. */
static void so_msgname(const sonode_t *so, soaddr_t *name, const mblk_t *mp)
{
	const struct T_unitdata_ind *tui = (const struct T_unitdata_ind *)mp->b_rptr;
	so_ux_addr_t ux;

	name->soa_len = 0;
	if (tui->SRC_length <= 0 || !MBLKIN(mp, tui->SRC_offset, tui->SRC_length))
		return;
	if (so->so_family != AF_UNIX) {
		soaddr_set(name, mp->b_rptr + tui->SRC_offset, (socklen_t_)tui->SRC_length);
	} else if (tui->SRC_length == (t_scalar_t)sizeof(ux)) {
		memcpy(&ux, mp->b_rptr + tui->SRC_offset, sizeof(ux));
		so_ux_name(&ux, name);
	}
}

/* One datagram, cut to the room there is. */
static int so_recvdgram(sonode_t *so, struct msghdr *msg, uio_t *uiop)
{
	int flags = MSG_ANY | (msg->msg_flags & MSG_PEEK ? MSG_IPEEK : 0), error;
	uchar_t pri = 0;
	mblk_t *mp = kstrgetmsg(SOTOV(so), &pri, &flags, uiop->uio_fmode, -1, &error), *data;

	msg->msg_flags &= ~MSG_PEEK;
	if (mp == NULL) {
		msg->msg_namelen = 0;
		return error;
	}
	data = mp;
	if (DB_TYPE(mp) != M_DATA) {
		if (msg->msg_name != NULL)
			so_msgname(so, msg->msg_name, mp);
		data = unlinkb(mp);
		freeb(mp);
	}
	data = so_copyout(data, uiop, &error);
	if (data != NULL)
		msg->msg_flags |= MSG_TRUNC;
	freemsg(data);
	return error;
}

/* The urgent mark was taken: its data, if it is in line (or was appended), goes on being ordinary data. */
static mblk_t *so_pastmark(sonode_t *so, mblk_t *mp)
{
	mblk_t *data = unlinkb(mp);

	freeb(mp);
	if (so->so_oobcnt > 0)
		so->so_oobcnt--;
	if (so->so_oobsigcnt > 0)
		so->so_oobsigcnt--;
	so->so_state |= SS_RCVATMARK;
	if (so->so_options & SO_OOBINLINE)
		so->so_state &= ~(uint_t)SS_HAVEOOBDATA;
	return data;
}

/* One message of a byte stream; *stopp is set when the call ends here. */
static int so_recvbytes(sonode_t *so, uio_t *uiop, mblk_t *mp, bool any, bool peek, bool *stopp)
{
	vnode_t *vp = SOTOV(so);
	queue_t *rq = _RD(vp->v_stream->sd_wrq);
	uchar_t band = mp->b_band;
	int error;

	if (DB_TYPE(mp) != M_DATA) { /* T_EXDATA_IND: a read ends before the mark, or begins at it */
		if (any || peek) {
			*stopp = true;
			if (peek)
				freemsg(mp);
			else
				putback(vp->v_stream, rq, mp, band);
			return 0;
		}
		mp = so_pastmark(so, mp);
		if (mp == NULL)
			return 0;
	} else if (!peek) {
		so->so_state &= ~(uint_t)SS_RCVATMARK;
	}
	mp = so_copyout(mp, uiop, &error);
	if (mp != NULL) {
		*stopp = true;
		if (peek)
			freemsg(mp);
		else
			putback(vp->v_stream, rq, mp, band);
	}
	if (peek)
		*stopp = true;
	return error;
}

/* As much of the stream as fits: what is there now, or with MSG_WAITALL until the room is full. */
static int so_recvstream(sonode_t *so, struct msghdr *msg, uio_t *uiop)
{
	vnode_t *vp = SOTOV(so);
	queue_t *rq = _RD(vp->v_stream->sd_wrq);
	bool peek = (msg->msg_flags & MSG_PEEK) != 0, all = (msg->msg_flags & MSG_WAITALL) && !peek, stop = false;
	ssize_t count = uiop->uio_resid;
	int error = 0;

	while (!stop && uiop->uio_resid > 0) {
		bool any = uiop->uio_resid < count;
		int flags = MSG_ANY | (peek ? MSG_IPEEK : 0);
		uchar_t pri = 0;
		mblk_t *mp;

		if (any && !all && rq->q_first == NULL)
			break;
		mp = kstrgetmsg(vp, &pri, &flags, uiop->uio_fmode, -1, &error);
		if (mp == NULL) {
			if (any && error != 0 && error != EAGAIN && error != EINTR)
				soseterror(so, error); /* the next call's */
			if (any)
				error = 0;
			break;
		}
		error = so_recvbytes(so, uiop, mp, any, peek, &stop);
		if (error != 0)
			break;
	}
	return error;
}

int sotpi_recvmsg(sonode_t *so, struct msghdr *msg, uio_t *uiop)
{
	int flags = msg->msg_flags;

	if (flags & MSG_OOB) {
		msg->msg_flags = 0;
		msg->msg_namelen = 0;
		return sorecvoob(so, uiop, flags);
	}
	if ((so->so_mode & SM_CONNREQUIRED) && !(so->so_state & (SS_ISCONNECTED | SS_CANTRCVMORE)))
		return so->so_error != 0 ? sogeterr(so, 1) : ENOTCONN;
	if (flags & MSG_DONTWAIT)
		uiop->uio_fmode |= FNONBLOCK;
	if (so->so_mode & SM_BYTESTREAM) {
		int error = so_recvstream(so, msg, uiop);

		msg->msg_flags = 0;
		msg->msg_namelen = 0;
		return error;
	}
	msg->msg_flags &= MSG_PEEK;
	return so_recvdgram(so, msg, uiop);
}
