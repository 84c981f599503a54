/* For scripts run with -C: Solaris' numbers of families and types. */
#ifndef _SYS_SOCKET_H
#define _SYS_SOCKET_H

#include <sys/types.h>

#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 26

#define SOCK_DGRAM 1
#define SOCK_STREAM 2
#define SOCK_RAW 4

#endif
