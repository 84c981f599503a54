BEGIN { printf("%d", sizeof(execname)); exit(0); }
