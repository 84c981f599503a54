/*
 * STREAMS: messages, queues, module tables and the functions a module calls
 * (STREAMS Programming Guide; intro(9F), putnext(9F), canput(9F), ...).
 *
 * Ownership: a message handed to put, putnext, putq, qreply, freemsg and the
 * like belongs to the callee, whatever it returns, unless said otherwise.
 * Every function here may be called from put and service procedures, open and
 * close, timeouts and interrupts alike; none of them sleeps unless said.
 */
#ifndef STRSIM_SYS_STREAM_H
#define STRSIM_SYS_STREAM_H

#include "sys/types.h"
#include "sys/thread.h"

struct stdata;
struct syncq;
struct fmodsw_impl;
struct queue;

/* ---- messages ---- */

typedef struct free_rtn {
	void (*free_func)(char *);
	char *free_arg;
} frtn_t;

typedef struct datab {
	frtn_t *db_frtnp;
	uchar_t *db_base;
	uchar_t *db_lim;
	uint8_t db_ref;
	uint8_t db_type;
	uint8_t db_flags;
	uint8_t db_struioflag;
	pid_t db_cpid;		/* of the process that wrote it; -1 none */
	uint32_t db_cksumstart, db_cksumend, db_cksumstuff;
	cred_t *db_credp;
	struct msgb *db_mblk;	/* the block allocated with it */
	void *db_cache;		/* allocator's: size class */
	void (*db_free)(struct msgb *, struct datab *);
	void (*db_lastfree)(struct msgb *, struct datab *);
	uint64_t db_stamp;	/* scratch of the owner (send time in tcp) */
} dblk_t;

typedef struct msgb {
	struct msgb *b_next;
	struct msgb *b_prev;
	struct msgb *b_cont;
	uchar_t *b_rptr;
	uchar_t *b_wptr;
	dblk_t *b_datap;
	uint8_t b_band;
	uint8_t b_tag;
	uint16_t b_flag;
	struct queue *b_queue;
} mblk_t;

/* db_type */
#define M_DATA 0x00
#define M_PROTO 0x01
#define M_MULTIDATA 0x02
#define M_BREAK 0x08
#define M_PASSFP 0x09
#define M_EVENT 0x0a
#define M_SIG 0x0b
#define M_DELAY 0x0c
#define M_CTL 0x0d
#define M_IOCTL 0x0e
#define M_SETOPTS 0x10
#define M_RSE 0x11
#define M_IOCACK 0x81
#define M_IOCNAK 0x82
#define M_PCPROTO 0x83
#define M_PCSIG 0x84
#define M_READ 0x85
#define M_FLUSH 0x86
#define M_STOP 0x87
#define M_START 0x88
#define M_HANGUP 0x89
#define M_ERROR 0x8a
#define M_COPYIN 0x8b
#define M_COPYOUT 0x8c
#define M_IOCDATA 0x8d
#define M_PCRSE 0x8e
#define M_STOPI 0x8f
#define M_STARTI 0x90
#define M_PCEVENT 0x91
#define M_UNHANGUP 0x92
#define QNORM 0x00
#define QPCTL 0x80
#define queclass(mp) ((mp)->b_datap->db_type >= QPCTL ? QPCTL : QNORM)
#define datamsg(t) \
	((t) == M_DATA || (t) == M_MULTIDATA || (t) == M_PROTO || (t) == M_PCPROTO || (t) == M_DELAY)

/* b_flag */
#define MSGMARK 0x01
#define MSGNOLOOP 0x02
#define MSGDELIM 0x04
#define MSGMARKNEXT 0x10
#define MSGNOTMARKNEXT 0x20
#define MSGHASREF 0x40

