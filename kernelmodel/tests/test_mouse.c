/* mouse8042 and vuid3ps2: setting a mouse up, its packets, its ioctls. */
#include "tests/inputtest.h"
#include "mouse8042/mouse8042.h"

/* No console here: the program has the mouse. */
static void start(void)
{
	machine_init(0);
}
TestSuite(mouse, .init = start, .fini = it_halt);

static int64_t open_mouse(void)
{
	int64_t fd = U_OPEN("/dev/internal_mouse", O_RDWR);

	OK(U_IOCTL(fd, I_PUSH, "vuid3ps2"), 0);
	return fd;
}

/* What the mouse was sent since the last look. */
static const char *sent(void)
{
	static char buf[1024];
	static uint8_t log[256];
	static size_t before;
	size_t n = ps2_mouse_commands(log, sizeof(log)), len = 0;

	if (n < before)
		before = 0;
	buf[0] = '\0';
	for (size_t i = before; i < n; i++)
		len += (size_t)snprintf(buf + len, sizeof(buf) - len, "%s%02x", i > before ? " " : "", log[i]);
	before = n;
	return buf;
}

/* Bytes from the mouse, given as text; wait for the last one. */
static void bytes(const char *hex)
{
	uint8_t b[256];
	size_t n = 0;

	for (char *end; *hex != '\0'; hex = end + (*end == ' '))
		b[n++] = (uint8_t)strtoul(hex, &end, 16);
	ps2_mouse_bytes(b, n);
	u_sleep_ms((int)(2 * n) + 10);
}

#define INIT "ff e8 00 e6 e6 e6 e9 "
#define PROBE "f3 c8 f3 64 f3 50 f2 "
#define PROBE5 "f3 c8 f3 c8 f3 50 f2 "
#define START "e8 03 ea f4"

/* ---- setting up ---- */

PROGRAM(mouse, a_plain_mouse_is_set_up)
{
	int64_t fd = open_mouse();
	int n = 0;

	cr_assert_str_eq(sent(), INIT PROBE START);
	cr_assert(ps2_mouse_enabled());
	OK(U_IOCTL(fd, MSIOBUTTONS, &n), 0);
	cr_assert_eq(n, 3);
	OK(U_IOCTL(fd, VUIDGWHEELCOUNT, &n), 0);
	cr_assert_eq(n, 0);
	OK(U_IOCTL(fd, VUIDGFORMAT, &n), 0);
	cr_assert_eq(n, VUID_FIRM_EVENT);
	DONE;
}

PROGRAM(mouse, a_wheel_is_found)
{
	int64_t fd;
	int n = 0;

	ps2_mouse_set_kind(PS2_MOUSE_WHEEL);
	fd = open_mouse();
	cr_assert_str_eq(sent(), INIT PROBE PROBE5 START);
	OK(U_IOCTL(fd, VUIDGWHEELCOUNT, &n), 0);
	cr_assert_eq(n, 1);
	OK(U_IOCTL(fd, MSIOBUTTONS, &n), 0);
	cr_assert_eq(n, 3);
	DONE;
}

PROGRAM(mouse, five_buttons_are_found)
{
	int64_t fd;
	int n = 0;

	ps2_mouse_set_kind(PS2_MOUSE_WHEEL5);
	fd = open_mouse();
	cr_assert_str_eq(sent(), INIT PROBE PROBE5 START);
	OK(U_IOCTL(fd, MSIOBUTTONS, &n), 0);
	cr_assert_eq(n, 5);
	DONE;
}

PROGRAM(mouse, the_mouse_may_know_its_buttons)
{
	int64_t fd;
	int n = 0;

	ps2_mouse_set_nbuttons(2);
	fd = open_mouse();
	OK(U_IOCTL(fd, MSIOBUTTONS, &n), 0);
	cr_assert_eq(n, 2);
	/* The third one is none of its buttons. */
	(void)sent();
	ps2_mouse_buttons(4);
	ps2_mouse_buttons(6);
	u_sleep_ms(20);
	cr_assert_str_eq(events(fd), "32546=1");
	DONE;
}

