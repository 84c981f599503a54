/* consms: motion of all mice, links, ioctls for all mice. */
#include "tests/inputtest.h"

INPUT_SUITE(consms);

static int64_t open_mouse(void)
{
	int64_t fd = U_OPEN("/dev/mouse", O_RDWR);

	cr_assert_str_eq(events(fd), "32646=3", "the first mouse brought three buttons");
	(void)st_noted();
	return fd;
}

/* Link a mouse; the link's number. */
static int64_t link_fake(int64_t fd, int n)
{
	int64_t low = open_fake(n), id = U_IOCTL(fd, I_LINK, low);

	cr_assert_gt(id, 0);
	OK(U_CLOSE(low), 0);
	return id;
}

static int get(int64_t fd, int cmd)
{
	int val = -1;

	OK(U_IOCTL(fd, cmd, &val), 0);
	return val;
}

/* ---- up ---- */

PROGRAM(consms, a_packet_is_events_of_what_changed)
{
	int64_t fd = open_mouse();

	cr_assert_eq(ps2_mouse_packet(0, 5, -3, 0), 3);
	u_sleep_ms(10);
	cr_assert_str_eq(events(fd), "32640=5/3:130 32641=-3/3:131");
	cr_assert_eq(ps2_mouse_buttons(1), 3);
	u_sleep_ms(10);
	cr_assert_str_eq(events(fd), "32544=1");
	OK(U_CLOSE(fd), 0);
	DONE;
}

PROGRAM(consms, mice_are_one)
{
	int64_t fd = open_mouse();

	(void)link_fake(fd, 0);
	(void)link_fake(fd, 1);
	fake_event(&fakes[0], BUT(1), 1);
	ps2_mouse_move(1, 0, 0);
	u_sleep_ms(10);
	fake_event(&fakes[1], BUT(3), 1);
	cr_assert_str_eq(events(fd), "32544=1 32640=1/3:130 32546=1");
	putnext(fakes[0].q, byte_msg(M_HANGUP, 0));     /* freed */
	putnext(fakes[0].q, byte_msg(M_FLUSH, FLUSHR)); /* goes on to the head, which comes back for nothing */
	fake_event(&fakes[0], BUT(1), 0);
	cr_assert_str_eq(events(fd), "32544=0");
	DONE;
}

/* ---- links ---- */

#define LINKED(n) #n ":6d03(-1) " #n ":760f(-1) " #n ":760b(1) " #n ":7612(1) " #n ":6d02(0) " #n ":6d04(768)"

PROGRAM(consms, a_new_mouse_is_asked_and_told_in_order)
{
	int64_t fd = open_mouse(), id = link_fake(fd, 0);

	st_expect(LINKED(0));
	OK(U_IOCTL(fd, I_UNLINK, id), 0);
	FAILS(U_IOCTL(fd, I_UNLINK, id), EINVAL);
	id = link_fake(fd, 0);
	st_expect(LINKED(0));
	OK(U_IOCTL(fd, I_UNLINK, id), 0);
	/* A mouse that refuses everything is linked all the same. */
	fakes[1].refuse_all = true;
	fakes[1].error = EIO;
	(void)link_fake(fd, 1);
	st_expect(LINKED(1));
	DONE;
}

PROGRAM(consms, more_buttons_and_wheels_are_told)
{
	int64_t fd = open_mouse(), id, id1;

	fakes[0].number = 5;
	id = link_fake(fd, 0);
	cr_assert_str_eq(events(fd), "32646=5 32647=5");
	cr_assert_eq(get(fd, MSIOBUTTONS), 5);
	fakes[1].number = 4;
	id1 = link_fake(fd, 1);
	cr_assert_str_eq(events(fd), "", "the best one counts");
	OK(U_IOCTL(fd, I_UNLINK, id), 0);
	cr_assert_str_eq(events(fd), "32646=4 32647=4");
	OK(U_IOCTL(fd, I_UNLINK, id1), 0);
	cr_assert_str_eq(events(fd), "32646=3 32647=0");
	DONE;
}

