/* Ethernet as GLD's medium: reading headers, making headers (IEEE 802.3 clause 3, RFC 894, RFC 1042). */
#include <string.h>

#include "gld/gld_impl.h"

#define LLC_UI_LEN 3
#define SNAP_LEN 8
#define MAX_802_3_LEN ETHERMTU

static uint_t ether_get16(const uchar_t *p)
{
	return ((uint_t)p[0] << 8 | p[1]);
}

/* The LLC part of an 802.3 frame: SNAP with an Ethernet type inside, or a SAP. */
static void ether_interpret_llc(mblk_t *mp, gld_pktinfo_t *pi)
{
	static const uchar_t snap[6] = {0xaa, 0xaa, 0x03, 0, 0, 0};
	const uchar_t *llc = mp->b_rptr + sizeof(struct ether_header);
	uint_t len = pi->ethertype;

	/* What follows the length is padding. */
	if (sizeof(struct ether_header) + len < pi->pktLen)
		(void)adjmsg(mp, -(ssize_t)(pi->pktLen - sizeof(struct ether_header) - len));
	pi->isLLC = 1;
	if (len >= SNAP_LEN && memcmp(llc, snap, sizeof(snap)) == 0) {
		pi->ethertype = ether_get16(llc + 6);
		pi->isLLC = 0;
		pi->hdrLen = SNAP_LEN;
	} else if (len >= LLC_UI_LEN) {
		pi->ethertype = llc[0];
		pi->hdrLen = LLC_UI_LEN;
	}
}

/*
 * Fill pi from the frame's header: 0, or -1 when it has none.  whole: all of
 * it, else just type, length and whether it is for this station.
 */
static int ether_interpret(gld_mac_info_t *macinfo, mblk_t *mp, gld_pktinfo_t *pi, boolean_t whole)
{
	const uchar_t *mac = macinfo->gldm_mac_pvt->curr_macaddr;
	const struct ether_header *eh;

	memset(pi, 0, sizeof(*pi));
	if (MBLKL(mp) < (ssize_t)sizeof(*eh) && (!whole || !pullupmsg(mp, sizeof(*eh))))
		return (-1);
	eh = (const struct ether_header *)mp->b_rptr;
	pi->macLen = sizeof(*eh);
	pi->pktLen = (uint_t)(mp->b_cont == NULL ? (size_t)MBLKL(mp) : msgsize(mp));
	pi->ethertype = ether_get16((const uchar_t *)&eh->ether_type);
	pi->isForMe = memcmp(eh->ether_dhost, mac, ETHERADDRL) == 0;
	if (!whole)
		return (0);
	memcpy(pi->dhost, eh->ether_dhost, ETHERADDRL);
	memcpy(pi->shost, eh->ether_shost, ETHERADDRL);
	pi->isLooped = memcmp(pi->shost, mac, ETHERADDRL) == 0;
	if (memcmp(pi->dhost, macinfo->gldm_broadcast_addr, ETHERADDRL) == 0)
		pi->isBroadcast = 1;
	else
		pi->isMulticast = pi->dhost[0] & 1;
	if (pi->ethertype <= MAX_802_3_LEN) {
		if (MBLKL(mp) < (ssize_t)sizeof(*eh) + SNAP_LEN && mp->b_cont != NULL)
			(void)pullupmsg(mp, -1);
		if (sizeof(*eh) + pi->ethertype > pi->pktLen)
			return (-1);
		ether_interpret_llc(mp, pi);
	}
	return (0);
}

/* The header for frames from gld's station to dlsap (address, SAP in host order). */
static void ether_fill(const gld_t *gld, struct ether_header *eh, const uchar_t *dlsap, uint_t type)
{
	memcpy(eh->ether_dhost, dlsap, ETHERADDRL);
	memcpy(eh->ether_shost, gld->gld_mac_info->gldm_mac_pvt->curr_macaddr, ETHERADDRL);
	eh->ether_type = (uint16_t)(type >> 8 | type << 8);
}

static uint_t ether_dlsap_type(const gld_t *gld, const uchar_t *dlsap)
{
	uint16_t sap;

	memcpy(&sap, dlsap + ETHERADDRL, sizeof(sap));
	return (sap != 0 ? sap : gld->gld_sap);
}

/* A block with the ready header; NULL for SAPs that are no Ethernet types, or without memory. */
static mblk_t *ether_mkfastpath(gld_t *gld, const uchar_t *dlsap)
{
	uint_t type = ether_dlsap_type(gld, dlsap);
	mblk_t *mp;

	if (type <= MAX_802_3_LEN || (mp = allocb(sizeof(struct ether_header), BPRI_MED)) == NULL)
		return (NULL);
	ether_fill(gld, (struct ether_header *)mp->b_rptr, dlsap, type);
	mp->b_wptr += sizeof(struct ether_header);
	return (mp);
}

/*
 * Turn DL_UNITDATA_REQ + data into a frame.  The header goes into the data's
 * headroom, else into the request's block, else into a new one.  NULL without
 * memory (mp is left alone then).
 */
static mblk_t *ether_mkunitdata(gld_t *gld, mblk_t *mp)
{
	const dl_unitdata_req_t *req = (const dl_unitdata_req_t *)mp->b_rptr;
	uchar_t dlsap[GLD_DLSAP_LEN];
	mblk_t *dp = mp->b_cont, *hp;
	size_t hdr = sizeof(struct ether_header);
	uint_t type;

	memcpy(dlsap, mp->b_rptr + req->dl_dest_addr_offset, GLD_DLSAP_LEN);
	type = ether_dlsap_type(gld, dlsap);
	if (type <= MAX_802_3_LEN)
		hdr += LLC_UI_LEN;
	if (DB_REF(dp) == 1 && MBLKHEAD(dp) >= (ssize_t)hdr) {
		dp->b_rptr -= hdr;
		hp = dp;
	} else if (DB_REF(mp) == 1 && MBLKSIZE(mp) >= (ssize_t)hdr) {
		hp = mp;
		DB_TYPE(hp) = M_DATA;
		hp->b_rptr = DB_BASE(hp);
		hp->b_wptr = hp->b_rptr + hdr;
	} else {
		if ((hp = allocb(hdr, BPRI_MED)) == NULL)
			return (NULL);
		hp->b_wptr += hdr;
		hp->b_cont = dp;
	}
	if (type <= MAX_802_3_LEN) {
		uchar_t *llc = hp->b_rptr + sizeof(struct ether_header);
		size_t len = hp == dp ? msgsize(dp) - sizeof(struct ether_header) : msgsize(dp) + LLC_UI_LEN;

		llc[0] = (uchar_t)type;
		llc[1] = (uchar_t)gld->gld_sap;
		llc[2] = 0x03; /* unnumbered information */
		type = (uint_t)len;
	}
	ether_fill(gld, (struct ether_header *)hp->b_rptr, dlsap, type);
	if (hp != mp)
		freeb(mp);
	return (hp);
}

const gld_interface_t gld_ether = {
    .mac_type = DL_ETHER,
    .mtu_size = ETHERMTU,
    .hdr_size = sizeof(struct ether_header),
    .interpreter = ether_interpret,
    .mkfastpath = ether_mkfastpath,
    .mkunitdata = ether_mkunitdata,
};
