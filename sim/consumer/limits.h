/*
 * What a machine grants of the sizes and rates that were asked for.
 */
#ifndef STRSIM_LIMITS_H
#define STRSIM_LIMITS_H

#include "options.h"

/*
 * Cut the options to what there is: buffers that are too large are halved until they fit (bufresize=auto), rates are
 * kept within their bounds.  NULL, or why tracing is refused.  ncpu: CPUs of the session.
 */
const char *limits_apply(options_t *op, int ncpu);
/* Say what was changed, once tracing has begun. */
void limits_report(const options_t *op);

#endif
