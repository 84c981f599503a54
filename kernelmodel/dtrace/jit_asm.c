/*
 * The assembler: see jit_asm.h.
 */
#include <string.h>

#include "jit_asm.h"

void as_bytes(as_t *a, const void *bytes, size_t n)
{
	if (a->as_full || (size_t)(a->as_end - a->as_p) < n) {
		a->as_full = true;
		return;
	}
	memcpy(a->as_p, bytes, n);
	a->as_p += n;
}

void as_u32(as_t *a, uint32_t v)
{
	as_bytes(a, &v, 4);
}

/* Prefix for 64 bits; reg and rm may be the upper eight. */
static uint8_t rex(int reg, int rm)
{
	return (uint8_t)(0x48 | (reg & 8) >> 1 | (rm & 8) >> 3);
}

/* ModRM and displacement for [base + disp]; rsp and r12 need a SIB byte. */
static void memory(as_t *a, int reg, int base, int32_t disp)
{
	bool near = disp == (int8_t)disp;

	AS(a, (uint8_t)((near ? 0x40 : 0x80) | (reg & 7) << 3 | (base & 7)));
	if ((base & 7) == RSP)
		AS(a, 0x24);
	if (near)
		AS(a, (uint8_t)disp);
	else
		as_u32(a, (uint32_t)disp);
}

void as_alu(as_t *a, uint8_t op, int to, int from)
{
	AS(a, rex(from, to), op, (uint8_t)(0xc0 | (from & 7) << 3 | (to & 7)));
}

void as_mov(as_t *a, int to, int from)
{
	if (to != from)
		as_alu(a, 0x89, to, from);
}

void as_const(as_t *a, int to, uint64_t v)
{
	if (v <= UINT32_MAX) {
		if (to >= R8)
			AS(a, 0x41);
		AS(a, (uint8_t)(0xb8 | (to & 7)));
		as_u32(a, (uint32_t)v);
	} else {
		AS(a, rex(0, to), (uint8_t)(0xb8 | (to & 7)));
		as_bytes(a, &v, 8);
	}
}

void as_lea(as_t *a, int to, int from, int32_t disp)
{
	AS(a, rex(to, from), 0x8d);
	memory(a, to, from, disp);
}

void as_load(as_t *a, int to, int base, int32_t disp)
{
	AS(a, rex(to, base), 0x8b);
	memory(a, to, base, disp);
}

void as_store(as_t *a, int base, int32_t disp, int from)
{
	AS(a, rex(from, base), 0x89);
	memory(a, from, base, disp);
}

void as_store_const(as_t *a, int base, int32_t disp, int32_t v)
{
	AS(a, rex(0, base), 0xc7);
	memory(a, 0, base, disp);
	as_u32(a, (uint32_t)v);
}

void as_load_tls(as_t *a, int to, int32_t off)
{
	AS(a, 0x64, rex(to, 0), 0x8b, (uint8_t)(4 | (to & 7) << 3), 0x25);
	as_u32(a, (uint32_t)off);
}

void as_load_kind(as_t *a, uint32_t kind, int to, int base)
{
	static const uint8_t ops[][2] = {{0x0f, 0xbe}, {0x0f, 0xbf}, {0x63}, {0x0f, 0xb6},
					 {0x0f, 0xb7}, {0x8b},       {0x8b}};

	/* a 32-bit move extends with zeroes: no 64-bit prefix then */
	AS(a, (uint8_t)(kind == 5 ? rex(to, base) & ~8 : rex(to, base)));
	as_bytes(a, ops[kind], ops[kind][0] == 0x0f ? 2 : 1);
	memory(a, to, base, 0);
}

void as_test_mask(as_t *a, int r, uint32_t mask)
{
	AS(a, rex(0, r), 0xf7, (uint8_t)(0xc0 | (r & 7)));
	as_u32(a, mask);
}

void as_cmp_const(as_t *a, int r, int32_t v)
{
	AS(a, rex(0, r), 0x81, (uint8_t)(0xf8 | (r & 7)));
	as_u32(a, (uint32_t)v);
}

void as_push(as_t *a, int r)
{
	if (r >= R8)
		AS(a, 0x41);
	AS(a, (uint8_t)(0x50 | (r & 7)));
}

void as_pop(as_t *a, int r)
{
	if (r >= R8)
		AS(a, 0x41);
	AS(a, (uint8_t)(0x58 | (r & 7)));
}

static uint32_t distance(const as_t *a, const void *to)
{
	return (uint32_t)(int32_t)((intptr_t)to - (intptr_t)(a->as_p + 4));
}

void as_call(as_t *a, const void *f)
{
	AS(a, 0xe8);
	as_u32(a, distance(a, f));
}

uint8_t *as_jump(as_t *a, int cc)
{
	if (cc == CC_ALWAYS)
		AS(a, 0xe9);
	else
		AS(a, 0x0f, (uint8_t)(0x80 | cc));
	as_u32(a, 0);
	return a->as_full ? NULL : a->as_p;
}

/* A jump is named by the address behind it. */
void as_here(const as_t *a, uint8_t *jump)
{
	int32_t rel;

	if (jump == NULL || a->as_full)
		return;
	rel = (int32_t)(a->as_p - jump);
	memcpy(jump - 4, &rel, 4);
}

void as_jump_to(as_t *a, int cc, const void *to)
{
	if (cc == CC_ALWAYS)
		AS(a, 0xe9);
	else
		AS(a, 0x0f, (uint8_t)(0x80 | cc));
	as_u32(a, distance(a, to));
}
