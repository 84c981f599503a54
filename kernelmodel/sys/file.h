/*
 * Open files and file descriptors (file(9S) of old; open(2), fcntl(2)).
 */
#ifndef STRSIM_SYS_FILE_H
#define STRSIM_SYS_FILE_H

#include "sys/types.h"
#include "sys/thread.h"
#include "sys/vnode.h"

typedef struct file {
	ushort_t f_flag; /* FREAD | FWRITE | FNDELAY | ... */
	int f_count;     /* descriptors, and system calls that use it now */
	vnode_t *f_vnode;
	int64_t f_offset;
	cred_t *f_cred;
} file_t;

/* f_flag.  It is the open mode O_xxx minus FOPEN. */
#define FOPEN 0xFFFFFFFF
#define FREAD 0x01
#define FWRITE 0x02
#define FNDELAY 0x04
#define FAPPEND 0x08
#define FNONBLOCK 0x80
#define FMASK 0xA0FF /* what fcntl(F_GETFL) shows */
#define FNOCTTY 0x800
#define FASYNC 0x1000
#define FKIOCTL 0x80000000U /* in ioctl flags: addresses are the kernel's */
#undef O_NDELAY
#undef O_APPEND
#undef O_NONBLOCK
#undef O_NOCTTY
#undef O_RDONLY
#undef O_WRONLY
#undef O_RDWR
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_NDELAY 0x04
#define O_APPEND 0x08
#define O_NONBLOCK 0x80
#define O_NOCTTY 0x800
#undef F_DUPFD
#undef F_GETFD
#undef F_SETFD
#undef F_GETFL
#undef F_SETFL
#define F_DUPFD 0
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4

/* Descriptors one process may have (RLIMIT_NOFILE). */
#define NOFILE_MAX (1 << 21)

/*
 * A new open file of vp with the flag given, and the lowest free descriptor of
 * the calling process reserved for it; take it into use with setf().  The file
 * takes over the caller's reference to vp (not on error).  fdp may be NULL: no
 * descriptor.  0, EMFILE, ENOMEM.
 */
int falloc(vnode_t *vp, int flag, file_t **fpp, int *fdp);
/* The same in the table of another process. */
int falloc_proc(proc_t *p, vnode_t *vp, int flag, file_t **fpp, int *fdp);
/* Reserve the lowest free descriptor that is not below min: 0, EMFILE, ENOMEM. */
int ufalloc(proc_t *p, int min, int *fdp);
/* Undo falloc() before setf(): the reference to the vnode stays the caller's. */
void unfalloc(file_t *fp, int fd);
/* Descriptor fd now means fp (NULL: give the reserved number back). */
void setf(int fd, file_t *fp);
void setf_proc(proc_t *p, int fd, file_t *fp);
/* The open file of a descriptor, held until releasef(); NULL when there is none (EBADF). */
file_t *getf(int fd);
file_t *getf_proc(proc_t *p, int fd);
/* Take a reference, give one back; the last one closes the file.  closef() returns what the close said. */
#define FHOLD(fp) ((void)(fp)->f_count++)
int closef(file_t *fp);
#define releasef(fp) ((void)closef(fp))
/* The open file of descriptor fd of one process under a descriptor of another too, as if inherited over
 * fork(2): the new descriptor, or -1. */
int fd_share(proc_t *from, int fd, proc_t *to);
/* close(2) in process p: 0 or errno (EBADF). */
int close_proc(proc_t *p, int fd);
/* Close every file of a process that ends, and free its table. */
void closeall(proc_t *p);

/*
 * For owners of descriptors outside the process (workloads): pe->pl_func is
 * called at each event of pe->pl_events on the descriptor until
 * pollent_detach(pe); if one is true already it is called at once.  EBADF or 0.
 */
int fd_pollent_attach(proc_t *p, int fd, pollent_t *pe);
/* What poll(2) would say of the descriptor now (POLLNVAL when there is none). */
short fd_poll(proc_t *p, int fd, short events);

#endif
