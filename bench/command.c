#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char dir[64];

const char *command_dir(void)
{
	if (dir[0] == '\0') {
		strcpy(dir, "/tmp/strbench.XXXXXX");
		if (mkdtemp(dir) == NULL) {
			perror("strbench: /tmp");
			exit(1);
		}
	}
	return dir;
}

void command_clean(void)
{
	char cmd[96];

	if (dir[0] == '\0')
		return;
	snprintf(cmd, sizeof(cmd), "rm -rf '%s'", dir);
	(void)!system(cmd);
	dir[0] = '\0';
}

const char *command_file(const char *name)
{
	static char path[4][128];
	static int turn;
	char *p = path[turn = (turn + 1) % 4];

	snprintf(p, sizeof(path[0]), "%s/%s", command_dir(), name);
	return p;
}

static void direct(int fd, const char *file)
{
	int to = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (to < 0 || dup2(to, fd) < 0)
		_exit(127);
	(void)close(to);
}

usage_t command_run(const char *cmd)
{
	const char *out = command_file("out"), *err = command_file("err");
	usage_t u = {-1, 0, 0};
	struct rusage ru;
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		direct(1, out);
		direct(2, err);
		execl("/bin/sh", "sh", "-c", cmd, (char *)NULL);
		_exit(127);
	}
	while (pid > 0 && wait4(pid, &status, 0, &ru) < 0)
		if (errno != EINTR)
			return u;
	if (pid < 0)
		return u;
	u.u_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	u.u_seconds = (double)(ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) +
		      (double)(ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) / 1e6;
	u.u_kib = ru.ru_maxrss;
	return u;
}

bool command_exists(const char *program)
{
	char cmd[128];

	snprintf(cmd, sizeof(cmd), "command -v %s", program);
	return command_run(cmd).u_status == 0;
}
