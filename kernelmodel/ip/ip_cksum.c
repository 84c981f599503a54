/* The Internet checksum (RFC 1071), eight bytes at a time. */
#include <string.h>

#include "ip/ip_impl.h"

/* Sum of the 16-bit words of a block as a 64-bit one's complement number; an odd last byte counts as the first
 * of a word. */
static NOTRACE uint64_t cksum_block(const uchar_t *p, size_t len)
{
	uint64_t sum = 0, w;
	uint16_t h;

	for (; len >= 8; p += 8, len -= 8) {
		memcpy(&w, p, 8);
		sum += w;
		sum += sum < w;
	}
	for (; len >= 2; p += 2, len -= 2) {
		memcpy(&h, p, 2);
		sum += h;
		sum += sum < h;
	}
	if (len != 0) {
		sum += *p;
		sum += sum < *p;
	}
	return (sum);
}

ALWAYS_INLINE uint32_t cksum_fold(uint64_t sum)
{
	sum = (sum >> 32) + (sum & 0xffffffff);
	sum = (sum >> 32) + (sum & 0xffffffff);
	sum = (sum >> 16) + (sum & 0xffff);
	sum = (sum >> 16) + (sum & 0xffff);
	sum = (sum >> 16) + (sum & 0xffff);
	return ((uint32_t)sum);
}

uint_t ip_cksum(mblk_t *mp, size_t off, uint32_t sum)
{
	bool odd = false;

	for (; mp != NULL; mp = mp->b_cont) {
		size_t len = (size_t)MBLKL(mp);
		uint32_t part;

		if (off >= len) {
			off -= len;
			continue;
		}
		part = cksum_fold(cksum_block(mp->b_rptr + off, len - off));
		/* A block that starts at an odd place has its bytes in the other halves. */
		if (odd)
			part = (part >> 8) | (part & 0xff) << 8;
		sum += part;
		sum = (sum >> 16) + (sum & 0xffff);
		odd ^= (len - off) & 1;
		off = 0;
	}
	return (cksum_fold(sum));
}

uint16_t ip_csum_hdr(const ipha_t *ipha)
{
	return ((uint16_t)~cksum_fold(cksum_block((const uchar_t *)ipha, IPH_HDR_LENGTH(ipha))));
}
