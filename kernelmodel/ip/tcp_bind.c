/*
 * TCP ports: T_BIND_REQ, T_UNBIND_REQ.
 *
 * Theory.  Every connection holds its local port (ipcl_port_hold), so that an
 * anonymous port is one nobody holds.  Those that are bound or listening, but
 * not connected, also stand on a list by port, which is all a new bind has to
 * look at.  Only a listener is put where packets find it.
 *
 * In a replay the recorded host's port use is right by definition: only two
 * listeners of one address exclude each other.
 */
#include <string.h>

#include "ip/ipsec_impl.h"
#include "ip/tcp_impl.h"

#define TCP_BIND_HASH 1024
static KLOCAL tcp_t *tcp_bind_fanout[TCP_BIND_HASH];
static KLOCAL in_port_t tcp_next_port_to_try;

#define TCP_BIND_BUCKET(port) (&tcp_bind_fanout[ntohs(port) % TCP_BIND_HASH])

void tcp_bind_listed(tcp_t *tcp)
{
	tcp_t **headp = TCP_BIND_BUCKET(tcp->tcp_lport);

	if (tcp->tcp_bound_listed)
		return;
	tcp->tcp_bound_listed = 1;
	tcp->tcp_bind_next = *headp;
	if (*headp != NULL)
		(*headp)->tcp_bind_ptpn = &tcp->tcp_bind_next;
	tcp->tcp_bind_ptpn = headp;
	*headp = tcp;
}

void tcp_bind_unlisted(tcp_t *tcp)
{
	if (tcp->tcp_tw_cut || !tcp->tcp_bound_listed)
		return;
	tcp->tcp_bound_listed = 0;
	*tcp->tcp_bind_ptpn = tcp->tcp_bind_next;
	if (tcp->tcp_bind_next != NULL)
		tcp->tcp_bind_next->tcp_bind_ptpn = tcp->tcp_bind_ptpn;
	tcp->tcp_bind_next = NULL;
	tcp->tcp_bind_ptpn = NULL;
}

/* This connection's local port is port (network order) from now on. */
void tcp_bind_hold(tcp_t *tcp, in_port_t port)
{
	tcp->tcp_lport = port;
	tcp->tcp_port_held = 1;
	ipcl_port_hold(IPPROTO_TCP, port);
}

void tcp_bind_release(tcp_t *tcp)
{
	tcp_bind_unlisted(tcp);
	if (!tcp->tcp_port_held)
		return;
	tcp->tcp_port_held = 0;
	ipcl_port_rele(IPPROTO_TCP, tcp->tcp_lport);
}

/* May tcp have this address and port beside those that hold the port? */
static bool tcp_bind_free(const tcp_t *tcp, ipaddr_t addr, in_port_t port, bool listen)
{
	uint_t listed = tcp->tcp_port_held && tcp->tcp_lport == port && !tcp->tcp_bound_listed;

	for (const tcp_t *t = *TCP_BIND_BUCKET(port); t != NULL; t = t->tcp_bind_next) {
		if (t->tcp_lport != port)
			continue;
		listed++;
		if (t == tcp || (t->tcp_connp->conn_ifindex != tcp->tcp_connp->conn_ifindex &&
				 t->tcp_connp->conn_ifindex != 0 && tcp->tcp_connp->conn_ifindex != 0))
			continue;
		if (tcp_plan_hook != NULL) {
			if (listen && t->tcp_state == TCPS_LISTEN && t->tcp_ip_src == addr &&
			    t->tcp_connp->conn_ifindex == tcp->tcp_connp->conn_ifindex)
				return false;
			continue;
		}
		if (addr == INADDR_ANY || t->tcp_ip_src == INADDR_ANY || t->tcp_ip_src == addr)
			return false;
	}
	return tcp_plan_hook != NULL || tcp->tcp_reuse || ipcl_port_users(IPPROTO_TCP, port) <= listed;
}

/*
 * Give tcp an address and a port (0 = any free one; other_ok: so is another
 * one if that is taken).  0, EADDRINUSE or EADDRNOTAVAIL.
 */
