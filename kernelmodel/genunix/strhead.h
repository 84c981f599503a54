/*
 * What the files of the stream head share (genunix/strhead_*.c, strpoll.c).
 */
#ifndef STRSIM_GENUNIX_STRHEAD_H
#define STRSIM_GENUNIX_STRHEAD_H

#include "sys/callsite.h"
#include "sys/strsubr.h"
#include "sys/stropts.h"
#include "sys/vnode.h"
#include "sys/file.h"
#include "sys/errno.h"

#define PIPE_BUF_MODEL 5120
#define FIFOHIWAT (16 * 1024)
#define FIFOLOWAT 0

/* Flag of strdoioctl(): no more than ic_len bytes come back, whatever the answer says. */
#define STR_BOUNDED 0x100

/* strhead_open.c */
extern KLOCAL stdata_t *stream_list;
extern struct qinit fifo_strdata, fifo_stwdata;
int strstartplumb(stdata_t *stp, int fmode);
void strendplumb(stdata_t *stp);

/* strhead_sig.c */
int stralloctty(stdata_t *stp);
void strfreectty(stdata_t *stp);
/* A process ends: the terminal of a session leaves with its leader. */
void strexitctty(proc_t *p);
int strsetsig(stdata_t *stp, pid_t pid, int events);
int strgetsig(stdata_t *stp, pid_t pid);

/* strhead_link.c */
int mlink(vnode_t *vp, int cmd, int arg, cred_t *cr, int *rvalp);
int mlink_file(vnode_t *vp, int cmd, file_t *fpdown, cred_t *cr, int *rvalp);
int munlink(stdata_t *stp, int cmd, int arg, cred_t *cr);
void munlinkall(stdata_t *stp, cred_t *cr);
/* For who looks on from outside: the stream linked below this driver after `prev' (NULL: the first), or NULL. */
stdata_t *mux_next_lower(const struct streamtab *mux, const stdata_t *prev);

/* strhead_rput.c */
strhook_t strrput_proto;
strhook_t strrput_misc;
int strsink(queue_t *q, mblk_t *bp);

/* strhead_write.c */
int strmakectl(const struct strbuf *mctl, int flag, mblk_t **mpp);
int strmakedata(const ssize_t *iosize, uio_t *uiop, stdata_t *stp, mblk_t **mpp);

/* strhead_read.c */
/* Deliver M_SIGs that have come to the front of the read queue. */
void strfrontsigs(stdata_t *stp, queue_t *q);

#endif
