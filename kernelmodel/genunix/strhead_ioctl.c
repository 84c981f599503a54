/*
 * ioctl(2) on a stream (streamio(7I)).
 *
 * strioctl() is one function with one frame: what it calls for a command
 * (qattach for I_PUSH, strdoioctl for what goes down) is seen called from it.
 * The pieces below it are therefore inline.  Commands of terminals, keyboards
 * and mice become I_STR-like requests of a size known to the head, by groups of
 * equal treatment (conv_table); each group sends from a call site of its own.
 * What the head does not know goes down as a transparent ioctl.
 */
#include "genunix/strhead.h"
#include "sys/filio.h"
#include "sys/kbio.h"
#include "sys/msio.h"
#include "sys/poll.h"
#include "sys/signal.h"
#include "sys/termios.h"
#include "sys/ttold.h"
#include "sys/vuid_event.h"

#include <string.h>

/* ---- conversion of terminal, keyboard and mouse commands ---- */

enum conv_group {
	CONV_NONE,
	CONV_VALUE, /* the argument itself is an int */
	CONV_TERMIO,
	CONV_TERMIOS,
	CONV_LDSETT,
	CONV_SGTTYB,
	CONV_STI,
	CONV_WINSIZE,
	CONV_TTYSIZE,
	CONV_INT, /* int * */
	CONV_KEY,
	CONV_KEYMAP,
	CONV_LED,
	CONV_MSPARMS,
	CONV_VUIDADDR,
	CONV_GET, /* nothing goes down, the answer goes to arg */
};

struct conv {
	int cmd;
	enum conv_group group;
	int len;
};

#define INT_CONV(cmd)                      \
	{                                  \
		cmd, CONV_INT, sizeof(int) \
	}
#define GET_CONV(cmd)            \
	{                        \
		cmd, CONV_GET, 0 \
	}

static const struct conv conv_table[] = {
    {TCXONC, CONV_VALUE, sizeof(int)},
    {TCSBRK, CONV_VALUE, sizeof(int)},
    {TCFLSH, CONV_VALUE, sizeof(int)},
    {TCDSET, CONV_VALUE, sizeof(int)},
    {TCSETA, CONV_TERMIO, sizeof(struct termio)},
    {TCSETAW, CONV_TERMIO, sizeof(struct termio)},
    {TCSETAF, CONV_TERMIO, sizeof(struct termio)},
    {TCSETS, CONV_TERMIOS, sizeof(struct termios)},
    {TCSETSW, CONV_TERMIOS, sizeof(struct termios)},
    {TCSETSF, CONV_TERMIOS, sizeof(struct termios)},
    {LDSETT, CONV_LDSETT, sizeof(struct termcb)},
    {TIOCSETP, CONV_SGTTYB, sizeof(struct sgttyb)},
    {TIOCSTI, CONV_STI, 1},
    {TIOCSWINSZ, CONV_WINSIZE, sizeof(struct winsize)},
    {TIOCSSIZE, CONV_TTYSIZE, sizeof(struct ttysize)},
    INT_CONV(TIOCSSOFTCAR),
    INT_CONV(KIOCTRANS),
    INT_CONV(KIOCTRANSABLE),
    INT_CONV(KIOCCMD),
    INT_CONV(KIOCSDIRECT),
    INT_CONV(KIOCSCOMPAT),
    INT_CONV(KIOCSKABORTEN),
    INT_CONV(KIOCSRPTDELAY),
    INT_CONV(KIOCSRPTRATE),
    INT_CONV(VUIDSFORMAT),
    INT_CONV(TIOCSPPS),
    {KIOCSETKEY, CONV_KEY, sizeof(struct kiockey)},
    {KIOCGETKEY, CONV_KEY, sizeof(struct kiockey)},
    {KIOCSKEY, CONV_KEYMAP, sizeof(struct kiockeymap)},
    {KIOCGKEY, CONV_KEYMAP, sizeof(struct kiockeymap)},
    {KIOCSLED, CONV_LED, 1},
    {MSIOSETPARMS, CONV_MSPARMS, sizeof(Ms_parms)},
    {VUIDSADDR, CONV_VUIDADDR, sizeof(Vuid_addr_probe)},
    {VUIDGADDR, CONV_VUIDADDR, sizeof(Vuid_addr_probe)},
    GET_CONV(TIOCGSOFTCAR),
    GET_CONV(TIOCGWINSZ),
    GET_CONV(TIOCGSIZE),
    GET_CONV(KIOCGTRANS),
    GET_CONV(KIOCGTRANSABLE),
    GET_CONV(KIOCTYPE),
    GET_CONV(KIOCGDIRECT),
    GET_CONV(KIOCGCOMPAT),
    GET_CONV(KIOCLAYOUT),
    GET_CONV(KIOCGLED),
    GET_CONV(MSIOGETPARMS),
    GET_CONV(MSIOBUTTONS),
    GET_CONV(VUIDGFORMAT),
    GET_CONV(TIOCGPPS),
    GET_CONV(TIOCGPPSEV),
    GET_CONV(TCGETA),
    GET_CONV(TCGETS),
    GET_CONV(LDGETT),
    GET_CONV(TIOCGETP),
    GET_CONV(KIOCGRPTDELAY),
    GET_CONV(KIOCGRPTRATE),
};

ALWAYS_INLINE const struct conv *conv_find(int cmd)
{
	for (size_t i = 0; i < sizeof(conv_table) / sizeof(conv_table[0]); i++)
		if (conv_table[i].cmd == cmd)
			return &conv_table[i];
	return NULL;
}

