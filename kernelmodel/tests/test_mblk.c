/* Message blocks: allocb(9F) to pullupmsg(9F). */
#include <pthread.h>
#include "strtest.h"
#include "sys/errno.h"
#include "sys/signal.h"

STR_SUITE(mblk);

static void alive(size_t mblks, size_t dblks)
{
	size_t m, d;

	str_alive(&m, &d);
	cr_assert_eq(m, mblks, "%zu message blocks alive, not %zu", m, mblks);
	cr_assert_eq(d, dblks, "%zu data blocks alive, not %zu", d, dblks);
}

/* A message with one block of each text, all of this type. */
static mblk_t *chain(int type, int n, const char *const *text)
{
	mblk_t *mp = st_msg(type, text[0]);

	for (int i = 1; i < n; i++)
		linkb(mp, st_msg(type, text[i]));
	return mp;
}
#define CHAIN(type, ...) \
	chain(type, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), (const char *const[]){__VA_ARGS__})

/* ---- allocation ---- */

Test(mblk, buffer_is_of_the_smallest_class_that_fits)
{
	static const struct {
		size_t ask, get;
	} sizes[] = {{0, 64},        {1, 64},        {64, 64},        {65, 128},      {128, 128},     {129, 320},
		     {321, 576},     {577, 1088},    {1089, 1536},    {1537, 1984},   {1985, 2624},   {2625, 3968},
		     {3969, 8192},   {8193, 12160},  {12161, 16384},  {65536, 65536}, {65537, 69504}, {69505, 73728},
		     {73728, 73728}, {73729, 73792}, {100000, 100032}};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		mblk_t *mp = allocb(sizes[i].ask, BPRI_LO);

		cr_assert_eq(MBLKSIZE(mp), sizes[i].get, "%zu bytes gave %td", sizes[i].ask, MBLKSIZE(mp));
		memset(DB_BASE(mp), 0x5a, sizes[i].get);
		freeb(mp);
	}
}

Test(mblk, a_fresh_block_is_blank_even_if_it_was_used_before)
{
	for (int round = 0; round < 2; round++) {
		mblk_t *mp = allocb(10, BPRI_MED);

		cr_assert_null(mp->b_next);
		cr_assert_null(mp->b_prev);
		cr_assert_null(mp->b_cont);
		cr_assert_null(mp->b_queue);
		cr_assert_eq(mp->b_rptr, DB_BASE(mp));
		cr_assert_eq(mp->b_wptr, DB_BASE(mp));
		cr_assert_eq(mp->b_band, 0);
		cr_assert_eq(mp->b_flag, 0);
		cr_assert_eq(DB_TYPE(mp), M_DATA);
		cr_assert_eq(DB_REF(mp), 1);
		cr_assert_eq(DB_CPID(mp), -1);
		cr_assert_null(DB_CRED(mp));
		cr_assert_eq(mp->b_datap->db_struioflag, 0);
		mp->b_band = 3;
		mp->b_flag = MSGMARK;
		mp->b_queue = (queue_t *)mp;
		mp->b_rptr += 4;
		mp->b_wptr += 8;
		DB_TYPE(mp) = M_PROTO;
		DB_CPID(mp) = 17;
		mp->b_datap->db_struioflag = 1;
		mblk_setcred(mp, kcred);
		freeb(mp);
	}
}

Test(mblk, what_is_alive_is_counted)
{
	mblk_t *a = allocb(10, BPRI_MED), *b = allocb(200000, BPRI_MED), *c = dupb(a);

	alive(3, 2);
	freeb(a);
	alive(2, 2);
	freeb(c);
	alive(1, 1);
	freeb(b);
	alive(0, 0);
}

Test(mblk, failures_come_when_asked_for)
{
	mblk_t *mp;

	allocb_fail_nth(1);
	cr_assert_null(allocb(1, BPRI_MED));
	mp = allocb(1, BPRI_MED);
	cr_assert_not_null(mp);
	allocb_fail_nth(2);
	freeb(allocb(1, BPRI_MED));
	cr_assert_null(dupb(mp));
	allocb_fail_nth(-2);
	freeb(allocb(1, BPRI_MED));
	for (int i = 0; i < 5; i++) {
		cr_assert_null(allocb(1, BPRI_MED));
		cr_assert_null(allocb(1 << 20, BPRI_MED));
		cr_assert_null(dupb(mp));
		cr_assert_null(copyb(mp));
	}
	cr_assert_eq(testb(1, BPRI_MED), 0);
	allocb_fail_nth(0);
	cr_assert_eq(testb(1, BPRI_MED), 1);
	freeb(allocb(1, BPRI_MED));
	freeb(mp);
}

