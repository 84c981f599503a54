/* bufmod: chunks by time and size, headers, snapshots, deferring, drops, ioctls, memory that fails, close. */
#include "tests/ptytest.h"

STR_SUITE(bufmod);

static struct sb *state(void)
{
	return pt_module->q_ptr;
}

static void begin(void)
{
	pt_stream("bufmod");
	st_expect("");
}

static void set(int cmd, uint_t val)
{
	pt_down(PT_IOCTL(cmd, val));
	st_noted();
}

static void settime_us(int us)
{
	struct timeval32 tv = {us / 1000000, us % 1000000};

	pt_down(PT_IOCTL(SBIOCSTIME, tv));
	st_noted();
}

/* As a terminal emulator sets its master up: 50 ms, 2048 bytes, nothing added, nothing lost. */
static void emulator(void)
{
	begin();
	set(SBIOCSFLAGS, SB_NO_HEADER | SB_NO_PROTO_CVT | SB_NO_DROPS);
	settime_us(50000);
	set(SBIOCSCHUNK, 2048);
	set(SBIOCSSNAP, 0);
}

/* ---- open and close ---- */

Test(bufmod, opens_with_its_defaults)
{
	dev_t dev = 0;

	begin();
	cr_assert_eq(state()->sb_ticks, -1);
	cr_assert_eq(state()->sb_chunk, 8192U);
	cr_assert_eq(state()->sb_snap, 0U);
	cr_assert_eq(state()->sb_flags, 0U);
	cr_assert_eq(pt_module->q_qinfo->qi_minfo->mi_idnum, 21);
	cr_assert_eq(pt_module->q_hiwat, 1);
	cr_assert_eq(pt_module->q_lowat, 0);
	cr_assert_eq(WR(pt_module)->q_maxpsz, INFPSZ);
	cr_assert(pt_module->q_flag & QPAIR);
	cr_assert_eq(pt_module->q_qinfo->qi_qopen(pt_module, &dev, 0, 0, kcred), EINVAL);
	cr_assert_eq(pt_module->q_qinfo->qi_qopen(pt_module, &dev, 0, CLONEOPEN, kcred), EINVAL);
	cr_assert_eq(pt_module->q_qinfo->qi_qopen(pt_module, &dev, 0, MODOPEN, kcred), 0, "reopen");
	pt_end_stream();
}

Test(bufmod, does_not_open_without_memory)
{
	stdata_t *stp = st_open();
	dev_t dev = 0;

	st_drive(stp, &pt_end);
	kmem_fail_nth(2); /* the queue pair is the first */
	cr_assert_eq(qattach(_RD(stp->sd_wrq), &dev, 0, kcred, fmodsw_find("bufmod"), NULL), ENOMEM);
	kmem_fail_nth(0);
	st_close(stp);
}

Test(bufmod, closes_with_a_chunk_and_its_timer)
{
	emulator();
	PT_UP(M_DATA, "never delivered");
	cr_assert_neq(state()->sb_timeoutid, 0);
	st_close(pt_stp);
	st_ticks(10);
	st_expect("");
}

/* ---- chunks by time ---- */

Test(bufmod, a_chunk_waits_for_its_time)
{
	emulator();
	PT_UP(M_DATA, "a");
	st_ticks(3);
	PT_UP(M_DATA, "b");
	PT_UP(M_DATA, "c");
	st_ticks(1);
	st_expect("");
	st_ticks(1); /* five from the first message */
	st_expect("up DATA:a|b|c");
	cr_assert_eq(state()->sb_timeoutid, 0);
	st_ticks(20);
	st_expect("");
	PT_UP(M_DATA, "d");
	st_ticks(5);
	st_expect("up DATA:d");
	pt_end_stream();
}

static char token_stack[512];
static int spy_rput(queue_t *q, mblk_t *mp)
{
	strcpy(token_stack, st_callers(8));
	putnext(q, mp);
	return 0;
}
STR_MODULE(sbspy, spy_rput, NULL, st_passput, NULL, 5120, 1024, D_MP);

/* The timer's callback has the perimeter: its token is let in when it leaves. */
Test(bufmod, the_stack_of_a_timed_chunk)
{
	emulator();
	st_push(pt_stp, &sbspy_mod);
	PT_UP(M_DATA, "a");
	st_ticks(5);
	st_expect("up DATA:a");
	cr_assert_str_eq(token_stack, "putnext < sbsendit < sbclosechunk < sbrput < qdrain_syncq < drain_syncq < "
				      "leavesq < qcallbwrapper");
	pt_end_stream();
}

