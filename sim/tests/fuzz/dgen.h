/*
 * D programs at random: out of a grammar, or bent out of others.
 */
#ifndef STRSIM_DGEN_H
#define STRSIM_DGEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DGEN_MAX = 16384 }; /* bytes of a program */

/* Random numbers: the same for the same seed and case. */
void rnd_seed(uint64_t seed, uint64_t c);
/* One of 0 ... n - 1. */
uint32_t rnd(uint32_t n);

typedef struct text {
	char *t_s; /* DGEN_MAX + 1 bytes, NUL-terminated */
	size_t t_len;
	const char *t_name; /* of the file it was read from, or NULL */
} text_t;

text_t text_new(const char *s, size_t n);

/* A program that nearly always compiles (dgen.c); for_native: its probes are mostly functions'. */
text_t gen_program(bool for_native);
/* base with some tokens and bytes deleted, repeated, exchanged, replaced, or taken from other (dbend.c). */
void bend_program(text_t *t, const text_t *other);

#endif