Test(mblk, memory_may_be_limited)
{
	mblk_t *mp;

	allocb_limit(1000);
	mp = allocb(576, BPRI_MED);
	cr_assert_not_null(mp);
	cr_assert_eq(testb(424, BPRI_MED), 1);
	cr_assert_eq(testb(425, BPRI_MED), 0);
	cr_assert_null(allocb(576, BPRI_MED), "576 + 576 > 1000");
	freeb(mp);
	mp = allocb(576, BPRI_MED);
	cr_assert_not_null(mp);
	freeb(mp);
	cr_assert_null(allocb(100000, BPRI_MED));
}

Test(mblk, no_memory_no_block)
{
	kmem_fail_nth(-1);
	cr_assert_null(allocb(40000, BPRI_MED));
	cr_assert_null(allocb(400000, BPRI_MED));
	kmem_fail_nth(0);
	kmem_fail_nth(2); /* the data block is there, the message block fails */
	cr_assert_null(allocb(40000, BPRI_MED));
	kmem_fail_nth(0);
	cr_assert_null(allocb((size_t)1 << 40, BPRI_MED));
}

Test(mblk, tryhard_asks_for_more_up_to_512)
{
	mblk_t *mp;

	allocb_fail_nth(1);
	mp = allocb_tryhard(1); /* 1 fails, 65 is had */
	cr_assert_eq(MBLKSIZE(mp), 128);
	freeb(mp);
	allocb_fail_nth(-1);
	cr_assert_null(allocb_tryhard(1));
}

Test(mblk, credentials_are_held_by_the_data)
{
	cred_t *cr = crget(100, 10);
	mblk_t *a, *b, *c;

	a = allocb_cred(5, cr);
	cr_assert_eq(cr->cr_ref, 2);
	cr_assert_eq(DB_CRED(a), cr);
	DB_CPID(a) = 42;
	DB_TYPE(a) = M_PROTO;
	b = allocb_tmpl(500, a);
	cr_assert_eq(cr->cr_ref, 3);
	cr_assert_eq(DB_CPID(b), 42);
	cr_assert_eq(DB_TYPE(b), M_PROTO);
	c = dupb(b);
	cr_assert_eq(cr->cr_ref, 3);
	freeb(b);
	cr_assert_eq(cr->cr_ref, 3);
	freeb(c);
	cr_assert_eq(cr->cr_ref, 2);
	mblk_setcred(a, kcred);
	cr_assert_eq(cr->cr_ref, 1);
	cr_assert_eq(DB_CREDDEF(a, cr), kcred);
	mblk_setcred(a, NULL);
	cr_assert_eq(DB_CREDDEF(a, cr), cr);
	freeb(a);
	crfree(cr);
}

Test(mblk, kernel_made_ioctl)
{
	mblk_t *a = mkiocb(0x1234), *b = mkiocb(7);
	struct iocblk *ia = (struct iocblk *)a->b_rptr, *ib = (struct iocblk *)b->b_rptr;

	cr_assert_eq(DB_TYPE(a), M_IOCTL);
	cr_assert_eq(MBLKL(a), sizeof(struct iocblk));
	cr_assert_geq(MBLKSIZE(a), (ptrdiff_t)sizeof(union ioctypes));
	cr_assert_eq(ia->ioc_cmd, 0x1234);
	cr_assert_eq(ia->ioc_cr, kcred);
	cr_assert_eq(ia->ioc_flag, IOC_NATIVE);
	cr_assert_eq(ia->ioc_count, 0);
	cr_assert_eq(ib->ioc_id, ia->ioc_id + 1);
	freeb(a);
	freeb(b);
}

/* ---- references ---- */

