/* Taking captures apart: frames, fragments, sequence space, connections, processes. */
#include <criterion/criterion.h>

#include <arpa/inet.h>
#include <pcap/dlt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "replay/census.h"
#include "replay/flow.h"
#include "replay/frag.h"
#include "replay/proctab.h"

/* ---- frames by hand ---- */

/* 10.0.0.1 to 10.0.0.2, protocol p, total length as given; checksum filled in. */
static void ip_header(uint8_t *ip, uint8_t p, uint16_t total, uint16_t fragfield)
{
	uint32_t s = 0;

	memset(ip, 0, 20);
	ip[0] = 0x45;
	ip[2] = (uint8_t)(total >> 8);
	ip[3] = (uint8_t)total;
	ip[4] = 0x12;
	ip[5] = 0x34;
	ip[6] = (uint8_t)(fragfield >> 8);
	ip[7] = (uint8_t)fragfield;
	ip[8] = 64;
	ip[9] = p;
	memcpy(ip + 12, "\x0a\0\0\1\x0a\0\0\2", 8);
	for (int i = 0; i < 20; i += 2)
		s += (uint32_t)ip[i] << 8 | ip[i + 1];
	s = (s & 0xffff) + (s >> 16);
	ip[10] = (uint8_t)(~s >> 8);
	ip[11] = (uint8_t)~s;
}

static void tcp_header(uint8_t *t, uint32_t seq, uint8_t flags)
{
	memset(t, 0, 20);
	t[0] = 0x04; /* port 1025 */
	t[1] = 0x01;
	t[3] = 80;
	t[4] = (uint8_t)(seq >> 24);
	t[5] = (uint8_t)(seq >> 16);
	t[6] = (uint8_t)(seq >> 8);
	t[7] = (uint8_t)seq;
	t[12] = 0x50;
	t[13] = flags;
}

static size_t ether(uint8_t *f, uint16_t type)
{
	memcpy(f, "\2\0\0\0\0\2\2\0\0\0\0\1", 12);
	f[12] = (uint8_t)(type >> 8);
	f[13] = (uint8_t)type;
	return 14;
}

static rframe_t decode(const uint8_t *data, uint32_t cap, uint32_t len, int dlt)
{
	rframe_t f;

	memset(&f, 0, sizeof(f));
	f.rf_num = 1;
	f.rf_data = data;
	f.rf_caplen = cap;
	f.rf_len = len;
	f.rf_linktype = dlt;
	rf_decode(&f);
	return f;
}

/* An Ethernet frame with a TCP segment of n payload bytes, padded to 60. */
static uint32_t tcp_frame(uint8_t *b, uint32_t n)
{
	size_t o = ether(b, 0x0800);

	ip_header(b + o, 6, (uint16_t)(40 + n), 0);
	tcp_header(b + o + 20, 1000, RF_ACK | RF_PSH);
	memset(b + o + 40, 'x', n);
	return (uint32_t)(o + 40 + n < 60 ? 60 : o + 40 + n);
}

Test(frame, padding_is_no_payload)
{
	uint8_t b[200] = {0};
	uint32_t len = tcp_frame(b, 3);
	rframe_t f = decode(b, len, len, DLT_EN10MB);

	cr_assert_eq(len, 60);
	cr_assert_eq(f.rf_bad, RF_OK);
	cr_assert(f.rf_tcp);
	cr_assert_eq(f.rf_paylen, 3);
	cr_assert_eq(f.rf_iplen, 43);
	cr_assert_eq(f.rf_sport, 1025);
	cr_assert_eq(f.rf_dport, 80);
	cr_assert_eq(f.rf_seq, 1000);
	cr_assert_eq(rf_ipsum(&f), 1);
}

Test(frame, cut_payload_counts_by_the_headers_and_comes_back_as_zeros)
{
	uint8_t b[200] = {0}, out[RF_MAXFRAME];
	uint32_t len = tcp_frame(b, 100);
	rframe_t f = decode(b, 14 + 40 + 10, len, DLT_EN10MB);

	cr_assert_eq(f.rf_bad, RF_OK);
	cr_assert(f.rf_cut);
	cr_assert_eq(f.rf_paylen, 100);
	cr_assert_eq(f.rf_paycap, 10);
	cr_assert_eq(rf_l4sum(&f), -1);
	cr_assert_eq(rf_rebuild(&f, 0, out), len);
	cr_assert_eq(out[54 + 9], 'x');
	cr_assert_eq(out[54 + 10], 0);
}

