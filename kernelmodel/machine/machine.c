/*
 * The life of a machine: boot, the outermost loop, and taking everything down
 * again with an account of what was left over.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "machine/machine_impl.h"
#include "sys/thread.h"

/* Virtual time that processes get at the end to close their files: strclose() waits at most 15 s. */
#define EXIT_PATIENCE (60 * 1000000000LL)

LINKER_SET_DECLARE(kinit);

KLOCAL int machine_cpu;
static KLOCAL int64_t epoch;
static KLOCAL bool booted;
static KLOCAL int depth; /* of machine_run() and the like: a run inside an event leaves the outer one's stop alone */

hrtime_t machine_now(void)
{
	return machine_clock;
}

hrtime_t machine_uptime(void)
{
	return machine_clock + 1;
}

void machine_set_epoch(int64_t ns)
{
	epoch = ns;
}

int64_t machine_walltime(void)
{
	return epoch + machine_clock;
}

/* ---- running ---- */

static void run_enter(void)
{
	if (depth++ == 0)
		machine_stopping = false;
}

static void run_leave(void)
{
	depth--;
}

/* Run what is due up to `until'; 1 when that ended because no event is left at all. */
static int run_until(hrtime_t until)
{
	for (;;) {
		fiber_run_ready();
		if (machine_stopping || event_next() > until)
			return event_next() == INT64_MAX;
		event_run_first();
	}
}

void machine_run(hrtime_t until)
{
	run_enter();
	run_until(until);
	if (!machine_stopping && machine_clock < until)
		machine_clock = until;
	run_leave();
}

int machine_run_idle(hrtime_t until)
{
	int idle;

	run_enter();
	idle = run_until(until) && !machine_stopping;
	if (!idle && !machine_stopping && machine_clock < until)
		machine_clock = until;
	run_leave();
	return idle;
}

void machine_stop(void)
{
	machine_stopping = true;
}

void machine_run_ready(void)
{
	run_enter();
	fiber_run_ready();
	run_leave();
}

/* ---- boot and end ---- */

/* The registered functions in boot order: by level, link order within one. */
static const kinit_t **boot_order(size_t *np)
{
	size_t n = 0;
	const kinit_t **order = malloc(((size_t)(__stop_set_kinit - __start_set_kinit) + 1) * sizeof(*order));

	if (order == NULL)
		abort();
	LINKER_SET_FOREACH(pp, kinit)
	{
		const kinit_t *ki = *pp;
		size_t i = n++;
		for (; i > 0 && order[i - 1]->ki_level > ki->ki_level; i--)
			order[i] = order[i - 1];
		order[i] = ki;
	}
	*np = n;
	return order;
}

void machine_init(int cpu)
{
	const kinit_t **order;
	size_t n;

	machine_cpu = cpu;
	machine_clock = 0;
	depth = 0;
	machine_stopping = false;
	random_init((uint64_t)cpu);
	fiber_init();
	thread_init();
	order = boot_order(&n);
	for (size_t i = 0; i < n; i++) {
		order[i]->ki_init();
		fiber_run_ready();
	}
	free(order);
	booted = true;
}

/* Let all processes end, giving them time to drain what they wrote. */
static void end_processes(void)
{
	hrtime_t limit = machine_clock + EXIT_PATIENCE;

	machine_stopping = false;
	proc_exit_all();
	fiber_run_ready();
	while (proc_count() > 0 && event_next() <= limit) {
		event_run_first();
		fiber_run_ready();
	}
}

int machine_fini(void)
{
	const kinit_t **order;
	size_t n, bytes, objects;

	if (!booted)
		return 0;
	booted = false;
	kmem_fail_nth(0);
	taskq_fail_nth(0);
	end_processes();
	event_forget();
	order = boot_order(&n);
	while (n-- > 0) {
		if (order[n]->ki_fini != NULL)
			order[n]->ki_fini();
		machine_stopping = false;
		fiber_run_ready();
	}
	free(order);
	intr_fini();
	thread_fini();
	fiber_fini();
	event_fini();
	random_forget();
	epoch = 0;
	kmem_reap();
	kmem_alive(&bytes, &objects);
	if (objects == 0 && bytes == 0)
		return 0;
	fprintf(stderr, "strsim: leaked: %zu bytes of kernel memory in %zu objects\n", bytes, objects);
	return -1;
}
