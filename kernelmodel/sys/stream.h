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
	uchar_t *db_base;
	uchar_t *db_lim;
	uint8_t db_ref;
	uint8_t db_type;
	uint8_t db_flags;
	uint8_t db_struioflag;
	pid_t db_cpid; /* of the process that wrote it; -1 none */
	cred_t *db_credp;
	struct msgb *db_mblk; /* the block allocated with it: db_mblk->b_datap is this one, always */
	void *db_cache;       /* allocator's: size class, NULL when db_lastfree takes the memory */
	void (*db_lastfree)(struct msgb *, struct datab *);
	frtn_t *db_frtnp;
	uint32_t db_cksumstart, db_cksumend, db_cksumstuff; /* meant only when db_struioflag says so */
	uint64_t db_stamp;                                  /* scratch of the owner (send time in tcp) */
} dblk_t;
/* db_flags: db_ref never falls below 1, so that nobody takes the data for his own to write (esballoca). */
#define DBLK_REFMIN 0x01

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
#define datamsg(t) ((t) == M_DATA || (t) == M_MULTIDATA || (t) == M_PROTO || (t) == M_PCPROTO || (t) == M_DELAY)

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

/*
 * A message block with a data block of at least size bytes: M_DATA, empty,
 * rptr = wptr = base (allocb(9F)).  pri is ignored.  NULL when memory is short;
 * never sleeps.
 */
mblk_t *allocb(size_t size, uint_t pri);
/* The same, but sleeps for memory: with STR_NOSIG until there is some, else NULL and *error EINTR or ENOSR.
 * From a thread that may sleep only. */
mblk_t *allocb_wait(size_t size, uint_t pri, uint_t flags, int *error);
/* Tries size, size + 64, ... below size + 512: for the small messages of putctl(9F). */
mblk_t *allocb_tryhard(size_t size);
/* allocb() with a hold on cr in db_credp; with the template's credentials, db_cpid and db_type. */
mblk_t *allocb_cred(size_t size, cred_t *cr);
mblk_t *allocb_tmpl(size_t size, const mblk_t *tmpl);
/* An M_IOCTL made by the kernel: zeroed, room to become a copyreq or copyresp, ioc_cr = kcred, an ioc_id of its own. */
mblk_t *mkiocb(uint_t cmd);
/* The next ioctl sequence number (ioc_id). */
uint_t getiocseqno(void);
/*
 * A message block over the caller's buffer (esballoc(9F)); frtn->free_func runs
 * when the last reference is gone: esballoc() from a task, desballoc() inside
 * the last freeb().  The ...a variants make a block whose db_ref is at least 2,
 * that is, one that nobody may write into.  frtn stays the caller's and must live
 * that long.  On NULL the buffer is the caller's again.
 */
mblk_t *esballoc(uchar_t *base, size_t size, uint_t pri, frtn_t *frtn);
mblk_t *esballoca(uchar_t *base, size_t size, uint_t pri, frtn_t *frtn);
mblk_t *desballoc(uchar_t *base, size_t size, uint_t pri, frtn_t *frtn);
mblk_t *desballoca(uchar_t *base, size_t size, uint_t pri, frtn_t *frtn);
/* Another reference to the data of one block (of each block); NULL without memory or at 255 references. */
mblk_t *dupb(mblk_t *bp);
mblk_t *dupmsg(mblk_t *mp);
/* A copy of the whole buffer, with the same offset and alignment of b_rptr (of each block). */
mblk_t *copyb(mblk_t *bp);
mblk_t *copymsg(mblk_t *mp);
/*
 * mp with room for size bytes from b_rptr on: itself when it is the only
 * reference and fits, else a new block that takes its b_cont over, and with copy
 * set its data (at most size bytes); mp is freed then.  NULL: mp is as it was.
 */
mblk_t *reallocb(mblk_t *mp, size_t size, uint_t copy);
/* One block; a whole message (NULL is fine); messages linked by b_next. */
void freeb(mblk_t *bp);
void freemsg(mblk_t *mp);
void freemsgchain(mblk_t *mp);
/* Append a message to another; take the first block off (returns the rest); take bp out (returns the new head,
 * NULL when nothing is left, (mblk_t *)-1 when bp is not in mp). */
