/*
 * Inside sockets: the sonode, and what the files of sockfs share.
 *
 * A socket is a vnode with a stream of its own on a transport's device (TPI
 * below): v_stream leads to the stream head, v_data to the sonode.
 */
#ifndef STRSIM_SYS_SOCKETVAR_H
#define STRSIM_SYS_SOCKETVAR_H

#include "sys/socket.h"
#include "sys/stream.h"
#include "sys/strsubr.h"
#include "sys/stropts.h"
#include "sys/tihdr.h"
#include "sys/vnode.h"
#include "sys/file.h"

/* Flags in the open of a transport's device: a socket's stream, and one made to take a connection in accept. */
#define SO_ACCEPTOR 0x20000
#define SO_SOCKSTR 0x40000

/* An address in a buffer that is big enough for any of the family. */
#define SO_MAXADDR 112
typedef struct soaddr {
	union {
		struct sockaddr soa_sa;
		struct sockaddr_in soa_sin;
		struct sockaddr_un soa_sun;
		char soa_buf[SO_MAXADDR];
	};
	socklen_t_ soa_len;
} soaddr_t;

/* What AF_UNIX transports take as an address: the socket's vnode, or a magic number for one without a name. */
typedef struct so_ux_addr {
	struct vnode *soua_vp;
	uint32_t soua_magic;
	uint32_t soua_zero; /* addresses are compared as bytes: no gap */
} so_ux_addr_t;
#define SOU_MAGIC_IMPLICIT 0x616e6f6e
#define SOU_MAGIC_EXPLICIT 0x75787670

typedef struct sonode {
	struct vnode *so_vnode;
	struct vnode *so_accessvp; /* device node it was opened through */
	dev_t so_dev;
	uint_t so_flag;  /* SOLOCKED ... */
	uint_t so_state; /* SS_... */
	uint_t so_mode;  /* SM_... */
	short so_family, so_type, so_protocol, so_version;
	ushort_t so_error; /* for the next call */
	uint_t so_options; /* SO_DEBUG ... SO_DGRAM_ERRIND */
	struct linger so_linger;
	int so_sndbuf, so_rcvbuf, so_sndlowat, so_rcvlowat;
	int so_backlog;
	pid_t so_pgrp;   /* gets SIGURG and SIGPOLL: process, or group when negative */
	uint_t so_count; /* opens */
	soaddr_t so_laddr, so_faddr;
	so_ux_addr_t so_ux_laddr, so_ux_faddr; /* AF_UNIX: the same for the transport */

	/* one TPI exchange at a time */
	kcondvar_t so_want_cv, so_ack_cv;
	mblk_t *so_ack_mp;
	kcondvar_t so_state_cv; /* connecting has ended */

	/* connections that wait for accept, linked by b_next */
	mblk_t *so_conn_ind_head, *so_conn_ind_tail;
	kcondvar_t so_connind_cv;

	/* urgent data */
	uint_t so_oobsigcnt, so_oobcnt; /* announced, arrived */
	mblk_t *so_oobmsg;              /* the urgent byte, when not in line */

	/* of T_CAPABILITY_ACK */
	t_scalar_t so_tsdu_size, so_etsdu_size, so_addr_size, so_opt_size, so_tidu_size, so_serv_type;
	t_uscalar_t so_acceptor_id;

	void *so_priv; /* the transport's (tcp_t after accept) */

	struct sonode *so_ux_next; /* bound AF_UNIX names */
} sonode_t;

/* so_flag */
#define SOLOCKED 0x01
#define SOWANT 0x02

/* so_state */
#define SS_ISCONNECTED 0x00000001
#define SS_ISCONNECTING 0x00000002
#define SS_ISDISCONNECTING 0x00000004
#define SS_CANTSENDMORE 0x00000008
#define SS_CANTRCVMORE 0x00000010
#define SS_ISBOUND 0x00000020
#define SS_NDELAY 0x00000040
#define SS_NONBLOCK 0x00000080
#define SS_ASYNC 0x00000100
#define SS_ACCEPTCONN 0x00000200
#define SS_HASCONNIND 0x00000400
#define SS_SAVEDEOR 0x00000800
#define SS_RCVATMARK 0x00001000
#define SS_OOBPEND 0x00002000
#define SS_HAVEOOBDATA 0x00004000
#define SS_HADOOBDATA 0x00008000
#define SS_DIRECT 0x00200000
#define SS_LADDR_VALID 0x01000000

/* so_mode */
#define SM_PRIV 0x01
#define SM_ATOMIC 0x02
#define SM_ADDR 0x04
#define SM_CONNREQUIRED 0x08
#define SM_FDPASSING 0x10
#define SM_EXDATA 0x20
#define SM_OPTDATA 0x40
#define SM_BYTESTREAM 0x80
#define SM_ACCEPTOR_ID 0x100

