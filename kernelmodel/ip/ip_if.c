/*
 * Interfaces: the streams of ip, their DLPI conversation, addresses, plumbing.
 *
 * ip_plumb() brings an interface up as ifconfig(1M) does: open the device, push
 * ip (whose open asks DL_INFO_REQ), DL_ATTACH_REQ, DL_BIND_REQ,
 * DL_CAPABILITY_REQ; then addresses and routes, whose link headers are asked
 * for with DL_IOC_HDR_INFO, which makes the stream FAST; then a second stream
 * of the device with arp, whose bind makes GLD see the FAST stream and take
 * its shortcut.
 *
 * tun_plumb() does the same for a tunnel, whose stream is ip and tun on the ip
 * driver; it is point-to-point, without ARP and broadcasts.
 *
 * A request is sent and awaited one at a time (ill_dl_request()); the answer
 * comes up through ip_rput to ip_rput_dlpi.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arp/arp.h"
#include "ip/ip_impl.h"
#include "sys/file.h"
#include "sys/stropts.h"
#include "sys/strsubr.h"
#include "sys/tun.h"
#include "sys/vnode.h"

#define DL_PENDING_NONE ((uint_t)-1)
#define DL_TIMEOUT 15 /* s a driver has for an answer */
#define ALLHOSTS_GROUP htonl(0xe0000001U)

KLOCAL struct ip_param ip_param;
KLOCAL ill_t *ill_g_head;
KLOCAL ill_t *ill_loopback;
static KLOCAL uint_t ip_next_ifindex;
static KLOCAL uint_t ip_next_iocid;
static KLOCAL minor_t ip_next_minor;

static const struct ip_param ip_param_default = {
    .ip_def_ttl = 255,
    .ip_broadcast_ttl = 1,
    .ip_wroff_extra = 32,
    .ip_forwarding = B_FALSE,
    .ip_send_redirects = B_TRUE,
    .ip_ignore_redirect = B_FALSE,
    .ip_forward_directed_broadcasts = B_FALSE,
    .ip_forward_src_routed = B_FALSE,
    .ip_strict_dst_multihoming = B_FALSE,
    .ip_path_mtu_discovery = B_TRUE,
    .ip_output_queue = B_TRUE,
    .ip_respond_to_echo_broadcast = B_TRUE,
    .ip_respond_to_echo_multicast = B_TRUE,
    .ip_respond_to_timestamp = B_FALSE,
    .ip_respond_to_timestamp_broadcast = B_FALSE,
    .ip_respond_to_address_mask_broadcast = B_FALSE,
    .ip_icmp_return_data_bytes = 64,
    .ip_icmp_err_interval = 100,
    .ip_icmp_err_burst = 10,
    .ip_reass_queue_bytes = 1000000,
    .ip_g_frag_timeout = 60,
    .ip_ire_arp_interval = 1200000,
    .ip_ire_pathmtu_interval = 600000,
    .ip_ire_max_cache = 131072,
};

/* ---- finding ---- */

ill_t *ill_lookup_ifindex(uint_t ifindex)
{
	ill_t *ill;

	for (ill = ill_g_head; ill != NULL; ill = ill->ill_next)
		if (ill_ifindex(ill) == ifindex)
			break;
	return (ill);
}

/* PPA in a name ("rtls0", VLAN 5: 5000) and, in *devlen, the letters before it;
 * -1 without digits at the end. */
static long ifname_ppa(const char *ifname, uint_t vlan, size_t *devlen)
{
	size_t len = strlen(ifname), n = len;

	while (n > 0 && ifname[n - 1] >= '0' && ifname[n - 1] <= '9')
		n--;
	if (n == len || n == 0 || len >= LIFNAMSIZ || len - n > 3 || vlan > VLAN_ID_MAX)
		return (-1);
	*devlen = n;
	return (strtol(ifname + n, NULL, 10) + (long)vlan * 1000);
}

/* The name of an interface on a VLAN: rtls5000 is VLAN 5 of rtls0. */
static int ifname_vlan(char *buf, const char *ifname, uint_t vlan)
{
	size_t devlen;
	long ppa = ifname_ppa(ifname, vlan, &devlen);

	if (ppa < 0)
		return (EINVAL);
	(void)snprintf(buf, LIFNAMSIZ, "%.*s%ld", (int)MIN(devlen, 20U), ifname, ppa);
	return (0);
}

ill_t *ill_lookup_name(const char *ifname, uint_t vlan)
{
	char name[LIFNAMSIZ];
	ill_t *ill;

	if (ifname_vlan(name, ifname, vlan) != 0)
		return (NULL);
	for (ill = ill_g_head; ill != NULL; ill = ill->ill_next)
		if (strcmp(ill->ill_name, name) == 0)
			break;
	return (ill);
}

uint_t ip_ifindex(const char *ifname, uint_t vlan)
{
	const ill_t *ill = ill_lookup_name(ifname, vlan);

	return (ill == NULL ? 0 : ill_ifindex(ill));
}

/* Where multicast leaves when nobody says: the first interface that can. */
ill_t *ill_multicast_default(uint_t ifindex)
{
	ill_t *ill;

	for (ill = ill_g_head; ill != NULL; ill = ill->ill_next)
		if ((ill->ill_flags & ILLF_MULTICAST) && ill->ill_ipif != NULL &&
		    (ifindex == 0 || ill_ifindex(ill) == ifindex))
			break;
	return (ill);
}

