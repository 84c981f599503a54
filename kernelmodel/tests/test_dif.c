/* The DIF machine: every instruction, builtin variable, subroutine and fault. */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <sys/mman.h>

#include "machine/machine.h"
#include "sys/stream.h"
#include "tests/dif_asm.h"

static dtrace_state_t *st;
static uint64_t args[10] = {100, 101, 102, 103, 104, 105, 106, 107, 108, 109};
static uint64_t faddr;

/* Variables: global x (0), s (string, 1), a[] (2), b[] (string, 3), struct g of 24 bytes (4), n[] of structs (5);
 * thread-local t (0), ts (string, 1), ta[] (2); clause-local l (0), ls (string, 1), lg (24 bytes, 2) */
#define INT8BYTES                                \
	{                                        \
		.dt_kind = DIF_INT, .dt_size = 8 \
	}
#define STRING                                        \
	{                                             \
		.dt_kind = DIF_STRING, .dt_size = 256 \
	}
#define STRUCT                                      \
	{                                           \
		.dt_kind = DIF_BYTES, .dt_size = 24 \
	}
static const dif_vardesc_t vars[] = {
    {"x", DIF_GLOBAL, 0, false, INT8BYTES}, {"s", DIF_GLOBAL, 1, false, STRING},
    {"a", DIF_GLOBAL, 2, true, INT8BYTES},  {"b", DIF_GLOBAL, 3, true, STRING},
    {"g", DIF_GLOBAL, 4, false, STRUCT},    {"n", DIF_GLOBAL, 5, true, STRUCT},
    {"t", DIF_THREAD, 0, false, INT8BYTES}, {"ts", DIF_THREAD, 1, false, STRING},
    {"ta", DIF_THREAD, 2, true, INT8BYTES}, {"l", DIF_LOCAL, 0, false, INT8BYTES},
    {"ls", DIF_LOCAL, 1, false, STRING},    {"lg", DIF_LOCAL, 2, false, STRUCT},
};

static void make_state(size_t dynvarsize, size_t strsize)
{
	dtrace_conf_t conf;

	dtrace_conf_default(&conf);
	conf.c_dynvarsize = dynvarsize;
	conf.c_strsize = strsize;
	conf.c_bufsize = 64 << 10;
	st = dtrace_state_create(&conf);
	cr_assert_not_null(st);
	cr_assert_eq(dtrace_state_vars(st, vars, sizeof(vars) / sizeof(*vars)), 0);
}

static void start(void)
{
	make_state(1 << 20, 256);
}

static void finish(void)
{
	dtrace_state_destroy(st);
}

TestSuite(dif, .init = start, .fini = finish);

static uint64_t run(prog_t *p)
{
	char why[128];
	uint64_t v = 0;
	int fault;

	cr_assert_eq(dif_verify(&p->d, why, sizeof(why)), 0, "%s", why);
	fault = dif_run(st, &p->d, args, &v, &faddr);
	cr_assert_eq(fault, 0, "fault %d", fault);
	return v;
}

static int fault_of(prog_t *p)
{
	char why[128];
	uint64_t v;

	cr_assert_eq(dif_verify(&p->d, why, sizeof(why)), 0, "%s", why);
	return dif_run(st, &p->d, args, &v, &faddr);
}

static uint64_t binary(enum dif_op o, uint64_t a, uint64_t b)
{
	prog_t p = {0};

	setx(&p, 1, a);
	setx(&p, 2, b);
	op(&p, o, 1, 2, 3);
	ret(&p, 3);
	return run(&p);
}

Test(dif, arithmetic_is_on_64_bits)
{
	cr_assert_eq(binary(DIF_OR, 0xf0, 0x0f), 0xff);
	cr_assert_eq(binary(DIF_XOR, 0xff, 0x0f), 0xf0);
	cr_assert_eq(binary(DIF_AND, 0xfc, 0x3f), 0x3c);
	cr_assert_eq(binary(DIF_SLL, 1, 40), (uint64_t)1 << 40);
	cr_assert_eq(binary(DIF_SRL, (uint64_t)-8, 1), 0x7ffffffffffffffc);
	cr_assert_eq(binary(DIF_SRA, (uint64_t)-8, 1), (uint64_t)-4);
	cr_assert_eq(binary(DIF_SUB, 3, 5), (uint64_t)-2);
	cr_assert_eq(binary(DIF_ADD, (uint64_t)-1, 2), 1);
	cr_assert_eq(binary(DIF_MUL, (uint64_t)1 << 63, 3), (uint64_t)1 << 63);
	cr_assert_eq(binary(DIF_SDIV, (uint64_t)-7, 2), (uint64_t)-3);
	cr_assert_eq(binary(DIF_UDIV, (uint64_t)-7, 2), 0x7ffffffffffffffc);
	cr_assert_eq(binary(DIF_SREM, (uint64_t)-7, 2), (uint64_t)-1);
	cr_assert_eq(binary(DIF_UREM, (uint64_t)-7, 4), 1);
	cr_assert_eq(binary(DIF_SDIV, (uint64_t)INT64_MIN, (uint64_t)-1), (uint64_t)INT64_MIN);
	cr_assert_eq(binary(DIF_SREM, (uint64_t)INT64_MIN, (uint64_t)-1), 0);
}

Test(dif, unary_and_constants)
{
	prog_t p = {0};

	setx(&p, 1, 0xff);
	op(&p, DIF_NOT, 1, 0, 2);
	op(&p, DIF_MOV, 2, 0, 3);
	op(&p, DIF_NOP, 0, 0, 0);
	op(&p, DIF_ADD, 3, 0, 4); /* %r0 is 0 */
	ret(&p, 4);
	cr_assert_eq(run(&p), ~(uint64_t)0xff);
}

Test(dif, division_by_zero_is_a_fault)
{
	static const enum dif_op ops[] = {DIF_SDIV, DIF_UDIV, DIF_SREM, DIF_UREM};

	for (size_t i = 0; i < 4; i++) {
		prog_t p = {0};

		setx(&p, 1, 1);
		op(&p, ops[i], 1, 0, 2);
		ret(&p, 2);
		cr_assert_eq(fault_of(&p), DTRACEFLT_DIVZERO);
	}
}

static bool taken(enum dif_op o, enum dif_op compare, uint64_t a, uint64_t b)
{
	prog_t p = {0};
	uint32_t at;

	setx(&p, 1, a);
	setx(&p, 2, b);
	op(&p, compare, 1, 2, 0);
	at = br(&p, o);
	ret(&p, 0);
	aim(&p, at);
	setx(&p, 3, 1);
	ret(&p, 3);
	return run(&p) != 0;
}

