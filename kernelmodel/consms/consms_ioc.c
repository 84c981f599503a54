/*
 * consms: one ioctl for many mice.
 *
 * A request is copied to each of them and kept, by its ioc_id, until all have
 * answered.  A mouse may want data of the caller first (M_COPYIN, M_COPYOUT):
 * then the caller is asked once for all of them, and what comes back goes to
 * each that asked, with the private word of its own request.
 */
#include <string.h>

#include "consms/consms.h"
#include "machine/machine.h"
#include "sys/errno.h"

/* ---- pending requests ---- */

static consms_msg_t *find_msg(uint_t id)
{
	consms_msg_t *msg = consms_state.msgs;

	while (msg != NULL && msg->msg_id != id)
		msg = msg->msg_next;
	return (msg);
}

/* Has every mouse answered? */
static bool all_answered(const consms_msg_t *msg)
{
	for (const consms_response_t *rsp = msg->msg_rsp_list; rsp != NULL; rsp = rsp->rsp_next)
		if (rsp->rsp_mp == NULL)
			return (false);
	return (true);
}

/* Where a mouse's place in the list is, or the list's end. */
static consms_response_t **find_response(consms_msg_t *msg, const consms_lq_t *lq)
{
	consms_response_t **pp = &msg->msg_rsp_list;

	while (*pp != NULL && (*pp)->rsp_lq != lq)
		pp = &(*pp)->rsp_next;
	return (pp);
}

static void free_response(consms_response_t **pp)
{
	consms_response_t *rsp = *pp;

	*pp = rsp->rsp_next;
	freemsg(rsp->rsp_mp);
	kmem_free(rsp, sizeof(*rsp));
}

static void free_msg(consms_msg_t *msg)
{
	consms_msg_t **pp = &consms_state.msgs;

	while (*pp != msg)
		pp = &(*pp)->msg_next;
	*pp = msg->msg_next;
	while (msg->msg_rsp_list != NULL)
		free_response(&msg->msg_rsp_list);
	freemsg(msg->msg_request);
	kmem_free(msg, sizeof(*msg));
}

/* End a request without anybody's success. */
static void refuse(consms_msg_t *msg, int error)
{
	queue_t *q = msg->msg_queue;
	mblk_t *mp = msg->msg_request;

	msg->msg_request = NULL;
	free_msg(msg);
	miocnak(q, mp, 0, error);
}

void consms_drop(const queue_t *q)
{
	consms_msg_t *next;

	for (consms_msg_t *msg = consms_state.msgs; msg != NULL; msg = next) {
		next = msg->msg_next;
		if (msg->msg_queue == q)
			free_msg(msg);
	}
}

/* ---- to the mice ---- */

/* What a new mouse will be told is what the others are told now. */
static void remember_settings(mblk_t *mp)
{
	const struct iocblk *ioc = (const struct iocblk *)mp->b_rptr;

	switch (ioc->ioc_cmd) {
	case VUIDSFORMAT:
		if (miocpullup(mp, sizeof(int)) == 0)
			consms_state.format = *(int *)mp->b_cont->b_rptr;
		break;
	case MSIOSETPARMS:
		if (miocpullup(mp, sizeof(Ms_parms)) == 0)
			consms_state.ms_parms = *(Ms_parms *)mp->b_cont->b_rptr;
		break;
	case MSIOSRESOLUTION:
		if (miocpullup(mp, sizeof(Ms_screen_resolution)) == 0)
			consms_state.resolution = *(Ms_screen_resolution *)mp->b_cont->b_rptr;
		break;
	default:
		break;
	}
}

/* Ask one mouse; without memory it is not asked. */
static void ask(consms_msg_t *msg, consms_lq_t *lq)
{
	consms_response_t **end = find_response(msg, NULL), *rsp = kmem_zalloc(sizeof(*rsp), KM_NOSLEEP);
	mblk_t *mp = rsp == NULL ? NULL : copymsg(msg->msg_request);

	if (mp == NULL) {
		if (rsp != NULL)
			kmem_free(rsp, sizeof(*rsp));
		return;
	}
	rsp->rsp_lq = lq;
	*end = rsp;
	(void)putq(lq->lq_queue, mp);
}

void consms_fan_out(queue_t *q, mblk_t *mp)
{
	consms_msg_t *msg;

	if (consms_state.lqueues == NULL) {
		miocnak(q, mp, 0, EINVAL);
		return;
	}
	if ((msg = kmem_zalloc(sizeof(*msg), KM_NOSLEEP)) == NULL) {
		miocnak(q, mp, 0, ENOMEM);
		return;
	}
	remember_settings(mp);
	msg->msg_id = ((struct iocblk *)mp->b_rptr)->ioc_id;
	msg->msg_queue = q;
	msg->msg_request = mp;
	msg->msg_next = consms_state.msgs;
	consms_state.msgs = msg;
	for (consms_lq_t *lq = consms_state.lqueues; lq != NULL; lq = lq->lq_next)
		ask(msg, lq);
	if (msg->msg_rsp_list == NULL)
		refuse(msg, ENOMEM);
}

