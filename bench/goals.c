#include "goals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEN(a) (sizeof(a) / sizeof((a)[0]))
#define REPLAY "whole/replay conns=1000 packets=2000000"
#define KIB (1 / 1024.0)

#define AT_MOST GOAL_AT_MOST
#define AT_LEAST GOAL_AT_LEAST

static const goal_t goals[] = {
    {"putnexts.d, an event", "event/putnexts keys=72 depth=5", "strsim", "limit", 1, AT_MOST, 2, "x the limit"},
    {"  bpftrace on its USDT probe", "outside/putnexts keys=72 depth=5", "bpftrace USDT", "strsim", 1, AT_LEAST, 25,
     "x strsim"},
    {"  LTTng-UST, recorded only", "outside/putnexts keys=72 depth=5", "LTTng-UST record", "strsim", 1, AT_LEAST, 4,
     "x strsim"},
    {"tcpwdist.d, an event", "event/tcpwdist keys=16 depth=5", "strsim", "limit, AVX-512", 1, AT_MOST, 2,
     "x the limit"},
    {"  bpftrace's hist", "outside/tcpwdist keys=16 depth=5", "bpftrace NOP hist", "strsim", 1, AT_LEAST, 30,
     "x strsim"},
    {"all fbt probes of a replay, @[probefunc] = count()", "whole/allfbt conns=1000 packets=100000", "all fbt", NULL, 1,
     AT_MOST, 12, "ns an event"},
    {"probes compiled in, none enabled", "whole/nops conns=1000 packets=100000", "strsim untraced",
     "a build without probes", 1, AT_MOST, 1.01, "x without"},
    {"an enabled entry, an empty clause", "event/empty keys=72 depth=5", "strsim", NULL, 1, AT_MOST, 4, "ns"},
    {"10^5 keys, uniform", "event/keys keys=100000 depth=5 uniform", "strsim", "limit", 1, AT_MOST, 1.5, "x the limit"},
    {"10^6 keys, uniform", "event/keys keys=1000000 depth=5 uniform", "strsim", "limit", 1, AT_MOST, 1.5,
     "x the limit"},
    {"  memory a key, 10^5 of 56 bytes", "core/memory keys=100000 keylen=56 uniform", "strsim", NULL, 1, AT_MOST, 100,
     "bytes"},
    {"  memory a key, 10^6", "core/memory keys=1000000 keylen=56 uniform", "strsim", NULL, 1, AT_MOST, 100, "bytes"},
    {"two threads' events a second, 72 keys", "event/scaling keys=72 depth=5 threads=2", "strsim, 1 thread",
     "strsim, 2 threads", 1, AT_LEAST, 1.85, "x one thread's"},
    {"two threads, 10^6 keys", "event/scaling keys=1000000 depth=5 threads=2 uniform", "strsim, 1 thread",
     "strsim, 2 threads", 1, AT_LEAST, 1.4, "x one thread's"},
    {"replay untraced, 2,000,000 packets", REPLAY, "libpcap read", "strsim untraced", 1, AT_LEAST, 0.45,
     "x libpcap's rate"},
    {"  with putnexts.d", REPLAY, "libpcap read", "strsim putnexts.d", 1, AT_LEAST, 0.36, "x libpcap's rate"},
    {"  memory over an empty run", "whole/memory conns=1000 packets=2000000", "strsim untraced", NULL, KIB, AT_MOST, 64,
     "MiB"},
    {"a putnext hop, 16 modules", "hop/modules modules=16", "untraced", NULL, 1, AT_MOST, 6, "ns"},
    {"start", "start/run", "strsim", NULL, 1, AT_MOST, 30, "ms"},
    {"compiling 500 lines", "start/compile", "strsim -e, 500 lines", NULL, 1, AT_MOST, 50, "ms"},
};

bool goals_name(const char *bench)
{
	for (size_t i = 0; i < LEN(goals); i++)
		if (strcmp(goals[i].g_bench, bench) == 0)
			return true;
	return false;
}

goal_state_t goal_judge(const goal_t *g, const figure_t *f, const figure_t *over, double *value, interval_t *ci)
{
	bool most = g->g_sense == GOAL_AT_MOST;

	if (!f->f_valid || (over != NULL && (!over->f_valid || over->f_n != f->f_n)))
		return GOAL_VOID;
	if (over != NULL) {
		*value = stats_median(f->f_samples, f->f_n) / stats_median(over->f_samples, over->f_n);
		*ci = stats_ratio_ci(f->f_samples, f->f_n, over->f_samples, over->f_n, true);
	} else {
		*value = stats_median(f->f_samples, f->f_n) * g->g_scale;
		*ci = stats_median_ci(f->f_samples, f->f_n);
		ci->lo *= g->g_scale;
		ci->hi *= g->g_scale;
	}
	if (most ? ci->hi <= g->g_value : ci->lo >= g->g_value)
		return GOAL_MET;
	return (most ? ci->lo > g->g_value : ci->hi < g->g_value) ? GOAL_MISSED : GOAL_OPEN;
}

/* One line; is the goal reached, or can that not be told from these rounds? */
static bool print_goal(const goal_t *g, const figures_t *all)
{
	static const char *const words[] = {"met", "within the noise", "missed", "VOID"};
	const figure_t *f = figures_find(all, g->g_bench, g->g_contender);
	const figure_t *over = g->g_over != NULL ? figures_find(all, g->g_bench, g->g_over) : NULL;
	goal_state_t state;
	double value = NAN;
	interval_t ci = {NAN, NAN};

	printf("%-52s %s %-5g ", g->g_what, g->g_sense == GOAL_AT_MOST ? "<=" : ">=", g->g_value);
	if (f == NULL || (g->g_over != NULL && over == NULL)) {
		printf("not measured\n");
		return false;
	}
	state = goal_judge(g, f, over, &value, &ci);
	printf("%8.4g (%.4g-%.4g) %s: %s\n", value, ci.lo, ci.hi, g->g_unit, words[state]);
	return state == GOAL_MET || state == GOAL_OPEN;
}

int goals_print(const char *const *files, size_t n)
{
	figures_t all = {NULL, 0};
	bool good = true;

	for (size_t i = 0; i < n; i++)
		if (figures_load(files[i], &all) != 0) {
			figures_free(&all);
			return 2;
		}
	for (size_t i = 0; i < LEN(goals); i++)
		good &= print_goal(&goals[i], &all);
	figures_free(&all);
	return good ? 0 : 1;
}