/* Commands of this class byte are of devices whose arguments the head may know. */
ALWAYS_INLINE bool conv_class(int cmd)
{
	switch (cmd & 0xff00) {
	case _TIOC:
	case tIOC:
	case LDIOC:
	case KIOC:
	case MSIOC:
	case VUIOC:
		return true;
	default:
		return false;
	}
}

/* ---- who may do what ---- */

/* Job control of a command: what kind of access to the terminal it is. */
static enum jcaccess ioctl_access(int cmd)
{
	switch (cmd) {
	case I_RECVFD:
	case I_PEEK:
		return JCREAD;
	case I_FDINSERT:
	case I_SENDFD:
	case TIOCSTI:
		return JCWRITE;
	case TCSETA:
	case TCSETAW:
	case TCSETAF:
	case TCSBRK:
	case TCXONC:
	case TCFLSH:
	case TCDSET:
	case TCSETS:
	case TCSETSW:
	case TCSETSF:
	case TIOCSETD:
	case TIOCHPCL:
	case TIOCSETP:
	case TIOCSETN:
	case TIOCEXCL:
	case TIOCNXCL:
	case TIOCFLUSH:
	case TIOCSETC:
	case TIOCLBIS:
	case TIOCLBIC:
	case TIOCLSET:
	case TIOCSBRK:
	case TIOCCBRK:
	case TIOCSDTR:
	case TIOCCDTR:
	case TIOCSLTC:
	case TIOCSTOP:
	case TIOCSTART:
	case TIOCSPGRP:
	case TIOCSWINSZ:
	case TIOCSSIZE:
	case LDCLOSE:
	case LDCHG:
	case LDSETT:
	case I_STR: /* the command it carries decides */
	case I_PUSH:
	case __I_PUSH_NOCTTY:
	case I_POP:
	case I_FLUSH:
	case I_FLUSHBAND:
	case I_SRDOPT:
	case I_SWROPT:
	case I_SETCLTIME:
	case I_LINK:
	case I_UNLINK:
	case I_PLINK:
	case I_PUNLINK:
	case I_ANCHOR:
	case I_SERROPT:
		return JCSETP;
	default:
		return JCGETP;
	}
}

/* Commands that only look at the read side: a write error does not matter to them. */
static bool ioctl_readish(int cmd)
{
	switch (cmd) {
	case I_NREAD:
	case FIONREAD:
	case FIORDCHK:
	case I_PEEK:
	case I_RECVFD:
	case I_CKBAND:
	case I_GETBAND:
	case I_ATMARK:
	case I_SRDOPT:
	case I_GRDOPT:
	case I_LOOK:
	case I_FIND:
	case I_LIST:
		return true;
	default:
		return false;
	}
}

/* ---- copies ---- */

#define copyin_obj(arg, objp, copyflag) ioc_in((const void *)(arg), objp, sizeof(*(objp)), copyflag)
#define copyout_obj(objp, arg, copyflag) ioc_out(objp, (void *)(arg), sizeof(*(objp)), copyflag)

ALWAYS_INLINE int ioc_in(const void *addr, void *buf, size_t n, int copyflag)
{
	if (copyflag & K_TO_K) {
		memcpy(buf, addr, n);
		return 0;
	}
	return copyin(addr, buf, n) != 0 ? EFAULT : 0;
}

ALWAYS_INLINE int ioc_out(const void *buf, void *addr, size_t n, int copyflag)
{
	if (copyflag & K_TO_K) {
		memcpy(addr, buf, n);
		return 0;
	}
	return copyout(buf, addr, n) != 0 ? EFAULT : 0;
}

/* A module name of the program. */
static int copyin_modname(intptr_t arg, char *name, int copyflag)
{
	int error = 0;

	if (copyflag & K_TO_K)
		error = strnlen((const char *)arg, FMNAMESZ + 1) > FMNAMESZ ? EINVAL : 0;
	else
		error = copyinstr((const char *)arg, name, FMNAMESZ + 1, NULL);
	if (error == 0 && (copyflag & K_TO_K))
		memcpy(name, (const char *)arg, strlen((const char *)arg) + 1);
	return error == 0 || error == EFAULT ? error : EINVAL;
}

/* ---- modules of the stream ---- */

ALWAYS_INLINE const char *modname(const queue_t *q)
{
	return q->q_qinfo->qi_minfo->mi_idname;
}

/* Push a module: the reserved stream is given back here too. */
ALWAYS_INLINE int ioc_push(stdata_t *stp, vnode_t *vp, intptr_t arg, int flag, int copyflag, bool ctty, cred_t *cr)
{
	char name[FMNAMESZ + 1];
	dev_t dev = vp->v_rdev;
	const fmodsw_t *fp;
	int error;

	if (stp->sd_flag & STRHUP)
		return ENXIO;
	error = copyin_modname(arg, name, copyflag);
	if (error != 0)
		return error;
	fp = fmodsw_find(name);
	if (fp == NULL)
		return EINVAL;
	error = strstartplumb(stp, flag);
	if (error != 0)
		return error;
	if (stp->sd_pushcnt >= NSTRPUSH)
		error = EINVAL;
	else
		error = qattach(_RD(stp->sd_wrq), &dev, 0, cr, fp, NULL);
	if (error == 0) {
		strqbelow(stp);
		if ((stp->sd_flag & STRISTTY) && vp->v_type == VCHR && ctty)
			(void)stralloctty(stp);
	}
	strendplumb(stp);
	return error;
}

