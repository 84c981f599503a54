/*
 * Inside the replay: the player's state, shared by its parts
 *
 *	replay.c	the workload: set-up, one frame after the other, the account
 *	conn.c		TCP connections of the host: connect, accept, write, close
 *	dgram.c		UDP ports of the host
 *	ping.c		its echo requests
 *	endp.c		the endpoints of both
 *	wirelog.c	--wire
 */
#ifndef STRSIM_REPLAY_PLAYER_H
#define STRSIM_REPLAY_PLAYER_H

#include "replay/census.h"
#include "replay/hint.h"
#include "replay/pids.h"
#include "replay/plan.h"
#include "replay/proctab.h"
#include "replay/replay.h"
#include "replay/scout.h"

#include "machine/nic.h"
#include "sys/thread.h"
#include "sys/strsubr.h"

/* Classes of the account: every frame of the capture is in exactly one. */
typedef enum acct {
	AC_RECEIVED,    /* put on the wire to the host */
	AC_WRITE,       /* sent by the host: application data written */
	AC_SEND,        /* ... a datagram sent, or an echo request */
	AC_CONTROL,     /* ... SYN, FIN or RST without new data */
	AC_NONEW,       /* ... only bytes that were sent before, or none: ACKs, retransmissions, probes */
	AC_FRAGMENT,    /* ... a fragment that did not complete its datagram */
	AC_KERNEL,      /* ... by its kernel (ICMP answers, IGMP, ARP): the model makes its own */
	AC_NOTREPLAYED, /* ... another protocol */
	AC_LATE,        /* ... data of a connection that the model could not play */
	AC_FOREIGN,     /* between others */
	AC_DROPPED,     /* unusable: by reason in a_bad */
	NACCT
} acct_t;

typedef struct account {
	uint64_t a_frames, a_class[NACCT], a_bad[RF_NBAD];
	uint64_t a_kernel_proto[256], a_notreplayed_proto[256];
	uint64_t a_ipv4, a_ipv6, a_arp, a_fragments; /* by the outermost network header */
	uint64_t a_notip, a_toother; /* of the received: not IPv4; to the host's station but not its address */
	uint64_t a_tcp_conns, a_tcp_adopted, a_udp_ports;
	uint64_t a_writes, a_written, a_sends, a_sent; /* calls and bytes */
	uint64_t a_delivered, a_datagrams, a_dgrambytes;
	uint64_t a_ping_procs, a_pings, a_replies; /* replies: that reached their process */
	uint64_t a_sndlost, a_rcvlost, a_holes;    /* bytes that the capture lacks */
	uint64_t a_failed;                         /* system calls that failed against expectation */
} account_t;

typedef struct player {
	replay_opts_t pl_opts;
	source_t *pl_src;
	census_t *pl_census;
	scout_t *pl_scout;
	index_t *pl_index; /* for the scout, NULL = it reads the frames */
	struct fragtab *pl_frags;
	proctab_t *pl_procs;
	struct wirelog *pl_wire;
	nic_t *pl_nic;
	uint32_t pl_host; /* 0 = none */
	uint8_t pl_mac[6];
	flowtab_t pl_flows; /* of rconn_t */
	hint_t pl_hint;
	struct listener *pl_listeners;
	struct uport *pl_uports;
	struct ping *pl_pings;
	ptab_t pl_stations; /* Ethernet addresses (mac_word()) of peers by VLAN instance and address */
	uint8_t pl_plumbed[4096 / 8];
	uint_t pl_ifindex[4096];
	/* one CPU of several: the plan and its number; it shares census and table of processes with CPU 0's player */
	const plan_t *pl_plan;
	uint64_t pl_counted; /* last frame the census has taken in, from a pipe */
	bool pl_progress;    /* show it on standard error */
	int pl_cpu;
	const struct player *pl_lead; /* that player, NULL = this is it */
	pids_t pl_pids;               /* without a plan */
	account_t pl_acct;
	rframe_t pl_frame; /* read, not played yet */
	bool pl_have, pl_eof, pl_failed, pl_finished;
	hrtime_t pl_last; /* time of the last frame */
	hrtime_t pl_end;
	uint8_t *pl_buf;        /* for rebuilt frames */
	char *pl_iobuf;         /* for reads */
	struct owner *pl_ended; /* processes to be ended, on the host's stack */
	void (*pl_onconn)(void *, const replay_conn_t *);
	void *pl_onconn_arg;
} player_t;

#define IOBUFSZ 65536

/* The number of a peer in pl_stations. */
#define STATION_KEY(inst, addr) ((uint64_t)(inst) << 32 | (addr))

