/*
 * What a system is called and how large it is.  Nothing in the model asks; D programs do, by `utsname.sysname or
 * `hp_avenrun[0].
 */
#include "sys/systm.h"
#include "sys/utsname.h"

const struct utsname utsname = {"SunOS", "strsim", "5.10", "Generic", "i86pc"};

const int hz = 100;
const int kmem_flags = 0;
const int maxusers = 512;
const ulong_t physmem = 131072; /* 512 MB, as far as D programs are concerned: model memory is the host's */
const int ncpus = 1;

/* Virtual time stands still while a thread runs, so that at no tick of the clock one is found waiting for the CPU. */
const int avenrun[AVENRUN_N] = {0, 0, 0};
const int hp_avenrun[AVENRUN_N] = {0, 0, 0};
