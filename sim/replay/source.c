#include "replay/source.h"

#include "replay/classic.h"
#include "replay/flow.h"
#include "replay/plan.h"

#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/*
 * The time line: a stamp before the last one counts as equal to it, and a file
 * whose first stamp lies before the end of the file before it begins there.
 */

typedef struct stash {
	struct stash *st_next;
	rframe_t st_frame;
	int st_result;
	uint8_t st_data[];
} stash_t;

typedef struct cursor {
	pcap_t *cu_pcap;
	classic_t *cu_classic; /* reads for libpcap as long as it can */
	int cu_file;           /* index of the open file */
	int cu_linktype;
	uint64_t cu_num;
	int64_t cu_last;  /* time of the last frame */
	int64_t cu_shift; /* added to stamps of this file */
	bool cu_fresh;    /* no frame of this file yet */
	uint64_t cu_backwards;
	stash_t *cu_held; /* the stash behind the frame handed out last */
} cursor_t;

struct source {
	const char *const *s_files;
	int s_nfiles;
	bool s_seekable, s_haveepoch;
	const plan_t *s_plan; /* NULL = all frames */
	int s_cpu;
	int64_t s_epoch;
	int64_t s_shift; /* source_shift() */
	cursor_t s_cur[NREADERS];
	stash_t *s_first, **s_last; /* pipes: frames the play reader has not seen */
	stash_t *s_again;           /* of these, the next one to be read ahead once more */
	char s_error[PCAP_ERRBUF_SIZE + 256];
};

static bool open_file(source_t *s, cursor_t *c)
{
	char err[PCAP_ERRBUF_SIZE];
	const char *name = s->s_files[c->cu_file];

	c->cu_pcap = pcap_open_offline_with_tstamp_precision(name, PCAP_TSTAMP_PRECISION_NANO, err);
	c->cu_fresh = true;
	if (c->cu_pcap == NULL) {
		/* libpcap begins some of its messages with the name itself */
		size_t n = strlen(name);

		if (strncmp(err, name, n) == 0 && err[n] == ':')
			snprintf(s->s_error, sizeof(s->s_error), "%s", err);
		else
			snprintf(s->s_error, sizeof(s->s_error), "%s: %s", name, err);
		return false;
	}
	if (!rf_linktype_known(pcap_datalink(c->cu_pcap))) {
		const char *dlt = pcap_datalink_val_to_name(pcap_datalink(c->cu_pcap));

		snprintf(s->s_error, sizeof(s->s_error),
			 "%s: link type %s is not supported (Ethernet, Linux cooked, raw IP and loopback are)", name,
			 dlt != NULL ? dlt : "unknown");
		pcap_close(c->cu_pcap);
		c->cu_pcap = NULL;
		return false;
	}
	c->cu_linktype = pcap_datalink(c->cu_pcap);
	if (s->s_seekable)
		c->cu_classic = classic_open(c->cu_pcap);
	return true;
}

static void close_file(cursor_t *c)
{
	if (c->cu_classic != NULL)
		classic_close(c->cu_classic);
	if (c->cu_pcap != NULL)
		pcap_close(c->cu_pcap);
	c->cu_classic = NULL;
	c->cu_pcap = NULL;
}

static bool is_regular(const char *name)
{
	struct stat sb;

	return strcmp(name, "-") != 0 && stat(name, &sb) == 0 && S_ISREG(sb.st_mode);
}

/* Is every file a capture that can be read?  It should be known before anything is printed. */
static bool all_open(source_t *s)
{
	cursor_t c = {.cu_file = 0};

	for (; c.cu_file < s->s_nfiles; c.cu_file++) {
		if (!open_file(s, &c))
			return false;
		close_file(&c);
	}
	return true;
}

