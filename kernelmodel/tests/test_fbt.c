/* Probes in the text: fbt, sdt, system calls; arguments, stacks, registers. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "sys/sdt.h"
#include "sys/stream.h"
#include "sys/thread.h"
#include "tests/dif_asm.h"

static dtrace_state_t *st;
static clause_t clauses[8];
static prog_t progs[64];
static int nclauses, nprogs;

static void start(void)
{
	dtrace_conf_t conf;
	char err[256];

	machine_init(0);
	cr_assert_eq(dtrace_init(err, sizeof(err)), 0, "%s", err);
	dtrace_conf_default(&conf);
	st = dtrace_state_create(&conf);
	cr_assert_eq(dtrace_state_vars(st, NULL, 0), 0);
}

static void finish(void)
{
	size_t bytes, objects;

	dtrace_state_destroy(st);
	machine_fini();
	dtrace_fini();
	kmem_alive(&bytes, &objects);
	if (bytes != 0 || objects != 0)
		abort();
}

TestSuite(fbt, .init = start, .fini = finish);

static clause_t *clause(const char *prov, const char *mod, const char *func, const char *name)
{
	return on(&clauses[nclauses++], prov, mod, func, name);
}

static void record_builtin(clause_t *c, enum dif_var v)
{
	record(c, builtin(&progs[nprogs++], v), DIF_INT, 8);
}

static void go(void)
{
	char err[256];

	for (int i = 0; i < nclauses; i++)
		cr_assert_geq(dtrace_enable(st, &clauses[i].desc, err, sizeof(err)), 1, "%s", err);
	cr_assert_eq(dtrace_go(st, err, sizeof(err)), 0, "%s", err);
}

typedef struct seen {
	int n;
	dtrace_id_t id[64];
	uint64_t data[64][24];
	int errors;
} seen_t;

static int see(void *arg, const dtrace_rec_t *r)
{
	seen_t *s = arg;

	if (r->r_error) {
		s->errors++;
		return 0;
	}
	cr_assert_lt(s->n, 64);
	s->id[s->n] = r->r_ecb->dte_probe->dtpr_id;
	memcpy(s->data[s->n], r->r_data + 8, r->r_ecb->dte_size - 8);
	s->n++;
	return 0;
}

static seen_t consume(void)
{
	seen_t s = {0};

	cr_assert_eq(dtrace_consume(st, 0, see, &s), 0);
	return s;
}

/* The function a program counter lies in. */
static const char *func_of(uint64_t pc)
{
	const ksym_t *ks = ksym_byaddr(pc);

	return pc == 0 ? "" : ks == NULL ? "?" : ksym_name(ks);
}

static mblk_t *message(uchar_t *bytes, size_t n)
{
	static dblk_t d = {.db_type = M_DATA};
	static mblk_t m;

	m = (mblk_t){.b_rptr = bytes, .b_wptr = bytes + n, .b_datap = &d};
	return &m;
}

Test(fbt, every_model_function_has_its_probes)
{
	const ksym_t *ks;
	size_t entries = 0, returns = 0;
	dtrace_probedesc_t desc = {0, "fbt", "genunix", "msgdsize", ""};

	cr_assert_eq(dtrace_probe_match(&desc, NULL, NULL), 2);
	for (dtrace_id_t id = 1; id <= dtrace_nprobes(); id++) {
		const dtrace_probe_t *p = dtrace_probe_lookup(id);

		if (strcmp(p->dtpr_provider, "fbt") != 0)
			continue;
		cr_assert_str_neq(p->dtpr_mod, "machine");
		cr_assert_str_neq(p->dtpr_mod, "dtrace");
		cr_assert_str_neq(p->dtpr_mod, "");
		ks = ksym_byname(p->dtpr_mod, p->dtpr_func);
		cr_assert_not_null(ks);
		if (strcmp(p->dtpr_name, "entry") == 0)
			entries++;
		else
			returns++;
	}
	cr_assert_gt(entries, 300);
	cr_assert_gt(returns, entries * 9 / 10);
}