static ipif_t *ipif_search(ipaddr_t addr, uint_t ifindex, boolean_t onlink)
{
	for (ill_t *ill = ill_g_head; ill != NULL; ill = ill->ill_next) {
		if (ifindex != 0 && ill_ifindex(ill) != ifindex && ill != ill_loopback)
			continue;
		for (ipif_t *ipif = ill->ill_ipif; ipif != NULL; ipif = ipif->ipif_next)
			if (onlink ? (addr & ipif->ipif_net_mask) == ipif->ipif_subnet : ipif->ipif_lcl_addr == addr)
				return (ipif);
	}
	return (NULL);
}

/* The address addr of ours. */
ipif_t *ipif_lookup_addr(ipaddr_t addr, uint_t ifindex)
{
	return (ipif_search(addr, ifindex, B_FALSE));
}

/* Our address on the subnet dst is on. */
ipif_t *ipif_lookup_onlink(ipaddr_t dst, uint_t ifindex)
{
	return (ipif_search(dst, ifindex, B_TRUE));
}

/* ---- multicast membership of the interface ---- */

static ilm_t *ilm_lookup(const ill_t *ill, ipaddr_t group)
{
	ilm_t *ilm;

	for (ilm = ill->ill_ilm; ilm != NULL; ilm = ilm->ilm_next)
		if (ilm->ilm_addr == group)
			break;
	return (ilm);
}

boolean_t ilm_member(const ill_t *ill, ipaddr_t group)
{
	return (ilm_lookup(ill, group) != NULL);
}

/* RFC 1112, 6.4. */
static void ip_mcast_mac(uchar_t mac[ETHERADDRL], ipaddr_t group)
{
	uint32_t g = ntohl(group);

	memcpy(mac, (uchar_t[ETHERADDRL]){0x01, 0x00, 0x5e, (g >> 16) & 0x7f, (uchar_t)(g >> 8), (uchar_t)g},
	       ETHERADDRL);
}

/* Tell the driver to let the group's link address in, or not any more. */
static void ill_dl_multi(ill_t *ill, ipaddr_t group, uint32_t prim)
{
	dl_enabmulti_req_t req = {prim, ETHERADDRL, sizeof(req)};
	mblk_t *mp;

	if (ill->ill_wq == NULL || (mp = allocb(sizeof(req) + ETHERADDRL, BPRI_HI)) == NULL)
		return;
	DB_TYPE(mp) = M_PROTO;
	memcpy(mp->b_wptr, &req, sizeof(req));
	ip_mcast_mac(mp->b_wptr + sizeof(req), group);
	mp->b_wptr += sizeof(req) + ETHERADDRL;
	(void)putnext(ill->ill_wq, mp);
}

int ilm_add(ill_t *ill, ipaddr_t group)
{
	ilm_t *ilm = ilm_lookup(ill, group);

	if (ilm != NULL) {
		ilm->ilm_refcnt++;
		return (0);
	}
	if ((ilm = kmem_alloc(sizeof(*ilm), KM_NOSLEEP)) == NULL)
		return (ENOMEM);
	*ilm = (ilm_t){ill->ill_ilm, group, 1};
	ill->ill_ilm = ilm;
	ill_dl_multi(ill, group, DL_ENABMULTI_REQ);
	return (0);
}

void ilm_delete(ill_t *ill, ipaddr_t group)
{
	for (ilm_t **pp = &ill->ill_ilm, *ilm; (ilm = *pp) != NULL; pp = &ilm->ilm_next) {
		if (ilm->ilm_addr == group && --ilm->ilm_refcnt == 0) {
			*pp = ilm->ilm_next;
			kmem_free(ilm, sizeof(*ilm));
			ill_dl_multi(ill, group, DL_DISABMULTI_REQ);
			return;
		}
		if (ilm->ilm_addr == group)
			return;
	}
}

/* ---- DLPI ---- */

/* Send a request and wait for its answer: 0 or errno. */
static int ill_dl_request(ill_t *ill, mblk_t *mp)
{
	if (mp == NULL)
		return (ENOMEM);
	ill->ill_dl_pending = ((union DL_primitives *)mp->b_rptr)->dl_primitive;
	ill->ill_dl_error = 0;
	(void)putnext(ill->ill_wq, mp);
	while (ill->ill_dl_pending != DL_PENDING_NONE) {
		if (cv_timedwait(&ill->ill_cv, ddi_get_lbolt() + SEC_TO_TICK(DL_TIMEOUT)) == -1) {
			ill->ill_dl_pending = DL_PENDING_NONE;
			return (ETIME);
		}
	}
	return (ill->ill_dl_error);
}

/* A request block of len bytes that begins with its primitive. */
static mblk_t *ill_dl_alloc(uint32_t prim, size_t len, uchar_t type)
{
	mblk_t *mp = allocb(len, BPRI_HI);

	if (mp == NULL)
		return (NULL);
	DB_TYPE(mp) = type;
	memset(mp->b_rptr, 0, len);
	((union DL_primitives *)mp->b_rptr)->dl_primitive = prim;
	mp->b_wptr += len;
	return (mp);
}

static void ill_dl_done(ill_t *ill, uint32_t prim, int error)
{
	if (ill->ill_dl_pending != prim)
		return;
	ill->ill_dl_pending = DL_PENDING_NONE;
	ill->ill_dl_error = error;
	cv_broadcast(&ill->ill_cv);
}

/* The stream broke: no answer will come any more. */
void ill_dl_broken(ill_t *ill, int error)
{
	ill_dl_done(ill, ill->ill_dl_pending, error);
}

