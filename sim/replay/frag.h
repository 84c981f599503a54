/*
 * Reassembly of IPv4 fragments for the readers (RFC 815): what the host sent in
 * fragments becomes one datagram again.  At most 256 datagrams at a time, each
 * for 30 s of capture time, then the oldest gives way.
 */
#ifndef STRSIM_REPLAY_FRAG_H
#define STRSIM_REPLAY_FRAG_H

#include "replay/frame.h"

typedef struct fragtab fragtab_t;
fragtab_t *fragtab_create(void);
void fragtab_destroy(fragtab_t *t);
/*
 * Take a fragment.  True when it completes its datagram: *f is then that datagram (unfragmented, transport
 * decoded), valid until the next call.
 */
bool fragtab_add(fragtab_t *t, rframe_t *f);
static inline bool rf_isfrag(const rframe_t *f)
{
	return f->rf_ip && f->rf_bad == RF_OK && (f->rf_mf || f->rf_off != 0);
}

#endif
