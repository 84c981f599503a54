/*
 * Who fires BEGIN, END and what ERROR follows from them: this program, as a
 * process with one thread.  It is no process of the modelled kernel (nothing
 * there knows it), but a D program sees it like one: pid, execname, curpsinfo
 * and so on tell about the host's process.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sys/thread.h"
#include "dtrace_impl.h"

static KLOCAL struct {
	bool known;
	cred_t cred;
	proc_t parent, proc;
	kthread_t thread;
} self;

/* A file of the host's /proc, its NULs made blanks; "" when there is none.  How many NULs there were. */
static int read_proc(pid_t pid, const char *file, char *to, size_t size)
{
	char name[64], text[4096];
	ssize_t n = -1, i;
	int fd, nuls = 0;

	(void)snprintf(name, sizeof(name), "/proc/%d/%s", (int)pid, file);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, text, sizeof(text) - 1);
		(void)close(fd);
	}
	if (n < 0)
		n = 0;
	for (i = 0; i < n; i++) {
		nuls += text[i] == '\0';
		if (text[i] == '\0' || text[i] == '\n')
			text[i] = ' ';
	}
	while (n > 0 && text[n - 1] == ' ')
		n--;
	n = MIN(n, (ssize_t)size - 1);
	memcpy(to, text, (size_t)n);
	to[n] = '\0';
	return nuls;
}

static void fill(proc_t *p, pid_t pid, proc_t *parent)
{
	char args[PSARGSZ] = "", comm[MAXCOMLEN + 1] = "";

	p->p_pid = pid;
	p->p_parent = parent;
	p->p_ppid = parent == NULL ? 0 : parent->p_pid;
	p->p_pgrp = getpgid(pid);
	p->p_sid = getsid(pid);
	p->p_cred = &self.cred;
	p->p_lwpcnt = 1;
	(void)read_proc(pid, "comm", comm, sizeof(comm));
	memcpy(p->p_user.u_comm, comm, sizeof(comm));
	p->p_user.u_argc = read_proc(pid, "cmdline", args, sizeof(args));
	memcpy(p->p_user.u_psargs, args, sizeof(args));
}

kthread_t *self_thread(void)
{
	kthread_t *t = &self.thread;

	self.parent.p_parent = p0; /* of this kernel: a later one has another */
	if (self.known)
		return t;
	self.known = true;
	self.cred = (cred_t){1, geteuid(), getuid(), getegid(), getgid()};
	fill(&self.parent, getppid(), self.parent.p_parent);
	fill(&self.proc, getpid(), &self.parent);
	t->t_procp = &self.proc;
	t->t_lwp = &t->t_lwp0;
	t->t_tid = 1;
	t->t_did = UINT64_MAX; /* no thread of the kernel gets so far */
	t->t_pri = 59;
	t->t_state = 'O';
	t->t_clname = "TS";
	self.proc.p_tlist = self.proc.p_tlast = t;
	return t;
}

bool self_is(const kthread_t *t)
{
	return t == &self.thread;
}
