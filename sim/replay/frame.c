#include "replay/frame.h"

#include <arpa/inet.h>
#include <pcap/dlt.h>
#include <string.h>

/*
 * Taking frames apart.
 *
 * The lengths that count are the original ones: a frame that was captured
 * short still has its payload, as zeros, provided that all headers up to the
 * transport's are there.  The IPv4 total length rules over the frame's, since
 * Ethernet pads; only a total length of 0, which segmentation offload leaves
 * in captures of the sender, means "to the end of the frame".
 */

#ifndef DLT_LINUX_SLL2
#define DLT_LINUX_SLL2 276
#endif
#ifndef DLT_IPV4
#define DLT_IPV4 228
#endif

#define ETHERTYPE_IP 0x0800
#define ETHERTYPE_IPV6 0x86dd

static const char *const bad_names[RF_NBAD] = {
    [RF_OK] = "",
    [RF_CUT_LINK] = "cut in link header",
    [RF_CUT_IP] = "cut in IP header",
    [RF_CUT_L4] = "cut in transport header",
    [RF_BAD_VERSION] = "bad IP version",
    [RF_BAD_IHL] = "bad IP header length",
    [RF_BAD_LENGTH] = "bad IP total length",
    [RF_BAD_L4] = "bad transport header",
};

const char *rf_bad_name(rf_bad_t bad)
{
	return bad_names[bad];
}

bool rf_linktype_known(int linktype)
{
	switch (linktype) {
	case DLT_EN10MB:
	case DLT_LINUX_SLL:
	case DLT_LINUX_SLL2:
	case DLT_RAW:
	case 14:
	case DLT_IPV4:
	case DLT_NULL:
	case DLT_LOOP:
		return true;
	default:
		return false;
	}
}

const char *rf_ntop(uint32_t ip, char buf[RF_ADDRLEN])
{
	return inet_ntop(AF_INET, &ip, buf, RF_ADDRLEN);
}

bool rf_pton(const char *text, uint32_t *ip)
{
	return inet_pton(AF_INET, text, ip) == 1;
}

void rf_madeup_mac(uint32_t ip, uint8_t mac[6])
{
	uint32_t h = ntohl(ip);

	if (h == 0xffffffffU) {
		memset(mac, 0xff, 6);
	} else if (h >> 28 == 0xe) {
		mac[0] = 0x01;
		mac[1] = 0x00;
		mac[2] = 0x5e;
		mac[3] = (uint8_t)(h >> 16 & 0x7f);
		mac[4] = (uint8_t)(h >> 8);
		mac[5] = (uint8_t)h;
	} else {
		mac[0] = 0x02;
		mac[1] = 0x00;
		memcpy(mac + 2, &ip, 4);
	}
}

static void net_at(rframe_t *f, uint32_t off, uint16_t type)
{
	f->rf_type = type;
	f->rf_net = f->rf_data + off;
	f->rf_netcap = f->rf_caplen - off;
	f->rf_netlen = f->rf_len > off ? f->rf_len - off : 0;
}

static void decode_ethernet(rframe_t *f)
{
	uint32_t off = 14;
	uint16_t type;

	if (f->rf_caplen < 14) {
		f->rf_bad = RF_CUT_LINK;
		return;
	}
	memcpy(f->rf_dst, f->rf_data, 6);
	memcpy(f->rf_src, f->rf_data + 6, 6);
	f->rf_hasmac = true;
	type = rf_be16(f->rf_data + 12);
	while (type == 0x8100 || type == 0x88a8 || type == 0x9100) {
		if (f->rf_caplen < off + 4 || f->rf_ntags == RF_MAXTAGS) {
			f->rf_bad = RF_CUT_LINK;
			return;
		}
		f->rf_tags[f->rf_ntags++] = rf_be16(f->rf_data + off) & 0xfff;
		type = rf_be16(f->rf_data + off + 2);
		off += 4;
	}
	net_at(f, off, type);
}

static void decode_cooked(rframe_t *f, uint32_t hlen, uint32_t typeoff)
{
	if (f->rf_caplen < hlen) {
		f->rf_bad = RF_CUT_LINK;
		return;
	}
	net_at(f, hlen, rf_be16(f->rf_data + typeoff));
}

/* Link types that say only an address family, or nothing, before the packet. */
static void decode_raw(rframe_t *f, uint32_t hlen)
{
	if (f->rf_caplen < hlen + 1) {
		f->rf_bad = RF_CUT_LINK;
		return;
	}
	net_at(f, hlen, f->rf_data[hlen] >> 4 == 6 ? ETHERTYPE_IPV6 : ETHERTYPE_IP);
}

static void decode_link(rframe_t *f)
{
	switch (f->rf_linktype) {
	case DLT_EN10MB:
		decode_ethernet(f);
		break;
	case DLT_LINUX_SLL:
		decode_cooked(f, 16, 14);
		break;
	case DLT_LINUX_SLL2:
		decode_cooked(f, 20, 0);
		break;
	case DLT_NULL:
	case DLT_LOOP:
		decode_raw(f, 4);
		break;
	default:
		decode_raw(f, 0);
		break;
	}
}

