#include "validate/expect.h"

#include <arpa/inet.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Two passes.  The first finds out who is there, whose checksums are believed,
 * and for each TCP connection all of the sequence space that the capture
 * shows.  The second follows the connections in time, keeps the bytes that
 * would wait, and sums up what must have been delivered and written.
 */

/* ---- packets ---- */

enum { NOT_IP, BAD_CUT, BAD_HDR, IP_OK };

typedef struct pkt {
	uint64_t num;
	int64_t time;
	uint8_t src[6], dst[6];
	bool mac;
	uint16_t type;
	uint32_t inst;
	int state;
	uint32_t ipsrc, ipdst;
	uint8_t proto, hlen;
	uint16_t id;
	bool more, cut, tso;
	uint32_t off;
	const uint8_t *ip, *l4;
	uint32_t l4len, l4cap;
	/* transport */
	bool badl4;
	uint16_t sport, dport;
	uint32_t seq, ack;
	uint8_t flags;
	const uint8_t *pay;
	uint32_t paylen, paycap;
	bool tcp, udp;
} pkt_t;

enum { FIN = 1, SYN = 2, RST = 4, PSH = 8, ACK = 16 };

static uint32_t get16(const uint8_t *p)
{
	return (uint32_t)p[0] * 256 + p[1];
}

static uint32_t get32(const uint8_t *p)
{
	return get16(p) << 16 | get16(p + 2);
}

static void parse_transport(pkt_t *k)
{
	uint32_t n;

	k->tcp = k->udp = k->badl4 = false;
	k->paylen = 0;
	if (k->proto == 6) {
		n = k->l4cap >= 20 ? (uint32_t)(k->l4[12] >> 4) * 4 : 0;
		if (k->l4len < 20 || (k->l4cap >= 20 && (n < 20 || n > k->l4len)))
			k->badl4 = true;
		else if (k->l4cap < 20 || k->l4cap < n)
			k->state = BAD_CUT;
		else {
			k->tcp = true;
			k->seq = get32(k->l4 + 4);
			k->ack = get32(k->l4 + 8);
			k->flags = k->l4[13];
			k->pay = k->l4 + n;
			k->paylen = k->l4len - n;
			k->paycap = k->l4cap - n;
		}
	} else if (k->proto == 17) {
		n = k->l4cap >= 8 ? get16(k->l4 + 4) : 8;
		if (k->l4len < 8 || n < 8 || n > k->l4len)
			k->badl4 = true;
		else if (k->l4cap < 8)
			k->state = BAD_CUT;
		else {
			k->udp = true;
			k->pay = k->l4 + 8;
			k->paylen = n - 8;
			k->paycap = k->l4cap < n ? k->l4cap - 8 : n - 8;
		}
	}
	if (k->tcp || k->udp) {
		k->sport = (uint16_t)get16(k->l4);
		k->dport = (uint16_t)get16(k->l4 + 2);
	}
}

static void parse_ip(pkt_t *k, uint32_t cap, uint32_t len)
{
	const uint8_t *ip = k->ip;
	uint32_t total;

	if (cap < 20) {
		k->state = BAD_CUT;
		k->ip = NULL; /* nobody knows whose it is */
		return;
	}
	memcpy(&k->ipsrc, ip + 12, 4);
	memcpy(&k->ipdst, ip + 16, 4);
	k->proto = ip[9];
	k->id = (uint16_t)get16(ip + 4);
	k->more = (ip[6] & 0x20) != 0;
	k->off = (get16(ip + 6) & 0x1fff) << 3;
	k->hlen = (uint8_t)((ip[0] & 15) << 2);
	total = get16(ip + 2);
	k->tso = total == 0;
	if (k->tso)
		total = len;
	k->state = BAD_HDR;
	if (ip[0] >> 4 != 4 || k->hlen < 20 || total < k->hlen || total > len)
		return;
	k->state = BAD_CUT;
	if (cap < k->hlen)
		return;
	k->state = IP_OK;
	k->l4 = ip + k->hlen;
	k->l4len = total - k->hlen;
	k->l4cap = (cap < total ? cap : total) - k->hlen;
	k->cut = k->l4cap < k->l4len;
	if (k->off == 0 && !k->more)
		parse_transport(k);
}

static void made_up(uint32_t ip, uint8_t mac[6])
{
	const uint8_t *b = (const uint8_t *)&ip;

	memset(mac, 0, 6);
	mac[0] = 2;
	memcpy(mac + 2, b, 4);
	if (b[0] >= 224)
		mac[0] = 3; /* any group address */
	if (ip == 0xffffffffU)
		memset(mac, 0xff, 6);
}

/* Distinct stacks of VLAN tags, as instances. */
typedef struct vstack {
	uint16_t tags[4];
	uint32_t inst;
	UT_hash_handle hh;
} vstack_t;

typedef struct reader {
	const char *const *files;
	int nfiles, at;
	pcap_t *pcap;
	uint64_t num;
	int64_t epoch, last, shift;
	bool started, fresh, cut;
	vstack_t *stacks;
	bool used[4096];
	char err[PCAP_ERRBUF_SIZE + 300];
} reader_t;

