/*
 * strbench target: the traced program by itself, for tracers that attach from outside.  It sends the same events as the
 * benchmarks inside and prints how long one took and how many there were.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "limit.h"
#include "stats.h"
#include "tracer.h"

#define MAX_ROUNDS 64

static const char *const putnexts =
    "fbt:chain:chain_putnext:entry { @[stringof(args[0]->q_qinfo->qi_minfo->mi_idname), stack(5)] = count(); }";
static const char *const tcpwdist =
    "fbt:chain:chain_output:entry { @Size[pid, curpsinfo->pr_psargs] = quantize(msgdsize(args[1])); }";

static int usage(void)
{
	fprintf(stderr, "usage: strbench target [-w] [-h limit|strsim|LIBRARY] [-k KEYS] [-n EVENTS] [-r ROUNDS]\n");
	return 2;
}

/* A library whose function lttng_put() takes the keys; what it makes of them is its tool's to count. */
static void *no_table(size_t klen)
{
	(void)klen;
	return NULL;
}

static void none_known(void *table, void (*f)(void *, uint64_t), void *arg)
{
	(void)table, (void)f, (void)arg;
}

static void no_destroy(void *table)
{
	(void)table;
}

static limit_t *open_library(const char *file, const char **why)
{
	static table_ops_t ops = {"library", no_table, NULL, none_known, no_destroy};
	void *lib = dlopen(file, RTLD_NOW);
	void *put = lib != NULL ? dlsym(lib, "lttng_put") : NULL;

	if (put == NULL) {
		*why = dlerror();
		return NULL;
	}
	memcpy(&ops.to_count, &put, sizeof(put));
	return limit_open(HOOK_TABLE, &ops, 1, 5);
}

/* Exactness of what was traced inside; -1 not exact. */
static int finish(limit_t *l, tracer_t *t, const params_t *p, uint64_t sent)
{
	tally_t want = work_expected(p, sent), got = want;

	if (l != NULL)
		limit_tally(l, &got);
	if (t != NULL && !tracer_tally(t, &got))
		return -1;
	return memcmp(&got, &want, sizeof(got)) == 0 ? 0 : -1;
}

static int send_all(bool write, const char *how, const params_t *p, int rounds)
{
	double ns[MAX_ROUNDS];
	const char *why = work_start(write ? WORK_WRITE : WORK_PUT, p);
	limit_t *l = NULL, *library = NULL;
	tracer_t *t = NULL;
	uint64_t sent = 0;
	int rc;

	if (why == NULL && strcmp(how, "limit") == 0) {
		l = limit_open(write ? HOOK_WRITE : HOOK_PUT, NULL, 1, 5);
		limit_arm(l, true);
	} else if (why == NULL && strcmp(how, "strsim") == 0) {
		why = tracer_start();
		t = why == NULL ? tracer_open(write ? tcpwdist : putnexts, 1, false, &why) : NULL;
		if (t != NULL)
			tracer_arm(t, true);
	} else if (why == NULL && *how != '\0') {
		library = open_library(how, &why);
		if (library != NULL)
			limit_arm(library, true);
	}
	if (why != NULL) {
		fprintf(stderr, "strbench: %s\n", why);
		return 1;
	}
	(void)work_send(p, &sent);
	for (int r = 0; r < rounds; r++)
		ns[r] = work_send(p, &sent);
	if (l != NULL)
		limit_arm(l, false);
	if (library != NULL)
		limit_arm(library, false);
	rc = finish(l, t, p, sent);
	printf("target ns=%.3f sent=%lu keys=%lu exact=%d\n", stats_median(ns, (size_t)rounds), (unsigned long)sent,
	       (unsigned long)work_expected(p, sent).t_keys, rc == 0);
	return rc != 0;
}

int target_main(int argc, char **argv)
{
	params_t p = {.p_keys = 72, .p_zipf = 1, .p_depth = 5, .p_threads = 1, .p_ops = 100000};
	const char *how = "";
	bool write = false;
	int c, rounds = 9;

	while ((c = getopt(argc, argv, "wh:k:n:r:")) != -1) {
		switch (c) {
		case 'w':
			write = true;
			p.p_keys = 16;
			break;
		case 'h':
			how = optarg;
			break;
		case 'k':
			p.p_keys = (uint32_t)strtoul(optarg, NULL, 10);
			break;
		case 'n':
			p.p_ops = strtoull(optarg, NULL, 10);
			break;
		case 'r':
			rounds = (int)strtol(optarg, NULL, 10);
			break;
		default:
			return usage();
		}
	}
	if (p.p_keys == 0 || p.p_ops == 0 || rounds < 1 || rounds > MAX_ROUNDS)
		return usage();
	return send_all(write, how, &p, rounds);
}
