/* Descriptors and the system calls around them; copies between program and kernel. */
#include <sys/mman.h>
#include "tests/headtest.h"

STR_SUITE(sysfile);

/* ---- descriptors ---- */

PROGRAM(sysfile, descriptors_are_the_lowest_free_ones)
{
	for (int i = 0; i < 200; i++)
		OK(U_OPEN("/dev/loop", O_RDWR), i);
	OK(U_CLOSE(150), 0);
	OK(U_CLOSE(7), 0);
	OK(U_CLOSE(64), 0);
	OK(U_OPEN("/dev/loop", O_RDWR), 7);
	OK(U_OPEN("/dev/loop", O_RDWR), 64);
	OK(U_OPEN("/dev/loop", O_RDWR), 150);
	OK(U_OPEN("/dev/loop", O_RDWR), 200);
	FAILS(U_CLOSE(201), EBADF);
	FAILS(U_CLOSE(-1), EBADF);
	FAILS(U_CLOSE(1 << 30), EBADF);
	DONE;
}

PROGRAM(sysfile, any_number_of_descriptors_is_found_quickly)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	const int n = 70000; /* more than 64 * 64 * 16: all levels of the map */

	for (int i = 1; i < n; i++)
		OK(U_FCNTL(fd, F_DUPFD, 0), i);
	OK(U_CLOSE(4097), 0);
	OK(U_CLOSE(65000), 0);
	OK(U_FCNTL(fd, F_DUPFD, 4098), 65000);
	OK(U_FCNTL(fd, F_DUPFD, 0), 4097);
	OK(U_FCNTL(fd, F_DUPFD, 0), n);
	OK(U_FCNTL(fd, F_DUPFD, 200000), 200000);
	FAILS(U_FCNTL(fd, F_DUPFD, -1), EINVAL);
	FAILS(U_FCNTL(fd, F_DUPFD, NOFILE_MAX), EINVAL);
	DONE;
}

PROGRAM(sysfile, a_duplicate_shares_the_open_file)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR), dup = U_FCNTL(fd, F_DUPFD, 10);

	OK(dup, 10);
	OK(U_FCNTL(dup, F_SETFL, O_NONBLOCK), 0);
	OK(U_FCNTL(fd, F_GETFL, 0), O_RDWR | O_NONBLOCK);
	OK(U_CLOSE(fd), 0);
	cr_assert_eq(loop_closes, 0);
	OK(U_WRITE(dup, "x", 1), 1);
	OK(U_CLOSE(dup), 0);
	cr_assert_eq(loop_closes, 1);
	DONE;
}

PROGRAM(sysfile, fcntl_tells_and_changes_flags)
{
	int64_t rd = U_OPEN("/dev/loop", O_RDONLY | O_NDELAY), wr = U_OPEN("/dev/loop", O_WRONLY);
	int on = 1, off = 0;

	OK(U_FCNTL(rd, F_GETFL, 0), O_RDONLY | O_NDELAY);
	OK(U_FCNTL(wr, F_GETFL, 0), O_WRONLY);
	OK(U_FCNTL(wr, F_SETFL, O_RDWR | O_NONBLOCK), 0);
	OK(U_FCNTL(wr, F_GETFL, 0), O_WRONLY | O_NONBLOCK);
	OK(U_IOCTL(rd, FIONBIO, &on), 0);
	OK(U_FCNTL(rd, F_GETFL, 0), O_RDONLY | O_NDELAY | O_NONBLOCK);
	OK(U_IOCTL(rd, FIONBIO, &off), 0);
	OK(U_FCNTL(rd, F_GETFL, 0), O_RDONLY | O_NDELAY);
	FAILS(U_IOCTL(rd, FIONBIO, 0), EFAULT);
	FAILS(U_FCNTL(rd, 99, 0), EINVAL);
	FAILS(U_FCNTL(55, F_GETFL, 0), EBADF);
	DONE;
}

