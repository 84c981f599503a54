/* Where frames come from: the reader of plain captures against libpcap alone, the scout's marks, and the replay's tables. */
#include <criterion/criterion.h>

#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "replay/index.h"
#include "replay/pool.h"
#include "replay/ptab.h"
#include "replay/source.h"

/* ---- capture files by hand ---- */

typedef struct file {
	char name[32];
	FILE *fp;
	bool big;
} file_t;

static void put(file_t *f, uint32_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		fputc((int)(v >> (f->big ? 8 * (bytes - 1 - i) : 8 * i) & 0xff), f->fp);
}

static void begin(file_t *f, bool big, uint32_t magic, uint32_t snaplen)
{
	int fd;

	strcpy(f->name, "/tmp/test_source.XXXXXX");
	fd = mkstemp(f->name);
	cr_assert_geq(fd, 0);
	f->fp = fdopen(fd, "w");
	f->big = big;
	put(f, magic, 4);
	put(f, 2, 2);
	put(f, 4, 2);
	put(f, 0, 4);
	put(f, 0, 4);
	put(f, snaplen, 4);
	put(f, DLT_EN10MB, 4);
}

static void record(file_t *f, uint32_t sec, uint32_t frac, uint32_t caplen, uint32_t len, uint32_t there)
{
	put(f, sec, 4);
	put(f, frac, 4);
	put(f, caplen, 4);
	put(f, len, 4);
	for (uint32_t i = 0; i < there; i++)
		fputc((int)((i * 7 + caplen) & 0xff), f->fp);
}

/* Both readers of the source see what libpcap sees; returns the number of packets. */
static int compare(file_t *f)
{
	const char *files[] = {f->name};
	char err[PCAP_ERRBUF_SIZE + 256];
	struct pcap_pkthdr *h;
	const u_char *data;
	int n = 0, want;

	fclose(f->fp);
	for (int reader = READ_AHEAD; reader <= READ_PLAY; reader++) {
		pcap_t *p = pcap_open_offline_with_tstamp_precision(f->name, PCAP_TSTAMP_PRECISION_NANO, err);
		source_t *s = source_open(files, 1, err, sizeof(err));
		int64_t first = 0, last = 0;
		rframe_t rf;

		cr_assert_not_null(p);
		cr_assert_not_null(s);
		for (n = 0; (want = pcap_next_ex(p, &h, &data)) == 1; n++) {
			int64_t t = (int64_t)h->ts.tv_sec * 1000000000 + h->ts.tv_usec;

			first = n == 0 ? t : first;
			last = t - first > last ? t - first : last;
			cr_assert_eq(source_next(s, reader, &rf), 1);
			cr_assert_eq(rf.rf_num, (uint64_t)n + 1);
			cr_assert_eq(rf.rf_time, last);
			cr_assert_eq(rf.rf_caplen, h->caplen);
			cr_assert_eq(rf.rf_len, h->len < h->caplen ? h->caplen : h->len);
			cr_assert_eq(memcmp(rf.rf_data, data, h->caplen), 0);
		}
		if (want == PCAP_ERROR) {
			cr_assert_eq(source_next(s, reader, &rf), -1);
			cr_assert_not_null(strstr(source_error(s), pcap_geterr(p)));
		}
		cr_assert_eq(source_next(s, reader, &rf), 0);
		source_close(s);
		pcap_close(p);
	}
	unlink(f->name);
	return n;
}

Test(source, every_kind_of_plain_file)
{
	static const uint32_t magics[] = {0xa1b2c3d4, 0xa1b23c4d};

	for (int big = 0; big < 2; big++) {
		for (int m = 0; m < 2; m++) {
			file_t f;

			begin(&f, big, magics[m], 65535);
			for (uint32_t i = 0; i < 700; i++) /* more than one piece */
				record(&f, 1000 + i / 3, i * 1000, 14 + i * 2, 14 + i * 3, 14 + i * 2);
			cr_assert_eq(compare(&f), 700);
		}
	}
}

Test(source, largest_packets_and_none)
{
	file_t f;

	begin(&f, false, 0xa1b2c3d4, 262144);
	record(&f, 1, 0, 262144, 262144, 262144); /* with its header it is larger than a piece */
	record(&f, 2, 0, 60, 60, 60);
	cr_assert_eq(compare(&f), 2);
	begin(&f, false, 0xa1b2c3d4, 65535);
	cr_assert_eq(compare(&f), 0);
}

