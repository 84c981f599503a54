/*
 * What the transport modules above the ip driver (udp, icmp) share: the TPI
 * messages (sys/tihdr.h) they make for their user and for IP.  Whoever asks for
 * a message sends it, so that the sender in a stack is the module.
 *
 * Those that answer a request (mp, consumed; q the module's write queue) return
 * NULL when there was no memory: the user has been told by mexchange() then.
 * The others return NULL without memory and change nothing.
 */
#ifndef STRSIM_IP_ULP_H
#define STRSIM_IP_ULP_H

#include "sys/in.h"
#include "sys/stream.h"
#include "sys/tihdr.h"

/* The primitive of a TPI message. */
t_scalar_t ulp_prim(const mblk_t *mp);

/* ---- for the user ---- */

mblk_t *ulp_ok_ack(queue_t *q, mblk_t *mp);
/* T_BIND_ACK with the address bound to. */
mblk_t *ulp_bind_ack(queue_t *q, mblk_t *mp, const sin_t *sin);
mblk_t *ulp_info_ack(queue_t *q, mblk_t *mp, const struct T_info_ack *info);
/* T_CAPABILITY_ACK: of what may be asked for, TC1_INFO is there. */
mblk_t *ulp_capability_ack(queue_t *q, mblk_t *mp, const struct T_info_ack *info);
/* T_ADDR_ACK; NULL for an address that there is not. */
mblk_t *ulp_addr_ack(queue_t *q, mblk_t *mp, const sin_t *local, const sin_t *remote);
/* T_CONN_CON with the peer's address. */
mblk_t *ulp_conn_con(const sin_t *peer);
/* T_UDERROR_IND about a datagram to the dstlen bytes of address at dst. */
mblk_t *ulp_uderror_ind(const uchar_t *dst, t_scalar_t dstlen, int error);
/* M_SETOPTS for the stream head: flags SO_WROFF and SO_HIWAT say which of the values count. */
mblk_t *ulp_setopts(uint_t flags, uint_t wroff, size_t hiwat);

/* ---- reading the user's ---- */

/*
 * The AF_INET address of len bytes at off in a request's block; B_FALSE when it
 * lies outside, is too short or of another family.
 */
boolean_t ulp_sin(mblk_t *mp, t_scalar_t off, t_scalar_t len, sin_t *sin);
/* The address of a T_BIND_REQ (any, when it has none); B_FALSE as above. */
boolean_t ulp_bind_sin(mblk_t *mp, sin_t *sin);
/*
 * The destination of a T_UNITDATA_REQ to an endpoint in this state: 0; EPROTO
 * (no data, or not bound) or EADDRNOTAVAIL.  *dstlen: of the address as given, 0
 * when it lies outside.
 */
int ulp_unitdata_sin(mblk_t *mp, t_scalar_t state, sin_t *sin, t_scalar_t *dstlen);

/* ---- for IP (the forms of T_BIND_REQ are described in ip/ip.h) ---- */

mblk_t *ulp_ip_bind_mp(const void *addr, size_t len, uint8_t protocol);
mblk_t *ulp_ip_bind_local_mp(ipaddr_t addr, in_port_t port, uint8_t protocol);
mblk_t *ulp_ip_unbind_mp(void);
/* May packets be sent from an address that was bound to: it is none to receive broadcasts or a group on. */
boolean_t ulp_is_source(ipaddr_t addr, uint_t ifindex);

/*
 * The message with len bytes of header room at its front, to be written:
 * before the data when they are not shared and have the room, else in a new
 * block that has `extra' bytes for the headers below.
 */
mblk_t *ulp_header(mblk_t *mp, size_t len, size_t extra);

#endif
