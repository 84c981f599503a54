/*
 * Aggregations in the consumer.
 *
 * Every print, trunc or normalize starts from a snapshot: entries (key, cells)
 * are copied out of the merged table into a list, and the list is sorted.  The
 * rules of order are in one place (compare_entries for one aggregation,
 * compare_bundles for several joined on their keys).
 */
#include "aggprint.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "keymap.h"

typedef struct ent {
	agg_entry_t e;
	cells_order_t e_order;
	uint32_t e_which; /* of several aggregations */
} ent_t;

/* Memory of a list: freed at once. */
typedef struct chunk {
	struct chunk *c_next;
	size_t c_used, c_size;
	uint64_t c_mem[];
} chunk_t;

typedef struct list {
	ent_t **l_ents;
	size_t l_n, l_max;
	chunk_t *l_mem;
	const dtrace_aggvar_t *l_av;
	uint32_t l_which;
} list_t;

typedef struct varstate {
	keymap_t *vs_notes;
	bool vs_printed;
} varstate_t;

struct aggprint {
	const agg_source_t *ap_src;
	const options_t *ap_op;
	varstate_t *ap_vars; /* by av_id */
	size_t ap_nvars;
};

static void *must(void *p)
{
	if (!p)
		abort();
	return p;
}

aggprint_t *aggprint_create(const agg_source_t *src, const options_t *op)
{
	aggprint_t *ap = must(calloc(1, sizeof(*ap)));

	ap->ap_src = src;
	ap->ap_op = op;
	return ap;
}

void aggprint_destroy(aggprint_t *ap)
{
	if (!ap)
		return;
	for (size_t i = 0; i < ap->ap_nvars; i++)
		keymap_free(ap->ap_vars[i].vs_notes);
	free(ap->ap_vars);
	free(ap);
}

static varstate_t *var_state(aggprint_t *ap, const dtrace_aggvar_t *av)
{
	if (av->av_id >= ap->ap_nvars) {
		size_t n = av->av_id + 8;

		ap->ap_vars = must(realloc(ap->ap_vars, n * sizeof(*ap->ap_vars)));
		memset(ap->ap_vars + ap->ap_nvars, 0, (n - ap->ap_nvars) * sizeof(*ap->ap_vars));
		ap->ap_nvars = n;
	}
	return &ap->ap_vars[av->av_id];
}

/* ---- keys ---- */

static size_t part_words(const agg_part_t *p, const uint64_t *w)
{
	size_t max = (p->ap_size + 7) / 8;

	switch (p->ap_kind) {
	case AGG_INT:
		return 1;
	case AGG_STR:
		for (size_t i = 0; i < max; i++)
			if (memchr(w + i, '\0', 8))
				return i + 1;
		return max;
	default:
		return max;
	}
}

uint32_t aggprint_keyparts(const dtrace_aggvar_t *av, const uint64_t *key, const void *parts[AGG_MAXPARTS])
{
	for (uint32_t i = 0; i < av->av_desc.ad_nparts; i++) {
		parts[i] = key;
		key += part_words(&av->av_desc.ad_parts[i], key);
	}
	return av->av_desc.ad_nparts;
}

static uint64_t load_number(const void *p, uint32_t size)
{
	uint64_t v = 0;

	memcpy(&v, p, size);
	return v;
}

/* Numbers as unsigned, all else byte by byte; what has the size of a number is one. */
static int compare_part(const agg_part_t *p, const void *a, const void *b)
{
	uint64_t x, y;

	if (p->ap_kind == AGG_STR)
		return strncmp(a, b, p->ap_size);
	if (p->ap_size != 1 && p->ap_size != 2 && p->ap_size != 4 && p->ap_size != 8)
		return memcmp(a, b, p->ap_size);
	x = load_number(a, p->ap_size);
	y = load_number(b, p->ap_size);
	return (x > y) - (x < y);
}

static int compare_keys(const dtrace_aggvar_t *av, const uint64_t *a, const uint64_t *b, uint32_t pos)
{
	const void *pa[AGG_MAXPARTS], *pb[AGG_MAXPARTS];
	uint32_t n = aggprint_keyparts(av, a, pa);

	aggprint_keyparts(av, b, pb);
	if (pos >= n)
		pos = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = (pos + i) % n;
		int c = compare_part(&av->av_desc.ad_parts[k], pa[k], pb[k]);

		if (c)
			return c;
	}
	return 0;
}

