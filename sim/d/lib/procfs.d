/*
 * Processes and threads, as proc(4) shows them.
 */
#pragma D depends_on module genunix

inline char SSLEEP = 1;
inline char SRUN = 2;
inline char SZOMB = 3;
inline char SSTOP = 4;
inline char SIDL = 5;
inline char SONPROC = 6;

inline char PR_MODEL_UNKNOWN = 0;
inline char PR_MODEL_ILP32 = 1;
inline char PR_MODEL_LP64 = 2;

typedef struct psinfo {
	int pr_nlwp;
	pid_t pr_pid;
	pid_t pr_ppid;
	pid_t pr_pgid;
	pid_t pr_sid;
	uid_t pr_uid;
	uid_t pr_euid;
	gid_t pr_gid;
	gid_t pr_egid;
	uintptr_t pr_addr;
	dev_t pr_ttydev;
	int64_t pr_start;
	char pr_fname[16];
	char pr_psargs[80];
	int pr_argc;
	uintptr_t pr_argv;
	uintptr_t pr_envp;
	char pr_dmodel;
	taskid_t pr_taskid;
	projid_t pr_projid;
	poolid_t pr_poolid;
	zoneid_t pr_zoneid;
} psinfo_t;

translator psinfo_t < proc_t *P > {
	pr_nlwp = P->p_lwpcnt;
	pr_pid = P->p_pid;
	pr_ppid = P->p_ppid;
	pr_pgid = P->p_pgrp;
	pr_sid = P->p_sid;
	pr_uid = P->p_cred->cr_ruid;
	pr_euid = P->p_cred->cr_uid;
	pr_gid = P->p_cred->cr_rgid;
	pr_egid = P->p_cred->cr_gid;
	pr_addr = (uintptr_t)P;
	pr_ttydev = P->p_ctty == NULL ? (dev_t)-1 : P->p_ctty->sd_vnode->v_rdev;
	pr_start = P->p_user.u_start;
	pr_fname = P->p_user.u_comm;
	pr_psargs = P->p_user.u_psargs;
	pr_argc = P->p_user.u_argc;
	pr_argv = 0;
	pr_envp = 0;
	pr_dmodel = PR_MODEL_LP64;
	pr_taskid = 0;
	pr_projid = 0;
	pr_poolid = 0;
	pr_zoneid = 0;
};

translator psinfo_t < kthread_t *T > {
	pr_nlwp = T->t_procp->p_lwpcnt;
	pr_pid = T->t_procp->p_pid;
	pr_ppid = T->t_procp->p_ppid;
	pr_pgid = T->t_procp->p_pgrp;
	pr_sid = T->t_procp->p_sid;
	pr_uid = T->t_procp->p_cred->cr_ruid;
	pr_euid = T->t_procp->p_cred->cr_uid;
	pr_gid = T->t_procp->p_cred->cr_rgid;
	pr_egid = T->t_procp->p_cred->cr_gid;
	pr_addr = (uintptr_t)T->t_procp;
	pr_ttydev = T->t_procp->p_ctty == NULL ? (dev_t)-1 : T->t_procp->p_ctty->sd_vnode->v_rdev;
	pr_start = T->t_procp->p_user.u_start;
	pr_fname = T->t_procp->p_user.u_comm;
	pr_psargs = T->t_procp->p_user.u_psargs;
	pr_argc = T->t_procp->p_user.u_argc;
	pr_argv = 0;
	pr_envp = 0;
	pr_dmodel = PR_MODEL_LP64;
	pr_taskid = 0;
	pr_projid = 0;
	pr_poolid = 0;
	pr_zoneid = 0;
};

/* What proc:::exit says. */
inline int CLD_EXITED = 1;
inline int CLD_KILLED = 2;
inline int CLD_DUMPED = 3;
inline int CLD_TRAPPED = 4;
inline int CLD_STOPPED = 5;
inline int CLD_CONTINUED = 6;

inline psinfo_t *curpsinfo = xlate <psinfo_t *> (curthread->t_procp);

inline int PR_STOPPED = 0x00000001;
inline int PR_ASLEEP = 0x00000020;

typedef struct lwpsinfo {
	int pr_flag;
	id_t pr_lwpid;
	uintptr_t pr_addr;
	uintptr_t pr_wchan;
	char pr_stype;
	char pr_state;
	char pr_sname;
	char pr_nice;
	short pr_syscall;
	int pr_pri;
	char pr_clname[8];
	processorid_t pr_onpro;
	processorid_t pr_bindpro;
	psetid_t pr_bindpset;
} lwpsinfo_t;

translator lwpsinfo_t < kthread_t *T > {
	pr_flag = T->t_state == 'S' ? PR_ASLEEP : 0;
	pr_lwpid = T->t_tid;
	pr_addr = (uintptr_t)T;
	pr_wchan = (uintptr_t)T->t_wchan;
	pr_stype = 0;
	pr_state = T->t_state == 'S' ? SSLEEP : T->t_state == 'Z' ? SZOMB : T->t_state == 'O' ? SONPROC : SRUN;
	pr_sname = T->t_state;
	pr_nice = 20; /* NZERO: nothing in the model changes it */
	pr_syscall = T->t_sysnum;
	pr_pri = T->t_pri;
	pr_clname = stringof(T->t_clname);
	pr_onpro = cpu;
	pr_bindpro = -1;
	pr_bindpset = -1;
};

inline lwpsinfo_t *curlwpsinfo = xlate <lwpsinfo_t *> (curthread);
