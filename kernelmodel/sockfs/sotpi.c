/*
 * Sockets over TPI: creating, naming, connecting, accepting.
 *
 *	socket	open, T_CAPABILITY_REQ / T_CAPABILITY_ACK
 *	bind	T_BIND_REQ / T_BIND_ACK
 *	listen	T_UNBIND_REQ / T_OK_ACK when bound, T_BIND_REQ with CONIND_number
 *	connect	T_CONN_REQ / T_OK_ACK, then T_CONN_CON or T_DISCON_IND
 *	accept	T_CONN_IND, a new stream, T_CONN_RES / T_OK_ACK
 *
 * so_lock_single() is held over each exchange.  Data is in sodata.c, options in
 * soopt.c.
 */
#include <stddef.h>
#include <string.h>
#include "sys/errno.h"
#include "sys/socketvar.h"

/* ---- creating ---- */

/* A socket made by accept is like its listener. */
static void so_inherit(sonode_t *so, const sonode_t *tso)
{
	so->so_options = tso->so_options & ~(uint_t)SO_ACCEPTCONN;
	so->so_linger = tso->so_linger;
	so->so_sndbuf = tso->so_sndbuf;
	so->so_rcvbuf = tso->so_rcvbuf;
	so->so_sndlowat = tso->so_sndlowat;
	so->so_rcvlowat = tso->so_rcvlowat;
	so->so_pgrp = tso->so_pgrp;
}

sonode_t *sotpi_create(vnode_t *accessvp, int domain, int type, int protocol, int version, sonode_t *tso, int *errorp)
{
	sonode_t *so = so_alloc((short)domain, (short)type, (short)protocol, (short)version);

	if (so == NULL) {
		VN_RELE(accessvp);
		*errorp = ENOMEM;
		return NULL;
	}
	so->so_accessvp = accessvp;
	if (tso != NULL)
		so_inherit(so, tso);
	*errorp = so_strinit(so, FREAD | FWRITE, tso);
	if (*errorp != 0) {
		VN_RELE(SOTOV(so));
		return NULL;
	}
	so->so_count = 1;
	/* TCP itself is below, and hands a new connection to the socket that accepts it: scripts look at this. */
	if ((domain == AF_INET || domain == AF_INET6) && type == SOCK_STREAM)
		so->so_state |= SS_DIRECT;
	return so;
}

/* ---- addresses ---- */

/* A name that a program gave: right length and family? */
static int so_checkname(const sonode_t *so, const struct sockaddr *name, socklen_t_ namelen)
{
	if (namelen < sizeof(uint16_t) || namelen > SO_MAXADDR)
		return EINVAL;
	if (name->sa_family != so->so_family)
		return EAFNOSUPPORT;
	if (so->so_family == AF_INET && namelen != sizeof(struct sockaddr_in))
		return EINVAL;
	if (so->so_family == AF_UNIX &&
	    (namelen <= offsetof(struct sockaddr_un, sun_path) || namelen > sizeof(struct sockaddr_un)))
		return EINVAL;
	return 0;
}

/* The name itself, but for AF_UNIX the vnode of the socket bound to it, or of the peer. */
int so_tpiaddr(const sonode_t *so, const struct sockaddr *name, socklen_t_ namelen, so_ux_addr_t *ux,
	       const void **addrp, socklen_t_ *lenp)
{
	struct sockaddr_un sun = {0};
	sonode_t *peer;

	*addrp = name;
	*lenp = namelen;
	if (so->so_family != AF_UNIX)
		return 0;
	if (name == &so->so_faddr.soa_sa) {
		*addrp = &so->so_ux_faddr;
		*lenp = sizeof(so->so_ux_faddr);
		return 0;
	}
	memcpy(&sun, name, MIN(namelen, sizeof(sun) - 1));
	peer = so_ux_lookup(sun.sun_path);
	if (peer == NULL)
		return ENOENT;
	if (peer->so_type != so->so_type)
		return EPROTOTYPE;
	*ux = (so_ux_addr_t){SOTOV(peer), SOU_MAGIC_EXPLICIT, 0};
	*addrp = ux;
	*lenp = sizeof(*ux);
	return 0;
}

