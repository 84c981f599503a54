/*
 * The handler behind fetch.h, and strings from addresses that may be bad.
 */
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "probectx.h"
#include "jit.h"

typedef struct exentry {
	uintptr_t ex_insn, ex_fixup;
} exentry_t;

extern const exentry_t __start_dtrace_extable[], __stop_dtrace_extable[];

static struct sigaction previous[2]; /* of SIGSEGV, SIGBUS */

/* Not ours: what would have happened without us. */
static void pass_on(int sig, siginfo_t *info, void *context)
{
	struct sigaction *old = &previous[sig == SIGBUS];

	if (old->sa_flags & SA_SIGINFO)
		old->sa_sigaction(sig, info, context);
	else if (old->sa_handler == SIG_DFL || old->sa_handler == SIG_IGN)
		(void)signal(sig, SIG_DFL); /* the instruction faults again, and that ends the program */
	else
		old->sa_handler(sig);
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	greg_t *rip = &((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
	const exentry_t *ex;
	uintptr_t fixup = jit_fixup((uintptr_t)*rip);

	if (fixup != 0) {
		*rip = (greg_t)fixup;
		return;
	}
	for (ex = __start_dtrace_extable; ex < __stop_dtrace_extable; ex++) {
		if (ex->ex_insn == (uintptr_t)*rip) {
			*rip = (greg_t)ex->ex_fixup;
			return;
		}
	}
	pass_on(sig, info, context);
}

static void install(int sig, struct sigaction *old)
{
	struct sigaction sa = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER}, now;

	if (sigaction(sig, NULL, &now) != 0 || ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fault))
		return;
	*old = now;
	(void)sigaction(sig, &sa, NULL);
}

__attribute__((constructor)) void dtrace_fault_init(void)
{
	install(SIGSEGV, &previous[0]);
	install(SIGBUS, &previous[1]);
}

/* Index of the first zero byte in a word that has one. */
ALWAYS_INLINE unsigned zero_byte(uint64_t mask)
{
	return (unsigned)__builtin_ctzll(mask) / 8;
}

ssize_t dtrace_copystr(char *dst, const char *src, size_t max)
{
	uintptr_t a = (uintptr_t)src;
	size_t n = 0;
	uint64_t w, zero;

	while (n + 8 < max) {
		/* a word that does not cross into another page, of which nothing may be needed */
		if (UNLIKELY((a + n) % 4096 > 4088)) {
			if (!fetch_u8(&w, a + n))
				return -1;
			dst[n] = (char)w;
			if (w == 0)
				return (ssize_t)n;
			n++;
			continue;
		}
		if (!fetch_u64(&w, a + n))
			return -1;
		memcpy(dst + n, &w, 8);
		zero = (w - 0x0101010101010101) & ~w & 0x8080808080808080;
		if (zero != 0)
			return (ssize_t)(n + zero_byte(zero));
		n += 8;
	}
	while (n + 1 < max) {
		if (!fetch_u8(&w, a + n))
			return -1;
		dst[n] = (char)w;
		if (w == 0)
			return (ssize_t)n;
		n++;
	}
	dst[n] = '\0';
	return (ssize_t)n;
}
