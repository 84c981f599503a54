/*
 * The tracing core: providers and probes, enablings (ECBs), buffers, and what
 * a consumer calls.  It knows no STREAMS module.
 *
 * Theory.  A provider registers probes.  dtrace_enable() matches an enabling's
 * probe description against them and hangs an ECB on each match; the first ECB
 * of a probe asks its provider to arm it.  When the probe fires,
 * dtrace_probe() runs the ECBs in order: predicate, then actions, each storing
 * into the principal buffer of this CPU, or updating this CPU's aggregation
 * tables.  The consumer, between kernel steps, takes the buffers and prints.
 *
 * Everything lives in one process: the consumer reads the very action
 * descriptions that the compiler made.
 */
#ifndef STRSIM_DTRACE_H
#define STRSIM_DTRACE_H

#include "agg.h"
#include "dif.h"

typedef uint32_t dtrace_id_t;   /* probe, from 1: BEGIN 1, END 2, ERROR 3 */
typedef uint32_t dtrace_epid_t; /* enabled probe, from 1 in enabling order */

/* ---- probes and providers ---- */

typedef struct dtrace_probedesc {
	dtrace_id_t dtpd_id;                                          /* 0 when the names count */
	const char *dtpd_provider, *dtpd_mod, *dtpd_func, *dtpd_name; /* "" = any, when matching */
} dtrace_probedesc_t;

typedef struct dtrace_probe {
	dtrace_id_t dtpr_id;
	const char *dtpr_provider, *dtpr_mod, *dtpr_func, *dtpr_name;
	const struct dtrace_provider *dtpr_prov;
	void *dtpr_arg;                          /* provider's */
	struct dtrace_ecb *dtpr_ecb, *dtpr_last; /* in enabling order */
	uint32_t dtpr_armed;                     /* by how many of them */
} dtrace_probe_t;

typedef struct dtrace_provider {
	const char *dtpv_name;
	void (*dtpv_provide)(const dtrace_probedesc_t *desc); /* make probes on demand (profile); may be NULL */
	int (*dtpv_enable)(dtrace_probe_t *);
	void (*dtpv_disable)(dtrace_probe_t *);
	/* C types of args[], "int"; NULL ends.  fbt: NULL, the compiler asks the debug information. */
	const char *const *(*dtpv_argtypes)(const dtrace_probe_t *);
	bool dtpv_stable; /* args[] may be used with several matches */
	/* Of a provider that reserves probes: */
	const char *const *dtpv_names;                             /* all names they have; NULL ends */
	void (*dtpv_describe)(uint32_t i, dtrace_probedesc_t *pd); /* names of the i-th, strings that last */
	uint32_t (*dtpv_next)(uint32_t i, const char *func); /* the first of a function's from the i-th on, or none */
	void *(*dtpv_made)(uint32_t i, dtrace_probe_t *p);   /* the i-th is wanted: its dtpr_arg, or NULL */
} dtrace_provider_t;

/* Registers fbt, sdt (and mib), profile, dtrace; scans the binary.  Once a process; errors say why in errbuf. */
int dtrace_init(char *errbuf, size_t errlen);
void dtrace_fini(void);
dtrace_id_t dtrace_probe_create(const dtrace_provider_t *prov, const char *mod, const char *func, const char *name,
				void *arg);
#define DTRACE_NOPROBE UINT32_MAX
/* n probes with consecutive ids, of which each is made when it is first looked up or matched. */
void dtrace_probe_reserve(const dtrace_provider_t *prov, uint32_t n);
/* Probe by id, NULL when there is none; ids are dense from 1 to dtrace_nprobes(). */
dtrace_probe_t *dtrace_probe_lookup(dtrace_id_t id);
dtrace_id_t dtrace_nprobes(void);
/* Number of probes that match; f is called for each in id order unless NULL. */
int dtrace_probe_match(const dtrace_probedesc_t *desc, void (*f)(void *, dtrace_probe_t *), void *arg);
/* The glob rules of the D sheet, section 2.1. */
bool dtrace_gmatch(const char *subject, const char *pattern);

