/* Programs run by the harness. */
#ifndef STRSIM_BENCH_COMMAND_H
#define STRSIM_BENCH_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

typedef struct usage {
	int u_status;     /* exit status, -1 killed */
	double u_seconds; /* processor time, user's and system's, of it and its children */
	long u_kib;       /* most memory resident */
} usage_t;

/* A folder for this process's files; made once, removed by command_clean(). */
const char *command_dir(void);
void command_clean(void);
/* Run a shell command: standard output and error to the files `out' and `err' in that folder. */
usage_t command_run(const char *cmd);
/* The name of one of these files. */
const char *command_file(const char *name);
bool command_exists(const char *program);

#endif
