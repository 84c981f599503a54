/*
 * Calls that come later: bufcall(9F), qtimeout(9F), qbufcall(9F), and sleeping
 * for memory.
 *
 * Theory.  Requests for memory stand in one list, first come, first served; a
 * thread of the kernel calls those whose size can be had.  It looks when a
 * request comes and when memory was freed after some had been refused.
 *
 * Synchronous callbacks are ordinary timeouts and bufcalls of qcallbwrapper(),
 * which enters the perimeter of the queue, calls, and leaves: that is where
 * what the callback put into its own module comes out.
 */
#include "sys/errno.h"
#include "sys/strsubr.h"

/* ---- bufcall ---- */

typedef struct strbufcall {
	void (*bc_func)(void *);
	void *bc_arg;
	size_t bc_size;
	bufcall_id_t bc_id;
	struct strbufcall *bc_next;
	kthread_t *bc_executor;
} strbufcall_t;

static KLOCAL strbufcall_t *bc_first, *bc_last; /* waiting */
static KLOCAL uint_t bc_count;
static KLOCAL strbufcall_t *bc_running;
static KLOCAL bufcall_id_t bc_lastid;
static KLOCAL bool bc_look;          /* something happened since the thread looked */
static KLOCAL kcondvar_t strbcwait;  /* the thread's sleep */
static KLOCAL kcondvar_t bcall_done; /* unbufcall()'s */

ALWAYS_INLINE void bc_append(strbufcall_t *bcp)
{
	bcp->bc_next = NULL;
	*(bc_first == NULL ? &bc_first : &bc_last->bc_next) = bcp;
	bc_last = bcp;
	bc_count++;
}

ALWAYS_INLINE strbufcall_t *bc_take(void)
{
	strbufcall_t *bcp = bc_first;

	bc_first = bcp->bc_next;
	bc_count--;
	return bcp;
}

bufcall_id_t bufcall(size_t size, uint_t pri, void (*func)(void *), void *arg)
{
	strbufcall_t *bcp = kmem_zalloc(sizeof(*bcp), KM_NOSLEEP);

	(void)pri;
	if (bcp == NULL)
		return 0;
	bcp->bc_func = func;
	bcp->bc_arg = arg;
	bcp->bc_size = size;
	bcp->bc_id = bc_lastid = (bc_lastid + 2) | 1;
	bc_append(bcp);
	strbcwakeup();
	return bcp->bc_id;
}

bufcall_id_t esbbcall(uint_t pri, void (*func)(void *), void *arg)
{
	return bufcall(1, pri, func, arg);
}

void unbufcall(bufcall_id_t id)
{
	for (strbufcall_t **link = &bc_first, *prev = NULL; *link != NULL; prev = *link, link = &prev->bc_next) {
		strbufcall_t *bcp = *link;

		if (bcp->bc_id != id)
			continue;
		*link = bcp->bc_next;
		if (bc_last == bcp)
			bc_last = prev;
		bc_count--;
		kmem_free(bcp, sizeof(*bcp));
		return;
	}
	while (bc_running != NULL && bc_running->bc_id == id && bc_running->bc_executor != curthread)
		cv_wait(&bcall_done);
}

void strbcwakeup(void)
{
	if (bc_first == NULL)
		return;
	bc_look = true;
	cv_signal(&strbcwait);
}

/* Call everybody who can be served, looking at each request once. */
static void runbufcalls(void)
{
	for (uint_t n = bc_count; n > 0 && bc_first != NULL; n--) {
		strbufcall_t *bcp = bc_take();

		if (!testb(bcp->bc_size, BPRI_MED)) {
			bc_append(bcp);
			continue;
		}
		bcp->bc_executor = curthread;
		bc_running = bcp;
		bcp->bc_func(bcp->bc_arg);
		bc_running = NULL;
		kmem_free(bcp, sizeof(*bcp));
		cv_broadcast(&bcall_done);
	}
}

static void streams_bufcall_service(void *arg)
{
	(void)arg;
	for (;;) {
		while (bc_look) {
			bc_look = false;
			runbufcalls();
		}
		cv_wait(&strbcwait);
	}
}

/* ---- sleeping for memory ---- */

static void cbrun(void *arg)
{
	cv_broadcast(arg);
}

int strwaitbuf(size_t size, uint_t pri)
{
	kcondvar_t cv = {NULL, NULL};
	bufcall_id_t id = bufcall(size, pri, cbrun, &cv);
	int awake;

	if (id == 0)
		return ENOSR;
	awake = cv_wait_sig(&cv);
	unbufcall(id);
	return awake ? 0 : EINTR;
}

void strwaitbuf_nosig(size_t size, uint_t pri)
{
	kcondvar_t cv = {NULL, NULL};
	bufcall_id_t id = bufcall(size, pri, cbrun, &cv);

	if (id != 0)
		cv_wait(&cv);
	else
		cv_timedwait(&cv, ddi_get_lbolt() + 1);
}

/* ---- synchronous callbacks ---- */

/* Where a callback is on its way. */
enum { CB_PENDING, CB_ENTERING, CB_CANCELED, CB_RUNNING };

typedef struct callbparams {
	syncq_t *cbp_sq;
	void (*cbp_func)(void *);
	void *cbp_arg;
	uint64_t cbp_id; /* of the timeout or bufcall */
	int cbp_state;
	bool cbp_isbufcall;
	struct callbparams *cbp_next, **cbp_pprev; /* on sq_callbpend */
} callbparams_t;

static KLOCAL callbparams_t *cbp_pool;

