/*
 * Clauses as native code.
 *
 * Theory.  The points of an fbt probe whose clauses all belong to one session call code made for them: it saves the
 * registers, looks whether the session is active, and goes through the clauses.  Of each clause it does what it can
 * by itself: the predicate, assignments to integer variables, and aggregations.  A key is built at its place in the
 * CPU's key buffer, words behind it are zeroed only as far as the table compares them, and a function made for the
 * aggregation (agg_recorder()) does the rest.
 *
 * Whatever is unusual is left to the interpreter, which takes the step at hand from its beginning and the clause to
 * its end (probe_resume()).  So native code needs no faults of its own: an address that cannot be read or is not
 * aligned, a division by 0, a table that does not exist yet, all go to the interpreter, which finds the same fault
 * again and reports it.  For this a step that has stored into a variable may not go there any more: such a step is
 * not compiled.  What the compiler does not know is left to the interpreter likewise, from that step on.
 *
 * Registers of DIF live in registers of the machine, those that a function may change.  While a clause runs:
 *
 *	rbx	the CPU's data (dt_cpu_t)
 *	r12	the key buffer, or behind the last part of unlike length in it
 *	r13	the value aggregated; within an expression, the argument of a call
 *	r14	the table
 *	rbp	the frame: [rbp] is the frame pointer of the function, and above it are regs[] as tramp.S has them
 *
 * A key that is the same in each firing is looked for once: the place of its cells is kept in the CPU's pins (agg_pins()).
 * If all that a probe does is to count under such keys, what its points call is a shorter way, one line of the cache
 * with one CPU, that lies with others of its kind and goes on to the code proper when anything is unusual.  It does not
 * ask whether tracing is on: where it is not, there are no pins (jit_unpin()).
 *
 * Code is written into memory within reach of this program's text, then made executable and never written again.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "probectx.h"
#include "jit.h"
#include "jit_asm.h"
#include "sys/stream.h"
#include "sys/thread.h"

/* The thread sanitizer sees only the accesses that the C compiler told it of: with it clauses are interpreted. */
#if !defined(MAP_32BIT) || defined(__SANITIZE_THREAD__)
enum { AVAILABLE = false };
#else
enum { AVAILABLE = true };
#endif
/* Functions that sanitizers have changed use vector registers and want the stack aligned. */
#if defined(__SANITIZE_ADDRESS__)
enum { SANITIZED = true };
#else
enum { SANITIZED = false };
#endif

enum {
	SPACE = 64 << 20,
	SHORT_SPACE = 8 << 20,
	MAXJUMPS = 256,
	MAXCOLD = 64,
	MAXFRAMES = 16,
	NATIVE_BLOCKS = 4, /* of a message */
	MAXWORDS = 32,
	DIFREGS = 7
};

typedef struct load {
	uint32_t l_pc, l_fixup; /* from the start of the code */
} load_t;

typedef struct jit {
	struct jit *j_next;
	uint8_t *j_base;
	size_t j_len;
	load_t *j_loads; /* by l_pc */
	size_t j_nloads, j_maxloads;
} jit_t;

/* All sessions'; changed only while no kernel runs. */
static jit_t *jits;

extern const char dtrace_tramp_entry[], dtrace_tramp_return[];

/* A step that the interpreter takes when something is unusual: the jumps and loads that lead there. */
typedef struct cold {
	const ecb_t *c_ecb;
	int c_step;
	const uint8_t *c_back; /* where the next clause starts */
	uint32_t c_jump, c_njumps;
	size_t c_load, c_nloads;
} cold_t;

/* A constant key, and where its cells are to be had; it lies with the code. */
typedef struct pinned {
	dtrace_state_t *p_st;
	uint32_t p_agg, p_pin;
	size_t p_len;
	uint64_t p_key[];
} pinned_t;

/* The cells of a constant key are not known: they are asked for behind the clauses. */
typedef struct unpinned {
	const pinned_t *u_pinned;
	uint8_t *u_jump;
	const uint8_t *u_back; /* with the cells */
	uint8_t *u_none;
} unpinned_t;

typedef struct gen {
	as_t as, shorter;       /* code proper; short ways */
	const uint8_t *nothing; /* what probes call that do nothing */
	jit_t *jit;
	dtrace_state_t *st;
	const dtrace_probe_t *probe;
	bool isreturn;
	uintptr_t start; /* of the function */
	uint8_t *jumps[MAXJUMPS];
	uint32_t njumps;
	cold_t cold[MAXCOLD];
	uint32_t ncold, nresumed;
	unpinned_t unpinned[MAXCOLD];
	uint32_t nunpinned, npins;
	bool stored; /* the step at hand has changed a variable */
	/* registers of the expression at hand: which are in the machine's, which are known */
	uint32_t set, known;
	uint64_t value[DIFREGS];
	bool branches;
} gen_t;

static const int machine_reg[DIFREGS] = {RAX, RDI, RSI, R8, R9, R10, R11};

#define REG(i) (8 + 8 * (i)) /* regs[i] of tramp.S, from rbp */
enum { BEHIND = 9, RETURN = 10 };
/* The address of a function, for as_call(). */
#define CODE(f) ((const void *)(uintptr_t)(f))
#define TLS(var) tls_offset((uintptr_t) & (var))

/* Of a thread-local variable from the thread pointer, the same in each thread. */
static __attribute__((noinline)) int32_t tls_offset(uintptr_t addr)
{
	return (int32_t)(addr - (uintptr_t)__builtin_thread_pointer());
}

/* ---- what native code calls ---- */

static void site_of(const dtrace_probe_t *p, const uint64_t *regs, uintptr_t fp, site_t *site, uint64_t args[6])
{
	uintptr_t start;

	*site = (site_t){regs, regs + 11, regs[RETURN], fp};
	if (!fbt_isreturn(p, &start))
		return;
	args[0] = regs[BEHIND] - start;
	args[1] = regs[6];
	args[2] = args[3] = args[4] = args[5] = 0;
	site->si_args = args;
	site->si_more = NULL;
}

static bool resume(const ecb_t *ecb, int step, const uint64_t *regs, uintptr_t fp)
{
	uint64_t args[6];
	site_t site;

	site_of(ecb->e_pub.dte_probe, regs, fp, &site, args);
	return probe_resume(ecb, step, &site);
}

/* A text as a part of a key: where the next one goes, NULL = it cannot be read. */
static uint64_t *key_text(uint64_t *key, uintptr_t addr, size_t size)
{
	uint64_t w, zero, *to = key;
	size_t n;
	ssize_t len;

	if (size >= 80 && (len = dtrace_copytext(key, (const void *)addr)) >= 0)
		return key + len / 8 + 1;
	for (n = 0; n + 8 < size && (addr + n) % 4096 <= 4088; n += 8) {
		if (UNLIKELY(!fetch_u64(&w, addr + n)))
			return NULL;
		zero = (w - 0x0101010101010101) & ~w & 0x8080808080808080;
		if (zero != 0) {
			*to = w & (((zero & -zero) >> 7) - 1);
			return to + 1;
		}
		*to++ = w;
	}
	len = dtrace_copystr((char *)key, (const char *)addr, size);
	if (len < 0)
		return NULL;
	to = key + len / 8;
	*to &= ((uint64_t)1 << (len % 8) * 8) - 1;
	to[1] = 0;
	return to + 1;
}

static void key_stack(uint64_t *key, uint32_t n, uintptr_t pc, uintptr_t fp)
{
	site_t site = {NULL, NULL, pc, fp};

	stack_words(&site, key, n);
}

static uint64_t depth(uintptr_t pc, uintptr_t fp)
{
	site_t site = {NULL, NULL, pc, fp};

	return stack_depth(&site);
}

static uint64_t caller(uintptr_t pc, uintptr_t fp)
{
	site_t site = {NULL, NULL, pc, fp};
	uint64_t first;

	return stack_walk(&site, &first, 1) == 1 ? first : 0;
}

static int64_t *pin(dt_cpu_t *c, const pinned_t *p)
{
	agg_t *agg = c->c_aggs[p->p_agg];
	int64_t *cells = NULL;

	if (UNLIKELY(agg == NULL))
		agg = aggregate_table(p->p_st, c, p->p_agg);
	if (agg != NULL)
		cells = agg_cells(agg, p->p_key, p->p_len);
	if (UNLIKELY(cells == NULL))
		c->c_aggdrops++;
	else
		c->c_pins[p->p_pin] = cells;
	return cells;
}