/* What a description with the name of a function finds is what a walk through all probes finds. */
static void count_named(void *arg, dtrace_probe_t *p)
{
	const dtrace_probe_t **last = arg;

	if (*last != NULL)
		cr_assert_gt(p->dtpr_id, (*last)->dtpr_id);
	*last = p;
}

static int walk(const char *func, const char *name)
{
	int n = 0;

	for (dtrace_id_t id = 1; id <= dtrace_nprobes(); id++) {
		const dtrace_probe_t *p = dtrace_probe_lookup(id);

		n += strcmp(p->dtpr_func, func) == 0 && (*name == '\0' || strcmp(p->dtpr_name, name) == 0);
	}
	return n;
}

Test(fbt, probes_are_found_by_function)
{
	static const char *const names[] = {"", "entry", "return", "no-such-name"};
	char last[64] = "";

	for (dtrace_id_t id = 1; id <= dtrace_nprobes(); id += 7) {
		char func[64];

		(void)snprintf(func, sizeof(func), "%s", dtrace_probe_lookup(id)->dtpr_func);
		if (*func == '\0' || strcmp(func, last) == 0)
			continue;
		strcpy(last, func);
		for (int i = 0; i < 4; i++) {
			dtrace_probedesc_t desc = {0, "", "", func, names[i]};
			const dtrace_probe_t *p = NULL;

			cr_assert_eq(dtrace_probe_match(&desc, count_named, (void *)&p), walk(func, names[i]), "%s:%s",
				     func, names[i]);
		}
	}
}

Test(fbt, entry_and_return_have_arguments_and_value)
{
	uchar_t bytes[10];
	mblk_t *mp = message(bytes, 7);
	clause_t *c = clause("fbt", "genunix", "msgdsize", "entry");
	const ksym_t *ks;
	seen_t s;

	record_builtin(c, DIF_VAR_ARG0);
	c = clause("fbt", "", "msgdsize", "return");
	record_builtin(c, DIF_VAR_ARG0);
	record_builtin(c, DIF_VAR_ARG1);
	cr_assert_eq(msgdsize(mp), 7);
	go();
	cr_assert_eq(msgdsize(mp), 7);
	s = consume();
	cr_assert_eq(s.n, 2);
	cr_assert_eq(s.data[0][0], (uintptr_t)mp);
	cr_assert_eq(s.id[1], s.id[0] + 1);
	ks = ksym_byname(NULL, "msgdsize");
	cr_assert_gt(s.data[1][0], 0);
	cr_assert_lt(s.data[1][0], ks->ks_size);
	cr_assert_eq(*(unsigned char *)(ksym_addr(ks) + s.data[1][0]), 0xc3, "not a return instruction");
	cr_assert_eq(s.data[1][1], 7);
	dtrace_stop(st);
	cr_assert_eq(msgdsize(mp), 7);
	cr_assert_eq(consume().n, 0);
	cr_assert_eq(memcmp((void *)ksym_addr(ks), "\x0f\x1f\x44\0\0", 5), 0, "still armed");
}

/* ---- stacks ---- */

static int64_t result;