Test(bufmod, no_time_no_timer)
{
	begin();
	set(SBIOCSFLAGS, SB_NO_HEADER);
	PT_UP(M_DATA, "a");
	cr_assert_eq(state()->sb_timeoutid, 0);
	st_ticks(1000);
	st_expect("");
	pt_end_stream();
}

Test(bufmod, time_zero_passes_each_message)
{
	emulator();
	PT_UP(M_DATA, "a");
	settime_us(0);
	cr_assert_eq(state()->sb_chunk, 0U);
	PT_UP(M_DATA, "b");
	st_expect("up DATA:b");
	PT_UP(M_DATA, "c");
	st_expect("up DATA:c");
	cr_assert_eq(state()->sb_timeoutid, 0);
	pt_end_stream();
}

/* A token that cannot be made is made a whole time later. */
Test(bufmod, a_token_without_memory)
{
	emulator();
	PT_UP(M_DATA, "a");
	allocb_fail_nth(-1);
	st_ticks(5);
	allocb_fail_nth(0);
	st_expect("");
	cr_assert_neq(state()->sb_timeoutid, 0);
	st_ticks(4);
	st_expect("");
	st_ticks(1);
	st_expect("up DATA:a");
	pt_end_stream();
}

/* ---- chunks by size ---- */

Test(bufmod, a_chunk_is_never_too_big)
{
	emulator();
	set(SBIOCSCHUNK, 5);
	PT_UP(M_DATA, "abc");
	PT_UP(M_DATA, "de");
	st_expect(""); /* just full */
	PT_UP(M_DATA, "f");
	st_expect("up DATA:abc|de");
	cr_assert_neq(state()->sb_timeoutid, 0, "the next chunk's time has begun");
	st_ticks(5);
	st_expect("up DATA:f");
	pt_end_stream();
}

Test(bufmod, a_message_that_is_too_big_goes_alone)
{
	emulator();
	set(SBIOCSCHUNK, 5);
	PT_UP(M_DATA, "ab");
	PT_UP(M_DATA, "123456");
	st_expect("up DATA:ab up DATA:123456");
	PT_UP(M_DATA, "12345");
	st_expect("");
	pt_end_stream();
}

Test(bufmod, messages_of_many_blocks)
{
	mblk_t *mp;

	emulator();
	PT_UP(M_DATA, "a");
	mp = st_msg(M_DATA, "b");
	mp->b_cont = st_msg(M_DATA, "c");
	pt_up(mp);
	PT_UP(M_DATA, "d");
	cr_assert_eq(state()->sb_mlen, 4U);
	cr_assert_eq(state()->sb_mcount, 3U);
	st_ticks(5);
	st_expect("up DATA:a|b|c|d");
	pt_end_stream();
}

/* ---- other messages up ---- */

Test(bufmod, ordinary_messages_keep_their_place)
{
	static const int kept[] = {M_CTL, M_BREAK, M_DELAY, M_IOCTL, M_SIG, M_PROTO, M_RSE};

	emulator();
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		mblk_t *mp = pt_ioctl(TCSETS, "x", 1);
		char want[512];

		DB_TYPE(mp) = (uchar_t)kept[i];
		snprintf(want, sizeof(want), "up DATA:a up %s", pt_show(mp));
		PT_UP(M_DATA, "a");
		pt_up(mp);
		st_expect(want);
		cr_assert_eq(state()->sb_timeoutid, 0);
	}
	PT_UP(M_DATA, "a");
	struct stroptions so = {.so_flags = SO_HIWAT, .so_hiwat = 7};
	pt_up(bytes_msg(M_SETOPTS, &so, sizeof(so)));
	st_expect("up DATA:a up SETOPTS(0x10,7,0)");
	pt_end_stream();
}

Test(bufmod, high_priority_messages_overtake)
{
	static const int passed[] = {M_PCPROTO, M_PCSIG,  M_STOP,  M_START,  M_HANGUP, M_ERROR,    M_IOCACK,
				     M_IOCNAK,  M_COPYIN, M_STOPI, M_STARTI, M_READ,   M_UNHANGUP, M_COPYOUT};

	emulator();
	PT_UP(M_DATA, "a");
	for (size_t i = 0; i < sizeof(passed) / sizeof(passed[0]); i++) {
		mblk_t *mp = pt_ioctl(TCSETS, "x", 1);
		char want[512];

		DB_TYPE(mp) = (uchar_t)passed[i];
		snprintf(want, sizeof(want), "up %s", pt_show(mp));
		pt_up(mp);
		st_expect(want);
	}
	st_ticks(5);
	st_expect("up DATA:a");
	pt_end_stream();
}

