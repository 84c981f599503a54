/*
 * The ioctls of every keyboard (kb(7M)).  They are answered on the read queue
 * of the instance: its driver may point that to whoever asked.
 *
 * An answer that needs a block which cannot be had waits for memory, and the
 * whole request is done again then; a second request that meets it is refused.
 */
#include <string.h>

#include "kbtrans/kbtrans_impl.h"
#include "machine/machine.h"
#include "sys/consdev.h"
#include "sys/errno.h"
#include "sys/kbio.h"

#define MIN_RPTDELAY 100 /* ms */
#define MIN_RPTRATE 30
#define MS_PER_TICK (1000 / HZ)

/* Wait for more than an answer is: buffers come in sizes, and a call that came too early would only come again. */
#define ANSWER_ROOM 128

#define WAIT (-1) /* no memory: later */

/* An answer of size bytes in place of the request's data, zeroed; NULL without memory. */
static void *answer_block(mblk_t *mp, size_t size)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	mblk_t *dp = allocb(size, BPRI_HI);

	if (dp == NULL)
		return (NULL);
	freemsg(mp->b_cont);
	mp->b_cont = dp;
	dp->b_wptr += size;
	ioc->ioc_count = (uint_t)size;
	return (memset(dp->b_rptr, 0, size));
}

static int get_int(mblk_t *mp, int val)
{
	int *p = answer_block(mp, sizeof(int));

	if (p == NULL)
		return (WAIT);
	*p = val;
	return (0);
}

static int get_led(mblk_t *mp, int leds)
{
	uchar_t *p = answer_block(mp, 1);

	if (p == NULL)
		return (WAIT);
	*p = (uchar_t)leds;
	return (0);
}

/* The data that came, at least size bytes of it, alone in its block; NULL with *errorp. */
static void *request_data(mblk_t *mp, size_t size, int *errorp)
{
	*errorp = miocpullup(mp, size);
	return (*errorp == 0 ? mp->b_cont->b_rptr : NULL);
}

/* ---- modes ---- */

static int set_trans(struct kbtrans *kt, int mode)
{
	if (kt->kbtrans_streams_translate_mode != mode) {
		kbtrans_set_mode(kt, mode);
		kbtrans_flush(kt);
	}
	return (0);
}

static int set_format(struct kbtrans *kt, int format)
{
	if (format != VUID_NATIVE && format != VUID_FIRM_EVENT)
		return (EINVAL);
	return (set_trans(kt, format == VUID_NATIVE ? TR_ASCII : TR_EVENT));
}

static int get_format(const struct kbtrans *kt)
{
	int mode = kt->kbtrans_streams_translate_mode;

	return (mode == TR_EVENT || mode == TR_UNTRANS_EVENT ? VUID_FIRM_EVENT : VUID_NATIVE);
}

static int set_led(struct kbtrans *kt, uchar_t leds)
{
	kt->kbtrans_lower.kbtrans_led_state = leds;
	kbtrans_setled(kt);
	return (0);
}

/* ---- segments of events ---- */

static int *vuid_segment(struct kbtrans *kt, short base)
{
	switch (base) {
	case ASCII_FIRST:
		return (&kt->kbtrans_streams_vuid_addr.ascii);
	case TOP_FIRST:
		return (&kt->kbtrans_streams_vuid_addr.top);
	case VKEY_FIRST:
		return (&kt->kbtrans_streams_vuid_addr.vkey);
	default:
		return (NULL);
	}
}

static int vuid_addr(struct kbtrans *kt, int cmd, Vuid_addr_probe *p)
{
	int *seg = vuid_segment(kt, p->base);

	if (seg == NULL)
		return (ENODEV);
	if (cmd == VUIDSADDR)
		*seg = (ushort_t)p->data.next;
	else
		p->data.current = (short)*seg;
	return (0);
}

/* ---- key tables ---- */

/* Two numbers in place of a table name the keys that abort. */
static uchar_t *abort_key(struct keyboard *kb, int mask)
{
	return (mask == KIOCABORT1 ? &kb->k_abort1 : mask == KIOCABORT2 ? &kb->k_abort2 : NULL);
}

static bool string_entry(ushort_t entry)
{
	return (KEYCLASS(entry) == STRING && (entry & 0xff) < NSTRINGS);
}

static bool entry_known(ushort_t entry)
{
	switch (KEYCLASS(entry)) {
	case STRING:
		return (string_entry(entry));
	case PADKEYS:
		return ((entry & 0xff) < NPADKEYS);
	case FUNCKEYS:
		return ((entry & 0xff) < 0x40);
	case FA_CLASS:
		return (entry <= FA_LAST);
	default:
		return (KEYCLASS(entry) <= FUNNY);
	}
}