PROGRAM(sysfile, files_are_closed_when_the_process_ends)
{
	OK(U_OPEN("/dev/loop", O_RDWR), 0);
	OK(U_OPEN("/dev/loop", O_RDWR), 1);
	DONE;
}

/* ---- read and write ---- */

PROGRAM(sysfile, read_and_write_refuse)
{
	int64_t rd = U_OPEN("/dev/loop", O_RDONLY), wr = U_OPEN("/dev/loop", O_WRONLY);
	char buf[8];

	FAILS(U_READ(99, buf, 1), EBADF);
	FAILS(U_WRITE(99, buf, 1), EBADF);
	FAILS(U_READ(wr, buf, 1), EBADF);
	FAILS(U_WRITE(rd, buf, 1), EBADF);
	FAILS(U_READ(rd, buf, -1), EINVAL);
	FAILS(U_WRITE(wr, buf, -1), EINVAL);
	FAILS(U_WRITE(wr, NULL, 1), EFAULT);
	FAILS(U_IOCTL(99, I_NREAD, 0), EBADF);
	FAILS(U_PUTMSG(99, NULL, NULL, 0), EBADF);
	DONE;
}

PROGRAM(sysfile, vectors_are_one_message)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	char a[3], b[8] = "";
	struct iovec out[3] = {{"one", 3}, {"", 0}, {"two", 3}}, in[2] = {{a, 3}, {b, 8}};

	OK(U_WRITEV(fd, out, 3), 6);
	cr_assert_eq(qsize(_RD(fd_stream(fd)->sd_wrq)), 1);
	OK(U_READV(fd, in, 2), 6);
	cr_assert_arr_eq(a, "one", 3);
	cr_assert_arr_eq(b, "two", 3);
	DONE;
}

PROGRAM(sysfile, vectors_are_checked)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	struct iovec iov[17] = {{"x", 1}};

	FAILS(U_WRITEV(fd, iov, 0), EINVAL);
	FAILS(U_WRITEV(fd, iov, 17), EINVAL);
	FAILS(U_WRITEV(fd, NULL, 1), EFAULT);
	FAILS(U_READV(fd, iov, -1), EINVAL);
	FAILS(U_WRITEV(7, iov, 1), EBADF);
	iov[0].iov_len = (size_t)-1;
	FAILS(U_WRITEV(fd, iov, 1), EINVAL);
	iov[0].iov_len = iov[1].iov_len = INT64_MAX;
	FAILS(U_WRITEV(fd, iov, 2), EINVAL);
	iov[0] = (struct iovec){NULL, 5};
	FAILS(U_WRITEV(fd, iov, 1), EFAULT);
	OK(U_WRITEV(fd, iov, 16) == -1, 1);
	DONE;
}

/* ---- the stacks ---- */

PROGRAM(sysfile, the_frames_of_each_call_are_those_of_the_sheet)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	struct iovec iov = {"x", 1};
	struct strbuf data = {-1, 1, "x"};

	loop_stackdepth = 7;
	OK(U_WRITE(fd, "x", 1), 1);
	cr_assert_str_eq(loop_stack, "putnext < strput < strwrite < spec_write < fop_write < write < sys_sysenter");
	OK(U_WRITEV(fd, &iov, 1), 1);
	cr_assert_str_eq(loop_stack, "putnext < strput < strwrite < spec_write < fop_write < writev < sys_sysenter");
	loop_stackdepth = 6;
	OK(U_PUTMSG(fd, NULL, &data, 0), 0);
	cr_assert_str_eq(loop_stack, "putnext < strput < strputmsg < msgio < putmsg < sys_sysenter");
	loop_stackdepth = 7;
	OK(U_IOCTL(fd, LOOP_ACK, 0), 7);
	cr_assert_str_eq(loop_stack, "putnext < strdoioctl < strioctl < spec_ioctl < fop_ioctl < ioctl < sys_sysenter");
	DONE;
}

