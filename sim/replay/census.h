/*
 * The census of a capture: who is in it.  Chooses the modelled host, and
 * learns what must be known before the first frame is played: the host's
 * Ethernet address, whose checksums are not to be believed, which UDP ports
 * each host sends from.
 */
#ifndef STRSIM_REPLAY_CENSUS_H
#define STRSIM_REPLAY_CENSUS_H

#include "replay/frame.h"

#include <uthash.h>

typedef struct census census_t;

census_t *census_create(void);
void census_destroy(census_t *c);
void census_frame(census_t *c, const rframe_t *f);
/* Can a host have this address (network byte order)? */
bool census_unicast(uint32_t ip);
/*
 * The address that is source or destination of most packets (the first seen of several); 0 when there is no
 * IPv4.  Packets it has part in, all IPv4 packets, and the runner-up with its packets are given back.
 */
uint32_t census_host(const census_t *c, uint64_t *share, uint64_t *all, uint32_t *second, uint64_t *secondshare);
/* Ethernet address that packets of this host come from (or else go to): false when none was seen. */
bool census_mac(const census_t *c, uint32_t ip, uint8_t mac[6]);
/* Did the host send UDP from this port? */
bool census_udp_port(const census_t *c, uint32_t ip, uint16_t port);

typedef enum { SUM_IP, SUM_TCP, SUM_UDP, NSUMS } sum_t;
/*
 * Are this sender's checksums of this kind left to hardware?  So it is when nearly all (9 of 10) of its
 * first 64 that can be checked are wrong.
 */
bool census_offloaded(const census_t *c, uint32_t ip, sum_t sum);
/* Senders found so, for the report: calls f for each, in order of first appearance. */
void census_each_offloaded(const census_t *c, void (*f)(void *, uint32_t ip, sum_t sum, uint32_t bad, uint32_t all),
			   void *arg);

#endif