static void ill_info_ack(ill_t *ill, mblk_t *mp)
{
	const dl_info_ack_t *ack = (const dl_info_ack_t *)mp->b_rptr;

	if (MBLKL(mp) < (ssize_t)sizeof(*ack)) {
		ill_dl_done(ill, DL_INFO_REQ, EPROTO);
		return;
	}
	ill->ill_type = ack->dl_mac_type == DL_ETHER  ? IFT_ETHER
			: ack->dl_mac_type == DL_IPV4 ? IFT_IPV4
						      : ack->dl_mac_type;
	ill->ill_sap_length = ack->dl_sap_length;
	ill->ill_phys_addr_length = ack->dl_addr_length - (uint_t)abs(ack->dl_sap_length);
	ill->ill_max_frag = MIN(ack->dl_max_sdu, (uint32_t)IP_MAXPACKET);
	if (ill->ill_type != IFT_IPV4)
		ill->ill_flags |= ILLF_MULTICAST;
	if (ack->dl_brdcst_addr_length == ETHERADDRL && MBLKIN(mp, (ssize_t)ack->dl_brdcst_addr_offset, ETHERADDRL))
		memcpy(ill->ill_bcast_mac, mp->b_rptr + ack->dl_brdcst_addr_offset, ETHERADDRL);
	ill_dl_done(ill, DL_INFO_REQ, 0);
}

static void ill_bind_ack(ill_t *ill, mblk_t *mp)
{
	const dl_bind_ack_t *ack = (const dl_bind_ack_t *)mp->b_rptr;

	if (MBLKL(mp) >= (ssize_t)sizeof(*ack) && ack->dl_addr_length >= ETHERADDRL &&
	    MBLKIN(mp, (ssize_t)ack->dl_addr_offset, ETHERADDRL))
		memcpy(ill->ill_phys_addr, mp->b_rptr + ack->dl_addr_offset, ETHERADDRL);
	ill->ill_dl_state = DL_IDLE;
	ill_dl_done(ill, DL_BIND_REQ, 0);
}

/* DL_NOTIFY_IND: the link takes packets of another size from now on. */
static void ill_notify_ind(ill_t *ill, const dl_notify_ind_t *ind)
{
	if (ind->dl_notification != DL_NOTE_SDU_SIZE || ind->dl_data < IP_MAX_HDR_LENGTH + 8)
		return;
	ill->ill_max_frag = MIN(ind->dl_data, (uint32_t)IP_MAXPACKET);
	for (ipif_t *ipif = ill->ill_ipif; ipif != NULL; ipif = ipif->ipif_next) {
		ipif->ipif_mtu = ill->ill_max_frag;
		if (ipif->ipif_user_mtu != 0)
			ipif->ipif_mtu = MIN(ipif->ipif_mtu, ipif->ipif_user_mtu);
	}
	if (ill->ill_ipif != NULL)
		ire_set_mtu(ill, ill->ill_ipif->ipif_mtu);
}

/* A DLPI message of the driver that is no packet. */
void ip_rput_dlpi(ill_t *ill, mblk_t *mp)
{
	const union DL_primitives *dl = (const union DL_primitives *)mp->b_rptr;
	const dl_error_ack_t *err = &dl->error_ack;

	if (MBLKL(mp) >= (ssize_t)sizeof(uint32_t)) {
		switch (dl->dl_primitive) {
		case DL_INFO_ACK:
			ill_info_ack(ill, mp);
			break;
		case DL_BIND_ACK:
			ill_bind_ack(ill, mp);
			break;
		case DL_CAPABILITY_ACK:
			ill_dl_done(ill, DL_CAPABILITY_REQ, 0);
			break;
		case DL_NOTIFY_IND:
			if (MBLKL(mp) >= (ssize_t)sizeof(dl_notify_ind_t))
				ill_notify_ind(ill, &dl->notify_ind);
			break;
		case DL_OK_ACK:
			if (MBLKL(mp) >= (ssize_t)sizeof(dl_ok_ack_t))
				ill_dl_done(ill, dl->ok_ack.dl_correct_primitive, 0);
			break;
		case DL_ERROR_ACK:
			if (MBLKL(mp) >= (ssize_t)sizeof(*err))
				ill_dl_done(ill, err->dl_error_primitive,
					    err->dl_errno == DL_SYSERR   ? (int)err->dl_unix_errno
					    : err->dl_errno == DL_BADPPA ? ENXIO
									 : EINVAL);
			break;
		default:
			/* DL_UDERROR_IND: the packet is lost; the rest is of no interest. */
			break;
		}
	}
	freemsg(mp);
}

/* DL_UNITDATA_REQ to a station (a tunnel has only one: its address is not looked at). */
mblk_t *ill_dlur_gen(const ill_t *ill, const uchar_t *mac)
{
	uint16_t sap = (uint16_t)ill->ill_sap;
	mblk_t *mp = ill_dl_alloc(DL_UNITDATA_REQ, sizeof(dl_unitdata_req_t) + ETHERADDRL + sizeof(sap), M_PROTO);
	dl_unitdata_req_t *req;

	if (mp == NULL)
		return (NULL);
	req = (dl_unitdata_req_t *)mp->b_rptr;
	req->dl_dest_addr_length = ETHERADDRL + sizeof(sap);
	req->dl_dest_addr_offset = sizeof(*req);
	memcpy(req + 1, mac, ETHERADDRL);
	memcpy((uchar_t *)(req + 1) + ETHERADDRL, &sap, sizeof(sap));
	return (mp);
}

