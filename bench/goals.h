/*
 * strbench goals FILE...: the goals the project has set itself, each beside what was measured.
 *
 * A goal is a figure of one contender by itself, or one contender's over another's of the same rounds.
 */
#ifndef STRSIM_BENCH_GOALS_H
#define STRSIM_BENCH_GOALS_H

#include "compare.h"

typedef enum { GOAL_AT_MOST, GOAL_AT_LEAST } goal_sense_t;
typedef enum { GOAL_MET, GOAL_OPEN, GOAL_MISSED, GOAL_VOID } goal_state_t;

typedef struct goal {
	const char *g_what;
	const char *g_bench;     /* series with its parameters */
	const char *g_contender; /* whose figure */
	const char *g_over;      /* divided by this one's; NULL: times g_scale */
	double g_scale;
	goal_sense_t g_sense;
	double g_value;
	const char *g_unit;
} goal_t;

/* Is this series one that a goal needs? */
bool goals_name(const char *bench);
/*
 * The value with its interval, and whether it is met; open: the interval has the goal in it.  over: the other
 * contender's figure, NULL when the goal has none.
 */
goal_state_t goal_judge(const goal_t *g, const figure_t *f, const figure_t *over, double *value, interval_t *ci);
/* The table on standard output; 0, 1 when one is missed, void or was not measured, 2 when a file cannot be read. */
int goals_print(const char *const *files, size_t n);

#endif
