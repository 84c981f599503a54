/* GLD: the DLPI conversation (dlpi(7P)) and the ioctls of a stream. */
#include <string.h>

#include "gld/gld_impl.h"

static void dlerrorack(queue_t *q, mblk_t *mp, uint32_t prim, uint32_t dlerr, int error)
{
	dl_error_ack_t ack = {DL_ERROR_ACK, prim, dlerr, (uint32_t)error};

	if ((mp = mexchange(q, mp, sizeof(ack), M_PCPROTO, DL_ERROR_ACK)) == NULL)
		return;
	memcpy(mp->b_rptr, &ack, sizeof(ack));
	qreply(q, mp);
}

static void dlokack(queue_t *q, mblk_t *mp, uint32_t prim)
{
	dl_ok_ack_t ack = {DL_OK_ACK, prim};

	if ((mp = mexchange(q, mp, sizeof(ack), M_PCPROTO, DL_OK_ACK)) == NULL)
		return;
	memcpy(mp->b_rptr, &ack, sizeof(ack));
	qreply(q, mp);
}

/* ---- information ---- */

static void gld_inforeq(queue_t *q, mblk_t *mp)
{
	gld_t *gld = q->q_ptr;
	gld_mac_info_t *macinfo = gld->gld_mac_info;
	uint16_t sap = (uint16_t)gld->gld_sap;
	dl_info_ack_t ack = {.dl_primitive = DL_INFO_ACK,
			     .dl_max_sdu = macinfo != NULL ? macinfo->gldm_maxpkt : ETHERMTU,
			     .dl_min_sdu = macinfo != NULL ? macinfo->gldm_minpkt : 0,
			     .dl_mac_type = DL_ETHER,
			     .dl_addr_length = GLD_DLSAP_LEN,
			     .dl_sap_length = -2,
			     .dl_current_state = gld->gld_state,
			     .dl_service_mode = DL_CLDLS,
			     .dl_provider_style = gld->gld_style,
			     .dl_version = DL_VERSION_2};
	uchar_t *p;

	mp = mexchange(q, mp, sizeof(ack) + GLD_DLSAP_LEN + ETHERADDRL, M_PCPROTO, DL_INFO_ACK);
	if (mp == NULL)
		return;
	p = mp->b_rptr + sizeof(ack);
	if (gld->gld_state == DL_IDLE) {
		ack.dl_addr_offset = (uint32_t)(p - mp->b_rptr);
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): bound means attached */
		memcpy(p, macinfo->gldm_mac_pvt->curr_macaddr, ETHERADDRL);
		memcpy(p + ETHERADDRL, &sap, sizeof(sap));
		p += GLD_DLSAP_LEN;
	}
	ack.dl_brdcst_addr_length = ETHERADDRL;
	ack.dl_brdcst_addr_offset = (uint32_t)(p - mp->b_rptr);
	memset(p, 0xff, ETHERADDRL);
	mp->b_wptr = p + ETHERADDRL;
	memcpy(mp->b_rptr, &ack, sizeof(ack));
	qreply(q, mp);
}

/* ---- bind ---- */

static void dlbindack(queue_t *q, mblk_t *mp)
{
	gld_t *gld = q->q_ptr;
	uint16_t sap = (uint16_t)gld->gld_sap;
	dl_bind_ack_t ack = {DL_BIND_ACK, gld->gld_sap, GLD_DLSAP_LEN, sizeof(ack), 0, 0};

	if ((mp = mexchange(q, mp, sizeof(ack) + GLD_DLSAP_LEN, M_PCPROTO, DL_BIND_ACK)) == NULL)
		return;
	memcpy(mp->b_rptr, &ack, sizeof(ack));
	memcpy(mp->b_rptr + sizeof(ack), gld->gld_mac_info->gldm_mac_pvt->curr_macaddr, ETHERADDRL);
	memcpy(mp->b_rptr + sizeof(ack) + ETHERADDRL, &sap, sizeof(sap));
	qreply(q, mp);
}