static uint32_t instance(reader_t *r, const uint16_t tags[4], int n)
{
	vstack_t *v;
	uint32_t i;

	if (n == 0 || (n == 1 && tags[0] == 0))
		return 0;
	HASH_FIND(hh, r->stacks, tags, sizeof(v->tags), v);
	if (v != NULL)
		return v->inst;
	i = tags[n - 1];
	if (i == 0 || i > 4094 || r->used[i])
		for (i = 1; i < 4095 && r->used[i]; i++)
			;
	r->used[i] = true;
	v = calloc(1, sizeof(*v));
	if (v == NULL)
		return 0;
	memcpy(v->tags, tags, sizeof(v->tags));
	v->inst = i;
	HASH_ADD(hh, r->stacks, tags, sizeof(v->tags), v);
	return i;
}

static bool parse_link(reader_t *r, pkt_t *k, int dlt, const uint8_t *p, uint32_t cap, uint32_t len, uint32_t *off)
{
	uint16_t tags[4] = {0};
	int n = 0;
	uint32_t o = 0;

	(void)len;
	switch (dlt) {
	case DLT_EN10MB:
		if (cap < 14)
			return false;
		memcpy(k->dst, p, 6);
		memcpy(k->src, p + 6, 6);
		k->mac = true;
		for (o = 12;
		     k->type = (uint16_t)get16(p + o), k->type == 0x8100 || k->type == 0x88a8 || k->type == 0x9100;
		     o += 4) {
			if (cap < o + 6 || n == 4)
				return false;
			tags[n++] = (uint16_t)(get16(p + o + 2) & 0xfff);
		}
		k->inst = instance(r, tags, n);
		o += 2;
		break;
	case DLT_LINUX_SLL:
		if (cap < 16)
			return false;
		k->type = (uint16_t)get16(p + 14);
		o = 16;
		break;
	case 276: /* Linux cooked, version 2 */
		if (cap < 20)
			return false;
		k->type = (uint16_t)get16(p);
		o = 20;
		break;
	default:
		o = dlt == DLT_NULL || dlt == DLT_LOOP ? 4 : 0;
		if (cap < o + 1)
			return false;
		k->type = p[o] >> 4 == 6 ? 0x86dd : 0x0800;
		break;
	}
	*off = o;
	return true;
}

static bool reader_open(reader_t *r, const char *const *files, int nfiles)
{
	memset(r, 0, sizeof(*r));
	r->files = files;
	r->nfiles = nfiles;
	return true;
}

static void reader_close(reader_t *r)
{
	vstack_t *v, *t;

	if (r->pcap != NULL)
		pcap_close(r->pcap);
	HASH_ITER(hh, r->stacks, v, t)
	{
		HASH_DEL(r->stacks, v);
		free(v);
	}
}

#define LAST_SECOND 4300000000LL

static int64_t on_time_line(reader_t *r, const struct pcap_pkthdr *h)
{
	double sec = (double)h->ts.tv_sec; /* some files have stamps beyond any calendar */
	int64_t t = sec < 0              ? 0
		    : sec >= LAST_SECOND ? LAST_SECOND * 1000000000LL
					 : h->ts.tv_sec * 1000000000LL + h->ts.tv_usec;

	if (!r->started)
		r->epoch = t;
	r->started = true;
	t -= r->epoch;
	if (r->fresh)
		r->shift = t < r->last ? r->last - t : 0;
	r->fresh = false;
	t += r->shift;
	if (t > r->last)
		r->last = t;
	return r->last;
}

/* 1 a packet, 0 the end, -1 a file that cannot be opened. */
static int reader_next(reader_t *r, pkt_t *k)
{
	struct pcap_pkthdr *h;
	const u_char *data;
	uint32_t off, len;
	int got;

	for (;;) {
		if (r->pcap == NULL) {
			char err[PCAP_ERRBUF_SIZE];

			if (r->at == r->nfiles)
				return 0;
			r->pcap =
			    pcap_open_offline_with_tstamp_precision(r->files[r->at], PCAP_TSTAMP_PRECISION_NANO, err);
			if (r->pcap == NULL) {
				snprintf(r->err, sizeof(r->err), "%s: %s", r->files[r->at], err);
				return -1;
			}
			r->fresh = true;
		}
		got = pcap_next_ex(r->pcap, &h, &data);
		if (got == 1)
			break;
		if (got == PCAP_ERROR)
			r->cut = true;
		pcap_close(r->pcap);
		r->pcap = NULL;
		r->at++;
	}
	memset(k, 0, sizeof(*k));
	k->num = ++r->num;
	k->time = on_time_line(r, h);
	k->state = NOT_IP;
	len = h->len < h->caplen ? h->caplen : h->len;
	if (!parse_link(r, k, pcap_datalink(r->pcap), data, h->caplen, len, &off)) {
		k->state = BAD_CUT;
		return 1;
	}
	if (k->type == 0x0800) {
		k->ip = data + off;
		parse_ip(k, h->caplen - off, len > off ? len - off : 0);
		if (!k->mac && k->state != BAD_CUT) {
			made_up(k->ipsrc, k->src);
			made_up(k->ipdst, k->dst);
		}
	}
	return 1;
}

/* ---- reassembly: bytes of a datagram, as they come ---- */

typedef struct dgram {
	struct {
		uint32_t src, dst;
		uint16_t id;
		uint16_t proto;
	} key;
	uint8_t *data; /* 65536 bytes, and a header of 20 before them */
	uint8_t have[65536 / 8 / 8 + 1];
	uint32_t total, units;
	bool cut;
	int64_t time;
	UT_hash_handle hh;
} dgram_t;

