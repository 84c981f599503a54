/*
 * What the ip driver does with messages that are no packets: binding a
 * transport's endpoint into the classifier, and the options that IP keeps for
 * it.  The user is a transport module (udp, a raw protocol, tun), not a
 * program.
 */
#include <string.h>

#include "arp/arp.h"
#include "ip/ip_impl.h"
#include "ip/ipsec_impl.h"
#include "ip/optcom.h"
#include "sys/socket.h"
#include "sys/tihdr.h"
#include "sys/tiuser.h"

/* A group an endpoint has joined. */
typedef struct ilg {
	struct ilg *ilg_next;
	uint_t ilg_ifindex;
	ipaddr_t ilg_group;
} ilg_t;

/* ---- multicast groups ---- */

static ilg_t **ilg_lookup(conn_t *connp, ipaddr_t group, uint_t ifindex)
{
	ilg_t **pp;

	for (pp = (ilg_t **)&connp->conn_ilg; *pp != NULL; pp = &(*pp)->ilg_next)
		if ((*pp)->ilg_group == group && (ifindex == 0 || (*pp)->ilg_ifindex == ifindex))
			break;
	return (pp);
}

boolean_t conn_wantpacket(const conn_t *connp, ipaddr_t dst)
{
	if (!CLASSD(dst))
		return (B_TRUE);
	for (const ilg_t *ilg = connp->conn_ilg; ilg != NULL; ilg = ilg->ilg_next)
		if (ilg->ilg_group == dst)
			return (B_TRUE);
	return (B_FALSE);
}

static int ip_opt_add_group(conn_t *connp, ipaddr_t group, ipaddr_t ifaddr)
{
	ipif_t *ipif = ifaddr != INADDR_ANY ? ipif_lookup_addr(ifaddr, connp->conn_ifindex) : NULL;
	ill_t *ill = ipif != NULL ? ipif->ipif_ill : ill_multicast_default(connp->conn_ifindex);
	ilg_t *ilg;
	int error;

	if (!CLASSD(group))
		return (EINVAL);
	if ((ifaddr != INADDR_ANY && ipif == NULL) || ill == NULL)
		return (EADDRNOTAVAIL);
	if (*ilg_lookup(connp, group, ill_ifindex(ill)) != NULL)
		return (EADDRINUSE);
	if ((ilg = kmem_alloc(sizeof(*ilg), KM_NOSLEEP)) == NULL)
		return (ENOMEM);
	if ((error = ilm_add(ill, group)) != 0) {
		kmem_free(ilg, sizeof(*ilg));
		return (error);
	}
	*ilg = (ilg_t){connp->conn_ilg, ill_ifindex(ill), group};
	connp->conn_ilg = ilg;
	return (0);
}

static void ilg_delete(ilg_t **pp)
{
	ilg_t *ilg = *pp;
	ill_t *ill = ill_lookup_ifindex(ilg->ilg_ifindex);

	*pp = ilg->ilg_next;
	if (ill != NULL)
		ilm_delete(ill, ilg->ilg_group);
	kmem_free(ilg, sizeof(*ilg));
}

static int ip_opt_delete_group(conn_t *connp, ipaddr_t group, ipaddr_t ifaddr)
{
	ipif_t *ipif = ifaddr != INADDR_ANY ? ipif_lookup_addr(ifaddr, connp->conn_ifindex) : NULL;
	ilg_t **pp = ilg_lookup(connp, group, ipif != NULL ? ill_ifindex(ipif->ipif_ill) : 0);

	if (*pp == NULL)
		return (EADDRNOTAVAIL);
	ilg_delete(pp);
	return (0);
}

void conn_leave_groups(conn_t *connp)
{
	while (connp->conn_ilg != NULL)
		ilg_delete((ilg_t **)&connp->conn_ilg);
}

/* ---- options ---- */