static int gld_bind(queue_t *q, mblk_t *mp)
{
	gld_t *gld = q->q_ptr;
	const dl_bind_req_t *req = (const dl_bind_req_t *)mp->b_rptr;

	if (MBLKL(mp) < (ssize_t)sizeof(*req))
		return (DL_BADPRIM);
	if (gld->gld_state != DL_UNBOUND)
		return (DL_OUTSTATE);
	if (req->dl_service_mode != DL_CLDLS)
		return (DL_UNSUPPORTED);
	if (req->dl_xidtest_flg & (DL_AUTO_XID | DL_AUTO_TEST))
		return (DL_NOAUTO);
	if (req->dl_sap > 0xffff)
		return (DL_BADSAP);
	gld->gld_ethertype = req->dl_sap > ETHERMTU;
	gld->gld_sap = req->dl_sap;
	gld->gld_state = DL_IDLE;
	gld_set_ipq(gld);
	dlbindack(q, mp);
	return (-1);
}

/* The stream hears nothing more. */
void gld_unbind_stream(gld_t *gld)
{
	gld->gld_state = DL_UNBOUND;
	gld->gld_sap = 0;
	gld_set_ipq(gld);
}

static int gld_unbind(queue_t *q, mblk_t *mp)
{
	gld_t *gld = q->q_ptr;

	if (gld->gld_state != DL_IDLE)
		return (DL_OUTSTATE);
	gld->gld_in_unbind = B_TRUE;
	if (gld->gld_wput_count != 0) {
		(void)putbq(q, mp);
		qenable(q);
		return (-1);
	}
	gld_unbind_stream(gld);
	gld->gld_in_unbind = B_FALSE;
	flushq(RD(q), FLUSHALL);
	flushq(q, FLUSHDATA);
	(void)putnextctl1(RD(q), M_FLUSH, FLUSHRW);
	dlokack(q, mp, DL_UNBIND_REQ);
	return (-1);
}

/* ---- attach ---- */

static int gld_attachreq(queue_t *q, mblk_t *mp)
{
	gld_t *gld = q->q_ptr;
	int dlerr;

	if (MBLKL(mp) < (ssize_t)sizeof(dl_attach_req_t))
		return (DL_BADPRIM);
	if (gld->gld_style == DL_STYLE1)
		return (DL_BADPRIM);
	if (gld->gld_state != DL_UNATTACHED)
		return (DL_OUTSTATE);
	if ((dlerr = gldattach(q, ((const dl_attach_req_t *)mp->b_rptr)->dl_ppa)) != 0)
		return (dlerr);
	dlokack(q, mp, DL_ATTACH_REQ);
	return (-1);
}

static int gld_detachreq(queue_t *q, mblk_t *mp)
{
	gld_t *gld = q->q_ptr;

	if (gld->gld_style == DL_STYLE1)
		return (DL_BADPRIM);
	if (gld->gld_state != DL_UNBOUND)
		return (DL_OUTSTATE);
	gldunattach(gld);
	dlokack(q, mp, DL_DETACH_REQ);
	return (-1);
}

/* ---- multicast ---- */

static int gld_mcast_find(const gld_mac_pvt_t *pvt, const uchar_t *addr)
{
	for (int i = 0; i < GLD_MAX_MULTICAST; i++)
		if (pvt->mcast_table[i].gldm_refcnt > 0 && memcmp(pvt->mcast_table[i].gldm_addr, addr, ETHERADDRL) == 0)
			return (i);
	return (-1);
}

/* Drop the stream's interest in entry i. */
static void gld_mcast_rele(gld_t *gld, int i)
{
	gld_mac_info_t *macinfo = gld->gld_mac_info;
	gld_mcast_t *mc = &macinfo->gldm_mac_pvt->mcast_table[i];

	gld->gld_multi[i] = B_FALSE;
	if (--mc->gldm_refcnt == 0)
		(void)macinfo->gldm_set_multicast(macinfo, mc->gldm_addr, GLD_MULTI_DISABLE);
}

static const uchar_t *gld_multi_addr(mblk_t *mp)
{
	const dl_enabmulti_req_t *req = (const dl_enabmulti_req_t *)mp->b_rptr;

	if (MBLKL(mp) < (ssize_t)sizeof(*req) || req->dl_addr_length != ETHERADDRL ||
	    !MBLKIN(mp, (ssize_t)req->dl_addr_offset, ETHERADDRL))
		return (NULL);
	return (mp->b_rptr + req->dl_addr_offset);
}

