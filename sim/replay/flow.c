#include "replay/flow.h"

#include <stdlib.h>
#include <string.h>

#define LINGER_NS 60000000000LL /* closed connections are remembered this long */

void flowtab_init(flowtab_t *t, size_t size, void (*end)(void *, flow_t *), void *arg)
{
	memset(t, 0, sizeof(*t));
	pool_init(&t->ft_pool, size);
	t->ft_end = end;
	t->ft_arg = arg;
}

static void unlink_closed(flowtab_t *t, flow_t *f)
{
	if (!f->f_closed)
		return;
	if (f->f_older != NULL)
		f->f_older->f_newer = f->f_newer;
	else
		t->ft_oldest = f->f_newer;
	if (f->f_newer != NULL)
		f->f_newer->f_older = f->f_older;
	else
		t->ft_newest = f->f_older;
	f->f_closed = false;
}

uint64_t flow_hash(const fkey_t *k)
{
	uint64_t addrs = (uint64_t)k->fk_haddr << 32 | k->fk_paddr;
	uint64_t rest = (uint64_t)k->fk_inst << 32 | (uint64_t)k->fk_hport << 16 | k->fk_pport;
	uint64_t h = (addrs ^ rest * 0xff51afd7ed558ccdULL) * 0xc4ceb9fe1a85ec53ULL;

	return h ^ h >> 32;
}

static bool same_key(const fkey_t *a, const fkey_t *b)
{
	return a->fk_haddr == b->fk_haddr && a->fk_paddr == b->fk_paddr && a->fk_hport == b->fk_hport &&
	       a->fk_pport == b->fk_pport && a->fk_inst == b->fk_inst;
}

static flow_t *find(const flowtab_t *t, const fkey_t *key, uint64_t hash)
{
	for (const ptslot_t *s = ptab_find(&t->ft_tab, hash); s != NULL; s = ptab_next(&t->ft_tab, s)) {
		flow_t *f = s->ps_val;

		if (same_key(&f->f_key, key))
			return f;
	}
	return NULL;
}

flow_t *flow_find(const flowtab_t *t, const fkey_t *key)
{
	return find(t, key, flow_hash(key));
}

static void list_add(flowtab_t *t, flow_t *f)
{
	f->f_prev = t->ft_last;
	*(t->ft_last != NULL ? &t->ft_last->f_next : &t->ft_first) = f;
	t->ft_last = f;
}

static void list_del(flowtab_t *t, flow_t *f)
{
	*(f->f_prev != NULL ? &f->f_prev->f_next : &t->ft_first) = f->f_next;
	*(f->f_next != NULL ? &f->f_next->f_prev : &t->ft_last) = f->f_prev;
}

static void flow_end(flowtab_t *t, flow_t *f)
{
	unlink_closed(t, f);
	ptab_del(&t->ft_tab, f->f_hash, f);
	list_del(t, f);
	t->ft_end(t->ft_arg, f);
	pool_put(&t->ft_pool, f);
}

void flowtab_fini(flowtab_t *t)
{
	while (t->ft_first != NULL)
		flow_end(t, t->ft_first);
	ptab_fini(&t->ft_tab);
	pool_fini(&t->ft_pool);
}

static flow_t *flow_begin(flowtab_t *t, const fkey_t *key, uint64_t hash, const rframe_t *rf)
{
	flow_t *f = pool_get(&t->ft_pool);

	if (f == NULL)
		return NULL;
	if (!ptab_put(&t->ft_tab, hash, f)) {
		pool_put(&t->ft_pool, f);
		return NULL;
	}
	f->f_hash = hash;
	f->f_key = *key;
	f->f_first = rf->rf_num;
	f->f_last = rf->rf_time;
	list_add(t, f);
	t->ft_count++;
	return f;
}

/*
 * Does this SYN begin another connection on a four-tuple that is known?  Not
 * when it repeats the one seen, nor when it crosses the peer's own
 * (simultaneous open, RFC 793 3.4).
 */
static bool syn_renews(const flow_t *f, int side, const rframe_t *rf)
{
	if (f->f_syn[side])
		return f->f_synseq[side] != rf->rf_seq;
	return !(f->f_syn[!side] && !f->f_any[side] && !f->f_rst);
}

static void note(flowtab_t *t, flow_t *f, int side, const rframe_t *rf)
{
	bool closed;

	f->f_any[side] = true;
	f->f_last = rf->rf_time;
	if ((rf->rf_flags & RF_SYN) && !f->f_syn[side]) {
		f->f_syn[side] = true;
		f->f_synseq[side] = rf->rf_seq;
	}
	if (rf->rf_flags & RF_FIN)
		f->f_fin[side] = true;
	if (rf->rf_flags & RF_RST)
		f->f_rst = true;
	closed = f->f_rst || (f->f_fin[0] && f->f_fin[1]);
	unlink_closed(t, f);
	if (closed) {
		f->f_closed = true;
		f->f_newer = NULL;
		f->f_older = t->ft_newest;
		if (t->ft_newest != NULL)
			t->ft_newest->f_newer = f;
		else
			t->ft_oldest = f;
		t->ft_newest = f;
	}
}

