/*
 * Principal and speculative buffers.
 *
 * Theory.  A record is its enabled-probe id (4 bytes) and its data.  Records
 * are aligned as their data demands; the words skipped are 0, which no id is.
 * An error is a record too, with an id of its own kind.
 *
 *	switch	records are consumed from b_read to b_off; when all is read the
 *		buffer is empty again.  Full: the record is dropped and counted.
 *	fill	the same, but when it is full tracing ends; what END needs is kept
 *		free from the start.
 *	ring	at the end of the buffer writing starts over and overwrites the
 *		oldest records: b_read moves ahead of b_off, record by record.
 *
 * Speculative buffers are of the first kind; commit copies their records.
 */
#include <sys/mman.h>

#include "probectx.h"
#include "dtrace_impl.h"

/* An error in the buffer. */
typedef struct error_rec {
	uint32_t er_mark; /* EPID_ERROR */
	dtrace_epid_t er_epid;
	int32_t er_action, er_difoff, er_fault;
	uint32_t er_pad;
	uint64_t er_addr;
} error_rec_t;

int buf_create(buf_t *b, size_t size)
{
	size_t rounded = (size + 7) & ~(size_t)7;
	char *p;

	*b = (buf_t){.b_size = size, .b_limit = size, .b_maplen = rounded + (rounded / 4 + 1) * sizeof(hrtime_t)};
	p = mmap(NULL, b->b_maplen, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED) {
		b->b_maplen = 0;
		return -1;
	}
	b->b_base = p;
	b->b_times = (hrtime_t *)(void *)(p + rounded);
	return 0;
}

void buf_destroy(buf_t *b)
{
	if (b->b_maplen != 0)
		munmap(b->b_base, b->b_maplen);
	*b = (buf_t){0};
}

/* ---- writing ---- */

static uint32_t word_at(const buf_t *b, size_t off)
{
	return *(const uint32_t *)(const void *)(b->b_base + off);
}

/* Size of the record at off; 4 for padding. */
static size_t record_size(const dtrace_state_t *st, const buf_t *b, size_t off)
{
	uint32_t epid = word_at(b, off);

	if (epid == 0)
		return 4;
	return epid == EPID_ERROR ? sizeof(error_rec_t) : st->st_byepid[epid - 1]->e_pub.dte_size;
}

/* Ring: move b_read behind the records that a write up to `end' destroys. */
static void ring_advance(const dtrace_state_t *st, buf_t *b, size_t end)
{
	while (b->b_wrapped != 0 && b->b_read < end) {
		b->b_read += (record_size(st, b, b->b_read) + 3) & ~(size_t)3;
		if (b->b_read >= b->b_wrapped) {
			b->b_read = 0;
			b->b_wrapped = 0;
		}
	}
}

static ssize_t ring_reserve(const dtrace_state_t *st, buf_t *b, size_t size, size_t align)
{
	size_t off = (b->b_off + align - 1) & ~(align - 1);

	if (off + size > b->b_size) {
		/* what is left at the end is lost with the records in it */
		if (b->b_wrapped != 0)
			ring_advance(st, b, b->b_wrapped);
		b->b_wrapped = b->b_off;
		b->b_off = b->b_read = 0;
		off = 0;
	}
	ring_advance(st, b, off + size);
	return (ssize_t)off;
}

ssize_t buf_reserve(dtrace_state_t *st, buf_t *b, size_t size, size_t align, bool end)
{
	size_t off = (b->b_off + align - 1) & ~(align - 1);

	if (st->st_conf.c_bufpolicy == BUF_RING && size <= b->b_size)
		return ring_reserve(st, b, size, align);
	if (LIKELY(off + size <= (end ? b->b_size : b->b_limit)))
		return (ssize_t)off;
	return -1;
}

