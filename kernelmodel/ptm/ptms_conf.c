/*
 * The pairs of pseudo-terminals, found by minor number.
 *
 * Slot i of the table is the pair of minor i + 1.  A new pair takes the lowest
 * free slot, so that terminals have small numbers; the table grows, twofold at
 * first, and never shrinks before the kernel ends.
 *
 * The drivers of Solaris guard the two read queues of a pair by a gate: put
 * and service procedures enter it as readers, open and close as writers.  No
 * thread of the model is ever pre-empted inside one, so there is no gate here.
 */
#include "sys/ptms.h"

#include <string.h>

#define PT_INITSLOTS 16 /* of the first table */
#define PT_MAXSTEP 128  /* grow by so many at most */
/* Pairs may take this part of the laptop's memory, in per cent. */
#define PT_PERCENT 5
#define PT_MEMORY (512UL << 20)

KLOCAL uint_t pt_cnt, pt_max_pty;

static KLOCAL pt_ttys_t **slots;
static KLOCAL uint_t nslots, lowest; /* no slot below `lowest' is free */

static void ptms_init(void)
{
	slots = NULL;
	nslots = lowest = 0;
	pt_cnt = pt_max_pty = 0;
}

static void ptms_fini(void)
{
	if (slots != NULL)
		kmem_free(slots, nslots * sizeof(*slots));
}

KERNEL_INIT(2, ptms_init, ptms_fini);

/* As many pairs as fit into their part of memory, rounded up to a power of two, within the tunables. */
static uint_t ptms_limit(void)
{
	uint_t fit = PT_MEMORY / 100 * PT_PERCENT / sizeof(pt_ttys_t), n = 1;

	while (n < fit)
		n *= 2;
	n = MAX(n, pt_cnt);
	return pt_max_pty != 0 ? MIN(n, pt_max_pty) : n;
}

/* Room for more pairs; false without memory. */
static bool ptms_grow(void)
{
	uint_t n = nslots == 0 ? PT_INITSLOTS : nslots + MIN(nslots, PT_MAXSTEP);
	pt_ttys_t **bigger = kmem_zalloc(n * sizeof(*bigger), KM_NOSLEEP);

	if (bigger == NULL)
		return false;
	if (slots != NULL) {
		memcpy(bigger, slots, nslots * sizeof(*slots));
		kmem_free(slots, nslots * sizeof(*slots));
	}
	slots = bigger;
	nslots = n;
	return true;
}

pt_ttys_t *ptms_alloc(void)
{
	pt_ttys_t *pt;

	while (lowest < nslots && slots[lowest] != NULL)
		lowest++;
	if (lowest >= ptms_limit() || (lowest == nslots && !ptms_grow()))
		return NULL;
	if ((pt = kmem_zalloc(sizeof(*pt), KM_NOSLEEP)) == NULL)
		return NULL;
	pt->pt_minor = (minor_t)lowest + 1;
	pt->pt_pid = curproc->p_pid;
	pt->pt_state = PTMOPEN | PTLOCK;
	pt->pt_zoneid = GLOBAL_ZONEID;
	slots[lowest] = pt;
	return pt;
}

pt_ttys_t *ptms_minor2ptty(minor_t minor)
{
	return minor < 1 || (uint_t)minor > nslots ? NULL : slots[minor - 1];
}

void ptms_close(pt_ttys_t *pt, int flags)
{
	uint_t slot = (uint_t)pt->pt_minor - 1;

	pt->pt_state &= ~flags;
	if (pt->pt_state & (PTMOPEN | PTSOPEN))
		return;
	slots[slot] = NULL;
	lowest = MIN(lowest, slot);
	kmem_free(pt, sizeof(*pt));
}

mblk_t *ptms_setopts(uint_t so_flags)
{
	mblk_t *mp = allocb(sizeof(struct stroptions), BPRI_HI);

	if (mp == NULL)
		return NULL;
	*(struct stroptions *)mp->b_wptr =
	    (struct stroptions){.so_flags = SO_HIWAT | SO_LOWAT | so_flags, .so_hiwat = PT_HIWAT, .so_lowat = PT_LOWAT};
	DB_TYPE(mp) = M_SETOPTS;
	mp->b_wptr += sizeof(struct stroptions);
	return mp;
}
