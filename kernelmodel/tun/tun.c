/*
 * tun: IPv4 in IPv4 (RFC 2003).
 *
 * Theory.  The module stands between two instances of IP.  For the one above
 * it is a link-level driver (DLPI, style 2); the "link header" it hands out
 * for the fast path is 32 spare bytes and an outer IP header, so that sending
 * is little more than writing the outer length.  For the one below it is a
 * transport user: it binds protocol 4 between the tunnel's two outer addresses,
 * after having asked for the protection that was configured.
 *
 * New parameters (SIOCSTUNPARAM) are put into force step by step, each with a
 * TPI request that IP answers: unbind, security, bind.  The ioctl that brought
 * them waits meanwhile in tun_iocmp.
 *
 * The size of packets follows the path below: IP is asked for the route when
 * the tunnel is bound and every ten minutes while it sends, and ICMP errors
 * about outer packets are heard.  A change is told above with DL_NOTIFY_IND.
 *
 * Order of this file: the table, sending up, parameters, DLPI, ioctl, write
 * side, ICMP errors, read side, open and close.
 */
#include <stdio.h>
#include <string.h>

#include "ip/ip.h"
#include "ip/ulp.h"
#include "sys/dlpi.h"
#include "sys/errno.h"
#include "sys/ethernet.h"
#include "sys/strsubr.h"
#include "sys/tihdr.h"
#include "sys/tun.h"

/* tun_flags */
#define TUN_BOUND 0x010
#define TUN_BIND_SENT 0x020
#define TUN_SRC 0x040
#define TUN_DST 0x080
#define TUN_FASTPATH 0x200
#define TUN_SECURITY 0x400
#define TUN_HOP_LIM 0x800
#define TUN_U_V4 0x10000 /* IPv4 above */
#define TUN_L_V4 0x20000 /* IPv4 below */

#define TUN_EXTRA_OFFSET 32 /* spare bytes before the outer header: room for what is added below */
#define TUN_HDR_LEN IP_SIMPLE_HDR_LENGTH
#define TUN_LINK_MTU 1500 /* of the path, while nothing is known of it */
#define TUN_MIN_MTU 68    /* RFC 791 */
#define TUN_IRE_INTERVAL (600 * HZ)
#define TUN_ECN_BITS 0x03

/* clang-format off */
#define TUN_STATS(X) \
	X(nocanput) X(xmtretry) X(allocbfail) X(InErrors) X(OutErrors) X(InDiscard) X(OutDiscard) \
	X(HCInOctets) X(HCOutOctets) X(HCInUcastPkts) X(HCOutUcastPkts) X(HCInMulticastPkts) X(HCOutMulticastPkts)
/* clang-format on */
typedef struct tunstat {
#define TUN_STAT_FIELD(name) uint64_t name;
	TUN_STATS(TUN_STAT_FIELD)
#undef TUN_STAT_FIELD
} tunstat_t;

/* What a program may set. */
typedef struct tunparam {
	ipaddr_t tun_laddr, tun_faddr;
	ipsec_req_t tun_secinfo;
	uint8_t tun_hop_limit;
	uint_t tun_flags; /* TUN_SRC, TUN_DST, TUN_SECURITY, TUN_HOP_LIM */
} tunparam_t;

/* The next thing to do about new parameters. */
typedef enum { TUN_IDLE, TUN_UNBIND, TUN_SECREQ, TUN_BIND, TUN_DONE } tun_step_t;

typedef struct tun_s {
	struct tun_s *tun_next;
	queue_t *tun_wq;
	uint_t tun_state; /* DL_..., as the ip above sees it */
	uint_t tun_flags;
	tunparam_t tun_param;
	uint_t tun_mtu;
	uint_t tun_extra_offset;
	ipha_t tun_ipha; /* the outer header */
	uint_t tun_ipsec_overhead;
	uint_t tun_ppa;
	char tun_lifname[IFTUN_NAMSIZ];
	clock_t_ tun_ire_lastreq; /* when IP was last asked for the route (lbolt) */
	/* while parameters are put into force */
	mblk_t *tun_iocmp;
	tun_step_t tun_step;
	tunparam_t tun_oldparam;
	tunstat_t tun_stat;
} tun_t;

static KLOCAL tun_t *tun_head;

static void tun_param_next(tun_t *tun);

/* ---- the table ---- */