static void dgram_drop(dgram_t **tab, dgram_t *d)
{
	HASH_DEL(*tab, d);
	free(d->data);
	free(d);
}

static void dgram_dropall(dgram_t **tab)
{
	dgram_t *d, *t;

	HASH_ITER(hh, *tab, d, t)
	{
		dgram_drop(tab, d);
	}
}

static dgram_t *dgram_of(dgram_t **tab, const pkt_t *k)
{
	dgram_t *d, *t, probe;

	HASH_ITER(hh, *tab, d, t)
	{
		if (k->time - d->time > 30000000000LL)
			dgram_drop(tab, d);
	}
	memset(&probe, 0, sizeof(probe));
	probe.key.src = k->ipsrc;
	probe.key.dst = k->ipdst;
	probe.key.id = k->id;
	probe.key.proto = k->proto;
	HASH_FIND(hh, *tab, &probe.key, sizeof(probe.key), d);
	if (d != NULL)
		return d;
	d = calloc(1, sizeof(*d));
	if (d == NULL || (d->data = calloc(1, 20 + 65536)) == NULL) {
		free(d);
		return NULL;
	}
	d->key = probe.key;
	HASH_ADD(hh, *tab, key, sizeof(d->key), d);
	return d;
}

/* True when k becomes the whole datagram; *held is to be dropped by the caller when it is done with k. */
static bool reassemble(dgram_t **tab, pkt_t *k, dgram_t **held)
{
	dgram_t *d;

	*held = NULL;
	if (k->l4len == 0 || k->off + k->l4len > 65535 || (d = dgram_of(tab, k)) == NULL)
		return false;
	d->time = k->time;
	memset(d->data + 20 + k->off, 0, k->l4len);
	memcpy(d->data + 20 + k->off, k->l4, k->l4cap);
	if (k->off == 0)
		memcpy(d->data, k->ip, 20);
	d->cut |= k->cut;
	for (uint32_t u = k->off / 8; u * 8 < k->off + k->l4len; u++)
		if (!(d->have[u / 8] >> (u % 8) & 1)) {
			d->have[u / 8] |= (uint8_t)(1 << (u % 8));
			d->units++;
		}
	if (!k->more)
		d->total = k->off + k->l4len;
	if (d->total == 0 || d->units < (d->total + 7) / 8)
		return false;
	k->ip = d->data;
	k->l4 = d->data + 20;
	k->l4len = k->l4cap = d->total;
	k->cut = d->cut;
	k->off = 0;
	k->more = false;
	parse_transport(k);
	*held = d;
	return true;
}

/* ---- checksums ---- */

static uint32_t add16(uint32_t sum, const uint8_t *p, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		sum += i % 2 == 0 ? (uint32_t)p[i] << 8 : p[i];
	while (sum > 0xffff)
		sum = (sum >> 16) + (sum & 0xffff);
	return sum;
}

static int ip_good(const pkt_t *k)
{
	return add16(0, k->ip, k->hlen) == 0xffff;
}

/* -1: cannot be told. */
static int l4_good(const pkt_t *k)
{
	uint32_t len = k->l4len;

	if (k->cut || !(k->tcp || k->udp))
		return -1;
	if (k->udp) {
		if (get16(k->l4 + 6) == 0)
			return -1;
		len = get16(k->l4 + 4);
	}
	return add16(add16(k->proto + len, k->ip + 12, 8), k->l4, len) == 0xffff;
}

/* ---- ranges of sequence space ---- */

typedef struct ranges {
	uint32_t base; /* everything is relative to it */
	bool set;
	size_t n, cap;
	struct {
		int64_t lo, hi;
	} * r;
} ranges_t;

static void ranges_free(ranges_t *s)
{
	free(s->r);
	memset(s, 0, sizeof(*s));
}

static int64_t rel(const ranges_t *s, uint32_t seq)
{
	return (int32_t)(seq - s->base);
}

/*
 * Add [lo, hi) and call f for each part that was not there before, in order.
 * Positions below 0 (before the base) are no part of the stream.  Sequence
 * numbers more than 2^31 beyond the base do not occur: the base moves up.
 */
static void ranges_add(ranges_t *s, int64_t lo, int64_t hi, void (*f)(void *, int64_t, int64_t), void *arg)
{
	size_t i = 0, j;

	if (lo < 0)
		lo = 0;
	if (hi <= lo)
		return;
	while (i < s->n && s->r[i].hi < lo)
		i++;
	for (j = i; j < s->n && s->r[j].lo <= hi; j++)
		;
	if (f != NULL) {
		int64_t at = lo;

		for (size_t m = i; m < j; m++) {
			if (s->r[m].lo > at)
				f(arg, at, s->r[m].lo);
			if (s->r[m].hi > at)
				at = s->r[m].hi;
		}
		if (at < hi)
			f(arg, at, hi);
	}
	if (i < j) {
		if (s->r[i].lo < lo)
			lo = s->r[i].lo;
		if (s->r[j - 1].hi > hi)
			hi = s->r[j - 1].hi;
		memmove(&s->r[i + 1], &s->r[j], (s->n - j) * sizeof(s->r[0]));
		s->n -= j - i - 1;
	} else {
		if (s->n == s->cap) {
			void *p = realloc(s->r, (s->cap * 2 + 4) * sizeof(s->r[0]));

			if (p == NULL)
				return;
			s->r = p;
			s->cap = s->cap * 2 + 4;
		}
		memmove(&s->r[i + 1], &s->r[i], (s->n - i) * sizeof(s->r[0]));
		s->n++;
	}
	s->r[i].lo = lo;
	s->r[i].hi = hi;
}

