/* Keyboard commands (kb(7M)), numbers and sizes of Solaris. */
#ifndef STRSIM_SYS_KBIO_H
#define STRSIM_SYS_KBIO_H

#include "sys/types.h"

#define KIOC ('k' << 8)
#define KIOCCMD (KIOC | 8)      /* int * */
#define KIOCTYPE (KIOC | 9)     /* int *: keyboard type */
#define KIOCSDIRECT (KIOC | 10) /* int * */
#define KIOCGKEY (KIOC | 13)    /* struct kiockeymap * */
#define KIOCSLED (KIOC | 14)    /* char * */
#define KIOCGLED (KIOC | 15)    /* char * */
#define KIOCSCOMPAT (KIOC | 16) /* int * */
#define KIOCGCOMPAT (KIOC | 17) /* int * */
#define KIOCSLAYOUT (KIOC | 19)
#define KIOCLAYOUT (KIOC | 20)     /* int * */
#define KIOCSKABORTEN (KIOC | 21)  /* int * */
#define KIOCGRPTDELAY (KIOC | 22)  /* int *: ms */
#define KIOCSRPTDELAY (KIOC | 23)  /* int *: ms */
#define KIOCGRPTRATE (KIOC | 24)   /* int *: ms */
#define KIOCSRPTRATE (KIOC | 25)   /* int *: ms */
#define KIOCTRANS (KIOC | 30)      /* int * */
#define KIOCSETKEY (KIOC | 31)     /* struct kiockey * */
#define KIOCGETKEY (KIOC | 32)     /* struct kiockey * */
#define KIOCGTRANS (KIOC | 35)     /* int * */
#define KIOCTRANSABLE (KIOC | 36)  /* int * */
#define KIOCGTRANSABLE (KIOC | 37) /* int * */
#define KIOCGDIRECT (KIOC | 41)    /* int * */
#define KIOCSKEY (KIOC | 42)       /* struct kiockeymap * */

struct kiockey {
	int kio_tablemask;
	uchar_t kio_station;
	uchar_t kio_entry;
	char kio_string[10];
};

struct kiockeymap {
	int kio_tablemask;
	uchar_t kio_station;
	ushort_t kio_entry;
	char kio_string[10];
};

#endif