Test(dif, branches)
{
	static const struct {
		enum dif_op o;
		bool less, equal, greater, wrapped; /* 1:2, 2:2, 3:2, -1:2 */
	} t[] = {{DIF_BA, 1, 1, 1, 1},  {DIF_BE, 0, 1, 0, 0},  {DIF_BNE, 1, 0, 1, 1},  {DIF_BG, 0, 0, 1, 0},
		 {DIF_BGU, 0, 0, 1, 1}, {DIF_BGE, 0, 1, 1, 0}, {DIF_BGEU, 0, 1, 1, 1}, {DIF_BL, 1, 0, 0, 1},
		 {DIF_BLU, 1, 0, 0, 0}, {DIF_BLE, 1, 1, 0, 1}, {DIF_BLEU, 1, 1, 0, 0}};

	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		cr_assert_eq(taken(t[i].o, DIF_CMP, 1, 2), t[i].less, "%zu", i);
		cr_assert_eq(taken(t[i].o, DIF_CMP, 2, 2), t[i].equal, "%zu", i);
		cr_assert_eq(taken(t[i].o, DIF_CMP, 3, 2), t[i].greater, "%zu", i);
		cr_assert_eq(taken(t[i].o, DIF_CMP, (uint64_t)-1, 2), t[i].wrapped, "%zu", i);
	}
	cr_assert(taken(DIF_BE, DIF_TST, 0, 77));
	cr_assert_not(taken(DIF_BE, DIF_TST, 1, 77));
	cr_assert(taken(DIF_BL, DIF_TST, (uint64_t)-1, 77));
	/* the order of INT64_MIN and INT64_MAX, whose difference overflows */
	cr_assert(taken(DIF_BL, DIF_CMP, (uint64_t)INT64_MIN, INT64_MAX));
	cr_assert_not(taken(DIF_BG, DIF_CMP, (uint64_t)INT64_MIN, INT64_MAX));
}

static int order(const char *a, const char *b)
{
	if (taken(DIF_BL, DIF_SCMP, (uintptr_t)a, (uintptr_t)b))
		return -1;
	return taken(DIF_BE, DIF_SCMP, (uintptr_t)a, (uintptr_t)b) ? 0 : 1;
}

Test(dif, strings_compare_as_unsigned_bytes)
{
	char long1[300], long2[300];

	cr_assert_eq(order("abc", "abc"), 0);
	cr_assert_eq(order("abc", "abd"), -1);
	cr_assert_eq(order("abd", "abc"), 1);
	cr_assert_eq(order("ab", "abc"), -1);
	cr_assert_eq(order("\xff", "a"), 1);
	cr_assert_eq(order(NULL, ""), 0);
	cr_assert_eq(order(NULL, "a"), -1);
	cr_assert_eq(order("a", NULL), 1);
	/* no more than strsize bytes */
	memset(long1, 'x', sizeof(long1));
	memset(long2, 'x', sizeof(long2));
	long2[299] = 'y';
	cr_assert_eq(order(long1, long2), 0);
	long2[255] = 'y';
	cr_assert_eq(order(long1, long2), -1);
}

static const struct {
	uint64_t word;
	uint64_t byte;
} data = {0xfedcba9876543210, 0x80};

static uint64_t load(enum dif_op o, uintptr_t a)
{
	prog_t p = {0};

	setx(&p, 1, a);
	op(&p, o, 1, 0, 2);
	ret(&p, 2);
	return run(&p);
}

Test(dif, loads_extend_by_their_type)
{
	uintptr_t a = (uintptr_t)&data.word;

	for (int user = 0; user < 2; user++) {
		enum dif_op base = user ? DIF_ULDSB : DIF_LDSB;

		cr_assert_eq(load(base, a + 7), (uint64_t)-2);
		cr_assert_eq(load(base + 1, a + 6), 0xfffffffffffffedc);
		cr_assert_eq(load(base + 2, a + 4), 0xfffffffffedcba98);
		cr_assert_eq(load(base + 3, a + 7), 0xfe);
		cr_assert_eq(load(base + 4, a + 6), 0xfedc);
		cr_assert_eq(load(base + 5, a + 4), 0xfedcba98);
		cr_assert_eq(load(base + 6, a), data.word);
	}
}

Test(dif, bad_loads_are_faults_with_their_address)
{
	static const int align[] = {1, 2, 4, 1, 2, 4, 8};

	for (int i = 0; i < 14; i++) {
		for (int how = 0; how < 3; how++) {
			static const uint64_t addrs[] = {0, 0x8000000000000000, 0x10};
			prog_t p = {0};

			setx(&p, 1, addrs[how]);
			op(&p, DIF_LDSB + i, 1, 0, 2);
			ret(&p, 2);
			cr_assert_eq(fault_of(&p), DTRACEFLT_BADADDR);
			cr_assert_eq(faddr, addrs[how]);
		}
		if (align[i % 7] > 1) {
			prog_t p = {0};

			setx(&p, 1, (uintptr_t)&data.word + 1);
			op(&p, DIF_LDSB + i, 1, 0, 2);
			ret(&p, 2);
			cr_assert_eq(fault_of(&p), DTRACEFLT_BADALIGN);
			cr_assert_eq(faddr, (uintptr_t)&data.word + 1);
		}
	}
}

Test(dif, stores_go_to_scratch_memory)
{
	prog_t p = {0};

	setx(&p, 1, 32);
	op(&p, DIF_ALLOCS, 1, 0, 2);
	setx(&p, 3, 0x1122334455667788);
	op(&p, DIF_STX, 3, 0, 2);
	setx(&p, 4, 8);
	op(&p, DIF_ADD, 2, 4, 5);
	op(&p, DIF_STW, 3, 0, 5);
	setx(&p, 4, 4);
	op(&p, DIF_ADD, 5, 4, 5);
	op(&p, DIF_STH, 3, 0, 5);
	setx(&p, 4, 2);
	op(&p, DIF_ADD, 5, 4, 5);
	op(&p, DIF_STB, 3, 0, 5);
	/* copy the 16 bytes to the second half and read its second word: 00 88 7788 55667788 */
	setx(&p, 4, 16);
	op(&p, DIF_ADD, 2, 4, 6);
	op(&p, DIF_COPYS, 2, 4, 6);
	setx(&p, 4, 8);
	op(&p, DIF_ADD, 6, 4, 6);
	op(&p, DIF_LDX, 6, 0, 7);
	ret(&p, 7);
	cr_assert_eq(run(&p), 0x0088778855667788);
}