Test(bufmod, protocol_messages_become_data_if_wanted)
{
	mblk_t *mp;

	begin();
	set(SBIOCSFLAGS, SB_NO_HEADER);
	mp = st_msg(M_PROTO, "p");
	mp->b_cont = st_msg(M_DATA, "d");
	pt_up(mp);
	PT_UP(M_DATA, "e");
	st_expect("");
	PT_UP(M_CTL, "");
	st_expect("up DATA:p|d|e");
	set(SBIOCSFLAGS, SB_NO_HEADER | SB_NO_PROTO_CVT);
	PT_UP(M_DATA, "a");
	PT_UP(M_PROTO, "p");
	st_expect("up DATA:a up PROTO:p");
	pt_end_stream();
}

Test(bufmod, an_empty_control_message_is_the_timers)
{
	emulator();
	PT_UP(M_DATA, "a");
	PT_UP(M_CTL, "");
	st_expect("up DATA:a");
	PT_UP(M_CTL, "");
	st_expect("");
	pt_end_stream();
}

/* ---- flushing ---- */

Test(bufmod, a_flush_drops_the_chunk)
{
	emulator();
	PT_UP(M_DATA, "a");
	PT_UP(M_FLUSH, "\2");
	st_expect("up FLUSH:\\02");
	cr_assert_eq(state()->sb_mcount, 1U);
	PT_UP(M_FLUSH, "\1");
	st_expect("up FLUSH:\\01");
	cr_assert_eq(state()->sb_mcount, 0U);
	cr_assert_eq(state()->sb_mlen, 0U);
	cr_assert_eq(state()->sb_timeoutid, 0);
	st_ticks(10);
	st_expect("");
	PT_UP(M_DATA, "b");
	st_ticks(5);
	st_expect("up DATA:b");
	pt_end_stream();
}

Test(bufmod, a_flush_drops_what_is_queued)
{
	emulator();
	pt_full(PT_HEADQ);
	PT_UP(M_DATA, "a");
	st_ticks(5);
	PT_UP(M_CTL, "c");
	cr_assert_eq(qsize(pt_module), 2);
	PT_UP(M_FLUSH, "\3");
	st_expect("up FLUSH:\\03");
	cr_assert_eq(qsize(pt_module), 0);
	pt_end_stream();
}

/* ---- no room above ---- */

Test(bufmod, without_drops_chunks_wait)
{
	emulator();
	pt_full(PT_HEADQ);
	PT_UP(M_DATA, "a");
	st_ticks(5);
	PT_UP(M_DATA, "b");
	st_ticks(5);
	st_expect("");
	cr_assert_eq(qsize(pt_module), 2);
	cr_assert_not(canput(pt_module), "the driver must not send more");
	pt_room(PT_HEADQ);
	st_expect("up DATA:a up DATA:b");
	cr_assert_eq(state()->sb_drops, 0U);
	cr_assert(canput(pt_module));
	pt_end_stream();
}

Test(bufmod, behind_what_waits)
{
	emulator();
	pt_full(PT_HEADQ);
	PT_UP(M_CTL, "first");
	PT_HEADQ->q_flag &= ~(uint_t)QFULL; /* room, but nobody has been told yet */
	PT_UP(M_CTL, "second");
	st_expect("");
	cr_assert_str_eq(st_queued(pt_module), "first second");
	pt_room(PT_HEADQ);
	st_expect("up CTL:first up CTL:second");
	pt_end_stream();
}

Test(bufmod, the_service_procedure_stops_where_there_is_no_room)
{
	emulator();
	pt_full(PT_HEADQ);
	PT_UP(M_CTL, "first");
	qenable(pt_module);
	machine_run_ready();
	cr_assert_str_eq(st_queued(pt_module), "first");
	pt_room(PT_HEADQ);
	st_expect("up CTL:first");
	pt_end_stream();
}

Test(bufmod, with_drops_messages_are_lost_and_counted)
{
	begin();
	set(SBIOCSFLAGS, SB_NO_HEADER);
	pt_full(PT_HEADQ);
	PT_UP(M_DATA, "a");
	PT_UP(M_DATA, "b");
	PT_UP(M_CTL, "");
	cr_assert_eq(state()->sb_drops, 2U);
	PT_UP(M_BREAK, "");
	cr_assert_eq(state()->sb_drops, 3U);
	cr_assert_eq(qsize(pt_module), 0);
	pt_room(PT_HEADQ);
	st_expect("");
	pt_end_stream();
}

Test(bufmod, no_memory_for_a_band_is_a_drop)
{
	emulator();
	pt_full(PT_HEADQ);
	mblk_t *mp = st_msg(M_CTL, "x");
	mp->b_band = 2;
	kmem_fail_nth(1);
	pt_up(mp);
	kmem_fail_nth(0);
	cr_assert_eq(state()->sb_drops, 1U);
	cr_assert_eq(qsize(pt_module), 0);
	pt_end_stream();
}

