/*
 * The counters of the internet modules (RFC 2011, 2012, 2013 and Sun's own in
 * the names of mib2(7P)), and the probes of provider `mib' which fire where
 * they are bumped.
 *
 * The place of a bump is part of its meaning: mib:ip:FUNCTION:NAME has
 * FUNCTION = the function with the BUMP_MIB in it, so a counter is bumped in
 * the function the behaviour belongs to and never in a helper.
 */
#ifndef STRSIM_IP_MIB_H
#define STRSIM_IP_MIB_H

#include "sys/types.h"
#include "sys/sdt.h"

/* clang-format off */
#define IP_MIB_COUNTERS(X) \
	X(ipInReceives) X(ipInHdrErrors) X(ipInAddrErrors) X(ipInCksumErrs) X(ipForwDatagrams) X(ipForwProhibits) \
	X(ipInUnknownProtos) X(ipInDiscards) X(ipInDelivers) X(ipOutRequests) X(ipOutDiscards) X(ipOutNoRoutes) \
	X(ipReasmReqds) X(ipReasmOKs) X(ipReasmFails) X(ipReasmDuplicates) X(ipReasmPartDups) \
	X(ipFragOKs) X(ipFragFails) X(ipFragCreates) X(ipRoutingDiscards) \
	X(tcpInErrs) X(udpNoPorts) X(udpInCksumErrs) X(udpInOverflows) X(rawipInOverflows) \
	X(ipsecInSucceeded) X(ipsecInFailed) X(ipInIPv6) X(ipOutIPv6) X(ipOutSwitchIPv6)

#define ICMP_MIB_COUNTERS(X) \
	X(icmpInMsgs) X(icmpInErrors) X(icmpInCksumErrs) X(icmpInUnknowns) X(icmpInDestUnreachs) X(icmpInFragNeeded) \
	X(icmpInTimeExcds) X(icmpInParmProbs) X(icmpInSrcQuenchs) X(icmpInRedirects) X(icmpInBadRedirects) \
	X(icmpInEchos) X(icmpInEchoReps) X(icmpInTimestamps) X(icmpInTimestampReps) X(icmpInAddrMasks) \
	X(icmpInAddrMaskReps) X(icmpInOverflows) X(icmpOutMsgs) X(icmpOutErrors) X(icmpOutDrops) \
	X(icmpOutDestUnreachs) X(icmpOutFragNeeded) X(icmpOutTimeExcds) X(icmpOutParmProbs) X(icmpOutSrcQuenchs) \
	X(icmpOutRedirects) X(icmpOutEchos) X(icmpOutEchoReps) X(icmpOutTimestamps) X(icmpOutTimestampReps) \
	X(icmpOutAddrMasks) X(icmpOutAddrMaskReps)

#define UDP_MIB_COUNTERS(X) X(udpInDatagrams) X(udpInErrors) X(udpOutDatagrams) X(udpOutErrors)

#define RAWIP_MIB_COUNTERS(X) \
	X(rawipInDatagrams) X(rawipInErrors) X(rawipInCksumErrs) X(rawipOutDatagrams) X(rawipOutErrors)

#define TCP_MIB_COUNTERS(X) \
	X(tcpActiveOpens) X(tcpPassiveOpens) X(tcpAttemptFails) X(tcpEstabResets) X(tcpCurrEstab) X(tcpInSegs) \
	X(tcpOutSegs) X(tcpOutDataSegs) X(tcpOutDataBytes) X(tcpRetransSegs) X(tcpRetransBytes) X(tcpOutAck) \
	X(tcpOutAckDelayed) X(tcpOutUrg) X(tcpOutControl) X(tcpOutRsts) X(tcpOutWinUpdate) X(tcpOutWinProbe) \
	X(tcpOutFastRetrans) X(tcpOutSackRetransSegs) X(tcpInAckSegs) X(tcpInAckBytes) X(tcpInDupAck) \
	X(tcpInAckUnsent) X(tcpInDataInorderSegs) X(tcpInDataInorderBytes) X(tcpInDataUnorderSegs) \
	X(tcpInDataUnorderBytes) X(tcpInDataDupSegs) X(tcpInDataDupBytes) X(tcpInDataPartDupSegs) \
	X(tcpInDataPartDupBytes) X(tcpInDataPastWinSegs) X(tcpInDataPastWinBytes) X(tcpInWinProbe) \
	X(tcpInWinUpdate) X(tcpInClosed) X(tcpRttUpdate) X(tcpRttNoUpdate) X(tcpTimRetrans) X(tcpTimRetransDrop) \
	X(tcpTimKeepalive) X(tcpTimKeepaliveProbe) X(tcpTimKeepaliveDrop) X(tcpListenDrop) X(tcpListenDropQ0) \
	X(tcpHalfOpenDrop)
/* clang-format on */

#define MIB_FIELD(name) uint64_t name;
typedef struct mib2_ip {
	IP_MIB_COUNTERS(MIB_FIELD)
} mib2_ip_t;
typedef struct mib2_icmp {
	ICMP_MIB_COUNTERS(MIB_FIELD)
} mib2_icmp_t;
typedef struct mib2_udp {
	UDP_MIB_COUNTERS(MIB_FIELD)
} mib2_udp_t;
typedef struct mib2_rawip {
	RAWIP_MIB_COUNTERS(MIB_FIELD)
} mib2_rawip_t;
typedef struct mib2_tcp {
	TCP_MIB_COUNTERS(MIB_FIELD)
} mib2_tcp_t;
#undef MIB_FIELD

extern KLOCAL mib2_ip_t ip_mib;
extern KLOCAL mib2_icmp_t icmp_mib;
extern KLOCAL mib2_udp_t udp_mib;
extern KLOCAL mib2_rawip_t rawip_mib;
extern KLOCAL mib2_tcp_t tcp_mib;

/* BUMP_MIB(&ip_mib, ipInReceives): one more.  UPDATE_MIB adds an amount.  The probe sees the value before. */
#define BUMP_MIB(mib, name)                        \
	do {                                       \
		DTRACE_MIB(name, 1, &(mib)->name); \
		(mib)->name++;                     \
	} while (0)
#define UPDATE_MIB(mib, name, amount)                     \
	do {                                              \
		DTRACE_MIB(name, (amount), &(mib)->name); \
		(mib)->name += (uint64_t)(amount);        \
	} while (0)

/*
 * Walk every counter of this kernel (netstat -s): name, value.  Order: ip,
 * icmp, tcp, udp, rawip, each in the order of the lists above.
 */
void mib_walk(void (*func)(void *arg, const char *name, uint64_t value), void *arg);
/* The value of one counter by name; 0 and *found false when there is none. */
uint64_t mib_value(const char *name, bool *found);

#endif
