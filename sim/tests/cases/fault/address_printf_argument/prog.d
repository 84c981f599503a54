BEGIN { printf("%d %d\n", 1, *(char *)0); }
ERROR { exit(1); }
