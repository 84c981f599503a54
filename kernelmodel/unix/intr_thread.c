/* The base frame of an interrupt: every handler of the line is called, since lines may be shared. */
#include "machine/machine_impl.h"

int64_t intr_thread(int64_t line, int64_t unused1, int64_t unused2)
{
	int64_t claimed = 0;

	(void)unused1;
	(void)unused2;
	for (const intr_handler_t *ih = intr_chain((int)line); ih != NULL; ih = ih->ih_next)
		claimed |= ih->ih_func(ih->ih_arg);
	return claimed;
}