static int ip_opt_set_if(conn_t *connp, uint_t ifindex)
{
	if (ifindex != 0 && ill_lookup_ifindex(ifindex) == NULL)
		return (ENXIO);
	connp->conn_ifindex = ifindex;
	if (connp->conn_ire_cache != NULL) {
		IRE_REFRELE(connp->conn_ire_cache);
		connp->conn_ire_cache = NULL;
	}
	return (0);
}

static int ip_opt_set_ip(conn_t *connp, t_uscalar_t name, const uchar_t *val, size_t len, uint_t num)
{
	struct ip_mreq mreq;
	ipsec_req_t req;
	ipif_t *ipif;

	switch (name) {
	case IP_SEC_OPT:
		if (len != sizeof(req))
			return (EINVAL);
		memcpy(&req, val, sizeof(req));
		return (ipsec_set_req(connp, &req));
	case IP_MULTICAST_IF:
		if (num == INADDR_ANY)
			return (ip_opt_set_if(connp, 0));
		if ((ipif = ipif_lookup_addr(num, 0)) == NULL)
			return (EADDRNOTAVAIL);
		return (ip_opt_set_if(connp, ill_ifindex(ipif->ipif_ill)));
	case IP_MULTICAST_LOOP:
		connp->conn_multicast_loop = num != 0;
		return (0);
	case IP_ADD_MEMBERSHIP:
	case IP_DROP_MEMBERSHIP:
		if (len != sizeof(mreq))
			return (EINVAL);
		memcpy(&mreq, val, sizeof(mreq));
		return (name == IP_ADD_MEMBERSHIP
			    ? ip_opt_add_group(connp, mreq.imr_multiaddr.s_addr, mreq.imr_interface.s_addr)
			    : ip_opt_delete_group(connp, mreq.imr_multiaddr.s_addr, mreq.imr_interface.s_addr));
	case IP_BOUND_IF:
		return (ip_opt_set_if(connp, num));
	default:
		return (0);
	}
}

/* IP keeps these for the transport, which has checked what is its own. */
static int ip_opt_set(void *arg, t_uscalar_t level, t_uscalar_t name, const uchar_t *val, size_t len,
		      boolean_t checkonly)
{
	conn_t *connp = arg;
	uint32_t num = 0;

	if (len == 1)
		num = *val;
	else
		memcpy(&num, val, MIN(len, sizeof(num)));
	if (checkonly)
		return (0);
	if (level == SOL_SOCKET) {
		switch (name) {
		case SO_REUSEADDR:
			connp->conn_reuseaddr = num != 0;
			break;
		case SO_BROADCAST:
			connp->conn_broadcast = num != 0;
			break;
		case SO_DONTROUTE:
			connp->conn_dontroute = num != 0;
			break;
		default:
			break;
		}
		return (0);
	}
	return (level == IPPROTO_IP ? ip_opt_set_ip(connp, name, val, len, num) : 0);
}

static int ip_opt_get(void *arg, t_uscalar_t level, t_uscalar_t name, uchar_t *val, boolean_t dflt)
{
	const conn_t *connp = arg;
	ipsec_req_t req = {0};
	int num;

	if (level == IPPROTO_IP && name == IP_SEC_OPT) {
		if (!dflt)
			ipsec_req_from_conn(connp, &req);
		memcpy(val, &req, sizeof(req));
		return (sizeof(req));
	}
	if (level == IPPROTO_IP && name == IP_BOUND_IF)
		num = dflt ? 0 : (int)connp->conn_ifindex;
	else if (level == IPPROTO_IP && name == IP_MULTICAST_LOOP)
		num = dflt || connp->conn_multicast_loop;
	else
		return (OPT_UNKNOWN);
	memcpy(val, &num, sizeof(num));
	return (sizeof(num));
}

/* ---- binding ---- */

