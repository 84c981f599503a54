/*
 * GLD: boards and streams.
 *
 * A board (gld_mac_info_t) belongs to a driver (glddev_t).  A stream (gld_t) is
 * opened on the driver; attached to a VLAN of a board; bound to a SAP.  Streams
 * of a VLAN stand in order of attachment, which is the order in which received
 * frames are offered to them.
 *
 * The shortcut: received IPv4 unicast goes straight to the one stream that is
 * bound to it and FAST.  gld_set_ipq() looks for that stream when a stream is
 * bound or unbound, and only then: becoming FAST does not count by itself.
 */
#include <string.h>

#include "gld/gld_impl.h"

static KLOCAL glddev_t *gld_devices;

/* ---- boards ---- */

gld_mac_info_t *gld_mac_alloc(void *devinfo)
{
	gld_mac_info_t *macinfo = kmem_zalloc(sizeof(*macinfo), KM_NOSLEEP);

	if (macinfo != NULL)
		macinfo->gldm_devinfo = devinfo;
	return (macinfo);
}

void gld_mac_free(gld_mac_info_t *macinfo)
{
	kmem_free(macinfo, sizeof(*macinfo));
}

static glddev_t *gld_finddev(const char *name)
{
	glddev_t *dev;

	for (dev = gld_devices; dev != NULL; dev = dev->gld_next)
		if (strcmp(dev->gld_name, name) == 0)
			break;
	return (dev);
}

static glddev_t *gld_adddev(const char *name)
{
	glddev_t *dev = gld_finddev(name);
	const devsw_t *devsw = devsw_find(name);

	if (dev != NULL)
		return (dev);
	if (devsw == NULL || (dev = kmem_zalloc(sizeof(*dev), KM_NOSLEEP)) == NULL)
		return (NULL);
	dev->gld_name = name;
	dev->gld_major = devsw_major(devsw);
	dev->gld_nextminor = GLD_MIN_CLONE_MINOR;
	dev->gld_next = gld_devices;
	gld_devices = dev;
	return (dev);
}

/* A driver without boards and streams is forgotten. */
static void gld_reapdev(glddev_t *dev)
{
	glddev_t **pp;

	if (dev->gld_macs != NULL || dev->gld_strs != NULL)
		return;
	for (pp = &gld_devices; *pp != dev; pp = &(*pp)->gld_next)
		continue;
	*pp = dev->gld_next;
	kmem_free(dev, sizeof(*dev));
}

int gld_register(void *devinfo, const char *devname, gld_mac_info_t *macinfo)
{
	gld_mac_info_t **pp;
	gld_mac_pvt_t *pvt;
	glddev_t *dev;

	if (macinfo->gldm_type != DL_ETHER || macinfo->gldm_addrlen != ETHERADDRL || macinfo->gldm_saplen != -2 ||
	    macinfo->gldm_ppa > GLD_MAX_PPA)
		return (GLD_FAILURE);
	if ((pvt = kmem_zalloc(sizeof(*pvt), KM_NOSLEEP)) == NULL)
		return (GLD_FAILURE);
	if ((dev = gld_adddev(devname)) == NULL) {
		kmem_free(pvt, sizeof(*pvt));
		return (GLD_FAILURE);
	}
	pvt->interfacep = &gld_ether;
	pvt->major_dev = dev;
	memcpy(pvt->curr_macaddr, macinfo->gldm_vendor_addr, ETHERADDRL);
	macinfo->gldm_devinfo = devinfo;
	macinfo->gldm_mac_pvt = pvt;
	macinfo->gldm_GLD_flags = GLD_MAC_READY;
	macinfo->gldm_next = NULL;
	for (pp = &dev->gld_macs; *pp != NULL; pp = &(*pp)->gldm_next)
		continue;
	*pp = macinfo;
	return (GLD_SUCCESS);
}