void buf_commit(buf_t *b, size_t off, size_t size, hrtime_t now)
{
	while (b->b_off < off) {
		*(uint32_t *)(void *)(b->b_base + b->b_off) = 0;
		b->b_off += 4;
	}
	b->b_times[off / 4] = now;
	b->b_off = (off + size + 3) & ~(size_t)3;
	/* a record of odd size is followed by zeroes up to the next word */
	mem_zero(b->b_base + off + size, b->b_off - off - size);
}

void buf_error(dtrace_state_t *st, dt_cpu_t *c, const ecb_t *ecb, int action, int difoff, int fault, uint64_t addr,
	       hrtime_t now, bool end)
{
	ssize_t off = buf_reserve(st, &c->c_buf, sizeof(error_rec_t), 8, end);
	error_rec_t *er;

	if (off < 0) {
		c->c_drops++;
		return;
	}
	er = (error_rec_t *)(void *)(c->c_buf.b_base + off);
	er->er_mark = EPID_ERROR;
	er->er_epid = ecb->e_pub.dte_epid;
	er->er_action = action;
	er->er_difoff = difoff;
	er->er_fault = fault;
	er->er_pad = 0;
	er->er_addr = addr;
	buf_commit(&c->c_buf, (size_t)off, sizeof(*er), now);
}

/* ---- consuming ---- */

static int consume_record(const dtrace_state_t *st, const buf_t *b, size_t off, int cpu,
			  int (*f)(void *, const dtrace_rec_t *), void *arg)
{
	uint32_t epid = word_at(b, off);
	const error_rec_t *er = (const error_rec_t *)(const void *)(b->b_base + off);
	dtrace_rec_t r = {.r_data = b->b_base + off, .r_cpu = cpu, .r_time = b->b_times[off / 4]};

	if (epid == EPID_ERROR) {
		r.r_error = true;
		r.r_action = er->er_action;
		r.r_difoff = er->er_difoff;
		r.r_fault = er->er_fault;
		r.r_addr = er->er_addr;
		epid = er->er_epid;
	}
	r.r_ecb = dtrace_epid2ecb(st, epid);
	return f(arg, &r);
}

/* Pass on the records of [b_read, end). */
static int consume_range(const dtrace_state_t *st, buf_t *b, size_t end, int cpu,
			 int (*f)(void *, const dtrace_rec_t *), void *arg)
{
	int r;

	while (b->b_read < end) {
		size_t size = (record_size(st, b, b->b_read) + 3) & ~(size_t)3;

		if (word_at(b, b->b_read) != 0) {
			r = consume_record(st, b, b->b_read, cpu, f, arg);
			if (r != 0)
				return r;
		}
		b->b_read += size;
	}
	return 0;
}

int dtrace_consume(dtrace_state_t *st, int cpu, int (*f)(void *, const dtrace_rec_t *), void *arg)
{
	buf_t *b;
	int r;

	if (st->st_cpus == NULL || cpu < 0 || cpu >= st->st_conf.c_ncpu)
		return 0;
	spec_clean(st);
	b = &st->st_cpus[cpu].c_buf;
	if (st->st_conf.c_bufpolicy != BUF_SWITCH && st->st_activity != ACTIVITY_STOPPED)
		return 0;
	if (b->b_wrapped != 0) {
		r = consume_range(st, b, b->b_wrapped, cpu, f, arg);
		if (r != 0)
			return r;
		b->b_wrapped = 0;
		b->b_read = 0;
	}
	r = consume_range(st, b, b->b_off, cpu, f, arg);
	if (r == 0)
		b->b_off = b->b_read = 0;
	return r;
}

/* ---- speculations ---- */

uint32_t spec_new(dtrace_state_t *st)
{
	uint32_t i, busy = 0, id = 0;

	state_lock(st);
	for (i = 0; i < st->st_conf.c_nspec && id == 0; i++) {
		spec_t *sp = &st->st_specs[i];

		if (sp->sp_state == SPEC_FREE) {
			sp->sp_state = SPEC_ACTIVE;
			sp->sp_writers = 0;
			id = i + 1;
		} else if (sp->sp_state != SPEC_ACTIVE) {
			busy++;
		}
	}
	if (id == 0) {
		if (busy > 0)
			st->st_specbusy++;
		else
			st->st_specunavail++;
	}
	state_unlock(st);
	return id;
}

