#include "replay/scout.h"

#include "replay/frag.h"
#include "replay/hint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sflow {
	flow_t sf_flow; /* first */
	facts_t *sf_facts;
} sflow_t;

typedef struct tagstack {
	uint16_t ts_tags[RF_MAXTAGS]; /* unused ones 0 */
	int ts_inst;
	UT_hash_handle hh;
} tagstack_t;

struct scout {
	source_t *s_src;
	index_t *s_index;     /* read instead, NULL = none */
	rframe_t s_frame;     /* made of a mark */
	const mark_t *s_mark; /* that mark */
	uint32_t s_host;
	bool s_push, s_end;
	uint64_t s_num; /* last frame read */
	flowtab_t s_flows;
	hint_t s_hint;
	facts_t *s_facts;
	pool_t s_pool;    /* of facts */
	ptab_t s_byfirst; /* by first frame */
	fragtab_t *s_frags;
	tagstack_t *s_stacks;
	uint8_t s_instused[4096 / 8];
};

/* ---- VLAN instances ---- */

static bool inst_take(scout_t *s, int inst)
{
	if (inst <= 0 || inst > 4094 || (s->s_instused[inst / 8] & 1 << inst % 8))
		return false;
	s->s_instused[inst / 8] |= (uint8_t)(1 << inst % 8);
	return true;
}

int vlan_instance(scout_t *s, const rframe_t *f)
{
	uint16_t key[RF_MAXTAGS] = {0};
	tagstack_t *ts;
	int inst;

	memcpy(key, f->rf_tags, f->rf_ntags * sizeof(key[0]));
	if (f->rf_ntags == 0 || (f->rf_ntags == 1 && key[0] == 0))
		return 0;
	HASH_FIND(hh, s->s_stacks, key, sizeof(key), ts);
	if (ts != NULL)
		return ts->ts_inst;
	inst = key[f->rf_ntags - 1];
	if (!inst_take(s, inst)) {
		for (inst = 1; inst <= 4094 && !inst_take(s, inst); inst++)
			;
		if (inst > 4094)
			return -1;
	}
	ts = calloc(1, sizeof(*ts));
	if (ts == NULL)
		return -1;
	memcpy(ts->ts_tags, key, sizeof(key));
	ts->ts_inst = inst;
	HASH_ADD(hh, s->s_stacks, ts_tags, sizeof(ts->ts_tags), ts);
	return inst;
}

/* ---- views ---- */

static void view_from(view_t *v, uint32_t inst, const rframe_t *f, int side)
{
	bool host = side == SIDE_HOST;

	v->v_side = side;
	v->v_key.fk_haddr = host ? f->rf_ipsrc : f->rf_ipdst;
	v->v_key.fk_paddr = host ? f->rf_ipdst : f->rf_ipsrc;
	v->v_key.fk_hport = host ? f->rf_sport : f->rf_dport;
	v->v_key.fk_pport = host ? f->rf_dport : f->rf_sport;
	v->v_key.fk_inst = inst;
}

int host_views(uint32_t host, uint32_t inst, const rframe_t *f, view_t v[2])
{
	int n = 0;

	if (host == 0 || !f->rf_tcp)
		return 0;
	if (f->rf_ipsrc == host)
		view_from(&v[n++], inst, f, SIDE_HOST);
	if (f->rf_ipdst == host)
		view_from(&v[n++], inst, f, SIDE_PEER);
	return n;
}

/* ---- facts ---- */

static void coming_free(facts_t *fa)
{
	while (fa->fa_coming != NULL) {
		coming_t *co = fa->fa_coming;

		fa->fa_coming = co->co_next;
		free(co);
	}
}

facts_t *scout_facts(scout_t *s, uint64_t first)
{
	return ptab_get(&s->s_byfirst, first);
}

void scout_forget(scout_t *s, facts_t *fa)
{
	ptab_del(&s->s_byfirst, fa->fa_first, fa);
	*(fa->fa_prev != NULL ? &fa->fa_prev->fa_next : &s->s_facts) = fa->fa_next;
	if (fa->fa_next != NULL)
		fa->fa_next->fa_prev = fa->fa_prev;
	cover_free(&fa->fa_snd);
	cover_free(&fa->fa_rcv);
	coming_free(fa);
	pool_put(&s->s_pool, fa);
}