/* ---- copies ---- */

Test(sysfile, uiomove_goes_over_the_borders_of_iovecs)
{
	char a[2], b[1], c[5];
	iovec_t iov[4] = {{a, 2}, {NULL, 0}, {b, 1}, {c, 5}};
	uio_t uio = {.uio_iov = iov, .uio_iovcnt = 4, .uio_segflg = UIO_SYSSPACE, .uio_resid = 8};

	cr_assert_eq(uiomove("abcd", 4, UIO_READ, &uio), 0);
	cr_assert_eq(uio.uio_resid, 4);
	cr_assert_eq(uio.uio_loffset, 4);
	cr_assert_arr_eq(a, "ab", 2);
	cr_assert_eq(b[0], 'c');
	cr_assert_eq(c[0], 'd');
	uioskip(&uio, 1);
	cr_assert_eq(uiomove("efghijkl", 8, UIO_READ, &uio), 0);
	cr_assert_eq(uio.uio_resid, 0);
	cr_assert_arr_eq(c + 2, "efg", 3);
	uioskip(&uio, 100);
	cr_assert_eq(uio.uio_resid, 0);
}

Test(sysfile, copies_give_an_error_for_addresses_that_cannot_be)
{
	char buf[8] = "abc", out[8];
	size_t len = 0;

	cr_assert_eq(copyin(buf, out, 4), 0);
	cr_assert_str_eq(out, "abc");
	cr_assert_eq(copyin(NULL, out, 1), -1);
	cr_assert_eq(copyin((void *)4095, out, 1), -1);
	cr_assert_eq(copyin((void *)-8, out, 16), -1);
	cr_assert_eq(copyin((void *)0x8000000000000000, out, 1), -1);
	cr_assert_eq(copyin(NULL, out, 0), 0);
	cr_assert_eq(copyout(out, NULL, 1), -1);
	cr_assert_eq(copyinstr(buf, out, 8, &len), 0);
	cr_assert_eq(len, 4);
	cr_assert_eq(copyinstr(buf, out, 3, NULL), ENAMETOOLONG);
	cr_assert_eq(copyinstr(NULL, out, 3, NULL), EFAULT);
}

/* ---- owners of descriptors outside the process ---- */

static short owner_events;
static int owner_calls;
static void owner_event(pollent_t *pe, short revents)
{
	(void)pe;
	owner_events |= revents;
	owner_calls++;
}

PROGRAM(sysfile, an_owner_is_told_of_every_event)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	pollent_t pe = {.pl_events = POLLIN, .pl_func = owner_event};
	char buf[8];

	cr_assert_eq(fd_pollent_attach(curproc, 9, &pe), EBADF);
	cr_assert_eq(fd_pollent_attach(curproc, (int)fd, &pe), 0);
	cr_assert_eq(owner_calls, 0);
	OK(U_WRITE(fd, "x", 1), 1);
	cr_assert_eq(owner_events, POLLIN);
	OK(U_WRITE(fd, "y", 1), 1);
	cr_assert_eq(owner_calls, 2, "again, without being asked");
	OK(U_READ(fd, buf, 8), 2);
	cr_assert_eq(fd_poll(curproc, (int)fd, POLLIN | POLLOUT), POLLOUT);
	pollent_detach(&pe);
	OK(U_WRITE(fd, "x", 1), 1);
	cr_assert_eq(owner_calls, 2);
	cr_assert_eq(fd_pollent_attach(curproc, (int)fd, &pe), 0);
	cr_assert_eq(owner_calls, 3, "at once, since there is data");
	cr_assert_eq(fd_poll(curproc, 9, POLLIN), POLLNVAL);
	OK(U_CLOSE(fd), 0);
	cr_assert_null(pe.pl_pprev, "closing detaches");
	DONE;
}

