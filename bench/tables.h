/*
 * Tables from a key of bytes to a count, each behind the same few functions.  Keys of one table have one length, a
 * multiple of 8.  Those of libraries that are not installed are NULL.
 */
#ifndef STRSIM_BENCH_TABLES_H
#define STRSIM_BENCH_TABLES_H

#include <stddef.h>
#include <stdint.h>

typedef struct table_ops {
	const char *to_name;
	void *(*to_create)(size_t klen);
	void (*to_count)(void *table, const uint64_t *key);
	/* Call f with every count. */
	void (*to_walk)(void *table, void (*f)(void *arg, uint64_t count), void *arg);
	void (*to_destroy)(void *table);
} table_ops_t;

#ifdef __cplusplus
extern "C" {
#endif
extern const table_ops_t table_strsim, table_open;
/* Bytes mapped by a table of strsim's, and its number of keys. */
size_t table_strsim_bytes(void *table, size_t *nkeys);
extern const table_ops_t table_glib __attribute__((weak)), table_ck __attribute__((weak));
extern const table_ops_t table_absl __attribute__((weak)), table_uthash __attribute__((weak));
#ifdef __cplusplus
}
#endif

#endif