static facts_t *facts_begin(scout_t *s, sflow_t *sf)
{
	facts_t *fa = pool_get(&s->s_pool);

	if (fa == NULL)
		return NULL;
	fa->fa_first = sf->sf_flow.f_first;
	if (!ptab_put(&s->s_byfirst, fa->fa_first, fa)) {
		pool_put(&s->s_pool, fa);
		return NULL;
	}
	fa->fa_next = s->s_facts;
	if (fa->fa_next != NULL)
		fa->fa_next->fa_prev = fa;
	s->s_facts = fa;
	fa->fa_comingtail = &fa->fa_coming;
	return fa;
}

static void remember_coming(facts_t *fa, const rframe_t *f, uint32_t seq)
{
	coming_t *co = calloc(1, sizeof(*co) + f->rf_paylen);

	if (co == NULL)
		return;
	co->co_seq = seq;
	co->co_len = f->rf_paylen;
	co->co_push = (f->rf_flags & RF_PSH) != 0;
	co->co_time = f->rf_time;
	co->co_num = f->rf_num;
	memcpy(co->co_data, f->rf_pay, f->rf_paycap);
	*fa->fa_comingtail = co;
	fa->fa_comingtail = &co->co_next;
}

static void snd_init(facts_t *fa, uint32_t next)
{
	cover_init(&fa->fa_snd, next);
	if (!fa->fa_hsyn && !fa->fa_hsynack) {
		fa->fa_iss = next - 1;
		fa->fa_opt.so_ws = -1;
	}
}

static void see_host(scout_t *s, facts_t *fa, const rframe_t *f)
{
	uint32_t seq = f->rf_seq + ((f->rf_flags & RF_SYN) != 0);

	if (f->rf_flags & RF_RST) {
		fa->fa_hrst = true;
		return;
	}
	if ((f->rf_flags & RF_SYN) && !fa->fa_hsyn && !fa->fa_hsynack) {
		fa->fa_iss = f->rf_seq;
		if (s->s_mark != NULL)
			fa->fa_opt = s->s_mark->m_opt;
		else
			rf_synopt(f, &fa->fa_opt);
	}
	if (f->rf_flags & RF_SYN) {
		if (f->rf_flags & RF_ACK)
			fa->fa_hsynack = true;
		else
			fa->fa_hsyn = true;
	} else {
		fa->fa_hlive = true;
	}
	if (!fa->fa_snd.c_valid)
		snd_init(fa, seq);
	if (!fa->fa_rcv.c_valid && (f->rf_flags & RF_ACK))
		cover_init(&fa->fa_rcv, f->rf_ack);
	cover_add(&fa->fa_snd, seq, seq + f->rf_paylen);
	if (s->s_push && f->rf_paylen != 0)
		remember_coming(fa, f, seq);
}

static void see_peer(facts_t *fa, const rframe_t *f)
{
	uint32_t seq = f->rf_seq + ((f->rf_flags & RF_SYN) != 0);

	if (f->rf_flags & RF_RST)
		return;
	fa->fa_preply = true;
	if ((f->rf_flags & (RF_SYN | RF_ACK)) == (RF_SYN | RF_ACK))
		fa->fa_psynack = true;
	/* after a SYN of the peer's its stream begins there, whatever the host's ACKs said before */
	if (!fa->fa_rcv.c_valid)
		cover_init(&fa->fa_rcv, seq);
	if (!fa->fa_snd.c_valid && (f->rf_flags & RF_ACK))
		snd_init(fa, f->rf_ack);
	cover_add(&fa->fa_rcv, seq, seq + f->rf_paylen);
}

static void scout_segment(scout_t *s, const rframe_t *f)
{
	view_t v[2];
	int inst = vlan_instance(s, f);
	int n = inst < 0 ? 0 : host_views(s->s_host, (uint32_t)inst, f, v);

	for (int i = 0; i < n; i++) {
		bool isnew;
		rframe_t copy;
		sflow_t *sf;

		sf = (sflow_t *)flow_step(&s->s_flows, &v[i].v_key, v[i].v_side, view_frame(f, i, &copy), &isnew);
		if (sf == NULL)
			continue;
		if (isnew)
			sf->sf_facts = facts_begin(s, sf);
		if (sf->sf_facts == NULL)
			continue;
		if (v[i].v_side == SIDE_HOST)
			see_host(s, sf->sf_facts, f);
		else
			see_peer(sf->sf_facts, f);
	}
}

