/*
 * Inside the tracing core.
 *
 *	provider.c	probes, providers, matching of descriptions
 *	symindex.c mkindex.c	the index of this binary that the build puts into it
 *	ksym.c		symbols of this binary
 *	patch.c		arming NOPs
 *	fbt.c sdt.c syscall.c profile.c		the providers
 *	sdt_args.c	translated arguments of the stable ones
 *	state.c		sessions: variables, enabling, start and stop
 *	buffer.c	principal and speculative buffers, consuming them
 *	aggregate.c	aggregations of a session
 *	probe.c		what happens when a probe fires
 *	dif.c dif_subr.c dif_string.c		the DIF machine
 *	dif_verify.c	which programs it accepts
 *	jit.c jit_asm.c		clauses as native code
 *	self.c		the process that BEGIN and END fire in
 *	dynvar.c	associative arrays and thread-local variables
 *
 * State that firing probes change belongs to a session's CPU (dt_cpu_t), which
 * only the host thread with that machine_cpu touches while kernels run.  The
 * consumer reads it when they stand still.
 */
#ifndef STRSIM_DTRACE_IMPL_H
#define STRSIM_DTRACE_IMPL_H

#include "dtrace.h"
#include "fetch.h"

struct dt_state;
#define MAXCPU 64
#define CPU_LINES 128                                        /* what two CPUs write lies so far apart */
#define MAXTUPLE 32                                          /* values on the tuple stack */
enum { CHILL_INTERVAL = 1000000000, CHILL_MAX = 500000000 }; /* ns */

/* ---- variables ---- */

/*
 * A global or clause-local variable.  An integer is v_val; of a variable by
 * reference v_val is its address for the program: that of v_data, or 0 = NULL.
 */
typedef struct var {
	uint64_t v_val;
	char *v_data;
	uint32_t v_size;
	bool v_byref, v_string;
} var_t;

/* What is known of a variable that lives in dynamic storage. */
typedef struct dynvar_desc {
	uint32_t dv_size; /* bytes of its data */
	bool dv_byref, dv_string, dv_array;
} dynvar_desc_t;

typedef struct dyn dyn_t; /* a session's dynamic storage (dynvar.c) */

/* ---- buffers ---- */

/*
 * Records: epid (4 bytes), then the data.  Words of 0 between records are
 * padding.  b_times has the time of the record at offset o in [o / 4].
 */
typedef struct buf {
	char *b_base;
	hrtime_t *b_times;
	size_t b_size;
	size_t b_limit;   /* b_size less what END needs (fill) */
	size_t b_off;     /* where the next record goes */
	size_t b_read;    /* first record not yet consumed */
	size_t b_wrapped; /* ring: end of the data behind b_off that is older; 0 = has not wrapped */
	size_t b_maplen;
} buf_t;

typedef enum { SPEC_FREE, SPEC_ACTIVE, SPEC_COMMITTING, SPEC_DISCARDING } specstate_t;

typedef struct spec {
	specstate_t sp_state;
	uint64_t sp_writers; /* CPUs that have written to it */
	buf_t *sp_buf;       /* one a CPU */
} spec_t;

/* ---- enablings ---- */

/* A program that is a path: see dif_path.c. */
enum { PATH_LOADS = 6 };
typedef enum { PATH_ARG, PATH_LOCAL, PATH_GLOBAL, PATH_BUILTIN } pathstart_t;
typedef struct path {
	bool p_ok;
	uint8_t p_start, p_nloads;
	uint8_t p_call; /* DIF_SUBR_MSGSIZE, DIF_SUBR_MSGDSIZE, or 0 */
	bool p_store;
	uint16_t p_callpc;
	uint32_t p_what, p_storevar;
	struct {
		int32_t off;
		uint16_t pc; /* of the instruction, for faults */
		uint8_t kind;
	} p_loads[PATH_LOADS];
	uint64_t p_calloff, p_storeoff, p_end; /* added to the value before each */
} path_t;

