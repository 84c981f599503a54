/*
 * Scan codes of set 1, which the controller makes of what the keyboard sends,
 * and the numbers of keys.
 *
 * A press is a code below 80, a release the same with 80 added; keys that came
 * later than the first PC have E0 before it, and Pause is E1 1D 45.  Two Korean
 * keys send F1 and F2, when pressed only.
 */
#include "kb8042/kb8042.h"

#define SCAN_OVERRUN 0x00
#define SCAN_FAILURE 0xfc
#define SCAN_EXT0 0xe0
#define SCAN_EXT1 0xe1
#define SCAN_HANJA 0xf1
#define SCAN_HANGUL 0xf2
#define STATION_HANJA 150
#define STATION_HANGUL 151
#define STATION_PAUSE 126
#define SCAN_RELEASE 0x80

/* PC stations by code; 0: no key. */
static const uchar_t base_keys[128] = {
    [0x01] = 110, [0x02] = 2,   [0x03] = 3,   [0x04] = 4,   [0x05] = 5,   [0x06] = 6,   [0x07] = 7,   [0x08] = 8,
    [0x09] = 9,   [0x0a] = 10,  [0x0b] = 11,  [0x0c] = 12,  [0x0d] = 13,  [0x0e] = 15,  [0x0f] = 16,  [0x10] = 17,
    [0x11] = 18,  [0x12] = 19,  [0x13] = 20,  [0x14] = 21,  [0x15] = 22,  [0x16] = 23,  [0x17] = 24,  [0x18] = 25,
    [0x19] = 26,  [0x1a] = 27,  [0x1b] = 28,  [0x1c] = 43,  [0x1d] = 58,  [0x1e] = 31,  [0x1f] = 32,  [0x20] = 33,
    [0x21] = 34,  [0x22] = 35,  [0x23] = 36,  [0x24] = 37,  [0x25] = 38,  [0x26] = 39,  [0x27] = 40,  [0x28] = 41,
    [0x29] = 1,   [0x2a] = 44,  [0x2b] = 29,  [0x2c] = 46,  [0x2d] = 47,  [0x2e] = 48,  [0x2f] = 49,  [0x30] = 50,
    [0x31] = 51,  [0x32] = 52,  [0x33] = 53,  [0x34] = 54,  [0x35] = 55,  [0x36] = 57,  [0x37] = 100, [0x38] = 60,
    [0x39] = 61,  [0x3a] = 30,  [0x3b] = 112, [0x3c] = 113, [0x3d] = 114, [0x3e] = 115, [0x3f] = 116, [0x40] = 117,
    [0x41] = 118, [0x42] = 119, [0x43] = 120, [0x44] = 121, [0x45] = 90,  [0x46] = 125, [0x47] = 91,  [0x48] = 96,
    [0x49] = 101, [0x4a] = 105, [0x4b] = 92,  [0x4c] = 97,  [0x4d] = 102, [0x4e] = 106, [0x4f] = 93,  [0x50] = 98,
    [0x51] = 103, [0x52] = 99,  [0x53] = 104, [0x54] = 124, [0x57] = 122, [0x58] = 123, [0x56] = 45, /* the 102nd key */
    [0x70] = 133, [0x73] = 56,  [0x79] = 132, [0x7b] = 131, [0x7d] = 14,                             /* Japanese keys */
};
static const uchar_t extended_keys[128] = {
    [0x1c] = 108, [0x1d] = 64, [0x35] = 95, [0x37] = 124, [0x38] = 62, [0x46] = 126, [0x47] = 80,
    [0x48] = 83,  [0x49] = 85, [0x4b] = 79, [0x4d] = 89,  [0x4f] = 81, [0x50] = 84,  [0x51] = 86,
    [0x52] = 75,  [0x53] = 76, [0x5b] = 59, [0x5c] = 63,  [0x5d] = 65,
};

