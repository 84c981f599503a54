#include "replay/player.h"

#include <errno.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * --wire: what passed on the modelled wire, as a capture with nanosecond
 * stamps.  It is written beside its place and moved there when it is whole; a
 * pipe or device is written to as it is.
 */

typedef struct wirelog {
	pcap_t *w_pcap;
	pcap_dumper_t *w_dump;
	int64_t w_epoch;
	char *w_name, *w_tmp; /* w_tmp: where it is written */
} wirelog_t;

static char *unfinished; /* to be removed when the program ends early */

static void remove_unfinished(void)
{
	if (unfinished != NULL)
		unlink(unfinished);
}

static void wirelog_free(wirelog_t *w)
{
	if (w->w_pcap != NULL)
		pcap_close(w->w_pcap);
	if (w->w_tmp != w->w_name)
		free(w->w_tmp);
	free(w->w_name);
	free(w);
}

static bool in_place(const char *file)
{
	struct stat sb;

	return stat(file, &sb) == 0 && !S_ISREG(sb.st_mode);
}

/* Open the file to write to, 0 or the error. */
static int start(wirelog_t *w)
{
	FILE *fp = fopen(w->w_tmp, "w");

	if (fp == NULL)
		return errno;
	if (w->w_tmp != w->w_name) {
		if (unfinished == NULL)
			atexit(remove_unfinished);
		unfinished = w->w_tmp;
	}
	w->w_dump = pcap_dump_fopen(w->w_pcap, fp);
	if (w->w_dump == NULL) {
		fclose(fp);
		return EIO;
	}
	return 0;
}

wirelog_t *wirelog_open(const char *file, char *err, size_t errlen)
{
	wirelog_t *w = calloc(1, sizeof(*w));
	int error = ENOMEM;

	if (w == NULL) {
		snprintf(err, errlen, "out of memory");
		return NULL;
	}
	w->w_name = strdup(file);
	w->w_pcap = pcap_open_dead_with_tstamp_precision(DLT_EN10MB, 262144, PCAP_TSTAMP_PRECISION_NANO);
	if (in_place(file))
		w->w_tmp = w->w_name;
	else if (asprintf(&w->w_tmp, "%s.tmp", file) < 0)
		w->w_tmp = NULL;
	if (w->w_name != NULL && w->w_tmp != NULL && w->w_pcap != NULL)
		error = start(w);
	if (error != 0) {
		snprintf(err, errlen, "%s: %s", file, strerror(error));
		wirelog_free(w);
		return NULL;
	}
	return w;
}

void wirelog_epoch(wirelog_t *w, int64_t epoch)
{
	w->w_epoch = epoch;
}

void wirelog_frame(wirelog_t *w, const uint8_t *frame, size_t len, hrtime_t when)
{
	int64_t t = w->w_epoch + when;
	struct pcap_pkthdr h;

	memset(&h, 0, sizeof(h));
	h.ts.tv_sec = t / 1000000000;
	h.ts.tv_usec = t % 1000000000;
	h.caplen = h.len = (uint32_t)len;
	pcap_dump((u_char *)w->w_dump, &h, frame);
}

int wirelog_close(wirelog_t *w, char *err, size_t errlen)
{
	int bad = pcap_dump_flush(w->w_dump) != 0 || ferror(pcap_dump_file(w->w_dump));

	pcap_dump_close(w->w_dump);
	if (!bad && w->w_tmp != w->w_name && rename(w->w_tmp, w->w_name) != 0)
		bad = 1;
	if (bad)
		snprintf(err, errlen, "%s: %s", w->w_name, strerror(errno));
	remove_unfinished();
	unfinished = NULL;
	wirelog_free(w);
	return bad ? -1 : 0;
}