/* ---- bind, listen ---- */

/* T_BIND_REQ of an address in the transport's form (none: any). */
static int so_bindreq(sonode_t *so, const void *addr, socklen_t_ len, int backlog)
{
	struct T_bind_req tbr = {T_BIND_REQ, (t_scalar_t)len, len != 0 ? sizeof(tbr) : 0, (t_uscalar_t)backlog};
	const struct T_bind_ack *tba;
	mblk_t *mp = soallocproto(&tbr, sizeof(tbr), len);
	int error;

	if (mp == NULL)
		return ENOBUFS;
	soappendmsg(mp, addr, len);
	error = soputreq(so, mp);
	if (error == 0)
		error = sowaitprim(so, T_BIND_REQ, T_BIND_ACK, sizeof(*tba), &mp);
	if (error != 0)
		return error;
	tba = (const struct T_bind_ack *)mp->b_rptr;
	if (so->so_family != AF_UNIX && tba->ADDR_length > 0 && MBLKIN(mp, tba->ADDR_offset, tba->ADDR_length)) {
		soaddr_set(&so->so_laddr, mp->b_rptr + tba->ADDR_offset, (socklen_t_)tba->ADDR_length);
		so->so_state |= SS_LADDR_VALID;
	}
	if (so->so_family == AF_UNIX && tba->ADDR_length == (t_scalar_t)sizeof(so->so_ux_laddr) &&
	    MBLKIN(mp, tba->ADDR_offset, tba->ADDR_length))
		memcpy(&so->so_ux_laddr, mp->b_rptr + tba->ADDR_offset, sizeof(so->so_ux_laddr));
	so->so_state |= SS_ISBOUND;
	freemsg(mp);
	return 0;
}

/* Bind an AF_UNIX socket to a path: the name belongs to it before the transport knows it. */
static int so_ux_bind(sonode_t *so, const struct sockaddr *name, socklen_t_ namelen, int backlog)
{
	so_ux_addr_t ux = {SOTOV(so), SOU_MAGIC_EXPLICIT, 0};
	int error;

	memset(&so->so_laddr, 0, sizeof(so->so_laddr));
	soaddr_set(&so->so_laddr, name, namelen);
	error = so_ux_insert(so);
	if (error == 0) {
		error = so_bindreq(so, &ux, sizeof(ux), backlog);
		if (error != 0)
			so_ux_remove(so);
	}
	if (error != 0)
		so->so_laddr.soa_len = sizeof(uint16_t);
	else
		so->so_state |= SS_LADDR_VALID;
	return error;
}

/* The exchange of a bind; the socket is locked. */
static int so_dobind(sonode_t *so, const struct sockaddr *name, socklen_t_ namelen, int backlog)
{
	if (name != NULL && so->so_family == AF_UNIX)
		return so_ux_bind(so, name, namelen, backlog);
	return so_bindreq(so, name, name != NULL ? namelen : 0, backlog);
}

int sotpi_bind(sonode_t *so, const struct sockaddr *name, socklen_t_ namelen, int backlog, int listening)
{
	int error = name != NULL ? so_checkname(so, name, namelen) : 0;

	if (error != 0)
		return error;
	so_lock_single(so);
	if (so->so_state & SS_ISBOUND) {
		error = EINVAL;
	} else {
		if (listening)
			so->so_state |= SS_ACCEPTCONN; /* a connection may come with the ack */
		error = so_dobind(so, name, namelen, backlog);
		if (error != 0)
			so->so_state &= ~(uint_t)SS_ACCEPTCONN;
	}
	so_unlock_single(so);
	return error;
}

