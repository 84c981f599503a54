/*
 * Sonodes and their state.
 *
 * so_state changes only through the functions here.  They are called by system
 * calls and, from strsock_proto(), by whatever brings a message up, so none of
 * them sleeps.  What a change means for the stream head is done here too: end
 * of file is the head's STREOF, an error is told by sogetrderr() and
 * sogetwrerr(), which the head asks.
 */
#include <string.h>
#include "sys/errno.h"
#include "sys/poll.h"
#include "sys/signal.h"
#include "sys/socketvar.h"

static KLOCAL sonode_t *ux_bound; /* AF_UNIX sockets with a path */

sonode_t *so_alloc(short family, short type, short protocol, short version)
{
	sonode_t *so = kmem_zalloc(sizeof(*so), KM_NOSLEEP);

	if (so == NULL)
		return NULL;
	so->so_vnode = vn_alloc(VSOCK, &socktpi_vnodeops, so);
	if (so->so_vnode == NULL) {
		kmem_free(so, sizeof(*so));
		return NULL;
	}
	so->so_family = family;
	so->so_type = type;
	so->so_protocol = protocol;
	so->so_version = version;
	so->so_laddr.soa_sa.sa_family = (uint16_t)family;
	so->so_laddr.soa_len = family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(uint16_t);
	return so;
}

/* The stream is closed and nobody refers to the socket any more. */
void so_free(sonode_t *so)
{
	soflushconnind(so, -1);
	freemsg(so->so_ack_mp);
	freemsg(so->so_oobmsg);
	if (so->so_accessvp != NULL)
		VN_RELE(so->so_accessvp);
	vn_free(so->so_vnode);
	kmem_free(so, sizeof(*so));
}

void so_lock_single(sonode_t *so)
{
	while (so->so_flag & SOLOCKED)
		cv_wait(&so->so_want_cv);
	so->so_flag |= SOLOCKED;
}

void so_unlock_single(sonode_t *so)
{
	so->so_flag &= ~(uint_t)SOLOCKED;
	cv_signal(&so->so_want_cv);
}

void soaddr_set(soaddr_t *sa, const void *addr, socklen_t_ len)
{
	sa->soa_len = MIN(len, (socklen_t_)SO_MAXADDR);
	memcpy(sa->soa_buf, addr, sa->soa_len);
}

/* ---- state ---- */

void soisconnecting(sonode_t *so)
{
	so->so_state &= ~(uint_t)(SS_ISCONNECTED | SS_ISDISCONNECTING);
	so->so_state |= SS_ISCONNECTING;
}

void soisconnected(sonode_t *so)
{
	so->so_state &= ~(uint_t)(SS_ISCONNECTING | SS_ISDISCONNECTING | SS_CANTSENDMORE | SS_CANTRCVMORE);
	so->so_state |= SS_ISCONNECTED | SS_ISBOUND;
	SOTOV(so)->v_stream->sd_flag &= ~(uint_t)STREOF;
	cv_broadcast(&so->so_state_cv);
}

void socantrcvmore(sonode_t *so)
{
	stdata_t *stp = SOTOV(so)->v_stream;
	queue_t *rq = _RD(stp->sd_wrq);

	so->so_state |= SS_CANTRCVMORE;
	stp->sd_flag |= STREOF;
	if (stp->sd_flag & RSLEEP) {
		stp->sd_flag &= ~(uint_t)RSLEEP;
		cv_broadcast(&rq->q_wait);
	}
	pollwakeup(stp, POLLIN | POLLRDNORM);
}

void socantsendmore(sonode_t *so)
{
	so->so_state |= SS_CANTSENDMORE;
}

void soisdisconnected(sonode_t *so, int error)
{
	bool connecting = (so->so_state & SS_ISCONNECTING) != 0;

	so->so_state &= ~(uint_t)(SS_ISCONNECTING | SS_ISCONNECTED | SS_ISDISCONNECTING);
	if (!connecting) {
		socantsendmore(so);
		socantrcvmore(so);
	}
	soseterror(so, error);
	cv_broadcast(&so->so_state_cv);
}

/* ---- errors ---- */

int sogeterr(sonode_t *so, int clear)
{
	int error = so->so_error;

	if (clear)
		so->so_error = 0;
	return error;
}

/* The head asks for the error of its read side; once it is told, both sides are clean. */
static int sogetrderr(vnode_t *vp, int ispeek, int *clearerr)
{
	int error = sogeterr(VTOSO(vp), !ispeek);

	*clearerr = !ispeek;
	return error;
}

static int sogetwrerr(vnode_t *vp, int ispeek, int *clearerr)
{
	sonode_t *so = VTOSO(vp);
	int error = sogeterr(so, !ispeek);

	if (error == 0 && (so->so_state & SS_CANTSENDMORE))
		return EPIPE; /* stays */
	*clearerr = !ispeek;
	return error;
}

