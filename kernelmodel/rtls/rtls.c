/*
 * rtls: network driver for controllers of the Realtek 8139 class, over GLD.
 *
 * Receive: the interrupt leads through gld_intr to rtls_gld_intr, which
 * acknowledges it and calls rtls_receive to empty the ring, one gld_recv for
 * each frame.  What a frame causes may come down again on the same thread
 * into rtls_send.
 *
 * Transmit: four descriptors, used in turn.  Finished ones are collected when
 * the next frame is sent, so that no interrupt is taken for them; only when a
 * frame had to be refused is the transmit interrupt on, until it has come.
 *
 * VLAN tags: taken out of received frames (the outer one counts, others under
 * it are dropped with it) and put into sent ones here, as a chip with tag
 * support does.
 */
#include <string.h>

#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>

#include "rtls/rtls.h"
#include "sys/dlpi.h"
#include "sys/errno.h"
#include "sys/pattr.h"

/* USDT: strsim:rtls_rx(macinfo, message, bytes), strsim:rtls_tx(the same), for tracers outside. */
__extension__ unsigned short strsim_rtls_rx_semaphore __attribute__((section(".probes"), used));
__extension__ unsigned short strsim_rtls_tx_semaphore __attribute__((section(".probes"), used));

#define RTLS_INTRS (NIC_INT_ROK | NIC_INT_RER | NIC_INT_RXOVW | NIC_INT_FOVW | NIC_INT_TER)
#define RTLS_RXINTRS (NIC_INT_ROK | NIC_INT_RER | NIC_INT_RXOVW | NIC_INT_FOVW)
#define RTLS_TXINTRS (NIC_INT_TOK | NIC_INT_TER)
/* Rounds the IP header up to a 4-byte boundary behind the 14 bytes of Ethernet header. */
#define RTLS_RXALIGN 2

typedef struct rtls {
	gld_mac_info_t *rtls_mac;
	nic_t *rtls_nic;
	boolean_t rtls_running;
	boolean_t rtls_need_sched; /* a frame was refused */
	int rtls_txhead;           /* next descriptor to use */
	int rtls_mcrefs[64];       /* users of each hash filter bit */
	int rtls_promisc;
} rtls_t;

static KLOCAL rtls_t *rtls_units[NIC_MAX];

static const uchar_t rtls_broadcast[ETHERADDRL] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

/* ---- start and stop ---- */

static int rtls_reset(gld_mac_info_t *macinfo)
{
	rtls_t *rp = macinfo->gldm_cookie;

	nic_write(rp->rtls_nic, NIC_CR, NIC_CR_RST);
	rp->rtls_txhead = 0;
	rp->rtls_need_sched = B_FALSE;
	macinfo->gldm_maxpkt = nic_mtu(rp->rtls_nic);
	return (GLD_SUCCESS);
}

/* Registers that a reset clears: address filter, receiver and transmitter on, interrupts. */
static void rtls_setup(rtls_t *rp)
{
	nic_t *nic = rp->rtls_nic;
	uint32_t rcr = NIC_RCR_APM | NIC_RCR_AB | NIC_RCR_AM, mar[2] = {0, 0};

	if (rp->rtls_promisc == GLD_MAC_PROMISC_PHYS)
		rcr |= NIC_RCR_AAP;
	for (int i = 0; i < 64; i++)
		if (rp->rtls_mcrefs[i] != 0)
			mar[i >> 5] |= 1U << (i & 31);
	if (rp->rtls_promisc == GLD_MAC_PROMISC_MULTI)
		mar[0] = mar[1] = 0xffffffffU;
	nic_write(nic, NIC_MAR0, mar[0]);
	nic_write(nic, NIC_MAR0 + 4, mar[1]);
	nic_write(nic, NIC_RCR, rcr);
	if (rp->rtls_running) {
		nic_write(nic, NIC_CR, NIC_CR_TE | NIC_CR_RE);
		nic_write(nic, NIC_IMR, RTLS_INTRS | (rp->rtls_need_sched ? NIC_INT_TOK : 0));
	}
}

static int rtls_start(gld_mac_info_t *macinfo)
{
	rtls_t *rp = macinfo->gldm_cookie;

	rp->rtls_running = B_TRUE;
	rtls_setup(rp);
	return (GLD_SUCCESS);
}

