/*
 * Inside STREAMS: the stream head, synchronisation queues, plumbing.
 * For genunix and sockfs; modules need only sys/stream.h.
 */
#ifndef STRSIM_SYS_STRSUBR_H
#define STRSIM_SYS_STRSUBR_H

#include "sys/stream.h"

/* ---- perimeters ---- */

typedef struct syncq {
	uint_t sq_count; /* claims: threads inside */
	uint_t sq_flags;
	uint_t sq_needexcl; /* threads that wait to be alone inside */
	uint_t sq_type;
	queue_t *sq_head, *sq_tail;    /* queues with deferred messages */
	mblk_t *sq_evhead, *sq_evtail; /* deferred qwriter callbacks: b_prev = function, b_queue = its queue */
	uint_t sq_nqueues;
	uint_t sq_svcflags;
	uint_t sq_servcount; /* background drainers on their way */
	int sq_pri;          /* best q_spri on the list */
	kcondvar_t sq_wait, sq_exitwait;
	struct syncq *sq_outer;            /* outer perimeter; of an outer one: itself */
	struct syncq *sq_onext, *sq_oprev; /* ring of the outer perimeter and its inner ones */
	struct callbparams *sq_callbpend;  /* qtimeouts and qbufcalls that have not run */
	struct syncq *sq_next;             /* list of the background thread */
} syncq_t;

/* The perimeters that all instances of a module or driver share (D_MTPERMOD, D_MTOUTPERIM). */
typedef struct perdm {
	struct streamtab *dm_str;
	syncq_t *dm_sq;
	uint_t dm_ref;
	struct perdm *dm_next;
} perdm_t;

/* sq_flags */
#define SQ_EXCL 0x01
#define SQ_BLOCKED 0x02
#define SQ_FROZEN 0x04
#define SQ_WRITER 0x08
#define SQ_MESSAGES 0x10
#define SQ_WANTWAKEUP 0x20
#define SQ_WANTEXWAKEUP 0x40
#define SQ_EVENTS 0x80
#define SQ_QUEUED (SQ_MESSAGES | SQ_EVENTS)
#define SQ_STAYAWAY (SQ_BLOCKED | SQ_FROZEN | SQ_WRITER)
#define SQ_GOAWAY (SQ_EXCL | SQ_STAYAWAY | SQ_QUEUED)
#define SQ_TAIL (SQ_QUEUED | SQ_WANTWAKEUP | SQ_WANTEXWAKEUP)
/* sq_type */
#define SQ_PERMOD 0x01
#define SQ_CIPUT 0x0100
#define SQ_CISVC 0x0200
#define SQ_CIOC 0x0400
#define SQ_CICB 0x0800
#define SQ_COPUT 0x1000
#define SQ_COSVC 0x2000
#define SQ_COOC 0x4000
#define SQ_COCB 0x8000
#define SQ_CI (SQ_CIPUT | SQ_CISVC | SQ_CIOC | SQ_CICB)
#define SQ_CO (SQ_COPUT | SQ_COSVC | SQ_COOC | SQ_COCB)
#define SQ_PUT (SQ_CIPUT | SQ_COPUT)
#define SQ_SVC (SQ_CISVC | SQ_COSVC)
#define SQ_OPENCLOSE (SQ_CIOC | SQ_COOC)
#define SQ_CALLBACK (SQ_CICB | SQ_COCB)
/* sq_svcflags */
#define SQ_SERVICE 1
#define SQ_BGTHREAD 2
#define SQ_DISABLED 4

/* Behind the deferred messages of q. */
ALWAYS_INLINE void syncq_append(queue_t *q, mblk_t *mp)
{
	mp->b_next = NULL;
	if (q->q_sqhead == NULL)
		q->q_sqhead = mp;
	else
		q->q_sqtail->b_next = mp;
	q->q_sqtail = mp;
	q->q_syncqmsgs++;
}

void putnext_tail(syncq_t *sq, queue_t *q, uint_t passflags);
void qfill_syncq(syncq_t *sq, queue_t *q, mblk_t *mp);
void drain_syncq(syncq_t *sq);
void qdrain_syncq(syncq_t *sq, queue_t *q);
void entersq(syncq_t *sq, int entrypoint);
void leavesq(syncq_t *sq, int entrypoint);
void blocksq(syncq_t *sq, uint_t flag, int maxcnt);
void unblocksq(syncq_t *sq, uint_t flag, int isouter);
void emptysq(syncq_t *sq);
void sqenable(syncq_t *sq);
void syncq_service(void *sq);
void sq_run_events(syncq_t *sq);
void clr_qfull(queue_t *q);
void qwriter_outer_service(void *outer);
/* q leaves its perimeter: its events are dropped, its deferred messages defer to nq, or are freed if that is NULL. */
void propagate_syncq(queue_t *q, queue_t *nq);
void outer_insert(syncq_t *outer, syncq_t *sq);
void outer_remove(syncq_t *outer, syncq_t *sq);
void outer_enter(syncq_t *outer, uint_t flags);
void outer_exit(syncq_t *outer);
void claimq(queue_t *q);
void releaseq(queue_t *q);
void claimstr(queue_t *q);
void releasestr(queue_t *q);