source_t *source_open(const char *const *files, int nfiles, char *err, size_t errlen)
{
	source_t *s = calloc(1, sizeof(*s));

	if (s == NULL) {
		snprintf(err, errlen, "out of memory");
		return NULL;
	}
	s->s_files = files;
	s->s_nfiles = nfiles;
	s->s_seekable = true;
	s->s_last = &s->s_first;
	for (int i = 0; i < nfiles; i++)
		s->s_seekable = s->s_seekable && is_regular(files[i]);
	if (s->s_seekable && !all_open(s)) {
		snprintf(err, errlen, "%s", s->s_error);
		source_close(s);
		return NULL;
	}
	for (int r = 0; r < NREADERS; r++) {
		if (!s->s_seekable && r != READ_AHEAD)
			continue;
		if (!open_file(s, &s->s_cur[r])) {
			snprintf(err, errlen, "%s", s->s_error);
			source_close(s);
			return NULL;
		}
	}
	return s;
}

void source_close(source_t *s)
{
	for (int r = 0; r < NREADERS; r++) {
		close_file(&s->s_cur[r]);
		free(s->s_cur[r].cu_held);
	}
	while (s->s_first != NULL) {
		stash_t *st = s->s_first;

		s->s_first = st->st_next;
		free(st);
	}
	free(s);
}

void source_shard(source_t *s, const plan_t *plan, int cpu)
{
	s->s_plan = plan;
	s->s_cpu = cpu;
}

bool source_seekable(const source_t *s)
{
	return s->s_seekable;
}

const char *source_error(const source_t *s)
{
	return s->s_error;
}

int64_t source_epoch(const source_t *s)
{
	return s->s_epoch - s->s_shift;
}

void source_shift(source_t *s, int64_t ns)
{
	s->s_shift = ns;
}

static off_t file_size(const char *name)
{
	struct stat sb;

	return stat(name, &sb) == 0 ? sb.st_size : 0;
}

int source_percent(const source_t *s)
{
	const cursor_t *c = &s->s_cur[READ_PLAY];
	off_t all = 0, done = 0;

	if (!s->s_seekable)
		return -1;
	for (int i = 0; i < s->s_nfiles; i++) {
		all += file_size(s->s_files[i]);
		if (i < c->cu_file)
			done = all;
	}
	if (c->cu_pcap != NULL)
		done += c->cu_classic != NULL ? classic_tell(c->cu_classic) : ftello(pcap_file(c->cu_pcap));
	return all > 0 ? (int)(100 * done / all) : 100;
}

uint64_t source_backwards(const source_t *s)
{
	return s->s_cur[s->s_seekable ? READ_PLAY : READ_AHEAD].cu_backwards;
}

/* Go on to the next file: 1, or 0 when there is none, or -1 when it cannot be opened. */
static int next_file(source_t *s, cursor_t *c)
{
	close_file(c);
	if (c->cu_file + 1 >= s->s_nfiles) {
		c->cu_file = s->s_nfiles;
		return 0;
	}
	c->cu_file++;
	return open_file(s, c) ? 1 : -1;
}

/* Stamps beyond what a classic file can say (some pcapng files do) are that; sums of two stay representable. */
#define MAXTIME 4300000000000000000LL

static int64_t bounded(int64_t t)
{
	return t > MAXTIME ? MAXTIME : t;
}

static int64_t absolute(const struct pcap_pkthdr *h)
{
	int64_t sec = h->ts.tv_sec, ns = h->ts.tv_usec;

	if (sec < 0 || sec >= MAXTIME / 1000000000 || ns < 0)
		return sec < 0 ? 0 : MAXTIME;
	return sec * 1000000000 + bounded(ns);
}

static int64_t stamp(source_t *s, cursor_t *c, const struct pcap_pkthdr *h)
{
	int64_t t = absolute(h);

	if (!s->s_haveepoch) {
		s->s_haveepoch = true;
		s->s_epoch = t;
	}
	t -= s->s_epoch;
	if (c->cu_fresh) {
		c->cu_fresh = false;
		c->cu_shift = t < c->cu_last ? c->cu_last - t : 0;
	}
	t = bounded(t + c->cu_shift);
	if (t < c->cu_last) {
		c->cu_backwards++;
		t = c->cu_last;
	}
	c->cu_last = t;
	return t;
}

