/*
 * kbtrans, the half that has to do with STREAMS: events and characters go up,
 * ioctls come down.
 *
 * An event mode remembers the keys that are down, with the event that said so:
 * the release of a key is that event again with value 0, and a key whose press
 * was never told has no release.
 */
#include <stdio.h>
#include <string.h>

#include "kbtrans/kbtrans_impl.h"
#include "machine/machine.h"
#include "sys/cmn_err.h"
#include "sys/errno.h"

/* Function keys as ESC [ n z. */
#define FUNCKEY_CODE(entry) (((entry)&0x3f) + 192)

static KLOCAL uint_t aborts;

static void kbtrans_init(void)
{
	aborts = 0;
}

KERNEL_INIT(2, kbtrans_init, NULL);

/* ---- the debugger ---- */

void abort_sequence_enter(const char *msg)
{
	aborts++;
	cmn_err(CE_NOTE, "%s: no debugger, resuming", msg);
}

uint_t abort_sequence_count(void)
{
	return (aborts);
}

/* ---- events ---- */

static void forget_downs(struct kbtrans *kt)
{
	memset(kt->kbtrans_streams_downs, 0, sizeof(kt->kbtrans_streams_downs));
}

/* The reader does not keep up: all that waits for it is dropped, with the keys that are down. */
void kbtrans_flush(struct kbtrans *kt)
{
	if (kt->kbtrans_streams_readq != NULL)
		(void)putnextctl1(kt->kbtrans_streams_readq, M_FLUSH, FLUSHR);
	forget_downs(kt);
	kbtrans_cancel_repeat(kt);
}

/* Room above; if not, what is there is flushed. */
static bool have_room(struct kbtrans *kt)
{
	if (canputnext(kt->kbtrans_streams_readq))
		return (true);
	kbtrans_flush(kt);
	kt->kbtrans_overflow_cnt++;
	return (false);
}

void kbtrans_queueevent(struct kbtrans *kt, Firm_event *fe)
{
	queue_t *q = kt->kbtrans_streams_readq;
	mblk_t *bp;

	if (q == NULL || !have_room(kt))
		return;
	if ((bp = firm_event_msg(fe)) != NULL)
		(void)putnext(q, bp);
}

/* Where a press is remembered: where the station is already, else the last free place, else the first of all. */
static struct key_event *down_slot(struct kbtrans *kt, uchar_t station)
{
	struct key_event *slot = &kt->kbtrans_streams_downs[0];

	for (int i = 0; i < NDOWNS; i++) {
		struct key_event *ke = &kt->kbtrans_streams_downs[i];

		if (ke->key_station == station)
			return (ke);
		if (ke->key_station == 0)
			slot = ke;
	}
	return (slot);
}

void kbtrans_queuepress(struct kbtrans *kt, uchar_t station, Firm_event *fe)
{
	struct key_event *ke = down_slot(kt, station);

	ke->key_station = station;
	ke->event = *fe;
	kbtrans_queueevent(kt, fe);
}

static void kbtrans_keyreleased(struct kbtrans *kt, uchar_t station)
{
	int mode = kt->kbtrans_streams_translate_mode;

	if (mode != TR_EVENT && mode != TR_UNTRANS_EVENT)
		return;
	for (int i = 0; i < NDOWNS; i++) {
		struct key_event *ke = &kt->kbtrans_streams_downs[i];

		if (ke->key_station != station)
			continue;
		ke->key_station = 0;
		ke->event.value = 0;
		kbtrans_queueevent(kt, &ke->event);
	}
}

/* ---- TR_UNTRANS_EVENT ---- */

static void kbtrans_untrans_keypressed_raw(struct kbtrans *kt, uchar_t station)
{
	Firm_event fe = {.id = station, .value = 1};

	kbtrans_queuepress(kt, station, &fe);
}

static void kbtrans_untrans_keyreleased_raw(struct kbtrans *kt, uchar_t station)
{
	kbtrans_keyreleased(kt, station);
}

