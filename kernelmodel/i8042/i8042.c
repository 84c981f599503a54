/*
 * i8042: the nexus between the controller's one data register and the drivers
 * of two devices.
 *
 * Either interrupt line may bring either device's byte: the status register
 * says whose it is.  It goes into the ring of that port, and the port's driver
 * is called to take it out by its virtual registers.  So each byte is one call
 * of one driver, from the interrupt thread.
 */
#include <string.h>
#include "i8042/i8042.h"
#include "machine/ps2.h"

#define BUFSIZE 64 /* of a ring, one place of which stays free */
#define NPORTS 2
/* The controller takes a byte at once; one that never does must not hold the kernel for ever. */
#define WRITE_TRIES 25000

struct i8042_port {
	int which;
	bool mapped;
	uint_t (*intr_func)(void *, void *);
	void *intr_arg;
	uint_t rptr, wptr;
	uint8_t buf[BUFSIZE];
};

static KLOCAL struct i8042 {
	i8042_port_t ports[NPORTS];
	i8042_stats_t stats;
} i8042;

/* ---- from the devices ---- */

/* Keep a byte; false when there is no room. */
ALWAYS_INLINE bool ring_put(i8042_port_t *port, uint8_t byte)
{
	uint_t next = (port->wptr + 1) % BUFSIZE;

	if (next == port->rptr)
		return false;
	port->buf[port->wptr] = byte;
	port->wptr = next;
	return true;
}

ALWAYS_INLINE uint8_t ring_get(i8042_port_t *port)
{
	uint8_t byte;

	if (port->rptr == port->wptr)
		return 0;
	byte = port->buf[port->rptr];
	port->rptr = (port->rptr + 1) % BUFSIZE;
	return byte;
}

static uint_t i8042_intr(void *arg)
{
	struct i8042 *global = arg;
	uint8_t stat = ps2_inb(PS2_STAT), byte;
	i8042_port_t *port = &global->ports[stat & PS2_AUXBF ? I8042_AUX : I8042_MAIN];

	if (!(stat & PS2_OUTBF)) {
		global->stats.unclaimed++;
		return (DDI_INTR_UNCLAIMED);
	}
	byte = ps2_inb(PS2_DATA);
	if (!port->mapped)
		return (DDI_INTR_CLAIMED);
	if (!ring_put(port, byte)) {
		global->stats.overruns++;
		return (DDI_INTR_CLAIMED);
	}
	if (port->intr_func != NULL)
		(void)port->intr_func(port->intr_arg, NULL);
	return (DDI_INTR_CLAIMED);
}

/* ---- to the devices ---- */

/* Wait until the controller has taken the last byte; false when it does not. */
static bool i8042_ready(void)
{
	for (int i = 0; i < WRITE_TRIES; i++)
		if (!(ps2_inb(PS2_STAT) & PS2_INBF))
			return (true);
	return (false);
}

static void i8042_write(uint_t reg, uint8_t val)
{
	if (i8042_ready())
		ps2_outb(reg, val);
}

/* ---- virtual registers ---- */

/* The byte that the controller holds for this port, past the ring; false when it holds none. */
static bool i8042_polled(const i8042_port_t *port, uint8_t *bytep)
{
	uint8_t stat = ps2_inb(PS2_STAT);

	if (!(stat & PS2_OUTBF) || (stat & PS2_AUXBF ? I8042_AUX : I8042_MAIN) != port->which)
		return (false);
	if (bytep != NULL)
		*bytep = ps2_inb(PS2_DATA);
	return (true);
}

uint8_t i8042_get8(i8042_port_t *port, uint_t reg)
{
	uint8_t byte = 0;

	switch (reg) {
	case I8042_INT_INPUT_AVAIL:
		return (port->rptr != port->wptr);
	case I8042_INT_INPUT_DATA:
		return (ring_get(port));
	case I8042_POLL_INPUT_AVAIL:
		return (port->rptr != port->wptr || i8042_polled(port, NULL));
	case I8042_POLL_INPUT_DATA:
		if (port->rptr != port->wptr)
			return (ring_get(port));
		(void)i8042_polled(port, &byte);
		return (byte);
	default:
		return (0);
	}
}

void i8042_put8(i8042_port_t *port, uint_t reg, uint8_t val)
{
	if (reg != I8042_INT_OUTPUT_DATA && reg != I8042_POLL_OUTPUT_DATA)
		return;
	if (port->which == I8042_AUX)
		i8042_write(PS2_CMD, PS2_CMD_WRAUX);
	i8042_write(PS2_DATA, val);
}

/* ---- ports ---- */

i8042_port_t *i8042_map(int port)
{
	i8042.ports[port].mapped = true;
	return (&i8042.ports[port]);
}

void i8042_unmap(i8042_port_t *port)
{
	port->mapped = false;
	port->rptr = port->wptr = 0;
}

void i8042_add_intr(i8042_port_t *port, uint_t (*handler)(void *, void *), void *arg)
{
	port->intr_func = handler;
	port->intr_arg = arg;
}

const i8042_stats_t *i8042_stats(void)
{
	return (&i8042.stats);
}

/* ---- attach ---- */

static void i8042_command_byte(uint8_t cb)
{
	i8042_write(PS2_CMD, PS2_CMD_WCB);
	i8042_write(PS2_DATA, cb);
}

/* All off while the interrupts are connected; then both ports and their interrupts on, scan codes translated. */
static void i8042_attach(void)
{
	memset(&i8042, 0, sizeof(i8042));
	i8042.ports[I8042_AUX].which = I8042_AUX;
	i8042_command_byte(PS2_CB_XLATE | PS2_CB_AUXOFF | PS2_CB_KBDOFF | PS2_CB_SYS);
	intr_connect(PS2_IRQ_KBD, i8042_intr, &i8042);
	intr_connect(PS2_IRQ_MOUSE, i8042_intr, &i8042);
	i8042_command_byte(PS2_CB_XLATE | PS2_CB_SYS | PS2_CB_AUXINT | PS2_CB_KBDINT);
}

KERNEL_INIT(2, i8042_attach, NULL);