/* The next packet of the open file, as pcap_next_ex(3) gives it. */
static int next_packet(cursor_t *c, struct pcap_pkthdr *h, const u_char **data)
{
	struct pcap_pkthdr *ph;
	int r;

	if (c->cu_classic != NULL) {
		if (classic_next(c->cu_classic, h, data))
			return 1;
		classic_close(c->cu_classic);
		c->cu_classic = NULL;
	}
	r = pcap_next_ex(c->cu_pcap, &ph, data);
	if (r == 1)
		*h = *ph;
	return r;
}

const uint8_t *source_peek(const source_t *s, int reader, int n)
{
	const cursor_t *c = &s->s_cur[reader];

	return c->cu_classic != NULL ? classic_peek(c->cu_classic, n) : NULL;
}

/* Read through a cursor. */
static int read_frame(source_t *s, cursor_t *c, rframe_t *f)
{
	struct pcap_pkthdr h;
	const u_char *data;
	int r;

	for (;;) {
		if (c->cu_file >= s->s_nfiles)
			return 0;
		if (c->cu_pcap == NULL) {
			if ((r = next_file(s, c)) <= 0)
				return r;
			continue;
		}
		r = next_packet(c, &h, &data);
		if (r == 1)
			break;
		if (r == PCAP_ERROR) {
			snprintf(s->s_error, sizeof(s->s_error), "%s: %s, after %llu packets", s->s_files[c->cu_file],
				 pcap_geterr(c->cu_pcap), (unsigned long long)c->cu_num);
			if (next_file(s, c) < 0)
				return -1;
			return -1;
		}
		if ((r = next_file(s, c)) <= 0)
			return r;
	}
	f->rf_num = ++c->cu_num;
	f->rf_time = stamp(s, c, &h) + s->s_shift;
	f->rf_other = s->s_plan != NULL && plan_cpu(s->s_plan, f->rf_num) != s->s_cpu;
	if (f->rf_other)
		return 1;
	f->rf_data = data;
	f->rf_caplen = h.caplen;
	f->rf_len = h.len < h.caplen ? h.caplen : h.len;
	f->rf_linktype = c->cu_linktype;
	rf_decode(f);
	return 1;
}

/* Pipes: keep a copy of what the scout read for the player. */
static void put_by(source_t *s, int result, const rframe_t *f)
{
	uint32_t len = result == 1 ? f->rf_caplen : 0;
	stash_t *st = malloc(sizeof(*st) + len);

	if (st == NULL) {
		fprintf(stderr, "strsim: out of memory\n");
		exit(1);
	}
	st->st_next = NULL;
	st->st_result = result;
	if (result == 1) {
		memcpy(st->st_data, f->rf_data, len);
		st->st_frame = *f;
		st->st_frame.rf_data = st->st_data;
		rf_decode(&st->st_frame);
	}
	*s->s_last = st;
	s->s_last = &st->st_next;
}

static int take_stash(source_t *s, cursor_t *c, rframe_t *f)
{
	stash_t *st = s->s_first;

	free(c->cu_held);
	c->cu_held = st;
	if (st == NULL)
		return 0;
	s->s_first = st->st_next;
	if (s->s_first == NULL)
		s->s_last = &s->s_first;
	if (st->st_result == 1)
		*f = st->st_frame;
	return st->st_result;
}

void source_again(source_t *s)
{
	s->s_again = s->s_first;
}

int source_next(source_t *s, int reader, rframe_t *f)
{
	int r;

	if (s->s_seekable)
		return read_frame(s, &s->s_cur[reader], f);
	if (reader == READ_PLAY)
		return take_stash(s, &s->s_cur[reader], f);
	if (s->s_again != NULL) {
		stash_t *st = s->s_again;

		s->s_again = st->st_next;
		if (st->st_result == 1)
			*f = st->st_frame;
		return st->st_result;
	}
	r = read_frame(s, &s->s_cur[READ_AHEAD], f);
	if (r != 0)
		put_by(s, r, f);
	return r;
}