ALWAYS_INLINE int ioc_pop(stdata_t *stp, int flag, cred_t *cr)
{
	int error;

	if (stp->sd_flag & STRHUP)
		return ENXIO;
	error = strstartplumb(stp, flag);
	if (error != 0)
		return error;
	if (stp->sd_pushcnt == 0) {
		error = EINVAL;
	} else if (stp->sd_anchor == stp->sd_pushcnt && cr->cr_uid != 0) {
		error = EPERM;
	} else {
		if (stp->sd_anchor == stp->sd_pushcnt)
			stp->sd_anchor--;
		qdetach(_RD(stp->sd_wrq->q_next), 1, flag, cr);
		strqbelow(stp);
	}
	strendplumb(stp);
	return error;
}

ALWAYS_INLINE int ioc_look(const stdata_t *stp, intptr_t arg, int copyflag)
{
	char name[FMNAMESZ + 1] = "";

	if (stp->sd_pushcnt == 0)
		return EINVAL;
	strncpy(name, modname(stp->sd_wrq->q_next), FMNAMESZ);
	return ioc_out(name, (void *)arg, strlen(name) + 1, copyflag);
}

ALWAYS_INLINE int ioc_find(const stdata_t *stp, intptr_t arg, int copyflag, int *rvalp)
{
	char name[FMNAMESZ + 1];
	const queue_t *q = stp->sd_wrq;
	int error = copyin_modname(arg, name, copyflag);

	if (error != 0)
		return error;
	if (fmodsw_find(name) == NULL)
		return EINVAL;
	*rvalp = 0;
	for (int i = 0; i < stp->sd_pushcnt && *rvalp == 0; i++) {
		q = q->q_next;
		*rvalp = strncmp(modname(q), name, FMNAMESZ) == 0;
	}
	return 0;
}

/* Names of modules and driver, top first, as many as the program has room for. */
ALWAYS_INLINE int ioc_list(const stdata_t *stp, intptr_t arg, int copyflag, int *rvalp)
{
	int have = stp->sd_pushcnt + (stp->sd_flag & STRMATE ? 0 : 1), n, error;
	const queue_t *q = stp->sd_wrq;
	struct str_list list;

	if (arg == 0) {
		*rvalp = have;
		return 0;
	}
	error = copyin_obj(arg, &list, copyflag);
	if (error != 0)
		return error;
	if (list.sl_nmods <= 0)
		return EINVAL;
	n = MIN(list.sl_nmods, have);
	for (int i = 0; i < n && error == 0; i++) {
		struct str_mlist name = {""};

		q = q->q_next;
		strncpy(name.l_name, modname(q), FMNAMESZ);
		error = copyout_obj(&name, &list.sl_modlist[i], copyflag);
	}
	list.sl_nmods = n;
	if (error == 0)
		error = copyout_obj(&list, arg, copyflag);
	*rvalp = n;
	return error;
}

/* ---- the read queue ---- */

static int readq_count(const queue_t *q)
{
	size_t n = 0;

	for (const mblk_t *mp = q->q_first; mp != NULL; mp = mp->b_next)
		n += msgdsize(mp);
	return (int)n;
}

static int readq_msgs(const queue_t *q)
{
	int n = 0;

	for (const mblk_t *mp = q->q_first; mp != NULL; mp = mp->b_next)
		n += DB_TYPE(mp) != M_SIG;
	return n;
}

ALWAYS_INLINE int ioc_nread(const queue_t *q, intptr_t arg, int copyflag, int *rvalp)
{
	const mblk_t *mp = q->q_first;
	int size;

	while (mp != NULL && DB_TYPE(mp) == M_SIG)
		mp = mp->b_next;
	size = mp == NULL ? 0 : (int)msgdsize(mp);
	*rvalp = readq_msgs(q);
	return copyout_obj(&size, arg, copyflag);
}

/* Copy one part of a message that stays queued: its leading blocks of one kind. */
static const mblk_t *peek_part(const mblk_t *bp, bool ctl, struct strbuf *buf, int copyflag, int *errorp)
{
	int room = buf->maxlen;

	buf->len = -1;
	for (; bp != NULL && (DB_TYPE(bp) != M_DATA) == ctl; bp = bp->b_cont) {
		int n = (int)MIN((ssize_t)MAX(room, 0), MBLKL(bp));

		if (buf->maxlen < 0)
			continue;
		buf->len = MAX(buf->len, 0);
		*errorp = ioc_out(bp->b_rptr, buf->buf + buf->len, (size_t)n, copyflag);
		if (*errorp != 0)
			return NULL;
		buf->len += n;
		room -= n;
	}
	return bp;
}

ALWAYS_INLINE int ioc_peek(const queue_t *q, intptr_t arg, int copyflag, int *rvalp)
{
	const mblk_t *bp = q->q_first;
	struct strpeek peek;
	int error = copyin_obj(arg, &peek, copyflag);

	if (error != 0)
		return error;
	if (peek.flags & ~(uint_t)RS_HIPRI)
		return EINVAL;
	while (bp != NULL && DB_TYPE(bp) == M_SIG)
		bp = bp->b_next;
	*rvalp = 0;
	if (bp == NULL || ((peek.flags & RS_HIPRI) && queclass(bp) != QPCTL))
		return 0;
	if (DB_TYPE(bp) == M_PASSFP)
		return EBADMSG;
	peek.flags = queclass(bp) == QPCTL ? RS_HIPRI : 0;
	bp = peek_part(bp, true, &peek.ctlbuf, copyflag, &error);
	if (error == 0)
		(void)peek_part(bp, false, &peek.databuf, copyflag, &error);
	if (error == 0)
		error = copyout_obj(&peek, arg, copyflag);
	*rvalp = error == 0;
	return error;
}

