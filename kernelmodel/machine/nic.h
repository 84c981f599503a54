/*
 * Network interface chips and their wires: a controller of the Realtek 8139
 * class, as far as a driver sees it, and the cable behind it.
 *
 * Theory.  The receive ring holds frames by reference: whoever puts a frame on
 * the wire keeps the bytes valid until machine_run_ready() has returned; the
 * driver's copy from the ring into a message is the only one.  A frame that
 * passes the chip's address filter and fits into the ring raises the
 * interrupt.  There are four transmit descriptors; a frame leaves when its
 * bits have left (at once when the chip has no speed, the default), and is
 * shown to everybody who listens at the wire.
 *
 * The chip also does what the sheet of a later chip would call receive
 * checksum offload: a frame may carry the wire's word that its checksums
 * cannot be verified (WIRE_NOCKSUM_*).
 *
 * NOTRACE, like all of the machine.
 */
#ifndef STRSIM_NIC_H
#define STRSIM_NIC_H

#include "sys/types.h"
#include "machine/machine.h"

typedef struct nic nic_t;

/* ---- the wire ---- */

/* flags of wire_rx() */
#define WIRE_NOCKSUM_IP 0x1 /* do not verify the IPv4 header checksum */
#define WIRE_NOCKSUM_L4 0x2 /* do not verify the TCP, UDP or ICMP checksum */

/* results of wire_rx() */
#define WIRE_TAKEN 1
#define WIRE_MISSED 0      /* no room in the ring, or the receiver is off */
#define WIRE_FILTERED (-1) /* not for this station */

/*
 * A frame (from the destination address on, without FCS) arrives now.  Frames
 * under 60 bytes are taken as padded with zeros by their sender.
 */
int wire_rx(nic_t *nic, const uchar_t *frame, size_t len, uint_t flags);

/* Be told of every frame the chip sends: when its last bit left; the bytes are valid during the call. */
typedef void (*wire_tx_t)(void *arg, const uchar_t *frame, size_t len, hrtime_t when);
/* 0, or ENOMEM. */
int wire_listen(nic_t *nic, wire_tx_t func, void *arg);
void wire_unlisten(nic_t *nic, wire_tx_t func, void *arg);

/* ---- the chip, for whoever builds the machine ---- */

#define NIC_MAX 8
#define NIC_MAXFRAME (65535 + 14 + 4)
#define NIC_MINFRAME 60
#define NIC_NTXD 4

/* The chip in slot `unit' (0..NIC_MAX-1), put in when it is not there yet.  NULL without memory. */
nic_t *nic_install(int unit);
/* The chip in slot `unit', or NULL. */
nic_t *nic_get(int unit);
/* Station address in its EEPROM; takes effect when the driver starts the chip. */
void nic_set_eeprom(nic_t *nic, const uchar_t mac[6]);
const uchar_t *nic_eeprom(const nic_t *nic);
/* Largest payload it is wired for: 1500, or more for captures with large frames (at most 65535). */
void nic_set_mtu(nic_t *nic, uint_t mtu);
uint_t nic_mtu(const nic_t *nic);
/* Largest payload it receives, when that is more than the MTU: captures hold segments that a receiver merged. */
void nic_set_rxmax(nic_t *nic, uint_t len);
uint_t nic_rxmax(const nic_t *nic);
/* Bits a second of the transmitter; 0 = a frame takes no time. */
void nic_set_speed(nic_t *nic, uint64_t bps);
/* Frames and bytes that passed, frames missed and filtered (chip's own account). */
typedef struct nic_stats {
	uint64_t ns_rx, ns_rxbytes, ns_tx, ns_txbytes, ns_missed, ns_filtered;
} nic_stats_t;
const nic_stats_t *nic_stats(const nic_t *nic);

/* ---- the chip, as its driver sees it ---- */

/* Registers. */
#define NIC_IDR0 0x00
#define NIC_MAR0 0x08
#define NIC_TSD0 0x10
#define NIC_CR 0x37
#define NIC_IMR 0x3c
#define NIC_ISR 0x3e
#define NIC_RCR 0x44
#define NIC_MPC 0x4c

#define NIC_CR_BUFE 0x01
#define NIC_CR_TE 0x04
#define NIC_CR_RE 0x08
#define NIC_CR_RST 0x10
#define NIC_INT_ROK 0x0001
#define NIC_INT_RER 0x0002
#define NIC_INT_TOK 0x0004
#define NIC_INT_TER 0x0008
#define NIC_INT_RXOVW 0x0010
#define NIC_INT_LINKCHG 0x0020
#define NIC_INT_FOVW 0x0040
#define NIC_RCR_AAP 0x01 /* accept all */
#define NIC_RCR_APM 0x02 /* ... my address */
#define NIC_RCR_AM 0x04  /* ... multicast in the hash filter */
#define NIC_RCR_AB 0x08  /* ... broadcast */
#define NIC_TSD_SIZE 0x1fff
#define NIC_TSD_OWN 0x2000 /* the driver's again */
#define NIC_RX_ROK 0x0001
#define NIC_RX_BAR 0x2000
#define NIC_RX_PAM 0x4000
#define NIC_RX_MAR 0x8000

int nic_line(const nic_t *nic);
uint32_t nic_read(nic_t *nic, int reg);
void nic_write(nic_t *nic, int reg, uint32_t val);

/* The oldest received frame: status bits, length with the 4 bytes of FCS (not stored), the wire's flags.
 * `have' bytes of it are at the returned address, the rest is padding.  NULL when the ring is empty. */
const uchar_t *nic_rx_head(nic_t *nic, uint_t *status, size_t *lenfcs, size_t *have, uint_t *wireflags);
void nic_rx_advance(nic_t *nic);
/* Buffer of transmit descriptor d (NIC_MAXFRAME bytes); writing the length to TSDd starts it. */
uchar_t *nic_tx_buf(nic_t *nic, int d);
/* Length field of TSD is 13 bits on the chip; larger frames of nic_set_mtu() use this instead of NIC_TSD0 + 4 * d. */
void nic_tx_start(nic_t *nic, int d, size_t len);

/* Index of a multicast address in the 64-bit hash filter (the top 6 bits of its Ethernet CRC). */
uint_t nic_mcast_hash(const uchar_t mac[6]);

#endif
