#include "replay/hint.h"

#include <string.h>

/* The connection of a TCP segment without VLAN tags and IP options, seen from the host. */
static bool plain_key(uint32_t host, const uint8_t *frame, fkey_t *k)
{
	const uint8_t *ip = frame + 14, *ports = ip + 20;
	uint32_t src, dst;
	bool sent;

	if (rf_be16(frame + 12) != 0x0800 || ip[0] != 0x45 || ip[9] != 6)
		return false;
	memcpy(&src, ip + 12, 4);
	memcpy(&dst, ip + 16, 4);
	sent = src == host;
	if (!sent && dst != host)
		return false;
	k->fk_haddr = host;
	k->fk_paddr = sent ? dst : src;
	k->fk_hport = rf_be16(sent ? ports : ports + 2);
	k->fk_pport = rf_be16(sent ? ports + 2 : ports);
	k->fk_inst = 0;
	return true;
}

void hint_next(hint_t *h, uint64_t far, const flowtab_t *t, int lines, void (*near)(const flow_t *, int ahead))
{
	unsigned at = ++h->hi_at;

	h->hi_hash[(at + HINT_AHEAD) % (HINT_AHEAD + 1)] = far;
	if (far != 0)
		ptab_prefetch(&t->ft_tab, far);
	for (int ahead = HINT_AHEAD - 1; ahead >= 0; ahead--) {
		uint64_t hash = h->hi_hash[(at + (unsigned)ahead) % (HINT_AHEAD + 1)];
		const flow_t *f = hash != 0 ? ptab_get(&t->ft_tab, hash) : NULL;

		if (f == NULL)
			continue;
		if (ahead == HINT_AHEAD - 1)
			hint_lines(f, lines);
		else
			near(f, ahead);
	}
}

void hint_step(hint_t *h, const source_t *src, int reader, uint32_t host, const flowtab_t *t, int lines,
	       void (*near)(const flow_t *, int ahead))
{
	const uint8_t *frame = source_peek(src, reader, HINT_AHEAD);
	fkey_t key;

	hint_next(h, frame != NULL && plain_key(host, frame, &key) ? flow_hash(&key) : 0, t, lines, near);
}
