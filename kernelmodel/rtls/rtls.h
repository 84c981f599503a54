/* The rtls driver (Realtek 8139 class), for whoever builds the machine. */
#ifndef STRSIM_RTLS_H
#define STRSIM_RTLS_H

#include "machine/nic.h"
#include "sys/gld.h"

/*
 * Put a chip into slot `unit' and attach the driver to it: interface
 * rtls<unit>.  Unit 0 is there from boot on.  NULL without memory or when the
 * slot is out of range.
 */
nic_t *rtls_attach(int unit);

#endif
