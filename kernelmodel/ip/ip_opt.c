/* Options in the IP header (RFC 791, 3.1). */
#include <string.h>

#include "ip/ip_impl.h"

#define OPT_HDR 2       /* type, length */
#define OPT_PTR 2       /* offset of the pointer in routing options */
#define OPT_ROUTE_MIN 4 /* smallest pointer */
#define OPT_ROUTE_LEN 3 /* smallest length of a routing option */

/*
 * Length of the option at opt when at most `left' bytes are left: 1 for NOP, 0
 * for the end, -1 for a bad one.
 */
static int opt_length(const uchar_t *opt, uint_t left)
{
	if (opt[0] == IPOPT_EOL)
		return (0);
	if (opt[0] == IPOPT_NOP)
		return (1);
	if (left < OPT_HDR || opt[1] < OPT_HDR || opt[1] > left)
		return (-1);
	return (opt[1]);
}

/* Are the routing options well-formed inside? */
static boolean_t opt_ok(const uchar_t *opt, uint_t len)
{
	switch (opt[0]) {
	case IPOPT_RR:
	case IPOPT_LSRR:
	case IPOPT_SSRR:
		return (len >= OPT_ROUTE_LEN && opt[OPT_PTR] >= OPT_ROUTE_MIN);
	case IPOPT_TS:
		return (len >= 4 && opt[OPT_PTR] >= 5);
	default:
		return (B_TRUE);
	}
}

/* Are all options of a header well-formed?  If not, *badp is the offset of the
 * bad one in the packet. */
boolean_t ip_options_ok(const ipha_t *ipha, uint_t *badp)
{
	const uchar_t *base = (const uchar_t *)ipha;
	uint_t off = IP_SIMPLE_HDR_LENGTH, end = IPH_HDR_LENGTH(ipha);

	while (off < end) {
		int len = opt_length(base + off, end - off);

		if (len == 0)
			break;
		if (len < 0 || !opt_ok(base + off, (uint_t)len)) {
			*badp = off;
			return (B_FALSE);
		}
		off += (uint_t)len;
	}
	return (B_TRUE);
}

/* The source route of a header that has not been used up, or NULL. */
static const uchar_t *opt_source_route(const ipha_t *ipha)
{
	const uchar_t *base = (const uchar_t *)ipha;
	uint_t off = IP_SIMPLE_HDR_LENGTH, end = IPH_HDR_LENGTH(ipha);
	int len;

	for (; off < end && (len = opt_length(base + off, end - off)) > 0; off += (uint_t)len) {
		const uchar_t *opt = base + off;

		if ((opt[0] == IPOPT_LSRR || opt[0] == IPOPT_SSRR) && opt[OPT_PTR] + 3U <= (uint_t)len)
			return (opt);
	}
	return (NULL);
}

/*
 * Options of a received packet.  B_FALSE: they were bad, or would have this
 * host forward the packet, which it does not do: it is gone, with an ICMP
 * error.
 */
boolean_t ip_rput_options(queue_t *q, mblk_t *mp, ipha_t *ipha, ipaddr_t *dstp)
{
	const uchar_t *route;
	uint_t bad;

	if (!ip_options_ok(ipha, &bad)) {
		BUMP_MIB(&ip_mib, ipInHdrErrors);
		IP_DROP(IPD_OPTIONS, mp);
		icmp_param_problem(q, mp, (uint8_t)bad);
		return (B_FALSE);
	}
	if ((route = opt_source_route(ipha)) == NULL)
		return (B_TRUE);
	if (!ip_param.ip_forward_src_routed) {
		BUMP_MIB(&ip_mib, ipForwProhibits);
		IP_DROP(IPD_SRCROUTE, mp);
		icmp_unreachable(q, mp, ICMP_SOURCE_ROUTE_FAILED);
		return (B_FALSE);
	}
	memcpy(dstp, route + route[OPT_PTR] - 1, sizeof(*dstp));
	return (B_TRUE);
}

/* Keep only the options that go into every fragment (RFC 791: the copied flag),
 * padded: their new length. */
uint_t ip_options_copied(uchar_t *opts, uint_t len)
{
	uchar_t kept[IP_MAX_HDR_LENGTH - IP_SIMPLE_HDR_LENGTH] = {0};
	uint_t n = 0, off = 0;
	int olen;

	for (; off < len && (olen = opt_length(opts + off, len - off)) > 0; off += (uint_t)olen) {
		if ((opts[off] & IPOPT_COPY) == 0)
			continue;
		memcpy(kept + n, opts + off, (size_t)olen);
		n += (uint_t)olen;
	}
	n = (n + 3) & ~3U;
	memcpy(opts, kept, n);
	return (n);
}
