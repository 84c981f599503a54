/* The 8042, the keyboard and the mouse behind it (ps2.h). */
#include <string.h>
#include "machine/ps2.h"

#define MS 1000000LL
#define ANSWER_DELAY (1 * MS)
#define KBD_SPACING (1 * MS)
#define MOUSE_SPACING (2 * MS)

#define ACK 0xfa
#define RESEND 0xfe
#define SELFTEST_OK 0xaa

/* What a device wants to send: a ring that grows. */
typedef struct wire {
	struct due {
		hrtime_t when;
		uint8_t byte;
	} * ring;
	size_t head, n, size;
	hrtime_t last, spacing; /* when the last byte is due; time between two */
} wire_t;

enum { KBD, AUX, NWIRES };

typedef struct mouse {
	enum ps2_mouse_kind kind;
	uint_t nbuttons; /* of the special status answer */
	bool unplugged;
	uint8_t id; /* 0, 3, 4: what it has admitted to be */
	bool enabled, scale2;
	uint8_t resolution, rate;
	uint8_t rates[3]; /* the last three set, oldest first */
	uint_t scale1;    /* "scaling 1:1" in a row */
	uint8_t arg;      /* the command that waits for its argument, or 0 */
	uint_t buttons;
	long deaf;
	uint8_t ignore;
	uint8_t log[256];
	size_t nlog;
} mouse_t;

static KLOCAL struct {
	wire_t wire[NWIRES];
	mevent_t pump;
	uint8_t cb, data, status;
	uint8_t cmd; /* the command whose data byte comes next, or 0 */
	uint8_t sysctl;
	uint8_t kbdcmd, leds;
	bool kbdscan;
	mouse_t mouse;
} ps2;

/* ---- the cables ---- */

static struct due *wire_first(wire_t *w)
{
	return w->n == 0 ? NULL : &w->ring[w->head];
}

static void wire_grow(wire_t *w)
{
	size_t size = w->size == 0 ? 64 : 2 * w->size;
	struct due *ring = kmem_alloc(size * sizeof(*ring), KM_SLEEP);

	for (size_t i = 0; i < w->n; i++)
		ring[i] = w->ring[(w->head + i) & (w->size - 1)];
	if (w->ring != NULL)
		kmem_free(w->ring, w->size * sizeof(*ring));
	w->ring = ring;
	w->head = 0;
	w->size = size;
}

static void pump(void *arg);

/* When could the first byte of a port go: INT64_MAX when there is none or its clock is held. */
static hrtime_t wire_due(int port)
{
	const struct due *d = wire_first(&ps2.wire[port]);

	if (d == NULL || (ps2.cb & (port == KBD ? PS2_CB_KBDOFF : PS2_CB_AUXOFF)))
		return INT64_MAX;
	return d->when;
}

/* Wait for the next byte that is due, if there is room for one. */
static void pump_later(void)
{
	hrtime_t when = MIN(wire_due(KBD), wire_due(AUX));

	if (when == INT64_MAX || (ps2.status & PS2_OUTBF))
		(void)event_cancel(&ps2.pump);
	else
		event_schedule(&ps2.pump, when, pump, NULL);
}

static void output(int port, uint8_t byte)
{
	ps2.data = byte;
	ps2.status = (uint8_t)((ps2.status & ~PS2_AUXBF) | PS2_OUTBF | (port == AUX ? PS2_AUXBF : 0));
	if (ps2.cb & (port == AUX ? PS2_CB_AUXINT : PS2_CB_KBDINT))
		intr_raise(port == AUX ? PS2_IRQ_MOUSE : PS2_IRQ_KBD);
}

/* The port whose byte has waited longest hands it over; the keyboard first when both are due at one time. */
static void pump(void *unused)
{
	int port = wire_due(AUX) < wire_due(KBD) ? AUX : KBD;
	wire_t *w = &ps2.wire[port];
	uint8_t byte = wire_first(w)->byte;

	(void)unused;
	w->head = (w->head + 1) & (w->size - 1);
	w->n--;
	output(port, byte);
}

/* Behind what waits, not before `earliest'. */
static void wire_send(int port, uint8_t byte, hrtime_t earliest)
{
	wire_t *w = &ps2.wire[port];

	if (w->n == w->size)
		wire_grow(w);
	w->last = MAX(earliest, w->last + w->spacing);
	w->ring[(w->head + w->n++) & (w->size - 1)] = (struct due){w->last, byte};
	pump_later();
}

/* A command has come: what was not sent is not sent any more. */
static void wire_drop(int port)
{
	wire_t *w = &ps2.wire[port];

	w->n = 0;
	w->last = machine_now() - w->spacing;
	pump_later();
}

static void answer(int port, uint8_t byte)
{
	wire_send(port, byte, machine_now() + ANSWER_DELAY);
}

/* ---- the keyboard ---- */

static void kbd_argument(uint8_t byte)
{
	if (ps2.kbdcmd == 0xed)
		ps2.leds = byte & 7;
	ps2.kbdcmd = 0;
	answer(KBD, ACK);
}

