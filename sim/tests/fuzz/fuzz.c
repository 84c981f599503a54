/*
 * fuzz: bent captures against strsim.
 *
 *	fuzz [-s SEED] [-c FIRST] [-n CASES] [-t SECONDS] [-k DIR] [-w] STRSIM CAPTURE...
 *
 * Case number c of seed s is always the same file: a slice of one of the
 * captures (a window of it, or the packets between two addresses), with whole
 * packets dropped, repeated, exchanged and moved in time, and in most cases
 * bent further: bits, header fields, options, lengths, snap length, link type,
 * file format.  It is replayed by `strsim validate' and by `strsim -r'.
 *
 * What must hold: no crash, no sanitizer's report, no leak, an end within the
 * time limit, every frame in exactly one class, status 1 only with a reason on
 * standard error.  When whole packets only were touched (always with -w),
 * validate must find no difference either.
 *
 * A case that fails is kept in DIR and named by its number; -c N -n 1 repeats
 * it.  The exit status is 1 when one failed.
 */
#include <errno.h>
#include <fcntl.h>
#include <pcap/pcap.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LIMIT_S 20 /* of processor time, for one run */
#define MAXSLICE 400
#define MAXPKT 65536
#define SANITIZER_STATUS 99

typedef struct packet {
	int64_t time; /* ns */
	uint32_t caplen, len;
	uint8_t *data;
} packet_t;

typedef struct capture {
	const char *name;
	int linktype;
	size_t n;
	packet_t *pkts;
} capture_t;

/* The file being made. */
typedef struct made {
	int linktype;
	bool wholesome; /* whole packets only were touched */
	size_t n;
	packet_t pkts[2 * MAXSLICE];
	const char *base;
	char host[32]; /* --host, "" = none */
} made_t;

static uint64_t rng;

