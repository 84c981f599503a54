/*
 * IPsec inside IP.
 *
 * A packet that IPsec is concerned with has an M_CTL block in front: on the
 * way out an ipsec_out_t, that says what is to be done to it; on the way in an
 * ipsec_in_t, that says what was.  The block never leaves IP.  Policy is
 * decided when an endpoint is bound or connected (the latch); packets of
 * endpoints that are not connected, or of none, look it up one by one.
 *
 * Order of work: ip_output attaches an ipsec_out_t (ipsec_attach_ipsec_out),
 * ip_wput_ire asks what it costs (ip_wput_ire_parse_ipsec_out), and hands the
 * finished packet to ipsec_out_process, which finds the association, lets ESP
 * transform the packet and calls ip_wput_ipsec_out.  ip_proto_input makes the
 * ipsec_in_t, lets ESP take its header off and starts anew with
 * ip_fanout_proto_again; whoever delivers calls ipsec_check_inbound_policy.
 */
#ifndef STRSIM_IP_IPSEC_IMPL_H
#define STRSIM_IP_IPSEC_IMPL_H

#include "ip/ip.h"
#include "ip/ipclassifier.h"
#include "sys/ipsec.h"

/* ---- associations ---- */

typedef enum { IPSEC_STATUS_SUCCESS, IPSEC_STATUS_FAILED, IPSEC_STATUS_PENDING } ipsec_status_t;

typedef struct ipsa_s {
	struct ipsa_s *ipsa_next;
	uint32_t ipsa_spi; /* network order */
	ipaddr_t ipsa_srcaddr, ipsa_dstaddr;
	uint8_t ipsa_encr_alg;
	uint8_t ipsa_proto;       /* of the last packet sent: to read quotations in ICMP errors */
	uint32_t ipsa_replay;     /* last sequence number sent, or highest received */
	uint_t ipsa_replay_wsize; /* 0: not checked */
	uint64_t ipsa_replay_arr; /* bit n: ipsa_replay - n has come */
	uint64_t ipsa_packets, ipsa_bytes;
} ipsa_t;

/*
 * What the ESP module does.  The first block is the ipsec_in_t (ipsec_out_t),
 * which names the association.  FAILED: the message is gone.
 */
typedef struct ipsec_esp_ops {
	ipsec_status_t (*esp_input_func)(mblk_t *ipsec_mp);
	ipsec_status_t (*esp_output_func)(mblk_t *ipsec_mp);
} ipsec_esp_ops_t;
/* The ops when IPsec is loaded, else NULL. */
extern KLOCAL const ipsec_esp_ops_t *ipsec_esp_ops;
/* Called by ESP when this kernel boots. */
void ipsec_esp_register(const ipsec_esp_ops_t *ops);
#define ipsec_loaded() (ipsec_esp_ops != NULL)
void ipsec_loader_loadnow(void);

/* Inbound: by SPI and destination (and source, when the association has one).  Outbound: to dst, with this cipher. */
ipsa_t *sadb_getassocbyspi(uint32_t dir, uint32_t spi, ipaddr_t src, ipaddr_t dst);
ipsa_t *sadb_getassocbyaddr(ipaddr_t src, ipaddr_t dst, uint_t alg);
/* RFC 4303, 3.4.3: may this sequence number be accepted?  If it was, say so. */
boolean_t sadb_replay_peek(const ipsa_t *sa, uint32_t seq);
void sadb_replay_mark(ipsa_t *sa, uint32_t seq);

/* ---- policy ---- */

typedef struct ipsec_act {
	uint8_t ipa_type; /* IPSEC_ACT_..., 0 none */
	uint8_t ipa_esp_alg;
} ipsec_act_t;

typedef struct ipsec_latch {
	ipsec_act_t ipl_in, ipl_out;
} ipsec_latch_t;

#define IPSEC_IN 0x49505301U
#define IPSEC_OUT 0x49505302U

typedef struct ipsec_out_s {
	uint32_t ipsec_out_type;
	uint32_t ipsec_out_len;
	ipsec_act_t ipsec_out_act;
	boolean_t ipsec_out_secure;
	boolean_t ipsec_out_esp_done;
	boolean_t ipsec_out_proc_begin;
	ipsa_t *ipsec_out_esp_sa; /* while it is processed */
	uint_t ipsec_out_ill_index;
	zoneid_t ipsec_out_zoneid;
} ipsec_out_t;

typedef struct ipsec_in_s {
	uint32_t ipsec_in_type;
	uint32_t ipsec_in_len;
	boolean_t ipsec_in_secure; /* ESP protected it */
	boolean_t ipsec_in_loopback;
	uint8_t ipsec_in_esp_alg;
	ipsa_t *ipsec_in_esp_sa; /* while it is processed */
	uint_t ipsec_in_ill_index;
} ipsec_in_t;

/* Rules for the direction exist. */
extern KLOCAL uint_t ipsec_inbound_v4_policy_present, ipsec_outbound_v4_policy_present;

