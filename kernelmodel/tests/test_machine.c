/* Fibers, events, the run loop, interrupts, memory accounting, randomness. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "machine/machine.h"
#include "sys/thread.h"

static void setup(void)
{
	machine_init(0);
}

/* Nothing may be alive after any of these tests. */
static void teardown(void)
{
	size_t bytes, objects;

	machine_fini();
	kmem_alive(&bytes, &objects);
	if (bytes != 0 || objects != 0)
		abort(); /* a failed assertion would not count here */
}

TestSuite(machine, .init = setup, .fini = teardown);

/* What happened, as a string of letters. */
static char log_[4096];
static void note(void *letter)
{
	size_t n = strlen(log_);

	log_[n] = (char)(intptr_t)letter;
	log_[n + 1] = '\0';
}

#define MS 1000000LL

/* ---- events ---- */

Test(machine, events_come_by_time_then_by_order_of_scheduling)
{
	mevent_t e[5] = {0};

	event_schedule(&e[0], 30 * MS, note, (void *)'e');
	event_schedule(&e[1], 10 * MS, note, (void *)'a');
	event_schedule(&e[2], 20 * MS, note, (void *)'c');
	event_schedule(&e[3], 10 * MS, note, (void *)'b');
	event_schedule(&e[4], 20 * MS, note, (void *)'d');
	cr_assert_eq(event_next(), 10 * MS);
	machine_run(20 * MS);
	cr_assert_str_eq(log_, "abcd");
	cr_assert_eq(machine_now(), 20 * MS);
	machine_run(25 * MS);
	cr_assert_eq(machine_now(), 25 * MS, "the clock stands at `until'");
	cr_assert_eq(machine_run_idle(100 * MS), 1);
	cr_assert_str_eq(log_, "abcde");
	cr_assert_eq(machine_now(), 30 * MS, "idle: the clock stands at the last event");
	cr_assert_eq(event_next(), INT64_MAX);
}

Test(machine, run_idle_with_something_left_is_not_idle)
{
	mevent_t e = {0};

	event_schedule(&e, 30 * MS, note, (void *)'a');
	cr_assert_eq(machine_run_idle(29 * MS), 0);
	cr_assert_eq(machine_now(), 29 * MS);
	cr_assert_str_eq(log_, "");
	event_cancel(&e);
}

Test(machine, events_are_cancelled_and_moved)
{
	mevent_t e[4] = {0};

	for (int i = 0; i < 4; i++)
		event_schedule(&e[i], (10 + i) * MS, note, (void *)(intptr_t)('a' + i));
	cr_assert_eq(event_cancel(&e[1]), 1);
	cr_assert_eq(event_cancel(&e[1]), 0, "cancelled already");
	event_schedule(&e[0], 50 * MS, note, (void *)'A');
	event_schedule(&e[3], 5 * MS, note, (void *)'D');
	machine_run(100 * MS);
	cr_assert_str_eq(log_, "DcA");
	cr_assert_eq(event_cancel(&e[0]), 0, "has run");
	event_schedule(&e[2], 20 * MS, note, (void *)'p');
	cr_assert_eq(event_next(), 100 * MS, "a time in the past means now");
	machine_run(100 * MS);
	cr_assert_str_eq(log_, "DcAp");
}

Test(machine, a_moved_event_goes_behind_its_equals)
{
	mevent_t e[2] = {0};

	event_schedule(&e[0], 10 * MS, note, (void *)'a');
	event_schedule(&e[1], 10 * MS, note, (void *)'b');
	event_schedule(&e[0], 10 * MS, note, (void *)'a');
	machine_run(10 * MS);
	cr_assert_str_eq(log_, "ba");
}

struct many {
	mevent_t ev;
	hrtime_t when;
	uint64_t seq;
	bool live;
};
static struct many *prev;
static size_t fired;
static void many_fire(void *arg)
{
	struct many *m = arg;

	cr_assert(m->live);
	cr_assert_eq(machine_now(), m->when);
	if (prev != NULL)
		cr_assert(prev->when < m->when || (prev->when == m->when && prev->seq < m->seq));
	prev = m;
	m->live = false;
	fired++;
}

