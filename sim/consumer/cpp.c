/*
 * The host's cpp, told to forget everything about the host: no predefined
 * names but those of a Solaris D program, no include directories but those
 * given and the model's own.
 */
#include "cpp.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const fixed_args[] = {
    "-undef",        "-nostdinc",      "-w",           "-D__sun",
    "-D__unix",      "-D__SVR4",       "-D__SUNW_D=1", "-D__SUNW_D_VERSION=0x01002002",
    "-D__SUNW_D_64", "-D__SunOS_5_10", "-D__amd64"};

/* The model's include files: beside the program in the source tree, or installed. */
static const char *include_dir(char buf[PATH_MAX])
{
	static const char *const places[] = {"../sim/d/include", "../share/strsim/include"};
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	if (n <= 0)
		return NULL;
	exe[n] = '\0';
	dirname(exe);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (snprintf(buf, PATH_MAX, "-I%s/%s", exe, places[i]) < PATH_MAX && access(buf + 2, R_OK) == 0)
			return buf;
	}
	return NULL;
}

static const char *stdc_arg(char stdc)
{
	return stdc == 's' ? "-U__STDC__" : stdc == 'c' ? "-D__STDC__=1" : "-D__STDC__=0";
}

static void exec_cpp(const options_t *op)
{
	size_t nfixed = sizeof(fixed_args) / sizeof(fixed_args[0]), n = 0;
	const char **argv = calloc(nfixed + (size_t)op->op_ncppargs + 6, sizeof(*argv));
	char dir[PATH_MAX + 2];

	if (!argv)
		_exit(127);
	argv[n++] = op->op_cpppath ? op->op_cpppath : "cpp";
	for (size_t i = 0; i < nfixed; i++)
		argv[n++] = fixed_args[i];
	argv[n++] = stdc_arg(op->op_stdc);
	if (options_flag(op, OPT_CPPHDRS))
		argv[n++] = "-H";
	for (int i = 0; i < op->op_ncppargs; i++)
		argv[n++] = op->op_cppargs[i];
	argv[n] = include_dir(dir);
	execvp(argv[0], (char *const *)argv);
	_exit(127);
}

/* All of the text, or -1. */
static int write_all(int fd, const char *text, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, text, len);

		if (n < 0)
			return -1;
		text += n;
		len -= (size_t)n;
	}
	return 0;
}

/*
 * An anonymous file with the text, read from its start, that calls itself by the script's name.  A first line with
 * the interpreter's name becomes empty.
 */
static int text_file(const char *name, const char *text)
{
	int fd = memfd_create("script", MFD_CLOEXEC);

	if (fd < 0)
		return -1;
	if (strncmp(text, "#!", 2) == 0)
		text += strcspn(text, "\n");
	if (dprintf(fd, "# 1 \"%s\"\n", name) < 0 || write_all(fd, text, strlen(text)) != 0 ||
	    lseek(fd, 0, SEEK_SET) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static char *slurp(FILE *fp)
{
	char *text = NULL;
	size_t len = 0, max = 0, n;

	do {
		if (len + 1 >= max) {
			char *t = realloc(text, max = max ? 2 * max : 65536);

			if (!t)
				abort();
			text = t;
		}
		n = fread(text + len, 1, max - 1 - len, fp);
		len += n;
	} while (n > 0);
	text[len] = '\0';
	return text;
}

/* Without the line directives of cpp's pseudo-files ("<stdin>", "<built-in>"). */
static void drop_pseudo(char *text)
{
	char *out = text;

	while (*text) {
		size_t n = strcspn(text, "\n");

		n += text[n] == '\n';
		if (strncmp(text, "# ", 2) != 0 || !memmem(text, n, "\"<", 2)) {
			memmove(out, text, n);
			out += n;
		}
		text += n;
	}
	*out = '\0';
}

char *cpp_run(const options_t *op, const char *name, const char *text, char *err, size_t errlen)
{
	int in = text_file(name, text), out[2], status;
	char *result;
	FILE *fp;
	pid_t pid;

	if (in < 0 || pipe(out) != 0 || (pid = fork()) < 0) {
		snprintf(err, errlen, "Failed to execute preprocessor: %s", strerror(errno));
		if (in >= 0)
			close(in);
		return NULL;
	}
	if (pid == 0) {
		dup2(in, STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		close(out[0]);
		close(out[1]);
		exec_cpp(op);
	}
	close(in);
	close(out[1]);
	fp = fdopen(out[0], "r");
	if (!fp)
		abort();
	result = slurp(fp);
	fclose(fp);
	if (waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
		drop_pseudo(result);
		return result;
	}
	snprintf(err, errlen, "Preprocessor failed to process input program");
	free(result);
	return NULL;
}
