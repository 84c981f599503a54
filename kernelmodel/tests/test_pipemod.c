/* pipemod: what it turns round in a flush and what not, the copy of a shared block, and pipes that are flushed. */
#include "tests/ptytest.h"

STR_SUITE(pipemod);

/* A flush of these bits, of the band too when there is one. */
static mblk_t *flush(int how, int band)
{
	uchar_t bytes[2] = {(uchar_t)how, (uchar_t)band};

	return bytes_msg(M_FLUSH, bytes, band != 0 ? 2 : 1);
}

/* ---- the module alone ---- */

Test(pipemod, opens_as_a_module_only)
{
	dev_t dev = 0;

	pt_stream("pipemod");
	st_expect("");
	cr_assert_str_eq(pt_module->q_qinfo->qi_minfo->mi_idname, "pipemod");
	cr_assert_eq(WR(pt_module)->q_maxpsz, INFPSZ);
	cr_assert_eq(pt_module->q_nfsrv, PT_HEADQ, "flow control looks through it");
	cr_assert_eq(WR(pt_module)->q_nfsrv, PT_ENDQ);
	cr_assert_eq(pt_module->q_qinfo->qi_qopen(pt_module, &dev, 0, 0, kcred), EINVAL);
	cr_assert_eq(pt_module->q_qinfo->qi_qopen(pt_module, &dev, 0, CLONEOPEN, kcred), EINVAL);
	cr_assert_eq(pt_module->q_qinfo->qi_qopen(pt_module, &dev, 0, MODOPEN, kcred), 0, "reopen");
	pt_end_stream();
}

Test(pipemod, turns_a_flush_of_one_side)
{
	pt_stream("pipemod");
	pt_down(flush(FLUSHR, 0));
	st_expect("down FLUSH:\\02");
	pt_down(flush(FLUSHW, 0));
	st_expect("down FLUSH:\\01");
	pt_up(flush(FLUSHR, 0));
	st_expect("up FLUSH:\\02");
	pt_up(flush(FLUSHW, 0));
	st_expect("up FLUSH:\\01");
	pt_end_stream();
}

Test(pipemod, leaves_a_flush_of_both_sides_and_of_none)
{
	pt_stream("pipemod");
	pt_down(flush(FLUSHRW, 0));
	st_expect("down FLUSH:\\03");
	pt_up(flush(FLUSHRW, 0));
	st_expect("up FLUSH:\\03");
	pt_down(flush(0, 0));
	st_expect("down FLUSH:\\00");
	pt_end_stream();
}

Test(pipemod, keeps_the_band_of_a_flush)
{
	pt_stream("pipemod");
	pt_down(flush(FLUSHR | FLUSHBAND, 7));
	st_expect("down FLUSH:\\06\\07");
	pt_up(flush(FLUSHW | FLUSHBAND, 7));
	st_expect("up FLUSH:\\05\\07");
	pt_down(flush(FLUSHRW | FLUSHBAND, 7));
	st_expect("down FLUSH:\\07\\07");
	pt_end_stream();
}

Test(pipemod, passes_everything_else_on)
{
	static const uint8_t types[] = {M_DATA,   M_PROTO,   M_BREAK,   M_PASSFP, M_SIG,    M_DELAY,
					M_CTL,    M_IOCTL,   M_SETOPTS, M_IOCACK, M_IOCNAK, M_PCPROTO,
					M_PCSIG,  M_READ,    M_STOP,    M_START,  M_HANGUP, M_ERROR,
					M_COPYIN, M_COPYOUT, M_IOCDATA, M_STOPI,  M_STARTI, M_UNHANGUP};

	pt_stream("pipemod");
	for (size_t i = 0; i < sizeof(types); i++) {
		for (int down = 0; down < 2; down++) {
			char want[512];
			mblk_t *mp = mkiocb(1); /* as long as any of these must be */

			DB_TYPE(mp) = types[i];
			snprintf(want, sizeof(want), "%s %s", down ? "down" : "up", pt_show(mp));
			(down ? pt_down : pt_up)(mp);
			st_expect(want);
		}
	}
	pt_end_stream();
}

