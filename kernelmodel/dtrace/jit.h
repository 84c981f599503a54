/*
 * Clauses as native code: jit.c.
 */
#ifndef STRSIM_DTRACE_JIT_H
#define STRSIM_DTRACE_JIT_H

#include "dtrace_impl.h"

/*
 * Compile what can be of the session's clauses; the rest is interpreted.  Called when its enablings and CPUs are known
 * and no probe of it is armed.  Whatever cannot be had (memory, an address within reach) leaves clauses interpreted.
 */
void jit_compile(dtrace_state_t *st);
/* Free the code; nothing of the session is armed any more. */
void jit_destroy(dtrace_state_t *st);
/* What a point of this probe is to call; NULL = the trampoline of its provider. */
const void *jit_code(const dtrace_probe_t *p);
/* A probe that is armed gets enablings of another session: from now on they are interpreted. */
void jit_share(dtrace_probe_t *p);
/* Tracing ends or pauses on this CPU: what counts without asking is to ask from now on. */
void jit_unpin(const dtrace_state_t *st, dt_cpu_t *c);
/* Where to go on when the instruction at pc, a load of native code, faulted; 0 = it is none. */
uintptr_t jit_fixup(uintptr_t pc);

/* fbt.c: is this its return probe, and where does the function start? */
bool fbt_isreturn(const dtrace_probe_t *p, uintptr_t *start);
extern const dtrace_provider_t fbt_provider;

#endif