static uint64_t ranges_sum(const ranges_t *s)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += (uint64_t)(s->r[i].hi - s->r[i].lo);
	return n;
}

/* First covered position in [lo, hi), hi when there is none. */
static int64_t ranges_next(const ranges_t *s, int64_t lo, int64_t hi)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->r[i].hi > lo)
			return s->r[i].lo > lo ? (s->r[i].lo < hi ? s->r[i].lo : hi) : lo;
	return hi;
}

/* ---- connections ---- */

typedef struct part {
	int64_t lo, hi;
	uint8_t *data; /* peer's bytes; NULL for the host's, where sizes suffice */
	struct part *next;
} part_t;

typedef struct track {
	econn_t pub; /* first */
	/* first pass: all of the capture */
	ranges_t all[2]; /* 0 the host's bytes, 1 the peer's */
	bool synack, live, hrst, psynack;
	uint32_t iss;
	/* second pass */
	ranges_t seen[2];
	part_t *wait[2];
	int64_t next[2];
	bool begun, connecting, expecting, gone, finseen[2];
	int64_t finpos[2];
	struct track *later; /* next connection on the same addresses */
} track_t;

/* Where a four-tuple is, in one pass. */
typedef struct tuple {
	struct {
		uint32_t haddr, paddr;
		uint16_t hport, pport;
		uint32_t inst;
	} key;
	track_t *first, *now;
	bool syn[2], any[2], fin[2], rst;
	uint32_t synseq[2];
	int64_t time;
	UT_hash_handle hh;
} tuple_t;

/* Addresses: counts, checksums. */
typedef struct addr {
	uint32_t ip;
	uint64_t count;
	uint32_t seen[3], bad[3];
	bool mac, macto;
	uint8_t from[6], to[6];
	UT_hash_handle hh;
} addr_t;

/* A process that pings: it is gone 20 s after its last request. */
typedef struct pinger {
	uint32_t inst, dst;
	uint16_t id;
	int64_t last;
	struct pinger *next;
} pinger_t;

typedef struct work {
	expect_t *x;
	addr_t *addrs;
	tuple_t *tuples;
	dgram_t *frags;
	track_t *tracks, **tail;
	uint8_t mac[6];
	uint8_t udpports[65536 / 8];
	pinger_t *pingers;
	int pass;
} work_t;

static addr_t *addr_find(work_t *w, uint32_t ip)
{
	addr_t *a;

	HASH_FIND(hh, w->addrs, &ip, sizeof(ip), a);
	return a;
}

static addr_t *addr_of(work_t *w, uint32_t ip)
{
	addr_t *a = addr_find(w, ip);

	if (a != NULL || ntohl(ip) == 0 || ntohl(ip) >= 0xe0000000U)
		return a;
	a = calloc(1, sizeof(*a));
	if (a == NULL)
		return NULL;
	a->ip = ip;
	HASH_ADD(hh, w->addrs, ip, sizeof(a->ip), a);
	return a;
}

static void sample(addr_t *a, int which, int good)
{
	if (good >= 0 && a->seen[which] < 64) {
		a->seen[which]++;
		a->bad[which] += !good;
	}
}

static bool unverified(work_t *w, uint32_t ip, int which)
{
	addr_t *a = addr_find(w, ip);

	return a != NULL && a->bad[which] != 0 && a->bad[which] * 10 >= a->seen[which] * 9;
}

static void census(work_t *w, const pkt_t *k)
{
	addr_t *a;

	/* a cut behind the IP header leaves the addresses readable */
	if (k->type != 0x0800 || (k->state == BAD_CUT && k->l4 == NULL) || k->ip[0] >> 4 != 4)
		return;
	if ((a = addr_of(w, k->ipsrc)) != NULL) {
		a->count++;
		if (!a->mac)
			memcpy(a->from, k->src, 6);
		a->mac = true;
		if (k->hlen >= 20 && k->state == IP_OK) {
			sample(a, 0, ip_good(k));
			sample(a, k->tcp ? 1 : 2, l4_good(k));
		}
	}
	if (k->ipdst != k->ipsrc && !(k->dst[0] & 1) && (a = addr_of(w, k->ipdst)) != NULL) {
		a->count++;
		if (!a->macto)
			memcpy(a->to, k->dst, 6);
		a->macto = true;
	}
}

/* ---- which connection ---- */

static void tuple_restart(tuple_t *t)
{
	t->syn[0] = t->syn[1] = t->any[0] = t->any[1] = t->fin[0] = t->fin[1] = t->rst = false;
}

static track_t *track_new(work_t *w, tuple_t *t, uint64_t num)
{
	track_t *c = calloc(1, sizeof(*c));

	if (c == NULL)
		return NULL;
	memcpy(&c->pub.key, &t->key, sizeof(t->key));
	c->pub.first = num;
	c->pub.hash = 0xcbf29ce484222325ULL;
	*w->tail = c;
	w->tail = (track_t **)&c->pub.next;
	return c;
}

