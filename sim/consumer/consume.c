/*
 * The consumer's main loop and what it does with a record.
 *
 * The workload runs for the shortest of switchrate, aggrate and statusrate of
 * virtual time, then every CPU's buffer is taken and printed.  All kernels stand
 * still meanwhile, so a snapshot taken when a printa() record is met shows the
 * same as one taken at the start of the pass.
 *
 * Output goes through one stream: standard output, the -o file, or what
 * freopen() chose.  It is flushed once a pass, and an error on it ends the run.
 */
#include "consume.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Marks for tracers outside: what lies between them is what a D program sees. */
#include <sys/sdt.h>

#include "aggfile.h"
#include "cpus.h"
#include "pace.h"
#include "machine/machine.h"
#include "limits.h"
#include "msg.h"
#include "victim.h"

/* A record kept beyond its callback. */
typedef struct kept {
	dtrace_rec_t k_rec;
	char *k_data;
} kept_t;

typedef struct keptlist {
	kept_t *kl_recs;
	size_t kl_n, kl_max;
} keptlist_t;

typedef struct run {
	consumer_t *r_cs;
	options_t *r_op;
	dtrace_state_t *r_st;
	aggprint_t *r_agg;
	FILE *r_base; /* standard output or the -o file */
	FILE *r_fp;   /* r_base, or what freopen() opened */
	bool r_header, r_stopped, r_first;
	bool r_busy;             /* there were records in the last pass */
	int r_indent;            /* of flow lines, in this pass over this CPU */
	dtrace_drops_t *r_drops; /* already told, by CPU */
	hrtime_t r_laststatus;
} run_t;

/* ---- signals ---- */

atomic_int workload_interrupts;

/* Two are answered; the third is for a program that is stuck. */
static void on_signal(int sig)
{
	if (++workload_interrupts > 2) {
		(void)signal(sig, SIG_DFL);
		(void)raise(sig);
	}
}