/* ---- the answers ---- */

static bool is_copy(const mblk_t *mp)
{
	return (DB_TYPE(mp) == M_COPYIN || DB_TYPE(mp) == M_COPYOUT);
}

/* The first answer of a kind: a request to copy, else success, else any; NULL when there is none at all. */
static consms_response_t *best_response(const consms_msg_t *msg)
{
	consms_response_t *best = NULL;

	for (consms_response_t *rsp = msg->msg_rsp_list; rsp != NULL; rsp = rsp->rsp_next) {
		if (is_copy(rsp->rsp_mp))
			return (rsp);
		if (best == NULL || (DB_TYPE(rsp->rsp_mp) == M_IOCACK && DB_TYPE(best->rsp_mp) != M_IOCACK))
			best = rsp;
	}
	return (best);
}

/* One mouse's wish to copy becomes the caller's business; the answers are kept, for their private words. */
static void ask_caller(consms_msg_t *msg, const consms_response_t *rsp)
{
	mblk_t *mp = copymsg(rsp->rsp_mp);

	if (mp == NULL) {
		refuse(msg, ENOMEM);
		return;
	}
	((struct copyreq *)mp->b_rptr)->cq_private = NULL;
	qreply(msg->msg_queue, mp);
}

/* All have answered; the mice that were asked may be gone, too. */
static void consms_complete(consms_msg_t *msg)
{
	consms_response_t *rsp = best_response(msg);
	queue_t *q = msg->msg_queue;
	mblk_t *mp;

	if (rsp == NULL) {
		refuse(msg, EINVAL);
	} else if (is_copy(rsp->rsp_mp)) {
		ask_caller(msg, rsp);
	} else {
		mp = rsp->rsp_mp;
		rsp->rsp_mp = NULL;
		free_msg(msg);
		qreply(q, mp);
	}
}

void consms_answer(consms_lq_t *lq, mblk_t *mp)
{
	consms_msg_t *msg = find_msg(((struct iocblk *)mp->b_rptr)->ioc_id);
	consms_response_t *rsp = msg == NULL ? NULL : *find_response(msg, lq);

	if (rsp == NULL || rsp->rsp_mp != NULL) {
		freemsg(mp);
		return;
	}
	rsp->rsp_mp = mp;
	if (all_answered(msg))
		consms_complete(msg);
}

/* ---- the caller's answer ---- */

/* Give a mouse what it had asked for; it has yet to answer then.  False without memory. */
static bool hand_down(consms_response_t *rsp, mblk_t *mp)
{
	mblk_t *nmp = copymsg(mp);

	if (nmp == NULL)
		return (false);
	((struct copyresp *)nmp->b_rptr)->cp_private = ((struct copyreq *)rsp->rsp_mp->b_rptr)->cq_private;
	freemsg(rsp->rsp_mp);
	rsp->rsp_mp = NULL;
	(void)putq(rsp->rsp_lq->lq_queue, nmp);
	return (true);
}

void consms_iocdata(mblk_t *mp)
{
	consms_msg_t *msg = find_msg(((struct copyresp *)mp->b_rptr)->cp_id);
	bool failed = ((struct copyresp *)mp->b_rptr)->cp_rval != 0;
	consms_response_t **pp;

	if (msg == NULL) {
		freemsg(mp);
		return;
	}
	for (pp = &msg->msg_rsp_list; *pp != NULL;) {
		if ((*pp)->rsp_mp != NULL && is_copy((*pp)->rsp_mp) && !hand_down(*pp, mp))
			free_response(pp);
		else
			pp = &(*pp)->rsp_next;
	}
	freemsg(mp);
	if (failed)
		free_msg(msg); /* nobody answers that */
	else if (all_answered(msg))
		consms_complete(msg);
}

/* ---- a mouse goes ---- */

void consms_forget(const consms_lq_t *lq)
{
	consms_msg_t *next;

	for (consms_msg_t *msg = consms_state.msgs; msg != NULL; msg = next) {
		consms_response_t **pp = find_response(msg, lq);
		bool awaited;

		next = msg->msg_next;
		if (*pp == NULL)
			continue;
		awaited = (*pp)->rsp_mp == NULL;
		free_response(pp);
		/* If not, the caller is being asked: its answer will find who is left. */
		if (awaited && all_answered(msg))
			consms_complete(msg);
	}
}
