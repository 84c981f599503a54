#include "replay/endp.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

/*
 * Echo requests of the modelled host: each destination and identifier is a
 * ping process, which sends the captured messages through /dev/rawip and counts
 * the replies to them.  It ends when it has sent nothing for as long as ping(1M)
 * waits for an answer; a later request is another ping's.
 *
 * ping itself does not connect its endpoint; these do, where there is one host
 * to be heard, so that a scan of many hosts does not wake each for all replies.
 */

#define ICMP_HDRLEN 8
#define ECHO_REPLY 0
#define ECHO_REQUEST 8

typedef struct ping {
	endp_t g_endp;     /* first */
	uint32_t g_key[3]; /* VLAN instance, destination, identifier */
	int64_t g_last;    /* its last request */
	UT_hash_handle hh; /* in order of g_last */
} ping_t;

bool ping_request(const rframe_t *f)
{
	return f->rf_proto == IPPROTO_ICMP && f->rf_off == 0 && !f->rf_mf && f->rf_l4len >= ICMP_HDRLEN &&
	       f->rf_l4cap >= 2 && f->rf_l4[0] == ECHO_REQUEST && f->rf_l4[1] == 0;
}

bool ping_one_host(uint32_t host, uint32_t addr)
{
	uint32_t a = ntohl(addr);

	return a != 0 && a < 0xe0000000U && ((a ^ ntohl(host)) > 255 || (a & 255) != 255);
}

static void ping_sent(endp_t *e, uint32_t len)
{
	(void)len;
	e->e_pl->pl_acct.a_pings++;
}

/* A packet, IP header first, of whatever ICMP message. */
static void ping_received(endp_t *e, const uint8_t *data, uint32_t len)
{
	const ping_t *g = (const ping_t *)e;
	uint32_t hlen = len > 0 ? (data[0] & 15) * 4U : 0, src;

	if (hlen < 20 || len < hlen + ICMP_HDRLEN || data[hlen] != ECHO_REPLY ||
	    rf_be16(data + hlen + 4) != g->g_key[2])
		return;
	memcpy(&src, data + 12, sizeof(src));
	if (src == g->g_key[1] || !ping_one_host(e->e_pl->pl_host, g->g_key[1]))
		e->e_pl->pl_acct.a_replies++;
}

static void ping_end(player_t *pl, ping_t *g)
{
	endp_end(&g->g_endp);
	HASH_DEL(pl->pl_pings, g);
	free(g);
}

void ping_expire(player_t *pl, int64_t now)
{
	ping_t *g;

	while ((g = pl->pl_pings) != NULL && now - g->g_last > PING_TIMEOUT)
		ping_end(pl, g);
}

static ping_t *ping_make(player_t *pl, const uint32_t key[3], uint64_t num)
{
	proc_want_t want = {"icmp", (uint16_t)key[2], 0, false, key[1]};
	ping_t *g = calloc(1, sizeof(*g));

	if (g == NULL)
		return NULL;
	memcpy(g->g_key, key, sizeof(g->g_key));
	g->g_endp = (endp_t){.e_pl = pl,
			     .e_proc = player_proc(pl, &want, PID_PORT, num),
			     .e_device = "/dev/rawip",
			     .e_inst = key[0],
			     .e_peer = ping_one_host(pl->pl_host, key[1]) ? key[1] : 0,
			     .e_sent = ping_sent,
			     .e_received = ping_received};
	if (g->g_endp.e_proc == NULL) {
		free(g);
		return NULL;
	}
	pl->pl_acct.a_ping_procs++;
	endp_start(&g->g_endp);
	return g;
}

acct_t ping_host(player_t *pl, uint32_t inst, const rframe_t *f)
{
	uint32_t key[3] = {inst, f->rf_ipdst, 0};
	ping_t *g;

	if (f->rf_l4cap < ICMP_HDRLEN) {
		pl->pl_acct.a_bad[RF_CUT_L4]++;
		return AC_DROPPED;
	}
	key[2] = rf_be16(f->rf_l4 + 4);
	ping_expire(pl, f->rf_time);
	HASH_FIND(hh, pl->pl_pings, key, sizeof(key), g);
	if (g != NULL)
		HASH_DEL(pl->pl_pings, g);
	else if ((g = ping_make(pl, key, f->rf_num)) == NULL)
		return AC_LATE;
	g->g_last = f->rf_time;
	HASH_ADD(hh, pl->pl_pings, g_key, sizeof(g->g_key), g);
	return endp_send(&g->g_endp, f->rf_ipdst, 0, f->rf_l4, f->rf_l4cap, f->rf_l4len) ? AC_SEND : AC_LATE;
}

void ping_fini(player_t *pl)
{
	while (pl->pl_pings != NULL)
		ping_end(pl, pl->pl_pings);
	player_settle(pl);
}
