/*
 * Further forms of the aggregations of a run.
 */
#ifndef STRSIM_AGGFILE_H
#define STRSIM_AGGFILE_H

#include "aggprint.h"

/*
 * One line per entry: the frames from the base of the stack to its top, joined by semicolons, a blank and the
 * value; other keys come before the frames.  What flame graph tools read.  Distributions count their total.
 * 0, or -1 with errno.
 */
int aggfile_folded(const char *file, aggprint_t *ap, dtrace_aggvar_t *const *avs, size_t navs);
/*
 * {"aggregations": [{"name": "a", "function": "count", "entries": [{"key": [...], "value": N}, ...]}, ...]}.
 * Numbers are numbers, stacks are arrays of frames; a distribution's value is an array of [label, count] of its
 * cells that are not zero.
 */
int aggfile_json(const char *file, aggprint_t *ap, dtrace_aggvar_t *const *avs, size_t navs);

#endif
