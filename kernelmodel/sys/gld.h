/*
 * GLD version 2, the generic LAN driver (gld(7D), gld(9F), gld_mac_info(9S)):
 * what a network driver gives to it and gets from it.
 *
 * A board registers a gld_mac_info_t.  GLD is its open, close, put and service
 * procedures, speaks DLPI with the streams opened on it, and shares the board
 * among them; the driver only moves frames.  Each VLAN of a board (0 = the
 * untagged frames) has its own list of streams: PPA = VLAN id * 1000 + board.
 */
#ifndef STRSIM_SYS_GLD_H
#define STRSIM_SYS_GLD_H

#include "sys/types.h"
#include "sys/stream.h"
#include "sys/ethernet.h"

/* What a driver's entry points return. */
#define GLD_SUCCESS 0
#define GLD_NORESOURCES 1
#define GLD_NOTSUPPORTED 2
#define GLD_BADARG 3
#define GLD_NOLINK 4
#define GLD_RETRY 5
#define GLD_FAILURE (-1)

/* gldm_set_promiscuous */
#define GLD_MAC_PROMISC_NONE 0
#define GLD_MAC_PROMISC_MULTI 1
#define GLD_MAC_PROMISC_PHYS 2
/* gldm_set_multicast */
#define GLD_MULTI_DISABLE 0
#define GLD_MULTI_ENABLE 1

/* gldm_GLD_flags */
#define GLD_MAC_READY 0x0001
#define GLD_UNREGISTERED 0x0008
/* gldm_options */
#define GLDOPT_FAST_RECV 0x40
/* gldv_ipq_flags */
#define IPQ_DISABLED 0x01
#define IPQ_FORBIDDEN 0x02
/* gld_flags */
#define GLD_RAW 0x0001
#define GLD_FAST 0x0002
#define GLD_PROM_PHYS 0x0004
#define GLD_PROM_SAP 0x0008
#define GLD_PROM_MULT 0x0010
#define GLD_STR_CLOSING 0x0020

#define GLD_MAX_PPA 999
#define GLD_VLAN_SCALE 1000
#define GLD_MIN_CLONE_MINOR 1001
#define GLD_MAX_CLONE_MINOR 0x3ffff
#define GLD_MAX_MULTICAST 16
#define VLAN_HASHSZ 23

/* clang-format off */
#define GLD_COUNTERS(X) \
	X(glds_pktxmt64) X(glds_pktrcv64) X(glds_bytexmt64) X(glds_bytercv64) X(glds_errxmt) X(glds_errrcv) \
	X(glds_multixmt) X(glds_multircv) X(glds_brdcstxmt) X(glds_brdcstrcv) X(glds_unknowns) X(glds_blocked) \
	X(glds_noxmtbuf) X(glds_norcvbuf) X(glds_intr) X(glds_xmtretry) X(glds_xmtbadinterp) X(glds_rcvbadinterp) \
	X(glds_short) X(glds_missed) X(glds_overflow) X(glds_frame) X(glds_crc) X(glds_speed)
/* clang-format on */
struct gld_stats {
#define GLD_COUNTER_FIELD(name) uint64_t name;
	GLD_COUNTERS(GLD_COUNTER_FIELD)
#undef GLD_COUNTER_FIELD
};

struct gld;
struct gld_vlan;
struct gld_mac_info;

/* What is known of a frame (GLD's own, not DTrace's pktinfo_t). */
typedef struct pktinfo {
	uint_t isBroadcast : 1, isMulticast : 1, isLooped : 1, isForMe : 1, isLLC : 1, wasAccepted : 1, nosource : 1;
	uint_t macLen; /* MAC header */
	uint_t hdrLen; /* LLC or SNAP header after it */
	uint_t pktLen; /* of the whole frame */
	uchar_t dhost[ETHERADDRL], shost[ETHERADDRL];
	uint_t ethertype;
} gld_pktinfo_t;

typedef struct gld_mcast {
	int gldm_refcnt;
	uchar_t gldm_addr[ETHERADDRL];
} gld_mcast_t;

/* How to read and write the headers of a medium. */
typedef struct gld_interface {
	uint_t mac_type;
	uint_t mtu_size;
	uint_t hdr_size;
	int (*interpreter)(struct gld_mac_info *, mblk_t *, gld_pktinfo_t *, boolean_t whole);
	mblk_t *(*mkfastpath)(struct gld *, const uchar_t *dlsap);
	mblk_t *(*mkunitdata)(struct gld *, mblk_t *);
} gld_interface_t;

typedef struct gld_mac_pvt {
	const gld_interface_t *interfacep;
	struct gld_vlan *vlan_hash[VLAN_HASHSZ];
	struct glddevice *major_dev;
	int nvlan;
	int nprom, nprom_multi;
	gld_mcast_t mcast_table[GLD_MAX_MULTICAST];
	uchar_t curr_macaddr[ETHERADDRL];
	struct gld_stats statistics;
	boolean_t started;
} gld_mac_pvt_t;

