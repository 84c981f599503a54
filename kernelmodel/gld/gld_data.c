/*
 * GLD: frames.
 *
 * Down: gld_wput -> gld_start -> the driver's send; what finds no transmit
 * resources waits on the write queue for gld_wsrv.  Up: the driver's receive
 * -> gld_recv -> gld_recv_tagged, then straight into IP's stream (the
 * shortcut), or through gld_sendup to every stream that accepts the frame,
 * gld_passon giving each its form of it.
 */
#include <string.h>

#include "gld/gld_impl.h"
#include "sys/sdt.h"

#define GLD_DROP(reason, mp) DTRACE_PROBE2(gld__drop, const char *, (reason), mblk_t *, (mp))

static void gld_precv(gld_mac_info_t *macinfo, mblk_t *mp, uint32_t vtag);

/* ---- down ---- */

int gld_wput(queue_t *q, mblk_t *mp)
{
	gld_t *gld = q->q_ptr;

	switch (DB_TYPE(mp)) {
	case M_DATA:
		if (gld->gld_state != DL_IDLE || (gld->gld_flags & (GLD_RAW | GLD_FAST)) == 0) {
			merror(q, mp, EPROTO);
			return (0);
		}
		if (q->q_first != NULL || gld->gld_in_wsrv) {
			(void)putq(q, mp);
			qenable(q);
			return (0);
		}
		gld->gld_wput_count++;
		if (gld->gld_in_unbind) {
			(void)putq(q, mp);
			qenable(q);
		} else if (gld_start(q, mp, GLD_WPUT) == GLD_NORESOURCES) {
			qenable(q);
		}
		gld->gld_wput_count--;
		return (0);
	case M_PROTO:
	case M_PCPROTO:
	case M_IOCTL:
	case M_CTL:
		(void)putq(q, mp);
		qenable(q);
		return (0);
	case M_FLUSH:
		if (*mp->b_rptr & FLUSHW) {
			flushq(q, FLUSHALL);
			*mp->b_rptr &= (uchar_t)~FLUSHW;
		}
		if (*mp->b_rptr & FLUSHR) {
			flushq(RD(q), FLUSHALL);
			qreply(q, mp);
		} else {
			freemsg(mp);
		}
		return (0);
	default:
		freemsg(mp);
		return (0);
	}
}

/* One message of the write queue: GLD_NORESOURCES when it was put back. */
ALWAYS_INLINE int gld_wsrv_one(queue_t *q, mblk_t *mp)
{
	gld_t *gld = q->q_ptr;
	gld_mac_info_t *macinfo = gld->gld_mac_info;

	switch (DB_TYPE(mp)) {
	case M_DATA:
		if (gld->gld_state != DL_IDLE) {
			freemsg(mp);
			return (GLD_SUCCESS);
		}
		return (gld_start(q, mp, GLD_WSRV));
	case M_IOCTL:
		gld_ioctl(q, mp);
		return (GLD_SUCCESS);
	case M_CTL:
		if (macinfo != NULL && macinfo->gldm_mctl != NULL)
			(void)macinfo->gldm_mctl(macinfo, q, mp);
		else
			freemsg(mp);
		return (GLD_SUCCESS);
	default:
		return (gld_cmds(q, mp));
	}
}

int gld_wsrv(queue_t *q)
{
	gld_t *gld = q->q_ptr;
	mblk_t *mp;

	gld->gld_xwait = B_FALSE;
	gld->gld_in_wsrv = B_TRUE;
	while ((mp = getq(q)) != NULL) {
		gld->gld_sched_ran = B_FALSE;
		if (gld_wsrv_one(q, mp) == GLD_NORESOURCES) {
			gld->gld_xwait = B_TRUE;
			if (!gld->gld_sched_ran)
				break;
			gld->gld_xwait = B_FALSE;
		}
	}
	gld->gld_in_wsrv = B_FALSE;
	return (0);
}