const struct kbtrans_callbacks kbtrans_untrans_callbacks = {
    .keypressed_raw = kbtrans_untrans_keypressed_raw,
    .keyreleased_raw = kbtrans_untrans_keyreleased_raw,
};

/* ---- TR_ASCII ---- */

/* One message; inlined, since stacks know who of the two below calls putnext. */
ALWAYS_INLINE void put_bytes(struct kbtrans *kt, const void *buf, size_t n)
{
	queue_t *q = kt->kbtrans_streams_readq;
	mblk_t *bp;

	if (q == NULL || !have_room(kt) || (bp = allocb(n, BPRI_HI)) == NULL)
		return;
	memcpy(bp->b_wptr, buf, n);
	bp->b_wptr += n;
	(void)putnext(q, bp);
}

static void kbtrans_putbuf(struct kbtrans *kt, const char *buf, size_t n)
{
	put_bytes(kt, buf, n);
}

static void kbtrans_putcode(struct kbtrans *kt, uchar_t code)
{
	put_bytes(kt, &code, 1);
}

static void kbtrans_ascii_character(struct kbtrans *kt, uchar_t ch, ushort_t base)
{
	(void)base;
	kbtrans_putcode(kt, ch);
}

static void kbtrans_ascii_keypressed(struct kbtrans *kt, uchar_t station, ushort_t entry)
{
	char buf[16];
	int n;

	(void)station;
	switch (KEYCLASS(entry)) {
	case FUNCKEYS:
		n = snprintf(buf, sizeof(buf), "\033[%dz", FUNCKEY_CODE(entry));
		kbtrans_putbuf(kt, buf, (size_t)n);
		break;
	case PADKEYS:
		kbtrans_putcode(kt, (uchar_t)kt->kbtrans_lower.kbtrans_numlock_table[(entry & 0xff) % NPADKEYS]);
		break;
	default:
		break;
	}
}

const struct kbtrans_callbacks kbtrans_ascii_callbacks = {
    .keypressed = kbtrans_ascii_keypressed,
    .character = kbtrans_ascii_character,
    .repeats = true,
};

/* ---- TR_EVENT ---- */

/* A character is told once: it leaves no key down. */
static void kbtrans_event_character(struct kbtrans *kt, uchar_t ch, ushort_t base)
{
	Firm_event fe = {.id = (ushort_t)(ch + kt->kbtrans_streams_vuid_addr.ascii), .value = 1};

	if (KEYCLASS(base) == 0 && base != ch) {
		fe.pair_type = FE_PAIR_SET;
		fe.pair = (uchar_t)base;
	}
	kbtrans_queueevent(kt, &fe);
}

/* Place of a key in the segment of virtual keys. */
static int vkey_place(ushort_t entry)
{
	static const int group[] = {KEY_LEFTFIRST, KEY_RIGHTFIRST, KEY_TOPFIRST, KEY_BOTTOMFIRST};

	switch (KEYCLASS(entry)) {
	case SHIFTKEYS:
		return ((SHIFT_CAPSLOCK - VKEY_FIRST) + (entry & 0xf));
	case BUCKYBITS:
		return ((SHIFT_META - VKEY_FIRST) + (entry & 1));
	case PADKEYS:
		return ((KEY_PADFIRST - VKEY_FIRST) + (entry & 0xff));
	default:
		return ((group[entry >> 4 & 3] - VKEY_FIRST) + (entry & 0xf));
	}
}

static void kbtrans_keypressed(struct kbtrans *kt, uchar_t station, ushort_t entry)
{
	Firm_event fe = {.id = (ushort_t)(kt->kbtrans_streams_vuid_addr.vkey + vkey_place(entry)), .value = 1};

	kbtrans_queuepress(kt, station, &fe);
}

const struct kbtrans_callbacks kbtrans_event_callbacks = {
    .keypressed = kbtrans_keypressed,
    .keyreleased = kbtrans_keyreleased,
    .character = kbtrans_event_character,
    .repeats = true,
};