#define DB_BASE(mp) ((mp)->b_datap->db_base)
#define DB_LIM(mp) ((mp)->b_datap->db_lim)
#define DB_REF(mp) ((mp)->b_datap->db_ref)
#define DB_TYPE(mp) ((mp)->b_datap->db_type)
#define DB_CRED(mp) ((mp)->b_datap->db_credp)
#define DB_CREDDEF(mp, cr) (DB_CRED(mp) != NULL ? DB_CRED(mp) : (cr))
#define DB_CPID(mp) ((mp)->b_datap->db_cpid)
#define MBLKL(mp) ((mp)->b_wptr - (mp)->b_rptr)
#define MBLKSIZE(mp) ((mp)->b_datap->db_lim - (mp)->b_datap->db_base)
#define MBLKHEAD(mp) ((mp)->b_rptr - (mp)->b_datap->db_base)
#define MBLKTAIL(mp) ((mp)->b_datap->db_lim - (mp)->b_wptr)
#define MBLKIN(mp, off, len) (((off) <= MBLKL(mp)) && (((mp)->b_rptr + (off) + (len)) <= (mp)->b_wptr))
#define OFFSET_ALIGNED(p) (((uintptr_t)(p)&3) == 0)

#define BPRI_LO 1
#define BPRI_MED 2
#define BPRI_HI 3
#define INFPSZ (-1)

mblk_t *allocb(size_t size, uint_t pri);
mblk_t *allocb_wait(size_t size, uint_t pri, uint_t flags, int *error);
mblk_t *allocb_tryhard(size_t size);
mblk_t *allocb_cred(size_t size, cred_t *cr);
mblk_t *allocb_tmpl(size_t size, const mblk_t *tmpl);
mblk_t *mkiocb(uint_t cmd);
mblk_t *esballoc(uchar_t *base, size_t size, uint_t pri, frtn_t *frtn);
mblk_t *esballoca(uchar_t *base, size_t size, uint_t pri, frtn_t *frtn);
mblk_t *desballoc(uchar_t *base, size_t size, uint_t pri, frtn_t *frtn);
mblk_t *desballoca(uchar_t *base, size_t size, uint_t pri, frtn_t *frtn);
mblk_t *dupb(mblk_t *bp);
mblk_t *dupmsg(mblk_t *mp);
mblk_t *copyb(mblk_t *bp);
mblk_t *copymsg(mblk_t *mp);
mblk_t *reallocb(mblk_t *mp, size_t size, uint_t copy);
void freeb(mblk_t *bp);
void freemsg(mblk_t *mp);
void freemsgchain(mblk_t *mp);
void linkb(mblk_t *mp, mblk_t *tail);
mblk_t *unlinkb(mblk_t *mp);
mblk_t *rmvb(mblk_t *mp, mblk_t *bp);
int pullupmsg(mblk_t *mp, ssize_t len);
mblk_t *msgpullup(mblk_t *mp, ssize_t len);
int adjmsg(mblk_t *mp, ssize_t len);
size_t msgdsize(const mblk_t *mp);
size_t msgsize(const mblk_t *mp);
size_t xmsgsize(const mblk_t *mp);
void mblk_setcred(mblk_t *mp, cred_t *cr);
int testb(size_t size, uint_t pri);
typedef uint64_t bufcall_id_t;
bufcall_id_t bufcall(size_t size, uint_t pri, void (*func)(void *), void *arg);
bufcall_id_t esbbcall(uint_t pri, void (*func)(void *), void *arg);
void unbufcall(bufcall_id_t id);
/* Message blocks and data blocks alive: both 0 when all messages are freed. */
void str_alive(size_t *mblks, size_t *dblks);
/* The n-th allocation of a message block from now fails, once (0 = off; n < 0: all from the |n|-th on). */
void allocb_fail_nth(long n);

/* ---- module tables ---- */

typedef struct module_info {
	ushort_t mi_idnum;
	const char *mi_idname;
	ssize_t mi_minpsz;
	ssize_t mi_maxpsz;
	size_t mi_hiwat;
	size_t mi_lowat;
} module_info_t;

