/*
 * What a TLI program asks of timod (timod(7M)): ioctls.
 *
 * TI_BIND ... TI_CAPABILITY are for I_STR: the data is the TPI request with all
 * that it refers to, and becomes the provider's answer.  The call is 0; when the
 * provider refused it is positive: the TLI error in the low 8 bits, and for
 * TSYSERR the errno in the next 8.
 *
 * The NAME ones are plain ioctls whose argument is a struct netbuf *.
 */
#ifndef STRSIM_SYS_TIMOD_H
#define STRSIM_SYS_TIMOD_H

#include "sys/tihdr.h"

#define TIMOD ('T' << 8)
#define TI_GETINFO (TIMOD | 140)
#define TI_OPTMGMT (TIMOD | 141)
#define TI_BIND (TIMOD | 142)
#define TI_UNBIND (TIMOD | 143)
#define TI_GETMYNAME (TIMOD | 144)
#define TI_GETPEERNAME (TIMOD | 145)
#define TI_SETMYNAME (TIMOD | 146)
#define TI_SETPEERNAME (TIMOD | 147)
#define TI_SYNC (TIMOD | 148)
#define TI_CAPABILITY (TIMOD | 150)

/* TI_SYNC: struct ti_sync_req in, struct ti_sync_ack out. */
struct ti_sync_req {
	uint32_t tsr_flags;
};
#define TSRF_INFO_REQ 0x1         /* the provider's T_INFO_ACK, too */
#define TSRF_IS_EXP_IN_RCVBUF 0x2 /* does expedited data wait to be read? */
#define TSRF_QLEN_REQ 0x4         /* how many connections the endpoint listens for */
struct ti_sync_ack {
	struct T_info_ack tsa_info;
	uint32_t tsa_qlen;
	uint32_t tsa_flags;
};
#define TSAF_EXP_QUEUED 0x1

/* A name and the room for it. */
struct netbuf {
	uint_t maxlen;
	uint_t len;
	char *buf;
};

#endif