Test(frame, cuts_inside_headers_have_their_names)
{
	uint8_t b[200] = {0};
	uint32_t len = tcp_frame(b, 100);

	cr_assert_eq(decode(b, 13, len, DLT_EN10MB).rf_bad, RF_CUT_LINK);
	cr_assert_eq(decode(b, 14 + 19, len, DLT_EN10MB).rf_bad, RF_CUT_IP);
	cr_assert_eq(decode(b, 14 + 39, len, DLT_EN10MB).rf_bad, RF_CUT_L4);
	cr_assert_eq(decode(b, 14 + 40, len, DLT_EN10MB).rf_bad, RF_OK);
}

Test(frame, lengths_that_cannot_be)
{
	uint8_t b[200] = {0};
	uint32_t len = tcp_frame(b, 20);
	rframe_t f;

	b[14 + 3] = 61; /* beyond the frame: 60 are there */
	cr_assert_eq(decode(b, len, len, DLT_EN10MB).rf_bad, RF_BAD_LENGTH);
	b[14 + 3] = 19;
	cr_assert_eq(decode(b, len, len, DLT_EN10MB).rf_bad, RF_BAD_LENGTH);
	b[14 + 3] = 0; /* offload: to the end of the frame */
	f = decode(b, len, len, DLT_EN10MB);
	cr_assert_eq(f.rf_bad, RF_OK);
	cr_assert_eq(f.rf_paylen, 20);
	b[14 + 3] = 60;
	b[14] = 0x44;
	cr_assert_eq(decode(b, len, len, DLT_EN10MB).rf_bad, RF_BAD_IHL);
	b[14] = 0x65;
	cr_assert_eq(decode(b, len, len, DLT_EN10MB).rf_bad, RF_BAD_VERSION);
	b[14] = 0x45;
	b[14 + 20 + 12] = 0x40; /* TCP header of 16 bytes */
	cr_assert_eq(decode(b, len, len, DLT_EN10MB).rf_bad, RF_BAD_L4);
}

Test(frame, vlan_tags_are_taken_off)
{
	uint8_t b[200] = {0}, out[RF_MAXFRAME];
	rframe_t f;

	ether(b, 0x88a8);
	memcpy(b + 14, "\x20\x05\x81\x00\x00\x07\x08\x00", 8); /* 5 (priority bits set), then 7 */
	ip_header(b + 22, 6, 40, 0);
	tcp_header(b + 42, 9, RF_SYN);
	f = decode(b, 62, 62, DLT_EN10MB);
	cr_assert_eq(f.rf_ntags, 2);
	cr_assert_eq(f.rf_tags[0], 5);
	cr_assert_eq(f.rf_tags[1], 7);
	cr_assert(f.rf_tcp);
	cr_assert_eq(rf_rebuild(&f, 7, out), 18 + 40);
	cr_assert_arr_eq(out + 12, "\x81\x00\x00\x07\x08\x00", 6);
}

Test(frame, link_types_without_addresses)
{
	uint8_t b[200] = {0};
	rframe_t f;

	ip_header(b + 4, 6, 40, 0);
	tcp_header(b + 24, 1, RF_SYN);
	f = decode(b + 4, 40, 40, DLT_RAW);
	cr_assert(f.rf_tcp);
	cr_assert_not(f.rf_hasmac);
	cr_assert_arr_eq(f.rf_src, "\2\0\x0a\0\0\1", 6);
	cr_assert_arr_eq(f.rf_dst, "\2\0\x0a\0\0\2", 6);
	f = decode(b, 44, 44, DLT_NULL);
	cr_assert(f.rf_tcp);
	b[4] = 0x60;
	cr_assert_eq(decode(b, 44, 44, DLT_LOOP).rf_type, 0x86dd);
}