/* A signal that is ignored from the start, as in a background job of a shell, stays so. */
static void catch (int sig, const struct sigaction *sa)
{
	struct sigaction old;

	if (sigaction(sig, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(sig, sa, NULL);
}

void consume_signals(void)
{
	struct sigaction sa = {.sa_handler = on_signal};

	sigemptyset(&sa.sa_mask);
	catch (SIGINT, &sa);
	catch (SIGTERM, &sa);
	sa.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &sa, NULL);
}

static bool impatient(void)
{
	return workload_interrupts > 1;
}

/* ---- output ---- */

static void check_output(run_t *r)
{
	bool bad = ferror(r->r_fp);

	if (fflush(r->r_fp) != 0 || bad)
		msg_fatal("failed to write output");
}

static print_ctx_t context(const run_t *r)
{
	const options_t *op = r->r_op;

	return (print_ctx_t){
	    .pc_fp = r->r_fp,
	    .pc_quiet = options_flag(op, OPT_QUIET),
	    .pc_rawbytes = options_flag(op, OPT_RAWBYTES),
	    .pc_zoom = options_flag(op, OPT_AGGZOOM),
	    .pc_utf8 = op->op_val[OPT_ENCODING] == ENCODING_UTF8,
	    .pc_indent = (int)op->op_val[OPT_STACKINDENT],
	};
}

/* ---- messages about records ---- */

static const char *fault_text(int fault)
{
	static const char *const texts[] = {"unknown fault",         "invalid address",
					    "invalid alignment",     "illegal operation",
					    "divide-by-zero",        "out of scratch space",
					    "invalid kernel access", "invalid user access",
					    "tuple stack overflow",  "bad stack"};

	if (fault == DTRACEFLT_LIBRARY)
		return "library-level fault";
	return fault > 0 && fault < (int)(sizeof(texts) / sizeof(texts[0])) ? texts[fault] : texts[0];
}

static void probe_error(const dtrace_rec_t *rec, const char *text)
{
	const dtrace_ecb_t *ecb = rec->r_ecb;
	const dtrace_probe_t *p = ecb->dte_probe;

	msg_say("error on enabled probe ID %u (ID %u: %s:%s:%s:%s): %s\n", ecb->dte_epid, p->dtpr_id, p->dtpr_provider,
		p->dtpr_mod, p->dtpr_func, p->dtpr_name, text);
}

static void report_fault(const dtrace_rec_t *rec)
{
	char addr[32] = "", where[32] = "predicate", off[40] = "", text[160];

	if (rec->r_fault == DTRACEFLT_BADADDR || rec->r_fault == DTRACEFLT_BADALIGN ||
	    rec->r_fault == DTRACEFLT_BADSTACK)
		snprintf(addr, sizeof(addr), " (0x%" PRIx64 ")", rec->r_addr);
	if (rec->r_action > 0)
		snprintf(where, sizeof(where), "action #%d", rec->r_action);
	if (rec->r_difoff >= 0)
		snprintf(off, sizeof(off), " at DIF offset %d", rec->r_difoff);
	snprintf(text, sizeof(text), "%s%s in %s%s", fault_text(rec->r_fault), addr, where, off);
	probe_error(rec, text);
}

/* ---- the data of a statement ---- */

#define MAXVALS 256

static bool has_data(const dtrace_act_t *a)
{
	return (a->a_kind == ACT_DIFEXPR || a->a_kind == ACT_STACK || a->a_kind == ACT_USTACK) &&
	       a->a_type.dt_kind != DIF_VOID && a->a_type.dt_size > 0;
}

static uint32_t stmt_values(const dtrace_stmt_t *s, const dtrace_rec_t *rec, fmt_val_t vals[MAXVALS])
{
	const dtrace_act_t *a = s->s_acts;
	uint32_t n = 0;

	for (uint32_t i = 0; a && i < s->s_nacts && n < MAXVALS; i++, a = a->a_next)
		if (has_data(a))
			vals[n++] = (fmt_val_t){&a->a_type, rec->r_data + a->a_offset};
	return n;
}

static int64_t integer(const fmt_val_t *v)
{
	return print_getint(v->fv_type, v->fv_data);
}

/* ---- statements ---- */

/* The limit of a third argument shows so many bytes, as a dump whatever they are. */
static void do_tracemem(run_t *r, const fmt_val_t *vals, uint32_t n)
{
	print_ctx_t ctx = context(r);
	int64_t limit;

	if (n == 1) {
		print_value(&ctx, vals[0].fv_type, vals[0].fv_data);
		return;
	}
	limit = integer(&vals[1]);
	if (limit < 0 || limit > vals[0].fv_type->dt_size)
		limit = vals[0].fv_type->dt_size;
	if (limit > 0)
		print_dump(r->r_fp, vals[0].fv_data, (size_t)limit);
}

static void put(void *arg, const char *text, size_t len)
{
	fwrite(text, 1, len, arg);
}

/* The address, then what it points to. */
static void do_print(run_t *r, const fmt_val_t *vals, uint32_t n)
{
	const fmt_val_t *obj = &vals[n - 1];
	size_t limit = (size_t)r->r_op->op_val[OPT_PRINTSIZE];

	if (limit == 0 || limit > 65536)
		limit = 8192;
	limit = (limit + 7) & ~(size_t)7;
	if (n > 1)
		fprintf(r->r_fp, "0x%" PRIx64 " = *\n", (uint64_t)integer(&vals[0]));
	dt_print_value(r->r_cs->cs_dt, obj->fv_type->dt_ctype, obj->fv_data, MIN(obj->fv_type->dt_size, limit), put,
		       r->r_fp);
}

static char *string_value(const fmt_val_t *v)
{
	return strndup(v->fv_data, v->fv_type->dt_size);
}

static void do_setopt(run_t *r, const dtrace_rec_t *rec, const fmt_val_t *vals, uint32_t n)
{
	char *name = string_value(&vals[0]), *value = n > 1 ? string_value(&vals[1]) : strdup("1");
	const char *why;
	char text[256];

	if (name && value && options_set(r->r_op, name, value, &why) != 0) {
		snprintf(text, sizeof(text), "couldn't set option \"%s\" to \"%s\": %s", name, value, why);
		probe_error(rec, text);
	}
	free(name);
	free(value);
}

static void do_freopen(run_t *r, const dtrace_rec_t *rec, const dtrace_stmt_t *s, const fmt_val_t *vals, uint32_t n)
{
	print_ctx_t ctx = context(r);
	char *name = s->s_fmt ? fmt_text(&ctx, s->s_fmt, vals, n) : strdup("");
	FILE *fp = r->r_base;
	char text[512];

	if (!name)
		return;
	if (*name) {
		fp = fopen(name, "a");
		if (!fp) {
			snprintf(text, sizeof(text), "couldn't freopen() \"%s\": %s", name, strerror(errno));
			probe_error(rec, text);
		}
	}
	if (fp) {
		check_output(r);
		if (r->r_fp != r->r_base)
			fclose(r->r_fp);
		r->r_fp = fp;
	}
	free(name);
}

/* Of a pipe or terminal nothing can be cut. */
static void do_ftruncate(run_t *r)
{
	check_output(r);
	if (ftruncate(fileno(r->r_fp), 0) == 0)
		rewind(r->r_fp);
}

static void do_system(run_t *r, const dtrace_stmt_t *s, const fmt_val_t *vals, uint32_t n)
{
	print_ctx_t ctx = context(r);
	size_t max = (size_t)r->r_op->op_val[OPT_STRSIZE] - 1;
	char *command = s->s_fmt ? fmt_text(&ctx, s->s_fmt, vals, n) : NULL;

	if (!command)
		return;
	if (strlen(command) > max)
		command[max] = '\0';
	check_output(r);
	if (system(command) == -1)
		msg_say("failed to run '%s'", command);
	free(command);
}

static void do_statement(run_t *r, const dtrace_rec_t *rec, const dtrace_stmt_t *s)
{
	fmt_val_t vals[MAXVALS];
	uint32_t n = stmt_values(s, rec, vals);
	print_ctx_t ctx = context(r);

	switch (s->s_kind) {
	case STMT_TRACE:
	case STMT_STACK:
	case STMT_USTACK:
	case STMT_JSTACK:
	case STMT_SYM:
		for (uint32_t i = 0; i < n; i++)
			print_value(&ctx, vals[i].fv_type, vals[i].fv_data);
		break;
	case STMT_TRACEMEM:
		if (n > 0)
			do_tracemem(r, vals, n);
		break;
	case STMT_PRINT:
		if (n > 0)
			do_print(r, vals, n);
		break;
	case STMT_PRINTF:
		fmt_print(&ctx, s->s_fmt, vals, n, NULL, 0);
		break;
	case STMT_PRINTA:
		aggprint_printa(r->r_agg, &ctx, s->s_fmt, s->s_aggs, s->s_naggs);
		break;
	case STMT_CLEAR:
		aggprint_clear(r->r_agg, s->s_aggs[0]);
		break;
	case STMT_TRUNC:
		aggprint_trunc(r->r_agg, s->s_aggs[0], n > 0 ? integer(&vals[0]) : 0);
		break;
	case STMT_NORMALIZE:
		aggprint_normalize(r->r_agg, s->s_aggs[0], n > 0 ? (uint64_t)integer(&vals[0]) : 1);
		break;
	case STMT_DENORMALIZE:
		aggprint_normalize(r->r_agg, s->s_aggs[0], 1);
		break;
	case STMT_SETOPT:
		if (n > 0)
			do_setopt(r, rec, vals, n);
		break;
	case STMT_FREOPEN:
		do_freopen(r, rec, s, vals, n);
		break;
	case STMT_FTRUNCATE:
		do_ftruncate(r);
		break;
	case STMT_SYSTEM:
		do_system(r, s, vals, n);
		break;
	default:
		break;
	}
}

/* ---- the start of a line ---- */

static void print_header(run_t *r, bool flow, bool quiet)
{
	if (r->r_header || (quiet && !flow))
		return;
	r->r_header = true;
	if (flow)
		fprintf(r->r_fp, "%3s %-41s\n", "CPU", "FUNCTION");
	else
		fprintf(r->r_fp, "%3s %6s %32s\n", "CPU", "ID", "FUNCTION:NAME");
}

static bool ends_with(const char *s, const char *tail)
{
	size_t n = strlen(s), t = strlen(tail);

	return n >= t && strcmp(s + n - t, tail) == 0;
}

typedef enum { FLOW_OTHER, FLOW_ENTRY, FLOW_RETURN } flow_t;

static flow_t flow_of(const char *name)
{
	if (strcmp(name, "entry") == 0 || ends_with(name, "-entry"))
		return FLOW_ENTRY;
	if (strcmp(name, "return") == 0 || ends_with(name, "-return"))
		return FLOW_RETURN;
	return FLOW_OTHER;
}

/* Same probe, another clause: only the first clause of an entry and the last of a return move the indent. */
static bool same_probe(const dtrace_rec_t *a, const dtrace_rec_t *b)
{
	return b && !b->r_error && a->r_ecb->dte_probe == b->r_ecb->dte_probe && a->r_ecb != b->r_ecb;
}

static void print_flow(run_t *r, const dtrace_rec_t *rec, const dtrace_rec_t *prev, const dtrace_rec_t *next)
{
	const dtrace_probe_t *p = rec->r_ecb->dte_probe;
	bool syscall = strcmp(p->dtpr_provider, "syscall") == 0;
	flow_t flow = flow_of(p->dtpr_name);
	char text[1024];

	if ((flow == FLOW_ENTRY && same_probe(rec, prev)) || (flow == FLOW_RETURN && same_probe(rec, next)))
		flow = FLOW_OTHER;
	if (flow == FLOW_RETURN)
		r->r_indent = MAX(r->r_indent - 2, 0);
	if (flow == FLOW_OTHER)
		snprintf(text, sizeof(text), "%*s| %s:%s", r->r_indent, "", p->dtpr_func, p->dtpr_name);
	else
		snprintf(text, sizeof(text), "%*s %s %s", r->r_indent, "",
			 flow == FLOW_ENTRY ? (syscall ? "=>" : "->") : (syscall ? "<=" : "<-"), p->dtpr_func);
	if (flow == FLOW_ENTRY)
		r->r_indent += 2;
	fprintf(r->r_fp, "%3d %-41s ", rec->r_cpu, text);
}

static void print_plain(run_t *r, const dtrace_rec_t *rec)
{
	const dtrace_probe_t *p = rec->r_ecb->dte_probe;
	char name[512];

	snprintf(name, sizeof(name), "%s:%s", p->dtpr_func, p->dtpr_name);
	fprintf(r->r_fp, "%3d %6u %32s ", rec->r_cpu, p->dtpr_id, name);
}

static void do_record(run_t *r, const dtrace_rec_t *rec, const dtrace_rec_t *prev, const dtrace_rec_t *next)
{
	bool flow = options_flag(r->r_op, OPT_FLOWINDENT), quiet = options_flag(r->r_op, OPT_QUIET);

	r->r_busy = true;
	if (rec->r_error) {
		report_fault(rec);
		return;
	}
	print_header(r, flow, quiet);
	if (flow)
		print_flow(r, rec, prev, next);
	else if (!quiet)
		print_plain(r, rec);
	for (const dtrace_stmt_t *s = rec->r_ecb->dte_desc->e_stmts; s; s = s->s_next)
		do_statement(r, rec, s);
	if (!quiet)
		fputc('\n', r->r_fp);
}

/* ---- one pass over a CPU ---- */

static int take_record(void *arg, const dtrace_rec_t *rec)
{
	if (impatient())
		return 1;
	do_record(arg, rec, NULL, NULL);
	return 0;
}

static int keep_record(void *arg, const dtrace_rec_t *rec)
{
	keptlist_t *kl = arg;
	kept_t *k;

	if (kl->kl_n == kl->kl_max) {
		kl->kl_max = kl->kl_max ? 2 * kl->kl_max : 64;
		kl->kl_recs = realloc(kl->kl_recs, kl->kl_max * sizeof(*kl->kl_recs));
		if (!kl->kl_recs)
			abort();
	}
	k = &kl->kl_recs[kl->kl_n++];
	*k = (kept_t){.k_rec = *rec};
	if (rec->r_data && !rec->r_error) {
		k->k_data = malloc(rec->r_ecb->dte_size);
		if (!k->k_data)
			abort();
		memcpy(k->k_data, rec->r_data, rec->r_ecb->dte_size);
		k->k_rec.r_data = k->k_data;
	}
	return impatient();
}

static void kept_free(keptlist_t *kl)
{
	for (size_t i = 0; i < kl->kl_n; i++)
		free(kl->kl_recs[i].k_data);
	free(kl->kl_recs);
}

static void play(run_t *r, const keptlist_t *kl, size_t from, size_t to)
{
	for (size_t i = from; i < to && !impatient(); i++)
		do_record(r, &kl->kl_recs[i].k_rec, i > 0 ? &kl->kl_recs[i - 1].k_rec : NULL,
			  i + 1 < kl->kl_n ? &kl->kl_recs[i + 1].k_rec : NULL);
}

static void tell_drop(const run_t *r, const char *tag, uint64_t n, const char *fmt, int cpu)
{
	char text[200];

	snprintf(text, sizeof(text), "%" PRIu64 " %s", n, fmt);
	if (cpu >= 0)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), " on CPU %d", cpu);
	if (options_flag(r->r_op, OPT_DROPTAGS))
		msg_say("[DTRACEDROP_%s] %s\n", tag, text);
	else
		msg_say("%s\n", text);
}

