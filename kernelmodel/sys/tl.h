/*
 * The loopback transport as its users see it: transports, options, ioctls
 * (ticots(7D), ticotsord(7D), ticlts(7D)).
 */
#ifndef STRSIM_SYS_TL_H
#define STRSIM_SYS_TL_H

#include "sys/types.h"

/* Minors of the device nodes; opens of a socket have TL_SOCKET too, and all a number of their own above. */
#define TL_TICOTS 0
#define TL_TICOTSORD 1
#define TL_TICLTS 2
#define TL_SOCKET 4
#define TL_MINOR_SHIFT 3

/* Most bytes one message should carry (TIDU_size). */
#define TL_TIDUSZ (16 * 1024)

/* Options of level TL_PROT_LEVEL: an int, whether T_CONN_IND and T_UNITDATA_IND show who sent them. */
#define TL_PROT_LEVEL 888
#define TL_OPT_PEER_CRED 10
/* The value of such an option in an indication. */
typedef struct tl_credopt {
	uid_t tc_uid, tc_ruid, tc_suid;
	gid_t tc_gid, tc_rgid, tc_sgid;
	uint_t tc_ngroups;
} tl_credopt_t;

/* ioctl (I_STR): uint32_t, the same switch as the option. */
#define TL_IOC (('T' << 16) | ('L' << 8))
#define TL_IOC_CREDOPT (TL_IOC | 10)

#endif
