/*
 * Bytecode at random.
 */
#ifndef STRSIM_DCODE_H
#define STRSIM_DCODE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CODE_OBJECTS = 3000, CODE_SESSIONS = 20 };

/*
 * Make that many objects and run those that the verifier accepts: how many it accepted; -1 when it refused one
 * without saying why.
 */
int64_t code_objects(void);
/*
 * Sessions of a few clauses on one function of the kernel, out of objects that the verifier accepts.  The function is
 * called; what was recorded, aggregated and found faulty is written to fp.
 */
int64_t code_sessions(bool interpret, FILE *fp);

#endif
