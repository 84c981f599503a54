/* The harness's own JSON Lines: one flat object a line, strings without escapes, as series.c writes them. */
#ifndef STRSIM_BENCH_JSONL_H
#define STRSIM_BENCH_JSONL_H

#include <stdbool.h>
#include <stddef.h>

/* The text of a string member, "" when it is absent or too long. */
void jsonl_string(const char *line, const char *name, char *to, size_t size);
/* A number; NAN when absent or null. */
double jsonl_number(const char *line, const char *name);
bool jsonl_true(const char *line, const char *name);
/* An array of numbers: how many, at most max. */
size_t jsonl_array(const char *line, const char *name, double *to, size_t max);

#endif
