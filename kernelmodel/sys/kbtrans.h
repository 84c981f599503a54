/*
 * kbtrans: what a key means.  A library of keyboard drivers, which has no
 * queues of its own: each of its instances belongs to a driver and puts what it
 * makes of keys on that driver's read queue.
 *
 * Modes (kb(7M)): TR_ASCII characters; TR_EVENT characters and function keys as
 * Firm_events; TR_UNTRANS_EVENT each press and release as a Firm_event whose id
 * is the key's station.
 */
#ifndef STRSIM_SYS_KBTRANS_H
#define STRSIM_SYS_KBTRANS_H

#include "sys/kbd.h"
#include "sys/stream.h"

struct kbtrans;

/* What the library wants of the driver; the pointer is the one given to kbtrans_streams_init(). */
typedef struct kbtrans_hw_callbacks {
	void (*setled)(void *hw, int state); /* light these, LED_... */
} kbtrans_hw_callbacks_t;

enum kbtrans_message_response { KBTRANS_MESSAGE_HANDLED, KBTRANS_MESSAGE_NOT_HANDLED };

/*
 * A new instance for read queue q, in mode TR_ASCII, of type KB_PC until
 * kbtrans_streams_set_keyboard(); sflag and cr are those of the driver's open.
 * 0, EINVAL (a clone open), EPERM, ENOMEM.
 */
int kbtrans_streams_init(queue_t *q, int sflag, cred_t *cr, void *hw, const kbtrans_hw_callbacks_t *cb, int leds,
			 struct kbtrans **ktp);
/* Cancel all that is pending and free it. */
void kbtrans_streams_fini(struct kbtrans *kt);
/* KB_PC or KB_USB: the numbering of stations and the tables that go with it (US). */
void kbtrans_streams_set_keyboard(struct kbtrans *kt, int id);
/* The driver is ready: show the lights. */
void kbtrans_streams_enable(struct kbtrans *kt);
/* Where events and answers go; NULL: nowhere. */
void kbtrans_streams_set_queue(struct kbtrans *kt, queue_t *q);
queue_t *kbtrans_streams_get_queue(const struct kbtrans *kt);
/* End autorepeat and drop the request of queue q (any for NULL) that waits for memory. */
void kbtrans_streams_untimeout(struct kbtrans *kt, const queue_t *q);
/* Forget all keys that are down, without events. */
void kbtrans_streams_releaseall(struct kbtrans *kt);
/* Is stopping by Stop-A (F1-A) allowed? */
void kbtrans_streams_set_abortable(struct kbtrans *kt, bool abortable);
/* A key went down or up. */
void kbtrans_streams_key(struct kbtrans *kt, uchar_t key, enum keystate state);
/* A message from above: consumed and answered when it is one of the library's ioctls, else still the caller's. */
enum kbtrans_message_response kbtrans_streams_message(struct kbtrans *kt, mblk_t *mp);
/* The lights as the library has them. */
int kbtrans_streams_led_state(const struct kbtrans *kt);
void kbtrans_streams_set_led_state(struct kbtrans *kt, int state);
/* Entry of the normal table. */
ushort_t kbtrans_streams_entry(const struct kbtrans *kt, uchar_t key);

/* The operator wants the debugger (abort_sequence_enter(9F)): the model says so on the console and goes on. */
void abort_sequence_enter(const char *msg);
/* How often since boot. */
uint_t abort_sequence_count(void);

#endif