ALWAYS_INLINE bool bad_band(intptr_t band)
{
	return band < 0 || band >= NBAND;
}

/* Is a message of the band queued? */
ALWAYS_INLINE int ioc_ckband(const queue_t *q, intptr_t band, int *rvalp)
{
	if (bad_band(band))
		return EINVAL;
	*rvalp = 0;
	for (const mblk_t *mp = q->q_first; mp != NULL && *rvalp == 0; mp = mp->b_next)
		*rvalp = queclass(mp) == QNORM && mp->b_band == band;
	return 0;
}

ALWAYS_INLINE int ioc_getband(const queue_t *q, intptr_t arg, int copyflag)
{
	int band;

	if (q->q_first == NULL)
		return ENODATA;
	band = q->q_first->b_band;
	return copyout_obj(&band, arg, copyflag);
}

ALWAYS_INLINE int ioc_atmark(const stdata_t *stp, const queue_t *q, intptr_t arg, int *rvalp)
{
	const mblk_t *mp = q->q_first;

	if ((arg & ~(ANYMARK | LASTMARK)) != 0 || arg == 0)
		return EINVAL;
	*rvalp = mp != NULL && (mp->b_flag & MSGMARK) && ((arg & ANYMARK) || mp == stp->sd_mark);
	return 0;
}

/* Could a message of the band be sent now? */
ALWAYS_INLINE int ioc_canput(stdata_t *stp, intptr_t band, int *rvalp)
{
	if (bad_band(band))
		return EINVAL;
	*rvalp = stp->sd_wrq->q_next != NULL && bcanputnext(stp->sd_wrq, (uchar_t)band);
	return 0;
}

/* ---- options ---- */

ALWAYS_INLINE int ioc_srdopt(stdata_t *stp, intptr_t opt)
{
	intptr_t mode = opt & RMODEMASK, prot = opt & RPROTMASK;

	if ((opt & ~(intptr_t)(RMODEMASK | RPROTMASK | RFLUSHMASK)) != 0 || mode == RMODEMASK)
		return EINVAL;
	if (prot != 0 && prot != RPROTDAT && prot != RPROTDIS && prot != RPROTNORM)
		return EINVAL;
	stp->sd_read_opt &= ~(uint_t)(RD_MSGDIS | RD_MSGNODIS | RFLUSHPCPROT);
	stp->sd_read_opt |= mode == RMSGD ? RD_MSGDIS : mode == RMSGN ? RD_MSGNODIS : 0;
	stp->sd_read_opt |= opt & RFLUSHMASK ? RFLUSHPCPROT : 0;
	if (prot != 0) {
		stp->sd_read_opt &= ~(uint_t)(RD_PROTDAT | RD_PROTDIS);
		stp->sd_read_opt |= prot == RPROTDAT ? RD_PROTDAT : prot == RPROTDIS ? RD_PROTDIS : 0;
	}
	return 0;
}

ALWAYS_INLINE int ioc_grdopt(const stdata_t *stp, intptr_t arg, int copyflag)
{
	uint_t is = stp->sd_read_opt;
	int opt = is & RD_MSGDIS ? RMSGD : is & RD_MSGNODIS ? RMSGN : RNORM;

	opt |= is & RD_PROTDAT ? RPROTDAT : is & RD_PROTDIS ? RPROTDIS : RPROTNORM;
	opt |= is & RFLUSHPCPROT ? RFLUSHMASK : 0;
	return copyout_obj(&opt, arg, copyflag);
}

ALWAYS_INLINE int ioc_swropt(stdata_t *stp, intptr_t opt)
{
	if (opt & ~(intptr_t)(SNDZERO | SNDPIPE))
		return EINVAL;
	stp->sd_wput_opt &= ~(uint_t)(SW_SNDZERO | SW_SIGPIPE);
	stp->sd_wput_opt |= (opt & SNDZERO ? SW_SNDZERO : 0u) | (opt & SNDPIPE ? SW_SIGPIPE : 0u);
	return 0;
}

ALWAYS_INLINE int ioc_gwropt(const stdata_t *stp, intptr_t arg, int copyflag)
{
	int opt = (stp->sd_wput_opt & SW_SNDZERO ? SNDZERO : 0) | (stp->sd_wput_opt & SW_SIGPIPE ? SNDPIPE : 0);

	return copyout_obj(&opt, arg, copyflag);
}

#define RERRMASK (RERRNORM | RERRNONPERSIST)
#define WERRMASK (WERRNORM | WERRNONPERSIST)

ALWAYS_INLINE int ioc_serropt(stdata_t *stp, intptr_t opt)
{
	if ((opt & ~(intptr_t)(RERRMASK | WERRMASK)) != 0 || (opt & RERRMASK) == RERRMASK ||
	    (opt & WERRMASK) == WERRMASK)
		return EINVAL;
	stp->sd_flag &= ~(uint_t)(STRDERRNONPERSIST | STWRERRNONPERSIST);
	stp->sd_flag |=
	    (opt & RERRNONPERSIST ? STRDERRNONPERSIST : 0u) | (opt & WERRNONPERSIST ? STWRERRNONPERSIST : 0u);
	return 0;
}

ALWAYS_INLINE int ioc_gerropt(const stdata_t *stp, intptr_t arg, int copyflag)
{
	int opt = (stp->sd_flag & STRDERRNONPERSIST ? RERRNONPERSIST : RERRNORM) |
		  (stp->sd_flag & STWRERRNONPERSIST ? WERRNONPERSIST : WERRNORM);

	return copyout_obj(&opt, arg, copyflag);
}