void gld_sched(gld_mac_info_t *macinfo)
{
	gld_mac_pvt_t *pvt = macinfo->gldm_mac_pvt;

	for (int h = 0; h < VLAN_HASHSZ; h++) {
		for (gld_vlan_t *vlan = pvt->vlan_hash[h]; vlan != NULL; vlan = vlan->gldv_next) {
			for (gld_t *gld = vlan->gldv_str_next; gld != NULL; gld = gld->gld_next) {
				gld->gld_sched_ran = B_TRUE;
				if (gld->gld_xwait) {
					gld->gld_xwait = B_FALSE;
					qenable(WR(gld->gld_qptr));
				}
			}
		}
	}
}

ALWAYS_INLINE int gld_send(gld_t *gld, mblk_t *mp)
{
	gld_mac_info_t *macinfo = gld->gld_mac_info;
	uint32_t vid = gld->gld_vlan->gldv_id;

	if (vid == VLAN_ID_NONE)
		return (macinfo->gldm_send(macinfo, mp));
	return (macinfo->gldm_send_tagged(macinfo, mp, vid));
}

/*
 * Send a frame.  GLD_SUCCESS, or GLD_NORESOURCES with the frame back on the
 * queue, or GLD_FAILURE with the frame freed and counted.
 */
int gld_start(queue_t *q, mblk_t *mp, int caller)
{
	gld_t *gld = q->q_ptr;
	gld_mac_info_t *macinfo = gld->gld_mac_info;
	const gld_interface_t *ifp = macinfo->gldm_mac_pvt->interfacep;
	mblk_t *loop = NULL;
	gld_pktinfo_t pi;
	int rc;

	if (ifp->interpreter(macinfo, mp, &pi, B_TRUE) != 0) {
		GLD_STAT(macinfo, glds_xmtbadinterp)++;
		GLD_STAT(macinfo, glds_errxmt)++;
		GLD_DROP("transmit: bad header", mp);
		freemsg(mp);
		return (GLD_FAILURE);
	}
	if (macinfo->gldm_mac_pvt->nprom > 0) {
		if (caller == GLD_WPUT) {
			(void)putbq(q, mp);
			return (GLD_NORESOURCES);
		}
		if ((loop = dupmsg(mp)) == NULL)
			GLD_STAT(macinfo, glds_noxmtbuf)++;
	}
	if (pi.pktLen > ifp->hdr_size + macinfo->gldm_maxpkt) {
		GLD_STAT(macinfo, glds_errxmt)++;
		GLD_DROP("transmit: too long", mp);
		freemsg(mp);
		freemsg(loop);
		return (GLD_FAILURE);
	}
	rc = gld_send(gld, mp);
	if (rc != GLD_SUCCESS) {
		freemsg(loop);
		if (rc == GLD_NORESOURCES) {
			GLD_STAT(macinfo, glds_xmtretry)++;
			(void)putbq(q, mp);
			return (GLD_NORESOURCES);
		}
		GLD_STAT(macinfo, glds_errxmt)++;
		GLD_DROP("transmit: driver", mp);
		freemsg(mp);
		return (GLD_FAILURE);
	}
	GLD_STAT(macinfo, glds_bytexmt64) += pi.pktLen;
	GLD_STAT(macinfo, glds_pktxmt64)++;
	if (pi.isBroadcast)
		GLD_STAT(macinfo, glds_brdcstxmt)++;
	else if (pi.isMulticast)
		GLD_STAT(macinfo, glds_multixmt)++;
	if (loop != NULL)
		gld_precv(macinfo, loop, gld->gld_vlan->gldv_id);
	return (GLD_SUCCESS);
}

