/*
 * dcode: DIF objects that no compiler would make.
 *
 * Most instructions are legal, so that many objects pass the verifier.  The
 * values they start from are edges, and addresses good and bad.
 */
#include "dcode.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cpus.h"
#include "dgen.h"
#include "dtrace/dtrace.h"
#include "sys/thread.h"

/* ---- objects ---- */

static const dif_vardesc_t vars[] = {
    {"g", DIF_GLOBAL, 0, false, {.dt_kind = DIF_INT, .dt_size = 8}},
    {"gs", DIF_GLOBAL, 1, false, {.dt_kind = DIF_STRING, .dt_size = 256}},
    {"gb", DIF_GLOBAL, 2, false, {.dt_kind = DIF_BYTES, .dt_size = 40}},
    {"ga", DIF_GLOBAL, 3, true, {.dt_kind = DIF_INT, .dt_size = 8}},
    {"gas", DIF_GLOBAL, 4, true, {.dt_kind = DIF_STRING, .dt_size = 256}},
    {"gi", DIF_GLOBAL, 5, false, {.dt_kind = DIF_INT, .dt_size = 2, .dt_signed = true}},
    {"t", DIF_THREAD, 0, false, {.dt_kind = DIF_INT, .dt_size = 8}},
    {"ts", DIF_THREAD, 1, false, {.dt_kind = DIF_STRING, .dt_size = 256}},
    {"ta", DIF_THREAD, 2, true, {.dt_kind = DIF_BYTES, .dt_size = 24}},
    {"l", DIF_LOCAL, 0, false, {.dt_kind = DIF_INT, .dt_size = 4}},
    {"ls", DIF_LOCAL, 1, false, {.dt_kind = DIF_STRING, .dt_size = 256}},
    {"lb", DIF_LOCAL, 2, false, {.dt_kind = DIF_BYTES, .dt_size = 16}},
    {"lc", DIF_LOCAL, 3, false, {.dt_kind = DIF_INT, .dt_size = 1, .dt_signed = true}},
};

/* Variables that an instruction may be for. */
static const struct {
	uint8_t load, store;
	const char *ids;
} places[] = {
    {DIF_LDGS, DIF_STGS, "\0\1\2\5"},   {DIF_LDTS, DIF_STTS, "\0\1\0\1"},   {DIF_LDLS, DIF_STLS, "\0\1\2\3"},
    {DIF_LDGAA, DIF_STGAA, "\3\4\3\4"}, {DIF_LDTAA, DIF_STTAA, "\2\2\2\2"},
};

enum { MAXLEN = 64, NINTS = 16 };

typedef struct object {
	dif_t o_dif;
	uint32_t o_text[MAXLEN];
	uint64_t o_ints[NINTS];
	char o_buffer[64];
} object_t;

static char strs[] = "one\0two,three\0/a/../b\0{\"a\":[1,{\"b\":2}]}\0%s";

/* For arithmetic: what the native code generator has most to do with. */
static uint32_t plain_op(void)
{
	static const uint8_t ops[] = {DIF_OR,   DIF_XOR,  DIF_AND,  DIF_SLL,  DIF_SRL,  DIF_SRA,  DIF_SUB,  DIF_ADD,
				      DIF_MUL,  DIF_SDIV, DIF_UDIV, DIF_SREM, DIF_UREM, DIF_NOT,  DIF_MOV,  DIF_CMP,
				      DIF_TST,  DIF_BA,   DIF_BE,   DIF_BNE,  DIF_BG,   DIF_BGU,  DIF_BGE,  DIF_BGEU,
				      DIF_BL,   DIF_BLU,  DIF_BLE,  DIF_BLEU, DIF_SETX, DIF_SETX, DIF_SETX, DIF_LDV,
				      DIF_LDGS, DIF_LDLS, DIF_LDTS, DIF_STGS, DIF_STLS, DIF_STTS, DIF_LDSB, DIF_LDX,
				      DIF_LDSH, DIF_LDUB, DIF_LDUW, DIF_LDSW};

	return ops[rnd(sizeof(ops))];
}