/* A million timers, a third of them moved, a fifth cancelled, against the order that the keys say. */
Test(machine, a_million_events_keep_their_order)
{
	const size_t n = 1000000;
	struct many *m = calloc(n, sizeof(*m));
	uint64_t seq = 0;
	size_t live = 0;

	machine_seed(42);
	for (size_t i = 0; i < n; i++) {
		m[i].when = (hrtime_t)(machine_random() % 50000);
		m[i].seq = ++seq;
		m[i].live = true;
		event_schedule(&m[i].ev, m[i].when, many_fire, &m[i]);
	}
	for (size_t i = 0; i < n; i++) {
		if (machine_random() % 3 == 0) {
			m[i].when = (hrtime_t)(machine_random() % 50000);
			m[i].seq = ++seq;
			event_schedule(&m[i].ev, m[i].when, many_fire, &m[i]);
		}
		if (machine_random() % 5 == 0) {
			cr_assert_eq(event_cancel(&m[i].ev), 1);
			m[i].live = false;
		}
		live += m[i].live;
	}
	cr_assert_eq(machine_run_idle(INT64_MAX - 1), 1);
	cr_assert_eq(fired, live);
	free(m);
}

static void stop_after(void *arg)
{
	note(arg);
	machine_stop();
}

Test(machine, stop_ends_the_run_after_the_current_event)
{
	mevent_t e[2] = {0};

	event_schedule(&e[0], 10 * MS, stop_after, (void *)'a');
	event_schedule(&e[1], 10 * MS, note, (void *)'b');
	machine_run(20 * MS);
	cr_assert_str_eq(log_, "a");
	cr_assert_eq(machine_now(), 10 * MS, "the clock stands where it was stopped");
	machine_run(20 * MS);
	cr_assert_str_eq(log_, "ab");
}

Test(machine, epoch_and_wall_time)
{
	machine_set_epoch(1000000000LL * 1000000000LL);
	machine_run(5 * MS);
	cr_assert_eq(machine_walltime(), 1000000000LL * 1000000000LL + 5 * MS);
}

/* ---- fibers ---- */

static fiber_t *fa, *fb;
static void fiber_a(void *arg)
{
	(void)arg;
	cr_assert_eq(fiber_self(), fa);
	note((void *)'1');
	fiber_ready(fb);
	fiber_ready(fb); /* once is enough */
	note((void *)'2');
	fiber_block();
	note((void *)'5');
}
static void fiber_b(void *arg)
{
	note(arg);
	fiber_ready(fa);
	note((void *)'4');
}

Test(machine, fibers_switch_when_they_block)
{
	cr_assert_null(fiber_self());
	fa = fiber_create(FIBER_SYS, fiber_a, NULL);
	fb = fiber_create(FIBER_SYS, fiber_b, (void *)'3');
	machine_run_ready();
	cr_assert_str_eq(log_, "", "not ready before fiber_ready()");
	fiber_ready(fa);
	machine_run_ready();
	cr_assert_str_eq(log_, "12345");
}

Test(machine, better_classes_run_first)
{
	fiber_t *f[4];

	f[0] = fiber_create(FIBER_USER, note, (void *)'u');
	f[1] = fiber_create(FIBER_SYS, note, (void *)'s');
	f[2] = fiber_create(FIBER_INTR, note, (void *)'i');
	f[3] = fiber_create(FIBER_SYS, note, (void *)'t');
	for (int i = 0; i < 4; i++)
		fiber_ready(f[i]);
	machine_run_ready();
	cr_assert_str_eq(log_, "istu");
}

static void preempted(void *arg)
{
	(void)arg;
	note((void *)'a');
	fiber_preempt(); /* nothing better is ready: goes on */
	note((void *)'b');
	fiber_ready(fa);
	fiber_ready(fb);
	fiber_preempt();
	note((void *)'c');
}

Test(machine, preempt_lets_better_ones_run_and_then_goes_on_before_its_equals)
{
	fiber_t *f = fiber_create(FIBER_USER, preempted, NULL);

	fa = fiber_create(FIBER_USER, note, (void *)'u');
	fb = fiber_create(FIBER_SYS, note, (void *)'s');
	fiber_ready(f);
	machine_run_ready();
	cr_assert_str_eq(log_, "abscu");
}

static void stopper(void *arg)
{
	(void)arg;
	machine_stop();
	note((void *)'x');
}

Test(machine, stop_ends_the_run_after_the_current_fiber)
{
	fiber_t *f = fiber_create(FIBER_USER, stopper, NULL), *g = fiber_create(FIBER_USER, note, (void *)'y');

	fiber_ready(f);
	fiber_ready(g);
	machine_run(MS);
	cr_assert_str_eq(log_, "x");
	machine_run(MS);
	cr_assert_str_eq(log_, "xy");
}

