/* consms: all mice as one, /dev/mouse; between its two files, the multiplexor and its ioctls. */
#ifndef STRSIM_CONSMS_H
#define STRSIM_CONSMS_H

#include "sys/msio.h"
#include "sys/stream.h"
#include "sys/vuid_event.h"

/* A mouse that is linked below. */
typedef struct consms_lq {
	struct consms_lq *lq_next;
	int lq_state;      /* step of the link sequence (consms_link.c); CONSMS_LQ_READY */
	queue_t *lq_queue; /* lower write queue */
	/* Takes the answer to what this mouse was asked while it is being linked; NULL afterwards. */
	void (*lq_ioc_reply_func)(struct consms_lq *, mblk_t *);
	mblk_t *lq_pending_plink;
	queue_t *lq_pending_queue;
	int lq_num_buttons, lq_num_wheels;
} consms_lq_t;

/* What one mouse that was asked has answered; NULL: nothing yet. */
typedef struct consms_response {
	struct consms_response *rsp_next;
	consms_lq_t *rsp_lq;
	mblk_t *rsp_mp;
} consms_response_t;

/* A request that mice have not all answered, by ioc_id. */
typedef struct consms_msg {
	struct consms_msg *msg_next;
	uint_t msg_id;
	consms_response_t *msg_rsp_list; /* one for each mouse that was asked */
	queue_t *msg_queue;              /* upper write queue it came by */
	mblk_t *msg_request;
} consms_msg_t;

struct consms_state {
	queue_t *upperqueue; /* read queue */
	consms_lq_t *lqueues;
	int nlqueues;
	consms_msg_t *msgs;
	/* Settings that a new mouse is given. */
	int format, num_buttons, num_wheels;
	uint_t wheel_state_bf;
	Ms_parms ms_parms;
	Ms_screen_resolution resolution;
	clock_t_ idle_stamp; /* when a mouse last said something */
};
extern KLOCAL struct consms_state consms_state;

/* consms_link.c: these take the ioctl, and answer it, perhaps later. */
void consms_plink(queue_t *q, mblk_t *mp);
void consms_punlink(queue_t *q, mblk_t *mp);

/* consms_ioc.c */
/* To all mice, and answered when all have. */
void consms_fan_out(queue_t *q, mblk_t *mp);
void consms_iocdata(mblk_t *mp);
/* A mouse answered. */
void consms_answer(consms_lq_t *lq, mblk_t *mp);
/* It never will: it goes away. */
void consms_forget(const consms_lq_t *lq);
/* Free the requests of an upper queue that closes. */
void consms_drop(const queue_t *q);

#endif
