/*
 * Aggregations of a session: a table for each CPU that has data, and one for
 * the consumer.
 *
 * Keys made by sym() and mod() are recorded as program counters.  Here they are
 * reduced to the start of the function or the module, so that the consumer sees
 * one entry for each.
 */
#include <stdlib.h>
#include <string.h>

#include "dtrace_impl.h"

int aggregate_slot(dtrace_state_t *st, const dtrace_aggvar_t *av)
{
	const dtrace_aggvar_t **vars;
	agg_t **merged;
	size_t words = 0;
	uint32_t i;

	for (i = 0; i < st->st_naggs; i++)
		if (st->st_aggvars[i] == av)
			return (int)i;
	vars = realloc(st->st_aggvars, (i + 1) * sizeof(*vars));
	if (vars != NULL)
		st->st_aggvars = vars;
	merged = realloc(st->st_merged, (i + 1) * sizeof(*merged));
	if (merged != NULL)
		st->st_merged = merged;
	if (vars == NULL || merged == NULL)
		return -1;
	vars[i] = av;
	merged[i] = NULL;
	st->st_naggs = i + 1;
	for (i = 0; i < av->av_desc.ad_nparts; i++)
		words += (av->av_desc.ad_parts[i].ap_size + (size_t)7) / 8;
	if (words > st->st_keylen)
		st->st_keylen = words;
	return (int)st->st_naggs - 1;
}

/* On the first data of a CPU: a table maps memory, it does not touch vector registers. */
agg_t *aggregate_table(dtrace_state_t *st, dt_cpu_t *c, uint32_t slot)
{
	c->c_aggs[slot] = agg_create(&st->st_aggvars[slot]->av_desc, st->st_conf.c_aggsize);
	if (c->c_aggs[slot] != NULL)
		agg_pins(c->c_aggs[slot], c->c_pins, st->st_npins);
	return c->c_aggs[slot];
}

void aggregate_fini(dtrace_state_t *st)
{
	uint32_t i;

	for (i = 0; i < st->st_naggs; i++)
		agg_destroy(st->st_merged[i]);
	free(st->st_merged);
	free(st->st_aggvars);
}

/* ---- reduction ---- */

static bool reduces(const dtrace_aggvar_t *av)
{
	uint32_t i;

	for (i = 0; i < av->av_desc.ad_nparts; i++)
		if (av->av_keys[i].dt_kind == DIF_SYM || av->av_keys[i].dt_kind == DIF_MOD)
			return true;
	return false;
}

/* Lowest address of a function of the module. */
static uint64_t module_base(const char *mod, uint64_t pc)
{
	const ksym_t *ks;

	for (ks = ksym_next(NULL); ks != NULL; ks = ksym_next(ks))
		if (ks->ks_func && ks->ks_mod != 0 && strcmp(ksym_mod(ks), mod) == 0)
			return ks->ks_value;
	return pc;
}

static uint64_t reduce_pc(dif_kind_t kind, uint64_t pc)
{
	const ksym_t *ks = ksym_byaddr(pc);

	if (ks == NULL)
		return pc;
	if (kind == DIF_SYM)
		return ks->ks_value;
	return ks->ks_mod == 0 ? pc : module_base(ksym_mod(ks), pc);
}

static size_t part_words(const agg_part_t *part, const uint64_t *w)
{
	size_t max = (part->ap_size + (size_t)7) / 8, n;

	if (part->ap_kind != AGG_STR)
		return max;
	for (n = 1; n < max; n++, w++)
		if (((*w - 0x0101010101010101) & ~*w & 0x8080808080808080) != 0)
			break;
	return n;
}

typedef struct reduction {
	const dtrace_aggvar_t *av;
	agg_t *to;           /* merge into, or */
	const uint64_t *key; /* find keys that reduce to this one: */
	size_t klen;
	uint64_t *found; /* the last such key */
	uint64_t *work;
} reduction_t;

