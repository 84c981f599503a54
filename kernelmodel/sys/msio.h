/* Mouse commands (vuidmice(7M)), numbers of Solaris. */
#ifndef STRSIM_SYS_MSIO_H
#define STRSIM_SYS_MSIO_H

#define MSIOC ('m' << 8)
#define MSIOGETPARMS (MSIOC | 1)    /* Ms_parms * */
#define MSIOSETPARMS (MSIOC | 2)    /* Ms_parms * */
#define MSIOBUTTONS (MSIOC | 3)     /* int * */
#define MSIOSRESOLUTION (MSIOC | 4) /* Ms_screen_resolution * */

typedef struct ms_parms {
	int jitter_thresh, speed_law, speed_limit;
} Ms_parms;

typedef struct ms_screen_resolution {
	int height, width;
} Ms_screen_resolution;

#endif
