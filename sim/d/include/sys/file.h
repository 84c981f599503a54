/* For scripts run with -C: flags of an open file, the fflag arguments of socket functions. */
#ifndef _SYS_FILE_H
#define _SYS_FILE_H

#include <sys/types.h>

#define FREAD 0x01
#define FWRITE 0x02
#define FNDELAY 0x04
#define FAPPEND 0x08
#define FNONBLOCK 0x80

#endif