Test(dif, stores_elsewhere_are_faults)
{
	static uint64_t victim = 5;

	for (int i = 0; i < 4; i++) {
		prog_t p = {0};

		setx(&p, 1, (uintptr_t)&victim);
		op(&p, DIF_STB + i, 0, 0, 1);
		ret(&p, 0);
		cr_assert_eq(fault_of(&p), DTRACEFLT_BADADDR);
		cr_assert_eq(faddr, (uintptr_t)&victim);
		if (i > 0) {
			prog_t q = {0};

			setx(&q, 1, 16);
			op(&q, DIF_ALLOCS, 1, 0, 2);
			setx(&q, 3, 1);
			op(&q, DIF_ADD, 2, 3, 2);
			op(&q, DIF_STB + i, 0, 0, 2);
			ret(&q, 0);
			cr_assert_eq(fault_of(&q), DTRACEFLT_BADALIGN);
		}
	}
	cr_assert_eq(victim, 5);
	{ /* one byte behind what was allocated */
		prog_t p = {0};

		setx(&p, 1, 16);
		op(&p, DIF_ALLOCS, 1, 0, 2);
		op(&p, DIF_ADD, 2, 1, 2);
		op(&p, DIF_STB, 0, 0, 2);
		ret(&p, 0);
		cr_assert_eq(fault_of(&p), DTRACEFLT_BADADDR);
	}
	{ /* copies: to memory that is not ours, from memory that is not there */
		prog_t p = {0}, q = {0};

		setx(&p, 1, (uintptr_t)&victim);
		setx(&p, 2, 8);
		op(&p, DIF_COPYS, 1, 2, 1);
		ret(&p, 0);
		cr_assert_eq(fault_of(&p), DTRACEFLT_BADADDR);
		setx(&q, 2, 8);
		op(&q, DIF_ALLOCS, 2, 0, 3);
		op(&q, DIF_COPYS, 0, 2, 3);
		ret(&q, 0);
		cr_assert_eq(fault_of(&q), DTRACEFLT_BADADDR);
		cr_assert_eq(faddr, 0);
	}
}

Test(dif, scratch_memory_ends)
{
	static const uint64_t sizes[] = {(64 << 10) + 1, (uint64_t)-1, (uint64_t)-7};
	prog_t q = {0};

	for (size_t i = 0; i < 3; i++) {
		prog_t p = {0};

		setx(&p, 1, sizes[i]);
		op(&p, DIF_ALLOCS, 1, 0, 2);
		ret(&p, 2);
		cr_assert_eq(fault_of(&p), DTRACEFLT_NOSCRATCH);
	}
	setx(&q, 1, 40 << 10);
	op(&q, DIF_ALLOCS, 1, 0, 2);
	op(&q, DIF_ALLOCS, 1, 0, 3);
	ret(&q, 3);
	cr_assert_eq(fault_of(&q), DTRACEFLT_NOSCRATCH);
}

Test(dif, arguments_and_builtins)
{
	for (uint32_t i = 0; i < 10; i++) {
		prog_t p = {0}, q = {0};

		cr_assert_eq(run(builtin(&p, DIF_VAR_ARG0 + i)), 100 + i);
		setx(&q, 1, i);
		op(&q, DIF_LDGA, 1, 0, 2);
		ret(&q, 2);
		cr_assert_eq(run(&q), 100 + i);
	}
	for (uint32_t i = DIF_VAR_CURTHREAD; i < DIF_NVARS; i++) {
		prog_t p = {0};

		(void)run(builtin(&p, i)); /* none faults outside of a probe */
	}
	cr_assert_str_eq((char *)run(builtin(&(prog_t){0}, DIF_VAR_EXECNAME)), "sched");
	cr_assert_str_eq((char *)run(builtin(&(prog_t){0}, DIF_VAR_ZONENAME)), "global");
	cr_assert_eq(run(builtin(&(prog_t){0}, DIF_VAR_PID)), 0);
}

/* ---- variables ---- */

static void assign(enum dif_op o, uint32_t id, uint64_t v)
{
	prog_t p = {0};

	setx(&p, 1, v);
	opi(&p, o, id, 1);
	ret(&p, 0);
	(void)run(&p);
}

static uint64_t value(enum dif_op o, uint32_t id)
{
	prog_t p = {0};

	opi(&p, o, id, 1);
	ret(&p, 1);
	return run(&p);
}

Test(dif, scalars_keep_the_whole_register)
{
	cr_assert_eq(value(DIF_LDGS, 0), 0);
	assign(DIF_STGS, 0, 0x123456789abcdef0);
	cr_assert_eq(value(DIF_LDGS, 0), 0x123456789abcdef0);
	cr_assert_eq(value(DIF_LDTS, 0), 0);
	assign(DIF_STTS, 0, 77);
	cr_assert_eq(value(DIF_LDTS, 0), 77);
	assign(DIF_STTS, 0, 0);
	cr_assert_eq(value(DIF_LDTS, 0), 0);
	assign(DIF_STLS, 0, 5); /* gone in the next firing */
	cr_assert_eq(value(DIF_LDLS, 0), 0);
}

Test(dif, strings_are_copied_cut_and_may_be_null)
{
	char big[300];

	cr_assert_str_eq((char *)value(DIF_LDGS, 1), ""); /* never assigned */
	cr_assert_eq(value(DIF_LDTS, 1), 0);
	cr_assert_eq(value(DIF_LDLS, 1), 0);
	assign(DIF_STGS, 1, (uintptr_t) "hello");
	cr_assert_str_eq((char *)value(DIF_LDGS, 1), "hello");
	assign(DIF_STGS, 1, 0);
	cr_assert_eq(value(DIF_LDGS, 1), 0);
	memset(big, 'z', sizeof(big) - 1);
	big[299] = '\0';
	assign(DIF_STGS, 1, (uintptr_t)big);
	cr_assert_eq(strlen((char *)value(DIF_LDGS, 1)), 255);
	assign(DIF_STTS, 1, (uintptr_t) "mine");
	cr_assert_str_eq((char *)value(DIF_LDTS, 1), "mine");
	assign(DIF_STTS, 1, 0);
	cr_assert_eq(value(DIF_LDTS, 1), 0);
	{
		prog_t p = {0};

		setx(&p, 1, 0x10);
		opi(&p, DIF_STGS, 1, 1);
		ret(&p, 0);
		cr_assert_eq(fault_of(&p), DTRACEFLT_BADADDR);
		cr_assert_eq(faddr, 0x10);
	}
}

