#include "work.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cpus.h"
#include "kernelmodel/chain/chain.h"
#include "sys/thread.h"

#define MODULES 100 /* of which the first ten are used until there are more than 10^6 keys */
#define QUEUES 64   /* of each module */
#define FEW 10
#define STACKS 100000 /* that the chain can make */
#define MESSAGES 1024
#define PROCS 16

/* One event: which queue or process, and the path to it or the message. */
typedef struct event {
	uint32_t e_key, e_which, e_path;
} event_t;

/* A thread's own: nothing of the program is shared. */
typedef struct own {
	queue_t queues[MODULES * QUEUES];
	proc_t procs[PROCS];
	kthread_t threads[PROCS];
	uint64_t conns[PROCS];
} own_t;

static const char names[FEW][16] = {"ip",   "tcp",    "udp",   "arp",     "ldterm",
				    "ptem", "strwhd", "timod", "sockmod", "ttcompat"};
static char more_names[MODULES][16];
static const char *const commands[PROCS] = {
    "/usr/sbin/inetd -s",
    "/usr/lib/ssh/sshd",
    "in.telnetd",
    "/usr/lib/nfs/nfsd -a 16",
    "/usr/bin/perl -w /opt/local/bin/rotate.pl --dir /var/adm/log",
    "rcp server:/export/home/mail .",
    "/usr/apache/bin/httpd -f /etc/apache/httpd.conf",
    "/usr/apache/bin/httpd -f /etc/apache/proxy.conf",
    "ftp -n mirror.example.org",
    "/usr/java/bin/java -server -Xmx512m -cp /opt/app/lib/app.jar com.example.Main",
    "rsync --server --sender -vlogDtpr . /export/pub",
    "/usr/lib/sendmail -bd -q15m",
    "dbserver (DESCRIPTION=(LOCAL=YES)(ADDRESS=(PROTOCOL=beq)))",
    "-ksh",
    "wget http://10.0.0.1/",
    "/usr/openwin/bin/Xsun :0 -nobanner -auth /var/dt/A:0-abcd"};

static work_t work;
static event_t *seq;
static uint64_t seqlen; /* a power of 2 */
static own_t *owns[WORK_THREADS];
static mblk_t messages[MESSAGES];
static dblk_t datab = {.db_type = M_DATA};
static struct module_info infos[MODULES];
static struct qinit inits[MODULES];
static uint64_t rng;

static uint64_t draw(void)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return rng;
}

const char *work_psargs(int proc)
{
	return commands[proc];
}

/* ---- the program's objects ---- */

static void make_messages(void)
{
	static uchar_t bytes[1500];

	for (int i = 0; i < MESSAGES; i++) {
		uint64_t r = draw();

		messages[i] = (mblk_t){.b_rptr = bytes, .b_datap = &datab};
		messages[i].b_wptr = bytes + (r % 5 == 0 ? 1460 : r % 1460);
		/* a third are of two blocks */
		if (i > 0 && r % 3 == 0 && messages[i - 1].b_cont == NULL)
			messages[i].b_cont = &messages[i - 1];
	}
}

static own_t *make_own(void)
{
	own_t *o = aligned_alloc(4096, (sizeof(*o) + 4095) & ~(size_t)4095);

	if (o == NULL)
		return NULL;
	memset(o, 0, sizeof(*o));
	for (int i = 0; i < MODULES * QUEUES; i++) {
		o->queues[i].q_qinfo = &inits[i / QUEUES];
		o->queues[i].q_next = &o->queues[(i + QUEUES) % (MODULES * QUEUES)];
	}
	for (int i = 0; i < PROCS; i++) {
		o->procs[i].p_pid = 300 + 37 * i;
		strcpy(o->procs[i].p_user.u_psargs, commands[i]);
		o->threads[i].t_procp = &o->procs[i];
		o->threads[i].t_tid = 1;
		o->threads[i].t_did = (uint64_t)i + 1000000;
	}
	return o;
}