void kbtrans_set_mode(struct kbtrans *kt, int mode)
{
	kt->kbtrans_streams_translate_mode = mode;
	switch (mode) {
	case TR_EVENT:
		kt->kbtrans_streams_callback = &kbtrans_event_callbacks;
		break;
	case TR_UNTRANS_EVENT:
		kt->kbtrans_streams_callback = &kbtrans_untrans_callbacks;
		break;
	default:
		kt->kbtrans_streams_callback = &kbtrans_ascii_callbacks;
		break;
	}
}

/* ---- autorepeat ---- */

static void kbtrans_rpt(void *arg)
{
	struct kbtrans *kt = arg;
	uchar_t key = kt->kbtrans_lower.kbtrans_repeatkey;

	kt->kbtrans_streams_rptid = timeout(kbtrans_rpt, kt, kt->kbtrans_streams_rptrate);
	kbtrans_repeat(&kt->kbtrans_lower, kt->kbtrans_streams_callback, key);
}

void kbtrans_cancel_repeat(struct kbtrans *kt)
{
	timeout_id_t id = kt->kbtrans_streams_rptid;

	kt->kbtrans_streams_rptid = 0;
	kt->kbtrans_lower.kbtrans_repeatkey = 0;
	if (id != 0)
		(void)untimeout(id);
}

void kbtrans_setup_repeat(struct kbtrans *kt, uchar_t key)
{
	kbtrans_cancel_repeat(kt);
	kt->kbtrans_lower.kbtrans_repeatkey = key;
	kt->kbtrans_streams_rptid = timeout(kbtrans_rpt, kt, kt->kbtrans_streams_rptdelay);
}

/* ---- keys ---- */

/*
 * Where Stop-A is allowed, Stop is held back until it is known what follows.
 * True: the key has been dealt with.
 */
static bool abort_check(struct kbtrans *kt, uchar_t key, enum keystate state)
{
	const struct keyboard *kb = &kt->kbtrans_lower.kbtrans_keyboard;
	uchar_t held = kt->kbtrans_streams_abort1_key;

	if (held != 0) {
		kt->kbtrans_streams_abort1_key = 0;
		if (state == KEY_PRESSED && key == kb->k_abort2) {
			abort_sequence_enter("keyboard abort sequence");
			return (true);
		}
		kbtrans_processkey(&kt->kbtrans_lower, kt->kbtrans_streams_callback, held, KEY_PRESSED);
	}
	if (state == KEY_PRESSED && key != 0 && (key == kb->k_abort1 || key == kb->k_abort1a)) {
		kt->kbtrans_streams_abort1_key = key;
		return (true);
	}
	return (false);
}

void kbtrans_streams_key(struct kbtrans *kt, uchar_t key, enum keystate state)
{
	if (kt->kbtrans_streams_abortable && abort_check(kt, key, state))
		return;
	kbtrans_processkey(&kt->kbtrans_lower, kt->kbtrans_streams_callback, key, state);
}

void kbtrans_streams_releaseall(struct kbtrans *kt)
{
	forget_downs(kt);
	kbtrans_cancel_repeat(kt);
}

/* ---- messages from above ---- */

enum kbtrans_message_response kbtrans_streams_message(struct kbtrans *kt, mblk_t *mp)
{
	enum kbtrans_message_response handled = KBTRANS_MESSAGE_NOT_HANDLED;

	switch (DB_TYPE(mp)) {
	case M_IOCTL:
		kbtrans_ioctl(kt, mp, &handled);
		break;
	case M_FLUSH:
		if ((*mp->b_rptr & FLUSHR) && kt->kbtrans_streams_readq != NULL)
			flushq(kt->kbtrans_streams_readq, FLUSHDATA);
		break;
	default:
		break;
	}
	return (handled);
}

/* ---- lights ---- */

