BEGIN { printf("%s", probefunc); exit(0); }