Test(mblk, dupb_shares_the_data)
{
	mblk_t *a = st_msg(M_DATA, "hello"), *b;

	a->b_band = 7;
	a->b_flag = MSGDELIM;
	a->b_rptr++;
	a->b_cont = allocb(1, BPRI_MED);
	b = dupb(a);
	cr_assert_eq(b->b_datap, a->b_datap);
	cr_assert_eq(DB_REF(a), 2);
	cr_assert_eq(b->b_rptr, a->b_rptr);
	cr_assert_eq(b->b_wptr, a->b_wptr);
	cr_assert_eq(b->b_band, 7);
	cr_assert_eq(b->b_flag, MSGDELIM);
	cr_assert_null(b->b_cont);
	/* The one it was born with goes first. */
	freemsg(a);
	cr_assert_str_eq(st_text(b), "ello.");
	cr_assert_eq(DB_REF(b), 1);
	freeb(b);
	alive(0, 0);
	a = allocb(1, BPRI_MED);
	cr_assert_eq(DB_REF(a), 1);
	freeb(a);
}

Test(mblk, at_most_255_references)
{
	mblk_t *mp = allocb(1, BPRI_MED), *dup[254];

	for (int i = 0; i < 254; i++)
		cr_assert_not_null(dup[i] = dupb(mp));
	cr_assert_eq(DB_REF(mp), 255);
	cr_assert_null(dupb(mp));
	cr_assert_null(dupmsg(mp));
	freeb(dup[100]);
	dup[100] = dupb(mp);
	cr_assert_not_null(dup[100]);
	for (int i = 0; i < 254; i++)
		freeb(dup[i]);
	freeb(mp);
}

Test(mblk, dupmsg_all_or_nothing)
{
	mblk_t *mp = CHAIN(M_DATA, "ab", "cd", "ef"), *dup;

	cr_assert_null(dupmsg(NULL));
	dup = dupmsg(mp);
	cr_assert_str_eq(st_text(dup), "ab.cd.ef.");
	cr_assert_eq(dup->b_cont->b_cont->b_datap, mp->b_cont->b_cont->b_datap);
	freemsg(dup);
	allocb_fail_nth(3);
	cr_assert_null(dupmsg(mp));
	alive(3, 3);
	freemsg(mp);
	freemsg(NULL);
}

Test(mblk, copyb_copies_the_whole_buffer)
{
	mblk_t *a = allocb(100, BPRI_MED), *b;
	cred_t *cr = crget(1, 1);

	for (int i = 0; i < 128; i++)
		DB_BASE(a)[i] = (uchar_t)i;
	a->b_rptr = DB_BASE(a) + 13;
	a->b_wptr = a->b_rptr + 20;
	a->b_band = 2;
	a->b_flag = MSGMARK;
	DB_TYPE(a) = M_PROTO;
	DB_CPID(a) = 5;
	mblk_setcred(a, cr);
	a->b_cont = allocb(1, BPRI_MED);
	b = copyb(a);
	cr_assert_neq(b->b_datap, a->b_datap);
	cr_assert_eq(MBLKHEAD(b), 13);
	cr_assert_eq(MBLKL(b), 20);
	cr_assert_eq(memcmp(DB_BASE(b), DB_BASE(a), 128), 0, "what lies outside of rptr..wptr comes along");
	cr_assert_eq(b->b_band, 2);
	cr_assert_eq(b->b_flag, MSGMARK);
	cr_assert_eq(DB_TYPE(b), M_PROTO);
	cr_assert_eq(DB_CPID(b), 5);
	cr_assert_eq(DB_CRED(b), cr);
	cr_assert_eq(DB_REF(a), 1);
	cr_assert_null(b->b_cont);
	freemsg(a);
	freemsg(b);
	cr_assert_eq(cr->cr_ref, 1);
	crfree(cr);
}

static void freed(char *arg)
{
	st_note(arg);
}

Test(mblk, copyb_keeps_the_alignment)
{
	_Alignas(8) static uchar_t mem[80];
	static frtn_t frtn = {freed, "free"};

	for (size_t off = 0; off < 4; off++) {
		mblk_t *a = desballoc(mem + off, 64, BPRI_MED, &frtn), *b;

		a->b_rptr += 5;
		a->b_wptr = a->b_rptr + 10;
		b = copyb(a);
		cr_assert_eq((uintptr_t)b->b_rptr & 3, (uintptr_t)a->b_rptr & 3);
		cr_assert_eq(MBLKL(b), 10);
		freeb(a);
		freeb(b);
	}
}