buf_t *spec_write(dtrace_state_t *st, uint64_t id, int cpu)
{
	spec_t *sp;
	buf_t *b;

	if (id == 0 || id > st->st_conf.c_nspec)
		return NULL;
	sp = &st->st_specs[id - 1];
	if (sp->sp_state != SPEC_ACTIVE)
		return NULL;
	b = &sp->sp_buf[cpu];
	if (b->b_base == NULL && buf_create(b, st->st_conf.c_specsize) != 0)
		return NULL;
	state_lock(st);
	sp->sp_writers |= (uint64_t)1 << cpu;
	state_unlock(st);
	return b;
}

/* Copy a CPU's part to its principal buffer. */
static void spec_copy(dtrace_state_t *st, buf_t *from, dt_cpu_t *c)
{
	while (from->b_read < from->b_off) {
		size_t size = record_size(st, from, from->b_read), at = from->b_read, align;
		ssize_t off;

		from->b_read += (size + 3) & ~(size_t)3;
		if (word_at(from, at) == 0)
			continue;
		align = st->st_byepid[word_at(from, at) - 1]->e_align;
		off = buf_reserve(st, &c->c_buf, size, align, false);
		if (off < 0) {
			c->c_drops++;
			continue;
		}
		mem_copy(c->c_buf.b_base + off, from->b_base + at, size);
		buf_commit(&c->c_buf, (size_t)off, size, from->b_times[at / 4]);
	}
	from->b_read = from->b_off = 0;
}

/* This CPU's part is dealt with; the speculation is free when it was the only one. */
static void spec_done(dtrace_state_t *st, spec_t *sp, int cpu, specstate_t until_clean)
{
	state_lock(st);
	sp->sp_writers &= ~((uint64_t)1 << cpu);
	sp->sp_state = sp->sp_writers == 0 ? SPEC_FREE : until_clean;
	state_unlock(st);
}

static int spec_end(mstate_t *ms, uint64_t id, int cpu, bool commit)
{
	dtrace_state_t *st = ms->ms_state;
	spec_t *sp;

	if (id == 0)
		return 0;
	if (id > st->st_conf.c_nspec)
		return DTRACEFLT_ILLOP;
	sp = &st->st_specs[id - 1];
	if (sp->sp_state != SPEC_ACTIVE)
		return 0;
	if (commit)
		spec_copy(st, &sp->sp_buf[cpu], ms->ms_cpu);
	else
		sp->sp_buf[cpu].b_off = 0;
	spec_done(st, sp, cpu, commit ? SPEC_COMMITTING : SPEC_DISCARDING);
	return 0;
}

int spec_commit(mstate_t *ms, uint64_t id, int cpu)
{
	return spec_end(ms, id, cpu, true);
}

int spec_discard(mstate_t *ms, uint64_t id, int cpu)
{
	return spec_end(ms, id, cpu, false);
}

/* The other CPUs' parts of what was committed or discarded; the kernels stand still. */
void spec_clean(dtrace_state_t *st)
{
	uint32_t i;
	int cpu;

	for (i = 0; st->st_specs != NULL && i < st->st_conf.c_nspec; i++) {
		spec_t *sp = &st->st_specs[i];

		if (sp->sp_state != SPEC_COMMITTING && sp->sp_state != SPEC_DISCARDING)
			continue;
		for (cpu = 0; cpu < st->st_conf.c_ncpu; cpu++) {
			if (sp->sp_state == SPEC_COMMITTING)
				spec_copy(st, &sp->sp_buf[cpu], &st->st_cpus[cpu]);
			sp->sp_buf[cpu].b_off = 0;
		}
		sp->sp_writers = 0;
		sp->sp_state = SPEC_FREE;
	}
}