/* DL_UDERROR_IND for the DL_UNITDATA_REQ mp. */
void gld_uderror(queue_t *q, mblk_t *mp, uint32_t dlerr, int error)
{
	dl_uderror_ind_t ind = {DL_UDERROR_IND, GLD_DLSAP_LEN, sizeof(ind), (uint32_t)error, dlerr};
	const dl_unitdata_req_t *req = (const dl_unitdata_req_t *)mp->b_rptr;
	uchar_t addr[GLD_DLSAP_LEN] = {0};
	mblk_t *nmp;

	if (MBLKL(mp) >= (ssize_t)sizeof(*req) && req->dl_dest_addr_length == GLD_DLSAP_LEN &&
	    MBLKIN(mp, (ssize_t)req->dl_dest_addr_offset, GLD_DLSAP_LEN))
		memcpy(addr, mp->b_rptr + req->dl_dest_addr_offset, GLD_DLSAP_LEN);
	else
		ind.dl_dest_addr_length = 0;
	if ((nmp = mexchange(q, mp, sizeof(ind) + GLD_DLSAP_LEN, M_PROTO, DL_UDERROR_IND)) == NULL)
		return;
	memcpy(nmp->b_rptr, &ind, sizeof(ind));
	memcpy(nmp->b_rptr + sizeof(ind), addr, GLD_DLSAP_LEN);
	qreply(q, nmp);
}

int gld_unitdata(queue_t *q, mblk_t *mp)
{
	gld_t *gld = q->q_ptr;
	gld_mac_info_t *macinfo = gld->gld_mac_info;
	const dl_unitdata_req_t *req = (const dl_unitdata_req_t *)mp->b_rptr;
	size_t len = mp->b_cont == NULL ? 0 : msgsize(mp->b_cont);
	mblk_t *nmp;

	if (gld->gld_state != DL_IDLE) {
		gld_uderror(q, mp, DL_OUTSTATE, 0);
		return (GLD_SUCCESS);
	}
	if (MBLKL(mp) < (ssize_t)sizeof(*req) || req->dl_dest_addr_length != GLD_DLSAP_LEN ||
	    !MBLKIN(mp, (ssize_t)req->dl_dest_addr_offset, GLD_DLSAP_LEN)) {
		gld_uderror(q, mp, DL_BADADDR, 0);
		return (GLD_SUCCESS);
	}
	if (len == 0 || len > macinfo->gldm_maxpkt) {
		gld_uderror(q, mp, DL_BADDATA, 0);
		return (GLD_SUCCESS);
	}
	if ((nmp = macinfo->gldm_mac_pvt->interfacep->mkunitdata(gld, mp)) == NULL) {
		gld_uderror(q, mp, DL_SYSERR, ENOSR);
		return (GLD_SUCCESS);
	}
	return (gld_start(q, nmp, GLD_WSRV));
}

/* ---- up ---- */

uint_t gld_intr(void *arg)
{
	gld_mac_info_t *macinfo = arg;

	if ((macinfo->gldm_GLD_flags & GLD_MAC_READY) == 0)
		return (0);
	return (macinfo->gldm_intr(macinfo));
}

/* Put DL_UNITDATA_IND in front; NULL (mp freed) without memory. */
static mblk_t *gld_addudind(gld_t *gld, mblk_t *mp, const gld_pktinfo_t *pi)
{
	dl_unitdata_ind_t ind = {DL_UNITDATA_IND,
				 GLD_DLSAP_LEN,
				 sizeof(ind),
				 GLD_DLSAP_LEN,
				 sizeof(ind) + GLD_DLSAP_LEN,
				 pi->isBroadcast || pi->isMulticast};
	uint16_t sap = (uint16_t)gld->gld_sap;
	mblk_t *nmp = allocb(sizeof(ind) + 2 * GLD_DLSAP_LEN, BPRI_MED);

	if (nmp == NULL) {
		GLD_STAT(gld->gld_mac_info, glds_norcvbuf)++;
		GLD_DROP("receive: no memory", mp);
		freemsg(mp);
		return (NULL);
	}
	DB_TYPE(nmp) = M_PROTO;
	memcpy(nmp->b_wptr, &ind, sizeof(ind));
	nmp->b_wptr += sizeof(ind);
	memcpy(nmp->b_wptr, pi->dhost, ETHERADDRL);
	memcpy(nmp->b_wptr + ETHERADDRL, &sap, sizeof(sap));
	nmp->b_wptr += GLD_DLSAP_LEN;
	memcpy(nmp->b_wptr, pi->shost, ETHERADDRL);
	memcpy(nmp->b_wptr + ETHERADDRL, &sap, sizeof(sap));
	nmp->b_wptr += GLD_DLSAP_LEN;
	nmp->b_cont = mp;
	return (nmp);
}

