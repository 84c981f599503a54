/*
 * Arming: a probe point is a 5-byte NOP, which becomes a call of a trampoline
 * and later a NOP again.  Trampolines lie in this binary, which is not position
 * independent, so that a 32-bit displacement reaches them from everywhere.
 *
 * When a point is hit, the return address tells which one it is: points are 5
 * bytes apart at least, so (address - start of the text) / 4 indexes a table of
 * their owners directly.  It is as long as the text, but only the pages of armed
 * points are ever touched.
 *
 * Points are patched while no kernel runs: sessions start and stop between
 * steps of the machine.
 */
#include <string.h>
#include <sys/mman.h>

#include "dtrace_impl.h"

static const unsigned char nop5[5] = {0x0f, 0x1f, 0x44, 0x00, 0x00};

void **patch_owners;

static size_t owners_len(void)
{
	return ((size_t)(etext - __executable_start) / 4 + 2) * sizeof(void *);
}

int patch_init(void)
{
	patch_owners =
	    mmap(NULL, owners_len(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (patch_owners != MAP_FAILED)
		return 0;
	patch_owners = NULL;
	return -1;
}

void patch_fini(void)
{
	if (patch_owners != NULL)
		munmap(patch_owners, owners_len());
	patch_owners = NULL;
}

/* All of the text, once: pages stay as they are, but writable. */
static int text_writable(void)
{
	static bool done;
	uintptr_t page = 4096, from = (uintptr_t)__executable_start & ~(page - 1);
	uintptr_t to = ((uintptr_t)etext + page - 1) & ~(page - 1);

	if (!done && mprotect((void *)from, to - from, PROT_READ | PROT_WRITE | PROT_EXEC) == 0)
		done = true;
	return done ? 0 : -1;
}

static int patch(uintptr_t addr, const unsigned char code[5])
{
	if (text_writable() != 0)
		return -1;
	memcpy((void *)addr, code, 5);
	return 0;
}

int patch_call(uintptr_t addr, const void *target, void *owner)
{
	int32_t rel = (int32_t)((intptr_t)target - (intptr_t)(addr + 5));
	unsigned char code[5] = {0xe8};

	patch_owners[(addr - (uintptr_t)__executable_start) / 4] = owner;
	memcpy(code + 1, &rel, 4);
	return patch(addr, code);
}

int patch_nop(uintptr_t addr)
{
	return patch(addr, nop5);
}