/* Order of two strings, 0 1 2, or 3 = one cannot be read. */
static uint64_t text_order(uint64_t a, uint64_t b, dtrace_state_t *st)
{
	mstate_t ms;
	int order;

	ms.ms_state = st;
	return dif_strcmp(&ms, a, b, &order) == 0 ? (uint64_t)(order + 1) : 3;
}

/* ---- leaving native code ---- */

static bool add_jump(gen_t *g, int cc)
{
	if (g->stored || g->njumps == MAXJUMPS)
		return false;
	g->jumps[g->njumps++] = as_jump(&g->as, cc);
	return true;
}

/* The next instruction is a load that may fault. */
static bool add_load(gen_t *g)
{
	jit_t *j = g->jit;

	if (g->stored)
		return false;
	if (j->j_nloads == j->j_maxloads) {
		size_t max = j->j_maxloads == 0 ? 256 : j->j_maxloads * 2;
		load_t *more = realloc(j->j_loads, max * sizeof(*more));

		if (more == NULL)
			return false;
		j->j_loads = more;
		j->j_maxloads = max;
	}
	j->j_loads[j->j_nloads++] = (load_t){(uint32_t)(g->as.as_p - j->j_base), 0};
	return true;
}

/* ---- expressions ---- */

static int source(gen_t *g, uint32_t n, int scratch)
{
	if (n == 0 || (n < DIFREGS && !(g->set & 1U << n) && (g->known & 1U << n))) {
		as_const(&g->as, scratch, n == 0 ? 0 : g->value[n]);
		return scratch;
	}
	return n < DIFREGS && (g->set & 1U << n) ? machine_reg[n] : -1;
}

static int target(gen_t *g, uint32_t n)
{
	if (n == 0 || n >= DIFREGS)
		return -1;
	g->set |= 1U << n;
	g->known &= ~(1U << n);
	return machine_reg[n];
}

static bool into(gen_t *g, uint32_t rd, int from)
{
	int to = target(g, rd);

	if (to < 0)
		return false;
	as_mov(&g->as, to, from);
	return true;
}

static bool constant(gen_t *g, uint32_t rd, uint64_t v)
{
	int to = target(g, rd);

	if (to < 0)
		return false;
	if (g->branches) {
		as_const(&g->as, to, v);
		return true;
	}
	g->set &= ~(1U << rd);
	g->known |= 1U << rd;
	g->value[rd] = v;
	return true;
}

static bool odd_set(const gen_t *g)
{
	return __builtin_popcount(g->set) % 2 != 0;
}

static void save(gen_t *g)
{
	uint32_t i;

	for (i = 1; i < DIFREGS; i++)
		if (g->set & 1U << i)
			as_push(&g->as, machine_reg[i]);
	if (SANITIZED && odd_set(g))
		as_push(&g->as, RCX);
}

static void restore(gen_t *g)
{
	uint32_t i;

	if (SANITIZED && odd_set(g))
		as_pop(&g->as, RCX);
	for (i = DIFREGS - 1; i > 0; i--)
		if (g->set & 1U << i)
			as_pop(&g->as, machine_reg[i]);
}

/* rd = f(pc, fp) of the site, or f(var) */
static bool call_builtin(gen_t *g, const void *f, uint32_t var, uint32_t rd)
{
	save(g);
	if (var == DIF_VAR_STACKDEPTH || var == DIF_VAR_CALLER) {
		as_load(&g->as, RDI, RBP, REG(RETURN));
		as_load(&g->as, RSI, RBP, 0);
	} else {
		as_const(&g->as, RDI, var);
	}
	as_call(&g->as, f);
	restore(g);
	return into(g, rd, RAX);
}

static bool argument(gen_t *g, uint32_t n, uint32_t rd)
{
	int to;

	if (g->isreturn && n != 0 && n != 1)
		return constant(g, rd, 0);
	to = target(g, rd);
	if (to < 0)
		return false;
	if (g->isreturn && n == 0) {
		as_load(&g->as, to, RBP, REG(BEHIND));
		as_lea(&g->as, to, to, -(int32_t)g->start);
	} else if (g->isreturn) {
		as_load(&g->as, to, RBP, REG(6));
	} else if (n < 6) {
		as_load(&g->as, to, RBP, REG(n));
	} else {
		if (!add_load(g))
			return false;
		as_load(&g->as, to, RBP, REG(11 + n - 6));
	}
	return true;
}

/* rax = the process: that of the thread, or process 0. */
static bool process(gen_t *g)
{
	uint8_t *none, *some;

	as_load_tls(&g->as, RAX, TLS(curthread));
	as_alu(&g->as, ALU_TEST, RAX, RAX);
	none = as_jump(&g->as, CC_E);
	as_load(&g->as, RAX, RAX, offsetof(kthread_t, t_procp));
	some = as_jump(&g->as, CC_ALWAYS);
	as_here(&g->as, none);
	as_load_tls(&g->as, RAX, TLS(p0));
	as_here(&g->as, some);
	as_alu(&g->as, ALU_TEST, RAX, RAX);
	return add_jump(g, CC_E);
}

static bool builtin(gen_t *g, const ecb_t *ecb, uint32_t var, uint32_t rd)
{
	const dtrace_probe_t *p = g->probe;
	int to;

	if (var <= DIF_VAR_ARG9)
		return argument(g, var - DIF_VAR_ARG0, rd);
	switch (var) {
	case DIF_VAR_CURTHREAD:
		to = target(g, rd);
		if (to >= 0)
			as_load_tls(&g->as, to, TLS(curthread));
		return to >= 0;
	case DIF_VAR_EPID:
		return constant(g, rd, ecb->e_pub.dte_epid);
	case DIF_VAR_ID:
		return constant(g, rd, p->dtpr_id);
	case DIF_VAR_PROBEPROV:
		return constant(g, rd, (uintptr_t)p->dtpr_provider);
	case DIF_VAR_PROBEMOD:
		return constant(g, rd, (uintptr_t)p->dtpr_mod);
	case DIF_VAR_PROBEFUNC:
		return constant(g, rd, (uintptr_t)p->dtpr_func);
	case DIF_VAR_PROBENAME:
		return constant(g, rd, (uintptr_t)p->dtpr_name);
	case DIF_VAR_PID:
		to = target(g, rd);
		if (to < 0 || !process(g))
			return false;
		as_lea(&g->as, RAX, RAX, offsetof(proc_t, p_pid));
		as_load_kind(&g->as, DIF_LDSW - DIF_LDSB, to, RAX);
		return true;
	case DIF_VAR_EXECNAME:
		to = target(g, rd);
		if (to < 0 || !process(g))
			return false;
		as_lea(&g->as, to, RAX, offsetof(proc_t, p_user.u_comm));
		return true;
	case DIF_VAR_STACKDEPTH:
		return call_builtin(g, CODE(depth), var, rd);
	case DIF_VAR_CALLER:
		return call_builtin(g, CODE(caller), var, rd);
	case DIF_VAR_PPID:
	case DIF_VAR_TID:
	case DIF_VAR_UID:
	case DIF_VAR_GID:
	case DIF_VAR_ERRNO:
	case DIF_VAR_IPL:
		return call_builtin(g, CODE(dif_process_builtin), var, rd);
	case DIF_VAR_TIMESTAMP:
		return !g->st->st_conf.c_hostclock && call_builtin(g, CODE(machine_uptime), var, rd);
	default:
		return false;
	}
}

static bool load(gen_t *g, uint32_t kind, uint32_t r1, uint32_t rd)
{
	static const uint8_t align[] = {0, 1, 3, 0, 1, 3, 7};
	int from = source(g, r1, RCX), to;

	if (from < 0)
		return false;
	if (align[kind] != 0) {
		as_test_mask(&g->as, from, align[kind]);
		if (!add_jump(g, CC_NE))
			return false;
	}
	to = target(g, rd);
	if (to < 0 || !add_load(g))
		return false;
	as_load_kind(&g->as, kind, to, from);
	return true;
}