Test(pipemod, does_not_write_into_a_block_that_others_hold)
{
	mblk_t *mp, *dup;

	pt_stream("pipemod");
	mp = flush(FLUSHW, 0);
	dup = dupmsg(mp);
	pt_down(mp);
	st_expect("down FLUSH:\\01");
	cr_assert_eq(*dup->b_rptr, FLUSHW);
	freemsg(dup);

	/* Nor does it copy what it would not change. */
	mp = flush(FLUSHRW, 0);
	dup = dupmsg(mp);
	allocb_fail_nth(1);
	pt_down(mp);
	allocb_fail_nth(0);
	st_expect("down FLUSH:\\03");
	freemsg(dup);
	pt_end_stream();
}

Test(pipemod, loses_a_shared_flush_without_memory)
{
	mblk_t *mp, *dup;

	pt_stream("pipemod");
	mp = flush(FLUSHW, 0);
	dup = dupmsg(mp);
	allocb_fail_nth(1);
	pt_down(mp);
	allocb_fail_nth(0);
	st_expect("");
	cr_assert_eq(*dup->b_rptr, FLUSHW);
	freemsg(dup);
	pt_end_stream();
}

/* ---- in a pipe ---- */

/* What the writer does not want read any more is on the reader's read queue. */
PROGRAM(pipemod, flushes_what_was_written)
{
	int fd[2];
	char buf[16];

	OK(U_PIPE(fd), 0);
	OK(U_IOCTL(fd[0], I_PUSH, "pipemod"), 0);
	OK(U_WRITE(fd[0], "stale", 5), 5);
	OK(U_WRITE(fd[1], "answer", 6), 6);
	OK(U_IOCTL(fd[0], I_FLUSH, FLUSHW), 0);
	OK(U_WRITE(fd[0], "new", 3), 3);
	OK(U_READ(fd[1], buf, sizeof(buf)), 3);
	cr_assert_eq(memcmp(buf, "new", 3), 0);
	OK(U_READ(fd[0], buf, sizeof(buf)), 6); /* the other direction was not flushed */
	OK(U_CLOSE(fd[0]), 0);
	OK(U_CLOSE(fd[1]), 0);
	DONE;
}

/* Without it nobody exchanges the bits, and what was written stays. */
PROGRAM(pipemod, is_missed_where_it_is_not)
{
	int fd[2];
	char buf[16];

	OK(U_PIPE(fd), 0);
	OK(U_WRITE(fd[0], "kept", 4), 4);
	OK(U_IOCTL(fd[0], I_FLUSH, FLUSHW), 0);
	OK(U_READ(fd[1], buf, sizeof(buf)), 4);
	OK(U_CLOSE(fd[0]), 0);
	OK(U_CLOSE(fd[1]), 0);
	DONE;
}

/* The end that has it, and the other one; to flush what comes is to flush what the peer has sent. */
PROGRAM(pipemod, flushes_from_either_end)
{
	int fd[2];
	char buf[16];

	OK(U_PIPE(fd), 0);
	OK(U_IOCTL(fd[0], I_PUSH, "pipemod"), 0);
	OK(U_WRITE(fd[1], "stale", 5), 5);
	OK(U_IOCTL(fd[1], I_FLUSH, FLUSHW), 0);
	OK(U_WRITE(fd[1], "new", 3), 3);
	OK(U_READ(fd[0], buf, sizeof(buf)), 3);
	OK(U_WRITE(fd[0], "one", 3), 3);
	OK(U_WRITE(fd[1], "two", 3), 3);
	OK(U_IOCTL(fd[1], I_FLUSH, FLUSHRW), 0);
	OK(U_WRITE(fd[0], "x", 1), 1);
	OK(U_WRITE(fd[1], "y", 1), 1);
	OK(U_READ(fd[0], buf, sizeof(buf)), 1);
	cr_assert_eq(buf[0], 'y');
	OK(U_READ(fd[1], buf, sizeof(buf)), 1);
	cr_assert_eq(buf[0], 'x');
	OK(U_CLOSE(fd[0]), 0);
	OK(U_CLOSE(fd[1]), 0);
	DONE;
}
