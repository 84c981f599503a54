/* The base frame of an interrupt: every handler of the line is called, since lines may be shared. */
#include "machine/machine_impl.h"
#include "sys/sdt.h"

/* The points intrstat(1M) and scripts of its kind use; there is no device tree for a first argument. */
ALWAYS_INLINE uint_t intr_call(const intr_handler_t *ih)
{
	uint_t claimed;

	DTRACE_PROBE3(interrupt__start, void *, 0, uintptr_t, (uintptr_t)ih->ih_func, void *, ih->ih_arg);
	claimed = ih->ih_func(ih->ih_arg);
	DTRACE_PROBE4(interrupt__complete, void *, 0, uintptr_t, (uintptr_t)ih->ih_func, void *, ih->ih_arg, int,
		      (int)claimed);
	return claimed;
}

int64_t intr_thread(int64_t line, int64_t unused1, int64_t unused2)
{
	int64_t claimed = 0;

	(void)unused1;
	(void)unused2;
	for (const intr_handler_t *ih = intr_chain((int)line); ih != NULL; ih = ih->ih_next)
		claimed |= intr_call(ih);
	return claimed;
}