ALWAYS_INLINE int ioc_setcltime(stdata_t *stp, intptr_t arg, int copyflag)
{
	int ms, error = copyin_obj(arg, &ms, copyflag);

	if (error == 0 && ms < 0)
		error = EINVAL;
	if (error == 0)
		stp->sd_closetime = ms;
	return error;
}

ALWAYS_INLINE int ioc_getcltime(const stdata_t *stp, intptr_t arg, int copyflag)
{
	int ms = (int)stp->sd_closetime;

	return copyout_obj(&ms, arg, copyflag);
}

/* ---- signals ---- */

/* May the caller have process (or group, negative) pid get this stream's signals? */
static int sig_target(pid_t pid)
{
	if (pid > 0) {
		proc_t *p = prfind(pid);

		if (p == NULL)
			return ESRCH;
		return p->p_sid == curproc->p_sid || curproc->p_cred->cr_uid == 0 ? 0 : EPERM;
	}
	for (proc_t *p = proc_next(NULL); p != NULL; p = proc_next(p))
		if (p->p_pgrp == -pid)
			return p->p_sid == curproc->p_sid || curproc->p_cred->cr_uid == 0 ? 0 : EPERM;
	return ESRCH;
}

ALWAYS_INLINE int ioc_esetsig(stdata_t *stp, intptr_t arg, int copyflag)
{
	struct strsigset ss;
	int error = copyin_obj(arg, &ss, copyflag);

	if (error != 0)
		return error;
	if (ss.ss_pid == 0)
		ss.ss_pid = curproc->p_pid;
	else if (ss.ss_events != 0 && (error = sig_target(ss.ss_pid)) != 0)
		return error;
	return strsetsig(stp, ss.ss_pid, ss.ss_events);
}

ALWAYS_INLINE int ioc_getsig(stdata_t *stp, intptr_t arg, int copyflag)
{
	int events = strgetsig(stp, curproc->p_pid);

	return events == 0 ? EINVAL : copyout_obj(&events, arg, copyflag);
}

ALWAYS_INLINE int ioc_egetsig(stdata_t *stp, intptr_t arg, int copyflag)
{
	struct strsigset ss;
	int error = copyin_obj(arg, &ss, copyflag);

	if (error != 0)
		return error;
	ss.ss_events = strgetsig(stp, ss.ss_pid == 0 ? curproc->p_pid : ss.ss_pid);
	return ss.ss_events == 0 ? EINVAL : copyout_obj(&ss, arg, copyflag);
}

/* ---- flushing ---- */

/*
 * Wait for what was sent down before to have travelled: an ioctl that nobody
 * knows follows it, and comes back as M_IOCNAK.
 */
#define FOLLOW(stp, flag, cr)                                                                 \
	do {                                                                                  \
		struct strioctl follow = {.ic_cmd = -1};                                      \
		int follow_rval;                                                              \
                                                                                              \
		(void)strdoioctl(stp, &follow, flag, K_TO_K | STR_BOUNDED, cr, &follow_rval); \
		CALL_SITE(__LINE__);                                                          \
	} while (0)

ALWAYS_INLINE int ioc_flush(stdata_t *stp, intptr_t arg, int flag, cred_t *cr)
{
	int error;

	if ((arg & ~(intptr_t)FLUSHRW) != 0 || arg == 0)
		return EINVAL;
	if (stp->sd_flag & STRHUP)
		return ENXIO;
	while (!putnextctl1(stp->sd_wrq, M_FLUSH, (int)arg)) {
		error = strwaitbuf(1, BPRI_HI);
		if (error != 0)
			return error;
	}
	FOLLOW(stp, flag, cr);
	return 0;
}

ALWAYS_INLINE int ioc_flushband(stdata_t *stp, intptr_t arg, int flag, int copyflag, cred_t *cr)
{
	struct bandinfo bi;
	int error = copyin_obj(arg, &bi, copyflag);
	mblk_t *mp;

	if (error != 0)
		return error;
	if ((bi.bi_flag & ~FLUSHRW) != 0 || bi.bi_flag == 0)
		return EINVAL;
	if (stp->sd_flag & STRHUP)
		return ENXIO;
	mp = allocb_wait(2, BPRI_HI, 0, &error);
	if (mp == NULL)
		return error;
	DB_TYPE(mp) = M_FLUSH;
	*mp->b_wptr++ = (uchar_t)(bi.bi_flag | FLUSHBAND);
	*mp->b_wptr++ = bi.bi_pri;
	putnext(stp->sd_wrq, mp);
	FOLLOW(stp, flag, cr);
	return 0;
}

/* ---- descriptors through a pipe ---- */

/* What an M_PASSFP carries; the open file goes back with the block unless it was taken. */
struct passfp {
	frtn_t frtn;
	file_t *fp;
	uid_t uid;
	gid_t gid;
};

static void passfp_free(char *arg)
{
	struct passfp *pass = (struct passfp *)(void *)arg;

	if (pass->fp != NULL)
		(void)closef(pass->fp);
	kmem_free(pass, sizeof(*pass));
}

