/*
 * ipsecesp: ESP in transport mode (RFC 4303) with the null cipher (RFC 2410)
 * and without authentication, and the driver /dev/ipsecesp with which
 * associations and rules are set (sys/ipsec.h).
 *
 *	IP header | SPI | sequence number | payload | padding | its length | next header
 *
 * The padding makes the whole a multiple of four bytes; its bytes are 1, 2, 3.
 */
#include <string.h>

#include "ip/ip_impl.h"
#include "ip/ipsec_impl.h"

#define IPPROTO_NONE 59 /* next header of a dummy packet (RFC 4303, 2.6) */
#define ESP_ALIGN 4

typedef struct esph {
	uint32_t esph_spi;
	uint32_t esph_replay;
} esph_t;

/* ---- in ---- */

static ipsec_status_t esp_discard(mblk_t *ipsec_mp, uint64_t *counter)
{
	boolean_t inbound = ((const ipsec_in_t *)ipsec_mp->b_rptr)->ipsec_in_type == IPSEC_IN;

	ip_drop_packet(ipsec_mp, inbound, NULL, NULL, counter, "ipsecesp");
	return (IPSEC_STATUS_FAILED);
}

/* Are the bytes before the trailer the padding RFC 4303, 2.4 prescribes? */
static boolean_t esp_padding_ok(const uchar_t *end, uint_t padlen)
{
	for (uint_t i = 1; i <= padlen; i++)
		if (end[(int)i - (int)padlen - 1] != i)
			return (B_FALSE);
	return (B_TRUE);
}

/* Take ESP's header and trailer off. */
static void esp_strip(mblk_t *mp, ipha_t *ipha, uint_t padlen, uint8_t nexthdr)
{
	uint_t hdr_len = IPH_HDR_LENGTH(ipha);

	mp->b_wptr -= padlen + ESP_TRAILER_LEN;
	ipha->ipha_length = htons(ntohs(ipha->ipha_length) - ESP_HDR_LEN - padlen - ESP_TRAILER_LEN);
	ipha->ipha_protocol = nexthdr;
	memmove(mp->b_rptr + ESP_HDR_LEN, mp->b_rptr, hdr_len);
	mp->b_rptr += ESP_HDR_LEN;
	ipha = (ipha_t *)mp->b_rptr;
	ipha->ipha_hdr_checksum = 0;
	ipha->ipha_hdr_checksum = ip_csum_hdr(ipha);
	DB_CKSUMFLAGS(mp) = 0; /* the hardware saw another packet */
}

static ipsec_status_t esp_inbound(mblk_t *ipsec_mp)
{
	ipsec_in_t *ii = (ipsec_in_t *)ipsec_mp->b_rptr;
	ipsa_t *sa = ii->ipsec_in_esp_sa;
	mblk_t *mp = ipsec_mp->b_cont;
	uint_t hdr_len, esp_len, padlen;
	uint32_t recvif = DB_RECVIF(mp);
	const uchar_t *trailer;
	ipha_t *ipha;
	esph_t esph;

	if (mp->b_cont != NULL && !pullupmsg(mp, -1))
		return (esp_discard(ipsec_mp, &ip_drop_types.esp_nomem));
	DB_RECVIF(mp) = recvif;
	ipha = (ipha_t *)mp->b_rptr;
	hdr_len = IPH_HDR_LENGTH(ipha);
	esp_len = ntohs(ipha->ipha_length) - hdr_len;
	if (esp_len < ESP_HDR_LEN + ESP_TRAILER_LEN || esp_len % ESP_ALIGN != 0 ||
	    MBLKL(mp) != (ssize_t)(hdr_len + esp_len))
		return (esp_discard(ipsec_mp, &ip_drop_types.esp_bad_length));
	memcpy(&esph, mp->b_rptr + hdr_len, sizeof(esph));
	if (!sadb_replay_peek(sa, ntohl(esph.esph_replay)))
		return (esp_discard(ipsec_mp, ntohl(esph.esph_replay) + sa->ipsa_replay_wsize <= sa->ipsa_replay
						  ? &ip_drop_types.esp_early_replay
						  : &ip_drop_types.esp_replay));
	trailer = mp->b_wptr - ESP_TRAILER_LEN;
	padlen = trailer[0];
	if (padlen > esp_len - ESP_HDR_LEN - ESP_TRAILER_LEN)
		return (esp_discard(ipsec_mp, &ip_drop_types.esp_bad_padlen));
	if (!esp_padding_ok(trailer, padlen))
		return (esp_discard(ipsec_mp, &ip_drop_types.esp_bad_padding));
	sadb_replay_mark(sa, ntohl(esph.esph_replay));
	sa->ipsa_packets++;
	sa->ipsa_bytes += esp_len;
	if (trailer[1] == IPPROTO_NONE)
		return (esp_discard(ipsec_mp, &ip_drop_types.esp_dummy));
	ii->ipsec_in_secure = B_TRUE;
	ii->ipsec_in_esp_alg = sa->ipsa_encr_alg;
	ii->ipsec_in_esp_sa = NULL;
	esp_strip(mp, ipha, padlen, trailer[1]);
	return (IPSEC_STATUS_SUCCESS);
}