/* ---- lists ---- */

static void *list_alloc(list_t *l, size_t bytes)
{
	size_t words = (bytes + 7) / 8;
	chunk_t *c = l->l_mem;

	if (!c || c->c_used + words > c->c_size) {
		size_t size = MAX(words, 8192);

		c = must(malloc(sizeof(*c) + size * 8));
		*c = (chunk_t){.c_next = l->l_mem, .c_size = size};
		l->l_mem = c;
	}
	c->c_used += words;
	return c->c_mem + c->c_used - words;
}

static void list_free(list_t *l)
{
	for (chunk_t *c = l->l_mem, *next; c; c = next) {
		next = c->c_next;
		free(c);
	}
	free(l->l_ents);
}

static void *list_copy(list_t *l, const void *p, size_t bytes)
{
	return memcpy(list_alloc(l, bytes), p, bytes);
}

static int add_entry(void *arg, const uint64_t *key, size_t klen, const int64_t *cells)
{
	list_t *l = arg;
	ent_t *e = memset(list_alloc(l, sizeof(*e)), 0, sizeof(*e));

	if (l->l_n == l->l_max) {
		l->l_max = l->l_max ? 2 * l->l_max : 256;
		l->l_ents = must(realloc(l->l_ents, l->l_max * sizeof(ent_t *)));
	}
	l->l_ents[l->l_n++] = e;
	e->e.ae_av = l->l_av;
	e->e.ae_key = list_copy(l, key, klen);
	e->e.ae_klen = klen;
	e->e.ae_cells = list_copy(l, cells, cells_count(&l->l_av->av_desc) * sizeof(*cells));
	e->e_which = l->l_which;
	return 0;
}

static int by_bytes(const void *a, const void *b)
{
	const ent_t *x = *(ent_t *const *)a, *y = *(ent_t *const *)b;
	int c = memcmp(x->e.ae_key, y->e.ae_key, MIN(x->e.ae_klen, y->e.ae_klen));

	return c ? c : (x->e.ae_klen > y->e.ae_klen) - (x->e.ae_klen < y->e.ae_klen);
}

/* A cleared minimum or maximum is 0 and goes on from there. */
static void apply_clear(const agg_desc_t *d, int64_t *cells)
{
	if (d->ad_func == AGG_MIN)
		cells[0] = MIN(cells[0], 0);
	else if (d->ad_func == AGG_MAX)
		cells[0] = MAX(cells[0], 0);
}

static void load(aggprint_t *ap, list_t *l, const dtrace_aggvar_t *av, uint32_t which)
{
	agg_t *agg = ap->ap_src->as_snapshot(ap->ap_src->as_arg, av);
	varstate_t *vs = var_state(ap, av);
	size_t from = l->l_n;

	if (!agg)
		return;
	l->l_av = av;
	l->l_which = which;
	agg_walk(agg, add_entry, l);
	for (size_t i = from; i < l->l_n; i++) {
		ent_t *e = l->l_ents[i];
		const keynote_t *kn = keymap_get(&vs->vs_notes, e->e.ae_key, e->e.ae_klen, false);

		e->e.ae_normal = kn && kn->kn_normal ? kn->kn_normal : 1;
		if (kn && kn->kn_cleared)
			apply_clear(&av->av_desc, (int64_t *)e->e.ae_cells);
		e->e_order = cells_order(&av->av_desc, e->e.ae_cells);
	}
}

/* ---- order ---- */

/* The rules of one sort: the aggsort options, or plain value order for trunc(). */
typedef struct rules {
	bool r_key, r_rev;
	uint32_t r_keypos, r_pos;
} rules_t;

static rules_t rules_of(const options_t *op)
{
	return (rules_t){
	    .r_key = options_flag(op, OPT_AGGSORTKEY),
	    .r_rev = options_flag(op, OPT_AGGSORTREV),
	    .r_keypos = (uint32_t)op->op_val[OPT_AGGSORTKEYPOS],
	    .r_pos = (uint32_t)op->op_val[OPT_AGGSORTPOS],
	};
}