/* A message that holds fp (whose reference it takes over), or NULL. */
static mblk_t *passfp_alloc(file_t *fp, const cred_t *cr)
{
	struct passfp *pass = kmem_zalloc(sizeof(*pass), KM_NOSLEEP);
	mblk_t *mp;

	if (pass == NULL)
		return NULL;
	pass->frtn.free_func = passfp_free;
	pass->frtn.free_arg = (char *)pass;
	pass->uid = cr->cr_uid;
	pass->gid = cr->cr_gid;
	mp = desballoc((uchar_t *)pass, sizeof(*pass), BPRI_MED, &pass->frtn);
	if (mp == NULL) {
		kmem_free(pass, sizeof(*pass));
		return NULL;
	}
	pass->fp = fp;
	mp->b_wptr += sizeof(*pass);
	DB_TYPE(mp) = M_PASSFP;
	return mp;
}

/* The read queue of the other end's head, or NULL when the stream is no pipe. */
ALWAYS_INLINE queue_t *mate_rq(const stdata_t *stp)
{
	return stp->sd_mate == NULL ? NULL : _RD(stp->sd_mate->sd_wrq);
}

ALWAYS_INLINE int ioc_sendfd(stdata_t *stp, intptr_t arg, cred_t *cr)
{
	queue_t *rq = mate_rq(stp);
	file_t *fp;
	mblk_t *mp;

	if (stp->sd_flag & STRHUP)
		return ENXIO;
	if (rq == NULL)
		return EINVAL;
	fp = getf((int)arg);
	if (fp == NULL)
		return EBADF;
	mp = rq->q_flag & QFULL ? NULL : passfp_alloc(fp, cr);
	if (mp == NULL) {
		releasef(fp);
		return EAGAIN;
	}
	put(rq, mp);
	return 0;
}

/* Give the received file a descriptor of the caller. */
static int take_fd(struct passfp *pass, intptr_t arg, int copyflag)
{
	struct strrecvfd rfd = {.uid = pass->uid, .gid = pass->gid};
	int error = ufalloc(curproc, 0, &rfd.fd);

	if (error != 0)
		return error;
	error = copyout_obj(&rfd, arg, copyflag);
	if (error != 0) {
		setf(rfd.fd, NULL);
		return error;
	}
	setf(rfd.fd, pass->fp);
	pass->fp = NULL;
	return 0;
}

ALWAYS_INLINE int ioc_recvfd(stdata_t *stp, intptr_t arg, int flag, int copyflag)
{
	queue_t *rq = _RD(stp->sd_wrq);
	int error, done;
	mblk_t *mp;

	strfrontsigs(stp, rq);
	while (rq->q_first == NULL) {
		if (stp->sd_flag & STRHUP)
			return ENXIO;
		error = strwaitq(stp, GETWAIT, -1, flag, -1, &done);
		if (error == 0 && (stp->sd_flag & (STRDERR | STPLEX)))
			error = strgeterr(stp, STRDERR | STPLEX, 0);
		if (error != 0 || done)
			return error;
		strfrontsigs(stp, rq);
	}
	if (DB_TYPE(rq->q_first) != M_PASSFP)
		return EBADMSG;
	mp = getq_noenab(rq);
	error = take_fd((struct passfp *)mp->b_rptr, arg, copyflag);
	if (error != 0) {
		putback(stp, rq, mp, mp->b_band);
		return error;
	}
	qbackenable(rq, mp->b_band);
	freemsg(mp);
	return 0;
}

/* ---- I_FDINSERT ---- */

/* The read queue of the driver (or other head) at the lower end of the stream of descriptor fd. */
static int fdinsert_queue(int fd, queue_t **qp)
{
	file_t *fp = getf(fd);
	stdata_t *stp;
	queue_t *q;
	int error = 0;

	if (fp == NULL)
		return EINVAL;
	stp = fp->f_vnode->v_stream;
	if (stp == NULL) {
		error = EINVAL;
	} else if (stp->sd_flag & (STRDERR | STWRERR | STRHUP | STPLEX)) {
		error = strgeterr(stp, STRDERR | STWRERR | STRHUP | STPLEX, 0);
	} else {
		for (q = stp->sd_wrq; SAMESTR(q);)
			q = q->q_next;
		*qp = _RD(q);
	}
	releasef(fp);
	return error;
}

static int fdinsert_check(const stdata_t *stp, const struct strfdinsert *ins)
{
	ssize_t rmax = stp->sd_qn_maxpsz;

	if (ins->flags & ~(uint_t)RS_HIPRI)
		return EINVAL;
	if (ins->offset < 0 || (size_t)ins->offset % sizeof(void *) != 0 ||
	    (ssize_t)ins->ctlbuf.len < ins->offset + (ssize_t)sizeof(void *))
		return EINVAL;
	if (ins->ctlbuf.len > STRCTLSZ)
		return ERANGE;
	if (ins->databuf.len >= 0 &&
	    (ins->databuf.len < stp->sd_qn_minpsz || (rmax != INFPSZ && ins->databuf.len > rmax)))
		return ERANGE;
	return 0;
}

