/*
 * Sockets and TPI: requests to the transport, and what comes up from it.
 *
 * strsock_proto() stands in the stream head's way for M_PROTO and M_PCPROTO.
 * Acknowledgements go to so_ack_mp, where the system call that sent the request
 * waits (sowaitprim; so_lock_single lets only one request be out at a time).
 * Events change the state (socksubr.c).  Only data goes on to the head's queue:
 * T_DATA_IND without its header, T_UNITDATA_IND and the mark T_EXDATA_IND with.
 */
#include <string.h>
#include "sys/errno.h"
#include "sys/poll.h"
#include "sys/signal.h"
#include "sys/socketvar.h"
#include "sys/tiuser.h"

#define POLLREAD (POLLIN | POLLRDNORM)
#define SIGREAD (S_INPUT | S_RDNORM)

/* ---- requests ---- */

mblk_t *soallocproto(const void *prim, size_t size, size_t more)
{
	mblk_t *mp = allocb(size + more, BPRI_MED);

	if (mp == NULL)
		return NULL;
	DB_TYPE(mp) = M_PROTO;
	soappendmsg(mp, prim, size);
	return mp;
}

void soappendmsg(mblk_t *mp, const void *data, size_t len)
{
	if (len > 0)
		memcpy(mp->b_wptr, data, len);
	mp->b_wptr += len;
}

int soputreq(sonode_t *so, mblk_t *mp)
{
	return kstrputmsg(SOTOV(so), mp, NULL, -1, 0, MSG_BAND | MSG_IGNFLOW, 0);
}

static const int tlitosys[] = {
    [0] = 0,
    [TBADADDR] = EADDRNOTAVAIL,
    [TBADOPT] = ENOPROTOOPT,
    [TACCES] = EACCES,
    [TBADF] = EBADF,
    [TNOADDR] = EADDRNOTAVAIL,
    [TOUTSTATE] = EPROTO,
    [TBADSEQ] = ECONNABORTED,
    [TSYSERR] = 0,
    [TLOOK] = EPROTO,
    [TBADDATA] = EMSGSIZE,
    [TBUFOVFLW] = EMSGSIZE,
    [TFLOW] = EPROTO,
    [TNODATA] = EWOULDBLOCK,
    [TNODIS] = EPROTO,
    [TNOUDERR] = EPROTO,
    [TBADFLAG] = EINVAL,
    [TNOREL] = EPROTO,
    [TNOTSUPPORT] = EOPNOTSUPP,
    [TSTATECHNG] = EPROTO,
    [TNOSTRUCTYPE] = EPROTO,
    [TBADNAME] = EINVAL,
    [TBADQLEN] = EPROTO,
    [TADDRBUSY] = EADDRINUSE,
    [TINDOUT] = EPROTO,
    [TPROVMISMATCH] = EPROTO,
    [TRESQLEN] = EPROTO,
    [TRESADDR] = EPROTO,
    [TQFULL] = EPROTO,
    [TPROTO] = EPROTO,
};

int tlitosyserr(int terr)
{
	return terr >= 0 && terr < (int)(sizeof(tlitosys) / sizeof(tlitosys[0])) ? tlitosys[terr] : EPROTO;
}

static int error_ack(const struct T_error_ack *tea)
{
	int error = tea->TLI_error == TSYSERR ? tea->UNIX_error : tlitosyserr(tea->TLI_error);

	return error != 0 ? error : EPROTO;
}

/* Does the message answer the request?  1 yes, 0 no; *errorp is what it says. */
static int is_answer(const mblk_t *mp, t_scalar_t request, t_scalar_t ack, size_t minsize, int *errorp)
{
	const union T_primitives *tp = (const union T_primitives *)mp->b_rptr;
	size_t len = (size_t)MBLKL(mp);

	*errorp = 0;
	if (tp->type == T_ERROR_ACK && len >= sizeof(struct T_error_ack)) {
		*errorp = error_ack(&tp->error_ack);
		return tp->error_ack.ERROR_prim == request;
	}
	if (tp->type != ack || len < minsize)
		return 0;
	return ack != T_OK_ACK || tp->ok_ack.CORRECT_prim == request;
}