/* ---- sending at a write, deferring ---- */

Test(bufmod, a_write_sends_the_chunk_if_wanted)
{
	emulator();
	PT_UP(M_DATA, "a");
	PT_DOWN(M_DATA, "w");
	st_expect("down DATA:w");
	set(SBIOCSFLAGS, SB_NO_HEADER | SB_SEND_ON_WRITE);
	PT_DOWN(M_DATA, "w");
	st_expect("up DATA:a down DATA:w");
	cr_assert_eq(state()->sb_timeoutid, 0);
	pt_end_stream();
}

Test(bufmod, the_first_of_a_while_goes_alone)
{
	emulator();
	set(SBIOCSFLAGS, SB_NO_HEADER | SB_DEFER_CHUNK);
	PT_UP(M_DATA, "a");
	st_expect("up DATA:a");
	cr_assert(state()->sb_state & SB_FRCVD);
	PT_UP(M_DATA, "b");
	PT_UP(M_DATA, "c");
	st_expect("");
	st_ticks(5); /* from "a" */
	st_expect("up DATA:b|c");
	PT_UP(M_DATA, "d");
	st_expect("up DATA:d");
	st_ticks(5);
	st_expect("");
	PT_UP(M_DATA, "e");
	st_expect("up DATA:e");
	PT_UP(M_DATA, "f");
	PT_UP(M_FLUSH, "\1");
	PT_UP(M_DATA, "g");
	st_expect("up FLUSH:\\01 up DATA:g");
	pt_end_stream();
}

/* A chunk begun before deferring was asked for goes before the first message. */
Test(bufmod, deferring_keeps_the_order)
{
	emulator();
	PT_UP(M_DATA, "a");
	set(SBIOCSFLAGS, SB_NO_HEADER | SB_DEFER_CHUNK);
	PT_UP(M_DATA, "b");
	st_expect("up DATA:a up DATA:b");
	pt_end_stream();
}

/* ---- headers ---- */

/* The next message of a chunk: its header and text; a pointer behind it. */
static const uchar_t *expect_header(const uchar_t *p, uint_t orig, uint_t len, uint_t tot, uint_t drops,
				    const char *text)
{
	struct sb_hdr h;

	memcpy(&h, p, sizeof(h));
	cr_assert_eq(h.sbh_origlen, orig);
	cr_assert_eq(h.sbh_msglen, len);
	cr_assert_eq(h.sbh_totlen, tot);
	cr_assert_eq(h.sbh_drops, drops);
	cr_assert_eq(memcmp(p + sizeof(h), text, len), 0);
	for (uint_t i = (uint_t)sizeof(h) + len; i < tot; i++)
		cr_assert_eq(p[i], 0, "padding");
	return p + tot;
}

/* The chunk in making, in one piece. */
static const uchar_t *chunk(size_t want)
{
	static uchar_t buf[4096];
	size_t n = 0;

	for (const mblk_t *bp = state()->sb_mp; bp != NULL; bp = bp->b_cont) {
		memcpy(buf + n, bp->b_rptr, (size_t)MBLKL(bp));
		n += (size_t)MBLKL(bp);
	}
	cr_assert_eq(n, want, "%zu bytes, not %zu", n, want);
	cr_assert_eq(state()->sb_mlen, want);
	return buf;
}

static int blocks(void)
{
	int n = 0;

	for (const mblk_t *bp = state()->sb_mp; bp != NULL; bp = bp->b_cont)
		n++;
	return n;
}

Test(bufmod, each_message_has_a_header)
{
	const uchar_t *p;

	begin();
	cr_assert_eq(sizeof(struct sb_hdr), 24);
	PT_UP(M_DATA, "abc");
	PT_UP(M_DATA, "defg");
	PT_UP(M_DATA, "");
	PT_UP(M_DATA, "h");
	p = chunk(28 + 28 + 24 + 28);
	p = expect_header(p, 3, 3, 28, 0, "abc");
	p = expect_header(p, 4, 4, 28, 0, "defg");
	p = expect_header(p, 0, 0, 24, 0, "");
	expect_header(p, 1, 1, 28, 0, "h");
	cr_assert_eq(state()->sb_mcount, 4U);
	pt_end_stream();
}

Test(bufmod, the_time_in_the_header)
{
	struct sb_hdr h;

	machine_set_epoch(1000000000LL * 1000000000LL);
	begin();
	st_ticks(123);
	PT_UP(M_DATA, "abcd");
	memcpy(&h, chunk(28), sizeof(h));
	cr_assert_eq(h.sbh_timestamp.tv_sec, 1000000001);
	cr_assert_eq(h.sbh_timestamp.tv_usec, 230000);
	pt_end_stream();
}

