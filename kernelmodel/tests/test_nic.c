/* The chip and its wire, from the wire's and from the driver's side. */
#include "tests/nettest.h"

STR_SUITE(nic);

static const uchar_t mcast_mac[6] = {0x01, 0x00, 0x5e, 0x00, 0x00, 0x01};

/* A chip that is on, with this filter. */
static nic_t *chip(uint32_t rcr)
{
	nic_t *nic = nic_install(3);

	cr_assert_not_null(nic);
	for (int i = 0; i < 6; i++)
		nic_write(nic, NIC_IDR0 + i, host_mac[i]);
	nic_write(nic, NIC_RCR, rcr);
	nic_write(nic, NIC_CR, NIC_CR_TE | NIC_CR_RE);
	return nic;
}

static int rx(nic_t *nic, const uchar_t *dst, size_t len)
{
	static uchar_t frame[64][2048];
	static int n;
	uchar_t *f = frame[n++ % 64];

	memset(f, 0, len);
	memcpy(f, dst, 6);
	return wire_rx(nic, f, len, 0);
}

/* Status of the oldest frame, which is taken out; 0 when there is none. */
static uint_t take(nic_t *nic, size_t *lenfcs)
{
	uint_t status, flags;
	size_t have;

	if (nic_rx_head(nic, &status, lenfcs, &have, &flags) == NULL)
		return 0;
	nic_rx_advance(nic);
	return status;
}

Test(nic, filter)
{
	nic_t *nic = chip(NIC_RCR_APM | NIC_RCR_AB | NIC_RCR_AM);
	size_t len;

	cr_assert_eq(rx(nic, host_mac, 60), WIRE_TAKEN);
	cr_assert_eq(take(nic, &len), NIC_RX_ROK | NIC_RX_PAM);
	cr_assert_eq(rx(nic, bcast_mac, 60), WIRE_TAKEN);
	cr_assert_eq(take(nic, &len), NIC_RX_ROK | NIC_RX_BAR);
	cr_assert_eq(rx(nic, peer_mac, 60), WIRE_FILTERED);
	cr_assert_eq(rx(nic, mcast_mac, 60), WIRE_FILTERED);
	uint_t h = nic_mcast_hash(mcast_mac);
	nic_write(nic, NIC_MAR0 + (h >= 32 ? 4 : 0), 1U << (h & 31));
	cr_assert_eq(rx(nic, mcast_mac, 60), WIRE_TAKEN);
	cr_assert_eq(take(nic, &len), NIC_RX_ROK | NIC_RX_MAR);
	nic_write(nic, NIC_RCR, NIC_RCR_AAP);
	cr_assert_eq(rx(nic, peer_mac, 60), WIRE_TAKEN);
	cr_assert_eq(take(nic, &len), NIC_RX_ROK);
	cr_assert_eq(nic_stats(nic)->ns_filtered, 2);
	cr_assert_eq(take(nic, &len), 0);
}

/* A 6-bit number that depends on every byte. */
Test(nic, hash)
{
	uchar_t m[6];
	int differ = 0;

	cr_assert_lt(nic_mcast_hash(mcast_mac), 64);
	for (int i = 0; i < 48; i++) {
		memcpy(m, mcast_mac, 6);
		m[i / 8] ^= (uchar_t)(1 << i % 8);
		differ += nic_mcast_hash(m) != nic_mcast_hash(mcast_mac);
	}
	cr_assert_geq(differ, 40);
	/* By a table-driven CRC-32 (zlib), register bit-reversed. */
	cr_assert_eq(nic_mcast_hash(bcast_mac), 0x3f);
	cr_assert_eq(nic_mcast_hash(mcast_mac), 0x1f);
}

Test(nic, lengths)
{
	nic_t *nic = chip(NIC_RCR_APM);
	size_t len;

	cr_assert_eq(rx(nic, host_mac, 42), WIRE_TAKEN);
	cr_assert_eq(take(nic, &len), NIC_RX_ROK | NIC_RX_PAM);
	cr_assert_eq(len, 64, "a short frame is padded to 60, and has 4 bytes of FCS");
	cr_assert_eq(rx(nic, host_mac, 1514), WIRE_TAKEN);
	take(nic, &len);
	cr_assert_eq(len, 1518);
	cr_assert_eq(rx(nic, host_mac, 13), WIRE_FILTERED);
}