static int rtls_stop(gld_mac_info_t *macinfo)
{
	rtls_t *rp = macinfo->gldm_cookie;

	rp->rtls_running = B_FALSE;
	nic_write(rp->rtls_nic, NIC_IMR, 0);
	nic_write(rp->rtls_nic, NIC_CR, 0);
	return (GLD_SUCCESS);
}

static int rtls_set_mac_addr(gld_mac_info_t *macinfo, const uchar_t *addr)
{
	rtls_t *rp = macinfo->gldm_cookie;

	for (int i = 0; i < ETHERADDRL; i++)
		nic_write(rp->rtls_nic, NIC_IDR0 + i, addr[i]);
	return (GLD_SUCCESS);
}

static int rtls_set_multicast(gld_mac_info_t *macinfo, const uchar_t *addr, int flag)
{
	rtls_t *rp = macinfo->gldm_cookie;

	rp->rtls_mcrefs[nic_mcast_hash(addr)] += flag == GLD_MULTI_ENABLE ? 1 : -1;
	rtls_setup(rp);
	return (GLD_SUCCESS);
}

static int rtls_set_promiscuous(gld_mac_info_t *macinfo, int flag)
{
	rtls_t *rp = macinfo->gldm_cookie;

	rp->rtls_promisc = flag;
	rtls_setup(rp);
	return (GLD_SUCCESS);
}

static int rtls_get_stats(gld_mac_info_t *macinfo, struct gld_stats *st)
{
	rtls_t *rp = macinfo->gldm_cookie;

	st->glds_missed = nic_stats(rp->rtls_nic)->ns_missed;
	st->glds_speed = 100000000;
	return (GLD_SUCCESS);
}

/* ---- transmit ---- */

/* Copy the frame into a transmit buffer with the tag after the addresses, pad it: its length. */
static size_t rtls_fill(uchar_t *buf, const mblk_t *mp, uint32_t vtag)
{
	uchar_t *p = buf;
	size_t len;

	for (; mp != NULL; mp = mp->b_cont) {
		memcpy(p, mp->b_rptr, (size_t)MBLKL(mp));
		p += MBLKL(mp);
	}
	len = (size_t)(p - buf);
	if (vtag != VLAN_ID_NONE) {
		memmove(buf + 2 * ETHERADDRL + VLAN_TAGSZ, buf + 2 * ETHERADDRL, len - 2 * ETHERADDRL);
		memcpy(buf + 2 * ETHERADDRL, (uchar_t[4]){0x81, 0x00, (uchar_t)(vtag >> 8), (uchar_t)vtag}, VLAN_TAGSZ);
		len += VLAN_TAGSZ;
	}
	if (len < ETHERMIN) {
		memset(buf + len, 0, ETHERMIN - len);
		len = ETHERMIN;
	}
	return (len);
}

/* The body of both send entries (inlined: each of them is a frame of its own). */
ALWAYS_INLINE int rtls_transmit(gld_mac_info_t *macinfo, mblk_t *mp, uint32_t vtag)
{
	rtls_t *rp = macinfo->gldm_cookie;
	nic_t *nic = rp->rtls_nic;
	int d = rp->rtls_txhead;
	size_t len;

	if (!rp->rtls_running)
		return (GLD_NOLINK);
	if ((nic_read(nic, NIC_TSD0 + 4 * d) & NIC_TSD_OWN) == 0) {
		rp->rtls_need_sched = B_TRUE;
		nic_write(nic, NIC_IMR, RTLS_INTRS | NIC_INT_TOK);
		return (GLD_NORESOURCES);
	}
	len = rtls_fill(nic_tx_buf(nic, d), mp, vtag);
	rp->rtls_txhead = (d + 1) % NIC_NTXD;
	if (UNLIKELY(strsim_rtls_tx_semaphore != 0))
		STAP_PROBE3(strsim, rtls_tx, macinfo, mp, len);
	freemsg(mp);
	nic_tx_start(nic, d, len);
	return (GLD_SUCCESS);
}

static int rtls_send(gld_mac_info_t *macinfo, mblk_t *mp)
{
	return (rtls_transmit(macinfo, mp, VLAN_ID_NONE));
}

static int rtls_send_tagged(gld_mac_info_t *macinfo, mblk_t *mp, uint32_t vtag)
{
	return (rtls_transmit(macinfo, mp, vtag));
}

/* ---- receive ---- */

