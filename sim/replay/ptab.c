#include "replay/ptab.h"

#include "machine/arena.h"

#define PTAB_MIN_BITS 6
#define MAPPED ((size_t)64 << 10)

/* Large tables are mappings of their own, the largest in huge pages: they are read at random. */
static ptslot_t *slots_new(size_t n)
{
	size_t bytes = n * sizeof(ptslot_t);

	return bytes >= MAPPED ? block_map(bytes) : calloc(n, sizeof(ptslot_t));
}

static void slots_free(ptslot_t *slots, size_t n)
{
	size_t bytes = n * sizeof(ptslot_t);

	if (bytes >= MAPPED)
		block_unmap(slots, bytes);
	else
		free(slots);
}

static void place(ptab_t *t, uint64_t key, void *val)
{
	size_t i = ptab_home(t, key);

	while (t->pt_slots[i].ps_val != NULL)
		i = (i + 1) & t->pt_mask;
	t->pt_slots[i].ps_key = key;
	t->pt_slots[i].ps_val = val;
}

static bool grow(ptab_t *t)
{
	int bits = t->pt_slots == NULL ? PTAB_MIN_BITS : 64 - t->pt_shift + 1;
	ptab_t old = *t;

	t->pt_slots = slots_new((size_t)1 << bits);
	if (t->pt_slots == NULL) {
		*t = old;
		return false;
	}
	t->pt_shift = 64 - bits;
	t->pt_mask = ((size_t)1 << bits) - 1;
	for (size_t i = 0; old.pt_slots != NULL && i <= old.pt_mask; i++)
		if (old.pt_slots[i].ps_val != NULL)
			place(t, old.pt_slots[i].ps_key, old.pt_slots[i].ps_val);
	slots_free(old.pt_slots, old.pt_mask + 1);
	return true;
}

bool ptab_put(ptab_t *t, uint64_t key, void *val)
{
	/* without memory for a larger table this one is used until one slot is free, which ends searches */
	if ((t->pt_slots == NULL || 4 * (t->pt_count + 1) > 3 * (t->pt_mask + 1)) && !grow(t) &&
	    (t->pt_slots == NULL || t->pt_count + 1 > t->pt_mask))
		return false;
	place(t, key, val);
	t->pt_count++;
	return true;
}

void ptab_del(ptab_t *t, uint64_t key, const void *val)
{
	size_t hole = ptab_home(t, key), i;

	while (t->pt_slots[hole].ps_val != val)
		hole = (hole + 1) & t->pt_mask;
	/* an element behind the hole moves into it unless its home lies behind the hole too */
	for (i = (hole + 1) & t->pt_mask; t->pt_slots[i].ps_val != NULL; i = (i + 1) & t->pt_mask) {
		size_t home = ptab_home(t, t->pt_slots[i].ps_key);

		if (((i - home) & t->pt_mask) >= ((i - hole) & t->pt_mask)) {
			t->pt_slots[hole] = t->pt_slots[i];
			hole = i;
		}
	}
	t->pt_slots[hole].ps_val = NULL;
	t->pt_count--;
}

void ptab_fini(ptab_t *t)
{
	if (t->pt_slots != NULL)
		slots_free(t->pt_slots, t->pt_mask + 1);
	*t = (ptab_t){NULL, 0, 0, 0};
}