/* Buffers have at least 64 bytes, so that the next header fits behind a short message; not when it is shared. */
Test(bufmod, where_headers_are_put)
{
	mblk_t *mp, *dup;
	const uchar_t *p;

	begin();
	PT_UP(M_DATA, "abc");
	cr_assert_eq(blocks(), 2); /* header; data and the next header */
	PT_UP(M_DATA, "def");
	cr_assert_eq(blocks(), 3);
	mp = st_msg(M_DATA, "ghi");
	*mp->b_wptr = '!';
	dup = dupmsg(mp);
	pt_up(mp);
	cr_assert_eq(blocks(), 5); /* data that others see; padding and room for a header */
	PT_UP(M_DATA, "jkl");
	cr_assert_eq(blocks(), 6);
	p = chunk(4 * 28);
	p = expect_header(p, 3, 3, 28, 0, "abc");
	p = expect_header(p, 3, 3, 28, 0, "def");
	p = expect_header(p, 3, 3, 28, 0, "ghi");
	expect_header(p, 3, 3, 28, 0, "jkl");
	cr_assert_str_eq(st_text(dup), "ghi.", "nothing was written into it");
	cr_assert_eq(*dup->b_wptr, '!', "nor behind it");
	freemsg(dup);
	pt_end_stream();
}

