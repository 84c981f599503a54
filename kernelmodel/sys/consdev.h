/* What the console wants of its keyboard, numbers of Solaris; the data of these ioctls is the kernel's. */
#ifndef STRSIM_SYS_CONSDEV_H
#define STRSIM_SYS_CONSDEV_H

#include "sys/types.h"

#define CONSIOC (('C' << 24) | ('O' << 16) | ('N' << 8))
#define CONSOPENPOLLEDIO (CONSIOC | 0)   /* struct cons_polledio **: the driver's block is stored there */
#define CONSSETABORTENABLE (CONSIOC | 2) /* transparent: 1 or 0 */
#define CONSCLOSEPOLLEDIO (CONSIOC | 3)
#define CONSSETKBDTYPE (CONSIOC | 4) /* int *: KB_PC or KB_USB */

/* How a debugger reads a keyboard when no interrupt comes through. */
typedef struct cons_polledio {
	uint_t cons_polledio_version;
	void *cons_polledio_argument;
	int (*cons_polledio_ischar)(void *);
	int (*cons_polledio_getchar)(void *);
	void (*cons_polledio_enter)(void *);
	void (*cons_polledio_exit)(void *);
} cons_polledio_t;
#define CONSPOLLEDIO_V1 1

#endif
