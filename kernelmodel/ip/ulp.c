/* TPI messages of the transport modules. */
#include <string.h>

#include "ip/ip.h"
#include "ip/ulp.h"
#include "sys/errno.h"

t_scalar_t ulp_prim(const mblk_t *mp)
{
	return (((const union T_primitives *)mp->b_rptr)->type);
}

/* ---- for the user ---- */

/* Answer mp with a message of this structure, and an address after it. */
static mblk_t *ulp_ack(queue_t *q, mblk_t *mp, const void *ack, size_t len, const sin_t *sin)
{
	t_scalar_t prim;

	memcpy(&prim, ack, sizeof(prim));
	if ((mp = mexchange(q, mp, len + (sin != NULL ? sizeof(*sin) : 0), M_PCPROTO, (uint32_t)prim)) == NULL)
		return (NULL);
	memcpy(mp->b_rptr, ack, len);
	if (sin != NULL)
		memcpy(mp->b_rptr + len, sin, sizeof(*sin));
	return (mp);
}

/* A message of our own accord: a structure, and what follows it. */
static mblk_t *ulp_msg(uchar_t type, const void *prim, size_t len, const void *rest, size_t restlen)
{
	mblk_t *mp = allocb(len + restlen, type == M_PROTO ? BPRI_MED : BPRI_HI);

	if (mp == NULL)
		return (NULL);
	DB_TYPE(mp) = type;
	memcpy(mp->b_wptr, prim, len);
	if (restlen != 0)
		memcpy(mp->b_wptr + len, rest, restlen);
	mp->b_wptr += len + restlen;
	return (mp);
}

mblk_t *ulp_ok_ack(queue_t *q, mblk_t *mp)
{
	struct T_ok_ack ack = {T_OK_ACK, ulp_prim(mp)};

	return (ulp_ack(q, mp, &ack, sizeof(ack), NULL));
}

mblk_t *ulp_bind_ack(queue_t *q, mblk_t *mp, const sin_t *sin)
{
	struct T_bind_ack ack = {T_BIND_ACK, sizeof(*sin), sizeof(ack), 0};

	return (ulp_ack(q, mp, &ack, sizeof(ack), sin));
}

mblk_t *ulp_info_ack(queue_t *q, mblk_t *mp, const struct T_info_ack *info)
{
	return (ulp_ack(q, mp, info, sizeof(*info), NULL));
}

mblk_t *ulp_capability_ack(queue_t *q, mblk_t *mp, const struct T_info_ack *info)
{
	struct T_capability_ack ack = {.PRIM_type = T_CAPABILITY_ACK};

	if (MBLKL(mp) >= (ssize_t)sizeof(struct T_capability_req))
		ack.CAP_bits1 = ((struct T_capability_req *)mp->b_rptr)->CAP_bits1 & TC1_INFO;
	if (ack.CAP_bits1 & TC1_INFO)
		ack.INFO_ack = *info;
	return (ulp_ack(q, mp, &ack, sizeof(ack), NULL));
}

mblk_t *ulp_addr_ack(queue_t *q, mblk_t *mp, const sin_t *local, const sin_t *remote)
{
	struct T_addr_ack ack = {.PRIM_type = T_ADDR_ACK};

	if ((mp = mexchange(q, mp, sizeof(ack) + 2 * sizeof(sin_t), M_PCPROTO, T_ADDR_ACK)) == NULL)
		return (NULL);
	mp->b_wptr = mp->b_rptr + sizeof(ack);
	if (local != NULL) {
		ack.LOCADDR_length = sizeof(*local);
		ack.LOCADDR_offset = (t_scalar_t)MBLKL(mp);
		memcpy(mp->b_wptr, local, sizeof(*local));
		mp->b_wptr += sizeof(*local);
	}
	if (remote != NULL) {
		ack.REMADDR_length = sizeof(*remote);
		ack.REMADDR_offset = (t_scalar_t)MBLKL(mp);
		memcpy(mp->b_wptr, remote, sizeof(*remote));
		mp->b_wptr += sizeof(*remote);
	}
	memcpy(mp->b_rptr, &ack, sizeof(ack));
	return (mp);
}

mblk_t *ulp_conn_con(const sin_t *peer)
{
	struct T_conn_con con = {T_CONN_CON, sizeof(*peer), sizeof(con), 0, 0};

	return (ulp_msg(M_PROTO, &con, sizeof(con), peer, sizeof(*peer)));
}

