/*
 * ARP (RFC 826): what IP says to the arp module and hears from it.
 *
 * Each Ethernet interface has a second stream of its device, with arp on it,
 * bound to SAP 0x0806.  IP asks with an M_PROTO message that holds an areq_t,
 * put() to the arp module's write queue; the same message comes back, filled
 * in, put() to the interface's ip write queue.  (On Solaris the two streams are
 * linked below one multiplexor, which passes these messages; here they know
 * each other's queues.)
 */
#ifndef STRSIM_ARP_H
#define STRSIM_ARP_H

#include "sys/types.h"
#include "sys/stream.h"
#include "sys/ethernet.h"

#define AR_ENTRY_QUERY (('A' << 8) | 3)  /* IP: what is the hardware address of areq_target?  Answered. */
#define AR_ENTRY_CHANGE (('A' << 8) | 7) /* ARP: what was said of areq_target is no longer true. */

typedef struct areq {
	uint32_t areq_cmd;
	int areq_error; /* answer: 0, or EHOSTUNREACH */
	ipaddr_t areq_target;
	ipaddr_t areq_sender; /* our address to ask with */
	uchar_t areq_hw_addr[ETHERADDRL];
	uint16_t areq_permanent; /* answer: the entry does not age */
} areq_t;

/* Flags of an entry. */
#define ACE_F_PERMANENT 0x1 /* not learned, never ages, not overwritten by what the net says */
#define ACE_F_PUBLISH 0x2   /* answer requests for it */
#define ACE_F_RESOLVED 0x8
#define ACE_F_MYADDR 0x10

/* For ip_plumb: attach and bind the arp module whose read queue is rq; sleeps.  0 or errno. */
int arp_attach(queue_t *rq, uint_t ppa, queue_t *ip_wq, uint_t ifindex);

/* Add or overwrite an entry.  0, ENXIO (no arp on that interface) or ENOMEM. */
int arp_entry_add(uint_t ifindex, ipaddr_t addr, const uchar_t mac[ETHERADDRL], uint_t flags);
/* 0 or ENOENT. */
int arp_entry_delete(uint_t ifindex, ipaddr_t addr);
/* The hardware address on record: true when it is resolved. */
bool arp_entry_lookup(uint_t ifindex, ipaddr_t addr, uchar_t mac[ETHERADDRL]);
/* Entries in all. */
size_t arp_entry_count(void);

#endif