/* ---- fast path ---- */

/*
 * Ask the driver for the finished link header of a route.  The routes that wait
 * stand in the order of asking, each held.
 */
void ill_fastpath_probe(ill_t *ill, ire_t *ire)
{
	mblk_t *mp;

	if (ill->ill_fastpath_nak || ire->ire_fp_id != 0 || ire->ire_dlureq_mp == NULL)
		return;
	if ((mp = mkiocb(DL_IOC_HDR_INFO)) == NULL)
		return;
	if ((mp->b_cont = copymsg(ire->ire_dlureq_mp)) == NULL) {
		freemsg(mp);
		return;
	}
	((struct iocblk *)mp->b_rptr)->ioc_count = (uint_t)MBLKL(mp->b_cont);
	if (++ip_next_iocid == 0)
		ip_next_iocid = 1;
	((struct iocblk *)mp->b_rptr)->ioc_id = ire->ire_fp_id = ip_next_iocid;
	IRE_REFHOLD(ire);
	ire->ire_fp_next = NULL;
	if (ill->ill_fp_last != NULL)
		ill->ill_fp_last->ire_fp_next = ire;
	else
		ill->ill_fp_first = ire;
	ill->ill_fp_last = ire;
	(void)putnext(ill->ill_wq, mp);
}

/* The route that asked with this id, taken off the list, its reference now the
 * caller's; NULL when there is none. */
static ire_t *ill_fastpath_take(ill_t *ill, uint_t id)
{
	ire_t *prev = NULL, *ire;

	for (ire = ill->ill_fp_first; ire != NULL && ire->ire_fp_id != id; ire = ire->ire_fp_next)
		prev = ire;
	if (ire == NULL)
		return (NULL);
	if (prev != NULL)
		prev->ire_fp_next = ire->ire_fp_next;
	else
		ill->ill_fp_first = ire->ire_fp_next;
	if (ill->ill_fp_last == ire)
		ill->ill_fp_last = prev;
	ire->ire_fp_next = NULL;
	ire->ire_fp_id = 0;
	return (ire);
}

/* M_IOCACK of DL_IOC_HDR_INFO: the header is the last block. */
void ill_fastpath_ack(ill_t *ill, mblk_t *mp)
{
	ire_t *ire = ill_fastpath_take(ill, ((const struct iocblk *)mp->b_rptr)->ioc_id);
	mblk_t *hp = mp->b_cont != NULL ? unlinkb(mp->b_cont) : NULL;

	if (ire != NULL) {
		if (hp != NULL && ire->ire_fp_mp == NULL) {
			ire->ire_fp_mp = hp;
			hp = NULL;
			freemsg(ire->ire_dlureq_mp);
			ire->ire_dlureq_mp = NULL;
		}
		IRE_REFRELE(ire);
	}
	freemsg(hp);
	freemsg(mp);
	cv_broadcast(&ill->ill_cv);
}

/* M_IOCNAK: this driver has no fast path (or no memory for this one). */
void ill_fastpath_nak(ill_t *ill, mblk_t *mp)
{
	const struct iocblk *iocp = (const struct iocblk *)mp->b_rptr;
	ire_t *ire = ill_fastpath_take(ill, iocp->ioc_id);

	if (iocp->ioc_error != ENOMEM && iocp->ioc_error != ENOSR)
		ill->ill_fastpath_nak = B_TRUE;
	if (ire != NULL)
		IRE_REFRELE(ire);
	freemsg(mp);
	cv_broadcast(&ill->ill_cv);
}

/* No answers will come any more. */
void ill_fastpath_forget(ill_t *ill)
{
	ire_t *ire;

	while ((ire = ill->ill_fp_first) != NULL) {
		(void)ill_fastpath_take(ill, ire->ire_fp_id);
		IRE_REFRELE(ire);
	}
}

/* ---- open and close ---- */

static void ill_link(ill_t *ill)
{
	ill_t **pp;

	for (pp = &ill_g_head; *pp != NULL; pp = &(*pp)->ill_next)
		continue;
	*pp = ill;
}

static ill_t *ill_alloc(void)
{
	ill_t *ill = kmem_zalloc(sizeof(*ill), KM_NOSLEEP);

	if (ill == NULL)
		return (NULL);
	ill->ill_phyint = &ill->ill_phyint0;
	ill->ill_phyint0.phyint_ifindex = ++ip_next_ifindex;
	ill->ill_dl_pending = DL_PENDING_NONE;
	ill->ill_dl_state = DL_UNATTACHED;
	ill->ill_sap = ETHERTYPE_IP;
	cv_init(&ill->ill_cv);
	return (ill);
}

static void ill_delete(ill_t *ill)
{
	ill_t **pp;
	ipif_t *ipif;
	ilm_t *ilm;

	ill_fastpath_forget(ill);
	ire_delete_ill(ill);
	ill_frag_free(ill);
	for (pp = &ill_g_head; *pp != NULL && *pp != ill; pp = &(*pp)->ill_next)
		continue;
	if (*pp != NULL)
		*pp = ill->ill_next;
	while ((ipif = ill->ill_ipif) != NULL) {
		ill->ill_ipif = ipif->ipif_next;
		kmem_free(ipif, sizeof(*ipif));
	}
	while ((ilm = ill->ill_ilm) != NULL) {
		ill->ill_ilm = ilm->ilm_next;
		kmem_free(ilm, sizeof(*ilm));
	}
	cv_destroy(&ill->ill_cv);
	kmem_free(ill, sizeof(*ill));
}

