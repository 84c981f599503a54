#include "replay/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ip/ip.h"
#include "ip/ipclassifier.h"
#include "ip/tcp.h"
#include "ip/tcp_repair.h"
#include "sys/errno.h"
#include "sys/file.h"
#include "sys/poll.h"
#include "sys/socket.h"

/*
 * TCP connections of the modelled host.
 *
 * Theory.  A connection of the capture becomes a process with a socket.  What
 * the host sent turns into actions (write, shut down, abort) that wait in a
 * list until the socket can take them; a user thread of the process works the
 * list off and reads whatever there is to read.  The thread (a "job") exists
 * only while there is work, so a connection at rest costs its two structures.
 *
 * A segment of the host's contributes only the bytes that it is the first to
 * carry.  They are cut out against what came before (rc_next, and the pieces
 * that wait behind a hole), so that every byte is written once and in order.
 * When a hole is not filled by anything that the scout can see, the capture
 * lost it: the connection continues behind it, in the model too (TCP_REPAIR_SND),
 * and the same for holes in what the peer sent, once the host's ACKs prove
 * that it had the bytes (TCP_REPAIR_RCV).
 */

typedef enum rcstate {
	RC_IDLE,       /* no process: a closed port, or nothing yet */
	RC_CONNECT,    /* to be connected by the next job */
	RC_CONNECTING, /* connect(2) goes on */
	RC_ADOPT,      /* to be adopted by the next job */
	RC_REOPEN,     /* the next job closes the socket; another follows */
	RC_EXPECT,     /* a listener waits for the peer's handshake */
	RC_OPEN,
	RC_GONE /* closed, or failed */
} rcstate_t;

typedef enum { DO_WRITE, DO_SHUT, DO_ABORT, DO_SKIPSND, DO_SKIPRCV } todo_t;

typedef struct action {
	todo_t a_what;
	bool a_urgent, a_pooled; /* pooled: without a_data */
	uint32_t a_seq;          /* skips: continue here */
	uint32_t a_len, a_done;
	struct action *a_next;
	const uint8_t *a_bytes; /* what to write: a_data, in the frame that is being played, or a_own */
	uint8_t *a_own;
	uint8_t a_data[];
} action_t;

/* Bytes of the host's that wait behind a hole. */
typedef struct piece {
	uint32_t p_seq;
	bool p_urgent;
	action_t *p_write;
	struct piece *p_next;
} piece_t;

/* Kernel objects of a connection, in the order in which its packets and calls come to them. */
enum { NEAR_FILE, NEAR_VNODE, NEAR_SONODE, NEAR_STREAM, NEAR_HEADQ, NEAR_MODQ, NEAR_CONN, NEAR_TCP, NEAR };

typedef struct rconn {
	flow_t rc_flow; /* first */
	player_t *rc_pl;
	facts_t *rc_facts;
	proc_t *rc_proc;
	int rc_fd;
	rcstate_t rc_state;
	bool rc_job, rc_again; /* a job exists; it has to look again */
	bool rc_shut, rc_eof;
	bool rc_finseen, rc_findone; /* the host's FIN */
	bool rc_pfinseen;
	short rc_revents;
	uint32_t rc_finseq, rc_pfinseq;
	bool rc_nextvalid;
	uint32_t rc_next; /* host's next byte to be written */
	piece_t *rc_pieces;
	cover_t rc_rcv; /* of the peer's bytes, what was on the wire */
	action_t *rc_todo, **rc_todotail;
	tcp_adopt_t *rc_adopt;
	pollent_t rc_pe;
	bool rc_attached;
	const void *rc_near[NEAR]; /* what the kernel has of it: for conn_hint() only, it may be gone */
	replay_conn_t rc_rep;
} rconn_t;

/* A listening socket, owned by a process of its own; what it accepts goes to the connections' processes. */
typedef struct listener {
	uint32_t l_key[2]; /* VLAN instance, port */
	player_t *l_pl;
	proc_t *l_proc;
	int l_fd;
	bool l_job, l_again, l_ready;
	pollent_t l_pe;
	UT_hash_handle hh;
} listener_t;

static KLOCAL player_t *plan_player; /* tcp_plan_hook has no argument of its own */
static KLOCAL pool_t actions;        /* those that need no room for bytes */

uint64_t replay_fnv(uint64_t h, const void *data, size_t len)
{
	const uint8_t *p = data;

	for (size_t i = 0; i < len; i++)
		h = (h ^ p[i]) * 0x100000001b3ULL;
	return h;
}

/* ---- sockets ---- */

static void sin_set(struct sockaddr_in *sin, uint32_t addr, uint16_t port)
{
	memset(sin, 0, sizeof(*sin));
	sin->sin_family = AF_INET;
	sin->sin_port = (in_port_t)(port << 8 | port >> 8);
	sin->sin_addr.s_addr = addr;
}

static void setopt_int(int fd, int level, int name, int val)
{
	(void)SYS5(setsockopt, fd, level, name, &val, sizeof(val));
}

/* A stream socket of the calling process, as the replay wants it. */
static int replay_socket(const player_t *pl, uint_t ifindex)
{
	int fd = (int)SYS5(so_socket, AF_INET, SOCK_STREAM, 0, 0, 0);

	if (fd < 0)
		return -1;
	setopt_int(fd, SOL_SOCKET, SO_REUSEADDR, 1);
	setopt_int(fd, SOL_SOCKET, SO_SNDBUF, 1 << 20);
	setopt_int(fd, IPPROTO_TCP, TCP_REPAIR_FREE, pl->pl_opts.writes_push ? 1 : 2);
	if (ifindex != 0)
		setopt_int(fd, IPPROTO_IP, IP_BOUND_IF, (int)ifindex);
	return fd;
}

