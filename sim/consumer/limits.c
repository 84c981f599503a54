/*
 * The bounds are those of a real tracer: the cleaner runs at most 5000 times
 * a second and at least once a minute, the status is looked at every ten
 * seconds at the latest, and no buffer is larger than MEMORY.
 */
#include "limits.h"

#include <inttypes.h>
#include <stdio.h>

#include "msg.h"

#define MEMORY ((int64_t)1 << 30) /* what one kind of buffer may take, all CPUs together */
#define SECOND ((int64_t)1000000000)

typedef struct bound {
	opt_id_t b_id;
	const char *b_name;
	int64_t b_min, b_max; /* rates */
} bound_t;

static const bound_t sizes[] = {
    {OPT_BUFSIZE, "buffer size", 0, 0},
    {OPT_AGGSIZE, "aggregation size", 0, 0},
    {OPT_SPECSIZE, "speculation size", 0, 0},
    {OPT_DYNVARSIZE, "dynamic variable size", 0, 0},
};
static const bound_t rates[] = {
    {OPT_CLEANRATE, "cleaning rate", SECOND / 5000, 60 * SECOND},
    {OPT_STATUSRATE, "status rate", 1, 10 * SECOND},
};

enum { AUTO, MANUAL }; /* bufresize */
enum { STRINGS = 64 }; /* as long as strsize, that a CPU keeps room for or more */

static int64_t copies(const options_t *op, opt_id_t id, int ncpu)
{
	if (id == OPT_DYNVARSIZE)
		return 1;
	return id == OPT_SPECSIZE ? ncpu * MAX(op->op_val[OPT_NSPEC], 1) : ncpu;
}

static int fit(options_t *op, const bound_t *b, int ncpu)
{
	int64_t *v = &op->op_val[b->b_id], n = copies(op, b->b_id, ncpu), asked = *v;

	while (*v > MEMORY / n) {
		if (op->op_val[OPT_BUFRESIZE] == MANUAL)
			return -1;
		*v /= 2;
	}
	if (*v != asked)
		op->op_asked[b->b_id] = asked;
	return 0;
}

const char *limits_apply(options_t *op, int ncpu)
{
	if (options_flag(op, OPT_GRABANON))
		return "No anonymous tracing state";
	if (op->op_val[OPT_CPU] >= ncpu)
		return "Invalid argument";
	if (op->op_val[OPT_NSPEC] > MEMORY / 1024 / ncpu || op->op_val[OPT_STRSIZE] > MEMORY / STRINGS / ncpu)
		return "Not enough space";
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (fit(op, &sizes[i], ncpu) != 0)
			return "Not enough space";
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		int64_t *v = &op->op_val[rates[i].b_id], granted = MIN(MAX(*v, rates[i].b_min), rates[i].b_max);

		if (granted != *v)
			op->op_asked[rates[i].b_id] = *v;
		*v = granted;
	}
	return NULL;
}

/* 2097152 is 2m, 3000 is "3000 bytes". */
static void say_size(const char *name, int64_t v)
{
	static const char units[] = "kmgtpe";
	int unit = -1;

	while (v > 0 && v % 1024 == 0 && unit < 5) {
		v /= 1024;
		unit++;
	}
	if (unit < 0)
		msg_say("%s lowered to %" PRId64 " bytes\n", name, v);
	else
		msg_say("%s lowered to %" PRId64 "%c\n", name, v, units[unit]);
}

static void say_rate(const char *name, int64_t asked, int64_t v)
{
	const char *how = v > asked ? "reduced" : "increased";

	if (v % SECOND == 0)
		msg_say("%s %s to once every %" PRId64 " seconds\n", name, how, v / SECOND);
	else if (SECOND % v == 0)
		msg_say("%s %s to %" PRId64 " hz\n", name, how, SECOND / v);
	else
		msg_say("%s %s to once every %" PRId64 " nanoseconds\n", name, how, v);
}

void limits_report(const options_t *op)
{
	if (op->op_val[OPT_QUIETRESIZE] > 0 && options_flag(op, OPT_QUIET))
		return;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (op->op_asked[sizes[i].b_id] != 0)
			say_size(sizes[i].b_name, op->op_val[sizes[i].b_id]);
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++)
		if (op->op_asked[rates[i].b_id] != 0)
			say_rate(rates[i].b_name, op->op_asked[rates[i].b_id], op->op_val[rates[i].b_id]);
}
