/* Inside IP. */
#ifndef STRSIM_IP_IMPL_H
#define STRSIM_IP_IMPL_H

#include "ip/ip.h"
#include "ip/ipclassifier.h"
#include "sys/dlpi.h"
#include "sys/errno.h"
#include "sys/ethernet.h"

#define SEC_TO_TICK(s) ((clock_t_)(s)*HZ)
#define MSEC_TO_TICK(ms) ((clock_t_)(((ms) + 9) / 10))

/* An ip driver stream (a conn under it), as against an interface's module stream. */
#define CONN_Q(q) ((WR(q))->q_next == NULL)
#define Q_TO_CONN(q) ((conn_t *)(q)->q_ptr)

/* flags of ip_fanout_* */
#define IP_FF_SEND_ICMP 0x01
#define IP_FF_HDR_COMPLETE 0x02 /* made here: addresses complete, no checksum */

extern KLOCAL ill_t *ill_g_head; /* interfaces in order of plumbing; lo0 first */
extern KLOCAL ill_t *ill_loopback;

/* ip.c: input */
int ip_rput(queue_t *q, mblk_t *mp);
void ip_tcp_input(queue_t *q, mblk_t *first_mp, ipha_t *ipha, ire_t *ire, ill_t *recv_ill);
void ip_udp_input(queue_t *q, mblk_t *first_mp, ipha_t *ipha, ire_t *ire, ill_t *recv_ill, boolean_t ll_multicast);
void ip_proto_input(queue_t *q, mblk_t *first_mp, ipha_t *ipha, ire_t *ire, ill_t *recv_ill);
/* ip_fanout.c */
void ip_fanout_udp(queue_t *q, mblk_t *first_mp, ill_t *ill, ipha_t *ipha, uint32_t ports, boolean_t broadcast,
		   uint_t flags);
void ip_fanout_tcp(queue_t *q, mblk_t *first_mp, ill_t *ill, ipha_t *ipha, uint_t flags);
void ip_fanout_proto(queue_t *q, mblk_t *first_mp, ill_t *ill, ipha_t *ipha, uint_t flags);
void ip_wput_local(queue_t *q, ill_t *ill, ipha_t *ipha, mblk_t *first_mp, ire_t *ire, uint_t flags);
/* ip_output.c */
int ip_wput(queue_t *q, mblk_t *mp);
int ip_wsrv(queue_t *q);
/* caller: IP_WPUT or IP_WSRV, with IP_WONE for a copy of a broadcast that is for this route alone. */
#define IP_WONE 0x10
void ip_wput_ire(queue_t *q, mblk_t *first_mp, ire_t *ire, conn_t *connp, int caller);
void ip_newroute(queue_t *q, mblk_t *mp, ipaddr_t dst, conn_t *connp, uint_t ifindex);
mblk_t *ip_link_header(ire_t *ire, mblk_t *mp);
void conn_drain_remove(conn_t *connp);
/* ip_opt.c */
boolean_t ip_rput_options(queue_t *q, mblk_t *mp, ipha_t *ipha, ipaddr_t *dstp);
boolean_t ip_options_ok(const ipha_t *ipha, uint_t *badp);
uint_t ip_options_copied(uchar_t *opts, uint_t len);
/* ip_frag.c */
mblk_t *ip_rput_fragment(ill_t *ill, mblk_t *mp, ipha_t *ipha);
void ip_wput_ire_fragmentit(queue_t *q, mblk_t *mp, ire_t *ire);
void ill_frag_free(ill_t *ill);
/* icmp.c */
void icmp_inbound(queue_t *q, mblk_t *mp, boolean_t broadcast, ill_t *ill, uint_t flags);
void ip_fanout_send_icmp(queue_t *q, mblk_t *mp, uint_t flags, uint8_t type, uint8_t code);
void icmp_reset(void);
/* ip_ire.c */
ire_t *ire_create(ipaddr_t addr, ipaddr_t mask, ipaddr_t gateway, ipaddr_t src, uint_t type, ipif_t *ipif,
		  queue_t *stq);
int ire_add(ire_t *ire);
ire_t *ire_lookup_input(ipaddr_t addr, uint_t ifindex);
ire_t *ire_bcast_next(ire_t *ire, ipaddr_t addr, uint_t ifindex);
void ire_delete_ill(ill_t *ill);
void ire_delete_nexthop(ill_t *ill, ipaddr_t nexthop);
void ire_pmtu_watch(ire_t *ire);
void ire_set_mtu(const ill_t *ill, uint_t mtu);
void ire_fini(void);
/* ip_if.c */
ill_t *ill_lookup_ifindex(uint_t ifindex);
ill_t *ill_lookup_name(const char *ifname, uint_t vlan);
ill_t *ill_multicast_default(uint_t ifindex);
ipif_t *ipif_lookup_addr(ipaddr_t addr, uint_t ifindex);
ipif_t *ipif_lookup_onlink(ipaddr_t dst, uint_t ifindex);
boolean_t ilm_member(const ill_t *ill, ipaddr_t group);
int ilm_add(ill_t *ill, ipaddr_t group);
void ilm_delete(ill_t *ill, ipaddr_t group);
mblk_t *ill_dlur_gen(const ill_t *ill, const uchar_t *mac);
void ill_fastpath_probe(ill_t *ill, ire_t *ire);
void ill_fastpath_ack(ill_t *ill, mblk_t *mp);
void ill_fastpath_nak(ill_t *ill, mblk_t *mp);
void ill_fastpath_forget(ill_t *ill);
void ip_rput_dlpi(ill_t *ill, mblk_t *mp);
void ill_dl_broken(ill_t *ill, int error);
int ip_open(queue_t *q, dev_t *devp, int flag, int sflag, cred_t *cr);
int ip_close(queue_t *q, int flag, cred_t *cr);
/* ip_arp.c */
void ip_arp_query(ill_t *ill, ire_t *ire, ipaddr_t nexthop);
void ip_arp_answer(ill_t *ill, mblk_t *mp);
void ire_complete(ire_t *ire, const uchar_t *mac);
void ire_fail(ire_t *ire);
/* ip_tpi.c */
void ip_wput_nondata(conn_t *connp, queue_t *q, mblk_t *mp);
boolean_t conn_wantpacket(const conn_t *connp, ipaddr_t dst);
void conn_leave_groups(conn_t *connp);

#endif
