/* Options: names, classes, value syntax. */
#include <criterion/criterion.h>
#include <string.h>

#include "consumer/options.h"

static options_t op;
static const char *why;

static void setup(void)
{
	options_init(&op);
	why = NULL;
}

static void teardown(void)
{
	options_fini(&op);
}

TestSuite(options, .init = setup, .fini = teardown);

static void assert_set(const char *text, opt_id_t id, int64_t want)
{
	cr_assert_eq(options_set_text(&op, text, &why), 0, "%s: %s", text, why);
	cr_assert_eq(op.op_val[id], want, "%s gave %ld", text, (long)op.op_val[id]);
}

static void assert_refused(const char *text, const char *want)
{
	cr_assert_eq(options_set_text(&op, text, &why), -1, "%s was accepted", text);
	cr_assert_str_eq(why, want, "%s: %s", text, why);
}

static const char invalid[] = "Invalid value for specified option";

Test(options, defaults)
{
	cr_assert_eq(op.op_val[OPT_BUFSIZE], 4 << 20);
	cr_assert_eq(op.op_val[OPT_STRSIZE], 256);
	cr_assert_eq(op.op_val[OPT_SWITCHRATE], 1000000000);
	cr_assert_eq(op.op_val[OPT_NSPEC], 1);
	cr_assert_eq(op.op_dt.o_stackframes, 20);
	cr_assert(!options_flag(&op, OPT_QUIET));
}

Test(options, sizes)
{
	assert_set("bufsize=4096", OPT_BUFSIZE, 4096);
	assert_set("bufsize=8k", OPT_BUFSIZE, 8192);
	assert_set("bufsize=2M", OPT_BUFSIZE, 2 << 20);
	assert_set("bufsize=0x10k", OPT_BUFSIZE, 16384);
	assert_set("specsize=1t", OPT_SPECSIZE, (int64_t)1 << 40);
	assert_refused("bufsize", invalid);
	assert_refused("bufsize=", invalid);
	assert_refused("bufsize=x", invalid);
	assert_refused("bufsize=4kb", invalid);
	assert_refused("bufsize=-1", invalid);
	assert_refused("bufsize=99999999999g", invalid);
	assert_refused("bufsize=99999999999999999999", invalid);
}

Test(options, rates)
{
	assert_set("switchrate=10hz", OPT_SWITCHRATE, 100000000);
	assert_set("switchrate=100", OPT_SWITCHRATE, 100);
	assert_set("switchrate=5us", OPT_SWITCHRATE, 5000);
	assert_set("switchrate=5ms", OPT_SWITCHRATE, 5000000);
	assert_set("switchrate=2S", OPT_SWITCHRATE, 2000000000);
	assert_set("switchrate=1min", OPT_SWITCHRATE, 60000000000);
	assert_set("statusrate=1h", OPT_STATUSRATE, 3600000000000);
	assert_refused("switchrate=0hz", invalid);
	assert_refused("switchrate=1parsec", invalid);
	assert_refused("switchrate", invalid);
}

Test(options, flags)
{
	assert_set("quiet", OPT_QUIET, 1);
	assert_set("quiet=", OPT_QUIET, 0);
	assert_set("quiet=yes", OPT_QUIET, 1);
	assert_set("quiet=off", OPT_QUIET, 0);
	assert_set("quiet=enabled", OPT_QUIET, 1);
	assert_set("quiet=unset", OPT_QUIET, 0);
	assert_set("quiet=7", OPT_QUIET, 7);
	assert_set("aggsortkeypos=2", OPT_AGGSORTKEYPOS, 2);
	assert_set("nspec=0x10", OPT_NSPEC, 16);
	assert_refused("quiet=perhaps", invalid);
	assert_refused("nspec=3x", invalid);
}

Test(options, names)
{
	assert_refused("nosuch", "Invalid option name");
	assert_refused("Quiet", "Invalid option name");
	assert_refused("errtags=1", invalid);
	assert_set("bufpolicy=ring", OPT_BUFPOLICY, BUF_RING);
	assert_refused("bufpolicy=Ring", invalid);
	assert_refused("encoding", invalid);
	assert_refused("encoding=none", invalid);
	assert_set("encoding=utf8", OPT_ENCODING, ENCODING_UTF8);
}

Test(options, reach_the_compiler)
{
	assert_set("errtags", OPT_NONE, 1);
	cr_assert(op.op_dt.o_errtags);
	assert_set("stackframes=5", OPT_STACKFRAMES, 5);
	cr_assert_eq(op.op_dt.o_stackframes, 5);
	assert_set("strsize=64", OPT_STRSIZE, 64);
	cr_assert_eq(op.op_dt.o_strsize, 64);
	assert_refused("strsize=5g", "Value too large for defined data type");
	cr_assert_eq(op.op_val[OPT_STRSIZE], 64, "a refused value changes nothing");
	assert_set("define=X=1", OPT_NONE, 1);
	cr_assert_str_eq(op.op_cppargs[0], "-DX=1");
}

Test(options, classes)
{
	cr_assert_eq(options_pragma(&op, "quiet", NULL, &why), 0);
	cr_assert_eq(options_pragma(&op, "define", "X", &why), -1);
	cr_assert_str_eq(why, "Option cannot be used from within a D program");
	op.op_running = true;
	assert_refused("bufsize=1m", "Operation illegal when tracing is active");
	assert_set("switchrate=1hz", OPT_SWITCHRATE, 1000000000);
}

Test(options, versions)
{
	cr_assert_eq(options_set_text(&op, "version=1.2.1", &why), 0);
	assert_refused("version=1.13", "Requested version conflicts with earlier setting");
	assert_refused("version=7.7", "Requested version is not supported by compiler");
	assert_refused("version=1..2", "Version is not properly formatted or is too large");
	assert_refused("amin=Stable/Stable", invalid);
	cr_assert_eq(options_set_text(&op, "amin=Stable/Stable/Common", &why), 0);
}