void linkb(mblk_t *mp, mblk_t *tail);
mblk_t *unlinkb(mblk_t *mp);
mblk_t *rmvb(mblk_t *mp, mblk_t *bp);
/* The first len bytes (-1: all of the first block's type) contiguous and aligned in mp itself; 1 done, 0 not. */
int pullupmsg(mblk_t *mp, ssize_t len);
/* A new message whose first block holds all leading bytes of its type, at least len; mp is untouched. */
mblk_t *msgpullup(mblk_t *mp, ssize_t len);
/* Trim len bytes from the head (> 0) or the tail (< 0) of the leading blocks of one type; 0 when there are fewer. */
int adjmsg(mblk_t *mp, ssize_t len);
/* Bytes in M_DATA blocks; in all blocks; in the leading blocks of the first one's type. */
size_t msgdsize(const mblk_t *mp);
size_t msgsize(const mblk_t *mp);
size_t xmsgsize(const mblk_t *mp);
/* Replace db_credp by a new hold on cr (NULL: none). */
void mblk_setcred(mblk_t *mp, cred_t *cr);
/* Would allocb(size) succeed now? */
int testb(size_t size, uint_t pri);
typedef uint64_t bufcall_id_t;
/* Call func(arg) once, from the bufcall thread, when size bytes can be had (bufcall(9F)); the id is odd, or 0 when
 * not even the record could be allocated. */
bufcall_id_t bufcall(size_t size, uint_t pri, void (*func)(void *), void *arg);
bufcall_id_t esbbcall(uint_t pri, void (*func)(void *), void *arg);
/* Cancel; waits when another thread is in the callback. */
void unbufcall(bufcall_id_t id);
/* Message blocks and data blocks alive: both 0 when all messages are freed. */
void str_alive(size_t *mblks, size_t *dblks);
/* The n-th allocation of a message block from now fails, once (0 = off; n < 0: all from the |n|-th on). */
void allocb_fail_nth(long n);
/* Let messages hold at most this many bytes of buffers (0 = no limit); frees wake bufcalls. */
void allocb_limit(size_t bytes);

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
#define STREAMS_MODULE(sym, name, tab, flag)                    \
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
	const char *d_name; /* driver name, "rtls" */
	struct streamtab *d_str;
	int d_flag;             /* D_MP | ... */
	const char *d_nodes;    /* "/dev/tcp=clone /dev/rtls0=0", or NULL */
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