ALWAYS_INLINE callbparams_t *cbp_alloc(queue_t *q, void (*func)(void *), void *arg, bool isbufcall)
{
	callbparams_t *cbp = cbp_pool;
	syncq_t *sq = q->q_syncq;

	if (cbp != NULL)
		cbp_pool = cbp->cbp_next;
	else if ((cbp = kmem_alloc(sizeof(*cbp), KM_NOSLEEP)) == NULL)
		return NULL;
	cbp->cbp_sq = sq;
	cbp->cbp_func = func;
	cbp->cbp_arg = arg;
	cbp->cbp_state = CB_PENDING;
	cbp->cbp_isbufcall = isbufcall;
	cbp->cbp_next = sq->sq_callbpend;
	cbp->cbp_pprev = &sq->sq_callbpend;
	if (cbp->cbp_next != NULL)
		cbp->cbp_next->cbp_pprev = &cbp->cbp_next;
	sq->sq_callbpend = cbp;
	return cbp;
}

ALWAYS_INLINE void cbp_free(callbparams_t *cbp)
{
	*cbp->cbp_pprev = cbp->cbp_next;
	if (cbp->cbp_next != NULL)
		cbp->cbp_next->cbp_pprev = cbp->cbp_pprev;
	cbp->cbp_next = cbp_pool;
	cbp_pool = cbp;
}

ALWAYS_INLINE callbparams_t *cbp_find(queue_t *q, uint64_t id)
{
	callbparams_t *cbp = q->q_syncq->sq_callbpend;

	while (cbp != NULL && cbp->cbp_id != id)
		cbp = cbp->cbp_next;
	return cbp;
}

/* What the timeout or bufcall runs. */
static void qcallbwrapper(void *arg)
{
	callbparams_t *cbp = arg;
	syncq_t *sq = cbp->cbp_sq;

	if (cbp->cbp_state == CB_PENDING)
		cbp->cbp_state = CB_ENTERING;
	entersq(sq, SQ_CALLBACK);
	if (cbp->cbp_state == CB_ENTERING) {
		cbp->cbp_state = CB_RUNNING;
		cbp->cbp_func(cbp->cbp_arg);
	}
	cbp_free(cbp);
	cv_broadcast(&sq->sq_exitwait);
	leavesq(sq, SQ_CALLBACK);
}

timeout_id_t qtimeout(queue_t *q, void (*func)(void *), void *arg, clock_t_ ticks)
{
	callbparams_t *cbp = cbp_alloc(q, func, arg, false);

	if (cbp == NULL)
		return 0;
	cbp->cbp_id = timeout(qcallbwrapper, cbp, ticks);
	if (cbp->cbp_id == 0) {
		cbp_free(cbp);
		return 0;
	}
	return cbp->cbp_id;
}

clock_t_ quntimeout(queue_t *q, timeout_id_t id)
{
	callbparams_t *cbp = cbp_find(q, id);
	clock_t_ left;

	if (cbp == NULL || cbp->cbp_state == CB_RUNNING || cbp->cbp_state == CB_CANCELED)
		return -1;
	if (cbp->cbp_state == CB_PENDING && (left = untimeout(id)) >= 0) {
		cbp_free(cbp);
		return left;
	}
	cbp->cbp_state = CB_CANCELED; /* it has expired, but is not inside yet */
	return 0;
}

bufcall_id_t qbufcall(queue_t *q, size_t size, uint_t pri, void (*func)(void *), void *arg)
{
	callbparams_t *cbp = cbp_alloc(q, func, arg, true);

	if (cbp == NULL)
		return 0;
	cbp->cbp_id = bufcall(size, pri, qcallbwrapper, cbp);
	if (cbp->cbp_id == 0) {
		cbp_free(cbp);
		return 0;
	}
	return cbp->cbp_id;
}

void qunbufcall(queue_t *q, bufcall_id_t id)
{
	callbparams_t *cbp = cbp_find(q, id);

	if (cbp == NULL || cbp->cbp_state == CB_RUNNING)
		return;
	if (cbp->cbp_state == CB_ENTERING) {
		cbp->cbp_state = CB_CANCELED;
		return;
	}
	unbufcall(id);
	cbp_free(cbp);
}

/* The perimeter goes away: cancel what is pending, let what is under way come to its end. */
void callb_end(syncq_t *sq)
{
	callbparams_t *cbp, *next;

	for (cbp = sq->sq_callbpend; cbp != NULL; cbp = next) {
		next = cbp->cbp_next;
		if (cbp->cbp_state != CB_PENDING)
			continue;
		if (cbp->cbp_isbufcall)
			unbufcall(cbp->cbp_id);
		if (cbp->cbp_isbufcall || untimeout(cbp->cbp_id) >= 0)
			cbp_free(cbp);
		else
			cbp->cbp_state = CB_CANCELED;
	}
	while (sq->sq_callbpend != NULL)
		cv_wait(&sq->sq_exitwait);
}

/* ---- boot ---- */

static void strcall_init(void)
{
	thread_create(streams_bufcall_service, NULL, 60);
}

static void strcall_fini(void)
{
	strbufcall_t *bcp;
	callbparams_t *cbp;

	while ((bcp = bc_first) != NULL) {
		bc_first = bcp->bc_next;
		kmem_free(bcp, sizeof(*bcp));
	}
	bc_last = NULL;
	bc_count = 0;
	bc_running = NULL;
	bc_look = false;
	bc_lastid = 0;
	while ((cbp = cbp_pool) != NULL) {
		cbp_pool = cbp->cbp_next;
		kmem_free(cbp, sizeof(*cbp));
	}
	strbcwait = bcall_done = (kcondvar_t){NULL, NULL};
}

KERNEL_INIT(1, strcall_init, strcall_fini);
