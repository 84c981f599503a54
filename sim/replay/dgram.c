#include "replay/player.h"

#include <stdlib.h>
#include <string.h>

#include "sys/errno.h"
#include "sys/file.h"
#include "sys/poll.h"
#include "sys/socket.h"
#include "sys/stropts.h"
#include "sys/tihdr.h"

/*
 * UDP ports of the modelled host.  A port that the capture shows in use is
 * opened at its first datagram, sent or received, as an endpoint on /dev/udp;
 * its process sends with putmsg(2) and takes what comes with getmsg(2), the way
 * TLI programs do.
 */

typedef struct dgram {
	uint32_t d_addr;
	uint16_t d_port;
	uint32_t d_len;
	struct dgram *d_next;
	uint8_t d_data[];
} dgram_t;

typedef struct uport {
	uint32_t u_key[2]; /* VLAN instance, port */
	player_t *u_pl;
	proc_t *u_proc;
	int u_fd;
	bool u_open, u_job, u_again;
	dgram_t *u_todo, **u_todotail;
	pollent_t u_pe;
	UT_hash_handle hh;
} uport_t;

static void sin_of(struct sockaddr_in *sin, uint32_t addr, uint16_t port)
{
	memset(sin, 0, sizeof(*sin));
	sin->sin_family = AF_INET;
	sin->sin_port = (in_port_t)(port << 8 | port >> 8);
	sin->sin_addr.s_addr = addr;
}

/* ---- TPI, from a user thread ---- */

/* Wait for the answer to a request: 0 when it is the acknowledgement expected. */
static int get_ack(int fd, int prim)
{
	union {
		t_scalar_t type;
		char buf[512];
	} u;
	struct strbuf ctl = {sizeof(u.buf), 0, u.buf};
	int flags = RS_HIPRI;

	if (SYS4(getmsg, fd, &ctl, NULL, &flags) < 0 || ctl.len < (int)sizeof(t_scalar_t))
		return -1;
	return u.type == prim ? 0 : -1;
}

static int tpi_option(int fd, uint32_t level, uint32_t name, int val)
{
	struct {
		struct T_optmgmt_req req;
		struct opthdr opt;
		int val;
	} m = {{T_SVR4_OPTMGMT_REQ, sizeof(struct opthdr) + sizeof(int), sizeof(struct T_optmgmt_req), T_NEGOTIATE},
	       {level, name, sizeof(int)},
	       val};
	struct strbuf ctl = {0, sizeof(m), (char *)&m};

	if (SYS4(putmsg, fd, &ctl, NULL, 0) < 0)
		return -1;
	return get_ack(fd, T_OPTMGMT_ACK);
}

static int tpi_bind(int fd, uint16_t port)
{
	struct {
		struct T_bind_req req;
		struct sockaddr_in sin;
	} m = {{T_BIND_REQ, sizeof(struct sockaddr_in), sizeof(struct T_bind_req), 0}, {0}};
	struct strbuf ctl = {0, sizeof(m), (char *)&m};

	sin_of(&m.sin, 0, port);
	if (SYS4(putmsg, fd, &ctl, NULL, 0) < 0)
		return -1;
	return get_ack(fd, T_BIND_ACK);
}

static int tpi_send(int fd, const dgram_t *d)
{
	struct {
		struct T_unitdata_req req;
		struct sockaddr_in sin;
	} m = {{T_UNITDATA_REQ, sizeof(struct sockaddr_in), sizeof(struct T_unitdata_req), 0, 0}, {0}};
	struct strbuf ctl = {0, sizeof(m), (char *)&m};
	struct strbuf data = {0, (int)d->d_len, (char *)(uintptr_t)d->d_data};

	sin_of(&m.sin, d->d_addr, d->d_port);
	return (int)SYS4(putmsg, fd, &ctl, &data, 0);
}

/* ---- the job ---- */

static void uport_wake(pollent_t *pe, short revents);

static void uport_open(uport_t *u)
{
	uint_t ifindex = u->u_key[0] != 0 ? player_ifindex(u->u_pl, u->u_key[0]) : 0;
	int fd = (int)SYS2(open, "/dev/udp", O_RDWR);

	if (fd < 0)
		return;
	(void)tpi_option(fd, SOL_SOCKET, SO_REUSEADDR, 1);
	(void)tpi_option(fd, SOL_SOCKET, SO_BROADCAST, 1);
	if (ifindex != 0)
		(void)tpi_option(fd, IPPROTO_IP, IP_BOUND_IF, (int)ifindex);
	if (tpi_bind(fd, (uint16_t)u->u_key[1]) != 0) {
		(void)SYS1(close, fd);
		return;
	}
	(void)SYS3(fcntl, fd, F_SETFL, FREAD | FWRITE | FNONBLOCK);
	u->u_fd = fd;
	u->u_pe.pl_events = POLLIN | POLLRDNORM;
	u->u_pe.pl_func = uport_wake;
	u->u_pe.pl_arg = u;
	(void)fd_pollent_attach(u->u_proc, fd, &u->u_pe);
}