static int gld_enable_multi(queue_t *q, mblk_t *mp)
{
	gld_t *gld = q->q_ptr;
	gld_mac_info_t *macinfo = gld->gld_mac_info;
	const uchar_t *addr = gld_multi_addr(mp);
	gld_mcast_t *tab;
	int i;

	if (gld->gld_state == DL_UNATTACHED)
		return (DL_OUTSTATE);
	if (addr == NULL || (addr[0] & 1) == 0)
		return (DL_BADADDR);
	tab = macinfo->gldm_mac_pvt->mcast_table;
	if ((i = gld_mcast_find(macinfo->gldm_mac_pvt, addr)) < 0) {
		for (i = 0; i < GLD_MAX_MULTICAST && tab[i].gldm_refcnt != 0; i++)
			continue;
		if (i == GLD_MAX_MULTICAST)
			return (DL_TOOMANY);
		memcpy(tab[i].gldm_addr, addr, ETHERADDRL);
		if (macinfo->gldm_set_multicast(macinfo, addr, GLD_MULTI_ENABLE) != GLD_SUCCESS)
			return (DL_SYSERR);
	}
	if (!gld->gld_multi[i]) {
		gld->gld_multi[i] = B_TRUE;
		tab[i].gldm_refcnt++;
	}
	dlokack(q, mp, DL_ENABMULTI_REQ);
	return (-1);
}

static int gld_disable_multi(queue_t *q, mblk_t *mp)
{
	gld_t *gld = q->q_ptr;
	const uchar_t *addr = gld_multi_addr(mp);
	int i;

	if (gld->gld_state == DL_UNATTACHED)
		return (DL_OUTSTATE);
	if (addr == NULL || (addr[0] & 1) == 0)
		return (DL_BADADDR);
	if ((i = gld_mcast_find(gld->gld_mac_info->gldm_mac_pvt, addr)) < 0 || !gld->gld_multi[i])
		return (DL_NOTENAB);
	gld_mcast_rele(gld, i);
	dlokack(q, mp, DL_DISABMULTI_REQ);
	return (-1);
}

/* ---- promiscuous ---- */

static void gld_promisc_mac(gld_mac_info_t *macinfo)
{
	const gld_mac_pvt_t *pvt = macinfo->gldm_mac_pvt;

	(void)macinfo->gldm_set_promiscuous(macinfo, pvt->nprom > 0         ? GLD_MAC_PROMISC_PHYS
						     : pvt->nprom_multi > 0 ? GLD_MAC_PROMISC_MULTI
									    : GLD_MAC_PROMISC_NONE);
}

static void gld_prom_change(gld_t *gld, uint_t flag, boolean_t on)
{
	gld_mac_pvt_t *pvt = gld->gld_mac_info->gldm_mac_pvt;
	int *count = flag == GLD_PROM_PHYS ? &pvt->nprom : flag == GLD_PROM_MULT ? &pvt->nprom_multi : NULL;

	if (((gld->gld_flags & flag) != 0) == on)
		return;
	gld->gld_flags ^= flag;
	if (count != NULL) {
		*count += on ? 1 : -1;
		gld_promisc_mac(gld->gld_mac_info);
	}
}

static int gld_promisc(queue_t *q, mblk_t *mp, uint32_t prim, boolean_t on)
{
	gld_t *gld = q->q_ptr;
	uint_t flag;

	if (MBLKL(mp) < (ssize_t)sizeof(dl_promiscon_req_t))
		return (DL_BADPRIM);
	if (gld->gld_state == DL_UNATTACHED)
		return (DL_OUTSTATE);
	switch (((const dl_promiscon_req_t *)mp->b_rptr)->dl_level) {
	case DL_PROMISC_PHYS:
		flag = GLD_PROM_PHYS;
		break;
	case DL_PROMISC_SAP:
		flag = GLD_PROM_SAP;
		break;
	case DL_PROMISC_MULTI:
		flag = GLD_PROM_MULT;
		break;
	default:
		return (DL_NOTSUPPORTED);
	}
	if (!on && (gld->gld_flags & flag) == 0)
		return (DL_NOTENAB);
	gld_prom_change(gld, flag, on);
	if (gld->gld_flags & (GLD_PROM_PHYS | GLD_PROM_SAP | GLD_PROM_MULT))
		gld->gld_vlan->gldv_ipq_flags |= IPQ_FORBIDDEN;
	else
		gld->gld_vlan->gldv_ipq_flags &= ~(uint_t)IPQ_FORBIDDEN;
	dlokack(q, mp, prim);
	return (-1);
}