/* The socket is locked. */
static int so_dounbind(sonode_t *so)
{
	struct T_unbind_req tur = {T_UNBIND_REQ};
	mblk_t *mp = soallocproto(&tur, sizeof(tur), 0);
	int error;

	if (mp == NULL)
		return ENOBUFS;
	error = soputreq(so, mp);
	if (error == 0)
		error = sowaitokack(so, T_UNBIND_REQ);
	if (error == 0)
		so->so_state &= ~(uint_t)(SS_ISBOUND | SS_ACCEPTCONN | SS_LADDR_VALID);
	return error;
}

int sotpi_unbind(sonode_t *so)
{
	int error;

	so_lock_single(so);
	error = so->so_state & SS_ISBOUND ? so_dounbind(so) : EINVAL;
	so_unlock_single(so);
	return error;
}

/* Bind anew with room for connections; an AF_UNIX name stays registered meanwhile. */
static int so_rebind(sonode_t *so, int backlog)
{
	soaddr_t addr = so->so_laddr;
	so_ux_addr_t ux = {SOTOV(so), SOU_MAGIC_EXPLICIT, 0};
	bool named = (so->so_state & SS_LADDR_VALID) != 0;
	int error = so_dounbind(so);

	if (error != 0)
		return error;
	so->so_state |= SS_ACCEPTCONN;
	if (so->so_family == AF_UNIX)
		error = so_bindreq(so, &ux, named ? sizeof(ux) : 0, backlog);
	else
		error = so_bindreq(so, addr.soa_buf, named ? addr.soa_len : 0, backlog);
	if (error != 0)
		so->so_state &= ~(uint_t)SS_ACCEPTCONN;
	else if (named)
		so->so_state |= SS_LADDR_VALID;
	return error;
}

int sotpi_listen(sonode_t *so, int backlog)
{
	int error = 0;

	if (!(so->so_mode & SM_CONNREQUIRED))
		return EOPNOTSUPP;
	if (so->so_state & (SS_ISCONNECTED | SS_ISCONNECTING | SS_ISDISCONNECTING | SS_CANTSENDMORE | SS_CANTRCVMORE))
		return EINVAL;
	so->so_backlog = MAX(backlog, 0);
	if (so->so_state & SS_ACCEPTCONN)
		return 0;
	backlog = MAX(backlog, 1); /* none would not listen at all */
	if (so->so_state & SS_ISBOUND) {
		so_lock_single(so);
		error = so_rebind(so, backlog);
		so_unlock_single(so);
	} else {
		error = sotpi_bind(so, NULL, 0, backlog, 1);
	}
	if (error == 0)
		so->so_options |= SO_ACCEPTCONN;
	return error;
}

/* ---- connect ---- */

/* Is the peer of this socket known to the socket only?  ticlts has no connections. */
static bool so_ux_clts(const sonode_t *so)
{
	return so->so_family == AF_UNIX && !(so->so_mode & SM_CONNREQUIRED);
}

/* T_DISCON_REQ of a datagram socket: it has no peer any more.  The socket is locked. */
static int so_dodisconnect(sonode_t *so)
{
	struct T_discon_req tdr = {T_DISCON_REQ, -1};
	mblk_t *mp;
	int error;

	if (so_ux_clts(so)) {
		so->so_state &= ~(uint_t)SS_ISCONNECTED;
		return 0;
	}
	mp = soallocproto(&tdr, sizeof(tdr), 0);
	if (mp == NULL)
		return ENOBUFS;
	error = soputreq(so, mp);
	if (error == 0)
		error = sowaitokack(so, T_DISCON_REQ);
	if (error == 0)
		so->so_state &= ~(uint_t)(SS_ISCONNECTED | SS_LADDR_VALID);
	return error;
}

