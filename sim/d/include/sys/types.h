/* For scripts run with -C: D knows the types themselves. */
#ifndef _SYS_TYPES_H
#define _SYS_TYPES_H

#include <sys/isa_defs.h>

#endif