Test(frame, options_of_a_syn)
{
	uint8_t b[200] = {0};
	rsynopt_t o;
	rframe_t f;

	ether(b, 0x0800);
	ip_header(b + 14, 6, 60, 0);
	tcp_header(b + 34, 1, RF_SYN);
	b[34 + 12] = 0xa0;
	memcpy(b + 54, "\2\4\5\xb4\4\2\x8\xa\0\0\0\7\0\0\0\0\1\3\3\7", 20);
	f = decode(b, 74, 74, DLT_EN10MB);
	rf_synopt(&f, &o);
	cr_assert_eq(o.so_mss, 1460);
	cr_assert(o.so_sack);
	cr_assert(o.so_ts);
	cr_assert_eq(o.so_tsval, 7);
	cr_assert_eq(o.so_ws, 7);
	b[54 + 1] = 0; /* a broken option ends the walk */
	rf_synopt(&f, &o);
	cr_assert_eq(o.so_mss, 0);
	cr_assert_eq(o.so_ws, -1);
}

/* ---- fragments ---- */

static rframe_t fragment(uint8_t *b, uint32_t off, uint32_t n, bool more)
{
	size_t o = ether(b, 0x0800);

	ip_header(b + o, 17, (uint16_t)(20 + n), (uint16_t)(off / 8 | (more ? 0x2000 : 0)));
	for (uint32_t i = 0; i < n; i++)
		b[o + 20 + i] = (uint8_t)(off + i);
	if (off == 0)
		memcpy(b + o + 20, "\0\7\0\x9\0\x28\0\0", 8); /* ports 7 to 9, length 40 */
	return decode(b, (uint32_t)(o + 20 + n), (uint32_t)(o + 20 + n), DLT_EN10MB);
}

Test(frag, any_order_makes_the_datagram)
{
	uint8_t b[3][100];
	fragtab_t *t = fragtab_create();
	rframe_t last = fragment(b[0], 32, 8, false), mid = fragment(b[1], 16, 16, true),
		 first = fragment(b[2], 0, 16, true);

	cr_assert(rf_isfrag(&last));
	cr_assert_not(fragtab_add(t, &last));
	cr_assert_not(fragtab_add(t, &mid));
	cr_assert(fragtab_add(t, &first));
	cr_assert(first.rf_udp);
	cr_assert_eq(first.rf_paylen, 32);
	for (uint32_t i = 0; i < 32; i++)
		cr_assert_eq(first.rf_pay[i], 8 + i);
	fragtab_destroy(t);
}

Test(frag, a_piece_too_few_is_no_datagram_and_time_ends_it)
{
	uint8_t b[2][100];
	fragtab_t *t = fragtab_create();
	rframe_t first = fragment(b[0], 0, 16, true), last = fragment(b[1], 16, 24, false);

	cr_assert_not(fragtab_add(t, &first));
	last.rf_time = 31000000000LL;
	cr_assert_not(fragtab_add(t, &last));
	fragtab_destroy(t);
}

/* ---- sequence space ---- */

Test(cover, agrees_with_a_bitmap)
{
	enum { N = 400 };
	bool have[N];
	uint32_t base = 0xffffff00U; /* wraps in the middle */
	cover_t c;

	srand(7);
	for (int round = 0; round < 50; round++) {
		memset(have, 0, sizeof(have));
		cover_init(&c, base);
		for (int i = 0; i < 60; i++) {
			uint32_t lo = (uint32_t)rand() % N, hi = lo + (uint32_t)rand() % 40, fresh = 0;

			hi = hi > N ? N : hi;
			for (uint32_t k = lo; k < hi; k++) {
				fresh += !have[k];
				have[k] = true;
			}
			cr_assert_eq(cover_add(&c, base + lo, base + hi), fresh);
		}
		for (uint32_t lo = 0; lo < N; lo += 7) {
			uint32_t hi = lo + 13 > N ? N : lo + 13, k = lo;
			bool all = true;

			for (uint32_t j = lo; j < hi; j++)
				all = all && have[j];
			cr_assert_eq(cover_has(&c, base + lo, base + hi), all);
			while (k < hi && !have[k])
				k++;
			cr_assert_eq(cover_from(&c, base + lo, base + hi), base + k);
		}
		cover_free(&c);
	}
}

