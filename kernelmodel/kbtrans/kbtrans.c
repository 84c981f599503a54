/*
 * kbtrans, the half that translates: from a station and a direction to what the
 * key means, by tables that the shift keys choose between.
 *
 * In untranslated mode none of this happens: the raw callbacks get the station.
 */
#include "kbtrans/kbtrans_impl.h"

#define TABLE_MASK (UPMASK | NUMLOCKMASK | CTRLMASK | ALTGRAPHMASK | SHIFTMASK | CAPSMASK)
#define TOGGLES ((1U << CAPSLOCK) | (1U << SHIFTLOCK) | (1U << NUMLOCK))

void kbtrans_processkey(struct kbtrans_lower *lower, const struct kbtrans_callbacks *cb, uchar_t key,
			enum keystate state)
{
	if (cb->keypressed_raw != NULL) {
		if (state == KEY_PRESSED)
			cb->keypressed_raw(lower->kbtrans_upper, key);
		else
			cb->keyreleased_raw(lower->kbtrans_upper, key);
		return;
	}
	kbtrans_translate(lower, cb, key, state);
}

/* The entry of a key under a shift mask. */
static ushort_t find_entry(struct kbtrans_lower *lower, uchar_t key, uint_t mask)
{
	ushort_t entry = keyboard_table(&lower->kbtrans_keyboard, mask & TABLE_MASK)[key];

	if (entry == NONL)
		entry = keyboard_table(&lower->kbtrans_keyboard, mask & TABLE_MASK & ~(uint_t)NUMLOCKMASK)[key];
	return (entry);
}

/* ---- shift keys ---- */

static void set_light(struct kbtrans_lower *lower, int light, bool on)
{
	int before = lower->kbtrans_led_state;

	lower->kbtrans_led_state = on ? before | light : before & ~light;
	if (lower->kbtrans_led_state != before)
		kbtrans_setled(lower->kbtrans_upper);
}

static void shift_key(struct kbtrans_lower *lower, uint_t number, enum keystate state)
{
	uint_t bit = 1U << number;

	if (!(bit & TOGGLES)) {
		lower->kbtrans_shiftmask =
		    state == KEY_PRESSED ? lower->kbtrans_shiftmask | bit : lower->kbtrans_shiftmask & ~bit;
		return;
	}
	if (state == KEY_RELEASED)
		return;
	lower->kbtrans_shiftmask ^= bit;
	set_light(lower, LED_CAPS_LOCK, (lower->kbtrans_shiftmask & ((1U << CAPSLOCK) | (1U << SHIFTLOCK))) != 0);
	set_light(lower, LED_NUM_LOCK, (lower->kbtrans_shiftmask & (1U << NUMLOCK)) != 0);
}

/* The meta and system keys add bits to characters while they are held. */
static void bucky_key(struct kbtrans_lower *lower, uint_t number, enum keystate state)
{
	uint_t bit = 0x80U << number;

	lower->kbtrans_buckybits =
	    state == KEY_PRESSED ? lower->kbtrans_buckybits | bit : lower->kbtrans_buckybits & ~bit;
}

/* ---- composing ---- */

static void compose_state(struct kbtrans_lower *lower, enum compose_state state)
{
	lower->kbtrans_state = state;
	set_light(lower, LED_COMPOSE, state == KS_COMPOSE1 || state == KS_COMPOSE2);
}

/* A character passes through what is being composed: the one that results, or -1 when none does (yet). */
static int composed(struct kbtrans_lower *lower, uchar_t ch)
{
	enum compose_state state = lower->kbtrans_state;

	switch (state) {
	case KS_COMPOSE1:
		lower->kbtrans_compose_key = ch;
		compose_state(lower, KS_COMPOSE2);
		return (-1);
	case KS_COMPOSE2:
		compose_state(lower, KS_NORMAL);
		return (compose_pair(lower->kbtrans_compose_key, ch));
	case KS_ACCENT:
		compose_state(lower, KS_NORMAL);
		return (compose_accent(lower->kbtrans_fltaccent, ch));
	default:
		return (ch);
	}
}

/* ---- what a press does, by the class of the entry ---- */

