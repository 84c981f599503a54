/* A stream of so many modules that only pass on (pipemod), between a head and a driver that counts what comes. */
#ifndef STRSIM_BENCH_PIPE_H
#define STRSIM_BENCH_PIPE_H

#include "sys/stream.h"

/* The head's write queue; NULL when there is no module pipemod. */
queue_t *chain_pipe_open(uint32_t modules);
void chain_pipe_close(queue_t *wq);
/* Send n times the same message down: the driver does not free it. */
void chain_pipe_send(queue_t *wq, mblk_t *mp, uint64_t n);
uint64_t chain_pipe_arrived(void);

#endif
