short a[6];
BEGIN { printf("%d", sizeof (a[0])); exit(0); }