Test(dif, structs_are_storage_that_can_be_written)
{
	static const enum dif_op ops[] = {DIF_LDGS, DIF_LDLS};
	static const uint32_t ids[] = {4, 2};

	for (size_t i = 0; i < 2; i++) {
		prog_t p = {0};

		opi(&p, ops[i], ids[i], 1);
		setx(&p, 2, 16);
		op(&p, DIF_ADD, 1, 2, 1);
		setx(&p, 3, 0xabcd);
		op(&p, DIF_STX, 3, 0, 1);
		op(&p, DIF_LDX, 1, 0, 4);
		ret(&p, 4);
		cr_assert_eq(run(&p), 0xabcd);
	}
	cr_assert_eq(((uint64_t *)value(DIF_LDGS, 4))[2], 0xabcd); /* the global one lasts */
	assign(DIF_STGS, 4, (uintptr_t)args);
	cr_assert_eq(((uint64_t *)value(DIF_LDGS, 4))[2], 102);
}

/* a[k1, k2] with an integer and a string. */
static void element(prog_t *p, uint64_t k1, const char *k2)
{
	op(p, DIF_FLUSHTS, 0, 0, 0);
	setx(p, 8, k1);
	op(p, DIF_PUSHTV, 8, 0, 4);
	setx(p, 9, (uintptr_t)k2);
	op(p, DIF_PUSHTS, 9, 0, 0);
}

static uint64_t get_element(enum dif_op o, uint32_t id, uint64_t k1, const char *k2)
{
	prog_t p = {0};

	element(&p, k1, k2);
	opi(&p, o, id, 1);
	ret(&p, 1);
	return run(&p);
}

static void put_element(enum dif_op o, uint32_t id, uint64_t k1, const char *k2, uint64_t v)
{
	prog_t p = {0};

	element(&p, k1, k2);
	setx(&p, 1, v);
	opi(&p, o, id, 1);
	ret(&p, 0);
	(void)run(&p);
}

Test(dif, associative_arrays)
{
	dtrace_drops_t drops;

	cr_assert_eq(get_element(DIF_LDGAA, 2, 1, "one"), 0);
	put_element(DIF_STGAA, 2, 1, "one", 11);
	put_element(DIF_STGAA, 2, 1, "two", 12);
	put_element(DIF_STGAA, 2, 2, "one", 21);
	put_element(DIF_STTAA, 2, 1, "one", 99);
	put_element(DIF_STGAA, 3, 1, "one", (uintptr_t) "text");
	cr_assert_eq(get_element(DIF_LDGAA, 2, 1, "one"), 11);
	cr_assert_eq(get_element(DIF_LDGAA, 2, 1, "two"), 12);
	cr_assert_eq(get_element(DIF_LDGAA, 2, 2, "one"), 21);
	cr_assert_eq(get_element(DIF_LDGAA, 2, 2, "two"), 0);
	cr_assert_eq(get_element(DIF_LDTAA, 2, 1, "one"), 99);
	cr_assert_str_eq((char *)get_element(DIF_LDGAA, 3, 1, "one"), "text");
	cr_assert_eq(get_element(DIF_LDGAA, 3, 9, "one"), 0);
	put_element(DIF_STGAA, 2, 1, "one", 0);
	cr_assert_eq(get_element(DIF_LDGAA, 2, 1, "one"), 0);
	cr_assert_eq(get_element(DIF_LDGAA, 2, 1, "two"), 12);
	/* many, against what was put */
	for (uint64_t i = 1; i <= 5000; i++)
		put_element(DIF_STGAA, 2, i, i % 2 ? "odd" : "even", i * i);
	for (uint64_t i = 1; i <= 5000; i++)
		cr_assert_eq(get_element(DIF_LDGAA, 2, i, i % 2 ? "odd" : "even"), i * i);
	dtrace_drops(st, 0, &drops);
	cr_assert_eq(drops.d_dyn, 0);
}

Test(dif, an_element_that_is_a_struct_exists_when_named)
{
	prog_t p = {0}, q = {0};

	setx(&p, 1, 3);
	op(&p, DIF_PUSHTV, 1, 0, 4);
	opi(&p, DIF_LDGAA, 5, 2);
	setx(&p, 3, 8);
	op(&p, DIF_ADD, 2, 3, 4);
	op(&p, DIF_STX, 3, 0, 4);
	op(&p, DIF_LDX, 4, 0, 5);
	ret(&p, 5);
	cr_assert_eq(run(&p), 8);
	/* but nothing may be stored behind it, where its key is */
	setx(&q, 1, 3);
	op(&q, DIF_PUSHTV, 1, 0, 4);
	opi(&q, DIF_LDGAA, 5, 2);
	setx(&q, 3, 32);
	op(&q, DIF_ADD, 2, 3, 4);
	op(&q, DIF_STX, 3, 0, 4);
	ret(&q, 0);
	cr_assert_eq(fault_of(&q), DTRACEFLT_BADADDR);
}

Test(dif, bytes_are_keys_too)
{
	uint64_t k[3] = {1, 2, 3};
	prog_t p = {0};

	setx(&p, 1, (uintptr_t)k);
	setx(&p, 2, 20);
	op(&p, DIF_PUSHTR, 1, 2, 0);
	setx(&p, 3, 42);
	opi(&p, DIF_STGAA, 2, 3);
	opi(&p, DIF_LDGAA, 2, 4); /* the tuple is still there */
	ret(&p, 4);
	cr_assert_eq(run(&p), 42);
	k[2] |= (uint64_t)1 << 32; /* outside of the 20 bytes */
	cr_assert_eq(run(&p), 42);
	p.text[4] = DIF_INSTR(DIF_NOP, 0, 0, 0);
	k[0] = 9;
	cr_assert_eq(run(&p), 0);
}

Test(dif, a_full_arena_drops_and_recovers)
{
	dtrace_drops_t drops;
	uint64_t i, kept = 0;

	dtrace_state_destroy(st);
	make_state(4096, 256);
	for (i = 1; i <= 200; i++)
		put_element(DIF_STGAA, 2, i, "k", i);
	for (i = 1; i <= 200; i++)
		kept += get_element(DIF_LDGAA, 2, i, "k") == i;
	dtrace_drops(st, 0, &drops);
	cr_assert_gt(kept, 10);
	cr_assert_eq(drops.d_dyn, 200 - kept);
	for (i = 1; i <= 200; i++)
		put_element(DIF_STGAA, 2, i, "k", 0);
	for (i = 1000; i < 1000 + kept; i++)
		put_element(DIF_STGAA, 2, i, "k", i);
	dtrace_drops(st, 0, &drops);
	cr_assert_eq(drops.d_dyn, 200 - kept);
}