/* Into the fanout for a local address: 0 or errno. */
static int ip_bind_local(conn_t *connp, uint8_t protocol, const sin_t *sin)
{
	int error = ip_bind_laddr(connp->conn_ifindex, sin->sin_addr.s_addr);

	if (error != 0)
		return (error);
	if (sin->sin_port != 0)
		return (ipcl_bind_insert(connp, protocol, sin->sin_addr.s_addr, sin->sin_port));
	ipcl_v4_set(&connp->conn_srcv6, sin->sin_addr.s_addr);
	ipcl_v4_set(&connp->conn_remv6, INADDR_ANY);
	connp->conn_flags |= IPCL_RAWIP;
	return (ipcl_proto_insert(connp, protocol));
}

/* Into the fanout for a peer; ac's local address is filled in when it was any.
 */
static int ip_bind_peer(conn_t *connp, uint8_t protocol, ipa_conn_t *ac)
{
	ipaddr_t laddr = ac->ac_laddr;
	uint32_t ports;
	ire_t *ire;
	int error;

	if ((error = ip_bind_connected(connp->conn_ifindex, &laddr, ac->ac_faddr, &ire)) != 0)
		return (error);
	if (ac->ac_lport == 0) {
		ipcl_v4_set(&connp->conn_srcv6, laddr);
		ipcl_v4_set(&connp->conn_remv6, ac->ac_faddr);
		error = ipcl_proto_insert(connp, protocol);
	} else {
		ports = (uint32_t)ac->ac_fport | (uint32_t)ac->ac_lport << 16;
		error = ipcl_conn_insert(connp, protocol, laddr, ac->ac_faddr, ports);
	}
	if (error != 0) {
		IRE_REFRELE(ire);
		return (error);
	}
	if (connp->conn_ire_cache != NULL)
		IRE_REFRELE(connp->conn_ire_cache);
	connp->conn_ire_cache = ire;
	ac->ac_laddr = laddr;
	return (0);
}

/* T_BIND_REQ (the forms are described in ip.h). */
static void ip_bind(conn_t *connp, queue_t *q, mblk_t *mp)
{
	struct T_bind_req *req = (struct T_bind_req *)mp->b_rptr;
	uchar_t *addr;
	ipa_conn_t ac;
	sin_t sin;
	int error;

	if (MBLKL(mp) < (ssize_t)sizeof(*req) || req->ADDR_length < 0 || req->ADDR_offset < 0 ||
	    !MBLKIN(mp, req->ADDR_offset, req->ADDR_length + 1)) {
		optcom_err_ack(q, mp, TBADADDR, 0);
		return;
	}
	addr = mp->b_rptr + req->ADDR_offset;
	switch (req->ADDR_length) {
	case sizeof(sin_t):
		memcpy(&sin, addr, sizeof(sin));
		error = ip_bind_local(connp, addr[sizeof(sin)], &sin);
		break;
	case sizeof(ipa_conn_t):
		memcpy(&ac, addr, sizeof(ac));
		error = ip_bind_peer(connp, addr[sizeof(ac)], &ac);
		memcpy(addr, &ac, sizeof(ac));
		break;
	default:
		optcom_err_ack(q, mp, TBADADDR, 0);
		return;
	}
	if (error == 0 && (error = IPSEC_CONN_CACHE(connp)) != 0)
		ipcl_hash_remove(connp);
	if (error == 0) {
		connp->conn_ulp = addr[req->ADDR_length];
		connp->conn_fully_bound = 1;
		DB_TYPE(mp) = M_PCPROTO;
		req->PRIM_type = T_BIND_ACK;
		qreply(q, mp);
	} else if (error == EADDRNOTAVAIL) {
		optcom_err_ack(q, mp, TBADADDR, error);
	} else {
		optcom_err_ack(q, mp, TSYSERR, error);
	}
}

static void ip_unbind(conn_t *connp, queue_t *q, mblk_t *mp)
{
	struct T_ok_ack ack = {T_OK_ACK, T_UNBIND_REQ};

	ipcl_hash_remove(connp);
	ipsec_conn_uncache(connp);
	connp->conn_fully_bound = 0;
	if (connp->conn_ire_cache != NULL) {
		IRE_REFRELE(connp->conn_ire_cache);
		connp->conn_ire_cache = NULL;
	}
	if ((mp = mexchange(q, mp, sizeof(ack), M_PCPROTO, T_OK_ACK)) == NULL)
		return;
	memcpy(mp->b_rptr, &ack, sizeof(ack));
	qreply(q, mp);
}