static bool arithmetic(gen_t *g, uint32_t op, uint32_t r1, uint32_t r2, uint32_t rd)
{
	static const uint8_t alu[] = {
	    [DIF_OR] = ALU_OR, [DIF_XOR] = ALU_XOR, [DIF_AND] = ALU_AND, [DIF_SUB] = ALU_SUB, [DIF_ADD] = ALU_ADD};
	static const uint8_t shift[] = {[DIF_SLL] = 0xe0, [DIF_SRL] = 0xe8, [DIF_SRA] = 0xf8};
	int a = source(g, r1, RAX), b, to;

	if (a >= 0 && op == DIF_ADD && r2 < DIFREGS && (g->known & 1U << r2) &&
	    (int32_t)g->value[r2] == (int64_t)g->value[r2]) {
		int32_t disp = (int32_t)g->value[r2];

		to = target(g, rd);
		if (to >= 0)
			as_lea(&g->as, to, a, disp);
		return to >= 0;
	}
	b = source(g, r2, RCX);
	if (a < 0 || b < 0)
		return false;
	as_mov(&g->as, RAX, a);
	switch (op) {
	case DIF_OR:
	case DIF_XOR:
	case DIF_AND:
	case DIF_SUB:
	case DIF_ADD:
		as_alu(&g->as, alu[op], RAX, b);
		break;
	case DIF_SLL:
	case DIF_SRL:
	case DIF_SRA:
		as_mov(&g->as, RCX, b);
		AS(&g->as, 0x48, 0xd3, shift[op]);
		break;
	default: /* multiplication */
		as_mov(&g->as, RCX, b);
		AS(&g->as, 0x48, 0x0f, 0xaf, 0xc1);
		break;
	}
	return into(g, rd, RAX);
}

/* By 0 is a fault, and by -1 may be more than the machine's division can do. */
static bool division(gen_t *g, uint32_t op, uint32_t r1, uint32_t r2, uint32_t rd)
{
	bool is_signed = op == DIF_SDIV || op == DIF_SREM;
	int a = source(g, r1, RAX), b = source(g, r2, RCX);

	if (a < 0 || b < 0)
		return false;
	as_mov(&g->as, RAX, a);
	as_mov(&g->as, RCX, b);
	as_alu(&g->as, ALU_TEST, RCX, RCX);
	if (!add_jump(g, CC_E))
		return false;
	if (is_signed) {
		as_cmp_const(&g->as, RCX, -1);
		if (!add_jump(g, CC_E))
			return false;
		AS(&g->as, 0x48, 0x99, 0x48, 0xf7, 0xf9); /* cqo; idiv rcx */
	} else {
		AS(&g->as, 0x31, 0xd2, 0x48, 0xf7, 0xf1); /* xor edx, edx; div rcx */
	}
	return into(g, rd, op == DIF_SDIV || op == DIF_UDIV ? RAX : RDX);
}

static bool compare(gen_t *g, uint32_t op, uint32_t r1, uint32_t r2)
{
	int a = source(g, r1, RAX), b = source(g, op == DIF_TST ? 0 : r2, RCX);

	if (a < 0 || b < 0)
		return false;
	if (op != DIF_SCMP) {
		as_alu(&g->as, ALU_CMP, a, b);
		return true;
	}
	save(g);
	as_push(&g->as, a);
	as_push(&g->as, b);
	as_pop(&g->as, RSI);
	as_pop(&g->as, RDI);
	as_const(&g->as, RDX, (uintptr_t)g->st);
	as_call(&g->as, CODE(text_order));
	restore(g);
	as_cmp_const(&g->as, RAX, 3);
	if (!add_jump(g, CC_E))
		return false;
	as_cmp_const(&g->as, RAX, 1);
	return true;
}

/* op r64, [rcx + disp], which may fault */
static bool block_field(gen_t *g, uint8_t op_code, int r, uint32_t disp)
{
	if (!add_load(g))
		return false;
	AS(&g->as, 0x48, op_code, (uint8_t)(0x81 | r << 3));
	as_u32(&g->as, disp);
	return true;
}

/* The block at rcx: its bytes are added to rax, if they are data or all count; rcx is the next one. */
static bool block_size(gen_t *g, bool data_only)
{
	enum { MOV = 0x8b, ADD = 0x03, SUB = 0x2b };
	const uint32_t rptr = offsetof(mblk_t, b_rptr), wptr = offsetof(mblk_t, b_wptr);
	uint8_t *data;

	if (!block_field(g, MOV, RDX, wptr) || !block_field(g, SUB, RDX, rptr) || !add_jump(g, CC_B))
		return false;
	as_alu(&g->as, ALU_ADD, RAX, RDX);
	if (data_only) {
		if (!block_field(g, MOV, RDX, offsetof(mblk_t, b_datap)) || !add_load(g))
			return false;
		AS(&g->as, 0x80, 0xba); /* cmp byte [rdx + type], M_DATA */
		as_u32(&g->as, offsetof(dblk_t, db_type));
		AS(&g->as, M_DATA);
		data = as_jump(&g->as, CC_E);
		if (!block_field(g, SUB, RAX, wptr) || !block_field(g, ADD, RAX, rptr))
			return false;
		as_here(&g->as, data);
	}
	return block_field(g, MOV, RCX, offsetof(mblk_t, b_cont));
}

/* msgsize() or msgdsize() of r13; messages of many blocks are left to the interpreter. */
static bool call(gen_t *g, uint32_t subr, uint32_t rd)
{
	uint8_t *done[NATIVE_BLOCKS];
	int i;

	if (subr != DIF_SUBR_MSGSIZE && subr != DIF_SUBR_MSGDSIZE)
		return false;
	as_mov(&g->as, RCX, R13);
	as_const(&g->as, RAX, 0);
	for (i = 0; i < NATIVE_BLOCKS; i++) {
		as_alu(&g->as, ALU_TEST, RCX, RCX);
		done[i] = as_jump(&g->as, CC_E);
		if (!block_size(g, subr == DIF_SUBR_MSGDSIZE))
			return false;
	}
	as_alu(&g->as, ALU_TEST, RCX, RCX);
	if (!add_jump(g, CC_NE))
		return false;
	for (i = 0; i < NATIVE_BLOCKS; i++)
		as_here(&g->as, done[i]);
	return into(g, rd, RAX);
}

static bool variable(gen_t *g, uint32_t op, uint32_t id, uint32_t rd)
{
	bool local = op == DIF_LDLS || op == DIF_STLS, store = op == DIF_STLS || op == DIF_STGS;
	const var_t *v = local ? &g->st->st_localproto[id] : &g->st->st_globals[id];
	int r = store ? source(g, rd, RAX) : target(g, rd);
	int32_t off = 0;

	if (r < 0 || (store && v->v_byref))
		return false;
	if (local) {
		as_load(&g->as, RCX, RBX, offsetof(dt_cpu_t, c_locals));
		off = (int32_t)(id * sizeof(var_t));
	} else {
		as_const(&g->as, RCX, (uintptr_t)v);
	}
	off += (int32_t)offsetof(var_t, v_val);
	if (store)
		as_store(&g->as, RCX, off, r);
	else
		as_load(&g->as, r, RCX, off);
	g->stored |= store;
	return true;
}

static bool move(gen_t *g, uint32_t op, uint32_t r1, uint32_t rd)
{
	int a = source(g, r1, RAX);

	if (a < 0)
		return false;
	if (op == DIF_MOV)
		return into(g, rd, a);
	as_mov(&g->as, RAX, a);
	AS(&g->as, 0x48, 0xf7, 0xd0);
	return into(g, rd, RAX);
}

static bool instruction(gen_t *g, const ecb_t *ecb, const dif_t *d, uint32_t in)
{
	uint32_t op = DIF_OP(in), r1 = DIF_R1(in), r2 = DIF_R2(in), rd = DIF_RD(in);

	if (op <= DIF_MUL)
		return arithmetic(g, op, r1, r2, rd);
	if (op >= DIF_LDSB && op <= DIF_LDX)
		return load(g, op - DIF_LDSB, r1, rd);
	if (op >= DIF_ULDSB && op <= DIF_ULDX)
		return load(g, op - DIF_ULDSB, r1, rd);
	switch (op) {
	case DIF_SDIV:
	case DIF_UDIV:
	case DIF_SREM:
	case DIF_UREM:
		return division(g, op, r1, r2, rd);
	case DIF_NOT:
	case DIF_MOV:
		return move(g, op, r1, rd);
	case DIF_CMP:
	case DIF_TST:
	case DIF_SCMP:
		return compare(g, op, r1, r2);
	case DIF_SETX:
		return constant(g, rd, d->d_ints[DIF_IDX(in)]);
	case DIF_SETS:
		return constant(g, rd, (uintptr_t)(d->d_strs + DIF_IDX(in)));
	case DIF_LDV:
		return builtin(g, ecb, DIF_IDX(in), rd);
	case DIF_LDGS:
	case DIF_STGS:
	case DIF_LDLS:
	case DIF_STLS:
		return variable(g, op, DIF_IDX(in), rd);
	case DIF_CALL:
		return call(g, DIF_IDX(in), rd);
	case DIF_FLUSHTS:
	case DIF_NOP:
		return true;
	default:
		return false;
	}
}