static uint32_t variable(uint32_t op, uint32_t rd)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (op == places[i].load || op == places[i].store)
			return DIF_INSTR_IDX(op, (uint8_t)places[i].ids[rnd(4)], rd);
	return DIF_INSTR_IDX(op, rnd(6), rd);
}

/* An instruction that is likely to be legal: index operands small, branches forward. */
static uint32_t make_instruction(uint32_t pc, uint32_t len, bool plain)
{
	uint32_t op = plain           ? plain_op()
		      : rnd(100) == 0 ? rnd(256)
				      : rnd(DIF_NOPS),
		 rd = 1 + rnd(plain ? 6 : DIF_NREGS - 1);

	if (op >= DIF_BA && op <= DIF_BLEU)
		return DIF_INSTR_BR(op, rnd(50) == 0 ? rnd(len + 2) : pc + 1 + rnd(len - pc - (pc + 1 < len)));
	if (op == DIF_SETX || op == DIF_SETS)
		return DIF_INSTR_IDX(op, rnd(rnd(100) == 0 ? 300 : NINTS), rd);
	if (op == DIF_LDV)
		return DIF_INSTR_IDX(op, rnd(DIF_NVARS), rd);
	if (op == DIF_CALL)
		return DIF_INSTR_IDX(op, rnd(DIF_NSUBR), rd);
	if (op >= DIF_LDGS && op <= DIF_STTAA)
		return variable(op, rd);
	if (op == DIF_PUSHTV)
		return DIF_INSTR(op, rnd(DIF_NREGS), 0, 1u << rnd(4));
	if (plain)
		return DIF_INSTR(op, rnd(7), rnd(7), rd);
	return DIF_INSTR(op, rnd(DIF_NREGS), rnd(DIF_NREGS), rnd(20) == 0 ? rnd(DIF_NREGS) : rd);
}

static void make_object(object_t *o, const void *good, uint32_t maxlen, bool plain)
{
	const uint64_t ints[NINTS] = {0,
				      1,
				      (uint64_t)-1,
				      INT64_MAX,
				      (uint64_t)INT64_MIN,
				      255,
				      4096,
				      (uintptr_t)o->o_buffer,
				      (uintptr_t)strs,
				      (uintptr_t)good,
				      0x7ffffffff000,
				      0xffffffff80000000,
				      63,
				      0x80000000,
				      7,
				      (uintptr_t)&vars};
	uint32_t len = 1 + rnd(maxlen);

	memset(o, 0, sizeof(*o));
	strcpy(o->o_buffer, "text of this object");
	memcpy(o->o_ints, ints, sizeof(ints));
	for (uint32_t i = 0; i < len; i++)
		o->o_text[i] = make_instruction(i, len, plain);
	if (rnd(100) != 0)
		o->o_text[len - 1] = DIF_INSTR(DIF_RET, 0, 0, rnd(plain ? 7 : DIF_NREGS));
	o->o_dif = (dif_t){.d_text = o->o_text,
			   .d_len = len,
			   .d_ints = o->o_ints,
			   .d_nints = NINTS,
			   .d_strs = strs,
			   .d_strlen = sizeof(strs)};
}

static dtrace_state_t *make_session(bool interpret)
{
	dtrace_conf_t conf;
	dtrace_state_t *st;

	dtrace_conf_default(&conf);
	conf.c_bufsize = 1 << 16;
	conf.c_dynvarsize = 1 << 16;
	conf.c_nspec = 3;
	conf.c_interpret = interpret;
	st = dtrace_state_create(&conf);
	if (!st || dtrace_state_vars(st, vars, sizeof(vars) / sizeof(vars[0])) != 0)
		abort();
	return st;
}

/* 1: accepted; 0: not; -1: not, and it is not said why. */
static int accepted(const dtrace_state_t *st, const object_t *o)
{
	char err[128] = "";

	if (dtrace_dif_check(st, &o->o_dif, err, sizeof(err)) == 0)
		return 1;
	return *err ? 0 : -1;
}

