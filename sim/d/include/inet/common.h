/* For scripts run with -C: nothing beyond the types, which D knows. */
#ifndef _INET_COMMON_H
#define _INET_COMMON_H

#include <sys/types.h>

#endif