Test(mblk, copymsg_all_or_nothing)
{
	mblk_t *mp = CHAIN(M_DATA, "ab", "cd", "ef"), *copy;

	DB_TYPE(mp) = M_PROTO;
	cr_assert_null(copymsg(NULL));
	copy = copymsg(mp);
	cr_assert_str_eq(st_text(copy), "ab.cd.ef.");
	cr_assert_eq(DB_TYPE(copy), M_PROTO);
	cr_assert_eq(DB_TYPE(copy->b_cont), M_DATA);
	freemsg(copy);
	allocb_fail_nth(3);
	cr_assert_null(copymsg(mp));
	alive(3, 3);
	freemsg(mp);
}

/* ---- the caller's buffers ---- */

Test(mblk, esballoc_frees_from_a_task)
{
	static uchar_t mem[100];
	static frtn_t frtn = {freed, "free"};
	mblk_t *a = esballoc(mem, sizeof(mem), BPRI_MED, &frtn), *b = dupb(a);

	cr_assert_eq(DB_BASE(a), mem);
	cr_assert_eq(DB_LIM(a), mem + 100);
	cr_assert_eq(a->b_rptr, mem);
	cr_assert_eq(a->b_wptr, mem);
	cr_assert_eq(DB_REF(a), 2);
	freeb(a);
	freeb(b);
	st_expect("");
	alive(0, 1);
	machine_run_ready();
	st_expect("free");
	alive(0, 0);
}

Test(mblk, esballoc_without_a_task_is_freed_by_a_thread)
{
	static uchar_t mem[100];
	static frtn_t frtn = {freed, "free"};

	machine_run_ready();
	taskq_fail_nth(1);
	freeb(esballoc(mem, sizeof(mem), BPRI_MED, &frtn));
	st_expect("");
	machine_run_ready();
	st_expect("free");
}

Test(mblk, desballoc_frees_at_once)
{
	static uchar_t mem[100];
	static frtn_t frtn = {freed, "free"};
	mblk_t *a = desballoc(mem, sizeof(mem), BPRI_MED, &frtn), *b = dupb(a);

	freeb(a);
	st_expect("");
	freeb(b);
	st_expect("free");
	allocb_fail_nth(1);
	cr_assert_null(desballoc(mem, sizeof(mem), BPRI_MED, &frtn));
	st_expect("");
}

Test(mblk, the_a_variants_are_nobodys_to_write)
{
	static uchar_t mem[100];
	static frtn_t frtn = {freed, "free"};
	mblk_t *a = desballoca(mem, sizeof(mem), BPRI_MED, &frtn), *b;

	cr_assert_eq(DB_REF(a), 2);
	b = dupb(a);
	cr_assert_eq(DB_REF(a), 3);
	freeb(a);
	cr_assert_eq(DB_REF(b), 2);
	st_expect("");
	freeb(b);
	st_expect("free");
	a = esballoca(mem, sizeof(mem), BPRI_MED, &frtn);
	cr_assert_eq(DB_REF(a), 2);
	freeb(a);
	st_expect("");
	machine_run_ready();
	st_expect("free");
}

/* ---- links and sizes ---- */

Test(mblk, links)
{
	mblk_t *a = st_msg(M_DATA, "a"), *b = st_msg(M_DATA, "b"), *c = st_msg(M_DATA, "c"), *d = st_msg(M_DATA, "d");

	linkb(a, b);
	linkb(a, c);
	cr_assert_str_eq(st_text(a), "a.b.c.");
	cr_assert_eq(rmvb(a, b), a);
	cr_assert_null(b->b_cont);
	cr_assert_str_eq(st_text(a), "a.c.");
	cr_assert_eq(rmvb(a, d), (mblk_t *)-1);
	cr_assert_eq(rmvb(a, a), c);
	cr_assert_null(a->b_cont);
	cr_assert_null(rmvb(c, c));
	linkb(a, c);
	cr_assert_eq(unlinkb(a), c);
	cr_assert_null(a->b_cont);
	cr_assert_null(unlinkb(a));
	a->b_next = b;
	b->b_next = c;
	c->b_cont = d;
	freemsgchain(a);
	alive(0, 0);
}

