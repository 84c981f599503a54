/* conskbd: keys of all keyboards, links, ioctls for all keyboards, bypassing. */
#include "tests/inputtest.h"
#include "sys/consdev.h"
#include "sys/kbtrans.h"

INPUT_SUITE(conskbd);

/* /dev/kbd as an X server has it. */
static int64_t open_kbd(void)
{
	int64_t fd = U_OPEN("/dev/kbd", O_RDWR);
	int val = TR_UNTRANS_EVENT;

	OK(U_IOCTL(fd, KIOCTRANS, &val), 0);
	val = 1;
	OK(U_IOCTL(fd, KIOCSDIRECT, &val), 0);
	return fd;
}

/* The console's end. */
static int64_t open_console(void)
{
	return U_OPEN("/dev/conskbd1", O_RDWR);
}

static int get(int64_t fd, int cmd)
{
	int val = -1;

	OK(U_IOCTL(fd, cmd, &val), 0);
	return val;
}

static void set(int64_t fd, int cmd, int val)
{
	OK(U_IOCTL(fd, cmd, &val), 0);
}

/* Link a keyboard; the link's number. */
static int64_t link_fake(int64_t cons, int n)
{
	int64_t low = open_fake(n), id = U_IOCTL(cons, I_LINK, low);

	cr_assert_gt(id, 0);
	OK(U_CLOSE(low), 0);
	return id;
}

/* ---- keys ---- */

PROGRAM(conskbd, a_key_is_an_event_when_pressed_and_when_released)
{
	int64_t fd = open_kbd();

	cr_assert_eq(get(fd, KIOCTYPE), KB_USB);
	scan("1e 9e");
	cr_assert_str_eq(events(fd), "4=1 4=0");
	scan("1d 2e ae 9d");
	cr_assert_str_eq(events(fd), "224=1 6=1 6=0 224=0");
	scan("e0 4b e0 cb");
	cr_assert_str_eq(events(fd), "80=1 80=0");
	OK(U_CLOSE(fd), 0);
	DONE;
}

PROGRAM(conskbd, the_console_gets_characters)
{
	int64_t cons = open_console(), fd = U_OPEN("/dev/kbd", O_RDWR);

	scan("1e 9e 2a 1e 9e aa");
	cr_assert_str_eq(chars(cons), "aA");
	cr_assert_str_eq(chars(fd), "");
	cr_assert_eq(get(fd, KIOCGDIRECT), 0);
	set(fd, KIOCSDIRECT, 1);
	cr_assert_eq(get(cons, KIOCGDIRECT), 1);
	scan("1e 9e");
	cr_assert_str_eq(chars(cons), "");
	cr_assert_str_eq(chars(fd), "a");
	set(fd, KIOCSDIRECT, 0);
	scan("1e 9e");
	cr_assert_str_eq(chars(cons), "a");
	DONE;
}

PROGRAM(conskbd, closing_dev_kbd_gives_keys_back_to_the_console)
{
	int64_t cons = open_console(), fd = open_kbd();
	int mode = TR_ASCII;

	OK(U_IOCTL(fd, KIOCTRANS, &mode), 0);
	scan("1e");
	OK(U_CLOSE(fd), 0);
	u_sleep_ms(1000); /* it does not repeat any more */
	scan("9e 30 b0");
	cr_assert_str_eq(chars(cons), "b");
	fd = U_OPEN("/dev/kbd", O_RDWR);
	cr_assert_eq(get(fd, KIOCGDIRECT), 0);
	DONE;
}

PROGRAM(conskbd, two_names_of_one_key)
{
	int64_t cons = open_console(), fd = open_kbd();

	(void)link_fake(cons, 0);
	fake_event(&fakes[0], 50, 1);
	fake_event(&fakes[0], 50, 0);
	scan("2b ab"); /* backslash */
	cr_assert_str_eq(events(fd), "49=1 49=0 49=1 49=0");
	DONE;
}

PROGRAM(conskbd, keyboards_are_one)
{
	int64_t cons = open_console(), fd = open_kbd();

	(void)link_fake(cons, 0);
	(void)link_fake(cons, 1);
	fake_event(&fakes[0], 225, 1);
	fake_event(&fakes[1], 4, 1);
	scan("30");
	fake_event(&fakes[1], 4, 0);
	cr_assert_str_eq(events(fd), "225=1 4=1 5=1 4=0");
	scan("b0");
	DONE;
}

