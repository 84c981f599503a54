BEGIN { printf("%s", `utsname.sysname); exit(0); }