mblk_t *ulp_uderror_ind(const uchar_t *dst, t_scalar_t dstlen, int error)
{
	struct T_uderror_ind ind = {T_UDERROR_IND, dstlen, sizeof(ind), 0, 0, error};

	return (ulp_msg(M_PROTO, &ind, sizeof(ind), dst, (size_t)dstlen));
}

mblk_t *ulp_setopts(uint_t flags, uint_t wroff, size_t hiwat)
{
	struct stroptions so;

	memset(&so, 0, sizeof(so));
	so.so_flags = flags;
	so.so_wroff = (ushort_t)wroff;
	so.so_hiwat = hiwat;
	return (ulp_msg(M_SETOPTS, &so, sizeof(so), NULL, 0));
}

/* ---- reading the user's ---- */

boolean_t ulp_sin(mblk_t *mp, t_scalar_t off, t_scalar_t len, sin_t *sin)
{
	if (len < (t_scalar_t)sizeof(*sin) || off < 0 || !MBLKIN(mp, off, len))
		return (B_FALSE);
	memcpy(sin, mp->b_rptr + off, sizeof(*sin));
	return (sin->sin_family == AF_INET);
}

boolean_t ulp_bind_sin(mblk_t *mp, sin_t *sin)
{
	const struct T_bind_req *req = (const struct T_bind_req *)mp->b_rptr;

	memset(sin, 0, sizeof(*sin));
	return (req->ADDR_length == 0 || ulp_sin(mp, req->ADDR_offset, req->ADDR_length, sin));
}

int ulp_unitdata_sin(mblk_t *mp, t_scalar_t state, sin_t *sin, t_scalar_t *dstlen)
{
	const struct T_unitdata_req *req = (const struct T_unitdata_req *)mp->b_rptr;

	*dstlen = 0;
	if (MBLKL(mp) < (ssize_t)sizeof(*req) || mp->b_cont == NULL)
		return (EPROTO);
	if (req->DEST_offset < 0 || req->DEST_length < 0 || !MBLKIN(mp, req->DEST_offset, req->DEST_length))
		return (EADDRNOTAVAIL);
	*dstlen = req->DEST_length;
	if (state == TS_UNBND)
		return (EPROTO);
	if (!ulp_sin(mp, req->DEST_offset, req->DEST_length, sin))
		return (EADDRNOTAVAIL);
	if (sin->sin_addr.s_addr == INADDR_ANY)
		sin->sin_addr.s_addr = INADDR_LOOPBACK_N;
	return (0);
}

/* ---- for IP ---- */

mblk_t *ulp_ip_bind_mp(const void *addr, size_t len, uint8_t protocol)
{
	struct T_bind_req req = {T_BIND_REQ, (t_scalar_t)len, sizeof(req), 0};
	uchar_t rest[sizeof(sin_t) + 1];

	memcpy(rest, addr, len);
	rest[len] = protocol;
	return (ulp_msg(M_PROTO, &req, sizeof(req), rest, len + 1));
}

mblk_t *ulp_ip_bind_local_mp(ipaddr_t addr, in_port_t port, uint8_t protocol)
{
	sin_t sin = {.sin_family = AF_INET, .sin_port = port, .sin_addr = {addr}};

	return (ulp_ip_bind_mp(&sin, sizeof(sin), protocol));
}

mblk_t *ulp_ip_unbind_mp(void)
{
	struct T_unbind_req req = {T_UNBIND_REQ};

	return (ulp_msg(M_PROTO, &req, sizeof(req), NULL, 0));
}

boolean_t ulp_is_source(ipaddr_t addr, uint_t ifindex)
{
	ire_t *ire;
	boolean_t bcast;

	if (CLASSD(addr))
		return (B_FALSE);
	if ((ire = ire_cache_lookup(addr, GLOBAL_ZONEID, ifindex)) == NULL)
		return (B_TRUE);
	bcast = ire->ire_type == IRE_BROADCAST;
	IRE_REFRELE(ire);
	return (!bcast);
}

mblk_t *ulp_header(mblk_t *mp, size_t len, size_t extra)
{
	mblk_t *hp = mp;

	/* an empty datagram may come without a data block */
	if (mp == NULL || DB_REF(mp) != 1 || MBLKHEAD(mp) < (ssize_t)len || !OFFSET_ALIGNED(mp->b_rptr - len)) {
		if ((hp = allocb(len + extra, BPRI_LO)) == NULL)
			return (NULL);
		hp->b_rptr = hp->b_wptr = hp->b_rptr + len + extra;
		hp->b_cont = mp;
	}
	hp->b_rptr -= len;
	return (hp);
}