/* The stream leaves its board: undo what it enabled there. */
void gld_forget(gld_t *gld)
{
	if (gld->gld_flags & (GLD_PROM_PHYS | GLD_PROM_SAP | GLD_PROM_MULT))
		gld->gld_vlan->gldv_ipq_flags &= ~(uint_t)IPQ_FORBIDDEN;
	gld_prom_change(gld, GLD_PROM_PHYS, B_FALSE);
	gld_prom_change(gld, GLD_PROM_MULT, B_FALSE);
	gld_prom_change(gld, GLD_PROM_SAP, B_FALSE);
	for (int i = 0; i < GLD_MAX_MULTICAST; i++)
		if (gld->gld_multi[i])
			gld_mcast_rele(gld, i);
	gld->gld_flags &= ~(uint_t)(GLD_RAW | GLD_FAST);
}

/* ---- addresses, capabilities, notes ---- */

static int gld_physaddr(queue_t *q, mblk_t *mp)
{
	gld_t *gld = q->q_ptr;
	dl_phys_addr_ack_t ack = {DL_PHYS_ADDR_ACK, ETHERADDRL, sizeof(ack)};
	const uchar_t *addr;

	if (MBLKL(mp) < (ssize_t)sizeof(dl_phys_addr_req_t))
		return (DL_BADPRIM);
	if (gld->gld_state == DL_UNATTACHED)
		return (DL_OUTSTATE);
	switch (((const dl_phys_addr_req_t *)mp->b_rptr)->dl_addr_type) {
	case DL_FACT_PHYS_ADDR:
		addr = gld->gld_mac_info->gldm_vendor_addr;
		break;
	case DL_CURR_PHYS_ADDR:
		addr = gld->gld_mac_info->gldm_mac_pvt->curr_macaddr;
		break;
	default:
		return (DL_BADPRIM);
	}
	if ((mp = mexchange(q, mp, sizeof(ack) + ETHERADDRL, M_PCPROTO, DL_PHYS_ADDR_ACK)) == NULL)
		return (-1);
	memcpy(mp->b_rptr, &ack, sizeof(ack));
	memcpy(mp->b_rptr + sizeof(ack), addr, ETHERADDRL);
	qreply(q, mp);
	return (-1);
}

static int gld_setaddr(queue_t *q, mblk_t *mp)
{
	gld_t *gld = q->q_ptr;
	gld_mac_info_t *macinfo = gld->gld_mac_info;
	const uchar_t *addr = gld_multi_addr(mp);

	if (gld->gld_state == DL_UNATTACHED)
		return (DL_OUTSTATE);
	if (addr == NULL || (addr[0] & 1) != 0)
		return (DL_BADADDR);
	if (macinfo->gldm_set_mac_addr(macinfo, addr) != GLD_SUCCESS)
		return (DL_SYSERR);
	memcpy(macinfo->gldm_mac_pvt->curr_macaddr, addr, ETHERADDRL);
	dlokack(q, mp, DL_SET_PHYS_ADDR_REQ);
	return (-1);
}

/* No checksum offload, no zero copy: an empty list. */
static int gld_cap(queue_t *q, mblk_t *mp)
{
	gld_t *gld = q->q_ptr;
	dl_capability_ack_t ack = {DL_CAPABILITY_ACK, 0, 0};

	if (gld->gld_state == DL_UNATTACHED)
		return (DL_OUTSTATE);
	if ((mp = mexchange(q, mp, sizeof(ack), M_PROTO, DL_CAPABILITY_ACK)) == NULL)
		return (-1);
	memcpy(mp->b_rptr, &ack, sizeof(ack));
	qreply(q, mp);
	return (-1);
}

/* Link changes are not reported by this driver: nothing is granted. */
static int gld_notify_req(queue_t *q, mblk_t *mp)
{
	gld_t *gld = q->q_ptr;
	dl_notify_ack_t ack = {DL_NOTIFY_ACK, 0};

	if (gld->gld_state == DL_UNATTACHED)
		return (DL_OUTSTATE);
	if ((mp = mexchange(q, mp, sizeof(ack), M_PROTO, DL_NOTIFY_ACK)) == NULL)
		return (-1);
	memcpy(mp->b_rptr, &ack, sizeof(ack));
	qreply(q, mp);
	return (-1);
}

/* ---- dispatch ---- */

