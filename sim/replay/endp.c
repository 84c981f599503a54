#include "replay/endp.h"

#include <stdlib.h>
#include <string.h>

#include "sys/errno.h"
#include "sys/file.h"
#include "sys/poll.h"
#include "sys/socket.h"
#include "sys/stropts.h"
#include "sys/tihdr.h"

typedef struct endmsg {
	uint32_t m_addr;
	uint16_t m_port;
	uint32_t m_len;
	struct endmsg *m_next;
	const uint8_t *m_bytes; /* m_data, or in the frame that is being played */
	uint8_t m_data[];
} endmsg_t;

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

/* The confirmation that follows is read with the rest of what comes. */
static int tpi_connect(int fd, uint32_t addr)
{
	struct {
		struct T_conn_req req;
		struct sockaddr_in sin;
	} m = {{T_CONN_REQ, sizeof(struct sockaddr_in), sizeof(struct T_conn_req), 0, 0}, {0}};
	struct strbuf ctl = {0, sizeof(m), (char *)&m};

	sin_of(&m.sin, addr, 0);
	if (SYS4(putmsg, fd, &ctl, NULL, 0) < 0)
		return -1;
	return get_ack(fd, T_OK_ACK);
}

static int tpi_send(int fd, const endmsg_t *msg)
{
	struct {
		struct T_unitdata_req req;
		struct sockaddr_in sin;
	} m = {{T_UNITDATA_REQ, sizeof(struct sockaddr_in), sizeof(struct T_unitdata_req), 0, 0}, {0}};
	struct strbuf ctl = {0, sizeof(m), (char *)&m};
	/* an empty datagram has no data part: one of no bytes would be below what the module takes */
	struct strbuf data = {0, msg->m_len != 0 ? (int)msg->m_len : -1, (char *)(uintptr_t)msg->m_bytes};

	sin_of(&m.sin, msg->m_addr, msg->m_port);
	return (int)SYS4(putmsg, fd, &ctl, &data, 0);
}

/* ---- the job ---- */

static void endp_wake(pollent_t *pe, short revents);

static void job_open(endp_t *e)
{
	uint_t ifindex = e->e_inst != 0 ? player_ifindex(e->e_pl, e->e_inst) : 0;
	int fd = (int)SYS2(open, e->e_device, O_RDWR);

	if (fd < 0)
		return;
	(void)tpi_option(fd, SOL_SOCKET, SO_REUSEADDR, 1);
	(void)tpi_option(fd, SOL_SOCKET, SO_BROADCAST, 1);
	if (ifindex != 0)
		(void)tpi_option(fd, IPPROTO_IP, IP_BOUND_IF, (int)ifindex);
	if (tpi_bind(fd, e->e_port) != 0) {
		(void)SYS1(close, fd);
		return;
	}
	if (e->e_peer != 0)
		(void)tpi_connect(fd, e->e_peer);
	(void)SYS3(fcntl, fd, F_SETFL, FREAD | FWRITE | FNONBLOCK);
	e->e_fd = fd;
	e->e_pe.pl_events = POLLIN | POLLRDNORM;
	e->e_pe.pl_func = endp_wake;
	e->e_pe.pl_arg = e;
	(void)fd_pollent_attach(e->e_proc, fd, &e->e_pe);
}

static void job_read(endp_t *e)
{
	union {
		t_scalar_t type;
		char buf[512];
	} c;
	struct strbuf ctl = {sizeof(c.buf), 0, c.buf}, data = {IOBUFSZ, 0, e->e_pl->pl_iobuf};
	int flags = 0;

	while (SYS4(getmsg, e->e_fd, &ctl, &data, &flags) >= 0) {
		if (ctl.len >= (int)sizeof(t_scalar_t) && c.type == T_UNITDATA_IND)
			e->e_received(e, (const uint8_t *)data.buf, data.len > 0 ? (uint32_t)data.len : 0);
		flags = 0;
	}
}

static endmsg_t *todo_next(endp_t *e)
{
	endmsg_t *m = e->e_todo;

	if (m != NULL && (e->e_todo = m->m_next) == NULL)
		e->e_todotail = &e->e_todo;
	return m;
}

static void job_send(endp_t *e)
{
	endmsg_t *m;

	while ((m = todo_next(e)) != NULL) {
		if (e->e_fd < 0 || tpi_send(e->e_fd, m) < 0)
			e->e_pl->pl_acct.a_failed++;
		else
			e->e_sent(e, m->m_len);
		free(m);
	}
}

static void endp_job(void *arg)
{
	endp_t *e = arg;

	do {
		e->e_again = false;
		if (!e->e_open) {
			e->e_open = true;
			job_open(e);
		}
		job_send(e);
		if (e->e_fd >= 0)
			job_read(e);
	} while (e->e_again);
	e->e_job = false;
}

static void endp_kick(endp_t *e)
{
	e->e_again = true;
	if (!e->e_job)
		e->e_job = lwp_create(e->e_proc, endp_job, e) != NULL;
}

static void endp_wake(pollent_t *pe, short revents)
{
	(void)revents;
	endp_kick(pe->pl_arg);
}

/* ---- from the replay ---- */

void endp_start(endp_t *e)
{
	e->e_fd = -1;
	e->e_todotail = &e->e_todo;
	endp_kick(e);
	player_settle(e->e_pl);
}

/* A message of len bytes; room for them if they must be kept.  NULL without memory. */
static endmsg_t *msg_new(uint32_t addr, uint16_t port, uint32_t len, bool keep)
{
	endmsg_t *m = calloc(1, sizeof(*m) + (keep ? len : 0));

	if (m == NULL)
		return NULL;
	m->m_addr = addr;
	m->m_port = port;
	m->m_len = len;
	m->m_bytes = m->m_data;
	return m;
}

/* Messages that wait longer than their frame is there: none but the last can be one whose bytes are in it. */
static void own_last(endp_t *e)
{
	endmsg_t **pp = &e->e_todo, *m, *own;

	while (*pp != NULL && (*pp)->m_next != NULL)
		pp = &(*pp)->m_next;
	m = *pp;
	if (m == NULL || m->m_bytes == m->m_data)
		return;
	own = msg_new(m->m_addr, m->m_port, m->m_len, true);
	if (own != NULL)
		memcpy(own->m_data, m->m_bytes, m->m_len);
	else
		e->e_pl->pl_acct.a_failed++;
	*pp = own;
	e->e_todotail = own != NULL ? &own->m_next : pp;
	free(m);
}

bool endp_send(endp_t *e, uint32_t addr, uint16_t port, const uint8_t *data, uint32_t cap, uint32_t len)
{
	bool keep = cap < len;
	endmsg_t *m;

	if (e->e_fd < 0 || (m = msg_new(addr, port, len, keep)) == NULL)
		return false;
	if (keep)
		memcpy(m->m_data, data, cap);
	else
		m->m_bytes = data;
	*e->e_todotail = m;
	e->e_todotail = &m->m_next;
	endp_kick(e);
	player_settle(e->e_pl);
	own_last(e);
	return true;
}

void endp_end(endp_t *e)
{
	endmsg_t *m;

	if (e->e_fd >= 0)
		pollent_detach(&e->e_pe);
	player_close(e->e_pl, e->e_proc, e->e_fd);
	while ((m = todo_next(e)) != NULL)
		free(m);
	player_release(e->e_pl, e->e_proc);
}
