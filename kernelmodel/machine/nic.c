/* The 8139-class chip and its wire; the theory is in nic.h. */
#include <string.h>

#include "machine/nic.h"
#include "sys/errno.h"

#define RING_SLOTS 2048 /* a 64 KiB ring of smallest frames holds fewer */
#define RING_BYTES 65536
#define FCS_LEN 4
#define RX_HDR_LEN 4

typedef struct rxd {
	const uchar_t *rd_frame;
	uint32_t rd_have, rd_len;
	uint16_t rd_status, rd_flags;
} rxd_t;

typedef struct txd {
	uchar_t *td_buf;
	size_t td_len; /* > 0: the chip's */
} txd_t;

typedef struct listener {
	struct listener *ln_next;
	wire_tx_t ln_func;
	void *ln_arg;
} listener_t;

struct nic {
	int n_unit;
	uchar_t n_eeprom[6], n_addr[6];
	uint32_t n_mar[2];
	uint8_t n_cr;
	uint16_t n_imr, n_isr;
	uint32_t n_rcr, n_mpc;
	uint_t n_mtu, n_rxmax;
	uint64_t n_bps;
	/* receive ring */
	rxd_t n_rx[RING_SLOTS];
	uint_t n_rxhead, n_rxcount;
	size_t n_rxbytes;
	/* transmitter: descriptors are sent in order */
	txd_t n_tx[NIC_NTXD];
	int n_txnext;
	mevent_t n_txdone;
	listener_t *n_listeners;
	nic_stats_t n_stats;
};

static KLOCAL nic_t *nics[NIC_MAX];

/* ---- slots ---- */

static void nic_remove(nic_t *nic)
{
	listener_t *ln;

	(void)event_cancel(&nic->n_txdone);
	while ((ln = nic->n_listeners) != NULL) {
		nic->n_listeners = ln->ln_next;
		kmem_free(ln, sizeof(*ln));
	}
	for (int i = 0; i < NIC_NTXD; i++)
		if (nic->n_tx[i].td_buf != NULL)
			kmem_free(nic->n_tx[i].td_buf, NIC_MAXFRAME);
	nics[nic->n_unit] = NULL;
	kmem_free(nic, sizeof(*nic));
}

nic_t *nic_install(int unit)
{
	nic_t *nic = nics[unit];

	if (nic != NULL)
		return (nic);
	if ((nic = kmem_zalloc(sizeof(*nic), KM_NOSLEEP)) == NULL)
		return (NULL);
	nic->n_unit = unit;
	nics[unit] = nic;
	for (int i = 0; i < NIC_NTXD; i++) {
		if ((nic->n_tx[i].td_buf = kmem_alloc(NIC_MAXFRAME, KM_NOSLEEP)) == NULL) {
			nic_remove(nic);
			return (NULL);
		}
	}
	memcpy(nic->n_eeprom, (uchar_t[6]){0x00, 0x40, 0xf4, 0x00, 0x00, (uchar_t)(0x10 + unit)}, 6);
	memcpy(nic->n_addr, nic->n_eeprom, 6);
	nic->n_mtu = 1500;
	return (nic);
}

nic_t *nic_get(int unit)
{
	return (unit >= 0 && unit < NIC_MAX ? nics[unit] : NULL);
}

static void nic_init(void)
{
}

static void nic_fini(void)
{
	for (int i = 0; i < NIC_MAX; i++)
		if (nics[i] != NULL)
			nic_remove(nics[i]);
}
KERNEL_INIT(1, nic_init, nic_fini);

void nic_set_eeprom(nic_t *nic, const uchar_t mac[6])
{
	memcpy(nic->n_eeprom, mac, 6);
}

const uchar_t *nic_eeprom(const nic_t *nic)
{
	return (nic->n_eeprom);
}

void nic_set_mtu(nic_t *nic, uint_t mtu)
{
	nic->n_mtu = MIN(MAX(mtu, 1500U), 65535U);
}

uint_t nic_mtu(const nic_t *nic)
{
	return (nic->n_mtu);
}

void nic_set_rxmax(nic_t *nic, uint_t len)
{
	nic->n_rxmax = MIN(len, 65535U);
}

uint_t nic_rxmax(const nic_t *nic)
{
	return (MAX(nic->n_rxmax, nic->n_mtu));
}

void nic_set_speed(nic_t *nic, uint64_t bps)
{
	nic->n_bps = bps;
}

const nic_stats_t *nic_stats(const nic_t *nic)
{
	return (&nic->n_stats);
}

/* ---- interrupts and registers ---- */

int nic_line(const nic_t *nic)
{
	return (16 + nic->n_unit);
}

static void nic_interrupt(nic_t *nic, uint16_t why)
{
	nic->n_isr |= why;
	if (nic->n_isr & nic->n_imr)
		intr_raise(nic_line(nic));
}