static const char *make_program(const params_t *p)
{
	for (int i = 0; i < MODULES; i++) {
		snprintf(more_names[i], sizeof(more_names[i]), "mod%d", i);
		infos[i] =
		    (struct module_info){.mi_idnum = (ushort_t)i, .mi_idname = i < FEW ? names[i] : more_names[i]};
		inits[i] = (struct qinit){.qi_putp = chain_leafput, .qi_minfo = &infos[i]};
	}
	make_messages();
	for (uint32_t t = 0; t < p->p_threads; t++)
		if ((owns[t] = make_own()) == NULL)
			return "no memory";
	return NULL;
}

/* ---- the sequence ---- */

/* A key is a module and a stack: nine modules by eight stacks are the 72 of the usual one. */
static void make_event(event_t *e, uint32_t key, uint32_t keys)
{
	uint32_t mods = keys <= 72             ? 9
			: keys <= FEW * STACKS ? FEW
					       : MODULES,
		 mod = key % mods, stack = key / mods, path = 0;

	e->e_key = key;
	if (work == WORK_WRITE) {
		e->e_which = key % PROCS;
		e->e_path = (uint32_t)(draw() % MESSAGES);
		return;
	}
	/* neighbours differ in all levels while there are stacks enough */
	if (keys < STACKS)
		stack = (stack * 12347 + 777) % STACKS;
	for (int level = 0; level < 5; level++, stack /= 10)
		path |= stack % 10 << 4 * level;
	e->e_which = mod * QUEUES + (uint32_t)(draw() % QUEUES);
	e->e_path = path;
}

