/* Symbols of the binary, and the module each belongs to. */
#include <criterion/criterion.h>
#include <string.h>

#include "dtrace/dtrace.h"
#include "sys/stream.h"

TestSuite(ksym);

static void start(void)
{
	char err[256];

	cr_assert_eq(dtrace_init(err, sizeof(err)), 0, "%s", err);
}

Test(ksym, a_function_knows_its_module_and_extent, .init = start, .fini = dtrace_fini)
{
	const ksym_t *ks = ksym_byname(NULL, "msgdsize");

	cr_assert_not_null(ks);
	cr_assert_str_eq(ksym_mod(ks), "genunix");
	cr_assert(ks->ks_func);
	cr_assert_eq(ksym_addr(ks), (uintptr_t)msgdsize);
	cr_assert_gt(ks->ks_size, 0);
	cr_assert_eq(ksym_byaddr(ksym_addr(ks)), ks);
	cr_assert_eq(ksym_byaddr(ksym_addr(ks) + ks->ks_size - 1), ks);
	cr_assert_neq(ksym_byaddr(ksym_addr(ks) + ks->ks_size), ks);
	cr_assert_neq(ksym_byaddr(ksym_addr(ks) - 1), ks);
	cr_assert_eq(ksym_byname("genunix", "msgdsize"), ks);
	cr_assert_null(ksym_byname("ip", "msgdsize"));
	cr_assert_str_eq(ksym_mod(ksym_byname("", "putnext")), "unix");
	/* assembly has a module too */
	cr_assert_str_eq(ksym_mod(ksym_byname(NULL, "machine_gate")), "machine");
}

Test(ksym, nothing_is_invented, .init = start, .fini = dtrace_fini)
{
	cr_assert_null(ksym_byname(NULL, "no_such_symbol_at_all"));
	cr_assert_null(ksym_byaddr(0));
	cr_assert_null(ksym_byaddr(0x8000000000000000));
	cr_assert_null(ksym_byname(NULL, "main") == NULL ? NULL : ksym_mod(ksym_byname(NULL, "main")));
}

Test(ksym, variables_have_modules_and_thread_local_ones_an_address_here, .init = start, .fini = dtrace_fini)
{
	const ksym_t *ks = ksym_byname("genunix", "p0");

	cr_assert_not_null(ks);
	cr_assert(ks->ks_tls);
	cr_assert_eq(ksym_addr(ks), (uintptr_t)&p0);
	cr_assert_eq((uintptr_t)__builtin_thread_pointer() + (uintptr_t)ks->ks_tlsoff, (uintptr_t)&p0);
	ks = ksym_byname(NULL, "machine_cpu");
	cr_assert_str_eq(ksym_mod(ks), "machine");
	cr_assert_eq(ksym_addr(ks), (uintptr_t)&machine_cpu);
	ks = ksym_byname(NULL, "strdata");
	cr_assert_str_eq(ksym_mod(ks), "genunix");
	cr_assert_not(ks->ks_func);
	cr_assert_eq(ksym_byaddr(ksym_addr(ks) + 1), ks);
}

Test(ksym, the_walk_is_in_order, .init = start, .fini = dtrace_fini)
{
	const ksym_t *ks, *last = NULL;
	size_t n = 0;

	for (ks = ksym_next(NULL); ks != NULL; ks = ksym_next(ks), n++) {
		if (last != NULL && !ks->ks_tls)
			cr_assert_gt(ks->ks_value, last->ks_value);
		last = ks;
	}
	cr_assert_gt(n, 300);
}

Test(ksym, it_can_be_done_again, .init = start)
{
	dtrace_fini();
	start();
	cr_assert_not_null(ksym_byname(NULL, "msgdsize"));
	cr_assert_str_eq(dtrace_probe_lookup(1)->dtpr_name, "BEGIN");
	dtrace_fini();
}
