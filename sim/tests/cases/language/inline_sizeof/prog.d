inline short x = 1; BEGIN { printf("%d", sizeof(x)); exit(0); }
