/*
 * A small assembler of x86-64: what jit.c needs, on 64-bit registers.
 *
 * Code is written straight to where it will run, which lies in the low 2 GB, as this program's text does: calls and
 * jumps between them have displacements of 32 bits.  When the space is used up, nothing more is written and as_full is set.
 */
#ifndef STRSIM_DTRACE_JIT_ASM_H
#define STRSIM_DTRACE_JIT_ASM_H

#include "sys/types.h"

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 };
/* Conditions of jumps, as instructions have them. */
enum { CC_B = 2, CC_AE, CC_E, CC_NE, CC_BE, CC_A, CC_L = 12, CC_GE, CC_LE, CC_G, CC_ALWAYS = -1 };
/* Opcodes of as_alu(). */
enum { ALU_ADD = 0x01, ALU_OR = 0x09, ALU_AND = 0x21, ALU_SUB = 0x29, ALU_XOR = 0x31, ALU_CMP = 0x39, ALU_TEST = 0x85 };

typedef struct as {
	uint8_t *as_p, *as_end;
	bool as_full;
} as_t;

void as_bytes(as_t *a, const void *bytes, size_t n);
#define AS(a, ...) as_bytes(a, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))
void as_u32(as_t *a, uint32_t v);
/* to op= from */
void as_alu(as_t *a, uint8_t op, int to, int from);
void as_mov(as_t *a, int to, int from);
/* The shortest move of a constant; flags stay. */
void as_const(as_t *a, int to, uint64_t v);
/* to = from + disp */
void as_lea(as_t *a, int to, int from, int32_t disp);
/* to = *(uint64_t *)(base + disp); and back */
void as_load(as_t *a, int to, int base, int32_t disp);
void as_store(as_t *a, int base, int32_t disp, int from);
/* *(uint64_t *)(base + disp) = v */
void as_store_const(as_t *a, int base, int32_t disp, int32_t v);
/* to = the thread-local word at this distance from the thread pointer */
void as_load_tls(as_t *a, int to, int32_t off);
/* A load of the kind that DIF's operations have (less DIF_LDSB) from the address in base. */
void as_load_kind(as_t *a, uint32_t kind, int to, int base);
/* flags of r & mask; of r - v */
void as_test_mask(as_t *a, int r, uint32_t mask);
void as_cmp_const(as_t *a, int r, int32_t v);
void as_push(as_t *a, int r);
void as_pop(as_t *a, int r);
void as_call(as_t *a, const void *f);
/* A jump to a place not known yet: as_here() gives it one.  NULL when full. */
uint8_t *as_jump(as_t *a, int cc);
void as_here(const as_t *a, uint8_t *jump);
void as_jump_to(as_t *a, int cc, const void *to);

#endif