int gld_unregister(gld_mac_info_t *macinfo)
{
	gld_mac_pvt_t *pvt = macinfo->gldm_mac_pvt;
	gld_mac_info_t **pp;

	if (pvt->nvlan != 0)
		return (GLD_FAILURE);
	macinfo->gldm_GLD_flags = GLD_UNREGISTERED;
	for (pp = &pvt->major_dev->gld_macs; *pp != macinfo; pp = &(*pp)->gldm_next)
		continue;
	*pp = macinfo->gldm_next;
	gld_reapdev(pvt->major_dev);
	kmem_free(pvt, sizeof(*pvt));
	macinfo->gldm_mac_pvt = NULL;
	return (GLD_SUCCESS);
}

static gld_mac_info_t *gld_mac_byppa(const glddev_t *dev, uint32_t ppa)
{
	gld_mac_info_t *macinfo;

	for (macinfo = dev->gld_macs; macinfo != NULL; macinfo = macinfo->gldm_next)
		if (macinfo->gldm_ppa == ppa)
			break;
	return (macinfo);
}

gld_mac_info_t *gld_find_mac(const char *devname, uint_t ppa)
{
	const glddev_t *dev = gld_finddev(devname);

	return (dev == NULL ? NULL : gld_mac_byppa(dev, ppa));
}

void gld_stats_walk(gld_mac_info_t *macinfo, void (*func)(void *arg, const char *name, uint64_t value), void *arg)
{
	const struct gld_stats *st = &macinfo->gldm_mac_pvt->statistics;

	(void)macinfo->gldm_get_stats(macinfo, &macinfo->gldm_mac_pvt->statistics);
#define GLD_WALK(name) func(arg, #name, st->name);
	GLD_COUNTERS(GLD_WALK)
#undef GLD_WALK
}

/* ---- VLANs ---- */

gld_vlan_t *gld_find_vlan(gld_mac_info_t *macinfo, uint32_t vid)
{
	gld_vlan_t *vlan;

	for (vlan = macinfo->gldm_mac_pvt->vlan_hash[vid % VLAN_HASHSZ]; vlan != NULL; vlan = vlan->gldv_next)
		if (vlan->gldv_id == vid)
			break;
	return (vlan);
}

static gld_vlan_t *gld_get_vlan(gld_mac_info_t *macinfo, uint32_t vid)
{
	gld_mac_pvt_t *pvt = macinfo->gldm_mac_pvt;
	gld_vlan_t *vlan = gld_find_vlan(macinfo, vid);

	if (vlan != NULL)
		return (vlan);
	if ((vlan = kmem_zalloc(sizeof(*vlan), KM_NOSLEEP)) == NULL)
		return (NULL);
	vlan->gldv_id = vid;
	vlan->gldv_mac = macinfo;
	vlan->gldv_ipq_flags = IPQ_DISABLED;
	vlan->gldv_next = pvt->vlan_hash[vid % VLAN_HASHSZ];
	pvt->vlan_hash[vid % VLAN_HASHSZ] = vlan;
	pvt->nvlan++;
	return (vlan);
}

static void gld_rem_vlan(gld_vlan_t *vlan)
{
	gld_mac_pvt_t *pvt = vlan->gldv_mac->gldm_mac_pvt;
	gld_vlan_t **pp;

	if (vlan->gldv_nstreams != 0)
		return;
	for (pp = &pvt->vlan_hash[vlan->gldv_id % VLAN_HASHSZ]; *pp != vlan; pp = &(*pp)->gldv_next)
		continue;
	*pp = vlan->gldv_next;
	pvt->nvlan--;
	kmem_free(vlan, sizeof(*vlan));
}

/* The only stream of the VLAN that is bound to sap, if it is FAST. */
static queue_t *gld_only_stream(const gld_vlan_t *vlan, uint32_t sap)
{
	const gld_t *found = NULL;

	for (const gld_t *gld = vlan->gldv_str_next; gld != NULL; gld = gld->gld_next) {
		if (gld->gld_state != DL_IDLE || (gld->gld_flags & GLD_STR_CLOSING) || gld->gld_sap != sap)
			continue;
		if (found != NULL)
			return (NULL);
		found = gld;
	}
	return (found != NULL && (found->gld_flags & GLD_FAST) ? found->gld_qptr : NULL);
}