/* ---- queues and plumbing ---- */

void qband_freeall(queue_t *q);
/* A queue pair with a syncq (the read queue of it), dead at both ends; NULL without memory. */
queue_t *allocq(void);
/* Free a pair that is in no stream, with all its messages; waits for its service procedures and callbacks. */
void freeq(queue_t *rq);
/* The procedures and limits of a module's two sides, and its perimeter; the two syncqs are those that its instances
 * share (see setq_str()), NULL for flags that need none. */
void setq(queue_t *rq, struct qinit *rinit, struct qinit *winit, int mtflags, syncq_t *permod_or_null,
	  syncq_t *outer_or_null);
/*
 * fp: push a module.  dp: open a driver; *devp is its device, or makedevice(CLONE_MAJOR, major of dp) for a
 * clone open: the driver is then opened with makedevice(major, 0) and CLONEOPEN.  *devp ends as the device
 * the driver chose.
 */
#define CLONE_MAJOR 0x3ffff
int qattach(queue_t *headrq, dev_t *devp, int oflag, cred_t *cr, const fmodsw_t *fp, const devsw_t *dp);
/* Call the open procedure of one pair again (stropen() of a stream that is open). */
int qreopen(queue_t *rq, dev_t *devp, int flag, cred_t *cr);
/* End a pair: clmode 1 calls its close procedure, 0 does not. */
void qdetach(queue_t *rq, int clmode, int flag, cred_t *cr);
/*
 * setq() with the flags of str's module and the perimeters its instances share:
 * 0, or EINVAL (an illegal combination of flags, said on the console).  May be
 * called again on a queue pair that is in use (a stream head becoming the lower
 * side of a multiplexor, and back).
 */
int setq_str(queue_t *rq, struct qinit *rinit, struct qinit *winit, struct streamtab *str, int mtflags);
/* Module flags (D_MP ...) to q_flag and sq_type; EINVAL when they do not go together. */
int devflg_to_qflag(int mtflags, uint_t *qflagp, uint_t *sqtypep);
void insertq(struct stdata *stp, queue_t *rq);
void removeq(queue_t *rq);
void set_qend(queue_t *q);
void set_nfsrv(queue_t *q);
const fmodsw_t *fmodsw_find(const char *name);
const devsw_t *devsw_find(const char *name);
major_t devsw_major(const devsw_t *d);
const devsw_t *devsw_bymajor(major_t maj);

/* ---- service scheduling ---- */

void qenable_locked(queue_t *q);
void queue_service(queue_t *q);
void runservice(queue_t *q);
void stream_willservice(struct stdata *stp);
void stream_runservice(struct stdata *stp);
void stream_service(void *stp);
/* Wait until no task of the stream is on its way: before its stdata is freed. */
void stream_waitservice(struct stdata *stp);
/* End what is scheduled for q (it is QWCLOSE from now on), waiting for a running service procedure. */
void wait_svc(queue_t *q);
/* End the background draining of sq and its callbacks, waiting for those on their way. */
void wait_sq_svc(syncq_t *sq);
void callb_end(syncq_t *sq);
/* Backup of the task queues: the threads that take over what could not be dispatched (genunix/strsched.c). */
void streams_bkgrnd_wakeup(void);
void sqenable_bkgrnd(syncq_t *sq);
int freebs(void);

/* ---- waiting for memory (genunix/strcall.c) ---- */

/* Sleep until size bytes can be had: 0, EINTR, ENOSR.  The second form cannot be interrupted. */
int strwaitbuf(size_t size, uint_t pri);
void strwaitbuf_nosig(size_t size, uint_t pri);
/* Memory became free: let the bufcall thread look. */
void strbcwakeup(void);
#define STREAM_NEEDSERVICE(stp) ((stp)->sd_qhead != NULL)

/* ---- stream head ---- */

typedef struct strsig {
	pid_t ss_pid; /* process; negative: process group */
	int ss_events;
	struct strsig *ss_next;
} strsig_t;

/*
 * Something that waits for events of a stream: a poll(2) call, or the owner of
 * a file descriptor that wants an upcall.  pl_func runs from pollwakeup(), in
 * the context that made the event: it must not sleep and not call into the
 * stream; it makes a thread ready.
 */
