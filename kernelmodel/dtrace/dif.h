/*
 * DIF: the bytecode D programs are compiled to, and its objects.
 *
 * A machine with 16 registers of 64 bits; %r0 reads as 0.  An instruction is
 * one 32-bit word: op<<24 | r1<<16 | r2<<8 | rd, or op<<24 | index<<8 | rd for
 * SETX, SETS, LD/ST of variables and CALL, or op<<24 | label for branches (label =
 * index of an instruction, always ahead of the branch: programs cannot loop).
 *
 * Strings and other by-reference values are addresses.  A load from an
 * address that cannot be read is a fault, never a crash; a store is allowed
 * only into scratch memory and variables.
 */
#ifndef STRSIM_DIF_H
#define STRSIM_DIF_H

#include "sys/types.h"

#define DIF_NREGS 16

enum dif_op {
	/* rd = r1 op r2 */
	DIF_OR,
	DIF_XOR,
	DIF_AND,
	DIF_SLL,
	DIF_SRL,
	DIF_SRA,
	DIF_SUB,
	DIF_ADD,
	DIF_MUL,
	DIF_SDIV,
	DIF_UDIV,
	DIF_SREM,
	DIF_UREM,
	/* rd = op r1 */
	DIF_NOT,
	DIF_MOV,
	/* flags = r1 - r2; r1 - 0; string compare of r1, r2 (NULL is "") */
	DIF_CMP,
	DIF_TST,
	DIF_SCMP,
	/* branches: always, equal, not equal, signed and unsigned orders */
	DIF_BA,
	DIF_BE,
	DIF_BNE,
	DIF_BG,
	DIF_BGU,
	DIF_BGE,
	DIF_BGEU,
	DIF_BL,
	DIF_BLU,
	DIF_BLE,
	DIF_BLEU,
	/* rd = *(type *)r1: signed and unsigned; misaligned is a fault */
	DIF_LDSB,
	DIF_LDSH,
	DIF_LDSW,
	DIF_LDUB,
	DIF_LDUH,
	DIF_LDUW,
	DIF_LDX,
	/* the same from user memory of the modelled process */
	DIF_ULDSB,
	DIF_ULDSH,
	DIF_ULDSW,
	DIF_ULDUB,
	DIF_ULDUH,
	DIF_ULDUW,
	DIF_ULDX,
	/* *(type *)rd = r1 */
	DIF_STB,
	DIF_STH,
	DIF_STW,
	DIF_STX,
	/* copy r2 bytes from r1 to rd (struct assignment into a variable or scratch) */
	DIF_COPYS,
	/* rd = scratch memory of r1 bytes, zeroed */
	DIF_ALLOCS,
	/* rd = ints[index]; rd = address of strs + index */
	DIF_SETX,
	DIF_SETS,
	/* rd = builtin variable index (enum dif_var); LDGA: rd = args[r1] raw */
	DIF_LDV,
	DIF_LDGA,
	/* scalars: global, thread-local, clause-local; by-reference types: address of the storage (LD),
	 * copy from the address in rd (ST) */
	DIF_LDGS,
	DIF_STGS,
	DIF_LDTS,
	DIF_STTS,
	DIF_LDLS,
	DIF_STLS,
	/* associative arrays, keyed by the tuple stack: global, thread-local; unset reads 0 */
	DIF_LDGAA,
	DIF_STGAA,
	DIF_LDTAA,
	DIF_STTAA,
	/* tuple stack: push integer r1 of rd bytes; push string at r1; push r2 bytes at r1; pop one; flush */
	DIF_PUSHTV,
	DIF_PUSHTS,
	DIF_PUSHTR,
	DIF_POPTS,
	DIF_FLUSHTS,
	/* rd = subroutine index (enum dif_subr) applied to the tuple stack's values, in the order pushed; empties
	 * the stack (associative array operations leave it: FLUSHTS) */
	DIF_CALL,
	/* result and end */
	DIF_RET,
	DIF_NOP,
	DIF_NOPS
};

#define DIF_INSTR(op, r1, r2, rd) ((uint32_t)(op) << 24 | (uint32_t)(r1) << 16 | (uint32_t)(r2) << 8 | (uint32_t)(rd))
#define DIF_INSTR_IDX(op, idx, rd) ((uint32_t)(op) << 24 | (uint32_t)(idx) << 8 | (uint32_t)(rd))
#define DIF_INSTR_BR(op, label) ((uint32_t)(op) << 24 | (uint32_t)(label))
#define DIF_OP(i) ((i) >> 24)
#define DIF_R1(i) ((i) >> 16 & 0xff)
#define DIF_R2(i) ((i) >> 8 & 0xff)
#define DIF_RD(i) ((i)&0xff)
#define DIF_IDX(i) ((i) >> 8 & 0xffff)
#define DIF_LABEL(i) ((i)&0xffffff)

/* Builtin variables (DIF_LDV). */
enum dif_var {
	DIF_VAR_ARG0,
	DIF_VAR_ARG1,
	DIF_VAR_ARG2,
	DIF_VAR_ARG3,
	DIF_VAR_ARG4,
	DIF_VAR_ARG5,
	DIF_VAR_ARG6,
	DIF_VAR_ARG7,
	DIF_VAR_ARG8,
	DIF_VAR_ARG9,
	DIF_VAR_CURTHREAD,
	DIF_VAR_TIMESTAMP,
	DIF_VAR_VTIMESTAMP,
	DIF_VAR_WALLTIMESTAMP,
	DIF_VAR_IPL,
	DIF_VAR_EPID,
	DIF_VAR_ID,
	DIF_VAR_CPU,
	DIF_VAR_STACKDEPTH,
	DIF_VAR_USTACKDEPTH,
	DIF_VAR_CALLER,
	DIF_VAR_UCALLER,
	DIF_VAR_PROBEPROV,
	DIF_VAR_PROBEMOD,
	DIF_VAR_PROBEFUNC,
	DIF_VAR_PROBENAME,
	DIF_VAR_PID,
	DIF_VAR_PPID,
	DIF_VAR_TID,
	DIF_VAR_EXECNAME,
	DIF_VAR_ZONENAME,
	DIF_VAR_UID,
	DIF_VAR_GID,
	DIF_VAR_ERRNO,
	DIF_VAR_CWD,
	DIF_VAR_ROOT,
	DIF_NVARS
};