Test(dif, the_tuple_stack_overflows)
{
	prog_t p = {0}, q = {0};

	for (int i = 0; i < 33; i++)
		op(&p, DIF_PUSHTV, 0, 0, 8);
	ret(&p, 0);
	cr_assert_eq(fault_of(&p), DTRACEFLT_TUPOFLOW);
	for (int i = 0; i < 32; i++)
		op(&q, DIF_PUSHTV, 0, 0, 8);
	op(&q, DIF_POPTS, 0, 0, 0);
	op(&q, DIF_PUSHTV, 0, 0, 8);
	op(&q, DIF_FLUSHTS, 0, 0, 0);
	op(&q, DIF_PUSHTV, 0, 0, 8);
	op(&q, DIF_POPTS, 0, 0, 0);
	op(&q, DIF_POPTS, 0, 0, 0); /* from an empty one: nothing */
	ret(&q, 0);
	cr_assert_eq(run(&q), 0);
}

/* ---- the verifier ---- */

static int refused(uint32_t first, ...)
{
	prog_t p = {0};
	char why[128];
	va_list ap;
	uint32_t i;

	va_start(ap, first);
	for (i = first; i != UINT32_MAX; i = va_arg(ap, uint32_t))
		emit(&p, i);
	va_end(ap);
	return dif_verify(&p.d, why, sizeof(why)) != 0;
}
#define REFUSED(...) refused(__VA_ARGS__, UINT32_MAX)
#define RET0 DIF_INSTR(DIF_RET, 0, 0, 0)

Test(dif, the_verifier_refuses)
{
	cr_assert(refused(UINT32_MAX)); /* nothing */
	cr_assert_not(REFUSED(RET0));
	cr_assert(REFUSED(DIF_INSTR(DIF_NOP, 0, 0, 0)));        /* does not end */
	cr_assert(REFUSED(DIF_INSTR(DIF_NOPS, 0, 0, 0), RET0)); /* no such instruction */
	cr_assert(REFUSED(DIF_INSTR(254, 0, 0, 0), RET0));
	cr_assert(REFUSED(DIF_INSTR(DIF_ADD, 16, 0, 1), RET0)); /* registers */
	cr_assert(REFUSED(DIF_INSTR(DIF_ADD, 0, 16, 1), RET0));
	cr_assert(REFUSED(DIF_INSTR(DIF_ADD, 0, 0, 16), RET0));
	cr_assert(REFUSED(DIF_INSTR(DIF_ADD, 0, 0, 0), RET0)); /* %r0 */
	cr_assert(REFUSED(DIF_INSTR(DIF_STX, 0, 0, 16), RET0));
	cr_assert(REFUSED(DIF_INSTR(DIF_RET, 0, 0, 16)));
	cr_assert(REFUSED(DIF_INSTR_BR(DIF_BA, 0), RET0)); /* itself */
	cr_assert(REFUSED(DIF_INSTR(DIF_NOP, 0, 0, 0), DIF_INSTR_BR(DIF_BE, 0), RET0));
	cr_assert(REFUSED(DIF_INSTR_BR(DIF_BA, 2), RET0)); /* behind the end */
	cr_assert_not(REFUSED(DIF_INSTR_BR(DIF_BA, 1), RET0));
	cr_assert(REFUSED(DIF_INSTR_IDX(DIF_SETX, 0, 1), RET0)); /* tables are empty */
	cr_assert(REFUSED(DIF_INSTR_IDX(DIF_SETS, 0, 1), RET0));
	cr_assert(REFUSED(DIF_INSTR_IDX(DIF_LDV, DIF_NVARS, 1), RET0));
	cr_assert(REFUSED(DIF_INSTR_IDX(DIF_CALL, DIF_NSUBR, 1), RET0));
	cr_assert(REFUSED(DIF_INSTR(DIF_PUSHTV, 0, 0, 3), RET0)); /* size */
}

Test(dif, strings_must_end)
{
	prog_t p = {0};
	char why[128];

	sets(&p, 1, "abc");
	ret(&p, 1);
	p.d.d_strlen--;
	cr_assert_neq(dif_verify(&p.d, why, sizeof(why)), 0);
}

Test(dif, enabling_refuses_variables_that_do_not_exist)
{
	static const struct {
		enum dif_op o;
		uint32_t id;
	} bad[] = {{DIF_LDGS, 6}, {DIF_STGS, 2},  {DIF_LDGAA, 0}, {DIF_STGAA, 6}, {DIF_LDTS, 2},
		   {DIF_STTS, 3}, {DIF_LDTAA, 0}, {DIF_STTAA, 3}, {DIF_LDLS, 3},  {DIF_STLS, 3}};
	char why[128];

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		prog_t p = {0};
		clause_t c = {0};

		opi(&p, bad[i].o, bad[i].id, 1);
		ret(&p, 0);
		action(on(&c, "dtrace", "", "", "BEGIN"), ACT_DIFEXPR, &p.d);
		cr_assert_eq(dtrace_enable(st, &c.desc, why, sizeof(why)), -1, "%zu", i);
	}
}

/* ---- subroutines ---- */

typedef struct call {
	int fault;
	uint64_t value;
} call_t;

/* Arguments: 's' a string, 'i' an integer; strings by address, so that NULL can be given. */
static call_t call(enum dif_subr subr, const char *kinds, ...)
{
	prog_t p = {0};
	call_t c = {0, 0};
	va_list ap;

	va_start(ap, kinds);
	for (; *kinds != '\0'; kinds++) {
		setx(&p, 1, *kinds == 's' ? (uintptr_t)va_arg(ap, const char *) : va_arg(ap, uint64_t));
		op(&p, *kinds == 's' ? DIF_PUSHTS : DIF_PUSHTV, 1, 0, *kinds == 's' ? 0 : 8);
	}
	va_end(ap);
	opi(&p, DIF_CALL, subr, 2);
	ret(&p, 2);
	c.fault = dif_run(st, &p.d, args, &c.value, &faddr);
	return c;
}
#define INT(subr, ...) ((int64_t)call(DIF_SUBR_##subr, __VA_ARGS__).value)
#define STR(subr, ...) ((const char *)(uintptr_t)call(DIF_SUBR_##subr, __VA_ARGS__).value)
#define FAULT(subr, ...) (call(DIF_SUBR_##subr, __VA_ARGS__).fault)
#define L (uint64_t)

