/*
 * syscall: syscall::NAME:entry and syscall::NAME:return of every system call
 * that is registered.  Two points in unix`sys_sysenter serve them all; the
 * number of the call picks the probe.
 */
#include <stdlib.h>

#include "probectx.h"
#include "dtrace_impl.h"
#include "sys/thread.h"

LINKER_SET_DECLARE(sysent);

typedef struct call {
	dtrace_probe_t *c_entry, *c_return;
	bool c_entryon, c_returnon;
	int c_narg;
} call_t;

static call_t calls[SYS_MAX];

void syscall_fire_entry(const site_t *point)
{
	uint64_t num = point->si_args[0];
	uint64_t args[10] = {0};
	site_t site = *point;
	int i;

	if (num >= SYS_MAX || !calls[num].c_entryon)
		return;
	for (i = 0; i < calls[num].c_narg && i < 6; i++)
		(void)fetch_u64(&args[i], point->si_args[1] + (uintptr_t)i * 8);
	site.si_args = args;
	site.si_more = args + 6;
	probe_fire(calls[num].c_entry, &site);
}

void syscall_fire_return(const site_t *point)
{
	uint64_t num = point->si_args[0], value = point->si_args[2] != 0 ? (uint64_t)-1 : point->si_args[1];
	uint64_t args[10] = {value, value, point->si_args[2]};
	site_t site = *point;

	if (num >= SYS_MAX || !calls[num].c_returnon)
		return;
	site.si_args = args;
	site.si_more = args + 6;
	probe_fire(calls[num].c_return, &site);
}

static int syscall_enable(dtrace_probe_t *p)
{
	call_t *c = p->dtpr_arg;
	bool entry = p == c->c_entry;

	*(entry ? &c->c_entryon : &c->c_returnon) = true;
	return sdt_syscall_arm(entry, true);
}

static void syscall_disable(dtrace_probe_t *p)
{
	call_t *c = p->dtpr_arg;
	bool entry = p == c->c_entry;

	*(entry ? &c->c_entryon : &c->c_returnon) = false;
	(void)sdt_syscall_arm(entry, false);
}

static const dtrace_provider_t syscall_provider = {
    .dtpv_name = "syscall", .dtpv_enable = syscall_enable, .dtpv_disable = syscall_disable};

void syscall_init(void)
{
	int num;

	/* in the order of their numbers, whatever the order of linking */
	for (num = 0; num < SYS_MAX; num++) {
		LINKER_SET_FOREACH(pp, sysent)
		{
			const sysent_t *sy = *pp;
			call_t *c = &calls[num];

			if (sy->sy_num != num)
				continue;
			c->c_narg = sy->sy_narg;
			c->c_entry =
			    dtrace_probe_lookup(dtrace_probe_create(&syscall_provider, "", sy->sy_name, "entry", c));
			c->c_return =
			    dtrace_probe_lookup(dtrace_probe_create(&syscall_provider, "", sy->sy_name, "return", c));
		}
	}
}

void syscall_fini(void)
{
	int num;

	for (num = 0; num < SYS_MAX; num++)
		calls[num] = (call_t){0};
}