typedef struct pollhead_ent {
	short pl_events;
	bool pl_persist; /* stays armed; else one event and poll again */
	void (*pl_func)(struct pollhead_ent *, short revents);
	void *pl_arg;
	struct pollhead_ent *pl_next, **pl_pprev;
} pollent_t;

/*
 * What a protocol may do with a message that comes up: keep it (return NULL) or
 * give it back for the queue.  RSLEEP and WSLEEP in *wakeups wake readers and
 * writers, *firstmsgsigs (S_...) signals when it becomes the first message,
 * *allmsgsigs in any case, *pollwakeups (POLL...) wakes pollers.
 */
typedef mblk_t *strhook_t(struct vnode *, mblk_t *, uint_t *wakeups, uint_t *firstmsgsigs, uint_t *allmsgsigs,
			  uint_t *pollwakeups);

typedef struct stdata {
	queue_t *sd_wrq;
	mblk_t *sd_iocblk;
	struct vnode *sd_vnode;
	struct streamtab *sd_strtab;
	uint_t sd_flag;
	uint_t sd_iocid;
	pid_t sd_sidp, sd_pgidp;
	ushort_t sd_tail, sd_wroff;
	int sd_rerror, sd_werror;
	int sd_pushcnt, sd_anchor;
	int sd_sigflags;
	strsig_t *sd_siglist;
	pollent_t *sd_pollist;
	mblk_t *sd_mark;
	clock_t_ sd_closetime; /* ms */
	kcondvar_t sd_monitor, sd_iocmonitor, sd_refmonitor, sd_qcv, sd_zcopy_wait;
	ssize_t sd_qn_minpsz, sd_qn_maxpsz;
	struct stdata *sd_mate;
	uint_t sd_refcnt;
	uchar_t sd_wakeq;
	ssize_t sd_maxblk;
	uint_t sd_rput_opt, sd_wput_opt, sd_read_opt;
	strhook_t *sd_rprotofunc;
	strhook_t *sd_rmiscfunc;
	mblk_t *(*sd_rputdatafunc)(struct vnode *, mblk_t *);
	mblk_t *(*sd_wputdatafunc)(struct vnode *, mblk_t *);
	int (*sd_rderrfunc)(struct vnode *, int ispeek, int *clearerr);
	int (*sd_wrerrfunc)(struct vnode *, int ispeek, int *clearerr);
	/* run list */
	queue_t *sd_qhead, *sd_qtail;
	int sd_nqueues;
	uint_t sd_svcflags;
	uintptr_t sd_servid;
	uint_t sd_nlinks;                   /* I_LINKs below this stream (genunix/strhead_link.c) */
	struct stdata *sd_next, **sd_pprev; /* all streams of this kernel */
} stdata_t;

/* sd_flag */
#define IOCWAIT 0x00000001
#define RSLEEP 0x00000002
#define WSLEEP 0x00000004
#define STRPRI 0x00000008
#define STRHUP 0x00000010
#define STWOPEN 0x00000020
#define STPLEX 0x00000040
#define STRISTTY 0x00000080
#define STRGETINPROG 0x00000100
#define IOCWAITNE 0x00000200
#define STRDERR 0x00000400
#define STWRERR 0x00000800
#define STRDERRNONPERSIST 0x00001000
#define STWRERRNONPERSIST 0x00002000
#define STRCLOSE 0x00004000
#define SNDMREAD 0x00008000
#define OLDNDELAY 0x00010000
#define STRTOSTOP 0x00080000
#define STRMOUNT 0x00400000
#define STRNOTATMARK 0x00800000
#define STRDELIM 0x01000000
#define STRATMARK 0x02000000
#define STZCNOTIFY 0x04000000
#define STRPLUMB 0x08000000
#define STREOF 0x10000000
#define STREOPENFAIL 0x20000000
#define STRMATE 0x40000000
#define STRHASLINKS 0x80000000U
#define SR_POLLIN 1
#define SR_SIGALLDATA 2
#define SR_CONSOL_DATA 4
#define SR_IGN_ZEROLEN 8
#define SW_SIGPIPE 1
#define SW_RECHECK_ERR 2
#define SW_SNDZERO 4
#define RD_MSGDIS 1
#define RD_MSGNODIS 2
#define RD_PROTDAT 4
#define RD_PROTDIS 8
#define RFLUSHPCPROT 0x20
#define STRS_WILLSERVICE 1
#define STRS_SCHEDULED 2
#define STRTIMOUT 15
#define STRHIGH 5120
#define STRLOW 1024
#define NSTRPUSH 9
#define STRMSGSZ 65536
#define STRCTLSZ 1024
#define MAXAPUSH 8

struct uio;
struct strbuf;
struct strioctl;