static int compare_entries(const void *a, const void *b, void *arg)
{
	const ent_t *x = *(ent_t *const *)a, *y = *(ent_t *const *)b;
	const rules_t *r = arg;
	int c = (x->e.ae_av->av_id > y->e.ae_av->av_id) - (x->e.ae_av->av_id < y->e.ae_av->av_id);

	if (!c && !r->r_key)
		c = cells_compare(&x->e_order, &y->e_order);
	if (!c)
		c = compare_keys(x->e.ae_av, x->e.ae_key, y->e.ae_key, r->r_keypos);
	return r->r_rev ? -c : c;
}

static void sort_list(list_t *l, rules_t *r)
{
	if (l->l_n)
		qsort_r(l->l_ents, l->l_n, sizeof(ent_t *), compare_entries, r);
}

/* ---- default printing ---- */

static void print_keys(const print_ctx_t *ctx, const dtrace_aggvar_t *av, const uint64_t *key)
{
	const void *parts[AGG_MAXPARTS];
	uint32_t n = aggprint_keyparts(av, key, parts);

	for (uint32_t i = 0; i < n; i++)
		print_key(ctx, &av->av_keys[i], parts[i]);
}

static void print_cells(const print_ctx_t *ctx, const agg_desc_t *d, const int64_t *cells, uint64_t normal)
{
	if (cells_is_dist(d))
		cells_print_dist(ctx, d, cells, normal);
	else
		fprintf(ctx->pc_fp, " %16" PRId64, cells_number(d, cells, normal, true));
}

static void print_entry(const print_ctx_t *ctx, const ent_t *e)
{
	print_keys(ctx, e->e.ae_av, e->e.ae_key);
	print_cells(ctx, &e->e.ae_av->av_desc, e->e.ae_cells, e->e.ae_normal);
	fputc('\n', ctx->pc_fp);
}

/* ---- narrow keys, for agghist and aggpack: right-justified columns ---- */

static int narrow_width(const dif_type_t *t)
{
	if (t->dt_kind != DIF_INT)
		return 16;
	return t->dt_size == 1 ? 3 : t->dt_size == 2 ? 5 : t->dt_size == 4 ? 8 : 16;
}

static int narrow_total(const dtrace_aggvar_t *av)
{
	int w = 0;

	for (uint32_t i = 0; i < av->av_desc.ad_nparts; i++)
		w += narrow_width(&av->av_keys[i]) + 1;
	return w;
}

static void narrow_key(FILE *fp, const dif_type_t *t, const void *data)
{
	dif_type_t shown = *t;
	char buf[SYMTEXT_MAX];
	uint64_t pc;

	switch (t->dt_kind) {
	case DIF_INT:
		shown.dt_signed = t->dt_size >= 4;
		fprintf(fp, " %*" PRId64, narrow_width(t), print_getint(&shown, data));
		break;
	case DIF_STRING:
	case DIF_BYTES:
		fprintf(fp, " %16.*s", (int)strnlen(data, t->dt_size), (const char *)data);
		break;
	default:
		memcpy(&pc, data, sizeof(pc));
		if (t->dt_kind == DIF_STACK)
			print_symtext(pc, buf);
		else
			print_kindtext(t->dt_kind, pc, buf);
		fprintf(fp, " %16s", buf);
	}
}

static void narrow_keys(FILE *fp, const ent_t *e)
{
	const void *parts[AGG_MAXPARTS];
	uint32_t n = aggprint_keyparts(e->e.ae_av, e->e.ae_key, parts);

	for (uint32_t i = 0; i < n; i++)
		narrow_key(fp, &e->e.ae_av->av_keys[i], parts[i]);
}

/* ---- agghist: counts and sums as bars ---- */

static void print_hist(const print_ctx_t *ctx, ent_t **ents, size_t n)
{
	const dtrace_aggvar_t *av = ents[0]->e.ae_av;
	int64_t *values = must(malloc(n * sizeof(*values)));
	bar_scale_t scale;

	for (size_t i = 0; i < n; i++)
		values[i] = ents[i]->e.ae_cells[0];
	scale = bar_scale(values, n, ctx->pc_zoom);
	if (ctx->pc_zoom)
		scale.bs_total = (double)(int64_t)scale.bs_total;
	fprintf(ctx->pc_fp, "\n%*s %41s %-9s\n", narrow_total(av), "key", DIST_TITLE, "count");
	for (size_t i = 0; i < n; i++) {
		narrow_keys(ctx->pc_fp, ents[i]);
		fputc(' ', ctx->pc_fp);
		bar_print(ctx, &scale, values[i], ents[i]->e.ae_normal);
	}
	free(values);
}

