/*
 * IPsec in the way of a packet: out through ipsec_out_process and
 * ip_wput_ipsec_out, in through ip_fanout_proto_again (ip/ipsec_impl.h tells
 * the whole order).
 */
#include <string.h>

#include "ip/ip_impl.h"
#include "ip/ipsec_impl.h"

/* ---- out ---- */

/* The association that the policy asks for. */
static boolean_t ipsec_out_select_sa(mblk_t *ipsec_mp)
{
	ipsec_out_t *io = (ipsec_out_t *)ipsec_mp->b_rptr;
	const ipha_t *ipha = (const ipha_t *)ipsec_mp->b_cont->b_rptr;

	io->ipsec_out_esp_sa = sadb_getassocbyaddr(ipha->ipha_src, ipha->ipha_dst, io->ipsec_out_act.ipa_esp_alg);
	return (io->ipsec_out_esp_sa != NULL);
}

/*
 * Do to a packet what its policy asks for, and send it.  Its header and its
 * transport's checksum are complete.
 */
void ipsec_out_process(queue_t *q, mblk_t *ipsec_mp, ire_t *ire, uint_t ill_index)
{
	ipsec_out_t *io = (ipsec_out_t *)ipsec_mp->b_rptr;
	ill_t *ill = ire->ire_ipif->ipif_ill;

	if (!io->ipsec_out_secure)
		goto done;
	if (!ipsec_loaded()) {
		BUMP_MIB(&ip_mib, ipOutDiscards);
		ip_drop_packet(ipsec_mp, B_FALSE, NULL, ire, &ip_drop_types.ip_ipsec_not_loaded, "ipsec_out_process");
		return;
	}
	io->ipsec_out_ill_index = ill_index;
	io->ipsec_out_proc_begin = B_TRUE;
	if (!ipsec_out_select_sa(ipsec_mp)) {
		/* Nobody negotiates associations here: to ask for one is to go without. */
		BUMP_MIB(&ip_mib, ipOutDiscards);
		ip_drop_packet(ipsec_mp, B_FALSE, NULL, ire, &ip_drop_types.sadb_acquire, "ipsec_out_process");
		return;
	}
	if (!io->ipsec_out_esp_done) {
		io->ipsec_out_esp_done = B_TRUE;
		switch ((*ipsec_esp_ops->esp_output_func)(ipsec_mp)) {
		case IPSEC_STATUS_SUCCESS:
			break;
		case IPSEC_STATUS_FAILED:
			BUMP_MIB(&ip_mib, ipOutDiscards);
			return;
		case IPSEC_STATUS_PENDING:
			return;
		}
	}
done:
	ip_wput_ipsec_out(q, ipsec_mp, (ipha_t *)ipsec_mp->b_cont->b_rptr, ill, ire);
}

/* Send a packet that IPsec is done with. */
void ip_wput_ipsec_out(queue_t *q, mblk_t *ipsec_mp, ipha_t *ipha, ill_t *ill, ire_t *ire)
{
	mblk_t *mp = ipsec_mp->b_cont;

	if (ire->ire_stq == NULL) {
		ip_wput_local(q, ill, ipha, ipsec_mp, ire, 0);
		return;
	}
	freeb(ipsec_mp);
	if (ntohs(ipha->ipha_length) > ire->ire_max_frag) {
		ip_wput_ire_fragmentit(q, mp, ire);
		return;
	}
	ipha->ipha_hdr_checksum = 0;
	ipha->ipha_hdr_checksum = ip_csum_hdr(ipha);
	if ((mp = ip_link_header(ire, mp)) == NULL) {
		BUMP_MIB(&ip_mib, ipOutDiscards);
		return;
	}
	ire->ire_ob_pkt_count++;
	(void)putnext(ire->ire_stq, mp);
}

/* ---- in ---- */

ipsa_t *ipsec_inbound_esp_sa(mblk_t *ipsec_mp)
{
	ipsec_in_t *ii = (ipsec_in_t *)ipsec_mp->b_rptr;
	mblk_t *mp = ipsec_mp->b_cont;
	uint_t hdr_len = IPH_HDR_LENGTH(mp->b_rptr);
	const ipha_t *ipha;
	ipsa_t *sa = NULL;
	uint32_t spi;

	if (ntohs(((const ipha_t *)mp->b_rptr)->ipha_length) < hdr_len + ESP_HDR_LEN) {
		ip_drop_packet(ipsec_mp, B_TRUE, NULL, NULL, &ip_drop_types.esp_bad_length, "ipsec_inbound_esp_sa");
		return (NULL);
	}
	if (MBLKL(mp) < (ssize_t)(hdr_len + ESP_HDR_LEN) && !pullupmsg(mp, (ssize_t)(hdr_len + ESP_HDR_LEN))) {
		ip_drop_packet(ipsec_mp, B_TRUE, NULL, NULL, &ip_drop_types.esp_nomem, "ipsec_inbound_esp_sa");
		return (NULL);
	}
	ipha = (const ipha_t *)mp->b_rptr;
	memcpy(&spi, mp->b_rptr + hdr_len, sizeof(spi));
	if (ipha->ipha_protocol == IPPROTO_ESP)
		sa = sadb_getassocbyspi(IPSA_INBOUND, spi, ipha->ipha_src, ipha->ipha_dst);
	ii->ipsec_in_esp_sa = sa;
	if (sa == NULL)
		ip_drop_packet(ipsec_mp, B_TRUE, NULL, NULL, &ip_drop_types.sadb_no_sa, "ipsec_inbound_esp_sa");
	return (sa);
}

/* A packet that has lost its ESP header: go on with what was in it. */
void ip_fanout_proto_again(mblk_t *ipsec_mp, ill_t *ill, ill_t *recv_ill, ire_t *ire)
{
	ipha_t *ipha = (ipha_t *)ipsec_mp->b_cont->b_rptr;

	switch (ipha->ipha_protocol) {
	case IPPROTO_UDP:
		ip_udp_input(ill->ill_rq, ipsec_mp, ipha, ire, recv_ill, B_FALSE);
		return;
	case IPPROTO_TCP:
		ip_tcp_input(ill->ill_rq, ipsec_mp, ipha, ire, recv_ill);
		return;
	default:
		ip_proto_input(ill->ill_rq, ipsec_mp, ipha, ire, recv_ill);
		return;
	}
}

/* ---- ICMP errors about protected packets (RFC 4301, 6) ---- */

/*
 * The null cipher hides nothing: the quoted packet without its ESP header is
 * what was protected, as far as it was quoted.  The block shrinks by the header.
 */
boolean_t esp_icmp_error(mblk_t *mp, ipha_t *in)
{
	uint_t hdr_len = IPH_HDR_LENGTH(in);
	uchar_t *esp = (uchar_t *)in + hdr_len;
	const ipsa_t *sa;
	uint32_t spi;

	if (mp->b_wptr - esp < ESP_HDR_LEN + 8)
		return (B_FALSE);
	memcpy(&spi, esp, sizeof(spi));
	sa = sadb_getassocbyspi(IPSA_OUTBOUND, spi, in->ipha_src, in->ipha_dst);
	if (sa == NULL || sa->ipsa_proto == 0)
		return (B_FALSE);
	in->ipha_protocol = sa->ipsa_proto;
	memmove(esp, esp + ESP_HDR_LEN, (size_t)(mp->b_wptr - esp) - ESP_HDR_LEN);
	mp->b_wptr -= ESP_HDR_LEN;
	return (B_TRUE);
}
