/*
 * udp: the module above the ip driver that makes datagrams of it (RFC 768).
 *
 * Down: udp_wput turns T_UNITDATA_REQ, or plain data of a connected endpoint,
 * into an IP packet and puts it to ip_wput.  Up: ip puts packets of the
 * endpoint with IP and UDP headers to udp_rput, which turns them into
 * T_UNITDATA_IND.  The rest of TPI is in udp_tpi.c.
 */
#include <string.h>

#include "ip/ulp.h"
#include "sys/errno.h"
#include "sys/sdt.h"
#include "udp/udp.h"

#define UDP_DROP(reason, mp) DTRACE_PROBE2(udp__drop, const char *, (reason), mblk_t *, (mp))

/* ---- down ---- */

/* Report an error about a datagram: T_UDERROR_IND upstream.  Consumes mp; dst may lie in it. */
void udp_ud_err(queue_t *q, mblk_t *mp, const uchar_t *dst, t_scalar_t dstlen, int error)
{
	mblk_t *nmp = ulp_uderror_ind(dst, dstlen, error);

	freemsg(mp);
	if (nmp != NULL)
		(void)putnext(RD(q), nmp);
}

/* Put IP and UDP header before the data.  NULL without memory (mp is left). */
static mblk_t *udp_header(const udp_t *udp, mblk_t *mp, size_t len, ipaddr_t dst, in_port_t dport)
{
	mblk_t *hp = ulp_header(mp, UDP_HDR_LEN, UDP_WROFF_EXTRA);
	udpha_t *udpha;
	ipha_t *ipha;

	if (hp == NULL)
		return (NULL);
	ipha = (ipha_t *)hp->b_rptr;
	*ipha = (ipha_t){.ipha_version_and_hdr_length = IP_SIMPLE_HDR_VERSION,
			 .ipha_type_of_service = udp->udp_type_of_service,
			 .ipha_length = htons(len + UDP_HDR_LEN),
			 .ipha_ident = NO_IP_IDENT,
			 .ipha_ttl = CLASSD(dst) ? udp->udp_multicast_ttl : udp->udp_ttl,
			 .ipha_protocol = IPPROTO_UDP,
			 .ipha_src = V4_OF(udp->udp_v6src),
			 .ipha_dst = dst};
	udpha = (udpha_t *)(ipha + 1);
	udpha->uha_src_port = udp->udp_port;
	udpha->uha_dst_port = dport;
	udpha->uha_length = htons(len + UDPH_SIZE);
	udpha->uha_checksum = UDP_DO_CHECKSUM ? udpha->uha_length : 0;
	return (hp);
}

/* Data of a connected endpoint. */
static mblk_t *udp_wput_data(queue_t *q, mblk_t *mp, int *error)
{
	udp_t *udp = q->q_ptr;
	size_t len = msgdsize(mp);
	mblk_t *hp;

	*error = 0;
	if (udp->udp_state != TS_DATA_XFER)
		*error = EPROTO;
	else if (len + UDP_HDR_LEN > IP_MAXPACKET)
		*error = EMSGSIZE;
	else if ((hp = udp_header(udp, mp, len, V4_OF(udp->udp_v6dst), udp->udp_dstport)) == NULL)
		*error = ENOMEM;
	else
		return (hp);
	return (NULL);
}

/* T_UNITDATA_REQ: the packet (the request block is freed), or NULL with *error and where the destination is. */
static mblk_t *udp_wput_unitdata(queue_t *q, mblk_t *mp, int *error, t_scalar_t *dstlen)
{
	udp_t *udp = q->q_ptr;
	mblk_t *dp = mp->b_cont, *hp;
	size_t len;
	sin_t sin;

	if ((*error = ulp_unitdata_sin(mp, udp->udp_state, &sin, dstlen)) != 0)
		return (NULL);
	*error = EADDRNOTAVAIL;
	if (sin.sin_port == 0)
		return (NULL);
	*error = EMSGSIZE;
	if ((len = msgdsize(dp)) + UDP_HDR_LEN > IP_MAXPACKET)
		return (NULL);
	*error = ENOMEM;
	if ((hp = udp_header(udp, dp, len, sin.sin_addr.s_addr, sin.sin_port)) == NULL)
		return (NULL);
	freeb(mp);
	*error = 0;
	return (hp);
}

