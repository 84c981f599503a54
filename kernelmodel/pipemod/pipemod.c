/*
 * pipemod: flushing in pipes (pipemod(7M)).
 *
 * A pipe is two stream heads twisted together: what one writes the other reads,
 * so at its middle a message goes from write queues to read queues.  For a flush
 * the middle changes what R and W mean: what the sender calls its write side is
 * the receiver's read side.  In other streams the driver does that.  pipemod, the
 * first module pushed on one end of a pipe, is there to do it for a pipe; it does
 * the same wherever else it is pushed.  Everything but M_FLUSH it passes on.
 *
 * It keeps nothing, neither messages nor state, so its queues have no service
 * procedures: flow control looks through it.
 */
#include "sys/errno.h"
#include "sys/stream.h"

/*
 * Exchange R and W of a flush that has only one of them; both or a flush of a
 * band stay what they are otherwise.  NULL when others hold the block too and
 * there is no memory for one of our own: the flush is lost then.
 */
ALWAYS_INLINE mblk_t *pipe_turn(mblk_t *mp)
{
	uchar_t how = *mp->b_rptr & FLUSHRW;

	if (how != FLUSHR && how != FLUSHW)
		return mp;
	if (DB_REF(mp) > 1) {
		mblk_t *own = copymsg(mp);

		freemsg(mp);
		if ((mp = own) == NULL)
			return NULL;
	}
	*mp->b_rptr ^= FLUSHRW;
	return mp;
}

/* The put procedure of both sides. */
static int pipeput(queue_t *q, mblk_t *mp)
{
	if (DB_TYPE(mp) == M_FLUSH && (mp = pipe_turn(mp)) == NULL)
		return 0;
	putnext(q, mp);
	return 0;
}

static int pipeopen(queue_t *q, dev_t *devp, int oflag, int sflag, cred_t *cr)
{
	(void)devp, (void)oflag, (void)cr;
	if (sflag != MODOPEN)
		return EINVAL;
	qprocson(q);
	return 0;
}

static int pipeclose(queue_t *q, int flag, cred_t *cr)
{
	(void)flag, (void)cr;
	qprocsoff(q);
	return 0;
}

/* ---- tables ---- */

static struct module_info pipe_info = {1003, "pipemod", 0, INFPSZ, 5120, 1024};
static struct qinit pipe_rinit = {
    .qi_putp = pipeput, .qi_qopen = pipeopen, .qi_qclose = pipeclose, .qi_minfo = &pipe_info};
static struct qinit pipe_winit = {.qi_putp = pipeput, .qi_minfo = &pipe_info};
static struct streamtab pipe_tab = {&pipe_rinit, &pipe_winit, NULL, NULL};

STREAMS_MODULE(pipemod, "pipemod", &pipe_tab, D_MP);