/* ---- kernel symbols (ELF symbol table and debug information of this binary) ---- */

/* As it lies in the binary's index (symindex.h). */
typedef struct ksym {
	uint64_t ks_value; /* address, or offset of a thread-local one */
	uint32_t ks_size;
	uint32_t ks_name;  /* see ksym_name() */
	int32_t ks_tlsoff; /* distance of a thread-local one from the thread pointer */
	uint16_t ks_mod;   /* see ksym_mod() */
	uint8_t ks_func;
	uint8_t ks_tls; /* thread-local: see DIF_SUBR_TLSADDR */
} ksym_t;
const char *ksym_name(const ksym_t *ks);
/* Folder of kernelmodel/ that the source lies in; NULL for the program's own. */
const char *ksym_mod(const ksym_t *ks);
/* Of a thread-local variable: in this thread's kernel. */
uintptr_t ksym_addr(const ksym_t *ks);
/* The symbol that covers addr; NULL when none does. */
const ksym_t *ksym_byaddr(uintptr_t addr);
/* mod NULL or "" = any module. */
const ksym_t *ksym_byname(const char *mod, const char *name);
/* Next function or object in address order (NULL starts): to walk all. */
const ksym_t *ksym_next(const ksym_t *ks);

/* ---- enablings ---- */

typedef enum dtrace_actkind {
	ACT_DIFEXPR, /* evaluate; store the result if a_type is not DIF_VOID (a piece of trace, printf, ...) */
	ACT_STACK,   /* a_arg = depth */
	ACT_USTACK,  /* a_arg = depth, a_arg2 = string size */
	ACT_EXIT,    /* 4 bytes; stops tracing */
	ACT_AGG,     /* a_agg; its key parts are the a_ntuple actions before it */
	ACT_SPECULATE,
	ACT_COMMIT,
	ACT_DISCARD,
	ACT_STOP,
	ACT_RAISE,
	ACT_BREAKPOINT,
	ACT_PANIC,
	ACT_CHILL, /* destructive */
	ACT_MARK,  /* nothing to evaluate, but a record for the consumer (printa, clear, ... without arguments) */
} dtrace_actkind_t;

/* What the consumer does with the records of a statement. */
typedef enum dtrace_stmtkind {
	STMT_EXPR, /* nothing to print */
	STMT_TRACE,
	STMT_TRACEMEM,
	STMT_PRINT,
	STMT_PRINTF,
	STMT_PRINTA,
	STMT_STACK,
	STMT_USTACK,
	STMT_JSTACK,
	STMT_SYM,
	STMT_EXIT,
	STMT_AGG,
	STMT_CLEAR,
	STMT_TRUNC,
	STMT_NORMALIZE,
	STMT_DENORMALIZE,
	STMT_SETOPT,
	STMT_FREOPEN,
	STMT_FTRUNCATE,
	STMT_SYSTEM,
	STMT_SPECULATE,
	STMT_COMMIT,
	STMT_DISCARD,
	STMT_DEFAULT, /* empty clause: a record, hence a line */
	STMT_DESTRUCTIVE
} dtrace_stmtkind_t;

typedef struct dtrace_aggvar {
	char *av_name;  /* without the @; "_" for the bare one */
	uint32_t av_id; /* from 1, in order of first appearance */
	agg_desc_t av_desc;
	dif_type_t av_keys[AGG_MAXPARTS]; /* how each key is printed; key i is av_desc.ad_parts[i] */
	bool av_defined;                  /* some clause aggregates into it */
} dtrace_aggvar_t;

typedef struct dtrace_act {
	dtrace_actkind_t a_kind;
	dif_t *a_dif;  /* ACT_DIFEXPR, EXIT, SPECULATE..., AGG (the aggregated value; may be NULL) */
	dif_t *a_incr; /* AGG: weight of the quantize family, or NULL for 1 */
	dtrace_aggvar_t *a_agg;
	uint32_t a_ntuple;
	uint64_t a_arg, a_arg2;
	dif_type_t a_type; /* of what is stored; DIF_VOID: nothing */
	uint32_t a_offset; /* of the record in the data: set by dtrace_enable() */
	struct dtrace_stmt *a_stmt;
	struct dtrace_act *a_next;
} dtrace_act_t;