int64_t code_objects(void)
{
	uint64_t args[10], result, faddr;
	dtrace_state_t *st;
	int64_t n = 0;
	object_t o;

	cpus_start(1, NULL);
	st = make_session(true);
	for (int i = 0; i < CODE_OBJECTS; i++) {
		int ok;

		make_object(&o, st, MAXLEN - 1, rnd(4) == 0);
		for (int k = 0; k < 10; k++)
			args[k] = o.o_ints[rnd(NINTS)];
		ok = accepted(st, &o);
		if (ok < 0)
			return -1;
		n += ok;
		if (ok)
			(void)dif_run(st, &o.o_dif, args, &result, &faddr);
	}
	dtrace_state_destroy(st);
	return cpus_stop() == 0 ? n : -1;
}

/* ---- sessions ---- */

enum { NCLAUSES = 3, NACTS = 8, NAGGS = 2 };

typedef struct clause {
	dtrace_ecbdesc_t c_desc;
	object_t c_pred, c_objects[NACTS];
	dtrace_act_t c_acts[NACTS];
} clause_t;

static clause_t clauses[NCLAUSES];
static dtrace_aggvar_t aggs[NAGGS];

static const object_t *make_accepted(const dtrace_state_t *st, object_t *o)
{
	do
		make_object(o, &vars, 12, rnd(8) != 0);
	while (accepted(st, o) != 1);
	return o;
}

static void make_agg(dtrace_aggvar_t *av, uint32_t id)
{
	static const uint32_t sizes[] = {1, 2, 4, 8};

	*av = (dtrace_aggvar_t){.av_name = id == 1 ? "a" : "b", .av_id = id, .av_defined = true};
	av->av_desc = (agg_desc_t){.ad_func = (agg_func_t)rnd(AGG_LLQUANTIZE),
				   .ad_base = -10,
				   .ad_limit = 90,
				   .ad_step = 10,
				   .ad_nparts = rnd(3)};
	for (uint32_t i = 0; i < av->av_desc.ad_nparts; i++) {
		av->av_desc.ad_parts[i] = (agg_part_t){AGG_INT, sizes[rnd(4)]};
		av->av_keys[i] = (dif_type_t){.dt_kind = DIF_INT, .dt_size = av->av_desc.ad_parts[i].ap_size};
	}
}

static dtrace_act_t *add_act(clause_t *c, uint32_t *n, const dtrace_state_t *st, dtrace_actkind_t kind, dif_type_t type)
{
	dtrace_act_t *a = &c->c_acts[*n];

	*a = (dtrace_act_t){.a_kind = kind, .a_type = type};
	a->a_dif = (dif_t *)(uintptr_t)&make_accepted(st, &c->c_objects[*n])->o_dif;
	if (*n > 0)
		a[-1].a_next = a;
	(*n)++;
	return a;
}

static void make_clause(clause_t *c, const dtrace_state_t *st)
{
	static const dif_type_t nothing = {.dt_kind = DIF_VOID};
	uint32_t n = 0, size = 1u << rnd(4);
	dtrace_aggvar_t *av;
	dtrace_act_t *a;

	memset(c, 0, sizeof(*c));
	c->c_desc.e_desc = (dtrace_probedesc_t){0, "fbt", "genunix", "ddi_get_lbolt", rnd(3) ? "entry" : "return"};
	if (rnd(3) == 0)
		c->c_desc.e_pred = (dif_t *)(uintptr_t)&make_accepted(st, &c->c_pred)->o_dif;
	for (uint32_t k = rnd(3); k > 0; k--)
		(void)add_act(c, &n, st, ACT_DIFEXPR, nothing);
	if (rnd(3) == 0)
		(void)add_act(c, &n, st, ACT_DIFEXPR,
			      (dif_type_t){.dt_kind = DIF_INT, .dt_size = size, .dt_signed = rnd(2)});
	if (rnd(4) != 0 || n == 0) {
		av = &aggs[rnd(NAGGS)];
		for (uint32_t k = 0; k < av->av_desc.ad_nparts; k++)
			(void)add_act(c, &n, st, ACT_DIFEXPR, av->av_keys[k]);
		a = add_act(c, &n, st, ACT_AGG, nothing);
		a->a_agg = av;
		a->a_ntuple = av->av_desc.ad_nparts;
	}
	c->c_desc.e_acts = c->c_acts;
}

