/*
 * Attributes of a received packet that the hardware found out, carried in the
 * data block (db_struioflag) from the driver to the protocols.
 */
#ifndef STRSIM_SYS_PATTR_H
#define STRSIM_SYS_PATTR_H

#include "sys/stream.h"

#define HCK_IPV4_HDRCKSUM 0x01 /* the IPv4 header checksum need not be verified */
#define HCK_FULLCKSUM 0x04     /* the transport checksum need not be verified */

#define DB_CKSUMFLAGS(mp) ((mp)->b_datap->db_struioflag)

#endif
