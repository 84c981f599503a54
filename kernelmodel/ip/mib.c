/* The counters, and walking them by name. */
#include <string.h>

#include "ip/ip.h"
#include "ip/tcp.h"

KLOCAL mib2_ip_t ip_mib;
KLOCAL mib2_icmp_t icmp_mib;
KLOCAL mib2_udp_t udp_mib;
KLOCAL mib2_rawip_t rawip_mib;
KLOCAL mib2_tcp_t tcp_mib;
KLOCAL uint64_t ip_drops[IPD_N];
KLOCAL uint64_t ip_protocols[256];

const char *const ip_drop_text[IPD_N] = {
#define IP_DROP_TEXT(id, text) text,
    IP_DROP_REASONS(IP_DROP_TEXT)
#undef IP_DROP_TEXT
};

void mib_walk(void (*func)(void *arg, const char *name, uint64_t value), void *arg)
{
	tcp_snmp_get();
#define MIB_WALK_IP(name) func(arg, #name, ip_mib.name);
#define MIB_WALK_ICMP(name) func(arg, #name, icmp_mib.name);
#define MIB_WALK_TCP(name) func(arg, #name, tcp_mib.name);
#define MIB_WALK_UDP(name) func(arg, #name, udp_mib.name);
#define MIB_WALK_RAWIP(name) func(arg, #name, rawip_mib.name);
	IP_MIB_COUNTERS(MIB_WALK_IP)
	ICMP_MIB_COUNTERS(MIB_WALK_ICMP)
	TCP_MIB_COUNTERS(MIB_WALK_TCP)
	UDP_MIB_COUNTERS(MIB_WALK_UDP)
	RAWIP_MIB_COUNTERS(MIB_WALK_RAWIP)
}

struct mib_search {
	const char *ms_name;
	uint64_t ms_value;
	bool ms_found;
};

static void mib_search(void *arg, const char *name, uint64_t value)
{
	struct mib_search *ms = arg;

	if (strcmp(name, ms->ms_name) == 0) {
		ms->ms_value = value;
		ms->ms_found = true;
	}
}

uint64_t mib_value(const char *name, bool *found)
{
	struct mib_search ms = {name, 0, false};

	mib_walk(mib_search, &ms);
	*found = ms.ms_found;
	return (ms.ms_value);
}

static void mib_init(void)
{
	memset(&ip_mib, 0, sizeof(ip_mib));
	memset(&icmp_mib, 0, sizeof(icmp_mib));
	memset(&udp_mib, 0, sizeof(udp_mib));
	memset(&rawip_mib, 0, sizeof(rawip_mib));
	memset(&tcp_mib, 0, sizeof(tcp_mib));
	memset(ip_drops, 0, sizeof(ip_drops));
	memset(ip_protocols, 0, sizeof(ip_protocols));
}
KERNEL_INIT(1, mib_init, NULL);