static void tell_cpu_drops(run_t *r, int cpu)
{
	dtrace_drops_t now, *told = &r->r_drops[cpu];

	dtrace_drops(r->r_st, cpu, &now);
	if (now.d_principal > told->d_principal)
		tell_drop(r, "PRINCIPAL", now.d_principal - told->d_principal,
			  now.d_principal - told->d_principal > 1 ? "drops" : "drop", cpu);
	told->d_principal = now.d_principal;
}

static void consume_cpu(run_t *r, int cpu)
{
	keptlist_t kl = {0};

	r->r_indent = 0;
	if (options_flag(r->r_op, OPT_FLOWINDENT)) {
		dtrace_consume(r->r_st, cpu, keep_record, &kl);
		play(r, &kl, 0, kl.kl_n);
		kept_free(&kl);
	} else {
		dtrace_consume(r->r_st, cpu, take_record, r);
	}
	tell_cpu_drops(r, cpu);
}

/* How many records at the start were made by BEGIN. */
static size_t begin_records(const keptlist_t *kl)
{
	size_t n = 0;

	while (n < kl->kl_n && strcmp(kl->kl_recs[n].k_rec.r_ecb->dte_probe->dtpr_name, "BEGIN") == 0)
		n++;
	return n;
}

/* Of records of one time: nothing is traced before BEGIN or after END. */
static int rank(const kept_t *k)
{
	const char *name = k->k_rec.r_ecb->dte_probe->dtpr_name;

	return strcmp(name, "BEGIN") == 0 ? 0 : strcmp(name, "END") == 0 ? 2 : 1;
}

