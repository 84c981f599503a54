/*
 * Socket options.
 *
 * An option is asked of, and set in, the transport (T_SVR4_OPTMGMT_REQ); those
 * of level SOL_SOCKET are also kept in the sonode, and work there when the
 * transport does not know them.  Some are the socket's alone.
 */
#include <string.h>
#include "sys/errno.h"
#include "sys/socketvar.h"

#define SOOPT_BITS                                                                                              \
	(SO_DEBUG | SO_REUSEADDR | SO_KEEPALIVE | SO_DONTROUTE | SO_BROADCAST | SO_USELOOPBACK | SO_OOBINLINE | \
	 SO_DGRAM_ERRIND)
#define SO_MAXOPT 1024

/* One option to the transport and back: mp is the ack, its option's value at *valp. */
static int so_optmgmt(sonode_t *so, int level, int name, const void *val, socklen_t_ len, int mgmt, mblk_t **mpp)
{
	struct opthdr oh = {(t_uscalar_t)level, (t_uscalar_t)name, len};
	struct T_optmgmt_req tor = {T_SVR4_OPTMGMT_REQ, (t_scalar_t)(sizeof(oh) + OPTLEN(len)), sizeof(tor), mgmt};
	mblk_t *mp = soallocproto(&tor, sizeof(tor), sizeof(oh) + OPTLEN(len));
	int error;

	if (mp == NULL)
		return ENOBUFS;
	soappendmsg(mp, &oh, sizeof(oh));
	memset(mp->b_wptr, 0, OPTLEN(len));
	if (val != NULL)
		memcpy(mp->b_wptr, val, len);
	mp->b_wptr += OPTLEN(len);
	so_lock_single(so);
	error = soputreq(so, mp);
	if (error == 0)
		error = sowaitprim(so, T_SVR4_OPTMGMT_REQ, T_OPTMGMT_ACK, sizeof(struct T_optmgmt_ack), mpp);
	so_unlock_single(so);
	return error;
}

/* ---- get ---- */

static int putval(void *val, socklen_t_ *lenp, const void *from, socklen_t_ size)
{
	*lenp = MIN(*lenp, size);
	memcpy(val, from, *lenp);
	return 0;
}

static int putint(void *val, socklen_t_ *lenp, int n)
{
	return *lenp < sizeof(n) ? EINVAL : putval(val, lenp, &n, sizeof(n));
}

/* Options that only the socket knows; -1 when it is not one of them. */
static int so_getown(sonode_t *so, int name, void *val, socklen_t_ *lenp)
{
	switch (name) {
	case SO_TYPE:
		return putint(val, lenp, so->so_type);
	case SO_PROTOTYPE:
		return putint(val, lenp, so->so_protocol);
	case SO_DOMAIN:
		return putint(val, lenp, so->so_family);
	case SO_ERROR:
		if (*lenp < sizeof(int))
			return EINVAL;
		return putint(val, lenp, sogeterr(so, 1));
	case SO_ACCEPTCONN:
		return putint(val, lenp, so->so_state & SS_ACCEPTCONN ? SO_ACCEPTCONN : 0);
	case SO_LINGER:
		return *lenp < sizeof(struct linger) ? EINVAL
						     : putval(val, lenp, &so->so_linger, sizeof(so->so_linger));
	default:
		return -1;
	}
}

/* What the socket remembers of an option that the transport does not know. */
static int so_getcached(const sonode_t *so, int name, void *val, socklen_t_ *lenp)
{
	switch (name) {
	case SO_SNDBUF:
		return putint(val, lenp, so->so_sndbuf);
	case SO_RCVBUF:
		return putint(val, lenp, so->so_rcvbuf);
	case SO_SNDLOWAT:
		return putint(val, lenp, so->so_sndlowat);
	case SO_RCVLOWAT:
		return putint(val, lenp, so->so_rcvlowat);
	default:
		if (name & ~SOOPT_BITS)
			return ENOPROTOOPT;
		return putint(val, lenp, (int)so->so_options & name);
	}
}