Test(bufmod, a_header_needs_a_block_behind_a_full_one)
{
	mblk_t *mp = allocb(64, BPRI_MED);
	const uchar_t *p;

	begin();
	memset(mp->b_wptr, 'x', 63);
	mp->b_rptr += 2;
	mp->b_wptr += 63; /* 61 bytes of data; one byte of room, three of padding */
	pt_up(mp);
	cr_assert_eq(blocks(), 3);
	PT_UP(M_DATA, "abcd");
	cr_assert_eq(blocks(), 4); /* the header is in the block of the padding */
	p = chunk(24 + 64 + 28);
	p = expect_header(p, 61, 61, 88, 0, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
	expect_header(p, 4, 4, 28, 0, "abcd");
	pt_end_stream();
}

Test(bufmod, padding_that_just_fits)
{
	mblk_t *mp = allocb(64, BPRI_MED);

	begin();
	memset(mp->b_wptr, 'x', 61);
	mp->b_wptr += 61; /* three bytes of room, three of padding */
	pt_up(mp);
	cr_assert_eq(blocks(), 2);
	PT_UP(M_DATA, "abcd");
	cr_assert_eq(blocks(), 4);
	expect_header(chunk(24 + 64 + 28) + 88, 4, 4, 28, 0, "abcd");
	pt_end_stream();
}

Test(bufmod, headers_count_for_the_chunk)
{
	begin();
	set(SBIOCSCHUNK, 100);
	PT_UP(M_DATA, "abcd"); /* 28 */
	PT_UP(M_DATA, "efgh"); /* 56; 28 more fit */
	cr_assert_eq(state()->sb_mcount, 2U);
	st_expect("");
	PT_UP(M_DATA, "ijkl"); /* 84: no more */
	cr_assert_eq(state()->sb_mcount, 0U);
	cr_assert_neq(strlen(st_noted()), 0);
	PT_UP(M_DATA, "0123456789012345678901234567890123456789"); /* 64 */
	PT_UP(M_DATA, "0123456789012345678901234567890123456789");
	cr_assert_eq(state()->sb_mcount, 1U, "the first went, the second waits");
	cr_assert_eq(state()->sb_mlen, 64U);
	cr_assert_neq(strlen(st_noted()), 0);
	pt_end_stream();
}

Test(bufmod, a_headed_message_larger_than_a_chunk)
{
	begin();
	set(SBIOCSCHUNK, 0);
	PT_UP(M_DATA, "abcd");
	cr_assert_eq(strncmp(st_noted(), "up DATA:\\04\\00\\00\\00\\04\\00\\00\\00\\1c", 35), 0);
	cr_assert_null(state()->sb_mp);
	pt_end_stream();
}

Test(bufmod, snapshots)
{
	mblk_t *mp;
	const uchar_t *p;

	begin();
	set(SBIOCSSNAP, 5);
	PT_UP(M_DATA, "abcdefgh");
	mp = st_msg(M_DATA, "1234");
	mp->b_cont = st_msg(M_DATA, "5678");
	pt_up(mp);
	PT_UP(M_DATA, "xyz");
	p = chunk(32 + 32 + 28);
	p = expect_header(p, 8, 5, 32, 0, "abcde");
	p = expect_header(p, 8, 5, 32, 0, "12345");
	expect_header(p, 3, 3, 28, 0, "xyz");
	PT_UP(M_CTL, "");
	st_noted();
	set(SBIOCSFLAGS, SB_NO_HEADER);
	PT_UP(M_DATA, "abcdefgh");
	PT_UP(M_CTL, "");
	st_expect("up DATA:abcde");
	pt_end_stream();
}

Test(bufmod, headers_tell_of_drops)
{
	begin();
	PT_UP(M_DATA, "lost");
	PT_UP(M_DATA, "lost");
	pt_full(PT_HEADQ);
	PT_UP(M_CTL, "");
	pt_room(PT_HEADQ);
	PT_UP(M_DATA, "abcd");
	expect_header(chunk(28), 4, 4, 28, 2, "abcd");
	pt_end_stream();
}

/* Without a block for its header, or for its padding, a message is lost. */
Test(bufmod, headers_without_memory)
{
	mblk_t *mp, *dup;

	begin();
	mp = st_msg(M_DATA, "abc");
	allocb_fail_nth(1);
	pt_up(mp);
	allocb_fail_nth(0);
	cr_assert_null(state()->sb_mp);
	cr_assert_eq(state()->sb_drops, 1U);
	mp = st_msg(M_DATA, "abc");
	dup = dupmsg(mp);
	allocb_fail_nth(2);
	pt_up(mp);
	allocb_fail_nth(0);
	cr_assert_null(state()->sb_mp);
	cr_assert_eq(state()->sb_drops, 2U);
	freemsg(dup);
	PT_UP(M_DATA, "abc");
	expect_header(chunk(28), 3, 3, 28, 2, "abc");
	/* With room behind the last block only the padding can fail. */
	mp = st_msg(M_DATA, "abc");
	dup = dupmsg(mp);
	allocb_fail_nth(1);
	pt_up(mp);
	allocb_fail_nth(0);
	freemsg(dup);
	expect_header(chunk(28), 3, 3, 28, 2, "abc");
	cr_assert_eq(state()->sb_drops, 3U);
	pt_end_stream();
}

/* ---- down ---- */

Test(bufmod, everything_else_passes_downwards)
{
	static const int passed[] = {M_DATA,  M_PROTO, M_BREAK, M_SIG,   M_DELAY,  M_CTL,    M_PCPROTO, M_READ,
				     M_FLUSH, M_STOP,  M_START, M_STOPI, M_STARTI, M_IOCACK, M_IOCNAK};

	emulator();
	for (size_t i = 0; i < sizeof(passed) / sizeof(passed[0]); i++) {
		mblk_t *mp = pt_ioctl(TCSETS, "x", 1);
		char want[512];

		DB_TYPE(mp) = (uchar_t)passed[i];
		snprintf(want, sizeof(want), "down %s", pt_show(mp));
		pt_down(mp);
		st_expect(want);
	}
	pt_end_stream();
}

/* ---- ioctls ---- */

Test(bufmod, set_and_get)
{
	struct timeval32 tv = {2, 50000};
	uint_t v = 0x1234;

	begin();
	pt_down(PT_IOCTL(SBIOCSTIME, tv));
	st_expect("up ACK(B1,0,0,0):\\02\\00\\00\\00P\\c3\\00\\00");
	cr_assert_eq(state()->sb_ticks, 205);
	pt_down(pt_ioctl(SBIOCGTIME, NULL, 0));
	st_expect("up ACK(B2,8,0,0):\\02\\00\\00\\00P\\c3\\00\\00");
	pt_down(pt_ioctl(SBIOCCTIME, NULL, 0));
	st_expect("up ACK(B3,0,0,0)");
	cr_assert_eq(state()->sb_ticks, -1);
	pt_down(pt_ioctl(SBIOCGTIME, NULL, 0));
	st_expect("up NAK(B2,34)"); /* ERANGE */
	pt_down(PT_IOCTL(SBIOCSCHUNK, v));
	st_expect("up SETOPTS(0x30,19152,9576) up ACK(B4,0,0,0):4\\12\\00\\00");
	pt_down(pt_ioctl(SBIOCGCHUNK, NULL, 0));
	st_expect("up ACK(B5,4,0,0):4\\12\\00\\00");
	pt_down(PT_IOCTL(SBIOCSSNAP, v));
	st_expect("up ACK(B6,0,0,0):4\\12\\00\\00"); /* the chunk's water marks stay */
	pt_down(pt_ioctl(SBIOCGSNAP, NULL, 0));
	st_expect("up ACK(B7,4,0,0):4\\12\\00\\00");
	v = 31;
	pt_down(PT_IOCTL(SBIOCSFLAGS, v));
	st_expect("up ACK(B8,0,0,0):\\1f\\00\\00\\00");
	pt_down(pt_ioctl(SBIOCGFLAGS, NULL, 0));
	st_expect("up ACK(B9,4,0,0):\\1f\\00\\00\\00");
	pt_end_stream();
}

/* Ticks are whole: 1 us is one. */
Test(bufmod, times)
{
	static const struct {
		struct timeval32 tv;
		clock_t_ ticks;
	} good[] = {{{0, 1}, 1}, {{0, 10000}, 1}, {{0, 10001}, 2}, {{0, 50000}, 5}, {{1, 0}, 100}, {{0, 0}, 0}};
	static const struct timeval32 bad[] = {{-1, 0}, {0, -1}, {-1, 5}};

	begin();
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		pt_down(PT_IOCTL(SBIOCSTIME, good[i].tv));
		cr_assert_eq(state()->sb_ticks, good[i].ticks);
	}
	cr_assert_eq(state()->sb_chunk, 0U, "time 0");
	st_noted();
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		pt_down(PT_IOCTL(SBIOCSTIME, bad[i]));
		cr_assert_eq(strncmp(st_noted(), "up NAK(B1,22)", 13), 0);
	}
	cr_assert_eq(state()->sb_ticks, 0);
	pt_end_stream();
}