static int udp_wput(queue_t *q, mblk_t *mp)
{
	t_scalar_t dstlen = 0;
	mblk_t *pkt;
	int error;

	switch (DB_TYPE(mp)) {
	case M_DATA:
		if ((pkt = udp_wput_data(q, mp, &error)) != NULL)
			break;
		BUMP_MIB(&udp_mib, udpOutErrors);
		UDP_DROP("output", mp);
		udp_ud_err(q, mp, NULL, 0, error);
		return (0);
	case M_PROTO:
	case M_PCPROTO:
		if (MBLKL(mp) < (ssize_t)sizeof(t_scalar_t)) {
			freemsg(mp);
			return (0);
		}
		if (((union T_primitives *)mp->b_rptr)->type != T_UNITDATA_REQ) {
			udp_wput_other(q, mp);
			return (0);
		}
		if ((pkt = udp_wput_unitdata(q, mp, &error, &dstlen)) != NULL)
			break;
		BUMP_MIB(&udp_mib, udpOutErrors);
		UDP_DROP("output", mp);
		udp_ud_err(q, mp,
			   dstlen != 0 ? mp->b_rptr + ((struct T_unitdata_req *)mp->b_rptr)->DEST_offset : mp->b_rptr,
			   dstlen, error);
		return (0);
	default:
		udp_wput_other(q, mp);
		return (0);
	}
	UDP_PROBE(send, pkt, q->q_next->q_ptr, (ipha_t *)pkt->b_rptr, (udp_t *)q->q_ptr,
		  (udpha_t *)(pkt->b_rptr + IP_SIMPLE_HDR_LENGTH));
	BUMP_MIB(&udp_mib, udpOutDatagrams);
	(void)putnext(q, pkt);
	return (0);
}

/* ---- up ---- */

/* An option of the indication at p: the address after it. */
static uchar_t *udp_put_opt(uchar_t *p, t_uscalar_t name, const void *val, size_t len)
{
	struct T_opthdr th = {(t_uscalar_t)(sizeof(th) + len), IPPROTO_IP, name, 0};

	memset(p, 0, sizeof(th) + _T_ALIGN(len));
	memcpy(p, &th, sizeof(th));
	memcpy(p + sizeof(th), val, len);
	return (p + sizeof(th) + _T_ALIGN(len));
}

/* Options the user asked for; p NULL: only how long they are. */
static size_t udp_ind_opts(const udp_t *udp, uchar_t *p, const ipha_t *ipha, uint32_t ifindex)
{
	uint32_t ttl = ipha->ipha_ttl;
	uint_t n = udp->udp_recvdstaddr + udp->udp_recvif + udp->udp_recvttl;

	if (p != NULL) {
		if (udp->udp_recvdstaddr)
			p = udp_put_opt(p, IP_RECVDSTADDR, &ipha->ipha_dst, sizeof(ipha->ipha_dst));
		if (udp->udp_recvif)
			p = udp_put_opt(p, IP_RECVIF, &ifindex, sizeof(ifindex));
		if (udp->udp_recvttl)
			(void)udp_put_opt(p, IP_RECVTTL, &ttl, sizeof(ttl));
	}
	return (n * (sizeof(struct T_opthdr) + sizeof(uint32_t)));
}

/* T_UNITDATA_IND for the packet; NULL without memory. */
static mblk_t *udp_unitdata_ind(const udp_t *udp, mblk_t *mp, const ipha_t *ipha, const udpha_t *udpha)
{
	size_t optlen =
	    UNLIKELY(udp->udp_recvdstaddr | udp->udp_recvif | udp->udp_recvttl) ? udp_ind_opts(udp, NULL, ipha, 0) : 0;
	mblk_t *nmp = allocb(sizeof(struct T_unitdata_ind) + sizeof(sin_t) + optlen, BPRI_MED);
	struct T_unitdata_ind *ind;
	sin_t *sin;

	if (nmp == NULL)
		return (NULL);
	DB_TYPE(nmp) = M_PROTO;
	ind = (struct T_unitdata_ind *)nmp->b_rptr;
	*ind = (struct T_unitdata_ind){T_UNITDATA_IND, sizeof(*sin), sizeof(*ind), (t_scalar_t)optlen,
				       optlen != 0 ? (t_scalar_t)(sizeof(*ind) + sizeof(*sin)) : 0};
	sin = (sin_t *)(ind + 1);
	*sin = (sin_t){.sin_family = AF_INET, .sin_port = udpha->uha_src_port, .sin_addr = {ipha->ipha_src}};
	if (optlen != 0)
		(void)udp_ind_opts(udp, (uchar_t *)(sin + 1), ipha, DB_RECVIF(mp));
	nmp->b_wptr = (uchar_t *)(sin + 1) + optlen;
	return (nmp);
}