uint64_t tun_kstat(uint_t ppa, const char *name, bool *found)
{
	const tun_t *tun;

	*found = true;
	for (tun = tun_head; tun != NULL && (tun->tun_ppa != ppa || tun->tun_state == DL_UNATTACHED);
	     tun = tun->tun_next)
		continue;
	if (tun != NULL) {
		const tunstat_t *ts = &tun->tun_stat;
		const struct {
			const char *name;
			uint64_t value;
		} low[] = {
		    {"ipackets", ts->HCInUcastPkts + ts->HCInMulticastPkts},
		    {"opackets", ts->HCOutUcastPkts + ts->HCOutMulticastPkts},
		    {"rbytes", ts->HCInOctets},
		    {"obytes", ts->HCOutOctets},
		    {"multircv", ts->HCInMulticastPkts},
		    {"multixmt", ts->HCOutMulticastPkts},
		};

		for (size_t i = 0; i < sizeof(low) / sizeof(low[0]); i++)
			if (strcmp(name, low[i].name) == 0)
				return ((uint32_t)low[i].value);
#define TUN_STAT_NAMED(field)          \
	if (strcmp(name, #field) == 0) \
		return (ts->field);
		TUN_STATS(TUN_STAT_NAMED)
#undef TUN_STAT_NAMED
	}
	*found = false;
	return (0);
}

/* Drop a packet. */
static void tun_drop(mblk_t *mp, uint64_t *counter)
{
	(*counter)++;
	freemsg(mp);
}

/* ---- size of packets ---- */

/* Tell the ip above how large its packets may be. */
static void tun_sendsdusize(tun_t *tun)
{
	dl_notify_ind_t ind = {DL_NOTIFY_IND, DL_NOTE_SDU_SIZE, tun->tun_mtu, 0, 0};
	mblk_t *mp;

	if (tun->tun_state != DL_IDLE)
		return; /* DL_INFO_ACK will say it */
	if ((mp = allocb(sizeof(ind), BPRI_HI)) == NULL) {
		tun->tun_stat.allocbfail++;
		return;
	}
	DB_TYPE(mp) = M_PROTO;
	memcpy(mp->b_wptr, &ind, sizeof(ind));
	mp->b_wptr += sizeof(ind);
	(void)putnext(RD(tun->tun_wq), mp);
}

/* The path below takes packets of this size. */
static void tun_update_link_mtu(tun_t *tun, uint_t link_mtu)
{
	uint_t overhead = TUN_HDR_LEN + tun->tun_ipsec_overhead, mtu;

	mtu = link_mtu > overhead + TUN_MIN_MTU ? link_mtu - overhead : TUN_MIN_MTU;
	if (mtu == tun->tun_mtu)
		return;
	tun->tun_mtu = mtu;
	tun_sendsdusize(tun);
}

/* Ask the ip below for the route to the other end. */
static void tun_send_ire_req(queue_t *q)
{
	tun_t *tun = q->q_ptr;
	mblk_t *mp = allocb(sizeof(ipaddr_t), BPRI_HI);

	if (mp == NULL) {
		tun->tun_stat.allocbfail++;
		return;
	}
	tun->tun_ire_lastreq = ddi_get_lbolt();
	DB_TYPE(mp) = IRE_DB_REQ_TYPE;
	memcpy(mp->b_wptr, &tun->tun_param.tun_faddr, sizeof(ipaddr_t));
	mp->b_wptr += sizeof(ipaddr_t);
	(void)putnext(q, mp);
}

/* Its answer. */
static void tun_rput_ire(tun_t *tun, mblk_t *mp)
{
	const ire_t *ire = (const ire_t *)mp->b_rptr;

	if (MBLKL(mp) >= (ssize_t)sizeof(*ire))
		tun_update_link_mtu(tun, ire->ire_max_frag);
	freemsg(mp);
}

/* ---- parameters ---- */

/* The outer header of every packet. */
static void tun_make_header(tun_t *tun)
{
	const tunparam_t *tp = &tun->tun_param;

	tun->tun_ipha = (ipha_t){.ipha_version_and_hdr_length = IP_SIMPLE_HDR_VERSION,
				 .ipha_fragment_offset_and_flags = htons(IPH_DF),
				 .ipha_ttl = tp->tun_flags & TUN_HOP_LIM ? tp->tun_hop_limit : TUN_DEFAULT_HOPLIMIT,
				 .ipha_protocol = IPPROTO_ENCAP,
				 .ipha_src = tp->tun_laddr,
				 .ipha_dst = tp->tun_faddr};
	tun->tun_ipsec_overhead =
	    tp->tun_secinfo.ipsr_esp_req & (IPSEC_PREF_REQUIRED | IPSEC_PREF_UNIQUE) ? ESP_MAX_OVERHEAD : 0;
}

static boolean_t tun_addr_valid(const struct sockaddr_storage *ss, ipaddr_t *addr)
{
	*addr = ((const struct sockaddr_in *)ss)->sin_addr.s_addr;
	return (ss->ss_family == AF_INET && *addr != INADDR_ANY && *addr != INADDR_BROADCAST && !CLASSD(*addr));
}

/* The request on top of what there is: 0 or EINVAL. */
static int tun_param_merge(tunparam_t *tp, const struct iftun_req *ta)
{
	uint_t known = IFTUN_SRC | IFTUN_DST | IFTUN_SECURITY | IFTUN_HOPLIMIT;
	const ipsec_req_t *sec = &ta->ifta_secinfo;

	if (ta->ifta_vers != IFTUN_VERSION || (ta->ifta_flags & ~known))
		return (EINVAL);
	if (ta->ifta_flags & IFTUN_SRC) {
		if (!tun_addr_valid(&ta->ifta_saddr, &tp->tun_laddr))
			return (EINVAL);
		tp->tun_flags |= TUN_SRC;
	}
	if (ta->ifta_flags & IFTUN_DST) {
		if (!tun_addr_valid(&ta->ifta_daddr, &tp->tun_faddr))
			return (EINVAL);
		tp->tun_flags |= TUN_DST;
	}
	if ((tp->tun_flags & (TUN_SRC | TUN_DST)) == (TUN_SRC | TUN_DST) && tp->tun_laddr == tp->tun_faddr)
		return (EINVAL);
	if (ta->ifta_flags & IFTUN_HOPLIMIT) {
		if (ta->ifta_hop_limit == 0)
			return (EINVAL);
		tp->tun_hop_limit = ta->ifta_hop_limit;
		tp->tun_flags |= TUN_HOP_LIM;
	}
	if (ta->ifta_flags & IFTUN_SECURITY) {
		tp->tun_secinfo = *sec;
		if (sec->ipsr_ah_req != 0 || sec->ipsr_esp_req != 0 || sec->ipsr_self_encap_req != 0)
			tp->tun_flags |= TUN_SECURITY;
		else
			tp->tun_flags &= ~(uint_t)TUN_SECURITY;
	}
	return (0);
}

/* What the tunnel has now. */
static void tun_param_fill(const tun_t *tun, struct iftun_req *ta)
{
	const tunparam_t *tp = &tun->tun_param;

	memset(ta, 0, sizeof(*ta));
	memcpy(ta->ifta_lifr_name, tun->tun_lifname, sizeof(ta->ifta_lifr_name));
	ta->ifta_vers = IFTUN_VERSION;
	ta->ifta_lower = IFTAP_IPV4;
	ta->ifta_upper = tun->tun_flags & TUN_U_V4 ? IFTAP_IPV4 : IFTAP_INVALID;
	ta->ifta_hop_limit = tun->tun_ipha.ipha_ttl;
	ta->ifta_flags = IFTUN_HOPLIMIT;
	if (tp->tun_flags & TUN_SRC) {
		ta->ifta_flags |= IFTUN_SRC;
		ta->ifta_saddr.ss_family = AF_INET;
		((struct sockaddr_in *)&ta->ifta_saddr)->sin_addr.s_addr = tp->tun_laddr;
	}
	if (tp->tun_flags & TUN_DST) {
		ta->ifta_flags |= IFTUN_DST;
		ta->ifta_daddr.ss_family = AF_INET;
		((struct sockaddr_in *)&ta->ifta_daddr)->sin_addr.s_addr = tp->tun_faddr;
	}
	if (tp->tun_flags & TUN_SECURITY) {
		ta->ifta_flags |= IFTUN_SECURITY;
		ta->ifta_secinfo = tp->tun_secinfo;
	}
}

/* The ioctl is over.  After an error the old parameters are shown again, but the tunnel is not bound. */
static void tun_param_end(tun_t *tun, int error)
{
	mblk_t *mp = tun->tun_iocmp;

	tun->tun_iocmp = NULL;
	tun->tun_step = TUN_IDLE;
	if (error != 0) {
		tun->tun_param = tun->tun_oldparam;
		tun_make_header(tun);
		miocnak(tun->tun_wq, mp, 0, error);
		return;
	}
	if (tun->tun_flags & TUN_BOUND)
		tun_send_ire_req(tun->tun_wq);
	miocack(tun->tun_wq, mp, 0, 0);
}

/* A step could not be taken for lack of memory. */
static boolean_t tun_step_sent(tun_t *tun, mblk_t *mp)
{
	if (mp != NULL) {
		(void)putnext(tun->tun_wq, mp);
		return (B_TRUE);
	}
	tun->tun_stat.allocbfail++;
	tun_param_end(tun, ENOMEM);
	return (B_FALSE);
}

/* Ask IP for the protection of the outer packets. */
static void tun_send_sec_req(tun_t *tun)
{
	struct T_optmgmt_req req = {T_SVR4_OPTMGMT_REQ, sizeof(struct opthdr) + sizeof(ipsec_req_t), sizeof(req),
				    T_NEGOTIATE};
	struct opthdr oh = {IPPROTO_IP, IP_SEC_OPT, sizeof(ipsec_req_t)};
	mblk_t *mp = allocb(sizeof(req) + sizeof(oh) + sizeof(ipsec_req_t), BPRI_HI);

	if (mp != NULL) {
		DB_TYPE(mp) = M_PROTO;
		memcpy(mp->b_wptr, &req, sizeof(req));
		memcpy(mp->b_wptr + sizeof(req), &oh, sizeof(oh));
		memcpy(mp->b_wptr + sizeof(req) + sizeof(oh), &tun->tun_param.tun_secinfo, sizeof(ipsec_req_t));
		mp->b_wptr += sizeof(req) + sizeof(oh) + sizeof(ipsec_req_t);
	}
	(void)tun_step_sent(tun, mp);
}

/* Bind protocol 4 between the two ends. */
static void tun_send_bind_req(tun_t *tun)
{
	ipa_conn_t ac = {.ac_laddr = tun->tun_param.tun_laddr, .ac_faddr = tun->tun_param.tun_faddr};

	tun->tun_flags |= TUN_BIND_SENT;
	if (!tun_step_sent(tun, ulp_ip_bind_mp(&ac, sizeof(ac), IPPROTO_ENCAP)))
		tun->tun_flags &= ~(uint_t)TUN_BIND_SENT;
}

/* Take the next step; the answer of IP takes the one after it. */
static void tun_param_next(tun_t *tun)
{
	uint_t ends = TUN_SRC | TUN_DST;

	switch (tun->tun_step++) {
	case TUN_UNBIND:
		if (tun->tun_flags & TUN_BOUND) {
			(void)tun_step_sent(tun, ulp_ip_unbind_mp());
			return;
		}
		tun->tun_step++;
		/* FALLTHROUGH */
	case TUN_SECREQ:
		tun->tun_step = TUN_BIND;
		if ((tun->tun_param.tun_flags | tun->tun_oldparam.tun_flags) & TUN_SECURITY) {
			tun_send_sec_req(tun);
			return;
		}
		tun->tun_step++;
		/* FALLTHROUGH */
	case TUN_BIND:
		tun->tun_step = TUN_DONE;
		if ((tun->tun_param.tun_flags & ends) == ends) {
			tun_send_bind_req(tun);
			return;
		}
		/* FALLTHROUGH */
	default:
		tun_param_end(tun, 0);
		return;
	}
}

/* New parameters. */
static void tun_param_set(tun_t *tun, mblk_t *mp, const struct iftun_req *ta)
{
	tunparam_t tp = tun->tun_param;
	int error = tun_param_merge(&tp, ta);

	if (error == 0 && tun->tun_iocmp != NULL)
		error = EBUSY;
	if (error != 0) {
		miocnak(tun->tun_wq, mp, 0, error);
		return;
	}
	tun->tun_oldparam = tun->tun_param;
	tun->tun_param = tp;
	tun_make_header(tun);
	memcpy(tun->tun_lifname, ta->ifta_lifr_name, sizeof(tun->tun_lifname));
	tun->tun_lifname[sizeof(tun->tun_lifname) - 1] = '\0';
	tun->tun_iocmp = mp;
	tun->tun_step = TUN_UNBIND;
	tun_param_next(tun);
}

/* ---- the ip below answers ---- */

static void tun_rput_tpi(tun_t *tun, mblk_t *mp)
{
	const union T_primitives *tp = (const union T_primitives *)mp->b_rptr;
	int error = EPROTO;

	if (MBLKL(mp) < (ssize_t)sizeof(t_scalar_t)) {
		freemsg(mp);
		return;
	}
	switch (tp->type) {
	case T_BIND_ACK:
		tun->tun_flags = (tun->tun_flags & ~(uint_t)TUN_BIND_SENT) | TUN_BOUND;
		break;
	case T_OK_ACK:
		tun->tun_flags &= ~(uint_t)TUN_BOUND;
		break;
	case T_OPTMGMT_ACK:
		break;
	case T_ERROR_ACK:
		tun->tun_flags &= ~(uint_t)TUN_BIND_SENT;
		if (MBLKL(mp) >= (ssize_t)sizeof(tp->error_ack) && tp->error_ack.UNIX_error != 0)
			error = tp->error_ack.UNIX_error;
		freemsg(mp);
		if (tun->tun_iocmp != NULL)
			tun_param_end(tun, error);
		return;
	default:
		freemsg(mp);
		return;
	}
	freemsg(mp);
	if (tun->tun_iocmp != NULL)
		tun_param_next(tun);
}

/* ---- DLPI: we are the driver ---- */

static void tun_error_ack(queue_t *q, mblk_t *mp, uint32_t dl_errno)
{
	dl_error_ack_t ack = {DL_ERROR_ACK, ((union DL_primitives *)mp->b_rptr)->dl_primitive, dl_errno, 0};

	if ((mp = mexchange(q, mp, sizeof(ack), M_PCPROTO, DL_ERROR_ACK)) == NULL)
		return;
	memcpy(mp->b_rptr, &ack, sizeof(ack));
	qreply(q, mp);
}

static void tun_ok_ack(queue_t *q, mblk_t *mp, uint32_t prim)
{
	dl_ok_ack_t ack = {DL_OK_ACK, prim};

	if ((mp = mexchange(q, mp, sizeof(ack), M_PCPROTO, DL_OK_ACK)) == NULL)
		return;
	memcpy(mp->b_rptr, &ack, sizeof(ack));
	qreply(q, mp);
}

static void tun_info_req(queue_t *q, mblk_t *mp)
{
	const tun_t *tun = q->q_ptr;
	dl_info_ack_t ack = {.dl_primitive = DL_INFO_ACK,
			     .dl_max_sdu = tun->tun_mtu,
			     .dl_min_sdu = 1,
			     .dl_addr_length = sizeof(ipaddr_t),
			     .dl_mac_type = DL_IPV4,
			     .dl_current_state = tun->tun_state,
			     .dl_service_mode = DL_CLDLS,
			     .dl_provider_style = DL_STYLE2,
			     .dl_addr_offset = sizeof(ack),
			     .dl_version = DL_VERSION_2};

	if ((mp = mexchange(q, mp, sizeof(ack) + sizeof(ipaddr_t), M_PCPROTO, DL_INFO_ACK)) == NULL)
		return;
	memcpy(mp->b_rptr, &ack, sizeof(ack));
	memcpy(mp->b_rptr + sizeof(ack), &tun->tun_param.tun_laddr, sizeof(ipaddr_t));
	qreply(q, mp);
}

static void tun_attach_req(queue_t *q, mblk_t *mp)
{
	tun_t *tun = q->q_ptr;

	if (MBLKL(mp) < (ssize_t)sizeof(dl_attach_req_t)) {
		tun_error_ack(q, mp, DL_BADPRIM);
		return;
	}
	if (tun->tun_state != DL_UNATTACHED) {
		tun_error_ack(q, mp, DL_OUTSTATE);
		return;
	}
	tun->tun_ppa = ((dl_attach_req_t *)mp->b_rptr)->dl_ppa;
	tun->tun_state = DL_UNBOUND;
	tun_ok_ack(q, mp, DL_ATTACH_REQ);
}

static void tun_detach_req(queue_t *q, mblk_t *mp)
{
	tun_t *tun = q->q_ptr;

	if (tun->tun_state != DL_UNBOUND) {
		tun_error_ack(q, mp, DL_OUTSTATE);
		return;
	}
	tun->tun_state = DL_UNATTACHED;
	tun_ok_ack(q, mp, DL_DETACH_REQ);
}

static void tun_bind_req(queue_t *q, mblk_t *mp)
{
	tun_t *tun = q->q_ptr;
	const dl_bind_req_t *req = (const dl_bind_req_t *)mp->b_rptr;
	dl_bind_ack_t ack = {.dl_primitive = DL_BIND_ACK,
			     .dl_sap = ETHERTYPE_IP,
			     .dl_addr_length = sizeof(ipaddr_t),
			     .dl_addr_offset = sizeof(ack)};

	if (MBLKL(mp) < (ssize_t)sizeof(*req)) {
		tun_error_ack(q, mp, DL_BADPRIM);
	} else if (tun->tun_state != DL_UNBOUND) {
		tun_error_ack(q, mp, DL_OUTSTATE);
	} else if (req->dl_service_mode != DL_CLDLS) {
		tun_error_ack(q, mp, DL_UNSUPPORTED);
	} else if (req->dl_xidtest_flg != 0) {
		tun_error_ack(q, mp, DL_NOAUTO);
	} else if (req->dl_sap != ETHERTYPE_IP) {
		tun_error_ack(q, mp, DL_BADSAP);
	} else {
		mp = mexchange(q, mp, sizeof(ack) + sizeof(ipaddr_t), M_PCPROTO, DL_BIND_ACK);
		if (mp == NULL)
			return;
		tun->tun_state = DL_IDLE;
		tun->tun_flags |= TUN_U_V4;
		memcpy(mp->b_rptr, &ack, sizeof(ack));
		memcpy(mp->b_rptr + sizeof(ack), &tun->tun_param.tun_laddr, sizeof(ipaddr_t));
		qreply(q, mp);
	}
}

static void tun_unbind_req(queue_t *q, mblk_t *mp)
{
	tun_t *tun = q->q_ptr;

	if (tun->tun_state != DL_IDLE) {
		tun_error_ack(q, mp, DL_OUTSTATE);
		return;
	}
	tun->tun_state = DL_UNBOUND;
	tun->tun_flags &= ~(uint_t)(TUN_U_V4 | TUN_FASTPATH);
	flushq(RD(q), FLUSHDATA);
	flushq(q, FLUSHDATA);
	tun_ok_ack(q, mp, DL_UNBIND_REQ);
}

/* None: checksums and all else are the work of IP. */
static void tun_capability_req(queue_t *q, mblk_t *mp)
{
	const tun_t *tun = q->q_ptr;
	dl_capability_ack_t ack = {DL_CAPABILITY_ACK, 0, 0};

	if (tun->tun_state == DL_UNATTACHED) {
		tun_error_ack(q, mp, DL_OUTSTATE);
		return;
	}
	if ((mp = mexchange(q, mp, sizeof(ack), M_PROTO, DL_CAPABILITY_ACK)) == NULL)
		return;
	memcpy(mp->b_rptr, &ack, sizeof(ack));
	qreply(q, mp);
}

/* Of all there is to be told, a new size of packets is what will be. */
static void tun_notify_req(queue_t *q, mblk_t *mp)
{
	dl_notify_ack_t ack = {DL_NOTIFY_ACK, DL_NOTE_SDU_SIZE};

	if (MBLKL(mp) < (ssize_t)sizeof(dl_notify_req_t)) {
		tun_error_ack(q, mp, DL_BADPRIM);
		return;
	}
	ack.dl_notifications &= ((dl_notify_req_t *)mp->b_rptr)->dl_notifications;
	if ((mp = mexchange(q, mp, sizeof(ack), M_PROTO, DL_NOTIFY_ACK)) == NULL)
		return;
	memcpy(mp->b_rptr, &ack, sizeof(ack));
	qreply(q, mp);
}

static void tun_phys_addr_req(queue_t *q, mblk_t *mp)
{
	const tun_t *tun = q->q_ptr;
	dl_phys_addr_ack_t ack = {DL_PHYS_ADDR_ACK, sizeof(ipaddr_t), sizeof(ack)};

	if ((mp = mexchange(q, mp, sizeof(ack) + sizeof(ipaddr_t), M_PCPROTO, DL_PHYS_ADDR_ACK)) == NULL)
		return;
	memcpy(mp->b_rptr, &ack, sizeof(ack));
	memcpy(mp->b_rptr + sizeof(ack), &tun->tun_param.tun_laddr, sizeof(ipaddr_t));
	qreply(q, mp);
}

/* ---- write side: packets ---- */

/*
 * A packet with its outer header in place, contiguous with the inner one: fill
 * in what differs from packet to packet.  B_FALSE: it cannot be sent and is gone.
 */
ALWAYS_INLINE boolean_t tun_finish_header(tun_t *tun, mblk_t *mp)
{
	ipha_t *ipha = (ipha_t *)mp->b_rptr;
	const ipha_t *inner = ipha + 1;
	uint_t len = ntohs(inner->ipha_length) + TUN_HDR_LEN;

	if (IPH_HDR_VERSION(inner) != IPV4_VERSION || len > IP_MAXPACKET ||
	    inner->ipha_dst == tun->tun_param.tun_faddr) {
		/* The last: the route to the other end leads into the tunnel. */
		tun_drop(mp, &tun->tun_stat.OutErrors);
		return (B_FALSE);
	}
	if ((tun->tun_flags & TUN_BOUND) == 0) {
		tun_drop(mp, &tun->tun_stat.OutDiscard);
		return (B_FALSE);
	}
	*ipha = tun->tun_ipha;
	ipha->ipha_length = htons(len);
	ipha->ipha_type_of_service = inner->ipha_type_of_service & (uint8_t)~TUN_ECN_BITS;
	if (CLASSD(inner->ipha_dst))
		tun->tun_stat.HCOutMulticastPkts++;
	else
		tun->tun_stat.HCOutUcastPkts++;
	tun->tun_stat.HCOutOctets += len;
	return (B_TRUE);
}

/* Is it time to look at the route again? */
#define TUN_IRE_DUE(tun) (ddi_get_lbolt() - (tun)->tun_ire_lastreq >= TUN_IRE_INTERVAL)

/* A packet with the spare bytes and the outer header of the fast path in front. */
static void tun_wputnext_v4(queue_t *q, mblk_t *mp)
{
	tun_t *tun = q->q_ptr;

	if (MBLKL(mp) < (ssize_t)(tun->tun_extra_offset + TUN_HDR_LEN)) {
		tun_drop(mp, &tun->tun_stat.OutErrors);
		return;
	}
	mp->b_rptr += tun->tun_extra_offset;
	if (MBLKL(mp) < 2 * IP_SIMPLE_HDR_LENGTH && !pullupmsg(mp, 2 * IP_SIMPLE_HDR_LENGTH)) {
		if (msgdsize(mp) >= 2 * IP_SIMPLE_HDR_LENGTH)
			tun->tun_stat.allocbfail++;
		tun_drop(mp, &tun->tun_stat.OutErrors);
		return;
	}
	if (!tun_finish_header(tun, mp))
		return;
	if (TUN_IRE_DUE(tun))
		tun_send_ire_req(q);
	(void)putnext(q, mp);
}

/* Put the outer header in front of a packet that came without; NULL without memory (mp freed). */
static mblk_t *tun_prepend_header(tun_t *tun, mblk_t *mp)
{
	mblk_t *hp = allocb(tun->tun_extra_offset + 2 * IP_SIMPLE_HDR_LENGTH, BPRI_HI);

	if (hp == NULL) {
		tun->tun_stat.allocbfail++;
		tun_drop(mp, &tun->tun_stat.OutDiscard);
		return (NULL);
	}
	hp->b_rptr += tun->tun_extra_offset;
	hp->b_wptr = hp->b_rptr + 2 * IP_SIMPLE_HDR_LENGTH;
	memcpy(hp->b_rptr + TUN_HDR_LEN, mp->b_rptr, IP_SIMPLE_HDR_LENGTH);
	mp->b_rptr += IP_SIMPLE_HDR_LENGTH;
	hp->b_cont = mp;
	return (hp);
}

/* A packet that came as DL_UNITDATA_REQ. */
static void tun_wdata_v4(queue_t *q, mblk_t *mp)
{
	tun_t *tun = q->q_ptr;

	if (MBLKL(mp) < IP_SIMPLE_HDR_LENGTH && !pullupmsg(mp, IP_SIMPLE_HDR_LENGTH)) {
		tun_drop(mp, &tun->tun_stat.OutErrors);
		return;
	}
	if (DB_REF(mp) > 1 || DB_TYPE(mp) != M_DATA) {
		tun_drop(mp, &tun->tun_stat.OutErrors);
		return;
	}
	if ((mp = tun_prepend_header(tun, mp)) == NULL || !tun_finish_header(tun, mp))
		return;
	if (TUN_IRE_DUE(tun))
		tun_send_ire_req(q);
	(void)putnext(q, mp);
}

static void tun_unitdata_req(queue_t *q, mblk_t *mp)
{
	tun_t *tun = q->q_ptr;
	mblk_t *dp = mp->b_cont;

	if (tun->tun_state != DL_IDLE || MBLKL(mp) < (ssize_t)sizeof(dl_unitdata_req_t) || dp == NULL) {
		tun_drop(mp, &tun->tun_stat.OutErrors);
		return;
	}
	if (!canputnext(q)) {
		tun->tun_stat.xmtretry++;
		(void)putbq(q, mp);
		return;
	}
	freeb(mp);
	tun_wdata_v4(q, dp);
}

static void tun_wproc_mdata(queue_t *q, mblk_t *mp)
{
	tun_t *tun = q->q_ptr;

	if ((tun->tun_flags & TUN_FASTPATH) == 0) {
		tun_drop(mp, &tun->tun_stat.OutErrors);
		return;
	}
	if (!canputnext(q)) {
		tun->tun_stat.xmtretry++;
		(void)putbq(q, mp);
		return;
	}
	tun_wputnext_v4(q, mp);
}

static void tun_wput_dlpi(queue_t *q, mblk_t *mp)
{
	if (MBLKL(mp) < (ssize_t)sizeof(uint32_t)) {
		freemsg(mp);
		return;
	}
	switch (((union DL_primitives *)mp->b_rptr)->dl_primitive) {
	case DL_UNITDATA_REQ:
		tun_unitdata_req(q, mp);
		return;
	case DL_INFO_REQ:
		tun_info_req(q, mp);
		return;
	case DL_ATTACH_REQ:
		tun_attach_req(q, mp);
		return;
	case DL_DETACH_REQ:
		tun_detach_req(q, mp);
		return;
	case DL_BIND_REQ:
		tun_bind_req(q, mp);
		return;
	case DL_UNBIND_REQ:
		tun_unbind_req(q, mp);
		return;
	case DL_CAPABILITY_REQ:
		tun_capability_req(q, mp);
		return;
	case DL_NOTIFY_REQ:
		tun_notify_req(q, mp);
		return;
	case DL_PHYS_ADDR_REQ:
		tun_phys_addr_req(q, mp);
		return;
	case DL_SET_PHYS_ADDR_REQ:
	case DL_ENABMULTI_REQ:
	case DL_DISABMULTI_REQ:
	case DL_PROMISCON_REQ:
	case DL_PROMISCOFF_REQ:
		tun_error_ack(q, mp, DL_NOTSUPPORTED);
		return;
	default:
		tun_error_ack(q, mp, DL_BADPRIM);
		return;
	}
}

/* ---- write side: ioctl ---- */

/* DL_IOC_HDR_INFO: what to put in front of packets. */
static void tun_fastpath(queue_t *q, mblk_t *mp)
{
	tun_t *tun = q->q_ptr;
	mblk_t *hp;
	int error = miocpullup(mp, sizeof(dl_unitdata_req_t));

	if (error == 0 &&
	    (((union DL_primitives *)mp->b_cont->b_rptr)->dl_primitive != DL_UNITDATA_REQ || tun->tun_state != DL_IDLE))
		error = EINVAL;
	if (error != 0) {
		miocnak(q, mp, 0, error);
		return;
	}
	if ((hp = allocb(tun->tun_extra_offset + TUN_HDR_LEN, BPRI_HI)) == NULL) {
		tun->tun_stat.allocbfail++;
		miocnak(q, mp, 0, ENOMEM);
		return;
	}
	memset(hp->b_wptr, 0, tun->tun_extra_offset);
	memcpy(hp->b_wptr + tun->tun_extra_offset, &tun->tun_ipha, TUN_HDR_LEN);
	hp->b_wptr += tun->tun_extra_offset + TUN_HDR_LEN;
	linkb(mp, hp);
	tun->tun_flags |= TUN_FASTPATH;
	miocack(q, mp, (int)msgsize(mp->b_cont), 0);
}

/* The request is here (mp's b_cont), by I_STR or copied in. */
static void tun_param_ioctl(queue_t *q, mblk_t *mp)
{
	struct iocblk *iocp = (struct iocblk *)mp->b_rptr;
	struct iftun_req ta;

	memcpy(&ta, mp->b_cont->b_rptr, sizeof(ta));
	if ((uint_t)iocp->ioc_cmd == SIOCSTUNPARAM) {
		tun_param_set(q->q_ptr, mp, &ta);
		return;
	}
	tun_param_fill(q->q_ptr, (struct iftun_req *)mp->b_cont->b_rptr);
	miocack(q, mp, sizeof(ta), 0);
}

static void tun_ioctl(queue_t *q, mblk_t *mp)
{
	struct iocblk *iocp = (struct iocblk *)mp->b_rptr;
	int error = 0;

	switch ((uint_t)iocp->ioc_cmd) {
	case DL_IOC_HDR_INFO:
		tun_fastpath(q, mp);
		return;
	case SIOCSTUNPARAM:
	case SIOCGTUNPARAM:
		break;
	default:
		(void)putnext(q, mp);
		return;
	}
	if ((uint_t)iocp->ioc_cmd == SIOCSTUNPARAM && iocp->ioc_cr->cr_uid != 0) {
		error = EPERM;
	} else if (iocp->ioc_count == TRANSPARENT) {
		mcopyin(mp, *(caddr_t *)(uintptr_t)mp->b_cont->b_rptr, sizeof(struct iftun_req), NULL);
		qreply(q, mp);
		return;
	} else if (iocp->ioc_count != sizeof(struct iftun_req)) {
		error = EINVAL;
	} else {
		error = miocpullup(mp, sizeof(struct iftun_req));
	}
	if (error != 0)
		miocnak(q, mp, 0, error);
	else
		tun_param_ioctl(q, mp);
}

/* A plain ioctl's data were copied in or out. */
static void tun_iocdata(queue_t *q, mblk_t *mp)
{
	struct copyresp *resp = (struct copyresp *)mp->b_rptr;
	uint_t cmd = (uint_t)resp->cp_cmd;
	caddr_t uaddr = (caddr_t)resp->cp_private;

	if (cmd != SIOCSTUNPARAM && cmd != SIOCGTUNPARAM) {
		(void)putnext(q, mp);
		return;
	}
	if (resp->cp_rval != NULL) {
		freemsg(mp);
		return;
	}
	if (uaddr == NULL) {
		miocack(q, mp, 0, 0);
		return;
	}
	if (mp->b_cont == NULL || !pullupmsg(mp->b_cont, sizeof(struct iftun_req))) {
		miocnak(q, mp, 0, mp->b_cont == NULL ? EINVAL : ENOMEM);
		return;
	}
	if (cmd == SIOCSTUNPARAM) {
		tun_param_ioctl(q, mp);
		return;
	}
	tun_param_fill(q->q_ptr, (struct iftun_req *)mp->b_cont->b_rptr);
	mcopyout(mp, NULL, sizeof(struct iftun_req), uaddr, NULL);
	qreply(q, mp);
}

/* ---- write side: entry ---- */

/*
 * The end of a flush at q: as a driver does on the write side (own FLUSHW, other FLUSHR), as a stream head on the read
 * side (the other way round).  What is to be flushed of the other side goes back there.
 */
static void tun_flush(queue_t *q, mblk_t *mp, uchar_t own, uchar_t other)
{
	if (*mp->b_rptr & own) {
		flushq(q, FLUSHDATA);
		*mp->b_rptr &= (uchar_t)~own;
	}
	if (*mp->b_rptr & other) {
		flushq(OTHERQ(q), FLUSHDATA);
		qreply(q, mp);
	} else {
		freemsg(mp);
	}
}

static void tun_wproc(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_DATA:
		tun_wproc_mdata(q, mp);
		return;
	case M_PROTO:
	case M_PCPROTO:
		tun_wput_dlpi(q, mp);
		return;
	case M_IOCTL:
		tun_ioctl(q, mp);
		return;
	case M_IOCDATA:
		tun_iocdata(q, mp);
		return;
	case M_FLUSH:
		tun_flush(q, mp, FLUSHW, FLUSHR);
		return;
	default:
		freemsg(mp);
		return;
	}
}

static int tun_wput(queue_t *q, mblk_t *mp)
{
	if (q->q_first != NULL && queclass(mp) == QNORM)
		(void)putq(q, mp);
	else
		tun_wproc(q, mp);
	return (0);
}

/* What was kept, until there is no more room below. */
static int tun_wsrv(queue_t *q)
{
	mblk_t *mp;

	while ((mp = getq(q)) != NULL) {
		if (datamsg(DB_TYPE(mp)) && !canputnext(q)) {
			(void)putbq(q, mp);
			break;
		}
		tun_wproc(q, mp);
	}
	return (0);
}

/* ---- ICMP errors about outer packets (RFC 2003, 4) ---- */

/*
 * The error that the sender of the inner packet gets; B_FALSE for none.  Where
 * the tunnel is broken, the inner destination is unreachable.
 */
static boolean_t tun_icmp_translate(const tun_t *tun, const icmph_t *outer, icmph_t *icmph)
{
	uint_t mtu = ntohs(outer->icmph_u.u_frag.mtu), overhead = TUN_HDR_LEN + tun->tun_ipsec_overhead;

	memset(icmph, 0, sizeof(*icmph));
	icmph->icmph_type = ICMP_DEST_UNREACHABLE;
	icmph->icmph_code = ICMP_HOST_UNREACHABLE;
	switch (outer->icmph_type) {
	case ICMP_DEST_UNREACHABLE:
		if (outer->icmph_code == ICMP_NET_UNREACHABLE)
			icmph->icmph_code = ICMP_NET_UNREACHABLE;
		if (outer->icmph_code == ICMP_FRAGMENTATION_NEEDED) {
			icmph->icmph_code = ICMP_FRAGMENTATION_NEEDED;
			icmph->icmph_u.u_frag.mtu = htons(mtu > overhead ? mtu - overhead : 0);
		}
		return (B_TRUE);
	case ICMP_TIME_EXCEEDED:
	case ICMP_PARAM_PROBLEM:
		return (B_TRUE);
	default:
		/* Source quench is not relayed (4.3). */
		return (B_FALSE);
	}
}

/* An ICMP error from `from', about the inner packet of len bytes (header and what was quoted of the rest). */
static mblk_t *tun_icmp_make(ipaddr_t from, const icmph_t *icmph, const ipha_t *inner, size_t len)
{
	mblk_t *mp = allocb(IP_SIMPLE_HDR_LENGTH + ICMPH_SIZE + len, BPRI_HI);
	ipha_t *ipha;
	icmph_t *out;

	if (mp == NULL)
		return (NULL);
	ipha = (ipha_t *)mp->b_wptr;
	*ipha = (ipha_t){.ipha_version_and_hdr_length = IP_SIMPLE_HDR_VERSION,
			 .ipha_length = htons(IP_SIMPLE_HDR_LENGTH + ICMPH_SIZE + len),
			 .ipha_ttl = 255,
			 .ipha_protocol = IPPROTO_ICMP,
			 .ipha_src = from,
			 .ipha_dst = inner->ipha_src};
	ipha->ipha_hdr_checksum = ip_csum_hdr(ipha);
	out = (icmph_t *)(ipha + 1);
	*out = *icmph;
	memcpy(out + 1, inner, len);
	mp->b_wptr += IP_SIMPLE_HDR_LENGTH + ICMPH_SIZE + len;
	out->icmph_checksum = (uint16_t)~ip_cksum(mp, IP_SIMPLE_HDR_LENGTH, 0);
	return (mp);
}

/* M_CTL of the ip below: one block, from the IP header of the ICMP message on. */
static void tun_rput_icmp_err_v4(queue_t *q, mblk_t *mp)
{
	tun_t *tun = q->q_ptr;
	const ipha_t *ipha = (const ipha_t *)mp->b_rptr, *outer, *inner;
	const icmph_t *icmph = (const icmph_t *)(mp->b_rptr + IPH_HDR_LENGTH(ipha));
	mblk_t *nmp = NULL;
	icmph_t out;
	uint_t mtu;

	outer = (const ipha_t *)(icmph + 1);
	if (mp->b_wptr - (const uchar_t *)outer < IP_SIMPLE_HDR_LENGTH) {
		tun_drop(mp, &tun->tun_stat.InErrors);
		return;
	}
	mtu = ntohs(icmph->icmph_u.u_frag.mtu);
	if (icmph->icmph_type == ICMP_DEST_UNREACHABLE && icmph->icmph_code == ICMP_FRAGMENTATION_NEEDED &&
	    mtu > TUN_MIN_MTU && mtu < tun->tun_mtu + TUN_HDR_LEN + tun->tun_ipsec_overhead)
		tun_update_link_mtu(tun, mtu);
	inner = (const ipha_t *)((const uchar_t *)outer + IPH_HDR_LENGTH(outer));
	if (mp->b_wptr - (const uchar_t *)inner >= IP_SIMPLE_HDR_LENGTH + 8 && IPH_HDR_VERSION(inner) == IPV4_VERSION &&
	    tun->tun_state == DL_IDLE && tun_icmp_translate(tun, icmph, &out)) {
		nmp = tun_icmp_make(ipha->ipha_src, &out, inner, (size_t)(mp->b_wptr - (const uchar_t *)inner));
		if (nmp == NULL)
			tun->tun_stat.allocbfail++;
	}
	freemsg(mp);
	if (nmp != NULL)
		(void)putnext(q, nmp);
}

/* ---- read side ---- */

/* An encapsulated packet: take the outer header off. */
static void tun_rdata_v4(queue_t *q, mblk_t *mp)
{
	tun_t *tun = q->q_ptr;
	const ipha_t *inner;
	ssize_t hdr_len;
	boolean_t mcast;
	mblk_t *nmp;

	if (tun->tun_state != DL_IDLE) {
		tun_drop(mp, &tun->tun_stat.InErrors);
		return;
	}
	if (!canputnext(q)) {
		tun->tun_stat.nocanput++;
		(void)putbq(q, mp);
		return;
	}
	mcast = CLASSD(((const ipha_t *)mp->b_rptr)->ipha_dst);
	hdr_len = IPH_HDR_LENGTH(mp->b_rptr);
	if (MBLKL(mp) == hdr_len && mp->b_cont != NULL) {
		nmp = mp->b_cont;
		freeb(mp);
		mp = nmp;
	} else {
		mp->b_rptr += hdr_len;
	}
	if (MBLKL(mp) < IP_SIMPLE_HDR_LENGTH && !pullupmsg(mp, IP_SIMPLE_HDR_LENGTH)) {
		if (msgdsize(mp) >= IP_SIMPLE_HDR_LENGTH)
			tun->tun_stat.allocbfail++;
		tun_drop(mp, &tun->tun_stat.InErrors);
		return;
	}
	inner = (const ipha_t *)mp->b_rptr;
	if (IPH_HDR_VERSION(inner) != IPV4_VERSION) {
		tun_drop(mp, &tun->tun_stat.InErrors);
		return;
	}
	if (mcast)
		tun->tun_stat.HCInMulticastPkts++;
	else
		tun->tun_stat.HCInUcastPkts++;
	tun->tun_stat.HCInOctets += msgdsize(mp);
	DB_CKSUMFLAGS(mp) = 0; /* the hardware saw the outer packet */
	(void)putnext(q, mp);
}

static void tun_rproc(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_DATA:
		tun_rdata_v4(q, mp);
		return;
	case M_PROTO:
	case M_PCPROTO:
		tun_rput_tpi(q->q_ptr, mp);
		return;
	case M_CTL:
		tun_rput_icmp_err_v4(q, mp);
		return;
	case IRE_DB_TYPE:
		tun_rput_ire(q->q_ptr, mp);
		return;
	case M_FLUSH:
		tun_flush(q, mp, FLUSHR, FLUSHW);
		return;
	default:
		/* Answers to ioctls that are not ours, errors: for the stream above. */
		(void)putnext(q, mp);
		return;
	}
}