ALWAYS_INLINE int ioc_fdinsert(stdata_t *stp, intptr_t arg, int flag, int copyflag)
{
	struct strfdinsert ins;
	int error = copyin_obj(arg, &ins, copyflag), done;
	iovec_t iov;
	uio_t uio = {.uio_iov = &iov, .uio_iovcnt = 1, .uio_segflg = UIO_USERSPACE};
	mblk_t *mp, *data;
	queue_t *q = NULL;
	ssize_t size;

	if (stp->sd_flag & STRHUP)
		return ENXIO;
	if (error == 0)
		error = fdinsert_check(stp, &ins);
	if (error == 0)
		error = fdinsert_queue(ins.fildes, &q);
	while (error == 0 && !(ins.flags & RS_HIPRI) && !canputnext(stp->sd_wrq)) {
		error = strwaitq(stp, WRITEWAIT, 0, flag, -1, &done);
		if (error == 0 && (stp->sd_flag & (STWRERR | STRHUP | STPLEX)))
			error = strgeterr(stp, STWRERR | STRHUP | STPLEX, 0);
	}
	if (error == 0)
		error = strmakectl(&ins.ctlbuf, (int)ins.flags, &mp);
	if (error != 0)
		return error;
	memcpy(mp->b_rptr + ins.offset, &q, sizeof(void *));
	size = ins.databuf.len;
	iov = (iovec_t){ins.databuf.buf, size < 0 ? 0 : (size_t)size};
	uio.uio_resid = (ssize_t)iov.iov_len;
	error = strmakedata(&size, &uio, stp, &data);
	if (error != 0) {
		freemsg(mp);
		return error == ENOMEM ? EAGAIN : error;
	}
	linkb(mp, data);
	stream_willservice(stp);
	putnext(stp->sd_wrq, mp);
	stream_runservice(stp);
	return 0;
}

/* ---- the terminal's session ---- */

ALWAYS_INLINE int ioc_tiocgpgrp(const stdata_t *stp, intptr_t arg, int copyflag)
{
	pid_t pgrp = stp->sd_pgidp;

	return stp->sd_sidp == 0 ? ENOTTY : copyout_obj(&pgrp, arg, copyflag);
}

ALWAYS_INLINE int ioc_tiocgsid(const stdata_t *stp, intptr_t arg, int copyflag)
{
	pid_t sid = stp->sd_sidp;

	return stp->sd_sidp == 0 ? ENOTTY : copyout_obj(&sid, arg, copyflag);
}

static bool pgrp_in_session(pid_t pgrp, pid_t sid)
{
	for (proc_t *p = proc_next(NULL); p != NULL; p = proc_next(p))
		if (p->p_pgrp == pgrp)
			return p->p_sid == sid;
	return false;
}

ALWAYS_INLINE int ioc_tiocspgrp(stdata_t *stp, intptr_t arg, int copyflag)
{
	pid_t pgrp;
	int error;

	if (stp->sd_sidp == 0 || stp->sd_sidp != curproc->p_sid)
		return ENOTTY;
	error = copyin_obj(arg, &pgrp, copyflag);
	if (error != 0)
		return error;
	if (pgrp <= 0)
		return EINVAL;
	if (!pgrp_in_session(pgrp, stp->sd_sidp))
		return EPERM;
	stp->sd_pgidp = pgrp;
	return 0;
}

/* Faking input: one's own terminal, open for reading, or privileged. */
ALWAYS_INLINE bool sti_allowed(const stdata_t *stp, int flag, const cred_t *cr)
{
	return cr->cr_uid == 0 || (curproc->p_ctty == stp && (flag & FREAD));
}

/* ---- I_STR ---- */

ALWAYS_INLINE int str_check(const struct strioctl *str)
{
	switch (str->ic_cmd) {
	case I_LINK:
	case I_PLINK:
	case I_UNLINK:
	case I_PUNLINK:
		return EINVAL;
	default:
		return str->ic_len < 0 || str->ic_timout < -1 ? EINVAL : 0;
	}
}

/* ---- the dispatcher ---- */