void gld_set_ipq(gld_t *gld)
{
	gld_vlan_t *vlan = gld->gld_vlan;

	vlan->gldv_ipq = gld_only_stream(vlan, ETHERTYPE_IP);
	vlan->gldv_ipv6q = gld_only_stream(vlan, ETHERTYPE_IPV6);
}

/* ---- streams ---- */

static void gld_link_unattached(glddev_t *dev, gld_t *gld)
{
	gld->gld_prev = NULL;
	if ((gld->gld_next = dev->gld_strs) != NULL)
		dev->gld_strs->gld_prev = gld;
	dev->gld_strs = gld;
}

static void gld_unlink_unattached(glddev_t *dev, gld_t *gld)
{
	if (gld->gld_prev != NULL)
		gld->gld_prev->gld_next = gld->gld_next;
	else
		dev->gld_strs = gld->gld_next;
	if (gld->gld_next != NULL)
		gld->gld_next->gld_prev = gld->gld_prev;
}

static boolean_t gld_minor_used(const gld_t *gld, minor_t minor)
{
	for (; gld != NULL; gld = gld->gld_next)
		if (gld->gld_minor == minor)
			return (B_TRUE);
	return (B_FALSE);
}

static boolean_t gld_minor_free(const glddev_t *dev, minor_t minor)
{
	if (gld_minor_used(dev->gld_strs, minor))
		return (B_FALSE);
	for (const gld_mac_info_t *m = dev->gld_macs; m != NULL; m = m->gldm_next)
		for (int h = 0; h < VLAN_HASHSZ; h++)
			for (const gld_vlan_t *v = m->gldm_mac_pvt->vlan_hash[h]; v != NULL; v = v->gldv_next)
				if (gld_minor_used(v->gldv_str_next, minor))
					return (B_FALSE);
	return (B_TRUE);
}

/* A minor number for a clone; 0 when all are taken. */
static minor_t gld_findminor(glddev_t *dev)
{
	for (int i = GLD_MIN_CLONE_MINOR; i <= GLD_MAX_CLONE_MINOR; i++) {
		minor_t minor = dev->gld_nextminor++;

		if (dev->gld_nextminor > GLD_MAX_CLONE_MINOR)
			dev->gld_nextminor = GLD_MIN_CLONE_MINOR;
		if (gld_minor_free(dev, minor))
			return (minor);
	}
	return (0);
}

/* First stream on a board: start it. */
static int gld_start_mac(gld_mac_info_t *macinfo)
{
	gld_mac_pvt_t *pvt = macinfo->gldm_mac_pvt;

	if (pvt->started)
		return (GLD_SUCCESS);
	memcpy(pvt->curr_macaddr, macinfo->gldm_vendor_addr, ETHERADDRL);
	if (macinfo->gldm_reset(macinfo) != GLD_SUCCESS ||
	    macinfo->gldm_set_mac_addr(macinfo, pvt->curr_macaddr) != GLD_SUCCESS ||
	    macinfo->gldm_start(macinfo) != GLD_SUCCESS)
		return (GLD_FAILURE);
	pvt->started = B_TRUE;
	return (GLD_SUCCESS);
}

static void gld_stop_mac(gld_mac_info_t *macinfo)
{
	gld_mac_pvt_t *pvt = macinfo->gldm_mac_pvt;

	if (!pvt->started || pvt->nvlan != 0)
		return;
	(void)macinfo->gldm_stop(macinfo);
	pvt->started = B_FALSE;
}