/* Send T_CONN_REQ and see it accepted; the socket is locked. */
static int so_connreq(sonode_t *so, const void *addr, socklen_t_ len)
{
	struct T_conn_req tcr = {T_CONN_REQ, (t_scalar_t)len, sizeof(tcr), 0, 0};
	mblk_t *mp;
	int error;

	if (so_ux_clts(so)) {
		soisconnected(so);
		return 0;
	}
	mp = soallocproto(&tcr, sizeof(tcr), len);
	if (mp == NULL)
		return ENOBUFS;
	soappendmsg(mp, addr, len);
	soisconnecting(so);
	error = soputreq(so, mp);
	if (error == 0)
		error = sowaitokack(so, T_CONN_REQ);
	if (error != 0)
		so->so_state &= ~(uint_t)SS_ISCONNECTING;
	return error;
}

/* Wait until connecting has ended: 0, EINPROGRESS (not allowed to wait), EINTR or why it failed. */
static int sowaitconnected(sonode_t *so, int fmode)
{
	while (so->so_state & SS_ISCONNECTING) {
		if (SO_NOWAIT(fmode))
			return EINPROGRESS;
		if (cv_wait_sig(&so->so_state_cv) == 0)
			return EINTR;
	}
	if (so->so_state & SS_ISCONNECTED)
		return 0;
	return so->so_error != 0 ? sogeterr(so, 1) : ECONNREFUSED;
}

/* May the socket connect now? */
static int so_mayconnect(sonode_t *so)
{
	if (so->so_state & SS_ACCEPTCONN)
		return EOPNOTSUPP;
	if (so->so_state & SS_ISCONNECTING)
		return EALREADY;
	if ((so->so_state & SS_ISCONNECTED) && (so->so_mode & SM_CONNREQUIRED))
		return EISCONN;
	if ((so->so_mode & SM_CONNREQUIRED) && (so->so_state & (SS_CANTSENDMORE | SS_CANTRCVMORE)))
		return EINVAL; /* was connected before */
	return so->so_error != 0 ? sogeterr(so, 1) : 0;
}

/* All of a connect up to the acknowledgement; the socket is locked. */
static int so_doconnect(sonode_t *so, const struct sockaddr *name, socklen_t_ namelen)
{
	so_ux_addr_t ux;
	const void *addr;
	socklen_t_ len;
	int error = so_mayconnect(so);

	if (error == 0 && (so->so_state & SS_ISCONNECTED))
		error = so_dodisconnect(so);
	if (error == 0)
		error = so_tpiaddr(so, name, namelen, &ux, &addr, &len);
	/* Connecting binds a TCP endpoint that is not bound; others must be. */
	if (error == 0 && !(so->so_state & SS_ISBOUND) && (so->so_family == AF_UNIX || so->so_type != SOCK_STREAM))
		error = so_bindreq(so, NULL, 0, 0);
	if (error != 0)
		return error;
	soaddr_set(&so->so_faddr, name, namelen);
	if (so->so_family == AF_UNIX)
		so->so_ux_faddr = ux;
	return so_connreq(so, addr, len);
}

int sotpi_connect(sonode_t *so, const struct sockaddr *name, socklen_t_ namelen, int fflag)
{
	bool unconnect = !(so->so_mode & SM_CONNREQUIRED) &&
			 (name == NULL || namelen == 0 || (namelen >= 2 && name->sa_family == AF_UNSPEC));
	int error = 0;

	if (!unconnect) {
		error = name == NULL ? EINVAL : so_checkname(so, name, namelen);
		if (error != 0)
			return error;
	}
	so_lock_single(so);
	if (!unconnect)
		error = so_doconnect(so, name, namelen);
	else if (so->so_state & SS_ISCONNECTED)
		error = so_dodisconnect(so);
	so_unlock_single(so);
	return error != 0 || unconnect ? error : sowaitconnected(so, fflag);
}

/* ---- accept ---- */

