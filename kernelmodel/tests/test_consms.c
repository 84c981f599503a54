/* consms over vuid3ps2 over mouse8042: motion and buttons reach /dev/mouse. */
#include "tests/inputtest.h"

INPUT_SUITE(consms);

PROGRAM(consms, a_packet_is_events_of_what_changed)
{
	int64_t fd = U_OPEN("/dev/mouse", O_RDWR);

	cr_assert_str_eq(events(fd), "32646=3", "the first mouse brought three buttons");
	cr_assert_eq(ps2_mouse_packet(0, 5, -3, 0), 3);
	u_sleep_ms(10);
	cr_assert_str_eq(events(fd), "32640=5/3:130 32641=-3/3:131");
	cr_assert_eq(ps2_mouse_buttons(1), 3);
	u_sleep_ms(10);
	cr_assert_str_eq(events(fd), "32544=1");
	OK(U_CLOSE(fd), 0);
	DONE;
}