/* ---- aggpack: one line for a distribution ---- */

typedef struct pack {
	uint32_t pk_first, pk_last; /* cells shown */
	int pk_lowwidth, pk_highwidth;
	char pk_low[32], pk_high[32]; /* labels of the ends */
	bool pk_ascii;
} pack_t;

/* Columns of a label: its digits, one less for a power of ten, and the sign; at least 4. */
static int label_width(int64_t label)
{
	uint64_t v = label < 0 ? 0 - (uint64_t)label : (uint64_t)label, power = 1;
	int n = 0;

	while (power < v && n < 19) {
		power *= 10;
		n++;
	}
	return MAX(n + (label < 0), 4);
}

static bool pack_ascii(const options_t *op)
{
	const char *term = getenv("TERM");

	if (op->op_val[OPT_ENCODING] > ENCODING_NONE)
		return op->op_val[OPT_ENCODING] == ENCODING_ASCII;
	return term && (strcmp(term, "sun") == 0 || strcmp(term, "sun-color") == 0 || strcmp(term, "dumb") == 0);
}

enum { QUANT_ZERO = 63, QUANT_LAST = 126 };

/* The cells any key of the aggregation fills; a key without data counts as zero. */
static void quantize_extent(ent_t **ents, size_t n, pack_t *pk)
{
	pk->pk_first = QUANT_LAST;
	pk->pk_last = 0;
	for (size_t i = 0; i < n; i++) {
		bool data = false;

		for (uint32_t c = 0; c <= QUANT_LAST; c++) {
			if (ents[i]->e.ae_cells[c] == 0)
				continue;
			data = true;
			pk->pk_first = MIN(pk->pk_first, c);
			pk->pk_last = MAX(pk->pk_last, c);
		}
		if (!data) {
			pk->pk_first = MIN(pk->pk_first, QUANT_ZERO);
			pk->pk_last = MAX(pk->pk_last, QUANT_ZERO);
		}
	}
	if (pk->pk_first > 0 && pk->pk_first != QUANT_ZERO)
		pk->pk_first--;
	if (pk->pk_last < QUANT_LAST)
		pk->pk_last++;
}

static pack_t pack_layout(const options_t *op, ent_t **ents, size_t n)
{
	const agg_desc_t *d = &ents[0]->e.ae_av->av_desc;
	pack_t pk = {.pk_ascii = pack_ascii(op)};
	int64_t low, high;

	if (d->ad_func == AGG_LQUANTIZE) {
		pk.pk_last = cells_count(d) - 1;
		pk.pk_lowwidth = 7;
		pk.pk_highwidth = 8;
		snprintf(pk.pk_low, sizeof(pk.pk_low), "< %d", d->ad_base);
		snprintf(pk.pk_high, sizeof(pk.pk_high), ">= %" PRId64,
			 d->ad_base + (int64_t)(pk.pk_last - 1) * d->ad_step);
		return pk;
	}
	quantize_extent(ents, n, &pk);
	low = agg_quantize_label(pk.pk_first);
	high = agg_quantize_label(pk.pk_last);
	pk.pk_lowwidth = label_width(low);
	pk.pk_highwidth = label_width(high);
	snprintf(pk.pk_low, sizeof(pk.pk_low), "%" PRId64, low);
	snprintf(pk.pk_high, sizeof(pk.pk_high), "%" PRId64, high);
	return pk;
}

static void pack_cell(FILE *fp, const pack_t *pk, int64_t v, double total)
{
	static const char up[] = "__xxxxXX", down[] = "vvvvVV";

	if (v == 0 || total <= 0)
		fputc(' ', fp);
	else if (v < 0)
		fputc(down[MIN((int)(-(double)v * 5 / total + 0.5), 5)], fp);
	else if (pk->pk_ascii)
		fputc(up[MIN((int)((double)v * 7 / total + 0.5), 7)], fp);
	else
		fprintf(fp, "\xe2\x96%c", 0x81 + MIN((int)((double)v * 7 / total + 0.5), 7));
}

