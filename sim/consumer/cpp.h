/*
 * Option -C: a script goes through the C preprocessor first.
 */
#ifndef STRSIM_CPP_H
#define STRSIM_CPP_H

#include <stddef.h>

#include "options.h"

/*
 * The preprocessed text (free()); its line directives name the file as `name'.  NULL with err set.  A first
 * line "#!..." is left out, line numbers stay.
 */
char *cpp_run(const options_t *op, const char *name, const char *text, char *err, size_t errlen);

#endif