static void conn_wake(pollent_t *pe, short revents);

/* Note where the kernel has what belongs to the socket; no kernel function is called, since probes would show it. */
static void note_near(rconn_t *rc)
{
	const file_t *fp = rc->rc_proc->p_fd[rc->rc_fd];
	const stdata_t *stp = fp->f_vnode->v_stream;
	const queue_t *q = stp != NULL ? stp->sd_wrq->q_next : NULL;
	bool tcp = q != NULL && strcmp(q->q_qinfo->qi_minfo->mi_idname, "tcp") == 0;
	const conn_t *connp = tcp ? q->q_ptr : NULL;

	if (connp != NULL) {
		rc->rc_near[NEAR_FILE] = fp;
		rc->rc_near[NEAR_VNODE] = fp->f_vnode;
		rc->rc_near[NEAR_SONODE] = fp->f_vnode->v_data;
		rc->rc_near[NEAR_STREAM] = stp;
		rc->rc_near[NEAR_HEADQ] = RD(stp->sd_wrq);
		rc->rc_near[NEAR_MODQ] = RD(q);
		rc->rc_near[NEAR_CONN] = connp;
		rc->rc_near[NEAR_TCP] = connp->conn_tcp;
	}
}

/* The objects are near: on to what they point to.  They are there as long as the process has its socket. */
static void objects_near(const rconn_t *rc, int ahead)
{
	const conn_t *connp = rc->rc_near[NEAR_CONN];
	const ire_t *ire = connp->conn_ire_cache;
	const tcp_t *tcp = connp->conn_tcp;
	conn_t *const *bucket = ipcl_bucket_of(connp);

	if (ahead == 1) {
		hint_lines(&rc->rc_proc->p_fd[rc->rc_fd], 1);
		hint_lines(bucket, 1);
		hint_lines(ire, 3);
		hint_lines(tcp->tcp_timer_tid, 1);
		hint_lines(tcp->tcp_xmit_head, 1);
		return;
	}
	if (bucket != NULL && *bucket != connp)
		hint_lines(&(*bucket)->conn_src, 2);
	if (ire != NULL && ire->ire_fp_mp != NULL)
		hint_lines(ire->ire_fp_mp, 1);
	if (tcp->tcp_timer_tid != NULL)
		hint_lines(tcp->tcp_timer_tid->b_rptr, 1);
	if (tcp->tcp_xmit_head != NULL)
		hint_lines(tcp->tcp_xmit_head->b_datap, 1);
}

static void rconn_near(const flow_t *f, int ahead)
{
	static const int lines[NEAR] = {1, 2, 8, 6, 4, 4, 4, 12};
	const rconn_t *rc = (const rconn_t *)f;

	if (ahead < 2) {
		if (rc->rc_attached && rc->rc_near[NEAR_CONN] != NULL && !rc->rc_proc->p_exited)
			objects_near(rc, ahead);
		return;
	}
	hint_lines(rc->rc_proc, 4);
	ptab_prefetch(&rc->rc_pl->pl_stations, STATION_KEY(rc->rc_flow.f_key.fk_inst, rc->rc_flow.f_key.fk_paddr));
	for (int i = 0; i < NEAR; i++)
		hint_lines(rc->rc_near[i], lines[i]);
}

void conn_hint(player_t *pl)
{
	hint_step(&pl->pl_hint, pl->pl_src, READ_PLAY, pl->pl_host, &pl->pl_flows,
		  (int)((sizeof(rconn_t) + CACHE_LINE - 1) / CACHE_LINE), rconn_near);
}

/* Be told of what happens to the socket, and what happened already. */
static void watch(rconn_t *rc)
{
	rc->rc_pe.pl_events = POLLIN | POLLRDNORM | POLLOUT | POLLHUP | POLLERR;
	rc->rc_pe.pl_func = conn_wake;
	rc->rc_pe.pl_arg = rc;
	rc->rc_attached = fd_pollent_attach(rc->rc_proc, rc->rc_fd, &rc->rc_pe) == 0;
	if (rc->rc_attached)
		note_near(rc);
}

static void close_socket(rconn_t *rc)
{
	if (rc->rc_attached)
		pollent_detach(&rc->rc_pe);
	rc->rc_attached = false;
	if (rc->rc_fd >= 0)
		(void)SYS1(close, rc->rc_fd);
	rc->rc_fd = -1;
	rc->rc_state = RC_GONE;
}

static void action_free(action_t *a)
{
	free(a->a_own);
	if (a->a_pooled)
		pool_put(&actions, a);
	else
		free(a);
}

static void drop_actions(rconn_t *rc)
{
	while (rc->rc_todo != NULL) {
		action_t *a = rc->rc_todo;

		rc->rc_todo = a->a_next;
		action_free(a);
	}
	rc->rc_todotail = &rc->rc_todo;
}

/* ---- the job: what the connection's process does ---- */

