/*
 * IPsec as programs see it: what protection an endpoint asks for (ipsec(7P)),
 * and the ioctls of /dev/ipsecesp, with which security associations and
 * system-wide policy are set (RFC 4301; on Solaris PF_KEY and /dev/spdsock do it).
 *
 * Protection is ESP in transport mode (RFC 4303) with the null cipher
 * (RFC 2410) and without authentication.  AH and self-encapsulation are
 * refused with EINVAL.
 *
 * ioctls are I_STR, for root.  Kernel code calls the functions instead.
 */
#ifndef STRSIM_SYS_IPSEC_H
#define STRSIM_SYS_IPSEC_H

#include "sys/types.h"

/* Value of option IP_SEC_OPT (level IPPROTO_IP), and part of a tunnel's parameters. */
typedef struct ipsec_req {
	uint_t ipsr_ah_req, ipsr_esp_req, ipsr_self_encap_req; /* IPSEC_PREF_... */
	uint8_t ipsr_auth_alg;                                 /* AH */
	uint8_t ipsr_esp_alg;                                  /* SADB_EALG_...; 0 = any */
	uint8_t ipsr_esp_auth_alg;
} ipsec_req_t;
#define IPSEC_PREF_NEVER 0x1
#define IPSEC_PREF_REQUIRED 0x2
#define IPSEC_PREF_UNIQUE 0x4

#define SADB_EALG_NONE 0
#define SADB_EALG_DESCBC 2
#define SADB_EALG_3DESCBC 3
#define SADB_EALG_BLOWFISH 7
#define SADB_EALG_NULL 11
#define SADB_EALG_AES 12

/* Bytes that ESP may add to a packet: SPI, sequence number, up to 3 of padding, their count, next header. */
#define ESP_HDR_LEN 8
#define ESP_TRAILER_LEN 2
#define ESP_MAX_OVERHEAD (ESP_HDR_LEN + 3 + ESP_TRAILER_LEN)

#define ESPIOC ('E' << 8)
#define ESPIOC_ADD_SA (ESPIOC | 1)    /* ipsec_sa_req_t */
#define ESPIOC_DELETE_SA (ESPIOC | 2) /* ipsec_sa_req_t: direction, spi and dst say which */
#define ESPIOC_GET_SA (ESPIOC | 3)    /* the same; filled in */
#define ESPIOC_FLUSH (ESPIOC | 4)     /* no data: all associations */
#define ESPIOC_ADD_RULE (ESPIOC | 5)  /* ipsec_rule_t */
#define ESPIOC_FLUSH_RULES (ESPIOC | 6)

#define IPSA_INBOUND 1
#define IPSA_OUTBOUND 2

/* A security association.  Addresses are in network order, the rest in host order. */
typedef struct ipsec_sa_req {
	uint32_t isr_dir;                /* IPSA_INBOUND or IPSA_OUTBOUND */
	uint32_t isr_spi;                /* 256 and above (RFC 4303, 2.1) */
	ipaddr_t isr_src;                /* 0 = any */
	ipaddr_t isr_dst;                /* of the packets it protects */
	uint32_t isr_alg;                /* SADB_EALG_NULL */
	uint32_t isr_window;             /* inbound: replay window, 0 (no check) to 64 */
	uint32_t isr_seq;                /* last sequence number sent, or highest received */
	uint64_t isr_packets, isr_bytes; /* ESPIOC_GET_SA: protected so far */
} ipsec_sa_req_t;

/* A rule of the system-wide policy; the first that matches decides.  0 matches everything. */
typedef struct ipsec_rule {
	uint32_t ir_dir; /* IPSA_INBOUND | IPSA_OUTBOUND */
	uint32_t ir_act; /* IPSEC_ACT_... */
	uint32_t ir_esp_alg;
	ipaddr_t ir_local, ir_local_mask, ir_remote, ir_remote_mask;
	in_port_t ir_lport, ir_rport; /* network order */
	uint8_t ir_proto;
} ipsec_rule_t;
#define IPSEC_ACT_DISCARD 1
#define IPSEC_ACT_BYPASS 2
#define IPSEC_ACT_APPLY 3 /* ESP */

/*
 * From any kernel context: 0; EINVAL (a value that is not allowed), EEXIST,
 * ESRCH, ENOMEM.  Adding something loads IPsec.
 */
int sadb_add(const ipsec_sa_req_t *req);
int sadb_delete(const ipsec_sa_req_t *req);
int sadb_get(ipsec_sa_req_t *req);
void sadb_flush(void);
int spd_add_rule(const ipsec_rule_t *rule);
void spd_flush(void);

#endif
