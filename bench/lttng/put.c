/*
 * LTTng-UST behind the hand-written front end (limit_hooks.c's hook_table): the key is recorded instead of counted.  A
 * library of its own, which only `strbench target -h lttng' loads: its threads start with it.
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "bench/lttng/put.h"

void lttng_put(void *table, const uint64_t *key);

/* Two words of name, five of stack. */
void lttng_put(void *table, const uint64_t *key)
{
	(void)table;
	lttng_ust_tracepoint(strbench, put, (const char *)key, key + 2);
}
