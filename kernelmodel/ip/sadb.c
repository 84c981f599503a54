/*
 * Security associations (RFC 4301, 4.4.2): two lists, one for each direction,
 * in order of adding.  There are a handful of them; they are set by hand.
 */
#include <string.h>

#include "ip/ip_impl.h"
#include "ip/ipsec_impl.h"

#define SPI_MIN 256 /* smaller ones are reserved (RFC 4303, 2.1) */
#define WINDOW_MAX 64

static KLOCAL ipsa_t *sadb_head[2]; /* inbound, outbound */

static ipsa_t **sadb_list(uint32_t dir)
{
	return (&sadb_head[dir == IPSA_OUTBOUND]);
}

/* ---- finding ---- */

ipsa_t *sadb_getassocbyspi(uint32_t dir, uint32_t spi, ipaddr_t src, ipaddr_t dst)
{
	ipsa_t *sa;

	for (sa = *sadb_list(dir); sa != NULL; sa = sa->ipsa_next)
		if (sa->ipsa_spi == spi && sa->ipsa_dstaddr == dst &&
		    (sa->ipsa_srcaddr == INADDR_ANY || sa->ipsa_srcaddr == src))
			break;
	return (sa);
}

ipsa_t *sadb_getassocbyaddr(ipaddr_t src, ipaddr_t dst, uint_t alg)
{
	ipsa_t *sa;

	for (sa = *sadb_list(IPSA_OUTBOUND); sa != NULL; sa = sa->ipsa_next)
		if (sa->ipsa_dstaddr == dst && (sa->ipsa_srcaddr == INADDR_ANY || sa->ipsa_srcaddr == src) &&
		    (alg == SADB_EALG_NONE || alg == sa->ipsa_encr_alg))
			break;
	return (sa);
}

/* ---- replay ---- */

boolean_t sadb_replay_peek(const ipsa_t *sa, uint32_t seq)
{
	uint32_t behind = sa->ipsa_replay - seq;

	if (sa->ipsa_replay_wsize == 0)
		return (B_TRUE);
	if (seq == 0)
		return (B_FALSE);
	if (seq > sa->ipsa_replay)
		return (B_TRUE);
	return (behind < sa->ipsa_replay_wsize && (sa->ipsa_replay_arr >> behind & 1) == 0);
}

void sadb_replay_mark(ipsa_t *sa, uint32_t seq)
{
	uint32_t ahead = seq - sa->ipsa_replay;

	if (sa->ipsa_replay_wsize == 0)
		return;
	if (seq <= sa->ipsa_replay) {
		sa->ipsa_replay_arr |= 1ULL << (sa->ipsa_replay - seq);
		return;
	}
	sa->ipsa_replay_arr = ahead >= WINDOW_MAX ? 1 : sa->ipsa_replay_arr << ahead | 1;
	sa->ipsa_replay = seq;
}

/* ---- changing ---- */

static int sadb_req_check(const ipsec_sa_req_t *req)
{
	if ((req->isr_dir != IPSA_INBOUND && req->isr_dir != IPSA_OUTBOUND) || req->isr_spi < SPI_MIN ||
	    req->isr_alg != SADB_EALG_NULL || req->isr_dst == INADDR_ANY || CLASSD(req->isr_dst) ||
	    req->isr_dst == INADDR_BROADCAST || req->isr_window > WINDOW_MAX)
		return (EINVAL);
	return (0);
}

static ipsa_t **sadb_find(const ipsec_sa_req_t *req)
{
	ipsa_t **pp;

	for (pp = sadb_list(req->isr_dir); *pp != NULL; pp = &(*pp)->ipsa_next)
		if ((*pp)->ipsa_spi == htonl(req->isr_spi) && (*pp)->ipsa_dstaddr == req->isr_dst)
			break;
	return (pp);
}

int sadb_add(const ipsec_sa_req_t *req)
{
	int error = sadb_req_check(req);
	ipsa_t **pp, *sa;

	if (error != 0)
		return (error);
	if (*(pp = sadb_find(req)) != NULL)
		return (EEXIST);
	if ((sa = kmem_zalloc(sizeof(*sa), KM_NOSLEEP)) == NULL)
		return (ENOMEM);
	sa->ipsa_spi = htonl(req->isr_spi);
	sa->ipsa_srcaddr = req->isr_src;
	sa->ipsa_dstaddr = req->isr_dst;
	sa->ipsa_encr_alg = (uint8_t)req->isr_alg;
	sa->ipsa_replay = req->isr_seq;
	sa->ipsa_replay_wsize = req->isr_window;
	sa->ipsa_replay_arr = ~0ULL; /* all that is not newer counts as seen */
	*pp = sa;
	ipsec_loader_loadnow();
	return (0);
}

int sadb_delete(const ipsec_sa_req_t *req)
{
	ipsa_t **pp = sadb_find(req), *sa = *pp;

	if (sa == NULL)
		return (ESRCH);
	*pp = sa->ipsa_next;
	kmem_free(sa, sizeof(*sa));
	return (0);
}

int sadb_get(ipsec_sa_req_t *req)
{
	const ipsa_t *sa = *sadb_find(req);

	if (sa == NULL)
		return (ESRCH);
	req->isr_src = sa->ipsa_srcaddr;
	req->isr_alg = sa->ipsa_encr_alg;
	req->isr_window = sa->ipsa_replay_wsize;
	req->isr_seq = sa->ipsa_replay;
	req->isr_packets = sa->ipsa_packets;
	req->isr_bytes = sa->ipsa_bytes;
	return (0);
}

void sadb_flush(void)
{
	ipsa_t *sa;

	for (int i = 0; i < 2; i++) {
		while ((sa = sadb_head[i]) != NULL) {
			sadb_head[i] = sa->ipsa_next;
			kmem_free(sa, sizeof(*sa));
		}
	}
}