static bool begin_connect(rconn_t *rc)
{
	const fkey_t *k = &rc->rc_flow.f_key;
	uint_t ifindex = k->fk_inst != 0 ? player_ifindex(rc->rc_pl, k->fk_inst) : 0;
	struct sockaddr_in sin;

	rc->rc_fd = replay_socket(rc->rc_pl, ifindex);
	if (rc->rc_fd < 0)
		return false;
	(void)SYS3(fcntl, rc->rc_fd, F_SETFL, FREAD | FWRITE | FNONBLOCK);
	sin_set(&sin, k->fk_haddr, k->fk_hport);
	if (SYS3(bind, rc->rc_fd, &sin, sizeof(sin)) < 0)
		return false;
	watch(rc);
	sin_set(&sin, k->fk_paddr, k->fk_pport);
	rc->rc_state = RC_CONNECTING;
	if (SYS3(connect, rc->rc_fd, &sin, sizeof(sin)) < 0 && user_errno() != EINPROGRESS)
		return false;
	return true;
}

static void adopt(rconn_t *rc)
{
	uint_t inst = rc->rc_flow.f_key.fk_inst;
	int r = -1;

	rc->rc_fd = replay_socket(rc->rc_pl, inst != 0 ? player_ifindex(rc->rc_pl, inst) : 0);
	if (rc->rc_fd >= 0)
		r = (int)SYS5(setsockopt, rc->rc_fd, IPPROTO_TCP, TCP_REPAIR_ADOPT, rc->rc_adopt,
			      sizeof(*rc->rc_adopt));
	free(rc->rc_adopt);
	rc->rc_adopt = NULL;
	if (r != 0) {
		rc->rc_pl->pl_acct.a_failed++;
		close_socket(rc);
		return;
	}
	rc->rc_rep.rc_adopted = 1;
	rc->rc_pl->pl_acct.a_tcp_adopted++;
	rc->rc_state = RC_OPEN;
	(void)SYS3(fcntl, rc->rc_fd, F_SETFL, FREAD | FWRITE | FNONBLOCK);
	watch(rc);
	rc->rc_again = true;
}

/* Has connect(2) ended?  False while it has not. */
static bool check_connected(rconn_t *rc)
{
	struct sockaddr_in sin;
	socklen_t_ len = sizeof(sin);
	int error = 0;
	socklen_t_ elen = sizeof(error);

	if (SYS3(getpeername, rc->rc_fd, &sin, &len) == 0) {
		rc->rc_rep.rc_connected = 1;
		rc->rc_state = RC_OPEN;
		rc->rc_again = true;
		return true;
	}
	(void)SYS5(getsockopt, rc->rc_fd, SOL_SOCKET, SO_ERROR, &error, &elen);
	if (error != 0 || (rc->rc_revents & (POLLHUP | POLLERR)) != 0) {
		close_socket(rc);
		return true;
	}
	return false;
}

/* Read until there is nothing; false when the socket was closed. */
static bool read_all(rconn_t *rc)
{
	char *buf = rc->rc_pl->pl_iobuf;
	int64_t n;

	do {
		n = SYS3(read, rc->rc_fd, buf, IOBUFSZ);
		if (n > 0) {
			rc->rc_rep.rc_delivered += (uint64_t)n;
			if (rc->rc_pl->pl_onconn != NULL)
				rc->rc_rep.rc_hash = replay_fnv(rc->rc_rep.rc_hash, buf, (size_t)n);
			rc->rc_pl->pl_acct.a_delivered += (uint64_t)n;
		}
	} while (n == IOBUFSZ);
	if (n < 0 && user_errno() != EAGAIN && user_errno() != EINTR) {
		close_socket(rc);
		return false;
	}
	if (n == 0)
		rc->rc_eof = true;
	return true;
}

/* One action; false when it has to wait. */
static bool do_action(rconn_t *rc, action_t *a)
{
	struct linger lin = {1, 0};
	int64_t n;

	switch (a->a_what) {
	case DO_WRITE:
		n = a->a_urgent ? SYS4(send, rc->rc_fd, a->a_bytes + a->a_done, a->a_len - a->a_done, MSG_OOB)
				: SYS3(write, rc->rc_fd, a->a_bytes + a->a_done, a->a_len - a->a_done);
		if (n < 0)
			return user_errno() != EAGAIN;
		a->a_done += (uint32_t)n;
		rc->rc_rep.rc_written += (uint64_t)n;
		rc->rc_pl->pl_acct.a_written += (uint64_t)n;
		if (a->a_done < a->a_len)
			return false;
		rc->rc_rep.rc_writes++;
		rc->rc_pl->pl_acct.a_writes++;
		return true;
	case DO_SHUT:
		(void)SYS2(shutdown, rc->rc_fd, SHUT_WR);
		rc->rc_shut = true;
		return true;
	case DO_ABORT:
		(void)SYS5(setsockopt, rc->rc_fd, SOL_SOCKET, SO_LINGER, &lin, sizeof(lin));
		close_socket(rc);
		return true;
	case DO_SKIPSND:
		setopt_int(rc->rc_fd, IPPROTO_TCP, TCP_REPAIR_SND, (int)a->a_seq);
		return true;
	case DO_SKIPRCV:
		setopt_int(rc->rc_fd, IPPROTO_TCP, TCP_REPAIR_RCV, (int)a->a_seq);
		return true;
	}
	return true;
}

static void do_actions(rconn_t *rc)
{
	while (rc->rc_todo != NULL && rc->rc_state == RC_OPEN) {
		action_t *a = rc->rc_todo;

		if (!do_action(rc, a))
			return;
		if (rc->rc_todo != a)
			continue;
		rc->rc_todo = a->a_next;
		if (rc->rc_todo == NULL)
			rc->rc_todotail = &rc->rc_todo;
		action_free(a);
	}
}