/* An action, prepared. */
typedef struct step {
	dtrace_actkind_t s_kind;
	const dtrace_act_t *s_act;
	const dif_t *s_dif;
	path_t s_path; /* of s_dif, if it is one */
	int s_index;   /* as fault messages count actions */
	/* record: where and what; s_size 0 = nothing is stored */
	uint32_t s_offset, s_size;
	dif_kind_t s_type;
	/* aggregation */
	uint32_t s_agg, s_nkeys; /* slot of the table; its keys are the steps before it */
	bool s_key;              /* a part of a key: left to its aggregation */
	agg_part_t s_part;       /* kind and size as a key */
} step_t;

typedef struct ecb {
	dtrace_ecb_t e_pub; /* first: ecbs are linked through it */
	dtrace_state_t *e_state;
	const dif_t *e_pred;
	path_t e_predpath;
	step_t *e_steps;
	uint32_t e_nsteps;
	uint32_t e_align;
	bool e_armed;
	bool e_gaps;           /* between fields of the record: they are zeroed */
	const void *e_code;    /* of the first enabling of a probe: all of them as native code (jit.c); NULL = none */
	struct ecb *e_allnext; /* of the session, by epid */
} ecb_t;

/* ---- sessions ---- */

typedef enum {
	ACTIVITY_NONE,   /* not started */
	ACTIVITY_WARMUP, /* BEGIN fires */
	ACTIVITY_ACTIVE,
	ACTIVITY_PAUSED,   /* dtrace_pause(): only BEGIN and END may fire */
	ACTIVITY_DRAINING, /* exit() was called, or a fill buffer is full */
	ACTIVITY_COOLDOWN, /* END fires */
	ACTIVITY_STOPPED
} activity_t;

typedef struct dt_cpu {
	buf_t c_buf;
	char *c_scratch;
	size_t c_scratchlen;
	agg_t **c_aggs; /* by slot */
	uint32_t c_naggs;
	int64_t **c_pins; /* cells of constant keys, st_npins of them (jit.c) */
	var_t *c_locals;
	char *c_localdata;
	uint64_t *c_key; /* room for the longest key of any aggregation */
	char *c_tmp[3];  /* strsize + 8 each */
	uint64_t c_drops, c_aggdrops;
	/* With several CPUs tracing ends on this one only, until the consumer, when all stand still, ends it on the others:
	 * what they trace does not depend on how fast the host runs them. */
	enum { CPU_TRACED, CPU_EXITED, CPU_OFF /* the option cpu is another */ } c_exited;
	int c_exitstatus;
	/* chill(): since when it is counted, and how long it was */
	hrtime_t c_chillmark, c_chilled;
} __attribute__((aligned(CPU_LINES))) dt_cpu_t;

struct dtrace_state {
	dtrace_conf_t st_conf;
	volatile activity_t st_activity;
	int st_exitstatus;
	bool st_exited; /* exit() was called, or a fill buffer was full */
	bool st_paused; /* dtrace_pause() */
	int st_begincpu, st_endcpu;
	uint32_t st_id;
	/* variables by scope */
	var_t *st_globals;
	uint32_t st_nglobals;
	char *st_globaldata;
	size_t st_globallen;
	var_t *st_localproto; /* c_locals are made like this */
	uint32_t st_nlocals;
	size_t st_locallen;
	dynvar_desc_t *st_gdyn, *st_tdyn; /* global arrays (by global id); thread-local ones */
	uint32_t st_ntdyn;
	dyn_t *st_dyn;
	struct jit *st_jit; /* native code of its clauses, NULL = none */
	uint32_t st_npins;
	size_t st_largest; /* variable by reference */
	/* enablings */
	ecb_t *st_ecbs, **st_ecbtail;
	ecb_t **st_byepid;
	uint32_t st_necbs, st_maxecbs;
	/* aggregations: slot -> variable */
	const dtrace_aggvar_t **st_aggvars;
	agg_t **st_merged; /* for the consumer */
	uint32_t st_naggs;
	size_t st_keylen; /* words of the longest key */
	spec_t *st_specs;
	volatile int st_lock; /* of dynamic variables and speculations; taken when there are several CPUs */
	uint64_t st_dyndrops, st_specdrops, st_specbusy, st_specunavail, st_dblerrors;
	dt_cpu_t *st_cpus;
};

/* ---- a firing ---- */