PROGRAM(mouse, a_mouse_without_extended_commands_is_not_probed_again)
{
	int64_t fd;

	ps2_mouse_ignore(0xf3);
	fd = open_mouse();
	cr_assert_str_eq(sent(), INIT "f3 " INIT START);
	ps2_mouse_move(1, 0, 0);
	u_sleep_ms(10);
	cr_assert_str_eq(events(fd), "32640=1/3:130");
	DONE;
}

PROGRAM(mouse, a_silent_mouse_is_given_up_after_five_timeouts)
{
	int64_t fd, n = 0;
	hrtime_t begin = machine_now();

	ps2_mouse_plug(false);
	fd = open_mouse();
	cr_assert_str_eq(sent(), "ff ff ff ff ff");
	cr_assert_geq(machine_now() - begin, 2450 * MS);
	cr_assert_leq(machine_now() - begin, 2510 * MS);
	/* It comes later: AA 00 of a mouse that is switched on is not a packet in this state, and is ignored. */
	OK(U_IOCTL(fd, MSIOBUTTONS, &n), 0);
	DONE;
}

/* Wherever in the dialogue the mouse becomes deaf, it is begun again, and given up in the end. */
PROGRAM(mouse, a_mouse_may_become_deaf_at_any_point)
{
	for (long n = 1; n <= 18; n++) {
		int64_t fd;
		hrtime_t begin;

		ps2_mouse_deaf(n);
		begin = machine_now();
		fd = open_mouse();
		cr_assert_geq(machine_now() - begin, 2100 * MS, "%ld", n);
		cr_assert_leq(machine_now() - begin, 2700 * MS, "%ld", n);
		OK(U_CLOSE(fd), 0);
		ps2_mouse_deaf(0);
		u_sleep_ms(100);
	}
	/* And works when it can hear. */
	OK(U_CLOSE(open_mouse()), 0);
	cr_assert(ps2_mouse_enabled());
	DONE;
}

PROGRAM(mouse, only_one_mouse_may_be_open)
{
	int64_t fd = open_mouse(), other = U_OPEN("/dev/loop", O_RDWR);

	FAILS(U_IOCTL(other, I_PUSH, "vuid3ps2"), EBUSY);
	OK(U_CLOSE(fd), 0);
	fd = open_mouse();
	OK(U_CLOSE(fd), 0);
	DONE;
}

PROGRAM(mouse, one_node_at_a_time)
{
	int64_t fd = U_OPEN("/dev/mouse8042", O_RDWR);

	cr_assert_geq(fd, 0);
	cr_assert_geq(U_OPEN("/dev/mouse8042", O_RDWR), 0);
	FAILS(U_OPEN("/dev/internal_mouse", O_RDWR), EBUSY);
	DONE;
}

/* A signal ends the wait for a mouse that says nothing. */
static void silent_open(void *arg)
{
	int64_t fd = U_OPEN("/dev/internal_mouse", O_RDWR);

	*(int64_t *)arg = 1;
	*(int64_t *)arg = 100 + U_IOCTL(fd, I_PUSH, "vuid3ps2");
}

Test(mouse, an_open_that_waits_ends_with_its_process)
{
	int64_t r = 0;
	proc_t *p;

	ps2_mouse_plug(false);
	p = u_start(silent_open, &r);
	machine_run(machine_now() + 700 * MS);
	proc_exit(p);
	machine_run(machine_now() + 100 * MS);
	cr_assert_eq(r, 1, "it did not come back from the push");
}

/* ---- bytes ---- */

