/*
 * icmp: the module above the ip driver that makes raw IP of it (/dev/icmp,
 * /dev/rawip).  It has its name from its first user; ICMP itself is in ip.
 *
 * Down: icmp_wput puts an IP header before the user's data, whatever they are,
 * and the packet to ip_wput.  Up: ip gives the endpoints of a protocol all of
 * its packets (of ICMP those it does not answer by itself), and icmp_rput puts
 * a T_UNITDATA_IND with the sender's address before each.  The rest of TPI is
 * in icmp_tpi.c.
 */
#include <string.h>

#include "icmp/icmp.h"
#include "ip/ulp.h"
#include "sys/errno.h"

/* ---- down ---- */

/* Report an error about a packet: T_UDERROR_IND upstream.  Consumes mp; dst may lie in it. */
static void icmp_ud_err(queue_t *q, mblk_t *mp, const uchar_t *dst, t_scalar_t dstlen, int error)
{
	mblk_t *nmp = ulp_uderror_ind(dst, dstlen, error);

	freemsg(mp);
	if (nmp != NULL)
		(void)putnext(RD(q), nmp);
}

/* Put an IP header before the data.  NULL with *error (mp is left). */
static mblk_t *icmp_header(const icmp_t *icmp, mblk_t *mp, ipaddr_t dst, int *error)
{
	size_t len = msgdsize(mp) + IP_SIMPLE_HDR_LENGTH;
	mblk_t *hp;

	*error = EMSGSIZE;
	if (len > IP_MAXPACKET)
		return (NULL);
	*error = ENOMEM;
	if ((hp = ulp_header(mp, IP_SIMPLE_HDR_LENGTH, ICMP_WROFF_EXTRA)) == NULL)
		return (NULL);
	*(ipha_t *)hp->b_rptr = (ipha_t){.ipha_version_and_hdr_length = IP_SIMPLE_HDR_VERSION,
					 .ipha_type_of_service = (uint8_t)icmp->icmp_type_of_service,
					 .ipha_length = htons(len),
					 .ipha_ident = NO_IP_IDENT,
					 .ipha_ttl = (uint8_t)(CLASSD(dst) ? icmp->icmp_multicast_ttl : icmp->icmp_ttl),
					 .ipha_protocol = (uint8_t)icmp->icmp_proto,
					 .ipha_src = icmp->icmp_src,
					 .ipha_dst = dst};
	*error = 0;
	return (hp);
}

/* Data of a connected endpoint, or a T_UNITDATA_REQ with data. */
static int icmp_wput(queue_t *q, mblk_t *mp)
{
	const icmp_t *icmp = q->q_ptr;
	t_scalar_t dstlen = 0;
	mblk_t *pkt = NULL;
	sin_t sin;
	int error;

	if (DB_TYPE(mp) == M_DATA) {
		error = EPROTO;
		if (icmp->icmp_state == TS_DATA_XFER)
			pkt = icmp_header(icmp, mp, icmp->icmp_dst, &error);
	} else if ((DB_TYPE(mp) == M_PROTO || DB_TYPE(mp) == M_PCPROTO) && MBLKL(mp) >= (ssize_t)sizeof(t_scalar_t) &&
		   ulp_prim(mp) == T_UNITDATA_REQ) {
		error = ulp_unitdata_sin(mp, icmp->icmp_state, &sin, &dstlen);
		if (error == 0 && (pkt = icmp_header(icmp, mp->b_cont, sin.sin_addr.s_addr, &error)) != NULL)
			freeb(mp);
	} else {
		icmp_wput_other(q, mp);
		return (0);
	}
	if (pkt == NULL) {
		BUMP_MIB(&rawip_mib, rawipOutErrors);
		icmp_ud_err(q, mp,
			    dstlen != 0 ? mp->b_rptr + ((struct T_unitdata_req *)mp->b_rptr)->DEST_offset : mp->b_rptr,
			    dstlen, error);
		return (0);
	}
	BUMP_MIB(&rawip_mib, rawipOutDatagrams);
	(void)putnext(q, pkt);
	return (0);
}

