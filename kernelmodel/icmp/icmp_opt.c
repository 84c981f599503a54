/* icmp: options, by table.  Each is a field of icmp_t. */
#include <stddef.h>
#include <string.h>

#include "icmp/icmp.h"
#include "ip/optcom.h"
#include "ip/ulp.h"
#include "sys/errno.h"
#include "sys/socket.h"

#define OD_BOOL 0x01     /* any value but 0 is 1 */
#define OD_NONZERO 0x02  /* 0 is refused */
#define OD_BYTE 0x04     /* its value is one byte (ip(7P)) */
#define OD_FOR_IP 0x08   /* IP keeps it too */
#define OD_IP_ONLY 0x10  /* IP keeps it, there is no value here */
#define OD_READONLY 0x20 /* the value is od_default */
#define OD_UNBOUND 0x40  /* not to be changed once bound */

typedef struct optdes {
	t_uscalar_t od_level, od_name;
	uint_t od_flags;
	uint32_t od_default, od_max;
	size_t od_field;
} optdes_t;
#define FIELD(name) offsetof(icmp_t, name)

static const optdes_t icmp_options[] = {
    {SOL_SOCKET, SO_DEBUG, OD_BOOL, 0, 1, FIELD(icmp_debug)},
    {SOL_SOCKET, SO_DONTROUTE, OD_BOOL | OD_FOR_IP, 0, 1, FIELD(icmp_dontroute)},
    {SOL_SOCKET, SO_BROADCAST, OD_BOOL | OD_FOR_IP, 0, 1, FIELD(icmp_broadcast)},
    {SOL_SOCKET, SO_USELOOPBACK, OD_BOOL, 0, 1, FIELD(icmp_useloopback)},
    {SOL_SOCKET, SO_REUSEADDR, OD_BOOL | OD_FOR_IP, 0, 1, FIELD(icmp_reuseaddr)},
    {SOL_SOCKET, SO_DGRAM_ERRIND, OD_BOOL, 0, 1, FIELD(icmp_dgram_errind)},
    {SOL_SOCKET, SO_SNDBUF, 0, ICMP_XMIT_HIWAT, ICMP_MAX_BUF, FIELD(icmp_xmit_hiwat)},
    {SOL_SOCKET, SO_RCVBUF, 0, ICMP_RECV_HIWAT, ICMP_MAX_BUF, FIELD(icmp_recv_hiwat)},
    {SOL_SOCKET, SO_TYPE, OD_READONLY, SOCK_RAW, 0, 0},
    {SOL_SOCKET, SO_PROTOTYPE, OD_UNBOUND, IPPROTO_ICMP, 255, FIELD(icmp_proto)},
    {IPPROTO_IP, IP_TTL, OD_NONZERO, ICMP_IPV4_TTL, 255, FIELD(icmp_ttl)},
    {IPPROTO_IP, IP_TOS, 0, 0, 255, FIELD(icmp_type_of_service)},
    {IPPROTO_IP, IP_MULTICAST_TTL, OD_BYTE, 1, 255, FIELD(icmp_multicast_ttl)},
    {IPPROTO_IP, IP_MULTICAST_LOOP, OD_BYTE | OD_BOOL | OD_FOR_IP, 1, 1, FIELD(icmp_multicast_loop)},
    {IPPROTO_IP, IP_MULTICAST_IF, OD_FOR_IP, 0, UINT32_MAX, FIELD(icmp_multicast_if_addr)},
    {IPPROTO_IP, IP_BOUND_IF, OD_FOR_IP, 0, UINT32_MAX, FIELD(icmp_ifindex)},
    {IPPROTO_IP, IP_ADD_MEMBERSHIP, OD_FOR_IP | OD_IP_ONLY, 0, UINT32_MAX, 0},
    {IPPROTO_IP, IP_DROP_MEMBERSHIP, OD_FOR_IP | OD_IP_ONLY, 0, UINT32_MAX, 0},
};
#define NOPTIONS (sizeof(icmp_options) / sizeof(icmp_options[0]))

static uint32_t *icmp_opt_field(icmp_t *icmp, const optdes_t *od)
{
	return ((uint32_t *)(void *)((char *)icmp + od->od_field));
}

static const optdes_t *icmp_opt_find(t_uscalar_t level, t_uscalar_t name)
{
	for (size_t i = 0; i < NOPTIONS; i++)
		if (icmp_options[i].od_level == level && icmp_options[i].od_name == name)
			return (&icmp_options[i]);
	return (NULL);
}

void icmp_opt_init(icmp_t *icmp)
{
	for (size_t i = 0; i < NOPTIONS; i++)
		if ((icmp_options[i].od_flags & (OD_READONLY | OD_IP_ONLY)) == 0)
			*icmp_opt_field(icmp, &icmp_options[i]) = icmp_options[i].od_default;
}

boolean_t icmp_opt_for_ip(t_uscalar_t level, t_uscalar_t name)
{
	const optdes_t *od = icmp_opt_find(level, name);

	return (od != NULL && (od->od_flags & OD_FOR_IP));
}

/* Sizes of queues are the queues' too, and the stream head's. */
static int icmp_opt_hiwat(icmp_t *icmp, t_uscalar_t name, uint32_t size)
{
	mblk_t *mp;

	if (name == SO_SNDBUF) {
		icmp->icmp_wq->q_hiwat = size;
		return (0);
	}
	if ((mp = ulp_setopts(SO_HIWAT, 0, size)) == NULL)
		return (ENOMEM);
	icmp->icmp_rq->q_hiwat = size;
	(void)putnext(icmp->icmp_rq, mp);
	return (0);
}

int icmp_opt_set(void *arg, t_uscalar_t level, t_uscalar_t name, const uchar_t *val, size_t len, boolean_t checkonly)
{
	const optdes_t *od = icmp_opt_find(level, name);
	icmp_t *icmp = arg;
	boolean_t hiwat = level == SOL_SOCKET && (name == SO_SNDBUF || name == SO_RCVBUF);
	uint32_t num = 0;
	int error;

	if (od == NULL || (od->od_flags & OD_READONLY))
		return (OPT_UNKNOWN);
	if (len == 0)
		return (EINVAL);
	if (od->od_flags & OD_IP_ONLY)
		return (0);
	if (len == 1)
		num = *val;
	else
		memcpy(&num, val, MIN(len, sizeof(num)));
	if (od->od_flags & OD_BOOL)
		num = num != 0;
	if (num > od->od_max)
		return (hiwat ? ENOBUFS : EINVAL);
	if (((od->od_flags & OD_NONZERO) && num == 0) || ((od->od_flags & OD_UNBOUND) && icmp->icmp_state != TS_UNBND))
		return (EINVAL);
	if (checkonly)
		return (0);
	if (hiwat && (error = icmp_opt_hiwat(icmp, name, num)) != 0)
		return (error);
	*icmp_opt_field(icmp, od) = num;
	return (0);
}

int icmp_opt_get(void *arg, t_uscalar_t level, t_uscalar_t name, uchar_t *val, boolean_t dflt)
{
	const optdes_t *od = icmp_opt_find(level, name);
	uint32_t num;

	if (od == NULL || (od->od_flags & OD_IP_ONLY))
		return (OPT_UNKNOWN);
	num = dflt || (od->od_flags & OD_READONLY) ? od->od_default : *icmp_opt_field(arg, od);
	if (od->od_flags & OD_BYTE) {
		*val = (uchar_t)num;
		return (1);
	}
	memcpy(val, &num, sizeof(num));
	return (sizeof(num));
}