/* Without the module every byte is a message. */
PROGRAM(mouse, the_driver_passes_bytes)
{
	int64_t fd = U_OPEN("/dev/mouse8042", O_RDWR);
	char buf[8];
	int n = -1;

	ps2_mouse_bytes((const uint8_t *)"\x08\x01\x02", 3);
	u_sleep_ms(10);
	OK(U_IOCTL(fd, I_NREAD, &n), 3);
	cr_assert_eq(n, 1);
	OK(U_READ(fd, buf, 8), 3);
	cr_assert_eq(memcmp(buf, "\x08\x01\x02", 3), 0);
	OK(U_WRITE(fd, "\xf4", 1), 1);
	u_sleep_ms(5);
	cr_assert(ps2_mouse_enabled());
	OK(U_READ(fd, buf, 8), 1);
	cr_assert_eq(buf[0], (char)0xfa);
	FAILS(U_IOCTL(fd, MSIOBUTTONS, &n), EINVAL);
	FAILS(U_IOCTL(fd, VUIDGWHEELCOUNT, &n), EINVAL);
	OK(U_IOCTL(fd, I_FLUSH, FLUSHRW), 0);
	DONE;
}

PROGRAM(mouse, nobody_hears_the_bytes_of_a_closed_mouse)
{
	int64_t fd = U_OPEN("/dev/mouse8042", O_RDWR);

	OK(U_CLOSE(fd), 0);
	ps2_mouse_bytes((const uint8_t *)"\x08\x01\x02", 3);
	u_sleep_ms(10);
	fd = U_OPEN("/dev/mouse8042", O_RDWR | O_NONBLOCK);
	FAILS(U_READ(fd, st_log, 8), EAGAIN);
	DONE;
}

/* ---- packets ---- */

PROGRAM(mouse, motion_is_a_delta_of_each_axis_that_moved)
{
	static const struct {
		const char *packet, *events;
	} t[] = {
	    {"08 05 00", "32640=5/3:130"},
	    {"18 fb 00", "32640=-5/3:130"},
	    {"08 00 03", "32641=3/3:131"},
	    {"38 fb fd", "32640=-5/3:130 32641=-3/3:131"},
	    {"08 ff ff", "32640=255/3:130 32641=255/3:131"},
	    {"38 00 00", "32640=-256/3:130 32641=-256/3:131"},
	    {"c8 01 01", "32640=1/3:130 32641=1/3:131"}, /* overflow is ignored */
	    {"08 00 00", ""},
	};
	int64_t fd = open_mouse();

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		bytes(t[i].packet);
		cr_assert_str_eq(events(fd), t[i].events, "%s", t[i].packet);
	}
	DONE;
}

PROGRAM(mouse, buttons_are_told_when_they_change)
{
	static const struct {
		const char *packet, *events;
	} t[] = {
	    {"09 00 00", "32544=1"}, /* left */
	    {"09 01 00", "32640=1/3:130"},
	    {"0b 00 00", "32546=1"},                 /* right, too */
	    {"0c 00 00", "32544=0 32546=0 32545=1"}, /* only the middle one */
	    {"08 00 00", "32545=0"},
	    {"0f 00 02", "32544=1 32546=1 32545=1 32641=2/3:131"},
	};
	int64_t fd = open_mouse();

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		bytes(t[i].packet);
		cr_assert_str_eq(events(fd), t[i].events, "%s", t[i].packet);
	}
	DONE;
}

PROGRAM(mouse, a_button_is_told_with_the_first_byte)
{
	int64_t fd = open_mouse();

	bytes("09");
	cr_assert_str_eq(events(fd), "32544=1");
	bytes("01 00");
	cr_assert_str_eq(events(fd), "32640=1/3:130");
	DONE;
}

PROGRAM(mouse, a_late_byte_begins_a_packet)
{
	int64_t fd = open_mouse();

	bytes("08 05");
	u_sleep_ms(300);
	bytes("08 00 03"); /* the first two bytes are lost */
	cr_assert_str_eq(events(fd), "32641=3/3:131");
	bytes("08");
	u_sleep_ms(300);
	bytes("09 00 00");
	cr_assert_str_eq(events(fd), "32544=1");
	/* 250 ms are not late. */
	bytes("09");
	u_sleep_ms(230);
	bytes("02 00");
	cr_assert_str_eq(events(fd), "32640=2/3:130");
	DONE;
}

