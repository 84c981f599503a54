BEGIN { printf("%d", sizeof(rand())); exit(0); }