Test(dif, searching_strings)
{
	cr_assert_eq(INT(STRLEN, "s", "hello"), 5);
	cr_assert_eq(INT(STRLEN, "s", ""), 0);
	cr_assert_str_eq(STR(STRCHR, "si", "foo.bar.baz", L '.'), ".bar.baz");
	cr_assert_str_eq(STR(STRRCHR, "si", "foo.bar.baz", L '.'), ".baz");
	cr_assert_eq(INT(STRCHR, "si", "foo", L 'x'), 0);
	cr_assert_str_eq(STR(STRCHR, "si", "abc", L 0), "");
	cr_assert_str_eq(STR(STRSTR, "ss", "one two", "tw"), "two");
	cr_assert_eq(INT(STRSTR, "ss", "one", "two"), 0);
	cr_assert_str_eq(STR(STRSTR, "ss", "", ""), "");
	cr_assert_eq(INT(INDEX, "ss", "abcabc", "bc"), 1);
	cr_assert_eq(INT(INDEX, "ssi", "abcabc", "bc", L 2), 4);
	cr_assert_eq(INT(INDEX, "ss", "abc", "x"), -1);
	cr_assert_eq(INT(INDEX, "ss", "", ""), 0);
	cr_assert_eq(INT(INDEX, "ssi", "abc", "", L 9), 3);
	cr_assert_eq(INT(INDEX, "ssi", "abc", "", L 2), 2);
	cr_assert_eq(INT(INDEX, "ssi", "abc", "a", L - 5), 0);
	cr_assert_eq(INT(INDEX, "ssi", "abc", "c", L 3), -1);
	cr_assert_eq(INT(RINDEX, "ss", "abcabc", "abc"), 3);
	cr_assert_eq(INT(RINDEX, "ssi", "abcabc", "abc", L 99), 3);
	cr_assert_eq(INT(RINDEX, "ssi", "abcabc", "abc", L 2), 0);
	cr_assert_eq(INT(RINDEX, "ssi", "abc", "", L - 1), 0);
	cr_assert_eq(INT(RINDEX, "ssi", "abc", "a", L - 1), -1);
	cr_assert_eq(INT(RINDEX, "ss", "abc", ""), 3);
	cr_assert_eq(INT(RINDEX, "ss", "", ""), 0);
	cr_assert_eq(INT(RINDEX, "ss", "ab", "abc"), -1);
}

Test(dif, cutting_strings)
{
	cr_assert_str_eq(STR(SUBSTR, "si", "abcdef", L 2), "cdef");
	cr_assert_str_eq(STR(SUBSTR, "sii", "abcdef", L 2, L 3), "cde");
	cr_assert_str_eq(STR(SUBSTR, "sii", "abcdef", L 1, L - 2), "");
	cr_assert_str_eq(STR(SUBSTR, "si", "abcdef", L - 2), "ef");
	cr_assert_str_eq(STR(SUBSTR, "sii", "abcdef", L - 3, L 2), "de");
	cr_assert_str_eq(STR(SUBSTR, "si", "abc", L - 9), "abc");
	cr_assert_str_eq(STR(SUBSTR, "sii", "abc", L - 9, L 7), "a");
	cr_assert_str_eq(STR(SUBSTR, "sii", "abc", L - 9, L 3), "");
	cr_assert_str_eq(STR(SUBSTR, "si", "abc", L 3), "");
	cr_assert_str_eq(STR(SUBSTR, "si", "", L 0), "");
	cr_assert_str_eq(STR(SUBSTR, "sii", "abc", L 1, L INT64_MAX), "bc");
	cr_assert_str_eq(STR(SUBSTR, "sii", "abc", L INT64_MIN, L INT64_MAX), "ab");
	cr_assert_str_eq(STR(STRJOIN, "ss", "foo", "bar"), "foobar");
	cr_assert_str_eq(STR(STRJOIN, "ss", "", ""), "");
	cr_assert_str_eq(STR(TOUPPER, "s", "aZ{`m9"), "AZ{`M9");
	cr_assert_str_eq(STR(TOLOWER, "s", "aZ[@M9"), "az[@m9");
	cr_assert_str_eq(STR(STRINGOF, "s", "copy"), "copy");
}

Test(dif, joining_too_much_is_a_fault)
{
	char half[129];

	memset(half, 'h', 128);
	half[128] = '\0';
	cr_assert_eq(FAULT(STRJOIN, "ss", half, half), DTRACEFLT_NOSCRATCH);
	cr_assert_eq(strlen(STR(STRJOIN, "ss", half, half + 1)), 255);
}

Test(dif, tokens_last_for_the_firing)
{
	prog_t p = {0}, q = {0}, r = {0};

	/* strtok("a,,b", ","), strtok(NULL, ","), then the end */
	sets(&p, 1, ",a,,b,");
	sets(&p, 2, ",");
	for (int i = 0; i < 3; i++) {
		op(&p, DIF_PUSHTS, i == 0 ? 1 : 0, 0, 0);
		op(&p, DIF_PUSHTS, 2, 0, 0);
		opi(&p, DIF_CALL, DIF_SUBR_STRTOK, 3 + i);
	}
	q = p;
	r = p;
	ret(&p, 4);
	cr_assert_str_eq((char *)run(&p), "b");
	ret(&q, 5);
	cr_assert_eq(run(&q), 0);
	/* again, behind the end */
	op(&r, DIF_PUSHTS, 0, 0, 0);
	op(&r, DIF_PUSHTS, 2, 0, 0);
	opi(&r, DIF_CALL, DIF_SUBR_STRTOK, 6);
	ret(&r, 6);
	cr_assert_eq(fault_of(&r), DTRACEFLT_BADADDR);
	cr_assert_eq(faddr, 0);
	cr_assert_str_eq(STR(STRTOK, "ss", "a,b", ""), "a,b");
	cr_assert_eq(INT(STRTOK, "ss", ",,", ","), 0);
	cr_assert_eq(INT(STRTOK, "ss", "", ","), 0);
	cr_assert_eq(FAULT(STRTOK, "ss", NULL, ","), DTRACEFLT_BADADDR);
}

