/*
 * conskbd: one ioctl for all keyboards.
 *
 * The request is kept by its ioc_id, a copy goes to each keyboard, and when all
 * have answered the original goes back as the answer: it has succeeded when it
 * has with one of them.
 */
#include <string.h>

#include "conskbd/conskbd.h"
#include "machine/machine.h"
#include "sys/errno.h"
#include "sys/kbio.h"

#define COPY_TRIES 5

/* ---- pending requests ---- */

static conskbd_pending_msg_t *find_pending(uint_t id)
{
	conskbd_pending_msg_t *kpm = conskbd.conskbd_msg_queue;

	while (kpm != NULL && kpm->kpm_req_id != id)
		kpm = kpm->kpm_next;
	return (kpm);
}

static conskbd_response_t **find_response(conskbd_pending_msg_t *kpm, const conskbd_lower_queue_t *lqs)
{
	conskbd_response_t **pp = &kpm->kpm_resp_list;

	while (*pp != NULL && (*pp)->rsp_lqs != lqs)
		pp = &(*pp)->rsp_next;
	return (pp);
}

static void free_response(conskbd_response_t **pp)
{
	conskbd_response_t *rsp = *pp;

	*pp = rsp->rsp_next;
	freemsg(rsp->rsp_mp);
	kmem_free(rsp, sizeof(*rsp));
}

/* Take a request out of the list and free it; the original goes to the caller, or is freed. */
static mblk_t *end_pending(conskbd_pending_msg_t *kpm)
{
	conskbd_pending_msg_t **pp = &conskbd.conskbd_msg_queue;
	mblk_t *mp = kpm->kpm_req_msg;

	while (*pp != kpm)
		pp = &(*pp)->kpm_next;
	*pp = kpm->kpm_next;
	while (kpm->kpm_resp_list != NULL)
		free_response(&kpm->kpm_resp_list);
	kmem_free(kpm, sizeof(*kpm));
	return (mp);
}

void conskbd_drop(const queue_t *q)
{
	conskbd_pending_msg_t *next;

	for (conskbd_pending_msg_t *kpm = conskbd.conskbd_msg_queue; kpm != NULL; kpm = next) {
		next = kpm->kpm_next;
		if (kpm->kpm_upper_queue == q)
			freemsg(end_pending(kpm));
	}
}

/* ---- down ---- */

static mblk_t *copy_hard(mblk_t *mp)
{
	mblk_t *nmp = NULL;

	for (int i = 0; i < COPY_TRIES && nmp == NULL; i++)
		nmp = copymsg(mp);
	return (nmp);
}

/* Ask one keyboard; without memory it is not asked. */
static void ask(conskbd_pending_msg_t *kpm, conskbd_lower_queue_t *lqs)
{
	conskbd_response_t **end = find_response(kpm, NULL), *rsp = kmem_zalloc(sizeof(*rsp), KM_NOSLEEP);
	mblk_t *mp = rsp == NULL ? NULL : copy_hard(kpm->kpm_req_msg);

	if (mp == NULL) {
		if (rsp != NULL)
			kmem_free(rsp, sizeof(*rsp));
		return;
	}
	rsp->rsp_lqs = lqs;
	*end = rsp;
	(void)putq(lqs->lqs_queue, mp);
}

void conskbd_handle_downstream_msg(queue_t *q, mblk_t *mp)
{
	const struct iocblk *ioc = (const struct iocblk *)mp->b_rptr;
	conskbd_pending_msg_t *kpm = kmem_zalloc(sizeof(*kpm), KM_NOSLEEP);

	if (kpm == NULL) {
		miocnak(q, mp, 0, ENOMEM);
		return;
	}
	kpm->kpm_upper_queue = q;
	kpm->kpm_req_msg = mp;
	kpm->kpm_req_id = ioc->ioc_id;
	kpm->kpm_req_cmd = ioc->ioc_cmd;
	kpm->kpm_next = conskbd.conskbd_msg_queue;
	conskbd.conskbd_msg_queue = kpm;
	for (conskbd_lower_queue_t *lqs = conskbd.conskbd_lqueue_list; lqs != NULL; lqs = lqs->lqs_next)
		ask(kpm, lqs);
	if (kpm->kpm_resp_list == NULL)
		miocnak(q, end_pending(kpm), 0, ENOMEM);
}

/* ---- up ---- */

/* Keep what a keyboard said about polled input. */
static void collect_polledio(const conskbd_pending_msg_t *kpm, conskbd_response_t *rsp)
{
	mblk_t *mp = rsp->rsp_mp;

	rsp->rsp_lqs->lqs_polledio = NULL;
	if (kpm->kpm_req_cmd == CONSOPENPOLLEDIO && DB_TYPE(mp) == M_IOCACK &&
	    miocpullup(mp, sizeof(cons_polledio_t *)) == 0)
		rsp->rsp_lqs->lqs_polledio = *(cons_polledio_t **)mp->b_cont->b_rptr;
}

/* The console's block for all of them goes into the original's data. */
static int answer_polledio(mblk_t *mp)
{
	cons_polledio_t *block = &conskbd.conskbd_polledio;
	int error = miocpullup(mp, sizeof(block));

	if (error != 0)
		return (error);
	conskbd_polledio_init(block);
	memcpy(mp->b_cont->b_rptr, &block, sizeof(block));
	return (0);
}

