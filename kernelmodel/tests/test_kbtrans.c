/* kb8042 and kbtrans: scan codes, key tables, characters, events, composing, repeating, lights, ioctls. */
#include "tests/inputtest.h"
#include "sys/consdev.h"
#include "sys/kbtrans.h"

static void start(void)
{
	machine_init(0);
}
TestSuite(kbtrans, .init = start, .fini = it_halt);

/* The keyboard alone: a PC keyboard that gives characters. */
static int64_t open_kb(void)
{
	int64_t fd = U_OPEN("/dev/kb8042", O_RDWR);

	cr_assert_geq(fd, 0);
	u_sleep_ms(20);
	return fd;
}

static void set_mode(int64_t fd, int mode)
{
	OK(U_IOCTL(fd, KIOCTRANS, &mode), 0);
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

/* ---- every key ---- */

/* Name, set 1 make and break, PC and USB station; what it gives plain, with Shift and with Control ("=": as plain). */
static const struct key_row {
	const char *name, *make, *brk;
	int pc, usb;
	const char *normal, *shift, *ctrl;
} table[] = {
    {"`", "29", "A9", 1, 53, "`", "~", "1E (^^)"},
    {"1", "02", "82", 2, 30, "1", "!", "="},
    {"2", "03", "83", 3, 31, "2", "@", "00 (^@)"},
    {"3", "04", "84", 4, 32, "3", "#", "="},
    {"4", "05", "85", 5, 33, "4", "$", "="},
    {"5", "06", "86", 6, 34, "5", "%", "="},
    {"6", "07", "87", 7, 35, "6", "^", "1E (^^)"},
    {"7", "08", "88", 8, 36, "7", "&", "="},
    {"8", "09", "89", 9, 37, "8", "*", "="},
    {"9", "0A", "8A", 10, 38, "9", "(", "="},
    {"0", "0B", "8B", 11, 39, "0", ")", "="},
    {"-", "0C", "8C", 12, 45, "-", "_", "1F (^_)"},
    {"=", "0D", "8D", 13, 46, "=", "+", "="},
    {"backspace", "0E", "8E", 15, 42, "08 BS", "=", "="},
    {"tab", "0F", "8F", 16, 43, "09 HT", "=", "="},
    {"q", "10", "90", 17, 20, "q", "Q", "11 (^Q)"},
    {"w", "11", "91", 18, 26, "w", "W", "17 (^W)"},
    {"e", "12", "92", 19, 8, "e", "E", "05 (^E)"},
    {"r", "13", "93", 20, 21, "r", "R", "12 (^R)"},
    {"t", "14", "94", 21, 23, "t", "T", "14 (^T)"},
    {"y", "15", "95", 22, 28, "y", "Y", "19 (^Y)"},
    {"u", "16", "96", 23, 24, "u", "U", "15 (^U)"},
    {"i", "17", "97", 24, 12, "i", "I", "09 (^I)"},
    {"o", "18", "98", 25, 18, "o", "O", "0F (^O)"},
    {"p", "19", "99", 26, 19, "p", "P", "10 (^P)"},
    {"[", "1A", "9A", 27, 47, "[", "{", "1B ESC"},
    {"]", "1B", "9B", 28, 48, "]", "}", "1D (^])"},
    {"\\", "2B", "AB", 29, 49, "\\", "|", "1C (^\\)"},
    {"caps lock", "3A", "BA", 30, 57, "shift key CAPSLOCK", "=", "="},
    {"a", "1E", "9E", 31, 4, "a", "A", "01 (^A)"},
    {"s", "1F", "9F", 32, 22, "s", "S", "13 (^S)"},
    {"d", "20", "A0", 33, 7, "d", "D", "04 (^D)"},
    {"f", "21", "A1", 34, 9, "f", "F", "06 (^F)"},
    {"g", "22", "A2", 35, 10, "g", "G", "07 (^G)"},
    {"h", "23", "A3", 36, 11, "h", "H", "08 (^H)"},
    {"j", "24", "A4", 37, 13, "j", "J", "0A (^J)"},
    {"k", "25", "A5", 38, 14, "k", "K", "0B (^K)"},
    {"l", "26", "A6", 39, 15, "l", "L", "0C (^L)"},
    {";", "27", "A7", 40, 51, ";", ":", "="},
    {"'", "28", "A8", 41, 52, "'", "\"", "="},
    {"enter", "1C", "9C", 43, 40, "0D CR", "=", "="},
    {"left shift", "2A", "AA", 44, 225, "shift key LEFTSHIFT", "=", "="},
    {"z", "2C", "AC", 46, 29, "z", "Z", "1A (^Z)"},
    {"x", "2D", "AD", 47, 27, "x", "X", "18 (^X)"},
    {"c", "2E", "AE", 48, 6, "c", "C", "03 (^C)"},
    {"v", "2F", "AF", 49, 25, "v", "V", "16 (^V)"},
    {"b", "30", "B0", 50, 5, "b", "B", "02 (^B)"},
    {"n", "31", "B1", 51, 17, "n", "N", "0E (^N)"},
    {"m", "32", "B2", 52, 16, "m", "M", "0D (^M)"},
    {",", "33", "B3", 53, 54, ",", "<", "="},
    {".", "34", "B4", 54, 55, ".", ">", "="},
    {"/", "35", "B5", 55, 56, "/", "?", "1F (^_)"},
    {"right shift", "36", "B6", 57, 229, "shift key RIGHTSHIFT", "=", "="},
    {"left ctrl", "1D", "9D", 58, 224, "shift key LEFTCTRL", "=", "="},
    {"left window", "E0 5B", "E0 DB", 59, 227, "bucky METABIT", "=", "="},
    {"left alt", "38", "B8", 60, 226, "shift key ALT", "=", "="},
    {"space", "39", "B9", 61, 44, "20 SP", "=", "00 (^@)"},
    {"right alt", "E0 38", "E0 B8", 62, 230, "shift key ALTGRAPH", "=", "="},
    {"right window", "E0 5C", "E0 DC", 63, 231, "bucky METABIT", "=", "="},
    {"right ctrl", "E0 1D", "E0 9D", 64, 228, "shift key RIGHTCTRL", "=", "="},
    {"menu", "E0 5D", "E0 DD", 65, 101, "COMPOSE", "=", "="},
    {"insert", "E0 52", "E0 D2", 75, 73, "BF(8)", "=", "="},
    {"delete", "E0 53", "E0 D3", 76, 76, "7F DEL", "=", "="},
    {"left", "E0 4B", "E0 CB", 79, 80, "ESC [ D", "=", "="},
    {"home", "E0 47", "E0 C7", 80, 74, "RF(7)", "=", "="},
    {"end", "E0 4F", "E0 CF", 81, 77, "RF(13)", "=", "="},
    {"up", "E0 48", "E0 C8", 83, 82, "ESC [ A", "=", "="},
    {"down", "E0 50", "E0 D0", 84, 81, "ESC [ B", "=", "="},
    {"page up", "E0 49", "E0 C9", 85, 75, "RF(9)", "=", "="},
    {"page down", "E0 51", "E0 D1", 86, 78, "RF(15)", "=", "="},
    {"right", "E0 4D", "E0 CD", 89, 79, "ESC [ C", "=", "="},
    {"num lock", "45", "C5", 90, 83, "shift key NUMLOCK", "=", "="},
    {"kp 7", "47", "C7", 91, 95, "RF(7)", "=", "="},
    {"kp 4", "4B", "CB", 92, 92, "ESC [ D", "=", "="},
    {"kp 1", "4F", "CF", 93, 89, "RF(13)", "=", "="},
    {"kp /", "E0 35", "E0 B5", 95, 84, "RF(5)", "=", "="},
    {"kp 8", "48", "C8", 96, 96, "ESC [ A", "=", "="},
    {"kp 5", "4C", "CC", 97, 93, "RF(11)", "=", "="},
    {"kp 2", "50", "D0", 98, 90, "ESC [ B", "=", "="},
    {"kp 0", "52", "D2", 99, 98, "BF(8)", "=", "="},
    {"kp *", "37", "B7", 100, 85, "RF(6)", "=", "="},
    {"kp 9", "49", "C9", 101, 97, "RF(9)", "=", "="},
    {"kp 6", "4D", "CD", 102, 94, "ESC [ C", "=", "="},
    {"kp 3", "51", "D1", 103, 91, "RF(15)", "=", "="},
    {"kp .", "53", "D3", 104, 99, "BF(10)", "=", "="},
    {"kp -", "4A", "CA", 105, 86, "BF(15)", "=", "="},
    {"kp +", "4E", "CE", 106, 87, "BF(14)", "=", "="},
    {"kp enter", "E0 1C", "E0 9C", 108, 88, "BF(11)", "=", "="},
    {"escape", "01", "81", 110, 41, "1B ESC", "=", "="},
    {"f1", "3B", "BB", 112, 58, "TF(1)", "=", "="},
    {"f2", "3C", "BC", 113, 59, "TF(2)", "=", "="},
    {"f3", "3D", "BD", 114, 60, "TF(3)", "=", "="},
    {"f4", "3E", "BE", 115, 61, "TF(4)", "=", "="},
    {"f5", "3F", "BF", 116, 62, "TF(5)", "=", "="},
    {"f6", "40", "C0", 117, 63, "TF(6)", "=", "="},
    {"f7", "41", "C1", 118, 64, "TF(7)", "=", "="},
    {"f8", "42", "C2", 119, 65, "TF(8)", "=", "="},
    {"f9", "43", "C3", 120, 66, "TF(9)", "=", "="},
    {"f10", "44", "C4", 121, 67, "TF(10)", "=", "="},
    {"f11", "57", "D7", 122, 68, "TF(11)", "=", "="},
    {"f12", "58", "D8", 123, 69, "TF(12)", "=", "="},
    {"print screen", "54 / E0 37", "D4 / E0 B7", 124, 70, "RF(2)", "=", "="},
    {"scroll lock", "46", "C6", 125, 71, "RF(3)", "=", "="},
    {"pause", "E0 46", "E0 C6", 126, 72, "RF(1)", "=", "="},
};
#define NROWS (sizeof(table) / sizeof(table[0]))

/* A code of the table, the n-th when there is a choice ("54 / E0 37"); whether there is. */
static bool code_of(const char *column, int n, char *code)
{
	const char *slash = strchr(column, '/');

	if (n == 0) {
		snprintf(code, 16, "%.*s", slash == NULL ? 16 : (int)(slash - column - 1), column);
		return true;
	}
	if (n > 1 || slash == NULL)
		return false;
	snprintf(code, 16, "%s", slash + 2);
	return true;
}

/* What the table says in words, as chars() shows it. */
static const char *shown(const char *entry)
{
	static char buf[32];
	int n;

	if (strncmp(entry, "ESC [ ", 6) == 0) {
		snprintf(buf, sizeof(buf), "^[[%s", entry + 6);
	} else if (sscanf(entry, "RF(%d)", &n) == 1) {
		snprintf(buf, sizeof(buf), "^[[%dz", 207 + n);
	} else if (sscanf(entry, "TF(%d)", &n) == 1) {
		snprintf(buf, sizeof(buf), "^[[%dz", 223 + n);
	} else if (sscanf(entry, "BF(%d)", &n) == 1) {
		snprintf(buf, sizeof(buf), "^[[%dz", 239 + n);
	} else if (strlen(entry) == 1) {
		return entry;
	} else if (sscanf(entry, "%2x ", (unsigned *)&n) == 1 && strlen(entry) > 2 && entry[2] == ' ') {
		snprintf(buf, sizeof(buf), n < 32 || n == 127 ? "^%c" : "%c", n < 32 || n == 127 ? n ^ 64 : n);
	} else {
		buf[0] = '\0'; /* shift keys and the like */
	}
	return buf;
}

/* Is it a key whose state stays? */
static bool toggles(const struct key_row *k)
{
	return strstr(k->normal, "LOCK") != NULL || strcmp(k->normal, "COMPOSE") == 0;
}

PROGRAM(kbtrans, every_key_s_codes_give_its_station)
{
	int64_t fd = open_kb();
	char code[16], want[64];

	cr_assert_eq(NROWS, 104);
	set_mode(fd, TR_UNTRANS_EVENT);
	for (size_t i = 0; i < NROWS; i++) {
		for (int n = 0; code_of(table[i].make, n, code); n++) {
			scan(code);
			snprintf(want, sizeof(want), "%d=1", table[i].pc);
			cr_assert_str_eq(events(fd), want, "%s", table[i].name);
			code_of(table[i].brk, n, code);
			scan(code);
			snprintf(want, sizeof(want), "%d=0", table[i].pc);
			cr_assert_str_eq(events(fd), want, "%s", table[i].name);
		}
	}
	DONE;
}

PROGRAM(kbtrans, every_key_has_its_usb_station)
{
	int64_t fd = open_kb();
	int type = KB_USB;
	char code[16], want[64];

	OK(u_str(fd, CONSSETKBDTYPE, &type, sizeof(type)), 0);
	set_mode(fd, TR_UNTRANS_EVENT);
	for (size_t i = 0; i < NROWS; i++) {
		code_of(table[i].make, 0, code);
		scan(code);
		code_of(table[i].brk, 0, code);
		scan(code);
		snprintf(want, sizeof(want), "%d=1 %d=0", table[i].usb, table[i].usb);
		cr_assert_str_eq(events(fd), want, "%s", table[i].name);
		cr_assert_str_eq(ps2_key_nth(i)->pk_name, table[i].name);
		cr_assert_eq(ps2_key_nth(i)->pk_usb, table[i].usb);
		cr_assert_eq(ps2_key_nth(i)->pk_pc, table[i].pc);
	}
	cr_assert_null(ps2_key_nth(NROWS));
	DONE;
}

/* Each key plain, and held with a modifier given by its codes. */
static void type_table(int64_t fd, const char *down, const char *up, size_t column)
{
	char code[16];

	for (size_t i = 0; i < NROWS; i++) {
		const char *const *columns = &table[i].normal;
		const char *want = strcmp(columns[column], "=") == 0 ? columns[0] : columns[column];

		if (toggles(&table[i]))
			continue;
		scan(down);
		code_of(table[i].make, 0, code);
		scan(code);
		code_of(table[i].brk, 0, code);
		scan(code);
		scan(up);
		cr_assert_str_eq(chars(fd), shown(want), "%s", table[i].name);
	}
}

PROGRAM(kbtrans, every_key_gives_its_characters)
{
	int64_t fd = open_kb();

	type_table(fd, "", "", 0);
	type_table(fd, "2a", "aa", 1);
	type_table(fd, "36", "b6", 1);
	type_table(fd, "1d", "9d", 2);
	type_table(fd, "e0 1d", "e0 9d", 2);
	DONE;
}

PROGRAM(kbtrans, every_key_gives_its_characters_as_a_usb_one)
{
	int64_t fd = open_kb();
	int type = KB_USB;

	OK(u_str(fd, CONSSETKBDTYPE, &type, sizeof(type)), 0);
	type_table(fd, "", "", 0);
	type_table(fd, "2a", "aa", 1);
	type_table(fd, "1d", "9d", 2);
	DONE;
}

/* ---- scan codes ---- */

PROGRAM(kbtrans, codes_that_are_no_keys_are_ignored)
{
	int64_t fd = open_kb();

	set_mode(fd, TR_UNTRANS_EVENT);
	scan("00 55 d5 7f ff");          /* overrun, no keys */
	scan("e0 2a e0 aa e0 36 e0 b6"); /* fake shifts */
	scan("e0 fc 1e 9e");             /* the parser begins anew */
	cr_assert_str_eq(events(fd), "31=1 31=0");
	scan("e1 1d 45 e1 9d c5"); /* Pause */
	cr_assert_str_eq(events(fd), "126=1 126=0");
	scan("e1 1e 9e 1e 9e"); /* not Pause: the first byte behind E1 is lost */
	cr_assert_str_eq(events(fd), "31=1 31=0");
	scan("56 d6 73 f3"); /* keys that no US keyboard has */
	cr_assert_str_eq(events(fd), "45=1 45=0 56=1 56=0");
	DONE;
}

PROGRAM(kbtrans, korean_keys_are_released_at_once)
{
	int64_t fd = open_kb();

	set_mode(fd, TR_UNTRANS_EVENT);
	scan("f1 f2 f1");
	cr_assert_str_eq(events(fd), "150=1 150=0 151=1 151=0 150=1 150=0");
	DONE;
}

PROGRAM(kbtrans, the_hardware_s_repetitions_are_dropped)
{
	int64_t fd = open_kb();

	set_mode(fd, TR_UNTRANS_EVENT);
	scan("1e 1e 1e 9e 1e 9e");
	cr_assert_str_eq(events(fd), "31=1 31=0 31=1 31=0");
	/* Only the last key that was pressed repeats. */
	scan("2a 1e 1e 9e aa");
	cr_assert_str_eq(events(fd), "44=1 31=1 31=0 44=0");
	DONE;
}

PROGRAM(kbtrans, the_release_of_a_key_that_was_not_told_is_nothing)
{
	int64_t fd = open_kb();

	set_mode(fd, TR_UNTRANS_EVENT);
	scan("9e");
	cr_assert_str_eq(events(fd), "");
	scan("1e");
	set_mode(fd, TR_ASCII); /* forgets what is down */
	set_mode(fd, TR_UNTRANS_EVENT);
	scan("9e");
	cr_assert_str_eq(events(fd), "");
	DONE;
}

PROGRAM(kbtrans, fifteen_keys_may_be_down)
{
	int64_t fd = open_kb();
	int n = 0;

	set_mode(fd, TR_UNTRANS_EVENT);
	scan("02 03 04 05 06 07 08 09 0a 0b 0c 0d 10 11 12 13");
	scan("82 83 84 85 86 87 88 89 8a 8b 8c 8d 90 91 92 93");
	for (const char *p = events(fd); p != NULL; p = strchr(p + 1, ' '))
		n++;
	cr_assert_eq(n, 31, "16 presses and 15 releases: the last press took a place");
	DONE;
}

/* ---- characters ---- */

PROGRAM(kbtrans, caps_lock_is_a_toggle_of_letters_and_a_light)
{
	int64_t fd = open_kb();

	scan("3a ba 1e 9e 02 82 2a 1e 9e aa");
	cr_assert_str_eq(chars(fd), "A1A");
	cr_assert_eq(ps2_leds(), 4);
	scan("3a ba 1e 9e");
	cr_assert_str_eq(chars(fd), "a");
	cr_assert_eq(ps2_leds(), 0);
	DONE;
}

PROGRAM(kbtrans, num_lock_changes_the_pad_only)
{
	int64_t fd = open_kb();

	scan("45 c5");
	u_sleep_ms(10);
	cr_assert_eq(ps2_leds(), 2);
	scan("47 c7 48 c8 49 c9 4b cb 4c cc 4d cd 4f cf 50 d0 51 d1 52 d2 53 d3");
	scan("e0 35 e0 b5 37 b7 4a ca 4e ce e0 1c e0 9c");
	cr_assert_str_eq(chars(fd), "7894561230./*-+^M");
	scan("1e 9e e0 48 e0 c8 e0 47 e0 c7");
	cr_assert_str_eq(chars(fd), "a^[[A^[[214z");
	scan("45 c5 47 c7");
	cr_assert_str_eq(chars(fd), "^[[214z");
	DONE;
}

PROGRAM(kbtrans, the_meta_key_sets_the_high_bit)
{
	int64_t fd = open_kb();
	char c;

	scan("e0 5b 1e 9e e0 db 1e 9e");
	OK(U_READ(fd, &c, 1), 1);
	cr_assert_eq(c, (char)('a' | 0x80));
	OK(U_READ(fd, &c, 1), 1);
	cr_assert_eq(c, 'a');
	DONE;
}

static uchar_t read_char(int64_t fd)
{
	uchar_t c = 0;

	OK(U_READ(fd, &c, 1), 1);
	return c;
}

PROGRAM(kbtrans, composing_makes_one_letter_of_two)
{
	int64_t fd = open_kb();

	scan("e0 5d e0 dd 12 92"); /* Compose, e */
	cr_assert_str_eq(chars(fd), "");
	scan("28 a8"); /* ' */
	cr_assert_eq(read_char(fd), 0xe9);
	scan("e0 5d e0 dd 28 a8 12 92"); /* in either order */
	cr_assert_eq(read_char(fd), 0xe9);
	scan("e0 5d e0 dd 2a 1e 9e 12 92 aa"); /* Compose, A, E */
	cr_assert_eq(read_char(fd), 0xc6);
	scan("e0 5d e0 dd 1e 9e 10 90 1e 9e"); /* no such pair: both are lost */
	cr_assert_str_eq(chars(fd), "a");
	scan("e0 5d e0 dd 1e 9e 3b bb 1e 9e"); /* a function key ends it */
	cr_assert_str_eq(chars(fd), "^[[224za");
	DONE;
}

PROGRAM(kbtrans, a_floating_accent_waits_for_its_letter)
{
	int64_t fd = open_kb();
	struct kiockeymap km = {.kio_tablemask = 0, .kio_station = 1, .kio_entry = FA_GRAVE};

	OK(U_IOCTL(fd, KIOCSKEY, &km), 0);
	scan("29 a9 1e 9e"); /* ` a */
	cr_assert_eq(read_char(fd), 0xe0);
	scan("29 a9 39 b9"); /* ` space */
	cr_assert_eq(read_char(fd), '`');
	scan("29 a9 10 90 1e 9e"); /* ` q: none */
	cr_assert_str_eq(chars(fd), "a");
	scan("29 a9 29 a9 1e 9e"); /* two accents: none */
	cr_assert_str_eq(chars(fd), "a");
	for (int fa = FA_UMLAUT; fa <= FA_GRAVE; fa++) {
		static const uchar_t want[] = {0xe4, 0xe2, 0xe3, 0xe7, 0xe1, 0xe0};

		km.kio_entry = (ushort_t)fa;
		OK(U_IOCTL(fd, KIOCSKEY, &km), 0);
		scan(fa == FA_CEDILLA ? "29 a9 2e ae" : "29 a9 1e 9e");
		cr_assert_eq(read_char(fd), want[fa - FA_UMLAUT]);
	}
	DONE;
}

/* ---- autorepeat ---- */

PROGRAM(kbtrans, a_character_repeats_while_its_key_is_down)
{
	int64_t fd = open_kb();

	scan("1e");
	cr_assert_str_eq(chars(fd), "a");
	u_sleep_ms(470);
	cr_assert_str_eq(chars(fd), "", "not before half a second");
	u_sleep_ms(50);
	cr_assert_str_eq(chars(fd), "a");
	u_sleep_ms(400);
	cr_assert_eq(strlen(chars(fd)), 10, "every 4 ticks");
	scan("30"); /* another key takes over */
	u_sleep_ms(600);
	cr_assert_str_eq(chars(fd), "bbbb");
	scan("9e");
	u_sleep_ms(80);
	cr_assert_str_eq(chars(fd), "bb", "the release of the first one does not matter");
	scan("b0");
	(void)chars(fd);
	u_sleep_ms(1000);
	cr_assert_str_eq(chars(fd), "");
	/* Shift keys do not. */
	scan("2a");
	u_sleep_ms(1000);
	scan("aa");
	cr_assert_str_eq(chars(fd), "");
	DONE;
}

PROGRAM(kbtrans, delay_and_rate_may_be_set)
{
	int64_t fd = open_kb();
	int val = 99;

	cr_assert_eq(get(fd, KIOCGRPTDELAY), 500);
	cr_assert_eq(get(fd, KIOCGRPTRATE), 40);
	FAILS(U_IOCTL(fd, KIOCSRPTDELAY, &val), EINVAL);
	val = 29;
	FAILS(U_IOCTL(fd, KIOCSRPTRATE, &val), EINVAL);
	set(fd, KIOCSRPTDELAY, 100);
	set(fd, KIOCSRPTRATE, 30);
	cr_assert_eq(get(fd, KIOCGRPTDELAY), 100);
	set(fd, KIOCSRPTDELAY, INT32_MAX); /* in whole ticks */
	cr_assert_eq(get(fd, KIOCGRPTDELAY), INT32_MAX / 10 * 10);
	set(fd, KIOCSRPTDELAY, 100);
	cr_assert_eq(get(fd, KIOCGRPTRATE), 30);
	scan("1e");
	u_sleep_ms(198);
	cr_assert_str_eq(chars(fd), "aaaaa"); /* 0, 100, 130, 160, 190 */
	scan("9e");
	DONE;
}

PROGRAM(kbtrans, no_software_repeats_untranslated_keys)
{
	int64_t fd = open_kb();

	set_mode(fd, TR_UNTRANS_EVENT);
	scan("1e");
	u_sleep_ms(2000);
	cr_assert_str_eq(events(fd), "31=1");
	DONE;
}

PROGRAM(kbtrans, a_closed_keyboard_does_not_repeat)
{
	int64_t fd = open_kb();

	scan("1e");
	OK(U_CLOSE(fd), 0);
	u_sleep_ms(1000);
	fd = open_kb();
	cr_assert_str_eq(chars(fd), "");
	scan("9e");
	DONE;
}

/* ---- TR_EVENT ---- */

PROGRAM(kbtrans, events_of_characters_have_no_release)
{
	int64_t fd = open_kb();

	set_mode(fd, TR_EVENT);
	scan("1e 9e");
	cr_assert_str_eq(events(fd), "97=1");
	scan("2a 1e 9e aa"); /* Left Shift is key 2 of the virtual ones; A is paired with a */
	cr_assert_str_eq(events(fd), "32514=1 65=1/1:97 32514=0");
	scan("1d 2e ae 9d");
	cr_assert_str_eq(events(fd), "32516=1 3=1/1:99 32516=0");
	scan("3b bb e0 47 e0 c7"); /* F1 and R7 */
	cr_assert_str_eq(events(fd), "32586=1 32586=0 32576=1 32576=0");
	scan("e0 48 e0 c8"); /* the string of an arrow */
	cr_assert_str_eq(events(fd), "27=1 91=1 65=1");
	scan("45 c5 47 c7 45 c5"); /* NumLock, 7 */
	cr_assert_str_eq(events(fd), "32523=1 32523=0 32623=1 32623=0 32523=1 32523=0");
	DONE;
}

PROGRAM(kbtrans, segments_of_events_may_be_moved)
{
	int64_t fd = open_kb();
	Vuid_addr_probe va = {.base = VKEY_FIRST, .data.next = 0x1200};

	set_mode(fd, TR_EVENT);
	OK(U_IOCTL(fd, VUIDSADDR, &va), 0);
	va = (Vuid_addr_probe){.base = ASCII_FIRST, .data.next = 0x400};
	OK(U_IOCTL(fd, VUIDSADDR, &va), 0);
	scan("2a aa 1e 9e");
	cr_assert_str_eq(events(fd), "4610=1 4610=0 1121=1");
	va.data.current = 0;
	OK(U_IOCTL(fd, VUIDGADDR, &va), 0);
	cr_assert_eq(va.data.current, 0x400);
	va.base = 0x3300;
	FAILS(U_IOCTL(fd, VUIDGADDR, &va), ENODEV);
	FAILS(U_IOCTL(fd, VUIDSADDR, &va), ENODEV);
	DONE;
}

PROGRAM(kbtrans, event_mode_repeats)
{
	int64_t fd = open_kb();

	set_mode(fd, TR_EVENT);
	scan("1e");
	u_sleep_ms(560);
	cr_assert_str_eq(events(fd), "97=1 97=1 97=1");
	scan("9e");
	DONE;
}

/* ---- ioctls ---- */

PROGRAM(kbtrans, modes_and_formats)
{
	int64_t fd = open_kb();

	cr_assert_eq(get(fd, KIOCGTRANS), TR_ASCII);
	cr_assert_eq(get(fd, VUIDGFORMAT), VUID_NATIVE);
	set(fd, VUIDSFORMAT, VUID_FIRM_EVENT);
	cr_assert_eq(get(fd, KIOCGTRANS), TR_EVENT);
	cr_assert_eq(get(fd, VUIDGFORMAT), VUID_FIRM_EVENT);
	set(fd, VUIDSFORMAT, VUID_NATIVE);
	cr_assert_eq(get(fd, KIOCGTRANS), TR_ASCII);
	set(fd, KIOCTRANS, TR_NONE); /* behaves as TR_ASCII */
	scan("1e 9e");
	cr_assert_str_eq(chars(fd), "a");
	cr_assert_eq(get(fd, KIOCTYPE), KB_PC);
	cr_assert_eq(get(fd, KIOCGTRANSABLE), TR_CAN);
	set(fd, KIOCTRANSABLE, TR_CANNOT);
	cr_assert_eq(get(fd, KIOCGTRANSABLE), TR_CANNOT);
	cr_assert_eq(get(fd, KIOCGDIRECT), 1);
	set(fd, KIOCSDIRECT, 0);
	cr_assert_eq(get(fd, KIOCGDIRECT), 1, "a keyboard alone is always direct");
	set(fd, KIOCSCOMPAT, 1);
	cr_assert_eq(get(fd, KIOCGCOMPAT), 1);
	cr_assert_eq(get(fd, KIOCLAYOUT), 0);
	DONE;
}

PROGRAM(kbtrans, a_change_of_mode_flushes)
{
	int64_t fd = open_kb();

	scan("1e 9e");
	set_mode(fd, TR_UNTRANS_EVENT);
	cr_assert_str_eq(events(fd), "");
	scan("1e 9e");
	set_mode(fd, TR_UNTRANS_EVENT); /* no change */
	cr_assert_str_eq(events(fd), "31=1 31=0");
	DONE;
}

PROGRAM(kbtrans, lights)
{
	int64_t fd = open_kb();
	uchar_t leds = LED_SCROLL_LOCK | LED_NUM_LOCK;

	OK(U_IOCTL(fd, KIOCSLED, &leds), 0);
	u_sleep_ms(10);
	cr_assert_eq(ps2_leds(), 3, "scroll and num have other bits there");
	leds = 0;
	OK(U_IOCTL(fd, KIOCGLED, &leds), 0);
	cr_assert_eq(leds, LED_SCROLL_LOCK | LED_NUM_LOCK);
	/* Changes while the keyboard is being told are told afterwards. */
	leds = LED_CAPS_LOCK;
	OK(U_IOCTL(fd, KIOCSLED, &leds), 0);
	leds = LED_CAPS_LOCK | LED_SCROLL_LOCK;
	OK(U_IOCTL(fd, KIOCSLED, &leds), 0);
	leds = LED_NUM_LOCK;
	OK(U_IOCTL(fd, KIOCSLED, &leds), 0);
	u_sleep_ms(20);
	cr_assert_eq(ps2_leds(), 2);
	scan("1e 9e");
	cr_assert_str_eq(chars(fd), "a");
	DONE;
}

PROGRAM(kbtrans, keys_may_be_changed)
{
	int64_t fd = open_kb();
	struct kiockeymap km = {.kio_tablemask = SHIFTMASK, .kio_station = 31};
	struct kiockey k = {.kio_tablemask = 0, .kio_station = 31, .kio_entry = 'z'};

	OK(U_IOCTL(fd, KIOCGKEY, &km), 0);
	cr_assert_eq(km.kio_entry, 'A');
	OK(U_IOCTL(fd, KIOCSETKEY, &k), 0);
	scan("1e 9e");
	cr_assert_str_eq(chars(fd), "z");
	k.kio_entry = 0;
	OK(U_IOCTL(fd, KIOCGETKEY, &k), 0);
	cr_assert_eq(k.kio_entry, 'z');
	k.kio_station = 112;
	FAILS(U_IOCTL(fd, KIOCGETKEY, &k), EINVAL); /* F1 does not fit */
	km = (struct kiockeymap){
	    .kio_tablemask = CTRLMASK, .kio_station = 2, .kio_entry = STRING + 7, .kio_string = "hello"};
	OK(U_IOCTL(fd, KIOCSKEY, &km), 0);
	scan("1d 02 82 9d");
	cr_assert_str_eq(chars(fd), "hello");
	memset(km.kio_string, 0, sizeof(km.kio_string));
	OK(U_IOCTL(fd, KIOCGKEY, &km), 0);
	cr_assert_eq(km.kio_entry, STRING + 7);
	cr_assert_str_eq(km.kio_string, "hello");
	km.kio_entry = STRING + NSTRINGS;
	FAILS(U_IOCTL(fd, KIOCSKEY, &km), EINVAL);
	km.kio_entry = PADKEYS + NPADKEYS;
	FAILS(U_IOCTL(fd, KIOCSKEY, &km), EINVAL);
	km.kio_entry = 0x900;
	FAILS(U_IOCTL(fd, KIOCSKEY, &km), EINVAL);
	km = (struct kiockeymap){.kio_tablemask = ALTMASK};
	FAILS(U_IOCTL(fd, KIOCSKEY, &km), EINVAL);
	FAILS(U_IOCTL(fd, KIOCGKEY, &km), EINVAL);
	/* Another keyboard has its own tables. */
	OK(U_CLOSE(fd), 0);
	fd = open_kb();
	scan("1e 9e");
	cr_assert_str_eq(chars(fd), "a");
	DONE;
}

PROGRAM(kbtrans, sizes_are_checked)
{
	static const int cmds[] = {KIOCTRANS,    KIOCTRANSABLE, KIOCSDIRECT, KIOCSCOMPAT, KIOCSRPTDELAY,
				   KIOCSRPTRATE, VUIDSFORMAT,   KIOCSETKEY,  KIOCGETKEY,  KIOCSKEY,
				   KIOCGKEY,     VUIDSADDR,     VUIDGADDR,   KIOCCMD,     CONSSETKBDTYPE};
	int64_t fd = open_kb();
	char buf[64] = "";
	int bad = 5;

	for (size_t i = 0; i < sizeof(cmds) / sizeof(cmds[0]); i++)
		FAILS(u_str(fd, cmds[i], buf, 2), EINVAL);
	FAILS(u_str(fd, KIOCSLED, buf, 0), EINVAL);
	FAILS(U_IOCTL(fd, VUIDSFORMAT, &bad), EINVAL);
	FAILS(u_str(fd, CONSSETKBDTYPE, &bad, sizeof(bad)), EINVAL);
	FAILS(u_str(fd, CONSSETABORTENABLE, &bad, sizeof(bad)), EINVAL); /* it must be transparent */
	FAILS(u_str(fd, KIOCSLAYOUT, &bad, sizeof(bad)), EINVAL);
	FAILS(U_IOCTL(fd, MSIOBUTTONS, buf), EINVAL);
	FAILS(U_IOCTL(fd, KIOCTRANS, NULL), EFAULT);
	FAILS(U_IOCTL(fd, KIOCGTRANS, NULL), EFAULT);
	DONE;
}

PROGRAM(kbtrans, the_bell_and_the_layout)
{
	int64_t fd = open_kb();

	cr_assert_not(ps2_speaker());
	set(fd, KIOCCMD, KBD_CMD_BELL);
	cr_assert(ps2_speaker());
	set(fd, KIOCCMD, 77); /* ignored */
	cr_assert(ps2_speaker());
	set(fd, KIOCCMD, KBD_CMD_NOBELL);
	cr_assert_not(ps2_speaker());
	OK(U_IOCTL(fd, KIOCSLAYOUT, 17), 0);
	cr_assert_eq(get(fd, KIOCLAYOUT), 17);
	DONE;
}

PROGRAM(kbtrans, other_messages)
{
	int64_t fd = open_kb();

	scan("1e 9e");
	OK(U_IOCTL(fd, I_FLUSH, FLUSHR), 0);
	cr_assert_str_eq(chars(fd), "");
	OK(U_IOCTL(fd, I_FLUSH, FLUSHW), 0);
	OK(U_WRITE(fd, "x", 1), 1); /* a keyboard takes no data: the console is warned */
	scan("1e 9e");
	cr_assert_str_eq(chars(fd), "a");
	cr_assert_geq(U_OPEN("/dev/kb8042", O_RDWR), 0, "a second open shares the stream");
	DONE;
}

/* ---- abort keys ---- */

PROGRAM(kbtrans, stop_a_enters_the_debugger_where_it_may)
{
	int64_t fd = open_kb();

	set_mode(fd, TR_UNTRANS_EVENT);
	scan("3b 1e 9e bb");
	cr_assert_str_eq(events(fd), "112=1 31=1 31=0 112=0");
	cr_assert_eq(abort_sequence_count(), 0);
	OK(U_IOCTL(fd, CONSSETABORTENABLE, 1), 0);
	scan("3b");
	cr_assert_str_eq(events(fd), "", "held back");
	scan("1e");
	cr_assert_eq(abort_sequence_count(), 1);
	scan("9e bb");
	cr_assert_str_eq(events(fd), "");
	scan("3b 30 b0 bb"); /* not A: both are told */
	cr_assert_str_eq(events(fd), "112=1 50=1 50=0 112=0");
	scan("3b bb"); /* F1 alone */
	cr_assert_str_eq(events(fd), "112=1 112=0");
	OK(U_IOCTL(fd, CONSSETABORTENABLE, 0), 0);
	scan("3b 1e 9e bb");
	cr_assert_eq(abort_sequence_count(), 1);
	DONE;
}

PROGRAM(kbtrans, ctrl_alt_d_enters_the_debugger_where_it_may)
{
	int64_t fd = open_kb();

	set_mode(fd, TR_UNTRANS_EVENT);
	scan("1d 38 20 a0 b8 9d");
	cr_assert_eq(abort_sequence_count(), 0);
	OK(U_IOCTL(fd, CONSSETABORTENABLE, 1), 0);
	scan("1d 38 20");
	cr_assert_eq(abort_sequence_count(), 1);
	scan("a0 b8 9d 20 a0 38 20 a0 b8"); /* not with one of them */
	cr_assert_eq(abort_sequence_count(), 1);
	DONE;
}

PROGRAM(kbtrans, the_abort_keys_may_be_changed)
{
	int64_t fd = open_kb();
	struct kiockeymap km = {.kio_tablemask = KIOCABORT1, .kio_station = 110};

	OK(U_IOCTL(fd, CONSSETABORTENABLE, 1), 0);
	OK(U_IOCTL(fd, KIOCSKEY, &km), 0);
	km = (struct kiockeymap){.kio_tablemask = KIOCABORT2, .kio_station = 48};
	OK(U_IOCTL(fd, KIOCSKEY, &km), 0);
	km.kio_station = 0;
	OK(U_IOCTL(fd, KIOCGKEY, &km), 0);
	cr_assert_eq(km.kio_station, 48);
	scan("01 2e"); /* Esc, C */
	cr_assert_eq(abort_sequence_count(), 1);
	DONE;
}

/* ---- flow control and memory ---- */

PROGRAM(kbtrans, a_reader_that_does_not_read_is_flushed)
{
	int64_t fd = open_kb();
	int n = 0;

	set_mode(fd, TR_UNTRANS_EVENT);
	for (int i = 0; i < 400; i++)
		scan("1e 9e");
	for (const char *p = events(fd); p != NULL; p = strchr(p + 1, ' '))
		n++;
	cr_assert_lt(n, 330, "5120 bytes are 320 events");
	cr_assert_gt(n, 0);
	scan("1e 9e");
	cr_assert_str_eq(events(fd), "31=1 31=0");
	DONE;
}

/* A program that asks for the mode with little memory. */
static int asked, answer;

static void ask_mode(void *fdp)
{
	int64_t fd = U_OPEN("/dev/kb8042", O_RDWR);

	(void)fdp;
	asked = (int)U_IOCTL(fd, KIOCGTRANS, &answer);
}

/* Whether the answer had to wait under this limit; it comes when there is memory, or the program ends first. */
static bool ask_with(size_t limit, bool end)
{
	proc_t *p;
	bool waited;

	asked = 7;
	answer = -1;
	allocb_limit(limit);
	p = u_start(ask_mode, NULL);
	u_sleep_ms(20);
	waited = asked == 7;
	if (!waited || !end) {
		allocb_limit(0);
		freemsg(allocb(1, BPRI_LO)); /* freeing lets those who wait look */
		u_sleep_ms(20);
		cr_assert_neq(asked, 7, "limit %zu", limit);
		if (waited)
			cr_assert_eq(asked, 0);
		if (asked == 0)
			cr_assert_eq(answer, TR_ASCII);
	}
	proc_exit(p);
	u_sleep_ms(20);
	allocb_limit(0);
	return waited;
}

PROGRAM(kbtrans, an_answer_waits_for_memory)
{
	int waited = 0, ended = 0;

	(void)open_kb();
	/* Buffers are of 64, 128, 320 ... bytes. */
	for (size_t limit = 64; limit < 512; limit += 64) {
		waited += ask_with(limit, false);
		ended += ask_with(limit, true);
	}
	cr_assert_gt(waited, 0);
	cr_assert_gt(ended, 0);
	DONE;
}

PROGRAM(kbtrans, memory_may_fail_anywhere)
{
	for (long n = 1; n < 40; n++) {
		int64_t fd;
		uchar_t led = (uchar_t)(n & 7);
		int val = TR_EVENT;

		if (n & 1)
			kmem_fail_nth(n / 2 + 1);
		else
			allocb_fail_nth(n / 2);
		fd = U_OPEN("/dev/kb8042", O_RDWR);
		if (fd >= 0) {
			scan("1e 9e 3b bb");
			(void)U_IOCTL(fd, KIOCTRANS, &val);
			(void)U_IOCTL(fd, KIOCGLED, &led);
			(void)U_IOCTL(fd, KIOCLAYOUT, &val);
			(void)U_IOCTL(fd, KIOCSLED, &led);
			scan("1e 9e 2a aa");
			(void)events(fd);
		} else {
			cr_assert(user_errno() == ENOMEM || user_errno() == ENOSR || user_errno() == EAGAIN, "%d",
				  user_errno());
		}
		kmem_fail_nth(0);
		allocb_fail_nth(0);
		if (fd >= 0)
			OK(U_CLOSE(fd), 0);
		u_sleep_ms(20);
	}
	DONE;
}