bool flow_due(const flowtab_t *t, int64_t now)
{
	return t->ft_oldest != NULL && now - t->ft_oldest->f_last > LINGER_NS;
}

void flow_expire(flowtab_t *t, int64_t now)
{
	while (flow_due(t, now))
		flow_end(t, t->ft_oldest);
}

flow_t *flow_step(flowtab_t *t, const fkey_t *key, int side, const rframe_t *rf, bool *isnew)
{
	uint64_t hash = flow_hash(key);
	flow_t *f;

	*isnew = false;
	flow_expire(t, rf->rf_time);
	f = find(t, key, hash);
	if (f != NULL && (rf->rf_flags & (RF_SYN | RF_ACK | RF_RST)) == RF_SYN && syn_renews(f, side, rf)) {
		flow_end(t, f);
		f = NULL;
	}
	if (f == NULL) {
		if (rf->rf_flags & RF_RST)
			return NULL;
		f = flow_begin(t, key, hash, rf);
		if (f == NULL)
			return NULL;
		*isnew = true;
	}
	note(t, f, side, rf);
	return f;
}

/* ---- covers ---- */

void cover_init(cover_t *c, uint32_t next)
{
	c->c_valid = true;
	c->c_next = next;
	c->c_islands = NULL;
}

void cover_free(cover_t *c)
{
	while (c->c_islands != NULL) {
		span_t *s = c->c_islands;

		c->c_islands = s->s_next;
		free(s);
	}
}

/* Islands that touch c_next become part of the mainland. */
static void absorb(cover_t *c)
{
	while (c->c_islands != NULL && seq_le(c->c_islands->s_lo, c->c_next)) {
		span_t *s = c->c_islands;

		if (seq_lt(c->c_next, s->s_hi))
			c->c_next = s->s_hi;
		c->c_islands = s->s_next;
		free(s);
	}
}

/* Merge [lo, hi) into the islands; returns the new bytes. */
static uint32_t add_island(cover_t *c, uint32_t lo, uint32_t hi)
{
	span_t **pp = &c->c_islands, *s, *n;
	uint32_t known = 0, len = hi - lo;

	while (*pp != NULL && seq_lt((*pp)->s_hi, lo))
		pp = &(*pp)->s_next;
	while ((s = *pp) != NULL && seq_le(s->s_lo, hi)) {
		uint32_t a = seq_lt(s->s_lo, lo) ? lo : s->s_lo;
		uint32_t b = seq_lt(s->s_hi, hi) ? s->s_hi : hi;

		if (seq_lt(a, b))
			known += b - a;
		lo = seq_lt(s->s_lo, lo) ? s->s_lo : lo;
		hi = seq_lt(hi, s->s_hi) ? s->s_hi : hi;
		*pp = s->s_next;
		free(s);
	}
	n = malloc(sizeof(*n));
	if (n == NULL)
		return len - known;
	n->s_lo = lo;
	n->s_hi = hi;
	n->s_next = *pp;
	*pp = n;
	return len - known;
}

uint32_t cover_add(cover_t *c, uint32_t lo, uint32_t hi)
{
	uint32_t fresh;

	if (seq_le(hi, lo) || seq_le(hi, c->c_next))
		return 0;
	if (seq_le(lo, c->c_next) && c->c_islands == NULL) {
		fresh = hi - c->c_next;
		c->c_next = hi;
		return fresh;
	}
	if (seq_lt(lo, c->c_next))
		lo = c->c_next;
	fresh = add_island(c, lo, hi);
	absorb(c);
	return fresh;
}

bool cover_has(const cover_t *c, uint32_t lo, uint32_t hi)
{
	if (seq_lt(lo, c->c_next))
		lo = c->c_next;
	if (seq_le(hi, lo))
		return true;
	for (const span_t *s = c->c_islands; s != NULL; s = s->s_next)
		if (seq_le(s->s_lo, lo) && seq_le(hi, s->s_hi))
			return true;
	return false;
}

uint32_t cover_from(const cover_t *c, uint32_t lo, uint32_t hi)
{
	if (seq_lt(lo, c->c_next))
		return lo;
	for (const span_t *s = c->c_islands; s != NULL; s = s->s_next) {
		if (seq_le(hi, s->s_lo))
			break;
		if (seq_lt(lo, s->s_hi))
			return seq_lt(s->s_lo, lo) ? lo : s->s_lo;
	}
	return hi;
}

void cover_skip(cover_t *c, uint32_t next)
{
	if (seq_lt(c->c_next, next))
		c->c_next = next;
	absorb(c);
}
