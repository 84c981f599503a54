/*
 * mktraffic FILE PACKETS [CONNECTIONS] - write a capture for benchmarks.
 *
 * The traffic of one busy host, 10.0.0.1: requests and answers over TCP in both
 * roles, opened and closed properly, CONNECTIONS (1000) of them at a time, and
 * one UDP datagram for every three TCP segments.  The same arguments give the
 * same bytes.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <pcap/pcap.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOST 0x0a000001U
#define MSS 1448
#define GAP_NS 2000 /* between frames */

enum { FIN = 1, SYN = 2, PSH = 8, ACK = 16 };

/* Both ends of a connection: 0 is the client's. */
typedef struct end {
	uint32_t addr;
	uint16_t port;
	uint32_t nxt;
} end_t;

typedef struct conn {
	end_t e[2];
	int step;
	uint32_t left; /* bytes of the answer to be sent */
	int unacked;
} conn_t;

static pcap_dumper_t *dump;
static uint64_t now, rng = 88172645463325252ULL;
static uint8_t frame[1600];
static uint16_t ipid;

static uint64_t draw(void)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return rng;
}

static void put16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static void put32(uint8_t *p, uint32_t v)
{
	put16(p, v >> 16);
	put16(p + 2, v);
}

static uint32_t sum(uint32_t s, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		s += i & 1 ? p[i] : (uint32_t)p[i] << 8;
	return s;
}

static uint32_t fold(uint32_t s)
{
	while (s >> 16 != 0)
		s = (s & 0xffff) + (s >> 16);
	return ~s & 0xffff;
}

static void put_mac(uint8_t *p, uint32_t addr)
{
	p[0] = 2;
	p[1] = 0;
	put32(p + 2, addr);
}

/* Headers up to IP around l4len bytes at frame + 34; writes the frame. */
static void emit(uint8_t proto, uint32_t src, uint32_t dst, size_t l4len, size_t ckoff)
{
	uint8_t *ip = frame + 14;
	struct pcap_pkthdr h;

	put_mac(frame, dst);
	put_mac(frame + 6, src);
	put16(frame + 12, 0x0800);
	memset(ip, 0, 20);
	ip[0] = 0x45;
	put16(ip + 2, (uint32_t)(20 + l4len));
	put16(ip + 4, ipid++);
	put16(ip + 6, 0x4000);
	ip[8] = 64;
	ip[9] = proto;
	put32(ip + 12, src);
	put32(ip + 16, dst);
	put16(ip + 10, fold(sum(0, ip, 20)));
	put16(frame + 34 + ckoff, 0);
	put16(frame + 34 + ckoff, fold(sum(sum(proto + (uint32_t)l4len, ip + 12, 8), frame + 34, l4len)));
	memset(&h, 0, sizeof(h));
	now += GAP_NS;
	h.ts.tv_sec = (time_t)(1150000000 + now / 1000000000);
	h.ts.tv_usec = (suseconds_t)(now % 1000000000);
	h.caplen = h.len = (uint32_t)(34 + l4len);
	pcap_dump((u_char *)dump, &h, frame);
}

static void segment(conn_t *c, int from, int flags, uint32_t len)
{
	end_t *s = &c->e[from], *d = &c->e[!from];
	uint8_t *t = frame + 34;
	size_t opts = flags & SYN ? 4 : 0;

	memset(t, 0, 24);
	put16(t, s->port);
	put16(t + 2, d->port);
	put32(t + 4, s->nxt);
	put32(t + 8, flags & ACK ? d->nxt : 0);
	t[12] = (uint8_t)((20 + opts) / 4 << 4);
	t[13] = (uint8_t)flags;
	put16(t + 14, 49640);
	if (opts != 0) {
		t[20] = 2;
		t[21] = 4;
		put16(t + 22, 1460);
	}
	memset(t + 20 + opts, 'a' + (int)(s->nxt % 26), len);
	s->nxt += len + ((flags & (SYN | FIN)) != 0);
	emit(6, s->addr, d->addr, 20 + opts + len, 16);
}

