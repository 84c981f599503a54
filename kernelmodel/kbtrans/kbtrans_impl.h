/* Between the files of kbtrans. */
#ifndef STRSIM_KBTRANS_IMPL_H
#define STRSIM_KBTRANS_IMPL_H

#include "sys/kbtrans.h"
#include "sys/vuid_event.h"

#define NSTATIONS 256
#define NDOWNS 15

/* What a keyboard's stations give, for each combination of shift keys that has a table. */
struct keyboard {
	int k_id;
	uchar_t k_abort1, k_abort1a, k_abort2;
	ushort_t k_normal[NSTATIONS], k_shifted[NSTATIONS], k_caps[NSTATIONS], k_altgraph[NSTATIONS];
	ushort_t k_numlock[NSTATIONS], k_control[NSTATIONS], k_up[NSTATIONS];
};

enum compose_state { KS_NORMAL, KS_COMPOSE1, KS_COMPOSE2, KS_ACCENT };

struct kbtrans_callbacks;

/* The half that translates. */
struct kbtrans_lower {
	struct keyboard kbtrans_keyboard;
	uchar_t kbtrans_repeatkey; /* 0 none */
	int kbtrans_led_state;
	uint_t kbtrans_shiftmask;
	uint_t kbtrans_buckybits;
	enum compose_state kbtrans_state;
	uchar_t kbtrans_compose_key; /* first character of a pair */
	ushort_t kbtrans_fltaccent;  /* accent that waits for its letter */
	char kbtrans_keystringtab[NSTRINGS][KTAB_STRLEN];
	char kbtrans_numlock_table[NPADKEYS];
	int kbtrans_compat;
	struct kbtrans *kbtrans_upper;
};

struct key_event {
	uchar_t key_station; /* 0 free */
	Firm_event event;
};

/* The half that has to do with STREAMS. */
struct kbtrans {
	struct kbtrans_lower kbtrans_lower;
	queue_t *kbtrans_streams_readq;
	mblk_t *kbtrans_streams_iocpending; /* waits for memory */
	queue_t *kbtrans_streams_iocqueue;  /* whose it is */
	bufcall_id_t kbtrans_streams_bufcallid;
	timeout_id_t kbtrans_streams_rptid;
	int kbtrans_streams_rptdelay, kbtrans_streams_rptrate; /* ticks */
	int kbtrans_streams_translate_mode;
	int kbtrans_streams_translatable;
	struct {
		int ascii, top, vkey;
	} kbtrans_streams_vuid_addr;
	struct key_event kbtrans_streams_downs[NDOWNS];
	uint_t kbtrans_overflow_cnt;
	bool kbtrans_streams_abortable;
	uchar_t kbtrans_streams_abort1_key; /* pressed and held back, or 0 */
	const struct kbtrans_callbacks *kbtrans_streams_callback;
	void *kbtrans_streams_hw;
	const kbtrans_hw_callbacks_t *kbtrans_streams_hw_callbacks;
};

/* What a mode does; NULL: nothing.  With the raw ones a key is not looked up at all. */
struct kbtrans_callbacks {
	void (*keypressed_raw)(struct kbtrans *kt, uchar_t station);
	void (*keyreleased_raw)(struct kbtrans *kt, uchar_t station);
	/* A key that means something else than a character: entry of the table. */
	void (*keypressed)(struct kbtrans *kt, uchar_t station, ushort_t entry);
	void (*keyreleased)(struct kbtrans *kt, uchar_t station);
	/* A character; base is what the key gives without its modifier. */
	void (*character)(struct kbtrans *kt, uchar_t ch, ushort_t base);
	bool repeats;
};

/* kbtrans.c */
void kbtrans_processkey(struct kbtrans_lower *lower, const struct kbtrans_callbacks *cb, uchar_t key,
			enum keystate state);
void kbtrans_translate(struct kbtrans_lower *lower, const struct kbtrans_callbacks *cb, uchar_t key,
		       enum keystate state);
/* Press a key again that is held. */
void kbtrans_repeat(struct kbtrans_lower *lower, const struct kbtrans_callbacks *cb, uchar_t key);

/* kbtrans_streams.c */
extern const struct kbtrans_callbacks kbtrans_untrans_callbacks, kbtrans_ascii_callbacks, kbtrans_event_callbacks;
void kbtrans_queuepress(struct kbtrans *kt, uchar_t station, Firm_event *fe);
void kbtrans_queueevent(struct kbtrans *kt, Firm_event *fe);
void kbtrans_flush(struct kbtrans *kt);
void kbtrans_setled(struct kbtrans *kt);
void kbtrans_setup_repeat(struct kbtrans *kt, uchar_t key);
void kbtrans_cancel_repeat(struct kbtrans *kt);
void kbtrans_set_mode(struct kbtrans *kt, int mode);

/* kbtrans_ioctl.c */
void kbtrans_ioctl(struct kbtrans *kt, mblk_t *mp, enum kbtrans_message_response *handled);

/* kbtrans_tables.c */
void keyboard_us(struct keyboard *kb, int id);
/* The table for a kio_tablemask; NULL when there is none. */
ushort_t *keyboard_table(struct keyboard *kb, uint_t mask);
extern const char kbtrans_strings[NSTRINGS][KTAB_STRLEN];
extern const char kbtrans_numlock_chars[NPADKEYS + 1];

/* kbtrans_compose.c */
/* The letter of two composed characters, or of an accent and a letter: -1 when there is none. */
int compose_pair(uchar_t first, uchar_t second);
int compose_accent(ushort_t accent, uchar_t letter);

#endif
