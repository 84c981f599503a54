/* poll(2) of Solaris: event bits and struct pollfd. */
#ifndef STRSIM_SYS_POLL_H
#define STRSIM_SYS_POLL_H

#include "sys/types.h"

#define POLLIN 0x0001
#define POLLPRI 0x0002
#define POLLOUT 0x0004
#undef POLLRDNORM
#undef POLLRDBAND
#undef POLLWRNORM
#undef POLLWRBAND
#define POLLERR 0x0008
#define POLLHUP 0x0010
#define POLLNVAL 0x0020
#define POLLRDNORM 0x0040
#define POLLNORM POLLRDNORM
#define POLLWRNORM POLLOUT
#define POLLRDBAND 0x0080
#define POLLWRBAND 0x0100

/* The host's struct pollfd has the same layout; its event numbers differ. */
typedef struct spollfd {
	int fd; /* negative: ignored */
	short events;
	short revents;
} pollfd_t;

#endif
