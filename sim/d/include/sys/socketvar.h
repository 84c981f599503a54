/* For scripts run with -C: states of a sonode (so_state). */
#ifndef _SYS_SOCKETVAR_H
#define _SYS_SOCKETVAR_H

#include <sys/socket.h>

#define SS_ISCONNECTED 0x00000001
#define SS_ISCONNECTING 0x00000002
#define SS_CANTSENDMORE 0x00000008
#define SS_CANTRCVMORE 0x00000010
#define SS_ISBOUND 0x00000020
#define SS_ACCEPTCONN 0x00000200
#define SS_DIRECT 0x00200000

#endif