/* Give a frame to one stream, in the form it wants. */
static void gld_passon(gld_t *gld, mblk_t *mp, gld_pktinfo_t *pi, int (*send)(queue_t *, mblk_t *))
{
	uint_t skip = pi->macLen + (gld->gld_ethertype ? pi->hdrLen : 0);
	mblk_t *nmp;

	if ((gld->gld_flags & GLD_RAW) == 0) {
		if (pi->pktLen <= skip || !adjmsg(mp, (ssize_t)skip) || msgsize(mp) == 0) {
			GLD_DROP("receive: empty", mp);
			freemsg(mp);
			return;
		}
		/* adjmsg() leaves an emptied first block. */
		while (MBLKL(mp) == 0) {
			nmp = mp->b_cont;
			freeb(mp);
			mp = nmp;
		}
	}
	if ((gld->gld_flags & GLD_RAW) == 0 &&
	    ((gld->gld_flags & GLD_FAST) == 0 || pi->isMulticast || pi->isBroadcast) &&
	    (mp = gld_addudind(gld, mp, pi)) == NULL)
		return;
	(void)(*send)(gld->gld_qptr, mp);
}

static boolean_t gld_mcmatch(const gld_t *gld, const gld_pktinfo_t *pi)
{
	const gld_mcast_t *tab = gld->gld_mac_info->gldm_mac_pvt->mcast_table;

	for (int i = 0; i < GLD_MAX_MULTICAST; i++)
		if (gld->gld_multi[i] && memcmp(tab[i].gldm_addr, pi->dhost, ETHERADDRL) == 0)
			return (B_TRUE);
	return (B_FALSE);
}

static boolean_t gld_sap_match(const gld_t *gld, const gld_pktinfo_t *pi)
{
	if (gld->gld_flags & GLD_PROM_SAP)
		return (B_TRUE);
	return (gld->gld_ethertype == !pi->isLLC && gld->gld_sap == pi->ethertype);
}

/* Does the stream take this frame from the wire? */
static boolean_t gld_accept(gld_t *gld, gld_pktinfo_t *pi)
{
	if (!gld_sap_match(gld, pi) || pi->isLooped)
		return (B_FALSE);
	return (pi->isForMe || pi->isBroadcast || (gld->gld_flags & GLD_PROM_PHYS) ||
		(pi->isMulticast && ((gld->gld_flags & GLD_PROM_MULT) || gld_mcmatch(gld, pi))));
}

/* ... and this copy of a frame that is being sent? */
static boolean_t gld_paccept(gld_t *gld, gld_pktinfo_t *pi)
{
	return (gld_sap_match(gld, pi) && (gld->gld_flags & GLD_PROM_PHYS) != 0);
}