int strioctl(vnode_t *vp, int cmd, intptr_t arg, int flag, int copyflag, cred_t *cr, int *rvalp)
{
	stdata_t *stp = vp->v_stream;
	queue_t *rq = _RD(stp->sd_wrq);
	struct strioctl str = {.ic_timout = INFTIM, .ic_cmd = cmd, .ic_dp = (char *)arg};
	const struct conv *conv;
	int error = 0, value;

	if (stp->sd_sidp != 0 && cmd != I_STR && (error = straccess(stp, ioctl_access(cmd))) != 0)
		return error;
	if (stp->sd_flag & (STRDERR | STWRERR | STPLEX)) {
		error = strgeterr(stp, ioctl_readish(cmd) ? STRDERR | STPLEX : STRDERR | STWRERR | STPLEX, 0);
		if (error != 0)
			return error;
	}

	switch (cmd) {
	case I_STR:
		if (stp->sd_flag & STRHUP)
			return ENXIO;
		error = copyin_obj(arg, &str, copyflag);
		if (error == 0)
			error = str_check(&str);
		if (error == 0 && stp->sd_sidp != 0)
			error = straccess(stp, ioctl_access(str.ic_cmd));
		if (error != 0)
			return error;
		error = strdoioctl(stp, &str, flag, copyflag, cr, rvalp);
		CALL_SITE(17);
		return error != 0 ? error : copyout_obj(&str, arg, copyflag);

	case I_NREAD:
		return ioc_nread(rq, arg, copyflag, rvalp);
	case FIONREAD:
		value = readq_count(rq);
		return copyout_obj(&value, arg, copyflag);
	case FIORDCHK:
		*rvalp = readq_count(rq);
		return 0;
	case FIONBIO:
	case FIOASYNC:
		return 0;

	case I_PUSH:
		return ioc_push(stp, vp, arg, flag, copyflag, !(flag & FNOCTTY), cr);
	case __I_PUSH_NOCTTY:
		return ioc_push(stp, vp, arg, flag, copyflag, false, cr);
	case I_POP:
		return ioc_pop(stp, flag, cr);
	case I_LOOK:
		return ioc_look(stp, arg, copyflag);
	case I_FIND:
		return ioc_find(stp, arg, copyflag, rvalp);
	case I_LIST:
		return ioc_list(stp, arg, copyflag, rvalp);
	case I_ANCHOR:
		stp->sd_anchor = stp->sd_pushcnt;
		return 0;

	case I_LINK:
	case I_PLINK:
		return mlink(vp, cmd, (int)arg, cr, rvalp);
	case I_UNLINK:
	case I_PUNLINK:
		return munlink(stp, cmd, (int)arg, cr);

	case I_FLUSH:
		return ioc_flush(stp, arg, flag, cr);
	case I_FLUSHBAND:
		return ioc_flushband(stp, arg, flag, copyflag, cr);

	case I_SRDOPT:
		return ioc_srdopt(stp, arg);
	case I_GRDOPT:
		return ioc_grdopt(stp, arg, copyflag);
	case I_SWROPT:
		return ioc_swropt(stp, arg);
	case I_GWROPT:
		return ioc_gwropt(stp, arg, copyflag);
	case I_SERROPT:
		return ioc_serropt(stp, arg);
	case I_GERROPT:
		return ioc_gerropt(stp, arg, copyflag);
	case I_SETCLTIME:
		return ioc_setcltime(stp, arg, copyflag);
	case I_GETCLTIME:
		return ioc_getcltime(stp, arg, copyflag);

	case I_SETSIG:
		return strsetsig(stp, curproc->p_pid, (int)arg);
	case I_GETSIG:
		return ioc_getsig(stp, arg, copyflag);
	case I_ESETSIG:
		return ioc_esetsig(stp, arg, copyflag);
	case I_EGETSIG:
		return ioc_egetsig(stp, arg, copyflag);

	case I_PEEK:
		return ioc_peek(rq, arg, copyflag, rvalp);
	case I_FDINSERT:
		return ioc_fdinsert(stp, arg, flag, copyflag);
	case I_SENDFD:
		return ioc_sendfd(stp, arg, cr);
	case I_RECVFD:
		return ioc_recvfd(stp, arg, flag, copyflag);
	case I_CKBAND:
		return ioc_ckband(rq, arg, rvalp);
	case I_GETBAND:
		return ioc_getband(rq, arg, copyflag);
	case I_ATMARK:
		return ioc_atmark(stp, rq, arg, rvalp);
	case I_CANPUT:
		return ioc_canput(stp, arg, rvalp);

	case TIOCGPGRP:
		return ioc_tiocgpgrp(stp, arg, copyflag);
	case TIOCSPGRP:
		return ioc_tiocspgrp(stp, arg, copyflag);
	case TIOCGSID:
		return ioc_tiocgsid(stp, arg, copyflag);
	default:
		break;
	}

	conv = conv_class(cmd) ? conv_find(cmd) : NULL;
	if (stp->sd_flag & STRHUP)
		return ENXIO;
	str.ic_len = conv == NULL ? 0 : conv->len;
	switch (conv == NULL ? CONV_NONE : conv->group) {
	case CONV_VALUE:
		value = (int)arg;
		str.ic_dp = (char *)&value;
		error = strdoioctl(stp, &str, flag, K_TO_K | STR_BOUNDED, cr, rvalp);
		CALL_SITE(1);
		break;
	case CONV_TERMIO:
		error = strdoioctl(stp, &str, flag, copyflag, cr, rvalp);
		CALL_SITE(2);
		break;
	case CONV_TERMIOS:
		error = strdoioctl(stp, &str, flag, copyflag, cr, rvalp);
		CALL_SITE(3);
		break;
	case CONV_LDSETT:
		error = strdoioctl(stp, &str, flag, copyflag, cr, rvalp);
		CALL_SITE(4);
		break;
	case CONV_SGTTYB:
		error = strdoioctl(stp, &str, flag, copyflag, cr, rvalp);
		CALL_SITE(5);
		break;
	case CONV_STI:
		if (!sti_allowed(stp, flag, cr))
			return EPERM;
		error = strdoioctl(stp, &str, flag, copyflag, cr, rvalp);
		CALL_SITE(6);
		break;
	case CONV_WINSIZE:
		error = strdoioctl(stp, &str, flag, copyflag, cr, rvalp);
		CALL_SITE(7);
		break;
	case CONV_TTYSIZE:
		error = strdoioctl(stp, &str, flag, copyflag, cr, rvalp);
		CALL_SITE(8);
		break;
	case CONV_INT:
		error = strdoioctl(stp, &str, flag, copyflag, cr, rvalp);
		CALL_SITE(9);
		break;
	case CONV_KEY:
		error = strdoioctl(stp, &str, flag, copyflag, cr, rvalp);
		CALL_SITE(10);
		break;
	case CONV_KEYMAP:
		error = strdoioctl(stp, &str, flag, copyflag, cr, rvalp);
		CALL_SITE(11);
		break;
	case CONV_LED:
		error = strdoioctl(stp, &str, flag, copyflag, cr, rvalp);
		CALL_SITE(12);
		break;
	case CONV_MSPARMS:
		error = strdoioctl(stp, &str, flag, copyflag, cr, rvalp);
		CALL_SITE(13);
		break;
	case CONV_VUIDADDR:
		error = strdoioctl(stp, &str, flag, copyflag, cr, rvalp);
		CALL_SITE(14);
		break;
	case CONV_GET:
		error = strdoioctl(stp, &str, flag, copyflag, cr, rvalp);
		CALL_SITE(15);
		break;
	case CONV_NONE:
		str.ic_len = (int)TRANSPARENT;
		str.ic_dp = (char *)&arg;
		error = strdoioctl(stp, &str, flag, copyflag, cr, rvalp);
		CALL_SITE(16);
		break;
	}
	return error;
}