/* ---- links ---- */

#define LINKED(n, led) #n ":4e04(6) " #n ":6b1e(3) " #n ":6b14(-1) " #n ":6b0e(" #led ")"

PROGRAM(conskbd, a_new_keyboard_is_told_and_asked_in_order)
{
	int64_t cons = open_console();
	int64_t id = link_fake(cons, 0);

	st_expect(LINKED(0, 0));
	OK(U_IOCTL(cons, I_UNLINK, id), 0);
	/* Again. */
	id = link_fake(cons, 0);
	st_expect(LINKED(0, 0));
	OK(U_IOCTL(cons, I_UNLINK, id), 0);
	FAILS(U_IOCTL(cons, I_UNLINK, id), EINVAL);
	DONE;
}

PROGRAM(conskbd, a_new_keyboard_has_the_others_lights)
{
	int64_t cons = open_console();

	(void)link_fake(cons, 0);
	(void)st_noted();
	scan("3a ba"); /* CapsLock */
	u_sleep_ms(10);
	st_expect("0:6b0e(8)");
	cr_assert_eq(ps2_leds(), 4);
	(void)link_fake(cons, 1);
	st_expect(LINKED(1, 8));
	scan("3a ba");
	u_sleep_ms(10);
	st_expect("1:6b0e(0) 0:6b0e(0)");
	cr_assert_eq(ps2_leds(), 0);
	DONE;
}

PROGRAM(conskbd, refusing_to_be_untranslated_refuses_the_link)
{
	int64_t cons = open_console(), low = open_fake(0);

	fakes[0].nak = KIOCTRANS;
	fakes[0].error = EIO;
	FAILS(U_IOCTL(cons, I_LINK, low), EIO);
	st_expect("0:4e04(6) 0:6b1e(3)");
	fakes[0].nak = KIOCLAYOUT; /* that does no harm */
	cr_assert_gt(U_IOCTL(cons, I_LINK, low), 0);
	st_expect(LINKED(0, 0));
	fakes[1].nak = KIOCSLED; /* nor does that */
	(void)link_fake(cons, 1);
	DONE;
}

PROGRAM(conskbd, an_old_keyboard_is_no_second_one)
{
	int64_t cons = open_console(), low = open_fake(0), fd = open_kbd();

	fakes[0].nak = CONSSETKBDTYPE;
	fakes[0].error = EINVAL;
	FAILS(U_IOCTL(cons, I_LINK, low), EINVAL);
	st_expect("0:4e04(6)");
	scan("1e 9e");
	cr_assert_str_eq(events(fd), "4=1 4=0");
	DONE;
}

PROGRAM(conskbd, keys_that_are_down_are_released_by_unlinking)
{
	int64_t cons = open_console(), fd = open_kbd();
	int64_t id = link_fake(cons, 0);

	fake_event(&fakes[0], 7, 1);
	fake_event(&fakes[0], 4, 1);
	fake_event(&fakes[0], 4, 0);
	fake_event(&fakes[0], 225, 1);
	cr_assert_str_eq(events(fd), "7=1 4=1 4=0 225=1");
	OK(U_IOCTL(cons, I_UNLINK, id), 0);
	cr_assert_str_eq(events(fd), "7=0 225=0");
	DONE;
}

PROGRAM(conskbd, the_last_close_unlinks)
{
	int64_t fd = open_kbd();
	int64_t low = open_fake(0);

	cr_assert_gt(U_IOCTL(fd, I_LINK, low), 0);
	OK(U_CLOSE(low), 0);
	fake_event(&fakes[0], 4, 1);
	cr_assert_str_eq(events(fd), "4=1");
	OK(U_CLOSE(fd), 0); /* closes the keyboard below, too */
	fd = open_kbd();
	scan("1e 9e");
	cr_assert_str_eq(events(fd), "4=1 4=0");
	DONE;
}

/* ---- ioctls ---- */

