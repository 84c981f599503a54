/*
 * pty [-v] [-s SEED] [-n CASES] [-c CASE]: the model's terminal against the
 * host's (case.h).
 *
 *	-n CASES	how many generated cases (default 2000), besides all by hand
 *	-c CASE		only this one: a number, or the name of one by hand; shows it
 *	-v		show the cases that differ in a known way too
 *	-b		only show that errors are found: with each of the model's
 *			deliberate ones (case.h) some case must differ unexplained
 *	-k		print the table of known differences
 *
 * Exit status: 0 all equal or explained, 1 not, 77 the host has no
 * pseudo-terminals.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "case.h"

#define SKIPPED 77
#define MAXSHOWN 20

static bool verbose;
static enum ptybreak wrong;
static result_t host, model;           /* of the case ... */
static result_t cleanhost, cleanmodel; /* ... and of it without known differences */
static ptycase_t clean;

/* ---- comparing ---- */

static bool seen_same(const seen_t *h, const seen_t *m)
{
	return h->nout == m->nout && memcmp(h->out, m->out, h->nout) == 0 && h->nreads == m->nreads &&
	       memcmp(h->reads, m->reads, h->nreads * sizeof(h->reads[0])) == 0 && h->nin == m->nin &&
	       memcmp(h->in, m->in, h->nin) == 0 && h->signals == m->signals;
}

/* The host's timer is a tick of 10 ms too fast or a few too slow. */
static bool same_wait(const seen_t *h, const seen_t *m)
{
	return h->waited_ms >= m->waited_ms - 10 && h->waited_ms <= m->waited_ms + 40;
}

static bool results_same(const result_t *h, const result_t *m)
{
	if (h->asleep || m->asleep)
		return false;
	for (size_t i = 0; i < h->nsteps; i++)
		if (!seen_same(&h->seen[i], &m->seen[i]) || !same_wait(&h->seen[i], &m->seen[i]))
			return false;
	return true;
}

/* Run it twice; a host that is busy may need several tries until it wakes a reader in time. */
static bool run_both(const ptycase_t *c, result_t *h, result_t *m)
{
	int tries = 0;

	model_run(c, wrong, m);
	do
		host_run(c, h);
	while (!results_same(h, m) && c->timed && ++tries < 10);
	return results_same(h, m);
}

/* Is the case equal without the known differences of the set? */
static bool same_without(const ptycase_t *c, uint64_t set)
{
	result_t *h = &cleanhost, *m = &cleanmodel;

	clean = *c;
	for (size_t i = 0; i < nknowns; i++)
		if ((set & 1ULL << i) && knowns[i].avoid != NULL)
			knowns[i].avoid(&clean);
	(void)run_both(&clean, h, m);
	for (size_t i = 0; i < nknowns; i++)
		for (size_t s = 0; (set & 1ULL << i) && knowns[i].filter != NULL && s < h->nsteps; s++) {
			knowns[i].filter(&h->seen[s], true);
			knowns[i].filter(&m->seen[s], false);
		}
	return results_same(h, m);
}

/* Those that the case may show; taking one away may make room for another. */
static uint64_t candidates(const ptycase_t *c)
{
	static ptycase_t changed;
	uint64_t set = 0, before;

	changed = *c;
	do {
		before = set;
		for (size_t i = 0; i < nknowns; i++)
			if (!(set & 1ULL << i) && knowns[i].applies(&changed)) {
				set |= 1ULL << i;
				if (knowns[i].avoid != NULL)
					knowns[i].avoid(&changed);
			}
	} while (set != before);
	return set;
}

/* The known differences that explain the case, none of them needlessly; 0: it is not explained. */
static uint64_t explain(const ptycase_t *c)
{
	uint64_t set = candidates(c);

	if (set == 0 || !same_without(c, set))
		return 0;
	for (size_t i = 0; i < nknowns; i++)
		if ((set & 1ULL << i) && set != 1ULL << i && same_without(c, set & ~(1ULL << i)))
			set &= ~(1ULL << i);
	return set;
}

/* ---- cases ---- */

static struct {
	size_t cases, equal, known, unexplained;
} count;

static void show_case(const ptycase_t *c, const char *verdict)
{
	case_print(c);
	seen_print("host", &host);
	seen_print("model", &model);
	printf("  %s\n", verdict);
}

/* A case by hand says which known differences it may show ... */
static bool is_announced(const ptycase_t *c, uint64_t set)
{
	for (size_t i = 0; c->known != NULL && i < nknowns; i++)
		if ((set & 1ULL << i) && strstr(c->known, knowns[i].name) == NULL)
			return false;
	return true;
}

/* ... and what the model must then show, whatever this host does. */
static bool model_is_right(const ptycase_t *c)
{
	char *text;
	bool right;

	if (c->known == NULL || c->known[0] == '\0')
		return true;
	text = seen_text(&model);
	right = strcmp(text, c->says) == 0;
	if (!right && wrong == BREAK_NONE)
		printf("%s: the model must show %s\n", c->name, c->says);
	free(text);
	return right;
}

/* What is left of a difference. */
static void show_clean(uint64_t set)
{
	for (size_t i = 0; i < nknowns; i++)
		if (set & 1ULL << i)
			printf("  without %s\n", knowns[i].name);
	case_print(&clean);
	seen_print("host", &cleanhost);
	seen_print("model", &cleanmodel);
}

