/* The keyboard controller, its devices as their drivers see them, and the nexus that shares it out. */
#include "tests/inputtest.h"
#include "i8042/i8042.h"

STR_SUITE(i8042);

static void run_ms(int ms)
{
	machine_run(machine_now() + ms * MS);
}

/* ---- the nexus ---- */

static uint_t note_bytes(void *arg, void *unused)
{
	i8042_port_t *port = *(i8042_port_t **)arg;

	cr_assert_null(unused);
	while (i8042_get8(port, I8042_INT_INPUT_AVAIL))
		st_notef("%s%02x", port == i8042_map(I8042_AUX) ? "m" : "k", i8042_get8(port, I8042_INT_INPUT_DATA));
	st_notef("@%d", (int)(machine_now() / MS));
	return DDI_INTR_CLAIMED;
}

static i8042_port_t *ports[2];

static void take_ports(uint_t (*handler)(void *, void *))
{
	for (int i = 0; i < 2; i++) {
		ports[i] = i8042_map(i);
		i8042_add_intr(ports[i], handler, &ports[i]);
	}
}

Test(i8042, each_byte_is_one_interrupt_of_its_port)
{
	static const uint8_t keys[] = {0x1e, 0x9e}, mouse[] = {8, 1, 2};

	take_ports(note_bytes);
	ps2_key_bytes(keys, 2);
	ps2_mouse_bytes(mouse, 3);
	run_ms(10);
	st_expect("k1e @0 m08 @0 k9e @1 m01 @2 m02 @4");
}

Test(i8042, bytes_queue_behind_those_that_wait)
{
	static const uint8_t key[] = {0x10};

	take_ports(note_bytes);
	ps2_key_bytes(key, 1);
	ps2_key_bytes(key, 1);
	run_ms(5);
	ps2_key_bytes(key, 1);
	run_ms(5);
	st_expect("k10 @0 k10 @1 k10 @5");
}

Test(i8042, a_ring_keeps_63_bytes)
{
	uint8_t codes[70];

	for (int i = 0; i < 70; i++)
		codes[i] = (uint8_t)(i + 1);
	take_ports(NULL);
	ps2_key_bytes(codes, 70);
	run_ms(100);
	cr_assert_eq(i8042_stats()->overruns, 7);
	for (int i = 0; i < 63; i++)
		cr_assert_eq(i8042_get8(ports[0], I8042_INT_INPUT_DATA), i + 1);
	cr_assert_eq(i8042_get8(ports[0], I8042_INT_INPUT_AVAIL), 0);
	cr_assert_eq(i8042_get8(ports[0], I8042_INT_INPUT_DATA), 0, "0 when there is none");
}

Test(i8042, an_interrupt_without_a_byte_is_not_claimed)
{
	take_ports(note_bytes);
	intr_raise(PS2_IRQ_KBD);
	run_ms(1);
	cr_assert_eq(i8042_stats()->unclaimed, 1);
	st_expect("");
}

Test(i8042, bytes_of_a_port_that_is_not_mapped_are_dropped)
{
	static const uint8_t key[] = {0x10};

	take_ports(note_bytes);
	i8042_unmap(ports[0]);
	ps2_key_bytes(key, 1);
	run_ms(5);
	st_expect("");
	cr_assert_eq(i8042_get8(ports[0], I8042_INT_INPUT_AVAIL), 0);
}

Test(i8042, output_goes_to_the_device_of_the_port)
{
	uint8_t log[4];

	take_ports(note_bytes);
	i8042_put8(ports[1], I8042_INT_OUTPUT_DATA, 0xf4);
	run_ms(5);
	st_expect("mfa @1");
	cr_assert(ps2_mouse_enabled());
	cr_assert_eq(ps2_mouse_commands(log, 4), 1);
	cr_assert_eq(log[0], 0xf4);
	i8042_put8(ports[0], I8042_POLL_OUTPUT_DATA, 0xed);
	i8042_put8(ports[0], I8042_POLL_OUTPUT_DATA, 5);
	run_ms(5);
	st_expect("kfa @6 kfa @7");
	cr_assert_eq(ps2_leds(), 5);
	i8042_put8(ports[1], I8042_INT_INPUT_DATA, 0xf5);
	run_ms(5);
	st_expect("");
	cr_assert(ps2_mouse_enabled(), "not an output register");
}