Test(cover, skipping_joins_islands)
{
	cover_t c;

	cover_init(&c, 100);
	cover_add(&c, 150, 160);
	cover_add(&c, 170, 180);
	cover_skip(&c, 150);
	cr_assert_eq(c.c_next, 160);
	cover_skip(&c, 175);
	cr_assert_eq(c.c_next, 180);
	cr_assert_null(c.c_islands);
}

/* ---- connections ---- */

static int ended;

static void count_end(void *arg, flow_t *f)
{
	(void)arg;
	(void)f;
	ended++;
}

static flow_t *step(flowtab_t *t, int side, uint64_t num, int64_t time, uint32_t seq, uint8_t flags, bool *isnew)
{
	static const fkey_t key = {1, 2, 3, 4, 0};
	rframe_t f;

	memset(&f, 0, sizeof(f));
	f.rf_num = num;
	f.rf_time = time;
	f.rf_seq = seq;
	f.rf_flags = flags;
	return flow_step(t, &key, side, &f, isnew);
}

Test(flow, what_begins_a_connection)
{
	flowtab_t t;
	flow_t *f;
	bool isnew;

	ended = 0;
	flowtab_init(&t, sizeof(flow_t), count_end, NULL);
	cr_assert_null(step(&t, SIDE_PEER, 1, 0, 5, RF_RST, &isnew), "a reset begins nothing");
	f = step(&t, SIDE_PEER, 2, 0, 5, RF_SYN, &isnew);
	cr_assert(isnew);
	cr_assert_eq(f->f_first, 2);
	cr_assert_eq(step(&t, SIDE_PEER, 3, 1, 5, RF_SYN, &isnew), f, "the same SYN again");
	cr_assert_eq(step(&t, SIDE_HOST, 4, 2, 50, RF_SYN | RF_ACK, &isnew), f);
	cr_assert_not(isnew);
	f = step(&t, SIDE_PEER, 5, 3, 99, RF_SYN, &isnew);
	cr_assert(isnew, "another initial sequence number");
	cr_assert_eq(f->f_first, 5);
	cr_assert_eq(ended, 1);
	flowtab_fini(&t);
	cr_assert_eq(ended, 2);
}

Test(flow, simultaneous_open_is_one_connection)
{
	flowtab_t t;
	bool isnew;
	flow_t *f;

	flowtab_init(&t, sizeof(flow_t), count_end, NULL);
	f = step(&t, SIDE_PEER, 1, 0, 5, RF_SYN, &isnew);
	cr_assert_eq(step(&t, SIDE_HOST, 2, 0, 6, RF_SYN, &isnew), f);
	cr_assert_not(isnew);
	flowtab_fini(&t);
}

Test(flow, a_closed_one_is_remembered_for_a_minute)
{
	flowtab_t t;
	bool isnew;
	flow_t *f;

	flowtab_init(&t, sizeof(flow_t), count_end, NULL);
	f = step(&t, SIDE_PEER, 1, 0, 5, RF_SYN, &isnew);
	step(&t, SIDE_PEER, 2, 0, 6, RF_FIN | RF_ACK, &isnew);
	step(&t, SIDE_HOST, 3, 0, 6, RF_FIN | RF_ACK, &isnew);
	cr_assert_eq(step(&t, SIDE_PEER, 4, 60000000000LL, 7, RF_ACK, &isnew), f);
	cr_assert_not(isnew);
	step(&t, SIDE_PEER, 5, 60000000000LL + 60000000001LL, 7, RF_ACK, &isnew);
	cr_assert(isnew);
	flowtab_fini(&t);
}

/* ---- census ---- */

Test(census, most_packets_and_first_seen_wins)
{
	census_t *c = census_create();
	uint64_t share, all, second;
	uint32_t other;
	uint8_t b[200] = {0};
	uint32_t len = tcp_frame(b, 1);
	rframe_t f = decode(b, len, len, DLT_EN10MB);

	cr_assert_eq(census_host(c, &share, &all, &other, &second), 0);
	census_frame(c, &f);
	cr_assert_eq(census_host(c, &share, &all, &other, &second), f.rf_ipsrc);
	f.rf_ipsrc = htonl(0x0a000003);
	census_frame(c, &f);
	cr_assert_eq(census_host(c, &share, &all, &other, &second), f.rf_ipdst);
	cr_assert_eq(share, 2);
	cr_assert_eq(all, 2);
	cr_assert_eq(second, 1);
	census_destroy(c);
}