/* All have answered: 0 when one of them has succeeded, else the last one's error. */
static int collect(conskbd_pending_msg_t *kpm)
{
	int error = EINVAL;

	for (conskbd_response_t *rsp = kpm->kpm_resp_list; rsp != NULL; rsp = rsp->rsp_next) {
		const struct iocblk *ioc = (const struct iocblk *)rsp->rsp_mp->b_rptr;

		if (DB_TYPE(rsp->rsp_mp) == M_IOCACK)
			error = 0;
		else if (error != 0 && ioc->ioc_error != 0)
			error = ioc->ioc_error;
		if (kpm->kpm_req_cmd == CONSOPENPOLLEDIO || kpm->kpm_req_cmd == CONSCLOSEPOLLEDIO)
			collect_polledio(kpm, rsp);
	}
	return (error != 0 || kpm->kpm_req_cmd != CONSOPENPOLLEDIO ? error : answer_polledio(kpm->kpm_req_msg));
}

static bool all_answered(const conskbd_pending_msg_t *kpm)
{
	for (const conskbd_response_t *rsp = kpm->kpm_resp_list; rsp != NULL; rsp = rsp->rsp_next)
		if (rsp->rsp_mp == NULL)
			return (false);
	return (true);
}

/* The original as its own answer; its count and data stay as they were sent. */
ALWAYS_INLINE mblk_t *answer(conskbd_pending_msg_t *kpm)
{
	int error = collect(kpm);
	mblk_t *mp = end_pending(kpm);
	struct iocblk *ioc = (struct iocblk *)mp->b_rptr;

	DB_TYPE(mp) = error == 0 ? M_IOCACK : M_IOCNAK;
	ioc->ioc_error = error;
	ioc->ioc_rval = 0;
	return mp;
}

void conskbd_mux_upstream_msg(conskbd_lower_queue_t *lqs, mblk_t *mp)
{
	conskbd_pending_msg_t *kpm = find_pending(((struct iocblk *)mp->b_rptr)->ioc_id);
	conskbd_response_t *rsp = kpm == NULL ? NULL : *find_response(kpm, lqs);
	queue_t *q;

	if (rsp == NULL || rsp->rsp_mp != NULL) {
		freemsg(mp); /* the answer to a request of our own */
		return;
	}
	rsp->rsp_mp = mp;
	if (!all_answered(kpm))
		return;
	q = kpm->kpm_upper_queue;
	qreply(q, answer(kpm));
}

void conskbd_legacy_upstream_msg(mblk_t *mp)
{
	conskbd_pending_msg_t *kpm = find_pending(((struct iocblk *)mp->b_rptr)->ioc_id);
	queue_t *q;

	if (kpm == NULL) {
		freemsg(mp);
		return;
	}
	q = kpm->kpm_upper_queue;
	freemsg(end_pending(kpm));
	qreply(q, mp);
}

void conskbd_forget(const conskbd_lower_queue_t *lqs)
{
	conskbd_pending_msg_t *next;

	for (conskbd_pending_msg_t *kpm = conskbd.conskbd_msg_queue; kpm != NULL; kpm = next) {
		conskbd_response_t **pp = find_response(kpm, lqs);
		queue_t *q = kpm->kpm_upper_queue;

		next = kpm->kpm_next;
		if (*pp == NULL)
			continue;
		free_response(pp);
		if (all_answered(kpm))
			qreply(q, answer(kpm));
	}
}

/* ---- polled input ---- */

#define POLLED_FOREACH(lqs)                                                                                    \
	for (conskbd_lower_queue_t *lqs = conskbd.conskbd_lqueue_list; (lqs) != NULL; (lqs) = (lqs)->lqs_next) \
		if ((lqs)->lqs_polledio != NULL)

/* The keyboard that has a byte, or NULL. */
static cons_polledio_t *polled_ready(void)
{
	POLLED_FOREACH(lqs)
	{
		cons_polledio_t *p = lqs->lqs_polledio;

		if (p->cons_polledio_ischar(p->cons_polledio_argument))
			return (p);
	}
	return (NULL);
}

static int conskbd_polledio_ischar(void *arg)
{
	(void)arg;
	return (polled_ready() != NULL);
}

static int conskbd_polledio_getchar(void *arg)
{
	cons_polledio_t *p = polled_ready();

	(void)arg;
	return (p == NULL ? 0 : p->cons_polledio_getchar(p->cons_polledio_argument));
}

static void conskbd_polledio_enter(void *arg)
{
	(void)arg;
	POLLED_FOREACH(lqs)
	lqs->lqs_polledio->cons_polledio_enter(lqs->lqs_polledio->cons_polledio_argument);
}

static void conskbd_polledio_exit(void *arg)
{
	(void)arg;
	POLLED_FOREACH(lqs)
	lqs->lqs_polledio->cons_polledio_exit(lqs->lqs_polledio->cons_polledio_argument);
}

void conskbd_polledio_init(cons_polledio_t *p)
{
	*p = (cons_polledio_t){CONSPOLLEDIO_V1,         NULL,
			       conskbd_polledio_ischar, conskbd_polledio_getchar,
			       conskbd_polledio_enter,  conskbd_polledio_exit};
}