/* Bytes of VLAN tags after the addresses; *vtag gets the id of the outer one. */
static size_t rtls_tags(const uchar_t *frame, size_t have, uint32_t *vtag)
{
	size_t tags = 0;

	*vtag = VLAN_ID_NONE;
	while (have >= 2 * ETHERADDRL + tags + VLAN_TAGSZ + 2) {
		const uchar_t *t = frame + 2 * ETHERADDRL + tags;
		uint_t type = (uint_t)t[0] << 8 | t[1];

		if (type != ETHERTYPE_VLAN && type != ETHERTYPE_QINQ)
			break;
		if (tags == 0)
			*vtag = ((uint32_t)t[2] << 8 | t[3]) & VLAN_ID_MASK;
		tags += VLAN_TAGSZ;
	}
	return (tags);
}

/* The frame as a message, tags taken out; NULL without memory. */
static mblk_t *rtls_copyin(const uchar_t *frame, size_t have, size_t len, size_t tags)
{
	mblk_t *mp = allocb(len + RTLS_RXALIGN, BPRI_MED);

	if (mp == NULL)
		return (NULL);
	mp->b_rptr += RTLS_RXALIGN;
	mp->b_wptr = mp->b_rptr + len - tags;
	if (tags == 0) {
		memcpy(mp->b_rptr, frame, have);
	} else {
		memcpy(mp->b_rptr, frame, 2 * ETHERADDRL);
		memcpy(mp->b_rptr + 2 * ETHERADDRL, frame + 2 * ETHERADDRL + tags, have - 2 * ETHERADDRL - tags);
	}
	if (have < len)
		memset(mp->b_rptr + have - tags, 0, len - have);
	return (mp);
}

static void rtls_rx_reset(rtls_t *rp)
{
	rp->rtls_mac->gldm_mac_pvt->statistics.glds_errrcv++;
	(void)rtls_reset(rp->rtls_mac);
	(void)rtls_set_mac_addr(rp->rtls_mac, rp->rtls_mac->gldm_mac_pvt->curr_macaddr);
	rtls_setup(rp);
}

static void rtls_receive(gld_mac_info_t *macinfo)
{
	rtls_t *rp = macinfo->gldm_cookie;
	size_t lenfcs, have, tags;
	uint_t status, wireflags;
	const uchar_t *frame;
	uint32_t vtag;
	mblk_t *mp;

	while ((frame = nic_rx_head(rp->rtls_nic, &status, &lenfcs, &have, &wireflags)) != NULL) {
		tags = rtls_tags(frame, have, &vtag);
		if ((status & NIC_RX_ROK) == 0 || lenfcs < ETHERMIN + ETHERFCSL ||
		    lenfcs > nic_rxmax(rp->rtls_nic) + sizeof(struct ether_header) + ETHERFCSL + tags) {
			macinfo->gldm_mac_pvt->statistics.glds_frame++;
			rtls_rx_reset(rp);
			return;
		}
		mp = rtls_copyin(frame, have, lenfcs - ETHERFCSL, tags);
		nic_rx_advance(rp->rtls_nic);
		if (mp == NULL) {
			macinfo->gldm_mac_pvt->statistics.glds_norcvbuf++;
			continue;
		}
		DB_CKSUMFLAGS(mp) = (uint8_t)((wireflags & WIRE_NOCKSUM_IP ? HCK_IPV4_HDRCKSUM : 0) |
					      (wireflags & WIRE_NOCKSUM_L4 ? HCK_FULLCKSUM : 0));
		if (UNLIKELY(strsim_rtls_rx_semaphore != 0))
			STAP_PROBE3(strsim, rtls_rx, macinfo, mp, MBLKL(mp));
		if (vtag == VLAN_ID_NONE)
			gld_recv(macinfo, mp);
		else
			gld_recv_tagged(macinfo, mp, vtag);
	}
}

/* ---- interrupt ---- */