PROGRAM(consms, a_new_mouse_has_the_others_settings)
{
	int64_t fd = open_mouse();
	Ms_parms parms = {3, 1, 40};
	Ms_screen_resolution res = {1200, 1600};
	int format = VUID_NATIVE;

	OK(u_str(fd, MSIOSRESOLUTION, &res, sizeof(res)), 0);
	OK(U_IOCTL(fd, VUIDSFORMAT, &format), 0);
	FAILS(U_IOCTL(fd, MSIOSETPARMS, &parms), EINVAL); /* the mouse that is there does not know that */
	(void)link_fake(fd, 0);
	st_expect("0:6d03(-1) 0:760f(-1) 0:760b(0) 0:7612(1) 0:6d02(3) 0:6d04(1200)");
	DONE;
}

/* ---- ioctls ---- */

PROGRAM(consms, an_ioctl_goes_to_all_mice)
{
	int64_t fd = open_mouse();
	int format = VUID_FIRM_EVENT;

	(void)link_fake(fd, 0);
	(void)link_fake(fd, 1);
	(void)st_noted();
	fakes[1].nak = VUIDSFORMAT;
	fakes[1].error = EIO;
	OK(U_IOCTL(fd, VUIDSFORMAT, &format), 0); /* one success is enough */
	st_expect("1:760b(1) 0:760b(1)");
	fakes[1].number = 7;
	cr_assert_eq(get(fd, VUIDGFORMAT), 7, "the answer of the first one in the list, which came last");
	DONE;
}

PROGRAM(consms, without_a_mouse_there_is_nobody_to_answer)
{
	int64_t fd = open_mouse();
	int val = 1;

	OK(U_IOCTL(fd, I_PUNLINK, MUXID_ALL), 0);
	FAILS(U_IOCTL(fd, MSIOBUTTONS, &val), ENOMEM);
	FAILS(U_IOCTL(fd, VUIDSFORMAT, &val), EINVAL);
	OK(U_IOCTL(fd, I_FLUSH, FLUSHRW), 0);
	OK(U_WRITE(fd, "x", 1), 1);
	DONE;
}

PROGRAM(consms, all_may_refuse)
{
	int64_t fd = open_mouse();
	int val = 1;

	OK(U_IOCTL(fd, I_PUNLINK, MUXID_ALL), 0);
	fakes[0].refuse_all = fakes[1].refuse_all = true;
	fakes[0].error = fakes[1].error = EIO;
	(void)link_fake(fd, 0);
	(void)link_fake(fd, 1);
	FAILS(U_IOCTL(fd, VUIDSFORMAT, &val), EIO);
	DONE;
}

/* The caller's data is fetched once, and handed to each mouse that asked. */
PROGRAM(consms, transparent_ioctls_are_answered_to_each)
{
	int64_t fd;
	wheel_state ws = {.vers = VUID_WHEEL_STATE_VERS, .stateflags = VUID_WHEEL_STATE_ENABLED};
	int64_t id;

	fd = open_mouse();
	OK(U_IOCTL(fd, I_PUNLINK, MUXID_ALL), 0);
	(void)link_fake(fd, 0);
	id = link_fake(fd, 1);
	(void)st_noted();
	OK(U_IOCTL(fd, VUIDSWHEELSTATE, &ws), 0);
	st_expect("1:7612(-1) 0:7612(-1) 1:iocdata:1 0:iocdata:1");
	FAILS(U_IOCTL(fd, VUIDSWHEELSTATE, NULL), EFAULT);
	st_expect("1:7612(-1) 0:7612(-1) 1:iocdata:-1 0:iocdata:-1");
	OK(U_IOCTL(fd, I_UNLINK, id), 0);
	OK(U_IOCTL(fd, VUIDSWHEELSTATE, &ws), 0);
	st_expect("0:7612(-1) 0:iocdata:1");
	DONE;
}