int gldattach(queue_t *q, uint32_t ppa)
{
	gld_t *gld = q->q_ptr, **pp;
	uint32_t vid = ppa / GLD_VLAN_SCALE;
	gld_mac_info_t *macinfo = gld_mac_byppa(gld->gld_device, ppa % GLD_VLAN_SCALE);
	gld_vlan_t *vlan;

	if (macinfo == NULL || vid > VLAN_ID_MAX || (vid != VLAN_ID_NONE && macinfo->gldm_send_tagged == NULL))
		return (DL_BADPPA);
	if (gld_start_mac(macinfo) != GLD_SUCCESS || (vlan = gld_get_vlan(macinfo, vid)) == NULL) {
		gld_stop_mac(macinfo);
		return (DL_SYSERR);
	}
	gld_unlink_unattached(gld->gld_device, gld);
	gld->gld_mac_info = macinfo;
	gld->gld_vlan = vlan;
	gld->gld_state = DL_UNBOUND;
	gld->gld_next = NULL;
	gld->gld_prev = NULL;
	for (pp = &vlan->gldv_str_next; *pp != NULL; pp = &(*pp)->gld_next)
		gld->gld_prev = *pp;
	*pp = gld;
	vlan->gldv_nstreams++;
	return (0);
}

void gldunattach(gld_t *gld)
{
	gld_mac_info_t *macinfo = gld->gld_mac_info;
	gld_vlan_t *vlan = gld->gld_vlan;

	gld_forget(gld);
	if (gld->gld_prev != NULL)
		gld->gld_prev->gld_next = gld->gld_next;
	else
		vlan->gldv_str_next = gld->gld_next;
	if (gld->gld_next != NULL)
		gld->gld_next->gld_prev = gld->gld_prev;
	vlan->gldv_nstreams--;
	gld_rem_vlan(vlan);
	gld_stop_mac(macinfo);
	gld->gld_mac_info = NULL;
	gld->gld_vlan = NULL;
	gld->gld_state = DL_UNATTACHED;
	gld_link_unattached(gld->gld_device, gld);
}

static glddev_t *gld_bymajor(major_t maj)
{
	glddev_t *dev;

	for (dev = gld_devices; dev != NULL; dev = dev->gld_next)
		if (dev->gld_major == maj)
			break;
	return (dev);
}

int gld_open(queue_t *q, dev_t *devp, int flag, int sflag, cred_t *cred)
{
	minor_t minor = getminor(*devp);
	glddev_t *dev = gld_bymajor(getmajor(*devp));
	gld_t *gld;

	(void)flag;
	(void)sflag;
	(void)cred;
	if (dev == NULL || minor > GLD_MAX_PPA + 1)
		return (ENXIO);
	if ((gld = kmem_zalloc(sizeof(*gld), KM_NOSLEEP)) == NULL)
		return (ENOSR);
	if ((gld->gld_minor = gld_findminor(dev)) == 0) {
		kmem_free(gld, sizeof(*gld));
		return (ENOSR);
	}
	gld->gld_device = dev;
	gld->gld_qptr = q;
	gld->gld_state = DL_UNATTACHED;
	gld->gld_style = minor == 0 ? DL_STYLE2 : DL_STYLE1;
	WR(q)->q_ptr = q->q_ptr = gld;
	gld_link_unattached(dev, gld);
	if (gld->gld_style == DL_STYLE1 && gldattach(q, (uint32_t)minor - 1) != 0) {
		gld_unlink_unattached(dev, gld);
		WR(q)->q_ptr = q->q_ptr = NULL;
		kmem_free(gld, sizeof(*gld));
		return (ENXIO);
	}
	*devp = makedevice(getmajor(*devp), gld->gld_minor);
	noenable(WR(q));
	qprocson(q);
	qenable(WR(q));
	return (0);
}

int gld_close(queue_t *q, int flag, cred_t *cred)
{
	gld_t *gld = q->q_ptr;

	(void)flag;
	(void)cred;
	gld->gld_flags |= GLD_STR_CLOSING;
	qprocsoff(q);
	if (gld->gld_state == DL_IDLE)
		gld_unbind_stream(gld);
	if (gld->gld_state == DL_UNBOUND)
		gldunattach(gld);
	gld_unlink_unattached(gld->gld_device, gld);
	WR(q)->q_ptr = q->q_ptr = NULL;
	kmem_free(gld, sizeof(*gld));
	return (0);
}