static void press_character(struct kbtrans_lower *lower, const struct kbtrans_callbacks *cb, uchar_t key,
			    ushort_t entry)
{
	ushort_t base = find_entry(lower, key, lower->kbtrans_shiftmask & ~(uint_t)(CTRLMASK | SHIFTMASK | CAPSMASK));
	int ch = composed(lower, (uchar_t)entry);

	if (ch < 0)
		return;
	if (ch != entry)
		base = (ushort_t)ch; /* the result of composing has no key of its own */
	if (cb->character != NULL)
		cb->character(lower->kbtrans_upper, (uchar_t)((uint_t)ch | (lower->kbtrans_buckybits & 0xff)), base);
}

static void press_funny(struct kbtrans_lower *lower, ushort_t entry)
{
	if (entry == COMPOSE)
		compose_state(lower, KS_COMPOSE1);
}

static void press_accent(struct kbtrans_lower *lower, ushort_t entry)
{
	if (lower->kbtrans_state != KS_NORMAL || entry > FA_LAST) {
		compose_state(lower, KS_NORMAL);
		return;
	}
	lower->kbtrans_fltaccent = entry;
	compose_state(lower, KS_ACCENT);
}

static void press_string(struct kbtrans_lower *lower, const struct kbtrans_callbacks *cb, ushort_t entry)
{
	const char *s = lower->kbtrans_keystringtab[(entry & 0xff) % NSTRINGS];

	for (int i = 0; i < KTAB_STRLEN && s[i] != '\0' && cb->character != NULL; i++)
		cb->character(lower->kbtrans_upper, (uchar_t)s[i], (uchar_t)s[i]);
}

/* Anything but a character ends composing, except the shift keys that some characters need. */
static void press(struct kbtrans_lower *lower, const struct kbtrans_callbacks *cb, uchar_t key, ushort_t entry)
{
	if (KEYCLASS(entry) >= STRING)
		compose_state(lower, KS_NORMAL);
	switch (KEYCLASS(entry)) {
	case 0:
		press_character(lower, cb, key, entry);
		break;
	case FUNNY:
		press_funny(lower, entry);
		break;
	case FA_CLASS:
		press_accent(lower, entry);
		break;
	case STRING:
		press_string(lower, cb, entry);
		break;
	default:
		if (cb->keypressed != NULL)
			cb->keypressed(lower->kbtrans_upper, key, entry);
		break;
	}
}

/* Shift and bucky keys, in both directions. */
static void modifier(struct kbtrans_lower *lower, const struct kbtrans_callbacks *cb, uchar_t key, ushort_t entry,
		     enum keystate state)
{
	if (KEYCLASS(entry) == SHIFTKEYS)
		shift_key(lower, entry & 0xf, state);
	else
		bucky_key(lower, entry & 1, state);
	if (state == KEY_PRESSED && cb->keypressed != NULL)
		cb->keypressed(lower->kbtrans_upper, key, entry);
}

static bool is_modifier(ushort_t entry)
{
	return (KEYCLASS(entry) == SHIFTKEYS || KEYCLASS(entry) == BUCKYBITS);
}

void kbtrans_translate(struct kbtrans_lower *lower, const struct kbtrans_callbacks *cb, uchar_t key,
		       enum keystate state)
{
	uint_t mask = lower->kbtrans_shiftmask | (state == KEY_RELEASED ? UPMASK : 0U);
	ushort_t entry = find_entry(lower, key, mask);

	if (is_modifier(entry)) {
		modifier(lower, cb, key, entry, state);
	} else if (state == KEY_PRESSED) {
		if (cb->repeats && KEYCLASS(entry) != FUNNY && KEYCLASS(entry) != FA_CLASS)
			kbtrans_setup_repeat(lower->kbtrans_upper, key);
		press(lower, cb, key, entry);
	} else if (key == lower->kbtrans_repeatkey) {
		kbtrans_cancel_repeat(lower->kbtrans_upper);
	}
	if (state == KEY_RELEASED && cb->keyreleased != NULL)
		cb->keyreleased(lower->kbtrans_upper, key);
}

void kbtrans_repeat(struct kbtrans_lower *lower, const struct kbtrans_callbacks *cb, uchar_t key)
{
	press(lower, cb, key, find_entry(lower, key, lower->kbtrans_shiftmask));
}
