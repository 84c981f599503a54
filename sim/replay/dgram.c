#include "replay/endp.h"

#include <stdlib.h>
#include <string.h>

/*
 * UDP ports of the modelled host.  A port that the capture shows in use is
 * opened at its first datagram, sent or received, as an endpoint on /dev/udp.
 */

typedef struct uport {
	endp_t u_endp;     /* first */
	uint32_t u_key[2]; /* VLAN instance, port */
	UT_hash_handle hh;
} uport_t;

static void uport_sent(endp_t *e, uint32_t len)
{
	e->e_pl->pl_acct.a_sends++;
	e->e_pl->pl_acct.a_sent += len;
}

static void uport_received(endp_t *e, const uint8_t *data, uint32_t len)
{
	(void)data;
	e->e_pl->pl_acct.a_datagrams++;
	e->e_pl->pl_acct.a_dgrambytes += len;
}

static uport_t *uport_find(player_t *pl, uint32_t inst, uint16_t port)
{
	uint32_t key[2] = {inst, port};
	uport_t *u;

	HASH_FIND(hh, pl->pl_uports, key, sizeof(key), u);
	return u;
}

static uport_t *uport_make(player_t *pl, uint32_t inst, uint16_t port, uint16_t rport, uint32_t raddr, uint64_t num)
{
	proc_want_t want = {"udp", port, rport, port < 1024 || port < rport, raddr};
	uport_t *u = uport_find(pl, inst, port);

	if (u != NULL)
		return u;
	u = calloc(1, sizeof(*u));
	if (u == NULL)
		return NULL;
	u->u_key[0] = inst;
	u->u_key[1] = port;
	u->u_endp = (endp_t){.e_pl = pl,
			     .e_proc = player_proc(pl, &want, PID_PORT, num),
			     .e_device = "/dev/udp",
			     .e_inst = inst,
			     .e_port = port,
			     .e_sent = uport_sent,
			     .e_received = uport_received};
	if (u->u_endp.e_proc == NULL) {
		free(u);
		return NULL;
	}
	HASH_ADD(hh, pl->pl_uports, u_key, sizeof(u->u_key), u);
	pl->pl_acct.a_udp_ports++;
	endp_start(&u->u_endp);
	return u;
}

acct_t dgram_host(player_t *pl, uint32_t inst, const rframe_t *f)
{
	uport_t *u = uport_make(pl, inst, f->rf_sport, f->rf_dport, f->rf_ipdst, f->rf_num);

	if (u == NULL || !endp_send(&u->u_endp, f->rf_ipdst, f->rf_dport, f->rf_pay, f->rf_paycap, f->rf_paylen))
		return AC_LATE;
	return AC_SEND;
}

void dgram_peer(player_t *pl, uint32_t inst, const rframe_t *f)
{
	if (census_udp_port(pl->pl_census, pl->pl_host, f->rf_dport))
		(void)uport_make(pl, inst, f->rf_dport, f->rf_sport, f->rf_ipsrc, f->rf_num);
}

void dgram_fini(player_t *pl)
{
	uport_t *u, *tmp;

	HASH_ITER(hh, pl->pl_uports, u, tmp)
	{
		endp_end(&u->u_endp);
		HASH_DEL(pl->pl_uports, u);
		free(u);
	}
	player_settle(pl);
}
