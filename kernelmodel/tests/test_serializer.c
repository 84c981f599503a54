/* Serializers: immediate, nested and deferred requests. */
#include <criterion/criterion.h>
#include "sys/serializer.h"
#include "machine/machine.h"
#include "sys/strsubr.h"

static void boot(void)
{
	machine_init(0);
}

/* Halt, and see that nothing is left. */
static void halt(void)
{
	size_t mblks, dblks, bytes, objects;

	str_alive(&mblks, &dblks);
	cr_assert_eq(mblks, 0, "%zu message blocks alive", mblks);
	cr_assert_eq(dblks, 0, "%zu data blocks alive", dblks);
	machine_fini();
	kmem_alive(&bytes, &objects);
	cr_assert_eq(objects, 0, "%zu objects, %zu bytes alive", objects, bytes);
}

TestSuite(serializer, .init = boot, .fini = halt);

static char order[64];
static int norder;
static serializer_t *ser;
static int depth, deepest;

static void note(mblk_t *mp, void *arg)
{
	if (++depth > deepest)
		deepest = depth;
	cr_assert_null(mp->b_next);
	cr_assert_null(mp->b_prev);
	cr_assert_null(mp->b_queue);
	order[norder++] = *(char *)arg;
	freeb(mp);
	depth--;
}

static char a = 'a', b = 'b', c = 'c';

/* Enters again from inside: twice. */
static void nest(mblk_t *mp, void *arg)
{
	serializer_enter(ser, note, allocb(0, BPRI_MED), &b);
	serializer_enter(ser, note, allocb(0, BPRI_MED), &c);
	note(mp, arg);
}

Test(serializer, runs_at_once_when_idle)
{
	ser = serializer_create(KM_SLEEP);
	serializer_enter(ser, note, allocb(0, BPRI_MED), &a);
	cr_assert_eq(norder, 1);
	serializer_destroy(ser);
}

Test(serializer, requests_from_inside_wait_their_turn)
{
	ser = serializer_create(KM_SLEEP);
	serializer_enter(ser, nest, allocb(0, BPRI_MED), &a);
	cr_assert_str_eq(order, "abc");
	cr_assert_eq(deepest, 1, "a request ran inside another");
	serializer_destroy(ser);
}
