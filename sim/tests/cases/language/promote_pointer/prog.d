BEGIN { printf("%d", sizeof ((int *)0)); exit(0); }