static void pack_row(const print_ctx_t *ctx, const pack_t *pk, const ent_t *e)
{
	bool lq = e->e.ae_av->av_desc.ad_func == AGG_LQUANTIZE;
	uint32_t n = pk->pk_last - pk->pk_first + 1;
	bar_scale_t scale = bar_scale(e->e.ae_cells + pk->pk_first, n, ctx->pc_zoom);
	int64_t sum = 0;

	narrow_keys(ctx->pc_fp, e);
	fprintf(ctx->pc_fp, lq ? "%*s :" : " %*s :", lq ? 8 : pk->pk_lowwidth, pk->pk_low);
	for (uint32_t c = pk->pk_first; c <= pk->pk_last; c++) {
		pack_cell(ctx->pc_fp, pk, e->e.ae_cells[c], scale.bs_total);
		sum += e->e.ae_cells[c];
	}
	fprintf(ctx->pc_fp, ": %-*s | %" PRId64 "\n", pk->pk_highwidth, pk->pk_high, sum);
}

static void print_packed(const print_ctx_t *ctx, const options_t *op, ent_t **ents, size_t n)
{
	const dtrace_aggvar_t *av = ents[0]->e.ae_av;
	pack_t pk = pack_layout(op, ents, n);

	fprintf(ctx->pc_fp, "\n%*s %*s .", narrow_total(av), av->av_desc.ad_nparts ? "key" : "", pk.pk_lowwidth, "min");
	for (uint32_t c = pk.pk_first; c <= pk.pk_last; c++)
		fputc('-', ctx->pc_fp);
	fprintf(ctx->pc_fp, ". %-*s | count\n", pk.pk_highwidth, "max");
	for (size_t i = 0; i < n; i++)
		pack_row(ctx, &pk, ents[i]);
}

/* ---- printing ---- */