int sowaitprim(sonode_t *so, t_scalar_t request, t_scalar_t ack, size_t minsize, mblk_t **mpp)
{
	mblk_t *mp;
	int error;

	for (;;) {
		while ((mp = so->so_ack_mp) == NULL) {
			if (SOTOV(so)->v_stream->sd_flag & STRHUP)
				return EIO;
			/* A module on the stream may have eaten it: then only a signal ends this. */
			if (cv_wait_sig(&so->so_ack_cv) == 0)
				return EINTR;
		}
		so->so_ack_mp = NULL;
		if (is_answer(mp, request, ack, minsize, &error))
			break;
		freemsg(mp); /* late answer to a call that gave up */
	}
	if (error != 0 || mpp == NULL)
		freemsg(mp);
	else
		*mpp = mp;
	return error;
}

int sowaitokack(sonode_t *so, t_scalar_t request)
{
	return sowaitprim(so, request, T_OK_ACK, sizeof(struct T_ok_ack), NULL);
}

/* ---- the stream ---- */

/* What the transport says of itself decides how the socket behaves. */
static int so_setmode(sonode_t *so, const struct T_capability_ack *tca)
{
	const struct T_info_ack *tia = &tca->INFO_ack;

	so->so_tsdu_size = tia->TSDU_size;
	so->so_etsdu_size = tia->ETSDU_size;
	so->so_addr_size = tia->ADDR_size;
	so->so_opt_size = tia->OPT_size;
	so->so_tidu_size = tia->TIDU_size;
	so->so_serv_type = tia->SERV_type;
	so->so_mode = tia->SERV_type == T_CLTS ? SM_ATOMIC | SM_ADDR : SM_CONNREQUIRED;
	/* tl keeps messages apart and has expedited data; sockets of AF_UNIX do neither. */
	if (tia->SERV_type != T_CLTS)
		so->so_mode |= tia->TSDU_size == 0 || so->so_family == AF_UNIX ? SM_BYTESTREAM : SM_ATOMIC;
	if (so->so_family == AF_UNIX)
		so->so_mode |= SM_OPTDATA | SM_FDPASSING;
	else if (tia->ETSDU_size != T_INVALID && tia->ETSDU_size != 0)
		so->so_mode |= SM_EXDATA;
	if (tca->CAP_bits1 & TC1_ACCEPTOR_ID) {
		so->so_mode |= SM_ACCEPTOR_ID;
		so->so_acceptor_id = tca->ACCEPTOR_id;
	}
	if (so->so_type == SOCK_STREAM && !(so->so_mode & SM_CONNREQUIRED))
		return EPROTO;
	return so->so_type == SOCK_DGRAM && (so->so_mode & SM_CONNREQUIRED) ? EPROTO : 0;
}

static int do_tcapability(sonode_t *so)
{
	struct T_capability_req tcr = {T_CAPABILITY_REQ, TC1_INFO | TC1_ACCEPTOR_ID};
	mblk_t *mp = soallocproto(&tcr, sizeof(tcr), 0);
	int error;

	if (mp == NULL)
		return ENOBUFS;
	error = kstrputmsg(SOTOV(so), mp, NULL, -1, 0, MSG_HIPRI, 0);
	if (error == 0)
		error = sowaitprim(so, T_CAPABILITY_REQ, T_CAPABILITY_ACK, sizeof(struct T_capability_ack), &mp);
	if (error != 0)
		return error;
	error = so_setmode(so, (const struct T_capability_ack *)mp->b_rptr);
	freemsg(mp);
	return error;
}

int so_strinit(sonode_t *so, int flag, sonode_t *tso)
{
	vnode_t *vp = SOTOV(so);
	dev_t dev = so->so_accessvp->v_rdev;
	int error;

	error = stropen(vp, &dev, flag | (tso != NULL ? SO_ACCEPTOR : SO_SOCKSTR), curproc->p_cred);
	if (error != 0)
		return error;
	vp->v_rdev = so->so_dev = dev;
	strsetrputhooks(vp, SH_SIGALLDATA | SH_IGN_ZEROLEN | SH_CONSOL_DATA, strsock_proto, strsock_misc);
	error = do_tcapability(so);
	if (error == 0 && !(so->so_mode & SM_BYTESTREAM))
		strsetrputhooks(vp, SH_SIGALLDATA, strsock_proto, strsock_misc);
	if (error != 0)
		(void)strclose(vp, flag, curproc->p_cred);
	return error;
}

/* ---- what comes up ---- */

static void so_ack(sonode_t *so, mblk_t *mp)
{
	freemsg(so->so_ack_mp);
	so->so_ack_mp = mp;
	cv_broadcast(&so->so_ack_cv);
}

