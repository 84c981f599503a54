/*
 * IPsec policy (RFC 4301, 4.4.1 and 5): the system's rules, the endpoints' own
 * requests, the latch, the check of what comes in; and the counters of what is
 * dropped.
 *
 * An endpoint's own request goes before the system's rules.  The policy of a
 * connected endpoint is decided once (latched); otherwise every packet is
 * looked up.  A packet without rule passes in the clear; one that was
 * protected although no rule asks for it is refused (RFC 4301, 5.2, step 4).
 */
#include <string.h>

#include "ip/ip_impl.h"
#include "ip/ipsec_impl.h"

typedef struct spd_rule {
	struct spd_rule *sr_next;
	ipsec_rule_t sr_rule;
} spd_rule_t;

/* The fields of a packet or endpoint that rules look at, seen from this host. */
typedef struct ipsec_selector {
	ipaddr_t is_local, is_remote;
	in_port_t is_lport, is_rport;
	uint8_t is_proto;
} ipsec_selector_t;

KLOCAL uint_t ipsec_inbound_v4_policy_present, ipsec_outbound_v4_policy_present;
KLOCAL ipdropstats_t ip_drop_types;
KLOCAL const ipsec_esp_ops_t *ipsec_esp_ops;
static KLOCAL const ipsec_esp_ops_t *ipsec_esp_waiting; /* until something needs them */
static KLOCAL spd_rule_t *spd_head;

/* ---- loading ---- */

void ipsec_esp_register(const ipsec_esp_ops_t *ops)
{
	ipsec_esp_waiting = ops;
}

/* IPsec is loaded when it is first used. */
void ipsec_loader_loadnow(void)
{
	ipsec_esp_ops = ipsec_esp_waiting;
}

/* ---- drops ---- */