/* ip is pushed on a device: make its interface, which has no name yet. */
static int ip_modopen(queue_t *q)
{
	ill_t *ill = ill_alloc();
	int error;

	if (ill == NULL)
		return (ENOMEM);
	ill->ill_rq = q;
	ill->ill_wq = WR(q);
	ill->ill_state_flags = ILL_LL_SUBNET_PENDING;
	WR(q)->q_ptr = q->q_ptr = ill;
	qprocson(q);
	error = ill_dl_request(ill, ill_dl_alloc(DL_INFO_REQ, sizeof(dl_info_req_t), M_PCPROTO));
	if (error != 0) {
		qprocsoff(q);
		WR(q)->q_ptr = q->q_ptr = NULL;
		ill_delete(ill);
		return (error);
	}
	ill_link(ill);
	return (0);
}

int ip_open(queue_t *q, dev_t *devp, int flag, int sflag, cred_t *cr)
{
	conn_t *connp;

	(void)flag;
	if (q->q_ptr != NULL)
		return (0);
	if (sflag & MODOPEN)
		return (ip_modopen(q));
	if ((connp = ipcl_conn_create(IPCL_IPCCONN, KM_NOSLEEP)) == NULL)
		return (ENOMEM);
	*devp = makedevice(getmajor(*devp), ++ip_next_minor);
	connp->conn_rq = q;
	connp->conn_wq = WR(q);
	connp->conn_dev = *devp;
	connp->conn_zoneid = GLOBAL_ZONEID;
	connp->conn_multicast_loop = 1;
	crhold(connp->conn_cred = cr);
	WR(q)->q_ptr = q->q_ptr = connp;
	qprocson(q);
	return (0);
}

static int ip_modclose(queue_t *q)
{
	ill_t *ill = q->q_ptr;

	ill->ill_state_flags |= ILL_CONDEMNED;
	qprocsoff(q);
	WR(q)->q_ptr = q->q_ptr = NULL;
	ill_delete(ill);
	return (0);
}

int ip_close(queue_t *q, int flag, cred_t *cr)
{
	conn_t *connp;

	(void)flag;
	(void)cr;
	if (!CONN_Q(q))
		return (ip_modclose(q));
	connp = Q_TO_CONN(q);
	ipcl_hash_remove(connp);
	qprocsoff(q);
	conn_drain_remove(connp);
	conn_leave_groups(connp);
	WR(q)->q_ptr = q->q_ptr = NULL;
	connp->conn_rq = connp->conn_wq = NULL;
	CONN_DEC_REF(connp);
	return (0);
}

/* ---- addresses ---- */

/* A broadcast address on an interface: one route for the copy we get, one for
 * the wire. */
static int ipif_add_bcast(ipif_t *ipif, ipaddr_t addr)
{
	ill_t *ill = ipif->ipif_ill;
	ire_t *ire;

	if ((ire = ire_create(addr, INADDR_BROADCAST, 0, ipif->ipif_lcl_addr, IRE_BROADCAST, ipif, NULL)) == NULL)
		return (ENOMEM);
	if (ire_add(ire) != 0) {
		IRE_REFRELE(ire);
		return (ENOMEM);
	}
	if ((ire = ire_create(addr, INADDR_BROADCAST, 0, ipif->ipif_lcl_addr, IRE_BROADCAST, ipif, ill->ill_wq)) ==
	    NULL)
		return (ENOMEM);
	if ((ire->ire_dlureq_mp = ill_dlur_gen(ill, ill->ill_bcast_mac)) == NULL || ire_add(ire) != 0) {
		IRE_REFRELE(ire);
		return (ENOMEM);
	}
	ill_fastpath_probe(ill, ire);
	return (0);
}

static boolean_t ipif_has_bcast(const ipif_t *ipif, ipaddr_t addr)
{
	return (ire_bcast_next(NULL, addr, ill_ifindex(ipif->ipif_ill)) != NULL);
}

/* Broadcast addresses of the subnet: all ones, all zeros (RFC 1122, 3.3.6), and
 * those of any net. */
static int ipif_add_bcasts(ipif_t *ipif)
{
	ipaddr_t addrs[4] = {ipif->ipif_brd_addr, ipif->ipif_subnet, INADDR_BROADCAST, INADDR_ANY};
	boolean_t host = ipif->ipif_net_mask == INADDR_BROADCAST || ipif->ipif_net_mask == htonl(0xfffffffeU);
	int error;

	for (int i = host ? 2 : 0; i < 4; i++)
		if (!ipif_has_bcast(ipif, addrs[i]) && (error = ipif_add_bcast(ipif, addrs[i])) != 0)
			return (error);
	return (0);
}

static int ire_add_new(ire_t *ire)
{
	int error = ire == NULL ? ENOMEM : ire_add(ire);

	if (ire != NULL && error != 0)
		IRE_REFRELE(ire);
	return (error);
}

/* Give an interface an address, with all that hangs on it.  What was made
 * before an error goes with the interface. */
