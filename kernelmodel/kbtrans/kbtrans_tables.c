/*
 * Key tables of the US keyboard, by station.  PC and USB keyboards have the same
 * keys under different numbers; a keyboard's tables are made from one list.
 */
#include <string.h>

#include "kbtrans/kbtrans_impl.h"

struct key {
	uchar_t pc, usb;
	ushort_t normal, shifted, control;
};

static const struct key us_keys[] = {
    {1, 53, '`', '~', 0x1e},
    {2, 30, '1', '!', '1'},
    {3, 31, '2', '@', 0x00},
    {4, 32, '3', '#', '3'},
    {5, 33, '4', '$', '4'},
    {6, 34, '5', '%', '5'},
    {7, 35, '6', '^', 0x1e},
    {8, 36, '7', '&', '7'},
    {9, 37, '8', '*', '8'},
    {10, 38, '9', '(', '9'},
    {11, 39, '0', ')', '0'},
    {12, 45, '-', '_', 0x1f},
    {13, 46, '=', '+', '='},
    {15, 42, 0x08, 0x08, 0x08},
    {16, 43, 0x09, 0x09, 0x09},
    {17, 20, 'q', 'Q', 0x11},
    {18, 26, 'w', 'W', 0x17},
    {19, 8, 'e', 'E', 0x05},
    {20, 21, 'r', 'R', 0x12},
    {21, 23, 't', 'T', 0x14},
    {22, 28, 'y', 'Y', 0x19},
    {23, 24, 'u', 'U', 0x15},
    {24, 12, 'i', 'I', 0x09},
    {25, 18, 'o', 'O', 0x0f},
    {26, 19, 'p', 'P', 0x10},
    {27, 47, '[', '{', 0x1b},
    {28, 48, ']', '}', 0x1d},
    {29, 49, '\\', '|', 0x1c},
    {30, 57, SHIFTKEYS + CAPSLOCK, SHIFTKEYS + CAPSLOCK, SHIFTKEYS + CAPSLOCK},
    {31, 4, 'a', 'A', 0x01},
    {32, 22, 's', 'S', 0x13},
    {33, 7, 'd', 'D', 0x04},
    {34, 9, 'f', 'F', 0x06},
    {35, 10, 'g', 'G', 0x07},
    {36, 11, 'h', 'H', 0x08},
    {37, 13, 'j', 'J', 0x0a},
    {38, 14, 'k', 'K', 0x0b},
    {39, 15, 'l', 'L', 0x0c},
    {40, 51, ';', ':', ';'},
    {41, 52, '\'', '"', '\''},
    {43, 40, 0x0d, 0x0d, 0x0d},
    {44, 225, SHIFTKEYS + LEFTSHIFT, SHIFTKEYS + LEFTSHIFT, SHIFTKEYS + LEFTSHIFT},
    {46, 29, 'z', 'Z', 0x1a},
    {47, 27, 'x', 'X', 0x18},
    {48, 6, 'c', 'C', 0x03},
    {49, 25, 'v', 'V', 0x16},
    {50, 5, 'b', 'B', 0x02},
    {51, 17, 'n', 'N', 0x0e},
    {52, 16, 'm', 'M', 0x0d},
    {53, 54, ',', '<', ','},
    {54, 55, '.', '>', '.'},
    {55, 56, '/', '?', 0x1f},
    {57, 229, SHIFTKEYS + RIGHTSHIFT, SHIFTKEYS + RIGHTSHIFT, SHIFTKEYS + RIGHTSHIFT},
    {58, 224, SHIFTKEYS + LEFTCTRL, SHIFTKEYS + LEFTCTRL, SHIFTKEYS + LEFTCTRL},
    {59, 227, BUCKYBITS + METABIT, BUCKYBITS + METABIT, BUCKYBITS + METABIT},
    {60, 226, SHIFTKEYS + ALT, SHIFTKEYS + ALT, SHIFTKEYS + ALT},
    {61, 44, 0x20, 0x20, 0x00},
    {62, 230, SHIFTKEYS + ALTGRAPH, SHIFTKEYS + ALTGRAPH, SHIFTKEYS + ALTGRAPH},
    {63, 231, BUCKYBITS + METABIT, BUCKYBITS + METABIT, BUCKYBITS + METABIT},
    {64, 228, SHIFTKEYS + RIGHTCTRL, SHIFTKEYS + RIGHTCTRL, SHIFTKEYS + RIGHTCTRL},
    {65, 101, COMPOSE, COMPOSE, COMPOSE},
    {75, 73, BF(8), BF(8), BF(8)},
    {76, 76, 0x7f, 0x7f, 0x7f},
    {79, 80, LEFTARROW, LEFTARROW, LEFTARROW},
    {80, 74, RF(7), RF(7), RF(7)},
    {81, 77, RF(13), RF(13), RF(13)},
    {83, 82, UPARROW, UPARROW, UPARROW},
    {84, 81, DOWNARROW, DOWNARROW, DOWNARROW},
    {85, 75, RF(9), RF(9), RF(9)},
    {86, 78, RF(15), RF(15), RF(15)},
    {89, 79, RIGHTARROW, RIGHTARROW, RIGHTARROW},
    {90, 83, SHIFTKEYS + NUMLOCK, SHIFTKEYS + NUMLOCK, SHIFTKEYS + NUMLOCK},
    {91, 95, RF(7), RF(7), RF(7)},
    {92, 92, LEFTARROW, LEFTARROW, LEFTARROW},
    {93, 89, RF(13), RF(13), RF(13)},
    {95, 84, RF(5), RF(5), RF(5)},
    {96, 96, UPARROW, UPARROW, UPARROW},
    {97, 93, RF(11), RF(11), RF(11)},
    {98, 90, DOWNARROW, DOWNARROW, DOWNARROW},
    {99, 98, BF(8), BF(8), BF(8)},
    {100, 85, RF(6), RF(6), RF(6)},
    {101, 97, RF(9), RF(9), RF(9)},
    {102, 94, RIGHTARROW, RIGHTARROW, RIGHTARROW},
    {103, 91, RF(15), RF(15), RF(15)},
    {104, 99, BF(10), BF(10), BF(10)},
    {105, 86, BF(15), BF(15), BF(15)},
    {106, 87, BF(14), BF(14), BF(14)},
    {108, 88, BF(11), BF(11), BF(11)},
    {110, 41, 0x1b, 0x1b, 0x1b},
    {112, 58, TF(1), TF(1), TF(1)},
    {113, 59, TF(2), TF(2), TF(2)},
    {114, 60, TF(3), TF(3), TF(3)},
    {115, 61, TF(4), TF(4), TF(4)},
    {116, 62, TF(5), TF(5), TF(5)},
    {117, 63, TF(6), TF(6), TF(6)},
    {118, 64, TF(7), TF(7), TF(7)},
    {119, 65, TF(8), TF(8), TF(8)},
    {120, 66, TF(9), TF(9), TF(9)},
    {121, 67, TF(10), TF(10), TF(10)},
    {122, 68, TF(11), TF(11), TF(11)},
    {123, 69, TF(12), TF(12), TF(12)},
    {124, 70, RF(2), RF(2), RF(2)},
    {125, 71, RF(3), RF(3), RF(3)},
    {126, 72, RF(1), RF(1), RF(1)},
};
#define NKEYS (sizeof(us_keys) / sizeof(us_keys[0]))

