/*
 * For tests of STREAMS below the stream head: a machine that must end without a
 * leak, threads to run things in, streams built by hand, and the names of the
 * functions on the stack.
 */
#ifndef STRSIM_STRTEST_H
#define STRSIM_STRTEST_H

#include <criterion/criterion.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sys/strsubr.h"

#define TEST_FN static __attribute__((unused))

/* ---- machine ---- */

TEST_FN void st_boot(void)
{
	machine_init(0);
}

TEST_FN void st_leak(const char *what, size_t n)
{
	if (n == 0)
		return;
	fprintf(stderr, "%zu %s alive at the end\n", n, what);
	abort(); /* a failed assertion would not count here */
}

TEST_FN void st_halt(void)
{
	size_t mblks, dblks, bytes, objects;

	allocb_fail_nth(0);
	allocb_limit(0);
	machine_run_idle(machine_now() + 1000000000LL);
	str_alive(&mblks, &dblks);
	st_leak("message blocks", mblks);
	st_leak("data blocks", dblks);
	machine_fini();
	kmem_alive(&bytes, &objects);
	st_leak("kernel objects", objects);
}

#define STR_SUITE(name) TestSuite(name, .init = st_boot, .fini = st_halt)

/* Run func(arg) in a kernel thread until nothing more happens, without letting time pass. */
TEST_FN kthread_t *st_thread(void (*func)(void *), void *arg)
{
	kthread_t *t = thread_create(func, arg, 60);

	machine_run_ready();
	return t;
}

TEST_FN void st_ticks(int n)
{
	machine_run(machine_now() + n * NSEC_PER_TICK);
}

/* ---- what happened ---- */

TEST_FN char st_log[65536];

TEST_FN void st_note(const char *s)
{
	size_t n = strlen(st_log);

	snprintf(st_log + n, sizeof(st_log) - n, "%s%s", n != 0 ? " " : "", s);
}

#define st_notef(...)                                        \
	do {                                                 \
		char note_[256];                             \
		snprintf(note_, sizeof(note_), __VA_ARGS__); \
		st_note(note_);                              \
	} while (0)

/* What was noted since the last look, forgotten now. */
TEST_FN const char *st_noted(void)
{
	static char last[sizeof(st_log)];

	memcpy(last, st_log, sizeof(last));
	st_log[0] = '\0';
	return last;
}

#define st_expect(s) cr_assert_str_eq(st_noted(), s)

/* ---- stacks ---- */

/* The function an address lies in, from our own symbol table. */
TEST_FN const char *st_function(uintptr_t pc)
{
	static char *image;
	const Elf64_Ehdr *eh;
	const Elf64_Shdr *sh;

	if (image == NULL) {
		FILE *f = fopen("/proc/self/exe", "rb");
		long size;

		fseek(f, 0, SEEK_END);
		size = ftell(f);
		rewind(f);
		image = malloc((size_t)size);
		if (fread(image, 1, (size_t)size, f) != (size_t)size)
			abort();
		fclose(f);
	}
	eh = (const Elf64_Ehdr *)(void *)image;
	sh = (const Elf64_Shdr *)(void *)(image + eh->e_shoff);
	for (int i = 0; i < eh->e_shnum; i++) {
		const Elf64_Sym *sym = (const Elf64_Sym *)(void *)(image + sh[i].sh_offset);

		if (sh[i].sh_type != SHT_SYMTAB)
			continue;
		for (size_t n = sh[i].sh_size / sizeof(*sym); n > 0; n--, sym++)
			if (ELF64_ST_TYPE(sym->st_info) == STT_FUNC && pc >= sym->st_value &&
			    pc < sym->st_value + sym->st_size)
				return image + sh[sh[i].sh_link].sh_offset + sym->st_name;
	}
	return "?";
}

/* The callers of the calling function, n of them: "f < g < h". */
TEST_FN __attribute__((noinline)) const char *st_callers(int n)
{
	static char buf[1024];
	const uintptr_t *fp = (const uintptr_t *)__builtin_frame_address(0);
	size_t len = 0;

	buf[0] = '\0';
	fp = (const uintptr_t *)fp[0];
	while (n-- > 0 && fp != NULL && fp[0] != 0 && (uintptr_t)fp >= machine_stklo && (uintptr_t)fp < machine_stkhi) {
		len +=
		    (size_t)snprintf(buf + len, sizeof(buf) - len, "%s%s", len != 0 ? " < " : "", st_function(fp[1]));
		fp = (const uintptr_t *)fp[0];
	}
	return buf;
}

/* Does the stack begin with these callers? */
#define st_expect_stack(stack, want) cr_assert_eq(strncmp(stack, want, strlen(want)), 0, "%s", stack)

/* ---- messages ---- */

/* A message of one block. */
TEST_FN mblk_t *st_msg(int type, const char *text)
{
	size_t n = strlen(text);
	mblk_t *mp = allocb(n, BPRI_MED);

	cr_assert_not_null(mp);
	DB_TYPE(mp) = (uint8_t)type;
	memcpy(mp->b_wptr, text, n);
	mp->b_wptr += n;
	return mp;
}

TEST_FN mblk_t *st_band(int band, const char *text)
{
	mblk_t *mp = st_msg(M_DATA, text);

	mp->b_band = (uint8_t)band;
	return mp;
}