/* Where a probe fired. */
typedef struct site {
	const uint64_t *si_args; /* six in registers */
	const uint64_t *si_more; /* those from the seventh on, four of them at most; NULL = none */
	uintptr_t si_pc, si_fp;
} site_t;

typedef struct mstate {
	const site_t *ms_site;
	dtrace_probe_t *ms_probe;
	const ecb_t *ms_ecb;
	dtrace_state_t *ms_state;
	dt_cpu_t *ms_cpu;
	hrtime_t ms_now;
	bool ms_havenow;
	char *ms_scratch; /* start of what is free */
	const char *ms_strtok;
	int ms_ntuple;
	struct {
		uint64_t val;
		uint32_t size; /* of bytes by reference */
		uint8_t kind;  /* TUPLE_INT ... */
	} ms_tuple[MAXTUPLE];
	/* the last fault */
	uint64_t ms_faddr;
	uint32_t ms_fpc;
} mstate_t;
enum { TUPLE_INT, TUPLE_STR, TUPLE_BYTES };

/* provider.c */
void provider_init(void);
void provider_fini(void);
/* Is the name (not "") a pattern, or to be compared exactly? */
bool provider_isglob(const char *pattern);
extern dtrace_probe_t *dtrace_probe_begin, *dtrace_probe_end, *dtrace_probe_error;

/* patch.c: replace the NOP at addr by a call of target (a trampoline), and back.  The trampoline's hook finds owner by
 * the address behind the point. */
int patch_init(void);
void patch_fini(void);
int patch_call(uintptr_t addr, const void *target, void *owner);
int patch_nop(uintptr_t addr);
extern const char __executable_start[], etext[];
extern void **patch_owners;
ALWAYS_INLINE void *patch_owner(uintptr_t behind)
{
	return patch_owners[(behind - 5 - (uintptr_t)__executable_start) / 4];
}

/* the providers */
int ksym_init(char *errbuf, size_t errlen);
void ksym_fini(void);
/* The symbols of a name, *n of them: numbers in the index's ix_syms, ascending. */
const uint32_t *ksym_named(const char *name, size_t *n);
void fbt_init(void);
void fbt_fini(void);
void sdt_init(void);
void sdt_fini(void);
/* Types of the arguments of a stable provider's probe, NULL ends; NULL = as the point says (sdt_args.c). */
enum { SDT_MAXARGS = 6 };
const char *const *sdt_args(const char *provider, const char *name);
void syscall_init(void);
void syscall_fini(void);
void syscall_fire_entry(const site_t *site);
void syscall_fire_return(const site_t *site);
/* The system call point was armed or disarmed as often as its probes need it (sdt.c). */
int sdt_syscall_arm(bool entry, bool on);
void profile_init(void);
void profile_fini(void);

/* probe.c */
/* A probe is being handled: whatever the tracer itself hits is not traced. */
extern KLOCAL bool probe_inside;
void probe_fire(dtrace_probe_t *probe, const site_t *site);
/* A probe of one session alone: BEGIN, END. */
void probe_fire_own(dtrace_state_t *st, dtrace_probe_t *probe);
/* Program counters of the site's stack, at most max, none of them 0: how many there are. */
uint32_t stack_walk(const site_t *site, uint64_t *pcs, uint32_t max);
uint32_t stack_depth(const site_t *site);
/* Exactly n words of it, unused ones 0. */
void stack_words(const site_t *site, uint64_t *pcs, uint32_t n);
/* Run a clause from its predicate (step -1) or from a step on, in the middle of a firing; true: more clauses may run. */
bool probe_resume(const ecb_t *ecb, int step, const site_t *site);
void mstate_init(mstate_t *ms, dtrace_state_t *st, dtrace_probe_t *probe, const site_t *site, const mstate_t *outer);
hrtime_t mstate_now(mstate_t *ms);