PROGRAM(conskbd, a_command_goes_to_all_keyboards)
{
	int64_t cons = open_console(), fd = open_kbd();

	(void)link_fake(cons, 0);
	(void)link_fake(cons, 1);
	(void)st_noted();
	fakes[1].nak = KIOCCMD;
	fakes[1].error = EIO;
	set(fd, KIOCCMD, KBD_CMD_BELL); /* one success is enough */
	st_expect("1:6b08(2) 0:6b08(2)");
	cr_assert(ps2_speaker());
	set(fd, KIOCCMD, KBD_CMD_NOBELL);
	cr_assert_not(ps2_speaker());
	DONE;
}

PROGRAM(conskbd, a_command_that_all_refuse_fails)
{
	int64_t cons = open_console(), fd = open_kbd();
	int cmd = KBD_CMD_BELL;

	OK(U_IOCTL(cons, I_PUNLINK, MUXID_ALL), 0);
	FAILS(U_IOCTL(fd, KIOCCMD, &cmd), EINVAL); /* nobody there */
	fakes[0].nak = fakes[1].nak = KIOCCMD;
	fakes[0].error = fakes[1].error = EIO;
	(void)link_fake(cons, 0);
	(void)link_fake(cons, 1);
	FAILS(U_IOCTL(fd, KIOCCMD, &cmd), EIO);
	FAILS(u_str(fd, KIOCCMD, &cmd, 2), EINVAL);
	DONE;
}

static int64_t slow_kbd;
static int slow_result;

static void slow_command(void *unused)
{
	int cmd = KBD_CMD_BELL;

	(void)unused;
	slow_kbd = U_OPEN("/dev/kbd", O_RDWR);
	slow_result = (int)U_IOCTL(slow_kbd, KIOCCMD, &cmd);
	if (slow_result != 0)
		slow_result = user_errno();
}

PROGRAM(conskbd, a_keyboard_that_goes_is_not_waited_for)
{
	int64_t cons = open_console();
	int64_t id = link_fake(cons, 0);
	proc_t *p;

	fakes[0].silent = KIOCCMD;
	slow_result = -7;
	p = u_start(slow_command, NULL);
	u_sleep_ms(1000);
	cr_assert_eq(slow_result, -7);
	OK(U_IOCTL(cons, I_UNLINK, id), 0);
	u_sleep_ms(10);
	cr_assert_eq(slow_result, 0, "the other one had answered");
	proc_exit(p);
	u_sleep_ms(10);
	DONE;
}

PROGRAM(conskbd, a_late_answer_to_a_request_that_was_given_up_is_dropped)
{
	int64_t cons = open_console();
	proc_t *p;

	(void)link_fake(cons, 0);
	fakes[0].silent = KIOCCMD;
	slow_result = -7;
	p = u_start(slow_command, NULL);
	u_sleep_ms(10);
	proc_exit(p); /* closes /dev/kbd with the request pending */
	u_sleep_ms(20000);
	cr_assert_eq(slow_result, -7);
	fake_answer(&fakes[0], 0);
	DONE;
}

PROGRAM(conskbd, ioctls_of_its_own)
{
	int64_t fd = open_kbd();
	int val = 2;

	cr_assert_eq(get(fd, KIOCLAYOUT), KBD_LAYOUT_US);
	OK(U_IOCTL(fd, KIOCSLAYOUT, 7), 0);
	cr_assert_eq(get(fd, KIOCLAYOUT), 7);
	FAILS(u_str(fd, KIOCSLAYOUT, &val, sizeof(val)), EINVAL);
	val = KBD_CMD_GETLAYOUT;
	OK(U_IOCTL(fd, KIOCCMD, &val), 0);
	cr_assert_eq(val, 7, "answered here");
	val = 2;
	FAILS(U_IOCTL(fd, KIOCSDIRECT, &val), EINVAL);
	FAILS(u_str(fd, KIOCSDIRECT, &val, 2), EINVAL);
	cr_assert_eq(get(fd, KIOCGDIRECT), 1);
	FAILS(U_IOCTL(fd, MSIOBUTTONS, &val), EINVAL);
	FAILS(u_str(fd, CONSOPENPOLLEDIO, &val, 0), EINVAL); /* no room for the answer */
	DONE;
}