Test(census, offload_is_nine_of_ten)
{
	census_t *c = census_create();
	uint8_t b[200] = {0};
	uint32_t len = tcp_frame(b, 30);
	rframe_t f;

	f = decode(b, len, len, DLT_EN10MB); /* TCP checksum 0: wrong */
	for (int i = 0; i < 9; i++)
		census_frame(c, &f);
	cr_assert(census_offloaded(c, f.rf_ipsrc, SUM_TCP));
	cr_assert_not(census_offloaded(c, f.rf_ipsrc, SUM_IP));
	for (uint32_t s = 0; s < 65536 && rf_l4sum(&f) != 1; s++) {
		b[14 + 36] = (uint8_t)(s >> 8);
		b[14 + 37] = (uint8_t)s;
	}
	census_frame(c, &f);
	cr_assert(census_offloaded(c, f.rf_ipsrc, SUM_TCP), "9 of 10");
	census_frame(c, &f);
	cr_assert_not(census_offloaded(c, f.rf_ipsrc, SUM_TCP), "9 of 11");
	census_destroy(c);
}

/* ---- processes ---- */

static char *temp_file(const char *text)
{
	static char name[] = "/tmp/strsim-proctab-XXXXXX";
	int fd;

	strcpy(name, "/tmp/strsim-proctab-XXXXXX");
	fd = mkstemp(name);
	cr_assert(fd >= 0);
	cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	return name;
}

Test(proctab, names)
{
	proc_want_t sshd = {"tcp", 22, 40000, true, 0}, ssh = {"tcp", 40000, 22, false, htonl(0x0a000002)},
		    other = {"tcp", 40000, 7777, false, htonl(0x0a000002)};
	char args[80], err[200];
	proctab_t *t = proctab_create(NULL, err, sizeof(err));

	cr_assert_eq(proctab_name(t, &sshd, args, sizeof(args)), 0);
	cr_assert_str_eq(args, "/usr/lib/ssh/sshd");
	proctab_name(t, &ssh, args, sizeof(args));
	cr_assert_str_eq(args, "ssh 10.0.0.2");
	proctab_name(t, &other, args, sizeof(args));
	cr_assert_str_eq(args, "tcp-client 10.0.0.2:7777");
	proctab_destroy(t);
}

Test(proctab, first_row_wins)
{
	proc_want_t want = {"tcp", 40000, 22, false, 0};
	char args[80], err[200];
	char *name = temp_file("# who is who\nudp * * 5 no\ntcp * 22 314 ssh -l me\n* * * * rest  of it\n");
	proctab_t *t = proctab_create(name, err, sizeof(err));

	cr_assert_not_null(t);
	cr_assert_eq(proctab_name(t, &want, args, sizeof(args)), 314);
	cr_assert_str_eq(args, "ssh -l me");
	want.pw_rport = 23;
	cr_assert_eq(proctab_name(t, &want, args, sizeof(args)), 0);
	cr_assert_str_eq(args, "rest  of it");
	proctab_destroy(t);
	unlink(name);
}

Test(proctab, wrong_rows_say_where)
{
	static const char *const rows[][2] = {
	    {"tcp 1 2 3\n", "expected the arguments of the process after its pid"},
	    {"\ntcp 1 2\n", "expected: proto local-port remote-port pid psargs"},
	    {"sctp 1 2 3 x\n", "protocol must be tcp, udp, icmp or *"},
	    {"tcp 65536 2 3 x\n", "local port must be 0 to 65535 or *"},
	    {"tcp 1 -2 3 x\n", "remote port must be 0 to 65535 or *"},
	    {"tcp 1 2 0 x\n", "pid must be a positive number or *"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *name = temp_file(rows[i][0]), err[300], want[300];

		snprintf(want, sizeof(want), "%s:%d: %s", name, rows[i][0][0] == '\n' ? 2 : 1, rows[i][1]);
		cr_assert_null(proctab_create(name, err, sizeof(err)));
		cr_assert_str_eq(err, want);
		unlink(name);
	}
}