static void begin(conn_t *c, uint32_t serial)
{
	uint32_t peer = 0x0a010000U + serial % 60000;
	uint16_t port = (uint16_t)(1024 + serial / 60000 % 60000 + serial % 7);
	int role = serial & 1; /* the host is client or server */

	memset(c, 0, sizeof(*c));
	c->e[role].addr = peer;
	c->e[!role].addr = HOST;
	c->e[0].port = role == 1 ? (uint16_t)(10000 + serial % 50000) : port;
	c->e[1].port = 80;
	c->e[0].nxt = (uint32_t)draw();
	c->e[1].nxt = (uint32_t)draw();
	c->left = 200 + (uint32_t)(draw() % 30000);
}

/* The next segment of a connection; 0 when it was the last. */
static int advance(conn_t *c)
{
	uint32_t n;

	switch (c->step++) {
	case 0:
		segment(c, 0, SYN, 0);
		return 1;
	case 1:
		segment(c, 1, SYN | ACK, 0);
		return 1;
	case 2:
		segment(c, 0, ACK, 0);
		return 1;
	case 3:
		segment(c, 0, PSH | ACK, 100 + (uint32_t)(draw() % 400));
		return 1;
	case 4:
		if (c->unacked == 2 || c->left == 0) {
			segment(c, 0, ACK, 0);
			c->unacked = 0;
			c->step = c->left == 0 ? 5 : 4;
			return 1;
		}
		n = c->left < MSS ? c->left : MSS;
		c->left -= n;
		segment(c, 1, ACK | (c->left == 0 ? PSH : 0), n);
		c->unacked++;
		c->step = 4;
		return 1;
	case 5:
		segment(c, 1, FIN | ACK, 0);
		return 1;
	case 6:
		segment(c, 0, FIN | ACK, 0);
		return 1;
	default:
		segment(c, 1, ACK, 0);
		return 0;
	}
}

static void datagram(void)
{
	uint32_t peer = 0x0a020000U + (uint32_t)(draw() % 200), len = 40 + (uint32_t)(draw() % 900);
	int out = (int)(draw() & 1);
	uint8_t *u = frame + 34;

	put16(u, out ? 2049 : 900);
	put16(u + 2, out ? 900 : 2049);
	put16(u + 4, 8 + len);
	memset(u + 8, 'u', len);
	emit(17, out ? HOST : peer, out ? peer : HOST, 8 + len, 6);
}

int main(int argc, char **argv)
{
	unsigned long packets = argc > 2 ? strtoul(argv[2], NULL, 10) : 0,
		      nconn = argc > 3 ? strtoul(argv[3], NULL, 10) : 1000;
	uint32_t serial = 0;
	conn_t *conns;
	pcap_t *p;

	if (packets == 0 || nconn == 0) {
		fprintf(stderr, "usage: mktraffic FILE PACKETS [CONNECTIONS]\n");
		return 2;
	}
	conns = calloc(nconn, sizeof(*conns));
	p = pcap_open_dead_with_tstamp_precision(DLT_EN10MB, 65535, PCAP_TSTAMP_PRECISION_NANO);
	dump = p != NULL ? pcap_dump_open(p, argv[1]) : NULL;
	if (conns == NULL || dump == NULL) {
		fprintf(stderr, "mktraffic: %s: %s\n", argv[1], p != NULL ? pcap_geterr(p) : "out of memory");
		free(conns);
		return 1;
	}
	for (size_t i = 0; i < nconn; i++)
		begin(&conns[i], serial++);
	for (unsigned long n = 0; n < packets; n++) {
		conn_t *c = &conns[draw() % nconn];

		if (n % 4 == 3)
			datagram();
		else if (!advance(c))
			begin(c, serial++);
	}
	if (pcap_dump_flush(dump) != 0) {
		fprintf(stderr, "mktraffic: %s: %s\n", argv[1], strerror(errno));
		free(conns);
		return 1;
	}
	pcap_dump_close(dump);
	pcap_close(p);
	free(conns);
	return 0;
}
