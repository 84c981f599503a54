/*
 * A process that waits behind a pipe until tracing has begun.
 */
#include "victim.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "msg.h"

static pid_t victim;
static int gate = -1, watch = -1;

/* The words of the command, NULL-terminated, in one block. */
static char **split(const char *command)
{
	size_t len = strlen(command), n = 0;
	char **argv = malloc((len / 2 + 2) * sizeof(char *) + len + 1), *text, *save;

	if (!argv)
		abort();
	text = (char *)(argv + len / 2 + 2);
	memcpy(text, command, len + 1);
	for (char *w = strtok_r(text, " \t", &save); w; w = strtok_r(NULL, " \t", &save))
		argv[n++] = w;
	argv[n] = NULL;
	return argv;
}

/* In the child: run the command when the parent says so. */
static _Noreturn void child(char **argv, int go)
{
	char c;

	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	while (read(go, &c, 1) < 0 && errno == EINTR)
		continue;
	execvp(argv[0], argv);
	_exit(127);
}

/* Can it be run at all? */
static int find_command(const char *name)
{
	const char *path = getenv("PATH");
	char file[4096];

	if (strchr(name, '/'))
		return access(name, X_OK);
	for (size_t n; path && *path; path += n + (path[n] == ':')) {
		n = strcspn(path, ":");
		if (n + strlen(name) + 2 > sizeof(file))
			continue;
		memcpy(file, path, n);
		file[n] = '/';
		strcpy(file + n + 1, name);
		if (access(file, X_OK) == 0)
			return 0;
	}
	errno = ENOENT;
	return -1;
}

pid_t victim_create(const char *command)
{
	char **argv = split(command);
	int go[2];

	if (!argv[0])
		errno = ENOENT;
	if (!argv[0] || find_command(argv[0]) != 0)
		msg_fatal("failed to execute %s", argv[0] ? argv[0] : command);
	if (pipe2(go, O_CLOEXEC) != 0 || (victim = fork()) < 0)
		msg_fatal("failed to execute %s", argv[0]);
	if (victim == 0) {
		close(go[1]);
		child(argv, go[0]);
	}
	close(go[0]);
	gate = go[1];
	watch = (int)syscall(SYS_pidfd_open, victim, 0);
	free(argv);
	return victim;
}

void victim_go(void)
{
	if (gate >= 0)
		close(gate);
	gate = -1;
}

bool victim_exists(void)
{
	return victim != 0;
}

static void say_end(int status, bool quiet)
{
	if (WIFSIGNALED(status))
		msg_notice(quiet, "pid %d terminated by SIG%s\n", (int)victim, sigabbrev_np(WTERMSIG(status)));
	else if (WEXITSTATUS(status) != 0)
		msg_notice(quiet, "pid %d exited with status %d\n", (int)victim, WEXITSTATUS(status));
	else
		msg_notice(quiet, "pid %d has exited\n", (int)victim);
}

bool victim_wait(int64_t ns, bool quiet)
{
	struct timespec ts = {ns / 1000000000, ns % 1000000000};
	struct pollfd pfd = {watch, POLLIN, 0};
	int status;

	if (victim == 0)
		return true;
	if (ns > 0)
		ppoll(&pfd, watch >= 0, &ts, NULL);
	if (waitpid(victim, &status, WNOHANG) == 0)
		return false;
	say_end(status, quiet);
	victim = 0;
	return true;
}

void victim_kill(void)
{
	int status;

	if (victim == 0)
		return;
	kill(victim, SIGKILL);
	while (waitpid(victim, &status, 0) < 0 && errno == EINTR)
		continue;
	victim = 0;
}