Test(dif, paths)
{
	static const char *const t[][3] = {/* path, basename, dirname */
					   {"", ".", "."},
					   {"///", "/", "/"},
					   {"a", "a", "."},
					   {"a/", "a", "."},
					   {"/a", "a", "/"},
					   {"//a//b//", "b", "//a"},
					   {"/usr/lib/ssh/sshd", "sshd", "/usr/lib/ssh"}};
	static const char *const clean[][2] = {
	    {"/q/w/", "/q/w/"}, {"/q//w", "/q/w"},    {"/q/./w", "/q/w"}, {"/q/.", "/q/."},     {"./q", "./q"},
	    {"/q/..", "/"},     {"/q/../", "/"},      {"//", "/"},        {"q/..", "q"},        {"q/../w", "/w"},
	    {"..", ".."},       {"../q", "../q"},     {"/../q", "/q"},    {"/.../q", "/.../q"}, {"/q/..w", "/q/..w"},
	    {"/q/.w", "/q/.w"}, {"/a/b/../c", "/a/c"}};

	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		cr_assert_str_eq(STR(BASENAME, "s", t[i][0]), t[i][1]);
		cr_assert_str_eq(STR(DIRNAME, "s", t[i][0]), t[i][2]);
	}
	for (size_t i = 0; i < sizeof(clean) / sizeof(*clean); i++)
		cr_assert_str_eq(STR(CLEANPATH, "s", clean[i][0]), clean[i][1], "%s: %s", clean[i][0],
				 STR(CLEANPATH, "s", clean[i][0]));
}

Test(dif, numbers_and_strings)
{
	cr_assert_str_eq(STR(LLTOSTR, "i", L 0), "0");
	cr_assert_str_eq(STR(LLTOSTR, "i", L - 17), "-17");
	cr_assert_str_eq(STR(LLTOSTR, "i", L INT64_MIN), "-9223372036854775808");
	cr_assert_str_eq(STR(LLTOSTR, "ii", L 255, L 16), "0xff");
	cr_assert_str_eq(STR(LLTOSTR, "ii", L 8, L 8), "010");
	cr_assert_str_eq(STR(LLTOSTR, "ii", L 5, L 2), "101");
	cr_assert_str_eq(STR(LLTOSTR, "ii", L 35, L 36), "z");
	cr_assert_eq(FAULT(LLTOSTR, "ii", L 1, L 1), DTRACEFLT_ILLOP);
	cr_assert_eq(FAULT(LLTOSTR, "ii", L 1, L 37), DTRACEFLT_ILLOP);
	cr_assert_eq(INT(STRTOLL, "s", "  -42x"), -42);
	cr_assert_eq(INT(STRTOLL, "si", "0x1F", L 16), 31);
	cr_assert_eq(INT(STRTOLL, "si", "777", L 8), 511);
	cr_assert_eq(INT(STRTOLL, "s", "x"), 0);
	cr_assert_eq(FAULT(STRTOLL, "si", "1", L 0), DTRACEFLT_ILLOP);
}

Test(dif, null_strings_fault_at_0)
{
	static const enum dif_subr one[] = {DIF_SUBR_STRLEN,   DIF_SUBR_TOUPPER,  DIF_SUBR_TOLOWER,
					    DIF_SUBR_BASENAME, DIF_SUBR_DIRNAME,  DIF_SUBR_CLEANPATH,
					    DIF_SUBR_STRTOLL,  DIF_SUBR_STRINGOF, DIF_SUBR_COPYINSTR};
	static const enum dif_subr two[] = {DIF_SUBR_STRJOIN, DIF_SUBR_STRSTR, DIF_SUBR_INDEX,
					    DIF_SUBR_RINDEX,  DIF_SUBR_JSON,   DIF_SUBR_STRTOK};

	for (size_t i = 0; i < sizeof(one) / sizeof(*one); i++) {
		cr_assert_eq(call(one[i], "s", NULL).fault, DTRACEFLT_BADADDR, "%zu", i);
		cr_assert_eq(faddr, 0);
	}
	for (size_t i = 0; i < sizeof(two) / sizeof(*two); i++) {
		cr_assert_eq(call(two[i], "ss", NULL, "x").fault, DTRACEFLT_BADADDR, "%zu", i);
		cr_assert_eq(call(two[i], "ss", "x", NULL).fault, DTRACEFLT_BADADDR, "%zu", i);
		cr_assert_eq(call(two[i], "s", "x").fault, DTRACEFLT_ILLOP, "too few arguments");
	}
}

Test(dif, byte_order_and_devices)
{
	cr_assert_eq(INT(HTONS, "i", L 0x11223344), 0x4433);
	cr_assert_eq(INT(NTOHS, "i", L 0x1234), 0x3412);
	cr_assert_eq(INT(HTONL, "i", L 0x99aabbccdd), 0xddccbbaa);
	cr_assert_eq(INT(NTOHL, "i", L 0x01020304), 0x04030201);
	cr_assert_eq(INT(HTONLL, "i", L 0x0102030405060708), 0x0807060504030201);
	cr_assert_eq(INT(NTOHLL, "i", L 0x0102030405060708), 0x0807060504030201);
	cr_assert_eq(INT(GETMAJOR, "i", L makedevice(24, 7)), 24);
	cr_assert_eq(INT(GETMINOR, "i", L makedevice(24, 7)), 7);
	cr_assert_eq(INT(RAND, ""), 376857); /* 1 * 2416 + 374441: the time stamp is 1 at the boot */
}

static const char *inet6(const char *bytes, uint64_t strict)
{
	return STR(INET_NTOA6, "ii", L(uintptr_t) bytes, strict);
}