#define SOV_DEFAULT 2
#define SOTOV(so) ((so)->so_vnode)
#define VTOSO(vp) ((sonode_t *)(vp)->v_data)

/* Is the call not to sleep? */
#define SO_NOWAIT(fmode) (((fmode) & (FNDELAY | FNONBLOCK)) != 0)

/* ---- sockfs/sotpi.c: what the system calls ask of a socket; errno or 0 ---- */

/* A new socket on the transport behind accessvp (its reference is taken over); tso is the listener when the
 * socket is made by accept, whose properties it then has.  NULL and *errorp. */
sonode_t *sotpi_create(vnode_t *accessvp, int domain, int type, int protocol, int version, sonode_t *tso, int *errorp);
/* name NULL: any address.  listening: with room for so_backlog connections. */
int sotpi_bind(sonode_t *so, const struct sockaddr *name, socklen_t_ namelen, int backlog, int listening);
int sotpi_unbind(sonode_t *so);
int sotpi_listen(sonode_t *so, int backlog);
int sotpi_accept(sonode_t *so, int fflag, sonode_t **nsop);
int sotpi_connect(sonode_t *so, const struct sockaddr *name, socklen_t_ namelen, int fflag);
int sotpi_shutdown(sonode_t *so, int how);
int sotpi_sendmsg(sonode_t *so, struct msghdr *msg, uio_t *uiop);
int sotpi_recvmsg(sonode_t *so, struct msghdr *msg, uio_t *uiop);
/* The address that the transport understands for a program's name. */
int so_tpiaddr(const sonode_t *so, const struct sockaddr *name, socklen_t_ namelen, so_ux_addr_t *ux,
	       const void **addrp, socklen_t_ *lenp);
/* Connect two new AF_UNIX sockets with each other; *nsop is the one that takes so1's place (NULL: so1 stays). */
int sotpi_pair(sonode_t *so1, sonode_t *so2, sonode_t **nsop);
int sosend_dgram(sonode_t *so, const struct sockaddr *name, socklen_t_ namelen, uio_t *uiop);
int sotpi_getpeername(sonode_t *so);
int sotpi_getsockname(sonode_t *so);
/* *lenp: room at val, then what was written. */
int sotpi_getsockopt(sonode_t *so, int level, int name, void *val, socklen_t_ *lenp);
int sotpi_setsockopt(sonode_t *so, int level, int name, const void *val, socklen_t_ len);

/* ---- sockfs/sockstr.c: TPI messages ---- */

/* Open the transport's stream and ask it what it is. */
int so_strinit(sonode_t *so, int flag, sonode_t *tso);
strhook_t strsock_proto;
strhook_t strsock_misc;
/* A TPI request of size bytes plus room for more; M_PROTO.  NULL without memory. */
mblk_t *soallocproto(const void *prim, size_t size, size_t more);
void soappendmsg(mblk_t *mp, const void *data, size_t len);
/* Wait for the answer to a request: 0 and the ack (at least minsize bytes), or the error it carried. */
int sowaitprim(sonode_t *so, t_scalar_t request, t_scalar_t ack, size_t minsize, mblk_t **mpp);
int sowaitokack(sonode_t *so, t_scalar_t request);
/* Send a request down: mp is consumed. */
int soputreq(sonode_t *so, mblk_t *mp);
void soflushconnind(sonode_t *so, t_scalar_t seqno);
int tlitosyserr(int terr);

/* ---- sockfs/socksubr.c ---- */
sonode_t *so_alloc(short family, short type, short protocol, short version);
void so_free(sonode_t *so);
void so_lock_single(sonode_t *so);
void so_unlock_single(sonode_t *so);
void soisconnecting(sonode_t *so);
void soisconnected(sonode_t *so);
/* error 0: none. */
void soisdisconnected(sonode_t *so, int error);
void socantrcvmore(sonode_t *so);
void socantsendmore(sonode_t *so);
void soseterror(sonode_t *so, int error);
/* The pending error, taken (clear) or looked at. */
int sogeterr(sonode_t *so, int clear);
void so_oob_sig(sonode_t *so);
void soaddr_set(soaddr_t *sa, const void *addr, socklen_t_ len);
/* Device node of a transport: EAFNOSUPPORT, EPROTONOSUPPORT, EPROTOTYPE or 0. */
int solookup(int family, int type, int protocol, vnode_t **accessvpp);
/* AF_UNIX names: the socket bound to a path, or NULL. */
sonode_t *so_ux_lookup(const char *path);
/* The name that belongs to a transport's address (AF_UNIX). */
void so_ux_name(const so_ux_addr_t *ux, soaddr_t *name);
int so_ux_insert(sonode_t *so);
void so_ux_remove(sonode_t *so);

extern const vnodeops_t socktpi_vnodeops;

#endif