Test(mblk, sizes)
{
	mblk_t *mp = CHAIN(M_PROTO, "12345", "123");

	linkb(mp, CHAIN(M_DATA, "1", "22"));
	linkb(mp, CHAIN(M_PROTO, "1234567"));
	linkb(mp, CHAIN(M_DATA, "4444"));
	cr_assert_eq(msgdsize(mp), 7, "1 + 2 + 4 bytes in M_DATA blocks");
	cr_assert_eq(msgsize(mp), 22);
	cr_assert_eq(xmsgsize(mp), 8, "two leading M_PROTO blocks");
	cr_assert_eq(msgdsize(NULL), 0);
	freemsg(mp);
}

/* ---- pullupmsg ---- */

Test(mblk, pullup_makes_the_head_contiguous)
{
	mblk_t *mp = CHAIN(M_DATA, "abc", "def", "ghi"), *was = mp;

	mp->b_band = 4;
	mp->b_flag = MSGMARK;
	DB_CPID(mp) = 9;
	cr_assert_eq(pullupmsg(mp, 5), 1);
	cr_assert_eq(mp, was);
	cr_assert_str_eq(st_text(mp), "abcde.f.ghi.");
	cr_assert_eq(mp->b_band, 4);
	cr_assert_eq(mp->b_flag, MSGMARK);
	cr_assert_eq(DB_CPID(mp), 9);
	alive(3, 3);
	cr_assert_eq(pullupmsg(mp, 6), 1);
	cr_assert_str_eq(st_text(mp), "abcdef.ghi.");
	alive(2, 2);
	cr_assert_eq(pullupmsg(mp, -1), 1);
	cr_assert_str_eq(st_text(mp), "abcdefghi.");
	alive(1, 1);
	freemsg(mp);
}

Test(mblk, pullup_stops_at_another_type)
{
	mblk_t *mp = CHAIN(M_PROTO, "abc", "def");

	linkb(mp, CHAIN(M_DATA, "ghi"));
	cr_assert_eq(pullupmsg(mp, 7), 0);
	cr_assert_str_eq(st_text(mp), "abc.def.ghi.");
	cr_assert_eq(pullupmsg(mp, -1), 1);
	cr_assert_str_eq(st_text(mp), "abcdef.ghi.");
	cr_assert_eq(DB_TYPE(mp), M_PROTO);
	freemsg(mp);
}

Test(mblk, pullup_does_nothing_when_there_is_nothing_to_do)
{
	mblk_t *mp = CHAIN(M_DATA, "abcd", "e");
	dblk_t *dbp = mp->b_datap;

	allocb_fail_nth(1);
	cr_assert_eq(pullupmsg(mp, 4), 1);
	cr_assert_eq(pullupmsg(mp, 0), 1);
	cr_assert_eq(mp->b_datap, dbp);
	allocb_fail_nth(0);
	freeb(unlinkb(mp));
	cr_assert_eq(pullupmsg(mp, -1), 1);
	cr_assert_eq(mp->b_datap, dbp);
	cr_assert_eq(pullupmsg(mp, 5), 0, "more than there is");
	cr_assert_eq(pullupmsg(mp, -2), 0);
	freemsg(mp);
}

Test(mblk, pullup_aligns)
{
	mblk_t *mp = st_msg(M_DATA, "xabcd");
	dblk_t *dbp = mp->b_datap;

	mp->b_rptr++;
	allocb_fail_nth(1);
	cr_assert_eq(pullupmsg(mp, 2), 0, "needs a new buffer to align");
	cr_assert_eq(pullupmsg(mp, 2), 1);
	cr_assert_neq(mp->b_datap, dbp);
	cr_assert_eq((uintptr_t)mp->b_rptr & 3, 0);
	cr_assert_str_eq(st_text(mp), "abcd.");
	mp->b_rptr++;
	cr_assert_eq(pullupmsg(mp, -1), 1);
	cr_assert_str_eq(st_text(mp), "bcd.");
	mp->b_rptr += 3;
	cr_assert_eq(pullupmsg(mp, 0), 1);
	cr_assert_str_eq(st_text(mp), ".");
	alive(1, 1);
	freemsg(mp);
}