static void decode_ip(rframe_t *f)
{
	const uint8_t *ip = f->rf_net;
	uint32_t total;

	f->rf_ip = true;
	if (f->rf_netcap < 20) {
		f->rf_bad = RF_CUT_IP;
		return;
	}
	memcpy(&f->rf_ipsrc, ip + 12, 4);
	memcpy(&f->rf_ipdst, ip + 16, 4);
	f->rf_hlen = (uint8_t)((ip[0] & 0xf) * 4);
	f->rf_proto = ip[9];
	f->rf_id = rf_be16(ip + 4);
	f->rf_mf = (ip[6] & 0x20) != 0;
	f->rf_off = (rf_be16(ip + 6) & 0x1fffU) * 8;
	total = rf_be16(ip + 2);
	if (ip[0] >> 4 != 4) {
		f->rf_bad = RF_BAD_VERSION;
		return;
	}
	if (total == 0) {
		f->rf_tso = true;
		total = f->rf_netlen;
	}
	if (f->rf_hlen < 20 || f->rf_hlen > total) {
		f->rf_bad = f->rf_hlen < 20 ? RF_BAD_IHL : RF_BAD_LENGTH;
		return;
	}
	if (total > f->rf_netlen) {
		f->rf_bad = RF_BAD_LENGTH;
		return;
	}
	if (f->rf_netcap < f->rf_hlen) {
		f->rf_bad = RF_CUT_IP;
		return;
	}
	f->rf_iplen = total;
	f->rf_l4 = ip + f->rf_hlen;
	f->rf_l4len = total - f->rf_hlen;
	f->rf_l4cap = f->rf_netcap < total ? f->rf_netcap - f->rf_hlen : f->rf_l4len;
	f->rf_cut = f->rf_l4cap < f->rf_l4len;
	if (!f->rf_mf && f->rf_off == 0)
		rf_decode_l4(f);
}

static void decode_tcp(rframe_t *f)
{
	const uint8_t *t = f->rf_l4;

	if (f->rf_l4len < 20) {
		f->rf_bad = RF_BAD_L4;
		return;
	}
	if (f->rf_l4cap < 20) {
		f->rf_bad = RF_CUT_L4;
		return;
	}
	f->rf_thlen = (uint8_t)((t[12] >> 4) * 4);
	if (f->rf_thlen < 20 || f->rf_thlen > f->rf_l4len) {
		f->rf_bad = RF_BAD_L4;
		return;
	}
	if (f->rf_l4cap < f->rf_thlen) {
		f->rf_bad = RF_CUT_L4;
		return;
	}
	f->rf_tcp = true;
	f->rf_sport = rf_be16(t);
	f->rf_dport = rf_be16(t + 2);
	f->rf_seq = rf_be32(t + 4);
	f->rf_ack = rf_be32(t + 8);
	f->rf_flags = t[13];
	f->rf_win = rf_be16(t + 14);
	f->rf_urp = rf_be16(t + 18);
	f->rf_pay = t + f->rf_thlen;
	f->rf_paylen = f->rf_l4len - f->rf_thlen;
	f->rf_paycap = f->rf_l4cap - f->rf_thlen;
}

static void decode_udp(rframe_t *f)
{
	const uint8_t *u = f->rf_l4;
	uint32_t ulen;

	if (f->rf_l4len < 8) {
		f->rf_bad = RF_BAD_L4;
		return;
	}
	if (f->rf_l4cap < 8) {
		f->rf_bad = RF_CUT_L4;
		return;
	}
	f->rf_sport = rf_be16(u);
	f->rf_dport = rf_be16(u + 2);
	ulen = rf_be16(u + 4);
	if (ulen < 8 || ulen > f->rf_l4len) {
		f->rf_bad = RF_BAD_L4;
		return;
	}
	f->rf_udp = true;
	f->rf_pay = u + 8;
	f->rf_paylen = ulen - 8;
	f->rf_paycap = f->rf_l4cap < ulen ? f->rf_l4cap - 8 : f->rf_paylen;
}

void rf_decode_l4(rframe_t *f)
{
	if (f->rf_proto == 6)
		decode_tcp(f);
	else if (f->rf_proto == 17)
		decode_udp(f);
}

void rf_decode(rframe_t *f)
{
	f->rf_bad = RF_OK;
	f->rf_hasmac = f->rf_ip = f->rf_tso = f->rf_mf = f->rf_cut = f->rf_tcp = f->rf_udp = false;
	f->rf_ntags = 0;
	f->rf_type = 0;
	f->rf_off = f->rf_paylen = f->rf_paycap = 0;
	f->rf_net = NULL;
	decode_link(f);
	if (f->rf_bad != RF_OK)
		return;
	if (f->rf_type == ETHERTYPE_IP)
		decode_ip(f);
	if (!f->rf_hasmac && f->rf_ip) {
		rf_madeup_mac(f->rf_ipsrc, f->rf_src);
		rf_madeup_mac(f->rf_ipdst, f->rf_dst);
	}
}

