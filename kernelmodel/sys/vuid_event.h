/* Commands of the virtual user input devices (vuid), numbers of Solaris. */
#ifndef STRSIM_SYS_VUID_EVENT_H
#define STRSIM_SYS_VUID_EVENT_H

#include "sys/types.h"

#define VUIOC ('v' << 8)
#define VUIDSFORMAT (VUIOC | 11) /* int * */
#define VUIDGFORMAT (VUIOC | 12) /* int * */
#define VUIDSADDR (VUIOC | 13)   /* Vuid_addr_probe * */
#define VUIDGADDR (VUIOC | 14)   /* Vuid_addr_probe * */
#define VUIDGWHEELCOUNT (VUIOC | 15)
#define VUIDGWHEELINFO (VUIOC | 16)
#define VUIDGWHEELSTATE (VUIOC | 17)
#define VUIDSWHEELSTATE (VUIOC | 18)
#define VUID_NATIVE 0
#define VUID_FIRM_EVENT 1

typedef struct vuid_addr_probe {
	short base;
	union {
		short next;
		short current;
	} data;
} Vuid_addr_probe;

#endif