static void work_open(rconn_t *rc)
{
	if ((rc->rc_revents & (POLLIN | POLLRDNORM | POLLHUP | POLLERR)) && !rc->rc_eof) {
		rc->rc_revents = 0;
		if (!read_all(rc))
			return;
	}
	rc->rc_revents = 0;
	do_actions(rc);
	if (rc->rc_state == RC_OPEN && rc->rc_shut && rc->rc_eof)
		close_socket(rc);
}

static void conn_job(void *arg)
{
	rconn_t *rc = arg;

	do {
		rc->rc_again = false;
		switch (rc->rc_state) {
		case RC_CONNECT:
			if (!begin_connect(rc)) {
				rc->rc_pl->pl_acct.a_failed++;
				close_socket(rc);
			}
			break;
		case RC_CONNECTING:
			(void)check_connected(rc);
			break;
		case RC_REOPEN:
			close_socket(rc);
			rc->rc_state = RC_IDLE;
			break;
		case RC_ADOPT:
			adopt(rc);
			break;
		case RC_OPEN:
			work_open(rc);
			break;
		default:
			break;
		}
	} while (rc->rc_again);
	rc->rc_job = false;
	if (rc->rc_state == RC_GONE) {
		drop_actions(rc);
		if (rc->rc_proc != NULL)
			player_release(rc->rc_pl, rc->rc_proc);
		rc->rc_proc = NULL;
	}
}

/* See to it that the process looks at its connection. */
static void kick(rconn_t *rc)
{
	rc->rc_again = true;
	if (rc->rc_job || rc->rc_proc == NULL)
		return;
	rc->rc_job = lwp_create(rc->rc_proc, conn_job, rc) != NULL;
}

static void conn_wake(pollent_t *pe, short revents)
{
	rconn_t *rc = pe->pl_arg;

	if (revents == POLLOUT && rc->rc_todo == NULL && rc->rc_state == RC_OPEN)
		return;
	rc->rc_revents |= revents;
	kick(rc);
}

/* ---- listeners ---- */

static rconn_t *find_conn(player_t *pl, const fkey_t *key)
{
	return (rconn_t *)flow_find(&pl->pl_flows, key);
}

/* Hand an accepted descriptor to the process of its connection. */
static void hand_over(listener_t *l, int fd, const struct sockaddr_in *peer)
{
	fkey_t k = {l->l_pl->pl_host, peer->sin_addr.s_addr, (uint16_t)l->l_key[1],
		    (uint16_t)(peer->sin_port << 8 | peer->sin_port >> 8), l->l_key[0]};
	rconn_t *rc = find_conn(l->l_pl, &k);

	if (rc != NULL && rc->rc_state == RC_EXPECT && rc->rc_proc != NULL) {
		rc->rc_fd = fd_share(l->l_proc, fd, rc->rc_proc);
		if (rc->rc_fd >= 0) {
			rc->rc_rep.rc_accepted = 1;
			rc->rc_state = RC_OPEN;
			(void)SYS3(fcntl, fd, F_SETFL, FREAD | FWRITE | FNONBLOCK);
			watch(rc);
			kick(rc);
		}
	}
	(void)SYS1(close, fd);
}

static void listener_wake(pollent_t *pe, short revents);

static bool listener_open(listener_t *l)
{
	struct sockaddr_in sin;

	l->l_fd = replay_socket(l->l_pl, l->l_key[0] != 0 ? player_ifindex(l->l_pl, l->l_key[0]) : 0);
	if (l->l_fd < 0)
		return false;
	sin_set(&sin, l->l_pl->pl_host, (uint16_t)l->l_key[1]);
	if (SYS3(bind, l->l_fd, &sin, sizeof(sin)) < 0 || SYS2(listen, l->l_fd, 65535) < 0) {
		(void)SYS1(close, l->l_fd);
		l->l_fd = -1;
		return false;
	}
	(void)SYS3(fcntl, l->l_fd, F_SETFL, FREAD | FWRITE | FNONBLOCK);
	l->l_pe.pl_events = POLLIN | POLLRDNORM;
	l->l_pe.pl_func = listener_wake;
	l->l_pe.pl_arg = l;
	(void)fd_pollent_attach(l->l_proc, l->l_fd, &l->l_pe);
	return true;
}

static void listener_job(void *arg)
{
	listener_t *l = arg;
	struct sockaddr_in peer;
	socklen_t_ len;
	int fd;

	if (!l->l_ready)
		l->l_ready = listener_open(l);
	do {
		l->l_again = false;
		if (l->l_fd < 0)
			break;
		while (len = sizeof(peer), (fd = (int)SYS3(accept, l->l_fd, &peer, &len)) >= 0)
			hand_over(l, fd, &peer);
	} while (l->l_again);
	l->l_job = false;
}

static void listener_kick(listener_t *l)
{
	l->l_again = true;
	if (!l->l_job)
		l->l_job = lwp_create(l->l_proc, listener_job, l) != NULL;
}

static void listener_wake(pollent_t *pe, short revents)
{
	(void)revents;
	listener_kick(pe->pl_arg);
}

/* A listener for the host's port, made at its first use: by frame num. */
static void need_listener(player_t *pl, uint32_t inst, uint16_t port, uint64_t num)
{
	uint32_t key[2] = {inst, port};
	proc_want_t want = {"tcp", port, 0, true, 0};
	listener_t *l;

	HASH_FIND(hh, pl->pl_listeners, key, sizeof(key), l);
	if (l != NULL)
		return;
	l = calloc(1, sizeof(*l));
	if (l == NULL)
		return;
	l->l_proc = player_proc(pl, &want, PID_LISTENER, num);
	if (l->l_proc == NULL) {
		free(l);
		return;
	}
	memcpy(l->l_key, key, sizeof(key));
	l->l_pl = pl;
	l->l_fd = -1;
	HASH_ADD(hh, pl->pl_listeners, l_key, sizeof(l->l_key), l);
	listener_kick(l);
	player_settle(pl);
}

