/* For scripts run with -C: the modelled kernel is amd64. */
#ifndef _SYS_ISA_DEFS_H
#define _SYS_ISA_DEFS_H

#define _LITTLE_ENDIAN
#define _LP64

#endif
