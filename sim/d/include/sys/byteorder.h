/* For scripts run with -C: network numbers on a little-endian machine. */
#ifndef _SYS_BYTEORDER_H
#define _SYS_BYTEORDER_H

#include <sys/types.h>

#define BSWAP_8(x) ((x) & 0xff)
#define BSWAP_16(x) ((BSWAP_8(x) << 8) | BSWAP_8((x) >> 8))
#define BSWAP_32(x) ((BSWAP_16(x) << 16) | BSWAP_16((x) >> 16))
#define BSWAP_64(x) ((BSWAP_32(x) << 32) | BSWAP_32((x) >> 32))

#define BE_8(x) BSWAP_8(x)
#define BE_16(x) BSWAP_16(x)
#define BE_32(x) BSWAP_32(x)
#define BE_64(x) BSWAP_64(x)
#define LE_8(x) ((uint8_t)(x))
#define LE_16(x) ((uint16_t)(x))
#define LE_32(x) ((uint32_t)(x))
#define LE_64(x) ((uint64_t)(x))

#define BE16_TO_U16(x) BSWAP_16(x)
#define BE32_TO_U32(x) BSWAP_32(x)

#endif