/* The oldest waiting connection, off the list; EWOULDBLOCK, EINTR or the socket's error. */
static int sowaitconnind(sonode_t *so, int fmode, mblk_t **mpp)
{
	mblk_t *mp;

	while ((mp = so->so_conn_ind_head) == NULL) {
		if (so->so_error != 0)
			return sogeterr(so, 1);
		if (SO_NOWAIT(fmode))
			return EWOULDBLOCK;
		if (cv_wait_sig(&so->so_connind_cv) == 0)
			return EINTR;
		if (!(so->so_state & SS_ACCEPTCONN))
			return EINVAL;
	}
	so->so_conn_ind_head = mp->b_next;
	if (mp->b_next == NULL) {
		so->so_conn_ind_tail = NULL;
		so->so_state &= ~(uint_t)SS_HASCONNIND;
	}
	mp->b_next = NULL;
	*mpp = mp;
	return 0;
}

/* What the new socket learns from the connection's T_CONN_IND. */
static void so_fromconnind(sonode_t *nso, const sonode_t *so, const mblk_t *mp)
{
	const struct T_conn_ind *tci = (const struct T_conn_ind *)mp->b_rptr;

	if (!MBLKIN(mp, tci->SRC_offset, tci->SRC_length))
		return;
	if (so->so_family != AF_UNIX) {
		soaddr_set(&nso->so_faddr, mp->b_rptr + tci->SRC_offset, (socklen_t_)tci->SRC_length);
	} else if (tci->SRC_length == (t_scalar_t)sizeof(nso->so_ux_faddr)) {
		memcpy(&nso->so_ux_faddr, mp->b_rptr + tci->SRC_offset, sizeof(nso->so_ux_faddr));
		so_ux_name(&nso->so_ux_faddr, &nso->so_faddr);
		nso->so_laddr = so->so_laddr;
	}
	/* A transport that knows it talks to a socket shows it its own end here. */
	if (so->so_family != AF_UNIX && tci->OPT_length == (t_scalar_t)sizeof(void *) &&
	    MBLKIN(mp, tci->OPT_offset, tci->OPT_length))
		memcpy(&nso->so_priv, mp->b_rptr + tci->OPT_offset, sizeof(void *));
}

/*
 * Give the connection to nso.  Internet transports take T_CONN_RES from the
 * accepting stream itself (tcp_wput_accept); others from the listener.
 */
static int so_connres(sonode_t *so, sonode_t *nso, t_scalar_t seqno)
{
	struct T_conn_res tcr = {T_CONN_RES, nso->so_acceptor_id, 0, 0, seqno};
	sonode_t *via = so->so_family == AF_UNIX ? so : nso;
	mblk_t *mp = soallocproto(&tcr, sizeof(tcr), 0);
	int error;

	if (mp == NULL)
		return ENOBUFS;
	so_lock_single(via);
	soisconnected(nso); /* data or its end may come with the ack */
	error = soputreq(via, mp);
	if (error == 0)
		error = sowaitokack(via, T_CONN_RES);
	so_unlock_single(via);
	return error;
}

/* Refuse a connection nobody will take. */
static void so_refuse(sonode_t *so, t_scalar_t seqno)
{
	struct T_discon_req tdr = {T_DISCON_REQ, seqno};
	mblk_t *mp = soallocproto(&tdr, sizeof(tdr), 0);

	if (mp == NULL)
		return;
	so_lock_single(so);
	if (soputreq(so, mp) == 0)
		(void)sowaitokack(so, T_DISCON_REQ);
	so_unlock_single(so);
}

int sotpi_accept(sonode_t *so, int fflag, sonode_t **nsop)
{
	sonode_t *nso;
	mblk_t *mp;
	t_scalar_t seqno;
	int error;

	if (!(so->so_state & SS_ACCEPTCONN))
		return so->so_mode & SM_CONNREQUIRED ? EINVAL : EOPNOTSUPP;
	error = sowaitconnind(so, fflag, &mp);
	if (error != 0)
		return error;
	seqno = ((const struct T_conn_ind *)mp->b_rptr)->SEQ_number;
	VN_HOLD(so->so_accessvp);
	nso = sotpi_create(so->so_accessvp, so->so_family, so->so_type, so->so_protocol, so->so_version, so, &error);
	if (nso == NULL) {
		freemsg(mp);
		so_refuse(so, seqno);
		return error;
	}
	so_fromconnind(nso, so, mp);
	freemsg(mp);
	error = so_connres(so, nso, seqno);
	if (error != 0) {
		(void)fop_close(SOTOV(nso), FREAD | FWRITE, 1, 0, curproc->p_cred);
		VN_RELE(SOTOV(nso));
		return error;
	}
	*nsop = nso;
	return 0;
}