/* Branches look at the flags of the comparison right before them. */
static int condition(uint32_t op)
{
	static const int8_t cc[] = {CC_ALWAYS, CC_E, CC_NE, CC_G, CC_A, CC_GE, CC_AE, CC_L, CC_B, CC_LE, CC_BE};

	return cc[op - DIF_BA];
}

static bool isbranch(uint32_t op)
{
	return op >= DIF_BA && op <= DIF_BLEU;
}

static bool has_branches(const dif_t *d)
{
	uint32_t pc;

	for (pc = 0; pc < d->d_len; pc++)
		if (isbranch(DIF_OP(d->d_text[pc])))
			return true;
	return false;
}

/* A jump to an instruction ahead; label d_len is the end. */
typedef struct ahead {
	uint8_t *jump;
	uint32_t label;
} ahead_t;

static bool arrive(gen_t *g, const ahead_t *ahead, uint32_t n, uint32_t pc)
{
	bool any = false;
	uint32_t i;

	for (i = 0; i < n; i++) {
		if (ahead[i].label == pc) {
			as_here(&g->as, ahead[i].jump);
			any = true;
		}
	}
	return any;
}

/* rax = the value of d.  false: it is not to be had. */
static bool expression(gen_t *g, const ecb_t *ecb, const dif_t *d)
{
	ahead_t ahead[32];
	uint32_t pc, n = 0, i;
	bool flags = false; /* are those of a comparison */
	bool pushed = false;

	g->set = g->known = 0;
	g->branches = has_branches(d);
	for (i = 1; g->branches && i < DIFREGS; i++)
		as_const(&g->as, target(g, i), 0);
	for (pc = 0; pc < d->d_len; pc++) {
		uint32_t in = d->d_text[pc], op = DIF_OP(in);

		if (arrive(g, ahead, n, pc))
			flags = false;
		if (isbranch(op) || op == DIF_RET) {
			int cc = op == DIF_RET ? CC_ALWAYS : condition(op), r;

			if (n == 32 || (cc != CC_ALWAYS && !flags))
				return false;
			if (op == DIF_RET) {
				r = source(g, DIF_RD(in), RAX);
				if (r < 0)
					return false;
				as_mov(&g->as, RAX, r);
				if (pc + 1 == d->d_len)
					break;
			}
			ahead[n].jump = as_jump(&g->as, cc);
			ahead[n++].label = op == DIF_RET ? d->d_len : DIF_LABEL(in);
			continue;
		}
		if (op == DIF_PUSHTV) {
			int r = source(g, DIF_R1(in), RAX);

			if (r < 0 || pushed)
				return false;
			as_mov(&g->as, R13, r);
			pushed = true;
		} else if (!instruction(g, ecb, d, in)) {
			return false;
		}
		if (op == DIF_CALL || op == DIF_FLUSHTS)
			pushed = false;
		flags = op == DIF_CMP || op == DIF_TST || op == DIF_SCMP;
	}
	(void)arrive(g, ahead, n, d->d_len);
	return true;
}

/* ---- keys ---- */

/* The key being built: bytes of it behind r12; parts of unlike length so far? */
typedef struct key {
	int32_t k_off;
	bool k_moved;
} gkey_t;

/* The text that d always is; NULL = it depends. */
static const char *constant_text(const gen_t *g, const dif_t *d)
{
	uint32_t in = d->d_text[0];

	if (d->d_len != 2 || DIF_OP(d->d_text[1]) != DIF_RET || DIF_RD(d->d_text[1]) != DIF_RD(in))
		return NULL;
	if (DIF_OP(in) == DIF_SETS)
		return d->d_strs + DIF_IDX(in);
	if (DIF_OP(in) != DIF_LDV)
		return NULL;
	switch (DIF_IDX(in)) {
	case DIF_VAR_PROBEPROV:
		return g->probe->dtpr_provider;
	case DIF_VAR_PROBEMOD:
		return g->probe->dtpr_mod;
	case DIF_VAR_PROBEFUNC:
		return g->probe->dtpr_func;
	case DIF_VAR_PROBENAME:
		return g->probe->dtpr_name;
	default:
		return NULL;
	}
}

static void fixed_text(gen_t *g, gkey_t *k, const char *text)
{
	size_t left = strlen(text) + 1, n;
	uint64_t w;

	for (; left > 0; left -= n, text += n) {
		n = MIN(left, 8);
		w = 0;
		memcpy(&w, text, n);
		as_const(&g->as, RAX, w);
		as_store(&g->as, R12, k->k_off, RAX);
		k->k_off += 8;
	}
}

static bool text_part(gen_t *g, gkey_t *k, const ecb_t *ecb, const step_t *s)
{
	const char *text = constant_text(g, s->s_dif);

	if (text != NULL && strlen(text) < s->s_part.ap_size) {
		fixed_text(g, k, text);
		return true;
	}
	if (!expression(g, ecb, s->s_dif))
		return false;
	as_lea(&g->as, RDI, R12, k->k_off);
	as_mov(&g->as, RSI, RAX);
	as_const(&g->as, RDX, s->s_part.ap_size);
	as_call(&g->as, CODE(key_text));
	as_alu(&g->as, ALU_TEST, RAX, RAX);
	if (!add_jump(g, CC_E))
		return false;
	as_mov(&g->as, R12, RAX);
	k->k_off = 0;
	k->k_moved = true;
	return true;
}

/* Bytes by reference: whole words up to a size one by one, others by a call. */
static bool bytes_part(gen_t *g, gkey_t *k, const ecb_t *ecb, const step_t *s)
{
	uint32_t size = s->s_part.ap_size, words = (size + 7) / 8, i;

	if (!expression(g, ecb, s->s_dif))
		return false;
	if (size % 8 == 0 && words <= MAXWORDS) {
		for (i = 0; i < words; i++) {
			if (!add_load(g))
				return false;
			as_load(&g->as, RCX, RAX, 8 * (int32_t)i);
			as_store(&g->as, R12, k->k_off + 8 * (int32_t)i, RCX);
		}
	} else {
		as_store_const(&g->as, R12, k->k_off + 8 * (int32_t)(words - 1), 0);
		as_lea(&g->as, RDI, R12, k->k_off);
		as_mov(&g->as, RSI, RAX);
		as_const(&g->as, RDX, size);
		as_call(&g->as, CODE(dtrace_copyfrom));
		AS(&g->as, 0x85, 0xc0); /* test eax, eax */
		if (!add_jump(g, CC_NE))
			return false;
	}
	k->k_off += 8 * (int32_t)words;
	return true;
}

static bool number_part(gen_t *g, gkey_t *k, const ecb_t *ecb, const step_t *s)
{
	if (!expression(g, ecb, s->s_dif))
		return false;
	switch (s->s_part.ap_size) {
	case 1:
		AS(&g->as, 0x0f, 0xb6, 0xc0); /* movzx eax, al */
		break;
	case 2:
		AS(&g->as, 0x0f, 0xb7, 0xc0);
		break;
	case 4:
		AS(&g->as, 0x89, 0xc0); /* mov eax, eax */
		break;
	default:
		break;
	}
	as_store(&g->as, R12, k->k_off, RAX);
	k->k_off += 8;
	return true;
}

/*
 * The walk of probe.c, unrolled: rsi the frame, rdx the program counter in it, rcx the least address a frame may have,
 * r8 the greatest.
 */
static void short_stack(gen_t *g, const gkey_t *k, uint32_t n)
{
	uint8_t *end[MAXFRAMES][4], *none, *done;
	uint32_t i, j;

	as_load(&g->as, RSI, RBP, 0);
	as_load(&g->as, RDX, RBP, REG(RETURN));
	as_load_tls(&g->as, RCX, TLS(machine_stklo));
	as_load_tls(&g->as, R8, TLS(machine_stkhi));
	as_const(&g->as, RAX, 16);
	as_alu(&g->as, ALU_SUB, R8, RAX);
	none = as_jump(&g->as, CC_B);
	for (i = 0; i < n; i++) {
		as_alu(&g->as, ALU_TEST, RDX, RDX);
		end[i][0] = as_jump(&g->as, CC_E);
		as_alu(&g->as, ALU_CMP, RSI, RCX);
		end[i][1] = as_jump(&g->as, CC_B);
		as_alu(&g->as, ALU_CMP, RSI, R8);
		end[i][2] = as_jump(&g->as, CC_A);
		as_test_mask(&g->as, RSI, 7);
		end[i][3] = as_jump(&g->as, CC_NE);
		as_store(&g->as, R12, k->k_off + 8 * (int32_t)i, RDX);
		if (i + 1 == n)
			break;
		as_lea(&g->as, RCX, RSI, 16);
		as_load(&g->as, RDX, RSI, 8);
		as_load(&g->as, RSI, RSI, 0);
	}
	done = as_jump(&g->as, CC_ALWAYS);
	as_here(&g->as, none);
	for (i = 0; i < n; i++) {
		for (j = 0; j < 4; j++)
			as_here(&g->as, end[i][j]);
		as_store_const(&g->as, R12, k->k_off + 8 * (int32_t)i, 0);
	}
	as_here(&g->as, done);
}