void conn_listen(player_t *pl, uint16_t port, uint64_t num)
{
	need_listener(pl, 0, port, num);
}

/* ---- actions out of segments ---- */

static action_t *action_new(todo_t what, uint32_t len)
{
	action_t *a = len == 0 ? pool_get(&actions) : calloc(1, sizeof(*a) + len);

	if (a != NULL) {
		a->a_pooled = len == 0;
		a->a_what = what;
		a->a_len = len;
		a->a_bytes = a->a_data;
	}
	return a;
}

static void queue_action(rconn_t *rc, action_t *a)
{
	if (a == NULL)
		return;
	*rc->rc_todotail = a;
	rc->rc_todotail = &a->a_next;
}

static void queue_skip(rconn_t *rc, todo_t what, uint32_t seq)
{
	action_t *a = action_new(what, 0);

	if (a != NULL)
		a->a_seq = seq;
	queue_action(rc, a);
}

static action_t *write_of(const rframe_t *f, uint32_t off, uint32_t len)
{
	action_t *a = action_new(DO_WRITE, len);

	if (a == NULL)
		return NULL;
	if (off < f->rf_paycap)
		memcpy(a->a_data, f->rf_pay + off, MIN(len, f->rf_paycap - off));
	a->a_urgent = (f->rf_flags & RF_URG) != 0;
	return a;
}

/* A write of bytes that are all in the frame: they stay there as long as the frame is played, see own_writes(). */
static action_t *write_in_place(const rframe_t *f, uint32_t off, uint32_t len)
{
	action_t *a;

	if (off + len > f->rf_paycap)
		return write_of(f, off, len);
	a = action_new(DO_WRITE, 0);
	if (a == NULL)
		return NULL;
	a->a_len = len;
	a->a_bytes = f->rf_pay + off;
	a->a_urgent = (f->rf_flags & RF_URG) != 0;
	return a;
}

/*
 * The frame goes; writes that could not be done yet get a copy of their bytes.  The actions stay where they are: a
 * thread that the end of tracing stopped may be at one of them.
 */
static void own_writes(rconn_t *rc)
{
	for (action_t *a = rc->rc_todo; a != NULL; a = a->a_next) {
		if (a->a_bytes == a->a_data || a->a_bytes == a->a_own)
			continue;
		a->a_own = malloc(a->a_len);
		if (a->a_own == NULL) {
			fprintf(stderr, "strsim: out of memory\n");
			exit(1);
		}
		memcpy(a->a_own, a->a_bytes, a->a_len);
		a->a_bytes = a->a_own;
	}
}

/* The usual case of keep_new(): the bytes go on where the last ones ended, and nothing waits. */
static bool write_next(rconn_t *rc, const rframe_t *f, uint32_t seq, uint32_t end)
{
	action_t *a = write_in_place(f, rc->rc_next - seq, end - rc->rc_next);

	if (a == NULL)
		return false;
	rc->rc_next = end;
	queue_action(rc, a);
	return true;
}

/*
 * Keep those bytes of [lo, hi) that no segment carried before, as pieces that
 * wait for their turn; returns whether there were any.
 */
static bool keep_new(rconn_t *rc, const rframe_t *f, uint32_t seq, uint32_t lo, uint32_t hi)
{
	piece_t **pp = &rc->rc_pieces;
	bool any = false;

	while (seq_lt(lo, hi)) {
		uint32_t end = hi;
		piece_t *p;

		while (*pp != NULL && seq_le((*pp)->p_seq + (*pp)->p_write->a_len, lo))
			pp = &(*pp)->p_next;
		if (*pp != NULL && seq_le((*pp)->p_seq, lo)) {
			lo = (*pp)->p_seq + (*pp)->p_write->a_len;
			continue;
		}
		if (*pp != NULL && seq_lt((*pp)->p_seq, end))
			end = (*pp)->p_seq;
		p = calloc(1, sizeof(*p));
		if (p == NULL || (p->p_write = write_of(f, lo - seq, end - lo)) == NULL) {
			free(p);
			return any;
		}
		p->p_seq = lo;
		p->p_next = *pp;
		*pp = p;
		any = true;
		lo = end;
	}
	return any;
}

/* Pieces whose turn has come become writes; then the FIN. */
static void release_pieces(rconn_t *rc)
{
	while (rc->rc_pieces != NULL && rc->rc_pieces->p_seq == rc->rc_next) {
		piece_t *p = rc->rc_pieces;

		rc->rc_pieces = p->p_next;
		rc->rc_next += p->p_write->a_len;
		queue_action(rc, p->p_write);
		free(p);
	}
	if (rc->rc_finseen && !rc->rc_findone && rc->rc_pieces == NULL && seq_le(rc->rc_finseq, rc->rc_next)) {
		rc->rc_findone = true;
		queue_action(rc, action_new(DO_SHUT, 0));
	}
}