static track_t *track_of(work_t *w, const pkt_t *k, int side, bool *isnew)
{
	tuple_t probe, *t;
	bool again = false;

	memset(&probe, 0, sizeof(probe));
	probe.key.haddr = side == 0 ? k->ipsrc : k->ipdst;
	probe.key.paddr = side == 0 ? k->ipdst : k->ipsrc;
	probe.key.hport = side == 0 ? k->sport : k->dport;
	probe.key.pport = side == 0 ? k->dport : k->sport;
	probe.key.inst = k->inst;
	HASH_FIND(hh, w->tuples, &probe.key, sizeof(probe.key), t);
	if (t == NULL) {
		if ((t = calloc(1, sizeof(*t))) == NULL)
			return NULL;
		t->key = probe.key;
		HASH_ADD(hh, w->tuples, key, sizeof(t->key), t);
	}
	*isnew = false;
	if (t->now != NULL && (t->rst || (t->fin[0] && t->fin[1])) && k->time - t->time > 60000000000LL)
		t->now = NULL;
	if (t->now != NULL && (k->flags & (SYN | ACK | RST)) == SYN)
		again = t->syn[side] ? t->synseq[side] != k->seq : !(t->syn[!side] && !t->any[side] && !t->rst);
	if (again)
		t->now = NULL;
	if (t->now == NULL) {
		if (k->flags & RST)
			return NULL;
		tuple_restart(t);
		*isnew = true;
		if (w->pass == 1) {
			track_t *c = track_new(w, t, k->num), *l = t->first;

			while (l != NULL && l->later != NULL)
				l = l->later;
			if (l == NULL)
				t->first = c;
			else
				l->later = c;
			t->now = c;
		} else {
			/* the second pass meets the same connections in the same order */
			track_t *c = t->first;

			while (c != NULL && c->begun)
				c = c->later;
			t->now = c;
			if (c != NULL)
				c->begun = true;
		}
	}
	t->any[side] = true;
	t->time = k->time;
	if ((k->flags & SYN) && !t->syn[side]) {
		t->syn[side] = true;
		t->synseq[side] = k->seq;
	}
	t->fin[side] |= (k->flags & FIN) != 0;
	t->rst |= (k->flags & RST) != 0;
	return t->now;
}

static void set_base(ranges_t *s, uint32_t seq)
{
	if (!s->set) {
		s->set = true;
		s->base = seq;
	}
}

/* First pass: what the whole capture shows of it. */
static void gather(track_t *c, const pkt_t *k, int side)
{
	uint32_t seq = k->seq + ((k->flags & SYN) != 0);

	if (k->flags & RST) {
		c->hrst |= side == 0;
		return;
	}
	if (side == 0) {
		if ((k->flags & (SYN | ACK)) == (SYN | ACK))
			c->synack = true;
		else if (!(k->flags & SYN))
			c->live = true;
	} else if ((k->flags & (SYN | ACK)) == (SYN | ACK)) {
		c->psynack = true;
	}
	set_base(&c->all[side], seq);
	if (k->flags & ACK)
		set_base(&c->all[!side], k->ack);
	ranges_add(&c->all[side], rel(&c->all[side], seq), rel(&c->all[side], seq) + k->paylen, NULL, NULL);
}

/* ---- second pass ---- */

static uint64_t fnv(uint64_t h, const uint8_t *p, size_t n)
{
	while (n-- > 0) {
		h ^= *p++;
		h *= 0x100000001b3ULL;
	}
	return h;
}

/* Parts at the front whose turn has come are delivered (peer) or written (host). */
static void flow_on(track_t *c, int side)
{
	part_t *p;

	while ((p = c->wait[side]) != NULL && p->lo <= c->next[side] && c->pub.open && !c->gone) {
		uint64_t n = (uint64_t)(p->hi - p->lo);

		if (side == 1) {
			c->pub.delivered += n;
			c->pub.hash = fnv(c->pub.hash, p->data, n);
		} else {
			c->pub.writes++;
			c->pub.written += n;
			c->pub.sizes[63 - __builtin_clzll(n)]++;
		}
		c->next[side] = p->hi;
		c->wait[side] = p->next;
		free(p->data);
		free(p);
	}
}

struct keep {
	track_t *c;
	const pkt_t *k;
	int side;
	int64_t at; /* position of the payload */
};

static void keep_part(void *arg, int64_t lo, int64_t hi)
{
	struct keep *kp = arg;
	part_t **pp = &kp->c->wait[kp->side], *p;

	p = calloc(1, sizeof(*p));
	if (p == NULL)
		return;
	p->lo = lo;
	p->hi = hi;
	if (kp->side == 1) {
		int64_t off = lo - kp->at, have = (int64_t)kp->k->paycap - off;

		p->data = calloc(1, (size_t)(hi - lo));
		if (p->data != NULL && have > 0)
			memcpy(p->data, kp->k->pay + off, (size_t)(have < hi - lo ? have : hi - lo));
	}
	while (*pp != NULL && (*pp)->lo < lo)
		pp = &(*pp)->next;
	p->next = *pp;
	*pp = p;
}

/* Bytes the capture lacks, up to position `to': the stream goes on behind them. */
static void pass_holes(track_t *c, int side, int64_t to)
{
	for (;;) {
		int64_t at;

		flow_on(c, side);
		if (c->next[side] >= to)
			return;
		at = ranges_next(&c->all[side], c->next[side], to);
		if (at == c->next[side])
			return;
		c->next[side] = at;
	}
}