static bool stack_part(gen_t *g, gkey_t *k, const step_t *s)
{
	uint32_t n = s->s_part.ap_size / 8;

	if (n <= MAXFRAMES) {
		short_stack(g, k, n);
	} else {
		as_lea(&g->as, RDI, R12, k->k_off);
		as_const(&g->as, RSI, n);
		as_load(&g->as, RDX, RBP, REG(RETURN));
		as_load(&g->as, RCX, RBP, 0);
		as_call(&g->as, CODE(key_stack));
	}
	k->k_off += 8 * (int32_t)n;
	return true;
}

static bool part(gen_t *g, gkey_t *k, const ecb_t *ecb, const step_t *s)
{
	if (s->s_kind == ACT_STACK)
		return stack_part(g, k, s);
	if (s->s_kind != ACT_DIFEXPR || s->s_dif == NULL)
		return false;
	if (s->s_part.ap_kind == AGG_INT)
		return number_part(g, k, ecb, s);
	if (s->s_part.ap_kind == AGG_BYTES)
		return bytes_part(g, k, ecb, s);
	return s->s_part.ap_kind == AGG_STR && text_part(g, k, ecb, s);
}

/* Words of a key that are always there, as far as that is known before it is built. */
static uint32_t least_words(const gen_t *g, const step_t *s)
{
	const step_t *p;
	uint32_t n = 0;

	for (p = s - s->s_nkeys; p < s; p++) {
		const char *text = p->s_dif != NULL && p->s_part.ap_kind == AGG_STR ? constant_text(g, p->s_dif) : NULL;

		if (p->s_part.ap_kind != AGG_STR)
			n += (p->s_part.ap_size + 7) / 8;
		else
			n += text != NULL && strlen(text) < p->s_part.ap_size ? (uint32_t)strlen(text) / 8 + 1 : 1;
	}
	return n;
}

static bool built_aggregation(gen_t *g, const ecb_t *ecb, const step_t *s)
{
	const agg_desc_t *desc = &s->s_act->a_agg->av_desc;
	gkey_t k = {0, false};
	const step_t *p;
	agg_recorder_t *record;
	uint32_t padded, i;

	record = agg_recorder(desc, &padded);
	as_load(&g->as, RAX, RBX, offsetof(dt_cpu_t, c_aggs));
	as_load(&g->as, R14, RAX, (int32_t)(8 * s->s_agg));
	as_alu(&g->as, ALU_TEST, R14, R14);
	if (!add_jump(g, CC_E))
		return false;
	as_load(&g->as, R12, RBX, offsetof(dt_cpu_t, c_key));
	for (i = least_words(g, s); i < padded; i++)
		as_store_const(&g->as, R12, 8 * (int32_t)i, 0);
	for (p = s - s->s_nkeys; p < s; p++)
		if (!part(g, &k, ecb, p))
			return false;
	if (s->s_dif != NULL) {
		if (!expression(g, ecb, s->s_dif))
			return false;
		as_mov(&g->as, RCX, RAX);
	} else {
		as_const(&g->as, RCX, 0);
	}
	as_load(&g->as, RSI, RBX, offsetof(dt_cpu_t, c_key));
	if (k.k_moved) {
		as_lea(&g->as, RDX, R12, k.k_off);
		as_alu(&g->as, ALU_SUB, RDX, RSI);
		AS(&g->as, 0x48, 0xc1, 0xea, 0x03); /* shr rdx, 3 */
	} else {
		as_const(&g->as, RDX, (uint32_t)k.k_off / 8);
	}
	as_mov(&g->as, RDI, R14);
	as_call(&g->as, CODE(record));
	/* test eax, eax; je over it; inc qword [rbx + drops] */
	AS(&g->as, 0x85, 0xc0, 0x74, 0x07, 0x48, 0xff, 0x83);
	as_u32(&g->as, offsetof(dt_cpu_t, c_aggdrops));
	return true;
}

/* ---- constant keys ---- */

/* The number that d always is. */
static bool constant_number(const gen_t *g, const ecb_t *ecb, const dif_t *d, uint64_t *v)
{
	uint32_t in = d->d_text[0];

	if (d->d_len != 2 || DIF_OP(d->d_text[1]) != DIF_RET || DIF_RD(d->d_text[1]) != DIF_RD(in))
		return false;
	if (DIF_OP(in) == DIF_SETX)
		*v = d->d_ints[DIF_IDX(in)];
	else if (DIF_OP(in) == DIF_LDV && DIF_IDX(in) == DIF_VAR_ID)
		*v = g->probe->dtpr_id;
	else if (DIF_OP(in) == DIF_LDV && DIF_IDX(in) == DIF_VAR_EPID)
		*v = ecb->e_pub.dte_epid;
	else
		return false;
	return true;
}

/* Words of a part that never changes, -1 = it does. */
static int constant_part(const gen_t *g, const ecb_t *ecb, const step_t *s, uint64_t *key)
{
	const char *text;
	size_t len;

	if (s->s_kind != ACT_DIFEXPR || s->s_dif == NULL)
		return -1;
	if (s->s_part.ap_kind == AGG_INT) {
		if (!constant_number(g, ecb, s->s_dif, key))
			return -1;
		if (s->s_part.ap_size < 8)
			*key &= ((uint64_t)1 << s->s_part.ap_size * 8) - 1;
		return 1;
	}
	text = s->s_part.ap_kind == AGG_STR ? constant_text(g, s->s_dif) : NULL;
	if (text == NULL || (len = strlen(text)) >= s->s_part.ap_size || len / 8 >= MAXWORDS)
		return -1;
	key[len / 8] = 0;
	memcpy(key, text, len);
	return (int)(len / 8) + 1;
}

/* Words of a key that never changes, -1 = it does. */
static int constant_key(const gen_t *g, const ecb_t *ecb, const step_t *s, uint64_t key[MAXWORDS])
{
	uint64_t part_key[MAXWORDS];
	const step_t *p;
	int n = 0, words;

	if (s->s_act->a_incr != NULL || g->st->st_npins == 0)
		return -1;
	for (p = s - s->s_nkeys; p < s; p++) {
		words = constant_part(g, ecb, p, part_key);
		if (words < 0 || n + words > MAXWORDS)
			return -1;
		memcpy(key + n, part_key, (size_t)words * 8);
		n += words;
	}
	return n;
}

static const pinned_t *pinned(gen_t *g, const step_t *s, const uint64_t *key, size_t nwords)
{
	pinned_t p = {g->st, s->s_agg, g->npins, nwords * 8};
	const uint8_t *at;

	if (g->npins == g->st->st_npins)
		return NULL;
	while ((uintptr_t)g->as.as_p % 8 != 0 && !g->as.as_full)
		AS(&g->as, 0xcc);
	at = g->as.as_p;
	as_bytes(&g->as, &p, sizeof(p));
	as_bytes(&g->as, key, nwords * 8);
	g->npins++;
	return g->as.as_full ? NULL : (const pinned_t *)(const void *)at;
}

/* rax = the cells: one event into them. */
static void into_cells(gen_t *g, const step_t *s)
{
	switch (s->s_act->a_agg->av_desc.ad_func) {
	case AGG_COUNT:
		AS(&g->as, 0x48, 0xff, 0x00); /* inc qword [rax] */
		break;
	case AGG_SUM:
		AS(&g->as, 0x4c, 0x01, 0x28); /* add [rax], r13 */
		break;
	default:
		as_load(&g->as, RCX, RBX, offsetof(dt_cpu_t, c_aggs));
		as_load(&g->as, RDI, RCX, (int32_t)(8 * s->s_agg));
		as_mov(&g->as, RSI, RAX);
		as_mov(&g->as, RDX, R13);
		as_call(&g->as, CODE(agg_update));
		break;
	}
}