static void uport_read(uport_t *u)
{
	player_t *pl = u->u_pl;
	union {
		t_scalar_t type;
		char buf[512];
	} c;
	struct strbuf ctl = {sizeof(c.buf), 0, c.buf}, data = {IOBUFSZ, 0, pl->pl_iobuf};
	int flags = 0;

	while (SYS4(getmsg, u->u_fd, &ctl, &data, &flags) >= 0) {
		if (ctl.len >= (int)sizeof(t_scalar_t) && c.type == T_UNITDATA_IND) {
			pl->pl_acct.a_datagrams++;
			pl->pl_acct.a_dgrambytes += data.len > 0 ? (uint64_t)data.len : 0;
		}
		flags = 0;
	}
}

static void uport_send(uport_t *u)
{
	while (u->u_todo != NULL) {
		dgram_t *d = u->u_todo;

		if (u->u_fd < 0 || tpi_send(u->u_fd, d) < 0) {
			u->u_pl->pl_acct.a_failed++;
		} else {
			u->u_pl->pl_acct.a_sends++;
			u->u_pl->pl_acct.a_sent += d->d_len;
		}
		u->u_todo = d->d_next;
		if (u->u_todo == NULL)
			u->u_todotail = &u->u_todo;
		free(d);
	}
}

static void uport_job(void *arg)
{
	uport_t *u = arg;

	do {
		u->u_again = false;
		if (!u->u_open) {
			u->u_open = true;
			uport_open(u);
		}
		uport_send(u);
		if (u->u_fd >= 0)
			uport_read(u);
	} while (u->u_again);
	u->u_job = false;
}

static void uport_kick(uport_t *u)
{
	u->u_again = true;
	if (!u->u_job)
		u->u_job = lwp_create(u->u_proc, uport_job, u) != NULL;
}

static void uport_wake(pollent_t *pe, short revents)
{
	(void)revents;
	uport_kick(pe->pl_arg);
}

/* ---- datagrams of the capture ---- */

static uport_t *uport_find(player_t *pl, uint32_t inst, uint16_t port)
{
	uint32_t key[2] = {inst, port};
	uport_t *u;

	HASH_FIND(hh, pl->pl_uports, key, sizeof(key), u);
	return u;
}

static uport_t *uport_make(player_t *pl, uint32_t inst, uint16_t port, uint16_t rport, uint32_t raddr, uint64_t num)
{
	proc_want_t want = {"udp", port, rport, port < 1024 || port < rport, raddr};
	uport_t *u = uport_find(pl, inst, port);

	if (u != NULL)
		return u;
	u = calloc(1, sizeof(*u));
	if (u == NULL)
		return NULL;
	u->u_key[0] = inst;
	u->u_key[1] = port;
	u->u_pl = pl;
	u->u_fd = -1;
	u->u_todotail = &u->u_todo;
	u->u_proc = player_proc(pl, &want, PID_PORT, num);
	if (u->u_proc == NULL) {
		free(u);
		return NULL;
	}
	HASH_ADD(hh, pl->pl_uports, u_key, sizeof(u->u_key), u);
	pl->pl_acct.a_udp_ports++;
	uport_kick(u);
	player_settle(pl);
	return u;
}

acct_t dgram_host(player_t *pl, uint32_t inst, const rframe_t *f)
{
	uport_t *u = uport_make(pl, inst, f->rf_sport, f->rf_dport, f->rf_ipdst, f->rf_num);
	dgram_t *d;

	if (u == NULL || u->u_fd < 0 || (d = calloc(1, sizeof(*d) + f->rf_paylen)) == NULL)
		return AC_LATE;
	d->d_addr = f->rf_ipdst;
	d->d_port = f->rf_dport;
	d->d_len = f->rf_paylen;
	memcpy(d->d_data, f->rf_pay, f->rf_paycap);
	*u->u_todotail = d;
	u->u_todotail = &d->d_next;
	uport_kick(u);
	return AC_SEND;
}

void dgram_peer(player_t *pl, uint32_t inst, const rframe_t *f)
{
	if (census_udp_port(pl->pl_census, pl->pl_host, f->rf_dport))
		(void)uport_make(pl, inst, f->rf_dport, f->rf_sport, f->rf_ipsrc, f->rf_num);
}

void dgram_fini(player_t *pl)
{
	uport_t *u, *tmp;

	HASH_ITER(hh, pl->pl_uports, u, tmp)
	{
		if (u->u_fd >= 0)
			pollent_detach(&u->u_pe);
		player_close(pl, u->u_proc, u->u_fd);
		while (u->u_todo != NULL) {
			dgram_t *d = u->u_todo;

			u->u_todo = d->d_next;
			free(d);
		}
		player_release(pl, u->u_proc);
		HASH_DEL(pl->pl_uports, u);
		free(u);
	}
	player_settle(pl);
}
