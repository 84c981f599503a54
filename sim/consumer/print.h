/*
 * Printing of recorded data in the default forms: trace(), tracemem(),
 * stack(), symbols and aggregation keys.
 */
#ifndef STRSIM_PRINT_H
#define STRSIM_PRINT_H

#include <stdio.h>

#include "dtrace/dtrace.h"

/* How to print: the dynamic options that matter here. */
typedef struct print_ctx {
	FILE *pc_fp;
	bool pc_quiet, pc_rawbytes;
	bool pc_zoom, pc_utf8; /* distributions: option aggzoom, encoding=utf8 */
	int pc_indent;         /* of stack frames */
} print_ctx_t;

#define PRINT_STACK_INDENT 14

/* Buffer that holds any symbol text. */
#define SYMTEXT_MAX 320

/* Text of a kernel address as stacks show it: module`function+0xOFF. */
const char *print_symtext(uint64_t pc, char buf[SYMTEXT_MAX]);
/* Text of a sym, mod, usym, umod or uaddr value (kind says which). */
const char *print_kindtext(dif_kind_t kind, uint64_t pc, char buf[SYMTEXT_MAX]);

/*
 * Frames of a stack, one a line, after an empty line: up to depth or the first
 * zero.  Each is preceded by indent blanks and padded to width columns.
 */
void print_stack(FILE *fp, const uint64_t *pcs, uint32_t depth, int indent, int width);
/* The same of a user stack: the first word is the process id. */
void print_ustack(FILE *fp, const uint64_t *words, uint32_t nwords, int indent, int width);
/* As trace() prints it. */
void print_value(const print_ctx_t *ctx, const dif_type_t *type, const void *data);
/* As a key of an aggregation: columns also when quiet. */
void print_key(const print_ctx_t *ctx, const dif_type_t *type, const void *data);
/* len bytes as offset, hexadecimal and characters. */
void print_dump(FILE *fp, const uint8_t *data, size_t len);

/* Value of an integer record: sign- or zero-extended from its size. */
int64_t print_getint(const dif_type_t *type, const void *data);

#endif