static int time_order(const void *a, const void *b)
{
	const kept_t *x = *(const kept_t *const *)a, *y = *(const kept_t *const *)b;

	if (x->k_rec.r_time != y->k_rec.r_time)
		return x->k_rec.r_time < y->k_rec.r_time ? -1 : 1;
	if (rank(x) != rank(y))
		return rank(x) - rank(y);
	return (x > y) - (x < y);
}

/* The record next to k, when it is of the same CPU. */
static const dtrace_rec_t *beside(const keptlist_t *kl, const kept_t *k, int step)
{
	const kept_t *to = k + step;

	return to >= kl->kl_recs && to < kl->kl_recs + kl->kl_n && to->k_rec.r_cpu == k->k_rec.r_cpu ? &to->k_rec
												     : NULL;
}

/* Records of one list, CPU by CPU, in the order of their times.  Every CPU keeps its own indent. */
static void play_by_time(run_t *r, const keptlist_t *kl)
{
	const kept_t **order = malloc((kl->kl_n + 1) * sizeof(*order));
	int indent[CPUS_MAX] = {0};

	if (!order)
		abort();
	for (size_t i = 0; i < kl->kl_n; i++)
		order[i] = &kl->kl_recs[i];
	qsort(order, kl->kl_n, sizeof(*order), time_order);
	for (size_t i = 0; i < kl->kl_n && !impatient(); i++) {
		const kept_t *k = order[i];

		r->r_indent = indent[k->k_rec.r_cpu];
		do_record(r, &k->k_rec, beside(kl, k, -1), beside(kl, k, 1));
		indent[k->k_rec.r_cpu] = r->r_indent;
	}
	free(order);
}

