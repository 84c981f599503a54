/*
 * sfuzz: scenarios at random, and scenarios without memory.
 *
 *	sfuzz [-m] [-v] [-s SEED] [-c FIRST] [-n CASES] [-t SECONDS] SCENARIO...
 *
 * Case c of seed s is always the same run: of one of the scenarios in turn,
 * with machine_random() seeded from both.  It is run twice, each time in a
 * process of its own, and what it says must be the same.  With -m it is run once
 * and allocations fail at random points: message blocks, other kernel memory and
 * tasks, from the plumbing to the end; what the scenario makes of it is its own
 * affair.
 *
 * What must hold: no crash, no sanitizer's report, nothing left behind, an end
 * within the limit of processor time.  The exit status is 1 when a case failed;
 * -v shows what it said.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "consumer/msg.h"
#include "machine/machine.h"
#include "scenario/scenario.h"

/* Of sys/stream.h and sys/thread.h, whose psignal() is not the host's. */
void allocb_fail_nth(long n);
void taskq_fail_nth(long n);
/* With the sanitizer: says who allocated what was left behind. */
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

enum { LIMIT_S = 60, LEAK = 3, MAXSAID = 1 << 20 };
#define SLICE 250000000LL /* of virtual time between two decisions about memory */

static uint64_t base_seed = 1;
static bool memory, verbose;

/* The harness has chance of its own, so that the model's is the same with and without failures. */
static uint64_t rnd_state;

static uint32_t rnd(uint32_t n)
{
	rnd_state ^= rnd_state << 13;
	rnd_state ^= rnd_state >> 7;
	rnd_state ^= rnd_state << 17;
	return (uint32_t)((rnd_state * 0x2545f4914f6cdd1d) >> 33) % n;
}

/* Many failures soon, some late: a number of up to so many bits. */
static long nth(void)
{
	return 1 + (long)rnd(1U << (1 + rnd(12)));
}

static void arm(void)
{
	switch (rnd(6)) {
	case 0:
		kmem_fail_nth(nth());
		break;
	case 1:
		allocb_fail_nth(nth());
		break;
	case 2:
		taskq_fail_nth(nth());
		break;
	case 3: /* a shortage that lasts until the next decision */
		allocb_fail_nth(-nth());
		break;
	case 4:
		kmem_fail_nth(-nth());
		break;
	default:
		allocb_fail_nth(0);
		kmem_fail_nth(0);
		taskq_fail_nth(0);
	}
}

static void plenty(void)
{
	allocb_fail_nth(0);
	kmem_fail_nth(0);
	taskq_fail_nth(0);
}

/* The scenario's own failure is none of ours with -m; without, it is one. */
static int play(const char *file, uint64_t seed)
{
	static const scenario_opts_t opts = {.time = 600 * 1000000000LL, .steps = 3000000};
	workload_t *w;
	char err[512];
	int status;

	machine_init(0);
	machine_seed(seed);
	w = scenario_create(file, 0, NULL, &opts);
	if (w == NULL)
		return 2;
	if (memory && rnd(3) == 0)
		arm();
	if (w->w_setup(w, err, sizeof(err)) != 0) {
		fprintf(stderr, "%s\n", err);
		status = 1;
	} else {
		for (hrtime_t t = SLICE; w->w_run(w, t) == 0; t += SLICE) {
			if (memory)
				arm();
		}
		status = w->w_finish(w);
	}
	plenty();
	if (machine_fini() != 0) {
		if (__lsan_do_recoverable_leak_check != NULL)
			(void)__lsan_do_recoverable_leak_check();
		return LEAK;
	}
	return memory ? 0 : status;
}

/* What a child says goes into a file: its exit status, or 128 and the signal. */
static int child(const char *file, uint64_t seed, uint64_t c, FILE *said)
{
	static const struct rlimit cpu = {LIMIT_S, LIMIT_S}, core = {0, 0};
	int status;
	pid_t pid;

	rewind(said);
	if (ftruncate(fileno(said), 0) != 0)
		abort();
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		setrlimit(RLIMIT_CPU, &cpu);
		setrlimit(RLIMIT_CORE, &core);
		alarm(4 * LIMIT_S);
		dup2(fileno(said), 1);
		dup2(fileno(said), 2);
		rnd_state = (base_seed + 1) * 0x9e3779b97f4a7c15 ^ (c + 1) * 0xbf58476d1ce4e5b9;
		for (int i = 0; i < 8; i++)
			(void)rnd(2);
		status = play(file, seed);
		fflush(NULL);
		_exit(status);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		abort();
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static char *text_of(FILE *fp)
{
	char *s = malloc(MAXSAID + 1);
	size_t n;

	if (s == NULL)
		abort();
	rewind(fp);
	n = fread(s, 1, MAXSAID, fp);
	s[n] = '\0';
	return s;
}

static bool run_case(const char *file, uint64_t c, FILE *said)
{
	uint64_t seed = base_seed * 1000003 + c;
	int status = child(file, seed, c, said);
	char *first = text_of(said), *second = NULL;
	bool same = true, ok;

	if (!memory && status == 0) {
		status = child(file, seed, c, said);
		second = text_of(said);
		same = strcmp(first, second) == 0;
	}
	ok = status == 0 && same;
	if (!ok)
		printf("case %llu: %s: %s %d\n", (unsigned long long)c, file, same ? "status" : "differs, status",
		       status);
	if (verbose && !ok)
		printf("%s\n", same || second == NULL ? first : second);
	free(first);
	free(second);
	return ok;
}

int main(int argc, char **argv)
{
	uint64_t first = 0, cases = UINT64_MAX, done = 0, bad = 0;
	FILE *said = tmpfile();
	time_t end = 0;
	int c;

	while ((c = getopt(argc, argv, "mvs:c:n:t:")) != -1) {
		switch (c) {
		case 'm':
			memory = true;
			break;
		case 'v':
			verbose = true;
			break;
		case 's':
			base_seed = strtoull(optarg, NULL, 0);
			break;
		case 'c':
			first = strtoull(optarg, NULL, 0);
			break;
		case 'n':
			cases = strtoull(optarg, NULL, 0);
			break;
		case 't':
			end = time(NULL) + atol(optarg);
			break;
		default:
			return 2;
		}
	}
	if (optind == argc || said == NULL)
		return 2;
	msg_init("sfuzz");
	for (; done < cases && (end == 0 || time(NULL) < end); done++) {
		c = optind + (int)((first + done) % (uint64_t)(argc - optind));
		bad += !run_case(argv[c], first + done, said);
	}
	printf("%llu cases, %llu failed\n", (unsigned long long)done, (unsigned long long)bad);
	return bad != 0;
}