/* Consecutive entries of one aggregation. */
static void print_run(aggprint_t *ap, const print_ctx_t *ctx, ent_t **ents, size_t n)
{
	agg_func_t func = ents[0]->e.ae_av->av_desc.ad_func;

	if (options_flag(ap->ap_op, OPT_AGGHIST) && (func == AGG_COUNT || func == AGG_SUM)) {
		print_hist(ctx, ents, n);
		return;
	}
	if (options_flag(ap->ap_op, OPT_AGGPACK) && (func == AGG_QUANTIZE || func == AGG_LQUANTIZE)) {
		print_packed(ctx, ap->ap_op, ents, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		print_entry(ctx, ents[i]);
}

static void print_list(aggprint_t *ap, const print_ctx_t *ctx, list_t *l)
{
	for (size_t i = 0, j; i < l->l_n; i = j) {
		for (j = i + 1; j < l->l_n && l->l_ents[j]->e.ae_av == l->l_ents[i]->e.ae_av; j++)
			;
		print_run(ap, ctx, l->l_ents + i, j - i);
	}
}

static uint32_t key_values(const agg_entry_t *e, fmt_val_t vals[AGG_MAXPARTS])
{
	const void *parts[AGG_MAXPARTS];
	uint32_t n = aggprint_keyparts(e->ae_av, e->ae_key, parts);

	for (uint32_t i = 0; i < n; i++)
		vals[i] = (fmt_val_t){&e->ae_av->av_keys[i], parts[i]};
	return n;
}

static void printa_one(aggprint_t *ap, const print_ctx_t *ctx, const struct dt_format *f, const dtrace_aggvar_t *av)
{
	rules_t rules = rules_of(ap->ap_op);
	list_t l = {0};
	fmt_val_t vals[AGG_MAXPARTS];

	load(ap, &l, av, 0);
	sort_list(&l, &rules);
	if (l.l_n)
		var_state(ap, av)->vs_printed = true;
	if (!f)
		print_list(ap, ctx, &l);
	for (size_t i = 0; f && i < l.l_n; i++) {
		const agg_entry_t *e = &l.l_ents[i]->e;
		fmt_agg_t fa = {&av->av_desc, e->ae_cells, e->ae_normal};

		fmt_print(ctx, f, vals, key_values(e, vals), &fa, 1);
	}
	list_free(&l);
}

/* ---- several aggregations, joined on their keys ---- */

typedef struct bundle {
	const ent_t **b_ents; /* one of each aggregation; NULL where the key is missing */
	const ent_t *b_any;
} bundle_t;

typedef struct join {
	list_t j_list;
	dtrace_aggvar_t *const *j_avs;
	uint32_t j_navs;
	bundle_t *j_bundles;
	size_t j_n;
	int64_t **j_zero; /* cells of a missing key */
	cells_order_t *j_zorder;
	rules_t j_rules;
} join_t;

static int compare_values(const join_t *j, const bundle_t *x, const bundle_t *y)
{
	uint32_t pos = j->j_rules.r_pos < j->j_navs ? j->j_rules.r_pos : 0;

	for (uint32_t i = 0; i < j->j_navs; i++) {
		uint32_t k = (pos + i) % j->j_navs;
		int c = cells_compare(x->b_ents[k] ? &x->b_ents[k]->e_order : &j->j_zorder[k],
				      y->b_ents[k] ? &y->b_ents[k]->e_order : &j->j_zorder[k]);

		if (c)
			return c;
	}
	return 0;
}

static int compare_bundles(const void *a, const void *b, void *arg)
{
	const bundle_t *x = a, *y = b;
	const join_t *j = arg;
	int bykey = compare_keys(j->j_avs[0], x->b_any->e.ae_key, y->b_any->e.ae_key, j->j_rules.r_keypos);
	int byvalue = compare_values(j, x, y);
	int first = j->j_rules.r_key ? bykey : byvalue;
	int c = first ? first : j->j_rules.r_key ? byvalue : bykey;

	return j->j_rules.r_rev ? -c : c;
}

/* Equal keys are neighbours once the list is sorted by bytes. */
static void make_bundles(join_t *j)
{
	list_t *l = &j->j_list;

	if (l->l_n)
		qsort(l->l_ents, l->l_n, sizeof(ent_t *), by_bytes);
	j->j_bundles = must(calloc(l->l_n + 1, sizeof(bundle_t)));
	for (size_t i = 0; i < l->l_n; i++) {
		ent_t *e = l->l_ents[i];
		bundle_t *b = j->j_n ? &j->j_bundles[j->j_n - 1] : NULL;

		if (!b || by_bytes(&b->b_any, &e) != 0) {
			b = &j->j_bundles[j->j_n++];
			b->b_any = e; /* NOLINT(clang-analyzer-core.NullDereference): must() */
			b->b_ents = list_alloc(l, j->j_navs * sizeof(ent_t *));
			memset(b->b_ents, 0, j->j_navs * sizeof(ent_t *));
		}
		b->b_ents[e->e_which] = e;
	}
	if (j->j_n)
		qsort_r(j->j_bundles, j->j_n, sizeof(bundle_t), compare_bundles, j);
}

static void join_load(aggprint_t *ap, join_t *j)
{
	list_t *l = &j->j_list;

	j->j_zero = list_alloc(l, j->j_navs * sizeof(int64_t *));
	j->j_zorder = list_alloc(l, j->j_navs * sizeof(cells_order_t));
	for (uint32_t i = 0; i < j->j_navs; i++) {
		const agg_desc_t *d = &j->j_avs[i]->av_desc;
		size_t before = l->l_n, bytes = cells_count(d) * sizeof(int64_t);

		load(ap, l, j->j_avs[i], i);
		if (l->l_n > before)
			var_state(ap, j->j_avs[i])->vs_printed = true;
		j->j_zero[i] = memset(list_alloc(l, bytes), 0, bytes);
		j->j_zorder[i] = cells_order(d, j->j_zero[i]);
	}
	make_bundles(j);
}

static fmt_agg_t bundle_value(const join_t *j, const bundle_t *b, uint32_t i)
{
	const ent_t *e = b->b_ents[i];

	return (fmt_agg_t){&j->j_avs[i]->av_desc, e ? e->e.ae_cells : j->j_zero[i], e ? e->e.ae_normal : 1};
}

static void print_bundle(const print_ctx_t *ctx, const struct dt_format *f, const join_t *j, const bundle_t *b,
			 fmt_agg_t *values)
{
	fmt_val_t vals[AGG_MAXPARTS];

	for (uint32_t i = 0; i < j->j_navs; i++)
		values[i] = bundle_value(j, b, i);
	if (f) {
		fmt_print(ctx, f, vals, key_values(&b->b_any->e, vals), values, j->j_navs);
		return;
	}
	print_keys(ctx, b->b_any->e.ae_av, b->b_any->e.ae_key);
	for (uint32_t i = 0; i < j->j_navs; i++)
		print_cells(ctx, values[i].fa_desc, values[i].fa_cells, values[i].fa_normal);
	fputc('\n', ctx->pc_fp);
}

static void printa_several(aggprint_t *ap, const print_ctx_t *ctx, const struct dt_format *f,
			   dtrace_aggvar_t *const *avs, uint32_t navs)
{
	join_t j = {.j_avs = avs, .j_navs = navs, .j_rules = rules_of(ap->ap_op)};
	fmt_agg_t *values = must(calloc(navs, sizeof(*values)));

	join_load(ap, &j);
	for (size_t i = 0; i < j.j_n; i++)
		print_bundle(ctx, f, &j, &j.j_bundles[i], values);
	free(values);
	free(j.j_bundles);
	list_free(&j.j_list);
}

void aggprint_printa(aggprint_t *ap, const print_ctx_t *ctx, const struct dt_format *f, dtrace_aggvar_t *const *avs,
		     uint32_t navs)
{
	if (!f)
		fputc('\n', ctx->pc_fp);
	if (navs == 1)
		printa_one(ap, ctx, f, avs[0]);
	else if (navs > 1)
		printa_several(ap, ctx, f, avs, navs);
}

void aggprint_rest(aggprint_t *ap, const print_ctx_t *ctx, dtrace_aggvar_t *const *avs, size_t navs)
{
	rules_t rules = rules_of(ap->ap_op);
	list_t l = {0};

	for (size_t i = 0; i < navs; i++)
		if (avs[i]->av_defined && !var_state(ap, avs[i])->vs_printed)
			load(ap, &l, avs[i], 0);
	sort_list(&l, &rules);
	print_list(ap, ctx, &l);
	list_free(&l);
}

void aggprint_walk(aggprint_t *ap, dtrace_aggvar_t *const *avs, size_t navs, void (*f)(void *, const agg_entry_t *),
		   void *arg)
{
	rules_t rules = rules_of(ap->ap_op);
	list_t l = {0};

	for (size_t i = 0; i < navs; i++)
		if (avs[i]->av_defined)
			load(ap, &l, avs[i], 0);
	sort_list(&l, &rules);
	for (size_t i = 0; i < l.l_n; i++)
		f(arg, &l.l_ents[i]->e);
	list_free(&l);
}

/* ---- actions ---- */

static void forget(aggprint_t *ap, const ent_t *e)
{
	const dtrace_aggvar_t *av = e->e.ae_av;

	keymap_remove(var_state(ap, av)->vs_notes, e->e.ae_key, e->e.ae_klen);
	ap->ap_src->as_remove(ap->ap_src->as_arg, av, e->e.ae_key, e->e.ae_klen);
}

void aggprint_trunc(aggprint_t *ap, const dtrace_aggvar_t *av, int64_t n)
{
	rules_t plain = {0};
	list_t l = {0};
	size_t keep, from = 0, to;

	load(ap, &l, av, 0);
	sort_list(&l, &plain);
	keep = (size_t)MIN(n < 0 ? 0 - (uint64_t)n : (uint64_t)n, (uint64_t)l.l_n);
	to = l.l_n - keep;
	if (n < 0) {
		from = keep;
		to = l.l_n;
	}
	for (size_t i = from; i < to; i++)
		forget(ap, l.l_ents[i]);
	list_free(&l);
}

void aggprint_clear(aggprint_t *ap, const dtrace_aggvar_t *av)
{
	agg_func_t func = av->av_desc.ad_func;
	list_t l = {0};

	if (func == AGG_MIN || func == AGG_MAX) {
		load(ap, &l, av, 0);
		for (size_t i = 0; i < l.l_n; i++)
			keymap_get(&var_state(ap, av)->vs_notes, l.l_ents[i]->e.ae_key, l.l_ents[i]->e.ae_klen, true)
			    ->kn_cleared = true;
		list_free(&l);
	}
	ap->ap_src->as_clear(ap->ap_src->as_arg, av);
}

void aggprint_normalize(aggprint_t *ap, const dtrace_aggvar_t *av, uint64_t factor)
{
	varstate_t *vs = var_state(ap, av);
	list_t l = {0};

	load(ap, &l, av, 0);
	for (size_t i = 0; i < l.l_n; i++) {
		const agg_entry_t *e = &l.l_ents[i]->e;
		keynote_t *kn = keymap_get(&vs->vs_notes, e->ae_key, e->ae_klen, factor > 1);

		if (kn)
			kn->kn_normal = factor;
	}
	list_free(&l);
}