/* What the keys of the number pad give with NumLock, by USB station. */
static const struct {
	uchar_t usb;
	ushort_t entry;
} us_pad[] = {
    {84, PADSLASH}, {85, PADSTAR}, {86, PADMINUS}, {87, PADPLUS}, {88, PADENTER}, {89, PAD1}, {90, PAD2}, {91, PAD3},
    {92, PAD4},     {93, PAD5},    {94, PAD6},     {95, PAD7},    {96, PAD8},     {97, PAD9}, {98, PAD0}, {99, PADDOT},
};
#define NPAD (sizeof(us_pad) / sizeof(us_pad[0]))

const char kbtrans_strings[NSTRINGS][KTAB_STRLEN] = {
    [HOMEARROW - STRING] = "\033[H", [UPARROW - STRING] = "\033[A",    [DOWNARROW - STRING] = "\033[B",
    [LEFTARROW - STRING] = "\033[D", [RIGHTARROW - STRING] = "\033[C",
};

/* By number of the PAD entry. */
const char kbtrans_numlock_chars[NPADKEYS + 1] = "=/*-,789+4561230.\r";

/* In the list of abort keys: Stop, F1 (in its place on keyboards without one), A. */
static void keyboard_aborts(struct keyboard *kb)
{
	bool usb = kb->k_id == KB_USB;

	kb->k_abort1 = usb ? 120 : 0;
	kb->k_abort1a = usb ? 58 : 112;
	kb->k_abort2 = usb ? 4 : 31;
}

static bool lower_letter(ushort_t entry)
{
	return (entry >= 'a' && entry <= 'z');
}

/* Releasing a shift or bucky key undoes it; other releases mean nothing. */
static ushort_t up_entry(ushort_t normal)
{
	return (KEYCLASS(normal) == SHIFTKEYS || KEYCLASS(normal) == BUCKYBITS ? normal : NOP);
}

static void keyboard_key(struct keyboard *kb, const struct key *k)
{
	uchar_t n = kb->k_id == KB_USB ? k->usb : k->pc;

	kb->k_normal[n] = kb->k_altgraph[n] = k->normal;
	kb->k_shifted[n] = k->shifted;
	kb->k_control[n] = k->control;
	kb->k_caps[n] = lower_letter(k->normal) ? k->shifted : k->normal;
	kb->k_up[n] = up_entry(k->normal);
	kb->k_numlock[n] = NONL;
	for (size_t i = 0; i < NPAD; i++)
		if (us_pad[i].usb == k->usb)
			kb->k_numlock[n] = us_pad[i].entry;
}

void keyboard_us(struct keyboard *kb, int id)
{
	kb->k_id = id;
	keyboard_aborts(kb);
	for (int i = 0; i < NSTATIONS; i++) {
		kb->k_normal[i] = kb->k_shifted[i] = kb->k_caps[i] = kb->k_altgraph[i] = HOLE;
		kb->k_control[i] = kb->k_up[i] = HOLE;
		kb->k_numlock[i] = NONL;
	}
	for (size_t i = 0; i < NKEYS; i++)
		keyboard_key(kb, &us_keys[i]);
}

ushort_t *keyboard_table(struct keyboard *kb, uint_t mask)
{
	if (mask & UPMASK)
		return (kb->k_up);
	if (mask & NUMLOCKMASK)
		return (kb->k_numlock);
	if (mask & CTRLMASK)
		return (kb->k_control);
	if (mask & ALTGRAPHMASK)
		return (kb->k_altgraph);
	if (mask & SHIFTMASK)
		return (kb->k_shifted);
	if (mask & CAPSMASK)
		return (kb->k_caps);
	return (mask == 0 ? kb->k_normal : NULL);
}