/* Option temporal: no CPU comes first.  Where times are equal the lower CPU does. */
static void consume_by_time(run_t *r)
{
	keptlist_t kl = {0};

	for (int cpu = 0; cpu < r->r_cs->cs_ncpu && !impatient(); cpu++)
		dtrace_consume(r->r_st, cpu, keep_record, &kl);
	play_by_time(r, &kl);
	for (int cpu = 0; cpu < r->r_cs->cs_ncpu; cpu++)
		tell_cpu_drops(r, cpu);
	kept_free(&kl);
}

/* BEGIN's CPU comes first in the first pass, END's last; when they are one and the same, its records are split. */
static void consume_by_cpu(run_t *r)
{
	int begin = r->r_first ? dtrace_begin_cpu(r->r_st) : -1;
	int end = r->r_stopped ? dtrace_end_cpu(r->r_st) : -1;
	keptlist_t kl = {0};
	size_t nbegin = 0;

	r->r_first = false;
	if (begin >= 0 && begin == end && r->r_cs->cs_ncpu > 1) {
		dtrace_consume(r->r_st, begin, keep_record, &kl);
		nbegin = begin_records(&kl);
		play(r, &kl, 0, nbegin);
	} else if (begin >= 0) {
		consume_cpu(r, begin);
	}
	for (int cpu = 0; cpu < r->r_cs->cs_ncpu && !impatient(); cpu++)
		if (cpu != begin && cpu != end)
			consume_cpu(r, cpu);
	if (kl.kl_n) {
		r->r_indent = 0;
		play(r, &kl, nbegin, kl.kl_n);
		tell_cpu_drops(r, begin);
	} else if (end >= 0 && end != begin) {
		consume_cpu(r, end);
	}
	kept_free(&kl);
}