Test(i8042, polling_reads_past_the_interrupt)
{
	static const uint8_t key[] = {0x10, 0x11};

	take_ports(NULL);
	ps2_key_bytes(key, 1);
	run_ms(2);
	cr_assert_neq(i8042_get8(ports[0], I8042_POLL_INPUT_AVAIL), 0, "from the ring");
	cr_assert_eq(i8042_get8(ports[0], I8042_POLL_INPUT_DATA), 0x10);
	cr_assert_eq(i8042_get8(ports[0], I8042_POLL_INPUT_AVAIL), 0);
	cr_assert_eq(i8042_get8(ports[0], I8042_POLL_INPUT_DATA), 0);
	/* Interrupts off at the controller. */
	ps2_outb(PS2_CMD, PS2_CMD_WCB);
	ps2_outb(PS2_DATA, PS2_CB_XLATE);
	ps2_key_bytes(key, 2);
	run_ms(10);
	cr_assert_eq(i8042_get8(ports[0], I8042_INT_INPUT_AVAIL), 0);
	cr_assert_eq(i8042_get8(ports[1], I8042_POLL_INPUT_AVAIL), 0, "it is the other port's");
	cr_assert_neq(i8042_get8(ports[0], I8042_POLL_INPUT_AVAIL), 0);
	cr_assert_eq(i8042_get8(ports[0], I8042_POLL_INPUT_DATA), 0x10);
	run_ms(1);
	cr_assert_eq(i8042_get8(ports[0], I8042_POLL_INPUT_DATA), 0x11, "the second one waited in the keyboard");
}

Test(i8042, attaching_leaves_translation_ports_and_interrupts_on)
{
	ps2_outb(PS2_CMD, PS2_CMD_RCB);
	cr_assert_eq(ps2_inb(PS2_STAT) & PS2_OUTBF, PS2_OUTBF);
	cr_assert_eq(ps2_inb(PS2_DATA), 0x47);
}

/* ---- the devices ---- */

/* Send bytes to a device, each when the last one was answered; its answers. */
static const char *talk(int port, const char *hex)
{
	take_ports(note_bytes);
	for (char *end; *hex != '\0'; hex = end + (*end == ' ')) {
		i8042_put8(ports[port], I8042_INT_OUTPUT_DATA, (uint8_t)strtoul(hex, &end, 16));
		machine_run(machine_now() + 10 * MS);
	}
	for (char *p = st_log, *to = st_log;; p++) {
		/* Without the times. */
		if (*p == '@')
			while (*p != ' ' && *p != '\0')
				p++;
		else if (*p != ' ' || (to > st_log && to[-1] != ' '))
			*to++ = *p;
		if (*p == '\0') {
			*to = '\0';
			break;
		}
	}
	return st_noted();
}

#define says(port, sent, answers)                                      \
	do {                                                           \
		char got_[512];                                        \
		snprintf(got_, sizeof(got_), "%s", talk(port, sent));  \
		while (*got_ != '\0' && got_[strlen(got_) - 1] == ' ') \
			got_[strlen(got_) - 1] = '\0';                 \
		cr_assert_str_eq(got_, answers);                       \
	} while (0)

Test(i8042, a_mouse_answers_every_command)
{
	says(1, "ff", "mfa maa m00");
	says(1, "e8 0", "mfa mfa");
	says(1, "e9", "mfa m00 m00 m64"); /* resolution 0, rate 100 */
	says(1, "e8 3 f3 14 e7 f4 e9", "mfa mfa mfa mfa mfa mfa mfa m30 m03 m14");
	says(1, "e6 f5 e9", "mfa mfa mfa m00 m03 m14");
	says(1, "f2", "mfa m00");
	says(1, "ea f6", "mfa mfa");
	says(1, "e9", "mfa m00 m02 m64");
	says(1, "12", "mfe"); /* no command */
}

Test(i8042, a_mouse_admits_its_wheel_when_asked)
{
	says(1, "f3 c8 f3 64 f3 50 f2", "mfa mfa mfa mfa mfa mfa mfa m00");
	ps2_mouse_set_kind(PS2_MOUSE_WHEEL);
	says(1, "f3 c8 f3 64 f3 50 f2", "mfa mfa mfa mfa mfa mfa mfa m03");
	says(1, "f3 c8 f3 c8 f3 50 f2", "mfa mfa mfa mfa mfa mfa mfa m03");
	ps2_mouse_set_kind(PS2_MOUSE_WHEEL5);
	says(1, "f3 c8 f3 c8 f3 50 f2", "mfa mfa mfa mfa mfa mfa mfa m04");
	says(1, "ff f2", "mfa maa m00 mfa m00");
}

Test(i8042, a_mouse_may_tell_its_number_of_buttons)
{
	ps2_mouse_set_nbuttons(2);
	says(1, "e8 0 e6 e6 e6 e9", "mfa mfa mfa mfa mfa mfa m00 m02 m64");
	says(1, "e6 e6 e9", "mfa mfa mfa m00 m00 m64");
}