/* Addresses of this process are written by what they lie in: sessions differ in where they have their memory. */
static void say(FILE *fp, const char *what, uint64_t v)
{
	fprintf(fp, " %s%" PRIx64, what, v);
}

static int say_record(void *arg, const dtrace_rec_t *r)
{
	FILE *fp = arg;

	if (r->r_error) {
		fprintf(fp, "fault %d in action %d at %d", r->r_fault, r->r_action, r->r_difoff);
		say(fp, "", r->r_addr);
	} else {
		fprintf(fp, "record of %d:", (int)r->r_ecb->dte_epid);
		for (uint32_t i = 8; i < r->r_ecb->dte_size; i++)
			fprintf(fp, " %02x", (uint8_t)r->r_data[i]);
	}
	fputc('\n', fp);
	return 0;
}

typedef struct sayagg {
	FILE *sa_fp;
	uint32_t sa_ncells;
} sayagg_t;

static int say_entry(void *arg, const uint64_t *key, size_t klen, const int64_t *cells)
{
	const sayagg_t *sa = arg;

	fprintf(sa->sa_fp, "key");
	for (size_t i = 0; i < klen / 8; i++)
		say(sa->sa_fp, "", key[i]);
	fprintf(sa->sa_fp, ":");
	for (uint32_t i = 0; i < sa->sa_ncells; i++)
		if (cells[i] != 0)
			fprintf(sa->sa_fp, " %u=%" PRId64, i, cells[i]);
	fputc('\n', sa->sa_fp);
	return 0;
}

static void say_agg(dtrace_state_t *st, const dtrace_aggvar_t *av, FILE *fp)
{
	const agg_t *agg = dtrace_agg_snapshot(st, av);
	sayagg_t sa = {fp, agg_ncells(&av->av_desc)};

	fprintf(fp, "@%s\n", av->av_name);
	if (agg)
		(void)agg_walk(agg, say_entry, &sa);
}

/* The function takes no arguments, but its probe has what lies in their registers. */
static void call(void)
{
	typedef long any_t(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
	static const uint64_t values[] = {0,          1, 2, 7, (uint64_t)-1, 0x8000000000000000, 4096, (uintptr_t)strs,
					  0x80000000, 99};
	any_t *f = (any_t *)(uintptr_t)ddi_get_lbolt;
	uint64_t a[6];

	for (int i = 0; i < 6; i++)
		a[i] = values[rnd(10)];
	(void)f(a[0], a[1], a[2], a[3], a[4], a[5]);
}

static int64_t run_session(int number, bool interpret, FILE *fp)
{
	dtrace_state_t *st = make_session(interpret);
	uint32_t n = 1 + rnd(NCLAUSES);
	dtrace_drops_t drops;
	char err[256];

	fprintf(fp, "-- session %d\n", number);
	for (uint32_t i = 0; i < NAGGS; i++)
		make_agg(&aggs[i], i + 1);
	for (uint32_t i = 0; i < n; i++) {
		make_clause(&clauses[i], st);
		if (dtrace_enable(st, &clauses[i].c_desc, err, sizeof(err)) < 1)
			abort();
	}
	if (dtrace_go(st, err, sizeof(err)) != 0)
		abort();
	for (int i = 0; i < 6; i++)
		call();
	dtrace_stop(st);
	(void)dtrace_consume(st, 0, say_record, fp);
	for (uint32_t i = 0; i < NAGGS; i++)
		say_agg(st, &aggs[i], fp);
	dtrace_drops(st, 0, &drops);
	fprintf(fp, "drops %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", drops.d_principal, drops.d_agg, drops.d_dyn);
	dtrace_state_destroy(st);
	return n;
}

int64_t code_sessions(bool interpret, FILE *fp)
{
	int64_t n = 0;

	cpus_start(1, NULL);
	for (int i = 0; i < CODE_SESSIONS; i++)
		n += run_session(i, interpret, fp);
	return cpus_stop() == 0 ? n : -1;
}