static uintptr_t seen_lo, seen_hi, seen_sp;
static size_t seen_left;
static void look_at_stack(void *arg)
{
	char here;

	(void)arg;
	seen_lo = machine_stklo;
	seen_hi = machine_stkhi;
	seen_sp = (uintptr_t)__builtin_frame_address(0);
	seen_left = machine_stack_left();
	here = 1;
	cr_assert_eq(here, 1);
}

Test(machine, stack_bounds_follow_the_running_fiber)
{
	uintptr_t lo = machine_stklo, hi = machine_stkhi, sp = (uintptr_t)__builtin_frame_address(0);
	fiber_t *f = fiber_create(FIBER_SYS, look_at_stack, NULL);

	cr_assert(lo < sp && sp < hi, "on the host's stack they are that stack's");
	fiber_ready(f);
	machine_run_ready();
	cr_assert(seen_lo < seen_sp && seen_sp < seen_hi);
	cr_assert_geq(seen_hi - seen_lo, 64 * 1024);
	cr_assert(seen_left <= seen_sp - seen_lo && seen_left > seen_sp - seen_lo - 1024);
	cr_assert_eq(machine_stklo, lo);
	cr_assert_eq(machine_stkhi, hi);
}

static ssize_t below_said, bottom_said;
static int probe_fd;
static void probe_guard(void *arg)
{
	(void)arg;
	/* The host's kernel refuses to read what the fiber could not. */
	bottom_said = write(probe_fd, (void *)machine_stklo, 1);
	below_said = write(probe_fd, (void *)(machine_stklo - 1), 1);
}

Test(machine, a_guard_page_lies_below_each_stack)
{
	fiber_t *f = fiber_create(FIBER_SYS, probe_guard, NULL);
	int fds[2];

	cr_assert_eq(pipe(fds), 0);
	probe_fd = fds[1];
	fiber_ready(f);
	machine_run_ready();
	cr_assert_eq(bottom_said, 1);
	cr_assert_eq(below_said, -1);
}

#if defined(__SANITIZE_THREAD__)
#define NFIBERS 1000 /* each is a thread to the sanitizer, which maps much for it */
#else
#define NFIBERS 10000
#endif
static fiber_t *ring[NFIBERS];
static int rounds[NFIBERS];
static double work[NFIBERS];
static int damaged;
static void ring_run(void *arg)
{
	int me = (int)(intptr_t)arg, local[32];
	double x = me;

	for (int i = 0; i < 32; i++)
		local[i] = me + i;
	for (int r = 0; r < 20; r++) {
		x = x * 1.0000001 + 1;
		rounds[me]++;
		fiber_ready(ring[(me + 1) % NFIBERS]);
		fiber_block();
	}
	for (int i = 0; i < 32; i++)
		damaged += local[i] != me + i;
	work[me] = x;
	fiber_ready(ring[(me + 1) % NFIBERS]);
}

/* Ten thousand fibers pass a token round 20 times; each finds its stack and registers as it left them. */
Test(machine, ten_thousand_fibers_switch)
{
	for (int i = 0; i < NFIBERS; i++) {
		ring[i] = fiber_create(FIBER_SYS, ring_run, (void *)(intptr_t)i);
		cr_assert_not_null(ring[i]);
	}
	fiber_ready(ring[0]);
	machine_run_ready();
	cr_assert_eq(damaged, 0);
	for (int i = 0; i < NFIBERS; i++) {
		double x = i;
		for (int r = 0; r < 20; r++)
			x = x * 1.0000001 + 1;
		cr_assert_eq(rounds[i], 20);
		cr_assert_eq(work[i], x);
	}
}

static int64_t walk_from(int64_t a, int64_t b, int64_t c)
{
	uintptr_t *fp = __builtin_frame_address(0);

	cr_assert_eq(fp[0], 0, "the caller's frame pointer is zero: the walk ends");
	return a * 100 + b * 10 + c;
}

Test(machine, gate_passes_three_arguments_and_ends_a_walk)
{
	cr_assert_eq(machine_gate(walk_from, 1, 2, 3), 123);
}

/* ---- interrupts ---- */

static uint_t handler(void *arg)
{
	kthread_t *t = curthread;

	cr_assert_neq(t->t_intr, 0);
	cr_assert_eq(t->t_procp, p0);
	note(arg);
	return 1;
}
static uint_t reraise(void *arg)
{
	note(arg);
	if (strlen(log_) < 3)
		intr_raise(12);
	return 1;
}

