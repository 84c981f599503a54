/* conskbd: all keyboards as one; between its files. */
#ifndef STRSIM_CONSKBD_H
#define STRSIM_CONSKBD_H

#include "sys/consdev.h"
#include "sys/kbtrans.h"
#include "sys/vuid_event.h"

#define CONSKBD_NKEYS 255

/* How far a keyboard's link has come. */
enum conskbd_lqs_state {
	LQS_UNINITIALIZED,
	LQS_KIOCTYPE_ACK_PENDING,
	LQS_KIOCTRANS_ACK_PENDING,
	LQS_KIOCLAYOUT_ACK_PENDING,
	LQS_KIOCSLED_ACK_PENDING,
	LQS_INITIALIZED_LEGACY,
	LQS_INITIALIZED,
};

/* A keyboard that is linked below. */
typedef struct conskbd_lower_queue {
	struct conskbd_lower_queue *lqs_next;
	queue_t *lqs_queue; /* lower write queue */
	queue_t *lqs_pending_queue;
	mblk_t *lqs_pending_plink; /* the I_PLINK that waits for the end of the sequence */
	enum conskbd_lqs_state lqs_state;
	cons_polledio_t *lqs_polledio;
	uchar_t lqs_key_state[CONSKBD_NKEYS]; /* enum keystate */
} conskbd_lower_queue_t;

/* What one keyboard that was asked has answered; NULL: nothing yet. */
typedef struct conskbd_response {
	struct conskbd_response *rsp_next;
	conskbd_lower_queue_t *rsp_lqs;
	mblk_t *rsp_mp;
} conskbd_response_t;

/* A request that keyboards have not all answered. */
typedef struct conskbd_pending_msg {
	struct conskbd_pending_msg *kpm_next;
	queue_t *kpm_upper_queue; /* write queue it came by */
	mblk_t *kpm_req_msg;      /* the original */
	uint_t kpm_req_id;
	int kpm_req_cmd;
	conskbd_response_t *kpm_resp_list; /* one for each keyboard that was asked */
} conskbd_pending_msg_t;

struct conskbd_state {
	struct kbtrans *conskbd_kbtrans; /* of the one virtual keyboard; NULL before minor 1 is opened */
	cons_polledio_t conskbd_polledio;
	conskbd_lower_queue_t *conskbd_lqueue_list;
	int conskbd_lqueue_nums;
	int conskbd_layout;                            /* -1 unknown */
	int conskbd_led_state;                         /* -1 unknown */
	bool conskbd_directio;                         /* keys go to minor 0 */
	bool conskbd_bypassed;                         /* one keyboard, which translates by itself */
	queue_t *conskbd_regqueue, *conskbd_consqueue; /* read queues of minor 0 and 1 */
	conskbd_pending_msg_t *conskbd_msg_queue;
};
extern KLOCAL struct conskbd_state conskbd;

/* conskbd_link.c: from the outer perimeter; each answers the ioctl, perhaps later. */
void conskbd_link(queue_t *q, mblk_t *mp);
void conskbd_unlink(queue_t *q, mblk_t *mp);
void conskbd_lqs_ack_complete(conskbd_lower_queue_t *lqs, mblk_t *mp);
/* Light all keyboards. */
void conskbd_streams_setled(void *hw, int state);

/* One key of one keyboard; inlined, since the library's caller shows in stacks. */
ALWAYS_INLINE void conskbd_key(conskbd_lower_queue_t *lqs, uchar_t id, enum keystate state)
{
	if (id < CONSKBD_NKEYS)
		lqs->lqs_key_state[id] = (uchar_t)state;
	kbtrans_streams_key(conskbd.conskbd_kbtrans, id, state);
}

/* conskbd_mux.c */
/* To all keyboards, and answered when all have. */
void conskbd_handle_downstream_msg(queue_t *q, mblk_t *mp);
/* A keyboard answered: consumes mp. */
void conskbd_mux_upstream_msg(conskbd_lower_queue_t *lqs, mblk_t *mp);
/* The same for a keyboard that is bypassed: its answer goes up as it is. */
void conskbd_legacy_upstream_msg(mblk_t *mp);
/* A keyboard goes: nobody waits for its answers. */
void conskbd_forget(const conskbd_lower_queue_t *lqs);
/* Free the requests that came by this write queue. */
void conskbd_drop(const queue_t *q);
/* How a debugger reads all keyboards: fill in the block. */
void conskbd_polledio_init(cons_polledio_t *p);

#endif