static int in_kernel_done;
static void in_kernel(void *arg)
{
	vnode_t *vp;
	int rval = 0, size = -1;

	(void)arg;
	cr_assert_eq(vn_open_dev("/dev/nosuch", FREAD | FWRITE, &vp), ENOENT);
	cr_assert_eq(vn_open_dev("/dev/loop", FREAD | FWRITE, &vp), 0);
	cr_assert_eq(getminor(vp->v_rdev), 100);
	cr_assert_eq(kern_ioctl(vp, I_PUSH, (intptr_t) "upper", NULL), 0);
	cr_assert_eq(kern_ioctl(vp, I_PUSH, (intptr_t) "muchtoolong", NULL), EINVAL);
	cr_assert_eq(kern_ioctl(vp, LOOP_ACK, 0, &rval), 0);
	cr_assert_eq(rval, 7);
	cr_assert_eq(kern_ioctl(vp, I_NREAD, (intptr_t)&size, &rval), 0);
	cr_assert_eq(size, 0);
	cr_assert_eq(vn_close_dev(vp, FREAD | FWRITE), 0);
	cr_assert_eq(loop_closes, 1);
	in_kernel_done = 1;
}

Test(sysfile, kernel_code_opens_devices_without_a_descriptor)
{
	st_thread(in_kernel, NULL);
	cr_assert(in_kernel_done);
}

PROGRAM(sysfile, a_failing_allocation_leaves_nothing)
{
	int fd[2], failed = 0;

	for (int n = 1; n < 40; n++) {
		int64_t ret;

		kmem_fail_nth(n);
		ret = U_PIPE(fd);
		kmem_fail_nth(0);
		if (ret == 0)
			break;
		cr_assert(user_errno() == ENOMEM || user_errno() == ENOSR, "%s", st_error(user_errno()));
		failed++;
	}
	cr_assert(failed > 4 && failed < 39);
	OK(U_WRITE(fd[0], "x", 1), 1);
	OK(fd[0], 0);
	DONE;
}

/* The tracer's safe copies; absent when only some kernel modules are linked. */
int dtrace_copyfrom(void *dst, const void *src, size_t n) __attribute__((weak));

PROGRAM(sysfile, addresses_that_are_not_there)
{
	int64_t fd = U_OPEN("/dev/loop", O_RDWR);
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct strbuf d = {8, 8, NULL};
	int flags = 0;

	DONE;
	if (dtrace_copyfrom == NULL)
		return;
	munmap(page + 4096, 4096);
	FAILS(U_WRITE(fd, page + 4096, 1), EFAULT);
	FAILS(U_WRITE(fd, page + 4095, 2), EFAULT);
	OK(U_WRITE(fd, page + 4095, 1), 1);
	FAILS(U_READ(fd, page + 4096, 1), EFAULT);
	FAILS(U_WRITE(fd, 0x7000deadbeef, 1), EFAULT);
	FAILS(U_OPEN(page + 4096, O_RDWR), EFAULT);
	FAILS(U_WRITEV(fd, page + 4090, 1), EFAULT);
	FAILS(U_IOCTL(fd, I_STR, page + 4090), EFAULT);
	FAILS(U_IOCTL(fd, LOOP_DOUBLE, page + 4096), EFAULT);
	d.buf = page + 4094;
	FAILS(U_PUTMSG(fd, NULL, &d, 0), EFAULT);
	OK(U_WRITE(fd, "12345678", 8), 8);
	FAILS(U_GETMSG(fd, NULL, &d, &flags), EFAULT);
	FAILS(U_GETMSG(fd, NULL, &d, page + 4096), EFAULT);
	FAILS(U_POLL(page + 4096, 1, 0), EFAULT);
	FAILS(U_PIPE(page + 4092), EFAULT);
	memset(page + 4000, 'a', 96);
	FAILS(U_OPEN(page + 4000, O_RDWR), EFAULT);
}