static void consume_all(run_t *r)
{
	if (options_flag(r->r_op, OPT_TEMPORAL))
		consume_by_time(r);
	else
		consume_by_cpu(r);
}

/* ---- status: what was lost ---- */

typedef struct droptext {
	size_t dt_off;
	const char *dt_tag, *dt_one, *dt_many;
} droptext_t;

static const droptext_t droptexts[] = {
    {offsetof(dtrace_drops_t, d_dyn), "DYNAMIC", "dynamic variable drop", "dynamic variable drops"},
    {offsetof(dtrace_drops_t, d_dynrinse), "DYNRINSE", "dynamic variable drop with non-empty rinsing list",
     "dynamic variable drops with non-empty rinsing list"},
    {offsetof(dtrace_drops_t, d_dyndirty), "DYNDIRTY", "dynamic variable drop with non-empty dirty list",
     "dynamic variable drops with non-empty dirty list"},
    {offsetof(dtrace_drops_t, d_spec), "SPEC", "speculative drop", "speculative drops"},
    {offsetof(dtrace_drops_t, d_specbusy), "SPECBUSY", "failed speculation (available buffer still busy)",
     "failed speculations (available buffers still busy)"},
    {offsetof(dtrace_drops_t, d_specunavail), "SPECUNAVAIL", "failed speculation (no speculative buffer available)",
     "failed speculations (no speculative buffer available)"},
    {offsetof(dtrace_drops_t, d_dblerror), "DBLERROR", "error in ERROR probe enabling",
     "errors in ERROR probe enabling"},
};