int sotpi_getsockopt(sonode_t *so, int level, int name, void *val, socklen_t_ *lenp)
{
	int error = level == SOL_SOCKET ? so_getown(so, name, val, lenp) : -1;
	const struct T_optmgmt_ack *toa;
	struct opthdr oh;
	mblk_t *mp;

	if (error >= 0)
		return error;
	if (*lenp > SO_MAXOPT)
		*lenp = SO_MAXOPT;
	error = so_optmgmt(so, level, name, NULL, *lenp, T_CURRENT, &mp);
	if (error != 0)
		return level == SOL_SOCKET && error == ENOPROTOOPT ? so_getcached(so, name, val, lenp) : error;
	toa = (const struct T_optmgmt_ack *)mp->b_rptr;
	if (!MBLKIN(mp, toa->OPT_offset, (ptrdiff_t)sizeof(oh))) {
		freemsg(mp);
		return EPROTO;
	}
	memcpy(&oh, mp->b_rptr + toa->OPT_offset, sizeof(oh));
	if (!MBLKIN(mp, toa->OPT_offset + (ptrdiff_t)sizeof(oh), (ptrdiff_t)oh.len))
		error = EPROTO;
	else
		(void)putval(val, lenp, mp->b_rptr + toa->OPT_offset + sizeof(oh), oh.len);
	freemsg(mp);
	return error;
}

/* ---- set ---- */

/* Is the value one that the socket can take?  0, EINVAL or ENOPROTOOPT. */
static int so_checkopt(int name, const void *val, socklen_t_ len)
{
	int n;

	if (name == SO_LINGER)
		return len < sizeof(struct linger) ? EINVAL : 0;
	switch (name) {
	case SO_TYPE:
	case SO_ERROR:
	case SO_ACCEPTCONN:
	case SO_PROTOTYPE:
	case SO_DOMAIN:
	case SO_SNDTIMEO:
	case SO_RCVTIMEO:
		return ENOPROTOOPT;
	default:
		break;
	}
	if (len < sizeof(n))
		return EINVAL;
	memcpy(&n, val, sizeof(n));
	return (name == SO_SNDBUF || name == SO_RCVBUF) && n < 0 ? EINVAL : 0;
}

/* Remember what was set; false for an option the socket has no place for. */
static bool so_keepopt(sonode_t *so, int name, const void *val)
{
	int n;

	memcpy(&n, val, sizeof(n));
	switch (name) {
	case SO_LINGER:
		memcpy(&so->so_linger, val, sizeof(so->so_linger));
		so->so_options &= ~(uint_t)SO_LINGER;
		so->so_options |= so->so_linger.l_onoff ? SO_LINGER : 0;
		return true;
	case SO_SNDBUF:
		so->so_sndbuf = n;
		return true;
	case SO_RCVBUF:
		so->so_rcvbuf = n;
		return true;
	case SO_SNDLOWAT:
		so->so_sndlowat = n;
		return true;
	case SO_RCVLOWAT:
		so->so_rcvlowat = n;
		return true;
	default:
		if (name & ~SOOPT_BITS)
			return false;
		so->so_options &= ~(uint_t)name;
		so->so_options |= n != 0 ? (uint_t)name : 0;
		return true;
	}
}

int sotpi_setsockopt(sonode_t *so, int level, int name, const void *val, socklen_t_ len)
{
	int error = level == SOL_SOCKET ? so_checkopt(name, val, len) : 0;
	mblk_t *mp;

	if (error != 0)
		return error;
	if (len > SO_MAXOPT)
		return EINVAL;
	error = so_optmgmt(so, level, name, val, len, T_NEGOTIATE, &mp);
	if (error == 0)
		freemsg(mp);
	if (level == SOL_SOCKET && (error == 0 || error == ENOPROTOOPT) && so_keepopt(so, name, val))
		error = 0;
	return error;
}
