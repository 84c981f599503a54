BEGIN { *(int *)0; }
ERROR { printf("%s:%s:%s:%s\n", probeprov, probemod, probefunc, probename); exit(0); }