static int tun_rput(queue_t *q, mblk_t *mp)
{
	if (q->q_first != NULL && DB_TYPE(mp) == M_DATA)
		(void)putq(q, mp);
	else
		tun_rproc(q, mp);
	return (0);
}

static int tun_rsrv(queue_t *q)
{
	mblk_t *mp;

	while ((mp = getq(q)) != NULL) {
		if (DB_TYPE(mp) == M_DATA && !canputnext(q)) {
			(void)putbq(q, mp);
			break;
		}
		tun_rproc(q, mp);
	}
	return (0);
}

/* ---- open and close ---- */

static int tun_open(queue_t *q, dev_t *devp, int flag, int sflag, cred_t *cr)
{
	const devsw_t *dp = devsw_bymajor(getmajor(*devp));
	tun_t *tun;

	(void)flag, (void)cr;
	if (q->q_ptr != NULL)
		return (0);
	if ((sflag & MODOPEN) == 0)
		return (EINVAL);
	if (dp == NULL || strcmp(dp->d_name, "ip") != 0)
		return (ENXIO); /* only IPv4 is carried, and only by IPv4 */
	if ((tun = kmem_zalloc(sizeof(*tun), KM_NOSLEEP)) == NULL)
		return (ENOMEM);
	tun->tun_wq = WR(q);
	tun->tun_state = DL_UNATTACHED;
	tun->tun_flags = TUN_L_V4;
	tun->tun_extra_offset = TUN_EXTRA_OFFSET;
	tun->tun_mtu = TUN_LINK_MTU - TUN_HDR_LEN;
	tun_make_header(tun);
	tun->tun_next = tun_head;
	tun_head = tun;
	q->q_ptr = WR(q)->q_ptr = tun;
	qprocson(q);
	return (0);
}

static int tun_close(queue_t *q, int flag, cred_t *cr)
{
	tun_t *tun = q->q_ptr, **pp;

	(void)flag, (void)cr;
	qprocsoff(q);
	for (pp = &tun_head; *pp != tun; pp = &(*pp)->tun_next)
		continue;
	*pp = tun->tun_next;
	freemsg(tun->tun_iocmp);
	q->q_ptr = WR(q)->q_ptr = NULL;
	kmem_free(tun, sizeof(*tun));
	return (0);
}

static struct module_info tun_minfo = {5134, "tun", 1, INFPSZ, 65536, 1024};
static struct qinit tun_rinit = {tun_rput, tun_rsrv, tun_open, tun_close, NULL, &tun_minfo, NULL};
static struct qinit tun_winit = {tun_wput, tun_wsrv, NULL, NULL, NULL, &tun_minfo, NULL};
static struct streamtab tun_tab = {&tun_rinit, &tun_winit, NULL, NULL};

STREAMS_MODULE(tun, "tun", &tun_tab, D_MP | D_MTQPAIR | D_MTPUTSHARED);
