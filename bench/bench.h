/*
 * The benchmark harness: how a benchmark is declared.
 *
 * A series is one operation, some parameters, and contenders that do it: the base first (the same work untraced), then
 * the limit (hand-written C), strsim, and peers.  All run in the same rounds, each round in the order
 *
 *	base A B C  C B A base
 *
 * so that a drift of the clock rate falls on all of them alike (with two contenders that is A-B-B-A).  A figure is
 *
 *	SERIES_OVER	(contender - base) / scale, of the same round: what the contender adds to the base
 *	SERIES_WHOLE	contender / scale
 *
 * Rounds go on until the confidence intervals are narrow enough, or the series' time is up.  After them each contender
 * is asked whether its result is exact: a table with other keys or counts than the events sent makes the figure void.
 */
#ifndef STRSIM_BENCH_H
#define STRSIM_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum { ROLE_BASE, ROLE_LIMIT, ROLE_STRSIM, ROLE_PEER } role_t;
typedef enum { SERIES_OVER, SERIES_WHOLE } kind_t;

#define ALL_PROBES 1000000 /* more than there are */

/* What may be varied.  0: the series' own default. */
typedef struct params {
	uint32_t p_keys;   /* different keys in the draw */
	double p_zipf;     /* exponent of the draw, 0 = uniform */
	uint32_t p_keylen; /* bytes of a key */
	uint32_t p_depth;  /* frames of a stack */
	uint32_t p_probes; /* probes enabled, ALL_PROBES: all of fbt */
	uint32_t p_threads;
	uint32_t p_conns;     /* connections at a time, of a capture */
	uint64_t p_packets;   /* of a capture */
	uint32_t p_modules;   /* pushed on a stream */
	uint64_t p_ops;       /* operations in one timing */
	const char *p_growth; /* name of the parameter that a growth series varies, NULL = not one */
} params_t;

/* Keys, the sum of their counts, and the sum of the squares: equal for equal multisets of counts, and hardly otherwise. */
typedef struct tally {
	uint64_t t_keys, t_total, t_squares;
} tally_t;

typedef struct run {
	const params_t *r_params;
	const struct contender *r_c;
	void *r_data;     /* the contender's */
	double r_scale;   /* figures are divided by it */
	uint64_t r_sent;  /* operations done so far, each thread's */
	char r_note[160]; /* what was checked, or why not */
} run_t;

typedef struct contender {
	const char *c_name;
	role_t c_role;
	const void *c_arg; /* what kind of it */
	/* NULL, or why it cannot take part (it is then named as absent). */
	const char *(*c_open)(run_t *r);
	/* ns for one operation, timed over p_ops of them.  < 0: failed. */
	double (*c_time)(run_t *r);
	/* Is what it found exact?  r_note says what was compared.  NULL: there is nothing to be found. */
	bool (*c_exact)(run_t *r);
	void (*c_close)(run_t *r);
} contender_t;

typedef struct series {
	const char *s_name; /* "event/putnexts": the parameters' text is appended */
	const char *s_op;   /* what one operation is */
	const char *s_unit;
	kind_t s_kind;
	const contender_t *const *s_contenders; /* NULL ends; the first is the base */
	const params_t *s_params;
	size_t s_nparams, s_nquick;                /* the first s_nquick are run by --quick */
	double s_budget;                           /* seconds of rounds with effort 1 */
	const char *(*s_setup)(const params_t *p); /* before the contenders open; NULL, or why the series cannot run */
	void (*s_teardown)(const params_t *p);
} series_t;

extern const series_t bench_events[], bench_core[], bench_hops[], bench_outside[], bench_whole[];
extern const size_t bench_nevents, bench_ncore, bench_nhops, bench_noutside, bench_nwhole;

typedef struct options {
	bool o_quick, o_list, o_goals;
	double o_effort;     /* the budgets' share */
	const char *o_only;  /* part of the name */
	const char *o_out;   /* JSON Lines */
	const char *o_build; /* where the programs are */
} options_t;
extern options_t options;

/* Run one series with one of its parameter sets, in this process; 0, or 1 when a figure is void. */
int series_run(const series_t *s, const params_t *p, FILE *json);
/* The name with its parameters. */
void series_title(const series_t *s, const params_t *p, char *to, size_t size);

int compare_main(int argc, char **argv);
int target_main(int argc, char **argv);

/* Processor time of this thread, or time of day when several run; ns. */
uint64_t bench_clock(bool several);
/* Stay on this core from now on. */
void bench_pin(int cpu);

#endif