/* ---- out ---- */

/* The block with padding, its length and the next header. */
static mblk_t *esp_trailer(uint_t padlen, uint8_t nexthdr)
{
	mblk_t *mp = allocb(padlen + ESP_TRAILER_LEN, BPRI_HI);

	if (mp == NULL)
		return (NULL);
	for (uint_t i = 1; i <= padlen; i++)
		*mp->b_wptr++ = (uchar_t)i;
	*mp->b_wptr++ = (uchar_t)padlen;
	*mp->b_wptr++ = nexthdr;
	return (mp);
}

static ipsec_status_t esp_outbound(mblk_t *ipsec_mp)
{
	ipsec_out_t *io = (ipsec_out_t *)ipsec_mp->b_rptr;
	ipsa_t *sa = io->ipsec_out_esp_sa;
	mblk_t *mp = ipsec_mp->b_cont, *hp, *tp;
	const ipha_t *ipha = (const ipha_t *)mp->b_rptr;
	uint_t hdr_len = IPH_HDR_LENGTH(ipha), len = ntohs(ipha->ipha_length) - hdr_len;
	uint_t padlen = (0U - len - ESP_TRAILER_LEN) % ESP_ALIGN;
	esph_t esph = {sa->ipsa_spi, htonl(sa->ipsa_replay + 1)};

	if (sa->ipsa_replay == UINT32_MAX)
		return (esp_discard(ipsec_mp, &ip_drop_types.esp_seq_wrap));
	if (hdr_len + len + ESP_HDR_LEN + padlen + ESP_TRAILER_LEN > IP_MAXPACKET)
		return (esp_discard(ipsec_mp, &ip_drop_types.esp_bad_length));
	hp = allocb(ip_param.ip_wroff_extra + hdr_len + ESP_HDR_LEN, BPRI_HI);
	tp = esp_trailer(padlen, ipha->ipha_protocol);
	if (hp == NULL || tp == NULL) {
		freemsg(hp);
		freemsg(tp);
		return (esp_discard(ipsec_mp, &ip_drop_types.esp_nomem));
	}
	hp->b_rptr += ip_param.ip_wroff_extra;
	memcpy(hp->b_rptr, ipha, hdr_len);
	memcpy(hp->b_rptr + hdr_len, &esph, sizeof(esph));
	hp->b_wptr = hp->b_rptr + hdr_len + ESP_HDR_LEN;
	sa->ipsa_replay++;
	sa->ipsa_packets++;
	sa->ipsa_bytes += ESP_HDR_LEN + len + padlen + ESP_TRAILER_LEN;
	sa->ipsa_proto = ipha->ipha_protocol;
	((ipha_t *)hp->b_rptr)->ipha_protocol = IPPROTO_ESP;
	((ipha_t *)hp->b_rptr)->ipha_length = htons(hdr_len + ESP_HDR_LEN + len + padlen + ESP_TRAILER_LEN);
	mp->b_rptr += hdr_len;
	linkb(mp, tp);
	hp->b_cont = mp;
	ipsec_mp->b_cont = hp;
	io->ipsec_out_esp_sa = NULL;
	return (IPSEC_STATUS_SUCCESS);
}