static bool constant_aggregation(gen_t *g, const ecb_t *ecb, const step_t *s, const uint64_t *key, size_t nwords)
{
	unpinned_t *u = &g->unpinned[g->nunpinned];
	uint8_t *over;

	if (g->nunpinned == MAXCOLD)
		return false;
	if (s->s_dif != NULL && !expression(g, ecb, s->s_dif))
		return false;
	if (s->s_dif != NULL)
		as_mov(&g->as, R13, RAX);
	over = as_jump(&g->as, CC_ALWAYS);
	u->u_pinned = pinned(g, s, key, nwords);
	if (u->u_pinned == NULL)
		return false;
	as_here(&g->as, over);
	as_load(&g->as, RCX, RBX, offsetof(dt_cpu_t, c_pins));
	as_load(&g->as, RAX, RCX, (int32_t)(8 * u->u_pinned->p_pin));
	as_alu(&g->as, ALU_TEST, RAX, RAX);
	u->u_jump = as_jump(&g->as, CC_E);
	u->u_back = g->as.as_p;
	into_cells(g, s);
	u->u_none = g->as.as_p;
	g->nunpinned++;
	return true;
}

static void ask_for_cells(gen_t *g, const unpinned_t *u)
{
	as_here(&g->as, u->u_jump);
	as_mov(&g->as, RDI, RBX);
	as_const(&g->as, RSI, (uintptr_t)u->u_pinned);
	as_call(&g->as, CODE(pin));
	as_alu(&g->as, ALU_TEST, RAX, RAX);
	as_jump_to(&g->as, CC_NE, u->u_back);
	as_jump_to(&g->as, CC_ALWAYS, u->u_none);
}

static bool aggregation(gen_t *g, const ecb_t *ecb, const step_t *s)
{
	uint64_t key[MAXWORDS];
	int nwords = constant_key(g, ecb, s, key);

	if (s->s_act->a_incr != NULL)
		return false;
	if (nwords >= 0)
		return constant_aggregation(g, ecb, s, key, (size_t)nwords);
	return built_aggregation(g, ecb, s);
}

/* ---- clauses ---- */

typedef struct mark {
	uint8_t *p;
	uint32_t njumps, nunpinned;
	size_t nloads;
} mark_t;

static mark_t mark(gen_t *g)
{
	g->stored = false;
	return (mark_t){g->as.as_p, g->njumps, g->nunpinned, g->jit->j_nloads};
}

static void rewind_to(gen_t *g, const mark_t *m)
{
	g->as.as_p = m->p;
	g->njumps = m->njumps;
	g->nunpinned = m->nunpinned;
	g->jit->j_nloads = m->nloads;
	g->stored = false;
}

/* The step is done natively: what leads out of it goes to the interpreter. */
static bool settle(gen_t *g, const mark_t *m, const ecb_t *ecb, int step)
{
	if (m->njumps == g->njumps && m->nloads == g->jit->j_nloads)
		return true;
	if (g->ncold == MAXCOLD)
		return false;
	g->cold[g->ncold++] = (cold_t){.c_ecb = ecb,
				       .c_step = step,
				       .c_jump = m->njumps,
				       .c_njumps = g->njumps - m->njumps,
				       .c_load = m->nloads,
				       .c_nloads = g->jit->j_nloads - m->nloads};
	return true;
}

/* To the interpreter; the flag of zero is set when no clause may run after it. */
static void interpret(gen_t *g, const ecb_t *ecb, int step)
{
	as_const(&g->as, RDI, (uintptr_t)ecb);
	as_const(&g->as, RSI, (uint32_t)step);
	as_lea(&g->as, RDX, RBP, REG(0));
	as_load(&g->as, RCX, RBP, 0);
	as_call(&g->as, CODE(resume));
	AS(&g->as, 0x84, 0xc0); /* test al, al */
}

static bool native_step(gen_t *g, const ecb_t *ecb, const step_t *s)
{
	if (s->s_kind == ACT_AGG)
		return aggregation(g, ecb, s);
	return s->s_kind == ACT_DIFEXPR && s->s_size == 0 && s->s_dif != NULL && expression(g, ecb, s->s_dif);
}

/* Jumps out of the probe's code. */
typedef struct exits {
	uint8_t *jumps[MAXCOLD + 1];
	uint32_t n;
} exits_t;

/* The steps of a clause, from `step' on by the interpreter. */
static void hand_over(gen_t *g, const ecb_t *ecb, int step, exits_t *x)
{
	interpret(g, ecb, step);
	x->jumps[x->n++] = as_jump(&g->as, CC_E);
	g->nresumed++;
}

static bool steps(gen_t *g, const ecb_t *ecb, exits_t *x)
{
	uint32_t i;

	if (ecb->e_pub.dte_size != 0) {
		hand_over(g, ecb, 0, x);
		return true;
	}
	for (i = 0; i < ecb->e_nsteps; i++) {
		const step_t *s = &ecb->e_steps[i];
		mark_t m = mark(g);

		if (s->s_key)
			continue;
		if (!native_step(g, ecb, s)) {
			rewind_to(g, &m);
			hand_over(g, ecb, (int)i, x);
			return true;
		}
		if (!settle(g, &m, ecb, (int)i))
			return false;
	}
	return true;
}

/* Is a predicate a constant?  1 or 0; -1 = no. */
static int constant_predicate(const dif_t *d)
{
	uint32_t in = d->d_text[0];

	if (d->d_len != 2 || DIF_OP(in) != DIF_SETX || DIF_OP(d->d_text[1]) != DIF_RET ||
	    DIF_RD(d->d_text[1]) != DIF_RD(in))
		return -1;
	return d->d_ints[DIF_IDX(in)] != 0;
}

static bool clause(gen_t *g, const ecb_t *ecb, exits_t *x)
{
	int constant_value = ecb->e_pred == NULL ? 1 : constant_predicate(ecb->e_pred);
	uint32_t cold = g->ncold;
	uint8_t *past = NULL;
	mark_t m = mark(g);

	if (constant_value == 0)
		return true;
	if (constant_value < 0) {
		if (!expression(g, ecb, ecb->e_pred)) {
			rewind_to(g, &m);
			hand_over(g, ecb, -1, x);
			return true;
		}
		as_alu(&g->as, ALU_TEST, RAX, RAX);
		past = as_jump(&g->as, CC_E);
		if (!settle(g, &m, ecb, -1))
			return false;
	}
	if (!steps(g, ecb, x))
		return false;
	as_here(&g->as, past);
	for (; cold < g->ncold; cold++)
		g->cold[cold].c_back = g->as.as_p;
	return true;
}

/* ---- the code of a probe ---- */

static const int saved[] = {R11, R10, RAX, R9, R8, RCX, RDX, RSI, RDI, RBP};
static const int kept[] = {RBX, R12, R13, R14};
enum { NSAVED = sizeof(saved) / sizeof(saved[0]), NKEPT = sizeof(kept) / sizeof(kept[0]) };

/* xmm0 to xmm15, on the stack or from it. */
static void vectors(gen_t *g, bool save_them)
{
	int i;

	for (i = 0; i < 16; i++) {
		if (i >= 8)
			AS(&g->as, 0x44);
		AS(&g->as, 0x0f, save_them ? 0x11 : 0x10, (uint8_t)(0x84 | (i & 7) << 3), 0x24); /* movups [rsp + n] */
		as_u32(&g->as, (uint32_t)(16 * i));
	}
}

static void pop_all(gen_t *g)
{
	int i;

	if (SANITIZED) {
		vectors(g, false);
		as_lea(&g->as, RSP, RSP, 256);
	}
	for (i = NKEPT; i-- > 0;)
		as_pop(&g->as, kept[i]);
	for (i = NSAVED; i-- > 0;)
		as_pop(&g->as, saved[i]);
}

/* cmp or mov of a byte or word in thread-local storage with a small constant */
static void tls_byte(gen_t *g, bool store, int32_t off, uint8_t v)
{
	AS(&g->as, 0x64, store ? 0xc6 : 0x80, store ? 0x04 : 0x3c, 0x25);
	as_u32(&g->as, (uint32_t)off);
	AS(&g->as, v);
}