static int set_key(struct kbtrans *kt, int mask, uchar_t station, ushort_t entry, const char *string)
{
	struct keyboard *kb = &kt->kbtrans_lower.kbtrans_keyboard;
	uchar_t *abort1 = abort_key(kb, mask);
	ushort_t *table;

	if (abort1 != NULL) {
		*abort1 = station;
		return (0);
	}
	if ((table = keyboard_table(kb, (uint_t)mask)) == NULL || !entry_known(entry))
		return (EINVAL);
	if (string_entry(entry))
		memcpy(kt->kbtrans_lower.kbtrans_keystringtab[entry & 0xff], string, KTAB_STRLEN);
	table[station] = entry;
	return (0);
}

static int get_key(struct kbtrans *kt, int mask, uchar_t *station, ushort_t *entry, char *string)
{
	struct keyboard *kb = &kt->kbtrans_lower.kbtrans_keyboard;
	const uchar_t *abort1 = abort_key(kb, mask);
	const ushort_t *table;

	*entry = 0;
	if (abort1 != NULL) {
		*station = *abort1;
		return (0);
	}
	if ((table = keyboard_table(kb, (uint_t)mask)) == NULL)
		return (EINVAL);
	*entry = table[*station];
	if (string_entry(*entry))
		memcpy(string, kt->kbtrans_lower.kbtrans_keystringtab[*entry & 0xff], KTAB_STRLEN);
	return (0);
}

/* The old form has room for characters only. */
static int key_old(struct kbtrans *kt, int cmd, struct kiockey *k)
{
	ushort_t entry;
	int error;

	if (cmd == KIOCSETKEY)
		return (set_key(kt, k->kio_tablemask, k->kio_station, k->kio_entry, k->kio_string));
	error = get_key(kt, k->kio_tablemask, &k->kio_station, &entry, k->kio_string);
	if (error == 0 && entry > 0xff)
		return (EINVAL);
	k->kio_entry = (uchar_t)entry;
	return (error);
}

static int key_new(struct kbtrans *kt, int cmd, struct kiockeymap *k)
{
	if (cmd == KIOCSKEY)
		return (set_key(kt, k->kio_tablemask, k->kio_station, k->kio_entry, k->kio_string));
	return (get_key(kt, k->kio_tablemask, &k->kio_station, &k->kio_entry, k->kio_string));
}

/* ---- autorepeat ---- */

/* Milliseconds to ticks, 0 when they are too few. */
static int repeat_ticks(int ms, int min)
{
	return (ms < min ? 0 : (MIN(ms, INT32_MAX - MS_PER_TICK) + MS_PER_TICK - 1) / MS_PER_TICK);
}

static int set_repeat(int *ticksp, int ms, int min)
{
	int ticks = repeat_ticks(ms, min);

	if (ticks == 0)
		return (EINVAL);
	*ticksp = ticks;
	return (0);
}

/* ---- commands by the shape of their data ---- */

/* No data comes, a value goes: WAIT, 0, or -2 when it is not one of these. */
#define OTHER (-2)
static int ioctl_get(struct kbtrans *kt, int cmd, mblk_t *mp)
{
	switch (cmd) {
	case KIOCGTRANS:
		return (get_int(mp, kt->kbtrans_streams_translate_mode));
	case KIOCGTRANSABLE:
		return (get_int(mp, kt->kbtrans_streams_translatable));
	case KIOCTYPE:
		return (get_int(mp, kt->kbtrans_lower.kbtrans_keyboard.k_id));
	case KIOCGDIRECT:
		return (get_int(mp, 1));
	case KIOCGCOMPAT:
		return (get_int(mp, kt->kbtrans_lower.kbtrans_compat));
	case KIOCGRPTDELAY:
		return (get_int(mp, kt->kbtrans_streams_rptdelay * MS_PER_TICK));
	case KIOCGRPTRATE:
		return (get_int(mp, kt->kbtrans_streams_rptrate * MS_PER_TICK));
	case VUIDGFORMAT:
		return (get_int(mp, get_format(kt)));
	case KIOCGLED:
		return (get_led(mp, kt->kbtrans_lower.kbtrans_led_state));
	default:
		return (OTHER);
	}
}

static int do_set(struct kbtrans *kt, int cmd, int val)
{
	switch (cmd) {
	case KIOCTRANS:
		return (set_trans(kt, val));
	case KIOCTRANSABLE:
		kt->kbtrans_streams_translatable = val;
		return (0);
	case KIOCSDIRECT:
		kbtrans_flush(kt);
		return (0);
	case KIOCSCOMPAT:
		kt->kbtrans_lower.kbtrans_compat = val;
		return (0);
	case KIOCSRPTDELAY:
		return (set_repeat(&kt->kbtrans_streams_rptdelay, val, MIN_RPTDELAY));
	case KIOCSRPTRATE:
		return (set_repeat(&kt->kbtrans_streams_rptrate, val, MIN_RPTRATE));
	default: /* VUIDSFORMAT */
		return (set_format(kt, val));
	}
}