static void program(void *arg)
{
	(void)arg;
	result = user_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

Test(fbt, a_system_call_s_stack_ends_at_its_border)
{
	proc_t *p = proc_create(NULL, 0, "/bin/prog -x");
	clause_t *c = clause("fbt", "", "getpid", "entry");
	seen_t s;

	stack_of(c, 4);
	record_builtin(c, DIF_VAR_STACKDEPTH);
	record_builtin(c, DIF_VAR_CALLER);
	record_builtin(c, DIF_VAR_PID);
	record(c, builtin(&progs[nprogs++], DIF_VAR_EXECNAME), DIF_STRING, 16);
	c = clause("fbt", "unix", "sys_sysenter", "entry");
	stack_of(c, 4);
	record_builtin(c, DIF_VAR_STACKDEPTH);
	record_builtin(c, DIF_VAR_CALLER);
	go();
	lwp_create(p, program, NULL);
	machine_run(1000000);
	cr_assert_eq(result, p->p_pid);
	s = consume();
	cr_assert_eq(s.n, 2);
	/* sys_sysenter is the outermost frame: its own stack is empty */
	cr_assert_eq(s.data[0][0], 0);
	cr_assert_eq(s.data[0][4], 0);
	cr_assert_eq(s.data[0][5], 0);
	cr_assert_str_eq(func_of(s.data[1][0]), "sys_sysenter");
	cr_assert_eq(s.data[1][1], 0);
	cr_assert_eq(s.data[1][4], 1);
	cr_assert_eq(s.data[1][5], s.data[1][0]);
	cr_assert_eq(s.data[1][6], (uint64_t)p->p_pid);
	cr_assert_str_eq((char *)&s.data[1][7], "prog");
	dtrace_stop(st);
	proc_exit(p);
	machine_run(2000000);
}

static void tick(void *arg)
{
	(void)arg;
	result = (int64_t)msgdsize(arg);
}

Test(fbt, a_timeout_s_stack_ends_at_the_task_queue)
{
	uchar_t bytes[1];
	clause_t *c = clause("fbt", "genunix", "msgdsize", "entry");
	seen_t s;

	stack_of(c, 6);
	go();
	(void)timeout(tick, message(bytes, 1), 3);
	machine_run(1000000000);
	s = consume();
	cr_assert_eq(s.n, 1);
	cr_assert_str_eq(func_of(s.data[0][0]), "tick");
	cr_assert_str_eq(func_of(s.data[0][1]), "callout_execute");
	cr_assert_str_eq(func_of(s.data[0][2]), "taskq_thread");
	cr_assert_eq(s.data[0][3], 0);
	dtrace_stop(st);
}

Test(fbt, stacks_are_keys)
{
	static dtrace_aggvar_t av = {
	    .av_name = (char *)(uintptr_t) "_",
	    .av_id = 1,
	    .av_desc = {.ad_func = AGG_COUNT, .ad_nparts = 2, .ad_parts = {{AGG_STR, 256}, {AGG_STACK, 40}}}};
	uchar_t bytes[1];
	clause_t *c = clause("fbt", "genunix", "msgdsize", "entry");
	agg_t *agg;

	record(c, builtin(&progs[nprogs++], DIF_VAR_PROBEFUNC), DIF_STRING, 256);
	stack_of(c, 5);
	(void)aggregate_by(c, &av, 2, NULL);
	go();
	cr_assert_eq(clauses[0].acts[0].a_offset, 0, "parts of a key are not recorded");
	for (int i = 0; i < 1000; i++)
		(void)msgdsize(message(bytes, 1));
	(void)msgdsize(message(bytes, 1));
	cr_assert_eq(consume().n, 0);
	agg = dtrace_agg_snapshot(st, &av);
	cr_assert_eq(agg_nkeys(agg), 2); /* two places in this function call it */
	dtrace_stop(st);
}

/* ---- sdt ---- */

static __attribute__((noinline)) void hit(long a, const char *b)
{
	DTRACE_PROBE5(hit__hard, long, a, const char *, b, int, -3, unsigned char, 200, long, a * 2);
}

static __attribute__((noinline)) void count(uint64_t *counter)
{
	DTRACE_MIB(tcpInTests, 4, counter);
	*counter += 4;
}

Test(fbt, sdt_points_have_names_arguments_and_stacks)
{
	clause_t *c = clause("sdt", "", "hit", "hit-hard");
	seen_t s;

	for (uint32_t i = 0; i < 6; i++)
		record_builtin(c, DIF_VAR_ARG0 + i);
	stack_of(c, 1);
	hit(1, "off");
	go();
	hit(5, "x");
	hit(6, NULL);
	s = consume();
	cr_assert_eq(s.n, 2);
	cr_assert_eq(s.data[0][0], 5);
	cr_assert_str_eq((char *)s.data[0][1], "x");
	cr_assert_eq(s.data[0][2], (uint64_t)-3);
	cr_assert_eq(s.data[0][3], 200);
	cr_assert_eq(s.data[0][4], 10);
	cr_assert_str_eq(func_of(s.data[0][6]), "hit", "the first frame is the function itself");
	cr_assert_eq(s.data[1][0], 6);
	dtrace_stop(st);
	hit(7, NULL);
	cr_assert_eq(consume().n, 0);
}

Test(fbt, mib_points_fire_before_the_addition)
{
	uint64_t counter = 100;
	clause_t *c = clause("mib", "", "", "tcpInTests");
	seen_t s;
	prog_t *p = &progs[nprogs++];

	record_builtin(c, DIF_VAR_ARG0);
	opi(p, DIF_LDV, DIF_VAR_ARG1, 1);
	op(p, DIF_LDX, 1, 0, 1);
	ret(p, 1);
	record(c, p, DIF_INT, 8);
	go();
	count(&counter);
	s = consume();
	cr_assert_eq(s.n, 1);
	cr_assert_eq(s.data[0][0], 4);
	cr_assert_eq(s.data[0][1], 100);
	cr_assert(dtrace_probe_lookup(s.id[0])->dtpr_prov->dtpv_stable);
	cr_assert_str_eq(dtrace_probe_lookup(s.id[0])->dtpr_prov->dtpv_argtypes(dtrace_probe_lookup(s.id[0]))[0],
			 "int");
	dtrace_stop(st);
}

/* Every register around a point is what it was, also with the stack not aligned. */
Test(fbt, registers_survive_an_armed_point)
{
	uint64_t in[14], out[14];
	unsigned char xin[256], xout[256];
	clause_t *c = clause("sdt", "", "", "registers");

	stack_of(c, 5);
	record(c, text(&progs[nprogs++], "a string to be copied"), DIF_STRING, 256);
	go();
	for (size_t i = 0; i < sizeof(xin); i++)
		xin[i] = (unsigned char)(i * 3 + 1);
	for (uint64_t i = 0; i < 14; i++)
		in[i] = 0x1111111111111111 * (i + 1);
	__asm__ volatile(
	    "push %%r12\n\tpush %%r13\n\tpush %%r14\n\tpush %%r15\n\tpush %[xout]\n\tpush %[out]\n\tpush %[xin]\n\tmov "
	    "%[in], %%rax\n\tpop %%rbx\n"
	    ".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n\tmovups 16*\\r(%%rbx), %%xmm\\r\n\t.endr\n\t"
	    "mov (%%rax), %%rbx\n\tmov 8(%%rax), %%rcx\n\tmov 16(%%rax), %%rdx\n\tmov 24(%%rax), %%rsi\n\t"
	    "mov 32(%%rax), %%rdi\n\tmov 40(%%rax), %%r8\n\tmov 48(%%rax), %%r9\n\tmov 56(%%rax), %%r10\n\t"
	    "mov 64(%%rax), %%r11\n\tmov 72(%%rax), %%r12\n\tmov 80(%%rax), %%r13\n\tmov 88(%%rax), %%r14\n\t"
	    "mov 96(%%rax), %%r15\n\tmov 104(%%rax), %%rax\n"
	    "990:\t.byte 0x0f, 0x1f, 0x44, 0, 0\n"
	    "\t.pushsection sdt_names, \"a\", @progbits\n991:\t.asciz \"sdt\"\n\t.asciz \"registers\"\n"
	    "\t.popsection\n\t.pushsection sdt_sites, \"a\", @progbits\n\t.balign 8\n\t.quad 990b, 991b, 0\n"
	    "\t.popsection\n\t"
	    "xchg %%rax, (%%rsp)\n\t"
	    "mov %%rbx, (%%rax)\n\tmov %%rcx, 8(%%rax)\n\tmov %%rdx, 16(%%rax)\n\tmov %%rsi, 24(%%rax)\n\t"
	    "mov %%rdi, 32(%%rax)\n\tmov %%r8, 40(%%rax)\n\tmov %%r9, 48(%%rax)\n\tmov %%r10, 56(%%rax)\n\t"
	    "mov %%r11, 64(%%rax)\n\tmov %%r12, 72(%%rax)\n\tmov %%r13, 80(%%rax)\n\tmov %%r14, 88(%%rax)\n\t"
	    "mov %%r15, 96(%%rax)\n\tpop %%rbx\n\tmov %%rbx, 104(%%rax)\n\tpop %%rax\n"
	    ".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n\tmovups %%xmm\\r, 16*\\r(%%rax)\n\t.endr\n\tpop "
	    "%%r15\n\tpop %%r14\n\tpop %%r13\n\tpop %%r12"
	    :
	    : [in] "r"(in), [out] "r"(out), [xin] "r"(xin), [xout] "r"(xout)
	    : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc", "xmm0", "xmm1",
	      "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
	      "xmm14", "xmm15");
	cr_assert_eq(consume().n, 1);
	cr_assert_eq(memcmp(in, out, sizeof(in)), 0);
	cr_assert_eq(memcmp(xin, xout, sizeof(xin)), 0);
	dtrace_stop(st);
}

/* ---- system calls ---- */

static void program2(void *arg)
{
	(void)arg;
	(void)user_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
	(void)user_syscall(SYS_close, 77, 0, 0, 0, 0, 0);
}

Test(fbt, system_calls_by_name)
{
	proc_t *p = proc_create(NULL, 0, "/bin/prog");
	clause_t *c = clause("syscall", "", "close", "entry");
	seen_t s;

	record_builtin(c, DIF_VAR_ARG0);
	c = clause("syscall", "", "close", "return");
	record_builtin(c, DIF_VAR_ARG0);
	record_builtin(c, DIF_VAR_ARG1);
	record_builtin(c, DIF_VAR_ERRNO);
	c = clause("syscall", "", "getpid", "return");
	record_builtin(c, DIF_VAR_ARG1);
	record_builtin(c, DIF_VAR_ERRNO);
	go();
	lwp_create(p, program2, NULL);
	machine_run(1000000);
	s = consume();
	cr_assert_eq(s.n, 3);
	cr_assert_eq(s.data[0][0], (uint64_t)p->p_pid);
	cr_assert_eq(s.data[0][1], 0);
	cr_assert_eq(s.data[1][0], 77);
	cr_assert_eq(s.data[2][0], (uint64_t)-1);
	cr_assert_eq(s.data[2][1], (uint64_t)-1);
	cr_assert_eq(s.data[2][2], 9); /* EBADF */
	dtrace_stop(st);
	proc_exit(p);
	machine_run(2000000);
}

/* ---- faults ---- */

Test(fbt, a_bad_address_is_an_error_record_and_life_goes_on)
{
	uchar_t bytes[1];
	clause_t *c = clause("fbt", "", "msgdsize", "entry");
	prog_t *p = &progs[nprogs++];
	seen_t s;

	opi(p, DIF_LDV, DIF_VAR_ARG1, 1);
	op(p, DIF_LDX, 0, 0, 1);
	ret(p, 1);
	record(c, p, DIF_INT, 8);
	c = clause("fbt", "", "msgdsize", "entry");
	record_builtin(c, DIF_VAR_ARG0);
	go();
	for (int i = 0; i < 3; i++)
		cr_assert_eq(msgdsize(message(bytes, 1)), 1);
	s = consume();
	cr_assert_eq(s.errors, 3);
	cr_assert_eq(s.n, 3);
	dtrace_stop(st);
}