PROGRAM(conskbd, stopping_the_machine_is_minded_here)
{
	int64_t fd = open_kbd();

	scan("3b 1e 9e bb"); /* F1-A: allowed by the plumbing */
	cr_assert_eq(abort_sequence_count(), 1);
	cr_assert_str_eq(events(fd), "");
	set(fd, KIOCSKABORTEN, 0);
	scan("3b 1e 9e bb");
	cr_assert_eq(abort_sequence_count(), 1);
	cr_assert_str_eq(events(fd), "58=1 4=1 4=0 58=0");
	OK(U_IOCTL(fd, CONSSETABORTENABLE, 1), 0);
	scan("3b 1e 9e bb");
	cr_assert_eq(abort_sequence_count(), 2);
	set(fd, KIOCSKABORTEN, 0);
	set(fd, KIOCSKABORTEN, 1);
	scan("3b 1e 9e bb");
	cr_assert_eq(abort_sequence_count(), 3);
	scan("3b");
	cr_assert_str_eq(events(fd), "", "held back");
	scan("bb");
	cr_assert_str_eq(events(fd), "58=1 58=0");
	DONE;
}

PROGRAM(conskbd, only_the_superuser_says_so)
{
	int one = 1;
	int64_t fd;
	cred_t *cr = crget(100, 100), *was = curproc->p_cred;

	curproc->p_cred = cr;
	fd = U_OPEN("/dev/kbd", O_RDWR);
	FAILS(U_IOCTL(fd, KIOCSKABORTEN, &one), EPERM);
	curproc->p_cred = was;
	OK(U_CLOSE(fd), 0);
	crfree(cr);
	DONE;
}

PROGRAM(conskbd, polled_input_reads_all_keyboards)
{
	int64_t cons = open_console();
	cons_polledio_t *p = NULL;
	uint8_t before = 0;

	OK(u_str(cons, CONSOPENPOLLEDIO, &p, sizeof(p)), 0);
	cr_assert_not_null(p);
	p->cons_polledio_enter(p->cons_polledio_argument);
	cr_assert_not(p->cons_polledio_ischar(p->cons_polledio_argument));
	ps2_outb(PS2_CMD, PS2_CMD_WCB);
	ps2_outb(PS2_DATA, PS2_CB_XLATE);
	ps2_key_bytes((const uint8_t *)"\x1e", 1);
	u_sleep_ms(5);
	cr_assert(p->cons_polledio_ischar(p->cons_polledio_argument));
	cr_assert_eq(p->cons_polledio_getchar(p->cons_polledio_argument), 0x1e);
	cr_assert_eq(p->cons_polledio_getchar(p->cons_polledio_argument), before);
	p->cons_polledio_exit(p->cons_polledio_argument);
	OK(u_str(cons, CONSCLOSEPOLLEDIO, NULL, 0), 0);
	cr_assert_not(p->cons_polledio_ischar(p->cons_polledio_argument));
	DONE;
}

/* ---- other messages ---- */

PROGRAM(conskbd, messages_that_are_not_for_a_keyboard)
{
	int64_t cons = open_console(), fd = open_kbd();
	struct strbuf ctl = {0, 4, "prot"};
	uchar_t both = FLUSHRW;

	(void)link_fake(cons, 0);
	(void)st_noted();
	OK(U_WRITE(fd, "x", 1), 1); /* freed */
	OK(U_IOCTL(fd, I_FLUSH, FLUSHRW), 0);
	st_expect("");
	scan("1e 9e");
	cr_assert_str_eq(events(fd), "4=1 4=0");
	/* From below. */
	putnext(fakes[0].q, byte_msg(M_FLUSH, FLUSHR));
	st_expect("");
	putnext(fakes[0].q, byte_msg(M_FLUSH, FLUSHW));
	u_sleep_ms(1);
	st_expect("0:flush2");
	putnext(fakes[0].q, bytes_msg(M_FLUSH, &both, 1));
	putnext(fakes[0].q, byte_msg(M_HANGUP, 0));
	putnext(fakes[0].q, byte_msg(M_DATA, 1)); /* too short for an event */
	st_expect("");
	OK(U_PUTMSG(fd, &ctl, NULL, 0), 0);
	FAILS(U_WRITE(fd, "x", 1), EINVAL); /* M_ERROR */
	DONE;
}

/* ---- without the plumbing ---- */

TestSuite(conskbd_alone, .init = st_boot, .fini = it_halt);