static uint64_t rnd(void)
{
	uint64_t z = rng += 0x9e3779b97f4a7c15ULL; /* splitmix64 */

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static uint32_t below(uint32_t n)
{
	return n != 0 ? (uint32_t)(rnd() % n) : 0;
}

static bool one_in(uint32_t n)
{
	return below(n) == 0;
}

static void die(const char *what, const char *why)
{
	fprintf(stderr, "fuzz: %s: %s\n", what, why);
	exit(2);
}

static void *must(void *p)
{
	if (p == NULL)
		die("memory", "none left");
	return p;
}

static uint32_t be16(const uint8_t *p)
{
	return (uint32_t)(p[0] << 8 | p[1]);
}

static void put16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static void put32(uint8_t *p, uint32_t v)
{
	put16(p, v >> 16);
	put16(p + 2, v & 0xffff);
}

/* ---- captures ---- */

static void load(capture_t *c, const char *name)
{
	char err[PCAP_ERRBUF_SIZE];
	pcap_t *p = pcap_open_offline_with_tstamp_precision(name, PCAP_TSTAMP_PRECISION_NANO, err);
	struct pcap_pkthdr *h;
	const u_char *data;

	if (p == NULL)
		die(name, err);
	c->name = name;
	c->linktype = pcap_datalink(p);
	while (pcap_next_ex(p, &h, &data) == 1) {
		packet_t *k;

		c->pkts = must(realloc(c->pkts, (c->n + 1) * sizeof(packet_t)));
		k = &c->pkts[c->n++];
		k->time = (int64_t)h->ts.tv_sec * 1000000000 + h->ts.tv_usec;
		k->caplen = h->caplen < MAXPKT ? h->caplen : MAXPKT;
		k->len = h->len;
		k->data = must(malloc(MAXPKT));
		memcpy(k->data, data, k->caplen);
		k->data = must(realloc(k->data, k->caplen + 1));
	}
	pcap_close(p);
}

static packet_t copy_packet(const packet_t *k)
{
	packet_t c = *k;

	c.data = must(malloc(MAXPKT));
	memcpy(c.data, k->data, k->caplen);
	return c;
}

/* Offset of the IPv4 header, 0 when there is none (no link header is that short, except raw IP's). */
static uint32_t ip_at(int linktype, const packet_t *k)
{
	uint32_t off = 14;

	if (linktype == DLT_LINUX_SLL)
		off = 16;
	else if (linktype != DLT_EN10MB)
		return 0;
	if (k->caplen < off + 20)
		return 0;
	while (linktype == DLT_EN10MB && be16(k->data + off - 2) == 0x8100 && k->caplen >= off + 24)
		off += 4;
	return be16(k->data + off - 2) == 0x0800 ? off : 0;
}

static bool between(int linktype, const packet_t *k, const uint8_t *a, const uint8_t *b)
{
	uint32_t ip = ip_at(linktype, k);

	return ip != 0 && ((memcmp(k->data + ip + 12, a, 4) == 0 && memcmp(k->data + ip + 16, b, 4) == 0) ||
			   (memcmp(k->data + ip + 12, b, 4) == 0 && memcmp(k->data + ip + 16, a, 4) == 0));
}

/* A window of the capture, or of what passed between two addresses. */
static void slice(made_t *m, const capture_t *c)
{
	size_t want = 1 + below(one_in(4) ? MAXSLICE : 60), at = c->n > 0 ? below((uint32_t)c->n) : 0;
	uint32_t ip = c->n > 0 ? ip_at(c->linktype, &c->pkts[at]) : 0;
	bool pair = ip != 0 && one_in(2);
	uint8_t a[4], b[4];

	m->linktype = c->linktype;
	m->base = c->name;
	if (pair) {
		memcpy(a, c->pkts[at].data + ip + 12, 4);
		memcpy(b, c->pkts[at].data + ip + 16, 4);
		at = one_in(2) ? 0 : at;
	}
	for (; at < c->n && m->n < want && m->n < MAXSLICE; at++)
		if (!pair || between(c->linktype, &c->pkts[at], a, b))
			m->pkts[m->n++] = copy_packet(&c->pkts[at]);
}

/* ---- whole packets ---- */

static void drop(made_t *m, size_t i)
{
	free(m->pkts[i].data);
	m->n--;
	memmove(&m->pkts[i], &m->pkts[i + 1], (m->n - i) * sizeof(packet_t));
}

static void insert(made_t *m, size_t i, packet_t k)
{
	memmove(&m->pkts[i + 1], &m->pkts[i], (m->n - i) * sizeof(packet_t));
	m->pkts[i] = k;
	m->n++;
}

static void exchange(made_t *m, size_t i, size_t j)
{
	packet_t t = m->pkts[i];
	int64_t when = t.time;

	t.time = m->pkts[j].time;
	m->pkts[j].time = when;
	m->pkts[i] = m->pkts[j];
	m->pkts[j] = t;
}

static void bend_whole(made_t *m)
{
	size_t i = below((uint32_t)m->n), j = i + 1 + below(6);
	packet_t k;

	switch (below(5)) {
	case 0:
		for (uint32_t n = one_in(4) ? 1 + below(10) : 1; n > 0 && m->n > 1 && i < m->n; n--)
			drop(m, i);
		break;
	case 1:
		if (m->n < 2 * MAXSLICE) {
			k = copy_packet(&m->pkts[i]);
			insert(m, one_in(2) ? i : below((uint32_t)m->n), k);
		}
		break;
	case 2:
	case 3:
		if (j < m->n)
			exchange(m, i, j);
		break;
	case 4:
		for (j = i; j < m->n; j++)
			m->pkts[j].time += (int64_t)(1ULL << below(38));
		break;
	}
}

/* ---- inside packets ---- */

static const uint32_t odd_numbers[] = {0,  1,  2,    7,    8,      19,     20,     21,    59,
				       60, 61, 0x7f, 0xff, 0x7fff, 0x8000, 0xfffe, 0xffff};

static uint32_t odd(void)
{
	return one_in(3) ? (uint32_t)rnd() : odd_numbers[below(sizeof(odd_numbers) / sizeof(odd_numbers[0]))];
}

static void sum_again(packet_t *k, uint32_t ip)
{
	uint32_t s = 0;

	put16(k->data + ip + 10, 0);
	for (uint32_t i = 0; i < 20; i += 2)
		s += be16(k->data + ip + i);
	s = (s & 0xffff) + (s >> 16);
	put16(k->data + ip + 10, ~(s + (s >> 16)) & 0xffff);
}

static void bend_ip(packet_t *k, uint32_t ip)
{
	uint8_t *p = k->data + ip;

	switch (below(9)) {
	case 0:
		p[0] = (uint8_t)odd();
		break;
	case 1:
		put16(p + 2, one_in(2) ? odd() : be16(p + 2) + below(9) - 4);
		break;
	case 2:
		put16(p + 6, one_in(2) ? odd() : below(4) | 0x2000 * below(2));
		break;
	case 3:
		p[9] = (uint8_t)(one_in(2) ? odd() : (uint32_t[]){1, 2, 6, 17, 4}[below(5)]);
		break;
	case 4:
		memcpy(p + 12, p + 16, 4);
		break;
	case 5:
		put32(p + (one_in(2) ? 12 : 16),
		      one_in(2) ? (uint32_t)rnd() : (uint32_t[]){0, ~0U, 0xe0000001}[below(3)]);
		break;
	case 6:
		p[8] = (uint8_t)odd();
		break;
	case 7: /* options */
		if (k->caplen + 40 < MAXPKT) {
			uint32_t n = 4 * (1 + below(10));

			memmove(p + 20 + n, p + 20, k->caplen - ip - 20);
			for (uint32_t i = 0; i < n; i++)
				p[20 + i] = (uint8_t)((uint32_t[]){0, 1, 3, 4, 7, 68, 130, 131, 137, 255}[below(10)]);
			p[0] = (uint8_t)(0x45 + n / 4);
			put16(p + 2, be16(p + 2) + n);
			k->caplen += n;
			k->len += n;
		}
		return;
	case 8:
		put16(p + 10, odd());
		return;
	}
	if (!one_in(4))
		sum_again(k, ip);
}

static void bend_tcp(packet_t *k, uint32_t at)
{
	uint8_t *p = k->data + at;
	uint32_t room;

	switch (below(8)) {
	case 0:
	case 1: {
		uint32_t o = one_in(2) ? 4 : 8, v = be16(p + o) << 16 | be16(p + o + 2);

		put32(p + o, one_in(2) ? v + (one_in(2) ? odd() : -odd()) : v + 0x7ffffff0U + below(32));
		break;
	}
	case 2:
		p[13] = (uint8_t)(one_in(2) ? rnd() : 1U << below(8) | p[13]);
		break;
	case 3:
		p[12] = (uint8_t)(below(16) << 4);
		break;
	case 4:
		put16(p + 14, odd());
		break;
	case 5:
		p[13] |= 0x20;
		put16(p + 18, odd());
		break;
	case 6:
		put16(p + 2 * below(2), odd());
		break;
	case 7: /* option soup */
		room = k->caplen > at + 20 ? k->caplen - at - 20 : 0;
		if (room > 40)
			room = 40;
		room &= ~3U;
		p[12] = (uint8_t)((5 + room / 4) << 4);
		for (uint32_t i = 0; i < room; i++)
			p[20 + i] = (uint8_t)((uint32_t[]){0, 1, 2, 3, 4, 5, 8, 10, 18, 34, 255}[below(11)]);
		break;
	}
}

static void bend_udp(packet_t *k, uint32_t at)
{
	put16(k->data + at + 2 * below(4), odd());
	if (one_in(3))
		put16(k->data + at + 6, 0);
}

static void bend_icmp(packet_t *k, uint32_t at)
{
	k->data[at] = (uint8_t)(one_in(3) ? odd() : (uint32_t[]){0, 3, 4, 5, 8, 11, 12, 13, 17}[below(9)]);
	k->data[at + 1] = (uint8_t)(one_in(2) ? odd() : below(6));
}

/* Make one IPv4 packet two fragments, the second in its place, the first before or behind it. */
static void split(made_t *m, size_t i, uint32_t ip)
{
	packet_t *k = &m->pkts[i], f;
	uint32_t have = k->caplen - ip - 20, cut = 8 * (1 + below(have / 8));

	if (have < 16 || m->n == 2 * MAXSLICE || (k->data[ip] & 15) != 5)
		return;
	f = copy_packet(k);
	f.caplen = f.len = ip + 20 + cut;
	put16(f.data + ip + 2, 20 + cut);
	put16(f.data + ip + 6, 0x2000);
	sum_again(&f, ip);
	if (cut > 8 && one_in(4))
		cut -= 8; /* overlap */
	memmove(k->data + ip + 20, k->data + ip + 20 + cut, have > cut ? have - cut : 0);
	k->caplen = k->len = ip + 20 + (have > cut ? have - cut : 0);
	put16(k->data + ip + 2, k->caplen - ip);
	put16(k->data + ip + 6, cut / 8);
	sum_again(k, ip);
	insert(m, i + (one_in(2) ? 1 : 0), f);
}

static void tag(made_t *m, packet_t *k)
{
	if (m->linktype != DLT_EN10MB || k->caplen < 14 || k->caplen + 4 > MAXPKT)
		return;
	memmove(k->data + 16, k->data + 12, k->caplen - 12);
	put16(k->data + 12, one_in(3) ? 0x88a8 : 0x8100);
	put16(k->data + 14, one_in(2) ? below(4) : odd());
	k->caplen += 4;
	k->len += 4;
}

static void bend_inside(made_t *m)
{
	size_t i = below((uint32_t)m->n);
	packet_t *k = &m->pkts[i];
	uint32_t ip = ip_at(m->linktype, k), l4, proto;

	if (k->caplen == 0)
		return;
	m->wholesome = false;
	switch (below(12)) {
	case 0: /* bits */
		for (uint32_t n = 1 + below(4); n > 0; n--)
			k->data[below(one_in(2) && k->caplen > 60 ? 60 : k->caplen)] ^= (uint8_t)(1U << below(8));
		return;
	case 1:
		k->data[below(k->caplen)] = (uint8_t)odd();
		return;
	case 2: /* captured short */
		k->caplen = below(k->caplen + 1);
		return;
	case 3: /* short on the wire too */
		k->caplen = k->len = below(k->caplen + 1);
		return;
	case 4: /* longer than captured, or shorter */
		k->len = one_in(2) ? odd() : k->caplen + below(2000);
		return;
	case 5:
		tag(m, k);
		return;
	case 6:
		k->time = one_in(2) ? k->time - (int64_t)(1ULL << below(40)) : (int64_t)(rnd() >> (2 + below(40)));
		return;
	case 7:
		if (ip != 0)
			split(m, i, ip);
		return;
	default:
		break;
	}
	if (ip == 0)
		return;
	l4 = ip + (k->data[ip] & 15U) * 4;
	proto = k->data[ip + 9];
	if (one_in(3) || l4 < ip + 20 || k->caplen < l4 + 20)
		bend_ip(k, ip);
	else if (proto == 6)
		bend_tcp(k, l4);
	else if (proto == 17)
		bend_udp(k, l4);
	else
		bend_icmp(k, l4);
}

/* Every packet cut at the same snap length. */
static void snap(made_t *m)
{
	uint32_t n = below(one_in(2) ? 16 : 100);

	m->wholesome = false;
	for (size_t i = 0; i < m->n; i++)
		if (m->pkts[i].caplen > n)
			m->pkts[i].caplen = n;
}

/* ---- the file ---- */

static size_t w32(uint8_t *p, size_t at, uint32_t v, bool big)
{
	for (int i = 0; i < 4; i++)
		p[at + (size_t)i] = (uint8_t)(v >> (big ? 24 - 8 * i : 8 * i));
	return at + 4;
}

/* Another link type for packets that have an IPv4 header where Ethernet has it. */
static int relink(made_t *m)
{
	static const int types[] = {DLT_LINUX_SLL, 101, DLT_NULL, 108};
	int want = types[below(4)];

	if (m->linktype != DLT_EN10MB || !one_in(6))
		return m->linktype;
	for (size_t i = 0; i < m->n; i++)
		if (ip_at(m->linktype, &m->pkts[i]) != 14)
			return m->linktype;
	for (size_t i = 0; i < m->n; i++) {
		packet_t *k = &m->pkts[i];
		uint32_t to = want == DLT_LINUX_SLL ? 16 : want == 101 ? 0 : 4;

		memmove(k->data + to, k->data + 14, k->caplen - 14);
		if (want == DLT_LINUX_SLL) {
			memset(k->data, 0, 14);
			put16(k->data + 14, 0x0800);
		} else if (want != 101) {
			put32(k->data, want == 108 ? 2 : 0x02000000);
		}
		k->caplen = k->caplen - 14 + to;
		k->len = k->len - 14 + to;
	}
	m->linktype = want == 101 ? DLT_RAW : want;
	return want;
}

static size_t classic(const made_t *m, int linktype, uint8_t *out)
{
	bool big = one_in(3), nano = one_in(2);
	size_t at = w32(out, 0, nano ? 0xa1b23c4d : 0xa1b2c3d4, big);

	at = w32(out, at, big ? 0x00020004 : 0x00040002, big);
	at = w32(out, at, 0, big);
	at = w32(out, at, 0, big);
	at = w32(out, at, one_in(8) ? below(100) : 262144, big);
	at = w32(out, at, (uint32_t)linktype, big);
	for (size_t i = 0; i < m->n; i++) {
		const packet_t *k = &m->pkts[i];
		int64_t t = k->time < 0 ? 0 : k->time;

		at = w32(out, at, (uint32_t)(t / 1000000000), big);
		at = w32(out, at, (uint32_t)(t % 1000000000 / (nano ? 1 : 1000)), big);
		at = w32(out, at, k->caplen, big);
		at = w32(out, at, k->len, big);
		memcpy(out + at, k->data, k->caplen);
		at += k->caplen;
	}
	return at;
}

static size_t block(uint8_t *out, size_t at, uint32_t type, const uint8_t *body, uint32_t len)
{
	uint32_t total = 12 + ((len + 3) & ~3U);
	size_t end = at + total;

	at = w32(out, at, type, false);
	at = w32(out, at, total, false);
	memset(out + at, 0, total - 12);
	memcpy(out + at, body, len);
	w32(out, end - 4, total, false);
	return end;
}

static size_t pcapng(made_t *m, int linktype, uint8_t *out)
{
	static const uint8_t shb[16] = {0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255};
	uint8_t idb[16] = {0}, *body = must(malloc(MAXPKT + 64));
	size_t at = block(out, 0, 0x0a0d0d0a, shb, 16);
	bool bent = !m->wholesome && one_in(6); /* the block structure itself */

	idb[0] = (uint8_t)linktype;
	w32(idb, 4, one_in(8) ? below(100) : 262144, false);
	/* if_tsresol 9, end of options */
	memcpy(idb + 8, (uint8_t[]){9, 0, 1, 0, (uint8_t)(bent ? odd() : 9), 0, 0, 0}, 8);
	at = block(out, at, 1, idb, 16);
	for (size_t i = 0; i < m->n; i++) {
		const packet_t *k = &m->pkts[i];
		uint64_t t = (uint64_t)k->time;

		if (one_in(20))
			at = block(out, at, (uint32_t[]){4, 5, 0xbad, 0x40000bad}[below(4)], shb, 16);
		w32(body, 0, bent && one_in(50) ? odd() : 0, false);
		w32(body, 4, (uint32_t)(t >> 32), false);
		w32(body, 8, (uint32_t)t, false);
		w32(body, 12, k->caplen, false);
		w32(body, 16, k->len, false);
		memcpy(body + 20, k->data, k->caplen);
		at = block(out, at, 6, body, 20 + k->caplen);
	}
	free(body);
	return at;
}

/* The file's bytes; *whole is false when its structure was bent. */
static size_t render(made_t *m, uint8_t *out, bool *whole)
{
	int linktype = relink(m);
	bool ng = one_in(4);
	size_t n = ng ? pcapng(m, linktype, out) : classic(m, linktype, out);

	*whole = true;
	if (m->wholesome || !one_in(8))
		return n;
	*whole = false;
	switch (below(3)) {
	case 0:
		return below((uint32_t)n + 1);
	case 1:
		for (uint32_t i = 1 + below(3); i > 0 && n > 0; i--)
			out[below(one_in(2) && n > 200 ? 200 : (uint32_t)n)] = (uint8_t)odd();
		return n;
	default:
		memset(out + n, (int)odd(), 100);
		return n + below(100);
	}
}

static void choose_host(made_t *m)
{
	const packet_t *k = m->n > 0 ? &m->pkts[below((uint32_t)m->n)] : NULL;
	uint32_t ip = k != NULL ? ip_at(m->linktype, k) : 0;
	const uint8_t *a;

	m->host[0] = '\0';
	if (ip == 0 || !one_in(2))
		return;
	a = k->data + ip + (one_in(2) ? 12 : 16);
	if (a[0] == 0 || a[0] >= 224)
		return;
	snprintf(m->host, sizeof(m->host), "%d.%d.%d.%d", a[0], a[1], a[2], a[3]);
}

static void make(made_t *m, const capture_t *caps, int ncaps, bool wholesome)
{
	memset(m, 0, offsetof(made_t, pkts));
	slice(m, &caps[below((uint32_t)ncaps)]);
	choose_host(m);
	m->wholesome = true;
	for (uint32_t n = below(8); n > 0 && m->n > 0; n--)
		bend_whole(m);
	wholesome = one_in(3) || wholesome;
	for (uint32_t n = wholesome ? 0 : 1 + below(one_in(4) ? 60 : 6); n > 0 && m->n > 0; n--)
		bend_inside(m);
	if (!wholesome && one_in(12))
		snap(m);
}

/* ---- running ---- */

typedef struct result {
	int status; /* exit status; 1000 + signal */
	char *out, *err;
} result_t;

static char *slurp(const char *name)
{
	FILE *fp = fopen(name, "r");
	char *text = must(calloc(1, 1 << 18));

	if (fp == NULL)
		die(name, strerror(errno));
	text[fread(text, 1, (1 << 18) - 1, fp)] = '\0';
	fclose(fp);
	return text;
}

static void redirect(const char *file, int fd)
{
	int to = open(file, fd == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (to < 0 || dup2(to, fd) < 0)
		_exit(127);
	close(to);
}

static result_t run(char *const argv[])
{
	result_t r;
	int st;
	pid_t pid = fork();

	if (pid < 0)
		die("fork", strerror(errno));
	if (pid == 0) {
		redirect("in", 0);
		redirect("out", 1);
		redirect("err", 2);
		setrlimit(RLIMIT_CPU, &(struct rlimit){LIMIT_S, LIMIT_S + 1});
		alarm(10 * LIMIT_S);
		execv(argv[0], argv);
		_exit(127);
	}
	if (waitpid(pid, &st, 0) != pid)
		die("waitpid", strerror(errno));
	r.status = WIFEXITED(st) ? WEXITSTATUS(st) : 1000 + WTERMSIG(st);
	r.out = slurp("out");
	r.err = slurp("err");
	return r;
}

static void result_free(result_t *r)
{
	free(r->out);
	free(r->err);
}

/* Do the classes of the account add up? */
static const char *judge_account(const char *err)
{
	const char *p = strstr(err, " frames: "), *end;
	unsigned long long all, sum = 0;

	if (p == NULL)
		return strstr(err, "strsim: 0 frames\n") != NULL ? NULL : "no account";
	while (p > err && p[-1] >= '0' && p[-1] <= '9')
		p--;
	all = strtoull(p, (char **)(uintptr_t)&end, 10);
	for (p = end + strlen(" frames: "); *p >= '0' && *p <= '9';) {
		sum += strtoull(p, NULL, 10);
		p += strcspn(p, ",\n");
		p += *p == ',' ? 2 : 0;
	}
	return sum == all ? NULL : "classes of the account do not add up";
}

/* NULL, or what is wrong with a run of either kind. */
static const char *judge(const result_t *r)
{
	if (r->status >= 1000)
		return r->status == 1000 + SIGALRM || r->status == 1000 + SIGXCPU ? "no end" : "killed by a signal";
	if (r->status == SANITIZER_STATUS || strstr(r->err, "runtime error") != NULL)
		return "a sanitizer's report";
	if (strstr(r->err, "leaked") != NULL)
		return "a leak";
	if (r->status > 1)
		return "an exit status beyond 1";
	if (strstr(r->err, "strsim: ") == NULL)
		return "nothing said";
	return NULL;
}

/* Validate's table: the frames add up, and nothing differs when nothing may. */
static const char *judge_table(const result_t *r, const made_t *m)
{
	unsigned long long a, b;
	const char *p = strstr(r->out, "  in exactly one class");

	if (r->out[0] == '\0')
		return r->status == 1 && !m->wholesome ? NULL : "no table";
	if (p == NULL || sscanf(p + 22, "%llu %llu", &a, &b) != 2 || a != b)
		return "not every frame in exactly one class";
	if (m->wholesome && r->status != 0)
		return "validate finds differences";
	return NULL;
}

static const char *check(const char *strsim, made_t *m, uint64_t how, bool *differs)
{
	char *val[] = {(char *)(uintptr_t)strsim, "validate", "-r", "in", m->host[0] ? "--host" : NULL, m->host, NULL};
	char *rep[16] = {(char *)(uintptr_t)strsim,
			 "--no-progress",
			 "-q",
			 "-r",
			 how % 3 == 0 ? "-" : "in",
			 "--wire",
			 "wire",
			 "-n",
			 "fbt:unix:putnext:entry { @[stack(4)] = count(); }"};
	const char *why, *why2;
	result_t r = run(val);
	int n = 9;

	why = judge(&r);
	if (why == NULL)
		why = judge_table(&r, m);
	*differs = strstr(r.out, "DIFFERENT") != NULL;
	result_free(&r);
	if (why != NULL)
		return why;
	rep[n++] = how % 2 == 0 ? "--writes=push" : "--writes=segment";
	if (m->host[0] != '\0') {
		rep[n++] = "--host";
		rep[n++] = m->host;
	}
	unlink("wire");
	r = run(rep);
	why = judge(&r);
	if (why == NULL && r.status == 0 && access("wire", F_OK) != 0)
		why = "no wire file";
	if (why == NULL && access("wire", F_OK) == 0 && (why2 = judge_account(r.err)) != NULL)
		why = why2;
	if (why == NULL && access("wire.tmp", F_OK) == 0)
		why = "a half-written wire file";
	unlink("wire.tmp");
	result_free(&r);
	return why;
}

static bool one_case(const char *strsim, const capture_t *caps, int ncaps, uint64_t seed, uint64_t c, bool wholesome,
		     const char *keep, uint8_t *buf, bool verbose)
{
	static made_t m;
	const char *why;
	bool whole, differs = false;
	char name[600];
	size_t len;
	FILE *fp;

	rng = seed * 0x9e3779b97f4a7c15ULL + c * 0xd1342543de82ef95ULL;
	make(&m, caps, ncaps, wholesome);
	len = render(&m, buf, &whole);
	fp = fopen("in", "w");
	if (fp == NULL || fwrite(buf, 1, len, fp) != len || fclose(fp) != 0)
		die("in", strerror(errno));
	why = check(strsim, &m, c, &differs);
	for (size_t i = 0; i < m.n; i++)
		free(m.pkts[i].data);
	if (why == NULL && !(verbose && differs))
		return true;
	printf("case %llu: %s (%zu packets of %s%s%s, %zu bytes%s)\n", (unsigned long long)c,
	       why != NULL ? why : "bent, and differs", m.n, m.base, m.host[0] ? ", host " : "", m.host, len,
	       m.wholesome ? ", whole packets" : "");
	fflush(stdout);
	if (keep != NULL) {
		snprintf(name, sizeof(name), "%s/case-%llu-%llu", keep, (unsigned long long)seed,
			 (unsigned long long)c);
		fp = fopen(name, "w");
		if (fp == NULL || fwrite(buf, 1, len, fp) != len || fclose(fp) != 0)
			die(name, strerror(errno));
	}
	return why == NULL;
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static char *absolute(const char *name)
{
	char *p = realpath(name, NULL);

	if (p == NULL)
		die(name, strerror(errno));
	return p;
}

int main(int argc, char **argv)
{
	uint64_t seed = 1, first = 0, count = UINT64_MAX, failed = 0, done;
	bool wholesome = false, verbose = false;
	char dir[] = "/tmp/fuzz.XXXXXX", *keep = NULL, *strsim;
	double end = now() + 60;
	capture_t *caps;
	uint8_t *buf = must(malloc((size_t)2 * MAXSLICE * (MAXPKT + 64) + 4096));
	int o, ncaps;

	while ((o = getopt(argc, argv, "s:c:n:t:k:wv")) != -1) {
		switch (o) {
		case 's':
			seed = strtoull(optarg, NULL, 0);
			break;
		case 'c':
			first = strtoull(optarg, NULL, 0);
			break;
		case 'n':
			count = strtoull(optarg, NULL, 0);
			break;
		case 't':
			end = now() + atof(optarg);
			break;
		case 'k':
			keep = absolute(optarg);
			break;
		case 'w':
			wholesome = true;
			break;
		case 'v':
			verbose = true;
			break;
		default:
			return 2;
		}
	}
	if (argc - optind < 2)
		die("usage", "fuzz [-s SEED] [-c FIRST] [-n CASES] [-t SECONDS] [-k DIR] [-wv] STRSIM CAPTURE...");
	strsim = absolute(argv[optind++]);
	ncaps = argc - optind;
	caps = must(calloc((size_t)ncaps, sizeof(*caps)));
	for (int i = 0; i < ncaps; i++)
		load(&caps[i], argv[optind + i]);
	if (mkdtemp(dir) == NULL || chdir(dir) != 0)
		die(dir, strerror(errno));
	setenv("ASAN_OPTIONS", "exitcode=99:detect_leaks=1", 0);
	setenv("UBSAN_OPTIONS", "exitcode=99", 0);
	for (done = 0; done < count && now() < end; done++)
		failed += !one_case(strsim, caps, ncaps, seed, first + done, wholesome, keep, buf, verbose);
	printf("%llu cases of seed %llu, from %llu: %llu failed\n", (unsigned long long)done, (unsigned long long)seed,
	       (unsigned long long)first, (unsigned long long)failed);
	for (const char *const *f = (const char *const[]){"in", "out", "err", "wire", "wire.tmp", NULL}; *f != NULL;
	     f++)
		unlink(*f);
	if (chdir("/") == 0)
		rmdir(dir);
	for (int i = 0; i < ncaps; i++) {
		for (size_t j = 0; j < caps[i].n; j++)
			free(caps[i].pkts[j].data);
		free(caps[i].pkts);
	}
	free(caps);
	free(buf);
	free(strsim);
	free(keep);
	return failed != 0;
}