uint64_t ip_drop_value(const char *name, bool *found)
{
	*found = true;
#define IPDROP_NAMED(field)            \
	if (strcmp(name, #field) == 0) \
		return (ip_drop_types.field);
	IPDROP_COUNTERS(IPDROP_NAMED)
#undef IPDROP_NAMED
	*found = false;
	return (0);
}

void ip_drop_packet(mblk_t *mp, boolean_t inbound, ill_t *arriving, ire_t *outgoing, uint64_t *counter, const char *who)
{
	mblk_t *data = IPSEC_DATA(mp);

	(void)arriving, (void)outgoing, (void)who;
	(*counter)++;
	DTRACE_PROBE2(ip__drop, const char *, ip_drop_text[IPD_IPSEC_DROP], mblk_t *, data);
	if (inbound)
		IP_PROBE(drop__in, data, NULL, (ipha_t *)data->b_rptr, NULL);
	else
		IP_PROBE(drop__out, data, NULL, (ipha_t *)data->b_rptr, NULL);
	ip_drops[IPD_IPSEC_DROP]++;
	freemsg(mp);
}

/* ---- the system's rules ---- */

static boolean_t spd_rule_valid(const ipsec_rule_t *ir)
{
	return (ir->ir_dir != 0 && (ir->ir_dir & ~(uint32_t)(IPSA_INBOUND | IPSA_OUTBOUND)) == 0 &&
		ir->ir_act >= IPSEC_ACT_DISCARD && ir->ir_act <= IPSEC_ACT_APPLY && ir->ir_esp_alg <= SADB_EALG_AES &&
		(ir->ir_local & ~ir->ir_local_mask) == 0 && (ir->ir_remote & ~ir->ir_remote_mask) == 0);
}

int spd_add_rule(const ipsec_rule_t *rule)
{
	spd_rule_t *sr, **pp;

	if (!spd_rule_valid(rule))
		return (EINVAL);
	if ((sr = kmem_zalloc(sizeof(*sr), KM_NOSLEEP)) == NULL)
		return (ENOMEM);
	sr->sr_rule = *rule;
	for (pp = &spd_head; *pp != NULL; pp = &(*pp)->sr_next)
		continue;
	*pp = sr;
	ipsec_inbound_v4_policy_present += (rule->ir_dir & IPSA_INBOUND) != 0;
	ipsec_outbound_v4_policy_present += (rule->ir_dir & IPSA_OUTBOUND) != 0;
	ipsec_loader_loadnow();
	return (0);
}

void spd_flush(void)
{
	spd_rule_t *sr;

	while ((sr = spd_head) != NULL) {
		spd_head = sr->sr_next;
		kmem_free(sr, sizeof(*sr));
	}
	ipsec_inbound_v4_policy_present = ipsec_outbound_v4_policy_present = 0;
}

static boolean_t spd_rule_match(const ipsec_rule_t *ir, uint32_t dir, const ipsec_selector_t *sel)
{
	return ((ir->ir_dir & dir) && (sel->is_local & ir->ir_local_mask) == ir->ir_local &&
		(sel->is_remote & ir->ir_remote_mask) == ir->ir_remote &&
		(ir->ir_proto == 0 || ir->ir_proto == sel->is_proto) &&
		(ir->ir_lport == 0 || ir->ir_lport == sel->is_lport) &&
		(ir->ir_rport == 0 || ir->ir_rport == sel->is_rport));
}

/* What the first rule that matches says; type 0 when none does. */
static ipsec_act_t ipsec_find_policy(uint32_t dir, const ipsec_selector_t *sel)
{
	const spd_rule_t *sr;

	for (sr = spd_head; sr != NULL; sr = sr->sr_next)
		if (spd_rule_match(&sr->sr_rule, dir, sel))
			return ((ipsec_act_t){(uint8_t)sr->sr_rule.ir_act, (uint8_t)sr->sr_rule.ir_esp_alg});
	return ((ipsec_act_t){0, 0});
}

/* The fields of a packet, of which mp begins with its transport header's block. */
static ipsec_selector_t ipsec_init_sel(const mblk_t *mp, const ipha_t *ipha, uint32_t dir)
{
	uint_t hdr_len = IPH_HDR_LENGTH(ipha);
	boolean_t out = dir == IPSA_OUTBOUND;
	ipsec_selector_t sel = {.is_local = out ? ipha->ipha_src : ipha->ipha_dst,
				.is_remote = out ? ipha->ipha_dst : ipha->ipha_src,
				.is_proto = ipha->ipha_protocol};
	in_port_t port[2];

	if ((sel.is_proto == IPPROTO_TCP || sel.is_proto == IPPROTO_UDP) &&
	    MBLKL(mp) >= (ssize_t)(hdr_len + sizeof(port))) {
		memcpy(port, mp->b_rptr + hdr_len, sizeof(port));
		sel.is_lport = port[!out];
		sel.is_rport = port[out];
	}
	return (sel);
}

/* ---- an endpoint's own policy ---- */

int ipsec_req_check(const ipsec_req_t *req)
{
	uint_t wanted = IPSEC_PREF_REQUIRED | IPSEC_PREF_UNIQUE;

	if ((req->ipsr_ah_req & wanted) || (req->ipsr_self_encap_req & wanted) ||
	    (req->ipsr_esp_req & ~(wanted | IPSEC_PREF_NEVER)) ||
	    ((req->ipsr_esp_req & wanted) && (req->ipsr_esp_req & IPSEC_PREF_NEVER)) ||
	    req->ipsr_esp_alg > SADB_EALG_AES || req->ipsr_esp_auth_alg != 0)
		return (EINVAL);
	return (0);
}

int ipsec_set_req(conn_t *connp, const ipsec_req_t *req)
{
	int error = ipsec_req_check(req);
	ipsec_act_t *act = connp->conn_policy;

	if (error != 0)
		return (error);
	if (req->ipsr_esp_req == 0) {
		if (act != NULL)
			kmem_free(act, sizeof(*act));
		connp->conn_policy = NULL;
		return (0);
	}
	if (act == NULL && (act = connp->conn_policy = kmem_alloc(sizeof(*act), KM_NOSLEEP)) == NULL)
		return (ENOMEM);
	if (req->ipsr_esp_req & IPSEC_PREF_NEVER)
		*act = (ipsec_act_t){IPSEC_ACT_BYPASS, 0};
	else
		*act = (ipsec_act_t){IPSEC_ACT_APPLY, req->ipsr_esp_alg};
	ipsec_loader_loadnow();
	return (0);
}

void ipsec_req_from_conn(const conn_t *connp, ipsec_req_t *req)
{
	const ipsec_act_t *act = connp->conn_policy;

	memset(req, 0, sizeof(*req));
	if (act == NULL)
		return;
	req->ipsr_esp_req = act->ipa_type == IPSEC_ACT_BYPASS ? IPSEC_PREF_NEVER : IPSEC_PREF_REQUIRED;
	req->ipsr_esp_alg = act->ipa_esp_alg;
}

int ipsec_conn_inherit(conn_t *connp, const conn_t *lconnp)
{
	const ipsec_act_t *act = lconnp->conn_policy;

	if (act == NULL)
		return (0);
	if ((connp->conn_policy = kmem_alloc(sizeof(*act), KM_NOSLEEP)) == NULL)
		return (ENOMEM);
	*(ipsec_act_t *)connp->conn_policy = *act;
	return (0);
}

/* ---- the latch ---- */

void ipsec_conn_uncache(conn_t *connp)
{
	if (connp->conn_latch != NULL)
		kmem_free(connp->conn_latch, sizeof(ipsec_latch_t));
	connp->conn_latch = NULL;
	connp->conn_policy_cached = connp->conn_in_enforce_policy = connp->conn_out_enforce_policy = 0;
	connp->conn_flags &= ~IPCL_CHECK_POLICY;
}

void ipsec_conn_destroy(conn_t *connp)
{
	ipsec_conn_uncache(connp);
	if (connp->conn_policy != NULL)
		kmem_free(connp->conn_policy, sizeof(ipsec_act_t));
	connp->conn_policy = NULL;
}

static ipsec_act_t ipsec_conn_policy(const conn_t *connp, uint32_t dir)
{
	ipsec_selector_t sel = {connp->conn_src, connp->conn_rem, connp->conn_lport, connp->conn_fport,
				connp->conn_ulp};

	if (connp->conn_policy != NULL)
		return (*(const ipsec_act_t *)connp->conn_policy);
	return (ipsec_find_policy(dir, &sel));
}

int ipsec_conn_cache_policy(conn_t *connp)
{
	ipsec_latch_t *latch;

	ipsec_conn_uncache(connp);
	if (connp->conn_policy == NULL && connp->conn_rem == INADDR_ANY)
		return (0); /* its packets go to many: each is looked up */
	if ((latch = kmem_alloc(sizeof(*latch), KM_NOSLEEP)) == NULL)
		return (ENOMEM);
	latch->ipl_in = ipsec_conn_policy(connp, IPSA_INBOUND);
	latch->ipl_out = ipsec_conn_policy(connp, IPSA_OUTBOUND);
	connp->conn_latch = latch;
	connp->conn_policy_cached = 1;
	connp->conn_in_enforce_policy = latch->ipl_in.ipa_type != 0;
	connp->conn_out_enforce_policy = latch->ipl_out.ipa_type != 0;
	if (connp->conn_in_enforce_policy)
		connp->conn_flags |= IPCL_CHECK_POLICY;
	return (0);
}

uint_t ipsec_conn_overhead(const conn_t *connp)
{
	const ipsec_latch_t *latch = connp->conn_latch;

	return (latch != NULL && latch->ipl_out.ipa_type == IPSEC_ACT_APPLY ? ESP_MAX_OVERHEAD : 0);
}

/* ---- in front of a packet ---- */

/* An M_CTL block of this size in front of mp; NULL without memory (mp freed). */
static mblk_t *ipsec_prepend(mblk_t *mp, const void *info, size_t len)
{
	mblk_t *ipsec_mp = allocb(len, BPRI_HI);

	if (ipsec_mp == NULL) {
		ip_drop_packet(mp, B_FALSE, NULL, NULL, &ip_drop_types.spd_nomem, "ipsec_prepend");
		return (NULL);
	}
	DB_TYPE(ipsec_mp) = M_CTL;
	memcpy(ipsec_mp->b_wptr, info, len);
	ipsec_mp->b_wptr += len;
	ipsec_mp->b_cont = mp;
	return (ipsec_mp);
}

static mblk_t *ipsec_out_prepend(mblk_t *mp, ipsec_act_t act)
{
	ipsec_out_t io = {.ipsec_out_type = IPSEC_OUT,
			  .ipsec_out_len = sizeof(io),
			  .ipsec_out_act = act,
			  .ipsec_out_secure = act.ipa_type == IPSEC_ACT_APPLY,
			  .ipsec_out_zoneid = GLOBAL_ZONEID};

	return (ipsec_prepend(mp, &io, sizeof(io)));
}

mblk_t *ipsec_attach_ipsec_out(mblk_t *mp, const conn_t *connp)
{
	return (ipsec_out_prepend(mp, ((const ipsec_latch_t *)connp->conn_latch)->ipl_out));
}

mblk_t *ipsec_in_alloc(mblk_t *mp, uint_t ill_index)
{
	ipsec_in_t ii = {.ipsec_in_type = IPSEC_IN, .ipsec_in_len = sizeof(ii), .ipsec_in_ill_index = ill_index};

	return (ipsec_prepend(mp, &ii, sizeof(ii)));
}

/* The system's policy for a packet nobody latched one for. */
static mblk_t *ipsec_attach_global_policy(mblk_t *mp)
{
	ipsec_selector_t sel = ipsec_init_sel(mp, (const ipha_t *)mp->b_rptr, IPSA_OUTBOUND);
	ipsec_act_t act = ipsec_find_policy(IPSA_OUTBOUND, &sel);

	return (act.ipa_type == 0 ? mp : ipsec_out_prepend(mp, act));
}

/*
 * What IPsec has to do to a packet that leaves: the message, with an
 * ipsec_out_t in front and in *ipsec_lenp the bytes that the packet may grow
 * by, or without and 0.  NULL: the policy forbids it, or there was no memory.
 */
mblk_t *ip_wput_ire_parse_ipsec_out(mblk_t *first_mp, const ire_t *ire, const conn_t *connp, uint_t *ipsec_lenp)
{
	const ipsec_out_t *io;
	mblk_t *mp;

	*ipsec_lenp = 0;
	if (DB_TYPE(first_mp) == M_DATA) {
		if (connp != NULL && connp->conn_policy_cached)
			return (first_mp);
		if ((first_mp = ipsec_attach_global_policy(first_mp)) == NULL || DB_TYPE(first_mp) == M_DATA)
			return (first_mp);
	}
	io = (const ipsec_out_t *)first_mp->b_rptr;
	switch (io->ipsec_out_act.ipa_type) {
	case IPSEC_ACT_APPLY:
		if (ire->ire_type == IRE_BROADCAST || CLASSD(ire->ire_addr)) {
			/* An association has one receiver. */
			ip_drop_packet(first_mp, B_FALSE, NULL, NULL, &ip_drop_types.spd_mcast, "parse_ipsec_out");
			return (NULL);
		}
		*ipsec_lenp = ESP_MAX_OVERHEAD;
		return (first_mp);
	case IPSEC_ACT_DISCARD:
		ip_drop_packet(first_mp, B_FALSE, NULL, NULL, &ip_drop_types.spd_explicit, "parse_ipsec_out");
		return (NULL);
	default:
		mp = first_mp->b_cont;
		freeb(first_mp);
		return (mp);
	}
}

mblk_t *ipsec_out_to_in(mblk_t *ipsec_mp)
{
	ipsec_out_t io = *(const ipsec_out_t *)ipsec_mp->b_rptr;
	ipsec_in_t *ii = (ipsec_in_t *)ipsec_mp->b_rptr;
	mblk_t *mp = ipsec_mp->b_cont;

	if (!io.ipsec_out_secure) {
		freeb(ipsec_mp);
		return (mp);
	}
	_Static_assert(sizeof(*ii) <= sizeof(io), "an ipsec_in_t takes the place of an ipsec_out_t");
	*ii = (ipsec_in_t){.ipsec_in_type = IPSEC_IN,
			   .ipsec_in_len = sizeof(*ii),
			   .ipsec_in_secure = B_TRUE,
			   .ipsec_in_loopback = B_TRUE,
			   .ipsec_in_esp_alg = io.ipsec_out_act.ipa_esp_alg};
	ipsec_mp->b_wptr = ipsec_mp->b_rptr + sizeof(*ii);
	return (ipsec_mp);
}

/* ---- checking what comes in ---- */

/* The counter of what is wrong with the packet, or NULL. */
static uint64_t *ipsec_check_action(const ipsec_in_t *ii, ipsec_act_t act)
{
	boolean_t secure = ii != NULL && ii->ipsec_in_secure;

	switch (act.ipa_type) {
	case IPSEC_ACT_DISCARD:
		return (&ip_drop_types.spd_explicit);
	case IPSEC_ACT_APPLY:
		if (!secure)
			return (&ip_drop_types.spd_got_clear);
		if (act.ipa_esp_alg != SADB_EALG_NONE && act.ipa_esp_alg != ii->ipsec_in_esp_alg &&
		    !(ii->ipsec_in_loopback && ii->ipsec_in_esp_alg == SADB_EALG_NONE))
			return (&ip_drop_types.spd_bad_espealg);
		return (NULL);
	default:
		return (secure ? &ip_drop_types.spd_got_secure : NULL);
	}
}

mblk_t *ipsec_check_inbound_policy(mblk_t *first_mp, const conn_t *connp, const ipha_t *ipha, boolean_t mctl_present)
{
	const ipsec_in_t *ii = mctl_present ? (const ipsec_in_t *)first_mp->b_rptr : NULL;
	const ipsec_latch_t *latch = connp != NULL ? connp->conn_latch : NULL;
	ipsec_act_t act = {0, 0};
	uint64_t *counter;

	if (latch != NULL) {
		act = latch->ipl_in;
	} else if (connp == NULL || !connp->conn_policy_cached) {
		ipsec_selector_t sel = ipsec_init_sel(IPSEC_DATA(first_mp), ipha, IPSA_INBOUND);

		act = ipsec_find_policy(IPSA_INBOUND, &sel);
	}
	if ((counter = ipsec_check_action(ii, act)) == NULL) {
		if (act.ipa_type != 0)
			BUMP_MIB(&ip_mib, ipsecInSucceeded);
		return (first_mp);
	}
	BUMP_MIB(&ip_mib, ipsecInFailed);
	ip_drop_packet(first_mp, B_TRUE, NULL, NULL, counter, "ipsec_check_inbound_policy");
	return (NULL);
}

mblk_t *ipsec_inbound_deliver(const conn_t *connp, mblk_t *first_mp)
{
	boolean_t mctl_present = DB_TYPE(first_mp) == M_CTL;
	mblk_t *mp = IPSEC_DATA(first_mp);

	if (ipsec_check_inbound_policy(first_mp, connp, (const ipha_t *)mp->b_rptr, mctl_present) == NULL)
		return (NULL);
	if (mctl_present)
		freeb(first_mp);
	return (mp);
}

/* ---- boot ---- */

static void ipsec_init(void)
{
	ipsec_esp_ops = NULL;
	memset(&ip_drop_types, 0, sizeof(ip_drop_types));
}

static void ipsec_fini(void)
{
	spd_flush();
	sadb_flush();
	ipsec_esp_ops = ipsec_esp_waiting = NULL;
}
KERNEL_INIT(1, ipsec_init, ipsec_fini);
