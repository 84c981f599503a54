#include "replay/index.h"

#include "replay/frag.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MARKS 1024 /* of the buffer */

struct index {
	bool ix_bad;
	int ix_fd;        /* -1 = all marks are in the buffer */
	off_t ix_off;     /* in the file: of what is written or read next */
	uint64_t ix_left; /* marks in the file that were not read */
	unsigned ix_at, ix_n;
	mark_t ix_buf[MARKS];
};

index_t *index_create(void)
{
	index_t *ix = calloc(1, sizeof(*ix));

	if (ix != NULL)
		ix->ix_fd = -1;
	return ix;
}

void index_destroy(index_t *ix)
{
	if (ix->ix_fd >= 0)
		(void)close(ix->ix_fd);
	free(ix);
}

/* A file that goes with its descriptor. */
static int nameless(void)
{
	const char *dir = getenv("TMPDIR");
	char name[4096];
	int fd;

	snprintf(name, sizeof(name), "%s/strsim.XXXXXX", dir != NULL && *dir != '\0' ? dir : "/tmp");
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		(void)unlink(name);
	return fd;
}

/* The buffer goes to the file. */
static bool spill(index_t *ix)
{
	size_t size = ix->ix_n * sizeof(mark_t);

	if (ix->ix_fd < 0)
		ix->ix_fd = nameless();
	if (ix->ix_fd < 0 || pwrite(ix->ix_fd, ix->ix_buf, size, ix->ix_off) != (ssize_t)size)
		return false;
	ix->ix_off += (off_t)size;
	ix->ix_left += ix->ix_n;
	ix->ix_n = 0;
	return true;
}

void index_add(index_t *ix, const rframe_t *f)
{
	mark_t *m;

	if (ix->ix_bad || !f->rf_ip || f->rf_bad != RF_OK)
		return;
	if (f->rf_ntags != 0 || (rf_isfrag(f) && f->rf_proto == 6) || (ix->ix_n == MARKS && !spill(ix))) {
		ix->ix_bad = true;
		return;
	}
	if (!f->rf_tcp)
		return;
	m = &ix->ix_buf[ix->ix_n++];
	memset(m, 0, sizeof(*m));
	m->m_num = f->rf_num;
	m->m_time = f->rf_time;
	m->m_src = f->rf_ipsrc;
	m->m_dst = f->rf_ipdst;
	m->m_sport = f->rf_sport;
	m->m_dport = f->rf_dport;
	m->m_seq = f->rf_seq;
	m->m_ack = f->rf_ack;
	m->m_paylen = f->rf_paylen;
	m->m_flags = f->rf_flags;
	if (f->rf_flags & RF_SYN)
		rf_synopt(f, &m->m_opt);
}

bool index_finish(index_t *ix)
{
	if (!ix->ix_bad && ix->ix_fd >= 0 && !spill(ix))
		ix->ix_bad = true;
	ix->ix_off = 0;
	return !ix->ix_bad;
}

static void refill(index_t *ix)
{
	unsigned n = ix->ix_left < MARKS ? (unsigned)ix->ix_left : MARKS;
	size_t size = n * sizeof(mark_t);

	if (pread(ix->ix_fd, ix->ix_buf, size, ix->ix_off) != (ssize_t)size) {
		fprintf(stderr, "strsim: a temporary file cannot be read again: %s\n", strerror(errno));
		exit(1);
	}
	ix->ix_off += (off_t)size;
	ix->ix_left -= n;
	ix->ix_at = 0;
	ix->ix_n = n;
}

const mark_t *index_peek(index_t *ix, unsigned n)
{
	if (ix->ix_at == ix->ix_n && ix->ix_left != 0)
		refill(ix);
	return ix->ix_at + n < ix->ix_n ? &ix->ix_buf[ix->ix_at + n] : NULL;
}

void index_step(index_t *ix)
{
	ix->ix_at++;
}