PROGRAM(mouse, a_byte_out_of_step_is_dropped)
{
	int64_t fd = open_mouse();

	bytes("08 00 00");
	bytes("05 06 07"); /* none can begin a packet */
	cr_assert_str_eq(events(fd), "");
	bytes("08 01 00");
	cr_assert_str_eq(events(fd), "32640=1/3:130");
	DONE;
}

/* What the first byte has in bit 3 is what all first bytes have. */
PROGRAM(mouse, the_first_byte_sets_the_step)
{
	int64_t fd = open_mouse();

	bytes("00 01 00");
	cr_assert_str_eq(events(fd), "32640=1/3:130");
	bytes("08");
	bytes("00 02 00");
	cr_assert_str_eq(events(fd), "32640=2/3:130");
	DONE;
}

PROGRAM(mouse, the_wheel_turns_both_ways)
{
	int64_t fd;

	ps2_mouse_set_kind(PS2_MOUSE_WHEEL);
	fd = open_mouse();
	bytes("08 00 00 ff");
	cr_assert_str_eq(events(fd), "30720=1");
	bytes("08 03 00 01");
	cr_assert_str_eq(events(fd), "30720=-1 32640=3/3:130", "the wheel goes first");
	bytes("08 00 00 02");
	cr_assert_str_eq(events(fd), "", "one step at a time is known");
	bytes("08 00 00 09");
	cr_assert_str_eq(events(fd), "", "the second wheel is not enabled");
	DONE;
}

PROGRAM(mouse, extra_buttons_click)
{
	int64_t fd;

	ps2_mouse_set_kind(PS2_MOUSE_WHEEL5);
	fd = open_mouse();
	bytes("08 00 00 10");
	cr_assert_str_eq(events(fd), "32547=1 32547=0");
	bytes("08 00 00 21");
	cr_assert_str_eq(events(fd), "32548=1 32548=0 30720=-1");
	bytes("08 00 01 30");
	cr_assert_str_eq(events(fd), "32547=1 32547=0 32641=1/3:131", "one of them a packet");
	DONE;
}

PROGRAM(mouse, a_mouse_that_is_plugged_in_is_set_up_again)
{
	int64_t fd = open_mouse();
	int n;

	(void)sent();
	ps2_mouse_plug(false);
	u_sleep_ms(1000);
	ps2_mouse_set_kind(PS2_MOUSE_WHEEL);
	ps2_mouse_plug(true);
	u_sleep_ms(500);
	cr_assert_str_eq(sent(), INIT PROBE PROBE5 START);
	cr_assert(ps2_mouse_enabled());
	/* AA looks like a packet with the right button down: it is told before the next byte says what it was. */
	cr_assert_str_eq(events(fd), "32546=1");
	OK(U_IOCTL(fd, VUIDGWHEELCOUNT, &n), 0);
	cr_assert_eq(n, 1);
	DONE;
}

PROGRAM(mouse, aa_may_be_the_first_byte_of_a_packet)
{
	int64_t fd = open_mouse();

	bytes("aa 05 01");
	cr_assert_str_eq(events(fd), "32546=1 32640=5/3:130 32641=-255/3:131");
	DONE;
}

static void resume(void *unused)
{
	(void)unused;
	mouse8042_resume();
}

PROGRAM(mouse, a_machine_that_wakes_sets_its_mouse_up)
{
	(void)open_mouse();
	(void)sent();
	cr_assert_not_null(thread_create(resume, NULL, 60));
	u_sleep_ms(500);
	cr_assert_str_eq(sent(), INIT PROBE START);
	DONE;
}

/* ---- messages and ioctls ---- */