/* Make ready threads run now. */
void player_settle(player_t *pl);
/* The process of this kind that appears with frame num, or one use more of it.  NULL without memory. */
proc_t *player_proc(player_t *pl, const proc_want_t *want, pidkind_t kind, uint64_t num);
/* One use less; a process without one is ended when nothing of it runs. */
void player_release(player_t *pl, proc_t *p);
/* Have process p close a descriptor (-1: nothing), now. */
void player_close(player_t *pl, proc_t *p, int fd);
/* Interface index of a VLAN instance. */
uint_t player_ifindex(const player_t *pl, uint32_t inst);

/*
 * The player's life, for the workload of one CPU or several (shards.c): read what is known before the first frame (CPU
 * 0's only); make ready the kernel of the calling thread; play; let go of that kernel; free.  player_next() is when it
 * acts next.
 */
player_t *player_create(const replay_opts_t *opts);
int player_census(player_t *pl, char *err, size_t errlen);
int player_start(player_t *pl, char *err, size_t errlen);
int player_run(player_t *pl, hrtime_t until);
hrtime_t player_next(player_t *pl);
void player_stop(player_t *pl);
void player_destroy(player_t *pl);
/* Tell the account, which may be a sum; pl is the player of CPU 0. */
void player_say(const player_t *pl, const account_t *a);

/* conn.c */
/* What a segment that begins a connection means to the host. */
typedef enum { BEGIN_NONE, BEGIN_CONNECT, BEGIN_ACCEPT, BEGIN_ADOPT } begin_t;
begin_t conn_beginning(const facts_t *fa, int side, const rframe_t *f);
/* Listen at a port from now on, by the process that appears with frame num. */
void conn_listen(player_t *pl, uint16_t port, uint64_t num);
void conn_init(player_t *pl);
/* Have fetched what the next frames' connections need. */
void conn_hint(player_t *pl);
void conn_fini(player_t *pl);
/* A segment the host sent: its class. */
acct_t conn_host(player_t *pl, const view_t *v, int i, const rframe_t *f);
/* A segment on its way to the host (called before it is put on the wire). */
void conn_peer(player_t *pl, const view_t *v, int i, const rframe_t *f);

/* dgram.c */
acct_t dgram_host(player_t *pl, uint32_t inst, const rframe_t *f);
/* A datagram for the host: its port is opened if the capture shows it in use. */
void dgram_peer(player_t *pl, uint32_t inst, const rframe_t *f);
void dgram_fini(player_t *pl);

/* ping.c */
#define PING_TIMEOUT 20000000000LL /* ns after its last request that a ping ends */
/* Is this packet, if the host sent it, one that a ping process sent? */
bool ping_request(const rframe_t *f);
/* Does one host have this address (as seen from the host's /24), or is it a group's or a broadcast? */
bool ping_one_host(uint32_t host, uint32_t addr);
acct_t ping_host(player_t *pl, uint32_t inst, const rframe_t *f);
/* Pings that have waited long enough by now end. */
void ping_expire(player_t *pl, int64_t now);
void ping_fini(player_t *pl);

/* wirelog.c: NULL with a message. */
struct wirelog *wirelog_open(const char *file, char *err, size_t errlen);
/* The wall clock at virtual time 0; before the first frame. */
void wirelog_epoch(struct wirelog *w, int64_t epoch);
void wirelog_frame(struct wirelog *w, const uint8_t *frame, size_t len, hrtime_t when);
/* 0, or -1 with a message; the file appears under its name only when it is whole. */
int wirelog_close(struct wirelog *w, char *err, size_t errlen);

/* System calls of a user thread, by name (see sys/thread.h). */
#define SYS0(n) user_syscall(SYS_##n, 0, 0, 0, 0, 0, 0)
#define SYS1(n, a) user_syscall(SYS_##n, (int64_t)(a), 0, 0, 0, 0, 0)
#define SYS2(n, a, b) user_syscall(SYS_##n, (int64_t)(a), (int64_t)(b), 0, 0, 0, 0)
#define SYS3(n, a, b, c) user_syscall(SYS_##n, (int64_t)(a), (int64_t)(b), (int64_t)(c), 0, 0, 0)
#define SYS4(n, a, b, c, d) user_syscall(SYS_##n, (int64_t)(a), (int64_t)(b), (int64_t)(c), (int64_t)(d), 0, 0)
#define SYS5(n, a, b, c, d, e) \
	user_syscall(SYS_##n, (int64_t)(a), (int64_t)(b), (int64_t)(c), (int64_t)(d), (int64_t)(e), 0)

#endif