static void host_acks(track_t *c, uint32_t ack)
{
	int64_t to;

	if (!c->seen[1].set)
		return;
	to = rel(&c->seen[1], ack);
	if (c->finseen[1] && to == c->finpos[1] + 1)
		to--;
	/* a single byte beyond everything there is: a FIN that was not captured */
	if (to == c->next[1] + 1 && ranges_next(&c->all[1], c->next[1], INT64_MAX) == INT64_MAX)
		return;
	pass_holes(c, 1, to);
}

static void host_holes(track_t *c)
{
	flow_on(c, 0);
	while (c->wait[0] != NULL && !c->gone) {
		int64_t to = c->wait[0]->lo;

		if (to <= c->next[0] || ranges_next(&c->all[0], c->next[0], to) == c->next[0])
			return;
		c->next[0] = ranges_next(&c->all[0], c->next[0], to);
		if (!c->pub.open)
			return;
		flow_on(c, 0);
	}
}

static void begin(track_t *c, const pkt_t *k, int side)
{
	bool synonly = (k->flags & (SYN | ACK)) == SYN;

	if (synonly && side == 0) {
		c->pub.process = c->connecting = true;
	} else if (synonly) {
		c->expecting = c->pub.process = c->synack || c->live;
	} else if ((k->flags & ACK) && (side == 0 || c->live || c->synack || !c->hrst)) {
		c->pub.process = c->pub.open = true;
	} else if (side == 0) {
		c->pub.process = c->pub.open = true;
	}
}

static void play(work_t *w, track_t *c, const pkt_t *k, int side, bool isnew, bool good)
{
	uint32_t seq = k->seq + ((k->flags & SYN) != 0);
	struct keep kp = {c, k, side, 0};

	(void)w;
	c->seen[0].base = c->all[0].base;
	c->seen[1].base = c->all[1].base;
	c->seen[0].set = c->all[0].set;
	c->seen[1].set = c->all[1].set;
	if (isnew)
		begin(c, k, side);
	if (!good)
		return;
	if (k->flags & RST) {
		c->gone |= c->pub.open || side == 0 || c->connecting;
		return;
	}
	if (c->connecting && !c->pub.open) {
		if (side == 1 && (k->flags & (SYN | ACK)) == (SYN | ACK))
			c->pub.open = true;
		if (side == 0 && !(k->flags & SYN) && (k->flags & ACK) && !c->psynack)
			c->pub.open = true;
	}
	if (c->expecting && side == 1 && (k->flags & (SYN | ACK)) == ACK)
		c->pub.open = true;
	kp.at = rel(&c->seen[side], seq);
	ranges_add(&c->seen[side], kp.at, kp.at + k->paylen, keep_part, &kp);
	if (k->flags & FIN) {
		c->finseen[side] = true;
		c->finpos[side] = kp.at + k->paylen;
	}
	host_holes(c);
	flow_on(c, 1);
	if (side == 0 && (k->flags & ACK))
		host_acks(c, k->ack);
}

static void segment(work_t *w, const pkt_t *k, bool good)
{
	for (int side = 1; side >= 0; side--) {
		bool isnew;
		track_t *c;

		if ((side == 0 ? k->ipsrc : k->ipdst) != w->x->host)
			continue;
		c = track_of(w, k, side, &isnew);
		if (c == NULL)
			continue;
		if (w->pass == 1)
			gather(c, k, side);
		else
			play(w, c, k, side, isnew, good);
	}
}

/* ---- packets of the second pass ---- */

static bool for_station(const work_t *w, const pkt_t *k)
{
	return (k->dst[0] & 1) || memcmp(k->dst, w->mac, 6) == 0;
}

static void count_capture(expect_frames_t *f, const pkt_t *k)
{
	f->all++;
	f->ipv4 += k->type == 0x0800;
	f->ipv6 += k->type == 0x86dd;
	f->arp += k->type == 0x0806;
	if (k->type == 0x0800 && k->state == IP_OK)
		f->fragments += k->more || k->off != 0;
}

static void count_transport(expect_frames_t *f, const pkt_t *k)
{
	if (k->tcp) {
		f->tcp++;
		f->tcp_payload += k->paylen != 0;
		f->tcp_bytes += k->paylen;
	} else if (k->udp) {
		f->udp++;
		f->udp_bytes += k->paylen;
	} else if (k->proto == 1) {
		f->icmp++;
	}
}

/* The host's network is a /24, for want of a better guess. */
static bool broadcast(uint32_t host, uint32_t dst)
{
	return dst == 0xffffffffU || ((ntohl(dst) ^ ntohl(host)) < 256 && (ntohl(dst) & 255) == 255);
}

static void datagram(work_t *w, const pkt_t *k, bool good)
{
	expect_t *x = w->x;

	if (k->ipsrc == x->host) {
		x->udp_sends++;
		x->udp_send_bytes += k->paylen;
		/* a broadcast is heard by its sender too */
		if (k->ipdst != x->host && !broadcast(x->host, k->ipdst))
			return;
	} else if (!good) {
		x->udp_badsum++;
		return;
	}
	if (k->ipdst != x->host && !broadcast(x->host, k->ipdst))
		return;
	if (w->udpports[k->dport / 8] >> (k->dport % 8) & 1) {
		x->udp_delivered++;
		x->udp_delivered_bytes += k->paylen;
	} else {
		x->udp_noport++;
	}
}

/* ---- pings ---- */