/* Subroutines (DIF_CALL). */
enum dif_subr {
	DIF_SUBR_RAND,
	DIF_SUBR_MUTEX_OWNED,
	DIF_SUBR_MUTEX_OWNER,
	DIF_SUBR_MUTEX_TYPE_ADAPTIVE,
	DIF_SUBR_MUTEX_TYPE_SPIN,
	DIF_SUBR_RW_READ_HELD,
	DIF_SUBR_RW_WRITE_HELD,
	DIF_SUBR_RW_ISWRITER,
	DIF_SUBR_COPYIN,
	DIF_SUBR_COPYINSTR,
	DIF_SUBR_COPYINTO,
	DIF_SUBR_SPECULATION,
	DIF_SUBR_PROGENYOF,
	DIF_SUBR_STRLEN,
	DIF_SUBR_COPYOUT,
	DIF_SUBR_COPYOUTSTR,
	DIF_SUBR_ALLOCA,
	DIF_SUBR_BCOPY,
	DIF_SUBR_MSGSIZE,
	DIF_SUBR_MSGDSIZE,
	DIF_SUBR_GETMAJOR,
	DIF_SUBR_GETMINOR,
	DIF_SUBR_DDI_PATHNAME,
	DIF_SUBR_STRJOIN,
	DIF_SUBR_LLTOSTR,
	DIF_SUBR_BASENAME,
	DIF_SUBR_DIRNAME,
	DIF_SUBR_CLEANPATH,
	DIF_SUBR_STRCHR,
	DIF_SUBR_STRRCHR,
	DIF_SUBR_STRSTR,
	DIF_SUBR_STRTOK,
	DIF_SUBR_SUBSTR,
	DIF_SUBR_INDEX,
	DIF_SUBR_RINDEX,
	DIF_SUBR_HTONS,
	DIF_SUBR_HTONL,
	DIF_SUBR_HTONLL,
	DIF_SUBR_NTOHS,
	DIF_SUBR_NTOHL,
	DIF_SUBR_NTOHLL,
	DIF_SUBR_INET_NTOP,
	DIF_SUBR_INET_NTOA,
	DIF_SUBR_INET_NTOA6,
	DIF_SUBR_TOUPPER,
	DIF_SUBR_TOLOWER,
	DIF_SUBR_STRTOLL,
	DIF_SUBR_JSON,
	DIF_SUBR_STRINGOF, /* copy of at most strsize */
	DIF_SUBR_LINK_NTOP,
	DIF_SUBR_TLSADDR, /* argument: ks_tlsoff of a thread-local variable; its address in the kernel that fired */
	DIF_NSUBR
};

/* Faults (arg4 of dtrace:::ERROR). */
enum dif_fault {
	DTRACEFLT_UNKNOWN = 0,
	DTRACEFLT_BADADDR = 1,
	DTRACEFLT_BADALIGN = 2,
	DTRACEFLT_ILLOP = 3,
	DTRACEFLT_DIVZERO = 4,
	DTRACEFLT_NOSCRATCH = 5,
	DTRACEFLT_KPRIV = 6,
	DTRACEFLT_UPRIV = 7,
	DTRACEFLT_TUPOFLOW = 8,
	DTRACEFLT_BADSTACK = 9,
	DTRACEFLT_LIBRARY = 1000
};

/* What a value is when it is stored or recorded. */
typedef enum dif_kind {
	DIF_INT,    /* dt_size bytes, signed or not */
	DIF_STRING, /* by reference, up to dt_size (= strsize) bytes with the NUL */
	DIF_BYTES,  /* by reference, dt_size bytes: struct, union, array */
	DIF_STACK,  /* dt_size / 8 kernel program counters */
	DIF_USTACK,
	DIF_SYM,
	DIF_MOD,
	DIF_USYM,
	DIF_UMOD,
	DIF_UADDR,
	DIF_VOID
} dif_kind_t;

typedef struct dif_type {
	dif_kind_t dt_kind;
	bool dt_signed;
	uint32_t dt_size;
	const char *dt_name;  /* C spelling, for messages; not owned */
	const void *dt_ctype; /* the compiler's type, opaque here; print() uses it */
} dif_type_t;

typedef struct dif {
	uint32_t *d_text;
	uint32_t d_len;
	uint64_t *d_ints;
	uint32_t d_nints;
	char *d_strs;
	uint32_t d_strlen;
	dif_type_t d_rtype;
} dif_t;

/* A D variable; scope and index name it in LD/ST instructions (ids start at 0 in each scope). */
typedef enum dif_scope { DIF_GLOBAL, DIF_THREAD, DIF_LOCAL } dif_scope_t;
typedef struct dif_vardesc {
	char *v_name;
	dif_scope_t v_scope;
	uint32_t v_id;
	bool v_array; /* associative */
	dif_type_t v_type;
} dif_vardesc_t;

#endif
