/*
 * Where frames come from: one or more capture files read through libpcap, one
 * after the other on one time line, by two readers (see flow.h).  A file that
 * can be read twice is opened twice; from a pipe the frames between the two
 * readers are kept, at most RF_AHEAD of them.
 */
#ifndef STRSIM_REPLAY_SOURCE_H
#define STRSIM_REPLAY_SOURCE_H

#include "replay/frame.h"

typedef struct source source_t;

enum { READ_AHEAD, READ_PLAY, READ_CENSUS, NREADERS };

/* NULL with a message ("FILE: what is wrong"). */
source_t *source_open(const char *const *files, int nfiles, char *err, size_t errlen);
void source_close(source_t *s);
/* Decode only the frames that the plan gives to this CPU; of the others number and time are told (rf_other). */
struct plan;
void source_shard(source_t *s, const struct plan *plan, int cpu);
/* Can the census read everything first? */
bool source_seekable(const source_t *s);
/*
 * Next decoded frame for a reader, valid until its next call: 1; 0 at the end; -1 when a file is cut or broken
 * here: source_error() says how, and the next call goes on with the next file.
 */
int source_next(source_t *s, int reader, rframe_t *f);
/* From a pipe: the reader ahead begins again with the first frame (none was played yet). */
void source_again(source_t *s);
/* The n-th frame behind the one read last: some 64 bytes as captured, Ethernet; NULL when they are not at hand. */
const uint8_t *source_peek(const source_t *s, int reader, int n);
const char *source_error(const source_t *s);
/* How much of all files the playing reader has behind it, in percent; -1 from a pipe. */
int source_percent(const source_t *s);
/* From now on the first frame lies that many ns after virtual time 0, and the others behind it. */
void source_shift(source_t *s, int64_t ns);
/* Wall-clock time (ns since the epoch) of virtual time 0: of the first frame, unless that was shifted; 0 before it was read. */
int64_t source_epoch(const source_t *s);
/* Frames whose time stamp went backwards, as the playing reader met them. */
uint64_t source_backwards(const source_t *s);

#endif
