int *p;
BEGIN { printf("%d", sizeof (p) + sizeof (*p)); exit(0); }