Test(nic, ring_full)
{
	nic_t *nic = chip(NIC_RCR_APM);
	int taken = 0;
	size_t len;

	/* 4 + 1518 rounded up to 4 is 1524: 43 frames are 65532 bytes. */
	while (rx(nic, host_mac, 1514) == WIRE_TAKEN)
		taken++;
	cr_assert_eq(taken, 43);
	cr_assert_eq(nic_stats(nic)->ns_missed, 1);
	cr_assert_eq(nic_read(nic, NIC_MPC), 1);
	cr_assert(nic_read(nic, NIC_ISR) & NIC_INT_RXOVW);
	take(nic, &len);
	cr_assert_eq(rx(nic, host_mac, 1514), WIRE_TAKEN);
	while (take(nic, &len) != 0)
		continue;
	cr_assert(nic_read(nic, NIC_CR) & NIC_CR_BUFE);
}

Test(nic, off)
{
	nic_t *nic = chip(NIC_RCR_APM);

	nic_write(nic, NIC_CR, 0);
	cr_assert_eq(rx(nic, host_mac, 60), WIRE_MISSED);
	nic_write(nic, NIC_CR, NIC_CR_RST);
	cr_assert_eq(nic_read(nic, NIC_IDR0 + 5), 0x13, "a reset loads the address from the EEPROM");
}

static int interrupts;

static uint_t on_intr(void *arg)
{
	nic_t *nic = arg;
	uint32_t isr = nic_read(nic, NIC_ISR);

	interrupts++;
	nic_write(nic, NIC_ISR, isr);
	return isr != 0;
}

Test(nic, interrupt)
{
	nic_t *nic = chip(NIC_RCR_APM);

	interrupts = 0;
	intr_connect(nic_line(nic), on_intr, nic);
	rx(nic, host_mac, 60);
	machine_run_ready();
	cr_assert_eq(interrupts, 0, "masked");
	nic_write(nic, NIC_IMR, NIC_INT_ROK);
	machine_run_ready();
	cr_assert_eq(interrupts, 1, "it was pending");
	rx(nic, host_mac, 60);
	rx(nic, host_mac, 60);
	machine_run_ready();
	cr_assert_eq(interrupts, 2, "one for both");
}

static hrtime_t tx_when[16];
static size_t tx_len[16];
static int tx_n;

static void on_tx(void *arg, const uchar_t *frame, size_t len, hrtime_t when)
{
	cr_assert_eq(arg, (void *)&tx_n);
	cr_assert_eq(frame[0], 'a' + tx_n);
	tx_when[tx_n] = when;
	tx_len[tx_n++] = len;
}

/* At 100 Mbit/s a frame of 125 bytes with its FCS takes 10 us; they leave one after the other. */
Test(nic, transmit)
{
	nic_t *nic = chip(NIC_RCR_APM);

	tx_n = 0;
	cr_assert_eq(wire_listen(nic, on_tx, &tx_n), 0);
	memset(nic_tx_buf(nic, 0), 'a', 121);
	nic_write(nic, NIC_TSD0, 121);
	cr_assert_eq(tx_n, 1, "no speed: no time");
	cr_assert_eq(nic_read(nic, NIC_TSD0), NIC_TSD_OWN);
	nic_set_speed(nic, 100000000);
	for (int d = 1; d < 4; d++) {
		memset(nic_tx_buf(nic, d), 'a' + d, 121);
		nic_write(nic, NIC_TSD0 + 4 * d, 121);
	}
	cr_assert_eq(tx_n, 1);
	cr_assert_eq(nic_read(nic, NIC_TSD0 + 4), 0, "the chip's");
	machine_run_idle(1000000000);
	cr_assert_eq(tx_n, 4);
	cr_assert_eq(tx_when[1], 10000);
	cr_assert_eq(tx_when[2], 20000);
	cr_assert_eq(tx_when[3], 30000);
	cr_assert_eq(tx_len[3], 121);
	cr_assert_eq(nic_stats(nic)->ns_tx, 4);
	cr_assert_eq(nic_stats(nic)->ns_txbytes, 484);
	wire_unlisten(nic, on_tx, &tx_n);
	memset(nic_tx_buf(nic, 0), 'e', 121);
	nic_write(nic, NIC_TSD0, 121);
	machine_run_idle(1000000000);
	cr_assert_eq(tx_n, 4, "nobody listens");
}

Test(nic, slots)
{
	cr_assert_null(nic_get(5));
	cr_assert_null(nic_get(-1));
	cr_assert_null(nic_get(NIC_MAX));
	cr_assert_eq(nic_install(5), nic_get(5));
	cr_assert_eq(nic_install(5), nic_get(5), "the same one again");
	cr_assert_null(rtls_attach(NIC_MAX));
	kmem_fail_nth(3);
	cr_assert_null(nic_install(6));
	kmem_fail_nth(0);
	nic_set_mtu(nic_get(5), 9000);
	cr_assert_eq(nic_mtu(nic_get(5)), 9000);
	nic_set_mtu(nic_get(5), 100000);
	cr_assert_eq(nic_mtu(nic_get(5)), 65535);
}