typedef struct qinit {
	int (*qi_putp)(struct queue *, mblk_t *);
	int (*qi_srvp)(struct queue *);
	int (*qi_qopen)(struct queue *, dev_t *, int oflag, int sflag, cred_t *);
	int (*qi_qclose)(struct queue *, int flag, cred_t *);
	int (*qi_qadmin)(void);
	struct module_info *qi_minfo;
	void *qi_mstat;
} qinit_t;

typedef struct streamtab {
	struct qinit *st_rdinit;
	struct qinit *st_wrinit;
	struct qinit *st_muxrinit;
	struct qinit *st_muxwinit;
} streamtab_t;

/* Concurrency of a module (cb_flag / f_flag). */
#define D_MP 0x20
#define D_MTSAFE D_MP
#define D_SYNCSTR 0x400
#define D_MTOCEXCL 0x800
#define D_MTPUTSHARED 0x1000
#define D_MTPERQ 0x2000
#define D_MTQPAIR 0x4000
#define D_MTPERMOD (D_MTPERQ | D_MTQPAIR)
#define D_MTOUTPERIM 0x8000
#define _D_MTOCSHARED 0x80
#define _D_MTCBSHARED 0x10000
#define _D_MTSVCSHARED 0x20000

/*
 * A module that can be pushed, or a driver, puts one of these into a set and
 * is known from then on (struct fmodsw, struct dev_ops of Solaris).
 */