/* The player forgets the facts: it comes to every connection that the scout has seen. */
static void sflow_end(void *arg, flow_t *f)
{
	(void)arg;
	(void)f;
}

scout_t *scout_create(source_t *src, uint32_t host, bool push)
{
	scout_t *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return NULL;
	s->s_src = src;
	s->s_host = host;
	s->s_push = push;
	s->s_frags = fragtab_create();
	pool_init(&s->s_pool, sizeof(facts_t));
	flowtab_init(&s->s_flows, sizeof(sflow_t), sflow_end, s);
	return s;
}

void scout_destroy(scout_t *s)
{
	tagstack_t *ts, *tt;

	flowtab_fini(&s->s_flows);
	while (s->s_facts != NULL)
		scout_forget(s, s->s_facts);
	ptab_fini(&s->s_byfirst);
	pool_fini(&s->s_pool);
	HASH_ITER(hh, s->s_stacks, ts, tt)
	{
		HASH_DEL(s->s_stacks, ts);
		free(ts);
	}
	fragtab_destroy(s->s_frags);
	free(s);
}

static void scout_frame(scout_t *s, rframe_t *f)
{
	if (!f->rf_ip || f->rf_bad != RF_OK || s->s_host == 0)
		return;
	if (f->rf_ipsrc != s->s_host && f->rf_ipdst != s->s_host)
		return;
	if (rf_isfrag(f) && !fragtab_add(s->s_frags, f))
		return;
	if (f->rf_tcp)
		scout_segment(s, f);
}

#define SFLOW_LINES ((int)((sizeof(sflow_t) + CACHE_LINE - 1) / CACHE_LINE))

static void sflow_near(const flow_t *f, int ahead)
{
	if (ahead == 1)
		hint_lines(((const sflow_t *)f)->sf_facts, 2);
}

/* The segment as far as scout_segment() looks at it. */
static void scout_mark(scout_t *s, const mark_t *m)
{
	rframe_t *f = &s->s_frame;

	if (s->s_host == 0 || (m->m_src != s->s_host && m->m_dst != s->s_host))
		return;
	s->s_mark = m;
	f->rf_num = m->m_num;
	f->rf_time = m->m_time;
	f->rf_ip = f->rf_tcp = true;
	f->rf_ipsrc = m->m_src;
	f->rf_ipdst = m->m_dst;
	f->rf_sport = m->m_sport;
	f->rf_dport = m->m_dport;
	f->rf_seq = m->m_seq;
	f->rf_ack = m->m_ack;
	f->rf_paylen = m->m_paylen;
	f->rf_flags = m->m_flags;
	scout_segment(s, f);
}

static uint64_t mark_hash(const scout_t *s, const mark_t *m)
{
	bool sent;
	fkey_t k;

	if (m == NULL)
		return 0;
	sent = m->m_src == s->s_host;
	k = (fkey_t){s->s_host, sent ? m->m_dst : m->m_src, sent ? m->m_sport : m->m_dport,
		     sent ? m->m_dport : m->m_sport, 0};
	return flow_hash(&k);
}

static void marks_ahead(scout_t *s, uint64_t num)
{
	const mark_t *m;

	while ((m = index_peek(s->s_index, 0)) != NULL && m->m_num <= num + RF_AHEAD) {
		hint_next(&s->s_hint, mark_hash(s, index_peek(s->s_index, HINT_AHEAD)), &s->s_flows, SFLOW_LINES,
			  sflow_near);
		scout_mark(s, m);
		index_step(s->s_index);
	}
}

void scout_use(scout_t *s, index_t *ix)
{
	s->s_index = ix;
}

void scout_ahead(scout_t *s, uint64_t num, void (*see)(void *, const rframe_t *), void *arg)
{
	if (s->s_index != NULL) {
		marks_ahead(s, num);
		return;
	}
	while (!s->s_end && s->s_num < num + RF_AHEAD) {
		rframe_t f;
		int r = source_next(s->s_src, READ_AHEAD, &f);

		if (r == 0) {
			s->s_end = true;
			break;
		}
		if (r < 0)
			continue; /* the player reports it when it comes there */
		s->s_num = f.rf_num;
		hint_step(&s->s_hint, s->s_src, READ_AHEAD, s->s_host, &s->s_flows, SFLOW_LINES, sflow_near);
		if (f.rf_other)
			continue;
		if (see != NULL)
			see(arg, &f);
		scout_frame(s, &f);
	}
}