static bool echo_request(const pkt_t *k)
{
	return k->proto == 1 && k->off == 0 && !k->more && k->l4len >= 8 && k->l4cap >= 2 && get16(k->l4) == 0x0800;
}

/* Where a request goes: to one station, or to whoever answers. */
static bool to_many(uint32_t host, uint32_t dst)
{
	return dst == 0 || ntohl(dst) >= 0xe0000000U || broadcast(host, dst);
}

/* Is this for the host?  All hosts are in group 224.0.0.1. */
static bool hears(uint32_t host, uint32_t dst)
{
	return dst == host || dst == htonl(0xe0000001) || broadcast(host, dst);
}

/* ... when it sends it itself? */
static bool to_self(uint32_t host, uint32_t dst)
{
	return hears(host, dst) || dst == 0 || dst == htonl(0x7f000001);
}

static void pingers_end(work_t *w, int64_t before)
{
	for (pinger_t **pp = &w->pingers, *p; (p = *pp) != NULL;) {
		if (p->last < before) {
			*pp = p->next;
			free(p);
		} else {
			pp = &p->next;
		}
	}
}

static pinger_t *pinger_of(work_t *w, const pkt_t *k)
{
	uint16_t id = (uint16_t)get16(k->l4 + 4);
	pinger_t *p;

	for (p = w->pingers; p != NULL; p = p->next)
		if (p->inst == k->inst && p->dst == k->ipdst && p->id == id)
			return p;
	p = calloc(1, sizeof(*p));
	if (p == NULL)
		return NULL;
	*p = (pinger_t){k->inst, k->ipdst, id, 0, w->pingers};
	w->pingers = p;
	w->x->pingers++;
	return p;
}

/* A reply from src: an endpoint that is not a VLAN's hears them all. */
static void reply(work_t *w, uint32_t inst, uint32_t src, uint32_t id)
{
	for (const pinger_t *p = w->pingers; p != NULL; p = p->next)
		w->x->ping_replies +=
		    p->id == id && (p->inst == 0 || p->inst == inst) && (p->dst == src || to_many(w->x->host, p->dst));
}

static void ping(work_t *w, const pkt_t *k)
{
	pinger_t *p;

	pingers_end(w, k->time - 20000000000LL);
	if ((p = pinger_of(w, k)) == NULL)
		return;
	p->last = k->time;
	w->x->pings++;
	if (!to_self(w->x->host, k->ipdst))
		return;
	/* the request, and the kernel's own answer */
	w->x->icmp_in += 2;
	w->x->icmp_echo++;
	reply(w, k->inst, to_many(w->x->host, k->ipdst) ? w->x->host : k->ipdst, get16(k->l4 + 4));
}

static void icmp_received(work_t *w, const pkt_t *k)
{
	w->x->icmp_in++;
	if (k->l4len < 8)
		return;
	if (!k->tso && !k->cut && add16(0, k->l4, k->l4len) != 0xffff) {
		w->x->icmp_badsum++;
		return;
	}
	w->x->icmp_echo += k->l4cap > 0 && k->l4[0] == 8;
	pingers_end(w, k->time - 20000000000LL);
	if (k->l4cap >= 6 && k->l4[0] == 0)
		reply(w, k->inst, k->ipsrc, get16(k->l4 + 4));
}

/* A whole packet (or a reassembled one) that is the host's or for it. */
static void packet(work_t *w, const pkt_t *k)
{
	bool received = k->ipsrc != w->x->host;
	bool good = !received || k->tso || unverified(w, k->ipsrc, k->tcp ? 1 : 2) || l4_good(k) != 0;

	if (k->tcp) {
		if (!good)
			w->x->tcp_badsum++;
		segment(w, k, good);
	} else if (k->udp) {
		datagram(w, k, good);
	} else if (k->proto == 1 && received && hears(w->x->host, k->ipdst)) {
		icmp_received(w, k);
	} else if (!received && echo_request(k)) {
		ping(w, k);
	}
}

static void second(work_t *w, pkt_t *k)
{
	static const uint8_t all_hosts[6] = {0x01, 0x00, 0x5e, 0x00, 0x00, 0x01};
	expect_t *x = w->x;
	dgram_t *held = NULL;
	bool sent, forus;

	count_capture(&x->frames, k);
	if (k->state == NOT_IP) {
		if (x->host == 0 || !k->mac)
			x->frames.foreign++;
		else if (memcmp(k->src, w->mac, 6) == 0)
			x->frames.sent++;
		else if (for_station(w, k))
			x->frames.received++;
		else
			x->frames.foreign++;
		return;
	}
	if (k->ip == NULL) {
		x->frames.dropped++;
		return;
	}
	if (x->host == 0) {
		x->frames.foreign++;
		return;
	}
	sent = k->ipsrc == x->host;
	forus = !sent && (k->ipdst == x->host || (k->dst[0] & 1));
	if (k->state == BAD_CUT || (sent && (k->state == BAD_HDR || k->badl4 || (echo_request(k) && k->l4cap < 8)))) {
		if (sent || forus || for_station(w, k))
			x->frames.dropped++;
		else
			x->frames.foreign++;
		return;
	}
	if (sent)
		x->frames.sent++;
	else if (forus)
		x->frames.received++;
	else
		x->frames.foreign++;
	if (!sent && (forus || for_station(w, k)) &&
	    (!(k->dst[0] & 1) || k->dst[0] == 0xff || memcmp(k->dst, all_hosts, 6) == 0))
		x->ip_received++;
	if (k->state == BAD_HDR) {
		x->ip_badhdr += forus;
		return;
	}
	if (forus && !k->tso && !unverified(w, k->ipsrc, 0) && !ip_good(k)) {
		x->ip_badsum++;
		return;
	}
	if (k->off != 0 || k->more) {
		if (!reassemble(&w->frags, k, &held))
			return;
		x->reassembled += forus;
	}
	count_transport(&x->frames, k);
	if (sent || forus)
		packet(w, k);
	if (held != NULL)
		dgram_drop(&w->frags, held);
}