PROGRAM(mouse, the_format_may_be_the_mouse_s_own)
{
	int64_t fd = open_mouse();
	int val = VUID_NATIVE;

	OK(U_IOCTL(fd, VUIDSFORMAT, &val), 0);
	bytes("09 01 00");
	cr_assert_str_eq(chars(fd), "^I^A^@");
	OK(U_IOCTL(fd, VUIDGFORMAT, &val), 0);
	cr_assert_eq(val, VUID_NATIVE);
	val = VUID_FIRM_EVENT;
	OK(U_IOCTL(fd, VUIDSFORMAT, &val), 0);
	bytes("09 01 00");
	cr_assert_str_eq(events(fd), "32544=1 32640=1/3:130");
	DONE;
}

PROGRAM(mouse, ioctls_check_what_they_are_given)
{
	int64_t fd = open_mouse();
	Vuid_addr_probe va = {0};
	char buf[16] = "";

	FAILS(u_str(fd, VUIDSFORMAT, buf, 2), EINVAL);
	FAILS(U_IOCTL(fd, VUIDSADDR, &va), ENOTTY);
	FAILS(U_IOCTL(fd, VUIDGADDR, &va), ENOTTY);
	FAILS(U_IOCTL(fd, MSIOGETPARMS, buf), EINVAL);
	FAILS(U_IOCTL(fd, MSIOSETPARMS, buf), EINVAL);
	FAILS(U_IOCTL(fd, KIOCTYPE, buf), EINVAL);
	FAILS(U_IOCTL(fd, VUIDGWHEELINFO, buf), EINVAL); /* no wheel */
	FAILS(U_IOCTL(fd, VUIDGWHEELCOUNT, NULL), EFAULT);
	FAILS(U_IOCTL(fd, VUIDSWHEELSTATE, NULL), EFAULT);
	DONE;
}

PROGRAM(mouse, wheel_ioctls_work_in_both_forms)
{
	wheel_info wi = {.vers = VUID_WHEEL_INFO_VERS, .id = 0};
	wheel_state ws = {.vers = VUID_WHEEL_STATE_VERS, .id = 0};
	Ms_screen_resolution res = {768, 1024};
	int64_t fd;
	int n = 0;

	ps2_mouse_set_kind(PS2_MOUSE_WHEEL);
	fd = open_mouse();
	OK(U_IOCTL(fd, VUIDGWHEELINFO, &wi), 0);
	cr_assert_eq(wi.format, VUID_WHEEL_FORMAT_VERTICAL);
	OK(U_IOCTL(fd, VUIDGWHEELSTATE, &ws), 0);
	cr_assert_eq(ws.stateflags, VUID_WHEEL_STATE_ENABLED);
	ws.stateflags = 0;
	OK(U_IOCTL(fd, VUIDSWHEELSTATE, &ws), 0);
	bytes("08 00 00 ff");
	cr_assert_str_eq(events(fd), "");
	ws.stateflags = VUID_WHEEL_STATE_ENABLED;
	OK(u_str(fd, VUIDSWHEELSTATE, &ws, sizeof(ws)), 0);
	bytes("08 00 00 ff");
	cr_assert_str_eq(events(fd), "30720=1");
	ws.stateflags = 0;
	OK(u_str(fd, VUIDGWHEELSTATE, &ws, sizeof(ws)), 0);
	cr_assert_eq(ws.stateflags, VUID_WHEEL_STATE_ENABLED);
	OK(u_str(fd, VUIDGWHEELCOUNT, &n, 0), 0);
	cr_assert_eq(n, 1);
	wi.id = 1;
	FAILS(U_IOCTL(fd, VUIDGWHEELINFO, &wi), EINVAL);
	wi.id = 0;
	wi.vers = 9;
	FAILS(u_str(fd, VUIDGWHEELINFO, &wi, sizeof(wi)), EINVAL);
	FAILS(u_str(fd, VUIDGWHEELINFO, &wi, 4), EINVAL);
	OK(U_IOCTL(fd, MSIOSRESOLUTION, &res), 0);
	OK(u_str(fd, MSIOSRESOLUTION, &res, sizeof(res)), 0);
	FAILS(u_str(fd, MSIOSRESOLUTION, &res, 4), EINVAL);
	DONE;
}