void soseterror(sonode_t *so, int error)
{
	if (error != 0) {
		so->so_error = (ushort_t)error;
		strsetrerror(SOTOV(so), 0, 0, sogetrderr);
	}
	if (error != 0 || (so->so_state & SS_CANTSENDMORE))
		strsetwerror(SOTOV(so), 0, 0, sogetwrerr);
}

/* ---- urgent data ---- */

/* Signal the owner that urgent data is on its way. */
void so_oob_sig(sonode_t *so)
{
	proc_t *p;

	so->so_oobsigcnt++;
	so->so_state |= SS_OOBPEND;
	so->so_state &= ~(uint_t)(SS_HAVEOOBDATA | SS_HADOOBDATA);
	freemsg(so->so_oobmsg);
	so->so_oobmsg = NULL;
	if (so->so_pgrp < 0)
		pgsignal(-so->so_pgrp, SIGURG);
	else if (so->so_pgrp > 0 && (p = prfind(so->so_pgrp)) != NULL)
		psignal(p, SIGURG);
}

/* ---- which transport ---- */

typedef struct sockparams {
	short sp_family, sp_type, sp_protocol;
	const char *sp_path;
} sockparams_t;

/* As /etc/sock2path; protocol 0 is the type's default one. */
static const sockparams_t sockparams[] = {
    {AF_INET, SOCK_STREAM, 0, "/dev/tcp"},       {AF_INET, SOCK_STREAM, IPPROTO_TCP, "/dev/tcp"},
    {AF_INET, SOCK_DGRAM, 0, "/dev/udp"},        {AF_INET, SOCK_DGRAM, IPPROTO_UDP, "/dev/udp"},
    {AF_INET, SOCK_RAW, 0, "/dev/rawip"},        {AF_INET, SOCK_RAW, IPPROTO_ICMP, "/dev/icmp"},
    {AF_INET6, SOCK_STREAM, 0, "/dev/tcp6"},     {AF_INET6, SOCK_STREAM, IPPROTO_TCP, "/dev/tcp6"},
    {AF_INET6, SOCK_DGRAM, 0, "/dev/udp6"},      {AF_INET6, SOCK_DGRAM, IPPROTO_UDP, "/dev/udp6"},
    {AF_UNIX, SOCK_STREAM, 0, "/dev/ticotsord"}, {AF_UNIX, SOCK_DGRAM, 0, "/dev/ticlts"},
};

/* How much of a triple the table knows decides the error: the family, the type, the protocol. */
static int lookup_error(int family, int type)
{
	int error = EAFNOSUPPORT;

	for (size_t i = 0; i < sizeof(sockparams) / sizeof(sockparams[0]); i++) {
		const sockparams_t *sp = &sockparams[i];
		if (sp->sp_family != family)
			continue;
		if (sp->sp_type == type)
			return EPROTONOSUPPORT;
		error = EPROTOTYPE;
	}
	return error;
}

int solookup(int family, int type, int protocol, vnode_t **accessvpp)
{
	for (size_t i = 0; i < sizeof(sockparams) / sizeof(sockparams[0]); i++) {
		const sockparams_t *sp = &sockparams[i];
		if (sp->sp_family == family && sp->sp_type == type && sp->sp_protocol == protocol)
			return lookupname(sp->sp_path, accessvpp) != 0 ? EPROTONOSUPPORT : 0;
	}
	return lookup_error(family, type);
}

/* ---- names of AF_UNIX sockets ---- */

sonode_t *so_ux_lookup(const char *path)
{
	sonode_t *so = ux_bound;

	while (so != NULL && strcmp(so->so_laddr.soa_sun.sun_path, path) != 0)
		so = so->so_ux_next;
	return so;
}

void so_ux_name(const so_ux_addr_t *ux, soaddr_t *name)
{
	const sonode_t *so = ux_bound;

	while (so != NULL && SOTOV(so) != ux->soua_vp)
		so = so->so_ux_next;
	memset(name, 0, sizeof(*name));
	name->soa_sa.sa_family = AF_UNIX;
	name->soa_len = sizeof(uint16_t);
	if (so != NULL && ux->soua_magic == SOU_MAGIC_EXPLICIT)
		*name = so->so_laddr;
}

int so_ux_insert(sonode_t *so)
{
	if (so_ux_lookup(so->so_laddr.soa_sun.sun_path) != NULL)
		return EADDRINUSE;
	so->so_ux_next = ux_bound;
	ux_bound = so;
	return 0;
}

void so_ux_remove(sonode_t *so)
{
	sonode_t **pp = &ux_bound;

	while (*pp != NULL && *pp != so)
		pp = &(*pp)->so_ux_next;
	if (*pp != NULL)
		*pp = so->so_ux_next;
}