static int udp_rput(queue_t *q, mblk_t *mp)
{
	const udp_t *udp = q->q_ptr;
	const udpha_t *udpha;
	const ipha_t *ipha;
	uint_t hdr_len;
	mblk_t *ind;

	if (UNLIKELY(DB_TYPE(mp) != M_DATA)) {
		udp_rput_other(q, mp);
		return (0);
	}
	ipha = (const ipha_t *)mp->b_rptr;
	hdr_len = IPH_HDR_LENGTH(ipha);
	udpha = (const udpha_t *)(mp->b_rptr + hdr_len);
	if (MBLKL(mp) < (ssize_t)(hdr_len + UDPH_SIZE) || IPH_HDR_VERSION(ipha) != IPV4_VERSION ||
	    ipha->ipha_protocol != IPPROTO_UDP || msgdsize(mp) != hdr_len + ntohs(udpha->uha_length)) {
		BUMP_MIB(&udp_mib, udpInErrors);
		UDP_DROP("length", mp);
		freemsg(mp);
		return (0);
	}
	if ((ind = udp_unitdata_ind(udp, mp, ipha, udpha)) == NULL) {
		BUMP_MIB(&udp_mib, udpInErrors);
		UDP_DROP("no memory", mp);
		freemsg(mp);
		return (0);
	}
	UDP_PROBE(receive, mp, WR(q)->q_next->q_ptr, ipha, udp, udpha);
	mp->b_rptr += hdr_len + UDPH_SIZE;
	ind->b_cont = mp;
	BUMP_MIB(&udp_mib, udpInDatagrams);
	(void)putnext(q, ind);
	return (0);
}

/* ---- open and close ---- */

/* Tell the stream head how much room our headers need, and how much it may queue. */
static int udp_setopts(queue_t *q, const udp_t *udp)
{
	mblk_t *mp = ulp_setopts(SO_WROFF | SO_HIWAT, udp->udp_max_hdr_len + UDP_WROFF_EXTRA, UDP_RECV_HIWAT);

	if (mp == NULL)
		return (ENOMEM);
	(void)putnext(q, mp);
	return (0);
}

static int udp_open(queue_t *q, dev_t *devp, int flag, int sflag, cred_t *cr)
{
	udp_t *udp;
	int error;

	(void)devp;
	(void)flag;
	(void)cr;
	if (q->q_ptr != NULL)
		return (0);
	if (sflag != MODOPEN)
		return (EINVAL);
	if ((udp = kmem_zalloc(sizeof(*udp), KM_NOSLEEP)) == NULL)
		return (ENOMEM);
	udp->udp_rq = q;
	udp->udp_wq = WR(q);
	udp->udp_state = TS_UNBND;
	udp->udp_family = AF_INET;
	udp->udp_ipversion = IPV4_VERSION;
	udp->udp_ttl = UDP_IPV4_TTL;
	udp->udp_multicast_ttl = 1;
	udp->udp_multicast_loop = 1;
	udp->udp_max_hdr_len = UDP_HDR_LEN;
	udp->udp_pending_op = -1;
	ipcl_v4_set(&udp->udp_v6src, INADDR_ANY);
	ipcl_v4_set(&udp->udp_bound_v6src, INADDR_ANY);
	ipcl_v4_set(&udp->udp_v6dst, INADDR_ANY);
	WR(q)->q_ptr = q->q_ptr = udp;
	WR(q)->q_hiwat = UDP_XMIT_HIWAT;
	WR(q)->q_lowat = UDP_XMIT_LOWAT;
	qprocson(q);
	if ((error = udp_setopts(q, udp)) != 0) {
		qprocsoff(q);
		WR(q)->q_ptr = q->q_ptr = NULL;
		kmem_free(udp, sizeof(*udp));
	}
	return (error);
}

static int udp_close(queue_t *q, int flag, cred_t *cr)
{
	udp_t *udp = q->q_ptr;

	(void)flag;
	(void)cr;
	qprocsoff(q);
	WR(q)->q_ptr = q->q_ptr = NULL;
	udp_close_free(udp);
	return (0);
}

static struct module_info udp_info = {5607, "udp", 1, INFPSZ, UDP_RECV_HIWAT, 128};
static struct qinit udp_rinit = {udp_rput, NULL, udp_open, udp_close, NULL, &udp_info, NULL};
static struct qinit udp_winit = {udp_wput, NULL, NULL, NULL, NULL, &udp_info, NULL};
static struct streamtab udpinfo = {&udp_rinit, &udp_winit, NULL, NULL};

STREAMS_MODULE(udp, "udp", &udpinfo, D_MP);