static void nic_reset(nic_t *nic)
{
	nic->n_cr = 0;
	nic->n_imr = nic->n_isr = 0;
	nic->n_rcr = 0;
	nic->n_rxhead = nic->n_rxcount = 0;
	nic->n_rxbytes = 0;
	nic->n_txnext = 0;
	(void)event_cancel(&nic->n_txdone);
	for (int i = 0; i < NIC_NTXD; i++)
		nic->n_tx[i].td_len = 0;
	memcpy(nic->n_addr, nic->n_eeprom, 6);
}

uint32_t nic_read(nic_t *nic, int reg)
{
	switch (reg) {
	case NIC_CR:
		return (nic->n_cr | (nic->n_rxcount == 0 ? NIC_CR_BUFE : 0U));
	case NIC_IMR:
		return (nic->n_imr);
	case NIC_ISR:
		return (nic->n_isr);
	case NIC_RCR:
		return (nic->n_rcr);
	case NIC_MPC:
		return (nic->n_mpc);
	case NIC_MAR0:
	case NIC_MAR0 + 4:
		return (nic->n_mar[(reg - NIC_MAR0) / 4]);
	}
	if (reg >= NIC_IDR0 && reg < NIC_IDR0 + 6)
		return (nic->n_addr[reg - NIC_IDR0]);
	if (reg >= NIC_TSD0 && reg < NIC_TSD0 + 4 * NIC_NTXD)
		return (nic->n_tx[(reg - NIC_TSD0) / 4].td_len == 0 ? NIC_TSD_OWN : 0U);
	return (0);
}

void nic_write(nic_t *nic, int reg, uint32_t val)
{
	switch (reg) {
	case NIC_CR:
		if (val & NIC_CR_RST)
			nic_reset(nic);
		else
			nic->n_cr = (uint8_t)(val & (NIC_CR_TE | NIC_CR_RE));
		return;
	case NIC_IMR:
		nic->n_imr = (uint16_t)val;
		nic_interrupt(nic, 0);
		return;
	case NIC_ISR:
		nic->n_isr &= (uint16_t)~val;
		return;
	case NIC_RCR:
		nic->n_rcr = val;
		return;
	case NIC_MPC:
		nic->n_mpc = 0;
		return;
	case NIC_MAR0:
	case NIC_MAR0 + 4:
		nic->n_mar[(reg - NIC_MAR0) / 4] = val;
		return;
	}
	if (reg >= NIC_IDR0 && reg < NIC_IDR0 + 6)
		nic->n_addr[reg - NIC_IDR0] = (uchar_t)val;
	else if (reg >= NIC_TSD0 && reg < NIC_TSD0 + 4 * NIC_NTXD)
		nic_tx_start(nic, (reg - NIC_TSD0) / 4, val & NIC_TSD_SIZE);
}

/* ---- receiver ---- */

uint_t nic_mcast_hash(const uchar_t mac[6])
{
	uint32_t crc = 0xffffffffU;

	for (int i = 0; i < 6; i++)
		for (uint_t bit = 0, byte = mac[i]; bit < 8; bit++, byte >>= 1)
			crc = (crc << 1) ^ (((crc >> 31) ^ (byte & 1)) ? 0x04c11db7U : 0);
	return (crc >> 26);
}

/* Status bits when the address filter lets the frame in, else 0. */
static uint_t nic_filter(const nic_t *nic, const uchar_t *dst)
{
	static const uchar_t bcast[6] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
	uint_t hash;

	if (memcmp(dst, nic->n_addr, 6) == 0)
		return (nic->n_rcr & (NIC_RCR_APM | NIC_RCR_AAP) ? NIC_RX_ROK | NIC_RX_PAM : 0);
	if (memcmp(dst, bcast, 6) == 0)
		return (nic->n_rcr & (NIC_RCR_AB | NIC_RCR_AAP) ? NIC_RX_ROK | NIC_RX_BAR : 0);
	if (dst[0] & 1) {
		hash = nic_mcast_hash(dst);
		if ((nic->n_rcr & NIC_RCR_AAP) ||
		    ((nic->n_rcr & NIC_RCR_AM) && (nic->n_mar[hash >> 5] >> (hash & 31) & 1)))
			return (NIC_RX_ROK | NIC_RX_MAR);
		return (0);
	}
	return (nic->n_rcr & NIC_RCR_AAP ? NIC_RX_ROK : 0);
}

/* Bytes a frame takes in the ring: header, frame, FCS, up to the next 4-byte boundary. */
static size_t ring_space(size_t lenfcs)
{
	return ((RX_HDR_LEN + lenfcs + 3) & ~(size_t)3);
}