/* dif.c: 0 or a fault, for which ms_faddr and ms_fpc are set. */
int dif_exec(mstate_t *ms, const dif_t *d, uint64_t *result);
uint64_t dif_builtin(mstate_t *ms, uint32_t var);
/* A variable of the process or thread: it needs no firing. */
uint64_t dif_process_builtin(uint32_t var);
/* May a D program store n bytes at addr? */
bool dif_canstore(const mstate_t *ms, uintptr_t addr, size_t n);
/* n bytes of scratch memory, aligned to 8; NULL = none left. */
char *dif_scratch(mstate_t *ms, size_t n);
/* The typed load `kind' (the operation less DIF_LDSB). */
int dif_load(mstate_t *ms, uint32_t kind, uint64_t addr, uint64_t *val);
/* dif_path.c */
bool path_compile(const dtrace_state_t *st, const dif_t *d, path_t *p);
int path_exec(mstate_t *ms, const path_t *p, uint64_t *result);
/* dif_subr.c */
/* Bytes of a message: of all blocks, or of its data blocks. */
int dif_msgsize(mstate_t *ms, uint64_t mp, bool data_only, uint64_t *result);
int dif_subr(mstate_t *ms, uint32_t subr, uint64_t *result);
uint32_t dif_subr_nargs(uint32_t subr);
/* dif_string.c */
int dif_string(mstate_t *ms, uint32_t subr, uint64_t *result);
/* Order of two strings as D compares them, -1, 0, 1; NULL is "". */
int dif_strcmp(mstate_t *ms, uint64_t a, uint64_t b, int *result);
int dif_json(mstate_t *ms, uint64_t *result);

/* dynvar.c */
dyn_t *dyn_create(size_t size, size_t largest);
void dyn_destroy(dyn_t *dyn);
/* The data of a variable (tid 0 and the tuple for global arrays), NULL when it does not exist; with make it is made,
 * and NULL means a drop, or a fault in *fault. */
char *dyn_find(mstate_t *ms, uint32_t scope_id, const dynvar_desc_t *dv, uint64_t tid, bool array, bool make,
	       int *fault);
void dyn_delete(mstate_t *ms, uint32_t scope_id, uint64_t tid, bool array, int *fault);
bool dyn_canstore(const dyn_t *dyn, uintptr_t addr, size_t n);
#define DYN_GLOBAL(id) (id)
#define DYN_THREAD(id) ((id) | 0x80000000U)

/* buffer.c */
int buf_create(buf_t *b, size_t size);
void buf_destroy(buf_t *b);
/* Room for a record: its offset, or -1. */
ssize_t buf_reserve(dtrace_state_t *st, buf_t *b, size_t size, size_t align, bool end);
void buf_commit(buf_t *b, size_t off, size_t size, hrtime_t now);
void buf_error(dtrace_state_t *st, dt_cpu_t *c, const ecb_t *ecb, int action, int difoff, int fault, uint64_t addr,
	       hrtime_t now, bool end);
uint32_t spec_new(dtrace_state_t *st);
/* The buffer records of this CPU go to; NULL when the speculation is not active. */
buf_t *spec_write(dtrace_state_t *st, uint64_t id, int cpu);
int spec_commit(mstate_t *ms, uint64_t id, int cpu);
int spec_discard(mstate_t *ms, uint64_t id, int cpu);
void spec_clean(dtrace_state_t *st);

/* state.c: memory of the CPUs, once variables and enablings are known. */
int state_prepare(dtrace_state_t *st);

/* self.c */
struct kthread;
/* The thread of this program, as BEGIN and END see it. */
struct kthread *self_thread(void);
bool self_is(const struct kthread *t);

/* aggregate.c */
/* Slot of the aggregation in the session, made if need be; -1 = no memory. */
int aggregate_slot(dtrace_state_t *st, const dtrace_aggvar_t *av);
agg_t *aggregate_table(dtrace_state_t *st, dt_cpu_t *c, uint32_t slot);
void aggregate_fini(dtrace_state_t *st);

ALWAYS_INLINE void state_lock(dtrace_state_t *st)
{
	if (st->st_conf.c_ncpu > 1)
		while (__atomic_exchange_n(&st->st_lock, 1, __ATOMIC_ACQUIRE))
			__builtin_ia32_pause();
}

ALWAYS_INLINE void state_unlock(dtrace_state_t *st)
{
	if (st->st_conf.c_ncpu > 1)
		__atomic_store_n(&st->st_lock, 0, __ATOMIC_RELEASE);
}

/* In the map of a record that is an error: see buf_error(). */
#define EPID_ERROR 0xffffffffU

#endif