/* rbx = the CPU's data.  Jumps to the slow path: no such CPU in the session, it is not active, or not traced here. */
static void prologue(gen_t *g, uint8_t *slow[3])
{
	dtrace_state_t *st = g->st;
	int i;

	for (i = 0; i < NSAVED; i++)
		as_push(&g->as, saved[i]);
	as_mov(&g->as, RBP, RSP);
	for (i = 0; i < NKEPT; i++)
		as_push(&g->as, kept[i]);
	if (SANITIZED) {
		as_lea(&g->as, RSP, RSP, -256);
		vectors(g, true);
	}
	AS(&g->as, 0x64, 0x8b, 0x04, 0x25); /* mov eax, machine_cpu */
	as_u32(&g->as, (uint32_t)TLS(machine_cpu));
	as_cmp_const(&g->as, RAX, st->st_conf.c_ncpu);
	slow[0] = as_jump(&g->as, CC_AE);
	as_const(&g->as, RBX, (uintptr_t)st->st_cpus);
	if (st->st_conf.c_ncpu > 1) {
		AS(&g->as, 0x48, 0x69, 0xc0); /* imul rax, rax, size */
		as_u32(&g->as, sizeof(dt_cpu_t));
		as_alu(&g->as, ALU_ADD, RBX, RAX);
	}
	as_const(&g->as, RAX, (uintptr_t)&st->st_activity);
	AS(&g->as, 0x83, 0x38, ACTIVITY_ACTIVE); /* cmp dword [rax], active */
	slow[1] = as_jump(&g->as, CC_NE);
	AS(&g->as, 0x83, 0xbb); /* cmp dword [rbx + c_exited], 0 */
	as_u32(&g->as, offsetof(dt_cpu_t, c_exited));
	AS(&g->as, 0);
	slow[2] = as_jump(&g->as, CC_NE);
	tls_byte(g, true, TLS(probe_inside), 1);
}

/* Clause-local variables start as 0 in each firing. */
static void reset_locals(gen_t *g)
{
	const dtrace_state_t *st = g->st;
	uint32_t i;

	if (st->st_nlocals == 0)
		return;
	as_load(&g->as, RCX, RBX, offsetof(dt_cpu_t, c_locals));
	for (i = 0; i < st->st_nlocals; i++)
		if (!st->st_localproto[i].v_byref || st->st_localproto[i].v_string)
			as_store_const(&g->as, RCX, (int32_t)(i * sizeof(var_t) + offsetof(var_t, v_val)), 0);
}

static void cold_code(gen_t *g, const cold_t *c, exits_t *x)
{
	uint32_t here = (uint32_t)(g->as.as_p - g->jit->j_base), i;
	size_t l;

	for (i = 0; i < c->c_njumps; i++)
		as_here(&g->as, g->jumps[c->c_jump + i]);
	for (l = 0; l < c->c_nloads; l++)
		g->jit->j_loads[c->c_load + l].l_fixup = here;
	interpret(g, c->c_ecb, c->c_step);
	as_jump_to(&g->as, CC_NE, c->c_back);
	x->jumps[x->n++] = as_jump(&g->as, CC_ALWAYS);
}

static bool never_runs(const dtrace_probe_t *p)
{
	const dtrace_ecb_t *e;

	for (e = p->dtpr_ecb; e != NULL; e = e->dte_next)
		if (((const ecb_t *)e)->e_pred == NULL || constant_predicate(((const ecb_t *)e)->e_pred) != 0)
			return false;
	return true;
}

static void epilogue(gen_t *g, const exits_t *x)
{
	uint32_t i;

	for (i = 0; i < x->n; i++)
		as_here(&g->as, x->jumps[i]);
	tls_byte(g, true, TLS(probe_inside), 0);
	pop_all(g);
	AS(&g->as, 0xc3);
}

/* More than one clause that the interpreter must see in every firing: it does better with all of them at once. */
static bool worthwhile(const gen_t *g)
{
	const ecb_t *first = (const ecb_t *)g->probe->dtpr_ecb;

	if (g->nresumed == 0)
		return true;
	return g->nresumed == 1 && (first->e_pred != NULL || first->e_pub.dte_next != NULL);
}

/* ---- the short way ---- */

enum { MAXSHORT = 4 };

/* Pins of a probe that only counts under constant keys; 0 = it does something else. */
static uint32_t only_counts(gen_t *g, uint32_t pins[MAXSHORT])
{
	uint64_t key[MAXWORDS];
	uint32_t n = 0, pin_at = g->npins, i;
	const dtrace_ecb_t *e;

	for (e = g->probe->dtpr_ecb; e != NULL; e = e->dte_next) {
		const ecb_t *ecb = (const ecb_t *)e;
		int holds = ecb->e_pred == NULL ? 1 : constant_predicate(ecb->e_pred);

		if (holds == 0)
			continue;
		if (holds < 0 || ecb->e_pub.dte_size != 0)
			return 0;
		for (i = 0; i < ecb->e_nsteps; i++) {
			const step_t *s = &ecb->e_steps[i];

			if (s->s_key)
				continue;
			if (s->s_kind != ACT_AGG || s->s_dif != NULL || n == MAXSHORT ||
			    s->s_act->a_agg->av_desc.ad_func != AGG_COUNT || constant_key(g, ecb, s, key) < 0)
				return 0;
			pins[n++] = pin_at++; /* as generate() will give them out */
		}
	}
	return n;
}

/* mov rax, [address] */
static void load_from(gen_t *g, const void *from)
{
	uint64_t addr = (uintptr_t)from;

	AS(&g->as, 0x48, 0xa1);
	as_bytes(&g->as, &addr, 8);
}

/* rax = a pin's cells; with several CPUs rcx is the CPU's data. */
static void load_pin(gen_t *g, uint32_t pin_at)
{
	if (g->st->st_conf.c_ncpu == 1) {
		load_from(g, &g->st->st_cpus->c_pins[pin_at]);
		return;
	}
	as_load(&g->as, RAX, RCX, offsetof(dt_cpu_t, c_pins));
	as_load(&g->as, RAX, RAX, (int32_t)(8 * pin_at));
}

/* As the code proper: what machine_cpu is; jumps to where registers are as they were. */
static uint8_t *which_cpu(gen_t *g)
{
	const dtrace_state_t *st = g->st;
	uint8_t *other;

	if (st->st_conf.c_ncpu == 1) {
		AS(&g->as, 0x64, 0x83, 0x3c, 0x25); /* cmp dword machine_cpu, 0 */
		as_u32(&g->as, (uint32_t)TLS(machine_cpu));
		AS(&g->as, 0);
		other = as_jump(&g->as, CC_NE);
		as_push(&g->as, RAX);
		return other;
	}
	AS(&g->as, 0x64, 0x81, 0x3c, 0x25); /* cmp dword machine_cpu, ncpu */
	as_u32(&g->as, (uint32_t)TLS(machine_cpu));
	as_u32(&g->as, (uint32_t)st->st_conf.c_ncpu);
	other = as_jump(&g->as, CC_AE);
	as_push(&g->as, RAX);
	as_push(&g->as, RCX);
	AS(&g->as, 0x64, 0x48, 0x63, 0x0c, 0x25); /* movsxd rcx, machine_cpu */
	as_u32(&g->as, (uint32_t)TLS(machine_cpu));
	AS(&g->as, 0x48, 0x69, 0xc9); /* imul rcx, rcx, size */
	as_u32(&g->as, sizeof(dt_cpu_t));
	as_const(&g->as, RAX, (uintptr_t)st->st_cpus);
	as_alu(&g->as, ALU_ADD, RCX, RAX);
	return other;
}

static void give_back(gen_t *g)
{
	if (g->st->st_conf.c_ncpu > 1)
		as_pop(&g->as, RCX);
	as_pop(&g->as, RAX);
}

static void short_way(gen_t *g, const uint32_t *pins, uint32_t n, const uint8_t *proper)
{
	uint8_t *inside, *other, *slow[MAXSHORT];
	uint32_t i;

	tls_byte(g, false, TLS(probe_inside), 0);
	inside = as_jump(&g->as, CC_NE);
	other = which_cpu(g);
	/* all of them are there, or none is counted here */
	for (i = 0; i < n; i++) {
		load_pin(g, pins[i]);
		as_alu(&g->as, ALU_TEST, RAX, RAX);
		slow[i] = as_jump(&g->as, CC_E);
	}
	for (i = 0; i < n; i++) {
		if (n > 1)
			load_pin(g, pins[i]);
		AS(&g->as, 0x48, 0xff, 0x00); /* inc qword [rax] */
	}
	give_back(g);
	as_here(&g->as, inside);
	AS(&g->as, 0xc3);
	for (i = 0; i < n; i++)
		as_here(&g->as, slow[i]);
	give_back(g);
	as_here(&g->as, other);
	as_jump_to(&g->as, CC_ALWAYS, proper);
}