int wire_rx(nic_t *nic, const uchar_t *frame, size_t len, uint_t flags)
{
	size_t lenfcs = MAX(len, (size_t)NIC_MINFRAME) + FCS_LEN;
	uint_t status;
	rxd_t *rd;

	if ((nic->n_cr & NIC_CR_RE) == 0) {
		nic->n_stats.ns_missed++;
		return (WIRE_MISSED);
	}
	if (len < 14 || (status = nic_filter(nic, frame)) == 0) {
		nic->n_stats.ns_filtered++;
		return (WIRE_FILTERED);
	}
	if (nic->n_rxcount == RING_SLOTS || (nic->n_rxcount != 0 && nic->n_rxbytes + ring_space(lenfcs) > RING_BYTES)) {
		nic->n_stats.ns_missed++;
		nic->n_mpc++;
		nic_interrupt(nic, NIC_INT_RXOVW);
		return (WIRE_MISSED);
	}
	rd = &nic->n_rx[(nic->n_rxhead + nic->n_rxcount++) % RING_SLOTS];
	*rd = (rxd_t){frame, (uint32_t)len, (uint32_t)lenfcs, (uint16_t)status, (uint16_t)flags};
	nic->n_rxbytes += ring_space(lenfcs);
	nic->n_stats.ns_rx++;
	nic->n_stats.ns_rxbytes += len;
	nic_interrupt(nic, NIC_INT_ROK);
	return (WIRE_TAKEN);
}

const uchar_t *nic_rx_head(nic_t *nic, uint_t *status, size_t *lenfcs, size_t *have, uint_t *wireflags)
{
	const rxd_t *rd = &nic->n_rx[nic->n_rxhead];

	if (nic->n_rxcount == 0)
		return (NULL);
	*status = rd->rd_status;
	*lenfcs = rd->rd_len;
	*have = rd->rd_have;
	*wireflags = rd->rd_flags;
	return (rd->rd_frame);
}

void nic_rx_advance(nic_t *nic)
{
	if (nic->n_rxcount == 0)
		return;
	nic->n_rxbytes -= ring_space(nic->n_rx[nic->n_rxhead].rd_len);
	nic->n_rxhead = (nic->n_rxhead + 1) % RING_SLOTS;
	nic->n_rxcount--;
}

/* ---- transmitter ---- */

int wire_listen(nic_t *nic, wire_tx_t func, void *arg)
{
	listener_t *ln = kmem_alloc(sizeof(*ln), KM_NOSLEEP), **pp;

	if (ln == NULL)
		return (ENOMEM);
	*ln = (listener_t){NULL, func, arg};
	for (pp = &nic->n_listeners; *pp != NULL; pp = &(*pp)->ln_next)
		continue;
	*pp = ln;
	return (0);
}

void wire_unlisten(nic_t *nic, wire_tx_t func, void *arg)
{
	for (listener_t **pp = &nic->n_listeners, *ln; (ln = *pp) != NULL; pp = &ln->ln_next) {
		if (ln->ln_func == func && ln->ln_arg == arg) {
			*pp = ln->ln_next;
			kmem_free(ln, sizeof(*ln));
			return;
		}
	}
}

/* The frame of descriptor d has left. */
static void nic_tx_complete(nic_t *nic, int d)
{
	txd_t *td = &nic->n_tx[d];
	size_t len = td->td_len;

	nic->n_stats.ns_tx++;
	nic->n_stats.ns_txbytes += len;
	for (listener_t *ln = nic->n_listeners, *next; ln != NULL; ln = next) {
		next = ln->ln_next;
		ln->ln_func(ln->ln_arg, td->td_buf, len, machine_now());
	}
	td->td_len = 0;
	nic->n_txnext = (d + 1) % NIC_NTXD;
	nic_interrupt(nic, NIC_INT_TOK);
}

static void nic_tx_event(void *arg);

/* Start the next descriptor that is waiting for the transmitter. */
static void nic_tx_kick(nic_t *nic)
{
	const txd_t *td = &nic->n_tx[nic->n_txnext];

	if (td->td_len != 0 && nic->n_txdone.me_slot == 0)
		event_schedule(&nic->n_txdone,
			       machine_now() + (hrtime_t)((td->td_len + FCS_LEN) * 8 * 1000000000ULL / nic->n_bps),
			       nic_tx_event, nic);
}

static void nic_tx_event(void *arg)
{
	nic_t *nic = arg;

	nic_tx_complete(nic, nic->n_txnext);
	if (nic->n_bps != 0)
		nic_tx_kick(nic);
}

uchar_t *nic_tx_buf(nic_t *nic, int d)
{
	return (nic->n_tx[d].td_buf);
}

void nic_tx_start(nic_t *nic, int d, size_t len)
{
	txd_t *td = &nic->n_tx[d];

	if ((nic->n_cr & NIC_CR_TE) == 0 || td->td_len != 0 || len == 0 || len > NIC_MAXFRAME)
		return;
	td->td_len = len;
	if (nic->n_bps == 0)
		nic_tx_complete(nic, d);
	else
		nic_tx_kick(nic);
}
