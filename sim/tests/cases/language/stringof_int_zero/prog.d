BEGIN { printf("%d", stringof(0) == NULL); exit(0); }