/* Bytes before `next' that nothing in sight will bring: continue behind them. */
static void pass_send_holes(rconn_t *rc)
{
	for (;;) {
		uint32_t next, from;

		release_pieces(rc);
		if (rc->rc_pieces != NULL)
			next = rc->rc_pieces->p_seq;
		else if (rc->rc_finseen && !rc->rc_findone)
			next = rc->rc_finseq;
		else
			return;
		from = cover_from(&rc->rc_facts->fa_snd, rc->rc_next, next);
		if (from == rc->rc_next)
			return;
		rc->rc_rep.rc_sndlost += from - rc->rc_next;
		rc->rc_pl->pl_acct.a_sndlost += from - rc->rc_next;
		rc->rc_pl->pl_acct.a_holes++;
		rc->rc_next = from;
		queue_skip(rc, DO_SKIPSND, from);
		if (from != next)
			return;
	}
}

/* What the host acknowledged, it had: bytes the capture lacks are passed over. */
static void pass_receive_holes(rconn_t *rc, uint32_t ack)
{
	cover_t *c = &rc->rc_rcv;

	if (!c->c_valid)
		return;
	if (rc->rc_pfinseen && ack == rc->rc_pfinseq + 1)
		ack--;
	while (seq_lt(c->c_next, ack)) {
		uint32_t from = cover_from(&rc->rc_facts->fa_rcv, c->c_next, ack);

		if (from == c->c_next)
			return;
		/* one byte at the very end: a FIN that was not captured */
		if (ack - c->c_next == 1 && rc->rc_facts->fa_rcv.c_islands == NULL)
			return;
		rc->rc_rep.rc_rcvlost += from - c->c_next;
		rc->rc_pl->pl_acct.a_rcvlost += from - c->c_next;
		rc->rc_pl->pl_acct.a_holes++;
		cover_skip(c, from);
		queue_skip(rc, DO_SKIPRCV, from);
	}
}

/*
 * --writes=push: the whole run that begins at rc_next, out of what the scout
 * saw coming: up to the segment with PSH, or a pause of 200 ms.
 */
#define RUN_GAP_NS 200000000LL

static const coming_t *coming_at(const facts_t *fa, uint32_t seq)
{
	for (const coming_t *co = fa->fa_coming; co != NULL; co = co->co_next)
		if (seq_le(co->co_seq, seq) && seq_lt(seq, co->co_seq + co->co_len))
			return co;
	return NULL;
}

static uint32_t run_end(rconn_t *rc, int64_t now)
{
	uint32_t end = rc->rc_next;
	int64_t last = now;
	const coming_t *co;

	while ((co = coming_at(rc->rc_facts, end)) != NULL && co->co_time - last <= RUN_GAP_NS) {
		end = co->co_seq + co->co_len;
		last = co->co_time;
		if (co->co_push)
			break;
	}
	return end;
}

static bool write_run(rconn_t *rc, int64_t now)
{
	uint32_t end = run_end(rc, now), at = rc->rc_next;
	action_t *a;

	if (end == at || (a = action_new(DO_WRITE, end - at)) == NULL)
		return false;
	while (at != end) {
		const coming_t *co = coming_at(rc->rc_facts, at);
		uint32_t upto = co->co_seq + co->co_len, n = (seq_lt(upto, end) ? upto : end) - at;

		memcpy(a->a_data + (at - rc->rc_next), co->co_data + (at - co->co_seq), n);
		at += n;
	}
	rc->rc_next = end;
	queue_action(rc, a);
	return true;
}

/* Segments up to this frame are not coming any more. */
static void forget_coming(facts_t *fa, uint64_t num)
{
	while (fa->fa_coming != NULL && fa->fa_coming->co_num <= num) {
		coming_t *co = fa->fa_coming;

		fa->fa_coming = co->co_next;
		if (fa->fa_coming == NULL)
			fa->fa_comingtail = &fa->fa_coming;
		free(co);
	}
}

/* New bytes in the host's segment?  True when it carried some (written now, or waiting). */
static bool host_data(rconn_t *rc, const rframe_t *f)
{
	uint32_t seq = f->rf_seq + ((f->rf_flags & RF_SYN) != 0);
	uint32_t end = seq + f->rf_paylen;
	bool any = false;

	if (!rc->rc_nextvalid) {
		rc->rc_nextvalid = true;
		rc->rc_next = seq;
	}
	if (f->rf_flags & RF_FIN) {
		rc->rc_finseen = true;
		rc->rc_finseq = end;
	}
	if (rc->rc_pl->pl_opts.writes_push && f->rf_paylen != 0) {
		if (seq_le(seq, rc->rc_next) && seq_lt(rc->rc_next, end))
			any = write_run(rc, f->rf_time);
		else if (seq_lt(rc->rc_next, end))
			any = keep_new(rc, f, seq, seq, end);
		forget_coming(rc->rc_facts, f->rf_num);
	} else if (seq_lt(rc->rc_next, end) && seq_le(seq, rc->rc_next) && rc->rc_pieces == NULL) {
		any = write_next(rc, f, seq, end);
	} else if (seq_lt(rc->rc_next, end)) {
		any = keep_new(rc, f, seq, seq_lt(seq, rc->rc_next) ? rc->rc_next : seq, end);
	}
	pass_send_holes(rc);
	return any;
}

/* ---- beginnings ---- */

static bool give_process(rconn_t *rc, bool server)
{
	const fkey_t *k = &rc->rc_flow.f_key;
	proc_want_t want = {"tcp", k->fk_hport, k->fk_pport, server, k->fk_paddr};

	if (rc->rc_proc == NULL)
		rc->rc_proc = player_proc(rc->rc_pl, &want, PID_CONN, rc->rc_flow.f_first);
	rc->rc_rep.rc_pid = rc->rc_proc != NULL ? (int)rc->rc_proc->p_pid : 0;
	return rc->rc_proc != NULL;
}