typedef struct gld_mac_info {
	struct gld_mac_info *gldm_next;
	/* set by the driver */
	void *gldm_devinfo;
	const uchar_t *gldm_vendor_addr;
	const uchar_t *gldm_broadcast_addr;
	void *gldm_cookie;
	uint32_t gldm_maxpkt, gldm_minpkt;
	const char *gldm_ident;
	uint32_t gldm_type; /* DL_ETHER */
	uint32_t gldm_addrlen;
	int32_t gldm_saplen; /* -2 */
	uint32_t gldm_ppa;
	uint32_t gldm_capabilities;
	int (*gldm_reset)(struct gld_mac_info *);
	int (*gldm_start)(struct gld_mac_info *);
	int (*gldm_stop)(struct gld_mac_info *);
	int (*gldm_set_mac_addr)(struct gld_mac_info *, const uchar_t *);
	int (*gldm_send)(struct gld_mac_info *, mblk_t *);
	int (*gldm_set_promiscuous)(struct gld_mac_info *, int);
	int (*gldm_get_stats)(struct gld_mac_info *, struct gld_stats *);
	int (*gldm_ioctl)(struct gld_mac_info *, queue_t *, mblk_t *); /* may be NULL */
	int (*gldm_set_multicast)(struct gld_mac_info *, const uchar_t *, int);
	uint_t (*gldm_intr)(struct gld_mac_info *);
	int (*gldm_mctl)(struct gld_mac_info *, queue_t *, mblk_t *);            /* may be NULL */
	int (*gldm_send_tagged)(struct gld_mac_info *, mblk_t *, uint32_t vtag); /* NULL: no VLANs */
	/* GLD's */
	uint32_t gldm_GLD_flags;
	uint32_t gldm_options;
	int gldm_linkstate;
	gld_mac_pvt_t *gldm_mac_pvt;
} gld_mac_info_t;

/* One VLAN of a board. */
typedef struct gld_vlan {
	struct gld_vlan *gldv_next;
	uint32_t gldv_id;
	gld_mac_info_t *gldv_mac;
	int gldv_nstreams;
	queue_t *gldv_ipq;   /* read queue of the only FAST stream bound to IPv4: the shortcut */
	queue_t *gldv_ipv6q; /* the same for IPv6 */
	uint_t gldv_ipq_flags;
	struct gld *gldv_str_next, *gldv_str_prev; /* streams, in order of attachment */
	struct gld_stats gldv_stats;
} gld_vlan_t;

/* One open stream. */
typedef struct gld {
	struct gld *gld_next, *gld_prev;
	uint_t gld_state; /* DL_* */
	uint_t gld_style;
	minor_t gld_minor;
	uint32_t gld_sap;
	uint_t gld_flags;
	boolean_t gld_multi[GLD_MAX_MULTICAST]; /* indices into mcast_table */
	queue_t *gld_qptr;                      /* read queue */
	gld_mac_info_t *gld_mac_info;
	struct glddevice *gld_device;
	boolean_t gld_xwait, gld_sched_ran, gld_in_unbind, gld_in_wsrv;
	int gld_wput_count;
	boolean_t gld_ethertype; /* sap is an Ethernet type, not an LLC one */
	gld_vlan_t *gld_vlan;
} gld_t;

/* ---- for drivers ---- */

gld_mac_info_t *gld_mac_alloc(void *devinfo);
void gld_mac_free(gld_mac_info_t *macinfo);
/* The board is there: devname names the driver (devsw).  GLD_SUCCESS or GLD_FAILURE. */
int gld_register(void *devinfo, const char *devname, gld_mac_info_t *macinfo);
/* GLD_FAILURE while streams are attached. */
int gld_unregister(gld_mac_info_t *macinfo);
/* The interrupt handler to connect; arg = macinfo. */
uint_t gld_intr(void *arg);
/* A received frame, MAC header first.  _tagged: its VLAN id (the tag is no longer in the frame). */
void gld_recv(gld_mac_info_t *macinfo, mblk_t *mp);
void gld_recv_tagged(gld_mac_info_t *macinfo, mblk_t *mp, uint32_t vtag);
/* Transmit resources are back after GLD_NORESOURCES. */
void gld_sched(gld_mac_info_t *macinfo);

/* Entry points for the driver's streamtab. */
int gld_open(queue_t *q, dev_t *dev, int flag, int sflag, cred_t *cred);
int gld_close(queue_t *q, int flag, cred_t *cred);
int gld_wput(queue_t *q, mblk_t *mp);
int gld_wsrv(queue_t *q);
int gld_rsrv(queue_t *q);

/* ---- for reports ---- */

/* The board with that PPA of a driver, or NULL. */
gld_mac_info_t *gld_find_mac(const char *devname, uint_t ppa);
/* Every counter of a board, in the order of GLD_COUNTERS. */
void gld_stats_walk(gld_mac_info_t *macinfo, void (*func)(void *arg, const char *name, uint64_t value), void *arg);

#endif
