/*
 * profile: profile-N on every CPU, tick-N on one, by the virtual clock.
 *
 * A probe's rate is in its name: N, and a unit; no unit means per second.  The
 * common rates exist from the start, others are made when a description asks
 * for them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "machine/machine.h"
#include "dtrace_impl.h"

enum { MIN_INTERVAL = 200000 }; /* ns */

typedef struct prof {
	dtrace_probe_t *p_probe;
	hrtime_t p_interval;
	bool p_tick, p_on;
	struct proftimer {
		mevent_t t_event;
		struct prof *t_prof;
		hrtime_t t_next;
	} p_timers[MAXCPU];
	struct prof *p_next;
} prof_t;

static prof_t *profs;

static const struct {
	const char *name;
	hrtime_t ns; /* 0: per second */
} units[] = {{"ns", 1},
	     {"nsec", 1},
	     {"us", 1000},
	     {"usec", 1000},
	     {"ms", 1000000},
	     {"msec", 1000000},
	     {"s", 1000000000},
	     {"sec", 1000000000},
	     {"m", 60000000000},
	     {"min", 60000000000},
	     {"h", 3600000000000},
	     {"hour", 3600000000000},
	     {"d", 86400000000000},
	     {"day", 86400000000000},
	     {"hz", 0},
	     {"", 0}};

/* Interval a name stands for, 0 when it is none. */
static hrtime_t interval_of(const char *name, bool *tick)
{
	const char *p;
	char *end;
	unsigned long long n;
	size_t i;

	*tick = strncmp(name, "tick-", 5) == 0;
	if (!*tick && strncmp(name, "profile-", 8) != 0)
		return 0;
	p = strchr(name, '-') + 1;
	if (*p < '0' || *p > '9')
		return 0;
	n = strtoull(p, &end, 10);
	if (n == 0 || n > INT64_MAX)
		return 0;
	for (i = 0; i < sizeof(units) / sizeof(*units); i++) {
		hrtime_t ns;

		if (strcasecmp(end, units[i].name) != 0)
			continue;
		ns = units[i].ns == 0 ? 1000000000 / (hrtime_t)n : units[i].ns;
		if (units[i].ns != 0 && __builtin_mul_overflow(ns, (hrtime_t)n, &ns))
			return 0;
		return ns < MIN_INTERVAL ? 0 : ns;
	}
	return 0;
}

/* ---- firing ---- */

static void profile_fire(void *arg)
{
	static const uint64_t args[10]; /* nothing runs when an event comes: no program counter */
	struct proftimer *t = arg;

	if (!t->t_prof->p_on)
		return; /* disabled by another CPU */
	t->t_next += t->t_prof->p_interval;
	event_schedule(&t->t_event, t->t_next, profile_fire, t);
	dtrace_probe(t->t_prof->p_probe, args, 0, 0);
}

/* On the machine of the calling thread. */
static void timer_start(prof_t *p)
{
	struct proftimer *t = &p->p_timers[machine_cpu];

	t->t_prof = p;
	t->t_next = machine_now() + p->p_interval;
	event_schedule(&t->t_event, t->t_next, profile_fire, t);
}

static int profile_enable(dtrace_probe_t *probe)
{
	prof_t *p = probe->dtpr_arg;

	p->p_on = true;
	timer_start(p);
	return 0;
}

static void profile_disable(dtrace_probe_t *probe)
{
	prof_t *p = probe->dtpr_arg;

	p->p_on = false;
	(void)event_cancel(&p->p_timers[machine_cpu].t_event);
}

void dtrace_cpu_start(void)
{
	prof_t *p;

	for (p = profs; p != NULL; p = p->p_next)
		if (p->p_on && !p->p_tick)
			timer_start(p);
}

/* ---- probes ---- */

static const char *const *profile_argtypes(const dtrace_probe_t *probe)
{
	static const char *const types[] = {"uintptr_t", "uintptr_t", NULL};

	(void)probe;
	return types;
}

static void profile_provide(const dtrace_probedesc_t *desc);

static const dtrace_provider_t profile_provider = {.dtpv_name = "profile",
						   .dtpv_provide = profile_provide,
						   .dtpv_enable = profile_enable,
						   .dtpv_disable = profile_disable,
						   .dtpv_argtypes = profile_argtypes,
						   .dtpv_stable = true};

static void make(const char *name)
{
	prof_t *p, **tail = &profs;
	bool tick;
	hrtime_t interval = interval_of(name, &tick);

	if (interval == 0)
		return;
	for (; *tail != NULL; tail = &(*tail)->p_next)
		if (strcmp((*tail)->p_probe->dtpr_name, name) == 0)
			return;
	p = calloc(1, sizeof(*p));
	if (p == NULL)
		return;
	p->p_interval = interval;
	p->p_tick = tick;
	p->p_probe = dtrace_probe_lookup(dtrace_probe_create(&profile_provider, "", "", name, p));
	if (p->p_probe == NULL)
		free(p);
	else
		*tail = p;
}

static void profile_provide(const dtrace_probedesc_t *desc)
{
	const char *prov = desc->dtpd_provider, *name = desc->dtpd_name;

	if (prov != NULL && *prov != '\0' && !dtrace_gmatch("profile", prov))
		return;
	if ((desc->dtpd_mod != NULL && *desc->dtpd_mod != '\0') ||
	    (desc->dtpd_func != NULL && *desc->dtpd_func != '\0'))
		return;
	if (name != NULL && !provider_isglob(name))
		make(name);
}

void profile_init(void)
{
	static const int profile_rates[] = {97, 199, 499, 997, 1999, 4001, 4999},
			 tick_rates[] = {1, 10, 100, 500, 1000, 5000};
	char name[32];
	size_t i;

	for (i = 0; i < sizeof(profile_rates) / sizeof(int); i++) {
		(void)snprintf(name, sizeof(name), "profile-%d", profile_rates[i]);
		make(name);
	}
	for (i = 0; i < sizeof(tick_rates) / sizeof(int); i++) {
		(void)snprintf(name, sizeof(name), "tick-%d", tick_rates[i]);
		make(name);
	}
}

void profile_fini(void)
{
	prof_t *p;

	while ((p = profs) != NULL) {
		profs = p->p_next;
		free(p);
	}
}