static void kbd_command(uint8_t byte)
{
	answer(KBD, byte == 0xee ? 0xee : ACK);
	switch (byte) {
	case 0xed: /* lights */
	case 0xf0: /* scan code set */
	case 0xf3: /* repeat rate and delay */
		ps2.kbdcmd = byte;
		break;
	case 0xf2: /* identify: AB 83, the second translated like a scan code */
		answer(KBD, 0xab);
		answer(KBD, 0x41);
		break;
	case 0xf4:
		ps2.kbdscan = true;
		break;
	case 0xf5:
		ps2.kbdscan = false;
		break;
	case 0xff:
		ps2.leds = 0;
		ps2.kbdscan = true;
		answer(KBD, SELFTEST_OK);
		break;
	default:
		break;
	}
}

static void kbd_receive(uint8_t byte)
{
	if (ps2.kbdcmd != 0 && byte < 0xed)
		kbd_argument(byte);
	else
		kbd_command(byte);
}

void ps2_key_bytes(const uint8_t *set1, size_t n)
{
	if (!ps2.kbdscan)
		return;
	for (size_t i = 0; i < n; i++)
		wire_send(KBD, set1[i], machine_now());
}

uint_t ps2_leds(void)
{
	return ps2.leds;
}

/* ---- the mouse: what it is told ---- */

static void mouse_defaults(mouse_t *m)
{
	m->enabled = m->scale2 = false;
	m->resolution = 2;
	m->rate = 100;
	memset(m->rates, 0, sizeof(m->rates));
	m->scale1 = 0;
}

static void mouse_reset(mouse_t *m)
{
	mouse_defaults(m);
	m->id = 0;
	m->arg = 0;
	answer(AUX, SELFTEST_OK);
	answer(AUX, 0);
}

/* The rate is set; some sequences of rates are questions. */
static void mouse_rate(mouse_t *m, uint8_t rate)
{
	static const uint8_t wheel[3] = {200, 100, 80}, wheel5[3] = {200, 200, 80};

	m->rate = rate;
	m->rates[0] = m->rates[1];
	m->rates[1] = m->rates[2];
	m->rates[2] = rate;
	if (m->kind >= PS2_MOUSE_WHEEL && memcmp(m->rates, wheel, 3) == 0)
		m->id = 3;
	else if (m->kind >= PS2_MOUSE_WHEEL5 && m->id == 3 && memcmp(m->rates, wheel5, 3) == 0)
		m->id = 4;
}

static void mouse_argument(mouse_t *m, uint8_t byte)
{
	if (m->arg == 0xf3)
		mouse_rate(m, byte);
	else
		m->resolution = byte & 3;
	m->arg = 0;
	answer(AUX, ACK);
}

static void mouse_status(mouse_t *m)
{
	answer(AUX, (uint8_t)((m->enabled ? 0x20 : 0) | (m->scale2 ? 0x10 : 0) | (m->buttons & 1 ? 4 : 0) |
			      (m->buttons & 4 ? 2 : 0) | (m->buttons & 2 ? 1 : 0)));
	answer(AUX, m->scale1 == 3 && m->nbuttons != 0 ? (uint8_t)m->nbuttons : m->resolution);
	answer(AUX, m->rate);
}

static void mouse_command(mouse_t *m, uint8_t byte)
{
	uint_t scale1 = m->scale1;

	answer(AUX, byte >= 0xe6 && byte != 0xfb && byte != 0xfc ? ACK : RESEND);
	m->scale1 = byte == 0xe6 ? scale1 + 1 : 0;
	switch (byte) {
	case 0xe6:
		m->scale2 = false;
		break;
	case 0xe7:
		m->scale2 = true;
		break;
	case 0xe8: /* resolution */
	case 0xf3: /* sample rate */
		m->arg = byte;
		break;
	case 0xe9:
		m->scale1 = scale1;
		mouse_status(m);
		m->scale1 = 0;
		break;
	case 0xf2:
		answer(AUX, m->id);
		break;
	case 0xf4:
		m->enabled = true;
		break;
	case 0xf5:
		m->enabled = false;
		break;
	case 0xf6:
		mouse_defaults(m);
		break;
	case 0xff:
		mouse_reset(m);
		break;
	default: /* EA, stream mode: it has no other */
		break;
	}
}

static void mouse_receive(uint8_t byte)
{
	mouse_t *m = &ps2.mouse;

	m->log[m->nlog++ % sizeof(m->log)] = byte;
	if (m->deaf > 0 && --m->deaf == 0)
		m->deaf = -1;
	if (m->unplugged || m->deaf < 0 || (m->ignore != 0 && byte == m->ignore))
		return;
	wire_drop(AUX);
	if (m->arg != 0 && byte < 0xe6)
		mouse_argument(m, byte);
	else
		mouse_command(m, byte);
}

/* ---- the mouse: what is done with it ---- */