/* Blocks of a message as text, each followed by '.'; its type and flags do not show. */
TEST_FN const char *st_text(const mblk_t *mp)
{
	static char buf[4][4096];
	static int turn;
	char *s = buf[turn = (turn + 1) % 4];
	size_t n = 0;

	for (; mp != NULL; mp = mp->b_cont)
		n += (size_t)snprintf(s + n, sizeof(buf[0]) - n, "%.*s.", (int)MBLKL(mp), (char *)mp->b_rptr);
	s[n] = '\0';
	return s;
}

/* First bytes of all messages on a queue. */
TEST_FN const char *st_queued(const queue_t *q)
{
	static char buf[4096];
	size_t n = 0;

	for (const mblk_t *mp = q->q_first, *prev = NULL; mp != NULL; prev = mp, mp = mp->b_next) {
		cr_assert_eq(mp->b_prev, prev);
		n += (size_t)snprintf(buf + n, sizeof(buf) - n, "%s%.*s", n != 0 ? " " : "", (int)MBLKL(mp),
				      (char *)mp->b_rptr);
	}
	buf[n] = '\0';
	return buf;
}

/* ---- streams ---- */

TEST_FN int st_head_rput(queue_t *q, mblk_t *mp)
{
	(void)q;
	st_notef("head:%.*s", (int)MBLKL(mp), (char *)mp->b_rptr);
	freemsg(mp);
	return 0;
}

TEST_FN int st_head_wsrv(queue_t *q)
{
	st_notef("wsrv%s", q->q_flag & QBACK ? "+back" : "");
	for (qband_t *qbp = q->q_bandp; qbp != NULL; qbp = qbp->qb_next)
		if (qbp->qb_flag & QB_BACK)
			st_note("+bandback");
	return 0;
}

TEST_FN struct module_info st_head_info = {0, "head", 0, INFPSZ, 5120, 1024};
TEST_FN struct qinit st_head_rinit = {.qi_putp = st_head_rput, .qi_minfo = &st_head_info};
TEST_FN struct qinit st_head_winit = {.qi_srvp = st_head_wsrv, .qi_minfo = &st_head_info};

/* A stream head alone. */
TEST_FN stdata_t *st_open(void)
{
	stdata_t *stp = kmem_zalloc(sizeof(*stp), KM_SLEEP);
	queue_t *rq = allocq();

	stp->sd_wrq = _WR(rq);
	rq->q_stream = _WR(rq)->q_stream = stp;
	setq(rq, &st_head_rinit, &st_head_winit, D_MP, NULL, NULL);
	return stp;
}

/* Put a module right below the head; the read queue. */
TEST_FN queue_t *st_push(stdata_t *stp, const fmodsw_t *fp)
{
	dev_t dev = 0;

	cr_assert_eq(qattach(_RD(stp->sd_wrq), &dev, 0, kcred, fp, NULL), 0);
	return _RD(stp->sd_wrq->q_next);
}

TEST_FN queue_t *st_drive(stdata_t *stp, const devsw_t *dp)
{
	dev_t dev = 0;

	cr_assert_eq(qattach(_RD(stp->sd_wrq), &dev, 0, kcred, NULL, dp), 0);
	return _RD(stp->sd_wrq->q_next);
}

/* From a thread, or from the host's stack if nothing in the stream sleeps. */
TEST_FN void st_close(stdata_t *stp)
{
	if (fiber_self() == NULL)
		machine_run_ready();
	while (SAMESTR(stp->sd_wrq))
		qdetach(_RD(stp->sd_wrq->q_next), 1, 0, kcred);
	stream_runservice(stp);
	if (fiber_self() == NULL)
		machine_run_ready();
	stream_waitservice(stp);
	freeq(_RD(stp->sd_wrq));
	kmem_free(stp, sizeof(*stp));
}

/* ---- modules ---- */

TEST_FN int st_modopen(queue_t *q, dev_t *devp, int oflag, int sflag, cred_t *cr)
{
	(void)devp, (void)oflag, (void)sflag, (void)cr;
	qprocson(q);
	return 0;
}

TEST_FN int st_modclose(queue_t *q, int flag, cred_t *cr)
{
	(void)flag, (void)cr;
	qprocsoff(q);
	return 0;
}

TEST_FN int st_passput(queue_t *q, mblk_t *mp)
{
	putnext(q, mp);
	return 0;
}

/* The end of the stream: notes and frees. */
TEST_FN int st_sinkput(queue_t *q, mblk_t *mp)
{
	st_notef("%s:%.*s", q->q_qinfo->qi_minfo->mi_idname, (int)MBLKL(mp), (char *)mp->b_rptr);
	freemsg(mp);
	return 0;
}

/*
 * A module or driver `sym': its put and service procedures (rsrv, wsrv may be
 * NULL), water marks and flags.  Makes sym_info, sym_tab, sym_mod, sym_dev.
 */
#define STR_MODULE(sym, rput, rsrv, wput, wsrv, hiwat, lowat, flags)                                      \
	static struct module_info sym##_info = {0, #sym, 0, INFPSZ, hiwat, lowat};                        \
	static struct qinit sym##_rinit = {rput, rsrv, st_modopen, st_modclose, NULL, &sym##_info, NULL}; \
	static struct qinit sym##_winit = {wput, wsrv, NULL, NULL, NULL, &sym##_info, NULL};              \
	static struct streamtab sym##_tab = {&sym##_rinit, &sym##_winit, NULL, NULL};                     \
	static const fmodsw_t sym##_mod __attribute__((unused)) = {#sym, &sym##_tab, flags};              \
	static const devsw_t sym##_dev __attribute__((unused)) = {.d_name = #sym, .d_str = &sym##_tab, .d_flag = flags}

#endif
