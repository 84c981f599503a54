/*
 * Multibyte characters in ldterm (ldterm(7M)): how many bytes a character of a
 * code set has and how many columns it takes.
 *
 * A program tells ldterm by I_STR: EUC_WSET gives the widths of an Extended Unix
 * Code, CSDATA_SET describes any code set.  EUC_WGET and CSDATA_GET read them.
 */
#ifndef STRSIM_SYS_EUC_H
#define STRSIM_SYS_EUC_H

#include "sys/types.h"

#define EUC_SS2 0x8e /* single shifts: the next character is of code set 2, 3 */
#define EUC_SS3 0x8f
#define EUC_MAXW 8 /* bytes of a character at most, and columns */

/*
 * Code set 0 is ASCII, 1 begins with a byte that has the high bit set, 2 and 3 with
 * SS2 and SS3, which eucw does not count.  A width of 0: there is no such set.
 */
typedef struct eucioc {
	uchar_t eucw[4]; /* bytes */
	uchar_t scrw[4]; /* columns */
} eucioc_t;

#define EUC_IOC (('E' | 128) << 8)
#define EUC_WSET (EUC_IOC | 1)
#define EUC_WGET (EUC_IOC | 2)

/* codeset_type */
#define LDTERM_CS_TYPE_EUC 1
#define LDTERM_CS_TYPE_PCCS 2
#define LDTERM_CS_TYPE_UTF8 3
#define LDTERM_CS_MAX_CODESETS 10
#define LDTERM_CS_MAX_BYTE_LENGTH 8
#define LDTERM_DATA_VERSION 1

/* A subset of a code set: characters whose first byte lies in [msb_start, msb_end]; EUC: only the widths count. */
typedef struct ldterm_eucpc_data {
	uchar_t byte_length, screen_width, msb_start, msb_end;
} ldterm_eucpc_data_t;

typedef struct ldterm_cs_data_user {
	uchar_t version; /* LDTERM_DATA_VERSION */
	uchar_t codeset_type;
	uchar_t csinfo_num; /* entries of eucpc_data: EUC 4 (one for each set), PCCS 1 to 10, UTF-8 0 */
	uchar_t pad;
	char locale_name[256];
	ldterm_eucpc_data_t eucpc_data[LDTERM_CS_MAX_CODESETS];
} ldterm_cs_data_user_t;

#define CSI_IOC (('C' | 128) << 8)
#define CSDATA_SET (CSI_IOC | 1)
#define CSDATA_GET (CSI_IOC | 2)

#endif