/* What is not as usual is read, or refused, as libpcap does it; what follows too. */
Test(source, strange_records)
{
	static const struct {
		uint32_t sec, frac, caplen, len, there;
	} strange[] = {
	    {5, 2000000, 60, 60, 60},    /* more than a second of microseconds */
	    {0x80000001, 0, 60, 60, 60}, /* after 2038 */
	    {5, 0, 3000, 3000, 3000},    /* beyond the snapshot length */
	    {5, 0, 60, 0xf0000000, 60},  /* an impossible original length */
	    {5, 0, 60, 20, 60},          /* shorter than what was captured */
	    {1, 0, 60, 60, 60},          /* backwards */
	    {5, 0, 0x7fffffff, 60, 60},  /* an impossible captured length */
	    {5, 0, 0, 60, 0},            /* nothing captured */
	};

	for (size_t i = 0; i < sizeof(strange) / sizeof(strange[0]); i++) {
		file_t f;

		begin(&f, i % 2 != 0, 0xa1b2c3d4, 2000);
		record(&f, 4, 0, 100, 100, 100);
		record(&f, strange[i].sec, strange[i].frac, strange[i].caplen, strange[i].len, strange[i].there);
		record(&f, 6, 0, 80, 80, 80);
		cr_assert_geq(compare(&f), 1);
	}
}

Test(source, cut_files)
{
	/* in the record's header, in its bytes, just before them */
	static const long cut[] = {24 + 16 + 100 + 7, 24 + 16 + 100 + 16 + 50, 24 + 16 + 100 + 16};

	for (size_t i = 0; i < 3; i++) {
		file_t f;

		begin(&f, false, 0xa1b23c4d, 65535);
		record(&f, 4, 0, 100, 100, 100);
		record(&f, 5, 0, 100, 100, 100);
		fflush(f.fp);
		cr_assert_eq(ftruncate(fileno(f.fp), cut[i]), 0);
		cr_assert_eq(compare(&f), 1);
	}
}

Test(source, looks_ahead_only_as_far_as_frames_go)
{
	const char *files[1];
	char err[512];
	source_t *s;
	rframe_t rf;
	file_t f;

	begin(&f, false, 0xa1b2c3d4, 65535);
	record(&f, 1, 0, 100, 100, 100);
	record(&f, 2, 0, 90, 90, 90);
	record(&f, 3, 0, 30, 30, 30);
	fclose(f.fp);
	files[0] = f.name;
	s = source_open(files, 1, err, sizeof(err));
	cr_assert_not_null(s);
	cr_assert_null(source_peek(s, READ_PLAY, 1)); /* nothing was read yet */
	cr_assert_eq(source_next(s, READ_PLAY, &rf), 1);
	cr_assert_eq(source_peek(s, READ_PLAY, 1)[1], (7 + 90) & 0xff);
	cr_assert_null(source_peek(s, READ_PLAY, 2)); /* fewer than 64 bytes */
	cr_assert_null(source_peek(s, READ_PLAY, 3)); /* behind the end */
	source_close(s);
	unlink(f.name);
}

/* ---- tables ---- */

Test(ptab, finds_what_is_in_it)
{
	enum { N = 5000 };
	static int vals[N];
	ptab_t t = {NULL, 0, 0, 0};

	cr_assert_null(ptab_get(&t, 1));
	for (uint64_t i = 0; i < N; i++)
		cr_assert(ptab_put(&t, i * 64, &vals[i]));
	cr_assert_eq(t.pt_count, N);
	for (uint64_t i = 0; i < N; i += 2)
		ptab_del(&t, i * 64, &vals[i]);
	for (uint64_t i = 0; i < N; i++) {
		cr_assert_eq(ptab_get(&t, i * 64), i % 2 == 0 ? NULL : &vals[i]);
		cr_assert_null(ptab_get(&t, i * 64 + 1));
	}
	cr_assert_eq(t.pt_count, N / 2);
	ptab_fini(&t);
	cr_assert_null(ptab_get(&t, 64));
}

Test(ptab, several_of_one_number)
{
	int vals[3];
	ptab_t t = {NULL, 0, 0, 0};
	const ptslot_t *s;

	for (int i = 0; i < 3; i++)
		cr_assert(ptab_put(&t, 42, &vals[i]));
	ptab_del(&t, 42, &vals[1]);
	s = ptab_find(&t, 42);
	cr_assert_eq(s->ps_val, &vals[0]);
	s = ptab_next(&t, s);
	cr_assert_eq(s->ps_val, &vals[2]);
	cr_assert_null(ptab_next(&t, s));
	ptab_fini(&t);
}