Test(mblk, pullup_over_empty_blocks)
{
	mblk_t *mp = CHAIN(M_DATA, "", "", "ab", "", "cd");

	cr_assert_eq(pullupmsg(mp, 3), 1);
	cr_assert_str_eq(st_text(mp), "abc.d.");
	freemsg(mp);
}

Test(mblk, pullup_of_shared_data_leaves_the_others_alone)
{
	mblk_t *mp = CHAIN(M_DATA, "abc", "def"), *dup = dupmsg(mp), *dup2 = dupmsg(mp);

	cr_assert_eq(pullupmsg(mp, -1), 1);
	cr_assert_eq(pullupmsg(dup, 4), 1);
	*mp->b_rptr = 'X';
	*dup->b_rptr = 'Y';
	cr_assert_str_eq(st_text(mp), "Xbcdef.");
	cr_assert_str_eq(st_text(dup), "Ybcd.ef.");
	cr_assert_str_eq(st_text(dup2), "abc.def.");
	cr_assert_eq(DB_REF(dup2), 1);
	freemsg(mp);
	cr_assert_eq(pullupmsg(dup2, -1), 1);
	cr_assert_str_eq(st_text(dup2), "abcdef.");
	freemsg(dup2);
	freemsg(dup);
	alive(0, 0);
}

Test(mblk, multidata_is_not_reshaped)
{
	mblk_t *mp = CHAIN(M_MULTIDATA, "abc", "def");

	cr_assert_eq(pullupmsg(mp, -1), 0);
	cr_assert_null(msgpullup(mp, -1));
	cr_assert_eq(adjmsg(mp, 1), 0);
	freemsg(mp);
}

Test(mblk, msgpullup_leaves_the_original)
{
	mblk_t *mp = CHAIN(M_PROTO, "abc", "def"), *nmp;

	linkb(mp, CHAIN(M_DATA, "ghi", "jkl"));
	mp->b_band = 3;
	mp->b_flag = MSGDELIM;
	nmp = msgpullup(mp, 1);
	cr_assert_str_eq(st_text(nmp), "abcdef.ghi.jkl.", "all of the type, though one byte was asked for");
	cr_assert_str_eq(st_text(mp), "abc.def.ghi.jkl.");
	cr_assert_eq(nmp->b_band, 3);
	cr_assert_eq(nmp->b_flag, MSGDELIM);
	cr_assert_eq(DB_TYPE(nmp), M_PROTO);
	cr_assert_eq(nmp->b_cont->b_datap, mp->b_cont->b_cont->b_datap, "the rest is shared");
	freemsg(nmp);
	nmp = msgpullup(mp, -1);
	cr_assert_str_eq(st_text(nmp), "abcdef.ghi.jkl.");
	freemsg(nmp);
	cr_assert_null(msgpullup(mp, 7));
	for (int n = 1; n <= 3; n++) {
		allocb_fail_nth(n);
		cr_assert_null(msgpullup(mp, -1));
	}
	alive(4, 4);
	freemsg(mp);
}

/* ---- adjmsg ---- */

Test(mblk, adjmsg_trims_the_head)
{
	mblk_t *mp = CHAIN(M_DATA, "abc", "def", "ghi");

	cr_assert_eq(adjmsg(mp, 0), 1);
	cr_assert_eq(adjmsg(mp, 2), 1);
	cr_assert_str_eq(st_text(mp), "c.def.ghi.");
	cr_assert_eq(adjmsg(mp, 5), 1);
	cr_assert_str_eq(st_text(mp), ".hi.", "the first block stays though empty");
	cr_assert_eq(adjmsg(mp, 3), 0);
	cr_assert_str_eq(st_text(mp), ".hi.");
	cr_assert_eq(adjmsg(mp, 2), 1);
	cr_assert_str_eq(st_text(mp), ".");
	cr_assert_eq(adjmsg(mp, 1), 0);
	freemsg(mp);
}

Test(mblk, adjmsg_trims_the_tail)
{
	mblk_t *mp = CHAIN(M_DATA, "abc", "def", "ghi");

	cr_assert_eq(adjmsg(mp, -1), 1);
	cr_assert_str_eq(st_text(mp), "abc.def.gh.");
	cr_assert_eq(adjmsg(mp, -3), 1);
	cr_assert_str_eq(st_text(mp), "abc.de.");
	cr_assert_eq(adjmsg(mp, -6), 0);
	cr_assert_eq(adjmsg(mp, -5), 1);
	cr_assert_str_eq(st_text(mp), ".");
	freemsg(mp);
}

