short a[6];
BEGIN { printf("%d", sizeof (a)); exit(0); }