Test(bufmod, the_heads_water_marks)
{
	static const struct {
		uint_t snap;
		const char *so;
	} t[] = {{1, "up SETOPTS(0x30,528,264) "},     {100, "up SETOPTS(0x30,2112,1056) "},
		 {101, "up SETOPTS(0x30,1320,660) "},  {400, "up SETOPTS(0x30,3712,1856) "},
		 {401, "up SETOPTS(0x30,2116,1058) "}, {0, "up SETOPTS(0x30,512,256) "}};
	uint_t v = 2048;

	begin();
	pt_down(PT_IOCTL(SBIOCSCHUNK, v));
	cr_assert_eq(strncmp(st_noted(), "up SETOPTS(0x30,8704,4352) up ACK", 33), 0);
	v = 0;
	pt_down(PT_IOCTL(SBIOCSCHUNK, v));
	cr_assert_eq(strncmp(st_noted(), "up SETOPTS(0x30,512,256) up ACK", 31), 0);
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		const char *noted;

		pt_down(PT_IOCTL(SBIOCSSNAP, t[i].snap));
		noted = st_noted();
		cr_assert_eq(strncmp(noted, t[i].so, strlen(t[i].so)), 0, "%u: %s", t[i].snap, noted);
	}
	pt_end_stream();
}

Test(bufmod, a_new_time_or_size_ends_the_chunk)
{
	struct timeval32 tv = {1, 0};
	uint_t v = 100;

	emulator();
	PT_UP(M_DATA, "a");
	pt_down(PT_IOCTL(SBIOCSTIME, tv));
	st_expect("up ACK(B1,0,0,0):\\01\\00\\00\\00\\00\\00\\00\\00 up DATA:a");
	PT_UP(M_DATA, "a");
	pt_down(PT_IOCTL(SBIOCSCHUNK, v));
	st_expect("up SETOPTS(0x30,912,456) up ACK(B4,0,0,0):d\\00\\00\\00 up DATA:a");
	PT_UP(M_DATA, "a");
	pt_down(PT_IOCTL(SBIOCSSNAP, v));
	v = SB_NO_HEADER;
	pt_down(PT_IOCTL(SBIOCSFLAGS, v));
	cr_assert_eq(state()->sb_mcount, 1U);
	pt_end_stream();
}

Test(bufmod, ioctls_of_the_wrong_size)
{
	static const int cmds[] = {SBIOCSTIME, SBIOCSCHUNK, SBIOCSSNAP, SBIOCSFLAGS};

	begin();
	for (int i = 0; i < 4; i++) {
		size_t len = i == 0 ? 7 : 3;
		char want[64];

		pt_down(pt_ioctl(cmds[i], "abcdefg", len));
		snprintf(want, sizeof(want), "up NAK(B%d,22):%.*s", cmds[i] & 0xff, (int)len, "abcdefg");
		st_expect(want);
		pt_down(pt_ioctl(cmds[i], NULL, 0));
		snprintf(want, sizeof(want), "up NAK(B%d,22)", cmds[i] & 0xff);
		st_expect(want);
		pt_down(pt_iocdata(cmds[i], 0, NULL, 0));
		st_expect(want);
	}
	pt_end_stream();
}