static const uchar_t usb_stations[256] = {
    [1] = 53,    [2] = 30,    [3] = 31,    [4] = 32,    [5] = 33,   [6] = 34,   [7] = 35,   [8] = 36,   [9] = 37,
    [10] = 38,   [11] = 39,   [12] = 45,   [13] = 46,   [15] = 42,  [16] = 43,  [17] = 20,  [18] = 26,  [19] = 8,
    [20] = 21,   [21] = 23,   [22] = 28,   [23] = 24,   [24] = 12,  [25] = 18,  [26] = 19,  [27] = 47,  [28] = 48,
    [29] = 49,   [30] = 57,   [31] = 4,    [32] = 22,   [33] = 7,   [34] = 9,   [35] = 10,  [36] = 11,  [37] = 13,
    [38] = 14,   [39] = 15,   [40] = 51,   [41] = 52,   [43] = 40,  [44] = 225, [46] = 29,  [47] = 27,  [48] = 6,
    [49] = 25,   [50] = 5,    [51] = 17,   [52] = 16,   [53] = 54,  [54] = 55,  [55] = 56,  [57] = 229, [58] = 224,
    [59] = 227,  [60] = 226,  [61] = 44,   [62] = 230,  [63] = 231, [64] = 228, [65] = 101, [75] = 73,  [76] = 76,
    [79] = 80,   [80] = 74,   [81] = 77,   [83] = 82,   [84] = 81,  [85] = 75,  [86] = 78,  [89] = 79,  [90] = 83,
    [91] = 95,   [92] = 92,   [93] = 89,   [95] = 84,   [96] = 96,  [97] = 93,  [98] = 90,  [99] = 98,  [100] = 85,
    [101] = 97,  [102] = 94,  [103] = 91,  [104] = 99,  [105] = 86, [106] = 87, [108] = 88, [110] = 41, [112] = 58,
    [113] = 59,  [114] = 60,  [115] = 61,  [116] = 62,  [117] = 63, [118] = 64, [119] = 65, [120] = 66, [121] = 67,
    [122] = 68,  [123] = 69,  [124] = 70,  [125] = 71,  [126] = 72, [45] = 100, [14] = 137, [56] = 135, [131] = 139,
    [132] = 138, [133] = 136, [150] = 145, [151] = 144,
};

uchar_t kb8042_usb_station(uchar_t pc)
{
	return (usb_stations[pc]);
}

/* A byte when no code has begun: the station, 0 when it is not a whole code. */
static uchar_t scan_first(struct kb8042 *kb, uint8_t code, uint8_t key, bool *synthetic)
{
	switch (code) {
	case SCAN_EXT0:
		kb->parse_scan_state = SCAN_E0;
		return (0);
	case SCAN_EXT1:
		kb->parse_scan_state = SCAN_E1;
		return (0);
	case SCAN_HANJA:
		*synthetic = true;
		return (STATION_HANJA);
	case SCAN_HANGUL:
		*synthetic = true;
		return (STATION_HANGUL);
	default:
		return (base_keys[key]);
	}
}

/* The byte after E1: only 1D goes on, and then only 45 ends it. */
static uchar_t scan_pause(struct kb8042 *kb, uint8_t key)
{
	bool first = kb->parse_scan_state == SCAN_E1;

	kb->parse_scan_state = first && key == 0x1d ? SCAN_E1_1D : SCAN_IDLE;
	return (!first && key == 0x45 ? STATION_PAUSE : 0);
}

bool KeyboardConvertScan(struct kb8042 *kb, uint8_t code, uchar_t *station, enum keystate *state, bool *synthetic)
{
	bool prefix = code == SCAN_EXT0 || code == SCAN_EXT1 || code == SCAN_HANJA || code == SCAN_HANGUL;
	bool release = code > SCAN_RELEASE && !prefix;
	uint8_t key = code & 0x7f;

	*synthetic = false;
	if (code == SCAN_OVERRUN)
		return (false);
	if (code == SCAN_FAILURE) {
		kb->parse_scan_state = SCAN_IDLE;
		return (false);
	}
	*state = release ? KEY_RELEASED : KEY_PRESSED;
	switch (kb->parse_scan_state) {
	case SCAN_E0:
		kb->parse_scan_state = SCAN_IDLE;
		*station = prefix ? 0 : extended_keys[key];
		break;
	case SCAN_E1:
	case SCAN_E1_1D:
		*station = scan_pause(kb, key);
		break;
	default:
		*station = scan_first(kb, code, key, synthetic);
		break;
	}
	return (*station != 0);
}