static void begin_adoption(rconn_t *rc, uint32_t snxt, uint32_t rnxt, int side, const rframe_t *f)
{
	const fkey_t *k = &rc->rc_flow.f_key;
	tcp_adopt_t *ta = calloc(1, sizeof(*ta));
	uint32_t val, ecr;

	if (ta == NULL || !give_process(rc, k->fk_hport < 1024 || k->fk_hport < k->fk_pport)) {
		free(ta);
		return;
	}
	ta->ta_laddr = k->fk_haddr;
	ta->ta_faddr = k->fk_paddr;
	ta->ta_lport = (in_port_t)(k->fk_hport << 8 | k->fk_hport >> 8);
	ta->ta_fport = (in_port_t)(k->fk_pport << 8 | k->fk_pport >> 8);
	ta->ta_snxt = snxt;
	ta->ta_rnxt = rnxt;
	/* scales and window are unknown without the SYN: none of them may stand in the way */
	ta->ta_swnd = 0x3fffffff;
	ta->ta_snd_ws = ta->ta_rcv_ws = 14;
	ta->ta_rwnd = 16 << 20;
	ta->ta_mss = 1460;
	if (rf_tsval(f, &val, &ecr)) {
		ta->ta_ts = true;
		ta->ta_tsval = side == SIDE_HOST ? val : ecr;
		ta->ta_tsrecent = side == SIDE_HOST ? ecr : val;
	}
	rc->rc_adopt = ta;
	rc->rc_next = snxt;
	rc->rc_nextvalid = true;
	cover_free(&rc->rc_rcv);
	cover_init(&rc->rc_rcv, rnxt);
	rc->rc_state = RC_ADOPT;
	kick(rc);
	player_settle(rc->rc_pl);
}

begin_t conn_beginning(const facts_t *fa, int side, const rframe_t *f)
{
	bool syn = (f->rf_flags & (RF_SYN | RF_ACK)) == RF_SYN;

	if (side == SIDE_HOST)
		return syn ? BEGIN_CONNECT : BEGIN_ADOPT;
	if (syn) /* never answered: the port is closed */
		return fa->fa_hsynack || fa->fa_hlive ? BEGIN_ACCEPT : BEGIN_NONE;
	return (f->rf_flags & RF_ACK) && (fa->fa_hlive || fa->fa_hsynack || !fa->fa_hrst) ? BEGIN_ADOPT : BEGIN_NONE;
}

static void begin_connection(rconn_t *rc, int side, const rframe_t *f)
{
	const fkey_t *k = &rc->rc_flow.f_key;
	uint32_t seq = f->rf_seq + ((f->rf_flags & RF_SYN) != 0);

	switch (conn_beginning(rc->rc_facts, side, f)) {
	case BEGIN_CONNECT:
		if (!give_process(rc, false))
			return;
		rc->rc_next = seq;
		rc->rc_nextvalid = true;
		rc->rc_state = RC_CONNECT;
		kick(rc);
		break;
	case BEGIN_ACCEPT:
		if (!give_process(rc, true))
			return;
		rc->rc_state = RC_EXPECT;
		rc->rc_next = rc->rc_facts->fa_iss + 1;
		rc->rc_nextvalid = true;
		need_listener(rc->rc_pl, k->fk_inst, k->fk_hport, f->rf_num);
		break;
	case BEGIN_ADOPT:
		if (side == SIDE_HOST)
			begin_adoption(rc, seq, f->rf_ack, side, f);
		else
			begin_adoption(rc, f->rf_ack, seq, side, f);
		break;
	case BEGIN_NONE:
		break;
	}
}

/* ---- segments ---- */

static rconn_t *conn_of(player_t *pl, const view_t *v, int i, const rframe_t *f, bool *isnew)
{
	rframe_t copy;
	const rframe_t *g = view_frame(f, i, &copy);
	rconn_t *rc = (rconn_t *)flow_step(&pl->pl_flows, &v->v_key, v->v_side, g, isnew);

	if (rc == NULL || !*isnew)
		return rc;
	rc->rc_pl = pl;
	rc->rc_fd = -1;
	rc->rc_todotail = &rc->rc_todo;
	rc->rc_facts = scout_facts(pl->pl_scout, g->rf_num);
	rc->rc_rep.rc_hash = REPLAY_FNV;
	pl->pl_acct.a_tcp_conns++;
	return rc;
}

static acct_t host_class(const rconn_t *rc, const rframe_t *f, bool any)
{
	if (any)
		return rc->rc_state == RC_IDLE || rc->rc_state == RC_GONE ? AC_LATE : AC_WRITE;
	return (f->rf_flags & (RF_SYN | RF_FIN | RF_RST)) != 0 ? AC_CONTROL : AC_NONEW;
}

