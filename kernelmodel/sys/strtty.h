/*
 * What terminal modules and drivers say to each other in M_CTL messages: an
 * iocblk whose ioc_cmd is one of these (ldterm(7M)).
 */
#ifndef STRSIM_SYS_STRTTY_H
#define STRSIM_SYS_STRTTY_H

#define MC_NO_CANON 0   /* the driver does canonical processing: ldterm is to pass data through */
#define MC_DO_CANON 1   /* ldterm is to do it (again) */
#define MC_CANONQUERY 2 /* ldterm asks which of the two */
#define MC_PART_CANON 3 /* answer with a termios: the driver does what is set there */
#define MC_SERVICEIMM 4 /* the driver's input is to be served at once */
#define MC_POSIXQUERY 5 /* ldterm asks whether the driver waits for its output at close */
#define MC_HAS_POSIX 6  /* it does */

#endif