struct dt_format; /* a parsed printf format, the consumer's */

/*
 * The consumer finds a statement's data by its actions that store something, in this order:
 *
 *	TRACE, SYM, STACK, USTACK, JSTACK	the datum
 *	TRACEMEM				the bytes; a limit, if there is a third argument
 *	PRINT					the address (8 bytes); the object, with its dt_ctype
 *	PRINTF, SYSTEM, FREOPEN			the arguments after the format
 *	TRUNC, NORMALIZE			the number, if given
 *	SETOPT					name; value, if given
 *
 * The others store nothing but may have an ACT_MARK (dt_kind DIF_VOID or dt_size 0), which makes the record.
 */

typedef struct dtrace_stmt {
	dtrace_stmtkind_t s_kind;
	int s_line;
	struct dt_format *s_fmt;  /* printf, printa, system, freopen; NULL = default form */
	dtrace_aggvar_t **s_aggs; /* printa, clear, trunc, normalize ... */
	uint32_t s_naggs;
	uint64_t s_arg;   /* tracemem: limit; others by kind */
	uint32_t s_nacts; /* its actions, consecutive from s_acts */
	dtrace_act_t *s_acts;
	struct dtrace_stmt *s_next;
} dtrace_stmt_t;

/* One clause for one probe description. */
typedef struct dtrace_ecbdesc {
	dtrace_probedesc_t e_desc;
	char *e_text[4];      /* storage of the names */
	dif_t *e_pred;        /* NULL = always */
	dtrace_act_t *e_acts; /* NULL = default action is made by the compiler as STMT_DEFAULT + ACT_MARK */
	dtrace_stmt_t *e_stmts;
	uint32_t e_clause; /* number of the clause in its program: descriptions of one clause share it */
	bool e_destructive;
	struct dtrace_ecbdesc *e_next;
} dtrace_ecbdesc_t;

typedef struct dtrace_ecb {
	dtrace_epid_t dte_epid;
	dtrace_probe_t *dte_probe;
	const dtrace_ecbdesc_t *dte_desc;
	uint32_t dte_size; /* of its record with the header; 0 = records nothing */
	struct dtrace_ecb *dte_next;
} dtrace_ecb_t;

/* ---- a tracing session ---- */

typedef struct dtrace_state dtrace_state_t;

typedef enum { BUF_SWITCH, BUF_FILL, BUF_RING } dtrace_bufpolicy_t;

typedef struct dtrace_conf {
	size_t c_bufsize, c_aggsize /* 0 = grow without limit */, c_strsize, c_dynvarsize, c_specsize;
	uint32_t c_nspec;
	dtrace_bufpolicy_t c_bufpolicy;
	bool c_destructive;
	bool c_interpret; /* clauses are not compiled to native code */
	bool c_hostclock; /* timestamps from the host's clock instead of virtual time */
	int c_ncpu;
	int c_cpu; /* the only CPU that is traced; -1 = all are */
} dtrace_conf_t;

void dtrace_conf_default(
    dtrace_conf_t *conf); /* bufsize 4m, aggsize 0, strsize 256, dynvarsize 1m, specsize 32k, nspec 1 */
dtrace_state_t *dtrace_state_create(const dtrace_conf_t *conf);
void dtrace_state_destroy(dtrace_state_t *st);
/* Declare variables (all programs' together, before enabling). */
int dtrace_state_vars(dtrace_state_t *st, const dif_vardesc_t *vars, size_t n);
/*
 * Enable one description: number of probes matched (>= 0), or -1 with errbuf set.  ECBs get epids in
 * probe order.  Descriptions that match nothing are no error here.
 */