typedef struct fmodsw {
	const char *f_name; /* at most 8 characters */
	struct streamtab *f_str;
	int f_flag;
} fmodsw_t;
#define STREAMS_MODULE(sym, name, tab, flag)             \
	static const fmodsw_t fmodsw_##sym = {name, tab, flag}; \
	LINKER_SET(fmodsw, fmodsw_##sym)

/*
 * d_nodes: the driver's device nodes, "path=minor" separated by blanks.  minor
 * is a decimal number or "clone" (each open gets a minor of its own, which the
 * driver chooses: it is opened with CLONEOPEN).  "/dev/pts/#=#" stands for one
 * node for each number: /dev/pts/7 with minor 7.
 *
 * d_autopush: modules pushed at each first open, separated by blanks, lowest
 * first; "[anchor]" sets the anchor there.
 */
typedef struct devsw {
	const char *d_name;	/* driver name, "rtls" */
	struct streamtab *d_str;
	int d_flag;		/* D_MP | ... */
	const char *d_nodes;	/* "/dev/tcp=clone /dev/rtls0=0", or NULL */
	const char *d_autopush; /* "ldterm ttcompat", or NULL */
} devsw_t;
#define STREAMS_DRIVER(sym, name, tab, flag, nodes, autopush)                  \
	static const devsw_t devsw_##sym = {name, tab, flag, nodes, autopush}; \
	LINKER_SET(devsw, devsw_##sym)

/* ---- queues ---- */

typedef struct qband {
	struct qband *qb_next;
	size_t qb_count;
	size_t qb_mblkcnt;
	mblk_t *qb_first;
	mblk_t *qb_last;
	size_t qb_hiwat;
	size_t qb_lowat;
	uint_t qb_flag;
} qband_t;
#define QB_FULL 0x01
#define QB_WANTW 0x02
#define QB_BACK 0x04
#define NBAND 256

typedef struct queue {
	struct qinit *q_qinfo;
	mblk_t *q_first;
	mblk_t *q_last;
	struct queue *q_next;
	struct queue *q_link;
	void *q_ptr;
	size_t q_count;
	size_t q_mblkcnt;
	uint_t q_flag;
	ssize_t q_minpsz;
	ssize_t q_maxpsz;
	size_t q_hiwat;
	size_t q_lowat;
	struct qband *q_bandp;
	uint8_t q_nband;
	uint8_t q_draining;
	struct queue *q_nfsrv;
	struct stdata *q_stream;
	struct syncq *q_syncq;
	size_t q_syncqmsgs;
	mblk_t *q_sqhead, *q_sqtail;
	struct queue *q_sqnext, *q_sqprev;
	uint_t q_sqflags;
	int q_spri;
	const fmodsw_t *q_fp;
	kcondvar_t q_wait, q_sync;
} queue_t;

/* q_flag */
#define QENAB 0x00000001
#define QWANTR 0x00000002
#define QWANTW 0x00000004
#define QFULL 0x00000008
#define QREADR 0x00000010
#define QUSE 0x00000020
#define QNOENB 0x00000040
#define QWANTRMQSYNC 0x00000080
#define QBACK 0x00000100
#define QPAIR 0x00000800
#define QPERQ 0x00001000
#define QPERMOD 0x00002000
#define QMTSAFE 0x00004000
#define QMTOUTPERIM 0x00008000
#define QINSERVICE 0x00010000
#define QWCLOSE 0x00020000
#define QEND 0x00040000
#define QWANTWSYNC 0x00080000
#define QSYNCSTR 0x00100000
#define QISDRV 0x00200000
#define _QINSERTING 0x04000000
#define _QREMOVING 0x08000000
#define _QASSOCIATED 0x10000000
/* q_sqflags */
#define Q_SQQUEUED 0x01
#define Q_SQDRAINING 0x02

/* allocq() returns the first of a contiguous pair: read queue, write queue. */
#define OTHERQ(q) (((q)->q_flag & QREADR) ? (q) + 1 : (q)-1)
#define RD(q) (((q)->q_flag & QREADR) ? (q) : (q)-1)
#define WR(q) (((q)->q_flag & QREADR) ? (q) + 1 : (q))
#define _RD(q) ((q)-1)
#define _WR(q) ((q) + 1)
#define STREAM(q) ((q)->q_stream)
#define SAMESTR(q) (((q)->q_flag & QEND) == 0)

typedef enum qfields { QHIWAT, QLOWAT, QMAXPSZ, QMINPSZ, QCOUNT, QFIRST, QLAST, QFLAG } qfields_t;

#define FLUSHALL 1
#define FLUSHDATA 0
#define FLUSHR 0x01
#define FLUSHW 0x02
#define FLUSHRW 0x03
#define FLUSHBAND 0x04

#define MODOPEN 0x1
#define CLONEOPEN 0x2

int putnext(queue_t *q, mblk_t *mp); /* traced: the probe of putnexts.d */
void put(queue_t *q, mblk_t *mp);
int putq(queue_t *q, mblk_t *mp);
int putbq(queue_t *q, mblk_t *mp);
int insq(queue_t *q, mblk_t *emp, mblk_t *mp);
mblk_t *getq(queue_t *q);
mblk_t *getq_noenab(queue_t *q);
void rmvq(queue_t *q, mblk_t *mp);
void rmvq_noenab(queue_t *q, mblk_t *mp);
void qbackenable(queue_t *q, uchar_t band);
void backenable(queue_t *q, uchar_t band);
void flushq(queue_t *q, int flag);
void flushq_common(queue_t *q, int flag, int keep_pcproto);
void flushband(queue_t *q, uchar_t pri, int flag);
int canput(queue_t *q);
int canputnext(queue_t *q);
int bcanput(queue_t *q, uchar_t pri);
int bcanputnext(queue_t *q, uchar_t pri);
void qenable(queue_t *q);
void noenable(queue_t *q);
void enableok(queue_t *q);
int qsize(queue_t *q);
queue_t *backq(queue_t *q);
int strqset(queue_t *q, qfields_t what, uchar_t pri, intptr_t val);
int strqget(queue_t *q, qfields_t what, uchar_t pri, void *valp);
void qreply(queue_t *q, mblk_t *mp);
int putctl(queue_t *q, int type);
int putctl1(queue_t *q, int type, int param);
int putnextctl(queue_t *q, int type);
int putnextctl1(queue_t *q, int type, int param);
void qprocson(queue_t *rq);
void qprocsoff(queue_t *rq);
void freezestr(queue_t *q);
void unfreezestr(queue_t *q);
#define PERIM_INNER 1
#define PERIM_OUTER 2
void qwriter(queue_t *q, mblk_t *mp, void (*func)(queue_t *, mblk_t *), int perim);
timeout_id_t qtimeout(queue_t *q, void (*func)(void *), void *arg, clock_t_ ticks);
clock_t_ quntimeout(queue_t *q, timeout_id_t id);
bufcall_id_t qbufcall(queue_t *q, size_t size, uint_t pri, void (*func)(void *), void *arg);
void qunbufcall(queue_t *q, bufcall_id_t id);
void qwait(queue_t *q);
int qwait_sig(queue_t *q);

/* ---- ioctl messages ---- */

#define TRANSPARENT ((uint_t)-1)
#define MAXIOCBSZ 1024
struct iocblk {
	int ioc_cmd;
	cred_t *ioc_cr;
	uint_t ioc_id;
	uint_t ioc_count; /* TRANSPARENT, or bytes of b_cont */
	int ioc_error;
	int ioc_rval;
	int ioc_flag;
};
struct copyreq {
	int cq_cmd;
	cred_t *cq_cr;
	uint_t cq_id;
	caddr_t cq_addr;
	size_t cq_size;
	int cq_flag;
	mblk_t *cq_private;
};
struct copyresp {
	int cp_cmd;
	cred_t *cp_cr;
	uint_t cp_id;
	caddr_t cp_rval; /* 0 = the copy was done */
	size_t cp_pad1;
	int cp_flag;
	mblk_t *cp_private;
};
union ioctypes {
	struct iocblk iocblk;
	struct copyreq copyreq;
	struct copyresp copyresp;
};
struct linkblk {
	queue_t *l_qtop, *l_qbot;
	int l_index;
};

struct stroptions {
	uint_t so_flags;
	short so_readopt;
	ushort_t so_wroff;
	ssize_t so_minpsz;
	ssize_t so_maxpsz;
	size_t so_hiwat;
	size_t so_lowat;
	uchar_t so_band;
	ushort_t so_erropt;
	ssize_t so_maxblk;
	ushort_t so_copyopt;
	ushort_t so_tail;
};
#define SO_READOPT 0x0001
#define SO_WROFF 0x0002
#define SO_MINPSZ 0x0004
#define SO_MAXPSZ 0x0008
#define SO_HIWAT 0x0010
#define SO_LOWAT 0x0020
#define SO_ALL 0x003f
#define SO_MREADON 0x0040
#define SO_MREADOFF 0x0080
#define SO_NDELON 0x0100
#define SO_NDELOFF 0x0200
#define SO_ISTTY 0x0400
#define SO_ISNTTY 0x0800
#define SO_TOSTOP 0x1000
#define SO_TONSTOP 0x2000
#define SO_BAND 0x4000
#define SO_DELIM 0x8000
#define SO_NODELIM 0x010000
#define SO_ERROPT 0x040000
#define SO_COPYOPT 0x080000
#define SO_MAXBLK 0x100000
#define SO_TAIL 0x200000

/* strsun.h */
void miocack(queue_t *wq, mblk_t *mp, int count, int rval);
void miocnak(queue_t *wq, mblk_t *mp, int count, int error);
void mioc2ack(mblk_t *mp, mblk_t *dp, size_t count, int rval);
int miocpullup(mblk_t *mp, size_t size);
void mcopyin(mblk_t *mp, void *private, size_t size, void *uaddr);
void mcopyout(mblk_t *mp, void *private, size_t size, void *uaddr, mblk_t *dp);
mblk_t *mexchange(queue_t *wq, mblk_t *mp, size_t size, uchar_t type, int32_t prim);
void merror(queue_t *wq, mblk_t *mp, int error);

#endif