static int ipif_add(ill_t *ill, ipaddr_t addr, ipaddr_t mask)
{
	ipif_t *ipif, **pp;
	int error;

	if ((ipif = kmem_zalloc(sizeof(*ipif), KM_NOSLEEP)) == NULL)
		return (ENOMEM);
	ipif->ipif_ill = ill;
	ipif->ipif_mtu = ill->ill_max_frag;
	ipif->ipif_lcl_addr = addr;
	ipif->ipif_net_mask = mask;
	ipif->ipif_subnet = addr & mask;
	ipif->ipif_brd_addr = ipif->ipif_subnet | ~mask;
	for (pp = &ill->ill_ipif; *pp != NULL; pp = &(*pp)->ipif_next)
		ipif->ipif_id++;
	*pp = ipif;
	if (ill == ill_loopback)
		return (ire_add_new(ire_create(addr, INADDR_BROADCAST, 0, addr, IRE_LOOPBACK, ipif, NULL)));
	error = ire_add_new(ire_create(addr, INADDR_BROADCAST, 0, addr, IRE_LOCAL, ipif, NULL));
	if (error == 0)
		error = ire_add_new(ire_create(ipif->ipif_subnet, mask, 0, addr, IRE_IF_RESOLVER, ipif, ill->ill_wq));
	if (error == 0)
		error = ipif_add_bcasts(ipif);
	return (error);
}

int ip_addif(const char *ifname, uint_t vlan, ipaddr_t addr, ipaddr_t mask)
{
	ill_t *ill = ill_lookup_name(ifname, vlan);

	if (ill == NULL)
		return (ENXIO);
	if (ipif_lookup_addr(addr, ill_ifindex(ill)) != NULL)
		return (EEXIST);
	return (ipif_add(ill, addr, mask));
}

/* ---- plumbing ---- */

/* Open the device (style 2) and push a module. */
static int ip_open_device(const char *ifname, size_t devlen, const char *module, vnode_t **vpp)
{
	char path[LIFNAMSIZ + 8];
	int error;

	(void)snprintf(path, sizeof(path), "/dev/%.*s", (int)devlen, ifname);
	if ((error = vn_open_dev(path, FREAD | FWRITE, vpp)) != 0)
		return (error);
	if ((error = kern_ioctl(*vpp, I_PUSH, (intptr_t)module, NULL)) != 0)
		(void)vn_close_dev(*vpp, FREAD | FWRITE);
	return (error);
}

static mblk_t *ill_dl_attach_req(long ppa)
{
	mblk_t *mp = ill_dl_alloc(DL_ATTACH_REQ, sizeof(dl_attach_req_t), M_PROTO);

	if (mp != NULL)
		((dl_attach_req_t *)mp->b_rptr)->dl_ppa = (uint32_t)ppa;
	return (mp);
}

static mblk_t *ill_dl_bind_req(uint_t sap)
{
	mblk_t *mp = ill_dl_alloc(DL_BIND_REQ, sizeof(dl_bind_req_t), M_PROTO);

	if (mp != NULL) {
		((dl_bind_req_t *)mp->b_rptr)->dl_sap = sap;
		((dl_bind_req_t *)mp->b_rptr)->dl_service_mode = DL_CLDLS;
	}
	return (mp);
}

static mblk_t *ill_dl_setaddr_req(const uchar_t mac[ETHERADDRL])
{
	mblk_t *mp = ill_dl_alloc(DL_SET_PHYS_ADDR_REQ, sizeof(dl_set_phys_addr_req_t) + ETHERADDRL, M_PROTO);

	if (mp != NULL) {
		((dl_set_phys_addr_req_t *)mp->b_rptr)->dl_addr_length = ETHERADDRL;
		((dl_set_phys_addr_req_t *)mp->b_rptr)->dl_addr_offset = sizeof(dl_set_phys_addr_req_t);
		memcpy(mp->b_rptr + sizeof(dl_set_phys_addr_req_t), mac, ETHERADDRL);
	}
	return (mp);
}

/* Attach, bind, ask for capabilities and for the (new) largest packet. */
static int ill_dl_up(ill_t *ill, long ppa, const uchar_t *mac)
{
	int error = ill_dl_request(ill, ill_dl_attach_req(ppa));

	if (error == 0 && mac != NULL)
		error = ill_dl_request(ill, ill_dl_setaddr_req(mac));
	if (error == 0)
		error = ill_dl_request(ill, ill_dl_alloc(DL_INFO_REQ, sizeof(dl_info_req_t), M_PCPROTO));
	if (error == 0)
		error = ill_dl_request(ill, ill_dl_bind_req(ill->ill_sap));
	if (error == 0)
		error = ill_dl_request(ill, ill_dl_alloc(DL_CAPABILITY_REQ, sizeof(dl_capability_req_t), M_PROTO));
	return (error);
}

/* Until the link headers asked for have come, and the stream is FAST with them.
 */
static void ill_fastpath_wait(ill_t *ill)
{
	while (ill->ill_fp_first != NULL)
		if (cv_timedwait(&ill->ill_cv, ddi_get_lbolt() + SEC_TO_TICK(DL_TIMEOUT)) == -1)
			break;
}

static int ip_plumb_arp(ill_t *ill, const char *ifname, size_t devlen)
{
	queue_t *arq;
	int error;

	if ((error = ip_open_device(ifname, devlen, "arp", &ill->ill_arp_vnode)) != 0) {
		ill->ill_arp_vnode = NULL;
		return (error);
	}
	arq = ill->ill_arp_vnode->v_stream->sd_wrq->q_next;
	ill->ill_arp_wq = arq;
	return (arp_attach(RD(arq), ill->ill_ppa, ill->ill_wq, ill_ifindex(ill)));
}

/* ARP answers for our addresses. */
static int ip_plumb_arp_addr(ill_t *ill, ipaddr_t addr)
{
	return (
	    arp_entry_add(ill_ifindex(ill), addr, ill->ill_phys_addr, ACE_F_PERMANENT | ACE_F_PUBLISH | ACE_F_MYADDR));
}