PROGRAM(mouse, flushing_drops_bytes_that_wait)
{
	int64_t fd = open_mouse();

	ps2_mouse_move(1, 1, 0);
	u_sleep_ms(10);
	OK(U_IOCTL(fd, I_FLUSH, FLUSHR), 0);
	cr_assert_str_eq(events(fd), "");
	OK(U_IOCTL(fd, I_FLUSH, FLUSHRW), 0);
	DONE;
}

PROGRAM(mouse, a_reader_that_is_slow_holds_bytes_back)
{
	int64_t fd = open_mouse();
	int n = 0;
	queue_t *q = _RD(fd_stream(fd)->sd_wrq->q_next);

	/* 5120 bytes, the head's mark, are 320 events; some more wait below. */
	for (int i = 0; i < 400; i++)
		ps2_mouse_move(1, 0, 0);
	u_sleep_ms(3000);
	cr_assert_gt(qsize(q), 0);
	for (const char *p = events(fd); p != NULL; p = strchr(p + 1, ' '))
		n++;
	u_sleep_ms(100);
	cr_assert_eq(qsize(q), 0, "back-enabled");
	cr_assert_gt(n, 100);
	DONE;
}

PROGRAM(mouse, closing_frees_bytes_in_flight)
{
	int64_t fd = open_mouse();

	ps2_mouse_move(1, 1, 0);
	u_sleep_ms(3);
	OK(U_CLOSE(fd), 0);
	u_sleep_ms(20);
	fd = open_mouse();
	cr_assert_str_eq(events(fd), "");
	OK(U_IOCTL(fd, I_POP, 0), 0);
	DONE;
}

/* ---- short memory ---- */

/* Whatever cannot be allocated: a call fails with ENOMEM, ENOSR or EAGAIN, an event is lost, and nothing leaks. */
PROGRAM(mouse, memory_may_fail_anywhere)
{
	for (long n = 1; n < 60; n++) {
		int64_t fd = U_OPEN("/dev/internal_mouse", O_RDWR);
		wheel_state ws = {.vers = VUID_WHEEL_STATE_VERS};
		int val;

		cr_assert_geq(fd, 0);
		if (n & 1)
			kmem_fail_nth(n / 2 + 1);
		else
			allocb_fail_nth(n / 2);
		if (U_IOCTL(fd, I_PUSH, "vuid3ps2") == 0) {
			(void)U_IOCTL(fd, MSIOBUTTONS, &val);
			(void)U_IOCTL(fd, VUIDGFORMAT, &val);
			(void)U_IOCTL(fd, VUIDGWHEELCOUNT, &val);
			(void)U_IOCTL(fd, VUIDGWHEELSTATE, &ws);
			(void)u_str(fd, VUIDGWHEELCOUNT, &val, 0);
			ps2_mouse_packet(1, 1, 1, 0);
			u_sleep_ms(10);
			(void)events(fd);
		} else {
			cr_assert(user_errno() == ENOMEM || user_errno() == ENOSR || user_errno() == EAGAIN, "%d",
				  user_errno());
		}
		kmem_fail_nth(0);
		allocb_fail_nth(0);
		OK(U_CLOSE(fd), 0);
		u_sleep_ms(50);
	}
	DONE;
}

PROGRAM(mouse, an_ioctl_without_memory_says_so)
{
	int64_t fd = open_mouse();
	int val;

	/* The second block is the answer's (the first one is the head's). */
	allocb_fail_nth(2);
	FAILS(U_IOCTL(fd, MSIOBUTTONS, &val), ENOMEM);
	OK(U_IOCTL(fd, MSIOBUTTONS, &val), 0);
	DONE;
}
