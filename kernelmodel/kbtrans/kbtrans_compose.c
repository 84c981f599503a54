/*
 * Compose sequences and floating accents of ISO 8859-1 (the table of compose
 * sequences in the keyboard documentation).  The order of a pair does not
 * matter.
 */
#include "kbtrans/kbtrans_impl.h"

static const struct {
	uchar_t first, second, result;
} compose_table[] = {
    {'!', '!', 0xa1},  {'c', '/', 0xa2},  {'C', '/', 0xa2},   {'l', '-', 0xa3},  {'L', '-', 0xa3},  {'o', 'x', 0xa4},
    {'O', 'X', 0xa4},  {'y', '-', 0xa5},  {'Y', '-', 0xa5},   {'|', '|', 0xa6},  {'s', 'o', 0xa7},  {'S', 'O', 0xa7},
    {'"', '"', 0xa8},  {'c', 'o', 0xa9},  {'C', 'O', 0xa9},   {'a', '_', 0xaa},  {'<', '<', 0xab},  {'-', '|', 0xac},
    {'-', '-', 0xad},  {'r', 'o', 0xae},  {'R', 'O', 0xae},   {'^', '-', 0xaf},  {'^', '*', 0xb0},  {'+', '-', 0xb1},
    {'^', '2', 0xb2},  {'^', '3', 0xb3},  {'\'', '\'', 0xb4}, {'/', 'u', 0xb5},  {'P', '!', 0xb6},  {'p', '!', 0xb6},
    {'^', '.', 0xb7},  {',', ',', 0xb8},  {'^', '1', 0xb9},   {'o', '_', 0xba},  {'>', '>', 0xbb},  {'1', '4', 0xbc},
    {'1', '2', 0xbd},  {'3', '4', 0xbe},  {'?', '?', 0xbf},   {'A', 'E', 0xc6},  {'a', 'e', 0xe6},  {'A', '*', 0xc5},
    {'a', '*', 0xe5},  {'D', '-', 0xd0},  {'d', '-', 0xf0},   {'x', 'x', 0xd7},  {'O', '/', 0xd8},  {'o', '/', 0xf8},
    {'T', 'H', 0xde},  {'t', 'h', 0xfe},  {'s', 's', 0xdf},   {'-', ':', 0xf7},  {' ', ' ', 0xa0},  {'+', '+', 0x23},
    {'a', 'a', 0x40},  {'A', 'A', 0x40},  {'(', '(', 0x5b},   {'/', '/', 0x5c},  {')', ')', 0x5d},  {'(', '-', 0x7b},
    {'/', '^', 0x7c},  {')', '-', 0x7d},  {'A', '`', 0xc0},   {'E', '`', 0xc8},  {'I', '`', 0xcc},  {'O', '`', 0xd2},
    {'U', '`', 0xd9},  {'a', '`', 0xe0},  {'e', '`', 0xe8},   {'i', '`', 0xec},  {'o', '`', 0xf2},  {'u', '`', 0xf9},
    {'A', '\'', 0xc1}, {'E', '\'', 0xc9}, {'I', '\'', 0xcd},  {'O', '\'', 0xd3}, {'U', '\'', 0xda}, {'Y', '\'', 0xdd},
    {'a', '\'', 0xe1}, {'e', '\'', 0xe9}, {'i', '\'', 0xed},  {'o', '\'', 0xf3}, {'u', '\'', 0xfa}, {'y', '\'', 0xfd},
    {'A', '^', 0xc2},  {'E', '^', 0xca},  {'I', '^', 0xce},   {'O', '^', 0xd4},  {'U', '^', 0xdb},  {'a', '^', 0xe2},
    {'e', '^', 0xea},  {'i', '^', 0xee},  {'o', '^', 0xf4},   {'u', '^', 0xfb},  {'A', '~', 0xc3},  {'N', '~', 0xd1},
    {'O', '~', 0xd5},  {'a', '~', 0xe3},  {'n', '~', 0xf1},   {'o', '~', 0xf5},  {'A', '"', 0xc4},  {'E', '"', 0xcb},
    {'I', '"', 0xcf},  {'O', '"', 0xd6},  {'U', '"', 0xdc},   {'a', '"', 0xe4},  {'e', '"', 0xeb},  {'i', '"', 0xef},
    {'o', '"', 0xf6},  {'u', '"', 0xfc},  {'y', '"', 0xff},   {'C', ',', 0xc7},  {'c', ',', 0xe7},
};
#define NCOMPOSE (sizeof(compose_table) / sizeof(compose_table[0]))

int compose_pair(uchar_t first, uchar_t second)
{
	for (size_t i = 0; i < NCOMPOSE; i++) {
		uchar_t a = compose_table[i].first, b = compose_table[i].second;

		if ((a == first && b == second) || (a == second && b == first))
			return (compose_table[i].result);
	}
	return (-1);
}

int compose_accent(ushort_t accent, uchar_t letter)
{
	static const uchar_t sign[] = {'"', '^', '~', ',', '\'', '`'};
	static const uchar_t alone[] = {0xa8, '^', '~', 0xb8, 0xb4, '`'};
	uint_t which = accent - FA_UMLAUT;

	if (which >= sizeof(sign))
		return (-1);
	return (letter == ' ' ? alone[which] : compose_pair(letter, sign[which]));
}