PROGRAM(conskbd_alone, the_first_keyboard_gives_layout_and_lights)
{
	int64_t cons = open_console(), fd = open_kbd();
	uchar_t led = 0;

	fakes[0].number = 5;
	(void)link_fake(cons, 0);
	st_expect("0:4e04(6) 0:6b1e(3) 0:6b14(-1) 0:6b0f(-1)");
	cr_assert_str_eq(events(fd), "32649=5", "the layout, told to who reads keys");
	cr_assert_eq(get(fd, KIOCLAYOUT), 5);
	OK(U_IOCTL(fd, KIOCGLED, &led), 0);
	cr_assert_eq(led, 5);
	fakes[1].number = 9;
	(void)link_fake(cons, 1);
	st_expect(LINKED(1, 5));
	cr_assert_eq(get(fd, KIOCLAYOUT), 5, "the first one's stays");
	cr_assert_str_eq(events(fd), "");
	DONE;
}

PROGRAM(conskbd_alone, a_keyboard_without_a_layout_has_the_backup)
{
	int64_t cons = open_console();

	(void)link_fake(cons, 0);
	cr_assert_eq(get(cons, KIOCLAYOUT), KBD_LAYOUT_US);
	DONE;
}

PROGRAM(conskbd_alone, without_a_console_there_is_no_translation)
{
	int64_t fd = U_OPEN("/dev/kbd", O_RDWR);
	int val = 1;

	FAILS(U_IOCTL(fd, KIOCTRANS, &val), EINVAL);
	FAILS(U_OPEN("/dev/conskbd2", O_RDWR), ENOENT);
	DONE;
}

PROGRAM(conskbd_alone, a_single_old_keyboard_is_bypassed)
{
	int64_t cons = open_console(), low = open_fake(0), other = open_fake(1), fd = U_OPEN("/dev/kbd", O_RDWR), id;
	int val = -1;

	fakes[0].nak = CONSSETKBDTYPE;
	fakes[0].error = EINVAL;
	fakes[0].number = 4;
	id = U_IOCTL(cons, I_LINK, low);
	cr_assert_gt(id, 0);
	FAILS(U_IOCTL(cons, I_LINK, other), EINVAL);
	st_expect("0:4e04(6)");
	putnext(fakes[0].q, st_msg(M_DATA, "abc"));
	cr_assert_str_eq(chars(cons), "abc", "data passes unchanged");
	OK(U_IOCTL(fd, KIOCTYPE, &val), 0); /* the keyboard's own answer */
	cr_assert_eq(val, 4);
	OK(U_WRITE(fd, "x", 1), 1);
	u_sleep_ms(1);
	st_expect("0:6b09(-1) 0:data:x");
	OK(U_IOCTL(cons, I_UNLINK, id), 0);
	/* Then a modern one may come. */
	(void)link_fake(cons, 1);
	OK(U_IOCTL(fd, KIOCTYPE, &val), 0);
	cr_assert_eq(val, KB_USB);
	DONE;
}

/* ---- short memory ---- */

/* Links, keys, ioctls and unlinks with every allocation failing in its turn. */
PROGRAM(conskbd, memory_may_fail_anywhere)
{
	int64_t cons = open_console(), fd = open_kbd();

	for (long n = 1; n < 120; n++) {
		int64_t low = open_fake(0), id;
		int val = KBD_CMD_BELL;

		if (n & 1)
			kmem_fail_nth(n / 2 + 1);
		else
			allocb_fail_nth(n / 2);
		id = U_IOCTL(cons, I_LINK, low);
		if (id < 0)
			cr_assert(user_errno() == ENOMEM || user_errno() == ENOSR || user_errno() == EAGAIN, "%d",
				  user_errno());
		scan("1e 9e");
		(void)U_IOCTL(fd, KIOCCMD, &val);
		(void)U_IOCTL(fd, KIOCLAYOUT, &val);
		(void)U_IOCTL(fd, KIOCGDIRECT, &val);
		scan("3a ba 3a ba");
		if (id > 0)
			(void)U_IOCTL(cons, I_UNLINK, id);
		kmem_fail_nth(0);
		allocb_fail_nth(0);
		(void)U_IOCTL(cons, I_UNLINK, MUXID_ALL);
		OK(U_CLOSE(low), 0);
		(void)events(fd);
		(void)st_noted();
	}
	scan("1e 9e");
	cr_assert_str_eq(events(fd), "4=1 4=0");
	DONE;
}