static void soqueueconnind(sonode_t *so, mblk_t *mp)
{
	mp->b_next = NULL;
	*(so->so_conn_ind_tail != NULL ? &so->so_conn_ind_tail->b_next : &so->so_conn_ind_head) = mp;
	so->so_conn_ind_tail = mp;
	so->so_state |= SS_HASCONNIND;
	cv_signal(&so->so_connind_cv);
}

/* Drop the waiting connection with this number, all of them for -1. */
void soflushconnind(sonode_t *so, t_scalar_t seqno)
{
	mblk_t *mp, *prev = NULL, *next;

	for (mp = so->so_conn_ind_head; mp != NULL; mp = next) {
		next = mp->b_next;
		if (seqno != -1 && ((struct T_conn_ind *)(void *)mp->b_rptr)->SEQ_number != seqno) {
			prev = mp;
			continue;
		}
		*(prev != NULL ? &prev->b_next : &so->so_conn_ind_head) = next;
		if (so->so_conn_ind_tail == mp)
			so->so_conn_ind_tail = prev;
		mp->b_next = NULL;
		freemsg(mp);
	}
	if (so->so_conn_ind_head == NULL)
		so->so_state &= ~(uint_t)SS_HASCONNIND;
}

/* An address inside a primitive, or NULL when it lies outside of the block. */
static const void *so_getaddr(const mblk_t *mp, t_scalar_t off, t_scalar_t len)
{
	return len > 0 && off >= 0 && MBLKIN(mp, off, len) ? mp->b_rptr + off : NULL;
}

static void so_conn_con(sonode_t *so, mblk_t *mp)
{
	const struct T_conn_con *tcc = (const struct T_conn_con *)mp->b_rptr;
	const void *addr = so_getaddr(mp, tcc->RES_offset, tcc->RES_length);

	if (addr != NULL && so->so_family != AF_UNIX)
		soaddr_set(&so->so_faddr, addr, (socklen_t_)tcc->RES_length);
	so->so_state &= ~(uint_t)SS_LADDR_VALID;
	soisconnected(so);
	freemsg(mp);
}

static void so_discon_ind(sonode_t *so, mblk_t *mp)
{
	const struct T_discon_ind *tdi = (const struct T_discon_ind *)mp->b_rptr;
	int reason = tdi->DISCON_reason;

	/* The end of an AF_UNIX peer is no error: its reader finds the end, its writer a broken pipe. */
	if (so->so_family == AF_UNIX && reason == ECONNRESET && (so->so_state & SS_ISCONNECTED))
		soisdisconnected(so, 0);
	else if (so->so_state & SS_ACCEPTCONN) {
		soflushconnind(so, tdi->SEQ_number);
	} else if (so->so_state & (SS_ISCONNECTING | SS_ISCONNECTED)) {
		bool connecting = (so->so_state & SS_ISCONNECTING) != 0;
		soisdisconnected(so, reason > 0 ? reason : connecting ? ECONNREFUSED : ECONNRESET);
	}
	freemsg(mp);
}

/*
 * A datagram could not be delivered: only a connected socket learns it, of its
 * own peer; but one of AF_UNIX in any case, and from the call that sent it.
 */
static void so_uderror(sonode_t *so, mblk_t *mp)
{
	const struct T_uderror_ind *tue = (const struct T_uderror_ind *)mp->b_rptr;
	const void *addr = so_getaddr(mp, tue->DEST_offset, tue->DEST_length);
	bool mine = (so->so_state & SS_ISCONNECTED) && addr != NULL &&
		    (socklen_t_)tue->DEST_length == so->so_faddr.soa_len &&
		    memcmp(addr, so->so_faddr.soa_buf, MIN(so->so_faddr.soa_len, 8U)) == 0;

	if (tue->ERROR_type != 0 && (mine || so->so_family == AF_UNIX || (so->so_options & SO_DGRAM_ERRIND)))
		soseterror(so, tue->ERROR_type);
	freemsg(mp);
}

/* Urgent data is here: the byte is kept apart, unless it is wanted in line; the indication stays as the mark. */
static mblk_t *so_oob_exdata(sonode_t *so, mblk_t *mp)
{
	if (!(so->so_state & SS_OOBPEND))
		so_oob_sig(so);
	so->so_oobcnt++;
	if (!(so->so_options & SO_OOBINLINE) && mp->b_cont != NULL) {
		freemsg(so->so_oobmsg);
		so->so_oobmsg = unlinkb(mp);
	}
	so->so_state &= ~(uint_t)SS_OOBPEND;
	so->so_state |= SS_HAVEOOBDATA;
	return mp;
}