/* With the real mouse: a wheel. */
TestSuite(consms_alone, .init = st_boot, .fini = it_halt);

PROGRAM(consms_alone, the_wheel_of_a_real_mouse)
{
	int64_t fd = U_OPEN("/dev/mouse", O_RDWR), low = U_OPEN("/dev/internal_mouse", O_RDWR);
	wheel_info wi = {.vers = VUID_WHEEL_INFO_VERS};
	wheel_state ws = {.vers = VUID_WHEEL_STATE_VERS};

	ps2_mouse_set_kind(PS2_MOUSE_WHEEL5);
	OK(U_IOCTL(low, I_PUSH, "vuid3ps2"), 0);
	cr_assert_gt(U_IOCTL(fd, I_LINK, low), 0);
	cr_assert_str_eq(events(fd), "32646=5 32647=1");
	cr_assert_eq(get(fd, VUIDGWHEELCOUNT), 1);
	OK(U_IOCTL(fd, VUIDGWHEELINFO, &wi), 0);
	cr_assert_eq(wi.format, VUID_WHEEL_FORMAT_VERTICAL);
	OK(U_IOCTL(fd, VUIDGWHEELSTATE, &ws), 0);
	cr_assert_eq(ws.stateflags, VUID_WHEEL_STATE_ENABLED);
	ws.stateflags = 0;
	OK(U_IOCTL(fd, VUIDSWHEELSTATE, &ws), 0);
	ps2_mouse_move(0, 0, -1);
	u_sleep_ms(20);
	cr_assert_str_eq(events(fd), "");
	ws.stateflags = VUID_WHEEL_STATE_ENABLED;
	OK(U_IOCTL(fd, VUIDSWHEELSTATE, &ws), 0);
	ps2_mouse_move(0, 0, -1);
	ps2_mouse_buttons(8);
	u_sleep_ms(30);
	cr_assert_str_eq(events(fd), "30720=1 32547=1 32547=0");
	wi.id = 3;
	FAILS(U_IOCTL(fd, VUIDGWHEELINFO, &wi), EINVAL);
	DONE;
}

static int slow_result;

static void slow_ioctl(void *unused)
{
	int val = 1;
	int64_t fd = U_OPEN("/dev/mouse", O_RDWR);

	(void)unused;
	slow_result = U_IOCTL(fd, VUIDSFORMAT, &val) == 0 ? 0 : user_errno();
}

PROGRAM(consms, a_mouse_that_goes_is_not_waited_for)
{
	int64_t fd = open_mouse(), id;
	proc_t *p;

	id = link_fake(fd, 0);
	fakes[0].silent = VUIDSFORMAT;
	slow_result = -7;
	p = u_start(slow_ioctl, NULL);
	u_sleep_ms(1000);
	cr_assert_eq(slow_result, -7);
	/* One ioctl a stream: unlink by another thread is not possible meanwhile, the last close is. */
	fake_answer(&fakes[0], EIO);
	u_sleep_ms(10);
	cr_assert_eq(slow_result, 0);
	proc_exit(p);
	OK(U_IOCTL(fd, I_UNLINK, id), 0);
	DONE;
}

/* ---- other messages ---- */

PROGRAM(consms, data_and_flushes_go_to_all_mice)
{
	int64_t fd = open_mouse();
	struct strbuf ctl = {0, 4, "prot"};

	(void)link_fake(fd, 0);
	(void)link_fake(fd, 1);
	(void)st_noted();
	OK(U_WRITE(fd, "ab", 2), 2);
	u_sleep_ms(1);
	st_expect("1:data:ab 0:data:ab");
	OK(U_IOCTL(fd, I_FLUSH, FLUSHW), 0);
	u_sleep_ms(1);
	cr_assert_not_null(strstr(st_noted(), "1:flush2 0:flush2"));
	/* The write reached the real mouse, too: 61 62 are no commands. */
	OK(U_PUTMSG(fd, &ctl, NULL, 0), 0);
	FAILS(U_WRITE(fd, "x", 1), EINVAL); /* M_ERROR */
	DONE;
}