Test(dif, addresses)
{
	static const uint8_t v4[] = {192, 168, 0, 1}, high[] = {255, 20, 9, 100};

	cr_assert_str_eq(STR(INET_NTOA, "i", L(uintptr_t) v4), "192.168.0.1");
	cr_assert_str_eq(STR(INET_NTOP, "ii", L 2, L(uintptr_t) high), "255.20.9.100");
	cr_assert_str_eq(inet6("\xfe\x12\0\0\0\0\0\0\x02\x14\x4f\xff\0\0\0\0", 0), "fe12::214:4fff:0:0");
	cr_assert_str_eq(inet6("\xfe\x12\0\1\0\2\0\3\x02\x14\x4f\xff\0\0\0\0", 0), "fe12:1:2:3:214:4fff::");
	cr_assert_str_eq(inet6("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1", 0), "::1");
	cr_assert_str_eq(inet6("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 0), "::");
	cr_assert_str_eq(inet6("\0\1\0\0\0\2\0\3\0\4\0\5\0\6\0\7", 0), "1:0:2:3:4:5:6:7");
	cr_assert_str_eq(inet6("\0\0\0\0\0\0\0\0\0\0\xff\xff\x0a\0\0\1", 0), "10.0.0.1");
	cr_assert_str_eq(inet6("\0\0\0\0\0\0\0\0\0\0\xff\xff\x0a\0\0\1", 1), "::ffff:10.0.0.1");
	cr_assert_str_eq(inet6("\0\0\0\0\0\0\0\0\0\0\0\0\x0a\0\0\1", 1), "::10.0.0.1");
	cr_assert_str_eq(STR(INET_NTOP, "ii", L 26, L(uintptr_t) "\0\0\0\0\0\0\0\0\0\0\xff\xff\x0a\0\0\1"),
			 "::ffff:10.0.0.1");
	cr_assert_eq(FAULT(INET_NTOA, "i", L 0), DTRACEFLT_BADADDR);
	cr_assert_eq(FAULT(INET_NTOA6, "i", L 0), DTRACEFLT_BADADDR);
}

Test(dif, json)
{
	static const char *const doc = "{ \"a\": { \"b\": [ 10, -2.5e3, { \"c\": \"q\\\"x\" } ], \"e\": {} }, \"t\": "
				       "true, \"n\": null, \"s\": \"\" }";

	cr_assert_str_eq(STR(JSON, "ss", doc, "a.b[0]"), "10");
	cr_assert_str_eq(STR(JSON, "ss", doc, "a.b[1]"), "-2.5e3");
	cr_assert_str_eq(STR(JSON, "ss", doc, "a.b[2].c"), "q\\\"x");
	cr_assert_str_eq(STR(JSON, "ss", doc, "a.b[2]"), "{ \"c\": \"q\\\"x\" }");
	cr_assert_str_eq(STR(JSON, "ss", doc, "a.e"), "{}");
	cr_assert_str_eq(STR(JSON, "ss", doc, "t"), "true");
	cr_assert_str_eq(STR(JSON, "ss", doc, "n"), "null");
	cr_assert_str_eq(STR(JSON, "ss", doc, "s"), "");
	cr_assert_str_eq(STR(JSON, "ss", "[[1,2],[3]]", "[0][1]"), "2");
	cr_assert_null(STR(JSON, "ss", doc, "a.b[3]"));
	cr_assert_null(STR(JSON, "ss", doc, "x"));
	cr_assert_null(STR(JSON, "ss", doc, "a..b"));
	cr_assert_null(STR(JSON, "ss", doc, "a.b[0].c"));
	cr_assert_null(STR(JSON, "ss", "{\"a\":", "a"));
	cr_assert_null(STR(JSON, "ss", "{\"a\":\"unended", "a"));
	cr_assert_null(STR(JSON, "ss", "[]", "[0]"));
	cr_assert_null(STR(JSON, "ss", "", "a"));
}

Test(dif, memory_subroutines)
{
	static const char user[] = "user text";
	char *p;

	p = (char *)INT(COPYIN, "ii", L(uintptr_t) user, L 4);
	cr_assert_eq(memcmp(p, "user", 4), 0);
	cr_assert_str_eq(STR(COPYINSTR, "i", L(uintptr_t) user), user);
	cr_assert_str_eq(STR(COPYINSTR, "ii", L(uintptr_t) user, L 5), "user");
	cr_assert_eq(FAULT(COPYIN, "ii", L 0x100, L 4), DTRACEFLT_BADADDR);
	cr_assert_eq(faddr, 0x100);
	cr_assert_eq(FAULT(COPYIN, "ii", L(uintptr_t) user, L 1 << 40), DTRACEFLT_NOSCRATCH);
	cr_assert_eq(FAULT(BCOPY, "iii", L(uintptr_t) user, L(uintptr_t) user, L 4), DTRACEFLT_BADADDR);
	cr_assert_eq(FAULT(COPYINTO, "iii", L(uintptr_t) user, L 4, L(uintptr_t) user), DTRACEFLT_BADADDR);
	cr_assert_eq(FAULT(COPYOUT, "iii", L(uintptr_t) user, L(uintptr_t) user, L 4), DTRACEFLT_ILLOP,
		     "not destructive");
	cr_assert_neq(INT(ALLOCA, "i", L 100), 0);
	cr_assert_eq(FAULT(ALLOCA, "i", L 100000), DTRACEFLT_NOSCRATCH);
	{
		prog_t q = {0};

		/* bcopy to what alloca gave */
		setx(&q, 1, 8);
		op(&q, DIF_PUSHTV, 1, 0, 8);
		opi(&q, DIF_CALL, DIF_SUBR_ALLOCA, 2);
		setx(&q, 3, (uintptr_t)&data.word);
		op(&q, DIF_PUSHTV, 3, 0, 8);
		op(&q, DIF_PUSHTV, 2, 0, 8);
		op(&q, DIF_PUSHTV, 1, 0, 8);
		opi(&q, DIF_CALL, DIF_SUBR_BCOPY, 4);
		op(&q, DIF_LDX, 2, 0, 5);
		ret(&q, 5);
		cr_assert_eq(run(&q), data.word);
	}
}

Test(dif, message_sizes)
{
	dblk_t d = {.db_type = M_DATA}, proto = {.db_type = M_PROTO};
	uchar_t bytes[100];
	mblk_t m3 = {.b_rptr = bytes, .b_wptr = bytes + 30, .b_datap = &d};
	mblk_t m2 = {.b_cont = &m3, .b_rptr = bytes + 5, .b_wptr = bytes + 5, .b_datap = &d};
	mblk_t m1 = {.b_cont = &m2, .b_rptr = bytes, .b_wptr = bytes + 12, .b_datap = &proto};

	cr_assert_eq(INT(MSGSIZE, "i", L(uintptr_t) & m1), 42);
	cr_assert_eq(INT(MSGDSIZE, "i", L(uintptr_t) & m1), 30);
	cr_assert_eq(INT(MSGSIZE, "i", L 0), 0);
	cr_assert_eq(INT(MSGDSIZE, "i", L 0), 0);
	cr_assert_eq(FAULT(MSGSIZE, "i", L 0x20), DTRACEFLT_BADADDR);
	m3.b_rptr = bytes + 1;
	m3.b_wptr = bytes;
	cr_assert_eq(FAULT(MSGSIZE, "i", L(uintptr_t) & m1), DTRACEFLT_BADADDR);
	m3.b_rptr = bytes;
	m3.b_cont = &m3; /* a loop */
	cr_assert_eq(FAULT(MSGDSIZE, "i", L(uintptr_t) & m1), DTRACEFLT_ILLOP);
	m3.b_cont = NULL;
	m2.b_datap = NULL;
	cr_assert_eq(FAULT(MSGDSIZE, "i", L(uintptr_t) & m1), DTRACEFLT_BADADDR);
	cr_assert_eq(INT(MSGSIZE, "i", L(uintptr_t) & m1), 12);
}

Test(dif, thread_local_addresses)
{
	cr_assert_eq(INT(TLSADDR, "i", L((uintptr_t)&machine_cpu - (uintptr_t)__builtin_thread_pointer())),
		     (int64_t)(uintptr_t)&machine_cpu);
}
