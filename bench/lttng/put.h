/* The event of putnexts.d as an LTTng-UST tracepoint: the name and five frames. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER strbench
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "bench/lttng/put.h"

#if !defined(STRSIM_BENCH_LTTNG_PUT_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define STRSIM_BENCH_LTTNG_PUT_H

#include <lttng/tracepoint.h>
#include <stdint.h>

LTTNG_UST_TRACEPOINT_EVENT(strbench, put, LTTNG_UST_TP_ARGS(const char *, name, const uint64_t *, frames),
			   LTTNG_UST_TP_FIELDS(lttng_ust_field_string(name, name)
						   lttng_ust_field_array_hex(uint64_t, frames, frames, 5)))

#endif
#include <lttng/tracepoint-event.h>
