/* ioctl commands that every kind of file knows (filio), numbers of Solaris. */
#ifndef STRSIM_SYS_FILIO_H
#define STRSIM_SYS_FILIO_H

#undef FIONREAD
#undef FIOASYNC
#undef FIONBIO
#undef FIORDCHK
#define FIORDCHK (('f' << 8) | 3)
/* BSD style: direction and size in the upper half. */
#define FIONREAD 0x4004667f        /* int *: bytes to read */
#define FIOASYNC ((int)0x8004667d) /* int * */
#define FIONBIO ((int)0x8004667e)  /* int * */

#endif