Test(mblk, adjmsg_sees_the_leading_type_only)
{
	mblk_t *mp = CHAIN(M_PROTO, "abc", "def");

	linkb(mp, CHAIN(M_DATA, "ghi"));
	cr_assert_eq(adjmsg(mp, 7), 0);
	cr_assert_eq(adjmsg(mp, -7), 0);
	cr_assert_eq(adjmsg(mp, -4), 1);
	cr_assert_str_eq(st_text(mp), "ab.ghi.");
	cr_assert_eq(adjmsg(mp, 2), 1);
	cr_assert_str_eq(st_text(mp), ".ghi.");
	freemsg(mp);
}

/* ---- reallocb ---- */

Test(mblk, reallocb_reuses_or_replaces)
{
	mblk_t *mp = st_msg(M_PROTO, "hello"), *nmp, *dup;

	mp->b_cont = allocb(1, BPRI_MED);
	cr_assert_eq(reallocb(mp, 64, 1), mp);
	cr_assert_str_eq(st_text(mp), "hello..");
	cr_assert_eq(reallocb(mp, 3, 1), mp);
	cr_assert_str_eq(st_text(mp), "hel..");
	allocb_fail_nth(1);
	cr_assert_null(reallocb(mp, 65, 1));
	cr_assert_str_eq(st_text(mp), "hel..");
	nmp = reallocb(mp, 65, 1);
	cr_assert_str_eq(st_text(nmp), "hel..");
	cr_assert_eq(DB_TYPE(nmp), M_PROTO);
	alive(2, 2);
	dup = dupb(nmp);
	nmp = reallocb(nmp, 10, 0);
	cr_assert_neq(nmp->b_datap, dup->b_datap, "shared data is not reused");
	cr_assert_str_eq(st_text(nmp), "..");
	freemsg(nmp);
	freemsg(dup);
}

/* ---- sleeping for memory ---- */

static int wait_flags, wait_error, wait_kmem;

static void waiter(void *arg)
{
	mblk_t *mp;

	(void)arg;
	kmem_fail_nth(wait_kmem);
	mp = allocb_wait(100, BPRI_MED, (uint_t)wait_flags, &wait_error);
	st_note(mp != NULL ? "got" : "not");
	freemsg(mp);
}

Test(mblk, allocb_wait_sleeps_until_memory_is_there)
{
	mblk_t *mp = allocb(100, BPRI_MED);

	allocb_limit(128);
	st_thread(waiter, NULL);
	st_expect("");
	freeb(mp);
	machine_run_ready();
	st_expect("got");
}

Test(mblk, allocb_wait_without_signals_goes_on_without_records_too)
{
	mblk_t *mp = allocb(100, BPRI_MED);

	allocb_limit(128);
	wait_flags = STR_NOSIG;
	wait_kmem = -1; /* no bufcall record either: it looks again every tick */
	st_thread(waiter, NULL);
	kmem_fail_nth(0);
	st_expect("");
	freeb(mp);
	st_ticks(2);
	st_expect("got");
}

Test(mblk, allocb_wait_says_enosr)
{
	wait_error = 0;
	allocb_fail_nth(-1);
	wait_kmem = -1;
	st_thread(waiter, NULL);
	kmem_fail_nth(0);
	st_expect("not");
	cr_assert_eq(wait_error, ENOSR);
}

/* Signals interrupt system calls: one that waits. */
#define SYS_waiter 255
static int64_t waitcall(int64_t arg)
{
	waiter(NULL);
	return arg;
}
SYSCALL(SYS_waiter, waitcall, 1);

static void program(void *arg)
{
	(void)arg;
	user_syscall(SYS_waiter, 0, 0, 0, 0, 0, 0);
}

Test(mblk, allocb_wait_ends_by_a_signal)
{
	proc_t *p = proc_create(p0, 0, "victim");

	p->p_caught = (uint64_t)1 << SIGUSR1;
	wait_error = 0;
	allocb_fail_nth(-1);
	lwp_create(p, program, NULL);
	machine_run_ready();
	st_expect("");
	psignal(p, SIGUSR1);
	machine_run_ready();
	st_expect("not");
	cr_assert_eq(wait_error, EINTR);
	proc_exit(p);
}