/* Distribute a frame among the streams of its VLAN. */
static void gld_sendup(gld_vlan_t *vlan, gld_pktinfo_t *pi, mblk_t *mp, gld_accept_t acceptfunc)
{
	gld_mac_info_t *macinfo = vlan->gldv_mac;
	boolean_t fast_recv = (macinfo->gldm_options & GLDOPT_FAST_RECV) != 0;
	int (*send)(queue_t *, mblk_t *) = fast_recv ? putq : putnext;
	int (*cansend)(queue_t *) = fast_recv ? canput : canputnext;
	gld_t *fgld = NULL;
	mblk_t *nmp;

	for (gld_t *gld = vlan->gldv_str_next; gld != NULL; gld = gld->gld_next) {
		if (gld->gld_state != DL_IDLE || (gld->gld_flags & GLD_STR_CLOSING) || !acceptfunc(gld, pi))
			continue;
		pi->wasAccepted = 1;
		if (!cansend(gld->gld_qptr)) {
			GLD_STAT(macinfo, glds_blocked)++;
			GLD_DROP("receive: flow controlled", mp);
			qenable(gld->gld_qptr);
			continue;
		}
		if (fgld == NULL) {
			fgld = gld;
			continue;
		}
		if ((nmp = dupmsg(mp)) == NULL) {
			GLD_STAT(macinfo, glds_norcvbuf)++;
			break;
		}
		gld_passon(gld, nmp, pi, send);
	}
	if (acceptfunc == gld_accept) {
		if (pi->isBroadcast)
			GLD_STAT(macinfo, glds_brdcstrcv)++;
		else if (pi->isMulticast)
			GLD_STAT(macinfo, glds_multircv)++;
		if (!pi->wasAccepted) {
			GLD_STAT(macinfo, glds_unknowns)++;
			GLD_DROP("receive: unknown type", mp);
		}
	}
	if (fgld != NULL)
		gld_passon(fgld, mp, pi, send);
	else
		freemsg(mp);
}

/* A copy of what is being sent, for those who listen to everything. */
static void gld_precv(gld_mac_info_t *macinfo, mblk_t *mp, uint32_t vtag)
{
	gld_vlan_t *vlan = gld_find_vlan(macinfo, vtag);
	gld_pktinfo_t pi;

	if (vlan == NULL || macinfo->gldm_mac_pvt->interfacep->interpreter(macinfo, mp, &pi, B_TRUE) != 0) {
		freemsg(mp);
		return;
	}
	gld_sendup(vlan, &pi, mp, gld_paccept);
}

void gld_recv(gld_mac_info_t *macinfo, mblk_t *mp)
{
	gld_recv_tagged(macinfo, mp, VLAN_ID_NONE);
}

void gld_recv_tagged(gld_mac_info_t *macinfo, mblk_t *mp, uint32_t vtag)
{
	const gld_interface_t *ifp = macinfo->gldm_mac_pvt->interfacep;
	queue_t *ipq = NULL;
	gld_pktinfo_t pi;
	gld_vlan_t *vlan;

	if ((macinfo->gldm_GLD_flags & GLD_UNREGISTERED) || (vlan = gld_find_vlan(macinfo, vtag)) == NULL) {
		GLD_DROP("receive: no such VLAN", mp);
		freemsg(mp);
		return;
	}
	if (ifp->interpreter(macinfo, mp, &pi, B_FALSE) == 0 && vlan->gldv_ipq_flags == 0) {
		if (pi.ethertype == ETHERTYPE_IP)
			ipq = vlan->gldv_ipq;
		else if (pi.ethertype == ETHERTYPE_IPV6)
			ipq = vlan->gldv_ipv6q;
	}
	GLD_STAT(macinfo, glds_bytercv64) += pi.pktLen;
	GLD_STAT(macinfo, glds_pktrcv64)++;
	if (ipq != NULL && pi.isForMe && canputnext(ipq)) {
		mp->b_rptr += pi.macLen;
		(void)putnext(ipq, mp);
		return;
	}
	if (ifp->interpreter(macinfo, mp, &pi, B_TRUE) != 0) {
		GLD_STAT(macinfo, glds_rcvbadinterp)++;
		GLD_DROP("receive: bad header", mp);
		freemsg(mp);
		return;
	}
	gld_sendup(vlan, &pi, mp, gld_accept);
}

/* Frames of GLDOPT_FAST_RECV drivers. */
int gld_rsrv(queue_t *q)
{
	mblk_t *mp;

	while ((mp = getq(q)) != NULL) {
		if (!canputnext(q)) {
			freemsg(mp);
			continue;
		}
		(void)putnext(q, mp);
	}
	return (0);
}