/* ---- the driver ---- */

static int ipsecesp_open(queue_t *q, dev_t *devp, int flag, int sflag, cred_t *cr)
{
	(void)devp, (void)flag, (void)sflag, (void)cr;
	if (q->q_ptr == NULL) {
		q->q_ptr = WR(q)->q_ptr = q;
		qprocson(q);
		ipsec_loader_loadnow();
	}
	return (0);
}

static int ipsecesp_close(queue_t *q, int flag, cred_t *cr)
{
	(void)flag, (void)cr;
	qprocsoff(q);
	q->q_ptr = WR(q)->q_ptr = NULL;
	return (0);
}

/* Do a command on its argument: 0 or errno; *replyp: bytes of the argument that go back. */
static int ipsecesp_command(int cmd, void *arg, size_t *replyp)
{
	switch (cmd) {
	case ESPIOC_ADD_SA:
		return (sadb_add(arg));
	case ESPIOC_DELETE_SA:
		return (sadb_delete(arg));
	case ESPIOC_GET_SA:
		*replyp = sizeof(ipsec_sa_req_t);
		return (sadb_get(arg));
	case ESPIOC_FLUSH:
		sadb_flush();
		return (0);
	case ESPIOC_ADD_RULE:
		return (spd_add_rule(arg));
	case ESPIOC_FLUSH_RULES:
		spd_flush();
		return (0);
	default:
		return (EINVAL);
	}
}

static size_t ipsecesp_arglen(int cmd)
{
	switch (cmd) {
	case ESPIOC_ADD_SA:
	case ESPIOC_DELETE_SA:
	case ESPIOC_GET_SA:
		return (sizeof(ipsec_sa_req_t));
	case ESPIOC_ADD_RULE:
		return (sizeof(ipsec_rule_t));
	default:
		return (0);
	}
}

static void ipsecesp_ioctl(queue_t *q, mblk_t *mp)
{
	struct iocblk *iocp = (struct iocblk *)mp->b_rptr;
	size_t len = ipsecesp_arglen(iocp->ioc_cmd), reply = 0;
	int error = 0;

	if (iocp->ioc_cr->cr_uid != 0)
		error = EPERM;
	else if (iocp->ioc_count != len)
		error = EINVAL;
	else if (len != 0)
		error = miocpullup(mp, len);
	if (error == 0)
		error = ipsecesp_command(iocp->ioc_cmd, len != 0 ? mp->b_cont->b_rptr : NULL, &reply);
	if (error != 0)
		miocnak(q, mp, 0, error);
	else
		miocack(q, mp, (int)reply, 0);
}

static int ipsecesp_wput(queue_t *q, mblk_t *mp)
{
	switch (DB_TYPE(mp)) {
	case M_IOCTL:
		ipsecesp_ioctl(q, mp);
		return (0);
	case M_FLUSH:
		if (*mp->b_rptr & FLUSHR) {
			*mp->b_rptr &= (uchar_t)~FLUSHW;
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

/* ---- boot ---- */

static const ipsec_esp_ops_t esp_ops = {esp_inbound, esp_outbound};

static void ipsecesp_init(void)
{
	ipsec_esp_register(&esp_ops);
}

static void ipsecesp_fini(void)
{
}
KERNEL_INIT(2, ipsecesp_init, ipsecesp_fini);

static struct module_info ipsecesp_info = {5137, "ipsecesp", 0, INFPSZ, 65536, 1024};
static struct qinit ipsecesp_rinit = {NULL, NULL, ipsecesp_open, ipsecesp_close, NULL, &ipsecesp_info, NULL};
static struct qinit ipsecesp_winit = {ipsecesp_wput, NULL, NULL, NULL, NULL, &ipsecesp_info, NULL};
static struct streamtab ipsecesp_tab = {&ipsecesp_rinit, &ipsecesp_winit, NULL, NULL};

STREAMS_DRIVER(ipsecesp, "ipsecesp", &ipsecesp_tab, D_MP, "/dev/ipsecesp=0", NULL);