static bool generate(gen_t *g)
{
	uint8_t *slow[3], *inside;
	exits_t exits = {.n = 0};
	const dtrace_ecb_t *e;
	uint32_t i;

	tls_byte(g, false, TLS(probe_inside), 0);
	inside = as_jump(&g->as, CC_NE);
	prologue(g, slow);
	reset_locals(g);
	for (e = g->probe->dtpr_ecb; e != NULL; e = e->dte_next)
		if (exits.n >= MAXCOLD - 1 || !clause(g, (const ecb_t *)e, &exits))
			return false;
	if (!worthwhile(g) || exits.n + g->ncold > MAXCOLD)
		return false;
	/* the usual way out is right behind the clauses; what comes later is another */
	epilogue(g, &(exits_t){.n = 0});
	as_here(&g->as, inside);
	AS(&g->as, 0xc3);
	for (i = 0; i < g->nunpinned; i++)
		ask_for_cells(g, &g->unpinned[i]);
	for (i = 0; i < g->ncold; i++)
		cold_code(g, &g->cold[i], &exits);
	epilogue(g, &exits);
	for (i = 0; i < 3; i++)
		as_here(&g->as, slow[i]);
	pop_all(g);
	as_jump_to(&g->as, CC_ALWAYS, g->isreturn ? dtrace_tramp_return : dtrace_tramp_entry);
	return !g->as.as_full;
}

/* All clauses of the probe are this session's, and ecb is the first. */
static bool suits(const dtrace_state_t *st, const ecb_t *ecb)
{
	const dtrace_probe_t *p = ecb->e_pub.dte_probe;
	const dtrace_ecb_t *e;

	if (p->dtpr_prov != &fbt_provider || p->dtpr_ecb != &ecb->e_pub)
		return false;
	for (e = p->dtpr_ecb; e != NULL; e = e->dte_next)
		if (((const ecb_t *)e)->e_state != st)
			return false;
	return true;
}

static uint8_t *next_line(gen_t *g)
{
	while ((uintptr_t)g->as.as_p % 64 != 0 && !g->as.as_full)
		AS(&g->as, 0xcc);
	return g->as.as_p;
}

/* The short way to code just generated, or that code. */
static const uint8_t *shortest(gen_t *g, const uint8_t *proper, const uint32_t *pins, uint32_t npins)
{
	as_t as = g->as;
	const uint8_t *start;

	if (npins == 0)
		return proper;
	g->as = g->shorter;
	start = next_line(g);
	short_way(g, pins, npins, proper);
	g->shorter = g->as;
	g->as = as;
	return g->shorter.as_full ? proper : start;
}

static void compile_probe(gen_t *g, ecb_t *ecb)
{
	uint32_t pins[MAXSHORT], npins;
	uint8_t *start;
	size_t nloads = g->jit->j_nloads;

	g->probe = ecb->e_pub.dte_probe;
	if (never_runs(g->probe)) {
		ecb->e_code = g->nothing;
		return;
	}
	start = next_line(g);
	g->isreturn = fbt_isreturn(g->probe, &g->start);
	g->njumps = g->ncold = g->nresumed = g->nunpinned = 0;
	npins = only_counts(g, pins);
	if (generate(g)) {
		ecb->e_code = shortest(g, start, pins, npins);
	} else {
		g->as.as_p = start;
		g->jit->j_nloads = nloads;
	}
}

/* Give back what was not used, and let nobody write any more. */
static bool seal(jit_t *j, const uint8_t *end)
{
	size_t len = ((size_t)(end - j->j_base) + 4095) & ~(size_t)4095;

	if (len < j->j_len)
		munmap(j->j_base + len, j->j_len - len);
	j->j_len = len;
	return len != 0 && mprotect(j->j_base, len, PROT_READ | PROT_EXEC) == 0;
}

static jit_t *jit_create(void)
{
	jit_t *j = calloc(1, sizeof(*j));
	void *p = MAP_FAILED;

	if (j != NULL)
		p = mmap(NULL, SPACE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_32BIT,
			 -1, 0);
	if (p == MAP_FAILED) {
		free(j);
		return NULL;
	}
	j->j_base = p;
	j->j_len = SPACE;
	return j;
}

static uint32_t aggregations(const dtrace_state_t *st)
{
	const ecb_t *ecb;
	uint32_t n = 0, i;

	for (ecb = st->st_ecbs; ecb != NULL; ecb = ecb->e_allnext)
		for (i = 0; i < ecb->e_nsteps; i++)
			n += ecb->e_steps[i].s_kind == ACT_AGG;
	return n;
}

/* Each CPU's places of cells, of which its tables are told: n of them, or 0 = there are none any more. */
static void pins_of(dtrace_state_t *st, uint32_t n)
{
	uint32_t slot;
	int cpu;

	st->st_npins = n;
	for (cpu = 0; cpu < st->st_conf.c_ncpu; cpu++) {
		dt_cpu_t *c = &st->st_cpus[cpu];

		free(c->c_pins);
		c->c_pins = n == 0 ? NULL : calloc(n, sizeof(*c->c_pins));
		if (c->c_pins == NULL && n != 0) {
			pins_of(st, 0);
			return;
		}
		for (slot = 0; slot < c->c_naggs; slot++)
			if (c->c_aggs[slot] != NULL)
				agg_pins(c->c_aggs[slot], c->c_pins, n);
	}
}

void jit_compile(dtrace_state_t *st)
{
	ecb_t *ecb;
	gen_t g = {.st = st};

	if (!AVAILABLE || st->st_conf.c_interpret || st->st_jit != NULL)
		return;
	for (ecb = st->st_ecbs; ecb != NULL && !suits(st, ecb); ecb = ecb->e_allnext)
		;
	if (ecb == NULL || (g.jit = jit_create()) == NULL)
		return;
	st->st_jit = g.jit;
	pins_of(st, aggregations(st));
	g.shorter = (as_t){.as_p = g.jit->j_base + 64, .as_end = g.jit->j_base + SHORT_SPACE};
	g.as = (as_t){.as_p = g.jit->j_base + SHORT_SPACE, .as_end = g.jit->j_base + g.jit->j_len};
	g.nothing = g.jit->j_base;
	g.jit->j_base[0] = 0xc3;
	for (; ecb != NULL; ecb = ecb->e_allnext)
		if (suits(st, ecb))
			compile_probe(&g, ecb);
	g.jit->j_next = jits;
	jits = g.jit;
	if (!seal(g.jit, g.as.as_p))
		jit_destroy(st);
}

void jit_destroy(dtrace_state_t *st)
{
	jit_t **link = &jits, *j = st->st_jit;
	ecb_t *ecb;

	if (j == NULL)
		return;
	for (ecb = st->st_ecbs; ecb != NULL; ecb = ecb->e_allnext)
		ecb->e_code = NULL;
	while (*link != j)
		link = &(*link)->j_next;
	*link = j->j_next;
	if (j->j_len != 0)
		munmap(j->j_base, j->j_len);
	free(j->j_loads);
	free(j);
	pins_of(st, 0);
	st->st_jit = NULL;
}

void jit_unpin(const dtrace_state_t *st, dt_cpu_t *c)
{
	uint32_t i;

	for (i = 0; i < st->st_npins; i++)
		c->c_pins[i] = NULL;
}

const void *jit_code(const dtrace_probe_t *p)
{
	const ecb_t *first = (const ecb_t *)p->dtpr_ecb;

	return first != NULL && first->e_code != NULL && suits(first->e_state, first) ? first->e_code : NULL;
}

void jit_share(dtrace_probe_t *p)
{
	ecb_t *first = (ecb_t *)p->dtpr_ecb;

	if (first->e_code == NULL || suits(first->e_state, first))
		return;
	first->e_code = NULL;
	(void)p->dtpr_prov->dtpv_enable(p);
}

uintptr_t jit_fixup(uintptr_t pc)
{
	const jit_t *j;
	size_t lo = 0, hi, mid;

	for (j = jits; j != NULL && pc - (uintptr_t)j->j_base >= j->j_len; j = j->j_next)
		;
	if (j == NULL)
		return 0;
	for (hi = j->j_nloads; lo < hi;) {
		mid = (lo + hi) / 2;
		if ((uintptr_t)j->j_base + j->j_loads[mid].l_pc < pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < j->j_nloads && (uintptr_t)j->j_base + j->j_loads[lo].l_pc == pc
		   ? (uintptr_t)j->j_base + j->j_loads[lo].l_fixup
		   : 0;
}