/* Walk TCP options; calls f for each with its value bytes. */
static void options(const rframe_t *f, void (*func)(void *, int kind, const uint8_t *val, int len), void *arg)
{
	const uint8_t *p = f->rf_l4 + 20, *end = f->rf_l4 + f->rf_thlen;

	while (p < end && *p != 0) {
		if (*p == 1) {
			p++;
			continue;
		}
		if (end - p < 2 || p[1] < 2 || p[1] > end - p)
			return;
		func(arg, p[0], p + 2, p[1] - 2);
		p += p[1];
	}
}

static void synopt_one(void *arg, int kind, const uint8_t *val, int len)
{
	rsynopt_t *o = arg;

	if (kind == 2 && len == 2)
		o->so_mss = rf_be16(val);
	else if (kind == 3 && len == 1)
		o->so_ws = (int8_t)(val[0] > 14 ? 14 : val[0]);
	else if (kind == 4 && len == 0)
		o->so_sack = true;
	else if (kind == 8 && len == 8) {
		o->so_ts = true;
		o->so_tsval = rf_be32(val);
	}
}

void rf_synopt(const rframe_t *f, rsynopt_t *opt)
{
	memset(opt, 0, sizeof(*opt));
	opt->so_ws = -1;
	options(f, synopt_one, opt);
}

struct tsopt {
	bool found;
	uint32_t val, ecr;
};

static void tsval_one(void *arg, int kind, const uint8_t *val, int len)
{
	struct tsopt *t = arg;

	if (kind == 8 && len == 8) {
		t->found = true;
		t->val = rf_be32(val);
		t->ecr = rf_be32(val + 4);
	}
}

bool rf_tsval(const rframe_t *f, uint32_t *tsval, uint32_t *tsecr)
{
	struct tsopt t = {false, 0, 0};

	options(f, tsval_one, &t);
	*tsval = t.val;
	*tsecr = t.ecr;
	return t.found;
}

/* ---- checksums (RFC 1071) ---- */

static uint32_t sum16(const uint8_t *p, size_t len, uint32_t sum)
{
	uint64_t s = sum;

	for (; len >= 2; p += 2, len -= 2)
		s += (uint32_t)(p[0] << 8 | p[1]);
	if (len != 0)
		s += (uint32_t)(p[0] << 8);
	while (s >> 16 != 0)
		s = (s & 0xffff) + (s >> 16);
	return (uint32_t)s;
}

int rf_ipsum(const rframe_t *f)
{
	if (!f->rf_ip || f->rf_bad == RF_CUT_IP || f->rf_hlen < 20 || f->rf_netcap < f->rf_hlen)
		return -1;
	return sum16(f->rf_net, f->rf_hlen, 0) == 0xffff;
}

int rf_l4sum(const rframe_t *f)
{
	uint32_t len = f->rf_l4len;

	if ((!f->rf_tcp && !f->rf_udp) || f->rf_cut)
		return -1;
	if (f->rf_udp) {
		if (rf_be16(f->rf_l4 + 6) == 0)
			return -1;
		len = rf_be16(f->rf_l4 + 4);
	}
	return sum16(f->rf_l4, len, sum16(f->rf_net + 12, 8, (uint32_t)f->rf_proto + len)) == 0xffff;
}

/* ---- whole frames ---- */

size_t rf_rebuild(const rframe_t *f, uint16_t tag, uint8_t *buf)
{
	uint8_t *p = buf;
	uint32_t len = f->rf_netlen, cap = f->rf_netcap;

	if (f->rf_ip && f->rf_bad == RF_OK) {
		len = f->rf_iplen;
		cap = cap < len ? cap : len;
	}
	if (len > RF_MAXFRAME - 18)
		len = RF_MAXFRAME - 18;
	if (cap > len)
		cap = len;
	memcpy(p, f->rf_dst, 6);
	memcpy(p + 6, f->rf_src, 6);
	p += 12;
	if (tag != 0) {
		*p++ = 0x81;
		*p++ = 0x00;
		*p++ = (uint8_t)(tag >> 8);
		*p++ = (uint8_t)tag;
	}
	*p++ = (uint8_t)(f->rf_type >> 8);
	*p++ = (uint8_t)f->rf_type;
	memcpy(p, f->rf_net, cap);
	memset(p + cap, 0, len - cap);
	if (f->rf_ip && f->rf_tso && len <= 65535) {
		p[2] = (uint8_t)(len >> 8);
		p[3] = (uint8_t)len;
	}
	return (size_t)(p - buf) + len;
}