int dtrace_enable(dtrace_state_t *st, const dtrace_ecbdesc_t *desc, char *errbuf, size_t errlen);
/* Fires BEGIN and arms everything.  -1 with errbuf (destructive without permission, record larger than a buffer). */
int dtrace_go(dtrace_state_t *st, char *errbuf, size_t errlen);
/*
 * Close or open the window in which probes do anything: while it is closed only BEGIN and END fire.  It may be closed
 * before dtrace_go().  For sessions of one CPU, between two things that its machine runs or from any of its threads.
 */
void dtrace_pause(dtrace_state_t *st, bool pause);
/* Disarms all, fires END. */
void dtrace_stop(dtrace_state_t *st);
/*
 * With several CPUs: each further host thread calls this when its machine runs and tracing is on, so that profile
 * probes fire there too.  The thread that calls dtrace_go() needs not.
 */
void dtrace_cpu_start(void);
/* Did an exit() action run (or a fill buffer fill)?  The status of the last exit() through *status. */
bool dtrace_exiting(const dtrace_state_t *st, int *status);
const dtrace_ecb_t *dtrace_epid2ecb(const dtrace_state_t *st, dtrace_epid_t epid);

/* One record taken from a principal buffer; an error record when r_ecb's fault is set. */
typedef struct dtrace_rec {
	const dtrace_ecb_t *r_ecb;
	const char *r_data; /* start of the record; actions' a_offset count from here */
	int r_cpu;
	hrtime_t r_time;
	/* errors: a fault in r_ecb */
	bool r_error;
	int r_action; /* 0 = predicate, else counted from 1 */
	int r_difoff; /* in bytes, -1 unknown */
	int r_fault;
	uint64_t r_addr;
} dtrace_rec_t;

/*
 * Take and pass on all records of the CPU's buffer, oldest first; a non-zero result of f ends it, is returned, and
 * leaves that record and the later ones for the next call.  With the policies fill and ring there is nothing before
 * dtrace_stop().  A record of ACT_USTACK is the process id, then zeroes: modelled programs have no stack.
 */
int dtrace_consume(dtrace_state_t *st, int cpu, int (*f)(void *, const dtrace_rec_t *), void *arg);
/* CPU that ran BEGIN / END, -1 when not yet. */
int dtrace_begin_cpu(const dtrace_state_t *st);
int dtrace_end_cpu(const dtrace_state_t *st);
/* This aggregation of all CPUs, merged into one table that the state owns (valid until the next call for
 * it); clear, truncation and removal act on every CPU's. */
agg_t *dtrace_agg_snapshot(dtrace_state_t *st, const dtrace_aggvar_t *av);
void dtrace_agg_clear(dtrace_state_t *st, const dtrace_aggvar_t *av);
void dtrace_agg_remove(dtrace_state_t *st, const dtrace_aggvar_t *av, const uint64_t *key, size_t klen);

typedef struct dtrace_drops {
	uint64_t d_principal, d_agg;                                                           /* of one CPU */
	uint64_t d_dyn, d_dynrinse, d_dyndirty, d_spec, d_specbusy, d_specunavail, d_dblerror; /* of the session */
} dtrace_drops_t;
void dtrace_drops(dtrace_state_t *st, int cpu, dtrace_drops_t *out);

/* ---- firing ---- */

/* Called by providers in the context that hit the probe. */
void dtrace_probe(dtrace_probe_t *probe, const uint64_t args[10], uintptr_t pc, uintptr_t fp);

/* Run DIF outside a probe (tests, constant folding checks). 0, or the fault. */
int dif_run(dtrace_state_t *st, const dif_t *d, const uint64_t args[10], uint64_t *result, uint64_t *faddr);
/* Verify a DIF object: 0, or -1 with a reason.  dtrace_enable() refuses what does not pass. */
int dif_verify(const dif_t *d, char *errbuf, size_t errlen);
/* The same, and that its variables are those of the session. */
int dtrace_dif_check(const dtrace_state_t *st, const dif_t *d, char *errbuf, size_t errlen);

#endif
