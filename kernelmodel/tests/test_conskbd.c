/* conskbd over kb8042: keys reach /dev/kbd and the console, ioctls reach all keyboards. */
#include "tests/inputtest.h"

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

PROGRAM(conskbd, a_key_is_an_event_when_pressed_and_when_released)
{
	int64_t fd = open_kbd();

	scan("1e 9e");
	cr_assert_str_eq(events(fd), "4=1 4=0");
	scan("1d 2e ae 9d");
	cr_assert_str_eq(events(fd), "224=1 6=1 6=0 224=0");
	scan("e0 4b e0 cb");
	cr_assert_str_eq(events(fd), "80=1 80=0");
	OK(U_CLOSE(fd), 0);
	DONE;
}
