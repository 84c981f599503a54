#include "replay/frag.h"

#include <stdlib.h>
#include <string.h>

#define NDATAGRAMS 256
#define KEEP_NS 30000000000LL
#define MAXDATA 65535u

/*
 * One datagram: its bytes, and one bit for each 8-byte unit that is there.
 */
typedef struct dgram {
	bool d_used, d_cut;
	uint32_t d_src, d_dst;
	uint16_t d_id;
	uint8_t d_proto, d_hlen;
	int64_t d_time;
	uint32_t d_total; /* bytes of payload, 0 while the last fragment is missing */
	uint32_t d_units; /* units that are there */
	uint8_t d_have[(MAXDATA / 8 + 8) / 8];
	uint8_t *d_buf; /* IPv4 header of the first fragment (60 bytes), then the payload */
} dgram_t;

struct fragtab {
	dgram_t t_dgrams[NDATAGRAMS];
};

fragtab_t *fragtab_create(void)
{
	return calloc(1, sizeof(fragtab_t));
}

void fragtab_destroy(fragtab_t *t)
{
	for (int i = 0; i < NDATAGRAMS; i++)
		free(t->t_dgrams[i].d_buf);
	free(t);
}

static dgram_t *begin(dgram_t *d, const rframe_t *f)
{
	uint8_t *buf = d->d_buf;

	if (buf == NULL && (buf = malloc(60 + MAXDATA + 8)) == NULL)
		return NULL;
	memset(d, 0, sizeof(*d));
	d->d_buf = buf;
	d->d_used = true;
	d->d_src = f->rf_ipsrc;
	d->d_dst = f->rf_ipdst;
	d->d_id = f->rf_id;
	d->d_proto = f->rf_proto;
	d->d_hlen = f->rf_hlen;
	memcpy(buf, f->rf_net, f->rf_hlen);
	return d;
}

/* The datagram of a fragment: known, or in a free place, or in the oldest one's. */
static dgram_t *find(fragtab_t *t, const rframe_t *f)
{
	dgram_t *place = &t->t_dgrams[0];

	for (int i = 0; i < NDATAGRAMS; i++) {
		dgram_t *d = &t->t_dgrams[i];

		if (d->d_used && f->rf_time - d->d_time > KEEP_NS)
			d->d_used = false;
		if (d->d_used && d->d_id == f->rf_id && d->d_src == f->rf_ipsrc && d->d_dst == f->rf_ipdst &&
		    d->d_proto == f->rf_proto)
			return d;
		if (place->d_used && (!d->d_used || d->d_time < place->d_time))
			place = d;
	}
	return begin(place, f);
}

static void store(dgram_t *d, const rframe_t *f)
{
	uint32_t cap = f->rf_l4cap;

	memcpy(d->d_buf + 60 + f->rf_off, f->rf_l4, cap);
	memset(d->d_buf + 60 + f->rf_off + cap, 0, f->rf_l4len - cap);
	d->d_cut |= f->rf_cut;
	for (uint32_t u = f->rf_off / 8; u < (f->rf_off + f->rf_l4len + 7) / 8; u++) {
		if (!(d->d_have[u / 8] & 1 << u % 8))
			d->d_units++;
		d->d_have[u / 8] |= (uint8_t)(1 << u % 8);
	}
	if (f->rf_off == 0) {
		d->d_hlen = f->rf_hlen;
		memcpy(d->d_buf, f->rf_net, f->rf_hlen);
	}
	if (!f->rf_mf)
		d->d_total = f->rf_off + f->rf_l4len;
}

bool fragtab_add(fragtab_t *t, rframe_t *f)
{
	dgram_t *d;

	if (f->rf_off + f->rf_l4len > MAXDATA || f->rf_l4len == 0)
		return false;
	d = find(t, f);
	if (d == NULL)
		return false;
	d->d_time = f->rf_time;
	store(d, f);
	if (d->d_total == 0 || d->d_units != (d->d_total + 7) / 8)
		return false;
	d->d_used = false;
	/* the header sits right before the payload: addresses for checksums are in it */
	memmove(d->d_buf + 60 - d->d_hlen, d->d_buf, d->d_hlen);
	f->rf_net = d->d_buf + 60 - d->d_hlen;
	f->rf_hlen = d->d_hlen;
	f->rf_mf = false;
	f->rf_off = 0;
	f->rf_l4 = d->d_buf + 60;
	f->rf_l4len = f->rf_l4cap = d->d_total;
	f->rf_iplen = f->rf_netlen = f->rf_netcap = d->d_hlen + d->d_total;
	f->rf_cut = d->d_cut;
	rf_decode_l4(f);
	return true;
}
