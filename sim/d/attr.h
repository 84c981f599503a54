/*
 * Stability attributes, as the Solaris guide has them: how stable a name and
 * what it means are, and how widely they are available.  Those of a probe
 * description are the least of its parts, those of a statement the least of all
 * that it names.
 */
#ifndef STRSIM_D_ATTR_H
#define STRSIM_D_ATTR_H

#include "dtrace/dtrace.h"

typedef enum {
	DT_INTERNAL,
	DT_PRIVATE,
	DT_OBSOLETE,
	DT_EXTERNAL,
	DT_UNSTABLE,
	DT_EVOLVING,
	DT_STABLE,
	DT_STANDARD
} dt_stability_t;
typedef enum {
	DT_CLASS_UNKNOWN,
	DT_CLASS_CPU,
	DT_CLASS_PLATFORM,
	DT_CLASS_GROUP,
	DT_CLASS_ISA,
	DT_CLASS_COMMON
} dt_class_t;

typedef struct dt_attr {
	uint8_t a_name, a_data, a_class;
} dt_attr_t;

/* Stable/Stable/Common: what D itself has, and everything a program declares. */
extern const dt_attr_t dt_attr_default;
/* Private/Private/Unknown: the kernel's symbols. */
extern const dt_attr_t dt_attr_symbol;

dt_attr_t dt_attr_min(dt_attr_t a, dt_attr_t b);
/* "A/B/C", words in any case; false: it is none. */
bool dt_attr_parse(const char *text, dt_attr_t *a);
const char *dt_stability_name(uint8_t stability);
const char *dt_class_name(uint8_t class);
/* What a provider says of its probes' arguments. */
dt_attr_t dt_attr_args(const char *provider);
/* Of a description whose fields are spelled out or empty, under the provider that its probes have. */
dt_attr_t dt_attr_desc(const char *provider, const char *const field[4]);
/* Of a description: the least of what the providers of all its probes say. */
dt_attr_t dt_attr_probes(const dtrace_probedesc_t *pd, dt_attr_t *args);

#endif