/* ---- dispatch ---- */

static void ip_wput_tpi(conn_t *connp, queue_t *q, mblk_t *mp)
{
	if (MBLKL(mp) < (ssize_t)sizeof(t_scalar_t)) {
		freemsg(mp);
		return;
	}
	switch (((union T_primitives *)mp->b_rptr)->type) {
	case O_T_BIND_REQ:
	case T_BIND_REQ:
		ip_bind(connp, q, mp);
		return;
	case T_UNBIND_REQ:
		ip_unbind(connp, q, mp);
		return;
	case T_SVR4_OPTMGMT_REQ:
	case T_OPTMGMT_REQ:
		svr4_optcom_req(q, mp, connp, ip_opt_set, ip_opt_get);
		return;
	default:
		optcom_err_ack(q, mp, TNOTSUPPORT, 0);
		return;
	}
}

/* Which route does a module's packets take? */
static void ip_wput_ire_req(conn_t *connp, queue_t *q, mblk_t *mp)
{
	ire_t *ire = NULL;
	ipaddr_t dst;
	mblk_t *nmp;

	if (MBLKL(mp) >= (ssize_t)sizeof(dst)) {
		memcpy(&dst, mp->b_rptr, sizeof(dst));
		if ((ire = ire_cache_lookup(dst, connp->conn_zoneid, connp->conn_ifindex)) == NULL)
			ire = ire_ftable_lookup(dst, IRE_FORWARDTABLE, connp->conn_ifindex);
	}
	if ((nmp = allocb(sizeof(*ire), BPRI_HI)) != NULL) {
		DB_TYPE(nmp) = IRE_DB_TYPE;
		if (ire != NULL) {
			memcpy(nmp->b_wptr, ire, sizeof(*ire));
			nmp->b_wptr += sizeof(*ire);
		}
	}
	if (ire != NULL)
		IRE_REFRELE(ire);
	freemsg(mp);
	if (nmp != NULL)
		qreply(q, nmp);
}

static void ip_wput_flush(queue_t *q, mblk_t *mp)
{
	if (*mp->b_rptr & FLUSHW) {
		flushq(q, FLUSHALL);
		*mp->b_rptr &= (uchar_t)~FLUSHW;
	}
	if (*mp->b_rptr & FLUSHR)
		qreply(q, mp);
	else
		freemsg(mp);
}

/* Anything but M_DATA on a write queue; connp NULL: an interface's stream. */
void ip_wput_nondata(conn_t *connp, queue_t *q, mblk_t *mp)
{
	if (connp == NULL) {
		if (DB_TYPE(mp) == M_PROTO && MBLKL(mp) >= (ssize_t)sizeof(areq_t) &&
		    (((areq_t *)mp->b_rptr)->areq_cmd == AR_ENTRY_QUERY ||
		     ((areq_t *)mp->b_rptr)->areq_cmd == AR_ENTRY_CHANGE)) {
			ip_arp_answer(q->q_ptr, mp);
			return;
		}
		if (DB_TYPE(mp) == M_FLUSH && (*mp->b_rptr & FLUSHW))
			flushq(q, FLUSHDATA);
		(void)putnext(q, mp);
		return;
	}
	switch (DB_TYPE(mp)) {
	case M_PROTO:
	case M_PCPROTO:
		ip_wput_tpi(connp, q, mp);
		return;
	case M_FLUSH:
		ip_wput_flush(q, mp);
		return;
	case M_IOCTL:
		miocnak(q, mp, 0, EINVAL);
		return;
	case IRE_DB_REQ_TYPE:
		ip_wput_ire_req(connp, q, mp);
		return;
	default:
		freemsg(mp);
		return;
	}
}
