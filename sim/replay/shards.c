#include "cpus.h"
#include "replay/player.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * The replay on several CPUs: a player on each, which reads the whole capture
 * but plays only the frames that the plan gives it.  In every step all come to
 * the same virtual time.  The account is the sum.
 */

typedef struct shard {
	player_t *sh_player;
	bool sh_done;
	int sh_error;
	char sh_err[256];
	hrtime_t sh_next; /* when something happens next on this CPU */
} shard_t;

typedef struct shards {
	int s_n;
	plan_t *s_plan;
	hrtime_t s_until;
	shard_t s_shards[CPUS_MAX];
} shards_t;

static void note_next(shard_t *sh)
{
	hrtime_t mine = sh->sh_done ? INT64_MAX : player_next(sh->sh_player), event = event_next();

	sh->sh_next = mine < event ? mine : event;
}

static void start_one(void *arg, int cpu)
{
	shard_t *sh = &((shards_t *)arg)->s_shards[cpu];

	sh->sh_error = player_start(sh->sh_player, sh->sh_err, sizeof(sh->sh_err));
	if (sh->sh_error == 0)
		note_next(sh);
}

static int shards_setup(workload_t *w, char *err, size_t errlen)
{
	shards_t *s = w->w_data;
	player_t *lead = s->s_shards[0].sh_player;

	if (player_census(lead, err, errlen) != 0)
		return -1;
	if (!source_seekable(lead->pl_src)) {
		snprintf(err, errlen,
			 "--cpus: several CPUs read the capture several times: it cannot come from a pipe");
		return -1;
	}
	s->s_plan = plan_create(&lead->pl_opts, lead->pl_census, lead->pl_host, lead->pl_procs, err, errlen);
	if (s->s_plan == NULL)
		return -1;
	for (int cpu = 0; cpu < s->s_n; cpu++) {
		s->s_shards[cpu].sh_player->pl_plan = s->s_plan;
		s->s_shards[cpu].sh_player->pl_cpu = cpu;
		s->s_shards[cpu].sh_player->pl_lead = cpu > 0 ? lead : NULL;
	}
	cpus_each(start_one, s);
	for (int cpu = 0; cpu < s->s_n; cpu++) {
		if (s->s_shards[cpu].sh_error != 0) {
			snprintf(err, errlen, "CPU %d: %s", cpu, s->s_shards[cpu].sh_err);
			return -1;
		}
	}
	return 0;
}

static void run_one(void *arg, int cpu)
{
	shards_t *s = arg;
	shard_t *sh = &s->s_shards[cpu];

	if (!sh->sh_done)
		sh->sh_done = player_run(sh->sh_player, s->s_until) != 0;
	else
		machine_run(s->s_until);
	note_next(sh);
}

static int shards_run(workload_t *w, hrtime_t until)
{
	shards_t *s = w->w_data;
	int done = 0;

	s->s_until = until;
	cpus_each(run_one, s);
	for (int cpu = 0; cpu < s->s_n; cpu++)
		done += s->s_shards[cpu].sh_done;
	return done == s->s_n;
}

static hrtime_t shards_next(workload_t *w)
{
	const shards_t *s = w->w_data;
	hrtime_t next = INT64_MAX;

	for (int cpu = 0; cpu < s->s_n; cpu++)
		if (s->s_shards[cpu].sh_next < next)
			next = s->s_shards[cpu].sh_next;
	return next;
}

static void stop_one(void *arg, int cpu)
{
	player_stop(((shards_t *)arg)->s_shards[cpu].sh_player);
}

/* An account is counters and nothing else. */
static void add_account(account_t *sum, const account_t *a)
{
	uint64_t *to = (uint64_t *)sum;
	const uint64_t *from = (const uint64_t *)a;

	for (size_t i = 0; i < sizeof(*sum) / sizeof(*to); i++)
		to[i] += from[i];
}

static int shards_finish(workload_t *w)
{
	shards_t *s = w->w_data;
	account_t sum = {0};
	bool failed = false;

	cpus_each(stop_one, s);
	for (int cpu = 0; cpu < s->s_n; cpu++) {
		add_account(&sum, &s->s_shards[cpu].sh_player->pl_acct);
		failed = failed || s->s_shards[cpu].sh_player->pl_failed;
	}
	player_say(s->s_shards[0].sh_player, &sum);
	for (int cpu = s->s_n - 1; cpu >= 0; cpu--)
		player_destroy(s->s_shards[cpu].sh_player);
	plan_destroy(s->s_plan);
	free(s);
	free(w);
	return failed ? 1 : 0;
}

workload_t *replay_create_sharded(const replay_opts_t *opts)
{
	workload_t *w = calloc(1, sizeof(*w));
	shards_t *s = calloc(1, sizeof(*s));
	bool ok = w != NULL && s != NULL;

	for (int cpu = 0; ok && cpu < opts->ncpu; cpu++)
		ok = (s->s_shards[s->s_n++].sh_player = player_create(opts)) != NULL;
	if (ok) {
		*w = (workload_t){"replay", shards_setup, shards_run, shards_next, shards_finish, s, NULL};
		return w;
	}
	while (s != NULL && s->s_n > 0)
		player_destroy(s->s_shards[--s->s_n].sh_player);
	free(s);
	free(w);
	return NULL;
}