/* Hold all streams' heads (genunix/streamio.c); errors are returned as errno values, 0 = done. */
int stropen(struct vnode *vp, dev_t *devp, int flag, cred_t *cr);
int strclose(struct vnode *vp, int flag, cred_t *cr);
int strread(struct vnode *vp, struct uio *uiop, cred_t *cr);
int strwrite(struct vnode *vp, struct uio *uiop, cred_t *cr);
int strput(stdata_t *stp, mblk_t *mctl, struct uio *uiop, ssize_t *iosize, int b_flag, int pri, int flags);
int strgetmsg(struct vnode *vp, struct strbuf *mctl, struct strbuf *mdata, uchar_t *prip, int *flagsp, int fmode,
	      int64_t *rvp);
int strputmsg(struct vnode *vp, struct strbuf *mctl, struct strbuf *mdata, uchar_t pri, int flag, int fmode);
int strioctl(struct vnode *vp, int cmd, intptr_t arg, int flag, int copyflag, cred_t *cr, int *rvalp);
int strdoioctl(stdata_t *stp, struct strioctl *strioc, int fflags, int copyflag, cred_t *cr, int *rvalp);
int strpoll(stdata_t *stp, short events, int anyyet, short *reventsp, pollent_t *pe);
int strwaitq(stdata_t *stp, int flag, ssize_t count, int fmode, clock_t_ timout, int *done);
int strrput(queue_t *q, mblk_t *mp);
void strrput_nondata(queue_t *q, mblk_t *mp);
int strwsrv(queue_t *q);
int strgeterr(stdata_t *stp, int flags, int ispeek);
/* (strsignal() is a function of <string.h>.) */
void strsignal_nolock(stdata_t *stp, int sig, uchar_t band);
void strsetrerror(struct vnode *vp, int error, int persistent, int (*func)(struct vnode *, int, int *));
void strsetwerror(struct vnode *vp, int error, int persistent, int (*func)(struct vnode *, int, int *));
/* NULL restores the default function (strrput_proto, strrput_misc). */
#define SH_SIGALLDATA 0x1  /* signal every message, not only the first */
#define SH_IGN_ZEROLEN 0x2 /* drop zero-length M_DATA */
#define SH_CONSOL_DATA 0x4 /* append M_DATA to the last message of the queue */
void strsetrputhooks(struct vnode *vp, uint_t flags, strhook_t *protofunc, strhook_t *miscfunc);
void pollwakeup(stdata_t *stp, short events);
void pollent_attach(stdata_t *stp, pollent_t *pe);
void pollent_detach(pollent_t *pe);
/* The message (or what is left of it) back to the front of its band, readers woken. */
void putback(stdata_t *stp, queue_t *q, mblk_t *bp, uchar_t band);
/* Every message that process p wants signals for, no more. */
void strclean(stdata_t *stp, proc_t *p);
/* Job control (termio(7I)): may the caller do this to its controlling terminal?  0, EIO or EINTR. */
enum jcaccess { JCREAD, JCWRITE, JCSETP, JCGETP };
int straccess(stdata_t *stp, enum jcaccess mode);
/* Send SIGPOLL (SIGURG for S_BANDURG) to who registered for one of the events. */
void strsendsig(strsig_t *list, int events, uchar_t band);
/* Recompute the cached packet sizes of the queue below the head. */
void strqbelow(stdata_t *stp);
/* Two stream heads twisted together, as pipe(2) makes them: stropen() both, then this. */
void strmate(struct vnode *vp1, struct vnode *vp2);
/* Kernel-internal message traffic of a stream (sockfs): no control checks; mp is consumed. */
int kstrputmsg(struct vnode *vp, mblk_t *mctl, struct uio *uiop, ssize_t msgsize, uchar_t pri, int flag, int fmode);
/* First message of the head read queue, or NULL with *errorp (EWOULDBLOCK, a stream error) or 0 at EOF. */
mblk_t *kstrgetmsg(struct vnode *vp, uchar_t *prip, int *flagsp, int fmode, clock_t_ timout, int *errorp);

/* Flags of strwaitq(). */
#define WRITEWAIT 0x01
#define READWAIT 0x02
#define NOINTR 0x04
#define GETWAIT 0x08 /* getmsg: sends no M_READ */
#define STR_NOSIG 0x10
#define STR_NOERROR 0x20
#define STR_PEEK 0x40
/* strputmsg(), strgetmsg(), kstrputmsg(), kstrgetmsg(), besides MSG_HIPRI, MSG_ANY, MSG_BAND. */
#define MSG_XPG4 0x08
#define MSG_IPEEK 0x10 /* leave the message on the queue */
#define MSG_IGNFLOW 0x200
#define U_TO_K 1
#define K_TO_K 2

extern struct qinit strdata, stwdata, deadrend, deadwend;

#endif