PROGRAM(consms, opening_the_mouse_elsewhere_takes_it_away)
{
	int64_t fd = open_mouse(), other = U_OPEN("/dev/mouse8042", O_RDWR);

	cr_assert_geq(other, 0);
	cr_assert_str_eq(events(fd), "32646=0");
	ps2_mouse_move(1, 1, 0);
	u_sleep_ms(20);
	cr_assert_str_eq(events(fd), "");
	OK(U_CLOSE(other), 0);
	u_sleep_ms(500);
	cr_assert_str_eq(events(fd), "32646=3", "linked again");
	ps2_mouse_move(1, 0, 0);
	u_sleep_ms(20);
	cr_assert_str_eq(events(fd), "32640=1/3:130");
	DONE;
}

/* ---- plumbing ---- */

TestSuite(plumbing, .init = st_boot, .fini = it_halt);

/* However far it has come, the end of the machine undoes it. */
Test(plumbing, may_be_cut_short)
{
	cr_assert_eq(consconfig_attach(), 0);
	machine_run(machine_now() + 10 * MS);
	cr_assert_not(consconfig_done());
}

Test(plumbing, may_not_have_begun)
{
	cr_assert_eq(consconfig_attach(), 0);
}

Test(plumbing, a_mouse_that_is_absent_is_linked_all_the_same)
{
	ps2_mouse_plug(false);
	cr_assert_eq(consconfig_attach(), 0);
	machine_run(machine_now() + 3000 * MS);
	cr_assert(consconfig_done());
	cr_assert_eq(consconfig_error(), 0);
}

static void machine_again(void)
{
	if (machine_fini() != 0)
		abort();
	machine_init(0);
}

Test(plumbing, memory_may_fail_anywhere)
{
	for (long n = 1; n < 150; n++) {
		/* The machine itself gives up without a thread for an interrupt: let it have two. */
		intr_raise(PS2_IRQ_KBD);
		intr_raise(PS2_IRQ_MOUSE);
		machine_run_ready();
		if (n & 1)
			kmem_fail_nth(n / 2 + 1);
		else
			allocb_fail_nth(n / 2);
		if (consconfig_attach() == 0) {
			machine_run(machine_now() + 4000 * MS);
			cr_assert(consconfig_done(), "%ld", n);
		}
		kmem_fail_nth(0);
		allocb_fail_nth(0);
		machine_again();
	}
}

/* ---- short memory ---- */

PROGRAM(consms, memory_may_fail_anywhere)
{
	int64_t fd = open_mouse();

	for (long n = 1; n < 120; n++) {
		int64_t low = open_fake(0), id;
		wheel_state ws = {.vers = VUID_WHEEL_STATE_VERS};
		int val = VUID_FIRM_EVENT, buttons;

		if (n & 1)
			kmem_fail_nth(n / 2 + 1);
		else
			allocb_fail_nth(n / 2);
		id = U_IOCTL(fd, I_LINK, low);
		if (id < 0)
			cr_assert(user_errno() == ENOMEM || user_errno() == ENOSR || user_errno() == EAGAIN, "%d",
				  user_errno());
		(void)U_IOCTL(fd, MSIOBUTTONS, &buttons);
		(void)U_IOCTL(fd, VUIDSFORMAT, &val);
		(void)U_IOCTL(fd, VUIDSWHEELSTATE, &ws);
		ps2_mouse_move(1, 0, 0);
		u_sleep_ms(10);
		if (id > 0)
			(void)U_IOCTL(fd, I_UNLINK, id);
		kmem_fail_nth(0);
		allocb_fail_nth(0);
		(void)U_IOCTL(fd, I_UNLINK, MUXID_ALL);
		OK(U_CLOSE(low), 0);
		(void)events(fd);
		(void)st_noted();
	}
	ps2_mouse_move(1, 0, 0);
	u_sleep_ms(10);
	cr_assert_str_eq(events(fd), "32640=1/3:130");
	DONE;
}