int tcp_bind_port(tcp_t *tcp, ipaddr_t addr, in_port_t port, boolean_t other_ok)
{
	int err = ip_bind_laddr(tcp->tcp_connp->conn_ifindex, addr);

	if (err != 0)
		return err;
	if (port != 0 && !tcp_bind_free(tcp, addr, port, false)) {
		if (!other_ok)
			return EADDRINUSE;
		port = 0;
	}
	if (port == 0)
		port = ipcl_port_anon(IPPROTO_TCP, (in_port_t)tcp_param.tcp_smallest_anon_port,
				      (in_port_t)tcp_param.tcp_largest_anon_port, &tcp_next_port_to_try);
	if (port == 0)
		return EADDRINUSE;
	tcp_bind_release(tcp);
	ipcl_v4_set(&tcp->tcp_connp->conn_srcv6, addr);
	tcp_bind_hold(tcp, port);
	tcp_bind_listed(tcp);
	TCP_SET_STATE(tcp, TCPS_BOUND);
	return 0;
}

/* ---- addresses in TPI messages ---- */

uint_t tcp_addr_len(const tcp_t *tcp)
{
	return tcp->tcp_family == AF_INET ? sizeof(sin_t) : sizeof(tcp_sin6_t);
}

void tcp_addr_put(const tcp_t *tcp, uchar_t *p, ipaddr_t addr, in_port_t port)
{
	if (tcp->tcp_family == AF_INET) {
		sin_t sin;
		memset(&sin, 0, sizeof(sin));
		sin.sin_family = AF_INET;
		sin.sin_port = port;
		sin.sin_addr.s_addr = addr;
		memcpy(p, &sin, sizeof(sin));
	} else {
		tcp_sin6_t sin6;
		memset(&sin6, 0, sizeof(sin6));
		sin6.sin6_family = AF_INET6;
		sin6.sin6_port = port;
		if (addr != INADDR_ANY)
			ipcl_v4_set(&sin6.sin6_addr, addr);
		memcpy(p, &sin6, sizeof(sin6));
	}
}

/* The address at off in a TPI message; false if there is none of our family in it. */
boolean_t tcp_addr_get(tcp_t *tcp, mblk_t *mp, t_scalar_t off, t_scalar_t len, ipaddr_t *addr, in_port_t *port)
{
	if (off < 0 || len < 0 || !MBLKIN(mp, off, len))
		return B_FALSE;
	if (tcp->tcp_family == AF_INET) {
		sin_t sin;
		if (len != (t_scalar_t)sizeof(sin))
			return B_FALSE;
		memcpy(&sin, mp->b_rptr + off, sizeof(sin));
		*addr = sin.sin_addr.s_addr;
		*port = sin.sin_port;
		return sin.sin_family == AF_INET ? B_TRUE : B_FALSE;
	}
	tcp_sin6_t sin6;
	in6_addr_t mapped;
	if (len < (t_scalar_t)offsetof(tcp_sin6_t, sin6_scope_id) || len > (t_scalar_t)sizeof(sin6))
		return B_FALSE;
	memset(&sin6, 0, sizeof(sin6));
	memcpy(&sin6, mp->b_rptr + off, (size_t)len);
	ipcl_v4_set(&mapped, sin6.sin6_addr._S6_un._S6_u32[3]);
	*addr = sin6.sin6_addr._S6_un._S6_u32[3];
	*port = sin6.sin6_port;
	if (sin6.sin6_family != AF_INET6)
		return B_FALSE;
	/* :: or IPv4-mapped: the model's network is IPv4 only. */
	return memcmp(&sin6.sin6_addr, &mapped, sizeof(mapped)) == 0 ||
		       (*addr == INADDR_ANY && sin6.sin6_addr._S6_un._S6_u32[2] == 0)
		   ? B_TRUE
		   : B_FALSE;
}

/* ---- primitives ---- */