static void ip_unplumb_ill(ill_t *ill)
{
	vnode_t *vp = ill->ill_vnode, *arp_vp = ill->ill_arp_vnode;

	ill->ill_arp_wq = NULL;
	if (arp_vp != NULL)
		(void)vn_close_dev(arp_vp, FREAD | FWRITE);
	(void)vn_close_dev(vp, FREAD | FWRITE);
}

int ip_plumb(const char *ifname, uint_t vlan, ipaddr_t addr, ipaddr_t mask, const uchar_t mac[6])
{
	char name[LIFNAMSIZ];
	size_t devlen = 0;
	long ppa = ifname_ppa(ifname, vlan, &devlen);
	vnode_t *vp;
	ill_t *ill;
	int error;

	if (ifname_vlan(name, ifname, vlan) != 0)
		return (EINVAL);
	if (ill_lookup_name(ifname, vlan) != NULL)
		return (EEXIST);
	if ((error = ip_open_device(ifname, devlen, "ip", &vp)) != 0)
		return (error);
	ill = vp->v_stream->sd_wrq->q_next->q_ptr;
	ill->ill_vnode = vp;
	memcpy(ill->ill_name, name, sizeof(name));
	ill->ill_ppa = (uint_t)ppa;
	if ((error = ill_dl_up(ill, ppa, mac)) == 0) {
		ill->ill_state_flags &= ~(uint_t)ILL_LL_SUBNET_PENDING;
		if (addr != INADDR_ANY)
			error = ipif_add(ill, addr, mask);
		ill_fastpath_wait(ill);
	}
	if (error == 0)
		error = ip_plumb_arp(ill, ifname, devlen);
	if (error == 0 && addr != INADDR_ANY && (error = ip_plumb_arp_addr(ill, addr)) == 0)
		error = ilm_add(ill, ALLHOSTS_GROUP);
	if (error != 0)
		ip_unplumb_ill(ill);
	return (error);
}

int ip_unplumb(const char *ifname, uint_t vlan)
{
	ill_t *ill = ill_lookup_name(ifname, vlan);

	if (ill == NULL || ill == ill_loopback)
		return (ENXIO);
	ip_unplumb_ill(ill);
	return (0);
}

int arp_static(const char *ifname, uint_t vlan, ipaddr_t addr, const uchar_t mac[6])
{
	const ill_t *ill = ill_lookup_name(ifname, vlan);

	if (ill == NULL)
		return (ENXIO);
	return (arp_entry_add(ill_ifindex(ill), addr, mac, ACE_F_PERMANENT));
}

int ip_route_add(ipaddr_t dst, ipaddr_t mask, ipaddr_t gateway)
{
	ipif_t *ipif = ipif_lookup_onlink(gateway, 0);
	ire_t *ire;

	if (ipif == NULL || ipif->ipif_ill == ill_loopback || (dst & mask) != dst)
		return (ENETUNREACH);
	ire = ire_create(dst, mask, gateway, 0,
			 mask == 0                  ? IRE_DEFAULT
			 : mask == INADDR_BROADCAST ? IRE_HOST
						    : IRE_PREFIX,
			 ipif, NULL);
	if (ire != NULL)
		ire->ire_flags = RTF_UP | RTF_GATEWAY | RTF_STATIC;
	return (ire_add_new(ire));
}

/* ---- tunnels ---- */

/* The address of a point-to-point interface, and the route to its other end. */
static int ipif_add_ptp(ill_t *ill, const tun_config_t *tc)
{
	ipif_t *ipif;
	int error;

	if ((ipif = kmem_zalloc(sizeof(*ipif), KM_NOSLEEP)) == NULL)
		return (ENOMEM);
	ipif->ipif_ill = ill;
	ipif->ipif_user_mtu = tc->tc_mtu;
	ipif->ipif_mtu = tc->tc_mtu != 0 ? MIN(tc->tc_mtu, ill->ill_max_frag) : ill->ill_max_frag;
	ipif->ipif_lcl_addr = tc->tc_addr;
	ipif->ipif_pp_dst_addr = ipif->ipif_subnet = tc->tc_dstaddr;
	ipif->ipif_net_mask = ipif->ipif_brd_addr = INADDR_BROADCAST;
	ill->ill_ipif = ipif;
	error = ire_add_new(ire_create(tc->tc_addr, INADDR_BROADCAST, 0, tc->tc_addr, IRE_LOCAL, ipif, NULL));
	if (error == 0)
		error = ire_add_new(
		    ire_create(tc->tc_dstaddr, INADDR_BROADCAST, 0, tc->tc_addr, IRE_IF_NORESOLVER, ipif, ill->ill_wq));
	return (error);
}

static struct sockaddr_storage tun_sockaddr(ipaddr_t addr)
{
	struct sockaddr_storage ss = {.ss_family = AF_INET};

	((struct sockaddr_in *)&ss)->sin_addr.s_addr = addr;
	return (ss);
}

static int tun_ioctl_set(vnode_t *vp, const struct iftun_req *req)
{
	struct strioctl ioc = {.ic_cmd = (int)SIOCSTUNPARAM, .ic_len = sizeof(*req), .ic_dp = (char *)(uintptr_t)req};

	return (kern_ioctl(vp, I_STR, (intptr_t)&ioc, NULL));
}