static uint32_t pick(const double *cdf, uint32_t n)
{
	double u = (double)(draw() >> 11) / 9007199254740992.0 * cdf[n - 1];
	uint32_t lo = 0, hi = n - 1;

	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;

		if (cdf[mid] < u)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void shuffle(void)
{
	for (uint64_t n = seqlen - 1; n > 0; n--) {
		uint64_t m = draw() % (n + 1);
		event_t e = seq[n];

		seq[n] = seq[m];
		seq[m] = e;
	}
}

static const char *make_sequence(const params_t *p)
{
	double *cdf = malloc(p->p_keys * sizeof(*cdf)), sum = 0;

	seqlen = p->p_keys > 1U << 22 ? 1U << 24 : p->p_keys > 20000 ? 1U << 22 : 1U << 20;
	seq = malloc(seqlen * sizeof(*seq));
	if (cdf == NULL || seq == NULL) {
		free(cdf);
		return "no memory";
	}
	for (uint32_t k = 0; k < p->p_keys; k++)
		cdf[k] = sum += p->p_zipf > 0 ? pow(k + 1, -p->p_zipf) : 1;
	for (uint64_t n = 0; n < seqlen; n++) {
		/* in a uniform draw every key occurs */
		uint32_t key = p->p_zipf <= 0 && n < p->p_keys ? (uint32_t)n : pick(cdf, p->p_keys);

		make_event(&seq[n], key, p->p_keys);
	}
	if (p->p_zipf <= 0)
		shuffle();
	free(cdf);
	return NULL;
}

/* ---- sending ---- */

uint64_t bench_clock(bool several)
{
	struct timespec t;

	clock_gettime(several ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

void bench_pin(int cpu)
{
	cpu_set_t allowed, set;
	int n = 0;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
		return;
	cpu %= CPU_COUNT(&allowed);
	for (int i = 0; i < CPU_SETSIZE; i++) {
		if (!CPU_ISSET(i, &allowed) || n++ != cpu)
			continue;
		CPU_ZERO(&set);
		CPU_SET(i, &set);
		(void)sched_setaffinity(0, sizeof(set), &set);
		return;
	}
}

typedef struct order {
	const params_t *p;
	uint64_t sent;
	double ns[WORK_THREADS];
} order_t;

static uint64_t start_of(uint64_t sent, int cpu)
{
	return sent + (uint64_t)cpu * (seqlen / 2 + 12345);
}

static __attribute__((noinline)) void send_puts(own_t *o, uint64_t from, uint64_t n, uint32_t depth)
{
	for (uint64_t i = from; i < from + n; i++) {
		const event_t *e = &seq[i & (seqlen - 1)];

		if (depth > 8)
			chain_deep(&o->queues[e->e_which], &messages[i % MESSAGES], e->e_path, depth - 8);
		else
			chain_lvl8(&o->queues[e->e_which], &messages[i % MESSAGES], e->e_path);
	}
}

static __attribute__((noinline)) void send_writes(own_t *o, uint64_t from, uint64_t n)
{
	kthread_t *t = curthread;

	for (uint64_t i = from; i < from + n; i++) {
		const event_t *e = &seq[i & (seqlen - 1)];

		curthread = &o->threads[e->e_which];
		chain_wlvl3(&o->conns[e->e_which], &messages[e->e_path]);
	}
	curthread = t;
}

static void send_one(void *arg, int cpu)
{
	order_t *o = arg;
	uint64_t from = start_of(o->sent, cpu), n = o->p->p_ops, t0;
	bool several = cpus_count() > 1;

	if (cpu >= (int)o->p->p_threads)
		return;
	t0 = bench_clock(several);
	if (work == WORK_WRITE)
		send_writes(owns[cpu], from, n);
	else
		send_puts(owns[cpu], from, n, o->p->p_depth);
	o->ns[cpu] = (double)(bench_clock(several) - t0) / (double)n;
}

double work_send(const params_t *p, uint64_t *sent)
{
	order_t o = {.p = p, .sent = *sent};
	double sum = 0;

	cpus_each(send_one, &o);
	*sent += p->p_ops;
	for (uint32_t t = 0; t < p->p_threads; t++)
		sum += o.ns[t];
	return sum / p->p_threads;
}

/* ---- what must come out ---- */

void tally_add(tally_t *t, uint64_t count)
{
	t->t_total += count;
	t->t_squares += count * count;
}

static uint32_t bucket_of(const event_t *e)
{
	uint64_t n = 0;

	for (const mblk_t *m = &messages[e->e_path]; m != NULL; m = m->b_cont)
		n += (uint64_t)(m->b_wptr - m->b_rptr);
	return n == 0 ? 0 : 64 - (uint32_t)__builtin_clzll(n);
}

tally_t work_expected(const params_t *p, uint64_t sent)
{
	uint32_t cells = work == WORK_WRITE ? 65 : 1, nkeys = work == WORK_WRITE ? PROCS : p->p_keys;
	uint64_t *count = calloc((size_t)nkeys * cells, sizeof(*count));
	tally_t t = {0, 0, 0};

	if (count == NULL)
		abort();
	for (uint32_t cpu = 0; cpu < p->p_threads; cpu++) {
		uint64_t from = start_of(0, (int)cpu), whole = sent / seqlen, rest = sent % seqlen;

		for (uint64_t i = 0; i < seqlen && (whole != 0 || i < rest); i++) {
			const event_t *e = &seq[(from + i) & (seqlen - 1)];
			uint32_t key = work == WORK_WRITE ? e->e_which : e->e_key;

			count[key * cells + (cells > 1 ? bucket_of(e) : 0)] += whole + (i < rest);
		}
	}
	for (uint32_t k = 0; k < nkeys; k++) {
		uint64_t any = 0;

		for (uint32_t c = 0; c < cells; c++) {
			tally_add(&t, count[k * cells + c]);
			any |= count[k * cells + c];
		}
		t.t_keys += any != 0;
	}
	free(count);
	return t;
}

/* ---- set-up ---- */

static void settle(void *arg, int cpu)
{
	(void)arg;
	bench_pin(cpu);
}

const char *work_start(work_t what, const params_t *p)
{
	const char *why;

	work = what;
	rng = 88172645463325252ULL;
	if ((why = make_program(p)) != NULL || (why = make_sequence(p)) != NULL)
		return why;
	cpus_start((int)p->p_threads, NULL);
	cpus_each(settle, NULL);
	return NULL;
}

void work_stop(void)
{
	(void)cpus_stop();
	for (int t = 0; t < WORK_THREADS; t++) {
		free(owns[t]);
		owns[t] = NULL;
	}
	free(seq);
	seq = NULL;
}