Test(pool, gives_zeros_and_what_was_freed)
{
	enum { N = 3000, SIZE = 100 };
	static char *objs[N];
	static const char zeros[SIZE];
	pool_t p;

	pool_init(&p, SIZE);
	for (int i = 0; i < N; i++) {
		objs[i] = pool_get(&p);
		cr_assert_eq(memcmp(objs[i], zeros, SIZE), 0);
		memset(objs[i], 1 + i % 100, SIZE);
	}
	/* apart from each other */
	for (int i = 0; i < N; i++)
		cr_assert(objs[i][0] == 1 + i % 100 && objs[i][SIZE - 1] == 1 + i % 100);
	for (int i = 0; i < N; i++)
		pool_put(&p, objs[i]);
	for (int i = 0; i < N; i++) {
		objs[i] = pool_get(&p);
		cr_assert_eq(memcmp(objs[i], zeros, SIZE), 0);
	}
	for (int i = 0; i < N; i++)
		pool_put(&p, objs[i]);
	pool_fini(&p);
}

/* ---- marks ---- */

/* A TCP segment (by its number), decoded; every seventh is a SYN with an MSS of its own. */
static void segment(rframe_t *f, uint32_t num)
{
	static uint8_t mss[24];

	memset(f, 0, sizeof(*f));
	f->rf_ip = f->rf_tcp = true;
	f->rf_bad = RF_OK;
	f->rf_proto = 6;
	f->rf_num = 2 * num;
	f->rf_time = (int64_t)num * 1000;
	f->rf_ipsrc = num ^ 0x55555555U;
	f->rf_ipdst = num ^ 0xaaaaaaaaU;
	f->rf_sport = (uint16_t)num;
	f->rf_dport = (uint16_t)(num + 1);
	f->rf_seq = num * 3;
	f->rf_ack = num * 5;
	f->rf_paylen = num % 1461;
	f->rf_flags = num % 7 == 0 ? RF_SYN : RF_ACK;
	memcpy(mss + 20, (uint8_t[]){2, 4, (uint8_t)(num >> 8), (uint8_t)num}, 4);
	f->rf_l4 = mss;
	f->rf_thlen = 24;
}

static void check_mark(const mark_t *m, uint32_t num)
{
	cr_assert_not_null(m);
	cr_assert_eq(m->m_num, 2 * num);
	cr_assert_eq(m->m_time, (int64_t)num * 1000);
	cr_assert(m->m_src == (num ^ 0x55555555U) && m->m_dst == (num ^ 0xaaaaaaaaU));
	cr_assert(m->m_sport == num && m->m_dport == num + 1);
	cr_assert(m->m_seq == num * 3 && m->m_ack == num * 5 && m->m_paylen == num % 1461);
	cr_assert_eq(m->m_flags, num % 7 == 0 ? RF_SYN : RF_ACK);
	cr_assert_eq(m->m_opt.so_mss, num % 7 == 0 ? num : 0);
}

/* As many as one buffer holds, one more, and many. */
Test(index, marks_come_back_in_order)
{
	static const uint32_t sizes[] = {0, 1, 1023, 1024, 1025, 2048, 5000};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		index_t *ix = index_create();
		rframe_t f;

		for (uint32_t n = 0; n < sizes[i]; n++) {
			segment(&f, n);
			index_add(ix, &f);
			f.rf_tcp = false; /* what is no segment leaves none */
			f.rf_proto = 17;
			index_add(ix, &f);
		}
		cr_assert(index_finish(ix));
		for (uint32_t n = 0; n < sizes[i]; n++) {
			check_mark(index_peek(ix, 0), n);
			if (index_peek(ix, 3) != NULL)
				check_mark(index_peek(ix, 3), n + 3);
			index_step(ix);
		}
		cr_assert_null(index_peek(ix, 0));
		index_destroy(ix);
	}
}

Test(index, refuses_what_marks_cannot_say)
{
	rframe_t f;
	index_t *ix = index_create();

	segment(&f, 1);
	f.rf_ntags = 1;
	index_add(ix, &f);
	cr_assert_not(index_finish(ix));
	index_destroy(ix);

	ix = index_create();
	segment(&f, 1);
	f.rf_tcp = false;
	f.rf_mf = true; /* a fragment of a segment */
	index_add(ix, &f);
	cr_assert_not(index_finish(ix));
	index_destroy(ix);
}

/* Without a place for a temporary file there are no marks beyond the buffer. */
Test(index, needs_a_file_for_many)
{
	index_t *ix = index_create();
	rframe_t f;

	setenv("TMPDIR", "/nowhere", 1);
	for (uint32_t n = 0; n < 1025; n++) {
		segment(&f, n);
		index_add(ix, &f);
	}
	cr_assert_not(index_finish(ix));
	index_destroy(ix);
}