static void tell_status(run_t *r)
{
	dtrace_drops_t now;

	for (int cpu = 0; cpu < r->r_cs->cs_ncpu; cpu++) {
		uint64_t n;

		dtrace_drops(r->r_st, cpu, &now);
		n = now.d_agg - r->r_drops[cpu].d_agg;
		if (n > 0)
			tell_drop(r, "AGGREGATION", n, n > 1 ? "aggregation drops" : "aggregation drop", cpu);
		r->r_drops[cpu].d_agg = now.d_agg;
	}
	for (size_t i = 0; i < sizeof(droptexts) / sizeof(droptexts[0]); i++) {
		const droptext_t *dt = &droptexts[i];
		uint64_t *told = (uint64_t *)((char *)&r->r_drops[0] + dt->dt_off);
		uint64_t value = *(const uint64_t *)((const char *)&now + dt->dt_off);

		if (value > *told)
			tell_drop(r, dt->dt_tag, value - *told, value - *told > 1 ? dt->dt_many : dt->dt_one, -1);
		*told = value;
	}
}

/* ---- the loop ---- */

static hrtime_t step_length(const options_t *op)
{
	return MIN(MIN(op->op_val[OPT_SWITCHRATE], op->op_val[OPT_AGGRATE]), op->op_val[OPT_STATUSRATE]);
}