/* Data without its header; an empty T_DATA_IND says nothing on a byte stream. */
static mblk_t *so_data_ind(mblk_t *mp)
{
	mblk_t *data = unlinkb(mp);

	if (data != NULL) {
		data->b_band = mp->b_band;
		data->b_flag |= mp->b_flag;
	}
	freeb(mp);
	return data;
}

mblk_t *strsock_proto(vnode_t *vp, mblk_t *mp, uint_t *wakeups, uint_t *firstmsgsigs, uint_t *allmsgsigs,
		      uint_t *pollwakeups)
{
	sonode_t *so = VTOSO(vp);
	size_t len = (size_t)MBLKL(mp);

	*wakeups = *firstmsgsigs = *allmsgsigs = *pollwakeups = 0;
	if (len < sizeof(t_scalar_t)) {
		freemsg(mp);
		return NULL;
	}
	switch (((union T_primitives *)(void *)mp->b_rptr)->type) {
	case T_OK_ACK:
	case T_ERROR_ACK:
	case T_BIND_ACK:
	case T_CAPABILITY_ACK:
	case T_INFO_ACK:
	case T_OPTMGMT_ACK:
	case T_ADDR_ACK:
		so_ack(so, mp);
		return NULL;

	case T_DATA_IND:
		*wakeups = RSLEEP;
		*allmsgsigs = SIGREAD;
		*pollwakeups = POLLREAD;
		return so_data_ind(mp);

	case T_UNITDATA_IND:
	case T_OPTDATA_IND:
		if (so->so_state & SS_CANTRCVMORE)
			break;
		*wakeups = RSLEEP;
		*allmsgsigs = SIGREAD;
		*pollwakeups = POLLREAD;
		return mp;

	case T_EXDATA_IND:
		*wakeups = RSLEEP;
		*allmsgsigs = S_INPUT | S_RDBAND;
		*pollwakeups = POLLIN | POLLRDNORM | POLLRDBAND | POLLPRI;
		return so_oob_exdata(so, mp);

	case T_CONN_IND:
		if (len < sizeof(struct T_conn_ind) || !(so->so_state & SS_ACCEPTCONN))
			break;
		soqueueconnind(so, mp);
		*allmsgsigs = SIGREAD;
		*pollwakeups = POLLREAD;
		return NULL;

	case T_CONN_CON:
		if (len < sizeof(struct T_conn_con))
			break;
		so_conn_con(so, mp);
		*wakeups = RSLEEP | WSLEEP;
		*allmsgsigs = S_OUTPUT;
		*pollwakeups = POLLOUT;
		return NULL;

	case T_DISCON_IND:
		if (len < sizeof(struct T_discon_ind))
			break;
		so_discon_ind(so, mp);
		*wakeups = RSLEEP | WSLEEP;
		*allmsgsigs = SIGREAD | S_ERROR;
		*pollwakeups = POLLREAD | POLLOUT;
		return NULL;

	case T_ORDREL_IND:
		socantrcvmore(so);
		*allmsgsigs = SIGREAD;
		*wakeups = RSLEEP;
		break;

	case T_UDERROR_IND:
		if (len < sizeof(struct T_uderror_ind))
			break;
		so_uderror(so, mp);
		return NULL;

	default:
		break;
	}
	freemsg(mp);
	return NULL;
}

mblk_t *strsock_misc(vnode_t *vp, mblk_t *mp, uint_t *wakeups, uint_t *firstmsgsigs, uint_t *allmsgsigs,
		     uint_t *pollwakeups)
{
	sonode_t *so = VTOSO(vp);

	*wakeups = *firstmsgsigs = *allmsgsigs = *pollwakeups = 0;
	switch (DB_TYPE(mp)) {
	case M_PCSIG:
		if (*mp->b_rptr != SIGURG)
			return mp;
		so_oob_sig(so);
		*pollwakeups = POLLPRI | POLLRDBAND;
		*allmsgsigs = S_RDBAND | S_BANDURG;
		freemsg(mp);
		return NULL;

	case M_ERROR:
	case M_HANGUP:
		soisdisconnected(so, DB_TYPE(mp) == M_ERROR && *mp->b_rptr != 0 ? *mp->b_rptr : EIO);
		cv_broadcast(&so->so_ack_cv);
		*wakeups = RSLEEP | WSLEEP;
		return mp;

	default:
		return mp;
	}
}
