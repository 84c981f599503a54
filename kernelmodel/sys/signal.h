/*
 * Signal numbers of Solaris (signal.h(3HEAD)).  They replace the host's where
 * both are seen: the numbers of the model are never given to the host.
 */
#ifndef STRSIM_SYS_SIGNAL_H
#define STRSIM_SYS_SIGNAL_H

#undef SIGHUP
#undef SIGINT
#undef SIGQUIT
#undef SIGILL
#undef SIGTRAP
#undef SIGABRT
#undef SIGEMT
#undef SIGFPE
#undef SIGKILL
#undef SIGBUS
#undef SIGSEGV
#undef SIGSYS
#undef SIGPIPE
#undef SIGALRM
#undef SIGTERM
#undef SIGUSR1
#undef SIGUSR2
#undef SIGCHLD
#undef SIGPWR
#undef SIGWINCH
#undef SIGURG
#undef SIGPOLL
#undef SIGSTOP
#undef SIGTSTP
#undef SIGCONT
#undef SIGTTIN
#undef SIGTTOU
#undef SIGVTALRM
#undef SIGPROF
#undef SIGXCPU
#undef SIGXFSZ
#undef SIGCLD
#undef SIGIO
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGEMT 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGBUS 10
#define SIGSEGV 11
#define SIGSYS 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGUSR1 16
#define SIGUSR2 17
#define SIGCHLD 18
#define SIGPWR 19
#define SIGWINCH 20
#define SIGURG 21
#define SIGPOLL 22
#define SIGSTOP 23
#define SIGTSTP 24
#define SIGCONT 25
#define SIGTTIN 26
#define SIGTTOU 27
#define SIGVTALRM 28
#define SIGPROF 29
#define SIGXCPU 30
#define SIGXFSZ 31
#define SIGCLD SIGCHLD
#define SIGIO SIGPOLL

/* sigaction(2): what a program does with a signal.  Catching it means that p_sighandler is told and the
 * program goes on. */
typedef struct ksigaction {
	int ksa_disp;
} ksigaction_t;
#define KSIG_DFL 0
#define KSIG_IGN 1
#define KSIG_CATCH 2

/* Bit of a signal in p_sig, p_ignore, p_caught. */
#define SIGBIT(sig) (1ULL << (sig))

#endif
