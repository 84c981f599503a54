/*
 * What the arguments of the providers with a fixed vocabulary are to a D
 * program: "type of the argument : type it is translated to".  The translators
 * are in sim/d/lib.  Points that are not named here show their arguments as
 * they are.
 */
#include <string.h>

#include "dtrace_impl.h"

#define PKT "mblk_t *:pktinfo_t *"
#define CS "conn_t *:csinfo_t *"
#define IPHDR "ipha_t *:ipinfo_t *"
#define IPROW PKT, CS, IPHDR, "ill_t *:ifinfo_t *", "ipha_t *:ipv4info_t *", "ip6_t *:ipv6info_t *"
#define TCPROW PKT, CS, IPHDR, "tcp_t *:tcpsinfo_t *", "tcph_t *:tcpinfo_t *"
#define UDPROW PKT, CS, IPHDR, "udp_t *:udpsinfo_t *", "udpha_t *:udpinfo_t *"
#define LWP "kthread_t *:lwpsinfo_t *"
#define PS "proc_t *:psinfo_t *"
#define CPU "cpu_t *:cpuinfo_t *"

static const struct {
	const char *provider, *name; /* name NULL: all others of the provider */
	const char *types[SDT_MAXARGS + 1];
} rows[] = {
    {"ip", NULL, {IPROW, NULL}},
    {"tcp", "state-change", {"void", CS, "void", "tcp_t *:tcpsinfo_t *", "void", "int:tcplsinfo_t *", NULL}},
    {"tcp", NULL, {TCPROW, NULL}},
    {"udp", NULL, {UDPROW, NULL}},
    {"mib", NULL, {"int", NULL}}, /* the counter's address is arg1 */
    {"sched", "enqueue", {LWP, PS, CPU, "int", NULL}},
    {"sched", "dequeue", {LWP, PS, CPU, NULL}},
    {"sched", "off-cpu", {LWP, PS, NULL}},
    {"sched", "wakeup", {LWP, PS, NULL}},
    {"proc", "create", {PS, NULL}},
    {"proc", "exec", {"char *", NULL}},
    {"proc", "lwp-create", {LWP, PS, NULL}},
    {"proc", "signal-send", {LWP, PS, "int", NULL}},
    {"proc", "signal-discard", {LWP, PS, "int", NULL}},
};

const char *const *sdt_args(const char *provider, const char *name)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (strcmp(rows[i].provider, provider) == 0 &&
		    (rows[i].name == NULL || strcmp(rows[i].name, name) == 0))
			return rows[i].types;
	return NULL;
}