static void reduce(const reduction_t *r, const uint64_t *key, size_t klen)
{
	size_t at = 0;
	uint32_t i;

	memcpy(r->work, key, klen);
	for (i = 0; i < r->av->av_desc.ad_nparts; i++) {
		dif_kind_t kind = r->av->av_keys[i].dt_kind;

		if (kind == DIF_SYM || kind == DIF_MOD)
			r->work[at] = reduce_pc(kind, key[at]);
		at += part_words(&r->av->av_desc.ad_parts[i], key + at);
	}
}

static int merge_reduced(void *arg, const uint64_t *key, size_t klen, const int64_t *cells)
{
	const reduction_t *r = arg;

	reduce(r, key, klen);
	(void)agg_merge_cells(r->to, r->work, klen, cells);
	return 0;
}

static int find_reduced(void *arg, const uint64_t *key, size_t klen, const int64_t *cells)
{
	const reduction_t *r = arg;

	(void)cells;
	reduce(r, key, klen);
	if (klen != r->klen || memcmp(r->work, r->key, klen) != 0)
		return 0;
	memcpy(r->found, key, klen);
	return 1;
}

/* ---- what the consumer calls ---- */

static int slot_of(const dtrace_state_t *st, const dtrace_aggvar_t *av)
{
	uint32_t i;

	for (i = 0; i < st->st_naggs; i++)
		if (st->st_aggvars[i] == av)
			return (int)i;
	return -1;
}

static agg_t *cpu_table(const dtrace_state_t *st, int cpu, int slot)
{
	const dt_cpu_t *c = &st->st_cpus[cpu];

	return c->c_aggs == NULL || (uint32_t)slot >= c->c_naggs ? NULL : c->c_aggs[slot];
}

agg_t *dtrace_agg_snapshot(dtrace_state_t *st, const dtrace_aggvar_t *av)
{
	int slot = aggregate_slot(st, av), cpu;
	reduction_t r = {.av = av};
	agg_t *t;

	if (slot < 0)
		return NULL;
	if (st->st_merged[slot] == NULL)
		st->st_merged[slot] = agg_create(&av->av_desc, 0);
	else
		agg_empty(st->st_merged[slot]);
	r.to = st->st_merged[slot];
	r.work = malloc((st->st_keylen + 1) * 8);
	for (cpu = 0; r.to != NULL && r.work != NULL && cpu < st->st_conf.c_ncpu; cpu++) {
		t = cpu_table(st, cpu, slot);
		if (t != NULL)
			agg_reserve(r.to, t);
		if (t != NULL && reduces(av))
			(void)agg_walk(t, merge_reduced, &r);
		else if (t != NULL)
			(void)agg_merge(r.to, t);
	}
	free(r.work);
	return r.to;
}

void dtrace_agg_clear(dtrace_state_t *st, const dtrace_aggvar_t *av)
{
	int slot = slot_of(st, av), cpu;

	for (cpu = 0; slot >= 0 && cpu < st->st_conf.c_ncpu; cpu++)
		if (cpu_table(st, cpu, slot) != NULL)
			agg_clear(cpu_table(st, cpu, slot));
}

static void remove_reduced(dtrace_state_t *st, const dtrace_aggvar_t *av, agg_t *t, const uint64_t *key, size_t klen)
{
	reduction_t r = {.av = av, .key = key, .klen = klen};

	r.work = malloc(2 * st->st_keylen * 8);
	if (r.work == NULL)
		return;
	r.found = r.work + st->st_keylen;
	while (agg_walk(t, find_reduced, &r) != 0)
		(void)agg_remove(t, r.found, klen);
	free(r.work);
}

void dtrace_agg_remove(dtrace_state_t *st, const dtrace_aggvar_t *av, const uint64_t *key, size_t klen)
{
	int slot = slot_of(st, av), cpu;
	agg_t *t;

	for (cpu = 0; slot >= 0 && cpu < st->st_conf.c_ncpu; cpu++) {
		t = cpu_table(st, cpu, slot);
		if (t == NULL)
			continue;
		if (reduces(av))
			remove_reduced(st, av, t, key, klen);
		else
			(void)agg_remove(t, key, klen);
	}
}