static void first(work_t *w, pkt_t *k)
{
	dgram_t *held = NULL;

	if (k->state != IP_OK || (k->ipsrc != w->x->host && k->ipdst != w->x->host))
		return;
	if (k->ipsrc == w->x->host && k->proto == 17 && k->off == 0 && k->l4cap >= 8)
		w->udpports[get16(k->l4) / 8] |= (uint8_t)(1 << (get16(k->l4) % 8));
	if ((k->off != 0 || k->more) && !reassemble(&w->frags, k, &held))
		return;
	if (k->state == IP_OK && k->tcp)
		segment(w, k, true);
	if (held != NULL)
		dgram_drop(&w->frags, held);
}

/* ---- the whole ---- */

static void choose_host(work_t *w)
{
	const addr_t *best = NULL;
	addr_t *me;

	if (w->x->host == 0) {
		for (const addr_t *a = w->addrs; a != NULL; a = a->hh.next)
			if (best == NULL || a->count > best->count)
				best = a;
		w->x->host = best != NULL ? best->ip : 0;
	}
	if (w->x->host == 0)
		return;
	me = addr_find(w, w->x->host);
	if (me != NULL && (me->mac || me->macto))
		memcpy(w->mac, me->mac ? me->from : me->to, 6);
	else
		made_up(w->x->host, w->mac);
}

static void sum_up(work_t *w)
{
	for (track_t *c = w->tracks; c != NULL; c = (track_t *)c->pub.next) {
		c->pub.host_covered = ranges_sum(&c->all[0]);
		c->pub.covered = ranges_sum(&c->all[1]);
		c->pub.undelivered = c->pub.covered - c->pub.delivered;
		c->pub.unwritten = c->pub.host_covered - c->pub.written;
		c->pub.why = c->pub.undelivered == 0 && c->pub.unwritten == 0 ? ""
			     : !c->pub.process                                ? "closed port"
			     : !c->pub.open                                   ? "never established"
			     : c->gone                                        ? "after a reset"
									      : "behind a hole, or bad checksum";
		w->x->nconns++;
		for (int s = 0; s < 2; s++) {
			ranges_free(&c->all[s]);
			ranges_free(&c->seen[s]);
			while (c->wait[s] != NULL) {
				part_t *p = c->wait[s];

				c->wait[s] = p->next;
				free(p->data);
				free(p);
			}
		}
	}
	w->x->conns = (econn_t *)w->tracks;
}

/* Run f over all packets: false when a file cannot be opened. */
static bool each(work_t *w, const char *const *files, int nfiles, void (*f)(work_t *, pkt_t *), bool *cut, char *err,
		 size_t errlen)
{
	reader_t r;
	pkt_t k;
	int got;

	reader_open(&r, files, nfiles);
	while ((got = reader_next(&r, &k)) == 1)
		f(w, &k);
	*cut = r.cut;
	if (got < 0)
		snprintf(err, errlen, "%s", r.err);
	reader_close(&r);
	dgram_dropall(&w->frags);
	return got == 0;
}

static void census_pass(work_t *w, pkt_t *k)
{
	census(w, k);
}

static void forget(work_t *w)
{
	addr_t *a, *at;
	tuple_t *t, *tt;

	HASH_ITER(hh, w->addrs, a, at)
	{
		HASH_DEL(w->addrs, a);
		free(a);
	}
	HASH_ITER(hh, w->tuples, t, tt)
	{
		HASH_DEL(w->tuples, t);
		free(t);
	}
	pingers_end(w, INT64_MAX);
}

expect_t *expect_compute(const char *const *files, int nfiles, uint32_t host, bool *cut, char *err, size_t errlen)
{
	work_t w;
	bool ok;

	memset(&w, 0, sizeof(w));
	w.tail = &w.tracks;
	w.x = calloc(1, sizeof(*w.x));
	if (w.x == NULL)
		return NULL;
	w.x->host = host;
	ok = each(&w, files, nfiles, census_pass, cut, err, errlen);
	if (ok) {
		choose_host(&w);
		w.pass = 1;
		ok = each(&w, files, nfiles, first, cut, err, errlen);
	}
	if (ok) {
		for (tuple_t *t = w.tuples; t != NULL; t = t->hh.next) {
			t->now = NULL;
			tuple_restart(t);
		}
		w.pass = 2;
		ok = each(&w, files, nfiles, second, cut, err, errlen);
	}
	sum_up(&w);
	forget(&w);
	if (!ok) {
		expect_free(w.x);
		return NULL;
	}
	return w.x;
}

void expect_free(expect_t *x)
{
	while (x->conns != NULL) {
		econn_t *c = x->conns;

		x->conns = c->next;
		free(c);
	}
	free(x);
}