/* The first 64 bytes are all that a message passing through touches. */
typedef struct queue {
	struct qinit *q_qinfo;
	struct queue *q_next;
	struct syncq *q_syncq;
	void *q_ptr;
	mblk_t *q_first;
	mblk_t *q_last;
	uint_t q_flag;
	uint_t q_sqflags;
	struct queue *q_nfsrv;
	size_t q_count;
	size_t q_mblkcnt;
	size_t q_syncqmsgs;
	ssize_t q_minpsz;
	ssize_t q_maxpsz;
	size_t q_hiwat;
	size_t q_lowat;
	struct queue *q_link;
	struct stdata *q_stream;
	struct qband *q_bandp;
	uint8_t q_nband;
	uint8_t q_draining;
	int q_spri;
	mblk_t *q_sqhead, *q_sqtail;
	struct queue *q_sqnext, *q_sqprev;
	const fmodsw_t *q_fp;
	struct perdm *q_dm; /* read queue: perimeter shared by the instances of the module */
	kcondvar_t q_wait;
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

/*
 * Hand mp to the next queue (putnext(9F)), through its perimeter; returns 0.
 * Traced: the probe of putnexts.d is its entry.  put() aims at q itself.
 */
int putnext(queue_t *q, mblk_t *mp);
void put(queue_t *q, mblk_t *mp);
/*
 * Queue mp at the end, the front, before emp (NULL: the end) of its class and
 * band; 1 done.  0: a band could not be allocated or (insq) the place is against the
 * order of classes and bands; mp is still the caller's then.  Band 0 and high-priority
 * messages never fail in putq() and putbq().
 */
int putq(queue_t *q, mblk_t *mp);
int putbq(queue_t *q, mblk_t *mp);
int insq(queue_t *q, mblk_t *emp, mblk_t *mp);
/* Take the first message, or NULL; take this one out.  The ..._noenab ones leave back-enabling to the caller. */
mblk_t *getq(queue_t *q);
mblk_t *getq_noenab(queue_t *q);
void rmvq(queue_t *q, mblk_t *mp);
void rmvq_noenab(queue_t *q, mblk_t *mp);
/* If somebody waits for room in band and q is below its low-water mark, enable the service procedure behind. */
void qbackenable(queue_t *q, uchar_t band);
/* Enable the nearest service procedure behind q, unconditionally. */
void backenable(queue_t *q, uchar_t band);
/* Free the messages of q: FLUSHALL all, FLUSHDATA only data types; keep_pcproto spares M_PCPROTO; one band only
 * (pri 0: ordinary and high-priority messages). */
void flushq(queue_t *q, int flag);
void flushq_common(queue_t *q, int flag, int keep_pcproto);
void flushband(queue_t *q, uchar_t pri, int flag);
/* Is there room at the nearest queue ahead with a service procedure?  0 also asks to be back-enabled. */
int canput(queue_t *q);
int canputnext(queue_t *q);
int bcanput(queue_t *q, uchar_t pri);
int bcanputnext(queue_t *q, uchar_t pri);
/* Schedule the service procedure; forbid and allow that putq() does. */
void qenable(queue_t *q);
void noenable(queue_t *q);
void enableok(queue_t *q);
/* Number of messages; the queue behind (NULL at the end of the stream). */
int qsize(queue_t *q);
queue_t *backq(queue_t *q);
/*
 * Read or set a field of q (pri 0) or of one of its bands (strqset(9F)): 0,
 * EINVAL (field or band wrong), EPERM (not to be set), EAGAIN (no memory for the
 * band).  *valp is a size_t (QHIWAT, QLOWAT, QCOUNT), ssize_t (QMAXPSZ,
 * QMINPSZ), mblk_t * (QFIRST, QLAST) or uint_t (QFLAG).
 */
int strqset(queue_t *q, qfields_t what, uchar_t pri, intptr_t val);
int strqget(queue_t *q, qfields_t what, uchar_t pri, void *valp);
/* Send mp back the way it came: putnext(OTHERQ(q), mp). */
void qreply(queue_t *q, mblk_t *mp);
/* Make a message of no byte (of one byte) and put() it to q, or to the next queue: 1; 0 for a data type other than
 * M_DELAY or without memory.  putnextctl_wait() sleeps for memory and is 0 only for the type or a signal. */
int putctl(queue_t *q, int type);
int putctl1(queue_t *q, int type, int param);
int putnextctl(queue_t *q, int type);
int putnextctl1(queue_t *q, int type, int param);
int putnextctl_wait(queue_t *q, int type);
/* In an open procedure: link the pair into its stream.  In a close procedure: take it out, no service procedure
 * runs any more, and what its perimeter had deferred goes on to the next queue. */
void qprocson(queue_t *rq);
void qprocsoff(queue_t *rq);
/* Keep everybody out of all perimeters of q's stream (freezestr(9F)); puts are deferred until unfreezestr(). */
void freezestr(queue_t *q);
void unfreezestr(queue_t *q);
#define PERIM_INNER 1
#define PERIM_OUTER 2
/* From a put or service procedure: call func(q, mp) alone in the perimeter, now or as soon as that is so. */
void qwriter(queue_t *q, mblk_t *mp, void (*func)(queue_t *, mblk_t *), int perim);
/* timeout() and bufcall() whose func enters q's perimeter; 0 when memory is short.  Cancel before qprocsoff(). */
timeout_id_t qtimeout(queue_t *q, void (*func)(void *), void *arg, clock_t_ ticks);
/* Ticks that were left; 0 when it was just waiting to enter; -1 when it has run. */
clock_t_ quntimeout(queue_t *q, timeout_id_t id);
bufcall_id_t qbufcall(queue_t *q, size_t size, uint_t pri, void (*func)(void *), void *arg);
void qunbufcall(queue_t *q, bufcall_id_t id);
/* In an open or close procedure: leave the perimeter, sleep until something happened in it, enter again.
 * qwait_sig() is 0 after a signal. */
void qwait(queue_t *q);
int qwait_sig(queue_t *q);

/* ---- ioctl messages ---- */

#define TRANSPARENT ((uint_t)-1)
#define MAXIOCBSZ 1024
#define IOC_NATIVE 0x00200000 /* ioc_flag: the caller has 64-bit pointers, as the model has */
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

/*
 * Answers to ioctls (strsun.h).  miocack() and miocnak() turn mp into M_IOCACK
 * or M_IOCNAK and qreply() it; b_cont goes with it.
 */
void miocack(queue_t *wq, mblk_t *mp, int count, int rval);
void miocnak(queue_t *wq, mblk_t *mp, int count, int error);
/* Make mp an M_IOCACK of count bytes with dp as data (the old data is freed); does not send it. */
void mioc2ack(mblk_t *mp, mblk_t *dp, size_t count, int rval);
/* At least size bytes of ioctl data contiguous in b_cont: 0, EINVAL (transparent, or fewer bytes), ENOMEM. */
int miocpullup(mblk_t *mp, size_t size);
/*
 * Make mp a request to copy size bytes from (to) the caller's uaddr; NULL means
 * the address that a transparent M_IOCTL brought.  mcopyin() frees b_cont;
 * mcopyout() replaces it by dp unless dp is NULL.
 */
void mcopyin(mblk_t *mp, void *private, size_t size, void *uaddr);
void mcopyout(mblk_t *mp, void *private, size_t size, void *uaddr, mblk_t *dp);
/*
 * A block of size bytes and this type, b_wptr behind them, the first four = prim
 * unless that is -1: mp itself when it is the only reference and fits, else a
 * new one, and mp is freed.  NULL without memory: mp became the M_ERROR (ENOSR) sent upstream.
 */
mblk_t *mexchange(queue_t *wq, mblk_t *mp, size_t size, uchar_t type, int32_t prim);
/* Send M_ERROR upstream, error for both directions, in mp if it can be. */
void merror(queue_t *wq, mblk_t *mp, int error);

#endif
