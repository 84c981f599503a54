/*
 * The replay workload: packet captures pushed through the modelled host.
 */
#ifndef STRSIM_REPLAY_H
#define STRSIM_REPLAY_H

#include "workload.h"

typedef struct replay_opts {
	const char **files; /* captures, in the order given; "-" is standard input */
	int nfiles;
	const char *host;      /* address of the modelled host (replay_host() takes it), NULL = choose */
	const char *processes; /* table of processes, NULL = by well-known port */
	int writes_push;       /* one write per PSH-delimited run instead of per segment */
	const char *wire;      /* capture to write, NULL = none */
	hrtime_t linger;       /* virtual time to run on after the last frame */
	int ncpu;              /* kernels that play it together */
	int progress;          /* 1 = show, 0 = do not, -1 = when standard error is a terminal */
} replay_opts_t;

/* What became of one TCP connection of the host, told when it is over. */
typedef struct replay_conn {
	uint64_t rc_first;           /* number of its first frame in the capture */
	uint32_t rc_haddr, rc_paddr; /* network byte order */
	uint16_t rc_hport, rc_pport; /* host byte order */
	uint32_t rc_inst;            /* VLAN instance */
	int rc_adopted, rc_accepted, rc_connected;
	int rc_pid;                     /* of the process that owned it, 0 = none */
	uint64_t rc_delivered, rc_hash; /* bytes the process read, their FNV-1a */
	uint64_t rc_writes, rc_written;
	uint64_t rc_sndlost, rc_rcvlost; /* bytes of holes in the capture */
} replay_conn_t;
void replay_on_conn(workload_t *w, void (*f)(void *, const replay_conn_t *), void *arg);
/* 64-bit FNV-1a, continued from h; begin with REPLAY_FNV. */
#define REPLAY_FNV 0xcbf29ce484222325ULL
uint64_t replay_fnv(uint64_t h, const void *data, size_t len);

/* A host's IPv4 address in network byte order; 0 when the text is none. */
uint32_t replay_host(const char *text);

/* NULL: no memory. */
workload_t *replay_create(const replay_opts_t *opts);
/* The same on the kernels of sim/cpus.h, opts->ncpu of them. */
workload_t *replay_create_sharded(const replay_opts_t *opts);

#endif