Test(i8042, packets_have_9_bit_deltas_and_the_length_of_the_kind)
{
	cr_assert_eq(ps2_mouse_move(1, 1, 0), 0, "not enabled");
	says(1, "f4", "mfa");
	cr_assert_eq(ps2_mouse_packet(5, -5, -3, 1), 3);
	says(0, "f4", "m3d kfa mfb mfd"); /* both signs, left and middle; the keyboard answers meanwhile */
	cr_assert_eq(ps2_mouse_packet(0, 400, -400, 0), 3);
	run_ms(10);
	says(1, "f4", "m28 mff m00 mfa"); /* 255, -256 */
	ps2_mouse_set_kind(PS2_MOUSE_WHEEL);
	says(1, "f3 c8 f3 64 f3 50", "mfa mfa mfa mfa mfa mfa");
	cr_assert_eq(ps2_mouse_packet(0, 1, 2, -1), 4);
	run_ms(10);
	says(1, "f4", "m08 m01 m02 mff mfa");
	ps2_mouse_set_kind(PS2_MOUSE_WHEEL5);
	says(1, "f3 c8 f3 c8 f3 50", "mfa mfa mfa mfa mfa mfa");
	cr_assert_eq(ps2_mouse_packet(8 + 16, 0, 0, 1), 4);
	run_ms(10);
	says(1, "f5", "m08 m00 m00 m31 mfa");
}

Test(i8042, a_command_drops_what_the_mouse_had_not_sent)
{
	says(1, "f4", "mfa");
	cr_assert_eq(ps2_mouse_move(1, 1, 0), 3);
	run_ms(1); /* the first byte */
	says(1, "f5", "m08 mfa");
}

Test(i8042, a_mouse_may_be_absent_or_deaf)
{
	ps2_mouse_plug(false);
	says(1, "ff", "");
	ps2_mouse_plug(true);
	says(1, "", "");
	run_ms(10);
	says(1, "f2", "maa m00 mfa m00");
	ps2_mouse_deaf(3);
	says(1, "e6 e6 e6 e6", "mfa mfa");
	ps2_mouse_deaf(0);
	ps2_mouse_ignore(0xf3);
	says(1, "f3 e6", "mfa");
}

Test(i8042, a_keyboard_answers_every_command)
{
	says(0, "ff", "kfa kaa");
	says(0, "ee", "kee");
	says(0, "f2", "kfa kab k41");
	says(0, "f3 20 f0 2", "kfa kfa kfa kfa");
	says(0, "ed 7", "kfa kfa");
	cr_assert_eq(ps2_leds(), 7);
	says(0, "ff", "kfa kaa");
	cr_assert_eq(ps2_leds(), 0);
	says(0, "f5", "kfa");
	ps2_key_bytes((const uint8_t *)"\x1e", 1);
	says(0, "f4", "kfa");
}

/* ---- key names ---- */

Test(i8042, keys_are_found_by_name_and_by_character)
{
	const ps2_key_t *k = ps2_key_lookup("Left Shift");
	uint_t mods;
	uint8_t code[2];

	cr_assert_eq(ps2_key_code(k, true, code), 1);
	cr_assert_eq(code[0], 0x2a);
	k = ps2_key_lookup("left");
	cr_assert_eq(ps2_key_code(k, false, code), 2);
	cr_assert_eq(code[0], 0xe0);
	cr_assert_eq(code[1], 0xcb);
	cr_assert_eq(ps2_key_lookup("kp 7")->pk_usb, 95);
	cr_assert_null(ps2_key_lookup("any"));
	cr_assert_str_eq(ps2_char_key('A', &mods)->pk_name, "a");
	cr_assert_eq(mods, PS2_SHIFT);
	cr_assert_str_eq(ps2_char_key('\n', &mods)->pk_name, "enter");
	cr_assert_eq(mods, 0);
	cr_assert_str_eq(ps2_char_key(3, &mods)->pk_name, "c");
	cr_assert_eq(mods, PS2_CTRL);
	cr_assert_null(ps2_char_key(0xe9, &mods));
	for (int c = 32; c < 127; c++) {
		k = ps2_char_key(c, &mods);
		cr_assert_not_null(k);
		cr_assert_eq(ps2_usb_char(k->pk_usb, mods), c);
	}
	cr_assert_eq(ps2_usb_char(58, 0), -1, "a function key is no character");
	cr_assert_eq(ps2_usb_char(200, 0), -1);
}