void kbtrans_setled(struct kbtrans *kt)
{
	if (kt->kbtrans_streams_hw_callbacks != NULL && kt->kbtrans_streams_hw_callbacks->setled != NULL)
		kt->kbtrans_streams_hw_callbacks->setled(kt->kbtrans_streams_hw, kt->kbtrans_lower.kbtrans_led_state);
}

int kbtrans_streams_led_state(const struct kbtrans *kt)
{
	return (kt->kbtrans_lower.kbtrans_led_state);
}

void kbtrans_streams_set_led_state(struct kbtrans *kt, int state)
{
	kt->kbtrans_lower.kbtrans_led_state = state;
}

/* ---- instances ---- */

int kbtrans_streams_init(queue_t *q, int sflag, cred_t *cr, void *hw, const kbtrans_hw_callbacks_t *cb, int leds,
			 struct kbtrans **ktp)
{
	struct kbtrans *kt;

	if (cr->cr_uid != 0)
		return (EPERM);
	if (sflag == CLONEOPEN)
		return (EINVAL);
	if ((kt = kmem_zalloc(sizeof(*kt), KM_NOSLEEP)) == NULL)
		return (ENOMEM);
	kt->kbtrans_streams_readq = q;
	kt->kbtrans_streams_hw = hw;
	kt->kbtrans_streams_hw_callbacks = cb;
	kt->kbtrans_streams_translatable = TR_CAN;
	kt->kbtrans_streams_rptdelay = HZ / 2;
	kt->kbtrans_streams_rptrate = (HZ + 29) / 30;
	kt->kbtrans_streams_vuid_addr.ascii = ASCII_FIRST;
	kt->kbtrans_streams_vuid_addr.top = TOP_FIRST;
	kt->kbtrans_streams_vuid_addr.vkey = VKEY_FIRST;
	kt->kbtrans_lower.kbtrans_upper = kt;
	kt->kbtrans_lower.kbtrans_led_state = leds;
	memcpy(kt->kbtrans_lower.kbtrans_keystringtab, kbtrans_strings, sizeof(kbtrans_strings));
	memcpy(kt->kbtrans_lower.kbtrans_numlock_table, kbtrans_numlock_chars, NPADKEYS);
	keyboard_us(&kt->kbtrans_lower.kbtrans_keyboard, KB_PC);
	kbtrans_set_mode(kt, TR_ASCII);
	*ktp = kt;
	return (0);
}

void kbtrans_streams_untimeout(struct kbtrans *kt, const queue_t *q)
{
	bufcall_id_t id = kt->kbtrans_streams_bufcallid;

	kbtrans_cancel_repeat(kt);
	if (kt->kbtrans_streams_iocpending == NULL || (q != NULL && kt->kbtrans_streams_iocqueue != q))
		return;
	kt->kbtrans_streams_bufcallid = 0;
	unbufcall(id);
	freemsg(kt->kbtrans_streams_iocpending);
	kt->kbtrans_streams_iocpending = NULL;
}

void kbtrans_streams_fini(struct kbtrans *kt)
{
	kbtrans_streams_untimeout(kt, NULL);
	kmem_free(kt, sizeof(*kt));
}

void kbtrans_streams_set_keyboard(struct kbtrans *kt, int id)
{
	keyboard_us(&kt->kbtrans_lower.kbtrans_keyboard, id);
}

void kbtrans_streams_enable(struct kbtrans *kt)
{
	kbtrans_setled(kt);
}

void kbtrans_streams_set_queue(struct kbtrans *kt, queue_t *q)
{
	kt->kbtrans_streams_readq = q;
}

queue_t *kbtrans_streams_get_queue(const struct kbtrans *kt)
{
	return (kt->kbtrans_streams_readq);
}

void kbtrans_streams_set_abortable(struct kbtrans *kt, bool abortable)
{
	kt->kbtrans_streams_abortable = abortable;
	kt->kbtrans_streams_abort1_key = 0;
}

ushort_t kbtrans_streams_entry(const struct kbtrans *kt, uchar_t key)
{
	return (kt->kbtrans_lower.kbtrans_keyboard.k_normal[key]);
}
