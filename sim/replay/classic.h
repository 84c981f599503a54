/*
 * Records of plain capture files, read in large pieces.
 *
 * libpcap reads every capture; but most are regular files of the classic
 * format, Ethernet, and in these it takes two fread(3) a packet and a read(2)
 * every 4096 bytes: 0.50 us a packet of some 680 bytes, beside 0.13 us for pieces
 * of 256 KiB (medians of three runs in turn; windows of mmap(2) take 0.6 us, since
 * page faults are dear in a virtual machine).  This reader takes such files from libpcap after the file
 * header and gives them back at the first record that is not as usual: one
 * that is cut, longer than the snapshot length or with a strange time stamp.
 * What is wrong with it is libpcap's to say.
 */
#ifndef STRSIM_REPLAY_CLASSIC_H
#define STRSIM_REPLAY_CLASSIC_H

#include <pcap/pcap.h>
#include <stdbool.h>

typedef struct classic classic_t;

/* A reader for the file that p has just opened with stamps in ns; NULL when libpcap must read it, or without memory. */
classic_t *classic_open(pcap_t *p);
void classic_close(classic_t *c);
/*
 * The next record, valid until the next call: true.  False when libpcap has to go on (also at the end of the file): its
 * position in the file is set.
 */
bool classic_next(classic_t *c, struct pcap_pkthdr *h, const u_char **data);
/* The n-th packet behind the one returned last: its first CLASSIC_PEEK bytes; NULL when they are not at hand. */
#define CLASSIC_PEEK 64
const u_char *classic_peek(const classic_t *c, int n);
/* Where in the file the next record begins. */
off_t classic_tell(const classic_t *c);

#endif
