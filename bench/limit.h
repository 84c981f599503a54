/*
 * The limit: what the actions of putnexts.d and tcpwdist.d cost when written by hand in C for this one program.
 *
 * The NOP at the function's entry is patched to call a trampoline; the hook walks the frames (bounds-checked), takes the
 * module's name, hashes and finds the entry in a table of its thread by exact comparison of the whole key.  It knows
 * what a D program may not assume: that the pointers are good, that names have at most 15 bytes.
 *
 * The library tables are measured behind the same front end.
 */
#ifndef STRSIM_BENCH_LIMIT_H
#define STRSIM_BENCH_LIMIT_H

#include "tables.h"
#include "work.h"

typedef enum {
	HOOK_RET,   /* the trampoline returns at once */
	HOOK_EMPTY, /* an empty function */
	HOOK_INC,   /* a counter */
	HOOK_WALK,  /* five frames */
	HOOK_NAME,  /* the name */
	HOOK_BOTH,  /* both */
	HOOK_HASH,  /* and hashed */
	HOOK_PUT,   /* all: the limit of putnexts.d */
	HOOK_WRITE, /* the limit of tcpwdist.d, a word of text at a time */
	HOOK_VEC,   /* the same with AVX-512 */
	HOOK_TABLE, /* the same key into a library's table, one for each thread */
	HOOK_MUTEX  /* one for all, under a mutex */
} hook_t;

typedef struct limit limit_t;

/* Can this processor run HOOK_VEC? */
bool limit_has_vectors(void);

/* table: for HOOK_TABLE and HOOK_MUTEX; depth: frames of the key. */
limit_t *limit_open(hook_t hook, const table_ops_t *table, uint32_t nthreads, uint32_t depth);
void limit_arm(limit_t *l, bool on);
void limit_tally(limit_t *l, tally_t *out);
void limit_close(limit_t *l);

/* ---- its table by itself, for the benchmarks of the core ---- */

extern const table_ops_t table_limit;

#endif