static uint_t rtls_gld_intr(gld_mac_info_t *macinfo)
{
	rtls_t *rp = macinfo->gldm_cookie;
	uint32_t isr = nic_read(rp->rtls_nic, NIC_ISR);

	if (!rp->rtls_running || isr == 0)
		return (0);
	nic_write(rp->rtls_nic, NIC_ISR, isr);
	macinfo->gldm_mac_pvt->statistics.glds_intr++;
	if (isr & (NIC_INT_RXOVW | NIC_INT_FOVW))
		macinfo->gldm_mac_pvt->statistics.glds_overflow++;
	if (isr & RTLS_RXINTRS)
		rtls_receive(macinfo);
	if ((isr & RTLS_TXINTRS) && rp->rtls_need_sched) {
		rp->rtls_need_sched = B_FALSE;
		nic_write(rp->rtls_nic, NIC_IMR, RTLS_INTRS);
		gld_sched(macinfo);
	}
	return (1);
}

/* ---- attach ---- */

static void rtls_macinfo(rtls_t *rp, gld_mac_info_t *macinfo, int unit)
{
	macinfo->gldm_vendor_addr = nic_eeprom(rp->rtls_nic);
	macinfo->gldm_broadcast_addr = rtls_broadcast;
	macinfo->gldm_cookie = rp;
	macinfo->gldm_maxpkt = nic_mtu(rp->rtls_nic);
	macinfo->gldm_ident = "Realtek 8139 class Ethernet";
	macinfo->gldm_type = DL_ETHER;
	macinfo->gldm_addrlen = ETHERADDRL;
	macinfo->gldm_saplen = -2;
	macinfo->gldm_ppa = (uint32_t)unit;
	macinfo->gldm_reset = rtls_reset;
	macinfo->gldm_start = rtls_start;
	macinfo->gldm_stop = rtls_stop;
	macinfo->gldm_set_mac_addr = rtls_set_mac_addr;
	macinfo->gldm_send = rtls_send;
	macinfo->gldm_set_promiscuous = rtls_set_promiscuous;
	macinfo->gldm_get_stats = rtls_get_stats;
	macinfo->gldm_set_multicast = rtls_set_multicast;
	macinfo->gldm_intr = rtls_gld_intr;
	macinfo->gldm_send_tagged = rtls_send_tagged;
}

nic_t *rtls_attach(int unit)
{
	gld_mac_info_t *macinfo;
	rtls_t *rp;

	if (unit < 0 || unit >= NIC_MAX)
		return (NULL);
	if (rtls_units[unit] != NULL)
		return (rtls_units[unit]->rtls_nic);
	if ((rp = kmem_zalloc(sizeof(*rp), KM_NOSLEEP)) == NULL)
		return (NULL);
	if ((macinfo = gld_mac_alloc(NULL)) == NULL || (rp->rtls_nic = nic_install(unit)) == NULL)
		goto fail;
	rp->rtls_mac = macinfo;
	rtls_macinfo(rp, macinfo, unit);
	if (gld_register(NULL, "rtls", macinfo) != GLD_SUCCESS)
		goto fail;
	intr_connect(nic_line(rp->rtls_nic), gld_intr, macinfo);
	rtls_units[unit] = rp;
	return (rp->rtls_nic);
fail:
	if (macinfo != NULL)
		gld_mac_free(macinfo);
	kmem_free(rp, sizeof(*rp));
	return (NULL);
}

static void rtls_init(void)
{
	(void)rtls_attach(0);
}

static void rtls_fini(void)
{
	for (int unit = 0; unit < NIC_MAX; unit++) {
		rtls_t *rp = rtls_units[unit];

		if (rp == NULL || gld_unregister(rp->rtls_mac) != GLD_SUCCESS)
			continue;
		gld_mac_free(rp->rtls_mac);
		kmem_free(rp, sizeof(*rp));
		rtls_units[unit] = NULL;
	}
}
KERNEL_INIT(2, rtls_init, rtls_fini);

static struct module_info rtls_minfo = {0, "rtls", 0, INFPSZ, 65536, 1024};
static struct qinit rtls_rinit = {NULL, gld_rsrv, gld_open, gld_close, NULL, &rtls_minfo, NULL};
static struct qinit rtls_winit = {gld_wput, gld_wsrv, NULL, NULL, NULL, &rtls_minfo, NULL};
static struct streamtab rtls_info = {&rtls_rinit, &rtls_winit, NULL, NULL};

STREAMS_DRIVER(rtls, "rtls", &rtls_info, D_MP,
	       "/dev/rtls=0 /dev/rtls0=1 /dev/rtls1=2 /dev/rtls2=3 /dev/rtls3=4 /dev/rtls4=5 /dev/rtls5=6 /dev/rtls6=7 "
	       "/dev/rtls7=8",
	       NULL);
