/*
 * A process of the replay with one TPI endpoint for messages: a UDP port
 * (dgram.c), a ping (ping.c).  It sends with putmsg(2) and takes what comes
 * with getmsg(2) as soon as it is there, the way TLI programs do.
 */
#ifndef STRSIM_REPLAY_ENDP_H
#define STRSIM_REPLAY_ENDP_H

#include "replay/player.h"

struct endmsg;

typedef struct endp {
	/* set before endp_start() */
	player_t *e_pl;
	proc_t *e_proc; /* one use of it is the endpoint's */
	const char *e_device;
	uint32_t e_inst; /* VLAN instance */
	uint16_t e_port; /* bound to */
	uint32_t e_peer; /* connected to, 0 = to nobody */
	void (*e_sent)(struct endp *e, uint32_t len);
	void (*e_received)(struct endp *e, const uint8_t *data, uint32_t len);
	/* endp.c's */
	int e_fd; /* -1 = it could not be opened */
	bool e_open, e_job, e_again;
	struct endmsg *e_todo, **e_todotail;
	pollent_t e_pe;
} endp_t;

/* Open it, now. */
void endp_start(endp_t *e);
/* Have it send len bytes, of which cap are at data and the others are zeros: false when it cannot. */
bool endp_send(endp_t *e, uint32_t addr, uint16_t port, const uint8_t *data, uint32_t cap, uint32_t len);
/* Close it and give up its use of the process. */
void endp_end(endp_t *e);

#endif
