#include "replay/census.h"

#include "replay/pool.h"
#include "replay/ptab.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#define SUM_SAMPLE 64

typedef struct who {
	uint32_t w_ip;
	uint64_t w_count;
	bool w_macsrc, w_macdst;
	uint8_t w_src[6], w_dst[6];
	uint32_t w_bad[NSUMS], w_all[NSUMS];
	struct who *w_next;
} who_t;

typedef struct uport {
	uint64_t u_key; /* address << 16 | port */
	struct uport *u_next;
} uport_t;

struct census {
	who_t *c_who, **c_wholast; /* in the order of first appearance */
	uport_t *c_ports;
	ptab_t c_byip, c_byport;
	pool_t c_pool; /* of who_t */
	uint64_t c_ip;
	bool c_anybad; /* some checksum was wrong */
};

census_t *census_create(void)
{
	census_t *c = calloc(1, sizeof(*c));

	if (c == NULL)
		return NULL;
	c->c_wholast = &c->c_who;
	pool_init(&c->c_pool, sizeof(who_t));
	return c;
}

void census_destroy(census_t *c)
{
	while (c->c_who != NULL) {
		who_t *w = c->c_who;

		c->c_who = w->w_next;
		pool_put(&c->c_pool, w);
	}
	while (c->c_ports != NULL) {
		uport_t *u = c->c_ports;

		c->c_ports = u->u_next;
		free(u);
	}
	ptab_fini(&c->c_byip);
	ptab_fini(&c->c_byport);
	pool_fini(&c->c_pool);
	free(c);
}

static who_t *who_find(const census_t *c, uint32_t ip)
{
	return ptab_get(&c->c_byip, ip);
}

static who_t *who_of(census_t *c, uint32_t ip)
{
	who_t *w = who_find(c, ip);

	if (w != NULL)
		return w;
	w = pool_get(&c->c_pool);
	if (w == NULL)
		return NULL;
	if (!ptab_put(&c->c_byip, ip, w)) {
		pool_put(&c->c_pool, w);
		return NULL;
	}
	w->w_ip = ip;
	*c->c_wholast = w;
	c->c_wholast = &w->w_next;
	return w;
}

bool census_unicast(uint32_t ip)
{
	uint32_t h = ntohl(ip);

	return h != 0 && h < 0xe0000000U;
}

static void sample(census_t *c, who_t *w, sum_t sum, int good)
{
	if (good < 0 || w->w_all[sum] == SUM_SAMPLE)
		return;
	w->w_all[sum]++;
	w->w_bad[sum] += good == 0;
	c->c_anybad = c->c_anybad || good == 0;
}

static void sums(census_t *c, who_t *w, const rframe_t *f)
{
	if (w->w_all[SUM_IP] < SUM_SAMPLE)
		sample(c, w, SUM_IP, rf_ipsum(f));
	if (f->rf_tcp && w->w_all[SUM_TCP] < SUM_SAMPLE)
		sample(c, w, SUM_TCP, rf_l4sum(f));
	if (f->rf_udp && w->w_all[SUM_UDP] < SUM_SAMPLE)
		sample(c, w, SUM_UDP, rf_l4sum(f));
}

/* A first fragment has the ports too. */
static void udp_port(census_t *c, const rframe_t *f)
{
	uint64_t key;
	uport_t *u;

	if (f->rf_proto != 17 || f->rf_off != 0 || f->rf_l4cap < 8)
		return;
	key = (uint64_t)f->rf_ipsrc << 16 | rf_be16(f->rf_l4);
	if (ptab_get(&c->c_byport, key) != NULL || (u = calloc(1, sizeof(*u))) == NULL)
		return;
	if (!ptab_put(&c->c_byport, key, u)) {
		free(u);
		return;
	}
	u->u_key = key;
	u->u_next = c->c_ports;
	c->c_ports = u;
}

void census_frame(census_t *c, const rframe_t *f)
{
	who_t *w;

	if (!f->rf_ip || f->rf_bad == RF_CUT_IP || f->rf_bad == RF_BAD_VERSION)
		return;
	c->c_ip++;
	if (census_unicast(f->rf_ipsrc) && (w = who_of(c, f->rf_ipsrc)) != NULL) {
		w->w_count++;
		if (!w->w_macsrc) {
			w->w_macsrc = true;
			memcpy(w->w_src, f->rf_src, 6);
		}
		sums(c, w, f);
		if (f->rf_bad == RF_OK)
			udp_port(c, f);
	}
	if (f->rf_ipdst != f->rf_ipsrc && census_unicast(f->rf_ipdst) && !(f->rf_dst[0] & 1) &&
	    (w = who_of(c, f->rf_ipdst)) != NULL) {
		w->w_count++;
		if (!w->w_macdst) {
			w->w_macdst = true;
			memcpy(w->w_dst, f->rf_dst, 6);
		}
	}
}

uint32_t census_host(const census_t *c, uint64_t *share, uint64_t *all, uint32_t *second, uint64_t *secondshare)
{
	const who_t *best = NULL, *next = NULL;

	/* the first seen wins a tie */
	for (const who_t *w = c->c_who; w != NULL; w = w->w_next) {
		if (best == NULL || w->w_count > best->w_count) {
			next = best;
			best = w;
		} else if (next == NULL || w->w_count > next->w_count) {
			next = w;
		}
	}
	*all = c->c_ip;
	*share = best != NULL ? best->w_count : 0;
	*second = next != NULL ? next->w_ip : 0;
	*secondshare = next != NULL ? next->w_count : 0;
	return best != NULL ? best->w_ip : 0;
}

bool census_mac(const census_t *c, uint32_t ip, uint8_t mac[6])
{
	const who_t *w = who_find(c, ip);

	if (w == NULL || (!w->w_macsrc && !w->w_macdst))
		return false;
	memcpy(mac, w->w_macsrc ? w->w_src : w->w_dst, 6);
	return true;
}

bool census_udp_port(const census_t *c, uint32_t ip, uint16_t port)
{
	uint64_t key = (uint64_t)ip << 16 | port;

	return ptab_get(&c->c_byport, key) != NULL;
}

static bool offloaded(const who_t *w, sum_t sum)
{
	return w->w_bad[sum] > 0 && w->w_bad[sum] * 10 >= w->w_all[sum] * 9;
}

bool census_offloaded(const census_t *c, uint32_t ip, sum_t sum)
{
	const who_t *w = c->c_anybad ? who_find(c, ip) : NULL;

	return w != NULL && offloaded(w, sum);
}

void census_each_offloaded(const census_t *c, void (*f)(void *, uint32_t ip, sum_t sum, uint32_t bad, uint32_t all),
			   void *arg)
{
	for (const who_t *w = c->c_who; w != NULL; w = w->w_next)
		for (int s = 0; s < NSUMS; s++)
			if (offloaded(w, (sum_t)s))
				f(arg, w->w_ip, (sum_t)s, w->w_bad[s], w->w_all[s]);
}