acct_t conn_host(player_t *pl, const view_t *v, int i, const rframe_t *f)
{
	bool isnew, any = false;
	rconn_t *rc = conn_of(pl, v, i, f, &isnew);
	acct_t class;

	if (rc == NULL || rc->rc_facts == NULL)
		return (f->rf_flags & RF_RST) ? AC_CONTROL : AC_LATE;
	if (isnew)
		begin_connection(rc, SIDE_HOST, f);
	if (f->rf_flags & RF_RST) {
		queue_action(rc, action_new(DO_ABORT, 0));
	} else {
		/* the peer's answer to our SYN is not in the capture: the connection is there all the same */
		if (rc->rc_state == RC_CONNECTING && !(f->rf_flags & RF_SYN) && (f->rf_flags & RF_ACK) &&
		    !rc->rc_facts->fa_psynack && !rc->rc_flow.f_syn[SIDE_PEER]) {
			rc->rc_state = RC_REOPEN;
			kick(rc);
			player_settle(pl);
			begin_adoption(rc, f->rf_seq, f->rf_ack, SIDE_HOST, f);
		}
		any = host_data(rc, f);
		if (f->rf_flags & RF_ACK)
			pass_receive_holes(rc, f->rf_ack);
	}
	if (rc->rc_state == RC_GONE || rc->rc_state == RC_IDLE)
		drop_actions(rc);
	else if (rc->rc_todo != NULL)
		kick(rc);
	class = host_class(rc, f, any);
	if (rc->rc_todo != NULL) {
		player_settle(pl);
		own_writes(rc);
	}
	return class;
}

void conn_peer(player_t *pl, const view_t *v, int i, const rframe_t *f)
{
	bool isnew;
	rconn_t *rc = conn_of(pl, v, i, f, &isnew);
	uint32_t seq = f->rf_seq + ((f->rf_flags & RF_SYN) != 0);

	if (rc == NULL || rc->rc_facts == NULL || (f->rf_flags & RF_RST))
		return;
	if (isnew)
		begin_connection(rc, SIDE_PEER, f);
	if (!rc->rc_rcv.c_valid)
		cover_init(&rc->rc_rcv, seq);
	cover_add(&rc->rc_rcv, seq, seq + f->rf_paylen);
	if (f->rf_flags & RF_FIN) {
		rc->rc_pfinseen = true;
		rc->rc_pfinseq = seq + f->rf_paylen;
	}
}

/* ---- ends ---- */

static void report(rconn_t *rc)
{
	replay_conn_t *r = &rc->rc_rep;
	const fkey_t *k = &rc->rc_flow.f_key;

	r->rc_first = rc->rc_flow.f_first;
	r->rc_haddr = k->fk_haddr;
	r->rc_paddr = k->fk_paddr;
	r->rc_hport = k->fk_hport;
	r->rc_pport = k->fk_pport;
	r->rc_inst = k->fk_inst;
	if (rc->rc_pl->pl_onconn != NULL)
		rc->rc_pl->pl_onconn(rc->rc_pl->pl_onconn_arg, r);
}

static void rconn_end(void *arg, flow_t *f)
{
	player_t *pl = arg;
	rconn_t *rc = (rconn_t *)f;

	player_settle(pl);
	if (rc->rc_attached)
		pollent_detach(&rc->rc_pe);
	rc->rc_attached = false;
	rc->rc_state = RC_GONE;
	if (rc->rc_proc != NULL)
		player_close(pl, rc->rc_proc, rc->rc_fd);
	rc->rc_fd = -1;
	if (rc->rc_proc != NULL)
		player_release(pl, rc->rc_proc);
	report(rc);
	drop_actions(rc);
	while (rc->rc_pieces != NULL) {
		piece_t *p = rc->rc_pieces;

		rc->rc_pieces = p->p_next;
		action_free(p->p_write);
		free(p);
	}
	cover_free(&rc->rc_rcv);
	free(rc->rc_adopt);
	if (rc->rc_facts != NULL)
		scout_forget(pl->pl_scout, rc->rc_facts);
}

/* The kernel asks how the recorded host began this connection. */
static int plan(uint_t ifindex, ipaddr_t laddr, in_port_t lport, ipaddr_t faddr, in_port_t fport, tcp_plan_t *out)
{
	player_t *pl = plan_player;
	fkey_t k = {laddr, faddr, (uint16_t)(lport << 8 | lport >> 8), (uint16_t)(fport << 8 | fport >> 8), 0};
	const facts_t *fa;
	rconn_t *rc;

	if (ifindex != 0 && ifindex != pl->pl_ifindex[0])
		for (uint32_t i = 1; i < 4096; i++)
			if (pl->pl_ifindex[i] == ifindex)
				k.fk_inst = i;
	rc = find_conn(pl, &k);
	if (rc == NULL || rc->rc_facts == NULL)
		return 0;
	fa = rc->rc_facts;
	out->tp_iss = fa->fa_iss;
	out->tp_mss = fa->fa_opt.so_mss;
	out->tp_ws = fa->fa_opt.so_ws;
	out->tp_ts = fa->fa_opt.so_ts;
	out->tp_tsval = fa->fa_opt.so_tsval;
	out->tp_sack = fa->fa_opt.so_sack;
	out->tp_rwnd = 65535U << (fa->fa_opt.so_ws > 0 ? fa->fa_opt.so_ws : 0);
	return 1;
}

void conn_init(player_t *pl)
{
	flowtab_init(&pl->pl_flows, sizeof(rconn_t), rconn_end, pl);
	pool_init(&actions, sizeof(action_t));
	plan_player = pl;
	tcp_plan_hook = plan;
}

void conn_fini(player_t *pl)
{
	listener_t *l, *tmp;

	flowtab_fini(&pl->pl_flows);
	tcp_plan_hook = NULL;
	HASH_ITER(hh, pl->pl_listeners, l, tmp)
	{
		if (l->l_fd >= 0)
			pollent_detach(&l->l_pe);
		player_close(pl, l->l_proc, l->l_fd);
		player_release(pl, l->l_proc);
		HASH_DEL(pl->pl_listeners, l);
		free(l);
	}
	player_settle(pl);
	pool_fini(&actions);
}
