#include "replay/classic.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIECE (256 * 1024) /* stays in the second level's cache until its packets are played */
#define FILE_HEADER 24
#define RECORD_HEADER 16
#define MAGIC_MICRO 0xa1b2c3d4U
#define MAGIC_NANO 0xa1b23c4dU

struct classic {
	pcap_t *cl_pcap;
	int cl_fd;
	bool cl_swapped, cl_nano;
	uint32_t cl_snaplen;
	off_t cl_end;           /* offset in the file of the end of what is in the buffer */
	size_t cl_at, cl_bytes; /* next record, end of what was read */
	uint8_t cl_buf[PIECE];
};

static uint32_t word(const classic_t *c, const uint8_t *p)
{
	uint32_t w;

	memcpy(&w, p, sizeof(w));
	return c->cl_swapped ? __builtin_bswap32(w) : w;
}

/* Version 2.4, in stamps of either kind and either order of bytes. */
static bool usual_header(classic_t *c, const uint8_t *p)
{
	static const uint8_t big[4] = {0, 2, 0, 4}, little[4] = {2, 0, 4, 0};
	uint32_t magic;

	memcpy(&magic, p, sizeof(magic));
	c->cl_swapped = magic == __builtin_bswap32(MAGIC_MICRO) || magic == __builtin_bswap32(MAGIC_NANO);
	magic = word(c, p);
	c->cl_nano = magic == MAGIC_NANO;
	return (magic == MAGIC_MICRO || magic == MAGIC_NANO) &&
	       (memcmp(p + 4, big, 4) == 0 || memcmp(p + 4, little, 4) == 0);
}

classic_t *classic_open(pcap_t *p)
{
	classic_t *c;
	uint8_t header[FILE_HEADER];

	if (pcap_datalink(p) != DLT_EN10MB || pcap_snapshot(p) <= 0 || (c = malloc(sizeof(*c))) == NULL)
		return NULL;
	c->cl_pcap = p;
	c->cl_fd = fileno(pcap_file(p));
	c->cl_snaplen = (uint32_t)pcap_snapshot(p);
	c->cl_end = FILE_HEADER;
	c->cl_at = c->cl_bytes = 0;
	if (pread(c->cl_fd, header, sizeof(header), 0) == (ssize_t)sizeof(header) && usual_header(c, header))
		return c;
	free(c);
	return NULL;
}

void classic_close(classic_t *c)
{
	free(c);
}

off_t classic_tell(const classic_t *c)
{
	return c->cl_end - (off_t)(c->cl_bytes - c->cl_at);
}

/* Have n bytes of the next record in the buffer; false at the end of the file, or when they are too many. */
static bool have(classic_t *c, size_t n)
{
	ssize_t got;

	if (c->cl_bytes - c->cl_at >= n)
		return true;
	if (n > PIECE)
		return false;
	memmove(c->cl_buf, c->cl_buf + c->cl_at, c->cl_bytes - c->cl_at);
	c->cl_bytes -= c->cl_at;
	c->cl_at = 0;
	while (c->cl_bytes < n) {
		got = pread(c->cl_fd, c->cl_buf + c->cl_bytes, PIECE - c->cl_bytes, c->cl_end);
		if (got <= 0)
			return false;
		c->cl_bytes += (size_t)got;
		c->cl_end += got;
	}
	return true;
}

bool classic_next(classic_t *c, struct pcap_pkthdr *h, const u_char **data)
{
	const uint8_t *p;
	uint32_t sec, frac;

	if (!have(c, RECORD_HEADER))
		goto hand_over;
	p = c->cl_buf + c->cl_at;
	sec = word(c, p);
	frac = word(c, p + 4);
	h->caplen = word(c, p + 8);
	h->len = word(c, p + 12);
	if (sec > INT32_MAX || frac >= (c->cl_nano ? 1000000000U : 1000000U) || h->caplen > c->cl_snaplen ||
	    h->len > INT32_MAX || !have(c, RECORD_HEADER + (size_t)h->caplen))
		goto hand_over;
	h->ts.tv_sec = (time_t)sec;
	h->ts.tv_usec = (suseconds_t)(c->cl_nano ? frac : frac * 1000);
	*data = c->cl_buf + c->cl_at + RECORD_HEADER;
	c->cl_at += RECORD_HEADER + h->caplen;
	return true;
hand_over:
	/* a file that cannot be repositioned here is at its end for libpcap, which says so */
	(void)fseeko(pcap_file(c->cl_pcap), classic_tell(c), SEEK_SET);
	return false;
}

const u_char *classic_peek(const classic_t *c, int n)
{
	size_t at = c->cl_at;

	for (;;) {
		if (at + RECORD_HEADER + CLASSIC_PEEK > c->cl_bytes)
			return NULL;
		const uint8_t *record = c->cl_buf + at;

		at += RECORD_HEADER + (size_t)word(c, record + 8);
		if (--n > 0)
			continue;
		/* the one behind it is the next to be asked for */
		if (at + RECORD_HEADER + CLASSIC_PEEK <= c->cl_bytes) {
			__builtin_prefetch(c->cl_buf + at);
			__builtin_prefetch(c->cl_buf + at + 64);
		}
		return record + RECORD_HEADER;
	}
}