/* ---- up ---- */

/* T_UNITDATA_IND from this sender; NULL without memory. */
static mblk_t *icmp_unitdata_ind(ipaddr_t src)
{
	struct T_unitdata_ind ind = {T_UNITDATA_IND, sizeof(sin_t), sizeof(ind), 0, 0};
	sin_t sin = {.sin_family = AF_INET, .sin_addr = {src}};
	mblk_t *mp = allocb(sizeof(ind) + sizeof(sin), BPRI_MED);

	if (mp == NULL)
		return (NULL);
	DB_TYPE(mp) = M_PROTO;
	memcpy(mp->b_wptr, &ind, sizeof(ind));
	memcpy(mp->b_wptr + sizeof(ind), &sin, sizeof(sin));
	mp->b_wptr += sizeof(ind) + sizeof(sin);
	return (mp);
}

static int icmp_rput(queue_t *q, mblk_t *mp)
{
	const ipha_t *ipha = (const ipha_t *)mp->b_rptr;
	mblk_t *ind;

	if (DB_TYPE(mp) != M_DATA) {
		icmp_rput_other(q, mp);
		return (0);
	}
	if (MBLKL(mp) < IP_SIMPLE_HDR_LENGTH || IPH_HDR_VERSION(ipha) != IPV4_VERSION ||
	    (ind = icmp_unitdata_ind(ipha->ipha_src)) == NULL) {
		BUMP_MIB(&rawip_mib, rawipInErrors);
		freemsg(mp);
		return (0);
	}
	ind->b_cont = mp;
	BUMP_MIB(&rawip_mib, rawipInDatagrams);
	(void)putnext(q, ind);
	return (0);
}

/* ---- open and close ---- */

static int icmp_open(queue_t *q, dev_t *devp, int flag, int sflag, cred_t *cr)
{
	icmp_t *icmp;
	mblk_t *mp;

	(void)devp;
	(void)flag;
	if (q->q_ptr != NULL)
		return (0);
	if (sflag != MODOPEN)
		return (EINVAL);
	if (cr->cr_uid != 0)
		return (EPERM);
	if ((icmp = kmem_zalloc(sizeof(*icmp), KM_NOSLEEP)) == NULL)
		return (ENOMEM);
	icmp->icmp_rq = q;
	icmp->icmp_wq = WR(q);
	icmp->icmp_state = TS_UNBND;
	icmp->icmp_max_hdr_len = IP_SIMPLE_HDR_LENGTH;
	icmp->icmp_pending_op = -1;
	icmp_opt_init(icmp);
	mp = ulp_setopts(SO_WROFF | SO_HIWAT, icmp->icmp_max_hdr_len + ICMP_WROFF_EXTRA, ICMP_RECV_HIWAT);
	if (mp == NULL) {
		kmem_free(icmp, sizeof(*icmp));
		return (ENOMEM);
	}
	WR(q)->q_ptr = q->q_ptr = icmp;
	q->q_hiwat = ICMP_RECV_HIWAT;
	WR(q)->q_hiwat = ICMP_XMIT_HIWAT;
	WR(q)->q_lowat = ICMP_XMIT_LOWAT;
	qprocson(q);
	(void)putnext(q, mp);
	return (0);
}

static int icmp_close(queue_t *q, int flag, cred_t *cr)
{
	icmp_t *icmp = q->q_ptr;

	(void)flag;
	(void)cr;
	qprocsoff(q);
	WR(q)->q_ptr = q->q_ptr = NULL;
	icmp_close_free(icmp);
	return (0);
}

static struct module_info icmp_info = {5707, "icmp", 1, INFPSZ, 512, 128};
static struct qinit icmp_rinit = {icmp_rput, NULL, icmp_open, icmp_close, NULL, &icmp_info, NULL};
static struct qinit icmp_winit = {icmp_wput, NULL, NULL, NULL, NULL, &icmp_info, NULL};
static struct streamtab icmpinfo = {&icmp_rinit, &icmp_winit, NULL, NULL};

STREAMS_MODULE(icmp, "icmp", &icmpinfo, D_MP);