static void tcp_bind_ack(tcp_t *tcp, mblk_t *mp, uint32_t backlog)
{
	uint_t alen = tcp_addr_len(tcp);
	struct T_bind_ack *tba;

	mp = mexchange(tcp->tcp_wq, mp, sizeof(*tba) + alen, M_PCPROTO, T_BIND_ACK);
	if (mp == NULL)
		return;
	tba = (struct T_bind_ack *)(void *)mp->b_rptr;
	tba->ADDR_length = (t_scalar_t)alen;
	tba->ADDR_offset = sizeof(*tba);
	tba->CONIND_number = backlog;
	tcp_addr_put(tcp, (uchar_t *)(tba + 1), tcp->tcp_ip_src, tcp->tcp_lport);
	putnext(tcp->tcp_rq, mp);
}

/* Become a listener. */
static int tcp_listen(tcp_t *tcp, uint32_t backlog)
{
	conn_t *connp = tcp->tcp_connp;
	int err;

	backlog = MAX(backlog, tcp_param.tcp_conn_req_min);
	tcp->tcp_conn_req_max = MIN(backlog, tcp_param.tcp_conn_req_max_q);
	if (tcp->tcp_state == TCPS_LISTEN)
		return 0;
	if (!tcp_bind_free(tcp, tcp->tcp_ip_src, tcp->tcp_lport, true))
		return EADDRINUSE;
	connp->conn_recv = tcp_conn_request;
	err = ipcl_bind_insert(connp, IPPROTO_TCP, tcp->tcp_ip_src, tcp->tcp_lport);
	if (err == 0 && (err = IPSEC_CONN_CACHE(connp)) != 0)
		ipcl_hash_remove(connp);
	if (err != 0)
		return err;
	TCP_SET_STATE(tcp, TCPS_LISTEN);
	return 0;
}

void tcp_bind(tcp_t *tcp, mblk_t *mp)
{
	struct T_bind_req *tbr = (struct T_bind_req *)(void *)mp->b_rptr;
	ipaddr_t addr = INADDR_ANY;
	in_port_t port = 0;
	uint32_t backlog;
	int err;

	if (MBLKL(mp) < (ptrdiff_t)sizeof(*tbr)) {
		tcp_err_ack(tcp, mp, TPROTO, 0);
		return;
	}
	backlog = tbr->CONIND_number;
	if (tbr->ADDR_length != 0 && !tcp_addr_get(tcp, mp, tbr->ADDR_offset, tbr->ADDR_length, &addr, &port)) {
		tcp_err_ack(tcp, mp, TSYSERR, EINVAL);
		return;
	}
	if (tcp->tcp_state == TCPS_IDLE) {
		err = tcp_bind_port(tcp, addr, port, tbr->PRIM_type == O_T_BIND_REQ ? B_TRUE : B_FALSE);
		if (err != 0) {
			tcp_err_ack(tcp, mp, err == EADDRINUSE ? TADDRBUSY : TSYSERR, err == EADDRINUSE ? 0 : err);
			return;
		}
	} else if ((tcp->tcp_state != TCPS_BOUND && tcp->tcp_state != TCPS_LISTEN) || backlog == 0) {
		tcp_err_ack(tcp, mp, TOUTSTATE, 0);
		return;
	}
	if (backlog > 0 && (err = tcp_listen(tcp, backlog)) != 0) {
		tcp_err_ack(tcp, mp, err == EADDRINUSE ? TADDRBUSY : TSYSERR, err == EADDRINUSE ? 0 : err);
		return;
	}
	tcp_bind_ack(tcp, mp, backlog > 0 ? tcp->tcp_conn_req_max : 0);
}

void tcp_unbind(tcp_t *tcp, mblk_t *mp)
{
	conn_t *connp = tcp->tcp_connp;

	if (tcp->tcp_state != TCPS_BOUND && tcp->tcp_state != TCPS_LISTEN) {
		tcp_err_ack(tcp, mp, TOUTSTATE, 0);
		return;
	}
	if (tcp->tcp_state == TCPS_LISTEN)
		tcp_eager_cleanup(tcp);
	ipcl_hash_remove(connp);
	ipsec_conn_uncache(connp);
	tcp_bind_release(tcp);
	ipcl_v4_set(&connp->conn_srcv6, INADDR_ANY);
	connp->conn_ports = 0;
	connp->conn_recv = tcp_input;
	tcp->tcp_conn_req_max = 0;
	TCP_SET_STATE(tcp, TCPS_IDLE);
	tcp_ok_ack(tcp->tcp_wq, mp);
}
