/*
 * The plan of a replay on several CPUs: which of them plays which frame, and
 * the pids of all processes, so that neither depends on how many CPUs there
 * are or how they run.  It is made by walking the capture once, as the player
 * does, before anything is played; afterwards it is only read.
 *
 * A kernel knows each peer: its next hop, resolved at the first packet to it,
 * and its path MTU.  So all traffic with a peer is on one CPU, and with it:
 *
 *	UDP		all peers of a port, which has one process
 *	ICMP errors	the peer of the packet that they quote
 *	ARP		the packets of the peer
 *	pings		that ask more than one host: all ICMP, as they hear it
 *	VLANs		all of one, as its interface is on one CPU only
 *
 * What the kernel answers at a limited rate (closed ports, unknown protocols) is
 * on CPU 0, with the peers it comes from, so that there is one limit; also what
 * is not for the host, and its packets to itself.  Such sets of frames are
 * shared out by size.
 *
 * A TCP port is first listened at on CPU 0, where segments for closed ports
 * arrive; CPUs that accept connections of it listen from the beginning.
 */
#ifndef STRSIM_REPLAY_PLAN_H
#define STRSIM_REPLAY_PLAN_H

#include "replay/census.h"
#include "replay/pids.h"
#include "replay/replay.h"

#define PLAN_MAXCPU 64

typedef struct plan plan_t;

/* NULL with a message. */
plan_t *plan_create(const replay_opts_t *opts, const census_t *census, uint32_t host, const proctab_t *tab, char *err,
		    size_t errlen);
void plan_destroy(plan_t *p);
/* Of frame number num (from 1): who plays it, and whether it is a TCP segment of the host's. */
int plan_cpu(const plan_t *p, uint64_t num);
bool plan_tcp(const plan_t *p, uint64_t num);
/* Pid of the process that appears with this frame (VIEW_NUM() of it for connections); 0 when the plan has none. */
int plan_pid(const plan_t *p, pidkind_t kind, uint64_t num);
/* The port that CPU 0 is to listen at from this frame of another CPU's on; 0 = none. */
uint16_t plan_listens(const plan_t *p, uint64_t num);
/* Ports at which this CPU, not 0, listens from the beginning, and the frames from which on CPU 0 does. */
void plan_each_listener(const plan_t *p, int cpu, void (*f)(void *, uint16_t port, uint64_t num), void *arg);

#endif
