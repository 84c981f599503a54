/* main() of a unit test in builds with ThreadSanitizer: see criterion/criterion.h. */
#include "criterion/criterion.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern const struct criterion_test *const __start_criterion[], *const __stop_criterion[];

static const struct criterion_test *running;
static bool failed; /* an expectation, in the test's process */

void criterion_failed(const char *file, int line, bool fatal, const char *what, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s::%s: %s:%d: expected %s", running->suite, running->name, file, line, what);
	if (*fmt != '\0') {
		fputs(": ", stderr);
		va_start(ap, fmt);
		vfprintf(stderr, fmt, ap);
		va_end(ap);
	}
	fputc('\n', stderr);
	failed = true;
	if (fatal)
		_exit(1);
}

static const struct criterion_test *suite_of(const struct criterion_test *t)
{
	for (const struct criterion_test *const *pp = __start_criterion; pp < __stop_criterion; pp++)
		if ((*pp)->func == NULL && strcmp((*pp)->suite, t->suite) == 0)
			return *pp;
	return NULL;
}

static void call(void (*f)(void))
{
	if (f != NULL)
		f();
}

static void run(const struct criterion_test *t)
{
	const struct criterion_test *suite = suite_of(t);

	running = t;
	call(suite != NULL ? suite->init : NULL);
	call(t->init);
	t->func();
	call(t->fini);
	call(suite != NULL ? suite->fini : NULL);
	exit(failed ? 1 : 0);
}

static bool ended_well(const struct criterion_test *t, int status)
{
	if (t->signal != 0)
		return WIFSIGNALED(status) && WTERMSIG(status) == t->signal;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool passes(const struct criterion_test *t)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0)
		run(t);
	if (pid < 0 || waitpid(pid, &status, 0) != pid) {
		perror("fork");
		return false;
	}
	if (ended_well(t, status))
		return true;
	fprintf(stderr, "FAIL %s::%s (status %#x)\n", t->suite, t->name, (unsigned)status);
	return false;
}

/* A test may be meant to end by a fault: the sanitizer leaves those alone. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
	return "handle_segv=0:handle_sigbus=0";
}

int main(void)
{
	int tests = 0, bad = 0;

	for (const struct criterion_test *const *pp = __start_criterion; pp < __stop_criterion; pp++) {
		if ((*pp)->func == NULL)
			continue;
		tests++;
		bad += !passes(*pp);
	}
	if (bad != 0)
		fprintf(stderr, "%d of %d tests failed\n", bad, tests);
	return bad != 0;
}
