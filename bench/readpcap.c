/* readpcap FILE - read a capture with libpcap and look at every packet's headers: the bare rate to compare with. */
#include <pcap/pcap.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	char err[PCAP_ERRBUF_SIZE];
	unsigned long packets = 0, ports = 0;
	struct pcap_pkthdr *h;
	const u_char *p;
	pcap_t *pc;

	if (argc != 2) {
		fprintf(stderr, "usage: readpcap FILE\n");
		return 2;
	}
	pc = pcap_open_offline_with_tstamp_precision(argv[1], PCAP_TSTAMP_PRECISION_NANO, err);
	if (pc == NULL) {
		fprintf(stderr, "readpcap: %s\n", err);
		return 1;
	}
	while (pcap_next_ex(pc, &h, &p) == 1) {
		packets++;
		if (h->caplen >= 38 && p[12] == 8 && p[13] == 0)
			ports += p[14 + (p[14] & 15) * 4 + 3];
	}
	printf("%lu packets %lu\n", packets, ports);
	pcap_close(pc);
	return 0;
}