/* A primitive other than DL_UNITDATA_REQ: the DLPI error to answer with, or -1 when it has been answered. */
static int gld_prim(queue_t *q, mblk_t *mp, uint32_t prim)
{
	switch (prim) {
	case DL_INFO_REQ:
		gld_inforeq(q, mp);
		return (-1);
	case DL_ATTACH_REQ:
		return (gld_attachreq(q, mp));
	case DL_DETACH_REQ:
		return (gld_detachreq(q, mp));
	case DL_BIND_REQ:
		return (gld_bind(q, mp));
	case DL_UNBIND_REQ:
		return (gld_unbind(q, mp));
	case DL_ENABMULTI_REQ:
		return (gld_enable_multi(q, mp));
	case DL_DISABMULTI_REQ:
		return (gld_disable_multi(q, mp));
	case DL_PROMISCON_REQ:
		return (gld_promisc(q, mp, prim, B_TRUE));
	case DL_PROMISCOFF_REQ:
		return (gld_promisc(q, mp, prim, B_FALSE));
	case DL_PHYS_ADDR_REQ:
		return (gld_physaddr(q, mp));
	case DL_SET_PHYS_ADDR_REQ:
		return (gld_setaddr(q, mp));
	case DL_CAPABILITY_REQ:
		return (gld_cap(q, mp));
	case DL_NOTIFY_REQ:
		return (gld_notify_req(q, mp));
	default:
		return (DL_BADPRIM);
	}
}

/* An M_PROTO or M_PCPROTO of the write queue: GLD_NORESOURCES when its frame was put back. */
int gld_cmds(queue_t *q, mblk_t *mp)
{
	uint32_t prim;
	int dlerr;

	if (MBLKL(mp) < (ssize_t)sizeof(prim)) {
		dlerrorack(q, mp, (uint32_t)-1, DL_BADPRIM, 0);
		return (GLD_SUCCESS);
	}
	prim = ((const union DL_primitives *)mp->b_rptr)->dl_primitive;
	if (prim == DL_UNITDATA_REQ)
		return (gld_unitdata(q, mp));
	if ((dlerr = gld_prim(q, mp, prim)) != -1)
		dlerrorack(q, mp, prim, (uint32_t)dlerr, dlerr == DL_SYSERR ? EIO : 0);
	return (GLD_SUCCESS);
}

/* DL_IOC_HDR_INFO: make the stream FAST and hand out the link header. */
static void gld_fastpath(queue_t *q, mblk_t *mp)
{
	gld_t *gld = q->q_ptr;
	const dl_unitdata_req_t *req;
	mblk_t *nmp;
	int error;

	if (gld->gld_state != DL_IDLE) {
		miocnak(q, mp, 0, EINVAL);
		return;
	}
	if ((error = miocpullup(mp, sizeof(*req) + GLD_DLSAP_LEN)) != 0) {
		miocnak(q, mp, 0, error);
		return;
	}
	req = (const dl_unitdata_req_t *)mp->b_cont->b_rptr;
	if (req->dl_primitive != DL_UNITDATA_REQ || req->dl_dest_addr_length != GLD_DLSAP_LEN ||
	    !MBLKIN(mp->b_cont, (ssize_t)req->dl_dest_addr_offset, GLD_DLSAP_LEN)) {
		miocnak(q, mp, 0, EINVAL);
		return;
	}
	nmp =
	    gld->gld_mac_info->gldm_mac_pvt->interfacep->mkfastpath(gld, mp->b_cont->b_rptr + req->dl_dest_addr_offset);
	if (nmp == NULL) {
		miocnak(q, mp, 0, ENOMEM);
		return;
	}
	gld->gld_flags |= GLD_FAST;
	gld->gld_vlan->gldv_ipq_flags &= ~(uint_t)IPQ_DISABLED;
	linkb(mp, nmp);
	miocack(q, mp, (int)msgsize(mp->b_cont), 0);
}

void gld_ioctl(queue_t *q, mblk_t *mp)
{
	const struct iocblk *iocp = (const struct iocblk *)mp->b_rptr;
	gld_t *gld = q->q_ptr;
	gld_mac_info_t *macinfo = gld->gld_mac_info;

	switch (iocp->ioc_cmd) {
	case DLIOCRAW:
		gld->gld_flags |= GLD_RAW;
		miocack(q, mp, 0, 0);
		return;
	case DL_IOC_HDR_INFO:
		gld_fastpath(q, mp);
		return;
	default:
		if (macinfo != NULL && macinfo->gldm_ioctl != NULL)
			(void)macinfo->gldm_ioctl(macinfo, q, mp);
		else
			miocnak(q, mp, 0, EINVAL);
	}
}
