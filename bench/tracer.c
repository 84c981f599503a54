#include "tracer.h"

#include <stdlib.h>
#include <string.h>

#include "d/dt.h"

struct tracer {
	dtrace_state_t *state;
	dt_t *dt;
	dtrace_probe_t **probes; /* those enabled */
	uint32_t nprobes, ncpu;
	bool armed;
};

static char err[512];
static dt_options_t opts = {.o_strsize = 256, .o_stackframes = 20, .o_ustackframes = 20};

const char *tracer_start(void)
{
	return dtrace_init(err, sizeof(err)) == 0 ? NULL : err;
}

void tracer_stop(void)
{
	dtrace_fini();
}

/* All probes that got an enabling and have something to be armed. */
static void find_probes(tracer_t *t)
{
	for (dtrace_id_t id = 1; id <= dtrace_nprobes(); id++) {
		dtrace_probe_t *p = dtrace_probe_lookup(id);

		if (p->dtpr_ecb == NULL || p->dtpr_prov->dtpv_enable == NULL)
			continue;
		t->probes = realloc(t->probes, (t->nprobes + 1) * sizeof(*t->probes));
		if (t->probes == NULL)
			abort();
		t->probes[t->nprobes++] = p;
	}
}

static const char *enable(tracer_t *t, const char *d, bool interpret)
{
	dt_source_t src = {.src_text = d, .src_spec = DT_SPEC_NAME};
	dt_program_t *prog = dt_compile(t->dt, &src);
	const dif_vardesc_t *vars;
	dtrace_conf_t conf;
	size_t nvars;

	if (prog == NULL)
		return dt_errmsg(t->dt);
	dtrace_conf_default(&conf);
	conf.c_ncpu = (int)t->ncpu;
	conf.c_interpret = interpret;
	t->state = dtrace_state_create(&conf);
	vars = dt_vars(t->dt, &nvars);
	if (t->state == NULL || dtrace_state_vars(t->state, vars, nvars) != 0)
		return "no memory";
	for (const dtrace_ecbdesc_t *e = prog->p_ecbs; e != NULL; e = e->e_next)
		if (dtrace_enable(t->state, e, err, sizeof(err)) < 0)
			return err;
	return dtrace_go(t->state, err, sizeof(err)) == 0 ? NULL : err;
}

tracer_t *tracer_open(const char *d, uint32_t ncpu, bool interpret, const char **why)
{
	tracer_t *t = calloc(1, sizeof(*t));

	if (t == NULL)
		abort();
	t->ncpu = ncpu;
	t->dt = dt_create(&opts, err, sizeof(err));
	*why = t->dt == NULL ? err : enable(t, d, interpret);
	if (*why != NULL) {
		tracer_close(t);
		return NULL;
	}
	find_probes(t);
	t->armed = true;
	tracer_arm(t, false);
	return t;
}

void tracer_arm(tracer_t *t, bool on)
{
	if (t->armed == on)
		return;
	for (uint32_t i = 0; i < t->nprobes; i++) {
		const dtrace_provider_t *prov = t->probes[i]->dtpr_prov;

		if (on)
			(void)prov->dtpv_enable(t->probes[i]);
		else
			prov->dtpv_disable(t->probes[i]);
	}
	t->armed = on;
}

uint32_t tracer_probes(const tracer_t *t)
{
	return t->nprobes;
}

/* ---- what it found ---- */

typedef struct sum {
	tally_t *to;
	uint32_t ncells;
} sum_t;

static int add_entry(void *arg, const uint64_t *key, size_t klen, const int64_t *cells)
{
	sum_t *s = arg;

	(void)key, (void)klen;
	s->to->t_keys++;
	for (uint32_t i = 0; i < s->ncells; i++)
		tally_add(s->to, (uint64_t)cells[i]);
	return 0;
}

bool tracer_tally(tracer_t *t, tally_t *out)
{
	dtrace_aggvar_t *const *aggs;
	dtrace_drops_t drops;
	uint64_t lost = 0;
	size_t n;

	tracer_arm(t, true);
	dtrace_stop(t->state);
	t->armed = false;
	*out = (tally_t){0, 0, 0};
	aggs = dt_aggs(t->dt, &n);
	for (size_t i = 0; i < n; i++) {
		sum_t s = {out, agg_ncells(&aggs[i]->av_desc)};

		(void)agg_walk(dtrace_agg_snapshot(t->state, aggs[i]), add_entry, &s);
	}
	for (uint32_t cpu = 0; cpu < t->ncpu; cpu++) {
		dtrace_drops(t->state, (int)cpu, &drops);
		lost += drops.d_agg + drops.d_principal;
	}
	return lost == 0;
}

void tracer_close(tracer_t *t)
{
	if (t->state != NULL)
		dtrace_state_destroy(t->state);
	if (t->dt != NULL)
		dt_destroy(t->dt);
	free(t->probes);
	free(t);
}
