/* strsim modules: what the modelled kernel consists of. */
#include <stdio.h>
#include <string.h>

#include "dtrace/dtrace.h"
#include "msg.h"
#include "workload.h"

typedef struct module {
	const char *m_name;
	unsigned m_funcs, m_probes;
} module_t;

#define MAXMODULES 256

typedef struct modlist {
	module_t ml_mod[MAXMODULES];
	int ml_n;
} modlist_t;

static module_t *find_module(modlist_t *ml, const char *name)
{
	for (int i = 0; i < ml->ml_n; i++)
		if (strcmp(ml->ml_mod[i].m_name, name) == 0)
			return &ml->ml_mod[i];
	if (ml->ml_n == MAXMODULES)
		return NULL;
	ml->ml_mod[ml->ml_n] = (module_t){.m_name = name};
	return &ml->ml_mod[ml->ml_n++];
}

static void count_functions(modlist_t *ml)
{
	for (const ksym_t *ks = ksym_next(NULL); ks; ks = ksym_next(ks)) {
		module_t *m = ks->ks_func && ks->ks_mod ? find_module(ml, ksym_mod(ks)) : NULL;

		if (m)
			m->m_funcs++;
	}
}

static void count_probes(modlist_t *ml)
{
	for (dtrace_id_t id = 1; id <= dtrace_nprobes(); id++) {
		const dtrace_probe_t *p = dtrace_probe_lookup(id);
		module_t *m = p && *p->dtpr_mod ? find_module(ml, p->dtpr_mod) : NULL;

		if (m)
			m->m_probes++;
	}
}

/* The machine and the tracer have functions but no probes: they are no part of the modelled kernel. */
static int modules_main(int argc, char **argv)
{
	static modlist_t ml;
	char err[256];

	(void)argv;
	if (argc > 1) {
		msg_say("modules takes no arguments\n");
		return STATUS_USAGE;
	}
	if (dtrace_init(err, sizeof(err)) != 0)
		msg_fatal("failed to initialize tracing: %s\n", err);
	count_functions(&ml);
	count_probes(&ml);
	printf("%-16s %9s %9s\n", "MODULE", "FUNCTIONS", "PROBES");
	for (int i = 0; i < ml.ml_n; i++)
		if (ml.ml_mod[i].m_probes > 0)
			printf("%-16s %9u %9u\n", ml.ml_mod[i].m_name, ml.ml_mod[i].m_funcs, ml.ml_mod[i].m_probes);
	dtrace_fini();
	return fflush(stdout) == 0 ? STATUS_OK : STATUS_ERROR;
}

static const subcommand_t modules_command = {"modules", "kernel modules, their functions and probes", modules_main};
LINKER_SET(subcommand, modules_command);
