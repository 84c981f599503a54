/*
 * i8042: the nexus driver of the PC's keyboard controller, for the drivers of
 * its two devices.
 */
#ifndef STRSIM_I8042_H
#define STRSIM_I8042_H

#include "sys/types.h"

#define I8042_MAIN 0 /* the keyboard */
#define I8042_AUX 1  /* the mouse */

/* A port as its driver sees it: virtual registers of 8 bits. */
typedef struct i8042_port i8042_port_t;
#define I8042_INT_INPUT_AVAIL 0x00  /* not zero: a byte waits */
#define I8042_INT_INPUT_DATA 0x01   /* take it; 0 when there is none */
#define I8042_INT_OUTPUT_DATA 0x03  /* to the device */
#define I8042_POLL_INPUT_AVAIL 0x10 /* the same past the interrupt: asks the controller itself */
#define I8042_POLL_INPUT_DATA 0x11
#define I8042_POLL_OUTPUT_DATA 0x13

#define DDI_INTR_UNCLAIMED 0
#define DDI_INTR_CLAIMED 1

/* Map a port: from now on its bytes are kept for the driver. */
i8042_port_t *i8042_map(int port);
void i8042_unmap(i8042_port_t *port);
/* handler(arg, NULL) is called at an interrupt that brought a byte for the port, one byte a call; NULL removes it. */
void i8042_add_intr(i8042_port_t *port, uint_t (*handler)(void *, void *), void *arg);
uint8_t i8042_get8(i8042_port_t *port, uint_t reg);
void i8042_put8(i8042_port_t *port, uint_t reg, uint8_t val);

typedef struct i8042_stats {
	uint64_t unclaimed; /* interrupts without a byte */
	uint64_t overruns;  /* bytes dropped because a ring was full */
} i8042_stats_t;
const i8042_stats_t *i8042_stats(void);

#endif
