#include "cpus.h"

#include <cpuid.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine/machine.h"

static int ncpus;
static pthread_t threads[CPUS_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t begin = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static uint64_t round_no; /* of the call that is to be made */
static int busy;          /* threads that have not made it */
static bool ending;
static struct {
	void (*func)(void *, int);
	void *arg;
} call;

/*
 * Another CPU may have changed code (armed probes) since this thread last ran: what it has fetched of it before must not
 * be executed, hence a serializing instruction (Intel SDM 3A, 9.1.3).
 */
static void refetch(void)
{
	unsigned a, b, c, d;

	__cpuid(0, a, b, c, d);
	(void)(a + b + c + d);
}

static void *cpu_thread(void *arg)
{
	int cpu = (int)(intptr_t)arg;
	uint64_t made = 0;

	pthread_mutex_lock(&lock);
	for (;;) {
		while (round_no == made)
			pthread_cond_wait(&begin, &lock);
		made = round_no;
		if (ending)
			break;
		pthread_mutex_unlock(&lock);
		refetch();
		call.func(call.arg, cpu);
		pthread_mutex_lock(&lock);
		if (--busy == 0)
			pthread_cond_signal(&done);
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void next_round(void)
{
	pthread_mutex_lock(&lock);
	busy = ncpus - 1;
	round_no++;
	pthread_cond_broadcast(&begin);
	pthread_mutex_unlock(&lock);
}

void cpus_each(void (*f)(void *, int), void *arg)
{
	call.func = f;
	call.arg = arg;
	if (ncpus > 1)
		next_round();
	f(arg, 0);
	pthread_mutex_lock(&lock);
	while (busy > 0)
		pthread_cond_wait(&done, &lock);
	pthread_mutex_unlock(&lock);
}

int cpus_count(void)
{
	return ncpus;
}

/* Signals are the consumer's; those of faults come to whoever made them all the same. */
static void start_threads(void)
{
	sigset_t all, old;

	sigfillset(&all);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGBUS);
	sigdelset(&all, SIGFPE);
	sigdelset(&all, SIGILL);
	sigdelset(&all, SIGTRAP);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	for (int cpu = 1; cpu < ncpus; cpu++) {
		if (pthread_create(&threads[cpu], NULL, cpu_thread, (void *)(intptr_t)cpu) != 0) {
			fprintf(stderr, "strsim: cannot start a thread for CPU %d\n", cpu);
			exit(1);
		}
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static void boot(void *arg, int cpu)
{
	const uint64_t *seed = arg;

	if (seed != NULL)
		machine_seed(*seed + (uint64_t)cpu);
	machine_init(cpu);
}

void cpus_start(int n, const uint64_t *seed)
{
	uint64_t copy = seed != NULL ? *seed : 0;

	ncpus = n;
	start_threads();
	cpus_each(boot, seed != NULL ? &copy : NULL);
}

static void run(void *arg, int cpu)
{
	(void)cpu;
	machine_run(*(const hrtime_t *)arg);
}

void cpus_run(hrtime_t until)
{
	cpus_each(run, &until);
}

static void shut(void *arg, int cpu)
{
	int *failed = arg;

	failed[cpu] = machine_fini();
}

int cpus_stop(void)
{
	int failed[CPUS_MAX] = {0}, any = 0;

	cpus_each(shut, failed);
	ending = true;
	if (ncpus > 1)
		next_round();
	for (int cpu = 0; cpu < ncpus; cpu++) {
		if (cpu > 0)
			pthread_join(threads[cpu], NULL);
		any |= failed[cpu];
	}
	return any != 0 ? -1 : 0;
}