/* ---- at random ---- */

/* A chain of 1 to 6 blocks of 0 to 9 bytes, some at odd places, two types; its bytes by type run also in flat[]. */
static mblk_t *random_chain(char *flat, size_t *lead)
{
	mblk_t *head = NULL, **tail = &head;
	char next = 'a';
	size_t n = 0;

	*lead = SIZE_MAX;
	for (uint64_t blocks = 1 + machine_random() % 6; blocks > 0; blocks--) {
		mblk_t *bp = allocb(32, BPRI_MED);
		size_t len = machine_random() % 10;

		bp->b_rptr = bp->b_wptr = bp->b_rptr + machine_random() % 8;
		while (len-- > 0)
			*bp->b_wptr++ = (uchar_t)(flat[n++] = next++);
		if (head != NULL && (*lead != SIZE_MAX || machine_random() % 4 == 0)) {
			if (*lead == SIZE_MAX)
				*lead = n - (size_t)MBLKL(bp);
			DB_TYPE(bp) = M_PROTO;
		}
		*tail = bp;
		tail = &bp->b_cont;
	}
	if (*lead == SIZE_MAX)
		*lead = n;
	flat[n] = '\0';
	return head;
}

/* Do the bytes of mp read flat? */
static void check_flat(const mblk_t *mp, const char *flat)
{
	size_t n = strlen(flat);

	cr_assert_eq(msgsize(mp), n, "%zu bytes, not %zu", msgsize(mp), n);
	for (; mp != NULL; flat += MBLKL(mp), mp = mp->b_cont)
		cr_assert_eq(memcmp(mp->b_rptr, flat, (size_t)MBLKL(mp)), 0);
}

Test(mblk, reshaping_never_changes_the_bytes)
{
	char flat[64];
	size_t lead;

	for (int i = 0; i < 20000; i++) {
		mblk_t *mp = random_chain(flat, &lead), *nmp;
		ssize_t len = (ssize_t)(machine_random() % (lead + 3)) - 1;
		int ok = len <= (ssize_t)lead;

		nmp = msgpullup(mp, len);
		cr_assert_eq(nmp != NULL, ok);
		if (nmp != NULL) {
			cr_assert_eq(MBLKL(nmp), (ptrdiff_t)lead);
			check_flat(nmp, flat);
		}
		freemsg(nmp);
		nmp = machine_random() % 2 ? dupmsg(mp) : copymsg(mp);
		cr_assert_eq(pullupmsg(mp, len), ok);
		cr_assert(!ok || MBLKL(mp) >= (len < 0 ? (ptrdiff_t)lead : len));
		check_flat(mp, flat);
		check_flat(nmp, flat);
		freemsg(nmp);
		/* Now from either end. */
		len = (ssize_t)(machine_random() % (2 * lead + 5)) - (ssize_t)lead - 2;
		ok = (size_t)(len < 0 ? -len : len) <= lead;
		cr_assert_eq(adjmsg(mp, len), ok);
		if (ok && len > 0)
			memmove(flat, flat + len, strlen(flat + len) + 1);
		else if (ok)
			memmove(flat + lead + len, flat + lead, strlen(flat + lead) + 1);
		check_flat(mp, flat);
		freemsg(mp);
	}
	alive(0, 0);
}

/* ---- instances ---- */

/* A kernel of this host thread's own. */
static void *instance(void *arg)
{
	size_t mblks, dblks;

	for (int round = 0; round < 20; round++) {
		mblk_t *mp[100];

		st_boot();
		for (int i = 0; i < 100; i++)
			mp[i] = i % 2 ? dupb(mp[i - 1]) : allocb((size_t)i * 100, BPRI_MED);
		str_alive(&mblks, &dblks);
		if (mblks != 100 || dblks != 50)
			return NULL;
		for (int i = 0; i < 100; i++)
			freeb(mp[i]);
		st_halt();
	}
	return arg;
}

Test(mblk_instances, do_not_know_of_each_other)
{
	pthread_t t[2];
	void *done;

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, instance, t);
	for (int i = 0; i < 2; i++) {
		pthread_join(t[i], &done);
		cr_assert_not_null(done);
	}
}
