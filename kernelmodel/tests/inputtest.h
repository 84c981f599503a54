/*
 * For tests of the console's keyboard and mouse: a machine whose devices are
 * plumbed, and what is read at /dev/kbd and /dev/mouse, as text.
 */
#ifndef STRSIM_INPUTTEST_H
#define STRSIM_INPUTTEST_H

#include "tests/headtest.h"
#include "consconfig_dacf/consconfig.h"
#include "machine/ps2.h"
#include "sys/kbd.h"
#include "sys/kbio.h"
#include "sys/msio.h"
#include "sys/vuid_event.h"

#define MS 1000000LL

TEST_FN void it_plumb(void)
{
	machine_init(0);
	cr_assert_eq(consconfig_attach(), 0);
	machine_run(machine_now() + 500 * MS);
	cr_assert(consconfig_done());
	cr_assert_eq(consconfig_error(), 0);
}

/* The console is not undone by st_halt()'s rules alone: machine_fini() frees it, and must free all. */
TEST_FN void it_halt(void)
{
	size_t mblks, dblks, bytes, objects;

	allocb_fail_nth(0);
	kmem_fail_nth(0);
	machine_run_idle(machine_now() + 1000 * MS);
	if (machine_fini() != 0)
		abort();
	str_alive(&mblks, &dblks);
	st_leak("message blocks", mblks);
	st_leak("data blocks", dblks);
	kmem_alive(&bytes, &objects);
	st_leak("kernel objects", objects);
}

#define INPUT_SUITE(name) TestSuite(name, .init = it_plumb, .fini = it_halt)

/* Let virtual time pass, in a program. */
TEST_FN void u_sleep_ms(int ms)
{
	(void)U_POLL(NULL, 0, ms);
}

/* Events that wait at a descriptor, as "id=value" with "/pair" for a pair; times must not go back. */
TEST_FN const char *events(int64_t fd)
{
	static char buf[4096];
	size_t n = 0;
	Firm_event fe;
	struct pollfd {
		int fd;
		short events, revents;
	} pfd = {(int)fd, 1, 0};

	buf[0] = '\0';
	while (U_POLL(&pfd, 1, 0) == 1 && U_READ(fd, &fe, sizeof(fe)) == sizeof(fe)) {
		n += (size_t)snprintf(buf + n, sizeof(buf) - n, "%s%d=%d", n != 0 ? " " : "", fe.id, fe.value);
		if (fe.pair_type != FE_PAIR_NONE)
			n += (size_t)snprintf(buf + n, sizeof(buf) - n, "/%d:%d", fe.pair_type, fe.pair);
	}
	return buf;
}

/* Characters that wait at a descriptor; control characters as ^X. */
TEST_FN const char *chars(int64_t fd)
{
	static char buf[4096];
	size_t n = 0;
	unsigned char c;
	struct pollfd {
		int fd;
		short events, revents;
	} pfd = {(int)fd, 1, 0};

	buf[0] = '\0';
	while (U_POLL(&pfd, 1, 0) == 1 && U_READ(fd, &c, 1) == 1)
		n += (size_t)snprintf(buf + n, sizeof(buf) - n, c < 32 || c == 127 ? "^%c" : "%c",
				      c < 32 || c == 127 ? c ^ 64 : c);
	return buf;
}

/* Bytes of set 1, given as text, come from the keyboard. */
TEST_FN void scan(const char *hex)
{
	uint8_t code[256];
	size_t n = 0;

	for (char *end; *hex != '\0'; hex = end + (*end == ' '))
		code[n++] = (uint8_t)strtoul(hex, &end, 16);
	ps2_key_bytes(code, n);
	u_sleep_ms((int)n + 2);
}

#endif