/* ---- pairs ---- */

/* Connect so to the unnamed socket peer, which is bound. */
static int so_connectpeer(sonode_t *so, const sonode_t *peer)
{
	int error;

	so_lock_single(so);
	so->so_ux_faddr = peer->so_ux_laddr;
	so_ux_name(&so->so_ux_faddr, &so->so_faddr);
	error = so_connreq(so, &so->so_ux_faddr, sizeof(so->so_ux_faddr));
	so_unlock_single(so);
	return error;
}

int sotpi_pair(sonode_t *so1, sonode_t *so2, sonode_t **nsop)
{
	bool stream = (so1->so_mode & SM_CONNREQUIRED) != 0;
	int error = sotpi_bind(so1, NULL, 0, stream ? 1 : 0, stream);

	*nsop = NULL;
	if (error == 0)
		error = sotpi_bind(so2, NULL, 0, 0, 0);
	if (error == 0)
		error = so_connectpeer(so2, so1);
	if (error == 0)
		error = stream ? sotpi_accept(so1, 0, nsop) : so_connectpeer(so1, so2);
	return error == 0 ? sowaitconnected(so2, 0) : error;
}

/* ---- shutdown, names ---- */

int sotpi_shutdown(sonode_t *so, int how)
{
	struct T_ordrel_req tor = {T_ORDREL_REQ};
	mblk_t *mp;

	if (how < SHUT_RD || how > SHUT_RDWR)
		return EINVAL;
	if (!(so->so_state & SS_ISCONNECTED))
		return ENOTCONN;
	if (how != SHUT_WR)
		socantrcvmore(so);
	if (how == SHUT_RD || (so->so_state & SS_CANTSENDMORE))
		return 0;
	if (so->so_serv_type != T_COTS_ORD) {
		socantsendmore(so);
		return 0;
	}
	mp = soallocproto(&tor, sizeof(tor), 0);
	if (mp == NULL)
		return ENOBUFS;
	socantsendmore(so);
	return soputreq(so, mp);
}

int sotpi_getpeername(sonode_t *so)
{
	return so->so_state & SS_ISCONNECTED ? 0 : ENOTCONN;
}

/* Ask the transport for the local address; the socket is locked. */
static int sogetaddr(sonode_t *so)
{
	struct T_addr_req tar = {T_ADDR_REQ};
	const struct T_addr_ack *taa;
	mblk_t *mp = soallocproto(&tar, sizeof(tar), 0);
	int error;

	if (mp == NULL)
		return ENOBUFS;
	error = soputreq(so, mp);
	if (error == 0)
		error = sowaitprim(so, T_ADDR_REQ, T_ADDR_ACK, sizeof(*taa), &mp);
	if (error != 0)
		return error;
	taa = (const struct T_addr_ack *)mp->b_rptr;
	if (taa->LOCADDR_length > 0 && MBLKIN(mp, taa->LOCADDR_offset, taa->LOCADDR_length)) {
		soaddr_set(&so->so_laddr, mp->b_rptr + taa->LOCADDR_offset, (socklen_t_)taa->LOCADDR_length);
		so->so_state |= SS_LADDR_VALID;
	}
	freemsg(mp);
	return 0;
}

int sotpi_getsockname(sonode_t *so)
{
	int error = 0;

	if (so->so_family == AF_UNIX || (so->so_state & SS_LADDR_VALID) || !(so->so_state & SS_ISBOUND))
		return 0;
	so_lock_single(so);
	error = sogetaddr(so);
	so_unlock_single(so);
	return error;
}