void ps2_mouse_bytes(const uint8_t *raw, size_t n)
{
	for (size_t i = 0; i < n; i++)
		wire_send(AUX, raw[i], machine_now());
}

static int clip(int v, int lo, int hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

int ps2_mouse_packet(uint_t buttons, int dx, int dy, int dz)
{
	mouse_t *m = &ps2.mouse;
	int x = clip(dx, -256, 255), y = clip(dy, -256, 255), z = clip(dz, -8, 7);
	uint8_t p[4];
	int len = m->id == 0 ? 3 : 4;

	m->buttons = buttons;
	if (m->unplugged || !m->enabled)
		return 0;
	p[0] = (uint8_t)((buttons & 7) | 8 | (x < 0 ? 0x10 : 0) | (y < 0 ? 0x20 : 0));
	p[1] = (uint8_t)x;
	p[2] = (uint8_t)y;
	p[3] = (uint8_t)z;
	if (m->id == 4)
		p[3] = (uint8_t)((z & 0xf) | (buttons & 8 ? 0x10 : 0) | (buttons & 16 ? 0x20 : 0));
	ps2_mouse_bytes(p, (size_t)len);
	return len;
}

int ps2_mouse_move(int dx, int dy, int dz)
{
	return ps2_mouse_packet(ps2.mouse.buttons, dx, dy, dz);
}

int ps2_mouse_buttons(uint_t mask)
{
	return ps2_mouse_packet(mask, 0, 0, 0);
}

void ps2_mouse_set_kind(enum ps2_mouse_kind kind)
{
	ps2.mouse.kind = kind;
}

void ps2_mouse_set_nbuttons(uint_t n)
{
	ps2.mouse.nbuttons = n;
}

void ps2_mouse_plug(bool in)
{
	ps2.mouse.unplugged = !in;
	wire_drop(AUX);
	if (in)
		mouse_reset(&ps2.mouse);
}

void ps2_mouse_deaf(long n)
{
	ps2.mouse.deaf = n;
}

void ps2_mouse_ignore(uint8_t cmd)
{
	ps2.mouse.ignore = cmd;
}

size_t ps2_mouse_commands(uint8_t *buf, size_t max)
{
	const mouse_t *m = &ps2.mouse;
	size_t n = MIN(MIN(max, m->nlog), sizeof(m->log));

	for (size_t i = 0; i < n; i++)
		buf[i] = m->log[(m->nlog - n + i) % sizeof(m->log)];
	return m->nlog;
}

bool ps2_mouse_enabled(void)
{
	return ps2.mouse.enabled;
}

/* ---- the controller ---- */

bool ps2_speaker(void)
{
	return (ps2.sysctl & 3) == 3;
}

static uint8_t read_data(void)
{
	uint8_t byte = ps2.data;

	ps2.status &= (uint8_t) ~(PS2_OUTBF | PS2_AUXBF);
	pump_later();
	return byte;
}

uint8_t ps2_inb(uint_t port)
{
	switch (port) {
	case PS2_DATA:
		return read_data();
	case PS2_SYSCTL:
		return ps2.sysctl;
	case PS2_STAT:
		return ps2.status;
	default:
		return 0xff;
	}
}

static void write_data(uint8_t byte)
{
	uint8_t cmd = ps2.cmd;

	ps2.cmd = 0;
	switch (cmd) {
	case PS2_CMD_WCB:
		ps2.cb = byte;
		pump_later();
		break;
	case PS2_CMD_WRAUX:
		mouse_receive(byte);
		break;
	default:
		kbd_receive(byte);
	}
}

static void write_command(uint8_t byte)
{
	switch (byte) {
	case PS2_CMD_RCB:
		output(KBD, ps2.cb);
		break;
	case PS2_CMD_WCB:
	case PS2_CMD_WRAUX:
		ps2.cmd = byte;
		break;
	default:
		break;
	}
}

void ps2_outb(uint_t port, uint8_t val)
{
	switch (port) {
	case PS2_DATA:
		write_data(val);
		break;
	case PS2_SYSCTL:
		ps2.sysctl = val & 3;
		break;
	case PS2_CMD:
		write_command(val);
		break;
	default:
		break;
	}
}

/* ---- power ---- */

static void ps2_init(void)
{
	memset(&ps2, 0, sizeof(ps2));
	ps2.wire[KBD].spacing = KBD_SPACING;
	ps2.wire[AUX].spacing = MOUSE_SPACING;
	ps2.wire[KBD].last = ps2.wire[AUX].last = -MOUSE_SPACING;
	ps2.kbdscan = true;
	mouse_defaults(&ps2.mouse);
}

static void ps2_fini(void)
{
	for (int i = 0; i < NWIRES; i++)
		if (ps2.wire[i].ring != NULL)
			kmem_free(ps2.wire[i].ring, ps2.wire[i].size * sizeof(struct due));
	(void)event_cancel(&ps2.pump);
	memset(&ps2, 0, sizeof(ps2));
}

KERNEL_INIT(0, ps2_init, ps2_fini);
