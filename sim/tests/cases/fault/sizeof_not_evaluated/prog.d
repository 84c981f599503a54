BEGIN { printf("%d\n", sizeof (*(int *)0)); exit(0); }