/* An int comes, nothing goes. */
static int ioctl_set(struct kbtrans *kt, int cmd, mblk_t *mp)
{
	const int *valp;
	int error;

	switch (cmd) {
	case KIOCTRANS:
	case KIOCTRANSABLE:
	case KIOCSDIRECT:
	case KIOCSCOMPAT:
	case KIOCSRPTDELAY:
	case KIOCSRPTRATE:
	case VUIDSFORMAT:
		break;
	default:
		return (OTHER);
	}
	if ((valp = request_data(mp, sizeof(int), &error)) == NULL)
		return (error);
	((struct iocblk *)mp->b_rptr)->ioc_count = 0;
	return (do_set(kt, cmd, *valp));
}

/* A structure comes and, unless the command only sets, goes back. */
static int ioctl_struct(struct kbtrans *kt, int cmd, mblk_t *mp)
{
	void *data;
	int error;

	switch (cmd) {
	case KIOCSETKEY:
	case KIOCGETKEY:
		data = request_data(mp, sizeof(struct kiockey), &error);
		return (data == NULL ? error : key_old(kt, cmd, data));
	case KIOCSKEY:
	case KIOCGKEY:
		data = request_data(mp, sizeof(struct kiockeymap), &error);
		return (data == NULL ? error : key_new(kt, cmd, data));
	case VUIDSADDR:
	case VUIDGADDR:
		data = request_data(mp, sizeof(Vuid_addr_probe), &error);
		return (data == NULL ? error : vuid_addr(kt, cmd, data));
	case KIOCSLED:
		data = request_data(mp, 1, &error);
		((struct iocblk *)mp->b_rptr)->ioc_count = 0;
		return (data == NULL ? error : set_led(kt, *(uchar_t *)data));
	default:
		return (OTHER);
	}
}

static int do_ioctl(struct kbtrans *kt, mblk_t *mp)
{
	int cmd = ((struct iocblk *)mp->b_rptr)->ioc_cmd;
	int error = ioctl_get(kt, cmd, mp);

	if (error == OTHER)
		error = ioctl_set(kt, cmd, mp);
	if (error == OTHER)
		error = ioctl_struct(kt, cmd, mp);
	return (error);
}

/* ---- waiting for memory ---- */

static void kbtrans_reioctl(void *arg)
{
	struct kbtrans *kt = arg;
	mblk_t *mp = kt->kbtrans_streams_iocpending;
	queue_t *readq = kt->kbtrans_streams_readq;
	enum kbtrans_message_response handled;

	kt->kbtrans_streams_bufcallid = 0;
	if (mp == NULL)
		return;
	kt->kbtrans_streams_iocpending = NULL;
	kt->kbtrans_streams_readq = kt->kbtrans_streams_iocqueue;
	kbtrans_ioctl(kt, mp, &handled);
	kt->kbtrans_streams_readq = readq;
}

/* Keep mp until there is memory: 0, or the error to refuse it with. */
static int wait_memory(struct kbtrans *kt, mblk_t *mp)
{
	if (kt->kbtrans_streams_iocpending != NULL)
		return (EAGAIN);
	kt->kbtrans_streams_bufcallid = bufcall(ANSWER_ROOM, BPRI_HI, kbtrans_reioctl, kt);
	if (kt->kbtrans_streams_bufcallid == 0)
		return (ENOMEM);
	kt->kbtrans_streams_iocpending = mp;
	kt->kbtrans_streams_iocqueue = kt->kbtrans_streams_readq;
	return (0);
}

/* ---- entry ---- */

void kbtrans_ioctl(struct kbtrans *kt, mblk_t *mp, enum kbtrans_message_response *handled)
{
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;
	int error;

	*handled = KBTRANS_MESSAGE_NOT_HANDLED;
	if (ioc->ioc_cmd == CONSSETABORTENABLE) {
		/* The driver looks at it too. */
		if (ioc->ioc_count == TRANSPARENT && mp->b_cont != NULL)
			kbtrans_streams_set_abortable(kt, *(intptr_t *)mp->b_cont->b_rptr != 0);
		return;
	}
	error = do_ioctl(kt, mp);
	if (error == OTHER)
		return;
	*handled = KBTRANS_MESSAGE_HANDLED;
	if (error == WAIT && (error = wait_memory(kt, mp)) == 0)
		return;
	DB_TYPE(mp) = error == 0 ? M_IOCACK : M_IOCNAK;
	ioc->ioc_error = error;
	ioc->ioc_rval = 0;
	if (error != 0)
		ioc->ioc_count = 0;
	(void)putnext(kt->kbtrans_streams_readq, mp);
}
