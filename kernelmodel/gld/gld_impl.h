/* Inside GLD. */
#ifndef STRSIM_GLD_IMPL_H
#define STRSIM_GLD_IMPL_H

#include "sys/gld.h"
#include "sys/dlpi.h"
#include "sys/errno.h"
#include "sys/strsubr.h"

/* A driver: its boards, and its streams that are not attached to one. */
typedef struct glddevice {
	struct glddevice *gld_next;
	const char *gld_name;
	major_t gld_major;
	minor_t gld_nextminor;
	gld_mac_info_t *gld_macs; /* in order of registration */
	gld_t *gld_strs;
} glddev_t;

/* Who calls gld_start. */
#define GLD_WPUT 0
#define GLD_WSRV 1

#define GLD_DLSAP_LEN (ETHERADDRL + 2)
#define GLD_STAT(macinfo, name) ((macinfo)->gldm_mac_pvt->statistics.name)

extern const gld_interface_t gld_ether;

typedef boolean_t (*gld_accept_t)(gld_t *, gld_pktinfo_t *);

/* gld.c */
int gldattach(queue_t *q, uint32_t ppa);
void gldunattach(gld_t *gld);
gld_vlan_t *gld_find_vlan(gld_mac_info_t *macinfo, uint32_t vid);
void gld_set_ipq(gld_t *gld);
/* gld_dlpi.c */
void gld_ioctl(queue_t *q, mblk_t *mp);
int gld_cmds(queue_t *q, mblk_t *mp);
void gld_unbind_stream(gld_t *gld);
void gld_forget(gld_t *gld);
/* gld_data.c */
int gld_start(queue_t *q, mblk_t *mp, int caller);
int gld_unitdata(queue_t *q, mblk_t *mp);
void gld_uderror(queue_t *q, mblk_t *mp, uint32_t dlerr, int error);

#endif
