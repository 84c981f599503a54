#include "replay/player.h"

#include <errno.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --wire: what passed on the modelled wire, as a capture with nanosecond stamps. */

typedef struct wirelog {
	pcap_t *w_pcap;
	pcap_dumper_t *w_dump;
	int64_t w_epoch;
	char *w_name, *w_tmp;
} wirelog_t;

static void wirelog_free(wirelog_t *w)
{
	if (w->w_pcap != NULL)
		pcap_close(w->w_pcap);
	free(w->w_name);
	free(w->w_tmp);
	free(w);
}

wirelog_t *wirelog_open(const char *file, int64_t epoch, char *err, size_t errlen)
{
	wirelog_t *w = calloc(1, sizeof(*w));

	if (w == NULL)
		return NULL;
	w->w_epoch = epoch;
	w->w_name = strdup(file);
	w->w_pcap = pcap_open_dead_with_tstamp_precision(DLT_EN10MB, 262144, PCAP_TSTAMP_PRECISION_NANO);
	if (asprintf(&w->w_tmp, "%s.tmp", file) < 0)
		w->w_tmp = NULL;
	if (w->w_name == NULL || w->w_tmp == NULL || w->w_pcap == NULL) {
		snprintf(err, errlen, "%s: out of memory", file);
		wirelog_free(w);
		return NULL;
	}
	w->w_dump = pcap_dump_open(w->w_pcap, w->w_tmp);
	if (w->w_dump == NULL) {
		snprintf(err, errlen, "%s", pcap_geterr(w->w_pcap));
		wirelog_free(w);
		return NULL;
	}
	return w;
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
	if (!bad && rename(w->w_tmp, w->w_name) != 0)
		bad = 1;
	if (bad) {
		snprintf(err, errlen, "%s: %s", w->w_name, strerror(errno));
		unlink(w->w_tmp);
	}
	wirelog_free(w);
	return bad ? -1 : 0;
}
