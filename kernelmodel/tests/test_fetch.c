/* Access to addresses that need not be there. */
#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dtrace/fetch.h"

/* The last bytes before an unmapped page. */
static char *edge(void)
{
	char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	cr_assert(p != MAP_FAILED);
	cr_assert_eq(munmap(p + 4096, 4096), 0);
	return p + 4096;
}

Test(fetch, values_are_extended)
{
	uint64_t word = 0xfedcba9876543280, v;
	uintptr_t a = (uintptr_t)&word;

	cr_assert(fetch_u8(&v, a));
	cr_assert_eq(v, 0x80);
	cr_assert(fetch_s8(&v, a));
	cr_assert_eq(v, 0xffffffffffffff80);
	cr_assert(fetch_u16(&v, a + 6));
	cr_assert_eq(v, 0xfedc);
	cr_assert(fetch_s16(&v, a + 6));
	cr_assert_eq(v, 0xfffffffffffffedc);
	cr_assert(fetch_u32(&v, a + 4));
	cr_assert_eq(v, 0xfedcba98);
	cr_assert(fetch_s32(&v, a + 4));
	cr_assert_eq(v, 0xfffffffffedcba98);
	cr_assert(fetch_u64(&v, a));
	cr_assert_eq(v, word);
}

Test(fetch, bad_addresses_are_told)
{
	static const uintptr_t addrs[] = {0,
					  1,
					  0x1000,
					  0x7fffffffe000 + 0x1000000,
					  0x8000000000000000,
					  0xdead000000000000,
					  0xffffffff81000000,
					  0xffffffffffffffff};
	uint64_t v;

	for (size_t i = 0; i < sizeof(addrs) / sizeof(*addrs); i++) {
		cr_assert_not(fetch_u8(&v, addrs[i]), "%zx", addrs[i]);
		cr_assert_not(fetch_s8(&v, addrs[i]));
		cr_assert_not(fetch_u16(&v, addrs[i]));
		cr_assert_not(fetch_s16(&v, addrs[i]));
		cr_assert_not(fetch_u32(&v, addrs[i]));
		cr_assert_not(fetch_s32(&v, addrs[i]));
		cr_assert_not(fetch_u64(&v, addrs[i]));
	}
	/* a word that begins in a good page and ends in none */
	cr_assert_not(fetch_u64(&v, (uintptr_t)edge() - 4));
	cr_assert(fetch_u64(&v, (uintptr_t)edge() - 8));
}

Test(fetch, a_file_that_ends_is_told)
{
	char name[] = "/tmp/fetchXXXXXX";
	int fd = mkstemp(name);
	char *p = mmap(NULL, 8192, PROT_READ, MAP_SHARED, fd, 0);
	uint64_t v;

	(void)unlink(name);
	cr_assert(p != MAP_FAILED);
	cr_assert_not(fetch_u64(&v, (uintptr_t)p)); /* SIGBUS */
	close(fd);
}

Test(fetch, copies_of_every_length)
{
	char from[600], to[600], *end = edge();

	for (size_t i = 0; i < sizeof(from); i++)
		from[i] = (char)(i * 7 + 1);
	for (size_t n = 0; n < sizeof(from); n++) {
		memset(to, 0, sizeof(to));
		cr_assert_eq(dtrace_copyfrom(to, from, n), 0);
		cr_assert_eq(memcmp(to, from, n), 0);
		cr_assert(n == sizeof(to) || to[n] == 0);
		cr_assert_eq(dtrace_copyto(end - n, from, n), 0);
		cr_assert_eq(memcmp(end - n, from, n), 0);
		cr_assert_eq(dtrace_copyfrom(to, end - n, n), 0);
		cr_assert_eq(memcmp(to, from, n), 0);
		if (n > 0) {
			cr_assert_eq(dtrace_copyfrom(to, end - n + 1, n), -1);
			cr_assert_eq(dtrace_copyto(end - n + 1, from, n), -1);
			cr_assert_eq(dtrace_copyfrom(to, NULL, n), -1);
			cr_assert_eq(dtrace_copyto(NULL, from, n), -1);
		}
	}
}

Test(fetch, strings_end_at_their_nul_or_at_the_limit)
{
	char to[64], *end = edge();

	for (size_t len = 0; len < 40; len++) {
		for (size_t gap = 0; gap < 8; gap++) {
			char *s = end - len - 1 - gap;

			memset(s, 'x', len);
			s[len] = '\0';
			cr_assert_eq(dtrace_copystr(to, s, sizeof(to)), (ssize_t)len);
			cr_assert_str_eq(to, s);
			for (size_t max = 1; max <= len; max++) {
				memset(to, '#', sizeof(to));
				cr_assert_eq(dtrace_copystr(to, s, max), (ssize_t)max - 1);
				cr_assert_eq(strlen(to), max - 1);
				cr_assert_eq(to[max], '#');
			}
		}
		/* no NUL before the end of what is mapped */
		memset(end - len - 1, 'x', len + 1);
		cr_assert_eq(dtrace_copystr(to, end - len - 1, sizeof(to)), -1);
		cr_assert_eq(dtrace_copystr(to, end - len - 1, len + 2), (ssize_t)len + 1);
	}
	cr_assert_eq(dtrace_copystr(to, NULL, 8), -1);
	cr_assert_eq(dtrace_copystr(to, (const char *)0x8000000000000000, 8), -1);
}

#ifndef __SANITIZE_ADDRESS__ /* which has a handler of its own, that exits */
Test(fetch, other_faults_stay_faults, .signal = SIGSEGV)
{
	dtrace_fault_init();
	*(volatile int *)(uintptr_t)0x10000 = 1;
}
#endif
