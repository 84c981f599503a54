/*
 * Which process owns a connection or a UDP port.
 *
 * By default each has a process of its own, named after the well-known port
 * (/usr/lib/ssh/sshd for local port 22, "ssh HOST" for remote port 22), else
 * "tcp-server PORT" or "tcp-client HOST:PORT", and the same for udp; echo
 * requests are sent by "ping HOST".
 *
 * A table (--processes FILE) has lines of
 *
 *	proto local-port remote-port pid psargs...
 *
 * (icmp: the identifier of the messages for the local port, 0 for the remote)
 * with * for any port or protocol, or for "the next free pid"; # begins a
 * comment; the first line that matches wins.
 */
#ifndef STRSIM_REPLAY_PROCTAB_H
#define STRSIM_REPLAY_PROCTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct proctab proctab_t;

/* file NULL: only the defaults.  NULL with a message (FILE:LINE: what is wrong). */
proctab_t *proctab_create(const char *file, char *err, size_t errlen);
void proctab_destroy(proctab_t *t);

typedef struct proc_want {
	const char *pw_proto;        /* "tcp", "udp" or "icmp" */
	uint16_t pw_lport, pw_rport; /* rport 0 for a UDP port or a listener; icmp: identifier, 0 */
	bool pw_server;
	uint32_t pw_raddr; /* network byte order */
} proc_want_t;

/* Writes the argument string; returns the pid asked for, or 0 for the next free one. */
int proctab_name(const proctab_t *t, const proc_want_t *want, char *psargs, size_t len);
/* Does some line ask for this pid? */
bool proctab_has(const proctab_t *t, int pid);

#endif