/* The packet behind an M_CTL, or the packet. */
#define IPSEC_DATA(mp) (DB_TYPE(mp) == M_CTL ? (mp)->b_cont : (mp))
/* Must a packet to this endpoint (NULL: none) be checked? */
#define CONN_INBOUND_POLICY_PRESENT(connp) \
	(((connp)->conn_flags & IPCL_CHECK_POLICY) || ipsec_inbound_v4_policy_present != 0)

/* The request in an IP_SEC_OPT: 0 or EINVAL. */
int ipsec_req_check(const ipsec_req_t *req);
/* Set an endpoint's own policy, which counts from its next bind or connect on.  0, EINVAL, ENOMEM. */
int ipsec_set_req(conn_t *connp, const ipsec_req_t *req);
void ipsec_req_from_conn(const conn_t *connp, ipsec_req_t *req);
/* An accepted connection has its listener's policy.  0 or ENOMEM. */
int ipsec_conn_inherit(conn_t *connp, const conn_t *lconnp);
/* Latch the policy for the addresses and ports the endpoint has now: 0 or ENOMEM. */
int ipsec_conn_cache_policy(conn_t *connp);
/* No longer bound; going away. */
void ipsec_conn_uncache(conn_t *connp);
void ipsec_conn_destroy(conn_t *connp);
/* Is there anything to latch? */
#define IPSEC_CONN_CACHE(connp)                                                            \
	((connp)->conn_policy != NULL || (connp)->conn_latch != NULL ||                    \
		 (ipsec_inbound_v4_policy_present | ipsec_outbound_v4_policy_present) != 0 \
	     ? ipsec_conn_cache_policy(connp)                                              \
	     : ((connp)->conn_policy_cached = (connp)->conn_rem != INADDR_ANY, 0))

/* Bytes by which its packets grow on the way out, at most. */
uint_t ipsec_conn_overhead(const conn_t *connp);

mblk_t *ipsec_attach_ipsec_out(mblk_t *mp, const conn_t *connp);
mblk_t *ip_wput_ire_parse_ipsec_out(mblk_t *first_mp, const ire_t *ire, const conn_t *connp, uint_t *ipsec_lenp);
void ipsec_out_process(queue_t *q, mblk_t *ipsec_mp, ire_t *ire, uint_t ill_index);
void ip_wput_ipsec_out(queue_t *q, mblk_t *ipsec_mp, ipha_t *ipha, ill_t *ill, ire_t *ire);
/* An ipsec_in_t in front of a packet from the wire; NULL without memory (mp freed). */
mblk_t *ipsec_in_alloc(mblk_t *mp, uint_t ill_index);
/* The packet stays here: what was to be done to it counts as done. */
mblk_t *ipsec_out_to_in(mblk_t *ipsec_mp);
/* An ipsec_in_t's association for the ESP header it stands in front of; NULL: dropped and counted. */
ipsa_t *ipsec_inbound_esp_sa(mblk_t *ipsec_mp);
void ip_fanout_proto_again(mblk_t *ipsec_mp, ill_t *ill, ill_t *recv_ill, ire_t *ire);
/* The message when it satisfies the policy of connp (NULL: the system's), else NULL, and it is gone. */
mblk_t *ipsec_check_inbound_policy(mblk_t *first_mp, const conn_t *connp, const ipha_t *ipha, boolean_t mctl_present);
/* The same, and the packet without its M_CTL. */
mblk_t *ipsec_inbound_deliver(const conn_t *connp, mblk_t *first_mp);
/* An ICMP error that quotes an ESP packet of ours: B_TRUE when it now quotes the packet that was protected. */
boolean_t esp_icmp_error(mblk_t *mp, ipha_t *in);

/* ---- drops (kstat ip_drop) ---- */

/* clang-format off */
#define IPDROP_COUNTERS(X) \
	X(ip_ipsec_not_loaded) X(spd_explicit) X(spd_got_secure) X(spd_got_clear) X(spd_bad_espealg) \
	X(spd_nomem) X(spd_mcast) X(sadb_no_sa) X(sadb_acquire) X(esp_nomem) X(esp_early_replay) X(esp_replay) \
	X(esp_bad_length) X(esp_bad_padlen) X(esp_bad_padding) X(esp_dummy) X(esp_seq_wrap)
/* clang-format on */
typedef struct ipdropstats {
#define IPDROP_FIELD(name) uint64_t name;
	IPDROP_COUNTERS(IPDROP_FIELD)
#undef IPDROP_FIELD
} ipdropstats_t;
extern KLOCAL ipdropstats_t ip_drop_types;
/* A counter by its name; 0 and *found false when there is none. */
uint64_t ip_drop_value(const char *name, bool *found);
/* Drop mp: the counter, IP_DROP, and free. */
void ip_drop_packet(mblk_t *mp, boolean_t inbound, ill_t *arriving, ire_t *outgoing, uint64_t *counter,
		    const char *who);

#endif
