/*
 * strbench [--quick] [--effort SHARE] [--only PART] [--out FILE] [--build DIR] [--goals] [--list]
 * strbench compare OLD NEW
 * strbench goals FILE...
 * strbench target ...
 *
 * Every series runs in a process of its own, so that none finds what another left: caches of the allocator, patched
 * code, threads.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "goals.h"

options_t options = {.o_build = "build", .o_effort = 1};

static const struct group {
	const series_t *series;
	const size_t *n;
} groups[] = {{bench_events, &bench_nevents},
	      {bench_core, &bench_ncore},
	      {bench_hops, &bench_nhops},
	      {bench_outside, &bench_noutside},
	      {bench_whole, &bench_nwhole}};

static int usage(FILE *out)
{
	fprintf(out, "usage: strbench [--quick] [--effort SHARE] [--only PART] [--out FILE] [--build DIR] [--goals]\n"
		     "                [--list]\n"
		     "       strbench compare OLD NEW\n"
		     "       strbench goals FILE...\n"
		     "\n"
		     "  --quick      fewer series and rounds: under two minutes\n"
		     "  --effort X   the share of the usual time that is spent on each series\n"
		     "  --only PART  the series whose name, with its parameters, has PART in it\n"
		     "  --out FILE   write every figure as a line of JSON\n"
		     "  --build DIR  where strsim and the other programs are (default: build)\n"
		     "  --goals      only the series that a goal is set for\n"
		     "  --list       name the series and run none\n"
		     "  compare      better, worse, or no difference, figure by figure\n"
		     "  goals        each goal beside what the results say; later files count more\n");
	return out == stderr ? 2 : 0;
}

/* ---- the machine ---- */

/* First line of a command's output, without what JSON would need to escape. */
static void ask(const char *cmd, char *to, size_t size)
{
	FILE *in = popen(cmd, "r");
	size_t n = 0;
	int c;

	while (in != NULL && (c = fgetc(in)) != EOF && c != '\n')
		if (n + 1 < size && c >= ' ' && c != '"' && c != '\\')
			to[n++] = (char)c;
	to[n] = '\0';
	if (in != NULL)
		(void)pclose(in);
}

static void describe(FILE *json)
{
	char cpu[128], commit[64], memory[32], date[32];
	struct utsname u;
	double load[1] = {0};
	time_t now = time(NULL);

	ask("sed -n 's/^model name[^:]*: //p' /proc/cpuinfo", cpu, sizeof(cpu));
	ask("sed -n 's/^MemTotal: *//p' /proc/meminfo", memory, sizeof(memory));
	ask("git describe --always --dirty 2>/dev/null", commit, sizeof(commit));
	(void)uname(&u);
	(void)getloadavg(load, 1);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
	printf("%s, %ld processors, %s; Linux %s; gcc %s; commit %s; load %.1f\n", cpu, sysconf(_SC_NPROCESSORS_ONLN),
	       memory, u.release, __VERSION__, commit, load[0]);
	if (json == NULL)
		return;
	fprintf(json,
		"{\"record\":\"run\",\"date\":\"%s\",\"cpu\":\"%s\",\"processors\":%ld,\"memory\":\"%s\","
		"\"kernel\":\"%s\",\"compiler\":\"gcc %s\",\"commit\":\"%s\",\"load\":%.2f,\"quick\":%s}\n",
		date, cpu, sysconf(_SC_NPROCESSORS_ONLN), memory, u.release, __VERSION__, commit, load[0],
		options.o_quick ? "true" : "false");
	fflush(json);
}

/* ---- running ---- */

static int run_apart(const series_t *s, const params_t *p, FILE *json)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		int rc = series_run(s, p, json);

		fflush(NULL);
		_exit(rc);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 1;
	if (pid > 0 && WIFEXITED(status))
		return WEXITSTATUS(status);
	printf("  VOID: it did not end by itself\n");
	return 1;
}

static int each(const series_t *s, FILE *json)
{
	size_t n = options.o_quick && !options.o_goals ? s->s_nquick : s->s_nparams;
	char title[160];
	int bad = 0;

	for (size_t i = 0; i < n; i++) {
		series_title(s, &s->s_params[i], title, sizeof(title));
		if (options.o_only != NULL && strstr(title, options.o_only) == NULL)
			continue;
		if (options.o_goals && !goals_name(title))
			continue;
		if (options.o_list)
			printf("%s\n", title);
		else
			bad |= run_apart(s, &s->s_params[i], json);
	}
	return bad;
}

static int run_all(FILE *json)
{
	int bad = 0;

	if (!options.o_list)
		describe(json);
	for (size_t g = 0; g < sizeof(groups) / sizeof(groups[0]); g++)
		for (size_t i = 0; i < *groups[g].n; i++)
			bad |= each(&groups[g].series[i], json);
	return bad;
}

int main(int argc, char **argv)
{
	static const struct option longs[] = {
	    {"quick", no_argument, NULL, 'q'},
	    {"effort", required_argument, NULL, 'e'},
	    {"only", required_argument, NULL, 'o'},
	    {"out", required_argument, NULL, 'f'},
	    {"build", required_argument, NULL, 'b'},
	    {"list", no_argument, NULL, 'l'},
	    {"goals", no_argument, NULL, 'g'},
	    {"help", no_argument, NULL, 'h'},
	    {NULL, 0, NULL, 0},
	};
	FILE *json = NULL;
	int c, rc;

	if (argc > 1 && strcmp(argv[1], "compare") == 0)
		return compare_main(argc - 1, argv + 1);
	if (argc > 1 && strcmp(argv[1], "target") == 0)
		return target_main(argc - 1, argv + 1);
	if (argc > 1 && strcmp(argv[1], "goals") == 0)
		return argc > 2 ? goals_print((const char *const *)argv + 2, (size_t)argc - 2) : usage(stderr);
	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		switch (c) {
		case 'q':
			options.o_quick = true;
			options.o_effort = 1.0 / 6;
			break;
		case 'e':
			options.o_effort = strtod(optarg, NULL);
			break;
		case 'o':
			options.o_only = optarg;
			break;
		case 'f':
			options.o_out = optarg;
			break;
		case 'b':
			options.o_build = optarg;
			break;
		case 'g':
			options.o_goals = true;
			break;
		case 'l':
			options.o_list = true;
			break;
		case 'h':
			return usage(stdout);
		default:
			return usage(stderr);
		}
	}
	if (optind != argc)
		return usage(stderr);
	if (options.o_out != NULL && (json = fopen(options.o_out, "w")) == NULL) {
		fprintf(stderr, "strbench: cannot write %s: %s\n", options.o_out, strerror(errno));
		return 2;
	}
	rc = run_all(json);
	if (json != NULL && fclose(json) != 0)
		rc = 1;
	if (json != NULL && options.o_goals)
		rc |= goals_print(&options.o_out, 1);
	return rc;
}