Test(bufmod, ioctls_transparently)
{
	struct timeval32 tv = {0, 50000};
	uint_t v = 64;

	begin();
	pt_down(pt_transparent(SBIOCSTIME, 0x1000));
	st_expect("up COPYIN(B1,8@0x1000)");
	pt_down(pt_iocdata(SBIOCSTIME, 0, &tv, sizeof(tv)));
	st_expect("up ACK(B1,0,0,0):\\00\\00\\00\\00P\\c3\\00\\00");
	pt_down(pt_transparent(SBIOCGTIME, 0x1000));
	st_expect("up COPYOUT(B2,8@0x1000):\\00\\00\\00\\00P\\c3\\00\\00");
	pt_down(pt_iocdata(SBIOCGTIME, 0, NULL, 0));
	st_expect("up ACK(B2,0,0,0)");
	pt_down(pt_transparent(SBIOCSCHUNK, 0x1000));
	st_expect("up COPYIN(B4,4@0x1000)");
	pt_down(pt_iocdata(SBIOCSCHUNK, 0, &v, sizeof(v)));
	st_expect("up SETOPTS(0x30,768,384) up ACK(B4,0,0,0):@\\00\\00\\00");
	pt_down(pt_transparent(SBIOCGCHUNK, 0x1000));
	st_expect("up COPYOUT(B5,4@0x1000):@\\00\\00\\00");
	pt_down(pt_transparent(SBIOCCTIME, 0));
	cr_assert_eq(strncmp(st_noted(), "up ACK(B3,0,0,0)", 16), 0);
	cr_assert_eq(state()->sb_ticks, -1);
	/* A copy that failed ends it. */
	pt_down(pt_iocdata(SBIOCSFLAGS, EFAULT, NULL, 0));
	pt_down(pt_iocdata(TCSETS, EFAULT, NULL, 0));
	st_expect("");
	cr_assert_eq(state()->sb_flags, 0U);
	pt_end_stream();
}

Test(bufmod, ioctls_of_others_pass)
{
	begin();
	pt_down(pt_ioctl(TCSETS, "abcd", 4));
	st_expect("down IOCTL(T14,4):abcd");
	pt_down(pt_ioctl(BIOC | 10, NULL, 0));
	st_expect("down IOCTL(B10,0)");
	pt_down(pt_iocdata(TIOCSWINSZ, 0, "abcd", 4));
	cr_assert_eq(strncmp(st_noted(), "down IOCDATA", 12), 0);
	pt_end_stream();
}

/* Data in two blocks, which must be pulled together: that can fail too. */
static mblk_t *split(mblk_t *mp)
{
	mblk_t *bp = mp->b_cont;

	bp->b_cont = bytes_msg(M_DATA, bp->b_rptr + 1, (size_t)MBLKL(bp) - 1);
	bp->b_wptr = bp->b_rptr + 1;
	return mp;
}

Test(bufmod, ioctls_without_memory)
{
	uint_t v = 64;

	begin();
	PT_FAIL(pt_down, PT_IOCTL(SBIOCSCHUNK, v), "up SETOPTS(0x30,768,384) up ACK(B4,0,0,0):@\\00\\00\\00",
		"up NAK(B4,11):@\\00\\00\\00", 1);
	PT_FAIL(pt_down, pt_ioctl(SBIOCGCHUNK, NULL, 0), "up ACK(B5,4,0,0):@\\00\\00\\00", "up NAK(B5,11)", 1);
	PT_FAIL(pt_down, split(PT_IOCTL(SBIOCSFLAGS, v)), "up ACK(B8,0,0,0):@\\00\\00\\00",
		"up NAK(B8,12):@|\\00\\00\\00", 1);
	PT_FAIL(pt_down, split(pt_iocdata(SBIOCSFLAGS, 0, &v, sizeof(v))), "up ACK(B8,0,0,0):@\\00\\00\\00",
		"up NAK(B8,12):@|\\00\\00\\00", 1);
	set(SBIOCSCHUNK, 0);
	v = 1;
	PT_FAIL(pt_down, PT_IOCTL(SBIOCSSNAP, v), "up SETOPTS(0x30,528,264) up ACK(B6,0,0,0):\\01\\00\\00\\00",
		"up NAK(B6,11):\\01\\00\\00\\00", 1);
	pt_end_stream();
}

/* A time that cannot be set begins with the next message. */
Test(bufmod, a_timer_without_memory)
{
	mblk_t *mp;

	emulator();
	mp = st_msg(M_DATA, "a");
	kmem_fail_nth(-1);
	pt_up(mp);
	kmem_fail_nth(0);
	cr_assert_eq(state()->sb_timeoutid, 0);
	st_ticks(20);
	st_expect("");
	PT_UP(M_DATA, "b");
	st_ticks(5);
	st_expect("up DATA:a|b");
	pt_end_stream();
}