static void wait_for_signal(void)
{
	sigset_t block, old;

	sigemptyset(&block);
	sigaddset(&block, SIGINT);
	sigaddset(&block, SIGTERM);
	sigprocmask(SIG_BLOCK, &block, &old);
	while (!workload_interrupts)
		sigsuspend(&old);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

/* Let time pass until then: true when the workload is finished. */
static bool advance(run_t *r, hrtime_t until)
{
	workload_t *w = r->r_cs->cs_workload;
	bool finished;

	/* While a command of the host's runs, virtual time that nothing else drives keeps step with the host's. */
	if (!w && victim_exists() && victim_wait(until - machine_now(), options_flag(r->r_op, OPT_QUIET)))
		return true;
	if (!w) {
		pace_wait(until);
		cpus_run(until);
		return false;
	}
	finished = w->w_run(w, until) != 0;
	return finished || (victim_exists() && victim_wait(0, options_flag(r->r_op, OPT_QUIET)));
}

/* The end of the next step.  Steps in which nothing can happen are passed over, once what was recorded before is
 * printed: a capture may pause for years. */
static hrtime_t next_step(const run_t *r, hrtime_t now)
{
	workload_t *w = r->r_cs->cs_workload;
	hrtime_t step = step_length(r->r_op), next = now + step, event;

	if ((w && !w->w_next) || r->r_busy)
		return next;
	event = w ? MIN(w->w_next(w), event_next()) : event_next();
	if (event > next && event != INT64_MAX)
		next += (event - next) / step * step;
	return next;
}

/* Without a workload and without events nothing will happen until a signal comes. */
static bool idle(const run_t *r)
{
	return !r->r_cs->cs_workload && event_next() == INT64_MAX && !victim_exists();
}

static void pass(run_t *r, bool stopping)
{
	hrtime_t now = machine_now();

	r->r_busy = false;
	if (stopping) {
		STAP_PROBE(strsim, trace_stop);
		dtrace_stop(r->r_st);
		r->r_stopped = true;
	}
	if (stopping || now - r->r_laststatus >= r->r_op->op_val[OPT_STATUSRATE]) {
		r->r_laststatus = now;
		tell_status(r);
	}
	if (stopping || r->r_op->op_val[OPT_BUFPOLICY] == BUF_SWITCH)
		consume_all(r);
	check_output(r);
}

/* Until exit(), the end of the workload or a signal; an end from outside is marked by a newline. */
static void loop(run_t *r)
{
	hrtime_t start = machine_now(), next = start;
	bool finished = false;

	r->r_laststatus = start;
	r->r_busy = true; /* BEGIN may have recorded something */
	for (;;) {
		bool exiting = dtrace_exiting(r->r_st, NULL);

		if (!exiting && !finished && !workload_interrupts) {
			next = next_step(r, next);
			finished = advance(r, next);
			exiting = dtrace_exiting(r->r_st, NULL);
		}
		if (workload_interrupts || (finished && !exiting && r->r_cs->cs_workload))
			fputc('\n', r->r_fp);
		if (workload_interrupts || finished || exiting) {
			pass(r, true);
			return;
		}
		pass(r, false);
		if (idle(r))
			wait_for_signal();
	}
}

static FILE *open_output(const char *file)
{
	FILE *fp;

	if (!file)
		return stdout;
	fp = fopen(file, "a");
	if (!fp)
		msg_fatal("failed to open output file '%s'", file);
	return fp;
}

/* ---- aggregations of the session, for aggprint ---- */

static agg_t *snapshot(void *arg, const dtrace_aggvar_t *av)
{
	return dtrace_agg_snapshot(arg, av);
}

static void clear(void *arg, const dtrace_aggvar_t *av)
{
	dtrace_agg_clear(arg, av);
}

static void remove_key(void *arg, const dtrace_aggvar_t *av, const uint64_t *key, size_t klen)
{
	dtrace_agg_remove(arg, av, key, klen);
}

static void print_rest(run_t *r)
{
	print_ctx_t ctx = context(r);
	dtrace_aggvar_t *const *avs;
	size_t n;

	avs = dt_aggs(r->r_cs->cs_dt, &n);
	fputc('\n', r->r_fp);
	if (!impatient())
		aggprint_rest(r->r_agg, &ctx, avs, n);
	check_output(r);
	if (r->r_cs->cs_folded && aggfile_folded(r->r_cs->cs_folded, r->r_agg, avs, n) != 0)
		msg_fatal("failed to write '%s'", r->r_cs->cs_folded);
	if (r->r_cs->cs_json && aggfile_json(r->r_cs->cs_json, r->r_agg, avs, n) != 0)
		msg_fatal("failed to write '%s'", r->r_cs->cs_json);
}

/* CPU 0 is the one that went. */
static void start_cpu(void *arg, int cpu)
{
	(void)arg;
	if (cpu != 0)
		dtrace_cpu_start();
}

int consume_run(consumer_t *cs)
{
	agg_source_t src = {snapshot, clear, remove_key, cs->cs_st};
	run_t r = {.r_cs = cs, .r_op = cs->cs_op, .r_st = cs->cs_st, .r_first = true};
	char err[256];
	int status = STATUS_OK, account = STATUS_OK;

	r.r_base = r.r_fp = open_output(cs->cs_outfile);
	r.r_drops = calloc((size_t)cs->cs_ncpu, sizeof(*r.r_drops));
	if (!r.r_drops)
		abort();
	r.r_agg = aggprint_create(&src, cs->cs_op);
	if (dtrace_go(cs->cs_st, err, sizeof(err)) != 0)
		msg_fatal("could not enable tracing: %s\n", err);
	limits_report(cs->cs_op);
	cpus_each(start_cpu, NULL);
	victim_go();
	STAP_PROBE(strsim, trace_go);
	cs->cs_op->op_running = true;
	loop(&r);
	victim_kill();
	print_rest(&r);
	dtrace_exiting(cs->cs_st, &status);
	if (cs->cs_workload)
		account = cs->cs_workload->w_finish(cs->cs_workload);
	if (r.r_fp != r.r_base)
		fclose(r.r_fp);
	if (r.r_base != stdout && fclose(r.r_base) != 0)
		msg_fatal("failed to write output");
	aggprint_destroy(r.r_agg);
	free(r.r_drops);
	return status ? status : account;
}