static void show_unexplained(const ptycase_t *c)
{
	uint64_t set = candidates(c);

	show_case(c, "NOT EXPLAINED");
	if (set != 0) {
		(void)same_without(c, set);
		show_clean(set);
	}
}

static void count_known(const ptycase_t *c, uint64_t set, bool show)
{
	char verdict[512] = "known:";

	count.known++;
	for (size_t i = 0; i < nknowns; i++)
		if (set & 1ULL << i) {
			knowns[i].count++;
			snprintf(verdict + strlen(verdict), sizeof(verdict) - strlen(verdict), " %s;", knowns[i].name);
		}
	if (show)
		show_case(c, verdict);
}

static void try_case(const ptycase_t *c, bool show)
{
	bool equal = run_both(c, &host, &model), right = model_is_right(c);
	uint64_t set = equal ? 0 : explain(c);

	count.cases++;
	if (right && equal) {
		count.equal++;
		if (show)
			show_case(c, "equal");
	} else if (right && set != 0 && is_announced(c, set)) {
		count_known(c, set, show || verbose);
	} else if (++count.unexplained <= MAXSHOWN && wrong == BREAK_NONE) {
		show_unexplained(c);
	}
}

static void try_all(uint64_t seed, size_t n)
{
	static ptycase_t c;

	/* Those that wait take as long as they say; of the deliberate errors they show one only. */
	for (size_t i = 0; case_by_hand(i, &c); i++)
		if (!c.timed || wrong == BREAK_NONE || wrong == BREAK_min)
			try_case(&c, false);
	for (size_t i = 0; i < n; i++) {
		case_generate(seed, i, &c);
		try_case(&c, false);
	}
}

static void try_one(uint64_t seed, const char *which)
{
	static ptycase_t c;
	char *end;
	size_t n = strtoul(which, &end, 10);

	if (*end == '\0') {
		case_generate(seed, n, &c);
		try_case(&c, true);
		return;
	}
	for (size_t i = 0; case_by_hand(i, &c); i++)
		if (strcmp(c.name, which) == 0)
			try_case(&c, true);
}

static int summary(void)
{
	printf("pty: %zu cases: %zu equal, %zu differ in known ways, %zu unexplained\n", count.cases, count.equal,
	       count.known, count.unexplained);
	for (size_t i = 0; i < nknowns; i++)
		if (knowns[i].count != 0)
			printf("%6zu  %s\n", knowns[i].count, knowns[i].name);
	return count.unexplained != 0 || count.cases == 0;
}

/* ---- the program ---- */

/* Each deliberate error must be found. */
static int try_breaks(uint64_t seed, size_t n)
{
#define PTY_NAME(name) #name,
	static const char *const names[] = {"none", PTY_BREAKS(PTY_NAME)};
	int missed = 0;

	for (wrong = 1; wrong < NBREAKS; wrong++) {
		memset(&count, 0, sizeof(count));
		try_all(seed, n);
		printf("pty: model with wrong %s: %zu of %zu cases unexplained%s\n", names[wrong], count.unexplained,
		       count.cases, count.unexplained == 0 ? ": NOT FOUND" : "");
		missed += count.unexplained == 0;
	}
	return missed != 0;
}

/* As a table for docs/terminals.md. */
static void print_knowns(void)
{
	printf("| difference | Solaris and the model | Linux | source |\n| --- | --- | --- | --- |\n");
	for (size_t i = 0; i < nknowns; i++)
		printf("| %s | %s | %s | %s |\n", knowns[i].name, knowns[i].solaris, knowns[i].host, knowns[i].source);
}

struct options {
	uint64_t seed;
	size_t n;
	const char *only;
	bool breaks;
};

static int run(const struct options *o)
{
	const char *why = host_init();
	size_t lost;
	int status;

	if (why != NULL) {
		printf("pty: SKIPPED: this host gives no pseudo-terminal: %s\n", why);
		return SKIPPED;
	}
	model_init();
	if (o->breaks) {
		status = try_breaks(o->seed, o->n);
	} else if (o->only != NULL) {
		try_one(o->seed, o->only);
		status = count.unexplained != 0 || count.cases == 0;
	} else {
		try_all(o->seed, o->n);
		status = summary();
	}
	if ((lost = model_fini()) != 0) {
		printf("pty: the model lost %zu objects\n", lost);
		status = 1;
	}
	return status;
}

/* A child leads the session of the terminals. */
int main(int argc, char **argv)
{
	struct options o = {.seed = 1, .n = 2000};
	int opt, status;
	pid_t pid;

	while ((opt = getopt(argc, argv, "s:n:c:vbk")) != -1)
		switch (opt) {
		case 's':
			o.seed = strtoull(optarg, NULL, 10);
			break;
		case 'n':
			o.n = strtoul(optarg, NULL, 10);
			break;
		case 'c':
			o.only = optarg;
			break;
		case 'v':
			verbose = true;
			break;
		case 'b':
			o.breaks = true;
			break;
		case 'k':
			print_knowns();
			return 0;
		default:
			fprintf(stderr, "usage: pty [-vbk] [-s SEED] [-n CASES] [-c CASE]\n");
			return 2;
		}
	if ((pid = fork()) < 0) {
		perror("pty: fork");
		return 2;
	}
	if (pid == 0) {
		status = run(&o);
		fflush(stdout);
		_exit(status);
	}
	if (waitpid(pid, &status, 0) != pid)
		return 2;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}