/* tun's parameters from the configuration. */
static int tun_config_set(vnode_t *vp, const tun_config_t *tc)
{
	struct iftun_req req = {.ifta_saddr = tun_sockaddr(tc->tc_tsrc),
				.ifta_daddr = tun_sockaddr(tc->tc_tdst),
				.ifta_flags = IFTUN_SRC | IFTUN_DST | IFTUN_SECURITY | IFTUN_HOPLIMIT,
				.ifta_vers = IFTUN_VERSION,
				.ifta_secinfo = tc->tc_secinfo,
				.ifta_hop_limit = TUN_DEFAULT_HOPLIMIT};

	if (tc->tc_hoplimit > 255)
		return (EINVAL);
	if (tc->tc_hoplimit != 0)
		req.ifta_hop_limit = (uint8_t)tc->tc_hoplimit;
	(void)snprintf(req.ifta_lifr_name, sizeof(req.ifta_lifr_name), "%s", tc->tc_name);
	return (tun_ioctl_set(vp, &req));
}

/* Open the ip driver, and push tun and ip on it. */
static int tun_open_stream(vnode_t **vpp)
{
	int error;

	if ((error = vn_open_dev("/dev/ip", FREAD | FWRITE, vpp)) != 0)
		return (error);
	if ((error = kern_ioctl(*vpp, I_PUSH, (intptr_t) "tun", NULL)) == 0)
		error = kern_ioctl(*vpp, I_PUSH, (intptr_t) "ip", NULL);
	if (error != 0)
		(void)vn_close_dev(*vpp, FREAD | FWRITE);
	return (error);
}

int tun_plumb(const tun_config_t *tc)
{
	char name[LIFNAMSIZ];
	size_t devlen = 0;
	long ppa = ifname_ppa(tc->tc_name, 0, &devlen);
	vnode_t *vp;
	ill_t *ill;
	int error;

	if (ifname_vlan(name, tc->tc_name, 0) != 0 || tc->tc_addr == INADDR_ANY || tc->tc_dstaddr == INADDR_ANY ||
	    CLASSD(tc->tc_addr) || CLASSD(tc->tc_dstaddr) || tc->tc_addr == tc->tc_dstaddr)
		return (EINVAL);
	if (ill_lookup_name(tc->tc_name, 0) != NULL || ipif_lookup_addr(tc->tc_addr, 0) != NULL)
		return (EEXIST);
	if ((error = tun_open_stream(&vp)) != 0)
		return (error);
	ill = vp->v_stream->sd_wrq->q_next->q_ptr;
	ill->ill_vnode = vp;
	memcpy(ill->ill_name, name, sizeof(name));
	ill->ill_ppa = (uint_t)ppa;
	ill->ill_phyint->phyint_flags |= PHYI_POINTOPOINT;
	if ((error = tun_config_set(vp, tc)) == 0 && (error = ill_dl_up(ill, ppa, NULL)) == 0) {
		ill->ill_state_flags &= ~(uint_t)ILL_LL_SUBNET_PENDING;
		error = ipif_add_ptp(ill, tc);
	}
	if (error != 0)
		ip_unplumb_ill(ill);
	return (error);
}

static ill_t *tun_lookup(const char *name)
{
	ill_t *ill = ill_lookup_name(name, 0);

	return (ill != NULL && ill->ill_type == IFT_IPV4 ? ill : NULL);
}

int tun_unplumb(const char *name)
{
	ill_t *ill = tun_lookup(name);

	if (ill == NULL)
		return (ENXIO);
	ip_unplumb_ill(ill);
	return (0);
}

int tun_set_param(const char *name, const struct iftun_req *req)
{
	const ill_t *ill = tun_lookup(name);

	return (ill == NULL ? ENXIO : tun_ioctl_set(ill->ill_vnode, req));
}

/* ---- boot ---- */

static void ip_init(void)
{
	ip_param = ip_param_default;
	ip_next_ifindex = 0;
	icmp_reset();
	if ((ill_loopback = ill_alloc()) == NULL)
		return;
	(void)strcpy(ill_loopback->ill_name, "lo0");
	ill_loopback->ill_type = IFT_LOOP;
	ill_loopback->ill_phyint->phyint_flags = PHYI_LOOPBACK;
	ill_loopback->ill_max_frag = IP_MAXPACKET;
	ill_link(ill_loopback);
	(void)ipif_add(ill_loopback, INADDR_LOOPBACK_N, htonl(0xff000000U));
}

static void ip_fini(void)
{
	while (ill_g_head != NULL)
		ill_delete(ill_g_head);
	ill_loopback = NULL;
	ire_fini();
}
KERNEL_INIT(2, ip_init, ip_fini);

static struct module_info ip_mod_info = {5701, "ip", 1, INFPSZ, 65536, 1024};
static struct qinit iprinit = {ip_rput, NULL, ip_open, ip_close, NULL, &ip_mod_info, NULL};
static struct qinit ipwinit = {ip_wput, ip_wsrv, NULL, NULL, NULL, &ip_mod_info, NULL};
static struct streamtab ipinfo = {&iprinit, &ipwinit, NULL, NULL};

STREAMS_MODULE(ip, "ip", &ipinfo, D_MP);
STREAMS_DRIVER(ip, "ip", &ipinfo, D_MP, "/dev/ip=clone", NULL);
STREAMS_DRIVER(udp, "udp", &ipinfo, D_MP, "/dev/udp=clone", "udp");
STREAMS_DRIVER(icmp, "icmp", &ipinfo, D_MP, "/dev/icmp=clone /dev/rawip=clone", "icmp");
