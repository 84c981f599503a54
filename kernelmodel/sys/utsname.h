/*
 * What the system is called: uname(2).
 */
#ifndef STRSIM_SYS_UTSNAME_H
#define STRSIM_SYS_UTSNAME_H

#define SYS_NMLN 257

struct utsname {
	char sysname[SYS_NMLN];
	char nodename[SYS_NMLN];
	char release[SYS_NMLN];
	char version[SYS_NMLN];
	char machine[SYS_NMLN];
};

extern const struct utsname utsname;

#endif
