inline int twice = `hz * 2; BEGIN { printf("%d", twice); exit(0); }