Test(machine, a_line_raised_twice_runs_once)
{
	intr_connect(3, handler, (void *)'a');
	intr_connect(4, handler, (void *)'b');
	intr_raise(3);
	intr_raise(4);
	intr_raise(3);
	machine_run_ready();
	cr_assert_str_eq(log_, "ab");
}

Test(machine, handlers_share_a_line_and_may_raise_it_again)
{
	intr_connect(12, reraise, (void *)'r');
	intr_connect(12, handler, (void *)'h');
	intr_raise(12);
	machine_run_ready();
	cr_assert_str_eq(log_, "rhrh");
	intr_raise(63);
	machine_run_ready(); /* no handler: nothing happens */
	cr_assert_str_eq(log_, "rhrh");
}

static kcondvar_t icv;
static uint_t sleeping_handler(void *arg)
{
	note(arg);
	cv_wait(&icv);
	note((void *)'w');
	return 1;
}

Test(machine, a_handler_that_sleeps_does_not_hold_up_other_lines)
{
	intr_connect(1, sleeping_handler, (void *)'s');
	intr_connect(2, handler, (void *)'a');
	intr_raise(1);
	machine_run_ready();
	intr_raise(2);
	machine_run_ready();
	cv_signal(&icv);
	machine_run_ready();
	cr_assert_str_eq(log_, "saw");
}

/* ---- memory and randomness ---- */

Test(machine, memory_is_accounted_for)
{
	size_t b0, o0, b, o;
	char *p, *q;

	kmem_alive(&b0, &o0);
	p = kmem_alloc(100, KM_SLEEP);
	q = kmem_zalloc(50, KM_NOSLEEP);
	kmem_alive(&b, &o);
	cr_assert_eq(b - b0, 150);
	cr_assert_eq(o - o0, 2);
	for (int i = 0; i < 50; i++)
		cr_assert_eq(q[i], 0);
	kmem_free(p, 100);
	kmem_free(q, 50);
	kmem_free(NULL, 10);
	kmem_alive(&b, &o);
	cr_assert_eq(b, b0);
	cr_assert_eq(o, o0);
}

/* Which of six allocations fail, as a string. */
static const char *failures(long n)
{
	static char s[7];

	kmem_fail_nth(n);
	for (int i = 0; i < 6; i++) {
		void *p = kmem_alloc(8, KM_NOSLEEP);
		s[i] = p == NULL ? 'x' : '.';
		kmem_free(p, 8);
	}
	kmem_fail_nth(0);
	return s;
}

Test(machine, allocations_fail_on_demand)
{
	void *p;

	cr_assert_str_eq(failures(0), "......");
	cr_assert_str_eq(failures(1), "x.....");
	cr_assert_str_eq(failures(3), "..x...");
	cr_assert_str_eq(failures(-1), "xxxxxx");
	cr_assert_str_eq(failures(-4), "...xxx");
	kmem_fail_nth(-1);
	p = kmem_alloc(8, KM_SLEEP);
	cr_assert_not_null(p, "KM_SLEEP never fails");
	kmem_free(p, 8);
}

/* First outputs of xoshiro256** for the state that splitmix64 makes of the seed, worked out independently. */
Test(machine, randomness_is_a_function_of_the_seed)
{
	uint64_t a[4], b;

	machine_seed(1);
	for (int i = 0; i < 4; i++)
		a[i] = machine_random();
	cr_assert_eq(a[0], 0xb3f2af6d0fc710c5ULL);
	cr_assert_eq(a[1], 0x853b559647364ceaULL);
	machine_seed(1);
	for (int i = 0; i < 4; i++)
		cr_assert_eq(machine_random(), a[i]);
	machine_seed(2);
	b = machine_random();
	cr_assert_neq(b, a[0]);
}

static int booted;
static void boot_init(void)
{
	booted++;
}
static void boot_fini(void)
{
	booted--;
}
KERNEL_INIT(2, boot_init, boot_fini);

Test(machine, boots_and_ends_many_times)
{
	size_t bytes, objects;

	cr_assert_eq(booted, 1);
	for (int i = 0; i < 3; i++) {
		machine_fini();
		cr_assert_eq(booted, 0);
		kmem_alive(&bytes, &objects);
		cr_assert_eq(objects, 0);
		machine_init(i);
		cr_assert_eq(machine_cpu, i);
		cr_assert_eq(machine_now(), 0);
		cr_assert_eq(booted, 1);
	}
}
